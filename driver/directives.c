/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/*
 * Enzyme's directives in Fortran (`!dir$ enzyme inactive`, `!$enzyme ...`), which are not served.
 *
 * flang takes them for comments, and would compile a program that means something else. So the
 * driver reads the sources for them, before flang does, and what these include, if it lies beside
 * them or in a directory that -I names.
 */

/* getline and strncasecmp are POSIX's, not C's. */
#define _XOPEN_SOURCE 700

#include "base/arena.h"
#include "driver.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { DEEPEST_INCLUDE = 16 };

/* The arguments of the compiler, and what is found. */
typedef struct Search {
  NbArena *arena;
  int count;
  char **arguments;
  int found;
} Search;

/* Is this a source of Fortran, and one in which comments may begin with a letter or a star? */
static bool is_source(const char *path, bool *fixed) {
  static const char *const endings[] = {"f",   "for", "ftn", "f77", "f90",
                                        "f95", "f03", "f08", "f18", "fpp"};
  enum { FIXED_COUNT = 4 };
  const char *dot = strrchr(path, '.');
  for (int i = 0; dot && path[0] != '-' && i < (int)(sizeof endings / sizeof *endings); i++) {
    *fixed = i < FIXED_COUNT;
    if (strcasecmp(dot + 1, endings[i]) == 0)
      return true;
  }
  return false;
}

static const char *skip_blanks(const char *text) { return text + strspn(text, " \t"); }

/* Moves `*text` behind a word, in whatever case; false if it is another one. */
static bool take(const char **text, const char *word) {
  size_t length = strlen(word);
  if (strncasecmp(*text, word, length) != 0)
    return false;
  *text += length;
  return true;
}

/* A directive begins a comment: in free form behind blanks, in fixed form in the first column. */
static bool is_directive(const char *line, bool fixed) {
  const char *text = skip_blanks(line);
  if (*text != '!' && !(fixed && text == line && *text && strchr("cC*", *text)))
    return false;
  text++;
  if (take(&text, "dir$"))
    text = skip_blanks(text);
  else if (!take(&text, "$"))
    return false;
  return take(&text, "enzyme") && !isalnum((unsigned char)*text) && *text != '_';
}

/* The name behind `include` or `#include`, in quotes; NULL where the line is another one. */
static char *included(const Search *search, const char *line) {
  const char *text = skip_blanks(line);
  if (*text == '#')
    text = skip_blanks(text + 1);
  if (!take(&text, "include"))
    return NULL;
  text = skip_blanks(text);
  const char *end = *text == '"' || *text == '\'' ? strchr(text + 1, *text) : NULL;
  return end ? nb_arena_print(search->arena, "%.*s", (int)(end - text - 1), text + 1) : NULL;
}

/* The directory that argument `index` adds to those in which includes are looked for; NULL: none.
 */
static const char *added_directory(const Search *search, int index) {
  const char *argument = search->arguments[index];
  if (strncmp(argument, "-I", 2) != 0)
    return NULL;
  if (argument[2])
    return argument + 2;
  return index + 1 < search->count ? search->arguments[index + 1] : NULL;
}

static FILE *open_included(const Search *search, const char *includer, const char *name,
                           const char **path) {
  const char *slash = strrchr(includer, '/');
  int length = slash && name[0] != '/' ? (int)(slash - includer) + 1 : 0;
  *path = nb_arena_print(search->arena, "%.*s%s", length, includer, name);
  FILE *file = fopen(*path, "r");
  for (int i = 0; !file && i < search->count; i++) {
    const char *directory = added_directory(search, i);
    if (!directory)
      continue;
    *path = nb_arena_print(search->arena, "%s/%s", directory, name);
    file = fopen(*path, "r");
  }
  return file;
}

static void report_line(Search *search, const char *path, int number, const char *line) {
  fprintf(stderr,
          "%s:%d:%d: error: Enzyme's directives are not served yet, and without them the program "
          "means something else; say it at the call, by a marker such as enzyme_const "
          "[nabla: entry-unsupported]\n",
          path, number, (int)(skip_blanks(line) - line) + 1);
  search->found++;
}

/* Says where there are directives in a file, and closes it; one that cannot be read (NULL) is
 * flang's to complain of. */
static void report_file(Search *search, FILE *file, const char *path, bool fixed, int depth) {
  char *line = NULL;
  size_t room = 0;
  for (int number = 1; file && getline(&line, &room, file) >= 0; number++) {
    const char *name = depth ? included(search, line) : NULL;
    if (is_directive(line, fixed))
      report_line(search, path, number, line);
    const char *inner = NULL;
    FILE *more = name ? open_included(search, path, name, &inner) : NULL;
    if (more)
      report_file(search, more, inner, fixed, depth - 1);
  }
  free(line);
  if (file)
    fclose(file);
}

/* Does the word behind `-x` say that sources of Fortran follow, in free form? */
static bool names_fortran(const char *language) { return strncmp(language, "f95", 3) == 0; }

int report_directives(int count, char **arguments) {
  Search search = {nb_arena_new(), count, arguments, 0};
  bool told = false;
  for (int i = 0; i < count; i++) {
    bool fixed = false;
    const char *before = i > 0 ? arguments[i - 1] : "";
    const char *argument = arguments[i];
    if (strcmp(before, "-x") == 0)
      told = names_fortran(argument);
    bool is_value = strcmp(before, "-o") == 0 || strcmp(before, "-x") == 0;
    if (!is_value && (is_source(argument, &fixed) || (told && argument[0] != '-')))
      report_file(&search, fopen(argument, "r"), argument, fixed, DEEPEST_INCLUDE);
  }
  nb_arena_free(search.arena);
  return search.found;
}
