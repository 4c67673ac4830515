// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A coroutine, of which nothing but the optimiser makes functions. */
// levels: -O0
#include <coroutine>

extern double __enzyme_autodiff(void *, ...);

struct Step {
  struct promise_type;
  using Handle = std::coroutine_handle<promise_type>;
  struct promise_type {
    double value = 0;
    Step get_return_object() {
      return {Handle::from_promise(*this)}; // error: from -O1 on ... [nabla: control-flow]
    }
    std::suspend_never initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_value(double v) { value = v; }
    void unhandled_exception() {}
  };
  Handle handle;
};

// error-anywhere: unknown function or an integer ... [nabla: unknown-memory]
static Step square(double x) { co_return x *x; } // error: from -O1 on ... [nabla: control-flow]

static double f(double x) {
  Step step = square(x);
  double y = step.handle.promise().value; // error: from -O1 on ... [nabla: control-flow]
  step.handle.destroy();
  return y;
}

double slope(double x) { return __enzyme_autodiff((void *)f, x); }
