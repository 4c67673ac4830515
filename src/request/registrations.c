// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Registration globals say what holds for a whole program. None is served yet, and none may be
 * ignored: what they say would be missing from a derivative without a word. Their globals may be
 * dropped before requests are served, so they are noted in metadata at the start. */
#include "request/collected.h"

#include <string.h>

#define NOTES "nabla.registrations"

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

static void note(NbContext *context, LLVMValueRef global) {
  const char *name = nb_name(global);
  LLVMValueRef initial = LLVMGetInitializer(global);
  LLVMValueRef function = initial ? first_function(initial, 4) : NULL;
  LLVMMetadataRef parts[2];
  parts[0] = LLVMMDStringInContext2(context->llvm, name, strlen(name));
  parts[1] = function ? LLVMValueAsMetadata(function) : parts[0];
  LLVMMetadataRef node = LLVMMDNodeInContext2(context->llvm, parts, 2);
  LLVMAddNamedMetadataOperand(context->module, NOTES, LLVMMetadataAsValue(context->llvm, node));
}

bool nb_registrations_note(NbContext *context) {
  bool changed = false;
  LLVMValueRef global = LLVMGetFirstGlobal(context->module);
  for (; global; global = LLVMGetNextGlobal(global)) {
    if (nb_entry_kind(nb_name(global), NULL) != NB_ENTRY_REGISTRATION)
      continue;
    note(context, global);
    changed = true;
  }
  return changed;
}

static void refuse_one(NbContext *context, LLVMValueRef node, LLVMValueRef where) {
  LLVMValueRef parts[2] = {NULL, NULL};
  if (LLVMGetMDNodeNumOperands(node) != 2)
    return;
  LLVMGetMDNodeOperands(node, parts);
  unsigned length = 0;
  const char *name = parts[0] ? LLVMGetMDString(parts[0], &length) : NULL;
  if (!name)
    return;
  if (parts[1] && LLVMIsAFunction(parts[1]))
    where = parts[1];
  nb_refuse(context, NB_ERROR_ENTRY_UNSUPPORTED, where,
            "the registration '%.*s' is not supported yet, and a derivative without it would be "
            "another one",
            (int)length, name);
}

void nb_registrations_refuse(NbContext *context, LLVMValueRef where) {
  unsigned count = LLVMGetNamedMetadataNumOperands(context->module, NOTES);
  if (!count)
    return;
  LLVMValueRef *nodes = NB_NEW_ARRAY(context->arena, LLVMValueRef, count);
  LLVMGetNamedMetadataOperands(context->module, NOTES, nodes);
  for (unsigned i = 0; i < count; i++)
    refuse_one(context, nodes[i], where);
}
