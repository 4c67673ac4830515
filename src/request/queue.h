// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The calls that wait for derivatives, while they are served. */
#ifndef NABLA_REQUEST_QUEUE_H
#define NABLA_REQUEST_QUEUE_H

#include "base/context.h"

typedef struct NbQueue {
  NbContext *context;
  NbMap *waiting; /* the calls in a function that are not served, NbList, by function */
  NbMap *state;   /* of a call that is, or is being, served: a text */
  NbMap *clean;   /* functions from which no waiting call can be reached */
  NbMap *nested;  /* calls in what others differentiate; NULL: nobody asks */
  bool chosen;    /* functions that lead to waiting calls may be called through pointers */
  NbList served;  /* NbServed: calls of derivatives that are to be checked */
} NbQueue;

/* Is the call being served? */
bool nb_queue_serves(const NbQueue *queue, LLVMValueRef call);

/* --- Functions that are called through pointers (request/chosen.c) ---------------------------- */

/* May a function that is differentiated for one of the calls (NbList) lead, through a pointer, to a
 * call that waits? */
bool nb_chosen_any(NbContext *context, const NbList *calls);
/* The functions (keys) that `function` may reach, also through pointers, but for those that lead to
 * a call which is being served. */
NbMap *nb_chosen_reached(const NbQueue *queue, LLVMValueRef function);

#endif
