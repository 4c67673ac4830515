/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* Makes a source of C or C++ smaller by its declarations. */
#ifndef NABLA_PRUNE_H
#define NABLA_PRUNE_H

#include "attempts.h"

/* What is asked about a text. */
typedef struct {
  /* Does it still hold? `said`: what the compiler wrote, all of it where `all`, else up to its
   * first error. */
  bool (*holds)(void *data, const char *text, bool all, NbArena *arena, const char **said);
  /* What -nabla-used= writes of the text, in the arena; NULL: nothing. */
  const char *(*used)(void *data, const char *text, NbArena *arena);
  const Workers *workers; /* whose data `data` is */
} Asked;

/* The text without the declarations that nothing uses. */
const char *prune_unused(NbArena *arena, const char *text, const Asked *asked);
/* The text without any declarations that it holds without. */
const char *prune(NbArena *arena, const char *text, const Asked *asked);

#endif
