// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Pointers that are the bits of numbers: what a union, or a copy of bytes, gives as one becomes a
 * cast where the optimiser has taken the memory away. They are loaded and stored as the numbers. */
#include "types/facts.h"

#include <llvm-c/DebugInfo.h>

enum { MOST_JOINED = 16 };

static bool is_float_type(LLVMTypeRef type) { return nb_is_float_kind(LLVMGetTypeKind(type)); }

/* The number whose bits are the pointer; NULL where it is not made so. */
static LLVMValueRef number_in(LLVMValueRef pointer) {
  LLVMValueRef bits = LLVMIsAIntToPtrInst(pointer) ? LLVMGetOperand(pointer, 0) : NULL;
  bool cast =
      bits && LLVMIsABitCastInst(bits) && is_float_type(LLVMTypeOf(LLVMGetOperand(bits, 0)));
  return cast ? LLVMGetOperand(bits, 0) : NULL;
}

static bool is_join(LLVMValueRef value) {
  return LLVMIsAPHINode(value) || LLVMIsASelectInst(value) || LLVMIsAFreezeInst(value);
}

/* The pointer whose bits are the number, or integers of which one may be a pointer's. */
static LLVMValueRef pointer_in(LLVMValueRef number) {
  LLVMValueRef bits = LLVMIsABitCastInst(number) && is_float_type(LLVMTypeOf(number))
                          ? LLVMGetOperand(number, 0)
                          : NULL;
  return bits && (LLVMIsAPtrToIntInst(bits) || is_join(bits)) ? bits : NULL;
}

/* Values that one of them is made of: pointers, and integers that are their bits. */
typedef struct Joined {
  LLVMBuilderRef builder;
  LLVMTypeRef type;
  LLVMValueRef pointers[MOST_JOINED], numbers[MOST_JOINED];
  unsigned count;
  bool cast; /* some are pointers */
} Joined;

static LLVMValueRef uncast(LLVMValueRef pointer) {
  return LLVMIsAPtrToIntInst(pointer) ? LLVMGetOperand(pointer, 0) : pointer;
}

static unsigned index_of(const Joined *joined, LLVMValueRef pointer) {
  unsigned i = 0;
  while (i < joined->count && joined->pointers[i] != pointer)
    i++;
  return i;
}

static int first_joined(LLVMValueRef value) { return LLVMIsASelectInst(value) ? 1 : 0; }

/* Enters it and what it is made of; false where that is not a number's bits for all that is seen.
 */
static bool enter(Joined *joined, LLVMValueRef pointer) {
  joined->cast |= LLVMIsAPtrToIntInst(pointer) != NULL;
  pointer = uncast(pointer);
  if (LLVMIsNull(pointer) || LLVMIsUndef(pointer) || index_of(joined, pointer) < joined->count)
    return true;
  LLVMValueRef number = number_in(pointer);
  bool made = number
                  ? LLVMTypeOf(number) == joined->type
                  : is_join(pointer) || (LLVMIsALoadInst(pointer) && nb_access_is_plain(pointer));
  if (!made || joined->count == MOST_JOINED)
    return false;
  joined->pointers[joined->count++] = pointer;
  for (int i = first_joined(pointer); is_join(pointer) && i < LLVMGetNumOperands(pointer); i++)
    if (!enter(joined, LLVMGetOperand(pointer, (unsigned)i)))
      return false;
  return true;
}

static LLVMValueRef number_of(Joined *joined, LLVMValueRef pointer) {
  pointer = uncast(pointer);
  if (LLVMIsUndef(pointer))
    return LLVMGetUndef(joined->type);
  return LLVMIsNull(pointer) ? LLVMConstNull(joined->type)
                             : joined->numbers[index_of(joined, pointer)];
}

static LLVMValueRef load_number(Joined *joined, LLVMValueRef load) {
  LLVMValueRef at = LLVMGetOperand(load, 0);
  LLVMValueRef number = LLVMBuildLoad2(joined->builder, joined->type, at, nb_name(load));
  LLVMSetAlignment(number, LLVMGetAlignment(load));
  return number;
}

/* Phis first, without what comes in: the rest may lead in a circle only through these. */
static void make_leaf(Joined *joined, unsigned i) {
  LLVMValueRef pointer = joined->pointers[i];
  LLVMPositionBuilderBefore(joined->builder, pointer);
  LLVMSetCurrentDebugLocation2(joined->builder, LLVMInstructionGetDebugLoc(pointer));
  if (LLVMIsAPHINode(pointer))
    joined->numbers[i] = LLVMBuildPhi(joined->builder, joined->type, nb_name(pointer));
  else
    joined->numbers[i] =
        LLVMIsALoadInst(pointer) ? load_number(joined, pointer) : number_in(pointer);
}

static LLVMValueRef make(Joined *joined, LLVMValueRef pointer) {
  LLVMValueRef known = number_of(joined, pointer);
  if (known)
    return known;
  pointer = uncast(pointer);
  LLVMValueRef first = make(joined, LLVMGetOperand(pointer, (unsigned)first_joined(pointer)));
  LLVMValueRef second =
      LLVMIsASelectInst(pointer) ? make(joined, LLVMGetOperand(pointer, 2)) : NULL;
  LLVMPositionBuilderBefore(joined->builder, pointer);
  LLVMSetCurrentDebugLocation2(joined->builder, LLVMInstructionGetDebugLoc(pointer));
  known = second ? LLVMBuildSelect(joined->builder, LLVMGetOperand(pointer, 0), first, second,
                                   nb_name(pointer))
                 : LLVMBuildFreeze(joined->builder, first, nb_name(pointer));
  joined->numbers[index_of(joined, pointer)] = known;
  return known;
}

static void link_phi(Joined *joined, LLVMValueRef pointer, LLVMValueRef number) {
  for (unsigned i = 0; i < LLVMCountIncoming(pointer); i++) {
    LLVMValueRef incoming = number_of(joined, LLVMGetIncomingValue(pointer, i));
    LLVMBasicBlockRef block = LLVMGetIncomingBlock(pointer, i);
    LLVMAddIncoming(number, &incoming, &block, 1);
  }
}

/* The number that the pointer is the bits of; NULL where that is not seen. */
static LLVMValueRef as_number(LLVMBuilderRef builder, LLVMValueRef pointer, LLVMTypeRef type) {
  Joined joined = {.builder = builder, .type = type};
  if (LLVMIsAConstant(pointer) || !enter(&joined, pointer) || !joined.cast)
    return NULL;
  for (unsigned i = 0; i < joined.count; i++)
    make_leaf(&joined, i);
  for (unsigned i = 0; i < joined.count; i++)
    make(&joined, joined.pointers[i]);
  for (unsigned i = 0; i < joined.count; i++)
    if (LLVMIsAPHINode(joined.pointers[i]))
      link_phi(&joined, joined.pointers[i], joined.numbers[i]);
  return number_of(&joined, pointer);
}

static bool rewrite_cast(LLVMBuilderRef builder, LLVMValueRef cast) {
  LLVMValueRef pointer = pointer_in(cast);
  LLVMValueRef number = pointer ? as_number(builder, pointer, LLVMTypeOf(cast)) : NULL;
  if (number)
    LLVMReplaceAllUsesWith(cast, number);
  return number != NULL;
}

static bool rewrite_store(LLVMBuilderRef builder, LLVMValueRef store) {
  LLVMValueRef number = nb_access_is_plain(store) ? number_in(LLVMGetOperand(store, 0)) : NULL;
  if (!number)
    return false;
  LLVMPositionBuilderBefore(builder, store);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(store));
  LLVMValueRef made = LLVMBuildStore(builder, number, LLVMGetOperand(store, 1));
  LLVMSetAlignment(made, LLVMGetAlignment(store));
  return true;
}

/* Does the integer become a float, by its value, whatever else is computed with it? */
static bool becomes_float(LLVMValueRef integer, unsigned depth) {
  bool any = false;
  for (LLVMUseRef use = LLVMGetFirstUse(integer); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool goes_on = LLVMIsATruncInst(user) || LLVMIsABinaryOperator(user);
    bool becomes = LLVMIsASIToFPInst(user) || LLVMIsAUIToFPInst(user) ||
                   (goes_on && depth && becomes_float(user, depth - 1));
    if (!becomes && !LLVMIsAICmpInst(user))
      return false;
    any |= becomes;
  }
  return any;
}

/* Is what is loaded as a pointer, the first member of a union, an integer for all that is done with
 * it? */
static bool is_integer_load(LLVMValueRef load) {
  enum { DEPTH = 4, WORD = 64 };
  bool any = false;
  if (!LLVMIsALoadInst(load) || !nb_access_is_plain(load) ||
      LLVMGetTypeKind(LLVMTypeOf(load)) != LLVMPointerTypeKind)
    return false;
  for (LLVMUseRef use = LLVMGetFirstUse(load); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsAPtrToIntInst(user) || LLVMGetIntTypeWidth(nb_scalar_type(LLVMTypeOf(user))) != WORD)
      return false;
    if (!becomes_float(user, DEPTH))
      return false;
    any = true;
  }
  return any;
}

static bool rewrite_load(LLVMBuilderRef builder, LLVMValueRef load) {
  if (!is_integer_load(load))
    return false;
  LLVMTypeRef word = LLVMInt64TypeInContext(LLVMGetTypeContext(LLVMTypeOf(load)));
  LLVMPositionBuilderBefore(builder, load);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(load));
  LLVMValueRef integer = LLVMBuildLoad2(builder, word, LLVMGetOperand(load, 0), nb_name(load));
  LLVMSetAlignment(integer, LLVMGetAlignment(load));
  for (LLVMUseRef use = LLVMGetFirstUse(load); use; use = LLVMGetFirstUse(load)) {
    LLVMValueRef cast = LLVMGetUser(use);
    LLVMReplaceAllUsesWith(cast, integer);
    LLVMInstructionEraseFromParent(cast);
  }
  return true;
}

static bool rewrite(LLVMBuilderRef builder, LLVMValueRef at) {
  return LLVMIsAStoreInst(at)  ? rewrite_store(builder, at)
         : LLVMIsALoadInst(at) ? rewrite_load(builder, at)
                               : rewrite_cast(builder, at);
}

bool nb_types_rewrite_casts(NbContext *context, LLVMValueRef function) {
  bool changed = false;
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  for (LLVMValueRef at = nb_instruction_first(function), next; at; at = next) {
    bool done = rewrite(builder, at);
    next = nb_instruction_next(at);
    if (!done)
      continue;
    LLVMInstructionEraseFromParent(at);
    changed = true;
  }
  LLVMDisposeBuilder(builder);
  return changed;
}
