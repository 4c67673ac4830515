// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* One number goes into, or comes out of, memory of a narrower format. */
#ifndef NABLA_REQUEST_TRUNCATE_H
#define NABLA_REQUEST_TRUNCATE_H

#include "base/context.h"

/* Replaces a call of __enzyme_truncate_mem_value or __enzyme_expand_mem_value by the number,
 * rounded to the format that the call names; false where it names none, or its types are not the
 * wide one. */
bool nb_truncate_value(NbContext *context, LLVMValueRef call);

#endif
