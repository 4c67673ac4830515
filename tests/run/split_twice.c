// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Derivatives in two halves of derivatives in two halves: nothing else in the file asks for one. */
// reals: double
// differences: none
#include "cases.h"

extern int enzyme_allocated, enzyme_tape;
extern void *__enzyme_augmentfwd(void *, ...);
extern double __enzyme_reverse(void *, ...);
extern double __enzyme_fwdsplit(void *, ...);
extern void __enzyme_augmentfwd_to(void *, ...);

enum { ROOM = 256 };

static NOINLINE double power(double x, int n) {
  double product = x;
  for (int i = 1; i < n; i++)
    product *= x;
  return product;
}

static double slope(double x, int n) {
  void *tape = __enzyme_augmentfwd((void *)power, x, n);
  return __enzyme_reverse((void *)power, x, n, 1.0, tape);
}

static double slope_with_room(double x, int n) {
  char tape[ROOM];
  __enzyme_augmentfwd_to((void *)power, enzyme_allocated, ROOM, enzyme_tape, tape, x, n);
  return __enzyme_reverse((void *)power, enzyme_allocated, ROOM, enzyme_tape, tape, x, n, 1.0);
}

CHECK(reverse_of_reverse) {
  void *tape = __enzyme_augmentfwd((void *)slope, 2.0, 4);
  EXPECT(__enzyme_reverse((void *)slope, 2.0, 4, 1.0, tape), 48);
}

CHECK(forward_of_reverse) {
  void *tape = __enzyme_augmentfwd((void *)slope, 2.0, 4);
  EXPECT(__enzyme_fwdsplit((void *)slope, 2.0, 1.0, 4, tape), 48);
}

CHECK(reverse_of_reverse_with_room) {
  void *tape = __enzyme_augmentfwd((void *)slope_with_room, 2.0, 4);
  EXPECT(__enzyme_reverse((void *)slope_with_room, 2.0, 4, 1.0, tape), 48);
}
