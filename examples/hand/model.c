// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The model of a hand: read from a folder, or made. */
#include "hand.h"

#include "../common/input.h"
#include "../common/random.h"

#include <stdio.h>
#include <stdlib.h>

enum { BONES = 22, VERTICES = 544, MOST_WEIGHTS = 8 };

typedef struct {
  FILE *file;
  char path[4096];
} Source;

static Source source_open(const char *folder, const char *name) {
  Source source;
  int needed = snprintf(source.path, sizeof(source.path), "%s/%s", folder, name);
  if (needed < 0 || (size_t)needed >= sizeof(source.path))
    input_fail(folder, "has too long a name");
  source.file = fopen(source.path, "r");
  if (!source.file)
    input_fail(source.path, "cannot be opened");
  return source;
}

static int source_lines(Source *source) {
  int lines = 0;
  for (int c = getc(source->file); c != EOF; c = getc(source->file))
    lines += c == '\n';
  rewind(source->file);
  return lines;
}

/* The next number; colons stand between numbers. */
static double next_number(Source *source) {
  double number;
  if (fscanf(source->file, "%*[:]") == EOF || fscanf(source->file, "%lf", &number) != 1)
    input_fail(source->path, "ends too early, or holds something that is not a number");
  return number;
}

static int next_index(Source *source, int low, int bound) {
  double number = next_number(source);
  if (!(number >= low && number < bound))
    input_fail(source->path, "holds an index that is out of range");
  return (int)number;
}

/* The upper three rows of a matrix of four. */
static void next_motion(Source *source, double *motion) {
  for (int i = 0; i < MOTION; i++)
    motion[i] = next_number(source);
  for (int column = 0; column < 4; column++)
    if (next_number(source) != (column == 3))
      input_fail(source->path, "holds a matrix that is no motion");
}

static HandModel sized(int bones, int vertices) {
  HandModel model = {.bones = bones, .vertex_count = vertices};
  model.parents = ints_new(bones);
  model.relatives = doubles_new((long)MOTION * bones);
  model.inverses = doubles_new((long)MOTION * bones);
  model.vertices = doubles_new(3L * vertices);
  model.first = ints_new(vertices + 1L);
  model.weight_bones = ints_new((long)MOST_WEIGHTS * vertices);
  model.weights = doubles_new((long)MOST_WEIGHTS * vertices);
  return model;
}

/* A line: name, parent, two matrices. */
static void read_bones(HandModel *model, Source *source) {
  for (int i = 0; i < model->bones; i++) {
    if (fscanf(source->file, " %*[^:]") == EOF)
      input_fail(source->path, "ends too early");
    model->parents[i] = next_index(source, -1, i);
    next_motion(source, model->relatives + MOTION * i);
    next_motion(source, model->inverses + MOTION * i);
  }
}

/* A line: place, five numbers for drawing, how many bones it follows, and which by what weight. */
static void read_vertices(HandModel *model, Source *source) {
  for (int v = 0; v < model->vertex_count; v++) {
    for (int i = 0; i < 3; i++)
      model->vertices[3 * v + i] = next_number(source);
    for (int i = 0; i < 5; i++)
      next_number(source);
    int begin = model->first[v];
    int end = begin + next_index(source, 0, MOST_WEIGHTS + 1);
    for (int i = begin; i < end; i++) {
      model->weight_bones[i] = next_index(source, 0, model->bones);
      model->weights[i] = next_number(source);
    }
    model->first[v + 1] = end;
  }
}

HandModel hand_model_read(const char *folder) {
  Source bones = source_open(folder, "bones.txt");
  Source vertices = source_open(folder, "vertices.txt");
  HandModel model = sized(source_lines(&bones), source_lines(&vertices));
  read_bones(&model, &bones);
  read_vertices(&model, &vertices);
  fclose(bones.file);
  fclose(vertices.file);
  return model;
}

/* A motion without a rotation. */
static void make_motion(Random *random, double *motion) {
  for (int row = 0; row < 3; row++) {
    motion[5 * row] = 1;
    motion[4 * row + 3] = random_between(random, -0.1, 0.1);
  }
}

/* The wrist, five fingers of four bones each, and the forearm. */
HandModel hand_model_make(void) {
  Random random = random_start(2);
  HandModel model = sized(BONES, VERTICES);
  for (int i = 0; i < BONES; i++) {
    int begins = i % 4 == 1;
    model.parents[i] = begins ? 0 : i - 1;
    make_motion(&random, model.relatives + MOTION * i);
    make_motion(&random, model.inverses + MOTION * i);
  }
  for (int i = 0; i < 3 * VERTICES; i++)
    model.vertices[i] = random_between(&random, -0.1, 0.1);
  for (int v = 0; v < VERTICES; v++) {
    model.first[v + 1] = model.first[v] + 1 + random_below(&random, 4);
    for (int i = model.first[v]; i < model.first[v + 1]; i++) {
      model.weight_bones[i] = random_below(&random, BONES);
      model.weights[i] = random_between(&random, 0, 1);
    }
  }
  return model;
}

void hand_model_free(HandModel *model) {
  free(model->parents);
  free(model->relatives);
  free(model->inverses);
  free(model->vertices);
  free(model->first);
  free(model->weight_bones);
  free(model->weights);
}
