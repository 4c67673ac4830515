// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* So does a file with virtual calls, of which clang is asked to say more. */
// RUN: clang -x c++ -O0 -S -emit-llvm %s -o %t.0
// RUN: %clang -x c++ -O0 -S -emit-llvm %s -o %t.plugin.0 && cmp %t.0 %t.plugin.0
// RUN: clang -x c++ -O2 -S -emit-llvm %s -o %t.1
// RUN: %clang -x c++ -O2 -S -emit-llvm %s -o %t.plugin.1 && cmp %t.1 %t.plugin.1
// RUN: clang -x c++ -O2 -c %s -o %t.2
// RUN: %clang -x c++ -O2 -c %s -o %t.plugin.2 && cmp %t.2 %t.plugin.2
struct Shape {
  virtual ~Shape() = default;
  virtual double area(double) const = 0;
};

struct Square : Shape {
  double side;
  explicit Square(double side) : side(side) {}
  double area(double scale) const override { return scale * side * side; }
};

double measured(const Shape &shape, double scale) { return shape.area(scale); }
Shape *made(double side) { return new Square(side); }
void dropped(Shape *shape) { delete shape; }
