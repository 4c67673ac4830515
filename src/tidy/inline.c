// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Small derivatives are inlined where they are called: the passes that come do not.
 *
 * Bottom-up over the call graph, so that a function is judged with what it took from its callees:
 * a caller grows by at most SMALL instructions a call of its own. Top-down it would take its
 * callees' callees too, call by call, which is exponential in the depth of the call graph. */
#include "objects/graph.h"
#include "tidy/tidy.h"

#include <string.h>

#define OWN_PREFIX "nabla."
#define FORWARD_PREFIX "nabla.forward."

enum { SMALL = 48 };

static bool has_prefix(LLVMValueRef function, const char *prefix) {
  return strncmp(nb_name(function), prefix, strlen(prefix)) == 0;
}

/* A forward derivative returns the primal's result beside the tangent: where the only call of it
 * does not want that, inlining lets it go. */
static bool has_one_caller(LLVMValueRef function) {
  LLVMUseRef use = LLVMGetFirstUse(function);
  return use && !LLVMGetNextUse(use) && has_prefix(function, FORWARD_PREFIX);
}

/* Small enough that the call costs more, and straight-line, so that nothing but it grows, or called
 * once. */
static bool is_small(LLVMValueRef function) {
  if (LLVMCountBasicBlocks(function) != 1 && !has_one_caller(function))
    return false;
  unsigned count = 0;
  for (LLVMValueRef at = nb_instruction_first(function); at && count <= SMALL;
       at = nb_instruction_next(at))
    count++;
  return count <= SMALL;
}

static void inline_calls_of(NbContext *context, LLVMValueRef function) {
  NbList calls = nb_list(context->arena);
  for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsACallInst(user) && nb_callee(user) == function)
      nb_list_push(&calls, user);
  }
  for (unsigned i = 0; i < calls.count; i++) {
    LLVMValueRef call = calls.items[i];
    LLVMValueRef caller = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
    if (nb_tidy_has_attribute(caller, "optnone"))
      continue;
    nb_inline_call(context->analyses, call);
  }
}

void nb_tidy_inline_small(NbContext *context) {
  if (nb_without(context, NB_OPTIMISATION_INLINE))
    return;
  unsigned count = nb_functions_bottom_up(context->module, NULL, 0);
  LLVMValueRef *functions = NB_NEW_ARRAY(context->arena, LLVMValueRef, count + 1);
  nb_functions_bottom_up(context->module, functions, count);
  for (unsigned i = 0; i < count; i++) {
    if (!has_prefix(functions[i], OWN_PREFIX) || !is_small(functions[i]))
      continue;
    inline_calls_of(context, functions[i]);
    if (!LLVMGetFirstUse(functions[i])) {
      nb_analyses_forget(context->analyses, functions[i]);
      LLVMDeleteFunction(functions[i]);
    }
  }
}
