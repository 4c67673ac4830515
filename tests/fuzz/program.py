# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One random program while it is written: its choices, its names, its text, its expressions.

A program is made of a few constructs, drawn first: where one of them is refused, others are still
seen in other programs, and what is rare beside everything else is common somewhere.

All values stay near 1 (what is assigned is squashed first), so that derivatives are well scaled;
all loops are bounded, whatever the data say.
"""

import random
import re

from construct import TABLE
import bit_helpers
import helpers

HELPERS = {**helpers.HELPERS, **bit_helpers.HELPERS}
SAMPLES = 6
RESULTS = 4
LENGTH = 8
SQUASHES = ["sin({})", "tanh({})", "soft({})", "0.5 * cos({})"]
EXPRESSIONS = ["({0} + {1})", "({0} - {1})", "{0} * {1}", "{0} / (1.5 + {1} * {1})", "sin({0})",
               "cos({0})", "exp(-{0} * {0})", "sqrt(1 + {0} * {0})", "log(2 + {0} * {0})",
               "(-{0})", "({2} ? {0} : {1})", "({1} > 0.2 ? {0} / {1} : {0})",
               "({1} != 0 ? {0} * {1} : {0})", "pow(1 + {0} * {0}, 1.5)", "fabs({0} + 0.011)",
               "fmax({0}, 0.317 * {1})", "soft({0})", "atan({0})", "{0} * (real)(int){1}"]
BASIC = {"assign", "branch", "loop"}
DRAWN = 7
RARE = 0.1
MAX_DEPTH = 4
MAX_LOOPS = 2


class Program:
    """A random function and its helpers.

    `arrays` can be written to, `inputs` can be read only; both map names to sizes. `loops` counts
    the loops that a break would leave, `held` the blocks of memory that a return would lose.
    """

    def __init__(self, seed, level, wanted=()):
        self.random = random.Random(f"{seed} {level}")
        self.seed = seed
        self.level = level
        self.prologue = []
        self.lines = []
        self.owner = "frame"
        self.owners = {"prologue": [], "lines": []}
        self.depth = 1
        self.counters = []
        self.names = 0
        self.loops = 0
        self.held = 0
        self.budget = 0
        self.scalars = []
        self.arrays = {}
        self.inputs = {}
        self.calls = []
        self.leaving = "return;"
        self.needed = set()
        self.used = set()
        self.named = {}
        self.table = self.draw_constructs(wanted)

    def draw_constructs(self, wanted):
        """The constructs of this program: the basic ones, and some of those of its level; where
        some are wanted, three of these."""
        known = [c for c in TABLE if c.level <= self.level and c.name not in BASIC and
                 (not c.rare or self.chance(RARE))]
        if wanted:
            chosen = [c for c in TABLE if c.name in wanted]
            drawn = self.random.sample(chosen, min(3, len(chosen))) + self.random.sample(known, 2)
            return [c for c in TABLE if c.name in BASIC or c in drawn]
        own = [c for c in known if c.level == self.level]
        drawn = self.random.sample(known, min(DRAWN, len(known))) + self.random.sample(own, 2)
        return [c for c in TABLE if c.name in BASIC or c in drawn]

    def pick(self, choices):
        return self.random.choice(choices)

    def chance(self, probability):
        return self.random.random() < probability

    def between(self, low, high):
        """An integer from low up to high, without high."""
        return self.random.randrange(low, high)

    def emit(self, *lines):
        self.lines += ["  " * self.depth + line for line in lines]
        self.owners["lines"] += [self.owner] * len(lines)

    def ahead(self, *texts):
        """Text before the function; each may be of several lines."""
        for text in texts:
            self.prologue.append(text)
            self.owners["prologue"] += [self.owner] * (text.count("\n") + 1)

    def opened(self, head=""):
        self.emit(f"{head} {{".lstrip())
        self.depth += 1

    def closed(self):
        self.depth -= 1
        self.emit("}")

    def fresh(self, prefix):
        self.names += 1
        self.named.setdefault(self.owner, []).append(f"{prefix}{self.names}")
        return self.named[self.owner][-1]

    def number(self):
        return f"{self.random.uniform(-1.5, 1.5):.3f}"

    def index(self, size):
        """An index into an array of that size."""
        if self.counters and self.chance(0.7):
            return f"({self.pick(self.counters)} + {self.between(0, 3)}) % {size}"
        return str(self.between(0, size))

    def element(self):
        name = self.pick(list(self.arrays))
        return f"{name}[{self.index(self.arrays[name])}]"

    def place(self):
        """Something that can be assigned to."""
        if not self.arrays or self.chance(0.4):
            return self.pick(self.scalars)
        return self.element()

    def atom(self):
        if self.chance(0.1):
            return f"({self.number()})"
        if self.counters and self.chance(0.1):
            return f"(0.1073 * {self.pick(self.counters)})"
        if self.inputs and self.chance(0.3):
            name = self.pick(list(self.inputs))
            return f"{name}[{self.index(self.inputs[name])}]"
        return self.place()

    def comparison(self, value):
        """A decision about the value of the text given."""
        return f"{value} {self.pick(['<', '>', '<=', '>='])} {self.number()}"

    def condition(self):
        if self.counters and self.chance(0.25):
            return f"{self.pick(self.counters)} % {self.between(2, 4)} == 0"
        return self.comparison(self.atom())

    def expression(self, depth):
        """A value, finite where its parts are."""
        if depth == 0:
            return self.atom()
        left = self.expression(depth - 1)
        right = self.expression(self.between(0, depth))
        forms = EXPRESSIONS + [self.pick(self.calls)] * 3 if self.calls else EXPRESSIONS
        return self.pick(forms).format(left, right, self.condition())

    def squashed(self):
        return self.pick(SQUASHES).format(self.expression(self.between(1, 3)))

    def mild(self, value):
        """A squashed value of the text given."""
        return self.pick(SQUASHES).format(value)

    def whole(self):
        """An array that can be written to, and its size."""
        return self.pick(list(self.arrays.items()))

    def part(self, count):
        """A pointer into an array at whose end `count` elements are left."""
        fitting = [(name, size) for name, size in self.arrays.items() if size >= count]
        name, size = self.pick(fitting)
        return f"{name} + {self.between(0, size - count + 1)}"

    def statement(self):
        """One statement; nesting ends where the budget does."""
        self.budget -= 1
        deep = self.depth > MAX_DEPTH or self.budget < 0 or len(self.counters) > MAX_LOOPS
        nested = not deep and self.chance(0.45)
        fitting = [c for c in self.table if c.nested == nested]
        self.write(self.random.choices(fitting, [c.weight for c in fitting])[0])

    def write(self, chosen):
        """Writes one of a construct; what it writes itself is its own, for blame."""
        self.used.add(chosen.name)
        outer, self.owner = self.owner, chosen.name
        chosen.write(self)
        self.owner = outer

    def write_rest(self):
        """One of each construct drawn that is not there yet."""
        for chosen in self.table:
            if chosen.name not in self.used:
                self.write(chosen)

    def block(self, size):
        self.depth += 1
        for _ in range(size):
            self.statement()
        self.depth -= 1

    def apart(self, size):
        """A block which no break leaves."""
        loops, self.loops = self.loops, 0
        self.block(size)
        self.loops = loops

    def loop_body(self, counter):
        self.counters.append(counter)
        self.loops += 1
        self.block(self.between(1, 4))
        self.loops -= 1
        self.counters.pop()

    def helper(self, name):
        """The name of a helper function of this program; its text is written once.

        In a helper's text, SEED stands for the program's number, <<v>> for a squashed v and <?v?>
        for a decision about v; what it calls comes first.
        """
        if name not in self.needed:
            self.needed.add(name)
            text = HELPERS[name].replace("SEED", str(self.seed)).strip("\n")
            for other in re.findall(rf"\b(\w+)_{self.seed}\(", text):
                if other in HELPERS:
                    self.helper(other)
            text = re.sub(r"<<(.*?)>>", lambda match: self.mild(match[1]), text)
            text = re.sub(r"<\?(.*?)\?>", lambda match: self.comparison(match[1]), text)
            self.ahead(text + "\n")
        return f"{name}_{self.seed}"
