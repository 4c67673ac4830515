// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The linear program, cheaper: without tangents that are zero or reach nothing, with chains of
 * single-use tangents folded, and with each coefficient computed once, as far out of loops as it
 * does not change. */
#ifndef NABLA_SIMPLIFY_H
#define NABLA_SIMPLIFY_H

#include "linear/linear.h"

/* A program that means the same as `linear`, which is not to be used any more: both share the
 * working copy, where coefficients come and go. -nabla-without= leaves out all of it, or steps
 * of it (base/optimisations.def). */
NbLinear *nb_simplify_linear(const NbLinear *linear);

#endif
