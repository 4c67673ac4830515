// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdlib>
#include <enzyme/enzyme>
#include <vector>

static double sum_of_squares(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i] * x[i];
  return sum;
}

int main() {
  std::vector<double> x{1, 2, 3}, slope(3);
  enzyme::autodiff<enzyme::Reverse>(sum_of_squares,
                                    enzyme::Duplicated<const double *>{x.data(), slope.data()},
                                    enzyme::Const<int>{3});
  return slope[2] == 6 ? EXIT_SUCCESS : EXIT_FAILURE;
}
