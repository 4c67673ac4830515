// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Bytes of the caller's that hold a number or two integers, as the run has it, and are moved. */
#include <string.h>

extern void __enzyme_autodiff(void *, ...);

typedef union {
  double number;
  struct {
    int a, b;
  } pair;
  double both[2];
} Cell;

static void shift(const double *x, double *y, Cell *cells, int n) {
  int kinds[4];
  for (int i = 0; i < 4; i++) {
    kinds[i] = (i + n) % 3;
    if (kinds[i] == 0)
      cells[i].number = x[0] * 0.5;
    else if (kinds[i] == 1) {
      cells[i].pair.a = i;
      cells[i].pair.b = n - i;
    } else {
      cells[i].both[0] = x[1];
      cells[i].both[1] = x[2];
    }
  }
  memmove(cells, cells + 1, 3 * sizeof(Cell));
  memmove(kinds, kinds + 1, 3 * sizeof(int));
  for (int i = 0; i < 4; i++) {
    if (kinds[i] == 0)
      y[0] += 0.5 * cells[i].number;
    else if (kinds[i] == 1)
      // error-near: an integer carries the bits of a number
      y[1] += 0.05 * (cells[i].pair.a - cells[i].pair.b);
    else
      y[1] += cells[i].both[0] * cells[i].both[1];
  }
}

void request(double *x, double *dx, double *y, double *dy, Cell *cells, Cell *dcells) {
  __enzyme_autodiff((void *)shift, x, dx, y, dy, cells, dcells, 6);
}
