// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Integers that a library writes where numbers with a derivative lie, and what keeps memory of the
 * program's or hands it back. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <wchar.h>

extern double __enzyme_autodiff(void *, ...);

static double by_characters(double x) {
  double numbers[4] = {x * x, x * x * x};
  mbstowcs((wchar_t *)numbers, "a", 2); // error: 'mbstowcs' writes to active memory
  return numbers[0] + numbers[1];
}

static double by_descriptors(double x) {
  double numbers[2] = {x * x, x * x * x};
  if (pipe((int *)numbers)) // error: 'pipe' writes to active memory
    return 0;
  return numbers[0] + numbers[1];
}

static double in_a_map(double x, int n) {
  const int mode = MAP_PRIVATE | MAP_ANONYMOUS;
  double *numbers = (double *)mmap(NULL, 4096, PROT_READ | PROT_WRITE, mode, -1, 0), y = 0;
  for (int i = 0; i < n; i++)
    numbers[i] = x * i; // error-near: [nabla: unknown-memory]
  for (int i = 0; i < n; i++)
    y += numbers[i] * numbers[i];
  munmap(numbers, 4096);
  return y;
}

static double kept;
static double by_a_key(double x, pthread_key_t key) {
  kept = x * x;
  double *number = (double *)pthread_getspecific(key); // error-near: [nabla: global-active]
  return number ? kept * kept : kept;
}

int main(void) {
  double y = __enzyme_autodiff((void *)by_characters, 2.0);
  y += __enzyme_autodiff((void *)by_descriptors, 2.0);
  y += __enzyme_autodiff((void *)in_a_map, 2.0, 3);
  y += __enzyme_autodiff((void *)by_a_key, 2.0, (pthread_key_t)0);
  return y > 0;
}
