// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Line tables have no lines of global variables: the message names the variable. */
typedef double Entry(void *, ...);
extern Entry __enzyme_autodiff;

Entry *chosen = __enzyme_autodiff;
// error-anywhere: in 'chosen' ... [nabla: entry-unsupported] ... add -g to see the line
