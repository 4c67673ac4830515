// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Constants, exactly. */
#include "source/writer.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Numbers --------------------------------------------------------------------------------- */

static const char *suffix_of(LLVMTypeKind kind) {
  switch (kind) {
  case LLVMFloatTypeKind:
    return "f";
  case LLVMX86_FP80TypeKind:
    return "L";
  case LLVMFP128TypeKind:
    return "Q";
  default:
    return "";
  }
}

/* The fewest digits that are this number. */
static const char *shortest(NbArena *arena, double number) {
  for (int digits = 1; digits <= 17; digits++) {
    const char *text = nb_arena_print(arena, "%.*g", digits, number);
    if (strtod(text, NULL) == number)
      return strpbrk(text, ".en") ? text : nb_arena_print(arena, "%s.0", text);
  }
  return nb_arena_print(arena, "%a", number);
}

/* LLVM prints what is no double as its bits, 0xK and twenty digits. */
static const char *long_constant(NbArena *arena, LLVMValueRef constant) {
  char *printed = LLVMPrintValueToString(constant);
  const char *digits = strstr(printed, "0xK");
  unsigned exponent = 0;
  uint64_t mantissa = 0;
  bool read = digits && sscanf(digits + 3, "%4x%16" SCNx64, &exponent, &mantissa) == 2;
  LLVMDisposeMessage(printed);
  if (!read || (exponent & 0x7fff) == 0x7fff)
    return NULL;
  return nb_arena_print(arena, "%s0x%" PRIx64 "p%dL", exponent >> 15 ? "-" : "", mantissa,
                        (int)(exponent & 0x7fff) - 16383 - 63);
}

static const char *special(NbArena *arena, LLVMValueRef constant, double number, const char *cast) {
  uint64_t bits;
  const char *sign = signbit(number) ? "-" : "";
  if (isinf(number))
    return nb_arena_print(arena, "(%s%s__builtin_inf())", cast, sign);
  if (LLVMGetTypeKind(LLVMTypeOf(constant)) == LLVMDoubleTypeKind &&
      nb_constant_bits(constant, &bits))
    return nb_arena_print(arena, "(%s__builtin_nan(\"0x%" PRIx64 "\"))", sign,
                          bits & 0x7ffffffffffff);
  return nb_arena_print(arena, "(%s%s__builtin_nan(\"\"))", cast, sign);
}

static const char *real(Writer *writer, LLVMValueRef constant, int level) {
  LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(constant));
  LLVMBool lost = false;
  double number = LLVMConstRealGetDouble(constant, &lost);
  bool small = kind == LLVMHalfTypeKind || kind == LLVMBFloatTypeKind;
  const char *type = source_type(writer, LLVMTypeOf(constant));
  const char *cast = kind == LLVMDoubleTypeKind ? "" : nb_arena_print(writer->arena, "(%s)", type);
  const char *text = lost ? long_constant(writer->arena, constant) : NULL;
  if (!text && !isfinite(number))
    return special(writer->arena, constant, number, cast);
  if (!text)
    text = nb_arena_print(writer->arena, "%s%s%s", small ? cast : "",
                          shortest(writer->arena, number), suffix_of(kind));
  bool negative = *text == '-' || small;
  return source_wrap(writer->arena, text, negative ? LEVEL_UNARY : LEVEL_PRIMARY, level);
}

static const char *wide_integer(const Writer *writer, LLVMValueRef constant) {
  char *printed = LLVMPrintValueToString(constant);
  const char *digits = strrchr(printed, ' ');
  const char *text = nb_arena_copy(writer->arena, digits ? digits + 1 : "0", strlen(digits) - 1);
  LLVMDisposeMessage(printed);
  bool short_enough = strlen(text) < 19;
  if (short_enough)
    return text;
  bool negative = *text == '-';
  const char *sum = "(unsigned __int128)0";
  for (const char *at = text + negative; *at; at++)
    sum = nb_arena_print(writer->arena, "(%s) * 10 + %c", sum, *at);
  return nb_arena_print(writer->arena, "(__int128)(%s(%s))", negative ? "-" : "", sum);
}

static const char *integer(Writer *writer, LLVMValueRef constant, int level) {
  LLVMTypeRef type = LLVMTypeOf(constant);
  unsigned bits = LLVMGetIntTypeWidth(type);
  if (bits > 64)
    return source_wrap(writer->arena, wide_integer(writer, constant), LEVEL_UNARY, level);
  if (bits == 1)
    return LLVMConstIntGetZExtValue(constant) ? "1" : "0";
  int64_t number = LLVMConstIntGetSExtValue(constant);
  if (number == INT64_MIN)
    return "(-9223372036854775807L - 1)";
  if (number == INT32_MIN && bits == 32)
    return "(-2147483647 - 1)";
  bool is_long = number > INT32_MAX || number < INT32_MIN;
  const char *text = nb_arena_print(writer->arena, "%" PRId64 "%s", number, is_long ? "L" : "");
  return source_wrap(writer->arena, text, number < 0 ? LEVEL_UNARY : LEVEL_PRIMARY, level);
}

/* --- Addresses ------------------------------------------------------------------------------- */

const char *source_offset_constant(Writer *writer, LLVMValueRef constant, int level) {
  if (LLVMIsAFunction(constant) || LLVMIsAGlobalAlias(constant))
    return source_global(writer, constant);
  const char *name = source_global(writer, constant);
  const char *text = nb_arena_print(writer->arena, "(void *)&%s", name);
  return source_wrap(writer->arena, text, LEVEL_UNARY, level);
}

static const char *expression(Writer *writer, LLVMValueRef constant, int level) {
  LLVMOpcode opcode = LLVMGetConstOpcode(constant);
  const char *first = source_constant(writer, LLVMGetOperand(constant, 0), LEVEL_UNARY);
  int64_t offset = 0;
  const char *text = NULL;
  if (opcode == LLVMIntToPtr)
    text = nb_arena_print(writer->arena, "(void *)%s", first);
  if (opcode == LLVMPtrToInt)
    text = nb_arena_print(writer->arena, "(long)%s", first);
  if (opcode == LLVMGetElementPtr && nb_constant_offset(writer->context->module, constant, &offset))
    text = nb_arena_print(writer->arena, "(void *)((char *)%s + %" PRId64 ")", first, offset);
  return text ? source_wrap(writer->arena, text, LEVEL_UNARY, level) : NULL;
}

/* --- Aggregates ------------------------------------------------------------------------------ */

static bool is_aggregate(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  return kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind || kind == LLVMVectorTypeKind;
}

static const char *string(const Writer *writer, LLVMValueRef constant) {
  size_t length;
  const char *bytes = LLVMGetAsString(constant, &length);
  char *text = nb_arena_alloc(writer->arena, 4 * length + 3);
  char *to = text;
  size_t kept = length && bytes[length - 1] == 0 ? length - 1 : length;
  *to++ = '"';
  for (size_t i = 0; i < kept; i++) {
    unsigned char byte = (unsigned char)bytes[i];
    bool plain = byte >= 32 && byte < 127 && !strchr("\"\\?", byte);
    to += sprintf(to, plain ? "%c" : "\\%03o", byte);
  }
  *to = '"';
  return text;
}

static bool is_string(LLVMValueRef constant) {
  return LLVMIsAConstantDataSequential(constant) && LLVMIsConstantString(constant) &&
         LLVMGetTypeKind(LLVMTypeOf(constant)) == LLVMArrayTypeKind;
}

static unsigned count_of(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kind == LLVMStructTypeKind)
    return LLVMCountStructElementTypes(type);
  return kind == LLVMVectorTypeKind ? LLVMGetVectorSize(type) : (unsigned)LLVMGetArrayLength2(type);
}

const char *source_initialiser(Writer *writer, LLVMValueRef constant) {
  LLVMTypeRef type = LLVMTypeOf(constant);
  if (!is_aggregate(type))
    return source_constant(writer, constant, LEVEL_CHOICE);
  if (LLVMIsNull(constant) || LLVMIsUndef(constant))
    return "{0}";
  if (is_string(constant))
    return string(writer, constant);
  const char *text = "";
  for (unsigned i = 0; i < count_of(type); i++) {
    const char *element = source_initialiser(writer, LLVMGetAggregateElement(constant, i));
    bool address = LLVMGetTypeKind(type) == LLVMVectorTypeKind && element &&
                   LLVMGetTypeKind(LLVMGetElementType(type)) == LLVMPointerTypeKind;
    if (!element || address)
      return NULL;
    text = nb_arena_print(writer->arena, "%s%s%s", text, i ? ", " : "", element);
  }
  return nb_arena_print(writer->arena, "{%s}", text);
}

/* A struct that stands for an array has it as its only member. */
static const char *literal(Writer *writer, LLVMValueRef constant) {
  LLVMTypeRef type = LLVMTypeOf(constant);
  const char *text = source_initialiser(writer, constant);
  bool array = LLVMGetTypeKind(type) == LLVMArrayTypeKind;
  if (!text)
    return NULL;
  return nb_arena_print(writer->arena, array ? "(%s){%s}" : "(%s)%s", source_type(writer, type),
                        text);
}

const char *source_constant(Writer *writer, LLVMValueRef constant, int level) {
  LLVMTypeRef type = LLVMTypeOf(constant);
  if (is_aggregate(type))
    return literal(writer, constant);
  if (LLVMIsUndef(constant) || LLVMIsAConstantPointerNull(constant)) {
    bool pointer = LLVMGetTypeKind(type) == LLVMPointerTypeKind;
    return source_wrap(writer->arena, pointer ? "(void *)0" : "0",
                       pointer ? LEVEL_UNARY : LEVEL_PRIMARY, level);
  }
  if (LLVMIsAConstantInt(constant))
    return integer(writer, constant, level);
  if (LLVMIsAConstantFP(constant))
    return real(writer, constant, level);
  if (LLVMIsAGlobalValue(constant))
    return source_offset_constant(writer, constant, level);
  return LLVMIsAConstantExpr(constant) ? expression(writer, constant, level) : NULL;
}

/* --- Tables of distances --------------------------------------------------------------------- */

static LLVMValueRef operand_of(LLVMValueRef constant, LLVMOpcode opcode, unsigned index) {
  bool is = constant && LLVMIsAConstantExpr(constant) && LLVMGetConstOpcode(constant) == opcode;
  return is ? LLVMGetOperand(constant, index) : NULL;
}

LLVMValueRef source_distant(LLVMValueRef table, unsigned index) {
  LLVMValueRef values = LLVMIsAGlobalVariable(table) ? LLVMGetInitializer(table) : NULL;
  LLVMTypeRef type = values ? LLVMTypeOf(values) : NULL;
  if (!values || LLVMGetTypeKind(type) != LLVMArrayTypeKind || index >= LLVMGetArrayLength2(type))
    return NULL;
  LLVMValueRef sum = operand_of(LLVMGetAggregateElement(values, index), LLVMTrunc, 0);
  LLVMValueRef from = operand_of(operand_of(sum, LLVMSub, 1), LLVMPtrToInt, 0);
  return from == table ? operand_of(operand_of(sum, LLVMSub, 0), LLVMPtrToInt, 0) : NULL;
}

static bool is_read_as_table(LLVMValueRef table) {
  static const char name[] = "llvm.load.relative.";
  for (LLVMUseRef use = LLVMGetFirstUse(table); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    LLVMValueRef callee = LLVMIsACallInst(user) ? LLVMGetCalledValue(user) : NULL;
    bool reads = callee && strncmp(nb_name(callee), name, sizeof name - 1) == 0;
    if (!reads && !operand_of(user, LLVMPtrToInt, 0))
      return false;
  }
  return true;
}

bool source_is_table(LLVMValueRef global) {
  LLVMTypeRef type = LLVMGlobalGetValueType(global);
  LLVMLinkage linkage = LLVMGetLinkage(global);
  bool own = LLVMIsGlobalConstant(global) && LLVMGetTypeKind(type) == LLVMArrayTypeKind &&
             (linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage);
  for (unsigned i = 0; own && i < LLVMGetArrayLength2(type); i++)
    own = source_distant(global, i) != NULL;
  return own && is_read_as_table(global);
}

const char *source_table(Writer *writer, LLVMValueRef table) {
  unsigned count = (unsigned)LLVMGetArrayLength2(LLVMGlobalGetValueType(table));
  const char *text = "";
  for (unsigned i = 0; i < count; i++) {
    const char *address = source_constant(writer, source_distant(table, i), LEVEL_UNARY);
    if (!address)
      return NULL;
    text = nb_arena_print(writer->arena, "%s%s%s", text, i ? ", " : "", address);
  }
  return nb_arena_print(writer->arena, "{%s}", text);
}
