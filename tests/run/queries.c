// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Functions of POSIX, OpenMP and MPI that no derivative passes through, among numbers that have
 * one. Those of libraries that are not linked stand here in assembly, so that nobody sees their
 * bodies. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "cases.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#ifdef __cplusplus
#define PLAIN_NAME extern "C"
static real kept;
#else
#define PLAIN_NAME
/* Code elsewhere could change it: of what is called here that must be known not to. */
real kept;
__asm__(".globl omp_get_num_threads\nomp_get_num_threads:\n  movl $3, %eax\n  ret\n"
        ".globl MPI_Comm_rank\nMPI_Comm_rank:\n  movl $5, (%rsi)\n  xorl %eax, %eax\n  ret\n"
        ".globl MPI_Wtime\nMPI_Wtime:\n  xorps %xmm0, %xmm0\n  ret\n");
#endif
PLAIN_NAME int omp_get_num_threads(void);
PLAIN_NAME int MPI_Comm_rank(void *comm, int *rank);
PLAIN_NAME double MPI_Wtime(void);

SUM(queries_of_libraries, 3, 0.5, -1.25, 2.0) {
  int rank = 0;
  real sum = x[0];
  kept = x[0] * x[1];
  MPI_Comm_rank(NULL, &rank);
  for (int i = 0; i < n; i++) {
    sum += x[i] * x[(i + rank) % n] * omp_get_num_threads() + kept;
    x[i] = sum;
  }
  return sum * sum * kept + MPI_Wtime();
}

SUM(queries_of_the_system, 3, 0.5, -1.25, 2.0) {
  struct timespec resolution, wait = {0, 0};
  struct rusage usage;
  unsigned seed = 7;
  char text[32];
  kept = x[0] * x[1];
  clock_getres(CLOCK_MONOTONIC, &resolution);
  getrusage(RUSAGE_SELF, &usage);
  nanosleep(&wait, NULL);
  real sum = x[0];
  for (int i = 0; i < n; i++) {
    sum += x[i] * x[i] * (getpid() > 0) * (rand_r(&seed) >= 0);
    x[i] = sum * sum;
  }
  snprintf(text, sizeof text, "%d.5", n);
  return kept * sum * strtod(text, NULL) + x[1] * strtol(text, NULL, 10) + 0 * usage.ru_maxrss;
}

SUM(queries_of_more_kinds, 3, 0.5, -1.25, 2.0) {
  struct timespec at;
  struct tm date;
  struct stat state;
  struct rlimit limit;
  struct drand48_data chance;
  double drawn = 0;
  char text[16] = "x";
  time_t zero = 0;
  real sum = x[0];
  kept = x[0] * x[1];
  timespec_get(&at, TIME_UTC);
  gmtime_r(&zero, &date);
  stat("/", &state);
  getrlimit(RLIMIT_STACK, &limit);
  srand48_r(3, &chance);
  drand48_r(&chance, &drawn);
  strfromd(text, sizeof text, "%g", 1.5);
  ldiv_t parts = ldiv(7, n);
  for (int i = 0; i < n; i++) {
    sum += x[i] * x[i] * (getpagesize() > 0) * (timegm(&date) == 0) * ffs(4) + drawn;
    x[i] = sum * sum + isxdigit('a' + i) * 0;
  }
  return kept * sum * strtod(text, NULL) * (double)(parts.quot + parts.rem) +
         0 * (state.st_mode + limit.rlim_cur);
}

SUM(descriptors_of_files, 3, 0.5, -1.25, 2.0) {
  char folder[4096];
  int ends[2] = {0, 0};
  kept = x[0] * x[1];
  int file = open("/dev/null", O_RDWR), ok = file >= 0 && pipe(ends) == 0;
  real sum = x[0];
  for (int i = 0; i < n; i++) {
    ok &= lseek(file, 0, SEEK_SET) >= 0 && pwrite(file, "x", 1, i) == 1;
    sum += x[i] * x[i] * ok;
    x[i] = sum * sum;
  }
  ok = close(ends[0]) + close(ends[1]) + close(file) == 0;
  ok &= getcwd(folder, sizeof folder) != NULL && access("/dev/null", R_OK) == 0;
  return sum * kept * ok;
}

SUM(files_are_written, 3, 0.5, -1.25, 2.0) {
  kept = x[0] * x[1];
  FILE *file = fopen("/dev/null", "w");
  real sum = x[0];
  for (int i = 0; i < n; i++) {
    sum += x[i] * x[i];
    fprintf(file, "%d\n", i);
    x[i] = sum * sum;
  }
  if (ferror(file))
    sum = 0;
  fclose(file);
  return sum * kept;
}
