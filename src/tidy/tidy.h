// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Clean-up of what was emitted. */
#ifndef NABLA_TIDY_H
#define NABLA_TIDY_H

#include "request/request.h"

/* A light clean-up of the functions of a derivative that other derivatives may call; those of a
 * user's request wait for the combined function, which knows the fields of their tape by its type.
 */
void nb_tidy_derivative(NbContext *context, const NbDerivative *derivative);
/* Links the runtime, inlines both sweeps into the combined function, splits its tape into
 * variables and simplifies it. Where derivatives are differentiated again, the runtime stays calls
 * until then: where a record of a tape begins is known of these alone. */
void nb_tidy_combined(NbContext *context, const NbDerivative *derivative, LLVMValueRef combined);
/* Inlines the test and both versions into the function that chooses between them. */
void nb_tidy_choice(NbContext *context, LLVMValueRef choice);
/* Inlines the test into a function of a callee's that chooses. */
void nb_tidy_chosen(NbContext *context, LLVMValueRef choice, LLVMValueRef test);
/* Splits the tape of a combined derivative of `function`, a variable of its entry that no call has
 * the address of, into one variable a field; what is too much for the stack moves to the heap
 * (tidy/tape.c). `simplified`: the sweeps were, by nb_tidy_derivative; a tape of which they then
 * compute the addresses in another way stays in one piece. `first`: the name of the first field, or
 * empty. */
void nb_tidy_split_tape(NbContext *context, LLVMValueRef function, LLVMValueRef tape,
                        const char *first, bool simplified);
/* Splits the tapes of calls that were inlined into the function since; returns the calls that still
 * take one of which another call was inlined. */
NbList nb_tidy_split_inlined(NbContext *context, LLVMValueRef function);
/* Lets LLVM see how the addresses of variables in tapes are made. */
void nb_tidy_show_variables(LLVMValueRef function);
/* Inlines small derivatives where they are called, and removes those that nothing calls then.
 * Returns the functions of the user's that took one. */
NbMap *nb_tidy_inline_small(NbContext *context);
/* Keeps LLVM's selector of instructions from looking through casts from numbers to addresses
 * (tidy/addresses.c). */
void nb_tidy_keep_addresses(NbContext *context, LLVMValueRef function);
/* Keeps from LLVM's vectoriser the loops that it gets wrong (tidy/widths.c). */
void nb_tidy_keep_scalar(NbContext *context, LLVMValueRef function);
/* Keeps the vectoriser from testing once, for all of a loop that runs downward, whether accesses
 * of the loops in it lie apart (tidy/downward.c). No pass may simplify the function after that. */
void nb_tidy_keep_tests_inside(NbContext *context, LLVMValueRef function);
/* Where a vector and its first lane are both merged, merges the vector alone (tidy/lanes.c); false
 * where the function has none. */
bool nb_tidy_merge_vectors(LLVMValueRef function);
/* Keeps LLVM from a table of jumps where it would confuse old values and new ones (tidy/jumps.c);
 * false where it would not. */
bool nb_tidy_avoid_tables(LLVMValueRef function);
/* Answers comparisons of a choice between constants by its decision (tidy/choices.c); false where
 * there are none. */
bool nb_tidy_choices(NbContext *context, LLVMValueRef function);
/* When all requests are served: the last clean-up of everything that is still used; removes the
 * rest, and the working copies. */
void nb_tidy_module(NbContext *context);
/* After a refusal: what was made so far goes, and the module stays well formed. */
void nb_tidy_refused(NbContext *context);

#endif
