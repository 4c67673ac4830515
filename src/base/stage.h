// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Where the compilation is: for -ftime-trace, and, with -nabla-progress, for who waits. */
#ifndef NABLA_BASE_STAGE_H
#define NABLA_BASE_STAGE_H

#include "base/context.h"

/* A stage begins for `function`, perhaps a copy of the user's; stages nest. */
void nb_stage_begin(const NbContext *context, const char *stage, LLVMValueRef function);
void nb_stage_end(void);

#endif
