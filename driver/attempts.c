/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* Each attempt is a child, which begins with all that its parent has and answers by its status; its
 * result lies in memory that both share. */

/* fork, kill and anonymous memory are not C's. */
#define _DEFAULT_SOURCE

#include "attempts.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct {
  pid_t child; /* 0: none */
  unsigned number;
  char *result;
} Slot;

typedef struct {
  const Workers *workers;
  Attempt *attempt;
  void *data;
  size_t size;
  Slot *slots;
  unsigned running;
} Pool;

/* In a group of its own, which ends with it: the compiler is a child of the child. */
static bool start(Pool *pool, unsigned place, unsigned number) {
  Slot *slot = &pool->slots[place];
  memset(slot->result, 0, pool->size);
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    setpgid(0, 0);
    pool->workers->enter(pool->workers->data, place);
    _exit(!pool->attempt(pool->data, number, slot->result));
  }
  if (child < 0)
    return false;
  setpgid(child, child);
  slot->child = child;
  slot->number = number;
  pool->running++;
  return true;
}

static unsigned free_place(const Pool *pool) {
  unsigned place = 0;
  while (pool->slots[place].child)
    place++;
  return place;
}

/* Waits for one of the children; NULL where there is none. */
static Slot *wait_for_one(Pool *pool, bool *holds) {
  int status;
  pid_t child = waitpid(-1, &status, 0);
  for (unsigned i = 0; child > 0 && i < pool->workers->jobs; i++) {
    Slot *slot = &pool->slots[i];
    if (slot->child == child) {
      slot->child = 0;
      pool->running--;
      *holds = WIFEXITED(status) && WEXITSTATUS(status) == 0;
      return slot;
    }
  }
  return NULL;
}

/* Gives up those behind the attempt of that number. */
static void stop_behind(const Pool *pool, unsigned number) {
  for (unsigned i = 0; i < pool->workers->jobs; i++)
    if (pool->slots[i].child && pool->slots[i].number > number)
      kill(-pool->slots[i].child, SIGKILL);
}

static unsigned run_all(NbArena *arena, Pool *pool, unsigned count, char **result) {
  const Workers *workers = pool->workers;
  unsigned best = count, next = 0;
  while (next < best || pool->running) {
    bool wanted = next < best && pool->running < workers->jobs;
    if (wanted && !workers->out_of_time(workers->data) && start(pool, free_place(pool), next)) {
      next++;
      continue;
    }
    bool holds = false;
    Slot *slot = wait_for_one(pool, &holds);
    if (!slot)
      break;
    if (!holds || slot->number >= best)
      continue;
    best = slot->number;
    *result = nb_arena_alloc(arena, pool->size + 1);
    memcpy(*result, slot->result, pool->size);
    stop_behind(pool, best);
  }
  return best;
}

unsigned first_to_succeed(NbArena *arena, const Workers *workers, unsigned count, Attempt *attempt,
                          void *data, size_t size, char **result) {
  size_t all = (size + 1) * workers->jobs;
  char *shared = mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED)
    return count;
  Pool pool = {workers, attempt, data, size, NB_NEW_ARRAY(arena, Slot, workers->jobs), 0};
  for (unsigned i = 0; i < workers->jobs; i++)
    pool.slots[i].result = shared + (size + 1) * i;
  unsigned first = run_all(arena, &pool, count, result);
  munmap(shared, all);
  return first;
}
