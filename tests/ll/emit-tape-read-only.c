// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The forward sweep writes the tape, once; the reverse sweep only reads it: here it runs while the
 * whole heap is protected. Loops with and without known trips, nested, in callees, and recursion.
 */
// RUN: %clang -O0 -w %s -o %t -lm && %t | FileCheck %s
// RUN: %clang -O2 -w %s -o %t -lm && %t | FileCheck %s
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

extern int enzyme_dup, enzyme_const, enzyme_nofree;
void *__enzyme_augmentfwd(void *, ...);
void __enzyme_reverse(void *, ...);

enum { ROOM = 1 << 20, POINTS = 40 };
static char *room;
static size_t used;

/* --- A heap of the program's, which gives nothing back. --- */

void *aligned_alloc(size_t align, size_t bytes) {
  if (!room)
    room = mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  used = (used + align - 1) / align * align;
  char *block = room + used;
  used += bytes;
  return used <= ROOM ? block : NULL;
}

void *malloc(size_t bytes) { return aligned_alloc(16, bytes); }

void *calloc(size_t count, size_t bytes) { return malloc(count * bytes); }

void *realloc(void *block, size_t bytes) {
  char *fresh = malloc(bytes);
  size_t most = block ? (size_t)(fresh - (char *)block) : 0;
  return memcpy(fresh, block, most < bytes ? most : bytes);
}

void free(void *block) { (void)block; }

/* --- What is differentiated. --- */

__attribute__((noinline)) static double known(double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < i; k++)
      sum = sin(sum) * x[k] + x[i];
    x[i] = sum;
  }
  return sum;
}

__attribute__((noinline)) static double until(double *x, double most) {
  double sum = 0;
  for (int i = 0; sum < most; i = (i + 1) % POINTS) {
    sum += exp(-sum * sum) * x[i] * x[i] + 0.5;
    for (int k = 0; k < 5 && sum > k; k++)
      x[i] = x[i] * cos(x[k]);
  }
  return sum;
}

__attribute__((noinline)) static double down(double *x, int n) {
  return n == 0 ? x[0] : sin(x[n] * down(x, n - 1)) + x[n];
}

static double all(double *x) { return known(x, POINTS) * until(x, 30) + down(x, POINTS - 1); }

int main(void) {
  static double x[POINTS], dx[2][POINTS];
  for (int i = 0; i < POINTS; i++)
    x[i] = 0.3 + 0.01 * i;
  void *tape = __enzyme_augmentfwd((void *)all, enzyme_dup, x, dx[0]);
  printf("%d bytes\n", (int)used);
  fflush(stdout);
  mprotect(room, ROOM, PROT_READ);
  __enzyme_reverse((void *)all, enzyme_nofree, enzyme_dup, x, dx[0], 1.0, tape);
  mprotect(room, ROOM, PROT_READ | PROT_WRITE);
  __enzyme_reverse((void *)all, enzyme_dup, x, dx[1], 1.0, tape);
  puts(memcmp(dx[0], dx[1], sizeof *dx) || dx[0][1] == 0 ? "other" : "the same");
  return 0;
}
// CHECK: {{[1-9][0-9][0-9]+}} bytes
// CHECK-NEXT: the same
