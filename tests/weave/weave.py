# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Woven programs: random C in which any statement may stand in any other. The derivatives, in
reverse mode, in forward mode, and in three directions at once, are compared with differences in
long double, which know nothing of nabla. Each program is tested at two of eight configurations."""

import argparse
import concurrent.futures
import os
import pathlib
import random
import re
import shutil
import sys
from collections import Counter

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
COMPILE_SECONDS = 60
RUN_SECONDS = 20
CONFIGURATIONS = [(llvm, level) for llvm in ("22", "19") for level in ("-O0", "-O1", "-O2", "-O3")]
BAD = ("wrong", "crashed", "slow")

sys.path[:0] = [str(HERE), str(HERE.parent / "run")]

import runner  # noqa: E402
from whole import make_program  # noqa: E402


def compile_with(llvm, flags, folder):
    return runner.run([f"clang-{llvm}", "-std=gnu17", "-w", "-I", str(HERE), "-I", str(folder),
                       *flags], COMPILE_SECONDS)


def build_reference(folder):
    """The program in long double."""
    text = '#define real long double\n#define REAL(f) f##l\n#define f woven\n' \
        '#include "memory.h"\nlong double reference(long double *numbers) {\n' \
        'Memory memory;\nfill(&memory, numbers);\n' \
        'long double result = woven(ARGUMENT(&memory));\ntake(&memory, numbers);\n' \
        'return result;\n}\n'
    source = folder / "reference.c"
    source.write_text(text)
    return compile_with("22", ["-O1", "-c", str(source), "-o", str(source.with_suffix(".o"))],
                        folder)


def judge(llvm, level, folder):
    """What became of the program at a configuration, and why."""
    plugin = ROOT / "build" / f"llvm-{llvm}" / "nabla.so"
    status, text = compile_with(llvm, [level, "-gline-tables-only", "-fno-crash-diagnostics",
                                       f"-fpass-plugin={plugin}", str(HERE / "check.c"),
                                       str(folder / "reference.o"), "-lm", "-o",
                                       str(folder / "program")], folder)
    refused = sorted(set(re.findall(r"\[nabla: ([\w-]+)\]", text)))
    if status == runner.OUT_OF_TIME:
        return "slow", "compilation"
    if status:
        return ("refused", ", ".join(refused)) if refused else ("crashed", text[-300:])
    status, text = runner.run([str(folder / "program")], RUN_SECONDS)
    if status == runner.OUT_OF_TIME:
        return "slow", "run"
    if text.startswith("nabla: "):
        return "refused", "at-run-time"
    if status == 0:
        return text.strip(), ""
    return ("wrong" if "wrong:" in text else "crashed"), text.strip().split("\n")[0]


def test(seed, out):
    """The verdicts of a program: (configuration, kind, detail) of each."""
    folder = out / str(seed)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "case.c").write_text(make_program(seed))
    status, text = build_reference(folder)
    if status:
        return [("reference", "invalid", text[:300])]
    verdicts = [(f"{level} LLVM {llvm}", *judge(llvm, level, folder))
                for llvm, level in random.Random(seed).sample(CONFIGURATIONS, 2)]
    if all(kind in ("right", "rough") for _, kind, _ in verdicts):
        shutil.rmtree(folder)
    return verdicts


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", default="0:100")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build" / "weave")
    parser.add_argument("-j", type=int, default=os.cpu_count() or 1, dest="jobs")
    given = parser.parse_args()
    first, last = (int(part) for part in given.seeds.split(":"))
    kinds, reasons = Counter(), Counter()
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        seeds = range(first, last)
        for seed, verdicts in zip(seeds, pool.map(lambda s: test(s, given.out), seeds)):
            for at, kind, detail in verdicts:
                kinds[kind] += 1
                reasons.update([detail] if kind == "refused" else [])
                if kind in (*BAD, "invalid"):
                    print(f"{kind.upper()} seed {seed} {at}: {detail}", flush=True)
    for reason, count in reasons.most_common():
        print(f"refused {count}: {reason}")
    failed = sum(kinds[kind] for kind in BAD) + kinds["invalid"]
    print(f"{kinds['right'] + kinds['rough']} passed, {kinds['rough']} of them not smooth, "
          f"{kinds['refused']} refused, {failed} failed")
    return 1 if failed or not kinds["right"] else 0


if __name__ == "__main__":
    sys.exit(main())
