// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* With NB_MASKS forward mode finds what each output is computed from, too: where the derivative in
 * a coordinate is not zero, nor what rounding makes of that, its bit must be there. Coordinates
 * share bits where there are too many.
 */
#ifndef NB_RUN_MASKS_H
#define NB_RUN_MASKS_H

enum { NB_MASKS_LIMIT = 256, NB_MASK_BITS = 8 * sizeof(real) - 1 };

typedef struct {
  int size;
  real start[NB_MASKS_LIMIT], state[NB_MASKS_LIMIT], mask[NB_MASKS_LIMIT], tangent[NB_MASKS_LIMIT];
} NbMasks;

extern real __enzyme_sparsity_scalar1(real (*)(real), real, real);
extern real __enzyme_sparsity_scalar2(real (*)(real, real), int, real, real, int, real, real);
extern real __enzyme_sparsity_scalar3(real (*)(real, real, real), real, real, real, real, real,
                                      real);
extern real __enzyme_sparsity_sum(void *, ...);
extern void __enzyme_sparsity_map(void *, ...);

static inline unsigned long long nb_mask_bit(int coordinate) {
  return 1ull << coordinate % NB_MASK_BITS;
}

__attribute__((noinline, unused)) static void nb_masks_start(NbMasks *masks, int size,
                                                             const real *s) {
  masks->size = size;
  memcpy(masks->start, s, sizeof *s * (size_t)size);
  memcpy(masks->state, s, sizeof *s * (size_t)size);
  for (int i = 0; i < size; i++) {
    unsigned long long bit = nb_mask_bit(i);
    memcpy(&masks->mask[i], &bit, sizeof masks->mask[i]);
  }
}

__attribute__((noinline, unused)) static void nb_masks_turn(NbMasks *masks, int coordinate) {
  memcpy(masks->state, masks->start, sizeof masks->state[0] * (size_t)masks->size);
  memset(masks->tangent, 0, sizeof masks->tangent);
  masks->tangent[coordinate] = 1;
}

__attribute__((noinline, unused)) static void nb_masks_expect(const NbMasks *masks,
                                                              int coordinate) {
  double noise = sizeof(real) == sizeof(double) ? 1e-10 : 1e-4;
  for (int i = 0; i < masks->size; i++) {
    unsigned long long mask = 0;
    memcpy(&mask, &masks->mask[i], sizeof masks->mask[i]);
    double tangent = fabs((double)masks->tangent[i]);
    int other = tangent > noise && isfinite(tangent);
    nb_expect(0, !other || (mask & nb_mask_bit(coordinate)) != 0, 1);
  }
}

typedef void NbRun(int n, real *s, real *d);

__attribute__((noinline, unused)) static void nb_masks_check(int n, int size, const real *s,
                                                             NbRun *find, NbRun *forward) {
  NbMasks masks;
  nb_masks_start(&masks, size, s);
  find(n, masks.state, masks.mask);
  for (int coordinate = 0; coordinate < size; coordinate++) {
    nb_masks_turn(&masks, coordinate);
    forward(n, masks.state, masks.tangent);
    nb_masks_expect(&masks, coordinate);
  }
}

/* `run(entry, ...)` runs an entry point on the variables s and d. */
#define NB_PLAIN(run, name, ...)                                                                   \
  static void name##_find(int n, real *s, real *d) { run(__enzyme_sparsity, __VA_ARGS__); }        \
  static void name##_plain(int n, real *s, real *d) { run(__enzyme_fwddiff, __VA_ARGS__); }
#define NB_MASKED(name, n, size, s, d)                                                             \
  nb_masks_check(n, size, s, name##_find, name##_plain);                                           \
  name##_plain(n, s, d)

#define NB_RUN_SCALAR1(entry, name, n, s, d) d[n] = entry##_scalar1(name, s[0], d[0])
#define NB_RUN_SCALAR2(entry, name, n, s, d)                                                       \
  d[n] = entry##_scalar2(name, enzyme_dup, s[0], d[0], enzyme_dup, s[1], d[1])
#define NB_RUN_SCALAR3(entry, name, n, s, d)                                                       \
  d[n] = entry##_scalar3(name, s[0], d[0], s[1], d[1], s[2], d[2])
#define NB_RUN_SUM(entry, name, n, s, d) d[n] = entry##_sum((void *)name, n, s, d)
#define NB_RUN_TWIN(entry, name, n, s, d) d[n] = entry##_sum((void *)name, n, s, d, s, d)
#define NB_RUN_MAP(entry, name, n, s, d, ...)                                                      \
  entry##_map((void *)name, enzyme_const, n, __VA_ARGS__, enzyme_dup, s + n, d + n)

#define NB_AGAIN_SCALAR1(name) NB_PLAIN(NB_RUN_SCALAR1, name, name, n, s, d)
#define NB_AGAIN_SCALAR2(name) NB_PLAIN(NB_RUN_SCALAR2, name, name, n, s, d)
#define NB_AGAIN_SCALAR3(name) NB_PLAIN(NB_RUN_SCALAR3, name, name, n, s, d)
#define NB_AGAIN_SUM(name) NB_PLAIN(NB_RUN_SUM, name, name, n, s, d)
#define NB_AGAIN_TWIN(name) NB_PLAIN(NB_RUN_TWIN, name, name, n, s, d)
#define NB_AGAIN_MAP(name, ...) NB_PLAIN(NB_RUN_MAP, name, name, n, s, d, __VA_ARGS__)
#define NB_FORWARD_SCALAR1(name, n, s, d) NB_MASKED(name, n, n + 1, s, d)
#define NB_FORWARD_SCALAR2(name, n, s, d) NB_MASKED(name, n, n + 1, s, d)
#define NB_FORWARD_SCALAR3(name, n, s, d) NB_MASKED(name, n, n + 1, s, d)
#define NB_FORWARD_SUM(name, n, s, d) NB_MASKED(name, n, n + 1, s, d)
#define NB_FORWARD_TWIN(name, n, s, d) NB_MASKED(name, n, n + 1, s, d)
#define NB_FORWARD_MAP(name, n, s, d, outputs, ...) NB_MASKED(name, n, n + outputs, s, d)
#define NB_DUP_X enzyme_dup, s, d

#endif
