// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The inside of a table of rules, as the parser and the rule compiler make it. */
#ifndef NABLA_RULES_TABLE_H
#define NABLA_RULES_TABLE_H

#include "rules/rules.h"

/* A name that finds a rule. Instructions have a '%' in front. */
typedef struct NbSpelling {
  const char *text;
  const NbRule *rule;
  NbFormat format;
} NbSpelling;

/* Names that a library has for the functions of libm (names.c); `format` is that of all of them, or
 * ANY: that of the function's own name. */
typedef struct NbPattern {
  const char *text;
  NbFormat format;
  bool held; /* hidden from the optimiser where the program has the body */
} NbPattern;

/* What a pattern finds: a row, the format of the name, and how many lanes its vectors have; 0: it
 * is a function of scalars. */
typedef struct NbNamed {
  const NbRule *rule;
  NbFormat format;
  unsigned lanes;
  bool held;
} NbNamed;

struct NbRules {
  const char *path;
  const NbRules *base;
  unsigned count;
  const NbRule *const *rules;
  unsigned spelling_count;
  const NbSpelling *spellings; /* in order of strcmp */
  unsigned pattern_count;
  const NbPattern *patterns;
};

/* A text to parse; `path` names it in errors. */
typedef struct NbRuleSource {
  const char *path, *text;
  size_t length;
} NbRuleSource;

/* The whole file at `path`; fails as nb_rules_load does. */
bool nb_source_read(NbArena *arena, const char *path, NbRuleSource *source, NbRuleError *error);
/* One table of the rows of all sources, which may refer to each other. */
const NbRules *nb_sources_parse(NbArena *arena, const char *path, unsigned count,
                                const NbRuleSource *sources, const NbRules *base,
                                NbRuleError *error);
/* Fills in the spellings of `rules->rules`; rows that share one stand in their order. */
void nb_table_index(NbArena *arena, NbRules *rules);
/* The spelling `text` among those of `rules` alone, or NULL. */
const NbSpelling *nb_table_find(const NbRules *rules, const char *text, size_t length);
/* What the patterns of `rules` and of what these stand in front of find; no rule: nothing. */
NbNamed nb_names_find(const NbRules *rules, const char *name, size_t length);

#endif
