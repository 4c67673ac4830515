! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Several directions at once, whose number Fortran passes as an address.
module quadratics
  implicit none
contains
  subroutine quadratic(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    y = x**2 * x(n:1:-1)
  end subroutine
end module

program directions
  use quadratics
  use checking
  use enzyme
  implicit none
  integer, parameter :: two = 2
  external :: quadratic__enzyme_batch
  real(8) :: x(3) = [1d0, 2d0, 3d0], y(3), first(3), second(3), d1(3), d2(3), w(3)
  first = [1d0, 0d0, 0d0]
  second = [0d0, 1d0, 0d0]
  call enzyme_fwddiff(quadratic, enzyme_width, 2, enzyme_const, 3, enzyme_dup, x, first, second, &
      enzyme_dup, y, d1, d2)
  call same('the first', d1, [6d0, 0d0, 9d0], 1d-14)
  call same('the second', d2, [0d0, 12d0, 0d0], 1d-14)
  d1 = 0
  d2 = 0
  call enzyme_fwddiff(quadratic, enzyme_width, 2_8, enzyme_const, 3, enzyme_dup, x, &
      enzyme_dup, y, enzyme_interleave, first, second, d1, d2)
  call same('the second of those behind', d2, [0d0, 12d0, 0d0], 1d-14)
  d1 = [1d0, 0d0, 0d0]
  d2 = [0d0, 0d0, 1d0]
  first = 0
  second = 0
  call enzyme_autodiff(quadratic, enzyme_width, two, enzyme_const, 3, enzyme_dup, x, first, second, &
      enzyme_dup, y, d1, d2)
  call same('the first gradient', first, [6d0, 0d0, 1d0], 1d-14)
  call same('the second gradient', second, [9d0, 0d0, 6d0], 1d-14)
  call quadratic__enzyme_batch(quadratic, enzyme_width, 2, enzyme_scalar, 3, enzyme_vector, x, 2 * x, &
      enzyme_vector, y, w)
  call same('the second lane', w, 8 * y, 1d-14)
end program
