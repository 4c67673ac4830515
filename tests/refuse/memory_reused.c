// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Memory of the caller's holds a number, and then a pointer. */
extern void __enzyme_autodiff(void *, ...);

typedef union {
  double number;
  double *pointer;
} Slot;

static double used_twice(Slot *slot, double *x) {
  slot->number = x[0] * x[0]; // error-near: pointers at one time ... [nabla: unknown-type]
  double first = slot->number * x[1];
  slot->pointer = x + 1; // error-near: pointers at one time ... [nabla: unknown-type]
  return first * *slot->pointer;
}

void use(Slot *slot, Slot *shadow, double *x, double *dx) {
  __enzyme_autodiff((void *)used_twice, slot, shadow, x, dx);
}
