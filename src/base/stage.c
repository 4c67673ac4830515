// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/stage.h"

#include <stdio.h>

/* The user's name of a function of which this is a working copy or a derivative. */
static void print_progress(const NbContext *context, const char *stage, LLVMValueRef function) {
  LLVMValueRef primal = nb_map_get(context->primals, function);
  const char *name = nb_shown_name(context, primal ? primal : function);
  fprintf(stderr, "nabla: %s: %s\n", name, stage);
}

void nb_stage_begin(const NbContext *context, const char *stage, LLVMValueRef function) {
  if (nb_option_on(context->options, "progress", false))
    print_progress(context, stage, function);
  nb_trace_begin(stage, function);
}

void nb_stage_end(void) { nb_trace_end(); }
