// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* std::array and std::vector with active elements. */
#define NB_AT_ONCE
#include "cases.h"

#include <algorithm>
#include <array>
#include <vector>

SUM(array, 3, 1.0, 2.0, 3.0) {
  std::array<real, 3> a = {x[0], x[1] * x[1], x[2]};
  std::array<real, 3> b = a;
  b[1] += a[2];
  real r = 0;
  for (const real &v : b)
    r = r * 0.5 + v * v;
  return r + a.at(1) * b.front() * b.back() * (int)a.size() / n;
}

SUM(array_filled, 3, 1.0, 2.0, 3.0) {
  std::array<std::array<real, 3>, 3> m;
  for (auto &row : m)
    row.fill(x[0]);
  for (unsigned i = 0; i < (unsigned)n; i++)
    m[i][i] = x[i] * x[i];
  return m[0][0] * m[1][1] * m[2][2] - m[0][1] * m[1][2] * m[2][0];
}

SUM(vector_of_size, 3, 1.0, 2.0, 3.0) {
  std::vector<real> v((unsigned)n);
  for (int i = 0; i < n; i++)
    v[(unsigned)i] = x[i] * x[i];
  real r = 1;
  for (const real &e : v)
    r *= e;
  return r;
}

SUM(vector_filled, 3, 1.0, 2.0, 3.0) {
  std::vector<real> v((unsigned)n, x[0]);
  for (int i = 1; i < n; i++)
    v[(unsigned)i] += v[(unsigned)i - 1] * x[i];
  return v.back() * v.front();
}

SUM(vector_of_list, 3, 1.0, 2.0, 3.0) {
  std::vector<real> v = {x[0], x[1], x[2], x[0] * x[1]};
  real r = n;
  for (auto it = v.rbegin(); it != v.rend(); ++it)
    r = r * 0.5 + *it * *it;
  return r;
}

SUM(vector_reserve_emplace, 4, 1.0, 2.0, 3.0, 4.0) {
  std::vector<real> v;
  v.reserve((unsigned)n);
  for (int i = 0; i < n; i++)
    v.emplace_back(sin(x[i]));
  real r = v.at(0);
  while (!v.empty()) {
    r = r * v.back() + x[0];
    v.pop_back();
  }
  return r;
}

SUM(vector_resize, 4, 1.0, 2.0, 3.0, 4.0) {
  std::vector<real> v(x, x + 2);
  v.resize((unsigned)n);
  v[3] = v[0] * x[3];
  real r = 0;
  for (const real &e : v)
    r += e * e * x[2];
  v.resize(1);
  return r * v[0];
}

SUM(vector_of_vectors, 3, 1.0, 2.0, 3.0) {
  std::vector<std::vector<real>> m((unsigned)n, std::vector<real>((unsigned)n));
  for (unsigned i = 0; i < m.size(); i++)
    for (unsigned j = 0; j < m.size(); j++)
      m[i][j] = x[i] * x[j] + (i == j ? 1 : 0);
  real trace = 0;
  for (unsigned i = 0; i < m.size(); i++)
    for (unsigned j = 0; j < m.size(); j++)
      trace += m[i][j] * m[j][i];
  return trace;
}

static NOINLINE std::vector<real> squares(const std::vector<real> &v) {
  std::vector<real> result;
  for (const real &e : v)
    result.push_back(e * e);
  return result;
}

SUM(vector_as_result, 3, 1.0, 2.0, 3.0) {
  std::vector<real> v = squares(squares(std::vector<real>(x, x + n)));
  return v[0] + v[1] * v[2];
}

SUM(vector_push_back, 4, 1.0, 2.0, 3.0, 4.0) {
  std::vector<real> v;
  for (int i = 0; i < n; i++)
    v.push_back(x[i] * x[0]);
  v.push_back(v[0]);
  real r = 0;
  for (const real &e : v)
    r = r * 0.5 + e * e;
  return r;
}

SUM(vector_emplace_back, 4, 1.0, 2.0, 3.0, 4.0) {
  std::vector<real> v;
  for (int i = 0; i < n; i++)
    v.emplace_back(x[i] * x[n - 1 - i]);
  return v[0] * v[1] + v.back();
}

SUM(vector_insert, 4, 1.0, 2.0, 3.0, 4.0) {
  std::vector<real> v;
  for (int i = 0; i < n; i++)
    v.insert(v.begin(), x[i] * x[i]);
  v.insert(v.begin() + 1, 2, x[0]);
  v.insert(v.end(), x, x + 2);
  real r = 0;
  for (const real &e : v)
    r = r * 0.5 + e * e;
  return r;
}

SUM(vector_resize_grows, 4, 1.0, 2.0, 3.0, 4.0) {
  std::vector<real> v;
  for (int i = 0; i < n; i++) {
    v.resize((unsigned)(2 * i + 1), x[i]);
    v[0] += x[i] * x[0];
  }
  real r = 0;
  for (const real &e : v)
    r = r * 0.5 + e * e;
  return r;
}

SUM(vector_reserve_again, 4, 1.0, 2.0, 3.0, 4.0) {
  std::vector<real> v;
  for (int i = 0; i < n; i++) {
    v.reserve((unsigned)(i + 1));
    v.push_back(x[i] * x[i]);
  }
  v.shrink_to_fit();
  return v[0] * v[1] + v[2] * v[3];
}

struct Particle {
  real mass;
  int charge;
  real position[2];
};

SUM(vector_of_structs_grows, 4, 1.0, 2.0, 3.0, 4.0) {
  std::vector<Particle> v;
  for (int i = 0; i < n; i++)
    v.push_back(Particle{x[i], i, {x[i] * x[0], x[0]}});
  real r = 0;
  for (const Particle &p : v)
    r += p.mass * p.position[0] * p.charge + p.position[1];
  return r;
}

SUM(vector_of_vectors_grows, 4, 1.0, 2.0, 3.0, 4.0) {
  std::vector<std::vector<real>> rows;
  for (int i = 0; i < n; i++) {
    rows.emplace_back();
    for (int j = 0; j <= i; j++)
      rows.back().push_back(x[i] * x[j]);
  }
  real r = 0;
  for (const auto &row : rows)
    for (const real &e : row)
      r += e * e;
  return r;
}

SUM(vector_erase, 4, 1.0, 2.0, 3.0, 4.0) {
  std::vector<real> v(x, x + n);
  v.push_back(v[1] * v[2]);
  v.erase(v.begin() + 1);
  v.erase(v.begin(), v.begin() + 2);
  return v[0] * v[1];
}

/* More vectors than one: each is resized to the size of another, whose address is loaded again
 * where it may have changed. */
struct Stages {
  std::vector<real> a, b, c, d, e, f, g, h, last;
};

static void fit(std::vector<real> &v, const std::vector<real> &model) {
  if (v.size() != model.size())
    v.resize(model.size());
}

static NOINLINE void fit_all(Stages &s, const std::vector<real> &model) {
  fit(s.a, model);
  fit(s.b, model);
  fit(s.c, model);
  fit(s.d, model);
  fit(s.e, model);
  fit(s.f, model);
  fit(s.g, model);
  fit(s.h, model);
  fit(s.last, model);
}

SUM(vectors_resized_together, 3, 1.0, 2.0, 3.0) {
  std::vector<real> v(x, x + n);
  Stages s;
  fit_all(s, v);
  for (unsigned i = 0; i < v.size(); i++) {
    s.a[i] = v[i] * v[0];
    s.d[i] = s.a[i] * s.a[i] + s.b[i];
    s.last[i] = s.d[i] * v[i];
  }
  fit_all(s, s.last);
  return s.last[0] * s.last[1] + s.d[2] + s.h[0];
}

/* An assignment copies into the room that there is, and what is left from some element on. */
SUM(vectors_assigned_in_turn, 3, 1.0, 2.0, 3.0) {
  std::vector<real> a(x, x + n);
  for (int step = 1; step <= n; step++) {
    std::vector<real> b((unsigned)step + 1);
    for (unsigned i = 0; i < b.size(); i++)
      b[i] = x[step - 1] * a[i % a.size()];
    a = b;
  }
  real r = 0;
  for (const real &v : a)
    r += v * v;
  return r;
}

static NOINLINE real through_layers(const std::vector<std::vector<real>> &weights,
                                    std::vector<real> a) {
  for (const std::vector<real> &w : weights) {
    std::vector<real> b(w.size() / a.size());
    for (unsigned i = 0; i < b.size(); i++)
      for (unsigned j = 0; j < a.size(); j++)
        b[i] += w[i * a.size() + j] * a[j];
    a = std::move(b);
  }
  return a[0] * a.back();
}

SUM(vectors_through_layers, 3, 1.0, 2.0, 3.0) {
  std::vector<std::vector<real>> weights = {{x[0], x[1], x[2], x[1], x[0], x[2]}, {x[2], x[0]}};
  return through_layers(weights, std::vector<real>(x, x + n));
}

/* Nothing but pointers is put into the memory that grows. */
SUM(vectors_of_pointers, 4, 1.0, 2.0, 3.0, 4.0) {
  std::vector<const real *> at;
  std::vector<std::vector<real> *> owned;
  for (int i = 0; i < n; i++) {
    at.push_back(x + i);
    owned.push_back(new std::vector<real>(2, x[i] * x[i]));
  }
  real r = 0;
  for (const real *p : at)
    r = r * 0.5 + *p * *p;
  for (std::vector<real> *p : owned) {
    r += p->front() * p->back();
    delete p;
  }
  return r;
}

struct Tree {
  real value;
  std::vector<Tree> below;
};

static real weigh(const Tree &tree) {
  real r = tree.value;
  for (const Tree &below : tree.below)
    r = r * 1.5 + weigh(below) * tree.value;
  return r;
}

/* Where a vector is known to be empty, the optimiser counts from null. */
SUM(trees_copied_whole, 4, 1.0, 2.0, 3.0, 4.0) {
  Tree root = {x[0], {}};
  root.below.push_back({x[1], {}});
  root.below.push_back({x[2] * x[n - 1], {{x[n - 1], {}}}});
  Tree copy = root;
  copy.below[0].value *= x[2];
  return weigh(root) + weigh(copy);
}

struct Knot {
  real weight;
  Knot *left, *right;
};

/* Pointers that are only moved, from vector to vector, by algorithms and through copies. */
SUM(vectors_of_moved_pointers, 4, 1.0, 2.0, 3.0, 4.0) {
  std::vector<Knot *> heap;
  auto below = [](const Knot *a, const Knot *b) { return a->weight > b->weight; };
  real r = 0;
  for (int i = 0; i < n; i++)
    heap.push_back(new Knot{x[i], nullptr, nullptr});
  while (heap.size() > 1) {
    std::make_heap(heap.begin(), heap.end(), below);
    std::pop_heap(heap.begin(), heap.end(), below);
    Knot *left = heap.back();
    heap.pop_back();
    Knot *right = heap.back();
    heap.pop_back();
    heap.push_back(new Knot{left->weight * right->weight + left->weight, left, right});
    r += heap.back()->weight;
  }
  std::vector<Knot *> open = {heap[0]};
  while (!open.empty()) {
    Knot *knot = open.back();
    open.pop_back();
    r += knot->weight * 0.5;
    if (knot->left)
      open.push_back(knot->left);
    if (knot->right)
      open.push_back(knot->right);
    delete knot;
  }
  return r;
}

/* --- Structs of numbers and integers. --- */

struct Grain {
  int id;
  real at[2];
  float weight;
  real mass;
  bool alive;
};

static bool is_nearer(const Grain &a, const Grain &b) { return a.at[0] < b.at[0]; }

SUM(vector_of_structs_sorted, 4, 3.0, 1.0, 4.0, 2.0) {
  std::vector<Grain> v;
  for (int i = 0; i < n; i++)
    v.push_back({i, {x[i], x[i] * x[0]}, 0.5f * (float)i, x[n - 1 - i], i != 2});
  std::sort(v.begin(), v.end(), is_nearer);
  v.erase(std::remove_if(v.begin(), v.end(), [](const Grain &p) { return !p.alive; }), v.end());
  v.insert(v.begin() + 1, v[0]);
  real r = 0;
  for (const Grain &p : v)
    r = r * p.at[0] + p.at[1] * p.mass * p.id + p.weight;
  return r;
}
