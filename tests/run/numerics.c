// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Small numerical methods, as people write them. */
#include "cases.h"

SUM(horner, 5, 1.0, 2.0, -3.0, 0.5, 0.75) {
  real r = 0;
  for (int i = n - 2; i >= 0; i--)
    r = r * x[n - 1] + x[i];
  return r;
}

MAP(matrix_product, 8, 4, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0) {
  int m = n / 4;
  const real *a = x;
  const real *b = x + m * m;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++) {
      real sum = 0;
      for (int k = 0; k < m; k++)
        sum += a[i * m + k] * b[k * m + j];
      y[i * m + j] = sum;
    }
}

MAP(matrix_product_accumulating, 8, 4, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0) {
  int m = n / 4;
  for (int i = 0; i < m; i++)
    for (int k = 0; k < m; k++)
      for (int j = 0; j < m; j++)
        y[i * m + j] += x[i * m + k] * x[m * m + k * m + j];
}

MAP(gauss_elimination, 12, 3, 4.0, 1.0, 2.0, 1.0, 1.0, 5.0, 1.0, 2.0, 2.0, 1.0, 6.0, 3.0) {
  int m = n / 4;
  for (int k = 0; k < m; k++)
    for (int i = k + 1; i < m; i++) {
      real factor = x[i * 4 + k] / x[k * 4 + k];
      for (int j = k; j <= m; j++)
        x[i * 4 + j] -= factor * x[k * 4 + j];
    }
  for (int i = m - 1; i >= 0; i--) {
    real sum = x[i * 4 + m];
    for (int j = i + 1; j < m; j++)
      sum -= x[i * 4 + j] * y[j];
    y[i] = sum / x[i * 4 + i];
  }
}

MAP(gauss_with_pivots, 12, 3, 1.0, 5.0, 2.0, 1.0, 4.0, 1.0, 1.0, 2.0, 2.0, 1.0, 6.0, 3.0) {
  int m = n / 4;
  for (int k = 0; k < m; k++) {
    int pivot = k;
    for (int i = k + 1; i < m; i++)
      if (fabs(VALUE(x[i * 4 + k])) > fabs(VALUE(x[pivot * 4 + k])))
        pivot = i;
    for (int j = 0; j <= m; j++) {
      real t = x[k * 4 + j];
      x[k * 4 + j] = x[pivot * 4 + j];
      x[pivot * 4 + j] = t;
    }
    for (int i = 0; i < m; i++)
      if (i != k) {
        real factor = x[i * 4 + k] / x[k * 4 + k];
        for (int j = k; j <= m; j++)
          x[i * 4 + j] -= factor * x[k * 4 + j];
      }
  }
  for (int i = 0; i < m; i++)
    y[i] = x[i * 4 + m] / x[i * 4 + i];
}

MAP(lu_in_place, 9, 1, 4.0, 1.0, 2.0, 1.0, 5.0, 1.0, 2.0, 1.0, 6.0) {
  int m = n / 3;
  for (int k = 0; k < m; k++)
    for (int i = k + 1; i < m; i++) {
      x[i * m + k] /= x[k * m + k];
      for (int j = k + 1; j < m; j++)
        x[i * m + j] -= x[i * m + k] * x[k * m + j];
    }
  y[0] = x[0] * x[m + 1] * x[2 * m + 2];
}

MAP(cholesky, 9, 1, 4.0, 1.0, 2.0, 1.0, 5.0, 1.0, 2.0, 1.0, 6.0) {
  int m = n / 3;
  for (int j = 0; j < m; j++) {
    for (int k = 0; k < j; k++)
      x[j * m + j] -= x[j * m + k] * x[j * m + k];
    x[j * m + j] = sqrt(x[j * m + j]);
    for (int i = j + 1; i < m; i++) {
      for (int k = 0; k < j; k++)
        x[i * m + j] -= x[i * m + k] * x[j * m + k];
      x[i * m + j] /= x[j * m + j];
    }
  }
  y[0] = log(x[0]) + log(x[m + 1]) + log(x[2 * m + 2]);
}

MAP(euler_pendulum, 3, 2, 0.5, 0.1, 1.2) {
  real angle = x[0];
  real speed = x[1];
  for (int i = 0; i < 10 * n; i++) {
    angle += 0.05 * speed;
    speed -= 0.05 * x[2] * sin(angle);
  }
  y[0] = angle;
  y[1] = speed;
}

static NOINLINE void lotka_volterra(const real *state, const real *rate, real *slope) {
  slope[0] = rate[0] * state[0] - rate[1] * state[0] * state[1];
  slope[1] = rate[2] * state[0] * state[1] - state[1];
}

static NOINLINE void runge_kutta_step(real *state, const real *rate, real h) {
  real k[4][2];
  real probe[2];
  lotka_volterra(state, rate, k[0]);
  for (int s = 1; s < 4; s++) {
    real part = s == 3 ? h : 0.5 * h;
    for (int i = 0; i < 2; i++)
      probe[i] = state[i] + part * k[s - 1][i];
    lotka_volterra(probe, rate, k[s]);
  }
  for (int i = 0; i < 2; i++)
    state[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
}

MAP(runge_kutta, 5, 2, 1.0, 0.5, 1.1, 0.4, 0.1) {
  y[0] = x[0];
  y[1] = x[1];
  for (int i = 0; i < 2 * n; i++)
    runge_kutta_step(y, x + 2, 0.1);
}

MAP(n_body, 12, 1, 0.0, 0.0, 1.0, 0.2, 0.3, 1.1, 0.1, 0.0, -0.1, 0.2, 0.0, 0.1) {
  int bodies = n / 4;
  real *position = x;
  real *velocity = x + 2 * bodies;
  for (int step = 0; step < 4; step++) {
    for (int i = 0; i < bodies; i++)
      for (int j = 0; j < bodies; j++) {
        if (i == j)
          continue;
        real u = position[2 * j] - position[2 * i];
        real v = position[2 * j + 1] - position[2 * i + 1];
        real d = u * u + v * v + 0.05;
        real force = 0.1 / (d * sqrt(d));
        velocity[2 * i] += force * u;
        velocity[2 * i + 1] += force * v;
      }
    for (int i = 0; i < 2 * bodies; i++)
      position[i] += 0.1 * velocity[i];
  }
  y[0] = position[0] * position[3];
}

SUM(log_sum_exp, 4, 1.0, 2.0, 3.0, 2.5) {
  real largest = x[0];
  for (int i = 1; i < n; i++)
    if (x[i] > largest)
      largest = x[i];
  real sum = 0;
  for (int i = 0; i < n; i++)
    sum += exp(x[i] - largest);
  return largest + log(sum);
}

MAP(softmax, 4, 4, 1.0, 2.0, 3.0, 2.5) {
  real sum = 0;
  for (int i = 0; i < n; i++)
    sum += y[i] = exp(x[i]);
  for (int i = 0; i < n; i++)
    y[i] /= sum;
}

SUM(interpolation, 6, 0.35, 1.0, 2.0, 4.0, 3.0, 1.0, 2.6, 1.0, 2.0, 4.0, 3.0, 1.0) {
  int low = 0;
  int high = n - 2;
  while (high - low > 1) {
    int middle = (low + high) / 2;
    if (x[0] < middle)
      high = middle;
    else
      low = middle;
  }
  real t = x[0] - low;
  real slope = x[1 + high] - x[1 + low];
  return x[1 + low] + t * slope + t * t * (1 - t) * slope * slope;
}

SCALAR2(bisection_and_newton, 2.0, 3.0) {
  double low = 0;
  double high = 10;
  for (int i = 0; i < 20; i++) {
    double middle = (low + high) / 2;
    if (middle * middle * middle + VALUE(y) * middle < VALUE(x))
      low = middle;
    else
      high = middle;
  }
  real r = low;
  for (int i = 0; i < 3; i++)
    r = r - (r * r * r + y * r - x) / (3 * r * r + y);
  return r;
}

static NOINLINE real integrand(real t, real a) { return exp(-t * a) * cos(t); }

static NOINLINE real simpson(real from, real to, real a) {
  real middle = (from + to) * 0.5;
  return (to - from) / 6 * (integrand(from, a) + 4 * integrand(middle, a) + integrand(to, a));
}

static NOINLINE real adaptive(real from, real to, real a, real whole, int depth) {
  real middle = (from + to) * 0.5;
  real left = simpson(from, middle, a);
  real right = simpson(middle, to, a);
  if (depth == 0 || fabs(VALUE(left + right - whole)) < 1e-4)
    return left + right + (left + right - whole) / 15;
  return adaptive(from, middle, a, left, depth - 1) + adaptive(middle, to, a, right, depth - 1);
}

SCALAR2(adaptive_simpson, 2.0, 0.7) { return adaptive(0, x, y, simpson(0, x, y), 6); }

SCALAR2(trapezoid, 2.0, 0.7) {
  real sum = 0.5 * (1 + exp(-x * y));
  for (int i = 1; i < 16; i++)
    sum += exp(-x * y * i / 16);
  return sum * x / 16;
}

static NOINLINE void fourier(int n, real *re, real *im) {
  for (int i = 1, j = 0; i < n; i++) {
    int bit = n >> 1;
    for (; j & bit; bit >>= 1)
      j ^= bit;
    j ^= bit;
    if (i < j) {
      real t = re[i];
      re[i] = re[j];
      re[j] = t;
      t = im[i];
      im[i] = im[j];
      im[j] = t;
    }
  }
  for (int half = 1; half < n; half *= 2)
    for (int start = 0; start < n; start += 2 * half)
      for (int k = 0; k < half; k++) {
        double angle = -3.14159265358979323846 * k / half;
        real *a = re + start + k;
        real *b = im + start + k;
        real u = a[half] * cos(angle) - b[half] * sin(angle);
        real v = a[half] * sin(angle) + b[half] * cos(angle);
        a[half] = a[0] - u;
        b[half] = b[0] - v;
        a[0] += u;
        b[0] += v;
      }
}

MAP(power_spectrum, 8, 4, 1.0, 2.0, 3.0, 4.0, 0.5, 0.25, -1.0, -2.0) {
  int m = n / 2;
  fourier(m, x, x + m);
  for (int i = 0; i < m; i++)
    y[i] = x[i] * x[i] + x[m + i] * x[m + i];
}

MAP(convolution, 7, 5, 1.0, 2.0, 3.0, 4.0, 0.5, 0.25, -1.0) {
  int taps = 3;
  int length = n - taps;
  for (int i = 0; i <= length; i++) {
    real sum = 0;
    for (int k = 0; k < taps; k++)
      if (i >= k && i - k < length)
        sum += x[i - k] * x[length + k];
    y[i] = sum;
  }
}

MAP(levenberg_step, 6, 2, 0.5, 1.5, 1.0, 1.4, 2.1, 3.2) {
  real a = x[0];
  real b = x[1];
  real h[3] = {0.01, 0, 0.01};
  real g[2] = {0, 0};
  for (int i = 2; i < n; i++) {
    double t = 0.5 * (i - 2);
    real e = exp(a * t);
    real error = x[i] - b * e;
    real da = b * t * e;
    h[0] += da * da;
    h[1] += da * e;
    h[2] += e * e;
    g[0] += da * error;
    g[1] += e * error;
  }
  real d = h[0] * h[2] - h[1] * h[1];
  y[0] = a + (h[2] * g[0] - h[1] * g[1]) / d;
  y[1] = b + (h[0] * g[1] - h[1] * g[0]) / d;
}

SUM(random_walk, 3, 0.5, 0.25, 1.5) {
  unsigned seed = 12345;
  real position = x[0];
  for (int i = 0; i < 20; i++) {
    seed = seed * 1664525u + 1013904223u;
    if (seed >> 31)
      position += x[1] * position * 0.1;
    else
      position -= x[2] * 0.01 * (seed >> 24);
  }
  return position * position;
}

SUM(monte_carlo, 2, 1.5, 0.5) {
  unsigned long seed = 42;
  real sum = 0;
  for (int i = 0; i < 16; i++) {
    seed = seed * 6364136223846793005ul + 1442695040888963407ul;
    double u = (double)(seed >> 11) * 0x1p-53;
    real payoff = x[0] * exp(x[1] * (u - 0.5)) - 1.4;
    sum += payoff > 0 ? payoff : 0;
  }
  return sum / 16;
}

SUM(black_scholes, 4, 100.0, 95.0, 0.2, 1.5) {
  real root = x[2] * sqrt(x[3]);
  real d1 = (log(x[0] / x[1]) + 0.5 * x[2] * x[2] * x[3]) / root;
  real d2 = d1 - root;
  real n1 = 1 / (1 + exp(-1.702 * d1));
  real n2 = 1 / (1 + exp(-1.702 * d2));
  return x[0] * n1 - x[1] * n2;
}

SUM(two_layers, 9, 0.1, 0.2, 0.3, -0.4, 0.5, 0.6, 0.7, -0.8, 0.9) {
  real hidden[3];
  for (int i = 0; i < 3; i++) {
    real sum = x[8];
    for (int j = 0; j < 2; j++)
      sum += x[2 * i + j] * (j + 1);
    hidden[i] = tanh(sum);
  }
  real r = 0;
  for (int i = 0; i < 3; i++)
    r += hidden[i] * x[(6 + i) % n];
  return r > 0 ? r : 0.01 * r;
}

SUM(recurrent_cell, 5, 0.5, 0.25, -0.5, 0.75, 0.1) {
  real state = 0;
  real memory = 0.1;
  for (int t = 0; t < 6; t++) {
    real gate = 1 / (1 + exp(-(x[0] * state + x[1] * t + x[2])));
    memory = gate * memory + (1 - gate) * tanh(x[3] * state + x[4]);
    state = gate * tanh(memory);
  }
  return state;
}

SUM(rosenbrock, 4, -1.2, 1.0, 0.5, 0.75) {
  real sum = 0;
  for (int i = 0; i + 1 < n; i++) {
    real a = x[i + 1] - x[i] * x[i];
    real b = 1 - x[i];
    sum += 100 * a * a + b * b;
  }
  return sum;
}

SUM(speelpenning, 5, 1.0, 2.0, 0.0, 4.0, 5.0) {
  real r = 1;
  for (int i = 0; i < n; i++)
    r *= x[i];
  return r;
}

SUM(longest_path, 6, 1.0, 2.0, 0.5, 4.0, 0.25, 3.0) {
  real best[8];
  for (int i = 0; i < n; i++) {
    best[i] = x[i];
    for (int j = 0; j < i; j++)
      if ((i + j) % 2 && best[j] + x[i] * x[j] > best[i])
        best[i] = best[j] + x[i] * x[j];
  }
  return best[n - 1] * best[n - 2];
}

MAP(thomas_algorithm, 8, 4, 4.0, 5.0, 6.0, 4.5, 1.0, 2.0, 3.0, 4.0) {
  int m = n / 2;
  real c[8];
  c[0] = 1 / x[0];
  y[0] = x[m] / x[0];
  for (int i = 1; i < m; i++) {
    real d = x[i] - c[i - 1];
    c[i] = 1 / d;
    y[i] = (x[m + i] - y[i - 1]) / d;
  }
  for (int i = m - 2; i >= 0; i--)
    y[i] -= c[i] * y[i + 1];
}

MAP(conjugate_gradients, 5, 2, 4.0, 1.0, 3.0, 1.0, 2.0) {
  real r[2] = {x[3], x[n - 1]};
  real p[2] = {r[0], r[1]};
  y[0] = y[1] = 0;
  for (int k = 0; k < 2; k++) {
    real q[2] = {x[0] * p[0] + x[1] * p[1], x[1] * p[0] + x[2] * p[1]};
    real rr = r[0] * r[0] + r[1] * r[1];
    real alpha = rr / (p[0] * q[0] + p[1] * q[1]);
    for (int i = 0; i < 2; i++) {
      y[i] += alpha * p[i];
      r[i] -= alpha * q[i];
    }
    real beta = (r[0] * r[0] + r[1] * r[1]) / rr;
    for (int i = 0; i < 2; i++)
      p[i] = r[i] + beta * p[i];
  }
}

MAP(quaternion_rotation, 7, 3, 0.5, 0.5, 0.1, 0.7, 1.0, 2.0, 3.0) {
  real s = 0;
  for (int i = 0; i < 4; i++)
    s += x[i] * x[i];
  s = 1 / sqrt(s);
  real w = x[0] * s;
  real q[3] = {x[1] * s, x[2] * s, x[3] * s};
  const real *v = x + n - 3;
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3;
    int k = (i + 2) % 3;
    real t = q[j] * v[k] - q[k] * v[j];
    real u = q[i] * (q[0] * v[0] + q[1] * v[1] + q[2] * v[2]);
    y[i] = 2 * w * t + v[i] * (w * w - q[0] * q[0] - q[1] * q[1] - q[2] * q[2]) + 2 * u;
  }
}

SUM(continued_fraction, 3, 0.5, 1.5, 2.5) {
  real f = x[0];
  for (int i = 20; i > 0; i--)
    f = x[i % n] + 1 / f;
  return f;
}

SCALAR1(series_until_converged, 0.5, 1.5) {
  real term = 1;
  real sum = 1;
  for (int k = 1; fabs(VALUE(term)) > 1e-6 && k < 100; k++) {
    term *= x / k;
    sum += term;
  }
  return sum;
}

SCALAR2(arithmetic_geometric_mean, 1.0, 2.0) {
  real a = x;
  real b = y;
  while (fabs(VALUE(a - b)) > 1e-6) {
    real t = 0.5 * (a + b);
    b = sqrt(a * b);
    a = t;
  }
  return a;
}
