/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* Which of the user's arguments are packed. */
#ifndef NABLA_REPRO_OPTIONS_H
#define NABLA_REPRO_OPTIONS_H

#include "packed.h"

/* Adds to `packed` what says how the preprocessed source is compiled; `folders` (-I...) are those
 * of Fortran's modules. */
void choose_options(Language language, const Arguments *arguments, Packed *packed, NbList *folders);
/* Those of the user's arguments, behind a blank each, that say what the code is compiled by and no
 * source can have: profiles, and what measures; "": there are none. */
const char *unpacked_options(NbArena *arena, const Arguments *arguments);
/* Does the option speak of the machine or of files that are not packed? */
bool is_of_machine(const Packed *packed, unsigned index);
/* With how many arguments the option at this place may go where it does not matter: with its value;
 * 0: it stays, as the level does, or is the value of the one before. */
unsigned arguments_to_drop(const Packed *packed, unsigned index);

#endif
