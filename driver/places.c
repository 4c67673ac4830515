/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* Where the plugin, the headers, the rules and the compilers are: beside this program, both when
 * it is installed and in a build folder. */

/* realpath and readlink are POSIX's, not C's. */
#define _XOPEN_SOURCE 700

#include "driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const known_versions[VERSION_COUNT] = {"22", "19"};

/* How one language's compiler is named: by the user, in LLVM's own folder, and on PATH. */
typedef struct {
  const char *variable, *program, *other;
} Compiler;

static const Compiler compilers[] = {{"NABLA_CLANG", "clang", NULL},
                                     {"NABLA_CLANGXX", "clang++", NULL},
                                     {"NABLA_FLANG", "flang", "flang-new"}};

bool starts_with(const char *text, const char *prefix) {
  return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool is_known_version(const char *version) {
  for (int i = 0; i < VERSION_COUNT; i++) {
    if (strcmp(version, known_versions[i]) == 0)
      return true;
  }
  return false;
}

bool find_folder(Places *places) {
  ssize_t length = readlink("/proc/self/exe", places->folder, PATH_SIZE - 1);
  if (length <= 0)
    return false;
  places->folder[length] = '\0';
  char *slash = strrchr(places->folder, '/');
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

/* What is made for each version lies in lib/nabla/llvm-N/ beside bin/ when installed, and in
 * build/llvm-N/ before. */
static bool place_of_version(char path[PATH_SIZE], const Places *places, const char *version,
                             const char *name) {
  char rest[64];
  snprintf(rest, sizeof rest, "/../lib/nabla/llvm-%s/%s", version, name);
  if (place(path, places->folder, rest))
    return true;
  snprintf(rest, sizeof rest, "/../llvm-%s/%s", version, name);
  return place(path, places->folder, rest);
}

bool find_plugin(Places *places, const char *version) {
  return place_of_version(places->plugin, places, version, "nabla.so");
}

void find_modules(Places *places, const char *version) {
  place_of_version(places->modules, places, version, "fortran");
}

void find_include(Places *places) {
  if (place(places->include, places->folder, "/../include/nabla"))
    place(places->include, places->folder, "/../include");
  else if (place(places->include, places->folder, "/../../include/nabla"))
    place(places->include, places->folder, "/../../include");
}

void find_compiler(Places *places, Language language, const char *version) {
  const Compiler *compiler = &compilers[language];
  const char *chosen = getenv(compiler->variable);
  if (chosen && *chosen) {
    snprintf(places->compiler, PATH_SIZE, "%s", chosen);
    return;
  }
  const char *names[] = {compiler->program, compiler->other};
  for (int i = 0; i < 2 && names[i]; i++) {
    char path[128];
    snprintf(path, sizeof path, "/usr/lib/llvm-%s/bin/%s", version, names[i]);
    if (access(path, X_OK) == 0) {
      snprintf(places->compiler, PATH_SIZE, "%s", path);
      return;
    }
  }
  snprintf(places->compiler, PATH_SIZE, "%s-%s", compiler->program, version);
}

bool find_rules(const Places *places, const char *file, char path[PATH_SIZE]) {
  const char *slash = strrchr(file, '/');
  const char *name = slash ? slash + 1 : file;
  char rest[PATH_SIZE];
  snprintf(rest, sizeof rest, "/../share/nabla/rules/%s", name);
  if (place(path, places->folder, rest))
    return true;
  snprintf(rest, sizeof rest, "/../../rules/%s", name);
  return place(path, places->folder, rest);
}

const char *default_version(Places *places) {
  for (int i = 0; i < VERSION_COUNT; i++) {
    if (find_plugin(places, known_versions[i]))
      return known_versions[i];
  }
  return known_versions[0];
}
