/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Derivatives in C. An entry point is called with the function and its arguments, and returns what
 * the derivative has as its result:
 *
 *   double f(const double *x, double s, int n);
 *   double ds = __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_out, s, enzyme_const, n);
 *
 * adds the gradient to dx and returns the adjoint of s. Without markers pointers are enzyme_dup,
 * floats enzyme_out (in forward mode enzyme_dup) and integers enzyme_const. Any name that begins
 * like one of these is the same entry point: declare your own for other results, or with the
 * macros. */
#ifndef NABLA_NABLA_H
#define NABLA_NABLA_H

#include <stddef.h>

#include "nabla/markers.h"
#include "nabla/version.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reverse mode: adjoints of the enzyme_out arguments; several as a struct. */
double __enzyme_autodiff(void *, ...);
float __enzyme_autodiff_float(void *, ...);
void __enzyme_autodiff_void(void *, ...);
/* Forward mode: the tangent of the result. */
double __enzyme_fwddiff(void *, ...);
float __enzyme_fwddiff_float(void *, ...);
void __enzyme_fwddiff_void(void *, ...);
/* Split reverse mode: the first returns the tape, which the second takes last, behind the adjoint
 * of the result. The size of the tape is asked for with the markers alone. */
void *__enzyme_augmentfwd(void *, ...);
double __enzyme_reverse(void *, ...);
float __enzyme_reverse_float(void *, ...);
void __enzyme_reverse_void(void *, ...);
size_t __enzyme_augmentsize(void *, ...);
/* Forward mode with the tape, last, of an augmented forward of the same function. */
double __enzyme_fwdsplit(void *, ...);
void __enzyme_fwdsplit_void(void *, ...);

/* As forward mode, with bounds of errors in place of tangents, as parts of the values (of a value
 * that is 0 the error itself): each operation adds what rounding may have done. */
double __enzyme_error_estimate(void *, ...);
/* As forward mode, with sets of inputs in place of tangents, a bit for each in a number's own bits:
 * what a value is computed from (docs/sparse.md). */
double __enzyme_sparsity(void *, ...);
void __enzyme_sparsity_void(void *, ...);
/* The function for several sets of arguments at once, without a derivative. */
void __enzyme_batch(void *, ...);

/* Entry points with another result: NABLA_REVERSE(struct pair, pair); declares
 * __enzyme_autodiff_pair. */
#define NABLA_REVERSE(result, name) extern result __enzyme_autodiff_##name(void *, ...)
#define NABLA_FORWARD(result, name) extern result __enzyme_fwddiff_##name(void *, ...)
#define NABLA_AUGMENTED(result, name) extern result __enzyme_augmentfwd_##name(void *, ...)
#define NABLA_BATCH(result, name) extern result __enzyme_batch_##name(void *, ...)
#define NABLA_CALL_INACTIVE(result, name) extern result __enzyme_call_inactive_##name(void *, ...)

/* The function in another format, of the function's own type; the second, whose memory holds
 * numbers of that format, too. Formats are bits (f, 64, 32), or bits of the exponent and of the
 * significand (f, 64, 8, 12). */
void *__enzyme_truncate_op_func(void *, int, int, ...);
void *__enzyme_truncate_mem_func(void *, int, int, ...);
/* One number into what such memory holds, and back. */
double __enzyme_truncate_mem_value(double, int, int, ...);
double __enzyme_expand_mem_value(double, int, int, ...);
float __enzyme_truncate_mem_value_float(float, int, int, ...);
float __enzyme_expand_mem_value_float(float, int, int, ...);

/* What calls through pointers find behind a shadow pointer to a function: here the function. */
void *__enzyme_virtualreverse(void *);
/* The call of the function at this place, of which no derivative is wanted. */
double __enzyme_call_inactive(void *, ...);
float __enzyme_call_inactive_float(void *, ...);
void __enzyme_call_inactive_void(void *, ...);

/* At one place: a value whose derivative is ignored; what memory holds, in bytes. */
double __enzyme_ignore_derivatives(double);
float __enzyme_ignore_derivatives_float(float);
void __enzyme_double(void *, size_t);
void __enzyme_float(void *, size_t);
void __enzyme_integer(void *, size_t);
void __enzyme_pointer(void *, size_t);
/* Hints that existing code has: the first argument itself; nothing. */
long __enzyme_iter(long, long);
void __enzyme_set_mincut(int);

#ifdef __cplusplus
}
#endif

/* --- Registrations, outside of functions.
 * --------------------------------------------------------- */

#define NABLA_KEPT static __attribute__((used)) void *

/* `forward`, or `augmented` and `reverse`, are the derivative of `f` (docs/rules.md). */
#define NABLA_DERIVATIVE(f, forward)                                                               \
  NABLA_KEPT __enzyme_register_derivative_##f[] = {(void *)(f), (void *)(forward)}
#define NABLA_GRADIENT(f, augmented, reverse)                                                      \
  NABLA_KEPT __enzyme_register_gradient_##f[] = {(void *)(f), (void *)(augmented),                 \
                                                 (void *)(reverse)}
#define NABLA_SPLIT_DERIVATIVE(f, augmented, split)                                                \
  NABLA_KEPT __enzyme_register_splitderivative_##f[] = {(void *)(f), (void *)(augmented),          \
                                                        (void *)(split)}
/* No derivative passes through `f`. */
#define NABLA_INACTIVE(f) NABLA_KEPT __enzyme_inactivefn_##f = (void *)(f)
/* The same; `f` may be inlined before. */
#define NABLA_INACTIVE_NOBLOCK(f) NABLA_KEPT __enzyme_inactivenoblockfn_##f = (void *)(f)
/* `f` has the derivative of the function that `name`, a text, names. */
#define NABLA_LIKE(f, name) NABLA_KEPT __enzyme_function_like_##f[] = {(void *)(f), (void *)(name)}
/* The global `g` has no derivative, or this shadow. */
#define NABLA_INACTIVE_GLOBAL(g) NABLA_KEPT __enzyme_inactive_global_##g = (void *)&(g)
#define NABLA_SHADOW_GLOBAL(g, shadow)                                                             \
  NABLA_KEPT __enzyme_shadow_global_##g[] = {(void *)&(g), (void *)&(shadow)}
/* `f` returns as many bytes as its argument number `size` says, which `release` gives back. */
#define NABLA_ALLOCATOR(f, size, release)                                                          \
  NABLA_KEPT __enzyme_allocation_like_##f[] = {(void *)(f), (void *)(size), (void *)"-1",          \
                                               (void *)(release)}
/* Accepted, for nabla finds out by itself: `f` frees nothing; what it allocates does not outlive
 * it; it is computed again rather than kept. */
#define NABLA_NOFREE(f) NABLA_KEPT __enzyme_nofree_##f = (void *)(f)
#define NABLA_NO_ESCAPING_ALLOCATION(f) NABLA_KEPT __enzyme_no_escaping_allocation_##f = (void *)(f)
#define NABLA_SHOULD_RECOMPUTE(f) NABLA_KEPT __enzyme_shouldrecompute_##f = (void *)(f)

#endif
