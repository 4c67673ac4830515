// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * Hand tracking, after Srajer, Kukelova and Fitzgibbon, "A benchmark of selected algorithmic
 * differentiation tools on some problems in computer vision and machine learning" (2018), the
 * simple model: how far the skin of a posed hand is from where it was measured.
 *
 * A pose is the rotation of the whole hand (axis times angle), its place, and for each finger four
 * angles: two at its second bone, one at the third and at the fourth. Every point of the skin
 * follows some bones by weights (linear blend skinning).
 *
 * Plain C over a type Real, which the including file defines: double, or dual numbers in C++. A
 * motion is a matrix of three rows and four columns: a rotation, and where the origin goes.
 */
#include <math.h>
#include <stdlib.h>

enum { PLACE = 3, FINGER = 6, ROTATION_SIZE = 9 };

static Real *reals_new(int count) { return (Real *)malloc(sizeof(Real) * (size_t)count); }

static void constants(int count, const double *from, Real *to) {
  for (int i = 0; i < count; i++)
    to[i] = from[i];
}

/* out = a b, for rotations. */
static void multiply(const Real *a, const Real *b, Real *out) {
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 3; column++)
      out[3 * row + column] =
          a[3 * row] * b[column] + a[3 * row + 1] * b[3 + column] + a[3 * row + 2] * b[6 + column];
}

/* out = first b, then a. */
static void compose(const Real *a, const Real *b, Real *out) {
  for (int row = 0; row < 3; row++) {
    const Real *from = a + 4 * row;
    for (int column = 0; column < 4; column++)
      out[4 * row + column] =
          from[0] * b[column] + from[1] * b[4 + column] + from[2] * b[8 + column];
    out[4 * row + 3] += from[3];
  }
}

/* The rotation by an axis times an angle; the identity where the angle is very small. */
static void rotation_about(const Real *axis, Real *out) {
  Real angle = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
  int turns = angle > 0.0001;
  for (int i = 0; i < ROTATION_SIZE; i++)
    out[i] = i % 4 == 0;
  if (!turns)
    return;
  Real sine = sin(angle);
  Real cosine = cos(angle);
  for (int row = 0; row < 3; row++) {
    int next = (row + 1) % 3;
    int last = (row + 2) % 3;
    Real along = axis[row] / angle;
    out[4 * row] = along * along + (1 - along * along) * cosine;
    Real both = along * axis[next] / angle * (1 - cosine);
    Real across = axis[last] / angle * sine;
    out[3 * row + next] = both - across;
    out[3 * next + row] = both + across;
  }
}

/* The rotation about x, then about y, then about z. */
static void rotation_by_angles(Real x, Real y, Real z, Real *out) {
  Real about_x[ROTATION_SIZE] = {1, 0, 0, 0, cos(x), -sin(x), 0, sin(x), cos(x)};
  Real about_y[ROTATION_SIZE] = {cos(y), 0, sin(y), 0, 1, 0, -sin(y), 0, cos(y)};
  Real about_z[ROTATION_SIZE] = {cos(z), -sin(z), 0, sin(z), cos(z), 0, 0, 0, 1};
  Real first_two[ROTATION_SIZE];
  multiply(about_y, about_x, first_two);
  multiply(about_z, first_two, out);
}

/* How bone `at` is turned against its parent: about x and z at the second bone, then about x. */
static void bone_rotation(int at, const Real *pose, Real *out) {
  int finger = (at - 1) / 4;
  int joint = (at - 1) % 4;
  Real x = 0;
  Real z = 0;
  if (at >= 1 && finger < 5 && joint >= 1) {
    const Real *angles = pose + FINGER + 4 * finger;
    x = angles[joint == 1 ? 0 : joint];
    if (joint == 1)
      z = angles[1];
  }
  rotation_by_angles(x, 0, z, out);
}

/* How each bone has moved from where it is at rest. */
static void bone_motions(const HandModel *model, const Real *pose, Real *motions) {
  Real *absolutes = reals_new(MOTION * model->bones);
  for (int i = 0; i < model->bones; i++) {
    Real rotation[ROTATION_SIZE], turn[MOTION], base[MOTION], relative[MOTION];
    bone_rotation(i, pose, rotation);
    for (int entry = 0; entry < MOTION; entry++)
      turn[entry] = 0;
    for (int entry = 0; entry < ROTATION_SIZE; entry++)
      turn[entry + entry / 3] = rotation[entry];
    constants(MOTION, model->relatives + MOTION * i, base);
    Real *absolute = absolutes + MOTION * i;
    if (model->parents[i] < 0) {
      compose(base, turn, absolute);
    } else {
      compose(base, turn, relative);
      compose(absolutes + MOTION * model->parents[i], relative, absolute);
    }
    constants(MOTION, model->inverses + MOTION * i, base);
    compose(absolute, base, motions + MOTION * i);
  }
  free(absolutes);
}

/* Where the motions, each as much as its weight says, take one vertex of the skin. */
static void skin(const HandModel *model, const Real *motions, int vertex, Real *out) {
  const double *x = model->vertices + 3 * vertex;
  for (int row = 0; row < 3; row++)
    out[row] = 0;
  for (int i = model->first[vertex]; i < model->first[vertex + 1]; i++) {
    const Real *motion = motions + MOTION * model->weight_bones[i];
    for (int row = 0; row < 3; row++) {
      const Real *from = motion + 4 * row;
      out[row] += model->weights[i] * (from[0] * x[0] + from[1] * x[1] + from[2] * x[2] + from[3]);
    }
  }
}

/* Three residuals for each of n measured points: point i belongs to vertices[i]. */
static void hand_residuals(const HandModel *model, int n, const int *vertices, const double *points,
                           const Real *pose, Real *residuals) {
  Real *motions = reals_new(MOTION * model->bones);
  Real *skins = reals_new(3 * model->vertex_count);
  Real global[ROTATION_SIZE];
  bone_motions(model, pose, motions);
  for (int i = 0; i < model->vertex_count; i++)
    skin(model, motions, i, skins + 3 * i);
  rotation_about(pose, global);
  for (int i = 0; i < n; i++) {
    const Real *x = skins + 3 * vertices[i];
    for (int row = 0; row < 3; row++) {
      const Real *from = global + 3 * row;
      Real seen = from[0] * x[0] + from[1] * x[1] + from[2] * x[2] + pose[PLACE + row];
      residuals[3 * i + row] = points[3 * i + row] - seen;
    }
  }
  free(motions);
  free(skins);
}
