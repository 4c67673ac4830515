# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole woven programs: the function that is differentiated, and helpers before it."""

import random

from pool_statements import POOL_STATEMENTS, make_pool, sum_up
from pools import Pools
from program import Program
from statements import block, write
from variant_statements import VARIANT_STATEMENTS, fill_own
from variants import Variants

PROBABILITY_OF_VARIANTS = 0.15
PROBABILITY_OF_POOLS = 0.15


def give(p, g):
    """What `g` points to, as names."""
    p.add("given", g)
    for kind, item in (("array", (f"{g}->x", 6)), ("small", f"{g}->s"), ("at_small", f"{g}->at"),
                       ("pair", f"{g}->q"), ("pointer", (f"{g}->p", 2)), ("int", f"{g}->k"),
                       ("rows", (f"{g}->rows", 2, 2)), ("large", f"{g}->large"),
                       ("small", f"{g}->w[{p.between(0, 1)}]")):
        if p.chance(0.6):
            p.add(kind, item)
    if p.pools:
        p.add("pool", p.pick(f"(char *){g}->records", f"{g}->block"))


def start_variants(p, *anchors):
    p.anchors = anchors
    fill_own(p)


def helper(p):
    """A function before that which is differentiated."""
    name, small = p.fresh("help"), p.chance(0.25)
    kinds = [p.pick("real", "int", "pointer", "at_small", "small", *p.more_kinds)
             for _ in range(p.between(1, 4))]
    types = {"real": "real ", "int": "int ", "pointer": "real *", "at_small": "Small *",
             "small": "Small ", "given": "Given *", "variant": "Variant ",
             "pool": "char *"}
    named = [(kind, p.fresh("p")) for kind in kinds]
    p.scopes, p.loops = [{}], 1
    for kind, parameter in named:
        if kind == "given":
            give(p, parameter)
        else:
            p.add(kind, (parameter, 3) if kind == "pointer" else parameter)
    given = ", ".join(types[kind] + parameter for kind, parameter in named)
    outlined = p.pick("", "__attribute__((noinline)) ")
    p.lines.append(f"{outlined}static {'Small' if small else 'real'} {name}({given}) {{")
    p.emit("real z = R(0.7), y[3] = {R(0.2), R(0.3), z};")
    p.add("real", "z")
    p.add("array", ("y", 3))
    if p.variants:
        start_variants(p, "y")
    p.left = p.between(2, 6)
    block(p, p.between(1, 4))
    p.emit(f"return (Small){{{p.mild()}, 3, {{{p.number(2)}, 0, 1}}, {p.mild()}}};" if small else
           f"return {p.mild()};")
    p.lines.append("}")
    p.helpers.append((name, kinds, small))
    p.loops = 0


def add_variants(p):
    """Gives the program variants, and statements about them."""
    p.variants = Variants(p)
    p.more_statements = [*p.more_statements, *VARIANT_STATEMENTS]
    p.more_kinds = [*p.more_kinds, "variant", "variant"]
    p.lines += p.variants.functions()


def add_pools(p):
    """Gives the program pools of records, and statements about them."""
    p.pools = Pools(p)
    p.more_statements = [*p.more_statements, *POOL_STATEMENTS]
    p.more_kinds = [*p.more_kinds, "pool", "pool"]
    p.lines += p.pools.functions()


def macros_of(p, given):
    return "".join(["#define GIVEN\n" if given else "", p.variants.macros() if p.variants else "",
                    p.pools.macros() if p.pools else ""])


def make_program(seed):
    """The text of a program with a function `f` of what memory.h gives."""
    p = Program(seed)
    given = p.chance(0.4)
    p.more_kinds = ["given", "given"] if given else []
    if random.Random(f"variants {seed}").random() < PROBABILITY_OF_VARIANTS:
        add_variants(p)
    if random.Random(f"pools {seed}").random() < PROBABILITY_OF_POOLS:
        add_pools(p)
    for _ in range(p.between(0, 3)):
        helper(p)
    p.scopes = [{"array": [("a", 4)], "real": ["r"], "small": ["s"]}]
    p.lines.append(f"real f({'Given *g' if given else 'real *x'}) {{")
    if given:
        p.emit("real *x = g->x;")
        give(p, "g")
    else:
        p.add("array", ("x", 6))
    p.emit("real r = x[0] * x[1], a[4] = {x[2], x[3]};",
           "Small s = {x[4], 2, {x[5], r, 0}, R(1)};")
    if p.variants:
        start_variants(p, "x", "a")
        if given:
            p.emit("Variant got[2] = {g->any[0], g->any[1]};")
            p.add("variants", ("got", 2))
    pool = make_pool(p) if p.pools else None
    p.left = p.pick(3, 5, 8) if pool else \
        p.pick(1, 2, 4, 7) if p.variants else p.pick(6, 10, 16, 24)
    while p.left > 0:
        write(p)
    if p.variants:
        p.emit(f"r += R(0.5) * {p.variants.worth(p.variant(), 3)};")
    for name in p.all("pool"):
        sum_up(p, name)
    if pool:
        p.emit(f"free({pool});")
    p.emit("return r + a[0] + a[1] * a[2] + a[3] + s.a * s.b + s.v[0] + s.v[1] * s.v[2] + x[0] +",
           "       R(0.5) * x[3];")
    p.lines.append("}")
    return macros_of(p, given) + '#include "woven.h"\n\n' + "\n".join(p.lines) + "\n"
