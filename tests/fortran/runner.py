#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the Fortran programs of this folder with `nabla fc`.

    runner.py --llvm 22 --levels=-O0,-O2 --build build/llvm-22 [-j 2] [--filter NAME]

A file that holds a program must end with status 0. Any other holds one module of the file's name;
each of its subroutines (n, x, m, y) is a case: its tangent is compared with differences, its
gradient with its tangent (checking.f90, case.f90.in). Each is one test a level. What stands behind
`! libraries:` is linked.

Without flang of that version all are skipped. The last line is "N passed, S skipped, M failed";
the exit status says whether M is 0.
"""

import argparse
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
CASE = re.compile(r"^  subroutine (\w+)\(n, x, m, y\)$", re.MULTILINE)
PROGRAM = re.compile(r"^program ", re.MULTILINE)
LIBRARIES = re.compile(r"^! libraries: (.*)$", re.MULTILINE)
SUPPORT = "checking.f90"
SECONDS = 120
REASON_LINES = 8


class Test(NamedTuple):
    """One program at one level: the texts that it is made of."""

    name: str
    level: str
    text: str


def find_tests(levels, chosen):
    """Returns the tests whose name has `chosen` in it."""
    template = (HERE / "case.f90.in").read_text(encoding="utf-8")
    tests = []
    for source in sorted(HERE.glob("*.f90")):
        text = source.read_text(encoding="utf-8")
        texts = {}
        if PROGRAM.search(text):
            texts[source.stem] = text
        for case in CASE.findall(text):
            main = template.replace("@MODULE@", source.stem).replace("@CASE@", case)
            texts[f"{source.stem}:{case}"] = text + main
        tests += [Test(name, level, texts[name]) for name in texts for level in levels]
    return [test for test in tests if chosen in test.name]


def run(command, folder):
    """Returns the exit status and what was printed."""
    try:
        done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return 124, f"timed out after {SECONDS} s"
    return done.returncode, done.stdout.decode(errors="replace")


def run_test(test, compiler, out):
    """Returns why a test failed, or nothing."""
    folder = out / f"{test.name}{test.level}".replace(":", "-").replace(" ", "")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "main.f90").write_text(test.text, encoding="utf-8")
    libraries = [name for line in LIBRARIES.findall(test.text) for name in line.split()]
    compile_it = [*compiler, *test.level.split(), f"-I{out}", "main.f90", str(out / "checking.o"),
                  *libraries, "-o", "program"]
    for command in (compile_it, ["./program"]):
        status, output = run(command, folder)
        if status != 0:
            reason = "\n".join(output.strip().splitlines()[:REASON_LINES])
            return f"exit status {status} of {' '.join(command)} in {folder}\n{reason}"
    return None


def compile_support(compiler, out):
    """Compiles what the cases are compared with; it has no derivatives."""
    out.mkdir(parents=True, exist_ok=True)
    status, output = run([*compiler, "-O1", "-c", str(HERE / SUPPORT), "-J", str(out), "-o",
                          str(out / "checking.o")], out)
    if status != 0:
        sys.exit(output)


def has_flang(version):
    """Is the compiler there that `nabla fc` would run?"""
    places = [Path(f"/usr/lib/llvm-{version}/bin/{name}") for name in ("flang", "flang-new")]
    chosen = os.environ.get("NABLA_FLANG") or shutil.which(f"flang-{version}")
    return bool(chosen) or any(place.exists() for place in places)


def run_all(tests, compiler, out, jobs):
    """Runs the tests, prints those that failed, and returns their number."""
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        reasons = pool.map(lambda test: run_test(test, compiler, out), tests)
        for test, reason in zip(tests, reasons):
            if reason:
                print(f"FAIL: {test.name} at {test.level}: {reason}", flush=True)
                failed += 1
    return failed


def main():
    """Runs the program."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--llvm", required=True)
    parser.add_argument("--levels", required=True)
    parser.add_argument("--build", required=True, type=Path)
    parser.add_argument("-j", type=int, default=1, dest="jobs")
    parser.add_argument("--filter", default="")
    arguments = parser.parse_args()
    tests = find_tests(arguments.levels.split(","), arguments.filter)
    if not has_flang(arguments.llvm):
        print(f"there is no flang-{arguments.llvm}")
        print(f"0 passed, {len(tests)} skipped, 0 failed")
        return 0
    build = arguments.build.resolve()
    compiler = [str(build / "nabla-fc"), f"--llvm={arguments.llvm}"]
    out = build / "fortran-tests"
    compile_support(compiler, out)
    failed = run_all(tests, compiler, out, arguments.jobs)
    print(f"{len(tests) - failed} passed, 0 skipped, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
