// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Structs whose integers hold the bytes of numbers. */
#ifndef NABLA_REQUEST_PUNS_H
#define NABLA_REQUEST_PUNS_H

#include "base/context.h"

/* At the start of the pipeline: a struct of which some code of the module writes or reads an
 * integer member as the bytes of a number says nothing of its members any more, as if it were a
 * union. */
void nb_puns_note(NbContext *context);

#endif
