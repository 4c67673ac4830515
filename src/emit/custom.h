// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Derivatives that the user has written. */
#ifndef NABLA_EMIT_CUSTOM_H
#define NABLA_EMIT_CUSTOM_H

#include "request/registrations.h"
#include "request/request.h"

/* Are there functions of the user's for what is asked for? `custom` may be NULL. */
bool nb_custom_serves(const NbCustom *custom, const NbRequest *request);
/* Writes the derivative's functions, which are empty, as calls of the user's. False where these do
 * not fit and were refused. */
bool nb_emit_custom(NbContext *context, NbDerivative *derivative, const NbCustom *custom);
/* The same for several directions at once. */
bool nb_emit_custom_wide(NbContext *context, NbDerivative *derivative);

#endif
