// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What the optimiser moved out of a loop stays out of it: the gradient of the example is linear,
 * since no loop stands in another one. */
// RUN: %clang -O2 -fno-vectorize -fno-unroll-loops -S -emit-llvm %s -o - | FileCheck %s
#include "../../examples/norm.c"
// Each of the two sweeps has the call before or behind its one loop.
// CHECK-LABEL: define internal void @nabla.combined.norm(
// CHECK:         {{^ .*}}call {{.*}}@nabla.augmented.mag(
// CHECK:         = phi i64
// CHECK-NOT:     call {{.*}}@nabla.{{augmented|reverse}}.mag(
// CHECK:         = phi i64
// CHECK-NOT:     call {{.*}}@nabla.augmented.mag(
// CHECK:         call {{.*}}@nabla.reverse.mag(
// CHECK-NOT:     = phi
// CHECK:         ret void
