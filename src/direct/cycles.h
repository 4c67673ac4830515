// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Cycles of calls that virtual functions close, as the destructors of a tree are: of such a cycle
 * only these are left, and short functions on the way, to which parts of objects are passed, go
 * into their callers. The analyses of pointers see all functions of a cycle as one, in which a
 * parameter is the same object in each call: an object and a part of it would be one. */
#ifndef NABLA_DIRECT_CYCLES_H
#define NABLA_DIRECT_CYCLES_H

#include "base/context.h"

/* Did no pass look at the function, and is it one of C++'s inline functions, or of the file alone,
 * though not declared so: an instance of a template for a local type, say? */
bool nb_is_unoptimised_cxx(LLVMValueRef function);

/* Opens the cycles among the functions that are the values of `copied`: copies by nb_direct_of,
 * which `originals` knows, and whose calls are by name. What they do stays the same. */
void nb_cycles_open(NbContext *context, const NbMap *copied);

#endif
