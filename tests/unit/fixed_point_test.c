// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Loops to a fixed point of z = rate * z + x, whose step comes with its derivatives. The runtime is
 * compiled into this test, for the plugin holds it as bitcode only. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>

#include "../../runtime/fixed_point.c"
#include "../../runtime/memory.c"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* What lies between two numbers that are iterated is a boundary. */
typedef struct Loop {
  double z[3], dz[3];
  double rate, x, dx;
  int64_t steps;
  int idle; /* does nothing behind the last step */
  int turns;
} Loop;

static int32_t run_step(void *environment, int64_t index) {
  Loop *loop = environment;
  if (loop->idle && index >= loop->steps)
    return 0;
  loop->z[0] = loop->rate * loop->z[0] + loop->x + loop->z[1];
  loop->z[2] = loop->rate * loop->z[2] + loop->x;
  return index < loop->steps;
}

static void reverse_step(void *environment, int64_t index) {
  Loop *loop = environment;
  loop->turns++;
  if (loop->idle && index >= loop->steps)
    return;
  loop->dx += loop->dz[0] + loop->dz[2];
  loop->dz[1] += loop->dz[0];
  loop->dz[0] *= loop->rate;
  loop->dz[2] *= loop->rate;
}

static void forward_step(void *environment, int64_t index) {
  Loop *loop = environment;
  loop->turns++;
  if (loop->idle && index >= loop->steps)
    return;
  loop->dz[0] = loop->rate * loop->dz[0] + loop->dx + loop->dz[1];
  loop->dz[2] = loop->rate * loop->dz[2] + loop->dx;
}

static const __nabla_fixed_point_piece numbers = {0, sizeof(double), sizeof(double)};

static void reverse(Loop *loop, const __nabla_fixed_point_test *test) {
  EnzymeCkptRegion region = {loop->z, sizeof loop->z, 0, 0};
  __nabla_fixed_point_part part = {(char *)loop->z, (char *)loop->dz, 0, 1, &numbers, 1};
  struct __nabla_fixed_point *kept = __nabla_fixed_point_forward(&region, 1, loop, run_step);
  double end = loop->z[0];
  loop->z[0] = -5;
  __nabla_fixed_point_reverse(kept, loop, run_step, reverse_step, &part, 1, test);
  assert_true(loop->z[0] == -5);
  loop->z[0] = end;
}

static void forward(Loop *loop, const __nabla_fixed_point_test *test) {
  EnzymeCkptRegion region = {loop->z, sizeof loop->z, 0, 0};
  __nabla_fixed_point_part part = {(char *)loop->z, (char *)loop->dz, 0, 1, &numbers, 1};
  __nabla_fixed_point_tangent(&region, 1, loop, run_step, forward_step, &part, 1, test);
}

static const __nabla_fixed_point_test usual = {NULL, -1, -1}, exact = {NULL, 1e-30, -1};

static int is_near(double a, double b, double error) { return fabs(a - b) <= error * fabs(b); }

static void adjoints_are_those_of_the_fixed_point(void **state) {
  (void)state;
  Loop loop = {.z = {9, 0.25, 0}, .dz = {1, 0.5, 2}, .rate = 0.5, .x = 3, .steps = 99};
  reverse(&loop, &exact);
  assert_true(is_near(loop.z[0], 6.5, 1e-14));
  assert_true(is_near(loop.dx, 2 + 4, 1e-14));
  assert_true(loop.dz[0] == 0 && loop.dz[2] == 0);
  assert_true(is_near(loop.dz[1], 0.5 + 2, 1e-14));
}

static void tangents_are_those_of_the_fixed_point(void **state) {
  (void)state;
  Loop loop = {.z = {9, 0.25, 0}, .dz = {7, 0.5, 8}, .rate = -0.5, .x = 3, .dx = 1, .steps = 99};
  forward(&loop, &exact);
  assert_true(is_near(loop.z[2], 2, 1e-14));
  assert_true(is_near(loop.dz[0], 1.5 / 1.5, 1e-14));
  assert_true(loop.dz[1] == 0.5);
  assert_true(is_near(loop.dz[2], 1 / 1.5, 1e-14));
}

/* The base of what repeats may lie anywhere in it. */
static void numbers_lie_on_both_sides_of_a_base(void **state) {
  (void)state;
  Loop loop = {.dz = {1, 0.5, 2}, .rate = 0.5, .x = 3, .steps = 99};
  EnzymeCkptRegion region = {loop.z, sizeof loop.z, 0, 0};
  __nabla_fixed_point_part part = {(char *)&loop.z[1], (char *)&loop.dz[1], 0, 1, &numbers, 1};
  struct __nabla_fixed_point *kept = __nabla_fixed_point_forward(&region, 1, &loop, run_step);
  __nabla_fixed_point_reverse(kept, &loop, run_step, reverse_step, &part, 1, &exact);
  assert_true(is_near(loop.dx, 2 + 4, 1e-14));
  assert_true(loop.dz[0] == 0 && loop.dz[2] == 0);
}

/* Each term is a thousandth less than the one before. */
static void slow_ones_are_as_exact(void **state) {
  (void)state;
  const __nabla_fixed_point_test patient = {NULL, -1, 0};
  Loop loop = {.dz = {1, 0, 0}, .rate = 0.999, .x = 3, .steps = 20000};
  reverse(&loop, &patient);
  assert_true(is_near(loop.dx, 1000, 2e-6 * 1000));
  loop = (Loop){.rate = 0.999, .x = 3, .dx = 1, .steps = 20000};
  forward(&loop, &patient);
  assert_true(is_near(loop.dz[0], 1000, 2e-6 * 1000));
}

static void no_more_than_are_allowed(void **state) {
  (void)state;
  const __nabla_fixed_point_test few = {NULL, -1, 3};
  Loop loop = {.dz = {1, 0, 0}, .rate = 0.5, .x = 3, .steps = 99};
  reverse(&loop, &few);
  assert_int_equal(loop.turns, 3);
  assert_true(loop.dx == 1.75);
}

static int asked;
static double told[9];
static int twice(double *sum, double *reduction) {
  assert_true(*reduction == 0.125);
  told[asked] = *sum;
  return asked++ < 2;
}

static void a_function_decides(void **state) {
  (void)state;
  const __nabla_fixed_point_test test = {twice, 0.125, -1};
  Loop loop = {.dz = {1, 0, 0}, .rate = 0.5, .x = 3, .steps = 99};
  asked = 0;
  reverse(&loop, &test);
  assert_int_equal(asked, 3);
  assert_true(told[0] == -1 && told[1] == 0.25 && told[2] == 0.0625);
  assert_true(loop.dx == 1.5);
}

/* Nothing that is asked for depends on the loop. */
static void nothing_is_asked(void **state) {
  (void)state;
  Loop loop = {.rate = 0.5, .x = 3, .steps = 99};
  reverse(&loop, &usual);
  assert_true(loop.dx == 0 && loop.turns == 1);
  loop.turns = 0;
  forward(&loop, &usual);
  assert_true(loop.dz[0] == 0 && loop.dz[2] == 0);
}

/* Does a derivative of the loop end the program, which is another process here? */
static int fails(Loop loop, void (*derivative)(Loop *, const __nabla_fixed_point_test *)) {
  pid_t child = fork();
  if (child == 0) {
    derivative(&loop, &usual);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status);
}

static void what_is_no_fixed_point_ends_the_program(void **state) {
  (void)state;
  Loop loop = {.dz = {1, 0, 1}, .rate = 0.5, .x = 3, .dx = 1, .steps = 99};
  assert_false(fails(loop, reverse));
  assert_false(fails(loop, forward));
  loop.idle = 1;
  assert_true(fails(loop, reverse));
  assert_true(fails(loop, forward));
  loop.idle = 0;
  for (int i = 0; i < 3; i++) {
    loop.rate = (double[]){1, -1.5, 0.9999}[i];
    loop.steps = 20;
    assert_true(fails(loop, reverse));
    assert_true(fails(loop, forward));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(adjoints_are_those_of_the_fixed_point),
      cmocka_unit_test(tangents_are_those_of_the_fixed_point),
      cmocka_unit_test(numbers_lie_on_both_sides_of_a_base),
      cmocka_unit_test(slow_ones_are_as_exact),
      cmocka_unit_test(no_more_than_are_allowed),
      cmocka_unit_test(a_function_decides),
      cmocka_unit_test(nothing_is_asked),
      cmocka_unit_test(what_is_no_fixed_point_ends_the_program),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
