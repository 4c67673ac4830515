/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/*
 * nabla explain: compiles as the user says, and shows what was found and made.
 *
 * The plugin writes records into a file of a folder that is there only meanwhile; what the compiler
 * makes goes nowhere. A compiler for each source file is a child of its own, without a shell, whose
 * messages the user sees; with -flto one compiles and links them all.
 */

/* getdelim is POSIX's, not C's. */
#define _XOPEN_SOURCE 700

#include "arguments.h"
#include "child.h"
#include "report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char own_name[] = "nabla explain";
static const char choice[] = "--function=";

typedef struct {
  NbArena *arena;
  Language language;
  Arguments arguments;
  char *folder, *records, *made; /* while it lasts */
  char *typed, *input; /* what came from standard input, and its file; NULL: nothing did */
  bool links;          /* -flto: all sources in one */
  NbList chosen;       /* names of functions; none: all */
} Job;

/* --- The compilation ------------------------------------------------------------------------- */

static bool make_files(Job *job) {
  job->folder = make_folder(job->arena, own_name);
  if (!job->folder)
    return false;
  job->records = nb_arena_print(job->arena, "%s/records", job->folder);
  job->made = nb_arena_print(job->arena, "%s/made", job->folder);
  FILE *records = fopen(job->records, "w");
  if (records && fclose(records) == 0)
    return true;
  fprintf(stderr, "%s: %s: %s\n", own_name, job->records, strerror(errno));
  remove_folder(job->folder);
  return false;
}

static bool reads_input(const Job *job) {
  static const char *const names[] = {"-", "/dev/stdin", NULL};
  const NbList *sources = &job->arguments.sources;
  bool any = false;
  for (unsigned i = 0; i < sources->count; i++)
    any = any || is_any(sources->items[i], names);
  return any;
}

/* All that comes from standard input, before signals are held: who types it may end it. */
static void read_input(Job *job) {
  char *text = NULL;
  size_t size = 0;
  if (!reads_input(job))
    return;
  bool any = getdelim(&text, &size, '\0', stdin) > 0;
  job->typed = nb_arena_print(job->arena, "%s", any ? text : "");
  free(text);
}

/* Puts it into a file, so that it can be shown as well as compiled. */
static bool keep_input(Job *job) {
  if (!job->typed)
    return true;
  job->input = nb_arena_print(job->arena, "%s/input", job->folder);
  FILE *out = fopen(job->input, "w");
  bool written = out && fputs(job->typed, out) >= 0;
  if (out)
    written = fclose(out) == 0 && written;
  if (written)
    return true;
  fprintf(stderr, "%s: %s: %s\n", own_name, job->input, strerror(errno));
  remove_folder(job->folder);
  return false;
}

static int compile_one(const Job *job, const char *source) {
  if (job->input && !freopen(job->input, "r", stdin))
    return STATUS_CANNOT;
  NbList list = nb_list(job->arena);
  nb_list_push(&list, nb_arena_print(job->arena, "-nabla-explain=%s", job->records));
  nb_list_push(&list, (void *)"-g");
  add_for_source(&job->arguments, source, &list);
  if (!job->links && !stop_before_link(&job->arguments))
    nb_list_push(&list, (void *)"-c");
  if (!job->links)
    nb_list_push(&list, (void *)"-fno-lto");
  if (job->language != LANGUAGE_FORTRAN)
    nb_list_push(&list, (void *)"-Wno-unused-command-line-argument");
  nb_list_push(&list, (void *)"-o");
  nb_list_push(&list, job->made);
  return run_compile(own_name, job->language, &list, NULL, 0);
}

static int compile_all(const Job *job) {
  const NbList *sources = &job->arguments.sources;
  if (job->links || !sources->count)
    return compile_one(job, NULL);
  int status = 0;
  for (unsigned i = 0; i < sources->count && !is_stopped(); i++) {
    int own = compile_one(job, sources->items[i]);
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

/* As the user gave it, with nabla's own arguments. */
static const char *command_of(const Job *job) {
  const char *command = own_name;
  for (unsigned i = 0; i < job->chosen.count; i++) {
    const char *name = job->chosen.items[i];
    const char *argument = nb_arena_print(job->arena, "%s%s", choice, name);
    command = nb_arena_print(job->arena, "%s %s", command, quote_argument(job->arena, argument));
  }
  return join_arguments(&job->arguments, command);
}

/* Leaves what the user chose; false where there is none, which is said. */
static bool choose(const Job *job, Report *report) {
  const char *none = report_choose(report, &job->chosen);
  if (!none)
    return true;
  fprintf(stderr, "%s: no derivative of '%s'; ", own_name, none);
  fputs(report->derivatives.count ? "there are those of\n" : "there is none at all\n", stderr);
  for (unsigned i = 0; i < report->derivatives.count; i++)
    fprintf(stderr, "  %s\n", ((const Derivative *)report->derivatives.items[i])->name);
  return false;
}

static bool write_report(const Job *job, const Report *report) {
  const char *output = job->arguments.output;
  bool to_terminal = strcmp(output, "-") == 0;
  FILE *out = to_terminal ? stdout : fopen(output, "w");
  bool written = out != NULL;
  if (written) {
    written = (is_page(output) ? report_write_html : report_write_text)(report, out);
    written = (to_terminal ? fflush(out) : fclose(out)) == 0 && written;
  }
  if (!written)
    fprintf(stderr, "%s: %s: %s\n", own_name, output, strerror(errno));
  return written;
}

/* Whoever reads standard output may end it, and who waits, the program: by then, no files are left.
 */
static bool finish(const Job *job) {
  NbArena *arena = job->arena;
  Report report = {arena,          command_of(job), job->arguments.sources, job->input,
                   nb_list(arena), nb_list(arena),  nb_list(arena)};
  bool read = report_read(&report, job->records);
  if (!read)
    fprintf(stderr, "%s: %s: %s\n", own_name, job->records, strerror(errno));
  remove_folder(job->folder);
  release_signals();
  return read && choose(job, &report) && write_report(job, &report);
}

static bool check_output(const Job *job) {
  static const char usage[] =
      "usage: nabla explain [cc|c++|fc] [--function=NAME] ANY ARGUMENTS OF THE COMPILER -o FILE\n"
      "where FILE ends in .html, .htm or .txt, or is - (text for the terminal)\n";
  bool known = job->arguments.output &&
               (is_page(job->arguments.output) || has_ending(job->arguments.output, ".txt") ||
                strcmp(job->arguments.output, "-") == 0);
  if (!known)
    fputs(usage, stderr);
  return known;
}

/* Takes nabla's own arguments away; returns how many are left. */
static int take_choices(Job *job, int count, char **arguments) {
  int left = 0;
  job->chosen = nb_list(job->arena);
  for (int i = 0; i < count; i++) {
    if (starts_with(arguments[i], choice))
      nb_list_push(&job->chosen, arguments[i] + sizeof choice - 1);
    else
      arguments[left++] = arguments[i];
  }
  return left;
}

static int report_job(Job *job) {
  int status = STATUS_CANNOT;
  hold_signals();
  if (make_files(job) && keep_input(job)) {
    status = compile_all(job);
    if (!finish(job))
      status = STATUS_CANNOT;
  }
  release_signals();
  return status;
}

int explain(Language language, int count, char **arguments) {
  Job job = {.arena = nb_arena_new(), .language = language};
  count = take_choices(&job, count, arguments);
  job.arguments = read_arguments(job.arena, count, arguments);
  job.links = link_with_lto(&job.arguments);
  int status = STATUS_CANNOT;
  if (check_output(&job)) {
    read_input(&job);
    status = report_job(&job);
  }
  nb_arena_free(job.arena);
  return status;
}
