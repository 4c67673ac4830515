// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Programs as they are written: classes, expressions, graphs, interpreters. */
// reals: double
#define NB_AT_ONCE
#include "cases.h"
#include <algorithm>
#include <array>
#include <complex>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

/* A matrix with operators that moves. */
class Mat {
  int r_, c_;
  real *d_;

public:
  Mat(int r, int c) : r_(r), c_(c), d_(new real[r * c]()) {}
  Mat(const Mat &o) : r_(o.r_), c_(o.c_), d_(new real[o.r_ * o.c_]) {
    std::copy(o.d_, o.d_ + r_ * c_, d_);
  }
  Mat(Mat &&o) noexcept : r_(o.r_), c_(o.c_), d_(o.d_) { o.d_ = nullptr; }
  Mat &operator=(Mat o) {
    std::swap(r_, o.r_);
    std::swap(c_, o.c_);
    std::swap(d_, o.d_);
    return *this;
  }
  ~Mat() { delete[] d_; }
  real &operator()(int i, int j) { return d_[i * c_ + j]; }
  const real &operator()(int i, int j) const { return d_[i * c_ + j]; }
  friend Mat operator*(const Mat &a, const Mat &b) {
    Mat p(a.r_, b.c_);
    for (int i = 0; i < a.r_; i++)
      for (int j = 0; j < b.c_; j++)
        for (int k = 0; k < a.c_; k++)
          p(i, j) += a(i, k) * b(k, j);
    return p;
  }
  friend Mat operator+(Mat a, const Mat &b) {
    for (int i = 0; i < a.r_ * a.c_; i++)
      a.d_[i] += b.d_[i];
    return a;
  }
};
SUM(matrix_class, 4, 1.0, 2.0, 0.5, 0.3) {
  Mat a(2, 2), s(2, 2);
  for (int i = 0; i < 4; i++)
    a(i / 2, i % 2) = x[i % n];
  Mat p = a;
  for (int k = 0; k < 4; k++) {
    s = s + p;
    p = p * a;
  }
  return s(0, 0) * s(1, 1) - s(0, 1);
}
/* Expressions whose types say how they are computed. */
template <class D> struct Expr {
  real at(int i) const { return static_cast<const D &>(*this).get(i); }
};
struct Vec : Expr<Vec> {
  const real *p;
  explicit Vec(const real *q) : p(q) {}
  real get(int i) const { return p[i]; }
};
template <class A, class B> struct Sum2 : Expr<Sum2<A, B>> {
  const A a;
  const B b;
  Sum2(const A &l, const B &r) : a(l), b(r) {}
  real get(int i) const { return a.at(i) + b.at(i); }
};
template <class A, class B> struct Prod2 : Expr<Prod2<A, B>> {
  const A a;
  const B b;
  Prod2(const A &l, const B &r) : a(l), b(r) {}
  real get(int i) const { return a.at(i) * b.at(i); }
};
template <class A, class B> Sum2<A, B> operator+(const Expr<A> &a, const Expr<B> &b) {
  return {static_cast<const A &>(a), static_cast<const B &>(b)};
}
template <class A, class B> Prod2<A, B> operator*(const Expr<A> &a, const Expr<B> &b) {
  return {static_cast<const A &>(a), static_cast<const B &>(b)};
}
SUM(expression_templates, 4, 1.0, 2.0, 0.5, 0.3) {
  Vec v(x);
  auto e = (v + v * v) * v;
  real r = 0;
  for (int i = 0; i < n; i++)
    r = r * 0.5 + e.at(i);
  return r;
}
/* Visitors of virtual nodes. */
struct Num;
struct Add;
struct Mul;
struct Visitor {
  virtual void visit(const Num &) = 0;
  virtual void visit(const Add &) = 0;
  virtual void visit(const Mul &) = 0;
  virtual ~Visitor() = default;
};
struct Node {
  virtual void accept(Visitor &v) const = 0;
  virtual ~Node() = default;
};
struct Num : Node {
  real v;
  explicit Num(real a) : v(a) {}
  void accept(Visitor &w) const override { w.visit(*this); }
};
struct Add : Node {
  std::unique_ptr<Node> l, r;
  Add(std::unique_ptr<Node> a, std::unique_ptr<Node> b) : l(std::move(a)), r(std::move(b)) {}
  void accept(Visitor &w) const override { w.visit(*this); }
};
struct Mul : Node {
  std::unique_ptr<Node> l, r;
  Mul(std::unique_ptr<Node> a, std::unique_ptr<Node> b) : l(std::move(a)), r(std::move(b)) {}
  void accept(Visitor &w) const override { w.visit(*this); }
};
struct Eval : Visitor {
  real out = 0;
  void visit(const Num &a) override { out = a.v; }
  void visit(const Add &a) override {
    a.l->accept(*this);
    real t = out;
    a.r->accept(*this);
    out = t + out;
  }
  void visit(const Mul &a) override {
    a.l->accept(*this);
    real t = out;
    a.r->accept(*this);
    out = t * out;
  }
};
SUM(visitor, 3, 1.0, 2.0, 0.5) {
  auto num = [](real v) { return std::make_unique<Num>(v); };
  std::unique_ptr<Node> t = std::make_unique<Mul>(std::make_unique<Add>(num(x[0]), num(x[1])),
                                                  std::make_unique<Mul>(num(x[1]), num(x[2])));
  Eval e;
  t->accept(e);
  return e.out * x[0];
}
/* A list of its own, with iterators. */
struct Chain {
  struct Link {
    real v;
    Link *next;
  } *head = nullptr;
  ~Chain() {
    while (head) {
      Link *n = head->next;
      delete head;
      head = n;
    }
  }
  void push(real v) { head = new Link{v, head}; }
  struct Iter {
    Link *at;
    real &operator*() const { return at->v; }
    Iter &operator++() {
      at = at->next;
      return *this;
    }
    bool operator!=(const Iter &o) const { return at != o.at; }
  };
  Iter begin() { return {head}; }
  Iter end() { return {nullptr}; }
};
SUM(own_list, 4, 1.0, 2.0, 0.5, 0.3) {
  Chain c;
  for (int i = 0; i < n; i++)
    c.push(x[i] * x[0]);
  for (real &v : c)
    v *= v;
  real r = 0;
  for (real &v : c)
    r = r * 0.5 + v;
  return r;
}
/* Shortest paths. */
SUM(dijkstra, 6, 1.0, 2.0, 0.5, 0.3, 1.7, 0.9) {
  std::vector<std::vector<std::pair<int, real>>> g(4);
  g[0].push_back({1, x[0]});
  g[0].push_back({2, x[1] * x[1]});
  g[1].push_back({2, x[2] * x[0]});
  g[1].push_back({3, x[3] + 3});
  g[2].push_back({3, x[4] * x[5]});
  std::vector<real> dist(4, real(1e9));
  dist[0] = 0;
  std::vector<bool> done(4, false);
  for (int k = 0; k < 4; k++) {
    int u = -1;
    for (int i = 0; i < 4; i++)
      if (!done[i] && (u < 0 || dist[i] < dist[u]))
        u = i;
    done[u] = true;
    for (auto &e : g[u])
      if (dist[u] + e.second < dist[e.first])
        dist[e.first] = dist[u] + e.second;
  }
  return dist[3] * dist[2];
}
SUM(map_of_pairs, 4, 1.0, 2.0, 0.5, 0.3) {
  std::map<std::pair<int, int>, real> memo;
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      memo[{i, j}] = j == 0 ? x[i] : memo[{i, j - 1}] * x[j] + 1;
  real r = 0;
  for (auto &[k, v] : memo)
    r = r * 0.5 + v * (real)(k.first + k.second);
  return r;
}
SUM(set_of_structs, 4, 3.0, 1.0, 4.0, 2.0) {
  struct P {
    real key;
    int id;
    bool operator<(const P &o) const { return key < o.key; }
  };
  std::set<P> s;
  for (int i = 0; i < n; i++)
    s.insert(P{x[i], i});
  real r = 0;
  for (auto &p : s)
    r = r * 0.5 + p.key * p.key * (real)p.id;
  return r;
}
SUM(vector_of_optional, 4, 3.0, 1.0, 4.0, 2.0) {
  std::vector<std::optional<real>> v(n);
  for (int i = 0; i < n; i++)
    if (i % 2)
      v[i] = x[i] * x[0];
  real r = 1;
  for (auto &o : v)
    r = r * 0.5 + o.value_or(x[2]);
  v[1].reset();
  return r + (v[1] ? *v[1] : x[1]);
}
SUM(array_of_functions, 3, 1.0, 2.0, 0.5) {
  std::array<std::function<real(real)>, 2> fs;
  fs[0] = [](real v) { return v * v; };
  fs[1] = [](real v) { return v + 1; };
  real r = 0;
  for (int i = 0; i < n; i++)
    r += fs[i % 2](x[i]);
  return r;
}
SUM(member_pointers, 3, 1.0, 2.0, 0.5) {
  struct S {
    real a, b;
    real f(real v) const { return a * v; }
    real g(real v) const { return b + v; }
  };
  S s{x[0], x[1]};
  real (S::*m)(real) const = n > 2 ? &S::f : &S::g;
  real S::*d = n > 5 ? &S::a : &S::b;
  return (s.*m)(x[2]) * s.*d;
}
SUM(tokenizer, 2, 1.5, 2.5) {
  std::string program = "x y * x + 2 *";
  std::istringstream in(program);
  std::string token;
  std::vector<real> stack;
  while (in >> token) {
    if (token == "x")
      stack.push_back(x[0]);
    else if (token == "y")
      stack.push_back(x[1]);
    else if (token == "2")
      stack.push_back(real(2));
    else {
      real b = stack.back();
      stack.pop_back();
      real a = stack.back();
      stack.pop_back();
      stack.push_back(token == "*" ? a * b : a + b);
    }
  }
  return stack.back() + real(n);
}
SUM(multiple_inheritance, 3, 1.0, 2.0, 0.5) {
  struct A {
    real a;
    virtual real fa() const { return a * a; }
    virtual ~A() = default;
  };
  struct B {
    real b;
    virtual real fb() const { return b + 1; }
    virtual ~B() = default;
  };
  struct C : A, B {
    real c;
    real fa() const override { return a * c; }
    real fb() const override { return b * c; }
  };
  C c;
  c.a = x[0];
  c.b = x[1];
  c.c = x[2];
  A *pa = &c;
  B *pb = &c;
  return pa->fa() * pb->fb() + (dynamic_cast<C *>(pb) ? x[0] : x[1]);
}
SUM(virtual_base, 3, 1.0, 2.0, 0.5) {
  struct V {
    real v;
  };
  struct L : virtual V {
    real l;
  };
  struct R : virtual V {
    real r;
  };
  struct D : L, R {
    real f() { return v * l + r; }
  };
  D d;
  d.v = x[0];
  d.l = x[1];
  d.r = x[2];
  R &r = d;
  r.v *= x[2];
  return d.f();
}
SUM(generator_iterator, 4, 1.0, 2.0, 0.5, 0.3) {
  std::vector<real> v(x, x + n), out;
  std::transform(v.begin(), v.end(), v.rbegin(), std::back_inserter(out), std::multiplies<real>());
  std::adjacent_difference(out.begin(), out.end(), out.begin());
  std::vector<int> idx(n);
  std::iota(idx.begin(), idx.end(), 0);
  std::sort(idx.begin(), idx.end(), [&](int a, int b) { return x[a] < x[b]; });
  real r = 0;
  for (int i : idx)
    r = r * 0.5 + out[i] * v[i];
  return r;
}
SUM(variant_states, 3, 1.0, 2.0, 0.5) {
  struct Idle {};
  struct Run {
    real speed;
  };
  struct Stop {
    real speed, brake;
  };
  std::variant<Idle, Run, Stop> s;
  real pos = 0;
  for (int i = 0; i < 6; i++) {
    if (std::holds_alternative<Idle>(s))
      s = Run{x[0]};
    else if (auto *r = std::get_if<Run>(&s)) {
      pos += r->speed * x[1];
      if (i > 2)
        s = Stop{r->speed, x[2]};
    } else {
      auto &t = std::get<Stop>(s);
      t.speed *= t.brake;
      pos += t.speed;
    }
  }
  return pos * pos + real(n);
}
SUM(complex_poly, 4, 1.0, 2.0, 0.5, 0.3) {
#ifdef NB_SUBJECT
  std::complex<real> z(x[0], x[1]), w(x[2], x[3]);
  auto p = z * z * w + w / z;
  return std::norm(p) + p.real();
#else
  real a = x[0], b = x[1], c = x[2], d = x[3];
  real e = a * a - b * b, f = 2 * a * b;
  real g = e * c - f * d, h = e * d + f * c;
  real m = a * a + b * b;
  real u = (c * a + d * b) / m, v = (d * a - c * b) / m;
  real s = g + u, t = h + v;
  return s * s + t * t + s;
#endif
}
SUM(thread_free_singleton, 2, 1.0, 2.0) {
  struct Config {
    double scale = 2.5;
    static const Config &get() {
      static Config c;
      return c;
    }
  };
  return x[0] * x[1] * (real)Config::get().scale + real(n);
}
SUM(shared_alias, 3, 1.0, 2.0, 0.5) {
  struct P {
    real a, b;
  };
  auto p = std::make_shared<P>(P{x[0], x[1]});
  std::shared_ptr<real> q(p, &p->b);
  *q *= x[2];
  p.reset();
  std::vector<std::shared_ptr<real>> v(3, q);
  return *v[0] * *v[2] + (real)(int)q.use_count();
}
SUM(throw_from_constructor, 3, 1.0, 2.0, 0.5) {
  struct Positive {
    real v;
    explicit Positive(real a) : v(a) {
      if (a < real(0))
        throw std::invalid_argument("negative");
    }
  };
  real r = 0;
  for (int i = 0; i < n; i++) {
    try {
      r += Positive(i == 1 ? -x[i] : x[i]).v * x[0];
    } catch (const std::exception &) {
      r += x[1] * x[1];
    }
  }
  return r;
}
