// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Expressions of rules: read by precedence, typed while they are read. Integers become reals where
 * they meet one, from the inside out, so that `(n - 1) * x` cannot overflow. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rules/parser.h"

typedef struct Operator {
  const char *text;
  NbExprKind kind;
  unsigned strength;
} Operator;

static const Operator operators[] = {
    {"||", NB_EXPR_OR, 1},         {"&&", NB_EXPR_AND, 2},       {"<", NB_EXPR_LESS, 3},
    {"<=", NB_EXPR_LESS_EQUAL, 3}, {">", NB_EXPR_GREATER, 3},    {">=", NB_EXPR_GREATER_EQUAL, 3},
    {"==", NB_EXPR_EQUAL, 3},      {"!=", NB_EXPR_NOT_EQUAL, 3}, {"+", NB_EXPR_ADD, 4},
    {"-", NB_EXPR_SUBTRACT, 4},    {"*", NB_EXPR_MULTIPLY, 5},   {"/", NB_EXPR_DIVIDE, 5},
};

static const NbExpr *parse_choice(NbParser *parser);
static const NbExpr *parse_unary(NbParser *parser);

static unsigned size_of(const NbExpr *expr) { return ((const NbNode *)expr)->size; }

static unsigned depth_of(const NbExpr *expr) { return ((const NbNode *)expr)->depth; }

bool nb_expr_has_tangent(const NbExpr *expr) { return ((const NbNode *)expr)->tangent; }

const NbExpr *nb_expr_new(NbParser *parser, NbExprKind kind, NbType type, unsigned count,
                          const NbExpr *const *operands) {
  NbNode *node = NB_NEW(parser->arena, NbNode);
  const NbExpr **copies = NB_NEW_ARRAY(parser->arena, const NbExpr *, count + 1);
  node->size = 1;
  for (unsigned i = 0; i < count; i++) {
    copies[i] = operands[i];
    node->size += size_of(operands[i]);
    node->depth = depth_of(operands[i]) >= node->depth ? depth_of(operands[i]) + 1 : node->depth;
    node->tangent = node->tangent || nb_expr_has_tangent(operands[i]);
  }
  node->expr = (NbExpr){.kind = kind, .type = type, .count = count, .operands = copies};
  NbToken place = nb_parser_place(parser, parser->token);
  node->expr.line = place.line;
  node->expr.column = place.column;
  if (node->size <= NB_MAX_SIZE && node->depth <= NB_MAX_DEPTH)
    return &node->expr;
  nb_parser_fail(parser, parser->token, "the expression is too large");
  return nb_expr_number(parser, 0);
}

/* Where complaints about the expression point to. */
static const NbExpr *placed(const NbExpr *expr, NbToken token) {
  NbNode *node = (NbNode *)expr;
  node->expr.line = token.line;
  node->expr.column = token.column;
  return expr;
}

const NbExpr *nb_expr_number(NbParser *parser, double number) {
  NbNode *node = (NbNode *)nb_expr_new(parser, NB_EXPR_NUMBER, NB_TYPE_REAL, 0, NULL);
  node->expr.number = number;
  node->expr.text = nb_arena_print(parser->arena, "%.17g", number);
  return &node->expr;
}

bool nb_expr_is(const NbExpr *expr, double number) {
  return expr->kind == NB_EXPR_NUMBER && expr->number == number;
}

static bool has_type(NbParser *parser, const NbExpr *expr, NbType type, const char *what) {
  if (expr->type == type)
    return true;
  nb_parser_fail(parser, parser->token, "what stands in front of this is not of type %s", what);
  return false;
}

/* The expression as a real. */
static const NbExpr *to_real(NbParser *parser, const NbExpr *expr) {
  if (expr->type == NB_TYPE_REAL || !has_type(parser, expr, NB_TYPE_INT, "number"))
    return expr;
  if (expr->kind == NB_EXPR_NUMBER) {
    NbNode *node = (NbNode *)nb_expr_number(parser, expr->number);
    node->expr.text = expr->text;
    return &node->expr;
  }
  bool sum = expr->kind == NB_EXPR_ADD || expr->kind == NB_EXPR_SUBTRACT ||
             expr->kind == NB_EXPR_MULTIPLY || expr->kind == NB_EXPR_NEGATE;
  if (!sum)
    return nb_expr_new(parser, NB_EXPR_CONVERT, NB_TYPE_REAL, 1, &expr);
  const NbExpr *parts[2];
  for (unsigned i = 0; i < expr->count; i++)
    parts[i] = to_real(parser, expr->operands[i]);
  return nb_expr_new(parser, expr->kind, NB_TYPE_REAL, expr->count, parts);
}

/* Makes both operands integers, or both reals. */
static NbType unify(NbParser *parser, const NbExpr **parts) {
  if (parts[0]->type == NB_TYPE_INT && parts[1]->type == NB_TYPE_INT)
    return NB_TYPE_INT;
  parts[0] = to_real(parser, parts[0]);
  parts[1] = to_real(parser, parts[1]);
  return NB_TYPE_REAL;
}

static const NbExpr *binary(NbParser *parser, const Operator *op, const NbExpr *left,
                            const NbExpr *right) {
  const NbExpr *parts[2] = {left, right};
  if (op->strength <= 2) {
    has_type(parser, left, NB_TYPE_BOOL, "comparison");
    has_type(parser, right, NB_TYPE_BOOL, "comparison");
    return nb_expr_new(parser, op->kind, NB_TYPE_BOOL, 2, parts);
  }
  if (op->kind == NB_EXPR_DIVIDE)
    parts[0] = to_real(parser, left);
  NbType type = unify(parser, parts);
  return nb_expr_new(parser, op->kind, op->strength == 3 ? NB_TYPE_BOOL : type, 2, parts);
}

static const Operator *operator_here(const NbParser *parser) {
  for (unsigned i = 0; i < sizeof operators / sizeof *operators; i++)
    if (nb_parser_at(parser, operators[i].text))
      return &operators[i];
  return NULL;
}

/* Operators of at least `strength`; comparisons do not chain. */
static const NbExpr *parse_binary(NbParser *parser, unsigned strength) {
  const NbExpr *left = parse_unary(parser);
  for (;;) {
    const Operator *op = operator_here(parser);
    if (!op || op->strength < strength)
      return left;
    NbToken token = parser->token;
    nb_parser_advance(parser);
    const NbExpr *right = parse_binary(parser, op->strength + 1);
    left = placed(binary(parser, op, left, right), token);
  }
}

/* Counts a nesting of the text; the caller decrements `nesting` when it returns. */
static bool nest(NbParser *parser) {
  if (++parser->nesting > NB_MAX_NESTING)
    nb_parser_fail(parser, parser->token, "nested more than %d deep", NB_MAX_NESTING);
  return !parser->failed;
}

static const NbExpr *parse_choice(NbParser *parser) {
  const NbExpr *expr = nest(parser) ? parse_binary(parser, 1) : nb_expr_number(parser, 0);
  NbToken token = parser->token;
  if (nb_parser_accept(parser, "?")) {
    has_type(parser, expr, NB_TYPE_BOOL, "comparison");
    const NbExpr *parts[3] = {expr};
    parts[1] = parse_choice(parser);
    nb_parser_expect(parser, ":");
    parts[2] = parse_choice(parser);
    NbType type = unify(parser, parts + 1);
    expr = placed(nb_expr_new(parser, NB_EXPR_CHOOSE, type, 3, parts), token);
  }
  parser->nesting--;
  return expr;
}

static const NbExpr *negate(NbParser *parser, const NbExpr *expr) {
  if (expr->type != NB_TYPE_INT)
    expr = to_real(parser, expr);
  return nb_expr_new(parser, NB_EXPR_NEGATE, expr->type, 1, &expr);
}

static const NbExpr *parse_number(NbParser *parser) {
  NbToken token = parser->token;
  const char *text = nb_arena_copy(parser->arena, token.start, token.length);
  NbNode *node = (NbNode *)nb_expr_number(parser, nb_parser_value(parser, token));
  node->expr.text = text;
  bool integer = !strpbrk(text, ".eE") && node->expr.number < 2147483648.0;
  node->expr.type = integer ? NB_TYPE_INT : NB_TYPE_REAL;
  nb_parser_advance(parser);
  return &node->expr;
}

/* The argument for a parameter of type `type`. */
static const NbExpr *parse_argument(NbParser *parser, NbType type) {
  const NbExpr *expr = parse_choice(parser);
  if (type == NB_TYPE_INT) {
    has_type(parser, expr, NB_TYPE_INT, "integer");
    return expr;
  }
  if (type == NB_TYPE_POINTER || type == NB_TYPE_ANY)
    nb_parser_fail(parser, parser->token, "functions of %s cannot be called in a rule",
                   type == NB_TYPE_ANY ? "any type" : "pointers");
  return to_real(parser, expr);
}

static void check_callee(NbParser *parser, NbToken name, const NbRule *callee) {
  bool value = nb_type_has_value(callee->result);
  if (!value || callee->variadic)
    nb_parser_fail(parser, name, "'%s' is not a function from numbers to a number", callee->name);
  else if (strlen(callee->name) != name.length || memcmp(callee->name, name.start, name.length))
    nb_parser_fail(parser, name, "call it '%s' here: the spelling follows from the format",
                   callee->name);
}

static const NbExpr *parse_call(NbParser *parser, NbToken name) {
  const NbRule *callee = nb_parser_callee(parser, name);
  if (!callee) {
    nb_parser_fail(parser, name, "there is no row for '%.*s': add one, such as '%.*s(x)'",
                   (int)name.length, name.start, (int)name.length, name.start);
    return nb_expr_number(parser, 0);
  }
  if (nb_parser_is_broken(parser, callee))
    nb_parser_give_up(parser);
  check_callee(parser, name, callee);
  const NbExpr *arguments[NB_MAX_PARAMETERS];
  nb_parser_expect(parser, "(");
  for (unsigned i = 0; i < callee->parameter_count; i++) {
    if (i)
      nb_parser_expect(parser, ",");
    arguments[i] = parse_argument(parser, callee->parameters[i].type);
  }
  nb_parser_expect(parser, ")");
  NbType type = callee->result == NB_TYPE_INT ? NB_TYPE_INT : NB_TYPE_REAL;
  NbNode *node =
      (NbNode *)nb_expr_new(parser, NB_EXPR_CALL, type, callee->parameter_count, arguments);
  if (node->expr.kind != NB_EXPR_CALL)
    return &node->expr;
  node->expr.callee = callee;
  node->expr.text = callee->name;
  placed(&node->expr, name);
  NbCall *call = NB_NEW(parser->arena, NbCall);
  *call = (NbCall){&node->expr, parser->path};
  if (!parser->failed)
    nb_list_push(&parser->calls, call);
  return &node->expr;
}

static const NbExpr *leaf(NbParser *parser, NbExprKind kind, NbType type, unsigned index) {
  bool integer = type == NB_TYPE_INT;
  NbNode *node = (NbNode *)nb_expr_new(parser, kind, integer ? NB_TYPE_INT : NB_TYPE_REAL, 0, NULL);
  node->expr.index = index;
  node->tangent = kind == NB_EXPR_TANGENT;
  return &node->expr;
}

static const NbExpr *parameter(NbParser *parser, NbToken name, unsigned index) {
  NbType type = parser->row->rule->parameters[index].type;
  if (type == NB_TYPE_POINTER || type == NB_TYPE_ANY)
    nb_parser_fail(parser, name, "%s has no value in an expression",
                   type == NB_TYPE_ANY ? "what may be of any type" : "a pointer");
  NbNode *node = (NbNode *)leaf(parser, NB_EXPR_PARAMETER, type, index);
  node->expr.is_unsigned = parser->row->rule->parameters[index].is_unsigned;
  return &node->expr;
}

/* `dx` where x is a parameter, else NULL. */
static const NbExpr *tangent(NbParser *parser, NbToken name) {
  const NbRule *rule = parser->row->rule;
  if (name.length < 2 || *name.start != 'd')
    return NULL;
  unsigned index = nb_parser_find_parameter(rule, name.start + 1, name.length - 1);
  if (index == NB_NO_PARAMETER)
    return NULL;
  NbType type = rule->parameters[index].type;
  if (!parser->tangents_allowed)
    nb_parser_fail(parser, name, "a tangent may stand only behind ':'");
  else if (type == NB_TYPE_INT || type == NB_TYPE_POINTER || type == NB_TYPE_ANY)
    nb_parser_fail(parser, name, "'%s' is not a real and has no tangent",
                   rule->parameters[index].name);
  return leaf(parser, NB_EXPR_TANGENT, type, index);
}

static const NbExpr *named_value(NbParser *parser, NbToken name) {
  NbRow *row = parser->row;
  for (unsigned i = 0; i < row->lets.count; i++) {
    const NbLet *let = row->lets.items[i];
    if (nb_token_is(name, let->name))
      return let->value;
  }
  unsigned members = row->rule->member_count;
  for (unsigned i = 0; i < (members ? members : 1); i++)
    if (row->result_names[i] && nb_token_is(name, row->result_names[i]))
      return leaf(parser, NB_EXPR_RESULT, members ? row->rule->members[i].type : row->rule->result,
                  i);
  return NULL;
}

static const NbExpr *constant(NbParser *parser, NbToken name) {
  if (nb_token_is(name, "pi"))
    return nb_expr_number(parser, 3.14159265358979323846);
  if (nb_token_is(name, "inf"))
    return nb_expr_number(parser, INFINITY);
  return nb_token_is(name, "nan") ? nb_expr_number(parser, NAN) : NULL;
}

static const NbExpr *parse_name(NbParser *parser) {
  NbToken name = parser->token;
  nb_parser_advance(parser);
  if (nb_parser_at(parser, "("))
    return parse_call(parser, name);
  unsigned index = nb_parser_find_parameter(parser->row->rule, name.start, name.length);
  if (index != NB_NO_PARAMETER)
    return placed(parameter(parser, name, index), name);
  const NbExpr *expr = named_value(parser, name);
  if (expr)
    return expr;
  expr = tangent(parser, name);
  if (!expr)
    expr = constant(parser, name);
  if (expr)
    return placed(expr, name);
  nb_parser_fail(parser, name, "nothing is called '%.*s' here", (int)name.length, name.start);
  return nb_expr_number(parser, 0);
}

static const NbExpr *parse_primary(NbParser *parser) {
  NbToken token = parser->token;
  if (nb_parser_accept(parser, "(")) {
    const NbExpr *expr = parse_choice(parser);
    nb_parser_expect(parser, ")");
    return expr;
  }
  if (token.kind == NB_TOKEN_NUMBER && !token.starts_row)
    return parse_number(parser);
  if (token.kind == NB_TOKEN_NAME && !token.starts_row)
    return parse_name(parser);
  nb_parser_fail(parser, token, "an expression is missing here");
  return nb_expr_number(parser, 0);
}

static const NbExpr *parse_unary(NbParser *parser) {
  if (!nest(parser))
    return nb_expr_number(parser, 0);
  const NbExpr *expr;
  if (nb_parser_accept(parser, "-")) {
    expr = negate(parser, parse_unary(parser));
  } else if (nb_parser_accept(parser, "!")) {
    const NbExpr *operand = parse_unary(parser);
    has_type(parser, operand, NB_TYPE_BOOL, "comparison");
    expr = nb_expr_new(parser, NB_EXPR_NOT, NB_TYPE_BOOL, 1, &operand);
  } else {
    expr = parse_primary(parser);
  }
  parser->nesting--;
  return expr;
}

const NbExpr *nb_parse_expression(NbParser *parser, bool tangents) {
  parser->nesting = 0;
  parser->tangents_allowed = tangents;
  return parse_choice(parser);
}

const NbExpr *nb_parse_real(NbParser *parser, bool tangents) {
  return to_real(parser, nb_parse_expression(parser, tangents));
}

const NbExpr *nb_parse_integer(NbParser *parser) {
  const NbExpr *expr = nb_parse_expression(parser, false);
  has_type(parser, expr, NB_TYPE_INT, "integer");
  return expr;
}
