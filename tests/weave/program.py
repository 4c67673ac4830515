# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A random program: scopes, what is in them, and expressions over that."""

import random

KINDS = ("real", "int", "array", "pointer", "small", "at_small", "large", "pair", "node", "rows",
         "given", "pool", "record")
OPERATORS = ("+", "-", "*")
FUNCTIONS = ("sine", "squash", "bell", "size")
DEEPEST = 3


class Program:
    """Writes statements into `lines`. A scope says, for each of KINDS, which names are in it; those
    of arrays and pointers stand with their length, those of rows with both. Those of variants are
    no numbers, and "variant" and "variants", arrays of them, are not in KINDS. A "pool" is a block
    of bytes with records, a "record" a pointer to one."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = []
        self.scopes = [{}]
        self.helpers = []
        self.more_kinds = []
        self.more_statements = []
        self.variants = None
        self.pools = None
        self.anchors = ()
        self.names = 0
        self.loops = 0
        self.left = 0

    # --- Choices and names.

    def chance(self, probability):
        return self.random.random() < probability

    def between(self, first, last):
        return self.random.randint(first, last)

    def pick(self, *items):
        return self.random.choice(items)

    def fresh(self, letter):
        self.names += 1
        return f"{letter}{self.names}"

    def add(self, kind, item):
        self.scopes[-1].setdefault(kind, []).append(item)

    def all(self, *kinds):
        return [item for scope in self.scopes for kind in kinds for item in scope.get(kind, [])]

    def emit(self, *lines):
        self.lines += ["  " * len(self.scopes) + line for line in lines]

    # --- Integers and conditions: an index is never out of its array. What stands in an expression
    # is as deep as `depth` says; from DEEPEST on it is a name or a constant.

    def integer(self, depth=0):
        known = self.all("int")
        if depth >= DEEPEST or not known or self.chance(0.3):
            return self.pick(*known) if known and self.chance(0.6) else str(self.between(0, 6))
        left, kind = self.integer(depth + 1), self.between(0, 3)
        if kind == 0:
            return f"({left} + {self.integer(depth + 1)})"
        if kind == 1:
            return f"({self.condition(depth + 1)} ? {left} : {self.between(0, 5)})"
        operator = "*" if kind == 2 else "^"
        return f"({left} {operator} {self.between(1, 7)})"

    def index(self, count, depth=1):
        if self.chance(0.3):
            return str(self.between(0, count - 1))
        return f"INDEX({self.integer(depth)}, {count})"

    def condition(self, depth=0):
        if self.chance(0.5):
            operator = self.pick("<", ">", "==", "!=")
            return f"{self.integer(depth + 1)} {operator} {self.integer(depth + 1)}"
        if self.chance(0.2):
            return f"({self.integer(depth + 1)} & 1)"
        return f"{self.place(depth + 1)} {self.pick('<', '>')} {self.constant()}"

    # --- Numbers.

    def constant(self):
        return f"R({self.random.uniform(-2, 2):.3f})"

    def member(self, name, access=".", depth=1):
        return self.pick(f"{name}{access}a", f"{name}{access}b",
                         f"{name}{access}v[{self.index(3, depth)}]")

    def member_of_large(self, name, depth):
        at = self.index(2, depth)
        return self.pick(f"{name}.m[{at}][{self.between(0, 1)}]", f"{name}.p[{at}]",
                         self.member(f"{name}.s", ".", depth),
                         self.member(f"{name}.w[{at}]", ".", DEEPEST))

    def place(self, depth=1):
        """A number that can be written."""
        kind = self.pick(*[kind for kind in KINDS if kind != "int" and self.all(kind)])
        item = self.pick(*self.all(kind))
        if kind in ("array", "pointer"):
            name, count = item
            at = self.index(count, depth)
            return self.pick(f"{name}[{at}]", f"*({name} + {at})")
        if kind == "rows":
            name, count, length = item
            return f"{name}[{self.index(count, depth)}][{self.index(length, depth)}]"
        if kind == "pair":
            return self.pick(f"{item}.r[{self.index(2, depth)}]", f"{item}.q.x", f"{item}.q.y")
        if kind == "node":
            return self.pick(f"{item}->v", f"{item}->w[{self.index(2, depth)}]")
        if kind == "given":
            return f"{item}->r"
        if kind in ("pool", "record"):
            return self.pools.number(item if kind == "record" else self.record_in(item, depth))
        if kind in ("small", "at_small"):
            return self.member(item, "." if kind == "small" else "->", depth)
        return self.member_of_large(item, depth) if kind == "large" else item

    def number(self, depth=0):
        if self.variants and self.all("variants") and self.chance(0.15):
            return self.variants.worth(self.variant(depth + 1), self.between(1, 3))
        if depth > DEEPEST or self.chance(0.3):
            return self.place() if self.chance(0.85) else self.constant()
        kind = self.random.random()
        left = self.number(depth + 1)
        if kind < 0.5:
            return f"({left} {self.pick(*OPERATORS)} {self.number(depth + 1)})"
        if kind < 0.65:
            return f"{self.pick(*FUNCTIONS)}({left})"
        if kind < 0.7:
            return f"({left} / (R(1.5) + sine({self.number(depth + 1)})))"
        if kind < 0.75:
            return f"root(R(1) + square({left}))"
        if kind < 0.8:
            return f"({self.condition()} ? {left} : {self.number(depth + 1)})"
        if kind < 0.85:
            return f"{self.pick('most', 'least')}({left}, {self.number(depth + 1)})"
        if kind < 0.88:
            return f"R({self.integer()})"
        return self.call() if self.helpers else f"(-{left})"

    def variant(self, depth=1):
        """The place of one."""
        found = self.all("variant")
        found += [f"{name}[{self.index(count, depth)}]" for name, count in self.all("variants")]
        return self.pick(*found)

    def record_in(self, pool, depth=1):
        return f"{self.pick('AT', 'AT_BYTE')}({pool}, {self.index(4, depth)})"

    def record(self, depth=1):
        """A pointer to one."""
        return self.pick(*self.all("record"),
                         *[self.record_in(pool, depth) for pool in self.all("pool")])

    def mild(self, depth=0):
        return f"mild({self.number(depth)})"

    # --- Pointers to `count` numbers, and to a Small; None where there is none.

    def numbers(self, count=2):
        found = []
        for name, length in self.all("array", "pointer"):
            if length == count:
                found.append(name)
            elif length > count:
                found.append(f"({name} + {self.index(length - count + 1)})")
        if count <= 3:
            found += [f"{name}.v" for name in self.all("small")]
            found += [f"{name}->v" for name in self.all("at_small")]
        if count <= 2:
            found += [f"{name}.r" for name in self.all("pair")]
            found += [f"{name}.m[{self.index(2)}]" for name in self.all("large")]
            found += [f"{name}->w" for name in self.all("node")]
            found += [f"{name}[{self.index(rows)}]" for name, rows, _ in self.all("rows")]
        return self.pick(*found) if found else None

    def small(self):
        found = [f"&{name}" for name in self.all("small")] + self.all("at_small")
        for name in self.all("large"):
            found += [f"&{name}.s", f"&{name}.w[{self.index(2)}]"]
        return self.pick(*found) if found else None

    # --- Calls of helpers: their name, the kinds of their parameters, whether they give a Small.

    def argument(self, kind):
        if kind == "real":
            return self.number(2)
        if kind == "int":
            return self.integer()
        if kind == "pointer":
            return self.numbers(3)
        if kind == "given":
            return self.pick(*self.all("given"), None)
        if kind == "variant":
            return self.variant() if self.all("variants") else None
        if kind == "pool":
            return self.pick(*self.all("pool")) if self.all("pool") else None
        at = self.small()
        return at if kind == "at_small" or not at else f"*({at})"

    def call(self):
        name, kinds, gives_small = self.pick(*self.helpers)
        arguments = [self.argument(kind) for kind in kinds]
        if None in arguments:
            return self.place()
        return f"{name}({', '.join(arguments)}){self.pick('.a', '.b') if gives_small else ''}"
