// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Masks in place of tangents: a bit for each of some inputs, in the bits of a float of the value's
 * own format, so that masks lie where tangents would. A value depends on the inputs that its
 * operands depend on, whatever its partial derivatives are at this point: the mask of a sum of
 * tangents is the union of their masks (the propagation of bit vectors in A. Griewank and
 * A. Walther, "Evaluating Derivatives", 2nd edition, 2008, section 7.1).
 *
 * In a narrower format there is less room. The highest bit of each format is therefore no input's,
 * and all bits together stand for every input: that is what a mask becomes that does not fit. */
#ifndef NABLA_EMIT_MASKS_H
#define NABLA_EMIT_MASKS_H

#include "linear/linear.h"

/* The union of two masks of floats, or of vectors of floats. */
LLVMValueRef nb_masks_join(LLVMBuilderRef builder, LLVMValueRef left, LLVMValueRef right);
/* The mask in another float format. */
LLVMValueRef nb_masks_cast(LLVMBuilderRef builder, LLVMValueRef mask, LLVMTypeRef type);
/* The mask of what may depend on every input. */
LLVMValueRef nb_masks_all(LLVMTypeRef type);

/* Whether a source of a sum counts: never where its coefficient is 0 in every run; where the rule
 * makes a choice of its arguments (fmax), as the choice is. */
typedef struct NbMaskChoice {
  bool never;
  LLVMValueRef decision; /* NULL: always */
  bool where_false;      /* it counts where the decision is false */
} NbMaskChoice;
NbMaskChoice nb_masks_choice(const NbLinear *linear, const NbSource *source);

/* Writes the derivative of a function that has one of the user's: what that depends on cannot be
 * read off, but its result, a number, can depend on nothing but its arguments, numbers as well.
 * False where they are something else, which is refused. */
bool nb_masks_emit_custom(NbContext *context, NbDerivative *derivative);

#endif
