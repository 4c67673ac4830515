// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Where the pointers in memory lead to, while places are solved. */
#ifndef NABLA_OBJECTS_CONTENTS_H
#define NABLA_OBJECTS_CONTENTS_H

#include "objects/places.h"

/* Pointers of the kind (nb_access_pointer_kind) in the `size` bytes at the place (NULL: anywhere)
 * in memory of `holder`. */
typedef struct NbHeld {
  NbClass *holder;
  const NbOffsets *at;
  uint64_t size;
  const char *kind;
} NbHeld;

/* They lead to `content` in `target`. */
void nb_contents_add(NbPlaces *places, const NbHeld *held, NbClass *target, NbOffsets content);
/* Where they lead to in `target`; false where nothing is known yet. Where members are told apart,
 * other memory may be a copy of such that exists before the function. */
bool nb_contents_known(const NbPlaces *places, const NbHeld *held, NbClass *target,
                       NbOffsets *place);
/* Of one field; NULL where none is known. */
const NbOffsets *nb_contents_of_field(const NbPlaces *places, const NbField *field);
/* Follows the pointers that a function with a row writes. */
void nb_contents_written(NbPlaces *places, LLVMValueRef call, const NbRule *rule);
/* Follows the copies of bytes. */
void nb_contents_copy(NbPlaces *places);

#endif
