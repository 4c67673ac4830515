// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Derivatives of the user's for one direction that cannot be called for each of several: what an
 * earlier call did to memory of the function's could not be taken back. */
#include <stdlib.h>

extern int enzyme_dup, enzyme_width;
extern void __enzyme_fwddiff(void *, ...);
extern void elsewhere(double *);

typedef struct {
  double *p;
} Holder;

// error-near: it calls a function of which nothing tells what it writes ... [nabla: custom-rule]
static void call(double *x) { *x *= 2; }
static void call_forward(double *x, double *dx) {
  elsewhere(x);
  *dx *= 2;
}
void *__enzyme_register_derivative_call[] = {(void *)call, (void *)call_forward};

// error-near: it leaves memory that it allocates to the function
static void leave(Holder *h) { h->p = calloc(1, sizeof *h->p); }
static void leave_forward(Holder *h, Holder *dh) {
  h->p = calloc(1, sizeof *h->p);
  dh->p = calloc(1, sizeof *dh->p);
}
void *__enzyme_register_derivative_leave[] = {(void *)leave, (void *)leave_forward};

// error-near: it may free memory of the function's
static void let_go(Holder *h) { free(h->p); }
static void let_go_forward(Holder *h, Holder *dh) {
  free(h->p);
  free(dh->p);
}
void *__enzyme_register_derivative_let_go[] = {(void *)let_go, (void *)let_go_forward};

static double *last;
// error-near: nothing tells whether it writes memory of the function's or of a shadow
static void keep(double *x) { *x *= 2; }
static void keep_forward(double *x, double *dx) {
  *x *= 2;
  *dx *= 2;
  *last = 1;
}
void *__enzyme_register_derivative_keep[] = {(void *)keep, (void *)keep_forward};
void set(double *x) { last = x; }

// error-near: it, or what it calls, calls itself
static void again(double *x) { *x *= 2; }
static void again_forward(double *x, double *dx) {
  *x *= 2;
  *dx *= 2;
  if (*x < 100)
    again_forward(x, dx);
  if (*x < 50)
    again_forward(x, dx);
}
void *__enzyme_register_derivative_again[] = {(void *)again, (void *)again_forward};

void use(double *x, double *a, double *b, Holder *h, Holder *ha, Holder *hb) {
  __enzyme_fwddiff((void *)call, enzyme_width, 2, enzyme_dup, x, a, b);
  __enzyme_fwddiff((void *)leave, enzyme_width, 2, enzyme_dup, h, ha, hb);
  __enzyme_fwddiff((void *)let_go, enzyme_width, 2, enzyme_dup, h, ha, hb);
  __enzyme_fwddiff((void *)keep, enzyme_width, 2, enzyme_dup, x, a, b);
  __enzyme_fwddiff((void *)again, enzyme_width, 2, enzyme_dup, x, a, b);
}
