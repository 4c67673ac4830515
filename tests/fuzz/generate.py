#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes random programs in the form of tests/run/cases.h.

    generate.py --seed 1 --count 40 --out DIR
    runner.py --programs DIR --llvm 22 --levels ci --build build/llvm-22

The case seed_N depends on N alone. All values stay near 1 (what is assigned is squashed first), so
that derivatives are well scaled; all loops are bounded, whatever the data say.
"""

import argparse
import pathlib
import random

from constructs import TYPES, Constructs

SAMPLES = 6
RESULTS = 4
LENGTH = 8
CASES_PER_FILE = 10
SCALARS = ["r0", "r1", "r2"]
ARRAYS = {"x": SAMPLES, "y": RESULTS, "a": LENGTH, "b": LENGTH}
SQUASHES = ["sin({})", "tanh({})", "soft({})", "0.5 * cos({})"]
HEADER = """// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Written by tests/fuzz/generate.py. */
{tolerance}#include "cases.h"

typedef {narrow} narrow;
typedef struct {{
  real u, v;
}} Pair;
{types}
static real soft(real t) {{ return t / (1 + t * t); }}
"""


class Program(Constructs):
    """One random function and its helpers."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.seed = seed
        self.lines = []
        self.depth = 1
        self.counters = []
        self.names = 0
        self.loops = 0
        self.held = 0
        self.budget = self.random.randrange(8, 24)
        self.scalars = list(SCALARS)
        self.arrays = dict(ARRAYS)
        self.helpers = []

    def pick(self, choices):
        return self.random.choice(choices)

    def chance(self, probability):
        return self.random.random() < probability

    def emit(self, text):
        self.lines.append("  " * self.depth + text)

    def fresh(self, prefix):
        self.names += 1
        return f"{prefix}{self.names}"

    def number(self):
        return f"{self.random.uniform(-1.5, 1.5):.3f}"

    def index(self, size):
        """An index into an array of that size."""
        if self.counters and self.chance(0.7):
            offset = self.random.randrange(3)
            return f"({self.pick(self.counters)} + {offset}) % {size}"
        return str(self.random.randrange(size))

    def element(self):
        name = self.pick(list(self.arrays))
        return f"{name}[{self.index(self.arrays[name])}]"

    def place(self):
        """Something that can be assigned to."""
        return self.pick(self.scalars) if self.chance(0.4) else self.element()

    def atom(self):
        if self.chance(0.1):
            return f"({self.number()})"
        if self.counters and self.chance(0.1):
            return f"(0.1 * {self.pick(self.counters)})"
        return self.place()

    def condition(self):
        kind = self.random.randrange(4)
        if kind == 0 and self.counters:
            return f"{self.pick(self.counters)} % {self.random.randrange(2, 4)} == 0"
        return f"{self.atom()} {self.pick(['<', '>', '<=', '>='])} {self.number()}"

    def expression(self, depth):
        """A value, finite where its parts are."""
        if depth == 0:
            return self.atom()
        left = self.expression(depth - 1)
        right = self.expression(self.random.randrange(depth))
        forms = ["({0} + {1})", "({0} - {1})", "{0} * {1}", "{0} / (1.5 + {1} * {1})", "sin({0})",
                 "cos({0})", "exp(-{0} * {0})", "sqrt(1 + {0} * {0})", "log(2 + {0} * {0})",
                 "(-{0})", "({2} ? {0} : {1})", "({1} > 0.2 ? {0} / {1} : {0})",
                 "({1} != 0 ? {0} * {1} : {0})", "pow(1 + {0} * {0}, 1.5)", "fabs({0} + 0.011)",
                 "fmax({0}, 0.317 * {1})", "soft({0})", "atan({0})", "{0} * (real)(int){1}"]
        if self.helpers:
            forms += [self.pick(self.helpers)] * 3
        return self.pick(forms).format(left, right, self.condition())

    def squashed(self):
        return self.pick(SQUASHES).format(self.expression(self.random.randrange(1, 3)))

    def assign(self):
        form = self.pick(["{} = {};", "{} += 0.25 * {};", "{} *= {};", "{} -= 0.5 * {};"])
        self.emit(form.format(self.place(), self.squashed()))

    def shift(self):
        """a[i] = g(a[i + 1]) over a part of an array."""
        name = self.pick(list(self.arrays))
        i = self.fresh("i")
        size = self.arrays[name]
        step, take = self.pick([(1, "+ 1"), (1, "+ 2"), (-1, "- 1"), (-1, "- 2")])
        low, high = (0, size - 2) if step == 1 else (2, size)
        head = f"int {i} = {low}; {i} < {high}; {i}++" if self.chance(0.5) else \
            f"int {i} = {high - 1}; {i} >= {low}; {i}--"
        self.emit(f"for ({head})")
        value = self.pick(SQUASHES).format(f"{name}[{i} {take}]")
        self.emit(f"  {name}[{i}] = {value};")

    def block(self, size):
        self.depth += 1
        for _ in range(size):
            self.statement()
        self.depth -= 1

    def branch(self):
        self.emit(f"if ({self.condition()}) {{")
        self.block(self.random.randrange(1, 3))
        if self.chance(0.5):
            self.emit("} else {")
            self.block(self.random.randrange(1, 3))
        self.emit("}")

    def switch(self):
        key = self.pick(self.counters) if self.counters and self.chance(0.7) else \
            f"(int)(4 * {self.pick(self.scalars)})"
        self.emit(f"switch ({key} % 4) {{")
        loops, self.loops = self.loops, 0
        for label in self.random.sample(["case 0:", "case 1:", "case 2:", "default:"], 3):
            self.emit(f"{label} {{")
            self.block(1)
            if self.chance(0.6):
                self.emit("  break;")
            self.emit("}")
        self.loops = loops
        self.emit("}")

    def leave(self):
        """A break or continue under a condition; only where a loop encloses it directly."""
        if self.loops:
            self.emit(f"if ({self.condition()})")
            self.emit("  " + self.pick(["break;", "continue;"]))

    def loop_body(self, counter):
        self.counters.append(counter)
        self.loops += 1
        self.block(self.random.randrange(1, 4))
        self.loops -= 1
        self.counters.pop()

    def loop(self):
        i = self.fresh("i")
        trips = self.random.randrange(0, 5)
        heads = [f"int {i} = 0; {i} < {trips}; {i}++", f"int {i} = {trips}; {i} > 0; {i}--",
                 f"int {i} = 0; {i} < n; {i} += 2", f"int {i} = 1; {i} < n; {i} *= 2",
                 f"int {i} = 0; {i} < {trips + 2} && {self.condition()}; {i}++",
                 f"int {i} = 0; {i} < 1 + (int)({self.pick(self.scalars)} * "
                 f"{self.pick(self.scalars)} * 3) % 4; {i}++"]
        if self.counters:
            heads.append(f"int {i} = 0; {i} <= {self.pick(self.counters)} % 4; {i}++")
        self.emit(f"for ({self.pick(heads)}) {{")
        self.loop_body(i)
        self.emit("}")

    def do_loop(self):
        i = self.fresh("i")
        self.emit(f"int {i} = 0;")
        self.emit("do {")
        self.emit(f"  {i}++;")
        self.loop_body(i)
        self.emit(f"}} while ({i} < {self.random.randrange(1, 6)} && {self.condition()});")

    def exchange(self):
        t = self.fresh("t")
        first, second = self.random.sample(self.scalars, 2)
        self.emit(f"real {t} = {first};")
        self.emit(f"{first} = {second};")
        self.emit(f"{second} = {t};")

    def copy(self):
        """A part of an array onto another, or onto itself."""
        to, size = self.pick(list(self.arrays.items()))
        source, other = self.pick(list(self.arrays.items()))
        count = self.random.randrange(1, min(size, other))
        amount = str(count) if self.chance(0.5) else f"(n - {SAMPLES - count})"
        at = self.random.randrange(size - count + 1)
        start = self.random.randrange(other - count + 1)
        self.emit(f"memmove({to} + {at}, {source} + {start}, (size_t){amount} * sizeof(real));")

    def clear(self):
        to, size = self.pick(list(self.arrays.items()))
        count = self.random.randrange(1, size)
        at = self.random.randrange(size - count + 1)
        self.emit(f"memset({to} + {at}, 0, {count} * sizeof(real));")

    def heap(self):
        """A block of memory for the statements in between."""
        name = self.fresh("h")
        size = self.random.randrange(2, 6)
        self.emit("{")
        self.depth += 1
        allocation = f"calloc({size}, sizeof(real))" if self.chance(0.5) else \
            f"malloc({size} * sizeof(real))"
        self.emit(f"real *{name} = (real *){allocation};")
        for k in range(size):
            self.emit(f"{name}[{k}] = {self.squashed()};")
        self.arrays[name] = size
        loops, self.loops = self.loops, 0
        self.held += 1
        self.depth -= 1
        self.block(2)
        self.loops = loops
        self.held -= 1
        del self.arrays[name]
        self.emit(f"  free({name});")
        self.emit("}")

    def pair(self):
        p = self.fresh("p")
        self.emit(f"Pair {p} = {{{self.squashed()}, {self.atom()}}};")
        self.emit(f"{p} = turn_{self.seed}({p}, {self.atom()});")
        self.emit(f"{self.place()} = {p}.u * 0.5 + {p}.v * 0.25;")

    def through_pointer(self):
        p = self.fresh("q")
        self.emit(f"real *{p} = {self.condition()} ? &{self.element()} : &{self.element()};")
        self.emit(f"*{p} = 0.5 * *{p} + {self.squashed()};")
        if self.chance(0.5):
            self.emit(f"update_{self.seed}({p}, &{self.element()}, {self.atom()});")

    def message(self):
        self.emit(f'printf("%g\\n", (double)VALUE({self.pick(self.scalars)}));')

    def statement(self):
        """One statement; nesting ends where the budget does."""
        self.budget -= 1
        simple = [self.assign] * 3 + [self.shift, self.exchange, self.copy, self.clear, self.leave,
                                      self.pair, self.through_pointer, self.message,
                                      self.mixed_array, self.nested_struct, self.rows, self.nodes,
                                      self.grid, self.heap_in_loop, self.accumulate, self.give_up]
        simple += [self.call_arrays, self.guarded, self.library] * 2
        nested = [self.branch, self.loop, self.while_loop] * 2
        nested += [self.do_loop, self.switch, self.heap, self.moving_bound, self.jump]
        deep = self.depth > 4 or self.budget < 0 or len(self.counters) > 2
        self.pick(simple if deep or self.chance(0.5) else nested)()

    def scalar_helper(self, name, call):
        """A function of two numbers and an integer, perhaps one that calls itself."""
        recursive = self.chance(0.4)
        inside = Program(self.random.random())
        inside.scalars = ["p", "q"]
        inside.arrays = {}
        inside.place = lambda: inside.pick(inside.scalars)
        inside.helpers = list(self.helpers)
        self.lines.append(f"static NOINLINE real {name}(real p, real q, int k) {{")
        if recursive:
            again = inside.squashed()
            self.lines.append(f"  if (k <= 0 || {inside.condition()})")
            self.lines.append(f"    return {inside.squashed()};")
            self.lines.append(f"  p = 0.5 * {name}({again}, p, k - 1) + {name}(q, 0.5, k - 2);")
        self.lines.append(f"  return {inside.squashed()} + 0.1 * k * q;")
        self.lines.append("}\n")
        self.helpers.append(call)

    def memory_helpers(self):
        seed = self.seed
        self.lines += [
            f"static NOINLINE Pair turn_{seed}(Pair p, real t) {{",
            "  Pair r;",
            f"  r.u = {self.pick(SQUASHES).format('p.u * t - p.v')};",
            f"  r.v = {self.pick(SQUASHES).format('p.v + t * p.u')};",
            "  return r;", "}\n",
            f"static NOINLINE void update_{seed}(real *p, real *q, real t) {{",
            f"  *p = {self.pick(SQUASHES).format('*p * t + *q')};",
            f"  *q = {self.pick(SQUASHES).format('*q - *p * t')};",
            "}\n"]

    def text(self):
        """The whole program."""
        for k in range(self.random.randrange(1, 4)):
            call = f"h{k}_{self.seed}({{0}}, {{1}}, {self.random.randrange(4)})"
            self.scalar_helper(f"h{k}_{self.seed}", call)
        self.memory_helpers()
        self.helper_functions()
        samples = [self.number() for _ in range(2 * SAMPLES)]
        self.lines.append(f"MAP(seed_{self.seed}, {SAMPLES}, {RESULTS}, {', '.join(samples)}) {{")
        for k, name in enumerate(self.scalars):
            self.emit(f"real {name} = x[{k}];")
        for name in ("a", "b"):
            self.emit(f"real {name}[{LENGTH}];")
            self.emit(f"for (int i = 0; i < {LENGTH}; i++)")
            self.emit(f"  {name}[i] = {self.number()} * x[i % n];")
        for _ in range(self.random.randrange(3, 8)):
            self.statement()
        for k in range(RESULTS):
            self.emit(f"y[{k}] += {self.squashed()};")
        self.lines.append("}\n")
        return "\n".join(self.lines)


def write(target, seeds, narrow, tolerance):
    """A file of programs, of which the type of small fields is float or double."""
    programs = [Program(seed).text() for seed in seeds]
    header = HEADER.format(types=TYPES, narrow=narrow, tolerance=tolerance)
    target.write_text(header + "\n" + "\n".join(programs))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    for first in range(given.seed, given.seed + given.count, CASES_PER_FILE):
        seeds = range(first, min(first + CASES_PER_FILE, given.seed + given.count))
        write(given.out / f"random_{first}.c", [seed for seed in seeds if seed % 3], "wide", "")
        write(given.out / f"random_{first}_narrow.c", [seed for seed in seeds if seed % 3 == 0],
              "single", "// tolerance: 2e-5\n")


if __name__ == "__main__":
    main()
