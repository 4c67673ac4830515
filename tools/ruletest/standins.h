// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Functions of C23 that the C library may lack: standins.c has them for the tests of rows. */
#ifndef NABLA_STANDINS_H
#define NABLA_STANDINS_H

#define NB_ONE(name)                                                                               \
  double name(double x);                                                                           \
  float name##f(float x);                                                                          \
  long double name##l(long double x);
#define NB_TWO(name)                                                                               \
  double name(double x, double y);                                                                 \
  float name##f(float x, float y);                                                                 \
  long double name##l(long double x, long double y);
#define NB_WHOLE(name)                                                                             \
  double name(double x, long long n);                                                              \
  float name##f(float x, long long n);                                                             \
  long double name##l(long double x, long long n);

void sincospi(double x, double *sine, double *cosine);
void sincospif(float x, float *sine, float *cosine);
void sincospil(long double x, long double *sine, long double *cosine);
NB_ONE(sinpi)
NB_ONE(cospi)
NB_ONE(tanpi)
NB_ONE(asinpi)
NB_ONE(acospi)
NB_ONE(atanpi)
NB_TWO(atan2pi)
NB_ONE(exp2m1)
NB_ONE(exp10m1)
NB_ONE(logp1)
NB_ONE(log2p1)
NB_ONE(log10p1)
NB_ONE(rsqrt)
NB_TWO(powr)
NB_WHOLE(pown)
NB_WHOLE(rootn)
NB_WHOLE(compoundn)

#endif
