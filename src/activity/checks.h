// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Where integers that may be bits of numbers are checked when the program runs. */
#ifndef NABLA_ACTIVITY_CHECKS_H
#define NABLA_ACTIVITY_CHECKS_H

#include "objects/graph.h"

enum { NB_MOST_CONDITIONS = 3 };

/* Where a condition holds, or does not if `negated`: in those lanes, if it is a vector. */
typedef struct NbCondition {
  LLVMValueRef value;
  bool negated;
} NbCondition;

/* The integer matters from the instruction `before` on, where all of the conditions say so. Of one
 * that is no vector, so many of the lowest bits do. */
typedef struct NbCommit {
  LLVMValueRef before;
  NbCondition conditions[NB_MOST_CONDITIONS];
  unsigned condition_count;
  unsigned bits;
} NbCommit;

enum { NB_MOST_COMMITS = 16, NB_ALL_BITS = 64 }; /* all: no less than there are */

typedef struct NbCommits {
  NbCommit items[NB_MOST_COMMITS];
  unsigned count;
  bool lost; /* too many: the integer matters where it is */
} NbCommits;

/* Where the integer, a load, a cast or a choice in a working copy, comes to matter; not in `joins`,
 * which are checked themselves. */
void nb_activity_commits(NbContext *context, LLVMValueRef integer, const NbMap *joins,
                         NbCommits *commits);

#endif
