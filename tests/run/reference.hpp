// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The cases as the reference sees them: the same bodies over dual numbers; included by cases.h. */
#ifndef NB_RUN_REFERENCE_HPP
#define NB_RUN_REFERENCE_HPP

#include "dual.hpp"

typedef Dual<NB_REAL> real;
typedef Dual<float> single;
typedef Dual<double> wide;
typedef Dual<long double> extended;
typedef Dual<_Float16> half;
typedef Dual<__bf16> brain;
#define VALUE(x) ((x).value)
#define restrict __restrict

static inline extended fabsl(const extended &x) { return fabs(x); }
static inline extended sqrtl(const extended &x) { return sqrt(x); }
static inline extended sinl(const extended &x) { return sin(x); }
static inline extended expl(const extended &x) { return exp(x); }
static inline extended logl(const extended &x) { return log(x); }
static inline extended atan2l(const extended &y, const extended &x) { return atan2(y, x); }
static inline extended powl(const extended &x, const extended &y) { return pow(x, y); }
static inline extended hypotl(const extended &x, const extended &y) { return hypot(x, y); }

static inline void nb_join(int n, const NB_REAL *s, const NB_REAL *d, real *state) {
  for (int i = 0; i < n; i++)
    state[i] = real(s[i], d[i]);
}

static inline void nb_split(int n, const real *state, NB_REAL *s, NB_REAL *d) {
  for (int i = 0; i < n; i++) {
    s[i] = state[i].value;
    d[i] = state[i].tangent;
  }
}

#define NB_REFERENCE(name, kind, inputs, outputs, call)                                            \
  NB_SHAPE_##kind(name);                                                                           \
  extern "C" void name##_reference(int n, NB_REAL *s, NB_REAL *d) {                                \
    real x[(inputs) + (outputs)];                                                                  \
    (void)n;                                                                                       \
    nb_join((inputs) + (outputs), s, d, x);                                                        \
    call;                                                                                          \
    nb_split((inputs) + (outputs), x, s, d);                                                       \
  }                                                                                                \
  NB_SHAPE_##kind(name)

#define SCALAR1(name, ...) NB_REFERENCE(name, SCALAR1, 1, 1, x[1] = name(x[0]))
#define SCALAR2(name, ...) NB_REFERENCE(name, SCALAR2, 2, 1, x[2] = name(x[0], x[1]))
#define SCALAR3(name, ...) NB_REFERENCE(name, SCALAR3, 3, 1, x[3] = name(x[0], x[1], x[2]))
#define SUM(name, inputs, ...) NB_REFERENCE(name, SUM, inputs, 1, x[n] = name(n, x))
#define TWIN(name, inputs, ...) NB_REFERENCE(name, TWIN, inputs, 1, x[n] = name(n, x, x))
#define MAP(name, inputs, outputs, ...) NB_REFERENCE(name, MAP, inputs, outputs, name(n, x, x + n))
#define FIXED(name, inputs, outputs, ...)                                                          \
  NB_REFERENCE(name, FIXED, inputs, outputs, name(n, x, x + n))

#endif
