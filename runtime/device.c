// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Memory of a device. */
#include "device.h"

#include "memory.h"

#include <stdio.h>
#include <stdlib.h>

enum { SUCCESS = 0, ANY_DIRECTION = 4, DEVICE = 2 };

int cudaMalloc(void **place, size_t bytes);
int cudaFree(void *memory);
int cudaMallocAsync(void **place, size_t bytes, void *stream);
int cudaFreeAsync(void *memory, void *stream);
int cudaMallocManaged(void **place, size_t bytes, unsigned flags);
int cudaHostAlloc(void **place, size_t bytes, unsigned flags);
int cudaFreeHost(void *memory);
int cudaStreamSynchronize(void *stream);
int cudaMemset(void *memory, int byte, size_t bytes);
int cudaMemset2D(void *memory, size_t apart, int byte, size_t width, size_t height);
int cudaMemcpy(void *to, const void *from, size_t bytes, int direction);

/* Of the library's structure the first member counts; it has room for all others. */
union attributes {
  int kind;
  uint64_t room[32];
};

int cudaPointerGetAttributes(union attributes *attributes, const void *pointer);

__attribute__((noinline, cold)) static _Noreturn void end_program(int status,
                                                                  const char *function) {
  fprintf(stderr, "nabla: a derivative called %s, which failed with status %d\n", function, status);
  abort();
}

void __nabla_device_check(int status, const char *function) {
  if (status != SUCCESS)
    end_program(status, function);
}

bool __nabla_device_owns(const void *memory) {
  union attributes attributes = {.room = {0}};
  __nabla_device_check(cudaPointerGetAttributes(&attributes, memory), "cudaPointerGetAttributes");
  return attributes.kind == DEVICE;
}

static bool is_shared(const void *memory) { return memory && !__nabla_device_owns(memory); }

__NABLA_KNOWN_BY_ITS_ROW void __nabla_device_settle(const void *first, const void *second,
                                                    const void *third) {
  if (is_shared(first) || is_shared(second) || is_shared(third))
    __nabla_device_check(cudaStreamSynchronize(NULL), "cudaStreamSynchronize");
}

__NABLA_KNOWN_BY_ITS_ROW void *__nabla_device_array(uint64_t count, uint64_t size) {
  void *array = NULL;
  if (!count || !size)
    return NULL;
  int status = cudaMallocAsync(&array, __nabla_tape_count(count, size), NULL);
  __nabla_device_check(status, "cudaMallocAsync");
  return array;
}

__NABLA_KNOWN_BY_ITS_ROW void __nabla_device_release(void *array) {
  if (array)
    __nabla_device_check(cudaFreeAsync(array, NULL), "cudaFreeAsync");
}

void __nabla_device_clear(void *memory, uint64_t apart, uint64_t size, uint64_t count) {
  if (!count)
    return;
  if (apart == size)
    __nabla_device_check(cudaMemset(memory, 0, size * count), "cudaMemset");
  else
    __nabla_device_check(cudaMemset2D(memory, apart, 0, size, count), "cudaMemset2D");
  __nabla_device_settle(memory, NULL, NULL);
}

__NABLA_KNOWN_BY_ITS_ROW void __nabla_device_move(void *to, const void *from, uint64_t bytes) {
  if (!bytes)
    return;
  __nabla_device_check(cudaMemcpy(to, from, bytes, ANY_DIRECTION), "cudaMemcpy");
  __nabla_device_settle(to, from, NULL);
}

__NABLA_KNOWN_BY_ITS_ROW void *__nabla_device_new(uint64_t bytes) {
  void *memory = NULL;
  return cudaMalloc(&memory, bytes ? bytes : 1) == SUCCESS ? memory : NULL;
}

__NABLA_KNOWN_BY_ITS_ROW void *__nabla_device_new_managed(uint64_t bytes, uint64_t flags) {
  void *memory = NULL;
  int status = cudaMallocManaged(&memory, bytes ? bytes : 1, (unsigned)flags);
  return status == SUCCESS ? memory : NULL;
}

__NABLA_KNOWN_BY_ITS_ROW void *__nabla_device_new_host(uint64_t bytes, uint64_t flags) {
  void *memory = NULL;
  int status = cudaHostAlloc(&memory, bytes ? bytes : 1, (unsigned)flags);
  return status == SUCCESS ? memory : NULL;
}

__NABLA_KNOWN_BY_ITS_ROW void __nabla_device_free(void *memory) {
  __nabla_device_check(cudaFree(memory), "cudaFree");
}

__NABLA_KNOWN_BY_ITS_ROW void __nabla_device_free_host(void *memory) {
  __nabla_device_check(cudaFreeHost(memory), "cudaFreeHost");
}

__NABLA_KNOWN_BY_ITS_ROW void __nabla_device_shadow_clear(void *shadow, const void *primal,
                                                          uint64_t bytes, const char *function) {
  __nabla_shadow_check(shadow, primal, bytes, function);
  if (shadow)
    __nabla_device_clear(shadow, 1, 1, bytes);
}
