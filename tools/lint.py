#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the habits of this codebase, and ends with 1 if one is broken.

usage: lint.py [-j N] [FILE...]

Prints `file:line: message` for each finding. Without files: everything in the repository. The
checks stand in tools/lint/: one module a subject, each with `check(sources)`.
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.dont_write_bytecode = True

from lint import (clang, knowledge, python_code, shell_code, structure, text,  # noqa: E402
                  vocabulary)
from lint.source import load  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent


def main():
    """Runs the program."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-j", type=int, default=1, dest="jobs")
    parser.add_argument("files", nargs="*")
    arguments = parser.parse_args()
    chosen = {Path(name).resolve() for name in arguments.files}
    sources = load(ROOT)
    findings = set()
    for module in (text, structure, python_code, shell_code, knowledge, vocabulary):
        findings.update(module.check(sources))
    if chosen:
        sources = [source for source in sources if source.path.resolve() in chosen]
    findings.update(clang.check(sources, ROOT, arguments.jobs))
    names = {source.name for source in sources}
    shown = sorted(finding for finding in findings if not chosen or finding.name in names)
    for finding in shown:
        print(f"{finding.name}:{finding.line}: {finding.message}")
    print(f"lint: {len(sources)} files, {len(shown)} findings")
    return 1 if shown else 0


if __name__ == "__main__":
    sys.exit(main())
