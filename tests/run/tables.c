// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Structs that lead to constant tables of pointers beside what is chosen when the program runs:
 * the caller's numbers, or constants of the program's. */
// reals: double
// split: none
#include "cases.h"

static const char *const names[3] = {"mass", "spring", "drag"};
static const real defaults[3] = {1.5, 2, 0.5};

typedef struct {
  const char *const *names;
  const real *parameters;
  int n;
} Model;

static NOINLINE const real *choose(const real *x, int users) { return users ? x : defaults; }

static NOINLINE real energy(const Model *model) {
  real sum = 0;
  for (int i = 0; i < model->n; i++)
    if (model->names[i][0] != 'd')
      sum += model->parameters[i] * model->parameters[i] * (real)(i + 1);
  return sum;
}

SUM(names_and_defaults, 3, 0.5, 1.5, 0.75) {
  real sum = 0;
  for (int k = 0; k < 2; k++) {
    Model model = {names, choose(x, k), n};
    sum += energy(&model) * x[k];
  }
  return sum;
}

static const real first[4] = {1, 2, 3, 4}, second[4] = {5, 6, 7, 8};
static const real *const rows[2] = {first, second};

typedef struct {
  const real *const *rows;
  const real *row;
} Rows;

static NOINLINE real weigh(const Rows *all) { return all->rows[0][1] * all->row[0] * all->row[0]; }

static NOINLINE const real *pick(const real *x, real t) { return t > 0.6 ? x : second; }

SUM(rows_and_a_row, 2, 0.5, 0.75) {
  Rows all = {rows, pick(x, x[1])};
  return weigh(&all) * x[0] + x[n - 1];
}

/* --- A table of functions in a struct of numbers, from a constant. --- */

enum { IDLE, HEAT, COOL, DONE };

typedef struct Machine {
  int state;
  real heat, energy;
  int ticks;
  int (*next[4])(struct Machine *, real);
} Machine;

static int idle(Machine *machine, real power) {
  machine->heat -= (real)0.125 * (machine->heat - (real)0.25) + 0 * power;
  return machine->heat < (real)0.75 ? HEAT : IDLE;
}

static int warm(Machine *machine, real power) {
  machine->heat += (real)0.25 * power;
  machine->energy += power * power;
  return machine->heat > (real)1.5 ? COOL : HEAT;
}

static int cool(Machine *machine, real power) {
  machine->heat *= (real)0.75;
  machine->energy += power * machine->heat;
  return machine->ticks > 20 ? DONE : machine->heat < 1 ? IDLE : COOL;
}

static int done(Machine *machine, real power) { return machine->heat > power ? DONE : DONE; }

SUM(machine_of_states, 3, 0.5, 1.5, 0.75) {
  Machine machine = {IDLE, x[0], 0, 0, {idle, warm, cool, done}};
  while (machine.state != DONE && machine.ticks < 30) {
    machine.state = machine.next[machine.state](&machine, x[1] + x[2] * (real)0.125);
    machine.ticks++;
  }
  return machine.heat + machine.energy * x[n - 1];
}
