#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a function with a nest of loops, and a request for its derivative.

usage: nest.py DEPTH
"""

import sys

HEAD = """declare double @__enzyme_autodiff(ptr, ...)
define double @derivative(double %x, i64 %n) {
  %r = call double (ptr, ...) @__enzyme_autodiff(ptr @nest, double %x, i64 %n)
  ret double %r
}
define double @nest(double %x, i64 %n) {
head0:
  br label %head1"""


def opening(loop):
    """Returns the head of a loop, which enters the next one."""
    outer = "%x" if loop == 1 else f"%v{loop - 1}"
    return f"""head{loop}:
  %i{loop} = phi i64 [ 0, %head{loop - 1} ], [ %next{loop}, %tail{loop} ]
  %v{loop} = phi double [ {outer}, %head{loop - 1} ], [ %w{loop}, %tail{loop} ]
  br label %head{loop + 1}"""


def closing(loop, depth):
    """Returns the tail of a loop, entered from the loop inside it."""
    inner = f"%v{depth}" if loop == depth else f"%w{loop + 1}"
    leave = f"tail{loop - 1}" if loop > 1 else "done"
    return f"""tail{loop}:
  %w{loop} = fmul double {inner}, %x
  %next{loop} = add i64 %i{loop}, 1
  %more{loop} = icmp ult i64 %next{loop}, %n
  br i1 %more{loop}, label %head{loop}, label %{leave}"""


def main():
    """Writes the module."""
    depth = int(sys.argv[1])
    print(HEAD)
    for loop in range(1, depth + 1):
        print(opening(loop))
    print(f"head{depth + 1}:\n  br label %tail{depth}")
    for loop in range(depth, 0, -1):
        print(closing(loop, depth))
    print("done:\n  ret double %w1\n}")


if __name__ == "__main__":
    main()
