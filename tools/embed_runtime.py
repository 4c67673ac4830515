#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Joins the runtime's bitcode files and writes them as a C array.

The module that results names no producer and carries no module flags: it takes on those of the
module that it is linked into.
"""

import argparse
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


def write_source(data, output):
    """Writes the C file that holds the bytes."""
    lines = ["#include <stddef.h>", "", "extern const unsigned char nb_runtime_bitcode[];",
             "extern const size_t nb_runtime_bitcode_size;", "",
             "const unsigned char nb_runtime_bitcode[] = {"]
    for start in range(0, len(data), BYTES_A_LINE):
        row = data[start:start + BYTES_A_LINE]
        lines.append("  " + " ".join(f"{byte}," for byte in row))
    lines += ["};", f"const size_t nb_runtime_bitcode_size = {len(data)};", ""]
    Path(output).write_text("\n".join(lines), encoding="ascii")


def main():
    """Runs the program."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--llvm-bin", required=True)
    parser.add_argument("--bitcode", required=True)
    parser.add_argument("--source", required=True)
    parser.add_argument("inputs", nargs="+")
    arguments = parser.parse_args()
    assemble(arguments.llvm_bin, join(arguments.llvm_bin, arguments.inputs), arguments.bitcode)
    write_source(Path(arguments.bitcode).read_bytes(), arguments.source)


if __name__ == "__main__":
    main()
