/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* What nabla repro writes: a source, and in comments at its start the arguments that compile it and
 * the files that it needs besides. */
#ifndef NABLA_PACKED_H
#define NABLA_PACKED_H

#include "arguments.h"

#include <stdio.h>

/* A file of text that the compilation reads besides its source. */
typedef struct {
  const char *path, *name, *text;
} PackedFile;

typedef struct {
  NbArena *arena;
  NbList options; /* of the compiler, in which files are those of the user's folders */
  NbList files;   /* PackedFile, each with a name of its own */
} Packed;

Packed packed_new(NbArena *arena);
/* Adds an option, and the rule files or the like that it names; `value`: of an option in two
 * arguments, or NULL. */
void packed_add_option(Packed *packed, const char *option, const char *value);
/* What the environment says to the plugin becomes arguments, but for what `all`, the user's, say
 * otherwise, and is no more in the environment. */
void packed_take_environment(Packed *packed, const NbList *all);
/* Adds the modules of Fortran that the text uses, and those that these use, from the `folders`. */
void packed_add_modules(Packed *packed, const NbList *folders, const char *text);
/* The text in which files that are packed are named as they are there. */
const char *packed_without_folders(const Packed *packed, const char *text);
/* Writes what stands before the source; each line begins with `comment`. */
void packed_write(const Packed *packed, const char *comment, FILE *out);
/* Compiles a file that was written so, as its comments say and then the `others`. Returns the exit
 * status. */
int packed_compile(NbArena *arena, const char *own_name, Language language, char *file,
                   const NbList *others);
/* Likewise, while signals are held; what the compiler says goes into the file `says`. */
int packed_try(NbArena *arena, const char *own_name, Language language, char *file,
               const NbList *others, const char *says);

#endif
