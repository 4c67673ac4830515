// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* In forward mode shadows have their primal's structure: the integers beside pointers and numbers,
 * such as how many these are, are those of the primal, where the function writes them. */
// reals: double
// differences: none
#include "cases.h"

typedef struct {
  double *v;
  long rows, cols;
} Matrix;

typedef struct {
  double *v;
  int count;
} Vector;

typedef struct {
  double v;
  int kind;
} Tagged;

extern Matrix __enzyme_fwddiff_matrix(void *, ...);
extern Vector __enzyme_fwddiff_vector(void *, ...);
extern void __enzyme_fwddiff_void(void *, ...);
extern void __enzyme_autodiff_void(void *, ...);
extern int enzyme_width;

static NOINLINE void make(Matrix *m, long rows, long cols, const double *x) {
  m->rows = rows;
  m->cols = cols;
  m->v = (double *)malloc((size_t)(rows * cols) * sizeof(double));
  for (long i = 0; i < rows * cols; i++)
    m->v[i] = x[i] * x[i];
}

static NOINLINE Matrix matrix_of(const double *x, long rows, long cols) {
  Matrix m;
  make(&m, rows, cols, x);
  return m;
}

CHECK(in_a_result) {
  double x[4] = {1, 2, 3, 4}, dx[4] = {1, 0, 1, 0};
  Matrix d = __enzyme_fwddiff_matrix((void *)matrix_of, enzyme_dup, x, dx, enzyme_const, 2L,
                                     enzyme_const, 2L);
  EXPECT(d.rows, 2);
  EXPECT(d.cols, 2);
  EXPECT(d.v[2], 6);
  free(d.v);
}

static NOINLINE Vector vector_of(const double *x, int count) {
  Vector v;
  v.count = count;
  v.v = (double *)malloc((size_t)count * sizeof(double));
  for (int i = 0; i < count; i++)
    v.v[i] = sin(x[i]);
  return v;
}

CHECK(in_registers) {
  double x[2] = {1, 2}, dx[2] = {1, 1};
  Vector d = __enzyme_fwddiff_vector((void *)vector_of, enzyme_dup, x, dx, enzyme_const, 2);
  EXPECT(d.count, 2);
  EXPECT(d.v[1], cos(2));
  free(d.v);
}

static const Matrix three_by_one = {NULL, 3, 1};

static NOINLINE void assign(Matrix *to, const double *x, int how) {
  Matrix m;
  make(&m, 2, 2, x);
  if (how == 0) {
    *to = m;
  } else if (how == 1) {
    *to = three_by_one;
    to->v = m.v;
  } else {
    memset(to, 0, sizeof *to);
    to->v = m.v;
    to->cols = how;
  }
}

static void expect_shape(int how, long rows, long cols) {
  double x[4] = {1, 2, 3, 4}, dx[4] = {1, 0, 1, 0};
  Matrix m = {NULL, -1, -1}, d = {NULL, -1, -1};
  __enzyme_fwddiff_void((void *)assign, enzyme_dup, &m, &d, enzyme_dup, x, dx, enzyme_const, how);
  EXPECT(d.rows, rows);
  EXPECT(d.cols, cols);
  EXPECT(d.v[2], 6);
  free(m.v);
  free(d.v);
}

CHECK(copied) { expect_shape(0, 2, 2); }
CHECK(copied_from_constants) { expect_shape(1, 3, 1); }
CHECK(set) { expect_shape(5, 0, 5); }

CHECK(of_several_directions) {
  double x[4] = {1, 2, 3, 4}, dx[4] = {1, 0, 1, 0}, ex[4] = {0, 1, 0, 1};
  Matrix m, d = {NULL, 0, 0}, e = {NULL, 0, 0};
  __enzyme_fwddiff_void((void *)assign, enzyme_width, 2, enzyme_dup, &m, &d, &e, enzyme_dup, x, dx,
                        ex, enzyme_const, 0);
  EXPECT(d.rows, 2);
  EXPECT(e.cols, 2);
  EXPECT(e.v[3], 8);
  free(m.v);
  free(d.v);
  free(e.v);
}

static NOINLINE void tag(Tagged *tags, const double *x, int count) {
  for (int i = 0; i < count; i++) {
    tags[i].v = x[i] * x[i];
    tags[i].kind = i + 1;
  }
}

CHECK(beside_numbers) {
  double x[2] = {1, 2}, dx[2] = {1, 1};
  Tagged tags[2], d[2] = {{0, 0}, {0, 0}};
  __enzyme_fwddiff_void((void *)tag, enzyme_dup, tags, d, enzyme_dup, x, dx, enzyme_const, 2);
  EXPECT(d[1].v, 4);
  EXPECT(d[1].kind, 2);
}

/* Memory of integers alone may have no shadow, whatever is passed for one. */
static NOINLINE void mark(int *marks, double *x, long count) {
  for (long i = 0; i < count; i++) {
    marks[i] = 7;
    x[i] *= x[i];
  }
}

CHECK(alone) {
  int marks[2];
  double x[2] = {1, 2}, dx[2] = {1, 1};
  __enzyme_fwddiff_void((void *)mark, enzyme_dup, marks, (int *)NULL, enzyme_dup, x, dx,
                        enzyme_const, 2L);
  EXPECT(dx[1], 4);
  x[1] = 3;
  __enzyme_autodiff_void((void *)mark, enzyme_dup, marks, (int *)NULL, enzyme_dup, x, dx,
                         enzyme_const, 2L);
  EXPECT(dx[1], 24);
  EXPECT(marks[1], 7);
}
