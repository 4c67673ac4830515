// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Under ThinLTO the compile step serves what it can, for the link step sees one file at a time
 * too, and with what it has brought in from others perhaps a body more. */
#include "base/names.h"
#include "bridge/body.h"
#include "request/collected.h"
#include "request/dispatch.h"

#include <string.h>

#define NOT_INLINED "noinline"

static bool is_request(NbArena *arena, LLVMValueRef callee) {
  (void)arena;
  return nb_is_request(callee);
}

/* Does, or may, another file say what the function does? */
static bool is_foreign(const NbContext *context, LLVMValueRef function) {
  const char *name = nb_name(function);
  bool ours = !strncmp(name, NB_OWN_PREFIX, strlen(NB_OWN_PREFIX));
  bool elsewhere = LLVMIsDeclaration(function) || nb_body_is_interposable(function);
  return elsewhere && !LLVMGetIntrinsicID(function) && !ours &&
         !nb_rules_find(context->rules, name, strlen(name), NULL);
}

static bool calls_foreign(const NbContext *context, LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at)) {
      LLVMValueRef callee = nb_callee(at);
      if (callee && is_foreign(context, callee))
        return true;
    }
  return false;
}

static bool needs_foreign(NbContext *context, LLVMValueRef call) {
  NbList candidates = nb_list(context->arena);
  LLVMValueRef operand = LLVMGetOperand(call, nb_call_function_index(call));
  if (!nb_candidates(context, operand, &candidates))
    return false;
  for (unsigned i = 0; i < candidates.count; i++) {
    NbList reached = nb_reach(context->arena, candidates.items[i]);
    if (is_foreign(context, candidates.items[i]))
      return true;
    for (unsigned k = 0; k < reached.count; k++)
      if (calls_foreign(context, reached.items[k]))
        return true;
  }
  return false;
}

bool nb_request_waits(NbContext *context) {
  if (nb_leftovers_found(context))
    return true;
  NbList calls = nb_calls_of(context, is_request);
  for (unsigned i = 0; i < calls.count; i++)
    if (needs_foreign(context, calls.items[i]))
      return true;
  return false;
}

/* --- Waiting where they are ---------------------------------------------------------------------
 */

static LLVMAttributeIndex whole(void) { return (LLVMAttributeIndex)LLVMAttributeFunctionIndex; }

static unsigned kind_of_noinline(void) {
  return LLVMGetEnumAttributeKindForName(NOT_INLINED, strlen(NOT_INLINED));
}

/* ThinLTO copies into other files what it may inline there. */
static void stay(NbContext *context, LLVMValueRef function) {
  if (nb_has_attribute(function, NOT_INLINED) || nb_has_attribute(function, "alwaysinline"))
    return;
  LLVMAddAttributeAtIndex(function, whole(),
                          LLVMCreateEnumAttribute(context->llvm, kind_of_noinline(), 0));
  LLVMAddAttributeAtIndex(
      function, whole(),
      LLVMCreateStringAttribute(context->llvm, NB_WAITS, strlen(NB_WAITS), "", 0));
}

void nb_request_stay(NbContext *context) {
  NbList calls = nb_calls_of(context, is_request);
  for (unsigned i = 0; i < calls.count; i++)
    stay(context, LLVMGetBasicBlockParent(LLVMGetInstructionParent(calls.items[i])));
}

void nb_request_may_move(NbContext *context) {
  LLVMValueRef function = LLVMGetFirstFunction(context->module);
  for (; function; function = LLVMGetNextFunction(function)) {
    if (!LLVMGetStringAttributeAtIndex(function, whole(), NB_WAITS, strlen(NB_WAITS)))
      continue;
    LLVMRemoveEnumAttributeAtIndex(function, whole(), kind_of_noinline());
    LLVMRemoveStringAttributeAtIndex(function, whole(), NB_WAITS, strlen(NB_WAITS));
  }
}
