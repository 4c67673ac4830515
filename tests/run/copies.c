// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* memcpy, memmove, memset and assignment of structures whose fields not all are used, of parts of
 * them, and of lengths that are known only at run time. */
#include "cases.h"

#include <stddef.h>

typedef struct {
  int id;
  real v[3];
  single w;
  char tag;
  wide z;
} Record;

SUM(records_copied_whole, 4, 1.0, 2.0, 3.0, 4.0) {
  Record a[4];
  Record b[4];
  for (int i = 0; i < n; i++) {
    a[i].id = i;
    for (int k = 0; k < 3; k++)
      a[i].v[k] = x[i] * x[k];
    a[i].w = (single)x[i];
    a[i].tag = (char)('a' + i);
    a[i].z = (wide)x[i] * 0.5;
  }
  memcpy(b, a, sizeof a);
  real r = 0;
  for (int i = 0; i < n; i++)
    r += b[i].v[i % 3] * (real)b[i].z * b[i].id + (real)(b[i].w) * (b[i].tag - 'a');
  return r;
}

SUM(records_of_which_one_field_is_read, 4, 1.0, 2.0, 3.0, 4.0) {
  Record a[4];
  Record b[4];
  memset(a, 0, sizeof a);
  for (int i = 0; i < n; i++)
    a[i].v[1] = x[i] * x[0];
  memcpy(b, a, sizeof a);
  real r = 1;
  for (int i = 0; i < n; i++)
    r = r * 0.5 + b[i].v[1] * b[i].v[1];
  return r;
}

SUM(some_records_copied, 4, 1.0, 2.0, 3.0, 4.0) {
  Record *a = (Record *)calloc((size_t)n, sizeof *a);
  Record *b = (Record *)calloc((size_t)n, sizeof *b);
  for (int i = 0; i < n; i++) {
    a[i].id = i + 1;
    a[i].v[i % 3] = x[i] * x[i];
    a[i].z = (wide)x[i];
    a[i].tag = 1;
  }
  memcpy(b + 1, a, (size_t)(n - 1) * sizeof *a);
  memmove(a, a + 2, (size_t)(n - 2) * sizeof *a);
  real r = 0;
  for (int i = 0; i < n; i++)
    r += b[i].v[0] * a[i].v[2] * b[i].id + b[i].v[1] * (real)a[i].z * a[i].tag;
  free(a);
  free(b);
  return r;
}

SUM(record_assigned, 4, 1.0, 2.0, 3.0, 4.0) {
  Record a = {1, {x[0], x[1], x[2]}, (single)x[3], 2, (wide)x[0]};
  Record b = a;
  b.v[0] = b.v[1] * a.v[2];
  a = b;
  b.z = (wide)a.v[0] * b.z;
  return a.v[0] * (real)b.z * (real)b.w * a.id + b.tag * n;
}

SUM(record_in_halves, 4, 1.0, 2.0, 3.0, 4.0) {
  Record a = {1, {x[0], x[1], x[2]}, (single)x[3], 2, (wide)x[0]};
  Record b;
  memset(&b, 0, sizeof b);
  memcpy(&b, &a, offsetof(Record, w));
  memcpy((char *)&b + offsetof(Record, z), &a.z, sizeof a.z);
  return b.v[0] * b.v[1] * (real)b.z * (real)b.id + (real)b.w + b.tag * n;
}

SUM(part_of_a_record_cleared, 4, 1.0, 2.0, 3.0, 4.0) {
  Record a[2];
  for (int i = 0; i < 2; i++) {
    Record b = {i + 1, {x[0], x[i + 1], x[2]}, (single)x[3], 2, (wide)x[n - 1]};
    a[i] = b;
  }
  memset(&a[1].v[1], 0, 2 * sizeof(real));
  memset(&a[0].id, 0, sizeof(int));
  real r = 0;
  for (int i = 0; i < 2; i++)
    r += a[i].v[0] * a[i].v[1] * (real)a[i].z + a[i].v[2] * a[i].id;
  return r;
}

static NOINLINE void copy_of_bytes(void *to, const void *from, size_t bytes) {
  memcpy(to, from, bytes);
}

SUM(one_helper_copies_all, 4, 1.0, 2.0, 3.0, 4.0) {
  real a[4];
  single f[4];
  int k[4] = {2, 0, 3, 1};
  single g[4];
  int l[4];
  for (int i = 0; i < n; i++)
    f[i] = (single)(x[i] * x[0]);
  copy_of_bytes(a, x, (size_t)n * sizeof(real));
  copy_of_bytes(g, f, (size_t)n * sizeof(single));
  copy_of_bytes(l, k, sizeof k);
  real r = 0;
  for (int i = 0; i < n; i++)
    r += a[l[i]] * a[i] * (real)g[i];
  return r;
}

SUM(inserted_into_an_array, 4, 3.0, 1.0, 4.0, 2.0) {
  real a[4];
  int count = 0;
  for (int i = 0; i < n; i++) {
    int at = 0;
    while (at < count && a[at] < x[i])
      at++;
    memmove(a + at + 1, a + at, (size_t)(count - at) * sizeof *a);
    a[at] = x[i];
    count++;
  }
  real r = 0;
  for (int i = 0; i < n; i++)
    r += a[i] * a[i] * (i + 1);
  return r;
}

typedef struct {
  int key;
  real value;
} Entry;

SUM(inserted_into_a_table, 4, 3.0, 1.0, 4.0, 2.0) {
  Entry t[4];
  int count = 0;
  for (int i = 0; i < n; i++) {
    Entry e;
    e.key = (i * 7 + 3) % 5;
    e.value = x[i] * x[i];
    int at = 0;
    while (at < count && t[at].key < e.key)
      at++;
    memmove(&t[at + 1], &t[at], (size_t)(count - at) * sizeof *t);
    t[at] = e;
    count++;
  }
  real r = 0;
  for (int i = 0; i < n; i++)
    r = r * 0.5 + t[i].value * t[i].value * t[i].key;
  return r;
}

typedef struct {
  int id;
  Entry first;
  Entry others[2];
  struct {
    single f;
    real d;
  } deep;
} Nested;

SUM(nested_records, 4, 3.0, 1.0, 4.0, 2.0) {
  Nested a[2];
  for (int i = 0; i < 2; i++) {
    a[i].id = i + 1;
    a[i].first.key = i;
    a[i].first.value = x[i] * x[2];
    for (int k = 0; k < 2; k++) {
      a[i].others[k].key = k + i;
      a[i].others[k].value = x[k + 2] * x[i];
    }
    a[i].deep.f = (single)x[3];
    a[i].deep.d = x[n - 1] * x[i];
  }
  Nested b = a[0];
  a[0] = a[1];
  a[1] = b;
  b.others[1] = a[0].first;
  a[1].deep = a[0].deep;
  return b.others[1].value * a[1].deep.d * b.others[1].key +
         (real)a[1].deep.f * a[0].others[1].value + a[1].others[0].value;
}

SUM(row_pointers_copied, 6, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0) {
  real *rows[3];
  real *copy[3];
  for (int i = 0; i < 3; i++)
    rows[i] = x + 2 * i;
  memcpy(copy, rows, sizeof rows);
  memmove(rows, rows + 1, 2 * sizeof *rows);
  real r = 0;
  for (int i = 0; i < 3; i++)
    r += copy[i][0] * rows[i][1] * (i + n);
  return r;
}

SUM(row_pointers_copied_in_part, 6, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0) {
  real **rows = (real **)malloc((size_t)n * sizeof *rows);
  real **copy = (real **)malloc((size_t)n * sizeof *copy);
  for (int i = 0; i < n; i++)
    rows[i] = x + i;
  memcpy(copy + 2, rows, (size_t)(n - 2) * sizeof *rows);
  copy[0] = copy[1] = x;
  real r = 0;
  for (int i = 0; i < n; i++)
    r += *copy[i] * *rows[n - 1 - i] * (i + 1);
  free(copy);
  free(rows);
  return r;
}

SUM(heap_or_stack_copied, 4, 1.0, 2.0, 3.0, 4.0, -1.0, 2.0, 3.0, 4.0) {
  real small[4];
  real *a = x[0] > 0 ? small : (real *)malloc((size_t)n * sizeof(real));
  memcpy(a, x, (size_t)n * sizeof(real));
  memcpy(a + 1, x + 2, (size_t)(n / 2) * sizeof(real));
  real r = a[0] * a[1] * a[2] + a[3];
  if (a != small)
    free(a);
  return r;
}

typedef struct {
  const char *name;
  int order;
  real factor;
} Method;

static const Method methods[3] = {{"a", 1, 0.5}, {"b", 2, 1.5}, {"c", 3, 2.5}};

SUM(constant_records_copied, 4, 1.0, 2.0, 3.0, 4.0) {
  Method m[3];
  memcpy(m, methods, sizeof m);
  m[1].factor = x[0] * x[1];
  m[2] = m[1];
  m[2].order = n;
  real r = 0;
  for (int i = 0; i < 3; i++)
    r += m[i].factor * m[i].factor * m[i].order * x[2] * (m[i].name[0] - 'a' + 1);
  return r;
}

SUM(copied_through_a_buffer, 4, 1.0, 2.0, 3.0, 4.0) {
  Entry e[4];
  for (int i = 0; i < n; i++) {
    e[i].key = i;
    e[i].value = x[i] * x[0];
  }
  unsigned char *buffer = (unsigned char *)malloc(sizeof e);
  memcpy(buffer, e, sizeof e);
  Entry f[4];
  for (int i = 0; i < n; i++)
    memcpy(&f[n - 1 - i], buffer + (size_t)i * sizeof(Entry), sizeof(Entry));
  free(buffer);
  return f[0].value * f[1].value * f[2].key + f[3].value;
}

typedef struct {
  single a;
  real b;
  single c;
} Padded;

SUM(padding_between_numbers, 4, 1.0, 2.0, 3.0, 4.0) {
  Padded p[3];
  for (int i = 0; i < 3; i++) {
    p[i].a = (single)x[i];
    p[i].b = x[i] * x[i + 1];
    p[i].c = (single)x[i + 1] * p[i].a;
  }
  Padded q[3];
  memcpy(q, p + 1, 2 * sizeof *p);
  q[2] = p[0];
  memmove(p, q, sizeof q);
  return p[0].b * (real)p[1].c + p[2].b * (real)p[2].a * n;
}

SUM(rows_moved_in_a_loop, 6, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0) {
  real m[3][4];
  memset(m, 0, sizeof m);
  for (int i = 0; i < n; i++)
    m[i / 2][i % 2] = x[i] * x[0];
  for (int k = 0; k < 2; k++) {
    memmove(&m[k][1], &m[k][0], 3 * sizeof(real));
    memcpy(m[2 - k], m[k], sizeof m[k]);
    memset(&m[k][k], 0, sizeof(real));
  }
  real r = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++)
      r = r * 0.5 + m[i][j] * m[j % 3][i];
  return r;
}

MAP(state_saved_and_restored, 4, 4, 1.0, 2.0, 3.0, 4.0, 0.5, 0.25, 0.75, 1.5) {
  real *saved = (real *)malloc((size_t)n * sizeof(real));
  memcpy(saved, y, (size_t)n * sizeof(real));
  for (int i = 0; i < n; i++)
    y[i] = y[i] * x[i] + y[(i + 1) % n];
  if (y[0] > 1)
    memcpy(y, saved, (size_t)(n / 2) * sizeof(real));
  free(saved);
  for (int i = 0; i < n; i++)
    x[i] *= y[n - 1 - i];
}

/* How many structs move within their array is known only at run time. */
SUM(structs_moved_by_count, 3, 1.0, 2.0, 3.0) {
  struct {
    single a;
    int k;
    real b;
  } p[4];
  for (int i = 0; i < 4; i++) {
    p[i].a = (single)x[i % n];
    p[i].k = i;
    p[i].b = x[(i + 1) % n] * x[0];
  }
  memmove(p, p + 1, (size_t)(n - 1) * sizeof *p);
  memcpy(p + 2, p, (size_t)(n - 2) * sizeof *p);
  real sum = 0;
  for (int i = 0; i < 4; i++)
    sum = sum * 0.5 + (real)p[i].a * p[i].b * p[i].k;
  return sum;
}

typedef struct {
  int count;
  real v[];
} Flexible;

static NOINLINE Flexible *flexible(int n) {
  Flexible *f = (Flexible *)malloc(sizeof(Flexible) + (size_t)n * sizeof(real));
  f->count = n;
  return f;
}

SUM(flexible_copied, 3, 1.0, 2.0, 3.0) {
  Flexible *f = flexible(n);
  for (unsigned i = 0; i < (unsigned)n; i++)
    f->v[i] = x[i] * x[0];
  Flexible *g = flexible(n);
  memcpy(g, f, sizeof(Flexible) + (size_t)n * sizeof(real));
  real sum = 0;
  for (unsigned i = 0; i < (unsigned)g->count; i++)
    sum = sum * 0.5 + g->v[i] * f->v[i];
  free(f);
  free(g);
  return sum;
}

SUM(flexible_copied_and_changed, 3, 1.0, 2.0, 3.0) {
  Flexible *f = flexible(n);
  for (int i = 0; i < n; i++)
    f->v[i] = x[i] * x[0];
  Flexible *g = flexible(n);
  memcpy(g, f, sizeof(Flexible) + (size_t)n * sizeof(real));
  g->v[0] *= x[1];
  real sum = 0;
  for (int i = 0; i < g->count; i++)
    sum = sum * 0.5 + g->v[i] * f->v[n - 1 - i];
  free(f);
  free(g);
  return sum;
}

/* An integer and a number of another format before numbers without an end. */
typedef struct {
  int count;
  single scale;
  real v[];
} Scaled;

static NOINLINE Scaled *scaled(int n) {
  Scaled *s = (Scaled *)malloc(sizeof(Scaled) + (size_t)n * sizeof(real));
  s->count = n;
  s->scale = (single)0.5;
  return s;
}

SUM(flexible_with_a_tag_copied, 3, 1.0, 2.0, 3.0) {
  Scaled *f = scaled(n), *g = scaled(n);
  real sum = 0;
  for (int i = 0; i < n; i++)
    f->v[i] = x[i] * x[0];
  memcpy(g, f, sizeof(Scaled) + (size_t)n * sizeof(real));
  g = (Scaled *)realloc(g, sizeof(Scaled) + (size_t)(n + 1) * sizeof(real));
  g->v[0] *= x[1];
  g->count--;
  for (int i = 0; i < g->count; i++)
    sum += g->v[i] * g->v[i] * (real)g->scale;
  free(f);
  free(g);
  return sum;
}

/* Numbers in bytes: at places that the run tells, after numbers that lie as an array does. */
SUM(numbers_in_a_stream_of_bytes, 4, 1.0, 2.0, 3.0, 4.0) {
  char *bytes = (char *)malloc(256);
  real *head = (real *)bytes;
  head[0] = x[0] * x[1];
  head[1] = x[2];
  char *at = bytes + 2 * sizeof(real);
  for (int i = 0; i < n; i++) {
    real value = x[i] * head[0];
    *at++ = (char)i;
    memcpy(at, &value, sizeof value);
    at += sizeof value;
  }
  real sum = head[0] * head[1];
  at = bytes + 2 * sizeof(real);
  for (int i = 0; i < n; i++) {
    real value;
    memcpy(&value, ++at, sizeof value);
    at += sizeof value;
    sum += value * value;
  }
  free(bytes);
  return sum;
}

/* Numbers of an array are swapped, and one is overwritten, as bytes. */
SUM(numbers_swapped_as_bytes, 4, 1.0, 2.0, 3.0, 4.0) {
  real a[4];
  for (int i = 0; i < n; i++)
    a[i] = x[i] * x[1];
  char *bytes = (char *)a;
  const size_t size = sizeof(real);
  for (int i = 0; i < n / 2; i++) {
    real other;
    memcpy(&other, bytes + (size_t)i * size, size);
    memcpy(bytes + (size_t)i * size, bytes + (size_t)(n - 1 - i) * size, size);
    memcpy(bytes + (size_t)(n - 1 - i) * size, &other, size);
  }
  real half = (real)0.5;
  memcpy(bytes + (size_t)(n - 2) * size, &half, size);
  real sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i] * a[i] * (real)(i + 1);
  return sum;
}

/* The same, where each number is preceded by as many bytes as the run tells. */
SUM(numbers_after_texts_of_any_length, 4, 1.0, 2.0, 3.0, 4.0) {
  char bytes[256];
  size_t used = 0;
  for (int i = 0; i < n; i++) {
    char length = (char)(i * 3 % 5);
    real value = x[i] * x[0];
    bytes[used++] = length;
    for (int k = 0; k < length; k++)
      bytes[used++] = 'x';
    memcpy(bytes + used, &value, sizeof value);
    used += sizeof value;
  }
  size_t at = 0;
  real sum = 0;
  while (at < used) {
    real value;
    at += 1 + (size_t)bytes[at];
    memcpy(&value, bytes + at, sizeof value);
    at += sizeof value;
    sum += value * value * value;
  }
  return sum;
}

typedef struct Tagged {
  int tag;
  wide value;
  real at[3];
} Tagged;

static NOINLINE real swap_tagged(Tagged *h, int n) {
  real r = (real)h[0].value * h[0].at[1];
  Tagged t = h[0];
  h[0] = h[1];
  h[1] = t;
  return r + (real)h[1].value * h[0].at[n % 3] * (real)h[1].tag;
}

SUM(structs_swapped_behind_pointers, 4, 0.3, 1.1, -0.4, 1.2) {
  Tagged h[2];
  for (int i = 0; i < 2; i++) {
    h[i].tag = i + 1;
    h[i].value = x[i] * x[3];
    for (int k = 0; k < 3; k++)
      h[i].at[k] = x[k] * x[i + 1];
  }
  return swap_tagged(h, n) + h[0].at[2];
}

typedef struct Tailed {
  real a, b[2];
  int count;
} Tailed;

static NOINLINE void store_tailed(const real *x, Tailed *s, int n) {
  Tailed t = {x[0], {x[1] * x[2], x[2]}, n};
  *s = t;
}

SUM(structs_stored_with_padding, 3, 0.3, 1.1, -0.4) {
  Tailed s;
  store_tailed(x, &s, n);
  return s.a * s.b[0] * (real)s.count + s.b[1];
}

/* --- Copied and cleared byte by byte, as where there is no C library. --- */

static void copy_one_by_one(void *to, const void *from, size_t bytes) {
  char *t = (char *)to;
  const char *f = (const char *)from;
  while (bytes--)
    *t++ = *f++;
}

static void clear_one_by_one(void *at, size_t bytes) {
  unsigned char *byte = (unsigned char *)at;
  for (size_t i = 0; i < bytes; i++)
    byte[i] = 0;
}

SUM(moved_byte_by_byte, 4, 0.3, 1.1, -0.4, 1.2) {
  real square = 0, local[4], kept[4];
  for (int i = 0; i < n; i++)
    local[i] = x[i] * x[(i + 1) % n];
  copy_one_by_one(kept, local, sizeof kept);
  clear_one_by_one(local + 1, sizeof *local * 2);
  for (int i = 0; i < n; i++)
    local[i] += kept[i] * x[i];
  copy_one_by_one(&square, &local[3], sizeof square);
  return square * square + local[0] + local[1] * local[2];
}

/* --- Bytes for anything, copied by a function that never sees what was put there. --- */

struct slot {
  int tag;
  unsigned char raw[4 * sizeof(real)] __attribute__((aligned(8)));
};

static NOINLINE void copy_slots(struct slot *to, const struct slot *from, int n) {
  memcpy(to->raw, from->raw, sizeof to->raw);
  to->tag = from->tag;
  if (n > 1)
    copy_slots(to + 1, from + 1, n - 1);
}

SUM(storage_copied, 3, 1.0, 2.0, 3.0) {
  struct slot a[3], b[3];
  for (int i = 0; i < n; i++) {
    real *p = (real *)a[i].raw;
    a[i].tag = i + 1;
    p[0] = x[i];
    p[1] = x[i] * x[0];
    p[2] = x[i] + x[1];
    p[3] = x[0];
  }
  copy_slots(b, a, n);
  real r = 0;
  for (int i = 0; i < n; i++) {
    real *p = (real *)b[i].raw;
    r += p[0] * p[1] * b[i].tag + p[2] * p[3];
  }
  return r;
}

/* --- As many bytes as lie between two addresses: a whole number of elements, as is written. --- */

static NOINLINE void move_between(int n, real *to, const real *from, const real *end) {
  if (end - from > 1)
    memmove(to, from, (size_t)(end - from) * sizeof *to);
  else
    *to = *from * 2;
  if (n > 1)
    move_between(n - 1, to + 1, from, end - 1);
}

SUM(moved_between, 4, 0.3, 1.1, -0.4, 1.2) {
  real y[8] = {0}, r = 0;
  move_between(n, y, x, x + n);
  for (int i = 0; i < 8; i++)
    r = r * (real)0.5 + y[i] * y[i];
  return r;
}

/* --- Of objects whose bounds are known, all that may be copied is. --- */

typedef struct {
  single s;
  int k;
  real r;
  wide w;
} Mixture;

SUM(moved_within_a_local_array, 4, 1.0, 2.0, 3.0, 4.0) {
  Mixture m[4];
  real sum = 0;
  for (int i = 0; i < 4; i++) {
    m[i].r = x[i] * x[1];
    m[i].w = (wide)x[i];
    m[i].s = (single)(m[i].r * (real)0.25);
    m[i].k = i > 1;
  }
  memmove(m + 1, m, 3 * sizeof *m);
  for (int i = 3; i > 0; i--)
    m[i].r = sin(m[i - 1].r);
  memmove(m, m + 1, (size_t)(n - 3) * sizeof *m);
  for (int i = 0; i < 4; i++)
    sum += (real)m[i].w * m[i].r + (real)m[i].s * m[m[i].k].k;
  return sum;
}

typedef struct {
  real at;
  int id;
} Marked;

SUM(copied_between_static_arrays, 4, 0.3, 1.1, -0.4, 1.2) {
  static Marked a[8], b[8];
  real sum = 0;
  for (int i = 0; i < 8; i++) {
    a[i].at = x[i % 4] * x[1];
    b[i].at = x[i % 4];
    a[i].id = b[i].id = i + 1;
  }
  memcpy(b + 1, a, (size_t)n * sizeof *a);
  memmove(a, a + 1, (size_t)(n - 2) * sizeof *a);
  for (int i = 0; i < 8; i += 2)
    sum += a[i].at * a[i].id * b[i].at;
  return sum;
}

typedef struct {
  char *data;
  size_t length, room, size;
} Vector;

static void start_vector(Vector *v, size_t size) {
  v->data = NULL;
  v->length = v->room = 0;
  v->size = size;
}

static void push(Vector *v, const void *element) {
  if (v->length == v->room) {
    v->room = v->room ? 2 * v->room : 2;
    v->data = (char *)realloc(v->data, v->room * v->size);
  }
  memcpy(v->data + v->length++ * v->size, element, v->size);
}

static void *element(const Vector *v, size_t i) { return v->data + i * v->size; }

SUM(vectors_of_any_elements, 3, 0.3, 1.1, -0.4) {
  Vector numbers, records;
  start_vector(&numbers, sizeof(real));
  start_vector(&records, sizeof(Marked));
  for (int i = 0; i < 2 * n; i++) {
    real number = x[i % 3] * (real)(i + 1);
    Marked record = {number * x[0], i};
    push(&numbers, &number);
    push(&records, &record);
  }
  real sum = 0;
  for (size_t i = 0; i < numbers.length; i++) {
    const Marked *record = (const Marked *)element(&records, i);
    sum += *(real *)element(&numbers, i) * record->at * (real)record->id;
  }
  free(numbers.data);
  free(records.data);
  return sum;
}

typedef struct {
  wide many[2];
  int id;
  single one;
} Tail;

typedef struct {
  wide one[1];
  int id;
  single last;
} ShortTail;

MAP(number_behind_a_walk, 2, 2, 0.75, 0.5, 0.5, 0.75) {
  Tail s, r;
  ShortTail t, u;
  memset(&s, 0, sizeof s);
  memset(&t, 0, sizeof t);
  for (int i = 0; i < 2; i++)
    s.many[i] = (wide)x[0] * (i + 1);
  for (int i = 0; i < 1; i++)
    t.one[i] = (wide)x[1] * (i + 1);
  s.one = (single)x[0];
  t.last = (single)x[1];
  r = s;
  u = t;
  if (x[0] > x[1]) {
    s.one = (single)(x[0] * x[1]);
    t.last = (single)(x[0] * x[0]);
  }
  for (int i = 0; i < 2; i++)
    y[0] += (real)r.many[i];
  for (int i = 0; i < 1; i++)
    y[1] += (real)u.one[i];
  y[0] += (real)(s.one * r.one);
  y[1] += (real)(t.last * u.last);
}

typedef struct {
  single mixed[4];
  int counts[3];
  wide sums[2];
} Started;

static Started started(real a, int k) {
  Started s = {.mixed = {(single)a}, .counts = {k}, .sums = {(wide)(a * a)}};
  return s;
}

static Started merged(Started a, Started b) {
  Started merged = a;
  merged.mixed[1] += b.mixed[0];
  merged.sums[1] = a.sums[0] * b.sums[0];
  merged.counts[2] += b.counts[0];
  return merged;
}

MAP(rest_of_an_initialiser, 3, 2, 0.75, 0.5, 0.25, 0.5, 0.75, 1.25) {
  Started s = started(x[0], 1);
  for (int k = 1; k < 3; k++)
    s = merged(s, started(x[k], k));
  y[0] = (real)(s.mixed[0] * s.mixed[1]);
  y[1] = (real)s.sums[1] * s.counts[2];
}

/* --- A member that the function which copies its struct twice never reads. --- */

typedef struct Kept {
  int counts[4];
  int bits[sizeof(wide) / sizeof(int)];
  short marks[1];
  single rates[2];
  single unread;
  single shares[2];
} Kept;

static void keep(Kept *k, wide x) {
  wide kept = x;
  memcpy(k->bits, &kept, sizeof kept);
}

static Kept stamped(Kept k, int times) {
  if (times % 3 == 1)
    k.counts[1] += (k.counts[3] % 3 + 1) & 15;
  keep(&k, k.shares[1]);
  k.rates[0] += k.marks[0];
  return k;
}

static NOINLINE Kept handed(Kept k, int times) {
  if (times <= 0)
    return k;
  return handed(k, times - 1);
}

SUM(a_member_that_is_only_copied, 2, 0.5, 1.5) {
  Kept a = {{0}, {0}, {0}, {0}, 0, {0}}, b = a;
  a.unread = (single)(x[0] * x[1]);
  for (int i = 0; i < n; i++) {
    b = stamped(a, i);
    a = handed(b, i);
  }
  return (real)b.unread;
}
