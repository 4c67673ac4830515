// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Steps whose memory may be gone when they run again. */
#include <enzyme/checkpoint.h>
#include <stdlib.h>

extern int enzyme_const;
extern void __enzyme_autodiff(void *, ...);
extern void *__enzyme_augmentfwd(void *, ...);
extern void __enzyme_reverse(void *, ...);

static void squares(int64_t i, double *x) { x[0] *= x[0]; }

static void freed(double *x, EnzymeCkptConfig *config, int n) {
  for (int i = 0; i < n; i++) {
    double *u = malloc(sizeof *u);
    u[0] = x[i];
    __enzyme_checkpoint_for((void *)squares, 0, 2, enzyme_scheme, // error-near: gone before
                            &EnzymeCkptRevolve, config, u);
    x[i] = u[0];
    free(u);
  }
}
void use_freed(double *x, double *d, EnzymeCkptConfig *config, int n) {
  __enzyme_autodiff((void *)freed, x, d, enzyme_const, config, n);
}

static void split(double *x, EnzymeCkptConfig *config) {
  __enzyme_checkpoint_for((void *)squares, 0, 2, enzyme_scheme, // error-near: gone before
                          &EnzymeCkptRevolve, config, x);
}
void use_split(double *x, double *d, EnzymeCkptConfig *config) {
  void *tape = __enzyme_augmentfwd((void *)split, x, d, enzyme_const, config);
  __enzyme_reverse((void *)split, x, d, enzyme_const, config, tape);
}
