// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A stand-in for cuBLAS and for CUDA's runtime: the memory of the device is that of the program,
 * but nobody can read or write it outside of these functions. A function that is called with a
 * pointer to the wrong memory, or with a handle that is none, ends the program. */
#define _GNU_SOURCE
#include <cblas.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
  SUCCESS = 0,
  NO_MEMORY = 2,
  MOST_BLOCKS = 1 << 14,
  MOST_HANDLES = 1 << 16,
  MOST_SHARED = 64,
  PAGE = 4096,
  ALIVE = 0x5ca1ab1e
};
enum {
  HOST_TO_DEVICE = 1,
  DEVICE_TO_HOST = 2,
  DEVICE_TO_DEVICE = 3,
  EITHER = 4,
  HOST = 1,
  DEVICE = 2,
  MANAGED = 3
};
static const size_t room = (size_t)1 << 30;

struct handle {
  unsigned alive;
  int pointers, math;
  void *stream;
};

struct stream {
  unsigned flags;
};

static char *device;
static size_t used;
static struct {
  char *begin;
  size_t bytes;
} blocks[MOST_BLOCKS];
static int count, live;
/* Memory that the device and the program reach, and memory of the program that it made. */
static struct {
  void *begin;
  size_t bytes;
  int kind;
} shared[MOST_SHARED];

static _Noreturn void fail(const char *what) {
  fprintf(stderr, "device: %s\n", what);
  abort();
}

/* --- The memory of the device ----------------------------------------------------------------- */

static int is_device(const void *pointer) {
  const char *at = pointer;
  return device && at >= device && at < device + room;
}

static int kind_of(const void *pointer) {
  const char *at = pointer;
  for (int i = 0; i < MOST_SHARED; i++)
    if (shared[i].begin && at >= (char *)shared[i].begin &&
        at < (char *)shared[i].begin + shared[i].bytes)
      return shared[i].kind;
  return is_device(pointer) ? DEVICE : 0;
}

static void check_device(const void *pointer) {
  if (pointer && !is_device(pointer) && kind_of(pointer) != MANAGED)
    fail("a pointer to the device is expected");
}

/* A device does not read what is not aligned as a whole. */
static void check_elements(const void *pointer, size_t bytes) {
  check_device(pointer);
  if ((uintptr_t)pointer % bytes)
    fail("a pointer to the device is not aligned");
}

static void check_host(const void *pointer) {
  if (is_device(pointer))
    fail("a pointer to the program's memory is expected");
}

static void check_handle(const struct handle *handle) {
  if (!handle || handle->alive != ALIVE)
    fail("this is no handle");
}

static void open_device(void) {
  if (used)
    mprotect(device, used, PROT_READ | PROT_WRITE);
}

static int close_device(void) {
  if (used)
    mprotect(device, used, PROT_NONE);
  return SUCCESS;
}

/* How many blocks are there that nobody freed. */
int nb_device_live(void) { return live; }

int cudaMalloc(void **place, size_t bytes) {
  if (!device)
    device = mmap(NULL, room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (device == MAP_FAILED || count == MOST_BLOCKS || bytes > room - used)
    return NO_MEMORY;
  size_t whole = (bytes + PAGE) / PAGE * PAGE;
  blocks[count].begin = device + used;
  blocks[count].bytes = bytes;
  *place = blocks[count++].begin;
  used += whole;
  live++;
  open_device();
  memset(*place, 0xff, whole);
  return close_device();
}

static int share(void **place, size_t bytes, int kind) {
  int i = 0;
  while (i < MOST_SHARED && shared[i].begin)
    i++;
  if (i == MOST_SHARED)
    return NO_MEMORY;
  *place = shared[i].begin = malloc(bytes + 1);
  shared[i].bytes = bytes + 1;
  shared[i].kind = kind;
  live++;
  return SUCCESS;
}

static int take_back(void *memory) {
  for (int i = 0; i < MOST_SHARED; i++)
    if (memory && shared[i].begin == memory) {
      free(memory);
      shared[i].begin = NULL;
      live--;
      return 1;
    }
  return 0;
}

int cudaMallocManaged(void **place, size_t bytes, unsigned flags) {
  (void)flags;
  return share(place, bytes, MANAGED);
}

int cudaHostAlloc(void **place, size_t bytes, unsigned flags) {
  (void)flags;
  return share(place, bytes, HOST);
}

int cudaMallocHost(void **place, size_t bytes) { return cudaHostAlloc(place, bytes, 0); }

int cudaFreeHost(void *memory) {
  if (!take_back(memory))
    fail("what is freed is no memory that was shared");
  return SUCCESS;
}

/* What was freed is given out again only when nothing else is left. */
int cudaFree(void *memory) {
  int found = count;
  while (memory && found > 0 && blocks[found - 1].begin != memory)
    found--;
  if (!memory || take_back(memory))
    return SUCCESS;
  if (!found)
    fail("what is freed is no memory of the device");
  blocks[found - 1].begin = NULL;
  if (!--live)
    used = 0, count = 0;
  return SUCCESS;
}

int cudaMallocAsync(void **place, size_t bytes, void *stream) {
  (void)stream;
  return cudaMalloc(place, bytes);
}

int cudaFreeAsync(void *memory, void *stream) {
  (void)stream;
  return cudaFree(memory);
}

static void check_direction(const void *to, const void *from, int direction) {
  if (direction != EITHER &&
      (is_device(to) != (direction == HOST_TO_DEVICE || direction == DEVICE_TO_DEVICE) ||
       is_device(from) != (direction == DEVICE_TO_HOST || direction == DEVICE_TO_DEVICE)))
    fail("a copy in another direction than it says");
}

int cudaMemcpy(void *to, const void *from, size_t bytes, int direction) {
  check_direction(to, from, direction);
  open_device();
  memcpy(to, from, bytes);
  return close_device();
}

int cudaMemcpyAsync(void *to, const void *from, size_t bytes, int direction, void *stream) {
  (void)stream;
  return cudaMemcpy(to, from, bytes, direction);
}

int cudaMemset2D(void *memory, size_t apart, int byte, size_t width, size_t height) {
  check_device(memory);
  if (width > apart)
    fail("rows of a fill overlap");
  open_device();
  for (size_t i = 0; i < height; i++)
    memset((char *)memory + i * apart, byte, width);
  return close_device();
}

int cudaMemset(void *memory, int byte, size_t bytes) {
  return cudaMemset2D(memory, bytes, byte, bytes, 1);
}

int cudaMemsetAsync(void *memory, int byte, size_t bytes, void *stream) {
  (void)stream;
  return cudaMemset(memory, byte, bytes);
}

int cudaPointerGetAttributes(int *attributes, const void *pointer) {
  memset(attributes, 0, 32);
  attributes[0] = kind_of(pointer);
  return SUCCESS;
}

int cublasSetMatrix(int m, int n, int size, const void *a, int lda, void *b, int ldb) {
  for (long j = 0; j < n; j++)
    cudaMemcpy((char *)b + j * ldb * size, (const char *)a + j * lda * size, (size_t)m * size,
               HOST_TO_DEVICE);
  return SUCCESS;
}

int cublasGetMatrix(int m, int n, int size, const void *a, int lda, void *b, int ldb) {
  for (long j = 0; j < n; j++)
    cudaMemcpy((char *)b + j * ldb * size, (const char *)a + j * lda * size, (size_t)m * size,
               DEVICE_TO_HOST);
  return SUCCESS;
}

int cublasSetVector(int n, int size, const void *x, int incx, void *y, int incy) {
  return cublasSetMatrix(1, n, size, x, incx, y, incy);
}

int cublasGetVector(int n, int size, const void *x, int incx, void *y, int incy) {
  return cublasGetMatrix(1, n, size, x, incx, y, incy);
}

/* --- Devices, streams, handles ---------------------------------------------------------------- */

int cudaGetDevice(int *number) {
  *number = 0;
  return SUCCESS;
}

int cudaDeviceSynchronize(void) { return SUCCESS; }

int cudaStreamCreateWithFlags(struct stream **stream, unsigned flags) {
  *stream = malloc(sizeof **stream);
  (*stream)->flags = flags;
  return SUCCESS;
}

int cudaStreamCreate(struct stream **stream) { return cudaStreamCreateWithFlags(stream, 0); }

int cudaStreamDestroy(struct stream *stream) {
  free(stream);
  return SUCCESS;
}

int cudaStreamSynchronize(struct stream *stream) {
  (void)stream;
  return SUCCESS;
}

int cudaStreamGetFlags(struct stream *stream, unsigned *flags) {
  *flags = stream->flags;
  return SUCCESS;
}

int cublasCreate_v2(struct handle **handle) {
  static struct handle handles[MOST_HANDLES];
  static int next;
  if (next == MOST_HANDLES)
    fail("too many handles");
  *handle = &handles[next++];
  **handle = (struct handle){.alive = ALIVE};
  return SUCCESS;
}

int cublasDestroy_v2(struct handle *handle) {
  check_handle(handle);
  handle->alive = 0;
  return SUCCESS;
}

int cublasGetPointerMode_v2(struct handle *handle, int *mode) {
  check_handle(handle);
  *mode = handle->pointers;
  return SUCCESS;
}

int cublasSetPointerMode_v2(struct handle *handle, int mode) {
  check_handle(handle);
  handle->pointers = mode;
  return SUCCESS;
}

int cublasGetMathMode(struct handle *handle, int *mode) {
  check_handle(handle);
  *mode = handle->math;
  return SUCCESS;
}

int cublasSetMathMode(struct handle *handle, int mode) {
  check_handle(handle);
  handle->math = mode;
  return SUCCESS;
}

int cublasSetStream_v2(struct handle *handle, void *stream) {
  check_handle(handle);
  handle->stream = stream;
  return SUCCESS;
}

int cublasGetStream_v2(struct handle *handle, void **stream) {
  check_handle(handle);
  *stream = handle->stream;
  return SUCCESS;
}

/* --- cuBLAS ----------------------------------------------------------------------------------- */

#define TRANSPOSE(number)                                                                          \
  ((number) == 0 ? CblasNoTrans : (number) == 1 ? CblasTrans : CblasConjTrans)
#define UPLO(number) ((number) == 0 ? CblasLower : CblasUpper)
#define DIAG(number) ((number) == 0 ? CblasNonUnit : CblasUnit)
#define SIDE(number) ((number) == 0 ? CblasLeft : CblasRight)

#define PARTS 1
#define SCALAR(at) (*(at))
#define REAL double
#define CUBLAS(name) cublasD##name##_v2
#define CBLAS(name) cblas_d##name
#include "cublas.inc"
#include "cublas_shared.inc"
#undef REAL
#undef CUBLAS
#undef CBLAS

#define REAL float
#define CUBLAS(name) cublasS##name##_v2
#define CBLAS(name) cblas_s##name
#include "cublas.inc"
#include "cublas_shared.inc"
#undef PARTS
#undef SCALAR
#undef REAL
#undef CUBLAS
#undef CBLAS

#define PARTS 2
#define SCALAR(at) (at)
#define REAL double
#define CUBLAS(name) cublasZ##name##_v2
#define CUBLAS_WITH_REALS(name) cublasZd##name##_v2
#define CUBLAS_TO_REAL(name) cublasDz##name##_v2
#define CBLAS(name) cblas_z##name
#define CBLAS_WITH_REALS(name) cblas_zd##name
#define CBLAS_TO_REAL(name) cblas_dz##name
#include "cublas_complex.inc"
#include "cublas_shared.inc"
#undef REAL
#undef CUBLAS
#undef CUBLAS_WITH_REALS
#undef CUBLAS_TO_REAL
#undef CBLAS
#undef CBLAS_WITH_REALS
#undef CBLAS_TO_REAL

#define REAL float
#define CUBLAS(name) cublasC##name##_v2
#define CUBLAS_WITH_REALS(name) cublasCs##name##_v2
#define CUBLAS_TO_REAL(name) cublasSc##name##_v2
#define CBLAS(name) cblas_c##name
#define CBLAS_WITH_REALS(name) cblas_cs##name
#define CBLAS_TO_REAL(name) cblas_sc##name
#include "cublas_complex.inc"
#include "cublas_shared.inc"
