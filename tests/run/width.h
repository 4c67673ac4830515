// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* With NB_WIDTH every case is differentiated in three directions at once. The first is the one that
 * counts; forward mode's others are twice that and its opposite, and so must be what comes of them;
 * reverse mode's results must lie on a line as what it starts from does. */
#ifndef NB_RUN_WIDTH_H
#define NB_RUN_WIDTH_H

extern int enzyme_width;

enum { NB_WIDTH_LIMIT = 256 };

typedef struct {
  real first, second, third;
} Lanes;
typedef struct {
  Lanes x, y;
} LanesOf2;
typedef struct {
  Lanes x, y, z;
} LanesOf3;

extern Lanes __enzyme_fwddiff_lanes(void *, ...);
extern Lanes __enzyme_autodiff_lanes1(void *, ...);
extern LanesOf2 __enzyme_autodiff_lanes2(void *, ...);
extern LanesOf3 __enzyme_autodiff_lanes3(void *, ...);

/* The two other directions of a state. */
typedef struct {
  real second[NB_WIDTH_LIMIT], third[NB_WIDTH_LIMIT];
} NbOthers;

__attribute__((noinline, unused)) static void nb_others_start(NbOthers *others, int size,
                                                              const real *d, real third) {
  for (int i = 0; i < size; i++) {
    others->second[i] = 2 * d[i];
    others->third[i] = third * d[i];
  }
}

__attribute__((noinline, unused)) static real nb_tangent_of_lanes(Lanes t) {
  nb_expect(0, (double)t.second, 2 * (double)t.first);
  nb_expect(0, (double)t.third, -(double)t.first);
  return t.first;
}

__attribute__((noinline, unused)) static real nb_adjoint_of_lanes(Lanes a) {
  nb_expect(0, (double)a.second, (double)a.first);
  nb_expect(0, (double)a.third, (double)a.first);
  return a.first;
}

__attribute__((noinline, unused)) static void nb_expect_tangents(const NbOthers *others, int size,
                                                                 const real *d) {
  for (int i = 0; i < size; i++)
    nb_tangent_of_lanes((Lanes){d[i], others->second[i], others->third[i]});
}

__attribute__((noinline, unused)) static void nb_expect_adjoints(const NbOthers *others, int size,
                                                                 const real *d) {
  for (int i = 0; i < size; i++)
    nb_expect(0, (double)d[i] + (double)others->third[i], 2 * (double)others->second[i]);
}

#define NB_THREE(value) value, 2 * (value), -(value)

#ifndef NB_REPLAY
#define NB_FORWARD_SCALAR1(name, n, s, d)                                                          \
  d[n] = nb_tangent_of_lanes(                                                                      \
      __enzyme_fwddiff_lanes((void *)name, enzyme_width, 3, s[0], NB_THREE(d[0])))
#define NB_FORWARD_SCALAR2(name, n, s, d)                                                          \
  d[n] = nb_tangent_of_lanes(__enzyme_fwddiff_lanes((void *)name, enzyme_width, 3, enzyme_dup,     \
                                                    s[0], NB_THREE(d[0]), enzyme_dup, s[1],        \
                                                    NB_THREE(d[1])))
#define NB_FORWARD_SCALAR3(name, n, s, d)                                                          \
  d[n] = nb_tangent_of_lanes(__enzyme_fwddiff_lanes((void *)name, enzyme_width, 3, s[0],           \
                                                    NB_THREE(d[0]), s[1], NB_THREE(d[1]), s[2],    \
                                                    NB_THREE(d[2])))

/* `...`: the pointers behind the number of inputs, with their shadows. */
#define NB_FORWARD_RETURNING(name, n, d, ...)                                                      \
  NbOthers o;                                                                                      \
  nb_others_start(&o, n, d, -1);                                                                   \
  d[n] =                                                                                           \
      nb_tangent_of_lanes(__enzyme_fwddiff_lanes((void *)name, enzyme_width, 3, n, __VA_ARGS__));  \
  nb_expect_tangents(&o, n, d)
#define NB_FORWARD_SUM(name, n, s, d) NB_FORWARD_RETURNING(name, n, d, s, d, o.second, o.third)
#define NB_FORWARD_TWIN(name, n, s, d)                                                             \
  NB_FORWARD_RETURNING(name, n, d, s, d, o.second, o.third, s, d, o.second, o.third)
#define NB_FORWARD_MAP(name, n, s, d, outputs, ...)                                                \
  NbOthers o;                                                                                      \
  nb_others_start(&o, n + outputs, d, -1);                                                         \
  __enzyme_fwddiff_map((void *)name, enzyme_width, 3, enzyme_const, n, __VA_ARGS__, enzyme_dup,    \
                       s + n, d + n, o.second + n, o.third + n);                                   \
  nb_expect_tangents(&o, n + outputs, d)

#endif

#ifndef NB_SPLIT
#define NB_REVERSE_SCALAR1(name, n, s, b)                                                          \
  b[0] += nb_adjoint_of_lanes(__enzyme_autodiff_lanes1((void *)name, enzyme_width, 3, s[0]));      \
  b[n] = 0
#define NB_REVERSE_SCALAR2(name, n, s, b)                                                          \
  LanesOf2 a =                                                                                     \
      __enzyme_autodiff_lanes2((void *)name, enzyme_width, 3, enzyme_out, s[0], enzyme_out, s[1]); \
  b[0] += nb_adjoint_of_lanes(a.x);                                                                \
  b[1] += nb_adjoint_of_lanes(a.y);                                                                \
  b[n] = 0
#define NB_REVERSE_SCALAR3(name, n, s, b)                                                          \
  LanesOf3 a = __enzyme_autodiff_lanes3((void *)name, enzyme_width, 3, s[0], s[1], s[2]);          \
  b[0] += nb_adjoint_of_lanes(a.x);                                                                \
  b[1] += nb_adjoint_of_lanes(a.y);                                                                \
  b[2] += nb_adjoint_of_lanes(a.z);                                                                \
  b[n] = 0

#define NB_REVERSE_RETURNING(name, n, b, ...)                                                      \
  NbOthers o;                                                                                      \
  b[n] = 0;                                                                                        \
  nb_others_start(&o, n, b, 3);                                                                    \
  __enzyme_autodiff_sum((void *)name, enzyme_width, 3, n, __VA_ARGS__);                            \
  nb_expect_adjoints(&o, n, b)
#define NB_REVERSE_SUM(name, n, s, b) NB_REVERSE_RETURNING(name, n, b, s, b, o.second, o.third)
#define NB_REVERSE_TWIN(name, n, s, b)                                                             \
  NB_REVERSE_RETURNING(name, n, b, s, b, o.second, o.third, s, b, o.second, o.third)
#define NB_REVERSE_MAP(name, n, s, d, outputs, ...)                                                \
  NbOthers o;                                                                                      \
  nb_others_start(&o, n + outputs, d, 3);                                                          \
  __enzyme_autodiff_map((void *)name, enzyme_width, 3, enzyme_const, n, __VA_ARGS__, enzyme_dup,   \
                        s + n, d + n, o.second + n, o.third + n);                                  \
  nb_expect_adjoints(&o, n + outputs, d)
#endif

#define NB_DUP_X enzyme_dup, s, d, o.second, o.third

#endif
