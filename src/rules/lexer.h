// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Rule files as tokens. */
#ifndef NABLA_RULES_LEXER_H
#define NABLA_RULES_LEXER_H

#include <stdbool.h>
#include <stddef.h>

typedef enum NbTokenKind {
  NB_TOKEN_END,
  NB_TOKEN_NAME,
  NB_TOKEN_NUMBER,
  NB_TOKEN_TEXT, /* "..." on one line; start and length are of what stands between the quotes */
  NB_TOKEN_SIGN,
  NB_TOKEN_BAD
} NbTokenKind;

typedef struct NbToken {
  NbTokenKind kind;
  const char *start;
  size_t length;
  unsigned line, column; /* from 1 */
  bool starts_row;       /* stands in the first column: a new row begins */
} NbToken;

/* A position in a text; a copy of it can be resumed later. */
typedef struct NbLexer {
  const char *at, *end, *line_start;
  unsigned line;
} NbLexer;

NbLexer nb_lexer(const char *text, size_t length);
/* The next token; NB_TOKEN_END at the end, again and again. Skips blanks and `#` comments. */
NbToken nb_lexer_next(NbLexer *lexer);
/* Whether the token is exactly `text`, as a name or a sign. */
bool nb_token_is(NbToken token, const char *text);

#endif
