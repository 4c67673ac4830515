// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The cases as the compiler under test sees them; included by cases.h only. */
#ifndef NB_RUN_SUBJECT_H
#define NB_RUN_SUBJECT_H

#include "check.h"
#include "formats.h"

typedef struct {
  real x, y;
} Adjoints2;
typedef struct {
  real x, y, z;
} Adjoints3;

#ifdef __cplusplus
#define NB_EXTERN extern "C"
#define restrict __restrict
#else
#define NB_EXTERN extern
#endif

NB_EXTERN int enzyme_const, enzyme_dup, enzyme_dupnoneed, enzyme_out;
NB_EXTERN int enzyme_noret, enzyme_primal_return;

extern real __enzyme_fwddiff_scalar1(real (*)(real), real, real);
extern real __enzyme_fwddiff_scalar2(real (*)(real, real), int, real, real, int, real, real);
extern real __enzyme_fwddiff_scalar3(real (*)(real, real, real), real, real, real, real, real,
                                     real);
extern real __enzyme_autodiff_scalar1(real (*)(real), real);
extern Adjoints2 __enzyme_autodiff_scalar2(real (*)(real, real), int, real, int, real);
extern Adjoints3 __enzyme_autodiff_scalar3(real (*)(real, real, real), real, real, real);
extern real __enzyme_fwddiff_sum(void *, ...);
extern void __enzyme_autodiff_sum(void *, ...);
extern void __enzyme_fwddiff_map(void *, ...);
extern void __enzyme_autodiff_map(void *, ...);

/* In a CHECK: the case fails, with its line, unless the two numbers agree. */
#define EXPECT(found, expected) nb_expect(__LINE__, (double)(found), (double)(expected))

#if defined NB_SPLIT && !defined NB_AT_ONCE
#define NB_REPLAY
#include "replay.h"
#endif

#if defined NB_WIDTH
#include "width.h"
#elif defined NB_MASKS
#include "masks.h"
#elif !defined NB_REPLAY
#define NB_FORWARD_SCALAR1(name, n, s, d) d[n] = __enzyme_fwddiff_scalar1(name, s[0], d[0])
#define NB_FORWARD_SCALAR2(name, n, s, d)                                                          \
  d[n] = __enzyme_fwddiff_scalar2(name, enzyme_dup, s[0], d[0], enzyme_dup, s[1], d[1])
#define NB_FORWARD_SCALAR3(name, n, s, d)                                                          \
  d[n] = __enzyme_fwddiff_scalar3(name, s[0], d[0], s[1], d[1], s[2], d[2])
#define NB_FORWARD_SUM(name, n, s, d) d[n] = __enzyme_fwddiff_sum((void *)name, n, s, d)
#define NB_FORWARD_TWIN(name, n, s, d) d[n] = __enzyme_fwddiff_sum((void *)name, n, s, d, s, d)
#define NB_FORWARD_MAP(name, n, s, d, outputs, ...)                                                \
  __enzyme_fwddiff_map((void *)name, enzyme_const, n, __VA_ARGS__, enzyme_dup, s + n, d + n)
#define NB_DUP_X enzyme_dup, s, d
#endif

#ifdef NB_SPLIT
#include "split.h"
#endif
#if defined NB_SPLIT && defined NB_WIDTH
#include "wide_split.h"
#elif !defined NB_SPLIT && !defined NB_WIDTH
#define NB_REVERSE_SCALAR1(name, n, s, b)                                                          \
  b[0] += __enzyme_autodiff_scalar1(name, s[0]);                                                   \
  b[n] = 0
#define NB_REVERSE_SCALAR2(name, n, s, b)                                                          \
  Adjoints2 a = __enzyme_autodiff_scalar2(name, enzyme_out, s[0], enzyme_out, s[1]);               \
  b[0] += a.x;                                                                                     \
  b[1] += a.y;                                                                                     \
  b[n] = 0
#define NB_REVERSE_SCALAR3(name, n, s, b)                                                          \
  Adjoints3 a = __enzyme_autodiff_scalar3(name, s[0], s[1], s[2]);                                 \
  b[0] += a.x;                                                                                     \
  b[1] += a.y;                                                                                     \
  b[2] += a.z;                                                                                     \
  b[n] = 0
#define NB_REVERSE_SUM(name, n, s, b)                                                              \
  b[n] = 0;                                                                                        \
  __enzyme_autodiff_sum((void *)name, n, s, b)
#define NB_REVERSE_TWIN(name, n, s, b)                                                             \
  b[n] = 0;                                                                                        \
  __enzyme_autodiff_sum((void *)name, n, s, b, s, b)
#define NB_REVERSE_MAP(name, n, s, d, outputs, ...)                                                \
  __enzyme_autodiff_map((void *)name, enzyme_const, n, __VA_ARGS__, enzyme_dup, s + n, d + n)
#endif

#ifndef NB_AGAIN_SUM
#define NB_AGAIN_SCALAR1(name)
#define NB_AGAIN_SCALAR2(name)
#define NB_AGAIN_SCALAR3(name)
#define NB_AGAIN_SUM(name)
#define NB_AGAIN_TWIN(name)
#define NB_AGAIN_MAP(name, ...)
#endif

#define NB_ENTRY(id, shape, size, results, returned)                                               \
  NB_EXTERN void id##_reference(int n, real *s, real *d);                                          \
  static const NbCase id##_case = {                                                                \
      .name = #id,                                                                                 \
      .kind = shape,                                                                               \
      .inputs = size,                                                                              \
      .outputs = results,                                                                          \
      .returns = returned,                                                                         \
      .numbers = sizeof id##_samples / sizeof id##_samples[0],                                     \
      .samples = id##_samples,                                                                     \
      .primal = id##_primal,                                                                       \
      .forward = id##_forward,                                                                     \
      .reverse = id##_reverse,                                                                     \
      .reference = id##_reference,                                                                 \
  };                                                                                               \
  static const NbCase *const id##_entry __attribute__((used, section("nb_cases"))) = &id##_case

#define SCALAR1(name, ...)                                                                         \
  static real name(real x);                                                                        \
  static const double name##_samples[] = {__VA_ARGS__};                                            \
  static void name##_primal(int n, real *s) { s[n] = name(s[0]); }                                 \
  NB_AGAIN_SCALAR1(name)                                                                           \
  static void name##_forward(int n, real *s, real *d) { NB_FORWARD_SCALAR1(name, n, s, d); }       \
  static void name##_reverse(int n, real *s, real *b) { NB_REVERSE_SCALAR1(name, n, s, b); }       \
  NB_ENTRY(name, NB_ACTIVE, 1, 1, 1);                                                              \
  NB_SHAPE_SCALAR1(name)

#define SCALAR2(name, ...)                                                                         \
  static real name(real x, real y);                                                                \
  static const double name##_samples[] = {__VA_ARGS__};                                            \
  static void name##_primal(int n, real *s) { s[n] = name(s[0], s[1]); }                           \
  NB_AGAIN_SCALAR2(name)                                                                           \
  static void name##_forward(int n, real *s, real *d) { NB_FORWARD_SCALAR2(name, n, s, d); }       \
  static void name##_reverse(int n, real *s, real *b) { NB_REVERSE_SCALAR2(name, n, s, b); }       \
  NB_ENTRY(name, NB_ACTIVE, 2, 1, 1);                                                              \
  NB_SHAPE_SCALAR2(name)

#define SCALAR3(name, ...)                                                                         \
  static real name(real x, real y, real z);                                                        \
  static const double name##_samples[] = {__VA_ARGS__};                                            \
  static void name##_primal(int n, real *s) { s[n] = name(s[0], s[1], s[2]); }                     \
  NB_AGAIN_SCALAR3(name)                                                                           \
  static void name##_forward(int n, real *s, real *d) { NB_FORWARD_SCALAR3(name, n, s, d); }       \
  static void name##_reverse(int n, real *s, real *b) { NB_REVERSE_SCALAR3(name, n, s, b); }       \
  NB_ENTRY(name, NB_ACTIVE, 3, 1, 1);                                                              \
  NB_SHAPE_SCALAR3(name)

#define SUM(name, inputs, ...)                                                                     \
  static real name(int n, real *x);                                                                \
  static const double name##_samples[] = {__VA_ARGS__};                                            \
  static void name##_primal(int n, real *s) { s[n] = name(n, s); }                                 \
  NB_AGAIN_SUM(name)                                                                               \
  static void name##_forward(int n, real *s, real *d) { NB_FORWARD_SUM(name, n, s, d); }           \
  static void name##_reverse(int n, real *s, real *b) { NB_REVERSE_SUM(name, n, s, b); }           \
  NB_ENTRY(name, NB_ACTIVE, inputs, 1, 1);                                                         \
  NB_SHAPE_SUM(name)

#define TWIN(name, inputs, ...)                                                                    \
  static real name(int n, const real *x, const real *y);                                           \
  static const double name##_samples[] = {__VA_ARGS__};                                            \
  static void name##_primal(int n, real *s) { s[n] = name(n, s, s); }                              \
  NB_AGAIN_TWIN(name)                                                                              \
  static void name##_forward(int n, real *s, real *d) { NB_FORWARD_TWIN(name, n, s, d); }          \
  static void name##_reverse(int n, real *s, real *b) { NB_REVERSE_TWIN(name, n, s, b); }          \
  NB_ENTRY(name, NB_ACTIVE, inputs, 1, 1);                                                         \
  NB_SHAPE_TWIN(name)

#define NB_MAP(name, kind, inputs, outputs, x_and_shadow, ...)                                     \
  static void name(int n, real *x, real *y);                                                       \
  static const double name##_samples[] = {__VA_ARGS__};                                            \
  static void name##_primal(int n, real *s) { name(n, s, s + n); }                                 \
  NB_AGAIN_MAP(name, x_and_shadow)                                                                 \
  static void name##_forward(int n, real *s, real *d) {                                            \
    NB_FORWARD_MAP(name, n, s, d, outputs, x_and_shadow);                                          \
  }                                                                                                \
  static void name##_reverse(int n, real *s, real *d) {                                            \
    NB_REVERSE_MAP(name, n, s, d, outputs, x_and_shadow);                                          \
  }                                                                                                \
  NB_ENTRY(name, kind, inputs, outputs, 0);                                                        \
  NB_SHAPE_MAP(name)

#define NB_CONST_X enzyme_const, s
#define MAP(name, inputs, outputs, ...)                                                            \
  NB_MAP(name, NB_ACTIVE, inputs, outputs, NB_DUP_X, __VA_ARGS__)
#define FIXED(name, inputs, outputs, ...)                                                          \
  NB_MAP(name, NB_FIXED, inputs, outputs, NB_CONST_X, __VA_ARGS__)

#define CHECK(id)                                                                                  \
  static void id(void);                                                                            \
  static const NbCase id##_case = {.name = #id, .kind = NB_ALONE, .alone = id};                    \
  static const NbCase *const id##_entry __attribute__((used, section("nb_cases"))) = &id##_case;   \
  NB_SHAPE_CHECK(id)

#endif
