#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long nabla takes: generated programs of several shapes and sizes are compiled without nabla
and with it, and a line for each says where the time went.

Columns, in seconds: clang alone on the same program; clang with nabla; nabla's passes, and the
exponent of that between the size before and this one; peak memory over that of clang alone; then
the stages that take most, each without those within it ("between": collection, and what lies
between the stages).

With --bare, LLVM's pipeline and code generator, which take longer than nabla on large derivatives,
are left out: the columns are the program's instructions as clang's optimiser leaves them, seconds
of the processor and peak memory of opt when it only reads and verifies them, and when it runs nabla
on them too; the exponent is that of the difference, between the numbers of instructions.
"""

import argparse
import itertools
import json
import math
import os
import subprocess
import sys
import tempfile

import shapes

PASSES = ("CollectPass", "NotePass", "DerivePass")
PREFIX = "nabla "
SUM = "Total "
SHOWN = 4


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clang", default="clang-22")
    parser.add_argument("--plugin", default="build/llvm-22/nabla.so")
    parser.add_argument("--shapes", default=",".join(shapes.SHAPES))
    parser.add_argument("--sizes", default="1000,10000")
    parser.add_argument("--modes", default="reverse,forward")
    parser.add_argument("--levels", default="-O0,-O2")
    parser.add_argument("--limit", type=int, default=60, help="seconds for one compilation")
    parser.add_argument("--bare", action="store_true", help="nabla's passes alone, in opt")
    parser.add_argument("--keep", help="a folder for the programs and their traces")
    return parser.parse_args()


class Run:
    """One compilation: its seconds, its peak memory in MB, and why it failed, or None."""

    def __init__(self, command, limit):
        with tempfile.TemporaryFile("w+") as said:
            with subprocess.Popen(["timeout", str(limit), *command], stderr=said) as process:
                _, status, usage = os.wait4(process.pid, 0)
                process.returncode = os.waitstatus_to_exitcode(status)
            said.seek(0)
            first = (said.read().strip().splitlines() or [f"exit {process.returncode}"])[0]
        self.seconds = usage.ru_utime + usage.ru_stime
        self.megabytes = usage.ru_maxrss / 1024
        self.failed = None
        if process.returncode:
            self.failed = f"over {limit} s" if process.returncode == 124 else first[:100]


def stage_of(name):
    if name.startswith(PREFIX):
        return name[len(PREFIX):]
    whole = name.startswith(SUM)
    return "between" if not whole and name.rpartition("::")[2] in PASSES else None


def own_times(trace):
    """Seconds by stage, without the stages within it, of nabla's passes."""
    with open(trace, encoding="utf-8") as file:
        events = [e for e in json.load(file)["traceEvents"] if e.get("ph") == "X"]
    spans = [(e["ts"], -e["dur"], stage) for e in events if (stage := stage_of(e["name"]))]
    times, stack = {}, []
    for begin, negative, stage in sorted(spans):
        while stack and stack[-1][0] <= begin:
            stack.pop()
        times[stage] = times.get(stage, 0) - negative / 1e6
        if stack:
            times[stack[-1][1]] += negative / 1e6
        stack.append((begin - negative, stage))
    return times


def most_of(times):
    most = sorted(times.items(), key=lambda item: -item[1])[:SHOWN]
    return ", ".join(f"{stage} {seconds:.2f}" for stage, seconds in most)


def instructions(dis, path):
    """How many instructions a file of bitcode has."""
    text = subprocess.run([dis, path, "-o", "-"], capture_output=True, text=True,
                          check=True).stdout
    return sum(line.startswith("  ") for line in text.splitlines())


class Measure:
    """All sizes of one shape, mode and level."""

    def __init__(self, given, folder, shape, mode, level):
        self.given, self.folder = given, folder
        self.shape, self.mode, self.level = shape, mode, level
        self.before = None

    def write(self, size):
        name = f"{self.shape}-{size}-{self.mode}{self.level}"
        source = os.path.join(self.folder, name + ".c")
        with open(source, "w", encoding="utf-8") as file:
            file.write(shapes.program(self.shape, size, self.mode))
        return source

    def compile(self, size, with_nabla):
        source = self.write(size)
        command = [self.given.clang, "-w", self.level, "-c", source, "-o", source[:-1] + "o"]
        if with_nabla:
            command += ["-ftime-trace", "-ftime-trace-granularity=100",
                        f"-fpass-plugin={self.given.plugin}"]
        return Run(command, self.given.limit), source[:-1] + "json"

    def exponent(self, size, seconds):
        before, self.before = self.before, (size, max(seconds, 1e-4))
        if not before:
            return ""
        return f"{math.log(self.before[1] / before[1]) / math.log(size / before[0]):.2f}"

    def line(self, size):
        alone, _ = self.compile(size, False)
        both, trace = self.compile(size, True)
        head = f"{self.shape:12} {size:7} {self.mode:8} {self.level:4} {alone.seconds:7.2f}"
        if both.failed:
            return f"{head} {both.seconds:7.2f} failed: {both.failed}"
        times = own_times(trace)
        total = sum(times.values())
        return (f"{head} {both.seconds:7.2f} {total:7.2f} {self.exponent(size, total):>5} "
                f"{both.megabytes / alone.megabytes:5.2f}  {most_of(times)}")


class Bare(Measure):
    """The same, of nabla's passes alone."""

    def tool(self, name):
        return self.given.clang.replace("clang", name)

    def opt(self, path, *more):
        return Run([self.tool("opt"), path, "-disable-output", *more], self.given.limit)

    def line(self, size):
        path = self.write(size)[:-2]
        plain = Run([self.given.clang, "-w", self.level, "-c", "-emit-llvm", path + ".c",
                     "-o", path + ".bc"], self.given.limit)
        if plain.failed:
            return f"{self.shape:12} {size:7} {self.mode:8} {self.level:4} clang: {plain.failed}"
        alone = self.opt(path + ".bc", "-passes=verify")
        both = self.opt(path + ".bc", f"-load-pass-plugin={self.given.plugin}", "-passes=nabla",
                        "-time-trace", f"-time-trace-file={path}.json")
        count = instructions(self.tool("llvm-dis"), path + ".bc")
        head = (f"{self.shape:12} {size:7} {self.mode:8} {self.level:4} {count:7} "
                f"{alone.seconds:7.2f}")
        if both.failed:
            return f"{head} {both.seconds:7.2f} failed: {both.failed}"
        taken = both.seconds - alone.seconds
        return (f"{head} {taken:7.2f} {self.exponent(count, taken):>5} "
                f"{both.megabytes / alone.megabytes:5.2f}  {most_of(own_times(path + '.json'))}")


HEADS = {False: "  alone    both   nabla   exp   mem", True: " instrs    read   nabla   exp   mem"}


def main():
    given = arguments()
    print(f"{'shape':12} {'size':>7} {'mode':8} {'lev':4} {HEADS[given.bare]}  stages")
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.keep or temporary
        os.makedirs(folder, exist_ok=True)
        kinds = itertools.product(given.shapes.split(","), given.modes.split(","),
                                  given.levels.split(","))
        for shape, mode, level in kinds:
            measure = (Bare if given.bare else Measure)(given, folder, shape, mode, level)
            for size in given.sizes.split(","):
                print(measure.line(int(size)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
