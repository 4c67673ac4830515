// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reals: double
// tolerance: 1e-6
/* Words of memory that hold a double at one time, a pair of floats, an integer or a pointer at
 * another, and are copied as bytes: the run tells what they are by their shadows. */
#include "cases.h"

typedef struct {
  int tag;
  union {
    wide d;
    long l;
    single f;
    struct {
      int a;
      single b;
    } m;
  } u;
} Value;

static NOINLINE void fill(Value *to, real *x, int tag, int i) {
  to->tag = tag;
  if (tag == 0)
    to->u.d = x[i % 3] * i;
  else if (tag == 1)
    to->u.l = i;
  else if (tag == 2)
    to->u.f = (single)(x[i % 3] * x[0]);
  else {
    to->u.m.a = i;
    to->u.m.b = (single)(x[1] * i);
  }
}

static NOINLINE real value_of(const Value *of, real *x) {
  if (of->tag == 0)
    return of->u.d;
  if (of->tag == 1)
    return (real)of->u.l * x[2];
  return of->tag == 2 ? (real)of->u.f : (real)of->u.m.b * of->u.m.a;
}

MAP(tagged_values_sorted, 3, 3, 0.5, 1.5, 2.5) {
  Value values[8];
  for (int i = 0; i < 8; i++)
    fill(&values[i], x, (i * 5) % 4, i);
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 7; j++)
      if (values[j].tag > values[j + 1].tag) {
        Value t = values[j];
        values[j] = values[j + 1];
        values[j + 1] = t;
      }
  for (int i = 0; i < 8; i++) {
    real v = value_of(&values[i], x);
    y[i % 3] += v * v * (i + 1);
  }
}

MAP(tagged_values_pushed_and_popped, 3, 3, 0.5, 1.5, 2.5) {
  Value stack[4], kept[4];
  int top = 0;
  memset(kept, 0, sizeof kept);
  for (int i = 0; i < 12; i++) {
    fill(&stack[top++], x, i % 4, i);
    while (top == 4 || (top && i % 4 == 3)) {
      top--;
      kept[top] = stack[top];
    }
  }
  for (int i = 0; i < 4; i++) {
    real v = value_of(&kept[i], x);
    y[i % 3] += v * v;
  }
}

typedef struct {
  single a, b;
  wide d;
} Pair;

static NOINLINE void pair(Pair *to, real *x) {
  to->a = (single)(x[0] * x[1]);
  to->b = (single)x[2];
  to->d = x[1] * x[1];
}

static NOINLINE real paired(const Pair *p) { return p->a * p->d + p->b; }

/* The block holds doubles before. */
MAP(pairs_moved_where_doubles_were, 3, 3, 0.5, 1.5, 2.5) {
  char *block = (char *)malloc(4 * sizeof(Pair));
  wide *numbers = (wide *)block;
  for (int i = 0; i < 4; i++)
    numbers[i] = x[i % 3] * i;
  memmove(numbers + 1, numbers, 3 * sizeof(wide));
  y[0] = numbers[1] * numbers[2] + numbers[3];
  pair((Pair *)block + 1, x);
  for (int i = 0; i < 3; i++)
    memcpy(block + (size_t)(i & 1) * 2 * sizeof(Pair), block + sizeof(Pair), sizeof(Pair));
  y[1] = (wide)((Pair *)block + 2)->a;
  memcpy(block, block + sizeof(Pair), sizeof(Pair));
  y[2] = paired((Pair *)block) * 3;
  free(block);
}

MAP(pairs_moved_where_pointers_were, 3, 3, 0.5, 1.5, 2.5) {
  char *block = (char *)malloc(4 * sizeof(Pair));
  real **pointers = (real **)block;
  for (int i = 0; i < 4; i++)
    pointers[i] = x + i % 3;
  memmove(pointers + 1, pointers, 3 * sizeof(real *));
  y[0] = *pointers[1] * *pointers[2] + *pointers[3];
  pair((Pair *)block + 1, x);
  memcpy(block, block + sizeof(Pair), sizeof(Pair));
  y[1] = paired((Pair *)block) * paired((Pair *)block + 1);
  free(block);
}

/* A row of floats is copied, in a struct that has a double elsewhere. */
MAP(rows_beside_a_double, 3, 3, 0.5, 1.5, 2.5) {
  struct Row {
    single a[2];
  };
  struct Whole {
    struct Row a[2];
    wide f;
    int m;
  };
  int rows = n > 0 ? 2 : 1;
  struct Whole *w = (struct Whole *)malloc(3 * sizeof *w);
  memset(w, 0, 3 * sizeof *w);
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < rows; j++)
      for (int k = 0; k < rows; k++)
        w[i].a[j].a[k] = (single)(x[k] * (j + 1));
    w[i].f = x[2] * x[1];
    w[i].m = i + 1;
  }
  w[0].a[1] = w[2].a[0];
  for (int j = 0; j < rows; j++)
    for (int k = 0; k < rows; k++)
      y[j] += w[0].a[j].a[k] * w[1].a[1 - j].a[k] + w[2].a[k].a[j] * w[k].f * w[j].m;
  free(w);
}

/* The same of structs that are moved over themselves. */
MAP(rows_moved_beside_a_double, 3, 3, 0.5, 1.5, 2.5) {
  struct Part {
    single a[2];
    short h[2];
  };
  struct Whole {
    struct Part a[2];
    wide f;
  };
  int rows = n > 0 ? 2 : 1;
  struct Whole w[3];
  memset(w, 0, sizeof w);
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < rows; j++)
      for (int k = 0; k < rows; k++) {
        w[i].a[j].a[k] = (single)(x[k] * (j + i));
        w[i].a[j].h[k] = (short)(j + 1);
      }
    w[i].f = x[2] * x[1];
  }
  memmove(w, w + 1, 2 * sizeof *w);
  for (int j = 0; j < rows; j++)
    for (int k = 0; k < rows; k++)
      y[j] += w[0].a[j].a[k] * w[1].a[1 - j].a[k] + w[2].a[k].a[j] * w[k].f;
}
