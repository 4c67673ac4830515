// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The BLAS in both precisions, real and complex, by its C interface and by Fortran's, and parts of
 * LAPACK by the latter. */
#include "letters.h"
#include "model.h"
#include "names.h"

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

#include "blas_complex_band.inc"

#include "blas_banded.h"

#include "blas_complex_stored.inc"

#include "blas_packed.h"

#include "blas_complex_stored.inc"

#include "blas_complex_cblas.inc"

#include "blas_complex_cblas_more.inc"

#include "blas_complex_cblas_stored.inc"

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

#include "blas_complex_band.inc"

#include "blas_banded.h"

#include "blas_complex_stored.inc"

#include "blas_packed.h"

#include "blas_complex_stored.inc"

#include "blas_complex_fortran.inc"

#include "blas_complex_fortran_more.inc"

#include "blas_complex_fortran_stored.inc"

#include "blas_complex_fortran_values.inc"

#include "lapack_complex_loops.inc"

#include "lapack_complex.inc"

#include "lapack_complex_fortran.inc"

#include "lapack_complex_more.inc"

#include "lapack_complex_spectra_loops.inc"

#include "lapack_complex_spectra.inc"

#include "lapack_complex_fortran_spectra.inc"

#include "lapacke_complex.inc"
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

#include "blas_complex_band.inc"

#include "blas_banded.h"

#include "blas_complex_stored.inc"

#include "blas_packed.h"

#include "blas_complex_stored.inc"

#include "blas_complex_cblas.inc"

#include "blas_complex_cblas_more.inc"

#include "blas_complex_cblas_stored.inc"

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

#include "blas_complex_band.inc"

#include "blas_banded.h"

#include "blas_complex_stored.inc"

#include "blas_packed.h"

#include "blas_complex_stored.inc"

#include "blas_complex_fortran.inc"

#include "blas_complex_fortran_more.inc"

#include "blas_complex_fortran_stored.inc"

#include "blas_complex_fortran_values.inc"

#include "lapack_complex_loops.inc"

#include "lapack_complex.inc"

#include "lapack_complex_fortran.inc"

#include "lapack_complex_more.inc"

#include "lapack_complex_spectra_loops.inc"

#include "lapack_complex_spectra.inc"

#include "lapack_complex_fortran_spectra.inc"

#include "lapacke_complex.inc"
#undef LETTER
#undef LETTERS_WITH_REALS
#undef LETTERS_TO_REAL
#undef INTERFACE

#undef REAL
#undef REAL_LETTER
