// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What a derivative calls at run time to keep the residuals of loops and to move shadows.
 *
 * These functions are compiled to bitcode and linked into the user's module. They hold no state of
 * their own and take no locks: whoever owns a stack or an array may use it, one thread at a time.
 * They are written so that they can be differentiated themselves: memory is read and written
 * through the type of what it holds. */
#ifndef NABLA_RUNTIME_TAPE_H
#define NABLA_RUNTIME_TAPE_H

#include "memory.h"

struct __nabla_segment;

/* A stack of records in segments that double in size. All zero is an empty stack. The engine knows
 * the layout: three pointers, of which it only ever writes zeros. The free bytes of the newest
 * segment lie between cursor and end. */
struct __nabla_stack {
  char *cursor, *end;
  struct __nabla_segment *segment;
};

/* Room for a new record, uninitialised. Sizes are rounded up to 8; a record is aligned to 16 if its
 * rounded size is a multiple of 16, else to 8. Records never move. For `function` and `budget`, see
 * memory.h. */
void *__nabla_tape_push(struct __nabla_stack *stack, uint64_t bytes, const char *function,
                        uint64_t *budget);

/* Removes the newest record, which was pushed with the same `bytes`, and returns its address. It
 * stays valid until the next push, pop or finish of this stack. */
void *__nabla_tape_pop(struct __nabla_stack *stack, uint64_t bytes);

/* Records of words with a bit for each of 64 instances, which are counted from 0: a new one where
 * `instance` is the first of its 64, else `current`. */
void *__nabla_tape_push_words(struct __nabla_stack *stack, uint64_t bytes, uint64_t instance,
                              void *current, const char *function, uint64_t *budget);

/* On the way back to `instance`: the newest record where that is the last of its 64, else
 * `current`. */
void *__nabla_tape_pop_words(struct __nabla_stack *stack, uint64_t bytes, uint64_t instance,
                             void *current);

/* The same for `count` records of `bytes` bytes at once, one behind the other and aligned to 16.
 * The result is no valid address where that is nothing. */
void *__nabla_tape_push_rows(struct __nabla_stack *stack, uint64_t count, uint64_t bytes,
                             const char *function, uint64_t *budget);
void *__nabla_tape_pop_rows(struct __nabla_stack *stack, uint64_t count, uint64_t bytes);

/* As pop, pop_words and pop_rows, but what they walk past is not freed: for a copy of a stack, all
 * of whose records stay readable through the original. */
void *__nabla_tape_look_back(struct __nabla_stack *stack, uint64_t bytes);
void *__nabla_tape_look_back_words(struct __nabla_stack *stack, uint64_t bytes, uint64_t instance,
                                   void *current);
void *__nabla_tape_look_back_rows(struct __nabla_stack *stack, uint64_t count, uint64_t bytes);

/* Frees whatever is left. The stack is empty again and may be used again. */
void __nabla_tape_finish(struct __nabla_stack *stack);

/* The functions below work on the elements of a shadow of `bytes` bytes: those at offset first,
 * first + period, first + 2 * period, ... that lie wholly within it; a period of 0 means at most
 * one. No alignment is required. `to` and `from` may overlap if the elements of one either coincide
 * with elements of the other or do not touch them. */

/* The transpose of a memmove: moves each adjoint of `to` onto its counterpart in `from` and leaves
 * zero behind, as if all were read and zeroed before any is added. */
void __nabla_move_adjoint_double(char *to, char *from, uint64_t bytes, uint64_t first,
                                 uint64_t period);
void __nabla_move_adjoint_float(char *to, char *from, uint64_t bytes, uint64_t first,
                                uint64_t period);
void __nabla_move_adjoint_long(char *to, char *from, uint64_t bytes, uint64_t first,
                               uint64_t period);
void __nabla_move_adjoint_half(char *to, char *from, uint64_t bytes, uint64_t first,
                               uint64_t period);
void __nabla_move_adjoint_bfloat(char *to, char *from, uint64_t bytes, uint64_t first,
                                 uint64_t period);

/* Sets the elements to zero. */
void __nabla_zero_double(char *to, uint64_t bytes, uint64_t first, uint64_t period);
void __nabla_zero_float(char *to, uint64_t bytes, uint64_t first, uint64_t period);
void __nabla_zero_long(char *to, uint64_t bytes, uint64_t first, uint64_t period);
void __nabla_zero_half(char *to, uint64_t bytes, uint64_t first, uint64_t period);
void __nabla_zero_bfloat(char *to, uint64_t bytes, uint64_t first, uint64_t period);

/* Makes the elements null, which is the shadow of a null pointer. */
void __nabla_clear_pointers(char *to, uint64_t bytes, uint64_t first, uint64_t period);
/* As memmove, but copies only the elements, which are pointers. */
void __nabla_copy_pointers(char *to, char *from, uint64_t bytes, uint64_t first, uint64_t period);

#endif
