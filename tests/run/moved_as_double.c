// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reals: double
// tolerance: 1e-6
/* Unions of a float and a double whose larger member is assigned, whichever of them it is: the run
 * tells what its adjoint is. */
#include "cases.h"

typedef struct {
  union {
    wide d;
    single f;
  } u;
  long tag;
} Value;

static NOINLINE void set(Value *to, real y, int tag) {
  to->tag = tag;
  if (tag)
    to->u.d = y;
  else
    to->u.f = (single)y;
}

static NOINLINE real get(const Value *at) { return at->tag ? (real)at->u.d : (real)at->u.f; }

static NOINLINE void move(Value *to, const Value *from) {
  to->tag = from->tag;
  to->u.d = from->u.d;
}

SUM(moved_by_a_function, 2, 1.5, 0.75) {
  Value list[4] = {{{0}, 0}};
  for (int i = 0; i < n; i++)
    set(&list[i], x[i] * x[i], i);
  move(&list[2], &list[0]);
  move(&list[3], &list[1]);
  return 2 * get(&list[0]) + 3 * get(&list[1]) * x[0] + get(&list[2]) + get(&list[3]);
}

static NOINLINE void move_to_two(Value *to, Value *other, const Value *from) {
  other->tag = to->tag = from->tag;
  other->u.d = to->u.d = from->u.d;
}

SUM(moved_to_two_places, 2, 1.5, 0.75) {
  Value list[4] = {{{0}, 0}}, others[2] = {{{0}, 0}};
  for (int i = 0; i < n; i++)
    set(&list[i], x[i] * x[i], i);
  move_to_two(&list[2], &others[0], &list[0]);
  move_to_two(&list[3], &others[1], &list[1]);
  real sum = get(&others[0]) * x[1] + get(&others[1]);
  return sum + 2 * get(&list[0]) + 3 * get(&list[1]) + get(&list[2]) + get(&list[3]);
}

SUM(moved_in_a_loop, 2, 1.5, 0.75) {
  Value *from = (Value *)calloc(4, sizeof *from), *to = (Value *)calloc(4, sizeof *to);
  for (int i = 0; i < n; i++)
    set(&from[i], x[i] * x[i], i);
  int count = x[0] > 0 ? 2 : 1;
  for (int i = 0; i < 2; i++) {
    to[i].tag = from[i % count].tag;
    to[i].u.d = from[i % count].u.d;
  }
  real sum = get(&to[0]) + get(&to[1]) * x[0] + 2 * get(&from[0]) + 3 * get(&from[1]);
  free(from);
  free(to);
  return sum;
}

static NOINLINE wide taken(const Value *at) { return at->u.d; }

static NOINLINE void put(Value *to, wide d, int tag) {
  to->u.d = d;
  to->tag = tag;
}

SUM(moved_from_function_to_function, 2, 1.5, 0.75) {
  Value list[4] = {{{0}, 0}};
  for (int i = 0; i < n; i++)
    set(&list[i], x[i] * x[i], i);
  put(&list[2], taken(&list[0]), 0);
  put(&list[3], taken(&list[1]), 1);
  return 2 * get(&list[0]) + 3 * get(&list[1]) + get(&list[2]) + get(&list[3]);
}
