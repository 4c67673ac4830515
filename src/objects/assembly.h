// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What the operands of inline assembly say about it. */
#ifndef NABLA_OBJECTS_ASSEMBLY_H
#define NABLA_OBJECTS_ASSEMBLY_H

#include "base/context.h"

enum { NB_ASSEMBLY_MOST = 16, NB_ASSEMBLY_FREE = NB_ASSEMBLY_MOST };

typedef struct NbAssemblyOperand {
  bool output;
  bool memory;        /* it is what the argument points to */
  unsigned tied;      /* an input: the operand whose place it shares, else NB_ASSEMBLY_FREE */
  LLVMValueRef value; /* the argument; NULL for an output that is a result */
} NbAssemblyOperand;

typedef struct NbAssembly {
  LLVMValueRef call;
  const char *text;
  size_t length;
  unsigned count, results;
  NbAssemblyOperand operands[NB_ASSEMBLY_MOST];
  bool clobbers; /* memory that is no operand */
} NbAssembly;

/* Reads the assembly that `call` runs. False where it is none, has too many operands or goes on
 * elsewhere. */
bool nb_assembly_read(LLVMValueRef call, NbAssembly *assembly);
/* Does it compute numbers of numbers in registers, no floats among them, and touch no memory? */
bool nb_assembly_is_apart(LLVMValueRef call);

#endif
