! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! A dense system of equations, solved by elimination with pivots: how does a function of the solution
! react to the matrix and to the right-hand side? The gradient is compared with the formula that one
! solve with the transposed matrix gives: A' lambda = w, db = lambda, dA = -lambda x'.
module dense
  implicit none
contains

  ! x becomes the solution of matrix * x = right.
  subroutine solve(matrix, right, x)
    real(8), intent(in) :: matrix(:, :), right(:)
    real(8), intent(out) :: x(:)
    real(8), allocatable :: a(:, :), row(:)
    real(8) :: factor
    integer :: n, i, k, pivot
    n = size(right)
    allocate(a(n, n + 1))
    a(:, :n) = matrix
    a(:, n + 1) = right
    do k = 1, n
      pivot = k - 1 + maxloc(abs(a(k:, k)), 1)
      row = a(pivot, :)
      a(pivot, :) = a(k, :)
      a(k, :) = row
      do i = k + 1, n
        factor = a(i, k) / a(k, k)
        a(i, k:) = a(i, k:) - factor * a(k, k:)
      end do
    end do
    do k = n, 1, -1
      x(k) = (a(k, n + 1) - dot_product(a(k, k + 1:n), x(k + 1:))) / a(k, k)
    end do
  end subroutine

  real(8) function weighted(n, matrix, right, weights)
    integer, intent(in) :: n
    real(8), intent(in) :: matrix(n, n), right(n), weights(n)
    real(8) :: x(n)
    call solve(matrix, right, x)
    weighted = dot_product(weights, x)
  end function
end module

program gradient
  use dense
  use enzyme
  implicit none
  integer, parameter :: n = 30
  real(8) :: matrix(n, n), right(n), weights(n), x(n), lambda(n)
  real(8) :: by_matrix(n, n), by_right(n), error
  integer :: i, j

  do j = 1, n
    do i = 1, n
      matrix(i, j) = cos(1.7d0 * i * j) + merge(2d0, 0d0, i == n + 1 - j)
    end do
    right(j) = sin(0.3d0 * j)
    weights(j) = 1d0 / j
  end do
  by_matrix = 0
  by_right = 0
  call enzyme_autodiff(weighted, enzyme_const, n, enzyme_dup, matrix, by_matrix, &
      enzyme_dup, right, by_right, enzyme_const, weights)

  call solve(matrix, right, x)
  call solve(transpose(matrix), weights, lambda)
  error = maxval(abs(by_right - lambda)) / maxval(abs(lambda))
  do j = 1, n
    error = max(error, maxval(abs(by_matrix(:, j) + lambda * x(j))) / maxval(abs(by_matrix)))
  end do
  print '(a, es8.1, a, es8.1)', 'residual ', maxval(abs(matmul(matrix, x) - right)), &
      ', gradient: largest difference from the formula ', error
  if (.not. error < 1d-12) stop 1
end program
