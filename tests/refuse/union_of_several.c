// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -gline-tables-only -fno-strict-aliasing
/* A union of several numbers and a pointer, moved on by way of a variable: its words become values
 * by themselves, and what is read as a pointer may be a number. */
extern void __enzyme_autodiff(void *, ...);

union Cell {
  double numbers[3];
  double *next;
};

struct Row {
  int count;
  union Cell cell;
};

static double last_of(struct Row *rows, struct Row *moved, double x) {
  struct Row row = rows[0];
  moved[1] = row; // error: [nabla: unknown-type]
  return row.count > 3 ? x * *row.cell.next : x;
}

double derivative(struct Row *rows, struct Row *dr, struct Row *moved, struct Row *dm, double x) {
  return ((double (*)(void *, ...))__enzyme_autodiff)((void *)last_of, rows, dr, moved, dm, x);
}
