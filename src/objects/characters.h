// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* How far walks through arrays of characters go. */
#ifndef NABLA_OBJECTS_CHARACTERS_H
#define NABLA_OBJECTS_CHARACTERS_H

#include "objects/places.h"

enum { NB_MOST_WALKS = 16 };

/* Notes at accesses to single bytes of the function which array of characters they stay in: at the
 * start of the pipeline. */
void nb_characters_note(NbContext *context, LLVMValueRef function);
/* The bytes among which the access is, for each place where its walk may begin; 0 where nothing is
 * noted, or these are too many. */
unsigned nb_characters_places(const NbPlaces *places, LLVMValueRef access,
                              NbOffsets found[NB_MOST_WALKS]);

#endif
