// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* How derivatives of the user's take what belongs to the function that they are registered for. */
#ifndef NABLA_REQUEST_SHAPES_H
#define NABLA_REQUEST_SHAPES_H

#include "request/registrations.h"

/* The user's functions, as they stand in NbCustom. */
typedef enum NbForm {
  NB_FORM_FORWARD,
  NB_FORM_AUGMENTED,
  NB_FORM_REVERSE,
  NB_FORM_SPLIT_AUGMENTED,
  NB_FORM_SPLIT_FORWARD,
  NB_FORMS
} NbForm;

typedef enum NbGivenKind {
  NB_GIVEN_VALUE,
  NB_GIVEN_SHADOW,
  NB_GIVEN_SEED,
  NB_GIVEN_TAPE
} NbGivenKind;

/* One parameter of the user's function. */
typedef struct NbGiven {
  NbGivenKind kind;
  unsigned index; /* of the function's parameter; of the part of a seed or a tape */
  unsigned parts; /* how many of these it stands for */
  bool is_part;   /* of a seed that is a struct */
  bool in_memory; /* the ABI passes a pointer to a copy */
} NbGiven;

typedef struct NbShape {
  bool doubled;           /* integers stand twice */
  bool result_by_value;   /* of what the function returns in memory: as a struct of C has it */
  bool adjoints_by_value; /* structs in memory have no shadow, but an adjoint that is returned */
  unsigned count;         /* of those given, behind a result in memory */
  NbGiven *given;
  unsigned tapes;  /* how many of them are the tape's, the last ones */
  unsigned misfit; /* the number of the first parameter of another type; 0 */
  bool unknown;    /* what belongs together cannot be told */
} NbShape;

/* What is asked about: `function` has `user` registered as this of its derivatives, which takes
 * `told` parameters more if it is a model's. */
typedef struct NbShaped {
  LLVMValueRef function, user;
  const NbCustom *custom;
  NbForm form;
  unsigned told;
} NbShaped;

/* The shape, by preference that of `like`, if any; NULL where the number of parameters is none that
 * belongs there. */
const NbShape *nb_shape_of(const NbContext *context, NbShaped shaped, const NbShape *like);
/* Does the function return by a pointer to memory? */
bool nb_shape_has_sret(LLVMValueRef function);
/* Is the parameter, where that is `sret` or `byval`, memory of numbers alone? The type; NULL. */
LLVMTypeRef nb_shape_memory(LLVMValueRef function, unsigned index, const char *kind);
/* Has it floats, and no pointers? */
bool nb_shape_is_real(LLVMTypeRef type);
/* Is the user's parameter a pointer to what belongs there, since the registration says so? */
bool nb_shape_by_reference(const NbCustom *custom, LLVMValueRef user, unsigned parameter);

#endif
