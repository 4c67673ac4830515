// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Pointers into arguments whose primal memory the caller does not need (enzyme_dupnoneed), so that
 * they may be null. */
#ifndef NABLA_PREPARE_UNNEEDED_H
#define NABLA_PREPARE_UNNEEDED_H

#include "objects/objects.h"
#include "prepare/prepare.h"

typedef struct NbUnneeded NbUnneeded;

/* Is the memory that a pointer points to needed? */
typedef enum {
  NB_NEED_YES,
  NB_NEED_NO,    /* it is that of an argument which is not */
  NB_NEED_EITHER /* the run tells */
} NbNeed;

/* Looks at the pointers of the working copy; NULL where all arguments are needed. */
NbUnneeded *nb_unneeded_of(const NbWork *work, NbObjects *objects);
/* `unneeded` may be NULL. */
NbNeed nb_unneeded_need(const NbUnneeded *unneeded, LLVMValueRef pointer);
/* Was the pointer found in memory that holds such pointers and others, so that nothing is known? */
bool nb_unneeded_is_lost(const NbUnneeded *unneeded, LLVMValueRef pointer);
/* May the call, of a function with a body, meet such a pointer in a way that its parameters' roles
 * do not tell? */
bool nb_unneeded_hides(const NbUnneeded *unneeded, LLVMValueRef call);
/* Inlines these calls; where there are none, drops what sanitizers report of such pointers.
 * `changed`: was there any? Then the function is to be simplified. */
void nb_unneeded_open(NbWork *work, bool *changed);

#endif
