// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Names of a library's own for the functions of <math.h>, such as __nv_sin and _ZGVdN4v_sin, by
 * patterns. In a pattern `*` stands for the function, `#` for how many lanes its vectors have, `?`
 * for one character, and `@` for any letters and digits. */
#include <string.h>

#include "rules/parser.h"

enum { MOST_LANES = 32 };

typedef struct Search {
  const NbRules *rules; /* that of the pattern */
  const NbPattern *pattern;
  const char *end; /* of the name */
  NbNamed found;
} Search;

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_plain(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Is this the name of a row that every library of mathematics may have? Functions of complex
 * numbers have other names in C alone, which begin as theirs do. */
static bool take_function(Search *search, const char *name, size_t length) {
  const NbSpelling *spelling = NULL;
  for (const NbRules *rules = search->rules; rules && !spelling; rules = rules->base)
    spelling = nb_table_find(rules, name, length);
  if (!spelling || !spelling->rule->libm || *name == '_')
    return false;
  if (spelling->rule->complex && *search->pattern->text != '*')
    return false;
  NbFormat format = search->pattern->format;
  search->found.rule = spelling->rule;
  search->found.format = format == NB_FORMAT_ANY ? spelling->format : format;
  return format == NB_FORMAT_ANY || spelling->format == NB_FORMAT_DOUBLE;
}

static bool match(Search *search, const char *pattern, const char *at);

/* The longest name comes first: exp2 in two lanes is exp22, and exp in 22 lanes is not. */
static bool match_function(Search *search, const char *pattern, const char *at) {
  for (size_t length = (size_t)(search->end - at); length > 0; length--)
    if (take_function(search, at, length) && match(search, pattern, at + length))
      return take_function(search, at, length);
  return false;
}

static bool match_lanes(Search *search, const char *pattern, const char *at) {
  unsigned lanes = 0;
  while (at < search->end && is_digit(*at) && lanes <= MOST_LANES)
    lanes = 10 * lanes + (unsigned)(*at++ - '0');
  bool power = lanes > 1 && lanes <= MOST_LANES && (lanes & (lanes - 1)) == 0;
  search->found.lanes = lanes;
  return power && match(search, pattern, at);
}

static bool match_any(Search *search, const char *pattern, const char *at) {
  while (!match(search, pattern, at)) {
    if (at == search->end || !is_plain(*at))
      return false;
    at++;
  }
  return true;
}

static bool match(Search *search, const char *pattern, const char *at) {
  switch (*pattern) {
  case 0:
    return at == search->end;
  case '*':
    return match_function(search, pattern + 1, at);
  case '#':
    return match_lanes(search, pattern + 1, at);
  case '@':
    return match_any(search, pattern + 1, at);
  case '?':
    return at < search->end && match(search, pattern + 1, at + 1);
  default:
    return at < search->end && *at == *pattern && match(search, pattern + 1, at + 1);
  }
}

NbNamed nb_names_find(const NbRules *rules, const char *name, size_t length) {
  for (; rules; rules = rules->base)
    for (unsigned i = 0; i < rules->pattern_count; i++) {
      const NbPattern *pattern = &rules->patterns[i];
      Search search = {rules, pattern, name + length, {NULL, NB_FORMAT_ANY, 0, pattern->held}};
      if (match(&search, pattern->text, name))
        return search.found;
    }
  return (NbNamed){NULL, NB_FORMAT_ANY, 0, false};
}

static bool is_pattern(NbToken text) {
  unsigned functions = 0, lanes = 0;
  for (size_t i = 0; i < text.length; i++) {
    functions += text.start[i] == '*';
    lanes += text.start[i] == '#';
    if (!is_plain(text.start[i]) && !strchr("_*#?@", text.start[i]))
      return false;
  }
  return functions == 1 && lanes <= 1 && text.length > 1 && text.length <= NB_MAX_NAME;
}

static NbFormat parse_format(NbParser *parser) {
  if (nb_parser_accept(parser, "float"))
    return NB_FORMAT_FLOAT;
  if (nb_parser_accept(parser, "half"))
    return NB_FORMAT_HALF;
  bool is_long = nb_parser_accept(parser, "long");
  nb_parser_expect(parser, "double");
  return is_long ? NB_FORMAT_LONG : NB_FORMAT_DOUBLE;
}

bool nb_parse_names(NbParser *parser) {
  NbLexer ahead = parser->lexer;
  NbToken text = nb_lexer_next(&ahead);
  if (!nb_token_is(parser->token, "names") || text.kind != NB_TOKEN_TEXT || text.starts_row)
    return false;
  nb_parser_advance(parser);
  nb_parser_advance(parser);
  NbPattern *pattern = NB_NEW(parser->arena, NbPattern);
  pattern->text = nb_arena_copy(parser->arena, text.start, text.length);
  if (!is_pattern(text) || parser->patterns.count == NB_MAX_PATTERNS)
    nb_parser_fail(parser, text,
                   "a pattern has one '*', at most one '#', and letters, digits, "
                   "'_', '?' and '@' around them");
  if (nb_parser_accept(parser, "in"))
    pattern->format = parse_format(parser);
  pattern->held = nb_parser_accept(parser, "held");
  if (parser->token.kind != NB_TOKEN_END && !parser->token.starts_row)
    nb_parser_fail(parser, parser->token, "'%.*s' is not understood here",
                   (int)parser->token.length, parser->token.start);
  nb_list_push(&parser->patterns, pattern);
  return true;
}
