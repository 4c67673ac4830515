// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Region memory: everything that a stage makes lives in an arena and dies with it. */
#ifndef NABLA_BASE_ARENA_H
#define NABLA_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct NbArena NbArena;

/* An empty arena, owned by the caller. Out of memory ends the process with one line. */
NbArena *nb_arena_new(void);
void nb_arena_free(NbArena *arena);

/* `bytes` zeroed bytes, aligned to 16, valid until the arena is freed; never NULL. */
void *nb_arena_alloc(NbArena *arena, size_t bytes);
/* The items, of `size` bytes each, where there is room for one more: the old ones, or a copy of
 * them that is twice as long; `*capacity` tells how long. */
void *nb_arena_grow(NbArena *arena, void *items, unsigned count, unsigned *capacity, size_t size);
/* A copy of the first `length` bytes of `text`, with a terminating zero. */
char *nb_arena_copy(NbArena *arena, const char *text, size_t length);
/* As sprintf, into the arena. */
__attribute__((format(printf, 2, 3))) char *nb_arena_print(NbArena *arena, const char *format, ...);

#define NB_NEW(arena, Type) ((Type *)nb_arena_alloc((arena), sizeof(Type)))
#define NB_NEW_ARRAY(arena, Type, count) ((Type *)nb_arena_alloc((arena), sizeof(Type) * (count)))

#ifdef __cplusplus
}
#endif
#endif
