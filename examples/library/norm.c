// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mag.h"

void norm(double *restrict out, const double *restrict in, int n) {
  for (int i = 0; i < n; i++)
    out[i] = in[i] / mag(in, n);
}
