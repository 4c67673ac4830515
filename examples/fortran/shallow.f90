! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Shallow water on a square with periodic edges: how does what a gauge sees react to the height of
! the water at the beginning, everywhere? The gradient is compared with differences, and that of the
! water's mass, which the scheme conserves, is the same everywhere.
module shallow
  implicit none
  real(8), parameter :: gravity = 9.81d0

contains

  ! One step by Lax and Friedrichs' scheme. q: height, and momentum in both directions; `ratio` is
  ! that of the time step to the distance of points.
  subroutine step(q, ratio)
    real(8), intent(inout) :: q(:, :, :)
    real(8), intent(in) :: ratio
    real(8), allocatable :: f(:, :, :), g(:, :, :)
    allocate(f, g, mold=q)
    associate (h => q(:, :, 1), hu => q(:, :, 2), hv => q(:, :, 3))
      f(:, :, 1) = hu
      f(:, :, 2) = hu**2 / h + 0.5d0 * gravity * h**2
      f(:, :, 3) = hu * hv / h
      g(:, :, 1) = hv
      g(:, :, 2) = hu * hv / h
      g(:, :, 3) = hv**2 / h + 0.5d0 * gravity * h**2
    end associate
    q = 0.25d0 * (cshift(q, 1, 1) + cshift(q, -1, 1) + cshift(q, 1, 2) + cshift(q, -1, 2)) &
        - 0.5d0 * ratio * (cshift(f, 1, 1) - cshift(f, -1, 1) + cshift(g, 1, 2) - cshift(g, -1, 2))
  end subroutine

  ! Height and momentum after some steps from rest.
  function run(height, steps) result(q)
    real(8), intent(in) :: height(:, :)
    integer, intent(in) :: steps
    real(8) :: q(size(height, 1), size(height, 2), 3)
    integer :: i
    q(:, :, 1) = height
    q(:, :, 2:) = 0
    do i = 1, steps
      call step(q, 0.1d0)
    end do
  end function

  ! How far the height at a gauge in the middle is from what was seen there, squared.
  real(8) function misfit(n, height, steps, seen)
    integer, intent(in) :: n, steps
    real(8), intent(in) :: height(n, n), seen
    real(8) :: last(n, n, 3)
    last = run(height, steps)
    misfit = (last(n / 2, n / 2, 1) - seen)**2
  end function

  real(8) function mass(n, height, steps)
    integer, intent(in) :: n, steps
    real(8), intent(in) :: height(n, n)
    real(8) :: last(n, n, 3)
    last = run(height, steps)
    mass = sum(last(:, :, 1)) / n**2
  end function
end module

program gradient
  use shallow
  use enzyme
  implicit none
  integer, parameter :: n = 32, steps = 40
  real(8), parameter :: seen = 1.2d0, h = 1d-3
  real(8) :: height(n, n), slope(n, n), equal(n, n), difference, error, uneven
  integer :: i, j

  do j = 1, n
    do i = 1, n
      height(i, j) = 1 + 0.5d0 * exp(-0.05d0 * ((i - 12)**2 + (j - 14)**2))
    end do
  end do
  slope = 0
  call enzyme_autodiff(misfit, enzyme_const, n, enzyme_dup, height, slope, enzyme_const, steps, &
      enzyme_const, seen)
  equal = 0
  call enzyme_autodiff(mass, enzyme_const, n, enzyme_dup, height, equal, enzyme_const, steps)

  error = 0
  do i = 4, n - 1, 5
    j = n - i
    difference = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h)
    error = max(error, abs(slope(i, j) - difference))
  end do
  uneven = maxval(abs(equal * n**2 - 1))
  print '(a, es9.2, a, es8.1)', 'misfit: largest slope ', maxval(abs(slope)), &
      ', difference from differences ', error
  print '(a, es8.1)', 'mass: largest difference of a slope from 1: ', uneven
  if (.not. (error < 1d-12 .and. maxval(abs(slope)) > 1d-3 .and. uneven < 1d-13)) stop 1

contains

  ! The misfit where the height at (i, j) is changed.
  real(8) function at(change)
    real(8), intent(in) :: change
    real(8) :: other(n, n)
    other = height
    other(i, j) = other(i, j) + change
    at = misfit(n, other, steps, seen)
  end function
end program
