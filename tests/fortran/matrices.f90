! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Functions of arrays whose results are arrays.
module matrices
  implicit none
contains

  subroutine products(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    real(8) :: a(2, 2), b(2, 2), c(2, 2)
    a = reshape(x(1:4), [2, 2])
    b = transpose(a) + 1
    c = matmul(a, b)
    y(1:4) = reshape(c, [4])
    y(5:6) = matmul(a, x(1:2))
    y(7:8) = matmul(x(3:4), b)
  end subroutine

  subroutine dimensions(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    real(8) :: a(2, n / 2)
    a = reshape(x, [2, n / 2], order=[2, 1])
    y(1:2) = sum(a, dim=2)
    y(3) = sum(maxval(a, dim=1))
    y(4) = sum(product(a, dim=1, mask=a > 0.5d0))
    y(5:6) = minval(a, dim=2)
    y(7) = sum(a, mask=a > 0.3d0)
    y(8) = sum(merge(a, 2 * a, a > 0.5d0)) + norm2(a)
  end subroutine

  subroutine shifts(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    real(8) :: a(2, n / 2), b(2, n / 2)
    a = reshape(x, [2, n / 2])
    b = cshift(a, 1, dim=2) * a
    y(1:4) = reshape(b(:, 1:2), [4])
    b = eoshift(a, [1, -1], boundary=2d0, dim=2) * a
    y(5:6) = b(:, 3)
    y(7:8) = eoshift(a(:, 1), 1) * cshift(a(:, 2), -1)
  end subroutine

  subroutine copies(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    real(8) :: a(3, 3), b(3)
    integer :: i
    a = spread(x(1:3), 2, 3) * spread(x(2:4), 1, 3)
    y = 0
    do i = 1, 3
      call squares(3, a(i, :), y(i))
    end do
    y(4:6) = pack(a(:, 2), a(:, 2) > -100)
    b = unpack(x(5:7), [.true., .false., .true.], x(1:3))
    y(7:8) = b(2:3) * pack(x, x > 1.1d0, spread(1d0, 1, 2))
  end subroutine

  subroutine squares(n, v, s)
    integer, intent(in) :: n
    real(8), intent(in) :: v(n)
    real(8), intent(out) :: s
    s = sum(v * v)
  end subroutine
end module
