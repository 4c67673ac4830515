// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Region memory. */
#include "base/arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { ROUNDS = 2000, LARGE = 1 << 22 };

static int create(void **state) {
  *state = nb_arena_new();
  return 0;
}

static int destroy(void **state) {
  nb_arena_free(*state);
  return 0;
}

static bool is_zero(const unsigned char *bytes, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (bytes[i])
      return false;
  return true;
}

/* Each piece is filled, so that a piece that reaches into another one is seen. */
static void pieces_are_aligned_zero_and_apart(void **state) {
  for (size_t bytes = 1; bytes < ROUNDS; bytes++) {
    unsigned char *piece = nb_arena_alloc(*state, bytes);
    assert_int_equal((uintptr_t)piece % 16, 0);
    assert_true(is_zero(piece, bytes));
    memset(piece, 0xff, bytes);
  }
}

static void large_piece(void **state) {
  unsigned char *piece = nb_arena_alloc(*state, LARGE);
  assert_true(is_zero(piece, LARGE));
  memset(piece, 1, LARGE);
  const unsigned char *next = nb_arena_alloc(*state, 1);
  assert_int_equal(next[0], 0);
}

static void nothing_is_not_null(void **state) { assert_non_null(nb_arena_alloc(*state, 0)); }

static void copy_ends(void **state) {
  assert_string_equal(nb_arena_copy(*state, "tangent", 3), "tan");
  assert_string_equal(nb_arena_copy(*state, "", 0), "");
}

static void print_formats(void **state) {
  assert_string_equal(nb_arena_print(*state, "%s %d", "tape", 7), "tape 7");
  const char *wide = nb_arena_print(*state, "%*d", ROUNDS, 1);
  assert_int_equal(strlen(wide), ROUNDS);
}

static void typed_pieces(void **state) {
  uint64_t *numbers = NB_NEW_ARRAY(*state, uint64_t, ROUNDS);
  uint64_t *one = NB_NEW(*state, uint64_t);
  numbers[ROUNDS - 1] = 1;
  assert_int_equal(*one, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(pieces_are_aligned_zero_and_apart, create, destroy),
      cmocka_unit_test_setup_teardown(large_piece, create, destroy),
      cmocka_unit_test_setup_teardown(nothing_is_not_null, create, destroy),
      cmocka_unit_test_setup_teardown(copy_ends, create, destroy),
      cmocka_unit_test_setup_teardown(print_formats, create, destroy),
      cmocka_unit_test_setup_teardown(typed_pieces, create, destroy),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
