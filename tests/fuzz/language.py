# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Level 5: what else C has: complex numbers, volatile, variable arguments, memory of the stack by
the run, structs and unions of all sizes by value, pointers to pointers as results."""

from construct import construct

SHAPES = {"One": ("real", ["a"]), "Three": ("real", ["a", "b", "c"]),
          "Singles": ("narrow", ["a", "b", "c"]), "Quad": ("narrow", ["a", "b", "c", "d"])}


@construct(r"@__(mul|div)[sd]c3|[@.]complex_(of|over|times|plus)|complex_mul|%NAME\S* = ",
           level=5, scoped=True)
def complex_numbers(p):
    """Products, quotients and powers of complex numbers."""
    z, i = p.fresh("z"), p.fresh("i")
    step = p.pick(["times", "over", "plus"])
    p.emit(f"Complex {z} = complex_of({p.atom()}, {p.squashed()});",
           f"Complex {z}w = complex_of(1.5 + {p.mild(p.atom())}, {p.atom()});",
           f"for (int {i} = 0; {i} < {p.between(1, 4)}; {i}++)",
           f"  {z} = complex_over(complex_{step}({z}, {z}w), complex_plus({z}w, {z}w));",
           f"{p.place()} = {p.mild(f'real_part({z}) + 0.5 * imaginary_part({z})')};")


@construct(r"\bvolatile\b", level=5, scoped=True)
def volatile_state(p):
    """Variables that are read and written each time."""
    v, i = p.fresh("v"), p.fresh("i")
    p.emit(f"WATCHED {v} = {p.atom()};", f"volatile int {i} = 0;",
           f"while ({i} < {p.between(1, 4)}) {{", f"  {v} = {p.mild(f'{v} * {p.atom()}')};",
           f"  {i} = {i} + 1;", "}", f"{p.place()} += 0.5 * {v} * {v};")


@construct(r"[@.]total_\d", level=5, weight=1, rare=True)
def variable_arguments(p):
    """A helper that takes any number of numbers."""
    total, count = p.helper("total"), p.between(1, 4)
    numbers = ", ".join(f"(wide){p.atom()}" for _ in range(count))
    p.emit(f"{p.place()} = {p.mild(f'(real){total}({count}, {numbers})')};")


@construct(r"[@.]picked_\d", level=5, weight=1, rare=True)
def variable_words(p):
    """A helper that takes any number of integers, beside numbers."""
    picked = p.helper("picked")
    name, size = p.whole()
    p.emit(f"{p.place()} = {p.mild(f'{picked}({name}, 3, n % {size}, 0, {size - 1})')};")


@construct(r"alloca (double|float|i8), i64 %|stack_array|alloca i8, ", level=5, scoped=True)
def stack_in_loop(p):
    """Memory that each iteration takes from the stack, linked to that of the one before."""
    q, i = p.fresh("q"), p.fresh("i")
    trips = p.pick([p.between(2, 5), f"n - {p.between(1, 5)}"])
    p.emit(f"real *{q} = NULL;", f"for (int {i} = 0; {i} < {trips}; {i}++) {{",
           f"  real *t = (real *)__builtin_alloca((size_t)({i} + 2) * sizeof(real));",
           f"  t[0] = {q} ? {p.mild(f'{q}[1]')} : {p.atom()};", f"  t[{i} + 1] = {p.atom()};",
           f"  t[1] = {p.mild(f't[0] * t[{i} + 1]')};", f"  {q} = t;", "}",
           f"{p.place()} += 0.5 * {q}[0] * {q}[1];")


@construct(r"[@.]changed_\w+_\d", level=5, scoped=True)
def all_sizes(p):
    """Structs of one to four numbers by value, in and out."""
    s = p.fresh("s")
    name = p.pick(list(SHAPES))
    type_, fields = SHAPES[name]
    values = ", ".join(f"({type_}){p.atom()}" for _ in fields)
    p.emit(f"{name} {s} = {{{values}}};", f"for (int i = 0; i < {p.between(1, 3)}; i++)",
           f"  {s} = {p.helper('changed_' + name.lower())}({s}, ({type_}){p.atom()});",
           f"{p.place()} = {p.mild(' + '.join(f'(real){s}.{field}' for field in fields))};")


@construct(r"nabla\.through\.[\w.]*recast_", level=5, scoped=True)
def union_by_value(p):
    """Unions by value, in and out."""
    c = p.fresh("c")
    p.emit(f"Cell {c};", f"{c}.v[0] = {p.atom()};", f"{c}.v[1] = {p.squashed()};",
           f"{c} = {p.helper('recast')}({c}, {p.condition()});",
           f"{p.place()} = {p.mild(f'{c}.v[0] * {c}.v[1]')};")


@construct(r"[@.]pick_row_\d", level=5, scoped=True)
def out_pointer(p):
    """A helper that sets a pointer of the caller's."""
    q = p.fresh("q")
    p.emit(f"real *{q} = {p.part(3)};",
           f"if ({p.helper('pick_row')}({p.part(3)}, {p.part(3)}, &{q}, {p.atom()}))",
           f"  {q}[1] = {p.mild(f'{q}[0] * {p.atom()}')};", f"{q}[2] += 0.5 * {q}[1];",
           f"{p.place()} = {p.mild(f'{q}[2]')};")


@construct(r"%NAME\S* = (alloca|phi|load)|= phi ptr", level=5, scoped=True)
def sorted_list(p):
    """A list into which each node is put at its place, through the pointer that leads there."""
    q, count = p.fresh("l"), p.between(2, 5)
    p.emit(f"Node *{q} = NULL;", f"for (int i = 0; i < {count}; i++) {{",
           "  Node *t = (Node *)malloc(sizeof(Node));",
           f"  t->v = {p.squashed()} + 0.01 * i;", f"  t->at = &{p.element()};",
           f"  Node **at = &{q};", "  while (*at && (*at)->v < t->v)", "    at = &(*at)->next;",
           "  t->next = *at;", "  *at = t;", "}",
           f"for (Node *t = {q}; t && t->next; t = t->next)",
           "  t->next->v += 0.5 * t->v * *t->at;")
    if p.chance(0.5):
        p.emit(f"Node **at = &{q};", "while (*at) {", f"  if ((*at)->v {p.pick('<>')} 0.2) {{",
               "    Node *t = *at;", "    *at = t->next;", "    free(t);", "  } else {",
               "    at = &(*at)->next;", "  }", "}")
    p.emit(f"while ({q}) {{", f"  Node *t = {q};", f"  {p.pick(p.scalars)} += 0.25 * t->v;",
           f"  {q} = t->next;", "  free(t);", "}")


@construct(r"@methods_\d", level=5, scoped=True)
def method_table(p):
    """Calls through a constant table of functions with weights."""
    p.helper("methods")
    i = p.fresh("i")
    p.emit(f"for (int {i} = 0; {i} < {p.between(2, 5)}; {i}++)",
           f"  {p.place()} = {p.helper('method')}(&methods_{p.seed}[({i} + n) % 3], {p.atom()}, "
           f"{p.atom()});")


@construct(r"[@.]each_\d", level=5, scoped=True)
def callback(p):
    """A function that calls back into code with a state behind void *."""
    s = p.fresh("s")
    name, size = p.whole()
    p.emit(f"Pair {s} = {{{p.atom()}, {p.squashed()}}};",
           f"{p.helper('each')}({name}, {size}, {p.pick([p.helper('gather'), p.helper('scale')])}, "
           f"&{s});", f"{p.place()} = {p.mild(f'{s}.u + {s}.v')};")


@construct(r"@cursor_\d", level=5, scoped=True)
def global_pointer(p):
    """A global pointer that walks over active memory."""
    advance = p.helper("advance")
    name, size = p.whole()
    p.emit(f"cursor_{p.seed} = {name};", f"for (int i = 0; i < {size}; i++)",
           f"  {p.place()} = {p.mild(f'{advance}({p.atom()})')};", f"cursor_{p.seed} = NULL;")


@construct(r"@llvm\.(sadd|smul|umul|uadd)\.", level=5, scoped=True)
def overflow_checks(p):
    """Sizes that are computed with checks, and assumptions, beside numbers."""
    t = p.fresh("t")
    p.emit(f"int {t} = 0;", f"if (__builtin_mul_overflow(n, {p.between(1, 9)}, &{t}) ||",
           f"    __builtin_add_overflow({t}, {p.between(1, 9)}, &{t}))",
           f"  {p.pick(p.scalars)} = 0;", f"__builtin_assume({t} > 0);",
           f"for (int i = 0; i < {t} % 7; i++)",
           f"  {p.place()} += {p.mild(f'0.1 * {t} * {p.atom()}')};")


@construct(r"%NAME[\w.]* = (phi|select|alloca)", level=5, scoped=True)
def best_of(p):
    """The index of the largest number, and what stands there; numbers put in place by an index."""
    k = p.fresh("k")
    name, size = p.whole()
    p.emit(f"int {k} = 0, {k}at[{size}];", f"for (int i = 1; i < {size}; i++)",
           f"  if ({name}[i] > {name}[{k}])", f"    {k} = i;",
           f"for (int i = 0; i < {size}; i++)", f"  {k}at[i] = ({k} + i * 3) % {size};",
           f"for (int i = 0; i < {size}; i++)",
           f"  {name}[{k}at[i]] = 0.5 * {name}[{k}at[i]] + {p.mild(f'{name}[{k}at[{k}]]')};",
           f"{p.place()} = {p.mild(f'{name}[{k}]')};")


@construct(r"%NAME\S* = (alloca|load|phi)", level=5, scoped=True)
def fields_moved(p):
    """Some fields of a struct, whole, copied as bytes."""
    s = p.fresh("s")
    p.emit(f"Nested {s}[2];", f"memset({s}, 0, sizeof {s});", f"{s}[0].v[0] = {p.atom()};",
           f"{s}[0].v[1] = {p.squashed()};", f"{s}[0].m.r = {p.squashed()};",
           f"{s}[0].m.w = (wide)(0.5 * {p.atom()});",
           f"Nested *{s}p = {s} + {p.pick(['0', '(n > 99)'])};",
           p.pick([f"memcpy(&{s}[1].m.r, &{s}p->m.r, sizeof(Mixed) - offsetof(Mixed, r));",
                   f"memcpy({s}[1].v, {s}p->v, sizeof {s}[0].v);",
                   f"memcpy(&{s}[1].v[1], &{s}p->v[0], sizeof(real));",
                   f"memset(&{s}p->m, 0, sizeof {s}[0].m);"]),
           f"{p.place()} = {p.mild(f'{s}[1].v[1] + {s}[1].m.r + {s}[0].v[1] * {s}[0].m.r')} + "
           f"0.5 * (real){s}[1].m.w;")


@construct(r"alloca \[\d+ x (double|float)\], i(64|32) %|%NAME\S* = (call|tail|alloca)|%vla",
           level=5, scoped=True)
def runtime_rows(p):
    """A run-time sized array of two dimensions."""
    v = p.fresh("v")
    p.emit(f"int {v}n = 2 + ({p.comparison(p.atom())});", f"real {v}[{v}n][3];",
           f"for (int i = 0; i < {v}n; i++)", "  for (int j = 0; j < 3; j++)",
           f"    {v}[i][j] = i && j ? {p.mild(f'{v}[i - 1][j - 1]')} : {p.atom()};",
           f"{p.place()} += 0.5 * {v}[{v}n - 1][2] * {v}[0][1];")
