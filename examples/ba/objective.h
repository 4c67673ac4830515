// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * Bundle adjustment, after Srajer, Kukelova and Fitzgibbon, "A benchmark of selected algorithmic
 * differentiation tools on some problems in computer vision and machine learning" (2018): where a
 * camera sees a point, against where it was measured.
 *
 * Plain C over a type Real, which the including file defines: double, or dual numbers in C++.
 */
#include <math.h>

/* A camera: axis times angle, centre, focal length, principal point, radial distortion. */
enum { ROTATION = 0, CENTRE = 3, FOCAL = 6, PRINCIPAL = 7, RADIAL = 9 };

static Real dot3(const Real *a, const Real *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void cross3(const Real *a, const Real *b, Real *out) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

/* Rodrigues' formula; without an angle, its first-order limit. */
static void rotate(const Real *rotation, const Real *x, Real *out) {
  Real squared_angle = dot3(rotation, rotation);
  Real along = 0;
  Real cosine = 1;
  Real sinc = 1;
  if (squared_angle > 0) {
    Real angle = sqrt(squared_angle);
    cosine = cos(angle);
    sinc = sin(angle) / angle;
    along = dot3(rotation, x) * (1 - cosine) / squared_angle;
  }
  Real across[3];
  cross3(rotation, x, across);
  for (int i = 0; i < 3; i++)
    out[i] = cosine * x[i] + sinc * across[i] + along * rotation[i];
}

/* The point's place in the camera's picture. */
static void project(const Real *camera, const Real *point, Real *out) {
  Real distance[3];
  for (int i = 0; i < 3; i++)
    distance[i] = point[i] - camera[CENTRE + i];
  Real seen[3];
  rotate(camera + ROTATION, distance, seen);
  Real x = seen[0] / seen[2];
  Real y = seen[1] / seen[2];
  Real squared = x * x + y * y;
  Real distortion = 1 + squared * (camera[RADIAL] + squared * camera[RADIAL + 1]);
  out[0] = camera[FOCAL] * distortion * x + camera[PRINCIPAL];
  out[1] = camera[FOCAL] * distortion * y + camera[PRINCIPAL + 1];
}

/* The two residuals of one observation. */
static void reprojection_residual(const Real *camera, const Real *point, const Real *weight,
                                  const double *feature, Real *residual) {
  Real seen[2];
  project(camera, point, seen);
  residual[0] = *weight * (seen[0] - feature[0]);
  residual[1] = *weight * (seen[1] - feature[1]);
}

/* Keeps the weights near one. */
static Real weight_residual(Real weight) { return 1 - weight * weight; }
