// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Free slots of a pool are linked where used ones have numbers. No access has a name: the links are
 * pointers all the same. */
// RUN: %clang -O0 -w %s -o %t && %t | FileCheck %s
// RUN: %clang -O2 -fno-strict-aliasing -w %s -o %t && %t | FileCheck %s
#include <stdio.h>

extern int enzyme_dup, enzyme_const;
void __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

typedef union Slot {
  union Slot *next;
  struct {
    double number[3];
    int index;
  } used;
} Slot;

typedef struct {
  Slot *free, slots[8];
} Pool;

static Slot *take(Pool *pool) {
  Slot *slot = pool->free;
  pool->free = slot->next;
  return slot;
}

static void give_back(Pool *pool, Slot *slot) {
  slot->next = pool->free;
  pool->free = slot;
}

static double f(const double *x, int n) {
  Pool pool = {0};
  Slot *held = NULL;
  double sum = 0;
  for (int i = 7; i >= 0; i--)
    give_back(&pool, &pool.slots[i]);
  for (int i = 0; i < n; i++) {
    Slot *slot = take(&pool);
    for (int k = 0; k < 3; k++)
      slot->used.number[k] = x[(i + k) % 2] * x[i % 2];
    slot->used.index = i;
    sum += slot->used.number[0] * slot->used.number[2] + slot->used.index * slot->used.number[1];
    if (i % 2) {
      give_back(&pool, slot);
      continue;
    }
    if (held) {
      sum *= held->used.number[1];
      give_back(&pool, held);
    }
    held = slot;
  }
  return sum;
}

int main(void) {
  double x[2] = {2, 3}, dx[2] = {0}, directions[2][2] = {{1, 0}, {0, 1}};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, 4);
  for (int i = 0; i < 2; i++)
    printf("%g %g\n", dx[i],
           __enzyme_fwddiff((void *)f, enzyme_dup, x, directions[i], enzyme_const, 4));
}
// CHECK: 840 840
// CHECK: 1060 1060
