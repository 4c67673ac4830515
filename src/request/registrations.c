// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Registration globals say what holds for a whole program. Those that speak of globals are served;
 * of the others none may be ignored, or what they say would be missing from a derivative without a
 * word. They may be dropped before requests are served, so they are noted in metadata at the start.
 */
#include "request/collected.h"

#include <string.h>

#define NOTES "nabla.registrations"

enum { NESTING = 4 };

static LLVMValueRef first_function(LLVMValueRef value, unsigned depth) {
  if (LLVMIsAFunction(value))
    return value;
  bool inner =
      LLVMIsAConstantStruct(value) || LLVMIsAConstantArray(value) || LLVMIsAConstantExpr(value);
  int count = inner && depth ? LLVMGetNumOperands(value) : 0;
  for (int i = 0; i < count; i++) {
    LLVMValueRef found = first_function(LLVMGetOperand(value, (unsigned)i), depth - 1);
    if (found)
      return found;
  }
  return NULL;
}

/* The globals in an initialiser, in order. */
static void find_globals(LLVMValueRef value, unsigned depth, NbList *found) {
  if (LLVMIsAGlobalVariable(value)) {
    nb_list_push(found, value);
    return;
  }
  int count = depth && !LLVMIsAFunction(value) ? LLVMGetNumOperands(value) : 0;
  for (int i = 0; i < count; i++)
    find_globals(LLVMGetOperand(value, (unsigned)i), depth - 1, found);
}

/* Of what speaks of globals, these are noted behind the name; else the first function is. */
static void note(NbContext *context, LLVMValueRef global, NbEntryKind kind) {
  const char *name = nb_name(global);
  LLVMValueRef initial = LLVMGetInitializer(global);
  NbList values = nb_list(context->arena);
  LLVMValueRef function = NULL;
  if (initial && kind != NB_ENTRY_REGISTRATION)
    find_globals(initial, NESTING, &values);
  else if (initial)
    function = first_function(initial, NESTING);
  if (function)
    nb_list_push(&values, function);
  LLVMMetadataRef *parts = NB_NEW_ARRAY(context->arena, LLVMMetadataRef, values.count + 1);
  parts[0] = LLVMMDStringInContext2(context->llvm, name, strlen(name));
  for (unsigned i = 0; i < values.count; i++)
    parts[i + 1] = LLVMValueAsMetadata(values.items[i]);
  LLVMMetadataRef node = LLVMMDNodeInContext2(context->llvm, parts, values.count + 1);
  LLVMAddNamedMetadataOperand(context->module, NOTES, LLVMMetadataAsValue(context->llvm, node));
}

static bool is_registration(NbEntryKind kind) {
  return kind == NB_ENTRY_REGISTRATION || kind == NB_ENTRY_SHADOW_GLOBAL ||
         kind == NB_ENTRY_INACTIVE_GLOBAL;
}

bool nb_registrations_note(NbContext *context) {
  bool changed = false;
  LLVMValueRef global = LLVMGetFirstGlobal(context->module);
  for (; global; global = LLVMGetNextGlobal(global)) {
    NbEntryKind kind = nb_entry_kind(nb_name(global), NULL);
    if (!is_registration(kind))
      continue;
    note(context, global, kind);
    changed = true;
  }
  return changed;
}

static void refuse(NbContext *context, const char *name, LLVMValueRef function,
                   LLVMValueRef where) {
  if (function && LLVMIsAFunction(function))
    where = function;
  nb_refuse(context, NB_ERROR_ENTRY_UNSUPPORTED, where,
            "the registration '%s' is not supported yet, and a derivative without it would be "
            "another one",
            name);
}

/* What the optimiser has deleted since is missing, and needs nothing. */
static void take_globals(NbContext *context, NbEntryKind kind, LLVMValueRef *values,
                         unsigned count) {
  unsigned step = kind == NB_ENTRY_SHADOW_GLOBAL ? 2 : 1;
  for (unsigned i = 0; i + step <= count; i += step) {
    if (!values[i] || !values[i + step - 1])
      continue;
    if (step == 2)
      nb_map_set(context->declared_shadows, values[i], values[i + 1]);
    else
      nb_map_set(context->inactive_globals, values[i], values[i]);
  }
}

static void take(NbContext *context, LLVMValueRef node, LLVMValueRef where) {
  unsigned count = LLVMGetMDNodeNumOperands(node), length = 0;
  LLVMValueRef *parts = NB_NEW_ARRAY(context->arena, LLVMValueRef, count + 1);
  LLVMGetMDNodeOperands(node, parts);
  const char *text = count && parts[0] ? LLVMGetMDString(parts[0], &length) : NULL;
  if (!text)
    return;
  const char *name = nb_arena_copy(context->arena, text, length);
  NbEntryKind kind = nb_entry_kind(name, NULL);
  bool odd = kind == NB_ENTRY_SHADOW_GLOBAL && count % 2 == 0;
  if (kind == NB_ENTRY_REGISTRATION || odd)
    refuse(context, name, count > 1 ? parts[1] : NULL, where);
  else
    take_globals(context, kind, parts + 1, count - 1);
}

void nb_registrations_take(NbContext *context, LLVMValueRef where) {
  unsigned count = LLVMGetNamedMetadataNumOperands(context->module, NOTES);
  if (!count)
    return;
  LLVMValueRef *nodes = NB_NEW_ARRAY(context->arena, LLVMValueRef, count);
  LLVMGetNamedMetadataOperands(context->module, NOTES, nodes);
  for (unsigned i = 0; i < count; i++)
    take(context, nodes[i], where);
}
