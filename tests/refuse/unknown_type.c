// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Bytes that may be floats or not are copied: nothing says what they are. */
#include <string.h>
extern void __enzyme_autodiff(void *, ...);
extern int enzyme_const, enzyme_dup;

static void copied(const char *from, char *to, unsigned long bytes) {
  memcpy(to, from, bytes); // error: [nabla: unknown-type]
}

/* The count says nothing of what lies between the numbers that are accessed. */
static void every_other(const double *from, double *to, long n) {
  memcpy(to, from, (size_t)n * 2 * sizeof(double)); // error: [nabla: unknown-type]
  for (long i = 0; i < 2 * n; i += 2)
    to[i] *= 2;
}

/* Half of a struct may be copied; the other member may be no number. */
typedef struct {
  double value;
  char *name;
} Named;

static void words(const Named *from, Named *to, long n) {
  memcpy(to, from, (size_t)n * sizeof(double)); // error: [nabla: unknown-type]
  to[0].value *= 2;
}

static void walked(const Named *from, Named *to, long n) {
  memcpy(to, from, (size_t)n * sizeof(double)); // error: [nabla: unknown-type]
  for (double *at = &to->value; at < &to->value + n; at += 2)
    *at *= 2;
}

void use(char *x, char *dx, char *y, char *dy, unsigned long bytes) {
  __enzyme_autodiff((void *)copied, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, bytes);
  __enzyme_autodiff((void *)every_other, x, dx, y, dy, bytes);
  __enzyme_autodiff((void *)words, x, dx, y, dy, bytes);
  __enzyme_autodiff((void *)walked, x, dx, y, dy, bytes);
}
