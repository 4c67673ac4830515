/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/*
 * Enzyme's directives in Fortran (`!dir$ enzyme inactive`, `!$enzyme ...`), which are not served.
 *
 * flang takes them for comments, and would compile a program that means something else. So the
 * driver reads the sources for them, before flang does: what flang includes is not read.
 */

/* getline and strncasecmp are POSIX's, not C's. */
#define _XOPEN_SOURCE 700

#include "driver.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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

/* Says where there are directives in a file; one that cannot be read is flang's to complain of. */
static int report_file(const char *path, bool fixed) {
  FILE *file = fopen(path, "r");
  char *line = NULL;
  size_t room = 0;
  int found = 0;
  for (int number = 1; file && getline(&line, &room, file) >= 0; number++) {
    if (!is_directive(line, fixed))
      continue;
    fprintf(stderr,
            "%s:%d:%d: error: Enzyme's directives are not served yet, and without them the program "
            "means something else; say it at the call, by a marker such as enzyme_const "
            "[nabla: entry-unsupported]\n",
            path, number, (int)(skip_blanks(line) - line) + 1);
    found++;
  }
  free(line);
  if (file)
    fclose(file);
  return found;
}

int report_directives(int count, char **arguments) {
  int found = 0;
  for (int i = 0; i < count; i++) {
    bool fixed = false;
    bool is_output = i > 0 && strcmp(arguments[i - 1], "-o") == 0;
    if (!is_output && is_source(arguments[i], &fixed))
      found += report_file(arguments[i], fixed);
  }
  return found;
}
