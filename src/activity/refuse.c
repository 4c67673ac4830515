// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What the activity analysis cannot serve, said at the user's line. */
#include "activity/flow.h"

#include <string.h>

static bool is_active(const NbActivity *activity, LLVMValueRef value) {
  const unsigned both = NB_VARIED | NB_USEFUL;
  return (nb_activity_bits(activity, value) & both) == both;
}

static bool is_varied(const NbActivity *activity, LLVMValueRef value) {
  return (nb_activity_bits(activity, value) & NB_VARIED) != 0;
}

static NbClass *behind(const NbActivity *activity, LLVMValueRef pointer) {
  return nb_value_class(activity->objects, pointer);
}

/* --- Classes. --------------------------------------------------------------------------------- */

static LLVMValueRef accessed_pointer(LLVMValueRef instruction) {
  if (LLVMIsALoadInst(instruction))
    return LLVMGetOperand(instruction, 0);
  return LLVMIsAStoreInst(instruction) ? LLVMGetOperand(instruction, 1) : NULL;
}

static bool joins_pointers(LLVMValueRef instruction) {
  return LLVMGetTypeKind(LLVMTypeOf(instruction)) == LLVMPointerTypeKind &&
         (LLVMIsAPHINode(instruction) || LLVMIsASelectInst(instruction));
}

/* Is it a class of the callee's? */
static bool is_bound(const NbActivity *activity, LLVMValueRef call, NbClass *class) {
  const NbBinding *binding = nb_map_get(activity->objects->bindings, call);
  for (unsigned i = 0; binding && i < nb_map_count(binding->classes); i++) {
    NbClass *ours = nb_map_get(binding->classes, nb_map_key(binding->classes, i));
    if (nb_class_find(ours) == class)
      return true;
  }
  return false;
}

static bool touches(const NbActivity *activity, LLVMValueRef instruction, NbClass *class) {
  for (int i = 0; i < LLVMGetNumOperands(instruction); i++) {
    LLVMValueRef operand = LLVMGetOperand(instruction, (unsigned)i);
    if (!LLVMIsAFunction(operand) && nb_value_class_known(activity->objects, operand) == class)
      return true;
  }
  return is_bound(activity, instruction, class);
}

LLVMValueRef nb_activity_place(const NbActivity *activity, NbClass *class) {
  LLVMValueRef access = NULL;
  LLVMValueRef at = nb_instruction_first(activity->function);
  for (; at; at = nb_instruction_next(at)) {
    if (joins_pointers(at) && behind(activity, at) == class)
      return at;
    if (!access && touches(activity, at, class))
      access = at;
  }
  return access ? access : activity->function;
}

static void check_class(NbActivity *activity, NbClass *class) {
  if (!(class->flags & (NB_CLASS_UNKNOWN | NB_CLASS_OPAQUE)) ||
      !nb_activity_class_active(activity, class))
    return;
  NbContext *context = activity->context;
  activity->refused = true;
  LLVMValueRef where = nb_activity_place(activity, class);
  LLVMValueRef exception = nb_activity_exception(activity, class);
  if (exception)
    nb_refuse(context, NB_ERROR_CONTROL_FLOW, exception,
              "a number with a derivative is in an exception, where a handler may read it, and "
              "what is thrown has no shadow");
  else if (class->flags & NB_CLASS_UNKNOWN)
    nb_refuse(context, NB_ERROR_UNKNOWN_MEMORY, where,
              "a derivative passes through memory whose address an unknown function or an integer "
              "may hold, so that its shadow cannot be found");
  else
    nb_refuse(context, NB_ERROR_UNKNOWN_MEMORY, where,
              "a derivative passes through memory that a library function returned, so that its "
              "shadow cannot be found");
}

static void check_classes(NbActivity *activity) {
  NbObjects *objects = activity->objects;
  bool refused = activity->refused;
  NbMap *done = nb_map_new(activity->context->arena);
  nb_map_set(done, nb_class_find(objects->unknown), objects);
  check_class(activity, nb_class_find(objects->unknown));
  refused |= activity->refused;
  for (unsigned i = 0; i < nb_map_count(objects->values); i++) {
    NbClass *class = nb_map_get(objects->values, nb_map_key(objects->values, i));
    class = nb_class_find(class);
    if (nb_map_has(done, class))
      continue;
    nb_map_set(done, class, class);
    check_class(activity, class);
    refused |= activity->refused;
  }
  activity->refused = refused;
}

/* --- Instructions. ---------------------------------------------------------------------------- */

static void refuse_format(NbActivity *activity, LLVMValueRef where) {
  activity->refused = true;
  nb_refuse(activity->context, NB_ERROR_FLOAT_FORMAT, where,
            "a derivative passes through a floating-point format of 128 bits");
}

static void check_format(NbActivity *activity, LLVMValueRef instruction) {
  bool store = LLVMIsAStoreInst(instruction) != NULL;
  LLVMValueRef value = store ? LLVMGetOperand(instruction, 0) : instruction;
  bool stored = store && nb_activity_memory(activity, LLVMGetOperand(instruction, 1));
  if (LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMVoidTypeKind &&
      nb_type_has_quadruple(LLVMTypeOf(value)) && (stored || is_active(activity, value)))
    refuse_format(activity, instruction);
}

static void check_access(NbActivity *activity, LLVMValueRef instruction) {
  LLVMValueRef pointer = accessed_pointer(instruction);
  bool atomic = LLVMIsAAtomicRMWInst(instruction) || LLVMIsAAtomicCmpXchgInst(instruction);
  if (atomic)
    pointer = LLVMGetOperand(instruction, 0);
  if (!pointer || !nb_activity_memory(activity, pointer))
    return;
  if (!atomic && LLVMGetOrdering(instruction) == LLVMAtomicOrderingNotAtomic)
    return;
  LLVMValueRef value = LLVMIsAStoreInst(instruction) ? LLVMGetOperand(instruction, 0) : instruction;
  uint64_t size = nb_store_size(activity->context, LLVMTypeOf(value));
  if (!nb_types_may_be_float(activity->types, pointer, size) &&
      !nb_activity_carries(activity, pointer, size))
    return;
  activity->refused = true;
  nb_refuse(activity->context, NB_ERROR_ATOMIC, instruction,
            "an atomic access to memory with a derivative");
}

static bool is_integer(LLVMValueRef value) {
  return LLVMGetTypeKind(nb_scalar_type(LLVMTypeOf(value))) == LLVMIntegerTypeKind;
}

/* Is the instruction one that takes the bits in an integer out of the integers again, to where they
 * matter? */
static bool lets_bits_out(NbActivity *activity, LLVMValueRef user) {
  switch (LLVMGetInstructionOpcode(user)) {
  case LLVMStore:
    return nb_activity_memory(activity, LLVMGetOperand(user, 1));
  case LLVMCall:
  case LLVMInvoke:
    return !nb_call_only_looks(activity->context, user) &&
           !nb_rule_is_told(nb_rule_of_call(activity->context, user, NULL)) &&
           !nb_activity_computes_bits(activity, user);
  case LLVMRet:
    return activity->request->result != NB_ROLE_CONST;
  case LLVMBitCast:
    return !is_integer(user) && is_active(activity, user);
  case LLVMSIToFP:
  case LLVMUIToFP:
    return (nb_activity_bits(activity, user) & NB_USEFUL) != 0;
  default:
    return false;
  }
}

static void check_bits(NbActivity *activity, LLVMValueRef user) {
  if (!lets_bits_out(activity, user))
    return;
  for (int i = 0; i < LLVMGetNumOperands(user); i++) {
    LLVMValueRef operand = LLVMGetOperand(user, (unsigned)i);
    if (!nb_activity_is_carrier(activity, operand) ||
        (nb_is_call(user) && nb_call_measures(activity->context, user, operand)))
      continue;
    activity->refused = true;
    nb_refuse(activity->context, NB_ERROR_INTEGER_CARRIER, user,
              "an integer carries the bits of a number with a derivative to here, and what is done "
              "to these bits has no derivative that is known");
    return;
  }
}

/* --- Calls. ----------------------------------------------------------------------------------- */

/* Memory with a derivative may hold numbers for who is called, whatever is done with it here: of
 * what is not read or written here, or lies elsewhere in the class, no type is known. */
static bool may_be_active(const NbActivity *activity, NbClass *class) {
  const unsigned both = NB_VARIED | NB_USEFUL;
  return (nb_activity_class_bits(activity, class) & both) == both &&
         !nb_activity_is_const(activity, class);
}

static bool reaches_varied(const NbActivity *activity, LLVMValueRef pointer) {
  return nb_activity_reaches(activity, behind(activity, pointer), may_be_active);
}

/* The index of the first argument from `first` on that carries something varied, else the number of
 * arguments. */
static unsigned varied_argument(const NbActivity *activity, LLVMValueRef call, unsigned first) {
  unsigned count = LLVMGetNumArgOperands(call);
  for (unsigned i = first; i < count; i++) {
    LLVMValueRef argument = LLVMGetOperand(call, i);
    if (LLVMIsAConstant(argument) && !LLVMIsAGlobalVariable(argument))
      continue;
    if (LLVMGetTypeKind(LLVMTypeOf(argument)) == LLVMMetadataTypeKind)
      continue;
    bool pointer = nb_type_has_pointer(LLVMTypeOf(argument));
    if (is_varied(activity, argument) || (pointer && reaches_varied(activity, argument)))
      return i;
  }
  return count;
}

/* What the call writes, such as a struct that the ABI returns in memory, nobody needs. */
static bool writes_nothing_needed(NbActivity *activity, LLVMValueRef call) {
  bool idle = !nb_memory_may_write_any(call) || nb_memory_keeps_to_arguments(call);
  for (unsigned i = 0; idle && i < LLVMGetNumArgOperands(call); i++) {
    LLVMValueRef argument = LLVMGetOperand(call, i);
    bool pointer = LLVMGetTypeKind(LLVMTypeOf(argument)) == LLVMPointerTypeKind;
    idle = !nb_memory_may_write_any(call) || !pointer || !nb_activity_pointer(activity, argument);
  }
  return idle;
}

/* A call that can only give its result, which nobody needs. */
static bool is_idle(NbActivity *activity, LLVMValueRef call) {
  return !(nb_activity_bits(activity, call) & NB_USEFUL) && writes_nothing_needed(activity, call) &&
         !nb_type_has_pointer(LLVMTypeOf(call));
}

/* The symbol, by which a rule would know it, and behind it what it is in the source. */
static const char *quoted_name(const NbContext *context, LLVMValueRef callee) {
  const char *symbol = nb_user_name(context, callee);
  const char *shown = nb_shown_name(context, callee);
  return strcmp(symbol, shown) == 0 ? nb_arena_print(context->arena, "'%s'", symbol)
                                    : nb_arena_print(context->arena, "'%s' (%s)", symbol, shown);
}

static bool is_of_coroutine(LLVMValueRef callee) {
  const char prefix[] = "llvm.coro.";
  return strncmp(nb_name(callee), prefix, strlen(prefix)) == 0;
}

static void refuse_unknown(NbActivity *activity, LLVMValueRef call, LLVMValueRef callee) {
  if (is_of_coroutine(callee)) {
    nb_refuse(activity->context, NB_ERROR_CONTROL_FLOW, call,
              "a coroutine is suspended and resumed, which is served only where the optimiser has "
              "made functions of it: from -O1 on");
    return;
  }
  const char *name = quoted_name(activity->context, callee);
  const NbRule *rule = nb_rule_named_as(activity->context, callee);
  if (nb_map_has(activity->context->interposable, callee))
    nb_refuse(
        activity->context, NB_ERROR_NO_RULE, call,
        "%s takes a value with a derivative, but it is weak or may be interposed, so that only a "
        "link with -flto knows what the program computes in its place, and it has no rule",
        name);
  else if (rule && nb_rule_of_call(activity->context, call, NULL) == rule)
    nb_refuse(activity->context, NB_ERROR_NO_RULE, call,
              "%s takes a value with a derivative, but its body is not known, and the rule for it "
              "(%s:%u) has no tangent",
              name, rule->file, rule->line);
  else if (rule)
    nb_refuse(activity->context, NB_ERROR_NO_RULE, call,
              "%s takes a value with a derivative, and the rule of that name (%s:%u) has other "
              "parameters or another result",
              name, rule->file, rule->line);
  else
    nb_refuse(activity->context, NB_ERROR_NO_RULE, call,
              "%s takes a value with a derivative, but neither its body nor a rule for its "
              "derivative is known",
              name);
}

static void refuse_indirect(const NbActivity *activity, LLVMValueRef call) {
  nb_refuse(activity->context, NB_ERROR_INDIRECT_CALL, call,
            "a call through a pointer, or of assembly, takes a value with a derivative, and it is "
            "not known what it computes");
}

static void refuse_call(NbActivity *activity, LLVMValueRef call, const NbCall *what,
                        unsigned first) {
  bool read = what->kind == NB_CALL_UNKNOWN && LLVMIsDeclaration(what->callee) &&
              LLVMGetNumArgOperands(call) != 0;
  bool gives = read && nb_type_has_float(LLVMTypeOf(call)) && is_active(activity, call);
  if (!gives && varied_argument(activity, call, first) == LLVMGetNumArgOperands(call))
    return;
  activity->refused = true;
  if (what->kind == NB_CALL_INDIRECT)
    refuse_indirect(activity, call);
  else if (first)
    nb_refuse(activity->context, NB_ERROR_NO_RULE, call,
              "the variable arguments of '%s' have a derivative, and are not followed",
              nb_shown_name(activity->context, what->callee));
  else
    refuse_unknown(activity, call, what->callee);
}

/* --- What helpers hand on ----------------------------------------------------------------------
 */

LLVMValueRef nb_activity_find_call(const NbActivity *activity, LLVMValueRef function, bool given,
                                   NbCallTest *passes) {
  NbMap *called = nb_map_new(activity->context->arena);
  nb_map_set(called, function, function);
  for (unsigned i = 0; i < nb_map_count(called); i++) {
    LLVMValueRef at = nb_instruction_first((LLVMValueRef)nb_map_key(called, i));
    for (; at; at = nb_instruction_next(at)) {
      if (!nb_is_call(at))
        continue;
      NbCall what = nb_call_of(activity->context, at);
      if (what.kind == NB_CALL_BODY &&
          (given || !nb_activity_is_given(activity->context, what.callee)))
        nb_map_set(called, what.callee, what.callee);
      if (!passes(activity, at, &what))
        return at;
    }
  }
  return NULL;
}

/* Does the program end there? */
static bool is_last(LLVMValueRef call) {
  LLVMValueRef next = LLVMGetNextInstruction(call);
  return next && LLVMIsAUnreachableInst(next);
}

static bool hands_number_on(LLVMValueRef call) {
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
    LLVMValueRef argument = LLVMGetOperand(call, i);
    if (!LLVMIsConstant(argument) && nb_type_has_float(LLVMTypeOf(argument)))
      return true;
  }
  return false;
}

/* Does it not hand numbers to a function that nobody sees, which may keep them? */
static bool hands_nothing_on(const NbActivity *activity, LLVMValueRef call, const NbCall *what) {
  (void)activity;
  bool hidden = what->kind == NB_CALL_INDIRECT ||
                (what->kind == NB_CALL_UNKNOWN && LLVMIsDeclaration(what->callee));
  return !hidden || !hands_number_on(call) || !nb_memory_may_write_any(call) ||
         nb_memory_keeps_to_arguments(call) || is_last(call);
}

/* Of a call that has no derivative, for nothing of it comes back from the function: what that one
 * hands to others as it hands it to them is as lost as what the caller does. */
static void check_handed_on(NbActivity *activity, const NbCall *what) {
  LLVMValueRef call = activity->refused
                          ? NULL
                          : nb_activity_find_call(activity, what->callee, false, hands_nothing_on);
  activity->refused |= call != NULL;
  if (call && nb_callee(call))
    refuse_unknown(activity, call, nb_callee(call));
  else if (call)
    refuse_indirect(activity, call);
}

static void check_call(NbActivity *activity, LLVMValueRef call) {
  NbCall what = nb_call_of(activity->context, call);
  bool declared = what.kind == NB_CALL_ROW && what.rule->kind == NB_RULE_DECLARED;
  bool unknown = what.kind == NB_CALL_UNKNOWN || what.kind == NB_CALL_INDIRECT;
  if ((declared || unknown) && !is_idle(activity, call))
    refuse_call(activity, call, &what, 0);
  bool body = what.kind == NB_CALL_BODY, active = body && nb_activity_call(activity, call);
  if (active)
    refuse_call(activity, call, &what, LLVMCountParams(what.callee));
  else if (body && nb_activity_takes_varied(activity, call)) {
    activity->refused |= !nb_activity_check_throwing(activity, call, &what);
    if (!nb_activity_is_given(activity->context, what.callee))
      check_handed_on(activity, &what);
  }
  nb_activity_check_outside(activity, call, &what);
  activity->refused |= !nb_activity_check_thrown(activity, call, &what);
  activity->refused |= !nb_activity_check_told(activity, call);
  activity->refused |= !nb_activity_check_untold(activity, call);
}

void nb_activity_check(NbActivity *activity) {
  for (unsigned i = 0; i < LLVMCountParams(activity->function); i++) {
    LLVMValueRef parameter = LLVMGetParam(activity->function, i);
    if (nb_type_has_quadruple(LLVMTypeOf(parameter)) && is_active(activity, parameter))
      refuse_format(activity, activity->function);
  }
  LLVMValueRef at = nb_instruction_first(activity->function);
  for (; at; at = nb_instruction_next(at)) {
    check_format(activity, at);
    check_access(activity, at);
    check_bits(activity, at);
    activity->refused |= !nb_activity_check_part(activity, at);
    activity->refused |= !nb_activity_check_pointer(activity, at);
    activity->refused |= !nb_activity_check_word(activity, at);
    activity->refused |= !nb_activity_check_formats(activity, at);
    if (nb_is_call(at))
      check_call(activity, at);
  }
  check_classes(activity);
  nb_activity_check_globals(activity);
}
