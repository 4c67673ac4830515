// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A variable that each thread has for itself, with a destructor that runs when the thread ends. */
extern double __enzyme_autodiff(void *, ...);
extern "C" void free(void *);

struct Scratch {
  Scratch() { numbers = nullptr; } // error-anywhere: each thread ... [nabla: global-active]
  ~Scratch() { free(numbers); }
  double *numbers;
  double last = 0;
};

__attribute__((noinline)) static void square(double *to, double x) { *to = x * x; }

static double f(double x) {
  thread_local Scratch scratch;
  square(&scratch.last, x);
  return scratch.last * x;
}

double slope(double x) { return __enzyme_autodiff((void *)f, x); }
