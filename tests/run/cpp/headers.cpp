// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Headers under the names that existing code includes. */
// shows: <enzyme/enzyme>; <enzyme/utils>; <enzyme/tuple>; <enzyme/type_traits>; <enzyme/mpfr>
// shows: <enzyme/fprt/mpfr.h>
// reals: double
// differences: none
// load: -fplugin
#include "cases.h"

#include <enzyme/enzyme>
#include <enzyme/fprt/mpfr.h>
#include <enzyme/mpfr>
#include <enzyme/tuple>
#include <enzyme/type_traits>
#include <enzyme/utils>

template <typename F> F *__enzyme_truncate_op_func(F *, int, int, int);
template <typename F> F *__enzyme_truncate_mem_func(F *, int, int, int);

static double third(double x) { return x / 3; }

CHECK(odd_formats) {
  volatile double one = 1;
  EXPECT(__enzyme_truncate_op_func(third, 64, 6, 9)(one), 0x1.558p-2);
  double in = __enzyme_truncate_mem_value_d(one + 0x1p-20, 64, 8, 10);
  double out = __enzyme_truncate_mem_func(third, 64, 8, 10)(in);
  EXPECT(__enzyme_expand_mem_value_d(out, 64, 8, 10), 0x1.554p-2);
  __enzyme_fprt_delete_all();
}

static double product(const double *x, int n) {
  double result = 1;
  for (int i = 0; i < n; i++)
    result *= x[i] * x[i] + i;
  return result;
}
static void gradient(const double *x, double *g, int n) {
  enzyme::autodiff<enzyme::Reverse>(product, enzyme::Duplicated<const double *>{x, g},
                                    enzyme::Const<int>{n});
}

CHECK(no_result) {
  double x[2] = {2, 3}, v[2] = {0, 1}, g[2] = {0, 0}, h[2] = {0, 0};
  enzyme::autodiff<enzyme::Forward, enzyme::Const<void>>(
      gradient, enzyme::Duplicated<const double *>{x, v}, enzyme::Duplicated<double *>{g, h},
      enzyme::Const<int>{2});
  EXPECT(h[0], 24);
  EXPECT(h[1], 8);
}
