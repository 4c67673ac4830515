// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* References, classes, templates, lambdas, and memory of new and delete. */
#include "cases.h"

template <class T> static T twice(const T &x) { return x + x; }

template <class T, class... Rest> static T sum_of(T first, Rest... rest) {
  if constexpr (sizeof...(rest) == 0)
    return first;
  else
    return first + sum_of<T>(rest...);
}

SCALAR2(references, 1.5, -0.5) {
  real sum = x;
  real &alias = sum;
  const real &other = y;
  alias += other * other;
  real &&temporary = x * other;
  temporary += alias;
  return sum * twice(temporary) + sum_of(x, y, x * y);
}

static void swap_them(real &a, real &b) {
  real t = a;
  a = b;
  b = t;
}

static real &larger(real &a, real &b) { return a < b ? b : a; }

SCALAR2(references_as_results, 1.5, -0.5, -1.0, 2.0) {
  real a = x * y, b = x + y;
  swap_them(a, b);
  larger(a, b) *= x;
  return a - 2 * b;
}

template <class T> class Vec3 {
public:
  Vec3(T a, T b, T c) : a(a), b(b), c(c) {}
  Vec3(const Vec3 &o) : a(o.a), b(o.b), c(o.c) {}
  Vec3 &operator+=(const Vec3 &o) {
    a += o.a;
    b += o.b;
    c += o.c;
    return *this;
  }
  friend Vec3 operator+(Vec3 l, const Vec3 &r) { return l += r; }
  friend Vec3 operator*(const T &s, const Vec3 &v) { return Vec3(s * v.a, s * v.b, s * v.c); }
  T dot(const Vec3 &o) const { return a * o.a + b * o.b + c * o.c; }
  Vec3 cross(const Vec3 &o) const {
    return Vec3(b * o.c - c * o.b, c * o.a - a * o.c, a * o.b - b * o.a);
  }

private:
  T a, b, c;
};

SCALAR3(class_with_operators, 1.0, 2.0, -0.5) {
  Vec3<real> u(x, y, z), v(z, x, y);
  Vec3<real> w = u.cross(v) + x * u;
  w += y * v;
  return w.dot(u + v);
}

SUM(lambdas, 3, 1.0, 2.0, 3.0) {
  real sum = 0;
  auto add = [&sum](const real &v) { sum += v * v; };
  auto scaled = [s = x[0]](auto v) { return s * v; };
  for (int i = 0; i < n; i++)
    add(scaled(x[i]));
  return sum;
}

template <class F> static NOINLINE real applied(int n, const real *x, F &&f) {
  real r = 1;
  for (int i = 0; i < n; i++)
    r = f(r, x[i]);
  return r;
}

SUM(lambda_as_argument, 3, 1.0, 2.0, 3.0) {
  real weight = x[0] * x[1];
  return applied(n, x, [&](real a, real b) { return a * weight + sin(b); });
}

struct Counted {
  Counted(real &log, real v) : log(log), v(v) { log += v; }
  ~Counted() { log *= v; }
  real &log;
  real v;
};

SUM(destructors, 3, 1.0, 2.0, 3.0) {
  real log = 0;
  {
    Counted first(log, x[0]);
    for (int i = 1; i < n; i++)
      Counted inner(log, x[i] * x[i]);
  }
  return log;
}

struct Cell {
  explicit Cell(real v) : value(v), next(nullptr) {}
  real value;
  Cell *next;
};

SUM(new_and_delete, 4, 1.0, 2.0, 3.0, 4.0) {
  Cell *head = nullptr;
  for (int i = 0; i < n; i++) {
    Cell *cell = new Cell(x[i] * x[i]);
    cell->next = head;
    head = cell;
  }
  real r = 1;
  while (head) {
    Cell *next = head->next;
    r = r * head->value + x[0];
    delete head;
    head = next;
  }
  return r;
}

SUM(new_array, 4, 1.0, 2.0, 3.0, 4.0) {
  real *squares = new real[(unsigned)n];
  for (int i = 0; i < n; i++)
    squares[i] = x[i] * x[i];
  real r = 0;
  for (int i = 0; i < n; i++)
    r = r * 0.5 + squares[i] * squares[n - 1 - i];
  delete[] squares;
  return r;
}

SUM(new_zeroed, 4, 1.0, 2.0, 3.0, 4.0) {
  real *sums = new real[(unsigned)n]();
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      sums[j] += x[i] * x[j];
  real r = 1;
  for (int i = 0; i < n; i++)
    r *= sums[i];
  delete[] sums;
  return r;
}

class Owner {
public:
  explicit Owner(int n) : n(n), values(new real[(unsigned)n]) {}
  Owner(const Owner &) = delete;
  ~Owner() { delete[] values; }
  real &operator[](int i) { return values[i]; }
  int size() const { return n; }

private:
  int n;
  real *values;
};

SUM(owner_of_memory, 4, 1.0, 2.0, 3.0, 4.0) {
  Owner a(n);
  for (int i = 0; i < a.size(); i++)
    a[i] = sin(x[i]) * x[0];
  real r = 0;
  for (int i = 0; i < a.size(); i++)
    r += a[i] * a[i];
  return r;
}
