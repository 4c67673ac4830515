// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Local arrays, malloc, calloc, free, memcpy, memmove, memset. */
#include "cases.h"

SUM(local_array, 4, 1.0, 2.0, 3.0, 4.0) {
  real a[8];
  for (int i = 0; i < n; i++)
    a[i] = x[i] * x[i];
  real sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i] * a[n - 1 - i];
  return sum;
}

SUM(local_array_updated, 4, 0.1, 0.2, 0.3, 0.4) {
  real a[4] = {0, 0, 0, 0};
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < n; i++)
      a[i] = a[(i + 1) % 4] * x[i] + x[(i + k) % n];
  return a[0] * a[3];
}

SUM(local_array_in_loop, 4, 1.0, 2.0, 3.0, 4.0) {
  real r = 1;
  for (int i = 0; i < n; i++) {
    real a[3];
    a[0] = x[i];
    a[1] = a[0] * r;
    a[2] = sin(a[1]);
    r = a[2] * a[0] + a[(i % 3)];
  }
  return r;
}

SUM(zeroed_array_in_loop, 4, 1.0, 2.0, 3.0, 4.0) {
  real r = 0.5;
  for (int i = 0; i < n; i++) {
    real a[4] = {0};
    a[i % 4] = x[i] * r;
    r = r + a[0] * a[0] + a[1] - a[3];
  }
  return r;
}

SUM(heap_array, 4, 1.0, 2.0, 3.0, 4.0) {
  real *a = (real *)malloc((size_t)n * sizeof(real));
  for (int i = 0; i < n; i++)
    a[i] = x[i] * x[i];
  real sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i] * a[n - 1 - i];
  free(a);
  return sum;
}

SUM(cleared_heap_array, 4, 1.0, 2.0, 3.0, 4.0) {
  real *a = (real *)calloc((size_t)n, sizeof(real));
  for (int i = 0; i < n; i += 2)
    a[i] = x[i] * x[i];
  real sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i] * x[i];
  free(a);
  return sum;
}

SUM(accumulating_in_cleared_array, 4, 1.0, 2.0, 3.0, 4.0) {
  real *a = (real *)calloc(3, sizeof(real));
  for (int i = 0; i < n; i++)
    a[i % 3] += x[i] * x[i];
  real sum = a[0] * a[1] + a[2];
  free(a);
  return sum;
}

SUM(heap_in_a_loop, 4, 1.0, 2.0, 3.0, 4.0) {
  real r = 0.5;
  for (int i = 0; i < n; i++) {
    real *a = (real *)malloc((size_t)(i + 1) * sizeof(real));
    for (int j = 0; j <= i; j++)
      a[j] = x[j] * r;
    r = 0.1 * a[0] * a[i];
    free(a);
  }
  return r;
}

SUM(heap_under_a_condition, 4, 1.0, 2.0, 3.0, 4.0, -1.0, 2.0, 3.0, 4.0) {
  if (x[0] < 0)
    return x[1] * x[2];
  real *a = (real *)malloc((size_t)n * sizeof(real));
  a[0] = x[0] * x[1];
  a[1] = a[0] * x[3];
  real r = a[0] * a[1];
  free(a);
  return r;
}

SUM(heap_freed_on_two_paths, 4, 1.0, 2.0, 3.0, 4.0, 3.0, 2.0, 3.0, 4.0) {
  real *a = (real *)malloc((size_t)n * sizeof(real));
  for (int i = 0; i < n; i++)
    a[i] = x[i] * x[0];
  if (a[0] > 4) {
    real r = a[1] * a[2];
    free(a);
    return r;
  }
  real r = a[2] * a[2] * a[3];
  free(a);
  return r;
}

SUM(heap_of_each_length, 3, 1.0, 2.0, 3.0) {
  real *rows[4];
  for (int i = 0; i < n; i++) {
    rows[i] = (real *)malloc((size_t)(i + 1) * sizeof(real));
    for (int j = 0; j <= i; j++)
      rows[i][j] = x[i] * x[j];
  }
  real sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      sum += rows[i][j] * rows[n - 1][j];
  for (int i = 0; i < n; i++)
    free(rows[i]);
  return sum;
}

SUM(heap_of_pointers, 3, 1.0, 2.0, 3.0) {
  real **rows = (real **)malloc((size_t)n * sizeof(real *));
  for (int i = 0; i < n; i++) {
    rows[i] = (real *)calloc((size_t)n, sizeof(real));
    rows[i][i] = x[i] * x[i];
    rows[i][0] += x[n - 1];
  }
  real sum = 0;
  for (int i = 0; i < n; i++) {
    sum += rows[i][i] * rows[i][0];
    free(rows[i]);
  }
  free(rows);
  return sum;
}

SUM(heap_workspace_reused, 4, 0.1, 0.2, 0.3, 0.4) {
  real *a = (real *)malloc((size_t)n * sizeof(real));
  real r = 1;
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < n; i++)
      a[i] = sin(x[i] * r);
    for (int i = 0; i < n; i++)
      r += a[i] * a[i];
  }
  free(a);
  return r;
}

static NOINLINE real *squares_of(int n, const real *x) {
  real *a = (real *)malloc((size_t)n * sizeof(real));
  for (int i = 0; i < n; i++)
    a[i] = x[i] * x[i];
  return a;
}

SUM(heap_from_a_callee, 4, 1.0, 2.0, 3.0, 4.0) {
  real *a = squares_of(n, x);
  real sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i] * a[0];
  free(a);
  return sum;
}

static NOINLINE real release_sum(int n, real *a) {
  real sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i] * a[n - 1 - i];
  free(a);
  return sum;
}

SUM(heap_freed_by_a_callee, 4, 1.0, 2.0, 3.0, 4.0) {
  real *a = squares_of(n, x);
  a[0] = a[0] * a[1];
  return release_sum(n, a);
}

SUM(inactive_heap, 4, 1.0, 2.0, 3.0, 4.0) {
  int *count = (int *)malloc((size_t)n * sizeof(int));
  for (int i = 0; i < n; i++)
    count[i] = (i * 7) % n;
  real sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[count[i]] * x[i] * count[i];
  free(count);
  return sum;
}

SUM(memcpy_constant_size, 4, 1.0, 2.0, 3.0, 4.0) {
  real a[4];
  memcpy(a, x, sizeof a);
  a[0] = a[0] * a[3];
  return a[0] * x[0] + a[n - 2];
}

SUM(memcpy_run_time_size, 4, 1.0, 2.0, 3.0, 4.0) {
  real a[8];
  memcpy(a + 1, x, (size_t)n * sizeof(real));
  return a[1] * a[n] * x[0];
}

MAP(memcpy_to_output, 4, 4, 1.0, 2.0, 3.0, 4.0) {
  x[0] = x[0] * x[1];
  memcpy(y, x, (size_t)n * sizeof(real));
  x[1] = y[2] * y[0];
}

/* Of an array that is copied whole only every other element is changed. */
MAP(memcpy_then_a_stride, 5, 5, 1.0, 2.0, 3.0, 4.0, 5.0) {
  memcpy(y, x, (size_t)n * sizeof(real));
  for (int i = 0; i < n; i += 2)
    y[i] *= 2;
}

MAP(memcpy_between_strides, 4, 4, 1.0, 2.0, 3.0, 4.0) {
  for (int i = 1; i < n; i += 2)
    x[i] = x[i] * x[i];
  memcpy(y, x, (size_t)n * sizeof(real));
  for (int i = 0; i < n; i += 3)
    y[i] *= 2;
}

MAP(memcpy_of_variable_then_a_stride, 4, 4, 1.0, 2.0, 3.0, 4.0) {
  real a[4];
  for (int i = 0; i < n; i++)
    a[i] = x[i] * x[n - 1 - i];
  memcpy(y, a, (size_t)n * sizeof(real));
  for (int i = 0; i < n; i += 2)
    y[i] = a[i] + 1;
}

MAP(memcpy_of_nothing, 4, 1, 1.0, 2.0, 3.0, 4.0) {
  memcpy(x, x + n, 0);
  y[0] = x[0] * x[1];
}

MAP(memcpy_part_onto_itself, 6, 1, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0) {
  memcpy(x + n / 2, x, (size_t)(n / 2) * sizeof(real));
  y[0] = x[0] * x[n / 2] + x[n - 1];
}

MAP(memcpy_in_a_loop, 6, 1, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0) {
  for (int i = 0; i + 1 < n; i++) {
    x[i] = x[i] * x[i] * 0.25;
    memcpy(x + i + 1, x + i, sizeof(real));
  }
  y[0] = x[n - 1];
}

MAP(memcpy_between_rows, 6, 3, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0) {
  real row[3];
  for (int k = 0; k < n / 3; k++) {
    memcpy(row, x + 3 * k, sizeof row);
    row[k] = row[k] * row[2];
    for (int i = 0; i < 3; i++)
      y[i] += row[i] * row[0];
  }
}

MAP(memmove_up, 6, 1, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0) {
  memmove(x + 1, x, (size_t)(n - 1) * sizeof(real));
  y[0] = x[1] * x[2] + x[n - 1];
}

MAP(memmove_down, 6, 1, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0) {
  memmove(x, x + 2, (size_t)(n - 2) * sizeof(real));
  y[0] = x[0] * x[2] + x[n - 1] * x[n - 3];
}

MAP(memmove_onto_itself, 4, 1, 1.0, 2.0, 3.0, 4.0) {
  memmove(x, x + (n - 4), (size_t)n * sizeof(real));
  y[0] = x[0] * x[1];
}

MAP(memset_whole, 4, 4, 1.0, 2.0, 3.0, 4.0) {
  for (int i = 0; i < n; i++)
    y[i] = x[i] * x[i];
  real kept = y[1];
  memset(y, 0, (size_t)n * sizeof(real));
  y[0] = kept * x[0];
}

MAP(memset_part_in_a_loop, 6, 2, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0) {
  real r = 1;
  for (int i = 0; i < n; i++) {
    r = r + x[i] * x[n - 1 - i];
    memset(x + i / 2, 0, sizeof(real));
  }
  y[0] = r;
  y[1] = x[n - 1] * x[0];
}

MAP(memset_local, 4, 2, 1.0, 2.0, 3.0, 4.0) {
  real a[6];
  memset(a, 0, sizeof a);
  for (int i = 0; i < n; i++)
    a[i % 3] += x[i];
  y[0] = a[0] * a[1];
  memset(a + 1, 0, 2 * sizeof(real));
  a[1] += x[0];
  y[1] = a[1] * a[0] + a[2];
}

MAP(loop_that_copies, 5, 5, 1.0, 2.0, 3.0, 4.0, 5.0) {
  for (int i = 0; i < n; i++)
    y[i] = x[i];
  for (int i = 0; i < n; i++)
    x[i] = 0;
  x[0] = y[1] * y[2];
}

MAP(loop_that_clears, 5, 1, 1.0, 2.0, 3.0, 4.0, 5.0) {
  real kept = x[0] * x[1];
  for (int i = 1; i < n; i++)
    x[i] = 0;
  y[0] = kept + x[n - 1] * x[0];
}

SUM(two_live_ranges, 4, 1.0, 2.0, 3.0, 4.0) {
  real r = 0;
  {
    real a[4];
    for (int i = 0; i < n; i++)
      a[i] = x[i] * x[i];
    r += a[0] * a[n - 1];
  }
  {
    real b[4];
    for (int i = 0; i < n; i++)
      b[i] = x[i] * r;
    r += b[1] * b[n - 1];
  }
  return r;
}

SUM(address_of_a_local, 3, 1.0, 2.0, 3.0) {
  real a = x[0];
  real b = x[1];
  real *p = &a;
  for (int i = 0; i < n; i++) {
    *p = *p * x[i] + 1;
    p = p == &a ? &b : &a;
  }
  return a * b;
}

MAP(memmove_of_every_other_number, 6, 4, -0.867, -1.067, -1.011, 1.366, 0.319, -0.896) {
  real b[8];
  for (int i = 0; i < 8; i++)
    b[i] = 1.299 * x[i % n];
  for (int i = 0; i < 2; i++) {
    y[i] *= b[i];
    memmove(y, y + 1, (size_t)(n - 3) * sizeof(real));
  }
  real *p = x[1] < -1.071 ? &y[2] : &b[4];
  *p = 0.5 * *p;
}

/* Classes have no volatile copies: the reference does without. */
#ifdef __cplusplus
#define WATCHED
#else
#define WATCHED volatile
#endif

typedef struct {
  real a, b;
  int k;
} Watched;

SCALAR2(volatile_variable, 1.5, -2.0, 0.3, 0.7) {
  WATCHED real v = x * y;
  v = v * v + x;
  return v * v * y;
}

SUM(volatile_state, 4, 1.0, 2.0, 3.0, 4.0) {
  WATCHED real state = x[0];
  volatile int i = 0;
  while (i < n) {
    state = sin(state) * x[i] + state;
    i = i + 1;
  }
  return state * state;
}

MAP(volatile_memory, 4, 2, 1.0, 2.0, 3.0, 4.0) {
  WATCHED real *v = x;
  for (int i = 1; i < n; i++)
    v[i] = v[i - 1] * v[i];
  y[0] += v[3] * v[2];
  v[3] = 2;
  y[1] = v[3] * v[1];
}

SUM(volatile_struct, 4, 1.0, 2.0, 3.0, 4.0) {
  WATCHED Watched s = {x[0], x[1], 2};
  for (int i = 0; i < n; i++) {
    s.a = s.b * x[i];
    s.b = s.a + s.k;
    s.k = i;
  }
  return s.a * s.b;
}

/* Records of any length one behind the other in one buffer: lengths are multiples of eight, and yet
 * no count lies eight bytes behind another. */
typedef struct Record {
  long n;
  real items[1];
} Record;

static size_t length_of(const Record *r) { return sizeof *r + (size_t)r->n * sizeof(real); }

static size_t write_records(char *buffer, int n, const real *x) {
  size_t used = 0;
  for (int i = 1; i <= n; i++) {
    Record *r = (Record *)(void *)(buffer + used);
    r->n = i;
    for (int k = 0; k < i; k++)
      r->items[k] = x[k];
    r->items[0] *= x[n - 1];
    used += length_of(r);
  }
  return used;
}

SUM(records_in_a_buffer, 3, 0.4, -0.7, 1.3) {
  char *buffer = (char *)malloc(4096);
  size_t used = write_records(buffer, n, x);
  real sum = 0;
  for (char *p = buffer; p < buffer + used; p += length_of((Record *)(void *)p)) {
    Record *r = (Record *)(void *)p;
    real squares = 0;
    for (int k = 0; k < r->n; k++)
      squares += r->items[k] * r->items[k] * (k + 1);
    sum = sum / 2 + squares * (real)r->n;
  }
  free(buffer);
  return sum;
}

/* --- Layers that are views of two arrays, the second of which is zeroed. --- */

typedef struct {
  int inputs, outputs;
  real *weights, *sums, *values;
} Layer;

typedef struct {
  int count;
  Layer *layers[2];
  real *weights, *sums;
} Net;

static NOINLINE Layer *make_layer(int inputs, int outputs, real *weights, real *sums) {
  Layer *layer = (Layer *)malloc(sizeof *layer);
  real *values = (real *)calloc((size_t)outputs, sizeof(real));
  *layer = (Layer){inputs, outputs, weights, sums, values};
  return layer;
}

static NOINLINE const real *run_layers(const Net *net, const real *in) {
  for (int k = 0; k < net->count; k++) {
    Layer *layer = net->layers[k];
    for (int i = 0; i < layer->outputs; i++) {
      for (int j = 0; j < layer->inputs; j++)
        layer->values[i] += layer->weights[i * layer->inputs + j] * in[j];
      layer->sums[i] += layer->values[i] * layer->values[i];
    }
    in = layer->values;
  }
  return in;
}

SUM(views_of_zeroed_memory, 3, 0.5, 0.25, 0.75) {
  int sizes[] = {n, 2, 1};
  Net net = {2, {NULL, NULL}, NULL, NULL};
  net.weights = (real *)malloc((size_t)(2 * n + 2) * sizeof(real));
  net.sums = (real *)calloc((size_t)n, sizeof(real));
  for (int i = 0; i < 2 * n + 2; i++)
    net.weights[i] = x[i % n] * (real)(i + 1);
  for (int k = 0; k < 2; k++)
    net.layers[k] = make_layer(sizes[k], sizes[k + 1], net.weights + k * 2 * n, net.sums + k * 2);
  real result = run_layers(&net, x)[0];
  for (int i = 0; i < n; i++)
    result += net.sums[i] * x[i];
  for (int k = 0; k < 2; k++) {
    free(net.layers[k]->values);
    free(net.layers[k]);
  }
  free(net.weights);
  free(net.sums);
  return result;
}
