// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Arguments that Fortran passes by a descriptor. */
#ifndef NABLA_REQUEST_DESCRIPTORS_H
#define NABLA_REQUEST_DESCRIPTORS_H

#include "request/serving.h"

/* At the start of the pipeline, before calls are rewritten: notes which operands of these calls are
 * descriptors. */
void nb_descriptors_note_calls(NbContext *context, const NbList *calls);
/* The same of the parameters of all functions. Returns true where there are any. */
bool nb_descriptors_note(NbContext *context);
/* Takes the notes of functions away. */
void nb_descriptors_forget(const NbContext *context);
/* Refuses an operand of the served call that is a descriptor where parameter `index` is none, and
 * the reverse. */
bool nb_descriptors_check(const NbServing *serving, unsigned operand, unsigned index);

#endif
