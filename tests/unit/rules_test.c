// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The rule language: what it reads, what it refuses and where, and who finds which row. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "rules/rules.h"

static const NbRules *parse(NbArena *arena, const char *text, NbRuleError *error) {
  *error = (NbRuleError){0};
  return nb_rules_parse(arena, "t.rules", text, strlen(text), nb_rules_builtin(), error);
}

static const NbRule *find(const NbRules *rules, const char *name, NbFormat *format) {
  return nb_rules_find(rules, name, strlen(name), format);
}

/* The expression as text, fully bracketed. */
static const char *shown(NbArena *arena, const NbRule *rule, const NbExpr *expr) {
  static const char *const signs[] = {
      [NB_EXPR_NEGATE] = "-",   [NB_EXPR_ADD] = "+",        [NB_EXPR_SUBTRACT] = "-",
      [NB_EXPR_MULTIPLY] = "*", [NB_EXPR_DIVIDE] = "/",     [NB_EXPR_LESS] = "<",
      [NB_EXPR_GREATER] = ">",  [NB_EXPR_EQUAL] = "==",     [NB_EXPR_NOT_EQUAL] = "!=",
      [NB_EXPR_AND] = "&&",     [NB_EXPR_OR] = "||",        [NB_EXPR_NOT] = "!",
      [NB_EXPR_CONVERT] = "~",  [NB_EXPR_LESS_EQUAL] = "<="};
  const char *parts[3] = {"", "", ""};
  for (unsigned i = 0; i < expr->count && i < 3; i++)
    parts[i] = shown(arena, rule, expr->operands[i]);
  switch (expr->kind) {
  case NB_EXPR_NUMBER:
    return nb_arena_print(arena, "%g", expr->number);
  case NB_EXPR_PARAMETER:
    return rule->parameters[expr->index].name;
  case NB_EXPR_RESULT:
    return nb_arena_print(arena, "@%u", expr->index);
  case NB_EXPR_CALL:
    return nb_arena_print(arena, "%s(%s%s%s)", expr->text, parts[0], expr->count > 1 ? "," : "",
                          parts[1]);
  case NB_EXPR_CHOOSE:
    return nb_arena_print(arena, "(%s?%s:%s)", parts[0], parts[1], parts[2]);
  default:
    return expr->count == 1
               ? nb_arena_print(arena, "%s%s", signs[expr->kind], parts[0])
               : nb_arena_print(arena, "(%s%s%s)", parts[0], signs[expr->kind], parts[1]);
  }
}

static const char *shown_terms(NbArena *arena, const NbRule *rule) {
  const char *text = "";
  for (unsigned i = 0; i < rule->term_count; i++)
    text = nb_arena_print(arena, "%s%s%s:%s", text, i ? " " : "",
                          rule->parameters[rule->terms[i].parameter].name,
                          shown(arena, rule, rule->terms[i].coefficient));
  return text;
}

static void splits_tangents(void **state) {
  static const char *const rows[][2] = {
      {"f(x, y) : y * dx + x * dy", "x:y y:x"},
      {"f(x, y) = z : dx / y - z / y * dy", "x:(1/y) y:-(@0/y)"},
      {"f(x) : x > 0 ? dx : -2 * dx", "x:((x>0)?1:-2)"},
      {"f(x, y) : x <= y || y != y ? dx : dy", "x:(((x<=y)||(y!=y))?1:0) y:(((x<=y)||(y!=y))?0:1)"},
      {"f(x) : -(dx - 3 * dx)", "x:-(1-3)"},
      {"f(x) : 0", ""},
      {"f(x, y) : x * (dx + dy) * y", "x:(x*y) y:(x*y)"},
      {"f(x, int n) : n * pow(x, n - 1) * dx", "x:(~n*pow(x,(~n-1)))"},
      {"f(x, int n) : llvm.powi(x, n - 1) * dx", "x:llvm.powi(x,(n-1))"},
      {"f(x) let a = x * x : a / (a + 1) * dx", "x:((x*x)/((x*x)+1))"},
      {"f(x) : 1 / 2 * dx", "x:(1/2)"},
      {"f(x) :\n  cos(x) # a comment\n  * dx", "x:cos(x)"},
  };
  (void)state;
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
    NbArena *arena = nb_arena_new();
    NbRuleError error;
    const NbRules *rules = parse(arena, rows[i][0], &error);
    if (!rules)
      print_error("%s: %s\n", rows[i][0], error.message);
    assert_non_null(rules);
    assert_string_equal(shown_terms(arena, nb_rules_at(rules, 0)), rows[i][1]);
    nb_arena_free(arena);
  }
}

typedef struct Refusal {
  const char *text;
  unsigned line, column;
  const char *message; /* a part of it */
} Refusal;

static const Refusal refusals[] = {
    {"f(x) : dx * dx", 1, 0, "a tangent times a tangent"},
    {"f(x) : x / dx", 1, 0, "division by a tangent"},
    {"f(x) : sin(dx)", 1, 8, "inside of a function"},
    {"f(x) : dx + 1", 1, 0, "no tangent in it"},
    {"f(x) : x", 1, 0, "no tangent in it"},
    {"f(x) : dx > 0 ? dx : 0", 1, 0, "condition on a tangent"},
    {"f(x) : dz", 1, 8, "nothing is called 'dz'"},
    {"g(x) : dx\n\nf(x) : (x * dx", 3, 0, "')' is missing"},
    {"f(x) : g(x) * dx", 1, 8, "no row for 'g'"},
    {"f(x) : sin(x, x) * dx", 1, 13, "')' is missing"},
    {"f(x) : sinf(x) * dx", 1, 8, "call it 'sin'"},
    {"f(x) : malloc(x) * dx", 1, 8, "not a function from numbers"},
    {"f(x) : rand() * dx", 1, 8, "acts on the world"},
    {"f(x) : dx : dx", 1, 11, "already says"},
    {"f(x) inactive : dx", 1, 15, "already says"},
    {"f(any x, y) : dy", 1, 0, "'any' is a type in rows of inactive functions"},
    {"f(any x, y) : x * dy", 1, 15, "no value in an expression"},
    {"f(any x, y) : dx", 1, 15, "not a real"},
    {"void f(any x, ptr p) inactive writes any p", 1, 42, "without one"},
    {"any g(x) inactive\nf(x) : g(x) * dx", 2, 8, "not a function from numbers"},
    {"f(x, x) : dx", 1, 6, "already means"},
    {"f(x, dx) : dx", 1, 6, "already means"},
    {"f(int n) : dn", 1, 12, "not a real"},
    {"f(ptr p) : p", 1, 12, "no value"},
    {"int f(x) : dx", 1, 10, "only a real result"},
    {"f(x) let a = dx : a", 1, 14, "only behind ':'"},
    {"f(x) : dx on x in [2, 1]", 1, 16, "interval"},
    {"f(x, int n) : dx on x in [1, 2], n in [0, 3e9]", 1, 36, "whole numbers"},
    {"f(x, int n) : dx at x = 0, n = 0.5 : dx = 1", 1, 30, "whole numbers"},
    {"f(x, y) : dx on x in [1, 2]", 1, 14, "'y' stands here 0 times"},
    {"f(x) : dx\nf(x) : dx", 2, 1, "two rows for 'f'"},
    {"malloc(int n) : 0", 1, 1, "manages memory"},
    {"ptr malloc(int n) inactive", 1, 1, "manages memory"},
    {"void link(ptr a, ptr b) mirror writes ptr a", 1, 1, "writes reals or integers"},
    {"ptr next(ptr a) mirror reads a", 1, 1, "writes reals or integers"},
    {"f(x, int n, ptr p) : dx writes real p[n] : dx", 1, 32, "one real has a tangent"},
    {"f(x) : x * dx * dx on x in [1, 2]", 1, 15, "a tangent times a tangent"},
    {"f(x, y) : x < y ? dx : y\n  on x in [1, 2]", 1, 24, "has no tangent in it"},
    {"f(x) : dx device", 1, 11, "does so on a device"},
    {"f(x) : dx foo", 1, 11, "'foo' is not understood"},
    {"f(x) : dx @", 1, 11, "a character"},
    {"f(x) : dx \"abc", 1, 11, "a character"},
    {"  f(x) : dx", 1, 3, "first column"},
    {"f like nothing", 1, 8, "no row for 'nothing'"},
    {"f(x) : x && x ? dx : 0", 1, 0, "comparison"},
    {"f(x) : llvm.powi(x, x) * dx", 1, 0, "integer"},
    {"f(x, ptr p) inactive writes real p : dx", 1, 1, "not inactive"},
    {"f(x) intrinsic sin : dx", 1, 6, "begins with 'llvm.'"},
    {"names \"my_\"", 1, 7, "a pattern has one '*'"},
    {"names \"*-\"", 1, 7, "a pattern has one '*'"},
    {"names \"my_*\" in int", 1, 17, "'double' is missing"},
    {"names \"my_*\" : dx", 1, 14, "':' is not understood"},
};

static void refuses_with_place(void **state) {
  (void)state;
  for (unsigned i = 0; i < sizeof refusals / sizeof *refusals; i++) {
    const Refusal *refusal = &refusals[i];
    NbArena *arena = nb_arena_new();
    NbRuleError error;
    assert_null(parse(arena, refusal->text, &error));
    if (!strstr(error.message, refusal->message) || error.line != refusal->line)
      print_error("%s -> %u:%u %s\n", refusal->text, error.line, error.column, error.message);
    assert_non_null(strstr(error.message, refusal->message));
    assert_string_equal(error.file, "t.rules");
    assert_int_equal(error.line, refusal->line);
    if (refusal->column)
      assert_int_equal(error.column, refusal->column);
    nb_arena_free(arena);
  }
}

static void refuses_a_missing_file(void **state) {
  (void)state;
  NbArena *arena = nb_arena_new();
  NbRuleError error;
  assert_null(nb_rules_load(arena, "/nowhere/f.rules", NULL, &error));
  assert_string_equal(error.file, "/nowhere/f.rules");
  assert_non_null(strstr(error.message, "cannot read"));
  nb_arena_free(arena);
}

static void bounds_depth_and_size(void **state) {
  (void)state;
  static char text[1 << 20];
  static const char *const repeated[] = {"(", "-", "!", "x+", "x?", "x ? x : ", "sin("};
  for (unsigned i = 0; i < sizeof repeated / sizeof *repeated; i++) {
    NbArena *arena = nb_arena_new();
    NbRuleError error;
    int at = sprintf(text, "f(x) : ");
    while (at + 20 < (int)sizeof text)
      at += sprintf(text + at, "%s", repeated[i]);
    assert_null(parse(arena, text, &error));
    nb_arena_free(arena);
  }
}

static void bounds_shared_values(void **state) {
  (void)state;
  char text[4096];
  NbArena *arena = nb_arena_new();
  NbRuleError error;
  int at = sprintf(text, "f(x) let a0 = x * x");
  for (int i = 1; i < 60; i++)
    at += sprintf(text + at, " let a%d = a%d * a%d", i, i - 1, i - 1);
  sprintf(text + at, " : a59 * dx");
  assert_null(parse(arena, text, &error));
  assert_non_null(strstr(error.message, "too large"));
  nb_arena_free(arena);
}

typedef struct Lookup {
  const char *name, *rule;
  NbFormat format;
} Lookup;

static const Lookup lookups[] = {
    {"sin", "sin", NB_FORMAT_DOUBLE},
    {"sinf", "sin", NB_FORMAT_FLOAT},
    {"sinl", "sin", NB_FORMAT_LONG},
    {"__sin_finite", "sin", NB_FORMAT_DOUBLE},
    {"__sinf_finite", "sin", NB_FORMAT_FLOAT},
    {"llvm.sin.f64", "sin", NB_FORMAT_DOUBLE},
    {"llvm.sin.f32", "sin", NB_FORMAT_FLOAT},
    {"llvm.sin.v4f64", "sin", NB_FORMAT_DOUBLE},
    {"llvm.sin.nxv2f32", "sin", NB_FORMAT_FLOAT},
    {"llvm.sin.f80", "sin", NB_FORMAT_LONG},
    {"llvm.sin.f128", "sin", NB_FORMAT_ANY},
    {"cexpf", "cexp", NB_FORMAT_FLOAT},
    {"cpowl", "cpow", NB_FORMAT_LONG},
    {"llvm.sin", "sin", NB_FORMAT_ANY},
    {"llvm.powi.f64.i32", "llvm.powi", NB_FORMAT_DOUBLE},
    {"llvm.ldexp.f32.i32", "ldexp", NB_FORMAT_FLOAT},
    {"llvm.fmuladd.f64", "llvm.fmuladd", NB_FORMAT_DOUBLE},
    {"llvm.minnum.f32", "fmin", NB_FORMAT_FLOAT},
    {"llvm.memcpy.p0.p0.i64", "llvm.memcpy", NB_FORMAT_ANY},
    {"llvm.lifetime.start.p0", "llvm.lifetime.start", NB_FORMAT_ANY},
    {"drem", "drem", NB_FORMAT_DOUBLE},
    {"dremf", "drem", NB_FORMAT_FLOAT},
    {"printf", "printf", NB_FORMAT_ANY},
    {"__nv_sin", "sin", NB_FORMAT_DOUBLE},
    {"__nv_powf", "pow", NB_FORMAT_FLOAT},
    {"__ocml_exp2_f32", "exp2", NB_FORMAT_FLOAT},
    {"__nv_fast_sinf", "sin", NB_FORMAT_FLOAT},
    {"__ocml_native_exp_f64", "exp", NB_FORMAT_DOUBLE},
    {"_ZGVdN8vv_powf", "pow", NB_FORMAT_FLOAT},
    {"_ZGVbN2v___exp_finite", "exp", NB_FORMAT_DOUBLE},
    {"_ZGVdN8vv___powf_finite", "pow", NB_FORMAT_FLOAT},
    {"__gammaf_r_finite", "__gammaf_r_finite", NB_FORMAT_ANY},
    {"__svml_exp2", "exp", NB_FORMAT_DOUBLE},
    {"__svml_exp22", "exp2", NB_FORMAT_DOUBLE},
    {"__svml_log1016_ha", "log10", NB_FORMAT_DOUBLE},
    {"Sleef_sind4_u10avx2", "sin", NB_FORMAT_DOUBLE},
    {"Sleef_powf8_u35", "pow", NB_FORMAT_FLOAT},
};

typedef struct Lanes {
  const char *name;
  unsigned lanes;
} Lanes;

#define EIGENS_EXP "_ZN5Eigen8internal11pexp_doubleIDv4_dEET_S3_"

static bool holds(const char *name) {
  return nb_rules_hold(nb_rules_builtin(), name, strlen(name));
}

static void holds_what_rows_and_patterns_say(void **state) {
  (void)state;
  assert_int_equal(nb_rules_lanes(nb_rules_builtin(), EIGENS_EXP, strlen(EIGENS_EXP)), 4);
  assert_true(holds(EIGENS_EXP));
  assert_true(holds("_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE10_M_disposeEv"));
  assert_false(holds("exp"));
  assert_false(holds("_ZGVdN4v_exp"));
  assert_false(holds("nothing"));
}

static void knows_lanes(void **state) {
  (void)state;
  static const Lanes lanes[] = {{"sin", 0},          {"__nv_sin", 0},     {"nothing", 0},
                                {"_ZGVdN4v_sin", 4}, {"__svml_exp28", 8}, {"Sleef_sinf16_u10", 16}};
  for (unsigned i = 0; i < sizeof lanes / sizeof *lanes; i++) {
    const char *name = lanes[i].name;
    assert_int_equal(nb_rules_lanes(nb_rules_builtin(), name, strlen(name)), lanes[i].lanes);
  }
}

/* Patterns of the user's find the user's rows too. */
static void takes_patterns(void **state) {
  (void)state;
  NbArena *arena = nb_arena_new();
  NbRuleError error;
  const NbRules *rules = parse(arena, "names \"my_*_#\" in float\nbox(x) libm : dx\n", &error);
  assert_non_null(rules);
  NbFormat format;
  assert_string_equal(find(rules, "my_box_4", &format)->name, "box");
  assert_int_equal(format, NB_FORMAT_FLOAT);
  assert_string_equal(find(rules, "my_cos_2", NULL)->name, "cos");
  static const char *const others[] = {"my_cos", "my_cos_", "my_cos_3", "my_cosf_4", "my_free_2"};
  for (unsigned i = 0; i < sizeof others / sizeof *others; i++)
    assert_null(find(rules, others[i], NULL));
  nb_arena_free(arena);
}

static void finds_every_spelling(void **state) {
  (void)state;
  for (unsigned i = 0; i < sizeof lookups / sizeof *lookups; i++) {
    NbFormat format;
    const NbRule *rule = find(nb_rules_builtin(), lookups[i].name, &format);
    if (!rule)
      print_error("%s\n", lookups[i].name);
    assert_non_null(rule);
    assert_string_equal(rule->name, lookups[i].rule);
    assert_int_equal(format, lookups[i].format);
  }
}

static void finds_nothing_else(void **state) {
  (void)state;
  static const char *const names[] = {"",
                                      "si",
                                      "sinff",
                                      "sinq",
                                      "%fmul",
                                      "llvm.sin.foo",
                                      "llvm.",
                                      "llvm",
                                      "llvm.sinh.x",
                                      "llvm.memcpyx.p0",
                                      "_sin_finite",
                                      "sin.f64",
                                      "__nv_",
                                      "__nv_malloc",
                                      "__nv_csin",
                                      "__svml_exp3",
                                      "__svml_sin",
                                      "__nv___sin_finite"};
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    assert_null(find(nb_rules_builtin(), names[i], NULL));
  assert_null(nb_rules_find_instruction(nb_rules_builtin(), "sin"));
  const NbRule *product = nb_rules_find_instruction(nb_rules_builtin(), "fmul");
  assert_non_null(product);
  assert_int_equal(product->term_count, 2);
}

/* Every built-in row is found under the names that it says it has. */
static void finds_each_row_by_its_names(void **state) {
  (void)state;
  const NbRules *rules = nb_rules_builtin();
  for (unsigned i = 0; i < nb_rules_count(rules); i++) {
    const NbRule *rule = nb_rules_at(rules, i);
    const char *names[] = {nb_rule_spelling(rule, NB_FORMAT_DOUBLE),
                           nb_rule_spelling(rule, NB_FORMAT_FLOAT), nb_rule_intrinsic(rule)};
    for (unsigned k = 0; k < 3; k++)
      if (names[k] && !(k == 2 && rule->like))
        assert_ptr_equal(find(rules, names[k], NULL), rule);
    if (rule->instruction)
      assert_ptr_equal(nb_rules_find_instruction(rules, rule->name), rule);
  }
}

static void overrides_the_built_in(void **state) {
  (void)state;
  NbArena *arena = nb_arena_new();
  NbRuleError error;
  const NbRules *rules = parse(arena, "sin(x) : 2 * dx\nmine like cosf\nours like exp", &error);
  assert_non_null(rules);
  const NbRule *own = find(rules, "sin", NULL);
  assert_string_equal(shown_terms(arena, own), "x:2");
  assert_string_equal(own->file, "t.rules");
  assert_ptr_equal(find(rules, "cos", NULL), find(nb_rules_builtin(), "cos", NULL));
  NbFormat format;
  const NbRule *mine = find(rules, "mine", &format);
  assert_int_equal(format, NB_FORMAT_FLOAT);
  assert_null(nb_rule_spelling(mine, NB_FORMAT_DOUBLE));
  assert_string_equal(nb_rule_spelling(mine, NB_FORMAT_FLOAT), "mine");
  assert_non_null(find(rules, "oursf", NULL));
  assert_ptr_equal(nb_rules_base(rules), nb_rules_builtin());
  nb_arena_free(arena);
}

/* A row stands for its function under all names of that, but those that have rows themselves. */
static void replaces_every_spelling(void **state) {
  (void)state;
  static const char *const names[] = {
      "sin",           "sinf",         "sinl",           "__sin_finite",
      "__sinf_finite", "llvm.sin.f64", "llvm.sin.v4f32", "llvm.sin.f128",
      "__nv_sinf",     "_ZGVdN4v_sin", "__ocml_sin_f32", "llvm.experimental.constrained.sin.f64"};
  static const char *const others[] = {
      "exp",      "llvm.exp.f64",     "__nv_exp", "llvm.minnum.f64", "llvm.minimum.f64",
      "fminimum", "llvm.fmuladd.f64", "pow10"};
  NbArena *arena = nb_arena_new();
  NbRuleError error;
  const char text[] =
      "sin(x) : 2 * dx\nexpf(x) : 3 * dx\nfloat cosf(float x) : 4 * dx\n"
      "fma(x, y, z) : dx\nfminimum_num(x, y) : dx\nexp10(x) : dx\ncbrt(x, y) : dx\n";
  const NbRules *rules = parse(arena, text, &error);
  assert_non_null(rules);
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    assert_ptr_equal(find(rules, names[i], NULL), find(rules, "sin", NULL));
  for (unsigned i = 0; i < sizeof others / sizeof *others; i++)
    assert_ptr_equal(find(rules, others[i], NULL), find(nb_rules_builtin(), others[i], NULL));
  assert_ptr_equal(find(rules, "llvm.exp.f32", NULL), find(rules, "expf", NULL));
  assert_ptr_equal(find(rules, "__ocml_exp_f32", NULL), find(rules, "expf", NULL));
  assert_ptr_equal(find(rules, "llvm.cos.v8f32", NULL), find(rules, "cosf", NULL));
  assert_string_equal(find(rules, "llvm.cos.f64", NULL)->file,
                      find(nb_rules_builtin(), "cos", NULL)->file);
  assert_ptr_equal(find(rules, "llvm.minimumnum.f64", NULL), find(rules, "fminimum_num", NULL));
  assert_ptr_not_equal(find(rules, "__nv_cbrt", NULL), find(rules, "cbrt", NULL));
  assert_null(parse(arena, "cosh(x, y) : dx\n", &error));
  nb_arena_free(arena);
}

static void knows_memory(void **state) {
  (void)state;
  const NbRule *rule = find(nb_rules_builtin(), "calloc", NULL);
  assert_int_equal(rule->kind, NB_RULE_ALLOCATE);
  assert_true(rule->zeroed);
  assert_string_equal(rule->partner->name, "free");
  rule = find(nb_rules_builtin(), "memcpy", NULL);
  assert_int_equal(rule->kind, NB_RULE_COPY);
  assert_int_equal(rule->operands[0], 0);
  assert_int_equal(rule->operands[1], 1);
  assert_int_equal(rule->operands[2], 2);
  assert_int_equal(rule->returns, 0);
  assert_false(rule->device);
  assert_true(find(nb_rules_builtin(), "cudaMemcpyAsync", NULL)->device);
  rule = find(nb_rules_builtin(), "frexp", NULL);
  assert_int_equal(rule->effect_count, 1);
  assert_true(rule->effects[0].writes);
  assert_int_equal(rule->effects[0].type, NB_TYPE_INT);
  rule = find(nb_rules_builtin(), "llvm.modf.f64", NULL);
  assert_int_equal(rule->kind, NB_RULE_STRUCT);
  assert_int_equal(rule->member_count, 2);
  assert_int_equal(rule->members[0].term_count, 1);
  assert_int_equal(rule->members[1].term_count, 0);
}

static const char seed_text[] =
    "# rows of all kinds\n"
    "sin(x) libm intrinsic llvm.sin : cos(x) * dx on x in [-7, 7]\n"
    "cos(x) libm : -sin(x) * dx at x = 0 : dx = 0\n"
    "f(x, y, int n) = z let r = x * y\n"
    "  : (x > 0 && !(y < 1) ? r / z : n) * dx + (y == 0 ? 0 : -1.5e3) * dy\n"
    "  on x in [0.1, 4], y in [-3, 3], n in [1, 2]\n"
    "g like f\n"
    "g2(x, ptr p) : dx writes real p : 3 * dx reads p[2 * 3] tested as \"g2(x)\"\n"
    "{real, int} h(x) = {a, b} : {a * dx, 0}\n"
    "ptr new_(int n) allocates 8 * n zeroed freed by old_\n"
    "void old_(ptr p) frees p\n"
    "void cp(ptr a, ptr b, int n) copies n from b to a also cp2, cp3\n"
    "int say(ptr t, ...) inactive once reads t\n";

static unsigned next(unsigned *state) { return *state = *state * 1664525u + 1013904223u; }

static void mutate(char *text, size_t *length, unsigned *state) {
  static const char letters[] = "()[]{},:=?+-*/<>!&|.#\" \n\tdxyzn01e9_f\0\377";
  size_t at = (next(state) >> 8) % *length, span = 1 + (next(state) >> 8) % 9;
  size_t other = (next(state) >> 8) % *length;
  span = at + span > *length ? *length - at : span;
  switch ((next(state) >> 8) % 3) {
  case 0:
    text[at] = letters[(next(state) >> 8) % (sizeof letters - 1)];
    return;
  case 1:
    memmove(text + at, text + at + span, *length - at - span);
    *length -= *length > span ? span : 0;
    return;
  default:
    span = other + span > *length ? *length - other : span;
    memmove(text + at, text + other, span);
  }
}

static void survives_mutations(void **state) {
  (void)state;
  unsigned random = 20240229, taken = 0;
  for (unsigned i = 0; i < 8000; i++) {
    char text[sizeof seed_text];
    size_t length = sizeof seed_text - 1;
    memcpy(text, seed_text, sizeof text);
    for (unsigned k = i ? 1 + (next(&random) >> 8) % 6 : 0; k; k--)
      mutate(text, &length, &random);
    NbArena *arena = nb_arena_new();
    NbRuleError error = {0};
    const NbRules *rules =
        nb_rules_parse(arena, "m.rules", text, length, i % 2 ? nb_rules_builtin() : NULL, &error);
    assert_true(rules || (error.message && error.line && error.column));
    assert_true(i || rules);
    taken += rules != NULL;
    nb_arena_free(arena);
  }
  assert_in_range(taken, 100, 7900);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(splits_tangents),
      cmocka_unit_test(refuses_with_place),
      cmocka_unit_test(refuses_a_missing_file),
      cmocka_unit_test(bounds_depth_and_size),
      cmocka_unit_test(bounds_shared_values),
      cmocka_unit_test(finds_every_spelling),
      cmocka_unit_test(knows_lanes),
      cmocka_unit_test(holds_what_rows_and_patterns_say),
      cmocka_unit_test(takes_patterns),
      cmocka_unit_test(finds_nothing_else),
      cmocka_unit_test(finds_each_row_by_its_names),
      cmocka_unit_test(overrides_the_built_in),
      cmocka_unit_test(replaces_every_spelling),
      cmocka_unit_test(knows_memory),
      cmocka_unit_test(survives_mutations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
