// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The heap of C++ programs is that of heap.c, so that it tells on them too. */
#include <cstdlib>
#include <new>

void *operator new(std::size_t size) {
  void *block = std::malloc(size);
  if (!block)
    throw std::bad_alloc();
  return block;
}

void operator delete(void *block) noexcept { std::free(block); }
void operator delete(void *block, std::size_t) noexcept { std::free(block); }
