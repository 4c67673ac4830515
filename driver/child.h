/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* Compilers that the driver runs as its children, and what is there only meanwhile. */
#ifndef NABLA_CHILD_H
#define NABLA_CHILD_H

#include "base/map.h"
#include "driver.h"

/* The status of a child that a signal ended is its number, and this. */
enum { STATUS_OF_SIGNAL = 128 };

/* The folder that new ones are made in. */
const char *temporary_parent(void);
/* A new folder for files that are there only meanwhile; NULL where there is none, which was said.
 */
char *make_folder(NbArena *arena, const char *name);
/* With all that is in it. */
void remove_folder(const char *folder);
/* Signals that end a program wait from now on, so that what is there meanwhile can be removed. A
 * child that is waited for gets them at once. */
void hold_signals(void);
/* Is one of them waiting? */
bool is_stopped(void);
/* Signals come again: one that waits ends the program. */
void release_signals(void);
/* Runs the compiler with the plugin in a child, without a shell. `says`: a file for what it writes,
 * or NULL; `seconds`: after which it ends, or 0. Returns the exit status; that of a signal is
 * STATUS_OF_SIGNAL and its number. */
int run_compile(const char *name, Language language, NbList *list, const char *says,
                unsigned seconds);

#endif
