// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Entry points that are known and not served yet. */
extern void *__enzyme_augmentfwd(void *, ...);
extern void __enzyme_reverse(void *, ...);
extern double __enzyme_fwdsplit(void *, ...);

static double square(double x) { return x * x; }

void *split(double x) {
  return __enzyme_augmentfwd((void *)square, x); // error: [nabla: entry-unsupported]
}

void reversed(double x, void *tape) {
  __enzyme_reverse((void *)square, x, 1.0, tape); // error: [nabla: entry-unsupported]
}

double forward(double x, void *tape) {
  return __enzyme_fwdsplit((void *)square, x, 1.0, tape); // error: [nabla: entry-unsupported]
}
