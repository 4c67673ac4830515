# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Levels 1 and 2: arithmetic, control flow, arrays."""

from construct import construct

LIBRARY = ["atan2({0}, 1.2 + {1} * {1})", "copysign({0} + 0.03, {1} + 0.013)", "cosh(tanh({0}))",
           "sinh(sin({0}))", "expm1(-{0} * {0})", "exp(0.5 * tanh({0}))",
           "{0} - floor({0} + 0.213)", "ceil({0} + 0.113) * {1}", "fma({0}, {1}, 0.5 * {0})",
           "fmin({0}, 0.5 * {1} + 0.017)", "hypot({0} + 0.2, 1 + {1} * {1})", "log1p({0} * {0})",
           "tan(0.7 * tanh({0}))", "cbrt(1 + {0} * {0})", "fmod({0} + 0.013, 0.7)",
           "round({0} + 0.017) * {1}", "fmax(fmin({0}, 0.813), -0.713)",
           "pow(1.1 + {0} * {0}, sin({1}))", "({0} < {1} + 0.011 ? {0} : {1})"]
GUARDED = ["{v} = {t} > 0 ? sqrt({t}) : 0.0 * {t};",
           "{v} = fabs({t}) > 0.01 ? 0.1 * {a} / {t} : {t};",
           "if ({t} > 0.001) {v} = log({t});",
           "if ({t} != 0) {v} = sin({t}) / {t}; else {v} = 1;",
           "{v} = 0.5 * {v} + ({t} > 0 ? pow({t}, 0.7) : 0.5 * {t});",
           "{v} = {t} == 0 ? {t} : {t} / sqrt({t} * {t});",
           "{v} = {t} > 0.01 ? fmin({a} / {t}, 1.5) : {a};",
           "{v} = {t} != 0 ? tanh({a} / {t}) : {a};",
           "real {q} = {a} / {t}; {v} = fabs({t}) > 0.001 ? tanh({q}) : {v};"]


@construct(r"\bf(add|sub|mul|div) ", level=1, weight=5)
def assign(p):
    form = p.pick(["{} = {};", "{} += 0.25 * {};", "{} *= {};", "{} -= 0.5 * {};"])
    p.emit(form.format(p.place(), p.squashed()))


@construct(r"\bphi (double|float)", level=1)
def exchange(p):
    """Two variables change places: in a loop, a cycle of phis."""
    t = p.fresh("t")
    first, second = p.random.sample(p.scalars, 2)
    p.emit(f"real {t} = {first};", f"{first} = {second};", f"{second} = {t};")


@construct(r"\bphi (double|float)", level=1, weight=1)
def rotate(p):
    """Three variables change places, one of them changed."""
    t = p.fresh("t")
    if len(p.scalars) < 3:
        return exchange(p)
    a, b, c = p.random.sample(p.scalars, 3)
    return p.emit(f"real {t} = {a};", f"{a} = {p.mild(b)};", f"{b} = {c};", f"{c} = {t};")


@construct(r"@(llvm\.)?(atan2|copysign|cosh|sinh|expm1|floor|ceil|fma|fmin|minnum|hypot|log1p|tan|"
           r"cbrt|fmod|round)f?\b|\bfrem ",
           level=1, weight=3)
def library(p):
    """A call of each mathematical function sooner or later."""
    first, second = p.atom(), p.atom()
    p.emit(f"{p.place()} = {p.mild(p.pick(LIBRARY).format(first, second))};")


@construct(r"\bfcmp [\w ]+ [^\n]*, (0\.0|[\d.]+e-0[23]|0x3F)", level=1, scoped=True, weight=3)
def guarded(p):
    """What is infinite where the guard is false: exactly there, at zero, or beyond."""
    t, v = p.fresh("t"), p.pick(p.scalars)
    p.emit(f"real {t} = {p.pick(['', '-'])}{p.atom()} * {p.atom()};")
    if p.chance(0.5):
        p.emit(f"{t} = {t} > 0 ? {t} : {p.pick(['0', '0 * ' + p.atom()])};")
    p.emit(p.pick(GUARDED).format(v=v, t=t, a=p.atom(), q=p.fresh("q")))
    p.emit(f"{v} = {p.mild(v)};")


@construct(r"\bbr i1 ", level=1, weight=3, nested=True)
def branch(p):
    p.emit(f"if ({p.condition()}) {{")
    p.block(p.between(1, 3))
    if p.chance(0.5):
        p.emit("} else {")
        p.block(p.between(1, 3))
    p.emit("}")


@construct(r"%counter\d* = phi", level=1, weight=3, nested=True)
def loop(p):
    i = p.fresh("i")
    trips = p.between(0, 5)
    heads = [f"int {i} = 0; {i} < {trips}; {i}++", f"int {i} = {trips}; {i} > 0; {i}--",
             f"int {i} = 0; {i} < n; {i} += 2", f"int {i} = 1; {i} < n; {i} *= 2"]
    if p.counters:
        heads.append(f"int {i} = 0; {i} <= {p.pick(p.counters)} % 4; {i}++")
    p.emit(f"for ({p.pick(heads)}) {{")
    p.loop_body(i)
    p.emit("}")


@construct(r"%exit\.count|%decision", level=1, weight=1)
def leave(p):
    """A break or continue under a condition; only where a loop encloses it directly."""
    if not p.loops:
        return assign(p)
    return p.emit(f"if ({p.condition()})", "  " + p.pick(["break;", "continue;"]))


@construct(r"@printf", level=1, weight=0.7)
def message(p):
    p.emit(f'printf("%g\\n", (double)VALUE({p.pick(p.scalars)}));')


@construct(r"%exit\.count", level=2, nested=True, weight=3)
def data_loop(p):
    """A loop whose number of trips the data say, before or while it runs."""
    i = p.fresh("i")
    v = p.pick(p.scalars)
    heads = [f"int {i} = 0; {i} < {p.between(2, 7)} && {p.condition()}; {i}++",
             f"int {i} = 0; {i} < 1 + (int)({v} * {p.pick(p.scalars)} * 3) % 4; {i}++",
             f"int {i} = (int)(3 * {v} * {v}) % 4; {i} >= 0; {i}--"]
    p.emit(f"for ({p.pick(heads)}) {{")
    p.loop_body(i)
    p.emit("}")


@construct(r"%exit\.count", level=2, nested=True, weight=3)
def while_loop(p):
    """A loop that the data end, around or inside of counted ones."""
    k, v = p.fresh("k"), p.pick(p.scalars)
    if p.chance(0.5):
        i = p.fresh("i")
        p.emit(f"for (int {i} = 0; {i} < {p.between(2, 4)}; {i}++)")
    p.opened()
    p.emit(f"int {k} = 0;", f"while ({k} < 5 && {p.condition()}) {{", f"  {k}++;",
           f"  {v} = 0.8 * {v} + 0.5 * {p.mild(p.atom())};")
    p.loop_body(k)
    p.emit("}")
    p.closed()


@construct(r"%exit\.count", level=2, scoped=True, nested=True)
def do_loop(p):
    i = p.fresh("i")
    p.emit(f"int {i} = 0;", "do {", f"  {i}++;")
    p.loop_body(i)
    p.emit(f"}} while ({i} < {p.between(1, 6)} && {p.condition()});")


@construct(r"\bswitch i\d", level=2, nested=True)
def switch(p):
    """Cases in any order, some of which fall through."""
    key = p.pick(p.counters) if p.counters and p.chance(0.7) else f"(int)(4 * {p.atom()})"
    p.emit(f"switch ({key} % 4) {{")
    for label in p.random.sample(["case 0:", "case 1:", "case 2:", "default:"], 3):
        p.emit(f"{label} {{")
        p.apart(1)
        if p.chance(0.5):
            p.emit("  break;")
        p.emit("}")
    p.emit("}")


@construct(r"%counter\d* = phi", level=2, weight=3)
def shift(p):
    """a[i] = g(a[i + 1]) over a part of an array."""
    name, size = p.whole()
    i = p.fresh("i")
    step, take = p.pick([(1, "+ 1"), (1, "+ 2"), (-1, "- 1"), (-1, "- 2")])
    low, high = (0, size - 2) if step == 1 else (2, size)
    up, down = f"int {i} = {low}; {i} < {high}; {i}++", f"int {i} = {high - 1}; {i} >= {low}; {i}--"
    p.emit(f"for ({p.pick([up, down])})")
    p.emit(f"  {name}[{i}] = {p.mild(f'{name}[{i} {take}]')};")


@construct(r"@llvm\.mem(move|cpy)", level=2, weight=3)
def copy(p):
    """A part of an array onto another, or onto itself."""
    to, size = p.whole()
    source, other = p.whole()
    count = p.between(1, min(size, other))
    amount = str(count) if p.chance(0.5) or count > 5 else f"(n - {6 - count})"
    at, start = p.between(0, size - count + 1), p.between(0, other - count + 1)
    p.emit(f"memmove({to} + {at}, {source} + {start}, (size_t){amount} * sizeof(real));")


@construct(r"@llvm\.memset", level=2)
def clear(p):
    to, size = p.whole()
    count = p.between(1, size)
    p.emit(f"memset({to} + {p.between(0, size - count + 1)}, 0, {count} * sizeof(real));")


@construct(r"%NAME\S* = (alloca|load|phi)", level=2, scoped=True)
def pieces(p):
    """Parts of an array copied and cleared inside a loop, where the optimiser may merge them."""
    to, size = p.whole()
    t, i = p.fresh("t"), p.fresh("i")
    p.emit(f"real {t}[12];")
    p.emit(f"memset({t}, 0, sizeof {t});" if p.chance(0.5) else
           f"for (int {i} = 0; {i} < 12; {i}++) {t}[{i}] = 0.1 * {i} * {p.atom()};")
    p.emit(f"for (int {i} = 0; {i} < {p.between(2, 5)}; {i}++) {{",
           f"  memcpy({t} + {p.pick([2, 3])} * {i}, {to} + {i} % {size - 2 if size > 2 else 1}, "
           "2 * sizeof(real));")
    if p.chance(0.5):
        p.emit(f"  memset({t} + {i}, 0, {p.between(1, 4)} * sizeof(real));")
    if p.chance(0.5):
        p.emit(f"  {t}[{i} + 1] = {p.mild(f'{t}[{i}] + {p.atom()}')};")
    p.emit("}")
    p.emit(f"for (int {i} = 0; {i} < {size}; {i}++)", f"  {to}[{i}] = {t}[{i} + {12 - size}] + "
           f"0.5 * {t}[{i} + {p.between(0, 12 - size)}];")


@construct(r"%NAME\S* = (alloca|load)|phi (double|float)", level=2, scoped=True)
def plane(p):
    """An array of two dimensions, changed in place in nested loops."""
    g = p.fresh("g")
    p.emit(f"real {g}[4][5];", "for (int i = 0; i < 4; i++)", "  for (int j = 0; j < 5; j++)",
           f"    {g}[i][j] = 0.3 * {p.atom()} * (real)(i - j);")
    for _ in range(p.between(1, 3)):
        bounds = p.pick(["int j = 0; j < 4; j++", "int j = 3; j >= 0; j--",
                         "int j = 0; j <= i; j++", "int j = i; j < 4; j += 2"])
        taken = p.pick([f"{g}[i + 1][j]", f"{g}[i][j + 1]", f"{g}[3 - i][j]",
                        f"{g}[i + 1][4 - j]"])
        form = p.pick(["{} = {};", "{} += 0.5 * {};"])
        p.emit("for (int i = 0; i < 3; i++)", f"  for ({bounds})",
               "    " + form.format(f"{g}[i][j]", p.mild(taken)))
    p.emit(f"{p.place()} = {g}[0][0] + 0.5 * {g}[1][3] * {g}[2][2];")
    if p.chance(0.5):
        p.emit(f"memmove({g}[1], {g}[0], 2 * sizeof {g}[0]);",
               f"{p.place()} -= {g}[2][1] * {g}[1][1];")
