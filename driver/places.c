/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* Where the plugin, the headers, the rules and the compilers are: beside this program, both when
 * it is installed and in a build folder. */

/* realpath and readlink are POSIX's, not C's. */
#define _XOPEN_SOURCE 700

#include "driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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

VersionOption take_version(const char *name, const char *argument, const char **version) {
  static const char option[] = "--llvm=";
  if (!starts_with(argument, option))
    return VERSION_NONE;
  *version = argument + sizeof option - 1;
  if (is_known_version(*version))
    return VERSION_TAKEN;
  fprintf(stderr, "%s: %s: the versions are 22 and 19\n", name, argument);
  return VERSION_WRONG;
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

/* Where this program may stand: installed in bin/, installed as a package in lib/nabla/llvm-N/bin/,
 * and in build/llvm-N/. From there it goes to the folder of all versions, to headers, to those that
 * only nabla's compilers are to see, and to rules. */
typedef struct {
  const char *versions, *include, *hidden, *rules;
} Layout;

static const Layout layouts[] = {
    {"/../lib/nabla", "/../include", "/../lib/nabla/include", "/../share/nabla/rules"},
    {"/../..", "/../../../../include", "/../../include", "/../../../../share/nabla/rules"},
    {"/..", "/../../include", "/../../include", "/../../rules"}};

enum { LAYOUT_COUNT = sizeof layouts / sizeof *layouts };

/* Writes the path of what lies in a folder of the layout's. */
static bool place_in(char path[PATH_SIZE], const Places *places, const char *folder,
                     const char *name) {
  char rest[PATH_SIZE];
  snprintf(rest, sizeof rest, "%s/%s", folder, name);
  return place(path, places->folder, rest);
}

static bool place_of_version(char path[PATH_SIZE], const Places *places, const Layout *layout,
                             const char *version, const char *name) {
  char rest[64];
  snprintf(rest, sizeof rest, "llvm-%s/%s", version, name);
  return place_in(path, places, layout->versions, rest);
}

/* The first layout by which there is a plugin. */
static const Layout *find_layout(const Places *places) {
  char path[PATH_SIZE];
  for (int i = 0; i < LAYOUT_COUNT; i++) {
    for (int j = 0; j < VERSION_COUNT; j++) {
      if (place_of_version(path, places, &layouts[i], known_versions[j], "nabla.so"))
        return &layouts[i];
    }
  }
  return &layouts[0];
}

bool find_plugin(Places *places, const char *version) {
  return place_of_version(places->plugin, places, find_layout(places), version, "nabla.so");
}

bool plugin_is_lost(const Places *places, const char *version) {
  char path[2 * PATH_SIZE];
  struct stat facts;
  snprintf(path, sizeof path, "%s%s/llvm-%s/nabla.so", places->folder,
           find_layout(places)->versions, version);
  return lstat(path, &facts) == 0 && stat(path, &facts) != 0;
}

void find_modules(Places *places, const char *version) {
  place_of_version(places->modules, places, find_layout(places), version, "fortran");
}

/* The folder that holds the one called `inner`. */
static void place_around(char path[PATH_SIZE], const Places *places, const char *folder,
                         const char *inner) {
  if (place_in(path, places, folder, inner))
    place(path, places->folder, folder);
}

/* The system's own folder is searched anyway, and must not move before the C++ library's. */
void find_include(Places *places) {
  const Layout *layout = find_layout(places);
  place_around(places->include, places, layout->include, "nabla");
  place_around(places->hidden, places, layout->hidden, "enzyme");
  bool twice = strcmp(places->include, places->hidden) == 0;
  if (twice || strcmp(places->include, "/usr/include") == 0)
    places->include[0] = '\0';
}

bool find_header(const Places *places, char path[PATH_SIZE]) {
  return place_in(path, places, find_layout(places)->include, "nabla/nabla.h");
}

/* Writes where Debian has a program of LLVM's, if it is there. */
static bool find_in_llvm(char path[PATH_SIZE], const char *program, const char *version) {
  char found[128];
  snprintf(found, sizeof found, "/usr/lib/llvm-%s/bin/%s", version, program);
  if (access(found, X_OK) != 0)
    return false;
  snprintf(path, PATH_SIZE, "%s", found);
  return true;
}

bool find_on_path(const char *folder, size_t length, const char *name, char path[PATH_SIZE]) {
  char sum[PATH_SIZE];
  int written = snprintf(sum, PATH_SIZE, "%.*s/%s", (int)length, length ? folder : ".", name);
  if (!length)
    written = snprintf(sum, PATH_SIZE, "./%s", name);
  struct stat about;
  return written < PATH_SIZE && stat(sum, &about) == 0 && S_ISREG(about.st_mode) &&
         access(sum, X_OK) == 0 && realpath(sum, path);
}

static bool search_path(const char *name, char path[PATH_SIZE]) {
  const char *folder = getenv("PATH");
  while (folder) {
    size_t length = strcspn(folder, ":");
    if (find_on_path(folder, length, name, path))
      return true;
    folder = folder[length] ? folder + length + 1 : NULL;
  }
  return false;
}

/* LLVM's own installation has clang-22, but clang++ and flang without the version. */
static bool find_beside_clang(char path[PATH_SIZE], const char *program, const char *version) {
  char clang[32], found[PATH_SIZE], sum[PATH_SIZE];
  snprintf(clang, sizeof clang, "clang-%s", version);
  if (!search_path(clang, found))
    return false;
  *(strrchr(found, '/') + 1) = '\0';
  int written = snprintf(sum, PATH_SIZE, "%s%s", found, program);
  if (written >= PATH_SIZE || access(sum, X_OK) != 0)
    return false;
  snprintf(path, PATH_SIZE, "%s", sum);
  return true;
}

void find_compiler(Places *places, Language language, const char *version) {
  const Compiler *compiler = &compilers[language];
  const char *chosen = getenv(compiler->variable);
  if (chosen && *chosen) {
    snprintf(places->compiler, PATH_SIZE, "%s", chosen);
    return;
  }
  const char *names[] = {compiler->program, compiler->other};
  for (int i = 0; i < 2 && names[i]; i++)
    if (find_in_llvm(places->compiler, names[i], version))
      return;
  char found[PATH_SIZE];
  snprintf(places->compiler, PATH_SIZE, "%s-%s", compiler->program, version);
  if (!search_path(places->compiler, found))
    find_beside_clang(places->compiler, compiler->program, version);
}

void find_tool(char path[PATH_SIZE], const char *program, const char *version) {
  if (!find_in_llvm(path, program, version))
    snprintf(path, PATH_SIZE, "%s-%s", program, version);
}

bool find_rules(const Places *places, const char *file, char path[PATH_SIZE]) {
  const char *slash = strrchr(file, '/');
  return place_in(path, places, find_layout(places)->rules, slash ? slash + 1 : file);
}

/* Is this program the one of that version's package? */
static bool is_of_version(const Places *places, const char *version) {
  char own[PATH_SIZE], other[PATH_SIZE];
  return place(own, places->folder, "/../nabla.so") &&
         place_of_version(other, places, find_layout(places), version, "nabla.so") &&
         strcmp(own, other) == 0;
}

const char *default_version(Places *places) {
  for (int i = 0; i < VERSION_COUNT; i++) {
    if (is_of_version(places, known_versions[i]))
      return known_versions[i];
  }
  for (int i = 0; i < VERSION_COUNT; i++) {
    if (find_plugin(places, known_versions[i]))
      return known_versions[i];
  }
  return known_versions[0];
}
