// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Formats to which numbers of another are rounded, and the code that rounds. A rounded number keeps
 * the type that it had. */
#ifndef NABLA_REQUEST_NARROW_H
#define NABLA_REQUEST_NARROW_H

#include "base/context.h"

typedef struct NbNarrow {
  NbContext *context;
  LLVMTypeRef wide;               /* of the numbers that are rounded */
  LLVMTypeRef type;               /* the format itself, where processors have it; else NULL */
  unsigned exponent, significand; /* in bits, without the sign and the leading bit */
  bool same;                      /* it is the wide format: nothing is rounded */
  bool longer;                    /* it is longer than a double (request/longer.h) */
} NbNarrow;

/* What must stand in a call, for messages. */
#define NB_NARROW_WANTED                                                                           \
  "the bits of two formats, 64, 32 or 16, the second narrower than the first, or the bits of one " \
  "and then exponent (at least 2) and significand (at least 1) of another, which may be longer "   \
  "than a double (exponent at most 30, significand 65536) but than no other"

/* The format that `numbers` name: the bits of the wide one, then the bits of the narrow one or its
 * exponent and significand; false where they name none. */
bool nb_narrow_of(NbContext *context, const uint64_t *numbers, unsigned count, NbNarrow *narrow);
/* Exponent and significand of a format that has a number of bits become that number. */
bool nb_narrow_bits(uint64_t *numbers);
/* The number, or vector of such, rounded; a value of another type as it is. */
LLVMValueRef nb_narrow_round(const NbNarrow *narrow, LLVMBuilderRef builder, LLVMValueRef value);
/* What an operation of two numbers (or of vectors), with the opcode of `inst`, gives in the format.
 */
LLVMValueRef nb_narrow_operate(const NbNarrow *narrow, LLVMBuilderRef builder, LLVMValueRef inst,
                               LLVMOpcode opcode, LLVMValueRef left, LLVMValueRef right);
/* Is it a number of the wide format, or a vector of them? */
bool nb_narrow_is_wide(const NbNarrow *narrow, LLVMTypeRef type);

#endif
