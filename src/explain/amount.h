// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* How often something is kept, as a formula in what the function knows at its entry. */
#ifndef NABLA_EXPLAIN_AMOUNT_H
#define NABLA_EXPLAIN_AMOUNT_H

#include "plan/plan.h"

/* An integer that is the same in each run of the loops around `loop` (NULL: none), as a formula in
 * which nothing wraps around; NULL: there is none, or a value in it has no name. */
const char *nb_amount_formula(const NbPlan *plan, LLVMValueRef value, const NbWorkLoop *loop);
/* The iterations of the loop and those around it in one run of the function: a product with a
 * factor for each; "iterations(line N)" where a trip count changes from run to run. "" for NULL. */
const char *nb_amount_often(const NbPlan *plan, const NbWorkLoop *loop);
/* The bytes of an array's copy, all of one run together. */
const char *nb_amount_of_copy(const NbPlan *plan, const NbStatement *copy);
/* `size` times a product, as one number where it is; NULL where a factor is not known. */
const char *nb_amount_total(const NbPlan *plan, uint64_t size, const char *product);

#endif
