// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What the vendor does not show: van der Waals' equation. Compiled without nabla. */
#include "gas.h"

static const double GAS = 8.31446261815324, ATTRACTION = 0.3658, COVOLUME = 4.286e-5;

double gas_pressure(double volume, double temperature) {
  return GAS * temperature / (volume - COVOLUME) - ATTRACTION / (volume * volume);
}

double gas_pressure_by_volume(double volume, double temperature) {
  double room = volume - COVOLUME;
  return 2 * ATTRACTION / (volume * volume * volume) - GAS * temperature / (room * room);
}

double gas_pressure_by_temperature(double volume, double temperature) {
  (void)temperature;
  return GAS / (volume - COVOLUME);
}

void gas_critical(double *volume, double *temperature) {
  *volume = 3 * COVOLUME;
  *temperature = 8 * ATTRACTION / (27 * GAS * COVOLUME);
}
