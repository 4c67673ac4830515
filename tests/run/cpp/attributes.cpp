// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Attributes in C++: of templates, of members, of namespaces. */
// shows: attributes of C++; templates of entry points
// reals: double
// differences: none
// load: -fplugin
#include "cases.h"

template <class R, class... T> R __enzyme_autodiff(void *, T...);

template <class T> [[enzyme::inactive]] static T weight(T x) { return x * x; }
template <class T> [[enzyme::function_like("log")]] static T logarithm(T x) { return x; }

struct Scale {
  double factor;
  [[enzyme::inactive]] double of(double x) const { return factor * x; }
};

static double of_marked(double x) {
  Scale scale{3};
  return weight(x) * x + scale.of(x) * x + logarithm(x);
}

CHECK(marked_in_templates_and_classes) {
  EXPECT(__enzyme_autodiff<double>((void *)of_marked, 2.0), 4 + 6 + 0.5);
}

/* The parts of a derivative are functions of namespaces, classes and templates, with an address
 * operator or cast to a pointer, or without. */
namespace parts {
struct Kept {
  void *tape;
  double result;
};
static Kept augmented(double x) { return {nullptr, x * x}; }
template <class T> T reverse(T, T seed, void *) { return 9 * seed; }
template <class T> static T local_reverse(T, T seed, void *) { return 11 * seed; }
static double forward(double, double dx) { return 4 * dx; }
template <class T> struct Rule {
  static T forward(T, T dx) { return 5 * dx; }
  template <class U> static U of_both(U, T dx) { return 7 * dx; }
};
} // namespace parts

#define AUGMENTED __attribute__((enzyme("augment", parts::augmented)))
AUGMENTED
__attribute__((enzyme("gradient", parts::reverse<double>))) inline double first(double x) {
  return x * x;
}
AUGMENTED __attribute__((enzyme("gradient", &parts::reverse<double>))) inline double
second(double x) {
  return x * x;
}
AUGMENTED __attribute__((enzyme("gradient", (void *)parts::reverse<double>))) inline double
third(double x) {
  return x * x;
}
AUGMENTED __attribute__((enzyme("gradient", parts::local_reverse<double>))) inline double
fourth(double x) {
  return x * x;
}
static double of_parts(double x) { return first(x) + second(x) + third(x) + fourth(x); }

__attribute__((enzyme("derivative", (void *)&parts::forward))) static double fifth(double x) {
  return x * x;
}
__attribute__((enzyme("derivative", parts::Rule<double>::forward))) static double sixth(double x) {
  return x * x;
}
__attribute__((enzyme("derivative", parts::Rule<double>::of_both<double>))) static double
seventh(double x) {
  return x * x;
}
template <class T>
__attribute__((enzyme("derivative", parts::Rule<T>::forward))) static T eighth(T x) {
  return x * x;
}
static double of_forward_parts(double x) { return fifth(x) + sixth(x) + seventh(x) + eighth(x); }

template <class R, class... T> R __enzyme_fwddiff(void *, T...);

CHECK(parts_by_every_name) {
  EXPECT(__enzyme_autodiff<double>((void *)of_parts, 3.0), 38);
  EXPECT(__enzyme_fwddiff<double>((void *)of_forward_parts, 3.0, 1.0), 21);
}
