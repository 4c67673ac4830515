// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Loads and stores under masks, and what moves the lanes of a mask together, lane by lane. A lane
 * that the mask lacks takes its number from, or brings it to, room of the function's own, whose
 * address is chosen in the place of the program's: so nothing is accessed that the program does not
 * access, and no branch is needed. */
#include "prepare/masked.h"

#include "objects/graph.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

typedef enum { MASKED_WHOLE, MASKED_EACH, MASKED_DENSE } Places;

typedef struct Kind {
  const char *name;
  bool stores;
  Places places; /* lanes lie one behind another, each by its own pointer, or without gaps */
} Kind;

static const Kind kinds[] = {{"llvm.masked.load.", false, MASKED_WHOLE},
                             {"llvm.masked.store.", true, MASKED_WHOLE},
                             {"llvm.masked.gather.", false, MASKED_EACH},
                             {"llvm.masked.scatter.", true, MASKED_EACH},
                             {"llvm.masked.expandload.", false, MASKED_DENSE},
                             {"llvm.masked.compressstore.", true, MASKED_DENSE}};

/* The call's parts: whatever stands between pointer and mask says how memory is aligned. */
typedef struct Masked {
  const Kind *kind;
  LLVMBuilderRef builder;
  LLVMTypeRef vector, element;
  LLVMValueRef value, pointer, mask; /* what is stored, or taken where the mask lacks a lane */
  LLVMValueRef room;                 /* NULL: the mask is constant */
  LLVMValueRef passed;               /* DENSE: how many lanes were there before */
} Masked;

static const Kind *kind_of(LLVMValueRef inst) {
  LLVMValueRef callee = LLVMIsACallInst(inst) ? nb_callee(inst) : NULL;
  if (!callee || LLVMGetIntrinsicID(callee) == 0)
    return NULL;
  for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (!strncmp(nb_name(callee), kinds[i].name, strlen(kinds[i].name)))
      return &kinds[i];
  return NULL;
}

static Masked parts_of(LLVMBuilderRef builder, const Kind *kind, LLVMValueRef call) {
  unsigned count = LLVMGetNumArgOperands(call);
  Masked masked = {.kind = kind, .builder = builder};
  masked.value = LLVMGetOperand(call, kind->stores ? 0 : count - 1);
  masked.pointer = LLVMGetOperand(call, kind->stores ? 1 : 0);
  masked.mask = LLVMGetOperand(call, kind->stores ? count - 1 : count - 2);
  masked.vector = LLVMTypeOf(masked.value);
  bool fixed = LLVMGetTypeKind(masked.vector) == LLVMVectorTypeKind;
  masked.element = fixed ? LLVMGetElementType(masked.vector) : NULL;
  return masked;
}

static bool is_known(LLVMValueRef mask) {
  bool known = LLVMIsConstant(mask);
  unsigned count = LLVMGetVectorSize(LLVMTypeOf(mask));
  for (unsigned i = 0; known && i < count; i++) {
    LLVMValueRef lane = LLVMGetAggregateElement(mask, i);
    known = lane && LLVMIsAConstantInt(lane);
  }
  return known;
}

static LLVMValueRef new_room(const Masked *masked, LLVMValueRef call) {
  LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
  LLVMPositionBuilderBefore(masked->builder,
                            LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
  unsigned lanes = LLVMGetVectorSize(masked->vector);
  LLVMValueRef room =
      LLVMBuildAlloca(masked->builder, LLVMArrayType2(masked->element, lanes), "masked");
  LLVMPositionBuilderBefore(masked->builder, call);
  return room;
}

static LLVMValueRef index_of(const Masked *masked, unsigned lane) {
  LLVMTypeRef type = LLVMInt64TypeInContext(LLVMGetTypeContext(masked->vector));
  return LLVMConstInt(type, lane, false);
}

static LLVMValueRef lane_of(const Masked *masked, LLVMValueRef vector, unsigned lane) {
  return LLVMBuildExtractElement(masked->builder, vector, index_of(masked, lane), "");
}

static LLVMValueRef place_at(const Masked *masked, LLVMValueRef pointer, LLVMValueRef index) {
  return LLVMBuildGEP2(masked->builder, masked->element, pointer, &index, 1, "");
}

/* The address of a lane of a vector of addresses: of one base by different indices, if that is what
 * they are, for such are known better than what is taken from a vector. */
static LLVMValueRef own_place(const Masked *masked, unsigned lane) {
  LLVMValueRef gep = LLVMIsAGetElementPtrInst(masked->pointer) ? masked->pointer : NULL;
  bool simple = gep && LLVMGetNumOperands(gep) == 2 &&
                LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(gep, 0))) == LLVMPointerTypeKind;
  if (!simple)
    return lane_of(masked, masked->pointer, lane);
  LLVMValueRef index = lane_of(masked, LLVMGetOperand(gep, 1), lane);
  return LLVMBuildGEP2(masked->builder, LLVMGetGEPSourceElementType(gep), LLVMGetOperand(gep, 0),
                       &index, 1, "");
}

/* Where the lane lies; in the room, if the mask lacks it. */
static LLVMValueRef place_of(Masked *masked, unsigned lane, LLVMValueRef there) {
  LLVMValueRef place;
  if (masked->kind->places == MASKED_EACH)
    place = own_place(masked, lane);
  else if (masked->kind->places == MASKED_WHOLE)
    place = place_at(masked, masked->pointer, index_of(masked, lane));
  else {
    place = place_at(masked, masked->pointer, masked->passed);
    LLVMValueRef more = LLVMBuildZExt(masked->builder, there, LLVMTypeOf(masked->passed), "");
    masked->passed = LLVMBuildAdd(masked->builder, masked->passed, more, "");
  }
  if (!masked->room)
    return place;
  LLVMValueRef spare = place_at(masked, masked->room, index_of(masked, lane));
  return LLVMBuildSelect(masked->builder, there, place, spare, "");
}

static LLVMValueRef move_lane(Masked *masked, unsigned lane, LLVMValueRef result) {
  LLVMValueRef there = masked->room ? lane_of(masked, masked->mask, lane)
                                    : LLVMGetAggregateElement(masked->mask, lane);
  bool lacks = !masked->room && LLVMIsNull(there);
  if (lacks && masked->kind->stores)
    return result;
  LLVMValueRef number = NULL;
  if (masked->kind->stores || lacks)
    number = lane_of(masked, masked->value, lane);
  if (!lacks) {
    LLVMValueRef place = place_of(masked, lane, there);
    LLVMValueRef access = masked->kind->stores
                              ? LLVMBuildStore(masked->builder, number, place)
                              : LLVMBuildLoad2(masked->builder, masked->element, place, "");
    LLVMSetAlignment(access, 1);
    number = access;
  }
  if (masked->kind->stores)
    return result;
  return LLVMBuildInsertElement(masked->builder, result, number, index_of(masked, lane), "");
}

static void spell(Masked *masked, LLVMValueRef call) {
  unsigned lanes = LLVMGetVectorSize(masked->vector);
  LLVMPositionBuilderBefore(masked->builder, call);
  LLVMSetCurrentDebugLocation2(masked->builder, LLVMInstructionGetDebugLoc(call));
  if (!is_known(masked->mask))
    masked->room = new_room(masked, call);
  masked->passed = index_of(masked, 0);
  LLVMValueRef result = LLVMGetPoison(masked->vector);
  for (unsigned i = 0; masked->room && !masked->kind->stores && i < lanes; i++) {
    bool nothing = LLVMIsUndef(masked->value) || LLVMIsPoison(masked->value);
    LLVMValueRef number =
        nothing ? LLVMConstNull(masked->element) : lane_of(masked, masked->value, i);
    LLVMBuildStore(masked->builder, number, place_at(masked, masked->room, index_of(masked, i)));
  }
  for (unsigned i = 0; i < lanes; i++)
    result = move_lane(masked, i, result);
  if (!masked->kind->stores)
    LLVMReplaceAllUsesWith(call, result);
  LLVMInstructionEraseFromParent(call);
}

static bool is_compress(LLVMValueRef inst) {
  static const char name[] = "llvm.experimental.vector.compress.";
  LLVMValueRef callee = LLVMIsACallInst(inst) ? nb_callee(inst) : NULL;
  return callee && !strncmp(nb_name(callee), name, sizeof name - 1) &&
         LLVMGetTypeKind(LLVMTypeOf(inst)) == LLVMVectorTypeKind;
}

/* The lanes that the mask has, without gaps; behind them those of the third operand. No more lanes
 * are passed than there are before this one, so that every place is within the vector. */
static void spell_compress(LLVMBuilderRef builder, LLVMValueRef call) {
  LLVMTypeRef count_type = LLVMInt64TypeInContext(LLVMGetTypeContext(LLVMTypeOf(call)));
  LLVMValueRef passed = LLVMConstInt(count_type, 0, false);
  LLVMValueRef result = LLVMGetOperand(call, 2);
  LLVMPositionBuilderBefore(builder, call);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(call));
  for (unsigned i = 0; i < LLVMGetVectorSize(LLVMTypeOf(call)); i++) {
    LLVMValueRef lane = LLVMConstInt(count_type, i, false);
    LLVMValueRef number = LLVMBuildExtractElement(builder, LLVMGetOperand(call, 0), lane, "");
    LLVMValueRef there = LLVMBuildExtractElement(builder, LLVMGetOperand(call, 1), lane, "");
    LLVMValueRef more = LLVMBuildInsertElement(builder, result, number, passed, "");
    result = LLVMBuildSelect(builder, there, more, result, "");
    passed = LLVMBuildAdd(builder, passed, LLVMBuildZExt(builder, there, count_type, ""), "");
  }
  LLVMReplaceAllUsesWith(call, result);
  LLVMInstructionEraseFromParent(call);
}

void nb_prepare_spell_masked(const NbContext *context, LLVMValueRef function) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  LLVMValueRef next;
  for (LLVMValueRef inst = nb_instruction_first(function); inst; inst = next) {
    next = nb_instruction_next(inst);
    const Kind *kind = kind_of(inst);
    if (is_compress(inst))
      spell_compress(builder, inst);
    if (!kind)
      continue;
    Masked masked = parts_of(builder, kind, inst);
    if (masked.element)
      spell(&masked, inst);
  }
  LLVMDisposeBuilder(builder);
}
