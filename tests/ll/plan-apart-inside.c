// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A function that gets parts of one piece of memory has two versions, and tells by itself which of
 * them may run. */
// RUN: %clang -O2 -mllvm -nabla-print=plan -emit-llvm -S %s -o %t.ll 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=CODE < %t.ll
// RUN: %clang -O2 -mllvm -nabla-without=apart -emit-llvm -S %s -o - \
// RUN:   | FileCheck %s --check-prefix=OFF
void __enzyme_autodiff(void *, ...);
extern int enzyme_const, enzyme_dup;

/* The weights are kept in one version alone: the decision is kept beside that tape. */
static __attribute__((noinline)) void weighted(int n, const double *weights, double *state) {
  for (int i = 0; i < n; i++)
    state[i] *= 0.5 + weights[n - 1 - i];
}
// CHECK-LABEL: plan @weighted
// CHECK-COUNT-2: store double
// CHECK-LABEL: plan @weighted
// CHECK:         store double
// CHECK-NOT:     store double
// CHECK-LABEL: plan @once
// CHECK:         store { { {{.*}} }, i8 } a callee's tape in the function

/* Nothing is kept in either: the reverse asks again. */
static __attribute__((noinline)) void transposed(int n, const double *from, double *to) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      to[i * n + j] -= 0.5 * from[j * n + i];
}
// CHECK-LABEL: plan @twice
// CHECK-NOT:     a callee's tape

static double once(int n, double *room) {
  weighted(n, room, room + n);
  return room[0] + room[n];
}

static double twice(int n, double *room) {
  transposed(n, room, room + n * n);
  transposed(n, room + n * n, room);
  return room[0];
}
// CODE: define internal void @nabla.choice_reverse.weighted(
// CODE: define internal void @nabla.choice_augmented.weighted(
// CODE: define internal void @nabla.choice_reverse.transposed(
// OFF-NOT: nabla.choice

void use(int n, double *room, double *shadow) {
  __enzyme_autodiff((void *)once, enzyme_const, n, enzyme_dup, room, shadow);
  __enzyme_autodiff((void *)twice, enzyme_const, n, enzyme_dup, room, shadow);
}
