// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Entry points that are known and not served yet. */
// shows: __enzyme_trace; __enzyme_condition; __enzyme_likelihood; __enzyme_sample; __enzyme_observe
// shows: __enzyme_todense
// shows: __enzyme_post_sparse_todense; __enzyme_context; __enzyme_shadow; __enzyme_zero_shadows
extern double __enzyme_trace(void *, ...);
extern double __enzyme_condition(void *, ...);
extern double __enzyme_likelihood(void *, ...);
extern double __enzyme_sample(void *, ...);
extern void __enzyme_observe(double, ...);
extern void *__enzyme_todense(void *);
extern void *__enzyme_post_sparse_todense(void *);
extern void *__enzyme_context(int);
extern void *__enzyme_shadow(void *, void *, int);
extern void __enzyme_zero_shadows(void *);

static double square(double x) { return x * x; }

double forward(double x) {
  return __enzyme_trace((void *)square, x, 1.0); // error: [nabla: entry-unsupported]
}
double conditioned(double x) {
  return __enzyme_condition((void *)square, x); // error: __enzyme_condition
}
double weighed(double x) {
  return __enzyme_likelihood((void *)square, x); // error: __enzyme_likelihood
}
double sampled(double x) {
  return __enzyme_sample((void *)square, "x", x); // error: __enzyme_sample
}
void observed(double x) {
  __enzyme_observe(x, "x"); // error: __enzyme_observe
}
void *pointer(void) {
  return __enzyme_todense((void *)square); // error: [nabla: entry-unsupported]
}
void *pointer_behind(void) {
  return __enzyme_post_sparse_todense((void *)square); // error: __enzyme_post_sparse_todense
}

static double factor = 2;
void *context(void) {
  return __enzyme_context(1); // error: '__enzyme_context' is not supported yet
}
void *shadow(void *context) {
  return __enzyme_shadow(context, &factor, 0); // error: '__enzyme_shadow' is not supported yet
}
void zeroed(void *context) {
  __enzyme_zero_shadows(context); // error: '__enzyme_zero_shadows' is not supported yet
}
