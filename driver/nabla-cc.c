/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/*
 * nabla-cc: clang with the plugin.
 *
 *   nabla-cc [--llvm=22|19] ARGUMENTS OF CLANG...
 *
 * It becomes clang (no shell, no child): `clang-N`, or what NABLA_CLANG names, with
 *   - the plugin of that LLVM version, found from where this program stands;
 *   - source locations in the IR, so that diagnostics name the user's line: -Rpass=__none__ makes
 *     clang track them without writing debug information into the output;
 *   - the names of local variables in the IR, among which are markers (`int enzyme_dup;`);
 *   - the folder of nabla's headers;
 *   - under -flto the linker that can load the plugin, and the option that makes it do so.
 * All of this stands before the user's own arguments, which are passed on as they are.
 */

/* realpath and readlink are POSIX's, not C's. */
#define _XOPEN_SOURCE 700

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_SIZE = PATH_MAX + 64, ADDED_ARGUMENTS_MAX = 16 };

static const char default_version[] = "22";

/* The command line that is being made: `count` arguments, then room up to the end. */
typedef struct {
  const char **arguments;
  int count;
} Command;

/* Where things are: paths that exist, or empty strings. */
typedef struct {
  char clang[PATH_SIZE];
  char plugin[PATH_SIZE];
  char include[PATH_SIZE];
} Places;

/* What the user's arguments say that the driver must know. */
typedef struct {
  const char *version;
  bool lto;
  bool remarks;
} Request;

static bool starts_with(const char *text, const char *prefix) {
  return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* Is `argument` for the driver itself, and not for clang? */
static bool is_ours(const char *argument) { return starts_with(argument, "--llvm="); }

static Request read_request(int count, char **arguments) {
  Request request = {default_version, false, false};
  for (int i = 1; i < count; i++) {
    const char *argument = arguments[i];
    if (is_ours(argument))
      request.version = argument + strlen("--llvm=");
    else if (starts_with(argument, "-flto"))
      request.lto = true;
    else if (strcmp(argument, "-fno-lto") == 0)
      request.lto = false;
    else if (starts_with(argument, "-Rpass"))
      request.remarks = true;
  }
  return request;
}

static bool is_known_version(const char *version) {
  return strcmp(version, "22") == 0 || strcmp(version, "19") == 0;
}

/* Writes the folder of this program, without a slash at the end; false when it cannot be known. */
static bool own_folder(char folder[PATH_SIZE]) {
  ssize_t length = readlink("/proc/self/exe", folder, PATH_SIZE - 1);
  if (length <= 0)
    return false;
  folder[length] = '\0';
  char *slash = strrchr(folder, '/');
  if (!slash)
    return false;
  *slash = '\0';
  return true;
}

/* Writes the real path of `folder` followed by `rest`, or an empty string if there is none. */
static bool place(char path[PATH_SIZE], const char *folder, const char *rest) {
  char sum[PATH_SIZE];
  int length = snprintf(sum, PATH_SIZE, "%s%s", folder, rest);
  if (length > 0 && length < PATH_SIZE && realpath(sum, path))
    return true;
  path[0] = '\0';
  return false;
}

/* The plugin lies in lib/nabla/llvm-N/ beside bin/ when installed, and in build/llvm-N/ before. */
static bool find_plugin(Places *places, const char *folder, const char *version) {
  char rest[64];
  snprintf(rest, sizeof rest, "/../lib/nabla/llvm-%s/nabla.so", version);
  if (place(places->plugin, folder, rest))
    return true;
  snprintf(rest, sizeof rest, "/../llvm-%s/nabla.so", version);
  return place(places->plugin, folder, rest);
}

static void find_include(Places *places, const char *folder) {
  if (place(places->include, folder, "/../include/nabla"))
    place(places->include, folder, "/../include");
  else if (place(places->include, folder, "/../../include/nabla"))
    place(places->include, folder, "/../../include");
}

/* Names clang: the user's choice, Debian's place, or whatever PATH finds under the usual name. */
static void find_clang(Places *places, const char *version) {
  const char *chosen = getenv("NABLA_CLANG");
  if (chosen && *chosen) {
    snprintf(places->clang, PATH_SIZE, "%s", chosen);
    return;
  }
  char rest[64];
  snprintf(rest, sizeof rest, "/usr/lib/llvm-%s/bin/clang", version);
  if (access(rest, X_OK) == 0)
    snprintf(places->clang, PATH_SIZE, "%s", rest);
  else
    snprintf(places->clang, PATH_SIZE, "clang-%s", version);
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

/*
 * Adds what makes a link-time step run the plugin. An option of the plugin's that the user gave to
 * the compiler as -mllvm is given to the linker too, after the plugin is loaded.
 */
static bool add_link_time(Command *command, const char *plugin, char **arguments) {
  add(command, "-fuse-ld=lld");
  bool complete = add_joined(command, "-Wl,-mllvm,-load=", plugin) &&
                  add_joined(command, "-Wl,--load-pass-plugin=", plugin);
  for (int i = 1; complete && arguments[i] && arguments[i + 1]; i++) {
    if (strcmp(arguments[i], "-mllvm") == 0 && starts_with(arguments[i + 1], "-nabla"))
      complete = add_joined(command, "-Wl,-mllvm,", arguments[i + 1]);
  }
  return complete;
}

/* Adds nabla's own arguments. Clang is not to warn when a step has no use for one of them. */
static bool add_nabla(Command *command, const Places *places, const Request *request,
                      char **arguments) {
  add(command, "--start-no-unused-arguments");
  bool complete = add_joined(command, "-fplugin=", places->plugin) &&
                  add_joined(command, "-fpass-plugin=", places->plugin);
  if (!request->remarks)
    add(command, "-Rpass=__none__");
  add(command, "-fno-discard-value-names");
  if (places->include[0])
    complete = complete && add_joined(command, "-isystem", places->include);
  if (request->lto)
    complete = complete && add_link_time(command, places->plugin, arguments);
  add(command, "--end-no-unused-arguments");
  return complete;
}

/* Becomes clang; returns only when that fails. */
static void run_clang(const Places *places, const Request *request, int count, char **arguments) {
  size_t size = 2 * (size_t)count + ADDED_ARGUMENTS_MAX;
  Command command = {calloc(size, sizeof(char *)), 0};
  if (!command.arguments)
    return;
  add(&command, places->clang);
  if (!add_nabla(&command, places, request, arguments))
    return;
  for (int i = 1; i < count; i++) {
    if (!is_ours(arguments[i]))
      add(&command, arguments[i]);
  }
  execvp(places->clang, (char *const *)command.arguments);
}

int main(int count, char **arguments) {
  Request request = read_request(count, arguments);
  if (!is_known_version(request.version)) {
    fprintf(stderr, "nabla-cc: --llvm=%s: the versions are 22 and 19\n", request.version);
    return 2;
  }
  static const char retry[] = "build or install it, or choose the other one with --llvm=";
  char folder[PATH_SIZE];
  Places places = {"", "", ""};
  if (!own_folder(folder) || !find_plugin(&places, folder, request.version)) {
    fprintf(stderr, "nabla-cc: no nabla.so for LLVM %s: %s\n", request.version, retry);
    return 2;
  }
  find_include(&places, folder);
  find_clang(&places, request.version);
  run_clang(&places, &request, count, arguments);
  fprintf(stderr, "nabla-cc: cannot run %s: %s\n", places.clang, strerror(errno));
  return 2;
}
