// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "direct/direct.h"

#include "base/names.h"
#include "direct/assembly.h"
#include "direct/copy.h"
#include "direct/cycles.h"
#include "direct/joined.h"
#include "direct/targets.h"
#include "emit/runtime.h"
#include "models/derived.h"
#include "models/models.h"
#include "request/dispatch.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* As long as it helps: what is decided by one round is no longer in the way of the next. */
#define SIMPLIFY_MODELS "sroa,early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg"
enum { MOST_ROUNDS = 32 };

typedef struct Direct {
  NbContext *context;
  NbTargets *targets; /* NULL until asked for */
  NbMap *waiting;     /* likewise: functions whose derivatives inside are not made yet */
  NbMap *reached;     /* functions that the root leads to */
  NbMap *copied;      /* those of them that are copied, to the copy */
  NbMap *choices;     /* calls through pointers, NbChoice */
  NbMap *changed;     /* functions with accesses that nb_joined_split gives to branches, or with
                         assembly that nb_assembly_open replaces */
} Direct;

/* --- What is to be copied. ---------------------------------------------------------------------
 */

/* What a rule says wins over the body. */
static bool has_rule(const Direct *direct, LLVMValueRef function) {
  const char *name = nb_user_name(direct->context, function);
  return nb_rules_find(direct->context->rules, name, strlen(name), NULL) != NULL;
}

/* Does only code outside choose it, and tells neither a body nor a row of it? */
static bool is_unknown(const Direct *direct, const NbChoice *choice, LLVMValueRef function) {
  return choice->open && LLVMIsDeclaration(function) && !has_rule(direct, function);
}

/* What cannot be followed is left to the run: what is unknown, and what asks for the derivative
 * that is being made. */
static void keep_known(Direct *direct, NbChoice *choice) {
  unsigned kept = 0;
  bool waits = false;
  for (unsigned i = 0; i < choice->functions.count; i++) {
    LLVMValueRef function = choice->functions.items[i];
    bool waiting = nb_map_has(direct->waiting, function) && !has_rule(direct, function);
    waits |= waiting;
    if (!waiting && !is_unknown(direct, choice, function))
      choice->functions.items[kept++] = function;
  }
  choice->functions.count = kept;
  choice->open |= waits;
}

static const NbChoice *choice_of(Direct *direct, LLVMValueRef call) {
  NbChoice *choice = nb_map_get(direct->choices, call);
  if (choice)
    return choice;
  if (!direct->targets) {
    direct->targets = nb_targets_new(direct->context);
    direct->waiting = nb_targets_waiting(direct->context);
  }
  choice = NB_NEW(direct->context->arena, NbChoice);
  *choice = nb_targets_of(direct->targets, call);
  keep_known(direct, choice);
  nb_map_set(direct->choices, call, choice);
  return choice;
}

/* Is more known of a call than that it may run any function? */
static bool is_choice(const NbChoice *choice) { return choice->functions.count || choice->none; }

static void reach(Direct *direct, LLVMValueRef function) {
  if (!LLVMIsDeclaration(function) && !nb_map_has(direct->reached, function))
    nb_map_set(direct->reached, function, function);
}

static void reach_calls(Direct *direct, LLVMValueRef function) {
  if (nb_joined_any(direct->context, function) || nb_assembly_any(function))
    nb_map_set(direct->changed, function, function);
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at)) {
    LLVMValueRef callee = nb_callee(at);
    if (callee && !nb_rule_of_call(direct->context, at, NULL))
      reach(direct, callee);
    if (!nb_is_indirect(at))
      continue;
    const NbChoice *choice = choice_of(direct, at);
    for (unsigned i = 0; i < choice->functions.count; i++)
      if (!has_rule(direct, choice->functions.items[i]))
        reach(direct, choice->functions.items[i]);
  }
}

/* Is the called function a model that says little alone, because what it works on is described by
 * what it is given? */
static bool is_inlined(const NbContext *context, LLVMValueRef callee) {
  LLVMValueRef original = callee ? nb_map_get(context->originals, callee) : NULL;
  callee = original ? original : callee;
  return callee && nb_models_has(context, callee) && nb_has_attribute(callee, "alwaysinline");
}

static bool leads_to_copy(Direct *direct, LLVMValueRef function) {
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at)) {
    LLVMValueRef callee = nb_callee(at);
    if (callee && (nb_map_has(direct->copied, callee) || is_inlined(direct->context, callee)))
      return true;
    if (nb_is_indirect(at) && is_choice(choice_of(direct, at)))
      return true;
  }
  return false;
}

/* Has the front end left all variables in memory (-O0)? Nothing tells them apart there. */
static bool has_variables(LLVMValueRef function) {
  LLVMBasicBlockRef entry = LLVMGetFirstBasicBlock(function);
  return entry && LLVMGetFirstInstruction(entry) &&
         LLVMIsAAllocaInst(LLVMGetFirstInstruction(entry)) && nb_has_attribute(function, "optnone");
}

/* --- The copies. -------------------------------------------------------------------------------
 */

static LLVMValueRef declare(NbContext *context, LLVMValueRef function) {
  return nb_copy_declare(context, function, NB_DIRECT_PREFIX, LLVMGlobalGetValueType(function));
}

static void find_copies(Direct *direct) {
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned i = nb_map_count(direct->reached); i-- > 0;) {
      LLVMValueRef function = (LLVMValueRef)nb_map_key(direct->reached, i);
      if (nb_map_has(direct->copied, function) ||
          (!has_variables(function) && !nb_map_has(direct->changed, function) &&
           !leads_to_copy(direct, function)))
        continue;
      LLVMValueRef known = nb_map_get(direct->context->direct, function);
      bool done = known && known != function;
      nb_map_set(direct->copied, function, done ? known : declare(direct->context, function));
      changed = true;
    }
  }
}

static void name_callee(const Direct *direct, LLVMValueRef call) {
  LLVMValueRef copy = nb_callee(call) ? nb_map_get(direct->copied, nb_callee(call)) : NULL;
  if (copy)
    LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, copy);
}

/* None of the functions that are known was meant: the program ends with a message. The call is
 * alone in its block; what debuggers are told behind it stands before the new end. */
static void end_here(NbContext *context, LLVMValueRef call, LLVMValueRef function) {
  LLVMBasicBlockRef block = LLVMGetInstructionParent(call);
  LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  LLVMPositionBuilderBefore(builder, call);
  LLVMValueRef name = nb_runtime_place(context, function, call);
  nb_runtime_call(context, builder, "__nabla_unknown_function",
                  LLVMVoidTypeInContext(context->llvm), &name, 1);
  for (unsigned i = 0; i < LLVMGetNumSuccessors(last); i++)
    for (LLVMValueRef phi = LLVMGetFirstInstruction(LLVMGetSuccessor(last, i)); LLVMIsAPHINode(phi);
         phi = LLVMGetNextInstruction(phi))
      nb_phi_remove(phi, block);
  if (last != call)
    LLVMInstructionEraseFromParent(last);
  LLVMInstructionEraseFromParent(call);
  LLVMPositionBuilderAtEnd(builder, block);
  LLVMBuildUnreachable(builder);
  LLVMDisposeBuilder(builder);
}

static void choose(Direct *direct, LLVMValueRef function, LLVMValueRef call,
                   const NbChoice *choice) {
  NbContext *context = direct->context;
  unsigned index = (unsigned)LLVMGetNumOperands(call) - 1;
  NbList functions = nb_list(context->arena), calls = nb_list(context->arena);
  for (unsigned i = 0; i < choice->functions.count; i++)
    nb_list_push(&functions, choice->functions.items[i]);
  bool others = choice->open || choice->mixed || choice->none;
  if (others)
    nb_list_push(&functions, LLVMGetOperand(call, index));
  if (LLVMIsACallInst(call))
    LLVMSetTailCallKind(call, LLVMTailCallKindNone);
  nb_dispatch(context, call, index, &functions, &calls);
  for (unsigned i = 0; i < calls.count; i++)
    name_callee(direct, calls.items[i]);
  if (others)
    end_here(context, call, function);
}

static void write_copy(Direct *direct, LLVMValueRef function, LLVMValueRef copy) {
  NbContext *context = direct->context;
  nb_copy_write(context, copy, function);
  NbList calls = nb_list(context->arena), choices = nb_list(context->arena);
  LLVMValueRef twin = nb_instruction_first(copy);
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at)) {
    if (nb_is_call(twin))
      name_callee(direct, twin);
    if (nb_is_indirect(at) && is_choice(choice_of(direct, at))) {
      nb_list_push(&calls, twin);
      nb_list_push(&choices, nb_map_get(direct->choices, at));
    }
    twin = nb_instruction_next(twin);
  }
  for (unsigned i = 0; i < calls.count; i++)
    choose(direct, function, calls.items[i], choices.items[i]);
}

/* Is it a variable of one number that is copied as bytes, as programs do to get at its bits? */
static bool is_copied_number(NbContext *context, LLVMValueRef variable) {
  LLVMTypeRef type = LLVMIsAAllocaInst(variable) ? LLVMGetAllocatedType(variable) : NULL;
  bool number = type && (LLVMGetTypeKind(type) == LLVMIntegerTypeKind ||
                         nb_is_float_kind(LLVMGetTypeKind(type)));
  LLVMUseRef use = number ? LLVMGetFirstUse(variable) : NULL;
  for (; use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (nb_is_call(user) && nb_call_of(context, user).kind == NB_CALL_COPY)
      return true;
  }
  return false;
}

static bool copies_numbers(NbContext *context, LLVMValueRef copy) {
  for (LLVMValueRef at = nb_instruction_first(copy); at; at = nb_instruction_next(at))
    if (is_copied_number(context, at))
      return true;
  return false;
}

/* The copy's variables become values, as at every other level. */
static void lift_variables(NbContext *context, LLVMValueRef copy) {
  unsigned kind = LLVMGetEnumAttributeKindForName("optnone", strlen("optnone"));
  LLVMRemoveEnumAttributeAtIndex(copy, LLVMAttributeFunctionIndex, kind);
  const char *pass = copies_numbers(context, copy) ? "sroa" : "mem2reg";
  LLVMDisposeMessage(nb_passes_run(context->analyses, context->module, copy, pass));
}

static void simplify_models(NbContext *context, LLVMValueRef copy) {
  unsigned before = UINT_MAX, now = nb_instruction_count(copy);
  for (unsigned i = 0; now < before && i < MOST_ROUNDS; i++) {
    LLVMDisposeMessage(nb_passes_run(context->analyses, context->module, copy, SIMPLIFY_MODELS));
    before = now;
    now = nb_instruction_count(copy);
  }
}

/* Puts the bodies of models in the place of their calls; what they ask of descriptors that are made
 * here is then known, but not yet where the copy itself is that of a `model`. */
static void inline_models(NbContext *context, LLVMValueRef copy, bool model) {
  NbList calls = nb_list(context->arena);
  for (LLVMValueRef at = nb_instruction_first(copy); at; at = nb_instruction_next(at))
    if (nb_is_call(at) && is_inlined(context, nb_callee(at)))
      nb_list_push(&calls, at);
  for (unsigned i = 0; i < calls.count; i++)
    nb_inline_call(context->analyses, calls.items[i]);
  if (!calls.count)
    return;
  simplify_models(context, copy);
  while (!model && nb_derived_settle(context, copy))
    simplify_models(context, copy);
}

static void finish_copy(Direct *direct, LLVMValueRef function, LLVMValueRef copy) {
  NbContext *context = direct->context;
  write_copy(direct, function, copy);
  if (has_variables(function))
    lift_variables(context, copy);
  nb_assembly_open(context, copy);
  nb_joined_split(context, copy);
  inline_models(context, copy, is_inlined(context, function));
  nb_attributes_note_reads(copy);
  nb_map_set(context->direct, function, copy);
  nb_map_set(context->originals, copy, function);
  if (nb_printing(context, "direct"))
    LLVMDumpValue(copy);
}

/* Copies of models that calls are replaced by come first. */
static void write_copies(Direct *direct) {
  NbContext *context = direct->context;
  for (unsigned pass = 0; pass < 2; pass++)
    for (unsigned i = 0; i < nb_map_count(direct->copied); i++) {
      LLVMValueRef function = (LLVMValueRef)nb_map_key(direct->copied, i);
      LLVMValueRef copy = nb_map_get(direct->copied, function);
      if (!nb_map_has(context->originals, copy) && (pass || is_inlined(context, function)))
        finish_copy(direct, function, copy);
    }
}

LLVMValueRef nb_direct_of(NbContext *context, LLVMValueRef function) {
  LLVMValueRef known = nb_map_get(context->direct, function);
  if (known)
    return known;
  NbArena *arena = context->arena;
  Direct direct = {.context = context,
                   .reached = nb_map_new(arena),
                   .copied = nb_map_new(arena),
                   .choices = nb_map_new(arena),
                   .changed = nb_map_new(arena)};
  reach(&direct, function);
  for (unsigned i = 0; i < nb_map_count(direct.reached); i++)
    reach_calls(&direct, (LLVMValueRef)nb_map_key(direct.reached, i));
  find_copies(&direct);
  write_copies(&direct);
  nb_cycles_open(context, direct.copied);
  LLVMValueRef copy = nb_map_get(direct.copied, function);
  nb_map_set(context->direct, function, copy ? copy : function);
  if (!copy && nb_printing(context, "direct"))
    fprintf(stderr, "direct: @%s stays as it is\n", nb_name(function));
  return copy ? copy : function;
}
