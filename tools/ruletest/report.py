#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures how precise the derivative of every row is, against mpmath with 240 bits.

    report.py --build build/llvm-22 [--points 40] [--rows sin,pow] [--write docs/accuracy.md]

The points are the corners of each box of a row's domain and random ones in it; the derivatives are
those that a program gets in reverse mode at -O2. An error is counted in units in the last place of
the true derivative, and of the largest one of the row. The true derivative is that of mpmath's
function, by differences with three times as many digits: no formula is written twice.
"""

import argparse
import os
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "tools"))

import check  # noqa: E402  pylint: disable=wrong-import-position

BITS = 240
DIGITS = {"double": 53, "float": 24}
TINY = {"double": -1022, "float": -126}
GOOD = 4


def program_of(build, rows, points):
    """Makes and compiles the program that prints points and derivatives of some rule files."""
    source, program = build / f"report-{rows.name}.c", build / f"report-{rows.name}"
    subprocess.run([str(build / "nabla-rulec"), "--tests", str(source), *map(str, rows.files)],
                   check=True)
    command = [str(check.llvm_prefix(build) / "bin/clang"), "-std=gnu17", "-w", "-O2",
               f"-fpass-plugin={build}/nabla.so", f"-DNB_REPORT={points}", "-include",
               str(HERE / "report.h"), "-I", str(HERE), str(source),
               *(str(HERE / name) for name in rows.standins), *rows.libraries, "-lm", "-o",
               str(program)]
    subprocess.run(command, check=True)
    return program


def function_of(reference, label, name, output):
    """The function behind a case, of integer arguments and then real ones; or None."""
    function = reference.REAL.get(label, reference.REAL.get(name))
    if function:
        return function[output] if isinstance(function, tuple) else function
    whole = reference.COMPLEX.get(name)
    if not whole:
        return None
    part = reference.mp.im if output else reference.mp.re

    def of_parts(*parts):
        numbers = [reference.mp.mpc(*parts[i:i + 2]) for i in range(0, len(parts) - 1, 2)]
        return part(whole(*numbers))

    return of_parts


def true_slope(mp, function, integers, reals, index):
    """The partial derivative in one real argument by a central difference, or None at a kink."""
    width = mp.mpf(2) ** (-BITS - 20) * max(abs(reals[index]), mp.mpf(2) ** -40)
    values = []
    for direction in (-1, 0, 1):
        moved = list(reals)
        moved[index] += direction * width
        values.append(function(*integers, *moved))
    left, right = (values[1] - values[0]) / width, (values[2] - values[1]) / width
    near = abs(right - left) <= mp.mpf(2) ** -100 * (abs(left) + abs(right) + 1)
    return mp.re(left + right) / 2 if near else None


def ulp(mp, number, format_name):
    """The unit in the last place of a number in a format."""
    exponent = int(mp.floor(mp.log(abs(number), 2))) if number else TINY[format_name]
    return mp.mpf(2) ** (max(exponent, TINY[format_name]) - DIGITS[format_name] + 1)


class Measure:
    """The errors in one box of one function in one format."""

    def __init__(self, format_name):
        self.format_name = format_name
        self.errors = []

    def add(self, mp, got, exact, terms, true):
        """Notes one derivative, that by exact arithmetic on what the functions return, its terms.

        What is no finite number is not counted.
        """
        if true is not None and all(map(mp.isfinite, (true, got, exact))):
            largest = max(abs(true), terms) if mp.isfinite(terms) else abs(true)
            self.errors.append((abs(got - true), abs(true), abs(exact - true), largest))

    def largest(self):
        """The largest derivative."""
        return max((true for _, true, _, _ in self.errors), default=0)

    def worst(self, mp, largest):
        """The worst errors: in units of the derivative where it is not zero, of the largest.

        The third are those of the largest that the functions' own results have to answer for; the
        fourth the errors beyond these, in units of the terms that the derivative is the sum of.
        """
        def unit(number):
            return ulp(mp, number, self.format_name)

        scale = unit(largest)
        return (max((float(e / unit(t)) for e, t, _, _ in self.errors if t), default=0.0),
                max((float(e / scale) for e, _, _, _ in self.errors), default=0.0),
                max((float(own / scale) for _, _, own, _ in self.errors), default=0.0),
                max((float(max(e - own, 0) / unit(terms)) for e, _, own, terms in self.errors),
                    default=0.0))


def measure_line(mp, reference, line, measures, outputs):
    """Takes in one line of the program's output."""
    name, box, integers, reals, slopes, exact, terms = line.split("|")
    row, format_name = re.fullmatch(r"([\w.]+).* \((.*)\)", name).groups()
    if format_name not in DIGITS:
        return
    output = outputs(name, row, format_name)
    label = name.split(" (")[0]
    function = function_of(reference, label, row, output)
    if not function:
        sys.exit(f"report: no reference for {row}")
    arguments = [mp.mpf(float.fromhex(x)) for x in reals.split()]
    numbers = [int(n) for n in integers.split()]
    key = (label, output, int(box))
    measure = measures[key].setdefault(format_name, Measure(format_name))
    for i, three in enumerate(zip(slopes.split(), exact.split(), terms.split())):
        true = true_slope(mp, function, numbers, arguments, i)
        measure.add(mp, *(mp.mpf(float.fromhex(number)) for number in three), true)


def numbered_outputs():
    """Returns a function that tells which of its outputs a case is about, as they come."""
    seen = defaultdict(list)

    def number(name, row, format_name, text):
        if "imaginary" in name:
            return 1
        if "writes" not in name:
            return 0
        known = seen[row, format_name]
        if text not in known:
            known.append(text)
        return known.index(text)

    return number


def lines_of(program, wanted):
    """The program's lines, each with the number of the case among those of one name."""
    output = subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout
    case, before = 0, None
    for line in filter(lambda text: "|" in text, output.splitlines()):
        name, box = line.split("|")[:2]
        if before and (before[0] != name or int(box) < before[1]):
            case += 1
        before = (name, int(box))
        if not wanted or re.match(r"[\w.]+", name).group() in wanted:
            yield case, line


def measure_rows(build, rows, points, wanted):
    """Measures all rows of some rule files: a box each to its measures by format."""
    import reference  # noqa: E402  pylint: disable=import-outside-toplevel
    mp = reference.mp.mp
    mp.prec = 3 * BITS
    measures, number = defaultdict(dict), numbered_outputs()
    for case, line in lines_of(program_of(build, rows, points), wanted):
        measure_line(mp, reference, line, measures,
                     lambda *what, case=case: number(*what, case))
    largest = defaultdict(int)
    for (label, output, _), found in measures.items():
        for name, measure in found.items():
            of_row = (label, output, name)
            largest[of_row] = max(largest[of_row], measure.largest())
    return {(label, output, box): {name: measure.worst(mp, largest[label, output, name])
                                   for name, measure in found.items()}
            for (label, output, box), found in measures.items()}


def shown(error):
    """An error as the table has it."""
    return f"{error:.1f}" if error < 1000 else f"{error:.0e}"


def table_of(measures):
    """The lines of a table."""
    lines = ["| row | box | double | of the largest | own | float | of the largest | own |",
             "|---|---|---|---|---|---|---|---|"]
    for (name, _, box), found in measures.items():
        cells = []
        for form in DIGITS:
            errors = found[form] if form in found else None
            cells += [shown(errors[i]) for i in (0, 1, 3)] if errors else [""] * 3
        lines.append(f"| {name} | {box + 1} | {' | '.join(cells)} |")
    return lines


def beyond(measures):
    """The boxes beyond the bound, as lines: error, and how much of it is the functions' own."""
    return [f"| {name} | {box + 1} | {shown(pair[1])} | {shown(pair[2])} |"
            for (name, _, box), found in measures.items() for pair in found.values()
            if pair[1] > GOOD]


def count_good(measures):
    """How many boxes and formats there are, within the bound, and within it absolutely."""
    pairs = [pair for found in measures.values() for pair in found.values()]
    return (len(pairs), *(sum(pair[i] <= GOOD for pair in pairs) for i in (0, 1, 3)))


HEAD = """<!-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception -->
# How precise derivatives of library functions are

Made by `make rules-report`: for every row of the rule files, over every box of its domain
(`on` in [rules](../rules), in their order), the worst error of a derivative in reverse mode at -O2,
in units in the last place: of the derivative itself, and of the row's largest one over all boxes
(near a zero of the derivative an error is small in the latter only). `own` is what is left of it
without the part that the library's functions have to answer for (the row's text, computed without
rounding from what they return), in units of the sum of the absolute values of the terms that the
derivative is the sum of, at the same point: where terms cancel, as near a zero of the derivative,
no formula in this format can do better than these. What nabla's runtime has (`__nabla_*`) counts as
a library's there, and is measured by rows of its own. The truth is a difference of
mpmath's function with {bits} bits. What the C library ({library}), libcerf and GSL contribute is in
these figures; what C23 adds is computed by stand-ins, where the C library lacks it. Points at which
a function has no derivative are left out.

{summary}
"""


OVER = f"""
## Beyond {GOOD} units of the largest

The error, and that of the row's text where it is computed without rounding from what the library's
functions return: what the library's own errors amount to.

| row | box | of the largest | of it the library's |
|---|---|---|---|"""


def library_version():
    """The C library and its version."""
    text = subprocess.run(["ldd", "--version"], check=False, capture_output=True, text=True).stdout
    found = re.search(r"(\d+\.\d+)\s*$", text.splitlines()[0]) if text else None
    return f"glibc {found.group(1)}" if found else "unknown"


ACCURATE = ROOT / "rules" / "options" / "accurate.rules"


def accurate_part(build, points):
    """The section on the rows that -nabla-accurate has others for."""
    rows = set(re.findall(r"^(\w+)\(", ACCURATE.read_text(encoding="utf-8"), re.MULTILINE))
    own = next(rows for rows in check.groups_of_rows() if rows.name == "rules")
    os.environ["NABLA_ACCURATE"] = "1"
    measures = measure_rows(build, own, points, rows)
    del os.environ["NABLA_ACCURATE"]
    text = ("The rows of [accurate.rules](../rules/options/accurate.rules), measured with the "
            "option, which\nputs them before those above: derivatives keep their own last digits.")
    return "\n".join(["", "## With `-nabla-accurate`", "", text, "", *table_of(measures), ""])


def report(build, points, wanted):
    """The whole report as text, and how many errors are within the bound."""
    parts, total, over = [], (0, 0, 0, 0), []
    for rows in check.groups_of_rows():
        if not check.is_linkable(check.llvm_prefix(build) / "bin/clang", rows.libraries):
            parts.append(f"\nNot measured, for a library is not installed: {rows.name}.\n")
            continue
        measures = measure_rows(build, rows, points, wanted)
        total = tuple(a + b for a, b in zip(total, count_good(measures)))
        over += beyond(measures)
        title = "C's library, and nabla's runtime" if rows.name == "rules" else f"{rows.name}.rules"
        if measures:
            parts.append("\n".join(["", f"## {title}", "", *table_of(measures), ""]))
    summary = (f"Of {total[0]} boxes and formats, {total[1]} are within {GOOD} units of the "
               f"derivative, {total[2]}\nwithin {GOOD} units of the largest; {total[3]} are, "
               f"without the library's own error, within {GOOD} units of their terms.")
    head = HEAD.format(bits=BITS, library=library_version(), summary=summary)
    if over:
        parts.append("\n".join([OVER, *over, ""]))
    if not wanted:
        parts.append(accurate_part(build, points))
    return head + "".join(parts), total


def main():
    """Runs the program."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True, type=Path)
    parser.add_argument("--points", type=int, default=40)
    parser.add_argument("--rows", default="")
    parser.add_argument("--write", type=Path)
    arguments = parser.parse_args()
    try:
        import mpmath  # noqa: F401  pylint: disable=import-outside-toplevel,unused-import
    except ImportError:
        sys.exit("report: python3-mpmath is missing")
    text, total = report(arguments.build.resolve(), arguments.points,
                         set(filter(None, arguments.rows.split(","))))
    if arguments.write:
        arguments.write.write_text(text, encoding="utf-8")
    else:
        print(text)
    print(f"{total[0]} measured, {total[1]} within {GOOD} units, {total[2]} of the largest, "
          f"{total[3]} of their terms beyond the library's error")


if __name__ == "__main__":
    main()
