// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Memory objects: classes of a unification-based points-to analysis (Steensgaard 1996) with fields
 * told apart by their offsets (as in Steensgaard, "Points-to analysis by type inference of programs
 * with structures and unions", 1996), local to a function, with the summaries of callees
 * instantiated at each call (as in Lattner, Lenharth, Adve, "Making context-sensitive points-to
 * analysis with heap cloning practical", 2007).
 *
 * Types, activity and effects all name memory by these classes. */
#ifndef NABLA_OBJECTS_H
#define NABLA_OBJECTS_H

#include "base/context.h"

typedef struct NbClass NbClass;
typedef struct NbObjects NbObjects;

/* Analyses a function with a body. Never fails. */
NbObjects *nb_objects_of(NbContext *context, LLVMValueRef function);
/* The class of the memory that `pointer` points to; never NULL. For null, undef and poison: a class
 * without members. Shadow values made later have no class: ask for their primal. */
NbClass *nb_objects_class(NbObjects *objects, LLVMValueRef pointer);
/* Are pointers stored in memory of the class? */
bool nb_class_holds_pointers(NbClass *class);
/* Asks `test` about the class and all classes that pointers lead to from it, each once, until one
 * answers true. `test` may not walk itself. */
typedef bool (*NbClassTest)(void *user, NbClass *class);
bool nb_class_walk(NbClass *class, NbClassTest test, void *user);
/* May the memory be reached through a parameter, a global, or a call's result: does it exist
 * before or after the function runs? */
bool nb_class_is_external(NbClass *class);
/* May a pointer to the memory be found after the function has returned, in other memory or as its
 * result? */
bool nb_objects_escapes(NbObjects *objects, LLVMValueRef pointer);
/* The parameter whose pointee (at any level) the class is, as a bit set; bit 62: that or any
 * later one; NB_FROM_GLOBAL: some global. */
#define NB_FROM_GLOBAL (UINT64_C(1) << 63)
uint64_t nb_class_parameters(NbClass *class);
/* All classes, with what pointers lead to, to stderr. */
void nb_objects_print(const NbObjects *objects);
/* A small number, unique in the function, for printing. */
unsigned nb_class_number(NbClass *class);

#endif
