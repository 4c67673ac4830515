/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The markers: in a call of an entry point, each says what the argument behind it is, or something
 * about the whole call. They are variables without a definition; nabla takes them away. */
#ifndef NABLA_MARKERS_H
#define NABLA_MARKERS_H

/* What an argument is: no derivative; followed by its shadow; the same, where the caller does not
 * need the value; a number whose adjoint is returned (reverse mode). */
extern int enzyme_const, enzyme_dup, enzyme_dupnoneed, enzyme_out;
/* The next argument's memory stays as it is between the two halves of split reverse mode. */
extern int enzyme_not_overwritten;

/* The bytes of the next argument, of which the call has a pointer. */
extern int enzyme_byref;

/* The result: leave it out; return it too; it has no derivative; it has an adjoint; it is returned
 * with its shadow. */
extern int enzyme_noret, enzyme_primal_return;
extern int enzyme_const_return, enzyme_active_return, enzyme_dup_return;

/* The tape of split reverse mode: where it lies, the size of that, and that it is read again. */
extern int enzyme_tape, enzyme_allocated, enzyme_nofree;

/* An argument that is its own shadow has no derivative; 0 * inf is 0 in derivatives. */
extern int enzyme_runtime_activity, enzyme_strong_zero;

/* Several directions at once: their number, and shadows that lie at a distance in bytes. */
extern int enzyme_width, enzyme_dupv, enzyme_dupnoneedv, enzyme_interleave;

/* In a batch of enzyme_width lanes: one argument for all; one for each (also without a marker);
 * the bytes between the lanes' pointers, behind which the first lane's stands. */
extern int enzyme_scalar, enzyme_vector, enzyme_buffer;

#endif
