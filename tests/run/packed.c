// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reals: double
/* Records of numbers and counts, packed one behind another into buffers of bytes that grow. */
#include "cases.h"

typedef struct {
  unsigned char *bytes;
  size_t written, read, room;
} Buffer;

static void put(Buffer *buffer, const void *from, size_t size) {
  if (buffer->written + size > buffer->room) {
    buffer->room = 2 * (buffer->written + size);
    buffer->bytes = (unsigned char *)realloc(buffer->bytes, buffer->room);
  }
  memcpy(buffer->bytes + buffer->written, from, size);
  buffer->written += size;
}

static void get(Buffer *buffer, void *to, size_t size) {
  memcpy(to, buffer->bytes + buffer->read, size);
  buffer->read += size;
}

static void put_number(Buffer *buffer, real x) { put(buffer, &x, sizeof x); }

static void put_count(Buffer *buffer, int count) { put(buffer, &count, sizeof count); }

static real get_number(Buffer *buffer) {
  real x;
  get(buffer, &x, sizeof x);
  return x;
}

static int get_count(Buffer *buffer) {
  int count;
  get(buffer, &count, sizeof count);
  return count;
}

SUM(packed_pairs, 3, 0.5, -1.5, 0.3) {
  Buffer buffer = {NULL, 0, 0, 0};
  real sum = 0;
  put_count(&buffer, n);
  for (int i = 0; i < n; i++) {
    put_number(&buffer, x[i] * x[i]);
    put_count(&buffer, i + 2);
  }
  for (int count = get_count(&buffer); count; count--) {
    real number = get_number(&buffer);
    sum += sin(number) * get_count(&buffer);
  }
  free(buffer.bytes);
  return sum;
}

typedef struct {
  int steps;
  real position[2];
  char name;
  real speed;
} State;

SUM(packed_states, 3, 0.5, -1.5, 0.3) {
  Buffer buffer = {NULL, 0, 0, 0};
  State state = {2, {x[0] * x[1], x[1]}, 'c', x[2]}, before;
  put_count(&buffer, n);
  put(&buffer, &state, sizeof state);
  state.position[0] = state.position[1] * state.speed;
  state.speed = 7;
  real sum = state.position[0] * get_count(&buffer);
  get(&buffer, &before, sizeof before);
  free(buffer.bytes);
  return sum + before.position[0] * before.speed * before.steps + before.name * before.position[1];
}
