// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Globals that a derivative passes through, and whose shadow cannot be known. */
extern double __enzyme_autodiff(void *, ...);

extern double elsewhere;
static __attribute__((noinline)) double read_elsewhere(void) { return elsewhere; }
static double through_elsewhere(double x) {
  elsewhere = x * x; // error-near: 'elsewhere' ... [nabla: global-active]
  return read_elsewhere() * x;
}

static _Thread_local double own;
static __attribute__((noinline)) double read_own(void) { return own; }
static double through_own(double x) {
  own = x * x; // error-near: 'own' ... [nabla: global-active]
  return read_own() * x;
}

double *buffer;
static __attribute__((noinline)) double read_buffer(void) { return buffer[0]; }
static double through_buffer(double x) {
  buffer[0] = x * x; // error-near: 'buffer' ... [nabla: global-active]
  return read_buffer() * x;
}

struct Room {
  double *place;
  int count;
} room;
static __attribute__((noinline)) double read_room(void) { return room.place[0]; }
static double through_room(double x) {
  static double spare[2];
  room.count = 2; // error-near: 'room' ... [nabla: global-active]
  if (x > 3)
    room.place = spare;
  room.place[0] = x * x;
  return read_room() * x;
}

static double kept;
extern void report(void);
static double through_report(double x) {
  kept = x * x;
  report(); // error: 'kept' ... [nabla: global-active]
  return kept * x;
}

static void __attribute__((noinline)) report_twice(void) {
  report();
  report();
}
static double through_callee(double x) {
  kept = x * x;
  report_twice(); // error: 'kept' ... [nabla: global-active]
  return kept * x;
}

static double *chosen;
static __attribute__((noinline)) void choose(double *x, int n) {
  if (n > 3)
    chosen = x;
}
static double through_chosen(double x, int n) {
  choose(&x, n); // error-near: 'chosen' ... [nabla: global-active]
  *chosen *= x;
  return x;
}

double use_chosen(double x, int n) { return __enzyme_autodiff((void *)through_chosen, x, n); }

double use(double x) {
  return __enzyme_autodiff((void *)through_elsewhere, x) +
         __enzyme_autodiff((void *)through_own, x) + __enzyme_autodiff((void *)through_buffer, x) +
         __enzyme_autodiff((void *)through_room, x) + __enzyme_autodiff((void *)through_report, x) +
         __enzyme_autodiff((void *)through_callee, x);
}
