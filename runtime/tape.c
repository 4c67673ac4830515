// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Stacks of records, arrays of residuals, and the movement of shadows.
 *
 * A segment is filled from both ends: records whose size is a multiple of 16 grow down from its
 * end, the others grow up from its beginning. Both kinds are packed without padding, so that the
 * size alone tells where the newest record of a kind lies, and both are aligned. Records of an
 * older segment are older than all of a newer one, so an empty side in the newest segment means
 * that the whole segment is empty. */
#include "tape.h"

#include "walk.h"

#include <stdlib.h>
#include <string.h>

enum { SMALLEST_SEGMENT = 1 << 12, LARGEST_SEGMENT = 1 << 20, GROUP = 64 };

/* previous_cursor and previous_end are the limits of the previous segment's free bytes. The records
 * are in memory of their own: a derivative of a derivative takes what their offsets cannot tell
 * apart for one type, which numbers and the members here are not. */
struct __nabla_segment {
  struct __nabla_segment *previous;
  char *previous_cursor, *previous_end;
  uint64_t size;
  char *bytes;
};

/* Elements of shadows lie wherever the user's types, possibly packed, put them. */
typedef double Double __attribute__((may_alias, aligned(1)));
typedef float Float __attribute__((may_alias, aligned(1)));
typedef void *Pointer __attribute__((may_alias, aligned(1)));

/* Sizes that no memory can hold are taken as __NABLA_LARGEST_SIZE, so that no sum wraps around. */
static inline uint64_t record_size(uint64_t bytes) {
  if (bytes == 0)
    return 8;
  return bytes <= __NABLA_LARGEST_SIZE ? (bytes + 7) & ~(uint64_t)7 : __NABLA_LARGEST_SIZE;
}

static inline bool grows_down(uint64_t size) { return size % 16 == 0; }

static inline char *segment_end(struct __nabla_segment *segment) {
  return segment->bytes + segment->size;
}

/* Where memory is limited, a segment takes no more than what is left for it. */
static uint64_t next_segment_size(const struct __nabla_segment *segment, uint64_t record,
                                  const uint64_t *budget) {
  uint64_t size = segment ? segment->size * 2 : SMALLEST_SEGMENT;
  if (size > LARGEST_SEGMENT)
    size = LARGEST_SEGMENT;
  if (budget && size + sizeof *segment > *budget)
    size = 0;
  return size < record ? (record + 15) & ~(uint64_t)15 : size;
}

static inline void use_bytes(struct __nabla_stack *stack, char *bytes, uint64_t size) {
  stack->segment->bytes = bytes;
  stack->segment->size = size;
  stack->cursor = bytes;
  stack->end = segment_end(stack->segment);
}

/* The new segment is empty first, so that it is freed where there is no memory for its bytes. */
__attribute__((noinline, cold)) static void
add_segment(struct __nabla_stack *stack, uint64_t record, const char *function, uint64_t *budget) {
  uint64_t size = next_segment_size(stack->segment, record, budget);
  struct __nabla_segment *segment = __nabla_memory_new(sizeof *segment, function, budget);
  segment->previous = stack->segment;
  segment->previous_cursor = stack->cursor;
  segment->previous_end = stack->end;
  stack->segment = segment;
  use_bytes(stack, NULL, 0);
  use_bytes(stack, __nabla_memory_new(size, function, budget), size);
}

/* Goes back to the previous segment, and leaves this one where it is. */
static void pass_segment(struct __nabla_stack *stack) {
  struct __nabla_segment *segment = stack->segment;
  stack->segment = segment->previous;
  stack->cursor = segment->previous_cursor;
  stack->end = segment->previous_end;
}

static void drop_segment(struct __nabla_stack *stack) {
  struct __nabla_segment *segment = stack->segment;
  pass_segment(stack);
  free(segment->bytes);
  free(segment);
}

/* Whether the newest segment has no record of the kind that grows down, or up. */
static inline bool is_used_up(const struct __nabla_stack *stack, bool down) {
  if (down)
    return stack->end == segment_end(stack->segment);
  return stack->cursor == stack->segment->bytes;
}

/* Goes back to the segment whose newest record is of the given kind. */
__attribute__((noinline, cold)) static void drop_empty_segments(struct __nabla_stack *stack,
                                                                bool down) {
  while (is_used_up(stack, down))
    drop_segment(stack);
}

void *__nabla_tape_push(struct __nabla_stack *stack, uint64_t bytes, const char *function,
                        uint64_t *budget) {
  uint64_t size = record_size(bytes);
  if (__builtin_expect((uint64_t)(stack->end - stack->cursor) < size, 0))
    add_segment(stack, size, function, budget);
  if (grows_down(size))
    return stack->end -= size;
  char *record = stack->cursor;
  stack->cursor = record + size;
  return record;
}

__attribute__((noinline, cold)) static void pass_empty_segments(struct __nabla_stack *stack,
                                                                bool down) {
  while (is_used_up(stack, down))
    pass_segment(stack);
}

/* The newest record, behind which the stack goes back. */
static inline void *take_newest(struct __nabla_stack *stack, uint64_t size) {
  if (!grows_down(size))
    return stack->cursor -= size;
  char *record = stack->end;
  stack->end = record + size;
  return record;
}

void *__nabla_tape_pop(struct __nabla_stack *stack, uint64_t bytes) {
  uint64_t size = record_size(bytes);
  if (__builtin_expect(is_used_up(stack, grows_down(size)), 0))
    drop_empty_segments(stack, grows_down(size));
  return take_newest(stack, size);
}

void *__nabla_tape_look_back(struct __nabla_stack *stack, uint64_t bytes) {
  uint64_t size = record_size(bytes);
  if (__builtin_expect(is_used_up(stack, grows_down(size)), 0))
    pass_empty_segments(stack, grows_down(size));
  return take_newest(stack, size);
}

static inline bool is_first_of_group(uint64_t instance) { return instance % GROUP == 0; }

void *__nabla_tape_push_words(struct __nabla_stack *stack, uint64_t bytes, uint64_t instance,
                              void *current, const char *function, uint64_t *budget) {
  return is_first_of_group(instance) ? __nabla_tape_push(stack, bytes, function, budget) : current;
}

void *__nabla_tape_pop_words(struct __nabla_stack *stack, uint64_t bytes, uint64_t instance,
                             void *current) {
  return is_first_of_group(instance + 1) ? __nabla_tape_pop(stack, bytes) : current;
}

void *__nabla_tape_look_back_words(struct __nabla_stack *stack, uint64_t bytes, uint64_t instance,
                                   void *current) {
  return is_first_of_group(instance + 1) ? __nabla_tape_look_back(stack, bytes) : current;
}

void __nabla_tape_finish(struct __nabla_stack *stack) {
  while (stack->segment)
    drop_segment(stack);
}

/* Rows are records that grow down: aligned, and so that one row may follow another. */
static inline uint64_t row_size(uint64_t count, uint64_t bytes) {
  uint64_t size;
  if (__builtin_mul_overflow(count, bytes, &size) || size > __NABLA_LARGEST_SIZE)
    return __NABLA_LARGEST_SIZE & ~(uint64_t)15;
  return (size + 15) & ~(uint64_t)15;
}

void *__nabla_tape_push_rows(struct __nabla_stack *stack, uint64_t count, uint64_t bytes,
                             const char *function, uint64_t *budget) {
  uint64_t size = row_size(count, bytes);
  if (__builtin_expect((uint64_t)(stack->end - stack->cursor) < size, 0))
    add_segment(stack, size, function, budget);
  return stack->end -= size;
}

void *__nabla_tape_pop_rows(struct __nabla_stack *stack, uint64_t count, uint64_t bytes) {
  uint64_t size = row_size(count, bytes);
  if (size == 0)
    return NULL;
  if (__builtin_expect(is_used_up(stack, true), 0))
    drop_empty_segments(stack, true);
  return take_newest(stack, size);
}

void *__nabla_tape_look_back_rows(struct __nabla_stack *stack, uint64_t count, uint64_t bytes) {
  uint64_t size = row_size(count, bytes);
  if (size == 0)
    return NULL;
  if (__builtin_expect(is_used_up(stack, true), 0))
    pass_empty_segments(stack, true);
  return take_newest(stack, size);
}

static inline void move_apart_double(Double *restrict to, Double *restrict from, uint64_t count) {
  for (uint64_t i = 0; i < count; i++) {
    from[i] += to[i];
    to[i] = 0;
  }
}

static inline void move_one_double(Double *to, Double *from) {
  double adjoint = *to;
  *to = 0;
  *from += adjoint;
}

void __nabla_move_adjoint_double(char *to, char *from, uint64_t bytes, uint64_t first,
                                 uint64_t period) {
  uint64_t count = element_count(bytes, first, period, sizeof(double));
  if (to == from || count == 0)
    return;
  if (period == sizeof(double) && are_apart(to, from, bytes)) {
    move_apart_double((Double *)(to + first), (Double *)(from + first), count);
    return;
  }
  struct walk walk = adjoint_walk(to, from, count, first, period);
  for (; walk.left; walk.left--) {
    move_one_double((Double *)(to + walk.next), (Double *)(from + walk.next));
    walk.next += walk.step;
  }
}

static inline void move_apart_float(Float *restrict to, Float *restrict from, uint64_t count) {
  for (uint64_t i = 0; i < count; i++) {
    from[i] += to[i];
    to[i] = 0;
  }
}

static inline void move_one_float(Float *to, Float *from) {
  float adjoint = *to;
  *to = 0;
  *from += adjoint;
}

void __nabla_move_adjoint_float(char *to, char *from, uint64_t bytes, uint64_t first,
                                uint64_t period) {
  uint64_t count = element_count(bytes, first, period, sizeof(float));
  if (to == from || count == 0)
    return;
  if (period == sizeof(float) && are_apart(to, from, bytes)) {
    move_apart_float((Float *)(to + first), (Float *)(from + first), count);
    return;
  }
  struct walk walk = adjoint_walk(to, from, count, first, period);
  for (; walk.left; walk.left--) {
    move_one_float((Float *)(to + walk.next), (Float *)(from + walk.next));
    walk.next += walk.step;
  }
}

static inline void zero_dense_double(Double *to, uint64_t count) {
  for (uint64_t i = 0; i < count; i++)
    to[i] = 0;
}

void __nabla_zero_double(char *to, uint64_t bytes, uint64_t first, uint64_t period) {
  uint64_t count = element_count(bytes, first, period, sizeof(double));
  if (period == sizeof(double)) {
    zero_dense_double((Double *)(to + first), count);
    return;
  }
  for (uint64_t i = 0; i < count; i++)
    *(Double *)(to + first + i * period) = 0;
}

static inline void zero_dense_float(Float *to, uint64_t count) {
  for (uint64_t i = 0; i < count; i++)
    to[i] = 0;
}

void __nabla_zero_float(char *to, uint64_t bytes, uint64_t first, uint64_t period) {
  uint64_t count = element_count(bytes, first, period, sizeof(float));
  if (period == sizeof(float)) {
    zero_dense_float((Float *)(to + first), count);
    return;
  }
  for (uint64_t i = 0; i < count; i++)
    *(Float *)(to + first + i * period) = 0;
}

void __nabla_clear_pointers(char *to, uint64_t bytes, uint64_t first, uint64_t period) {
  uint64_t count = element_count(bytes, first, period, sizeof(void *));
  for (uint64_t i = 0; i < count; i++)
    *(Pointer *)(to + first + i * period) = NULL;
}

void __nabla_copy_pointers(char *to, char *from, uint64_t bytes, uint64_t first, uint64_t period) {
  uint64_t count = element_count(bytes, first, period, sizeof(void *));
  if (count == 0)
    return;
  struct walk walk = copy_walk(to, from, count, first, period);
  for (; walk.left; walk.left--) {
    *(Pointer *)(to + walk.next) = *(Pointer *)(from + walk.next);
    walk.next += walk.step;
  }
}
