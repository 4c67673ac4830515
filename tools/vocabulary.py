#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the table of rows in docs/compatibility.md, from tests/vocabulary.txt and what the tests
say that they show.

usage: vocabulary.py
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.dont_write_bytecode = True

from lint import vocabulary  # noqa: E402
from lint.source import load  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent


def main():
    """Runs the program."""
    page = ROOT / vocabulary.PAGE
    text = page.read_text(encoding="utf-8")
    page.write_text(vocabulary.with_table(text, vocabulary.table(load(ROOT))), encoding="utf-8")


if __name__ == "__main__":
    main()
