// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The attribute of loops in templates, under its names in C++. */
// shows: enzyme::checkpoint; enzyme::checkpointing_enable
// load: -fplugin
// differences: none
// split: none
// lto: none
// llvm: 22
#include "cases.h"

#pragma clang diagnostic ignored "-Wunknown-attributes"

template <int Steps> static void go(real *x) {
  [[enzyme::checkpoint("revolve", 2)]] for (int i = 0; i < Steps; i++) {
    x[0] += (real)0.125 * sin(x[1]);
    x[1] *= x[0];
  }
}
MAP(in_a_template, 2, 1, 0.5, -1.0) {
  go<3>(x);
  go<6>(x);
  y[0] = x[0] * x[1];
}
MAP(over_a_range, 2, 1, 0.5, -1.0) {
  static const double weights[] = {0.5, -0.25, 1.5};
  [[enzyme::checkpointing_enable("binomial")]] for (double weight : weights) {
    x[0] += (real)weight * sin(x[1]);
    x[1] *= x[0];
  }
  y[0] = x[0] * x[1];
}
