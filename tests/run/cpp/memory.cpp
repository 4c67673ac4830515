// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Placement new, new and delete of all forms, static members. */
#define NB_AT_ONCE
#include "cases.h"

#include <new>

struct Node {
  explicit Node(real v) : value(v) {}
  virtual ~Node() = default;
  virtual real get() const { return value; }
  real value;
};
struct Square : Node {
  using Node::Node;
  real get() const override { return value * value; }
};

SUM(placed, 3, 1.0, 2.0, 3.0) {
  alignas(Node) unsigned char room[2 * sizeof(Node)];
  Node *a = new (room) Node(x[0] * x[1]);
  Node *b = new (room + sizeof(Node)) Square(x[2]);
  real r = a->get() * b->get();
  a->~Node();
  b->~Node();
  return r + n;
}

SUM(placed_on_heap, 3, 1.0, 2.0, 3.0) {
  void *room = ::operator new(sizeof(Node) * (unsigned)n);
  Node *nodes = static_cast<Node *>(room);
  for (int i = 0; i < n; i++)
    new (nodes + i) Node(x[i] * x[i]);
  real r = 1;
  for (int i = 0; i < n; i++)
    r *= nodes[i].get();
  for (int i = 0; i < n; i++)
    nodes[i].~Node();
  ::operator delete(room);
  return r;
}

struct alignas(64) Wide {
  real v[8];
};

SUM(new_in_all_forms, 3, 1.0, 2.0, 3.0) {
  Wide *w = new Wide;
  w->v[3] = x[0] * x[1];
  Wide *many = new Wide[2];
  many[1].v[2] = x[2];
  real *a = new (std::nothrow) real(x[0]);
  real *b = new (std::nothrow) real[3]();
  real *c = new real[(unsigned)n]{x[0], x[1]};
  if (!a || !b)
    return 0;
  b[1] = *a * x[2] + c[1];
  real r = w->v[3] * many[1].v[2] * b[1] + b[2] + c[0];
  delete w;
  delete[] many;
  delete a;
  delete[] b;
  delete[] c;
  return r;
}

struct Pool {
  void *operator new(size_t bytes) { return malloc(bytes); }
  void operator delete(void *p) { free(p); }
  explicit Pool(real v) : value(v) {}
  real value;
};

SUM(new_of_class, 3, 1.0, 2.0, 3.0) {
  Pool *p = new Pool(x[0] * x[1]);
  real r = p->value * p->value * x[2];
  delete p;
  return r * n;
}

struct Counted {
  static int made;
  static constexpr double scale = 1.5;
  inline static real last = 0;
  static real total;
  explicit Counted(real v) : value(v) {
    made++;
    last = v;
    total += v;
  }
  real get() const { return value * (real)scale; }
  real value;
};
int Counted::made = 0;
real Counted::total = 0;

SUM(static_members, 3, 1.0, 2.0, 3.0) {
  Counted::made = 0;
  Counted a(x[0] * x[1]), b(x[2]);
  return a.get() * b.get() * Counted::made + n;
}

SUM(static_members_active, 3, 1.0, 2.0, 3.0) {
  Counted::total = 0;
  Counted a(x[0] * x[1]), b(x[2]);
  return Counted::last * Counted::total * Counted::total + n;
}

SUM(static_local, 3, 1.0, 2.0, 3.0) {
  static const double table[3] = {1, 2, 3};
  real r = 0;
  for (int i = 0; i < n; i++)
    r += x[i] * x[i] * (real)table[i];
  return r;
}

static NOINLINE int counted(const char *text) { return (int)strlen(text); }

SUM(static_local_made, 3, 1.0, 2.0, 3.0) {
  static const int count = counted("abc");
  static const double scale = sqrt((double)counted("abcd"));
  real r = 0;
  for (int i = 0; i < n; i++)
    r += x[i] * x[i] * (real)(scale * count);
  return r;
}
