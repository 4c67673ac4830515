// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Options in all their spellings and in the environment, and what they change. */
// shows: -enzyme-enable; -enzyme-strict-aliasing; -enzyme-runtime-activity; -enzyme-strong-zero
// shows: -enzyme-globals-default-inactive; -enzyme-emptyfn-inactive; -enzyme-truncate-all
// shows: -enzyme-print; -enzyme-print-type; -enzyme-print-activity; -enzyme-print-diffuse
// RUN: %each-level '%clang LEVEL -g1 %s -lm -o %t && %t | FileCheck --check-prefix=PLAIN %s'
// RUN: %each-level '%clang LEVEL -g1 -mllvm -nabla-strong-zero %s -lm -o %t \
// RUN:   && %t | FileCheck --check-prefix=ZERO %s'
// RUN: %each-level '%clang LEVEL -g1 -mllvm -enzyme-strong-zero=1 %s -lm -o %t \
// RUN:   && %t | FileCheck --check-prefix=ZERO %s'
// RUN: %each-level '%clang LEVEL -g1 -mllvm -enzyme_strong_zero %s -lm -o %t \
// RUN:   && %t | FileCheck --check-prefix=ZERO %s'
// RUN: %each-level 'NABLA_STRONG_ZERO=1 %clang LEVEL -g1 %s -lm -o %t \
// RUN:   && %t | FileCheck --check-prefix=ZERO %s'
// RUN: %each-level 'NABLA_STRONG_ZERO=1 %clang LEVEL -mllvm -enzyme-strong-zero=0 %s -lm -o %t \
// RUN:   && %t | FileCheck --check-prefix=PLAIN %s'
// RUN: %each-level '%clang LEVEL -g1 -mllvm -enzyme-runtime-activity %s -lm -o %t \
// RUN:   && %t | FileCheck --check-prefix=ACTIVITY %s'
// RUN: %each-level '%clang LEVEL -g1 -mllvm -enzyme-globals-default-inactive %s -lm -o %t \
// RUN:   && %t | FileCheck --check-prefix=GLOBALS %s'
// RUN: %each-level '! %clang LEVEL -DUNKNOWN -c %s -o /dev/null 2> %t.txt \
// RUN:   && FileCheck --check-prefix=REFUSED %s < %t.txt'
// RUN: %each-level '%clang LEVEL -DUNKNOWN -mllvm -enzyme-emptyfn-inactive -c %s -o /dev/null'
// RUN: %clang -O2 -g1 -Rpass=nabla -mllvm -enzyme_mincut_cache=0 -c %s -o /dev/null 2>&1 \
// RUN:   | FileCheck --check-prefix=IGNORED %s
// RUN: env NABLA_MINCUT_CACHE=0 %clang -O2 -g1 -Rpass=nabla -c %s -o /dev/null 2>&1 \
// RUN:   | FileCheck --check-prefix=IGNORED %s
// RUN: env NABLA_PRINT_TYPE=1 NABLA_PRINT_ACTIVITY=0 %clang -O2 -S %s -o /dev/null 2>&1 \
// RUN:   | FileCheck --check-prefix=TYPE --implicit-check-not=activity %s
// RUN: env NABLA_PRINT_TYPE=1 NABLA_PRINT_ACTIVITY=1 %clang -O2 -S %s -o /dev/null 2>&1 \
// RUN:   | FileCheck --check-prefixes=TYPE,ACTIVE %s
// RUN: not env NABLA_STRONG_ZERO=maybe %clang -O2 -c %s -o /dev/null 2>&1 \
// RUN:   | FileCheck --check-prefix=UNCLEAR %s
// RUN: not %clang -O2 -mllvm -enzyme-strong-zero=maybe -c %s -o /dev/null 2>&1 \
// RUN:   | FileCheck --check-prefix=UNCLEAR %s
// RUN: not env NABLA_PRINT_TYPE=maybe %clang -O2 -c %s -o /dev/null 2>&1 \
// RUN:   | FileCheck --check-prefix=NO-STAGE %s
// RUN: env NABLA_STRONG_ZERO=Off NABLA_ENABLE=YES %clang -O2 -g1 %s -lm -o %t \
// RUN:   && %t | FileCheck --check-prefix=PLAIN %s
// RUN: env NABLA_CHECK=0 %clang -O2 -S -emit-llvm %s -o - | FileCheck --check-prefix=UNCHECKED %s
// UNCLEAR: error: -nabla-strong-zero=maybe is neither on ({{.*}}) nor off {{.*}}[nabla: option]
// NO-STAGE: error: -nabla-print= knows no 'maybe'{{.*}}[nabla: option]
// UNCHECKED-NOT: nabla_check
// RUN: %clang -O2 -Werror -mllvm -enzyme-inline=1 -mllvm -enzyme-new-cache=1 -c %s -o /dev/null
// RUN: %each-level '%clang LEVEL -mllvm -enzyme-enable=0 -S -emit-llvm %s -o - \
// RUN:   | FileCheck --check-prefix=OFF %s'
// RUN: %each-level '%clang LEVEL -mllvm -enzyme-print -S %s -o /dev/null 2>&1 \
// RUN:   | FileCheck --check-prefix=PRINT %s'
// RUN: %each-level '%clang LEVEL -mllvm -enzyme-print-type -S %s -o /dev/null 2>&1 \
// RUN:   | FileCheck --check-prefix=TYPE %s'
// RUN: %each-level '%clang LEVEL -mllvm -enzyme-print-activity -S %s -o /dev/null 2>&1 \
// RUN:   | FileCheck --check-prefix=ACTIVE %s'
// RUN: %each-level '%clang LEVEL -mllvm -enzyme-print-diffuse -S %s -o /dev/null 2>&1 \
// RUN:   | FileCheck --check-prefix=DIFFUSE %s'
// RUN: %each-level '%clang LEVEL -mllvm -enzyme-strict-aliasing=0 %s -lm -o %t \
// RUN:   && %t | FileCheck --check-prefix=PLAIN %s'
// RUN: %each-level '%clang LEVEL -mllvm -enzyme-truncate-all=64to32 %s -lm -o %t \
// RUN:   && %t | FileCheck --check-prefix=FLOAT %s'
// RUN: %clang -O2 -mllvm -enzyme-print-activity=0 -S %s -o /dev/null 2>&1 | count 0

// IGNORED: remark: -enzyme-mincut-cache is ignored: one minimum cut decides what is kept
// REFUSED: [nabla: no-rule]
// OFF: @__enzyme_autodiff
// PRINT: @nabla.work.{{(nabla.direct.)?}}root
// PRINT: define {{.*}}@nabla.{{(augmented|reverse|combined)[a-z.]*}}root
// TYPE: types of @nabla.work.{{(nabla.direct.)?}}root
// ACTIVE: activity {{.*}}root
// DIFFUSE: plan @{{(nabla.direct.)?}}root

#include <math.h>
#include <stdio.h>

extern double __enzyme_autodiff(void *, ...);
extern void __enzyme_autodiff_void(void *, ...);
extern int enzyme_dup;

static double root(double x, double y) { return y * sqrt(x); }
static void square(double *x) { *x *= *x; }

static volatile double one = 1;
static double third(void) { return one / 3; }

static double kept;
__attribute__((noinline)) static double read_it(void) { return kept; }
static double through_global(double x) {
  kept = x * x;
  return read_it() * x;
}

#ifdef UNKNOWN
extern double unknown(double);
static double calls_unknown(double x) { return x * unknown(x); }
double slope(double x) { return __enzyme_autodiff((void *)calls_unknown, x); }
#endif

// PLAIN: {{-?}}nan
// ZERO: root 0
int main(void) {
  volatile double zero = 0;
  double x = 3;
  extern struct Two {
    double x, y;
  } __enzyme_autodiff_two(void *, ...);
  printf("root %g\n", __enzyme_autodiff_two((void *)root, zero, zero).x);
  // ACTIVITY: square 9
  __enzyme_autodiff_void((void *)square, enzyme_dup, &x, &x);
  printf("square %g\n", x);
  // PLAIN: global 27
  // GLOBALS: global 9
  printf("global %g\n", __enzyme_autodiff((void *)through_global, 3.0));
  // FLOAT: third 0.333333343
  printf("third %.9g\n", third());
}
