// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What reads bytes from files, under names that rules/posix.rules knows: the library's own have
 * bodies while derivatives are made (models/files.c). */
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <sys/random.h>
#include <unistd.h>

size_t __nabla_fread(void *to, size_t size, size_t count, FILE *file);
ssize_t __nabla_read(int file, void *to, size_t size);
ssize_t __nabla_pread(int file, void *to, size_t size, off_t at);
ssize_t __nabla_getrandom(void *to, size_t size, unsigned flags);

size_t __nabla_fread(void *to, size_t size, size_t count, FILE *file) {
  return fread(to, size, count, file);
}

ssize_t __nabla_read(int file, void *to, size_t size) { return read(file, to, size); }

ssize_t __nabla_pread(int file, void *to, size_t size, off_t at) {
  return pread(file, to, size, at);
}

ssize_t __nabla_getrandom(void *to, size_t size, unsigned flags) {
  return getrandom(to, size, flags);
}
