// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Arithmetic and conversions. Integers are signed; what may wrap around is done unsigned. */
#include "source/place.h"

#include <string.h>

static unsigned bits_of(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 0;
}

static bool is_vector(LLVMTypeRef type) { return LLVMGetTypeKind(type) == LLVMVectorTypeKind; }

/* Narrow formats are computed in wider ones: a cast rounds each result. */
static bool is_rounded(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  return kind == LLVMHalfTypeKind || kind == LLVMBFloatTypeKind;
}

static const char *cast_to(Function *f, const char *type, const char *text, int own, int level) {
  const char *inner = source_wrap(f->arena, text, own, LEVEL_UNARY);
  return source_wrap(f->arena, nb_arena_print(f->arena, "(%s)%s", type, inner), LEVEL_UNARY, level);
}

static const char *type_name(Function *f, LLVMValueRef value) {
  return source_type(f->writer, LLVMTypeOf(value));
}

/* --- Floating point -------------------------------------------------------------------------- */

static const char *real_operation(Function *f, LLVMValueRef instruction, int level) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
  LLVMTypeRef type = LLVMTypeOf(instruction);
  if (opcode == LLVMFRem)
    return source_call(f, instruction, level);
  const char *sign = opcode == LLVMFAdd   ? "+"
                     : opcode == LLVMFSub ? "-"
                     : opcode == LLVMFMul ? "*"
                                          : "/";
  int own = opcode == LLVMFAdd || opcode == LLVMFSub ? LEVEL_SUM : LEVEL_PRODUCT;
  const char *left = source_value(f, LLVMGetOperand(instruction, 0), own);
  const char *right = source_value(f, LLVMGetOperand(instruction, 1), own + 1);
  const char *text = nb_arena_print(f->arena, "%s %s %s", left, sign, right);
  if (is_rounded(type))
    return cast_to(f, source_type(f->writer, type), text, own, level);
  return source_wrap(f->arena, text, own, level);
}

/* --- Integers -------------------------------------------------------------------------------- */

typedef struct Operator {
  const char *sign;
  int level;
  bool is_unsigned; /* the operation itself is */
  bool wraps;       /* it may, where nothing says that it does not */
} Operator;

static Operator operator_of(LLVMOpcode opcode) {
  switch (opcode) {
  case LLVMAdd:
    return (Operator){"+", LEVEL_SUM, false, true};
  case LLVMSub:
    return (Operator){"-", LEVEL_SUM, false, true};
  case LLVMMul:
    return (Operator){"*", LEVEL_PRODUCT, false, true};
  case LLVMShl:
    return (Operator){"<<", LEVEL_SHIFT, true, false};
  case LLVMLShr:
    return (Operator){">>", LEVEL_SHIFT, true, false};
  case LLVMAShr:
    return (Operator){">>", LEVEL_SHIFT, false, false};
  case LLVMUDiv:
    return (Operator){"/", LEVEL_PRODUCT, true, false};
  case LLVMSDiv:
    return (Operator){"/", LEVEL_PRODUCT, false, false};
  case LLVMURem:
    return (Operator){"%", LEVEL_PRODUCT, true, false};
  case LLVMSRem:
    return (Operator){"%", LEVEL_PRODUCT, false, false};
  case LLVMAnd:
    return (Operator){"&", LEVEL_BITS, false, false};
  case LLVMOr:
    return (Operator){"|", LEVEL_BITS - 2, false, false};
  default:
    return (Operator){"^", LEVEL_BITS - 1, false, false};
  }
}

const char *source_sign(LLVMOpcode opcode) { return operator_of(opcode).sign; }

static const char *as_unsigned(Function *f, LLVMValueRef operand, LLVMTypeRef type) {
  bool plain =
      LLVMIsAConstantInt(operand) && bits_of(type) <= 64 && LLVMConstIntGetSExtValue(operand) >= 0;
  if (plain)
    return source_value(f, operand, LEVEL_PRIMARY);
  return nb_arena_print(f->arena, "(%s)%s", source_unsigned(f->writer, type),
                        source_value(f, operand, LEVEL_UNARY));
}

static const char *unsigned_operation(Function *f, LLVMValueRef instruction, Operator operator,
                                      int level) {
  LLVMTypeRef type = LLVMTypeOf(instruction);
  bool shift = operator.level == LEVEL_SHIFT;
  LLVMValueRef second = LLVMGetOperand(instruction, 1);
  const char *left = nb_arena_print(f->arena, "(%s)%s", source_unsigned(f->writer, type),
                                    source_value(f, LLVMGetOperand(instruction, 0), LEVEL_UNARY));
  const char *right = shift ? source_value(f, second, LEVEL_UNARY) : as_unsigned(f, second, type);
  const char *text = nb_arena_print(f->arena, "%s %s %s", left, operator.sign, right);
  return cast_to(f, source_type(f->writer, type), text, operator.level, level);
}

/* x + -1 is x - 1. */
static const char *plain_operation(Function *f, LLVMValueRef instruction, Operator operator,
                                   int level) {
  LLVMTypeRef type = LLVMTypeOf(instruction);
  LLVMValueRef second = LLVMGetOperand(instruction, 1);
  bool bitwise = operator.level <= LEVEL_BITS;
  bool apart = bitwise || operator.level == LEVEL_SHIFT;
  int inner = apart ? LEVEL_UNARY : operator.level;
  const char *left = source_value(f, LLVMGetOperand(instruction, 0), inner);
  if (operator.level == LEVEL_SHIFT && LLVMIsAConstantInt(LLVMGetOperand(instruction, 0)))
    left = cast_to(f, source_type(f->writer, type), left, LEVEL_UNARY, LEVEL_UNARY);
  const char *right = source_value(f, second, apart ? LEVEL_UNARY : operator.level + 1);
  const char *sign = operator.sign;
  if (*right == '-' && *sign == '+' && LLVMIsAConstantInt(second)) {
    sign = "-";
    right++;
  }
  const char *text = nb_arena_print(f->arena, "%s %s %s", left, sign, right);
  if (bits_of(type) < 32 && bits_of(type) > 1 && !bitwise)
    return cast_to(f, source_type(f->writer, type), text, operator.level, level);
  return source_wrap(f->arena, text, operator.level, level);
}

static bool is_all_ones(LLVMValueRef value) {
  return LLVMIsAConstantInt(value) && LLVMConstAllOnes(LLVMTypeOf(value)) == value;
}

static bool is_zero(LLVMValueRef value) { return LLVMIsAConstantInt(value) && LLVMIsNull(value); }

static const char *bit_operation(Function *f, LLVMValueRef instruction, Operator operator,
                                 int level) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
  LLVMValueRef first = LLVMGetOperand(instruction, 0), second = LLVMGetOperand(instruction, 1);
  if (opcode == LLVMXor && is_all_ones(second))
    return source_condition(f, first, true, level);
  if (opcode != LLVMAnd && opcode != LLVMOr && opcode != LLVMXor)
    return source_refuse(f, "there is arithmetic on single bits");
  return plain_operation(f, instruction, operator, level);
}

static bool does_not_wrap(const Function *f, LLVMValueRef instruction) {
  unsigned bits = bits_of(LLVMTypeOf(instruction));
  if (LLVMGetNSW(instruction) || bits == 8 || bits == 16)
    return true;
  return source_does_not_wrap(f->writer, instruction);
}

/* `8 * x` of a shift by 3, where that is the same; NULL. */
static const char *multiplied(Function *f, LLVMValueRef shift, int level) {
  enum { MOST = 30 };
  LLVMValueRef second = LLVMGetOperand(shift, 1);
  uint64_t by = LLVMIsAConstantInt(second) ? LLVMConstIntGetZExtValue(second) : MOST;
  if (by >= MOST || bits_of(LLVMTypeOf(shift)) < 32 || !does_not_wrap(f, shift))
    return NULL;
  const char *text = nb_arena_print(f->arena, "%u * %s", 1U << by,
                                    source_value(f, LLVMGetOperand(shift, 0), LEVEL_UNARY));
  return source_wrap(f->arena, text, LEVEL_PRODUCT, level);
}

static const char *integer_operation(Function *f, LLVMValueRef instruction, int level) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
  Operator operator = operator_of(opcode);
  LLVMValueRef second = LLVMGetOperand(instruction, 1);
  if (bits_of(LLVMTypeOf(instruction)) == 1)
    return bit_operation(f, instruction, operator, level);
  if (opcode == LLVMXor && is_all_ones(second)) {
    const char *text = source_value(f, LLVMGetOperand(instruction, 0), LEVEL_PRIMARY);
    return source_wrap(f->arena, nb_arena_print(f->arena, "~%s", text), LEVEL_UNARY, level);
  }
  if (opcode == LLVMSub && is_zero(LLVMGetOperand(instruction, 0)) && LLVMGetNSW(instruction)) {
    const char *text = source_value(f, second, LEVEL_PRIMARY);
    return source_wrap(f->arena, nb_arena_print(f->arena, "-%s", text), LEVEL_UNARY, level);
  }
  bool wraps = operator.wraps && !does_not_wrap(f, instruction);
  const char *product = opcode == LLVMShl ? multiplied(f, instruction, level) : NULL;
  if (product)
    return product;
  return operator.is_unsigned || wraps ? unsigned_operation(f, instruction, operator, level)
                                       : plain_operation(f, instruction, operator, level);
}

const char *source_binary(Function *f, LLVMValueRef instruction, int level) {
  LLVMTypeRef type = LLVMTypeOf(instruction);
  bool integers = bits_of(is_vector(type) ? LLVMGetElementType(type) : type) != 0;
  if (is_vector(type) && integers)
    return source_vector_binary(f, instruction, level);
  return integers ? integer_operation(f, instruction, level)
                  : real_operation(f, instruction, level);
}

/* --- Conversions ----------------------------------------------------------------------------- */

static const char *through_union(Function *f, LLVMValueRef cast, LLVMValueRef operand) {
  return nb_arena_print(f->arena, "((union { %s from; %s to; }){%s}).to", type_name(f, operand),
                        type_name(f, cast), source_value(f, operand, LEVEL_CHOICE));
}

/* Through the unsigned integer of the operand's size, or that of the result's. */
static const char *through_unsigned(Function *f, LLVMValueRef cast, LLVMTypeRef type, int level) {
  const char *text = source_value(f, LLVMGetOperand(cast, 0), LEVEL_UNARY);
  text = nb_arena_print(f->arena, "(%s)%s", source_unsigned(f->writer, type), text);
  return cast_to(f, type_name(f, cast), text, LEVEL_UNARY, level);
}

static const char *truncated(Function *f, LLVMValueRef cast, int level) {
  LLVMValueRef operand = LLVMGetOperand(cast, 0);
  if (bits_of(LLVMTypeOf(cast)) == 1)
    return source_wrap(f->arena,
                       nb_arena_print(f->arena, "%s & 1", source_value(f, operand, LEVEL_UNARY)),
                       LEVEL_BITS, level);
  return cast_to(f, type_name(f, cast), source_value(f, operand, LEVEL_UNARY), LEVEL_UNARY, level);
}

static const char *from_integer(Function *f, LLVMValueRef cast, bool is_signed, int level) {
  LLVMValueRef operand = LLVMGetOperand(cast, 0);
  LLVMTypeRef type = LLVMTypeOf(operand);
  const char *text = source_value(f, operand, LEVEL_UNARY);
  if (bits_of(type) == 1)
    return cast_to(f, type_name(f, cast), is_signed ? nb_arena_print(f->arena, "-%s", text) : text,
                   LEVEL_UNARY, level);
  if (is_signed || LLVMGetInstructionOpcode(cast) == LLVMSExt)
    return cast_to(f, type_name(f, cast), text, LEVEL_UNARY, level);
  return through_unsigned(f, cast, type, level);
}

const char *source_cast(Function *f, LLVMValueRef cast, int level) {
  LLVMValueRef operand = LLVMGetOperand(cast, 0);
  if (is_vector(LLVMTypeOf(cast)) || is_vector(LLVMTypeOf(operand)))
    return source_vector_cast(f, cast);
  switch (LLVMGetInstructionOpcode(cast)) {
  case LLVMTrunc:
    return truncated(f, cast, level);
  case LLVMSExt:
  case LLVMSIToFP:
    return from_integer(f, cast, true, level);
  case LLVMZExt:
  case LLVMUIToFP:
    return from_integer(f, cast, LLVMGetNNeg(cast), level);
  case LLVMFPToUI:
    return through_unsigned(f, cast, LLVMTypeOf(cast), level);
  case LLVMBitCast:
    return through_union(f, cast, operand);
  default:
    return cast_to(f, type_name(f, cast), source_value(f, operand, LEVEL_UNARY), LEVEL_UNARY,
                   level);
  }
}
