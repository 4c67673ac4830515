// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The exponent of a float, read and written by integer operations, as fast logarithms and roots do.
 *
 * What is left of a float's bits without those of its fraction is the same for all numbers near by:
 * it is computed from a copy of the float without derivative. And where all that operations on the
 * bits leave as it is is the fraction, the float that comes of it is the old one by a power of two:
 * a function of the runtime's, which has a row, makes it of the float and of the new upper bits. */
#include "types/facts.h"

#include "emit/runtime.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

#define APART "__nabla_apart"

enum { DEPTH = 8, DOUBLE_FRACTION = 52, SINGLE_FRACTION = 23 };

static unsigned fraction_of(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  return kind == LLVMDoubleTypeKind  ? DOUBLE_FRACTION
         : kind == LLVMFloatTypeKind ? SINGLE_FRACTION
                                     : 0;
}

/* Is it the copy of a float without derivative? */
static bool is_apart(LLVMValueRef value) {
  LLVMValueRef callee = LLVMIsACallInst(value) ? nb_callee(value) : NULL;
  return callee && !strncmp(nb_name(callee), APART, strlen(APART));
}

static bool is_integer(LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) <= 64;
}

/* Is it a cast of a float, which may have a derivative, to its bits? */
static bool is_source(LLVMValueRef value) {
  if (!nb_is_operation(value, LLVMBitCast) || !is_integer(value))
    return false;
  LLVMValueRef real = LLVMGetOperand(value, 0);
  return fraction_of(LLVMTypeOf(real)) && !is_apart(real) && !LLVMIsAConstant(real);
}

static bool is_arithmetic(LLVMValueRef value) {
  return nb_is_operation(value, LLVMAdd) || nb_is_operation(value, LLVMSub) ||
         nb_is_operation(value, LLVMOr) || nb_is_operation(value, LLVMXor);
}

/* --- What is left without the fraction. ------------------------------------------------------- */

/* An integer that is made of one float's bits and of constants. */
typedef struct Trace {
  LLVMValueRef source; /* the cast; NULL: it is none */
  int shift;           /* the float's bit that stands at the lowest place */
  int lowest;          /* that float's bit below which none matters */
} Trace;

static uint64_t constant_of(LLVMValueRef value) { return LLVMConstIntGetZExtValue(value); }

static int zeros_below(uint64_t mask) { return mask ? __builtin_ctzll(mask) : 64; }

static int larger(int a, int b) { return a > b ? a : b; }

static bool is_cast(LLVMValueRef value) {
  return LLVMIsATruncInst(value) || LLVMIsAZExtInst(value) || LLVMIsASExtInst(value) ||
         LLVMIsAFreezeInst(value);
}

/* The operand of an operation with a constant that is none; its index is 2 where there is none. */
static unsigned open_operand(LLVMValueRef value) {
  if (is_cast(value))
    return 0;
  if (!LLVMIsABinaryOperator(value))
    return 2;
  bool first = LLVMIsAConstantInt(LLVMGetOperand(value, 0));
  bool second = LLVMIsAConstantInt(LLVMGetOperand(value, 1));
  return first == second ? 2 : first ? 1 : 0;
}

static Trace trace(LLVMValueRef value, unsigned depth);

/* Behind an operation of the trace with a constant. */
static Trace trace_on(LLVMValueRef value, Trace so_far, LLVMValueRef constant, bool on_left) {
  const Trace none = {NULL, 0, 0};
  uint64_t by = constant_of(constant);
  switch (LLVMGetInstructionOpcode(value)) {
  case LLVMAnd:
    so_far.lowest = larger(so_far.lowest, so_far.shift + zeros_below(by));
    return so_far;
  case LLVMLShr:
  case LLVMAShr:
    so_far.shift += (int)(by & 63);
    so_far.lowest = larger(so_far.lowest, so_far.shift);
    return on_left ? none : so_far;
  case LLVMShl:
    so_far.shift -= (int)(by & 63);
    return on_left ? none : so_far;
  default:
    return is_arithmetic(value) ? so_far : none;
  }
}

static Trace trace(LLVMValueRef value, unsigned depth) {
  const Trace none = {NULL, 0, 0};
  if (is_source(value))
    return (Trace){value, 0, 0};
  unsigned open = depth && is_integer(value) ? open_operand(value) : 2;
  if (open > 1 || !is_integer(LLVMGetOperand(value, open)))
    return none;
  Trace so_far = trace(LLVMGetOperand(value, open), depth - 1);
  if (!so_far.source || is_cast(value))
    return so_far;
  return trace_on(value, so_far, LLVMGetOperand(value, 1 - open), open == 1);
}

static bool is_without_fraction(Trace found) {
  LLVMValueRef real = found.source ? LLVMGetOperand(found.source, 0) : NULL;
  return real && found.lowest >= (int)fraction_of(LLVMTypeOf(real));
}

/* Is more done with the integer, or what is computed of it, than to compare it? */
static bool is_taken(LLVMValueRef value, unsigned depth) {
  bool taken = depth == 0;
  for (LLVMUseRef use = LLVMGetFirstUse(value); use && !taken; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool computed = LLVMIsABinaryOperator(user) || is_cast(user);
    taken = computed ? is_taken(user, depth - 1) : !LLVMIsAICmpInst(user);
  }
  return taken;
}

/* Does this operation take the last of the fraction away? */
static bool drops_fraction(LLVMValueRef value) {
  return LLVMIsABinaryOperator(value) && is_taken(value, DEPTH) &&
         is_without_fraction(trace(value, DEPTH)) &&
         !is_without_fraction(trace(LLVMGetOperand(value, open_operand(value)), DEPTH));
}

static LLVMValueRef build_apart(NbContext *context, LLVMBuilderRef builder, LLVMValueRef source) {
  LLVMValueRef real = LLVMGetOperand(source, 0);
  const char *name = nb_runtime_for(context, APART, LLVMTypeOf(real));
  LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(source));
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(source));
  LLVMValueRef call = nb_runtime_call(context, builder, name, LLVMTypeOf(real), &real, 1);
  nb_attributes_set_pure(call);
  return LLVMBuildBitCast(builder, call, LLVMTypeOf(source), "");
}

typedef unsigned (*Next)(LLVMValueRef value);

/* The same, computed from the float's copy; `next` says through which operands. */
static LLVMValueRef copy_apart(NbContext *context, LLVMBuilderRef builder, LLVMValueRef value,
                               Next next) {
  if (is_source(value))
    return build_apart(context, builder, value);
  unsigned open = next(value);
  LLVMValueRef operand = copy_apart(context, builder, LLVMGetOperand(value, open), next);
  LLVMValueRef copy = LLVMInstructionClone(value);
  LLVMSetOperand(copy, open, operand);
  LLVMPositionBuilderBefore(builder, value);
  LLVMInsertIntoBuilder(builder, copy);
  return copy;
}

/* --- What has another exponent. --------------------------------------------------------------- */

/* Are its lowest bits zero? Then it goes by steps, whatever it is made of. */
static bool is_exponent(LLVMValueRef value, unsigned fraction, unsigned depth) {
  if (LLVMIsAConstantInt(value))
    return zeros_below(constant_of(value)) >= (int)fraction;
  if (!depth || !LLVMIsABinaryOperator(value))
    return false;
  LLVMValueRef first = LLVMGetOperand(value, 0), second = LLVMGetOperand(value, 1);
  bool constant = LLVMIsAConstantInt(second);
  if (nb_is_operation(value, LLVMShl) && constant && constant_of(second) >= fraction)
    return true;
  if (nb_is_operation(value, LLVMAnd) && constant)
    return zeros_below(constant_of(second)) >= (int)fraction;
  return is_arithmetic(value) && is_exponent(first, fraction, depth - 1) &&
         is_exponent(second, fraction, depth - 1);
}

/* Does the mask leave the fraction as it is? */
static bool keeps_fraction(LLVMValueRef mask, unsigned fraction) {
  uint64_t all = (UINT64_C(1) << fraction) - 1;
  return LLVMIsAConstantInt(mask) && (constant_of(mask) & all) == all;
}

/* The operand whose fraction the operation leaves as it is; 2 where there is none. */
static unsigned kept_operand(LLVMValueRef bits) {
  unsigned fraction =
      LLVMGetIntTypeWidth(LLVMTypeOf(bits)) == 64 ? DOUBLE_FRACTION : SINGLE_FRACTION;
  unsigned last = nb_is_operation(bits, LLVMSub) ? 1 : 2;
  for (unsigned i = 0; LLVMIsABinaryOperator(bits) && i < last; i++) {
    LLVMValueRef other = LLVMGetOperand(bits, 1 - i);
    if (nb_is_operation(bits, LLVMAnd) ? keeps_fraction(other, fraction)
                                       : is_arithmetic(bits) && is_exponent(other, fraction, DEPTH))
      return i;
  }
  return 2;
}

/* The float whose fraction is that of the integer, which has another exponent; NULL where none. */
static LLVMValueRef scaled(LLVMValueRef bits, LLVMTypeRef type) {
  for (unsigned depth = DEPTH; depth && !is_source(bits); depth--) {
    unsigned kept = kept_operand(bits);
    if (kept > 1)
      return NULL;
    bits = LLVMGetOperand(bits, kept);
  }
  LLVMValueRef real = is_source(bits) ? LLVMGetOperand(bits, 0) : NULL;
  return real && LLVMTypeOf(real) == type ? real : NULL;
}

/* The float with its new upper bits. */
static LLVMValueRef build_scaled(NbContext *context, LLVMBuilderRef builder, LLVMValueRef real,
                                 LLVMValueRef cast) {
  LLVMTypeRef type = LLVMTypeOf(real), number = LLVMInt32TypeInContext(context->llvm);
  LLVMValueRef bits = copy_apart(context, builder, LLVMGetOperand(cast, 0), kept_operand);
  LLVMPositionBuilderBefore(builder, cast);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(cast));
  LLVMValueRef fraction = LLVMConstInt(LLVMTypeOf(bits), fraction_of(type), false);
  LLVMValueRef upper = LLVMBuildLShr(builder, bits, fraction, "");
  LLVMValueRef arguments[] = {real, LLVMBuildIntCast2(builder, upper, number, false, "")};
  const char *name = nb_runtime_for(context, "__nabla_exponent", type);
  LLVMValueRef call = nb_runtime_call(context, builder, name, type, arguments, 2);
  nb_attributes_set_pure(call);
  return call;
}

static LLVMValueRef replacement_of(NbContext *context, LLVMBuilderRef builder, LLVMValueRef at) {
  if (is_integer(at))
    return drops_fraction(at) ? copy_apart(context, builder, at, open_operand) : NULL;
  bool cast = nb_is_operation(at, LLVMBitCast) && fraction_of(LLVMTypeOf(at)) &&
              is_integer(LLVMGetOperand(at, 0)) && !is_source(LLVMGetOperand(at, 0));
  LLVMValueRef real = cast ? scaled(LLVMGetOperand(at, 0), LLVMTypeOf(at)) : NULL;
  return real ? build_scaled(context, builder, real, at) : NULL;
}

bool nb_types_rewrite_exponents(NbContext *context, LLVMValueRef function) {
  return nb_types_replace_each(context, function, replacement_of);
}
