// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Bytes that may be floats or not are copied: nothing says what they are. */
#include <string.h>
extern void __enzyme_autodiff(void *, ...);
extern int enzyme_const, enzyme_dup;

static void copied(const char *from, char *to, unsigned long bytes) {
  memcpy(to, from, bytes); // error: [nabla: unknown-type]
}

void use(char *x, char *dx, char *y, char *dy, unsigned long bytes) {
  __enzyme_autodiff((void *)copied, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, bytes);
}
