// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * A model in Eigen: a vehicle moves in the plane, and its positions are measured. How does the
 * misfit react to the matrix that moves it by a step, and to where and how fast it began? The
 * gradient is one call, and is compared with the adjoint by hand.
 */
#include <Eigen/Dense>
#include <cstdio>
#include <vector>

extern int enzyme_const, enzyme_dup;
void __enzyme_autodiff(void *, ...);

using Points = Eigen::Matrix2Xd;

struct Model {
  Eigen::Matrix4d step;
  Eigen::Vector4d start; // position, velocity
};

static double misfit(const Model &model, const Points &seen) {
  Eigen::Vector4d state = model.start;
  double sum = 0;
  for (Eigen::Index k = 0; k < seen.cols(); k++) {
    sum += (state.head<2>() - seen.col(k)).squaredNorm();
    state = model.step * state;
  }
  return sum / static_cast<double>(seen.cols());
}

static Model gradient(const Model &model, const Points &seen) {
  Model slope{Eigen::Matrix4d::Zero(), Eigen::Vector4d::Zero()};
  __enzyme_autodiff((void *)misfit, enzyme_dup, &model, &slope, enzyme_const, &seen);
  return slope;
}

static Model by_hand(const Model &model, const Points &seen) {
  std::vector<Eigen::Vector4d> states{model.start};
  for (Eigen::Index k = 1; k < seen.cols(); k++)
    states.push_back(model.step * states.back());
  Model slope{Eigen::Matrix4d::Zero(), Eigen::Vector4d::Zero()};
  for (Eigen::Index k = seen.cols() - 1; k >= 0; k--) {
    if (k + 1 < seen.cols())
      slope.step += slope.start * states[k].transpose();
    slope.start = model.step.transpose() * slope.start;
    slope.start.head<2>() +=
        2.0 / static_cast<double>(seen.cols()) * (states[k].head<2>() - seen.col(k));
  }
  return slope;
}

int main() {
  Model model;
  double h = 0.1;
  model.step << 1, 0, h, 0, 0, 1, 0, h, 0, 0, 0.98, 0.02, 0, 0, -0.02, 0.98;
  model.start << 0, 0, 1, 0.5;
  Points seen(2, 60);
  for (Eigen::Index k = 0; k < seen.cols(); k++)
    seen.col(k) << 0.09 * static_cast<double>(k), 0.06 * static_cast<double>(k % 40);
  Model slope = gradient(model, seen), expected = by_hand(model, seen);
  double error = ((slope.step - expected.step).norm() + (slope.start - expected.start).norm()) /
                 (expected.step.norm() + expected.start.norm());
  std::printf("misfit %.6f, gradient: difference from the adjoint by hand %.1e\n",
              misfit(model, seen), error);
  return !(error <= 1e-13);
}
