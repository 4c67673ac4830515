# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs of C++'s containers. Forward and reverse mode are compared with dual numbers that
run through the same template. Each program is tested at two of four levels."""

import argparse
import concurrent.futures
import os
import pathlib
import random
import re
import sys
from collections import Counter

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
COMPILE_SECONDS = 120
RUN_SECONDS = 20
LEVELS = ["-O0", "-O1", "-O2", "-O3"]
BAD = ("wrong", "crashed", "slow")

sys.path[:0] = [str(HERE), str(HERE.parent / "run")]

import runner  # noqa: E402
from program import Program  # noqa: E402


def judge(llvm, level, source):
    """What became of the program at a level, and why."""
    program = source.with_suffix("")
    status, text = runner.run([str(ROOT / "build" / f"llvm-{llvm}" / "nabla-c++"),
                               f"--llvm={llvm}", "-std=c++20", "-w", "-fno-crash-diagnostics",
                               level, "-I", str(HERE), str(source), "-o", str(program)],
                              COMPILE_SECONDS)
    refused = sorted(set(re.findall(r"\[nabla: ([\w-]+)\]", text)))
    if status == runner.OUT_OF_TIME:
        return "slow", "compilation"
    if status:
        return ("refused", ", ".join(refused)) if refused else ("crashed", text[-300:])
    status, text = runner.run([str(program)], RUN_SECONDS)
    if status == runner.OUT_OF_TIME:
        return "slow", "run"
    if text.startswith("nabla: "):
        return "refused", "at-run-time"
    if status == 0:
        return text.strip(), ""
    return ("wrong" if "wrong:" in text else "crashed"), text.strip().split("\n")[0]


def test(seed, given):
    """The verdicts of a program: (level, kind, detail) of each."""
    given.out.mkdir(parents=True, exist_ok=True)
    source = given.out / f"{seed}.cpp"
    source.write_text(Program(seed).text())
    verdicts = [(level, *judge(given.llvm, level, source))
                for level in random.Random(seed).sample(LEVELS, 2)]
    source.with_suffix("").unlink(missing_ok=True)
    if not any(kind in BAD for _, kind, _ in verdicts):
        source.unlink()
    return verdicts


def main():
    """Runs the program."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", default="0:100")
    parser.add_argument("--llvm", default="22")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build" / "containers")
    parser.add_argument("-j", type=int, default=os.cpu_count() or 1, dest="jobs")
    given = parser.parse_args()
    first, last = (int(part) for part in given.seeds.split(":"))
    kinds, reasons = Counter(), Counter()
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        seeds = range(first, last)
        for seed, verdicts in zip(seeds, pool.map(lambda s: test(s, given), seeds)):
            for level, kind, detail in verdicts:
                kinds[kind] += 1
                reasons.update([detail] if kind == "refused" else [])
                if kind in BAD:
                    print(f"{kind.upper()} seed {seed} {level}: {detail}", flush=True)
    for reason, count in reasons.most_common():
        print(f"refused {count}: {reason}")
    failed = sum(kinds[kind] for kind in BAD)
    print(f"{kinds['right']} passed, {kinds['not smooth']} not smooth, {kinds['refused']} refused, "
          f"{failed} failed")
    return 1 if failed or not kinds["right"] else 0


if __name__ == "__main__":
    sys.exit(main())
