// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Memory that is moved by words: pointers as numbers, numbers as integers that the program declares
 * to be some. */
// one-thread: numbers_in_a_table_of_integers
#include "cases.h"

#include <stdint.h>

typedef double __attribute__((may_alias)) Word;

#ifdef __cplusplus
typedef real Bits;
#else
typedef __typeof__(__builtin_choose_expr(sizeof(real) == 8, (uint64_t)0, (uint32_t)0)) Bits;
#endif

/* --- Pointers that are moved as numbers. --- */

SUM(a_pointer_as_a_number, 2, 0.5, 1.5) {
  real *from = x, *to;
  *(Word *)&to = *(Word *)&from;
  return to[0] * to[0] * to[1] * (real)n;
}

SUM(a_pointer_to_a_local_as_a_number, 2, 0.5, 1.5) {
  real square[2];
  real *from = square, *to;
  *(Word *)&to = *(Word *)&from;
  to[0] = x[0] * x[0];
  to[1] = x[1] * x[0];
  return square[0] + square[1] * (real)n;
}

static NOINLINE void move(void *to, const void *from) { *(Word *)to = *(const Word *)from; }

SUM(a_helper_that_moves_a_word, 2, 0.5, 1.5) {
  real *from = x, *to;
  move(&to, &from);
  return to[0] * to[0] * to[1] * (real)n;
}

static NOINLINE void exchange(void *a, void *b) {
  Word t = *(Word *)a;
  *(Word *)a = *(Word *)b;
  *(Word *)b = t;
}

SUM(a_helper_that_exchanges_both, 3, 0.5, 1.5, 0.75) {
  real square[2] = {x[0] * x[0], x[1] * x[2]};
  real *p = x, *q = square;
  exchange(&p, &q);
  return p[0] * q[0] + p[1] * q[2] * (real)n;
}

typedef struct {
  real *pointer;
  double weight;
} Tagged;

static NOINLINE void move_both(Tagged *to, const Tagged *from) {
  Word *a = (Word *)to;
  const Word *b = (const Word *)from;
  a[0] = b[0];
  a[1] = b[1];
}

SUM(a_struct_by_words, 2, 0.5, 1.5) {
  Tagged from = {x, 0.5 * n}, to;
  move_both(&to, &from);
  return to.pointer[0] * to.pointer[1] * to.pointer[1] * (real)to.weight;
}

typedef union {
  real *pointer;
  double number;
} Slot;

SUM(a_pointer_through_the_number_of_a_union, 2, 0.5, 1.5) {
  Slot from, to;
  from.pointer = x;
  to.number = from.number;
  return to.pointer[0] * to.pointer[1] * (real)n;
}

#ifndef __cplusplus
typedef struct {
  int kind;
  union {
    real number;
    real *pointer;
  } as;
} Value;
#else
typedef struct {
  int kind;
  struct {
    real number;
    real *pointer;
  } as;
} Value;
#endif

static NOINLINE void take_over(Value *to, const Value *from) {
  to->kind = from->kind;
  if (to->kind)
    to->as.pointer = from->as.pointer;
  else
    to->as.number = from->as.number;
}

SUM(the_number_of_a_union_with_pointers, 2, 0.5, 1.5) {
  Value number, pointer, to[2];
  number.kind = 0;
  number.as.number = x[0] * x[0] * (real)n;
  pointer.kind = 1;
  pointer.as.pointer = x + 1;
  take_over(&to[0], &number);
  take_over(&to[1], &pointer);
  return to[0].as.number * *to[1].as.pointer;
}

/* --- Numbers in memory that is declared to hold integers. --- */

static Bits moved[4];

SUM(numbers_in_a_table_of_integers, 4, 0.5, 1.5, 0.75, 1.25) {
  real sum = 0;
  memcpy(moved, x, sizeof moved);
  for (int i = 0; i < 2; i++) {
    Bits t = moved[i];
    moved[i] = moved[3 - i];
    moved[3 - i] = t;
  }
  for (int i = 0; i < 4; i++) {
    real y;
    memcpy(&y, moved + i, sizeof y);
    sum += y * y * (real)(i + n);
  }
  return sum;
}

static NOINLINE Bits chosen(const Bits *from, int n) {
  if (n <= 1)
    return from[0];
  return n & 1 ? chosen(from + 1, n - 1) : chosen(from, n / 2);
}

SUM(an_integer_that_recursion_returns, 4, 0.5, 1.5, 0.75, 1.25) {
  Bits table[4];
  real sum = 0;
  memcpy(table, x, sizeof table);
  for (int i = 1; i <= 4; i++) {
    Bits bits = chosen(table, i);
    real y;
    memcpy(&y, &bits, sizeof y);
    sum += y * y * (real)(i + n);
  }
  return sum;
}

/* --- Numbers in memory that is declared to hold pointers. --- */

#ifdef __cplusplus
typedef real Address;
#else
typedef __typeof__(__builtin_choose_expr(sizeof(real) == sizeof(void *), (void *)0,
                                         (uint32_t)0)) Address;
#endif

static NOINLINE void exchange_addresses(Address *a, Address *b) {
  Address t = *a;
  *a = *b;
  *b = t;
}

static real weighted(const Address *table, int n) {
  real sum = 0;
  for (int i = 0; i < 4; i++) {
    real y;
    memcpy(&y, table + i, sizeof y);
    sum += y * y * (real)(i + n);
  }
  return sum;
}

SUM(numbers_in_a_table_of_pointers, 4, 0.5, 1.5, 0.75, 1.25) {
  Address table[4];
  memcpy(table, x, sizeof table);
  exchange_addresses(&table[0], &table[3]);
  exchange_addresses(&table[1], &table[2]);
  return weighted(table, n);
}

SUM(numbers_exchanged_as_pointers_in_place, 4, 0.5, 1.5, 0.75, 1.25) {
  Address table[4];
  memcpy(table, x, sizeof table);
  for (int i = 0; i < 2; i++) {
    Address t = table[i];
    table[i] = table[3 - i];
    table[3 - i] = t;
  }
  return weighted(table, n);
}

#ifndef __cplusplus
typedef union {
  real number;
  Address address;
} Punned;
#else
typedef struct {
  union {
    real number;
    real address;
  };
} Punned;
#endif

SUM(numbers_made_pointers_by_a_union, 4, 0.5, 1.5, 0.75, 1.25) {
  Address table[4];
  real sum = 0;
  for (int i = 0; i < 4; i++) {
    Punned each;
    each.number = x[i] * x[i];
    table[i] = each.address;
  }
  exchange_addresses(&table[0], &table[3]);
  exchange_addresses(&table[1], &table[2]);
  for (int i = 0; i < 4; i++) {
    Punned each;
    each.address = table[i];
    sum += (real)(i + n) * each.number;
  }
  return sum;
}

typedef struct {
  Address a, b;
  int count;
} Pair;

static NOINLINE void flip(Pair *pair) {
  Address t = pair->a;
  pair->a = pair->b;
  pair->b = t;
  pair->count++;
}

SUM(numbers_in_a_struct_of_pointers, 2, 0.5, 1.5) {
  Pair pair = {0, 0, n};
  real a, b;
  memcpy(&pair.a, x, sizeof pair.a);
  memcpy(&pair.b, x + 1, sizeof pair.b);
  flip(&pair);
  memcpy(&a, &pair.a, sizeof a);
  memcpy(&b, &pair.b, sizeof b);
  return a * a + 3 * b * (real)pair.count;
}

/* A number that is handed on as a pointer. */

#ifdef __cplusplus
typedef real Handed;
#else
typedef __typeof__(__builtin_choose_expr(sizeof(real) == sizeof(void *), (void *)0,
                                         (real)0)) Handed;
#endif

static NOINLINE void put(Handed *table, int i, Handed each) { table[i] = each; }

SUM(a_number_handed_on_as_a_pointer, 4, 0.5, 1.5, 0.75, 1.25) {
  Handed table[4], turned[4];
  real sum = 0;
  memcpy(table, x, sizeof table);
  for (int i = 0; i < 4; i++)
    put(turned, i ^ 1, table[i]);
  for (int i = 0; i < 4; i++) {
    real y;
    memcpy(&y, turned + i, sizeof y);
    sum += y * y * (real)(i + n);
  }
  return sum;
}

/* Numbers that are the loads of a list, which are pointers: exchanged as such, they stay numbers,
 * as no pointer comes there but null. */

#ifdef __cplusplus
typedef real Load;
#else
typedef void *Load;
#endif

typedef struct Link {
  Load load;
  struct Link *next;
} Link;

static NOINLINE Link *linked(Link *next, real t) {
  Link *link = (Link *)malloc(sizeof *link);
  link->load = 0;
  memcpy(&link->load, &t, sizeof t);
  link->next = next;
  return link;
}

static Link *linked_all(int n, const real *x) {
  Link *first = NULL;
  for (int i = 0; i < n; i++)
    first = linked(first, x[i] * x[i]);
  return first;
}

static void turn_links(Link *first) {
  for (Link *each = first; each && each->next; each = each->next) {
    Load t = each->load;
    each->load = each->next->load;
    each->next->load = t;
  }
}

static NOINLINE real sum_of_links(const Link *link) {
  real t = 0;
  if (link)
    memcpy(&t, &link->load, sizeof t);
  return link ? t + 0.5 * sum_of_links(link->next) : t;
}

static void drop_links(Link *first) {
  while (first) {
    Link *next = first->next;
    free(first);
    first = next;
  }
}

SUM(numbers_exchanged_as_the_pointers_of_a_list, 4, 0.5, 1.5, 0.75, 1.25) {
  Link *first = linked_all(n, x);
  turn_links(first);
  real sum = sum_of_links(first);
  drop_links(first);
  return sum;
}

SUM(numbers_moved_as_the_pointers_of_a_list, 4, 0.5, 1.5, 0.75, 1.25) {
  Link *first = linked_all(n, x);
  real sum = 0;
  for (Link *each = first; each->next; each = each->next)
    each->load = each->next->load;
  for (Link *each = first; each; each = each->next) {
    real t;
    memcpy(&t, &each->load, sizeof t);
    sum = 0.5 * sum + t;
  }
  drop_links(first);
  return sum;
}
