// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A format that processors have is computed with in that format; another in calls of the runtime,
 * which takes and gives doubles. */
#include "request/narrow.h"

#include "emit/runtime.h"

#include <string.h>

#define ROUND "__nabla_round"

static const struct {
  uint64_t bits;
  unsigned exponent, significand;
  LLVMTypeRef (*type)(LLVMContextRef llvm);
} formats[] = {{64, 11, 52, LLVMDoubleTypeInContext},
               {32, 8, 23, LLVMFloatTypeInContext},
               {16, 5, 10, LLVMHalfTypeInContext}};

enum { FORMATS = sizeof formats / sizeof *formats };
/* Of formats that are longer than a double. */
enum { MOST_EXPONENT = 30, MOST_SIGNIFICAND = 1 << 16 };

static int format_of_bits(uint64_t bits) {
  for (int i = 0; i < FORMATS; i++)
    if (formats[i].bits == bits)
      return i;
  return -1;
}

bool nb_narrow_bits(uint64_t *numbers) {
  for (int i = 0; i < FORMATS; i++) {
    if (formats[i].exponent == numbers[0] && formats[i].significand == numbers[1]) {
      numbers[0] = formats[i].bits;
      return true;
    }
  }
  return false;
}

bool nb_narrow_of(NbContext *context, const uint64_t *numbers, unsigned count, NbNarrow *narrow) {
  int wide = count ? format_of_bits(numbers[0]) : -1;
  int other = count == 2 ? format_of_bits(numbers[1]) : -1;
  if (wide < 0 || (count != 3 && other <= wide))
    return false;
  uint64_t exponent = count == 3 ? numbers[1] : formats[other].exponent;
  uint64_t significand = count == 3 ? numbers[2] : formats[other].significand;
  bool fits = exponent <= MOST_EXPONENT && significand <= MOST_SIGNIFICAND;
  bool wider = exponent > formats[wide].exponent || significand > formats[wide].significand;
  bool same = exponent == formats[wide].exponent && significand == formats[wide].significand;
  if (exponent < 2 || significand < 1 || (wider && (wide != 0 || !fits)))
    return false;
  *narrow = (NbNarrow){.context = context,
                       .wide = formats[wide].type(context->llvm),
                       .exponent = (unsigned)exponent,
                       .significand = (unsigned)significand,
                       .same = same,
                       .longer = wider};
  for (int i = wide + 1; i < FORMATS; i++)
    if (formats[i].exponent == exponent && formats[i].significand == significand)
      narrow->type = formats[i].type(context->llvm);
  return true;
}

static bool is_vector(LLVMTypeRef type) { return LLVMGetTypeKind(type) == LLVMVectorTypeKind; }

bool nb_narrow_is_wide(const NbNarrow *narrow, LLVMTypeRef type) {
  return (is_vector(type) ? LLVMGetElementType(type) : type) == narrow->wide;
}

/* --- Formats that processors have. ------------------------------------------------------------ */

static LLVMTypeRef native_type(const NbNarrow *narrow, LLVMTypeRef type) {
  return is_vector(type) ? LLVMVectorType(narrow->type, LLVMGetVectorSize(type)) : narrow->type;
}

static LLVMValueRef native_operate(const NbNarrow *narrow, LLVMBuilderRef builder,
                                   LLVMValueRef inst, LLVMOpcode opcode, LLVMValueRef left,
                                   LLVMValueRef right) {
  LLVMTypeRef wide = LLVMTypeOf(left), type = native_type(narrow, wide);
  LLVMValueRef a = LLVMBuildFPTrunc(builder, left, type, "");
  LLVMValueRef b = LLVMBuildFPTrunc(builder, right, type, "");
  LLVMValueRef result = LLVMBuildBinOp(builder, opcode, a, b, "");
  if (LLVMCanValueUseFastMathFlags(inst) && LLVMCanValueUseFastMathFlags(result))
    LLVMSetFastMathFlags(result, LLVMGetFastMathFlags(inst));
  return LLVMBuildFPExt(builder, result, wide, "");
}

/* --- All others. ------------------------------------------------------------------------------ */

/* Is the value one of this format, since the runtime made it? */
static bool is_rounded(const NbNarrow *narrow, LLVMValueRef value) {
  if (LLVMIsAFPTruncInst(value))
    value = LLVMGetOperand(value, 0);
  LLVMValueRef callee = LLVMIsACallInst(value) ? nb_callee(value) : NULL;
  if (!callee || strncmp(nb_name(callee), ROUND, strlen(ROUND)) != 0)
    return false;
  unsigned count = LLVMGetNumArgOperands(value);
  return LLVMConstIntGetZExtValue(LLVMGetOperand(value, count - 2)) == narrow->exponent &&
         LLVMConstIntGetZExtValue(LLVMGetOperand(value, count - 1)) == narrow->significand;
}

/* The runtime's function of `count` numbers of the wide type. */
static LLVMValueRef compute(const NbNarrow *narrow, LLVMBuilderRef builder, const char *name,
                            const LLVMValueRef *numbers, unsigned count) {
  LLVMContextRef llvm = narrow->context->llvm;
  LLVMTypeRef real = LLVMDoubleTypeInContext(llvm), integer = LLVMInt32TypeInContext(llvm);
  LLVMValueRef arguments[4];
  for (unsigned i = 0; i < count; i++)
    arguments[i] = LLVMBuildFPCast(builder, numbers[i], real, "");
  arguments[count] = LLVMConstInt(integer, narrow->exponent, false);
  arguments[count + 1] = LLVMConstInt(integer, narrow->significand, false);
  LLVMValueRef result = nb_runtime_call(narrow->context, builder, name, real, arguments, count + 2);
  nb_attributes_set_pure(LLVMGetCalledValue(result));
  return LLVMBuildFPCast(builder, result, narrow->wide, "");
}

/* The same for each lane of vectors. */
static LLVMValueRef compute_lanes(const NbNarrow *narrow, LLVMBuilderRef builder, const char *name,
                                  const LLVMValueRef *values, unsigned count) {
  LLVMTypeRef type = LLVMTypeOf(values[0]);
  LLVMTypeRef integer = LLVMInt32TypeInContext(narrow->context->llvm);
  if (!is_vector(type))
    return compute(narrow, builder, name, values, count);
  LLVMValueRef result = LLVMGetPoison(type);
  for (unsigned lane = 0; lane < LLVMGetVectorSize(type); lane++) {
    LLVMValueRef index = LLVMConstInt(integer, lane, false), parts[2];
    for (unsigned i = 0; i < count; i++)
      parts[i] = LLVMBuildExtractElement(builder, values[i], index, "");
    LLVMValueRef part = compute(narrow, builder, name, parts, count);
    result = LLVMBuildInsertElement(builder, result, part, index, "");
  }
  return result;
}

static LLVMValueRef odd_operate(const NbNarrow *narrow, LLVMBuilderRef builder, LLVMOpcode opcode,
                                LLVMValueRef left, LLVMValueRef right) {
  LLVMValueRef values[2];
  values[0] = nb_narrow_round(narrow, builder, left);
  values[1] = nb_narrow_round(narrow, builder, right);
  switch (opcode) {
  case LLVMFAdd:
    return compute_lanes(narrow, builder, ROUND "_add", values, 2);
  case LLVMFSub:
    return compute_lanes(narrow, builder, ROUND "_sub", values, 2);
  case LLVMFMul:
    return compute_lanes(narrow, builder, ROUND "_mul", values, 2);
  case LLVMFDiv:
    return compute_lanes(narrow, builder, ROUND "_div", values, 2);
  default:
    values[0] = LLVMBuildBinOp(builder, opcode, values[0], values[1], "");
    return nb_narrow_round(narrow, builder, values[0]);
  }
}

/* --- Both. ------------------------------------------------------------------------------------ */

LLVMValueRef nb_narrow_round(const NbNarrow *narrow, LLVMBuilderRef builder, LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  if (narrow->same || !nb_narrow_is_wide(narrow, type) ||
      (!narrow->type && is_rounded(narrow, value)))
    return value;
  if (!narrow->type)
    return compute_lanes(narrow, builder, ROUND, &value, 1);
  LLVMValueRef rounded = LLVMBuildFPTrunc(builder, value, native_type(narrow, type), "");
  return LLVMBuildFPExt(builder, rounded, type, "");
}

LLVMValueRef nb_narrow_operate(const NbNarrow *narrow, LLVMBuilderRef builder, LLVMValueRef inst,
                               LLVMOpcode opcode, LLVMValueRef left, LLVMValueRef right) {
  if (narrow->type)
    return native_operate(narrow, builder, inst, opcode, left, right);
  return odd_operate(narrow, builder, opcode, left, right);
}
