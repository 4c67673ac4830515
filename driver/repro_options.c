/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "repro_options.h"

#include <string.h>

static const char *const starts[] = {"-I",
                                     "-D",
                                     "-U",
                                     "-L",
                                     "-x",
                                     "-l",
                                     "-W",
                                     "-B",
                                     "-isystem",
                                     "-iquote",
                                     "-isysroot",
                                     "-flto",
                                     "--sysroot",
                                     "-resource-dir",
                                     "-fdebug-prefix-map",
                                     "-ffile-prefix-map",
                                     "-fmacro-prefix-map",
                                     "-fdebug-compilation-dir",
                                     "-ffile-compilation-dir",
                                     "-fcoverage-",
                                     "-fuse-ld",
                                     "--ld-path",
                                     "--config",
                                     "-fprofile",
                                     "-fauto-profile",
                                     "-fcs-profile",
                                     "-fcrash-diagnostics",
                                     "-foptimization-record",
                                     "-fsave-optimization-record",
                                     "-ftime-trace",
                                     "-fproc-stat-report",
                                     "-fstack-usage",
                                     "-save-stats",
                                     "-working-directory",
                                     "-ccc-",
                                     NULL};

/* What the preprocessor and the linker alone look at has done its work, or is not wanted. */
static bool is_left_out(const char *argument) {
  static const char *const whole[] = {"-",
                                      "-c",
                                      "-S",
                                      "-E",
                                      "-shared",
                                      "-static",
                                      "-include",
                                      "-imacros",
                                      "-idirafter",
                                      "-P",
                                      "-v",
                                      "-Wl,-z,now",
                                      "-###",
                                      "-fsyntax-only",
                                      "--config",
                                      "-Xpreprocessor",
                                      "-Xlinker",
                                      "-Xassembler",
                                      "-include-pch",
                                      "--serialize-diagnostics",
                                      "-serialize-diagnostics",
                                      NULL};
  bool left = is_any(argument, whole) || argument[0] != '-';
  for (unsigned i = 0; starts[i]; i++)
    left = left || starts_with(argument, starts[i]);
  return left;
}

/* In Fortran, where modules and what is included are: behind the option, or the next argument. */
static const char *folder_of_modules(Language language, const char *option, const char *next) {
  bool names = starts_with(option, "-I") || starts_with(option, "-J");
  if (language != LANGUAGE_FORTRAN)
    return NULL;
  if (strcmp(option, "-module-dir") == 0 || (names && !option[2]))
    return next;
  return names ? option + 2 : NULL;
}

/* Is this, with the next three arguments, what clang itself is told of headers, as CMake does for
 * precompiled ones? They are in the preprocessed text. */
static bool includes_by_clang(const NbList *all, unsigned index) {
  static const char *const options[] = {"-include", "-include-pch", "-imacros", "-isystem",
                                        "-iquote",  "-I",           NULL};
  static const char to_clang[] = "-Xclang";
  return index + 3 < all->count && strcmp(all->items[index], to_clang) == 0 &&
         is_any(all->items[index + 1], options) && strcmp(all->items[index + 2], to_clang) == 0;
}

const char *unpacked_options(NbArena *arena, const Arguments *arguments) {
  static const char *const beginnings[] = {"-fprofile", "-fauto-profile", "-fcs-profile",
                                           "-fcoverage-", NULL};
  const char *text = "";
  for (unsigned i = 0; i < arguments->all.count; i++)
    for (unsigned j = 0; beginnings[j]; j++)
      if (starts_with(arguments->all.items[i], beginnings[j]))
        text = nb_arena_print(arena, "%s %s", text, (char *)arguments->all.items[i]);
  return text;
}

/* What came from headers of the system is held to be the user's own, and warned of. */
void choose_options(Language language, const Arguments *arguments, Packed *packed,
                    NbList *folders) {
  if (language != LANGUAGE_FORTRAN)
    packed_add_option(packed, "-Wno-everything", NULL);
  const NbList *all = &arguments->all;
  for (unsigned i = 0; i < all->count; i++) {
    const char *argument = all->items[i];
    if (language != LANGUAGE_FORTRAN && includes_by_clang(all, i)) {
      i += 3;
      continue;
    }
    bool pair = takes_value(argument) && i + 1 < all->count;
    const char *folder = folder_of_modules(language, argument, pair ? all->items[i + 1] : NULL);
    if (folder) {
      nb_list_push(folders, nb_arena_print(packed->arena, "-I%s", folder));
    } else if (!is_left_out(argument)) {
      packed_add_option(packed, argument, pair ? all->items[i + 1] : NULL);
    }
    i += pair;
  }
  packed_take_environment(packed, all);
}

static bool names_packed(const Packed *packed, const char *option) {
  const char *equals = strchr(option, '=');
  bool named = false;
  for (unsigned i = 0; equals && i < packed->files.count && !named; i++)
    named = strcmp(((const PackedFile *)packed->files.items[i])->path, equals + 1) == 0;
  return named;
}

bool is_of_machine(const Packed *packed, unsigned index) {
  const char *option = packed->options.items[index];
  return strchr(option, '=') && arguments_to_drop(packed, index) == 1;
}

unsigned arguments_to_drop(const Packed *packed, unsigned index) {
  static const char *const values[] = {"-nabla-", "-std=", "-target",         "--target",
                                       "-O",      "-x",    "-Wno-everything", NULL};
  const char *option = packed->options.items[index];
  bool stays = names_packed(packed, option);
  stays = stays || (index && takes_value(packed->options.items[index - 1]));
  for (unsigned i = 0; values[i]; i++)
    stays = stays || starts_with(option, values[i]);
  bool pair = takes_value(option) && index + 1 < packed->options.count;
  return stays ? 0 : pair ? 2 : 1;
}
