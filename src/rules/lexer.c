// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rules/lexer.h"

#include <string.h>

NbLexer nb_lexer(const char *text, size_t length) {
  return (NbLexer){text, text + length, text, 1};
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool begins_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool continues_name(char c) { return begins_name(c) || is_digit(c) || c == '.' || c == '$'; }

static void skip_blanks(NbLexer *lexer) {
  for (; lexer->at < lexer->end; lexer->at++) {
    char c = *lexer->at;
    if (c == '#')
      while (lexer->at + 1 < lexer->end && lexer->at[1] != '\n')
        lexer->at++;
    else if (c == '\n') {
      lexer->line++;
      lexer->line_start = lexer->at + 1;
    } else if (c != ' ' && c != '\t' && c != '\r')
      return;
  }
}

static const char *skip_digits(const char *at, const char *end) {
  while (at < end && is_digit(*at))
    at++;
  return at;
}

static const char *number_end(const char *at, const char *end) {
  at = skip_digits(at, end);
  if (at < end && *at == '.')
    at = skip_digits(at + 1, end);
  if (at == end || (*at != 'e' && *at != 'E'))
    return at;
  const char *exponent = at + 1;
  if (exponent < end && (*exponent == '+' || *exponent == '-'))
    exponent++;
  return exponent < end && is_digit(*exponent) ? skip_digits(exponent, end) : at;
}

static void lex_text(NbLexer *lexer, NbToken *token) {
  const char *at = lexer->at + 1;
  while (at < lexer->end && *at != '"' && *at != '\\' && (unsigned char)*at >= ' ')
    at++;
  bool closed = at < lexer->end && *at == '"';
  token->kind = closed ? NB_TOKEN_TEXT : NB_TOKEN_BAD;
  token->start = closed ? lexer->at + 1 : lexer->at;
  token->length = closed ? (size_t)(at - token->start) : 1;
  lexer->at = closed ? at + 1 : lexer->at + 1;
}

static size_t sign_length(const char *at, const char *end) {
  if (end - at >= 3 && at[0] == '.' && at[1] == '.' && at[2] == '.')
    return 3;
  static const char pairs[][3] = {"<=", ">=", "==", "!=", "&&", "||"};
  for (unsigned i = 0; i < sizeof pairs / sizeof *pairs; i++)
    if (end - at >= 2 && at[0] == pairs[i][0] && at[1] == pairs[i][1])
      return 2;
  return *at && strchr("()[]{},:=?+-*/<>!", *at) ? 1 : 0;
}

NbToken nb_lexer_next(NbLexer *lexer) {
  skip_blanks(lexer);
  const char *start = lexer->at;
  NbToken token = {NB_TOKEN_END,
                   start,
                   0,
                   lexer->line,
                   (unsigned)(start - lexer->line_start) + 1,
                   start == lexer->line_start};
  if (start == lexer->end)
    return token;
  if (*start == '"') {
    lex_text(lexer, &token);
    return token;
  }
  bool number = is_digit(*start) || (*start == '.' && start + 1 < lexer->end && is_digit(start[1]));
  if (begins_name(*start)) {
    token.kind = NB_TOKEN_NAME;
    while (lexer->at < lexer->end && continues_name(*lexer->at))
      lexer->at++;
  } else if (number) {
    token.kind = NB_TOKEN_NUMBER;
    lexer->at = number_end(start, lexer->end);
  } else {
    size_t length = sign_length(start, lexer->end);
    token.kind = length ? NB_TOKEN_SIGN : NB_TOKEN_BAD;
    lexer->at += length ? length : 1;
  }
  token.length = (size_t)(lexer->at - start);
  return token;
}

bool nb_token_is(NbToken token, const char *text) {
  bool word = token.kind == NB_TOKEN_NAME || token.kind == NB_TOKEN_SIGN;
  return word && strlen(text) == token.length && !memcmp(token.start, text, token.length);
}
