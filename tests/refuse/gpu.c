// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Code of a GPU. */
// shows: adjoints are added atomically on GPUs
// flags: --target=nvptx64-nvidia-cuda -gline-tables-only -S
extern double __enzyme_autodiff(void *, ...);

static double square(double x) { return x * x; }

double use(double x) { return __enzyme_autodiff((void *)square, x); }
// error-anywhere: [nabla: target]
