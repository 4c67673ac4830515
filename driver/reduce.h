/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* Makes a text smaller of which something holds. */
#ifndef NABLA_REDUCE_H
#define NABLA_REDUCE_H

#include "base/arena.h"

/* Does it still hold of the text? Asked as long as it is not out of time. */
typedef bool Holds(void *data, const char *text);
typedef bool OutOfTime(void *data);

typedef enum {
  PIECES_SCOPES,       /* declarations of C and C++ at the top level, whole namespaces among them */
  PIECES_DECLARATIONS, /* the same, with those in namespaces by themselves */
  PIECES_LINES
} PieceKind;

/* The text without the pieces that it holds without: first halves are left out, then quarters, down
 * to single pieces (delta debugging, Zeller and Hildebrandt 2002). */
const char *reduce(NbArena *arena, const char *text, PieceKind kind, Holds *holds,
                   OutOfTime *out_of_time, void *data);

#endif
