// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Loops that are checkpointed as they stand; the reference has no marks. */
// shows: __enzyme_set_checkpointing; <enzyme/checkpoint_schedule.h>
// load: -fplugin
// differences: none
// split: none
// lto: none
#include "cases.h"

#if defined(__cplusplus) && !defined(NB_SUBJECT)
#define MARK(schedule, budget)
#else
#include <enzyme/checkpoint_schedule.h>
#define MARK(schedule, budget) __enzyme_set_checkpointing(ENZYME_CKPT_SCHEDULE_##schedule, budget)
#endif

/* --- Which loops --- */

MAP(counted, 3, 1, 0.5, -1.0, 2.0) {
  for (int i = 0; i < 17; i++) {
    MARK(REVOLVE, 3);
    for (int k = 0; k < n; k++)
      x[k] += (real)0.125 * sin(x[k] + (real)0.5 * (real)i);
  }
  y[0] = x[0] * x[1] + x[2];
}
MAP(never_run, 3, 1, 0.5, -1.0, 2.0) {
  for (int i = n; i < 3; i++) {
    MARK(PERIODIC, -1);
    x[0] *= x[1];
  }
  y[0] = x[0] * x[1] + x[2];
}
MAP(backwards_by_three, 3, 1, 0.5, -1.0, 2.0) {
  for (long i = 20 + n; i > 1; i -= 3) {
    MARK(STORE_ALL, 0);
    x[0] += (real)0.125 * sin(x[1]) * (real)(int)i;
    x[1] += x[0] * x[2];
    x[2] *= (real)0.75;
  }
  y[0] = x[0] * x[1] + x[2];
}
MAP(until_the_state_says_so, 2, 1, 3.0, 0.5) {
  int steps = 0;
  while (VALUE(x[0] * x[0]) > 0.25) {
    MARK(REVOLVE, 3);
    x[1] = x[1] * (real)0.75 + (real)0.125 * x[0];
    x[0] = x[0] * (real)0.875 + (real)0.0625 * sin(x[1]);
    steps++;
  }
  y[0] = x[0] + x[1] * (real)steps;
}
MAP(left_by_break, 3, 1, 3.0, 0.5, 0.25) {
  for (int i = 0; i < 40; i++) {
    MARK(REVOLVE, 0);
    x[0] *= (real)0.625;
    x[1] += x[0] * x[0];
    x[2] += x[1] * x[0];
    if (VALUE(x[0] * x[0]) < 0.01)
      break;
  }
  y[0] = x[0] + x[1] * x[2];
}
MAP(at_least_once, 2, 1, 3.0, 0.5) {
  int i = 0;
  do {
    MARK(BINOMIAL, 2);
    x[0] *= x[1];
    x[1] = cos(x[0]);
  } while (++i < 5);
  y[0] = x[0] + x[1];
}
MAP(some_are_skipped, 2, 1, 3.0, 0.5) {
  for (unsigned i = 0; i < 9; i++) {
    MARK(REVOLVE, 2);
    x[1] += (real)0.125 * x[0];
    x[0] = sin(x[0]);
    if (i % 3 == 1)
      continue;
    x[0] += x[1] * x[0];
  }
  y[0] = x[0] + x[1];
}
MAP(a_different_part_each, 2, 1, 3.0, 0.5) {
  for (int i = 0; i < 7; i++) {
    MARK(REVOLVE, 2);
    real a = x[0], b = x[1];
    switch (i % 3) {
    case 0:
      x[0] = a * b;
      break;
    case 1:
      x[1] = a + b;
      break;
    default:
      x[0] = a - b;
    }
  }
  y[0] = x[0] * x[1];
}
MAP(no_schedule, 1, 1, 3.0) {
  for (int i = 0; i < 4; i++) {
    MARK(NONE, 2);
    x[0] = sin(x[0]);
  }
  y[0] = x[0];
}

/* --- What goes from one iteration to the next, and behind the loop --- */

MAP(scalars, 2, 1, 3.0, 0.5) {
  real time = x[0] * (real)0.25, product = 1, last = 0;
  for (int i = 0; i < 7; i++) {
    MARK(REVOLVE, 2);
    product *= x[1] + time;
    time += (real)0.0625 * sin(product);
    last = time * x[0];
  }
  y[0] = product + time * last;
}
MAP(local_arrays, 3, 1, 3.0, 0.5, 0.25) {
  real u[3] = {x[0], x[1] * x[0], x[2]};
  for (int i = 0; i < 6; i++) {
    MARK(REVOLVE, 2);
    real next[3];
    for (int k = 0; k < 3; k++)
      next[k] = u[k] + (real)0.125 * sin(u[(k + 1) % 3]) * x[0];
    for (int k = 0; k < 3; k++)
      u[k] = next[k];
  }
  y[0] = u[0] * u[1] + u[2];
}
NOINLINE static void curve(real *x, int n, int i) {
  for (int k = 0; k < n; k++)
    x[k] += (real)0.125 * sin(x[k] + (real)0.5 * (real)i);
}
MAP(allocated, 3, 1, 3.0, 0.5, 0.25) {
  real *u = (real *)malloc((size_t)n * sizeof(real));
  memcpy(u, x, (size_t)n * sizeof(real));
  for (int i = 0; i < 6; i++) {
    MARK(REVOLVE, 2);
    curve(u, n, i);
  }
  y[0] = u[0] * u[1] + u[2];
  free(u);
}
MAP(a_cursor, 3, 1, 3.0, 0.5, 0.25) {
  const double weights[] = {0.5, -0.25, 1.5, 2.5};
  const double *weight = weights;
  for (int i = 0; i < 4; i++, weight++) {
    MARK(REVOLVE, 2);
    x[0] += (real)*weight * sin(x[1]);
    x[1] *= x[0];
  }
  y[0] = x[0] * x[1];
}

/* --- Of what steps touch, no bounds are known: the whole is kept. --- */

MAP(around_a_ring, 4, 1, 0.5, -1.0, 2.0, 0.25) {
  real u[4], energy[2] = {0};
  memcpy(u, x, sizeof u);
  for (int i = 0; i < 7; i++) {
    MARK(REVOLVE, 2);
    for (int k = 0; k < 4; k++)
      u[k] += (real)0.125 * sin(u[(k + 1) & 3] + u[i % 4]);
    if (u[0] > 1)
      energy[1] += u[0] * u[0];
  }
  y[0] = u[0] * u[1] + u[2] * u[3] + energy[1];
}
MAP(around_an_allocated_ring, 4, 1, 0.5, -1.0, 2.0, 0.25) {
  real *all = (real *)malloc((size_t)(n + 1) * sizeof(real)), *u = all + 1;
  all[0] = x[0] * x[1];
  memcpy(u, x, (size_t)n * sizeof(real));
  for (int i = 0; i < 7; i++) {
    MARK(REVOLVE, 2);
    for (int k = 0; k < n; k++)
      u[k] += (real)0.125 * sin(u[(k + 1) % n] + u[-1]);
    u[i % n] *= (real)0.75;
  }
  y[0] = u[0] * u[1] + u[2] * u[3] + all[0];
  free(all);
}
MAP(rings_in_rings, 4, 1, 0.5, -1.0, 2.0, 0.25) {
  real u[4];
  memcpy(u, x, sizeof u);
  for (int i = 0; i < 5; i++) {
    MARK(REVOLVE, 2);
    for (int j = i; j > 0; j--) {
      MARK(PERIODIC, 2);
      u[j % 4] += (real)0.125 * sin(u[(i + j) & 3]);
    }
    u[i & 3] *= u[1];
  }
  y[0] = u[0] * u[1] + u[2] * u[3];
}

/* --- Where --- */

MAP(nested, 3, 1, 0.5, -1.0, 2.0) {
  for (int i = 0; i < 5; i++) {
    MARK(REVOLVE, 2);
    for (int j = i; j < i + 4; j++) {
      MARK(REVOLVE, 1);
      curve(x, n, j);
    }
    x[0] *= x[1];
  }
  y[0] = x[0] * x[1] + x[2];
}
MAP(in_a_plain_loop, 3, 1, 0.5, -1.0, 2.0) {
  for (int i = 0; i < 3; i++) {
    for (int j = i; j < 5; j++) {
      MARK(REVOLVE, 2);
      curve(x, n, j);
    }
    x[0] *= x[1];
  }
  y[0] = x[0] * x[1] + x[2];
}
