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

int *ints_new(long count) {
  int *ints = calloc(count > 0 ? (size_t)count : 1, sizeof(int));
  if (!ints)
    input_fail("examples", "out of memory");
  return ints;
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
    input_fail(input->name, "sizes must be whole numbers of at least 1");
  input->sizes[which] = (int)size;
}

static void take_sizes(Input *input, int sizes) {
  if (input->count < sizes)
    input_fail(input->name, "does not begin with its sizes");
  for (int i = 0; i < sizes; i++)
    set_size(input, i, input->numbers[i]);
  input->count -= sizes;
  memmove(input->numbers, input->numbers + sizes, sizeof(double) * (size_t)input->count);
}

static Input sized_by(const char *kind, int sizes, char **words) {
  Input input = {0};
  int length = snprintf(input.name, sizeof(input.name), "%s", kind);
  for (int i = 0; i < sizes; i++) {
    size_t room = sizeof(input.name) - (size_t)length;
    int added = snprintf(input.name + length, room, " %s", words[i]);
    if (added < 0 || (size_t)added >= room)
      input_fail(kind, "a size is too long");
    length += added;
    set_size(&input, i, atof(words[i]));
  }
  return input;
}

Input input_open(const char *kind, int sizes, int argc, char **argv) {
  if (argc == sizes + 1)
    return sized_by(kind, sizes, argv + 1);
  if (argc != 2)
    input_fail(kind, "usage: FILE, or the sizes of a problem");
  Input input = {.path = argv[1]};
  const char *slash = strrchr(argv[1], '/');
  snprintf(input.name, sizeof(input.name), "%s", slash ? slash + 1 : argv[1]);
  FILE *file = fopen(argv[1], "r");
  if (!file)
    input_fail(argv[1], "cannot be opened");
  read_numbers(&input, file);
  fclose(file);
  take_sizes(&input, sizes);
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
