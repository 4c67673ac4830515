/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* A child is waited for by the signals that come: its own end, or what the user sends, which it
 * gets too, and which waits until the driver has cleaned up. */

/* fork, mkdtemp and their like are POSIX's, not C's. */
#define _XOPEN_SOURCE 700

#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const int endings[] = {SIGINT, SIGTERM, SIGHUP};

enum { ENDING_COUNT = sizeof endings / sizeof *endings, FOLDERS_OPEN = 8 };

const char *temporary_parent(void) {
  const char *parent = getenv("TMPDIR");
  return parent && *parent ? parent : "/tmp";
}

char *make_folder(NbArena *arena, const char *name) {
  const char *parent = temporary_parent();
  char *folder = nb_arena_print(arena, "%s/nabla.XXXXXX", parent);
  if (mkdtemp(folder))
    return folder;
  fprintf(stderr, "%s: no folder in %s: %s\n", name, parent, strerror(errno));
  return NULL;
}

/* As nftw calls it. */
static int remove_one(const char *path, const struct stat *facts, int kind, struct FTW *where) {
  (void)facts;
  (void)kind;
  (void)where;
  return remove(path);
}

void remove_folder(const char *folder) {
  nftw(folder, remove_one, FOLDERS_OPEN, FTW_DEPTH | FTW_PHYS);
}

static bool is_ignored(int signal) {
  struct sigaction action;
  return sigaction(signal, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

/* Those that the driver was not told to ignore, as nohup does. */
static sigset_t set_of_endings(void) {
  sigset_t signals;
  sigemptyset(&signals);
  for (int i = 0; i < ENDING_COUNT; i++)
    if (!is_ignored(endings[i]))
      sigaddset(&signals, endings[i]);
  return signals;
}

void hold_signals(void) {
  sigset_t signals = set_of_endings();
  sigprocmask(SIG_BLOCK, &signals, NULL);
}

void release_signals(void) {
  sigset_t signals = set_of_endings();
  sigprocmask(SIG_UNBLOCK, &signals, NULL);
}

bool is_stopped(void) {
  sigset_t signals;
  if (sigpending(&signals) != 0)
    return false;
  for (int i = 0; i < ENDING_COUNT; i++)
    if (sigismember(&signals, endings[i]) == 1 && !is_ignored(endings[i]))
      return true;
  return false;
}

/* In the child. */
static void redirect(const char *says) {
  int file = open(says, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file < 0)
    return;
  dup2(file, STDOUT_FILENO);
  dup2(file, STDERR_FILENO);
  close(file);
}

/* Those of `signals` are blocked. Returns what waitpid does. */
static pid_t wait_for(pid_t child, const sigset_t *signals, int *status) {
  int stopped = 0;
  pid_t ended;
  while ((ended = waitpid(child, status, WNOHANG)) == 0) {
    int signal = sigwaitinfo(signals, NULL);
    if (signal > 0 && signal != SIGCHLD) {
      stopped = signal;
      kill(child, signal);
    }
  }
  if (stopped)
    raise(stopped);
  return ended;
}

int run_compile(const char *name, Language language, NbList *list, const char *says,
                unsigned seconds) {
  int count = (int)list->count;
  sigset_t signals = set_of_endings(), before;
  nb_list_push(list, NULL);
  fflush(NULL);
  sigaddset(&signals, SIGCHLD);
  sigprocmask(SIG_BLOCK, &signals, &before);
  pid_t child = fork();
  if (child == 0) {
    sigprocmask(SIG_UNBLOCK, &signals, NULL);
    if (says)
      redirect(says);
    alarm(seconds);
    _exit(compile(name, language, false, count, (char **)list->items));
  }
  int status = 0;
  bool ended = child > 0 && wait_for(child, &signals, &status) == child;
  sigprocmask(SIG_SETMASK, &before, NULL);
  if (!ended)
    return STATUS_CANNOT;
  return WIFSIGNALED(status) ? STATUS_OF_SIGNAL + WTERMSIG(status) : WEXITSTATUS(status);
}
