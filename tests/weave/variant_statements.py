# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The statements that make, move and read variants. What a variant leads to is in the function's
outermost scope, so that it is there wherever the variant is read."""

from statements import body, into, simple

VARIANT_STATEMENTS = []
statement = into(VARIANT_STATEMENTS, "variant", "variants")


def tag(p):
    tags = p.variants.tags
    return p.pick(*tags) if p.chance(0.5) else f"tags[{p.index(len(tags))}]"


def made(p):
    """A variant that leads to what the function has from its beginning."""
    return f"made({p.pick(*p.anchors)} + {p.index(2)}, own + {p.index(3)}, {p.mild(2)}, {tag(p)})"


def fill_own(p):
    """The variants that others lead to."""
    which = p.pick("NUMBER", "NUMBER", p.variants.tags[1],
                   f"tags[(i + {p.between(0, 2)}) % {len(p.variants.tags)}]")
    value = f"made({p.pick(*p.anchors)} + i % 2, own + {p.index(3)}, {p.mild(2)}, {which})"
    if which == "NUMBER":
        value = p.pick(value, f"(Variant){{.tag = NUMBER, .u = {{.d = {p.mild(2)}}}}}")
    p.emit("Variant own[3];", "for (int i = 0; i < 3; i++)", f"  own[i] = {value};")
    p.add("variants", ("own", 3))


@statement(2)
def declare(p):
    name, kind = p.fresh("v"), p.between(0, 2)
    if kind == 0:
        p.emit(f"Variant {name} = {p.pick(made(p), p.variant())};")
        p.add("variant", name)
    elif kind == 1:
        p.emit(f"Variant *{name} = {p.condition()} ? &{p.variant()} : &{p.variant()};")
        p.add("variant", f"(*{name})")
    else:
        count = p.between(2, 4)
        p.emit(f"Variant {name}[{count}];", f"for (int i = 0; i < {count}; i++)",
               f"  {name}[i] = {p.pick(made(p), p.variant())};")
        p.add("variants", (name, count))


@statement(2)
def assign(p):
    p.emit(f"{p.variant()} = {p.pick(made(p), p.variant())};")


@statement(2)
def assign_members(p):
    """Each member by itself."""
    p.emit("{", f"  Variant *at = &{p.variant()}, *other = own + {p.index(3)};",
           f"  real *numbers = {p.pick(*p.anchors)} + {p.index(2)}, value = {p.mild(2)};",
           f"  at->tag = {tag(p)};", *("  " + line for line in p.variants.put("(*at)")), "}")


@statement(3)
def move(p):
    a, b = p.variant(), p.variant()
    p.emit(p.pick(
        f"exchange(&{a}, &{b});", f"memmove(&{a}, &{b}, sizeof(Variant));",
        f"{{ Variant held = {a}; {a} = {b}; {b} = held; }}",
        f"{{ char held[sizeof(Variant)]; memcpy(held, &{a}, sizeof held); "
        f"memcpy(&{b}, held, sizeof held); }}",
        f"{{ Variant held[2] = {{{a}, {b}}}; {p.variant()} = held[{p.index(2)}]; }}"))


@statement(2)
def pass_by_value(p):
    p.emit(p.pick(f"{p.variant()} = either({p.variant()}, {p.variant()}, {p.integer()});",
                  f"{p.variant()} = scaled({p.variant()}, {p.number(2)});"))


@statement()
def change(p):
    a = p.variant()
    p.emit("{", f"  Variant *at = &{a};", "  if (at->tag == NUMBER)",
           f"    at->u.d {p.pick('=', '*=', '+=')} {p.mild(2)};", "}")


@statement(4)
def read(p):
    p.emit(f"{p.place()} += R(0.5) * {p.variants.worth(p.variant(), p.between(1, 3))};")


@statement()
def rotate(p):
    arrays = p.all("variants")
    if not arrays:
        return simple(p)
    name, count = p.pick(*arrays)
    p.emit(p.pick(
        f"memmove({name}, {name} + 1, {count - 1} * sizeof(Variant));",
        f"for (int i = {count - 1}; i > 0; i--) {name}[i] = {name}[i - 1];",
        f"for (int i = 0, k = {count - 1}; i < k; i++, k--) exchange({name} + i, {name} + k);"))
    return None


@statement()
def stack(p):
    if p.loops > 1:
        return simple(p)
    name = p.fresh("s")
    p.emit("{", f"  Variant {name}[8];", "  int n = 0;",
           f"  for (int i = 0; i < {p.between(1, 6)}; i++)",
           f"    {name}[n++] = {p.pick(made(p), p.variant())};",
           f"  if ({p.condition()})", f"    {p.variant()} = {name}[n - 1];", "  while (n > 0)",
           f"    {p.place()} += R(0.2) * {p.variants.worth(f'{name}[--n]', 2)};", "}")
    return None


@statement(2)
def heap(p):
    if p.loops > 1:
        return simple(p)
    name, count = p.fresh("m"), p.between(2, 4)
    p.emit("{", f"Variant *{name} = malloc({count} * sizeof(Variant));",
           f"for (int i = 0; i < {count}; i++) {{", f"  {name}[i] = {made(p)};")
    body(p, 0, 1, variants=(name, 1))
    p.emit("}", f"{p.place()} += R(0.5) * {p.variants.worth(f'{name}[{p.index(count)}]', 2)};",
           f"{p.variant()} = {name}[{p.index(count)}];", f"free({name});", "}")
    return None
