// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Addresses that are integers for a while: which of them become pointers again, and to what.
 *
 * A pointer that is made of an address and a number points into the object whose address it is. Of
 * two addresses it may point into either, so that a number is one only where it is made of
 * constants. */
#include "objects/graph.h"

enum { DEPTH = 6, POINTER_BITS = 64, FEW_BITS = 12, MOST_CHOSEN = 64 };

/* --- Numbers. --------------------------------------------------------------------------------- */

/* The phis that the question is about already: taken to be numbers, which their other incoming
 * values then prove by induction. */
typedef struct Assumed {
  LLVMValueRef phi;
  const struct Assumed *outer;
} Assumed;

static bool is_number(LLVMValueRef value, unsigned depth, const Assumed *outer);

static bool are_numbers(LLVMValueRef value, unsigned first, unsigned depth, const Assumed *outer) {
  for (int i = (int)first; i < LLVMGetNumOperands(value); i++) {
    if (!is_number(LLVMGetOperand(value, (unsigned)i), depth - 1, outer))
      return false;
  }
  return true;
}

static bool is_number_phi(LLVMValueRef phi, unsigned depth, const Assumed *outer) {
  for (const Assumed *at = outer; at; at = at->outer) {
    if (at->phi == phi)
      return true;
  }
  Assumed here = {phi, outer};
  return are_numbers(phi, 0, depth, &here);
}

static bool is_number(LLVMValueRef value, unsigned depth, const Assumed *outer) {
  LLVMTypeRef type = LLVMTypeOf(value);
  if (LLVMIsAConstantInt(value))
    return true;
  if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || !LLVMIsAInstruction(value) || !depth)
    return false;
  switch (LLVMGetInstructionOpcode(value)) {
  case LLVMICmp:
  case LLVMFCmp:
    return true;
  case LLVMPHI:
    return is_number_phi(value, depth, outer);
  case LLVMSelect:
    return are_numbers(value, 1, depth, outer);
  case LLVMAdd:
  case LLVMSub:
  case LLVMMul:
  case LLVMShl:
  case LLVMAnd:
  case LLVMZExt:
  case LLVMSExt:
  case LLVMTrunc:
  case LLVMFreeze:
    return are_numbers(value, 0, depth, outer);
  default:
    return false;
  }
}

LLVMValueRef nb_address_base(LLVMValueRef integer) {
  LLVMTypeRef type = LLVMTypeOf(integer);
  if (!LLVMIsABinaryOperator(integer) || LLVMGetTypeKind(type) != LLVMIntegerTypeKind ||
      LLVMGetIntTypeWidth(type) != POINTER_BITS)
    return NULL;
  LLVMValueRef first = LLVMGetOperand(integer, 0), second = LLVMGetOperand(integer, 1);
  LLVMOpcode opcode = LLVMGetInstructionOpcode(integer);
  bool masks = opcode == LLVMAnd || opcode == LLVMOr;
  if (opcode != LLVMAdd && opcode != LLVMSub && !(masks && LLVMIsAConstantInt(second)))
    return NULL;
  if (is_number(second, DEPTH, NULL))
    return is_number(first, DEPTH, NULL) ? NULL : first;
  return opcode == LLVMAdd && is_number(first, DEPTH, NULL) ? second : NULL;
}

bool nb_address_becomes_pointer(LLVMValueRef integer, unsigned depth) {
  for (LLVMUseRef use = LLVMGetFirstUse(integer); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool moved = LLVMIsAPHINode(user) || LLVMIsASelectInst(user) || LLVMIsAFreezeInst(user) ||
                 nb_address_base(user) == integer;
    if (LLVMIsAIntToPtrInst(user) ||
        (moved && depth && nb_address_becomes_pointer(user, depth - 1)))
      return true;
  }
  return false;
}

/* --- Addresses as numbers. -------------------------------------------------------------------- */

bool nb_address_is_arithmetic(LLVMValueRef user) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(user);
  if (opcode == LLVMCall)
    return nb_callee(user) && LLVMGetIntrinsicID(nb_callee(user)) != 0 &&
           LLVMGetTypeKind(LLVMTypeOf(user)) == LLVMIntegerTypeKind &&
           !nb_memory_may_write_any(user);
  return LLVMIsABinaryOperator(user) || opcode == LLVMTrunc || opcode == LLVMZExt ||
         opcode == LLVMSExt || opcode == LLVMSelect || opcode == LLVMPHI || opcode == LLVMFreeze;
}

/* Integers of which one is chosen, by the way the program takes or by conditions. */
typedef struct Choice {
  LLVMValueRef integers[MOST_CHOSEN];
  unsigned count;
} Choice;

static bool add_choice(Choice *choice, LLVMValueRef integer) {
  for (unsigned i = 0; i < choice->count; i++)
    if (choice->integers[i] == integer)
      return true;
  if (choice->count == MOST_CHOSEN)
    return false;
  choice->integers[choice->count++] = integer;
  return true;
}

/* Is it an address, or are those added that it is made of, moved by a constant at most? */
static bool add_sources(Choice *choice, LLVMValueRef integer) {
  if (LLVMIsAConstantExpr(integer))
    return LLVMGetConstOpcode(integer) == LLVMPtrToInt;
  if (LLVMIsAPtrToIntInst(integer))
    return true;
  bool moved = LLVMIsABinaryOperator(integer) && LLVMGetInstructionOpcode(integer) == LLVMAdd &&
               LLVMIsAConstantInt(LLVMGetOperand(integer, 1));
  bool chosen = LLVMIsAPHINode(integer) || LLVMIsASelectInst(integer);
  if (!moved && !chosen && !LLVMIsAFreezeInst(integer))
    return false;
  int count = moved ? 1 : LLVMGetNumOperands(integer);
  for (int i = LLVMIsASelectInst(integer) ? 1 : 0; i < count; i++) {
    if (!add_choice(choice, LLVMGetOperand(integer, (unsigned)i)))
      return false;
  }
  return true;
}

/* Is the integer one of whole addresses, moved by constants at most? */
static bool is_address(LLVMValueRef integer) {
  Choice choice = {{integer}, 1};
  for (unsigned i = 0; i < choice.count; i++)
    if (!add_sources(&choice, choice.integers[i]))
      return false;
  return true;
}

/* How many of the lowest bits the instruction keeps of its first operand; POINTER_BITS where that
 * is not known. */
static unsigned bits_kept(LLVMValueRef user) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(user);
  LLVMTypeRef type = LLVMTypeOf(user);
  if (opcode == LLVMTrunc && LLVMGetTypeKind(type) == LLVMIntegerTypeKind)
    return LLVMGetIntTypeWidth(type);
  bool keeps = (opcode == LLVMAnd || opcode == LLVMURem) &&
               LLVMIsAConstantInt(LLVMGetOperand(user, 1)) &&
               LLVMGetIntTypeWidth(type) <= POINTER_BITS;
  uint64_t number = keeps ? LLVMConstIntGetZExtValue(LLVMGetOperand(user, 1)) : 0;
  uint64_t mask = opcode == LLVMURem ? number - 1 : number;
  if (!number || (opcode == LLVMURem && (number & mask)))
    return POINTER_BITS;
  unsigned bits = 0;
  while (bits < POINTER_BITS && mask >> bits)
    bits++;
  return bits;
}

/* The power of two by which the instruction divides; 0 where it does not. */
static unsigned bits_shifted(LLVMValueRef value) {
  LLVMOpcode opcode = LLVMIsABinaryOperator(value) ? LLVMGetInstructionOpcode(value) : LLVMAdd;
  bool divides = (opcode == LLVMLShr || opcode == LLVMUDiv) &&
                 LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= POINTER_BITS;
  LLVMValueRef by = divides ? LLVMGetOperand(value, 1) : NULL;
  uint64_t number = by && LLVMIsAConstantInt(by) ? LLVMConstIntGetZExtValue(by) : 0;
  if (opcode == LLVMLShr)
    return number < FEW_BITS ? (unsigned)number : 0;
  for (unsigned bits = 1; bits < FEW_BITS; bits++)
    if (number == UINT64_C(1) << bits)
      return bits;
  return 0;
}

/* By how many bits the integer is an address shifted to the right; POINTER_BITS where it is none.
 */
static unsigned bits_dropped(LLVMValueRef integer) {
  unsigned bits = bits_shifted(integer);
  LLVMValueRef whole = bits ? LLVMGetOperand(integer, 0) : integer;
  bool negated = LLVMIsABinaryOperator(whole) && LLVMGetInstructionOpcode(whole) == LLVMSub &&
                 LLVMIsAConstantInt(LLVMGetOperand(whole, 0));
  whole = negated ? LLVMGetOperand(whole, 1) : whole;
  return is_address(whole) ? bits : POINTER_BITS;
}

/* Does it keep none but the lowest bits of an address, which say how it is aligned? No pointer can
 * be made of them again without others. */
static bool keeps_alignment(LLVMValueRef user) {
  unsigned kept = bits_kept(user);
  return kept <= FEW_BITS && bits_dropped(LLVMGetOperand(user, 0)) + kept <= FEW_BITS;
}

static bool ends_as_number(NbContext *context, LLVMValueRef user, LLVMValueRef integer) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(user);
  if (keeps_alignment(user))
    return true;
  if (opcode == LLVMCall || opcode == LLVMInvoke)
    return nb_call_only_looks(context, user) || nb_call_measures(context, user, integer);
  return opcode == LLVMICmp || opcode == LLVMSwitch || opcode == LLVMGetElementPtr ||
         opcode == LLVMSIToFP || opcode == LLVMUIToFP;
}

/* Is a pointer made of an integer that is computed with the value? */
static bool feeds_pointer(LLVMValueRef value, NbMap *seen) {
  if (nb_map_has(seen, value))
    return false;
  nb_map_set(seen, value, value);
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool feeds = nb_address_is_arithmetic(user) && feeds_pointer(user, seen);
    if (feeds || LLVMIsAIntToPtrInst(user))
      return true;
  }
  return false;
}

/* The distance of two addresses is a number: a pointer that is moved by it still points into the
 * object that it pointed into, unless it is moved as an integer. */
static bool is_plain_distance(NbContext *context, LLVMValueRef user) {
  return nb_address_is_distance(user) && !feeds_pointer(user, nb_map_new(context->arena));
}

static bool stays_number(NbContext *context, LLVMValueRef integer, NbMap *seen);

static bool is_number_in(NbContext *context, LLVMValueRef user, LLVMValueRef integer, NbMap *seen) {
  return ends_as_number(context, user, integer) || is_plain_distance(context, user) ||
         (nb_address_is_arithmetic(user) && stays_number(context, user, seen));
}

static bool stays_number(NbContext *context, LLVMValueRef integer, NbMap *seen) {
  if (nb_map_has(seen, integer))
    return true;
  nb_map_set(seen, integer, integer);
  for (LLVMUseRef use = LLVMGetFirstUse(integer); use; use = LLVMGetNextUse(use)) {
    if (!is_number_in(context, LLVMGetUser(use), integer, seen))
      return false;
  }
  return true;
}

bool nb_address_stays_number(NbContext *context, LLVMValueRef integer) {
  return stays_number(context, integer, nb_map_new(context->arena));
}

/* Is the integer the address of a pointer that leads somewhere? */
static bool is_address_of_object(LLVMValueRef integer) {
  return LLVMIsAPtrToIntInst(integer) && !nb_leads_nowhere(LLVMGetOperand(integer, 0));
}

void nb_address_join_ends(NbObjects *objects, LLVMValueRef gep) {
  LLVMValueRef index = LLVMGetNumOperands(gep) == 2 ? LLVMGetOperand(gep, 1) : NULL;
  if (!index || !LLVMIsABinaryOperator(index) || LLVMGetInstructionOpcode(index) != LLVMSub)
    return;
  LLVMValueRef end = LLVMGetOperand(index, 0), start = LLVMGetOperand(index, 1);
  if (is_address_of_object(end) && is_address_of_object(start))
    nb_class_unify(nb_value_class(objects, LLVMGetOperand(end, 0)),
                   nb_value_class(objects, LLVMGetOperand(start, 0)));
}

/* --- Addresses that move. --------------------------------------------------------------------- */

/* A walk over all that is made of an address. */
typedef struct Moves {
  NbContext *context;
  NbMap *seen;
  bool (*carries)(LLVMValueRef value);
} Moves;

static bool only_moves(const Moves *moves, LLVMValueRef value);

static bool is_move(const Moves *moves, LLVMValueRef user, LLVMValueRef value) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(user);
  if (opcode == LLVMIntToPtr || opcode == LLVMStore)
    return true;
  if (opcode == LLVMRet)
    return nb_type_has_pointer(LLVMTypeOf(value));
  return (moves->carries(user) && only_moves(moves, user)) ||
         is_number_in(moves->context, user, value, nb_map_new(moves->context->arena));
}

/* What is a pointer is followed as one. */
static bool only_moves(const Moves *moves, LLVMValueRef value) {
  if (nb_map_has(moves->seen, value) || LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind)
    return true;
  nb_map_set(moves->seen, value, value);
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    if (!is_move(moves, LLVMGetUser(use), value))
      return false;
  }
  return true;
}

bool nb_address_only_moves(NbContext *context, LLVMValueRef integer,
                           bool (*carries)(LLVMValueRef value)) {
  Moves moves = {context, nb_map_new(context->arena), carries};
  return only_moves(&moves, integer);
}
