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
 * those that begin with -nabla-: they are options of the plugin, and reach it behind -mllvm.
 */

/* execvp is POSIX's, not C's. */
#define _XOPEN_SOURCE 700

#include "driver.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What one argument of the user's becomes at most, and what is added besides. */
enum { ARGUMENTS_FOR_ONE = 4, ADDED_ARGUMENTS_MAX = 20 };

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

/* Gives an option of the plugin's to the compiler, and to the linker that loads the plugin. */
static bool add_plugin_option(Command *command, const Request *request, const char *option) {
  add(command, "-mllvm");
  add(command, option);
  return !request->lto || add_joined(command, "-Wl,-mllvm,", option);
}

/*
 * Adds what makes a link-time step run the plugin, on the bitcode in objects that have machine code
 * too. An option of the plugin's that the user gave to the compiler as -mllvm is given to the
 * linker too, after the plugin is loaded.
 */
static bool add_link_time(Command *command, const char *plugin, char **arguments) {
  add(command, "-fuse-ld=lld");
  add(command, "-Wl,--fat-lto-objects");
  bool complete = add_joined(command, "-Wl,-mllvm,-load=", plugin) &&
                  add_joined(command, "-Wl,--load-pass-plugin=", plugin);
  for (int i = 0; complete && arguments[i] && arguments[i + 1]; i++) {
    if (strcmp(arguments[i], "-mllvm") == 0 && starts_with(arguments[i + 1], "-nabla"))
      complete = add_joined(command, "-Wl,-mllvm,", arguments[i + 1]);
  }
  return complete;
}

static bool add_plugin_options(Command *command, const Request *request, char **arguments) {
  bool complete = !request->check || add_plugin_option(command, request, check_option);
  for (int i = 0; complete && arguments[i]; i++) {
    if (is_plugin_option(arguments, i))
      complete = add_plugin_option(command, request, arguments[i]);
  }
  return complete;
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
  if (request->lto)
    complete = complete && add_link_time(command, places->plugin, arguments);
  complete = complete && add_plugin_options(command, request, arguments);
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

int compile(const char *name, Language language, bool check, int count, char **arguments) {
  static const char retry[] = "build or install it, or choose the other one with --llvm=";
  Places places = {.folder = ""};
  bool found = find_folder(&places);
  Request request = {.name = name, .language = language, .check = check};
  request.version = default_version(&places);
  for (int i = 0; i < count; i++)
    read_argument(&request, arguments[i]);
  if (!is_known_version(request.version)) {
    fprintf(stderr, "%s: --llvm=%s: the versions are 22 and 19\n", name, request.version);
    return STATUS_CANNOT;
  }
  if (!found || !find_plugin(&places, request.version)) {
    fprintf(stderr, "%s: no nabla.so for LLVM %s: %s\n", name, request.version, retry);
    return STATUS_CANNOT;
  }
  if (language == LANGUAGE_FORTRAN && report_directives(count, arguments))
    return STATUS_REFUSED;
  find_include(&places);
  find_modules(&places, request.version);
  find_compiler(&places, language, request.version);
  run_compiler(&places, &request, count, arguments);
  fprintf(stderr, "%s: cannot run %s: %s (nabla doctor says more)\n", name, places.compiler,
          strerror(errno));
  return STATUS_CANNOT;
}
