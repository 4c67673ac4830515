// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The kernels with the problems that they are timed on. */
#ifndef BENCH_PROBLEM_H
#define BENCH_PROBLEM_H

#include "bench.h"

typedef struct Random Random;

typedef struct {
  const char *name;
  const Kernel *kernels[2], *early[2]; /* plain, and with restrict; early: or NULL */
  Adjoint hand;
  int sizes[SIZES];
  int small[SIZES];                               /* the same for tests */
  void (*shape)(Problem *problem);                /* sets all counts from the sizes */
  double low, high;                               /* the range of the inputs */
  void (*fill)(Problem *problem, Random *random); /* all that is not an input, and maybe inputs */
} Case;

/* Ends with a case without a name. */
const Case *cases(void);

/* Made from a fixed seed; owned by the caller. */
Problem problem_new(const Case *which, int small);
void problem_free(Problem *problem);

#endif
