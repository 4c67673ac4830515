// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Options that no derivative depends on: each is accepted, and one remark says why. */
// shows: -enzyme-postopt; -enzyme-preopt; -enzyme-post-opt-level; -enzyme-attributor
// shows: -enzyme-omp-opt; -enzyme-inline; -enzyme-inline-count; -enzyme-always-inline
// shows: -enzyme-select-opt; -enzyme-lower-globals; -enzyme-coalese; -enzyme-phi-restructure
// shows: -enzyme-register-reduce; -enzyme-speculate-phis; -enzyme-vector-split-phi
// shows: -enzyme-name-instructions; -enzyme-fast-math; -enzyme-detect-readthrow
// shows: -enzyme-print-unnecessary; -enzyme-print-perf; -enzyme-print-checkpoint-regions
// shows: -enzyme-print-fixed-point; -enzyme-loose-types; -enzyme-rust-type
// shows: -enzyme-type-warning; -enzyme-memmove-warning; -enzyme-julia-addr-load
// shows: -enzyme-assume-unknown-nofree; -enzyme-max-int-offset; -enzyme-max-type-offset
// shows: -enzyme-max-type-depth; -enzyme-global-activity
// shows: -enzyme-nonmarkedglobals-inactiveloads; -enzyme-inactive-dynamic
// shows: -enzyme-free-internal-allocations; -enzyme-rematerialize; -enzyme-zero-cache
// shows: -enzyme-noalias; -enzyme-aggressive-aa; -enzyme-new-cache; -enzyme-mincut-cache
// shows: -enzyme-loop-invariant-cache; -enzyme-always-cache-reads; -enzyme-never-cache-reads
// shows: -enzyme-cache-always; -enzyme-cache-never; -enzyme-smallbool; -enzyme-shared-forward
// shows: -enzyme-auto-sparsity; -enzyme-blas-copy; -enzyme-lapack-copy
// shows: -enzyme-checkpoint-split-steps; -enzyme-checkpoint-loop-verbose
// shows: -enzyme-separate-compilation; -enzyme-export-list; -enzyme-export-derivatives
// shows: -enzyme-inactive-params; -enzyme-summary-out; -enzyme-reuse-conservative-augmentation
// RUN: %each-level '%clang LEVEL -Rpass=nabla -c %s -o /dev/null \
// RUN:   -mllvm -enzyme-postopt=1 -mllvm -enzyme-preopt=1 -mllvm -enzyme-post-opt-level=1 \
// RUN:   -mllvm -enzyme-attributor=1 -mllvm -enzyme-omp-opt=1 -mllvm -enzyme-inline=1 \
// RUN:   -mllvm -enzyme-inline-count=1 -mllvm -enzyme-always-inline=1 \
// RUN:   -mllvm -enzyme-select-opt=1 -mllvm -enzyme-lower-globals=1 -mllvm -enzyme-coalese=1 \
// RUN:   -mllvm -enzyme-phi-restructure=1 -mllvm -enzyme-register-reduce=1 \
// RUN:   -mllvm -enzyme-speculate-phis=1 -mllvm -enzyme-vector-split-phi=1 \
// RUN:   -mllvm -enzyme-name-instructions=1 -mllvm -enzyme-fast-math=1 \
// RUN:   -mllvm -enzyme-detect-readthrow=1 -mllvm -enzyme-print-unnecessary=1 \
// RUN:   -mllvm -enzyme-print-perf=1 -mllvm -enzyme-print-checkpoint-regions=1 \
// RUN:   -mllvm -enzyme-print-fixed-point=1 -mllvm -enzyme-loose-types=1 \
// RUN:   -mllvm -enzyme-rust-type=1 -mllvm -enzyme-type-warning=1 \
// RUN:   -mllvm -enzyme-memmove-warning=1 -mllvm -enzyme-julia-addr-load=1 \
// RUN:   -mllvm -enzyme-assume-unknown-nofree=1 -mllvm -enzyme-max-int-offset=1 \
// RUN:   -mllvm -enzyme-max-type-offset=1 -mllvm -enzyme-max-type-depth=1 \
// RUN:   -mllvm -enzyme-global-activity=1 -mllvm -enzyme-nonmarkedglobals-inactiveloads=1 \
// RUN:   -mllvm -enzyme-inactive-dynamic=1 -mllvm -enzyme-free-internal-allocations=1 \
// RUN:   -mllvm -enzyme-rematerialize=1 -mllvm -enzyme-zero-cache=1 -mllvm -enzyme-noalias=1 \
// RUN:   -mllvm -enzyme-aggressive-aa=1 -mllvm -enzyme-new-cache=1 \
// RUN:   -mllvm -enzyme-mincut-cache=1 -mllvm -enzyme-loop-invariant-cache=1 \
// RUN:   -mllvm -enzyme-always-cache-reads=1 -mllvm -enzyme-never-cache-reads=1 \
// RUN:   -mllvm -enzyme-cache-always=1 -mllvm -enzyme-cache-never=1 -mllvm -enzyme-smallbool=1 \
// RUN:   -mllvm -enzyme-shared-forward=1 -mllvm -enzyme-auto-sparsity=1 \
// RUN:   -mllvm -enzyme-blas-copy=1 -mllvm -enzyme-lapack-copy=1 \
// RUN:   -mllvm -enzyme-checkpoint-split-steps=1 -mllvm -enzyme-checkpoint-loop-verbose=1 \
// RUN:   -mllvm -enzyme-separate-compilation=1 -mllvm -enzyme-export-list=1 \
// RUN:   -mllvm -enzyme-export-derivatives=1 -mllvm -enzyme-inactive-params=1 \
// RUN:   -mllvm -enzyme-summary-out=1 -mllvm -enzyme-reuse-conservative-augmentation=1 \
// RUN:   2>&1 | FileCheck %s'
// CHECK-DAG: remark: -enzyme-postopt is ignored:
// CHECK-DAG: remark: -enzyme-preopt is ignored:
// CHECK-DAG: remark: -enzyme-post-opt-level is ignored:
// CHECK-DAG: remark: -enzyme-attributor is ignored:
// CHECK-DAG: remark: -enzyme-omp-opt is ignored:
// CHECK-DAG: remark: -enzyme-inline is ignored:
// CHECK-DAG: remark: -enzyme-inline-count is ignored:
// CHECK-DAG: remark: -enzyme-always-inline is ignored:
// CHECK-DAG: remark: -enzyme-select-opt is ignored:
// CHECK-DAG: remark: -enzyme-lower-globals is ignored:
// CHECK-DAG: remark: -enzyme-coalese is ignored:
// CHECK-DAG: remark: -enzyme-phi-restructure is ignored:
// CHECK-DAG: remark: -enzyme-register-reduce is ignored:
// CHECK-DAG: remark: -enzyme-speculate-phis is ignored:
// CHECK-DAG: remark: -enzyme-vector-split-phi is ignored:
// CHECK-DAG: remark: -enzyme-name-instructions is ignored:
// CHECK-DAG: remark: -enzyme-fast-math is ignored:
// CHECK-DAG: remark: -enzyme-detect-readthrow is ignored:
// CHECK-DAG: remark: -enzyme-print-unnecessary is ignored:
// CHECK-DAG: remark: -enzyme-print-perf is ignored:
// CHECK-DAG: remark: -enzyme-print-checkpoint-regions is ignored:
// CHECK-DAG: remark: -enzyme-print-fixed-point is ignored:
// CHECK-DAG: remark: -enzyme-loose-types is ignored:
// CHECK-DAG: remark: -enzyme-rust-type is ignored:
// CHECK-DAG: remark: -enzyme-type-warning is ignored:
// CHECK-DAG: remark: -enzyme-memmove-warning is ignored:
// CHECK-DAG: remark: -enzyme-julia-addr-load is ignored:
// CHECK-DAG: remark: -enzyme-assume-unknown-nofree is ignored:
// CHECK-DAG: remark: -enzyme-max-int-offset is ignored:
// CHECK-DAG: remark: -enzyme-max-type-offset is ignored:
// CHECK-DAG: remark: -enzyme-max-type-depth is ignored:
// CHECK-DAG: remark: -enzyme-global-activity is ignored:
// CHECK-DAG: remark: -enzyme-nonmarkedglobals-inactiveloads is ignored:
// CHECK-DAG: remark: -enzyme-inactive-dynamic is ignored:
// CHECK-DAG: remark: -enzyme-free-internal-allocations is ignored:
// CHECK-DAG: remark: -enzyme-rematerialize is ignored:
// CHECK-DAG: remark: -enzyme-zero-cache is ignored:
// CHECK-DAG: remark: -enzyme-noalias is ignored:
// CHECK-DAG: remark: -enzyme-aggressive-aa is ignored:
// CHECK-DAG: remark: -enzyme-new-cache is ignored:
// CHECK-DAG: remark: -enzyme-mincut-cache is ignored:
// CHECK-DAG: remark: -enzyme-loop-invariant-cache is ignored:
// CHECK-DAG: remark: -enzyme-always-cache-reads is ignored:
// CHECK-DAG: remark: -enzyme-never-cache-reads is ignored:
// CHECK-DAG: remark: -enzyme-cache-always is ignored:
// CHECK-DAG: remark: -enzyme-cache-never is ignored:
// CHECK-DAG: remark: -enzyme-smallbool is ignored:
// CHECK-DAG: remark: -enzyme-shared-forward is ignored:
// CHECK-DAG: remark: -enzyme-auto-sparsity is ignored:
// CHECK-DAG: remark: -enzyme-blas-copy is ignored:
// CHECK-DAG: remark: -enzyme-lapack-copy is ignored:
// CHECK-DAG: remark: -enzyme-checkpoint-split-steps is ignored:
// CHECK-DAG: remark: -enzyme-checkpoint-loop-verbose is ignored:
// CHECK-DAG: remark: -enzyme-separate-compilation is ignored:
// CHECK-DAG: remark: -enzyme-export-list is ignored:
// CHECK-DAG: remark: -enzyme-export-derivatives is ignored:
// CHECK-DAG: remark: -enzyme-inactive-params is ignored:
// CHECK-DAG: remark: -enzyme-summary-out is ignored:
// CHECK-DAG: remark: -enzyme-reuse-conservative-augmentation is ignored:

extern double __enzyme_autodiff(void *, ...);
static double square(double x) { return x * x; }
double slope(double x) { return __enzyme_autodiff((void *)square, x); }
