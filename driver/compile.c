/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/*
 * nabla cc, c++, fc and check: clang or flang with the plugin.
 *
 * The driver becomes the compiler (no shell, no child), with
 *   - the plugin of that LLVM version, found from where this program stands;
 *   - source locations in the IR, so that diagnostics name the user's line: -Rpass=__none__ makes
 *     the compiler track them without writing debug information into the output;
 *   - the names of local variables in the IR, among which are markers (`int enzyme_dup;`);
 *   - the folder of nabla's headers, or of its Fortran modules;
 *   - under -flto the linker that can load the plugin, and the option that makes it do so.
 * All of this stands before the user's own arguments, which are passed on as they are, but for
 * those that begin with -nabla-: they are options of the plugin, and reach it behind -mllvm. What
 * stands in files (@FILE) counts as if it stood in the command.
 */

/* execvp is POSIX's, not C's. */
#define _XOPEN_SOURCE 700

#include "arguments.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What one argument of the user's becomes at most, and what is added besides. */
enum { ARGUMENTS_FOR_ONE = 6, ADDED_ARGUMENTS_MAX = 32 };

/* The command line that is being made: `count` arguments, then room up to the end. */
typedef struct {
  const char **arguments;
  int count;
} Command;

/* What the user's arguments say that the driver must know. */
typedef struct {
  const char *name; /* of this program, for messages */
  const char *version;
  Language language;
  bool lto, remarks, check;
  bool stops; /* before the link step */
} Request;

static const char check_option[] = "-nabla-check";

static bool is_version(const char *argument) { return starts_with(argument, "--llvm="); }

/* Behind -mllvm it is the compiler's already. */
static bool is_plugin_option(char **arguments, int index) {
  bool given = index > 0 && strcmp(arguments[index - 1], "-mllvm") == 0;
  return !given && starts_with(arguments[index], "-nabla-");
}

/* Is the argument for the driver itself, and not for the compiler? */
static bool is_ours(char **arguments, int index) {
  return is_version(arguments[index]) || is_plugin_option(arguments, index);
}

static void read_argument(Request *request, const char *argument) {
  if (is_version(argument))
    request->version = strchr(argument, '=') + 1;
  else if (starts_with(argument, "-flto"))
    request->lto = true;
  else if (strcmp(argument, "-fno-lto") == 0)
    request->lto = false;
  else if (starts_with(argument, "-Rpass"))
    request->remarks = true;
  else if (is_stop(argument))
    request->stops = true;
}

static void add(Command *command, const char *argument) {
  command->arguments[command->count++] = argument;
}

/* Adds `option` and `value` as one argument. Returns false when memory is short. */
static bool add_joined(Command *command, const char *option, const char *value) {
  size_t size = strlen(option) + strlen(value) + 1;
  char *joined = malloc(size);
  if (!joined)
    return false;
  snprintf(joined, size, "%s%s", option, value);
  add(command, joined);
  return true;
}

/* As it is, whatever commas it has. */
static void add_to_linker(Command *command, const char *argument) {
  add(command, "-Xlinker");
  add(command, argument);
}

static void add_plugin_option_to_linker(Command *command, const char *option) {
  add_to_linker(command, "-mllvm");
  add_to_linker(command, option);
}

static bool links_with_lto(const Request *request) { return request->lto && !request->stops; }

/* Gives an option of the plugin's to the compiler, and to the linker that loads the plugin. */
static void add_plugin_option(Command *command, const Request *request, const char *option) {
  add(command, "-mllvm");
  add(command, option);
  if (links_with_lto(request))
    add_plugin_option_to_linker(command, option);
}

/*
 * Adds what makes a link-time step run the plugin, on the bitcode in objects that have machine code
 * too. An option of the plugin's that the user gave to the compiler as -mllvm is given to the
 * linker too, after the plugin is loaded.
 */
static bool add_link_time(Command *command, const char *plugin, char **arguments) {
  add(command, "-fuse-ld=lld");
  add_to_linker(command, "--fat-lto-objects");
  add_to_linker(command, "-mllvm");
  add(command, "-Xlinker");
  bool complete = add_joined(command, "-load=", plugin);
  add(command, "-Xlinker");
  complete = complete && add_joined(command, "--load-pass-plugin=", plugin);
  for (int i = 0; arguments[i] && arguments[i + 1]; i++)
    if (strcmp(arguments[i], "-mllvm") == 0 && starts_with(arguments[i + 1], "-nabla"))
      add_plugin_option_to_linker(command, arguments[i + 1]);
  return complete;
}

static void add_plugin_options(Command *command, const Request *request, char **arguments) {
  if (request->check)
    add_plugin_option(command, request, check_option);
  for (int i = 0; arguments[i]; i++)
    if (is_plugin_option(arguments, i))
      add_plugin_option(command, request, arguments[i]);
}

/* flang knows the pass, and has modules in the place of headers. */
static bool add_fortran(Command *command, const Places *places, const Request *request) {
  bool complete = add_joined(command, "-fpass-plugin=", places->plugin);
  if (!request->remarks)
    add(command, "-Rpass=__none__");
  return complete && (!places->modules[0] || add_joined(command, "-I", places->modules));
}

static bool add_clang(Command *command, const Places *places, const Request *request) {
  bool complete = add_joined(command, "-fplugin=", places->plugin) &&
                  add_joined(command, "-fpass-plugin=", places->plugin);
  if (!request->remarks)
    add(command, "-Rpass=__none__");
  add(command, "-fno-discard-value-names");
  const char *const folders[] = {places->include, places->hidden};
  for (int i = 0; complete && i < 2; i++)
    complete = !folders[i][0] || add_joined(command, "-isystem", folders[i]);
  return complete;
}

/* Adds nabla's own arguments. Clang is not to warn when a step has no use for one of them. */
static bool add_nabla(Command *command, const Places *places, const Request *request,
                      char **arguments) {
  bool fortran = request->language == LANGUAGE_FORTRAN;
  if (!fortran)
    add(command, "--start-no-unused-arguments");
  bool complete =
      fortran ? add_fortran(command, places, request) : add_clang(command, places, request);
  if (links_with_lto(request))
    complete = complete && add_link_time(command, places->plugin, arguments);
  add_plugin_options(command, request, arguments);
  if (!fortran)
    add(command, "--end-no-unused-arguments");
  return complete;
}

/* Becomes the compiler; returns only when that fails. */
static void run_compiler(const Places *places, const Request *request, int count,
                         char **arguments) {
  size_t size = ARGUMENTS_FOR_ONE * (size_t)count + ADDED_ARGUMENTS_MAX;
  Command command = {calloc(size, sizeof(char *)), 0};
  if (!command.arguments)
    return;
  add(&command, places->compiler);
  if (!add_nabla(&command, places, request, arguments))
    return;
  for (int i = 0; i < count; i++) {
    if (!is_ours(arguments, i))
      add(&command, arguments[i]);
  }
  execvp(places->compiler, (char *const *)command.arguments);
}

/* Is one of the arguments the driver's, or one that the linker gets too? */
static bool are_ours(const NbList *read) {
  for (unsigned i = 0; i + 1 < read->count; i++)
    if (is_version(read->items[i]) || starts_with(read->items[i], "-nabla-"))
      return true;
  return false;
}

/* `read`: the arguments with those in files among them, NULL at the end. */
static int compile_read(const char *name, Language language, bool check, int count,
                        char **arguments, const NbList *read) {
  static const char retry[] = "build or install it, or choose the other one with --llvm=";
  Places places = {.folder = ""};
  bool found = find_folder(&places);
  Request request = {.name = name, .language = language, .check = check};
  request.version = default_version(&places);
  for (unsigned i = 0; i + 1 < read->count; i++)
    read_argument(&request, read->items[i]);
  if (!is_known_version(request.version)) {
    fprintf(stderr, "%s: --llvm=%s: the versions are 22 and 19\n", name, request.version);
    return STATUS_CANNOT;
  }
  if (!found || !find_plugin(&places, request.version)) {
    fprintf(stderr, "%s: no nabla.so for LLVM %s: %s\n", name, request.version, retry);
    return STATUS_CANNOT;
  }
  if (language == LANGUAGE_FORTRAN && report_directives((int)read->count - 1, (char **)read->items))
    return STATUS_REFUSED;
  find_include(&places);
  find_modules(&places, request.version);
  find_compiler(&places, language, request.version);
  run_compiler(&places, &request, count, arguments);
  fprintf(stderr, "%s: cannot run %s: %s (nabla doctor says more)\n", name, places.compiler,
          strerror(errno));
  return STATUS_CANNOT;
}

/* The compiler gets files of arguments as they are where none of these is the driver's. */
int compile(const char *name, Language language, bool check, int count, char **arguments) {
  NbArena *arena = nb_arena_new();
  bool mixed = language == LANGUAGE_MIXED;
  NbList read = (mixed ? each_as_named : read_files)(arena, count, arguments);
  nb_list_push(&read, NULL);
  if (mixed || are_ours(&read)) {
    count = (int)read.count - 1;
    arguments = (char **)read.items;
  }
  language = mixed ? LANGUAGE_CXX : language;
  int status = compile_read(name, language, check, count, arguments, &read);
  nb_arena_free(arena);
  return status;
}
