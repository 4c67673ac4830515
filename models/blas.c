// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The BLAS in both precisions, real and complex, by its C interface and by Fortran's, and parts of
 * LAPACK by the latter. */
#include "letters.h"
#include "model.h"

/* Bodies that the analyses read, and calls that must stay what they are, are not inlined. */
#define MODEL_FUNCTION __attribute__((noinline))

/* --- Names ------------------------------------------------------------------------------------ */

#define JOIN(letter, name, interface, part) __nabla_model_##letter##name##_##interface##part
#define NAME(letter, name, interface, part) JOIN(letter, name, interface, part)
#define MODEL(name) NAME(LETTER, name, INTERFACE, )
#define LIBRARY(name) NAME(LETTER, name, INTERFACE, _real)
#define FORWARD(name) NAME(LETTER, name, INTERFACE, _forward)
#define AUGMENTED(name) NAME(LETTER, name, INTERFACE, _augmented)
#define REVERSE(name) NAME(LETTER, name, INTERFACE, _reverse)
#define REAL_MODEL(name) NAME(REAL_LETTER, name, INTERFACE, )
#define JOIN_OWN(letter, name, interface) letter##_##interface##_##name
#define OWN_NAME(letter, name, interface) JOIN_OWN(letter, name, interface)
#define HELPER(name) OWN_NAME(LETTER, name, INTERFACE)
#define TYPE(name) OWN_NAME(LETTER, name, INTERFACE)

#define VALUE_NAME(letter) value_of_##letter
#define VALUE_NAME_OF(letter) VALUE_NAME(letter)
#define VALUE_OF(x) VALUE_NAME_OF(REAL_LETTER)(x)

/* What is made of __enzyme_ignore_derivatives (src/request/sites.c). */
__attribute__((const)) double value_of_d(double x) __asm__("__nabla_ignored.double");
__attribute__((const)) float value_of_s(float x) __asm__("__nabla_ignored.float");

/* --- The eight --------------------------------------------------------------------------------
 */

#define REAL double
#define REAL_LETTER d
#define INTERFACE c
#define LETTER d
#include "blas.inc"

#include "blas_cblas.inc"

#include "blas_cblas_stored.inc"
#undef LETTER
#define LETTER z
#define LETTERS_WITH_REALS zd
#define LETTERS_TO_REAL dz
#include "blas_complex.inc"

#include "blas_complex_cblas.inc"

#include "blas_complex_cblas_more.inc"

#include "blas_complex_cblas_values.inc"
#undef LETTER
#undef LETTERS_WITH_REALS
#undef LETTERS_TO_REAL
#undef INTERFACE

#define INTERFACE f
#define LETTER d
#include "blas.inc"

#include "blas_fortran.inc"

#include "blas_fortran_stored.inc"

#include "lapack_loops.inc"

#include "lapack_reflections_loops.inc"

#include "lapack_factors.inc"

#include "lapack_reflections.inc"

#include "lapack_fortran.inc"

#include "lapack_fortran_more.inc"

#include "lapack_spectra_loops.inc"

#include "lapack_spectra.inc"

#include "lapack_fortran_spectra.inc"

#include "lapacke.inc"
#undef LETTER
#define LETTER z
#define LETTERS_WITH_REALS zd
#define LETTERS_TO_REAL dz
#include "blas_complex.inc"

#include "blas_complex_fortran.inc"

#include "blas_complex_fortran_more.inc"

#include "blas_complex_fortran_values.inc"

#include "lapack_complex_loops.inc"

#include "lapack_complex.inc"

#include "lapack_complex_fortran.inc"
#undef LETTER
#undef LETTERS_WITH_REALS
#undef LETTERS_TO_REAL
#undef INTERFACE

#undef REAL
#undef REAL_LETTER

#define REAL float
#define REAL_LETTER s
#define INTERFACE c
#define LETTER s
#include "blas.inc"

#include "blas_cblas.inc"

#include "blas_cblas_stored.inc"
#undef LETTER
#define LETTER c
#define LETTERS_WITH_REALS cs
#define LETTERS_TO_REAL sc
#include "blas_complex.inc"

#include "blas_complex_cblas.inc"

#include "blas_complex_cblas_more.inc"

#include "blas_complex_cblas_values.inc"
#undef LETTER
#undef LETTERS_WITH_REALS
#undef LETTERS_TO_REAL
#undef INTERFACE

#define INTERFACE f
#define LETTER s
#include "blas.inc"

#include "blas_fortran.inc"

#include "blas_fortran_stored.inc"

#include "lapack_loops.inc"

#include "lapack_reflections_loops.inc"

#include "lapack_factors.inc"

#include "lapack_reflections.inc"

#include "lapack_fortran.inc"

#include "lapack_fortran_more.inc"

#include "lapack_spectra_loops.inc"

#include "lapack_spectra.inc"

#include "lapack_fortran_spectra.inc"

#include "lapacke.inc"
#undef LETTER
#define LETTER c
#define LETTERS_WITH_REALS cs
#define LETTERS_TO_REAL sc
#include "blas_complex.inc"

#include "blas_complex_fortran.inc"

#include "blas_complex_fortran_more.inc"

#include "blas_complex_fortran_values.inc"

#include "lapack_complex_loops.inc"

#include "lapack_complex.inc"

#include "lapack_complex_fortran.inc"
#undef LETTER
#undef LETTERS_WITH_REALS
#undef LETTERS_TO_REAL
#undef INTERFACE

#undef REAL
#undef REAL_LETTER
