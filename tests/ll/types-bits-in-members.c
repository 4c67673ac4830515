// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers that a copy of bytes puts where structs have padding, or several small integers, travel
// with the structs.
// RUN: %clang -O0 %s -o %t && %t | FileCheck %s
// RUN: %clang -O1 %s -o %t && %t | FileCheck %s
// RUN: %clang -O2 %s -o %t && %t | FileCheck %s
// RUN: %clang -O3 %s -o %t && %t | FileCheck %s
// CHECK: 5 3
// CHECK: 6 3
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int enzyme_dup;
double __enzyme_autodiff(void *, ...);

typedef struct {
  char id[2]; /* and six bytes of padding */
  double w;
} Padded;

static double in_padding(const double *x) {
  Padded *v = calloc(2, sizeof *v);
  for (int i = 0; i < 2; i++) {
    float bits = (float)(x[i] * x[i]);
    v[i].id[0] = (char)(i + 1);
    v[i].w = x[i];
    memcpy((char *)&v[i] + 4, &bits, sizeof bits);
  }
  for (int i = 0; i < 3; i++) {
    Padded t = v[i % 2];
    v[i % 2] = v[(i + 1) % 2];
    v[(i + 1) % 2] = t;
  }
  float bits;
  memcpy(&bits, (char *)&v[1] + 4, sizeof bits);
  double sum = bits * v[0].id[0] + v[0].w * 3 + v[1].w * v[1].id[0];
  free(v);
  return sum;
}

typedef struct {
  float p[3];
  short m;
  unsigned char c[2];
} Vertex;

static double in_members(const double *x) {
  Vertex v[2] = {{{(float)x[0], 0, 0}, 1, {1, 2}}, {{(float)x[1], 0, 0}, 2, {1, 2}}};
  Vertex *h = malloc(sizeof v);
  float bits = (float)(x[0] * x[0]);
  memcpy(&v[1].m, &bits, sizeof bits);
  memcpy(h, v, sizeof v);
  for (int i = 0; i < 3; i++) {
    Vertex t = h[i % 2];
    h[i % 2] = h[(i + 1) % 2];
    h[(i + 1) % 2] = t;
  }
  memcpy(&bits, &h[0].m, sizeof bits);
  double sum = bits * 2.5 + h[1].p[0] * h[1].m + 3 * h[0].p[0];
  free(h);
  return sum;
}

int main(void) {
  double x[2] = {1, 2}, dx[2] = {0}, dz[2] = {0};
  __enzyme_autodiff((void *)in_padding, enzyme_dup, x, dx);
  printf("%g %g\n", dx[0], dx[1]);
  __enzyme_autodiff((void *)in_members, enzyme_dup, x, dz);
  printf("%g %g\n", dz[0], dz[1]);
  return 0;
}
