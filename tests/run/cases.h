// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* How a run test is written: a kind, a name, its sizes and sample points, then the body.
 *
 *   MAP(scale, 3, 2, 1.0, 2.0, 3.0) {
 *     y[0] = x[0] * x[1];
 *     y[1] = sin(x[2]) + n;
 *   }
 *
 * The same file is compiled as C by the compiler under test, where `real` is NB_REAL, and as C++
 * without it, where `real` is a dual number: that build is the reference. So a body is written in
 * the common subset of both languages: casts after malloc, no jump over an initialiser, VALUE(x)
 * where the derivative is to be dropped, `single`, `wide`, `extended`, `half` and `brain` for
 * float, double, long double, _Float16 and __bf16. A C++ file is C++ in both builds, and the
 * compiler under test is told NB_SUBJECT.
 *
 * Every case is seen as a map of its state, (inputs, outputs), onto itself; check.c runs it.
 *
 *   SCALAR1..3(name, points)        real name(real x[, real y[, real z]])
 *   SUM(name, inputs, points)       real name(int n, real *x)
 *   TWIN(name, inputs, points)      real name(int n, const real *x, const real *y), called with
 *                                   y == x and one shadow for both
 *   MAP(name, inputs, outputs, ..)  void name(int n, real *x, real *y), both read and written
 *   FIXED(name, inputs, outputs,..) the same with x constant
 *   CHECK(name)                     void name(void), checked by itself with EXPECT
 *
 * The points are the values of all inputs, one point after the other. The point of zeros is
 * always added. */
#ifndef NB_RUN_CASES_H
#define NB_RUN_CASES_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))
#define NB_SHAPE_SCALAR1(name) __attribute__((unused)) static real name(real x)
#define NB_SHAPE_SCALAR2(name) __attribute__((unused)) static real name(real x, real y)
#define NB_SHAPE_SCALAR3(name) __attribute__((unused)) static real name(real x, real y, real z)
#define NB_SHAPE_SUM(name) __attribute__((unused)) static real name(int n, real *x)
#define NB_SHAPE_TWIN(name)                                                                        \
  __attribute__((unused)) static real name(int n, const real *x, const real *y)
#define NB_SHAPE_MAP(name) __attribute__((unused)) static void name(int n, real *x, real *y)
#define NB_SHAPE_FIXED(name) __attribute__((unused)) static void name(int n, real *x, real *y)
#define NB_SHAPE_CHECK(name) __attribute__((unused)) static void name(void)

/* What the runner puts in front of the cases that it leaves out. */
#define OMIT_SCALAR1(name, ...) NB_SHAPE_SCALAR1(name)
#define OMIT_SCALAR2(name, ...) NB_SHAPE_SCALAR2(name)
#define OMIT_SCALAR3(name, ...) NB_SHAPE_SCALAR3(name)
#define OMIT_SUM(name, ...) NB_SHAPE_SUM(name)
#define OMIT_TWIN(name, ...) NB_SHAPE_TWIN(name)
#define OMIT_MAP(name, ...) NB_SHAPE_MAP(name)
#define OMIT_FIXED(name, ...) NB_SHAPE_FIXED(name)
#define OMIT_CHECK(name) NB_SHAPE_CHECK(name)

#if defined(__cplusplus) && !defined(NB_SUBJECT)
#include "reference.hpp"
#else
#include "subject.h"
#endif

#endif
