! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Names for parts of arrays, arguments that may be missing, and procedures in procedures.
module names
  implicit none
contains

  subroutine mul(a, lda, nr, nc, v, r)
    integer, intent(in) :: lda, nr, nc
    real(8), intent(in) :: a(lda, *), v(*)
    real(8), intent(out) :: r(*)
    integer :: i
    do i = 1, nr
      r(i) = sum(a(i, 1:nc) * v(1:nc))
    end do
  end subroutine

  real(8) function maybe(a, b, k)
    real(8), intent(in) :: a
    real(8), intent(in), optional :: b
    integer, intent(in), optional :: k
    maybe = a**2
    if (present(b)) maybe = maybe * b
    if (present(k)) maybe = maybe + k * a
  end function

  elemental pure real(8) function cube(a)
    real(8), intent(in) :: a
    if (a > 1) then
      cube = a**3
    else
      cube = a * 2
    end if
  end function

  subroutine remapped(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    real(8), target :: a(3, 4)
    real(8), pointer :: p(:), q(:, :)
    a = reshape(x(1:6), [3, 4], pad=[2d0])
    p(1:12) => a
    p(2) = p(2) * x(1)
    q(0:1, 1:3) => p
    y = p(3) * a(2, 1) + q(1, 2)
    y(2) = sum(p * p)
    p => a(:, 2)
    y(3) = sum(p)
    p => a(2, :)
    y(4) = product(p)
  end subroutine

  subroutine parts(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    real(8) :: a(3, 3)
    a = reshape(x, [3, 3], pad=x)
    associate (d => a(2, :), e => a(1:3:2, 3))
      d = d * x(1)
      e = e + d(1:2)
    end associate
    y = sum(a * a)
    y(2:4) = a(:, 3)
  end subroutine

  subroutine leading(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    real(8) :: a(4, 3), v(3)
    a = reshape(x, [4, 3], pad=x)
    v = x(1:3)
    call mul(a, 4, 2, 3, v, y)
    y(3:m) = y(1) * x(2)
  end subroutine

  subroutine statement(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    real(8) :: sq, a, b, arr(4), brr(2, 2)
    equivalence (arr, brr)
    sq(a, b) = a * a + b
    arr = x(1:4)
    brr(1, 2) = sq(x(1), brr(2, 2))
    y = arr(3) * arr(2)
    y(2) = sq(arr(1), arr(4))
  end subroutine

  subroutine optionals(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    y = 0
    y(1) = maybe(x(1)) + maybe(x(2), x(3)) + maybe(x(1), k=3)
    y(2:5) = cube(x(1:4))
    y(6) = sum(cube(x)) * cube(x(1))
    associate (a => x(1:3), b => x(2) * 2)
      y(7) = sum(a) * b
    end associate
    block
      real(8) :: t(2)
      integer :: i
      t = x(1:2)
      do i = 1, 2
        y(8) = y(8) + t(i)**2 * i
      end do
    end block
  end subroutine

  subroutine hosts(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    real(8) :: t, w(3)
    w = x(1:3)
    t = x(1)
    call inner(2)
    y = t * f(x(2))
    y(3) = sum(w)
  contains
    subroutine inner(k)
      integer, intent(in) :: k
      t = t * x(k)
      w = w * t
    end subroutine
    real(8) function f(a)
      real(8), intent(in) :: a
      f = a * t + w(2)
    end function
  end subroutine
end module
