// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What the models of functions on texts (models/texts.c) call. Places are counted from where the
 * text, or the memory, begins; -1 where there is none. */
#ifndef NABLA_RUNTIME_TEXTS_H
#define NABLA_RUNTIME_TEXTS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

void *__nabla_text_copy(const char *text, size_t bytes);
uint64_t __nabla_text_bytes(const char *text);
uint64_t __nabla_text_bytes_most(const char *text, uint64_t most);
int64_t __nabla_text_find(const char *text, int c);
int64_t __nabla_text_find_last(const char *text, int c);
int64_t __nabla_text_find_text(const char *text, const char *part);
int64_t __nabla_text_find_text_case(const char *text, const char *part);
int64_t __nabla_text_find_any(const char *text, const char *of);
int64_t __nabla_memory_find(const void *memory, int c, size_t bytes);
int64_t __nabla_memory_find_last(const void *memory, int c, size_t bytes);
void __nabla_text_end(char *at);
int __nabla_fgets(char *to, int room, FILE *file);

#endif
