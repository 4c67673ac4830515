! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! What ordinary programs have: operators of their own, steps in time, jumps, masks, text, pointers.
module programs
  implicit none
  type :: quat
    real(8) :: w, v(3)
  end type
  interface operator(*)
    module procedure qmul
  end interface
  interface operator(+)
    module procedure qadd
  end interface
  interface norm
    module procedure norm_q, norm_v
  end interface
contains

  pure function qmul(a, b) result(c)
    type(quat), intent(in) :: a, b
    type(quat) :: c
    c%w = a%w * b%w - dot_product(a%v, b%v)
    c%v = a%w * b%v + b%w * a%v
    c%v(1) = c%v(1) + a%v(2) * b%v(3) - a%v(3) * b%v(2)
  end function

  elemental function qadd(a, b) result(c)
    type(quat), intent(in) :: a, b
    type(quat) :: c
    c%w = a%w + b%w
    c%v = a%v + b%v
  end function

  real(8) function norm_q(a)
    type(quat), intent(in) :: a
    norm_q = sqrt(a%w**2 + sum(a%v**2))
  end function

  real(8) function norm_v(a)
    real(8), intent(in) :: a(:)
    norm_v = sqrt(sum(a**2))
  end function

  subroutine operators(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    type(quat) :: p, q, r(2)
    p = quat(x(1), x(2:4))
    q = quat(x(5), x(6:8))
    r = [p * q, q + p]
    y = norm(r(1)) * norm(r(2)%v)
    y(2) = r(1)%w
  end subroutine

  subroutine rk4(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    real(8) :: s(4), k1(4), k2(4), k3(4), k4(4), h
    integer :: i
    h = 0.01d0
    s = x(1:4)
    do i = 1, 20
      k1 = rhs(s)
      k2 = rhs(s + h / 2 * k1)
      k3 = rhs(s + h / 2 * k2)
      k4 = rhs(s + h * k3)
      s = s + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    end do
    y(1:4) = s
    y(5:8) = k4
  contains
    function rhs(u) result(f)
      real(8), intent(in) :: u(4)
      real(8) :: f(4)
      f(1) = u(3)
      f(2) = u(4)
      f(3) = -x(5) * u(1) / (u(1)**2 + u(2)**2)**1.5d0
      f(4) = -x(5) * u(2) / (u(1)**2 + u(2)**2)**1.5d0
    end function
  end subroutine

  subroutine tridiag(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    real(8) :: c(n), d(n), w
    integer :: i
    c(1) = 0.5d0 / (2 + x(1))
    d(1) = x(1) / (2 + x(1))
    do i = 2, n
      w = 2 + x(i) - 0.5d0 * c(i-1)
      c(i) = 0.5d0 / w
      d(i) = (x(i) - 0.5d0 * d(i-1)) / w
    end do
    y(n) = d(n)
    do i = n-1, 1, -1
      y(i) = d(i) - c(i) * y(i+1)
    end do
  end subroutine

  subroutine labels(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    integer :: i
    real(8) :: s
    s = 0
    i = 1
10  if (i > n) goto 20
    select case (mod(i, 4))
    case (0)
      s = s + x(i)**2
    case (1:2)
      s = s * x(i) + 1
    case default
      s = s - exp(-x(i))
    end select
    y(i) = s
    i = i + 1
    goto 10
20  continue
    outer: do i = 1, n
      if (x(i) > 1d0) cycle outer
      if (i == 7) exit outer
      y(i) = y(i) * 2
    end do outer
  end subroutine

  subroutine masks(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    real(8) :: a(3, 3), b(3, 3), v(3)
    integer :: i, j, loc(2)
    a = reshape([x, x(1) * x(2)], [3, 3])
    where (a > 0.73d0)
      b = a**2
    elsewhere (a > 0.53d0)
      b = sin(a)
    elsewhere
      b = -a
    end where
    forall (i = 1:3, j = 1:3, i /= j) a(i, j) = b(j, i) * i
    do concurrent (i = 1:3)
      v(i) = sum(a(i, :)) + maxval(b(:, i))
    end do
    loc = minloc(b)
    y = 0
    y(1:3) = v * merge(x(1:3), x(4:6), x(1:3) > x(4:6))
    y(4) = b(loc(1), loc(2))
    y(5:7) = matmul(transpose(a), v)
    y(8) = sum(pack(a, a > 0.33d0)) + sum(spread(v, 1, 2)) + sum(cshift(b, 1, 2) * a)
  end subroutine

  subroutine texts(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    character(len=8) :: names(3)
    character(len=:), allocatable :: t
    integer :: i
    names = [character(8) :: 'mass', 'length', 'time']
    y = 0
    do i = 1, 3
      t = trim(names(i)) // '!'
      if (t == 'length!') then
        y(i) = x(i) * len(t)
      else if (index(names(i), 'm') > 1) then
        y(i) = x(i)**2
      else
        y(i) = x(i) + x(1)
      end if
    end do
    t = 'abcdefg'
    write (t, '(i4)') 42
    if (adjustl(t) == '42') y(4) = x(4)
  end subroutine

  subroutine pointers(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    real(8), target :: g(4, 2)
    real(8), pointer :: row(:), old(:, :), new(:, :)
    real(8), allocatable, target :: u(:, :), v(:, :)
    integer :: k, i
    g = reshape(x, [4, 2])
    row => g(2, :)
    row = row * x(1)
    allocate(u(4, 2), v(4, 2))
    u = g
    v = 0
    old => u
    new => v
    do k = 1, 5
      do i = 1, 2
        new(:, i) = 0.9d0 * old(:, i) + 0.1d0 * cshift(old(:, i), 1)**2
      end do
      row => new(1, :)
      new => old
      old => v
      if (mod(k, 2) == 0) old => u
    end do
    y = reshape(u + v, [8]) + sum(row)
  end subroutine

  subroutine montecarlo(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    integer(8) :: seed
    integer :: i
    real(8) :: s, p, u
    seed = 12345
    p = 0
    do i = 1, 200
      seed = mod(seed * 16807_8, 2147483647_8)
      u = real(seed, 8) / 2147483647d0
      s = x(1) * exp(x(2) * (u - 0.5d0))
      p = p + max(s - x(3), 0d0)
    end do
    y = p / 200
  end subroutine
end module
