// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What code that is there includes; there is nothing of it yet. */
#error "nabla does not serve Poseidon yet (docs/compatibility.md)"
