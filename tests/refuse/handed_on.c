// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Helpers without derivative that hand numbers to functions which nobody sees: these may keep them,
 * and give them back elsewhere. */
extern double __enzyme_autodiff(void *, ...);
extern int enzyme_const;
extern void keep(double);
extern double kept(void), keep_other(double);
extern void stop(double) __attribute__((noreturn));
extern void show(double) __attribute__((annotate("enzyme_inactive")));
extern double weight(double) __attribute__((const));
extern void count(int);

__attribute__((noinline)) static void put(double x) {
  keep(x); // error: 'keep' takes a value with a derivative ... [nabla: no-rule]
}
static double through_a_helper(double x) {
  put(x);
  return x * kept();
}
double use_helper(double x) { return __enzyme_autodiff((void *)through_a_helper, x); }

__attribute__((noinline)) static double put_other(double *x) {
  return keep_other(x[0] + 1); // error: 'keep_other' takes a value with a derivative
}
__attribute__((noinline)) static void put_deeper(double *x) { put_other(x); }
static double through_two(double x) {
  double copy[1] = {x * x};
  put_deeper(copy);
  return x * kept();
}
double use_two(double x) { return __enzyme_autodiff((void *)through_two, x); }

__attribute__((noinline)) static void put_by(double x, void (*put)(double)) {
  put(x); // error: not known what it computes ... [nabla: indirect-call]
}
static double through_a_pointer(double x, void (*put)(double)) {
  put_by(x, put);
  return x * kept();
}
double use_pointer(double x, void (*put)(double)) {
  return __enzyme_autodiff((void *)through_a_pointer, x, enzyme_const, put);
}

/* What ends the program, is said to be inactive, computes, or gets no number is served. */
__attribute__((noinline)) static void look(double x) {
  if (x < 0)
    stop(x);
  show(x);
  (void)weight(x);
  count(x > 1);
}
static double looked_at(double x) {
  look(x);
  return x * x;
}
double use_look(double x) { return __enzyme_autodiff((void *)looked_at, x); }
