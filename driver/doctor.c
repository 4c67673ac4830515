/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/*
 * nabla doctor: what is installed, what is wrong with it, and how to mend it.
 *
 * A version of LLVM for which there is no plugin is no fault, unless there is none at all.
 * Everything is found out by trying it: each compiler is asked for its
 * version, and is then to make a derivative with the plugin. Children are run without a shell.
 */

/* fork, pipe and realpath are POSIX's, not C's. */
#define _XOPEN_SOURCE 700

#include "child.h"
#include "nabla/version.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { OUTPUT_SIZE = 16384, STATUS_NOT_RUN = 127, SECONDS = 60 };

typedef struct {
  int faults, working;
} Findings;

/* What a child wrote on both outputs, cut off at the end, and its exit status. */
typedef struct {
  char text[OUTPUT_SIZE];
  int status;
  bool is_endless; /* it was ended, and that is its text */
} Output;

static void report_good(const char *what, const char *detail) {
  printf("  ok      %s: %s\n", what, detail);
}

static void report_note(const char *what, const char *detail) {
  printf("  note    %s: %s\n", what, detail);
}

static void report_fault(Findings *findings, const char *what, const char *detail,
                         const char *mend) {
  printf("  FAULT   %s: %s\n          mend it: %s\n", what, detail, mend);
  findings->faults++;
}

/* Behind standard input: a pipe that holds the text, which is short; -1: there is none. */
static int pipe_with(const char *text) {
  int ends[2];
  if (pipe(ends) != 0)
    return -1;
  size_t length = strlen(text);
  bool written = write(ends[1], text, length) == (ssize_t)length;
  close(ends[1]);
  if (written)
    return ends[0];
  close(ends[0]);
  return -1;
}

/* How long a child may take. */
static unsigned patience(void) {
  const char *told = getenv("NABLA_DOCTOR_SECONDS");
  unsigned long seconds = told ? strtoul(told, NULL, 10) : 0;
  return seconds && seconds <= INT_MAX / 1000 ? (unsigned)seconds : SECONDS;
}

/* In the child: becomes the program, which reads from `input`, with both outputs in the pipe. What
 * it starts is of its group, so that all ends with it. */
static void become(const char *const *command, int input, const int ends[2]) {
  setpgid(0, 0);
  dup2(input, STDIN_FILENO);
  close(input);
  dup2(ends[1], STDOUT_FILENO);
  dup2(ends[1], STDERR_FILENO);
  close(ends[0]);
  close(ends[1]);
  execvp(command[0], (char *const *)command);
  _exit(STATUS_NOT_RUN);
}

static time_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec;
}

/* Reads to the end, keeps what fits; false: the end does not come. */
static bool read_all(int from, Output *output) {
  time_t end = now() + patience();
  struct pollfd wanted = {from, POLLIN, 0};
  size_t kept = 0;
  char part[512];
  ssize_t got = 1;
  while (got > 0 || (got < 0 && errno == EINTR)) {
    time_t left = end - now();
    if (left <= 0)
      return false;
    got = poll(&wanted, 1, (int)left * 1000) < 0 ? -1 : 1;
    if (got < 0 || !wanted.revents)
      continue;
    got = read(from, part, sizeof part);
    size_t room = OUTPUT_SIZE - 1 - kept;
    size_t taken = got < 0 ? 0 : (size_t)got < room ? (size_t)got : room;
    memcpy(output->text + kept, part, taken);
    kept += taken;
  }
  output->text[kept] = '\0';
  return true;
}

/* Of a child that has closed its outputs, or was ended. */
static void end_child(pid_t child, Output *output) {
  int status = 0;
  if (output->is_endless) {
    snprintf(output->text, sizeof output->text, "has not ended after %u seconds", patience());
    kill(-child, SIGKILL);
  }
  if (waitpid(child, &status, 0) == child && WIFEXITED(status))
    output->status = WEXITSTATUS(status);
}

static void run_child(const char *const *command, const char *input, Output *output) {
  int ends[2], from = pipe_with(input);
  *output = (Output){"", STATUS_NOT_RUN, false};
  fflush(stdout);
  if (from < 0 || pipe(ends) != 0)
    return;
  pid_t child = fork();
  if (child == 0)
    become(command, from, ends);
  close(from);
  close(ends[1]);
  output->is_endless = child > 0 && !read_all(ends[0], output);
  close(ends[0]);
  if (child > 0)
    end_child(child, output);
}

static void cut_after_line(char *text) { text[strcspn(text, "\n")] = '\0'; }

/* The first line with an error in it, else the first one. */
static char *telling_line(char *text) {
  char *start = strstr(text, "error:");
  while (start && start > text && start[-1] != '\n')
    start--;
  char *line = start ? start : text;
  cut_after_line(line);
  return line;
}

/* Does a program's own account of itself name the version, behind `word`? */
static bool is_of_version(const char *text, const char *word, const char *version) {
  const char *at = strstr(text, word);
  size_t length = strlen(version);
  if (!at)
    return false;
  at += strlen(word);
  return strncmp(at, version, length) == 0 && at[length] == '.';
}

static bool check_plugin(Findings *findings, const Places *places, const char *version) {
  char mend[128], detail[PATH_SIZE + 64];
  snprintf(mend, sizeof mend, "make LLVM=%s, and make install", version);
  if (access(places->plugin, R_OK) == 0) {
    report_good("plugin", places->plugin);
    return true;
  }
  snprintf(detail, sizeof detail, "%s cannot be read", places->plugin);
  report_fault(findings, "plugin", places->plugin[0] ? detail : "is not there",
               places->plugin[0] ? "chmod a+r the file, or install it again" : mend);
  return false;
}

/* One of the compilers. */
typedef struct {
  const char *name, *variable;
  Language language;
} Program;

/* Asks a compiler for its version. */
static bool check_compiler(Findings *findings, const Places *places, const Program *program,
                           const char *version) {
  char detail[PATH_SIZE + 128], mend[160];
  const char *const command[] = {places->compiler, "--version", NULL};
  Output output;
  run_child(command, "", &output);
  cut_after_line(output.text);
  snprintf(mend, sizeof mend, "apt install %s-%s, or name one: %s=/path/%s",
           program->language == LANGUAGE_CXX ? "clang" : program->name, version, program->variable,
           program->name);
  if (output.status == STATUS_NOT_RUN) {
    snprintf(detail, sizeof detail, "%s %s", places->compiler,
             output.is_endless ? output.text : "cannot be run");
    report_fault(findings, program->name, detail, mend);
    return false;
  }
  snprintf(detail, sizeof detail, "%s: %.100s", places->compiler, output.text);
  if (output.status == 0 && is_of_version(output.text, "version ", version)) {
    report_good(program->name, detail);
    return true;
  }
  snprintf(detail, sizeof detail, "%s is not of LLVM %s: %.80s", places->compiler, version,
           output.text);
  report_fault(findings, program->name, detail, mend);
  return false;
}

/* The variables that are set and speak to the plugin, behind a blank each. */
static void list_variables(char *text, size_t size) {
  static const char *const names[] = {
#define NB_OPTION(name, value, help) name,
#define NB_SHARED(name, value, help) name,
#include "bridge/options.def"
  };
  size_t length = 0;
  text[0] = '\0';
  for (size_t i = 0; i < sizeof names / sizeof *names && length < size; i++) {
    char variable[64];
    snprintf(variable, sizeof variable, "NABLA_%s", names[i]);
    for (char *at = variable; *at; at++)
      *at = (char)(*at == '-' ? '_' : toupper((unsigned char)*at));
    if (getenv(variable))
      length += (size_t)snprintf(text + length, size - length, " %s", variable);
  }
}

/* What helps where the environment tells the plugin something; false where it does not. */
static bool mend_by_environment(char unset[OUTPUT_SIZE]) {
  char variables[OUTPUT_SIZE / 2];
  list_variables(variables, sizeof variables);
  snprintf(unset, OUTPUT_SIZE, "the environment tells the plugin so: correct it, or unset%s",
           variables);
  return variables[0];
}

/* What helps where the plugin is not loaded, some of it in `unset`. It tells by itself when it is
 * another version's, or does not do what the environment asks for. */
static const char *mend_loading(const char *said, char unset[OUTPUT_SIZE]) {
  bool told = mend_by_environment(unset);
  if (strstr(said, "[nabla: "))
    return told ? unset : "install nabla again";
  if (strstr(said, "was built for LLVM"))
    return "the folder of this version holds the plugin of another: make it for this one, and make "
           "install";
  return "this compiler cannot load plugins (it was linked without them), or the plugin is broken: "
         "use the one of apt.llvm.org or of Debian, and install nabla again";
}

/* A derivative without which its function would call what is nowhere. */
static const char request[] =
    "double __enzyme_autodiff(void *, ...);\n"
    "static double square(double x) { return x * x; }\n"
    "double nabla_doctor(double x) { return __enzyme_autodiff((void *)square, x); }\n";

static const char use_of_request[] = "int main(void) { return nabla_doctor(3) != 6; }\n";

static const char request_in_fortran[] = "real(8) function square(x)\n"
                                         "  real(8) :: x\n"
                                         "  square = x * x\n"
                                         "end function\n"
                                         "subroutine nabla_doctor(x, dx)\n"
                                         "  real(8) :: x, dx\n"
                                         "  real(8), external :: square\n"
                                         "  external :: square__enzyme_autodiff\n"
                                         "  call square__enzyme_autodiff(square, x, dx)\n"
                                         "end subroutine\n";

static const char use_of_modules[] = "subroutine nabla_doctor(f, x, dx)\n"
                                     "  use enzyme\n"
                                     "  real(8), external :: f\n"
                                     "  real(8) :: x, dx\n"
                                     "  call enzyme_autodiff(f, enzyme_dup, x, dx)\n"
                                     "end subroutine\n";

static const char other_version[] = "nabla's headers are of another version";

/* Needs the number of the version and its name, and what is said of others. */
static const char use_of_headers[] =
    "#include <nabla/nabla.h>\n"
    "#include <nabla/checkpoint.h>\n"
    "#include <nabla/sparse.h>\n"
    "#include <enzyme/checkpoint.h>\n"
    "#ifdef __cplusplus\n"
    "#include <enzyme/enzyme>\n"
    "#include <enzyme/tuple>\n"
    "#endif\n"
    "_Static_assert(NABLA_VERSION == %d && !__builtin_strcmp(NABLA_VERSION_STRING, \"%s\"), "
    "\"%s\");\n";

/* Compiles it to assembler, with the plugin. */
static void make_derivative(const Places *places, Language language, Output *output) {
  static const char *const names[] = {"c", "c++", "f95"};
  bool fortran = language == LANGUAGE_FORTRAN;
  char plugin[PATH_SIZE + 32], pass[PATH_SIZE + 32];
  snprintf(plugin, sizeof plugin, "-fplugin=%s", places->plugin);
  snprintf(pass, sizeof pass, "-fpass-plugin=%s", places->plugin);
  const char *const command[] = {places->compiler, plugin, pass, "-O1", "-g0", "-x",
                                 names[language],  "-S",   "-",  "-o",  "-",   NULL};
  const char *const without[] = {
      places->compiler, pass, "-O1", "-x", names[language], "-S", "-", "-o", "-", NULL};
  run_child(fortran ? without : command, fortran ? request_in_fortran : request, output);
}

/* Does the compiler load the plugin, and does that do its work? */
static bool check_loading(Findings *findings, const Places *places, const Program *program) {
  static const char dropped[] = "name the compiler itself, not a program before it that leaves out "
                                "-fplugin= and -fpass-plugin=";
  char detail[128], mend[160], unset[OUTPUT_SIZE];
  Output output;
  make_derivative(places, program->language, &output);
  bool broken = output.status == STATUS_NOT_RUN || strstr(output.text, "Stack dump");
  if (output.status != 0) {
    snprintf(detail, sizeof detail, "%s breaks down while it loads the plugin", program->name);
    const char *loading = mend_loading(output.text, unset);
    report_fault(findings, "loading", broken ? detail : telling_line(output.text), loading);
    return false;
  }
  bool made = strstr(output.text, "nabla_doctor") && !strstr(output.text, "enzyme_autodiff");
  snprintf(mend, sizeof mend, "%s: %s=/path/%s", dropped, program->variable, program->name);
  bool told = mend_by_environment(unset);
  snprintf(detail, sizeof detail, "%s loads the plugin, and has made a derivative", program->name);
  if (made)
    report_good("loading", detail);
  snprintf(detail, sizeof detail, "%s compiles, but the plugin made no derivative", program->name);
  if (!made)
    report_fault(findings, "loading", detail, told ? unset : mend);
  return made;
}

/* Are all headers there, and do they belong to this program? */
static void check_headers_with(Findings *findings, const Places *places, const Program *program) {
  static const char where[] = "make install, or apt install libnabla-dev";
  bool cxx = program->language == LANGUAGE_CXX;
  char request_of_headers[1024], include[PATH_SIZE + 16], hidden[PATH_SIZE + 16];
  snprintf(request_of_headers, sizeof request_of_headers, use_of_headers, NABLA_VERSION,
           NABLA_VERSION_STRING, other_version);
  snprintf(include, sizeof include, "-isystem%s", places->include);
  snprintf(hidden, sizeof hidden, "-isystem%s", places->hidden);
  const char *const command[] = {places->compiler,
                                 "-w",
                                 "-fsyntax-only",
                                 "-x",
                                 cxx ? "c++" : "c",
                                 "-",
                                 places->hidden[0] ? hidden : "-w",
                                 places->include[0] ? include : NULL,
                                 NULL};
  Output output;
  run_child(command, request_of_headers, &output);
  if (output.status == 0)
    report_good("headers", cxx ? "those of C++ compile" : "those of C compile");
  else
    report_fault(findings, "headers", telling_line(output.text), where);
}

/* May Fortran say `use enzyme`? */
static void check_modules(Findings *findings, const Places *places) {
  static const char mend[] = "install nabla again, from a build that found this flang";
  char folder[PATH_SIZE + 16], detail[PATH_SIZE + 64];
  snprintf(detail, sizeof detail, "%s/enzyme.mod cannot be used", places->modules);
  snprintf(folder, sizeof folder, "-I%s", places->modules);
  const char *const command[] = {places->compiler, "-fsyntax-only", folder, "-x", "f95", "-", NULL};
  Output output;
  run_child(command, use_of_modules, &output);
  if (!places->modules[0])
    report_fault(findings, "modules", "enzyme.mod is not there, which `use enzyme` needs", mend);
  else if (output.status != 0)
    report_fault(findings, "modules", detail, mend);
  else
    report_good("modules", places->modules);
}

/* Links a program with -flto in the folder, which is to run and find its derivative right. */
static void link_program(const Places *places, const char *linker, const char *folder,
                         Output *output) {
  char plugin[PATH_SIZE + 32], pass[PATH_SIZE + 32], load[PATH_SIZE + 32], late[PATH_SIZE + 32];
  char path[PATH_SIZE + 32], program[PATH_SIZE + 32], text[sizeof request + sizeof use_of_request];
  snprintf(plugin, sizeof plugin, "-fplugin=%s", places->plugin);
  snprintf(pass, sizeof pass, "-fpass-plugin=%s", places->plugin);
  snprintf(load, sizeof load, "-load=%s", places->plugin);
  snprintf(late, sizeof late, "--load-pass-plugin=%s", places->plugin);
  snprintf(path, sizeof path, "--ld-path=%s", linker);
  snprintf(program, sizeof program, "%s/program", folder);
  snprintf(text, sizeof text, "%s%s", request, use_of_request);
  const char *const command[] = {
      places->compiler, plugin, pass,       "-O1",    "-g0",      "-flto",
      "-fuse-ld=lld",   path,   "-Xlinker", "-mllvm", "-Xlinker", load,
      "-Xlinker",       late,   "-x",       "c",      "-",        "-o",
      program,          NULL};
  const char *const run[] = {program, NULL};
  run_child(command, text, output);
  if (output->status == 0)
    run_child(run, "", output);
}

/* Does that linker load the plugin? */
static void check_linking(Findings *findings, const Places *places, const char *linker,
                          const char *mend) {
  char detail[PATH_SIZE + 128];
  Output output;
  NbArena *arena = nb_arena_new();
  char *folder = make_folder(arena, "nabla doctor");
  if (folder)
    link_program(places, linker, folder, &output);
  if (folder)
    remove_folder(folder);
  nb_arena_free(arena);
  if (!folder)
    return;
  snprintf(detail, sizeof detail, "%.400s makes no program of a derivative: %.200s", linker,
           output.text[0] ? telling_line(output.text) : "it has a wrong one, or none");
  if (output.status == 0)
    report_good("-flto", "a program was linked, and its derivative is right");
  else
    report_fault(findings, "-flto", detail, mend);
}

/* `works`: the compiler makes derivatives. */
static void check_linker(Findings *findings, const Places *places, const char *version,
                         bool works) {
  const char *const question[] = {places->compiler, "-print-prog-name=ld.lld", NULL};
  char mend[128], detail[128];
  Output path, answer;
  run_child(question, "", &path);
  cut_after_line(path.text);
  const char *const command[] = {path.text, "--version", NULL};
  run_child(command, "", &answer);
  cut_after_line(answer.text);
  snprintf(mend, sizeof mend, "apt install lld-%s (only -flto needs it)", version);
  snprintf(detail, sizeof detail, "%.80s is not of LLVM %s", answer.text, version);
  if (answer.status != 0) {
    report_fault(findings, "ld.lld", "there is none, so that -flto cannot work", mend);
  } else if (is_of_version(answer.text, "LLD ", version)) {
    report_good("ld.lld", path.text);
    if (works)
      check_linking(findings, places, path.text, mend);
  } else {
    report_fault(findings, "ld.lld", detail, mend);
  }
}

/* Does the compiler of the version load the plugin, and find what it is to read? `plugin`: there is
 * one. */
static bool check_program(Findings *findings, const Places *places, const Program *program,
                          const char *version, bool plugin) {
  char header[PATH_SIZE];
  bool there = check_compiler(findings, places, program, version);
  bool works = there && plugin && check_loading(findings, places, program);
  if (works && program->language == LANGUAGE_FORTRAN)
    check_modules(findings, places);
  else if (works && find_header(places, header))
    check_headers_with(findings, places, program);
  return there;
}

/* Those of C++ and Fortran, for their own programs alone: a compiler that the user names, or flang
 * where it is. */
static void check_others(Findings *findings, const Places *places, const char *version,
                         bool plugin) {
  static const Program cxx = {"clang++", "NABLA_CLANGXX", LANGUAGE_CXX},
                       flang = {"flang", "NABLA_FLANG", LANGUAGE_FORTRAN};
  Places other = *places;
  Output answer;
  find_compiler(&other, LANGUAGE_CXX, version);
  check_program(findings, &other, &cxx, version, plugin);
  find_compiler(&other, LANGUAGE_FORTRAN, version);
  const char *const command[] = {other.compiler, "--version", NULL};
  run_child(command, "", &answer);
  if (answer.status == STATUS_NOT_RUN && !getenv(flang.variable))
    report_note("flang", "there is none, so that nabla fc cannot work");
  else
    check_program(findings, &other, &flang, version, plugin);
}

static bool any_plugin(const Places *places) {
  Places other = *places;
  bool any = false;
  for (int i = 0; i < VERSION_COUNT; i++)
    any = find_plugin(&other, known_versions[i]) || any;
  return any;
}

static void check_version(Findings *findings, Places *places, const char *version) {
  static const Program clang = {"clang", "NABLA_CLANG", LANGUAGE_C};
  int faults = findings->faults;
  bool here = find_plugin(places, version);
  bool closed = !here && errno == EACCES;
  find_include(places);
  find_modules(places, version);
  find_compiler(places, LANGUAGE_C, version);
  printf("LLVM %s\n", version);
  if (closed) {
    report_fault(findings, "plugin", "its folder cannot be entered",
                 "chmod a+rx the folders that lead to it, or install it again");
    return;
  }
  if (!here && plugin_is_lost(places, version)) {
    report_fault(findings, "plugin", "its place is a link that leads nowhere",
                 "install nabla again");
    return;
  }
  if (!here && any_plugin(places)) {
    report_note("not installed", "there is no plugin for this version");
    return;
  }
  bool plugin = check_plugin(findings, places, version);
  if (!check_program(findings, places, &clang, version, plugin))
    return;
  bool works = plugin && findings->faults == faults;
  findings->working += works;
  check_linker(findings, places, version, works);
  check_others(findings, places, version, plugin);
}

static const char archiver_start[] = "nabla-llvm-";

/* Is the program one of nabla's? Asked for a version of LLVM that there is not, a compiler of
 * nabla's answers under its own name, and compiles nothing. */
static bool is_nabla(const char *program, const char *name) {
  static const char said[] = "nabla " NABLA_VERSION_STRING "\n";
  bool archiver = starts_with(name, archiver_start);
  bool compiler = strchr(name, '-') != NULL && !archiver;
  const char *const command[] = {program, compiler ? "--llvm=0" : "--version", NULL};
  char answer[64];
  Output output;
  run_child(command, "", &output);
  snprintf(answer, sizeof answer, "%s: --llvm=0: the versions are ", name);
  if (archiver)
    return strstr(output.text, "LLVM version ") || strstr(output.text, ": cannot run ");
  return compiler ? output.status == STATUS_CANNOT && starts_with(output.text, answer)
                  : strcmp(output.text, said) == 0;
}

/* Of the program that is called so, and lies at the path behind all links. */
static void check_nature(Findings *findings, const char *program, const char *path,
                         const char *name) {
  char detail[PATH_SIZE + 64];
  snprintf(detail, sizeof detail, "%s is no %s of nabla " NABLA_VERSION_STRING, path, name);
  if (!is_nabla(program, name))
    report_fault(findings, name, detail, "install nabla again");
  else if (program == name)
    report_good("PATH", path);
}

/* No folder of PATH has it, which need not be: it may be called by its whole path. */
static void check_beside(Findings *findings, const Places *places, const char *name) {
  char path[PATH_SIZE], detail[PATH_SIZE + 64], program[PATH_SIZE + 32];
  snprintf(detail, sizeof detail, "it is neither on PATH nor in %s", places->folder);
  snprintf(program, sizeof program, "%s/%s", places->folder, name);
  if (find_on_path(places->folder, strlen(places->folder), name, path))
    check_nature(findings, program, path, name);
  else
    report_fault(findings, name, detail, "install nabla again");
}

/* Which program of this name is run depends on the order of PATH, where there are two. */
static void check_path(Findings *findings, const Places *places, const char *name) {
  char first[PATH_SIZE] = "", other[PATH_SIZE], detail[2 * PATH_SIZE + 64];
  const char *folder = getenv("PATH");
  bool twice = false;
  while (folder && !twice) {
    size_t length = strcspn(folder, ":");
    if (find_on_path(folder, length, name, other)) {
      twice = first[0] && strcmp(first, other) != 0;
      if (!first[0])
        memcpy(first, other, PATH_SIZE);
    }
    folder = folder[length] ? folder + length + 1 : NULL;
  }
  snprintf(detail, sizeof detail, "%s is run, and %s is hidden behind it", first, other);
  if (twice)
    report_fault(findings, "two on PATH", detail, "remove one of them, or its folder from PATH");
  else if (first[0])
    check_nature(findings, name, first, name);
  else
    check_beside(findings, places, name);
}

/* clang, and what is linked here, needs a folder for files that are there only meanwhile. */
static void check_temporary(Findings *findings) {
  char detail[PATH_SIZE + 64];
  const char *parent = temporary_parent();
  snprintf(detail, sizeof detail, "nothing can be written to %.400s", parent);
  if (access(parent, W_OK | X_OK) != 0)
    report_fault(findings, "temporary files", detail,
                 "make it, or set TMPDIR to a folder that can be written");
}

/* All versions share them. */
static void check_headers(Findings *findings, const Places *places) {
  char path[PATH_SIZE];
  if (find_header(places, path))
    report_good("headers", path);
  else
    report_fault(findings, "headers", "<nabla/nabla.h> is not there",
                 "make install, or apt install libnabla-dev");
}

/* Which version alone is meant; false: something else is said, too. */
static bool read_only(int count, char **arguments, const char **only) {
  VersionOption taken = VERSION_TAKEN;
  for (int i = 0; i < count && taken == VERSION_TAKEN; i++) {
    taken = take_version("nabla doctor", arguments[i], only);
    if (taken == VERSION_NONE)
      fprintf(stderr, "nabla doctor: what is '%s'? It takes no argument but --llvm=\n",
              arguments[i]);
  }
  return taken == VERSION_TAKEN;
}

int doctor(int count, char **arguments) {
  static const char *const programs[] = {"nabla",    "nabla-cc",      "nabla-c++",
                                         "nabla-fc", "nabla-llvm-ar", "nabla-llvm-ranlib"};
  Findings findings = {0, 0};
  Places places = {.folder = ""};
  const char *only = NULL;
  if (!read_only(count, arguments, &only))
    return STATUS_CANNOT;
  if (!find_folder(&places)) {
    fputs("nabla doctor: /proc is not there, so that nabla cannot find its own files\n", stderr);
    return STATUS_CANNOT;
  }
  printf("nabla %s in %s\n", NABLA_VERSION_STRING, places.folder);
  check_headers(&findings, &places);
  check_temporary(&findings);
  for (int i = 0; i < VERSION_COUNT; i++)
    if (!only || strcmp(only, known_versions[i]) == 0)
      check_version(&findings, &places, known_versions[i]);
  puts("PATH");
  for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
    check_path(&findings, &places, programs[i]);
  if (!findings.faults && findings.working)
    puts("all is well");
  else
    printf("faults: %d; versions of LLVM that work: %d\n", findings.faults, findings.working);
  return findings.faults || !findings.working;
}
