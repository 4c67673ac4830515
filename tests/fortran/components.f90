! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Components that are allocated, and variables whose type the run tells: assigned, moved, and at an
! end of their own.
module components
  implicit none
  type :: vec
    real(8), allocatable :: v(:)
  end type
  type :: net
    integer :: layers
    real(8), allocatable :: w(:,:), b(:)
    type(vec) :: in
  end type
  type, abstract :: shape
  contains
    procedure(measure), deferred :: area
  end type
  abstract interface
    real(8) function measure(self)
      import shape
      class(shape), intent(in) :: self
    end function
  end interface
  type, extends(shape) :: circle
    real(8) :: r
  contains
    procedure :: area => circle_area
  end type
  type, extends(shape) :: rect
    real(8) :: a, b
  contains
    procedure :: area => rect_area
  end type
contains

  real(8) function circle_area(self)
    class(circle), intent(in) :: self
    circle_area = 3 * self%r**2
  end function

  real(8) function rect_area(self)
    class(rect), intent(in) :: self
    rect_area = self%a * self%b
  end function

  subroutine vectors(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    type(vec) :: a, b
    allocate(a%v(n))
    a%v = x
    b = a
    b%v = b%v * x(1)
    y = a%v(:m) * b%v(:m)
  end subroutine

  subroutine several(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    type(net) :: a, b
    a%layers = 2
    a%w = reshape(x(1:4), [2,2])
    a%b = x(5:6)
    a%in%v = x(7:8)
    b = a
    b%w = matmul(b%w, a%w)
    y = 0
    y(1:2) = matmul(b%w, b%in%v) + b%b * a%layers
    a = b
    y(3:4) = matmul(a%w, x(2:3))
  end subroutine

  subroutine in_arrays(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    type(vec) :: a(3), b(3)
    integer :: i
    do i = 1, 3
      a(i)%v = x(i:2*i)
    end do
    b = a
    b(1) = a(3)
    y = 0
    do i = 1, 3
      y(i) = sum(b(i)%v**2)
    end do
  end subroutine

  function doubled(x) result(r)
    real(8), intent(in) :: x(:)
    type(vec) :: r
    r%v = x * 2
  end function

  subroutine results(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    type(vec) :: a
    integer :: i
    y = 0
    do i = 1, 3
      a = doubled(x(i:i+2))
      y(i) = sum(a%v**2)
    end do
  end subroutine

  subroutine allocated_arrays(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    type(vec), allocatable :: a(:)
    integer :: i
    allocate(a(4))
    do i = 1, 4
      allocate(a(i)%v(i))
      a(i)%v = x(1:i) * x(i)
    end do
    y = 0
    do i = 1, 4
      y(i) = sum(a(i)%v)
    end do
    deallocate(a)
  end subroutine

  subroutine polymorphic(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    class(shape), allocatable :: s
    s = circle(x(1))
    y(1) = s%area()
    deallocate(s)
    allocate(rect :: s)
    select type (s)
    type is (rect)
      s%a = x(2)
      s%b = x(3)
    end select
    y(2:) = s%area()
  end subroutine

  subroutine allocated_like(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    class(shape), allocatable :: s
    integer :: i
    do i = 1, m
      if (mod(i,2) == 0) then
        allocate(s, source=circle(x(i)))
      else
        allocate(s, source=rect(x(i), x(1)))
      end if
      y(i) = s%area()
      deallocate(s)
    end do
  end subroutine

  subroutine moved(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    real(8), allocatable :: a(:), b(:)
    integer :: i
    allocate(a(1))
    a(1) = x(1)
    do i = 2, m
      allocate(b(i))
      b(1:i-1) = a
      b(i) = x(i) * a(1)
      call move_alloc(b, a)
    end do
    y = a(:m)
  end subroutine

  subroutine overlapping(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    type(vec) :: a(4), b(2)
    integer :: i
    do i = 1, 4
      a(i)%v = x(i:i+3)
    end do
    a(2:4) = a(1:3)
    b = a(1:4:3)
    y = 0
    do i = 1, 4
      y(i) = product(a(i)%v)
    end do
    y(5:8) = b(1)%v * b(2)%v
  end subroutine
end module
