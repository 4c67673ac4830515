// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Global variables that code comes to by their names alone. */
#ifndef NABLA_EFFECTS_NAMED_H
#define NABLA_EFFECTS_NAMED_H

#include "objects/objects.h"

/* Is the class's memory that of the module's own variables, whose addresses nobody keeps, passes or
 * returns? Then no pointer that is not computed from their names leads there. `known` remembers the
 * answers for variables. */
bool nb_named_alone(NbMap *known, NbClass *class);

#endif
