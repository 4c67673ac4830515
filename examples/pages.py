#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that the pages of the examples show what the programs say.

A page is NAME.md beside the program NAME.c, or README.md in a folder of files. Each block of code
in a named language stands in one of them, word for word. Blocks of `console` quote no program:
their commands are typed by tests/pages.py.
"""

import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
BLOCK = re.compile(r"^```(?!console\n)\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def programs_of(page):
    """Returns the texts that a page may quote."""
    files = page.parent.iterdir() if page.stem == "README" else page.parent.glob(f"{page.stem}.*")
    return [file.read_text(encoding="utf-8") for file in files
            if file.suffix != ".md" and file.is_file()]


def check_page(page):
    """Returns the blocks of a page that are in no program of its own."""
    programs = programs_of(page)
    blocks = BLOCK.findall(page.read_text(encoding="utf-8"))
    return [block for block in blocks if not any(block in program for program in programs)]


def main():
    """Runs the program."""
    wrong = [(page, block) for page in sorted(HERE.rglob("*.md")) for block in check_page(page)]
    for page, block in wrong:
        print(f"{page.name}: this is not in the program:\n{block}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
