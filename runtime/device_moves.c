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

/* --- Doubles ---------------------------------------------------------------------------------- */

void __nabla_device_zero_double(char *to, uint64_t bytes, uint64_t first, uint64_t period) {
  uint64_t count = element_count(bytes, first, period, sizeof(double));
  uint64_t apart = count > 1 ? period : sizeof(double);
  __nabla_device_clear(to + first, apart, sizeof(double), count);
}

static void add_doubles(double *to, double *from, uint64_t count) {
  const double one = 1;
  while (count) {
    uint64_t some = count < MOST_AT_ONCE ? count : MOST_AT_ONCE;
    int status = cublasDaxpy_v2(__nabla_cublas_handle(), (int)some, &one, to, 1, from, 1);
    __nabla_device_check(status, "cublasDaxpy_v2");
    __nabla_device_clear(to, sizeof *to, sizeof *to, some);
    to += some;
    from += some;
    count -= some;
  }
}

void __nabla_device_move_adjoint_double(char *to, char *from, uint64_t bytes, uint64_t first,
                                        uint64_t period) {
  uint64_t count = element_count(bytes, first, period, sizeof(double));
  if (to == from || count == 0)
    return;
  check_apart(to, from, bytes);
  if (period == sizeof(double) && __nabla_device_owns(to) && __nabla_device_owns(from)) {
    add_doubles((double *)(to + first), (double *)(from + first), count);
    return;
  }
  struct staged staged = stage(to, from, bytes);
  __nabla_move_adjoint_double(staged.own_to, staged.own_from, bytes, first, period);
  put_back(&staged);
}

/* --- Floats ----------------------------------------------------------------------------------- */

void __nabla_device_zero_float(char *to, uint64_t bytes, uint64_t first, uint64_t period) {
  uint64_t count = element_count(bytes, first, period, sizeof(float));
  uint64_t apart = count > 1 ? period : sizeof(float);
  __nabla_device_clear(to + first, apart, sizeof(float), count);
}

static void add_floats(float *to, float *from, uint64_t count) {
  const float one = 1;
  while (count) {
    uint64_t some = count < MOST_AT_ONCE ? count : MOST_AT_ONCE;
    int status = cublasSaxpy_v2(__nabla_cublas_handle(), (int)some, &one, to, 1, from, 1);
    __nabla_device_check(status, "cublasSaxpy_v2");
    __nabla_device_clear(to, sizeof *to, sizeof *to, some);
    to += some;
    from += some;
    count -= some;
  }
}

void __nabla_device_move_adjoint_float(char *to, char *from, uint64_t bytes, uint64_t first,
                                       uint64_t period) {
  uint64_t count = element_count(bytes, first, period, sizeof(float));
  if (to == from || count == 0)
    return;
  check_apart(to, from, bytes);
  if (period == sizeof(float) && __nabla_device_owns(to) && __nabla_device_owns(from)) {
    add_floats((float *)(to + first), (float *)(from + first), count);
    return;
  }
  struct staged staged = stage(to, from, bytes);
  __nabla_move_adjoint_float(staged.own_to, staged.own_from, bytes, first, period);
  put_back(&staged);
}
