// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Markers that are known and not served yet. */
// shows: enzyme_interface; enzyme_trace; enzyme_duptrace; enzyme_likelihood; enzyme_duplikelihood
// shows: enzyme_observations; enzyme_active_rand_var; enzyme_context
extern int enzyme_trace, enzyme_interface, enzyme_duptrace, enzyme_likelihood, enzyme_duplikelihood;
extern int enzyme_observations, enzyme_active_rand_var, enzyme_context;
extern double __enzyme_fwddiff(void *, ...);

static double square(double x) { return x * x; }

#define WITH(marker) __enzyme_fwddiff((void *)square, marker, 2, x, 1.0)

double traced(double x) {
  return WITH(enzyme_trace); // error: enzyme_trace
}
double interfaced(double x) {
  return WITH(enzyme_interface); // error: enzyme_interface
}
double traced_twice(double x) {
  return WITH(enzyme_duptrace); // error: enzyme_duptrace
}
double likely(double x) {
  return WITH(enzyme_likelihood); // error: enzyme_likelihood
}
double likely_twice(double x) {
  return WITH(enzyme_duplikelihood); // error: enzyme_duplikelihood
}
double observing(double x) {
  return WITH(enzyme_observations); // error: enzyme_observations
}
double random_variable(double x) {
  return WITH(enzyme_active_rand_var); // error: enzyme_active_rand_var
}
double in_a_context(double x) {
  return WITH(enzyme_context); // error: enzyme_context' is not supported yet
}
