// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The way through the program, from a request to its functions. The door is nb_derivative_of
 * (request/request.h). */
#ifndef NABLA_DERIVE_H
#define NABLA_DERIVE_H

#include "request/request.h"

/* That of the working copy: the parameters of the function that it becomes, the primal's result. */
LLVMTypeRef nb_type_work(NbContext *context, const NbRequest *request);
/* The types of a derivative's functions (request/request.h says what they mean). */
LLVMTypeRef nb_type_forward(NbContext *context, const NbRequest *request);
LLVMTypeRef nb_type_recorded(NbContext *context, const NbRequest *request);
LLVMTypeRef nb_type_augmented(NbContext *context, const NbRequest *request);
LLVMTypeRef nb_type_reverse(NbContext *context, const NbRequest *request);
LLVMTypeRef nb_type_combined(NbContext *context, const NbRequest *request, bool primal);

/* Declares a function of a derivative; `part` goes into its name. */
LLVMValueRef nb_derive_declare(NbContext *context, const NbRequest *request, const char *part,
                               LLVMTypeRef type);
/* Gives one its name, lines and variables for debuggers, where the primal has such. */
void nb_derive_debug(const NbRequest *request, LLVMValueRef function, const char *part);
/* Puts a new derivative behind all others. */
void nb_derive_remember(NbContext *context, NbDerivative *derivative);
/* Where a callee's derivative has a test, another is made for memory that lies apart, and its
 * functions become choices between the two. */
void nb_versions_make(NbContext *context, NbDerivative *derivative);

#endif
