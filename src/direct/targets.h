// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Which functions a pointer may hold. */
#ifndef NABLA_DIRECT_TARGETS_H
#define NABLA_DIRECT_TARGETS_H

#include "objects/graph.h"

typedef struct NbTargets NbTargets;

/* Analyses the whole module. */
NbTargets *nb_targets_new(NbContext *context);
/* Is it a call through a pointer (no assembly)? */
bool nb_is_indirect(LLVMValueRef instruction);
/* The functions of the call's type that it may run. `open`: it may run others too, which are
 * defined elsewhere; those listed are then all of the module's whose address is known outside.
 * `mixed`: its pointer may hold functions of other types too, with which C does not define the
 * call. `none`: it holds no function, so that the call never runs. */
typedef struct NbChoice {
  NbList functions;
  bool open, mixed, none;
} NbChoice;
NbChoice nb_targets_of(NbTargets *targets, LLVMValueRef call);
/* The functions that ask for derivatives which are not made yet, or lead by calls to one that does;
 * keys. */
NbMap *nb_targets_waiting(NbContext *context);
/* Is the address of one of the functions (keys) taken, so that a pointer may hold it? */
bool nb_targets_any_taken(const NbMap *functions);

#endif
