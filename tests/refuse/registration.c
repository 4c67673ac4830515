// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Registrations that would change derivatives, and cannot be served. */
// shows: __enzyme_sparse_accumulate; enzyme_sparse_accumulate; enzyme::sparse_accumulate
extern double __enzyme_autodiff(void *, ...);

// error-near: __enzyme_sparse_accumulate ... [nabla: entry-unsupported]
double helper(double x) { return x * x; }
void *__enzyme_sparse_accumulate_helper[] = {(void *)helper};

double unlike(double x) { return x; } // error-near: says what a rule cannot say
void *__enzyme_function_like_unlike[] = {(void *)unlike, (void *)"no_such_function"};

double half(double x) { return x; } // error-near: does not list the functions
double slope(double x) { return 2 * x; }
void *__enzyme_register_gradient_half[] = {(void *)half, (void *)slope};

// error-near: nothing is known of an attribute 'enzyme_inactve' ... [nabla: entry-unknown]
__attribute__((annotate("enzyme_inactve"))) double slip(double x) { return x; }

__attribute__((enzyme_sparse_accumulate)) // error-near: __enzyme_sparse_accumulate
double gather(double x) {
  return x;
}

// error-near: __enzyme_sparse_accumulate
[[enzyme::sparse_accumulate]] double collect(double x) { return x; }

double misspelt(double x) { return x; } // error-near: no registration '__enzyme_registr_derivative_
double of_misspelt(double x) { return 10 * x; }
void *__enzyme_registr_derivative_misspelt[] = {(void *)misspelt, (void *)of_misspelt};

double first_of_two(double x) { return x; } // error-near: lists more than a function and a name
void *__enzyme_function_like_two[] = {(void *)first_of_two, (void *)"sin", (void *)gather,
                                      (void *)"cos"};

double table[2], slopes[2];
double *__enzyme_shadow_globl[] = {table, slopes}; // error-anywhere: '__enzyme_shadow_globl'

static double twice(double x) { return 2 * helper(x) + unlike(x) + half(x); }

double use(double x) { return __enzyme_autodiff((void *)twice, x); }
