// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Whether a call is one of the function that a row is about: a name alone does not tell. */
#ifndef NABLA_FITS_H
#define NABLA_FITS_H

#include "base/context.h"

/* A function of the user's that only shares its name with a library function has no row. `format`:
 * of which the name found the row. */
bool nb_rule_fits(const NbContext *context, const NbRule *rule, NbFormat format, LLVMValueRef call);
/* The name under which rules know the function: a call without derivative has a row of its own. */
const char *nb_known_name(LLVMValueRef function);

#endif
