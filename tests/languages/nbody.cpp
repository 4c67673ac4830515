// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nbody.h"

#include <array>
#include <cmath>
#include <vector>

namespace {

using Vector = std::array<double, 3>;

struct Body {
  double mass;
  Vector position, velocity;
};

Vector operator-(const Vector &a, const Vector &b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

double dot(const Vector &a, const Vector &b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

class System {
public:
  System(long n, const double *mass, const double *position, const double *velocity) {
    for (long i = 0; i < n; i++) {
      const double *p = position + 3 * i, *v = velocity + 3 * i;
      bodies.push_back({mass[i], {p[0], p[1], p[2]}, {v[0], v[1], v[2]}});
    }
  }

  void step(double dt) {
    for (auto a = bodies.begin(); a != bodies.end(); ++a)
      for (auto b = a + 1; b != bodies.end(); ++b) {
        Vector d = a->position - b->position;
        double square = dot(d, d), pull = dt / (square * std::sqrt(square));
        for (int k = 0; k < 3; k++) {
          a->velocity[k] -= d[k] * b->mass * pull;
          b->velocity[k] += d[k] * a->mass * pull;
        }
      }
    for (Body &body : bodies)
      for (int k = 0; k < 3; k++)
        body.position[k] += dt * body.velocity[k];
  }

  double energy() const {
    double sum = 0;
    for (auto a = bodies.begin(); a != bodies.end(); ++a) {
      sum += 0.5 * a->mass * dot(a->velocity, a->velocity);
      for (auto b = a + 1; b != bodies.end(); ++b) {
        Vector d = a->position - b->position;
        sum -= a->mass * b->mass / std::sqrt(dot(d, d));
      }
    }
    return sum;
  }

private:
  std::vector<Body> bodies;
};

} // namespace

double energy_other(long n, long steps, double dt, const double *mass, double *position,
                    double *velocity) {
  System system(n, mass, position, velocity);
  for (long s = 0; s < steps; s++)
    system.step(dt);
  return system.energy();
}
