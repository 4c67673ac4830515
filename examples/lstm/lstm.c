// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lstm.h"

#include "../common/input.h"
#include "../common/random.h"

#include <stdlib.h>

static int state_size(const Lstm *lstm) { return 2 * lstm->layers * lstm->width; }

static Lstm sized(const Input *input) {
  const int *sizes = input->sizes;
  Lstm lstm = {.layers = sizes[0], .steps = sizes[1], .width = sizes[2]};
  if (lstm.steps < 2)
    input_fail(input->name, "needs two vectors at least");
  lstm.edges_at = 8 * lstm.layers * lstm.width;
  lstm.size = lstm.edges_at + 3 * lstm.width;
  lstm.parameters = doubles_new(lstm.size);
  lstm.start = doubles_new(state_size(&lstm));
  lstm.sequence = doubles_new((long)lstm.steps * lstm.width);
  return lstm;
}

static void fill_from_file(Lstm *lstm, const Input *input) {
  long next = 0;
  input_take(input, &next, lstm->parameters, lstm->size, 0);
  input_take(input, &next, lstm->start, state_size(lstm), 0);
  input_take(input, &next, lstm->sequence, (long)lstm->steps * lstm->width, 0);
  if (next != input->count)
    input_fail(input->name, "holds more numbers than its sizes ask for");
}

static void fill_from_seed(Lstm *lstm) {
  Random random = random_start(1);
  for (int i = 0; i < lstm->size; i++)
    lstm->parameters[i] = random_between(&random, 0, 1);
  for (int i = 0; i < state_size(lstm); i++)
    lstm->start[i] = random_between(&random, 0, 1);
  for (long i = 0; i < (long)lstm->steps * lstm->width; i++)
    lstm->sequence[i] = random_below(&random, 2);
}

Lstm lstm_new(const Input *input) {
  Lstm lstm = sized(input);
  if (input->numbers)
    fill_from_file(&lstm, input);
  else
    fill_from_seed(&lstm);
  return lstm;
}

void lstm_free(Lstm *lstm) {
  free(lstm->parameters);
  free(lstm->start);
  free(lstm->sequence);
}
