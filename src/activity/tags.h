// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Integers that only the run can tell from numbers, and the memory that is tagged for it. Internal
 * to the stage. */
#ifndef NABLA_ACTIVITY_TAGS_H
#define NABLA_ACTIVITY_TAGS_H

#include "activity/flow.h"

typedef struct NbTags {
  NbContext *context;
  NbActivity *activity;
  NbList loads;    /* to be checked */
  NbList casts;    /* of numbers to integers, to be checked */
  NbMap *joins;    /* of integers with parts of the bits of numbers, to be checked */
  bool zeros;      /* zero, or what lies in memory of the function's own, may be an integer */
  NbList mixed;    /* classes that numbers are stored in which are integers at other times */
  NbList tracked;  /* classes with tags */
  NbMap *pointers; /* to pointers to tags */
  NbMap *values;   /* to tags */
  NbList pointer_phis, value_phis; /* whose twins are to be completed */
  NbList *calls; /* of functions that may access such memory, if they are asked for; NULL */
  bool failed;
} NbTags;

/* Is it an integer that is chosen from several? */
bool nb_tags_is_join(LLVMValueRef value);
/* Is the integer some of the bits of another? */
bool nb_tags_is_cut(LLVMValueRef value);
bool nb_tags_is_moved(LLVMValueRef value);
/* Is it a certain lane of a vector of floats? */
bool nb_tags_is_lane(LLVMValueRef value);
bool nb_tags_is_varied(const NbTags *tags, LLVMValueRef value);
NbClass *nb_tags_behind(const NbTags *tags, LLVMValueRef pointer);
bool nb_tags_is_of_others(const NbClass *class);
bool nb_tags_among(const NbList *classes, const NbClass *class);
/* What notes that an integer is checked. */
unsigned nb_tags_checked_kind(const NbContext *context);

/* --- integers.c --- */
/* Which integers are to be checked: loads, casts and joins. */
void nb_tags_find_integers(NbTags *tags);

#endif
