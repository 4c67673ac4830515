// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Entry points that are used as values: what they will be asked for cannot be known. */
// shows: an entry point that is left over is an error
// flags: -g
typedef double Entry(void *, ...);
extern Entry __enzyme_autodiff;

Entry *table[] = {0, __enzyme_autodiff}; // error: used as a value ... [nabla: entry-unsupported]

extern double take(Entry *entry, double x);

double give(double x) {
  return take(__enzyme_autodiff, x); // error: used as a value ... [nabla: entry-unsupported]
}

int is_it(const Entry *entry) {
  return entry == __enzyme_autodiff; // error: used as a value ... [nabla: entry-unsupported]
}
