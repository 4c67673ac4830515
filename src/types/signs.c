// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Arithmetic on the sign bit of a float, written with integers, becomes arithmetic on floats: what
 * LLVM's combiner does in optimised code. What is added to the exponent is added by a function of
 * the runtime's, which has a row: it gives the same bits whatever the float is, also where these
 * are not what ldexp would give. */
#include "types/facts.h"

#include "emit/runtime.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

typedef struct Sign {
  NbContext *context;
  LLVMBuilderRef builder;
  LLVMTypeRef type; /* of the float */
} Sign;

static bool is_mask(LLVMValueRef value, bool sign) {
  if (!LLVMIsAConstantInt(value))
    return false;
  unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(value));
  uint64_t bit = UINT64_C(1) << (width - 1);
  uint64_t all = bit | (bit - 1);
  return LLVMConstIntGetZExtValue(value) == (sign ? bit : all & ~bit);
}

/* The float of which the integer is the bits; NULL where it is not one. */
static LLVMValueRef float_of(const Sign *sign, LLVMValueRef bits) {
  bool cast = nb_is_operation(bits, LLVMBitCast);
  LLVMValueRef value = cast ? LLVMGetOperand(bits, 0) : NULL;
  return value && LLVMTypeOf(value) == sign->type ? value : NULL;
}

/* The float of which `and` keeps the sign alone, or all but the sign. */
static LLVMValueRef masked_float(const Sign *sign, LLVMValueRef and, bool keeps_sign) {
  if (!nb_is_operation(and, LLVMAnd) || !is_mask(LLVMGetOperand(and, 1), keeps_sign))
    return NULL;
  return float_of(sign, LLVMGetOperand(and, 0));
}

static LLVMValueRef call_intrinsic(const Sign *sign, const char *name, LLVMValueRef a,
                                   LLVMValueRef b) {
  LLVMValueRef arguments[] = {a, b};
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  LLVMTypeRef type = sign->type;
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(sign->context->module, id, &type, 1);
  return LLVMBuildCall2(sign->builder, LLVMGlobalGetValueType(function), function, arguments,
                        b ? 2 : 1, "");
}

/* The float without its sign, of which the integer is the bits; NULL where it is not one. */
static LLVMValueRef magnitude_of(const Sign *sign, LLVMValueRef bits) {
  LLVMValueRef value = float_of(sign, bits);
  LLVMValueRef callee = value && LLVMIsACallInst(value) ? nb_callee(value) : NULL;
  bool cleared = callee && LLVMGetIntrinsicID(callee) == LLVMLookupIntrinsicID("llvm.fabs", 9);
  return cleared ? value : masked_float(sign, bits, false);
}

/* One operand's magnitude with the other's sign. */
static LLVMValueRef joined(const Sign *sign, LLVMValueRef a, LLVMValueRef b) {
  LLVMValueRef magnitude = magnitude_of(sign, a);
  LLVMValueRef from = masked_float(sign, b, true);
  return magnitude && from ? call_intrinsic(sign, "llvm.copysign", magnitude, from) : NULL;
}

/* The float whose sign is flipped where the other's is set. */
static LLVMValueRef flipped(const Sign *sign, LLVMValueRef a, LLVMValueRef b) {
  LLVMValueRef value = float_of(sign, a);
  LLVMValueRef from = masked_float(sign, b, true);
  if (!value || !from)
    return NULL;
  LLVMValueRef one = LLVMConstReal(sign->type, 1.0);
  LLVMValueRef factor = call_intrinsic(sign, "llvm.copysign", one, from);
  return LLVMBuildFMul(sign->builder, value, factor, "");
}

static LLVMValueRef build_change(const Sign *sign, NbSignChange change, LLVMValueRef value) {
  if (change != NB_SIGN_FLIPPED)
    value = call_intrinsic(sign, "llvm.fabs", value, NULL);
  return change == NB_SIGN_CLEARED ? value : LLVMBuildFNeg(sign->builder, value, "");
}

NbSignChange nb_sign_change_of(LLVMValueRef integer) {
  if (!LLVMIsABinaryOperator(integer) ||
      LLVMGetTypeKind(LLVMTypeOf(integer)) != LLVMIntegerTypeKind)
    return NB_SIGN_KEPT;
  LLVMValueRef mask = LLVMGetOperand(integer, 1);
  switch (LLVMGetInstructionOpcode(integer)) {
  case LLVMXor:
    return is_mask(mask, true) ? NB_SIGN_FLIPPED : NB_SIGN_KEPT;
  case LLVMOr:
    return is_mask(mask, true) ? NB_SIGN_SET : NB_SIGN_KEPT;
  case LLVMAnd:
    return is_mask(mask, false) ? NB_SIGN_CLEARED : NB_SIGN_KEPT;
  default:
    return NB_SIGN_KEPT;
  }
}

LLVMValueRef nb_sign_change_build(NbContext *context, LLVMBuilderRef builder, NbSignChange change,
                                  LLVMValueRef value) {
  Sign sign = {context, builder, LLVMTypeOf(value)};
  return build_change(&sign, change, value);
}

/* The one constant of all lanes; NULL where there is none. */
static LLVMValueRef constant_of(LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind || !LLVMIsAConstant(value))
    return LLVMIsAConstantInt(value);
  LLVMValueRef first = LLVMGetAggregateElement(value, 0);
  for (unsigned i = 1; i < LLVMGetVectorSize(type); i++) {
    if (LLVMGetAggregateElement(value, i) != first)
      return NULL;
  }
  return first && LLVMIsAConstantInt(first) ? first : NULL;
}

/* Numbers whose exponent would be raised beyond the format are rare as long as it is by little. */
unsigned nb_exponent_raise_of(LLVMValueRef integer) {
  enum { MOST = 64 };
  bool adds = nb_is_operation(integer, LLVMAdd);
  LLVMValueRef constant = adds ? constant_of(LLVMGetOperand(integer, 1)) : NULL;
  if (!constant)
    return 0;
  unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(constant));
  unsigned fraction = width == 64 ? 52 : width == 32 ? 23 : 0;
  uint64_t added = fraction ? LLVMConstIntGetZExtValue(constant) : 0;
  uint64_t raise = fraction ? added >> fraction : 0;
  return raise << fraction == added && raise <= MOST ? (unsigned)raise : 0;
}

static LLVMValueRef raise_lane(const Sign *sign, LLVMValueRef value, unsigned by) {
  NbContext *context = sign->context;
  LLVMTypeRef number = LLVMInt32TypeInContext(context->llvm);
  LLVMValueRef arguments[] = {value, LLVMConstInt(number, by, false)};
  const char *name = nb_runtime_for(context, "__nabla_raise", LLVMTypeOf(value));
  LLVMValueRef call =
      nb_runtime_call(context, sign->builder, name, LLVMTypeOf(value), arguments, 2);
  nb_attributes_set_pure(call);
  return call;
}

static LLVMValueRef raised(const Sign *sign, LLVMValueRef value, unsigned by) {
  if (LLVMGetTypeKind(sign->type) != LLVMVectorTypeKind)
    return raise_lane(sign, value, by);
  LLVMValueRef result = LLVMGetPoison(sign->type);
  for (unsigned i = 0; i < LLVMGetVectorSize(sign->type); i++) {
    LLVMTypeRef number = LLVMInt64TypeInContext(sign->context->llvm);
    LLVMValueRef lane = LLVMConstInt(number, i, false);
    LLVMValueRef element = LLVMBuildExtractElement(sign->builder, value, lane, "");
    element = raise_lane(sign, element, by);
    result = LLVMBuildInsertElement(sign->builder, result, element, lane, "");
  }
  return result;
}

LLVMValueRef nb_bits_change_source(LLVMValueRef integer) {
  NbOverwrite found;
  if (nb_sign_change_of(integer) != NB_SIGN_KEPT || nb_exponent_raise_of(integer))
    return LLVMGetOperand(integer, 0);
  return nb_overwrite_of(integer, &found) ? found.of : NULL;
}

LLVMValueRef nb_bits_change_build(NbContext *context, LLVMBuilderRef builder, LLVMValueRef integer,
                                  LLVMValueRef value) {
  Sign sign = {context, builder, LLVMTypeOf(value)};
  NbOverwrite end;
  unsigned raise = nb_exponent_raise_of(integer);
  if (nb_overwrite_of(integer, &end))
    return nb_overwrite_build(context, builder, &end, value);
  return raise ? raised(&sign, value, raise)
               : build_change(&sign, nb_sign_change_of(integer), value);
}

/* What the cast of an integer to a float computes; NULL where it is no arithmetic on signs. */
static LLVMValueRef simplify(const Sign *sign, LLVMValueRef cast) {
  LLVMValueRef bits = LLVMGetOperand(cast, 0);
  if (!LLVMIsABinaryOperator(bits))
    return NULL;
  LLVMValueRef a = LLVMGetOperand(bits, 0);
  LLVMValueRef b = LLVMGetOperand(bits, 1);
  LLVMValueRef source = nb_bits_change_source(bits);
  LLVMValueRef value = source ? float_of(sign, source) : NULL;
  if (value)
    return nb_bits_change_build(sign->context, sign->builder, bits, value);
  switch (LLVMGetInstructionOpcode(bits)) {
  case LLVMXor:
    value = flipped(sign, a, b);
    return value ? value : flipped(sign, b, a);
  case LLVMOr:
    value = joined(sign, a, b);
    return value ? value : joined(sign, b, a);
  default:
    return NULL;
  }
}

static bool is_scalar_cast(LLVMValueRef value) {
  if (!nb_is_operation(value, LLVMBitCast))
    return false;
  LLVMTypeKind to = LLVMGetTypeKind(LLVMTypeOf(value));
  LLVMTypeKind from = LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(value, 0)));
  return from == LLVMIntegerTypeKind && (to == LLVMFloatTypeKind || to == LLVMDoubleTypeKind);
}

/* --- Signs that the run tells. -------------------------------------------------------------------
 */

/* Is no bit set but that of a sign, if at all? */
static bool is_sign_or_nothing(LLVMValueRef value) {
  uint64_t width = LLVMGetIntTypeWidth(LLVMTypeOf(value));
  LLVMValueRef by = nb_is_operation(value, LLVMShl) ? LLVMGetOperand(value, 1) : NULL;
  if (by)
    return LLVMIsAConstantInt(by) && LLVMConstIntGetZExtValue(by) == width - 1;
  bool constants = nb_is_operation(value, LLVMSelect);
  for (unsigned i = 1; constants && i < 3; i++) {
    LLVMValueRef arm = LLVMGetOperand(value, i);
    constants = is_mask(arm, true) || (LLVMIsAConstantInt(arm) && LLVMIsNull(arm));
  }
  return constants || (nb_is_operation(value, LLVMAnd) && is_mask(LLVMGetOperand(value, 1), true));
}

/* Is the sign that of another float, with which the one that is cast to is multiplied? */
static bool is_cast_alone(LLVMValueRef bits) {
  LLVMUseRef use = LLVMGetFirstUse(bits);
  while (use && nb_is_operation(LLVMGetUser(use), LLVMBitCast))
    use = LLVMGetNextUse(use);
  return !use;
}

/* The operand that says whether the sign of the other changes; 2 where there is none. */
static unsigned index_of_sign(LLVMValueRef bits) {
  enum { NARROWEST = 16, WIDEST = 64 };
  LLVMTypeRef type = LLVMTypeOf(bits);
  bool changes = nb_is_operation(bits, LLVMXor) || nb_is_operation(bits, LLVMOr);
  unsigned width =
      changes && LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 0;
  if (width < NARROWEST || width > WIDEST)
    return 2;
  unsigned index = is_sign_or_nothing(LLVMGetOperand(bits, 1)) ? 1 : 0;
  LLVMValueRef mask = LLVMGetOperand(bits, index), other = LLVMGetOperand(bits, 1 - index);
  bool known = LLVMIsAConstant(other) || (nb_is_operation(mask, LLVMAnd) && is_cast_alone(bits));
  return !known && is_sign_or_nothing(mask) && !is_sign_or_nothing(other) ? index : 2;
}

bool nb_types_choose_signs(NbContext *context, LLVMValueRef function) {
  bool changed = false;
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at)) {
    unsigned index = index_of_sign(at);
    if (index > 1)
      continue;
    LLVMValueRef mask = LLVMGetOperand(at, index), other = LLVMGetOperand(at, 1 - index);
    LLVMTypeRef type = LLVMTypeOf(at);
    LLVMValueRef sign = LLVMConstInt(type, UINT64_C(1) << (LLVMGetIntTypeWidth(type) - 1), false);
    LLVMPositionBuilderBefore(builder, at);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(at));
    LLVMValueRef some = LLVMBuildICmp(builder, LLVMIntNE, mask, LLVMConstNull(type), "");
    LLVMOpcode opcode = LLVMGetInstructionOpcode(at);
    LLVMValueRef with = LLVMBuildBinOp(builder, opcode, other, sign, "");
    LLVMValueRef choice = LLVMBuildSelect(builder, some, with, other, "");
    LLVMReplaceAllUsesWith(at, choice);
    LLVMSetOperand(at, index, LLVMConstNull(type));
    changed = true;
  }
  LLVMDisposeBuilder(builder);
  return changed;
}

bool nb_types_rewrite_signs(NbContext *context, LLVMValueRef function) {
  bool changed = false;
  Sign sign = {context, LLVMCreateBuilderInContext(context->llvm), NULL};
  LLVMValueRef at = nb_instruction_first(function);
  while (at) {
    LLVMValueRef next = nb_instruction_next(at);
    LLVMValueRef value = NULL;
    if (is_scalar_cast(at)) {
      sign.type = LLVMTypeOf(at);
      LLVMPositionBuilderBefore(sign.builder, at);
      LLVMSetCurrentDebugLocation2(sign.builder, LLVMInstructionGetDebugLoc(at));
      value = simplify(&sign, at);
    }
    if (value) {
      LLVMReplaceAllUsesWith(at, value);
      LLVMInstructionEraseFromParent(at);
      changed = true;
    }
    at = next;
  }
  LLVMDisposeBuilder(sign.builder);
  return changed;
}
