// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Where in its class each object begins.
 *
 * A class is of all objects that some pointer may lead to, and it may lead to the middle of some:
 * the head of a list or tree that is a member of a struct is pointed to as the nodes are, a string
 * may hold a pointer to itself or to the heap. If all objects began at offset 0, such a pointer
 * would be at two places. So objects begin where such pointers are at one place.
 *
 * It is a choice of coordinates: any is right, and some tell more apart. */
#ifndef NABLA_OBJECTS_ORIGINS_H
#define NABLA_OBJECTS_ORIGINS_H

#include "objects/graph.h"

/* Of the objects of these functions. */
NbOrigins *nb_origins_find(NbContext *context, NbArena *arena, NbList functions);
/* Does any object begin elsewhere than at 0? */
bool nb_origins_differ(const NbOrigins *origins);
/* Of a local variable, a parameter, or the memory that a call allocates itself. `origins` may be
 * NULL: 0. */
int64_t nb_origin_of(const NbOrigins *origins, LLVMValueRef object);
/* Where in its class the loaded pointer seems to lead: a guess. */
int64_t nb_origin_of_loaded(const NbOrigins *origins, LLVMValueRef load);
/* Of the origin of the callee's class, with memory that the callee allocates. */
int64_t nb_origin_of_bound(const NbOrigins *origins, LLVMValueRef call, const NbClass *theirs);
/* Of what a call in the graph's functions allocates, itself or in a callee, in its class there. */
NbOffsets nb_origin_of_allocated(const NbObjects *group, LLVMValueRef call, NbClass *class);

#endif
