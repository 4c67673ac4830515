// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Indices into arrays in structs, as the front end's types have them. `w[i].q[j].a[k]` says how far
 * j and k go; once the optimiser has computed the address in bytes, and elements of one size from
 * there, nothing does. So the places that an access means are noted at the access, when variables
 * have become values and types are still the front end's.
 *
 * A place is one in its object, and so the start of the object must be known: the address is
 * computed from a variable, from what an allocation gave, or from a parameter that leads, in every
 * call that the file has, to such a start, or to a whole number of structs from there. It may still
 * be a parameter when the note is read: then it is seen from there.
 *
 * Which struct it is whose member is accessed is noted besides, wherever that is: what is declared
 * of bytes that no access speaks of.
 *
 * LLVM drops the metadata where it joins accesses or makes new ones of them; then nothing is known.
 */
#include "base/names.h"
#include "objects/graph.h"
#include "objects/path.h"
#include "request/collected.h"

#include <string.h>

enum { MOST_ORIGINS = 128 };

/* --- Where objects start. --------------------------------------------------------------------- */

static bool starts_object(NbContext *context, LLVMValueRef value) {
  return LLVMIsAAllocaInst(value) || LLVMIsAGlobalVariable(value) ||
         nb_value_is_allocated(context, value);
}

/* Pointers that are to lead to a whole number of `modulus` bytes from where an object starts; each
 * is taken to do so while the others are looked at, which proves it for loops and recursion. */
typedef struct Origins {
  NbContext *context;
  uint64_t modulus;
  LLVMValueRef items[MOST_ORIGINS];
  unsigned count;
  bool failed;
} Origins;

static void enter(Origins *origins, LLVMValueRef pointer) {
  for (unsigned i = 0; i < origins->count; i++)
    if (origins->items[i] == pointer)
      return;
  origins->failed |= origins->count == MOST_ORIGINS;
  if (!origins->failed)
    origins->items[origins->count++] = pointer;
}

/* What calls pass for the parameter. A derivative that is asked for sees it as a parameter. */
static void enter_arguments(Origins *origins, LLVMValueRef parameter) {
  LLVMValueRef function = LLVMGetParamParent(parameter);
  unsigned index = nb_parameter_index(parameter);
  LLVMLinkage linkage = LLVMGetLinkage(function);
  bool local = linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
  origins->failed |= !local && origins->context->phase == NB_PHASE_BEFORE_LINK;
  for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    LLVMValueRef callee = nb_callee(user);
    bool called = callee == function && index < LLVMGetNumArgOperands(user);
    bool asked = callee && LLVMIsDeclaration(callee) && nb_is_request(callee);
    if (called)
      enter(origins, LLVMGetOperand(user, index));
    origins->failed |= !called && !asked;
  }
}

static bool is_multiple(int64_t bytes, uint64_t modulus) {
  return modulus ? bytes % (int64_t)modulus == 0 : bytes == 0;
}

static void enter_path(Origins *origins, LLVMValueRef gep) {
  NbPath path = nb_path_of(origins->context, gep);
  origins->failed |= path.failed || !is_multiple(path.offset, origins->modulus);
  for (unsigned i = 0; i < path.count; i++)
    origins->failed |= !is_multiple((int64_t)path.pairs[2 * i], origins->modulus);
  enter(origins, path.root);
}

static void enter_choices(Origins *origins, LLVMValueRef value) {
  for (int i = LLVMIsASelectInst(value) ? 1 : 0; i < LLVMGetNumOperands(value); i++)
    enter(origins, LLVMGetOperand(value, (unsigned)i));
}

/* A multiple of `modulus` bytes behind it; 0: exactly there. */
static bool leads_to_start(NbContext *context, LLVMValueRef pointer, uint64_t modulus) {
  Origins origins = {.context = context, .modulus = modulus};
  enter(&origins, pointer);
  for (unsigned i = 0; i < origins.count && !origins.failed; i++) {
    LLVMValueRef value = origins.items[i];
    if (starts_object(context, value) || LLVMIsNull(value) || LLVMIsUndef(value))
      continue;
    if (LLVMIsAArgument(value))
      enter_arguments(&origins, value);
    else if (nb_path_steps(value))
      enter_path(&origins, value);
    else if (LLVMIsAPHINode(value) || LLVMIsASelectInst(value))
      enter_choices(&origins, value);
    else
      return false;
  }
  return !origins.failed;
}

/* --- Notes. ----------------------------------------------------------------------------------- */

static LLVMMetadataRef number(const NbContext *context, uint64_t value) {
  LLVMTypeRef type = LLVMInt64TypeInContext(context->llvm);
  return LLVMValueAsMetadata(LLVMConstInt(type, value, false));
}

/* The bytes that are accessed, then what nb_noted_place reads. */
static void attach(const NbContext *context, LLVMValueRef access, const char *kind, uint64_t bytes,
                   uint64_t modulus, const NbPath *path) {
  LLVMMetadataRef parts[3 + 2 * NB_MOST_STEPS];
  unsigned count = 0;
  parts[count++] = number(context, bytes);
  parts[count++] = number(context, (uint64_t)path->offset);
  parts[count++] = number(context, modulus);
  for (unsigned i = 0; i < 2 * path->count; i++)
    parts[count++] = number(context, path->pairs[i]);
  LLVMMetadataRef node = LLVMMDNodeInContext2(context->llvm, parts, count);
  unsigned id = LLVMGetMDKindIDInContext(context->llvm, kind, (unsigned)strlen(kind));
  LLVMSetMetadata(access, id, LLVMMetadataAsValue(context->llvm, node));
}

static void note(NbContext *context, LLVMValueRef access, LLVMValueRef pointer, const char *kind,
                 uint64_t bytes) {
  NbPath path = nb_path_of(context, pointer);
  if (path.failed || !path.bounded)
    return;
  bool start = starts_object(context, path.root) || leads_to_start(context, path.root, 0);
  uint64_t modulus = start ? 0 : path.outer;
  if (start || (modulus && leads_to_start(context, path.root, modulus)))
    attach(context, access, kind, bytes, modulus, &path);
}

/* The type stands as that of a constant: what nb_access_struct reads. */
static void note_struct(const NbContext *context, LLVMValueRef access, LLVMValueRef pointer,
                        const char *kind, uint64_t bytes) {
  uint64_t offset = 0;
  LLVMTypeRef type = nb_path_struct(context, pointer, &offset);
  if (!type)
    return;
  LLVMMetadataRef parts[] = {number(context, bytes), number(context, offset),
                             LLVMValueAsMetadata(LLVMGetPoison(type))};
  LLVMMetadataRef node = LLVMMDNodeInContext2(context->llvm, parts, 3);
  unsigned id = LLVMGetMDKindIDInContext(context->llvm, kind, (unsigned)strlen(kind));
  LLVMSetMetadata(access, id, LLVMMetadataAsValue(context->llvm, node));
}

static void note_instruction(NbContext *context, LLVMValueRef at) {
  LLVMValueRef pointer = nb_access_pointer(at, false);
  LLVMValueRef source = nb_access_pointer(at, true);
  uint64_t bytes = pointer ? nb_access_bytes(context, at) : 0;
  if (pointer) {
    note(context, at, pointer, NB_NOTED_PLACE, bytes);
    note_struct(context, at, pointer, NB_NOTED_STRUCT, bytes);
  }
  if (source) {
    note(context, at, source, NB_NOTED_SOURCE, bytes);
    note_struct(context, at, source, NB_NOTED_STRUCT_SOURCE, bytes);
  }
}

static bool is_asked_for(NbContext *context) {
  LLVMValueRef function = LLVMGetFirstFunction(context->module);
  while (function && !(LLVMIsDeclaration(function) && nb_is_request(function)))
    function = LLVMGetNextFunction(function);
  return function != NULL;
}

bool nb_request_note_indices(NbContext *context) {
  LLVMValueRef function = LLVMGetFirstFunction(context->module);
  if (!is_asked_for(context))
    return false;
  for (; function; function = LLVMGetNextFunction(function))
    for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at))
      note_instruction(context, at);
  return true;
}
