// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What prepare-predicated.ll does, in loops. */
static double plain(double *p) {
  static const int places[4] = {9, 0, 3, 8};
  double v[4], z[4], first = p[0], sum = p[0], most = 1, product = 1, all = 0;
  int there[4];
  for (int i = 0; i < 4; i++) {
    v[i] = z[i] = p[i];
    there[i] = i < 3 && v[i] > 1.6;
    if (there[i]) {
      double w = p[4 + i], a = v[i] * w;
      z[i] = (float)sqrt(fabs(-((a + v[i] - w) / w * v[i] + a)));
      sum += z[i];
      most = z[i] > most ? z[i] : most;
      product *= z[i];
    }
  }
  for (int i = 0; i < 3; i++)
    p[4 + i] = z[i];
  for (int i = 0; i < 4; i++)
    z[i] = p[places[i]] * (there[i] ? p[1 + 2 * i] : z[i]);
  for (int i = 0; i < 4; i++) {
    if (there[i])
      p[places[i]] = z[i];
    all += z[i];
  }
  return first > 0 ? sum + most + product + all : 0;
}
