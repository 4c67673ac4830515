// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Results that cannot have the role that the call gives them, or that reverse mode has no seed for.
 */
extern int enzyme_active_return, enzyme_dup_return;
typedef struct {
  double x;
  const double *p;
} Mixed;
extern void __enzyme_autodiff(void *, ...);
extern void *__enzyme_augmentfwd(void *, ...);
extern double __enzyme_fwddiff(void *, ...);
typedef struct {
  union {
    float x;
    int bits;
  } either;
  int n;
} Packed;
typedef struct {
  const double *p;
  Packed packed;
} PointerAndPacked;
extern void __enzyme_fwddiff_nothing(void *, ...);

static const double *pointer(const double *x) { return x + 1; }
static double value(const double *x) { return *x; }
static int whole(const double *x) { return *x > 0; }
static Mixed mixed(const double *x) {
  Mixed m = {x[0] * x[1], x};
  return m;
}
static Packed packed(const double *x) {
  Packed p = {{(float)*x}, 1};
  return p;
}
static PointerAndPacked both(const double *x) {
  PointerAndPacked p = {x, {{(float)*x}, 1}};
  return p;
}

void use(double *x, double *d) {
  __enzyme_augmentfwd((void *)mixed, x, d);     // error: [nabla: entry-unsupported]
  __enzyme_autodiff((void *)packed, x, d);      // error: [nabla: entry-unsupported]
  __enzyme_autodiff((void *)both, x, d);        // error: [nabla: entry-unsupported]
  __enzyme_fwddiff_nothing((void *)both, x, d); // error: [nabla: entry-unsupported]
  __enzyme_autodiff((void *)pointer, enzyme_active_return, x, d); // error: [nabla: wrong-result]
  __enzyme_autodiff((void *)value, enzyme_dup_return, x, d);      // error: [nabla: wrong-result]
  __enzyme_autodiff((void *)whole, enzyme_active_return, x, d);   // error: [nabla: wrong-result]
  __enzyme_fwddiff((void *)value, enzyme_active_return, x, d);    // error: [nabla: wrong-result]
  __enzyme_fwddiff((void *)whole, enzyme_dup_return, x, d);       // error: [nabla: wrong-result]
}
