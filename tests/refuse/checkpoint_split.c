// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A tape that is read twice, and memory that may be gone by then. */
#include <enzyme/checkpoint.h>

extern int enzyme_const, enzyme_nofree, enzyme_not_overwritten;
extern void *__enzyme_augmentfwd(void *, ...);
extern void __enzyme_reverse(void *, ...);

static void squares(int64_t i, double *x) { x[0] *= x[0]; }
static void plain(double *x, EnzymeCkptConfig *config) {
  __enzyme_checkpoint_for((void *)squares, 0, 2, enzyme_scheme, // error: [nabla: checkpoint]
                          &EnzymeCkptRevolve, config, x);
}

void twice(double *x, double *d, EnzymeCkptConfig *config) {
  void *tape =
      __enzyme_augmentfwd((void *)plain, enzyme_not_overwritten, x, d, enzyme_const, config);
  __enzyme_reverse((void *)plain, enzyme_nofree, x, d, enzyme_const, config, tape);
}
