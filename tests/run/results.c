// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Functions that return pointers, alone or in structs. */
#define NB_AT_ONCE
#include "cases.h"

typedef struct {
  real *data;
  long count;
} Slice;

typedef struct {
  real *first, *second;
} Halves;

typedef struct {
  const real *data;
  const char *name;
} Named;

static NOINLINE Slice slice(real *x, long from, long count) {
  Slice s = {x + from, count};
  return s;
}

static NOINLINE Halves split(Slice s) {
  Halves h = {s.data, s.data + s.count / 2};
  return h;
}

static NOINLINE real sum(Slice s) {
  real r = 0;
  for (long i = 0; i < s.count; i++)
    r += s.data[i] * s.data[0];
  return r;
}

SUM(slices_returned, 4, 0.3, 0.1, -0.4, 1.2) {
  Slice all = slice(x, 0, n), rest = slice(x, 1, n - 1);
  return sum(all) * sum(rest) + sum(slice(rest.data, 1, rest.count - 1));
}

SUM(halves_returned, 4, 0.3, 0.1, -0.4, 1.2) {
  Halves h = split(slice(x, 0, n));
  real r = 0;
  for (int i = 0; i < n / 2; i++)
    r += h.first[i] * h.second[i] * h.second[0];
  return r;
}

SUM(slices_in_a_loop, 5, 0.3, 0.1, -0.4, 1.2, 0.8) {
  Slice s = slice(x, 0, n);
  real r = 1;
  while (s.count > 1) {
    Halves h = split(s);
    r = r * h.first[0] + *h.second;
    s = VALUE(*h.second) > 0 ? slice(h.second, 0, s.count - s.count / 2)
                             : slice(h.first, 0, s.count / 2);
  }
  return r * s.data[0];
}

MAP(written_through_results, 4, 4, 0.3, 0.1, -0.4, 1.2) {
  Halves h = split(slice(y, 0, n));
  for (int i = 0; i < n / 2; i++) {
    h.first[i] = x[i] * x[n - 1 - i];
    h.second[i] += h.first[i] * x[0];
  }
}

static const real table[4] = {1, 2, 3, 4};

static NOINLINE Named choose(int which, const real *x) {
  Named n = {which ? x : table, which ? "x" : "table"};
  return n;
}

SUM(named_returned, 4, 0.3, 0.1, -0.4, 1.2) {
  real r = 0;
  for (int i = 0; i < n; i++) {
    Named c = choose(i & 1, x);
    r += c.data[i] * x[0] + (c.name[0] == 'x');
  }
  return r;
}

static NOINLINE void keep(Slice *slices, int i, Slice s) { slices[i] = s; }

SUM(slices_kept, 4, 0.3, 0.1, -0.4, 1.2) {
  Slice kept[4];
  for (int i = 0; i < n; i++)
    keep(kept, i, slice(x, i, n - i));
  real r = 0;
  for (int i = 0; i < n; i++)
    r += sum(kept[i]) * kept[n - 1 - i].data[0];
  return r;
}

typedef struct {
  real value, *rest;
} Parts;

static NOINLINE Parts take(real *x, real factor) {
  Parts p = {x[0] * factor + x[1] * x[1], x + 1};
  return p;
}

SUM(numbers_and_pointers_returned, 4, 0.3, 0.1, -0.4, 1.2) {
  Parts p = {1, x};
  real r = 0;
  for (int i = 0; i + 1 < n; i++) {
    p = take(p.rest, p.value);
    r += p.value * *p.rest;
  }
  return r * p.value;
}

MAP(written_beside_numbers, 3, 3, 0.3, 0.1, -0.4) {
  Parts p = take(x, y[0]);
  p.rest[0] = sin(p.value) * x[2];
  y[1] += p.value * x[1];
  p = VALUE(x[0]) > 0.2 ? take(y, x[0]) : take(x, y[1]);
  *p.rest *= p.value;
  y[2] = p.value + *p.rest;
}

/* Structs of a count and a pointer, by value and returned: what lies between them is no number. */
typedef struct {
  int degree;
  real *c;
} Polynomial;

static Polynomial polynomial(int degree) {
  Polynomial p;
  p.degree = degree;
  p.c = (real *)calloc((size_t)degree + 1, sizeof(real));
  return p;
}

static Polynomial multiplied(Polynomial a, Polynomial b) {
  Polynomial r = polynomial(a.degree + b.degree);
  for (int i = 0; i <= a.degree; i++)
    for (int j = 0; j <= b.degree; j++)
      r.c[i + j] += a.c[i] * b.c[j];
  return r;
}

static Polynomial differentiated(const Polynomial *a) {
  Polynomial r = polynomial(a->degree > 0 ? a->degree - 1 : 0);
  for (int i = 1; i <= a->degree; i++)
    r.c[i - 1] = i * a->c[i];
  return r;
}

SUM(polynomials_by_value, 5, 0.3, 0.1, -0.4, 1.2, 0.7) {
  Polynomial p = polynomial(0);
  p.c[0] = 1;
  for (int i = 0; i + 1 < n; i++) {
    Polynomial factor = polynomial(1);
    factor.c[0] = -x[i];
    factor.c[1] = 1;
    Polynomial product = multiplied(p, factor);
    free(p.c);
    free(factor.c);
    p = product;
  }
  Polynomial slope = differentiated(&p);
  real sum = 0;
  for (int i = slope.degree; i >= 0; i--)
    sum = sum * x[n - 1] + slope.c[i];
  free(p.c);
  free(slope.c);
  return sum;
}

/* --- A count before its array, given as a list: what is left of the list is zeroed in a loop. ---
 */

typedef struct {
  int degree;
  real c[8];
} Listed;

static Listed product_of(Listed a, Listed b) {
  Listed r = {a.degree + b.degree, {0}};
  for (int i = 0; i <= a.degree; i++)
    for (int j = 0; j <= b.degree; j++)
      r.c[i + j] += a.c[i] * b.c[j];
  return r;
}

static Listed slope_of(Listed a) {
  Listed r;
  memset(&r, 0, sizeof r);
  r.degree = a.degree ? a.degree - 1 : 0;
  for (int i = 1; i <= a.degree; i++)
    r.c[i - 1] = (real)i * a.c[i];
  return r;
}

static Listed composed_of(Listed a, Listed b) {
  Listed r = {0, {a.c[a.degree]}};
  for (int i = a.degree - 1; i >= 0; i--) {
    r = product_of(r, b);
    r.c[0] += a.c[i];
  }
  return r;
}

MAP(listed_coefficients, 4, 3, 0.7, -0.4, 0.9, 1.2) {
  Listed p = {3, {x[0], x[1], x[2], x[3]}}, q = {1, {0}};
  memcpy(q.c, x + 2, 2 * sizeof *x);
  Listed s[3] = {p, q, product_of(p, q)};
  s[1] = composed_of(p, q);
  s[2] = slope_of(product_of(s[0], s[1]));
  for (int k = 0; k < 3; k++) {
    Listed t = s[k];
    s[k] = s[2 - k];
    s[2 - k] = t;
    y[k] += (slope_of(t).c[n / 4] + t.c[2]) * (real)(t.degree + 1);
  }
}

/* A number and whether it is any, from several returns: of floats, both travel in one integer, and
 * where none was found that is a constant. */
typedef struct {
  int found;
  real value;
} Found;

static NOINLINE Found first_product_above(const real *x, int n, real limit) {
  Found result = {0, 1};
  for (int i = 0; i < n; i++) {
    result.value *= x[i];
    if (result.value > limit)
      return result;
  }
  result.found = 1;
  return result;
}

typedef struct {
  real value;
  short where;
} Place;

static NOINLINE Place first_sum_above(const real *x, int n, real limit) {
  Place result = {x[0], 0};
  if (n < 2)
    return result;
  for (int i = 0; i < n; i++) {
    result.value = result.value * (1 + x[i]);
    if (result.value > limit)
      return result;
    if (i == 2) {
      result.where = 1;
      result.value += x[i] * x[0];
      return result;
    }
  }
  result.where = 2;
  return result;
}

static NOINLINE real weighed(Place place, real by) {
  return place.where > 0 ? place.value * by : 2 * place.value + by;
}

SUM(number_or_none_from_several_returns, 5, 1.3, 1.2, 0.4, 2.1, 1.5) {
  real sum = 0;
  for (int i = 0; i < n; i++) {
    Found product = first_product_above(x, i, 2);
    Place place = first_sum_above(x + i, n - i, i % 2 ? 4 : 1000);
    sum += product.found ? product.value : 2 * product.value * product.value;
    sum += weighed(place, x[i]) + place.where * place.value;
  }
  return sum;
}
