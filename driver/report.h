/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* What `nabla explain` shows: the records of a compilation (docs/explain.md), sorted by the lines
 * of the source and by derivatives, and the ways to write it down. Everything lives in one arena.
 */
#ifndef NABLA_REPORT_H
#define NABLA_REPORT_H

#include "base/map.h"

#include <stdio.h>

/* Letters of a total that has no line for itself, or that a chip has. */
enum { TOTAL_SHORT = 32 };

/* What is said of a line, the gravest last. */
typedef enum {
  NOTE_DERIVATIVE, /* a function that begins here has one */
  NOTE_LOOP,
  NOTE_ACTIVE,
  NOTE_CALL,
  NOTE_COMPUTE,
  NOTE_RELOAD,
  NOTE_KEPT,
  NOTE_REQUEST, /* a derivative is asked for here */
  NOTE_WARNING,
  NOTE_ERROR,
  NOTE_KINDS
} NoteKind;

/* A value that is kept for the reverse sweep: so many bits (0: where another is kept at other
 * times), and how often that (a formula in trip counts; "": once). */
typedef struct {
  unsigned long long bits;
  const char *often, *what, *why;
  const char *each; /* "": time */
} Kept;

/* What a statement needs besides tangents, and how it gets to the reverse sweep ("": there is
 * none). */
typedef struct {
  const char *role, *place, *text;
} Operand;

typedef struct {
  const char *loop; /* index, or "" */
  const char *kind, *text;
  unsigned line;
  NbList operands; /* Operand */
} Statement;

typedef struct {
  const char *index, *parent; /* parent: "" where there is none */
  const char *trips;          /* a formula; "": it changes */
  unsigned line;
} Loop;

/* A function of a derivative, as C. */
typedef struct {
  const char *name, *text;
} Written;

struct Derivative;

typedef struct {
  NoteKind kind;
  const char *text;
  const struct Derivative *derivative; /* NULL: of none */
  const char *file;                    /* of a message; "": not known */
  unsigned line;
  const Kept *kept;  /* KEPT; NULL */
  const char *asked; /* REQUEST: the function, as derivatives name it; NULL */
} Note;

typedef struct {
  const char *text;
  NbList notes; /* Note */
} Line;

typedef struct Derivative {
  const char *number, *mode, *name, *roles, *state;
  const char *symbol; /* that of the function; name is for people */
  const char *file;   /* "": not known */
  unsigned line;
  unsigned counts[NOTE_KINDS];
  NbList kept, statements, loops;
  NbList written; /* Written */
  Line unplaced;  /* what is said of no line */
} Derivative;

typedef struct {
  const char *path, *name;
  bool found;       /* are its lines known? */
  const char *from; /* the file with #line in which they stand; NULL: the source itself */
  bool whole;       /* is all of it shown, or only what stands around notes? */
  NbList lines;
} Source;

typedef struct {
  NbArena *arena;
  const char *command; /* as the user gave it */
  NbList given;        /* the names of source files on the command line */
  const char *input;   /* the file with what came from standard input; NULL: nothing did */
  NbList sources, derivatives, messages;
} Report;

/* Reads the records into an empty report with an arena, and the sources that they speak of. False
 * where they cannot be read. */
bool report_read(Report *report, const char *records);
/* Leaves out all derivatives but those of functions that have one of the names (char *), and what
 * is said of them. Returns the first name that is of none, or NULL. */
const char *report_choose(Report *report, const NbList *names);
/* The line of a source, which is read where it was not; NULL: there is none of the number. */
Line *report_line(Report *report, const char *path, unsigned number);
/* What is said beside the path of a source whose own text is not what is shown; else "". */
const char *report_origin(const Report *report, const Source *source);
/* All that is kept (Kept), in bytes, as a formula. */
const char *report_total(const Report *report, const NbList *kept);
/* The same in few words: where that is long, what an iteration keeps, if iterations keep all of it.
 */
const char *report_short_total(const Report *report, const NbList *kept);
/* So many bytes, rounded up: "1 byte". */
const char *report_bytes(const Report *report, unsigned long long bits);
/* How much one value takes, and how much in total. */
const char *report_amount(const Report *report, const Kept *kept);
/* The source of the derivative, and the lines that its function seems to have, counted from 0: up
 * to a bracket at the beginning of a line, or an `end` in Fortran. NULL where it is not known. */
const Source *report_function(const Report *report, const Derivative *derivative, unsigned *first,
                              unsigned *end);
/* Has the function's symbol a form that it has in Fortran? */
bool report_is_fortran(const Derivative *derivative);
/* Has the compiler given it up? */
bool report_is_refused(const Derivative *derivative);
/* Is the line, counted from 0, shown? */
bool report_shows(const Source *source, unsigned index);
/* What a kind of note is called. */
const char *report_kind(NoteKind kind);

/* False: not all could be written. */
bool report_write_text(const Report *report, FILE *out);
bool report_write_html(const Report *report, FILE *out);
/* Of the page: each derivative as C beside its function, and as a picture, of which the reader
 * chooses one. */
void report_write_derivatives(const Report *report, FILE *out);
/* Is there anything of the derivative to be shown there? */
bool report_is_shown(const Derivative *derivative);
/* The linear program and the plan as SVG. */
void report_write_picture(const Report *report, const Derivative *derivative, FILE *out);
/* Text of an HTML or SVG document. */
void report_write_escaped(const char *text, FILE *out);

#endif
