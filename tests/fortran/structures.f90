! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Structure constructors, complex arrays, local arrays that calls fill, a module's room for work.
module structures
  implicit none
  type :: point
    real(8) :: place(3), mass
    integer :: number
  end type
  type :: weighted
    real(8) :: value, weight = 2d0
    integer :: kind = 3
  end type
  real(8), allocatable :: room(:)
contains

  subroutine squares(u, r)
    real(8), intent(in) :: u(:)
    real(8), intent(out) :: r(:)
    r = u * u
  end subroutine

  subroutine replace(u)
    real(8), intent(inout) :: u(:)
    real(8) :: w(size(u))
    call squares(2 * u, w)
    u = w
  end subroutine

  subroutine start(w)
    type(weighted), intent(out) :: w(:)
    w%value = 1d0
  end subroutine

  subroutine constructed(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    type(point) :: a, b(2)
    a = point(x(1:3), x(4), 1)
    b(1) = point(x(2:4), a%mass * x(5), 2)
    b(2) = a
    y = x(:m) * a%mass * sum(a%place) + sum(b%mass) * dot_product(b(1)%place, b(2)%place)
  end subroutine

  subroutine with_defaults(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    type(weighted) :: a, b(4)
    a = weighted(x(1) * x(2))
    b%value = x(1:4)
    b%weight = x(5)
    call start(b(1:3:2))
    y = x(:m) * a%value**a%kind * a%weight + sum(b%value * b%weight)
  end subroutine

  subroutine complex_arrays(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    complex(8) :: w(4), square(2, 2)
    w = cmplx(x(1:4), x(5:8), 8)
    square = matmul(reshape(w, [2, 2]), reshape(w(4:1:-1), [2, 2]))
    y = x(:m) * abs(sum(w, real(w) > 0.5d0)) + aimag(product(w)) &
        + real(dot_product(w, w * w)) + abs(square(1, 2) * square(2, 1))
  end subroutine

  subroutine filled_by_calls(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    real(8) :: u(n), v(4), w(4)
    call squares(x(1:4), w)
    v = w
    u = x
    call replace(u)
    call squares(u, u)
    y = u(:m) * sum(v)
  end subroutine

  subroutine in_a_module(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    allocate(room(n))
    room = x**2
    y = room(:m) * sum(room)
    deallocate(room)
  end subroutine
end module
