// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Models of functions without a body: bitcode that the plugin carries (src/models, docs/rules.md).
 *
 * For each function f of a library that is modelled there is a body, which the analyses read while
 * derivatives are made; it is deleted again when they stand. It calls a model M, with its numbers
 * by value, whose own body says what the library computes. Beside M stand
 *
 *   M_real       calls the library; it takes M's place when the derivatives stand
 *   M_forward    M's arguments, each pointer followed by its shadow and each float by its tangent;
 *                `active` if there are floats; `phases` if it writes memory. Returns {result,
 *                tangent}
 *   M_augmented  M's arguments, each pointer followed by its shadow; `active`, `changed`. Returns
 *                {tape, result}
 *   M_reverse    the same arguments; the adjoint of a result; the tape; `active`, `changed`;
 *                `again`. Returns the adjoints of all floats
 *
 * The shadow of what is constant is NULL. `active` has a bit for each float, the first one's
 * lowest: is its adjoint asked for, or its tangent there? That is no question to the tangent's
 * value, which may have a derivative where it is zero. `changed` has one for each pointer: may what
 * it points to be overwritten between augmented forward and reverse? The tape, one pointer, is
 * freed unless `again`. A model with neither tape in its reverse has none.
 *
 * For several directions at once the parts are called for each, and what runs the primal but once:
 * `phases` has bits for tangents that need what the primal overwrites, for the primal, and for
 * tangents that need its results. One that returns a float writes no memory, and is called without.
 * A model whose forward writes memory, and has no phases, has its loops differentiated then.
 *
 * A model without these parts runs its own loops, and they are differentiated.
 *
 * Such rules call models, never the library: so they are differentiated as what they are part of,
 * and serve all interfaces of a library. */
#ifndef NABLA_MODELS_MODEL_H
#define NABLA_MODELS_MODEL_H

#include "../runtime/memory.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* How far columns of so many rows are apart, without gaps: no library takes 0. */
#define APART(rows) ((rows) > 0 ? (rows) : 1)

enum { BEFORE = 1, PRIMAL = 2, AFTER = 4 };
enum { FIRST = 1, SECOND = 2, THIRD = 4, FOURTH = 8 };

#endif
