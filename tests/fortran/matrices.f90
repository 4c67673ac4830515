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

  subroutine products_of_types(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    real(4) :: a(2, 2)
    real(8) :: b(2, 2), c(2, 2), v(2)
    complex(4) :: w(2)
    complex(8) :: z(2, 2)
    integer :: k(2, 2)
    a = reshape([1., 2., 3., 4.], [2, 2])
    k = reshape([4, 3, 2, 1], [2, 2])
    w = cmplx(a(:, 1), 2)
    b = reshape(x(1:4), [2, 2])
    c = matmul(a, b) + matmul(b, k)
    z = matmul(b, cmplx(b, 1, 8)) + matmul(cmplx(c, 2, 8), k)
    v = matmul(x(1:2), a)
    y = sum(c * c) + sum(abs(z)) + sum(v)
    y(2) = dot_product(a(:, 1), v) + dot_product(v, k(:, 2))
    y(3) = real(dot_product(w, z(:, 1))) + aimag(dot_product(z(:, 2), w))
    y(4) = aimag(dot_product(v, z(:, 2))) + real(dot_product(z(:, 1), v))
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

  subroutine places(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    real(8) :: a(2, n / 2)
    integer :: at(2), down(n / 2)
    integer(8) :: first(1)
    a = reshape(x, [2, n / 2])
    at = maxloc(a)
    down = minloc(a, 1)
    first = minloc(x, mask=x > x(1), kind=8)
    y(1) = a(at(1), at(2)) * x(maxloc(x, 1))
    y(2) = a(down(1), 1) * a(down(2), 2)
    y(3) = x(first(1)) * x(maxloc(real(x, 4), 1, back=.true.)) * x(maxloc(down, 1))
    y(4) = maxval(x(maxloc(a, 2))) * first(1)
    y(5) = x(1) * sum(minloc(a, mask=a > 100))
    y(6) = x(2) * sum(maxloc(a, 2, mask=a < x(3)))
    y(7) = x(3) * (at(1) + 10 * at(2))
    y(8) = x(4) * sum(down)
  end subroutine

  subroutine truths(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    real(8) :: a(2, n / 2)
    logical :: some(n / 2), every(2)
    a = reshape(x, [2, n / 2])
    some = any(a > x(1), 1)
    every = all(a > -100, 2)
    y = x(1:m) * count(x > x(2))
    if (any(x > x(3)) .and. .not. all(x > x(3))) y(1) = y(1) * x(2)
    y(2) = y(2) * sum(count(a > x(4), 1, kind=8)) + x(3) * sum(count(a > x(4), 2))
    y(3) = sum(merge(a(1, :), 2 * a(1, :), some))
    y(4) = sum(merge(a(:, 1), 2 * a(:, 1), every)) * merge(1, 0, all(x > 100))
  end subroutine

  subroutine squares(n, v, s)
    integer, intent(in) :: n
    real(8), intent(in) :: v(n)
    real(8), intent(out) :: s
    s = sum(v * v)
  end subroutine
end module
