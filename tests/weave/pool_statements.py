# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The statements that fill, move and read pools of records."""

from statements import body, into, simple

POOL_STATEMENTS = []
statement = into(POOL_STATEMENTS, "pool")


def pool_and_records(p):
    """A pool, and indices of two of its records."""
    return p.pick(*p.all("pool")), p.index(4), p.index(4)


def make_pool(p):
    """Its memory is cleared, and has room for more."""
    name = p.fresh("c")
    p.emit(*p.pick((f"char *{name} = calloc({p.pick('RECORDS', '5')}, sizeof(Record));",),
                   (f"char *{name} = calloc(1, 4096);",),
                   (f"char *{name} = malloc(RECORDS * sizeof(Record));",
                    f"memset({name}, 0, RECORDS * sizeof(Record));")))
    p.add("pool", name)
    if p.chance(0.7):
        p.emit("for (int i = 0; i < RECORDS; i++) {", f"  char *base = {name};",
               "  Record *q = AT(base, i);", f"  {p.pools.number('q')} = {p.mild(2)};",
               f"  {p.pools.change('q')}", "}")
    return name


def sum_up(p, name):
    p.emit("for (int i = 0; i < RECORDS; i++) {", f"  Record *q = AT({name}, i);",
           f"  {p.place()} += R(0.3) * {p.pools.number('q')} * "
           f"{p.pick('(i + 1)', p.pools.number('q'), p.number(2))};", "}")


def free_pool(p, name):
    sum_up(p, name)
    p.emit(f"free({name});")


@statement(14)
def call_helper(p):
    call = p.pools.use(*pool_and_records(p))
    p.emit(p.pick(f"{call};", f"{p.place()} += R(0.25) * {call};",
                  f"for (int i = 0; i < {p.between(2, 4)}; i++) {call};"))


@statement(8)
def move_records(p):
    name, a, b = pool_and_records(p)
    p.emit("{", f"  char *base = {name};", f"  Record *q = AT(base, {a}), *p = AT(base, {b});",
           f"  {p.pools.deed()}", "}")


@statement(8)
def write_number(p):
    p.emit(f"{p.pools.number(p.record())} {p.pick('=', '=', '+=')} {p.mild(1)};")


@statement(6)
def read(p):
    record = p.record()
    p.emit("{", f"  Record *q = {record};", f"  if ({p.pools.test('q')})",
           f"    {p.place()} += R(0.5) * {p.pools.number('q')};", "}")


@statement(4)
def point(p):
    q = p.fresh("q")
    p.emit(f"Record *{q} = {p.record()};")
    p.add("record", q)


@statement(4)
def copy_to_other(p):
    """A link stays within its pool."""
    name, a, b = pool_and_records(p)
    link = f" q->next = AT({name}, {b});" if p.pools.linked else ""
    p.emit(f"{{ Record *q = AT({name}, {a}), *p = {p.record()}; *q = *p;{link} }}")


@statement(4)
def follow(p):
    if p.loops > 1 or not p.pools.linked:
        return call_helper(p)
    q, k = p.fresh("q"), p.fresh("k")
    p.emit(f"Record *{q} = {p.record()};",
           f"for (int {k} = 0; {q} && {k} < 4; {k}++, {q} = {q}->next) {{")
    body(p, 1, 2, record=q, int=k)
    p.emit("}")
    return None


@statement(8)
def arena(p):
    if p.loops > 1:
        return call_helper(p)
    name, q, i = p.fresh("m"), p.fresh("q"), p.fresh("i")
    pool = p.pick(*p.all("pool"))
    p.emit("{", f"  Arena {name} = {{.base = {pool}}};",
           f"  for (int {i} = 0; {i} < {p.between(1, 6)}; {i}++) {{",
           f"    Record *{q} = filled(&{name}, {p.mild(2)});")
    body(p, 0, 2, record=q, int=i)
    if p.chance(0.5):
        p.emit(f"    if ({p.condition()})", f"      release(&{name}, {q});")
    p.emit("  }")
    if p.chance(0.5):
        p.emit(f"  {p.place()} += R(0.5) * {p.pools.number(f'claimed(&{name})')};")
    p.emit("}")
    return None


@statement(4)
def add_pool(p):
    if p.loops > 1:
        return call_helper(p)
    p.scopes.append({})
    p.emit("{")
    name = make_pool(p)
    body(p, 1, 3, pool=name)
    free_pool(p, name)
    p.emit("}")
    p.scopes.pop()
    return None
