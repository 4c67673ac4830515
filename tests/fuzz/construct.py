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
    seen: str
    write: Callable


def in_braces(write):
    """The function, with what it writes in a block of its own."""
    def scoped(p):
        p.opened()
        write(p)
        p.closed()
    return scoped


def construct(seen, level, weight=2.0, nested=False, scoped=False, rare=False):
    """Enters a function: what the prepared code shows where the construct is still there (NAME
    stands for the names that it made), the lowest level that has it, how often, whether statements
    stand in it, whether it declares variables and so needs braces, whether few programs have it
    (what is always refused)."""
    def enter(write):
        writer = in_braces(write) if scoped else write
        TABLE.append(Construct(write.__name__, level, weight, nested, rare, seen, writer))
        return write
    return enter


def survives(chosen, names, code):
    """Does the code show something of the construct, which made these names?"""
    pattern = chosen.seen.replace("NAME", f"(?:{'|'.join(names)})(?![0-9])" if names else "(?!)")
    return re.search(pattern, code) is not None
