// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Loops that move bytes one by one. */
#ifndef NABLA_PREPARE_MOVES_H
#define NABLA_PREPARE_MOVES_H

#include "prepare/prepare.h"

/* Are there any in the copy? */
bool nb_prepare_has_moves(NbWork *work);
/* Makes copies of all bytes at once of one; returns whether it did. Loops are in canonical form.
 * What stays of the loop does nothing. */
bool nb_prepare_spell_moves(NbWork *work);

#endif
