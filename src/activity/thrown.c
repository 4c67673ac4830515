// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Exceptions that carry numbers. What is thrown is memory that whatever catches finds, and has no
 * shadow: numbers in it are served where nothing of the derivative reads them. */
#include "activity/flow.h"

enum { MOST_NESTED = 8 };

static bool touches_numbers(LLVMValueRef instruction) {
  bool store = LLVMIsAStoreInst(instruction) != NULL;
  LLVMValueRef value = store ? LLVMGetOperand(instruction, 0) : instruction;
  return (store || LLVMIsALoadInst(instruction)) && nb_type_has_float(LLVMTypeOf(value));
}

static bool only_ends(const NbActivity *activity, LLVMValueRef function, unsigned nested);

static bool is_harmless(const NbActivity *activity, LLVMValueRef instruction, unsigned nested) {
  if (!nb_is_call(instruction))
    return !touches_numbers(instruction);
  NbCall what = nb_call_of(activity->context, instruction);
  bool row = what.kind == NB_CALL_ROW &&
             (what.rule->kind == NB_RULE_INACTIVE || what.rule->kind == NB_RULE_FREE);
  bool body = what.kind == NB_CALL_BODY && only_ends(activity, what.callee, nested + 1);
  return row || body || what.kind == NB_CALL_HARMLESS;
}

/* Does the destructor leave numbers alone, whose ever they are? */
static bool only_ends(const NbActivity *activity, LLVMValueRef function, unsigned nested) {
  if (LLVMIsDeclaration(function)) {
    const NbRule *rule = nb_rule_named_as(activity->context, function);
    return rule && rule->kind == NB_RULE_INACTIVE;
  }
  LLVMValueRef at = nested < MOST_NESTED ? nb_instruction_first(function) : function;
  while (at && at != function && is_harmless(activity, at, nested))
    at = nb_instruction_next(at);
  return !at;
}

static bool is_harmless_to_throw(const NbActivity *activity, LLVMValueRef call,
                                 const NbRule *rule) {
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
    LLVMValueRef argument = LLVMGetOperand(call, i);
    if (i != rule->throws && !LLVMIsNull(argument) && !LLVMIsAGlobalVariable(argument) &&
        !(LLVMIsAFunction(argument) && only_ends(activity, argument, 0)))
      return false;
  }
  return true;
}

static void refuse_destructor(const NbActivity *activity, LLVMValueRef call) {
  nb_refuse(activity->context, NB_ERROR_CONTROL_FLOW, call,
            "an exception is thrown that carries a number with a derivative, and its destructor "
            "may use numbers, or is not known");
}

static bool is_thrown_varied(const NbActivity *activity, LLVMValueRef call, const NbCall *what) {
  if (what->kind != NB_CALL_ROW || what->rule->throws >= LLVMGetNumArgOperands(call))
    return false;
  LLVMValueRef object = LLVMGetOperand(call, what->rule->throws);
  return nb_activity_class_varied(activity, nb_value_class(activity->objects, object));
}

bool nb_activity_check_thrown(const NbActivity *activity, LLVMValueRef call, const NbCall *what) {
  if (!is_thrown_varied(activity, call, what))
    return true;
  bool harmless = is_harmless_to_throw(activity, call, what->rule);
  if (!harmless)
    refuse_destructor(activity, call);
  return harmless;
}

static bool throws_harmless(const NbActivity *activity, LLVMValueRef call, const NbCall *what) {
  return what->kind != NB_CALL_ROW || what->rule->throws >= LLVMGetNumArgOperands(call) ||
         is_harmless_to_throw(activity, call, what->rule);
}

bool nb_activity_check_throwing(const NbActivity *activity, LLVMValueRef call, const NbCall *what) {
  bool harmless = !nb_activity_find_call(activity, what->callee, true, throws_harmless);
  if (!harmless)
    refuse_destructor(activity, call);
  return harmless;
}

LLVMValueRef nb_activity_exception(const NbActivity *activity, const NbClass *class) {
  LLVMValueRef at = nb_instruction_first(activity->function);
  for (; at; at = nb_instruction_next(at)) {
    if (!nb_is_call(at))
      continue;
    NbCall what = nb_call_of(activity->context, at);
    bool caught = what.kind == NB_CALL_ROW && what.rule->thrown && LLVMGetFirstUse(at) &&
                  what.rule->returns < LLVMGetNumArgOperands(at) &&
                  nb_value_class(activity->objects, at) == class;
    if (caught || is_thrown_varied(activity, at, &what))
      return at;
  }
  return NULL;
}
