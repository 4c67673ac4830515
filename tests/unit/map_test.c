// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Maps from addresses, and lists. */
#include "base/map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

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

static void empty_map_has_nothing(void **state) {
  int key = 0;
  NbMap *map = nb_map_new(*state);
  assert_int_equal(nb_map_count(map), 0);
  assert_null(nb_map_get(map, &key));
  assert_false(nb_map_has(map, &key));
}

static void value_is_found_again(void **state) {
  int key = 0, other = 0, value = 0;
  NbMap *map = nb_map_new(*state);
  nb_map_set(map, &key, &value);
  assert_ptr_equal(nb_map_get(map, &key), &value);
  assert_null(nb_map_get(map, &other));
}

static void later_value_replaces(void **state) {
  int key = 0, first = 0, second = 0;
  NbMap *map = nb_map_new(*state);
  nb_map_set(map, &key, &first);
  nb_map_set(map, &key, &second);
  assert_ptr_equal(nb_map_get(map, &key), &second);
  assert_int_equal(nb_map_count(map), 1);
}

static void key_may_have_no_value(void **state) {
  int key = 0;
  NbMap *map = nb_map_new(*state);
  nb_map_set(map, &key, NULL);
  assert_true(nb_map_has(map, &key));
  assert_null(nb_map_get(map, &key));
}

static void many_keys_keep_their_order(void **state) {
  static char keys[MANY];
  NbMap *map = nb_map_new(*state);
  for (unsigned i = 0; i < MANY; i++)
    nb_map_set(map, &keys[(i * 7919u) % MANY], &keys[i]);
  assert_int_equal(nb_map_count(map), MANY);
  for (unsigned i = 0; i < MANY; i++) {
    assert_ptr_equal(nb_map_key(map, i), &keys[(i * 7919u) % MANY]);
    assert_ptr_equal(nb_map_get(map, nb_map_key(map, i)), &keys[i]);
  }
}

static void order_is_that_of_the_first_set(void **state) {
  int first = 0, second = 0;
  NbMap *map = nb_map_new(*state);
  nb_map_set(map, &first, NULL);
  nb_map_set(map, &second, NULL);
  nb_map_set(map, &first, &second);
  assert_ptr_equal(nb_map_key(map, 0), &first);
  assert_ptr_equal(nb_map_key(map, 1), &second);
}

static void list_grows(void **state) {
  static char items[MANY];
  NbList list = nb_list(*state);
  for (unsigned i = 0; i < MANY; i++)
    nb_list_push(&list, &items[i]);
  assert_int_equal(list.count, MANY);
  for (unsigned i = 0; i < MANY; i++)
    assert_ptr_equal(list.items[i], &items[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(empty_map_has_nothing, create, destroy),
      cmocka_unit_test_setup_teardown(value_is_found_again, create, destroy),
      cmocka_unit_test_setup_teardown(later_value_replaces, create, destroy),
      cmocka_unit_test_setup_teardown(key_may_have_no_value, create, destroy),
      cmocka_unit_test_setup_teardown(many_keys_keep_their_order, create, destroy),
      cmocka_unit_test_setup_teardown(order_is_that_of_the_first_set, create, destroy),
      cmocka_unit_test_setup_teardown(list_grows, create, destroy),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
