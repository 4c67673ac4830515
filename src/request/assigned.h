// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Structs that are assigned as a whole. */
#ifndef NABLA_REQUEST_ASSIGNED_H
#define NABLA_REQUEST_ASSIGNED_H

#include "base/context.h"

/* In what the entry points called here lead to, at the start of the pipeline. */
void nb_assigned_split(NbContext *context, const NbList *calls);

#endif
