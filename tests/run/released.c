// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Functions that free, resize and hand out memory of their caller's. Forward mode does the same to
 * the shadow. In reverse mode the caller keeps the shadows that it made; those of what the function
 * allocates are the caller's where it finds them afterwards, and gone where the function freed it.
 * The gradients are compared with those of functions that allocate all that they work on. */
// reals: double
// differences: none
#include "cases.h"

enum { START = 3 };

extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);
extern void *__enzyme_augmentfwd(void *, ...);
extern void __enzyme_reverse(void *, ...);
extern int enzyme_nofree, enzyme_width;
extern long nb_live_blocks;

static const double start[START + 1] = {1.1, 0.7, -0.4, 1.3};

typedef struct Vector {
  double *values;
  int count, room;
} Vector;

static Vector vector_of(const double *x) {
  Vector v = {malloc(START * sizeof *v.values), START, START};
  for (int i = 0; i < START; i++)
    v.values[i] = x ? x[i] : 0;
  return v;
}

/* --- Freed ----------------------------------------------------------------------------------- */

static NOINLINE double consume(double *x) {
  double r = 1;
  for (int i = 0; i < START; i++)
    r *= x[i] + i;
  x[0] = r * x[1];
  r += x[0] * x[2];
  free(x);
  return r;
}

static double consume_own(const double *x) { return consume(vector_of(x).values); }

CHECK(argument_freed) {
  long before = nb_live_blocks;
  double gradient[START] = {0};
  __enzyme_autodiff((void *)consume_own, start, gradient);
  Vector v = vector_of(start), d = vector_of(NULL);
  __enzyme_autodiff((void *)consume, v.values, d.values);
  for (int i = 0; i < START; i++) {
    Vector x = vector_of(start), tangent = vector_of(NULL);
    tangent.values[i] = 1;
    EXPECT(d.values[i], gradient[i]);
    EXPECT(__enzyme_fwddiff((void *)consume, x.values, tangent.values), gradient[i]);
  }
  free(d.values);
  EXPECT(nb_live_blocks, before);
}

CHECK(argument_freed_in_split_mode) {
  long before = nb_live_blocks;
  double gradient[START] = {0};
  __enzyme_autodiff((void *)consume_own, start, gradient);
  Vector v = vector_of(start), d = vector_of(NULL);
  void *tape = __enzyme_augmentfwd((void *)consume, v.values, d.values);
  __enzyme_reverse((void *)consume, enzyme_nofree, v.values, d.values, 2.0, tape);
  memset(d.values, 0, START * sizeof *d.values);
  __enzyme_reverse((void *)consume, v.values, d.values, 1.0, tape);
  for (int i = 0; i < START; i++)
    EXPECT(d.values[i], gradient[i]);
  free(d.values);
  EXPECT(nb_live_blocks, before);
}

typedef struct Branch {
  double value;
  struct Branch *left, *right;
} Branch;

static NOINLINE double fell(Branch *at) {
  if (!at)
    return 0.5;
  double left = fell(at->left), right = fell(at->right);
  at->value *= left + right;
  double r = at->value + left * right;
  free(at);
  return r;
}

static Branch *branch(double value, Branch *left, Branch *right) {
  Branch *made = malloc(sizeof *made);
  *made = (Branch){value, left, right};
  return made;
}

CHECK(tree_freed_by_recursion) {
  long before = nb_live_blocks;
  Branch *left = branch(0, NULL, NULL), *right = branch(0, NULL, NULL);
  Branch *shadow = branch(0, left, right);
  double a = start[0], b = start[1], c = start[2];
  Branch *tree = branch(a, branch(b, NULL, NULL), branch(c, NULL, NULL));
  __enzyme_autodiff((void *)fell, tree, shadow);
  EXPECT(shadow->value, b + c + 0.5);
  EXPECT(left->value, a + c + 0.25);
  EXPECT(right->value, a + b + 0.25);
  tree = branch(a, branch(b, NULL, NULL), branch(c, NULL, NULL));
  *left = *right = (Branch){0};
  *shadow = (Branch){1, left, right};
  EXPECT(__enzyme_fwddiff((void *)fell, tree, shadow), b + c + 0.5);
  EXPECT(nb_live_blocks, before);
}

/* --- Resized --------------------------------------------------------------------------------- */

static NOINLINE void append(Vector *v, double value) {
  if (v->count == v->room) {
    v->room *= 2;
    v->values = realloc(v->values, (size_t)v->room * sizeof *v->values);
  }
  v->values[v->count++] = value;
}

static NOINLINE double extend(Vector *v, double scale) {
  for (int i = 0; i < 4 * START; i++)
    append(v, v->values[i % v->count] * scale);
  v->values[1] *= v->values[0];
  double r = 0;
  for (int i = 0; i < v->count; i++)
    r += v->values[i] * v->values[v->count - 1 - i];
  return r;
}

static double extend_own(const double *x) {
  Vector v = vector_of(x);
  double r = extend(&v, x[START]);
  free(v.values);
  return r;
}

CHECK(argument_resized) {
  long before = nb_live_blocks;
  double gradient[START + 1] = {0};
  __enzyme_autodiff((void *)extend_own, start, gradient);
  for (int i = 0; i <= START; i++) {
    Vector x = vector_of(start), tangent = vector_of(NULL);
    if (i < START)
      tangent.values[i] = 1;
    EXPECT(__enzyme_fwddiff((void *)extend, &x, &tangent, start[START], i == START ? 1.0 : 0.0),
           gradient[i]);
    free(x.values);
    free(tangent.values);
  }
  Vector v = vector_of(start), d = vector_of(NULL);
  double *shadow = d.values;
  EXPECT(__enzyme_autodiff((void *)extend, &v, &d, start[START]), gradient[START]);
  for (int i = 0; i < START; i++)
    EXPECT(shadow[i], gradient[i]);
  for (int i = 0; i < v.count; i++)
    EXPECT(d.values[i], 0);
  free(shadow);
  free(v.values);
  free(d.values);
  EXPECT(nb_live_blocks, before);
}

static double to_three(Vector *v) {
  double *x = realloc(v->values, 3 * sizeof *x);
  v->values = x;
  x[2] = x[0] * x[1];
  return x[2] * x[0];
}

/* Of what is longer, no more is moved than three numbers; of what is shorter, less. */
CHECK(argument_resized_to_so_many_bytes) {
  long before = nb_live_blocks;
  for (int n = 2; n < 20; n += 5) {
    Vector v = {calloc((size_t)n, sizeof(double)), n, n};
    Vector d = {calloc((size_t)n, sizeof(double)), n, n};
    double *shadow = d.values;
    v.values[0] = 3;
    v.values[1] = 5;
    __enzyme_autodiff((void *)to_three, &v, &d);
    EXPECT(shadow[0], 30);
    EXPECT(shadow[1], 9);
    for (int i = 2; i < n; i++)
      EXPECT(shadow[i], 0);
    free(shadow);
    free(v.values);
    free(d.values);
  }
  EXPECT(nb_live_blocks, before);
}

CHECK(argument_resized_in_two_directions) {
  long before = nb_live_blocks;
  double gradient[START + 1] = {0};
  __enzyme_autodiff((void *)extend_own, start, gradient);
  Vector v = vector_of(start), d = vector_of(NULL), other = vector_of(NULL);
  double *shadow = d.values, *second = other.values;
  __enzyme_autodiff((void *)extend, enzyme_width, 2, &v, &d, &other, enzyme_const, start[START]);
  for (int i = 0; i < START; i++) {
    EXPECT(shadow[i], gradient[i]);
    EXPECT(second[i], gradient[i]);
  }
  free(shadow);
  free(second);
  free(v.values);
  free(d.values);
  free(other.values);
  EXPECT(nb_live_blocks, before);
}

/* --- Replaced --------------------------------------------------------------------------------- */

/* Frees what may be the caller's, and leaves memory of its own in its place, as vectors grow. */
static NOINLINE void enlarge(Vector *v, double value) {
  double *more = malloc(((size_t)v->count + 1) * sizeof *more);
  for (int i = 0; i < v->count; i++)
    more[i] = v->values[i];
  more[v->count++] = value;
  free(v->values);
  v->values = more;
  v->room = v->count;
}

static double enlarge_twice(Vector *v, double scale) {
  enlarge(v, v->values[0] * scale);
  enlarge(v, v->values[1] * v->values[START]);
  double r = 0;
  for (int i = 0; i < v->count; i++)
    r += v->values[i] * v->values[v->count - 1 - i] * (i + 1);
  return r;
}

static double enlarge_own(const double *x) {
  Vector v = vector_of(x);
  double r = enlarge_twice(&v, x[START]);
  free(v.values);
  return r;
}

CHECK(argument_replaced_by_a_helper) {
  long before = nb_live_blocks;
  double gradient[START + 1] = {0};
  __enzyme_autodiff((void *)enlarge_own, start, gradient);
  Vector v = vector_of(start), d = vector_of(NULL);
  double *shadow = d.values;
  EXPECT(__enzyme_autodiff((void *)enlarge_twice, &v, &d, start[START]), gradient[START]);
  for (int i = 0; i < START; i++)
    EXPECT(shadow[i], gradient[i]);
  for (int i = 0; i < v.count; i++)
    EXPECT(d.values[i], 0);
  free(shadow);
  free(v.values);
  free(d.values);
  EXPECT(nb_live_blocks, before);
}

/* --- Handed out ------------------------------------------------------------------------------ */

static NOINLINE void cumulate(Vector *v, const double *x) {
  v->values = malloc(START * sizeof *v->values);
  v->count = v->room = START;
  v->values[0] = x[0];
  v->values[1] = v->values[0] * x[1];
  v->values[2] = v->values[1] * x[2] + x[0];
}

CHECK(result_seeded_between_the_sweeps) {
  long before = nb_live_blocks;
  double dx[START] = {0};
  Vector v = {0}, d = {0};
  void *tape = __enzyme_augmentfwd((void *)cumulate, &v, &d, start, dx);
  for (int i = 0; i < START; i++)
    EXPECT(d.values[i], 0);
  d.values[2] = 2;
  __enzyme_reverse((void *)cumulate, &v, &d, start, dx, tape);
  EXPECT(dx[0], 2 * (start[1] * start[2] + 1));
  EXPECT(dx[1], 2 * start[0] * start[2]);
  EXPECT(dx[2], 2 * start[0] * start[1]);
  EXPECT(d.values[2], 0);
  free(v.values);
  free(d.values);
  EXPECT(nb_live_blocks, before);
}

/* --- Allocated and freed in one structure ------------------------------------------------------
 */

typedef struct Node {
  double value;
  struct Node *next;
} Node;

typedef struct Stack {
  Node *top;
} Stack;

static Stack stack_of(const double *x, Node **nodes) {
  Stack s = {NULL};
  for (int i = START; i-- > 0;) {
    nodes[i] = malloc(sizeof(Node));
    *nodes[i] = (Node){x ? x[i] : 0, s.top};
    s.top = nodes[i];
  }
  return s;
}

static void drop(Stack *s) {
  while (s->top) {
    Node *node = s->top;
    s->top = node->next;
    free(node);
  }
}

/* Pushes and pops until nodes of its own and of the caller's are gone, and some are left. */
static NOINLINE double shuffle(Stack *s, double scale) {
  double r = 0;
  for (int i = 0; i < 6; i++) {
    if (i % 3 < 2) {
      Node *node = malloc(sizeof *node);
      *node = (Node){s->top ? s->top->value * scale : scale, s->top};
      s->top = node;
      continue;
    }
    for (int k = 0; k < 3 && s->top; k++) {
      Node *node = s->top;
      r += node->value * node->value * (i + k);
      s->top = node->next;
      free(node);
    }
  }
  Node *node = malloc(sizeof *node);
  *node = (Node){r * scale, s->top};
  s->top = node;
  return r + s->top->value * s->top->next->value;
}

static double shuffle_own(const double *x) {
  Node *nodes[START];
  Stack s = stack_of(x, nodes);
  double r = shuffle(&s, x[START]);
  drop(&s);
  return r;
}

static int is_among(const Node *node, Node *const *nodes) {
  for (int i = 0; i < START; i++)
    if (nodes[i] == node)
      return 1;
  return 0;
}

/* What the derivative made and left, the caller frees. */
static void drop_others(Stack *s, Node *const *nodes) {
  for (Node *node = s->top; node;) {
    Node *next = node->next;
    if (!is_among(node, nodes))
      free(node);
    node = next;
  }
}

CHECK(list_pushed_and_popped) {
  long before = nb_live_blocks;
  double gradient[START + 1] = {0};
  Node *nodes[START], *shadows[START];
  __enzyme_autodiff((void *)shuffle_own, start, gradient);
  for (int i = 0; i <= START; i++) {
    Stack x = stack_of(start, nodes), tangent = stack_of(NULL, shadows);
    if (i < START)
      shadows[i]->value = 1;
    EXPECT(__enzyme_fwddiff((void *)shuffle, &x, &tangent, start[START], i == START ? 1.0 : 0.0),
           gradient[i]);
    drop(&x);
    drop(&tangent);
  }
  Stack s = stack_of(start, nodes), d = stack_of(NULL, shadows);
  EXPECT(__enzyme_autodiff((void *)shuffle, &s, &d, start[START]), gradient[START]);
  for (int i = 0; i < START; i++)
    EXPECT(shadows[i]->value, gradient[i]);
  drop(&s);
  drop_others(&d, shadows);
  for (int i = 0; i < START; i++)
    free(shadows[i]);
  EXPECT(nb_live_blocks, before);
}
