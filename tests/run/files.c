// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Numbers that the program reads from files, or copies from memory that nobody says the type of:
 * constants, which end the derivatives by what they overwrite. The reference takes them one by one.
 */
#define _DEFAULT_SOURCE
#include "cases.h"

#include <unistd.h>

enum { STORED = 3 };

static NOINLINE FILE *stored(void) {
  const NB_REAL numbers[STORED] = {2, -0.5, 1.25};
  FILE *file = tmpfile();
  if (!file)
    abort();
  fwrite(numbers, sizeof *numbers, STORED, file);
  fflush(file);
  rewind(file);
  return file;
}

/* How many numbers were read. */
static NOINLINE int take(FILE *file, real *to, int n) {
#ifdef __cplusplus
  NB_REAL number;
  int got = 0;
  while (got < n && fread(&number, sizeof number, 1, file) == 1)
    to[got++] = number;
  return got;
#else
  return (int)fread(to, sizeof *to, (size_t)n, file);
#endif
}

/* The same from the place `at` of a file. */
static NOINLINE int take_at(FILE *file, real *to, int n, int at) {
#ifdef __cplusplus
  fseek(file, at * (long)sizeof(NB_REAL), SEEK_SET);
  return take(file, to, n);
#else
  return (int)pread(fileno(file), to, (size_t)n * sizeof *to, at * (long)sizeof *to) /
         (int)sizeof *to;
#endif
}

SUM(read_over_active, 3, 1.5, -0.5, 2.0) {
  real w[3];
  FILE *file = stored();
  for (int i = 0; i < 3; i++)
    w[i] = x[i] * x[i];
  real sum = w[0] * w[1] * w[2];
  take(file, w, 2);
  for (int i = 0; i < n; i++)
    sum += w[i] * x[i] * w[i];
  fclose(file);
  return sum;
}

/* What a short file leaves alone is active still. */
SUM(read_short, 5, 1.5, -0.5, 2.0, 0.5, 3.0) {
  real w[5];
  FILE *file = stored();
  for (int i = 0; i < n; i++)
    w[i] = x[i] * x[0];
  int got = take(file, w, n);
  real sum = got;
  for (int i = 0; i < n; i++)
    sum += w[i] * w[i] * x[i];
  fclose(file);
  return sum;
}

/* A file that is read a number in each iteration, so that the order counts. */
MAP(read_in_loop, 3, 2, 1.5, -0.5, 2.0) {
  FILE *file = stored();
  for (int i = 0; i < n; i++) {
    real factor = 0;
    take(file, &factor, 1);
    y[i % 2] = y[i % 2] * factor + x[i] * x[i] * factor;
  }
  fclose(file);
}

MAP(read_at_place, 3, 3, 1.5, -0.5, 2.0) {
  FILE *file = stored();
  for (int i = 0; i < n; i++)
    y[i] = x[i] * y[i];
  int got = take_at(file, y, 2, 1);
  for (int i = 0; i < n; i++)
    y[i] = y[i] * x[i] * got;
  fclose(file);
}

/* A struct whose numbers and integers come from a file together. */
struct Record {
  NB_REAL weight;
  int index;
};

SUM(read_records, 3, 1.5, -0.5, 2.0) {
  struct Record written[2] = {{0.5, 2}, {3, 0}}, records[2];
  FILE *file = tmpfile();
  if (!file)
    abort();
  fwrite(written, sizeof *written, 2, file);
  rewind(file);
  real sum = 0;
  if (fread(records, sizeof *records, 2, file) == 2)
    for (int i = 0; i < 2; i++)
      sum += records[i].weight * x[records[i].index] * x[records[i].index] * n;
  fclose(file);
  return sum;
}

/* Constants behind a pointer that nobody says the type of, as many bytes as the run tells. */
static NOINLINE void overwrite(real *to, const void *numbers, const char *count) {
#ifdef __cplusplus
  for (int i = 0; i < atoi(count); i++)
    to[i] = ((const NB_REAL *)numbers)[i];
#else
  size_t bytes = 0;
  for (int i = 0; i < atoi(count) * (int)sizeof *to; i++)
    bytes++;
  memcpy(to, numbers, bytes);
#endif
}

SUM(untyped_constants_copied, 3, 1.5, -0.5, 2.0) {
  static const NB_REAL numbers[3] = {2, -0.5, 1.25};
  real w[3];
  for (int i = 0; i < n; i++)
    w[i] = x[i] * x[i];
  real sum = w[0] * w[1];
  overwrite(w, numbers, x[0] > 1 ? "2" : "1");
  for (int i = 0; i < n; i++)
    sum += w[i] * w[i] * x[i];
  overwrite(w + 1, numbers, x[1] < 0 ? "1" : "0");
  for (int i = 0; i < n; i++)
    sum += w[i] * x[i] * x[i];
  return sum;
}
