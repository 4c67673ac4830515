// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Memory of a library's own, which its next call overwrites: derivatives keep what was found. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "cases.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { YEAR = 366 * 86400 };

SUM(dates_overwritten, 3, 0.5, -1.25, 2.0) {
  time_t at = 0;
  struct tm *date = gmtime(&at);
  real product = x[0];
  for (int i = 0; i < n; i++) {
    at = (time_t)i * YEAR;
    gmtime(&at);
    product *= x[i] * (date->tm_year - 65);
  }
  return product;
}

static NOINLINE void next_date(int i) {
  time_t at = (time_t)i * YEAR;
  gmtime(&at);
}

static NOINLINE real step(real sum, real x, const struct tm *date) {
  return sum * x * (date->tm_year - 65) + x * x;
}

SUM(dates_overwritten_elsewhere, 3, 0.5, -1.25, 2.0) {
  time_t at = 0;
  const struct tm *date = gmtime(&at);
  real sum = x[0];
  for (int i = 0; i < n; i++) {
    next_date(i);
    sum = step(sum, x[i], date);
  }
  return sum;
}

SUM(an_environment_that_changes, 3, 0.5, -1.25, 2.0) {
  char name[] = "NABLA_FACTOR", value[] = "2";
  real product = x[0] * x[1];
  setenv(name, value, 1);
  char *found = getenv(name);
  for (int i = 0; i < n; i++) {
    product *= x[i] * (*found - '0');
    *value = (char)('3' + i);
    setenv(name, value, 1);
    found = getenv(name);
  }
  return product;
}

/* Names of a library that the program takes for functions of its own. */
static NOINLINE void warn(const char *text, real *a, const real *b) { *a *= *b + (real)*text; }

static NOINLINE int listen(real *a, int n) {
  *a *= *a;
  return n;
}

SUM(names_taken, 3, 0.5, -1.25, 2.0) {
  real product = x[0] * x[1];
  warn("!", &product, &x[2]);
  int counted = listen(&product, n);
  return product * counted + product;
}
