// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Sets of texts, in an arena. */
#ifndef NABLA_BASE_TEXTS_H
#define NABLA_BASE_TEXTS_H

#include "base/arena.h"

typedef struct NbTexts NbTexts;

/* An empty set in `arena`. */
NbTexts *nb_texts_new(NbArena *arena);
/* The set's own copy of the first `length` bytes of `text`, which is put there if it is not: equal
 * texts have one address, which may be a key of an NbMap. */
const char *nb_texts_add(NbTexts *texts, const char *text, size_t length);
/* The same of what is there; NULL where it is not. */
const char *nb_texts_find(const NbTexts *texts, const char *text, size_t length);

#endif
