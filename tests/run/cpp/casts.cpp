// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What an object is, asked when the program runs: dynamic_cast and typeid. */
#define NB_AT_ONCE
#include "cases.h"

#include <memory>
#include <typeinfo>
#include <vector>

struct Shape {
  virtual ~Shape() {}
  virtual real area() const = 0;
};

struct Circle : Shape {
  real radius;
  explicit Circle(real r) : radius(r) {}
  real area() const override { return 3 * radius * radius; }
};

struct Box : Shape {
  real a, b;
  Box(real c, real d) : a(c), b(d) {}
  real area() const override { return a * b; }
};

SUM(casts_down, 4, 0.7, 1.3, -0.4, 2.1) {
  std::vector<std::unique_ptr<Shape>> shapes;
  shapes.push_back(std::make_unique<Circle>(x[0]));
  shapes.push_back(std::make_unique<Box>(x[1], x[2]));
  shapes.push_back(std::make_unique<Circle>(x[3]));
  real r = n;
  for (auto &shape : shapes) {
    if (auto *circle = dynamic_cast<Circle *>(shape.get()))
      r += circle->radius * circle->radius * circle->radius;
    else
      r += shape->area();
  }
  return r;
}

struct Part {
  real mass = 0;
  virtual ~Part() {}
};

struct Wheel : Part {
  real radius;
  explicit Wheel(real r) : radius(r) { mass = r * 2; }
};

struct Gear : Wheel {
  real teeth;
  explicit Gear(real r) : Wheel(r), teeth(r * r) {}
};

static NOINLINE real measure(const Part *part) {
  if (auto gear = dynamic_cast<const Gear *>(part))
    return gear->teeth * gear->radius;
  if (auto wheel = dynamic_cast<const Wheel *>(part))
    return wheel->radius + wheel->mass;
  return part->mass;
}

SUM(casts_of_levels, 3, 0.7, 1.3, -0.4) {
  Part part;
  part.mass = x[0];
  Wheel wheel(x[1]);
  Gear gear(x[2]);
  const Part *all[3] = {&part, &wheel, &gear};
  real r = n;
  for (auto one : all)
    r *= measure(one);
  return r;
}

struct Left {
  real a = 0;
  virtual ~Left() {}
};
struct Right {
  real b = 0;
  virtual ~Right() {}
};
struct Both : Left, Right {
  real c = 0;
};

static NOINLINE real across(Left *left) {
  Right *right = dynamic_cast<Right *>(left);
  return right ? right->b * left->a : left->a;
}

SUM(casts_across, 4, 0.7, 1.3, -0.4, 2.1) {
  Both both;
  both.a = x[0];
  both.b = x[1];
  both.c = x[2];
  Left left;
  left.a = x[3];
  return across(&both) + across(&left) * both.c + n;
}

SUM(casts_of_references, 3, 0.7, 1.3, -0.4) {
  Wheel wheel(x[0]);
  Gear gear(x[1]);
  real r = n;
  for (Part *part : {(Part *)&wheel, (Part *)&gear}) {
    r *= dynamic_cast<Wheel &>(*part).radius;
    r += typeid(*part) == typeid(Gear) ? static_cast<Gear *>(part)->teeth : x[2];
  }
  return r;
}
