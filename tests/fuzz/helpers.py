# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""C text that random programs share: types, and functions that they call.

program.py's `helper` says what stands for what in the functions. The two definitions of the
functions on bits compute the same: dual numbers have no bits.
"""

TYPES = """
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  real u, v;
} Pair;

typedef struct {
  narrow s;
  int k;
  real r;
  wide w;
} Mixed;

typedef struct {
  real v[2];
  Mixed m;
} Nested;

typedef struct Node {
  real v;
  struct Node *next;
  real *at;
} Node;

typedef struct Tree {
  struct Tree *left, *right;
  real v;
} Tree;

typedef struct {
  real u;
  int k;
} Tagged;

typedef struct {
  narrow a, b;
} Couple;

typedef struct {
  real v[5];
  int count;
} Wide;

typedef struct {
  real *from;
  real *to;
  int count;
} View;

typedef struct {
  unsigned a : 3;
  int b : 5;
  real r;
  unsigned c : 9;
} Packed;

typedef struct {
  int count;
  real v[];
} Flexible;

typedef union {
  real r;
  struct {
    int a, b;
  } p;
  real v[2];
  Tagged t;
} Cell;

typedef struct {
  real a;
} One;

typedef struct {
  real a, b, c;
} Three;

typedef struct {
  narrow a, b, c;
} Singles;

typedef struct {
  narrow a, b, c, d;
} Quad;

typedef real (*Binary)(real, real);
typedef void (*Visit)(void *state, real *v);

typedef struct {
  Binary call;
  real weight;
} Method;

static real soft(real t) { return t / (1 + t * t); }

#ifdef __cplusplus
typedef real Bits;
static Bits bits_of(real t) { return t; }
static real of_bits(Bits b) { return b; }
static Bits flipped(Bits b) { return -b; }
static Bits cleared(Bits b) { return fabs(b); }
static Bits raised(Bits b, int k) { return b * (real)(1 << k); }
static void turn_lanes(real *v) {
  real first = v[0];
  for (int i = 0; i < 3; i++)
    v[i] = v[i] * v[i + 1] / (1 + v[i] * v[i]) + 0.5;
  v[3] = v[3] * first / (1 + v[3] * v[3]) + 0.5;
}
static void mix_lanes(real *v, const real *w, real t) {
  real r[4] = {v[0] * t, w[1] * t, v[2], w[3]};
  real b[4] = {w[0], w[1], w[2], w[3]};
  for (int i = 0; i < 4; i++)
    v[i] = r[3 - i] - b[i];
}
static real lane_at(const real *v, int k, real t) { return v[(k + 1) % 4] * v[k] + t; }
typedef Pair Complex;
static Complex complex_of(real a, real b) { return Complex{a, b}; }
static Complex complex_plus(Complex a, Complex b) { return Complex{a.u + b.u, a.v + b.v}; }
static Complex complex_times(Complex a, Complex b) {
  return Complex{a.u * b.u - a.v * b.v, a.u * b.v + a.v * b.u};
}
static Complex complex_over(Complex a, Complex b) {
  real q = b.u * b.u + b.v * b.v;
  return Complex{(a.u * b.u + a.v * b.v) / q, (a.v * b.u - a.u * b.v) / q};
}
static real real_part(Complex a) { return a.u; }
static real imaginary_part(Complex a) { return a.v; }
#define WATCHED real
#else
typedef NB_REAL _Complex Complex;
static Complex complex_of(real a, real b) {
  Complex c;
  ((real *)&c)[0] = a;
  ((real *)&c)[1] = b;
  return c;
}
static Complex complex_plus(Complex a, Complex b) { return a + b; }
static Complex complex_times(Complex a, Complex b) { return a * b; }
static Complex complex_over(Complex a, Complex b) { return a / b; }
static real real_part(Complex a) { return __real__ a; }
static real imaginary_part(Complex a) { return __imag__ a; }
#define WATCHED volatile real
typedef real Lanes __attribute__((vector_size(4 * sizeof(real))));
static void turn_lanes(real *v) {
  Lanes l;
  memcpy(&l, v, sizeof l);
  l = l * __builtin_shufflevector(l, l, 1, 2, 3, 0) / (1 + l * l) + (real)0.5;
  memcpy(v, &l, sizeof l);
}
static void mix_lanes(real *v, const real *w, real t) {
  Lanes a, b, r = {t, t, 1, 1};
  memcpy(&a, v, sizeof a);
  memcpy(&b, w, sizeof b);
  r = r * __builtin_shufflevector(a, b, 0, 5, 2, 7);
  r = __builtin_shufflevector(r, r, 3, 2, 1, 0) - b;
  memcpy(v, &r, sizeof r);
}
static real lane_at(const real *v, int k, real t) {
  Lanes l;
  memcpy(&l, v, sizeof l);
  l[k] = l[(k + 1) % 4] * l[k] + t;
  return l[k];
}
typedef __typeof__(__builtin_choose_expr(sizeof(real) == 8, (uint64_t)0, (uint32_t)0)) Bits;
static Bits bits_of(real t) {
  union {
    real t;
    Bits b;
  } u;
  u.t = t;
  return u.b;
}
static real of_bits(Bits b) {
  union {
    real t;
    Bits b;
  } u;
  u.b = b;
  return u.t;
}
static Bits flipped(Bits b) { return b ^ (Bits)1 << (8 * sizeof b - 1); }
static Bits cleared(Bits b) { return b & ~((Bits)1 << (8 * sizeof b - 1)); }
static Bits raised(Bits b, int k) { return b + ((Bits)k << (sizeof b == 8 ? 52 : 23)); }
#endif
"""

HELPERS = {
    "turn": """
static NOINLINE Pair turn_SEED(Pair p, real t) {
  Pair r;
  r.u = <<p.u * t - p.v>>;
  r.v = <<p.v + t * p.u>>;
  return r;
}
""",
    "stash": """
static NOINLINE void stash_SEED(Bits *to, real t) { *to = bits_of(<<t>>); }
static NOINLINE real stashed_SEED(Bits bits) { return 0.5 * of_bits(bits); }
""",
    "update": """
static NOINLINE void update_SEED(real *p, real *q, real t) {
  *p = <<*p * t + *q>>;
  *q = <<*q - *p * t>>;
}
""",
    "halves": """
static NOINLINE real halves_SEED(const real *v, int low, int high) {
  if (high - low < 2)
    return <<v[low]>>;
  int middle = (low + high) / 2;
  real left = halves_SEED(v, low, middle);
  if (<?v[middle]?>)
    return left + v[middle];
  real p = left - 0.5 * halves_SEED(v, middle, high);
  return <<p>>;
}
""",
    "merge": """
static NOINLINE void merge_SEED(real *v, int count) {
  if (count < 2)
    return;
  int half = count / 2;
  merge_SEED(v, half);
  merge_SEED(v + half, count - half);
  for (int i = 0; i < half; i++) {
    real p = v[i];
    v[i] = 0.5 * p + <<v[half + i]>> * v[half + i];
    if (v[i] > v[half + i])
      v[half + i] = <<p * v[i]>>;
  }
}
""",
    "find": """
static NOINLINE real find_SEED(const real *v, int count, real limit) {
  real p = 0.3;
  for (int i = 0; i < count; i++) {
    p = <<p>> + 0.5 * v[i];
    if (p > limit)
      return p * v[i];
    for (int j = i; j < count; j += 2)
      if (v[j] * p < -0.4)
        return <<v[j] - p>>;
  }
  return p - limit;
}
""",
    "weigh": """
static NOINLINE real weigh_SEED(const real *v, int count, real t) {
  real sum = 0.1 * t;
  for (int i = 0; i < count; i++)
    sum += <<v[i] * t>> * v[count - 1 - i];
  return sum;
}
""",
    "even": """
static real odd_SEED(real t, int k);
static NOINLINE real even_SEED(real t, int k) {
  return k <= 0 ? t * t : odd_SEED(0.5 * t + <<t>>, k - 1);
}
static NOINLINE real odd_SEED(real t, int k) {
  if (<?t?>)
    return t;
  return k <= 0 ? <<t>> : t * even_SEED(<<t>>, k - 2) + even_SEED(t, k - 1);
}
""",
    "bump": """
static NOINLINE Mixed bump_SEED(Mixed m, real t) {
  real p = m.r + 0.5 * t;
  m.w = m.w * 0.5 + (wide)<<p>>;
  m.r = <<p + t>> * (real)m.w;
  m.k = (m.k + (t > 0.2)) % 4;
  m.s = (narrow)(0.5 * m.r);
  return m;
}
""",
    "chain": """
static NOINLINE void chain_SEED(Mixed *m, const Mixed *other, int count) {
  for (int i = 0; i < count; i++) {
    real p = other[count - 1 - i].r;
    m[i].r += <<p * m[i].r>> * (real)other[i].w;
    m[m[i].k].w = 0.5 * m[i].w + (wide)(0.25 * m[i].r);
  }
}
""",
    "blend": """
static NOINLINE void blend_SEED(real *p, real *q, int count, real t) {
  for (int i = 0; i < count; i++) {
    p[i] = <<p[i] * t + q[i]>>;
    if (q[i] * t > 0.3)
      continue;
    q[i] -= 0.5 * p[i] * t;
  }
}
""",
    "couple": """
static NOINLINE Couple couple_SEED(Couple c, narrow t) {
  Couple r = {(narrow)(c.b * t), (narrow)(c.a - (narrow)0.5 * t)};
  return r;
}
""",
    "tagged": """
static NOINLINE Tagged tagged_SEED(Tagged t, int k, Pair p) {
  t.u = <<t.u * p.v>> + 0.25 * t.k * p.u;
  t.k = (t.k + k) % 5;
  return t;
}
""",
    "spread": """
static NOINLINE Wide spread_SEED(Wide w, real t) {
  for (int i = w.count; i > 0; i--)
    w.v[i] = <<w.v[i - 1] * t>>;
  w.v[0] = t;
  w.count -= <?t?>;
  return w;
}
""",
    "move_view": """
static NOINLINE void move_view_SEED(View v) {
  for (int i = 0; i < v.count; i++)
    v.to[i] = <<v.from[v.count - 1 - i]>>;
}
""",
    "larger": """
static NOINLINE real *larger_SEED(real *p, real *q) { return *p > *q ? p : q; }
""",
    "swap_rows": """
static NOINLINE void swap_rows_SEED(real **rows, int count) {
  for (int i = 0; i + 1 < count; i++)
    if (rows[i][0] > rows[i + 1][0]) {
      real *t = rows[i];
      rows[i] = rows[i + 1];
      rows[i + 1] = t;
    }
}
""",
    "sort": """
static NOINLINE void sort_SEED(real *v, int count) {
  for (int i = 1; i < count; i++) {
    real t = v[i];
    int j = i;
    for (; j > 0 && v[j - 1] > t; j--)
      v[j] = v[j - 1];
    v[j] = t;
  }
}
""",
    "copied": """
static NOINLINE real *copied_SEED(const real *v, int count) {
  real *h = (real *)malloc((size_t)count * sizeof(real));
  for (int i = 0; i < count; i++)
    h[i] = <<v[i]>>;
  return h;
}
""",
    "give": """
static NOINLINE void give_SEED(void *p) {
  if (p)
    free(p);
}
""",
    "grow": """
static NOINLINE Tree *grow_SEED(const real *v, int low, int high) {
  if (low >= high)
    return NULL;
  int middle = (low + high) / 2;
  Tree *t = (Tree *)malloc(sizeof(Tree));
  t->v = <<v[middle]>>;
  t->left = grow_SEED(v, low, middle);
  t->right = <?v[middle]?> ? NULL : grow_SEED(v, middle + 1, high);
  return t;
}
""",
    "fold": """
static NOINLINE real fold_SEED(Tree *t, real r) {
  if (!t)
    return r;
  t->v = <<t->v * r>>;
  return 0.5 * fold_SEED(t->left, t->v) + fold_SEED(t->right, r) * t->v;
}
""",
    "fell": """
static NOINLINE void fell_SEED(Tree *t) {
  if (!t)
    return;
  fell_SEED(t->left);
  fell_SEED(t->right);
  free(t);
}
""",
    "carry": """
static NOINLINE void carry_SEED(void *to, const void *from, size_t size) { memcpy(to, from, size); }
""",
    "product": """
static NOINLINE real product_SEED(real a, real b) { return <<a * b>>; }
""",
    "quotient": """
static NOINLINE real quotient_SEED(real a, real b) { return a / (1.25 + b * b); }
""",
    "choice": """
static NOINLINE real choice_SEED(real a, real b) { return <?a?> ? <<b>> : a; }
""",
    "apply": """
static NOINLINE void apply_SEED(Binary f, real *v, int count) {
  for (int i = 0; i + 1 < count; i++)
    v[i] = f(v[i], v[i + 1]);
}
""",
    "method": """
static NOINLINE real method_SEED(const Method *m, real a, real b) {
  return m->weight * m->call(a, b) + <<a>>;
}
""",
    "fill": """
static real scratch_SEED[8];
static NOINLINE void fill_SEED(real t, int count) {
  for (int i = 0; i < 8; i++)
    scratch_SEED[i] = i < count ? <<t * (i + 1)>> : 0.25 * i;
}
""",
    "folded": """
static NOINLINE real folded_SEED(int count) {
  real r = 0;
  for (int i = 0; i < count; i++) {
    r += scratch_SEED[i % 8] * scratch_SEED[(i + 1) % 8];
    if (<?r?>)
      scratch_SEED[i % 8] = <<r>>;
  }
  return r;
}
""",
    "stepped": """
static NOINLINE real stepped_SEED(int first, real t) {
  static real state;
  state = (first ? 0.5 : state) * 0.5 + <<t>>;
  return <<state * t>>;
}
""",
    "weighed": """
static const real constants_SEED[8] = {0.5, -1.25, 2, 0.75, -0.5, 1.5, 0.25, -2};
static NOINLINE real weighed_SEED(const real *v, const real *w, int count) {
  real r = 0;
  for (int i = 0; i < count; i++)
    r += v[i] * w[count - 1 - i];
  return r;
}
""",
    "cut": """
typedef struct {
  real *at;
  long count;
} Slice_SEED;
static NOINLINE Slice_SEED cut_SEED(real *v, long count, real t) {
  Slice_SEED s = {v, count};
  if (count > 2 && <?t?>) {
    s.at++;
    s.count -= 2;
  }
  return s;
}
""",
    "table": """
static const double table_SEED(int k) {
  static const double numbers[12] = {0.5, -1.25, 2, 0.75, -0.5, 1.5, 0.25, -2, 1, -0.75, 0.1, 3};
  return numbers[(k & 7) + 3];
}
""",
    "total": """
static NOINLINE wide total_SEED(int count, ...) {
  wide sum = 0;
  va_list numbers;
  va_start(numbers, count);
  for (int i = 0; i < count; i++)
    sum = sum * 0.5 + va_arg(numbers, wide);
  va_end(numbers);
  return sum;
}
""",
    "picked": """
static NOINLINE real picked_SEED(const real *v, int count, ...) {
  real r = 0;
  va_list indices;
  va_start(indices, count);
  for (int i = 0; i < count; i++)
    r = 0.5 * r + v[va_arg(indices, int)];
  va_end(indices);
  return r;
}
""",
    "changed_one": """
static NOINLINE One changed_one_SEED(One s, real t) {
  One r = {<<s.a * t>>};
  return r;
}
""",
    "changed_three": """
static NOINLINE Three changed_three_SEED(Three s, real t) {
  Three r = {<<s.b * t>>, s.c - t, <<s.a>>};
  return r;
}
""",
    "changed_singles": """
static NOINLINE Singles changed_singles_SEED(Singles s, narrow t) {
  Singles r = {s.c, (narrow)(s.a * t), (narrow)(s.b - (narrow)0.5 * t)};
  return r;
}
""",
    "changed_quad": """
static NOINLINE Quad changed_quad_SEED(Quad s, narrow t) {
  Quad r = {s.d, (narrow)(s.a * t), s.c, (narrow)(s.b - (narrow)0.5 * t)};
  return r;
}
""",
    "recast": """
static NOINLINE Cell recast_SEED(Cell c, int which) {
  Cell r = c;
  if (which) {
    r.v[0] = <<c.v[1]>>;
    r.v[1] = c.v[0];
  }
  return r;
}
""",
    "pick_row": """
static NOINLINE int pick_row_SEED(real *p, real *q, real **out, real t) {
  if (<?t?>)
    return 0;
  *out = p[0] < q[1] ? p : q;
  return 1;
}
""",
    "methods": """
static NOINLINE real product_SEED(real a, real b);
static NOINLINE real quotient_SEED(real a, real b);
static NOINLINE real choice_SEED(real a, real b);
static const Method methods_SEED[3] = {
    {product_SEED, 0.5}, {quotient_SEED, -0.75}, {choice_SEED, 1.25}};
""",
    "each": """
static NOINLINE void each_SEED(real *v, int count, Visit visit, void *state) {
  for (int i = 0; i < count; i++)
    visit(state, v + i);
}
""",
    "gather": """
static NOINLINE void gather_SEED(void *state, real *v) {
  Pair *p = (Pair *)state;
  p->u = <<p->u + *v * p->v>>;
}
""",
    "scale": """
static NOINLINE void scale_SEED(void *state, real *v) {
  Pair *p = (Pair *)state;
  *v = <<*v * p->u>>;
  p->v += 0.5 * *v;
}
""",
    "advance": """
static real *cursor_SEED;
static NOINLINE real advance_SEED(real t) {
  *cursor_SEED = <<*cursor_SEED * t>>;
  return *cursor_SEED++ * 0.5;
}
""",
}
