! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! What the tests compare derivatives with. A case is a subroutine (n, x, m, y) with y = f(x).
module checking
  implicit none
  integer, parameter :: inputs = 8, outputs = 8
  real(8), parameter :: step = 1d-3, exact = 1d-11, near = 1d-7

  abstract interface
    subroutine case_interface(n, x, m, y)
      integer, intent(in) :: n, m
      real(8), intent(in) :: x(n)
      real(8), intent(out) :: y(m)
    end subroutine
  end interface

contains

  subroutine fill(x, direction, weights)
    real(8), intent(out) :: x(inputs), direction(inputs), weights(outputs)
    integer :: i
    do i = 1, inputs
      x(i) = 0.37d0 + 0.11d0 * mod(3 * i, 8)
      direction(i) = sin(1.3d0 * i)
    end do
    do i = 1, outputs
      weights(i) = cos(1d0 * i)
    end do
  end subroutine

  function along(f, x, direction, distance) result(y)
    procedure(case_interface) :: f
    real(8), intent(in) :: x(inputs), direction(inputs), distance
    real(8) :: y(outputs), there(inputs)
    there = x + distance * direction
    call f(inputs, there, outputs, y)
  end function

  ! Central differences of four steps, extrapolated twice.
  function differences(f, x, direction) result(slope)
    procedure(case_interface) :: f
    real(8), intent(in) :: x(inputs), direction(inputs)
    real(8) :: slope(outputs), d(outputs, 3), h
    integer :: i
    do i = 1, 3
      h = step / 2**i
      d(:, i) = (along(f, x, direction, h) - along(f, x, direction, -h)) / (2 * h)
    end do
    d(:, 1) = (4 * d(:, 2) - d(:, 1)) / 3
    d(:, 2) = (4 * d(:, 3) - d(:, 2)) / 3
    slope = (16 * d(:, 2) - d(:, 1)) / 15
  end function

  ! Ends the program where the two are apart.
  subroutine same(what, given, expected, tolerance)
    character(*), intent(in) :: what
    real(8), intent(in) :: given(:), expected(:), tolerance
    if (all(abs(given - expected) <= tolerance * (1 + abs(expected)))) return
    print *, what, ' is ', given, ' and should be ', expected
    stop 1
  end subroutine
end module
