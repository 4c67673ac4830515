// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What reads bytes from files into memory: they are constants, so that the derivatives by what they
 * overwrite end there. What was not read stays what it was. The library fills memory of ours first,
 * so that the rest is a copy, which the analyses see. */
#define _DEFAULT_SOURCE
#include "model.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>

#undef fread_unlocked /* a macro where the compiler optimises */

size_t __fread_chk(void *to, size_t room, size_t size, size_t count, FILE *file);
ssize_t read(int file, void *to, size_t size);
ssize_t __read_chk(int file, void *to, size_t size, size_t room);
ssize_t pread(int file, void *to, size_t size, off_t at);
ssize_t pread64(int file, void *to, size_t size, off_t at);
ssize_t getrandom(void *to, size_t size, unsigned flags);

size_t __nabla_fread(void *to, size_t size, size_t count, FILE *file);
ssize_t __nabla_read(int file, void *to, size_t size);
ssize_t __nabla_pread(int file, void *to, size_t size, off_t at);
ssize_t __nabla_getrandom(void *to, size_t size, unsigned flags);

#define READER __attribute__((always_inline))

static void *new_buffer(size_t size) {
  void *buffer = malloc(size ? size : 1);
  if (!buffer)
    errno = ENOMEM;
  return buffer;
}

/* `got` bytes were read, or there was an error. */
static ssize_t take(void *to, void *buffer, ssize_t got) {
  if (got > 0)
    memcpy(to, buffer, (size_t)got);
  free(buffer);
  return got;
}

READER size_t fread(void *to, size_t size, size_t count, FILE *file) {
  size_t bytes;
  if (__builtin_mul_overflow(size, count, &bytes) || !bytes)
    return 0;
  void *buffer = new_buffer(bytes);
  if (!buffer)
    return 0;
  size_t got = __nabla_fread(buffer, size, count, file);
  take(to, buffer, (ssize_t)(got * size));
  return got;
}

READER size_t fread_unlocked(void *to, size_t size, size_t count, FILE *file) {
  return fread(to, size, count, file);
}

READER size_t __fread_chk(void *to, size_t room, size_t size, size_t count, FILE *file) {
  (void)room;
  return fread(to, size, count, file);
}

READER ssize_t read(int file, void *to, size_t size) {
  void *buffer = new_buffer(size);
  return buffer ? take(to, buffer, __nabla_read(file, buffer, size)) : -1;
}

READER ssize_t __read_chk(int file, void *to, size_t size, size_t room) {
  (void)room;
  return read(file, to, size);
}

READER ssize_t pread(int file, void *to, size_t size, off_t at) {
  void *buffer = new_buffer(size);
  return buffer ? take(to, buffer, __nabla_pread(file, buffer, size, at)) : -1;
}

READER ssize_t pread64(int file, void *to, size_t size, off_t at) {
  return pread(file, to, size, at);
}

READER ssize_t getrandom(void *to, size_t size, unsigned flags) {
  void *buffer = new_buffer(size);
  return buffer ? take(to, buffer, __nabla_getrandom(buffer, size, flags)) : -1;
}
