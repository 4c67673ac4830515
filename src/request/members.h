// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Structs by value, member by member. */
#ifndef NABLA_REQUEST_MEMBERS_H
#define NABLA_REQUEST_MEMBERS_H

#include "base/context.h"

/* At the start of the pipeline: in the functions that the calls of entry points lead to, and that
 * others call by name, members of structs that the ABI passes in one integer become parameters and
 * results of their own. */
void nb_members_pass(NbContext *context, const NbList *calls);

#endif
