// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Formats that are longer than a double: code that computes in them (runtime/mpfr/longer.h). */
#ifndef NABLA_REQUEST_LONGER_H
#define NABLA_REQUEST_LONGER_H

#include "request/narrow.h"

/* Replaces an instruction of a copy, which is no call of a function with a body, by what it is in
 * the format. With `memory` numbers in memory and in registers are of the format; else they are
 * doubles, and each operation is computed in it. False where it cannot be, and was refused. */
bool nb_longer_replace(const NbNarrow *narrow, bool memory, LLVMBuilderRef builder,
                       LLVMValueRef inst);
/* The double as a number in memory of the format, and the other way. */
LLVMValueRef nb_longer_into(const NbNarrow *narrow, LLVMBuilderRef builder, LLVMValueRef value);
LLVMValueRef nb_longer_out_of(const NbNarrow *narrow, LLVMBuilderRef builder, LLVMValueRef value);

#endif
