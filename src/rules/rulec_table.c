// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A table of rules as C: one constant for each expression, inner ones first, then the rules, which
 * refer to each other by index. */
#include <math.h>
#include <string.h>

#include "base/map.h"
#include "rules/rulec.h"

typedef struct Writer {
  FILE *file;
  const NbRules *rules;
  NbMap *expressions; /* to their number plus one */
  NbMap *numbers;     /* of rules, plus one */
} Writer;

static void *numbered(unsigned index) { return (void *)(uintptr_t)(index + 1); }

static unsigned number_of(const NbMap *map, const void *key) {
  return (unsigned)(uintptr_t)nb_map_get(map, key) - 1;
}

static void write_number(FILE *file, double number) {
  if (isnan(number))
    fputs("__builtin_nan(\"\")", file);
  else if (isinf(number))
    fputs(number < 0 ? "-__builtin_inf()" : "__builtin_inf()", file);
  else
    fprintf(file, "%.17g", number);
}

static void write_expression(Writer *writer, const NbExpr *expr);

static void write_operands(Writer *writer, const NbExpr *expr) {
  if (!expr->count)
    return;
  fprintf(writer->file, ", .count = %u, .operands = (const NbExpr *const[]){", expr->count);
  for (unsigned i = 0; i < expr->count; i++)
    fprintf(writer->file, "%s&e%u", i ? ", " : "",
            number_of(writer->expressions, expr->operands[i]));
  fputs("}", writer->file);
}

/* The constant of `expr` and of all inside of it, each once. */
static void write_expression(Writer *writer, const NbExpr *expr) {
  if (!expr || nb_map_has(writer->expressions, expr))
    return;
  for (unsigned i = 0; i < expr->count; i++)
    write_expression(writer, expr->operands[i]);
  unsigned number = nb_map_count(writer->expressions);
  nb_map_set(writer->expressions, expr, numbered(number));
  FILE *file = writer->file;
  fprintf(file,
          "static const NbExpr e%u = {.kind = %d, .type = %d, .index = %u, .number = ", number,
          (int)expr->kind, (int)expr->type, expr->index);
  write_number(file, expr->number);
  if (expr->is_unsigned)
    fputs(", .is_unsigned = 1", file);
  if (expr->text)
    fprintf(file, ", .text = \"%s\"", expr->text);
  if (expr->callee)
    fprintf(file, ", .callee = &rules[%u]", number_of(writer->numbers, expr->callee));
  write_operands(writer, expr);
  fputs("};\n", file);
}

static void prepare_terms(Writer *writer, unsigned count, const NbTerm *terms) {
  for (unsigned i = 0; i < count; i++)
    write_expression(writer, terms[i].coefficient);
}

static void prepare_rule(Writer *writer, const NbRule *rule) {
  prepare_terms(writer, rule->term_count, rule->terms);
  write_expression(writer, rule->extent);
  for (unsigned i = 0; i < rule->member_count; i++)
    prepare_terms(writer, rule->members[i].term_count, rule->members[i].terms);
  for (unsigned i = 0; i < rule->effect_count; i++) {
    write_expression(writer, rule->effects[i].extent);
    prepare_terms(writer, rule->effects[i].term_count, rule->effects[i].terms);
  }
}

static void write_terms(const Writer *writer, unsigned count, const NbTerm *terms) {
  if (!count)
    return;
  fprintf(writer->file, ", .term_count = %u, .terms = (const NbTerm[]){", count);
  for (unsigned i = 0; i < count; i++)
    fprintf(writer->file, "{%u, &e%u}, ", terms[i].parameter,
            number_of(writer->expressions, terms[i].coefficient));
  fputs("}", writer->file);
}

static void write_parameters(const Writer *writer, const NbRule *rule) {
  if (!rule->parameter_count)
    return;
  fprintf(writer->file, ",\n .parameter_count = %u, .parameters = (const NbParameter[]){",
          rule->parameter_count);
  for (unsigned i = 0; i < rule->parameter_count; i++)
    fprintf(writer->file, "{\"%s\", %d, %d}, ", rule->parameters[i].name,
            (int)rule->parameters[i].type, rule->parameters[i].is_unsigned);
  fputs("}", writer->file);
}

static void write_members(const Writer *writer, const NbRule *rule) {
  if (!rule->member_count)
    return;
  fprintf(writer->file, ",\n .member_count = %u, .members = (const NbMember[]){",
          rule->member_count);
  for (unsigned i = 0; i < rule->member_count; i++) {
    fprintf(writer->file, "{.type = %d", (int)rule->members[i].type);
    write_terms(writer, rule->members[i].term_count, rule->members[i].terms);
    fputs("}, ", writer->file);
  }
  fputs("}", writer->file);
}

static void write_effects(const Writer *writer, const NbRule *rule) {
  if (!rule->effect_count)
    return;
  fprintf(writer->file, ",\n .effect_count = %u, .effects = (const NbEffect[]){",
          rule->effect_count);
  for (unsigned i = 0; i < rule->effect_count; i++) {
    const NbEffect *effect = &rule->effects[i];
    fprintf(writer->file, "{.writes = %d, .text = %d, .parameter = %uu, .type = %d", effect->writes,
            effect->text, effect->parameter, (int)effect->type);
    if (effect->ended)
      fputs(", .ended = 1", writer->file);
    if (effect->leads)
      fprintf(writer->file, ", .leads = 1, .into = %uu", effect->into);
    if (effect->offset)
      fprintf(writer->file, ", .offset = %u", effect->offset);
    if (effect->extent)
      fprintf(writer->file, ", .extent = &e%u", number_of(writer->expressions, effect->extent));
    write_terms(writer, effect->term_count, effect->terms);
    fputs("}, ", writer->file);
  }
  fputs("}", writer->file);
}

static void write_names(const Writer *writer, const NbRule *rule) {
  FILE *file = writer->file;
  if (rule->intrinsic)
    fprintf(file, ", .intrinsic = \"%s\"", rule->intrinsic);
  if (rule->of)
    fprintf(file, ", .of = \"%s\"", rule->of);
  if (rule->float_name)
    fprintf(file, ", .float_name = \"%s\"", rule->float_name);
  if (rule->long_name)
    fprintf(file, ", .long_name = \"%s\"", rule->long_name);
  if (rule->like && nb_map_has(writer->numbers, rule->like))
    fprintf(file, ", .like = &rules[%u]", number_of(writer->numbers, rule->like));
  if (!rule->alias_count)
    return;
  fprintf(file, ",\n .alias_count = %u, .aliases = (const char *const[]){", rule->alias_count);
  for (unsigned i = 0; i < rule->alias_count; i++)
    fprintf(file, "\"%s\", ", rule->aliases[i]);
  fputs("}", file);
}

static void write_poles(FILE *file, const NbRule *rule) {
  if (!rule->pole_count)
    return;
  fprintf(file, ",\n .pole_count = %u, .poles = (const NbDomain[]){", rule->pole_count);
  for (unsigned i = 0; i < rule->pole_count; i++) {
    const NbDomain *pole = &rule->poles[i];
    fprintf(file, "{%u, (const NbRange[]){", pole->count);
    for (unsigned k = 0; k < pole->count; k++)
      fprintf(file, "{%uu, %.17g, %.17g}, ", pole->ranges[k].parameter, pole->ranges[k].low,
              pole->ranges[k].high);
    fputs("}}, ", file);
  }
  fputs("}", file);
}

static void write_flags(FILE *file, const NbRule *rule) {
  fprintf(file, ", .libm = %d, .complex = %d, .instruction = %d, .variadic = %d", rule->libm,
          rule->complex, rule->instruction, rule->variadic);
  fprintf(file,
          ", .once = %d, .reports = %d, .thrown = %d, .noreturn = %d, .held = %d, .zeroed = %d",
          rule->once, rule->reports, rule->thrown, rule->noreturn, rule->held, rule->zeroed);
  fprintf(file, ", .device = %d", rule->device);
  fprintf(file, ", .cost = %uu", rule->cost);
  fprintf(file, ",\n .returns = %uu, .throws = %uu, .scans = %uu, .operands = {%u, %u, %u}",
          rule->returns, rule->throws, rule->scans, rule->operands[0], rule->operands[1],
          rule->operands[2]);
}

/* The last part of a path, so that the output is the same wherever the sources lie. */
static const char *file_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static void write_rule(const Writer *writer, const NbRule *rule) {
  FILE *file = writer->file;
  fprintf(file, "{.name = \"%s\", .kind = %d, .result = %d, .format = %d", rule->name,
          (int)rule->kind, (int)rule->result, (int)rule->format);
  write_flags(file, rule);
  write_parameters(writer, rule);
  write_terms(writer, rule->term_count, rule->terms);
  write_members(writer, rule);
  write_effects(writer, rule);
  if (rule->extent)
    fprintf(file, ", .extent = &e%u", number_of(writer->expressions, rule->extent));
  if (rule->partner)
    fprintf(file, ", .partner = &rules[%u]", number_of(writer->numbers, rule->partner));
  if (rule->handed_count)
    fprintf(file, ", .handed_count = %u, .handed = (const unsigned[]){", rule->handed_count);
  for (unsigned i = 0; i < rule->handed_count; i++)
    fprintf(file, "%s%uu%s", i ? ", " : "", rule->handed[i],
            i + 1 == rule->handed_count ? "}" : "");
  if (rule->measure)
    fprintf(file, ", .measure = &rules[%u]", number_of(writer->numbers, rule->measure));
  write_names(writer, rule);
  write_poles(file, rule);
  fprintf(file, ",\n .file = \"%s\", .line = %u},\n", file_name(rule->file), rule->line);
}

static void write_index(const Writer *writer) {
  const NbRules *rules = writer->rules;
  fprintf(writer->file, "static const NbRule *const order[%u] = {\n", rules->count + 1);
  for (unsigned i = 0; i < rules->count; i++)
    fprintf(writer->file, "&rules[%u],\n", i);
  fprintf(writer->file, "};\n\nstatic const NbSpelling spellings[%u] = {\n",
          rules->spelling_count + 1);
  for (unsigned i = 0; i < rules->spelling_count; i++) {
    const NbSpelling *spelling = &rules->spellings[i];
    fprintf(writer->file, "{\"%s\", &rules[%u], %d},\n", spelling->text,
            number_of(writer->numbers, spelling->rule), (int)spelling->format);
  }
  fputs("};\n\n", writer->file);
}

static void write_patterns(FILE *file, const NbRules *rules) {
  fprintf(file, "static const NbPattern patterns[%u] = {\n", rules->pattern_count + 1);
  for (unsigned i = 0; i < rules->pattern_count; i++)
    fprintf(file, "{\"%s\", %d, %d},\n", rules->patterns[i].text, (int)rules->patterns[i].format,
            rules->patterns[i].held);
  fputs("};\n\n", file);
}

void nb_rulec_write_table(FILE *file, NbArena *arena, const NbRules *rules) {
  Writer writer = {file, rules, nb_map_new(arena), nb_map_new(arena)};
  fputs("// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n"
        "/* Made by nabla-rulec from the rule files. */\n"
        "#include \"rules/table.h\"\n\n",
        file);
  fprintf(file, "static const NbRule rules[%u];\n\n", rules->count + 1);
  for (unsigned i = 0; i < rules->count; i++)
    nb_map_set(writer.numbers, rules->rules[i], numbered(i));
  for (unsigned i = 0; i < rules->count; i++)
    prepare_rule(&writer, rules->rules[i]);
  fprintf(file, "\nstatic const NbRule rules[%u] = {\n", rules->count + 1);
  for (unsigned i = 0; i < rules->count; i++)
    write_rule(&writer, rules->rules[i]);
  fputs("};\n\n", file);
  write_index(&writer);
  write_patterns(file, rules);
  fprintf(file,
          "const NbRules *nb_rules_builtin(void) {\n"
          "  static const NbRules table = {\"nabla\", 0, %u, order, %u, spellings, %u, patterns};\n"
          "  return &table;\n}\n",
          rules->count, rules->spelling_count, rules->pattern_count);
}
