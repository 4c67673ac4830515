// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What random programs of containers hold. Each kind has a type, `make` (from a number and a
 * count), `value` and `scale`; all are templates over the number: a double, or a dual number, whose
 * float is itself. */
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <forward_list>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <queue>
#include <stack>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

struct Dual {
  double value, tangent;
  Dual(double v = 0, double t = 0) : value(v), tangent(t) {}
};
inline Dual operator+(Dual a, Dual b) { return {a.value + b.value, a.tangent + b.tangent}; }
inline Dual operator-(Dual a, Dual b) { return {a.value - b.value, a.tangent - b.tangent}; }
inline Dual operator*(Dual a, Dual b) {
  return {a.value * b.value, a.tangent * b.value + a.value * b.tangent};
}
inline Dual &operator+=(Dual &a, Dual b) { return a = a + b; }
inline Dual &operator*=(Dual &a, Dual b) { return a = a * b; }
inline bool operator<(Dual a, Dual b) { return a.value < b.value; }
inline bool operator>(Dual a, Dual b) { return a.value > b.value; }
inline Dual sin(Dual a) { return {std::sin(a.value), std::cos(a.value) * a.tangent}; }
using std::sin;

template <class R> struct FloatOf {
  using type = float;
};
template <> struct FloatOf<Dual> {
  using type = Dual;
};
template <class R> using Float = typename FloatOf<R>::type;

/* --- Numbers, alone and beside integers. ------------------------------------------------------ */

template <class R> struct Number {
  using E = R;
  static E make(R v, int) { return v; }
  static R value(const E &e) { return e; }
  static void scale(E &e, R s) { e *= s; }
};

template <class R> struct Short {
  using E = Float<R>;
  static E make(R v, int) { return E(v); }
  static R value(const E &e) { return e; }
  static void scale(E &e, R s) { e = E(e * s); }
};

template <class R> struct NumberCount {
  struct E {
    R number;
    int count;
  };
  static E make(R v, int k) { return {v, k}; }
  static R value(const E &e) { return e.number * R(double(e.count)); }
  static void scale(E &e, R s) {
    e.number *= s;
    e.count++;
  }
};

template <class R> struct ShortCount {
  struct E {
    Float<R> number;
    int count;
  };
  static E make(R v, int k) { return {Float<R>(v), k + 1}; }
  static R value(const E &e) { return R(e.number) * R(double(e.count)); }
  static void scale(E &e, R s) { e.number = Float<R>(e.number * s); }
};

template <class R> struct CountShort {
  struct E {
    int count;
    Float<R> number;
  };
  static E make(R v, int k) { return {k + 1, Float<R>(v)}; }
  static R value(const E &e) { return R(e.number) * R(double(e.count)); }
  static void scale(E &e, R s) { e.number = Float<R>(e.number * s); }
};

template <class R> struct ShortCountShort {
  struct E {
    Float<R> first;
    int count;
    Float<R> second;
  };
  static E make(R v, int k) { return {Float<R>(v), k, Float<R>(v * v)}; }
  static R value(const E &e) { return R(e.first) * R(double(e.count)) + R(e.second); }
  static void scale(E &e, R s) {
    e.second = Float<R>(e.second * s);
    std::swap(e.first, e.second);
  }
};

template <class R> struct CountNumbers {
  struct E {
    long count;
    R numbers[2];
  };
  static E make(R v, int k) { return {k, {v, sin(v)}}; }
  static R value(const E &e) { return e.numbers[e.count & 1] + e.numbers[0] * R(0.5); }
  static void scale(E &e, R s) {
    e.numbers[0] *= s;
    e.count++;
  }
};

template <class R> struct Pair {
  using E = std::pair<int, R>;
  static E make(R v, int k) { return {k, v}; }
  static R value(const E &e) { return e.second * R(double(e.first + 1)); }
  static void scale(E &e, R s) { e.second *= s; }
};

template <class R> struct Tuple {
  using E = std::tuple<char, Float<R>, R>;
  static E make(R v, int k) { return {char(k), Float<R>(v), v * v}; }
  static R value(const E &e) {
    return R(std::get<1>(e)) * R(double(std::get<0>(e))) + std::get<2>(e);
  }
  static void scale(E &e, R s) { std::get<2>(e) *= s; }
};

template <class R> struct Array {
  using E = std::array<Float<R>, 3>;
  static E make(R v, int k) {
    E e{};
    e[k % 3] = Float<R>(v);
    e[(k + 1) % 3] = Float<R>(v * v);
    return e;
  }
  static R value(const E &e) { return R(e[0]) + R(e[1]) * R(2.0) + R(e[2]) * R(3.0); }
  static void scale(E &e, R s) {
    std::rotate(e.begin(), e.begin() + 1, e.end());
    e[0] = Float<R>(e[0] * s);
  }
};

/* --- What may be one thing or another. -------------------------------------------------------- */

template <class R, class T> struct OptionalOf {
  using E = std::optional<T>;
  static E make(R v, int k) { return k % 3 == 2 ? E() : E(T(v)); }
  static R value(const E &e) { return R(e.value_or(T(0.25))); }
  static void scale(E &e, R s) { e = e ? T(*e * s) : T(s); }
};
template <class R> struct Optional : OptionalOf<R, R> {};
template <class R> struct OptionalShort : OptionalOf<R, Float<R>> {};

template <class R> struct NumberOrCount {
  using E = std::variant<R, int>;
  static E make(R v, int k) { return k % 2 ? E(v) : E(k); }
  static R value(const E &e) { return e.index() == 0 ? std::get<0>(e) : R(double(std::get<1>(e))); }
  static void scale(E &e, R s) {
    if (auto *number = std::get_if<0>(&e))
      *number *= s;
    else
      e = s;
  }
};

template <class R> struct OneOfThree {
  struct Both {
    R number;
    int count;
  };
  using E = std::variant<int, Float<R>, Both>;
  static E make(R v, int k) {
    if (k % 3 == 0)
      return E(k);
    return k % 3 == 1 ? E(Float<R>(v)) : E(Both{v, k});
  }
  static R value(const E &e) {
    if (e.index() < 2)
      return e.index() == 0 ? R(double(std::get<0>(e))) : R(std::get<1>(e));
    return std::get<2>(e).number * R(double(std::get<2>(e).count));
  }
  static void scale(E &e, R s) {
    if (e.index() == 2)
      std::get<2>(e).number *= s;
    else
      e = Float<R>(s);
  }
};

/* A dual number is of a class, for which C++ has no such unions. */
template <class R> struct Either {
  union type {
    R number;
    long count;
  };
};
template <> struct Either<Dual> {
  struct type {
    Dual number;
    long count;
  };
};

template <class R> struct Tagged {
  struct E {
    int tag;
    typename Either<R>::type either;
  };
  static E make(R v, int k) {
    E e;
    e.tag = k % 2;
    if (e.tag)
      e.either.number = v;
    else
      e.either.count = k;
    return e;
  }
  static R value(const E &e) { return e.tag ? e.either.number : R(double(e.either.count)); }
  static void scale(E &e, R s) {
    e.either.number = e.tag ? e.either.number * s : s;
    e.tag = 1;
  }
};

/* --- What owns memory. ------------------------------------------------------------------------ */

template <class R> struct Named {
  struct E {
    std::string name;
    R number;
    int count;
  };
  static E make(R v, int k) { return {std::string(k * 7, 'a'), v, k}; }
  static R value(const E &e) { return e.number * R(double(1 + e.name.size())); }
  static void scale(E &e, R s) {
    e.number *= s;
    e.name += "bc";
  }
};

template <class R> struct Owner {
  struct E {
    std::unique_ptr<R> number;
    int count = 0;
    E() = default;
    E(R v, int k) : number(new R(v)), count(k) {}
    E(E &&) = default;
    E &operator=(E &&) = default;
    E(const E &o) : number(o.number ? new R(*o.number) : nullptr), count(o.count) {}
    E &operator=(const E &o) { return *this = E(o); }
  };
  static E make(R v, int k) { return E(v, k); }
  static R value(const E &e) { return e.number ? *e.number * R(double(e.count + 1)) : R(1.0); }
  static void scale(E &e, R s) {
    if (e.number)
      *e.number *= s;
  }
};

template <class R> struct Sharer {
  using E = std::shared_ptr<R>;
  static E make(R v, int k) { return k % 4 == 3 ? E() : std::make_shared<R>(v); }
  static R value(const E &e) { return e ? *e : R(0.5); }
  static void scale(E &e, R s) {
    if (e)
      e = std::make_shared<R>(*e * s);
  }
};

template <class R> struct Vector {
  using E = std::vector<R>;
  static E make(R v, int k) {
    E e(k % 3 + 1, v);
    e.push_back(v * v);
    return e;
  }
  static R value(const E &e) { return std::accumulate(e.begin(), e.end(), R(0.0)); }
  static void scale(E &e, R s) {
    e.insert(e.begin(), s);
    for (auto &number : e)
      number *= s;
  }
};

template <class R> struct Shape {
  virtual ~Shape() = default;
  virtual R get() const = 0;
  virtual void scale(R s) = 0;
  virtual Shape *clone() const = 0;
};
template <class R> struct Line final : Shape<R> {
  R length;
  int count;
  Line(R v, int k) : length(v), count(k) {}
  R get() const override { return length * R(double(count + 1)); }
  void scale(R s) override { length *= s; }
  Shape<R> *clone() const override { return new Line(*this); }
};
template <class R> struct Square final : Shape<R> {
  int count;
  Float<R> side;
  Square(R v, int k) : count(k), side(v) {}
  R get() const override { return R(side) * R(side); }
  void scale(R s) override { side = Float<R>(side * s); }
  Shape<R> *clone() const override { return new Square(*this); }
};
template <class R> struct Virtual {
  struct E {
    Shape<R> *shape = nullptr;
    E() = default;
    explicit E(Shape<R> *s) : shape(s) {}
    E(const E &o) : shape(o.shape ? o.shape->clone() : nullptr) {}
    E(E &&o) noexcept : shape(o.shape) { o.shape = nullptr; }
    E &operator=(E o) {
      std::swap(shape, o.shape);
      return *this;
    }
    ~E() { delete shape; }
  };
  static E make(R v, int k) { return k % 2 ? E(new Line<R>(v, k)) : E(new Square<R>(v, k)); }
  static R value(const E &e) { return e.shape ? e.shape->get() : R(0.0); }
  static void scale(E &e, R s) {
    if (e.shape)
      e.shape->scale(s);
  }
};
