// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Ways of writing C: clean-up by goto, small machines, ring buffers, matrices as rows. */
#include "cases.h"

SUM(cleanup_by_goto, 4, 1.0, 2.0, 3.0, 4.0, 5.0, 2.0, 3.0, 4.0) {
  real r = 0;
  real *a = NULL;
  real *b = NULL;
  a = (real *)malloc((size_t)n * sizeof(real));
  if (!a)
    goto done;
  for (int i = 0; i < n; i++)
    a[i] = x[i] * x[0];
  if (a[0] > 20) {
    r = a[1];
    goto done;
  }
  b = (real *)calloc((size_t)n, sizeof(real));
  for (int i = 0; i < n; i++)
    b[n - 1 - i] += a[i] * x[i];
  r = a[1] * b[0];
done:
  free(b);
  free(a);
  return r;
}

MAP(rows_of_a_matrix, 9, 3, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0) {
  real(*m)[3] = (real(*)[3])x;
  for (int i = 0; i < n / 3; i++)
    for (int j = 0; j < 3; j++)
      y[i] += m[i][j] * m[j][i];
  m[0][1] = y[2] * m[1][0];
}

MAP(ring_buffer, 5, 5, 1.0, 2.0, 3.0, 4.0, 5.0) {
  real ring[3] = {0, 0, 0};
  int head = 0;
  for (int i = 0; i < 2 * n; i++) {
    real oldest = ring[head];
    ring[head] = sin(x[i % n] + oldest);
    head = (head + 1) % 3;
    y[i % n] = ring[head] + oldest * 0.5;
  }
}

static NOINLINE real run_machine(const char *program, const real *x) {
  real stack[8];
  int top = 0;
  for (const char *p = program; *p; p++) {
    switch (*p) {
    case '+':
      top--;
      stack[top - 1] = stack[top - 1] + stack[top];
      break;
    case '*':
      top--;
      stack[top - 1] = stack[top - 1] * stack[top];
      break;
    case 's':
      stack[top - 1] = sin(stack[top - 1]);
      break;
    case 'd':
      stack[top] = stack[top - 1];
      top++;
      break;
    default:
      stack[top++] = x[*p - '0'];
    }
  }
  return stack[0];
}

SUM(stack_machine, 3, 1.0, 2.0, 3.0) { return run_machine("01*d2s+*1+", x) * n; }

SUM(histogram, 8, 0.5, 1.5, 2.5, 1.2, 0.3, 3.9, 2.1, 2.2) {
  real bin[4] = {0, 0, 0, 0};
  for (int i = 0; i < n; i++)
    bin[(int)VALUE(x[i]) % 4] += x[i] * x[i];
  real r = 1;
  for (int i = 0; i < 4; i++)
    r += bin[i] * (i + 1);
  return r / (1 + bin[1]);
}

SUM(shuffled, 6, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0) {
  int order[8];
  unsigned seed = 7;
  for (int i = 0; i < n; i++)
    order[i] = i;
  for (int i = n - 1; i > 0; i--) {
    seed = seed * 1103515245u + 12345u;
    int j = (int)((seed >> 16) % (unsigned)(i + 1));
    int t = order[i];
    order[i] = order[j];
    order[j] = t;
  }
  real r = 0;
  for (int i = 0; i < n; i++)
    r = r * 0.5 + x[order[i]] * x[i];
  return r;
}

SUM(matrix_power, 4, 0.5, 0.25, -0.5, 0.75) {
  real base[4];
  real result[4] = {1, 0, 0, 1};
  real t[4];
  memcpy(base, x, sizeof base);
  for (unsigned k = 11 + (unsigned)n; k; k >>= 1) {
    if (k & 1) {
      for (int i = 0; i < 4; i++)
        t[i] = result[i & 2] * base[i & 1] + result[(i & 2) + 1] * base[2 + (i & 1)];
      memcpy(result, t, sizeof t);
    }
    for (int i = 0; i < 4; i++)
      t[i] = base[i & 2] * base[i & 1] + base[(i & 2) + 1] * base[2 + (i & 1)];
    memcpy(base, t, sizeof t);
  }
  return result[0] * result[3] + result[1];
}

SUM(heap_sort_by_value, 6, 3.0, 1.0, 4.0, 1.5, 9.0, 2.5) {
  real queue[8];
  int length = 0;
  for (int i = 0; i < n; i++) {
    int at = length++;
    while (at > 0 && queue[(at - 1) / 2] > x[i]) {
      queue[at] = queue[(at - 1) / 2];
      at = (at - 1) / 2;
    }
    queue[at] = x[i];
  }
  real r = 0;
  for (int i = 0; i < n; i++)
    r = r * 0.5 + queue[i] * queue[0];
  return r;
}

typedef enum { LINE, CURVE, WAVE } Shape;
typedef struct {
  Shape shape;
  int from;
} Piece;

SUM(tagged_pieces, 6, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0) {
  static const Piece pieces[] = {{LINE, 0}, {WAVE, 1}, {CURVE, 3}, {LINE, 4}};
  real r = 1;
  for (unsigned i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
    const real *p = x + pieces[i].from % n;
    switch (pieces[i].shape) {
    case LINE:
      r += p[0] * p[1];
      break;
    case CURVE:
      r *= p[0] / p[1];
      break;
    case WAVE:
      r = sin(r) * p[0];
    }
  }
  return r;
}

SUM(comma_and_increments, 5, 1.0, 2.0, 3.0, 4.0, 5.0) {
  const real *p = x;
  real r = 0;
  int i = 0;
  for (; i < n; r += *p * *p, p++, i++)
    ;
  while (--i > 0)
    r = r * 0.5 + *--p;
  return r;
}

MAP(moving_average, 8, 6, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0) {
  real sum = x[0] + x[1];
  for (int i = 2; i < n; i++) {
    sum += x[i];
    y[i - 2] = sum * x[i] / 3;
    sum -= x[i - 2];
  }
}

MAP(transposed_in_place, 9, 1, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0) {
  int m = n / 3;
  for (int i = 0; i < m; i++)
    for (int j = i + 1; j < m; j++) {
      real t = x[i * m + j];
      x[i * m + j] = x[j * m + i];
      x[j * m + i] = t;
    }
  y[0] = x[1] * x[2] + x[5];
}

MAP(three_buffers_rotate, 4, 4, 1.0, 2.0, 3.0, 4.0) {
  real storage[3][4];
  real *old = storage[0];
  real *now = storage[1];
  real *next = storage[2];
  for (int i = 0; i < n; i++)
    old[i] = now[i] = x[i];
  for (int step = 0; step < 4; step++) {
    for (int i = 0; i < n; i++)
      next[i] = 2 * now[i] - old[i] + 0.1 * sin(now[(i + 1) % n]);
    real *t = old;
    old = now;
    now = next;
    next = t;
  }
  for (int i = 0; i < n; i++)
    y[i] = now[i];
}

MAP(growing_vector, 4, 1, 1.0, 2.0, 3.0, 4.0) {
  int capacity = 1;
  int length = 0;
  real *v = (real *)malloc(sizeof(real));
  for (int i = 0; i < n; i++) {
    if (length == capacity) {
      capacity *= 2;
      real *bigger = (real *)malloc((size_t)capacity * sizeof(real));
      memcpy(bigger, v, (size_t)length * sizeof(real));
      free(v);
      v = bigger;
    }
    v[length++] = x[i] * x[i];
  }
  y[0] = v[0] * v[length - 1];
  free(v);
}
