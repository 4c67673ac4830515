! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Loops that keep some of their states, by each schedule.
module loops
  implicit none
  integer, parameter :: places = 8
contains

  subroutine advance(i, u)
    integer, intent(in) :: i
    real(8), intent(inout) :: u(places)
    integer :: j
    do j = 1, places - 1
      u(j) = u(j) + 0.1d0 * (u(j + 1) - u(j)) * u(j) / (i + 1)
    end do
  end subroutine

  subroutine revolve(n, x, m, y)
    use enzyme
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    real(8) :: u(places)
    integer :: i
    u = x(:places)
    do i = 1, 20
      call enzyme_set_checkpointing(enzyme_ckpt_revolve, 3_8)
      call advance(i, u)
    end do
    y = u(:m)
  end subroutine

  subroutine periodic(n, x, m, y)
    use enzyme
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    real(8) :: u(places)
    integer :: i, j
    u = x(:places)
    do i = 1, 13
      call enzyme_set_checkpointing(enzyme_ckpt_periodic, 0_8)
      do j = 1, places
        u(j) = u(j) + 0.05d0 * sin(u(j) * i) * x(j)
      end do
    end do
    y = u(:m)
  end subroutine

  subroutine store_all(n, x, m, y)
    use enzyme
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    real(8) :: factor
    integer :: i
    factor = x(1)
    do i = 1, 9
      call enzyme_set_checkpointing(enzyme_ckpt_store_all, 0_8)
      factor = factor * cos(factor)
    end do
    y = factor * x(:m)
  end subroutine
end module
