// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A function is run many times by a check, and must leave no trace: before it overwrites memory,
 * it says so; what it allocates and frees, it tells; output that nobody reads is left out. Callees
 * are copied, so that the user's own functions stay as they are. A call whose effects cannot be
 * taken back makes the derivative one that cannot be checked. */
#include "base/names.h"
#include "check/check.h"
#include "emit/runtime.h"
#include "objects/graph.h"
#include "request/registrations.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

#define OWN_PREFIX "__nabla_check_"
/* Intrinsics that give back the stack. */
#define DEVICE_PREFIX "__nabla_device_"
#define CUBLAS_PREFIX "__nabla_cublas_"
#define STACK_PREFIX "llvm.stack"

typedef struct Log {
  NbContext *context;
  NbLogged *logged;   /* function -> its copy; a copy -> itself */
  const char *reason; /* of the function that is being logged */
  bool cyclic;        /* it calls one that is not done yet */
  NbList undecided;   /* copies in such cycles */
} Log;

static void log_function(Log *log, LLVMValueRef function);

static void obstruct(Log *log, const char *before, const char *name, const char *after) {
  if (!log->reason)
    log->reason = nb_arena_print(log->context->arena, "%s%s%s", before, name, after);
}

static LLVMBuilderRef builder_before(const Log *log, LLVMValueRef inst) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(log->context->llvm);
  LLVMPositionBuilderBefore(builder, inst);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(inst));
  return builder;
}

static void tell(const Log *log, LLVMBuilderRef builder, const char *name, LLVMValueRef *arguments,
                 unsigned count) {
  LLVMTypeRef none = LLVMVoidTypeInContext(log->context->llvm);
  nb_runtime_call(log->context, builder, name, none, arguments, count);
}

static bool is_local(LLVMValueRef pointer) {
  return LLVMIsAAllocaInst(nb_memory_underlying(pointer)) != NULL;
}

static void log_bytes(const Log *log, LLVMValueRef inst, LLVMValueRef pointer, LLVMValueRef bytes) {
  if (is_local(pointer))
    return;
  LLVMTypeRef type = LLVMInt64TypeInContext(log->context->llvm);
  LLVMBuilderRef builder = builder_before(log, inst);
  LLVMValueRef arguments[] = {pointer, LLVMBuildIntCast2(builder, bytes, type, false, "")};
  tell(log, builder, "__nabla_check_log", arguments, 2);
  LLVMDisposeBuilder(builder);
}

static void log_type(const Log *log, LLVMValueRef inst, LLVMValueRef pointer, LLVMTypeRef type) {
  LLVMTypeRef word = LLVMInt64TypeInContext(log->context->llvm);
  log_bytes(log, inst, pointer, LLVMConstInt(word, nb_store_size(log->context, type), false));
}

/* --- Calls ------------------------------------------------------------------------------------ */

/* The function that frees, if a pointer is all that it takes. */
static LLVMValueRef release_of(const Log *log, const NbRule *rule) {
  NbContext *context = log->context;
  LLVMTypeRef pointer = LLVMPointerTypeInContext(context->llvm, 0);
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context->llvm), &pointer, 1, false);
  LLVMValueRef function = LLVMGetNamedFunction(context->module, rule->name);
  if (!function)
    function = LLVMAddFunction(context->module, rule->name, type);
  return LLVMGlobalGetValueType(function) == type ? function : LLVMConstNull(pointer);
}

/* What an allocation gives, or what another block was resized to, is the run's own. */
static void log_allocation(const Log *log, LLVMValueRef call, const NbRule *rule) {
  NbContext *context = log->context;
  unsigned count = LLVMGetNumArgOperands(call);
  LLVMValueRef *operands = NB_NEW_ARRAY(context->arena, LLVMValueRef, count + 1);
  for (unsigned i = 0; i < count; i++)
    operands[i] = LLVMGetOperand(call, i);
  LLVMBuilderRef builder = builder_before(log, nb_call_next(call));
  NbLowering lowering = {.context = context,
                         .builder = builder,
                         .type = LLVMDoubleTypeInContext(context->llvm),
                         .arguments = operands,
                         .result = call};
  LLVMValueRef extent = nb_lower_expression(&lowering, rule->extent);
  LLVMTypeRef word = LLVMInt64TypeInContext(context->llvm);
  LLVMValueRef bytes = LLVMBuildIntCast2(builder, extent, word, false, "");
  LLVMValueRef arguments[] = {call, bytes, release_of(log, rule->partner)};
  tell(log, builder, "__nabla_check_allocated", arguments, 3);
  LLVMDisposeBuilder(builder);
}

/* Only what the run has allocated itself is freed, and moved to another size: `ask` tells which
 * block that is. */
static void log_release(const Log *log, LLVMValueRef call, const NbRule *rule, const char *ask) {
  LLVMBuilderRef builder = builder_before(log, call);
  unsigned operand = rule->operands[0];
  LLVMValueRef pointer = LLVMGetOperand(call, operand);
  LLVMValueRef own = nb_runtime_call(log->context, builder, ask, LLVMTypeOf(pointer), &pointer, 1);
  LLVMSetOperand(call, operand, own);
  LLVMDisposeBuilder(builder);
}

static void log_leaving(const Log *log, LLVMValueRef call) {
  LLVMBuilderRef builder = builder_before(log, call);
  tell(log, builder, "__nabla_check_leave", NULL, 0);
  LLVMDisposeBuilder(builder);
}

/* How many bytes one element of an effect has: of a real in any format, the most. */
static unsigned effect_bytes(const NbEffect *effect) {
  switch (effect->type) {
  case NB_TYPE_VOID:
    return 1;
  case NB_TYPE_FLOAT:
  case NB_TYPE_INT:
    return 4;
  default:
    return 8;
  }
}

/* What the row of a library function says that it writes. */
static void log_effect(Log *log, LLVMValueRef call, const NbRule *rule, const NbEffect *effect) {
  if (!effect->writes)
    return;
  bool known = effect->parameter != NB_NO_PARAMETER;
  LLVMValueRef pointer = known ? LLVMGetOperand(call, effect->parameter) : NULL;
  if (pointer && is_local(pointer))
    return;
  const NbExpr *extent = effect->extent;
  if (!pointer || !extent || extent->kind != NB_EXPR_NUMBER) {
    obstruct(log, "it calls ", rule->name, ", and what that writes cannot be restored");
    return;
  }
  LLVMTypeRef word = LLVMInt64TypeInContext(log->context->llvm);
  unsigned long long bytes = (unsigned long long)extent->number * effect_bytes(effect);
  log_bytes(log, call, pointer, LLVMConstInt(word, bytes, false));
}

/* What acts on the world is left out if nobody wants its result. */
static void log_inactive(Log *log, LLVMValueRef call, const NbRule *rule) {
  if (!rule->once)
    return;
  if (LLVMGetFirstUse(call))
    obstruct(log, "it calls ", rule->name, ", which may answer differently each time");
  else if (LLVMIsAInvokeInst(call))
    nb_branch_settle(LLVMGetInstructionParent(call), LLVMGetNormalDest(call));
  else
    LLVMInstructionEraseFromParent(call);
}

/* What lies there cannot be looked at. */
static void log_device(Log *log) { obstruct(log, "it computes with memory of a device", "", ""); }

static void log_row(Log *log, LLVMValueRef call, const NbRule *rule) {
  if (rule->device) {
    log_device(log);
    return;
  }
  if (rule->noreturn) {
    log_leaving(log, call);
    return;
  }
  for (unsigned i = 0; i < rule->effect_count; i++)
    log_effect(log, call, rule, &rule->effects[i]);
  switch (rule->kind) {
  case NB_RULE_ALLOCATE:
    log_allocation(log, call, rule);
    break;
  case NB_RULE_FREE:
    log_release(log, call, rule, "__nabla_check_freed");
    break;
  case NB_RULE_RESIZE:
    log_release(log, call, rule, "__nabla_check_resized");
    log_allocation(log, call, rule);
    break;
  case NB_RULE_COPY:
    log_bytes(log, call, LLVMGetOperand(call, rule->operands[0]),
              LLVMGetOperand(call, rule->operands[2]));
    break;
  case NB_RULE_FILL:
    log_bytes(log, call, LLVMGetOperand(call, rule->operands[0]),
              LLVMGetOperand(call, rule->operands[1]));
    break;
  case NB_RULE_INACTIVE:
  case NB_RULE_MIRROR:
    log_inactive(log, call, rule);
    break;
  default:
    break;
  }
}

static void copy_parameter(LLVMValueRef target, LLVMValueRef source, unsigned index) {
  unsigned count = LLVMGetAttributeCountAtIndex(source, index);
  LLVMAttributeRef attributes[64];
  if (count > sizeof attributes / sizeof *attributes)
    return;
  LLVMGetAttributesAtIndex(source, index, attributes);
  for (unsigned i = 0; i < count; i++)
    LLVMAddAttributeAtIndex(target, index, attributes[i]);
}

/* Logs a copy. Its reason is its own, not its caller's; in a cycle it is that of the whole. */
static void log_clone(Log *log, LLVMValueRef clone) {
  const char *before = log->reason;
  bool cyclic = log->cyclic;
  log->reason = NULL;
  log->cyclic = false;
  log_function(log, clone);
  if (log->cyclic)
    nb_list_push(&log->undecided, clone);
  else
    nb_map_set(log->logged->reasons, clone, (void *)log->reason);
  log->reason = before ? before : log->reason;
  log->cyclic = log->cyclic || cyclic;
}

/* A copy of the function that tells; itself where it is one. */
static LLVMValueRef clone_of(Log *log, LLVMValueRef function) {
  LLVMValueRef known = nb_map_get(log->logged->copies, function);
  const char *reason = known ? nb_map_get(log->logged->reasons, known) : NULL;
  if (reason)
    obstruct(log, reason, "", "");
  log->cyclic = log->cyclic || (known && !nb_map_has(log->logged->reasons, known));
  if (known)
    return known;
  NbArena *arena = log->context->arena;
  unsigned count = LLVMCountParams(function);
  const char *name = nb_arena_print(arena, "nabla.logged.%s", nb_name(function));
  LLVMValueRef clone =
      LLVMAddFunction(log->context->module, name, LLVMGlobalGetValueType(function));
  LLVMValueRef *params = NB_NEW_ARRAY(arena, LLVMValueRef, count + 1);
  LLVMSetLinkage(clone, LLVMInternalLinkage);
  LLVMSetFunctionCallConv(clone, LLVMGetFunctionCallConv(function));
  for (unsigned i = 0; i <= count; i++)
    copy_parameter(clone, function, i);
  nb_attributes_strip_values(clone);
  nb_attributes_copy_target(clone, function);
  LLVMGetParams(clone, params);
  nb_clone_body(clone, function, params);
  nb_map_set(log->logged->copies, function, clone);
  nb_map_set(log->logged->copies, clone, clone);
  log_clone(log, clone);
  return clone;
}

static bool has_prefix(LLVMValueRef function, const char *prefix) {
  return strncmp(nb_name(function), prefix, strlen(prefix)) == 0;
}

static bool never_returns(LLVMValueRef call, LLVMValueRef callee) {
  const LLVMAttributeIndex whole = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
  return nb_call_says(call, callee, whole, "noreturn");
}

static void log_unknown(Log *log, LLVMValueRef call, LLVMValueRef callee) {
  if (never_returns(call, callee))
    log_leaving(log, call);
  else
    obstruct(log, "it calls ", nb_name(callee), ", whose effects cannot be taken back");
}

static bool is_idle(LLVMValueRef call, LLVMValueRef callee) {
  static const char *const idle[] = {"llvm.lifetime.", "llvm.dbg.", "llvm.va_",
                                     "llvm.experimental.noalias"};
  for (unsigned i = 0; callee && i < sizeof idle / sizeof *idle; i++) {
    if (has_prefix(callee, idle[i]))
      return true;
  }
  return !nb_memory_may_write_any(call);
}

/* A function with a row of the user's is called through a declaration until the requests are
 * served: what it does is seen in its body. */
static LLVMValueRef held_by(const Log *log, LLVMValueRef callee) {
  if (!has_prefix(callee, NB_HELD_PREFIX))
    return callee;
  LLVMValueRef held = nb_stood_for(log->context, callee);
  return LLVMCountBasicBlocks(held) > 0 ? held : callee;
}

/* A body that is only lent says nothing of what is done. */
static bool has_body(const Log *log, LLVMValueRef callee) {
  const NbCustom *custom = nb_custom_of(log->context, callee);
  return LLVMCountBasicBlocks(callee) > 0 && !(custom && custom->bodyless);
}

static void log_call(Log *log, LLVMValueRef call) {
  LLVMValueRef callee = nb_callee(call) ? held_by(log, nb_callee(call)) : NULL;
  bool body = callee && has_body(log, callee);
  if (callee && (has_prefix(callee, OWN_PREFIX) || has_prefix(callee, STACK_PREFIX)))
    return;
  const NbRule *rule = body ? NULL : nb_rule_of_call(log->context, call, NULL);
  if (callee && (has_prefix(callee, DEVICE_PREFIX) || has_prefix(callee, CUBLAS_PREFIX)))
    log_device(log);
  else if (rule)
    log_row(log, call, rule);
  else if (is_idle(call, callee))
    return;
  else if (body)
    LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, clone_of(log, callee));
  else if (LLVMIsAInlineAsm(LLVMGetCalledValue(call)))
    obstruct(log, "it contains inline assembly", "", "");
  else if (callee)
    log_unknown(log, call, callee);
  else
    obstruct(log, "it calls a function through a pointer", "", "");
}

/* --- Functions -------------------------------------------------------------------------------- */

static void log_instruction(Log *log, LLVMValueRef inst) {
  switch (LLVMGetInstructionOpcode(inst)) {
  case LLVMStore:
    log_type(log, inst, LLVMGetOperand(inst, 1), LLVMTypeOf(LLVMGetOperand(inst, 0)));
    break;
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
    log_type(log, inst, LLVMGetOperand(inst, 0), LLVMTypeOf(LLVMGetOperand(inst, 1)));
    break;
  case LLVMCall:
  case LLVMInvoke:
    log_call(log, inst);
    break;
  default:
    break;
  }
}

/* Is it done only where an exception is under way? */
static bool is_of_exception(const Log *log, LLVMValueRef inst) {
  const NbRule *rule = nb_is_call(inst) ? nb_rule_of_call(log->context, inst, NULL) : NULL;
  return rule && rule->thrown;
}

static bool is_behind(const Log *log, const NbList *ends, LLVMValueRef inst) {
  for (unsigned i = 0; i < ends->count; i++)
    if (nb_dominates(log->context->analyses, ends->items[i], inst))
      return true;
  return false;
}

/* The run ends where it would throw: what lies behind that is never done. */
static void log_function(Log *log, LLVMValueRef function) {
  NbList list = nb_list(log->context->arena), ends = list;
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at))
    nb_list_push(is_of_exception(log, at) ? &ends : &list, at);
  nb_analyses_forget(log->context->analyses, function);
  unsigned count = list.count;
  list.count = 0;
  for (unsigned i = 0; i < count; i++)
    if (!is_behind(log, &ends, list.items[i]))
      list.items[list.count++] = list.items[i];
  for (unsigned i = 0; i < ends.count; i++)
    log_leaving(log, ends.items[i]);
  for (unsigned i = 0; i < list.count; i++)
    log_instruction(log, list.items[i]);
  nb_analyses_forget(log->context->analyses, function);
}

LLVMValueRef nb_check_log(NbContext *context, LLVMValueRef function, NbLogged *logged,
                          const char **reason) {
  Log log = {context, logged, NULL, false, nb_list(context->arena)};
  LLVMValueRef known = nb_map_get(logged->copies, function);
  if (!known) {
    nb_runtime_link(context);
    nb_map_set(logged->copies, function, function);
    log_function(&log, function);
    nb_map_set(logged->reasons, function, (void *)log.reason);
    for (unsigned i = 0; i < log.undecided.count; i++)
      nb_map_set(logged->reasons, log.undecided.items[i], (void *)log.reason);
    known = function;
  }
  *reason = nb_map_get(logged->reasons, known);
  return known;
}
