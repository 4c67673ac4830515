! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! libraries: -lopenblas
! Calls of the BLAS and of LAPACK, which carry the lengths of their character arguments.
module libraries
  implicit none
contains

  subroutine chain(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    real(8) :: a(3, 3), p(3, 3), t(3, 3), c(3, 3)
    integer :: i, j
    do j = 1, 3
      do i = 1, 3
        a(i, j) = x(1 + mod(i + 2 * j, n)) * i
        p(i, j) = x(1 + mod(2 * i + j, n)) + j
      end do
    end do
    call dgemm('N', 'T', 3, 3, 3, 1d0, a, 3, p, 3, 0d0, t, 3)
    call dgemm('N', 'N', 3, 3, 3, x(1), t, 3, a, 3, 0d0, c, 3)
    do i = 1, m
      y(i) = c(1 + mod(i, 3), 1 + mod(2 * i, 3)) * x(2)
    end do
  end subroutine

  subroutine vector(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    real(8) :: a(4, 3), v(4), w(4)
    real(8), external :: ddot, dnrm2
    integer :: i
    a = spread(x(1:4), 2, 3) * 2
    v = x(1:4)**2
    w = 1
    call dgemv('T', 4, 3, x(2), a, 4, v, 1, 0.5d0, w, 1)
    y(1) = ddot(3, w, 1, x, 1) + dnrm2(3, w, 1)
    do i = 2, m
      y(i) = y(i - 1) * w(1 + mod(i, 3))
    end do
  end subroutine

  subroutine factors(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    real(8) :: a(3, 3), b(3, 2)
    integer :: i, info
    a = spread(x(1:3), 2, 3) * spread(x(1:3), 1, 3)
    do i = 1, 3
      a(i, i) = a(i, i) + 2 + x(i)
      b(i, :) = x(i:i + 1)
    end do
    call dpotrf('L', 3, a, 3, info)
    if (info /= 0) stop 1
    call dpotrs('L', 3, 2, a, 3, b, 3, info)
    y(1:6) = reshape(b, [6])
    y(7:m) = x(1) * b(1, 1)
  end subroutine

  subroutine solve(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    real(8) :: a(3, 3), b(3)
    integer :: i, info, pivots(3)
    a = spread(x(1:3), 2, 3) * spread(x(2:4), 1, 3)
    do i = 1, 3
      a(i, mod(i, 3)+1) = a(i, mod(i, 3)+1) + 2 + x(i)
    end do
    b = x(1:3)
    call dgesv(3, 1, a, 3, pivots, b, 3, info)
    y(1:3) = b
    call dgetrs('T', 3, 1, a, 3, pivots, b, 3, info)
    y(4:6) = b
    y(7:m) = x(1) * b(1)
  end subroutine

  subroutine eigen(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    real(8) :: a(3, 3), w(3)
    real(8), allocatable :: work(:)
    real(8) :: room(1)
    integer :: i, info
    a = spread(x(1:3), 2, 3) * spread(x(1:3), 1, 3)
    do i = 1, 3
      a(i, i) = a(i, i) + 2 * i + x(i)
    end do
    call dsyev('V', 'U', 3, a, 3, w, room, -1, info)
    allocate(work(int(room(1))))
    call dsyev('V', 'U', 3, a, 3, w, work, int(room(1)), info)
    y(1:3) = w
    y(4:6) = a(:, 1)**2
    y(7:m) = sum(w)*x(1)
  end subroutine

  subroutine triangles(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    real(8) :: a(3, 3), b(3, 3), v(3), c(3, 3)
    integer :: i, info
    a = spread(x(1:3), 2, 3) * spread(x(2:4), 1, 3)
    b = a * x(5)
    do i = 1, 3
      a(i, i) = a(i, i) + 2 * i + x(i)
    end do
    v = x(1:3)
    call dtrmm('L', 'U', 'N', 'N', 3, 3, x(2), a, 3, b, 3)
    call dtrsm('R', 'L', 'T', 'U', 3, 3, x(2), a, 3, b, 3)
    call dtrmv('U', 'T', 'N', 3, a, 3, v, 1)
    call dtrsv('U', 'T', 'U', 3, b, 3, v, 1)
    c = 0
    call dsyrk('U', 'N', 3, 3, 1d0, b, 3, 0d0, c, 3)
    call dsymm('L', 'U', 3, 3, 1d0, c, 3, b, 3, x(1), a, 3)
    call dsymv('U', 3, 1d0, c, 3, v, 1, x(1), a, 1)
    call dtrtrs('U', 'N', 'N', 3, 1, b, 3, v, 3, info)
    call dlacpy('U', 3, 3, b, 3, a, 3)
    y(1:3) = v
    y(4:6) = a(1, :)
    y(7:m) = sum(c)*x(1)
  end subroutine

  subroutine complexes(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    complex(8) :: a(3, 3), b(3, 3), c(3, 3), z
    complex(8), external :: zdotc
    real(8) :: w(3), rwork(20)
    complex(8) :: work(50)
    integer :: info
    a = cmplx(spread(x(1:3), 2, 3) * spread(x(2:4), 1, 3), spread(x(1:3), 2, 3), 8)
    b = a * x(5) + cmplx(0, x(1), 8)
    call zgemm('C', 'N', 3, 3, 3, (1d0, 0.5d0), a, 3, b, 3, (0d0, 0d0), c, 3)
    z = zdotc(3, c, 1, b, 1)
    y(1:3) = real(c(:, 1))
    y(4:6) = aimag(c(2, :))
    y(7) = real(z)
    y(8:m) = aimag(z)
    c = matmul(c, conjg(transpose(c)))
    c(1, 1) = c(1, 1) + 20
    c(2, 2) = c(2, 2) + 40
    call zheev('N', 'U', 3, c, 3, w, work, 50, rwork, info)
    y(1:3) = y(1:3) + w
  end subroutine
end module
