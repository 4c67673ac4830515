#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command of the shell once for each optimisation level, which stands for LEVEL in it.

usage: levels.py COMMAND

Stops at the first that fails, and says which.
"""

import subprocess
import sys

LEVELS = ("-O0", "-O1", "-O2", "-O3", "-O3 -ffast-math")

for level in LEVELS:
    command = sys.argv[1].replace("LEVEL", level)
    status = subprocess.run(["bash", "-o", "pipefail", "-c", command], check=False).returncode
    if status:
        sys.exit(f"exit status {status} at {level}: {command}")
