// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Which entries of the tables of virtual functions a pointer may have been loaded from. */
#ifndef NABLA_DIRECT_SLOTS_H
#define NABLA_DIRECT_SLOTS_H

#include "objects/graph.h"

typedef struct NbSlots NbSlots;

/* Looks for tables in the whole module. */
NbSlots *nb_slots_new(NbContext *context);
/* The functions, each once, that a virtual call through the pointer may run, as far as the tables
 * stand in the module; false where it is not known to be such a call, and nothing is listed. */
bool nb_slots_find(const NbSlots *slots, LLVMValueRef pointer, NbList *functions);

/* The same of a call that is noted to be of a class; false where it is not. */
bool nb_slots_find_of_class(const NbSlots *slots, LLVMValueRef call, NbList *functions);

/* The same where the pointer is loaded from a constant of the module, or from one that was chosen
 * of several, as Rust's boxed functions have it: it is one of these functions, or nothing. */
bool nb_slots_find_chosen(const NbSlots *slots, LLVMValueRef pointer, NbList *functions);

#endif
