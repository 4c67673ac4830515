# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What can be seen in the lines alone: width, length of files, licence, TODOs, repeated blocks."""

import re

CODE = {"c", "c++", "python", "shell"}
LICENSED = CODE | {"fortran", "rust", "d", "rules", "cmake", "make", "yaml", "ll", "lit", "prose"}
COLUMNS_MAX = 100
FILE_LINES_MAX = 800
BLOCK_LINES = 10
SPDX = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
UNFINISHED = re.compile(r"\b(TO" r"DO|FIX" r"ME|X" r"XX)\b(?!\s*\(?#\d+)")


def check_lines(source):
    """Width of the lines, tabs, spaces at the end, unfinished work without its issue."""
    for number, line in enumerate(source.lines, 1):
        if len(line) > COLUMNS_MAX:
            yield source.finding(number, f"line of {len(line)} columns (at most {COLUMNS_MAX})")
        if line != line.rstrip():
            yield source.finding(number, "space at the end of the line")
        if UNFINISHED.search(line):
            yield source.finding(number, "unfinished work without the number of its issue")


def check_file(source):
    """The licence line and the length of the file, which a person wrote."""
    if source.kind == "binary":
        yield source.finding(1, "no text: what programs make stays out of the repository")
        return
    if source.kind in LICENSED and SPDX not in "\n".join(source.lines[:2]):
        yield source.finding(1, f"no line `{SPDX}` at the start")
    if len(source.lines) > FILE_LINES_MAX:
        count = len(source.lines)
        yield source.finding(1, f"{count} lines (past {FILE_LINES_MAX} a file becomes a folder)")


def telling_lines(source):
    """Returns (number, text) of the lines that a repetition is made of: not blank, no include."""
    stripped = [(number, line.strip()) for number, line in enumerate(source.lines, 1)]
    return [(number, line) for number, line in stripped
            if line and not line.startswith(("#include", "import ", "from ")) and SPDX not in line]


def check_repetition(sources):
    """Blocks of equal lines, in one file or in two. Each is reported where it comes again."""
    seen = {}
    for source in sources:
        lines = telling_lines(source)
        reported_until = -1
        for start in range(len(lines) - BLOCK_LINES + 1):
            block = tuple(text for _, text in lines[start:start + BLOCK_LINES])
            here = (source.name, start, lines[start][0])
            first = seen.setdefault(block, here)
            if first is here or start <= reported_until or overlaps(first, here):
                continue
            reported_until = start + BLOCK_LINES - 1
            yield source.finding(here[2], f"{BLOCK_LINES} lines that also stand in "
                                          f"{first[0]}:{first[2]}")


def overlaps(first, here):
    """Is one block the other one, shifted by a few lines?"""
    return first[0] == here[0] and here[1] - first[1] < BLOCK_LINES


def check(sources):
    """Returns all findings of this module."""
    findings = []
    for source in sources:
        if source.kind != "prose":
            findings += check_file(source)
        if source.kind in CODE:
            findings += check_lines(source)
    findings += check_repetition([source for source in sources if source.kind in CODE])
    return findings
