// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reals: double
/* Values that are a number or lead to one, as a tag beside them says: copied, handed on whole. */
#include "cases.h"

typedef struct {
  union {
    real number;
    real *pointer;
  } value;
  int tag;
} Tagged;

SUM(tagged_on_a_stack, 4, 0.5, 1.5, 0.75, 1.25) {
  Tagged stack[8];
  real sum = 0;
  int top = 0;
  for (int i = 0; i < n; i++) {
    if (i % 2)
      stack[top].value.pointer = &x[i];
    else
      stack[top].value.number = x[i] * x[0];
    stack[top++].tag = i % 2;
  }
  while (top) {
    Tagged a = stack[--top], b = stack[--top];
    sum += (a.tag ? *a.value.pointer : a.value.number) *
           (b.tag ? *b.value.pointer : b.value.number) * (real)(top + 1);
  }
  return sum;
}

static real looked_up(const Tagged *each) {
  return each->tag ? *each->value.pointer : each->value.number;
}

SUM(tagged_and_copied, 4, 0.5, 1.5, 0.75, 1.25) {
  Tagged list[4];
  real sum = 0;
  for (int i = 0; i < n; i++) {
    list[i].tag = i > 1;
    if (i > 1)
      list[i].value.pointer = &x[i];
    else
      list[i].value.number = x[i] * x[i];
  }
  for (int i = 0; i < n; i++) {
    Tagged each = list[n - 1 - i];
    sum += looked_up(&each) * (real)(i + 1);
  }
  return sum;
}

typedef struct {
  int tag;
  union {
    struct {
      real a, b;
    } pair;
    struct {
      real *items;
      long count;
    } slice;
  } value;
} Pair;

static real total(const Pair *given) {
  Pair each = *given;
  real sum = 0;
  if (each.tag)
    return each.value.pair.a * each.value.pair.b;
  for (long i = 0; i < each.value.slice.count; i++)
    sum += each.value.slice.items[i];
  return sum;
}

SUM(pairs_and_slices, 4, 0.5, 1.5, 0.75, 1.25) {
  Pair list[2];
  real sum = 0;
  for (int i = 0; i < 2; i++) {
    list[i].tag = i;
    if (i) {
      list[i].value.pair.a = x[0];
      list[i].value.pair.b = x[1];
    } else {
      list[i].value.slice.items = x;
      list[i].value.slice.count = n;
    }
  }
  for (int i = 0; i < 2; i++)
    sum += total(&list[i]) * x[2 + i];
  return sum;
}

typedef struct Link {
  int tag;
  union {
    real number;
    real *pointer;
    struct Link *link;
  } value;
} Link;

static real followed(const Link *link) {
  real inner;
  switch (link->tag) {
  case 0:
    return link->value.number;
  case 1:
    return *link->value.pointer;
  default:
    inner = followed(link->value.link);
    return inner * inner;
  }
}

SUM(links_to_what_was_made_before, 6, 0.5, 1.5, 0.75, 1.25, 2.0, 0.25) {
  Link *links[6];
  real sum = 0;
  for (int i = 0; i < n; i++) {
    links[i] = (Link *)malloc(sizeof *links[i]);
    links[i]->tag = i % 3;
    if (i % 3 == 0)
      links[i]->value.number = x[i] * x[i];
    else if (i % 3 == 1)
      links[i]->value.pointer = &x[i];
    else
      links[i]->value.link = links[i - 1 - (i > 3)];
  }
  for (int i = 0; i < n; i++)
    sum += followed(links[i]) * (real)(i + 1);
  for (int i = 0; i < n; i++)
    free(links[i]);
  return sum;
}

SUM(a_number_and_then_a_link, 3, 0.5, 1.5, 0.75) {
  Link first, each;
  real sum;
  each.tag = 0;
  each.value.number = x[0] * x[1];
  sum = followed(&each);
  each.tag = 1;
  each.value.pointer = &x[n - 1];
  first.tag = 2;
  first.value.link = &each;
  return sum * followed(&first) + followed(&each);
}

/* --- A pointer and a number, moved together as two numbers --- */

typedef struct {
  real *pointer;
  real number;
} Slot;

#ifdef __cplusplus
static void move_slot(Slot *to, const Slot *from) { *to = *from; }
#else
typedef real Two __attribute__((vector_size(2 * sizeof(real)), aligned(8), may_alias));

static void move_slot(Slot *to, const Slot *from) {
  if (sizeof(Two) == sizeof *to)
    *(Two *)to = *(const Two *)from;
  else
    *to = *from;
}
#endif

SUM(a_pointer_and_a_number_as_two_numbers, 2, 0.5, 1.5) {
  real square = x[0] * x[1];
  Slot from = {&square, x[0]}, to;
  move_slot(&to, &from);
  return *to.pointer * to.number * (real)n;
}

/* --- What is written of one member leaves the rest of another open --- */

typedef struct {
  union {
    struct {
      real a, b;
    } pair;
    real number;
  } value;
  int tag;
} PairOrNumber;

static real mild(real x) { return x > 3 || x < -3 ? 3 * tanh(x / 3) : x; }

SUM(an_open_half, 2, 0.5, 1.5) {
  PairOrNumber *own = (PairOrNumber *)malloc(2 * sizeof *own);
  real sum = 0;
  for (int i = 0; i < n; i++) {
    own[i].tag = 0;
    own[i].value.number = x[1];
  }
  for (int i = 0; i < 4; i++)
    sum += mild(own[1].tag == 1 ? own[1].value.pair.a * own[1].value.pair.b : (real)0);
  sum += own[0].value.number * x[0];
  free(own);
  return sum;
}
