/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The energy of n bodies after some steps; positions and velocities, of three numbers each, are
 * moved. Every language has the same, under a name of its own. */
#ifndef NBODY_H
#define NBODY_H

#ifdef __cplusplus
extern "C" {
#endif

double energy_c(long n, long steps, double dt, const double *mass, double *position,
                double *velocity);
double energy_other(long n, long steps, double dt, const double *mass, double *position,
                    double *velocity);

#ifdef __cplusplus
}
#endif
#endif
