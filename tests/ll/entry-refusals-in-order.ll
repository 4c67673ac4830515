; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; opt ends at the first error: the other refusals come before it as remarks, in the order of their
; lines, and each names the user's own function.
; RUN: not %opt -passes=nabla -disable-output %s 2>&1 | FileCheck %s
; CHECK: remark: x.c:5:29: in function b {{.*}}: 'h' takes 1 arguments
; CHECK: remark: x.c:6:29: in function k {{.*}}: 'g' takes a value with a derivative
; CHECK: error: x.c:3:29: in function h {{.*}}: 'g' takes a value with a derivative

declare double @__enzyme_autodiff(ptr, ...)
declare double @g(double)

define double @h(double %x) !dbg !5 {
  %y = call double @g(double %x), !dbg !10
  ret double %y
}

define double @k(double %x) !dbg !6 {
  %y = call double @g(double %x), !dbg !11
  ret double %y
}

define double @a(double %x) !dbg !7 {
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr @k, double %x), !dbg !12
  ret double %d
}

define double @b(double %x) !dbg !8 {
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr @h), !dbg !13
  ret double %d
}

define double @c(double %x) !dbg !9 {
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr @h, double %x), !dbg !14
  ret double %d
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "x.c", directory: "/")
!2 = !{i32 7, !"Dwarf Version", i32 5}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !DISubroutineType(types: !{})
!5 = distinct !DISubprogram(name: "h", file: !1, line: 3, type: !4, unit: !0)
!6 = distinct !DISubprogram(name: "k", file: !1, line: 6, type: !4, unit: !0)
!7 = distinct !DISubprogram(name: "a", file: !1, line: 4, type: !4, unit: !0)
!8 = distinct !DISubprogram(name: "b", file: !1, line: 5, type: !4, unit: !0)
!9 = distinct !DISubprogram(name: "c", file: !1, line: 7, type: !4, unit: !0)
!10 = !DILocation(line: 3, column: 29, scope: !5)
!11 = !DILocation(line: 6, column: 29, scope: !6)
!12 = !DILocation(line: 4, column: 29, scope: !7)
!13 = !DILocation(line: 5, column: 29, scope: !8)
!14 = !DILocation(line: 7, column: 29, scope: !9)
