// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Fortran's compilers pass the length of each character argument behind all arguments, as an
 * integer by value. Models have no such parameters. */
#ifndef NABLA_MODELS_LENGTHS_H
#define NABLA_MODELS_LENGTHS_H

#include "base/context.h"

/* How many arguments of the library's function are characters: `CHARACTER(side)` in the model
 * (models/letters.h). */
unsigned nb_lengths_count(LLVMValueRef model);
/* May parameters of these types be the lengths of the model's characters? */
bool nb_lengths_fit(const LLVMTypeRef *types, unsigned count, LLVMValueRef model);
/* Gives each form in which the library's functions are called with lengths a function of its own,
 * which calls the model; where there is one in the program, what calls the library for derivatives
 * passes lengths, too. `functions` have bodies that are models; adds to `made` and, at the same
 * index, the function's name in the library to `names`. */
void nb_lengths_take(NbContext *context, const NbList *functions, NbList *made, NbList *names);

#endif
