# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The files that lint reads, and what it finds in them."""

import os
from pathlib import Path
from typing import NamedTuple

SKIPPED_FOLDERS = {".git", "build", "__pycache__"}
KINDS = {".c": "c", ".h": "c", ".def": "c", ".inc": "c", ".cpp": "c++", ".hpp": "c++",
         ".py": "python", ".sh": "shell", ".rules": "rules", ".cmake": "cmake",
         ".f90": "fortran", ".rs": "rust", ".d": "d", ".ll": "ll", ".test": "lit", ".md": "prose"}
KINDS_OF_NAMES = {"CMakeLists.txt": "cmake", "Makefile": "make", ".clang-format": "yaml"}


class Finding(NamedTuple):
    """One broken habit, at one line."""

    name: str
    line: int
    message: str


class Source:
    """One file: its path, its name from the root, its kind and its lines."""

    def __init__(self, path, root):
        self.path = path
        self.name = str(path.relative_to(root))
        self.text = path.read_text(encoding="utf-8", errors="replace")
        self.lines = self.text.splitlines()
        self.kind = self._find_kind()

    def _find_kind(self):
        if "\0" in self.text:
            return "binary"
        if self.lines and self.lines[0].startswith("#!") and "sh" in self.lines[0]:
            return "shell"
        name = Path(self.path.name.removesuffix(".in"))
        return KINDS_OF_NAMES.get(name.name, KINDS.get(name.suffix))

    def finding(self, line, message):
        """Returns a finding in this file."""
        return Finding(self.name, line, message)

    def is_under(self, *folders):
        """Does this file stand in one of these folders of the root?"""
        return self.name.startswith(tuple(folder + "/" for folder in folders))


def load(root):
    """Returns all files of the repository whose kind is known, sorted by name."""
    sources = []
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in SKIPPED_FOLDERS]
        paths = [Path(folder) / name for name in names]
        sources += [Source(path, root) for path in paths if not path.is_symlink()]
    known = [source for source in sources if source.kind]
    return sorted(known, key=lambda source: source.name)
