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
    seen: re.Pattern | None
    write: Callable


def construct(level, weight=2.0, nested=False, seen=None):
    """Enters a function: the lowest level that has it, how often, whether statements stand in it,
    and what the optimised code shows where the construct is still there."""
    def enter(write):
        pattern = re.compile(seen) if seen else None
        TABLE.append(Construct(write.__name__, level, weight, nested, pattern, write))
        return write
    return enter
