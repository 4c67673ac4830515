// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NABLA_PREPARE_SCANNED_H
#define NABLA_PREPARE_SCANNED_H

#include "base/context.h"

/* Calls that read numbers by a constant format (`scans` in a row) read them into variables of the
 * function's own, and stores bring those that were found to where the program wants them. */
void nb_prepare_spell_scanned(const NbContext *context, LLVMValueRef function);

#endif
