// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The handles of cuBLAS: those of the program, and that of each thread's derivatives. */
#include "device.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_DEVICES = 64 };
enum { SUCCESS = 0, NON_BLOCKING = 1, LAST_NAMED_STREAM = 2 };

int cublasCreate_v2(void **handle);
int cublasGetPointerMode_v2(void *handle, int *mode);
int cublasGetStream_v2(void *handle, void **stream);
int cublasGetMathMode(void *handle, int *mode);
int cublasSetMathMode(void *handle, int mode);
int cudaGetDevice(int *device);
int cudaStreamGetFlags(void *stream, unsigned *flags);

__attribute__((noinline, cold)) static _Noreturn void refuse_handle(const char *reason) {
  fputs("nabla: the derivative of a call of cuBLAS: ", stderr);
  fputs(reason, stderr);
  abort();
}

void *__nabla_cublas_handle(void) {
  static _Thread_local void *handles[MOST_DEVICES];
  int device = 0;
  __nabla_device_check(cudaGetDevice(&device), "cudaGetDevice");
  if (device < 0 || device >= MOST_DEVICES)
    refuse_handle("there are more devices than nabla counts\n");
  if (!handles[device])
    __nabla_device_check(cublasCreate_v2(&handles[device]), "cublasCreate_v2");
  return handles[device];
}

/* 0 and two small numbers stand for streams that always are, and that the default one waits for. */
static void check_stream(void *stream) {
  unsigned flags = 0;
  if ((uintptr_t)stream <= LAST_NAMED_STREAM)
    return;
  __nabla_device_check(cudaStreamGetFlags(stream, &flags), "cudaStreamGetFlags");
  if (flags & NON_BLOCKING)
    refuse_handle(
        "its handle has a non-blocking stream, for which derivatives, which run on the default "
        "stream, do not wait: make the stream by cudaStreamCreate\n");
}

__NABLA_KNOWN_BY_ITS_ROW int __nabla_cublas_use(void *handle) {
  int pointers = 0, math = 0, own_math = 0;
  void *stream = NULL, *own = __nabla_cublas_handle();
  __nabla_device_check(cublasGetPointerMode_v2(handle, &pointers), "cublasGetPointerMode_v2");
  if (pointers != 0)
    refuse_handle("its scalars are on the device (CUBLAS_POINTER_MODE_DEVICE): derivatives need "
                  "CUBLAS_POINTER_MODE_HOST\n");
  __nabla_device_check(cublasGetStream_v2(handle, &stream), "cublasGetStream_v2");
  check_stream(stream);
  __nabla_device_check(cublasGetMathMode(handle, &math), "cublasGetMathMode");
  __nabla_device_check(cublasGetMathMode(own, &own_math), "cublasGetMathMode");
  if (math != own_math)
    __nabla_device_check(cublasSetMathMode(own, math), "cublasSetMathMode");
  return SUCCESS;
}
