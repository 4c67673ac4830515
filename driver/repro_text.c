/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* What nabla repro packs: sources, preprocessed, as one text. */

/* realpath and strncasecmp are POSIX's, not C's. */
#define _XOPEN_SOURCE 700

#include "child.h"
#include "packer.h"
#include "reduce.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { INCLUDES_DEPTH_MAX = 16, OWN_LINES_MAX = 4000 };

bool write_file(const char *path, const char *text) {
  FILE *out = fopen(path, "w");
  return out && (fputs(text, out), fclose(out) == 0);
}

/* --- Lines ----------------------------------------------------------------------------------- */

static unsigned count_lines(const char *text) {
  unsigned count = 0;
  for (; (text = strchr(text, '\n')) != NULL; text++)
    count++;
  return count;
}

static bool is_between_names(const char *at) {
  return isspace((unsigned char)*at) || (at[0] == '\\' && at[1] == '\n');
}

/* Puts the next file of a list as make reads it into `name`, empty where there is none, and returns
 * where it ends. */
static const char *next_name(const char *at, char *name) {
  while (is_between_names(at))
    at++;
  for (; *at && !is_between_names(at); at++) {
    if (at[0] == '\\' && at[1])
      at++;
    *name++ = *at;
  }
  *name = 0;
  return at;
}

static unsigned count_lines_of(const char *path) {
  NbArena *arena = nb_arena_new();
  const char *text = read_text(arena, path);
  unsigned lines = text ? count_lines(text) : 0;
  nb_arena_free(arena);
  return lines;
}

/* In the files that the preprocessor has listed, behind what is made of them. Of a library that is
 * all headers only the sources that use it count. */
static unsigned count_own_lines(const Packer *packer) {
  NbArena *arena = nb_arena_new();
  const char *list = read_text(arena, packer->own);
  const char *at = list ? strchr(list, ':') : NULL;
  char *name = at ? nb_arena_print(arena, "%s", at) : NULL;
  unsigned lines = 0, first = 0;
  at = at ? next_name(at + 1, name) : NULL;
  for (; at && *name; at = next_name(at, name)) {
    lines += count_lines_of(name);
    first = first ? first : lines;
  }
  nb_arena_free(arena);
  return lines > OWN_LINES_MAX ? first : lines;
}

/* --- The preprocessor ------------------------------------------------------------------------ */

/* So that the text has no folders: __FILE__ is the name of a file alone. */
static const char *const nameless[] = {"-Wno-builtin-macro-redefined", "-D__FILE__=__FILE_NAME__",
                                       "-D__BASE_FILE__=__FILE_NAME__", NULL};

/* What the arguments make of their source, without its comments; NULL where it cannot be had, which
 * was said. */
static const char *preprocess(Packer *packer, NbList *list) {
  bool fortran = packer->language == LANGUAGE_FORTRAN;
  const char *const how[] = {"-E",  "-P",        "-MMD",
                             "-MF", packer->own, "-Wno-unused-command-line-argument"};
  for (unsigned i = 0; i < (fortran ? 2 : sizeof how / sizeof *how); i++)
    nb_list_push(list, (void *)how[i]);
  for (unsigned i = 0; !fortran && nameless[i]; i++)
    nb_list_push(list, (void *)nameless[i]);
  nb_list_push(list, (void *)"-o");
  nb_list_push(list, packer->candidate);
  if (run_compile(own_name, packer->language, list, NULL, SECONDS_EACH) != 0)
    return NULL;
  packer->lines = count_own_lines(packer);
  return read_text(packer->arena, packer->candidate);
}

/* The folder that a source is in, which Fortran includes from. */
static void add_folder_of(Packer *packer, const char *source) {
  const char *slash = strrchr(source, '/');
  int length = slash ? (int)(slash - source) : 0;
  if (length)
    nb_list_push(&packer->folders, nb_arena_print(packer->arena, "-I%.*s", length, source));
}

static bool is_given(const Arguments *arguments, const char *source) {
  for (unsigned i = 0; i < arguments->sources.count; i++)
    if (arguments->sources.items[i] == source)
      return true;
  return false;
}

/* What the arguments of the compiler, without those that end it, make of the source. */
static const char *preprocess_source(Packer *packer, const char *source) {
  NbList given = nb_list(packer->arena), list = nb_list(packer->arena);
  add_for_source(&packer->arguments, source, &given);
  for (unsigned i = 0; i < given.count; i++)
    if (!is_stop(given.items[i]))
      nb_list_push(&list, given.items[i]);
  if (!is_given(&packer->arguments, source))
    nb_list_push(&list, (void *)source);
  return preprocess(packer, &list);
}

/* The file that a line of Fortran includes; NULL: none that is in the folders. */
static const char *included_by(const Packer *packer, const char *line) {
  static const char word[] = "include";
  line += strspn(line, " \t");
  const char *start = line + strlen(word);
  if (strncasecmp(line, word, strlen(word)) != 0)
    return NULL;
  start += strspn(start, " \t");
  const char *end = *start == '"' || *start == '\'' ? strchr(start + 1, *start) : NULL;
  for (unsigned i = 0; end && i <= packer->folders.count; i++) {
    const char *option = i < packer->folders.count ? packer->folders.items[i] : "-I.";
    const char *path = nb_arena_print(packer->arena, "%s/%.*s", option + strlen("-I"),
                                      (int)(end - start - 1), start + 1);
    if (access(path, R_OK) == 0)
      return path;
  }
  return NULL;
}

static const char *with_includes(Packer *packer, const char *text, const char *ending,
                                 unsigned depth);

/* The text of an included file, which is in the form of the source that `ending` tells. */
static const char *text_of_included(Packer *packer, const char *path, const char *ending,
                                    unsigned depth) {
  const char *copy = nb_arena_print(packer->arena, "%s/included%s", packer->folder, ending);
  const char *text = read_text(packer->arena, path);
  text = text && write_file(copy, text) ? preprocess_source(packer, copy) : NULL;
  return text ? with_includes(packer, text, ending, depth + 1) : NULL;
}

/* In Fortran a line includes a file, which the preprocessor leaves as it is. */
static const char *with_includes(Packer *packer, const char *text, const char *ending,
                                 unsigned depth) {
  const char *all = "", *start = text;
  for (const char *line = text; *line && depth < INCLUDES_DEPTH_MAX; line = end_of_line(line)) {
    const char *path = included_by(packer, line);
    const char *included = path ? text_of_included(packer, path, ending, depth) : NULL;
    if (!included)
      continue;
    all = nb_arena_print(packer->arena, "%s%.*s%s", all, (int)(line - start), start, included);
    start = end_of_line(line);
  }
  return nb_arena_print(packer->arena, "%s%s", all, start);
}

/* --- IR -------------------------------------------------------------------------------------- */

/* Where the file's name begins in a path of so many characters. */
static const char *last_part_of(const char *path, size_t length) {
  const char *part = path;
  for (size_t i = 0; i < length; i++)
    if (path[i] == '/')
      part = path + i + 1;
  return part;
}

/* What stays of what is in quotes from `at` on: of a path the file's name, of a folder nothing. */
static const char *nameless_part(const char *line, const char *at, const char *close) {
  static const char folder[] = "directory: ";
  size_t length = sizeof folder - 1, before = (size_t)(at - 1 - line);
  bool is_folder = before >= length && strncmp(at - 1 - length, folder, length) == 0;
  return is_folder ? close : last_part_of(at, (size_t)(close - at));
}

/* Copies a line of IR that says where a source lies. Returns where the copy ends. */
static char *copy_nameless(char *to, const char *line, const char *end) {
  for (const char *at = line; at < end;) {
    char quote = *at++;
    *to++ = quote;
    const char *close =
        quote == '"' || quote == '\'' ? memchr(at, quote, (size_t)(end - at)) : NULL;
    if (!close)
      continue;
    at = nameless_part(line, at, close);
    memcpy(to, at, (size_t)(close - at));
    to += close - at;
    at = close;
    *to++ = *at++;
  }
  return to;
}

/* The text of IR, which has the names of folders in lines of metadata and at its start. */
static const char *without_folders(NbArena *arena, const char *text) {
  char *copy = nb_arena_alloc(arena, strlen(text) + 1), *to = copy;
  for (const char *line = text, *end; *line; line = end) {
    end = end_of_line(line);
    bool names =
        line[0] == '!' || starts_with(line, "source_filename") || starts_with(line, "; ModuleID");
    if (names) {
      to = copy_nameless(to, line, end);
    } else {
      memcpy(to, line, (size_t)(end - line));
      to += end - line;
    }
  }
  *to = '\0';
  return copy;
}

const char *text_of(Packer *packer, const char *source) {
  bool fortran = packer->language == LANGUAGE_FORTRAN && packer->kind->comment[0] == '!';
  if (!packer->kind->preprocessed && !fortran) {
    const char *ir = read_text(packer->arena, source);
    return ir ? without_folders(packer->arena, ir) : NULL;
  }
  if (fortran)
    add_folder_of(packer, source);
  const char *text = preprocess_source(packer, source);
  const char *ending = strrchr(source, '.');
  return text && fortran ? with_includes(packer, text, ending ? ending : "", 0) : text;
}

const char *text_of_all(Packer *packer) {
  const NbList *sources = &packer->arguments.sources;
  char *all = nb_arena_print(packer->arena, "%s/all%s", packer->folder, packer->kind->written);
  const char *text = "";
  for (unsigned i = 0; i < sources->count; i++) {
    char *path = realpath(sources->items[i], NULL);
    text = nb_arena_print(packer->arena, "%s#include \"%s\"\n", text,
                          path ? path : (char *)sources->items[i]);
    free(path);
  }
  NbList list = nb_list(packer->arena);
  add_for_source(&packer->arguments, all, &list);
  nb_list_push(&list, all);
  text = write_file(all, text) ? preprocess(packer, &list) : NULL;
  unlink(all);
  return text;
}
