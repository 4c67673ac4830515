// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Rule files become tables in three readings: of all signatures, so that a row may call one that
 * stands below; of the clauses of each row; and of the calls, once every callee is known. */
#include "rules/parser.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void report(NbParser *parser, const char *path, unsigned line, unsigned column,
                   const char *message) {
  if (parser->failed)
    return;
  parser->failed = true;
  *parser->error = (NbRuleError){path, line, column, message};
  parser->token.kind = NB_TOKEN_END;
  parser->lexer.at = parser->lexer.end;
}

void nb_parser_fail(NbParser *parser, NbToken token, const char *format, ...) {
  char text[512];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  const char *message = nb_arena_copy(parser->arena, text, strlen(text));
  report(parser, parser->path, token.line, token.column, message);
}

void nb_parser_advance(NbParser *parser) {
  if (parser->failed)
    return;
  parser->token = nb_lexer_next(&parser->lexer);
  NbToken token = parser->token;
  if (token.kind == NB_TOKEN_BAD)
    nb_parser_fail(parser, token, "a character that rules do not have (or a text without end)");
  else if (token.kind == NB_TOKEN_NAME && token.length > NB_MAX_NAME)
    nb_parser_fail(parser, token, "a name of more than %d characters", NB_MAX_NAME);
}

/* A token in the first column belongs to the next row, so that inside of one it is the end. */
static bool inside(const NbParser *parser) {
  return parser->token.kind != NB_TOKEN_END && !parser->token.starts_row;
}

bool nb_parser_at(const NbParser *parser, const char *text) {
  return inside(parser) && nb_token_is(parser->token, text);
}

bool nb_parser_accept(NbParser *parser, const char *text) {
  bool found = nb_parser_at(parser, text);
  if (found)
    nb_parser_advance(parser);
  return found;
}

void nb_parser_expect(NbParser *parser, const char *text) {
  if (!nb_parser_accept(parser, text))
    nb_parser_fail(parser, parser->token, "'%s' is missing here", text);
}

const char *nb_parser_name(NbParser *parser, const char *what) {
  NbToken token = parser->token;
  if (!inside(parser) || token.kind != NB_TOKEN_NAME) {
    nb_parser_fail(parser, token, "the name of %s is missing here", what);
    return "";
  }
  nb_parser_advance(parser);
  return nb_arena_copy(parser->arena, token.start, token.length);
}

double nb_parser_number(NbParser *parser) {
  double sign = nb_parser_accept(parser, "-") ? -1 : 1;
  NbToken token = parser->token;
  if (nb_parser_accept(parser, "inf"))
    return sign * INFINITY;
  if (nb_parser_accept(parser, "nan"))
    return NAN;
  if (!inside(parser) || token.kind != NB_TOKEN_NUMBER) {
    nb_parser_fail(parser, token, "a number is missing here");
    return 0;
  }
  nb_parser_advance(parser);
  return sign * strtod(nb_arena_copy(parser->arena, token.start, token.length), NULL);
}

unsigned nb_parser_find_parameter(const NbRule *rule, const char *name, size_t length) {
  for (unsigned i = 0; i < rule->parameter_count; i++) {
    const char *known = rule->parameters[i].name;
    if (strlen(known) == length && !memcmp(known, name, length))
      return i;
  }
  return NB_NO_PARAMETER;
}

unsigned nb_parser_parameter(NbParser *parser) {
  NbToken token = parser->token;
  const char *name = nb_parser_name(parser, "a parameter");
  unsigned index = nb_parser_find_parameter(parser->row->rule, name, strlen(name));
  if (index == NB_NO_PARAMETER) {
    nb_parser_fail(parser, token, "'%s' is not a parameter of '%s'", name, parser->row->rule->name);
    return 0;
  }
  return index;
}

static int order_of(const NbRow *row, const char *name, size_t length) {
  int order = strncmp(row->rule->name, name, length);
  return order ? order : row->rule->name[length] != 0;
}

const NbRule *nb_parser_callee(const NbParser *parser, NbToken name) {
  unsigned low = 0, high = parser->rows.count;
  while (low < high) {
    unsigned middle = low + (high - low) / 2;
    const NbRow *row = parser->sorted[middle];
    int order = order_of(row, name.start, name.length);
    if (!order && !row->rule->instruction)
      return row->rule;
    if (order > 0 || (!order && row->rule->instruction))
      high = middle;
    else
      low = middle + 1;
  }
  return nb_rules_find(parser->base, name.start, name.length, NULL);
}

/* Functions stand before instructions of the same name. */
static int by_name(const void *left, const void *right) {
  const NbRule *a = (*(NbRow *const *)left)->rule, *b = (*(NbRow *const *)right)->rule;
  int order = strcmp(a->name, b->name);
  return order ? order : a->instruction - b->instruction;
}

static void skip_row(NbParser *parser) {
  while (inside(parser))
    nb_parser_advance(parser);
}

static void read_signatures(NbParser *parser, const NbRuleSource *source) {
  parser->path = source->path;
  parser->lexer = nb_lexer(source->text, source->length);
  nb_parser_advance(parser);
  if (source->length > NB_MAX_BYTES)
    nb_parser_fail(parser, parser->token, "the file has more than %d bytes", NB_MAX_BYTES);
  while (parser->token.kind != NB_TOKEN_END) {
    if (parser->token.starts_row && nb_parse_names(parser))
      continue;
    if (parser->token.starts_row)
      nb_list_push(&parser->rows, nb_parse_signature(parser));
    else
      nb_parser_fail(parser, parser->token, "a row begins in the first column");
    skip_row(parser);
  }
}

static void sort_rows(NbParser *parser) {
  unsigned count = parser->rows.count;
  parser->sorted = NB_NEW_ARRAY(parser->arena, NbRow *, count + 1);
  for (unsigned i = 0; i < count; i++)
    parser->sorted[i] = parser->rows.items[i];
  if (count)
    qsort(parser->sorted, count, sizeof *parser->sorted, by_name);
}

static void read_clauses(NbParser *parser) {
  for (unsigned i = 0; i < parser->rows.count && !parser->failed; i++) {
    NbRow *row = parser->rows.items[i];
    parser->row = row;
    parser->path = row->path;
    parser->lexer = row->body;
    nb_parser_advance(parser);
    nb_parse_clauses(parser);
  }
}

/* A coefficient may be computed anywhere, so what it calls may do nothing but compute. */
static const char *impurity(const NbRule *callee) {
  if (callee->kind != NB_RULE_TANGENT && callee->kind != NB_RULE_DECLARED &&
      callee->kind != NB_RULE_INACTIVE)
    return "manages memory";
  if (callee->effect_count)
    return "touches memory";
  if (callee->once || callee->noreturn)
    return "acts on the world";
  return NULL;
}

static void check_calls(NbParser *parser) {
  for (unsigned i = 0; i < parser->calls.count; i++) {
    const NbCall *call = parser->calls.items[i];
    const char *name = call->expr->text;
    const char *reason = impurity(call->expr->callee);
    if (!reason)
      continue;
    reason = nb_arena_print(parser->arena, "'%s' %s and cannot be called here", name, reason);
    report(parser, call->path, call->expr->line, call->expr->column, reason);
    return;
  }
}

static const NbRules *table_of(NbParser *parser, const char *path) {
  NbRules *table = NB_NEW(parser->arena, NbRules);
  const NbRule **rules = NB_NEW_ARRAY(parser->arena, const NbRule *, parser->rows.count + 1);
  for (unsigned i = 0; i < parser->rows.count; i++)
    rules[i] = ((NbRow *)parser->rows.items[i])->rule;
  NbPattern *patterns = NB_NEW_ARRAY(parser->arena, NbPattern, parser->patterns.count + 1);
  for (unsigned i = 0; i < parser->patterns.count; i++)
    patterns[i] = *(NbPattern *)parser->patterns.items[i];
  *table = (NbRules){.path = path,
                     .base = parser->base,
                     .count = parser->rows.count,
                     .rules = rules,
                     .pattern_count = parser->patterns.count,
                     .patterns = patterns};
  const char *text = NULL;
  const NbRule *twice = nb_table_index(parser->arena, table, &text);
  if (twice) {
    text = *text == '%' ? text + 1 : text;
    text = nb_arena_print(parser->arena, "there are two rows for '%s'", text);
    report(parser, twice->file, twice->line, 1, text);
  }
  return table;
}

const NbRules *nb_sources_parse(NbArena *arena, const char *path, unsigned count,
                                const NbRuleSource *sources, const NbRules *base,
                                NbRuleError *error) {
  NbParser parser = {.arena = arena, .base = base, .error = error};
  parser.rows = nb_list(arena);
  parser.calls = nb_list(arena);
  parser.patterns = nb_list(arena);
  for (unsigned i = 0; i < count && !parser.failed; i++)
    read_signatures(&parser, &sources[i]);
  if (!parser.failed) {
    sort_rows(&parser);
    read_clauses(&parser);
  }
  if (!parser.failed)
    check_calls(&parser);
  const NbRules *table = parser.failed ? NULL : table_of(&parser, path);
  return parser.failed ? NULL : table;
}
