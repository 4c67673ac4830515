// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Steppers of Boost's odeint, with states of fixed and of run-time size. */
// header: boost/numeric/odeint.hpp
// reals: double
#define NB_AT_ONCE
#include "cases.h"

#include <array>
#include <functional>
#include <vector>

#ifndef NB_SUBJECT
static inline real abs(const real &a) { return fabs(a); }
#endif

#include <boost/numeric/odeint/algebra/array_algebra.hpp>
#include <boost/numeric/odeint/algebra/range_algebra.hpp>
#include <boost/numeric/odeint/integrate/integrate_adaptive.hpp>
#include <boost/numeric/odeint/integrate/integrate_const.hpp>
#include <boost/numeric/odeint/stepper/euler.hpp>
#include <boost/numeric/odeint/stepper/generation.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta4.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>

namespace ode = boost::numeric::odeint;
using Pair = std::array<real, 2>;
using State = std::vector<real>;

/* A pendulum with friction: its parameters are active. */
struct Pendulum {
  real gravity, friction;
  template <class S> void operator()(const S &s, S &ds, const real &) const {
    ds[0] = s[1];
    ds[1] = -gravity * sin(s[0]) - friction * s[1];
  }
};

SUM(euler_of_array, 4, 0.5, 0.1, 2.0, 0.3) {
  ode::euler<Pair, real> stepper;
  Pair s = {x[0], x[1]};
  Pendulum p = {x[2], x[3]};
  for (int i = 0; i < 2 + n; i++)
    stepper.do_step(p, s, 0.1 * i, 0.1);
  return s[0] * s[1];
}

SUM(rk4_of_array, 4, 0.5, 0.1, 2.0, 0.3) {
  ode::runge_kutta4<Pair, real> stepper;
  Pair s = {x[0], x[1]};
  Pendulum p = {x[2], x[3]};
  for (int i = 0; i < 2 + n; i++)
    stepper.do_step(p, s, 0.1 * i, 0.1);
  return s[0] * s[1];
}

SUM(rk4_of_vector, 4, 0.5, 0.1, 2.0, 0.3) {
  ode::runge_kutta4<State, real> stepper;
  State s = {x[0], x[1]};
  Pendulum p = {x[2], x[3]};
  for (int i = 0; i < 2 + n; i++)
    stepper.do_step(p, s, 0.1 * i, 0.1);
  return s[0] * s[1];
}

SUM(dopri5_of_array, 4, 0.5, 0.1, 2.0, 0.3) {
  ode::runge_kutta_dopri5<Pair, real> stepper;
  Pair s = {x[0], x[1]};
  Pendulum p = {x[2], x[3]};
  for (int i = 0; i < 2 + n; i++)
    stepper.do_step(p, s, 0.1 * i, 0.1);
  return s[0] * s[1];
}

SUM(dopri5_of_vector, 4, 0.5, 0.1, 2.0, 0.3) {
  ode::runge_kutta_dopri5<State, real> stepper;
  State s = {x[0], x[1]};
  ode::integrate_const(std::ref(stepper), Pendulum{x[2], x[3]}, s, real(0), real(0.2 * n),
                       real(0.1));
  return s[0] * s[1];
}

SUM(constant_steps, 4, 0.5, 0.1, 2.0, 0.3) {
  Pair s = {x[0], x[1]};
  Pendulum p = {x[2], x[3]};
  ode::integrate_const(ode::runge_kutta4<Pair, real>(), p, s, real(0), real(0.2 * n), real(0.1));
  return s[0] * s[1];
}

SUM(observed, 4, 0.5, 0.1, 2.0, 0.3) {
  State s = {x[0], x[1]};
  Pendulum p = {x[2], x[3]};
  real sum = 0;
  auto add = [&](const State &at, const real &) { sum += at[0] * at[0]; };
  ode::runge_kutta4<State, real> stepper;
  ode::integrate_const(std::ref(stepper), p, s, real(0), real(0.2 * n), real(0.1), add);
  return sum;
}

SUM(controlled_array, 4, 0.5, 0.1, 2.0, 0.3) {
  Pair s = {x[0], x[1]};
  Pendulum p = {x[2], x[3]};
  auto stepper =
      ode::make_controlled(real(1e-6), real(1e-6), ode::runge_kutta_dopri5<Pair, real>());
  ode::integrate_adaptive(std::ref(stepper), p, s, real(0), real(0.5 * n), real(0.05));
  return s[0] * s[1];
}
