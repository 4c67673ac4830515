// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Memory whose size is known only at run time: arrays on the stack, realloc, what is handed out. */
#include "cases.h"

#include <alloca.h>

#ifdef __cplusplus
#pragma clang diagnostic ignored "-Wvla-cxx-extension"
#endif

/* --- Arrays on the stack --------------------------------------------------------------------- */

SUM(vla_once, 4, 1.5, -0.5, 2.0, 0.25) {
  real a[n];
  for (int i = 0; i < n; i++)
    a[i] = x[n - 1 - i] * x[i];
  real sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i] * a[n - 1 - i];
  return sum;
}

SUM(vla_overwritten, 3, 1.5, -0.5, 2.0) {
  real a[n + 1];
  a[0] = 1;
  for (int i = 0; i < n; i++)
    a[i + 1] = a[i] * x[i] + sin(x[i]);
  for (int i = 0; i < n; i++)
    a[i] = a[i] * a[i + 1];
  real sum = 0;
  for (int i = 0; i <= n; i++)
    sum += a[i] * a[i];
  return sum;
}

/* One in each iteration, of another size. */
SUM(vla_in_loop, 4, 1.5, -0.5, 2.0, 0.25) {
  real sum = 0;
  for (int k = 1; k <= n; k++) {
    real a[k];
    for (int i = 0; i < k; i++)
      a[i] = x[i] * x[k - 1];
    for (int i = 1; i < k; i++)
      a[i] += a[i - 1] * a[i];
    sum += a[k - 1];
  }
  return sum;
}

SUM(vla_in_unknown_loop, 3, 1.5, 0.5, 1.1) {
  real sum = x[0];
  int k = 1;
  while (sum < 40 && k < 9) {
    real a[k], b[k + 1];
    for (int i = 0; i < k; i++)
      a[i] = x[i % n] * sum;
    b[0] = 1;
    for (int i = 0; i < k; i++)
      b[i + 1] = b[i] + a[i] * b[i];
    sum += b[k] * 0.1;
    k++;
  }
  return sum;
}

SUM(vla_of_rows, 4, 1.5, -0.5, 2.0, 0.25) {
  real a[n][n + 1];
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= n; j++)
      a[i][j] = x[i] * x[j % n] + i;
  real sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      sum += a[i][j] * a[j][i + 1];
  return sum;
}

/* The integers are no floats: their array has no shadow. */
SUM(vla_of_indices, 4, 1.5, -0.5, 2.0, 0.25) {
  int order[n];
  for (int i = 0; i < n; i++)
    order[i] = (i * 3 + 1) % n;
  real sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[order[i]] * x[order[n - 1 - i]] * x[i];
  return sum;
}

SUM(vla_of_indices_in_loop, 4, 1.5, -0.5, 2.0, 0.25) {
  real sum = 0;
  for (int k = 1; k <= n; k++) {
    int order[k];
    for (int i = 0; i < k; i++)
      order[i] = (i * 3 + k) % n;
    for (int i = 0; i < k; i++)
      sum += x[order[i]] * x[order[k - 1 - i]] * sum + x[i];
  }
  return sum;
}

/* What alloca gives stays until the function returns. */
SUM(alloca_list, 4, 1.5, -0.5, 2.0, 0.25) {
  struct Link {
    real value;
    struct Link *next;
  } *first = NULL;
  for (int i = 0; i < n; i++) {
    struct Link *link = (struct Link *)alloca(sizeof(struct Link));
    link->value = x[i] * (first ? first->value : x[n - 1]);
    link->next = first;
    first = link;
  }
  real sum = 0;
  for (struct Link *link = first; link; link = link->next)
    sum += link->value * link->value;
  return sum;
}

SUM(alloca_in_branch, 3, 1.5, -0.5, 2.0, 0.5, 0.5, 0.5) {
  real one = 1;
  real *a = &one;
  if (x[0] > 1) {
    a = (real *)alloca((size_t)n * sizeof(real));
    for (int i = 0; i < n; i++)
      a[i] = x[i] * x[0];
  }
  return a[0] * x[1] + a[0] * a[0];
}

static NOINLINE void powers(int n, real base, real *all) {
  all[0] = 1;
  for (int i = 1; i < n; i++)
    all[i] = all[i - 1] * base;
}

static NOINLINE real horner_vla(int n, const real *x, real at) {
  real a[n];
  powers(n, at, a);
  real sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i] * x[i];
  return sum;
}

SUM(vla_to_callee, 4, 1.5, -0.5, 2.0, 0.25) {
  real sum = 0;
  for (int i = 0; i < n; i++)
    sum += horner_vla(i + 1, x, x[i]) * x[0];
  return sum;
}

static NOINLINE real halves(int n, const real *x) {
  if (n == 1)
    return x[0] * x[0];
  int half = n / 2;
  real left[half], right[n - half];
  for (int i = 0; i < half; i++)
    left[i] = x[i] * x[n - 1];
  for (int i = half; i < n; i++)
    right[i - half] = x[i] + x[0];
  return halves(half, left) * halves(n - half, right);
}

SUM(vla_in_recursion, 4, 1.5, -0.5, 2.0, 0.25) { return halves(n, x); }

MAP(vla_swap, 3, 3, 1.5, -0.5, 2.0) {
  real saved[n];
  memcpy(saved, x, (size_t)n * sizeof(real));
  for (int i = 0; i < n; i++)
    y[i] = saved[n - 1 - i] * saved[i];
  memcpy(x, saved, (size_t)n * sizeof(real));
}

SUM(vla_aligned, 4, 1.5, -0.5, 2.0, 0.25) {
  real sum = 0;
  for (int k = 1; k <= n; k++) {
    real a[k] __attribute__((aligned(128)));
    sum += (real)((size_t)a % 128 != 0);
    for (int i = 0; i < k; i++)
      a[i] = x[i] * x[k - 1];
    sum += a[0] * a[k - 1];
  }
  return sum;
}

static NOINLINE int is_aligned(const void *address, size_t alignment) {
  return (size_t)address % alignment == 0;
}

static NOINLINE real chain(int n, const real *x, real by) {
  real a[8] __attribute__((aligned(64)));
  if (!is_aligned(a, 64))
    return 0;
  for (int i = 0; i < 8; i++)
    a[i] = x[i % n] * by;
  for (int i = 0; i < 8; i++)
    a[i] = sin(a[i]) * a[(i + 3) % 8];
  return a[n % 8] + a[0] * a[3];
}

/* The array lies in the callee's tape, and that in a record. */
SUM(aligned_in_callee, 3, 1.1, 0.4, 0.3) {
  real sum = x[0];
  for (int k = 0; sum < 100 && k < 7; k++)
    sum += fabs(chain(n, x, sum)) * 0.1 + x[1];
  return sum;
}

/* --- Memory that grows and shrinks ------------------------------------------------------------ */

SUM(grown, 4, 1.5, -0.5, 2.0, 0.25) {
  real *a = (real *)malloc(2 * sizeof(real));
  a[0] = x[0] * x[1];
  a[1] = x[1] * x[2];
  a = (real *)realloc(a, (size_t)n * sizeof(real));
  for (int i = 2; i < n; i++)
    a[i] = a[i - 1] * x[i] + a[i - 2];
  real sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i] * a[i];
  free(a);
  return sum;
}

SUM(shrunk_and_grown, 4, 1.5, -0.5, 2.0, 0.25) {
  real *a = (real *)malloc((size_t)n * sizeof(real));
  for (int i = 0; i < n; i++)
    a[i] = x[i] * x[(i + 1) % n];
  real sum = a[n - 1] * a[0];
  a = (real *)realloc(a, 2 * sizeof(real));
  sum += a[1] * a[0];
  a = (real *)realloc(a, (size_t)n * sizeof(real));
  for (int i = 2; i < n; i++)
    a[i] = a[i - 1] * x[i];
  for (int i = 0; i < n; i++)
    sum += a[i] * a[n - 1 - i];
  free(a);
  return sum;
}

SUM(grown_in_loop, 5, 1.5, -0.5, 2.0, 0.25, 0.7) {
  real *a = NULL;
  int room = 0;
  real sum = 0;
  for (int i = 0; i < n; i++) {
    if (i == room) {
      room = room ? 2 * room : 1;
      a = (real *)realloc(a, (size_t)room * sizeof(real));
    }
    a[i] = x[i] * (i ? a[i - 1] : x[n - 1]);
    sum += a[i / 2] * a[i];
  }
  for (int i = 0; i < n; i++)
    sum += a[i] * x[i];
  free(a);
  return sum;
}

struct Series {
  real *items;
  int count, room;
};

static NOINLINE void append(struct Series *series, real item) {
  if (series->count == series->room) {
    series->room = series->room ? 2 * series->room : 2;
    series->items = (real *)realloc(series->items, (size_t)series->room * sizeof(real));
  }
  series->items[series->count++] = item;
}

SUM(appended, 5, 1.5, -0.5, 2.0, 0.25, 0.7) {
  struct Series series = {NULL, 0, 0};
  for (int i = 0; i < n; i++)
    append(&series, x[i] * x[n - 1 - i]);
  for (int i = 0; i < n; i++)
    append(&series, series.items[i] * series.items[(i + 1) % n]);
  real sum = 0;
  for (int i = 0; i < series.count; i++)
    sum += series.items[i] * series.items[i];
  free(series.items);
  return sum;
}

/* An array of pointers grows: their shadows move along. */
SUM(rows_appended, 3, 1.5, -0.5, 2.0) {
  real **rows = NULL;
  for (int i = 0; i < n; i++) {
    rows = (real **)realloc(rows, (size_t)(i + 1) * sizeof(real *));
    rows[i] = (real *)malloc(2 * sizeof(real));
    rows[i][0] = x[i] * x[0];
    rows[i][1] = i ? rows[i - 1][0] * x[i] : x[i];
  }
  real sum = 0;
  for (int i = 0; i < n; i++) {
    sum += rows[i][0] * rows[i][1];
    free(rows[i]);
  }
  free(rows);
  return sum;
}

SUM(indices_grown, 4, 1.5, -0.5, 2.0, 0.25) {
  int *order = NULL;
  for (int i = 0; i < n; i++) {
    order = (int *)realloc(order, (size_t)(i + 1) * sizeof(int));
    order[i] = (3 * i + 1) % n;
  }
  real sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[order[i]] * x[i] * x[i];
  free(order);
  return sum;
}

/* What is never read may be left unwritten: of some elements nothing is seen. */
SUM(grown_unread, 2, 1.5, -0.5) {
  real *a = (real *)malloc(sizeof(real));
  a[0] = x[0] * x[1];
  a = (real *)realloc(a, 2 * sizeof(real));
  real sum = a[0] * a[0] * n;
  a[1] = sum;
  sum += a[1] * x[1];
  free(a);
  return sum;
}

struct Counted {
  real weight;
  int count;
};

SUM(grown_struct, 3, 1.5, -0.5, 2.0) {
  struct Counted *c = (struct Counted *)malloc(sizeof *c);
  c->weight = x[0] * x[1];
  c->count = n;
  c = (struct Counted *)realloc(c, 3 * sizeof *c);
  c[1] = c[0];
  c[1].weight *= x[2];
  real sum = c[1].weight * c[1].count + c[0].weight;
  free(c);
  return sum;
}

/* --- Memory that is handed out ---------------------------------------------------------------- */

static NOINLINE void make_squares(int n, const real *x, real **out) {
  real *a = (real *)malloc((size_t)n * sizeof(real));
  for (int i = 0; i < n; i++)
    a[i] = x[i] * x[i];
  *out = a;
}

SUM(handed_out, 4, 1.5, -0.5, 2.0, 0.25) {
  real *a = NULL, *b = NULL;
  make_squares(n, x, &a);
  make_squares(n - 1, a, &b);
  real sum = 0;
  for (int i = 0; i + 1 < n; i++)
    sum += a[i + 1] * b[i];
  free(a);
  free(b);
  return sum;
}

/* Rows without elements have pointers that lead nowhere and are not null. */
typedef struct Row {
  long room;
  real *at;
  long used;
} Row;

static Row row_new(const real *from, long count) {
  Row row = {count, (real *)sizeof(real), count};
  if (count)
    row.at = (real *)malloc(sizeof(real) * (size_t)count);
  for (long k = 0; k < count; k++)
    row.at[k] = from[k] * from[0];
  return row;
}

SUM(rows_that_lead_nowhere, 6, 1.5, -0.5, 2.0, 0.25, 1.1, -0.7) {
  Row *rows = (Row *)malloc(sizeof(Row) * (size_t)n);
  for (int i = 0; i < n; i++)
    rows[i] = row_new(x + i, i % 3 < n - i ? i % 3 : 0);
  real sum = 0;
  for (int i = 0; i < n; i++) {
    for (long k = 0; k < rows[i].used; k++)
      sum += rows[i].at[k] * x[k];
    if (rows[i].room)
      free(rows[i].at);
  }
  free(rows);
  return sum;
}
