// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Values as expressions: variables by name, what is folded by what it computes. */
#include "source/writer.h"

#include <string.h>

const char *source_refuse(Function *f, const char *why) {
  if (!f->why_not)
    f->why_not = why;
  return "0";
}

const char *source_wrap(NbArena *arena, const char *text, int own, int level) {
  return own < level ? nb_arena_print(arena, "(%s)", text) : text;
}

/* --- Variables ------------------------------------------------------------------------------- */

static const char *wanted_name(const Function *f, LLVMValueRef value) {
  const char *name = source_clean(f->arena, nb_name(value));
  if (*name)
    return name;
  switch (LLVMGetTypeKind(LLVMTypeOf(value))) {
  case LLVMPointerTypeKind:
    return "address";
  case LLVMIntegerTypeKind:
    return "number";
  case LLVMStructTypeKind:
  case LLVMArrayTypeKind:
    return "parts";
  default:
    return "value";
  }
}

static Variable *new_variable(Function *f, LLVMValueRef value) {
  Variable *variable = NB_NEW(f->arena, Variable);
  variable->type = LLVMTypeOf(value);
  variable->pointee = source_pointee(f->writer, value);
  variable->name = source_unique(f->arena, &f->names, &f->writer->names, wanted_name(f, value));
  variable->uses = nb_list(f->arena);
  nb_map_set(f->variables, value, variable);
  return variable;
}

Variable *source_variable(Function *f, LLVMValueRef value) {
  Variable *known = nb_map_get(f->variables, value);
  bool own = LLVMIsAInstruction(value) || LLVMIsAArgument(value);
  if (known || !own || source_is_folded(f, value))
    return known;
  return new_variable(f, value);
}

const char *source_refer(Function *f, Variable *variable) {
  nb_list_push(&variable->uses, f->at);
  return variable->name;
}

const char *source_value(Function *f, LLVMValueRef value, int level) {
  if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind)
    return source_address(f, value, NULL, level);
  Variable *variable = source_variable(f, value);
  if (variable)
    return source_refer(f, variable);
  if (LLVMIsAInstruction(value))
    return source_compute(f, value, level);
  const char *text = source_constant(f->writer, value, level);
  return text ? text : source_refuse(f, "a constant is an expression of a kind that C has not");
}

/* --- Conditions ------------------------------------------------------------------------------ */

bool source_is_natural(LLVMIntPredicate predicate) {
  return predicate >= LLVMIntUGT && predicate <= LLVMIntULE;
}

static const char *opposite(const char *sign) {
  static const char *const pairs[][2] = {{"==", "!="}, {"<", ">="}, {">", "<="}};
  for (unsigned i = 0; i < 3; i++) {
    if (strcmp(sign, pairs[i][0]) == 0)
      return pairs[i][1];
    if (strcmp(sign, pairs[i][1]) == 0)
      return pairs[i][0];
  }
  return sign;
}

static bool is_pointer(LLVMValueRef value) {
  return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
}

static const char *compared(Function *f, LLVMValueRef operand, bool as_unsigned) {
  bool plain_constant = LLVMIsAConstantInt(operand) && LLVMConstIntGetSExtValue(operand) >= 0;
  if (!as_unsigned || plain_constant)
    return source_value(f, operand, LEVEL_SHIFT);
  const char *type =
      is_pointer(operand) ? "unsigned long" : source_unsigned(f->writer, LLVMTypeOf(operand));
  return nb_arena_print(f->arena, "(%s)%s", type, source_value(f, operand, LEVEL_UNARY));
}

static const char *compare_integers(Function *f, LLVMValueRef compare, bool negated, int level) {
  LLVMValueRef first = LLVMGetOperand(compare, 0), second = LLVMGetOperand(compare, 1);
  bool natural = source_is_natural(LLVMGetICmpPredicate(compare));
  const char *sign = nb_comparison_sign(LLVMGetICmpPredicate(compare));
  sign = negated ? opposite(sign) : sign;
  bool equality = sign[1] == '=' && (*sign == '=' || *sign == '!');
  bool bit = !is_pointer(first) && LLVMGetIntTypeWidth(LLVMTypeOf(first)) == 1;
  if (bit && !equality && !natural)
    return source_refuse(f, "bits are compared as signed numbers");
  bool as_unsigned = !bit && (natural || (is_pointer(first) && !equality));
  const char *left = compared(f, first, as_unsigned);
  const char *right = compared(f, second, as_unsigned);
  const char *text = nb_arena_print(f->arena, "%s %s %s", left, sign, right);
  return source_wrap(f->arena, text, equality ? LEVEL_EQUAL : LEVEL_LESS, level);
}

/* C's operators are false where a number is NaN, but for !=. */
static const char *sign_of_ordered(LLVMRealPredicate predicate) {
  switch (predicate) {
  case LLVMRealOEQ:
    return "==";
  case LLVMRealOGT:
    return ">";
  case LLVMRealOGE:
    return ">=";
  case LLVMRealOLT:
    return "<";
  case LLVMRealOLE:
    return "<=";
  case LLVMRealUNE:
    return "!=";
  default:
    return NULL;
  }
}

static LLVMRealPredicate inverse(LLVMRealPredicate predicate) {
  return (LLVMRealPredicate)(LLVMRealPredicateTrue - predicate);
}

static const char *compare_by_name(Function *f, LLVMRealPredicate predicate, const char *left,
                                   const char *right) {
  switch (predicate) {
  case LLVMRealPredicateFalse:
    return "0";
  case LLVMRealPredicateTrue:
    return "1";
  case LLVMRealONE:
    return nb_arena_print(f->arena, "__builtin_islessgreater(%s, %s)", left, right);
  case LLVMRealUEQ:
    return nb_arena_print(f->arena, "!__builtin_islessgreater(%s, %s)", left, right);
  case LLVMRealUNO:
    return nb_arena_print(f->arena, "__builtin_isunordered(%s, %s)", left, right);
  default:
    return nb_arena_print(f->arena, "!__builtin_isunordered(%s, %s)", left, right);
  }
}

static const char *compare_reals(Function *f, LLVMValueRef compare, bool negated, int level) {
  LLVMRealPredicate predicate = LLVMGetFCmpPredicate(compare);
  predicate = negated ? inverse(predicate) : predicate;
  const char *left = source_value(f, LLVMGetOperand(compare, 0), LEVEL_SHIFT);
  const char *right = source_value(f, LLVMGetOperand(compare, 1), LEVEL_SHIFT);
  const char *sign = sign_of_ordered(predicate);
  const char *other = sign ? NULL : sign_of_ordered(inverse(predicate));
  if (!sign && !other)
    return source_wrap(f->arena, compare_by_name(f, predicate, left, right), LEVEL_UNARY, level);
  const char *text = nb_arena_print(f->arena, "%s %s %s", left, sign ? sign : other, right);
  if (other)
    return source_wrap(f->arena, nb_arena_print(f->arena, "!(%s)", text), LEVEL_UNARY, level);
  return source_wrap(f->arena, text, strchr("=!", *sign) ? LEVEL_EQUAL : LEVEL_LESS, level);
}

static bool is_true(LLVMValueRef value) {
  return LLVMIsAConstantInt(value) && LLVMConstIntGetZExtValue(value);
}

/* Is it `a ? b : false` or `a ? true : b`? */
static bool is_shortcut(LLVMValueRef value, bool *is_and) {
  if (!LLVMIsASelectInst(value))
    return false;
  LLVMValueRef yes = LLVMGetOperand(value, 1), no = LLVMGetOperand(value, 2);
  *is_and = LLVMIsAConstantInt(no) && !is_true(no);
  return *is_and || is_true(yes);
}

static const char *shortcut(Function *f, LLVMValueRef select, bool is_and, bool negated,
                            int level) {
  bool as_and = is_and != negated;
  int own = as_and ? LEVEL_AND : LEVEL_OR;
  LLVMValueRef second = LLVMGetOperand(select, is_and ? 1 : 2);
  const char *left = source_condition(f, LLVMGetOperand(select, 0), negated, LEVEL_BITS);
  const char *right = source_condition(f, second, negated, LEVEL_BITS);
  const char *text = nb_arena_print(f->arena, "%s %s %s", left, as_and ? "&&" : "||", right);
  return source_wrap(f->arena, text, own, level);
}

const char *source_condition(Function *f, LLVMValueRef condition, bool negated, int level) {
  bool is_and;
  bool folded = LLVMIsAInstruction(condition) && source_is_folded(f, condition);
  if (folded && LLVMIsAICmpInst(condition))
    return compare_integers(f, condition, negated, level);
  if (folded && LLVMIsAFCmpInst(condition))
    return compare_reals(f, condition, negated, level);
  if (folded && is_shortcut(condition, &is_and))
    return shortcut(f, condition, is_and, negated, level);
  if (!negated)
    return source_value(f, condition, level);
  const char *text = source_value(f, condition, LEVEL_UNARY);
  return source_wrap(f->arena, nb_arena_print(f->arena, "!%s", text), LEVEL_UNARY, level);
}

/* --- Instructions ---------------------------------------------------------------------------- */

/* Numbers that are ints in C are chosen from as what they are here. */
static bool is_choice_of_ints(LLVMValueRef select) {
  LLVMTypeRef type = LLVMTypeOf(select);
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) > 32 &&
         LLVMIsAConstantInt(LLVMGetOperand(select, 1)) &&
         LLVMIsAConstantInt(LLVMGetOperand(select, 2));
}

static const char *choice(Function *f, LLVMValueRef select, int level) {
  bool is_and;
  if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(select, 0))) == LLVMVectorTypeKind)
    return source_vector_choice(f, select);
  if (LLVMTypeOf(select) == LLVMTypeOf(LLVMGetOperand(select, 0)) && is_shortcut(select, &is_and))
    return shortcut(f, select, is_and, false, level);
  const char *condition = source_condition(f, LLVMGetOperand(select, 0), false, LEVEL_EQUAL);
  const char *yes = source_value(f, LLVMGetOperand(select, 1), LEVEL_UNARY);
  const char *no = source_value(f, LLVMGetOperand(select, 2), LEVEL_UNARY);
  const char *text = nb_arena_print(f->arena, "%s ? %s : %s", condition, yes, no);
  if (!is_choice_of_ints(select))
    return source_wrap(f->arena, text, LEVEL_CHOICE, level);
  const char *type = source_type(f->writer, LLVMTypeOf(select));
  return source_wrap(f->arena, nb_arena_print(f->arena, "(%s)(%s)", type, text), LEVEL_UNARY,
                     level);
}

static bool is_array(LLVMTypeRef type) { return LLVMGetTypeKind(type) == LLVMArrayTypeKind; }

static LLVMTypeRef element_type(LLVMTypeRef type, unsigned index) {
  return is_array(type) ? LLVMGetElementType(type) : LLVMStructGetTypeAtIndex(type, index);
}

static const char *extracted(Function *f, LLVMValueRef extract, int level) {
  LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(extract, 0));
  const char *text = source_value(f, LLVMGetOperand(extract, 0), LEVEL_PRIMARY);
  const unsigned *indices = LLVMGetIndices(extract);
  for (unsigned i = 0; i < LLVMGetNumIndices(extract); i++) {
    bool inner_array = i && is_array(type);
    text = inner_array ? nb_arena_print(f->arena, "%s[%u]", text, indices[i])
                       : nb_arena_print(f->arena, "%s.%s", text,
                                        source_member(f->writer, type, indices[i]));
    type = element_type(type, indices[i]);
  }
  if (is_array(type))
    return source_refuse(f, "an array in a struct is a value");
  return source_wrap(f->arena, text, LEVEL_PRIMARY, level);
}

static const char *negative(Function *f, LLVMValueRef instruction, int level) {
  const char *text = source_value(f, LLVMGetOperand(instruction, 0), LEVEL_PRIMARY);
  return source_wrap(f->arena, nb_arena_print(f->arena, "-%s", text), LEVEL_UNARY, level);
}

static const char *loaded(Function *f, LLVMValueRef load, int level) {
  if (LLVMGetOrdering(load) != LLVMAtomicOrderingNotAtomic)
    return source_refuse(f, "memory is read atomically");
  return source_memory(f, LLVMGetOperand(load, 0), LLVMTypeOf(load), LLVMGetAlignment(load),
                       LLVMGetVolatile(load), level);
}

static const char *vector_part(Function *f, LLVMValueRef instruction) {
  const char *vector = source_value(f, LLVMGetOperand(instruction, 0), LEVEL_PRIMARY);
  const char *index = source_value(f, LLVMGetOperand(instruction, 1), LEVEL_ANY);
  bool pointer = LLVMGetTypeKind(LLVMTypeOf(instruction)) == LLVMPointerTypeKind;
  return nb_arena_print(f->arena, pointer ? "(void *)%s[%s]" : "%s[%s]", vector, index);
}

const char *source_compute(Function *f, LLVMValueRef instruction, int level) {
  if (LLVMIsABinaryOperator(instruction))
    return source_binary(f, instruction, level);
  if (LLVMIsACastInst(instruction))
    return source_cast(f, instruction, level);
  switch (LLVMGetInstructionOpcode(instruction)) {
  case LLVMICmp:
  case LLVMFCmp:
    if (LLVMGetTypeKind(LLVMTypeOf(instruction)) == LLVMVectorTypeKind)
      return source_vector_compare(f, instruction);
    return LLVMIsAICmpInst(instruction) ? compare_integers(f, instruction, false, level)
                                        : compare_reals(f, instruction, false, level);
  case LLVMSelect:
    return choice(f, instruction, level);
  case LLVMExtractValue:
    return extracted(f, instruction, level);
  case LLVMExtractElement:
    return vector_part(f, instruction);
  case LLVMFNeg:
    return negative(f, instruction, level);
  case LLVMLoad:
    return loaded(f, instruction, level);
  case LLVMFreeze:
    return source_value(f, LLVMGetOperand(instruction, 0), level);
  case LLVMCall:
  case LLVMInvoke:
    return source_call(f, instruction, level);
  case LLVMGetElementPtr:
    if (LLVMGetTypeKind(LLVMTypeOf(instruction)) == LLVMVectorTypeKind)
      return source_refuse(f, "a vector of addresses is computed");
    return source_element(f, instruction, level);
  default:
    return source_refuse(f, "an instruction of LLVM's is like nothing in C");
  }
}
