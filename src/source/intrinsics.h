// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Calls of LLVM's intrinsics. */
#ifndef NABLA_SOURCE_INTRINSICS_H
#define NABLA_SOURCE_INTRINSICS_H

#include "source/writer.h"

const char *source_intrinsic(Function *f, LLVMValueRef call);

#endif
