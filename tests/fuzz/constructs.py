# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What random programs do with structures, pointers, recursion on arrays and unusual loops.

A mixin of generate.py's Program: `helper_functions` writes functions of one program, every other
method one statement. A construct declares all that it needs inside
braces, so that it can stand anywhere.
"""

TYPES = """
typedef struct {
  narrow s;
  int k;
  real r;
  wide w;
} Mixed;

typedef struct {
  real v[2];
  Mixed m;
} Nested;

typedef struct Node {
  real v;
  struct Node *next;
  real *at;
} Node;
"""

FUNCTIONS = """
static NOINLINE real halves_{seed}(const real *v, int low, int high) {{
  if (high - low < 2)
    return {0};
  int middle = (low + high) / 2;
  real left = halves_{seed}(v, low, middle);
  if ({cond})
    return left + v[middle];
  real p = left - 0.5 * halves_{seed}(v, middle, high);
  return {1};
}}

static NOINLINE void merge_{seed}(real *v, int count) {{
  if (count < 2)
    return;
  int half = count / 2;
  merge_{seed}(v, half);
  merge_{seed}(v + half, count - half);
  for (int i = 0; i < half; i++) {{
    real p = v[i];
    v[i] = 0.5 * p + {2} * v[half + i];
    if (v[i] > v[half + i])
      v[half + i] = {3};
  }}
}}

static NOINLINE real find_{seed}(const real *v, int count, real limit) {{
  real p = 0.3;
  for (int i = 0; i < count; i++) {{
    p = {4} + 0.5 * v[i];
    if (p > limit)
      return p * v[i];
    for (int j = i; j < count; j += 2)
      if (v[j] * p < -0.4)
        return {5};
  }}
  return p - limit;
}}

static NOINLINE Mixed bump_{seed}(Mixed m, real t) {{
  real p = m.r + 0.5 * t;
  m.w = m.w * 0.5 + (wide){6};
  m.r = {7} * (real)m.w;
  m.k = (m.k + (t > 0.2)) % 4;
  m.s = (narrow)(0.5 * m.r);
  return m;
}}

static NOINLINE void chain_{seed}(Mixed *m, const Mixed *other, int count) {{
  for (int i = 0; i < count; i++) {{
    real p = other[count - 1 - i].r;
    m[i].r += {8} * (real)other[i].w;
    m[m[i].k].w = 0.5 * m[i].w + (wide)(0.25 * m[i].r);
  }}
}}

static NOINLINE void blend_{seed}(real *p, real *q, int count, real t) {{
  for (int i = 0; i < count; i++) {{
    p[i] = {9};
    if (q[i] * t > 0.3)
      continue;
    q[i] -= 0.5 * p[i] * t;
  }}
}}
"""


class Constructs:
    """Statements that generate.py's Program writes besides its own."""

    def helper_functions(self):
        """The functions that the constructs call."""
        arguments = ["v[low]", "p", "v[half + i]", "p * v[i]", "p", "v[j] - p", "p", "p + t",
                     "(p * m[i].r)", "(p[i] * t + q[i])"]
        parts = [self.pick(["sin({})", "tanh({})", "soft({})"]).format(a) for a in arguments]
        cond = f"v[middle] {self.pick('<>')} {self.number()}"
        self.lines.append(FUNCTIONS.format(*parts, cond=cond, seed=self.seed))

    def mild(self, value):
        """A squashed value of the text given."""
        return self.pick(["sin({})", "tanh({})", "soft({})", "cos({})"]).format(value)

    def opened(self):
        self.emit("{")
        self.depth += 1

    def closed(self):
        self.depth -= 1
        self.emit("}")

    def whole(self):
        """An array and its size."""
        return self.pick(list(self.arrays.items()))

    def call_arrays(self):
        """A call of a function that recurses or loops over part of an array."""
        name, size = self.whole()
        low = self.random.randrange(size - 1)
        other, second = self.whole()
        count = self.random.randrange(1, min(size - low, second) + 1)
        start = self.random.randrange(second - count + 1)
        calls = [f"{self.place()} = halves_{self.seed}({name}, {low}, {size});",
                 f"merge_{self.seed}({name} + {low}, {size - low});",
                 f"{self.place()} += 0.5 * find_{self.seed}({name}, {size}, {self.atom()});",
                 f"blend_{self.seed}({name} + {low}, {other} + {start}, {count}, {self.atom()});",
                 f"blend_{self.seed}({name} + {low}, {name} + {low}, {size - low}, "
                 f"{self.atom()});"]
        self.emit(self.pick(calls))

    def mixed_array(self):
        """An array of structures: filled, passed by pointer and by value, moved, and read."""
        m = self.fresh("m")
        self.opened()
        self.emit(f"Mixed {m}[4];")
        self.emit("for (int i = 0; i < 4; i++) {")
        self.emit(f"  {m}[i].r = {self.squashed()};")
        self.emit(f"  {m}[i].w = (wide)(0.5 * x[i]) * (wide){m}[i].r;")
        self.emit(f"  {m}[i].s = (narrow)(0.25 * {m}[i].r);")
        self.emit(f"  {m}[i].k = {self.pick(['i', '(i + n) % 4', '3 - i', '(int)(i > 1)'])};")
        self.emit("}")
        forms = [f"{m}[1] = bump_{self.seed}({m}[2], {self.atom()});",
                 f"chain_{self.seed}({m}, {m}, 4);",
                 f"chain_{self.seed}({m}, {m} + 1, 3);",
                 f"memmove({m} + 1, {m}, 3 * sizeof(Mixed));",
                 f"memmove({m}, {m} + 1, (size_t)(n - 3) * sizeof(Mixed));",
                 f"memset({m} + 2, 0, sizeof(Mixed));",
                 f"for (int i = 0; i < 3; i++) {m}[i] = {m}[i + 1];",
                 f"for (int i = 0; i < 4; i++) {m}[i] = bump_{self.seed}({m}[{m}[i].k], x[i]);",
                 f"for (int i = 3; i > 0; i--) {m}[i].r = {self.mild(f'{m}[i - 1].r')};",
                 f"if ({self.condition()}) {m}[3] = {m}[0];"]
        for _ in range(self.random.randrange(1, 4)):
            self.emit(self.pick(forms))
        self.emit("for (int i = 0; i < 4; i++)")
        self.emit(f"  {self.place()} += 0.25 * (real){m}[i].w * {m}[i].r + (real){m}[i].s * "
                  f"{m}[{m}[i].k].r;")
        self.closed()

    def nested_struct(self):
        """A structure in a structure, copied as a whole and in part."""
        s = self.fresh("s")
        self.opened()
        self.emit(f"Nested {s}[2];")
        self.emit(f"memset({s}, 0, sizeof {s});")
        self.emit("for (int i = 0; i < 2; i++) {")
        self.emit(f"  {s}[i].v[i] = {self.squashed()};")
        self.emit(f"  {s}[i].m.r = {self.atom()};")
        self.emit(f"  {s}[i].m.k = i;")
        self.emit("}")
        forms = [f"{s}[0].m = bump_{self.seed}({s}[1].m, {s}[0].v[0]);", f"{s}[1] = {s}[0];",
                 f"memcpy({s}[0].v, {s}[1].v, sizeof {s}[0].v);",
                 f"chain_{self.seed}(&{s}[0].m, &{s}[0].m, {s}[0].m.k == 0);",
                 f"merge_{self.seed}({s}[1].v, 2);",
                 f"{{ Nested t = {s}[0]; {s}[0] = {s}[1]; {s}[1] = t; }}"]
        for _ in range(self.random.randrange(1, 4)):
            self.emit(self.pick(forms))
        self.emit(f"{self.place()} = {s}[0].v[0] * {s}[1].v[1] + 0.5 * {s}[0].m.r + "
                  f"(real){s}[1].m.w;")
        self.closed()

    def rows(self):
        """Pointers in an array, exchanged as the data say."""
        r = self.fresh("r")
        self.opened()
        parts = []
        for _ in range(3):
            name, size = self.whole()
            parts.append(f"{name} + {self.random.randrange(size - 1)}")
        self.emit(f"real *{r}[3] = {{{', '.join(parts)}}};")
        self.emit(f"for (int i = 0; i < {self.random.randrange(2, 5)}; i++) {{")
        take = self.mild(f"{r}[(i + 1) % 3][{self.random.randrange(2)}]")
        self.emit(f"  {r}[i % 3][{self.random.randrange(2)}] += 0.5 * {take};")
        self.emit(f"  if ({self.condition()}) {{")
        self.emit(f"    real *t = {r}[0];")
        self.emit(f"    {r}[0] = {r}[i % 2 + 1];")
        self.emit(f"    {r}[i % 2 + 1] = t;")
        self.emit("  }")
        self.emit("}")
        self.emit(f"blend_{self.seed}({r}[0], {r}[2], 2, {self.atom()});")
        self.closed()

    def nodes(self):
        """A list on the heap or on the stack, walked, changed and given back."""
        p = self.fresh("l")
        heap = self.chance(0.5)
        self.opened()
        self.emit(f"Node *{p} = NULL;")
        count = self.random.randrange(2, 5)
        if not heap:
            self.emit(f"Node {p}s[{count}];")
        self.emit(f"for (int i = 0; i < {count}; i++) {{")
        fresh = "(Node *)malloc(sizeof(Node))" if heap else f"&{p}s[i]"
        self.emit(f"  Node *t = {fresh};")
        self.emit(f"  t->v = {self.squashed()};")
        self.emit(f"  t->at = &{self.element()};")
        self.emit(f"  t->next = {p};")
        self.emit(f"  {p} = t;")
        self.emit("}")
        self.emit(f"for (Node *t = {p}; t; t = t->next) {{")
        self.emit(f"  t->v = {self.mild('t->v * 1.5')} + 0.5 * *t->at;")
        self.emit("  if (t->next)")
        self.emit(f"    t->next->v += {self.mild('t->v')};")
        self.emit(f"  *t->at = {self.mild('t->v + *t->at')};")
        if self.chance(0.5):
            self.emit(f"  if ({self.condition()})")
            self.emit("    break;")
        self.emit("}")
        self.emit(f"while ({p}) {{")
        self.emit(f"  Node *t = {p};")
        self.emit(f"  {self.pick(self.scalars)} += 0.25 * t->v;")
        self.emit(f"  {p} = t->next;")
        if heap:
            self.emit("  free(t);")
        self.emit("}")
        self.closed()

    def grid(self):
        """An array of two dimensions, changed in place in nested loops."""
        g = self.fresh("g")
        self.opened()
        self.emit(f"real {g}[4][5];")
        self.emit("for (int i = 0; i < 4; i++)")
        self.emit("  for (int j = 0; j < 5; j++)")
        self.emit(f"    {g}[i][j] = 0.3 * x[(i + j) % n] * (real)(i - j);")
        for _ in range(self.random.randrange(1, 3)):
            bounds = self.pick(["int j = 0; j < 4; j++", "int j = 3; j >= 0; j--",
                                "int j = 0; j <= i; j++", "int j = i; j < 4; j += 2"])
            self.emit("for (int i = 0; i < 3; i++)")
            self.emit(f"  for ({bounds})")
            taken = self.pick([f"{g}[i + 1][j]", f"{g}[i][j + 1]", f"{g}[3 - i][j]",
                               f"{g}[i + 1][4 - j]"])
            form = self.pick(["{} = {};", "{} += 0.5 * {};"])
            self.emit("    " + form.format(f"{g}[i][j]", self.mild(taken)))
        self.emit(f"{self.place()} = {g}[0][0] + 0.5 * {g}[1][3] * {g}[2][2];")
        if self.chance(0.5):
            self.emit(f"memmove({g}[1], {g}[0], 2 * sizeof {g}[0]);")
            self.emit(f"{self.place()} -= {g}[2][1] * {g}[1][1];")
        self.closed()

    def while_loop(self):
        """A loop that the data end, around or inside of counted ones."""
        k, v = self.fresh("k"), self.pick(self.scalars)
        counted = self.chance(0.5)
        if counted:
            i = self.fresh("i")
            self.emit(f"for (int {i} = 0; {i} < {self.random.randrange(2, 4)}; {i}++)")
        self.opened()
        self.emit(f"int {k} = 0;")
        self.emit(f"while ({k} < 5 && {self.condition()}) {{")
        self.emit(f"  {k}++;")
        self.emit(f"  {v} = 0.8 * {v} + 0.5 * {self.mild(self.atom())};")
        self.loop_body(k)
        self.emit("}")
        self.closed()

    def moving_bound(self):
        """A loop whose bound changes inside."""
        i, bound = self.fresh("i"), self.fresh("e")
        self.opened()
        self.emit(f"int {bound} = {self.random.randrange(1, 4)};")
        self.emit(f"for (int {i} = 0; {i} < {bound}; {i}++) {{")
        self.emit(f"  if ({bound} < 6 && {self.condition()})")
        self.emit(f"    {bound}++;")
        self.loop_body(i)
        if self.chance(0.4):
            self.emit(f"  if ({self.condition()})")
            self.emit(f"    {i}++;")
        self.emit("}")
        self.closed()

    def jump(self):
        """A goto, forwards over statements or backwards as a loop."""
        label = self.fresh("l")
        loops, self.loops = self.loops, 0
        if self.chance(0.5):
            self.emit(f"if ({self.condition()})")
            self.emit(f"  goto {label};")
            self.opened()
            self.block(2)
            self.closed()
            self.emit(f"{label}:;")
        else:
            k = self.fresh("k")
            self.opened()
            self.emit(f"int {k} = 0;")
            self.emit(f"{label}:")
            self.emit(f"{k}++;")
            self.opened()
            self.block(2)
            self.closed()
            self.emit(f"if ({k} < 4 && {self.condition()})")
            self.emit(f"  goto {label};")
            self.closed()
        self.loops = loops

    def guarded(self):
        """What is infinite where the guard is false."""
        t, v = self.fresh("t"), self.pick(self.scalars)
        self.opened()
        self.emit(f"real {t} = {self.pick(['', '-'])}{self.atom()} * {self.atom()};")
        forms = [f"{v} = {t} > 0 ? sqrt({t}) : 0.0 * {t};",
                 f"{v} = fabs({t}) > 0.01 ? 0.1 * {self.atom()} / {t} : {t};",
                 f"if ({t} > 0.001) {v} = log({t});",
                 f"if ({t} != 0) {v} = sin({t}) / {t}; else {v} = 1;",
                 f"{v} = 0.5 * {v} + ({t} > 0 ? pow({t}, 0.7) : 0.5 * {t});",
                 f"{v} = {t} == 0 ? {t} : {t} / sqrt({t} * {t});"]
        self.emit(self.pick(forms))
        self.emit(f"{v} = {self.mild(v)};")
        self.closed()

    def heap_in_loop(self):
        """Memory that a loop takes and gives back as the data say."""
        h, i = self.fresh("h"), self.fresh("i")
        self.opened()
        self.emit(f"real *{h} = NULL;")
        self.emit(f"for (int {i} = 0; {i} < {self.random.randrange(2, 6)}; {i}++) {{")
        if self.chance(0.7):
            self.emit(f"  if (!{h} && {self.condition()})")
            self.emit(f"    {h} = (real *)calloc(3, sizeof(real));")
            self.emit(f"  if ({h}) {{")
            self.emit(f"    {h}[{i} % 3] += {self.squashed()};")
            self.emit(f"    {h}[1] = {self.mild(f'{h}[2] + {h}[0]')};")
            self.emit("  }")
            self.emit(f"  if ({h} && {self.condition()}) {{")
            self.emit(f"    {self.place()} += 0.5 * {h}[1];")
            self.emit(f"    free({h});")
            self.emit(f"    {h} = NULL;")
            self.emit("  }")
        else:
            self.emit(f"  free({h});")
            self.emit(f"  {h} = (real *)malloc((size_t)({i} + 1) * sizeof(real));")
            self.emit(f"  {h}[0] = {self.atom()};")
            self.emit(f"  {h}[{i}] = {self.squashed()};")
            self.emit(f"  {self.place()} += 0.5 * {h}[0] * {h}[{i}];")
        self.emit("}")
        self.emit(f"if ({h})")
        self.emit(f"  {self.pick(self.scalars)} += {h}[0];")
        self.emit(f"free({h});")
        self.closed()

    def accumulate(self):
        """Sums in another precision."""
        s = self.fresh("s")
        name, size = self.whole()
        self.opened()
        self.emit(f"wide {s} = 0;")
        self.emit(f"narrow {s}n = (narrow){self.atom()};")
        self.emit(f"for (int i = 0; i < {size}; i++) {{")
        self.emit(f"  {s} += (wide){name}[i] * (wide){s}n;")
        self.emit(f"  if ({s} > 0.4)")
        self.emit(f"    {s}n = (narrow)(0.5 * {name}[i]);")
        self.emit("}")
        self.emit(f"{self.place()} = {self.mild(f'(real){s}')} + (real){s}n;")
        self.closed()

    def library(self):
        """A call of each mathematical function sooner or later."""
        p, q = self.atom(), self.atom()
        forms = ["atan2({0}, 1.2 + {1} * {1})", "copysign({0} + 0.03, {1} + 0.013)",
                 "cosh(tanh({0}))", "sinh(sin({0}))", "expm1(-{0} * {0})", "exp(0.5 * tanh({0}))",
                 "{0} - floor({0} + 0.213)", "ceil({0} + 0.113) * {1}", "fma({0}, {1}, 0.5 * {0})",
                 "fmin({0}, 0.5 * {1} + 0.017)", "hypot({0} + 0.2, 1 + {1} * {1})",
                 "log1p({0} * {0})", "tan(0.7 * tanh({0}))", "cbrt(1 + {0} * {0})",
                 "fmod({0} + 0.013, 0.7)", "round({0} + 0.017) * {1}",
                 "fmax(fmin({0}, 0.813), -0.713)", "pow(1.1 + {0} * {0}, sin({1}))",
                 "({0} < {1} + 0.011 ? {0} : {1})"]
        value = self.pick(forms).format(p, q)
        self.emit(f"{self.place()} = {self.mild(value)};")

    def give_up(self):
        """A return from the middle, where no memory waits to be given back."""
        if self.held:
            return self.library()
        self.emit(f"if ({self.condition()} && {self.condition()})")
        return self.emit("  return;")
