// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Sets of texts. */
#include "base/texts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { MANY = 100000 };

static int create(void **state) {
  *state = nb_arena_new();
  return 0;
}

static int destroy(void **state) {
  nb_arena_free(*state);
  return 0;
}

static void equal_texts_are_one(void **state) {
  NbTexts *texts = nb_texts_new(*state);
  assert_null(nb_texts_find(texts, "x", 1));
  const char *first = nb_texts_add(texts, "xyz", 2);
  assert_string_equal(first, "xy");
  assert_ptr_equal(nb_texts_add(texts, "xy", 2), first);
  assert_ptr_equal(nb_texts_find(texts, "xy", 2), first);
  assert_null(nb_texts_find(texts, "x", 1));
  assert_string_equal(nb_texts_add(texts, "", 0), "");
}

static void many_texts_are_kept_apart(void **state) {
  NbTexts *texts = nb_texts_new(*state);
  const char **first = NB_NEW_ARRAY(*state, const char *, MANY);
  for (unsigned i = 0; i < MANY; i++) {
    const char *text = nb_arena_print(*state, "t_%u", i);
    first[i] = nb_texts_add(texts, text, strlen(text));
  }
  for (unsigned i = 0; i < MANY; i++) {
    const char *text = nb_arena_print(*state, "t_%u", i);
    assert_ptr_equal(nb_texts_find(texts, text, strlen(text)), first[i]);
    assert_string_equal(first[i], text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(equal_texts_are_one, create, destroy),
      cmocka_unit_test_setup_teardown(many_texts_are_kept_apart, create, destroy),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
