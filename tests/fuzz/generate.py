#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes random programs in the form of tests/run/cases.h.

    generate.py [--level 5] SEED...          to the standard output

The case seed_N depends on N and on the level alone; the type of small fields, on N // BATCH.
"""

import argparse
import random

import bits  # noqa: F401
import grids  # noqa: F401
import language  # noqa: F401
import memory  # noqa: F401
import plain  # noqa: F401
import structures  # noqa: F401
import shared  # noqa: F401
import systems  # noqa: F401
from construct import LEVELS
from bit_helpers import TYPES as BIT_TYPES
from helpers import TYPES
from program import LENGTH, RESULTS, SAMPLES, Program

BATCH = 10
SCALARS = ["r0", "r1", "r2"]
KINDS = ["MAP"] * 16 + ["SUM", "SUM", "TWIN"]
HEADER = """// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Written by tests/fuzz/generate.py. */
{tolerance}#include "cases.h"

typedef {narrow} narrow;
"""


def scalar_helper(p, k):
    """A function of two numbers and an integer, perhaps one that calls itself."""
    name = f"h{k}_{p.seed}"
    inside = Program(f"{p.seed} helper {k}", p.level)
    inside.scalars = ["p", "q"]
    inside.calls = list(p.calls)
    p.ahead(f"static NOINLINE real {name}(real p, real q, int k) {{")
    if inside.chance(0.4):
        again = inside.squashed()
        p.ahead(f"  if (k <= 0 || {inside.condition()})", f"    return {inside.squashed()};",
                f"  p = 0.5 * {name}({again}, p, k - 1) + {name}(q, 0.5, k - 2);")
    p.ahead(f"  return {inside.squashed()} + 0.1 * k * q;", "}\n")
    p.calls.append(f"{name}({{0}}, {{1}}, {p.between(0, 4)})")


def start(p, kind):
    """The variables of a case of that kind, with their first values."""
    p.scalars = list(SCALARS)
    p.arrays = {"a": LENGTH, "b": LENGTH}
    if kind == "MAP":
        p.arrays.update(x=SAMPLES, y=RESULTS)
    elif kind == "SUM":
        p.arrays.update(x=SAMPLES)
        p.leaving = "return r0;"
    else:
        p.inputs = {"x": SAMPLES, "y": SAMPLES}
        p.leaving = "return r1;"
    for k, name in enumerate(p.scalars):
        p.emit(f"real {name} = x[{k}];")
    for name in ("a", "b"):
        p.emit(f"real {name}[{LENGTH}];", f"for (int i = 0; i < {LENGTH}; i++)",
               f"  {name}[i] = {p.number()} * x[i % n];")


def finish(p, kind):
    if kind == "MAP":
        for k in range(RESULTS):
            p.emit(f"y[{k}] += {p.squashed()};")
    else:
        p.emit(f"return {p.squashed()} + {p.mild(p.atom())};")


def make_program(seed, level, wanted=()):
    """The program of a seed, with some of the constructs of these names if any are given."""
    p = Program(seed, level, wanted)
    kind = p.pick(KINDS) if level > 2 else "MAP"
    p.budget = p.between(4, 9 + 2 * level)
    for k in range(p.between(0, 3)):
        scalar_helper(p, k)
    start(p, kind)
    for _ in range(p.between(2, 6)):
        p.statement()
    if level == max(LEVELS):
        p.write_rest()
    finish(p, kind)
    sizes = f"{SAMPLES}, {RESULTS}" if kind == "MAP" else f"{SAMPLES}"
    samples = ", ".join(p.number() for _ in range(2 * SAMPLES))
    p.lines = [*p.prologue, f"{kind}(seed_{seed}, {sizes}, {samples}) {{", *p.lines, "}\n"]
    p.owner_of_line = [*p.owners["prologue"], "frame", *p.owners["lines"], "frame", "frame"]
    return p


def make_header(batch):
    """What stands before the programs of one batch of seeds."""
    narrow = random.Random(f"narrow {batch}").random() < 0.3
    return HEADER.format(narrow="single" if narrow else "wide",
                         tolerance="// tolerance: 2e-5\n" if narrow else "") + TYPES + BIT_TYPES


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--level", type=int, default=max(LEVELS))
    parser.add_argument("seeds", type=int, nargs="+")
    given = parser.parse_args()
    print(make_header(given.seeds[0] // BATCH))
    for seed in given.seeds:
        print("\n".join(make_program(seed, given.level).lines))


if __name__ == "__main__":
    main()
