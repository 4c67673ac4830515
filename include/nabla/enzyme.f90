! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! The vocabulary for Fortran: `use enzyme`, then
!
!   call enzyme_autodiff(f, enzyme_dup, x, dx, enzyme_const, n)
!
! All arguments go by reference, also those of a function whose result is real: so each number with
! a derivative is enzyme_dup, with its shadow behind it, and integers need enzyme_const. In reverse
! mode the result of a real function has the adjoint 1. A function's tangent in forward mode is the
! result of a function of your own declaration, whose name ends with __enzyme_fwddiff:
!
!   real(8), external :: f__enzyme_fwddiff
!   df = f__enzyme_fwddiff(f, enzyme_dup, x, dx)
!
! nabla fc finds these modules; for other compilers, compile this file first.
module enzyme_entries
  implicit none
  private
  external :: f__enzyme_autodiff, f__enzyme_fwddiff, f__enzyme_checkpoint_for, f__enzyme_fixed_point
  public :: f__enzyme_autodiff, f__enzyme_fwddiff, f__enzyme_checkpoint_for, f__enzyme_fixed_point
end module

module enzyme
  use, intrinsic :: iso_c_binding, only: c_int, c_int64_t, c_double, c_funptr
  use enzyme_entries, only: enzyme_autodiff => f__enzyme_autodiff, &
      enzyme_fwddiff => f__enzyme_fwddiff, enzyme_checkpoint_for => f__enzyme_checkpoint_for, &
      enzyme_fixed_point => f__enzyme_fixed_point
  implicit none
  public

  ! Stands at the top of the body of a loop, which keeps some of its states in reverse mode: by one
  ! of the schedules below; `budget` states, or, where it is 0, the root of the number of iterations.
  interface
    subroutine enzyme_set_checkpointing(schedule, budget) bind(c, name="__enzyme_set_checkpointing")
      import :: c_int64_t
      integer(c_int64_t), value :: schedule, budget
    end subroutine
  end interface
  integer(c_int64_t), parameter :: enzyme_ckpt_none = 0, enzyme_ckpt_periodic = 1, &
      enzyme_ckpt_revolve = 2, enzyme_ckpt_store_all = 3, enzyme_ckpt_binomial = 4

  ! Of a loop to a fixed point: what it iterates, and its bytes; how far the derivative must have
  ! converged; the most iterations of the derivative; a function that decides instead. Then come the
  ! arguments of the step, which is a logical function of its number, an integer(8) by value, and of
  ! these:
  !
  !   call enzyme_fixed_point(step, enzyme_fp_state, z, int(8 * n, 8), z, x, n)
  integer(c_int), bind(c, name="enzyme_fp_state") :: enzyme_fp_state
  integer(c_int), bind(c, name="enzyme_fp_reduction") :: enzyme_fp_reduction
  integer(c_int), bind(c, name="enzyme_fp_max_iters") :: enzyme_fp_max_iters
  integer(c_int), bind(c, name="enzyme_fp_control") :: enzyme_fp_control
  integer(c_int), bind(c, name="enzyme_checkpoint_region") :: enzyme_checkpoint_region

  ! Stands in the body of a loop that comes to a fixed point of `state`; -1 stands for the default of
  ! the reduction and of the iterations, c_null_funptr for no function.
  interface
    subroutine enzyme_set_fixed_point(reduction, max_iters, control, state, bytes) &
        bind(c, name="__enzyme_set_fixed_point")
      import :: c_int64_t, c_double, c_funptr
      real(c_double), value :: reduction
      integer(c_int64_t), value :: max_iters, bytes
      type(c_funptr), value :: control
      type(*), intent(in) :: state(*)
    end subroutine
  end interface

  ! What an argument is: no derivative; followed by its shadow; the same, where the caller does not
  ! need the value; a number by value whose adjoint is returned (reverse mode).
  integer(c_int), bind(c, name="enzyme_const") :: enzyme_const
  integer(c_int), bind(c, name="enzyme_dup") :: enzyme_dup
  integer(c_int), bind(c, name="enzyme_dupnoneed") :: enzyme_dupnoneed
  integer(c_int), bind(c, name="enzyme_out") :: enzyme_out

  ! The result: leave it out; return it too; it has no derivative.
  integer(c_int), bind(c, name="enzyme_noret") :: enzyme_noret
  integer(c_int), bind(c, name="enzyme_primal_return") :: enzyme_primal_return
  integer(c_int), bind(c, name="enzyme_const_return") :: enzyme_const_return

  ! An argument that is its own shadow has no derivative; 0 * inf is 0 in derivatives.
  integer(c_int), bind(c, name="enzyme_runtime_activity") :: enzyme_runtime_activity
  integer(c_int), bind(c, name="enzyme_strong_zero") :: enzyme_strong_zero

  ! Several directions at once: their number, which is a constant, and shadows at the end.
  integer(c_int), bind(c, name="enzyme_width") :: enzyme_width
  integer(c_int), bind(c, name="enzyme_interleave") :: enzyme_interleave

  ! In a batch: one argument for all lanes, one for each.
  integer(c_int), bind(c, name="enzyme_scalar") :: enzyme_scalar
  integer(c_int), bind(c, name="enzyme_vector") :: enzyme_vector
end module
