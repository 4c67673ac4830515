// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What the headers refuse: what is not served yet, and a shadow that would be lost. */
// shows: <poseidon/poseidon.h>
// shows: a copy as a duplicated argument of reverse mode is an error
// RUN: %each-level '! %clang LEVEL -DLATER -c %s -o /dev/null 2> %t.txt \
// RUN:   && FileCheck --check-prefix=LATER %s < %t.txt'
// RUN: %each-level '! %clang LEVEL -x c++ -std=c++17 -c %s -o /dev/null 2> %t.txt \
// RUN:   && FileCheck --check-prefix=COPIED %s < %t.txt'

// LATER: does not serve Poseidon yet
// COPIED: in reverse mode Duplicated arguments are pointers or references

#ifdef LATER
#include <poseidon/poseidon.h>
#else
#include <enzyme/enzyme>

static double square(double x) { return x * x; }

void use() { enzyme::autodiff<enzyme::Reverse>(square, enzyme::Duplicated<double>(2.0, 1.0)); }
#endif
