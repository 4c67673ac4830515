/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/*
 * nabla, nabla-cc, nabla-c++, nabla-fc, nabla-llvm-ar, nabla-llvm-ranlib: which of the driver's
 * parts is meant.
 *
 * It is said by the name under which the program was called, which may have more in front
 * (`my-nabla-cc`); where that says nothing, for it is a link's (`cc`), by the name of the program
 * itself; and where that is nabla, by the first argument.
 */

/* readlink is POSIX's, not C's. */
#define _XOPEN_SOURCE 700

#include "arguments.h"
#include "nabla/version.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char usage[] =
    "usage: nabla COMMAND [ARGUMENTS]\n"
    "\n"
    "  nabla cc|c++|fc ARGUMENTS                                 compile with derivatives\n"
    "  nabla check [cc|c++|fc] ARGUMENTS                         build a program that verifies its "
    "derivatives\n"
    "  nabla explain [cc|c++|fc] ARGUMENTS -o FILE.html|FILE.txt show what was found and made\n"
    "  nabla repro [cc|c++|fc] ARGUMENTS [-o FILE]               pack a failing compilation into a "
    "file\n"
    "  nabla rules [--rules=FILE] NAME...                        what is known about a function\n"
    "  nabla doctor [--llvm=22|19]                               what is installed, and what is "
    "wrong with it\n"
    "  nabla --version | --help | --commands | --options\n"
    "\n"
    "ARGUMENTS are any of clang or flang; nabla-cc, nabla-c++ and nabla-fc are the same as single "
    "words:\n"
    "CC=nabla-cc.\n"
    "--llvm=22 or --llvm=19, also before COMMAND, chooses the version of LLVM; -nabla-OPTION goes "
    "to the plugin.\n";

typedef struct {
  const char *word;
  const char *name; /* as one word */
  Language language;
} Word;

static const Word words[] = {{"cc", "nabla-cc", LANGUAGE_C},
                             {"c++", "nabla-c++", LANGUAGE_CXX},
                             {"fc", "nabla-fc", LANGUAGE_FORTRAN}};

enum { WORD_COUNT = sizeof words / sizeof *words };

static const Word *find_word(const char *text) {
  for (int i = 0; i < WORD_COUNT; i++) {
    if (strcmp(text, words[i].word) == 0)
      return &words[i];
  }
  return NULL;
}

static const char *last_part(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* Is it the word, or does it end with a hyphen and the word? */
static bool ends_with_word(const char *name, const char *word) {
  size_t length = strlen(name), own = strlen(word);
  return length >= own && strcmp(name + length - own, word) == 0 &&
         (length == own || name[length - own - 1] == '-');
}

static const Word *find_name(const char *name) {
  for (int i = 0; i < WORD_COUNT; i++) {
    if (ends_with_word(name, words[i].name))
      return &words[i];
  }
  return NULL;
}

/* The language that the names of the files speak of, but for the output's: one of Fortran makes all
 * of it that. */
static Language language_of(int count, char **arguments) {
  bool any[LANGUAGE_MIXED] = {false};
  Language own;
  for (int i = 0; i < count; i++)
    if ((!i || strcmp(arguments[i - 1], "-o") != 0) && is_source_of(arguments[i], &own))
      any[own] = true;
  if (any[LANGUAGE_FORTRAN])
    return LANGUAGE_FORTRAN;
  if (any[LANGUAGE_CXX])
    return any[LANGUAGE_C] ? LANGUAGE_MIXED : LANGUAGE_CXX;
  return LANGUAGE_C;
}

static int check(Language language, int count, char **arguments) {
  return compile("nabla check", language, true, count, arguments);
}

/* The language is said first, or by the names of the files. */
static int with_language(int (*command)(Language, int, char **), int count, char **arguments) {
  const Word *word = count ? find_word(arguments[0]) : NULL;
  if (word)
    return command(word->language, count - 1, arguments + 1);
  NbArena *arena = nb_arena_new();
  NbList read = read_files(arena, count, arguments);
  Language language = language_of((int)read.count, (char **)read.items);
  nb_arena_free(arena);
  return command(language, count, arguments);
}

static int run_doctor(Language language, int count, char **arguments) {
  (void)language;
  return doctor(count, arguments);
}

static int run_rules(Language language, int count, char **arguments) {
  (void)language;
  return show_rules(count, arguments);
}

/* What is no word of a compiler. */
typedef struct {
  const char *name;
  int (*run)(Language language, int count, char **arguments);
} Command;

static const Command commands[] = {{"check", check},
                                   {"explain", explain},
                                   {"repro", repro},
                                   {"rules", run_rules},
                                   {"doctor", run_doctor}};

enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

static int show_commands(void) {
  for (int i = 0; i < WORD_COUNT; i++)
    puts(words[i].word);
  for (int i = 0; i < COMMAND_COUNT; i++)
    puts(commands[i].name);
  return 0;
}

/* The options of the plugin, as they are given to nabla. */
static const char *const options[] = {
#define VALUE_ValueRequired "="
#define VALUE_ValueOptional ""
#define NB_OPTION(name, value, help) "-nabla-" name VALUE_##value " " help,
#define NB_SHARED(name, value, help) NB_OPTION(name, value, help)
#include "bridge/options.def"
};

static int show_options(void) {
  for (size_t i = 0; i < sizeof options / sizeof *options; i++)
    puts(options[i]);
  return 0;
}

/* The line of the usage that speaks of the command. */
static int show_help(const char *command) {
  char start[32];
  snprintf(start, sizeof start, "  nabla %s ", command);
  const char *line = strstr(usage, start) + 2;
  printf("usage: %.*s\nman nabla-%s says more.\n", (int)strcspn(line, "\n"), line, command);
  return 0;
}

static bool is_help(const char *argument) {
  return strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0;
}

static int run_command(const Command *command, int count, char **arguments) {
  if (count == 1 && is_help(arguments[0]))
    return show_help(command->name);
  return with_language(command->run, count, arguments);
}

/* `count` arguments stand behind the command. */
static int run(const char *command, int count, char **arguments) {
  const Word *word = find_word(command);
  if (word)
    return compile(word->name, word->language, false, count, arguments);
  for (int i = 0; i < COMMAND_COUNT; i++)
    if (strcmp(command, commands[i].name) == 0)
      return run_command(&commands[i], count, arguments);
  if (strcmp(command, "--version") == 0)
    return printf("nabla %s\n", NABLA_VERSION_STRING) < 0;
  if (strcmp(command, "--commands") == 0)
    return show_commands();
  if (strcmp(command, "--options") == 0)
    return show_options();
  if (is_help(command))
    return fputs(usage, stdout) < 0;
  fprintf(stderr, "nabla: no command '%s'\n%s", command, usage);
  return STATUS_CANNOT;
}

static const char archiver[] = "nabla-llvm-";

/* The name by which the program is meant: in `path` where it is not that of the call. */
static const char *meant_name(const char *called, char path[PATH_SIZE]) {
  const char *name = last_part(called);
  if (find_name(name) || starts_with(name, archiver))
    return name;
  ssize_t length = readlink("/proc/self/exe", path, PATH_SIZE - 1);
  if (length <= 0)
    return name;
  path[length] = '\0';
  return last_part(path);
}

/* The status, or, where what was said could not be written, that of what cannot be done. */
static int after_writing(int status) {
  bool lost = fflush(stdout) != 0 || ferror(stdout);
  if (lost)
    perror("nabla: standard output");
  return lost && !status ? STATUS_CANNOT : status;
}

/* The version may be said before the command: it goes behind all else. */
static void put_command_first(int count, char **arguments) {
  for (int i = 1; i + 1 < count && starts_with(arguments[i], "--llvm="); i++) {
    char *option = arguments[i];
    arguments[i] = arguments[i + 1];
    arguments[i + 1] = option;
  }
}

int main(int count, char **arguments) {
  char path[PATH_SIZE];
  const char *name = meant_name(arguments[0], path);
  const Word *word = find_name(name);
  if (word)
    return compile(word->name, word->language, false, count - 1, arguments + 1);
  if (starts_with(name, archiver))
    return archive(last_part(arguments[0]), name + sizeof archiver - 1, arguments);
  put_command_first(count, arguments);
  if (count > 1)
    return after_writing(run(arguments[1], count - 2, arguments + 2));
  fputs(usage, stderr);
  return STATUS_CANNOT;
}
