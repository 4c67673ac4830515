// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What sanitizers report is no part of what a function computes. */
#ifndef NABLA_PREPARE_REPORTS_H
#define NABLA_PREPARE_REPORTS_H

#include "prepare/unneeded.h"

/* Takes reports of memory that is not needed (`unneeded` NULL: all reports) out of the working
 * copy, which is to be simplified then. Were there any? */
bool nb_reports_drop(const NbWork *work, const NbUnneeded *unneeded);

#endif
