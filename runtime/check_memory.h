// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Memory under observation: what must be restored, what a run has allocated itself, and what
 * cannot be written without asking. */
#ifndef NABLA_RUNTIME_CHECK_MEMORY_H
#define NABLA_RUNTIME_CHECK_MEMORY_H

#include "check.h"

#include <stdbool.h>
#include <stddef.h>

/* Eight aligned bytes as they were, those whose bit is set in `mask`. `address` 0: an empty slot.
 */
struct __nabla_check_word {
  uintptr_t address;
  unsigned char old[8];
  unsigned char mask;
};

/* A hash table of words; `capacity` is a power of two, or 0. */
struct __nabla_check_words {
  struct __nabla_check_word *slots;
  size_t count, capacity;
};

struct __nabla_check_block {
  char *start;
  size_t bytes;
  void (*release)(void *memory); /* NULL: it is not to be freed */
  /* Of what a run allocates (check_left.c): */
  bool numbers;         /* have numbers with a shadow been written there? */
  bool odd;             /* some of them, or of shadows, in a way that is not followed */
  size_t order;         /* among the allocations, from 1; 0: none is known */
  size_t twin;          /* of shadows: the order of the block with the primals; 0: none */
  unsigned char *marks; /* of shadows: how many bytes the number has that begins here, or 0; NULL */
};

/* Blocks in the order of their addresses. */
struct __nabla_check_blocks {
  struct __nabla_check_block *items;
  size_t count, capacity;
};

/* Where shadows, and the primals that they belong to, come from. */
struct __nabla_check_origin {
  char *primal, *shadow;
  uint32_t access; /* as in __nabla_check_moved */
};

/* The origin of the four aligned bytes at `to`. `to` 0: an empty slot. */
struct __nabla_check_copy {
  uintptr_t to;
  struct __nabla_check_origin from;
};

/* A hash table of copies; `capacity` is a power of two, or 0. */
struct __nabla_check_copies {
  struct __nabla_check_copy *slots;
  size_t count, capacity;
};

/* Memory of at least `count` elements of `bytes` each; what `old` held is kept. Never NULL. */
__NABLA_CHECKED void *__nabla_check_grow(void *old, size_t count, size_t bytes);

/* Keeps the bytes as they are now, those of them that are not kept yet. */
__NABLA_CHECKED void __nabla_check_words_keep(struct __nabla_check_words *words, const char *memory,
                                              uint64_t bytes);
/* Keeps the bytes as they are now, whatever was kept before. */
__NABLA_CHECKED void __nabla_check_words_renew(struct __nabla_check_words *words,
                                               const char *memory, uint64_t bytes);
/* Are all of them kept, as they are now? */
__NABLA_CHECKED bool __nabla_check_words_same(const struct __nabla_check_words *words,
                                              const char *memory, uint64_t bytes);
/* Are all of them kept? */
__NABLA_CHECKED bool __nabla_check_words_have(const struct __nabla_check_words *words,
                                              const char *memory, uint64_t bytes);
/* Keeps in `words` what the bytes that `others` keeps are now. */
__NABLA_CHECKED void __nabla_check_words_keep_all(struct __nabla_check_words *words,
                                                  const struct __nabla_check_words *others);
/* Puts everything back that is kept, and goes on keeping it. */
__NABLA_CHECKED void __nabla_check_words_restore(const struct __nabla_check_words *words);

__NABLA_CHECKED void __nabla_check_blocks_add(struct __nabla_check_blocks *blocks,
                                              struct __nabla_check_block block);
/* The block that the address lies in, NULL where there is none. */
__NABLA_CHECKED struct __nabla_check_block *
__nabla_check_blocks_find(const struct __nabla_check_blocks *blocks, const char *address);
__NABLA_CHECKED void __nabla_check_blocks_remove(struct __nabla_check_blocks *blocks,
                                                 struct __nabla_check_block *block);

/* Keeps where the bytes at `to` come from. Overlapping ones are copied as memmove does it. */
__NABLA_CHECKED void __nabla_check_copies_keep(struct __nabla_check_copies *copies, char *to,
                                               struct __nabla_check_origin from, uint64_t bytes);
/* What lies at `to` comes from nowhere any more. */
__NABLA_CHECKED void __nabla_check_copies_forget(struct __nabla_check_copies *copies,
                                                 const char *to, uint64_t bytes);
/* Where what lies at `to` was before all copies; its primal is NULL if it was not copied there. */
__NABLA_CHECKED struct __nabla_check_origin
__nabla_check_copies_find(const struct __nabla_check_copies *copies, const char *to);

/* The pages that cannot be written now, from the system; an empty list where it does not say. */
__NABLA_CHECKED void __nabla_check_read_only(struct __nabla_check_blocks *blocks);
/* Lets these pages be written, or no longer. */
__NABLA_CHECKED bool __nabla_check_protect(const struct __nabla_check_block *block, bool writable);

#endif
