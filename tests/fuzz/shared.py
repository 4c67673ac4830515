# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Level 5: globals, and pointers of which only the run tells what they point to."""

from construct import construct


@construct(r"@scratch_\d", level=5, scoped=True)
def scratch(p):
    """A global array that helpers fill and read."""
    fill, fold = p.helper("fill"), p.helper("folded")
    p.emit(f"{fill}({p.atom()}, {p.between(2, 9)});")
    if p.chance(0.5):
        p.emit(f"{p.place()} += 0.5 * {fold}({p.between(1, 5)});")
    if p.chance(0.4):
        p.emit(f"memmove(scratch_{p.seed} + 1, scratch_{p.seed}, 5 * sizeof(real));")
    if p.chance(0.4):
        p.emit(f"scratch_{p.seed}[{p.between(0, 8)}] {p.pick(['=', '+='])} {p.squashed()};")
    if p.chance(0.3):
        p.emit(f"memset(scratch_{p.seed} + {p.between(0, 4)}, 0, 3 * sizeof(real));")
    p.emit(f"{p.place()} = {p.mild(f'{fold}({p.between(1, 9)})')};")


@construct(r"[@.]stepped_\d", level=5, scoped=True)
def static_state(p):
    """A static local that later calls see."""
    step = p.helper("stepped")
    i = p.fresh("i")
    p.emit(f"for (int {i} = 0; {i} < {p.between(1, 6)}; {i}++)",
           f"  {p.place()} = {step}({i} == 0, {p.atom()});")


@construct(r"(select i1|phi ptr) [^\n]*@constants_\d", level=5, scoped=True)
def table_or_array(p):
    """A constant table on one way, active memory on the other."""
    p.helper("weighed")
    q, r = p.fresh("q"), p.fresh("q")
    table = f"constants_{p.seed}"
    name, size = p.whole()
    p.emit(f"const real *{q} = {p.condition()} ? {p.part(4)} : {table} + {p.between(0, 3)};",
           f"const real *{r} = {p.condition()} ? {table} : {p.part(4)};")
    forms = [lambda: f"{p.place()} += 0.5 * {q}[{p.between(0, 4)}] * {r}[{p.between(0, 3)}];",
             lambda: f"{p.place()} = {p.mild(f'weighed_{p.seed}({q}, {r}, 3)')};",
             lambda: f"{name}[{p.between(0, size)}] = {q}[1] * {p.atom()} - {r}[0];",
             lambda: f"memmove({p.part(2)}, {q} + {p.between(0, 3)}, 2 * sizeof(real));",
             lambda: f"{q} = {p.condition()} ? {r} : {q};"]
    for _ in range(p.between(2, 5)):
        p.emit(p.pick(forms)())


@construct(r"@constants_\d", level=5, scoped=True)
def rows_of_either(p):
    """An array of pointers to constants and to active memory."""
    p.helper("weighed")
    rows, i = p.fresh("e"), p.fresh("i")
    p.emit(f"const real *{rows}[4];", f"for (int {i} = 0; {i} < 4; {i}++)",
           f"  {rows}[{i}] = {i} % 2 ? {p.part(3)} : constants_{p.seed} + {i};",
           f"if ({p.condition()})", f"  {rows}[{p.between(0, 4)}] = {p.part(3)};",
           f"for (int {i} = 0; {i} < 4; {i}++)",
           f"  {p.place()} += 0.25 * weighed_{p.seed}({rows}[{i}], {rows}[({i} + 1) % 4], 3);")


@construct(r"[@.]cut_\d", level=5, scoped=True)
def slices(p):
    """Structs of a pointer and a length, returned."""
    cut, s = p.helper("cut"), p.fresh("s")
    i = p.fresh("i")
    name, size = p.whole()
    p.emit(f"Slice_{p.seed} {s} = {cut}({name}, {size}, {p.atom()});",
           f"for (int {i} = 0; {i} < {s}.count; {i}++)",
           f"  {s}.at[{i}] = 0.5 * {s}.at[{i}] + {p.mild(f'{s}.at[0]')};")
    if p.chance(0.5):
        p.emit(f"{s} = {cut}({s}.at, {s}.count, {p.atom()});", f"{p.place()} += 0.5 * *{s}.at;")
