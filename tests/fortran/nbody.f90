! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! The gradient of an energy after some steps of n bodies: a function whose result is real.
module nbody
  implicit none
contains

  function energy(n, steps, dt, mass, pos, vel) result(e)
    integer, intent(in) :: n, steps
    real(8), intent(in) :: dt, mass(n)
    real(8), intent(inout) :: pos(3, n), vel(3, n)
    real(8) :: e, d(3), r2, mag
    integer :: s, i, j
    do s = 1, steps
      do i = 1, n
        do j = i + 1, n
          d = pos(:, i) - pos(:, j)
          r2 = dot_product(d, d)
          mag = dt / (r2 * sqrt(r2))
          vel(:, i) = vel(:, i) - d * mass(j) * mag
          vel(:, j) = vel(:, j) + d * mass(i) * mag
        end do
      end do
      pos = pos + dt * vel
    end do
    e = 0
    do i = 1, n
      e = e + 0.5d0 * mass(i) * sum(vel(:, i)**2)
      do j = i + 1, n
        d = pos(:, i) - pos(:, j)
        e = e - mass(i) * mass(j) / sqrt(dot_product(d, d))
      end do
    end do
  end function

  subroutine start(n, mass, pos, vel)
    integer, intent(in) :: n
    real(8), intent(out) :: mass(n), pos(3, n), vel(3, n)
    integer :: i
    do i = 1, n
      mass(i) = 1d0 / i
      pos(:, i) = [1d0 * i, sin(1d0 * i), cos(2d0 * i)]
      vel(:, i) = [0.1d0 * i, cos(1d0 * i), -0.3d0 * i]
    end do
  end subroutine
end module

program nbody_gradient
  use nbody
  use enzyme
  implicit none
  real(8), external :: energy__enzyme_fwddiff
  integer, parameter :: n = 5, steps = 20
  real(8), parameter :: dt = 1d-2, h = 1d-5
  real(8) :: mass(n), dmass(n), pos(3, n), dpos(3, n), vel(3, n), dvel(3, n)
  real(8) :: gradient(3, n), tangent, difference
  integer :: i, k

  call start(n, mass, pos, vel)
  dmass = 0
  dpos = 0
  dvel = 0
  call enzyme_autodiff(energy, enzyme_const, n, enzyme_const, steps, enzyme_const, dt, &
      enzyme_dup, mass, dmass, enzyme_dup, pos, dpos, enzyme_dup, vel, dvel)
  gradient = dpos
  do i = 1, n
    do k = 1, 3
      call start(n, mass, pos, vel)
      dpos = 0
      dvel = 0
      dpos(k, i) = 1
      tangent = energy__enzyme_fwddiff(energy, enzyme_const, n, enzyme_const, steps, &
          enzyme_const, dt, enzyme_const, mass, enzyme_dup, pos, dpos, enzyme_dup, vel, dvel)
      if (abs(tangent - gradient(k, i)) > 1d-12) stop 1
    end do
  end do
  call start(n, mass, pos, vel)
  pos(2, 3) = pos(2, 3) + h
  difference = energy(n, steps, dt, mass, pos, vel)
  call start(n, mass, pos, vel)
  pos(2, 3) = pos(2, 3) - h
  difference = (difference - energy(n, steps, dt, mass, pos, vel)) / (2 * h)
  if (abs(difference - gradient(2, 3)) > 1d-8) stop 2
end program
