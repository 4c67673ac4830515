// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Functions that choose between two versions of a derivative's. */
#ifndef NABLA_CHOICE_H
#define NABLA_CHOICE_H

#include "request/request.h"

/* Where two versions keep their tapes: together, since one of them runs. */
typedef struct NbVersionsTape {
  LLVMTypeRef type;  /* NULL: nothing is kept, and the reverse decides */
  int fields[2];     /* of `type`, by version; -1: that version keeps nothing */
  unsigned decision; /* the field that says which version ran */
} NbVersionsTape;

/* Made, or made and left to the second sweep, or left by the first. */
typedef enum NbDecision { NB_DECISION_MADE, NB_DECISION_NOTED, NB_DECISION_READ } NbDecision;

typedef struct NbChoice {
  const NbRequest *request; /* of both versions */
  LLVMValueRef test;        /* a function (plan/apart.h) */
  LLVMValueRef function;    /* empty, of the type of both versions; it is written */
  LLVMValueRef versions[2]; /* where the test fails, and where it holds */
  NbDecision decision;
  const NbVersionsTape *tape; /* NULL: the versions take no tape */
  unsigned tape_index;        /* of the tape, among the parameters */
} NbChoice;

/* Writes into the function a call of the one version or the other. */
void nb_emit_choice(NbContext *context, const NbChoice *choice);

#endif
