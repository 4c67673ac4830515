// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Each kernel is compiled twice: WITH_RESTRICT says whether its arguments are known not to overlap;
 * and twice again for EARLY derivatives. */
#ifndef BENCH_KERNEL_H
#define BENCH_KERNEL_H

#include "../bench.h"

#ifdef WITH_RESTRICT
#define RESTRICT restrict
#define SPELT(name) name##_restrict
#else
#define RESTRICT
#define SPELT(name) name##_plain
#endif

#ifdef EARLY
#define JOINED(spelt) spelt##_early
#define JOIN(spelt) JOINED(spelt)
#define VARIANT(name) JOIN(SPELT(name))
#else
#define VARIANT(name) SPELT(name)
#endif

extern int enzyme_const, enzyme_dup;
double __enzyme_fwddiff(void *, ...);
void __enzyme_autodiff(void *, ...);

#endif
