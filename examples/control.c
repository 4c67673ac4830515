// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * Optimal control: which torque swings a pendulum up within 2 seconds and leaves it there at rest,
 * with the least effort? The torque is free in each of 2000 steps; its gradient comes from a
 * checkpointed loop that keeps 12 states, and is compared with the costates by hand.
 */
#include <enzyme/checkpoint.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int enzyme_const, enzyme_dup;
void __enzyme_autodiff(void *, ...);

enum { STEPS = 2000, STATES = 12, MEMORY = 8 };

static const double H = 2.0 / STEPS, GRAVITY = 9.81, FRICTION = 0.1, WEIGHT = 100;

/* Angle from the bottom, angular velocity, and the effort so far. */
typedef struct {
  double angle, speed, effort;
} Pendulum;

static void step(int64_t i, Pendulum *now, const double *torque) {
  now->speed += H * (torque[i] - GRAVITY * sin(now->angle) - FRICTION * now->speed);
  now->angle += H * now->speed;
  now->effort += 0.5 * H * torque[i] * torque[i];
}

static double miss(const Pendulum *end) {
  double angle = end->angle - 3.14159265358979324;
  return 0.5 * WEIGHT * (angle * angle + end->speed * end->speed);
}

static double cost(const double *torque, EnzymeCkptConfig *config) {
  Pendulum pendulum = {0, 0, 0};
  __enzyme_checkpoint_for((void *)step, 0, STEPS, enzyme_scheme, &EnzymeCkptRevolve, config,
                          &pendulum, torque);
  return pendulum.effort + miss(&pendulum);
}

static void gradient(const double *torque, double *slope, EnzymeCkptConfig *config) {
  memset(slope, 0, sizeof(double[STEPS]));
  __enzyme_autodiff((void *)cost, enzyme_dup, torque, slope, enzyme_const, config);
}

/* The costates, from the end to the beginning, over all states. */
static void by_hand(const double *torque, double *slope) {
  static Pendulum before[STEPS + 1];
  for (int i = 0; i < STEPS; i++) {
    before[i + 1] = before[i];
    step(i, &before[i + 1], torque);
  }
  double angle = WEIGHT * (before[STEPS].angle - 3.14159265358979324);
  double speed = WEIGHT * before[STEPS].speed;
  for (int i = STEPS - 1; i >= 0; i--) {
    speed += H * angle;
    slope[i] = H * (torque[i] + speed);
    angle -= H * GRAVITY * cos(before[i].angle) * speed;
    speed *= 1 - H * FRICTION;
  }
}

static double dot(const double *a, const double *b) {
  double sum = 0;
  for (int i = 0; i < STEPS; i++)
    sum += a[i] * b[i];
  return sum;
}

static double compare(const double *slope, const double *torque) {
  double expected[STEPS], error = 0;
  by_hand(torque, expected);
  for (int i = 0; i < STEPS; i++)
    error = fmax(error, fabs(slope[i] - expected[i]));
  return error / sqrt(dot(expected, expected));
}

/* How x and its gradient changed in the last steps; `next` counts them. */
typedef struct {
  double moved[MEMORY][STEPS], turned[MEMORY][STEPS];
  int next;
} Memory;

/* x += factor * y */
static void add(double *x, double factor, const double *y) {
  for (int i = 0; i < STEPS; i++)
    x[i] += factor * y[i];
}

/* The direction of the method of quasi-Newton steps with limited memory (Nocedal 1980). */
static void choose(const Memory *memory, const double *slope, double *direction) {
  double factor[MEMORY];
  int last = memory->next - 1, first = memory->next > MEMORY ? memory->next - MEMORY : 0;
  memset(direction, 0, sizeof(double[STEPS]));
  add(direction, -1, slope);
  for (int i = last; i >= first; i--) {
    const double *moved = memory->moved[i % MEMORY], *turned = memory->turned[i % MEMORY];
    factor[i % MEMORY] = dot(moved, direction) / dot(moved, turned);
    add(direction, -factor[i % MEMORY], turned);
  }
  for (int i = 0; i < STEPS; i++)
    direction[i] /= H;
  for (int i = first; i <= last; i++) {
    const double *moved = memory->moved[i % MEMORY], *turned = memory->turned[i % MEMORY];
    add(direction, factor[i % MEMORY] - dot(turned, direction) / dot(moved, turned), moved);
  }
}

/* Goes along the direction by as much of it as lowers the cost. Returns that cost. */
static double move(double *torque, const double *slope, const double *direction,
                   EnzymeCkptConfig *config) {
  double before = cost(torque, config), down = dot(slope, direction), length = 1;
  add(torque, 1, direction);
  double now = cost(torque, config);
  while (now > before + 1e-4 * length * down && length > 1e-9) {
    add(torque, -0.5 * length, direction);
    length *= 0.5;
    now = cost(torque, config);
  }
  return now;
}

/* Until the gradient is 1e-6 of what it was. */
static void minimise(double *torque, double *slope, EnzymeCkptConfig *config) {
  static Memory memory;
  double direction[STEPS], goal = 1e-12 * dot(slope, slope);
  for (int i = 0; i < 200 && dot(slope, slope) > goal; i++) {
    double *moved = memory.moved[memory.next % MEMORY];
    double *turned = memory.turned[memory.next % MEMORY];
    choose(&memory, slope, direction);
    memcpy(moved, torque, sizeof direction);
    memcpy(turned, slope, sizeof direction);
    double now = move(torque, slope, direction, config);
    gradient(torque, slope, config);
    for (int k = 0; k < STEPS; k++) {
      moved[k] = torque[k] - moved[k];
      turned[k] = slope[k] - turned[k];
    }
    memory.next += dot(moved, turned) > 0;
    if (i % 20 == 0)
      printf("step %2d: cost %.6f, gradient %.1e\n", i, now, sqrt(dot(slope, slope) / H));
  }
}

int main(void) {
  static double torque[STEPS], slope[STEPS];
  EnzymeCkptStats stats;
  EnzymeCkptConfig config = {.snapshots = STATES, .stats = &stats};
  for (int i = 0; i < STEPS; i++)
    torque[i] = 6;
  gradient(torque, slope, &config);
  double error = compare(slope, torque);
  printf("a gradient: %lld states kept, %lld steps run\n", (long long)stats.max_slots,
         (long long)stats.forward_steps);
  minimise(torque, slope, &config);
  by_hand(torque, slope);
  double rest = sqrt(dot(slope, slope) / H);
  printf("cost %.9f, gradient %.1e; largest difference from the costates %.1e\n",
         cost(torque, &config), rest, error);
  return !(error <= 1e-12 && rest <= 1e-3 && stats.max_slots <= STATES);
}
