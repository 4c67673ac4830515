// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A function of another file with a derivative that only hands the shadow on: nothing says whether
 * there are floats or doubles. */
extern void __enzyme_autodiff(void *, ...);
extern double elsewhere(const float *x, int n);
extern void elsewhere_back(const float *x, float *dx, int n, double seed);

static double augmented(const float *x, float *dx, int n) { return elsewhere(x, n); }
static void reverse(const float *x, float *dx, int n, double seed) {
  elsewhere_back(x, dx, n, seed);
}
void *__enzyme_register_gradient_elsewhere[] = {(void *)elsewhere, (void *)augmented,
                                                (void *)reverse};

static double f(const float *x, int n) {
  return elsewhere(x, n); // error: elsewhere ... [nabla: no-rule]
}

void use(const float *x, float *dx) { __enzyme_autodiff((void *)f, x, dx, 3); }
