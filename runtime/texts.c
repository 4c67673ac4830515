// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Texts, under names that rules/libc.rules knows: the library's own functions have bodies while
 * derivatives are made (models/texts.c). */
#define _GNU_SOURCE
#include "texts.h"

#include <stdlib.h>
#include <string.h>

/* The last of the bytes ends the copy. */
void *__nabla_text_copy(const char *text, size_t bytes) {
  char *copy = malloc(bytes);
  if (!copy)
    return NULL;
  memcpy(copy, text, bytes - 1);
  copy[bytes - 1] = 0;
  return copy;
}

/* With the one that ends it. */
uint64_t __nabla_text_bytes(const char *text) { return strlen(text) + 1; }

/* The same of what was written into memory of `most` bytes. */
uint64_t __nabla_text_bytes_most(const char *text, uint64_t most) {
  uint64_t length = most ? strnlen(text, most) : 0;
  return length < most ? length + 1 : most;
}

static int64_t counted(const char *from, const char *place) { return place ? place - from : -1; }

int64_t __nabla_text_find(const char *text, int c) { return counted(text, strchr(text, c)); }

int64_t __nabla_text_find_last(const char *text, int c) { return counted(text, strrchr(text, c)); }

int64_t __nabla_text_find_text(const char *text, const char *part) {
  return counted(text, strstr(text, part));
}

int64_t __nabla_text_find_text_case(const char *text, const char *part) {
  return counted(text, strcasestr(text, part));
}

int64_t __nabla_text_find_any(const char *text, const char *of) {
  return counted(text, strpbrk(text, of));
}

int64_t __nabla_memory_find(const void *memory, int c, size_t bytes) {
  return counted(memory, memchr(memory, c, bytes));
}

int64_t __nabla_memory_find_last(const void *memory, int c, size_t bytes) {
  return counted(memory, memrchr(memory, c, bytes));
}

void __nabla_text_end(char *at) { *at = 0; }

int __nabla_fgets(char *to, int room, FILE *file) { return fgets(to, room, file) != NULL; }
