// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Small derivatives are inlined where they are called, and straight-line ones that are called once:
 * the passes that come do not. What the caller's code says of shadows, that they are zero, say, is
 * used then.
 *
 * Bottom-up over the call graph, so that a function is judged with what it took from its callees:
 * a caller grows by at most SMALL instructions a call of its own. Top-down it would take its
 * callees' callees too, call by call, which is exponential in the depth of the call graph. */
#include "objects/graph.h"
#include "tidy/tidy.h"

#include <string.h>

#define OWN_PREFIX "nabla."
#define FORWARD_PREFIX "nabla.forward."

enum { SMALL = 48, STRAIGHT = 512 };

static bool has_prefix(LLVMValueRef function, const char *prefix) {
  return strncmp(nb_name(function), prefix, strlen(prefix)) == 0;
}

static bool has_one_use(LLVMValueRef function) {
  LLVMUseRef use = LLVMGetFirstUse(function);
  return use && !LLVMGetNextUse(use);
}

/* Small enough that the call costs more, and straight-line, so that nothing but it grows, or called
 * once. A forward derivative returns the primal's result beside the tangent: where the only call of
 * it does not want that, inlining lets it go. */
static bool is_small(LLVMValueRef function) {
  bool once = has_one_use(function);
  bool straight = LLVMCountBasicBlocks(function) == 1;
  if (!straight && !(once && has_prefix(function, FORWARD_PREFIX)))
    return false;
  unsigned limit = straight && once ? STRAIGHT : SMALL, count = 0;
  for (LLVMValueRef at = nb_instruction_first(function); at && count <= limit;
       at = nb_instruction_next(at))
    count++;
  return count <= limit;
}

/* `callers` takes those that are the user's. */
static void inline_calls_of(NbContext *context, LLVMValueRef function, NbMap *callers) {
  NbList calls = nb_list(context->arena);
  for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsACallInst(user) && nb_callee(user) == function)
      nb_list_push(&calls, user);
  }
  for (unsigned i = 0; i < calls.count; i++) {
    LLVMValueRef call = calls.items[i];
    LLVMValueRef caller = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
    if (nb_has_attribute(caller, "optnone"))
      continue;
    nb_inline_call(context->analyses, call);
    if (!has_prefix(caller, OWN_PREFIX))
      nb_map_set(callers, caller, caller);
  }
}

NbMap *nb_tidy_inline_small(NbContext *context) {
  NbMap *callers = nb_map_new(context->arena);
  if (nb_without(context, NB_OPTIMISATION_INLINE))
    return callers;
  unsigned count = nb_functions_bottom_up(context->module, NULL, 0);
  LLVMValueRef *functions = NB_NEW_ARRAY(context->arena, LLVMValueRef, count + 1);
  nb_functions_bottom_up(context->module, functions, count);
  for (unsigned i = 0; i < count; i++) {
    if (!has_prefix(functions[i], OWN_PREFIX) || !is_small(functions[i]))
      continue;
    inline_calls_of(context, functions[i], callers);
    if (!LLVMGetFirstUse(functions[i])) {
      nb_analyses_forget(context->analyses, functions[i]);
      LLVMDeleteFunction(functions[i]);
    }
  }
  return callers;
}
