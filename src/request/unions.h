// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Unions in structs that are copied whole. */
#ifndef NABLA_REQUEST_UNIONS_H
#define NABLA_REQUEST_UNIONS_H

#include "base/context.h"

/* At the start of the pipeline: says of each copy which of its words may be any member of a union
 * (nb_tbaa_is_any), for what the optimiser makes of the copy. */
void nb_unions_note(NbContext *context);

#endif
