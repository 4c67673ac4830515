// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Dual numbers: the reference that owes nothing to the plugin. Arithmetic and the functions of
 * <math.h> carry a tangent along. Where a derivative is a matter of taste (the kink of fabs, a tie
 * in fmin) nb_reference_kinks counts it; where only -ffast-math may see it differently (a
 * comparison of equal numbers with different tangents; a root of zero in a power),
 * nb_reference_ties does.
 *
 * Where nb_reference_noise is not 0, what arithmetic yields is off by a random part of its last
 * place or two: the spread of several such runs says how far rounding may carry a result, and
 * whether it may turn a decision. */
#ifndef NB_RUN_DUAL_HPP
#define NB_RUN_DUAL_HPP

#include <limits>
#include <math.h>
#include <stdlib.h>
#include <type_traits>

extern "C" int nb_reference_kinks;
extern "C" int nb_reference_ties;
extern "C" unsigned nb_reference_noise;

template <class U> using NumbersOnly = std::enable_if_t<std::is_arithmetic<U>::value, int>;

template <class T> struct Dual {
  T value;
  T tangent;

  Dual() = default;
  Dual(T v) : value(v), tangent(0) {}
  Dual(T v, T t) : value(v), tangent(t) {}
  template <class U, std::enable_if_t<(sizeof(U) < sizeof(T)), int> = 0>
  Dual(const Dual<U> &o) : value(o.value), tangent(o.tangent) {}
  template <class U, std::enable_if_t<(sizeof(U) > sizeof(T)), int> = 0>
  explicit Dual(const Dual<U> &o) : value(noisy(T(o.value))), tangent(noisy(T(o.tangent))) {}

  static T noisy(T v) {
    if (!nb_reference_noise)
      return v;
    nb_reference_noise = (nb_reference_noise * 1664525u + 1013904223u) | 1u;
    T off = T(nb_reference_noise >> 16) / T(65536) - T(0.5);
    return v + v * off * 3 * std::numeric_limits<T>::epsilon();
  }
  static Dual rounded(T v, T t) { return Dual(noisy(v), noisy(t)); }

  explicit operator int() const { return (int)value; }
  explicit operator unsigned() const { return (unsigned)value; }
  explicit operator long() const { return (long)value; }
  explicit operator bool() const { return value != 0; }

  Dual &operator+=(const Dual &o) { return *this = *this + o; }
  Dual &operator-=(const Dual &o) { return *this = *this - o; }
  Dual &operator*=(const Dual &o) { return *this = *this * o; }
  Dual &operator/=(const Dual &o) { return *this = *this / o; }
  Dual &operator++() { return *this += Dual(1); }

  friend Dual operator+(const Dual &a) { return a; }
  friend Dual operator-(const Dual &a) { return Dual(-a.value, -a.tangent); }
  friend Dual operator+(const Dual &a, const Dual &b) {
    return rounded(a.value + b.value, a.tangent + b.tangent);
  }
  friend Dual operator-(const Dual &a, const Dual &b) {
    return rounded(a.value - b.value, a.tangent - b.tangent);
  }
  friend Dual operator*(const Dual &a, const Dual &b) {
    return rounded(a.value * b.value, a.tangent * b.value + a.value * b.tangent);
  }
  friend Dual operator/(const Dual &a, const Dual &b) {
    T q = a.value / b.value;
    return rounded(q, (a.tangent - q * b.tangent) / b.value);
  }

  static bool torn(const Dual &a, const Dual &b) {
    return a.value == b.value && a.tangent != b.tangent;
  }
  static const Dual &tied(const Dual &a, const Dual &b) {
    nb_reference_ties += torn(a, b);
    return b;
  }
  friend bool operator<(const Dual &a, const Dual &b) { return a.value < tied(a, b).value; }
  friend bool operator>(const Dual &a, const Dual &b) { return a.value > tied(a, b).value; }
  friend bool operator<=(const Dual &a, const Dual &b) { return a.value <= tied(a, b).value; }
  friend bool operator>=(const Dual &a, const Dual &b) { return a.value >= tied(a, b).value; }
  friend bool operator==(const Dual &a, const Dual &b) { return a.value == tied(a, b).value; }
  friend bool operator!=(const Dual &a, const Dual &b) { return a.value != tied(a, b).value; }

  /* C compares a float with a double as doubles: 0.2f is more than 0.2. */
  template <class U> T tied_to(U number) const {
    nb_reference_ties += value == number && tangent != 0;
    return value;
  }
  template <class U, NumbersOnly<U> = 0> friend bool operator<(const Dual &a, U b) {
    return a.tied_to(b) < b;
  }
  template <class U, NumbersOnly<U> = 0> friend bool operator>(const Dual &a, U b) {
    return a.tied_to(b) > b;
  }
  template <class U, NumbersOnly<U> = 0> friend bool operator<=(const Dual &a, U b) {
    return a.tied_to(b) <= b;
  }
  template <class U, NumbersOnly<U> = 0> friend bool operator>=(const Dual &a, U b) {
    return a.tied_to(b) >= b;
  }
  template <class U, NumbersOnly<U> = 0> friend bool operator==(const Dual &a, U b) {
    return a.tied_to(b) == b;
  }
  template <class U, NumbersOnly<U> = 0> friend bool operator!=(const Dual &a, U b) {
    return a.tied_to(b) != b;
  }
  friend bool operator!(const Dual &a) { return a.value == 0; }

  static const Dual &kink(const Dual &a, bool here) {
    nb_reference_kinks += here;
    return a;
  }
  static Dual chain(const Dual &a, T v, T slope) { return rounded(v, a.tangent * slope); }

  friend Dual fabs(const Dual &a) {
    return kink(a, a.value == 0 && a.tangent != 0).value < 0 ? -a : a;
  }
  friend Dual fmin(const Dual &a, const Dual &b) {
    return kink(a, torn(a, b)).value < b.value ? a : b;
  }
  friend Dual fmax(const Dual &a, const Dual &b) {
    return kink(a, torn(a, b)).value > b.value ? a : b;
  }
  friend Dual floor(const Dual &a) { return Dual(::floor(a.value)); }
  friend Dual ceil(const Dual &a) { return Dual(::ceil(a.value)); }
  friend Dual round(const Dual &a) { return Dual(::round(a.value)); }
  friend Dual fmod(const Dual &a, const Dual &b) {
    return rounded(::fmod(a.value, b.value), a.tangent - ::trunc(a.value / b.value) * b.tangent);
  }
  friend Dual copysign(const Dual &a, const Dual &b) {
    bool same = signbit(kink(a, a.value == 0).value) == signbit(b.value);
    return same ? a : -a;
  }

  friend Dual sqrt(const Dual &a) {
    T r = ::sqrt(kink(a, a.value == 0).value);
    return chain(a, r, T(0.5) / r);
  }
  friend Dual cbrt(const Dual &a) {
    T r = ::cbrt(kink(a, a.value == 0).value);
    return chain(a, r, 1 / (3 * r * r));
  }
  friend Dual exp(const Dual &a) { return chain(a, ::exp(a.value), ::exp(a.value)); }
  friend Dual expm1(const Dual &a) { return chain(a, ::expm1(a.value), ::exp(a.value)); }
  friend Dual log(const Dual &a) { return chain(a, ::log(a.value), 1 / a.value); }
  friend Dual log1p(const Dual &a) { return chain(a, ::log1p(a.value), 1 / (1 + a.value)); }
  friend Dual sin(const Dual &a) { return chain(a, ::sin(a.value), ::cos(a.value)); }
  friend Dual cos(const Dual &a) { return chain(a, ::cos(a.value), -::sin(a.value)); }
  friend Dual tan(const Dual &a) {
    T t = ::tan(a.value);
    return chain(a, t, 1 + t * t);
  }
  friend Dual atan(const Dual &a) { return chain(a, ::atan(a.value), 1 / (1 + a.value * a.value)); }
  friend Dual sinh(const Dual &a) { return chain(a, ::sinh(a.value), ::cosh(a.value)); }
  friend Dual cosh(const Dual &a) { return chain(a, ::cosh(a.value), ::sinh(a.value)); }
  friend Dual tanh(const Dual &a) {
    T t = ::tanh(a.value);
    return chain(a, t, (1 - t) * (1 + t));
  }
  friend Dual atan2(const Dual &a, const Dual &b) {
    T q = kink(a, a.value == 0 && b.value == 0).value * a.value + b.value * b.value;
    return rounded(::atan2(a.value, b.value), (a.tangent * b.value - a.value * b.tangent) / q);
  }
  friend Dual hypot(const Dual &a, const Dual &b) {
    T h = ::hypot(kink(a, a.value == 0 && b.value == 0).value, b.value);
    return rounded(h, (a.tangent * a.value + b.tangent * b.value) / h);
  }
  friend Dual fma(const Dual &a, const Dual &b, const Dual &c) { return a * b + c; }
  friend Dual pow(const Dual &a, const Dual &b) {
    T p = ::pow(kink(a, a.value == 0 && b.value < 1).value, b.value);
    nb_reference_ties += a.value == 0 && b.value != ::floor(b.value);
    T slope = b.value == 0 ? 0 : b.value * ::pow(a.value, b.value - 1);
    T log_part = a.value > 0 ? p * ::log(a.value) : 0;
    return rounded(p, slope * a.tangent + log_part * b.tangent);
  }
};

#endif
