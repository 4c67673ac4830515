#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs what the pages show: README.md, docs/ and examples/.

    pages.py --build build/llvm-22 [-j 2] [--only markers] [--slow]

Each block of a page says what it is: a language, `console`, or `text`. A page's blocks lie in one
folder. Of C, C++, Fortran and Python each block is compiled, and run where it is a program; in
examples/ they are quotations (examples/pages.py). A first line that is a comment with a file's name
names the file, which a `console` block may use; it is not compiled by itself then. In a `console`
block each line `$ command` is run, and prints the lines behind it, of which `...` stands for any, a
number below 1e-8 for any other such, and a time in ms for any other; what `$ cat FILE` prints is
the file, where there is none. A block of `text` behind a program is what the program prints. In
diagnostics.md each block begins with the page's first one, and is refused with the name of its
section, or warned of. Comments right above a block, which readers of the page do not see, say more:

    <!-- given NAME: PATH -->    a file of the sources that the block uses by this name
    <!-- given NAME:             the same, with what follows in it, up to the comment's end
    <!-- before: COMMAND -->     to be run first
    <!-- slow -->                runs with --slow only
    <!-- not run: WHY -->        does not run here

Blocks that do not run are counted, and those that need a compiler that is not installed.
"""

import argparse
import concurrent.futures
import functools
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
FENCE = re.compile(r"((?:^<!-- (?:(?!-->).)*-->\n)*)^```(\w*)\n(.*?)^```$",
                   re.MULTILINE | re.DOTALL)
NOTE = re.compile(r"<!-- (given (\S+)|before|slow|not run)(?:: ?(.*?))? ?-->\n", re.DOTALL)
SECTION = re.compile(r"^### (\S+)$", re.MULTILINE)
NAMED = re.compile(r"(?://|/\*|!|#) ([\w./-]+\.\w+)\b")
PROGRAM = re.compile(r"^int main\(|^program |^end program", re.MULTILINE)
LOOSE = re.compile(r"(\.\.\.|\d+\.\d+ ms\b|\b\d\.\d+[eE]-(?:09|[1-9]\d)\b)")
SUFFIXES = {"c": ".c", "cpp": ".cpp", "fortran": ".f90", "python": ".py", "rules": ".rules",
            "rust": ".rs", "cmake": ".cmake"}
OTHERS = ("console", "text")
COMPILERS = {"fortran": "flang-22", "rust": "rustc"}
DRIVERS = {".c": "nabla-cc", ".cpp": "nabla-c++", ".f90": "nabla-fc"}
NEEDS = ((r"\brustc\b", "rustc"), (r"\bldc2\b", "ldc2"), (r"\bcmake\b", "cmake"),
         (r"\bnabla(-| | explain )fc\b|\bflang-22\b", "flang-22"),
         (r"\bpkg-config\b", "pkg-config"), (r"\bclangd-22\b", "clangd-22"), (r"\bgdb\b", "gdb"),
         (r"/eigen3\b", "/usr/include/eigen3"))
UNVERSIONED = ("clang", "clang++", "flang", "opt", "llvm-config")
PROVOKED = "diagnostics.md"
STRICT = "-Wall -Werror -Wno-unused-function -isystem $(llvm-config-22 --includedir)"
PYTHON = "/usr/bin/python3"
SECONDS = 540


class Block(NamedTuple):
    """A block of code on a page."""

    language: str
    text: str
    section: str  # the heading of third level above it
    number: int  # its line
    notes: list  # of kind, name, value


class Result(NamedTuple):
    """What a page's blocks gave, and what there is to say of it."""

    passed: int
    skipped: int
    failed: int
    not_run: int
    said: str


def blocks_of(page):
    """Returns the blocks of a page, in order."""
    text = page.read_text(encoding="utf-8")
    blocks = []
    for found in FENCE.finditer(text):
        sections = SECTION.findall(text[:found.start()])
        notes = [(note[1].split()[0], note[2] or "", note[3] or "")
                 for note in NOTE.finditer(found[1])]
        blocks.append(Block(found[2], found[3], sections[-1] if sections else "",
                            text[:found.start(2)].count("\n") + 1, notes))
    return blocks


def mistakes_of(page, blocks):
    """Returns what no test could take in: blocks that do not say what they are, unknown notes."""
    text = page.read_text(encoding="utf-8")
    loose = [line for line in FENCE.sub("", text).splitlines() if re.match(r" {4}|\t|```", line)]
    wrong = [f"a block that is not fenced: {line.strip()}" for line in loose]
    wrong += [f"line {block.number}: a block of '{block.language}'" for block in blocks
              if block.language not in SUFFIXES and block.language not in OTHERS]
    for found in FENCE.finditer(text):
        if NOTE.sub("", found[1]):
            wrong.append(f"a note that nobody knows: {NOTE.sub('', found[1])}")
    return wrong


def pattern_of(expected):
    """Returns the regular expression of what a page shows; white space is one like another."""
    pattern = ""
    for i, part in enumerate(LOOSE.split(expected.strip())):
        if i % 2 == 0:
            words = [re.escape(word) for word in re.split(r"\s+", part)]
            pattern += r"\s+".join(words)
        elif part == "...":
            pattern += ".*"
        elif part.endswith("ms"):
            pattern += r"[\d.]+ ms"
        else:
            pattern += r"(?:\d\.\d+[eE]-(?:09|[1-9]\d)|0\.0+[eE][+-]00)"
    return pattern


def matches(expected, printed):
    """Says whether the output is what the page shows."""
    return re.fullmatch(pattern_of(expected), printed.strip(), re.DOTALL) is not None


@functools.cache
def is_there(program):
    """Says whether a program or a file is installed."""
    return Path(program).exists() if program.startswith("/") else bool(shutil.which(program))


@functools.cache
def has_numpy():
    """Says whether the system's Python has NumPy."""
    result = subprocess.run([PYTHON, "-c", "import numpy"], check=False, capture_output=True)
    return result.returncode == 0


class Page:
    """A page whose blocks are checked one by one, in a folder of its own.

    What pages use of the sources is in that folder, the examples as a copy. Commands are typed
    there, those of an example's page in the example's folder, and `make` in the sources' own.
    """

    def __init__(self, page, build, root, slow):
        self.page, self.build, self.root, self.slow = page, build, root, slow
        self.blocks = blocks_of(page)
        self.typed = "".join(block.text for block in self.blocks if block.language == "console")
        self.passed, self.failed, self.skipped, self.not_run = 0, 0, 0, 0
        self.said = []
        self.is_example = page.is_relative_to(ROOT / "examples")
        self.folder = root / page.parent.relative_to(ROOT) if self.is_example else root
        self.furnish()

    def furnish(self):
        """Makes the folder."""
        for name in ("include", "python", "rules", "tools"):
            (self.root / name).symlink_to(ROOT / name)
        (self.root / "build").mkdir()
        (self.root / "build" / self.build.name).symlink_to(self.build)
        shutil.copytree(ROOT / "examples", self.root / "examples")
        (self.folder / "nabla.so").symlink_to(self.build / "nabla.so")
        self.hide(self.root / "build/hidden")

    def hide(self, folder):
        """Hides the programs of LLVM that a reader with versioned packages alone does not have."""
        folder.mkdir()
        for name in UNVERSIONED:
            (folder / name).write_text(f"#!/bin/sh\necho {name}: not found >&2\nexit 127\n",
                                       encoding="utf-8")
            (folder / name).chmod(0o755)

    def run(self, command):
        """Runs a command of the shell as a reader would, with nabla on the path.

        The project's own make is run where the sources are.
        """
        environment = {name: value for name, value in os.environ.items() if name[:4] != "MAKE"}
        environment.update(HOME=str(self.folder),
                           PATH=f"{self.build}:{self.root}/build/hidden:{os.environ['PATH']}",
                           PYTHONPATH=str(ROOT / "python"), CARGO_HOME=f"{Path.home()}/.cargo",
                           RUSTUP_HOME=f"{Path.home()}/.rustup")
        folder = ROOT if re.match(r"make\b(?! -C)", command) else self.folder
        return subprocess.run(["timeout", str(SECONDS), "sh", "-c", command], cwd=folder,
                              check=False, env=environment, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace")

    def count(self, block, good, output):
        """Counts a block, and says what is wrong with it."""
        self.passed += good
        self.failed += not good
        if not good:
            self.said.append(f"FAIL: {self.page.relative_to(ROOT)}:{block.number}\n{output}")

    def write(self, block):
        """Writes a block to its file; returns the name."""
        first = NAMED.match(block.text)
        name = first[1] if first else f"block{block.number}{SUFFIXES[block.language]}"
        (self.folder / name).write_text(block.text, encoding="utf-8")
        return name

    def prepare(self, block):
        """Does what the notes of a block say; returns whether it is to be checked."""
        kinds = {kind: value for kind, _name, value in block.notes}
        if "not" in kinds or ("slow" in kinds and not self.slow):
            self.not_run += 1
            return False
        for kind, name, value in block.notes:
            if kind == "given" and "\n" in value:
                (self.folder / name).write_text(value.lstrip("\n"), encoding="utf-8")
            elif kind == "given":
                shutil.copy(ROOT / value, self.folder / name)
            elif kind == "before":
                result = self.run(value)
                if result.returncode:
                    self.count(block, False, f"{value}\n{result.stdout}")
                    return False
        return True

    def check_console(self, block):
        """Types the commands of a block."""
        exported = ""
        for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
            command, _, expected = part.partition("\n")
            exported += f"{command}; " if command.startswith("export ") else ""
            words = shlex.split(command, comments=True)
            if len(words) == 2 and words[0] == "cat" and not (self.folder / words[1]).exists():
                (self.folder / words[1]).write_text(expected, encoding="utf-8")
            result = self.run(exported + command)
            may_fail = expected.strip() not in ("", "...")
            good = matches(expected, result.stdout) and (may_fail or result.returncode == 0)
            self.count(block, good, f"{command}\n{result.stdout}")

    def check_provoked(self, block):
        """Compiles an example of a diagnostic."""
        flags = re.match(r"// clang (.*)", block.text)
        named = NAMED.match(block.text)
        file = self.folder / (named[1] if named else f"{block.section}.c")
        file.write_text(self.blocks[0].text + block.text, encoding="utf-8")
        if file.name in self.typed:
            return
        given = flags[1] if flags else "-w"
        result = self.run(f"nabla-cc -O2 {given} -c {file.name}")
        said = re.search(rf"(error|warning): .*\[nabla: {block.section}\]", result.stdout)
        only_warns = said and said[1] == "warning" and "error:" not in result.stdout
        self.count(block, said and (result.returncode != 0 or only_warns), result.stdout)

    def command_of(self, block, name):
        """Returns how a block is checked: compiled, and run where it is a program."""
        if block.language == "rules":
            return f"! nabla rules --rules={name} sin 2>&1 | grep error:"
        if block.language == "python":
            return f"{PYTHON} {name}"
        if block.language == "rust":
            return f"rustc --crate-type lib --emit=metadata {name}"
        driver = DRIVERS[Path(name).suffix]
        command = f"{driver} -O2 {'' if driver == 'nabla-fc' else STRICT} {name}"
        is_program = PROGRAM.search(block.text) is not None
        return command + (" -lm -o program && ./program" if is_program else " -c -o object")

    def check_code(self, block, following):
        """Compiles a block, and runs it where it is a program."""
        name = self.write(block)
        command = self.command_of(block, name)
        prints = block.language == "python" or command.endswith("./program")
        shown = prints and following and following.language == "text"
        if name in self.typed and not shown:
            return
        result = self.run(command)
        good = result.returncode == 0
        if shown:
            good = good and matches(following.text, result.stdout)
        self.count(block, good, f"{command}\n{result.stdout}")

    def is_skipped(self, block):
        """Says whether what the block needs is not installed."""
        if block.language == "python":
            return not has_numpy()
        if block.language in COMPILERS:
            return not is_there(COMPILERS[block.language])
        return block.language == "console" and any(
            re.search(word, block.text) and not is_there(program) for word, program in NEEDS)

    def check_block(self, block, following):
        """Checks a block of code or of commands."""
        quoted = self.is_example and block.language != "console"
        if quoted or block.language == "text" or block.language not in (*SUFFIXES, *OTHERS):
            return
        if self.is_skipped(block):
            self.skipped += 1
        elif not self.prepare(block):
            return
        elif block.language == "cmake":
            self.write(block)
        elif block.language == "console":
            self.check_console(block)
        elif self.page.name == PROVOKED and block.language == "c":
            if block.section:
                self.check_provoked(block)
        else:
            self.check_code(block, following)

    def check(self):
        """Checks all blocks."""
        for mistake in mistakes_of(self.page, self.blocks):
            self.failed += 1
            self.said.append(f"FAIL: {self.page.relative_to(ROOT)}: {mistake}")
        for i, block in enumerate(self.blocks):
            self.check_block(block, self.blocks[i + 1] if i + 1 < len(self.blocks) else None)
        return Result(self.passed, self.skipped, self.failed, self.not_run, "\n".join(self.said))


def check_page(page, build, slow):
    """Checks a page in a folder that is gone afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        return Page(page, build, Path(folder).resolve(), slow).check()


def main():
    """Runs the program."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--slow", action="store_true")
    parser.add_argument("-j", type=int, default=1, dest="jobs")
    arguments = parser.parse_args()
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")),
             *sorted((ROOT / "examples").rglob("*.md"))]
    chosen = [page for page in pages if arguments.only in str(page.relative_to(ROOT))]
    build = arguments.build.resolve()
    results = []
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for result in pool.map(lambda page: check_page(page, build, arguments.slow), chosen):
            results.append(result)
            if result.said:
                print(result.said, flush=True)
    passed, skipped, failed, not_run = (sum(column) for column in list(zip(*results))[:4])
    if not_run:
        print(f"not run here, as the pages say: {not_run} blocks")
    print(f"{passed} passed, {skipped} skipped, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
