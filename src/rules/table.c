// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Which names find which rule. A table is an array of spellings, sorted and searched by halves;
 * tables stand in front of each other, the user's before nabla's own. */
#include "rules/table.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/names.h"
#include "rules/parser.h"

static void spell(NbList *list, const char *text, const NbRule *rule, NbFormat format) {
  NbSpelling *spelling = NB_NEW(list->arena, NbSpelling);
  *spelling = (NbSpelling){text, rule, format};
  nb_list_push(list, spelling);
}

static void spell_rule(NbList *list, const NbRule *rule) {
  NbArena *arena = list->arena;
  if (rule->instruction) {
    spell(list, nb_arena_print(arena, "%%%s", rule->name), rule, NB_FORMAT_ANY);
    return;
  }
  spell(list, rule->name, rule, rule->format);
  if (rule->libm && !rule->adopted) {
    spell(list, rule->float_name, rule, NB_FORMAT_FLOAT);
    spell(list, rule->long_name, rule, NB_FORMAT_LONG);
    spell(list, nb_arena_print(arena, "__%s_finite", rule->name), rule, NB_FORMAT_DOUBLE);
    spell(list, nb_arena_print(arena, "__%s_finite", rule->float_name), rule, NB_FORMAT_FLOAT);
    spell(list, nb_arena_print(arena, "__%s_finite", rule->long_name), rule, NB_FORMAT_LONG);
  }
  if (rule->like)
    return;
  if (rule->intrinsic && !rule->adopted_intrinsic && strcmp(rule->intrinsic, rule->name))
    spell(list, rule->intrinsic, rule, NB_FORMAT_ANY);
  for (unsigned i = 0; i < rule->alias_count; i++) {
    bool intrinsic = !strncmp(rule->aliases[i], "llvm.", 5);
    spell(list, rule->aliases[i], rule, intrinsic ? NB_FORMAT_ANY : rule->format);
  }
}

/* By text; equal texts by place, so that the later row is the duplicate. */
static int by_text(const void *left, const void *right) {
  const NbSpelling *a = left, *b = right;
  int order = strcmp(a->text, b->text);
  if (order)
    return order;
  int files = strcmp(a->rule->file, b->rule->file);
  return files ? files : (a->rule->line > b->rule->line) - (a->rule->line < b->rule->line);
}

void nb_table_index(NbArena *arena, NbRules *rules) {
  NbList list = nb_list(arena);
  for (unsigned i = 0; i < rules->count; i++)
    spell_rule(&list, rules->rules[i]);
  NbSpelling *spellings = NB_NEW_ARRAY(arena, NbSpelling, list.count + 1);
  for (unsigned i = 0; i < list.count; i++)
    spellings[i] = *(const NbSpelling *)list.items[i];
  if (list.count)
    qsort(spellings, list.count, sizeof *spellings, by_text);
  rules->spellings = spellings;
  rules->spelling_count = list.count;
}

static int compare(const char *text, size_t length, const char *spelling) {
  int order = strncmp(text, spelling, length);
  return order ? order : -(spelling[length] != 0);
}

const NbSpelling *nb_table_find(const NbRules *rules, const char *text, size_t length) {
  unsigned low = 0, high = rules->spelling_count;
  while (low < high) {
    unsigned middle = low + (high - low) / 2;
    int order = compare(text, length, rules->spellings[middle].text);
    if (!order)
      return &rules->spellings[middle];
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return NULL;
}

static bool digit_at(const char *text, size_t length, size_t at) {
  return at < length && text[at] >= '0' && text[at] <= '9';
}

/* Whether this is a type as it stands in the name of an overloaded intrinsic: f64, nxv2f32, p0. */
static bool is_type(const char *text, size_t length) {
  if (length > 3 && (!strncmp(text, "nxv", 3) || !strncmp(text, "ppc", 3)))
    return digit_at(text, length, 3) || text[3] == 'f';
  if (length > 2 && !strncmp(text, "bf", 2))
    return digit_at(text, length, 2);
  return length > 1 && strchr("aifpv", *text) && digit_at(text, length, 1);
}

static NbFormat format_of(const char *type, size_t length) {
  if (length < 3)
    return NB_FORMAT_ANY;
  const char *last = type + length - 3;
  if (!strncmp(last, "f64", 3))
    return NB_FORMAT_DOUBLE;
  if (!strncmp(last, "f80", 3))
    return NB_FORMAT_LONG;
  return !strncmp(last, "f32", 3) ? NB_FORMAT_FLOAT : NB_FORMAT_ANY;
}

static size_t last_dot(const char *text, size_t length) {
  while (length && text[length - 1] != '.')
    length--;
  return length;
}

/* An overloaded intrinsic: takes the types off its end until a row knows the name. */
static const NbRule *find_overloaded(const NbRules *rules, const char *name, size_t length,
                                     NbFormat *format) {
  for (;;) {
    size_t type = last_dot(name, length);
    if (type < 2 || !is_type(name + type, length - type))
      return NULL;
    *format = format_of(name + type, length - type);
    length = type - 1;
    const NbSpelling *spelling = nb_table_find(rules, name, length);
    if (spelling)
      return spelling->rule;
  }
}

static bool is_real(NbType type) {
  return type == NB_TYPE_REAL || type == NB_TYPE_DOUBLE || type == NB_TYPE_FLOAT;
}

static bool same_type(NbType a, NbType b) { return a == b || (is_real(a) && is_real(b)); }

bool nb_rule_has_shape_of(const NbRule *rule, const NbRule *other) {
  bool same = !rule->instruction && !other->instruction && rule->complex == other->complex &&
              rule->variadic == other->variadic && same_type(rule->result, other->result) &&
              rule->member_count == other->member_count &&
              rule->parameter_count == other->parameter_count;
  for (unsigned i = 0; same && i < rule->parameter_count; i++)
    same = same_type(rule->parameters[i].type, other->parameters[i].type);
  return same;
}

bool nb_rule_gives(const NbRule *rule, const NbEffect *effect) {
  bool mirrored = rule->kind == NB_RULE_MIRROR && effect->writes && is_real(effect->type);
  return effect->term_count || mirrored;
}

bool nb_rule_reads(const NbRule *rule, unsigned argument) {
  bool tangents =
      rule->kind == NB_RULE_TANGENT || rule->kind == NB_RULE_STRUCT || rule->kind == NB_RULE_MIRROR;
  for (unsigned i = 0; tangents && i < rule->effect_count; i++) {
    const NbEffect *effect = &rule->effects[i];
    bool numbers = effect->type == NB_TYPE_VOID || is_real(effect->type);
    if (!effect->writes && !effect->text && numbers &&
        (effect->parameter == argument || effect->parameter == NB_NO_PARAMETER))
      return true;
  }
  return false;
}

/* The row of the function `text`, of one format or all, in a table in front of that of `known`. */
static const NbRule *in_front(const NbRules *rules, const char *text, const NbRule *known,
                              NbFormat format) {
  const NbSpelling *spelling = text ? nb_table_find(rules, text, strlen(text)) : NULL;
  const NbRule *rule = spelling ? spelling->rule : NULL;
  bool all = rule && (rule->format == NB_FORMAT_ANY || rule->libm);
  bool fits = all || (rule && rule->format == format);
  return fits && nb_rule_has_shape_of(rule, known) ? rule : NULL;
}

/* A name that nobody gives a function of its own: a library's or LLVM's for the row's function. */
static bool is_form(const NbRule *rule, const char *name, size_t length) {
  bool own = false;
  for (unsigned i = 0; i < rule->alias_count && !rule->like; i++)
    own = own || (strlen(rule->aliases[i]) == length && !memcmp(rule->aliases[i], name, length));
  return !own || (length > 2 && (!strncmp(name, "__", 2) || !strncmp(name, "llvm.", 5)));
}

/* The row of the function that the form is of, in all tables; itself, where that is another. */
static const NbRule *row_of_form(const NbRules *rules, const NbRule *known) {
  const NbSpelling *spelling = NULL;
  for (; rules && known->of; rules = rules->base)
    spelling = nb_table_find(rules, known->of, strlen(known->of));
  return spelling && nb_rule_has_shape_of(spelling->rule, known) ? spelling->rule : known;
}

/* `known` was found by a form of its function's name; a row in front of it, of the function's own
 * name, is meant by that form too. */
static const NbRule *foremost(const NbRules *rules, const NbRule *known, NbFormat format) {
  const NbRule *function = row_of_form(rules, known);
  NbFormat own = format == NB_FORMAT_ANY ? function->format : format;
  const char *spelling = nb_rule_spelling(function, own);
  const NbRule *rule = NULL;
  for (; rules && !rule; rules = rules->base) {
    rule = in_front(rules, spelling, function, format);
    rule = rule ? rule : in_front(rules, function->name, function, format);
  }
  return rule && rule != function ? rule : known;
}

static const NbRule *find_known(const NbRules *rules, const char *name, size_t length,
                                NbFormat *format) {
  bool intrinsic = length > 5 && !strncmp(name, "llvm.", 5);
  const NbRules *all = rules;
  for (; rules; rules = rules->base) {
    const NbSpelling *spelling = nb_table_find(rules, name, length);
    *format = spelling ? spelling->format : NB_FORMAT_ANY;
    if (spelling)
      return spelling->rule;
    const NbRule *rule = intrinsic ? find_overloaded(rules, name, length, format) : NULL;
    if (rule)
      return rule;
  }
  NbNamed named = nb_names_find(all, name, length);
  *format = named.format;
  return named.rule;
}

static const NbRule *find_exactly(const NbRules *rules, const char *name, size_t length,
                                  NbFormat *format) {
  const NbRule *known = find_known(rules, name, length, format);
  return known && is_form(known, name, length) ? foremost(rules, known, *format) : known;
}

unsigned nb_rules_lanes(const NbRules *rules, const char *name, size_t length) {
  for (const NbRules *table = rules; table; table = table->base)
    if (nb_table_find(table, name, length))
      return 0;
  return nb_names_find(rules, name, length).lanes;
}

bool nb_rules_hold(const NbRules *rules, const char *name, size_t length) {
  const NbRule *rule = nb_rules_find(rules, name, length, NULL);
  if (!rule || rule->held)
    return rule != NULL;
  for (const NbRules *table = rules; table; table = table->base)
    if (nb_table_find(table, name, length))
      return false;
  return nb_names_find(rules, name, length).held;
}

/* The length of a local function's own name, before what the link step tells it by. */
static size_t own_length(const char *name, size_t length) {
  size_t infix = strlen(NB_LOCAL_INFIX);
  const char *end = name + length, *at = name;
  while ((at = memchr(at + 1, *NB_LOCAL_INFIX, (size_t)(end - at - 1))))
    if (at + infix < end && !memcmp(at, NB_LOCAL_INFIX, infix))
      return (size_t)(at - name);
  return length;
}

const NbRule *nb_rules_find(const NbRules *rules, const char *name, size_t length,
                            NbFormat *format) {
  NbFormat ignored;
  format = format ? format : &ignored;
  *format = NB_FORMAT_ANY;
  if (!length || *name == '%' || memchr(name, 0, length))
    return NULL;
  const NbRule *rule = find_exactly(rules, name, length, format);
  size_t own = own_length(name, length);
  return rule || own == length ? rule : find_exactly(rules, name, own, format);
}

const NbRule *nb_rules_find_instruction(const NbRules *rules, const char *opcode) {
  char text[64];
  int length = snprintf(text, sizeof text, "%%%s", opcode);
  if (length >= (int)sizeof text)
    return NULL;
  for (; rules; rules = rules->base) {
    const NbSpelling *spelling = nb_table_find(rules, text, (size_t)length);
    if (spelling)
      return spelling->rule;
  }
  return NULL;
}

unsigned nb_rules_count(const NbRules *rules) { return rules->count; }

const NbRule *nb_rules_at(const NbRules *rules, unsigned index) { return rules->rules[index]; }

const char *nb_rules_path(const NbRules *rules) { return rules->path; }

const NbRules *nb_rules_base(const NbRules *rules) { return rules->base; }

const char *nb_rule_spelling(const NbRule *rule, NbFormat format) {
  if (rule->instruction || !strncmp(rule->name, "llvm.", 5))
    return NULL;
  if (rule->format == NB_FORMAT_ANY || format == rule->format)
    return rule->name;
  if (format == NB_FORMAT_LONG)
    return rule->long_name;
  return format == NB_FORMAT_FLOAT ? rule->float_name : NULL;
}

const char *nb_rule_intrinsic(const NbRule *rule) { return rule->intrinsic; }

static bool read_all(NbArena *arena, FILE *file, NbRuleSource *source) {
  char *text = nb_arena_alloc(arena, NB_MAX_BYTES + 1);
  source->length = fread(text, 1, NB_MAX_BYTES + 1, file);
  source->text = text;
  return !ferror(file);
}

bool nb_source_read(NbArena *arena, const char *path, NbRuleSource *source, NbRuleError *error) {
  source->path = nb_arena_copy(arena, path, strlen(path));
  FILE *file = fopen(path, "rb");
  bool read = file && read_all(arena, file, source);
  int reason = errno;
  if (file)
    fclose(file);
  if (!read) {
    const char *message = nb_arena_print(arena, "cannot read the file: %s", strerror(reason));
    *error = (NbRuleError){source->path, 0, 0, message, NULL};
  }
  return read;
}

const NbRules *nb_rules_load(NbArena *arena, const char *path, const NbRules *base,
                             NbRuleError *error) {
  NbRuleSource source;
  if (!nb_source_read(arena, path, &source, error))
    return NULL;
  return nb_sources_parse(arena, source.path, 1, &source, base, error);
}

const NbRules *nb_rules_parse(NbArena *arena, const char *path, const char *text, size_t length,
                              const NbRules *base, NbRuleError *error) {
  NbRuleSource source = {nb_arena_copy(arena, path, strlen(path)), text, length};
  return nb_sources_parse(arena, source.path, 1, &source, base, error);
}
