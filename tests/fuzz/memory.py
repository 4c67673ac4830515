# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Level 4: the heap, lists, pointers in memory, gotos, loops whose bound changes."""

from construct import construct


@construct(r"@(malloc|calloc)|%NAME\S* = (call|tail)", level=4, scoped=True, nested=True)
def heap(p):
    """A block of memory for the statements in between."""
    name = p.fresh("h")
    size = p.between(3, 7)
    allocation = f"calloc({size}, sizeof(real))" if p.chance(0.5) else \
        f"malloc({size} * sizeof(real))"
    p.emit(f"real *{name} = (real *){allocation};")
    for k in range(size):
        p.emit(f"{name}[{k}] = {p.squashed()};")
    p.arrays[name] = size
    p.held += 1
    p.depth -= 1
    p.apart(2)
    p.depth += 1
    p.held -= 1
    del p.arrays[name]
    p.emit(f"free({name});")


@construct(r"%NAME\S* = (alloca|load)|[@.]swap_rows_", level=4, scoped=True)
def rows(p):
    """Pointers in an array, exchanged as the data say."""
    r = p.fresh("rows")
    p.emit(f"real *{r}[3] = {{{p.part(2)}, {p.part(2)}, {p.part(2)}}};",
           f"for (int i = 0; i < {p.between(2, 5)}; i++) {{")
    take = p.mild(f"{r}[(i + 1) % 3][{p.between(0, 2)}]")
    p.emit(f"  {r}[i % 3][{p.between(0, 2)}] += 0.5 * {take};", f"  if ({p.condition()}) {{",
           f"    real *t = {r}[0];", f"    {r}[0] = {r}[i % 2 + 1];", f"    {r}[i % 2 + 1] = t;",
           "  }", "}")
    if p.chance(0.5):
        p.emit(f"{p.helper('swap_rows')}({r}, 3);")
    p.emit(f"{p.helper('blend')}({r}[0], {r}[2], 2, {p.atom()});")


@construct(r"%NAME\S* = (phi|alloca|load)|= phi ptr", level=4, scoped=True)
def nodes(p):
    """A list on the heap or on the stack, walked, changed and given back."""
    q = p.fresh("l")
    on_heap = p.chance(0.5)
    count = p.between(2, 5)
    fresh = "(Node *)malloc(sizeof(Node))" if on_heap else f"&{q}s[i]"
    p.emit(f"Node *{q} = NULL;")
    if not on_heap:
        p.emit(f"Node {q}s[{count}];")
    p.emit(f"for (int i = 0; i < {count}; i++) {{", f"  Node *t = {fresh};",
           f"  t->v = {p.squashed()};", f"  t->at = &{p.element()};", f"  t->next = {q};",
           f"  {q} = t;", "}", f"for (Node *t = {q}; t; t = t->next) {{",
           f"  t->v = {p.mild('t->v * 1.5')} + 0.5 * *t->at;", "  if (t->next)",
           f"    t->next->v += {p.mild('t->v')};", f"  *t->at = {p.mild('t->v + *t->at')};")
    if p.chance(0.5):
        p.emit(f"  if ({p.condition()})", "    break;")
    p.emit("}", f"while ({q}) {{", f"  Node *t = {q};", f"  {p.pick(p.scalars)} += 0.25 * t->v;",
           f"  {q} = t->next;")
    if on_heap:
        p.emit("  free(t);")
    p.emit("}")


@construct(r"%NAME[\w.]* = (phi|select)", level=4, scoped=True, nested=True)
def moving_bound(p):
    """A loop whose bound changes inside."""
    i, bound = p.fresh("i"), p.fresh("e")
    p.emit(f"int {bound} = {p.between(1, 4)};", f"for (int {i} = 0; {i} < {bound}; {i}++) {{",
           f"  if ({bound} < 6 && {p.condition()})", f"    {bound}++;")
    p.loop_body(i)
    if p.chance(0.4):
        p.emit(f"  if ({p.condition()})", f"    {i}++;")
    p.emit("}")


@construct(r"label %NAME", level=4, nested=True)
def jump(p):
    """A goto, forwards over statements or backwards as a loop."""
    label = p.fresh("l")
    if p.chance(0.5):
        p.emit(f"if ({p.condition()})", f"  goto {label};", "{")
        p.apart(2)
        p.emit("}", f"{label}:;")
        return
    k = p.fresh("k")
    p.opened()
    p.emit(f"int {k} = 0;", f"{label}:", f"{k}++;", "{")
    p.apart(2)
    p.emit("}", f"if ({k} < 4 && {p.condition()})", f"  goto {label};")
    p.closed()


@construct(r"%NAME\S* = (phi|call|tail|select)|%call\w* = (tail )?call [^\n]*@(m|c)alloc",
           level=4, scoped=True)
def heap_in_loop(p):
    """Memory that a loop takes and gives back as the data say."""
    h, i = p.fresh("h"), p.fresh("i")
    p.emit(f"real *{h} = NULL;", f"for (int {i} = 0; {i} < {p.between(2, 6)}; {i}++) {{")
    if p.chance(0.7):
        p.emit(f"  if (!{h} && {p.condition()})", f"    {h} = (real *)calloc(3, sizeof(real));",
               f"  if ({h}) {{", f"    {h}[{i} % 3] += {p.squashed()};",
               f"    {h}[1] = {p.mild(f'{h}[2] + {h}[0]')};", "  }",
               f"  if ({h} && {p.condition()}) {{", f"    {p.place()} += 0.5 * {h}[1];",
               f"    free({h});", f"    {h} = NULL;", "  }")
    else:
        p.emit(f"  free({h});",
               f"  {h} = (real *)malloc((size_t)({i} + 1) * sizeof(real));",
               f"  {h}[0] = {p.atom()};", f"  {h}[{i}] = {p.squashed()};",
               f"  {p.place()} += 0.5 * {h}[0] * {h}[{i}];")
    p.emit("}", f"if ({h})", f"  {p.pick(p.scalars)} += {h}[0];", f"free({h});")


@construct(r"[@.]copied_\d", level=4, scoped=True)
def heap_from_helper(p):
    """Memory that one function allocates and another frees, perhaps before an early end."""
    h, count = p.fresh("h"), p.between(2, 4)
    p.emit(f"real *{h} = {p.helper('copied')}({p.part(count)}, {count});",
           f"{h}[{p.between(0, count)}] = {p.mild(f'{h}[0] * {p.atom()}')};")
    if not p.held and p.chance(0.5):
        p.emit(f"if ({p.condition()} && {p.condition()}) {{", f"  free({h});", f"  {p.leaving}",
               "}")
    p.emit(f"{p.place()} += 0.5 * {h}[{count - 1}] * {h}[0];",
           p.pick([f"free({h});", f"{p.helper('give')}({h});"]))


@construct(r"@(malloc|calloc)", level=4, scoped=True)
def matrix(p):
    """Pointers to pointers: rows on the heap."""
    m, i = p.fresh("m"), p.fresh("i")
    rows_, columns = p.between(2, 4), p.between(2, 4)
    p.emit(f"real **{m} = (real **)malloc({rows_} * sizeof(real *));",
           f"for (int {i} = 0; {i} < {rows_}; {i}++) {{",
           f"  {m}[{i}] = (real *)calloc({columns}, sizeof(real));",
           f"  {m}[{i}][{i} % {columns}] = {p.squashed()};", "}",
           f"for (int {i} = 1; {i} < {rows_}; {i}++)", f"  for (int j = 0; j < {columns}; j++)",
           f"    {m}[{i}][j] += {p.mild(f'{m}[{i} - 1][{columns - 1} - j] + {p.atom()}')};")
    if p.chance(0.5):
        p.emit(f"{p.helper('swap_rows')}({m}, {rows_});")
    p.emit(f"{p.place()} = {m}[{rows_ - 1}][0] * {m}[0][{columns - 1}] + {m}[1][1];",
           f"for (int {i} = 0; {i} < {rows_}; {i}++)", f"  free({m}[{i}]);", f"free({m});")
