// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Structs that are passed by value in several parameters. */
#ifndef NABLA_REQUEST_BYVALUE_H
#define NABLA_REQUEST_BYVALUE_H

#include "base/context.h"

/* At the start of the pipeline: notes in each function which parameters are parts of one struct.
 * Returns true where there are any. */
bool nb_by_value_note(const NbContext *context);
/* Notes in the function that each parameter is an argument of its own. */
void nb_by_value_note_plain(const NbContext *context, LLVMValueRef function);
/* Notes in `to` what is noted of the parameters of `function`. */
void nb_by_value_note_parameters(const NbContext *context, LLVMValueRef to, LLVMValueRef function);
/* Takes the notes away; that of one function. */
void nb_by_value_forget(const NbContext *context);
void nb_by_value_forget_one(LLVMValueRef function);
/* Where a function puts a parameter at its start. */
typedef struct NbPlacement {
  LLVMValueRef variable; /* NULL: nowhere in particular */
  unsigned long long offset;
} NbPlacement;
NbPlacement nb_by_value_place(const NbContext *context, LLVMValueRef parameter);
/* The variable's type, or that of the variable which it is copied to as a whole. */
LLVMTypeRef nb_by_value_struct(LLVMValueRef variable);
/* The number of parameters, from `index` on, that are one argument of the function's source. */
unsigned nb_by_value_parts(LLVMValueRef function, unsigned index);
/* May the parameter and the one behind it be parts of one struct without a note that says so, since
 * the function was compiled without the plugin? */
bool nb_by_value_may_continue(const NbContext *context, LLVMValueRef function, unsigned index);
/* Is the parameter an integer that holds floats of a struct? */
bool nb_by_value_is_packed(LLVMValueRef function, unsigned index);
/* At the start of the pipeline: notes at `to`, which stands for the call, what of the call's result
 * the struct of the source lacks: the ABI returns one float in eight bytes as it returns two. */
void nb_by_value_note_padding(NbContext *context, LLVMValueRef call, LLVMValueRef to);
bool nb_by_value_is_padding(const NbContext *context, LLVMValueRef call, unsigned long long offset);
/* Does the function return an integer that holds floats of a struct? */
bool nb_by_value_returns_packed(LLVMValueRef function);
/* The members of the struct that it is, as nb_unpacked_text has them; "": none, or not known. */
const char *nb_by_value_members_returned(const NbContext *context, LLVMValueRef function);

#endif
