// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The C++ interface. */
// shows: enzyme::autodiff; enzyme::Reverse; enzyme::ReverseWithPrimal; enzyme::Forward
// shows: enzyme::Active; enzyme::Duplicated; enzyme::DuplicatedNoNeed; enzyme::Const
// shows: enzyme::tuple; enzyme::get; enzyme::tuple_cat; enzyme::primal_call
// shows: the activity of the result; references; objects that can be called; lambdas
// reals: double
// differences: none
// load: -fplugin
#include "cases.h"
#include <enzyme/enzyme>
#include <enzyme/tuple>
#include <enzyme/utils>
#include <vector>

namespace {
double square(double x) { return x * x; }
double product(double x, double y) { return x * y; }
void scale(const double *x, double *y, double s, int n) {
  for (int i = 0; i < n; i++)
    y[i] = s * x[i];
}
double dot(const double &x, double &y) { return x * y; }
} // namespace

struct Pair {
  double x, y;
};
static double of_pair(Pair p) { return p.x * p.y; }
struct Times {
  double factor;
  double operator()(double x) const { return factor * x * x; }
};

CHECK(reverse_of_numbers) {
  enzyme::Active<double> x(3.1);
  enzyme::tuple<enzyme::tuple<double>> d = enzyme::autodiff<enzyme::Reverse>(square, x);
  EXPECT(enzyme::get<0>(enzyme::get<0>(d)), 6.2);
  auto e = enzyme::autodiff<enzyme::Reverse, enzyme::Active<double>>(square, x);
  EXPECT(enzyme::get<0>(enzyme::get<0>(e)), 6.2);
  auto y = enzyme::autodiff<enzyme::Reverse>(product, enzyme::Active(3.0), enzyme::Active(2.0));
  EXPECT(enzyme::get<0>(enzyme::get<0>(y)), 2);
  EXPECT(enzyme::get<1>(enzyme::get<0>(y)), 3);
  auto z = enzyme::autodiff<enzyme::Reverse>(product, enzyme::Const(3.0), enzyme::Active(2.0));
  EXPECT(enzyme::get<0>(enzyme::get<0>(z)), 3);
}

CHECK(reverse_with_primal) {
  auto [adjoints, value] = enzyme::autodiff<enzyme::ReverseWithPrimal>(product, enzyme::Active(3.0),
                                                                       enzyme::Active(2.0));
  EXPECT(enzyme::get<1>(adjoints), 3);
  EXPECT(value, 6);
}

CHECK(reverse_of_memory) {
  double x[2] = {1, 2}, dx[2] = {0, 0}, y[2], dy[2] = {10, 20};
  auto d = enzyme::autodiff<enzyme::Reverse>(scale, enzyme::Duplicated<const double *>(x, dx),
                                             enzyme::Duplicated<double *>(y, dy),
                                             enzyme::Active(3.0), enzyme::Const(2));
  EXPECT(enzyme::get<0>(enzyme::get<0>(d)), 50);
  EXPECT(dx[1], 60);
}

CHECK(reverse_of_references) {
  double x = 3, dx = 0, y = 5, dy = 0;
  enzyme::autodiff<enzyme::Reverse>(dot, enzyme::Duplicated<const double &>(x, dx),
                                    enzyme::Duplicated<double &>(y, dy));
  EXPECT(dx, 5);
  EXPECT(dy, 3);
}

CHECK(forward) {
  enzyme::tuple<double, double> both =
      enzyme::autodiff<enzyme::Forward, enzyme::Duplicated<double>>(
          square, enzyme::Duplicated<double>(3.1, 1.0));
  EXPECT(enzyme::get<0>(both), 3.1 * 3.1);
  EXPECT(enzyme::get<1>(both), 6.2);
  auto one = enzyme::autodiff<enzyme::Forward>(square, enzyme::Duplicated{3.1, 1.0});
  EXPECT(enzyme::get<0>(one), 6.2);
  auto same = enzyme::autodiff<enzyme::Forward, enzyme::DuplicatedNoNeed<double>>(
      product, enzyme::Duplicated(3.0, 1.0), enzyme::Const(4.0));
  EXPECT(enzyme::get<0>(same), 4);
}

/* A result without derivative is returned itself, by value or in memory. */
struct Powers {
  real first, second, third;
};
static Powers powers(real x) { return {x, x * x, x * x * x}; }
static int sign(real x, real *y) {
  *y = x * x;
  return x > 0 ? 1 : -1;
}
static real *filled(real *x) {
  x[1] = x[0] * x[0];
  return x + 1;
}

CHECK(forward_of_constant_results) {
  enzyme::tuple<double> value = enzyme::autodiff<enzyme::Forward, enzyme::Const<double>>(
      square, enzyme::Duplicated<double>(3.1, 1.0));
  EXPECT(enzyme::get<0>(value), 3.1 * 3.1);
  auto all = enzyme::autodiff<enzyme::Forward, enzyme::Const<Powers>>(
      powers, enzyme::Duplicated<real>(3, 1));
  EXPECT(enzyme::get<0>(all).first, 3);
  EXPECT(enzyme::get<0>(all).third, 27);
  real y = 0, dy = 0;
  enzyme::tuple<int> side = enzyme::autodiff<enzyme::Forward>(sign, enzyme::Duplicated<real>(-3, 1),
                                                              enzyme::Duplicated<real *>(&y, &dy));
  EXPECT(enzyme::get<0>(side), -1);
  EXPECT(dy, -6);
  real x[2] = {3, 0}, dx[2] = {1, 0};
  auto place = enzyme::autodiff<enzyme::Forward, enzyme::Const<real *>>(
      filled, enzyme::Duplicated<real *>(x, dx));
  EXPECT(enzyme::get<0>(place)[0], 9);
  enzyme::tuple<> nothing = enzyme::autodiff<enzyme::Forward, enzyme::Const<void>>(
      filled, enzyme::Duplicated<real *>(x, dx));
  (void)nothing;
  EXPECT(dx[1], 6);
}

CHECK(reverse_of_constant_results) {
  auto both = enzyme::autodiff<enzyme::ReverseWithPrimal, enzyme::Const<double>>(
      square, enzyme::Active<double>(3.0));
  EXPECT(enzyme::get<1>(both), 9);
  EXPECT(enzyme::get<0>(enzyme::get<0>(both)), 0);
}

CHECK(structs) {
  double d = enzyme::get<0>(
      enzyme::autodiff<enzyme::Forward>(of_pair, enzyme::Duplicated{Pair{2, 3}, Pair{70, 110}}));
  EXPECT(d, 2 * 110 + 3 * 70);
  auto a = enzyme::autodiff<enzyme::Reverse>(of_pair, enzyme::Active(Pair{2, 3}));
  EXPECT(enzyme::get<0>(enzyme::get<0>(a)).x, 3);
}

static double sum_of_squares(const std::vector<double> &x) {
  double sum = 0;
  for (double each : x)
    sum += each * each;
  return sum;
}
static std::vector<double> squares(const std::vector<double> &x) {
  std::vector<double> y(x.size());
  for (std::size_t i = 0; i < x.size(); i++)
    y[i] = x[i] * x[i];
  return y;
}

CHECK(vectors_as_arguments) {
  const std::vector<double> x{3, 4};
  std::vector<double> dx(2);
  enzyme::autodiff<enzyme::Reverse>(sum_of_squares,
                                    enzyme::Duplicated<const std::vector<double> &>{x, dx});
  EXPECT(dx[0], 6);
  EXPECT(dx[1], 8);
}

static void squares_into(const std::vector<double> &x, std::vector<double> &y) {
  for (std::size_t i = 0; i < x.size(); i++)
    y[i] = x[i] * x[i];
}

CHECK(vectors_that_are_not_needed) {
  std::vector<double> x{3, 4}, dx(2), y(2), dy{1, 10};
  enzyme::autodiff<enzyme::Reverse>(sum_of_squares,
                                    enzyme::DuplicatedNoNeed<const std::vector<double> &>{x, dx});
  EXPECT(dx[1], 8);
  enzyme::autodiff<enzyme::Reverse>(squares_into,
                                    enzyme::Duplicated<const std::vector<double> &>{x, dx},
                                    enzyme::DuplicatedNoNeed<std::vector<double> &>{y, dy});
  EXPECT(dx[1], 88);
}

CHECK(vectors_as_results) {
  using Vector = std::vector<double>;
  const Vector x{3, 4};
  const Vector dx{1, 2};
  auto tangent = enzyme::get<0>(enzyme::autodiff<enzyme::Forward, enzyme::DuplicatedNoNeed<Vector>>(
      squares, enzyme::Duplicated<const Vector &>(x, dx)));
  auto both = enzyme::autodiff<enzyme::Forward, enzyme::Duplicated<Vector>>(
      squares, enzyme::Duplicated<const Vector &>(x, dx));
  EXPECT(tangent[1], 16);
  EXPECT(enzyme::get<0>(both)[1], 16);
  EXPECT(enzyme::get<1>(both)[0], 6);
}

CHECK(objects_and_lambdas) {
  Times times{5};
  auto d = enzyme::autodiff<enzyme::Reverse>(times, enzyme::Active(3.0));
  EXPECT(enzyme::get<0>(enzyme::get<0>(d)), 30);
  double k = 7;
  auto lambda = [k](double x, const double &y) { return k * x * y; };
  double y = 2, dy = 0;
  auto e = enzyme::autodiff<enzyme::Reverse>(lambda, enzyme::Active(3.0),
                                             enzyme::Duplicated<const double &>(y, dy));
  EXPECT(enzyme::get<0>(enzyme::get<0>(e)), 14);
  EXPECT(dy, 21);
  auto f = enzyme::autodiff<enzyme::Forward>(
      +[](double x) { return x * x * x; }, enzyme::Duplicated(2.0, 1.0));
  EXPECT(enzyme::get<0>(f), 12);
}

CHECK(tuples) {
  enzyme::tuple<double, int> a{1.5, 2};
  auto all = enzyme::tuple_cat(a, enzyme::tuple<float>{3});
  EXPECT(enzyme::get<0>(all) + enzyme::get<1>(all) + enzyme::get<2>(all), 6.5);
  enzyme::get<1>(all) = 4;
  EXPECT(enzyme::get<1>(all), 4);
}

CHECK(called_without_a_derivative) {
  double x = 3, dx = 0, y = 5, dy = 0;
  EXPECT(enzyme::primal_call(square, enzyme::Active(3.0)), 9);
  EXPECT(enzyme::primal_call(Times{2}, enzyme::Const(3.0)), 18);
  EXPECT(enzyme::primal_call(dot, enzyme::Duplicated<const double &>(x, dx),
                             enzyme::Duplicated<double &>(y, dy)),
         15);
}
