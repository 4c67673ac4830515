// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The minimum cut against brute force, and on graphs of the size of large functions. */
#include "plan/mincut.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MOST_NODES = 8, RANDOM_GRAPHS = 4000, LARGE = 200000, GRID = 447 };

static unsigned next_random(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(*state >> 33);
}

/* A small graph as a matrix of capacities. Node 0 is the source, the last one the sink. */
typedef struct {
  unsigned nodes;
  uint64_t capacity[MOST_NODES][MOST_NODES];
} Matrix;

static uint64_t random_capacity(uint64_t *state) {
  unsigned choice = next_random(state) % 16;
  if (choice < 8)
    return 0;
  return choice == 8 ? NB_CUT_INFINITE : choice - 8;
}

static Matrix random_matrix(uint64_t *state) {
  Matrix matrix = {.nodes = 2 + next_random(state) % (MOST_NODES - 1)};
  for (unsigned from = 0; from < matrix.nodes; from++)
    for (unsigned to = 0; to < matrix.nodes; to++)
      matrix.capacity[from][to] = random_capacity(state);
  return matrix;
}

/* The value of the cut whose source side is the set of bits, at most NB_CUT_INFINITE. */
static uint64_t value_of_cut(const Matrix *matrix, unsigned source_side) {
  uint64_t value = 0;
  for (unsigned from = 0; from < matrix->nodes; from++)
    for (unsigned to = 0; to < matrix->nodes; to++)
      if ((source_side >> from & 1) && !(source_side >> to & 1) && value < NB_CUT_INFINITE)
        value += matrix->capacity[from][to];
  return value < NB_CUT_INFINITE ? value : NB_CUT_INFINITE;
}

/* The least value of all cuts, and the union of the source sides that have it. */
static uint64_t least_cut(const Matrix *matrix, unsigned *source_side) {
  unsigned sink = 1u << (matrix->nodes - 1);
  uint64_t least = UINT64_MAX;
  for (unsigned side = 1; side < sink; side += 2) {
    uint64_t value = value_of_cut(matrix, side);
    if (value < least)
      *source_side = 0;
    if (value <= least) {
      least = value;
      *source_side |= side;
    }
  }
  return least;
}

/* Adds every edge in two halves, so that parallel edges are tried too. */
static uint64_t solve_matrix(const Matrix *matrix, bool *in_source) {
  NbArena *arena = nb_arena_new();
  NbCut *cut = nb_cut_new(arena, matrix->nodes);
  for (unsigned from = 0; from < matrix->nodes; from++)
    for (unsigned to = 0; to < matrix->nodes; to++) {
      nb_cut_edge(cut, from, to, matrix->capacity[from][to] / 2);
      nb_cut_edge(cut, from, to, matrix->capacity[from][to] - matrix->capacity[from][to] / 2);
    }
  uint64_t value = nb_cut_solve(cut, 0, matrix->nodes - 1, in_source);
  nb_arena_free(arena);
  return value;
}

static void check_against_brute_force(const Matrix *matrix) {
  unsigned source_side = 0;
  uint64_t least = least_cut(matrix, &source_side);
  bool in_source[MOST_NODES];
  uint64_t value = solve_matrix(matrix, in_source);
  if (least >= NB_CUT_INFINITE) {
    assert_true(value >= NB_CUT_INFINITE);
    return;
  }
  assert_true(value == least);
  for (unsigned node = 0; node < matrix->nodes; node++)
    assert_int_equal(in_source[node], source_side >> node & 1);
}

static void random_graphs_agree_with_brute_force(void **state) {
  (void)state;
  uint64_t random = 1;
  for (unsigned i = 0; i < RANDOM_GRAPHS; i++) {
    Matrix matrix = random_matrix(&random);
    check_against_brute_force(&matrix);
  }
}

static void without_edges_only_the_sink_is_cut_off(void **state) {
  (void)state;
  Matrix matrix = {.nodes = 4};
  bool in_source[MOST_NODES];
  assert_true(solve_matrix(&matrix, in_source) == 0);
  assert_true(in_source[0] && in_source[1] && in_source[2] && !in_source[3]);
}

static void of_equal_cuts_the_nearest_to_the_sink_is_taken(void **state) {
  (void)state;
  Matrix matrix = {.nodes = 4};
  matrix.capacity[0][1] = matrix.capacity[1][2] = matrix.capacity[2][3] = 5;
  bool in_source[MOST_NODES];
  assert_true(solve_matrix(&matrix, in_source) == 5);
  assert_true(in_source[0] && in_source[1] && in_source[2] && !in_source[3]);
}

static void capacities_beyond_infinity_do_not_wrap(void **state) {
  (void)state;
  NbArena *arena = nb_arena_new();
  NbCut *cut = nb_cut_new(arena, 2);
  bool in_source[2];
  for (unsigned i = 0; i < 9; i++)
    nb_cut_edge(cut, 0, 1, UINT64_MAX - i);
  assert_true(nb_cut_solve(cut, 0, 1, in_source) >= NB_CUT_INFINITE);
  nb_arena_free(arena);
}

static void a_long_chain_is_cut_at_its_narrowest_edge(void **state) {
  (void)state;
  NbArena *arena = nb_arena_new();
  NbCut *cut = nb_cut_new(arena, LARGE);
  bool *in_source = NB_NEW_ARRAY(arena, bool, LARGE);
  for (unsigned node = 0; node + 1 < LARGE; node++)
    nb_cut_edge(cut, node, node + 1, node == LARGE / 3 ? 2 : 3 + node % 5);
  assert_true(nb_cut_solve(cut, 0, LARGE - 1, in_source) == 2);
  for (unsigned node = 0; node < LARGE; node++)
    assert_int_equal(in_source[node], node <= LARGE / 3);
  nb_arena_free(arena);
}

/* A grid that flows to the right, with one thin column; rows are connected up and down. */
static NbCut *new_grid(NbArena *arena, unsigned thin_column) {
  NbCut *cut = nb_cut_new(arena, GRID * GRID + 2);
  uint64_t random = 7;
  for (unsigned row = 0; row < GRID; row++) {
    nb_cut_edge(cut, GRID * GRID, row * GRID, NB_CUT_INFINITE);
    nb_cut_edge(cut, row * GRID + GRID - 1, GRID * GRID + 1, NB_CUT_INFINITE);
    for (unsigned column = 0; column + 1 < GRID; column++) {
      unsigned node = row * GRID + column;
      nb_cut_edge(cut, node, node + 1, column == thin_column ? 1 : 2 + next_random(&random) % 9);
      nb_cut_edge(cut, node, (node + GRID) % (GRID * GRID), next_random(&random) % 9);
    }
  }
  return cut;
}

static void a_large_grid_is_cut_at_its_thin_column(void **state) {
  (void)state;
  enum { THIN = GRID / 2 };
  NbArena *arena = nb_arena_new();
  NbCut *cut = new_grid(arena, THIN);
  bool *in_source = NB_NEW_ARRAY(arena, bool, GRID *GRID + 2);
  assert_true(nb_cut_solve(cut, GRID * GRID, GRID * GRID + 1, in_source) == GRID);
  for (unsigned node = 0; node < GRID * GRID; node++)
    assert_int_equal(in_source[node], node % GRID <= THIN);
  nb_arena_free(arena);
}

/* A straight line of values, as the planner sees it: value v is the nodes 2v (in) and 2v + 1 (out).
 * Storing costs `store`, recomputing costs 1, and the last value is demanded. */
static void check_long_computation(uint64_t store) {
  enum { VALUES = LARGE / 2, SOURCE = LARGE, SINK };
  NbArena *arena = nb_arena_new();
  NbCut *cut = nb_cut_new(arena, LARGE + 2);
  bool *in_source = NB_NEW_ARRAY(arena, bool, LARGE + 2);
  for (unsigned value = 0; value < VALUES; value++) {
    nb_cut_edge(cut, SOURCE, 2 * value, 1);
    nb_cut_edge(cut, 2 * value, 2 * value + 1, store);
    if (value)
      nb_cut_edge(cut, 2 * value - 1, 2 * value, NB_CUT_INFINITE);
  }
  nb_cut_edge(cut, 2 * VALUES - 1, SINK, NB_CUT_INFINITE);
  bool stored = store < VALUES;
  assert_true(nb_cut_solve(cut, SOURCE, SINK, in_source) == (stored ? store : VALUES));
  assert_int_equal(in_source[0], stored);
  assert_int_equal(in_source[2 * VALUES - 2], stored);
  assert_false(in_source[2 * VALUES - 1]);
  nb_arena_free(arena);
}

static void a_long_computation_is_stored_at_its_end(void **state) {
  (void)state;
  check_long_computation(8);
}

static void a_long_computation_is_recomputed_where_storing_costs_more(void **state) {
  (void)state;
  check_long_computation(1000000000);
}

static void an_infinite_path_is_reported(void **state) {
  (void)state;
  NbArena *arena = nb_arena_new();
  NbCut *cut = nb_cut_new(arena, LARGE);
  bool *in_source = NB_NEW_ARRAY(arena, bool, LARGE);
  for (unsigned node = 0; node + 1 < LARGE; node++)
    nb_cut_edge(cut, node, node + 1, NB_CUT_INFINITE);
  assert_true(nb_cut_solve(cut, 0, LARGE - 1, in_source) >= NB_CUT_INFINITE);
  nb_arena_free(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_graphs_agree_with_brute_force),
      cmocka_unit_test(without_edges_only_the_sink_is_cut_off),
      cmocka_unit_test(of_equal_cuts_the_nearest_to_the_sink_is_taken),
      cmocka_unit_test(capacities_beyond_infinity_do_not_wrap),
      cmocka_unit_test(a_long_chain_is_cut_at_its_narrowest_edge),
      cmocka_unit_test(a_large_grid_is_cut_at_its_thin_column),
      cmocka_unit_test(a_long_computation_is_stored_at_its_end),
      cmocka_unit_test(a_long_computation_is_recomputed_where_storing_costs_more),
      cmocka_unit_test(an_infinite_path_is_reported),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
