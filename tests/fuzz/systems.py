# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Level 5: unions, arenas, bits, growing arrays, calls through pointers, tangled control flow."""

from construct import construct


@construct(r"%NAME\S* = (alloca|load|phi)", level=5, scoped=True)
def cells(p):
    """Unions that hold a number here and integers there, copied as they are."""
    c, tags = p.fresh("c"), p.fresh("k")
    p.emit(f"Cell {c}[4];", f"int {tags}[4];", "for (int i = 0; i < 4; i++) {",
           f"  {tags}[i] = {p.pick(['i % 3', '(i + n) % 3'])};", f"  if ({p.condition()})",
           f"    {tags}[i] = 0;", f"  if ({tags}[i] == 0)", f"    {c}[i].r = {p.squashed()};",
           f"  else if ({tags}[i] == 1) {{", f"    {c}[i].p.a = i;", f"    {c}[i].p.b = n - i;",
           "  } else {", f"    {c}[i].v[0] = {p.atom()};", f"    {c}[i].v[1] = {p.squashed()};",
           "  }", "}")
    if p.chance(0.5):
        a, b = p.random.sample(range(4), 2)
        p.emit(f"{{ Cell t = {c}[{a}]; {c}[{a}] = {c}[{b}]; {c}[{b}] = t; }}",
               f"{{ int t = {tags}[{a}]; {tags}[{a}] = {tags}[{b}]; {tags}[{b}] = t; }}")
    if p.chance(0.4):
        p.emit(f"memmove({c}, {c} + 1, 3 * sizeof(Cell));",
               f"memmove({tags}, {tags} + 1, 3 * sizeof(int));")
    p.emit("for (int i = 0; i < 4; i++) {", f"  if ({tags}[i] == 0)",
           f"    {p.place()} += 0.5 * {c}[i].r;", f"  else if ({tags}[i] == 1)",
           f"    {p.place()} += 0.05 * ({c}[i].p.a - {c}[i].p.b);", "  else",
           f"    {p.place()} = {p.mild(f'{c}[i].v[0] * {c}[i].v[1]')};", "}")


@construct(r"@malloc", level=5, scoped=True)
def arena(p):
    """Memory that holds one type after the other."""
    a, q = p.fresh("a"), p.fresh("q")
    uses = [[f"{{ real *{q} = (real *){a};", f"  for (int i = 0; i < 4; i++) {q}[i] = {p.atom()};",
             f"  {p.place()} = {p.mild(f'{q}[1] * {q}[3]')}; }}"],
            [f"{{ int *{q} = (int *){a};", f"  for (int i = 0; i < 6; i++) {q}[i] = i * n;",
             f"  {p.place()} += 0.01 * {q}[{p.between(0, 6)}]; }}"],
            [f"{{ Mixed *{q} = (Mixed *){a};", f"  {q}->k = 1; {q}->r = {p.squashed()};",
             f"  {q}->w = (wide){p.atom()};", f"  {q}->s = (narrow){p.atom()};",
             f"  {q}[1] = {q}[0];",
             f"  {p.place()} += 0.5 * {q}[1].r * (real){q}[1].w + (real){q}->s; }}"],
            [f"{{ Node *{q} = (Node *){a};", f"  {q}->v = {p.atom()}; {q}->next = NULL;",
             f"  {q}->at = &{p.element()};", f"  *{q}->at += 0.5 * {q}->v; }}"]]
    p.emit(f"char *{a} = (char *)malloc(4 * sizeof(Mixed));")
    for _ in range(p.between(2, 5)):
        p.emit(*p.pick(uses))
        if p.chance(0.3):
            p.emit(f"memset({a}, 0, 4 * sizeof(Mixed));",
                   f"{p.place()} += 0.5 * *(real *){a};")
    p.emit(f"free({a});")


@construct(r"@malloc", level=5, scoped=True)
def bump_arena(p):
    """An allocator of one's own: pieces of several types cut from one block."""
    a, u = p.fresh("a"), p.fresh("u")
    p.emit(f"char *{a} = (char *)malloc(64 * sizeof(real));", f"size_t {u} = 0;",
           f"real *{a}r = (real *)({a} + {u});", f"{u} += 3 * sizeof(real);",
           f"int *{a}k = (int *)({a} + {u});", f"{u} += 4 * sizeof(int);",
           f"Tagged *{a}t = (Tagged *)({a} + {u});",
           f"for (int i = 0; i < 3; i++) {a}r[i] = {p.squashed()};",
           f"for (int i = 0; i < 4; i++) {a}k[i] = (i + n) % 3;",
           f"for (int i = 0; i < 2; i++) {{ {a}t[i].u = {a}r[{a}k[i]]; {a}t[i].k = {a}k[i]; }}",
           f"{a}r[{a}k[1]] *= {a}t[0].u;",
           f"{p.place()} = {p.mild(f'{a}r[{a}t[1].k] + {a}t[1].u * {a}r[0]')};", f"free({a});")


@construct(r"bitcast (double|float) |bitcast i(64|32) |%NAME\S* = (alloca|load)", level=5,
           scoped=True)
def carried(p):
    """Numbers that travel as bits."""
    b = p.fresh("b")
    name, size = p.whole()
    p.emit(f"Bits {b}[{size}];", f"for (int i = 0; i < {size}; i++)",
           f"  {b}[i] = bits_of({name}[{size - 1} - i]);",
           f"{{ Bits t = {b}[0]; {b}[0] = {b}[{size - 1}]; {b}[{size - 1}] = t; }}",
           f"for (int i = 1; i < {size}; i++)",
           f"  {name}[i] = 0.5 * {name}[i] + {p.mild(f'of_bits({b}[i - 1])')};")


@construct(r"@(nabla\.\w+\.)?stash_|%NAME\S* = (alloca|load)", level=5, scoped=True)
def stashed(p):
    """Bits that a callee puts into integers of the caller's, and another takes by value."""
    b, i = p.fresh("b"), p.fresh("i")
    count = p.between(1, 4)
    put = p.helper("stash")
    member, first = p.pick([("", "Bits"), (".bits", "struct { Bits bits; int k; }"),
                            (".bits", "struct { real r; Bits bits; }")])
    p.emit(f"{first} {b}[{count}];", f"for (int {i} = 0; {i} < {count}; {i}++)",
           f"  {put}(&{b}[{i}]{member}, {p.atom()} + 0.1 * {i});")
    if p.chance(0.7):
        p.emit(f"if ({p.condition()})",
               f"  {b}[0]{member} = {p.pick(['flipped', ''])}({b}[{count - 1}]{member});")
    taken = f"{p.pick(['stashed_%d' % p.seed, 'of_bits'])}({b}[{p.between(0, count)}]{member})"
    p.emit(f"{p.place()} = {p.mild(taken)};")


@construct(r"@__nabla_raise_", level=5, weight=0.5)
def bit_tricks(p):
    """Arithmetic on the bits of a number."""
    form = p.pick(["of_bits(flipped(bits_of({})))", "of_bits(cleared(bits_of({} + 0.013)))",
                   "of_bits(raised(bits_of({} + 0.017), 1))",
                   "of_bits(raised(bits_of({} + 0.017), 3))"])
    p.emit(f"{p.place()} = {p.mild(form.format(p.atom()))};")


@construct(r"@realloc", level=5, scoped=True)
def growing(p):
    """An array that realloc makes longer."""
    g, i = p.fresh("g"), p.fresh("i")
    count = p.between(2, 7)
    p.emit(f"real *{g} = NULL;", f"int {g}room = 0, {g}n = 0;",
           f"for (int {i} = 0; {i} < {count}; {i}++) {{", f"  if ({g}n == {g}room) {{",
           f"    {g}room = {g}room ? 2 * {g}room : 1;",
           f"    {g} = (real *)realloc({g}, (size_t){g}room * sizeof(real));", "  }",
           f"  {g}[{g}n++] = {p.squashed()};", f"  if ({p.condition()})",
           f"    {g}[0] += 0.5 * {g}[{g}n - 1];", "}", f"for (int {i} = 0; {i} < {g}n; {i}++)",
           f"  {p.place()} += 0.25 * {g}[{i}] * {g}[0];", f"free({g});")


@construct(r"alloca (double|float), i(64|32) %|stack_array", level=5, scoped=True, nested=True)
def runtime_sized(p):
    """A stack array of run-time size."""
    v, i = p.fresh("v"), p.fresh("i")
    size = p.pick([f"3 + ({p.comparison(p.atom())})", "n", "n - 2", "n + 2"])
    p.emit(f"int {v}n = {size};", f"real {v}[{v}n];", f"for (int {i} = 0; {i} < {v}n; {i}++)",
           f"  {v}[{i}] = {p.squashed()};")
    p.arrays[v] = 3
    p.depth -= 1
    p.apart(2)
    p.depth += 1
    del p.arrays[v]
    p.emit(f"{p.place()} += 0.5 * {v}[{v}n - 1] * {v}[0];")


@construct(r"icmp eq ptr [^\n]*@(product|quotient|choice)_|select i1 [^\n]*ptr @(product|quotient|"
           r"choice)_",
           level=5, scoped=True)
def called(p):
    """Calls through pointers that the data choose."""
    f = p.fresh("f")
    names = [p.helper(name) for name in ("product", "quotient", "choice")]
    first, second = p.random.sample(names, 2)
    forms = [lambda: [f"Binary {f} = {p.condition()} ? {first} : {second};",
                      f"{p.place()} = {f}({p.atom()}, {p.atom()});"],
             lambda: [f"Binary {f}[3] = {{{', '.join(names)}}};", "for (int i = 0; i < 4; i++)",
                      f"  {p.place()} = {f}[(i + n) % 3]({p.atom()}, {p.atom()});"],
             lambda: [f"{p.helper('apply')}({first}, {p.part(3)}, 3);",
                      f"{p.helper('apply')}({p.condition()} ? {first} : {second}, {p.part(2)}, "
                      "2);"],
             lambda: [f"Method {f} = {{{first}, {p.atom()}}};", f"if ({p.condition()})",
                      f"  {f}.call = {second};",
                      f"{p.place()} = {p.helper('method')}(&{f}, {p.atom()}, {p.atom()});"]]
    p.emit(*p.pick(forms)())


@construct(r"label %(entries|to\.entry)|label %NAME", level=5, scoped=True, nested=True)
def tangle(p):
    """A loop with two entries."""
    k, top, middle = p.fresh("k"), p.fresh("l"), p.fresh("l")
    p.emit(f"int {k} = 0;", f"if ({p.condition()})", f"  goto {middle};", f"{top}:", f"{k}++;",
           "{")
    p.apart(1)
    p.emit("}", f"{middle}:", f"{k}++;", "{")
    p.apart(1)
    p.emit("}", f"if ({k} < {p.between(2, 6)} && {p.condition()})", f"  goto {top};")


@construct(r"label %(entries|to\.entry)|label %NAME", level=5, scoped=True, nested=True)
def maze(p):
    """Blocks that go to one another anyhow: loops inside of others, entered at several places."""
    k, out = p.fresh("k"), p.fresh("l")
    labels = [p.fresh("l") for _ in range(p.between(3, 5))]
    p.emit(f"int {k} = 0;")
    for label in labels:
        p.emit(f"{label}:", f"if (++{k} > {p.between(6, 14)})", f"  goto {out};", "{")
        p.apart(1)
        p.emit("}", f"if ({k} % {p.between(2, 5)} == 1)", f"  goto {p.pick(labels)};")
        if p.chance(0.4):
            p.emit(f"if ({p.condition()})", f"  goto {p.pick(labels)};")
    p.emit(f"goto {p.pick(labels)};", f"{out}:;")


@construct(r"%NAME\S* = (call|tail|phi|load)|@malloc", level=5, scoped=True)
def flexible(p):
    """A struct with an array at its end."""
    f, i = p.fresh("f"), p.fresh("i")
    p.emit(f"Flexible *{f} = (Flexible *)malloc(sizeof(Flexible) + (size_t)n * sizeof(real));",
           f"{f}->count = n;", f"for (int {i} = 0; {i} < {f}->count; {i}++)",
           f"  {f}->v[{i}] = {p.squashed()};", f"for (int {i} = 1; {i} < {f}->count; {i}++)",
           f"  {f}->v[{i}] += {p.mild(f'{f}->v[{i} - 1]')};",
           f"{p.place()} = {f}->v[{f}->count - 1] * 0.5 + {f}->v[2];", f"free({f});")


@construct(r"%NAME\S* = (alloca|load|phi)|bf\.", level=5, scoped=True)
def bit_fields(p):
    """Bit-fields beside a number."""
    s = p.fresh("s")
    p.emit(f"Packed {s}[2];", f"memset({s}, 0, sizeof {s});", f"{s}[0].a = {p.between(0, 8)};",
           f"{s}[0].b = {p.condition()} ? 3 : -4;", f"{s}[0].r = {p.squashed()};",
           f"{s}[0].c = n * 7;", f"{s}[1] = {s}[0];", f"{s}[1].b += 1;",
           f"{s}[1].r *= {p.atom()};",
           f"{p.place()} = {p.mild(f'{s}[1].r * {s}[0].b + {s}[0].r * 0.1 * {s}[1].c')};")


@construct(r"[@.]grow_\d", level=5, scoped=True)
def tree(p):
    """A tree made, walked and destroyed by recursion."""
    t = p.fresh("t")
    name, size = p.whole()
    p.emit(f"Tree *{t} = {p.helper('grow')}({name}, 0, {size});",
           f"{p.place()} = {p.mild(p.helper('fold') + f'({t}, {p.atom()})')};",
           f"{p.helper('fell')}({t});")


@construct(r"[@.]carry_\d|%NAME\S* = (alloca|load)", level=5, scoped=True)
def untyped_copy(p):
    """One helper that copies bytes of any type."""
    carry, count = p.helper("carry"), p.between(1, 4)
    s = p.fresh("s")
    p.emit(f"Tagged {s}[2] = {{{{{p.atom()}, 1}}, {{{p.squashed()}, 2}}}};",
           f"narrow {s}n = (narrow){p.atom()}, {s}m = 0;", f"real {s}b[4] = {{0, 1, 2, 3}};",
           f"{carry}({s}b, {p.part(count)}, {count} * sizeof(real));",
           f"{carry}(&{s}m, &{s}n, sizeof(narrow));",
           f"{carry}(&{s}[0], &{s}[1], sizeof(Tagged));",
           f"{p.place()} = {p.mild(f'{s}b[0] + {s}[0].u * {s}b[2]')} + (real){s}m * {s}[0].k;")


@construct(r"%NAME\w*\S* = (alloca|load|phi|getelementptr)", level=5, scoped=True)
def byte_buffer(p):
    """Numbers packed into bytes."""
    b = p.fresh("b")
    p.emit(f"char {b}[8 * sizeof(real)];", f"real {b}t = {p.squashed()};",
           f"memset({b}, 0, sizeof {b});",
           f"memcpy({b} + sizeof(real), {p.part(3)}, 3 * sizeof(real));",
           f"memcpy({b} + 5 * sizeof(real), &{b}t, sizeof(real));",
           f"memcpy({p.part(3)}, {b} + {p.between(0, 4)} * sizeof(real), 3 * sizeof(real));",
           f"memcpy(&{b}t, {b} + {p.pick([1, 2, 3, 5])} * sizeof(real), sizeof(real));",
           f"{p.place()} += {b}t;")


@construct(r"ptrtoint|inttoptr", level=5, scoped=True, weight=0.5)
def pointer_number(p):
    """A pointer that travels as a number."""
    u = p.fresh("u")
    name, size = p.whole()
    k = p.between(0, size - 1)
    p.emit(f"uintptr_t {u} = (uintptr_t)({name} + {k});",
           f"*(real *){u} = 0.5 * *(real *){u} + {p.squashed()};",
           f"{p.place()} += 0.25 * *(real *)({u} + sizeof(real));")


@construct(r"<4 x (double|float)>|[@.](turn_lanes|mix_lanes|lane_at)\(", level=5, scoped=True)
def lanes(p):
    """Vectors: lanes shuffled, mixed and taken one by one."""
    first, second = p.part(4), p.part(4)
    p.emit(p.pick([f"turn_lanes({first});", f"mix_lanes({first}, {second}, {p.atom()});"]),
           f"{p.place()} = {p.mild(f'lane_at({second}, {p.index(4)}, {p.atom()})')};")
    if p.chance(0.5):
        p.emit(f"for (int i = 0; i < {p.between(2, 4)}; i++) turn_lanes({first});")


@construct(r"%NAME\w*\S* = (alloca|phi|select|load)", level=5, scoped=True)
def self_assign(p):
    """A struct assigned to itself through pointers that may be equal."""
    s = p.fresh("s")
    p.emit(f"Tagged {s}[3] = {{{{{p.atom()}, 1}}, {{{p.squashed()}, 2}}, {{{p.atom()}, 0}}}};",
           f"Tagged *{s}p = &{s}[{p.pick(['n % 3', p.between(0, 3)])}];",
           f"for (int i = 0; i < 3; i++) {{", f"  {s}p->u = {p.mild(f'{s}p->u + {p.atom()}')};",
           f"  {s}[i] = *{s}p;", f"  {s}p = &{s}[{s}[i].k];", "}",
           f"{p.place()} = 0.5 * {s}[0].u * {s}[2].u + {s}[1].u;")
