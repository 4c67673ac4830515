/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/*
 * The sources that records speak of, line by line.
 *
 * The compiler counts lines as #line says, and names the files that it names, which may be nowhere:
 * a program that wrote the source has read them. Then the lines are those of the file that was
 * compiled, each under the number that it has for the compiler.
 */

/* getline and realpath are POSIX's, not C's. */
#define _XOPEN_SOURCE 700

#include "report.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { AROUND = 3, LINES_MAX = 1000000 };

/* As clang and flang call standard input, NULL at the end. */
static const char *const of_input[] = {"<stdin>", "standard input", NULL};

/* --- Files ----------------------------------------------------------------------------------- */

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static bool is_same_file(const char *one, const char *other) {
  char *real = realpath(one, NULL);
  char *real_other = real ? realpath(other, NULL) : NULL;
  bool same = real_other && strcmp(real, real_other) == 0;
  free(real);
  free(real_other);
  return same;
}

static bool is_input(const char *name) {
  bool is = false;
  for (unsigned i = 0; of_input[i]; i++)
    is = is || strcmp(name, of_input[i]) == 0;
  return is;
}

/* The file that was given as this path; NULL: none was. */
static const char *given_as(const Report *report, const char *path) {
  if (report->input && is_input(base_name(path)))
    return report->input;
  for (unsigned i = 0; i < report->given.count; i++)
    if (is_same_file(report->given.items[i], path))
      return report->given.items[i];
  return NULL;
}

/* The file that is to be read for the source of that number on the command line. */
static const char *file_given(const Report *report, unsigned index) {
  const char *given = report->given.items[index];
  return strcmp(given, "-") == 0 && report->input ? report->input : given;
}

/* --- Lines ----------------------------------------------------------------------------------- */

/* A source that has changed, or is not there, may have too few lines. */
static Line *line_at(const Report *report, Source *source, unsigned number) {
  while (source->lines.count < number && number < LINES_MAX) {
    Line *line = NB_NEW(report->arena, Line);
    *line = (Line){"", nb_list(report->arena)};
    nb_list_push(&source->lines, line);
  }
  return number && number <= source->lines.count ? source->lines.items[number - 1] : NULL;
}

static void set_line(const Report *report, Source *source, unsigned number, const char *text) {
  Line *line = line_at(report, source, number);
  if (line)
    line->text = nb_arena_copy(report->arena, text, strcspn(text, "\r\n"));
}

/* A place as the compiler counts: the number of the next line, and whether it is the source's. */
typedef struct {
  unsigned number;
  bool own;
} Place;

static bool is_path_of(const char *path, const char *name, size_t length) {
  while (length > 2 && strncmp(name, "./", 2) == 0) {
    name += 2;
    length -= 2;
  }
  size_t all = strlen(path);
  return length && length <= all && strncmp(path + all - length, name, length) == 0 &&
         (length == all || path[all - length - 1] == '/');
}

/* Does the line say where the next one stands (`#line 7 "x.y"`, `# 7 "x.y" 2`)? */
static bool read_directive(const Source *source, const char *line, Place *place) {
  static const char word[] = "line";
  line += strspn(line, " \t");
  if (*line != '#')
    return false;
  line += 1 + strspn(line + 1, " \t");
  if (strncmp(line, word, sizeof word - 1) == 0)
    line += sizeof word - 1;
  line += strspn(line, " \t");
  if (!isdigit((unsigned char)*line))
    return false;
  char *end;
  place->number = (unsigned)strtoul(line, &end, 10);
  end += strspn(end, " \t");
  if (*end == '"')
    place->own = is_path_of(source->path, end + 1, strcspn(end + 1, "\""));
  return true;
}

/* Is what a file says of its own lines what they are anyway, as in the output of yacc? */
static bool counts_plainly(const Source *source, FILE *in) {
  char *text = NULL;
  size_t size = 0;
  bool plain = true;
  Place place = {1, true};
  for (unsigned physical = 1; getline(&text, &size, in) > 0; physical++)
    if (read_directive(source, text, &place) && place.own)
      plain = plain && place.number == physical + 1;
  free(text);
  rewind(in);
  return plain;
}

/* Takes the lines of the file that are the source's by what the file says; true: there are any. */
static bool take_lines(const Report *report, Source *source, FILE *in, bool own) {
  char *text = NULL;
  size_t size = 0;
  bool any = false;
  Place place = {1, own};
  while (getline(&text, &size, in) > 0) {
    if (read_directive(source, text, &place))
      continue;
    if (place.own)
      set_line(report, source, place.number, text);
    any = any || place.own;
    place.number++;
  }
  free(text);
  return any;
}

static void read_plainly(const Report *report, Source *source, FILE *in) {
  char *text = NULL;
  size_t size = 0;
  for (unsigned number = 1; getline(&text, &size, in) > 0; number++)
    set_line(report, source, number, text);
  free(text);
}

/* --- Sources --------------------------------------------------------------------------------- */

/* From what was compiled; it has no file of its own. */
static void find_lines(const Report *report, Source *source) {
  for (unsigned i = 0; i < report->given.count && !source->found; i++) {
    FILE *in = fopen(file_given(report, i), "r");
    source->found = in && take_lines(report, source, in, false);
    source->from = report->given.items[i];
    if (in)
      fclose(in);
  }
}

static void read_source(const Report *report, Source *source) {
  const char *given = given_as(report, source->path);
  FILE *in = fopen(given ? given : source->path, "r");
  source->found = in != NULL;
  source->whole = given && in && counts_plainly(source, in);
  if (!in)
    find_lines(report, source);
  else if (given && !source->whole)
    take_lines(report, source, in, true);
  else
    read_plainly(report, source, in);
  if (in)
    fclose(in);
}

static Source *source_of(Report *report, const char *path) {
  for (unsigned i = 0; i < report->sources.count; i++) {
    Source *known = report->sources.items[i];
    if (strcmp(known->path, path) == 0)
      return known;
  }
  Source *source = NB_NEW(report->arena, Source);
  *source = (Source){.path = path, .name = base_name(path), .lines = nb_list(report->arena)};
  read_source(report, source);
  nb_list_push(&report->sources, source);
  return source;
}

Line *report_line(Report *report, const char *path, unsigned number) {
  return line_at(report, source_of(report, path), number);
}

const char *report_origin(const Report *report, const Source *source) {
  if (!source->found)
    return " (cannot be read)";
  if (!source->from)
    return "";
  const char *from = strcmp(source->from, "-") == 0 ? of_input[0] : source->from;
  return nb_arena_print(report->arena, " (cannot be read; the lines that %s has of it)", from);
}

bool report_shows(const Source *source, unsigned index) {
  if (source->whole)
    return true;
  unsigned first = index < AROUND ? 0 : index - AROUND;
  for (unsigned i = first; i < source->lines.count && i <= index + AROUND; i++)
    if (((const Line *)source->lines.items[i])->notes.count)
      return true;
  return false;
}
