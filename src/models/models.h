// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Bodies for functions of libraries that have none here, and their derivatives as functions
 * (models/model.h): bitcode that is part of the module while derivatives are made. */
#ifndef NABLA_MODELS_H
#define NABLA_MODELS_H

#include "base/context.h"

/* Gives a body to each function that the module declares and a model knows, unless a rule or the
 * user says what it does, and notes the models' derivatives. */
void nb_models_link(NbContext *context);
/* Is the body of the function a model's? */
bool nb_models_has(const NbContext *context, LLVMValueRef function);
/* Is it a model, or a part of one (models/model.h)? */
bool nb_models_is_own(LLVMValueRef function);
/* Takes the bodies away again: what is left calls the library. Refusals that speak of them must
 * have been reported. */
void nb_models_release(NbContext *context);

#endif
