// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Rule files become tables in three readings: of all signatures, so that a row may call one that
 * stands below; of the clauses of each row; and of the calls, once every callee is known. */
#include "rules/parser.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void record(NbParser *parser, const char *path, unsigned line, unsigned column,
                   const char *message) {
  NbRuleError *error = NB_NEW(parser->arena, NbRuleError);
  *error = (NbRuleError){path, line, column, message, NULL};
  if (parser->errors.count < NB_MAX_ERRORS)
    nb_list_push(&parser->errors, error);
}

void nb_parser_give_up(NbParser *parser) {
  parser->failed = true;
  parser->token.kind = NB_TOKEN_END;
  parser->lexer.at = parser->lexer.end;
}

bool nb_parser_is_broken(const NbParser *parser, const NbRule *rule) {
  return nb_map_has(parser->broken, rule);
}

NbToken nb_parser_place(const NbParser *parser, NbToken token) {
  bool behind = token.starts_row || (token.kind == NB_TOKEN_END && token.start);
  if (!behind || !parser->last.start)
    return token;
  NbToken place = parser->last;
  place.column += (unsigned)place.length + 2 * (place.kind == NB_TOKEN_TEXT);
  return place;
}

void nb_parser_fail(NbParser *parser, NbToken token, const char *format, ...) {
  char text[512];
  if (parser->failed)
    return;
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  const char *message = nb_arena_copy(parser->arena, text, strlen(text));
  NbToken place = nb_parser_place(parser, token);
  record(parser, parser->path, place.line, place.column, message);
  nb_parser_give_up(parser);
}

/* One in the first column is the next row's. */
static void check_token(NbParser *parser) {
  NbToken token = parser->token;
  if (token.starts_row)
    return;
  if (token.kind == NB_TOKEN_BAD)
    nb_parser_fail(parser, token, "a character that rules do not have (or a text without end)");
  else if (token.kind == NB_TOKEN_NAME && token.length > NB_MAX_NAME)
    nb_parser_fail(parser, token, "a name of more than %d characters", NB_MAX_NAME);
}

void nb_parser_advance(NbParser *parser) {
  if (parser->failed)
    return;
  parser->last = parser->token;
  parser->token = nb_lexer_next(&parser->lexer);
  check_token(parser);
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

double nb_parser_value(NbParser *parser, NbToken number) {
  errno = 0;
  double value = strtod(nb_arena_copy(parser->arena, number.start, number.length), NULL);
  if (isinf(value))
    nb_parser_fail(parser, number, "a number above all doubles; infinity is written 'inf'");
  else if (value == 0 && errno == ERANGE)
    nb_parser_fail(parser, number, "a number so small that doubles have only zero for it");
  return value;
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
  return sign * nb_parser_value(parser, token);
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

/* Goes on with the first token of the next row, whatever stands before it. */
static void skip_row(NbParser *parser, NbLexer inside_row) {
  parser->failed = false;
  parser->lexer = inside_row;
  do
    parser->token = nb_lexer_next(&parser->lexer);
  while (inside(parser));
}

static void read_row_signature(NbParser *parser) {
  if (!parser->token.starts_row) {
    nb_parser_fail(parser, parser->token, "a row begins in the first column");
    return;
  }
  if (nb_parse_names(parser))
    return;
  parser->token.starts_row = false;
  check_token(parser);
  NbRow *row = nb_parse_signature(parser);
  nb_list_push(&parser->rows, row);
  if (parser->failed)
    nb_map_set(parser->broken, row->rule, row);
}

static void read_signatures(NbParser *parser, const NbRuleSource *source) {
  parser->path = source->path;
  parser->failed = false;
  parser->lexer = nb_lexer(source->text, source->length);
  if (source->length > NB_MAX_BYTES) {
    nb_parser_fail(parser, nb_lexer_next(&parser->lexer), "the file has more than %d bytes",
                   NB_MAX_BYTES);
    return;
  }
  parser->token = nb_lexer_next(&parser->lexer);
  while (parser->token.kind != NB_TOKEN_END) {
    NbLexer inside_row = parser->lexer;
    parser->last = (NbToken){.kind = NB_TOKEN_END};
    read_row_signature(parser);
    skip_row(parser, inside_row);
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
  for (unsigned i = 0; i < parser->rows.count; i++) {
    NbRow *row = parser->rows.items[i];
    if (nb_parser_is_broken(parser, row->rule))
      continue;
    parser->failed = false;
    parser->row = row;
    parser->path = row->path;
    parser->lexer = row->body;
    parser->token = row->last;
    nb_parser_advance(parser);
    nb_parse_clauses(parser);
    if (parser->failed)
      nb_map_set(parser->broken, row->rule, row);
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
    record(parser, call->path, call->expr->line, call->expr->column, reason);
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
  nb_table_index(parser->arena, table);
  return table;
}

/* Rows may not share a name; the later one is wrong. */
static void check_twice(NbParser *parser, const NbRules *table) {
  const NbRule *last = NULL;
  for (unsigned i = 1; i < table->spelling_count; i++) {
    const char *text = table->spellings[i].text;
    const NbRule *rule = table->spellings[i].rule;
    if (rule == last || strcmp(table->spellings[i - 1].text, text))
      continue;
    last = rule;
    text = nb_arena_print(parser->arena, "there are two rows for '%s'", text + (*text == '%'));
    record(parser, rule->file, rule->line, 1, text);
  }
}

static int by_place(const void *left, const void *right) {
  const NbRuleError *a = *(NbRuleError *const *)left, *b = *(NbRuleError *const *)right;
  if (strcmp(a->file, b->file))
    return 0;
  if (a->line != b->line)
    return a->line < b->line ? -1 : 1;
  return (a->column > b->column) - (a->column < b->column);
}

static void hand_over(NbParser *parser, NbRuleError *error) {
  NbRuleError **errors = (NbRuleError **)parser->errors.items;
  unsigned count = parser->errors.count;
  qsort(errors, count, sizeof *errors, by_place);
  for (unsigned i = 0; i + 1 < count; i++)
    errors[i]->next = errors[i + 1];
  *error = *errors[0];
}

const NbRules *nb_sources_parse(NbArena *arena, const char *path, unsigned count,
                                const NbRuleSource *sources, const NbRules *base,
                                NbRuleError *error) {
  NbParser parser = {.arena = arena, .base = base, .broken = nb_map_new(arena)};
  parser.errors = parser.rows = parser.calls = parser.patterns = nb_list(arena);
  for (unsigned i = 0; i < count; i++)
    read_signatures(&parser, &sources[i]);
  sort_rows(&parser);
  read_clauses(&parser);
  check_calls(&parser);
  const NbRules *table = NULL;
  if (!parser.errors.count) {
    table = table_of(&parser, path);
    check_twice(&parser, table);
  }
  if (!parser.errors.count)
    return table;
  hand_over(&parser, error);
  return NULL;
}
