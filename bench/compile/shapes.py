# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs for measuring how long nabla takes: each shape makes C of about `size` instructions.

A shape is a function of the size that returns definitions, of which `f` is the primal. All primals
are `double f(const double *x, double *y, int n)`, so that one pair of entry points serves all.
"""

HEAD = """\
double sin(double), cos(double), exp(double), sqrt(double), fabs(double);
extern int enzyme_dup, enzyme_const;
void __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
"""

SIGNATURE = "double f(const double *x, double *y, int n)"

CALLS = {
    "reverse": "void call{0}(double *x, double *dx, double *y, double *dy, int n) {{\n"
               "  __enzyme_autodiff((void *)f{0}, x, dx, y, dy, n);\n}}\n",
    "forward": "double call{0}(double *x, double *dx, double *y, double *dy, int n) {{\n"
               "  return __enzyme_fwddiff((void *)f{0}, x, dx, y, dy, n);\n}}\n",
}


def function(lines, head=SIGNATURE):
    if head == SIGNATURE:
        lines = ["y[n] *= x[n];", *lines]
    return head + " {\n" + "\n".join(f"  {line}" for line in lines) + "\n}\n"


def arithmetic(size):
    """One block of sums and products of sixteen variables."""
    lines = [f"double v{i} = x[{i}];" for i in range(16)]
    for i in range(size // 2):
        a, b, c = i % 16, (i * 7 + 3) % 16, (i * 5 + 1) % 16
        lines.append(f"v{a} = v{b} * v{c} + {1 + i % 9}.5;")
    return function(lines + ["return " + " + ".join(f"v{i}" for i in range(16)) + ";"])


def mathematics(size):
    """One block of calls of mathematical functions, each of the last result."""
    lines = ["double a = x[0];"]
    lines += [f"a = {('sin', 'cos')[i % 2]}(a) + {1 + i % 7}.25;" for i in range(size // 2)]
    return function([*lines, "return a;"])


def loop(size):
    """The same in the body of one loop."""
    lines = ["double s = 0;", "for (int i = 0; i < n; i++) {", "  double a = x[i];"]
    lines += [f"  a = {('sin', 'cos')[i % 2]}(a) + {1 + i % 7}.25;" for i in range(size // 2)]
    return function([*lines, "  s += a;", "}", "return s;"])


def loops(size):
    """Many small loops one after another, over the same two arrays."""
    lines = ["double s = 0;"]
    for i in range(size // 12):
        lines.append(f"for (int i = 0; i < n; i++) y[i] = y[i] * x[i + {i % 5}] + {i}.5;")
    return function([*lines, "return s + y[0];"])


def nests(size):
    """Nests of four loops one after another, with triangular bounds."""
    lines = ["double s = 0;"]
    for _ in range(size // 30):
        lines.append("for (int i = 0; i < n; i++) for (int j = 0; j <= i; j++)")
        lines.append("  for (int k = 0; k <= j; k++) for (int l = 0; l < 4; l++)")
        lines.append("    s += x[i] * x[j] * y[k] * s * x[l];")
    return function([*lines, "return s;"])


def deep(size):
    """One nest, a loop deeper for each hundred instructions, at most forty deep."""
    depth = min(40, max(2, size // 100))
    lines = ["double s = 0;"]
    for i in range(depth):
        lines.append("  " * i + f"for (int i{i} = 0; i{i} < n; i{i}++) {{ s += x[i{i}] * s;")
    return function([*lines, "}" * depth, "return s;"])


def branches(size):
    """Branches on data one after another in a loop."""
    lines = ["double s = 0;", "for (int i = 0; i < n; i++) {", "  double a = x[i];"]
    for i in range(size // 8):
        lines.append(f"  if (x[i + {i % 11}] > {i}) {{ a = a * a; y[{i % 7}] += a; }}")
    return function([*lines, "  s += a;", "}", "return s;"])


def switch(size):
    """A large switch in a loop."""
    lines = ["double a = x[0];", "for (int i = 0; i < n; i++) switch ((int)y[i]) {"]
    for i in range(size // 4):
        lines.append(f"  case {i}: a = a * x[i] + {i}.5; break;")
    return function([*lines, "}", "return a;"])


def structs(size):
    """Loads and stores of members of structs in arrays."""
    kind = "struct S { double a, b[3]; int k; struct S *next; double c; };\n"
    lines = ["struct S *s = (struct S *)x, *t = (struct S *)y;"]
    lines += ["for (int i = 0; i < n; i++) {"]
    for i in range(size // 10):
        j = i % 13
        lines.append(f"  t[i].b[{i % 3}] = s[{j}].a * s[i].c + t[s[{j}].k].a; t[i].a += s[i].b[1];")
    return kind + function([*lines, "}", "return t[0].a;"])


def locals_(size):
    """Many local arrays, filled and read by indices known only at run time."""
    count = max(1, size // 16)
    lines = [f"double a{i}[8];" for i in range(count)] + ["double s = 0;"]
    for i in range(count):
        source = f"a{i - 1}[i]" if i else "x[i]"
        lines.append(f"for (int i = 0; i < 8; i++) a{i}[i] = {source} * x[i];")
        lines.append(f"s += a{i}[n & 7];")
    return function([*lines, "return s;"])


def chain(size):
    """Functions that call one another, each the next."""
    count = max(2, size // 8)
    head = "__attribute__((noinline)) static double g{}(const double *x, double a)"
    text = [function(["return a * x[0] + sin(a);"], head.format(0))]
    for i in range(1, count):
        text.append(function([f"return g{i - 1}(x, a * x[{i % 5}] + {i}.5) * a;"], head.format(i)))
    return "".join(text) + function([f"return g{count - 1}(x, y[0]);"])


def graph(size):
    """Layers of functions, each of which calls three of the layer below."""
    width, count = 10, max(20, size // 15)
    head = "__attribute__((noinline)) static double g{}(const double *x, double a)"
    text = [function([f"return a * x[{i}] + sin(a);"], head.format(i)) for i in range(width)]
    for i in range(width, count):
        below = (i // width - 1) * width
        calls = [f"g{below + (i + k * 3) % width}(x, a * x[{k}])" for k in range(3)]
        text.append(function(["return " + " * ".join(calls) + ";"], head.format(i)))
    return "".join(text) + function([f"return g{count - 1}(x, y[0]);"])


def doubling(size):
    """Functions each of which calls the next twice, at most forty."""
    count = min(40, max(2, size // 10))
    head = "__attribute__((noinline)) static double g{}(const double *x, double a)"
    text = [function(["return a * x[0];"], head.format(0))]
    for i in range(1, count):
        text.append(function([f"return g{i - 1}(x, a) + g{i - 1}(x, a * x[{i}]);"],
                             head.format(i)))
    return "".join(text) + function([f"return g{count - 1}(x, y[0]);"])


def fan(size):
    """One function that calls many others."""
    count = max(2, size // 8)
    head = "__attribute__((noinline)) static double g{}(const double *x, double a)"
    text = [function([f"return a * x[{i % 9}] + sin(a * {i}.5);"], head.format(i))
            for i in range(count)]
    lines = ["double a = y[0];"] + [f"a += g{i}(x, a);" for i in range(count)]
    return "".join(text) + function([*lines, "return a;"])


def calls(size):
    """One block of calls of eight small functions, each with the last result."""
    head = "__attribute__((noinline)) static double g{}(const double *x, double a)"
    text = [function([f"return a * x[{i}] + sin(a);"], head.format(i)) for i in range(8)]
    lines = ["double a = y[0];"]
    lines += [f"a += g{i % 8}(x, a * {i % 5 + 1}.5);" for i in range(size // 4)]
    return "".join(text) + function([*lines, "return a;"])


def globals_(size):
    """One block of accesses to many global variables."""
    count = max(1, size // 5)
    text = [f"static double v{i};\n" for i in range(count)]
    lines = ["double a = x[0];"]
    for i in range(count):
        lines.append(f"v{i} = a * x[{i % 7}]; a += v{i * 7 % count} * {i % 5 + 1}.5;")
    return "".join(text) + function([*lines, "return a;"])


def pointers(size):
    """One block of accesses through pointers into a local array, at places known at run time."""
    lines = ["double s = 0, a[16]; const double *q = x; double *p;",
             "for (int i = 0; i < 16; i++) a[i] = x[i];"]
    for i in range(size // 10):
        lines.append(f"p = a + ((n + {i % 7}) & 7); p[{i % 5}] += q[{i % 9}] * y[{i % 4}]; "
                     f"s += *p * {i % 3 + 1}.5;")
    return function([*lines, "return s;"])


def ladder(size):
    """Branches on data one after another, without a loop."""
    lines = ["double a = x[0];"]
    for i in range(size // 8):
        lines.append(f"if (x[{i % 11}] > {i}) {{ a = a * a + y[{i % 5}]; y[{i % 7}] += a; }} "
                     f"else a *= sin(x[{i % 3}]);")
    return function([*lines, "return a;"])


def constants(size):
    """A large table of constants, and a small loop."""
    table = ", ".join(f"{i}.5" for i in range(size))
    text = f"static const double table[{size}] = {{{table}}};\n"
    return text + function(["double s = 0;",
                            f"for (int i = 0; i < n; i++) s += table[i % {size}] * x[i];",
                            "return s;"])


def entries(size):
    """Many small functions, each asked for by itself."""
    text = []
    for i in range(max(1, size // 20)):
        head = SIGNATURE.replace("double f(", f"double f{i}(")
        text.append(function(["double s = 0;",
                              f"for (int i = 0; i < n; i++) s += x[i] * sin(y[i] * {i}.5);",
                              "return s;"], head))
    return "".join(text)


SHAPES = {shape.__name__.rstrip("_"): shape for shape in (
    arithmetic, mathematics, loop, loops, nests, deep, branches, switch, structs, locals_, chain,
    graph, doubling, fan, calls, globals_, pointers, ladder, constants, entries)}


def program(name, size, mode):
    """The text of a shape's program; with mode None, without entry points."""
    text = HEAD + SHAPES[name](size)
    if mode is None:
        return text
    if name != "entries":
        return text + CALLS[mode].format("")
    return text + "".join(CALLS[mode].format(i) for i in range(max(1, size // 20)))
