// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Derivatives of the gradient of a checkpointed loop. */
#include <enzyme/checkpoint.h>

extern int enzyme_const;
extern void __enzyme_autodiff(void *, ...);
extern void __enzyme_fwddiff(void *, ...);

static void squares(int64_t i, double *x) { x[0] *= x[0]; }
static void plain(double *x, EnzymeCkptConfig *config) {
  __enzyme_checkpoint_for((void *)squares, 0, 2, enzyme_scheme, // error-near: of the gradient
                          &EnzymeCkptRevolve, config, x);
}
static void gradient(double *x, double *d, EnzymeCkptConfig *config) {
  __enzyme_autodiff((void *)plain, x, d, enzyme_const, config); // error: [nabla: unknown-memory]
}
void forward(double *x, double *tx, double *d, double *td, EnzymeCkptConfig *config) {
  __enzyme_fwddiff((void *)gradient, x, tx, d, td, enzyme_const, config);
}

static void again(double *x, double *d, EnzymeCkptConfig *config) {
  __enzyme_autodiff((void *)plain, x, d, enzyme_const, config); // error: [nabla: unknown-memory]
}
void reverse(double *x, double *bx, double *d, double *bd, EnzymeCkptConfig *config) {
  __enzyme_autodiff((void *)again, x, bx, d, bd, enzyme_const, config);
}
