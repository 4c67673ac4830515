// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * Curves fitted to the data of NIST's Statistical Reference Datasets (Misra1a, MGH17, Thurber), by
 * the method of Levenberg and Marquardt. The slopes of each curve are one call of nabla. Parameters
 * and standard deviations are compared with the certified ones, which were computed elsewhere.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

extern int enzyme_const, enzyme_dup;
double __enzyme_autodiff(void *, ...);

enum { MOST = 7 };

typedef struct {
  const char *name;
  double (*value)(const double *b, double x);
  void (*slopes)(const double *b, double x, double *row); /* adds them to `row` */
  int parameters, points;
  double start[MOST], certified[MOST], deviation[MOST];
  const double (*data)[2]; /* y, x */
} Curve;

static double misra(const double *b, double x) { return b[0] * (1 - exp(-b[1] * x)); }

static void misra_slopes(const double *b, double x, double *row) {
  __enzyme_autodiff((void *)misra, enzyme_dup, b, row, enzyme_const, x);
}

static const double misra_data[][2] = {
    {10.07, 77.6},  {14.73, 114.9}, {17.94, 141.1}, {23.93, 190.8}, {29.61, 239.9},
    {35.18, 289.0}, {40.02, 332.8}, {44.82, 378.4}, {50.76, 434.8}, {55.05, 477.3},
    {61.01, 536.8}, {66.40, 593.1}, {75.47, 689.1}, {81.78, 760.0},
};

static double osborne(const double *b, double x) {
  return b[0] + b[1] * exp(-x * b[3]) + b[2] * exp(-x * b[4]);
}

static void osborne_slopes(const double *b, double x, double *row) {
  __enzyme_autodiff((void *)osborne, enzyme_dup, b, row, enzyme_const, x);
}

static const double osborne_data[][2] = {
    {0.844, 0},   {0.908, 10},  {0.932, 20},  {0.936, 30},  {0.925, 40},  {0.908, 50},
    {0.881, 60},  {0.850, 70},  {0.818, 80},  {0.784, 90},  {0.751, 100}, {0.718, 110},
    {0.685, 120}, {0.658, 130}, {0.628, 140}, {0.603, 150}, {0.580, 160}, {0.558, 170},
    {0.538, 180}, {0.522, 190}, {0.506, 200}, {0.490, 210}, {0.478, 220}, {0.467, 230},
    {0.457, 240}, {0.448, 250}, {0.438, 260}, {0.431, 270}, {0.424, 280}, {0.420, 290},
    {0.414, 300}, {0.411, 310}, {0.406, 320},
};

static double thurber(const double *b, double x) {
  double above = b[0] + x * (b[1] + x * (b[2] + x * b[3]));
  double below = 1 + x * (b[4] + x * (b[5] + x * b[6]));
  return above / below;
}

static void thurber_slopes(const double *b, double x, double *row) {
  __enzyme_autodiff((void *)thurber, enzyme_dup, b, row, enzyme_const, x);
}

static const double thurber_data[][2] = {
    {80.574, -3.067},   {84.248, -2.981},   {87.264, -2.921},   {87.195, -2.912},
    {89.076, -2.840},   {89.608, -2.797},   {89.868, -2.702},   {90.101, -2.699},
    {92.405, -2.633},   {95.854, -2.481},   {100.696, -2.363},  {101.060, -2.322},
    {401.672, -1.501},  {390.724, -1.460},  {567.534, -1.274},  {635.316, -1.212},
    {733.054, -1.100},  {759.087, -1.046},  {894.206, -0.915},  {990.785, -0.714},
    {1090.109, -0.566}, {1080.914, -0.545}, {1122.643, -0.400}, {1178.351, -0.309},
    {1260.531, -0.109}, {1273.514, -0.103}, {1288.339, 0.010},  {1327.543, 0.119},
    {1353.863, 0.377},  {1414.509, 0.790},  {1425.208, 0.963},  {1421.384, 1.006},
    {1442.962, 1.115},  {1464.350, 1.572},  {1468.705, 1.841},  {1447.894, 2.047},
    {1457.628, 2.200},
};

/* The normal equations, matrix * step = right. Returns the sum of squares at b. */
static double normal_equations(const Curve *curve, const double *b, double matrix[MOST][MOST],
                               double *right) {
  double squares = 0;
  memset(matrix, 0, sizeof(double[MOST][MOST]));
  memset(right, 0, sizeof(double[MOST]));
  for (int i = 0; i < curve->points; i++) {
    double row[MOST] = {0}, y = curve->data[i][0], x = curve->data[i][1];
    double rest = y - curve->value(b, x);
    curve->slopes(b, x, row);
    squares += rest * rest;
    for (int j = 0; j < curve->parameters; j++) {
      right[j] += row[j] * rest;
      for (int k = 0; k < curve->parameters; k++)
        matrix[j][k] += row[j] * row[k];
    }
  }
  return squares;
}

static double sum_of_squares(const Curve *curve, const double *b) {
  double squares = 0;
  for (int i = 0; i < curve->points; i++)
    squares += pow(curve->data[i][0] - curve->value(b, curve->data[i][1]), 2);
  return squares;
}

/* x becomes the solution of matrix * x = x; the matrix is positive definite, and scaled first. */
static void solve(int n, double matrix[MOST][MOST], double *x) {
  double a[MOST][MOST], scale[MOST];
  for (int i = 0; i < n; i++)
    scale[i] = 1 / sqrt(matrix[i][i]);
  for (int i = 0; i < n; i++) {
    x[i] *= scale[i];
    for (int j = 0; j < n; j++)
      a[i][j] = matrix[i][j] * scale[i] * scale[j];
  }
  for (int k = 0; k < n; k++) {
    for (int i = k + 1; i < n; i++) {
      double factor = a[i][k] / a[k][k];
      x[i] -= factor * x[k];
      for (int j = k; j < n; j++)
        a[i][j] -= factor * a[k][j];
    }
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++)
      x[i] -= a[i][j] * x[j];
    x[i] /= a[i][i];
  }
  for (int i = 0; i < n; i++)
    x[i] *= scale[i];
}

/* One step from b, damped until the squares are fewer. Returns how far it went, relative to b. */
static double improve(const Curve *curve, double *b, double *damping) {
  double matrix[MOST][MOST], damped[MOST][MOST], right[MOST], next[MOST], moved = 0;
  double before = normal_equations(curve, b, matrix, right);
  for (;; *damping *= 4) {
    double step[MOST];
    memcpy(damped, matrix, sizeof damped);
    memcpy(step, right, sizeof step);
    for (int i = 0; i < curve->parameters; i++)
      damped[i][i] *= 1 + *damping;
    solve(curve->parameters, damped, step);
    moved = 0;
    for (int i = 0; i < curve->parameters; i++) {
      next[i] = b[i] + step[i];
      moved = fmax(moved, fabs(step[i] / next[i]));
    }
    if (moved < 1e-6 || sum_of_squares(curve, next) <= before)
      break;
  }
  *damping /= 10;
  memcpy(b, next, sizeof(double) * (size_t)curve->parameters);
  return moved;
}

/* The standard deviation of a parameter, from the inverse of the normal equations' matrix. */
static double deviation(const Curve *curve, const double *b, int parameter) {
  double matrix[MOST][MOST], column[MOST], unused[MOST];
  double squares = normal_equations(curve, b, matrix, unused);
  memset(column, 0, sizeof column);
  column[parameter] = 1;
  solve(curve->parameters, matrix, column);
  return sqrt(column[parameter] * squares / (curve->points - curve->parameters));
}

static double digits(double value, double certified) {
  return fmin(11, -log10(fabs(value - certified) / fabs(certified) + 1e-16));
}

/* Returns how many digits of the worst parameter and deviation are as certified. */
static double fit(const Curve *curve) {
  double b[MOST], damping = 1e-2, fewest = 11;
  int steps = 0;
  memcpy(b, curve->start, sizeof b);
  while (steps++ < 200 && improve(curve, b, &damping) > 1e-12)
    continue;
  printf("%s: %d steps, sum of squares %.10e\n", curve->name, steps, sum_of_squares(curve, b));
  for (int i = 0; i < curve->parameters; i++) {
    double spread = deviation(curve, b, i);
    printf("  b%d = %17.10e +- %.10e\n", i + 1, b[i], spread);
    fewest = fmin(fewest, digits(b[i], curve->certified[i]));
    fewest = fmin(fewest, digits(spread, curve->deviation[i]));
  }
  printf("  as certified: %.1f digits or more\n", fewest);
  return fewest;
}

static const Curve curves[] = {
    {"Misra1a",
     misra,
     misra_slopes,
     2,
     14,
     {500, 0.0001},
     {2.3894212918e+02, 5.5015643181e-04},
     {2.7070075241e+00, 7.2668688436e-06},
     misra_data},
    {"MGH17",
     osborne,
     osborne_slopes,
     5,
     33,
     {0.5, 1.5, -1, 0.01, 0.02},
     {3.7541005211e-01, 1.9358469127e+00, -1.4646871366e+00, 1.2867534640e-02, 2.2122699662e-02},
     {2.0723153551e-03, 2.2031669222e-01, 2.2175707739e-01, 4.4861358114e-04, 8.9471996575e-04},
     osborne_data},
    {"Thurber",
     thurber,
     thurber_slopes,
     7,
     37,
     {1000, 1000, 400, 40, 0.7, 0.3, 0.03},
     {1.2881396800e+03, 1.4910792535e+03, 5.8323836877e+02, 7.5416644291e+01, 9.6629502864e-01,
      3.9797285797e-01, 4.9727297349e-02},
     {4.6647963344e+00, 3.9571156086e+01, 2.8698696102e+01, 5.5675370270e+00, 3.1333340687e-02,
      1.4984928198e-02, 6.5842344623e-03},
     thurber_data},
};

int main(void) {
  int failed = 0;
  for (size_t i = 0; i < sizeof curves / sizeof *curves; i++)
    failed |= !(fit(&curves[i]) >= 8);
  return failed;
}
