// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Where the time goes: each stage is a span of the host's -ftime-trace. */
#include "bridge/internal.h"

#include "llvm/Support/TimeProfiler.h"

using namespace llvm;
using namespace nabla;

bool nb_trace_is_written(void) { return timeTraceProfilerEnabled(); }

void nb_trace_begin(const char *stage, const char *name) {
  if (timeTraceProfilerEnabled())
    timeTraceProfilerBegin((Twine("nabla ") + stage).str(), StringRef(name));
}

void nb_trace_end() {
  if (timeTraceProfilerEnabled())
    timeTraceProfilerEnd();
}
