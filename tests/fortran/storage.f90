! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Where arrays live: dummies that take any shape, allocatables, pointers, components.
module storage
  implicit none

  type point
    real(8) :: at(3)
    integer :: tag
    real(8) :: mass
  end type

  ! Values of this type are not empty when they come to be.
  type started
    integer :: tag = 2
    real(8) :: slope = 3
    real(8), pointer :: at => null()
    real(8) :: mass
  end type
contains

  subroutine assumed(x, y)
    real(8), intent(in) :: x(:)
    real(8), intent(inout) :: y(:)
    integer :: i
    do i = 1, size(y)
      y(i) = x(mod(i, size(x)) + 1) * sin(x(1)) + y(i)
    end do
    y = y * x(2)
  end subroutine

  subroutine shapes(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    y = 0
    call assumed(x, y)
    call assumed(x(1:n:2), y(m:1:-1))
  end subroutine

  subroutine allocatables(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    real(8), allocatable :: a(:), b(:, :), c(:)
    integer :: i, j
    allocate(a(n), b(2, n))
    a = x * x
    do j = 1, n
      do i = 1, 2
        b(i, j) = a(j) * i + sin(a(1))
      end do
    end do
    c = a + b(2, :)
    y = 0
    do i = 1, min(m, size(c))
      y(i) = c(i) * c(size(c))
    end do
    a = x(1:3)
    y(1) = y(1) * sum(a) * size(a)
    deallocate(a)
  end subroutine

  ! An array that is made longer by each number.
  subroutine grown(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    real(8), allocatable :: a(:)
    integer :: i
    a = [x(1)]
    do i = 2, n
      a = [a, x(i) * a(size(a)), sin(x(i))]
    end do
    y = 0
    do i = 1, size(a)
      y(mod(i, m) + 1) = y(mod(i, m) + 1) + a(i) * a(i)
    end do
  end subroutine

  ! Allocations that take their shape, or their values, from another array.
  subroutine molds(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    real(8), allocatable :: a(:), b(:), c(:, :), d
    real(8), pointer :: p(:), q(:)
    allocate(a, mold=x(1:n:2))
    allocate(b, source=x(n:1:-1))
    allocate(c(2, 3), source=x(2))
    allocate(d, source=x(1))
    allocate(p(3:5), mold=x)
    allocate(q, source=x(2:4))
    a = x(2:n:2) * b(2:n:2)
    p = b(1:3) * q * d
    y = 0
    y(1:4) = a(1:4)
    y(5:7) = p + c(2, :) * size(a)
    y(8) = sum(c) * p(5) + lbound(p, 1) * size(b)
    deallocate(p, q)
  end subroutine

  subroutine moved(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    real(8), allocatable :: a(:, :), b(:, :), c(:)
    integer :: status
    allocate(a(2, 3), b(1, 1), stat=status)
    a = reshape(x(1:6), [2, 3])
    b = x(1)
    call move_alloc(a, b)
    if (.not. allocated(a)) c = b(1, :)
    y = x(7) + status
    y(1:3) = y(1:3) * b(2, :) * size(b, 2) + c
  end subroutine

  ! Allocations of values that begin as their type says.
  subroutine initial(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    type(started), allocatable, target :: a(:)
    type(started), pointer :: p
    integer :: i
    allocate(a(m), p)
    do i = 1, m
      a(i)%mass = x(1 + mod(i, n))
      a(i)%tag = a(i)%tag * i
    end do
    p%slope = p%slope * x(1)
    p%at => a(2)%mass
    a(3)%slope = x(2)
    do i = 1, m
      y(i) = a(i)%mass * a(i)%slope * a(i)%tag * p%at + p%slope
      if (associated(a(i)%at)) y(i) = 0
    end do
    deallocate(p)
  end subroutine

  subroutine pointers(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    real(8), target :: a(n)
    real(8), pointer :: p(:), q
    a = x
    p => a(1:n:2)
    p = p * 2
    q => a(2)
    q = q * a(1)
    allocate(p(3))
    p = a(1:3) * q
    y = 0
    y(1:3) = p
    y(4) = q
    deallocate(p)
  end subroutine

  subroutine components(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    type(point) :: p(2)
    integer :: i
    do i = 1, 2
      p(i)%at = x(4 * i - 3 : 4 * i - 1)
      p(i)%tag = i
      p(i)%mass = x(4 * i)
    end do
    y = 0
    do i = 1, 2
      y(i) = sum(p(i)%at) * p(i)%mass * p(i)%tag
    end do
    y(3) = sum(p%mass)
    y(4) = dot_product(p(1)%at, p(2)%at)
  end subroutine

  ! The optimiser moves as an integer what nothing computes with.
  subroutine equivalent(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    real(8) :: a(6), b(4)
    equivalence (a(3), b(1))
    a = x(1:6)
    b = b * 2
    a(4) = b(1) * a(1)
    y(1:6) = a
    y(7:8) = b(1:2)
  end subroutine

  subroutine associations(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    real(8), target :: a(n)
    real(8), pointer :: p(:), q
    a = x
    p => a(1:n:2)
    q => a(3)
    y = 0
    if (associated(p, a)) y(1) = 1
    if (associated(p, a(1:n:2))) y(2) = p(1) * p(2)
    if (associated(p, a(1:n:4))) y(3) = 1
    if (associated(q, p(2))) y(4) = q ** 2
    if (associated(q, p(1))) y(5) = 1
    if (associated(p)) y(6) = p(1)
    q = x(1) * x(2)
    y(7) = sum(p)
  end subroutine

  subroutine texts(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    character(:), allocatable :: word, other(:)
    character(8) :: long(2)
    character(3) :: short(2)
    word = 'square'
    y = x
    if (word == 'square') y(1) = x(1) ** 2
    word = word // 'd'
    y(2) = x(2) * len(word)
    long = ['one  ', 'three']
    if (long(2) == 'three') y(3) = sin(x(3))
    short = long
    if (short(2) == 'thr' .and. short(1) == 'one') y(4) = x(4) ** 3
    other = short
    other = [word, word, word]
    y(5) = x(5) * len(other) * size(other)
    if (other(3) == word) y(6) = x(6) * x(1)
    long = long(2:1:-1)
    if (long(1) == 'three') y(7) = x(7) ** 2
  end subroutine

  subroutine prints(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    y = x(1) * x(2)
    if (y(1) < -1000) then
      print *, 'negative', y(1), y
      write (*, '(a, f8.3)') 'again', x(1)
      stop 1
    end if
  end subroutine
end module
