// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Vectors as the compiler has them: reductions, and lanes chosen by masks. The reference has loops.
 */
#include "cases.h"

/* How many numbers a register has that the oldest vectors of x86 are in. */
enum { PART = 16 / sizeof(NB_REAL) };

#ifdef __cplusplus
static real largest(const real *v) { return fmax(fmax(v[0], v[1]), fmax(v[2], v[3])); }
static real smallest(const real *v) { return fmin(fmin(v[0], v[1]), fmin(v[2], v[3])); }
static void choose(const real *a, const real *b, real *to) {
  for (int i = 0; i < 4; i++)
    to[i] = a[i] < b[i] ? a[i] * b[i] : b[i];
}
static void keep(const real *a, real *to) {
  for (int i = 0; i < 4; i++)
    to[i] = a[i] < 2.5 ? real(0) : a[i] * a[i];
}
static void exchange(const real *from, real *to) {
  for (int i = 0; i < 2; i++)
    to[i] = from[1 - i], to[2 + i] = from[0];
}
static void broadcast(const wide *from, real *to) {
  for (int i = 0; i < 4; i++)
    to[i] = (real)from[i / 2];
}
static void sign(const real *from, real *to) {
  for (int i = 0; i < 4; i++) {
    to[i] = i % 2 ? -from[i] : from[i];
    to[4 + i] = fabs(from[i]);
    to[8 + i] = i > 1 ? -fabs(from[i]) : from[i];
  }
}
static real barrier(real x) { return x; }
static void least(const real *a, const real *b, real *to) {
  for (int i = 0; i < 2; i++)
    to[i] = a[i] < b[i] ? a[i] : b[i];
}
static void neighbours(const real *a, const real *b, real *to) {
  int half = PART / 2;
  for (int i = 0; i < half; i++) {
    to[i] = a[2 * i] + a[2 * i + 1];
    to[half + i] = b[2 * i] + b[2 * i + 1];
    to[PART + i] = a[2 * i] - a[2 * i + 1];
    to[PART + half + i] = b[2 * i] - b[2 * i + 1];
  }
  for (int i = 0; i < PART; i++)
    to[2 * PART + i] = i % 2 ? a[i] + b[i] : a[i] - b[i];
}
#else
typedef real Four __attribute__((vector_size(4 * sizeof(real))));
typedef __typeof__((Four){0} < (Four){0}) Mask;

static Four four(const real *v) { return (Four){v[0], v[1], v[2], v[3]}; }
static void spread(Four v, real *to) {
  for (int i = 0; i < 4; i++)
    to[i] = v[i];
}
static real largest(const real *v) { return __builtin_reduce_max(four(v)); }
static real smallest(const real *v) { return __builtin_reduce_min(four(v)); }
static void choose(const real *x, const real *y, real *to) {
  Four a = four(x), b = four(y);
  Mask less = a < b;
  spread((Four)((less & (Mask)(a * b)) | (~less & (Mask)b)), to);
}
static void keep(const real *x, real *to) {
  Four a = four(x);
  Mask less = a < (real)2.5;
  spread((Four)(~less & (Mask)(a * a)), to);
}

static void sign(const real *from, real *to) {
  Four v = four(from), odd = {0.0, -0.0, 0.0, -0.0}, last = {0.0, 0.0, -0.0, -0.0};
  Four all = {-0.0, -0.0, -0.0, -0.0};
  spread((Four)((Mask)v ^ (Mask)odd), to);
  spread((Four)((Mask)v & ~(Mask)all), to + 4);
  spread((Four)((Mask)last | (Mask)v), to + 8);
}

typedef wide Two __attribute__((vector_size(16)));
typedef int Halves __attribute__((vector_size(16), may_alias));
typedef short Quarters __attribute__((vector_size(16)));
static void exchange(const real *from, real *to) {
  Two two = {from[0], from[1]};
  Two other = (Two)__builtin_shufflevector((Halves)two, (Halves)two, 2, 3, 4, 5);
  Two same =
      (Two)__builtin_shufflevector((Quarters)two, (Quarters)other, 0, 1, 2, 3, 12, 13, 14, 15);
  to[0] = other[0];
  to[1] = other[1];
  to[2] = same[0];
  to[3] = same[1];
}
static void broadcast(const wide *from, real *to) {
  Halves loaded = *(const Halves *)from;
  Two low = (Two)__builtin_shufflevector(loaded, loaded, 0, 1, 0, 1);
  Two high = (Two)__builtin_shufflevector(loaded, loaded, 2, 3, 2, 3);
  for (int i = 0; i < 2; i++) {
    to[i] = low[i];
    to[2 + i] = high[i];
  }
}
static real barrier(real x) {
  Two two = {x, x};
  wide one = x;
  int count = 1;
  __asm__("" : "+g,x"(two));
  __asm__ volatile("# here\n");
  __asm__ volatile("" : "+r,m"(one) : : "memory");
  __asm__ volatile("" : : "r,m"(one) : "memory");
  __asm__ volatile("addl $1, %0" : "+r"(count));
  return (real)(one * count - two[0]);
}
static void least(const real *a, const real *b, real *to) {
  Two two = {a[0], a[1]}, other = {b[0], b[1]};
  __asm__("minpd %1, %0" : "+x"(two) : "x"(other));
  to[0] = two[0];
  to[1] = two[1];
}

#define JOIN_NAMES(a, b) a##b
#define JOIN(a, b) JOIN_NAMES(a, b)
#define BUILTIN(name) JOIN(name##_, NB_REAL)
#define HADD_float __builtin_ia32_haddps
#define HADD_double __builtin_ia32_haddpd
#define HSUB_float __builtin_ia32_hsubps
#define HSUB_double __builtin_ia32_hsubpd
#define ADDSUB_float __builtin_ia32_addsubps
#define ADDSUB_double __builtin_ia32_addsubpd
typedef real Part __attribute__((vector_size(16)));

__attribute__((target("sse3"))) static void neighbours(const real *a, const real *b, real *to) {
  Part u, v, results[3];
  memcpy(&u, a, sizeof u);
  memcpy(&v, b, sizeof v);
  results[0] = BUILTIN(HADD)(u, v);
  results[1] = BUILTIN(HSUB)(u, v);
  results[2] = BUILTIN(ADDSUB)(u, v);
  memcpy(to, results, sizeof results);
}
#endif

SUM(vector_reduced, 4, 1.0, 2.0, 3.0, 4.0) {
  real v[4];
  for (int i = 0; i < 4; i++)
    v[i] = x[i] * x[i] - 3.5 * x[i] + x[0] * i;
  return largest(v) * x[0] + smallest(v) * x[n - 1];
}

MAP(lanes_chosen, 4, 4, 1.0, 2.0, 3.0, 4.0) {
  real a[4], b[4];
  for (int i = 0; i < 4; i++) {
    a[i] = x[n - 1 - i] * x[0];
    b[i] = x[i] * x[2] + 0.25;
  }
  choose(a, b, y);
}

MAP(lanes_kept, 4, 4, 1.0, 2.0, 3.0, 4.0) {
  keep(x, y);
  y[0] += x[n - 1] * y[3];
}

/* Lanes that nobody asks for, or set: what is computed there is arbitrary, or not finite. */
#ifdef __cplusplus
static void turn(real *v, const real *w, real t) {
  real r[4] = {v[0] * t, w[1] * t, v[2], w[3]};
  real b[4] = {w[0], w[1], w[2], w[3]};
  for (int i = 0; i < 4; i++)
    v[i] = r[3 - i] - b[i];
}
static real next_to(const real *v, int k, real t) { return v[k + 1] * v[k] + t; }
static real first_quotients(const real *v, const real *w) {
  return v[0] / w[0] + sqrt(v[1] / w[1]);
}
static real smaller_of_first(const real *v, const real *w) { return v[0] < w[0] ? v[0] : w[0]; }
#else
static void turn(real *v, const real *w, real t) {
  Four a, b, r = {t, t, 1, 1};
  memcpy(&a, v, sizeof a);
  memcpy(&b, w, sizeof b);
  r = r * __builtin_shufflevector(a, b, 0, 5, 2, 7);
  r = __builtin_shufflevector(r, r, 3, 2, 1, 0) - b;
  memcpy(v, &r, sizeof r);
}
static real next_to(const real *v, int k, real t) {
  Four lanes;
  memcpy(&lanes, v, sizeof lanes);
  lanes[k] = lanes[k + 1] * lanes[k] + t;
  return lanes[k];
}
static real first_quotients(const real *v, const real *w) {
  Four q = four(v) / four(w);
  return q[0] + sqrt(q[1]);
}
static real smaller_of_first(const real *v, const real *w) {
  typedef real Two __attribute__((vector_size(2 * sizeof(real))));
  Two a = {v[0]}, b = {w[0]};
  a = __builtin_shufflevector(a, a, 0, -1);
  b = __builtin_shufflevector(b, b, 0, -1);
  return __builtin_elementwise_min(a, b)[0];
}
#endif

static real *cursor;

MAP(lanes_not_asked_for, 6, 4, 0.153, -1.258, -0.484, 0.236, -0.653, -1.241, -0.189, -1.484, 0.826,
    -0.859, -0.731, 1.187) {
  real a[8], b[8];
  for (int i = 0; i < 8; i++)
    a[i] = x[i % n];
  for (int i = 0; i < 8; i++)
    b[i] = -x[i % n];
  cursor = b;
  turn(b + 4, x + 1, x[1]);
  real last = tanh(next_to(x + 1, 1, b[7]));
  y[2] += 0.5;
  y[3] += (y[3] > -0.359 ? last : x[3]) * a[7] * 0.330;
}

SUM(lanes_divided_by_zero, 4, 1.0, 2.0, 3.0, 4.0) {
  real b[4] = {x[1], x[2] * x[n - 1], x[0] - x[0], 0};
  return first_quotients(x, b) * x[3];
}

SUM(lanes_that_nobody_set, 4, 1.0, 2.0, 3.0, 4.0) {
  real b[4] = {x[1] * x[n - 1], x[2], x[0], 0};
  return smaller_of_first(x, b) * x[3];
}

/* The ring's index has 32 bits, that of the table three: the vectoriser must not take the first for
 * the second. */
static NOINLINE void turn_ring(int k, real *u, real *table, int n) {
  real old[16];
  for (int j = 0; j < n; j++)
    old[j] = u[j];
  for (int j = 0; j < n; j++) {
    int left = j ? j - 1 : n - 1;
    u[j] = old[j] + 0.01 * sin(old[left]) + 0.001 * cos(table[j % 8]) * (k + 1);
  }
  for (int j = 0; j < 8; j++)
    table[j] = 0.9 * table[j] + 0.05 * u[0] * u[j % n];
}

SUM(ring_over_a_table, 12, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2) {
  real table[8], u[16], s = 0;
  for (int j = 0; j < 8; j++)
    table[j] = 0.1 * j * x[0];
  for (int j = 0; j < n; j++)
    u[j] = x[j];
  for (int k = 0; k < 7; k++)
    turn_ring(k, u, table, n);
  for (int j = 0; j < n; j++)
    s += u[j] * u[j] * (j + 1);
  return s;
}

MAP(lanes_exchanged, 2, 4, 2.0, 3.0) {
  real v[2];
  for (int i = 0; i < n; i++)
    v[i] = x[i] * x[0];
  exchange(v, y);
}

SUM(lanes_in_assembly, 4, 1.0, 2.0, 3.0, 4.0) {
  real a[2], b[2], to[2];
  for (int i = 0; i < 2; i++) {
    a[i] = x[i] * x[n - 1];
    b[i] = barrier(x[i + 2] * x[0]) * (1 + i);
  }
  least(a, b, to);
  return to[0] * to[1];
}

MAP(lanes_broadcast, 2, 4, 2.0, 3.0) {
  wide v[2] __attribute__((aligned(16)));
  for (int i = 0; i < n; i++)
    v[i] = (wide)(x[i] * x[0]);
  broadcast(v, y);
}

MAP(lanes_signed, 4, 12, 1.0, -2.0, 3.0, -4.0) {
  real v[4];
  for (int i = 0; i < n; i++)
    v[i] = x[i] * x[0] + (real)(0.5 - i % 2);
  sign(v, y);
}

/* Sums and differences of neighbours, and differences and sums in turns. */
MAP(neighbouring_lanes, 8, 1, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.5) {
  real to[3 * PART];
  real b[4] = {x[4] * x[0], x[5], x[6] * x[1], x[7]};
  (void)n;
  neighbours(x, b, to);
  y[0] = 0;
  for (int i = 0; i < 3 * PART; i++)
    y[0] += to[i] * to[i] * (i + 1);
}
