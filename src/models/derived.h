// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Assignment and end of values of Fortran's derived types, component by component. */
#ifndef NABLA_MODELS_DERIVED_H
#define NABLA_MODELS_DERIVED_H

#include "base/context.h"

/* Writes what models ask for (`wanted`): functions of calls of what models do with one component,
 * whose bodies `link` adds to the module. Returns whether they could be linked. */
bool nb_derived_write(NbContext *context, bool (*link)(NbContext *context));
/* Where models are inlined in the function: calls for values whose type is known now become those
 * of the functions for that type, and small ones are inlined. Returns whether some were. */
bool nb_derived_settle(NbContext *context, LLVMValueRef function);
/* Deletes those that nobody calls. */
void nb_derived_release(const NbContext *context);

#endif
