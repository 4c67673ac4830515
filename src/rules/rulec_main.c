// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* nabla-rulec: checks rule files and turns them into C.
 *
 *   nabla-rulec OUT.c FILE.rules...              the table that is linked into nabla
 *   nabla-rulec --tests OUT.c FILE.rules...      a program that tests each row in both modes
 *   nabla-rulec --formulas OUT.c FILE.rules...   a program that tests each row's formulas alone */
#include <stdio.h>
#include <string.h>

#include "rules/rulec.h"

typedef enum Mode { MODE_TABLE, MODE_TESTS, MODE_FORMULAS } Mode;

static int usage(void) {
  fputs("usage: nabla-rulec [--tests|--formulas] OUT.c FILE.rules...\n", stderr);
  return 2;
}

static int complain(const NbRuleError *error) {
  for (; error; error = error->next)
    fprintf(stderr, "%s:%u:%u: error: %s\n", error->file, error->line, error->column,
            error->message);
  return 1;
}

/* Rows to be tested may call the built-in ones, and replace them; the table of the built-in ones
 * stands alone. */
static const NbRules *read_files(NbArena *arena, Mode mode, unsigned count, char **paths,
                                 NbRuleError *error) {
  const NbRules *base = mode == MODE_TABLE ? NULL : nb_rules_builtin();
  NbRuleSource *sources = NB_NEW_ARRAY(arena, NbRuleSource, count);
  for (unsigned i = 0; i < count; i++)
    if (!nb_source_read(arena, paths[i], &sources[i], error))
      return NULL;
  return nb_sources_parse(arena, paths[0], count, sources, base, error);
}

/* Why the row's derivative could not be tested; NULL where it can be. */
static const char *untested(const NbRule *rule) {
  const char *reason;
  if (!nb_rulec_is_tested(rule, &reason))
    return NULL;
  if (!rule->domain_count)
    return "the row has no domain to test over: on";
  if (rule->kind == NB_RULE_STRUCT && !rule->complex && !rule->tested_as)
    return "C has no call for a struct result: tested as";
  return NULL;
}

/* A row whose derivative no test reaches is an error: every row carries its domain. */
static bool check_tested(const NbRules *rules, NbRuleError *error) {
  for (unsigned i = 0; i < rules->count; i++) {
    const NbRule *rule = rules->rules[i];
    const char *reason = untested(rule);
    if (reason) {
      *error = (NbRuleError){rule->file, rule->line, 1, reason, NULL};
      return false;
    }
  }
  return true;
}

static int write_output(NbArena *arena, Mode mode, const char *path, const NbRules *rules) {
  FILE *file = fopen(path, "w");
  if (!file) {
    perror(path);
    return 1;
  }
  if (mode == MODE_TABLE)
    nb_rulec_write_table(file, arena, rules);
  else
    nb_rulec_write_tests(file, rules, mode == MODE_TESTS);
  bool failed = ferror(file);
  failed = fclose(file) || failed;
  if (failed)
    perror(path);
  return failed;
}

static int compile(NbArena *arena, Mode mode, unsigned count, char **arguments) {
  NbRuleError error = {0};
  const NbRules *rules = read_files(arena, mode, count - 1, arguments + 1, &error);
  if (!rules || !check_tested(rules, &error))
    return complain(&error);
  return write_output(arena, mode, arguments[0], rules);
}

int main(int count, char **arguments) {
  Mode mode = MODE_TABLE;
  if (count > 1 && !strcmp(arguments[1], "--tests"))
    mode = MODE_TESTS;
  else if (count > 1 && !strcmp(arguments[1], "--formulas"))
    mode = MODE_FORMULAS;
  int used = mode == MODE_TABLE ? 1 : 2;
  if (count - used < 2)
    return usage();
  NbArena *arena = nb_arena_new();
  int status = compile(arena, mode, (unsigned)(count - used), arguments + used);
  nb_arena_free(arena);
  return status;
}
