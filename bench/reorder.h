// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef BENCH_REORDER_H
#define BENCH_REORDER_H

/* Number i goes where the bits of i, in reverse, say, and that is its own transpose. */
static inline void reorder(int n, double *z) {
  for (int i = 1, j = 0; i < n; i++) {
    int bit = n / 2;
    for (; j & bit; bit /= 2)
      j ^= bit;
    j ^= bit;
    if (i < j)
      for (int part = 0; part < 2; part++) {
        double swap = z[2 * i + part];
        z[2 * i + part] = z[2 * j + part];
        z[2 * j + part] = swap;
      }
  }
}

#endif
