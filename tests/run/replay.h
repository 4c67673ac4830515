// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* With NB_SPLIT every case's forward derivative comes after the primal (__enzyme_fwdsplit), with
 * the tape between them and the state overwritten; it runs twice, and only the last one counts. It
 * is that of a function which calls the case, whose own tapes are made for reverse mode (split.h).
 * A program for which forward mode cannot come later defines NB_AT_ONCE. */
#ifndef NB_RUN_REPLAY_H
#define NB_RUN_REPLAY_H

NB_EXTERN int enzyme_nofree;

extern void *__enzyme_augmentfwd_replay(void *, ...);
extern void __enzyme_fwdsplit_void(void *, ...);

#define NB_AGAIN_SCALAR1(name)                                                                     \
  static void name##_again(real x, real *r) { *r = name(x); }
#define NB_AGAIN_SCALAR2(name)                                                                     \
  static void name##_again(real x, real y, real *r) { *r = name(x, y); }
#define NB_AGAIN_SCALAR3(name)                                                                     \
  static void name##_again(real x, real y, real z, real *r) { *r = name(x, y, z); }
#define NB_AGAIN_SUM(name)                                                                         \
  static void name##_again(int n, real *x, real *r) { *r = name(n, x); }
#define NB_AGAIN_TWIN(name)                                                                        \
  static void name##_again(int n, const real *x, const real *y, real *r) { *r = name(n, x, y); }
#define NB_AGAIN_MAP(name, ...)                                                                    \
  static void name##_again(int n, real *x, real *y) { name(n, x, y); }

enum { NB_REPLAY_LIMIT = 256 };

/* What is put aside between the two calls, and between the two runs of the second. */
typedef struct {
  int size;
  real state[NB_REPLAY_LIMIT], tangents[NB_REPLAY_LIMIT];
} NbReplayed;

__attribute__((noinline, unused)) static void nb_replay_put_aside(NbReplayed *aside, int size,
                                                                  real *s, const real *d) {
  aside->size = size;
  memcpy(aside->tangents, d, (size_t)size * sizeof(real));
  memcpy(aside->state, s, (size_t)size * sizeof(real));
  for (int i = 0; i < size; i++)
    s[i] = (real)NAN;
}

__attribute__((noinline, unused)) static void nb_replay_put_back(const real *from, int size,
                                                                 real *to) {
  memcpy(to, from, (size_t)size * sizeof(real));
}

#ifndef NB_WIDTH
#define NB_FORWARD_SCALAR1(name, n, s, d)                                                          \
  real r;                                                                                          \
  void *tape = __enzyme_augmentfwd_replay((void *)name##_again, s[0], &r, &d[n]);                  \
  __enzyme_fwdsplit_void((void *)name##_again, enzyme_nofree, s[0], (real)2, &r, &d[n], tape);     \
  __enzyme_fwdsplit_void((void *)name##_again, s[0], d[0], &r, &d[n], tape)
#define NB_FORWARD_SCALAR2(name, n, s, d)                                                          \
  real r;                                                                                          \
  void *tape = __enzyme_augmentfwd_replay((void *)name##_again, s[0], s[1], &r, &d[n]);            \
  __enzyme_fwdsplit_void((void *)name##_again, s[0], d[0], s[1], d[1], &r, &d[n], tape)
#define NB_FORWARD_SCALAR3(name, n, s, d)                                                          \
  real r;                                                                                          \
  void *tape = __enzyme_augmentfwd_replay((void *)name##_again, s[0], s[1], s[2], &r, &d[n]);      \
  __enzyme_fwdsplit_void((void *)name##_again, s[0], d[0], s[1], d[1], s[2], d[2], &r, &d[n], tape)

/* `size` numbers of state that is overwritten in between; `...`: the arguments. */
#define NB_REPLAY_MEMORY(name, size, s, d, ...)                                                    \
  NbReplayed aside;                                                                                \
  void *tape = __enzyme_augmentfwd_replay((void *)name##_again, __VA_ARGS__);                      \
  nb_replay_put_aside(&aside, size, s, d);                                                         \
  __enzyme_fwdsplit_void((void *)name##_again, enzyme_nofree, __VA_ARGS__, tape);                  \
  nb_replay_put_back(aside.tangents, size, d);                                                     \
  __enzyme_fwdsplit_void((void *)name##_again, __VA_ARGS__, tape);                                 \
  nb_replay_put_back(aside.state, size, s)

#define NB_FORWARD_SUM(name, n, s, d)                                                              \
  real r;                                                                                          \
  NB_REPLAY_MEMORY(name, n, s, d, n, s, d, &r, &d[n])
#define NB_FORWARD_TWIN(name, n, s, d)                                                             \
  real r;                                                                                          \
  NB_REPLAY_MEMORY(name, n, s, d, n, s, d, s, d, &r, &d[n])
#define NB_FORWARD_MAP(name, n, s, d, outputs, ...)                                                \
  NB_REPLAY_MEMORY(name, n + outputs, s, d, enzyme_const, n, __VA_ARGS__, enzyme_dup, s + n, d + n)

#define NB_DUP_X enzyme_dup, s, d
#endif

#endif
