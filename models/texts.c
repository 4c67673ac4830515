// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What finds places in texts and in memory, and what moves texts: the analyses see from where a
 * place is counted, and so whose shadow is its own. */
#define _GNU_SOURCE
#define __NO_INLINE__ /* getline is a function of its own */
#include "../runtime/texts.h"
#include "model.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/types.h>
#include <wchar.h>

#undef strdup
#undef strndup
#undef strchr
#undef strtok_r

#define TEXT __attribute__((always_inline))

char *__strdup(const char *text);
char *__strndup(const char *text, size_t most);
char *__strtok_r(char *text, const char *between, char **rest);
char *__stpcpy_chk(char *to, const char *from, size_t room);
char *__stpncpy_chk(char *to, const char *from, size_t most, size_t room);
void *__mempcpy_chk(void *to, const void *from, size_t bytes, size_t room);
void __explicit_bzero_chk(void *to, size_t bytes, size_t room);
char *__fgets_chk(char *to, size_t have, int room, FILE *file);
ssize_t __getdelim(char **line, size_t *room, int end, FILE *file);

/* -1: there is none. */
static TEXT inline char *place(const void *memory, int64_t at) {
  return at < 0 ? NULL : (char *)memory + at;
}

/* --- Copies ----------------------------------------------------------------------------------- */

TEXT char *strdup(const char *text) { return __nabla_text_copy(text, strlen(text) + 1); }

TEXT char *__strdup(const char *text) { return __nabla_text_copy(text, strlen(text) + 1); }

TEXT char *strndup(const char *text, size_t most) {
  return __nabla_text_copy(text, strnlen(text, most) + 1);
}

TEXT char *__strndup(const char *text, size_t most) {
  return __nabla_text_copy(text, strnlen(text, most) + 1);
}

TEXT char *stpcpy(char *to, const char *from) {
  size_t bytes = strlen(from);
  strcpy(to, from);
  return to + bytes;
}

TEXT char *stpncpy(char *to, const char *from, size_t most) {
  size_t bytes = strnlen(from, most);
  strncpy(to, from, most);
  return to + bytes;
}

TEXT void *mempcpy(void *to, const void *from, size_t bytes) {
  memcpy(to, from, bytes);
  return (char *)to + bytes;
}

TEXT void bcopy(const void *from, void *to, size_t bytes) { memmove(to, from, bytes); }

TEXT void bzero(void *to, size_t bytes) { memset(to, 0, bytes); }

TEXT void explicit_bzero(void *to, size_t bytes) { memset(to, 0, bytes); }

TEXT void *memccpy(void *to, const void *from, int c, size_t bytes) {
  int64_t at = __nabla_memory_find(from, c, (int64_t)bytes);
  size_t copied = at < 0 ? bytes : (size_t)at + 1;
  memcpy(to, from, copied);
  return at < 0 ? NULL : (char *)to + copied;
}

TEXT wchar_t *wmemcpy(wchar_t *to, const wchar_t *from, size_t count) {
  return memcpy(to, from, count * sizeof *to);
}

TEXT wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t count) {
  return memmove(to, from, count * sizeof *to);
}

TEXT wchar_t *wcscpy(wchar_t *to, const wchar_t *from) {
  return memcpy(to, from, (wcslen(from) + 1) * sizeof *to);
}

TEXT char *fgets(char *to, int room, FILE *file) {
  return __nabla_fgets(to, room, file) ? to : NULL;
}

/* The line, in memory that grows with it. */
TEXT ssize_t getdelim(char **line, size_t *room, int end, FILE *file) {
  size_t count = 0;
  int c = 0;
  if (!*line)
    *room = 0;
  while ((count == 0 || c != end) && (c = fgetc(file)) != EOF) {
    if (count + 2 > *room) {
      size_t more = 2 * count + 120;
      char *grown = realloc(*line, more);
      if (!grown)
        return -1;
      *line = grown;
      *room = more;
    }
    (*line)[count++] = (char)c;
    (*line)[count] = 0;
  }
  return count ? (ssize_t)count : -1;
}

TEXT ssize_t getline(char **line, size_t *room, FILE *file) {
  return getdelim(line, room, '\n', file);
}

TEXT ssize_t __getdelim(char **line, size_t *room, int end, FILE *file) {
  return getdelim(line, room, end, file);
}

/* With _FORTIFY_SOURCE. */

TEXT char *__stpcpy_chk(char *to, const char *from, size_t room) {
  (void)room;
  return stpcpy(to, from);
}

TEXT char *__stpncpy_chk(char *to, const char *from, size_t most, size_t room) {
  (void)room;
  return stpncpy(to, from, most);
}

TEXT void *__mempcpy_chk(void *to, const void *from, size_t bytes, size_t room) {
  (void)room;
  return mempcpy(to, from, bytes);
}

TEXT void __explicit_bzero_chk(void *to, size_t bytes, size_t room) {
  (void)room;
  memset(to, 0, bytes);
}

TEXT char *__fgets_chk(char *to, size_t have, int room, FILE *file) {
  (void)have;
  return fgets(to, room, file);
}

/* --- Places ----------------------------------------------------------------------------------- */

TEXT void *memchr(const void *memory, int c, size_t bytes) {
  return place(memory, __nabla_memory_find(memory, c, bytes));
}

TEXT void *memrchr(const void *memory, int c, size_t bytes) {
  return place(memory, __nabla_memory_find_last(memory, c, bytes));
}

TEXT char *strchr(const char *text, int c) { return place(text, __nabla_text_find(text, c)); }

TEXT char *strchrnul(const char *text, int c) {
  int64_t at = __nabla_text_find(text, c);
  return (char *)text + (at < 0 ? (int64_t)strlen(text) : at);
}

TEXT char *strrchr(const char *text, int c) { return place(text, __nabla_text_find_last(text, c)); }

TEXT char *strstr(const char *text, const char *part) {
  return place(text, __nabla_text_find_text(text, part));
}

TEXT char *strcasestr(const char *text, const char *part) {
  return place(text, __nabla_text_find_text_case(text, part));
}

TEXT char *strpbrk(const char *text, const char *of) {
  return place(text, __nabla_text_find_any(text, of));
}

/* --- Words ------------------------------------------------------------------------------------ */

/* The first word, ended where it ends; `*rest` is what lies behind it. */
static TEXT inline char *word(char *text, const char *between, char **rest) {
  char *start = text + strspn(text, between);
  char *end = start + strcspn(start, between);
  if (start == end) {
    *rest = start;
    return NULL;
  }
  *rest = end + (strnlen(end, 1) ? 1 : 0);
  __nabla_text_end(end);
  return start;
}

TEXT char *strtok_r(char *text, const char *between, char **rest) {
  return word(text ? text : *rest, between, rest);
}

TEXT char *__strtok_r(char *text, const char *between, char **rest) {
  return word(text ? text : *rest, between, rest);
}

TEXT char *strsep(char **rest, const char *between) {
  char *start = *rest;
  if (!start)
    return NULL;
  char *end = start + strcspn(start, between);
  *rest = strnlen(end, 1) ? end + 1 : NULL;
  __nabla_text_end(end);
  return start;
}
