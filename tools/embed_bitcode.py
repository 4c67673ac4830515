#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Joins bitcode files and writes them as a C array.

The module that results names no producer and carries no module flags: it takes on those of the
module that it is linked into. With --public PREFIX another C file, --names, has the names of the
functions that it defines, but for those that begin with PREFIX.
"""

import argparse
import re
import subprocess
from pathlib import Path

NOT_OURS_TO_SAY = ("!llvm.", "source_filename")
BYTES_A_LINE = 16


def join(llvm_bin, inputs):
    """Returns the linked module as text."""
    command = [f"{llvm_bin}/llvm-link", "-S", "-o", "-", *inputs]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def assemble(llvm_bin, text, output):
    """Writes the module as bitcode, without the lines that belong to the user's module."""
    kept = [line for line in text.splitlines() if not line.startswith(NOT_OURS_TO_SAY)]
    command = [f"{llvm_bin}/llvm-as", "-o", output, "-"]
    subprocess.run(command, check=True, text=True, input="\n".join(kept) + "\n")


def defined(text, hidden):
    """The functions that others may call, but for those whose name begins with `hidden`."""
    names = re.findall(r"^define (?!internal)[^@]*@([\w.$]+)", text, re.MULTILINE)
    return sorted(name for name in names if not name.startswith(hidden))


def write_names(public, output, name):
    """Writes the C file that holds the functions' names."""
    lines = ["#include <stddef.h>", "", f"extern const char *const {name}_names[];",
             f"const char *const {name}_names[] = {{", *(f'  "{function}",' for function in public),
             "  NULL};", ""]
    Path(output).write_text("\n".join(lines), encoding="ascii")


def write_source(data, output, name):
    """Writes the C file that holds the bytes."""
    lines = ["#include <stddef.h>", "", f"extern const unsigned char {name}_bitcode[];",
             f"extern const size_t {name}_bitcode_size;", "",
             f"const unsigned char {name}_bitcode[] = {{"]
    for start in range(0, len(data), BYTES_A_LINE):
        row = data[start:start + BYTES_A_LINE]
        lines.append("  " + " ".join(f"{byte}," for byte in row))
    lines += ["};", f"const size_t {name}_bitcode_size = {len(data)};", ""]
    Path(output).write_text("\n".join(lines), encoding="ascii")


def main():
    """Runs the program."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--llvm-bin", required=True)
    parser.add_argument("--bitcode", required=True)
    parser.add_argument("--source", required=True)
    parser.add_argument("--name", required=True)
    parser.add_argument("--public")
    parser.add_argument("--names")
    parser.add_argument("inputs", nargs="+")
    arguments = parser.parse_args()
    text = join(arguments.llvm_bin, arguments.inputs)
    assemble(arguments.llvm_bin, text, arguments.bitcode)
    write_source(Path(arguments.bitcode).read_bytes(), arguments.source, arguments.name)
    if arguments.public:
        write_names(defined(text, arguments.public), arguments.names, arguments.name)


if __name__ == "__main__":
    main()
