// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What <nabla/nabla.hpp> asks for, the user's line asks for: each line has its own error. */
#include <enzyme/enzyme>

static double scaled(const double *x, int n) { return x[0] * n; }
static double square(double x) { return x * x; }

struct Functor {
  double k;
  double operator()(double x, int n) const { return k * x * n; }
};

double twice_in_a_function(double *x, double *dx) {
  enzyme::autodiff<enzyme::Reverse>(scaled, // error: [nabla: wrong-role]
                                    enzyme::Duplicated<const double *>(x, dx),
                                    enzyme::Active<int>(2));
  dx[0] += 1;

  enzyme::autodiff<enzyme::Reverse>(scaled, // error: [nabla: wrong-role]
                                    enzyme::Duplicated<const double *>(x, dx),
                                    enzyme::Active<int>(3));
  return dx[0];
}

double in_a_lambda(double x) {
  auto inner = [](double t) {
    auto most_inner = [t](double s) { return s * t; };
    return enzyme::get<0>(enzyme::autodiff<enzyme::Forward>(
        most_inner, enzyme::Active<double>(t))); // error-near: [nabla: wrong-role]
  };
  return inner(x);
}

double of_an_object(double x) {
  Functor f{x};
  auto d = enzyme::autodiff<enzyme::Reverse>(f, enzyme::Active<double>(x), // error-near: role
                                             enzyme::Active<int>(3));
  return enzyme::get<0>(enzyme::get<0>(d));
}

template <class T> static T of_a_template(T x) {
  return enzyme::get<0>(enzyme::autodiff<enzyme::Forward>(
      square, enzyme::Active<T>(x))); // error-near: [nabla: wrong-role]
}

double with_primal(double x) {
  auto d = enzyme::autodiff<enzyme::ReverseWithPrimal, enzyme::Duplicated<double>>(
      square, enzyme::Active<double>(x)); // error-near: [nabla: wrong-result]
  return of_a_template(x) + enzyme::get<1>(d);
}

/* A header of a library that asks itself. */
extern int enzyme_out;
template <class R, class... T> R __enzyme_autodiff(T...);
# 1 "/usr/include/library/gradient.hpp"
namespace library {
template <class F> __attribute__((noinline)) double slope_of(F *f, double x) {
  return __enzyme_autodiff<double>((void *)f, enzyme_out, x, enzyme_out, 3);
}
template <class F> __attribute__((noinline)) double slope(F *f, double x) {
  return slope_of(f, x) + 1;
}
} // namespace library
# 65 "header.cpp"
static double of_a_library(double x, int n) { return x * n; }
double first_caller(double x) {
  return library::slope(of_a_library, x); // error: gradient.hpp:3, to which this line leads
}
