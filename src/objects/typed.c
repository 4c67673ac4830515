// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What TBAA says of accesses, without TBAA: of a file of C that keeps to its types
 * (bridge/puns.cpp), an access of a number or a pointer, or of an integer that is a member or an
 * element, is of what lies there. That is noted while the types in the IR are the front end's.
 *
 * Integers that the front end makes up to pass structs by value are no such accesses: they go
 * through a pointer to the struct.
 *
 * The note is an access group that no loop names: when LLVM makes one access of two, it keeps the
 * groups that both are in, as it does with tags of TBAA, and drops notes that it does not know. It
 * tells the kind, for LLVM may go on to load a number as an integer. */
#include "base/names.h"
#include "objects/graph.h"
#include "objects/path.h"

#include <string.h>

enum { NARROWEST = 16, WIDEST = 64, MOST_GROUPS = 1024, WIDTHS = 4 };

enum { OF_NUMBERS, OF_INTEGERS, OF_POINTERS, TYPED };

/* What an object of the type begins with. */
static LLVMTypeRef first_scalar(LLVMTypeRef type) {
  for (;;) {
    bool structure = LLVMGetTypeKind(type) == LLVMStructTypeKind;
    if (structure && !LLVMCountStructElementTypes(type))
      return type;
    if (!structure && LLVMGetTypeKind(type) != LLVMArrayTypeKind)
      return type;
    type = structure ? LLVMStructGetTypeAtIndex(type, 0) : LLVMGetElementType(type);
  }
}

/* Does the type in the IR of what the pointer leads to agree, if there is one? Bytes, and what a
 * pointer was read from, say nothing. */
static bool agrees(LLVMValueRef pointer, LLVMTypeRef type) {
  LLVMTypeRef there = NULL;
  if (LLVMIsAGetElementPtrInst(pointer))
    there = nb_path_type(pointer);
  else if (LLVMIsAAllocaInst(pointer))
    there = LLVMGetAllocatedType(pointer);
  else if (LLVMIsAGlobalVariable(pointer))
    there = LLVMGlobalGetValueType(pointer);
  return !there || nb_is_byte(there) || first_scalar(there) == type;
}

/* Is it a part of a struct that the front end has made up to pass another by value? */
static bool is_made_up(LLVMValueRef pointer) {
  LLVMTypeRef source =
      LLVMIsAGetElementPtrInst(pointer) ? LLVMGetGEPSourceElementType(pointer) : NULL;
  return source && LLVMGetTypeKind(source) == LLVMStructTypeKind && LLVMIsLiteralStruct(source);
}

/* Is it a member by its name, or an element of an array of such integers? */
static bool is_place_of(LLVMValueRef pointer, LLVMTypeRef type) {
  if (!LLVMIsAGetElementPtrInst(pointer) || is_made_up(pointer))
    return false;
  LLVMTypeRef source = LLVMGetGEPSourceElementType(pointer);
  bool element = LLVMGetNumOperands(pointer) == 2 && source == type;
  bool member = LLVMGetNumOperands(pointer) > 2 && nb_path_type(pointer) == type;
  return element || (member && !nb_is_in_union(pointer));
}

static LLVMTypeRef accessed_type(LLVMValueRef access) {
  return LLVMTypeOf(LLVMIsAStoreInst(access) ? LLVMGetOperand(access, 0) : access);
}

static bool is_number(LLVMTypeRef type) { return nb_is_float_kind(LLVMGetTypeKind(type)); }

static bool is_pointer(LLVMTypeRef type) { return LLVMGetTypeKind(type) == LLVMPointerTypeKind; }

static bool is_typed(LLVMValueRef access) {
  LLVMTypeRef type = accessed_type(access);
  LLVMValueRef pointer = LLVMGetOperand(access, LLVMIsAStoreInst(access) ? 1 : 0);
  if (LLVMGetOrdering(access) != LLVMAtomicOrderingNotAtomic)
    return false;
  if (is_number(type))
    return agrees(pointer, type) && !nb_is_in_union(pointer);
  if (is_pointer(type))
    return agrees(pointer, type) && !nb_is_in_union(pointer) && !is_made_up(pointer);
  bool integer = LLVMGetTypeKind(type) == LLVMIntegerTypeKind;
  unsigned width = integer ? LLVMGetIntTypeWidth(type) : 0;
  return width >= NARROWEST && width <= WIDEST && is_place_of(pointer, type);
}

static bool is_called(LLVMValueRef value) {
  return LLVMIsACallInst(value) || LLVMIsAInvokeInst(value);
}

/* Does it go to a call, or come from one? So do structs that the front end passes in an integer. */
static bool is_passed(LLVMValueRef access) {
  LLVMValueRef stored = LLVMIsAStoreInst(access) ? LLVMGetOperand(access, 0) : NULL;
  if (stored)
    return is_called(stored) || LLVMIsAArgument(stored);
  for (LLVMUseRef use = LLVMGetFirstUse(access); use; use = LLVMGetNextUse(use))
    if (is_called(LLVMGetUser(use)) || LLVMIsAReturnInst(LLVMGetUser(use)))
      return true;
  return false;
}

/* Is it an integer behind a reference, or a pointer to it alone? */
static bool is_referred(LLVMValueRef access) {
  LLVMValueRef pointer = LLVMGetOperand(access, LLVMIsAStoreInst(access) ? 1 : 0);
  LLVMTypeRef type = accessed_type(access);
  bool integer = LLVMGetTypeKind(type) == LLVMIntegerTypeKind;
  unsigned width = integer ? LLVMGetIntTypeWidth(type) : 0;
  bool plain = LLVMGetOrdering(access) == LLVMAtomicOrderingNotAtomic;
  bool behind = LLVMIsALoadInst(pointer) || LLVMIsAArgument(pointer) || is_called(pointer);
  return plain && behind && width >= NARROWEST && width <= WIDEST &&
         LLVMGetAlignment(access) == width / 8 && !is_passed(access);
}

/* --- The note. -------------------------------------------------------------------------------- */

static unsigned kind_of_groups(LLVMContextRef llvm) {
  const char *name = "llvm.access.group";
  return LLVMGetMDKindIDInContext(llvm, name, (unsigned)strlen(name));
}

/* If the access is in any group: those of the files by that name, and how many they are. */
static void find_some(LLVMValueRef access, const char *name, LLVMValueRef groups[MOST_GROUPS],
                      unsigned *count) {
  LLVMContextRef llvm = LLVMGetTypeContext(accessed_type(access));
  LLVMValueRef group = LLVMGetMetadata(access, kind_of_groups(llvm));
  LLVMModuleRef module =
      LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(access)));
  *count = group ? LLVMGetNamedMetadataNumOperands(module, name) : 0;
  if (*count > MOST_GROUPS)
    *count = 0;
  if (*count)
    LLVMGetNamedMetadataOperands(module, name, groups);
}

/* Which of the groups the access would be in. */
static unsigned typed_index(LLVMTypeRef type) {
  return is_number(type) ? OF_NUMBERS : is_pointer(type) ? OF_POINTERS : OF_INTEGERS;
}

bool nb_access_is_typed(LLVMValueRef access) {
  LLVMValueRef groups[MOST_GROUPS];
  unsigned count;
  find_some(access, NB_TYPED_ACCESSES, groups, &count);
  for (unsigned i = typed_index(accessed_type(access)); i < count; i += TYPED)
    if (nb_access_group_has(access, LLVMValueAsMetadata(groups[i])))
      return true;
  return false;
}

/* Which of the groups by widths the access would be in; WIDTHS: none. */
static unsigned width_index(LLVMValueRef access) {
  static const unsigned widths[WIDTHS] = {8, 16, 32, 64};
  LLVMTypeRef type = accessed_type(access);
  bool integer = LLVMGetTypeKind(type) == LLVMIntegerTypeKind;
  unsigned index = integer ? 0 : WIDTHS;
  while (index < WIDTHS && widths[index] != LLVMGetIntTypeWidth(type))
    index++;
  return index;
}

bool nb_access_is_noted_integer(LLVMValueRef access) {
  LLVMValueRef groups[MOST_GROUPS];
  unsigned count = 0, width = width_index(access);
  if (width < WIDTHS)
    find_some(access, NB_INTEGER_FIELDS, groups, &count);
  for (unsigned i = width; i < count; i += WIDTHS)
    if (nb_access_group_has(access, LLVMValueAsMetadata(groups[i])))
      return true;
  return false;
}

/* The first `wanted` groups by that name, made when first asked for: a linked module has those of
 * each file. False where they are too many to be asked for later. */
static bool find_groups(NbContext *context, const char *name, LLVMValueRef *groups,
                        unsigned wanted) {
  LLVMModuleRef module = context->module;
  LLVMValueRef all[MOST_GROUPS];
  unsigned count = LLVMGetNamedMetadataNumOperands(module, name);
  for (unsigned i = 0; i < wanted && !count; i++) {
    LLVMMetadataRef group = nb_access_group_new(context->llvm);
    LLVMAddNamedMetadataOperand(module, name, LLVMMetadataAsValue(context->llvm, group));
  }
  if (count > MOST_GROUPS)
    return false;
  LLVMGetNamedMetadataOperands(module, name, all);
  memcpy(groups, all, wanted * sizeof *groups);
  return true;
}

void nb_access_note_integer(NbContext *context, LLVMValueRef access) {
  LLVMValueRef groups[WIDTHS];
  unsigned width = width_index(access);
  if (width < WIDTHS && find_groups(context, NB_INTEGER_FIELDS, groups, WIDTHS))
    nb_access_group_join(access, LLVMValueAsMetadata(groups[width]));
}

bool nb_types_are_kept(const NbContext *context) {
  return nb_option_on(context->options, "strict-aliasing", true) &&
         nb_options_types_known(context->options) != NB_TYPES_UNKNOWN;
}

/* The groups of accesses by what they are of; false where types tell nothing. */
static bool find_typed(NbContext *context, LLVMValueRef groups[TYPED]) {
  return nb_types_are_kept(context) && find_groups(context, NB_TYPED_ACCESSES, groups, TYPED);
}

static void note_typed(LLVMValueRef access, LLVMValueRef groups[TYPED]) {
  LLVMValueRef group = groups[typed_index(accessed_type(access))];
  nb_access_group_join(access, LLVMValueAsMetadata(group));
}

void nb_types_note(NbContext *context, LLVMValueRef function) {
  LLVMValueRef groups[TYPED];
  if (!find_typed(context, groups))
    return;
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at))
    if ((LLVMIsALoadInst(at) || LLVMIsAStoreInst(at)) && is_typed(at))
      note_typed(at, groups);
  bool all = nb_options_types_known(context->options) == NB_TYPES_OF_ALL;
  for (LLVMValueRef at = nb_instruction_first(function); at && all; at = nb_instruction_next(at)) {
    if ((!LLVMIsALoadInst(at) && !LLVMIsAStoreInst(at)) || !is_referred(at))
      continue;
    note_typed(at, groups);
    nb_access_note_integer(context, at);
  }
}

void nb_access_note_member(NbContext *context, LLVMValueRef access) {
  LLVMTypeRef type = accessed_type(access);
  bool integer = LLVMGetTypeKind(type) == LLVMIntegerTypeKind;
  unsigned width = integer ? LLVMGetIntTypeWidth(type) : 0;
  LLVMValueRef groups[TYPED];
  if (integer)
    nb_access_note(access, NB_INTEGER_FIELD);
  else if (!is_number(type))
    nb_access_note(access, NB_POINTER_FIELD);
  bool told = !integer || (width >= NARROWEST && width <= WIDEST);
  if (told && (is_number(type) || is_pointer(type) || integer) && find_typed(context, groups))
    note_typed(access, groups);
  if (integer)
    nb_access_note_integer(context, access);
}

bool nb_access_is_unoptimised(NbContext *context, LLVMValueRef access) {
  LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(access));
  LLVMValueRef primal = nb_map_get(context->primals, function);
  function = primal ? primal : function;
  LLVMValueRef original = nb_map_get(context->originals, function);
  return nb_has_attribute(original ? original : function, "optnone");
}
