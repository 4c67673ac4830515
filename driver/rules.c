/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* nabla rules: what is known about a function: its row, from the file where it stands, and what
 * that row comes down to. */
#include "rules/rules.h"
#include "driver.h"

#include <stdio.h>
#include <string.h>

enum { LINE_SIZE = 512 };

static const char *meaning(NbRuleKind kind) {
  switch (kind) {
  case NB_RULE_DECLARED:
    return "known, but without a derivative: refused where it is active";
  case NB_RULE_TANGENT:
    return "has a derivative";
  case NB_RULE_STRUCT:
    return "has a derivative, a member of the result each";
  case NB_RULE_INACTIVE:
    return "no derivative passes through it";
  case NB_RULE_MIRROR:
    return "no derivative passes through it; it runs on the shadows too";
  case NB_RULE_ALLOCATE:
    return "allocates memory";
  case NB_RULE_FREE:
    return "frees memory";
  case NB_RULE_RESIZE:
    return "resizes memory, and its derivatives with it";
  case NB_RULE_COPY:
    return "copies memory, and its derivatives with it";
  case NB_RULE_FILL:
    return "fills memory, where derivatives become zero";
  }
  return "";
}

/* Does a line go on with the row that began above it? */
static bool continues(const char *line) { return line[0] == ' ' || line[0] == '\t'; }

/* Prints the row that begins at line `number` of the file; false where it cannot be read. */
static bool print_row(const char *path, unsigned number) {
  FILE *file = fopen(path, "r");
  char line[LINE_SIZE];
  unsigned current = 0;
  if (!file)
    return false;
  while (fgets(line, sizeof line, file) && ++current <= number) {
    if (current == number)
      printf("    %s", line);
  }
  bool found = current >= number;
  while (current > number && continues(line)) {
    printf("    %s", line);
    if (!fgets(line, sizeof line, file))
      break;
  }
  fclose(file);
  return found;
}

static void print_spellings(const NbRule *rule) {
  const char *single = nb_rule_spelling(rule, NB_FORMAT_FLOAT);
  const char *intrinsic = nb_rule_intrinsic(rule);
  if (single && strcmp(single, rule->name) != 0)
    printf("  in float: %s\n", single);
  if (intrinsic)
    printf("  as an intrinsic: %s\n", intrinsic);
  for (unsigned i = 0; i < rule->alias_count; i++)
    printf("  the same: %s\n", rule->aliases[i]);
  if (rule->like)
    printf("  like: %s\n", rule->like->name);
}

static void print_rule(const Places *places, const char *name, const NbRule *rule) {
  char path[PATH_SIZE];
  printf("%s: %s%s%s\n", name, meaning(rule->kind),
         rule->once ? "; it acts on the world and is run once" : "",
         rule->noreturn ? "; it does not return" : "");
  printf("  %s:%u\n", rule->file, rule->line);
  bool shown = print_row(rule->file, rule->line);
  if (!shown && find_rules(places, rule->file, path))
    print_row(path, rule->line);
  print_spellings(rule);
}

/* The rules in front of which those of the user's files stand; NULL where one cannot be read. */
static const NbRules *load(NbArena *arena, const char *path, const NbRules *base) {
  NbRuleError error;
  const NbRules *rules = nb_rules_load(arena, path, base, &error);
  for (const NbRuleError *at = rules ? NULL : &error; at; at = at->next)
    fprintf(stderr, "%s:%u:%u: error: %s\n", at->file, at->line, at->column, at->message);
  return rules;
}

/* The functions of which nabla has a model (src/models), made when nabla is built. */
extern const char *const nb_models_names[];

static bool has_model(const char *name) {
  for (unsigned i = 0; nb_models_names[i]; i++)
    if (strcmp(nb_models_names[i], name) == 0)
      return true;
  return false;
}

static bool show(const Places *places, const NbRules *rules, const char *name) {
  const NbRule *rule = nb_rules_find(rules, name, strlen(name), NULL);
  if (!rule)
    rule = nb_rules_find_instruction(rules, name);
  if (rule) {
    print_rule(places, name, rule);
    return true;
  }
  if (has_model(name)) {
    printf("%s: nabla has a model of it, C that says what it does, and derives that\n", name);
    return true;
  }
  printf("%s: nothing is known: it needs a body in the program, or a rule of yours\n", name);
  return false;
}

/* Takes an option, or says what it is not; false: that was so. */
static bool take_option(NbArena *arena, const char *argument, const NbRules **rules) {
  static const char option[] = "--rules=";
  const char *version;
  VersionOption taken = take_version("nabla rules", argument, &version);
  if (starts_with(argument, option))
    *rules = load(arena, argument + strlen(option), *rules);
  else if (taken == VERSION_NONE)
    fprintf(stderr, "nabla rules: '%s' is not the name of a function\n", argument);
  return taken == VERSION_TAKEN || (starts_with(argument, option) && *rules);
}

int show_rules(int count, char **arguments) {
  const NbRules *rules = nb_rules_builtin();
  NbArena *arena = nb_arena_new();
  Places places = {.folder = ""};
  find_folder(&places);
  int names = 0, unknown = 0;
  bool right = rules != NULL;
  for (int i = 0; right && i < count; i++) {
    if (arguments[i][0] == '-' || !arguments[i][0]) {
      right = take_option(arena, arguments[i], &rules);
      continue;
    }
    names++;
    unknown += !show(&places, rules, arguments[i]);
  }
  nb_arena_free(arena);
  if (right && !names)
    fputs("usage: nabla rules [--rules=FILE] NAME...\n", stderr);
  return right && names ? unknown != 0 : STATUS_CANNOT;
}
