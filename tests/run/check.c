// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The main program of the run tests. Each case runs in a process of its own:
 *
 *   check derivatives|random|differences|threads TOLERANCE TIES_ARE_KINKS [NAME]
 *
 * and writes a line "@ok NAME" or "@fail NAME: REASON" to the error output. For each sample point,
 * forward mode is compared with the dual numbers, reverse mode with the dual numbers in every
 * coordinate and with forward mode as <w, Jv> = <J^T w, v>, and what the derivatives leave in the
 * primal's memory with what the primal leaves. Reverse mode runs twice and must repeat itself to
 * the bit. The stack is dirty and fresh heap memory is garbage (heap.c), and a case that leaves a
 * block behind fails. Where the reference has a kink or is not finite, the derivative is run but
 * not compared. With "differences" the plugin plays no part: the dual numbers are compared with
 * divided differences of the primal. */
#include "check.h"

#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* What compilers call to round to __bf16, which the libgcc of older systems lacks. */
__attribute__((weak)) __bf16 __truncsfbf2(float number) {
  unsigned bits;
  __bf16 rounded;
  memcpy(&bits, &number, sizeof bits);
  bits += 0x7fff + (bits >> 16 & 1);
  unsigned short upper = (unsigned short)(bits >> 16);
  memcpy(&rounded, &upper, sizeof rounded);
  return rounded;
}

enum { MAX_STATE = 96, SECONDS = 10, NOISY_RUNS = 6, NOISE_MARGIN = 10, THREADS = 3 };

typedef NB_REAL real;

/* How far rounding may carry the numbers that are compared. */
typedef struct {
  double end[MAX_STATE];
  double tangent[MAX_STATE];
  double adjoint[MAX_STATE];
} Noise;

/* What is known about one point: state before and after, and the Jacobian's columns. */
typedef struct {
  const NbCase *of;
  int size;
  int compared;
  Noise noise;
  real start[MAX_STATE];
  real end[MAX_STATE];
  real direction[MAX_STATE];
  real weight[MAX_STATE];
  real tangent[MAX_STATE];
  real adjoint[MAX_STATE];
  real columns[MAX_STATE][MAX_STATE];
} Point;

int nb_reference_kinks;
int nb_reference_ties;
unsigned nb_reference_noise;
int enzyme_const, enzyme_dup, enzyme_dupnoneed, enzyme_out;
int enzyme_noret, enzyme_primal_return;
extern long nb_live_blocks;
/* Programs that exceptions leave tapes behind in define it. */
extern const int nb_loses_tapes __attribute__((weak));
extern int __lsan_do_recoverable_leak_check(void) __attribute__((weak));

static const char *running;
static double tolerance;
static int ties_are_kinks;
static int by_differences;
static int with_noise;
static int with_threads;
static int was_loose;

extern const NbCase *const __start_nb_cases[];
extern const NbCase *const __stop_nb_cases[];

__attribute__((noreturn, format(printf, 1, 2))) static void fail(const char *format, ...) {
  va_list arguments;
  fflush(stdout);
  fprintf(stderr, "\n@fail %s: ", running);
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fprintf(stderr, "\n");
  _exit(1);
}

static int close_enough(double found, double expected, double scale) {
  double error = fabs(found - expected);
  int both_special = !isfinite(found) && !isfinite(expected);
  return error <= tolerance * (fabs(expected) + scale) || both_special;
}

void nb_expect(int line, double found, double expected) {
  if (!close_enough(found, expected, 1))
    fail("line %d: %.17g, expected %.17g", line, found, expected);
}

/* Whether a result that is not close is as close as rounding lets one ask for. What is no number is
 * only where rounding makes it so. */
static int excused(double found, double expected, double noise) {
  int close = isinf(noise) || fabs(found - expected) <= NOISE_MARGIN * noise;
  int loose = with_noise && close;
  was_loose |= loose;
  return loose;
}

static double scale_of(int size, const real *numbers) {
  double scale = 1;
  for (int i = 0; i < size; i++)
    scale = fmax(scale, isfinite(numbers[i]) ? fabs((double)numbers[i]) : 0);
  return scale;
}

static void compare(const char *what, int size, const real *found, const real *expected,
                    const double *noise) {
  double scale = scale_of(size, expected);
  for (int i = 0; i < size; i++)
    if (!close_enough(found[i], expected[i], scale) && !excused(found[i], expected[i], noise[i]))
      fail("%s[%d] is %.17g, expected %.17g", what, i, (double)found[i], (double)expected[i]);
}

static double dot(int size, const real *a, const real *b) {
  double sum = 0;
  for (int i = 0; i < size; i++)
    sum += (double)a[i] * (double)b[i];
  return sum;
}

static int all_finite(int size, const real *numbers) {
  for (int i = 0; i < size; i++)
    if (!isfinite(numbers[i]))
      return 0;
  return 1;
}

static void copy(int size, real *to, const real *from) {
  memcpy(to, from, (size_t)size * sizeof(real));
}

__attribute__((noinline)) static void dirty_stack(void) {
  volatile unsigned char garbage[16384];
  for (unsigned i = 0; i < sizeof garbage; i++)
    garbage[i] = 0xFB;
}

/* A number in [0.5, 1.5) that depends on its index only. */
static real some_number(int index) {
  unsigned hash = (unsigned)(index + 1) * 2654435761u;
  return (real)(0.5 + (hash >> 16) / 65536.0);
}

static void start_point(Point *p, const NbCase *c, const double *sample) {
  memset(p, 0, sizeof *p);
  p->of = c;
  p->size = c->inputs + c->outputs;
  for (int i = 0; i < p->size; i++) {
    p->start[i] = sample ? (real)0.25 * some_number(7 * i) : 0;
    p->direction[i] = some_number(3 * i + 1);
    p->weight[i] = some_number(5 * i + 2) - (i % 2);
  }
  for (int i = 0; i < c->inputs; i++) {
    p->start[i] = sample ? (real)sample[i] : 0;
    p->direction[i] = c->kind == NB_FIXED ? 0 : p->direction[i];
    p->weight[i] = c->kind == NB_FIXED ? 0 : p->weight[i];
  }
  if (c->returns)
    p->weight[p->size - 1] = 1;
}

static int first_active(const Point *p) { return p->of->kind == NB_FIXED ? p->of->inputs : 0; }

/* The reference's end, columns, tangent and adjoint. */
static void run_reference(Point *p) {
  const NbCase *c = p->of;
  real state[MAX_STATE];
  memset(p->columns, 0, sizeof p->columns);
  for (int j = 0; j < p->size; j++) {
    copy(p->size, state, p->start);
    p->columns[j][j] = 1;
    c->reference(c->inputs, state, p->columns[j]);
  }
  copy(p->size, p->end, state);
  copy(p->size, state, p->start);
  copy(p->size, p->tangent, p->direction);
  c->reference(c->inputs, state, p->tangent);
  for (int j = 0; j < p->size; j++)
    p->adjoint[j] = j < first_active(p) ? 0 : (real)dot(p->size, p->weight, p->columns[j]);
}

static void widen(int size, double *noise, const real *noisy, const real *clean) {
  for (int i = 0; i < size; i++) {
    double off = fabs((double)noisy[i] - (double)clean[i]);
    noise[i] = isfinite(off) ? fmax(noise[i], off) : INFINITY;
  }
}

static void measure_noise(Point *p) {
  static Point noisy;
  noisy = *p;
  for (unsigned run = 1; run <= NOISY_RUNS; run++) {
    nb_reference_noise = run;
    run_reference(&noisy);
    widen(p->size, p->noise.end, noisy.end, p->end);
    widen(p->size, p->noise.tangent, noisy.tangent, p->tangent);
    widen(p->size, p->noise.adjoint, noisy.adjoint, p->adjoint);
  }
  nb_reference_noise = 0;
}

static void ask_reference(Point *p) {
  nb_reference_kinks = 0;
  nb_reference_ties = 0;
  run_reference(p);
  p->compared = nb_reference_kinks == 0 && (nb_reference_ties == 0 || !ties_are_kinks) &&
                all_finite(p->size, p->end);
  for (int j = first_active(p); j < p->size; j++)
    p->compared = p->compared && all_finite(p->size, p->columns[j]);
  if (with_noise && p->compared)
    measure_noise(p);
}

static void check_primal(const Point *p) {
  real state[MAX_STATE];
  copy(p->size, state, p->start);
  p->of->primal(p->of->inputs, state);
  if (p->compared)
    compare("primal", p->size, state, p->end, p->noise.end);
}

static void check_forward(const Point *p) {
  real state[MAX_STATE];
  real tangent[MAX_STATE];
  copy(p->size, state, p->start);
  copy(p->size, tangent, p->direction);
  dirty_stack();
  p->of->forward(p->of->inputs, state, tangent);
  if (!p->compared)
    return;
  compare("primal in forward mode", p->size - p->of->returns, state, p->end, p->noise.end);
  compare("tangent", p->size, tangent, p->tangent, p->noise.tangent);
}

static void run_reverse(const Point *p, real *adjoint) {
  real state[MAX_STATE];
  copy(p->size, state, p->start);
  copy(p->size, adjoint, p->weight);
  dirty_stack();
  p->of->reverse(p->of->inputs, state, adjoint);
  if (p->compared)
    compare("primal in reverse mode", p->size - p->of->returns, state, p->end, p->noise.end);
}

/* How far rounding may carry <J^T w, v> and <w, J v> apart. */
static double noise_of_products(const Point *p) {
  double noise = 0;
  for (int i = 0; i < p->size; i++)
    noise += fabs((double)p->direction[i]) * p->noise.adjoint[i] +
             fabs((double)p->weight[i]) * p->noise.tangent[i];
  return noise;
}

static void check_reverse(const Point *p) {
  real adjoint[MAX_STATE];
  real again[MAX_STATE];
  run_reverse(p, adjoint);
  run_reverse(p, again);
  if (!p->compared)
    return;
  compare("adjoint", p->size, adjoint, p->adjoint, p->noise.adjoint);
  if (memcmp(adjoint, again, (size_t)p->size * sizeof(real)) != 0)
    fail("reverse mode does not repeat itself");
  double with_tangent = dot(p->size, p->weight, p->tangent);
  double with_adjoint = dot(p->size, adjoint, p->direction);
  if (!was_loose && !close_enough(with_adjoint, with_tangent, p->size) &&
      !excused(with_adjoint, with_tangent, noise_of_products(p)))
    fail("<J^T w, v> is %.17g, <w, J v> is %.17g", with_adjoint, with_tangent);
}

/* One thread: a point that it reads, a state and a derivative of its own. */
typedef struct {
  const Point *point;
  real tangent[MAX_STATE];
  real adjoint[MAX_STATE];
} Worker;

static void *work(void *given) {
  Worker *worker = given;
  const Point *p = worker->point;
  real state[MAX_STATE];
  copy(p->size, state, p->start);
  copy(p->size, worker->tangent, p->direction);
  p->of->forward(p->of->inputs, state, worker->tangent);
  copy(p->size, state, p->start);
  copy(p->size, worker->adjoint, p->weight);
  p->of->reverse(p->of->inputs, state, worker->adjoint);
  return NULL;
}

static void check_threads(const Point *p) {
  static Worker workers[THREADS];
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) {
    workers[i].point = p;
    if (pthread_create(&threads[i], NULL, work, &workers[i]) != 0)
      fail("no thread could be made");
  }
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  for (int i = 1; i < THREADS; i++)
    if (memcmp(workers[i].tangent, workers[0].tangent, sizeof workers[0].tangent) != 0 ||
        memcmp(workers[i].adjoint, workers[0].adjoint, sizeof workers[0].adjoint) != 0)
      fail("threads differ");
}

static void check_differences(const Point *p) {
  real upper[MAX_STATE];
  real lower[MAX_STATE];
  for (int j = first_active(p); j < p->size && p->compared; j++) {
    real step = (real)1e-5 * (1 + (real)fabs((double)p->start[j]));
    copy(p->size, upper, p->start);
    copy(p->size, lower, p->start);
    upper[j] += step;
    lower[j] -= step;
    p->of->primal(p->of->inputs, upper);
    p->of->primal(p->of->inputs, lower);
    for (int i = 0; i < p->size; i++)
      upper[i] = (upper[i] - lower[i]) / (2 * step);
    compare("column of differences", p->size, upper, p->columns[j], p->noise.end);
  }
}

static void check_point(const NbCase *c, const double *sample) {
  static Point point;
  start_point(&point, c, sample);
  ask_reference(&point);
  if (sample && !point.compared && !nb_reference_ties)
    fail("the reference is not smooth and finite at a sample point");
  long before = nb_live_blocks;
  check_primal(&point);
  if (nb_live_blocks != before)
    fail("the primal leaves %ld blocks of memory behind", nb_live_blocks - before);
  if (by_differences) {
    if (sample)
      check_differences(&point);
    return;
  }
  if (with_threads)
    check_threads(&point);
  check_forward(&point);
  if (nb_live_blocks != before)
    fail("forward mode leaves %ld blocks of memory behind", nb_live_blocks - before);
  check_reverse(&point);
  if (nb_live_blocks != before && !&nb_loses_tapes)
    fail("reverse mode leaves %ld blocks of memory behind", nb_live_blocks - before);
}

static void check_case(const NbCase *c) {
  if (c->kind == NB_ALONE) {
    if (!by_differences)
      c->alone();
    return;
  }
  if (c->numbers % c->inputs != 0 || c->inputs + c->outputs > MAX_STATE)
    fail("the sample points do not fit the sizes");
  for (int first = 0; first < c->numbers; first += c->inputs)
    check_point(c, c->samples + first);
  check_point(c, NULL);
}

/* Of the processor: a machine that does other things too makes no case fail. */
static void limit_time(void) {
  const struct rlimit limit = {SECONDS, SECONDS + 1};
  setrlimit(RLIMIT_CPU, &limit);
}

/* Runs the case in a child; returns whether it passed. */
static int check_apart(const NbCase *c) {
  int status = 0;
  running = c->name;
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    limit_time();
    check_case(c);
    if (__lsan_do_recoverable_leak_check && __lsan_do_recoverable_leak_check())
      fail("memory leaks");
    if (was_loose)
      fprintf(stderr, "\n@loose %s\n", c->name);
    fflush(stdout);
    _exit(0);
  }
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status))
    fprintf(stderr, "\n@fail %s: signal %d\n", c->name, WTERMSIG(status));
  else if (WEXITSTATUS(status) == 0)
    fprintf(stderr, "\n@ok %s\n", c->name);
  else if (WEXITSTATUS(status) != 1)
    fprintf(stderr, "\n@fail %s: exit status %d\n", c->name, WEXITSTATUS(status));
  return status == 0;
}

int main(int argc, char **argv) {
  int failed = 0;
  by_differences = argc > 1 && strcmp(argv[1], "differences") == 0;
  with_noise = argc > 1 && strcmp(argv[1], "random") == 0;
  with_threads = argc > 1 && strcmp(argv[1], "threads") == 0;
  tolerance = argc > 2 ? atof(argv[2]) : 1e-11;
  ties_are_kinks = argc > 3 && atoi(argv[3]);
  for (const NbCase *const *c = __start_nb_cases; c < __stop_nb_cases; c++)
    if (argc < 5 || strcmp(argv[4], (*c)->name) == 0)
      failed += !check_apart(*c);
  return failed != 0;
}
