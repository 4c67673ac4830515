// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The memory of all longer numbers of a program, until all of it is released. */
#ifndef NABLA_RUNTIME_MPFR_REGISTRY_H
#define NABLA_RUNTIME_MPFR_REGISTRY_H

#include <stddef.h>

/* Memory, aligned to 16, that lasts until __nabla_mpfr_release. Never NULL. */
void *__nabla_mpfr_take(size_t size);
/* Before a thread computes: what MPFR keeps for it is given back when it ends. */
void __nabla_mpfr_note_thread(void);

#endif
