// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tolerance: 2e-6
/* Small integers that the optimiser moves together with what lies beside them. */
#include "cases.h"

typedef struct Named {
  char id[2];
  real w;
} Named;

MAP(letters_sorted, 3, 2, 0.5, 0.25, 0.75, 1.5, 1.25, -0.5) {
  Named *v = (Named *)calloc(3, sizeof *v);
  for (int i = 0; i < 3; i++) {
    v[i].id[0] = (char)i;
    v[i].w = x[i];
  }
  for (int k = 0; k < 4; k++) {
    for (int i = 1; i < 3; i++) {
      Named t = v[i];
      int j = i;
      for (; j > 0 && v[j - 1].w > t.w; j--)
        v[j] = v[j - 1];
      v[j] = t;
    }
    Named t = v[k % 2];
    t.w *= v[(k + 1) % 2].w;
    v[(k + 1) % 2] = t;
  }
  y[0] += v[0].w + v[1].w * v[0].id[0];
  y[1] *= v[2].w - v[1].id[0] * v[2].id[0];
  free(v);
}

typedef struct Letters {
  int tag;
  real a[4];
  single h[2];
  char s[8];
} Letters;

MAP(letters_in_records, 15, 1, 0.5, 0.25, 0.75, 1.5, 1.25, -0.5, 2.0, 3.0, 1.0, 0.125, 0.375, 0.625,
    1.75, 0.5, -1.0) {
  Letters r[3], t;
  memset(r, 0, sizeof r);
  for (int i = 0; i < 3; i++) {
    r[i].tag = i;
    memcpy(r[i].a, x + 4 * i, sizeof r[i].a);
    r[i].h[0] = (single)x[12 + i];
    strcpy(r[i].s, "abc");
  }
  for (int k = 0; k < n + 3; k++) {
    int i = k % 3, j = (k * 2 + 1) % 3;
    t = r[i];
    if (k & 1) {
      memcpy(&r[i], &t, sizeof t);
    } else {
      r[i].h[1] = t.h[0] * r[j].h[0];
      memcpy(r[i].h, r[j].h, sizeof(single));
    }
  }
  int k = n & 1;
  y[0] += r[k].h[0] * (r[k].s[0] - 90) + r[k].a[1] * r[k + 1].h[0];
}

typedef struct Cell {
  real f[9];
  unsigned char solid;
} Cell;

static Cell grid[2][3][3];

static void stream(Cell *c) {
  if (!c->solid) {
    for (int q = 0; q < 9; q++)
      c->f[q] *= 2;
    return;
  }
  for (int q = 1; q < 5; q += 2) {
    real h = c->f[q];
    c->f[q] = c->f[q + 1];
    c->f[q + 1] = h;
  }
}

MAP(grid_of_cells, 9, 1, 0.5, 0.25, 0.75, 1.5, 1.25, -0.5, 2.0, 3.0, 1.0) {
  for (int i = 0; i < 9; i++) {
    Cell *c = &grid[0][i / 3][i % 3];
    c->solid = i == 4;
    for (int q = 0; q < 9; q++)
      c->f[q] = x[i] * (q + 1);
  }
  int cur = 0;
  for (int t = 0; t < 4; t++, cur ^= 1)
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) {
        Cell c = grid[cur][i][j];
        stream(&c);
        for (int q = 0; q < 9; q++)
          grid[!cur][i][(j + q) % 3].f[q] = c.f[q];
        grid[!cur][i][j].solid = c.solid;
      }
  y[0] += grid[cur][0][0].f[0] + 2 * grid[cur][1][1].f[2];
}

typedef struct Vertex {
  single p[3];
  short m;
  unsigned char c[2];
} Vertex;

/* The members behind the array, which is walked through, travel with its last element. */
MAP(shorts_behind_floats, 6, 1, 0.5, 0.25, 0.75, 1.5, 1.25, -0.5) {
  Vertex v[2], *h = (Vertex *)malloc(2 * sizeof *h);
  for (int i = 0; i < 2; i++) {
    for (int k = 0; k < 3; k++)
      v[i].p[k] = (single)x[3 * i + k];
    v[i].m = (short)(i + 1);
    v[i].c[0] = v[i].c[1] = (unsigned char)(2 - i);
  }
  memcpy(h, v, sizeof v);
  for (int k = 0; k < 3; k++) {
    Vertex a = h[(k + 1) % 2];
    for (int j = 0; j < 3; j++)
      a.p[j] *= h[k % 2].p[j];
    h[k % 2] = a;
  }
  y[0] += h[n % 2].p[1] * h[n % 2].m + h[1].p[n % 3] * h[0].c[1];
  free(h);
}

typedef union Kinds {
  real r;
  struct {
    int a, b;
  } p;
  real v[2];
} Kinds;

/* The optimiser keeps the last of them in registers, as two integers. */
MAP(kinds_moved, 4, 3, 0.5, 0.25, 0.75, 1.5, 0.25, -0.5, 1.25, 2.0) {
  Kinds c[4];
  int k[4];
  for (int i = 0; i < 4; i++) {
    k[i] = x[0] > 0.4 ? 0 : (i + n) % 3;
    if (k[i] == 0) {
      c[i].r = x[1] * x[i];
    } else if (k[i] == 1) {
      c[i].p.a = i;
      c[i].p.b = n - i;
    } else {
      c[i].v[0] = x[2];
      c[i].v[1] = sin(x[i]);
    }
  }
  memmove(c, c + 1, 3 * sizeof *c);
  memmove(k, k + 1, 3 * sizeof *k);
  for (int i = 0; i < 4; i++) {
    if (k[i] == 0)
      y[0] += 0.5 * c[i].r;
    else if (k[i] == 1)
      y[1] += 0.05 * (c[i].p.a - c[i].p.b) * x[1];
    else
      y[2] = sin(c[i].v[0] * c[i].v[1]);
  }
}

typedef struct Labelled {
  real value;
  char label[3];
  int counts[4];
  long serial;
} Labelled;

static void relabel(Labelled *to, const Labelled *a, const Labelled *b, real by) {
  Labelled c = *a;
  for (int i = 0; i < 3; i++)
    c.value += by * b->value;
  c.label[1]++;
  *to = c;
}

SUM(labels_on_the_heap, 4, 0.3, 1.1, -0.4, 1.2) {
  Labelled *v = (Labelled *)calloc(2, sizeof *v);
  for (int i = 0; i < 2; i++) {
    v[i].value = x[i] * x[2];
    for (int k = 0; k < 3; k++)
      v[i].label[k] = (char)(i + k);
    for (int k = 0; k < 4; k++)
      v[i].counts[k] = i + k;
    v[i].serial = i + 6;
  }
  for (int k = 0; k < n; k++) {
    relabel(&v[k % 2], &v[(k + 1) % 2], &v[k % 2], x[k]);
    Labelled t = v[k % 2];
    v[k % 2] = v[(k + 1) % 2];
    v[(k + 1) % 2] = t;
  }
  real sum = v[0].value * v[0].value + v[1].value * (real)v[1].label[1];
  free(v);
  return sum;
}

typedef struct Tally {
  int kind;
  real a, b;
  int counts[5];
} Tally;

SUM(tallies_on_the_heap, 4, 0.3, 1.1, -0.4, 1.2) {
  Tally *v = (Tally *)calloc(3, sizeof *v);
  for (int i = 0; i < 3; i++) {
    v[i].kind = i;
    v[i].a = x[i] * x[3];
    v[i].b = x[i + 1];
    for (int k = 0; k < 5; k++)
      v[i].counts[k] = i + k;
  }
  for (int k = 0; k < n + 3; k++) {
    memcpy(v[k % 3].counts, v[(k + 1) % 3].counts, sizeof v[0].counts);
    if (v[k % 3].b > 0.5)
      v[(k + 1) % 3] = v[k % 3];
    else
      v[(k + 1) % 3].b *= 1.2;
  }
  real sum = 0;
  for (int i = 0; i < 3; i++)
    sum += v[i].a * v[i].b * (real)(i + 1);
  free(v);
  return sum;
}
