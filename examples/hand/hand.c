// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "hand.h"

#include "../common/input.h"
#include "../common/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The model lies in a folder beside the file. */
static HandModel model_beside(const char *path) {
  char folder[4096];
  const char *slash = strrchr(path, '/');
  int length = slash ? (int)(slash - path) + 1 : 0;
  int needed = snprintf(folder, sizeof(folder), "%.*smodel", length, path);
  if (needed < 0 || (size_t)needed >= sizeof(folder))
    input_fail(path, "has too long a name");
  return hand_model_read(folder);
}

static void fill_from_file(Hand *hand, const Input *input) {
  long next = 0;
  for (int i = 0; i < hand->n; i++) {
    double vertex;
    input_take(input, &next, &vertex, 1, 0);
    if (!(vertex >= 0 && vertex < hand->model.vertex_count))
      input_fail(input->name, "names a vertex that the model does not have");
    hand->vertices[i] = (int)vertex;
    input_take(input, &next, hand->points + 3 * i, 3, 0);
  }
  input_take(input, &next, hand->pose, POSE, 0);
  if (next != input->count)
    input_fail(input->name, "holds more numbers than its sizes ask for");
}

static void fill_from_seed(Hand *hand) {
  Random random = random_start(1);
  for (int i = 0; i < hand->n; i++)
    hand->vertices[i] = random_below(&random, hand->model.vertex_count);
  for (int i = 0; i < hand->rows; i++)
    hand->points[i] = random_between(&random, 0, 1);
  for (int i = 0; i < POSE; i++)
    hand->pose[i] = random_between(&random, -1, 1);
}

Hand hand_new(const Input *input) {
  Hand hand = {.n = input->sizes[0], .rows = 3 * input->sizes[0]};
  if (input->sizes[1] != POSE)
    input_fail(input->name, "the second size must be 26, the number of a pose's parameters");
  hand.model = input->numbers ? model_beside(input->path) : hand_model_make();
  hand.vertices = ints_new(hand.n);
  hand.points = doubles_new(hand.rows);
  if (input->numbers)
    fill_from_file(&hand, input);
  else
    fill_from_seed(&hand);
  return hand;
}

void hand_free(Hand *hand) {
  hand_model_free(&hand->model);
  free(hand->vertices);
  free(hand->points);
}
