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

struct NbRules {
  const char *path;
  const NbRules *base;
  unsigned count;
  const NbRule *const *rules;
  unsigned spelling_count;
  const NbSpelling *spellings; /* in order of strcmp */
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
/* Fills in the spellings of `rules->rules`. Returns the second of two rows that share a spelling
 * (then `*text` is the spelling), or NULL if there are none. */
const NbRule *nb_table_index(NbArena *arena, NbRules *rules, const char **text);
/* The spelling `text` among those of `rules` alone, or NULL. */
const NbSpelling *nb_table_find(const NbRules *rules, const char *text, size_t length);

#endif
