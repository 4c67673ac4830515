// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Without TBAA, and with a union of a number and its halves in the file, an integer of a pool may
 * be a part of a number. */
// load: -fplugin
// levels: -O0
extern int enzyme_dup, enzyme_const;
extern void __enzyme_autodiff(void *, ...);
extern void *malloc(__SIZE_TYPE__);

union Bits {
  double number;
  int halves[2];
};

typedef struct {
  int n;
  double *at;
} Row;

static char *next;

static void *take(unsigned long bytes) {
  void *taken = next;
  next += (bytes + 15) & ~15ul;
  return taken;
}

static Row *row(int n) {
  Row *made = take(sizeof *made);
  made->n = n; // error: [nabla: integer-carrier]
  made->at = take((unsigned long)n * 8);
  return made;
}

static double squares(const double *x, int n) {
  next = malloc(4096);
  Row *a = row(n), *b;
  for (int i = 0; i < n; i++)
    a->at[i] = x[i] * x[i];
  b = row(a->n);
  for (int i = 0; i < b->n; i++)
    b->at[i] = a->at[i] * x[i];
  return b->at[n - 1];
}

void use(double *x, double *dx, int n) {
  __enzyme_autodiff((void *)squares, enzyme_dup, x, dx, enzyme_const, n);
}
