// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Finding the pose of a hand from n measured points of its skin. */
#ifndef EXAMPLES_HAND_H
#define EXAMPLES_HAND_H

#ifdef __cplusplus
extern "C" {
#endif

enum { MOTION = 12, POSE = 26 };

/* A hand at rest. Vertex v follows weight_bones[i] by weights[i], i from first[v] to first[v + 1].
 */
typedef struct {
  int bones, vertex_count;
  int *parents;      /* bones; below the bone itself; negative: none */
  double *relatives; /* bones * MOTION: where each bone is, seen from its parent */
  double *inverses;  /* bones * MOTION: the inverse of where it is, seen from outside */
  double *vertices;  /* vertex_count * 3 */
  int *first;        /* vertex_count + 1 */
  int *weight_bones;
  double *weights;
} HandModel;

typedef struct {
  HandModel model;
  int n;
  int rows;       /* three residuals a point */
  int *vertices;  /* n: which vertex was measured */
  double *points; /* n * 3 */
  double pose[POSE];
} Hand;

typedef struct Input Input;

/* The problem in a file, or one of the given sizes made from a fixed seed; owned by the caller. */
Hand hand_new(const Input *input);
void hand_free(Hand *hand);

/* Memory as of the two above: the model in a folder, and one of the same shape from a seed. */
HandModel hand_model_read(const char *folder);
HandModel hand_model_make(void);
void hand_model_free(HandModel *model);

/* Writes `rows` residuals. */
void hand_value(const Hand *hand, double *residuals);

/* Writes the Jacobian, POSE columns of `rows` numbers one after another, by forward mode. */
void hand_jacobian(const Hand *hand, double *jacobian);

/* Writes, for LANES directions one after another, the derivatives of all residuals. */
void hand_reference(const Hand *hand, const double *directions, double *derivatives);

#ifdef __cplusplus
}
#endif
#endif
