# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The statements of woven programs: each may stand in any other that has a body."""

STATEMENTS = []


def into(statements, *kinds):
    """A decorator that makes the function one of these statements, as often as `weight` says. Where
    a scope must have something of `kinds`, and has not, a simple statement stands in its place."""
    def statement(weight=1):
        def register(function):
            def write_or_simple(p):
                return function(p) if not kinds or p.all(*kinds) else simple(p)
            statements.extend([write_or_simple] * weight)
            return function
        return register
    return statement


statement = into(STATEMENTS)


def block(p, count):
    p.scopes.append({})
    for _ in range(count):
        write(p)
    p.scopes.pop()


def body(p, least, most, **names):
    """Statements in a scope with these names, within a loop."""
    p.loops += 1
    p.scopes.append({kind: [name] for kind, name in names.items()})
    block(p, p.between(least, most))
    p.scopes.pop()
    p.loops -= 1


def write(p):
    """Some statement; a simple one where the program is long enough, or loops are deep."""
    p.left -= 1
    (p.random.choice(STATEMENTS + p.more_statements) if p.left > 0 else simple)(p)


@statement(4)
def simple(p):
    p.emit(f"{p.place()} = {p.mild()};")


@statement(2)
def update(p):
    p.emit(f"{p.place()} {p.pick('+=', '-=')} R({p.pick(0.25, 0.5)}) * {p.mild(1)};")


@statement(3)
def declare(p):
    name = p.fresh("t")
    kind = p.pick("real", "array", "small", "large", "pair", "int")
    if kind == "real":
        p.emit(f"real {name} = {p.mild()};")
    elif kind == "array":
        count = p.between(2, 6)
        values = ", ".join(p.number(2) for _ in range(p.between(1, count)))
        p.emit(f"real {name}[{count}] = {{{values}}};")
        p.add("array", (name, count))
        return
    elif kind == "small":
        at = p.small()
        p.emit(f"Small {name} = {'*(' + at + ')' if at and p.chance(0.5) else '{0}'};")
    elif kind == "large":
        p.emit(f"Large {name} = {{.p = {p.numbers()}, .k = {p.integer()}}};")
    elif kind == "pair":
        p.emit(f"Pair {name} = {{{{{p.number(2)}, {p.number(2)}}}}};")
    else:
        p.emit(f"int {name} = {p.integer()} & 15;")
    p.add(kind, name)


@statement(2)
def branch(p):
    p.emit(f"if ({p.condition()}) {{")
    block(p, p.between(1, 3))
    if p.chance(0.6):
        p.emit("} else {")
        block(p, p.between(1, 3))
    p.emit("}")


@statement(2)
def loop(p):
    if p.loops > 1:
        return simple(p)
    i = p.fresh("i")
    p.emit(p.pick(f"for (int {i} = 0; {i} < {p.between(1, 5)}; {i}++) {{",
                  f"for (int {i} = {p.between(1, 5)}; {i} > 0; {i}--) {{",
                  f"for (int {i} = 0, n{i} = INDEX({p.integer()}, 6); {i} < n{i}; {i} += 2) {{",
                  f"for (int {i} = 0; {i} < 9 && {p.condition()}; {i}++) {{"))
    body(p, 1, 4, int=i)
    if p.chance(0.3):
        p.emit(f"  if ({p.condition()})", f"    {p.pick('break', 'continue')};")
    p.emit("}")
    return None


@statement()
def walk(p):
    arrays = p.all("array")
    if p.loops > 1 or not arrays:
        return simple(p)
    (name, count), w = p.pick(*arrays), p.fresh("w")
    p.emit(p.pick(f"for (real *{w} = {name}; {w} < {name} + {count}; {w}++) {{",
                  f"for (real *{w} = {name} + {count}; {w}-- > {name};) {{"),
           f"  *{w} {p.pick('+=', '=', '-=')} {p.mild(1)};")
    body(p, 1, 1, pointer=(w, 1))
    p.emit("}")
    return None


@statement(2)
def move(p):
    count = p.between(1, 3)
    to, origin = p.numbers(max(2, count)), p.numbers(max(2, count))
    if not to:
        return simple(p)
    bytes_ = f"{count} * sizeof(real)" if p.chance(0.6) else \
        f"INDEX({p.integer()}, {count + 1}) * sizeof(real)"
    p.emit(p.pick(f"memmove({to}, {origin}, {bytes_});", f"memset({to}, 0, {bytes_});"))
    return None


@statement()
def move_bytes(p):
    to, origin = p.numbers(), p.numbers()
    p.emit(p.pick(
        f"{{ Bytes held = *(Bytes *)({origin}); *(Bytes *)({to}) = held; }}",
        f"{{ char held[sizeof(real)]; memcpy(held, {origin}, sizeof held); "
        f"memcpy({to}, held, sizeof held); }}",
        f"{{ char *d = (char *)({to}); const char *o = (const char *)({origin}); "
        "for (size_t i = 0; d != o && i < sizeof(real); i++) d[i] = o[i]; }"))


@statement(2)
def move_struct(p):
    a, b = p.small(), p.small()
    if not a:
        return declare(p)
    if p.chance(0.2):
        name = p.fresh("q")
        p.emit(f"Small *{name} = {a};")
        p.add("at_small", name)
        return None
    p.emit(p.pick(
        f"*({a}) = *({b});", f"{{ Small held = *({a}); *({a}) = *({b}); *({b}) = held; }}",
        f"memset({a}, 0, sizeof(Small));",
        f"memmove({a}, {b}, offsetof(Small, v[{p.between(0, 2)}]));",
        f"{{ char held[2 * sizeof(Small)]; memcpy(held, {a}, sizeof(Small)); "
        f"memcpy(held + sizeof(Small), {b}, sizeof(Small)); "
        f"memcpy({a}, held + ({p.condition()}) * sizeof(Small), sizeof(Small)); }}"))
    return None


@statement(2)
def nodes(p):
    if p.loops > 1:
        return simple(p)
    h, n = p.fresh("h"), p.fresh("n")
    p.emit(f"Node *{h} = NULL;", f"for (int i = 0; i < {p.between(1, 4)}; i++) {{",
           "  Node *m = malloc(sizeof *m);",
           f"  *m = (Node){{{p.mild(2)}, {h}, {{R(0.5), R(0.5)}}, i}};", f"  {h} = m;", "}")
    if p.chance(0.4):
        p.emit(f"for (Node *p = {h}, *m; p && p->next; ) {{",
               f"  m = p->next; p->next = m->next; m->next = {h}; {h} = m;", "}")
    p.emit(f"for (Node *{n} = {h}; {n}; {n} = {n}->next) {{")
    body(p, 1, 3, node=n)
    p.emit("}", f"while ({h}) {{", f"  Node *m = {h}->next;",
           f"  {p.place()} += R(0.1) * {h}->v;", f"  free({h});", f"  {h} = m;", "}")
    return None


@statement()
def choose(p):
    p.emit(f"switch (INDEX({p.integer()}, 4)) {{")
    for case in range(3):
        p.emit(f"case {case}: {{")
        block(p, p.between(1, 2))
        p.emit("}" + p.pick("", " break;"))
    p.emit("default: {")
    block(p, 1)
    p.emit("}}")


@statement()
def jump(p):
    label, k = p.fresh("L"), p.fresh("j")
    if p.loops > 1 or p.chance(0.5):
        p.emit(f"if ({p.condition()})", f"  goto {label};", "{")
        block(p, p.between(1, 2))
        p.emit("}", f"{label}:;")
        return
    p.emit("{", f"  int {k} = 0;", f"{label}:;", "  {")
    body(p, 1, 2)
    p.emit("  }", f"  if (++{k} < {p.between(1, 4)} && {p.condition()})", f"    goto {label};", "}")


@statement()
def array_of_run_time_size(p):
    name, n = p.fresh("t"), p.fresh("n")
    p.emit(f"int {n} = 2 + INDEX({p.integer()}, 4);", f"real {name}[{n}];",
           f"for (int i = 0; i < {n}; i++)", f"  {name}[i] = {p.mild(2)};")
    p.add("pointer", (name, 2))


@statement()
def heap(p):
    name, count = p.fresh("m"), p.between(2, 6)
    p.emit("{", f"real *{name} = calloc({count}, sizeof(real));")
    p.scopes.append({"pointer": [(name, count)]})
    block(p, p.between(1, 4))
    p.emit(f"{p.place()} += {name}[{p.index(count)}];")
    p.scopes.pop()
    p.emit(f"free({name});", "}")


@statement()
def grow(p):
    if p.loops > 1:
        return simple(p)
    name = p.fresh("g")
    p.emit("{", f"  real *{name} = NULL;", "  int n = 0, room = 0;",
           f"  for (int i = 0; i < {p.between(1, 7)}; i++) {{", "    if (n == room) {",
           "      room = room ? 2 * room : 1;",
           f"      {name} = realloc({name}, (size_t)room * sizeof(real));", "    }",
           f"    {name}[n++] = {p.mild(2)};", "  }", "  while (n-- > 0)",
           f"    {p.place()} {p.pick('+=', '=')} mild({name}[n] * {p.number(2)});",
           f"  free({name});", "}")
    return None


@statement(2)
def point(p):
    name, scalars = p.fresh("y"), p.all("real")
    if scalars and p.chance(0.3):
        p.emit(f"real *{name} = {p.condition()} ? &{p.pick(*scalars)} : &{p.pick(*scalars)};")
        p.add("pointer", (name, 1))
    elif p.chance(0.3):
        p.emit(f"real *{name}[2] = {{{p.numbers()}, {p.numbers()}}};")
        p.add("rows", (name, 2, 2))
    else:
        p.emit(f"real *{name} = {p.condition()} ? {p.numbers()} : {p.numbers()};")
        p.add("pointer", (name, 2))


@statement(2)
def help_with(p):
    """Functions through pointers, recursion, arguments that may alias."""
    p.emit(p.pick(
        f"{p.place()} = ({p.condition()} ? times : {p.pick('plus', 'minus')})"
        f"({p.number(2)}, {p.number(2)});",
        f"{p.place()} = mild(descend({p.numbers()}, {p.between(1, 5)}, {p.number(2)}));",
        f"add_to({p.number(2)}, {p.numbers()}, {p.numbers()}, 2);",
        f"{{ real held = {p.place()}; {p.place()} = {p.place()}; {p.place()} = held; }}"))


@statement()
def tagged(p):
    if p.loops > 1:
        return simple(p)
    g = p.fresh("g")
    p.emit("{", f"  Tagged {g}[3];", "  for (int i = 0; i < 3; i++) {",
           f"    {g}[i].tag = INDEX({p.integer()} + i, 2);", f"    if ({g}[i].tag)",
           f"      {g}[i].u.d = {p.mild(2)};", "    else", f"      {g}[i].u.k = {p.integer()};",
           "  }", f"  Tagged first = {g}[0];", f"  {g}[0] = {g}[{p.between(0, 2)}];",
           f"  {g}[2] = first;", "  for (int i = 0; i < 3; i++)",
           f"    {p.place()} += {g}[i].tag ? {g}[i].u.d : R(0.1) * {g}[i].u.k;", "}")
    return None


@statement()
def arrange(p):
    arrays = [(name, count) for name, count in p.all("array") if count > 2]
    if p.loops or not arrays:
        return simple(p)
    name, count = p.pick(*arrays)
    p.emit(f"for (int i = 1; i < {count}; i++) {{", f"  real z = {name}[i];", "  int j = i;",
           f"  for (; j > 0 && {name}[j - 1] > z; j--)", f"    {name}[j] = {name}[j - 1];",
           f"  {name}[j] = z;", "}")
    return None


@statement(2)
def change_given(p):
    """Pointers in the memory that the program was given lead elsewhere; its list is walked."""
    if p.loops > 1 or not p.all("given"):
        return simple(p)
    g, n = p.pick(*p.all("given")), p.fresh("n")
    if p.chance(0.5):
        own = p.pick(f"{g}->x + {p.index(5)}", f"{g}->rows[{p.index(2)}]", f"{g}->q.r",
                     f"{g}->p", f"{g}->w[{p.index(2)}].v", f"{g}->at->v", f"{g}->list->w")
        p.emit(p.pick(
            f"{g}->p = {own};", f"{g}->large.p = {own};", f"{g}->at = &{g}->w[{p.index(2)}];",
            f"{g}->rows[{p.index(2)}] = {own};",
            f"if ({p.condition()}) {{ real *held = {g}->p; {g}->p = {g}->rows[0]; "
            f"{g}->rows[0] = held; }}",
            f"{g}->list = {g}->list->next ? {g}->list->next : {g}->list;",
            f"{{ Large held = {g}->large; held.m[0][0] = {p.mild(2)}; {g}->large = held; }}"))
        return None
    p.emit(f"for (Node *{n} = {g}->list; {n}; {n} = {n}->next) {{")
    body(p, 1, 3, node=n)
    p.emit("}")
    return None
