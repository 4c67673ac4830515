// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Counts what the program holds of the heap: the linker sends its calls of malloc and free here. */
#ifndef BENCH_HEAP_H
#define BENCH_HEAP_H

/* Begins to count anew. */
void heap_start(void);

/* The most bytes held at once since then, beyond those held then. */
long heap_peak(void);

#endif
