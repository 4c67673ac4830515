// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Registrations that nothing mentions: static members of classes, and of templates that are
 * instantiated by themselves; inline and static variables. */
// shows: registrations that are static members of C++
// reals: double
// differences: none
// load: -fplugin
#include "cases.h"

extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);

template <class T> struct Power {
  static T of(T x) { return x * x; }
  static T tangent(T, T dx) { return 100 * dx; }
  static void *__enzyme_register_derivative_power[2];
};
template <class T>
void *Power<T>::__enzyme_register_derivative_power[2] = {(void *)Power<T>::of,
                                                         (void *)Power<T>::tangent};

/* Its value is given behind the place that makes the class. */
template <class T> struct Late {
  static T of(T x) { return x * x; }
  static void *__enzyme_inactivefn_late;
};
/* And of this one nowhere in this file. */
template <class T> struct Never {
  static T of(T x) { return x * x; }
  static void *__enzyme_inactivefn_never;
};

template <class T> struct Inline {
  static T of(T x) { return x * x; }
  static inline void *__enzyme_inactivefn_inline = (void *)of;
};

/* The user keeps it, which does not give it its value. */
template <class T> struct Kept {
  static T of(T x) { return x * x; }
  __attribute__((used)) static inline void *__enzyme_inactivefn_kept = (void *)of;
};

struct Weight {
  static double of(double x) { return x * x; }
  struct Inner {
    static inline void *__enzyme_inactivefn_weight = (void *)of;
  };
};

inline double shift(double x) { return x * x; }
namespace shifted {
inline void *__enzyme_inactivefn_shift = (void *)shift;
}

static double factor(double x) { return x * x; }
static void *__enzyme_inactivefn_factor = (void *)factor;

static double of_power(double x) { return Power<double>::of(x); }
static double of_inline(double x) { return x * Inline<double>::of(x); }
static double of_kept(double x) { return x * Kept<double>::of(x); }
static double of_weight(double x) { return x * Weight::of(x); }
static double of_shift(double x) { return x * shift(x); }
static double of_late(double x) { return x * Late<double>::of(x); }
static double of_never(double x) { return x * Never<double>::of(x); }
template <class T> void *Late<T>::__enzyme_inactivefn_late = (void *)Late<T>::of;
static double of_factor(double x) { return x * factor(x); }

CHECK(registrations_that_nothing_mentions) {
  EXPECT(__enzyme_fwddiff((void *)of_power, 1.5, 1.0), 100);
  EXPECT(__enzyme_autodiff((void *)of_inline, 1.5), 2.25);
  EXPECT(__enzyme_autodiff((void *)of_kept, 1.5), 2.25);
  EXPECT(__enzyme_autodiff((void *)of_weight, 1.5), 2.25);
  EXPECT(__enzyme_autodiff((void *)of_shift, 1.5), 2.25);
  EXPECT(__enzyme_autodiff((void *)of_factor, 1.5), 2.25);
  EXPECT(__enzyme_autodiff((void *)of_late, 1.5), 2.25);
  EXPECT(__enzyme_autodiff((void *)of_never, 1.5), 6.75);
}
