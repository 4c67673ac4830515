// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Loops that the passes to come must leave as they are. */
#ifndef NABLA_REQUEST_ROLLED_H
#define NABLA_REQUEST_ROLLED_H

#include "base/context.h"

/* In what the entry points called here lead to. */
void nb_rolled_note(const NbContext *context, const NbList *calls);

#endif
