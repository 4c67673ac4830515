// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A closed library: a program has this header and the machine code. */
#ifndef EXAMPLES_GAS_H
#define EXAMPLES_GAS_H

/* The pressure, in pascal, of a mole of carbon dioxide: `volume` in cubic metres, kelvin. */
double gas_pressure(double volume, double temperature);

/* Its slopes, which the vendor offers as well. */
double gas_pressure_by_volume(double volume, double temperature);
double gas_pressure_by_temperature(double volume, double temperature);

/* Volume and temperature at the critical point. */
void gas_critical(double *volume, double *temperature);

#endif
