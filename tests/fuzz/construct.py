# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table of what random programs are made of.

A construct is a function that writes one statement, with all that it needs inside braces, so that
it can stand anywhere. The decorator enters it into TABLE.
"""

import re
from dataclasses import dataclass
from typing import Callable

TABLE = []
LEVELS = {1: "arithmetic, branches and loops", 2: "arrays and exits that depend on data",
          3: "structs, pointers, recursion, several precisions", 4: "heap, lists, gotos",
          5: "systems code"}


@dataclass(frozen=True)
class Construct:
    """One kind of statement."""

    name: str
    level: int
    weight: float
    nested: bool
    rare: bool
    seen: re.Pattern | None
    write: Callable


def in_braces(write):
    """The function, with what it writes in a block of its own."""
    def scoped(p):
        p.opened()
        write(p)
        p.closed()
    return scoped


def construct(level, weight=2.0, nested=False, scoped=False, rare=False, seen=None):
    """Enters a function: the lowest level that has it, how often, whether statements stand in it,
    whether it declares variables and so needs braces, whether few programs have it (what is always
    refused), and what the optimised code shows where the construct is still there."""
    def enter(write):
        pattern = re.compile(seen) if seen else None
        writer = in_braces(write) if scoped else write
        TABLE.append(Construct(write.__name__, level, weight, nested, rare, pattern, writer))
        return write
    return enter
