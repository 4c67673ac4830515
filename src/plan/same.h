// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Whether two loops compute the same. */
#ifndef NABLA_PLAN_SAME_H
#define NABLA_PLAN_SAME_H

#include "linear/linear.h"

/* Two loops, `one` before `other`, and the nests around them. */
typedef struct NbSame {
  NbLinear *linear;
  const NbWorkLoop *one, *other, *one_top, *other_top;
  /* Does the load of the other loop, in whose nest it stays as it is, see what was there in the
   * first? */
  bool (*same_load)(const void *data, LLVMValueRef load);
  const void *data;
} NbSame;

/* Is what the other loop computes in each of its iterations what the first does in that of the same
 * number, but for rounding? All loads of each must see the same throughout its nest. False also
 * where that would take too long to find out. */
bool nb_same_values(const NbSame *same, LLVMValueRef one, LLVMValueRef other);

#endif
