#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs random programs at every level with both versions of LLVM.

    fuzz.py --seed 1 --count 40 [-j 2] [--levels all|ci|LIST] [22 19]

Programs come from generate.py and are judged by tests/run. A refusal (an error that nabla gives at
compile time) is counted apart, by its id; a program whose reference has a kink or is not finite is
skipped; everything else that is not right is a failure, and so is an error of nabla's own making.

The last line is "N passed, N refused, N skipped, N failed"; the exit status says whether the last
is 0. A seed is repeated alone with --seed N --count 1.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "run"))

import runner  # noqa: E402

OWN_ERRORS = {"broken-build"}


def verdict(reason):
    """What a case that did not pass is: (kind, id or None)."""
    if "the reference is not smooth and finite" in reason:
        return "skipped", None
    ids = set(re.findall(r"\[nabla: ([\w-]+)\]", reason))
    if not ids or ids & OWN_ERRORS or "Stack dump" in reason:
        return "failed", None
    return "refused", min(ids)


def setting_of(llvm, levels, programs):
    """A setting of the runner's for one version."""
    build = pathlib.Path(f"build/llvm-{llvm}").resolve()
    chosen = runner.LEVELS[levels][llvm] if levels in runner.LEVELS else levels.split(",")
    out = build / "fuzz"
    out.mkdir(parents=True, exist_ok=True)
    setting = runner.Setting(llvm, build / "nabla.so", out, chosen, "", False, programs)
    runner.check_plugin(setting)
    return setting


def run_all(settings, jobs):
    """The outcomes of all programs at all levels."""
    total = runner.Outcome()
    work = [(setting, *job) for setting in settings for job in runner.all_jobs(setting)]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        pending = [(setting, pool.submit(function, *arguments))
                   for setting, function, arguments in work]
        for setting, future in pending:
            outcome = future.result()
            total.passed += outcome.passed
            for name, reason in outcome.failed.items():
                total.failed[f"{name} LLVM {setting.llvm}"] = reason
    return total


def report(total):
    """Prints what is not right; returns the number of failures."""
    counts = {"skipped": 0, "refused": 0, "failed": 0}
    by_id = {}
    for name, reason in total.failed.items():
        kind, error = verdict(reason)
        counts[kind] += 1
        if kind == "refused":
            by_id.setdefault(error, []).append(name)
        elif kind == "failed":
            print(f"FAILED {name}: {runner.shortened(reason)}")
    for error, names in sorted(by_id.items()):
        print(f"refused with {error}: {len(names)}, such as {names[0]}")
    print(f"{len(total.passed)} passed, {counts['refused']} refused, {counts['skipped']} skipped, "
          f"{counts['failed']} failed")
    return counts["failed"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--levels", default="ci")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("build/fuzz"))
    parser.add_argument("-j", type=int, default=os.cpu_count() or 1)
    parser.add_argument("llvm", nargs="*", default=["22"])
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    for old in given.out.glob("random_*.c"):
        old.unlink()
    subprocess.run([sys.executable, str(HERE / "generate.py"), "--seed", str(given.seed),
                    "--count", str(given.count), "--out", str(given.out)], check=True)
    settings = [setting_of(llvm, given.levels, given.out.resolve()) for llvm in given.llvm]
    return 1 if report(run_all(settings, given.j)) else 0


if __name__ == "__main__":
    sys.exit(main())
