// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What would otherwise be an undefined symbol at link time: calls that the start of the pipeline
 * refused, entry points that are not served, and misspelt ones. */
#include "request/collected.h"
#include "request/narrow.h"

static bool is_refused(NbArena *arena, LLVMValueRef callee) {
  (void)arena;
  NbErrorId id;
  const char *message;
  return nb_refused_parse(nb_name(callee), &id, &message);
}

static bool is_leftover(NbArena *arena, LLVMValueRef function) {
  if (!LLVMIsDeclaration(function) || LLVMGetIntrinsicID(function))
    return false;
  const char *name = nb_name(function);
  NbEntryKind kind = nb_entry_kind(name, NULL);
  if (kind == NB_ENTRY_NONE)
    return nb_entry_almost(arena, name);
  return kind != NB_ENTRY_SUPPLIED;
}

static bool refuse_unknown(NbContext *context, LLVMValueRef where, const char *name) {
  const char *nearest = nb_entry_nearest(context->arena, name);
  if (!nearest)
    return nb_refuse(context, NB_ERROR_ENTRY_UNKNOWN, where,
                     "there is no entry point '%s', and no function of that name", name);
  return nb_refuse(context, NB_ERROR_ENTRY_UNKNOWN, where,
                   "there is no entry point '%s', and no function of that name; the nearest is "
                   "'%s'",
                   name, nearest);
}

static bool refuse_use(NbContext *context, LLVMValueRef where, const char *name) {
  const char *known = name;
  NbEntryKind kind = nb_entry_kind(name, &known);
  if (kind == NB_ENTRY_TRUNCATE_VALUE)
    return nb_refuse(context, NB_ERROR_ENTRY_UNSUPPORTED, where,
                     "'%s' takes a number, and behind it there must stand " NB_NARROW_WANTED,
                     known);
  if (nb_entry_is_site(kind))
    return nb_refuse(context, NB_ERROR_ENTRY_UNSUPPORTED, where,
                     "this use of '%s' is not supported yet: it needs a function known here, "
                     "arguments that its parameters can take, and its own result",
                     known);
  if (kind == NB_ENTRY_LATER || nb_entry_is_registration(kind))
    return nb_refuse(context, NB_ERROR_ENTRY_UNSUPPORTED, where, "'%s' is not supported yet",
                     known);
  if (nb_entry_is_served(kind))
    return nb_refuse(context, NB_ERROR_ENTRY_UNSUPPORTED, where,
                     "'%s' is used as a value instead of being called, so what it will be asked to "
                     "differentiate cannot be known",
                     name);
  return refuse_unknown(context, where, name);
}

/* Instructions and variables that mention `value`, also inside of constants. */
static void add_mentions(NbList *mentions, LLVMValueRef value) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool inside = LLVMIsAConstant(user) && !LLVMIsAGlobalValue(user);
    if (inside)
      add_mentions(mentions, user);
    else
      nb_list_push(mentions, user);
  }
}

static bool refuse_uses(NbContext *context, LLVMValueRef function) {
  bool stays = context->phase == NB_PHASE_THIN_ALONE;
  NbList mentions = nb_list(context->arena);
  add_mentions(&mentions, function);
  for (unsigned i = mentions.count; i-- > 0;) {
    LLVMValueRef user = mentions.items[i];
    bool shown = LLVMIsAInstruction(user) || LLVMIsAGlobalVariable(user);
    refuse_use(context, shown ? user : function, nb_name(function));
    if (!stays && nb_callee(user) == function)
      nb_call_retire(context, user);
  }
  return !stays && mentions.count;
}

bool nb_leftovers_found(NbContext *context) {
  LLVMValueRef function = LLVMGetFirstFunction(context->module);
  for (; function; function = LLVMGetNextFunction(function))
    if (LLVMGetFirstUse(function) && is_leftover(context->arena, function))
      return true;
  return false;
}

/* What only the linker can miss is no error of ThinLTO's compile step. */
static bool refuse_leftovers(NbContext *context) {
  bool changed = false;
  LLVMValueRef function = LLVMGetFirstFunction(context->module);
  for (; function; function = LLVMGetNextFunction(function))
    if (is_leftover(context->arena, function))
      changed |= refuse_uses(context, function);
  if (context->phase == NB_PHASE_THIN_ALONE)
    nb_refusals_warn(context);
  return changed;
}

bool nb_leftovers_refuse(NbContext *context) {
  bool changed = refuse_leftovers(context);
  NbList calls = nb_calls_of(context, is_refused);
  for (unsigned i = 0; i < calls.count; i++) {
    NbErrorId id = NB_ERROR_ENTRY_UNKNOWN;
    const char *message = "";
    LLVMValueRef callee = nb_callee(calls.items[i]);
    nb_refused_parse(nb_name(callee), &id, &message);
    nb_refuse(context, id, calls.items[i], "%s", message);
    nb_call_retire(context, calls.items[i]);
  }
  return changed || calls.count;
}
