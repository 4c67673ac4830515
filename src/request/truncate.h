// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* One number goes into, or comes out of, memory of a narrower format; all functions compute in one.
 */
#ifndef NABLA_REQUEST_TRUNCATE_H
#define NABLA_REQUEST_TRUNCATE_H

#include "base/context.h"

/* Replaces a call of __enzyme_truncate_mem_value or __enzyme_expand_mem_value by the number,
 * rounded to the format that the call names; false where it names none, or its types are not the
 * wide one. */
bool nb_truncate_value(NbContext *context, LLVMValueRef call);
/* Does what -nabla-truncate-all= says, or refuses it. Returns true where it changed the module. */
bool nb_truncate_all(NbContext *context);

#endif
