#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs one n-body program in several languages, and compares its gradient with that of C.

    runner.py --llvm 22 --build build/llvm-22 [-j 2]

Each language's compiler makes bitcode, which `nabla c++ -flto` links with main.c. Programs in Rust
that ask for derivatives themselves are linked by `nabla cc`. A compiler counts
as missing when it is not installed, or writes bitcode that this LLVM does not read: its test is
skipped. The last line is "N passed, S skipped, M failed".
"""

import argparse
import concurrent.futures
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
SECONDS = 300
RUST_WITH_LLD = 90  # rustc 1.90 has a linker of its own, which loads no plugin


class Failure(Exception):
    """What a compiler or a program printed."""


class Missing(Exception):
    """Why there is no compiler."""


def run(command, folder):
    """Returns what a program printed."""
    done = subprocess.run([str(word) for word in command], cwd=folder, check=False, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=SECONDS, errors="replace")
    if done.returncode != 0:
        raise Failure(f"{' '.join(map(str, command))}\n{done.stdout}")
    return done.stdout


def find(*names):
    """Returns the first of these compilers that is installed."""
    for name in names:
        if shutil.which(name):
            return shutil.which(name)
    raise Missing(f"there is no {names[0]}")


def make_cxx(driver, folder, _version):
    """C++, by clang."""
    run([*driver, "-O2", "-flto", "-c", HERE / "nbody.cpp", "-o", "other.o"], folder)
    return ["other.o"]


def find_rust(folder, version):
    """Returns a rustc with the same LLVM."""
    compiler = find("/usr/bin/rustc", "rustc")
    found = re.search(r"LLVM version: (\d+)", run([compiler, "-vV"], folder))
    if not found or found.group(1) != version:
        raise Missing(f"{compiler} has no LLVM {version}")
    return compiler


def make_rust(driver, folder, version):
    """Rust, by a rustc with the same LLVM; panics need its core library."""
    compiler = find_rust(folder, version)
    run([compiler, "-C", "opt-level=2", "-C", "codegen-units=1", "-C", "panic=abort",
         "--emit=llvm-bc", HERE / "nbody.rs", "-o", "rust.bc"], folder)
    run([*driver, "-O2", "-flto", "-c", "-x", "ir", "rust.bc", "-o", "other.o"], folder)
    libraries = Path(run([compiler, "--print", "target-libdir"], folder).strip())
    return ["other.o", *libraries.glob("libcore-*.rlib")]


def make_d(driver, folder, _version):
    """D, by ldc, whose older bitcode is upgraded on reading."""
    run([find("ldc2"), "-O2", "--output-bc", "-betterC", "-release", "-of=d.bc", HERE / "nbody.d"],
        folder)
    run([*driver, "-O2", "-flto", "-c", "-x", "ir", "d.bc", "-o", "other.o"], folder)
    return ["other.o"]


def make_fortran(_driver, folder, version):
    """Fortran, by flang."""
    compiler = find(f"flang-{version}", f"/usr/lib/llvm-{version}/bin/flang")
    run([compiler, "-O2", "-flto", "-c", HERE / "nbody.f90", "-o", "other.o"], folder)
    return ["other.o"]


LANGUAGES = {"C++": make_cxx, "Fortran": make_fortran, "Rust": make_rust, "D": make_d}


def test(name, build, version):
    """Builds and runs the program of one language."""
    folder = build / "languages" / name
    folder.mkdir(parents=True, exist_ok=True)
    driver = [build / "nabla-cc", f"--llvm={version}"]
    objects = LANGUAGES[name](driver, folder, version)
    for part in ("main", "nbody"):
        run([*driver, "-O2", "-flto", "-c", HERE / f"{part}.c", "-o", f"{part}.o"], folder)
    run([build / "nabla-c++", f"--llvm={version}", "-O2", "-flto", "main.o", "nbody.o", *objects,
         "-lm", "-o", "program"], folder)
    run([folder / "program"], folder)


def test_example(_name, build, version):
    """Builds and runs the Gaussian mixture of the examples in Rust, with its library."""
    folder = build / "languages/example"
    folder.mkdir(parents=True, exist_ok=True)
    tools = Path(f"/usr/lib/llvm-{version}/bin")
    run(["make", "-s", "-C", HERE.parent.parent / "examples", "rust", f"BUILD={folder}",
         f"NABLA_CC={build}/nabla-cc --llvm={version}", f"CLANGXX={tools}/clang++",
         f"RUSTC={find_rust(folder, version)}"], folder)


def test_rust(name, build, version):
    """Builds and runs a program in Rust that asks for derivatives itself."""
    source, level = name.removeprefix("Rust, ").split(" -O")
    folder = build / "languages" / "rust"
    folder.mkdir(parents=True, exist_ok=True)
    compiler = find_rust(folder, version)
    linker = [f"linker={build}/nabla-cc", "link-arg=-flto", f"link-arg=--llvm={version}"]
    options = ["panic=abort", "lto=fat", "linker-plugin-lto", f"opt-level={level}", *linker]
    if int(re.search(r"1\.(\d+)", run([compiler, "-V"], folder)).group(1)) >= RUST_WITH_LLD:
        options.append("linker-features=-lld")
    program = folder / f"{source}{level}"
    run([compiler, "--edition", "2021", *(f"-C{option}" for option in options),
         HERE / f"{source}.rs", "-o", program], folder)
    run([program], folder)


RUST = ["Rust, functions -O2", "Rust, functions -O3", "Rust, parameters -O0"]


def outcome_of(name, run_test, build, version):
    """Runs a test; what it counts as, and what is to be said of it."""
    try:
        run_test(name, build, version)
    except Missing as reason:
        return "skipped", f"skipped: {name}: {reason}\n"
    except Failure as reason:
        return "failed", f"FAIL: {name}: {reason}\n"
    return "passed", ""


def main():
    """Runs the program."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--llvm", required=True)
    parser.add_argument("--build", required=True, type=Path)
    parser.add_argument("--filter", default="", help="only tests with this in their name")
    parser.add_argument("-j", type=int, default=1, dest="jobs")
    arguments = parser.parse_args()
    counts = {"passed": 0, "skipped": 0, "failed": 0}
    tests = {name: test for name in LANGUAGES} | {"Rust, the example": test_example}
    tests |= {name: test_rust for name in RUST}
    build = arguments.build.resolve()
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        pending = [pool.submit(outcome_of, name, run_test, build, arguments.llvm)
                   for name, run_test in tests.items() if arguments.filter in name]
        for future in pending:
            kind, said = future.result()
            print(said, end="", flush=True)
            counts[kind] += 1
    print(", ".join(f"{count} {word}" for word, count in counts.items()))
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
