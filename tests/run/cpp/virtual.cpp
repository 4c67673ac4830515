// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Virtual calls of objects that are made in the differentiated function. */
#define NB_AT_ONCE
#include "cases.h"

#include <memory>
#include <vector>

struct Shape {
  virtual ~Shape() = default;
  virtual real area() const = 0;
  virtual real twice() const { return area() + area(); }
};

struct Square : Shape {
  explicit Square(real side) : side(side) {}
  real area() const override { return side * side; }
  real side;
};

struct Disc : Shape {
  explicit Disc(real radius) : radius(radius) {}
  real area() const override { return real(3) * radius * radius; }
  real twice() const override { return real(6) * radius * radius; }
  real radius;
};

static NOINLINE real measured(const Shape &shape) { return shape.area() * shape.twice(); }

SCALAR2(virtual_on_the_stack, 1.5, 2.5) {
  Square square(x * y);
  Disc disc(y);
  return measured(square) + measured(disc) * x;
}

SUM(virtual_on_the_heap, 3, 1.0, 2.0, 3.0) {
  real r = 0;
  for (int i = 0; i < n; i++) {
    Shape *shape = i % 2 ? (Shape *)new Square(x[i]) : (Shape *)new Disc(x[i]);
    r += shape->area() * x[0];
    delete shape;
  }
  return r;
}

SUM(virtual_in_a_vector, 3, 1.0, 2.0, 3.0) {
  std::vector<std::unique_ptr<Shape>> shapes;
  for (int i = 0; i < n; i++) {
    if (i % 2)
      shapes.push_back(std::make_unique<Square>(x[i]));
    else
      shapes.push_back(std::make_unique<Disc>(x[i]));
  }
  real r = 1;
  for (const auto &shape : shapes)
    r *= shape->twice();
  return r;
}

/* --- Virtual bases. --- */

struct Base {
  real k;
  virtual real get() { return k; }
};

struct Doubled : virtual Base {
  real get() override { return real(2) * k; }
};

static NOINLINE real got(Base *base) { return base->get(); }

SCALAR2(virtual_base, 1.5, 2.5) {
  Doubled doubled;
  doubled.k = x * y;
  return got(&doubled) * x;
}
