#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles and runs the code of the pages in docs/ and of README.md.

    pages.py --build build/llvm-22 [--only markers]

A block of C, C++, Fortran or Python whose first line is a comment with a file's name is kept in
the page's own folder under that name. It is compiled; a program with a main function is run too,
unless a block of `console` names the file: in such a block each line `$ command` is run in that
folder, and prints the lines behind it, of which `...` stands for any. A block of `text` behind a
program is what the program prints. In diagnostics.md each block begins with the page's first one,
and is refused with the name of its section.
"""

import argparse
import functools
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SECTION = re.compile(r"^### (\S+)$", re.MULTILINE)
NAMED = re.compile(r"(?://|/\*|!|#) ([\w./-]+\.\w+)\b")
PROGRAM = re.compile(r"^int main\(|^program |^end program", re.MULTILINE)
SUFFIXES = {"c": ".c", "cpp": ".cpp", "fortran": ".f90", "python": ".py", "rules": ".rules"}
DRIVERS = {".c": "nabla-cc", ".cpp": "nabla-c++", ".f90": "nabla-fc"}
PROVOKED = "diagnostics.md"
STRICT = "-Wall -Werror -Wno-unused-function -isystem $(llvm-config-22 --includedir)"
PYTHON = "/usr/bin/python3"
SECONDS = 120


class Block(NamedTuple):
    """A block of code on a page."""

    language: str
    text: str
    section: str  # the heading of third level above it
    number: int


def blocks_of(page):
    """Returns the blocks of a page, in order."""
    text = page.read_text(encoding="utf-8")
    blocks = []
    for found in FENCE.finditer(text):
        sections = SECTION.findall(text[:found.start()])
        blocks.append(Block(found[1], found[2], sections[-1] if sections else "",
                            text[:found.start()].count("\n") + 1))
    return blocks


def run(command, folder, build):
    """Runs a command of the shell as a reader would, with nabla on the path."""
    environment = dict(os.environ, PATH=f"{build}:{os.environ['PATH']}",
                       PYTHONPATH=str(ROOT / "python"))
    return subprocess.run(["timeout", str(SECONDS), "sh", "-c", command], cwd=folder, check=False,
                          env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace")


def matches(expected, printed):
    """Says whether the output is what the page shows; `...` stands for any text."""
    pattern = re.escape(expected.strip()).replace(re.escape("..."), ".*")
    return re.fullmatch(pattern, printed.strip(), re.DOTALL) is not None


@functools.cache
def is_missing(language):
    """Says whether the compiler of a language, or what its blocks use, is not installed."""
    if language == "python":
        result = subprocess.run([PYTHON, "-c", "import numpy"], check=False, capture_output=True)
        return result.returncode != 0
    return language == "fortran" and not shutil.which("flang-22")


class Page:
    """A page whose blocks are checked one by one, in a folder of its own."""

    def __init__(self, page, build, folder):
        self.page, self.build, self.folder = page, build, folder
        self.blocks = blocks_of(page)
        self.typed = "".join(block.text for block in self.blocks if block.language == "console")
        self.passed, self.failed, self.skipped = 0, 0, 0
        self.missing = {language for language in SUFFIXES if is_missing(language)}
        (folder / "nabla.so").symlink_to(build / "nabla.so")

    def count(self, block, good, output):
        """Counts a block, and says what is wrong with it."""
        self.passed += good
        self.failed += not good
        if not good:
            print(f"FAIL: {self.page.name}:{block.number}\n{output}")

    def write(self, block):
        """Writes a block to its file; returns the name."""
        first = NAMED.match(block.text)
        name = first[1] if first else f"block{block.number}{SUFFIXES[block.language]}"
        (self.folder / name).write_text(block.text, encoding="utf-8")
        return name

    def check_console(self, block):
        """Types the commands of a block."""
        for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
            command, _, expected = part.partition("\n")
            result = run(command, self.folder, self.build)
            self.count(block, matches(expected, result.stdout), f"{command}\n{result.stdout}")

    def check_provoked(self, block):
        """Compiles an example of a diagnostic."""
        flags = re.match(r"// clang (.*)", block.text)
        named = NAMED.match(block.text)
        file = self.folder / (named[1] if named else f"{block.section}.c")
        file.write_text(self.blocks[0].text + block.text, encoding="utf-8")
        if file.name in self.typed:
            return
        command = f"nabla-cc -O2 -w {flags[1] if flags else ''} -c {file.name}"
        result = run(command, self.folder, self.build)
        said = f"[nabla: {block.section}]" in result.stdout and result.returncode != 0
        self.count(block, said, result.stdout)

    def check_code(self, block, following):
        """Compiles a block, and runs it where it is a program."""
        name = self.write(block)
        shown = following and following.language == "text"
        if block.language == "rules" or (name in self.typed and not shown):
            return
        command = f"{PYTHON} {name}"
        is_program = PROGRAM.search(block.text) is not None
        if block.language != "python":
            driver = DRIVERS[Path(name).suffix]
            command = f"{driver} -O2 {'' if driver == 'nabla-fc' else STRICT} {name}"
            command += " -lm -o program && ./program" if is_program else " -c -o object"
        result = run(command, self.folder, self.build)
        good = result.returncode == 0
        if shown:
            good = good and matches(following.text, result.stdout)
        self.count(block, good, f"{command}\n{result.stdout}")

    def is_skipped(self, block):
        """Says whether what the block needs is not installed."""
        needs_fortran = block.language == "console" and "nabla fc " in block.text
        return block.language in self.missing or (needs_fortran and "fortran" in self.missing)

    def check(self):
        """Checks all blocks."""
        for i, block in enumerate(self.blocks):
            following = self.blocks[i + 1] if i + 1 < len(self.blocks) else None
            if self.is_skipped(block):
                self.skipped += 1
            elif block.language == "console":
                self.check_console(block)
            elif block.language in SUFFIXES and self.page.name == PROVOKED:
                if block.section:
                    self.check_provoked(block)
            elif block.language in SUFFIXES:
                self.check_code(block, following)


def main():
    """Runs the program."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    passed, failed, skipped = 0, 0, 0
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        if arguments.only and arguments.only not in page.stem:
            continue
        with tempfile.TemporaryDirectory() as folder:
            checked = Page(page, arguments.build.resolve(), Path(folder))
            checked.check()
        passed, failed = passed + checked.passed, failed + checked.failed
        skipped += checked.skipped
    print(f"{passed} passed, {skipped} skipped, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
