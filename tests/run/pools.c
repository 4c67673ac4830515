// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Records, counts and numbers of one pool of bytes, in a file that keeps to its types: at -O0 its
 * text tells what TBAA would tell. */
// load: -fplugin
#include "cases.h"

typedef struct {
  char *bytes;
  size_t used;
} Pool;

static void *take(Pool *pool, size_t bytes) {
  void *taken = pool->bytes + pool->used;
  pool->used += (bytes + 15) & ~(size_t)15;
  return taken;
}

typedef struct {
  int rows, columns;
  real *at;
} Matrix;

static Matrix *matrix(Pool *pool, int rows, int columns) {
  Matrix *made = (Matrix *)take(pool, sizeof *made);
  made->rows = rows;
  made->columns = columns;
  made->at = (real *)take(pool, (size_t)(rows * columns) * sizeof(real));
  return made;
}

static Matrix *product(Pool *pool, const Matrix *a, const Matrix *b) {
  Matrix *c = matrix(pool, a->rows, b->columns);
  for (int i = 0; i < c->rows; i++)
    for (int j = 0; j < c->columns; j++) {
      real sum = 0;
      for (int k = 0; k < a->columns; k++)
        sum += a->at[i * a->columns + k] * b->at[k * b->columns + j];
      c->at[i * c->columns + j] = sum;
    }
  return c;
}

MAP(matrices_of_a_pool, 4, 1, 0.3, 0.5, 0.7, 1.1) {
  Pool pool = {(char *)malloc(4096), 0};
  Matrix *a = matrix(&pool, 2, 2);
  for (int i = 0; i < n; i++)
    a->at[i] = x[i];
  const Matrix *c = product(&pool, product(&pool, a, a), a);
  for (int i = 0; i < c->rows * c->columns; i++)
    y[0] += c->at[i] * (real)(i + 1);
  free(pool.bytes);
}

static int *multiples(Pool *pool, int n, int of) {
  int *made = (int *)take(pool, (size_t)n * sizeof(int));
  made[0] = of;
  for (int i = 1; i < n; i++)
    made[i] = made[i - 1] + of;
  return made;
}

MAP(counts_of_a_pool, 3, 1, 0.3, 0.5, 0.7) {
  Pool pool = {(char *)malloc(4096), 0};
  const int *twos = multiples(&pool, n, 2);
  real *squares = (real *)take(&pool, (size_t)n * sizeof(real));
  for (int i = 0; i < n; i++)
    squares[i] = x[i] * x[i];
  const int *others = multiples(&pool, n, twos[1] + 1);
  for (int i = 0; i < n; i++)
    y[0] += squares[i] * (real)(twos[i] * others[i]);
  free(pool.bytes);
}

typedef struct Tree {
  struct Tree *up, *below[2];
  real *weights;
  int depth;
} Tree;

static Tree *grow(Pool *pool, Tree *up, const real *x, int depth) {
  Tree *tree = (Tree *)take(pool, sizeof *tree);
  tree->up = up;
  tree->depth = depth;
  tree->weights = (real *)take(pool, 2 * sizeof(real));
  tree->weights[0] = x[depth];
  tree->weights[1] = up ? up->weights[0] * x[depth] : 1;
  for (int i = 0; i < 2; i++)
    tree->below[i] = depth < 2 ? grow(pool, tree, x + i, depth + 1) : NULL;
  return tree;
}

static real total(const Tree *tree) {
  if (!tree)
    return 0;
  return tree->weights[0] * tree->weights[1] * (real)(tree->depth + 1) + total(tree->below[0]) +
         2 * total(tree->below[1]);
}

MAP(trees_of_a_pool, 5, 1, 0.3, 0.5, 0.7, 1.1, 0.2) {
  Pool pool = {(char *)malloc(8192), 0};
  if (n == 5)
    y[0] = total(grow(&pool, NULL, x, 0));
  free(pool.bytes);
}

typedef struct Shelf {
  real numbers[4], *next;
  struct Shelf *more;
  int count;
} Shelf;

/* A struct that points to itself, with a cursor and a count. */
MAP(shelves, 4, 1, 0.3, 0.5, 0.7, 1.1) {
  Shelf shelf;
  shelf.more = &shelf;
  shelf.next = shelf.numbers;
  shelf.count = 0;
  for (int i = 0; i < n; i++) {
    *shelf.next++ = x[i] * x[i];
    shelf.more->count++;
  }
  shelf.more->next = shelf.numbers;
  for (int i = 0; i < shelf.more->count; i++) {
    y[0] += *shelf.more->next * (real)(i + 1);
    shelf.more->next++;
  }
}

typedef struct {
  real *weights, *shifts;
  int in, out;
} Layer;

/* Records, matrices and results lie behind each other, each at a multiple of 16 bytes, and the last
 * go to the caller's array. */
static NOINLINE void through_layers(const real *x, int n, real *y, int m) {
  Pool pool = {(char *)malloc(1 << 14), 0};
  Layer *layers = (Layer *)take(&pool, 3 * sizeof *layers);
  int sizes[4] = {n, 4, 3, m};
  for (int i = 0; i < 3; i++) {
    Layer *layer = &layers[i];
    layer->in = sizes[i];
    layer->out = sizes[i + 1];
    layer->weights = (real *)take(&pool, (size_t)(sizes[i] * sizes[i + 1]) * sizeof(real));
    layer->shifts = (real *)take(&pool, (size_t)sizes[i + 1] * sizeof(real));
    for (int k = 0; k < sizes[i] * sizes[i + 1]; k++)
      layer->weights[k] = (real)0.3 * (k % 3 - 1) + x[k % n];
    for (int k = 0; k < sizes[i + 1]; k++)
      layer->shifts[k] = x[k % n];
  }
  const real *in = x;
  for (int i = 0; i < 3; i++) {
    real *out = (real *)take(&pool, (size_t)layers[i].out * sizeof *out);
    for (int r = 0; r < layers[i].out; r++) {
      real sum = layers[i].shifts[r];
      for (int c = 0; c < layers[i].in; c++)
        sum += layers[i].weights[r * layers[i].in + c] * in[c];
      out[r] = tanh(sum);
    }
    in = out;
  }
  for (int i = 0; i < m; i++)
    y[i] = in[i];
  free(pool.bytes);
}

MAP(layers_in_a_pool, 4, 3, 0.5, 0.7, 0.3, 0.9) { through_layers(x, n, y, 3); }

typedef struct Block {
  struct Block *next;
  size_t used;
  _Alignas(16) char data[128];
} Block;

static void *take_of(Block **first, size_t bytes) {
  bytes = (bytes + 15) & ~(size_t)15;
  if (!*first || (*first)->used + bytes > sizeof(*first)->data) {
    Block *made = (Block *)malloc(sizeof *made);
    made->next = *first;
    made->used = 0;
    *first = made;
  }
  (*first)->used += bytes;
  return (*first)->data + ((*first)->used - bytes);
}

static void let_go(Block **first) {
  Block *next = (*first)->next;
  free(*first);
  *first = next;
}

typedef struct {
  int id;
  float weight;
  real at[2];
} Weighted;

/* Numbers are moved to where floats lie beside them. */
MAP(chain_of_blocks, 3, 2, 0.3, 0.5, 0.7) {
  Block *blocks = NULL;
  for (int k = 0; k < 2; k++) {
    real *squares = (real *)take_of(&blocks, (size_t)n * sizeof *squares);
    for (int i = 0; i < n; i++)
      squares[i] = x[i] * x[i];
    Weighted *all = (Weighted *)take_of(&blocks, (size_t)n * sizeof *all);
    for (int i = 0; i < n; i++) {
      all[i].id = i * k;
      all[i].weight = 0.5F;
      all[i].at[0] = squares[i];
      all[i].at[1] = squares[n - 1 - i] * x[0];
    }
    for (int i = 0; i < n; i++)
      y[k] += all[i].at[0] * all[i].at[1] + (real)(all[i].id * all[i].weight) * x[i];
    while (blocks->next)
      let_go(&blocks);
    blocks->used = 0;
  }
  let_go(&blocks);
}

/* --- Structs that are pushed and popped by value: the integer is computed with. --- */

typedef struct {
  real x, y, z, w;
  int bits;
} Point;

typedef struct {
  Point *all;
  int count, room;
} Points;

static void push(Points *points, Point point) {
  if (points->count == points->room) {
    points->room = points->room ? 2 * points->room : 1;
    points->all = (Point *)realloc(points->all, (size_t)points->room * sizeof(Point));
  }
  points->all[points->count++] = point;
}

static Point pop(Points *points) { return points->all[--points->count]; }

MAP(stack_of_structs, 3, 1, 0.3, 0.5, 0.7) {
  Points points = {NULL, 0, 0};
  for (int i = 0; i < 3; i++)
    push(&points, (Point){x[i], x[2 - i], 1, 2, i});
  Point a = pop(&points), b = pop(&points);
  push(&points, (Point){a.x * b.y, a.y + b.x, b.w, x[0], a.bits ^ b.bits});
  const Point *last = &points.all[points.count - 1];
  y[0] = last->x * last->y * last->w;
  free(points.all);
}
