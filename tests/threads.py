#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The plugin itself under the thread sanitizer, in several threads of one process.

    threads.py --llvm 22 [-j 2]

Builds it so in build/threads-VERSION. Then the C API's tests run, of which one has a context in
each of several threads, and ThinLTO links a program of many modules, each of which asks for
derivatives through functions of others, in one linker with several jobs. The sanitizer's runtime is
loaded into the linker before all else.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MODULES = 12
LINKER_JOBS = 4
REPORT = "WARNING: ThreadSanitizer"
MODULE = """#include <math.h>
extern int enzyme_dup, enzyme_const;
extern double __enzyme_autodiff(void *, ...);
extern double part{next}(const double *, int);
double part{own}(const double *x, int n) {{
  double s = 0, t[8];
  for (int i = 0; i < n; i++)
    t[i] = sin(x[i]) * {own} + s, s += t[i] * exp(-x[n - 1 - i]);
  return s;
}}
static double whole(const double *x, int n) {{ return part{next}(x, n) * x[0]; }}
void slope{own}(const double *x, double *dx) {{
  __enzyme_autodiff((void *)whole, enzyme_dup, x, dx, enzyme_const, 5);
}}
"""


def build(version, jobs):
    """Configures and builds what is tested; returns its folder."""
    folder = ROOT / f"build/threads-{version}"
    llvm = f"/usr/lib/llvm-{version}/lib/cmake/llvm"
    subprocess.run(["cmake", "-G", "Ninja", "-S", ROOT, "-B", folder, f"-DLLVM_DIR={llvm}",
                    "-DNABLA_SANITIZE=thread", "--log-level=NOTICE"],
                   check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", folder, "-j", str(jobs), "--target", "unit-api_test"],
                   check=True, stdout=subprocess.DEVNULL)
    return folder


def write_program(folder):
    """Modules in a ring, and a main program that prints the sums of all derivatives."""
    for own in range(MODULES):
        text = MODULE.format(own=own, next=(own + 1) % MODULES)
        (folder / f"m{own}.c").write_text(text, encoding="utf-8")
    names = [f"slope{own}" for own in range(MODULES)]
    lines = ["#include <stdio.h>"]
    lines += [f"void {name}(const double *, double *);" for name in names]
    lines += ["int main(void) {", "  double x[5] = {0.1, 0.2, 0.3, 0.4, 0.5}, d[5] = {0};"]
    lines += [f"  {name}(x, d);" for name in names]
    lines += ['  printf("%.12g %.12g\\n", d[0], d[4]);', "  return 0;", "}"]
    (folder / "main.c").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return [f"m{own}" for own in range(MODULES)] + ["main"]


def link_command(clang, plugin, folder, objects):
    """What clang would run to link, as a list."""
    shown = subprocess.run([clang, "-flto=thin", "-fuse-ld=lld", f"-fplugin={plugin}",
                            f"-Wl,-mllvm,-load={plugin}", f"-Wl,--load-pass-plugin={plugin}",
                            f"-Wl,--thinlto-jobs={LINKER_JOBS}", *objects, "-lm", "-o", "program",
                            "-O2", "-###"],
                           check=True, capture_output=True, text=True, cwd=folder).stderr
    return [word.strip('"') for word in shown.splitlines()[-1].split()]


def links(version, built, folder):
    """Links the program with the watched plugin, and with the linker's own threads; returns what
    was said, and what the program prints."""
    clang = f"/usr/lib/llvm-{version}/bin/clang"
    plugin = built / "nabla.so"
    plain = ROOT / f"build/llvm-{version}/nabla.so"
    names = write_program(folder)
    for name in names:
        subprocess.run([clang, "-O2", "-w", "-flto=thin", f"-fplugin={plain}",
                        f"-fpass-plugin={plain}", "-c", f"{name}.c", "-o", f"{name}.o"],
                       check=True, cwd=folder)
    command = link_command(clang, plugin, folder, [f"{name}.o" for name in names])
    runtime = subprocess.run([clang, "-print-file-name=libclang_rt.tsan-x86_64.so"], check=True,
                             capture_output=True, text=True).stdout.strip()
    done = subprocess.run(["setarch", "-R", *command], cwd=folder, capture_output=True, text=True,
                          env={**os.environ, "LD_PRELOAD": runtime}, check=False)
    if done.returncode:
        return done.stdout + done.stderr + REPORT, ""
    printed = subprocess.run(["./program"], cwd=folder, capture_output=True, text=True,
                             check=False).stdout
    return done.stdout + done.stderr, printed


def report(name, said):
    """Prints one test's verdict; returns whether it passed."""
    passed = REPORT not in said
    print(f"{'passed' if passed else 'FAILED'}: {name}")
    if not passed:
        print(said[:4000])
    return passed


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--llvm", default="22")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    arguments = parser.parse_args()
    built = build(arguments.llvm, arguments.jobs)
    test = subprocess.run(["setarch", "-R", built / "unit/api_test"], capture_output=True,
                          text=True, check=False)
    said = test.stdout + test.stderr
    passed = report("contexts in threads", said if test.returncode == 0 else said + REPORT)
    folder = Path(tempfile.mkdtemp(prefix="nabla-threads-"))
    said, printed = links(arguments.llvm, built, folder)
    expected = "" if REPORT in said else printed
    passed &= report("ThinLTO in threads", said if expected.strip() else said + REPORT)
    print(printed, end="")
    shutil.rmtree(folder)
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
