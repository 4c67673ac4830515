// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/touch.h"

#include "objects/graph.h"

static const NbTouches NOTHING = {.known = true};
static const NbTouches ANYTHING = {.known = false};

bool nb_touch_is_own(const NbContext *context, LLVMValueRef pointer) {
  LLVMValueRef object = nb_memory_underlying(pointer);
  const NbRule *rule = LLVMIsACallInst(object) ? nb_rule_of_call(context, object, NULL) : NULL;
  return LLVMIsAAllocaInst(object) || (rule && rule->kind == NB_RULE_ALLOCATE) ||
         (LLVMIsAGlobalVariable(object) && LLVMIsGlobalConstant(object));
}

static void add(const NbContext *context, NbTouches *touches, NbTouch touch) {
  if (!nb_touch_is_own(context, touch.pointer))
    touches->items[touches->count++] = touch;
}

static NbTouches transfer(const NbContext *context, const NbCall *known) {
  NbTouches touches = NOTHING;
  if (known->from)
    add(context, &touches, (NbTouch){.pointer = known->from, .length = known->bytes});
  add(context, &touches, (NbTouch){.pointer = known->to, .length = known->bytes, .writes = true});
  return touches;
}

static bool touches_no_memory(LLVMValueRef inst) {
  return !nb_memory_may_read_any(inst) && !nb_memory_may_write_any(inst);
}

/* Does the rule say that the function computes, and no more? */
static bool only_computes(const NbRule *rule) {
  return (rule->kind == NB_RULE_TANGENT || rule->kind == NB_RULE_STRUCT) && rule->effect_count == 0;
}

static NbTouches of_row(const NbContext *context, LLVMValueRef call, const NbRule *rule) {
  bool own = rule->kind == NB_RULE_FREE && nb_touch_is_own(context, LLVMGetOperand(call, 0));
  return own || rule->kind == NB_RULE_ALLOCATE || only_computes(rule) ? NOTHING : ANYTHING;
}

static NbTouches of_call(NbContext *context, LLVMValueRef call) {
  NbCall known = nb_call_of(context, call);
  if (known.kind == NB_CALL_COPY || known.kind == NB_CALL_FILL)
    return transfer(context, &known);
  if (touches_no_memory(call))
    return NOTHING;
  if (known.rule)
    return of_row(context, call, known.rule);
  if (known.kind != NB_CALL_BODY)
    return ANYTHING;
  return (NbTouches){.known = true, .callee = known.callee};
}

static NbTouches of_access(const NbContext *context, LLVMValueRef inst, bool store) {
  NbTouches touches = NOTHING;
  LLVMTypeRef type = LLVMTypeOf(store ? LLVMGetOperand(inst, 0) : inst);
  if (!nb_access_is_plain(inst))
    return ANYTHING;
  add(context, &touches,
      (NbTouch){.pointer = LLVMGetOperand(inst, store),
                .bytes = nb_store_size(context, type),
                .writes = store});
  return touches;
}

NbTouches nb_touches_of(NbContext *context, LLVMValueRef inst) {
  if (LLVMIsALoadInst(inst) || LLVMIsAStoreInst(inst))
    return of_access(context, inst, LLVMIsAStoreInst(inst) != NULL);
  if (nb_is_call(inst))
    return of_call(context, inst);
  return touches_no_memory(inst) ? NOTHING : ANYTHING;
}
