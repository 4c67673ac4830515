! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Loops to a fixed point: of a step that is a function, and as they stand.
module fixed_points
  implicit none
  integer, parameter :: places = 8
contains

  logical function relax(i, u, x) result(more)
    integer(8), value :: i
    real(8), intent(inout) :: u(places)
    real(8), intent(in) :: x(places)
    real(8) :: old(places)
    old = u
    u = 0.25d0 * sin(cshift(old, 1) + old) + x
    more = maxval(abs(u - old)) > 1d-15 .and. i < 200
  end function

  subroutine by_a_function(n, x, m, y)
    use enzyme
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    real(8) :: u(places)
    u = 0
    call enzyme_fixed_point(relax, enzyme_fp_state, u, int(8 * places, 8), enzyme_fp_reduction, &
        1d-30, enzyme_fp_max_iters, 500_8, u, x)
    y = u(:m) * u(2)
  end subroutine

  subroutine as_it_stands(n, x, m, y)
    use enzyme
    use, intrinsic :: iso_c_binding, only: c_null_funptr
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    real(8) :: u(places), before, change
    integer :: j
    logical :: converged
    converged = .false.
    u = 0
    do while (.not. converged)
      call enzyme_set_fixed_point(1d-30, -1_8, c_null_funptr, u, int(8 * places, 8))
      change = 0
      do j = 1, places
        before = u(j)
        u(j) = 0.25d0 * sin(u(mod(j, places) + 1) + before) + x(j)
        change = max(change, abs(u(j) - before))
      end do
      converged = change < 1d-15
    end do
    y = u(:m) * u(2)
  end subroutine
end module
