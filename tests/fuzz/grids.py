# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Level 4: loops over neighbours in several arrays, one after the other, in steps of time."""

from construct import construct

LENGTH = 9
PLACES = ["{i}"] * 5 + ["{i} - 1", "{i} + 1", "{i} - 2", "{i} + 2", "({i} * 3 + 1) % {n}",
                        "{n} - 1 - {i}"]


class Grid:
    """The arrays of one statement, its loops' counter, and the length that all arrays have."""

    def __init__(self, p):
        self.p = p
        self.base = p.fresh("g")
        self.length = f"{self.base}n"
        self.sum = f"{self.base}s"
        self.arrays = [f"{self.base}{letter}" for letter in "abc"[:p.between(2, 4)]]

    def at(self, array, place):
        return f"{array}[{place.format(i='i', n=self.length)}]"

    def any(self):
        """An element near the counter's."""
        return self.at(self.p.pick(self.arrays), self.p.pick(PLACES))

    def value(self):
        form = self.p.pick(["{} * {}", "0.5 * {} + 0.2 * {}", "{} - 0.1 * {}"])
        text = form.format(self.any(), self.any())
        return self.p.mild(text) if self.p.chance(0.4) else f"0.5 * ({text})"

    def change(self):
        """What a loop does with an element: assigns it, perhaps only where the data say so."""
        target = self.sum if self.p.chance(0.3) else \
            self.at(self.p.pick(self.arrays), self.p.pick(PLACES[:7]))
        text = f"{target} {'+=' if target == self.sum else self.p.pick(['=', '=', '+=', '*='])} " \
               f"{self.value()};"
        return f"if ({self.any()} > 0.1) {text}" if self.p.chance(0.25) else text

    def carried(self):
        """What an iteration hands to the next: the values before a loop, and what it does."""
        old, older = f"{self.base}p", f"{self.base}q"
        array = self.p.pick(self.arrays)
        first = [self.p.pick([f"{array}[0]", f"{array}[1]", f"{array}[2]", "0.75",
                              f"{array}[{self.length} - 1]"]) for _ in range(2)]
        lines = [f"{self.sum} += 0.1 * {old} * {self.any()} + 0.2 * {older};",
                 self.p.pick([f"{older} = {old};", f"{older} *= 0.5;"]),
                 f"{old} = {self.at(array, self.p.pick(['{i}', '{i} + 1', '{i} - 1']))};"]
        return f"real {old} = {first[0]}, {older} = {first[1]};", lines

    def loop(self):
        before, body = self.carried() if self.p.chance(0.35) else ("", [])
        body += [self.change() for _ in range(self.p.between(1, 3))]
        if self.p.chance(0.1):
            body.append(f"if ({self.sum} > 5) break;")
        head = self.p.pick([f"for (int i = 2; i < {self.length} - 2; i++) {{"] * 3 +
                           [f"for (int i = {self.length} - 3; i >= 2; i--) {{"])
        return ["{", *([f"  {before}"] if before else []), f"  {head}",
                *[f"    {line}" for line in body], "  }", "}"]


@construct(r"%NAME\w*\S* = (alloca|phi|call|tail)", level=4, scoped=True)
def grid(p):
    """Arrays on the heap or the stack, changed by loops over neighbours."""
    g = Grid(p)
    place = p.pick(["stack", "malloc", "calloc"])
    p.emit(f"int {g.length} = n + {LENGTH} - {p.between(5, 7)};", f"real {g.sum} = 0;")
    for array in g.arrays:
        size = f"(size_t){g.length}, sizeof(real)" if place == "calloc" else \
            f"(size_t){g.length} * sizeof(real)"
        p.emit(f"real {array}[{2 * LENGTH}];" if place == "stack" else
               f"real *{array} = (real *){place}({size});")
    name, size = p.whole()
    p.emit(f"for (int i = 0; i < {g.length}; i++) {{",
           *[f"  {array}[i] = {p.mild(f'{name}[(i + {k}) % {size}]')};"
             for k, array in enumerate(g.arrays)], "}")
    loops = [line for _ in range(p.between(2, 5)) for line in g.loop()]
    if p.chance(0.5):
        steps = p.pick(["2", "3", "n % 4"])
        loops = [f"for (int t = 0; t < {steps}; t++) {{", *[f"  {line}" for line in loops], "}"]
    p.emit(*loops, f"for (int i = 0; i < {g.length}; i++)",
           f"  {g.sum} += 0.1 * (i + 1) * {g.arrays[0]}[i] + 0.2 * {g.arrays[-1]}[i];",
           *[f"free({array});" for array in g.arrays if place != "stack"],
           f"{p.place()} = {p.mild(g.sum)};")
