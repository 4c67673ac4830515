// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libraries: -llapack -lopenblas
// tolerance: 1e-9
/* LAPACK on complex numbers, continued: inverses, reflections, least squares, and what moves or
 * measures matrices. */
#include "cases.h"

#include "blas.h"

#define POINTS_40                                                                                  \
  0.7, -1.3, 0.4, 2.1, -0.6, 1.9, 0.25, -0.8, 1.1, 0.9, -1.7, 0.35, 1.4, -0.45, 0.65, 2.3, -1.05,  \
      0.55, 1.25, -0.95, 1.6, 0.15, -0.2, 0.85, 0.3, -1.15, 0.95, 0.45, -0.35, 1.05, 0.75, -0.5,   \
      1.2, 0.6, -0.9, 0.1, 0.8, -0.4, 1.5, 0.2
#define ROOM 1024

/* A is x[0..17], three by three, with a heavy diagonal. */
static void to_y(real *x, real *y) {
  for (int i = 0; i < 18; i++)
    y[i] += x[i] + (i % 8 == 0 ? 3 : 0);
}

MAP(complex_trtri, 40, 18, POINTS_40) {
  int three = 3, info;
  to_y(x, y);
  ZFORTRAN(trtri)("u", "n", &three, y, &three, &info);
  ZFORTRAN(trtri)("L", "U", &three, y, &three, &info);
}

MAP(complex_potri, 40, 18, POINTS_40) {
  int three = 3, info;
  to_y(x, y);
  y[1] = y[9] = y[17] = 0;
  ZFORTRAN(potri)("u", &three, y, &three, &info);
  y[1] = y[9] = y[17] = 0;
  ZFORTRAN(potri)("L", &three, y, &three, &info);
}

MAP(complex_geqrf, 40, 30, POINTS_40) {
  int three = 3, two = 2, room = ROOM, info;
  real tau[6], work[ROOM];
  to_y(x, y);
  for (int i = 0; i < 12; i++)
    y[18 + i] = x[18 + i];
  ZFORTRAN(geqrf)(&three, &two, y, &three, tau, work, &room, &info);
  ZFORTRAN(unmqr)
  ("L", "C", &three, &two, &two, y, &three, tau, y + 18, &three, work, &room, &info);
  ZFORTRAN(unmqr)
  ("R", "N", &two, &three, &two, y, &three, tau, y + 18, &two, work, &room, &info);
  for (int i = 0; i < 4; i++)
    y[12 + i] = tau[i];
}

MAP(complex_ungqr, 40, 18, POINTS_40) {
  int three = 3, room = ROOM, info;
  real tau[6], work[ROOM];
  to_y(x, y);
  ZFORTRAN(geqrf)(&three, &three, y, &three, tau, work, &room, &info);
  ZFORTRAN(ungqr)(&three, &three, &three, y, &three, tau, work, &room, &info);
}

MAP(complex_gels, 40, 12, POINTS_40) {
  int three = 3, two = 2, one = 1, room = ROOM, info;
  real work[ROOM], a[18];
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < 18; i++)
      a[i] = x[i] + (i % 8 == 0 ? 3 : 0);
    for (int i = 0; i < 6; i++)
      y[6 * k + i] += x[20 + i] * x[26 + k];
    ZFORTRAN(gels)
    (k ? "C" : "N", &three, &two, &one, a, &three, y + 6 * k, &three, work, &room, &info);
  }
}

MAP(complex_gels_wide, 40, 12, POINTS_40) {
  int three = 3, two = 2, one = 1, room = ROOM, info;
  real work[ROOM], a[18];
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < 18; i++)
      a[i] = x[i] + (i % 6 == 0 ? 3 : 0);
    for (int i = 0; i < 6; i++)
      y[6 * k + i] += x[20 + i] * x[26 + k];
    ZFORTRAN(gels)
    (k ? "C" : "N", &two, &three, &one, a, &two, y + 6 * k, &three, work, &room, &info);
  }
}

MAP(complex_moved, 40, 22, POINTS_40) {
  int three = 3, two = 2, one = 1, pivots[] = {3, 2, 3};
  real work[3];
  to_y(x, y);
  ZFORTRAN(lacpy)("U", &three, &two, x + 18, &three, y, &three);
  ZFORTRAN(lacpy)("L", &two, &two, x + 20, &three, y + 2, &three);
  ZFORTRAN(laswp)(&three, y, &three, &one, &two, pivots, &one);
  y[18] = ZFORTRAN(lange)("M", &three, &three, y, &three, work);
  y[19] = ZFORTRAN(lange)("1", &three, &two, y, &three, work);
  y[20] = ZFORTRAN(lange)("i", &two, &three, y, &three, work);
  y[21] = ZFORTRAN(lange)("F", &three, &three, y, &three, work);
}
