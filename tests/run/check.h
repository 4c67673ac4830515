// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The table of cases that a program of run tests carries, and the door for tests of their own. */
#ifndef NB_RUN_CHECK_H
#define NB_RUN_CHECK_H

typedef enum {
  NB_ACTIVE, /* all of the state may vary */
  NB_FIXED,  /* the inputs are constants */
  NB_ALONE   /* checks itself */
} NbCaseKind;

/* A map of the state s, `inputs` numbers and then `outputs` numbers, onto itself. All functions
 * take the number of inputs. `forward` takes the tangent of the state to that of its result,
 * `reverse` the adjoint of the result to that of the state, in place; both change s as `primal`
 * does, except for the last number where `returns` says that it is a returned value: it is not
 * computed by these two, and its adjoint is taken as 1. */
typedef struct {
  const char *name;
  NbCaseKind kind;
  int inputs;
  int outputs;
  int returns;
  int numbers;
  const double *samples;
  void (*primal)(int n, NB_REAL *s);
  void (*forward)(int n, NB_REAL *s, NB_REAL *d);
  void (*reverse)(int n, NB_REAL *s, NB_REAL *d);
  void (*reference)(int n, NB_REAL *s, NB_REAL *d);
  void (*alone)(void);
} NbCase;

#ifdef __cplusplus
extern "C" {
#endif

/* Fails the running case unless found is expected up to the tolerance. */
void nb_expect(int line, double found, double expected);

#ifdef __cplusplus
}
#endif

#endif
