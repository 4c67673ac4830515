# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The checks of tools/lint.py."""
