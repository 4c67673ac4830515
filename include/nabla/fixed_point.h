// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Loops that come to a fixed point: their derivative is that of the fixed point, not of the way to
 * it (docs/fixed-points.md).
 *
 *   __enzyme_fixed_point(step, enzyme_fp_state, z, bytes, arguments...);
 *
 * runs `i = 0; while (step(i++, arguments...));`, where each step puts phi(z, x) in place of the
 * state z. Behind the step stand, in any order,
 *
 *   enzyme_fp_state, pointer, bytes           what a step iterates; at least one
 *   enzyme_fp_reduction, r                    a double (1e-12)
 *   enzyme_fp_max_iters, n                    an int64_t (1000; 0: any number)
 *   enzyme_fp_control, function               int (*)(double *sum, double *reduction)
 *   enzyme_checkpoint_region, pointer, bytes  memory of the state that cannot be found
 *
 * and then the arguments of a step behind its number, without markers. Both modes take the
 * derivative of one step at the state in which the loop ended, again and again, at most n times,
 * until the square of the 2-norm of what is still to come is at most r times that of what the first
 * one changed the state's shadow by. A control function decides instead: it is called once before,
 * with a sum of -1, and behind each with the square of what it changed that of the named states by,
 * and returns whether to go on. In reverse mode the shadow of what is iterated is zero then, in
 * forward mode it is that of the fixed point: where the loop begins has no influence.
 *
 * The method is Christianson's ("Reverse accumulation and attractive fixed points", Optimization
 * Methods and Software 3, 1994); the names are those that existing code uses. */
#ifndef NABLA_FIXED_POINT_H
#define NABLA_FIXED_POINT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

extern int enzyme_fp_state;
extern int enzyme_fp_reduction;
extern int enzyme_fp_max_iters;
extern int enzyme_fp_control;
extern int enzyme_checkpoint_region;

void __enzyme_fixed_point(void *step, ...);

/* Stands in the body of a loop, which comes to a fixed point as it stands; behind the control
 * function (or NULL) the states, each a pointer and its bytes as an int64_t. A negative number
 * stands for the default. */
void __enzyme_set_fixed_point(double reduction, int64_t max_iters, void *control, ...);

#ifdef __cplusplus
}
#endif

#endif
