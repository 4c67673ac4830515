// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Vectors some lanes of which nobody set, or nobody asks for: the optimiser leaves them poison, and
 * so are the coefficients there, or infinite. The adjoints of such lanes are zero and stay so. */
#include "linear/build.h"

enum { MOST_LANES = 64, ROUNDS = 2 };

typedef uint64_t Lanes; /* a bit for each */

typedef struct Vectors {
  const NbLinear *linear;
  NbMap *asked; /* value -> the lanes that its users ask for */
  NbMap *unset; /* value -> the lanes that may be poison */
} Vectors;

static bool is_vector(LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind && LLVMGetVectorSize(type) <= MOST_LANES;
}

static Lanes lane(uint64_t index) { return index < MOST_LANES ? (Lanes)1 << index : 0; }

static Lanes all_of(LLVMValueRef value) {
  unsigned count = LLVMGetVectorSize(LLVMTypeOf(value));
  return count == MOST_LANES ? ~(Lanes)0 : lane(count) - 1;
}

static Lanes lanes_in(const NbMap *map, LLVMValueRef value) {
  return (Lanes)(uintptr_t)nb_map_get(map, value);
}

static void set_lanes(NbMap *map, LLVMValueRef value, Lanes lanes) {
  nb_map_set(map, value, (void *)(uintptr_t)lanes);
}

/* Is a lane of the result made of the same lane of the operands, and of nothing else? */
static bool is_by_lanes(const Vectors *vectors, LLVMValueRef inst) {
  if (!is_vector(inst) || LLVMIsALoadInst(inst))
    return false;
  if (LLVMIsACallInst(inst))
    return nb_rule_of_call(vectors->linear->work->context, inst, NULL) != NULL;
  return LLVMIsABinaryOperator(inst) || LLVMIsAUnaryOperator(inst) || LLVMIsACastInst(inst) ||
         LLVMIsASelectInst(inst) || LLVMIsAPHINode(inst) || LLVMIsAFreezeInst(inst);
}

/* The lane that an insertion or extraction names; none where it is not known. */
static Lanes named_lane(LLVMValueRef inst, unsigned operand) {
  LLVMValueRef index = LLVMGetOperand(inst, operand);
  return LLVMIsAConstantInt(index) ? lane(LLVMConstIntGetZExtValue(index)) : 0;
}

/* --- What is asked for ------------------------------------------------------------------------ */

static Lanes asked_by_shuffle(const Vectors *vectors, LLVMValueRef shuffle, LLVMValueRef value) {
  unsigned count = LLVMGetVectorSize(LLVMTypeOf(value));
  Lanes asked = 0;
  for (unsigned i = 0; i < LLVMGetNumMaskElements(shuffle); i++) {
    int from = LLVMGetMaskValue(shuffle, i);
    unsigned source = from < (int)count ? 0 : 1;
    if (from >= 0 && lanes_in(vectors->asked, shuffle) & lane(i) &&
        LLVMGetOperand(shuffle, source) == value)
      asked |= lane((unsigned)from - source * count);
  }
  return asked;
}

static Lanes asked_by(const Vectors *vectors, LLVMValueRef user, LLVMValueRef value) {
  if (LLVMIsAFCmpInst(user))
    return 0;
  if (LLVMIsAExtractElementInst(user) && named_lane(user, 1))
    return named_lane(user, 1);
  if (LLVMIsAInsertElementInst(user) && is_vector(user))
    return lanes_in(vectors->asked, user) & ~named_lane(user, 2);
  if (LLVMIsAShuffleVectorInst(user) && is_vector(user))
    return asked_by_shuffle(vectors, user, value);
  return is_by_lanes(vectors, user) && !LLVMIsAPHINode(user) ? lanes_in(vectors->asked, user)
                                                             : all_of(value);
}

static void find_asked(Vectors *vectors, const NbList *instructions) {
  for (unsigned i = instructions->count; i-- > 0;) {
    LLVMValueRef value = instructions->items[i];
    if (!is_vector(value))
      continue;
    Lanes asked = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use))
      asked |= asked_by(vectors, LLVMGetUser(use), value);
    set_lanes(vectors->asked, value, asked);
  }
}

/* --- What nobody set -------------------------------------------------------------------------- */

static Lanes unset_in_constant(LLVMValueRef constant) {
  if (LLVMIsUndef(constant))
    return all_of(constant);
  Lanes unset = 0;
  for (unsigned i = 0; i < LLVMGetVectorSize(LLVMTypeOf(constant)); i++) {
    LLVMValueRef element = LLVMGetAggregateElement(constant, i);
    if (element && LLVMIsUndef(element))
      unset |= lane(i);
  }
  return unset;
}

static Lanes unset_in(const Vectors *vectors, LLVMValueRef value) {
  if (!is_vector(value))
    return 0;
  return LLVMIsConstant(value) ? unset_in_constant(value) : lanes_in(vectors->unset, value);
}

static Lanes unset_by_shuffle(const Vectors *vectors, LLVMValueRef shuffle) {
  LLVMValueRef first = LLVMGetOperand(shuffle, 0);
  unsigned count = LLVMGetVectorSize(LLVMTypeOf(first));
  Lanes unset = 0;
  for (unsigned i = 0; i < LLVMGetNumMaskElements(shuffle); i++) {
    int from = LLVMGetMaskValue(shuffle, i);
    unsigned source = from < (int)count ? 0 : 1;
    Lanes theirs = from < 0 ? 0 : unset_in(vectors, LLVMGetOperand(shuffle, source));
    if (from < 0 || theirs & lane((unsigned)from - source * count))
      unset |= lane(i);
  }
  return unset;
}

static Lanes unset_by(const Vectors *vectors, LLVMValueRef inst) {
  if (LLVMIsAInsertElementInst(inst))
    return unset_in(vectors, LLVMGetOperand(inst, 0)) & ~named_lane(inst, 2);
  if (LLVMIsAShuffleVectorInst(inst))
    return unset_by_shuffle(vectors, inst);
  if (!is_by_lanes(vectors, inst))
    return 0;
  Lanes unset = 0;
  unsigned count = LLVMIsAPHINode(inst)    ? LLVMCountIncoming(inst)
                   : LLVMIsACallInst(inst) ? LLVMGetNumArgOperands(inst)
                                           : (unsigned)LLVMGetNumOperands(inst);
  for (unsigned i = 0; i < count; i++)
    unset |= unset_in(vectors, LLVMIsAPHINode(inst) ? LLVMGetIncomingValue(inst, i)
                                                    : LLVMGetOperand(inst, i));
  return unset;
}

/* Twice, since what a phi gets from the end of its loop is known only then. */
static void find_unset(Vectors *vectors, const NbList *instructions) {
  for (unsigned round = 0; round < ROUNDS; round++)
    for (unsigned i = 0; i < instructions->count; i++)
      if (is_vector(instructions->items[i]))
        set_lanes(vectors->unset, instructions->items[i],
                  unset_by(vectors, instructions->items[i]));
}

void nb_lanes_find_idle(const NbLinear *linear, const NbList *instructions, NbMap *idle) {
  NbArena *arena = linear->work->context->arena;
  Vectors vectors = {linear, nb_map_new(arena), nb_map_new(arena)};
  find_asked(&vectors, instructions);
  find_unset(&vectors, instructions);
  for (unsigned i = 0; i < instructions->count; i++) {
    LLVMValueRef value = instructions->items[i];
    if (is_vector(value) &&
        (lanes_in(vectors.asked, value) != all_of(value) || lanes_in(vectors.unset, value)))
      nb_map_set(idle, value, value);
  }
}
