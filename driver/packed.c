/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* Comments at the start of a packed source: its arguments, one a line, and files, whose lines
 * follow their names. Names have no folders, whoever wrote them. */

/* unsetenv and strncasecmp are POSIX's, not C's. */
#define _XOPEN_SOURCE 700

#include "packed.h"

#include "child.h"
#include "nabla/version.h"

#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char first_mark[] = " nabla repro of nabla ";
static const char argument_mark[] = " argument: ";
static const char file_mark[] = " file: ";
static const char line_mark[] = " | ";

static const char rules_option[] = "-nabla-rules=";

Packed packed_new(NbArena *arena) { return (Packed){arena, nb_list(arena), nb_list(arena)}; }

static const char *last_part(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* --- Files ----------------------------------------------------------------------------------- */

static const PackedFile *file_named(const Packed *packed, const char *name) {
  for (unsigned i = 0; i < packed->files.count; i++) {
    const PackedFile *file = packed->files.items[i];
    if (strcmp(file->name, name) == 0)
      return file;
  }
  return NULL;
}

static void add_text(Packed *packed, const char *path, const char *name, const char *text) {
  PackedFile *file = NB_NEW(packed->arena, PackedFile);
  *file = (PackedFile){path, name, text};
  nb_list_push(&packed->files, file);
}

/* What cannot be read is not there for the compiler either. */
static void add_file(Packed *packed, const char *path) {
  const char *text = read_text(packed->arena, path);
  const char *name = last_part(path);
  if (!text)
    return;
  while (file_named(packed, name))
    name = nb_arena_print(packed->arena, "%u-%s", packed->files.count + 1, last_part(path));
  add_text(packed, path, name, text);
}

/* --- Options --------------------------------------------------------------------------------- */

static void add_rules(Packed *packed, const char *paths) {
  while (*paths) {
    size_t length = strcspn(paths, ";");
    const char *path = nb_arena_copy(packed->arena, paths, length);
    add_file(packed, path);
    nb_list_push(&packed->options, nb_arena_print(packed->arena, "%s%s", rules_option, path));
    paths += length + (paths[length] == ';');
  }
}

void packed_add_option(Packed *packed, const char *option, const char *value) {
  static const char ignored[] = "-fsanitize-ignorelist=";
  bool to_plugin = value && strcmp(option, "-mllvm") == 0 && starts_with(value, "-nabla-");
  const char *said = to_plugin ? value : option;
  if (writes_beside(said))
    return;
  if (starts_with(said, rules_option)) {
    add_rules(packed, said + strlen(rules_option));
    return;
  }
  if (starts_with(option, ignored))
    add_file(packed, option + strlen(ignored));
  nb_list_push(&packed->options, (void *)option);
  if (value)
    nb_list_push(&packed->options, (void *)value);
}

static const char *const plugin_options[] = {
#define NB_OPTION(name, value, help) name,
#define NB_SHARED(name, value, help) name,
#include "bridge/options.def"
};

enum { PLUGIN_OPTION_COUNT = sizeof plugin_options / sizeof *plugin_options };

static bool is_said(const NbList *all, const char *option) {
  size_t length = strlen(option);
  for (unsigned i = 0; i < all->count; i++) {
    const char *argument = all->items[i];
    if (starts_with(argument, option) && (argument[length] == '=' || !argument[length]))
      return true;
  }
  return false;
}

/* As the plugin calls it. */
static const char *variable_of(NbArena *arena, const char *option) {
  char *name = nb_arena_print(arena, "NABLA_%s", option);
  for (char *at = name; *at; at++)
    *at = *at == '-' ? '_' : (char)toupper((unsigned char)*at);
  return name;
}

void packed_take_environment(Packed *packed, const NbList *all) {
  for (int i = 0; i < PLUGIN_OPTION_COUNT; i++) {
    const char *variable = variable_of(packed->arena, plugin_options[i]);
    const char *option = nb_arena_print(packed->arena, "-nabla-%s", plugin_options[i]);
    const char *value = getenv(variable);
    if (value && *value && !is_said(all, option))
      packed_add_option(packed, nb_arena_print(packed->arena, "%s=%s", option, value), NULL);
    unsetenv(variable);
  }
}

/* --- Modules of Fortran ---------------------------------------------------------------------- */

static bool is_word(char sign) { return isalnum((unsigned char)sign) || sign == '_'; }

static bool is_same_word(const char *start, size_t length, const char *word) {
  return strlen(word) == length && strncasecmp(start, word, length) == 0;
}

/* Does the text speak of the module, and define none of this name? */
static bool mentions(const char *text, const char *module) {
  bool mentioned = false, defines = false;
  while (*text) {
    size_t length = 0;
    while (is_word(text[length]))
      length++;
    bool same = length && is_same_word(text, length, module);
    if (same && defines)
      return false;
    mentioned = mentioned || same;
    if (length)
      defines = is_same_word(text, length, "module");
    text += length ? length : 1;
  }
  return mentioned;
}

/* Does the source, or one of the modules that are there already, use it? */
static bool is_used(const Packed *packed, const char *text, const char *module) {
  bool used = mentions(text, module);
  for (unsigned i = 0; i < packed->files.count && !used; i++)
    used = mentions(((const PackedFile *)packed->files.items[i])->text, module);
  return used;
}

static bool add_module(Packed *packed, const char *folder, const char *name, const char *text) {
  const char *ending = strrchr(name, '.');
  if (!ending || strcmp(ending, ".mod") != 0 || file_named(packed, name))
    return false;
  const char *module = nb_arena_copy(packed->arena, name, (size_t)(ending - name));
  if (!is_used(packed, text, module))
    return false;
  unsigned count = packed->files.count;
  add_file(packed, nb_arena_print(packed->arena, "%s/%s", folder, name));
  return packed->files.count > count;
}

static bool add_modules_of(Packed *packed, const char *folder, const char *text) {
  DIR *entries = opendir(folder);
  bool any = false;
  for (const struct dirent *entry; entries && (entry = readdir(entries)) != NULL;)
    any |= add_module(packed, folder, nb_arena_print(packed->arena, "%s", entry->d_name), text);
  if (entries)
    closedir(entries);
  return any;
}

void packed_add_modules(Packed *packed, const NbList *folders, const char *text) {
  for (bool any = true; any;) {
    any = false;
    for (unsigned i = 0; i < folders->count; i++)
      any |= add_modules_of(packed, (const char *)folders->items[i] + strlen("-I"), text);
    any |= add_modules_of(packed, ".", text);
  }
}

/* --- Writing --------------------------------------------------------------------------------- */

/* The name of the packed file that the option means; NULL: none. */
static const char *packed_name(const Packed *packed, const char *path) {
  for (unsigned i = 0; i < packed->files.count; i++) {
    const PackedFile *file = packed->files.items[i];
    if (strcmp(file->path, path) == 0)
      return file->name;
  }
  return NULL;
}

/* Without folders. */
static const char *relative(const Packed *packed, const char *option) {
  const char *slash = strrchr(option, '/'), *equals = strchr(option, '=');
  const char *name = equals ? packed_name(packed, equals + 1) : NULL;
  if (!slash && !name)
    return option;
  if (!name && (!equals || equals > slash))
    return option[0] == '-' ? option : slash + 1;
  return nb_arena_print(packed->arena, "%.*s%s", (int)(equals + 1 - option), option,
                        name ? name : slash + 1);
}

const char *packed_without_folders(const Packed *packed, const char *text) {
  for (unsigned i = 0; i < packed->files.count; i++) {
    const PackedFile *file = packed->files.items[i];
    const char *found = strstr(text, file->path);
    if (found)
      text = nb_arena_print(packed->arena, "%.*s%s%s", (int)(found - text), text, file->name,
                            found + strlen(file->path));
  }
  return text;
}

static void write_file_lines(const PackedFile *file, const char *comment, FILE *out) {
  fprintf(out, "%s%s%s\n", comment, file_mark, file->name);
  for (const char *line = file->text; *line; line += strcspn(line, "\n"), line += *line != '\0')
    fprintf(out, "%s%s%.*s\n", comment, line_mark, (int)strcspn(line, "\n"), line);
}

void packed_write(const Packed *packed, const char *comment, FILE *out) {
  fprintf(out, "%s%s%s\n", comment, first_mark, NABLA_VERSION_STRING);
  for (unsigned i = 0; i < packed->options.count; i++)
    fprintf(out, "%s%s%s\n", comment, argument_mark, relative(packed, packed->options.items[i]));
  for (unsigned i = 0; i < packed->files.count; i++)
    write_file_lines(packed->files.items[i], comment, out);
}

/* --- Again ----------------------------------------------------------------------------------- */

/* What is behind the mark in a line; NULL: it has none. */
static const char *behind_mark(const char *line, const char *mark) {
  const char *at = line + strspn(line, "/;!");
  return at > line && starts_with(at, mark) ? at + strlen(mark) : NULL;
}

static const char *rest_of_line(NbArena *arena, const char *start) {
  return nb_arena_copy(arena, start, strcspn(start, "\n"));
}

/* Puts the lines of a packed file into a file of the folder. Returns where they end. */
static const char *unpack_lines(const char *at, const char *path) {
  FILE *out = fopen(path, "w");
  for (const char *line; *at == '\n' && (line = behind_mark(at + 1, line_mark)) != NULL;) {
    int length = (int)strcspn(line, "\n");
    if (out)
      fprintf(out, "%.*s\n", length, line);
    at = line + length;
  }
  if (out)
    fclose(out);
  return at;
}

/* Reads the comments behind the first; files come into the folder. */
static Packed read_packed(NbArena *arena, const char *at, const char *folder) {
  Packed packed = packed_new(arena);
  for (;;) {
    at += *at == '\n';
    const char *option = behind_mark(at, argument_mark), *file = behind_mark(at, file_mark);
    const char *start = option ? option : file;
    if (!start)
      return packed;
    const char *value = rest_of_line(arena, start);
    at = start + strlen(value);
    if (option) {
      nb_list_push(&packed.options, (void *)value);
      continue;
    }
    const char *name = last_part(value);
    const char *path = nb_arena_print(arena, "%s/%s", folder, name);
    at = unpack_lines(at, path);
    add_text(&packed, path, name, "");
  }
}

/* The option with the path of the packed file that it names. */
static const char *with_path(const Packed *packed, const char *option) {
  const char *equals = strchr(option, '=');
  const PackedFile *file = equals ? file_named(packed, equals + 1) : NULL;
  if (!file)
    return option;
  return nb_arena_print(packed->arena, "%.*s%s", (int)(equals + 1 - option), option, file->path);
}

/* What Fortran was packed from ends so; clang tells C and C++ apart by itself. */
static bool is_fortran(const char *file) {
  const char *ending = strrchr(file, '.');
  return ending && strcmp(ending, ".f90") == 0;
}

static int compile_packed(NbArena *arena, const char *own_name, Language language, char *file,
                          const char *comments, const NbList *others, const char *says) {
  char *folder = make_folder(arena, own_name);
  if (!folder)
    return STATUS_CANNOT;
  Packed packed = read_packed(arena, comments, folder);
  Packed none = packed_new(arena);
  packed_take_environment(&none, &packed.options);
  NbList list = nb_list(arena);
  for (unsigned i = 0; i < packed.options.count; i++)
    nb_list_push(&list, (void *)with_path(&packed, packed.options.items[i]));
  for (unsigned i = 0; i < others->count; i++)
    nb_list_push(&list, others->items[i]);
  if (is_fortran(file))
    nb_list_push(&list, nb_arena_print(arena, "-J%s", folder));
  const char *const last[] = {"-c", file, "-o", "/dev/null"};
  for (unsigned i = 0; i < sizeof last / sizeof *last; i++)
    nb_list_push(&list, (void *)last[i]);
  int status =
      run_compile(own_name, is_fortran(file) ? LANGUAGE_FORTRAN : language, &list, says, 0);
  remove_folder(folder);
  return status;
}

int packed_try(NbArena *arena, const char *own_name, Language language, char *file,
               const NbList *others, const char *says) {
  const char *text = read_text(arena, file);
  const char *mark = text ? behind_mark(text, first_mark) : NULL;
  if (mark)
    return compile_packed(arena, own_name, language, file, mark + strcspn(mark, "\n"), others,
                          says);
  fprintf(stderr, "%s: %s is no file of mine\n", own_name, file);
  return STATUS_CANNOT;
}

int packed_compile(NbArena *arena, const char *own_name, Language language, char *file,
                   const NbList *others) {
  hold_signals();
  int status = packed_try(arena, own_name, language, file, others, NULL);
  release_signals();
  return status;
}
