#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a function with loops one after another, and a request for its derivative.

usage: loops.py COUNT
"""

import sys

HEAD = """declare double @__enzyme_fwddiff(ptr, ...)
define double @derivative(double %x, i64 %n) {
  %r = call double (ptr, ...) @__enzyme_fwddiff(ptr @loops, double %x, double 1.0, i64 %n)
  ret double %r
}
define double @loops(double %x, i64 %n) {
tail0:
  br label %head1"""

LOOP = """head{0}:
  %i{0} = phi i64 [ 0, %tail{1} ], [ %next{0}, %head{0} ]
  %v{0} = phi double [ {2}, %tail{1} ], [ %w{0}, %head{0} ]
  %w{0} = fmul double %v{0}, %x
  %next{0} = add i64 %i{0}, 1
  %more{0} = icmp ult i64 %next{0}, %n
  br i1 %more{0}, label %head{0}, label %tail{0}
tail{0}:
  br label %head{3}"""


def main():
    count = int(sys.argv[1])
    print(HEAD)
    for i in range(1, count + 1):
        print(LOOP.format(i, i - 1, f"%w{i - 1}" if i > 1 else "%x", i + 1))
    print(f"head{count + 1}:\n  ret double %w{count}\n}}")


main()
