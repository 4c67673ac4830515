// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Functions of <complex.h>, whose rows speak of the parts of complex numbers. */
#ifndef NABLA_REQUEST_PARTS_H
#define NABLA_REQUEST_PARTS_H

#include "base/context.h"

/* Calls that pass a complex number as one become calls that pass its parts. */
void nb_parts_take(NbContext *context);
/* Puts back the calls as C makes them, in the user's code and in the derivatives. Returns true
 * where something changed. */
bool nb_parts_put_back(NbContext *context);

#endif
