/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* A compilation that nabla repro packs. */
#ifndef NABLA_PACKER_H
#define NABLA_PACKER_H

#include "child.h"
#include "packed.h"

#include <sys/types.h>
#include <time.h>

enum { SECONDS_EACH = 60 };

/* What can be packed, by the ending of the source. */
typedef struct {
  const char *ending, *written; /* of what is packed */
  const char *comment;
  bool preprocessed;
} Kind;

typedef struct {
  NbArena *arena;
  Language language;
  Arguments arguments;
  Packed packed;  /* but for the source */
  NbList folders; /* of Fortran's modules, which are not said */
  const Kind *kind;
  char *folder, *candidate, *says, *used, *own; /* while it lasts */
  unsigned lines;      /* of the sources, and of headers that are not the system's */
  const char *failure; /* what is to stay; NULL: nothing fails */
  const char *other;   /* an error that is not nabla's; NULL: none */
  bool strict;         /* it fails where what has no meaning is an error */
  int status;          /* of the last compilation */
  time_t end;
  pid_t process;      /* the first, of which workers are children */
  const char *whole;  /* the file that is made smaller; NULL: none is now */
  size_t left;        /* the bytes that it has now */
  time_t began, said; /* when that began, and when progress was said last */
} Packer;

/* Of the program, for messages. */
extern const char own_name[];

/* Replaces what a file has; false where it cannot. */
bool write_file(const char *path, const char *text);
/* The source as one text, without its comments; NULL where it cannot be had, which was said.
 * flang's text is of free and of fixed form. */
const char *text_of(Packer *packer, const char *source);
/* All sources as one text, in which headers that guard themselves stand once; NULL likewise. */
const char *text_of_all(Packer *packer);

/* Around what makes the text smaller; what says how far that is may be called at any time. */
void begin_progress(Packer *packer, const char *output, const char *text);
void say_progress(Packer *packer);
void end_progress(Packer *packer);

#endif
