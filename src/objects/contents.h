// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Where the pointers in memory lead to, while places are solved. */
#ifndef NABLA_OBJECTS_CONTENTS_H
#define NABLA_OBJECTS_CONTENTS_H

#include "objects/places.h"

/* Pointers in the `size` bytes at the place (NULL: anywhere) in memory of `holder` lead to
 * `content` in `target`. */
void nb_contents_add(NbPlaces *places, NbClass *holder, const NbOffsets *at, uint64_t size,
                     NbClass *target, NbOffsets content);
/* Where the same lead to; false where none is known. */
bool nb_contents_find(const NbPlaces *places, NbClass *holder, const NbOffsets *at, uint64_t size,
                      NbClass *target, NbOffsets *content);
/* Where pointers to `target` in the `size` bytes at a place in memory of `class` lead to; false
 * where nothing is known yet. Where members are told apart, other memory may be a copy of such that
 * exists before the function. */
bool nb_contents_known(const NbPlaces *places, NbClass *class, const NbOffsets *at, uint64_t size,
                       NbClass *target, NbOffsets *place);
/* Of one field; NULL where none is known. */
const NbOffsets *nb_contents_of_field(const NbPlaces *places, const NbField *field);
/* Follows the pointers that a function with a row writes. */
void nb_contents_written(NbPlaces *places, LLVMValueRef call, const NbRule *rule);
/* Follows the copies of bytes. */
void nb_contents_copy(NbPlaces *places);

#endif
