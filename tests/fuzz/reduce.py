#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the program of a failing seed small.

    reduce.py --seed 27 [--level 5] [--at "-O2 LLVM 19 float"] [--out FILE]

The seed is judged at its two configurations (or at the one given) and must fail at one. Then lines,
blocks, and parts of expressions are taken away as long as the program still fails in the same way
(a wrong value stays a wrong value; with --refused, a refusal one of its kind) and is still C that
computes nothing from what was never set:
clang warns of no missing return and of no variable without a value, and sanitizers find nothing.
What is left goes to FILE, by default build/fuzz/seed_27.c: a case for tests/run/found.c.
"""

import argparse
import pathlib
import re
import sys
import time

import batch as batches
import runner
from construct import LEVELS
from fuzz import ROOT, read_plugins
from generate import BATCH

ROUNDS = 12
WARNINGS = ("-Wno-everything", "-Wreturn-type", "-Wuninitialized", "-Wsometimes-uninitialized")
CALL = re.compile(r"\b(?:soft|sin|cos|tanh|tan|exp|log|sqrt|fabs|atan|log1p|expm1|cbrt|cosh|sinh|"
                  r"h\d_\d+)\(")


class Reduction:
    """The program that is being reduced: its lines, and how it fails."""

    def __init__(self, batch, seed, setting, given):
        self.end = time.monotonic() + given.seconds
        self.refused = given.refused
        self.header = batch.header
        self.seed = seed
        self.setting = setting
        self.lines = [line for text in batch.programs[seed] for line in text.split("\n")]
        self.kind = None
        self.tried = 0
        self.kind = self.kind_of(self.lines)

    def batch(self, lines):
        return batches.Batch([self.seed], self.header, {self.seed: lines}, {})

    def is_sound(self, lines):
        """Does clang warn of nothing that makes the values of a program any?"""
        source = self.setting.folder / "candidate.c"
        source.write_text(self.batch(lines).text({self.seed}))
        command = [f"clang-{self.setting.llvm}", "-std=gnu17", f"-DNB_REAL={self.setting.real}",
                   "-I", str(batches.RUN), "-fsyntax-only", "-Werror", *WARNINGS, str(source)]
        return runner.run(command)[0] == 0

    def kind_of(self, lines):
        """How these lines fail, None where they do not."""
        if not self.is_sound(lines):
            return None
        batch = self.batch(lines)
        try:
            reference = batches.build_reference(batch, self.setting)
            work = batches.judge_batch(batch, self.setting, reference)
        except SystemExit:
            return None
        kind, detail = work.verdicts[self.seed].kind, work.verdicts[self.seed].detail
        if kind == "refused" and self.refused:
            return f"refused {detail}"
        return kind if kind in batches.BAD and kind != "invalid" else None

    def fails(self, lines):
        """Keeps these lines where they fail as the program does; no lines when time is up."""
        if time.monotonic() > self.end:
            return False
        self.tried += 1
        if self.kind_of(lines) != self.kind:
            return False
        self.lines = lines
        return True


def end_of(lines, at):
    """Where the block that opens in a line ends: the index behind its closing brace."""
    depth = 0
    for k in range(at, len(lines)):
        depth += lines[k].count("{") - lines[k].count("}")
        if depth <= 0:
            return k + 1
    return len(lines)


def delete_chunks(work):
    """Takes away runs of whole statements, long ones first."""
    size = max(1, len(work.lines) // 2)
    while size:
        at = 0
        while at < len(work.lines):
            end = at
            while end < len(work.lines) and end - at < size:
                end = end_of(work.lines, end)
            if end - at > 2 * size or not work.fails(work.lines[:at] + work.lines[end:]):
                at = at + max(1, size // 2) if size > 1 else at + 1
        size //= 2


def delete_blocks(work):
    """Takes away one statement with its block, then the block's braces alone."""
    at = 0
    while at < len(work.lines):
        lines = work.lines
        end = end_of(lines, at)
        if end > at + 1 and not work.fails(lines[:at] + lines[end:]):
            work.fails(lines[:at] + lines[at + 1:end - 1] + lines[end:])
        at += 1


def closing(text, at):
    """The index of the bracket that closes the one at `at`."""
    depth = 0
    for k in range(at, len(text)):
        depth += (text[k] in "([") - (text[k] in ")]")
        if depth == 0:
            return k
    return len(text) - 1


def simpler(line):
    """Shorter forms of a line: a call becomes its argument, brackets a number or their first part,
    an operation one of its sides."""
    for match in CALL.finditer(line):
        end = closing(line, match.end() - 1)
        inner = line[match.end():end]
        yield line[:match.start()] + f"({inner.split(', ')[0]})" + line[end + 1:]
        yield line[:match.start()] + "0.5" + line[end + 1:]
    for match in re.finditer(r"\(", line):
        end = closing(line, match.start())
        inner = line[match.start() + 1:end]
        yield line[:match.start()] + inner + line[end + 1:]
        yield line[:match.start()] + "0.5" + line[end + 1:]
    for match in re.finditer(r" [-+*] [^-+*;(]+|[^-+*;=(]+ [-+*] (?=\S)", line):
        yield line[:match.start()] + line[match.end():]
    match = re.match(r"( *)if \(.*\) (.*)$", line)
    if match:
        yield match[1] + match[2]


def simplify_lines(work):
    for at in range(len(work.lines)):
        again = True
        while again and at < len(work.lines):
            lines = work.lines
            forms = [form for form in simpler(lines[at]) if len(form) < len(lines[at])]
            again = any(work.fails([*lines[:at], form, *lines[at + 1:]]) for form in forms)


def reduce(work):
    """Repeats all steps until nothing more goes."""
    for _ in range(ROUNDS):
        before = list(work.lines)
        delete_chunks(work)
        delete_blocks(work)
        simplify_lines(work)
        if work.lines == before:
            return


def find_failure(given, folder):
    """The reduction of a seed at a configuration where it fails."""
    batch, _ = batches.make_batch([given.seed], given.level, given.constructs)
    plugins = read_plugins(batches.VERSIONS)
    for setting in batches.configurations(given.seed // BATCH, plugins, folder):
        if given.at in ("", setting.named()):
            work = Reduction(batch, given.seed, setting, given)
            if work.kind:
                return work
    sys.exit(f"seed {given.seed} does not fail")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--level", type=int, choices=sorted(LEVELS), default=max(LEVELS))
    parser.add_argument("--with", type=lambda text: text.split(","), default=[],
                        dest="constructs", help="as given to fuzz.py")
    parser.add_argument("--at", default="", help="the configuration, as fuzz.py names it")
    parser.add_argument("--refused", action="store_true", help="a refusal is a failure, too")
    parser.add_argument("--seconds", type=float, default=600, help="when to stop")
    parser.add_argument("--out", type=pathlib.Path)
    given = parser.parse_args()
    folder = ROOT / "build" / "fuzz" / f"reduce_{given.seed}"
    folder.mkdir(parents=True, exist_ok=True)
    work = find_failure(given, folder)
    reduce(work)
    out = given.out or folder.parent / f"seed_{given.seed}.c"
    out.write_text(work.batch(work.lines).text({given.seed}))
    print("\n".join(work.lines))
    print(f"// {work.kind} at {work.setting.named()}; {out}, {work.tried} programs tried")


if __name__ == "__main__":
    main()
