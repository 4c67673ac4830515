// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* As precise as long double makes them, which is enough for differences. */
#define _GNU_SOURCE
#include "standins.h"

#include <math.h>

static const long double pi = 3.14159265358979323846264338327950288L;
static const long double log_of_2 = 0.693147180559945309417232121458176568L;
static const long double log_of_10 = 2.30258509299404568401799145468436421L;

long double sinpil(long double x) { return sinl(pi * remainderl(x, 2)); }
long double cospil(long double x) { return cosl(pi * remainderl(x, 2)); }
long double tanpil(long double x) { return tanl(pi * remainderl(x, 1)); }
void sincospil(long double x, long double *sine, long double *cosine) {
  *sine = sinpil(x);
  *cosine = cospil(x);
}
long double asinpil(long double x) { return asinl(x) / pi; }
long double acospil(long double x) { return acosl(x) / pi; }
long double atanpil(long double x) { return atanl(x) / pi; }
long double atan2pil(long double x, long double y) { return atan2l(x, y) / pi; }
long double exp2m1l(long double x) { return expm1l(x * log_of_2); }
long double exp10m1l(long double x) { return expm1l(x * log_of_10); }
long double logp1l(long double x) { return log1pl(x); }
long double log2p1l(long double x) { return log1pl(x) / log_of_2; }
long double log10p1l(long double x) { return log1pl(x) / log_of_10; }
long double rsqrtl(long double x) { return 1 / sqrtl(x); }
long double powrl(long double x, long double y) { return powl(x, y); }
long double pownl(long double x, long long n) { return powl(x, n); }
long double rootnl(long double x, long long n) { return powl(x, 1.0L / n); }
long double compoundnl(long double x, long long n) { return expl(n * log1pl(x)); }

double sinpi(double x) { return (double)sinpil(x); }
float sinpif(float x) { return (float)sinpil(x); }
double cospi(double x) { return (double)cospil(x); }
float cospif(float x) { return (float)cospil(x); }
double tanpi(double x) { return (double)tanpil(x); }
float tanpif(float x) { return (float)tanpil(x); }
void sincospi(double x, double *sine, double *cosine) {
  *sine = sinpi(x);
  *cosine = cospi(x);
}
void sincospif(float x, float *sine, float *cosine) {
  *sine = sinpif(x);
  *cosine = cospif(x);
}
double asinpi(double x) { return (double)asinpil(x); }
float asinpif(float x) { return (float)asinpil(x); }
double acospi(double x) { return (double)acospil(x); }
float acospif(float x) { return (float)acospil(x); }
double atanpi(double x) { return (double)atanpil(x); }
float atanpif(float x) { return (float)atanpil(x); }
double atan2pi(double x, double y) { return (double)atan2pil(x, y); }
float atan2pif(float x, float y) { return (float)atan2pil(x, y); }
double exp2m1(double x) { return (double)exp2m1l(x); }
float exp2m1f(float x) { return (float)exp2m1l(x); }
double exp10m1(double x) { return (double)exp10m1l(x); }
float exp10m1f(float x) { return (float)exp10m1l(x); }
double logp1(double x) { return (double)logp1l(x); }
float logp1f(float x) { return (float)logp1l(x); }
double log2p1(double x) { return (double)log2p1l(x); }
float log2p1f(float x) { return (float)log2p1l(x); }
double log10p1(double x) { return (double)log10p1l(x); }
float log10p1f(float x) { return (float)log10p1l(x); }
double rsqrt(double x) { return (double)rsqrtl(x); }
float rsqrtf(float x) { return (float)rsqrtl(x); }
double powr(double x, double y) { return (double)powrl(x, y); }
float powrf(float x, float y) { return (float)powrl(x, y); }
double pown(double x, long long n) { return (double)pownl(x, n); }
float pownf(float x, long long n) { return (float)pownl(x, n); }
double rootn(double x, long long n) { return (double)rootnl(x, n); }
float rootnf(float x, long long n) { return (float)rootnl(x, n); }
double compoundn(double x, long long n) { return (double)compoundnl(x, n); }
float compoundnf(float x, long long n) { return (float)compoundnl(x, n); }
