// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Loops whose states lie in vectors, which an exception would free, too. */
// load: -fplugin
// differences: none
// split: none
// lto: none
#include "cases.h"

#include <cmath>
#include <vector>

#ifdef NB_SUBJECT
#include <enzyme/checkpoint.h>
#include <enzyme/fixed_point.h>
#define SOLVE(step, at, bytes, ...)                                                                \
  __enzyme_fixed_point((void *)step, enzyme_fp_state, at, (int64_t)(bytes), enzyme_fp_reduction,   \
                       sizeof(real) == 4 ? 1e-15 : 1e-30, __VA_ARGS__)
#define REPEAT(step, count, ...)                                                                   \
  EnzymeCkptConfig config = {3, 0, nullptr, 0, nullptr};                                           \
  __enzyme_checkpoint_for((void *)step, 0, count, enzyme_scheme, &EnzymeCkptRevolve, &config,      \
                          __VA_ARGS__)
#else
template <typename Step, typename... Arguments>
static void solve(Step step, Arguments... arguments) {
  for (int64_t i = 0; step(i, arguments...); i++)
    ;
}
template <typename Step, typename... Arguments>
static void repeat(Step step, int64_t count, Arguments... arguments) {
  for (int64_t i = 0; i < count; i++)
    step(i, arguments...);
}
#define SOLVE(step, at, bytes, ...) solve(step, __VA_ARGS__)
#define REPEAT(step, count, ...) repeat(step, count, __VA_ARGS__)
#endif

NOINLINE static bool relax(int64_t i, real *u, const real *x, int n) {
  for (int k = 0; k < n; k++)
    u[k] = (real)0.25 * sin(u[k] + (real)0.5 * u[(k + 1) % n]) + x[k] * x[k];
  return i < 80;
}
NOINLINE static void grow(int64_t i, real *u, const real *x, int n) {
  for (int k = 0; k < n; k++)
    u[k] += (real)0.125 * sin(u[k] * x[k] + (real)0.5 * (real)(int)i);
}

MAP(to_a_fixed_point, 3, 1, 0.5, -1.0, 2.0) {
  std::vector<real> u(3, (real)0);
  SOLVE(relax, u.data(), 3 * sizeof(real), u.data(), x, n);
  y[0] = u[0] * u[1] + u[2];
}
MAP(with_parameters, 3, 1, 0.5, -1.0, 2.0) {
  std::vector<real> u(3, (real)0), p(3, (real)0.5);
  for (int k = 0; k < 3; k++)
    p[k] = x[k] * u[k] + x[k];
  SOLVE(relax, u.data(), 3 * sizeof(real), u.data(), p.data(), n);
  y[0] = u[0] * u[1] + u[2];
}
MAP(that_keeps_few_states, 3, 1, 0.5, -1.0, 2.0) {
  std::vector<real> u(3, x[1]);
  REPEAT(grow, 9, u.data(), x, n);
  y[0] = u[0] * u[1] + u[2];
}
