// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Functions without derivative that store pointers, but none to numbers that have one. */
#include "cases.h"

typedef struct Row {
  real *at;
  int count;
  const char *name;
  int *counters;
  struct Row *next;
} Row;

static __attribute__((noinline)) void name(Row *row, int *counters) {
  row->name = row->count > 2 ? "long" : "short";
  row->counters = counters;
  row->counters[0] += row->count;
}
static void *__enzyme_inactivefn_name[] __attribute__((used)) = {(void *)name};

static int seen;
static __attribute__((noinline)) void look(const Row *row) {
  const Row *at = row;
  for (; at; at = at->next)
    seen += at->count;
}
static void *__enzyme_inactivefn_look[] __attribute__((used)) = {(void *)look};

static __attribute__((noinline)) real squares(Row *row, real x) {
  real sum = 0;
  for (int i = 0; i < row->count; i++)
    row->at[i] = x * x * i;
  name(row, row->counters);
  look(row);
  for (int i = 0; i < row->count; i++)
    sum += row->at[i] * row->at[row->count - 1 - i];
  return sum * (row->name[0] == 'l' ? 2 : 1);
}

SCALAR1(pointers_to_no_numbers, 1.5, -0.5) {
  int counters[2] = {0, 0};
  real first[5] = {0}, second[2] = {0};
  Row two = {second, 2, NULL, counters, NULL}, one = {first, 5, NULL, counters, &two};
  real sum = squares(&one, x) + squares(&two, x * x);
  return sum * counters[0];
}

/* Their pointers lead to no number with a derivative, or are not followed. */
static const real steps[3] = {0.5, 0.25, 0.125};
static __attribute__((noinline)) const real *step_of(int i, const real *x) {
  seen += x[0] > 0;
  return steps + i % 3;
}
static void *__enzyme_inactivefn_step_of[] __attribute__((used)) = {(void *)step_of};
static __attribute__((noinline)) real *checked(real *x) {
  seen += x[0] > 0;
  return x;
}
static void *__enzyme_inactivefn_checked[] __attribute__((used)) = {(void *)checked};
static __attribute__((noinline)) const char *name_of(const Row *row) { return row->name; }
static void *__enzyme_inactivefn_name_of[] __attribute__((used)) = {(void *)name_of};

SCALAR1(pointers_returned_to_no_numbers, 1.5, -0.5) {
  real values[2] = {x, x * x};
  int counters[1] = {0};
  Row row = {values, 2, "short", counters, NULL};
  const real *step = step_of(row.count, values);
  checked(values);
  if (!checked(values + 1))
    return 0;
  return row.at[0] * row.at[1] * *step * (name_of(&row)[0] == 's' ? 3 : 1);
}

/* Helpers that read such memory by what these functions return, and have a derivative besides. */
typedef struct Model {
  const real *weights;
  real *values;
  int count;
} Model;
static __attribute__((noinline)) const real *weights_of(const Model *model) {
  return model->weights;
}
static void *__enzyme_inactivefn_weights_of[] __attribute__((used)) = {(void *)weights_of};
static __attribute__((noinline)) void copy_counts(Model *to, const Model *from) {
  to->count = from->count;
  to->weights = from->weights;
}
static void *__enzyme_inactivefn_copy_counts[] __attribute__((used)) = {(void *)copy_counts};

static NOINLINE real weighted(const Model *model, real x) {
  const real *weights = weights_of(model);
  Model other = {NULL, model->values, 0};
  copy_counts(&other, model);
  real sum = 0;
  for (int i = 0; i < other.count; i++)
    sum += weights[i] * other.weights[i] * other.values[i] * x;
  return sum;
}

SCALAR1(weights_that_are_looked_up, 1.5, -0.5) {
  real values[3] = {x, x * x, 2};
  Model model = {steps, values, 3};
  return weighted(&model, x) * x;
}
