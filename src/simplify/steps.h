// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Shared by the files of this folder only. Each step changes the program in place. */
#ifndef NABLA_SIMPLIFY_STEPS_H
#define NABLA_SIMPLIFY_STEPS_H

#include "simplify/simplify.h"

/* Tangents that are zero on every path are read no more, and their statements go. */
void nb_simplify_zero(NbLinear *linear);
/* Statements whose tangent reaches no store, call or result go. */
void nb_simplify_dead(NbLinear *linear);
/* Tangents that are used once, or are copies, vanish into their users. */
void nb_simplify_fold(NbLinear *linear);
/* What is read from memory, added to and written back is added to memory. */
void nb_simplify_update(NbLinear *linear);
/* What the next iteration of a loop reads again goes there in a variable, not through memory. */
void nb_simplify_carry(NbLinear *linear);
/* Equal coefficients become one value, also where the primal computes it. */
void nb_simplify_share(NbLinear *linear);
/* Coefficients leave the loops in which they do not change. */
void nb_simplify_hoist(NbLinear *linear);
/* Erases coefficients that no statement uses. */
void nb_simplify_erase(NbLinear *linear);

/* Takes the statement out of its block. */
void nb_simplify_remove(NbLinear *linear, const NbStatement *statement);
/* Is the coefficient the number one? */
bool nb_simplify_is_one(LLVMValueRef coefficient);
/* Did linearisation write the instruction, and is it a function of its operands alone? */
bool nb_simplify_is_coefficient(const NbLinear *linear, LLVMValueRef inst);
/* Its operands without a called function. */
unsigned nb_simplify_operand_count(LLVMValueRef inst);

#endif
