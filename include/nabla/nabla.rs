// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Derivatives of Rust functions (docs/languages.md), without a crate:
//!
//!     #[path = "nabla.rs"]
//!     mod nabla;
//!
//!     nabla::reverse! {
//!         fn energy_gradient(x: Dup<&[f64]>, k: Active<f64>, n: Const<usize>) -> f64 = energy
//!     }
//!     nabla::forward! {
//!         fn energy_tangent(x: Dup<&[f64]>, k: Active<f64>, n: Const<usize>) -> f64 = energy
//!     }
//!
//! declare, of `fn energy(x: &[f64], k: f64, n: usize) -> f64`,
//!
//!     fn energy_gradient(x: &[f64], dx: &mut [f64], k: f64, n: usize) -> (f64, f64)
//!     fn energy_tangent(x: &[f64], dx: &[f64], k: f64, dk: f64, n: usize) -> (f64, f64)
//!
//! A parameter is one of these, in the derivative as in the function:
//!
//! - `Dup<&[T]>`, `&mut [T]`, `&T` or `&mut T`, with its shadow behind it, where T is `Plain`. Shadows
//!   of slices have their lengths. Reverse mode adds to the shadow, and leaves zero in that of what
//!   the function overwrites; forward mode has tangents there.
//! - `Active<T>`, a number. In reverse mode its adjoint is returned; in forward mode its tangent
//!   stands behind it.
//! - `Const<T>`, anything that is Copy: no derivative.
//!
//! Reverse mode returns the function's result, which is a number and has the adjoint 1, then the
//! adjoints of active parameters in their order; forward mode returns the result and its tangent.
//!
//! The module must be `nabla` at the root of the crate, of edition 2018 or later; rustc must be 1.82
//! or later. A panic must end the program (`-C panic=abort`).
#![allow(dead_code, unused_macros, unused_imports)]

#[cfg(panic = "unwind")]
compile_error!("derivatives need `-C panic=abort`: where panics unwind, all that they pass is kept");

use std::ffi::c_void;

unsafe extern "C" {
    pub static enzyme_const: i32;
    pub static enzyme_dup: i32;
    pub fn __enzyme_autodiff(function: *const c_void, ...);
    pub fn __enzyme_fwddiff(function: *const c_void, ...);
}

/// What is made of numbers, and of integers that have no derivative.
///
/// # Safety
///
/// No pointers are in it.
pub unsafe trait Plain {}

unsafe impl Plain for f32 {}
unsafe impl Plain for f64 {}
unsafe impl<T: Plain, const N: usize> Plain for [T; N] {}

/// A number.
pub trait Number: Copy + Plain {
    const ZERO: Self;
    const ONE: Self;
}

impl Number for f32 {
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;
}

impl Number for f64 {
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;
}

/// A reference to plain memory that has a shadow.
pub trait Shadowed: Sized {
    type Item: Plain;
    type Adjoint;
    type Tangent;

    /// Where the memory and its shadow lie, and how many items there are.
    fn with_adjoint(self, shadow: Self::Adjoint) -> (*mut Self::Item, *mut Self::Item, usize);
    fn with_tangent(self, shadow: Self::Tangent) -> (*mut Self::Item, *mut Self::Item, usize);

    /// The reference again.
    ///
    /// # Safety
    ///
    /// They come from the functions above, and the memory still lives.
    unsafe fn from_parts(items: *mut Self::Item, count: usize) -> Self;
}

impl<'a, T: Plain> Shadowed for &'a [T] {
    type Item = T;
    type Adjoint = &'a mut [T];
    type Tangent = &'a [T];

    fn with_adjoint(self, shadow: &'a mut [T]) -> (*mut T, *mut T, usize) {
        assert_eq!(self.len(), shadow.len(), "a shadow has another length");
        (self.as_ptr().cast_mut(), shadow.as_mut_ptr(), self.len())
    }

    fn with_tangent(self, shadow: &'a [T]) -> (*mut T, *mut T, usize) {
        assert_eq!(self.len(), shadow.len(), "a shadow has another length");
        (self.as_ptr().cast_mut(), shadow.as_ptr().cast_mut(), self.len())
    }

    unsafe fn from_parts(items: *mut T, count: usize) -> Self {
        unsafe { std::slice::from_raw_parts(items, count) }
    }
}

impl<'a, T: Plain> Shadowed for &'a mut [T] {
    type Item = T;
    type Adjoint = &'a mut [T];
    type Tangent = &'a mut [T];

    fn with_adjoint(self, shadow: &'a mut [T]) -> (*mut T, *mut T, usize) {
        assert_eq!(self.len(), shadow.len(), "a shadow has another length");
        (self.as_mut_ptr(), shadow.as_mut_ptr(), self.len())
    }

    fn with_tangent(self, shadow: &'a mut [T]) -> (*mut T, *mut T, usize) {
        self.with_adjoint(shadow)
    }

    unsafe fn from_parts(items: *mut T, count: usize) -> Self {
        unsafe { std::slice::from_raw_parts_mut(items, count) }
    }
}

impl<'a, T: Plain> Shadowed for &'a T {
    type Item = T;
    type Adjoint = &'a mut T;
    type Tangent = &'a T;

    fn with_adjoint(self, shadow: &'a mut T) -> (*mut T, *mut T, usize) {
        ((&raw const *self).cast_mut(), shadow, 1)
    }

    fn with_tangent(self, shadow: &'a T) -> (*mut T, *mut T, usize) {
        ((&raw const *self).cast_mut(), (&raw const *shadow).cast_mut(), 1)
    }

    unsafe fn from_parts(items: *mut T, _: usize) -> Self {
        unsafe { &*items }
    }
}

impl<'a, T: Plain> Shadowed for &'a mut T {
    type Item = T;
    type Adjoint = &'a mut T;
    type Tangent = &'a mut T;

    fn with_adjoint(self, shadow: &'a mut T) -> (*mut T, *mut T, usize) {
        (self, shadow, 1)
    }

    fn with_tangent(self, shadow: &'a mut T) -> (*mut T, *mut T, usize) {
        (self, shadow, 1)
    }

    unsafe fn from_parts(items: *mut T, _: usize) -> Self {
        unsafe { &mut *items }
    }
}

/// Declares a function that computes a gradient.
macro_rules! reverse {
    ($(#[$meta:meta])* $visibility:vis fn $name:ident($($parameters:tt)*) = $function:expr) => {
        $crate::nabla::declare! {
            [__enzyme_autodiff with_adjoint Adjoint] [$(#[$meta])* $visibility fn $name]
            [] [$function] [] [] [] [] [] [] $($parameters)*
        }
    };
    ($(#[$meta:meta])* $visibility:vis fn $name:ident($($parameters:tt)*) -> $result:ty
     = $function:expr) => {
        $crate::nabla::declare! {
            [__enzyme_autodiff with_adjoint Adjoint] [$(#[$meta])* $visibility fn $name]
            [*result =] [$function]
            []
            [let mut result = <$result as $crate::nabla::Number>::ZERO;
             let mut seed = <$result as $crate::nabla::Number>::ONE;]
            [&raw const $crate::nabla::enzyme_dup, &raw mut result, &raw mut seed,]
            [result: *mut $result,] [] [(result $result)]
            $($parameters)*
        }
    };
}

/// Declares a function that computes a directional derivative.
macro_rules! forward {
    ($(#[$meta:meta])* $visibility:vis fn $name:ident($($parameters:tt)*) = $function:expr) => {
        $crate::nabla::declare! {
            [__enzyme_fwddiff with_tangent Tangent] [$(#[$meta])* $visibility fn $name]
            [] [$function] [] [] [] [] [] [] $($parameters)*
        }
    };
    ($(#[$meta:meta])* $visibility:vis fn $name:ident($($parameters:tt)*) -> $result:ty
     = $function:expr) => {
        $crate::nabla::declare! {
            [__enzyme_fwddiff with_tangent Tangent] [$(#[$meta])* $visibility fn $name]
            [*result =] [$function]
            []
            [let mut result = <$result as $crate::nabla::Number>::ZERO;
             let mut tangent = <$result as $crate::nabla::Number>::ZERO;]
            [&raw const $crate::nabla::enzyme_dup, &raw mut result, &raw mut tangent,]
            [result: *mut $result,] [] [(result $result) (tangent $result)]
            $($parameters)*
        }
    };
}

/// Takes one parameter after another, then writes the function. The lists are its own parameters;
/// what it does before the call; the call's operands; the parameters, all of C, of the function
/// that is differentiated; the arguments that this one makes of them; the numbers that are
/// returned, with their types. A name that is written here is another one in each step.
macro_rules! declare {
    ([$entry:ident $with:ident $of:ident] $head:tt $assign:tt $function:tt
     [$($own:tt)*] [$($before:tt)*] [$($operands:tt)*] [$($inner:tt)*] [$($arguments:tt)*]
     $results:tt $argument:ident: Dup<$type:ty> $(, $($rest:tt)*)?) => {
        $crate::nabla::declare! {
            [$entry $with $of] $head $assign $function
            [$($own)* $argument: $type, shadow: <$type as $crate::nabla::Shadowed>::$of,]
            [$($before)* let (items, shadow, count) =
                 <$type as $crate::nabla::Shadowed>::$with($argument, shadow);]
            [$($operands)* &raw const $crate::nabla::enzyme_dup, items, shadow,
             &raw const $crate::nabla::enzyme_const, count,]
            [$($inner)* items: *mut <$type as $crate::nabla::Shadowed>::Item, count: usize,]
            [$($arguments)* <$type as $crate::nabla::Shadowed>::from_parts(items, count),]
            $results $($($rest)*)?
        }
    };
    ([__enzyme_autodiff $($mode:ident)*] $head:tt $assign:tt $function:tt
     [$($own:tt)*] [$($before:tt)*] [$($operands:tt)*] [$($inner:tt)*] [$($arguments:tt)*]
     [$($results:tt)*] $argument:ident: Active<$type:ty> $(, $($rest:tt)*)?) => {
        $crate::nabla::declare! {
            [__enzyme_autodiff $($mode)*] $head $assign $function
            [$($own)* $argument: $type,]
            [$($before)* let mut adjoint = <$type as $crate::nabla::Number>::ZERO;]
            [$($operands)* &raw const $crate::nabla::enzyme_dup, &raw const $argument,
             &raw mut adjoint,]
            [$($inner)* number: *const $type,]
            [$($arguments)* *number,]
            [$($results)* (adjoint $type)] $($($rest)*)?
        }
    };
    ([__enzyme_fwddiff $($mode:ident)*] $head:tt $assign:tt $function:tt
     [$($own:tt)*] $before:tt [$($operands:tt)*] [$($inner:tt)*] [$($arguments:tt)*]
     $results:tt $argument:ident: Active<$type:ty> $(, $($rest:tt)*)?) => {
        $crate::nabla::declare! {
            [__enzyme_fwddiff $($mode)*] $head $assign $function
            [$($own)* $argument: $type, tangent: $type,]
            $before
            [$($operands)* &raw const $crate::nabla::enzyme_dup, &raw const $argument,
             &raw const tangent,]
            [$($inner)* number: *const $type,]
            [$($arguments)* *number,]
            $results $($($rest)*)?
        }
    };
    ($mode:tt $head:tt $assign:tt $function:tt
     [$($own:tt)*] $before:tt [$($operands:tt)*] [$($inner:tt)*] [$($arguments:tt)*]
     $results:tt $argument:ident: Const<$type:ty> $(, $($rest:tt)*)?) => {
        $crate::nabla::declare! {
            $mode $head $assign $function
            [$($own)* $argument: $type,]
            $before
            [$($operands)* &raw const $crate::nabla::enzyme_const, &raw const $argument,]
            [$($inner)* constant: *const $type,]
            [$($arguments)* *constant,]
            $results $($($rest)*)?
        }
    };
    ([$entry:ident $($mode:ident)*] [$($head:tt)*] [$($assign:tt)*] [$function:expr]
     [$($own:tt)*] [$($before:tt)*] [$($operands:tt)*] [$($inner:tt)*] [$($arguments:tt)*]
     [$(($value:ident $type:ty))*]) => {
        #[allow(clippy::all, unused_parens)]
        $($head)*($($own)*) -> ($($type),*) {
            unsafe extern "C" fn primal($($inner)*) {
                unsafe { $($assign)* ($function)($($arguments)*); }
            }
            $($before)*
            unsafe {
                $crate::nabla::$entry(primal as *const std::ffi::c_void, $($operands)*);
            }
            ($($value),*)
        }
    };
    ($mode:tt $head:tt $assign:tt $function:tt $own:tt $before:tt $operands:tt $inner:tt
     $arguments:tt $results:tt $($rest:tt)*) => {
        compile_error!(concat!("a parameter is `name: Dup<&T>`, `name: Active<f64>` or ",
                               "`name: Const<T>`, not `", stringify!($($rest)*), "`"));
    };
}

pub(crate) use {declare, forward, reverse};
