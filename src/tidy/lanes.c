// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* First lanes that are merged beside the vectors that they were taken from.
 *
 * Where edges join, both `phi double [ v0, .. ]` and `phi <2 x double> [ v, .. ]`, v0 being lane 0
 * of v, become copies of v on each edge. LLVM's coalescing of registers takes both for one value,
 * and may keep the copy of v0, of which a spill saves 8 bytes: what reads the vector then sees
 * zeros in its other lanes. Numbers and their tangents, packed to pairs by the vectoriser, are
 * merged like that. So the vector alone is merged, and its lane is taken behind. */
#include "base/map.h"
#include "objects/graph.h"
#include "prepare/prepare.h"
#include "tidy/tidy.h"

#include <llvm-c/DebugInfo.h>

/* `lanes` maps a scalar to the vector of which it is lane 0, if all in the map are. */
static LLVMValueRef vector_of(const NbMap *lanes, LLVMValueRef scalar) {
  return nb_map_get(lanes, scalar);
}

static bool is_merge(LLVMValueRef value) {
  return LLVMIsAPHINode(value) || LLVMIsASelectInst(value);
}

static bool is_vector_of(LLVMTypeRef vector, LLVMTypeRef element) {
  return LLVMGetTypeKind(vector) == LLVMVectorTypeKind && LLVMGetElementType(vector) == element;
}

static bool is_number(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  return kind == LLVMDoubleTypeKind || kind == LLVMFloatTypeKind || kind == LLVMHalfTypeKind;
}

static unsigned arms_of(LLVMValueRef merge) {
  return LLVMIsAPHINode(merge) ? LLVMCountIncoming(merge) : 2;
}

static LLVMValueRef arm_of(LLVMValueRef merge, unsigned i) {
  return LLVMIsAPHINode(merge) ? LLVMGetIncomingValue(merge, i) : LLVMGetOperand(merge, i + 1);
}

/* The arm of `other` that is taken whenever arm `i` of `merge` is. */
static LLVMValueRef arm_beside(LLVMValueRef merge, unsigned i, LLVMValueRef other) {
  unsigned k = i;
  if (LLVMIsAPHINode(merge))
    for (k = 0; LLVMGetIncomingBlock(other, k) != LLVMGetIncomingBlock(merge, i);)
      k++;
  return arm_of(other, k);
}

static bool is_merged_alike(LLVMValueRef merge, LLVMValueRef other) {
  if (LLVMGetInstructionParent(merge) != LLVMGetInstructionParent(other))
    return false;
  if (LLVMIsAPHINode(merge))
    return LLVMIsAPHINode(other);
  return LLVMIsASelectInst(other) && LLVMGetOperand(merge, 0) == LLVMGetOperand(other, 0);
}

/* A lane of a vector, or a scalar. */
typedef struct {
  LLVMValueRef value;
  unsigned lane;
} Lane;

static bool is_lane_number(LLVMValueRef index) { return LLVMIsAConstantInt(index) != NULL; }

static void step_behind_insert(Lane *at) {
  const bool inserted = LLVMConstIntGetZExtValue(LLVMGetOperand(at->value, 2)) == at->lane;
  at->value = LLVMGetOperand(at->value, inserted);
  if (inserted)
    at->lane = 0;
}

static void step_behind_shuffle(Lane *at) {
  unsigned count = LLVMGetVectorSize(LLVMTypeOf(LLVMGetOperand(at->value, 0)));
  unsigned lane = (unsigned)LLVMGetMaskValue(at->value, at->lane);
  const bool second = lane >= count;
  at->value = LLVMGetOperand(at->value, second);
  at->lane = second ? lane - count : lane;
}

/* To where the value is taken from; false where it is made. */
static bool step_behind(Lane *at) {
  LLVMValueRef value = at->value;
  if (LLVMIsAExtractElementInst(value) && is_lane_number(LLVMGetOperand(value, 1))) {
    at->lane = (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(value, 1));
    at->value = LLVMGetOperand(value, 0);
  } else if (LLVMIsAInsertElementInst(value) && is_lane_number(LLVMGetOperand(value, 2))) {
    step_behind_insert(at);
  } else if (LLVMIsAShuffleVectorInst(value) && LLVMGetMaskValue(value, at->lane) >= 0) {
    step_behind_shuffle(at);
  } else {
    return false;
  }
  return true;
}

/* In code that nothing reaches a vector may be made of itself. */
enum { STEPS = 100 };

static Lane behind(LLVMValueRef value) {
  Lane at = {.value = value};
  for (unsigned i = 0; i < STEPS && step_behind(&at);)
    i++;
  return at;
}

static bool is_first_lane(LLVMValueRef scalar, LLVMValueRef vector) {
  Lane a = behind(scalar);
  Lane b = behind(vector);
  return a.value == b.value && a.lane == b.lane && !LLVMIsConstant(a.value);
}

/* `hoping`: merges among the arms may turn out to be lanes, too. */
static bool fits(const NbMap *lanes, LLVMValueRef scalar, LLVMValueRef vector, bool hoping) {
  for (unsigned i = 0; i < arms_of(scalar); i++) {
    LLVMValueRef arm = arm_of(scalar, i);
    LLVMValueRef beside = arm_beside(scalar, i, vector);
    const bool is_lane = is_first_lane(arm, beside) || vector_of(lanes, arm) == beside;
    const bool is_any = LLVMIsUndef(arm) && LLVMIsAPHINode(scalar);
    if (!is_lane && !is_any && !(hoping && is_merge(arm)))
      return false;
  }
  return true;
}

static bool may_be_lane_of(const NbMap *lanes, LLVMValueRef scalar, LLVMValueRef vector) {
  return is_vector_of(LLVMTypeOf(vector), LLVMTypeOf(scalar)) && is_merged_alike(scalar, vector) &&
         fits(lanes, scalar, vector, true);
}

static void collect_of_phi(NbMap *lanes, LLVMValueRef scalar) {
  LLVMValueRef at = LLVMGetFirstInstruction(LLVMGetInstructionParent(scalar));
  for (; LLVMIsAPHINode(at); at = LLVMGetNextInstruction(at))
    if (may_be_lane_of(lanes, scalar, at))
      nb_map_set(lanes, scalar, at);
}

static void collect_of_select(NbMap *lanes, LLVMValueRef scalar) {
  LLVMValueRef condition = LLVMGetOperand(scalar, 0);
  if (LLVMIsConstant(condition))
    return;
  for (LLVMUseRef use = LLVMGetFirstUse(condition); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsASelectInst(user) && may_be_lane_of(lanes, scalar, user))
      nb_map_set(lanes, scalar, user);
  }
}

static void collect(NbMap *lanes, LLVMValueRef function) {
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at)) {
    if (!is_number(LLVMTypeOf(at)))
      continue;
    if (LLVMIsAPHINode(at))
      collect_of_phi(lanes, at);
    else if (LLVMIsASelectInst(at))
      collect_of_select(lanes, at);
  }
}

/* What does not fit takes away from others that hoped for it. */
static bool drop_some(NbMap *lanes) {
  bool dropped = false;
  for (unsigned i = 0; i < nb_map_count(lanes); i++) {
    LLVMValueRef scalar = (LLVMValueRef)nb_map_key(lanes, i);
    LLVMValueRef vector = vector_of(lanes, scalar);
    if (!vector || fits(lanes, scalar, vector, false))
      continue;
    nb_map_set(lanes, scalar, NULL);
    dropped = true;
  }
  return dropped;
}

static bool is_after(LLVMValueRef instruction, LLVMValueRef other) {
  while (other && other != instruction)
    other = LLVMGetNextInstruction(other);
  return other != NULL;
}

/* Before the scalar, where what the vector is chosen from stands there, too; false where not. */
static bool move_before(LLVMBuilderRef builder, LLVMValueRef vector, LLVMValueRef scalar) {
  for (unsigned i = 0; i < arms_of(vector); i++)
    if (is_after(arm_of(vector, i), scalar))
      return false;
  LLVMPositionBuilderBefore(builder, scalar);
  LLVMInstructionRemoveFromParent(vector);
  LLVMInsertIntoBuilder(builder, vector);
  return true;
}

static LLVMValueRef place_for_lane(LLVMValueRef scalar) {
  LLVMBasicBlockRef block = LLVMGetInstructionParent(scalar);
  return LLVMIsAPHINode(scalar) ? nb_work_place_after_phis(block) : scalar;
}

static bool take_lane(LLVMBuilderRef builder, LLVMValueRef scalar, LLVMValueRef vector) {
  if (LLVMIsASelectInst(vector) && is_after(vector, scalar) &&
      !move_before(builder, vector, scalar))
    return false;
  LLVMPositionBuilderBefore(builder, place_for_lane(scalar));
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(scalar));
  LLVMTypeRef index = LLVMInt64TypeInContext(LLVMGetTypeContext(LLVMTypeOf(scalar)));
  LLVMValueRef zero = LLVMConstInt(index, 0, false);
  LLVMReplaceAllUsesWith(scalar, LLVMBuildExtractElement(builder, vector, zero, ""));
  LLVMInstructionEraseFromParent(scalar);
  return true;
}

static bool take_lanes(const NbMap *lanes, LLVMBuilderRef builder) {
  bool changed = false;
  for (unsigned i = 0; i < nb_map_count(lanes); i++) {
    LLVMValueRef scalar = (LLVMValueRef)nb_map_key(lanes, i);
    LLVMValueRef vector = vector_of(lanes, scalar);
    changed |= vector && take_lane(builder, scalar, vector);
  }
  return changed;
}

bool nb_tidy_merge_vectors(LLVMValueRef function) {
  NbArena *arena = nb_arena_new();
  NbMap *lanes = nb_map_new(arena);
  collect(lanes, function);
  while (drop_some(lanes)) {
  }
  LLVMBuilderRef builder =
      LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMGlobalGetValueType(function)));
  bool changed = take_lanes(lanes, builder);
  LLVMDisposeBuilder(builder);
  nb_arena_free(arena);
  return changed;
}
