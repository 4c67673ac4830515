// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What stands for the parts of a caught exception stays while integers that carry two things are
 * taken apart, also where a landing uses one of them alone. */
// RUN: %clang -x c++ -w -O0 -S -emit-llvm %s -o - | FileCheck %s
#include <utility>
#include <vector>

extern int enzyme_dup, enzyme_const;
double __enzyme_fwddiff(void *, ...);

struct Layer {
  std::vector<double> height, speed;
  int steps = 0;
  double width{0.5};
};

struct Column {
  Layer now;
  std::vector<Layer> past;
};

template <typename T> T settle(Column &column, const T *x, int n) {
  column.now.steps = 6;
  Layer next = column.now;
  for (int k = 0; k < 5; k++) {
    next.speed[1] = column.now.speed[1] + next.width * column.now.height[0];
    std::swap(column.now, next);
    column.past.push_back(column.now);
  }
  Layer last = std::move(column.past.back());
  return last.height[0];
}

double settled(Column &column, const double *x, int n) { return settle<double>(column, x, n); }

// CHECK-LABEL: define {{.*}}tangent
// CHECK:         extractvalue { double, double }
double tangent(Column &column, Column &moved, const double *x, const double *d) {
  return __enzyme_fwddiff((void *)settled, enzyme_dup, &column, &moved, enzyme_dup, x, d,
                          enzyme_const, 4);
}
