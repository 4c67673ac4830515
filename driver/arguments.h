/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* The user's arguments, where the driver compiles for itself: what they mean. */
#ifndef NABLA_ARGUMENTS_H
#define NABLA_ARGUMENTS_H

#include "base/map.h"
#include "driver.h"

typedef struct {
  NbArena *arena;
  const char *output; /* what -o names; NULL: nothing */
  const char *kind;   /* what -x says of the last files; NULL: nothing */
  NbList all;         /* without -o, and without those that write files beside it */
  NbList sources;     /* of these the source files */
} Arguments;

/* The text of a file; NULL where it cannot be read. */
const char *read_text(NbArena *arena, const char *path);
/* `count` arguments, without the program's name; those in files (@FILE) among them. */
Arguments read_arguments(NbArena *arena, int count, char **arguments);
bool takes_value(const char *option);
/* Does it write a file beside the output, which is not wanted where that is thrown away? */
bool writes_beside(const char *option);
/* Does its name end as those of sources do? */
bool is_source(const char *argument);
/* The same, and of which language, by that ending alone. */
bool is_source_of(const char *argument, Language *language);
bool is_any(const char *text, const char *const *words);
/* The arguments, and in the place of @FILE, where there is such a file, those that stand in it. */
NbList read_files(NbArena *arena, int count, char **arguments);
/* The same, for a compiler of C++: around each file of C stands that it is one, unless the user
 * says by -x what it is. */
NbList each_as_named(NbArena *arena, int count, char **arguments);
/* Does the compiler end before the link step where it is given this (-c, -S, ...)? */
bool is_stop(const char *argument);
/* Do they hold such a one? */
bool stop_before_link(const Arguments *arguments);
/* Do they compile and link with -flto? */
bool link_with_lto(const Arguments *arguments);
/* The arguments with no source but `source` (NULL: with all), behind what is in the list. */
void add_for_source(const Arguments *arguments, const char *source, NbList *list);
/* As a shell would take it. */
const char *quote_argument(NbArena *arena, const char *argument);
/* As a person reads them, behind `command`. */
const char *join_arguments(const Arguments *arguments, const char *command);

#endif
