// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Shared by the files of linearisation only. */
#ifndef NABLA_LINEAR_BUILD_H
#define NABLA_LINEAR_BUILD_H

#include "emit/runtime.h"
#include "linear/linear.h"

/* Appends a statement for `origin` to its block. */
NbStatement *nb_statement_new(NbLinear *linear, NbStatementKind kind, LLVMValueRef origin);

/* Is the memory behind the pointer one that has a shadow? Is its float content active? */
bool nb_linear_has_shadow(const NbLinear *linear, LLVMValueRef pointer);
bool nb_linear_memory_active(const NbLinear *linear, LLVMValueRef pointer);

/* The shadow program's part of an instruction with a pointer result. False where it is refused. */
bool nb_shadow_instruction(NbLinear *linear, LLVMValueRef inst);
/* Gives the shadow phis their incoming values. */
bool nb_shadow_finish(NbLinear *linear);

/* Refuses what reads memory that the caller does not need, or loses sight of a pointer to it. */
bool nb_linear_check_unneeded(NbLinear *linear, LLVMValueRef inst);
/* Statements of calls. False where it is refused. */
bool nb_linearise_call(NbLinear *linear, LLVMValueRef call);
/* Is it known of each byte whether it is of a float? */
bool nb_layout_is_known(const NbLayout *layout);
/* What sets bytes that are not known sets all of the shadow. */
void nb_statement_clear_unknown(NbStatement *fill);
/* SUM with the active terms of a row; `arguments` are the row's parameters. */
void nb_linearise_terms(NbLinear *linear, LLVMValueRef inst, const NbRule *rule,
                        const LLVMValueRef *arguments);
/* The sources of a tangent with the given terms, coefficients written after `inst`. */
void nb_linearise_sources(NbLinear *linear, NbStatement *statement, LLVMValueRef inst,
                          const NbTerm *terms, unsigned count, const LLVMValueRef *arguments);

#endif
