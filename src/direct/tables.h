// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Which class of C++ a virtual call is of, as the source has it. */
#ifndef NABLA_DIRECT_TABLES_H
#define NABLA_DIRECT_TABLES_H

#include "base/context.h"

/* Clang tells link-time optimisers the class by tests of the pointers to tables. Notes at the calls
 * what they say, and takes them away unless such an optimiser is to come. Returns whether anything
 * changed. */
bool nb_tables_note(LLVMModuleRef module, bool is_linked);

/* Where in their tables of virtual functions the objects of a class may have their pointer. */
typedef struct NbTables {
  NbContext *context;
  NbMap *classes; /* what names a class -> NbList of NbTableAddress */
} NbTables;

typedef struct NbTableAddress {
  LLVMValueRef table;
  int64_t offset;
} NbTableAddress;

NbTables nb_tables_of(NbContext *context);
/* Those of the class that the call is noted to be of, as far as they stand in the module; NULL
 * where nothing is noted. `slot`: how many bytes behind them the function's address lies. */
const NbList *nb_tables_of_call(const NbTables *tables, LLVMValueRef call, int64_t *slot);

#endif
