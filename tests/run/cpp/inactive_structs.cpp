// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Functions without derivative that take and return structs: by value, in registers and memory. */
// reals: double
// differences: none
// load: -fplugin
#include "cases.h"

#include <complex>
#include <string_view>
#include <utility>
#include <vector>

extern int enzyme_dup, enzyme_const;
extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);

struct Counts {
  int a, b;
};
struct Floats {
  float a, b, c;
};
struct Mixed {
  float a;
  int n;
};
struct Large {
  double v[4];
  int n;
};

[[enzyme::inactive]] NOINLINE static std::string_view name(double x) {
  return x > 1 ? "large" : "no";
}
__attribute__((annotate("enzyme_inactive"))) NOINLINE static std::complex<double> both(double x) {
  return {x * x, 2 * x};
}
static std::pair<double, int> pair_of(double x) { return {x * x, (int)(2 * x)}; }
void *__enzyme_inactivefn_pair = (void *)pair_of;
[[enzyme::inactive]] static Counts counts(Counts c, double x) { return {c.a + (int)x, c.b}; }
[[enzyme::inactive]] NOINLINE static Floats floats(Floats f) { return {f.c, 2, f.a}; }
[[enzyme::inactive]] NOINLINE static Mixed mixed(Mixed m) { return {3 * m.a, m.n + 1}; }
[[enzyme::inactive]] NOINLINE static Large large(Large l, double x) {
  l.v[0] = 3;
  l.v[1] = x;
  return l;
}
[[enzyme::inactive]] NOINLINE static std::vector<double> vector_of(double x) { return {x, 2, 3}; }
[[enzyme::inactive]] NOINLINE static double product(std::complex<double> z, std::string_view s) {
  return z.real() * z.imag() * s.size();
}

static double returned(double x, double y) {
  return name(x).size() * x + both(x).real() * y + both(y).imag() * x + pair_of(x).first * y +
         pair_of(x).second * x;
}
CHECK(small_results) {
  double x = 1.5, y = 0.5, dx = 5 + 2 * y + 3, dy = x * x + x * x;
  EXPECT(__enzyme_fwddiff((void *)returned, enzyme_dup, x, 1.0, enzyme_const, y), dx);
  EXPECT(__enzyme_fwddiff((void *)returned, enzyme_const, x, enzyme_dup, y, 1.0), dy);
  EXPECT(__enzyme_autodiff((void *)returned, x, enzyme_const, y), dx);
  EXPECT(__enzyme_autodiff((void *)returned, enzyme_const, x, y), dy);
}

static double taken(double x, double y) {
  Floats f = floats({(float)x, 1, (float)y});
  Mixed m = {(float)x, 2};
  double r = m.a * y;
  m = mixed(m);
  return r + product({x, y}, "ab") * x + counts({1, 2}, x).a * y + f.a * x + f.c * y +
         m.a * m.n * x;
}
CHECK(struct_arguments) {
  double x = 1.5, y = 0.5, dx = y + 2 * x * y + y + 4.5 * 3, dy = x + 2 + x;
  EXPECT(__enzyme_fwddiff((void *)taken, enzyme_dup, x, 1.0, enzyme_const, y), dx);
  EXPECT(__enzyme_fwddiff((void *)taken, enzyme_const, x, enzyme_dup, y, 1.0), dy);
  EXPECT(__enzyme_autodiff((void *)taken, x, enzyme_const, y), dx);
  EXPECT(__enzyme_autodiff((void *)taken, enzyme_const, x, y), dy);
}

/* What was there before has a derivative, what is returned there has none. */
static double overwritten(double x) {
  Large l = {{x, x * x, 2 * x, 1}, 1};
  double r = l.v[0] * l.v[1];
  for (int i = 0; i < 2; i++) {
    l = large(l, x);
    r += l.v[0] * l.v[1] * l.v[2] * x;
    l.v[2] = l.v[1] * x;
  }
  for (double v : vector_of(x))
    r += v * x;
  return r;
}
CHECK(results_in_memory) {
  double x = 1.5, dx = 3 * x * x + 3 * x * 2 * x + 3 * x * x * x + x + 5;
  EXPECT(__enzyme_fwddiff((void *)overwritten, x, 1.0), dx);
  EXPECT(__enzyme_autodiff((void *)overwritten, x), dx);
}
