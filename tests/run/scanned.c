// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Numbers that are read by a format end the derivatives by what they overwrite; what was not found
 * keeps its own. */
// reals: double
// differences: none
#include "cases.h"

extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);

static double some_found(double x) {
  double c = x * x, d = x * x;
  int n = sscanf("3.5 none", "%lf %lf", &c, &d);
  return c * x + d * x * n;
}

CHECK(found_and_not) {
  EXPECT(__enzyme_autodiff((void *)some_found, 2.0), 3.5 + 12);
  EXPECT(__enzyme_fwddiff((void *)some_found, 2.0, 1.0), 3.5 + 12);
}

typedef struct {
  double value;
  float weight;
  int n;
  long size;
} Row;

static NOINLINE int read_row(const char *text, Row *row) {
  char name[8];
  return sscanf(text, "%*d %7[^,],%lg%f %i %ld%%", name, &row->value, &row->weight, &row->n,
                &row->size);
}

static double of_row(double x) {
  Row row = {x, (float)x, 1, 2};
  double before = row.value * row.weight;
  int found = read_row("9 metre,2.5 0.5 7 11%", &row);
  return before + row.value * row.weight * x * (row.n + row.size) + found * x;
}

CHECK(in_a_struct) {
  EXPECT(__enzyme_autodiff((void *)of_row, 3.0), 6 + 2.5 * 0.5 * 18 + 5);
  EXPECT(__enzyme_fwddiff((void *)of_row, 3.0, 1.0), 6 + 2.5 * 0.5 * 18 + 5);
}

static FILE *factors;
static double chain(double x) {
  double y = x, factor = x;
  while (fscanf(factors, "%lf", &factor) == 1)
    y = y * factor + x * x;
  return y * factor;
}

/* Each number is read once, in the order of the file. */
CHECK(from_a_file) {
  factors = tmpfile();
  fputs("2 -0.5 4", factors);
  rewind(factors);
  double expected = 4 * (2 * -0.5 * 4 + 6 * (-0.5 * 4 + 4 + 1));
  EXPECT(__enzyme_autodiff((void *)chain, 3.0), expected);
  rewind(factors);
  EXPECT(__enzyme_fwddiff((void *)chain, 3.0, 1.0), expected);
  fclose(factors);
}
