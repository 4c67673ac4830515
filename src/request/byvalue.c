// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The ABI passes a small struct as several parameters, or as an integer with floats in it. A call
 * `f, s, ds` then has the parts of s, and behind them the parts of ds: reading them one parameter
 * at a time would take a part of s for a shadow, and nothing in the types says so. At the start of
 * the pipeline the function still puts the parts together in one variable, so this is seen there,
 * and noted in an attribute of the function until its derivatives have been made. */
#include "request/byvalue.h"
#include "request/collected.h"
#include "request/layout.h"
#include "request/unpacked.h"

#include <stdlib.h>
#include <string.h>

#define NOTE "nabla-by-value"

/* The letters of the note, one for each parameter, and one for the result where that is packed,
 * before the text of its members. */
enum { ALONE = '.', CONTINUES = '+', PACKED = 'p', PACKED_CONTINUES = 'P' };

static bool add_offset(const NbContext *context, LLVMValueRef gep, unsigned long long *offset) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  bool member = LLVMGetTypeKind(type) == LLVMStructTypeKind && LLVMGetNumOperands(gep) == 3;
  LLVMValueRef index = member ? LLVMGetOperand(gep, 2) : NULL;
  if (!index || !LLVMIsAConstantInt(index))
    return false;
  unsigned element = (unsigned)LLVMConstIntGetZExtValue(index);
  *offset += LLVMOffsetOfElement(context->layout, type, element);
  return true;
}

/* A variable whose life starts somewhere is a local one, which no parameter goes to at once. */
static bool is_local(const NbContext *context, LLVMValueRef variable) {
  for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
    if (nb_is_idle(context, LLVMGetUser(use)))
      return true;
  }
  return false;
}

NbPlacement nb_by_value_place(const NbContext *context, LLVMValueRef parameter) {
  NbPlacement place = {NULL, 0};
  LLVMUseRef use = LLVMGetFirstUse(parameter);
  LLVMValueRef store = use && !LLVMGetNextUse(use) ? LLVMGetUser(use) : NULL;
  if (!store || !LLVMIsAStoreInst(store) || LLVMGetOperand(store, 0) != parameter)
    return place;
  LLVMValueRef at = LLVMGetOperand(store, 1);
  while (LLVMIsAGetElementPtrInst(at)) {
    if (!add_offset(context, at, &place.offset))
      return place;
    at = LLVMGetOperand(at, 0);
  }
  if (LLVMIsAAllocaInst(at) && !is_local(context, at))
    place.variable = at;
  return place;
}

LLVMTypeRef nb_by_value_struct(LLVMValueRef variable) {
  for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool copy = LLVMIsAMemCpyInst(user) && LLVMGetOperand(user, 1) == variable;
    LLVMValueRef to = copy ? LLVMGetOperand(user, 0) : NULL;
    if (to && LLVMIsAAllocaInst(to))
      return LLVMGetAllocatedType(to);
  }
  return LLVMGetAllocatedType(variable);
}

/* Does an integer of `type` at the offset hold a float of `whole`? */
static bool holds_float(const NbContext *context, LLVMTypeRef whole, LLVMTypeRef type,
                        unsigned long long offset) {
  if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind)
    return false;
  NbLeaves *leaves = nb_leaves_of(context, whole);
  unsigned long long end = offset + nb_store_size(context, type);
  for (unsigned i = 0; i < leaves->count; i++) {
    const NbLeaf *leaf = &leaves->items[i];
    if (nb_type_has_float(leaf->type) && leaf->offset >= offset && leaf->offset < end)
      return true;
  }
  return leaves->overflow;
}

static bool is_packed(const NbContext *context, LLVMValueRef parameter, NbPlacement place) {
  return place.variable && holds_float(context, nb_by_value_struct(place.variable),
                                       LLVMTypeOf(parameter), place.offset);
}

/* --- The result: where the value is loaded from that the function returns ----------------------
 */

/* The variable, or the one that it is a copy of. */
static LLVMValueRef copied_from(LLVMValueRef variable) {
  for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool copy = LLVMIsAMemCpyInst(user) && LLVMGetOperand(user, 0) == variable;
    if (copy && LLVMIsAAllocaInst(LLVMGetOperand(user, 1)))
      return LLVMGetOperand(user, 1);
  }
  return variable;
}

/* The struct of which the terminator returns a float in an integer; NULL: none. `*offset`: of what
 * is returned of it. */
static LLVMTypeRef packed_return(const NbContext *context, LLVMValueRef end,
                                 unsigned long long *offset) {
  LLVMValueRef value =
      LLVMIsAReturnInst(end) && LLVMGetNumOperands(end) ? LLVMGetOperand(end, 0) : NULL;
  LLVMValueRef from = value && LLVMIsALoadInst(value) ? LLVMGetOperand(value, 0) : NULL;
  *offset = 0;
  while (from && LLVMIsAGetElementPtrInst(from)) {
    if (!add_offset(context, from, offset))
      return NULL;
    from = LLVMGetOperand(from, 0);
  }
  if (!from || !LLVMIsAAllocaInst(from))
    return NULL;
  LLVMTypeRef whole = LLVMGetAllocatedType(copied_from(from));
  NbLeaves *returned = nb_leaves_of(context, LLVMTypeOf(value));
  bool packed = false;
  for (unsigned i = 0; i < returned->count; i++)
    packed |=
        holds_float(context, whole, returned->items[i].type, *offset + returned->items[i].offset);
  return packed ? whole : NULL;
}

/* The members of the struct that the function returns with floats in integers; "" where they are
 * not known, NULL where it returns none. */
static const char *packed_members(const NbContext *context, LLVMValueRef function) {
  const char *text = NULL;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block)) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    unsigned long long offset = 0;
    LLVMTypeRef whole = end ? packed_return(context, end, &offset) : NULL;
    const char *here = whole && !offset ? nb_unpacked_text(context, whole) : "";
    if (whole)
      text = text && strcmp(text, here) != 0 ? "" : here;
  }
  return text;
}

/* --- The result of a call: what of it the source has ------------------------------------------ */

#define PADDING "nabla-padding"

enum { MOST_UNITS = 64, UNIT_BYTES = 4 };

/* Where clang puts what the call returns, of which `value` is an element; NULL: somewhere else. */
static LLVMValueRef stored_in(const NbContext *context, LLVMValueRef value,
                              unsigned long long element) {
  LLVMValueRef store = LLVMGetFirstUse(value) ? LLVMGetUser(LLVMGetFirstUse(value)) : NULL;
  unsigned long long offset = 0;
  if (!store || !LLVMIsAStoreInst(store) || LLVMGetOperand(store, 0) != value)
    return NULL;
  LLVMValueRef at = LLVMGetOperand(store, 1);
  while (LLVMIsAGetElementPtrInst(at)) {
    if (!add_offset(context, at, &offset))
      return NULL;
    at = LLVMGetOperand(at, 0);
  }
  return LLVMIsAAllocaInst(at) && offset == element ? at : NULL;
}

static LLVMValueRef result_in(const NbContext *context, LLVMValueRef call) {
  LLVMTypeRef type = LLVMTypeOf(call);
  for (LLVMUseRef use = LLVMGetFirstUse(call); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef part = LLVMGetUser(use);
    if (!LLVMIsAExtractValueInst(part) || LLVMGetNumIndices(part) != 1)
      continue;
    unsigned index = *LLVMGetIndices(part);
    LLVMValueRef variable =
        stored_in(context, part, LLVMOffsetOfElement(context->layout, type, index));
    if (variable)
      return variable;
  }
  return NULL;
}

void nb_by_value_note_padding(NbContext *context, LLVMValueRef call, LLVMValueRef to) {
  bool structure = LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMStructTypeKind;
  LLVMValueRef variable = structure ? result_in(context, call) : NULL;
  if (!variable)
    return;
  const NbLeaves *returned = nb_leaves_of(context, LLVMTypeOf(call));
  uint64_t padding = 0;
  for (unsigned i = 0; i < returned->count; i++) {
    const NbLeaf *leaf = &returned->items[i];
    bool there = nb_layout_has(context, LLVMGetAllocatedType(variable), leaf->offset);
    if (!there && leaf->offset < MOST_UNITS * UNIT_BYTES)
      padding |= UINT64_C(1) << leaf->offset / UNIT_BYTES;
  }
  const char *text = nb_arena_print(context->arena, "%llu", (unsigned long long)padding);
  LLVMAttributeRef note = LLVMCreateStringAttribute(context->llvm, PADDING, strlen(PADDING), text,
                                                    (unsigned)strlen(text));
  if (padding)
    LLVMAddCallSiteAttribute(to, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, note);
}

bool nb_by_value_is_padding(const NbContext *context, LLVMValueRef call,
                            unsigned long long offset) {
  LLVMAttributeRef note = LLVMGetCallSiteStringAttribute(
      call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, PADDING, strlen(PADDING));
  unsigned length = 0;
  const char *text = note ? LLVMGetStringAttributeValue(note, &length) : "";
  uint64_t padding = strtoull(nb_arena_copy(context->arena, text, length), NULL, 10);
  return offset < MOST_UNITS * UNIT_BYTES && (padding >> offset / UNIT_BYTES & 1) != 0;
}

/* --- The note -----------------------------------------------------------------------------------
 */

static char letter_of(const NbContext *context, LLVMValueRef parameter, NbPlacement place,
                      NbPlacement previous) {
  bool continues = place.variable && place.variable == previous.variable;
  if (is_packed(context, parameter, place))
    return continues ? PACKED_CONTINUES : PACKED;
  return continues ? CONTINUES : ALONE;
}

static const char *note_of(LLVMValueRef function, unsigned *length) {
  LLVMAttributeRef attribute = LLVMGetStringAttributeAtIndex(
      function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, NOTE, strlen(NOTE));
  *length = 0;
  return attribute ? LLVMGetStringAttributeValue(attribute, length) : "";
}

static bool is_noted(LLVMValueRef function) {
  return LLVMGetStringAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                       NOTE, (unsigned)strlen(NOTE)) != NULL;
}

static char noted(LLVMValueRef function, unsigned index) {
  unsigned length = 0;
  const char *letters = note_of(function, &length);
  return index < length ? letters[index] : ALONE;
}

/* Clang says who compiled the module. */
static bool is_from_clang(const NbContext *context) {
  unsigned count = LLVMGetNamedMetadataNumOperands(context->module, "llvm.ident");
  LLVMValueRef *idents = NB_NEW_ARRAY(context->arena, LLVMValueRef, count + 1);
  LLVMGetNamedMetadataOperands(context->module, "llvm.ident", idents);
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef text = NULL;
    unsigned length = 0;
    LLVMGetMDNodeOperands(idents[i], &text);
    const char *name = text ? LLVMGetMDString(text, &length) : NULL;
    if (name && strstr(nb_arena_print(context->arena, "%.*s", (int)length, name), "clang"))
      return true;
  }
  return false;
}

/* What clang passes alone has a value; parts of a struct may be padding, or not set. */
static bool has_value(LLVMValueRef function, unsigned index) {
  return nb_has_attribute_at(function, index + 1, "noundef");
}

/* May the parameter and the one behind it be parts of one struct, as far as attributes tell? */
static bool may_continue(LLVMValueRef function, unsigned index) {
  return !has_value(function, index) && !has_value(function, index + 1);
}

/* Are all parameters arguments of their own, as their attributes say before the optimiser takes
 * these from what is not used? */
static bool is_known_plain(LLVMValueRef function) {
  unsigned count = LLVMCountParams(function);
  for (unsigned i = 0; i + 1 < count; i++)
    if (may_continue(function, i))
      return false;
  return count > 1;
}

static void set_note(const NbContext *context, LLVMValueRef function, const char *letters,
                     unsigned length) {
  LLVMAttributeRef attribute =
      LLVMCreateStringAttribute(context->llvm, NOTE, strlen(NOTE), letters, length);
  LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, attribute);
}

void nb_by_value_note_plain(const NbContext *context, LLVMValueRef function) {
  unsigned count = LLVMCountParams(function);
  char *letters = nb_arena_alloc(context->arena, count + 1);
  memset(letters, ALONE, count);
  set_note(context, function, letters, count);
}

void nb_by_value_note_parameters(const NbContext *context, LLVMValueRef to, LLVMValueRef function) {
  unsigned length = 0;
  const char *letters = note_of(function, &length);
  nb_by_value_forget_one(to);
  if (length)
    set_note(context, to, letters, LLVMCountParams(function));
}

/* `from_clang`: did clang compile the module? */
static bool note(const NbContext *context, LLVMValueRef function, bool from_clang) {
  unsigned count = LLVMCountParams(function);
  char *letters = nb_arena_alloc(context->arena, count + 2);
  NbPlacement previous = {NULL, 0};
  bool plain = true;
  if (is_noted(function))
    return false;
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef parameter = LLVMGetParam(function, i);
    NbPlacement place = nb_by_value_place(context, parameter);
    letters[i] = letter_of(context, parameter, place, previous);
    plain = plain && letters[i] == ALONE;
    previous = place;
  }
  const char *members = packed_members(context, function);
  if (plain && !members && !(from_clang && is_known_plain(function)))
    return false;
  letters[count] = members ? PACKED : '\0';
  letters[count + 1] = '\0';
  const char *text = nb_arena_print(context->arena, "%s%s", letters, members ? members : "");
  set_note(context, function, text, (unsigned)strlen(text));
  return true;
}

bool nb_by_value_note(const NbContext *context) {
  bool changed = false;
  if (context->phase == NB_PHASE_LINK)
    return false;
  bool from_clang = is_from_clang(context);
  LLVMValueRef function = LLVMGetFirstFunction(context->module);
  for (; function; function = LLVMGetNextFunction(function)) {
    if (!LLVMIsDeclaration(function) && LLVMCountParams(function))
      changed |= note(context, function, from_clang);
  }
  return changed;
}

void nb_by_value_forget_one(LLVMValueRef function) {
  LLVMRemoveStringAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, NOTE,
                                   strlen(NOTE));
}

void nb_by_value_forget(const NbContext *context) {
  LLVMValueRef function = LLVMGetFirstFunction(context->module);
  for (; function; function = LLVMGetNextFunction(function))
    nb_by_value_forget_one(function);
}

unsigned nb_by_value_parts(LLVMValueRef function, unsigned index) {
  unsigned end = index + 1;
  unsigned count = LLVMCountParams(function);
  while (end < count &&
         (noted(function, end) == CONTINUES || noted(function, end) == PACKED_CONTINUES))
    end++;
  return end - index;
}

bool nb_by_value_may_continue(const NbContext *context, LLVMValueRef function, unsigned index) {
  if (index + 1 >= LLVMCountParams(function) || is_noted(function))
    return false;
  return may_continue(function, index) && is_from_clang(context);
}

bool nb_by_value_is_packed(LLVMValueRef function, unsigned index) {
  char letter = noted(function, index);
  return letter == PACKED || letter == PACKED_CONTINUES;
}

bool nb_by_value_returns_packed(LLVMValueRef function) {
  return noted(function, LLVMCountParams(function)) == PACKED;
}

const char *nb_by_value_members_returned(const NbContext *context, LLVMValueRef function) {
  unsigned count = LLVMCountParams(function) + 1, length = 0;
  const char *letters = note_of(function, &length);
  bool told = nb_by_value_returns_packed(function) && length > count;
  return told ? nb_arena_copy(context->arena, letters + count, length - count) : "";
}
