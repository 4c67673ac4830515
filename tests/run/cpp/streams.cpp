// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reals: double
/* What is printed through C++'s streams, and clocks: no derivative passes through. */
#include "cases.h"

#include <chrono>
#include <fstream>
#include <iomanip>
#include <sstream>
#include <string>

static std::ofstream nowhere("/dev/null");
#ifdef NB_SUBJECT
/* Code elsewhere could change it: of what is called here that must be known not to. */
real kept;
#else
static real kept;
#endif

SUM(streams_are_written, 3, 0.5, -1.25, 2.0) {
  auto start = std::chrono::steady_clock::now();
  real sum = x[0];
  kept = x[0] * x[1];
  for (int i = 0; i < n; i++) {
    sum += x[i] * x[i];
    nowhere << "step " << i << ' ' << double(VALUE(sum)) << '\n';
    x[i] = sum * sum;
  }
  auto end = std::chrono::steady_clock::now();
  nowhere << (end - start).count() << '\n';
  nowhere.flush();
  return sum * x[1] + kept * kept;
}

/* A log is a member of what has numbers. */
struct Simulation {
  std::ofstream log;
  real state[3];
  std::stringstream text;
  real time = 0;
  int steps = 0;

  Simulation(const char *name, const real *x) : log(name), state{x[0], x[1], x[2]} {}
  void step() {
    real first = state[0];
    for (int i = 0; i < 2; i++)
      state[i] += real(0.25) * (state[i + 1] - state[i] * state[i]);
    state[2] *= first;
    time += state[0] * real(0.5);
    log << "t = " << std::fixed << std::setprecision(4) << double(VALUE(time)) << std::endl;
    log.precision(6);
    text << std::setw(8) << ++steps << ' ' << double(VALUE(state[1])) << '\n';
  }
};
SUM(logs_in_structs, 3, 0.5, -1.25, 2.0) {
  Simulation simulation("/dev/null", x);
  for (int i = 0; i < n; i++)
    simulation.step();
  int first = 0;
  double second = 0;
  real sum = simulation.time * simulation.state[0];
  if (simulation.log.good() && simulation.text >> first >> second)
    sum += simulation.state[2] * simulation.state[1] * real(first);
  return sum * real((int)simulation.text.str().size());
}

/* What is read has no derivative, whatever was there before. */
SUM(streams_are_read, 3, 0.5, -1.25, 2.0) {
  std::istringstream in("3 1.5 word\nthe last line");
  std::string word, line;
  int count = 0;
  double number = VALUE(x[0] * x[1]);
  in >> count >> number >> word;
  std::getline(in, line);
  std::getline(in, line);
  x[1] = x[1] * real(number) * real(count) + x[0] * real((int)word.size());
  return x[1] * x[1] * x[n - 1] * real((int)line.size());
}
