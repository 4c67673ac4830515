#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs every test of the builds that are named, and ends with `N passed, N failed`.

usage: check.py [-j N] [--levels quick|ci|all] [--reproducible] VERSION...

For each version, what build/llvm-VERSION holds: lit tests (tests/ll, tests/driver), unit tests, the
tests that the rule compiler makes from the rule files, run tests, Fortran programs, the Python
package, the pages, packages, the examples, and the kernels of the bench, which also go through C;
most of it at the levels that every change is tested at (ci; Fortran at fewer), at fewer (quick), or
at all. Then, but not with quick, random programs, each at two levels of these versions that its
seed says. Tests whose compiler is not installed are counted as skipped.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
LIT_FOLDERS = ("ll", "driver")
LIT_PASSES = ("PASS", "XFAIL", "FLAKYPASS")
EVERY_LEVEL = ("-O0", "-O1", "-O2", "-O3", "-O3 -ffast-math")
RANDOM_PROGRAMS = (("0:160", "5"), ("0:20", "5", "--twice"))
LEVELS = {("quick", "22"): ("-O0", "-O2"), ("quick", "19"): ("-O2",),
          ("ci", "22"): EVERY_LEVEL, ("ci", "19"): ("-O0", "-O2"),
          ("all", "22"): EVERY_LEVEL, ("all", "19"): EVERY_LEVEL}
NEWEST = "22"
FLOAT_LEVELS = {("ci", "22"): "-O2", ("ci", "19"): "-O0"}
FORTRAN_LEVELS = ("-O0", "-O2", "-O3 -ffast-math")
MORE_LEVELS = ("-O2 -DNB_SPLIT", "-O2 -DNB_WIDTH=3")
SLOW_LEVELS = ("-O2 -DNB_SPLIT -DNB_WIDTH=3",)
SWITCHED = ("calls:", "decisions:", "dynamic:", "neighbours:")
SLOW = {("all", "22"), ("all", "19")}
UNIT_SECONDS = 120
TOTAL = re.compile(r"(\d+) passed,(?: (\d+) skipped,)?.* (\d+) failed")
WIDE_ROWS = {"-O1": "-O1 -DNB_WIDTH=2"}
LIBRARIES_OF_ROWS = {"gsl.rules": ("-lgsl", "-lgslcblas"), "error.rules": ("-lcerf",)}
STANDINS_OF_ROWS = {"error.rules": ("standins.c", "faddeeva.c")}
LIT_SKIPS = ("UNSUPPORTED", "SKIPPED", "EXCLUDED")


class Count(NamedTuple):
    """How many tests passed and failed, and how many there was no compiler for."""

    passed: int
    failed: int
    skipped: int = 0

    def plus(self, other):
        """Returns the sum of two counts."""
        return Count(self.passed + other.passed, self.failed + other.failed,
                     self.skipped + other.skipped)

    def __str__(self):
        """Returns the count as a line shows it."""
        skipped = f", {self.skipped} skipped" if self.skipped else ""
        return f"{self.passed} passed, {self.failed} failed{skipped}"


def one(good):
    """Returns the count of a single test."""
    return Count(1, 0) if good else Count(0, 1)


def llvm_prefix(build):
    """Returns the folder of the LLVM that a build folder was configured with."""
    cache = (build / "CMakeCache.txt").read_text(encoding="utf-8")
    folder = re.search(r"^LLVM_DIR:\w+=(.*)$", cache, re.MULTILINE).group(1)
    return Path(folder).resolve().parents[2]


def lit_program(prefix):
    """Returns the lit that comes with an LLVM: its place changed between the versions."""
    places = (prefix / "bin/lit", prefix / "build/utils/lit/lit.py", prefix / "utils/lit/lit.py")
    for place in places:
        if place.exists():
            return place
    sys.exit(f"check: no lit in {prefix}: run make setup")


def run_lit(version, build, jobs):
    """Runs the lit tests of one build."""
    folders = [ROOT / "tests" / name for name in LIT_FOLDERS]
    folders = [str(folder) for folder in folders if any(folder.rglob("*.*"))]
    if not folders:
        return Count(0, 0)
    prefix = llvm_prefix(build)
    results = build / "lit-results.json"
    results.unlink(missing_ok=True)
    command = [sys.executable, str(lit_program(prefix)), "-q", "-v", f"-j{jobs}", "-o",
               str(results), "--param", f"build={build}", "--param", f"llvm={version}",
               "--param", f"llvm_prefix={prefix}", *folders]
    subprocess.run(command, check=False)
    if not results.exists():
        return Count(0, 1)
    codes = [test["code"] for test in json.loads(results.read_text(encoding="utf-8"))["tests"]]
    passed = sum(code in LIT_PASSES for code in codes)
    skipped = sum(code in LIT_SKIPS for code in codes)
    return Count(passed, len(codes) - passed - skipped, skipped)


def run_unit_program(program):
    """Runs one cmocka program; one that ends without a report counts as a failure."""
    environment = dict(os.environ, CMOCKA_MESSAGE_OUTPUT="TAP")
    command = ["timeout", str(UNIT_SECONDS), str(program)]
    result = subprocess.run(command, check=False, capture_output=True, text=True,
                            errors="replace", env=environment)
    output = result.stdout + result.stderr
    passed = len(re.findall(r"^ok \d+", output, re.MULTILINE))
    failed = len(re.findall(r"^not ok \d+", output, re.MULTILINE))
    if result.returncode != 0 and failed == 0:
        failed = 1
    if failed:
        print(f"FAIL: {program.name} (exit status {result.returncode})\n{output}")
    return Count(passed, failed)


def run_unit(build):
    """Runs the unit tests of one build: those whose source is still there."""
    total = Count(0, 0)
    for source in sorted((ROOT / "tests/unit").glob("*.c")):
        program = build / "unit" / source.stem
        total = total.plus(run_unit_program(program) if program.exists() else one(False))
    return total


def count_of(name, output, status):
    """Returns what the last line of a program's output counts."""
    found = TOTAL.match(output[-1]) if output else None
    numbers = [int(number or 0) for number in found.groups()] if found else [0, 0, 0]
    count = Count(passed=numbers[0], failed=numbers[2], skipped=numbers[1])
    if status != 0 and count.failed == 0:
        print(f"FAIL: {name} (exit status {status})")
        return count.plus(one(False))
    return count if found else one(False)


def captured(name, command):
    """Runs a program as `counted` does, with its output in one piece."""
    result = subprocess.run(command, check=False, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True, errors="replace")
    lines = result.stdout.splitlines(keepends=True)
    print(result.stdout, end="", flush=True)
    return count_of(name, lines, result.returncode)


def counted(name, command):
    """Runs a program whose last line is its own total; one that ends without it is a failure."""
    output = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace") as process:
        for line in process.stdout:
            print(line, end="", flush=True)
            output.append(line)
    return count_of(name, output, process.returncode)


def run_fortran(version, levels, build, jobs):
    """Runs the Fortran programs of one build through their own runner."""
    runner = ROOT / "tests/fortran/runner.py"
    every = LEVELS[levels, version]
    chosen = every if levels == "all" else [level for level in every if level in FORTRAN_LEVELS]
    command = [sys.executable, str(runner), "--llvm", version, f"--levels={','.join(chosen)}",
               "--build", str(build), "-j", str(jobs)]
    return counted("Fortran programs", command)


def run_python(version, build):
    """Runs the tests of the Python package with the driver of one build."""
    runner = ROOT / "tests/python/runner.py"
    return counted("Python package", [sys.executable, str(runner), "--llvm", version, "--build",
                                      str(build)])


def run_languages(version, build, jobs):
    """Runs one program in several languages against C."""
    runner = ROOT / "tests/languages/runner.py"
    return counted("languages", [sys.executable, str(runner), "--llvm", version, "--build",
                                 str(build), "-j", str(jobs)])


def run_pages(version, levels, build, jobs):
    """Runs the code and the commands of the pages, which are written for the newest LLVM."""
    if version != NEWEST:
        return Count(0, 0)
    more = ["--slow"] if levels == "all" else []
    return counted("pages", [sys.executable, str(ROOT / "tests/pages.py"), "--build", str(build),
                             "-j", str(jobs), *more])


def run_packages(version, levels):
    """Makes packages of all builds and uses them; in a fresh system where everything is tested."""
    if version != NEWEST:
        return Count(0, 0)
    more = ["--clean-root"] if levels == "all" else []
    return counted("packages", [sys.executable, str(ROOT / "tests/packages/runner.py"), *more])


def further_levels(version, levels):
    """Returns the levels at which the run tests are in split mode, or in several directions."""
    if (levels, version) in SLOW:
        return MORE_LEVELS + SLOW_LEVELS
    return MORE_LEVELS if version == NEWEST else ()


def run_programs(version, levels, build, jobs):
    """Runs the run tests of one build through their own runner."""
    runner = ROOT / "tests/run/runner.py"
    more = further_levels(version, levels)
    chosen = ",".join((*LEVELS[levels, version], *more))
    command = [sys.executable, str(runner), "--llvm", version, f"--levels={chosen}",
               "--build", str(build), "-j", str(jobs)]
    if (levels, version) in FLOAT_LEVELS:
        command.append(f"--floats={FLOAT_LEVELS[levels, version]}")
    return counted("run tests", command)


def run_switched(version, levels, build, jobs):
    """Runs some of the run tests without each optimisation, where everything is tested."""
    total = Count(0, 0)
    table = (ROOT / "src/base/optimisations.def").read_text(encoding="utf-8")
    names = re.findall(r'^NB_OPTIMISATION\(\w+, "(\w+)"', table, re.MULTILINE)
    for name in names if (levels, version) == ("all", NEWEST) else []:
        for program in SWITCHED:
            command = [sys.executable, str(ROOT / "tests/run/runner.py"), "--llvm", version,
                       f"--levels=-O2 -mllvm -nabla-without={name}", "--build", str(build),
                       "--filter", program, "-j", str(jobs)]
            total = total.plus(counted(f"run tests without {name}", command))
    return total


class Rows(NamedTuple):
    """Rule files that are tested together, and what their tests are linked with."""

    name: str
    files: list
    libraries: tuple = ()
    standins: tuple = ("standins.c",)


def groups_of_rows():
    """Returns the rule files in groups by the libraries that have their functions."""
    files = sorted((ROOT / "rules").glob("*.rules"))
    plain = [file for file in files if file.name not in LIBRARIES_OF_ROWS]
    return [Rows("rules", plain)] + [
        Rows(file.stem, [file], LIBRARIES_OF_ROWS[file.name],
             STANDINS_OF_ROWS.get(file.name, ("standins.c",)))
        for file in files if file.name in LIBRARIES_OF_ROWS]


def is_linkable(compiler, libraries):
    """Says whether a program can be linked with all of the libraries."""
    command = [str(compiler), "-x", "c", "-", *libraries, "-lm", "-o", os.devnull]
    return subprocess.run(command, input=b"int main(void) { return 0; }", check=False,
                          capture_output=True).returncode == 0


def run_rule_level(build, rows, mode, level, more):
    """Makes, compiles and runs the program that tests every row of some rule files."""
    program = build / f"{rows.name}{mode}{level.replace(' ', '')}"
    source = program.with_name(f"{program.name}.c")
    make = [str(build / "nabla-rulec"), mode, str(source), *map(str, rows.files)]
    compiler = llvm_prefix(build) / "bin/clang"
    compile_it = [str(compiler), "-std=gnu17", "-w", *level.split(), *more, "-I",
                  str(ROOT / "tools/ruletest"), str(source),
                  *(str(ROOT / "tools/ruletest" / name) for name in rows.standins),
                  *rows.libraries, "-lm", "-o", str(program)]
    for command in (make, compile_it):
        if subprocess.run(command, check=False).returncode != 0:
            print(f"FAIL: {rows.name}{mode} at {level}")
            return one(False)
    return captured(f"{rows.name}{mode} at {level}", [str(program)])


def run_rules(version, levels, build, jobs):
    """Tests the formulas of all rows, then the derivatives made of them.

    The rows promise infinities and NaNs, so that they are not tested under -ffast-math.
    """
    total = Count(0, 0)
    with ThreadPoolExecutor(jobs) as pool:
        runs = []
        for rows in groups_of_rows():
            if is_linkable(llvm_prefix(build) / "bin/clang", rows.libraries):
                runs += start_rows(pool, version, levels, build, rows)
            else:
                total = total.plus(Count(0, 0, 1))
        for run in runs:
            total = total.plus(run.result())
    return total.plus(run_report(build))


def run_report(build):
    """Makes a small report of how precise derivatives are, where there is an mpmath."""
    report = ROOT / "tools/ruletest/report.py"
    command = [sys.executable, str(report), "--build", str(build), "--points", "1", "--rows",
               "sin,sincos,cpow,lgamma,gsl_sf_zeta,Faddeeva_w"]
    result = subprocess.run(command, check=False, capture_output=True, text=True)
    if "mpmath is missing" in result.stderr:
        return Count(0, 0, 1)
    lines = re.findall(r"^\| sin \| 1 \| 0\.\d \|", result.stdout, re.MULTILINE)
    if result.returncode != 0 or len(lines) != 1:
        print(f"FAIL: report of the rules\n{result.stdout}{result.stderr}")
    return one(result.returncode == 0 and len(lines) == 1)


def start_rows(pool, version, levels, build, rows):
    """Starts the tests of one group of rows; returns what will count them.

    At one level they are differentiated in two directions at once.
    """
    runtime = [*map(str, sorted((ROOT / "runtime").glob("special*.c"))),
               *(str(ROOT / f"runtime/{name}.c") for name in ("round", "exponent"))]
    plugin = [f"-fpass-plugin={build}/nabla.so"]
    return [pool.submit(run_rule_level, build, rows, "--formulas", "-O1", runtime)] + [
        pool.submit(run_rule_level, build, rows, "--tests", WIDE_ROWS.get(level, level), plugin)
        for level in LEVELS[levels, version] if "fast-math" not in level]


def run_folder(name, version, levels, build, jobs):
    """Builds and runs the programs of a folder on small inputs: one test a level."""
    total = Count(0, 0)
    bin_folder = llvm_prefix(build) / "bin"
    for level in LEVELS[levels, version]:
        folder = build / name / level.replace(" ", "")
        command = ["make", "-s", "-C", str(ROOT / name), "check", f"-j{jobs}",
                   f"NABLA_CC={build}/nabla-cc --llvm={version}", f"BUILD={folder}",
                   f"CLANG={bin_folder}/clang", f"CLANGXX={bin_folder}/clang++",
                   f"LLVM_CONFIG={bin_folder}/llvm-config", f"CFLAGS={level}"]
        result = subprocess.run(command, check=False, stdout=subprocess.PIPE, text=True,
                                stderr=subprocess.STDOUT, errors="replace")
        if result.returncode != 0:
            print(f"FAIL: {name} at {level}\n{result.stdout}")
        total = total.plus(one(result.returncode == 0))
    return total


def errors_of(output):
    """Returns the error of each kernel of the bench, from its table."""
    rows = (line.split() for line in output.splitlines())
    return {" ".join(row[:-12]): row[-1] for row in rows if len(row) > 12 and "e" in row[-1][-4:-1]}


def run_through_c(version, build, jobs):
    """Compiles the bench through C, and compares its numbers with those of the objects."""
    if version != NEWEST:
        return Count(0, 0)
    outputs = []
    clang = str(llvm_prefix(build) / "bin/clang")
    nabla = f"{build}/nabla-cc --llvm={version}"
    environment = dict(os.environ, THROUGH=nabla, CLANG=clang)
    for folder, compiler in (("bench/-O1", nabla), ("through-c", str(ROOT / "tests/through_c.py"))):
        command = ["make", "-s", "-C", str(ROOT / "bench"), "check", f"-j{jobs}", "CFLAGS=-O1",
                   f"NABLA_CC={compiler}", f"BUILD={build / folder}", f"CLANG={clang}"]
        result = subprocess.run(command, check=False, stdout=subprocess.PIPE, text=True,
                                stderr=subprocess.STDOUT, errors="replace", env=environment)
        outputs.append(errors_of(result.stdout))
        if result.returncode != 0:
            print(f"FAIL: the bench through C\n{result.stdout}")
            return one(False)
    same = outputs[0] == outputs[1] and len(outputs[0]) > 1
    if not same:
        print(f"FAIL: the bench through C has other numbers\n{outputs[0]}\n{outputs[1]}")
    return one(same)


def run_self_contained(build):
    """Checks that the plugin leaves no function of its own undefined: it is bound lazily."""
    command = [str(llvm_prefix(build) / "bin/llvm-nm"), "-u", str(build / "nabla.so")]
    listing = subprocess.run(command, check=False, capture_output=True, text=True).stdout
    missing = re.findall(r" (nb_\w+)", listing)
    if missing:
        print(f"FAIL: nabla.so lacks {', '.join(missing)}")
    return one(not missing)


def derivative_ir(build, source, folder):
    """Returns the IR that a copy of a program in another folder is compiled to."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / source.name).write_bytes(source.read_bytes())
    command = [str(llvm_prefix(build) / "bin/clang"), f"-fpass-plugin={build}/nabla.so", "-O2",
               "-I", str(ROOT / "include"), "-S", "-emit-llvm", source.name, "-o", "-"]
    return subprocess.run(command, check=False, capture_output=True, cwd=folder).stdout


def run_deterministic(build):
    """Compiles each small example with a derivative twice, in two folders, and compares the IR."""
    total = Count(0, 0)
    sources = sorted((ROOT / "examples").glob("*.c"))
    for source in [source for source in sources if "__enzyme_" in source.read_text()]:
        first = derivative_ir(build, source, build / "same/one")
        second = derivative_ir(build, source, build / "same/the-other")
        if not first or first != second:
            print(f"FAIL: {source.name} gives no IR, or not the same IR twice")
        total = total.plus(one(first and first == second))
    return total


def run_reproducible(version, jobs):
    """Builds in another folder and compares the plugins."""
    command = [str(ROOT / "tools/reproducible.sh"), version, str(jobs)]
    return one(subprocess.run(command, check=False).returncode == 0)


def run_random(versions, jobs):
    """Runs the random programs that every change is tested with, each at two configurations."""
    total = Count(0, 0)
    for seeds, level, *more in RANDOM_PROGRAMS:
        command = [sys.executable, str(ROOT / "tests/fuzz/fuzz.py"), "--seeds", seeds, "--level",
                   level, *more, "-j", str(jobs), "--quiet", "--fresh", *versions]
        total = total.plus(counted("random programs", command))
    return total


def run_plantable():
    """Counts the bugs of the mutation test that still apply."""
    return counted("mutants", [sys.executable, str(ROOT / "tests/mutation/mutation.py"),
                               "--plantable"])


def check(version, levels, jobs):
    """Runs all tests of one build and prints a line for each kind."""
    build = ROOT / "build" / f"llvm-{version}"
    total = Count(0, 0)
    kinds = (("lit", lambda: run_lit(version, build, jobs)),
             ("unit", lambda: run_unit(build)),
             ("rules", lambda: run_rules(version, levels, build, jobs)),
             ("run", lambda: run_programs(version, levels, build, jobs)),
             ("switches", lambda: run_switched(version, levels, build, jobs)),
             ("Fortran", lambda: run_fortran(version, levels, build, jobs)),
             ("Python", lambda: run_python(version, build)),
             ("languages", lambda: run_languages(version, build, jobs)),
             ("pages", lambda: run_pages(version, levels, build, jobs)),
             ("packages", lambda: run_packages(version, levels)),
             ("examples", lambda: run_folder("examples", version, levels, build, jobs)),
             ("bench", lambda: run_folder("bench", version, levels, build, jobs)),
             ("through C", lambda: run_through_c(version, build, jobs)),
             ("plugin", lambda: run_self_contained(build)),
             ("same IR", lambda: run_deterministic(build)))
    for name, run in kinds:
        start = time.monotonic()
        count = run()
        seconds = time.monotonic() - start
        print(f"LLVM {version}, {name}: {count}, in {seconds:.0f} s", flush=True)
        total = total.plus(count)
    return total


def main():
    """Runs the program."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-j", type=int, default=1, dest="jobs")
    parser.add_argument("--reproducible", action="store_true")
    parser.add_argument("--levels", choices=("quick", "ci", "all"), default="ci")
    parser.add_argument("versions", nargs="+")
    arguments = parser.parse_args()
    total = Count(0, 0)
    for version in arguments.versions:
        total = total.plus(check(version, arguments.levels, arguments.jobs))
        if arguments.reproducible:
            total = total.plus(run_reproducible(version, arguments.jobs))
    if arguments.levels != "quick":
        total = total.plus(run_random(arguments.versions, arguments.jobs))
    total = total.plus(run_plantable())
    if total.skipped:
        print(f"{total.skipped} skipped, for a compiler or a library is not installed")
    print(f"{total.passed} passed, {total.failed} failed")
    return 1 if total.failed or not total.passed else 0


if __name__ == "__main__":
    sys.exit(main())
