// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "input.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void input_fail(const char *name, const char *problem) {
  fprintf(stderr, "%s: %s\n", name, problem);
  exit(2);
}

double *doubles_new(long count) {
  double *doubles = calloc(count > 0 ? (size_t)count : 1, sizeof(double));
  if (!doubles)
    input_fail("examples", "out of memory");
  return doubles;
}

static void read_numbers(Input *input, FILE *file) {
  long room = 0;
  double number;
  while (fscanf(file, "%lf", &number) == 1) {
    if (input->count == room) {
      room = 2 * room + 1024;
      input->numbers = realloc(input->numbers, sizeof(double) * (size_t)room);
      if (!input->numbers)
        input_fail(input->name, "out of memory");
    }
    input->numbers[input->count++] = number;
  }
  if (!feof(file))
    input_fail(input->name, "holds something that is not a number");
}

static void set_size(Input *input, int which, double size) {
  if (!(size >= 1 && size <= INT_MAX))
    input_fail(input->name, "the three sizes must be whole numbers of at least 1");
  input->sizes[which] = (int)size;
}

static void take_sizes(Input *input) {
  if (input->count < 3)
    input_fail(input->name, "does not begin with three sizes");
  for (int i = 0; i < 3; i++)
    set_size(input, i, input->numbers[i]);
  input->count -= 3;
  memmove(input->numbers, input->numbers + 3, sizeof(double) * (size_t)input->count);
}

Input input_open(const char *kind, int argc, char **argv) {
  Input input = {0};
  if (argc == 4) {
    snprintf(input.name, sizeof(input.name), "%s %s %s %s", kind, argv[1], argv[2], argv[3]);
    for (int i = 0; i < 3; i++)
      set_size(&input, i, atof(argv[i + 1]));
    return input;
  }
  if (argc != 2)
    input_fail(kind, "usage: FILE, or three sizes");
  const char *slash = strrchr(argv[1], '/');
  snprintf(input.name, sizeof(input.name), "%s", slash ? slash + 1 : argv[1]);
  FILE *file = fopen(argv[1], "r");
  if (!file)
    input_fail(argv[1], "cannot be opened");
  read_numbers(&input, file);
  fclose(file);
  take_sizes(&input);
  return input;
}

void input_close(Input *input) { free(input->numbers); }

void input_take(const Input *input, long *next, double *out, long count, long stride) {
  long held = stride > 0 ? stride : count;
  if (*next + held > input->count)
    input_fail(input->name, "ends too early");
  for (long i = 0; i < count; i++)
    out[i] = input->numbers[*next + i % held];
  *next += held;
}
