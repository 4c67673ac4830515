#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles a file of C by nabla to C, and that C by clang.

usage: through_c.py ARGUMENTS OF THE COMPILER -c SOURCE -o OBJECT

Stands in for nabla-cc where the numbers of a program must not change. THROUGH and CLANG name the
two compilers. The C lies beside the object.
"""

import os
import subprocess
import sys


def main():
    """Runs the program."""
    arguments = sys.argv[1:]
    written = arguments[arguments.index("-o") + 1]
    text = written + ".c"
    levels = [argument for argument in arguments if argument[:2] in ("-O", "-f", "-m")
              and argument != "-mllvm"]
    command = [*os.environ["THROUGH"].split(), *arguments, "-g", "-mllvm", f"-nabla-source={text}",
               "-mllvm", "-nabla-source-whole"]
    subprocess.run(command, check=True)
    subprocess.run([os.environ["CLANG"], "-std=gnu17", *levels, "-c", text, "-o", written],
                   check=True)


if __name__ == "__main__":
    sys.exit(main())
