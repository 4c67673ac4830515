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
