// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Small facts about integers that index memory. */
#include "objects/places.h"

enum { DEPTH = 6 };

static uint64_t factor_of(LLVMValueRef value, unsigned depth);

static uint64_t factor_of_constant(LLVMValueRef value) {
  if (LLVMGetIntTypeWidth(LLVMTypeOf(value)) > 64)
    return 1;
  int64_t number = LLVMConstIntGetSExtValue(value);
  return number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
}

static uint64_t factor_of_sum(LLVMValueRef value, unsigned depth) {
  uint64_t a = factor_of(LLVMGetOperand(value, 0), depth - 1);
  return nb_gcd(a, factor_of(LLVMGetOperand(value, 1), depth - 1));
}

static uint64_t factor_of_product(LLVMValueRef value, unsigned depth) {
  uint64_t a = factor_of(LLVMGetOperand(value, 0), depth - 1);
  uint64_t b = factor_of(LLVMGetOperand(value, 1), depth - 1);
  return a > (1u << 20) || b > (1u << 20) ? 1 : a * b;
}

static uint64_t factor_of_shift(LLVMValueRef value, unsigned depth) {
  LLVMValueRef amount = LLVMGetOperand(value, 1);
  if (!LLVMIsAConstantInt(amount) || LLVMConstIntGetZExtValue(amount) > 20)
    return 1;
  uint64_t a = factor_of(LLVMGetOperand(value, 0), depth - 1);
  return a > (1u << 20) ? 1 : a << LLVMConstIntGetZExtValue(amount);
}

static uint64_t factor_of_phi(LLVMValueRef value, unsigned depth) {
  uint64_t factor = 0;
  for (unsigned i = 0; i < LLVMCountIncoming(value); i++) {
    LLVMValueRef incoming = LLVMGetIncomingValue(value, i);
    bool steps = LLVMIsABinaryOperator(incoming) && LLVMGetInstructionOpcode(incoming) == LLVMAdd &&
                 LLVMGetOperand(incoming, 0) == value;
    factor = nb_gcd(factor, factor_of(steps ? LLVMGetOperand(incoming, 1) : incoming, depth / 2));
  }
  return factor;
}

static uint64_t factor_of(LLVMValueRef value, unsigned depth) {
  if (LLVMIsAConstantInt(value))
    return factor_of_constant(value);
  if (!depth || !LLVMIsAInstruction(value))
    return 1;
  switch (LLVMGetInstructionOpcode(value)) {
  case LLVMAdd:
  case LLVMSub:
    return factor_of_sum(value, depth);
  case LLVMOr:
    return LLVMGetIsDisjoint(value) ? factor_of_sum(value, depth) : 1;
  case LLVMMul:
    return factor_of_product(value, depth);
  case LLVMShl:
    return factor_of_shift(value, depth);
  case LLVMZExt:
  case LLVMSExt:
  case LLVMFreeze:
    return factor_of(LLVMGetOperand(value, 0), depth - 1);
  case LLVMPHI:
    return factor_of_phi(value, depth);
  default:
    return 1;
  }
}

uint64_t nb_integer_factor(LLVMValueRef value) { return factor_of(value, DEPTH); }

/* The phis that the question is about already: taken to be natural, which their other incoming
 * values then prove by induction. */
typedef struct Assumed {
  LLVMValueRef phi;
  const struct Assumed *outer;
} Assumed;

static bool natural(LLVMValueRef value, unsigned depth, const Assumed *outer);

static bool natural_phi(LLVMValueRef phi, unsigned depth, const Assumed *outer) {
  for (const Assumed *at = outer; at; at = at->outer) {
    if (at->phi == phi)
      return true;
  }
  Assumed here = {phi, outer};
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
    if (!natural(LLVMGetIncomingValue(phi, i), depth - 1, &here))
      return false;
  }
  return true;
}

static bool natural_both(LLVMValueRef value, unsigned depth, const Assumed *outer) {
  return natural(LLVMGetOperand(value, 0), depth - 1, outer) &&
         natural(LLVMGetOperand(value, 1), depth - 1, outer);
}

static bool natural(LLVMValueRef value, unsigned depth, const Assumed *outer) {
  if (LLVMIsAConstantInt(value))
    return LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= 64 && LLVMConstIntGetSExtValue(value) >= 0;
  if (!depth || !LLVMIsAInstruction(value))
    return false;
  switch (LLVMGetInstructionOpcode(value)) {
  case LLVMZExt:
    return true;
  case LLVMSExt:
  case LLVMFreeze:
    return natural(LLVMGetOperand(value, 0), depth - 1, outer);
  case LLVMPHI:
    return natural_phi(value, depth, outer);
  case LLVMAdd:
  case LLVMMul:
    return LLVMGetNSW(value) && natural_both(value, depth, outer);
  case LLVMShl:
    return LLVMGetNSW(value) && natural(LLVMGetOperand(value, 0), depth - 1, outer);
  case LLVMAnd:
    return natural(LLVMGetOperand(value, 0), depth - 1, outer) ||
           natural(LLVMGetOperand(value, 1), depth - 1, outer);
  case LLVMOr:
  case LLVMUDiv:
  case LLVMURem:
  case LLVMSDiv:
    return natural_both(value, depth, outer);
  default:
    return false;
  }
}

bool nb_integer_is_natural(LLVMValueRef value) { return natural(value, DEPTH + 2, NULL); }
