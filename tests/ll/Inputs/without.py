#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles and runs a program without each of nabla's optimisations, which must not change what it
prints, and looks for all of them in a page.

usage: without.py OPTIMISATIONS.DEF PAGE PROGRAM COMPILER ARGUMENT...
"""

import pathlib
import re
import subprocess
import sys


def output_of(program, command):
    """Returns what the program prints."""
    subprocess.run([*command, "-o", program], check=True)
    return subprocess.run([program], check=True, capture_output=True, text=True).stdout


def main():
    """Prints the name of each optimisation without which something is wrong; "ok" if none is."""
    table, page, program, *command = sys.argv[1:]
    names = re.findall(r'^NB_OPTIMISATION\(\w+, "(\w+)"', pathlib.Path(table).read_text(), re.M)
    told = pathlib.Path(page).read_text(encoding="utf-8")
    wanted = output_of(program, command)
    wrong = [name for name in names if f"\n| `{name}` |" not in told]
    wrong += [name for name in names
              if output_of(program, [*command, "-mllvm", f"-nabla-without={name}"]) != wanted]
    print(", ".join(wrong) if wrong or not names else "ok")


main()
