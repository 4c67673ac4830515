// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Variables have the names that the source gives them. */
extern double __enzyme_autodiff(void *, ...);

template <class T> struct Pool {
  static T *free;
};
template <> double *Pool<double>::free = nullptr;

static __attribute__((noinline)) double read() { return *Pool<double>::free; }
static double f(double x) {
  *Pool<double>::free = x * x; // error-near: 'Pool<double>::free' ... [nabla: global-active]
  return read() * x;
}

double slope(double x) { return __enzyme_autodiff((void *)f, x); }
