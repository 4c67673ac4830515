// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The writers of the rule compiler. */
#ifndef NABLA_RULES_RULEC_H
#define NABLA_RULES_RULEC_H

#include <stdio.h>

#include "rules/table.h"

/* Writes `rules` as a C file that defines nb_rules_builtin. */
void nb_rulec_write_table(FILE *file, NbArena *arena, const NbRules *rules);
/* Writes a C program that tests every row with a tangent that C can call, against
 * tools/ruletest/ruletest.h. With `derivatives`, in forward and reverse mode (to be compiled with
 * nabla); without, the formulas of the rows alone (any compiler). */
void nb_rulec_write_tests(FILE *file, const NbRules *rules, bool derivatives);
/* Whether nb_rulec_write_tests covers the row; else `*reason` says why it need not be. */
bool nb_rulec_is_tested(const NbRule *rule, const char **reason);

#endif
