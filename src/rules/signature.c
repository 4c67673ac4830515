// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The first part of a row: `double f(x, int n) = y`, `{real, int} f(x) = {y, n}`, `f like g`. */
#include <string.h>

#include "rules/parser.h"

typedef struct TypeName {
  const char *name;
  NbType type;
} TypeName;

static const TypeName types[] = {{"real", NB_TYPE_REAL},   {"double", NB_TYPE_DOUBLE},
                                 {"float", NB_TYPE_FLOAT}, {"int", NB_TYPE_INT},
                                 {"ptr", NB_TYPE_POINTER}, {"void", NB_TYPE_VOID},
                                 {"any", NB_TYPE_ANY}};

bool nb_token_type(NbToken token, NbType *type) {
  for (unsigned i = 0; i < sizeof types / sizeof *types; i++)
    if (nb_token_is(token, types[i].name)) {
      *type = types[i].type;
      return true;
    }
  return false;
}

/* A type in front of a name; where none stands, a real. */
static NbType parse_type(NbParser *parser) {
  NbType type = NB_TYPE_REAL;
  NbLexer ahead = parser->lexer;
  NbToken next = nb_lexer_next(&ahead);
  if (next.kind == NB_TOKEN_NAME && !next.starts_row && nb_token_type(parser->token, &type))
    nb_parser_advance(parser);
  return type;
}

/* `unsigned` in front of a name: an integer of which the row knows more. */
static bool accept_unsigned(NbParser *parser) {
  NbLexer ahead = parser->lexer;
  NbToken next = nb_lexer_next(&ahead);
  return next.kind == NB_TOKEN_NAME && !next.starts_row && nb_parser_accept(parser, "unsigned");
}

bool nb_type_has_value(NbType type) {
  return type != NB_TYPE_VOID && type != NB_TYPE_POINTER && type != NB_TYPE_ANY;
}

static void parse_member(NbParser *parser, NbMember *member) {
  if (nb_token_type(parser->token, &member->type))
    nb_parser_advance(parser);
  else
    nb_parser_fail(parser, parser->token, "a type is missing here");
  if (!nb_type_has_value(member->type))
    nb_parser_fail(parser, parser->token, "a member is a real or an integer");
}

static void parse_members(NbParser *parser, NbRule *rule) {
  NbMember *members = NB_NEW_ARRAY(parser->arena, NbMember, NB_MAX_PARAMETERS);
  do {
    if (rule->member_count == NB_MAX_PARAMETERS)
      nb_parser_fail(parser, parser->token, "more than %d members", NB_MAX_PARAMETERS);
    else
      parse_member(parser, &members[rule->member_count++]);
  } while (nb_parser_accept(parser, ","));
  nb_parser_expect(parser, "}");
  rule->members = members;
  rule->result = NB_TYPE_VOID;
}

static bool clash(const NbRule *rule, const char *name) {
  if (nb_parser_find_parameter(rule, name, strlen(name)) != NB_NO_PARAMETER)
    return true;
  if (*name == 'd' && nb_parser_find_parameter(rule, name + 1, strlen(name + 1)) != NB_NO_PARAMETER)
    return true;
  for (unsigned i = 0; i < rule->parameter_count; i++)
    if (*rule->parameters[i].name == 'd' && !strcmp(rule->parameters[i].name + 1, name))
      return true;
  return false;
}

static void parse_parameter(NbParser *parser, NbRule *rule, NbParameter *list) {
  if (rule->parameter_count == NB_MAX_PARAMETERS) {
    nb_parser_fail(parser, parser->token, "more than %d parameters", NB_MAX_PARAMETERS);
    return;
  }
  bool is_unsigned = accept_unsigned(parser);
  NbType type = is_unsigned ? NB_TYPE_INT : parse_type(parser);
  NbToken token = parser->token;
  const char *name = nb_parser_name(parser, "a parameter");
  if (type == NB_TYPE_VOID)
    nb_parser_fail(parser, token, "a parameter cannot be void");
  if (clash(rule, name))
    nb_parser_fail(parser, token, "'%s' already means something here", name);
  list[rule->parameter_count++] = (NbParameter){name, type, is_unsigned};
}

/* Parameters up to the bracket; `...` at the end stands for any further arguments. */
static void parse_parameters(NbParser *parser, NbRule *rule) {
  NbParameter *list = NB_NEW_ARRAY(parser->arena, NbParameter, NB_MAX_PARAMETERS);
  rule->parameters = list;
  if (nb_parser_accept(parser, ")"))
    return;
  do {
    rule->variadic = nb_parser_accept(parser, "...");
    if (!rule->variadic)
      parse_parameter(parser, rule, list);
  } while (!rule->variadic && nb_parser_accept(parser, ","));
  nb_parser_expect(parser, ")");
}

static void parse_result_name(NbParser *parser, NbRow *row, unsigned index) {
  NbToken token = parser->token;
  const char *name = nb_parser_name(parser, "the result");
  bool known = clash(row->rule, name);
  for (unsigned i = 0; i < index; i++)
    known = known || !strcmp(row->result_names[i], name);
  if (known)
    nb_parser_fail(parser, token, "'%s' already means something here", name);
  row->result_names[index] = name;
}

static void parse_result_names(NbParser *parser, NbRow *row) {
  if (!nb_parser_accept(parser, "="))
    return;
  unsigned members = row->rule->member_count;
  bool number = nb_type_has_value(row->rule->result);
  if (!members && !number)
    nb_parser_fail(parser, parser->token, "only a number can be used as result");
  if (!members) {
    parse_result_name(parser, row, 0);
    return;
  }
  nb_parser_expect(parser, "{");
  for (unsigned i = 0; i < members && !parser->failed; i++) {
    if (i)
      nb_parser_expect(parser, ",");
    parse_result_name(parser, row, i);
  }
  nb_parser_expect(parser, "}");
}

static const NbRule *row_above(const NbParser *parser, const char *name, size_t length) {
  for (unsigned i = 0; i < parser->rows.count; i++) {
    const NbRule *rule = ((NbRow *)parser->rows.items[i])->rule;
    if (!rule->instruction && strlen(rule->name) == length && !memcmp(rule->name, name, length))
      return rule;
  }
  return NULL;
}

/* `like` takes the whole row, here its signature; the rest once that row is read. */
static void parse_like(NbParser *parser, NbRow *row) {
  NbToken token = parser->token;
  const char *name = nb_parser_name(parser, "a function with a row");
  size_t length = strlen(name);
  const NbRule *known = row_above(parser, name, length);
  NbFormat format = NB_FORMAT_ANY;
  if (!known && length > 1 && (name[length - 1] == 'f' || name[length - 1] == 'l')) {
    known = row_above(parser, name, length - 1);
    format = name[length - 1] == 'f' ? NB_FORMAT_FLOAT : NB_FORMAT_LONG;
  }
  if (!known)
    known = nb_rules_find(parser->base, name, length, &format);
  if (!known) {
    nb_parser_fail(parser, token, "there is no row for '%s' above", name);
    return;
  }
  if (nb_parser_is_broken(parser, known))
    nb_parser_give_up(parser);
  NbRule *rule = row->rule;
  bool other = format == NB_FORMAT_FLOAT || format == NB_FORMAT_LONG;
  row->like_format = other && known->format != format ? format : NB_FORMAT_ANY;
  rule->like = known;
  rule->result = known->result;
  rule->variadic = known->variadic;
  rule->parameters = known->parameters;
  rule->parameter_count = known->parameter_count;
  rule->members = known->members;
  rule->member_count = known->member_count;
}

/* The lexer in front of the token that the parser is at. */
static NbLexer rewound(const NbParser *parser) {
  NbToken token = parser->token;
  NbLexer lexer = parser->lexer;
  lexer.at = token.start - (token.kind == NB_TOKEN_TEXT);
  lexer.line = token.line;
  lexer.line_start = lexer.at - (token.column - 1);
  return lexer;
}

static void parse_result_type(NbParser *parser, NbRule *rule) {
  if (nb_parser_accept(parser, "{"))
    parse_members(parser, rule);
  else
    rule->result = parse_type(parser);
}

NbRow *nb_parse_signature(NbParser *parser) {
  NbRow *row = NB_NEW(parser->arena, NbRow);
  NbRule *rule = NB_NEW(parser->arena, NbRule);
  row->rule = rule;
  row->path = parser->path;
  rule->file = parser->path;
  rule->line = parser->token.line;
  rule->returns = rule->throws = rule->scans = NB_NO_PARAMETER;
  parser->token.starts_row = false;
  if (parser->rows.count >= NB_MAX_ROWS)
    nb_parser_fail(parser, parser->token, "more than %d rows", NB_MAX_ROWS);
  parse_result_type(parser, rule);
  rule->name = nb_parser_name(parser, "a function");
  if (nb_parser_accept(parser, "like")) {
    parse_like(parser, row);
  } else {
    nb_parser_expect(parser, "(");
    parse_parameters(parser, rule);
    parse_result_names(parser, row);
  }
  row->body = rewound(parser);
  row->last = parser->last;
  return row;
}
