// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The movement of shadows in __bf16, apart from the other formats: not every system can link it. */
#include "tape.h"

#include "walk.h"

typedef __bf16 Brain __attribute__((may_alias, aligned(1)));

static inline void move_one_bfloat(Brain *to, Brain *from) {
  __bf16 adjoint = *to;
  *to = 0;
  *from += adjoint;
}

void __nabla_move_adjoint_bfloat(char *to, char *from, uint64_t bytes, uint64_t first,
                                 uint64_t period) {
  uint64_t count = element_count(bytes, first, period, sizeof(__bf16));
  if (to == from || count == 0)
    return;
  struct walk walk = adjoint_walk(to, from, count, first, period);
  for (; walk.left; walk.left--, walk.next += walk.step)
    move_one_bfloat((Brain *)(to + walk.next), (Brain *)(from + walk.next));
}

void __nabla_zero_bfloat(char *to, uint64_t bytes, uint64_t first, uint64_t period) {
  uint64_t count = element_count(bytes, first, period, sizeof(__bf16));
  for (uint64_t i = 0; i < count; i++)
    *(Brain *)(to + first + i * period) = 0;
}
