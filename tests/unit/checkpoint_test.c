// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Checkpointed loops, on a loop whose state tells how many steps it has seen. The runtime is
 * compiled into this test, for the plugin holds it as bitcode only. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>

#include "../../runtime/checkpoint.c"
#include "../../runtime/checkpoint_schedule.c"
#include "../../runtime/checkpoint_store.c"
#include "../../runtime/memory.c"

#include <setjmp.h>
#include <stdarg.h>
#include <sys/wait.h>

#include <cmocka.h>

/* The state is the number of steps run, twice; steps are called with `FIRST` and on. */
enum { FIRST = 7 };

typedef struct Loop {
  int64_t one, two;
  int64_t turned, run;
} Loop;

static int32_t run_step(void *environment, int64_t index) {
  Loop *loop = environment;
  assert_int_equal(index, loop->one + FIRST);
  assert_int_equal(loop->two, 2 * loop->one);
  loop->one++;
  loop->two += 2;
  loop->run++;
  return loop->run < loop->turned;
}

static void turn_step(void *environment, int64_t index) {
  Loop *loop = environment;
  assert_int_equal(index, loop->turned - 1 + FIRST);
  run_step(environment, index);
  loop->run--;
  loop->turned--;
}

/* Both sweeps; what they took. The number of steps is `told`, or UNKNOWN. */
static EnzymeCkptStats reverse_all(const EnzymeCheckpointScheme *scheme, EnzymeCkptConfig config,
                                   int64_t steps, int64_t told) {
  Loop loop = {0, 0, steps, 0};
  EnzymeCkptStats stats = {0};
  EnzymeCkptRegion regions[] = {{&loop.two, sizeof loop.two, 0, 0},
                                {&loop.one, sizeof loop.one, 0, 0}};
  config.stats = &stats;
  struct __nabla_checkpointed *kept =
      __nabla_checkpoint_forward(scheme, &config, FIRST, told, regions, 2, &loop, run_step);
  assert_int_equal(loop.one, steps);
  assert_int_equal(loop.run, steps);
  loop.one = loop.two = -5;
  __nabla_checkpoint_reverse(kept, &loop, run_step, turn_step);
  assert_int_equal(loop.turned, 0);
  assert_int_equal(loop.one, -5);
  assert_int_equal(loop.two, -5);
  assert_int_equal(stats.taped_steps, steps);
  assert_int_equal(loop.run, stats.forward_steps + (steps > 0 && told != UNKNOWN));
  return stats;
}

static EnzymeCkptStats reverse(const EnzymeCheckpointScheme *scheme, EnzymeCkptConfig config,
                               int64_t steps) {
  return reverse_all(scheme, config, steps, steps);
}

static EnzymeCkptStats reverse_until(const EnzymeCheckpointScheme *scheme, EnzymeCkptConfig config,
                                     int64_t steps) {
  return reverse_all(scheme, config, steps, UNKNOWN);
}

enum { STEPS = 90, SLOTS = 12 };

/* The fewest steps, by trying every first division. */
static void tabulate(int64_t fewest[STEPS + 1][SLOTS + 1]) {
  for (int slots = 1; slots <= SLOTS; slots++)
    for (int steps = 0; steps <= STEPS; steps++) {
      int64_t best = (int64_t)steps * (steps - 1) / 2;
      for (int way = 1; slots > 1 && way < steps; way++) {
        int64_t cost = way + fewest[way][slots] + fewest[steps - way][slots - 1];
        best = cost < best ? cost : best;
      }
      fewest[steps][slots] = best;
    }
}

static void revolve_runs_the_fewest_steps(void **state) {
  (void)state;
  static int64_t fewest[STEPS + 1][SLOTS + 1];
  tabulate(fewest);
  for (int slots = 1; slots <= SLOTS; slots++)
    for (int steps = 0; steps <= STEPS; steps++) {
      EnzymeCkptStats stats =
          reverse(&EnzymeCkptRevolve, (EnzymeCkptConfig){.snapshots = slots}, steps);
      assert_int_equal(stats.forward_steps, fewest[steps][slots]);
      assert_true(stats.max_slots <= slots);
    }
}

/* Griewank and Walther's t(l, s) = r * l - C(s + r, r - 1). */
static int64_t fewest_steps(int64_t steps, int64_t slots) {
  int64_t runs = 0, range = 1; /* C(s + r, s) */
  while (range < steps) {
    runs++;
    range = range * (slots + runs) / runs;
  }
  return runs * steps - range * runs / (slots + 1);
}

static void revolve_is_optimal_for_long_loops(void **state) {
  (void)state;
  static const int64_t steps[] = {1000, 4096, 100000}, slots[] = {3, 10, 32, 100, 1000};
  for (unsigned i = 0; i < 3; i++)
    for (unsigned k = 0; k < 5; k++) {
      EnzymeCkptStats stats =
          reverse(&EnzymeCkptRevolve, (EnzymeCkptConfig){.snapshots = slots[k]}, steps[i]);
      assert_int_equal(stats.forward_steps, fewest_steps(steps[i], slots[k]));
      assert_true(stats.max_slots <= slots[k]);
    }
}

static void other_schemes_reverse_every_step(void **state) {
  (void)state;
  for (int64_t steps = 0; steps < 50; steps++) {
    EnzymeCkptStats all = reverse(&EnzymeCkptStoreAll, (EnzymeCkptConfig){0}, steps);
    assert_int_equal(all.forward_steps, steps ? steps - 1 : 0);
    reverse(&EnzymeCkptRevolve, (EnzymeCkptConfig){0}, steps);
    reverse(&EnzymeCkptPeriodic, (EnzymeCkptConfig){0}, steps);
    for (int64_t segments = 1; segments < 9; segments++) {
      EnzymeCkptStats stats =
          reverse(&EnzymeCkptPeriodic, (EnzymeCkptConfig){.snapshots = segments}, steps);
      int64_t longest = (steps + segments - 1) / segments;
      assert_true(stats.max_slots <= segments + longest);
      assert_true(stats.forward_steps <= 2 * steps);
    }
  }
}

/* --- Loops whose number of steps is not known ---------------------------------------------------
 */

static void revolve_is_near_the_fewest_steps(void **state) {
  (void)state;
  for (int64_t slots = 1; slots <= SLOTS; slots++)
    for (int64_t steps = 1; steps <= STEPS; steps++) {
      EnzymeCkptStats stats =
          reverse_until(&EnzymeCkptRevolve, (EnzymeCkptConfig){.snapshots = slots}, steps);
      assert_true(stats.forward_steps <= 3 * fewest_steps(steps, slots) / 2 + 2);
      assert_true(stats.max_slots <= slots);
    }
  static const int64_t steps[] = {1000, 4096, 100000}, slots[] = {3, 10, 32, 100, 1000};
  for (unsigned i = 0; i < 3; i++)
    for (unsigned k = 0; k < 5; k++) {
      EnzymeCkptStats stats =
          reverse_until(&EnzymeCkptRevolve, (EnzymeCkptConfig){.snapshots = slots[k]}, steps[i]);
      assert_true(5 * stats.forward_steps <= 6 * fewest_steps(steps[i], slots[k]));
      assert_true(stats.max_slots <= slots[k]);
    }
}

static void other_schemes_reverse_what_has_no_number(void **state) {
  (void)state;
  for (int64_t steps = 1; steps < 200; steps++) {
    EnzymeCkptStats all = reverse_until(&EnzymeCkptStoreAll, (EnzymeCkptConfig){0}, steps);
    assert_int_equal(all.forward_steps, steps);
    EnzymeCkptStats grown = reverse_until(&EnzymeCkptRevolve, (EnzymeCkptConfig){0}, steps);
    assert_true(grown.max_slots <= 2 || grown.max_slots * grown.max_slots <= steps);
    EnzymeCkptStats root = reverse_until(&EnzymeCkptPeriodic, (EnzymeCkptConfig){0}, steps);
    assert_true(root.max_slots * root.max_slots <= 16 * steps);
    for (int64_t segments = 1; segments < 9; segments++) {
      EnzymeCkptStats stats =
          reverse_until(&EnzymeCkptPeriodic, (EnzymeCkptConfig){.snapshots = segments}, steps);
      assert_true(stats.max_slots <= segments + 2 * ((steps + segments - 1) / segments));
      assert_true(stats.forward_steps <= 2 * steps);
    }
  }
}

static void states_beyond_the_budget_lie_in_a_file(void **state) {
  (void)state;
  for (uint64_t budget = 0; budget < 200; budget += 40) {
    EnzymeCkptConfig config = {.snapshots = 4, .spill_dir = "/tmp", .mem_budget = budget};
    EnzymeCkptStats stats = reverse(&EnzymeCkptRevolve, config, 40);
    assert_int_equal(stats.max_bytes, 4 * 16);
  }
}

/* Does the loop end the program, which is another process here? */
static int fails(const EnzymeCheckpointScheme *scheme, EnzymeCkptConfig config, int64_t steps) {
  pid_t child = fork();
  if (child == 0) {
    reverse_all(scheme, config, 3, steps);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status);
}

static void jump_to_the_end(void *state, EnzymeCkptAction *action) {
  (void)state;
  *action = (EnzymeCkptAction){ENZYME_CKPT_FIRSTUTURN, 3, 0, 0};
}

static void stop_early(void *state, EnzymeCkptAction *action) {
  __nabla_checkpoint_next(state, action);
  if (action->flag == ENZYME_CKPT_RESTORE)
    action->flag = ENZYME_CKPT_DONE;
}

static void never_forward(void *state, EnzymeCkptAction *action) {
  __nabla_checkpoint_next(state, action);
  if (action->flag == ENZYME_CKPT_FORWARD)
    action->flag = ENZYME_CKPT_UTURN;
}

static void wrong_schemes_end_the_program(void **state) {
  (void)state;
  EnzymeCheckpointScheme scheme = EnzymeCkptRevolve;
  scheme.version = 2;
  assert_true(fails(&scheme, (EnzymeCkptConfig){.snapshots = 2}, 3));
  scheme = EnzymeCkptRevolve;
  scheme.next_action = jump_to_the_end;
  assert_true(fails(&scheme, (EnzymeCkptConfig){.snapshots = 2}, 3));
  scheme.next_action = stop_early;
  assert_true(fails(&scheme, (EnzymeCkptConfig){.snapshots = 2}, 3));
  scheme.next_action = never_forward;
  assert_true(fails(&scheme, (EnzymeCkptConfig){.snapshots = 2}, UNKNOWN));
  EnzymeCkptConfig nowhere = {.snapshots = 2, .spill_dir = "/no/such/folder"};
  assert_true(fails(&EnzymeCkptRevolve, nowhere, 3));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(revolve_runs_the_fewest_steps),
      cmocka_unit_test(revolve_is_optimal_for_long_loops),
      cmocka_unit_test(other_schemes_reverse_every_step),
      cmocka_unit_test(revolve_is_near_the_fewest_steps),
      cmocka_unit_test(other_schemes_reverse_what_has_no_number),
      cmocka_unit_test(states_beyond_the_budget_lie_in_a_file),
      cmocka_unit_test(wrong_schemes_end_the_program),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
