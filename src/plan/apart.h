// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A test at run time that what the parameters of a function point to lies apart, so that another
 * version of its derivative, which relies on that, may run. */
#ifndef NABLA_PLAN_APART_H
#define NABLA_PLAN_APART_H

#include "plan/plan.h"

/* Functions with the parameters of the augmented forward. */
typedef struct NbApartTests {
  /* Does the memory behind each parameter that is written, and each shadow, meet that behind no
   * other? NULL where that cannot be told beforehand, or is of no use. */
  LLVMValueRef whole;
  LLVMValueRef of_shadows; /* the same of shadows alone; NULL where the user's call asks */
} NbApartTests;

/* Writes code into the working copy that nothing uses. */
NbApartTests nb_apart_tests(const NbPlan *plan);
/* Is something kept, here or in a callee, that would not have to be if the parameters' memory lay
 * apart? */
bool nb_apart_is_wanted(const NbPlan *plan);
/* May the reverse come to the parameters' memory in another way than through the parameters, by
 * addresses that are kept in the tape? */
bool nb_apart_keeps_addresses(const NbPlan *plan);

#endif
