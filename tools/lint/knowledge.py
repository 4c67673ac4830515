# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One row per fact: library functions are named in rule files only; every diagnostic is tested and
explained; every source file has its line in docs/architecture.md."""

import re
from fnmatch import fnmatchcase

from .tokens import tokenize

ROW = re.compile(r"^(?:[\w{}, ]+ )?([A-Za-z_][\w.]*)\(")
ALSO = re.compile(r"\balso ((?:[\w.]+, *)*[\w.]+)")
RUNTIME = "__nabla_"
MAPPED = ("src", "include", "runtime", "models", "driver", "python", "tools", "examples", "bench",
          "tests")
DIAGNOSTIC = re.compile(r'^\s*NB_DIAGNOSTIC\(\s*\w+,\s*"([\w-]+)"', re.MULTILINE)


def names_of(line):
    """Returns the names that one line of a rule file gives to functions."""
    head = ROW.match(line)
    names = {head.group(1)} if head else set()
    for others in ALSO.findall(line):
        names.update(name.strip() for name in others.split(","))
    return names


def row_names(sources):
    """Returns the names of functions that have a row in a rule file.

    Those that are opcodes, too, are left out: these the engine may name.
    """
    lines = [line for source in sources if source.kind == "rules" for line in source.lines]
    opcodes = {ROW.match(line).group(1) for line in lines
               if ROW.match(line) and " instruction " in f"{line} "}
    return set().union(*(names_of(line) for line in lines if not line.startswith("#"))) - opcodes


def check_names(source, names):
    """Names of functions with a row, as string literals in the engine; it calls its own runtime."""
    for token in tokenize(source.text):
        name = token.text.strip('"')
        if token.kind == "string" and name in names and not name.startswith(RUNTIME):
            yield source.finding(token.line, f"{token.text} has a row in the rule files: "
                                             "the engine does not name it")


# What a user reads where the fault is nabla's own: no program is known to provoke it.
OUR_BUG = "broken-build"
WORD = re.compile(r'^NB_(?:ENTRY|ATTRIBUTE|MARKER)\("(\w+)", "?(\w+)', re.MULTILINE)
REFUSED = re.compile(r'\brefuse\(place,((?:\s*"[^"]*")+)')
EXAMPLE = re.compile(r"^```(c|console)$", re.MULTILINE)


def is_expected(name, tests):
    """Do the tests name a diagnostic? A name of one word must stand in the printed form."""
    if "-" in name:
        return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", tests)
    return re.search(rf"(nabla|refuses?|expect\w*): *{re.escape(name)}\b", tests)


def check_diagnostics(sources):
    """Diagnostics that no test expects."""
    tests = "\n".join(source.text for source in sources if source.is_under("tests"))
    for source in sources:
        if source.name != "src/base/diagnostics.def":
            continue
        for match in DIAGNOSTIC.finditer(source.text):
            if match.group(1) != OUR_BUG and not is_expected(match.group(1), tests):
                line = source.text.count("\n", 0, match.start(1)) + 1
                yield source.finding(line, f"no test expects the diagnostic {match.group(1)}")


def text_of(sources, name):
    """Returns the text of one file, or nothing where it is missing."""
    return next((source.text for source in sources if source.name == name), "")


def mapped_names(page):
    """Returns the names of files, or patterns of names, that docs/architecture.md speaks of: whole
    ones, and ones from src, from the folder in the section's title, or the item's first folder."""
    names = set()
    for section in re.split(r"^## ", page, flags=re.MULTILINE):
        title = re.match(r"[\w/]*", section).group()
        for item in re.split(r"^- ", section, flags=re.MULTILINE):
            words = re.findall(r"`([^`\n]+)`", item)
            for word in words:
                names.update({word, f"src/{word}", f"{title}/{word}", f"{words[0]}/{word}"})
    return names


def check_map(sources):
    """Source files without a line in docs/architecture.md; a header may go with its source file."""
    named = mapped_names(text_of(sources, "docs/architecture.md"))
    patterns = [name for name in named if "*" in name]
    names = {source.name for source in sources}
    for source in sources:
        stem = source.name.removesuffix(".h")
        paired = stem != source.name and {stem + ".c", stem + ".cpp"} & names
        told = source.name in named or any(fnmatchcase(source.name, each) for each in patterns)
        if source.is_under(*MAPPED) and source.kind != "prose" and not paired and not told:
            yield source.finding(1, "docs/architecture.md has no line for this file")


def sections_of(page):
    """Returns the sections of third level of a page, by their titles."""
    parts = re.split(r"^###? (.*)\n", page, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2]))


def check_explanations(sources):
    """Diagnostics without a section in docs/diagnostics.md, or without an example in it."""
    sections = sections_of(text_of(sources, "docs/diagnostics.md"))
    for source in sources:
        if source.name != "src/base/diagnostics.def":
            continue
        for match in DIAGNOSTIC.finditer(source.text):
            name = match.group(1)
            line = source.text.count("\n", 0, match.start(1)) + 1
            if name not in sections:
                yield source.finding(line, f"docs/diagnostics.md has no section {name}")
            elif name != OUR_BUG and not EXAMPLE.search(sections[name]):
                yield source.finding(line, f"docs/diagnostics.md has no example of {name}")


def check_refusals(sources):
    """Messages that end the program while it runs, and are not on the page of diagnostics."""
    page = " ".join(text_of(sources, "docs/diagnostics.md").split())
    for source in sources:
        if not source.is_under("runtime"):
            continue
        for match in REFUSED.finditer(source.text):
            words = "".join(re.findall(r'"([^"]*)"', match.group(1)))
            message = re.split(r": |\\n", words)[0].strip()
            if f"`{message}`" not in page:
                line = source.text.count("\n", 0, match.start(1)) + 1
                yield source.finding(line, f"docs/diagnostics.md does not have '{message}'")


def check_words(sources):
    """Entry points, attributes and markers that docs/markers.md does not speak of."""
    page = text_of(sources, "docs/markers.md")
    for source in sources:
        if source.name != "src/request/entries.def":
            continue
        for match in WORD.finditer(source.text):
            if match.group(2) != "SUPPLIED" and match.group(1) not in page:
                line = source.text.count("\n", 0, match.start()) + 1
                yield source.finding(line, f"docs/markers.md does not have {match.group(1)}")


def check(sources):
    """Returns all findings of this module."""
    names = row_names(sources)
    findings = list(check_diagnostics(sources))
    findings += check_map(sources)
    findings += check_explanations(sources)
    findings += check_refusals(sources)
    findings += check_words(sources)
    for source in sources:
        if source.path.suffix == ".c" and source.is_under("src"):
            if not source.is_under("src/rules"):
                findings += check_names(source, names)
    return findings
