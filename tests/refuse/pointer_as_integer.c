// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A pointer to active memory that lies in memory as an integer. */
#include <stdint.h>
extern void __enzyme_autodiff(void *, ...);

typedef struct {
  uintptr_t at;
} Handle;

static __attribute__((noinline)) void hide(Handle *h, double *x) { h->at = (uintptr_t)(x + 1); }
static __attribute__((noinline)) double show(const Handle *h) {
  return *(double *)(h->at ^ 8); // error-anywhere: [nabla: unknown-memory]
}

static double through_handle(double *x) {
  Handle h;
  hide(&h, x);
  return show(&h) * x[0];
}

void use(double *x, double *d) { __enzyme_autodiff((void *)through_handle, x, d); }
