// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The lowest bytes of a float, written by integer operations, as those of a short member of a union
 * are: the others are what they were. The float that comes of it is the old one, but for the end of
 * its fraction: a function of the runtime's, which has a row, makes it. */
#include "types/facts.h"

#include "emit/runtime.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

#define OVERWRITE "__nabla_overwrite"

enum { BYTE = 8, WORD = 64 };

static uint64_t ones(unsigned count) {
  return count < WORD ? (UINT64_C(1) << count) - 1 : UINT64_MAX;
}

/* Which bits of the integer may be set. */
static uint64_t bits_of(LLVMValueRef value) {
  if (LLVMIsAConstantInt(value))
    return LLVMConstIntGetZExtValue(value);
  uint64_t all = ones(LLVMGetIntTypeWidth(LLVMTypeOf(value)));
  return LLVMIsAInstruction(value) ? all & ~nb_zero_bits(value) : all;
}

/* How many of the lowest bits the mask clears, and no others: 0 where they are no bytes, or more
 * than the end of a fraction. */
static unsigned cleared_by(LLVMValueRef mask, unsigned width) {
  unsigned count = BYTE;
  uint64_t cleared = ~LLVMConstIntGetZExtValue(mask) & ones(width);
  while (count < width / 2 && cleared != ones(count))
    count += BYTE;
  return cleared == ones(count) ? count : 0;
}

/* Are none of its bits set but so many of the lowest? */
static bool is_short(LLVMValueRef value, unsigned count) {
  return !(bits_of(value) & ~ones(count));
}

static bool is_overwritten(LLVMValueRef kept, LLVMValueRef value, unsigned width, bool disjoint,
                           NbOverwrite *found) {
  if (!nb_is_operation(kept, LLVMAnd) || !LLVMIsAConstantInt(LLVMGetOperand(kept, 1)))
    return false;
  unsigned count = cleared_by(LLVMGetOperand(kept, 1), width);
  *found = (NbOverwrite){LLVMGetOperand(kept, 0), value, count};
  return count && (disjoint || is_short(value, count));
}

/* Is it for nothing but other bits in the place of those that are cleared? */
static bool is_only_kept(LLVMValueRef and) {
  LLVMUseRef use = LLVMGetFirstUse(and);
  while (use && nb_is_operation(LLVMGetUser(use), LLVMOr))
    use = LLVMGetNextUse(use);
  return !use;
}

bool nb_overwrite_of(LLVMValueRef integer, NbOverwrite *found) {
  LLVMTypeRef type = LLVMTypeOf(integer);
  bool clears = nb_is_operation(integer, LLVMAnd) && !is_only_kept(integer);
  if ((!nb_is_operation(integer, LLVMOr) && !clears) ||
      LLVMGetTypeKind(type) != LLVMIntegerTypeKind)
    return false;
  unsigned width = LLVMGetIntTypeWidth(type);
  if (clears)
    return (width == WORD || width == WORD / 2) &&
           is_overwritten(integer, LLVMConstNull(type), width, false, found);
  bool disjoint = LLVMGetIsDisjoint(integer);
  LLVMValueRef left = LLVMGetOperand(integer, 0), right = LLVMGetOperand(integer, 1);
  return (width == WORD || width == WORD / 2) &&
         (is_overwritten(left, right, width, disjoint, found) ||
          is_overwritten(right, left, width, disjoint, found));
}

/* What has no bits in common with a number has none of its upper ones: the run tells. */
static void check_end(NbContext *context, LLVMBuilderRef builder, const NbOverwrite *end) {
  LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInsertBlock(builder));
  LLVMTypeRef type = LLVMTypeOf(end->value), word = LLVMInt64TypeInContext(context->llvm);
  LLVMValueRef by = LLVMConstInt(type, end->count, false);
  LLVMValueRef more = LLVMBuildLShr(builder, end->value, by, "");
  LLVMValueRef arguments[] = {
      LLVMBuildZExt(builder, LLVMBuildIsNotNull(builder, more, "bits"), word, ""),
      nb_runtime_place(context, nb_map_get(context->primals, function), end->value)};
  nb_runtime_call(context, builder, "__nabla_integer", LLVMVoidTypeInContext(context->llvm),
                  arguments, 2);
}

LLVMValueRef nb_overwrite_build(NbContext *context, LLVMBuilderRef builder, const NbOverwrite *end,
                                LLVMValueRef value) {
  LLVMTypeRef number = LLVMInt32TypeInContext(context->llvm);
  if (!is_short(end->value, end->count))
    check_end(context, builder, end);
  LLVMValueRef bits = LLVMBuildIntCast2(builder, end->value, number, false, "");
  LLVMValueRef arguments[] = {value, LLVMConstInt(number, end->count, false), bits};
  const char *name = nb_runtime_for(context, OVERWRITE, LLVMTypeOf(value));
  LLVMValueRef call = nb_runtime_call(context, builder, name, LLVMTypeOf(value), arguments, 3);
  nb_attributes_set_pure(call);
  return call;
}

LLVMValueRef nb_overwrite_source(LLVMValueRef value, unsigned *count) {
  LLVMValueRef callee = LLVMIsACallInst(value) ? nb_callee(value) : NULL;
  if (!callee || strncmp(nb_name(callee), OVERWRITE, strlen(OVERWRITE)) != 0)
    return NULL;
  *count = (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(value, 1));
  return LLVMGetOperand(value, 0);
}
