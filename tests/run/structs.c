// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Structures: with arrays in them, in arrays, by value, by pointer, copied whole. */
#include "cases.h"

#include <stdbool.h>

typedef struct {
  real x, y;
} Pair;
typedef struct {
  real v[3];
} Vector;
typedef struct {
  int count;
  real values[4];
  real scale;
} Series;
typedef struct {
  char tag;
  real value;
  int index;
} Mixed;
typedef struct {
  const real *data;
  real *out;
  int length;
} View;
typedef struct Node {
  struct Node *next;
  real value;
} Node;

SCALAR2(local_pair, 1.0, 2.0) {
  Pair p;
  p.x = x * y;
  p.y = x + y;
  return p.x * p.y;
}

static NOINLINE real pair_product(Pair p) { return p.x * p.y + p.x; }

SCALAR2(pair_by_value, 1.0, 2.0) {
  Pair p = {x, y * y};
  return pair_product(p) * x;
}

static NOINLINE Pair pair_of(real a, real b) {
  Pair p = {a * b, a - b};
  return p;
}

SCALAR2(pair_returned, 1.0, 2.0) {
  Pair p = pair_of(x, y);
  return p.x * p.x + p.y;
}

static NOINLINE Pair rotated(Pair p, real angle) {
  Pair r;
  r.x = cos(angle) * p.x - sin(angle) * p.y;
  r.y = sin(angle) * p.x + cos(angle) * p.y;
  return r;
}

SCALAR3(pair_in_and_out, 1.0, 2.0, 0.5) {
  Pair p = {x, y};
  for (int i = 0; i < 3; i++)
    p = rotated(p, z);
  return p.x * p.y;
}

static NOINLINE Vector cross(Vector a, Vector b) {
  Vector c;
  for (int i = 0; i < 3; i++)
    c.v[i] = a.v[(i + 1) % 3] * b.v[(i + 2) % 3] - a.v[(i + 2) % 3] * b.v[(i + 1) % 3];
  return c;
}

MAP(big_struct_by_value, 6, 3, 1.0, 2.0, 3.0, 4.0, 5.0, 7.0) {
  Vector a = {{x[0], x[1], x[2]}};
  Vector b = {{x[3], x[4], x[n - 1]}};
  Vector c = cross(a, b);
  c = cross(c, a);
  for (int i = 0; i < 3; i++)
    y[i] = c.v[i];
}

static NOINLINE Vector scaled(const Vector *a, real s) {
  Vector c = *a;
  for (int i = 0; i < 3; i++)
    c.v[i] *= s;
  return c;
}

MAP(big_struct_returned, 3, 3, 1.0, 2.0, 3.0) {
  Vector a = {{x[0], x[1], x[n - 1]}};
  Vector b = scaled(&a, x[0] * x[1]);
  a = scaled(&b, 0.5);
  for (int i = 0; i < 3; i++)
    y[i] = a.v[i] * b.v[i];
}

static NOINLINE real evaluate(const Series *s, real t) {
  real sum = 0;
  for (int i = s->count - 1; i >= 0; i--)
    sum = sum * t + s->values[i];
  return sum * s->scale;
}

SUM(struct_with_array, 4, 1.0, 2.0, 3.0, 0.5) {
  Series s;
  s.count = n - 1;
  s.scale = x[0] * x[1];
  for (int i = 0; i < s.count; i++)
    s.values[i] = x[i];
  return evaluate(&s, x[n - 1]);
}

SUM(array_of_pairs, 6, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0) {
  Pair p[4];
  for (int i = 0; i < n / 2; i++) {
    p[i].x = x[2 * i];
    p[i].y = x[2 * i + 1] * p[0].x;
  }
  real sum = 0;
  for (int i = 0; i < n / 2; i++)
    sum += p[i].x * p[n / 2 - 1 - i].y;
  return sum;
}

SUM(array_seen_as_pairs, 6, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0) {
  const Pair *p = (const Pair *)x;
  real sum = 0;
  for (int i = 0; i < n / 2; i++)
    sum += p[i].x * p[i].y;
  return sum;
}

SUM(mixed_fields, 4, 1.0, 2.0, 3.0, 4.0) {
  Mixed m[4];
  for (int i = 0; i < n; i++) {
    m[i].tag = (char)('a' + i);
    m[i].value = x[i] * x[0];
    m[i].index = (i + 1) % n;
  }
  real sum = 0;
  for (int i = 0; i < n; i++)
    if (m[i].tag != 'c')
      sum += m[i].value * m[m[i].index].value;
  return sum;
}

SUM(mixed_fields_copied, 4, 1.0, 2.0, 3.0, 4.0) {
  Mixed a = {'a', x[0] * x[1], 1};
  Mixed b = a;
  b.value *= x[2];
  a = b;
  b.index = n - 1;
  return a.value * x[b.index] + a.index * b.value;
}

static NOINLINE void fill_view(View v) {
  for (int i = 0; i < v.length; i++)
    v.out[i] = v.data[i] * v.data[0];
}

MAP(view_by_value, 3, 3, 1.0, 2.0, 3.0) {
  View v = {x, y, n};
  fill_view(v);
}

static NOINLINE void fill_through(const View *v) {
  for (int i = 0; i < v->length; i++)
    v->out[i] = v->data[i] * v->data[v->length - 1];
}

MAP(view_by_pointer, 3, 3, 1.0, 2.0, 3.0) {
  View v;
  v.data = x;
  v.out = y;
  v.length = n;
  fill_through(&v);
}

MAP(array_of_pointers, 4, 4, 1.0, 2.0, 3.0, 4.0) {
  real *row[2];
  row[0] = x;
  row[1] = y;
  for (int i = 0; i < n; i++)
    row[1][i] = row[0][i] * row[0][n - 1 - i];
  for (int i = 0; i < n; i++)
    row[i % 2][i] *= 2;
}

SUM(list_on_the_stack, 4, 1.0, 2.0, 3.0, 4.0) {
  Node nodes[4];
  for (int i = 0; i < n; i++) {
    nodes[i].value = x[i] * x[i];
    nodes[i].next = i + 1 < n ? &nodes[i + 1] : NULL;
  }
  real r = 1;
  for (const Node *p = nodes; p; p = p->next)
    r = r * 0.5 + p->value;
  return r;
}

SUM(list_on_the_heap, 4, 1.0, 2.0, 3.0, 4.0) {
  Node *head = NULL;
  for (int i = 0; i < n; i++) {
    Node *node = (Node *)malloc(sizeof(Node));
    node->value = x[i] * x[0];
    node->next = head;
    head = node;
  }
  real r = 1;
  while (head) {
    Node *next = head->next;
    r = r * 0.5 + head->value * r;
    free(head);
    head = next;
  }
  return r;
}

typedef struct {
  Pair corner[2];
  struct {
    Vector normal;
    int side;
  } face;
} Box;

SUM(nested_structs, 5, 1.0, 2.0, 3.0, 4.0, 5.0) {
  Box box;
  box.corner[0].x = x[0];
  box.corner[0].y = x[1];
  box.corner[1] = box.corner[0];
  box.corner[1].x *= x[2];
  box.face.side = n % 2;
  for (int i = 0; i < 3; i++)
    box.face.normal.v[i] = x[i] * x[n - 1 - i];
  Box other = box;
  return other.corner[other.face.side].x * other.face.normal.v[2] + box.corner[1].y;
}

MAP(struct_exchange, 4, 1, 1.0, 2.0, 3.0, 4.0) {
  Pair *p = (Pair *)x;
  Pair t = p[0];
  p[0] = p[1];
  p[1] = t;
  y[0] = p[0].x * p[n / 2 - 1].y;
}

static NOINLINE Pair *larger_pair(Pair *a, Pair *b) { return a->x > b->x ? a : b; }

MAP(pointer_to_struct_returned, 4, 1, 1.0, 2.0, 3.0, 4.0, 3.0, 2.0, 1.0, 4.0) {
  Pair *p = (Pair *)x;
  Pair *best = larger_pair(&p[0], &p[n / 2 - 1]);
  best->y = best->y * best->x;
  y[0] = best->y;
}

typedef struct {
  float f[2];
  double d;
  int k;
} Plain;

SUM(inactive_struct, 3, 1.0, 2.0, 3.0) {
  Plain p = {{0.5f, 1.5f}, 2.5, n};
  Plain q = p;
  q.d += q.f[1];
  return x[0] * q.d + x[1] * q.f[0] * q.k + x[2];
}

typedef struct {
  real a[2];
  int number;
} Bond;

typedef struct {
  Bond bonds[2];
  single mass;
} Atom;

/* Loops over arrays in structs in arrays touch few of the places that their strides would allow. */
static void fill_atoms(int n, const real *x, Atom *atoms) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      atoms[i].bonds[j].number = i + j;
      for (int k = 0; k < n; k++)
        atoms[i].bonds[j].a[k] = x[(i + j * k) % n] * (1 + k);
    }
    atoms[i].mass = (single)i;
  }
}

static real energy_of_atoms(int n, const Atom *atoms) {
  real sum = 0;
  for (int j = 0; j < n; j++)
    for (int k = 0; k < n; k++)
      sum += atoms[0].bonds[j].a[k] * atoms[1].bonds[n - 1 - j].a[k] * atoms[0].bonds[k].number;
  return sum;
}

SUM(nested_arrays_copied, 2, 0.3, 0.5) {
  Atom atoms[2];
  fill_atoms(n, x, atoms);
  atoms[1] = atoms[0];
  return energy_of_atoms(n, atoms);
}

SUM(nested_arrays_swapped, 2, 0.3, 0.5) {
  Atom atoms[2];
  fill_atoms(n, x, atoms);
  Atom kept = atoms[0];
  atoms[0] = atoms[1];
  atoms[1] = kept;
  atoms[0].bonds[1] = atoms[1].bonds[0];
  return energy_of_atoms(n, atoms);
}

SUM(nested_arrays_in_heap, 2, 0.3, 0.5) {
  Atom *atoms = (Atom *)malloc(2 * sizeof *atoms);
  fill_atoms(n, x, atoms);
  atoms[1] = atoms[0];
  atoms[0].bonds[1] = atoms[1].bonds[0];
  real energy = energy_of_atoms(n, atoms);
  free(atoms);
  return energy;
}

SUM(nested_arrays_of_constant_bounds, 2, 0.3, 0.5) {
  Atom atoms[2];
  fill_atoms(2, x, atoms);
  atoms[1] = atoms[0];
  return energy_of_atoms(2, atoms) * n;
}

/* --- Bit-fields behind pointers ---------------------------------------------------------------
 */

typedef struct {
  unsigned a : 3;
  int b : 5;
  real r;
  unsigned c : 9;
} Packed;

static NOINLINE void pack(Packed *p, real t, int i) {
  p->a = (unsigned)i;
  p->b = i - 3;
  p->r = t * p->a;
  p->c = (unsigned)i * 3;
  p->r += p->b * t;
}

SUM(bit_fields_written, 3, 1.0, 2.0, 3.0) {
  Packed p[3];
  for (int i = 0; i < n; i++)
    pack(&p[i], x[i], i);
  return p[0].r * p[1].r + p[2].r * p[2].c;
}

typedef struct {
  int k;
  unsigned a : 4, b : 28;
  real r;
} Flagged;

static NOINLINE real use_flags(Flagged *f, real t) {
  f->a = 3;
  f->r *= t;
  if (f->b > 2)
    f->r += f->a * t;
  f->b++;
  return f->r * f->b;
}

SUM(bit_fields_shared, 3, 1.0, 2.0, 3.0) {
  Flagged *f = (Flagged *)calloc(2, sizeof *f);
  f[0].k = n;
  f[0].b = 5;
  f[0].r = x[1];
  f[1] = f[0];
  real sum = use_flags(f, x[0]) * use_flags(f + 1, x[2]) + f[1].k;
  free(f);
  return sum;
}

typedef struct {
  real r;
  unsigned char f : 1, g : 1;
  unsigned short s : 9;
  real q;
} Odd;

static NOINLINE real use_odd(Odd *o, real t) {
  o->f = 1;
  o->s += 3;
  o->q = o->r * t * o->s + o->g;
  return o->q;
}

SUM(bit_fields_between, 3, 1.0, 2.0, 3.0) {
  Odd o[2] = {{x[0], 0, 1, 7, x[0]}, {x[1], 1, 0, 9, x[0]}};
  real sum = use_odd(o, x[2]) * use_odd(o + 1, x[0]) * n;
  o[0] = o[1];
  return sum + o[0].q;
}

/* Sorted in place: what finds the element is an integer of 32 bits, shifted up and down. */
typedef struct Weighed {
  real key, values[2];
  int id;
} Weighed;

static void sort_weighed(Weighed *r, int n) {
  for (int i = 1; i < n; i++) {
    Weighed t = r[i];
    int j = i - 1;
    while (j >= 0 && r[j].key > t.key) {
      r[j + 1] = r[j];
      j--;
    }
    r[j + 1] = t;
  }
}

SUM(sorted_by_insertion, 5, 0.4, -0.7, 1.3, 0.9, -1.1) {
  Weighed r[5];
  for (int i = 0; i < n; i++)
    r[i] = (Weighed){x[i], {x[i] * x[0], x[n - 1 - i]}, i};
  sort_weighed(r, n);
  real sum = 0;
  for (int i = 0; i < n; i++)
    sum += (i + 1) * r[i].key * r[i].values[i & 1] * r[i].id;
  return sum;
}

/* The count behind a matrix whose elements are chosen by an index of few values: it is kept in a
 * register through the loop, and its zero is that of the whole struct. */
typedef struct Filter {
  real state[2], covariance[2][2];
  int updates;
} Filter;

static real update(Filter *f, int i, real z) {
  real residual = z - f->state[i], total = f->covariance[i][i] + (real)0.25, gain[2];
  for (int k = 0; k < 2; k++)
    gain[k] = f->covariance[k][i] / total;
  for (int k = 0; k < 2; k++)
    f->state[k] += gain[k] * residual;
  real row[2] = {f->covariance[i][0], f->covariance[i][1]};
  for (int k = 0; k < 2; k++)
    for (int j = 0; j < 2; j++)
      f->covariance[k][j] -= gain[k] * row[j];
  f->updates++;
  return residual * residual / total;
}

SUM(count_behind_a_matrix, 9, 0.4, -0.7, 1.3, 0.9, -1.1, 0.2, 0.6, -0.3, 0.8) {
  Filter f = {{x[0], x[1]}, {{0, 0}, {0, 0}}, 0};
  for (int k = 0; k < 2; k++)
    f.covariance[k][k] = 1 + x[2] * x[2];
  f.covariance[0][1] = f.covariance[1][0] = x[3] / 4;
  real sum = 0;
  for (int t = 4; t < n; t++) {
    f.covariance[0][0] += x[2] * x[2];
    if (t % 5 != 3)
      sum += update(&f, t & 1, x[t]);
  }
  return sum / f.updates + f.state[0] * f.covariance[0][1];
}

/* The padding behind the count goes along where the struct is copied. */
typedef struct Square {
  int n;
  real a[3][3];
} Square;

static Square times(Square a, Square b) {
  Square c = {a.n, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
  for (int i = 0; i < a.n; i++)
    for (int j = 0; j < a.n; j++)
      for (int k = 0; k < a.n; k++)
        c.a[i][j] += a.a[i][k] * b.a[k][j];
  return c;
}

SUM(padding_copied_with_a_matrix, 9, 0.4, -0.7, 1.3, 0.9, -1.1, 0.2, 0.6, -0.3, 0.8) {
  Square a = {3, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
  for (int i = 0; i < n; i++)
    a.a[i / 3][i % 3] = x[i] / 2;
  Square power = a, sum = a;
  for (int k = 2; k < 6; k++) {
    power = times(power, a);
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++)
        sum.a[i][j] += power.a[i][j] / k;
  }
  for (int k = 0; k < 2; k++)
    sum = times(sum, sum);
  return sum.a[0][0] + 2 * sum.a[0][1] + 3 * sum.a[1][2] + 4 * sum.a[2][0];
}

/* Names beside numbers, as the library writes them. */
typedef struct Joint {
  real length, angle;
  int turns;
  char name[12];
} Joint;

static NOINLINE void name_joint(Joint *joint, int i) {
  strcpy(joint->name, "joint");
  joint->name[5] = (char)('0' + i);
  joint->name[6] = 0;
}

static real reach(const Joint *joints, int n) {
  real sum = 0;
  for (int i = 0; i < n; i++)
    sum += joints[i].name[5] == '1' ? joints[i].length
                                    : joints[i].length * joints[i].angle * joints[i].turns;
  return sum;
}

SUM(names_beside_numbers, 6, 0.4, -0.7, 1.3, 0.9, -1.1, 0.2) {
  Joint arm[3], *leg = (Joint *)malloc(3 * sizeof *leg);
  for (int i = 0; i < 3 && 2 * i + 1 < n; i++) {
    arm[i].length = x[2 * i];
    arm[i].angle = x[2 * i + 1] * x[0];
    arm[i].turns = i + 2;
    name_joint(arm + i, i);
    leg[i] = arm[i];
    leg[i].length *= x[1];
    snprintf(leg[i].name, sizeof leg[i].name, "joint%d", i + 1);
  }
  real sum = reach(arm, 3) + 2 * reach(leg, 3);
  free(leg);
  return sum;
}

/* Sorted by a function that calls itself on a part, and notes in an array beside it where it was.
 */
typedef struct Place {
  real p[2];
  long id;
} Place;

typedef struct Fork {
  int axis, left, right, place;
} Fork;

typedef struct Tree {
  Place places[12];
  Fork forks[12];
  int used;
} Tree;

static int sort_tree(Tree *t, int low, int high, int axis) {
  if (low >= high)
    return -1;
  for (int i = low + 1; i < high; i++) {
    Place k = t->places[i];
    int j = i - 1;
    while (j >= low && t->places[j].p[axis] > k.p[axis]) {
      t->places[j + 1] = t->places[j];
      --j;
    }
    t->places[j + 1] = k;
  }
  int middle = (low + high) / 2, me = t->used++;
  t->forks[me].left = -1;
  t->forks[me].right = sort_tree(t, middle + 1, high, axis ^ 1);
  return me;
}

SUM(sorted_by_recursion, 24, 0.4, -0.7, 1.3, 0.9, -1.1, 0.2, 0.6, -0.3, 0.8, -0.9, 0.1, 0.5, -0.6,
    1.2, -0.2, 1.4, 1.1, -0.4, 0.7, -1.3, -0.5, 0.3, -0.8, 1) {
  Tree t;
  t.used = 0;
  for (int i = 0; i < 12 && i < n; i++) {
    t.places[i].p[0] = x[2 * i];
    t.places[i].p[1] = x[2 * i + 1];
    t.places[i].id = i;
  }
  sort_tree(&t, 0, n ? 12 : 0, 0);
  real sum = 0;
  for (int i = 0; i < 12 && i < n; i++)
    sum += t.places[i].p[0] * (i + 1) * t.places[i].p[1];
  return sum;
}

/* A queue of numbers with an index behind each. */
typedef struct Event {
  real key;
  int id;
} Event;

typedef struct Queue {
  int n;
  Event events[8];
} Queue;

static void push(Queue *q, real key, int id) {
  int i = q->n++;
  while (i > 0 && q->events[i - 1].key > key) {
    q->events[i] = q->events[i - 1];
    i--;
  }
  q->events[i].key = key;
  q->events[i].id = id;
}

SUM(queue_of_events, 4, 1.4, 1.1, 0.7, 0.4) {
  Queue q;
  q.n = 0;
  for (int i = 0; i < n; i++)
    push(&q, x[i], i);
  real sum = 0;
  for (int step = 0; q.n > 0 && step < 12; step++) {
    Event e = q.events[--q.n];
    sum = sum / 2 + e.key * e.key;
    if (step < 6 && q.n < 4)
      push(&q, e.key * 2, e.id);
  }
  return sum;
}

/* An index read out of an array in a struct on the heap leads to the next one; another is turned
 * over in place. */
typedef struct {
  real at[6][2];
  int next[6];
  short order[6];
} Chain;

static real length_of(const Chain *c, int i) {
  return c->at[i][0] * c->at[i][0] + c->at[c->order[i]][1];
}

SUM(chain_of_indices_on_the_heap, 6, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0) {
  Chain *c = (Chain *)malloc(sizeof *c);
  real sum = 0;
  for (int i = 0; i < n; i++) {
    c->at[i][0] = x[i];
    c->at[i][1] = x[i] * x[0];
    c->next[i] = i - 2;
    c->order[i] = (short)(n - 1 - i);
  }
  for (int i = 0; i < n / 2; i++) {
    short other = c->order[i];
    c->order[i] = c->order[(i + 1) % n];
    c->order[(i + 1) % n] = other;
  }
  for (int i = n - 1; i >= 0; i = c->next[i])
    sum += length_of(c, i);
  free(c);
  return sum;
}

/* --- A view with a flag, by value: of what is behind that nobody knows anything. --- */

typedef struct {
  real *first;
  int rows, columns, step;
  bool turned;
} Turning;

static real *element(Turning view, int i, int j) {
  return view.turned ? &view.first[j * view.step + i] : &view.first[i * view.step + j];
}

static Turning part(Turning view, int i, int j, int size) {
  Turning whole = view;
  whole.first = element(view, i, j);
  whole.rows = whole.columns = size;
  return whole;
}

static Turning turned(Turning view) {
  Turning other = {view.first, view.columns, view.rows, view.step, !view.turned};
  return other;
}

static NOINLINE void multiply(Turning to, Turning a, Turning b) {
  int half = to.rows / 2;
  if (to.rows == 1) {
    *element(to, 0, 0) += *element(a, 0, 0) * *element(b, 0, 0);
    return;
  }
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++)
      for (int k = 0; k < 2; k++)
        multiply(part(to, i * half, j * half, half), part(a, i * half, k * half, half),
                 part(b, k * half, j * half, half));
}

SUM(multiplied_by_parts, 4, 0.5, 1.5, 0.75, 1.25) {
  real a[4], b[4], product[4] = {0}, sum = 0;
  for (int i = 0; i < n; i++) {
    a[i] = x[i];
    b[i] = x[n - 1 - i] * x[0];
  }
  Turning left = {a, 2, 2, 2, false}, right = {b, 2, 2, 2, false}, to = {product, 2, 2, 2, false};
  multiply(to, left, turned(right));
  for (int i = 0; i < n; i++)
    sum += product[i] * (real)(i + 1);
  return sum;
}
