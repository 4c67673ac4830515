// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The clauses of a row. Each begins with a word (the tangent: with ':') and reads its own end. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "rules/parser.h"

enum { MOST_OFFSET = 4096 };

typedef struct Clause {
  const char *word;
  void (*parse)(NbParser *parser, NbToken token);
} Clause;

static bool is_real(NbType type) {
  return type == NB_TYPE_REAL || type == NB_TYPE_DOUBLE || type == NB_TYPE_FLOAT;
}

static void set_kind(NbParser *parser, NbToken token, NbRuleKind kind) {
  if (parser->row->has_kind)
    nb_parser_fail(parser, token, "the row already says what '%s' is", parser->row->rule->name);
  parser->row->has_kind = true;
  parser->row->rule->kind = kind;
}

static void parse_member_tangents(NbParser *parser) {
  NbRule *rule = parser->row->rule;
  NbMember *members = NB_NEW_ARRAY(parser->arena, NbMember, rule->member_count);
  nb_parser_expect(parser, "{");
  for (unsigned i = 0; i < rule->member_count && !parser->failed; i++) {
    if (i)
      nb_parser_expect(parser, ",");
    NbToken token = parser->token;
    members[i].type = rule->members[i].type;
    members[i].term_count =
        nb_split_tangent(parser, nb_parse_real(parser, true), &members[i].terms);
    if (members[i].term_count && !is_real(members[i].type))
      nb_parser_fail(parser, token, "an integer has no tangent: write 0");
  }
  nb_parser_expect(parser, "}");
  rule->members = members;
}

static void parse_tangent(NbParser *parser, NbToken token) {
  NbRule *rule = parser->row->rule;
  set_kind(parser, token, rule->member_count ? NB_RULE_STRUCT : NB_RULE_TANGENT);
  if (rule->member_count)
    parse_member_tangents(parser);
  else if (is_real(rule->result))
    rule->term_count = nb_split_tangent(parser, nb_parse_real(parser, true), &rule->terms);
  else
    nb_parser_fail(parser, token, "only a real result has a tangent");
}

static bool is_taken(const NbRow *row, const char *name) {
  const NbRule *rule = row->rule;
  bool parameter = nb_parser_find_parameter(rule, name, strlen(name)) != NB_NO_PARAMETER;
  bool tangent =
      *name == 'd' && nb_parser_find_parameter(rule, name + 1, strlen(name + 1)) != NB_NO_PARAMETER;
  for (unsigned i = 0; i < row->lets.count; i++)
    if (!strcmp(((NbLet *)row->lets.items[i])->name, name))
      return true;
  for (unsigned i = 0; i < NB_MAX_PARAMETERS; i++)
    if (row->result_names[i] && !strcmp(row->result_names[i], name))
      return true;
  return parameter || tangent;
}

static void parse_let(NbParser *parser, NbToken token) {
  NbLet *let = NB_NEW(parser->arena, NbLet);
  let->name = nb_parser_name(parser, "the value");
  if (is_taken(parser->row, let->name))
    nb_parser_fail(parser, token, "'%s' already means something here", let->name);
  if (parser->row->lets.count >= NB_MAX_LETS)
    nb_parser_fail(parser, token, "more than %d values", NB_MAX_LETS);
  nb_parser_expect(parser, "=");
  let->value = nb_parse_expression(parser, false);
  nb_list_push(&parser->row->lets, let);
}

static void parse_inactive(NbParser *parser, NbToken token) {
  set_kind(parser, token, NB_RULE_INACTIVE);
}

static void parse_mirror(NbParser *parser, NbToken token) {
  set_kind(parser, token, NB_RULE_MIRROR);
}

static void parse_once(NbParser *parser, NbToken token) {
  (void)token;
  parser->row->rule->once = true;
}

static void parse_reports(NbParser *parser, NbToken token) {
  parse_once(parser, token);
  parser->row->rule->reports = true;
}

static void parse_thrown(NbParser *parser, NbToken token) {
  parse_once(parser, token);
  parser->row->rule->thrown = true;
}

static void parse_noreturn(NbParser *parser, NbToken token) {
  (void)token;
  parser->row->rule->noreturn = true;
}

static void parse_held(NbParser *parser, NbToken token) {
  (void)token;
  parser->row->rule->held = true;
}

static void parse_costs(NbParser *parser, NbToken token) {
  double number = nb_parser_number(parser);
  if (number < 1 || number > NB_MAX_COST || number != (unsigned)number)
    nb_parser_fail(parser, token, "'costs' is followed by a whole number from 1 to %d",
                   NB_MAX_COST);
  else
    parser->row->rule->cost = (unsigned)number;
}

static void parse_libm(NbParser *parser, NbToken token) {
  NbRule *rule = parser->row->rule;
  bool plain = !rule->member_count && strncmp(rule->name, "llvm.", 5);
  for (unsigned i = 0; i < rule->parameter_count; i++)
    plain = plain && rule->parameters[i].type != NB_TYPE_FLOAT;
  if (!plain)
    nb_parser_fail(parser, token, "'libm' is for functions in double that exist in float too");
  rule->libm = true;
}

/* As `libm`, for functions of complex numbers, each of which is two reals here. */
static void parse_complex(NbParser *parser, NbToken token) {
  NbRule *rule = parser->row->rule;
  bool pairs = rule->parameter_count > 0 && rule->parameter_count % 2 == 0 &&
               (rule->member_count == 0 || rule->member_count == 2);
  for (unsigned i = 0; i < rule->parameter_count; i++)
    pairs = pairs && rule->parameters[i].type == NB_TYPE_REAL;
  for (unsigned i = 0; i < rule->member_count; i++)
    pairs = pairs && rule->members[i].type == NB_TYPE_REAL;
  if (!pairs)
    nb_parser_fail(parser, token, "'complex' is for functions of pairs of reals");
  rule->libm = true;
  rule->complex = true;
}

static void parse_instruction(NbParser *parser, NbToken token) {
  (void)token;
  parser->row->rule->instruction = true;
}

static void parse_of(NbParser *parser, NbToken token) {
  (void)token;
  parser->row->rule->of = nb_parser_name(parser, "a function");
}

static void parse_intrinsic(NbParser *parser, NbToken token) {
  parser->row->rule->intrinsic = nb_parser_name(parser, "an intrinsic");
  if (strncmp(parser->row->rule->intrinsic, "llvm.", 5))
    nb_parser_fail(parser, token, "the name of an intrinsic begins with 'llvm.'");
}

static void parse_also(NbParser *parser, NbToken token) {
  (void)token;
  do
    nb_list_push(&parser->row->aliases, (void *)nb_parser_name(parser, "a function"));
  while (nb_parser_accept(parser, ","));
}

static unsigned parse_typed(NbParser *parser, bool (*fits)(NbType), const char *what) {
  NbToken token = parser->token;
  unsigned index = nb_parser_parameter(parser);
  if (!parser->failed && !fits(parser->row->rule->parameters[index].type))
    nb_parser_fail(parser, token, "'%s' is not %s", parser->row->rule->parameters[index].name,
                   what);
  return index;
}

static bool is_pointer(NbType type) { return type == NB_TYPE_POINTER; }

static bool is_integer(NbType type) { return type == NB_TYPE_INT; }

static bool is_number(NbType type) { return is_real(type) || is_integer(type); }

static unsigned parse_pointer(NbParser *parser) {
  return parse_typed(parser, is_pointer, "a pointer");
}

static unsigned parse_offset(NbParser *parser) {
  NbToken token = parser->token;
  const NbExpr *offset = nb_parse_integer(parser);
  bool known = offset && offset->kind == NB_EXPR_NUMBER && offset->number <= MOST_OFFSET;
  if (offset && !known)
    nb_parser_fail(parser, token, "a number of bytes, at most 4096, must stand here");
  return known ? (unsigned)offset->number : 0;
}

/* `memory`, `p`, `p[n]`, or with a type, `text` or `string` in front, and behind it `from` an
 * offset, or `into` what a pointer leads to. */
static NbEffect *parse_effect(NbParser *parser) {
  NbRow *row = parser->row;
  NbEffect *effect = NB_NEW(parser->arena, NbEffect);
  bool parameter = nb_parser_find_parameter(row->rule, parser->token.start, parser->token.length) !=
                   NB_NO_PARAMETER;
  effect->ended = !parameter && nb_parser_accept(parser, "string");
  effect->text = effect->ended || (!parameter && nb_parser_accept(parser, "text"));
  if (!parameter && !effect->text && nb_token_type(parser->token, &effect->type))
    nb_parser_advance(parser);
  if (effect->type == NB_TYPE_ANY)
    nb_parser_fail(parser, parser->token, "memory of any type stands here without one");
  bool any = nb_parser_at(parser, "memory") &&
             nb_parser_find_parameter(row->rule, "memory", 6) == NB_NO_PARAMETER;
  if (any)
    nb_parser_advance(parser);
  effect->parameter = any ? NB_NO_PARAMETER : parse_pointer(parser);
  if (nb_parser_accept(parser, "[")) {
    effect->extent = nb_parse_integer(parser);
    nb_parser_expect(parser, "]");
  }
  if (nb_parser_accept(parser, "from"))
    effect->offset = parse_offset(parser);
  effect->leads = effect->type == NB_TYPE_POINTER && nb_parser_accept(parser, "into");
  if (effect->leads)
    effect->into = parse_pointer(parser);
  nb_list_push(&row->effects, effect);
  return effect;
}

static void parse_reads(NbParser *parser, NbToken token) {
  (void)token;
  do
    parse_effect(parser);
  while (nb_parser_accept(parser, ","));
}

static void parse_written(NbParser *parser) {
  NbToken token = parser->token;
  NbEffect *effect = parse_effect(parser);
  effect->writes = true;
  if (!nb_parser_accept(parser, ":"))
    return;
  effect->term_count = nb_split_tangent(parser, nb_parse_real(parser, true), &effect->terms);
  parser->row->writes_tangent = true;
  if (!is_real(effect->type))
    nb_parser_fail(parser, token, "only reals have a tangent: 'writes real ...'");
  else if (effect->extent)
    nb_parser_fail(parser, token, "one real has a tangent, not several: leave '[...]' away");
}

static void parse_writes(NbParser *parser, NbToken token) {
  (void)token;
  do
    parse_written(parser);
  while (nb_parser_accept(parser, ","));
}

/* The row above of the function that is named here, behind the words `said` and `by`. */
static const NbRule *parse_partner(NbParser *parser, const char *said) {
  nb_parser_expect(parser, said);
  nb_parser_expect(parser, "by");
  NbToken name = parser->token;
  nb_parser_name(parser, "a function");
  const NbRule *partner = parser->failed ? NULL : nb_parser_callee(parser, name);
  if (!partner)
    nb_parser_fail(parser, name, "there is no row for this function");
  return partner;
}

/* Behind the partner, where it takes more than the memory: "(result, n)". */
static void parse_handed(NbParser *parser) {
  NbRule *rule = parser->row->rule;
  NbToken token = parser->token;
  if (!rule->partner || !nb_parser_accept(parser, "("))
    return;
  unsigned most = rule->partner->parameter_count, result = NB_NO_PARAMETER;
  unsigned *handed = NB_NEW_ARRAY(parser->arena, unsigned, most + 1);
  do {
    bool memory = nb_parser_accept(parser, "result");
    unsigned index = memory ? NB_NO_PARAMETER : nb_parser_parameter(parser);
    if (memory)
      result = rule->handed_count;
    if (rule->handed_count < most)
      handed[rule->handed_count] = index;
    rule->handed_count++;
  } while (!parser->failed && nb_parser_accept(parser, ","));
  nb_parser_expect(parser, ")");
  rule->handed = handed;
  if (!parser->failed && (rule->handed_count != most || rule->partner->kind != NB_RULE_FREE ||
                          rule->partner->operands[0] != result))
    nb_parser_fail(parser, token,
                   "this is not what the function takes that frees, by its row above");
}

static void parse_allocates(NbParser *parser, NbToken token) {
  NbRule *rule = parser->row->rule;
  set_kind(parser, token, NB_RULE_ALLOCATE);
  if (rule->result != NB_TYPE_POINTER)
    nb_parser_fail(parser, token, "what allocates returns a ptr");
  rule->extent = nb_parse_integer(parser);
  rule->zeroed = nb_parser_accept(parser, "zeroed");
  rule->partner = parse_partner(parser, "freed");
  parse_handed(parser);
}

static void parse_resizes(NbParser *parser, NbToken token) {
  NbRule *rule = parser->row->rule;
  set_kind(parser, token, NB_RULE_RESIZE);
  if (rule->result != NB_TYPE_POINTER)
    nb_parser_fail(parser, token, "what resizes returns a ptr");
  rule->operands[0] = parse_pointer(parser);
  nb_parser_expect(parser, "to");
  rule->extent = nb_parse_integer(parser);
  rule->measure = parse_partner(parser, "measured");
  rule->partner = parse_partner(parser, "freed");
}

static void parse_frees(NbParser *parser, NbToken token) {
  set_kind(parser, token, NB_RULE_FREE);
  parser->row->rule->operands[0] = parse_pointer(parser);
}

static void parse_copies(NbParser *parser, NbToken token) {
  unsigned *operands = parser->row->rule->operands;
  set_kind(parser, token, NB_RULE_COPY);
  operands[2] = parse_typed(parser, is_integer, "an integer");
  nb_parser_expect(parser, "from");
  operands[1] = parse_pointer(parser);
  nb_parser_expect(parser, "to");
  operands[0] = parse_pointer(parser);
}

static void parse_fills(NbParser *parser, NbToken token) {
  unsigned *operands = parser->row->rule->operands;
  set_kind(parser, token, NB_RULE_FILL);
  operands[1] = parse_typed(parser, is_integer, "an integer");
  nb_parser_expect(parser, "at");
  operands[0] = parse_pointer(parser);
}

static void parse_device(NbParser *parser, NbToken token) {
  NbRule *rule = parser->row->rule;
  rule->device = true;
  if (rule->kind != NB_RULE_ALLOCATE && rule->kind != NB_RULE_COPY && rule->kind != NB_RULE_FILL)
    nb_parser_fail(parser, token, "only what allocates, copies or fills does so on a device");
}

static void parse_throws(NbParser *parser, NbToken token) {
  parse_once(parser, token);
  parser->row->rule->throws = parse_pointer(parser);
}

/* It writes through the pointers that stand for `...`. */
static void parse_scans(NbParser *parser, NbToken token) {
  NbEffect *effect = NB_NEW(parser->arena, NbEffect);
  parser->row->rule->scans = parse_pointer(parser);
  effect->writes = true;
  effect->parameter = NB_NO_PARAMETER;
  nb_list_push(&parser->row->effects, effect);
  if (!parser->row->rule->variadic)
    nb_parser_fail(parser, token, "what scans by a format has '...' behind its parameters");
}

static void parse_returns(NbParser *parser, NbToken token) {
  parser->row->rule->returns = nb_parser_parameter(parser);
  if (parser->row->rule->result == NB_TYPE_VOID)
    nb_parser_fail(parser, token, "'%s' returns nothing", parser->row->rule->name);
}

/* Fails unless each parameter that is a number has exactly one of the ranges. */
static void check_ranges(NbParser *parser, NbToken token, const NbRange *ranges, unsigned count) {
  const NbRule *rule = parser->row->rule;
  for (unsigned i = 0; i < rule->parameter_count; i++) {
    unsigned found = 0;
    for (unsigned k = 0; k < count; k++)
      found += ranges[k].parameter == i;
    if (found != is_number(rule->parameters[i].type))
      nb_parser_fail(parser, token, "'%s' stands here %u times", rule->parameters[i].name, found);
  }
}

/* Tests hand an `int` to a parameter that is an integer. */
static void check_whole(NbParser *parser, NbToken token, const NbRange *range) {
  const double values[] = {range->low, range->high};
  if (range->parameter >= parser->row->rule->parameter_count ||
      !is_integer(parser->row->rule->parameters[range->parameter].type))
    return;
  for (unsigned i = 0; i < 2; i++)
    if (!(values[i] >= INT_MIN && values[i] <= INT_MAX && values[i] == (int)values[i]))
      nb_parser_fail(parser, token, "whole numbers of 32 bits must stand here");
}

static NbRange parse_interval(NbParser *parser) {
  NbRange range = {.parameter = parse_typed(parser, is_number, "a number")};
  NbToken token = parser->token;
  nb_parser_expect(parser, "in");
  nb_parser_expect(parser, "[");
  range.low = nb_parser_number(parser);
  nb_parser_expect(parser, ",");
  range.high = nb_parser_number(parser);
  nb_parser_expect(parser, "]");
  if (!(range.low <= range.high && range.high - range.low <= 1e308))
    nb_parser_fail(parser, token, "an interval is [low, high], both finite");
  check_whole(parser, token, &range);
  return range;
}

/* `x = 0`, or an interval of which the lower end is tested. */
static NbRange parse_value(NbParser *parser) {
  NbLexer ahead = parser->lexer;
  if (nb_token_is(nb_lexer_next(&ahead), "in"))
    return parse_interval(parser);
  NbRange range = {.parameter = parse_typed(parser, is_number, "a number")};
  NbToken token = parser->token;
  nb_parser_expect(parser, "=");
  range.low = range.high = nb_parser_number(parser);
  check_whole(parser, token, &range);
  return range;
}

static unsigned parse_ranges(NbParser *parser, NbToken token, NbRange (*parse)(NbParser *),
                             const NbRange **result) {
  NbRange *ranges = NB_NEW_ARRAY(parser->arena, NbRange, NB_MAX_PARAMETERS);
  unsigned count = 0;
  do {
    if (count == NB_MAX_PARAMETERS)
      nb_parser_fail(parser, parser->token, "more than %d values", NB_MAX_PARAMETERS);
    else
      ranges[count++] = parse(parser);
  } while (nb_parser_accept(parser, ","));
  if (!parser->failed)
    check_ranges(parser, token, ranges, count);
  *result = ranges;
  return count;
}

static void parse_on(NbParser *parser, NbToken token) {
  NbDomain *domain = NB_NEW(parser->arena, NbDomain);
  domain->count = parse_ranges(parser, token, parse_interval, &domain->ranges);
  nb_list_push(&parser->row->domains, domain);
}

static NbTerm parse_promise(NbParser *parser) {
  const NbRule *rule = parser->row->rule;
  NbToken token = parser->token;
  const char *name = nb_parser_name(parser, "a tangent");
  unsigned index = NB_NO_PARAMETER;
  if (*name == 'd')
    index = nb_parser_find_parameter(rule, name + 1, strlen(name + 1));
  if (index == NB_NO_PARAMETER)
    nb_parser_fail(parser, token, "a tangent such as 'dx' is missing here");
  nb_parser_expect(parser, "=");
  double value = nb_parser_number(parser);
  return (NbTerm){index, nb_expr_number(parser, value)};
}

static void parse_at(NbParser *parser, NbToken token) {
  NbPoint *point = NB_NEW(parser->arena, NbPoint);
  NbTerm *terms = NB_NEW_ARRAY(parser->arena, NbTerm, NB_MAX_PARAMETERS);
  point->count = parse_ranges(parser, token, parse_value, &point->ranges);
  point->terms = terms;
  nb_parser_expect(parser, ":");
  do {
    if (point->term_count == NB_MAX_PARAMETERS)
      nb_parser_fail(parser, parser->token, "more than %d values", NB_MAX_PARAMETERS);
    else
      terms[point->term_count++] = parse_promise(parser);
  } while (nb_parser_accept(parser, ","));
  nb_list_push(&parser->row->points, point);
}

static void parse_tested(NbParser *parser, NbToken token) {
  nb_parser_expect(parser, "as");
  NbToken text = parser->token;
  if (text.kind != NB_TOKEN_TEXT)
    nb_parser_fail(parser, token, "'tested as' is followed by C in quotes");
  parser->row->rule->tested_as = nb_arena_copy(parser->arena, text.start, text.length);
  nb_parser_advance(parser);
}

static const Clause clauses[] = {
    {":", parse_tangent},
    {"let", parse_let},
    {"inactive", parse_inactive},
    {"device", parse_device},
    {"mirror", parse_mirror},
    {"once", parse_once},
    {"reports", parse_reports},
    {"thrown", parse_thrown},
    {"throws", parse_throws},
    {"noreturn", parse_noreturn},
    {"held", parse_held},
    {"costs", parse_costs},
    {"libm", parse_libm},
    {"complex", parse_complex},
    {"also", parse_also},
    {"instruction", parse_instruction},
    {"of", parse_of},
    {"intrinsic", parse_intrinsic},
    {"reads", parse_reads},
    {"writes", parse_writes},
    {"scans", parse_scans},
    {"allocates", parse_allocates},
    {"frees", parse_frees},
    {"resizes", parse_resizes},
    {"copies", parse_copies},
    {"fills", parse_fills},
    {"returns", parse_returns},
    {"on", parse_on},
    {"at", parse_at},
    {"tested", parse_tested},
};

static const Clause *clause_here(const NbParser *parser) {
  for (unsigned i = 0; i < sizeof clauses / sizeof *clauses; i++)
    if (nb_parser_at(parser, clauses[i].word))
      return &clauses[i];
  return NULL;
}

static NbFormat format_of(const NbRule *rule) {
  if (rule->libm)
    return NB_FORMAT_DOUBLE;
  bool is_double = rule->result == NB_TYPE_DOUBLE, is_float = rule->result == NB_TYPE_FLOAT;
  for (unsigned i = 0; i < rule->parameter_count; i++) {
    is_double = is_double || rule->parameters[i].type == NB_TYPE_DOUBLE;
    is_float = is_float || rule->parameters[i].type == NB_TYPE_FLOAT;
  }
  if (is_double == is_float)
    return NB_FORMAT_ANY;
  return is_double ? NB_FORMAT_DOUBLE : NB_FORMAT_FLOAT;
}

static void name_of_libm(NbParser *parser, NbRule *rule) {
  rule->float_name = nb_arena_print(parser->arena, "%sf", rule->name);
  rule->long_name = nb_arena_print(parser->arena, "%sl", rule->name);
}

static void name_formats(NbParser *parser, NbRule *rule) {
  rule->format = format_of(rule);
  if (!rule->intrinsic && !rule->instruction && !strncmp(rule->name, "llvm.", 5))
    rule->intrinsic = rule->name;
  if (rule->libm)
    name_of_libm(parser, rule);
  else if (rule->format == NB_FORMAT_FLOAT)
    rule->float_name = rule->name;
}

/* The items of the list, of `size` bytes each, one after the other. */
static void *flattened(NbParser *parser, const NbList *list, size_t size) {
  char *items = nb_arena_alloc(parser->arena, size * list->count + 1);
  for (unsigned i = 0; i < list->count; i++)
    memcpy(items + i * size, list->items[i], size);
  return items;
}

static bool is_pole(const NbPoint *point) {
  bool infinite = false;
  for (unsigned i = 0; i < point->term_count; i++)
    infinite = infinite || isinf(point->terms[i].coefficient->number);
  return infinite;
}

static void find_poles(NbParser *parser, NbRule *rule) {
  NbDomain *poles = NB_NEW_ARRAY(parser->arena, NbDomain, rule->point_count + 1);
  for (unsigned i = 0; i < rule->point_count; i++)
    if (is_pole(&rule->points[i]))
      poles[rule->pole_count++] = (NbDomain){rule->points[i].count, rule->points[i].ranges};
  rule->poles = poles;
}

static void take_lists(NbParser *parser, NbRow *row) {
  NbRule *rule = row->rule;
  rule->effect_count = row->effects.count;
  rule->effects = flattened(parser, &row->effects, sizeof(NbEffect));
  rule->domain_count = row->domains.count;
  rule->domains = flattened(parser, &row->domains, sizeof(NbDomain));
  rule->point_count = row->points.count;
  rule->points = flattened(parser, &row->points, sizeof(NbPoint));
  find_poles(parser, rule);
  rule->alias_count = row->aliases.count;
  rule->aliases = (const char *const *)row->aliases.items;
}

static bool manages_memory(const NbRule *rule) {
  return rule->kind == NB_RULE_ALLOCATE || rule->kind == NB_RULE_FREE ||
         rule->kind == NB_RULE_RESIZE || rule->kind == NB_RULE_COPY || rule->kind == NB_RULE_FILL;
}

/* What runs on shadows, too, finds neither integers nor other pointers there than are seen to be
 * stored. */
static bool is_for_shadows(const NbRule *rule) {
  bool plain = rule->result != NB_TYPE_POINTER || rule->returns != NB_NO_PARAMETER;
  for (unsigned i = 0; i < rule->effect_count; i++) {
    const NbEffect *effect = &rule->effects[i];
    plain &= !effect->writes || effect->type == NB_TYPE_INT ||
             (is_real(effect->type) && effect->parameter != NB_NO_PARAMETER);
  }
  return plain;
}

static bool takes_any(const NbRule *rule) {
  bool takes = rule->result == NB_TYPE_ANY;
  for (unsigned i = 0; i < rule->parameter_count; i++)
    takes |= rule->parameters[i].type == NB_TYPE_ANY;
  return takes;
}

static void check_row(NbParser *parser, NbToken place) {
  const NbRow *row = parser->row;
  const NbRule *rule = row->rule;
  const NbRule *old = nb_rules_find(parser->base, rule->name, strlen(rule->name), NULL);
  if (old && !rule->instruction && manages_memory(old) && rule->kind != old->kind)
    nb_parser_fail(parser, place, "'%s' manages memory: no row can say something else of it",
                   rule->name);
  else if (row->writes_tangent && rule->kind != NB_RULE_TANGENT)
    nb_parser_fail(parser, place, "'%s' writes a tangent, so it is not inactive", rule->name);
  else if (rule->kind != NB_RULE_INACTIVE && takes_any(rule))
    nb_parser_fail(parser, place, "'any' is a type in rows of inactive functions");
  else if (rule->kind == NB_RULE_MIRROR && !is_for_shadows(rule))
    nb_parser_fail(parser, place,
                   "what runs on the shadows, too, writes reals or integers: 'writes real p'");
  else if (old && !rule->instruction && old->intrinsic && !nb_rule_has_shape_of(rule, old))
    nb_parser_fail(parser, place,
                   "'%s' is a function of C's that compilers know, with other parameters or "
                   "another result",
                   rule->name);
  else if (rule->instruction && (rule->libm || rule->intrinsic || row->aliases.count))
    nb_parser_fail(parser, place, "an instruction has one name");
}

static const NbRule *row_replaced(const NbParser *parser, const NbRule *rule, NbFormat *format) {
  const NbRule *old = nb_rules_find(parser->base, rule->name, strlen(rule->name), format);
  return old && nb_rule_has_shape_of(rule, old) ? old : NULL;
}

/* A row about reals of any format that stands in the place of another has its names, in every
 * format: `sin`; or in one: `sinf`. */
static void adopt_names(NbParser *parser, NbRule *rule) {
  NbFormat format;
  const NbRule *old = row_replaced(parser, rule, &format);
  const char *spelling = old && old->libm ? nb_rule_spelling(old, format) : NULL;
  if (!spelling || strcmp(spelling, rule->name) || rule->format != NB_FORMAT_ANY)
    return;
  rule->format = format;
  rule->float_name = format == NB_FORMAT_FLOAT ? rule->name : NULL;
  rule->long_name = format == NB_FORMAT_LONG ? rule->name : NULL;
  if (format != old->format)
    return;
  rule->libm = rule->adopted = true;
  name_of_libm(parser, rule);
  rule->adopted_intrinsic = !rule->intrinsic && old->intrinsic;
  rule->intrinsic = rule->intrinsic ? rule->intrinsic : old->intrinsic;
}

static void finish(NbParser *parser, NbToken place) {
  NbRow *row = parser->row;
  if (!row->has_kind && row->writes_tangent)
    row->rule->kind = NB_RULE_TANGENT;
  name_formats(parser, row->rule);
  adopt_names(parser, row->rule);
  take_lists(parser, row);
  check_row(parser, place);
}

/* The row that this one is like is finished, for it stands above. */
static void finish_like(NbParser *parser, NbToken place) {
  NbRow *row = parser->row;
  NbRule *rule = row->rule, copy = *rule->like;
  copy.name = rule->name;
  copy.file = rule->file;
  copy.line = rule->line;
  copy.like = rule->like;
  copy.libm = copy.libm && !row->like_format;
  if (copy.libm)
    name_of_libm(parser, &copy);
  if (row->like_format) {
    bool single = row->like_format == NB_FORMAT_FLOAT;
    copy.format = row->like_format;
    copy.float_name = single ? copy.name : NULL;
    copy.long_name = single ? NULL : copy.name;
    if (!rule->like->libm)
      nb_parser_fail(parser, place, "'%s' has no form in %s", rule->like->name,
                     single ? "float" : "long double");
  }
  *rule = copy;
}

void nb_parse_clauses(NbParser *parser) {
  NbRow *row = parser->row;
  NbToken place = {.line = row->rule->line, .column = 1};
  row->lets = row->effects = row->domains = nb_list(parser->arena);
  row->points = row->aliases = nb_list(parser->arena);
  while (parser->token.kind != NB_TOKEN_END && !parser->token.starts_row) {
    const Clause *clause = row->rule->like ? NULL : clause_here(parser);
    NbToken token = parser->token;
    nb_parser_advance(parser);
    if (clause)
      clause->parse(parser, token);
    else
      nb_parser_fail(parser, token, "'%.*s' is not understood here", (int)token.length,
                     token.start);
  }
  if (row->rule->like && nb_parser_is_broken(parser, row->rule->like))
    nb_parser_give_up(parser);
  if (parser->failed)
    return;
  if (row->rule->like)
    finish_like(parser, place);
  else
    finish(parser, place);
}
