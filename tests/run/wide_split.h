// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* With NB_SPLIT and NB_WIDTH every case is differentiated in three directions at once by two calls,
 * with one tape between them (width.h, split.h, replay.h). */
#ifndef NB_RUN_WIDE_SPLIT_H
#define NB_RUN_WIDE_SPLIT_H

extern TapeAndPrimal __enzyme_augmentfwd_lanes(void *, ...);
extern Lanes __enzyme_reverse_lanes1(void *, ...);
extern LanesOf2 __enzyme_reverse_lanes2(void *, ...);
extern LanesOf3 __enzyme_reverse_lanes3(void *, ...);

#define NB_SEEDS NB_THREE((real)1)
#define NB_SEEDS_THAT_DO_NOT_COUNT (real)3, (real)0, (real)7

#define NB_REVERSE_SCALAR1(name, n, s, b)                                                          \
  void *tape = __enzyme_augmentfwd_lanes((void *)name, enzyme_width, 3, s[0]).tape;                \
  __enzyme_reverse_lanes1((void *)name, enzyme_width, 3, enzyme_nofree, s[0],                      \
                          NB_SEEDS_THAT_DO_NOT_COUNT, tape);                                       \
  b[0] += nb_tangent_of_lanes(                                                                     \
      __enzyme_reverse_lanes1((void *)name, enzyme_width, 3, s[0], NB_SEEDS, tape));               \
  b[n] = 0

#define NB_REVERSE_SCALAR2(name, n, s, b)                                                          \
  void *tape = __enzyme_augmentfwd_lanes((void *)name, enzyme_width, 3, s[0], s[1]).tape;          \
  __enzyme_reverse_lanes2((void *)name, enzyme_width, 3, enzyme_nofree, s[0], s[1],                \
                          NB_SEEDS_THAT_DO_NOT_COUNT, tape);                                       \
  LanesOf2 a = __enzyme_reverse_lanes2((void *)name, enzyme_width, 3, s[0], s[1], NB_SEEDS, tape); \
  b[0] += nb_tangent_of_lanes(a.x);                                                                \
  b[1] += nb_tangent_of_lanes(a.y);                                                                \
  b[n] = 0

#define NB_REVERSE_SCALAR3(name, n, s, b)                                                          \
  void *tape = __enzyme_augmentfwd_lanes((void *)name, enzyme_width, 3, s[0], s[1], s[2]).tape;    \
  __enzyme_reverse_lanes3((void *)name, enzyme_width, 3, enzyme_nofree, s[0], s[1], s[2],          \
                          NB_SEEDS_THAT_DO_NOT_COUNT, tape);                                       \
  LanesOf3 a =                                                                                     \
      __enzyme_reverse_lanes3((void *)name, enzyme_width, 3, s[0], s[1], s[2], NB_SEEDS, tape);    \
  b[0] += nb_tangent_of_lanes(a.x);                                                                \
  b[1] += nb_tangent_of_lanes(a.y);                                                                \
  b[2] += nb_tangent_of_lanes(a.z);                                                                \
  b[n] = 0

/* `size` numbers of state; `seed`: of a result, on a line; `...`: the arguments. */
#define NB_WIDE_SPLIT(name, size, s, b, seed, ...)                                                 \
  NbOthers o, kept;                                                                                \
  NbAside aside;                                                                                   \
  nb_others_start(&o, size, b, 3);                                                                 \
  kept = o;                                                                                        \
  void *tape = __enzyme_augmentfwd_memory((void *)name, enzyme_width, 3, __VA_ARGS__);             \
  nb_put_aside(&aside, size, s, b);                                                                \
  __enzyme_reverse_memory((void *)name, enzyme_width, 3, enzyme_nofree, __VA_ARGS__ seed, tape);   \
  nb_put_back(aside.adjoints, size, b);                                                            \
  o = kept;                                                                                        \
  __enzyme_reverse_memory((void *)name, enzyme_width, 3, __VA_ARGS__ seed, tape);                  \
  nb_expect_adjoints(&o, size, b);                                                                 \
  nb_put_back(aside.state, size, s)

#define NB_SEEDS_ON_A_LINE , (real)1, (real)2, (real)3
#define NB_REVERSE_SUM(name, n, s, b)                                                              \
  b[n] = 0;                                                                                        \
  NB_WIDE_SPLIT(name, n, s, b, NB_SEEDS_ON_A_LINE, n, s, b, o.second, o.third)
#define NB_REVERSE_TWIN(name, n, s, b)                                                             \
  b[n] = 0;                                                                                        \
  NB_WIDE_SPLIT(name, n, s, b, NB_SEEDS_ON_A_LINE, n, s, b, o.second, o.third, s, b, o.second,     \
                o.third)
#define NB_REVERSE_MAP(name, n, s, d, outputs, ...)                                                \
  NB_WIDE_SPLIT(name, n + outputs, s, d, , enzyme_const, n, __VA_ARGS__, enzyme_dup, s + n, d + n, \
                o.second + n, o.third + n)

#ifdef NB_REPLAY

/* `size` numbers of state; `...`: the arguments. */
#define NB_WIDE_REPLAY(name, size, s, d, ...)                                                      \
  NbOthers o, kept;                                                                                \
  NbReplayed aside;                                                                                \
  nb_others_start(&o, size, d, -1);                                                                \
  kept = o;                                                                                        \
  void *tape = __enzyme_augmentfwd_replay((void *)name##_again, enzyme_width, 3, __VA_ARGS__);     \
  nb_replay_put_aside(&aside, size, s, d);                                                         \
  __enzyme_fwdsplit_void((void *)name##_again, enzyme_width, 3, enzyme_nofree, __VA_ARGS__, tape); \
  nb_replay_put_back(aside.tangents, size, d);                                                     \
  o = kept;                                                                                        \
  __enzyme_fwdsplit_void((void *)name##_again, enzyme_width, 3, __VA_ARGS__, tape);                \
  nb_expect_tangents(&o, size, d);                                                                 \
  nb_replay_put_back(aside.state, size, s)

/* `numbers`: in parentheses; `...`: the same with their tangents. */
#define NB_WIDE_REPLAY_NUMBERS(name, n, d, numbers, ...)                                           \
  real r, second, third;                                                                           \
  void *tape = __enzyme_augmentfwd_replay((void *)name##_again, enzyme_width, 3,                   \
                                          NB_UNPACK numbers, &r, &d[n], &second, &third);          \
  __enzyme_fwdsplit_void((void *)name##_again, enzyme_width, 3, __VA_ARGS__, &r, &d[n], &second,   \
                         &third, tape);                                                            \
  nb_tangent_of_lanes((Lanes){d[n], second, third})
#define NB_UNPACK(...) __VA_ARGS__
#define NB_WITH_TANGENTS(s, d) s, NB_THREE(d)

#define NB_FORWARD_SCALAR1(name, n, s, d)                                                          \
  NB_WIDE_REPLAY_NUMBERS(name, n, d, (s[0]), NB_WITH_TANGENTS(s[0], d[0]))
#define NB_FORWARD_SCALAR2(name, n, s, d)                                                          \
  NB_WIDE_REPLAY_NUMBERS(name, n, d, (s[0], s[1]), NB_WITH_TANGENTS(s[0], d[0]),                   \
                         NB_WITH_TANGENTS(s[1], d[1]))
#define NB_FORWARD_SCALAR3(name, n, s, d)                                                          \
  NB_WIDE_REPLAY_NUMBERS(name, n, d, (s[0], s[1], s[2]), NB_WITH_TANGENTS(s[0], d[0]),             \
                         NB_WITH_TANGENTS(s[1], d[1]), NB_WITH_TANGENTS(s[2], d[2]))

#define NB_FORWARD_SUM(name, n, s, d)                                                              \
  real r, second, third;                                                                           \
  NB_WIDE_REPLAY(name, n, s, d, n, s, d, o.second, o.third, &r, &d[n], &second, &third);           \
  nb_tangent_of_lanes((Lanes){d[n], second, third})
#define NB_FORWARD_TWIN(name, n, s, d)                                                             \
  real r, second, third;                                                                           \
  NB_WIDE_REPLAY(name, n, s, d, n, s, d, o.second, o.third, s, d, o.second, o.third, &r, &d[n],    \
                 &second, &third);                                                                 \
  nb_tangent_of_lanes((Lanes){d[n], second, third})
#define NB_FORWARD_MAP(name, n, s, d, outputs, ...)                                                \
  NB_WIDE_REPLAY(name, n + outputs, s, d, enzyme_const, n, __VA_ARGS__, enzyme_dup, s + n, d + n,  \
                 o.second + n, o.third + n)

#endif

#endif
