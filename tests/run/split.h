// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* With NB_SPLIT every case's reverse is made of two calls, with the tape between them and its state
 * overwritten; the second is made twice, and only the last one's adjoints count. */
#ifndef NB_RUN_SPLIT_H
#define NB_RUN_SPLIT_H

NB_EXTERN int enzyme_nofree;

typedef struct {
  void *tape;
  real primal;
} TapeAndPrimal;

extern TapeAndPrimal __enzyme_augmentfwd_scalar1(real (*)(real), real);
extern TapeAndPrimal __enzyme_augmentfwd_scalar2(real (*)(real, real), int, real, int, real);
extern TapeAndPrimal __enzyme_augmentfwd_scalar3(real (*)(real, real, real), real, real, real);
extern real __enzyme_reverse_scalar1(void *, ...);
extern Adjoints2 __enzyme_reverse_scalar2(void *, ...);
extern Adjoints3 __enzyme_reverse_scalar3(void *, ...);
extern void *__enzyme_augmentfwd_memory(void *, ...);
extern void __enzyme_reverse_memory(void *, ...);

enum { NB_SPLIT_LIMIT = 256 };

/* What is put aside between the two calls. */
typedef struct {
  int size;
  real state[NB_SPLIT_LIMIT], adjoints[NB_SPLIT_LIMIT];
} NbAside;

__attribute__((noinline, unused)) static void nb_put_aside(NbAside *aside, int size, real *s,
                                                           const real *b) {
  aside->size = size;
  for (int i = 0; i < size; i++) {
    aside->state[i] = s[i];
    aside->adjoints[i] = b[i];
    s[i] = (real)NAN;
  }
}

__attribute__((noinline, unused)) static void nb_put_back(const real *from, int size, real *to) {
  memcpy(to, from, (size_t)size * sizeof(real));
}

#ifndef NB_WIDTH
#define NB_REVERSE_SCALAR1(name, n, s, b)                                                          \
  void *tape = __enzyme_augmentfwd_scalar1(name, s[0]).tape;                                       \
  __enzyme_reverse_scalar1((void *)name, enzyme_nofree, s[0], (real)2, tape);                      \
  b[0] += __enzyme_reverse_scalar1((void *)name, s[0], (real)1, tape);                             \
  b[n] = 0

#define NB_REVERSE_SCALAR2(name, n, s, b)                                                          \
  void *tape = __enzyme_augmentfwd_scalar2(name, enzyme_out, s[0], enzyme_out, s[1]).tape;         \
  __enzyme_reverse_scalar2((void *)name, enzyme_nofree, s[0], s[1], (real)2, tape);                \
  Adjoints2 a = __enzyme_reverse_scalar2((void *)name, s[0], s[1], (real)1, tape);                 \
  b[0] += a.x;                                                                                     \
  b[1] += a.y;                                                                                     \
  b[n] = 0

#define NB_REVERSE_SCALAR3(name, n, s, b)                                                          \
  void *tape = __enzyme_augmentfwd_scalar3(name, s[0], s[1], s[2]).tape;                           \
  __enzyme_reverse_scalar3((void *)name, enzyme_nofree, s[0], s[1], s[2], (real)2, tape);          \
  Adjoints3 a = __enzyme_reverse_scalar3((void *)name, s[0], s[1], s[2], (real)1, tape);           \
  b[0] += a.x;                                                                                     \
  b[1] += a.y;                                                                                     \
  b[2] += a.z;                                                                                     \
  b[n] = 0

/* `size` numbers of state; `...`: the arguments, and the seed where there is one. */
#define NB_SPLIT_MEMORY(name, size, s, b, seed, ...)                                               \
  NbAside aside;                                                                                   \
  void *tape = __enzyme_augmentfwd_memory((void *)name, __VA_ARGS__);                              \
  nb_put_aside(&aside, size, s, b);                                                                \
  __enzyme_reverse_memory((void *)name, enzyme_nofree, __VA_ARGS__ seed, tape);                    \
  nb_put_back(aside.adjoints, size, b);                                                            \
  __enzyme_reverse_memory((void *)name, __VA_ARGS__ seed, tape);                                   \
  nb_put_back(aside.state, size, s)

#define NB_SEED , (real)1
#define NB_REVERSE_SUM(name, n, s, b)                                                              \
  b[n] = 0;                                                                                        \
  NB_SPLIT_MEMORY(name, n, s, b, NB_SEED, n, s, b)
#define NB_REVERSE_TWIN(name, n, s, b)                                                             \
  b[n] = 0;                                                                                        \
  NB_SPLIT_MEMORY(name, n, s, b, NB_SEED, n, s, b, s, b)
#define NB_REVERSE_MAP(name, n, s, d, outputs, ...)                                                \
  NB_SPLIT_MEMORY(name, n + outputs, s, d, , enzyme_const, n, __VA_ARGS__, enzyme_dup, s + n, d + n)
#endif

#endif
