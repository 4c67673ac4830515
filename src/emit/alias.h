// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What the optimiser is told of the derivative's memory: a shadow overlaps neither primal memory
 * nor a tape. That is what users promise of theirs (the memory contract in docs/compatibility.md),
 * and nabla's own are so. Nothing is said of two shadows, nor where a pointer may be its own
 * shadow, nor with -nabla-shadows-may-overlap. */
#ifndef NABLA_EMIT_ALIAS_H
#define NABLA_EMIT_ALIAS_H

#include "linear/linear.h"

/* The access is to a shadow, or to what stands in where there is none. */
void nb_alias_shadow(const NbLinear *linear, LLVMValueRef access);
/* The access is to primal memory or to the tape. */
void nb_alias_other(const NbLinear *linear, LLVMValueRef access);
/* The same of all accesses that the working copy had before it was linearised. */
void nb_alias_primal(const NbLinear *linear);

#endif
