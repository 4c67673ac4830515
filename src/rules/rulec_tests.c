// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Tests made from rows. For each row with a tangent, in double, float and long double: the function
 * as C calls it, its twin in long double as reference, its coefficients as C, its derivatives as
 * nabla makes them. tools/ruletest/ruletest.h compares them over the row's domain. */
#include <string.h>

#include "rules/rulec.h"

typedef struct Form {
  const char *type, *suffix; /* of libm and builtins */
  const char *word;
  NbFormat format;
} Form;

static const Form double_form = {"double", "", "double", NB_FORMAT_DOUBLE};
static const Form float_form = {"float", "f", "float", NB_FORMAT_FLOAT};
static const Form long_form = {"long double", "l", "long", NB_FORMAT_LONG};

/* Which output of a function is differentiated: its result, a part of it, or what it writes through
 * a pointer. */
enum { RESULT = -1 };

typedef struct Case {
  FILE *file;
  const NbRule *rule;
  Form form;
  int output;      /* RESULT, or the number of a member, or of an effect */
  unsigned number; /* of the row */
  bool derivatives;
} Case;

static bool is_real(NbType type) {
  return type == NB_TYPE_REAL || type == NB_TYPE_DOUBLE || type == NB_TYPE_FLOAT;
}

bool nb_rulec_is_tested(const NbRule *rule, const char **reason) {
  *reason = NULL;
  unsigned reals = 0;
  for (unsigned i = 0; i < rule->parameter_count; i++)
    reals += is_real(rule->parameters[i].type);
  bool called = rule->kind == NB_RULE_TANGENT || rule->kind == NB_RULE_STRUCT;
  if (!called || !reals)
    *reason = "has no tangent";
  else if (rule->like && !strncmp(rule->name, "__", 2))
    *reason = "only gives another row a name";
  return !*reason;
}

static unsigned slot_of(const NbRule *rule, unsigned parameter) {
  bool real = is_real(rule->parameters[parameter].type);
  unsigned slot = 0;
  for (unsigned i = 0; i < parameter; i++)
    slot += real ? is_real(rule->parameters[i].type) : rule->parameters[i].type == NB_TYPE_INT;
  return slot;
}

static unsigned count_of(const NbRule *rule, bool real) {
  unsigned count = 0;
  for (unsigned i = 0; i < rule->parameter_count; i++)
    count += real ? is_real(rule->parameters[i].type) : rule->parameters[i].type == NB_TYPE_INT;
  return count;
}

static void write_id(const Case *c, const char *what) {
  fprintf(c->file, "t%u_%d_%c_%s", c->number, c->output + 1, *c->form.word, what);
}

static bool is_double_alone(const NbRule *rule) {
  for (unsigned i = 0; i < rule->parameter_count; i++)
    if (rule->parameters[i].type == NB_TYPE_DOUBLE)
      return true;
  return false;
}

/* Functions that are only in one format are their own reference. */
static bool has_forms(const NbRule *rule) {
  bool called = rule->tested_as && !is_double_alone(rule);
  return rule->libm || called || !strncmp(rule->name, "llvm.", 5);
}

static void write_callee(FILE *file, const NbRule *rule, Form form) {
  if (!strncmp(rule->name, "llvm.", 5))
    fprintf(file, "__builtin_%s%s", rule->name + 5, form.suffix);
  else
    fprintf(file, "%s%s", rule->name, rule->libm ? form.suffix : "");
}

static void write_call(const Case *c) {
  const NbRule *rule = c->rule;
  if (rule->tested_as) {
    fputs(rule->tested_as, c->file);
    return;
  }
  write_callee(c->file, rule, c->form);
  fputs("(", c->file);
  for (unsigned i = 0; i < rule->parameter_count; i++)
    fprintf(c->file, "%s%s%s%s%s", i ? ", " : "",
            rule->complex && i % 2 == 0 ? "__builtin_complex(" : "",
            rule->parameters[i].type == NB_TYPE_POINTER ? "&" : "", rule->parameters[i].name,
            rule->complex && i % 2 == 1 ? ")" : "");
  fputs(")", c->file);
}

static bool is_member(const Case *c) { return c->rule->member_count > 0; }

static void write_part(const Case *c, int member) {
  fputs(member ? "__imag__(" : "__real__(", c->file);
  write_call(c);
  fputs(")", c->file);
}

static const char *cell_type(const Case *c, unsigned parameter) {
  for (unsigned i = 0; i < c->rule->effect_count; i++)
    if (c->rule->effects[i].parameter == parameter)
      return c->rule->effects[i].type == NB_TYPE_INT ? "int" : c->form.type;
  return "int";
}

/* The arguments under the names of the parameters, which may be any but those with nb_. */
static void write_locals(const Case *c) {
  for (unsigned i = 0; i < c->rule->parameter_count; i++) {
    const NbParameter *parameter = &c->rule->parameters[i];
    unsigned slot = slot_of(c->rule, i);
    if (is_real(parameter->type))
      fprintf(c->file, "  const %s %s = nb_v[%u];\n", c->form.type, parameter->name, slot);
    else if (parameter->type == NB_TYPE_INT)
      fprintf(c->file, "  const int %s = nb_k[%u];\n", parameter->name, slot);
    else
      fprintf(c->file, "  %s %s = 0;\n", cell_type(c, i), parameter->name);
    fprintf(c->file, "  (void)%s;\n", parameter->name);
  }
  fputs("  (void)nb_k;\n", c->file);
}

static void write_function(const Case *c) {
  fprintf(c->file, "static %s ", c->form.type);
  write_id(c, "function");
  fprintf(c->file, "(const %s *nb_v, const int *nb_k) {\n", c->form.type);
  write_locals(c);
  if (c->output == RESULT || is_member(c)) {
    fputs("  return ", c->file);
    if (is_member(c))
      write_part(c, c->output);
    else
      write_call(c);
    fputs(";\n}\n", c->file);
    return;
  }
  const NbEffect *effect = &c->rule->effects[c->output];
  fputs("  ", c->file);
  write_call(c);
  fprintf(c->file, ";\n  return %s;\n}\n", c->rule->parameters[effect->parameter].name);
}

static const char *operator_of(NbExprKind kind) {
  static const char *const operators[] = {
      [NB_EXPR_NEGATE] = "-",      [NB_EXPR_ADD] = "+",        [NB_EXPR_SUBTRACT] = "-",
      [NB_EXPR_MULTIPLY] = "*",    [NB_EXPR_DIVIDE] = "/",     [NB_EXPR_LESS] = "<",
      [NB_EXPR_LESS_EQUAL] = "<=", [NB_EXPR_GREATER] = ">",    [NB_EXPR_GREATER_EQUAL] = ">=",
      [NB_EXPR_EQUAL] = "==",      [NB_EXPR_NOT_EQUAL] = "!=", [NB_EXPR_AND] = "&&",
      [NB_EXPR_OR] = "||",         [NB_EXPR_NOT] = "!"};
  return operators[kind];
}

static void write_expression(const Case *c, const NbExpr *expr);

static void write_leaf(const Case *c, const NbExpr *expr) {
  if (expr->kind == NB_EXPR_PARAMETER)
    fputs(c->rule->parameters[expr->index].name, c->file);
  else if (expr->kind == NB_EXPR_RESULT)
    fprintf(c->file, "result_%u", expr->index);
  else if (expr->number - expr->number != 0)
    fputs(expr->number > 0 ? "(NB_REAL)INFINITY" : "(NB_REAL)NAN", c->file);
  else
    fprintf(c->file, expr->type == NB_TYPE_INT ? "%s" : "(NB_REAL)%s", expr->text);
}

static void write_callback(const Case *c, const NbExpr *expr) {
  write_callee(c->file, expr->callee, c->form);
  fputs("(", c->file);
  for (unsigned i = 0; i < expr->count; i++) {
    fputs(i ? ", " : "", c->file);
    write_expression(c, expr->operands[i]);
  }
  fputs(")", c->file);
}

static void write_expression(const Case *c, const NbExpr *expr) {
  const NbExpr *const *operands = expr->operands;
  if (expr->kind == NB_EXPR_CALL) {
    write_callback(c, expr);
    return;
  }
  if (!expr->count) {
    write_leaf(c, expr);
    return;
  }
  fputs(expr->kind == NB_EXPR_CONVERT ? "((NB_REAL)" : "(", c->file);
  if (expr->count == 1 && expr->kind != NB_EXPR_CONVERT)
    fputs(operator_of(expr->kind), c->file);
  write_expression(c, operands[0]);
  for (unsigned i = 1; i < expr->count; i++) {
    bool choice = expr->kind == NB_EXPR_CHOOSE;
    fprintf(c->file, " %s ", !choice ? operator_of(expr->kind) : i == 1 ? "?" : ":");
    write_expression(c, operands[i]);
  }
  fputs(")", c->file);
}

static void write_absolute(const Case *c, const NbExpr *expr) {
  fputs("NB_ABS(", c->file);
  write_expression(c, expr);
  fputs(")", c->file);
}

/* The expression with absolute values in the place of all terms, so that nothing cancels. */
static void write_terms(const Case *c, const NbExpr *expr) {
  const NbExpr *const *operands = expr->operands;
  bool choice = expr->kind == NB_EXPR_CHOOSE, quotient = expr->kind == NB_EXPR_DIVIDE;
  bool product = expr->kind == NB_EXPR_MULTIPLY || quotient;
  bool sum = expr->kind == NB_EXPR_ADD || expr->kind == NB_EXPR_SUBTRACT;
  if (expr->kind == NB_EXPR_NEGATE) {
    write_terms(c, operands[0]);
    return;
  }
  if (expr->type == NB_TYPE_INT || (!choice && !product && !sum)) {
    write_absolute(c, expr);
    return;
  }
  fputs("(", c->file);
  if (choice)
    write_expression(c, operands[0]);
  else
    write_terms(c, operands[0]);
  fputs(choice ? " ? " : sum ? " + " : product && !quotient ? " * " : " / ", c->file);
  if (quotient)
    write_absolute(c, operands[1]);
  else
    write_terms(c, operands[1]);
  if (choice) {
    fputs(" : ", c->file);
    write_terms(c, operands[2]);
  }
  fputs(")", c->file);
}

static const NbTerm *terms_of(const Case *c, unsigned *count) {
  const NbRule *rule = c->rule;
  if (is_member(c)) {
    *count = rule->members[c->output].term_count;
    return rule->members[c->output].terms;
  }
  bool result = c->output == RESULT;
  *count = result ? rule->term_count : rule->effects[c->output].term_count;
  return result ? rule->terms : rule->effects[c->output].terms;
}

/* The primal's results, which formulas may use. */
static void write_results(const Case *c) {
  for (int i = 0; i < (int)c->rule->member_count; i++) {
    fprintf(c->file, "  const NB_REAL result_%d = ", i);
    write_part(c, i);
    fprintf(c->file, ";\n  (void)result_%d;\n", i);
  }
  if (!is_real(c->rule->result))
    return;
  fputs("  const NB_REAL result_0 = ", c->file);
  write_call(c);
  fputs(";\n  (void)result_0;\n", c->file);
}

static void write_formula(const Case *c) {
  const NbRule *rule = c->rule;
  unsigned count;
  const NbTerm *terms = terms_of(c, &count);
  fputs("static void ", c->file);
  write_id(c, "formula");
  fputs("(const double *nb_point, double *nb_out, const int *nb_k) {\n", c->file);
  fprintf(c->file, "  typedef NB_FORMULA(%s) NB_REAL;\n  NB_REAL nb_v[%u];\n", c->form.type,
          count_of(rule, true));
  fprintf(c->file, "  for (int i = 0; i < %u; i++)\n    nb_v[i] = (NB_REAL)nb_point[i];\n",
          count_of(rule, true));
  write_locals(c);
  write_results(c);
  fputs("  (void)nb_out;\n", c->file);
  for (unsigned i = 0; i < count; i++) {
    fprintf(c->file, "  nb_out[%u] = (double)", slot_of(rule, terms[i].parameter));
    write_expression(c, terms[i].coefficient);
    fprintf(c->file, ";\n#ifdef NB_REPORT\n  nb_out[NB_SLOTS + %u] = (double)",
            slot_of(rule, terms[i].parameter));
    write_terms(c, terms[i].coefficient);
    fputs(";\n#endif\n", c->file);
  }
  fputs("}\n", c->file);
}

/* The arguments and their shadows, of which NB_WIDTH asks for a second one. */
static void write_shadows(const Case *c, const char *first, const char *second) {
  unsigned reals = count_of(c->rule, true);
  fprintf(c->file, "  %s v[%u], dv[%u], dw[%u];\n", c->form.type, reals, reals, reals);
  fprintf(c->file, "  for (int i = 0; i < %u; i++) {\n    v[i] = (%s)point[i];\n", reals,
          c->form.type);
  fprintf(c->file, "    dv[i] = (%s)%s;\n    dw[i] = (%s)%s;\n  }\n", c->form.type, first,
          c->form.type, second);
}

/* Of two directions the second is twice the first, and so must its tangent be. */
static void write_tangent(const Case *c) {
  fputs("static double ", c->file);
  write_id(c, "tangent");
  fputs("(const double *point, const double *direction, const int *k) {\n", c->file);
  write_shadows(c, "direction[i]", "(2 * direction[i])");
  fprintf(c->file, "#ifdef NB_WIDTH\n  const NbLanes_%s t = __enzyme_fwddiff_wide_%s((void *)",
          c->form.word, c->form.word);
  write_id(c, "function");
  fputs(", enzyme_width, 2, enzyme_dup, v, dv, dw, enzyme_const, k);\n", c->file);
  fprintf(c->file,
          "  return nb_equal_lanes((double)t.first, (double)t.second / 2);\n"
          "#else\n  (void)dw;\n  return (double)__enzyme_fwddiff_%s((void *)",
          c->form.word);
  write_id(c, "function");
  fputs(", enzyme_dup, v, dv, enzyme_const, k);\n#endif\n}\n", c->file);
}

static void write_adjoint(const Case *c) {
  unsigned reals = count_of(c->rule, true);
  fputs("static void ", c->file);
  write_id(c, "adjoint");
  fputs("(const double *point, double *out, const int *k) {\n", c->file);
  write_shadows(c, "0", "0");
  fprintf(c->file, "#ifdef NB_WIDTH\n  __enzyme_autodiff_%s((void *)", c->form.word);
  write_id(c, "function");
  fputs(", enzyme_width, 2, enzyme_dup, v, dv, dw, enzyme_const, k);\n", c->file);
  fprintf(c->file,
          "  for (int i = 0; i < %u; i++)\n"
          "    out[i] = nb_equal_lanes((double)dv[i], (double)dw[i]);\n"
          "#else\n  (void)dw;\n  __enzyme_autodiff_%s((void *)",
          reals, c->form.word);
  write_id(c, "function");
  fputs(", enzyme_dup, v, dv, enzyme_const, k);\n", c->file);
  fprintf(c->file, "  for (int i = 0; i < %u; i++)\n    out[i] = (double)dv[i];\n#endif\n}\n",
          reals);
}

static double at_slot(const NbRule *rule, unsigned count, const NbRange *ranges, bool real,
                      unsigned slot, bool high) {
  for (unsigned i = 0; i < count; i++) {
    NbType type = rule->parameters[ranges[i].parameter].type;
    if (is_real(type) == real && slot_of(rule, ranges[i].parameter) == slot)
      return high ? ranges[i].high : ranges[i].low;
  }
  return 0;
}

static void write_number(FILE *file, double number) {
  if (number != number)
    fputs("NAN, ", file);
  else if (number - number != 0)
    fputs(number > 0 ? "INFINITY, " : "-INFINITY, ", file);
  else
    fprintf(file, "%.17g, ", number);
}

static void write_values(const Case *c, unsigned count, const NbRange *ranges, bool high) {
  fputs("{", c->file);
  for (unsigned slot = 0; slot < count_of(c->rule, true); slot++)
    write_number(c->file, at_slot(c->rule, count, ranges, true, slot, high));
  fputs("}, {", c->file);
  for (unsigned slot = 0; slot < count_of(c->rule, false); slot++)
    fprintf(c->file, "%d, ", (int)at_slot(c->rule, count, ranges, false, slot, high));
  fputs(count_of(c->rule, false) ? "}, " : "0}, ", c->file);
}

static void write_boxes(const Case *c) {
  fputs("static const NbBox ", c->file);
  write_id(c, "boxes");
  fprintf(c->file, "[%u] = {\n", c->rule->domain_count + 1);
  for (unsigned i = 0; i < c->rule->domain_count; i++) {
    const NbDomain *domain = &c->rule->domains[i];
    fputs("  {", c->file);
    write_values(c, domain->count, domain->ranges, false);
    write_values(c, domain->count, domain->ranges, true);
    fputs("},\n", c->file);
  }
  fputs("};\n", c->file);
}

static void write_promises(const Case *c) {
  fputs("static const NbPromise ", c->file);
  write_id(c, "promises");
  fprintf(c->file, "[%u] = {\n", c->rule->point_count + 1);
  for (unsigned i = 0; i < c->rule->point_count; i++) {
    const NbPoint *point = &c->rule->points[i];
    fputs("  {", c->file);
    write_values(c, point->count, point->ranges, false);
    unsigned mask = 0;
    fputs("{", c->file);
    for (unsigned slot = 0; slot < count_of(c->rule, true); slot++) {
      double value = 0;
      for (unsigned k = 0; k < point->term_count; k++)
        if (slot_of(c->rule, point->terms[k].parameter) == slot) {
          value = point->terms[k].coefficient->number;
          mask |= 1u << slot;
        }
      write_number(c->file, value);
    }
    fprintf(c->file, "}, %u},\n", mask);
  }
  fputs("};\n", c->file);
}

/* A function that exists in one format only is its own reference. */
static void write_reference(const Case *c) {
  unsigned reals = count_of(c->rule, true);
  fputs("static long double ", c->file);
  write_id(c, "reference");
  fprintf(c->file, "(const long double *v, const int *k) {\n  %s x[%u];\n", c->form.type, reals);
  fprintf(c->file, "  for (int i = 0; i < %u; i++)\n    x[i] = (%s)v[i];\n  return ", reals,
          c->form.type);
  write_id(c, "function");
  fputs("(x, k);\n}\n", c->file);
}

static void write_derivative_names(const Case *c) {
  fputs(", ", c->file);
  write_id(c, "tangent");
  fputs(", ", c->file);
  write_id(c, "adjoint");
}

static const char *output_name(const Case *c) {
  if (is_member(c))
    return c->output ? ", imaginary part" : ", real part";
  return c->output == RESULT ? "" : ", what it writes";
}

static void write_entry(const Case *c) {
  const NbRule *rule = c->rule;
  Case twin = *c;
  bool forms = has_forms(rule), result = c->output == RESULT;
  twin.form = forms ? long_form : c->form;
  fputs("  static const NbCase ", c->file);
  write_id(c, "case");
  fprintf(c->file, " = {\"%s%s (%s)\", %u, %u, %d, %d, %u, ", rule->name, output_name(c),
          c->form.type, count_of(rule, true), count_of(rule, false),
          c->form.format == NB_FORMAT_FLOAT, !forms, rule->domain_count);
  write_id(c, "boxes");
  fprintf(c->file, ", %u, ", result ? rule->point_count : 0);
  write_id(c, "promises");
  fputs(", ", c->file);
  write_id(&twin, forms ? "function" : "reference");
  fputs(", ", c->file);
  write_id(c, "formula");
  if (c->derivatives)
    write_derivative_names(c);
  else
    fputs(", 0, 0", c->file);
  fputs("};\n  nb_case_run(&", c->file);
  write_id(c, "case");
  fputs(", &passed, &failed);\n", c->file);
}

static void write_parts(const Case *c) {
  if (c->derivatives || !has_forms(c->rule) || c->form.format == NB_FORMAT_LONG)
    write_function(c);
  write_formula(c);
  write_boxes(c);
  write_promises(c);
  if (!has_forms(c->rule))
    write_reference(c);
  if (!c->derivatives)
    return;
  write_tangent(c);
  write_adjoint(c);
}

/* Calls `write` for every format of the case's function. */
static void each_form(Case c, void (*write)(const Case *)) {
  bool forms = has_forms(c.rule), narrow = c.rule->format == NB_FORMAT_FLOAT;
  c.form = double_form;
  if (forms || !narrow)
    write(&c);
  c.form = float_form;
  if (forms || narrow)
    write(&c);
  c.form = long_form;
  if (forms)
    write(&c);
}

static void each_output(Case c, void (*write)(const Case *)) {
  c.output = RESULT;
  if (is_real(c.rule->result))
    each_form(c, write);
  for (unsigned i = 0; i < c.rule->member_count; i++) {
    c.output = (int)i;
    each_form(c, write);
  }
  for (unsigned i = 0; i < c.rule->effect_count; i++) {
    c.output = (int)i;
    if (c.rule->effects[i].writes && is_real(c.rule->effects[i].type))
      each_form(c, write);
  }
}

/* The declaration of a function that is not of C's library. */
static void write_declaration(FILE *file, const NbRule *rule) {
  const char *type = rule->format == NB_FORMAT_FLOAT ? "float" : "double";
  fprintf(file, "%s %s(", is_real(rule->result) ? type : "void", rule->name);
  for (unsigned i = 0; i < rule->parameter_count; i++) {
    NbType kind = rule->parameters[i].type;
    const char *integer = rule->parameters[i].is_unsigned ? "unsigned" : "int";
    const char *name = kind == NB_TYPE_INT ? integer : kind == NB_TYPE_POINTER ? "void *" : type;
    fprintf(file, "%s%s", i ? ", " : "", name);
  }
  fputs(");\n", file);
}

static const char head[] = "/* Made by nabla-rulec from the rule files. */\n"
                           "#include \"ruletest.h\"\n#undef I\n\n";

static const char entry_points[] =
    "extern int enzyme_dup;\nextern int enzyme_const;\nextern int enzyme_width;\n"
    "typedef struct { double first, second; } NbLanes_double;\n"
    "typedef struct { float first, second; } NbLanes_float;\n"
    "typedef struct { long double first, second; } NbLanes_long;\n"
    "NbLanes_double __enzyme_fwddiff_wide_double(void *, ...);\n"
    "NbLanes_float __enzyme_fwddiff_wide_float(void *, ...);\n"
    "NbLanes_long __enzyme_fwddiff_wide_long(void *, ...);\n"
    "double __enzyme_fwddiff_double(void *, ...);\nfloat __enzyme_fwddiff_float(void *, ...);\n"
    "long double __enzyme_fwddiff_long(void *, ...);\n"
    "void __enzyme_autodiff_double(void *, ...);\nvoid __enzyme_autodiff_float(void *, ...);\n"
    "void __enzyme_autodiff_long(void *, ...);\n\n";

static void each_rule(FILE *file, const NbRules *rules, bool derivatives,
                      void (*write)(const Case *)) {
  const char *reason;
  for (unsigned i = 0; i < rules->count; i++)
    if (nb_rulec_is_tested(rules->rules[i], &reason))
      each_output((Case){file, rules->rules[i], double_form, RESULT, i, derivatives}, write);
}

void nb_rulec_write_tests(FILE *file, const NbRules *rules, bool derivatives) {
  const char *reason;
  fputs(head, file);
  if (derivatives)
    fputs(entry_points, file);
  for (unsigned i = 0; i < rules->count; i++) {
    const NbRule *rule = rules->rules[i];
    bool called = rule->kind == NB_RULE_DECLARED || nb_rulec_is_tested(rule, &reason);
    if (called && !has_forms(rule) && !rule->tested_as)
      write_declaration(file, rule);
  }
  each_rule(file, rules, derivatives, write_parts);
  fputs("int main(void) {\n  unsigned passed = 0, failed = 0;\n", file);
  each_rule(file, rules, derivatives, write_entry);
  fputs("  printf(\"%u passed, %u failed\\n\", passed, failed);\n  return failed != 0;\n}\n", file);
}
