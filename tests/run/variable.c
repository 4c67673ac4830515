// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Functions with a variable number of arguments. */
#include "cases.h"

#include <stdarg.h>

static NOINLINE real weighted_sum(int count, ...) {
  va_list list;
  va_start(list, count);
  real r = 0;
  for (int i = 0; i < count; i++) {
    real v = (real)va_arg(list, wide);
    r += v * v * (i + 1);
  }
  va_end(list);
  return r;
}

SUM(numbers, 3, 1.0, 2.0, 3.0) {
  return weighted_sum(n, (wide)x[0], (wide)(x[1] * x[2]), (wide)x[2]);
}

/* More than registers hold. */
SUM(many_numbers, 4, 1.0, 2.0, 3.0, 4.0) {
  real r = weighted_sum(10, (wide)x[0], (wide)x[1], (wide)x[2], (wide)x[3], (wide)(x[0] * x[1]),
                        (wide)(x[1] * x[2]), (wide)(x[2] * x[3]), (wide)sin(x[0]), (wide)x[1],
                        (wide)(x[3] * x[3]));
  return r + weighted_sum(1, (wide)(r * x[0])) * n;
}

static NOINLINE real pick(const real *v, int count, ...) {
  va_list list;
  va_start(list, count);
  real r = 0;
  for (int i = 0; i < count; i++)
    r = r * 0.5 + v[va_arg(list, int)] * v[i];
  va_end(list);
  return r;
}

SUM(integers, 4, 1.0, 2.0, 3.0, 4.0) { return pick(x, 3, n - 1, 0, n / 2) * pick(x, 1, 2); }

/* What comes next is known only at run time. */
static NOINLINE real by_letters(const char *kinds, ...) {
  va_list list;
  va_start(list, kinds);
  real r = 1;
  for (const char *at = kinds; *at; at++) {
    if (*at == 'd')
      r = r + (real)va_arg(list, wide);
    else
      r = r * *va_arg(list, real *);
  }
  va_end(list);
  return r;
}

SUM(several_kinds, 3, 1.0, 2.0, 3.0) {
  return by_letters("dpdd", (wide)x[0], x + 1, (wide)sin(x[2]), (wide)(x[2] * x[2])) *
         by_letters("ddp", (wide)x[2], (wide)(x[1] * n), x);
}

/* Integers too: nothing but what is taken says where they lie. */
static NOINLINE real by_codes(const char *kinds, ...) {
  va_list list;
  va_start(list, kinds);
  real r = 1;
  for (const char *at = kinds; *at; at++) {
    if (*at == 'd')
      r = r + (real)va_arg(list, wide) * r;
    else if (*at == 'i')
      r = r * (real)va_arg(list, int);
    else
      r = r * *va_arg(list, real *);
  }
  va_end(list);
  return r;
}

SUM(kinds_that_are_told, 3, 1.0, 2.0, 3.0) {
  return by_codes("dipd", (wide)x[0], n, x + 1, (wide)(x[2] * x[0])) *
         by_codes("pdi", x, (wide)x[2], 2);
}

/* The bits of a number as an integer, which is of the type that it is passed as; the reference
 * passes the number. */
#ifdef __cplusplus
typedef wide Passed;
#else
typedef long Passed;
#endif

static NOINLINE wide by_bits(const char *kinds, ...) {
  va_list list;
  va_start(list, kinds);
  wide r = 1;
  for (const char *at = kinds; *at; at++) {
    if (*at == 'd') {
      r = r + va_arg(list, wide) * r;
      continue;
    }
    Passed bits = va_arg(list, Passed);
    wide number;
    memcpy(&number, &bits, sizeof number);
    r = r * number * number;
  }
  va_end(list);
  return r;
}

SUM(bits_of_numbers, 3, 1.0, 2.0, 3.0) {
  wide number = x[1] * n;
  Passed bits;
  memcpy(&bits, &number, sizeof bits);
  return (real)by_bits("dbd", (wide)x[0], bits, (wide)(x[2] * x[0]));
}

/* Each number and its exponent. */
static NOINLINE void powers(real *out, int count, ...) {
  va_list list;
  va_start(list, count);
  for (int i = 0; i < count; i++) {
    real base = (real)va_arg(list, wide), power = 1;
    int exponent = va_arg(list, int);
    for (int k = 0; k < exponent; k++)
      power *= base;
    out[i] += power;
  }
  va_end(list);
}

MAP(numbers_and_integers, 3, 3, 1.5, 2.0, 0.5) {
  powers(y, 3, (wide)x[0], n, (wide)(x[1] * x[0]), 2, (wide)x[2], 3);
}

/* Pointers into the caller's memory. */
static NOINLINE void scale_to_the_end(const real *factor, ...) {
  va_list list;
  va_start(list, factor);
  for (real *at = va_arg(list, real *); at; at = va_arg(list, real *))
    *at *= *factor * *factor;
  va_end(list);
}

MAP(pointers, 2, 3, 1.0, 2.0) {
  real local = x[1] * n;
  y[0] += x[0];
  scale_to_the_end(x, y, &local, (real *)NULL);
  y[1] += local * x[0];
  scale_to_the_end(&local, y + 1, y, (real *)NULL);
}

static real sum_of_list(int count, va_list list) {
  real r = 0;
  for (int i = 0; i < count; i++)
    r = r * 0.5 + (real)va_arg(list, wide);
  return r;
}

static NOINLINE real sum_twice(int count, ...) {
  va_list list, again;
  va_start(list, count);
  va_copy(again, list);
  real first = sum_of_list(count, list);
  real second = sum_of_list(count - 1, again);
  va_end(again);
  va_end(list);
  return first * second;
}

SUM(list_handed_on, 3, 1.0, 2.0, 3.0) {
  return sum_twice(3, (wide)x[0], (wide)x[1], (wide)(x[2] * n));
}

typedef struct Pair {
  real first, second;
} Pair;
typedef struct Labelled {
  wide value;
  int label;
} Labelled;
typedef struct Block {
  real items[5];
  int used;
} Block;

static NOINLINE real sum_of_structs(int count, ...) {
  va_list list;
  va_start(list, count);
  real r = 0;
  for (int i = 0; i < count; i++) {
    Pair pair = va_arg(list, Pair);
    Block block = va_arg(list, Block);
    Labelled labelled = va_arg(list, Labelled);
    r += pair.first * pair.second * block.items[block.used] + (real)labelled.value * labelled.label;
  }
  va_end(list);
  return r;
}

SUM(structs_by_value, 3, 1.0, 2.0, 3.0) {
  Pair pair = {x[0], x[1] * x[2]};
  Block block = {{x[2], x[1], x[0], x[1] * 2, x[0]}, n % 3};
  Labelled labelled = {(wide)(x[0] * x[0]), 2 + n};
  return sum_of_structs(1, pair, block, labelled);
}

static NOINLINE real sum_of_extended(int count, ...) {
  va_list list;
  va_start(list, count);
  extended r = 0;
  for (int i = 0; i < count; i++) {
    int factor = va_arg(list, int);
    r += va_arg(list, extended) * factor;
  }
  va_end(list);
  return (real)r;
}

SUM(long_doubles, 2, 1.0, 2.0) {
  return sum_of_extended(2, n, (extended)(x[0] * x[1]), 3, (extended)x[1]) * x[0];
}

/* With fewer arguments each time. */
static NOINLINE real descend(int count, ...) {
  va_list list;
  va_start(list, count);
  wide first = va_arg(list, wide);
  wide second = va_arg(list, wide);
  va_end(list);
  if (count <= 0)
    return (real)(first * second);
  return descend(count - 1, second, first * second) * (real)first;
}

SUM(recursion, 2, 1.1, 0.9) { return descend(n + 1, (wide)x[0], (wide)x[1]); }

/* No argument is read. */
static NOINLINE real ignore(real *x, ...) { return x[0] * x[1]; }

SUM(ignored, 2, 1.0, 2.0) { return ignore(x, n, (wide)x[0]) + ignore(x); }

SUM(in_a_loop, 4, 1.0, 2.0, 3.0, 4.0) {
  real r = 0;
  for (int i = 0; i + 1 < n; i++)
    r = weighted_sum(2, (wide)(r * 0.1), (wide)(x[i] * x[i + 1]));
  return r;
}

typedef real (*Folded)(int, ...);

SUM(called_through_a_pointer, 3, 1.0, 2.0, 3.0) {
  Folded f = VALUE(x[0]) > 0.5 ? weighted_sum : sum_twice;
  return f(n, (wide)x[0], (wide)x[1], (wide)x[2]);
}
