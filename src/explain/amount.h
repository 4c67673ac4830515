// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* How often something is kept, as a formula in what the function knows at its entry. */
#ifndef NABLA_EXPLAIN_AMOUNT_H
#define NABLA_EXPLAIN_AMOUNT_H

#include "plan/plan.h"

/* What a derivative keeps, and the names in its formulas: each stands for one thing. */
typedef struct NbAmounts {
  const NbPlan *plan;
  NbMap *names; /* values, loops and copies -> text */
} NbAmounts;

NbAmounts nb_amounts_new(const NbPlan *plan);
/* The loop's trip count in one of its runs, where it is the same in each; NULL: no formula tells.
 * "... or 0": it may not run. */
const char *nb_amount_trips(const NbAmounts *amounts, const NbWorkLoop *loop);
/* The iterations of the loop and those around it in one run of the function: a product with a
 * factor for each; "iterations(line N)" where no formula tells a trip count. "" for NULL. */
const char *nb_amount_often(const NbAmounts *amounts, const NbWorkLoop *loop);
/* The same in groups of iterations that share a word, of which each time that `entry` (the loop, or
 * one around it) begins is one more: "groups(line N)" where no formula tells. */
const char *nb_amount_groups(const NbAmounts *amounts, const NbWorkLoop *loop,
                             const NbWorkLoop *entry);

/* So many bytes, so often. */
typedef struct NbSpare {
  uint64_t bytes; /* 0: none */
  const char *often;
} NbSpare;

/* What stays free behind the rows of `size` bytes for each iteration, or group of iterations, of
 * the loop, which begin each time that `entry` does. */
NbSpare nb_amount_spare(const NbAmounts *amounts, const NbWorkLoop *loop, const NbWorkLoop *entry,
                        uint64_t size, bool grouped);
/* The bytes of an array's copy, all of one run together. */
const char *nb_amount_of_copy(const NbAmounts *amounts, const NbStatement *copy);
/* `size` times a product, as one number where it is; NULL where a factor is not known. */
const char *nb_amount_total(const NbAmounts *amounts, uint64_t size, const char *product);

#endif
