// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What the C library converts, prints and finds, beside numbers. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "cases.h"

#include <fnmatch.h>
#include <locale.h>
#include <monetary.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wchar.h>
#include <wctype.h>

typedef struct {
  real factor;
  wchar_t wide[8];
  char narrow[16];
} Entry;

SUM(wide_beside_numbers, 3, 0.5, -1.25, 2.0) {
  Entry entries[3];
  real sum = 0;
  for (int i = 0; i < n; i++) {
    Entry *entry = &entries[i];
    entry->factor = x[i] * x[i];
    mbstowcs(entry->wide, i ? "12" : "3", 8);
    wcscat(entry->wide, L".5");
    wcstombs(entry->narrow, entry->wide, sizeof entry->narrow);
  }
  for (int i = 0; i < n; i++) {
    double wide = wcstod(entries[i].wide, NULL);
    sum += entries[i].factor * (wide + atof(entries[i].narrow));
  }
  return sum;
}

/* A loop that changes what it has read before. */
SUM(characters_one_by_one, 3, 0.5, -1.25, 2.0) {
  const char *text = "253";
  mbstate_t state;
  wchar_t wide = 0;
  real product = 1;
  memset(&state, 0, sizeof state);
  for (int i = 0; i < n; i++) {
    text += mbrtowc(&wide, text, 4, &state);
    product *= iswdigit((wint_t)wide) ? x[i] * (wide - L'0') + product : x[i];
  }
  return product;
}

SUM(numbers_as_texts, 3, 0.5, -1.25, 2.0) {
  char text[64];
  real product = 1;
  for (int i = 0; i < n; i++) {
    int point, sign;
    product *= x[i] * atof(gcvt(1.5 + i, 4, text));
    ecvt_r(25.0 + i, 3, &point, &sign, text, sizeof text);
    product *= point + sign + text[1] - '0';
    fcvt_r(0.25 * i, 2, &point, &sign, text, sizeof text);
    product += x[i] * *text;
    strfmon(text, sizeof text, "%!.1n", 2.5 + i);
    product += x[i] * atof(text);
  }
  return product;
}

SUM(dates_as_texts, 3, 0.5, -1.25, 2.0) {
  char text[64];
  real sum = 0;
  for (int i = 0; i < n; i++) {
    time_t at = (time_t)i * 86400;
    struct tm date;
    gmtime_r(&at, &date);
    char *day = asctime_r(&date, text);
    sum = sum * x[i] + x[i] * (day[9] - '0') * (localeconv()->decimal_point[0] == '.');
  }
  return sum;
}

static NOINLINE real matched(const char *line, const real *x, int n) {
  regex_t expression;
  regmatch_t found[2];
  real sum = 0;
  if (regcomp(&expression, "x([0-9])", REG_EXTENDED))
    return 0;
  for (; !regexec(&expression, line, 2, found, 0); line += found[0].rm_eo)
    sum = sum * sum + x[(line[found[1].rm_so] - '0') % n];
  regfree(&expression);
  return sum * (fnmatch("x*", "x1", 0) ? 1 : 2);
}

SUM(told_by_matches, 3, 0.5, -1.25, 2.0) { return matched("2 x1, x0; x2", x, n); }

/* Generators with their state beside numbers. */
typedef struct {
  real weight;
  struct drand48_data state;
} Stream;

SUM(chance_in_structs, 3, 0.5, -1.25, 2.0) {
  char numbers[32];
  struct random_data generator;
  Stream stream;
  real sum = 0;
  memset(&generator, 0, sizeof generator);
  initstate_r(7, numbers, sizeof numbers, &generator);
  srand48_r(3, &stream.state);
  stream.weight = x[0] * x[1];
  for (int i = 0; i < n; i++) {
    int drawn;
    long other;
    random_r(&generator, &drawn);
    lrand48_r(&stream.state, &other);
    sum += x[i] * x[i] * (drawn % 5 + 1) + stream.weight * (real)(other % 3);
  }
  return sum;
}
