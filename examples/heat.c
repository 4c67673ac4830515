// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * The gradient of a long time loop in little memory: heat in a rod of 8192 points (64 KiB) that
 * cools by the square of its temperature. `heat STEPS STATES` keeps at most so many states, and
 * says how many steps ran again, against the fewest that are possible (Griewank and Walther).
 */
#include <enzyme/checkpoint.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

extern int enzyme_const, enzyme_dup;
void __enzyme_autodiff(void *, ...);

enum { POINTS = 8192 };

static void step(int64_t i, double *u, double rate) {
  double left = u[0];
  (void)i;
  for (int k = 1; k < POINTS - 1; k++) {
    double here = u[k];
    u[k] = here + rate * (left - 2 * here + u[k + 1]) - 0.01 * here * here;
    left = here;
  }
}

static double total(double *u, double rate, int64_t steps, EnzymeCkptConfig *config) {
  double sum = 0;
  __enzyme_checkpoint_for((void *)step, 0, steps, enzyme_scheme, &EnzymeCkptRevolve, config, u,
                          rate);
  for (int k = 0; k < POINTS; k++)
    sum += u[k];
  return sum;
}

static double everything(double *u, double rate, int64_t steps) {
  double sum = 0;
  for (int64_t i = 0; i < steps; i++)
    step(i, u, rate);
  for (int k = 0; k < POINTS; k++)
    sum += u[k];
  return sum;
}

static void begin(double *u, double *adjoint) {
  for (int k = 0; k < POINTS; k++) {
    u[k] = 1 + 0.5 * (k % 7);
    adjoint[k] = 0;
  }
}

static int64_t fewest(int64_t steps, int64_t states) {
  int64_t runs = 0, range = 1;
  while (range < steps) {
    runs++;
    range = range * (states + runs) / runs;
  }
  return runs * steps - range * runs / (states + 1);
}

int main(int argc, char **argv) {
  static double u[POINTS], kept[POINTS], all[POINTS];
  int64_t steps = argc > 1 ? atoll(argv[1]) : 100;
  EnzymeCkptStats stats;
  EnzymeCkptConfig config = {.snapshots = argc > 2 ? atoll(argv[2]) : 5, .stats = &stats};
  begin(u, kept);
  __enzyme_autodiff((void *)total, enzyme_dup, u, kept, enzyme_const, 0.1, enzyme_const, steps,
                    enzyme_const, &config);
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  printf("%lld steps, %lld states: %lld steps run, %lld at least; %llu KiB of states, %ld KiB in "
         "all\n",
         (long long)steps, (long long)stats.max_slots, (long long)stats.forward_steps,
         (long long)fewest(steps, config.snapshots), (unsigned long long)stats.max_bytes / 1024,
         usage.ru_maxrss);
  if (steps > 1000)
    return stats.forward_steps != fewest(steps, config.snapshots);
  begin(u, all);
  __enzyme_autodiff((void *)everything, enzyme_dup, u, all, enzyme_const, 0.1, enzyme_const, steps);
  double error = 0;
  for (int k = 0; k < POINTS; k++)
    error = fmax(error, fabs(kept[k] - all[k]));
  printf("against the gradient that keeps everything: %g\n", error);
  return !(error <= 1e-12) || stats.forward_steps != fewest(steps, config.snapshots);
}
