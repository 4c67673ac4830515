/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "arguments.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { FILES_DEPTH_MAX = 16 };

bool is_any(const char *text, const char *const *words) {
  for (; *words; words++)
    if (strcmp(text, *words) == 0)
      return true;
  return false;
}

/* Does the option take the next argument as its value? */
bool takes_value(const char *option) {
  static const char *const options[] = {"-I",
                                        "-D",
                                        "-U",
                                        "-include",
                                        "-imacros",
                                        "-isystem",
                                        "-iquote",
                                        "-x",
                                        "-Xclang",
                                        "-mllvm",
                                        "-target",
                                        "-arch",
                                        "-L",
                                        "-l",
                                        "-T",
                                        "-z",
                                        "-u",
                                        "-J",
                                        "-isysroot",
                                        "-idirafter",
                                        "-Xlinker",
                                        "-Xflang",
                                        "-MF",
                                        "-MT",
                                        "-MQ",
                                        "-o",
                                        "--output",
                                        "--sysroot",
                                        "-module-dir",
                                        "-MJ",
                                        "-F",
                                        "-B",
                                        "-iprefix",
                                        "-dumpdir",
                                        "-iwithprefix",
                                        "-iwithprefixbefore",
                                        "-cxx-isystem",
                                        "-stdlib++-isystem",
                                        "-ivfsoverlay",
                                        "--param",
                                        "--config",
                                        "--serialize-diagnostics",
                                        "-serialize-diagnostics",
                                        "-Xpreprocessor",
                                        "-Xassembler",
                                        "-Xanalyzer",
                                        "-Xopenmp-target",
                                        "-Xcuda-ptxas",
                                        "-Xcuda-fatbinary",
                                        "-include-pch",
                                        "-iwithsysroot",
                                        "-iframework",
                                        "-framework",
                                        "-rpath",
                                        "-working-directory",
                                        "-e",
                                        NULL};
  return is_any(option, options);
}

bool writes_beside(const char *option) {
  static const char *const options[] = {"-MD", "-MMD", "-MP", "-MG", "-MF",
                                        "-MT", "-MQ",  "-MJ", NULL};
  return is_any(option, options) || starts_with(option, "-save-temps") ||
         starts_with(option, "-Wp,-M") || starts_with(option, "-nabla-explain") ||
         starts_with(option, "-nabla-source") || starts_with(option, "-ftime-trace") ||
         starts_with(option, "--serialize-diagnostics") ||
         starts_with(option, "-serialize-diagnostics");
}

/* All that clang and flang take by the ending of a file's name; IR is of no language of its own. */
static const struct {
  const char *ending;
  Language language;
} endings[] = {{".c", LANGUAGE_C},         {".i", LANGUAGE_C},         {".ll", LANGUAGE_C},
               {".bc", LANGUAGE_C},        {".cc", LANGUAGE_CXX},      {".CC", LANGUAGE_CXX},
               {".cpp", LANGUAGE_CXX},     {".CPP", LANGUAGE_CXX},     {".cxx", LANGUAGE_CXX},
               {".CXX", LANGUAGE_CXX},     {".c++", LANGUAGE_CXX},     {".C++", LANGUAGE_CXX},
               {".C", LANGUAGE_CXX},       {".cp", LANGUAGE_CXX},      {".ii", LANGUAGE_CXX},
               {".cppm", LANGUAGE_CXX},    {".ccm", LANGUAGE_CXX},     {".cxxm", LANGUAGE_CXX},
               {".c++m", LANGUAGE_CXX},    {".iim", LANGUAGE_CXX},     {".f90", LANGUAGE_FORTRAN},
               {".F90", LANGUAGE_FORTRAN}, {".f95", LANGUAGE_FORTRAN}, {".F95", LANGUAGE_FORTRAN},
               {".f03", LANGUAGE_FORTRAN}, {".F03", LANGUAGE_FORTRAN}, {".f08", LANGUAGE_FORTRAN},
               {".F08", LANGUAGE_FORTRAN}, {".f18", LANGUAGE_FORTRAN}, {".F18", LANGUAGE_FORTRAN},
               {".f", LANGUAGE_FORTRAN},   {".F", LANGUAGE_FORTRAN},   {".for", LANGUAGE_FORTRAN},
               {".FOR", LANGUAGE_FORTRAN}, {".ftn", LANGUAGE_FORTRAN}, {".f77", LANGUAGE_FORTRAN},
               {".fpp", LANGUAGE_FORTRAN}, {".FPP", LANGUAGE_FORTRAN}};

bool is_source_of(const char *argument, Language *language) {
  const char *ending = strrchr(argument, '.');
  for (size_t i = 0; argument[0] != '-' && ending && i < sizeof endings / sizeof *endings; i++)
    if (strcmp(ending, endings[i].ending) == 0) {
      *language = endings[i].language;
      return true;
    }
  return false;
}

bool is_source(const char *argument) {
  Language language;
  return is_source_of(argument, &language);
}

const char *read_text(NbArena *arena, const char *path) {
  FILE *in = fopen(path, "r");
  if (!in)
    return NULL;
  fseek(in, 0, SEEK_END);
  long size = ftell(in);
  rewind(in);
  char *text = nb_arena_alloc(arena, size > 0 ? (size_t)size + 1 : 1);
  size_t got = size > 0 ? fread(text, 1, (size_t)size, in) : 0;
  text[got] = '\0';
  fclose(in);
  return text;
}

/* What -x says of all files behind it. */
static void note_kind(const char **kind, const char *argument, const char *value) {
  if (starts_with(argument, "-x") && !starts_with(argument, "-xarch"))
    *kind = argument[2] ? argument + 2 : value;
  if (*kind && strcmp(*kind, "none") == 0)
    *kind = NULL;
}

/* What the option says of the output, itself or by its value; NULL: nothing. */
static const char *output_in(const char *option, const char *value) {
  static const char joined[] = "--output=";
  if (strcmp(option, "-o") == 0 || strcmp(option, "--output") == 0)
    return value;
  if (starts_with(option, joined))
    return option + strlen(joined);
  return starts_with(option, "-o") ? option + 2 : NULL;
}

/* Takes one argument, and its value where it has one. Returns how many these are. */
static int take_argument(Arguments *taken, int left, char **arguments) {
  const char *argument = arguments[0];
  bool pair = takes_value(argument) && left > 1;
  const char *output = pair ? output_in(argument, arguments[1]) : output_in(argument, NULL);
  if (output) {
    taken->output = output;
    return pair ? 2 : 1;
  }
  bool behind = pair && strcmp(argument, "-mllvm") == 0 && writes_beside(arguments[1]);
  if (!behind && !writes_beside(argument)) {
    nb_list_push(&taken->all, arguments[0]);
    if (pair)
      nb_list_push(&taken->all, arguments[1]);
    note_kind(&taken->kind, argument, pair ? arguments[1] : NULL);
    if (is_source(argument) || (taken->kind && (argument[0] != '-' || !argument[1])))
      nb_list_push(&taken->sources, arguments[0]);
  }
  return pair ? 2 : 1;
}

/* --- Response files -------------------------------------------------------------------------- */

/* One word as GNU's tools have them: quotes hold it together, a backslash takes the next sign as it
 * is. Returns where the next begins. */
static const char *read_word(const char *at, char *to) {
  char quote = '\0';
  for (; *at && (quote || !isspace((unsigned char)*at)); at++) {
    if (*at == '\\' && at[1])
      *to++ = *++at;
    else if (quote ? *at == quote : *at == '"' || *at == '\'')
      quote = quote ? '\0' : *at;
    else
      *to++ = *at;
  }
  return at;
}

static void add_read(NbList *list, char *argument, unsigned depth);

static void add_words(const char *text, NbList *list, unsigned depth) {
  while (*(text += strspn(text, " \t\r\n\f\v"))) {
    char *word = nb_arena_alloc(list->arena, strlen(text) + 1);
    text = read_word(text, word);
    add_read(list, word, depth);
  }
}

/* Files may name files, but not without end. */
static void add_read(NbList *list, char *argument, unsigned depth) {
  const char *text =
      argument[0] == '@' && depth < FILES_DEPTH_MAX ? read_text(list->arena, argument + 1) : NULL;
  if (text)
    add_words(text, list, depth + 1);
  else
    nb_list_push(list, argument);
}

NbList read_files(NbArena *arena, int count, char **arguments) {
  NbList list = nb_list(arena);
  for (int i = 0; i < count; i++)
    add_read(&list, arguments[i], 0);
  return list;
}

/* Behind "--" all are files: without it, none of them is to look like an option. */
static NbList without_separator(NbArena *arena, int count, char **arguments) {
  NbList read = read_files(arena, count, arguments), list = nb_list(arena);
  bool files = false;
  for (unsigned i = 0; i < read.count; i++) {
    char *argument = read.items[i];
    if (files && argument[0] == '-')
      argument = nb_arena_print(arena, "./%s", argument);
    if (files || strcmp(argument, "--") != 0)
      nb_list_push(&list, argument);
    else
      files = true;
  }
  return list;
}

Arguments read_arguments(NbArena *arena, int count, char **arguments) {
  Arguments taken = {arena, NULL, NULL, nb_list(arena), nb_list(arena)};
  NbList list = without_separator(arena, count, arguments);
  for (unsigned i = 0; i < list.count;)
    i += (unsigned)take_argument(&taken, (int)(list.count - i), (char **)list.items + i);
  return taken;
}

/* What -x calls the file, where C++ would take it as its own; NULL: it would not. */
static const char *kind_of_c(const char *argument) {
  const char *ending = argument[0] == '-' ? NULL : strrchr(argument, '.');
  if (ending && strcmp(ending, ".c") == 0)
    return "c";
  return ending && strcmp(ending, ".i") == 0 ? "cpp-output" : NULL;
}

/* What -x is to say before the argument, where it said `added` on our part and `said` on the
 * user's: clang warns of one that no file follows. NULL: nothing. */
static const char *kind_before(const char *argument, const char *said, const char *added) {
  const char *kind = kind_of_c(argument);
  if (said || argument[0] == '-')
    return NULL;
  return kind ? kind : added ? "none" : NULL;
}

NbList each_as_named(NbArena *arena, int count, char **arguments) {
  NbList read = without_separator(arena, count, arguments), list = nb_list(arena);
  const char *said = NULL, *added = NULL;
  for (unsigned i = 0; i < read.count; i++) {
    bool pair = takes_value(read.items[i]) && i + 1 < read.count;
    const char *kind = kind_before(read.items[i], said, added);
    if (kind) {
      nb_list_push(&list, (void *)"-x");
      nb_list_push(&list, (void *)kind);
      note_kind(&added, "-x", kind);
    }
    note_kind(&said, read.items[i], pair ? read.items[i + 1] : NULL);
    added = said ? NULL : added;
    nb_list_push(&list, read.items[i]);
    if (pair)
      nb_list_push(&list, read.items[++i]);
  }
  return list;
}

bool is_stop(const char *argument) {
  static const char *const stops[] = {"-c", "-S", "-E", "-fsyntax-only", NULL};
  return is_any(argument, stops);
}

bool stop_before_link(const Arguments *arguments) {
  for (unsigned i = 0; i < arguments->all.count; i++)
    if (is_stop(arguments->all.items[i]))
      return true;
  return false;
}

bool link_with_lto(const Arguments *arguments) {
  bool lto = false;
  for (unsigned i = 0; i < arguments->all.count; i++) {
    const char *argument = arguments->all.items[i];
    if (starts_with(argument, "-flto"))
      lto = true;
    if (strcmp(argument, "-fno-lto") == 0)
      lto = false;
  }
  return lto && !stop_before_link(arguments);
}

void add_for_source(const Arguments *arguments, const char *source, NbList *list) {
  for (unsigned i = 0; i < arguments->all.count; i++) {
    void *argument = arguments->all.items[i];
    bool other = false;
    for (unsigned j = 0; source && j < arguments->sources.count; j++)
      other = other || (argument == arguments->sources.items[j] && argument != source);
    if (!other)
      nb_list_push(list, argument);
  }
}

const char *quote_argument(NbArena *arena, const char *argument) {
  bool plain = *argument && !strpbrk(argument, " \t\n'\"\\$`*?;&|<>(){}[]#~!");
  if (plain)
    return argument;
  const char *text = "'";
  for (const char *quote; (quote = strchr(argument, '\'')) != NULL; argument = quote + 1)
    text = nb_arena_print(arena, "%s%.*s'\\''", text, (int)(quote - argument), argument);
  return nb_arena_print(arena, "%s%s'", text, argument);
}

const char *join_arguments(const Arguments *arguments, const char *command) {
  NbArena *arena = arguments->arena;
  const char *text = command;
  for (unsigned i = 0; i < arguments->all.count; i++)
    text = nb_arena_print(arena, "%s %s", text, quote_argument(arena, arguments->all.items[i]));
  return text;
}
