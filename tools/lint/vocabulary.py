# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every row of the vocabulary is shown by a test that runs at every level, and the table in
docs/compatibility.md is what the tests say."""

import re
from typing import NamedTuple

ROWS = "tests/vocabulary.txt"
PAGE = "docs/compatibility.md"
MARKERS = "docs/markers.md"
BEGIN = "<!-- rows: made by tools/vocabulary.py -->\n"
END = "<!-- rows: end -->\n"
SHOWS = re.compile(r"^(?://|;) shows: (.*)$", re.MULTILINE)
LIMITED = re.compile(r"^// (levels|llvm): (.*)$", re.MULTILINE)
EVERY_LEVEL = "%each-level"
CODE = re.compile(r"""__|ENZYME|enzyme[_:("]|annotate|[<"!#-]""")
KNOWN = (("src/request/entries.def", r'^NB_ENTRY\("([^"]+)", (?!SUPPLIED)', "{}"),
         ("src/request/entries.def", r'^NB_MARKER\("([^"]+)"', "enzyme_{}"),
         ("src/bridge/options.def", r'^NB_(?:SHARED|PRINTS|IGNORED)\("([^"]+)"', "-enzyme-{}"))
WRITTEN = KNOWN[:2] + ((KNOWN[0][0], r'^NB_ATTRIBUTE\("([^"]+)"', "{}"),)
OWN = {"enzyme_check"}
IGNORED = re.compile(r'^NB_IGNORED\("([^"]+)"', re.MULTILINE)
WHOLE_PASSES = ("-passes=",)


class Row(NamedTuple):
    """One row: the section that it stands in, and why it comes later, or nothing."""

    name: str
    section: str
    later: str
    line: int


class Test(NamedTuple):
    """A test that shows rows: what it uses, and at which LLVM alone it runs, or nothing."""

    source: object
    rows: list
    llvm: str


def read_rows(text):
    """Returns the rows; what stands before the first section explains them."""
    rows, section = [], None
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("# "):
            section = line[2:]
        elif section and line.strip():
            name, _, later = line.partition(" | no: ")
            rows.append(Row(name, section, later, number))
    return rows


def read_tests(sources):
    """Returns the tests that show rows."""
    tests = []
    for source in sources:
        said = SHOWS.findall(source.text) if source.is_under("tests") else []
        limits = dict(LIMITED.findall(source.text))
        rows = [row.strip() for line in said for row in line.split(";") if row.strip()]
        if rows:
            tests.append(Test(source, rows, limits.get("llvm", "")))
    return tests


def plain(text):
    """Returns the text of a test without what it says that it shows."""
    return SHOWS.sub("", text)


def is_code(name):
    """Is the row what users write, or is it about that?"""
    return CODE.match(name) and " anywhere" not in name


def spelling(name):
    """Returns what a test of such a row has in it."""
    return name.lstrip("!").partition(",")[0]


def runs_everywhere(source):
    """Does the test run at each level? Refusals are told before any, and run at two."""
    if source.is_under("tests/run"):
        return "levels" not in dict(LIMITED.findall(source.text))
    return source.is_under("tests/refuse") or EVERY_LEVEL in source.text


def check_test(test, rows):
    """A test that shows no row that there is, does not use one, or runs at some levels only."""
    for name in test.rows:
        row = rows.get(name)
        if not row:
            yield test.source.finding(1, f"{ROWS} has no row {name}")
        elif is_code(name) and spelling(name) not in plain(test.source.text):
            yield test.source.finding(1, f"the test says that it shows {name}, and does not use it")
        elif not runs_everywhere(test.source) and not name.startswith(WHOLE_PASSES):
            yield test.source.finding(1, f"the test of {name} does not run at every level")


def table(sources):
    """Returns the table that the page has, from the rows and the tests."""
    texts = {source.name: source.text for source in sources}
    ignored = {f"-enzyme-{name}" for name in IGNORED.findall(texts["src/bridge/options.def"])}
    tests, lines, section = read_tests(sources), [], None
    for row in read_rows_of(sources):
        if row.section != section:
            lines += ["", f"### {row.section}", "", "| row | supported | test |", "|---|---|---|"]
            section = row.section
        shown = [test for test in tests if row.name in test.rows]
        names = ", ".join(f"`{test.source.name.removeprefix('tests/')}`" for test in shown)
        only = {test.llvm for test in shown}
        yes = "accepted, ignored" if row.name in ignored else "yes"
        if "" not in only:
            yes += f", LLVM {' and '.join(sorted(only))}"
        name = f"`{row.name}`" if is_code(row.name) else row.name
        lines.append(f"| {name} | {'no: ' + row.later if row.later else yes} | {names} |")
    return "\n".join(lines[1:]) + "\n"


def read_rows_of(sources):
    """Returns the rows of the repository that the sources are of."""
    root = next(source.path for source in sources if source.name == PAGE).parent.parent
    return read_rows((root / ROWS).read_text(encoding="utf-8"))


def with_table(page, made):
    """Returns the text of the page with the table as it is made; the marks must stand there."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{made}\n{END}{after}"


def known_names(sources, known=KNOWN):
    """Returns what the engine knows, each as the rows have it."""
    texts = {source.name: source.text for source in sources}
    names = set()
    for name, pattern, form in known:
        found = re.findall(pattern, texts[name], re.MULTILINE)
        names.update(form.format(each) for each in found)
    return names


def check_markers(sources):
    """What users write and docs/markers.md does not say."""
    for source in sources:
        if source.name == MARKERS:
            said = set(re.findall(r"[A-Za-z_0-9]+", source.text))
            for name in sorted(known_names(sources, WRITTEN) - said):
                yield source.finding(1, f"nothing is said of {name}")


def check(sources):
    """Returns all findings of this module."""
    page = next((source for source in sources if source.name == PAGE), None)
    if not page:
        return []
    rows = read_rows_of(sources)
    tests = read_tests(sources)
    shown = {name for test in tests for name in test.rows}
    by_name = {row.name: row for row in rows}
    findings = [page.finding(1, f"{ROWS}:{row.line}: no test shows {row.name}") for row in rows
                if row.name not in shown]
    findings += [page.finding(1, f"{ROWS} has no row {name}")
                 for name in sorted(known_names(sources) - OWN - set(by_name))]
    findings += check_markers(sources)
    for test in tests:
        findings += check_test(test, by_name)
    if with_table(page.text, table(sources)) != page.text:
        findings.append(page.finding(1, "the table of rows is old: tools/vocabulary.py makes it"))
    return findings
