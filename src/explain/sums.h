// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Integers as sums of multiples of what has a name, and addresses as elements of an array. */
#ifndef NABLA_EXPLAIN_SUMS_H
#define NABLA_EXPLAIN_SUMS_H

#include "linear/linear.h"

enum { SUM_TERMS = 8 };

typedef struct SumTerm {
  LLVMValueRef value;
  int64_t times;
} SumTerm;

typedef struct Sum {
  SumTerm terms[SUM_TERMS];
  unsigned count;
  int64_t constant;
  bool known; /* else there are too many terms */
} Sum;

/* What the integer is made of, down to values that have names or are no sums. The iterations of a
 * loop are told by a variable of the loop, where the source has one that counts them. */
Sum explain_sum(const NbLinear *linear, LLVMValueRef value);
/* Adds so many times the other to the sum. */
void explain_add(Sum *sum, const Sum *other, int64_t times);
/* The loop whose iterations the value counts; NULL: it is no counter. */
const NbWorkLoop *explain_counted(const NbLinear *linear, LLVMValueRef value);
/* The array, and the index in it, where the address is that of an element of one whose size is
 * known; NULL: it is not. */
LLVMValueRef explain_array(const NbLinear *linear, LLVMValueRef address, Sum *index);
/* What has a name of the source, or is no computation of an address, and the bytes from it to the
 * address. */
LLVMValueRef explain_start(const NbLinear *linear, LLVMValueRef address, Sum *bytes);

#endif
