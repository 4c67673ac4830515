; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A result that is no number, integer or pointer.
target triple = "x86_64-unknown-linux-gnu"

define { double, i64 } @unnamed(double %x) "enzyme_export_derivative"="reverse" {
  %r = insertvalue { double, i64 } zeroinitializer, double %x, 0
  ret { double, i64 } %r
}
