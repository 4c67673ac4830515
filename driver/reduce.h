/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* Makes a text smaller of which something holds. */
#ifndef NABLA_REDUCE_H
#define NABLA_REDUCE_H

#include "attempts.h"

/* Does it still hold of the text? Asked as long as the workers are not out of time, of which `data`
 * is that of theirs. */
typedef bool Holds(void *data, const char *text);

typedef enum {
  PIECES_SCOPES,       /* declarations of C and C++ at the top level, whole namespaces among them */
  PIECES_DECLARATIONS, /* the same, with those in namespaces by themselves */
  PIECES_LINES,
  PIECES_REQUESTS /* lines that seem to ask for derivatives; no other line goes */
} PieceKind;

/* The end of a string or character constant that starts here. */
const char *end_of_quotes(const char *at);

/* Behind the line's end. */
const char *end_of_line(const char *start);
/* The text with a line for each statement; directives are lines already. */
const char *with_statements_apart(NbArena *arena, const char *text);

/* The text without the pieces that it holds without: first halves are left out, then quarters, down
 * to single pieces (delta debugging, Zeller and Hildebrandt 2002). */
const char *reduce(NbArena *arena, const char *text, PieceKind kind, Holds *holds,
                   const Workers *workers);

/* The text in which, as often as it holds, a name that stands before a pair of brackets stands in
 * the place of what is in them, and of two sides of an operator one is left out. Where something is
 * `said` (else NULL), only arguments of calls of what it names are replaced. */
const char *shorten(NbArena *arena, const char *text, const char *said, Holds *holds,
                    const Workers *workers);

#endif
