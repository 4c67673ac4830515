// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What the parts of the rule parser share. The reading of a row stops at its first error: from then
 * on every token is the end, so that all loops run out. Then the next row is read, for its errors;
 * what was built is thrown away in the end. */
#ifndef NABLA_RULES_PARSER_H
#define NABLA_RULES_PARSER_H

#include "base/map.h"
#include "rules/lexer.h"
#include "rules/table.h"

enum {
  NB_MAX_BYTES = 1 << 20,
  NB_MAX_NESTING = 100,
  NB_MAX_DEPTH = 256,
  NB_MAX_SIZE = 4096,
  NB_MAX_PARAMETERS = 32,
  NB_MAX_NAME = 256,
  NB_MAX_LETS = 64,
  NB_MAX_ROWS = 10000,
  NB_MAX_COST = 1000,
  NB_MAX_PATTERNS = 256,
  NB_MAX_ERRORS = 20
};

/* An expression while it is parsed. `size` counts a shared part each time that it is used. */
typedef struct NbNode {
  NbExpr expr;
  unsigned size, depth;
  bool tangent; /* a tangent occurs in it */
} NbNode;

typedef struct NbLet {
  const char *name;
  const NbExpr *value;
} NbLet;

/* A call in an expression and the file in which it stands. */
typedef struct NbCall {
  const NbExpr *expr;
  const char *path;
} NbCall;

/* Is it of numbers, one or some, or a truth value? */
bool nb_type_has_value(NbType type);
/* A row between the reading of its signature and that of its clauses. */
typedef struct NbRow {
  NbRule *rule;
  NbLexer body; /* behind the signature */
  NbToken last; /* of that */
  const char *path;
  const char *result_names[NB_MAX_PARAMETERS];
  bool has_kind, writes_tangent;
  NbFormat like_format; /* ANY: of the format of the row that it is like */
  NbList lets, effects, domains, points, aliases;
} NbRow;

typedef struct NbParser {
  NbArena *arena;
  const NbRules *base;
  NbList errors; /* an NbRuleError each */
  NbMap *broken; /* rules whose row has an error: what relies on them says nothing of its own */
  bool failed;   /* the row that is read */
  const char *path;
  NbLexer lexer;
  NbToken token, last; /* where the parser is, and what stood before */
  unsigned nesting;
  bool tangents_allowed;
  NbRow *row;
  NbList rows;
  NbRow **sorted; /* by name, once all signatures are read */
  NbList calls;   /* an NbCall each, checked when all rows are read */
  NbList patterns;
} NbParser;

/* Records the error at `token`, unless the row has one already, and ends the reading of the row. */
__attribute__((format(printf, 3, 4))) void nb_parser_fail(NbParser *parser, NbToken token,
                                                          const char *format, ...);
/* Where to report the token: what is missing at the end of a row is missed behind its last one. */
NbToken nb_parser_place(const NbParser *parser, NbToken token);
/* Ends the reading of a row that relies on one with an error. */
void nb_parser_give_up(NbParser *parser);
bool nb_parser_is_broken(const NbParser *parser, const NbRule *rule);
void nb_parser_advance(NbParser *parser);
bool nb_parser_at(const NbParser *parser, const char *text);
/* Passes `text` if it is there. */
bool nb_parser_accept(NbParser *parser, const char *text);
/* Passes `text`, or fails. */
void nb_parser_expect(NbParser *parser, const char *text);
/* Passes a name and returns it, or fails and returns "". */
const char *nb_parser_name(NbParser *parser, const char *what);
/* The value of the number, which fails where no double comes near it. */
double nb_parser_value(NbParser *parser, NbToken number);
/* Passes a number with an optional sign, `inf`, or `nan`. */
double nb_parser_number(NbParser *parser);
/* Passes the name of a parameter and returns its index, or fails. */
unsigned nb_parser_parameter(NbParser *parser);
/* The parameter called so, or NB_NO_PARAMETER. */
unsigned nb_parser_find_parameter(const NbRule *rule, const char *name, size_t length);
/* The row (of this reading, else of the base) of the function with this name, or NULL. */
const NbRule *nb_parser_callee(const NbParser *parser, NbToken name);

/* Passes `names "..."` and what belongs to it; false where something else stands. */
bool nb_parse_names(NbParser *parser);

/* One expression; with `tangents`, d<parameter> may occur in it. Never NULL. */
const NbExpr *nb_parse_expression(NbParser *parser, bool tangents);
/* As above, a real, an integer. */
const NbExpr *nb_parse_real(NbParser *parser, bool tangents);
const NbExpr *nb_parse_integer(NbParser *parser);
const NbExpr *nb_expr_new(NbParser *parser, NbExprKind kind, NbType type, unsigned count,
                          const NbExpr *const *operands);
const NbExpr *nb_expr_number(NbParser *parser, double number);
bool nb_expr_is(const NbExpr *expr, double number);
bool nb_expr_has_tangent(const NbExpr *expr);

/* Splits a tangent into one term for each parameter; fails where it is not linear. */
unsigned nb_split_tangent(NbParser *parser, const NbExpr *tangent, const NbTerm **terms);

/* The type that the token names, and whether it names one. */
bool nb_token_type(NbToken token, NbType *type);
/* The signature at the parser's position, as a row that is not finished. */
NbRow *nb_parse_signature(NbParser *parser);
/* All clauses of parser->row. */
void nb_parse_clauses(NbParser *parser);

#endif
