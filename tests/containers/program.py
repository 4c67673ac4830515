# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs in C++: a container of elements of one kind (elements.hpp) is filled from the
inputs, and goes through a few steps, of which some copy, sort, pass or exchange its elements."""

import random

KINDS = ["Number", "Short", "NumberCount", "ShortCount", "CountShort", "ShortCountShort",
         "CountNumbers", "Pair", "Tuple", "Array", "Optional", "OptionalShort", "NumberOrCount",
         "OneOfThree", "Tagged", "Named", "Owner", "Sharer", "Vector", "Virtual"]

INPUTS = ["x[0]", "x[1]", "x[4]", "x[i % 5]", "x[(i + 2) % 5] * x[1]", "sin(x[i % 5])",
          "x[i % 5] * x[i % 5]"]

LESS = "[](const E &a, const E &b) { return T::value(a) < T::value(b); }"

# The container's type, what puts an element MADE into it, and how its elements are visited: those
# of an array, the second members of pairs, or what pointers lead to.
CONTAINERS = {
    "vector": ("std::vector<E>", "{c}.push_back(MADE);", "plain"),
    "grown": ("std::vector<E>", "{c}.insert({c}.begin(), MADE);", "plain"),
    "deque": ("std::deque<E>", "if (i % 2) {c}.push_front(MADE); else {c}.push_back(MADE);",
              "plain"),
    "list": ("std::list<E>", "{c}.push_back(MADE);", "plain"),
    "forward": ("std::forward_list<E>", "{c}.push_front(MADE);", "plain"),
    "array": ("std::array<E, 4>", "{c}[i] = MADE;", "plain"),
    "map": ("std::map<int, E>", "{c}.emplace(i * 7 % 5, MADE);", "pairs"),
    "multimap": ("std::multimap<int, E>", "{c}.emplace(i % 2, MADE);", "pairs"),
    "hash": ("std::unordered_map<int, E>", "{c}.insert_or_assign(i * 7 % 5, MADE);", "pairs"),
    "texts": ("std::map<std::string, E>",
              "{c}.emplace(std::string(1, char('a' + i * 3 % 5)), MADE);", "pairs"),
    "owners": ("std::vector<std::unique_ptr<E>>", "{c}.push_back(std::make_unique<E>(MADE));",
               "pointers"),
    "optionals": ("std::vector<std::optional<E>>",
                  "if (i == 1) {c}.emplace_back(); else {c}.emplace_back(MADE);", "pointers"),
    "stack": ("std::stack<E>", "{c}.push(MADE);", "top"),
    "queue": ("std::priority_queue<E, std::vector<E>, Less>", "{c}.push(MADE);", "top"),
}

VISITS = {
    "plain": "for (auto &e : {c}) {{ {do} }}",
    "pairs": "for (auto &pair : {c}) {{ auto &e = pair.second; {do} }}",
    "pointers": "for (auto &place : {c}) if (place) {{ auto &e = *place; {do} }}",
    "top": "for (; !{c}.empty(); {c}.pop()) {{ const E &e = {c}.top(); {do} }}",
}

PASSED = """
template <class R, class T> __attribute__((noinline)) static typename T::E {name}(
    typename T::E e, R s, int k) {{
  if (k > 0)
    e = {name}<R, T>(e, s, k - 1);
  T::scale(e, s);
  return e;
}}
"""

EXCHANGED = """
template <class R, class T> __attribute__((noinline)) static void {name}(
    typename T::E &a, typename T::E &b, int k) {{
  if (k > 0)
    {name}<R, T>(b, a, k - 1);
  else
    std::swap(a, b);
}}
"""


class Program:
    """One program, as it is written."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.kind = self.rng.choice(KINDS)
        self.sort = self.rng.choice(sorted(CONTAINERS))
        self.helpers, self.body, self.names = [], [], 0
        self.container = self.fill(self.sort)
        for _ in range(self.rng.randrange(2, 6)):
            self.step()
        self.body.append(self.each("total = total * R(0.7) + T::value(e);"))

    def name(self, prefix):
        self.names += 1
        return f"{prefix}{self.names}"

    def fill(self, sort):
        """Writes a container that is filled, and gives its name."""
        name = self.name("c")
        kind, put, _ = CONTAINERS[sort]
        made = f"T::make({self.rng.choice(INPUTS)}, i)"
        count = "4" if sort == "array" else self.rng.choice(["n", "n + 1", "4"])
        put = put.replace("{c}", name).replace("MADE", made)
        self.body.append(f"{kind} {name};")
        self.body.append(f"for (int i = 0; i < {count}; i++) {{ {put} }}")
        return name

    def each(self, statement):
        """The loop that does the statement with each element `e`."""
        visit = VISITS[CONTAINERS[self.sort][2]]
        return visit.replace("{{", "{").replace("}}", "}").replace(
            "{c}", self.container).replace("{do}", statement)

    def step(self):
        """Writes one step that the container can take."""
        steps = [self.summed, self.copied]
        if CONTAINERS[self.sort][2] == "top":
            steps = [self.taken]
        else:
            steps += [self.scaled, self.passed, self.exchanged, self.called, self.kept,
                      self.collected]
        if self.sort in ("vector", "grown", "deque", "array", "list", "forward"):
            steps.append(self.ordered)
        if self.sort in ("vector", "grown", "deque", "list"):
            steps.append(self.replaced)
        if self.sort in ("map", "hash"):
            steps.append(self.keyed)
        self.rng.choice(steps)()

    def summed(self):
        self.body.append(self.each("total += T::value(e) * x[3];"))

    def scaled(self):
        by = self.rng.choice(["x[0]", "x[2]", "sin(x[1])", "total"])
        self.body.append(self.each(f"T::scale(e, {by});"))

    def copied(self):
        """The copy goes on, or what it was made of."""
        old, new = self.container, self.name("c")
        moved = f"std::move({old})" if self.sort == "owners" else old
        self.body.append(f"auto {new} = {moved};")
        self.body.append(self.each("T::scale(e, x[4]);"))
        if self.rng.random() < 0.5:
            self.body.append(f"std::swap({old}, {new});")
        self.container = new

    def taken(self):
        """Of what shows its top alone."""
        c = self.container
        self.body.append(f"if ({c}.size() > 1) {{ E t = {c}.top(); {c}.pop(); "
                         f"T::scale(t, x[1]); {c}.push(t); {c}.push(T::make(total, 2)); }}")

    def ordered(self):
        c = self.container
        ways = [f"std::sort({c}.begin(), {c}.end(), {LESS});",
                f"std::reverse({c}.begin(), {c}.end());",
                f"std::rotate({c}.begin(), std::next({c}.begin()), {c}.end());"]
        if self.sort in ("list", "forward"):
            ways = [f"{c}.sort({LESS});", f"{c}.reverse();"]
        self.body.append(self.rng.choice(ways))

    def replaced(self):
        c = self.container
        self.body.append(f"{c}.erase(std::next({c}.begin()));")
        self.body.append(f"{c}.insert({c}.begin(), T::make(total, 3));")

    def keyed(self):
        c = self.container
        self.body.append(f"{c}[3] = T::make(total, 2); {c}.erase(0);")

    def passed(self):
        name, times = self.name("passed"), self.rng.choice([0, 1, 2])
        self.helpers.append(PASSED.format(name=name))
        self.body.append(self.each(f"E t = {name}<R, T>(e, x[2], {times}); e = t;"))

    def exchanged(self):
        name, other = self.name("exchanged"), self.name("t")
        self.helpers.append(EXCHANGED.format(name=name))
        self.body.append(f"E {other} = T::make(x[1], 1);")
        self.body.append(self.each(f"{name}<R, T>(e, {other}, 1);"))
        self.body.append(f"total += T::value({other});")

    def called(self):
        name = self.name("h")
        self.body.append(f"std::function<R(const E &)> {name} = [=](const E &e) "
                         "{ return T::value(e) * x[1] + total; };")
        self.body.append(self.each(f"total = {name}(e);"))

    def kept(self):
        last, keep = self.name("last"), self.name("keep")
        self.body.append(f"E {last} = T::make(x[0], 1);")
        self.body.append(f"auto {keep} = [&{last}](const E &e) {{ {last} = e; }};")
        self.body.append(self.each(f"{keep}(e);"))
        self.body.append(f"T::scale({last}, x[4]); total += T::value({last});")

    def collected(self):
        other = self.fill("vector")
        self.body.append(self.each(f"{other}.push_back(e);"))
        self.body.append(f"for (auto &e : {other}) total += T::value(e);")

    def text(self):
        """The source."""
        lines = ['#include "elements.hpp"', *self.helpers,
                 "template <class R> static R f(const R *x, int n) {",
                 f"using T = {self.kind}<R>; using E = typename T::E; R total = x[0];",
                 f"auto less = {LESS}; using Less = decltype(less); (void)less;",
                 *self.body, "return total; }", '#include "judge.hpp"', ""]
        return "\n".join(lines)
