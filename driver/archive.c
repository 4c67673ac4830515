/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/*
 * nabla-llvm-ar and nabla-llvm-ranlib: LLVM's, of the version that nabla cc means.
 *
 * CMake takes the names of the programs that make archives of bitcode from that of the compiler:
 * beside nabla-cc it looks for these, and for no other.
 */

/* execvp is POSIX's, not C's. */
#define _XOPEN_SOURCE 700

#include "driver.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A link to this program may have the name of the system's. */
int archive(const char *name, const char *program, char **arguments) {
  Places places = {.folder = ""};
  char path[PATH_SIZE], llvm_name[64];
  find_folder(&places);
  snprintf(llvm_name, sizeof llvm_name, "llvm-%s", program);
  find_tool(path, llvm_name, default_version(&places));
  arguments[0] = path;
  execvp(path, arguments);
  if (strcmp(name, program) != 0)
    execvp(program, arguments);
  fprintf(stderr, "%s: cannot run %s or %s: %s\n", name, path, program, strerror(errno));
  return STATUS_CANNOT;
}
