// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Vectors lane by lane, with clang's operators and builtins for them. Truth values are vectors of
 * _Bool; clang's comparisons give integers as wide as what is compared, of which all bits are
 * alike. */
#include "source/intrinsics.h"

#include <string.h>

#define ABSOLUTE "abs"
#define NUMBER "num"

static LLVMTypeRef element_of(LLVMTypeRef vector) { return LLVMGetElementType(vector); }

static bool is_vector(LLVMTypeRef type) { return LLVMGetTypeKind(type) == LLVMVectorTypeKind; }

static bool is_integer(LLVMTypeRef type) { return LLVMGetTypeKind(type) == LLVMIntegerTypeKind; }

static bool is_bit(LLVMTypeRef type) { return is_integer(type) && LLVMGetIntTypeWidth(type) == 1; }

static bool is_real(LLVMTypeRef type) { return nb_is_float_kind(LLVMGetTypeKind(type)); }

static bool is_of_pointers(LLVMTypeRef vector) {
  return LLVMGetTypeKind(element_of(vector)) == LLVMPointerTypeKind;
}

static const char *operand(Function *f, LLVMValueRef instruction, unsigned index) {
  return source_value(f, LLVMGetOperand(instruction, index), LEVEL_PRIMARY);
}

static const char *converted(Function *f, const char *text, const char *type) {
  return nb_arena_print(f->arena, "__builtin_convertvector(%s, %s)", text, type);
}

static const char *as_unsigned(Function *f, LLVMValueRef vector) {
  return nb_arena_print(f->arena, "(%s)%s", source_unsigned(f->writer, LLVMTypeOf(vector)),
                        source_value(f, vector, LEVEL_UNARY));
}

/* Integers as wide as the vector's elements. */
static const char *mask_type(Function *f, LLVMTypeRef vector) {
  LLVMTypeRef element = element_of(vector);
  bool pointers = is_of_pointers(vector);
  unsigned bits = pointers ? 64 : 8 * (unsigned)nb_store_size(f->writer->context, element);
  LLVMTypeRef integer = LLVMIntTypeInContext(f->writer->context->llvm, bits);
  return source_type(f->writer, LLVMVectorType(integer, LLVMGetVectorSize(vector)));
}

/* --- Arithmetic ------------------------------------------------------------------------------ */

/* Overflow in vectors wraps around. */
const char *source_vector_binary(Function *f, LLVMValueRef instruction, int level) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
  LLVMTypeRef type = LLVMTypeOf(instruction);
  bool bitwise = opcode == LLVMAnd || opcode == LLVMOr || opcode == LLVMXor;
  bool is_unsigned = opcode == LLVMLShr || opcode == LLVMUDiv || opcode == LLVMURem;
  if (is_bit(element_of(type)) && !bitwise)
    return source_refuse(f, "there is arithmetic on vectors of single bits");
  const char *left =
      is_unsigned ? as_unsigned(f, LLVMGetOperand(instruction, 0)) : operand(f, instruction, 0);
  const char *right =
      is_unsigned ? as_unsigned(f, LLVMGetOperand(instruction, 1)) : operand(f, instruction, 1);
  const char *text = nb_arena_print(f->arena, "(%s %s %s)", left, source_sign(opcode), right);
  if (!is_unsigned)
    return text;
  return source_wrap(f->arena,
                     nb_arena_print(f->arena, "(%s)%s", source_type(f->writer, type), text),
                     LEVEL_UNARY, level);
}

/* --- Choices --------------------------------------------------------------------------------- */

static const char *compare_integers(Function *f, LLVMValueRef compare) {
  bool is_unsigned = source_is_natural(LLVMGetICmpPredicate(compare));
  const char *sign = nb_comparison_sign(LLVMGetICmpPredicate(compare));
  LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(compare, 0));
  if (is_bit(element_of(type)) || (is_unsigned && is_of_pointers(type)))
    return source_refuse(f, "vectors of single bits, or of addresses, are compared");
  const char *left =
      is_unsigned ? as_unsigned(f, LLVMGetOperand(compare, 0)) : operand(f, compare, 0);
  const char *right =
      is_unsigned ? as_unsigned(f, LLVMGetOperand(compare, 1)) : operand(f, compare, 1);
  return nb_arena_print(f->arena, "(%s %s %s)", left, sign, right);
}

/* As C's operators have it, false where a number is NaN but for !=; or the opposite of one. */
typedef struct Form {
  LLVMRealPredicate predicate;
  const char *opposite, *sign;
} Form;

static const Form FORMS[] = {{LLVMRealOEQ, "", "=="}, {LLVMRealOGT, "", ">"},
                             {LLVMRealOGE, "", ">="}, {LLVMRealOLT, "", "<"},
                             {LLVMRealOLE, "", "<="}, {LLVMRealUNE, "", "!="},
                             {LLVMRealULE, "~", ">"}, {LLVMRealULT, "~", ">="},
                             {LLVMRealUGE, "~", "<"}, {LLVMRealUGT, "~", "<="}};

static const char *compare_reals(Function *f, LLVMValueRef compare) {
  const char *left = operand(f, compare, 0), *right = operand(f, compare, 1);
  LLVMRealPredicate predicate = LLVMGetFCmpPredicate(compare);
  for (unsigned i = 0; i < sizeof FORMS / sizeof *FORMS; i++)
    if (FORMS[i].predicate == predicate)
      return nb_arena_print(f->arena, "%s(%s %s %s)", FORMS[i].opposite, left, FORMS[i].sign,
                            right);
  if (predicate == LLVMRealUNO || predicate == LLVMRealORD)
    return nb_arena_print(f->arena, "%s((%s != %s) | (%s != %s))",
                          predicate == LLVMRealORD ? "~" : "", left, left, right, right);
  return nb_arena_print(f->arena, "%s((%s < %s) | (%s > %s))", predicate == LLVMRealUEQ ? "~" : "",
                        left, right, left, right);
}

const char *source_vector_compare(Function *f, LLVMValueRef compare) {
  const char *text =
      LLVMIsAICmpInst(compare) ? compare_integers(f, compare) : compare_reals(f, compare);
  return converted(f, text, source_type(f->writer, LLVMTypeOf(compare)));
}

const char *source_vector_choice(Function *f, LLVMValueRef select) {
  const char *condition = operand(f, select, 0), *yes = operand(f, select, 1),
             *no = operand(f, select, 2);
  LLVMTypeRef type = LLVMTypeOf(select);
  if (is_bit(element_of(type)))
    return nb_arena_print(f->arena, "((%s & %s) | (~%s & %s))", condition, yes, condition, no);
  return nb_arena_print(f->arena, "(-%s ? %s : %s)", converted(f, condition, mask_type(f, type)),
                        yes, no);
}

/* --- Conversions ----------------------------------------------------------------------------- */

/* The bits of an integer that has one for each lane. */
static const char *packed(Function *f, LLVMValueRef cast) {
  const char *vector = operand(f, cast, 0), *integer = source_type(f->writer, LLVMTypeOf(cast));
  const char *text = "";
  unsigned count = LLVMGetVectorSize(LLVMTypeOf(LLVMGetOperand(cast, 0)));
  for (unsigned i = 0; i < count; i++)
    text = nb_arena_print(f->arena, "%s%s(unsigned long)%s[%u] << %u", text, i ? " | " : "", vector,
                          i, i);
  return nb_arena_print(f->arena, "((%s)(%s))", integer, text);
}

static const char *unpacked(Function *f, LLVMValueRef cast) {
  const char *integer = operand(f, cast, 0), *text = "";
  for (unsigned i = 0; i < LLVMGetVectorSize(LLVMTypeOf(cast)); i++)
    text = nb_arena_print(f->arena, "%s%s%s >> %u & 1", text, i ? ", " : "", integer, i);
  return nb_arena_print(f->arena, "((%s){%s})", source_type(f->writer, LLVMTypeOf(cast)), text);
}

static const char *same_bits(Function *f, LLVMValueRef cast) {
  LLVMTypeRef from = LLVMTypeOf(LLVMGetOperand(cast, 0)), to = LLVMTypeOf(cast);
  bool from_bits = is_vector(from) && is_bit(element_of(from));
  bool to_bits = is_vector(to) && is_bit(element_of(to));
  bool small =
      is_integer(from_bits ? to : from) && LLVMGetIntTypeWidth(from_bits ? to : from) <= 64;
  if ((from_bits || to_bits) && (from_bits == to_bits || !small))
    return source_refuse(f, "the bits of a vector of truth values are something else");
  if (from_bits)
    return packed(f, cast);
  if (to_bits)
    return unpacked(f, cast);
  return nb_arena_print(f->arena, "((union { %s from; %s to; }){%s}).to",
                        source_type(f->writer, from), source_type(f->writer, to),
                        operand(f, cast, 0));
}

const char *source_vector_cast(Function *f, LLVMValueRef cast) {
  LLVMValueRef value = LLVMGetOperand(cast, 0);
  LLVMTypeRef from = LLVMTypeOf(value), to = LLVMTypeOf(cast);
  const char *type = source_type(f->writer, to), *text = operand(f, cast, 0);
  LLVMOpcode opcode = LLVMGetInstructionOpcode(cast);
  if (opcode == LLVMBitCast)
    return same_bits(f, cast);
  if (opcode == LLVMIntToPtr || opcode == LLVMPtrToInt)
    return text;
  bool bits = is_bit(element_of(from));
  if (bits && (opcode == LLVMSExt || opcode == LLVMSIToFP))
    return nb_arena_print(f->arena, "(-%s)", converted(f, text, type));
  if (opcode == LLVMTrunc && is_bit(element_of(to)))
    return converted(f, nb_arena_print(f->arena, "(%s & 1)", text), type);
  if ((opcode == LLVMZExt || opcode == LLVMUIToFP) && !bits)
    return converted(f, as_unsigned(f, value), type);
  if (opcode == LLVMFPToUI)
    return nb_arena_print(f->arena, "((%s)%s)", type,
                          converted(f, text, source_unsigned(f->writer, to)));
  return converted(f, text, type);
}

/* --- Intrinsics ------------------------------------------------------------------------------ */

/* All lanes with the operator between them, the first with `start`, "" where there is none. */
static const char *lanes(Function *f, LLVMValueRef vector, const char *start, const char *sign) {
  const char *text = source_value(f, vector, LEVEL_PRIMARY), *all = start;
  for (unsigned i = 0; i < LLVMGetVectorSize(LLVMTypeOf(vector)); i++)
    all = nb_arena_print(f->arena, "%s%s%s%s%s[%u]", all, *all ? " " : "", *all ? sign : "",
                         *all ? " " : "", text, i);
  return nb_arena_print(f->arena, "(%s)", all);
}

static const char *reduced(Function *f, LLVMValueRef call, const char *name) {
  LLVMValueRef first = LLVMGetOperand(call, 0);
  bool sum = strcmp(name, "fadd") == 0;
  if (sum || strcmp(name, "fmul") == 0)
    return lanes(f, LLVMGetOperand(call, 1), source_value(f, first, LEVEL_PRIMARY),
                 sum ? "+" : "*");
  LLVMTypeRef element = element_of(LLVMTypeOf(first));
  if (!is_integer(element))
    return NULL;
  if (is_bit(element)) {
    const char *sign = name[0] == 'a' ? "&" : name[0] == 'o' ? "|" : name[0] == 'x' ? "^" : NULL;
    return sign && strcmp(name, "add") != 0 ? lanes(f, first, "", sign) : NULL;
  }
  bool is_unsigned = name[0] == 'u', least = name[0] == 's' || is_unsigned;
  const char *text = is_unsigned ? as_unsigned(f, first) : source_value(f, first, LEVEL_CHOICE);
  return nb_arena_print(f->arena, "__builtin_reduce_%s(%s)", least ? name + 1 : name, text);
}

/* fabs and the like are called as integers' there, maxnum and minnum without their last syllable.
 */
const char *source_lane_name(NbArena *arena, const char *name) {
  size_t length = strlen(name);
  bool of_reals = length == 4 && strcmp(name + 1, ABSOLUTE) == 0;
  bool number = length == 6 && *name == 'm' && strcmp(name + 3, NUMBER) == 0;
  return nb_arena_copy(arena, name + of_reals,
                       number ? length - strlen(NUMBER) : length - of_reals);
}

static bool is_of_lanes(LLVMValueRef call, const char *name) {
  LLVMTypeRef type = LLVMTypeOf(call);
  bool same = is_vector(type) && is_real(element_of(type)) && !strchr(name, '.');
  for (unsigned i = 0; same && i < LLVMGetNumArgOperands(call); i++)
    same = LLVMTypeOf(LLVMGetOperand(call, i)) == type;
  return same;
}

const char *source_vector_intrinsic(Function *f, LLVMValueRef call, const char *name) {
  static const char reduces[] = "vector.reduce.";
  if (strncmp(name, reduces, sizeof reduces - 1) == 0)
    return reduced(f, call, name + sizeof reduces - 1);
  if (!is_of_lanes(call, name))
    return NULL;
  const char *list = "";
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
    list = nb_arena_print(f->arena, "%s%s%s", list, i ? ", " : "",
                          source_value(f, LLVMGetOperand(call, i), LEVEL_CHOICE));
  return nb_arena_print(f->arena, "__builtin_elementwise_%s(%s)", source_lane_name(f->arena, name),
                        list);
}
