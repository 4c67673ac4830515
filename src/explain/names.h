// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The names that the source gave to values. */
#ifndef NABLA_EXPLAIN_NAMES_H
#define NABLA_EXPLAIN_NAMES_H

#include "linear/linear.h"

/* What the source calls the value, or `i + 1` where that is the next `i`; `*is_sum` tells that.
 * NULL where it has no name, or has one that another value has where it is used. Parameters and
 * phis keep theirs. */
const char *explain_name(const NbLinear *linear, LLVMValueRef value, bool *is_sum);

/* Is it a phi of one value, in whatever formats? */
bool explain_is_no_choice(LLVMValueRef value);
/* The value that this one only is in another format. */
LLVMValueRef explain_number(LLVMValueRef value);

/* The values in the loop of that header which have a name that nothing else has there; NULL: none.
 */
const NbList *explain_variables(const NbLinear *linear, LLVMBasicBlockRef header);

#endif
