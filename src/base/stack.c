// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/stack.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <ucontext.h>

static const size_t LARGEST = (size_t)16 << 30;
static const size_t LEAST = (size_t)16 << 20;

typedef struct Call {
  void (*function)(void *);
  void *argument;
  ucontext_t before, inside;
} Call;

/* makecontext hands on integers alone. */
static void enter(unsigned upper, unsigned lower) {
  Call *call = (Call *)(((uintptr_t)upper << 32) | lower);
  call->function(call->argument);
}

/* NULL where there is no room; `*size` is what there was room for. */
static char *reserve(size_t *size) {
  const int how = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK;
  for (*size = LARGEST; *size >= LEAST; *size /= 2) {
    void *stack = mmap(NULL, *size, PROT_READ | PROT_WRITE, how, -1, 0);
    if (stack != MAP_FAILED)
      return stack;
  }
  return NULL;
}

void nb_on_large_stack(void (*function)(void *), void *argument) {
  Call call = {.function = function, .argument = argument};
  size_t size;
  char *stack = reserve(&size);
  if (!stack || getcontext(&call.inside)) {
    function(argument);
  } else {
    mprotect(stack, LEAST / 256, PROT_NONE);
    call.inside.uc_stack.ss_sp = stack;
    call.inside.uc_stack.ss_size = size;
    call.inside.uc_link = &call.before;
    uintptr_t address = (uintptr_t)&call;
    makecontext(&call.inside, (void (*)(void))enter, 2, (unsigned)(address >> 32),
                (unsigned)address);
    swapcontext(&call.before, &call.inside);
  }
  if (stack)
    munmap(stack, size);
}
