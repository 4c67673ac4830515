/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* The parts of the driver: where things are, and one function for each thing that it does. No
 * argument ever passes through a shell. */
#ifndef NABLA_DRIVER_H
#define NABLA_DRIVER_H

#include <stdbool.h>
#include <stddef.h>

/* Linux takes no longer path than 4096 bytes. */
enum { PATH_SIZE = 4096 + 64, VERSION_COUNT = 2 };

/* The exit status of a wrong use, or of what is not installed. */
enum { STATUS_CANNOT = 2 };

/* That of a source which is refused, as the compilers have it. */
enum { STATUS_REFUSED = 1 };

/* The versions of LLVM that nabla is built for, the usual one first. */
extern const char *const known_versions[VERSION_COUNT];

/* LANGUAGE_MIXED: C++ that takes each file of C as C, as its name says. */
typedef enum { LANGUAGE_C, LANGUAGE_CXX, LANGUAGE_FORTRAN, LANGUAGE_MIXED } Language;

/* Where things are: paths that exist, or empty strings. */
typedef struct {
  char folder[PATH_SIZE]; /* of this program, without a slash at the end */
  char compiler[PATH_SIZE];
  char plugin[PATH_SIZE];
  char include[PATH_SIZE];
  char hidden[PATH_SIZE];  /* of the headers that stay out of the system's folder */
  char modules[PATH_SIZE]; /* of Fortran */
} Places;

bool starts_with(const char *text, const char *prefix);
bool is_known_version(const char *version);
/* Is the argument the option for the version? One that is not known is said, under the name. */
typedef enum { VERSION_NONE, VERSION_TAKEN, VERSION_WRONG } VersionOption;
VersionOption take_version(const char *name, const char *argument, const char **version);
/* Writes the folder of this program; false when it cannot be known. */
bool find_folder(Places *places);
/* Finds the plugin of one version; false where there is none. */
bool find_plugin(Places *places, const char *version);
/* Is there a link in its place that leads nowhere? */
bool plugin_is_lost(const Places *places, const char *version);
void find_include(Places *places);
/* Writes the path of <nabla/nabla.h>; false where it is not there. */
bool find_header(const Places *places, char path[PATH_SIZE]);
/* Finds the compiled modules for Fortran, which are there where flang was. */
void find_modules(Places *places, const char *version);
/* Names the compiler: the user's choice, Debian's place, or whatever PATH finds, beside clang where
 * no other has the version in its name. */
void find_compiler(Places *places, Language language, const char *version);
/* The real path of the program `name` in the folder of PATH that starts at `folder`; false if it is
 * not there. */
bool find_on_path(const char *folder, size_t length, const char *name, char path[PATH_SIZE]);
/* Names a program of LLVM's: Debian's place, or whatever PATH finds. */
void find_tool(char path[PATH_SIZE], const char *program, const char *version);
/* Writes the path of nabla's rule file of the name that `file` ends with; false if it is not there.
 */
bool find_rules(const Places *places, const char *file, char path[PATH_SIZE]);
/* The version that is meant where the user names none: that of the package which this program is
 * of, else the first whose plugin is there. */
const char *default_version(Places *places);

/* The compiler with the plugin. `count` arguments without the program's name, NULL at the end.
 * Returns only when something is missing, with the exit status. */
int compile(const char *name, Language language, bool check, int count, char **arguments);
/* Says where Fortran's sources have directives of Enzyme's; returns how many. */
int report_directives(int count, char **arguments);
/* LLVM's ar or ranlib, which put bitcode into archives; else, where that is not installed, the
 * system's. Arguments as above. */
int archive(const char *name, const char *program, char **arguments);
/* Compiles, and writes a page or text of what was found and made where -o says. */
int explain(Language language, int count, char **arguments);
/* Packs a compilation that fails into one small file, or compiles such a file again. */
int repro(Language language, int count, char **arguments);
/* Says what is installed, what is wrong with it and how to mend it. */
int doctor(int count, char **arguments);
/* Says what is known about functions. */
int show_rules(int count, char **arguments);

#endif
