// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Sanitizers say nothing of memory that is not needed. */
#ifndef NABLA_PREPARE_REPORTS_H
#define NABLA_PREPARE_REPORTS_H

#include "prepare/unneeded.h"

/* Takes such reports out of the working copy, which is to be simplified then. Were there any? */
bool nb_reports_drop(const NbWork *work, const NbUnneeded *unneeded);

#endif
