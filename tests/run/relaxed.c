// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -fno-strict-aliasing
// reals: double
/* Arrays of numbers and counts in one struct, of which no tag tells: how far indices go does. */
#include "cases.h"

typedef struct {
  real stack[8];
  int top;
  real memory[4];
  int steps;
} Machine;

enum { PUSH, STORE, ADD, MULTIPLY, HALT };

static void run(Machine *machine, const unsigned char *code) {
  for (int at = 0;; machine->steps++)
    switch (code[at++]) {
    case PUSH:
      machine->stack[machine->top++] = machine->memory[code[at++]];
      break;
    case STORE:
      machine->memory[code[at++]] = machine->stack[--machine->top];
      break;
    case ADD:
      machine->top--;
      machine->stack[machine->top - 1] += machine->stack[machine->top];
      break;
    case MULTIPLY:
      machine->top--;
      machine->stack[machine->top - 1] *= machine->stack[machine->top];
      break;
    default:
      return;
    }
}

MAP(stack_machine, 3, 1, 0.3, 0.5, 0.7) {
  static const unsigned char code[] = {PUSH, 0, PUSH, 1, MULTIPLY, PUSH,  2, ADD, STORE, 3,
                                       PUSH, 3, PUSH, 3, MULTIPLY, STORE, 0, HALT};
  Machine machine;
  memset(&machine, 0, sizeof machine);
  for (int i = 0; i < n; i++)
    machine.memory[i] = x[i];
  run(&machine, code);
  y[0] = machine.memory[0] * machine.steps;
}
