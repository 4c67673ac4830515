// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Fortran passes the address of a number or of an array of explicit shape, but the address of a
 * descriptor for what is of assumed shape, allocatable, a pointer or polymorphic: the base address,
 * then the bounds. Which of them a parameter wants, a caller knows by an interface; a call of an
 * entry point has none, and flang passes addresses of numbers. A function that took one for a
 * descriptor would read addresses from numbers, and its derivative would be zero, or the program
 * would crash. At the start of the pipeline the accesses still have the descriptor's type, so this
 * is seen there, and noted in attributes of parameters and operands until derivatives are made. */
#include "request/descriptors.h"

#include <string.h>

#define NOTE "nabla-descriptor"

/* What flang writes before the dimensions: address, size of an element, version, then rank, type,
 * attribute, and what else there is. */
enum { WORDS_OF_HEAD = 7 };

static bool is_integer(LLVMTypeRef type, unsigned bits) {
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == bits;
}

/* Only flang writes such a struct without a name. */
static bool is_descriptor_type(LLVMTypeRef type) {
  static const unsigned bits[WORDS_OF_HEAD] = {0, 64, 32, 8, 8, 8, 8};
  if (LLVMGetTypeKind(type) != LLVMStructTypeKind || LLVMGetStructName(type) ||
      LLVMCountStructElementTypes(type) < WORDS_OF_HEAD)
    return false;
  for (unsigned i = 1; i < WORDS_OF_HEAD; i++)
    if (!is_integer(LLVMStructGetTypeAtIndex(type, i), bits[i]))
      return false;
  return LLVMGetTypeKind(LLVMStructGetTypeAtIndex(type, 0)) == LLVMPointerTypeKind;
}

/* Functions of flang's library, by how their names begin, and which of their operands are
 * descriptors where they are no constants. */
enum { FIRST = 1, SECOND = 2, EVERY = -1 };

static const struct {
  const char *start;
  int operands;
} library[] = {{"All", EVERY},           {"Any", EVERY},           {"Assign", EVERY},
               {"BesselJ", FIRST},       {"BesselY", FIRST},       {"ClassIs", FIRST},
               {"CopyAndUpdate", EVERY}, {"CopyInAssign", EVERY},  {"CopyOutAssign", EVERY},
               {"Count", EVERY},         {"CppDot", EVERY},        {"CppProduct", EVERY},
               {"CppReduce", FIRST},     {"CppSum", EVERY},        {"Cshift", EVERY},
               {"Destroy", FIRST},       {"DotProduct", EVERY},    {"Eoshift", EVERY},
               {"ExtendsTypeOf", EVERY}, {"Finalize", FIRST},      {"Findloc", EVERY},
               {"IAll", EVERY},          {"IAny", EVERY},          {"IParity", EVERY},
               {"Initialize", FIRST},    {"IsAssumedSize", FIRST}, {"IsContiguous", FIRST},
               {"Lbound", EVERY},        {"Matmul", EVERY},        {"Maxloc", EVERY},
               {"Maxval", EVERY},        {"Minloc", EVERY},        {"Minval", EVERY},
               {"MoveAlloc", EVERY},     {"Norm2", EVERY},         {"Pack", EVERY},
               {"Parity", EVERY},        {"Pointer", FIRST},       {"Product", EVERY},
               {"RandomNumber", FIRST},  {"Reduce", FIRST},        {"Reshape", EVERY},
               {"SameTypeAs", EVERY},    {"ShallowCopy", EVERY},   {"Shape", EVERY},
               {"Size", EVERY},          {"Spread", EVERY},        {"Sum", EVERY},
               {"Transfer", EVERY},      {"Transpose", EVERY},     {"Ubound", EVERY},
               {"Unpack", EVERY},        {"ioInputDescr", SECOND}, {"ioOutputDescr", SECOND}};

static bool library_wants(const char *name, unsigned index) {
  static const char prefix[] = "_FortranA";
  if (strncmp(name, prefix, sizeof prefix - 1) != 0 || index >= 8 * sizeof(int))
    return false;
  name += sizeof prefix - 1;
  for (unsigned i = 0; i < sizeof library / sizeof *library; i++)
    if (strncmp(name, library[i].start, strlen(library[i].start)) == 0)
      return ((unsigned)library[i].operands >> index & 1) != 0;
  return false;
}

static bool is_noted(LLVMValueRef function, unsigned index) {
  return LLVMGetStringAttributeAtIndex(function, index + 1, NOTE, strlen(NOTE)) != NULL;
}

/* --- What is done with an address -------------------------------------------------------------
 */

/* `typed`: do accesses still have the descriptor's type? */
typedef struct Search {
  NbMap *seen;
  bool typed;
} Search;

static bool is_used_as_descriptor(Search *search, LLVMValueRef address);

static bool is_given_to_one(Search *search, LLVMValueRef call, LLVMValueRef address) {
  LLVMValueRef callee = nb_callee(call);
  unsigned params = callee ? LLVMCountParams(callee) : 0;
  unsigned count = LLVMGetNumArgOperands(call);
  for (unsigned i = 0; i < count && i < params; i++) {
    if (LLVMGetOperand(call, i) != address)
      continue;
    if (library_wants(nb_name(callee), i) || is_noted(callee, i) ||
        is_used_as_descriptor(search, LLVMGetParam(callee, i)))
      return true;
  }
  return false;
}

static LLVMTypeRef variable_type(LLVMValueRef value) {
  if (LLVMIsAAllocaInst(value))
    return LLVMGetAllocatedType(value);
  return LLVMIsAGlobalVariable(value) ? LLVMGlobalGetValueType(value) : NULL;
}

static bool is_variable(LLVMValueRef value) {
  LLVMTypeRef type = variable_type(value);
  return type && is_descriptor_type(type);
}

static bool is_typed_use(LLVMValueRef user, LLVMValueRef address) {
  if (LLVMIsAGetElementPtrInst(user))
    return is_descriptor_type(LLVMGetGEPSourceElementType(user));
  if (LLVMIsALoadInst(user))
    return is_descriptor_type(LLVMTypeOf(user));
  if (LLVMIsAStoreInst(user))
    return LLVMGetOperand(user, 1) == address &&
           is_descriptor_type(LLVMTypeOf(LLVMGetOperand(user, 0)));
  return (LLVMIsAMemCpyInst(user) || LLVMIsAMemMoveInst(user)) &&
         (is_variable(LLVMGetOperand(user, 0)) || is_variable(LLVMGetOperand(user, 1)));
}

static bool is_used_as_descriptor(Search *search, LLVMValueRef address) {
  if (nb_map_has(search->seen, address))
    return false;
  nb_map_set(search->seen, address, address);
  for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool chosen = LLVMIsAPHINode(user) || LLVMIsASelectInst(user);
    bool called = LLVMIsACallInst(user) || LLVMIsAInvokeInst(user);
    if ((search->typed && LLVMIsAInstruction(user) && is_typed_use(user, address)) ||
        (chosen && is_used_as_descriptor(search, user)) ||
        (called && is_given_to_one(search, user, address)))
      return true;
  }
  return false;
}

static bool leads_to_descriptor(const NbContext *context, LLVMValueRef address, bool typed) {
  Search search = {nb_map_new(context->arena), typed};
  return LLVMGetTypeKind(LLVMTypeOf(address)) == LLVMPointerTypeKind &&
         is_used_as_descriptor(&search, address);
}

/* --- The operands of a call -------------------------------------------------------------------
 */

/* The type of the member that an address leads to; NULL where it leads to none. */
static LLVMTypeRef member_type(LLVMValueRef gep) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  unsigned count = (unsigned)LLVMGetNumOperands(gep);
  for (unsigned i = 2; type && i < count; i++) {
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    LLVMValueRef index = LLVMGetOperand(gep, i);
    if (kind == LLVMStructTypeKind && LLVMIsAConstantInt(index))
      type = LLVMStructGetTypeAtIndex(type, (unsigned)LLVMConstIntGetZExtValue(index));
    else
      type = kind == LLVMArrayTypeKind ? LLVMGetElementType(type) : NULL;
  }
  return type;
}

static bool is_member(LLVMValueRef value) {
  bool gep = LLVMIsAGetElementPtrInst(value) ||
             (LLVMIsAConstantExpr(value) && LLVMGetConstOpcode(value) == LLVMGetElementPtr);
  LLVMTypeRef type = gep ? member_type(value) : NULL;
  return type && is_descriptor_type(type);
}

/* Is the first member a descriptor? An address does not tell it from the struct. */
static bool begins_with_descriptor(LLVMTypeRef type) {
  while (type && !is_descriptor_type(type)) {
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    bool members = kind == LLVMStructTypeKind && LLVMCountStructElementTypes(type);
    type = members                     ? LLVMStructGetTypeAtIndex(type, 0)
           : kind == LLVMArrayTypeKind ? LLVMGetElementType(type)
                                       : NULL;
  }
  return type != NULL;
}

/* What the note of an operand says: NO note where it is none. */
typedef enum Given { NO, PERHAPS, YES } Given;

/* An argument that is absent is the null pointer. */
static Given descriptor_of(const NbContext *context, LLVMValueRef value) {
  if (LLVMIsASelectInst(value)) {
    Given one = descriptor_of(context, LLVMGetOperand(value, 1));
    Given other = descriptor_of(context, LLVMGetOperand(value, 2));
    return one < other ? one : other;
  }
  LLVMTypeRef type = variable_type(value);
  if (type && !is_descriptor_type(type))
    return begins_with_descriptor(type) ? PERHAPS : NO;
  if (type || is_member(value))
    return YES;
  if (LLVMIsNull(value) || LLVMIsUndef(value))
    return PERHAPS;
  return leads_to_descriptor(context, value, true) ? YES : NO;
}

static LLVMAttributeRef note_of(const NbContext *context, Given given) {
  const char *text = given == YES ? "" : "perhaps";
  return LLVMCreateStringAttribute(context->llvm, NOTE, strlen(NOTE), text, (unsigned)strlen(text));
}

void nb_descriptors_note_calls(NbContext *context, const NbList *calls) {
  for (unsigned i = 0; i < calls->count; i++) {
    LLVMValueRef call = calls->items[i];
    unsigned count = LLVMGetNumArgOperands(call);
    for (unsigned operand = 0; operand < count; operand++) {
      Given given = descriptor_of(context, LLVMGetOperand(call, operand));
      if (given != NO)
        LLVMAddCallSiteAttribute(call, operand + 1, note_of(context, given));
    }
  }
}

/* --- The parameters of functions --------------------------------------------------------------
 */

static bool note(const NbContext *context, LLVMValueRef function) {
  bool typed = context->phase != NB_PHASE_LINK, changed = false;
  unsigned count = LLVMCountParams(function);
  for (unsigned i = 0; i < count; i++) {
    if (is_noted(function, i) || !leads_to_descriptor(context, LLVMGetParam(function, i), typed))
      continue;
    LLVMAddAttributeAtIndex(function, i + 1, note_of(context, YES));
    changed = true;
  }
  return changed;
}

bool nb_descriptors_note(NbContext *context) {
  bool changed = false;
  LLVMValueRef function = LLVMGetFirstFunction(context->module);
  for (; function; function = LLVMGetNextFunction(function))
    changed |= note(context, function);
  return changed;
}

void nb_descriptors_forget(const NbContext *context) {
  LLVMValueRef function = LLVMGetFirstFunction(context->module);
  for (; function; function = LLVMGetNextFunction(function))
    for (unsigned i = 0; i < LLVMCountParams(function); i++)
      LLVMRemoveStringAttributeAtIndex(function, i + 1, NOTE, strlen(NOTE));
}

/* --- The check --------------------------------------------------------------------------------
 */

/* Does the function itself read or write numbers there? A descriptor has none. */
static bool holds_numbers(NbMap *seen, LLVMValueRef address) {
  if (nb_map_has(seen, address))
    return false;
  nb_map_set(seen, address, address);
  for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool goes_on = LLVMIsAGetElementPtrInst(user) || LLVMIsAPHINode(user);
    if ((LLVMIsALoadInst(user) && nb_type_has_float(LLVMTypeOf(user))) ||
        (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == address &&
         nb_type_has_float(LLVMTypeOf(LLVMGetOperand(user, 0)))) ||
        (goes_on && holds_numbers(seen, user)))
      return true;
  }
  return false;
}

static Given given_by(LLVMValueRef call, unsigned operand) {
  unsigned length = 0;
  LLVMAttributeRef note = LLVMGetCallSiteStringAttribute(call, operand + 1, NOTE, strlen(NOTE));
  if (!note)
    return NO;
  LLVMGetStringAttributeValue(note, &length);
  return length ? PERHAPS : YES;
}

bool nb_descriptors_check(const NbServing *serving, unsigned operand, unsigned index) {
  NbContext *context = serving->context;
  LLVMValueRef parameter = LLVMGetParam(serving->function, index);
  Given given = given_by(serving->call, operand);
  bool wanted =
      is_noted(serving->function, index) || leads_to_descriptor(context, parameter, false);
  const char *name = nb_shown_name(context, serving->function);
  if (wanted && given == NO)
    return nb_refuse(context, NB_ERROR_DESCRIPTOR, serving->call,
                     "parameter %u of '%s' is of assumed shape, allocatable, a pointer or "
                     "polymorphic, and so takes a descriptor, but the call, which has no "
                     "interface that says so, passes an address",
                     index + 1, name);
  if (given == YES && !wanted && holds_numbers(nb_map_new(context->arena), parameter))
    return nb_refuse(context, NB_ERROR_DESCRIPTOR, serving->call,
                     "the call passes a descriptor for parameter %u of '%s', which takes the "
                     "address of its numbers",
                     index + 1, name);
  return true;
}
