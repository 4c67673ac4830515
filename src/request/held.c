// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A row of the user's must win over the body of its function, and so must a derivative of the
 * user's, but the optimiser would inline or fold the body long before the requests are served. So
 * its calls and its address go to a declaration until then. The function itself is kept by
 * llvm.compiler.used, for nothing else may call it now. The same holds for what the optimiser knows
 * without a body: it makes a square of `pow(x, 2)`, and a row for `pow` would not be asked. */
#include "base/names.h"
#include "bridge/body.h"
#include "direct/copy.h"
#include "objects/graph.h"
#include "request/collected.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

#define KEEP_LIST "llvm.compiler.used"

/* Makes llvm.compiler.used list exactly `functions`, pointers; no list where there are none. */
static void set_keep_list(NbContext *context, const NbList *list) {
  LLVMValueRef old = LLVMGetNamedGlobal(context->module, KEEP_LIST);
  if (old)
    LLVMDeleteGlobal(old);
  if (!list->count)
    return;
  LLVMTypeRef element = LLVMPointerTypeInContext(context->llvm, 0);
  LLVMTypeRef type = LLVMArrayType2(element, list->count);
  LLVMValueRef global = LLVMAddGlobal(context->module, type, KEEP_LIST);
  LLVMSetLinkage(global, LLVMAppendingLinkage);
  LLVMSetSection(global, "llvm.metadata");
  LLVMSetInitializer(global, LLVMConstArray2(element, (LLVMValueRef *)list->items, list->count));
}

static NbList keep_list(NbContext *context) {
  NbList list = nb_list(context->arena);
  LLVMValueRef global = LLVMGetNamedGlobal(context->module, KEEP_LIST);
  LLVMValueRef array = global ? LLVMGetInitializer(global) : NULL;
  unsigned count = array ? (unsigned)LLVMGetNumOperands(array) : 0;
  for (unsigned i = 0; i < count; i++)
    nb_list_push(&list, LLVMGetOperand(array, i));
  return list;
}

void nb_keep(NbContext *context, LLVMValueRef function) {
  NbList list = keep_list(context);
  nb_list_push(&list, function);
  set_keep_list(context, &list);
}

/* One entry less for `function`: the user's own may stay. */
bool nb_unkeep(NbContext *context, LLVMValueRef function) {
  NbList list = keep_list(context);
  unsigned count = list.count;
  for (unsigned i = list.count; i-- > 0;) {
    if (list.items[i] != function)
      continue;
    for (list.count--; i < list.count; i++)
      list.items[i] = list.items[i + 1];
    break;
  }
  if (list.count == count)
    return false;
  set_keep_list(context, &list);
  return true;
}

bool nb_is_keep_list(const NbContext *context, LLVMValueRef global) {
  return global == LLVMGetNamedGlobal(context->module, KEEP_LIST);
}

static uint64_t hash_of(uint64_t hash, const char *text) {
  for (; *text; text++)
    hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
  return hash;
}

/* A number that tells this module from others of the program: they define other symbols. */
static uint64_t module_number(const NbContext *context) {
  size_t length = 0;
  uint64_t hash = UINT64_C(14695981039346656037);
  hash = hash_of(hash, LLVMGetSourceFileName(context->module, &length));
  LLVMValueRef function = LLVMGetFirstFunction(context->module);
  for (; function; function = LLVMGetNextFunction(function)) {
    bool exported = LLVMGetLinkage(function) == LLVMExternalLinkage;
    if (exported && !LLVMIsDeclaration(function))
      hash = hash_of(hash, nb_name(function));
  }
  return hash;
}

static bool is_local(LLVMValueRef function) {
  LLVMLinkage linkage = LLVMGetLinkage(function);
  return linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
}

/* Until the link step another file may have a local function of the same name. */
static void name_uniquely(NbContext *context, LLVMValueRef function) {
  const char *name = nb_arena_print(context->arena, "%s" NB_LOCAL_INFIX "%llx", nb_name(function),
                                    (unsigned long long)module_number(context));
  LLVMSetValueName2(function, name, strlen(name));
  LLVMSetLinkage(function, LLVMExternalLinkage);
  LLVMSetVisibility(function, LLVMHiddenVisibility);
}

void nb_make_findable(NbContext *context, LLVMValueRef function) {
  if (LLVMIsDeclaration(function) || context->phase != NB_PHASE_BEFORE_LINK)
    return;
  nb_keep(context, function);
  if (is_local(function))
    name_uniquely(context, function);
}

static NbList direct_calls(NbContext *context, LLVMValueRef function) {
  NbList calls = nb_list(context->arena);
  for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool call = LLVMIsACallInst(user) || LLVMIsAInvokeInst(user);
    if (call && LLVMGetCalledValue(user) == function)
      nb_list_push(&calls, user);
  }
  return calls;
}

static void redirect(const NbList *calls, LLVMValueRef held) {
  for (unsigned i = 0; i < calls->count; i++) {
    LLVMValueRef call = calls->items[i];
    LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, held);
  }
}

/* The address goes with the calls: where it is known what a pointer leads to, the optimiser would
 * call the body. */
static bool hold_body(NbContext *context, LLVMValueRef function) {
  if (!nb_body_hide(function, NULL))
    return false;
  if (is_local(function) && context->phase == NB_PHASE_BEFORE_LINK)
    name_uniquely(context, function);
  const char *held_name = nb_arena_print(context->arena, NB_HELD_PREFIX "%s", nb_name(function));
  LLVMValueRef held = nb_declare(context, held_name, LLVMGlobalGetValueType(function));
  LLVMSetFunctionCallConv(held, LLVMGetFunctionCallConv(function));
  nb_body_hide(function, held);
  nb_keep(context, function);
  return true;
}

/* --- What the optimiser knows without a body -------------------------------------------------- */

static bool is_scalar(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  return kind == LLVMIntegerTypeKind || kind == LLVMPointerTypeKind || nb_is_float_kind(kind);
}

/* May any function have this one's type and attributes? */
static bool is_ordinary(LLVMValueRef function) {
  LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(function));
  bool ordinary = is_scalar(result) || LLVMGetTypeKind(result) == LLVMVoidTypeKind;
  for (unsigned i = 0; i < LLVMCountParams(function); i++)
    ordinary = ordinary && is_scalar(LLVMTypeOf(LLVMGetParam(function, i))) &&
               !nb_has_attribute_at(function, i + 1, "immarg");
  return ordinary;
}

static bool is_mathematics(const NbRule *rule) {
  bool derives = rule->kind == NB_RULE_TANGENT || rule->kind == NB_RULE_INACTIVE;
  return derives && !rule->once && rule->result == NB_TYPE_REAL;
}

static bool hold_known(NbContext *context, LLVMValueRef function, const NbRule *known) {
  NbList calls = direct_calls(context, function);
  if (!is_mathematics(known) || !is_ordinary(function) || !calls.count)
    return false;
  LLVMTypeRef type = LLVMGlobalGetValueType(function);
  LLVMValueRef held = nb_copy_declare(context, function, NB_HELD_PREFIX, type);
  LLVMSetLinkage(held, LLVMExternalLinkage);
  redirect(&calls, held);
  if (!LLVMGetIntrinsicID(function))
    nb_keep(context, function);
  return true;
}

static bool is_replaced(const NbContext *context, const char *name) {
  size_t length = strlen(name);
  LLVMValueRef function = LLVMGetNamedFunction(context->module, name);
  if (function && nb_map_has(context->custom, function))
    return true;
  return nb_rules_find(context->rules, name, length, NULL) !=
         nb_rules_find(nb_rules_builtin(), name, length, NULL);
}

static NbFormat format_of(LLVMTypeRef real) {
  LLVMTypeKind kind = LLVMGetTypeKind(real);
  if (kind == LLVMX86_FP80TypeKind)
    return NB_FORMAT_LONG;
  if (kind == LLVMFloatTypeKind)
    return NB_FORMAT_FLOAT;
  return kind == LLVMDoubleTypeKind ? NB_FORMAT_DOUBLE : NB_FORMAT_ANY;
}

/* What the row is about front ends write for a call of a function, in one of its formats: its name,
 * where it has a row of the user's. */
static const char *function_of(const NbContext *context, const NbRule *row, LLVMTypeRef real) {
  NbFormat format = format_of(real);
  if (!row || !row->of || format == NB_FORMAT_ANY)
    return NULL;
  const NbRule *known = nb_rules_find(nb_rules_builtin(), row->of, strlen(row->of), NULL);
  const char *name = nb_rule_spelling(known, format);
  if (!name || !is_replaced(context, name))
    return NULL;
  const NbRule *rule = nb_rules_find(context->rules, name, strlen(name), NULL);
  return nb_rule_has_shape_of(rule, known) ? name : NULL;
}

/* Calls the function, which returns the first of `count` results or none, and writes the others
 * through pointers; `results` receives them all. */
static void call_function(NbContext *context, LLVMValueRef instruction, const char *name,
                          LLVMTypeRef *types, LLVMValueRef *results, unsigned count) {
  const NbRule *rule = nb_rules_find(context->rules, name, strlen(name), NULL);
  unsigned returned = rule->result != NB_TYPE_VOID,
           taken = rule->parameter_count + returned - count;
  LLVMTypeRef void_type = LLVMVoidTypeInContext(context->llvm);
  LLVMTypeRef *parameters = NB_NEW_ARRAY(context->arena, LLVMTypeRef, rule->parameter_count + 1);
  LLVMValueRef *arguments = NB_NEW_ARRAY(context->arena, LLVMValueRef, rule->parameter_count + 1);
  for (unsigned i = 0; i < rule->parameter_count; i++) {
    arguments[i] = i < taken ? LLVMGetOperand(instruction, i)
                             : nb_copy_local(instruction, types[i - taken + returned], "");
    parameters[i] = LLVMTypeOf(arguments[i]);
  }
  LLVMTypeRef type =
      LLVMFunctionType(returned ? types[0] : void_type, parameters, rule->parameter_count, false);
  const char *held_name = nb_arena_print(context->arena, NB_HELD_PREFIX "%s", name);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  LLVMPositionBuilderBefore(builder, instruction);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(instruction));
  LLVMValueRef held = nb_declare(context, held_name, type);
  results[0] = LLVMBuildCall2(builder, type, held, arguments, rule->parameter_count, "");
  if (count == returned)
    nb_attributes_set_pure(results[0]);
  for (unsigned i = returned; i < count; i++)
    results[i] = LLVMBuildLoad2(builder, types[i], arguments[taken + i - returned], "");
  LLVMDisposeBuilder(builder);
}

static LLVMValueRef joined(LLVMValueRef instruction, LLVMValueRef *results, unsigned count) {
  LLVMTypeRef type = LLVMTypeOf(instruction);
  if (LLVMGetTypeKind(type) != LLVMStructTypeKind)
    return results[0];
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetTypeContext(type));
  LLVMPositionBuilderBefore(builder, instruction);
  LLVMValueRef whole = LLVMGetPoison(type);
  for (unsigned i = 0; i < count; i++)
    whole = LLVMBuildInsertValue(builder, whole, results[i], i, "");
  LLVMDisposeBuilder(builder);
  return whole;
}

static void call_instead(NbContext *context, LLVMValueRef instruction, const char *name) {
  enum { MOST = 2 };
  LLVMTypeRef type = LLVMTypeOf(instruction), types[MOST] = {type};
  LLVMValueRef results[MOST];
  bool several = LLVMGetTypeKind(type) == LLVMStructTypeKind;
  unsigned count = several ? LLVMCountStructElementTypes(type) : 1;
  if (count > MOST)
    return;
  if (several)
    LLVMGetStructElementTypes(type, types);
  call_function(context, instruction, name, types, results, count);
  LLVMReplaceAllUsesWith(instruction, joined(instruction, results, count));
  LLVMInstructionEraseFromParent(instruction);
}

/* The row of an instruction or of a call of an intrinsic. */
static const NbRule *row_of(LLVMValueRef instruction) {
  const char *opcode = nb_opcode_name(LLVMGetInstructionOpcode(instruction));
  if (opcode)
    return nb_rules_find_instruction(nb_rules_builtin(), opcode);
  LLVMValueRef callee = nb_callee(instruction);
  const char *name = callee && LLVMGetIntrinsicID(callee) ? nb_name(callee) : "";
  return nb_rules_find(nb_rules_builtin(), name, strlen(name), NULL);
}

static bool hold_instructions(NbContext *context, LLVMValueRef function) {
  bool changed = false;
  LLVMValueRef at = nb_instruction_first(function);
  while (at) {
    LLVMValueRef next = nb_instruction_next(at);
    const NbRule *row = row_of(at);
    const char *name =
        row && row->of ? function_of(context, row, LLVMTypeOf(LLVMGetOperand(at, 0))) : NULL;
    if (name)
      call_instead(context, at, name);
    changed |= name != NULL;
    at = next;
  }
  return changed;
}

/* An intrinsic stands for a function that has derivatives of the user's: calls that. */
static void call_custom(NbContext *context, LLVMValueRef intrinsic) {
  NbFormat format;
  const char *name = nb_name(intrinsic);
  const NbRule *known = nb_rules_find(nb_rules_builtin(), name, strlen(name), &format);
  const char *own = known ? nb_rule_spelling(known, format) : NULL;
  LLVMValueRef function = own ? LLVMGetNamedFunction(context->module, own) : NULL;
  if (!function || !nb_map_has(context->custom, function) ||
      LLVMGlobalGetValueType(function) != LLVMGlobalGetValueType(intrinsic))
    return;
  NbList calls = direct_calls(context, intrinsic);
  redirect(&calls, function);
}

/* Does the row of a function with a body say that it is hidden? */
static bool is_told_to_hold(const NbContext *context, LLVMValueRef function) {
  const char *name = nb_name(function);
  return !LLVMIsDeclaration(function) && nb_rules_hold(context->rules, name, strlen(name));
}

static bool hold_row(NbContext *context, LLVMValueRef function) {
  const char *name = nb_name(function);
  if (!is_replaced(context, name) && !is_told_to_hold(context, function))
    return false;
  if (!LLVMIsDeclaration(function))
    return hold_body(context, function);
  const NbRule *known = nb_rules_find(nb_rules_builtin(), name, strlen(name), NULL);
  return known && hold_known(context, function, known);
}

static bool is_held(LLVMValueRef function) {
  return !strncmp(nb_name(function), NB_HELD_PREFIX, strlen(NB_HELD_PREFIX));
}

bool nb_held_back(NbContext *context) {
  NbList functions = nb_list(context->arena);
  LLVMValueRef function = LLVMGetFirstFunction(context->module);
  for (; function; function = LLVMGetNextFunction(function))
    if (!is_held(function))
      nb_list_push(&functions, function);
  bool changed = false;
  bool own = context->rules != nb_rules_builtin() || nb_map_count(context->custom);
  for (unsigned i = 0; own && i < functions.count; i++)
    if (LLVMGetIntrinsicID(functions.items[i]))
      call_custom(context, functions.items[i]);
  for (unsigned i = 0; i < functions.count; i++) {
    changed |= hold_row(context, functions.items[i]);
    changed |= own && hold_instructions(context, functions.items[i]);
  }
  for (unsigned i = 0; i < nb_map_count(context->custom); i++) {
    LLVMValueRef custom = (LLVMValueRef)nb_map_key(context->custom, i);
    if (!LLVMIsDeclaration(custom))
      changed |= hold_body(context, custom);
  }
  return changed;
}

static void show(LLVMValueRef held, LLVMValueRef function) {
  LLVMReplaceAllUsesWith(held, function);
  LLVMDeleteFunction(held);
}

static void put_back(NbContext *context, LLVMValueRef held, LLVMValueRef function) {
  show(held, function);
  nb_unkeep(context, function);
  if (!LLVMIsDeclaration(function))
    nb_map_set(context->released, function, function);
}

void nb_held_put_back_custom(NbContext *context) {
  for (unsigned i = 0; i < nb_map_count(context->custom); i++) {
    LLVMValueRef function = (LLVMValueRef)nb_map_key(context->custom, i);
    const char *name = nb_arena_print(context->arena, NB_HELD_PREFIX "%s", nb_name(function));
    LLVMValueRef held = LLVMGetNamedFunction(context->module, name);
    if (held)
      put_back(context, held, function);
  }
}

/* What nobody else called may be gone by now. */
static void put_back_by_name(NbContext *context, LLVMValueRef held) {
  const char *name = nb_name(held) + strlen(NB_HELD_PREFIX);
  name = nb_arena_copy(context->arena, name, strlen(name));
  LLVMValueRef function = LLVMGetNamedFunction(context->module, name);
  if (function)
    put_back(context, held, function);
  else
    LLVMSetValueName2(held, name, strlen(name));
}

bool nb_held_put_back(NbContext *context) {
  bool changed = false;
  LLVMValueRef held = LLVMGetFirstFunction(context->module);
  while (held) {
    LLVMValueRef next = LLVMGetNextFunction(held);
    if (is_held(held)) {
      put_back_by_name(context, held);
      changed = true;
    }
    held = next;
  }
  return changed;
}

bool nb_held_show_all(LLVMModuleRef module) {
  bool changed = false;
  LLVMValueRef held = LLVMGetFirstFunction(module);
  for (LLVMValueRef next; held; held = next) {
    next = LLVMGetNextFunction(held);
    LLVMValueRef function =
        is_held(held) ? LLVMGetNamedFunction(module, nb_name(held) + strlen(NB_HELD_PREFIX)) : NULL;
    if (!function)
      continue;
    show(held, function);
    changed = true;
  }
  return changed;
}

/* --- Inlining --------------------------------------------------------------------------------- */

void nb_held_inline(NbContext *context) {
  LLVMValueRef function = LLVMGetFirstFunction(context->module);
  for (; function; function = LLVMGetNextFunction(function)) {
    bool released = nb_map_has(context->released, function) && !LLVMIsDeclaration(function);
    NbList calls = released ? direct_calls(context, function) : nb_list(context->arena);
    for (unsigned i = 0; i < calls.count; i++)
      if (nb_inline_pays(context->analyses, calls.items[i]))
        nb_inline_call(context->analyses, calls.items[i]);
  }
}
