/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* Attempts of which most fail, several at once. */
#ifndef NABLA_ATTEMPTS_H
#define NABLA_ATTEMPTS_H

#include "base/arena.h"

typedef struct {
  unsigned jobs;                            /* at once, at least one */
  void (*enter)(void *data, unsigned slot); /* in the child, which has a place of its own */
  bool (*out_of_time)(void *data);
  void *data;
} Workers;

/* Makes the attempt of that number, in a child: what it changes is lost, but for the result, which
 * is zero before. False: it fails. */
typedef bool Attempt(void *data, unsigned number, char *result);

/* The first of `count` attempts that does not fail, and its result of `size` bytes in the arena; or
 * `count`, where all fail or it is out of time. It is the same for any number of jobs: each attempt
 * is made as if all before it had failed, and is given up where one has not. */
unsigned first_to_succeed(NbArena *arena, const Workers *workers, unsigned count, Attempt *attempt,
                          void *data, size_t size, char **result);

#endif
