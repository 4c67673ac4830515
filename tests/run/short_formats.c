// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Numbers in _Float16 and __bf16: their tangents have no more digits than they. */
// tolerance: 0.03
// differences: none
#include "cases.h"

SCALAR2(half_detour, 1.5, 0.25, -2.0, 3.0) {
  half a = (half)x;
  half b = a * (half)y + a;
  return (real)(b * (a + (half)1.0f));
}

SUM(half_accumulator, 4, 1.0, 2.0, 3.0, 4.0) {
  half sum = (half)0.0f;
  for (int i = 0; i < n; i++)
    sum += (half)x[i] * (half)x[i];
  return (real)sum;
}

MAP(half_array, 3, 3, 1.0, 2.0, 3.0) {
  half kept[8];
  half copy[8];
  memset(kept, 0, sizeof kept);
  for (int i = 0; i < n; i++)
    kept[i] = (half)x[i] * (half)x[i];
  memcpy(copy, kept, sizeof kept);
  for (int i = 0; i < n; i++)
    y[i] = (real)(copy[n - 1 - i] * kept[i] + copy[i + 4]);
}

typedef struct {
  half h[12];
  int k;
} Halves;

static Halves NOINLINE halves_of(real x, int k) {
  Halves s;
  for (int i = 0; i < 12; i++)
    s.h[i] = (half)x * (half)(single)(i + 1);
  s.k = k;
  return s;
}

SUM(half_in_struct, 3, 1.0, 2.0, 3.0) {
  Halves all[4];
  for (int i = 0; i < n; i++)
    all[i] = halves_of(x[i], i);
  half sum = (half)0.0f;
  for (int i = 0; i < n; i++)
    sum += all[i].h[i] * all[n - 1 - i].h[0];
  return (real)sum;
}

SCALAR2(bfloat_detour, 1.5, 0.25, -2.0, 3.0) {
  brain a = (brain)(single)x;
  brain b = a * (brain)(single)y + a;
  return (real)(single)(b * (a + (brain)1.0f));
}

MAP(bfloat_array, 3, 3, 1.0, 2.0, 3.0) {
  brain kept[8];
  brain copy[8];
  memset(kept, 0, sizeof kept);
  for (int i = 0; i < n; i++)
    kept[i] = (brain)(single)x[i] * (brain)(single)x[i];
  memcpy(copy, kept, sizeof kept);
  for (int i = 0; i < n; i++)
    y[i] = (real)(single)(copy[n - 1 - i] * kept[i]);
}
