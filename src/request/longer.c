// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Each operation on doubles becomes a call of the library; moves stay moves, for a longer number
 * has the size of a double, and its sign where that of a double is. It looks like a NaN, so what
 * was said of NaN may not stay. */
#include "request/longer.h"

#include "emit/runtime.h"
#include "request/serving.h"

#include <string.h>

#define OWN "__nabla_mpfr_"

typedef struct Longer {
  const NbNarrow *narrow;
  bool memory;
  LLVMBuilderRef builder;
  LLVMValueRef inst;
} Longer;

/* What the library has, by its names in the rules, in its order. */
static const struct {
  const char *name;
  int count;
} functions[] = {
#define NB_LONGER(name, mpfr, count) {#name, count},
#include "../../runtime/mpfr/functions.def"
};

enum {
#define NB_LONGER(name, mpfr, count) FUNCTION_##name,
#include "../../runtime/mpfr/functions.def"
  FUNCTIONS,
  MOST = 3
};

/* What changes the sign alone does so to longer numbers as they are. */
static const char *const of_signs[] = {
#define NB_LONGER(name, mpfr, count)
#define NB_LONGER_SIGN(name) #name,
#include "../../runtime/mpfr/functions.def"
};

/* As the library says how two numbers compare. */
enum { LESS = 1, EQUAL = 2, GREATER = 4, UNORDERED = 8 };

static bool refuse(const Longer *longer, const char *what) {
  return nb_refuse(longer->narrow->context, NB_ERROR_ENTRY_UNSUPPORTED, longer->inst,
                   "in a format that is longer than a double there is no %s", what);
}

static bool is_number(const Longer *longer, LLVMValueRef value) {
  return LLVMTypeOf(value) == longer->narrow->wide;
}

static LLVMTypeRef int_type(const Longer *longer, unsigned bits) {
  return LLVMIntTypeInContext(longer->narrow->context->llvm, bits);
}

/* Calls the library: behind the values stand the format and, where it makes a number, `memory`. */
static LLVMValueRef compute(const Longer *longer, const char *name, LLVMTypeRef result,
                            const LLVMValueRef *values, unsigned count, bool makes) {
  LLVMTypeRef integer = int_type(longer, 32);
  LLVMValueRef arguments[MOST + 4];
  for (unsigned i = 0; i < count; i++)
    arguments[i] = values[i];
  arguments[count] = LLVMConstInt(integer, longer->narrow->exponent, false);
  arguments[count + 1] = LLVMConstInt(integer, longer->narrow->significand, false);
  arguments[count + 2] = LLVMConstInt(integer, longer->memory, false);
  name = nb_arena_print(longer->narrow->context->arena, OWN "%s", name);
  return nb_runtime_call(longer->narrow->context, longer->builder, name, result, arguments,
                         count + 2 + makes);
}

static LLVMValueRef make(const Longer *longer, const char *name, const LLVMValueRef *values,
                         unsigned count) {
  return compute(longer, name, longer->narrow->wide, values, count, true);
}

/* What its function of so many numbers gives. */
static LLVMValueRef apply(const Longer *longer, unsigned function, const LLVMValueRef *values) {
  LLVMTypeRef number = longer->narrow->wide;
  LLVMValueRef operands[MOST + 1];
  for (int i = 0; i < MOST; i++)
    operands[i] = i < functions[function].count ? values[i] : LLVMConstNull(number);
  operands[MOST] = LLVMConstInt(int_type(longer, 32), function, false);
  return compute(longer, "compute", number, operands, MOST + 1, true);
}

/* What the library makes of one number, in any format. */
static LLVMValueRef convert(const Longer *longer, const char *name, LLVMTypeRef result,
                            LLVMValueRef value) {
  name = nb_arena_print(longer->narrow->context->arena, OWN "%s", name);
  return nb_runtime_call(longer->narrow->context, longer->builder, name, result, &value, 1);
}

static bool replace(const Longer *longer, LLVMValueRef value) {
  LLVMReplaceAllUsesWith(longer->inst, value);
  LLVMInstructionEraseFromParent(longer->inst);
  return true;
}

/* --- Operations ------------------------------------------------------------------------------- */

static bool replace_operation(const Longer *longer, unsigned function) {
  LLVMValueRef values[] = {LLVMGetOperand(longer->inst, 0), LLVMGetOperand(longer->inst, 1)};
  if (!nb_narrow_is_wide(longer->narrow, LLVMTypeOf(longer->inst)))
    return true;
  if (!is_number(longer, longer->inst))
    return refuse(longer, "arithmetic of vectors");
  return replace(longer, apply(longer, function, values));
}

/* LLVM's predicates have a bit each for equal, greater, less and unordered. */
static unsigned wanted_by(LLVMRealPredicate predicate) {
  unsigned bits = (unsigned)predicate, wanted = 0;
  wanted |= bits & 1 ? EQUAL : 0;
  wanted |= bits & 2 ? GREATER : 0;
  wanted |= bits & 4 ? LESS : 0;
  wanted |= bits & 8 ? UNORDERED : 0;
  return wanted;
}

static bool replace_comparison(const Longer *longer) {
  LLVMValueRef values[] = {LLVMGetOperand(longer->inst, 0), LLVMGetOperand(longer->inst, 1)};
  LLVMTypeRef integer = int_type(longer, 32);
  if (!nb_narrow_is_wide(longer->narrow, LLVMTypeOf(values[0])))
    return true;
  if (!is_number(longer, values[0]))
    return refuse(longer, "comparison of vectors");
  LLVMValueRef found = compute(longer, "compare", integer, values, 2, false);
  unsigned wanted = wanted_by(LLVMGetFCmpPredicate(longer->inst));
  LLVMValueRef both =
      LLVMBuildAnd(longer->builder, found, LLVMConstInt(integer, wanted, false), "");
  return replace(longer,
                 LLVMBuildICmp(longer->builder, LLVMIntNE, both, LLVMConstNull(integer), ""));
}

/* --- Conversions, where numbers in registers are of the format ---------------------------------
 */

static bool replace_to_integer(const Longer *longer, bool is_signed) {
  LLVMTypeRef type = LLVMTypeOf(longer->inst), word = int_type(longer, 64);
  LLVMValueRef value = LLVMGetOperand(longer->inst, 0);
  if (!nb_narrow_is_wide(longer->narrow, LLVMTypeOf(value)))
    return true;
  if (!is_number(longer, value) || LLVMGetIntTypeWidth(type) > 64)
    return refuse(longer, "conversion to vectors or to integers of more than 64 bits");
  value = convert(longer, is_signed ? "to_signed" : "to_unsigned", word, value);
  return replace(longer, LLVMBuildIntCast2(longer->builder, value, type, is_signed, ""));
}

static bool replace_from_integer(const Longer *longer, bool is_signed) {
  LLVMValueRef value = LLVMGetOperand(longer->inst, 0);
  if (!nb_narrow_is_wide(longer->narrow, LLVMTypeOf(longer->inst)))
    return true;
  if (!is_number(longer, longer->inst) || LLVMGetIntTypeWidth(LLVMTypeOf(value)) > 64)
    return refuse(longer, "conversion from vectors or from integers of more than 64 bits");
  value = LLVMBuildIntCast2(longer->builder, value, int_type(longer, 64), is_signed, "");
  return replace(longer, make(longer, is_signed ? "from_signed" : "from_unsigned", &value, 1));
}

static void put_double(const Longer *longer, unsigned index) {
  LLVMValueRef value = LLVMGetOperand(longer->inst, index);
  LLVMSetOperand(longer->inst, index, nb_longer_out_of(longer->narrow, longer->builder, value));
}

static bool replace_conversion(const Longer *longer) {
  LLVMTypeRef type = LLVMTypeOf(longer->inst);
  LLVMValueRef value = LLVMGetOperand(longer->inst, 0);
  if (!nb_narrow_is_wide(longer->narrow, LLVMTypeOf(value)))
    return true;
  if (!is_number(longer, value))
    return refuse(longer, "conversion of vectors");
  if (LLVMGetTypeKind(type) == LLVMFloatTypeKind)
    return replace(longer, convert(longer, "get_float", type, value));
  put_double(longer, 0);
  return true;
}

static bool chooses(LLVMValueRef value) {
  return LLVMIsAPHINode(value) || LLVMIsASelectInst(value) || LLVMIsAFreezeInst(value);
}

/* Are the bits a number's, moved whole from memory or registers? */
static bool come_whole(LLVMValueRef bits, LLVMTypeRef wide, NbMap *seen) {
  if (nb_map_has(seen, bits) || LLVMIsALoadInst(bits) || LLVMIsAConstant(bits))
    return true;
  nb_map_set(seen, bits, bits);
  if (LLVMIsABitCastInst(bits))
    return LLVMTypeOf(LLVMGetOperand(bits, 0)) == wide;
  bool whole = chooses(bits);
  for (int i = LLVMIsASelectInst(bits) ? 1 : 0; whole && i < LLVMGetNumOperands(bits); i++)
    whole = come_whole(LLVMGetOperand(bits, (unsigned)i), wide, seen);
  return whole;
}

/* And are they moved on as such? */
static bool go_whole(LLVMValueRef bits, LLVMTypeRef wide, NbMap *seen) {
  if (nb_map_has(seen, bits))
    return true;
  nb_map_set(seen, bits, bits);
  for (LLVMUseRef use = LLVMGetFirstUse(bits); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool stored = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == bits;
    bool back = LLVMIsABitCastInst(user) && LLVMTypeOf(user) == wide;
    if (!stored && !back && !(chooses(user) && go_whole(user, wide, seen)))
      return false;
  }
  return true;
}

static bool check_bits(const Longer *longer) {
  LLVMTypeRef to = LLVMTypeOf(longer->inst), from = LLVMTypeOf(LLVMGetOperand(longer->inst, 0));
  bool number = nb_narrow_is_wide(longer->narrow, to) || nb_narrow_is_wide(longer->narrow, from);
  NbMap *seen = nb_map_new(longer->narrow->context->arena);
  bool whole = LLVMTypeOf(longer->inst) == longer->narrow->wide
                   ? come_whole(LLVMGetOperand(longer->inst, 0), longer->narrow->wide, seen)
                   : go_whole(longer->inst, longer->narrow->wide, seen);
  return !number || whole || refuse(longer, "way to look at the bits of a number");
}

/* --- Calls ------------------------------------------------------------------------------------ */

/* What C makes of `a * b + c` where a processor may do both at once. */
static bool replace_both(const Longer *longer) {
  LLVMValueRef call = longer->inst;
  LLVMValueRef factors[] = {LLVMGetOperand(call, 0), LLVMGetOperand(call, 1)};
  LLVMValueRef terms[] = {apply(longer, FUNCTION_mul, factors), LLVMGetOperand(call, 2)};
  return replace(longer, apply(longer, FUNCTION_add, terms));
}

static bool takes_numbers(const Longer *longer, unsigned count) {
  bool numbers = is_number(longer, longer->inst) && LLVMGetNumArgOperands(longer->inst) == count;
  for (unsigned i = 0; numbers && i < count; i++)
    numbers = is_number(longer, LLVMGetOperand(longer->inst, i));
  return numbers;
}

static bool touches_number(const Longer *longer) {
  bool touches = nb_narrow_is_wide(longer->narrow, LLVMTypeOf(longer->inst));
  for (unsigned i = 0; i < LLVMGetNumArgOperands(longer->inst); i++)
    touches |= nb_narrow_is_wide(longer->narrow, LLVMTypeOf(LLVMGetOperand(longer->inst, i)));
  return touches;
}

static bool is_of_signs(const char *name) {
  for (unsigned i = 0; i < sizeof of_signs / sizeof *of_signs; i++)
    if (strcmp(of_signs[i], name) == 0)
      return true;
  return false;
}

static bool replace_function(const Longer *longer, const char *name) {
  LLVMValueRef values[MOST];
  unsigned count = LLVMGetNumArgOperands(longer->inst);
  if (is_of_signs(name) && is_number(longer, longer->inst))
    return true;
  for (unsigned i = 0; i < count && i < MOST; i++)
    values[i] = LLVMGetOperand(longer->inst, i);
  for (unsigned i = 0; i < FUNCTIONS; i++)
    if (strcmp(functions[i].name, name) == 0 && (unsigned)functions[i].count == count &&
        takes_numbers(longer, count))
      return replace(longer, apply(longer, i, values));
  return refuse(longer, nb_arena_print(longer->narrow->context->arena, "'%s'", name));
}

static bool replace_call(const Longer *longer) {
  const NbRule *rule = nb_rule_of_call(longer->narrow->context, longer->inst, NULL);
  LLVMValueRef callee = nb_callee(longer->inst);
  bool computes = rule && (rule->kind == NB_RULE_TANGENT || rule->kind == NB_RULE_STRUCT);
  if (!touches_number(longer))
    return true;
  if (nb_call_multiplies_and_adds(longer->inst) && takes_numbers(longer, 3))
    return replace_both(longer);
  if (callee && computes)
    return LLVMIsACallInst(longer->inst) ? replace_function(longer, rule->name) : true;
  for (unsigned i = 0; longer->memory && i < LLVMGetNumArgOperands(longer->inst); i++)
    if (is_number(longer, LLVMGetOperand(longer->inst, i)))
      put_double(longer, i);
  return true;
}

/* --- All of them ------------------------------------------------------------------------------ */

static bool drop_flags(const Longer *longer) {
  if (!LLVMCanValueUseFastMathFlags(longer->inst))
    return true;
  LLVMFastMathFlags flags = LLVMGetFastMathFlags(longer->inst);
  if (longer->memory && (flags & LLVMFastMathNoNaNs) != 0)
    return refuse(longer, "-ffast-math (-ffinite-math-only)");
  LLVMSetFastMathFlags(longer->inst, LLVMFastMathNone);
  return true;
}

static bool replace_in_memory(const Longer *longer) {
  switch (LLVMGetInstructionOpcode(longer->inst)) {
  case LLVMFPToSI:
  case LLVMFPToUI:
    return replace_to_integer(longer, LLVMGetInstructionOpcode(longer->inst) == LLVMFPToSI);
  case LLVMSIToFP:
  case LLVMUIToFP:
    return replace_from_integer(longer, LLVMGetInstructionOpcode(longer->inst) == LLVMSIToFP);
  case LLVMFPTrunc:
  case LLVMFPExt:
    return replace_conversion(longer);
  case LLVMBitCast:
    return check_bits(longer);
  case LLVMAtomicRMW:
    return !nb_narrow_is_wide(longer->narrow, LLVMTypeOf(longer->inst)) ||
           refuse(longer, "atomic arithmetic");
  default:
    return true;
  }
}

bool nb_longer_replace(const NbNarrow *narrow, bool memory, LLVMBuilderRef builder,
                       LLVMValueRef inst) {
  Longer longer = {narrow, memory, builder, inst};
  if (!drop_flags(&longer))
    return false;
  switch (LLVMGetInstructionOpcode(inst)) {
  case LLVMFAdd:
    return replace_operation(&longer, FUNCTION_add);
  case LLVMFSub:
    return replace_operation(&longer, FUNCTION_sub);
  case LLVMFMul:
    return replace_operation(&longer, FUNCTION_mul);
  case LLVMFDiv:
    return replace_operation(&longer, FUNCTION_div);
  case LLVMFRem:
    return replace_operation(&longer, FUNCTION_rem);
  case LLVMFCmp:
    return replace_comparison(&longer);
  case LLVMCall:
  case LLVMInvoke:
    return replace_call(&longer);
  default:
    return !memory || replace_in_memory(&longer);
  }
}

LLVMValueRef nb_longer_into(const NbNarrow *narrow, LLVMBuilderRef builder, LLVMValueRef value) {
  Longer longer = {narrow, true, builder, NULL};
  return make(&longer, "number", &value, 1);
}

LLVMValueRef nb_longer_out_of(const NbNarrow *narrow, LLVMBuilderRef builder, LLVMValueRef value) {
  Longer longer = {narrow, true, builder, NULL};
  return convert(&longer, "get", narrow->wide, value);
}
