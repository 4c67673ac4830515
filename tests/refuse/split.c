// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Halves of split reverse mode that do not fit together, and markers of its that stand elsewhere.
 */
extern int enzyme_const, enzyme_dup, enzyme_tape, enzyme_allocated, enzyme_nofree;
extern int enzyme_primal_return, enzyme_not_overwritten;
extern double __enzyme_autodiff(void *, ...);
extern void *__enzyme_augmentfwd(void *, ...);
extern void __enzyme_reverse(void *, ...);
extern int __enzyme_augmentsize(void *, ...);

static double square(double x) { return x * x; }
static double element(const double *x, const double *y) { return x[0] * y[0] * y[1]; }

void no_seed(double x) {
  __enzyme_reverse((void *)square, x); // error: no argument is left ... [nabla: missing-seed]
}

void other_seed(double x, void *tape) {
  __enzyme_reverse((void *)square, x, tape, 1.0); // error: another type ... [nabla: missing-seed]
}

void no_tape(double x) {
  __enzyme_reverse((void *)square, x, 1.0); // error: [nabla: missing-tape]
}

void more(double x, void *tape) {
  __enzyme_reverse((void *)square, x, 1.0, tape, 7); // error: [nabla: too-many-arguments]
}

void small_room(double *x, double *d, double *y, void *memory) {
  __enzyme_augmentfwd((void *)element, enzyme_allocated, 4, // error: [nabla: tape-room]
                      enzyme_tape, memory, x, d, y, d);
}

void room_without_place(double x) {
  __enzyme_augmentfwd((void *)square, enzyme_allocated, 8, x); // error: [nabla: wrong-marker]
}

void in_combined_mode(double x, void *p) {
  __enzyme_autodiff((void *)square, enzyme_tape, p, x);         // error: [nabla: wrong-marker]
  __enzyme_autodiff((void *)square, enzyme_allocated, 8, x);    // error: [nabla: wrong-marker]
  __enzyme_autodiff((void *)square, enzyme_nofree, x);          // error: [nabla: wrong-marker]
  __enzyme_autodiff((void *)square, enzyme_not_overwritten, x); // error: [nabla: wrong-marker]
}

void primal_of_reverse(double x, void *t) {
  __enzyme_reverse((void *)square, enzyme_primal_return, x, 1.0, t); // error: [nabla: wrong-marker]
}

int size_with_arguments(double x) {
  return __enzyme_augmentsize((void *)square, x); // error: [nabla: too-many-arguments]
}
