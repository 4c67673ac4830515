// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What the module registers about functions, for the stages. */
#ifndef NABLA_REQUEST_REGISTRATIONS_H
#define NABLA_REQUEST_REGISTRATIONS_H

#include "base/context.h"

/* Does a function count as one that changes the numbers behind a parameter, or behind pointers that
 * it finds there, since its derivatives change their shadows? */
typedef struct NbChanges {
  bool here, behind;
  bool unseen; /* the derivatives may: it does where it would change nothing else */
} NbChanges;

/* Functions of the user's, or of a model, that are the derivative of one; NULL where there is
 * none. */
typedef struct NbCustom {
  LLVMValueRef forward, augmented, reverse;
  LLVMValueRef split_augmented, split_forward; /* forward mode that comes later than the primal */
  uint64_t by_reference; /* a bit for each parameter (no sret) that is a pointer to the value */
  NbChanges *changes;    /* of each parameter, while requests are served; NULL */
  bool weak;             /* nobody may look at the body meanwhile */
  LLVMLinkage linkage;   /* of one that is */
  NbList withheld;       /* attributes that do not say so, and their indices */
  bool bodyless;         /* the function itself is only declared here */
  bool untold;           /* so are its derivatives, and nothing tells what its pointers lead to */
  bool of_model;         /* they are told what they are asked for (models/model.h) */
  bool on_device;        /* the memory of the model is a device's: its loops cannot run */
} NbCustom;

/* The derivatives registered for `function`, NULL where there are none. */
NbCustom *nb_custom_of(const NbContext *context, LLVMValueRef function);
/* Does nothing look at it? Unoptimised code puts each parameter into a variable, which nothing may
 * read. */
bool nb_parameter_is_unused(LLVMValueRef parameter);

#endif
