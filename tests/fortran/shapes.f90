! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! A function that takes an array of explicit shape hands it on as one of assumed shape, and does no
! more with its size.
module shapes
  implicit none
contains
  real(8) function of_all(x)
    real(8), intent(in) :: x(:)
    integer :: i
    of_all = 0
    do i = 1, size(x)
      of_all = of_all + x(i) ** 2
    end do
  end function

  real(8) function summed(x)
    real(8), intent(in) :: x(:)
    summed = sum(x)
  end function

  real(8) function f(n, x)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    f = of_all(x)
  end function

  real(8) function g(n, x)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    g = summed(x)
  end function
end module

program shapes_of_arrays
  use checking
  use enzyme
  use shapes
  implicit none
  real(8) :: x(3) = [1d0, 2d0, 3d0], dx(3) = 0
  call enzyme_autodiff(f, enzyme_const, 3, enzyme_dup, x, dx)
  call same('the gradient', dx, 2 * x, exact)
  dx = 0
  call enzyme_autodiff(g, enzyme_const, 3, enzyme_dup, x, dx)
  call same('the gradient of a sum', dx, [1d0, 1d0, 1d0], exact)
end program
