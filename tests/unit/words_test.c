// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Words of shadows, of memory that holds one thing after another. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#undef fail
#include "../../runtime/memory.c"
#include "../../runtime/refuse.c"
#include "../../runtime/tape.c"
#include "../../runtime/words.c"

enum { EITHER = __NABLA_MAY_DOUBLE | __NABLA_MAY_POINTER };
enum { PAIR = __NABLA_MAY_LOWER | __NABLA_MAY_UPPER };

static void pointers_are_no_adjoints(void **state) {
  (void)state;
  double to[] = {0.5, 0, 0.25}, from[] = {1, 1, 1};
  void *pointer = to;
  memcpy(&to[1], &pointer, sizeof pointer);
  __nabla_zero_word((char *)to, sizeof to, 0, 2 * sizeof *to, EITHER);
  assert_true(to[0] == 0 && to[2] == 0);
  to[0] = 0.5;
  __nabla_zero_word((char *)to, sizeof to, sizeof *to, 0, EITHER | PAIR);
  assert_memory_equal(&to[1], &pointer, sizeof pointer);
  __nabla_move_adjoint_word((char *)to, (char *)from, sizeof to, 0, sizeof *to, EITHER, "here");
  assert_true(from[0] == 1.5 && from[1] == 1 && from[2] == 1);
  assert_true(to[0] == 0 && to[1] == 0);
}

static void half_an_adjoint_is_that_of_a_float(void **state) {
  (void)state;
  double to[] = {0.5, 0}, from[] = {1, 0};
  float given = 0.25F, moved = 0.5F;
  memcpy(&to[1], &given, sizeof given);
  memcpy(&from[1], &moved, sizeof moved);
  __nabla_move_adjoint_word((char *)to, (char *)from, sizeof to, 0, sizeof *to,
                            __NABLA_MAY_DOUBLE | __NABLA_MAY_LOWER, "here");
  memcpy(&moved, &from[1], sizeof moved);
  assert_true(from[0] == 1.5 && moved == 0.75F);
  assert_true(to[0] == 0 && to[1] == 0);
}

/* What is moved to zeros may be anything; a float behind the last word is moved, too. */
static void bits_of_adjoints_are_moved_to_zeros(void **state) {
  (void)state;
  float to[] = {0.25F, 0.5F, -0.0F, 4, 2}, from[] = {-0.0F, 0, 1, 3, 1};
  void *pointer = to;
  memcpy(to + 2, &pointer, sizeof pointer);
  __nabla_move_adjoint_word((char *)to, (char *)from, sizeof to, 0, sizeof(double), EITHER | PAIR,
                            "here");
  assert_true(from[0] == 0.25F && from[1] == 0.5F && from[2] == 1 && from[3] == 3 && from[4] == 3);
  for (unsigned i = 0; i < 5; i++)
    assert_true(to[i] == 0);
}

/* Without a double, and where the half tells, the two are added. */
static void words_are_added_as_what_they_must_be(void **state) {
  (void)state;
  float to[] = {0.25F, 0.5F, 0.25F, 0}, from[] = {1, 2, 1, 4};
  __nabla_move_adjoint_word((char *)to, (char *)from, 2 * sizeof *to, 0, 0,
                            PAIR | __NABLA_MAY_POINTER, "here");
  __nabla_move_adjoint_word((char *)to, (char *)from, sizeof to, 2 * sizeof *to, 0,
                            PAIR | __NABLA_MAY_DOUBLE, "here");
  assert_true(from[0] == 1.25F && from[1] == 2.5F && from[2] == 1.25F && from[3] == 4);
  double numbers[] = {0.1, 0.2};
  __nabla_move_adjoint_word((char *)numbers, (char *)(numbers + 1), sizeof *numbers, 0, 0,
                            __NABLA_MAY_UPPER | __NABLA_MAY_DOUBLE, "here");
  assert_true(numbers[0] == 0 && numbers[1] == 0.2 + 0.1);
}

/* Over themselves, by a part of a word, only floats are moved. */
static void floats_are_moved_over_words(void **state) {
  (void)state;
  float numbers[] = {1, 2, 3, 4, 5};
  __nabla_move_adjoint_word((char *)(numbers + 1), (char *)numbers, 4 * sizeof *numbers, 0,
                            sizeof(double), PAIR | __NABLA_MAY_DOUBLE, "here");
  assert_true(numbers[0] == 3 && numbers[1] == 3 && numbers[2] == 4 && numbers[3] == 5);
  assert_true(numbers[4] == 0);
}

static void tangents_of_adjoints_are_moved_alike(void **state) {
  (void)state;
  double to[] = {0, 2}, tangents[] = {0.5, 0}, from[] = {1, 1}, more[] = {1, 1};
  __nabla_move_adjoint_word_forward((char *)to, (char *)tangents, (char *)from, (char *)more,
                                    sizeof to, 0, sizeof *to, EITHER, "here", "here");
  assert_true(from[0] == 1 && from[1] == 3 && more[0] == 1.5 && more[1] == 1);
  assert_true(to[1] == 0 && tangents[0] == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pointers_are_no_adjoints),
      cmocka_unit_test(half_an_adjoint_is_that_of_a_float),
      cmocka_unit_test(bits_of_adjoints_are_moved_to_zeros),
      cmocka_unit_test(words_are_added_as_what_they_must_be),
      cmocka_unit_test(floats_are_moved_over_words),
      cmocka_unit_test(tangents_of_adjoints_are_moved_alike),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
