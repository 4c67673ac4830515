// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Arrays that a loop builds from what it has left behind it: what is read is final, or is not. */
#include "cases.h"

enum { CELLS = 24 };

static real mix(real a, real b) { return sin(a) * (real)0.8 + a * a * b * (real)0.2; }

static void start(real *h, const real *x, int n) {
  for (int i = 0; i < CELLS; i++)
    h[i] = x[i % n] * (real)(1 + i % 3) * (real)0.3;
}

SUM(upwards, 3, 0.7, -0.3, 1.1) {
  real h[CELLS];
  start(h, x, n);
  for (int i = 1; i < 8 * n; i++)
    h[i] = mix(h[i - 1], x[i % n]);
  return h[8 * n - 1] + h[5] * h[7];
}

SUM(downwards, 3, 0.7, -0.3, 1.1) {
  real h[CELLS];
  start(h, x, n);
  for (int i = 8 * n - 2; i >= 0; i--)
    h[i] = mix(h[i + 1], x[i % n]);
  return h[0] * h[7];
}

/* Each element is read before it is written, in the next iteration. */
SUM(not_yet_written, 3, 0.7, -0.3, 1.1) {
  real h[CELLS];
  start(h, x, n);
  for (int i = 0; i + 1 < 8 * n; i++)
    h[i] = mix(h[i + 1], h[i]);
  return h[0] + h[3] * h[9];
}

/* Two behind, by steps of two; and every other one is changed again in the same loop. */
SUM(steps_of_two, 3, 0.7, -0.3, 1.1) {
  real h[CELLS];
  start(h, x, n);
  for (int i = 2; i + 1 < 8 * n; i += 2) {
    h[i] = mix(h[i - 1], h[i - 2]);
    h[i - 1] = h[i] * h[i - 1] + 1;
  }
  return h[n] + h[8 * n - 2] * h[8 * n - 3];
}

/* Another round changes what the round before read. */
SUM(rounds, 3, 0.7, -0.3, 1.1) {
  real h[CELLS];
  start(h, x, n);
  for (int k = 0; k < n; k++)
    for (int i = 1; i < 8 * n; i++)
      h[i] = mix(h[i - 1], h[i]);
  return h[8 * n - 1] + h[2];
}

/* So does another loop. */
SUM(changed_later, 3, 0.7, -0.3, 1.1) {
  real h[CELLS];
  start(h, x, n);
  for (int i = 1; i < 8 * n; i++)
    h[i] = mix(h[i - 1], x[0]);
  real last = h[8 * n - 1];
  for (int i = 0; i < 8 * n; i++)
    h[i] = last * h[i];
  return h[3] * h[4];
}

/* The last store of each iteration goes back to the first element. */
SUM(changed_behind, 3, 0.7, -0.3, 1.1) {
  real h[CELLS];
  start(h, x, n);
  for (int i = 1; i < 8 * n; i++) {
    h[i] = mix(h[i - 1], x[1]);
    h[0] = h[i] * h[0];
    h[i / 2] += x[0] * h[i];
  }
  return h[0] + h[8 * n - 1];
}

/* In an order that no step tells, and in a ring. */
SUM(in_a_ring, 3, 0.7, -0.3, 1.1) {
  real h[CELLS];
  start(h, x, n);
  for (unsigned i = 1; i < 30u * (unsigned)n; i++)
    h[i % 7] = mix(h[(i - 1) % 7], x[i % 3]);
  return h[0] + h[3] * h[5];
}

/* Bytes of an index that wraps around: the ring of 256 is one of a type. */
SUM(in_a_ring_of_bytes, 3, 0.7, -0.3, 1.1) {
  real h[256];
  for (int i = 0; i < 256; i++)
    h[i] = x[i % n];
  unsigned char at = 1;
  for (int i = 0; i < 300 * n; i++, at++)
    h[at] = h[(unsigned char)(at - 1)] * (real)0.5 + sin(h[at] * x[0]);
  return h[0] + h[100] * h[200];
}

SUM(not_at_all, 3, 0.7, -0.3, 1.1) {
  real h[CELLS];
  start(h, x, n);
  for (int i = n; i < n; i++)
    h[i] = mix(h[i - 1], x[0]);
  return h[n] * h[1];
}

/* Where an element is only sometimes written, and read in any case. */
SUM(with_gaps, 3, 0.7, -0.3, 1.1) {
  real h[CELLS];
  start(h, x, n);
  for (int i = 1; i < 8 * n; i++) {
    real v = h[i - 1];
    if (v > (real)0.2)
      h[i] = mix(v, h[i]);
  }
  return h[8 * n - 1] + h[4] * h[6];
}
