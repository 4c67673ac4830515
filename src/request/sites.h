// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Calls that say something about one place in the code. */
#ifndef NABLA_REQUEST_SITES_H
#define NABLA_REQUEST_SITES_H

#include "base/context.h"

/* At the start of the pipeline. Returns true where something changed. */
bool nb_sites_collect(NbContext *context);
/* The same of what front ends say of the memory behind parameters ("enzyme_type"). */
bool nb_sites_collect_types(NbContext *context);
/* What is stored in a global that is declared to have no derivative loses its own there, whether or
 * not the optimiser finds that it is what is loaded again. Returns true where something changed. */
bool nb_sites_ignore_globals(NbContext *context);
/* Gives rows to what stands for them, before requests are served. */
void nb_sites_take(NbContext *context);
/* Puts back what they mean, in the user's code and in the derivatives. Returns true where something
 * changed. */
bool nb_sites_put_back(NbContext *context);

#endif
