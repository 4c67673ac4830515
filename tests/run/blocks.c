// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Blocks of the caller's that hold arrays of structs and of numbers, one behind the other, and are
 * copied whole: no struct's member says what lies behind the array of structs. */
// differences: none
#include "cases.h"

extern void __enzyme_autodiff(void *, ...);

enum { COUNT = 4, BYTES = 256 };

typedef struct {
  char from[BYTES] __attribute__((aligned(16)));
  char to[BYTES];
} Blocks;

typedef void Reverse(const real *x, real *dx, real *y, real *dy, Blocks *b, Blocks *db);

#define REVERSE(primal)                                                                            \
  static void reverse_##primal(const real *x, real *dx, real *y, real *dy, Blocks *b,              \
                               Blocks *db) {                                                       \
    __enzyme_autodiff((void *)primal, COUNT, x, dx, y, dy, b->from, db->from, b->to, db->to);      \
  }

/* The primal is the sum of the x[i] * x[0] * (i + 1). */
static void expect_gradient_of(Reverse *reverse) {
  real x[COUNT] = {2, 3, 5, 7}, dx[COUNT] = {0}, y = 0, dy = 1;
  Blocks b = {{0}, {0}}, db = {{0}, {0}};
  reverse(x, dx, &y, &dy, &b, &db);
  EXPECT(y, 2 * (2 + 6 + 15 + 28));
  EXPECT(dx[0], 2 + 6 + 15 + 28 + 2);
  for (int i = 1; i < COUNT; i++)
    EXPECT(dx[i], 2 * (i + 1));
}

typedef struct {
  int a, b;
} Pair;

NOINLINE static void pairs(int n, const real *x, real *y, char *from, char *to) {
  Pair *items = (Pair *)from;
  real *numbers = (real *)(from + (size_t)n * sizeof(Pair));
  for (int i = 0; i < n; i++) {
    items[i].a = i;
    items[i].b = 1;
    numbers[i] = x[i] * x[0];
  }
  memcpy(to, from, (size_t)n * (sizeof(Pair) + sizeof(real)));
  items = (Pair *)to;
  numbers = (real *)(to + (size_t)n * sizeof(Pair));
  for (int i = 0; i < n; i++)
    *y += numbers[i] * (items[i].a + items[i].b);
}

REVERSE(pairs)
CHECK(behind_pairs) { expect_gradient_of(reverse_pairs); }

typedef struct {
  long a, b;
} Wide;

NOINLINE static void wide_pairs(int n, const real *x, real *y, char *from, char *to) {
  Wide *items = (Wide *)from;
  real *numbers = (real *)(from + (size_t)n * sizeof(Wide));
  for (int i = 0; i < n; i++) {
    items[i].a = 0;
    items[i].b = i + 1;
    numbers[i] = x[i] * x[0];
  }
  memcpy(to, from, (size_t)n * (sizeof(Wide) + sizeof(real)));
  items = (Wide *)to;
  numbers = (real *)(to + (size_t)n * sizeof(Wide));
  for (int i = 0; i < n; i++)
    *y += numbers[i] * items[i].b;
}

REVERSE(wide_pairs)
CHECK(behind_wide_pairs) { expect_gradient_of(reverse_wide_pairs); }

typedef struct {
  int a, b, c, d;
} Four;

NOINLINE static void fours(int n, const real *x, real *y, char *from, char *to) {
  Four *items = (Four *)from;
  real *numbers = (real *)(from + (size_t)n * sizeof(Four));
  for (int i = 0; i < n; i++) {
    items[i].a = i;
    items[i].d = 1;
    numbers[i] = x[i] * x[0];
  }
  memcpy(to, from, (size_t)n * (sizeof(Four) + sizeof(real)));
  items = (Four *)to;
  numbers = (real *)(to + (size_t)n * sizeof(Four));
  for (int i = 0; i < n; i++)
    *y += numbers[i] * (items[i].a + items[i].d);
}

REVERSE(fours)
CHECK(behind_fours) { expect_gradient_of(reverse_fours); }

typedef struct {
  real x, y;
  int a, b;
} Point;

NOINLINE static void points(int n, const real *x, real *y, char *from, char *to) {
  Point *items = (Point *)from;
  real *numbers = (real *)(from + (size_t)n * sizeof(Point));
  for (int i = 0; i < n; i++) {
    items[i].x = 0.5;
    items[i].y = i;
    items[i].b = 2;
    numbers[i] = x[i] * x[0];
  }
  memcpy(to, from, (size_t)n * (sizeof(Point) + sizeof(real)));
  items = (Point *)to;
  numbers = (real *)(to + (size_t)n * sizeof(Point));
  for (int i = 0; i < n; i++)
    *y += numbers[i] * (items[i].x * items[i].b + items[i].y);
}

REVERSE(points)
CHECK(behind_points) { expect_gradient_of(reverse_points); }

/* Members that nobody accesses are members: the block has room for more numbers than are copied. */
NOINLINE static void one_of_four(int n, const real *x, real *y, char *from, char *to) {
  const size_t size = (size_t)n * sizeof(Four);
  for (int i = 0; i < n; i++) {
    ((Four *)from)[i].c = i + 1;
    ((real *)(from + size))[i] = x[i] * x[0];
  }
  memcpy(to, from, 2 * size);
  for (int i = 0; i < n; i++)
    *y += ((real *)(to + size))[i] * ((Four *)to)[i].c;
}

REVERSE(one_of_four)
CHECK(behind_one_of_four) { expect_gradient_of(reverse_one_of_four); }

/* --- The same by helpers that know numbers only, and by pointers that walk. ------------------- */

NOINLINE static void put(int n, const real *x, real *numbers) {
  for (int i = 0; i < n; i++)
    numbers[i] = x[i] * x[0];
}

NOINLINE static void with_helper(int n, const real *x, real *y, char *from, char *to) {
  Four *items = (Four *)from;
  for (int i = 0; i < n; i++)
    items[i].a = i + 1;
  put(n, x, (real *)(from + (size_t)n * sizeof *items));
  memcpy(to, from, (size_t)n * (sizeof *items + sizeof(real)));
  items = (Four *)to;
  real *at = (real *)(to + (size_t)n * sizeof *items);
  for (int i = 0; i < n; i++, at++)
    *y += *at * items[i].a;
}

REVERSE(with_helper)
CHECK(behind_fours_with_helper) { expect_gradient_of(reverse_with_helper); }

/* --- Structs with arrays, which a helper fills, are no such blocks. --------------------------- */

typedef struct {
  int id;
  real a[2];
  int kind;
} Part;

NOINLINE static void parts(int n, const real *x, real *y, char *from, char *to) {
  Part *p = (Part *)from, *q = (Part *)to;
  for (int i = 0; i < n / 2; i++) {
    p[i].id = 2 * i;
    p[i].kind = 1;
    put(n / 2, x, p[i].a);
    p[i].a[0] = x[2 * i] * x[0];
    p[i].a[1] = x[2 * i + 1] * x[0];
  }
  memcpy(q, p, (size_t)(n / 2) * sizeof *p);
  for (int i = 0; i < n / 2; i++)
    for (int j = 0; j < n / 2; j++)
      *y += q[i].a[j] * (q[i].id + q[i].kind + j);
}

REVERSE(parts)
CHECK(parts_with_numbers) { expect_gradient_of(reverse_parts); }

/* --- Copied by the size of a number, structs keep the shadows of other members. --------------- */

typedef struct {
  double value;
  long kind;
} Tagged;

NOINLINE static void doubled(const Tagged *from, Tagged *to, int words) {
  memcpy(to, from, (size_t)words * sizeof(double));
  for (int i = 0; i < words / 2; i++)
    to[i].value *= 2;
}

CHECK(shadows_between_numbers) {
  Tagged x[2] = {{2, 1}, {3, 2}}, y[2], dx[2] = {{0, 7}, {0, 7}}, dy[2] = {{1, 1000}, {1, 1000}};
  __enzyme_autodiff((void *)doubled, x, dx, y, dy, 4);
  for (int i = 0; i < 2; i++) {
    EXPECT(dx[i].value, 2);
    EXPECT(dx[i].kind, 7);
    EXPECT(dy[i].kind, 1000);
  }
}
