// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Functions called through pointers that ask for derivatives of calls through pointers: nothing but
 * the table tells energies from the forces that are their derivatives. */
// reals: double
// differences: none
#include "cases.h"

template <typename Result, typename... Arguments>
extern Result __enzyme_fwddiff(void *function, Arguments... arguments);

namespace {
template <double (*function)(const void *, double)> double derivative(const void *of, double x) {
  return __enzyme_fwddiff<double>((void *)function, enzyme_const, of, enzyme_dup, x, 1.0);
}

struct Model {
  virtual ~Model() = default;
  virtual double energy(double x) const = 0;
  virtual double force(double x) const { return -derivative<energy_of>(this, x); }
  virtual double stiffness(double x) const { return -derivative<force_of>(this, x); }
  static double energy_of(const void *model, double x) {
    return static_cast<const Model *>(model)->energy(x);
  }
  static double force_of(const void *model, double x) {
    return static_cast<const Model *>(model)->force(x);
  }
};

struct Cubic : Model {
  double k = 3;
  double energy(double x) const override { return k * x * x * x; }
};
struct Known : Model {
  double energy(double x) const override { return x * x * x * x / 4; }
  double force(double x) const override { return -x * x * x; }
};

struct Table {
  double (*value)(const Table *table, double x);
  double (*slope)(const Table *table, double x);
};
double value_by(const void *table, double x) {
  const Table *entries = static_cast<const Table *>(table);
  return entries->value(entries, x);
}
double slope_by(const void *table, double x) {
  const Table *entries = static_cast<const Table *>(table);
  return entries->slope(entries, x);
}
double cube(const Table *table, double x) { return x * x * x; }
double slope_of_value(const Table *table, double x) { return derivative<value_by>(table, x); }

const Cubic cubic;
const Known known;
const Model *const models[] = {&cubic, &known};
Table table = {cube, slope_of_value};
} // namespace

CHECK(forces_of_virtual_energies) {
  const double force[] = {-36, -8}, stiffness[] = {36, 12};
  for (int i = 0; i < 2; i++) {
    EXPECT(models[i]->force(2), force[i]);
    EXPECT(models[i]->stiffness(2), stiffness[i]);
  }
}

CHECK(slopes_of_entries_in_one_table) {
  EXPECT(table.slope(&table, 2), 12);
  EXPECT(derivative<slope_by>(&table, 2), 12);
}
