// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Attributes in the source, and the macros and headers that the plugin brings. */
// shows: GNU attributes; C23 attributes; enzyme("augment", f); enzyme("gradient", f)
// shows: enzyme("derivative", f); enzyme_function_like; enzyme_inactive
// shows: enzyme_inactive_noblock; enzyme_nofree; enzyme_shouldrecompute
// shows: enzyme_elementwise_read; enzyme_notypeanalysis; enzyme::function_like
// shows: enzyme::inactive; enzyme::inactive_noblock; enzyme::nofree; enzyme::shouldrecompute
// shows: enzyme::elementwise_read; enzyme::notypeanalysis; enzyme_no_escaping_allocation
// shows: enzyme::no_escaping_allocation
// shows: ENZYME_VERSION_MAJOR; ENZYME_VERSION_MINOR; ENZYME_VERSION_PATCH
// reals: double
// differences: none
// load: -fplugin
#include "cases.h"
#include <nabla/version.h>

#if ENZYME_VERSION_MAJOR != 0 || !defined(ENZYME_VERSION_MINOR) || !defined(ENZYME_VERSION_PATCH)
#error "the macros are missing"
#endif

extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);

/* --- Functions without derivative, and like others --- */

__attribute__((enzyme_inactive)) static double weight(double x) { return x * x; }
[[enzyme::inactive]] double exported(double x) { return x * x; }
[[enzyme_inactive_noblock]] static double inlined(double x) { return x * x; }
[[enzyme::function_like("log")]] static double logarithm(double x) { return x; }
[[enzyme::nofree, enzyme::shouldrecompute]] static double plain(double x) { return x * x; }
[[enzyme::inactive_noblock]] static double spelt_inlined(double x) { return x * x; }
__attribute__((enzyme_inactive_noblock)) static double gnu_inlined(double x) { return x * x; }
__attribute__((enzyme_function_like("log"))) static double gnu_logarithm(double x) { return x; }
__attribute__((enzyme_nofree, enzyme_shouldrecompute, enzyme_elementwise_read,
               enzyme_notypeanalysis, enzyme_no_escaping_allocation)) static double
gnu_plain(double x) {
  return x * x;
}
[[enzyme::elementwise_read, enzyme::notypeanalysis, enzyme::no_escaping_allocation]] static double
spelt_plain(double x) {
  return x * x;
}
__attribute__((annotate("enzyme_inactive"))) static double annotated(double x) { return x * x; }

static double of_marked(double x) {
  return (weight(x) + exported(x) + inlined(x) + annotated(x)) * x + logarithm(x) + plain(x);
}

static double of_more(double x) {
  return (spelt_inlined(x) + gnu_inlined(x)) * x + gnu_logarithm(x) + gnu_plain(x) + spelt_plain(x);
}

CHECK(marked_in_other_spellings) {
  EXPECT(__enzyme_autodiff((void *)of_more, 2.0), 8 + 0.5 + 4 + 4);
  EXPECT(__enzyme_fwddiff((void *)of_more, 2.0, 1.0), 8 + 0.5 + 4 + 4);
}

CHECK(marked_functions) {
  EXPECT(__enzyme_autodiff((void *)of_marked, 2.0), 16 + 0.5 + 4);
  EXPECT(__enzyme_fwddiff((void *)of_marked, 2.0, 1.0), 16 + 0.5 + 4);
}

/* --- Derivatives of the user's --- */

static double square_augmented(double x) { return x * x; }
static double square_reverse(double x, double seed) { return 100 * seed; }
static double square_forward(double x, double dx);
__attribute__((enzyme("augment", square_augmented), enzyme("gradient", square_reverse),
               enzyme("derivative", square_forward))) static double
square(double x) {
  return x * x;
}
static double square_forward(double x, double dx) { return 10 * dx; }
static double of_square(double x) { return 3 * square(x); }

CHECK(own_derivatives) {
  EXPECT(__enzyme_autodiff((void *)of_square, 2.0), 300);
  EXPECT(__enzyme_fwddiff((void *)of_square, 2.0, 1.0), 30);
}

/* --- Globals --- */

__attribute__((enzyme_inactive)) static double state = 1;
NOINLINE static void keep(double x) { state = x; }
NOINLINE static double kept(void) { return state; }
static double through_state(double x) {
  keep(x);
  return kept() * x;
}

CHECK(globals) { EXPECT(__enzyme_autodiff((void *)through_state, 3.0), 3); }
