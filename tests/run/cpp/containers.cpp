// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Containers of nodes and of blocks: the library's functions behind lists are models
 * (models/containers.c). */
#define NB_AT_ONCE
#include "cases.h"

#include <deque>
#include <forward_list>
#include <list>
#include <queue>
#include <stack>
#include <utility>

SUM(list_filled, 4, 1.0, 2.0, 3.0, 4.0) {
  std::list<real> l;
  for (int i = 0; i < n; i++)
    l.push_back(x[i] * x[i]);
  l.push_front(x[0] * x[1]);
  real r = 1;
  for (const real &v : l)
    r = r * 0.5 + v * v;
  return r * l.front() + l.back();
}

SUM(list_changed, 4, 1.0, 2.0, 3.0, 4.0) {
  std::list<real> l(x, x + n);
  l.insert(++l.begin(), x[0] * x[3]);
  l.pop_back();
  l.erase(l.begin());
  l.reverse();
  real r = 0;
  for (auto it = l.rbegin(); it != l.rend(); ++it)
    r = r * 0.5 + *it * *it;
  return r * (int)l.size();
}

SUM(list_sorted, 4, 3.0, 1.0, 4.0, 2.0) {
  std::list<real> l(x, x + n), m(x, x + 2);
  l.sort();
  m.sort();
  l.merge(m);
  real r = 0;
  for (const real &v : l)
    r = r * 0.5 + v * v;
  return r;
}

SUM(list_spliced, 4, 3.0, 1.0, 4.0, 2.0) {
  std::list<real> l(x, x + 2), m(x + 2, x + n);
  l.splice(l.begin(), m);
  l.remove_if([](real v) { return v > 3.5; });
  std::list<real> copy = l;
  std::list<real> moved = std::move(l);
  return copy.front() * moved.back() + copy.back() * moved.front();
}

SUM(list_forward, 3, 1.0, 2.0, 3.0) {
  std::forward_list<real> l;
  for (int i = 0; i < n; i++)
    l.push_front(x[i] * x[0]);
  real r = 1;
  for (const real &v : l)
    r = r * v + n;
  return r;
}

SUM(deque_filled, 4, 1.0, 2.0, 3.0, 4.0) {
  std::deque<real> d;
  for (int i = 0; i < n; i++) {
    d.push_back(x[i] * x[i]);
    d.push_front(x[i]);
  }
  real r = 1;
  for (const real &v : d)
    r = r * 0.5 + v * v;
  return r * d[2];
}

SUM(deque_emptied, 3, 1.0, 2.0, 3.0) {
  std::deque<real> d(x, x + n);
  real r = 1;
  while (!d.empty()) {
    r = r * d.front() + x[0];
    d.pop_front();
  }
  return r;
}

SUM(deque_copied, 4, 1.0, 3.0, 2.0, 4.0) {
  std::deque<real> d(x, x + n);
  d.insert(d.begin() + 2, x[0] * x[1]);
  d.erase(d.begin());
  std::deque<real> c = d;
  c.resize(6, x[2]);
  real r = 0;
  for (const real &v : c)
    r = r * 0.5 + v * v;
  return r * d[1];
}

SUM(deque_adapted, 4, 1.0, 3.0, 2.0, 4.0) {
  std::queue<real> q;
  std::stack<real> s;
  for (int i = 0; i < n; i++) {
    q.push(x[i] * x[0]);
    s.push(x[i]);
  }
  real r = 0;
  while (!q.empty()) {
    r += q.front() * s.top();
    q.pop();
    s.pop();
  }
  return r;
}

SUM(queue_of_priority, 4, 1.0, 3.0, 2.0, 4.0) {
  std::priority_queue<real> q(x, x + n);
  real r = 0;
  while (!q.empty()) {
    r = r * 0.5 + q.top() * q.top();
    q.pop();
  }
  return r;
}
