/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/*
 * nabla repro: one small file of a compilation that fails.
 *
 * The file is a source that stands by itself: preprocessed, without line marks, so that it names
 * neither folders nor the environment, and with the arguments that matter in comments at its start.
 * It is made smaller as long as nabla says the same, but for numbers, or breaks down in the same
 * place. `nabla repro --again FILE` compiles such a file as its comments say.
 */

/* realpath and fchdir are POSIX's, not C's. */
#define _XOPEN_SOURCE 700

#include "child.h"
#include "packer.h"
#include "prune.h"
#include "reduce.h"
#include "repro_options.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
  SECONDS_OWN = 90,
  SECONDS_ALL = 180,
  SECONDS_BULK = 20,
  SECONDS_LAST = 30,
  JOBS_MAX = 16,
  SIGNAL_OF_ALARM = 14
};

const char own_name[] = "nabla repro";

/* Any other is C++. */
static const Kind kinds[] = {{".c", ".c", "//", true},
                             {".i", ".c", "//", true},
                             {".ll", ".ll", ";", false},
                             {".f90", ".f90", "!", false}, /* any of Fortran */
                             {"", ".cpp", "//", true}};

/* --- Files ----------------------------------------------------------------------------------- */

/* In the packer's folder, which is there. */
static void choose_files(Packer *packer) {
  const char *folder = packer->folder;
  packer->candidate =
      nb_arena_print(packer->arena, "%s/candidate%s", folder, packer->kind->written);
  packer->says = nb_arena_print(packer->arena, "%s/says", folder);
  packer->used = nb_arena_print(packer->arena, "%s/used", folder);
  packer->own = nb_arena_print(packer->arena, "%s/own", folder);
}

/* Of Fortran, in the packer's folder. */
static void remove_modules(const Packer *packer) {
  DIR *folder = packer->language == LANGUAGE_FORTRAN ? opendir(packer->folder) : NULL;
  NbArena *arena = nb_arena_new();
  for (const struct dirent *entry; folder && (entry = readdir(folder)) != NULL;) {
    const char *ending = strrchr(entry->d_name, '.');
    if (ending && strcmp(ending, ".mod") == 0)
      unlink(nb_arena_print(arena, "%s/%s", packer->folder, entry->d_name));
  }
  if (folder)
    closedir(folder);
  nb_arena_free(arena);
}

static void remove_files(const Packer *packer) {
  unlink(packer->candidate);
  unlink(packer->says);
  unlink(packer->used);
  unlink(packer->own);
  remove_modules(packer);
}

/* A worker has a folder of its own. */
static void enter(void *data, unsigned slot) {
  Packer *packer = data;
  packer->folder = nb_arena_print(packer->arena, "%s/%u", packer->folder, slot);
  mkdir(packer->folder, 0700);
  choose_files(packer);
}

/* As many as there are cores. */
static unsigned count_jobs(void) {
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  return cores < 1 ? 1 : cores > JOBS_MAX ? JOBS_MAX : (unsigned)cores;
}

/* --- What fails ------------------------------------------------------------------------------ */

/* The text without its digits: lines and sizes change while a program is made smaller. */
static const char *without_digits(NbArena *arena, const char *start, size_t length) {
  char *text = nb_arena_copy(arena, start, length);
  char *to = text;
  for (const char *from = text; *from; from++)
    if (!isdigit((unsigned char)*from))
      *to++ = *from;
  *to = '\0';
  return text;
}

/* nabla's error, from behind "error: " to its name in brackets. */
static const char *refusal_in(NbArena *arena, const char *said) {
  const char *name = strstr(said, "[nabla: ");
  const char *start = name;
  while (start && start > said && start[-1] != '\n')
    start--;
  const char *error = start ? strstr(start, "error: ") : NULL;
  const char *end = name ? strchr(name, ']') : NULL;
  return error && end && error < name ? nb_arena_copy(arena, error, (size_t)(end + 1 - error))
                                      : NULL;
}

static const char *failure_in(NbArena *arena, const char *said, int status) {
  const char *refusal = refusal_in(arena, said);
  if (refusal || status == 0)
    return refusal;
  if (status == STATUS_OF_SIGNAL + SIGNAL_OF_ALARM)
    return "it does not end";
  const char *assertion = strstr(said, "Assertion `");
  if (assertion)
    return nb_arena_copy(arena, assertion, strcspn(assertion, "\n"));
  bool broken = status > STATUS_OF_SIGNAL || strstr(said, "Stack dump");
  return broken ? "the compiler breaks down" : NULL;
}

/* A program made smaller is not to lose its sense where it had one. */
static const char *const strict[] = {"-Werror=return-type", "-Werror=uninitialized",
                                     "-Werror=implicit-function-declaration", "-Wsystem-headers",
                                     NULL};

/* The modules that a candidate has are written where it is. */
static void add_folders(const Packer *packer, NbArena *arena, NbList *list) {
  nb_list_push(list, nb_arena_print(arena, "-J%s", packer->folder));
  for (unsigned i = 0; i < packer->folders.count; i++)
    nb_list_push(list, packer->folders.items[i]);
  nb_list_push(list, (void *)"-I.");
}

/* The arguments that compile the candidate, `last` among them. */
static NbList command_for(const Packer *packer, NbArena *arena, const char *const *last) {
  NbList list = nb_list(arena);
  for (unsigned i = 0; i < packer->packed.options.count; i++)
    nb_list_push(&list, packer->packed.options.items[i]);
  if (packer->language == LANGUAGE_FORTRAN)
    add_folders(packer, arena, &list);
  else
    nb_list_push(&list, (void *)"-fno-crash-diagnostics");
  for (unsigned i = 0; packer->strict && strict[i]; i++)
    nb_list_push(&list, (void *)strict[i]);
  for (; last && *last; last++)
    nb_list_push(&list, (void *)*last);
  nb_list_push(&list, (void *)"-c");
  nb_list_push(&list, packer->candidate);
  nb_list_push(&list, (void *)"-o");
  nb_list_push(&list, (void *)"/dev/null");
  return list;
}

/* Compiles the candidate. Returns how it fails; NULL: it does not, or for another reason. */
static const char *failure_of(Packer *packer, NbArena *arena, const char *const *last,
                              const char **said) {
  NbList list = command_for(packer, arena, last);
  packer->status = run_compile(own_name, packer->language, &list, packer->says, SECONDS_EACH);
  *said = read_text(arena, packer->says);
  return *said ? failure_in(arena, *said, packer->status) : NULL;
}

static bool is_same_failure(NbArena *arena, const char *one, const char *other) {
  return strcmp(without_digits(arena, one, strlen(one)),
                without_digits(arena, other, strlen(other))) == 0;
}

static bool is_alike(Packer *packer, NbArena *arena, const char *text, const char *const *last,
                     const char **said) {
  bool written = write_file(packer->candidate, text);
  const char *failure = written ? failure_of(packer, arena, last, said) : NULL;
  if (is_stopped())
    return false;
  return failure && is_same_failure(arena, failure, packer->failure);
}

static bool fails_alike(void *data, const char *text) {
  NbArena *arena = nb_arena_new();
  const char *said;
  bool alike = is_alike(data, arena, text, NULL, &said);
  nb_arena_free(arena);
  return alike;
}

/* Errors before nabla's own end the compilation: most candidates cost no more than their parsing.
 */
static bool fails_alike_saying(void *data, const char *text, bool all, NbArena *arena,
                               const char **said) {
  static const char *const whole[] = {"-ferror-limit=0", NULL}, *const first[] = {"-ferror-limit=1",
                                                                                  NULL};
  return is_alike(data, arena, text, all ? whole : first, said);
}

static const char *used_in(void *data, const char *text, NbArena *arena) {
  Packer *packer = data;
  const char *const last[] = {"-fsyntax-only",
                              nb_arena_print(arena, "-nabla-used=%s", packer->used), NULL};
  NbList list = command_for(packer, arena, last);
  if (!write_file(packer->candidate, text) ||
      run_compile(own_name, packer->language, &list, packer->says, SECONDS_EACH) != 0)
    return NULL;
  const char *lines = read_text(arena, packer->used);
  unlink(packer->used);
  return lines;
}

/* A worker whose parent is gone has no reason to go on. */
static bool is_late(void *data) {
  Packer *packer = data;
  say_progress(packer);
  bool alone = getpid() != packer->process && getppid() != packer->process;
  return alone || is_stopped() || time(NULL) > packer->end;
}

/* --- Packing --------------------------------------------------------------------------------- */

static const Kind *kind_of(const char *source) {
  const char *ending = strrchr(source, '.');
  const Kind *kind = kinds;
  Language language;
  if (is_source_of(source, &language) && language == LANGUAGE_FORTRAN)
    ending = ".f90";
  while (*kind->ending && (!ending || strcmp(kind->ending, ending) != 0))
    kind++;
  return kind;
}

/* Where the last so many lines begin. */
static size_t start_of_last(const char *text, unsigned lines) {
  size_t at = strlen(text);
  for (unsigned ends = 0; at > 0; at--)
    if (text[at - 1] == '\n' && ends++ == lines)
      break;
  return at;
}

/* The first line from `start` on that is outside of all brackets; `start` where there is none. */
static size_t first_outside(const char *text, size_t start) {
  unsigned depth = 0;
  for (const char *at = text; *at;) {
    if (at >= text + start && !depth && at > text && at[-1] == '\n')
      return (size_t)(at - text);
    bool quotes = *at == '"' || *at == '\'';
    depth += strchr("({[", *at) != NULL;
    depth -= depth && strchr(")}]", *at);
    at = quotes ? end_of_quotes(at) : at + 1;
  }
  return start;
}

/* A part of the text of which the rest stays in front. */
typedef struct {
  Packer *packer;
  const char *front;
} Behind;

static bool fails_alike_behind(void *data, const char *text) {
  const Behind *behind = data;
  NbArena *arena = nb_arena_new();
  bool alike = fails_alike(behind->packer, nb_arena_print(arena, "%s%s", behind->front, text));
  nb_arena_free(arena);
  return alike;
}

static void enter_behind(void *data, unsigned slot) { enter(((const Behind *)data)->packer, slot); }

static bool is_late_behind(void *data) { return is_late(((const Behind *)data)->packer); }

/* Calls `make_smaller` for the user's own lines, in headers too, which stand behind those of the
 * system's headers and may be all that is needed. */
static const char *with_own_lines(const Workers *workers, const char *text,
                                  const char *(*make_smaller)(NbArena *arena, const char *text,
                                                              const Workers *own)) {
  Packer *packer = workers->data;
  size_t start = first_outside(text, start_of_last(text, packer->lines));
  Behind behind = {packer, nb_arena_copy(packer->arena, text, start)};
  const Workers own = {workers->jobs, enter_behind, is_late_behind, &behind};
  text = make_smaller(packer->arena, text + start, &own);
  return fails_alike(packer, text) ? text
                                   : nb_arena_print(packer->arena, "%s%s", behind.front, text);
}

/* Most of many requests have nothing to do with what fails, and cost time in each attempt. */
static const char *without_requests(NbArena *arena, const char *text, const Workers *own) {
  return reduce(arena, text, PIECES_REQUESTS, fails_alike_behind, own);
}

/* What lines do not call goes with them, and what they compute on the way to what fails. */
static const char *without_lines(NbArena *arena, const char *text, const Workers *own) {
  const char *apart = with_statements_apart(arena, text);
  text = fails_alike_behind(own->data, apart) ? apart : text;
  const Behind *behind = own->data;
  text = shorten(arena, text, behind->packer->failure, fails_alike_behind, own);
  text = reduce(arena, text, PIECES_LINES, fails_alike_behind, own);
  text = shorten(arena, text, NULL, fails_alike_behind, own);
  return reduce(arena, text, PIECES_LINES, fails_alike_behind, own);
}

static const char *note_left(Packer *packer, const char *text) {
  packer->left = strlen(text);
  return text;
}

static const char *make_smaller(Packer *packer, const char *text) {
  time_t start = time(NULL);
  const Workers workers = {count_jobs(), enter, is_late, packer};
  const Asked asked = {fails_alike_saying, used_in, &workers};
  packer->end = start + SECONDS_ALL;
  if (packer->kind->preprocessed) {
    text = note_left(packer, prune_unused(packer->arena, text, &asked));
    text = note_left(packer, with_own_lines(&workers, text, without_requests));
    text = note_left(packer, prune_unused(packer->arena, text, &asked));
    packer->end = time(NULL) + SECONDS_OWN;
    text = note_left(packer, with_own_lines(&workers, text, without_lines));
    packer->end = time(NULL) + SECONDS_BULK;
    text = note_left(packer, reduce(packer->arena, text, PIECES_SCOPES, fails_alike, &workers));
    packer->end = start + SECONDS_ALL;
    text = note_left(packer, prune(packer->arena, text, &asked));
  }
  for (PieceKind kind = PIECES_SCOPES; kind <= PIECES_LINES; kind++)
    if (packer->kind->preprocessed || kind == PIECES_LINES)
      text = note_left(packer, reduce(packer->arena, text, kind, fails_alike, &workers));
  packer->end = time(NULL) + SECONDS_LAST;
  return packer->kind->preprocessed ? prune_unused(packer->arena, text, &asked) : text;
}

/* Lines that were taken apart count only where something of them went. */
static const char *smaller(Packer *packer, const char *text) {
  const char *made = make_smaller(packer, text);
  return strlen(made) < strlen(text) ? made : text;
}

/* Options go where it fails alike without them. */
static void drop_options(Packer *packer, const char *text) {
  NbList *options = &packer->packed.options;
  for (unsigned i = options->count; i-- > 0 && !is_late(packer);) {
    const NbList all = *options;
    unsigned count = arguments_to_drop(&packer->packed, i);
    if (!count)
      continue;
    *options = nb_list(packer->arena);
    for (unsigned j = 0; j < all.count; j++)
      if (j < i || j >= i + count)
        nb_list_push(options, all.items[j]);
    if (!fails_alike(packer, text))
      *options = all;
  }
}

/* Of the paths in what is said, which begin with a slash, the files' names. */
static const char *without_folders(NbArena *arena, const char *said) {
  char *text = nb_arena_print(arena, "%s", said), *to = text;
  while (*said) {
    const char *end = said + strcspn(said, " :;'");
    const char *part = end;
    while (*said == '/' && part > said && part[-1] != '/')
      part--;
    said = *said == '/' ? part : said;
    end += *end != '\0';
    memcpy(to, said, (size_t)(end - said));
    to += end - said;
    said = end;
  }
  *to = '\0';
  return text;
}

/* How the file that was written fails where nothing of the user's is; NULL: it does not. */
static const char *failure_alone(Packer *packer, const char *output) {
  NbArena *arena = packer->arena;
  char *path = realpath(output, NULL);
  int here = open(".", O_RDONLY | O_DIRECTORY);
  const char *failure = packer->failure;
  if (path && here >= 0 && chdir(packer->folder) == 0) {
    const NbList none = nb_list(arena);
    int status = packed_try(arena, own_name, packer->language, path, &none, packer->says);
    const char *said = read_text(arena, packer->says);
    failure = fchdir(here) == 0 && said ? failure_in(arena, said, status) : NULL;
  }
  if (here >= 0)
    close(here);
  free(path);
  return failure;
}

/* Of the same kind, though others may come first in what is smaller. */
static bool is_alike_alone(const Packer *packer, const char *failure) {
  const char *name = strstr(packer->failure, "[nabla: ");
  return failure && (!name || strstr(failure, name));
}

/* The options that are left and name files, behind a blank each; "": there are none. */
static const char *options_with_files(const Packer *packer) {
  const Packed *packed = &packer->packed;
  const char *text = "";
  for (unsigned i = 0; i < packed->options.count; i++) {
    const char *option = packed->options.items[i], *equals = strrchr(option, '=');
    if (is_of_machine(packed, i) && access(equals + 1, R_OK) == 0)
      text = nb_arena_print(packer->arena, "%s %s", text, option);
  }
  return text;
}

static int report_dependence(const Packer *packer, const char *output) {
  const char *options = options_with_files(packer);
  fprintf(stderr, "%s: %s does not fail so by itself: something that it needs is not in it%s%s\n",
          own_name, output, *options ? ", as what these options name:" : "", options);
  return STATUS_CANNOT;
}

static void write_packed(const Packer *packer, const char *text, FILE *out) {
  const char *comment = packer->kind->comment;
  Packed packed = packer->packed;
  packed.files = nb_list(packer->arena);
  for (unsigned i = 0; i < packer->packed.files.count; i++)
    nb_list_push(&packed.files, packer->packed.files.items[i]);
  if (packer->language == LANGUAGE_FORTRAN)
    packed_add_modules(&packed, &packer->folders, text);
  packed_write(&packed, comment, out);
  const char *failure = packer->failure ? packer->failure : "it compiles";
  failure = packed_without_folders(&packed, failure);
  fprintf(out, "%s %.*s\n", comment, (int)strcspn(failure, "\n"), failure);
  fputs(text, out);
}

/* Returns false where it cannot, which was said. */
static bool write_output(const Packer *packer, const char *output, const char *text) {
  FILE *out = fopen(output, "w");
  if (out) {
    write_packed(packer, text, out);
    bool written = !ferror(out);
    if (fclose(out) == 0 && written)
      return true;
  }
  fprintf(stderr, "%s: %s: %s\n", own_name, output, strerror(errno));
  return false;
}

/* A name that no source has is that of what the compiler makes: --again could not tell the
 * language. */
static const char *output_of(const Packer *packer) {
  const char *output = packer->arguments.output;
  if (output && is_source(output))
    return output;
  return nb_arena_print(packer->arena, "repro%s", packer->kind->written);
}

/* --again takes the language from the name. */
static bool is_named_as_other(const Packer *packer, const char *output) {
  bool bitcode = strcmp(strrchr(output, '.'), ".bc") == 0;
  return bitcode || strcmp(kind_of(output)->written, packer->kind->written) != 0;
}

static bool is_own_source(const Packer *packer, const char *output) {
  struct stat own, other;
  const NbList *sources = &packer->arguments.sources;
  bool same = false;
  for (unsigned i = 0; i < sources->count && stat(output, &own) == 0; i++)
    same = same || (stat(sources->items[i], &other) == 0 && own.st_dev == other.st_dev &&
                    own.st_ino == other.st_ino);
  return same;
}

/* Writes the smaller text under the failure that it shows by itself. Returns the exit status. */
static int write_smaller(Packer *packer, const char *output, const char *text) {
  if (!write_output(packer, output, text))
    return STATUS_CANNOT;
  if (is_stopped())
    return 0;
  const char *failure = failure_alone(packer, output);
  if (!is_alike_alone(packer, failure))
    return report_dependence(packer, output);
  packer->failure = without_folders(packer->arena, failure);
  return write_output(packer, output, text) ? 0 : STATUS_CANNOT;
}

static void report_smaller(const Packer *packer, const char *output, size_t whole, size_t left) {
  const char *failure = packer->failure;
  int length = (int)strcspn(failure, "\n");
  if (left < whole)
    printf("%s: %s, made smaller from %zu bytes to %zu: %.*s\n", own_name, output, whole, left,
           length, failure);
  else
    printf("%s: %s, whole, for no part of its %zu bytes was found that fails alike: %.*s\n",
           own_name, output, whole, length, failure);
}

/* It is there whole before it is made smaller. */
static int pack(Packer *packer, const char *text) {
  size_t whole = strlen(text);
  const char *output = output_of(packer);
  if (is_own_source(packer, output)) {
    fprintf(stderr, "%s: %s is the source, and would be lost: choose another name\n", own_name,
            output);
    return STATUS_CANNOT;
  }
  if (is_named_as_other(packer, output)) {
    fprintf(stderr, "%s: %s is not how a file of this language is named: it is to end with %s\n",
            own_name, output, packer->kind->written);
    return STATUS_CANNOT;
  }
  if (!write_output(packer, output, text))
    return STATUS_CANNOT;
  if (packer->failure) {
    begin_progress(packer, output, text);
    text = smaller(packer, text);
    packer->end = time(NULL) + SECONDS_LAST;
    drop_options(packer, text);
    end_progress(packer);
    int status = write_smaller(packer, output, text);
    if (status)
      return status;
    report_smaller(packer, output, whole, strlen(text));
  } else {
    printf("%s: %s, not made smaller, for it compiles: what is wrong must be said beside it\n",
           own_name, output);
  }
  printf("see it again: nabla repro --again %s\n", quote_argument(packer->arena, output));
  return 0;
}

/* The first line with an error in it, else the first line. */
static const char *error_in(NbArena *arena, const char *said) {
  const char *error = strstr(said, "error: ");
  const char *start = error ? error : said;
  return nb_arena_copy(arena, start, strcspn(start, "\n"));
}

static void find_failure(Packer *packer, const char *text) {
  const char *said;
  if (!write_file(packer->candidate, text))
    return;
  packer->strict = packer->language != LANGUAGE_FORTRAN;
  packer->failure = failure_of(packer, packer->arena, NULL, &said);
  if (packer->failure)
    return;
  packer->strict = false;
  packer->failure = failure_of(packer, packer->arena, NULL, &said);
  if (!packer->failure && packer->status != 0 && said && !packer->other)
    packer->other = error_in(packer->arena, said);
}

/* Some of what headers of the system say is an error elsewhere. */
static const char *find_failure_forgiving(Packer *packer, const char *text) {
  find_failure(packer, text);
  if (packer->failure || packer->status == 0 || !packer->kind->preprocessed)
    return text;
  const char *forgiven =
      nb_arena_print(packer->arena, "# 2 \"repro%s\" 3\n%s", packer->kind->written, text);
  find_failure(packer, forgiven);
  return packer->failure ? forgiven : text;
}

/* What -x says, where it does. */
static const Kind *kind_here(const Packer *packer, const char *source) {
  static const char *const words[][2] = {
      {"c", ".c"}, {"cpp-output", ".c"}, {"ir", ".ll"}, {"f95", ".f90"}, {"f95-cpp-input", ".f90"}};
  const char *said = packer->arguments.kind;
  for (size_t i = 0; said && i < sizeof words / sizeof *words; i++)
    if (strcmp(said, words[i][0]) == 0)
      return kind_of(words[i][1]);
  return kind_of(said ? "" : source);
}

static void choose_kind(Packer *packer, const char *source) {
  packer->kind = kind_here(packer, source);
  choose_files(packer);
}

/* --- What is not packed ---------------------------------------------------------------------- */

/* How the source fails with all that the user's arguments say; NULL: it does not. */
static const char *failure_as_given(Packer *packer, const char *source) {
  NbArena *arena = packer->arena;
  NbList given = nb_list(arena), list = nb_list(arena);
  static const char *const last[] = {"-fno-lto", "-c", "-o", "/dev/null"};
  add_for_source(&packer->arguments, source, &given);
  for (unsigned i = 0; i < given.count; i++)
    if (!is_stop(given.items[i]))
      nb_list_push(&list, given.items[i]);
  for (size_t i = 0; i < sizeof last / sizeof *last; i++)
    nb_list_push(&list, (void *)last[i]);
  int status = run_compile(own_name, packer->language, &list, packer->says, SECONDS_EACH);
  const char *said = read_text(arena, packer->says);
  return said ? failure_in(arena, said, status) : NULL;
}

/* Where it fails with options only that cannot be packed, this is said, and true. */
static bool needs_what_is_not_packed(Packer *packer) {
  const NbList *sources = &packer->arguments.sources;
  const char *options = unpacked_options(packer->arena, &packer->arguments);
  const char *failure = NULL;
  for (unsigned i = 0; *options && i < sources->count && !failure && !is_stopped(); i++) {
    choose_kind(packer, sources->items[i]);
    failure = failure_as_given(packer, sources->items[i]);
    remove_files(packer);
  }
  if (failure)
    fprintf(stderr,
            "%s: nothing is packed, for it fails only with%s, of which a source has nothing: %s\n",
            own_name, options, failure);
  return failure != NULL;
}

/* --- All of it ------------------------------------------------------------------------------- */

/* With -flto, several sources of one language are one program. */
static bool are_one(const Packer *packer) {
  const NbList *sources = &packer->arguments.sources;
  bool one = sources->count > 1 && link_with_lto(&packer->arguments);
  for (unsigned i = 0; i < sources->count && one; i++) {
    const Kind *kind = kind_of(sources->items[i]);
    one = kind->preprocessed && strcmp(kind->written, kind_of(sources->items[0])->written) == 0;
  }
  return one;
}

static int pack_together(Packer *packer) {
  choose_kind(packer, packer->arguments.sources.items[0]);
  const char *text = text_of_all(packer);
  int status = STATUS_CANNOT;
  if (text) {
    text = find_failure_forgiving(packer, text);
    if (is_stopped())
      status = STATUS_CANNOT;
    else if (packer->failure || packer->status == 0)
      status = pack(packer, text);
    else
      fprintf(stderr,
              "%s: with -flto the files are one program, and no compiler takes them as one "
              "file: what stands in two of them must have two names\n",
              own_name);
  }
  remove_files(packer);
  return status;
}

/* A source of Fortran may use what those before it define. */
static const char *try_source(Packer *packer, const char *source, const char **before) {
  const char *text = text_of(packer, source);
  if (!text)
    return NULL;
  text = find_failure_forgiving(packer, text);
  if (packer->language != LANGUAGE_FORTRAN)
    return text;
  *before = nb_arena_print(packer->arena, "%s%s", *before, text);
  if (packer->failure || packer->status == 0)
    return text;
  find_failure(packer, *before);
  return packer->failure ? *before : text;
}

/* Of several sources the first that fails, and its text; where none does, the first. */
static const char *choose_source(Packer *packer) {
  const NbList *sources = &packer->arguments.sources;
  const char *first = NULL, *before = "";
  const Kind *kind_of_first = NULL;
  for (unsigned i = 0; i < sources->count && !packer->failure && !is_stopped(); i++) {
    choose_kind(packer, sources->items[i]);
    const char *text = try_source(packer, sources->items[i], &before);
    remove_files(packer);
    if (text && (!first || packer->failure)) {
      first = text;
      kind_of_first = packer->kind;
    }
  }
  packer->kind = kind_of_first;
  return first;
}

static int pack_one(Packer *packer) {
  const char *text = choose_source(packer);
  if (is_stopped())
    return STATUS_CANNOT;
  if (!text) {
    fprintf(stderr, "%s: no source that can be preprocessed\n", own_name);
    return STATUS_CANNOT;
  }
  if (!packer->failure && needs_what_is_not_packed(packer))
    return STATUS_CANNOT;
  if (!packer->failure && packer->other) {
    fprintf(stderr, "%s: what is wrong is not nabla's, and nothing is packed: %s\n", own_name,
            packer->other);
    return STATUS_REFUSED;
  }
  choose_files(packer);
  return pack(packer, text);
}

/* What stands behind --again, or alone beside it; the `others` are added to what the file says;
 * NULL: that is not asked for. */
static char *packed_file_in(int count, char **arguments, NbList *others) {
  char *file = NULL;
  bool asked = false;
  for (int i = 0; i < count; i++) {
    bool word = strcmp(arguments[i], "--again") == 0;
    asked = asked || word;
    if (!word && arguments[i][0] != '-' && !file)
      file = arguments[i];
    else if (!word)
      nb_list_push(others, arguments[i]);
  }
  return asked ? file : NULL;
}

/* What was compiled already; NULL: nothing of it is given. */
static const char *object_in(const Arguments *arguments) {
  static const char *const objects[] = {".o", ".lo", ".obj", ".a", ".so", NULL};
  for (unsigned i = 0; i < arguments->all.count; i++) {
    const char *argument = arguments->all.items[i], *ending = strrchr(argument, '.');
    if (argument[0] != '-' && ending && is_any(ending, objects))
      return argument;
  }
  return NULL;
}

/* Says why nothing can be packed where no source is given. */
static void report_no_source(const Arguments *arguments) {
  static const char usage[] =
      "usage: nabla repro [cc|c++|fc] ANY ARGUMENTS OF THE COMPILER [-o FILE]\n"
      "       nabla repro [--llvm=VERSION] --again FILE\n";
  const char *object = object_in(arguments);
  if (object)
    fprintf(stderr,
            "%s: %s is compiled already, and objects cannot be packed: give the sources that they "
            "are made of, as to one command (-flto a.c b.c -lm)\n",
            own_name, object);
  else
    fputs(usage, stderr);
}

int repro(Language language, int count, char **arguments) {
  Packer packer = {.arena = nb_arena_new(), .language = language, .process = getpid()};
  packer.arguments = read_arguments(packer.arena, count, arguments);
  packer.packed = packed_new(packer.arena);
  packer.folders = nb_list(packer.arena);
  choose_options(language, &packer.arguments, &packer.packed, &packer.folders);
  int status = STATUS_CANNOT;
  NbList others = nb_list(packer.arena);
  char *again = packed_file_in(count, arguments, &others);
  if (again) {
    status = packed_compile(packer.arena, own_name, language, again, &others);
  } else if (!packer.arguments.sources.count) {
    report_no_source(&packer.arguments);
  } else if ((packer.folder = make_folder(packer.arena, own_name)) != NULL) {
    hold_signals();
    status = are_one(&packer) ? pack_together(&packer) : pack_one(&packer);
    remove_folder(packer.folder);
    fflush(stdout);
    release_signals();
  }
  nb_arena_free(packer.arena);
  return status;
}
