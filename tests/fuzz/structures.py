# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Level 3: structs by value and by pointer, pointers that alias, recursion, several precisions."""

from construct import construct
from plain import library


@construct(r"[@.]turn_\d", level=3, scoped=True)
def pair(p):
    """A struct by value, in and out."""
    q = p.fresh("p")
    p.emit(f"Pair {q} = {{{p.squashed()}, {p.atom()}}};",
           f"{q} = {p.helper('turn')}({q}, {p.atom()});",
           f"{p.place()} = {q}.u * 0.5 + {q}.v * 0.25;")


@construct(r"[@.](couple|tagged|spread|move_view)_\d", level=3, scoped=True)
def by_value(p):
    """Structs in all the ways that the ABI passes them: packed, in two registers, in memory."""
    s = p.fresh("s")
    form = p.between(0, 4)
    if form == 0:
        p.emit(f"Couple {s} = {{(narrow){p.atom()}, (narrow){p.atom()}}};",
               f"{s} = {p.helper('couple')}({s}, (narrow){p.atom()});",
               f"{p.place()} = (real){s}.a * 0.5 + (real){s}.b;")
    elif form == 1:
        p.emit(f"Tagged {s} = {{{p.atom()}, {p.between(0, 5)}}};",
               f"Pair {s}p = {{{p.atom()}, {p.squashed()}}};",
               f"{s} = {p.helper('tagged')}({s}, {p.between(0, 5)}, {s}p);",
               f"{p.place()} = {s}.u + 0.1 * {s}.k;")
    elif form == 2:
        p.emit(f"Wide {s} = {{{{{p.atom()}, {p.atom()}, {p.squashed()}, 0, 0.5}}, 4}};",
               f"for (int i = 0; i < {p.between(1, 4)}; i++)",
               f"  {s} = {p.helper('spread')}({s}, {p.atom()});",
               f"{p.place()} = {s}.v[{s}.count] + 0.5 * {s}.v[1];")
    else:
        count = p.between(1, 4)
        p.emit(f"View {s} = {{{p.part(count)}, {p.part(count)}, {count}}};",
               f"{p.helper('move_view')}({s});")


@construct(r"select i1 [^\n]*, ptr %arrayidx|= phi ptr|@update_|@larger_", level=3, scoped=True)
def through_pointer(p):
    """A pointer that the data choose, and arguments that may alias."""
    q = p.fresh("q")
    p.emit(f"real *{q} = {p.condition()} ? &{p.element()} : &{p.element()};",
           f"*{q} = 0.5 * *{q} + {p.squashed()};")
    if p.chance(0.5):
        p.emit(f"{p.helper('update')}({q}, &{p.element()}, {p.atom()});")
    if p.chance(0.3):
        p.emit(f"*{p.helper('larger')}({q}, &{p.element()}) *= {p.mild(p.atom())};")


@construct(r"[@.](halves|merge|find|blend|sort|even)_\d", level=3, weight=3)
def call_arrays(p):
    """A call of a function that recurses or loops over part of an array."""
    name, size = p.whole()
    low = p.between(0, size - 1)
    count = p.between(1, 4)
    forms = [lambda: f"{p.place()} = {p.helper('halves')}({name}, {low}, {size});",
             lambda: f"{p.helper('merge')}({name} + {low}, {size - low});",
             lambda: f"{p.place()} += 0.5 * {p.helper('find')}({name}, {size}, {p.atom()});",
             lambda: f"{p.helper('blend')}({p.part(count)}, {p.part(count)}, {count}, {p.atom()});",
             lambda: f"{p.helper('blend')}({name}, {name}, {size}, {p.atom()});",
             lambda: f"{p.helper('sort')}({name}, {size});",
             lambda: f"{p.place()} = {p.mild(p.helper('even') + f'({p.atom()}, 4)')};"]
    p.emit(p.pick(forms)())


@construct(r"[@.]weigh_\d", level=3, scoped=True)
def overwritten(p):
    """An array that a call reads, and that is changed behind it."""
    name, size = p.whole()
    i = p.fresh("i")
    p.emit(f"real {i}w = {p.helper('weigh')}({name}, {size}, {p.atom()});",
           p.pick([f"memset({name} + 1, 0, {size - 1} * sizeof(real));",
                   f"for (int {i} = 0; {i} < {size}; {i}++) {name}[{i}] = "
                   f"{p.mild(f'{name}[{i}] + {i}w')};",
                   f"{name}[{p.index(size)}] = {p.squashed()};"]),
           f"{p.place()} = {p.mild(f'{i}w')};")


@construct(r"%NAME\S* = (alloca|load|phi)|[@.](bump|chain)_\d", level=3, scoped=True)
def mixed_array(p):
    """An array of structures: filled, passed by pointer and by value, moved, and read."""
    m = p.fresh("m")
    p.emit(f"Mixed {m}[4];", "for (int i = 0; i < 4; i++) {", f"  {m}[i].r = {p.squashed()};",
           f"  {m}[i].w = (wide)(0.5 * {p.atom()}) * (wide){m}[i].r;",
           f"  {m}[i].s = (narrow)(0.25 * {m}[i].r);",
           f"  {m}[i].k = {p.pick(['i', '(i + n) % 4', '3 - i', '(int)(i > 1)'])};", "}")
    forms = [lambda: f"{m}[1] = {p.helper('bump')}({m}[2], {p.atom()});",
             lambda: f"{p.helper('chain')}({m}, {m}, 4);",
             lambda: f"{p.helper('chain')}({m}, {m} + 1, 3);",
             lambda: f"memmove({m} + 1, {m}, 3 * sizeof(Mixed));",
             lambda: f"memmove({m}, {m} + 1, (size_t)(n - 3) * sizeof(Mixed));",
             lambda: f"memset({m} + 2, 0, sizeof(Mixed));",
             lambda: f"for (int i = 0; i < 3; i++) {m}[i] = {m}[i + 1];",
             lambda: f"for (int i = 0; i < 4; i++) "
                     f"{m}[i] = {p.helper('bump')}({m}[{m}[i].k], {p.atom()});",
             lambda: f"for (int i = 3; i > 0; i--) {m}[i].r = {p.mild(f'{m}[i - 1].r')};",
             lambda: f"if ({p.condition()}) {m}[3] = {m}[0];"]
    for _ in range(p.between(1, 4)):
        p.emit(p.pick(forms)())
    p.emit("for (int i = 0; i < 4; i++)",
           f"  {p.place()} += 0.25 * (real){m}[i].w * {m}[i].r + (real){m}[i].s * "
           f"{m}[{m}[i].k].r;")


@construct(r"%NAME\S* = (alloca|load|phi)|[@.](bump|chain|merge)_\d", level=3, scoped=True)
def nested_struct(p):
    """A structure in a structure, copied as a whole and in part."""
    s = p.fresh("s")
    p.emit(f"Nested {s}[2];", f"memset({s}, 0, sizeof {s});", "for (int i = 0; i < 2; i++) {",
           f"  {s}[i].v[i] = {p.squashed()};", f"  {s}[i].m.r = {p.atom()};",
           f"  {s}[i].m.k = i;", "}")
    forms = [lambda: f"{s}[0].m = {p.helper('bump')}({s}[1].m, {s}[0].v[0]);",
             lambda: f"{s}[1] = {s}[0];",
             lambda: f"memcpy({s}[0].v, {s}[1].v, sizeof {s}[0].v);",
             lambda: f"{p.helper('chain')}(&{s}[0].m, &{s}[0].m, {s}[0].m.k == 0);",
             lambda: f"{p.helper('merge')}({s}[1].v, 2);",
             lambda: f"{{ Nested t = {s}[0]; {s}[0] = {s}[1]; {s}[1] = t; }}"]
    for _ in range(p.between(1, 4)):
        p.emit(p.pick(forms)())
    p.emit(f"{p.place()} = {s}[0].v[0] * {s}[1].v[1] + 0.5 * {s}[0].m.r + (real){s}[1].m.w;")


@construct(r"%NAME\S* = (phi|getelementptr|add|select|load)", level=3, scoped=True)
def walk(p):
    """Pointers that move over arrays instead of indices."""
    name, size = p.whole()
    q, e = p.fresh("q"), p.fresh("e")
    other, room = p.whole()
    count = min(size, room)
    forms = [[f"for (real *{q} = {name}; {q} < {name} + {size}; {q}++)",
              f"  *{q} = {p.mild(f'*{q} + {p.atom()}')};"],
             [f"real *{q} = {name}, *{e} = {other};",
              f"while ({q} != {name} + {count})", f"  *{e}++ = 0.75 * *{q}++;"],
             [f"for (real *{q} = {name} + {size - 1}; {q} > {name}; {q} -= 1)",
              f"  {q}[-1] += 0.5 * {p.mild(f'*{q}')};"],
             [f"real *{q} = {name} + {size}, *{e} = {other};",
              f"while ({q} > {name} + 1 && {e} < {other} + {room - 1}) {{",
              f"  {q} -= 2 - ({q} - {name}) % 2;",
              f"  *{q} = {p.mild(f'{e}[1] * *{q}')};",
              f"  if (*{q} > *{e})", f"    {e}++;", "}"]]
    p.emit(*p.pick(forms))


@construct(r"%NAME\w*[\w.]* = (phi|select)", level=3, scoped=True)
def accumulate(p):
    """Sums in another precision."""
    s = p.fresh("s")
    name, size = p.whole()
    p.emit(f"wide {s} = 0;", f"narrow {s}n = (narrow){p.atom()};",
           f"for (int i = 0; i < {size}; i++) {{",
           f"  {s} += (wide){name}[i] * (wide){s}n;", f"  if ({s} > 0.4)",
           f"    {s}n = (narrow)(0.5 * {name}[i]);", "}",
           f"{p.place()} = {p.mild(f'(real){s}')} + (real){s}n;")


@construct(r"%NAME\w*\S* = (alloca|load|phi)", level=3, scoped=True, weight=1)
def narrow_array(p):
    """An array of another precision, copied as bytes and cleared in part."""
    s = p.fresh("s")
    name, size = p.whole()
    end = p.pick([f"{size}", f"{size} - (n > 99)"])
    p.emit(f"narrow {s}[{size}], {s}c[{size}];", f"for (int i = 0; i < {end}; i++)",
           f"  {s}[i] = (narrow)({name}[i] * {p.atom()});",
           f"memcpy({s}c, {s}, sizeof {s});",
           f"memset({s}c + {p.between(0, size)}, 0, sizeof(narrow));",
           f"for (int i = 1; i < {end}; i++)",
           f"  {s}c[i] += {s}[i - 1] * {s}c[i - 1];",
           f"{p.place()} = {p.mild(f'(real){s}c[{size - 1}] + (real){s}c[{size // 2}]')};")


@construct(r"label %(return|cleanup|common\.ret)", level=3, weight=1)
def give_up(p):
    """A return from the middle, where no memory waits to be given back."""
    if p.held:
        return library(p)
    return p.emit(f"if ({p.condition()} && {p.condition()})", f"  {p.leaving}")


@construct(r"[@.]table_\d", level=3, weight=1)
def constants(p):
    """A table of constants."""
    p.emit(f"{p.place()} += 0.25 * {p.helper('table')}(n + {p.index(8)}) * {p.mild(p.atom())};")


def random_fields(p, kinds):
    """Some of these fields, in any order; each (type, name, what stands behind the name)."""
    chosen = [field for field in kinds if field[1] == "a" or p.chance(0.5)]
    return sorted(chosen, key=lambda field: p.between(0, 99))


def assignments(p, fields, path, index, count):
    """What fills the fields of one struct, and `count` elements of its arrays."""
    lines = []
    for kind, name, behind in fields:
        value = p.mild(p.atom()) if kind in ("real", "narrow", "wide") else f"{index} + 1"
        place = f"{path}.{name}"
        lines += [f"for (int k = 0; k < {count}; k++) {place}[k] = ({kind})({value});" if behind
                  else f"{place} = ({kind})({value});"]
    return lines


@construct(r"%NAME\w*\S* = (alloca|load|phi|call|tail)", level=3, scoped=True)
def nested_arrays(p):
    """Arrays in structs in arrays in structs, of layouts of their own: filled by loops, moved as a
    whole and in part, and read."""
    w = p.fresh("w")
    inner = random_fields(p, [("real", "a", "[2]"), ("int", "n", ""), ("narrow", "g", ""),
                              ("char", "c", ""), ("short", "h", "[2]")])
    outer = random_fields(p, [("Part", "a", "[2]"), ("narrow", "f", ""), ("int", "m", ""),
                              ("real", "d", "")])
    text = {"Part": f"struct {w}Part"}
    for struct, fields in (("Part", inner), ("Whole", outer)):
        body = " ".join(f"{text.get(kind, kind)} {name}{behind};" for kind, name, behind in fields)
        p.emit(f"struct {w}{struct} {{ {body} }};")
    heap = p.chance(0.4)
    p.emit(f"int {w}n = {p.pick(['2', 'n > 0 ? 2 : 1', '2 + (n > 99)'])};",
           f"struct {w}Whole *{w} = (struct {w}Whole *)malloc(3 * sizeof *{w});" if heap
           else f"struct {w}Whole {w}[3];", f"memset({w}, 0, 3 * sizeof *{w});",
           "for (int i = 0; i < 3; i++) {", f"  for (int j = 0; j < {w}n; j++) {{",
           *assignments(p, inner, f"{w}[i].a[j]", "j", f"{w}n"), "  }",
           *assignments(p, [field for field in outer if field[1] != "a"], f"{w}[i]", "i", 2),
           "}")
    forms = [f"{w}[1] = {w}[0];", f"memcpy({w} + 2, {w}, sizeof *{w});",
             f"{w}[0].a[1] = {w}[2].a[0];", f"memmove({w}, {w} + 1, 2 * sizeof *{w});",
             f"{{ struct {w}Whole t = {w}[0]; {w}[0] = {w}[1]; {w}[1] = t; }}",
             f"for (int i = 0; i < 3; i++) {w}[i].a[0] = {w}[2 - i].a[1];",
             f"memset(&{w}[1].a[0], 0, sizeof {w}[1].a[0]);"]
    p.emit(*[p.pick(forms) for _ in range(p.between(1, 3))])
    p.emit(f"for (int j = 0; j < {w}n; j++)", f"  for (int k = 0; k < {w}n; k++)",
           f"    {p.place()} += 0.25 * {w}[0].a[j].a[k] * {w}[1].a[1 - j].a[k] + "
           f"0.5 * {w}[2].a[k].a[j];", *([f"free({w});"] if heap else []))
