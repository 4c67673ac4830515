// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What can only be refused when the program runs. `function` is the user's, by name. */
#include <stdio.h>
#include <stdlib.h>

_Noreturn void __nabla_unknown_function(const char *function);
void __nabla_keep_shadow(const void *value, const void *shadow, const void *to,
                         const void *to_shadow, const char *function);

__attribute__((noinline, cold)) static _Noreturn void refuse(const char *function,
                                                             const char *reason) {
  fputs("nabla: '", stderr);
  fputs(function, stderr);
  fputs(reason, stderr);
  abort();
}

/* A call through a pointer that holds no function known at compile time. */
__attribute__((noinline, cold)) void __nabla_unknown_function(const char *function) {
  refuse(function, "' calls a function through a pointer that was not known when its derivative "
                   "was made\n");
}

/* Memory without a shadow, which is its own, cannot keep the shadow of a pointer. */
void __nabla_keep_shadow(const void *value, const void *shadow, const void *to,
                         const void *to_shadow, const char *function) {
  if (to == to_shadow && value != shadow)
    refuse(function, "' keeps a pointer to memory with a derivative in memory that is constant: "
                     "give that memory a shadow\n");
}
