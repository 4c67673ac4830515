// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Whether a declaration means the library's function: a name alone does not tell. */
#ifndef NABLA_MODELS_SIGNATURES_H
#define NABLA_MODELS_SIGNATURES_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/* Is the function declared with the type of the model, another function? A declaration without
 * parameters, as old C has it, is judged by its calls, and these must fit in any case. Lengths of
 * characters may stand behind the parameters (models/lengths.h). Result: an integer that nobody
 * uses stands for none, as headers in the manner of f2c declare it. */
bool nb_models_fit(LLVMValueRef declared, LLVMValueRef model);

#endif
