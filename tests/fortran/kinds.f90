! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Types that extend an abstract one, and calls and branches that ask which one is there.
module kinds
  implicit none
  type, abstract :: shape
    real(8) :: scale = 1
  contains
    procedure(measure), deferred :: area
    procedure :: scaled
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
    circle_area = 3 * self%r**2 * self%scale
  end function

  real(8) function rect_area(self)
    class(rect), intent(in) :: self
    rect_area = self%a * self%b * self%scale
  end function

  real(8) function scaled(self, f)
    class(shape), intent(in) :: self
    real(8), intent(in) :: f
    scaled = self%area() * f
  end function

  real(8) function twice(s)
    class(shape), intent(in) :: s
    twice = 2 * s%area()
  end function

  subroutine grow(s, f)
    class(shape), intent(inout) :: s
    real(8), intent(in) :: f
    select type (s)
    type is (circle)
      s%r = s%r * f
    type is (rect)
      s%a = s%a * f
    class default
      s%scale = 0
    end select
  end subroutine

  subroutine bindings(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    type(circle) :: c
    type(rect) :: r
    c = circle(scale=x(2), r=x(1))
    r = rect(x(5), x(3), x(4))
    y = c%area() * r%scaled(x(1))
    y(2) = twice(c) + twice(r)
  end subroutine

  subroutine selected(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    type(circle) :: c
    type(rect) :: r
    c = circle(scale=x(2), r=x(1))
    r = rect(x(5), x(3), x(4))
    call grow(c, x(2))
    call grow(r, x(1))
    y = twice(c) * twice(r)
  end subroutine

  subroutine pointered(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    type(circle), target :: c
    type(rect), target :: r
    class(shape), pointer :: p
    integer :: i
    c = circle(scale=x(1), r=x(2))
    r = rect(x(3), x(4), x(1))
    do i = 1, m
      if (mod(i, 2) == 0) then
        p => c
      else
        p => r
      end if
      y(i) = p%area() * i
    end do
  end subroutine
end module
