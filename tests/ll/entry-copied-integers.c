// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Of a struct that is copied without a word of what it holds, its integers are said to be such, and
 * its padding and its numbers nothing; not where the struct holds integers alone, or where bytes of
 * a number are copied to such a member. */
// RUN: %clang -O1 -Xclang -disable-llvm-passes -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes=nabla-collect -S %t.ll | FileCheck %s
// RUN: %clang -O1 -fno-strict-aliasing -Xclang -disable-llvm-passes -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes=nabla-collect -S %t.ll | FileCheck --check-prefix=UNTOLD %s
#include <string.h>

double __enzyme_autodiff(void *, ...);

typedef struct {
  double number;
  int count;
} Item;

typedef struct {
  long first, second;
} Words;

typedef struct {
  double number;
  long bits;
} Punned;

// CHECK-LABEL: define {{.*}}@copy_item(
// CHECK: call void @llvm.memcpy{{.*}}, !tbaa.struct ![[ITEM:[0-9]+]]
// UNTOLD-NOT: tbaa.struct
static double copy_item(const void *from) {
  Item item;
  memcpy(&item, from, sizeof item);
  return item.number * item.count;
}

// CHECK-LABEL: define {{.*}}@copy_words(
// CHECK: call void @llvm.memcpy
// CHECK-NOT: tbaa.struct
static double copy_words(const void *from) {
  Words words;
  memcpy(&words, from, sizeof words);
  return (double)(words.first + words.second);
}

// CHECK-LABEL: define {{.*}}@copy_punned(
// CHECK: call void @llvm.memcpy
// CHECK-NOT: tbaa.struct
static double copy_punned(const void *from, double x) {
  Punned punned;
  memcpy(&punned, from, sizeof punned);
  memcpy(&punned.bits, &x, sizeof x);
  return punned.number;
}

static double sum(double x) {
  Item item = {x, 2};
  return copy_item(&item) + copy_words(&item) + copy_punned(&item, x);
}

// CHECK: {{^}}!
double slope(double x) { return __enzyme_autodiff((void *)sum, x); }

// CHECK-DAG: ![[ITEM]] = !{i64 0, i64 8, ![[BYTES:[0-9]+]], i64 8, i64 4, ![[INTEGER:[0-9]+]], i64
// CHECK-DAG: ![[INTEGER]] = !{![[TYPE:[0-9]+]], ![[TYPE]], i64 0}
// CHECK-DAG: ![[TYPE]] = !{!"integer", ![[ANY:[0-9]+]], i64 0}
