// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The linker may take another body for a weak function than the one that stands here. */
#define WEAK __attribute__((weak))
extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);

WEAK double scaled(double x) { return 2 * x; }
WEAK double whole(double x) { return 3 * x; }
WEAK void told(int n) { (void)n; }
__attribute__((weak, annotate("enzyme_inactive"))) double measured(double x) { return 2 * x; }

static double own(double x) { return 2 * x; }
extern double renamed(double x) __attribute__((weak, alias("own")));
WEAK double y1(double x) { return x * x; }

static double of_renamed(double x) {
  return renamed(x) + own(x); // error: 'renamed' takes a value with a derivative, but it is weak
}

static double of_y1(double x) {
  return y1(x); // error: 'y1' takes a value with a derivative, but it is weak
}

static double of_scaled(double x) {
  return scaled(x) * x; // error: 'scaled' takes a value with a derivative, but it is weak
}

/* No derivative goes through these. */
static double of_told(double x) {
  told(1);
  return x * x + measured(x);
}

WEAK double slope(double x) { return __enzyme_autodiff((void *)of_told, x); }

void use(void) {
  __enzyme_autodiff((void *)of_renamed, 2.0);
  __enzyme_autodiff((void *)of_y1, 2.0);
  __enzyme_autodiff((void *)renamed, 2.0); // error: 'renamed' is weak or may be interposed
  __enzyme_autodiff((void *)of_scaled, 2.0);
  __enzyme_fwddiff((void *)of_scaled, 2.0, 1.0);
  __enzyme_autodiff((void *)whole, 2.0); // error: 'whole' is weak or may be interposed
}
