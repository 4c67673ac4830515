// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Structures that point into themselves, into others and into arguments: cursors, views, rings,
 * pools, lists both ways, matrices as rows of one block. */
#include "cases.h"

typedef struct {
  real *data;
  real own[4];
  int length;
} View;

typedef struct {
  real numbers[4];
  real *cursor;
  int left;
} Reader;

static NOINLINE real norm(const View *view) {
  real sum = 0;
  for (int i = 0; i < view->length; i++)
    sum += view->data[i] * view->data[i];
  return sum;
}

/* The numbers of a view are its own, or an argument's. */
SUM(own_numbers_or_anothers, 4, 1.0, 2.0, 3.0, 4.0) {
  View own, other;
  own.data = own.own;
  other.data = x + 1;
  own.length = n;
  other.length = n - 1;
  for (int i = 0; i < n; i++)
    own.own[i] = x[i] * x[0];
  for (int i = 0; i < 4; i++)
    other.own[i] = 0;
  View copy = other;
  if (copy.length > 2)
    copy.data = copy.own;
  copy.own[0] = x[0] * x[2];
  return norm(&own) * norm(&other) + norm(&copy);
}

static NOINLINE void set_view(View *view, real *data, int length) {
  view->data = length > 4 ? data : view->own;
  view->length = length;
  for (int i = 0; i < length && i < 4; i++)
    view->own[i] = data[i] * 0.5;
}

SUM(small_ones_within, 6, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0) {
  View small, large;
  set_view(&small, x, 3);
  set_view(&large, x, n);
  real r = norm(&small) * norm(&large);
  View moved = large;
  return r + norm(&moved);
}

static NOINLINE void scale(const View *view, real by) {
  View here = *view;
  for (int i = 0; i < here.length; i++)
    here.data[i] *= by;
}

SUM(changed_through_a_copy, 6, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0) {
  View small, large;
  real numbers[6];
  for (int i = 0; i < 6; i++)
    numbers[i] = x[i] * x[0];
  set_view(&small, x, 3);
  set_view(&large, numbers, n);
  scale(&small, x[1]);
  scale(&large, x[2]);
  View both[2] = {small, large};
  both[0].data = both[0].own;
  scale(&both[0], x[3]);
  return norm(&both[0]) * norm(&both[1]) + norm(&small) + numbers[1];
}

static NOINLINE real next_number(Reader *reader) {
  reader->left--;
  return *reader->cursor++;
}

SUM(cursor_in_its_own_array, 4, 1.0, 2.0, 3.0, 4.0) {
  Reader reader;
  for (int i = 0; i < 4; i++)
    reader.numbers[i] = x[i] * x[i];
  reader.cursor = reader.numbers;
  reader.left = n;
  real r = 1;
  while (reader.left > 1)
    r = r * 0.5 + next_number(&reader) * x[0];
  return r + next_number(&reader);
}

static NOINLINE Reader reader_at(real *x, int k) {
  Reader reader = {{x[0], x[1] * x[2], x[0] * k, x[1]}, x + k, k};
  return reader;
}

static NOINLINE real product(Reader reader) {
  reader.numbers[0] *= reader.cursor[0];
  return reader.numbers[0] + reader.numbers[1] * reader.numbers[2];
}

SUM(by_value_with_a_cursor, 4, 1.0, 2.0, 3.0, 4.0) {
  Reader a = reader_at(x, 2), b = a;
  b.cursor = b.numbers;
  return product(a) * product(b) + n;
}

/* --- Both ways. --- */

typedef struct Link {
  struct Link *before;
  real values[2];
  struct Link *after;
  real *best;
} Link;

static NOINLINE Link *insert_after(Link *at, real a, real b) {
  Link *link = (Link *)malloc(sizeof *link);
  link->values[0] = a;
  link->values[1] = b;
  link->best = a > b ? &link->values[0] : &link->values[1];
  link->before = at;
  link->after = at ? at->after : NULL;
  if (at)
    at->after = link;
  if (link->after)
    link->after->before = link;
  return link;
}

static NOINLINE void free_links(Link *link) {
  while (link) {
    Link *after = link->after;
    free(link);
    link = after;
  }
}

SUM(links_both_ways, 4, 1.0, 2.0, 3.0, 4.0) {
  Link *first = insert_after(NULL, x[0], x[1]);
  Link *last = first;
  for (int i = 1; i < n; i++)
    last = insert_after(last, x[i] * x[0], x[i] + x[0]);
  insert_after(first, x[2] * x[3], x[1]);
  real r = 0;
  for (Link *at = last; at; at = at->before)
    r = r * 0.5 + *at->best * at->values[0];
  for (Link *at = first; at; at = at->after)
    *at->best *= r;
  for (Link *at = first->after; at; at = at->after)
    r += *at->before->best * at->values[1];
  free_links(first);
  return r;
}

/* --- A pool with a list of what is free. --- */

typedef struct Slot {
  real value;
  struct Slot *next;
} Slot;

typedef struct {
  Slot slots[6];
  Slot *free, *used;
} Pool;

static NOINLINE void make_pool(Pool *pool) {
  pool->free = pool->used = NULL;
  for (int i = 0; i < 6; i++) {
    pool->slots[i].value = 0;
    pool->slots[i].next = pool->free;
    pool->free = &pool->slots[i];
  }
}

static NOINLINE void take(Pool *pool, real value) {
  Slot *slot = pool->free;
  pool->free = slot->next;
  slot->value = value;
  slot->next = pool->used;
  pool->used = slot;
}

static NOINLINE real give(Pool *pool) {
  Slot *slot = pool->used;
  pool->used = slot->next;
  slot->next = pool->free;
  pool->free = slot;
  return slot->value;
}

SUM(pool_with_free_list, 4, 1.0, 2.0, 3.0, 4.0) {
  Pool pool;
  make_pool(&pool);
  for (int i = 0; i < n; i++)
    take(&pool, x[i] * x[i]);
  real r = give(&pool) * give(&pool);
  take(&pool, r * x[0]);
  for (Slot *slot = pool.used; slot; slot = slot->next)
    r += slot->value * x[1];
  return r;
}

/* --- A ring with pointers to its head and its tail. --- */

typedef struct {
  real cells[4];
  real *head, *tail;
  int count;
} Ring;

static NOINLINE void put(Ring *ring, real value) {
  *ring->tail = value;
  if (++ring->tail == ring->cells + 4)
    ring->tail = ring->cells;
  ring->count++;
}

static NOINLINE real get(Ring *ring) {
  real value = *ring->head;
  if (++ring->head == ring->cells + 4)
    ring->head = ring->cells;
  ring->count--;
  return value;
}

SUM(ring_with_head_and_tail, 5, 1.0, 2.0, 3.0, 4.0, 5.0) {
  Ring ring;
  memset(&ring, 0, sizeof ring);
  ring.head = ring.tail = ring.cells;
  real r = 0;
  for (int i = 0; i < n; i++) {
    put(&ring, x[i] * x[0]);
    if (ring.count == 3)
      r = r * 0.5 + get(&ring) * x[1];
  }
  Ring other = ring;
  other.head = other.cells + (ring.head - ring.cells);
  other.tail = other.cells + (ring.tail - ring.cells);
  put(&other, r);
  while (other.count)
    r += get(&other) * get(&ring) * (ring.count > 0);
  return r;
}

/* --- Rows of one block, after their pointers. --- */

static NOINLINE real **rows_of(int rows, int columns) {
  real **row = (real **)malloc(rows * (sizeof *row + columns * sizeof **row));
  real *block = (real *)(row + rows);
  for (int i = 0; i < rows; i++)
    row[i] = block + i * columns;
  return row;
}

static NOINLINE real **rows_apart(int rows, int columns) {
  real **row = (real **)malloc(rows * sizeof *row);
  row[0] = (real *)malloc(rows * columns * sizeof **row);
  for (int i = 1; i < rows; i++)
    row[i] = row[0] + i * columns;
  return row;
}

SUM(rows_into_one_block, 4, 1.0, 2.0, 3.0, 4.0) {
  real **a = rows_apart(n, n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j] = x[i] * x[j] + i;
  real *swapped = a[1];
  a[1] = a[2];
  a[2] = swapped;
  real r = 0;
  for (int i = 1; i < n; i++)
    for (int j = 0; j < n; j++) {
      a[i][j] -= 0.1 * a[i - 1][j];
      r += a[i][j] * x[j];
    }
  real *first = a[0] < a[1] ? a[0] : a[1];
  free(first);
  free(a);
  return r;
}

SUM(rows_behind_their_pointers, 4, 1.0, 2.0, 3.0, 4.0) {
  real **a = rows_of(n, n);
  real r = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j] = x[i] * x[j] + i;
  for (int i = 1; i < n; i++)
    for (int j = 0; j < n; j++)
      r += a[i][j] * a[i - 1][j];
  free(a);
  return r;
}

/* --- Parts of one allocation. --- */

typedef struct {
  real *position, *speed, *force;
  int count;
} State;

static NOINLINE State state_of(int count) {
  State state;
  state.position = (real *)calloc(3 * count, sizeof(real));
  state.speed = state.position + count;
  state.force = state.speed + count;
  state.count = count;
  return state;
}

static NOINLINE void advance(State *state, real step) {
  for (int i = 0; i < state->count; i++)
    state->force[i] = -state->position[i] + 0.1 * state->speed[(i + 1) % state->count];
  for (int i = 0; i < state->count; i++) {
    state->speed[i] += step * state->force[i];
    state->position[i] += step * state->speed[i];
  }
}

SUM(parts_of_one_allocation, 3, 1.0, 2.0, 3.0) {
  State state = state_of(n);
  for (int i = 0; i < n; i++)
    state.position[i] = x[i] * x[i];
  for (int k = 0; k < 3; k++)
    advance(&state, 0.1 * x[0]);
  State old = state;
  real *exchanged = state.position;
  state.position = state.speed;
  state.speed = exchanged;
  advance(&state, 0.1);
  real r = 0;
  for (int i = 0; i < n; i++)
    r += old.position[i] * state.position[i];
  free(old.position);
  return r;
}

/* --- Structures in structures, which point at each other. --- */

typedef struct {
  real v[2];
  float q;
  int k;
  struct {
    real z;
    char c;
    real *back;
  } deep;
} Inner;

typedef struct {
  char tag;
  Inner a[2];
  real s;
  Inner *link;
} Outer;

static NOINLINE real walk(Outer *o, int depth) {
  if (!depth)
    return o->s;
  o->link->v[depth & 1] += o->s * o->a[depth & 1].deep.z;
  return *o->link->deep.back * walk(o, depth - 1) + o->a[0].v[1];
}

SUM(nested_and_crosswise, 4, 0.7, -0.4, 1.3, 0.9) {
  Outer o;
  memset(&o, 0, sizeof o);
  for (int i = 0; i < 2; i++) {
    o.a[i].v[0] = x[i];
    o.a[i].v[1] = x[i + 1] * x[i];
    o.a[i].deep.z = exp(x[n - 1 - i] / 3);
    o.a[i].deep.back = &o.a[1 - i].v[0];
    o.a[i].q = 3;
    o.a[i].k = i;
  }
  o.s = x[2] * x[3];
  o.link = &o.a[1];
  Outer c = o;
  c.s *= 2;
  c.a[0] = o.a[1];
  return walk(&o, 3) + walk(&c, 2) * c.a[0].v[0];
}

/* --- Self pointers of an argument. --- */

static NOINLINE void point(Reader *reader, real *other, int own) {
  reader->cursor = own ? reader->numbers : other;
  reader->left = 2;
}

SUM(helper_lets_it_point, 4, 1.0, 2.0, 3.0, 4.0) {
  Reader readers[2];
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < n; i++)
      readers[k].numbers[i] = x[i] * x[k];
    point(&readers[k], x, k);
  }
  Reader kept = readers[0];
  readers[0] = readers[1];
  readers[1] = kept;
  real r = 0;
  for (int k = 0; k < 2; k++)
    r = r * x[0] + next_number(&readers[k]) * next_number(&readers[k]);
  return r;
}

static NOINLINE real powers(real *at, const real *end) {
  real product = 1;
  for (; at < end; at++) {
    product *= *at;
    *at = product * product;
  }
  return product;
}

static NOINLINE real ended(const real *x, int n) {
  struct {
    real two[2];
  } pair = {{x[0], x[1] * x[2]}};
  real four[4] = {x[0], x[1], x[2], x[3]}, one = x[0] * x[3], sum = 1;
  for (int i = 0; i < n; i++) {
    sum *= powers(four, four + 4);
    sum += powers(&one, &one + 1) * sum;
    sum -= powers(pair.two, pair.two + 2);
  }
  return sum + four[3] * one;
}

/* Behind a variable on the tape stands another: its end is not where that begins. */
SUM(ends_of_variables, 4, 0.7, 0.8, 1.1, 0.9) {
  real sum = 0;
  for (int i = 0; i < 3; i++)
    sum += ended(x, i);
  return n > 1 ? sum : 0;
}

SUM(from_both_ends, 4, 0.7, 0.8, 1.1, 0.9) {
  real sorted[4], sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j + 1 < n - i; j++)
      if (x[j] < x[j + 1]) {
        real kept = x[j];
        x[j] = x[j + 1];
        x[j + 1] = kept;
      }
  memcpy(sorted, x, sizeof sorted);
  for (real *low = sorted, *high = sorted + 4; low < high; low++)
    *low *= *--high;
  for (int i = 0; i < 4; i++)
    sum += sorted[i];
  return sum;
}
