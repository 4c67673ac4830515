// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What derivatives do in the memory of a device: by calls of cuBLAS and of CUDA's runtime, which
 * the program links, and on its default stream, for which the streams that programs make wait, and
 * which waits for them (but for those that are made non-blocking). Who calls ends with a message
 * where one of these fails. */
#ifndef NABLA_RUNTIME_DEVICE_H
#define NABLA_RUNTIME_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

/* Rules say what some of these do (rules/devices.rules), also where derivatives are differentiated:
 * they stay calls. */
#define __NABLA_KNOWN_BY_ITS_ROW __attribute__((noinline))

/* The program calls cuBLAS with this handle: what is computed for it from now on is computed as it
 * says. Returns success. Ends the program where scalars are on the device, or the work of the
 * handle is on a stream that others do not wait for. */
int __nabla_cublas_use(void *handle);

/* A handle of the thread's own for the device that is current. */
void *__nabla_cublas_handle(void);

/* Ends the program unless the function has returned success. */
void __nabla_device_check(int status, const char *function);

/* Is the memory the device's alone? The program can reach any other. */
bool __nabla_device_owns(const void *memory);

/* Waits for what was computed, unless it was with memory of the device's alone: places may be NULL.
 */
void __nabla_device_settle(const void *first, const void *second, const void *third);

/* An uninitialised array of the device, NULL if it would be empty, and what frees it. */
void *__nabla_device_array(uint64_t count, uint64_t size);
void __nabla_device_release(void *array);

/* Zeroes `count` elements of `size` bytes, each `apart` bytes behind the one before. */
void __nabla_device_clear(void *memory, uint64_t apart, uint64_t size, uint64_t count);

/* Moves bytes within a memory, or from one to another. */
void __nabla_device_move(void *to, const void *from, uint64_t bytes);

/* What cudaMalloc, cudaMallocManaged and cudaHostAlloc give, NULL where there is none; what
 * cudaFree and cudaFreeHost take. */
void *__nabla_device_new(uint64_t bytes);
void *__nabla_device_new_managed(uint64_t bytes, uint64_t flags);
void *__nabla_device_new_host(uint64_t bytes, uint64_t flags);
void __nabla_device_free(void *memory);
void __nabla_device_free_host(void *memory);

/* As __nabla_shadow_clear, of memory of the device. */
void __nabla_device_shadow_clear(void *shadow, const void *primal, uint64_t bytes,
                                 const char *function);

/* As the functions of tape.h, where one of the places, or both, are on the device. */
void __nabla_device_zero_double(char *to, uint64_t bytes, uint64_t first, uint64_t period);
void __nabla_device_zero_float(char *to, uint64_t bytes, uint64_t first, uint64_t period);
void __nabla_device_move_adjoint_double(char *to, char *from, uint64_t bytes, uint64_t first,
                                        uint64_t period);
void __nabla_device_move_adjoint_float(char *to, char *from, uint64_t bytes, uint64_t first,
                                       uint64_t period);

#endif
