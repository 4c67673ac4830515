! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Arrays as a whole: expressions, reductions, masks, results. At -O0 flang's runtime library does
! most of it, at the other levels the compiler itself.
module arrays
  implicit none
contains

  subroutine reductions(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    y(1) = sum(x)
    y(2) = dot_product(x, x(n:1:-1))
    y(3) = maxval(x) * minval(x)
    y(4) = product(x)
    y(5) = norm2(x)
    y(6) = sum(x, mask=x > 0.5d0)
    y(7) = maxval(x, mask=x < 0.9d0) + product(x(2:n:2), mask=x(2:n:2) > 0.4d0)
    y(8) = real(sum(real(x, 4)), 8) * 0 + x(3)
  end subroutine

  subroutine masks(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    real(8) :: a(n)
    integer :: i
    a = x
    where (a > 0.5d0)
      a = a * a
    elsewhere
      a = sin(a)
    end where
    forall (i = 2:n) a(i) = a(i - 1) * 2
    do concurrent (i = 1:m)
      y(i) = a(mod(i, n) + 1) ** 3 + abs(a(1)) + a(2) ** 0.3d0
    end do
  end subroutine

  subroutine overlapping(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    real(8) :: a(n)
    a = x
    a(2:n) = a(1:n - 1)
    a(1:n - 1) = a(2:n) * a(1:n - 1)
    a = a(n:1:-1)
    y(1:m) = a(1:m)
  end subroutine

  function scaled(x) result(v)
    real(8), intent(in) :: x(:)
    real(8) :: v(size(x))
    v = x * sum(x)
  end function

  subroutine results(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    y = 0
    y(1:n) = scaled(x)
    y(1:n) = y(1:n) + scaled(x(n:1:-1))
  end subroutine

  subroutine random_weights(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    real(8) :: r(m), s
    real(4) :: t(2, m)
    integer :: words, seed(64)
    call random_seed(size=words)
    seed = 7
    call random_seed(put=seed(1:words))
    r = x(1)
    s = x(2)
    t = real(x(3), 4)
    call random_number(r(2:m))
    call random_number(s)
    call random_number(t(1, :))
    y = r * x(2) + s * x(1) + real(t(1, :), 8) * x(2) ** 2
    y(1) = y(1) * x(1)
  end subroutine
end module
