// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Calls through pointers that no function known at compile time answers. */
#include <stdio.h>
#include <stdlib.h>

/* `caller` is the function that makes the call. */
_Noreturn void __nabla_unknown_function(const char *caller);

__attribute__((noinline, cold)) void __nabla_unknown_function(const char *caller) {
  fputs("nabla: '", stderr);
  fputs(caller, stderr);
  fputs("' calls a function through a pointer that was not known when its derivative was made\n",
        stderr);
  abort();
}
