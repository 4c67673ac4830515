// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Loops that come to a fixed point as they stand; the reference has no marks, and differentiates
 * all iterations. */
// shows: __enzyme_set_fixed_point; <enzyme/fixed_point.h>
// load: -fplugin
// differences: none
// split: none
// lto: none
#include "cases.h"

#if defined(__cplusplus) && !defined(NB_SUBJECT)
#define MARK(...)
#else
#include <enzyme/fixed_point.h>
#define MARK(...)                                                                                  \
  __enzyme_set_fixed_point(sizeof(real) == 4 ? 1e-15 : 1e-30, (int64_t)400, (void *)0, __VA_ARGS__)
#endif

/* Derivatives come later to an end than the numbers do. */
enum { ROUNDS = 80 };

/* --- Which loops --- */

MAP(tested_behind, 2, 1, 0.5, -1.0) {
  real z = 0;
  int i = 0;
  do {
    MARK(&z, (int64_t)sizeof z);
    z = (real)0.5 * sin(z * x[1]) + x[0];
  } while (i++ < ROUNDS);
  y[0] = z * z;
}
MAP(tested_before, 2, 1, 0.5, -1.0) {
  real z = x[1], change = 1;
  int i = 0;
  while (VALUE(change * change) > 0 || i < ROUNDS) {
    MARK(&z, (int64_t)sizeof z);
    real next = (real)0.5 * sin(z * x[1]) + x[0];
    change = i < ROUNDS ? next - z : (real)0;
    z = next;
    i++;
  }
  y[0] = z * x[0];
}
MAP(counted, 2, 1, 0.5, -1.0) {
  real z[2] = {0, 0};
  for (int i = 0; i < ROUNDS; i++) {
    MARK(z, (int64_t)sizeof z);
    real old = z[0];
    z[0] = (real)0.25 * cos(z[1]) + x[0];
    z[1] = (real)0.5 * old * x[1];
  }
  y[0] = z[0] * z[1];
}
MAP(never_run, 2, 1, 0.5, -1.0) {
  real z = x[0];
  for (int i = n; i < 2; i++) {
    MARK(&z, (int64_t)sizeof z);
    z = (real)0.5 * z;
  }
  y[0] = z * x[1];
}

/* The test stands between what is computed and what is kept. */
MAP(tested_in_the_middle, 2, 1, 0.5, -1.0) {
  real z = 0;
  for (int i = 0;; i++) {
    MARK(&z, (int64_t)sizeof z);
    real next = (real)0.5 * cos(z * x[1]) + x[0];
    if (i > ROUNDS)
      break;
    z = next;
  }
  y[0] = z * z;
}

/* --- What is iterated --- */

/* The ends of the array are no part of it, though the array is named as a whole. */
MAP(with_a_boundary, 3, 2, 0.5, -1.0, 2.0) {
  real u[6] = {x[0], 0, 0, 0, 0, x[1]};
  for (int i = 0; i < 4 * ROUNDS; i++) {
    MARK(u, (int64_t)sizeof u);
    for (int k = 1; k < 5; k++)
      u[k] = (real)0.5 * (u[k - 1] + u[k + 1]) + (real)0.0625 * sin(u[k] * x[2]);
  }
  y[0] = u[1] * u[4];
  y[1] = u[0] * u[2] + u[5];
}

/* A second number, which is not named, goes from one iteration to the next alone. */
MAP(one_behind_the_other, 2, 1, 0.5, -1.0) {
  real z = 0, before = 0;
  for (int i = 0; i < ROUNDS; i++) {
    MARK(&z, (int64_t)sizeof z);
    z = before;
    before = (real)0.5 * cos(z * x[1]) + x[0];
  }
  y[0] = z * z;
}

/* --- Where the loop stands --- */

MAP(steps_of_time, 2, 1, 2.0, 0.25) {
  real now[2] = {x[0], 1};
  for (int k = 0; k < 5; k++) {
    real before[2] = {now[0], now[1]};
    for (int i = 0; i < ROUNDS; i++) {
      MARK(now, (int64_t)sizeof now);
      now[0] = before[0] - x[1] * sin(now[1]);
      now[1] = before[1] + x[1] * now[0] * (real)0.5;
    }
  }
  y[0] = now[0] * now[1];
}
