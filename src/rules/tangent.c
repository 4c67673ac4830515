// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A tangent is a sum in which each summand is linear in one d<parameter>. First it is checked to be
 * one, then the coefficient of each parameter is read off, top down: what multiplies the tangent is
 * wrapped around it, and conditions become conditions over coefficients. */
#include "rules/parser.h"

typedef struct Linearity {
  NbParser *parser;
  NbToken token; /* where the tangent began: the place of every complaint */
} Linearity;

static void complain(Linearity *linearity, const NbExpr *expr, const char *reason) {
  NbToken place = linearity->token;
  if (expr->line)
    place = (NbToken){.kind = NB_TOKEN_NAME, .line = expr->line, .column = expr->column};
  nb_parser_fail(linearity->parser, place, "not linear in the tangents: %s", reason);
}

static void check(Linearity *linearity, const NbExpr *expr);

/* One side of a sum, or an arm of a condition: linear, or a plain zero. */
static void check_summand(Linearity *linearity, const NbExpr *expr) {
  if (nb_expr_has_tangent(expr))
    check(linearity, expr);
  else if (!nb_expr_is(expr, 0))
    complain(linearity, expr, "a summand has no tangent in it");
}

static void check_product(Linearity *linearity, const NbExpr *expr) {
  const NbExpr *left = expr->operands[0], *right = expr->operands[1];
  if (nb_expr_has_tangent(left) && nb_expr_has_tangent(right))
    complain(linearity, expr, "a tangent times a tangent");
  else
    check(linearity, nb_expr_has_tangent(left) ? left : right);
}

static void check_quotient(Linearity *linearity, const NbExpr *expr) {
  if (nb_expr_has_tangent(expr->operands[1]))
    complain(linearity, expr, "a division by a tangent");
  else
    check(linearity, expr->operands[0]);
}

static void check_choice(Linearity *linearity, const NbExpr *expr) {
  if (nb_expr_has_tangent(expr->operands[0]))
    complain(linearity, expr, "a condition on a tangent");
  check_summand(linearity, expr->operands[1]);
  check_summand(linearity, expr->operands[2]);
}

static void check(Linearity *linearity, const NbExpr *expr) {
  switch (expr->kind) {
  case NB_EXPR_TANGENT:
    return;
  case NB_EXPR_NEGATE:
    check(linearity, expr->operands[0]);
    return;
  case NB_EXPR_ADD:
  case NB_EXPR_SUBTRACT:
    check_summand(linearity, expr->operands[0]);
    check_summand(linearity, expr->operands[1]);
    return;
  case NB_EXPR_MULTIPLY:
    check_product(linearity, expr);
    return;
  case NB_EXPR_DIVIDE:
    check_quotient(linearity, expr);
    return;
  case NB_EXPR_CHOOSE:
    check_choice(linearity, expr);
    return;
  default:
    complain(linearity, expr, "a tangent inside of a function or a comparison");
  }
}

static const NbExpr *pair(NbParser *parser, NbExprKind kind, const NbExpr *left,
                          const NbExpr *right) {
  const NbExpr *parts[2] = {left, right};
  return nb_expr_new(parser, kind, NB_TYPE_REAL, 2, parts);
}

static const NbExpr *negative(NbParser *parser, const NbExpr *expr) {
  if (!expr)
    return NULL;
  if (expr->kind == NB_EXPR_NUMBER)
    return nb_expr_number(parser, -expr->number);
  return nb_expr_new(parser, NB_EXPR_NEGATE, NB_TYPE_REAL, 1, &expr);
}

static const NbExpr *coefficient(NbParser *parser, const NbExpr *expr, unsigned index);

static const NbExpr *of_sum(NbParser *parser, const NbExpr *expr, unsigned index) {
  const NbExpr *left = coefficient(parser, expr->operands[0], index);
  const NbExpr *right = coefficient(parser, expr->operands[1], index);
  if (left && right)
    return pair(parser, expr->kind, left, right);
  if (left || expr->kind == NB_EXPR_ADD)
    return left ? left : right;
  return negative(parser, right);
}

static const NbExpr *of_product(NbParser *parser, const NbExpr *expr, unsigned index) {
  const NbExpr *left = expr->operands[0], *right = expr->operands[1];
  bool first = nb_expr_has_tangent(left);
  const NbExpr *inner = coefficient(parser, first ? left : right, index);
  const NbExpr *factor = first ? right : left;
  if (!inner || nb_expr_is(inner, 1))
    return inner ? factor : NULL;
  if (nb_expr_is(inner, -1))
    return negative(parser, factor);
  return first ? pair(parser, NB_EXPR_MULTIPLY, inner, factor)
               : pair(parser, NB_EXPR_MULTIPLY, factor, inner);
}

static const NbExpr *of_quotient(NbParser *parser, const NbExpr *expr, unsigned index) {
  const NbExpr *inner = coefficient(parser, expr->operands[0], index);
  return inner ? pair(parser, NB_EXPR_DIVIDE, inner, expr->operands[1]) : NULL;
}

static const NbExpr *of_choice(NbParser *parser, const NbExpr *expr, unsigned index) {
  const NbExpr *left = coefficient(parser, expr->operands[1], index);
  const NbExpr *right = coefficient(parser, expr->operands[2], index);
  if (!left && !right)
    return NULL;
  const NbExpr *parts[3] = {expr->operands[0], left, right};
  parts[1] = left ? left : nb_expr_number(parser, 0);
  parts[2] = right ? right : nb_expr_number(parser, 0);
  return nb_expr_new(parser, NB_EXPR_CHOOSE, NB_TYPE_REAL, 3, parts);
}

/* The coefficient of parameter `index` in a checked tangent; NULL where it does not occur. */
static const NbExpr *coefficient(NbParser *parser, const NbExpr *expr, unsigned index) {
  if (!nb_expr_has_tangent(expr) || parser->failed)
    return NULL;
  switch (expr->kind) {
  case NB_EXPR_TANGENT:
    return expr->index == index ? nb_expr_number(parser, 1) : NULL;
  case NB_EXPR_NEGATE:
    return negative(parser, coefficient(parser, expr->operands[0], index));
  case NB_EXPR_MULTIPLY:
    return of_product(parser, expr, index);
  case NB_EXPR_DIVIDE:
    return of_quotient(parser, expr, index);
  case NB_EXPR_CHOOSE:
    return of_choice(parser, expr, index);
  default:
    return of_sum(parser, expr, index);
  }
}

unsigned nb_split_tangent(NbParser *parser, const NbExpr *tangent, const NbTerm **terms) {
  Linearity linearity = {parser, parser->token};
  *terms = NULL;
  check_summand(&linearity, tangent);
  if (parser->failed)
    return 0;
  unsigned parameters = parser->row->rule->parameter_count, count = 0;
  NbTerm *list = NB_NEW_ARRAY(parser->arena, NbTerm, parameters + 1);
  for (unsigned i = 0; i < parameters; i++) {
    const NbExpr *found = coefficient(parser, tangent, i);
    if (found)
      list[count++] = (NbTerm){i, found};
  }
  *terms = list;
  return count;
}
