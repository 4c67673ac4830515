# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Level 5: numbers that callees put into integers, characters and pointers of their callers'."""

from construct import construct

CALLEES = r"[@.](bits|bytes|halves_of|parcel|two|kept|either|link|cell)_\w+_\d"


def room(p, count):
    """Where integers for `count` numbers lie: what declares them, one as a text of its index, what
    ends them."""
    b = p.fresh("b")
    return p.pick([
        ([f"Bits {b}[{count}];"], b + "[{}]", []),
        ([f"Bits *{b} = (Bits *)malloc({count} * sizeof(Bits));"], b + "[{}]", [f"free({b});"]),
        ([f"struct {{ int k; Bits bits[{count}]; }} {b};"], b + ".bits[{}]", []),
        ([f"struct {{ Bits bits; int k; }} {b}[{count}];"], b + "[{}].bits", []),
        ([f"struct {{ struct {{ int k; Bits bits; }} in[2]; real r; }} {b}[{count}];"],
         b + "[{}].in[1].bits", []),
        ([f"Held *{b} = (Held *)malloc({count} * sizeof(Held));"], b + "[{}].bits",
         [f"free({b});"]),
        ([f"Either {b}[{count}];"], b + "[{}].b", [])])


def put(p, place, value):
    """A statement that lets a callee put the bits of a number there."""
    p.helper("bits_in")
    return p.pick([f"bits_put_{p.seed}(&{place}, {value});",
                   f"{place} = bits_made_{p.seed}({value});",
                   f"bits_copied_in_{p.seed}(&{place}, {value});",
                   f"{{ real t = {value}; bits_moved_{p.seed}(&{place}, &t); }}",
                   f"{place} = bits_held_{p.seed}({value}).bits;"])


def taken(p, place):
    """What reads the number whose bits lie there."""
    p.helper("bits_out")
    return p.pick([f"bits_taken_{p.seed}({place})", f"of_bits({place})",
                   f"bits_read_{p.seed}(&{place})", f"bits_copied_out_{p.seed}(&{place})",
                   f"bits_of_held_{p.seed}(held_of({place}))"])


def change(p, one, other):
    """A statement that changes bits, or moves them."""
    p.helper("bits_changed")
    return p.pick([f"{one} = flipped({other});", f"{one} = {other};",
                   f"bits_swap_{p.seed}(&{one}, &{other});",
                   f"{{ Bits t = {one}; {one} = {other}; {other} = t; }}",
                   f"{one} = bits_turned_{p.seed}({other});",
                   f"bits_turn_{p.seed}(&{one});",
                   f"{one} = bits_like_{p.seed}({one}, {other});",
                   f"{one} = flipped_if({other}, n > 3);",
                   f"memcpy(&{one}, &{other}, sizeof(Bits));"])


@construct(CALLEES, level=5, scoped=True, weight=3)
def bits_anywhere(p):
    """Integers of the caller's in any kind of memory, which callees fill, change and read."""
    count = p.between(1, 5)
    before, place, after = room(p, count)
    i = p.fresh("i")
    p.emit(*before, f"for (int {i} = 0; {i} < {count}; {i}++)",
           f"  {put(p, place.format(i), f'1.013 + 0.3 * {p.mild(p.atom())}')}")
    if p.chance(0.3):
        p.emit(put(p, place.format(0), p.squashed()))
    for _ in range(p.between(0, 4)):
        line = change(p, place.format(p.between(0, count)), place.format(p.between(0, count)))
        p.emit(*([f"if ({p.condition()})", f"  {line}"] if p.chance(0.4) else [line]))
    if p.chance(0.5):
        p.emit(f"for (int {i} = 0; {i} < {count}; {i}++)",
               f"  {p.place()} = {p.mild(taken(p, place.format(i)))};")
    else:
        p.emit(f"{p.place()} = {p.mild(taken(p, place.format(p.between(0, count))))};")
    p.emit(*after)


@construct(CALLEES, level=5, scoped=True)
def bits_in_bytes(p):
    """Characters into which callees write numbers, at any place."""
    b, i, j = p.fresh("b"), p.fresh("i"), p.fresh("j")
    count, ahead = p.between(2, 5), p.pick([0, 0, 1, 4, 8])
    p.helper("bytes")
    room_of = f"{ahead} + {count} * sizeof(real)"
    member, text = p.pick([("", f"char {b}[{room_of}];"), ("", f"unsigned char {b}[{room_of}];"),
                           (".bytes", f"struct {{ int k; char bytes[{room_of}]; }} {b};"),
                           (".bytes", f"struct {{ char bytes[{room_of}]; real r; }} {b};")])
    at = f"(char *){b}{member} + {ahead}"
    p.emit(text, f"for (int {i} = 0; {i} < {count}; {i}++)",
           f"  bytes_put_{p.seed}({at}, {i}, {p.atom()});")
    first, second = p.between(0, count), p.between(0, count)
    size = "(int)sizeof(real)"
    forms = [f"bytes_move_{p.seed}({at} + {first} * {size}, {at} + {second} * {size}, {size});",
             f"memmove({at}, {at} + {size}, {count - 1} * {size});",
             f"for (int {j} = 0; {j} < {size}; {j}++) ({at})[{first} * {size} + {j}] = "
             f"({at})[{second} * {size} + {j}];",
             f"for (int {j} = 0; {j} < {size}; {j}++) {{ char t = ({at})[{j}]; ({at})[{j}] = "
             f"({at})[{size} + {j}]; ({at})[{size} + {j}] = t; }}"]
    if p.chance(0.6):
        line = p.pick(forms)
        p.emit(*([f"if ({p.condition()})", f"  {line}"] if p.chance(0.4) else [line]))
    p.emit(f"{p.place()} = {p.mild(f'bytes_get_{p.seed}({at}, {p.between(0, count)})')};")
    if p.chance(0.4):
        p.emit(f"{{ real t; memcpy(&t, {at} + {first} * {size}, sizeof t); "
               f"{p.place()} += 0.5 * t; }}")


@construct(CALLEES, level=5, scoped=True)
def bits_in_rows(p):
    """A struct with an array of bits that a callee fills, passed by value and returned."""
    b = p.fresh("b")
    p.helper("parcel")
    count = p.between(1, 4)
    many = p.pick([f"{count}", f"{count} - (n > 99)"])
    heap = p.chance(0.3)
    fill = p.pick(["fill", "copy"])
    p.emit(*p.pick([[f"Parcel {b}_; parcel_{fill}_{p.seed}(&{b}_, {p.part(count)}, {many});"],
                    [f"Parcel {b}_ = parcel_made_{p.seed}({p.part(count)}, {many});"]]
                   if not heap else
                   [[f"Parcel *{b}_ = (Parcel *)malloc(sizeof(Parcel));",
                     f"parcel_{fill}_{p.seed}({b}_, {p.part(count)}, {many});"],
                    [f"Parcel *{b}_ = parcel_new_{p.seed}({p.part(count)}, {many});"]]))
    ends, at = [f"free({b}_);"] if heap else [], p.between(0, count)
    b = f"(*{b}_)" if heap else f"{b}_"
    forms = [f"{b}.bits[{at}] = flipped({b}.bits[{p.between(0, count)}]);",
             f"{b} = parcel_turned_{p.seed}({b}, {at});",
             f"{{ Parcel t = {b}; t.bits[0] = {b}.bits[{at}]; {b} = t; }}",
             f"if ({p.condition()}) {b}.count = 1;",
             f"parcel_turn_{p.seed}(&{b});",
             f"for (int i = 0; i < {b}.count; i++) {b}.bits[i] = flipped_if({b}.bits[i], i % 2);"]
    p.emit(*[p.pick(forms) for _ in range(p.between(0, 3))])
    p.emit(f"{p.place()} = {p.mild(f'parcel_sum_{p.seed}({b})')};")
    if p.chance(0.5):
        p.emit(f"{p.place()} += 0.5 * of_bits({b}.bits[0]);")
    p.emit(*ends)


@construct(CALLEES, level=5, scoped=True)
def bits_in_globals(p):
    """A global integer that keeps the bits of a number, and a global array of these."""
    p.helper("kept")
    kept, row, i = f"kept_one_{p.seed}", f"kept_row_{p.seed}", p.fresh("i")
    p.emit(f"kept_put_{p.seed}({p.atom()});", f"for (int {i} = 0; {i} < 3; {i}++)",
           f"  kept_at_{p.seed}({i}, {p.squashed()});")
    forms = [f"{kept} = flipped({kept});", f"{kept} = {row}[{p.between(0, 3)}];",
             f"{row}[1] = flipped_if({row}[{p.between(0, 3)}], n > 2);",
             f"{{ Bits t = {kept}; {kept} = {row}[0]; {row}[0] = t; }}",
             f"kept_turn_{p.seed}();", f"{p.place()} += 0.5 * of_bits({row}[2]);"]
    p.emit(*[p.pick(forms) for _ in range(p.between(0, 4))])
    p.emit(f"{p.place()} = {p.mild(f'kept_get_{p.seed}({p.between(0, 3)})')};")


@construct(CALLEES, level=5, scoped=True)
def bits_of_either(p):
    """A union of a number and an integer, by pointer: a callee writes one, the caller reads the
    other."""
    u = p.fresh("u")
    p.helper("either")
    count = p.between(1, 4)
    p.emit(f"Either {u}[{count}];", f"for (int i = 0; i < {count}; i++)",
           "  " + p.pick([f"either_put_{p.seed}(&{u}[i], {p.atom()});",
                          f"either_bits_{p.seed}(&{u}[i], bits_of({p.atom()}));",
                          f"{u}[i] = either_made_{p.seed}({p.atom()});"]))
    at, other = p.between(0, count), p.between(0, count)
    forms = [f"{u}[{at}].b = flipped({u}[{other}].b);", f"either_turn_{p.seed}(&{u}[{at}]);",
             f"{{ Bits t = {u}[{at}].b; {u}[{other}].b = t; }}",
             f"if ({u}[{at}].r > 0) {u}[{at}].b = flipped({u}[{at}].b);",
             f"{u}[{at}].r *= 0.5;", f"{u}[{at}] = {u}[{other}];"]
    p.emit(*[p.pick(forms) for _ in range(p.between(0, 4))])
    p.emit(f"{p.place()} = " + p.mild(p.pick([f"{u}[{at}].r", f"of_bits({u}[{at}].b)",
                                              f"either_get_{p.seed}({u}[{at}])",
                                              f"either_at_{p.seed}(&{u}[{at}])"])) + ";")


@construct(CALLEES, level=5, scoped=True)
def bits_in_halves(p):
    """The bits of a number as several integers of 32."""
    h, i = p.fresh("h"), p.fresh("i")
    p.helper("halves_of")
    count = p.between(1, 4)
    words = "(int)(sizeof(real) / 4)"
    member, text = p.pick([("", f"uint32_t {h}[{count}][sizeof(real) / 4];"),
                           (".half", f"struct {{ uint32_t half[sizeof(real) / 4]; int k; }} "
                            f"{h}[{count}];")])
    p.emit(text, f"for (int {i} = 0; {i} < {count}; {i}++)",
           f"  halves_of_put_{p.seed}({h}[{i}]{member}, {p.atom()});")
    one, other = f"{h}[{p.between(0, count)}]{member}", f"{h}[{p.between(0, count)}]{member}"
    forms = [f"for (int {i} = 0; {i} < {words}; {i}++) {one}[{i}] = {other}[{i}];",
             f"for (int {i} = 0; {i} < {words}; {i}++) {{ uint32_t t = {one}[{i}]; "
             f"{one}[{i}] = {other}[{i}]; {other}[{i}] = t; }}",
             f"memcpy({one}, {h}[0]{member}, sizeof {one});",
             f"halves_of_move_{p.seed}({one}, {other});"]
    if p.chance(0.7):
        line = p.pick(forms)
        p.emit(*([f"if ({p.condition()})", f"  {line}"] if p.chance(0.4) else [line]))
    p.emit(f"{p.place()} = {p.mild(f'halves_of_get_{p.seed}({other})')};")


@construct(CALLEES, level=5, scoped=True)
def bits_of_two(p):
    """Two small numbers in one wide integer."""
    t, i = p.fresh("t"), p.fresh("i")
    p.helper("two")
    count = p.between(1, 4)
    p.emit(f"Two {t}[{count}];", f"for (int {i} = 0; {i} < {count}; {i}++)",
           "  " + p.pick([f"two_put_{p.seed}(&{t}[{i}], (narrow){p.atom()}, (narrow){p.atom()});",
                          f"{t}[{i}] = two_of((narrow){p.atom()}, (narrow){p.atom()});",
                          f"{t}[{i}] = two_made_{p.seed}((narrow){p.atom()}, "
                          f"(narrow){p.atom()});"]))
    at = f"{t}[{p.between(0, count)}]"
    forms = [f"{at} = two_turned({at});", f"{at} = two_turn_{p.seed}({at});",
             f"{at} = {t}[{p.between(0, count)}];",
             f"if ({p.condition()}) {at} = two_turned({t}[0]);"]
    p.emit(*[p.pick(forms) for _ in range(p.between(0, 3))])
    p.emit(f"{p.place()} = " + p.mild(p.pick([f"(real)first_of({at})", f"(real)second_of({at})",
                                              f"two_sum_{p.seed}({at})"])) + ";")


@construct(CALLEES, level=5, scoped=True)
def bits_of_two_in_rows(p):
    """The same in an array of a struct, which callees fill."""
    t, i = p.fresh("t"), p.fresh("i")
    p.helper("two")
    count = p.between(1, 4)
    before, row, after = p.pick([
        (f"Twos {t};", t, []),
        (f"Twos *{t} = (Twos *)malloc(sizeof(Twos));", f"(*{t})", [f"free({t});"]),
        (f"struct {{ Twos in[2]; real r; }} {t};", f"{t}.in[1]", [])])
    one, other = f"{row}.two[{p.between(0, count)}]", f"{row}.two[{p.between(0, count)}]"
    p.emit(before, p.pick([
        f"for (int {i} = 0; {i} < {count}; {i}++) two_row_put_{p.seed}(&{row}, {p.atom()}, {i});",
        f"two_row_fill_{p.seed}(&{row}, (narrow){p.atom()}, {count});",
        f"for ({row}.count = 0; {row}.count < {count}; {row}.count++) "
        f"two_put_{p.seed}(&{row}.two[{row}.count], (narrow){p.atom()}, (narrow){p.atom()});"]))
    forms = [f"{one} = two_turned({other});", f"{one} = {other};",
             f"two_row_turn_{p.seed}(&{row}, {p.between(0, count)});",
             f"{{ Two t = {one}; {one} = {other}; {other} = t; }}",
             f"if ({p.condition()}) {one} = two_turned({other});"]
    p.emit(*[p.pick(forms) for _ in range(p.between(0, 3))])
    p.emit(f"{p.place()} = " + p.mild(p.pick([f"(real)first_of({one})", f"(real)second_of({one})",
                                              f"two_row_sum_{p.seed}(&{row})"])) + ";", *after)


@construct(CALLEES, level=5, scoped=True)
def bits_in_links(p):
    """Numbers as the loads of a list, which are pointers or integers as wide as these."""
    w, e = p.fresh("w"), p.fresh("e")
    p.helper("link")
    count = p.between(1, 5)
    kind = p.pick(["Word", "Any"])
    p.emit(f"Link{kind} *{w} = NULL;", f"for (int i = 0; i < {count}; i++)",
           f"  {w} = link_{kind}_add_{p.seed}({w}, {p.atom()});")
    if p.chance(0.5):
        p.emit(f"for (Link{kind} *{e} = {w}; {e} && {e}->next; {e} = {e}->next) {{",
               f"  {kind} t = {e}->load; {e}->load = {e}->next->load; {e}->next->load = t;", "}")
    p.emit(f"{p.place()} = {p.mild(f'link_{kind}_sum_{p.seed}({w})')};",
           f"while ({w}) {{ Link{kind} *next = {w}->next; free({w}); {w} = next; }}")


@construct(CALLEES, level=5, scoped=True)
def bits_in_cells(p):
    """A hash table whose values are pointers or integers as wide as these."""
    t, i = p.fresh("t"), p.fresh("i")
    p.helper("cell")
    kind = p.pick(["Word", "Any"])
    p.emit(f"Cells{kind} {t};", f"memset(&{t}, 0, sizeof {t});",
           f"for (int {i} = 0; {i} < {p.between(1, 6)}; {i}++)",
           f"  cell_{kind}_set_{p.seed}(&{t}, {p.pick(['3 * ', '', '7 * '])}{i} + 1, {p.atom()});")
    if p.chance(0.4):
        p.emit(f"{{ Cells{kind} c = {t}; {t} = c; }}")
    p.emit(f"{p.place()} = "
           f"{p.mild(f'cell_{kind}_get_{p.seed}(&{t}, {p.between(1, 9)}, {p.atom()})')};")
