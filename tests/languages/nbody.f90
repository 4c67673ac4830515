! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
function energy_other(n, steps, dt, mass, position, velocity) result(energy) bind(c)
  use, intrinsic :: iso_c_binding, only: c_double, c_long
  implicit none
  integer(c_long), value :: n, steps
  real(c_double), value :: dt
  real(c_double), intent(in) :: mass(n)
  real(c_double), intent(inout) :: position(3, n), velocity(3, n)
  real(c_double) :: energy, d(3), square, pull
  integer(c_long) :: s, i, j
  do s = 1, steps
    do i = 1, n
      do j = i + 1, n
        d = position(:, i) - position(:, j)
        square = dot_product(d, d)
        pull = dt / (square * sqrt(square))
        velocity(:, i) = velocity(:, i) - d * mass(j) * pull
        velocity(:, j) = velocity(:, j) + d * mass(i) * pull
      end do
    end do
    position = position + dt * velocity
  end do
  energy = 0
  do i = 1, n
    energy = energy + 0.5d0 * mass(i) * sum(velocity(:, i)**2)
    do j = i + 1, n
      d = position(:, i) - position(:, j)
      energy = energy - mass(i) * mass(j) / sqrt(dot_product(d, d))
    end do
  end do
end function
