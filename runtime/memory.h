// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The memory that a derivative asks for at run time, beyond what the primal does: tapes and
 * shadows.
 *
 * Who asks says for whom: `function` is the name of the function whose derivative runs, and
 * `budget` (NULL: no limit) points to the bytes that the tapes of this run may still take. */
#ifndef NABLA_RUNTIME_MEMORY_H
#define NABLA_RUNTIME_MEMORY_H

#include <stdint.h>

/* Sizes that no memory can hold are taken as this one, so that no sum wraps around. */
#define __NABLA_LARGEST_SIZE ((uint64_t)INT64_MAX & ~(uint64_t)63)

/* Called when the derivative of `function` cannot have `bytes` more bytes (UINT64_MAX: more than
 * can be counted). Says so on the standard error output and aborts. A program may define its own,
 * in any file; should that one return, abort follows. */
void __nabla_out_of_memory(const char *function, uint64_t bytes);

/* Uninitialised memory, to be given to free. Never NULL. */
void *__nabla_memory_new(uint64_t bytes, const char *function, uint64_t *budget);

/* An uninitialised array of `count` elements of `bytes` each, aligned to 16, and to 64 where it is
 * larger than a kilobyte; NULL if it would be empty. Never NULL otherwise. */
void *__nabla_tape_allocate(uint64_t count, uint64_t bytes, const char *function, uint64_t *budget);

/* In place of a stack array of `count` elements of `bytes` each, and zeroed as its shadow. Never
 * NULL. */
void *__nabla_stack_array(uint64_t count, uint64_t bytes, uint64_t alignment, const char *function,
                          uint64_t *budget);
void *__nabla_stack_shadow(uint64_t count, uint64_t bytes, uint64_t alignment, const char *function,
                           uint64_t *budget);

/* Frees what one of the three returned, NULL included. */
void __nabla_tape_release(void *memory);

/* The user gave `given` bytes for a tape of `needed`: says so and aborts where they are too few. */
void __nabla_tape_check_room(uint64_t given, uint64_t needed);

/* The product; UINT64_MAX where it cannot be counted. */
uint64_t __nabla_tape_count(uint64_t outer, uint64_t inner);

/* The shadow of a fresh object of `bytes` bytes, asked for as its primal was: that the one could be
 * had and the other not is a failure. The second function also zeroes the shadow. */
void __nabla_shadow_check(const void *shadow, const void *primal, uint64_t bytes,
                          const char *function);
void __nabla_shadow_clear(void *shadow, const void *primal, uint64_t bytes, const char *function);

/* The same of a shadow that was resized from `old` bytes as its primal was; what is new is zero. */
void __nabla_shadow_resized(void *shadow, const void *primal, uint64_t old, uint64_t bytes,
                            const char *function);

#endif
