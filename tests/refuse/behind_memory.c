// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A function that is not known is given memory that leads to numbers with a derivative: an address
 * of the pointer, a struct of the function's own, one of the caller's of which it reads a count. */
extern int enzyme_dup, enzyme_const;
extern void __enzyme_autodiff(void *, ...);
extern void __enzyme_fwddiff(void *, ...);

typedef struct {
  double *x;
  int n;
} Vector;
typedef struct {
  double *x, *known;
} Pair;
typedef struct {
  int n;
  double scale;
} Scale;
void unknown_of_address(double **x, int n);
void unknown_of_vector(Vector *v);
void unknown_of_pair(Pair *pair);
void unknown_of_scale(Scale *scale);
void keeps(void *memory);
double total(int n);
void unknown_with(void (*act)(double **, int), double **x, int n);

static void square(double **x, int n) {
  for (int i = 0; i < n; i++)
    (*x)[i] *= (*x)[i];
}

static void by_address(double *x, int n) {
  unknown_of_address(&x, n); // error: 'unknown_of_address' takes a value with a derivative
}

static void by_vector(double *x, int n) {
  Vector v = {x, n};
  unknown_of_vector(&v); // error: 'unknown_of_vector' takes a value with a derivative
}

static void beside_known(double *x, double *known) {
  Pair pair = {x, known};
  unknown_of_pair(&pair); // error: 'unknown_of_pair' takes a value with a derivative
}

static void by_callback(double *x, int n) {
  unknown_with(square, &x, n); // error: 'unknown_with' takes a value with a derivative
}

static void by_count(Scale *scale, double *x) {
  unknown_of_scale(scale); // error: 'unknown_of_scale' takes a value with a derivative
  for (int i = 0; i < scale->n; i++)
    x[i] = 0;
}

/* Who is not known may read later what was not yet there when he got the address. */
static double afterwards(const double *x) {
  double t[1];
  keeps(t); // error: 'keeps' takes a value // error: memory whose address an unknown function
  t[0] = x[0];
  return total(1) * x[1];
}

void gradients(double *x, double *dx, double *known, Scale *scale, Scale *d_scale, int n) {
  __enzyme_autodiff((void *)by_address, enzyme_dup, x, dx, enzyme_const, n);
  __enzyme_fwddiff((void *)by_vector, enzyme_dup, x, dx, enzyme_const, n);
  __enzyme_autodiff((void *)beside_known, enzyme_dup, x, dx, enzyme_const, known);
  __enzyme_autodiff((void *)by_callback, enzyme_dup, x, dx, enzyme_const, n);
  __enzyme_autodiff((void *)afterwards, enzyme_dup, x, dx);
  __enzyme_autodiff((void *)by_count, enzyme_dup, scale, d_scale, enzyme_dup, x, dx);
}
