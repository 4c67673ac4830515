/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* What nabla repro says meanwhile: nothing of what takes a moment, then a line that tells what goes
 * on; on a terminal, another that tells how far it is. */
#include "child.h"
#include "packer.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { SECONDS_SILENT = 5 };

void begin_progress(Packer *packer, const char *output, const char *text) {
  packer->whole = output;
  packer->began = packer->said = time(NULL);
  packer->left = strlen(text);
}

void say_progress(Packer *packer) {
  time_t now = time(NULL);
  if (!packer->whole || getpid() != packer->process || now < packer->began + SECONDS_SILENT ||
      is_stopped())
    return;
  if (packer->said == packer->began)
    fprintf(stderr,
            "%s: %s is there, and is made smaller, which may take minutes; Ctrl-C ends it with "
            "what is left then\n",
            own_name, packer->whole);
  if (packer->said < now && isatty(STDERR_FILENO))
    fprintf(stderr, "\r\033[K%s: %zu bytes, %ld s", own_name, packer->left,
            (long)(now - packer->began));
  packer->said = now;
}

void end_progress(Packer *packer) {
  if (packer->whole && packer->said > packer->began && isatty(STDERR_FILENO))
    fputs("\r\033[K", stderr);
  packer->whole = NULL;
}
