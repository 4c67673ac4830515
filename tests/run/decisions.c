// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Which way control went in each of many iterations: more than share a word of the tape. */
#include "cases.h"

static real turn(real v, real by) {
  if (v > 1)
    return v * (real)0.4 + sin(v) * by;
  return v * (real)1.3 + cos(by * v) * (real)0.5;
}

SUM(decisions_of_a_counted_loop, 2, 0.7, -0.3) {
  real v = x[0];
  for (int i = 0; i < 100 * n + 1; i++)
    v = turn(v, x[1]);
  return v;
}

SUM(decisions_of_an_uncounted_loop, 2, 0.7, -0.3) {
  real v = x[0], sum = 0;
  while (sum < 60 * n) {
    v = turn(v, x[1]);
    sum += v * v > 1 ? (real)0.75 : (real)0.5;
    if (v > (real)1.5)
      sum += v * (real)0.01;
  }
  return v * sum;
}

/* Rows of lengths that the loop around them finds, none of them long, some empty. */
SUM(decisions_of_rows, 3, 0.7, -0.3, 1.1) {
  real v = x[0], sum = 0;
  int rows = 0;
  while (sum < 20 && rows < 90) {
    int length = rows++ * 7 % 5;
    for (int j = 0; j < length; j++)
      v = turn(v, x[j % n]);
    sum += v > 1 ? v * (real)0.25 : (real)0.125;
  }
  return v + sum;
}

/* One loop's iterations go on where those of another stopped, in one array. */
SUM(decisions_of_nested_loops, 3, 0.7, -0.3, 1.1) {
  real v = x[0];
  for (int i = 0; i < 17; i++)
    for (int j = 0; j < n * 3; j++) {
      v = turn(v, x[j % n]);
      if (v < 0)
        v = exp(v);
    }
  return v;
}

/* Of the arms of a switch one is taken; what they keep shares its place. */
SUM(arms_that_share, 3, 0.7, -0.3, 1.1) {
  real v = x[0], w = x[1];
  for (int i = 0; i < 90; i++) {
    switch (v > 1 ? i % 3 : 3 - i % 2) {
    case 0:
      v = sin(v) * x[2];
      break;
    case 1:
      v = exp(-v) + w;
      w = cos(w);
      break;
    case 2:
      v = v * w + 1;
      break;
    default:
      v = sqrt(v * v + 1);
      w = w * v * (real)0.5;
    }
  }
  return v + w * n;
}

/* Control comes from one of so many ways: some bits of a word for each iteration. */
SUM(decisions_of_many_ways, 3, 0.7, -0.3, 1.1) {
  real v = x[0];
  unsigned way = v > 0;
  for (int i = 0; i < 70 * n; i++) {
    way = (way * 7 + 3) % 19;
    switch (way) {
    case 0:
      v = sin(v) + x[1];
      break;
    case 1:
      v = v * x[2] * (real)0.5;
      break;
    case 2:
      v = cos(v);
      break;
    case 3:
      v = x[1] * x[2] + v * (real)0.25;
      break;
    case 4:
      v = v * v * (real)0.3;
      break;
    case 5:
      v = exp(-v * v);
      break;
    case 6:
      v = v + x[0] * (real)0.1;
      break;
    case 7:
      v = v - x[2] * (real)0.5;
      break;
    case 8:
      v = sin(v * x[0]);
      break;
    case 9:
      v = cos(v * x[1]) + (real)0.5;
      break;
    case 10:
      v = sqrt(1 + v * v) * (real)0.5;
      break;
    case 11:
      v = v * (real)0.9 + x[1] * (real)0.3;
      break;
    case 12:
      v = 1 / (1 + v * v);
      break;
    case 13:
      v = tanh(v) * x[2];
      break;
    case 14:
      v = v * x[0];
      break;
    default:
      v = v * (real)0.5 + (real)0.1;
      break;
    }
  }
  return v;
}

/* Three ways, in a loop whose count only its end tells and in a row of it. */
SUM(decisions_of_three_ways, 3, 0.7, -0.3, 1.1) {
  real v = x[0], sum = 0;
  unsigned way = v > 0;
  while (sum < 50) {
    for (int j = 0; j < n; j++) {
      way = (way * 5 + 3) % 16;
      if (way > 4) {
        if (way > 11)
          v = v * (real)0.4 + x[j] * (real)0.1;
        else
          v = v * v * (real)0.5;
      } else {
        v = v * (real)1.2 + cos(v) * (real)0.2;
      }
    }
    sum += way & 1 ? (real)0.75 : (real)0.5;
  }
  return v * sum;
}

/* A choice that depends on what the iteration before left, in a loop around another. */
SUM(choices_of_outer_loops, 3, 0.7, -0.3, 1.1) {
  real v = x[0];
  for (int i = 0; i < 75; i++) {
    real w = v > (real)0.8 ? v * (real)0.5 : v * (real)1.5;
    for (int j = 0; j < n; j++)
      w += sin(x[j] * w) * (real)0.1;
    v = w > 1 ? w * (real)0.7 : w + (real)0.05;
  }
  return v;
}
