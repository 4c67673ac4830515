// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Smart pointers that the caller keeps from one call to the next. */
// differences: none
#include "cases.h"

#include <memory>

struct Shape {
  virtual ~Shape() = default;
  virtual real area() const = 0;
};

struct Square final : Shape {
  explicit Square(real side) : side(side) {}
  real area() const override { return side * side; }
  real side;
};

struct Disc final : Shape {
  explicit Disc(real radius) : radius(radius) {}
  real area() const override { return real(3) * radius * radius; }
  real radius;
};

/* The caller's pointer leads into the middle of what the function allocates. */
struct Holder {
  std::shared_ptr<Shape> shape;
};

static real held(Holder &holder, real x) {
  real r = 0;
  for (int i = 0; i < 4; i++) {
    if (i % 2)
      holder.shape = std::make_shared<Square>(x);
    else if (!holder.shape)
      holder.shape = std::make_shared<Disc>(x);
    r += holder.shape->area() + x;
  }
  return r;
}

template <class R, class... T> R __enzyme_autodiff(real (*)(Holder &, real), T...);
template <class R, class... T> R __enzyme_fwddiff(real (*)(Holder &, real), T...);

CHECK(shared_with_the_caller) {
  Holder holder, shadow;
  EXPECT(__enzyme_autodiff<real>(held, enzyme_dup, &holder, &shadow, enzyme_out, real(2)), 28);
  Holder again, tangent;
  real slope =
      __enzyme_fwddiff<real>(held, enzyme_dup, &again, &tangent, enzyme_dup, real(2), real(1));
  EXPECT(slope, 28);
}
