! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intrinsic functions of numbers, and where variables live: modules, COMMON, host procedures.
module numbers
  implicit none
  real(8) :: saved
contains

  subroutine functions(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    y(1) = atan2(x(1), x(2)) + hypot(x(1), x(3))
    y(2) = mod(x(1), 0.3d0) + modulo(x(2), 0.7d0) + modulo(-x(3), 0.7d0)
    y(3) = sign(x(1), x(2)) + dim(x(3), x(2)) + max(x(1), x(2), x(3))
    y(4) = log_gamma(x(1)) + erf(x(2)) + bessel_j0(x(3))
    y(5) = x(1) ** n + x(2) ** (-2) + 2 ** x(3) + x(1) ** x(2)
    y(6) = tanh(x(1)) + asinh(x(2)) + acosh(1 + x(3)) + exp(x(1)) + log10(x(2))
    y(7) = real(floor(x(1) * 9.7d0)) * x(2) + anint(x(3) * 1.3d0) * x(1)
    y(8) = sqrt(x(1)) * merge(x(2), x(3), x(4) > 0.5d0) + abs(x(1) - 1)
  end subroutine

  subroutine parts_of_numbers(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    complex(8) :: z
    y = 0
    y(1) = erfc_scaled(x(1)) * x(2) + fraction(x(2))
    y(2) = scale(x(1), n) * x(2) + set_exponent(x(3), m)
    y(3) = rrspacing(x(1)) * 1d-15 + spacing(x(2)) * 1d10 * x(1)
    y(4) = exponent(x(2)) * x(1)
    z = cmplx(x(1), x(2), 8)
    z = z ** n * z ** (-m) + z ** int(2, 8)
    y(5) = real(z)
    y(6) = aimag(z)
  end subroutine

  ! What reads clocks, among numbers.
  subroutine clocks(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    real(8) :: start, now
    integer :: count, rate, values(8), i
    character(8) :: date
    character(10) :: time
    call cpu_time(start)
    call system_clock(count, rate)
    call date_and_time(date, time, values=values)
    y = 0
    do i = 1, n
      y(1) = y(1) + x(i)**3
      y(2) = y(2) + x(i) * merge(1, 2, rate > 0 .and. values(1) > 2000)
    end do
    call cpu_time(now)
    if (now < start) y = 0
  end subroutine

  ! What is written into texts, and read of these again, has no derivative.
  subroutine internal_files(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    character(len=24) :: text
    real(8) :: factor, total
    integer :: i, k
    total = 1
    do i = 1, m
      write (text, '(i4.4,f6.2)') i * 13, 0.25d0 * i
      read (text, '(i4,f6.2)') k, factor
      total = total * x(mod(i, n) + 1) * factor + k
      if (index(text, '3') > 0) total = total * x(1)
      y(i) = total * len_trim(text)
    end do
  end subroutine

  subroutine complexes(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    complex(8) :: z
    z = cmplx(x(1), x(2), 8)
    z = exp(z) * z + conjg(z) / sqrt(z)
    y = real(z)
    y(2) = aimag(z)
    y(3) = abs(z)
  end subroutine

  subroutine common_block(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    real(8) :: a, b(3)
    integer :: k
    common /block/ a, b, k
    a = x(1) * x(2)
    b = x(1:3)
    k = 2
    call use_common(m, y)
  end subroutine

  subroutine use_common(m, y)
    integer, intent(in) :: m
    real(8), intent(out) :: y(m)
    real(8) :: first, second, rest(2)
    integer :: k
    common /block/ first, second, rest, k
    y = first
    y(2) = rest(k) * first + second
  end subroutine

  subroutine module_variable(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    saved = x(1) * x(2)
    y = x(1) * saved
  end subroutine

  recursive function power(x, k) result(p)
    real(8), intent(in) :: x
    integer, intent(in) :: k
    real(8) :: p
    if (k == 0) then
      p = 1
    else
      p = x * power(x, k - 1)
    end if
  end function

  subroutine host(n, x, m, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(m)
    real(8) :: t
    t = x(1)
    y = 0
    call step(2)
    call step(3)
    y(4) = power(x(1), 3)
  contains
    subroutine step(k)
      integer, intent(in) :: k
      t = t * x(k)
      y(k) = t
    end subroutine
  end subroutine
end module
