// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Functions whose calls are inlined into a working copy.
 *
 * Helpers that allocate for their caller, or free for it: an allocation and its release then stand
 * in one function, where the reverse sweep can order them. Helpers that move bytes of which only
 * their callers know what they hold; or that go from an owner's member to elements of a list, as if
 * these began there. C++'s inline functions, and those of Rust, where the pipeline
 * has not inlined them. */
#ifndef NABLA_PREPARE_HELPERS_H
#define NABLA_PREPARE_HELPERS_H

#include "prepare/prepare.h"

/* Returns whether there were any. */
bool nb_prepare_inline_helpers(NbWork *work);

#endif
