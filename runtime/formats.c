// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The movement of shadows in the formats that are rarer than float and double. */
#include "tape.h"

#include "walk.h"

typedef long double Long __attribute__((may_alias, aligned(1)));
typedef _Float16 Half __attribute__((may_alias, aligned(1)));

static inline void move_one_long(Long *to, Long *from) {
  long double adjoint = *to;
  *to = 0;
  *from += adjoint;
}

void __nabla_move_adjoint_long(char *to, char *from, uint64_t bytes, uint64_t first,
                               uint64_t period) {
  uint64_t count = element_count(bytes, first, period, sizeof(long double));
  if (to == from || count == 0)
    return;
  struct walk walk = adjoint_walk(to, from, count, first, period);
  for (; walk.left; walk.left--, walk.next += walk.step)
    move_one_long((Long *)(to + walk.next), (Long *)(from + walk.next));
}

void __nabla_zero_long(char *to, uint64_t bytes, uint64_t first, uint64_t period) {
  uint64_t count = element_count(bytes, first, period, sizeof(long double));
  for (uint64_t i = 0; i < count; i++)
    *(Long *)(to + first + i * period) = 0;
}

static inline void move_one_half(Half *to, Half *from) {
  _Float16 adjoint = *to;
  *to = 0;
  *from += adjoint;
}

void __nabla_move_adjoint_half(char *to, char *from, uint64_t bytes, uint64_t first,
                               uint64_t period) {
  uint64_t count = element_count(bytes, first, period, sizeof(_Float16));
  if (to == from || count == 0)
    return;
  struct walk walk = adjoint_walk(to, from, count, first, period);
  for (; walk.left; walk.left--, walk.next += walk.step)
    move_one_half((Half *)(to + walk.next), (Half *)(from + walk.next));
}

void __nabla_zero_half(char *to, uint64_t bytes, uint64_t first, uint64_t period) {
  uint64_t count = element_count(bytes, first, period, sizeof(_Float16));
  for (uint64_t i = 0; i < count; i++)
    *(Half *)(to + first + i * period) = 0;
}
