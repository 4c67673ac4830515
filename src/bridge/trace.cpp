// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Where the time goes: each stage is a span of the host's -ftime-trace. */
#include "bridge/internal.h"

#include "llvm/Support/TimeProfiler.h"

using namespace llvm;
using namespace nabla;

void nb_trace_begin(const char *stage, LLVMValueRef function) {
  if (!timeTraceProfilerEnabled())
    return;
  const StringRef name = function ? function_of(function).getName() : "";
  timeTraceProfilerBegin((Twine("nabla ") + stage).str(), name);
}

void nb_trace_end() {
  if (timeTraceProfilerEnabled())
    timeTraceProfilerEnd();
}
