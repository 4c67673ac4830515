// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* enzyme_dupnoneed: what is stored there and read by nobody is dropped, however the pointer comes
 * to the store, so that the argument may be NULL. What is stored elsewhere stays. */
// reals: double
// differences: none
#include "cases.h"

#include <math.h>
#include <string.h>

extern void __enzyme_autodiff_void(void *, ...);
extern void __enzyme_fwddiff_void(void *, ...);

typedef struct {
  const double *in;
  double *out, *rest;
} Context;

typedef struct {
  double x[3], y[3], z[3], dx[3], dy[3], dz[3];
} Values;

static const Values before_reverse = {.x = {3, -4, 5}, .dy = {1, 10, 100}, .dz = {2, 20, 200}};
static const Values before_forward = {.x = {3, -4, 5}, .dx = {1, 2, 3}};

static void same(const Values *got, const Values *want) {
  for (int i = 0; i < 3; i++) {
    EXPECT(got->dx[i], want->dx[i]);
    EXPECT(got->dy[i], want->dy[i]);
    EXPECT(got->dz[i], want->dz[i]);
    EXPECT(got->z[i], want->z[i]);
  }
}

/* Both modes of a map of three numbers, with y NULL and not needed, against all arguments needed.
 */
#define WITHOUT_Y(name)                                                                            \
  Values a = before_reverse, b = before_reverse, c = before_forward, d = before_forward;           \
  __enzyme_autodiff_void((void *)name, enzyme_dup, a.x, a.dx, enzyme_dup, a.y, a.dy, enzyme_dup,   \
                         a.z, a.dz, 3);                                                            \
  __enzyme_autodiff_void((void *)name, enzyme_dup, b.x, b.dx, enzyme_dupnoneed, NULL, b.dy,        \
                         enzyme_dup, b.z, b.dz, 3);                                                \
  same(&b, &a);                                                                                    \
  __enzyme_fwddiff_void((void *)name, enzyme_dup, c.x, c.dx, enzyme_dup, c.y, c.dy, enzyme_dup,    \
                        c.z, c.dz, 3);                                                             \
  __enzyme_fwddiff_void((void *)name, enzyme_dup, d.x, d.dx, enzyme_dupnoneed, NULL, d.dy,         \
                        enzyme_dup, d.z, d.dz, 3);                                                 \
  same(&d, &c)

static void chosen(const double *x, double *y, double *z, int n) {
  for (int i = 0; i < n; i++) {
    double *to = x[i] > 0 ? y + i : z + i;
    *to = x[i] * x[i];
  }
}
CHECK(null_chosen) { WITHOUT_Y(chosen); }

static void walking(const double *x, double *y, double *z, int n) {
  double *to = x[0] > 0 ? y : z;
  while (n-- > 0) {
    *to++ = sin(*x) * *x;
    x++;
  }
}
CHECK(null_walking) { WITHOUT_Y(walking); }

static void swapping(const double *x, double *y, double *z, int n) {
  double *one = y;
  double *other = z;
  for (int i = 0; i < n; i++) {
    one[i] = x[i] * x[i];
    double *next = one;
    one = other;
    other = next;
  }
}
CHECK(null_swapping) { WITHOUT_Y(swapping); }

static void both_arms(const double *x, double *y, double *z, int n) {
  for (int i = 0; i < n; i++)
    if (x[i] > 0)
      y[i] = x[i] * 3;
    else
      z[i] = x[i] * x[i];
}
CHECK(null_both_arms) { WITHOUT_Y(both_arms); }

static void own_or_not(const double *x, double *y, double *z, int n) {
  double buffer[3] = {1, 1, 1};
  double *to = x[0] > 100 ? buffer : y;
  for (int i = 0; i < n; i++)
    to[i] = x[i] * x[i];
  z[0] = buffer[0] * x[1];
}
CHECK(null_own_or_not) { WITHOUT_Y(own_or_not); }

__attribute__((noinline)) static double *place(double *to, int i) { return to + i; }

static void returned(const double *x, double *y, double *z, int n) {
  for (int i = 0; i < n; i++) {
    *place(y, i) = x[i] * x[i];
    *place(z, i) = x[i] * 2;
  }
}
CHECK(null_returned) { WITHOUT_Y(returned); }

__attribute__((noinline)) static double *either(double *a, double *b, double x) {
  return x > 0 ? a : b;
}

static void returned_choice(const double *x, double *y, double *z, int n) {
  for (int i = 0; i < n; i++)
    either(y, z, x[i])[i] = x[i] * x[i];
}
CHECK(null_returned_choice) { WITHOUT_Y(returned_choice); }

__attribute__((noinline)) static void put(double *to, int i, double value) { to[i] = value; }

static void handed_on(const double *x, double *y, double *z, int n) {
  for (int i = 0; i < n; i++) {
    put(y, i, x[i] * x[i]);
    put(z, i, x[i] * 2);
    put(x[i] > 0 ? y : z, i, cos(x[i]));
  }
}
CHECK(null_handed_on) { WITHOUT_Y(handed_on); }

__attribute__((noinline)) static void fill(const Context *context, int n) {
  for (int i = 0; i < n; i++) {
    context->out[i] = context->in[i] * context->in[i];
    context->rest[i] = exp(context->in[i]);
  }
}

static void in_struct(const double *x, double *y, double *z, int n) {
  Context context = {x, y, z};
  fill(&context, n);
}
CHECK(null_in_struct) { WITHOUT_Y(in_struct); }

__attribute__((noinline)) static void fill_value(Context context, int n) { fill(&context, n); }

static void in_struct_by_value(const double *x, double *y, double *z, int n) {
  fill_value((Context){x, y, z}, n);
}
CHECK(null_in_struct_by_value) { WITHOUT_Y(in_struct_by_value); }

static void in_table(const double *x, double *y, double *z, int n) {
  double *outputs[2] = {y + 1, y};
  for (int i = 0; i < n; i++)
    outputs[i & 1][0] = x[i] * x[i];
  z[0] = x[0] * 2;
}
CHECK(null_in_table) { WITHOUT_Y(in_table); }

static void bytes(const double *x, double *y, double *z, int n) {
  memcpy(x[0] > 0 ? y : z, x, (size_t)n * sizeof *x);
  memset(x[1] > 0 ? y : z, 0, (size_t)n * sizeof *x);
}
CHECK(null_bytes) { WITHOUT_Y(bytes); }

static void by_library(const double *x, double *y, double *z, int n) {
  for (int i = 0; i < n; i++) {
    double whole;
    z[i] = modf(x[i] * 1.25, x[i] > 0 ? &y[i] : &whole) * x[i];
  }
}
CHECK(null_by_library) { WITHOUT_Y(by_library); }

static void by_library_always(const double *x, double *y, double *z, int n) {
  for (int i = 0; i < n; i++)
    z[i] = modf(x[i] * 1.25, &y[i]) * x[i];
}
CHECK(null_by_library_always) { WITHOUT_Y(by_library_always); }

static void sized(const double x[static 3], double y[static 3], double *restrict z, int n) {
  for (int i = 0; i < n; i++) {
    y[i] = x[i] * x[i];
    z[i] = sin(x[i]);
  }
}
CHECK(null_sized) { WITHOUT_Y(sized); }

/* What is read after all is used, where the memory is there: as if it were needed. */

NOINLINE static void add(double *y, double value) { *y += value; }

static void sums(const double *x, double *y, double *z, int n) {
  for (int i = 0; i < n; i++) {
    y[i] = x[0];
    for (int k = 0; k <= i; k++)
      add(&y[i], x[k] * x[k]);
    z[i] = y[i] * x[i];
  }
}

CHECK(read_where_it_is_given) {
  Values a = before_reverse, b = before_reverse, c = before_forward, d = before_forward;
  __enzyme_autodiff_void((void *)sums, a.x, a.dx, a.y, a.dy, a.z, a.dz, 3);
  __enzyme_autodiff_void((void *)sums, b.x, b.dx, enzyme_dupnoneed, b.y, b.dy, b.z, b.dz, 3);
  same(&b, &a);
  __enzyme_fwddiff_void((void *)sums, c.x, c.dx, c.y, c.dy, c.z, c.dz, 3);
  __enzyme_fwddiff_void((void *)sums, d.x, d.dx, enzyme_dupnoneed, d.y, d.dy, d.z, d.dz, 3);
  same(&d, &c);
}

static double product(const double *x) { return x[0] * x[1] * x[2]; }

CHECK(an_input_that_is_not_needed) {
  Values values = before_reverse;
  __enzyme_autodiff_void((void *)product, enzyme_dupnoneed, values.x, values.dx);
  EXPECT(values.dx[0], -20);
  EXPECT(values.dx[2], -12);
}
