// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Numbers that change their precision on the way. */
// tolerance: 1e-6
// differences: none
#include "cases.h"

SCALAR1(float_detour, 1.5, 0.25) {
  single s = (single)(x * x);
  return (real)(s * 2.0f) + x;
}

SCALAR2(mixed_precision, 1.5, 0.25) {
  single s = (single)x;
  wide w = (wide)y * (wide)s;
  return (real)(w + (wide)(s * s));
}

SCALAR1(double_detour, 1.5) {
  wide w = (wide)x;
  w = w * w * w;
  return (real)w;
}

SUM(wide_accumulator, 4, 1.0, 2.0, 3.0, 4.0) {
  wide sum = 0;
  for (int i = 0; i < n; i++)
    sum += (wide)x[i] * (wide)x[i];
  return (real)sum;
}

SUM(narrow_accumulator, 4, 1.0, 2.0, 3.0, 4.0) {
  single sum = 0;
  for (int i = 0; i < n; i++)
    sum += (single)x[i] * (single)i;
  return (real)sum * x[0];
}

MAP(narrow_array, 3, 3, 1.0, 2.0, 3.0) {
  single kept[8];
  for (int i = 0; i < n; i++)
    kept[i] = (single)(x[i] * x[i]);
  for (int i = 0; i < n; i++)
    y[i] = (real)(kept[n - 1 - i] * kept[i]);
}

MAP(array_of_both, 3, 3, 1.0, 2.0, 3.0) {
  struct {
    single s;
    wide w;
  } both[4];
  for (int i = 0; i < n; i++) {
    both[i].s = (single)x[i];
    both[i].w = (wide)x[i] * 0.5;
  }
  for (int i = 0; i < n; i++)
    y[i] = (real)((wide)both[i].s * both[n - 1 - i].w);
}

SCALAR2(select_between_precisions, 1.0, 2.0, 3.0, 2.0) {
  wide w = x > y ? (wide)(single)x : (wide)y * 2;
  return (real)(w * w);
}

SUM(rounded_index, 3, 1.25, 2.5, 0.75) {
  real sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i] * (real)(int)(x[i] * 4);
  return sum;
}

/* --- Arrays of two formats beside characters, copied whole: no index leads into the padding. ---
 */

typedef struct Sheet {
  single fine[3];
  wide coarse[3];
  char name[2];
} Sheet;

MAP(sheets_that_change_places, 9, 3, 0.4, -0.7, 1.3, 0.9, 0.2, -1.1, 0.6, 0.8, -0.3) {
  Sheet *v = (Sheet *)calloc(3, sizeof *v);
  for (int i = 0; i < n; i++) {
    v[i / 3].fine[i % 3] = (single)x[i];
    v[i / 3].coarse[i % 3] = 2 * (wide)x[n - 1 - i];
  }
  for (int k = 0; k < n; k++) {
    Sheet t = v[k % 3];
    t.coarse[k % 3] = (wide)(t.fine[(k + 1) % 3] * v[(k + 1) % 3].fine[k % 3]);
    v[(k + 1) % 3] = t;
  }
  for (int i = 0; 3 * i < n; i++)
    for (int k = 0; k < 3; k++)
      y[i] += (real)(v[i].fine[k] * (single)v[i].coarse[k]) * (real)(i + 1);
  free(v);
}
