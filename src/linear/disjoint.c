// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Whether what a call passes is known to lie apart: then the callee's derivative is one that relies
 * on it, as that of a function whose caller was tested (plan/apart.c). */
#include "checkpoint/checkpoint.h"
#include "linear/build.h"
#include "objects/graph.h"
#include "request/registrations.h"

enum { MOST_POINTERS = 12 };

typedef struct Passed {
  LLVMValueRef pointer, shadow; /* NULL: no shadow */
} Passed;

/* Each parameter of a function whose memory lies apart leads to memory of its own, and so do their
 * shadows. */
static bool are_shadows_of_others(const NbLinear *linear, LLVMValueRef one, LLVMValueRef other) {
  LLVMValueRef here = nb_memory_underlying(one), there = nb_memory_underlying(other);
  return linear->work->request->apart && here != there && LLVMIsAArgument(here) &&
         LLVMIsAArgument(there);
}

static bool lie_apart(const NbLinear *linear, const Passed *one, const Passed *other) {
  NbAnalyses *analyses = linear->work->context->analyses;
  LLVMValueRef function = linear->work->function;
  if (!nb_memory_disjoint(analyses, function, one->pointer, other->pointer))
    return false;
  return !one->shadow || !other->shadow ||
         are_shadows_of_others(linear, one->shadow, other->shadow) ||
         nb_memory_disjoint(analyses, function, one->shadow, other->shadow);
}

static bool all_lie_apart(const NbLinear *linear, const Passed *passed, unsigned count) {
  for (unsigned i = 0; i < count; i++)
    for (unsigned k = i + 1; k < count; k++)
      if (!lie_apart(linear, &passed[i], &passed[k]))
        return false;
  return count > 1;
}

/* False where they are too many, or not plain pointers. */
static bool list_passed(LLVMValueRef call, LLVMValueRef const *shadows, Passed *passed,
                        unsigned *count) {
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
    LLVMValueRef argument = LLVMGetOperand(call, i);
    if (!nb_type_has_pointer(LLVMTypeOf(argument)))
      continue;
    bool plain = LLVMGetTypeKind(LLVMTypeOf(argument)) == LLVMPointerTypeKind;
    if (!plain || *count == MOST_POINTERS || shadows[i] == argument)
      return false;
    if (!nb_leads_nowhere(argument))
      passed[(*count)++] = (Passed){argument, shadows[i]};
  }
  return true;
}

bool nb_linear_passes_apart(const NbLinear *linear, LLVMValueRef call,
                            LLVMValueRef const *shadows) {
  const NbContext *context = linear->work->context;
  Passed passed[MOST_POINTERS];
  unsigned count = 0;
  LLVMValueRef callee = nb_callee(call);
  if (linear->width > 1 || !linear->effects || !linear->shadow_scope ||
      nb_without(context, NB_OPTIMISATION_APART) || nb_custom_of(context, callee) ||
      nb_checkpoint_of(context, callee))
    return false;
  return list_passed(call, shadows, passed, &count) && count > 1 &&
         nb_graph_stays_with_arguments(linear->objects, call) &&
         all_lie_apart(linear, passed, count);
}
