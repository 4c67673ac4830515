// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The family of printf: no derivative passes through it; active numbers may stand in its arguments.
// RUN: %clang -O0 -g -fsanitize=address %s -lm -o %t && %t | FileCheck %s
// RUN: %clang -O2 -D_FORTIFY_SOURCE=2 %s -lm -o %t && %t | FileCheck %s
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

double __enzyme_autodiff(void *, ...), __enzyme_fwddiff(void *, ...);

static FILE *sink, *wide_sink;

typedef struct Point {
  double x, y;
} Point;

__attribute__((noinline)) static int format_list(char **to, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int count = vasprintf(to, format, list);
  va_end(list);
  return count;
}

__attribute__((noinline)) static void print_list(int kind, const char *format, ...) {
  char text[64];
  va_list list;
  va_start(list, format);
  if (kind == 0)
    vdprintf(fileno(sink), format, list);
  else if (kind == 1)
    vsprintf(text, format, list);
  else
    vsnprintf(text, sizeof text, format, list);
  va_end(list);
}

__attribute__((noinline)) static void print_wide(int kind, const wchar_t *format, ...) {
  wchar_t text[64];
  va_list list;
  va_start(list, format);
  if (kind == 0)
    vfwprintf(wide_sink, format, list);
  else
    vswprintf(text, 64, format, list);
  va_end(list);
}

static double allocated(Point *p) {
  double sum = 0;
  for (int i = 0; i < 3; i++) {
    char *text = NULL, *other = NULL;
    if (asprintf(&text, "%g", p->x) < 0 || format_list(&other, "%g %d", p->y, i) < 0)
      return 0;
    sum += (double)(strlen(text) + strlen(other)) * p->x * p->y;
    free(text);
    free(other);
  }
  return sum;
}

static double printed(Point *p) {
  wchar_t wide[32];
  dprintf(fileno(sink), "%g\n", p->x);
  for (int i = 0; i < 3; i++)
    print_list(i, "%g %p\n", p->y, (void *)p);
  for (int i = 0; i < 2; i++)
    print_wide(i, L"%g %p\n", p->y, (void *)p);
  fwprintf(wide_sink, L"%g\n", p->x);
  p->x *= p->y;
  return swprintf(wide, 32, L"%.3f", p->x) * p->x;
}

__attribute__((always_inline)) static void show(const char *name, double (*function)(Point *),
                                                Point p) {
  Point q = p, gradient = {0, 0}, direction = {1, 0};
  __enzyme_autodiff((void *)function, &p, &gradient);
  double slope = __enzyme_fwddiff((void *)function, &q, &direction);
  printf("%s %g %g %g\n", name, gradient.x, gradient.y, slope);
}

// CHECK: allocated 36 24 36
// CHECK-NEXT: printed 15 10 15
int main(void) {
  sink = fopen("/dev/null", "w");
  wide_sink = fopen("/dev/null", "w");
  show("allocated", allocated, (Point){2, 3});
  show("printed", printed, (Point){2, 3});
  return 0;
}
