// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Arithmetic of integers on their halves. What is known to be zero is a constant: an integer beside
 * a float is then seen not to change it. */
#include "types/halves.h"

#include "objects/graph.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

enum { NARROWEST_WHOLE = 32, HALF_BITS = 32, MOST_STEPS = 32 };

static LLVMTypeRef type_of(NbHalves halves) { return LLVMTypeOf(halves.half[NB_LOWER]); }

static unsigned bits_of(NbHalves halves) { return LLVMGetIntTypeWidth(type_of(halves)); }

static LLVMValueRef zero_of(NbHalves halves) { return LLVMConstNull(type_of(halves)); }

static LLVMTypeRef half_type(LLVMTypeRef whole) {
  return LLVMIntTypeInContext(LLVMGetTypeContext(whole), LLVMGetIntTypeWidth(whole) / NB_HALVES);
}

static uint64_t ones(unsigned bits) { return bits < 64 ? ((uint64_t)1 << bits) - 1 : UINT64_MAX; }

/* Are these bits of the integer known to be zero? */
static bool are_zero(LLVMValueRef integer, uint64_t bits) {
  if (!bits || LLVMIsNull(integer))
    return true;
  if (LLVMIsAConstantInt(integer))
    return !(LLVMConstIntGetZExtValue(integer) & bits);
  return LLVMIsAInstruction(integer) && !(bits & ~nb_zero_bits(integer));
}

bool nb_halves_are_apart(LLVMValueRef a, LLVMValueRef b) {
  if (!LLVMIsAInstruction(a) || LLVMGetIntTypeWidth(LLVMTypeOf(a)) > 64)
    return false;
  return are_zero(b, ~nb_zero_bits(a));
}

/* --- Operations on one half, without those that change nothing. --------------------------------
 */

static LLVMValueRef or_of(LLVMBuilderRef builder, LLVMValueRef a, LLVMValueRef b) {
  if (LLVMIsNull(a))
    return b;
  return LLVMIsNull(b) ? a : LLVMBuildOr(builder, a, b, "");
}

static LLVMValueRef xor_of(LLVMBuilderRef builder, LLVMValueRef a, LLVMValueRef b) {
  if (LLVMIsNull(a))
    return b;
  return LLVMIsNull(b) ? a : LLVMBuildXor(builder, a, b, "");
}

static LLVMValueRef and_of(LLVMBuilderRef builder, LLVMValueRef a, LLVMValueRef b) {
  if (LLVMIsAConstantInt(a)) {
    LLVMValueRef constant = a;
    a = b;
    b = constant;
  }
  unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(a));
  uint64_t mask = LLVMIsAConstantInt(b) ? LLVMConstIntGetZExtValue(b) : 0;
  if (LLVMIsNull(a) || LLVMIsNull(b) || (mask && are_zero(a, mask)))
    return LLVMConstNull(LLVMTypeOf(a));
  return mask && are_zero(a, ~mask & ones(bits)) ? a : LLVMBuildAnd(builder, a, b, "");
}

static LLVMValueRef sum_of(LLVMBuilderRef builder, LLVMOpcode opcode, LLVMValueRef a,
                           LLVMValueRef b) {
  if (LLVMIsNull(b))
    return a;
  bool add = opcode == LLVMAdd;
  return add && LLVMIsNull(a) ? b : LLVMBuildBinOp(builder, opcode, a, b, "");
}

/* Shifted within the half. */
static LLVMValueRef shifted(LLVMBuilderRef builder, LLVMOpcode opcode, LLVMValueRef half,
                            unsigned by) {
  unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(half));
  uint64_t kept = opcode == LLVMShl ? ones(bits - by) : ones(bits) & ~ones(by);
  if (!by)
    return half;
  if (opcode != LLVMAShr && are_zero(half, kept))
    return LLVMConstNull(LLVMTypeOf(half));
  return LLVMBuildBinOp(builder, opcode, half, LLVMConstInt(LLVMTypeOf(half), by, false), "");
}

/* --- The whole. --------------------------------------------------------------------------------
 */

NbHalves nb_halves_cut(LLVMBuilderRef builder, LLVMValueRef whole) {
  LLVMTypeRef wide = LLVMTypeOf(whole), narrow = half_type(wide);
  LLVMValueRef bits = LLVMConstInt(wide, LLVMGetIntTypeWidth(narrow), false);
  if (LLVMIsUndef(whole))
    return (NbHalves){{LLVMGetUndef(narrow), LLVMGetUndef(narrow)}};
  LLVMValueRef lower = LLVMBuildTrunc(builder, whole, narrow, "");
  LLVMValueRef upper = LLVMBuildTrunc(builder, LLVMBuildLShr(builder, whole, bits, ""), narrow, "");
  uint64_t all = ones(LLVMGetIntTypeWidth(narrow));
  return (NbHalves){{are_zero(lower, all) ? LLVMConstNull(narrow) : lower,
                     are_zero(upper, all) ? LLVMConstNull(narrow) : upper}};
}

LLVMValueRef nb_halves_join(LLVMBuilderRef builder, NbHalves halves) {
  unsigned bits = bits_of(halves);
  LLVMTypeRef wide = LLVMIntTypeInContext(LLVMGetTypeContext(type_of(halves)), bits * NB_HALVES);
  LLVMValueRef lower = LLVMBuildZExt(builder, halves.half[NB_LOWER], wide, "");
  if (LLVMIsNull(halves.half[NB_UPPER]))
    return lower;
  LLVMValueRef upper = LLVMBuildZExt(builder, halves.half[NB_UPPER], wide, "");
  upper = LLVMBuildShl(builder, upper, LLVMConstInt(wide, bits, false), "");
  return or_of(builder, lower, upper);
}

NbHalves nb_halves_extend(LLVMBuilderRef builder, LLVMOpcode opcode, LLVMValueRef integer,
                          LLVMTypeRef narrow) {
  LLVMValueRef lower = integer;
  if (LLVMTypeOf(integer) != narrow)
    lower = LLVMBuildCast(builder, opcode, integer, narrow, "");
  NbHalves halves = {{lower, LLVMConstNull(narrow)}};
  if (opcode == LLVMSExt)
    halves.half[NB_UPPER] = shifted(builder, LLVMAShr, lower, LLVMGetIntTypeWidth(narrow) - 1);
  return halves;
}

static NbHalves shift_up(LLVMBuilderRef builder, NbHalves halves, unsigned by) {
  unsigned bits = bits_of(halves);
  LLVMValueRef lower = halves.half[NB_LOWER], upper = halves.half[NB_UPPER];
  if (by >= bits)
    return (NbHalves){{zero_of(halves), shifted(builder, LLVMShl, lower, by - bits)}};
  LLVMValueRef carried = shifted(builder, LLVMLShr, lower, bits - by);
  upper = or_of(builder, shifted(builder, LLVMShl, upper, by), carried);
  return (NbHalves){{shifted(builder, LLVMShl, lower, by), upper}};
}

static NbHalves shift_down(LLVMBuilderRef builder, LLVMOpcode opcode, NbHalves halves,
                           unsigned by) {
  unsigned bits = bits_of(halves);
  LLVMValueRef lower = halves.half[NB_LOWER], upper = halves.half[NB_UPPER];
  if (by >= bits) {
    LLVMValueRef sign = zero_of(halves);
    if (opcode == LLVMAShr)
      sign = shifted(builder, LLVMAShr, upper, bits - 1);
    return (NbHalves){{shifted(builder, opcode, upper, by - bits), sign}};
  }
  LLVMValueRef carried = shifted(builder, LLVMShl, upper, bits - by);
  lower = or_of(builder, shifted(builder, LLVMLShr, lower, by), carried);
  return (NbHalves){{lower, shifted(builder, opcode, upper, by)}};
}

NbHalves nb_halves_shift(LLVMBuilderRef builder, LLVMOpcode opcode, NbHalves halves,
                         unsigned bits) {
  if (!bits)
    return halves;
  return opcode == LLVMShl ? shift_up(builder, halves, bits)
                           : shift_down(builder, opcode, halves, bits);
}

/* What the lower halves carry over into the upper ones, or borrow from them. */
static LLVMValueRef carry_of(LLVMBuilderRef builder, LLVMOpcode opcode, NbHalves a, NbHalves b,
                             LLVMValueRef lower) {
  LLVMValueRef first = a.half[NB_LOWER], second = b.half[NB_LOWER];
  bool add = opcode == LLVMAdd;
  if (LLVMIsNull(second) || (add && LLVMIsNull(first)))
    return zero_of(a);
  LLVMValueRef carries = LLVMBuildICmp(builder, LLVMIntULT, add ? lower : first, second, "");
  return LLVMBuildZExt(builder, carries, type_of(a), "");
}

NbHalves nb_halves_combine(LLVMBuilderRef builder, LLVMOpcode opcode, NbHalves a, NbHalves b) {
  NbHalves made;
  for (unsigned i = 0; i < NB_HALVES; i++) {
    LLVMValueRef first = a.half[i], second = b.half[i];
    made.half[i] = opcode == LLVMAnd   ? and_of(builder, first, second)
                   : opcode == LLVMOr  ? or_of(builder, first, second)
                   : opcode == LLVMXor ? xor_of(builder, first, second)
                                       : sum_of(builder, opcode, first, second);
  }
  if (opcode == LLVMAdd || opcode == LLVMSub) {
    LLVMValueRef carry = carry_of(builder, opcode, a, b, made.half[NB_LOWER]);
    made.half[NB_UPPER] = sum_of(builder, opcode, made.half[NB_UPPER], carry);
  }
  return made;
}

/* --- Comparisons. ------------------------------------------------------------------------------
 */

static bool is_strict(LLVMIntPredicate predicate) {
  return predicate == LLVMIntULT || predicate == LLVMIntUGT || predicate == LLVMIntSLT ||
         predicate == LLVMIntSGT;
}

static bool is_less(LLVMIntPredicate predicate) {
  return predicate == LLVMIntULT || predicate == LLVMIntULE || predicate == LLVMIntSLT ||
         predicate == LLVMIntSLE;
}

static bool is_signed(LLVMIntPredicate predicate) {
  return predicate == LLVMIntSLT || predicate == LLVMIntSLE || predicate == LLVMIntSGT ||
         predicate == LLVMIntSGE;
}

static LLVMIntPredicate predicate_of(bool less, bool sign, bool strict) {
  if (sign && less)
    return strict ? LLVMIntSLT : LLVMIntSLE;
  if (sign)
    return strict ? LLVMIntSGT : LLVMIntSGE;
  if (less)
    return strict ? LLVMIntULT : LLVMIntULE;
  return strict ? LLVMIntUGT : LLVMIntUGE;
}

/* Can no number be beyond it, on the side that is asked for? */
static bool is_end(LLVMValueRef half, bool less) {
  return less ? LLVMIsNull(half) : half == LLVMConstAllOnes(LLVMTypeOf(half));
}

/* The upper halves decide, the lower ones where these are equal. */
static LLVMValueRef compare_order(LLVMBuilderRef builder, LLVMIntPredicate predicate, NbHalves a,
                                  NbHalves b) {
  bool less = is_less(predicate), sign = is_signed(predicate), strict = is_strict(predicate);
  LLVMValueRef first = a.half[NB_UPPER], second = b.half[NB_UPPER];
  if (is_end(b.half[NB_LOWER], strict ? less : !less))
    return LLVMBuildICmp(builder, predicate, first, second, "");
  LLVMIntPredicate beyond = predicate_of(less, sign, true),
                   rest = predicate_of(less, false, strict);
  LLVMValueRef before = LLVMBuildICmp(builder, beyond, first, second, "");
  LLVMValueRef same = LLVMBuildICmp(builder, LLVMIntEQ, first, second, "");
  LLVMValueRef below = LLVMBuildICmp(builder, rest, a.half[NB_LOWER], b.half[NB_LOWER], "");
  return LLVMBuildOr(builder, before, LLVMBuildAnd(builder, same, below, ""), "");
}

LLVMValueRef nb_halves_compare(LLVMBuilderRef builder, LLVMIntPredicate predicate, NbHalves a,
                               NbHalves b) {
  if (predicate != LLVMIntEQ && predicate != LLVMIntNE)
    return compare_order(builder, predicate, a, b);
  LLVMValueRef lower = LLVMBuildICmp(builder, predicate, a.half[NB_LOWER], b.half[NB_LOWER], "");
  LLVMValueRef upper = LLVMBuildICmp(builder, predicate, a.half[NB_UPPER], b.half[NB_UPPER], "");
  return predicate == LLVMIntEQ ? LLVMBuildAnd(builder, lower, upper, "")
                                : LLVMBuildOr(builder, lower, upper, "");
}

/* --- Where halves come from. -------------------------------------------------------------------
 */

/* A half of an integer of 64 bits. */
typedef struct Source {
  LLVMValueRef whole;
  unsigned half;
} Source;

static uint64_t mask_of(unsigned half) { return ones(HALF_BITS) << half * HALF_BITS; }

/* Is it shifted by one half? */
static bool is_shifted(LLVMValueRef value, LLVMOpcode opcode) {
  LLVMValueRef by = nb_is_operation(value, opcode) ? LLVMGetOperand(value, 1) : NULL;
  return by && LLVMIsAConstantInt(by) && LLVMConstIntGetZExtValue(by) == HALF_BITS;
}

/* The operand that alone has the half, which is zero in the other, or ones in a mask. */
static LLVMValueRef bearer_of(LLVMValueRef value, unsigned half) {
  LLVMValueRef a = LLVMGetOperand(value, 0), b = LLVMGetOperand(value, 1);
  if (nb_is_operation(value, LLVMOr))
    return are_zero(a, mask_of(half)) ? b : are_zero(b, mask_of(half)) ? a : NULL;
  bool mask = nb_is_operation(value, LLVMAnd) && LLVMIsAConstantInt(b);
  return mask && (LLVMConstIntGetZExtValue(b) & mask_of(half)) == mask_of(half) ? a : NULL;
}

/* One step back; `whole` is NULL where there is none. */
static Source step_back(Source from) {
  LLVMValueRef value = from.whole, bearer = NULL;
  if (nb_is_operation(value, LLVMZExt) && from.half == NB_LOWER)
    return (Source){LLVMGetOperand(value, 0), NB_LOWER};
  if (nb_is_operation(value, LLVMTrunc))
    return (Source){LLVMGetOperand(value, 0), from.half};
  if (is_shifted(value, LLVMShl) && from.half == NB_UPPER)
    return (Source){LLVMGetOperand(value, 0), NB_LOWER};
  if (is_shifted(value, LLVMLShr) && from.half == NB_LOWER)
    return (Source){LLVMGetOperand(value, 0), NB_UPPER};
  if (nb_is_operation(value, LLVMOr) || nb_is_operation(value, LLVMAnd))
    bearer = bearer_of(value, from.half);
  return (Source){bearer, from.half};
}

/* Halves that pass through integers of other widths are none. */
static bool has_half(LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  unsigned bits = LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 0;
  return bits == HALF_BITS || bits == NB_HALVES * HALF_BITS;
}

static Source source_of(LLVMValueRef whole, unsigned half) {
  Source at = {whole, half};
  for (unsigned i = 0; i < MOST_STEPS; i++) {
    Source before = step_back(at);
    if (!before.whole || !has_half(before.whole))
      return at;
    at = before;
  }
  return at;
}

/* What the integer, put together of its halves, has been before these were moved; NULL: there is
 * nothing. */
static LLVMValueRef taken_apart(LLVMValueRef joined) {
  LLVMTypeRef type = LLVMTypeOf(joined);
  if (!nb_is_operation(joined, LLVMOr) || LLVMGetTypeKind(type) != LLVMIntegerTypeKind ||
      LLVMGetIntTypeWidth(type) != NB_HALVES * HALF_BITS)
    return NULL;
  Source lower = source_of(joined, NB_LOWER), upper = source_of(joined, NB_UPPER);
  bool same = lower.whole == upper.whole && lower.half == NB_LOWER && upper.half == NB_UPPER;
  return same && lower.whole != joined && LLVMTypeOf(lower.whole) == type ? lower.whole : NULL;
}

/* --- Other spellings. --------------------------------------------------------------------------
 */

/* The operand of a rotation by half of its bits, which exchanges its halves; NULL for others. */
static LLVMValueRef exchanged_by(LLVMValueRef call) {
  static const char funnels[] = "llvm.fsh";
  LLVMValueRef callee = LLVMIsACallInst(call) ? nb_callee(call) : NULL;
  bool funnel = callee && LLVMGetIntrinsicID(callee) &&
                strncmp(nb_name(callee), funnels, sizeof funnels - 1) == 0;
  if (!funnel || LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMIntegerTypeKind)
    return NULL;
  LLVMValueRef first = LLVMGetOperand(call, 0), by = LLVMGetOperand(call, 2);
  bool half = LLVMIsAConstantInt(by) && LLVMGetIntTypeWidth(LLVMTypeOf(by)) >= NARROWEST_WHOLE &&
              LLVMConstIntGetZExtValue(by) * NB_HALVES == LLVMGetIntTypeWidth(LLVMTypeOf(call));
  return half && first == LLVMGetOperand(call, 1) ? first : NULL;
}

/* 2^half + 1. */
static LLVMValueRef one_in_each(LLVMTypeRef type) {
  unsigned bits = LLVMGetIntTypeWidth(type) / NB_HALVES;
  uint64_t words[] = {1, bits / 64};
  words[0] |= (uint64_t)(bits < 64) << bits % 64;
  return LLVMConstIntOfArbitraryPrecision(type, 2, words);
}

/* The extended half of a product by 2^half + 1, which has it twice; NULL for others. */
static LLVMValueRef doubled_by(LLVMValueRef product) {
  bool multiplies = nb_is_operation(product, LLVMMul);
  LLVMTypeRef type = LLVMTypeOf(product);
  bool integer = multiplies && LLVMGetTypeKind(type) == LLVMIntegerTypeKind;
  if (!integer || LLVMGetIntTypeWidth(type) < NARROWEST_WHOLE || LLVMGetIntTypeWidth(type) > 128)
    return NULL;
  LLVMValueRef half = LLVMGetOperand(product, 0), by = LLVMGetOperand(product, 1);
  bool extended = by == one_in_each(type) && LLVMIsAZExtInst(half);
  unsigned bits = extended ? LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(half, 0))) : 0;
  return bits * NB_HALVES == LLVMGetIntTypeWidth(type) ? half : NULL;
}

/* The same with shifts alone, or without any; NULL: there is nothing to spell. */
static LLVMValueRef spelled(LLVMBuilderRef builder, LLVMValueRef at) {
  LLVMValueRef before = taken_apart(at);
  if (before)
    return before;
  LLVMValueRef whole = exchanged_by(at), half = whole ? NULL : doubled_by(at);
  LLVMTypeRef type = LLVMTypeOf(at);
  if (!whole && !half)
    return NULL;
  LLVMValueRef by = LLVMConstInt(type, LLVMGetIntTypeWidth(type) / NB_HALVES, false);
  LLVMPositionBuilderBefore(builder, at);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(at));
  LLVMValueRef up = LLVMBuildShl(builder, whole ? whole : half, by, "");
  LLVMValueRef down = whole ? LLVMBuildLShr(builder, whole, by, "") : half;
  return LLVMBuildOr(builder, up, down, "");
}

bool nb_halves_spell(LLVMContextRef llvm, LLVMValueRef function) {
  bool changed = false;
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(llvm);
  for (LLVMValueRef at = nb_instruction_first(function), next; at; at = next) {
    next = nb_instruction_next(at);
    LLVMValueRef shifts = spelled(builder, at);
    if (!shifts)
      continue;
    LLVMReplaceAllUsesWith(at, shifts);
    LLVMInstructionEraseFromParent(at);
    changed = true;
  }
  LLVMDisposeBuilder(builder);
  return changed;
}
