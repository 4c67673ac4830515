// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Memory of a device: what only loops over it would give, what cuBLAS has besides,
 * and bytes of which nothing tells what they are. */
typedef struct cublasContext *Handle;
typedef unsigned long Size;
int cublasDdot_v2(Handle, int n, const double *x, int incx, const double *y, int incy, double *sum);
int cublasDaxpy_v2(Handle, int n, const double *, const double *x, int incx, double *y, int incy);
int cublasDsyrkx(Handle, int, int, int, int, const double *, const double *, int, const double *,
                 int, const double *, double *, int);
int cudaMemcpy(void *to, const void *from, Size bytes, int direction);
extern int enzyme_const, enzyme_dup, enzyme_out;
extern double __enzyme_autodiff(void *, ...);
extern void __enzyme_fwdsplit(void *, ...);
extern void *__enzyme_truncate_op_func(void *, int, int);

static double length(Handle handle, const double *x) {
  double sum = 0;
  cublasDdot_v2(handle, 3, x, 1, x, 1, &sum);
  return sum;
}

double truncated(Handle handle, double *x) {
  double (*narrow)(Handle, const double *) =
      (double (*)(Handle, const double *))__enzyme_truncate_op_func((void *)length, 64, 32);
  return narrow(handle, x); // error-anywhere: what cuBLAS computes on a device ... [nabla: no-rule]
}

void split(Handle handle, double *x, double *dx, void *tape) {
  __enzyme_fwdsplit((void *)length, enzyme_const, handle, enzyme_dup, x, dx, tape);
} // error-anywhere: in 'cublasDdot_v2': a function of cuBLAS has gradients ... [nabla: no-rule]

// error-near: [nabla: unknown-memory]
static void product(Handle handle, double *a, double *b, double *c) {
  double one = 1;
  // error-near: 'cublasDsyrkx' takes a value with a derivative ... [nabla: no-rule]
  cublasDsyrkx(handle, 0, 0, 3, 3, &one, a, 3, b, 3, &one, c, 3);
}

void products(Handle handle, double *a, double *da, double *b, double *c, double *dc) {
  __enzyme_autodiff((void *)product, enzyme_const, handle, enzyme_dup, a, da, enzyme_const, b,
                    enzyme_dup, c, dc);
}

/* Nothing tells what lies there. */
static void bytes(double *there, const void *here, Size count) {
  // error-near: memory of a device is copied ... [nabla: unknown-type]
  cudaMemcpy(there, here, count, 1);
}

void unknown(double *x, double *dx, void *y, void *dy, Size count) {
  __enzyme_autodiff((void *)bytes, enzyme_dup, x, dx, enzyme_dup, y, dy, count);
}
