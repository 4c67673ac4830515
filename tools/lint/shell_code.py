# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shell: length and nesting of functions, and of what stands outside them."""

import re

from .structure import FUNCTION_LINES_MAX, NESTING_MAX

HEAD = re.compile(r"^(\w+)\s*\(\)\s*\{\s*$")
OPENS = re.compile(r"^(if|for|while|until|case)\b")
CLOSES = re.compile(r"^(fi|done|esac)\b")


def nesting(lines):
    """Returns how deep the compound commands of some lines are nested."""
    depth = 0
    deepest = 0
    for line in lines:
        stripped = line.strip()
        if OPENS.match(stripped):
            depth += 1
            deepest = max(deepest, depth)
        if CLOSES.match(stripped) or re.search(r";\s*(fi|done|esac)$", stripped):
            depth -= 1
    return deepest


def split_functions(lines):
    """Returns (name, first line, lines) of each function, and the lines outside them."""
    functions = []
    outside = []
    current = None
    for number, line in enumerate(lines, 1):
        head = HEAD.match(line)
        if head:
            current = (head.group(1), number, [])
            functions.append(current)
        if current:
            current[2].append(line)
        elif line.strip() and not line.startswith("#"):
            outside.append(line)
        if line == "}":
            current = None
    return functions, outside


def check_part(source, name, first, lines):
    """Length and nesting of one function, or of the commands outside all functions."""
    if len(lines) > FUNCTION_LINES_MAX:
        yield source.finding(first, f"{name} has {len(lines)} lines "
                                    f"(at most {FUNCTION_LINES_MAX})")
    depth = nesting(lines)
    if depth > NESTING_MAX:
        yield source.finding(first, f"{name} is nested {depth} deep (at most {NESTING_MAX})")


def check(sources):
    """Returns all findings of this module."""
    findings = []
    for source in sources:
        if source.kind != "shell":
            continue
        functions, outside = split_functions(source.lines)
        for name, first, lines in functions:
            findings += check_part(source, name, first, lines)
        findings += check_part(source, "the script", 1, outside)
    return findings
