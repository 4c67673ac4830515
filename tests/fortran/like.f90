! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! A function whose derivative is that of a known one, and not that of what it computes.
module likeness
  implicit none
contains
  real(8) function logarithm(x)
    real(8), value :: x
    logarithm = x
  end function

  real(8) function f(x)
    real(8), intent(in) :: x
    f = 3 * logarithm(x * x)
  end function
end module

program like
  use checking
  use enzyme
  use likeness
  implicit none
  procedure(logarithm), pointer :: logarithm__enzyme_function_like__log => logarithm
  real(8) :: x = 2d0, dx = 0
  call enzyme_autodiff(f, enzyme_dup, x, dx)
  call same('the gradient', [dx], [3 * 4d0 / 4d0], exact)
end program
