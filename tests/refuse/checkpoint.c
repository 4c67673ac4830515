// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Steps that cannot run again, states that cannot be known, and calls that are none of a loop. */
#include <enzyme/checkpoint.h>
#include <stdio.h>
#include <stdlib.h>

extern int enzyme_const, enzyme_dup, enzyme_dupnoneed, enzyme_nofree;
extern void __enzyme_autodiff(void *, ...);
extern void *__enzyme_augmentfwd(void *, ...);
extern void __enzyme_reverse(void *, ...);

#define SCHEME enzyme_scheme, &EnzymeCkptRevolve, config
#define GRADIENT(function) __enzyme_autodiff((void *)function, x, d, enzyme_const, config)

static void shows(int64_t i, double *x) {
  x[0] *= x[0];
  printf("%ld\n", (long)i); // error-near: 'printf', which acts on the world ... [nabla: checkpoint]
}
static void show(double *x, EnzymeCkptConfig *config) {
  __enzyme_checkpoint_for((void *)shows, 0, 9, SCHEME, x);
}
void use_show(double *x, double *d, EnzymeCkptConfig *config) { GRADIENT(show); }

static void scatters(int64_t i, double *x, const long *at) {
  x[at[i]] *= x[0]; // error-near: enzyme_checkpoint_region ... [nabla: checkpoint]
}
static const long places[] = {3, 1, 2};
static void scatter(double *x, EnzymeCkptConfig *config) {
  __enzyme_checkpoint_for((void *)scatters, 0, 3, SCHEME, x, places);
}
void use_scatter(double *x, double *d, EnzymeCkptConfig *config) { GRADIENT(scatter); }

/* Only one of two elements is surely there. */
static void chooses(int64_t i, double *x) {
  x[0] *= 0.5;
  if (x[0] > 1)
    x[1] *= x[0]; // error-near: enzyme_checkpoint_region ... [nabla: checkpoint]
}
static void choose(double *x, EnzymeCkptConfig *config) {
  __enzyme_checkpoint_for((void *)chooses, 0, 3, SCHEME, x);
}
void use_choose(double *x, double *d, EnzymeCkptConfig *config) { GRADIENT(choose); }

typedef struct {
  double *now, *next;
} Pair;
static void swaps(int64_t i, Pair *pair) {
  double *now = pair->now; // error-near: [nabla: checkpoint]
  pair->next[0] = now[0] * now[0];
  pair->now = pair->next;
  pair->next = now;
}
static void swap(double *x, EnzymeCkptConfig *config) {
  double other = 0;
  Pair pair = {x, &other};
  __enzyme_checkpoint_for((void *)swaps, 0, 2, SCHEME, &pair);
  x[0] += other;
}
void use_swap(double *x, double *d, EnzymeCkptConfig *config) { GRADIENT(swap); }

static void watches(int64_t i, double *x) {
  *(volatile double *)x *= 2; // error-near: volatile ... [nabla: checkpoint]
}
static void watch(double *x, EnzymeCkptConfig *config) {
  __enzyme_checkpoint_for((void *)watches, 0, 2, SCHEME, x);
}
void use_watch(double *x, double *d, EnzymeCkptConfig *config) { GRADIENT(watch); }

static void squares(int64_t i, double *x) { x[0] *= x[0]; }
static void plain(double *x, EnzymeCkptConfig *config) {
  __enzyme_checkpoint_for((void *)squares, 0, 2, SCHEME, x); // error: [nabla: needed]
}
void use_unneeded(double *d, EnzymeCkptConfig *config) {
  __enzyme_autodiff((void *)plain, enzyme_dupnoneed, (double *)0, d, enzyme_const, config);
}

void no_scheme(double *x) {
  __enzyme_checkpoint_for((void *)squares, 0, 2, x); // error: enzyme_scheme ... [nabla: checkpoint]
}
void no_number(double *x, EnzymeCkptConfig *config) {
  __enzyme_checkpoint_for((void *)plain, 0, 2, SCHEME, x); // error: an integer
}
void too_few(EnzymeCkptConfig *config) {
  __enzyme_checkpoint_for((void *)squares, 0, 2, SCHEME); // error: [nabla: too-few-arguments]
}
void too_many(double *x, EnzymeCkptConfig *config) {
  __enzyme_checkpoint_for((void *)squares, 0, 2, SCHEME, // error: [nabla: too-many-arguments]
                          x, x);
}
void other_marker(double *x, EnzymeCkptConfig *config) {
  __enzyme_checkpoint_for((void *)squares, 0, 2, SCHEME, // error: [nabla: wrong-marker]
                          enzyme_dup, x);
}
void not_of_a_loop(double *x, double *d, EnzymeCkptConfig *config) {
  __enzyme_autodiff((void *)plain, x, d, SCHEME); // error: speaks of a loop
}
void no_answer(double *x, EnzymeCkptConfig *config) {
  __enzyme_checkpoint_while((void *)squares, SCHEME, x); // error: whether to go on
}
