// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The coefficients of Dormand and Prince (1980), and what decides on the steps. */
#ifndef BENCH_TABLEAU_H
#define BENCH_TABLEAU_H

enum { STAGES = 7 };

static const double TABLEAU[STAGES][STAGES - 1] = {
    {0},
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
};

/* The step of fifth order less that of fourth. */
static const double DIFFERENCE[STAGES] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                          -17253.0 / 339200, 22.0 / 525, -1.0 / 40};

static const double FIRST_STEP = 0x1p-6;
static const double TOLERANCE = 1e-9;
static const double SMALL_ERROR = 1e-11;

#endif
