// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The members of a struct, or of a piece of one that the ABI passes as an integer: in memory, in
 * the integer, and by themselves. */
#ifndef NABLA_REQUEST_UNPACK_H
#define NABLA_REQUEST_UNPACK_H

#include "request/layout.h"

enum { NB_MOST_MEMBERS = 16 };

/* A parameter, or an element of the result. */
typedef struct NbPart {
  LLVMTypeRef type;  /* as the ABI has it */
  LLVMTypeRef whole; /* the struct; NULL: it is passed as it is */
  bool memory;       /* the ABI passes the address of the struct */
  bool absent;       /* it is the address of what is returned: no value stands for it */
  unsigned long long offset;
  unsigned count;
  NbLeaf members[NB_MOST_MEMBERS]; /* their places are those in the struct */
} NbPart;

/* Takes the part apart where it is an integer of a struct of the type, from the offset on. */
void nb_part_open_integer(const NbContext *context, NbPart *part, LLVMTypeRef whole,
                          unsigned long long offset);
/* Takes the part apart where it is the address of a struct of the type that is passed by value. */
void nb_part_open_memory(const NbContext *context, NbPart *part, LLVMTypeRef whole);
/* The number of values that stand for the part. */
unsigned nb_part_width(const NbPart *part);

/* The part's members in memory at the address. */
void nb_part_load(NbContext *context, LLVMBuilderRef builder, const NbPart *part,
                  LLVMValueRef pointer, LLVMValueRef *members);
void nb_part_store(NbContext *context, LLVMBuilderRef builder, const NbPart *part,
                   LLVMValueRef pointer, const LLVMValueRef *members);
/* Cuts the members out of the integer; puts them together. */
void nb_part_split(const NbContext *context, LLVMBuilderRef builder, const NbPart *part,
                   LLVMValueRef integer, LLVMValueRef *members);
LLVMValueRef nb_part_join(const NbContext *context, LLVMBuilderRef builder, const NbPart *part,
                          const LLVMValueRef *members);

#endif
