// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A row of the user's must win over the body of its function, and so must a derivative of the
 * user's, but the optimiser would inline or fold the body long before the requests are served. So
 * its direct calls go to a declaration until then. The function itself is kept by
 * llvm.compiler.used, for nothing else may call it now. */
#include "base/names.h"
#include "request/collected.h"

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
void nb_unkeep(NbContext *context, LLVMValueRef function) {
  NbList list = keep_list(context);
  for (unsigned i = list.count; i-- > 0;) {
    if (list.items[i] != function)
      continue;
    for (list.count--; i < list.count; i++)
      list.items[i] = list.items[i + 1];
    break;
  }
  set_keep_list(context, &list);
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

static bool hold(NbContext *context, const char *name) {
  LLVMValueRef function = name ? LLVMGetNamedFunction(context->module, name) : NULL;
  if (!function || LLVMIsDeclaration(function))
    return false;
  NbList calls = direct_calls(context, function);
  if (!calls.count)
    return false;
  if (is_local(function) && context->phase == NB_PHASE_BEFORE_LINK)
    name_uniquely(context, function);
  const char *held_name = nb_arena_print(context->arena, NB_HELD_PREFIX "%s", nb_name(function));
  LLVMValueRef held = nb_declare(context, held_name, LLVMGlobalGetValueType(function));
  LLVMSetFunctionCallConv(held, LLVMGetFunctionCallConv(function));
  for (unsigned i = 0; i < calls.count; i++) {
    LLVMValueRef call = calls.items[i];
    LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, held);
  }
  nb_keep(context, function);
  return true;
}

static bool hold_row(NbContext *context, const NbRule *rule) {
  static const NbFormat formats[] = {NB_FORMAT_DOUBLE, NB_FORMAT_FLOAT, NB_FORMAT_LONG};
  const char *last = "";
  bool changed = false;
  for (unsigned i = 0; i < sizeof formats / sizeof *formats; i++) {
    const char *name = nb_rule_spelling(rule, formats[i]);
    if (name && strcmp(name, last) != 0)
      changed |= hold(context, name);
    last = name ? name : last;
  }
  return changed;
}

bool nb_held_back(NbContext *context) {
  bool changed = false;
  const NbRules *rules = context->rules;
  for (; rules && rules != nb_rules_builtin(); rules = nb_rules_base(rules)) {
    unsigned count = nb_rules_count(rules);
    for (unsigned i = 0; i < count; i++)
      changed |= hold_row(context, nb_rules_at(rules, i));
  }
  for (unsigned i = 0; i < nb_map_count(context->custom); i++)
    changed |= hold(context, nb_name((LLVMValueRef)nb_map_key(context->custom, i)));
  return changed;
}

static void put_back(NbContext *context, LLVMValueRef held, LLVMValueRef function) {
  LLVMReplaceAllUsesWith(held, function);
  LLVMDeleteFunction(held);
  nb_unkeep(context, function);
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

bool nb_held_put_back(NbContext *context) {
  bool changed = false;
  LLVMValueRef held = LLVMGetFirstFunction(context->module);
  while (held) {
    LLVMValueRef next = LLVMGetNextFunction(held);
    const char *name = nb_name(held);
    size_t prefix = strlen(NB_HELD_PREFIX);
    LLVMValueRef function = NULL;
    if (!strncmp(name, NB_HELD_PREFIX, prefix))
      function = LLVMGetNamedFunction(context->module, name + prefix);
    if (function) {
      put_back(context, held, function);
      changed = true;
    }
    held = next;
  }
  return changed;
}
