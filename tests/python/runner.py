#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the tests of python/nablac with the driver of one build.

    runner.py --llvm 22 --build build/llvm-22

The last line is "N passed, S skipped, M failed". Without NumPy, which may be there for the system's
Python alone, all are skipped.
"""

import argparse
import importlib.util
import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
PACKAGE = HERE.parent.parent / "python"
SYSTEM = "/usr/bin/python3"


def count_tests():
    """Returns how many tests there are, without importing them."""
    texts = [path.read_text(encoding="utf-8") for path in HERE.glob("test_*.py")]
    return sum(len(re.findall(r"^    def test_", text, re.MULTILINE)) for text in texts)


def run_tests():
    """Runs the tests in this Python and returns the exit status."""
    sys.path.insert(0, str(PACKAGE))
    sys.dont_write_bytecode = True
    suite = unittest.defaultTestLoader.discover(str(HERE))
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=0).run(suite)
    failed, skipped = len(result.failures) + len(result.errors), len(result.skipped)
    print(f"{result.testsRun - failed - skipped} passed, {skipped} skipped, {failed} failed")
    return 1 if failed else 0


def has_numpy(python):
    """Does another Python have NumPy?"""
    command = [python, "-c", "import numpy"]
    return Path(python).exists() and \
        subprocess.run(command, check=False, capture_output=True).returncode == 0


def main():
    """Runs the program."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--llvm", required=True)
    parser.add_argument("--build", required=True, type=Path)
    arguments = parser.parse_args()
    os.environ["NABLA_CC"] = f"{arguments.build.resolve()}/nabla-cc --llvm={arguments.llvm}"
    sys.stdout.flush()
    if importlib.util.find_spec("numpy"):
        return run_tests()
    if sys.executable != SYSTEM and has_numpy(SYSTEM):
        return subprocess.run([SYSTEM, *sys.argv], check=False).returncode
    print(f"NumPy is not installed\n0 passed, {count_tests()} skipped, 0 failed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
