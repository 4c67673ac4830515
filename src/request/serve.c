// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Each collected call is replaced by a call of the derivative that it asks for, innermost first: a
 * function that asks for derivatives itself is only differentiated when those stand in its body. */
#include "base/names.h"
#include "check/check.h"
#include "checkpoint/checkpoint.h"
#include "direct/direct.h"
#include "direct/through.h"
#include "direct/variable.h"
#include "emit/rounding.h"
#include "emit/runtime.h"
#include "explain/explain.h"
#include "linear/globals.h"
#include "models/models.h"
#include "prepare/twins.h"
#include "request/byvalue.h"
#include "request/descriptors.h"
#include "request/dispatch.h"
#include "request/parts.h"
#include "request/queue.h"
#include "request/serving.h"
#include "request/sites.h"
#include "request/unpacked.h"
#include "types/types.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

enum { TWIN_ROUNDS = 8 };

static const char in_progress[] = "in progress", served[] = "served";

bool nb_queue_serves(const NbQueue *queue, LLVMValueRef call) {
  return nb_map_get(queue->state, call) == in_progress;
}

static bool is_request(NbArena *arena, LLVMValueRef callee) {
  NbCollected collected;
  return nb_collected_parse(arena, nb_name(callee), &collected);
}

static void wait_for(NbQueue *queue, LLVMValueRef call) {
  LLVMValueRef function = nb_function_around(call);
  NbList *list = nb_map_get(queue->waiting, function);
  if (!list) {
    list = NB_NEW(queue->context->arena, NbList);
    list->arena = queue->context->arena;
    nb_map_set(queue->waiting, function, list);
  }
  nb_list_push(list, call);
}

/* The row with a derivative that the user has given the function, which may not be that of its
 * body; NULL: none. */
static const NbRule *own_row(const NbContext *context, LLVMValueRef function) {
  const char *name = nb_name(function);
  const NbRule *rule = nb_rules_find(context->rules, name, strlen(name), NULL);
  bool tangent = rule && (rule->kind == NB_RULE_TANGENT || rule->kind == NB_RULE_STRUCT);
  bool own = tangent && rule != nb_rules_find(nb_rules_builtin(), name, strlen(name), NULL);
  return own ? rule : NULL;
}

/* A function that only calls `function`, for which a rule stands: that says which parameters are
 * arguments of their own. */
static LLVMValueRef wrapped(NbContext *context, LLVMValueRef function, const NbRule *rule) {
  NbArena *arena = context->arena;
  const char *name = nb_arena_print(arena, NB_WRAPPED_PREFIX "%s", nb_name(function));
  LLVMValueRef wrapper = LLVMGetNamedFunction(context->module, name);
  if (wrapper)
    return wrapper;
  LLVMTypeRef type = LLVMGlobalGetValueType(function);
  unsigned count = LLVMCountParams(function);
  LLVMValueRef *params = NB_NEW_ARRAY(arena, LLVMValueRef, count + 1);
  wrapper = LLVMAddFunction(context->module, name, type);
  LLVMSetLinkage(wrapper, LLVMInternalLinkage);
  if (!rule->complex && rule->parameter_count == count)
    nb_by_value_note_plain(context, wrapper);
  LLVMGetParams(wrapper, params);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(context->llvm, wrapper, ""));
  LLVMValueRef result = LLVMBuildCall2(builder, type, function, params, count, "");
  LLVMSetInstructionCallConv(result, LLVMGetFunctionCallConv(function));
  if (LLVMGetTypeKind(LLVMTypeOf(result)) == LLVMVoidTypeKind)
    LLVMBuildRetVoid(builder);
  else
    LLVMBuildRet(builder, result);
  LLVMDisposeBuilder(builder);
  return wrapper;
}

/* The function to differentiate, with a body; NULL where the call was refused. */
static LLVMValueRef function_with_body(NbContext *context, LLVMValueRef call, LLVMValueRef given) {
  const char *name = nb_name(given);
  if (LLVMIsFunctionVarArg(LLVMGlobalGetValueType(given))) {
    nb_refuse(context, NB_ERROR_ENTRY_UNSUPPORTED, call,
              "'%s' takes a variable number of arguments, which cannot be differentiated yet",
              name);
    return NULL;
  }
  if (!LLVMIsDeclaration(given))
    return given;
  const NbRule *rule = nb_rules_find(context->rules, name, strlen(name), NULL);
  if (rule)
    return wrapped(context, given, rule);
  if (nb_map_has(context->interposable, given))
    nb_refuse(context, NB_ERROR_NO_BODY, call,
              "'%s' is weak or may be interposed, so what the program computes in its place cannot "
              "be known",
              nb_shown_name(context, given));
  else
    nb_refuse(context, NB_ERROR_NO_BODY, call,
              "'%s' is only declared here, so what it computes cannot be known", name);
  return NULL;
}

void nb_serving_note(NbServing *serving, NbServed served) {
  served.request = serving->request;
  served.asked = nb_check_wanted(serving->context) ||
                 nb_collected_has(&serving->collected, NB_MARKER_FLAG_CHECK);
  if (served.asked || served.part != NB_CHECKED_WHOLE)
    nb_check_note(serving->context, serving->served, served);
}

LLVMValueRef nb_serving_call(NbServing *serving, LLVMValueRef derivative) {
  LLVMTypeRef type = LLVMGlobalGetValueType(derivative);
  NbList *arguments = &serving->arguments;
  LLVMValueRef call = LLVMBuildCall2(serving->builder, type, derivative,
                                     (LLVMValueRef *)arguments->items, arguments->count, "");
  LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(derivative));
  LLVMInstructionSetDebugLoc(call, LLVMInstructionGetDebugLoc(serving->call));
  return call;
}

bool nb_serving_is_reverse(const NbServing *serving) {
  return nb_collected_mode(&serving->collected) == NB_MODE_REVERSE;
}

bool nb_serving_is_split(const NbServing *serving) {
  NbEntryKind entry = serving->collected.entry;
  return entry >= NB_ENTRY_SPLIT_AUGMENTED && entry <= NB_ENTRY_SPLIT_FORWARD;
}

/* The augmented forward returns it unasked. */
bool nb_serving_wants_primal(const NbServing *serving) {
  const NbCollected *collected = &serving->collected;
  LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(serving->function));
  bool asked = collected->entry == NB_ENTRY_SPLIT_AUGMENTED ||
               nb_collected_has(collected, NB_MARKER_FLAG_PRIMAL_RETURN);
  return asked && !nb_collected_has(collected, NB_MARKER_FLAG_NORET) &&
         LLVMGetTypeKind(type) != LLVMVoidTypeKind;
}

static void push_field(NbServing *serving, NbList *fields, LLVMValueRef result, unsigned index) {
  nb_list_push(fields, LLVMBuildExtractValue(serving->builder, result, index, ""));
}

/* Calls the combined derivative; `fields` receives what the user gets. */
static bool emit_reverse(NbServing *serving, NbDerivative *derivative, NbList *fields) {
  bool primal = nb_serving_wants_primal(serving);
  LLVMValueRef combined = nb_combined_of(serving->context, derivative, primal);
  if (!combined)
    return false;
  if (serving->seed)
    nb_list_push(&serving->arguments, serving->seed);
  LLVMValueRef result = nb_serving_call(serving, combined);
  nb_serving_note(serving, (NbServed){.call = result, .primal = primal});
  if (primal)
    push_field(serving, fields, result, 0);
  nb_serving_push_adjoints(serving, result, primal, fields);
  return true;
}

void nb_serving_push_forward(NbServing *serving, LLVMValueRef result, NbList *fields) {
  bool active = serving->request.result == NB_ROLE_DUP;
  if (nb_serving_wants_primal(serving) && active)
    push_field(serving, fields, result, 0);
  else if (nb_serving_wants_primal(serving))
    nb_list_push(fields, result);
  if (!active || nb_collected_has(&serving->collected, NB_MARKER_FLAG_NORET))
    return;
  LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(serving->function));
  LLVMValueRef tangent = LLVMBuildExtractValue(serving->builder, result, 1, "");
  nb_serving_push_lanes(serving, tangent, type, fields);
}

/* Why forward mode cannot be compared with differences; NULL: it can. */
static const char *not_a_tangent(const NbRequest *request) {
  if (request->errors)
    return "it estimates errors";
  if (request->interleaved)
    return "its tangents lie side by side";
  return request->masks ? "it finds a sparsity pattern" : NULL;
}

/* The user gives, and gets, errors as parts of the values. */
static void take_errors(NbServing *serving) {
  const NbRequest *request = &serving->request;
  LLVMValueRef *arguments = (LLVMValueRef *)serving->arguments.items;
  for (unsigned i = 0; request->errors && i < request->count; i++) {
    unsigned shadow = nb_request_first_shadow(request, i);
    if (nb_role_has_shadow(request->roles[i]) && !nb_type_has_pointer(LLVMTypeOf(arguments[i])))
      arguments[shadow] =
          nb_rounding_absolute(serving->builder, arguments[i], arguments[shadow], request->width);
  }
}

static LLVMValueRef give_errors(const NbServing *serving, LLVMValueRef result) {
  if (!serving->request.errors || serving->request.result != NB_ROLE_DUP)
    return result;
  LLVMValueRef value = LLVMBuildExtractValue(serving->builder, result, 0, "");
  LLVMValueRef error = LLVMBuildExtractValue(serving->builder, result, 1, "");
  error = nb_rounding_relative(serving->builder, value, error, serving->request.width);
  return LLVMBuildInsertValue(serving->builder, result, error, 1, "");
}

static bool emit_forward(NbServing *serving, const NbDerivative *derivative, NbList *fields) {
  take_errors(serving);
  LLVMValueRef result = nb_serving_call(serving, derivative->forward);
  NbServed served = {.call = result, .reason = not_a_tangent(&serving->request)};
  nb_serving_note(serving, served);
  nb_serving_push_forward(serving, give_errors(serving, result), fields);
  return true;
}

/* Says that it could be done, and in how many directions by loads; nothing is called where it
 * cannot (NULL). */
static bool emit_interleaved(NbServing *serving, const NbDerivative *derivative, NbList *fields) {
  LLVMTypeRef type = LLVMTypeOf(serving->call);
  LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(serving->function));
  if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetTypeKind(result) != LLVMVoidTypeKind)
    return nb_refuse(serving->context, NB_ERROR_WRONG_TYPE, serving->call,
                     "%s is for functions that return nothing, and returns an int: whether it "
                     "could be done",
                     nb_entry_name(serving->collected.entry));
  if (derivative) {
    LLVMValueRef call = nb_serving_call(serving, derivative->forward);
    nb_serving_note(serving, (NbServed){.call = call, .reason = not_a_tangent(&serving->request)});
  }
  unsigned done = derivative && derivative->request.inputs ? derivative->directions : 1;
  nb_list_push(fields, LLVMConstInt(type, derivative ? done : 0, false));
  return true;
}

static bool emit_part(NbServing *serving, NbDerivative *derivative, NbList *fields) {
  switch (serving->collected.entry) {
  case NB_ENTRY_FORWARD:
  case NB_ENTRY_ERRORS:
  case NB_ENTRY_SPARSITY:
    return emit_forward(serving, derivative, fields);
  case NB_ENTRY_INTERLEAVED:
  case NB_ENTRY_SITES:
  case NB_ENTRY_SITE_MASKS:
    return emit_interleaved(serving, derivative, fields);
  case NB_ENTRY_SPLIT_FORWARD:
    return nb_serving_emit_replayed(serving, derivative, fields);
  case NB_ENTRY_SPLIT_AUGMENTED:
    if (serving->replayed)
      return nb_serving_emit_recorded(serving, derivative, fields);
    return nb_serving_emit_augmented(serving, derivative, fields);
  case NB_ENTRY_SPLIT_REVERSE:
    return nb_serving_emit_reverse_half(serving, derivative, fields);
  case NB_ENTRY_SPLIT_SIZE:
    nb_serving_emit_size(serving, derivative, fields);
    return true;
  default:
    return emit_reverse(serving, derivative, fields);
  }
}

static uint64_t room_of(const NbContext *context, LLVMValueRef global) {
  uint64_t bytes = LLVMABISizeOfType(context->layout, LLVMGlobalGetValueType(global));
  return bytes ? bytes : 1;
}

/* A shadow that the user gave a global has room for each direction. Asked when the derivative is
 * made: then the runtime that it calls is known. */
static bool check_width(const NbServing *serving) {
  NbContext *context = serving->context;
  const NbMap *globals = nb_summary_of(context, serving->function)->globals;
  for (unsigned i = 0; serving->request.width > 1 && i < nb_map_count(globals); i++) {
    LLVMValueRef global = (LLVMValueRef)nb_map_key(globals, i);
    LLVMValueRef shadow = nb_map_get(context->declared_shadows, global);
    bool sized = shadow && LLVMIsAGlobalVariable(shadow);
    uint64_t rooms = sized ? room_of(context, shadow) / room_of(context, global) : 0;
    if (shadow && rooms < serving->request.width)
      return nb_refuse(context, NB_ERROR_ENTRY_UNSUPPORTED, serving->call,
                       "'%s' uses the global '%s', whose declared shadow has room for %llu "
                       "directions, but %u are asked for: it must be an array of as many",
                       nb_shown_name(serving->context, serving->function),
                       nb_shown_name(serving->context, global), (unsigned long long)rooms,
                       serving->request.width);
  }
  return true;
}

static bool emit_batch(NbServing *serving, LLVMValueRef given, LLVMValueRef *value) {
  NbList fields = nb_list(serving->context->arena);
  serving->function = given;
  return nb_serving_check_markers(serving) && nb_serving_emit_batch(serving, &fields) &&
         nb_serving_deliver(serving, &fields, value);
}

static bool emit_truncated(NbServing *serving, LLVMValueRef *value) {
  NbList fields = nb_list(serving->context->arena);
  return nb_serving_emit_truncated(serving, &fields) && nb_serving_deliver(serving, &fields, value);
}

/* Who gives a shadow for what leads to no number means numbers that are moved as something else. */
static void warn_of_numberless(const NbServing *serving, const NbDerivative *derivative) {
  NbContext *context = serving->context;
  NbEntryKind entry = serving->collected.entry;
  bool told = entry == NB_ENTRY_SPLIT_REVERSE || entry == NB_ENTRY_SPLIT_SIZE;
  for (unsigned i = 0; derivative->numberless && !told && i < serving->request.count; i++)
    if (derivative->numberless[i])
      nb_warn(
          context, NB_ERROR_NO_NUMBER, serving->call,
          "parameter %u of '%s' has a shadow, but leads to what is moved as integers, and to no "
          "number, so that it has no derivative",
          i + 1, nb_shown_name(context, serving->function));
}

/* Callers would not know that a number comes with what they pass as a pointer. */
static void refuse_given(NbContext *context, LLVMValueRef function) {
  LLVMValueRef load = nb_prepare_find_given(context, function);
  if (load)
    nb_refuse(context, NB_ERROR_POINTER, load,
              "a union that holds different things at different times is passed or returned "
              "by value, so that its shadow cannot follow; pass its address");
}

/* In values, not in variables, it is seen what is done with what has been read. */
static void promote(NbContext *context, LLVMValueRef function) {
  char *message = nb_passes_run(context->analyses, context->module, function, "mem2reg");
  if (message)
    nb_refuse(context, NB_ERROR_BUILD, function, "the passes 'mem2reg' failed: %s", message);
  LLVMDisposeMessage(message);
}

/* What a function reads of its variables tells its callers which memory holds pointers. */
static void part_twins(NbContext *context, LLVMValueRef root) {
  NbList reached = nb_reach(context->arena, root);
  bool changed = false;
  for (unsigned i = 0; i < reached.count; i++) {
    unsigned round = 0;
    while (round < TWIN_ROUNDS && nb_prepare_part_twins(context, reached.items[i]))
      round++;
    if (round > 0)
      promote(context, reached.items[i]);
    changed |= round > 0;
    if (reached.items[i] != root)
      refuse_given(context, reached.items[i]);
  }
  if (changed)
    context->summaries = nb_map_new(context->arena);
}

/* Null, or read from a local variable that is never anything else (-O0)? */
static bool is_surely_null(LLVMValueRef pointer) {
  LLVMValueRef place = LLVMIsALoadInst(pointer) ? LLVMGetOperand(pointer, 0) : NULL;
  if (!place || !LLVMIsAAllocaInst(place))
    return LLVMIsNull(pointer);
  for (LLVMUseRef use = LLVMGetFirstUse(place); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool clears = LLVMIsAStoreInst(user) && LLVMIsNull(LLVMGetOperand(user, 0));
    if (!clears && !LLVMIsALoadInst(user))
      return false;
  }
  return true;
}

/* Arguments that are not needed, but are given, are taken as needed; false where there are none. */
static bool take_unneeded(NbServing *serving) {
  const NbRequest *request = &serving->request;
  NbRole *roles = NB_NEW_ARRAY(serving->context->arena, NbRole, request->count + 1);
  bool any = false;
  for (unsigned i = 0; i < request->count; i++) {
    bool null = i < serving->arguments.count && is_surely_null(serving->arguments.items[i]);
    bool given = request->roles[i] == NB_ROLE_DUPNONEED && !null;
    roles[i] = given ? NB_ROLE_DUP : request->roles[i];
    any |= given;
  }
  serving->request.roles = roles;
  return any;
}

/* Memory that is said not to be needed, but that the function reads, is used where it is given. */
static NbDerivative *derivative_of(NbServing *serving) {
  NbContext *context = serving->context;
  NbRefusal **since = context->last_refusal;
  NbDerivative *const *next = context->last ? context->last : &context->all;
  NbDerivative *derivative = nb_derivative_of(context, &serving->request);
  if (derivative || !take_unneeded(serving) ||
      !nb_refusals_take_back(context, since, NB_ERROR_NEEDED))
    return derivative;
  nb_derivatives_forget(context, *next);
  nb_explain_withdraw(context, *next);
  return nb_derivative_of(context, &serving->request);
}

/* Serves the call of one known function; false where it was refused. `*value` replaces it. */
static bool emit(NbServing *serving, LLVMValueRef given, LLVMValueRef *value) {
  NbContext *context = serving->context;
  if (serving->collected.entry == NB_ENTRY_BATCH)
    return emit_batch(serving, given, value);
  serving->function = function_with_body(context, serving->call, given);
  if (serving->collected.entry == NB_ENTRY_TRUNCATE ||
      serving->collected.entry == NB_ENTRY_TRUNCATE_MEMORY)
    return serving->function && emit_truncated(serving, value);
  serving->replayed = nb_serving_is_split(serving) && nb_map_has(context->replayed, given);
  if (!serving->function || !nb_serving_check_markers(serving))
    return false;
  const NbRule *row = own_row(context, serving->function);
  if (row)
    serving->function = wrapped(context, serving->function, row);
  if (nb_serving_returns_packed(serving))
    serving->function = nb_unpacked_of(context, serving->function);
  LLVMValueRef direct = nb_direct_of(context, serving->function);
  serving->function = nb_through_of(context, nb_variable_of(context, direct));
  context->root = serving->function;
  part_twins(context, serving->function);
  if (!nb_serving_take_arguments(serving) || !nb_serving_take_result(serving))
    return false;
  if (serving->replayed)
    nb_serving_replay(serving);
  if (!nb_serving_is_split(serving))
    serving->request.passed =
        nb_types_passed(context, serving->function, serving->call, &serving->arguments);
  serving->request.whole = serving->nested;
  nb_explain_request(context, serving->call, given, nb_entry_name(serving->collected.entry));
  NbRefusal **since = context->last_refusal;
  NbDerivative *derivative = derivative_of(serving);
  NbList fields = nb_list(context->arena);
  if (!derivative && serving->request.interleaved && context->last_refusal == since)
    return emit_interleaved(serving, NULL, &fields) && nb_serving_deliver(serving, &fields, value);
  if (!derivative || derivative->failed || !check_width(serving))
    return false;
  warn_of_numberless(serving, derivative);
  if (serving->collected.entry != NB_ENTRY_SPLIT_SIZE)
    nb_shadow_globals_clear(context, serving->builder, &derivative->request);
  bool made = emit_part(serving, derivative, &fields);
  if (context->again && nb_serving_is_split(serving))
    nb_runtime_link(context);
  return made && nb_serving_deliver(serving, &fields, value);
}

/* What no value has stands for what is not known. */
static uint64_t bytes_of(LLVMValueRef operand) {
  return LLVMIsAConstantInt(operand) ? LLVMConstIntGetZExtValue(operand) : UINT64_MAX;
}

void nb_serving_take_operands(NbServing *serving) {
  NbArena *arena = serving->context->arena;
  const NbCollected *collected = &serving->collected;
  NbMarked *operands = NB_NEW_ARRAY(arena, NbMarked, collected->count + 1);
  unsigned *indices = NB_NEW_ARRAY(arena, unsigned, collected->count + 1);
  uint64_t *by_reference = NB_NEW_ARRAY(arena, uint64_t, collected->count + 1);
  unsigned first = nb_call_function_index(serving->call) + 1;
  for (unsigned i = 0; i < collected->count; i++) {
    NbMarker marker = collected->operands[i].marker;
    LLVMValueRef operand = LLVMGetOperand(serving->call, first + i);
    if (marker == NB_MARKER_TAPE) {
      serving->tape = operand;
      serving->tape_is_kept = true;
    } else if (marker == NB_MARKER_ALLOCATED) {
      serving->tape_room = operand;
    } else if (marker == NB_MARKER_BYREF) {
      by_reference[serving->count] = bytes_of(operand);
    } else {
      if (marker == NB_MARKER_INTERLEAVE)
        serving->next_shadow = serving->end = serving->count;
      operands[serving->count] = collected->operands[i];
      indices[serving->count++] = first + i;
    }
  }
  if (!serving->end)
    serving->end = serving->count;
  serving->operands = operands;
  serving->indices = indices;
  serving->by_reference = by_reference;
  if (first == 2) {
    serving->memory = LLVMGetOperand(serving->call, 0);
    serving->memory_type = nb_call_operand_pointee(serving->call, 0, "sret");
  }
}

/* Markers that an option gives to every call. */
static void take_options(const NbOptions *options, NbCollected *collected) {
  if (collected->entry == NB_ENTRY_BATCH)
    return;
  if (nb_option_on(options, "runtime-activity", false))
    nb_collected_set(collected, NB_MARKER_FLAG_RUNTIME_ACTIVITY);
  if (nb_option_on(options, "strong-zero", false))
    nb_collected_set(collected, NB_MARKER_FLAG_STRONG_ZERO);
}

/* In place of an invoke, the call of the derivative becomes one, too. */
static void replace(const NbQueue *queue, LLVMValueRef call, LLVMValueRef value, unsigned noted) {
  LLVMBasicBlockRef block = LLVMGetInstructionParent(call);
  NbServed *own = noted < queue->served.count ? queue->served.items[noted] : NULL;
  LLVMValueRef derivative = own ? nb_callee(own->call) : NULL;
  nb_call_replace(call, value);
  LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
  if (own && LLVMIsAInvokeInst(last) && nb_callee(last) == derivative)
    own->call = last;
}

static void serve_one(NbQueue *queue, LLVMValueRef call, LLVMValueRef given) {
  NbContext *context = queue->context;
  NbServing serving = {.context = context,
                       .call = call,
                       .served = &queue->served,
                       .nested = queue->nested && nb_map_has(queue->nested, call)};
  nb_collected_parse(context->arena, nb_name(nb_callee(call)), &serving.collected);
  take_options(context->options, &serving.collected);
  serving.arguments = nb_list(context->arena);
  serving.shadows = nb_list(context->arena);
  serving.places = nb_map_new(context->arena);
  nb_serving_take_operands(&serving);
  serving.builder = LLVMCreateBuilderInContext(context->llvm);
  LLVMPositionBuilderBefore(serving.builder, call);
  LLVMValueRef value = NULL, around = nb_function_around(call);
  unsigned noted = queue->served.count;
  if (emit(&serving, given, &value))
    replace(queue, call, value, noted);
  else
    nb_call_retire(context, call);
  LLVMDisposeBuilder(serving.builder);
  if (nb_map_has(context->summaries, around))
    context->summaries = nb_map_new(context->arena);
}

static bool serve_call(NbQueue *queue, LLVMValueRef call);

static bool serve_all(NbQueue *queue, const NbList *calls) {
  for (unsigned i = 0; calls && i < calls->count; i++) {
    if (!serve_call(queue, calls->items[i]))
      return false;
  }
  return true;
}

/* Serves what waits in the functions that `function` may reach; false where that needs a call
 * which is being served. */
static bool serve_inner(NbQueue *queue, LLVMValueRef function) {
  if (nb_map_has(queue->clean, function))
    return true;
  NbList reached = nb_reach(queue->context->arena, function);
  for (unsigned i = 0; i < reached.count; i++) {
    if (!serve_all(queue, nb_map_get(queue->waiting, reached.items[i])))
      return false;
  }
  for (unsigned i = 0; i < reached.count; i++)
    nb_map_set(queue->clean, reached.items[i], reached.items[i]);
  return true;
}

/* Serves what waits in the functions that may be called through pointers. */
static void serve_chosen(NbQueue *queue, LLVMValueRef function) {
  if (!queue->chosen)
    return;
  const NbMap *functions = nb_chosen_reached(queue, function);
  for (unsigned i = 0; i < nb_map_count(functions); i++)
    serve_all(queue, nb_map_get(queue->waiting, nb_map_key(functions, i)));
}

static bool refuse_cycle(NbContext *context, LLVMValueRef call) {
  return nb_refuse(context, NB_ERROR_REQUEST_CYCLE, call,
                   "what this call differentiates asks, directly or through others, for this same "
                   "derivative");
}

/* Is it code that is written when the program runs, to call a function with a pointer to its host's
 * variables? */
static bool is_trampoline(LLVMValueRef operand) {
  static const char adjust[] = "llvm.adjust.trampoline";
  LLVMValueRef callee = LLVMIsACallInst(operand) ? nb_callee(operand) : NULL;
  return callee && LLVMGetIntrinsicID(callee) == LLVMLookupIntrinsicID(adjust, sizeof adjust - 1);
}

static void refuse_operand(NbContext *context, LLVMValueRef call) {
  LLVMValueRef operand = LLVMGetOperand(call, nb_call_function_index(call));
  const char *reason = "which function is to be differentiated is only known when the program runs";
  if (nb_is_constant(operand))
    reason = "the first argument of the call is no function";
  else if (is_trampoline(operand))
    reason = "the function is nested in another one whose variables it uses, which the call does "
             "not hand over: make these arguments, or variables of a module or file, and the "
             "function one of a module or file";
  nb_refuse(context, NB_ERROR_NOT_A_FUNCTION, call, "%s", reason);
  nb_call_retire(context, call);
}

static void serve_candidates(NbQueue *queue, LLVMValueRef call, const NbList *candidates) {
  NbContext *context = queue->context;
  unsigned index = nb_call_function_index(call);
  NbList calls = nb_list(context->arena);
  if (candidates->count == 1)
    nb_list_push(&calls, call);
  else
    nb_dispatch(context, call, index, candidates, &calls);
  for (unsigned i = 0; i < calls.count; i++)
    serve_one(queue, calls.items[i], candidates->items[i]);
}

/* False only where the call is being served already. */
static bool serve_call(NbQueue *queue, LLVMValueRef call) {
  NbContext *context = queue->context;
  const char *state = nb_map_get(queue->state, call);
  if (state == served)
    return true;
  if (state == in_progress)
    return refuse_cycle(context, call);
  nb_map_set(queue->state, call, (void *)in_progress);
  NbList candidates = nb_list(context->arena);
  LLVMValueRef operand = LLVMGetOperand(call, nb_call_function_index(call));
  bool known = nb_candidates(context, operand, &candidates);
  bool acyclic = true;
  for (unsigned i = 0; known && acyclic && i < candidates.count; i++)
    acyclic = serve_inner(queue, candidates.items[i]);
  for (unsigned i = 0; known && acyclic && i < candidates.count; i++)
    serve_chosen(queue, candidates.items[i]);
  nb_map_set(queue->state, call, (void *)served);
  if (!known)
    refuse_operand(context, call);
  else if (acyclic)
    serve_candidates(queue, call, &candidates);
  else
    nb_call_retire(context, call);
  return acyclic;
}

/* The calls that wait in what the call may differentiate. */
static NbList inner_calls(const NbQueue *queue, LLVMValueRef call) {
  NbArena *arena = queue->context->arena;
  NbList candidates = nb_list(arena), inner = nb_list(arena);
  LLVMValueRef operand = LLVMGetOperand(call, nb_call_function_index(call));
  if (!nb_candidates(queue->context, operand, &candidates))
    return inner;
  for (unsigned i = 0; i < candidates.count; i++) {
    NbList reached = nb_reach(arena, candidates.items[i]);
    for (unsigned k = 0; k < reached.count; k++) {
      const NbList *calls = nb_map_get(queue->waiting, reached.items[k]);
      for (unsigned n = 0; calls && n < calls->count; n++)
        nb_list_push(&inner, calls->items[n]);
    }
  }
  return inner;
}

/* The order of the derivative that the call asks for, `most` at most: one more than that of what is
 * asked for inside. */
static unsigned order_of(const NbQueue *queue, LLVMValueRef call, unsigned most) {
  unsigned highest = 0;
  if (most < 2)
    return 1;
  NbList inner = inner_calls(queue, call);
  for (unsigned i = 0; i < inner.count; i++) {
    unsigned order = order_of(queue, inner.items[i], most - 1);
    highest = order > highest ? order : highest;
  }
  return highest + 1;
}

/* The highest order that a call asks for, 3 at most. */
static unsigned highest_order(const NbQueue *queue, const NbList *calls) {
  unsigned most = 0;
  for (unsigned i = 0; i < calls->count && most < 3; i++) {
    unsigned order = order_of(queue, calls->items[i], 3);
    most = order > most ? order : most;
  }
  return most;
}

/* What the runtime's functions give in the derivatives of derivatives is not told apart, so that
 * none may be differentiated a third time. */
static void note_orders(const NbQueue *queue, const NbList *calls) {
  NbContext *context = queue->context;
  unsigned most = highest_order(queue, calls);
  context->again = queue->chosen || nb_context_is_before_link(context) || most > 1;
  context->nests = !queue->chosen && most == 2;
}

/* Where there are loops that keep few of their states: derivatives of such derivatives there are
 * not. */
static void note_nested(NbQueue *queue, const NbList *calls) {
  NbContext *context = queue->context;
  if (!nb_map_count(context->checkpoints))
    return;
  queue->nested = nb_map_new(context->arena);
  for (unsigned i = 0; i < calls->count; i++) {
    NbList inner = inner_calls(queue, calls->items[i]);
    for (unsigned k = 0; k < inner.count; k++)
      nb_map_set(queue->nested, inner.items[k], inner.items[k]);
  }
}

/* Declarations that stood for requests, refusals and entry points, and that nothing calls now. */
static void delete_unused(NbContext *context) {
  LLVMValueRef function = LLVMGetFirstFunction(context->module);
  while (function) {
    LLVMValueRef next = LLVMGetNextFunction(function);
    const char *name = nb_name(function);
    NbErrorId id;
    const char *message;
    bool ours = nb_entry_kind(name, NULL) != NB_ENTRY_NONE ||
                is_request(context->arena, function) || nb_refused_parse(name, &id, &message);
    if (ours && LLVMIsDeclaration(function) && !LLVMGetFirstUse(function))
      LLVMDeleteFunction(function);
    function = next;
  }
}

bool nb_request_serve(NbContext *context) {
  NbArena *arena = context->arena;
  nb_interposable_hide(context);
  bool changed = nb_leftovers_refuse(context);
  changed |= nb_checkpoint_serve(context);
  NbList calls = nb_calls_of(context, is_request);
  NbQueue queue = {.context = context,
                   .waiting = nb_map_new(arena),
                   .state = nb_map_new(arena),
                   .clean = nb_map_new(arena),
                   .served = nb_list(arena)};
  if (calls.count) {
    nb_registrations_take(context, nb_function_around(calls.items[0]));
    nb_models_link(context);
  }
  nb_held_put_back_custom(context);
  nb_sites_take(context);
  if (calls.count)
    nb_parts_take(context);
  nb_bodies_lend(context);
  NbList fixed = calls.count ? nb_unwritten_fix(context) : nb_list(arena);
  context->reads_again = nb_split_asks_again(context, &calls);
  nb_split_find_replayed(context, &calls);
  for (unsigned i = 0; i < calls.count; i++)
    wait_for(&queue, calls.items[i]);
  queue.chosen = nb_chosen_any(context, &calls);
  note_orders(&queue, &calls);
  note_nested(&queue, &calls);
  for (unsigned i = 0; i < calls.count; i++)
    serve_call(&queue, calls.items[i]);
  nb_split_check_halves(context);
  if (!context->refusals)
    nb_check_wrap(context, &queue.served);
  nb_unwritten_put_back(&fixed);
  nb_bodies_take_back(context);
  if (calls.count || changed) {
    delete_unused(context);
    nb_by_value_forget(context);
    nb_descriptors_forget(context);
  }
  changed |= nb_held_put_back(context);
  if (!context->refusals && context->phase != NB_PHASE_BEFORE_THIN_LINK)
    nb_held_inline(context);
  changed |= nb_sites_put_back(context);
  changed |= nb_parts_put_back(context);
  if (!calls.count)
    nb_registrations_warn(context);
  nb_registrations_release(context);
  nb_registrations_let_go(context);
  nb_interposable_put_back(context);
  if (!context->refusals)
    nb_models_release(context);
  return changed || calls.count != 0;
}

void nb_request_leave(NbContext *context) {
  nb_held_put_back_custom(context);
  nb_held_put_back(context);
  nb_sites_put_back(context);
  nb_parts_put_back(context);
  nb_registrations_let_go(context);
  nb_by_value_forget(context);
  nb_descriptors_forget(context);
}
