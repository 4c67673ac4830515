// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * The work that a gas does when it expands, with the pressure from a closed library: how does it
 * react to both volumes and to the temperature? In closed form, for van der Waals' gas:
 * -p(begin), p(end), R log((end - b) / (begin - b)).
 */
#include "gas.h"

#include <math.h>
#include <stdio.h>

extern int enzyme_const, enzyme_dup;
void __enzyme_autodiff(void *, ...);

typedef struct {
  double begin, end;  /* in critical volumes */
  double temperature; /* in critical temperatures */
} Expansion;

/* The integral of the pressure over the volume: Gauss' rule with two points in each piece. */
static double work(const Expansion *x, int pieces) {
  double volume, temperature, sum = 0;
  gas_critical(&volume, &temperature);
  double width = (x->end - x->begin) * volume / pieces;
  for (int i = 0; i < pieces; i++) {
    double middle = x->begin * volume + (i + 0.5) * width;
    double aside = width / sqrt(12);
    sum += 0.5 * width * gas_pressure(middle - aside, x->temperature * temperature);
    sum += 0.5 * width * gas_pressure(middle + aside, x->temperature * temperature);
  }
  return sum;
}

int main(void) {
  const Expansion x = {3, 40, 1.1};
  Expansion slope = {0, 0, 0};
  double volume, temperature, error = 0;
  __enzyme_autodiff((void *)work, enzyme_dup, &x, &slope, enzyme_const, 10000);
  gas_critical(&volume, &temperature);
  double kelvin = x.temperature * temperature, covolume = volume / 3, gas = 8.31446261815324;
  double expected[] = {
      -volume * gas_pressure(x.begin * volume, kelvin),
      volume * gas_pressure(x.end * volume, kelvin),
      temperature * gas * log((x.end * volume - covolume) / (x.begin * volume - covolume)),
  };
  const double derived[] = {slope.begin, slope.end, slope.temperature};
  const char *names[] = {"begin", "end", "temperature"};
  printf("work: %.6f J\n", work(&x, 10000));
  for (int i = 0; i < 3; i++) {
    printf("by %-11s %16.9f, in closed form %16.9f\n", names[i], derived[i], expected[i]);
    error = fmax(error, fabs(derived[i] / expected[i] - 1));
  }
  return !(error <= 1e-9);
}
