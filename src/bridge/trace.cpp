// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Where the time goes: each stage is a span of the host's -ftime-trace. Passes that run meanwhile
 * are spans with a function's name, too. */
#include "bridge/internal.h"

#include "llvm/Support/TimeProfiler.h"

using namespace llvm;
using namespace nabla;

/* What it is of and what: energy.work of nabla.work.energy. */
static std::string traced_name(StringRef name) {
  if (!name.consume_front("nabla."))
    return name.str();
  const auto [part, rest] = name.split('.');
  return part == "direct" ? traced_name(rest) : traced_name(rest) + "." + part.str();
}

TracedName::TracedName(Function *function)
    : function(timeTraceProfilerEnabled() ? function : nullptr) {
  if (!this->function)
    return;
  name = function->getName().str();
  function->setName(traced_name(name));
}

TracedName::~TracedName() {
  if (function)
    function->setName(name);
}

bool nb_trace_is_written(void) { return timeTraceProfilerEnabled(); }

void nb_trace_begin(const char *stage, const char *name) {
  if (timeTraceProfilerEnabled())
    timeTraceProfilerBegin((Twine("nabla ") + stage).str(), StringRef(name));
}

void nb_trace_end() {
  if (timeTraceProfilerEnabled())
    timeTraceProfilerEnd();
}
