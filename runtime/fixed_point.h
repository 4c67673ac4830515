// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Derivatives of a loop that comes to a fixed point z = phi(z, x). Its iterations are not
 * differentiated one by one: at the state in which it ends, the adjoint of one step is repeated, or
 * its tangent, until it converges (Christianson, "Reverse accumulation and attractive fixed
 * points", Optimization Methods and Software 3, 1994).
 *
 * In reverse mode, each step's adjoint takes what the last one left in the shadow of z, and adds to
 * the adjoints of x: together these are the terms of Neumann's series. In forward mode the tangent
 * of z begins as zero.
 *
 * What z is, the run tells: numbers that a step does not leave as they are. Others, such as the
 * boundary that lies in the same array, keep their shadows.
 *
 * `run` runs a step, `turn` the derivative of one, as in runtime/checkpoint.h. */
#ifndef NABLA_RUNTIME_FIXED_POINT_H
#define NABLA_RUNTIME_FIXED_POINT_H

#include "checkpoint.h"

/* The numbers at `offset` bytes from a base, again every `period` bytes (0: once). */
typedef struct __nabla_fixed_point_piece {
  uint64_t offset, period;
  uint64_t size; /* of a number: of which format, its bytes say */
} __nabla_fixed_point_piece;

/* What steps change, in one direction: numbers from a base on that lie in the region. Where base
 * and shadow are the same, they have no shadow. */
typedef struct __nabla_fixed_point_part {
  char *base, *shadow;
  uint64_t region;
  uint64_t named; /* did the user call it the state? */
  const __nabla_fixed_point_piece *pieces;
  uint64_t count;
} __nabla_fixed_point_part;

/* What is called before the first derivative of a step, with `*sum` -1, and behind each, with the
 * square of the 2-norm of what it changed the shadow of the named state by; it returns whether to
 * go on. (The adFixedPoint_notReduced of Tapenade.) */
typedef int __nabla_fixed_point_control(double *sum, double *reduction);

/* When it has converged; negative numbers stand for the defaults. */
typedef struct __nabla_fixed_point_test {
  /* NULL: when the sum over all that is iterated has fallen to `reduction` of the first. */
  __nabla_fixed_point_control *control;
  double reduction;
  int64_t limit; /* derivatives of a step at most; 0: any number */
} __nabla_fixed_point_test;

struct __nabla_fixed_point;

/* Runs the loop, and keeps the state in which it ends for the reverse sweep, which frees it. */
struct __nabla_fixed_point *__nabla_fixed_point_forward(const EnzymeCkptRegion *regions,
                                                        uint64_t count, void *environment,
                                                        __nabla_checkpoint_run *run);
/* Reverses it. The shadow of z is zero then: what the loop begins with has no influence. */
void __nabla_fixed_point_reverse(struct __nabla_fixed_point *loop, void *environment,
                                 __nabla_checkpoint_run *run, __nabla_checkpoint_turn *turn,
                                 const __nabla_fixed_point_part *parts, uint64_t count,
                                 const __nabla_fixed_point_test *test);
/* Runs the loop and its tangent. */
void __nabla_fixed_point_tangent(const EnzymeCkptRegion *regions, uint64_t region_count,
                                 void *environment, __nabla_checkpoint_run *run,
                                 __nabla_checkpoint_turn *turn,
                                 const __nabla_fixed_point_part *parts, uint64_t count,
                                 const __nabla_fixed_point_test *test);

#endif
