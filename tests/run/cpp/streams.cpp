// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reals: double
/* What is printed through C++'s streams, and clocks: no derivative passes through. */
#include "cases.h"

#include <chrono>
#include <fstream>

static std::ofstream nowhere("/dev/null");
#ifdef NB_SUBJECT
/* Code elsewhere could change it: of what is called here that must be known not to. */
real kept;
#else
static real kept;
#endif

SUM(streams_are_written, 3, 0.5, -1.25, 2.0) {
  auto start = std::chrono::steady_clock::now();
  real sum = x[0];
  kept = x[0] * x[1];
  for (int i = 0; i < n; i++) {
    sum += x[i] * x[i];
    nowhere << "step " << i << ' ' << double(VALUE(sum)) << '\n';
    x[i] = sum * sum;
  }
  auto end = std::chrono::steady_clock::now();
  nowhere << (end - start).count() << '\n';
  nowhere.flush();
  return sum * x[1] + kept * kept;
}
