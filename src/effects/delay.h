// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Frees that wait for the reverse sweep: what they would free may then be read again there, instead
 * of being kept in the tape. */
#ifndef NABLA_EFFECTS_DELAY_H
#define NABLA_EFFECTS_DELAY_H

#include "prepare/prepare.h"

/* The calls that free what one call outside of all loops allocates, on every way to the return:
 * call that frees -> call that allocates, and the other way round. In loops a delayed free would
 * pile memory up. */
NbMap *nb_delayed_frees(const NbWork *work);

#endif
