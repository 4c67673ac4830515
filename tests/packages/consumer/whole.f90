! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
module whole_model
contains
  real(8) function energy(x)
    real(8), intent(in) :: x(3)
    energy = sum(x**2)
  end function
end module

program find
  use whole_model
  use enzyme
  real(8) :: x(3) = [1d0, 2d0, 3d0], slope(3) = 0
  call enzyme_autodiff(energy, enzyme_dup, x, slope)
  if (any(slope /= 2 * x)) stop 1
end program
