// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "queue.h"

#include <stdlib.h>

enum { SMALLEST_SEGMENT = 1 << 10, LARGEST_SEGMENT = 1 << 20 };

struct __nabla_queue_segment {
  struct __nabla_queue_segment *next;
  uint64_t size;
  _Alignas(8) char bytes[];
};

static inline uint64_t record_size(uint64_t bytes) {
  return bytes <= __NABLA_LARGEST_SIZE ? (bytes + 7) & ~(uint64_t)7 : __NABLA_LARGEST_SIZE;
}

/* Where memory is limited, a segment takes no more than what is left for it. */
static uint64_t next_size(const struct __nabla_queue *queue, uint64_t record) {
  uint64_t size = queue->current ? queue->current->size * 2 : SMALLEST_SEGMENT;
  if (size > LARGEST_SEGMENT)
    size = LARGEST_SEGMENT;
  if (queue->budget && size + sizeof *queue->current > *queue->budget)
    size = 0;
  return size < record ? record : size;
}

static void go_to(struct __nabla_queue *queue, struct __nabla_queue_segment *segment) {
  queue->current = segment;
  queue->cursor = segment->bytes;
  queue->end = segment->bytes + segment->size;
}

__attribute__((noinline, cold)) static void add_segment(struct __nabla_queue *queue,
                                                        uint64_t record) {
  uint64_t size = next_size(queue, record);
  struct __nabla_queue_segment *segment =
      __nabla_memory_new(sizeof *segment + size, queue->function, queue->budget);
  segment->next = NULL;
  segment->size = size;
  if (queue->current)
    queue->current->next = segment;
  else
    queue->first = segment;
  go_to(queue, segment);
}

__attribute__((noinline, cold)) static void read_on(struct __nabla_queue *queue) {
  go_to(queue, queue->current ? queue->current->next : queue->first);
}

static inline void *take(struct __nabla_queue *queue, uint64_t size) {
  char *record = queue->cursor;
  queue->cursor = record + size;
  return record;
}

void *__nabla_queue_push(struct __nabla_queue *queue, uint64_t bytes) {
  uint64_t size = record_size(bytes);
  if (__builtin_expect((uint64_t)(queue->end - queue->cursor) < size, 0))
    add_segment(queue, size);
  return take(queue, size);
}

void *__nabla_queue_next(struct __nabla_queue *queue, uint64_t bytes) {
  uint64_t size = record_size(bytes);
  if (__builtin_expect((uint64_t)(queue->end - queue->cursor) < size, 0))
    read_on(queue);
  return take(queue, size);
}

void __nabla_queue_free(struct __nabla_queue_segment *first) {
  while (first) {
    struct __nabla_queue_segment *next = first->next;
    free(first);
    first = next;
  }
}
