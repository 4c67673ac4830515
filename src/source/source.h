// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Functions as C for people, which compiles and computes the same (docs/explain.md). */
#ifndef NABLA_SOURCE_H
#define NABLA_SOURCE_H

#include "request/request.h"

/* Is C asked for, in a file of its own or in the records? */
bool nb_source_wanted(const NbContext *context);
/* Before small derivatives are inlined: writes all that are there to the file that -nabla-source
 * names, and as records of their derivatives. With -nabla-source-whole the file waits. */
void nb_source_derivatives(NbContext *context);
/* When everything is done: with -nabla-source-whole, the whole module. */
void nb_source_module(NbContext *context);
/* Where C is asked for, values get the names that debug information tells. */
void nb_source_note_names(LLVMModuleRef module, const NbOptions *options);

#endif
