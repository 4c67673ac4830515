/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/*
 * nabla explain: compiles as the user says, and shows what was found and made.
 *
 * The plugin writes records into a file of a folder that is there only meanwhile; what the compiler
 * makes goes nowhere. A compiler for each source file is a child of its own, without a shell, whose
 * messages the user sees; with -flto one compiles and links them all.
 */

/* fork, mkdtemp and their like are POSIX's, not C's. */
#define _XOPEN_SOURCE 700

#include "driver.h"
#include "report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct {
  NbArena *arena;
  Language language;
  const char *output;            /* what -o names; NULL: nothing yet */
  char *folder, *records, *made; /* while it lasts */
  bool links;                    /* -flto: all sources in one */
  NbList arguments;              /* of the compiler, as the user gave them */
  NbList sources;                /* those of them that are sources */
} Job;

/* --- The user's arguments -------------------------------------------------------------------- */

static bool is_any(const char *text, const char *const *words) {
  for (; *words; words++)
    if (strcmp(text, *words) == 0)
      return true;
  return false;
}

/* Does the option take the next argument as its value? */
static bool takes_value(const char *option) {
  static const char *const options[] = {
      "-I",      "-D",     "-U",        "-include",    "-imacros", "-isystem", "-iquote", "-x",
      "-Xclang", "-mllvm", "-target",   "-arch",       "-L",       "-l",       "-T",      "-z",
      "-u",      "-J",     "-isysroot", "-idirafter",  "-Xlinker", "-Xflang",  "-MF",     "-MT",
      "-MQ",     "-o",     "--sysroot", "-module-dir", NULL};
  return is_any(option, options);
}

/* Files beside the output are not to be written. */
static bool is_dropped(const char *option) {
  static const char *const options[] = {"-MD", "-MMD", "-MP", "-MG", "-MF", "-MT", "-MQ", NULL};
  return is_any(option, options) || starts_with(option, "-save-temps");
}

static bool is_source(const char *argument) {
  static const char *const endings[] = {".c",   ".cc",  ".cpp", ".cxx", ".c++", ".C",   ".cp",
                                        ".CPP", ".f90", ".F90", ".f95", ".F95", ".f03", ".f08",
                                        ".f",   ".F",   ".ll",  ".bc",  ".i",   ".ii",  NULL};
  const char *ending = strrchr(argument, '.');
  return argument[0] != '-' && ending && is_any(ending, endings);
}

static bool has_argument(const Job *job, const char *const *words) {
  for (unsigned i = 0; i < job->arguments.count; i++)
    if (is_any(job->arguments.items[i], words))
      return true;
  return false;
}

static bool ends_with_lto(const Job *job) {
  static const char *const stops[] = {"-c", "-S", "-E", "-fsyntax-only", NULL};
  bool lto = false;
  for (unsigned i = 0; i < job->arguments.count; i++) {
    const char *argument = job->arguments.items[i];
    if (starts_with(argument, "-flto"))
      lto = true;
    if (strcmp(argument, "-fno-lto") == 0)
      lto = false;
  }
  return lto && !has_argument(job, stops);
}

/* Takes one argument, and its value where it has one. Returns how many these are. */
static int take_argument(Job *job, int left, char **arguments) {
  const char *argument = arguments[0];
  bool pair = takes_value(argument) && left > 1;
  if (strcmp(argument, "-o") == 0 && pair) {
    job->output = arguments[1];
    return 2;
  }
  if (starts_with(argument, "-o") && argument[2] && strcmp(argument, "-objc") != 0) {
    job->output = argument + 2;
    return 1;
  }
  if (!is_dropped(argument)) {
    nb_list_push(&job->arguments, arguments[0]);
    if (pair)
      nb_list_push(&job->arguments, arguments[1]);
    if (is_source(argument))
      nb_list_push(&job->sources, arguments[0]);
  }
  return pair ? 2 : 1;
}

static const char *quoted(NbArena *arena, const char *argument) {
  bool plain = *argument && !strpbrk(argument, " \t\n'\"\\$`*?;&|<>(){}[]#~!");
  return plain ? argument : nb_arena_print(arena, "'%s'", argument);
}

static const char *command_line(const Job *job) {
  const char *text = "nabla explain";
  for (unsigned i = 0; i < job->arguments.count; i++)
    text = nb_arena_print(job->arena, "%s %s", text, quoted(job->arena, job->arguments.items[i]));
  return text;
}

/* --- The compilation ------------------------------------------------------------------------- */

static bool make_folder(Job *job) {
  const char *parent = getenv("TMPDIR");
  parent = parent && *parent ? parent : "/tmp";
  job->folder = nb_arena_print(job->arena, "%s/nabla-explain.XXXXXX", parent);
  if (!mkdtemp(job->folder)) {
    fprintf(stderr, "nabla explain: no folder in %s: %s\n", parent, strerror(errno));
    return false;
  }
  job->records = nb_arena_print(job->arena, "%s/records", job->folder);
  job->made = nb_arena_print(job->arena, "%s/made", job->folder);
  FILE *records = fopen(job->records, "w");
  return records && fclose(records) == 0;
}

static void remove_folder(const Job *job) {
  unlink(job->records);
  unlink(job->made);
  rmdir(job->folder);
}

/* The user's arguments, of all sources only `source`, where it is given. */
static void list_arguments(const Job *job, const char *source, NbList *list) {
  static const char *const stops[] = {"-c", "-S", "-E", "-fsyntax-only", NULL};
  nb_list_push(list, nb_arena_print(job->arena, "-nabla-explain=%s", job->records));
  nb_list_push(list, (void *)"-g");
  for (unsigned i = 0; i < job->arguments.count; i++) {
    void *argument = job->arguments.items[i];
    bool other = false;
    for (unsigned j = 0; source && j < job->sources.count; j++)
      other = other || (argument == job->sources.items[j] && argument != source);
    if (!other)
      nb_list_push(list, argument);
  }
  if (!job->links && !has_argument(job, stops))
    nb_list_push(list, (void *)"-c");
  if (!job->links)
    nb_list_push(list, (void *)"-fno-lto");
  if (job->language != LANGUAGE_FORTRAN)
    nb_list_push(list, (void *)"-Wno-unused-command-line-argument");
  nb_list_push(list, (void *)"-o");
  nb_list_push(list, job->links ? job->made : (void *)"/dev/null");
}

static int compile_one(const Job *job, const char *source) {
  NbList list = nb_list(job->arena);
  list_arguments(job, source, &list);
  int count = (int)list.count;
  nb_list_push(&list, NULL);
  fflush(NULL);
  pid_t child = fork();
  if (child == 0)
    _exit(compile("nabla explain", job->language, false, count, (char **)list.items));
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
    return STATUS_CANNOT;
  return WEXITSTATUS(status);
}

static int compile_all(const Job *job) {
  if (job->links || !job->sources.count)
    return compile_one(job, NULL);
  int status = 0;
  for (unsigned i = 0; i < job->sources.count; i++) {
    int own = compile_one(job, job->sources.items[i]);
    status = status ? status : own;
  }
  return status;
}

/* --- The report ------------------------------------------------------------------------------ */

static bool has_ending(const char *path, const char *ending) {
  size_t length = strlen(path), own = strlen(ending);
  return length >= own && strcmp(path + length - own, ending) == 0;
}

static bool is_page(const char *output) {
  return has_ending(output, ".html") || has_ending(output, ".htm");
}

static bool write_report(const Job *job) {
  Report report = {job->arena,          command_line(job),   job->sources,
                   nb_list(job->arena), nb_list(job->arena), nb_list(job->arena)};
  bool to_terminal = strcmp(job->output, "-") == 0;
  bool read = report_read(&report, job->records);
  FILE *out = to_terminal ? stdout : fopen(job->output, "w");
  if (!read || !out) {
    fprintf(stderr, "nabla explain: %s: %s\n", job->output, strerror(errno));
    return false;
  }
  if (is_page(job->output))
    report_write_html(&report, out);
  else
    report_write_text(&report, out);
  bool written = !ferror(out);
  return (to_terminal ? fflush(out) : fclose(out)) == 0 && written;
}

static bool check_output(const Job *job) {
  static const char usage[] =
      "usage: nabla explain [cc|c++|fc] ANY ARGUMENTS OF THE COMPILER -o FILE\n"
      "where FILE ends in .html, .htm or .txt, or is - (text for the terminal)\n";
  bool known = job->output && (is_page(job->output) || has_ending(job->output, ".txt") ||
                               strcmp(job->output, "-") == 0);
  if (!known)
    fputs(usage, stderr);
  return known;
}

int explain(Language language, int count, char **arguments) {
  Job job = {.arena = nb_arena_new(), .language = language};
  job.arguments = nb_list(job.arena);
  job.sources = nb_list(job.arena);
  for (int i = 0; i < count;)
    i += take_argument(&job, count - i, arguments + i);
  job.links = ends_with_lto(&job);
  int status = STATUS_CANNOT;
  if (check_output(&job) && make_folder(&job)) {
    status = compile_all(&job);
    if (!write_report(&job))
      status = STATUS_CANNOT;
    remove_folder(&job);
  }
  nb_arena_free(job.arena);
  return status;
}
