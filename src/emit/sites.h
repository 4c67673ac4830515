// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Forward mode by the loads of inputs (NbRequest.inputs): each load gives the tangents that come
 * through it a direction of its own, or one that it shares with loads which no number depends on
 * together with it. Most numbers depend on few loads, and have no tangent in all other directions:
 * what is written is what a person would write who knows which entries of the Jacobian there are.
 *
 * They go to a list, the entries of a sparse matrix; masks lie side by side.
 *
 * Which input the direction of a number stands for does not depend on the inputs: only functions
 * are served whose branches and addresses do not (path.h), and masks (NbRequest.masks) tell of all
 * that a number can be chosen from. */
#ifndef NABLA_EMIT_SITES_H
#define NABLA_EMIT_SITES_H

#include "linear/linear.h"

enum { NB_MOST_SITES = 64 };

/* Chooses directions; false where the function cannot be served so. */
bool nb_sites_assign(NbLinear *linear);
/* Finds the directions in which values have tangents, whatever the statements have become. */
void nb_sites_spread(NbLinear *linear);
/* The directions in which the value has a tangent, a bit for each. */
uint64_t nb_sites_of(const NbLinear *linear, LLVMValueRef value);
/* The same of numbers in memory whose shadows lie side by side. */
uint64_t nb_sites_in_memory(const NbLinear *linear);
/* Is it a PHI of numbers that come on different ways, of which others choose one? */
bool nb_sites_meet(const NbLinear *linear, const NbStatement *statement);
/* The loads of inputs, at most NB_MOST_SITES, from which a value may get a tangent in the
 * direction; returns how many. */
unsigned nb_sites_loads(const NbLinear *linear, LLVMValueRef value, unsigned direction,
                        LLVMValueRef *loads);
/* The direction of what a LOAD of an input gives. */
unsigned nb_sites_direction(const NbLinear *linear, const NbStatement *load);
/* Where the number of the matrix is that the access reads or writes in a direction. The shadow of
 * inputs is the list of these numbers, and that of other parameters says, for each number and
 * direction, which it is, in 32 bits. */
LLVMValueRef nb_sites_entry(const NbLinear *linear, LLVMBuilderRef builder,
                            const NbStatement *access, unsigned direction);
/* How many directions there are; 0: they are not by loads. */
unsigned nb_sites_directions(const NbLinear *linear);

#endif
