// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Room for work that the model of a function does not use is given to the library nevertheless. */
// RUN: %clang -O1 -S -emit-llvm %s -o - | FileCheck %s
// CHECK-NOT: call{{.*}}@{{dgesdd_|zheev_}}({{.*}}poison
extern void __enzyme_autodiff(void *, ...);
void dgesdd_(const char *job, const int *m, const int *n, double *a, const int *lda, double *s,
             double *u, const int *ldu, double *vt, const int *ldvt, double *work, const int *lwork,
             int *iwork, int *info);
void zheev_(const char *job, const char *uplo, const int *n, double *a, const int *lda, double *w,
            double *work, const int *lwork, double *rwork, int *info);

static void values(double *a, double *s) {
  int m = 3, room = 512, info, iwork[32];
  double work[512], none[1];
  dgesdd_("N", &m, &m, a, &m, s, none, &m, none, &m, work, &room, iwork, &info);
}

static void complex_values(double *a, double *w) {
  int m = 3, room = 256, info;
  double work[512], rwork[16];
  zheev_("N", "L", &m, a, &m, w, work, &room, rwork, &info);
}

void derivatives(double *a, double *da, double *s, double *ds) {
  __enzyme_autodiff((void *)values, a, da, s, ds);
  __enzyme_autodiff((void *)complex_values, a, da, s, ds);
}
