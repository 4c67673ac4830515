// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What woven programs are made of. `real` is double, or long double in the reference, and REAL(f)
 * the function of the mathematics library for it. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#ifndef real
#define real double
#define REAL(f) f
#else
#define REAL(f) f##l
#endif

#define R(x) ((real)(x))
#define INDEX(e, n) (int)((unsigned)(e) % (unsigned)(n))

typedef struct {
  real a;
  int k;
  real v[3], b;
} Small;

typedef struct {
  Small s;
  real *p;
  real m[2][2];
  int k;
  Small w[2];
} Large;

typedef union {
  real r[2];
  struct {
    real x, y;
  } q;
} Pair;

typedef struct Node {
  real v;
  struct Node *next;
  real w[2];
  int tag;
} Node;

typedef struct {
  int tag;
  union {
    real d;
    long k;
  } u;
} Tagged;

typedef struct {
  unsigned char b[sizeof(real)];
} Bytes;

#ifdef VARIANT
enum { NUMBER, POINTER, LINK, TWO, SLICE, BOTH, CHOICE };

/* A number, or what leads to one, as its tag says. */
typedef struct Variant {
  VARIANT
} Variant;
#endif

#ifdef RECORD
enum { RECORDS = 4 };

/* Of pools, which are blocks of RECORDS of them, and more. */
typedef struct Record {
  RECORD
} Record;

#define AT(pool, i) ((Record *)(pool) + (i))
#define AT_BYTE(pool, i) ((Record *)((pool) + sizeof(Record) * (i)))

/* Gives the records of a pool one after the other, or those that were released. */
typedef struct {
  char *base;
  size_t used;
  Record *spare;
} Arena;
#endif

/* What the caller of the function has, and gives it. */
typedef struct {
  real r, x[6];
  Small s, w[2];
  real *p;
  int k;
  Small *at;
  Node *list;
  Pair q;
  real *rows[2];
  Large large;
#ifdef VARIANT
  Variant any[2];
#endif
#ifdef RECORD
  char *block;
  Record records[RECORDS];
#endif
} Given;

static inline real square(real x) { return x * x; }
static inline real sine(real x) { return REAL(sin)(x); }
static inline real squash(real x) { return REAL(tanh)(x); }
static inline real root(real x) { return REAL(sqrt)(x); }
static inline real bell(real x) { return REAL(exp)(-x * x); }
static inline real size(real x) { return REAL(fabs)(x); }
static inline real most(real x, real y) { return REAL(fmax)(x, y); }
static inline real least(real x, real y) { return REAL(fmin)(x, y); }

/* Keeps values of a size at which rounding does not matter. */
static inline real mild(real x) { return x > 3 || x < -3 ? 3 * squash(x / 3) : x; }

static inline real total(const real *x, long n) {
  real z = 0;
  for (long i = 0; i < n; i++)
    z += x[i];
  return z;
}

static real times(real x, real y) { return x * y; }
static real plus(real x, real y) { return sine(x) + y; }
static real minus(real x, real y) { return x - y * y; }

static real descend(real *p, int n, real x) {
  if (n <= 0)
    return x;
  real z = p[n & 1];
  p[n & 1] = z * R(0.5) + x;
  return z * R(0.3) + descend(p, n - 1, mild(x * z));
}

static void add_to(real a, const real *x, real *y, int n) {
  for (int i = 0; i < n; i++)
    y[i] = y[i] * R(0.5) + a * x[i];
}
