// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Adjoints of what is copied within the memory of a device, to it and from it. */
#include "device.h"

#include "memory.h"
#include "tape.h"
#include "walk.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_AT_ONCE = 1 << 30 };

int cublasDaxpy_v2(void *handle, int n, const double *alpha, const double *x, int incx, double *y,
                   int incy);
int cublasSaxpy_v2(void *handle, int n, const float *alpha, const float *x, int incx, float *y,
                   int incy);

/* CUDA leaves open what such a copy does. */
static void check_apart(const char *to, const char *from, uint64_t bytes) {
  if (are_apart(to, from, bytes))
    return;
  fputs("nabla: cudaMemcpy is called with places that overlap: it has no derivative\n", stderr);
  abort();
}

/* Both places as they are in the memory of the program, for a while. */
struct staged {
  char *to, *from, *own_to, *own_from;
  uint64_t bytes;
};

static struct staged stage(char *to, char *from, uint64_t bytes) {
  static const char function[] = "cudaMemcpy";
  char *own_to = __nabla_memory_new(bytes, function, NULL);
  char *own_from = __nabla_memory_new(bytes, function, NULL);
  __nabla_device_move(own_to, to, bytes);
  __nabla_device_move(own_from, from, bytes);
  return (struct staged){to, from, own_to, own_from, bytes};
}

static void put_back(struct staged *staged) {
  __nabla_device_move(staged->to, staged->own_to, staged->bytes);
  __nabla_device_move(staged->from, staged->own_from, staged->bytes);
  free(staged->own_to);
  free(staged->own_from);
}

/* Zeroes the numbers of so many bytes at first, first + period, ... */
static void zero(char *to, uint64_t bytes, uint64_t first, uint64_t period, uint64_t size) {
  uint64_t count = element_count(bytes, first, period, size);
  __nabla_device_clear(to + first, count > 1 ? period : size, size, count);
}

static void add_some(const void *to, void *from, int count, uint64_t size) {
  static const double one = 1;
  static const float one_float = 1;
  void *handle = __nabla_cublas_handle();
  if (size == sizeof(double))
    __nabla_device_check(cublasDaxpy_v2(handle, count, &one, to, 1, from, 1), "cublasDaxpy_v2");
  else
    __nabla_device_check(cublasSaxpy_v2(handle, count, &one_float, to, 1, from, 1),
                         "cublasSaxpy_v2");
}

/* Moves numbers that lie side by side. */
static void add(char *to, char *from, uint64_t count, uint64_t size) {
  while (count) {
    uint64_t some = count < MOST_AT_ONCE ? count : MOST_AT_ONCE;
    add_some(to, from, (int)some, size);
    __nabla_device_clear(to, size, size, some);
    to += some * size;
    from += some * size;
    count -= some;
  }
}

typedef void move_in_host(char *to, char *from, uint64_t bytes, uint64_t first, uint64_t period);

static void move(char *to, char *from, uint64_t bytes, uint64_t first, uint64_t period,
                 uint64_t size, move_in_host *in_host) {
  uint64_t count = element_count(bytes, first, period, size);
  if (to == from || count == 0)
    return;
  check_apart(to, from, bytes);
  if (period == size && __nabla_device_owns(to) && __nabla_device_owns(from)) {
    add(to + first, from + first, count, size);
    return;
  }
  struct staged staged = stage(to, from, bytes);
  in_host(staged.own_to, staged.own_from, bytes, first, period);
  put_back(&staged);
}

void __nabla_device_zero_double(char *to, uint64_t bytes, uint64_t first, uint64_t period) {
  zero(to, bytes, first, period, sizeof(double));
}

void __nabla_device_zero_float(char *to, uint64_t bytes, uint64_t first, uint64_t period) {
  zero(to, bytes, first, period, sizeof(float));
}

void __nabla_device_move_adjoint_double(char *to, char *from, uint64_t bytes, uint64_t first,
                                        uint64_t period) {
  move(to, from, bytes, first, period, sizeof(double), __nabla_move_adjoint_double);
}

void __nabla_device_move_adjoint_float(char *to, char *from, uint64_t bytes, uint64_t first,
                                       uint64_t period) {
  move(to, from, bytes, first, period, sizeof(float), __nabla_move_adjoint_float);
}
