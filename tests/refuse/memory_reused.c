// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Memory holds numbers and then pointers, which the helper that fills it cannot know. */
// levels: -O0
#include <stdlib.h>
extern void __enzyme_autodiff(void *, ...);
extern int enzyme_const;

typedef struct Link {
  double v;
  struct Link *next;
} Link;

static void fill(double *a, const double *x, int n) {
  for (int i = 0; i < n; i++)
    a[i] = x[i];
}

static double used_twice(double *x, int n) {
  char *arena = malloc(64 * sizeof(Link));
  fill((double *)arena, x, n); // error: pointers at one time ... [nabla: unknown-type]
  double sum = ((double *)arena)[1];
  Link *l = (Link *)arena;
  l->v = x[0];
  l->next = l;
  sum *= l->next->v;
  free(arena);
  return sum;
}

void use(double *x, double *dx, int n) {
  __enzyme_autodiff((void *)used_twice, x, dx, enzyme_const, n);
}
