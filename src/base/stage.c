// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/stage.h"

#include <stdio.h>

/* The user's name of a function of which this is a working copy or a derivative; NULL: of none. */
static const char *name_for_user(const NbContext *context, LLVMValueRef function) {
  LLVMValueRef primal = function ? nb_map_get(context->primals, function) : NULL;
  return function ? nb_shown_name(context, primal ? primal : function) : NULL;
}

void nb_stage_begin(const NbContext *context, const char *stage, LLVMValueRef function) {
  bool progress = nb_option_on(context->options, "progress", false);
  const char *name = progress || nb_trace_is_written() ? name_for_user(context, function) : NULL;
  if (progress)
    fprintf(stderr, "nabla: %s: %s\n", name ? name : "", stage);
  nb_trace_begin(stage, name ? name : "");
}

void nb_stage_end(void) { nb_trace_end(); }
