// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Expressions of rule rows become instructions. */
#include "linear/linear.h"

#include <string.h>

static LLVMValueRef lower(const NbLowering *lowering, const NbExpr *expression) {
  return nb_lower_expression(lowering, expression);
}

static LLVMValueRef with_flags(const NbLowering *lowering, LLVMValueRef value) {
  if (LLVMIsAInstruction(value) && LLVMCanValueUseFastMathFlags(value))
    LLVMSetFastMathFlags(value, lowering->fast_math);
  return value;
}

static LLVMTypeRef int_type(const NbLowering *lowering) {
  return LLVMInt32TypeInContext(lowering->context->llvm);
}

/* A splat of the number: exact where the text is a decimal that the format holds. */
static LLVMValueRef lower_number(const NbLowering *lowering, const NbExpr *expression) {
  if (expression->type == NB_TYPE_INT)
    return LLVMConstInt(int_type(lowering), (unsigned long long)(int64_t)expression->number, true);
  LLVMTypeRef scalar = nb_scalar_type(lowering->type);
  bool finite = expression->number - expression->number == 0;
  bool decimal = finite && strspn(expression->text, "+-.0123456789eE") == strlen(expression->text);
  LLVMValueRef number = decimal ? LLVMConstRealOfString(scalar, expression->text)
                                : LLVMConstReal(scalar, expression->number);
  if (scalar == lowering->type)
    return number;
  unsigned count = LLVMGetVectorSize(lowering->type);
  LLVMValueRef *lanes = NB_NEW_ARRAY(lowering->context->arena, LLVMValueRef, count);
  for (unsigned i = 0; i < count; i++)
    lanes[i] = number;
  return LLVMConstVector(lanes, count);
}

/* --- Integers -----------------------------------------------------------------------------------
 * As in C: narrow ones become signed ones of 32 bits, which hold them all; two meet at the wider
 * one, of equal width at the unsigned one. */

#define INT_WIDTH 32

/* Does the call, or the function's declaration, say that argument `index` (from 1; 0: the result)
 * is extended by zeros? */
static bool is_zero_extended(LLVMValueRef call, unsigned index) {
  return LLVMIsACallInst(call) && nb_call_says(call, nb_callee(call), index, "zeroext");
}

/* 0: no scalar integer. */
static unsigned width_of(LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 0;
}

/* Of a parameter or of the result, as the call has it. */
static bool is_unsigned_leaf(const NbLowering *lowering, const NbExpr *leaf, LLVMValueRef value) {
  unsigned index = leaf->kind == NB_EXPR_RESULT ? 0 : leaf->index + 1;
  return leaf->is_unsigned || width_of(value) == 1 || is_zero_extended(lowering->result, index);
}

static LLVMValueRef convert(const NbLowering *lowering, LLVMValueRef value, LLVMTypeRef type) {
  if (LLVMTypeOf(value) == type)
    return value;
  return LLVMBuildFPCast(lowering->builder, value, type, "");
}

/* A real argument or result in the format of the coefficient. */
static LLVMValueRef in_format(const NbLowering *lowering, LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  bool vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
  bool real = nb_is_float_kind(LLVMGetTypeKind(nb_scalar_type(type)));
  bool alike = vector == (LLVMGetTypeKind(lowering->type) == LLVMVectorTypeKind);
  return real && alike ? convert(lowering, value, lowering->type) : value;
}

/* A parameter or the result: a real in the format of the coefficient, a narrow integer as one of 32
 * bits. */
static LLVMValueRef promote(const NbLowering *lowering, const NbExpr *leaf, LLVMValueRef value) {
  unsigned width = width_of(value);
  if (leaf->type == NB_TYPE_REAL)
    return in_format(lowering, value);
  if (!width || width >= INT_WIDTH)
    return value;
  bool is_signed = !is_unsigned_leaf(lowering, leaf, value);
  return LLVMBuildIntCast2(lowering->builder, value, int_type(lowering), is_signed, "");
}

/* Is the integer, which has `width` bits, unsigned? */
static bool is_unsigned(const NbLowering *lowering, const NbExpr *expression, unsigned width) {
  if (expression->kind == NB_EXPR_PARAMETER) {
    LLVMValueRef argument = lowering->arguments[expression->index];
    return width >= INT_WIDTH && width_of(argument) == width &&
           is_unsigned_leaf(lowering, expression, argument);
  }
  unsigned first = expression->kind == NB_EXPR_CHOOSE;
  unsigned count = expression->kind == NB_EXPR_CALL ? 0 : expression->count;
  for (unsigned i = first; i < count; i++)
    if (is_unsigned(lowering, expression->operands[i], width))
      return true;
  return false;
}

static LLVMValueRef widened(const NbLowering *lowering, const NbExpr *expression,
                            LLVMValueRef value, LLVMTypeRef type) {
  bool is_signed = !is_unsigned(lowering, expression, width_of(value));
  return LLVMBuildIntCast2(lowering->builder, value, type, is_signed, "");
}

/* Makes the values of two expressions, if they are integers, such of one width; is what they meet
 * at unsigned? */
static bool match_integers(const NbLowering *lowering, const NbExpr *const *expressions,
                           LLVMValueRef *left, LLVMValueRef *right) {
  unsigned left_width = width_of(*left), right_width = width_of(*right);
  unsigned width = left_width > right_width ? left_width : right_width;
  if (!left_width || !right_width)
    return false;
  bool matched =
      is_unsigned(lowering, expressions[0], width) || is_unsigned(lowering, expressions[1], width);
  if (left_width < width)
    *left = widened(lowering, expressions[0], *left, LLVMTypeOf(*right));
  else if (right_width < width)
    *right = widened(lowering, expressions[1], *right, LLVMTypeOf(*left));
  return matched;
}

typedef struct Operator {
  LLVMOpcode real, integer;
  LLVMRealPredicate real_compare;
  LLVMIntPredicate integer_compare, unsigned_compare;
} Operator;

static const Operator OPERATORS[] = {
    [NB_EXPR_ADD] = {.real = LLVMFAdd, .integer = LLVMAdd},
    [NB_EXPR_SUBTRACT] = {.real = LLVMFSub, .integer = LLVMSub},
    [NB_EXPR_MULTIPLY] = {.real = LLVMFMul, .integer = LLVMMul},
    [NB_EXPR_DIVIDE] = {.real = LLVMFDiv, .integer = LLVMSDiv},
    [NB_EXPR_LESS] = {.real_compare = LLVMRealOLT,
                      .integer_compare = LLVMIntSLT,
                      .unsigned_compare = LLVMIntULT},
    [NB_EXPR_LESS_EQUAL] = {.real_compare = LLVMRealOLE,
                            .integer_compare = LLVMIntSLE,
                            .unsigned_compare = LLVMIntULE},
    [NB_EXPR_GREATER] = {.real_compare = LLVMRealOGT,
                         .integer_compare = LLVMIntSGT,
                         .unsigned_compare = LLVMIntUGT},
    [NB_EXPR_GREATER_EQUAL] = {.real_compare = LLVMRealOGE,
                               .integer_compare = LLVMIntSGE,
                               .unsigned_compare = LLVMIntUGE},
    [NB_EXPR_EQUAL] = {.real_compare = LLVMRealOEQ,
                       .integer_compare = LLVMIntEQ,
                       .unsigned_compare = LLVMIntEQ},
    [NB_EXPR_NOT_EQUAL] = {.real_compare = LLVMRealUNE,
                           .integer_compare = LLVMIntNE,
                           .unsigned_compare = LLVMIntNE},
};

static LLVMValueRef lower_binary(const NbLowering *lowering, const NbExpr *expression) {
  LLVMBuilderRef builder = lowering->builder;
  LLVMValueRef left = lower(lowering, expression->operands[0]);
  LLVMValueRef right = lower(lowering, expression->operands[1]);
  const Operator *operator = &OPERATORS[expression->kind];
  bool integers = expression->operands[0]->type == NB_TYPE_INT;
  bool arithmetic = expression->kind <= NB_EXPR_DIVIDE;
  bool matched_unsigned = match_integers(lowering, expression->operands, &left, &right);
  LLVMIntPredicate compare =
      matched_unsigned ? operator->unsigned_compare : operator->integer_compare;
  LLVMValueRef value;
  if (arithmetic)
    value = LLVMBuildBinOp(builder, integers ? operator->integer : operator->real, left, right, "");
  else if (integers)
    value = LLVMBuildICmp(builder, compare, left, right, "");
  else
    value = LLVMBuildFCmp(builder, operator->real_compare, left, right, "");
  return arithmetic ? with_flags(lowering, value) : value;
}

static LLVMValueRef lower_logic(const NbLowering *lowering, const NbExpr *expression) {
  LLVMValueRef left = lower(lowering, expression->operands[0]);
  LLVMValueRef right = lower(lowering, expression->operands[1]);
  return LLVMBuildBinOp(lowering->builder, expression->kind == NB_EXPR_AND ? LLVMAnd : LLVMOr, left,
                        right, "");
}

static LLVMValueRef lower_choose(const NbLowering *lowering, const NbExpr *expression) {
  LLVMValueRef condition = lower(lowering, expression->operands[0]);
  LLVMValueRef yes = lower(lowering, expression->operands[1]);
  LLVMValueRef no = lower(lowering, expression->operands[2]);
  match_integers(lowering, expression->operands + 1, &yes, &no);
  return LLVMBuildSelect(lowering->builder, condition, yes, no, "");
}

static LLVMValueRef intrinsic_of(const NbLowering *lowering, const char *name,
                                 const NbExpr *expression, LLVMValueRef *arguments) {
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  LLVMTypeRef types[2] = {lowering->type, NULL};
  unsigned count = 1;
  for (unsigned i = 0; i < expression->count; i++)
    if (expression->operands[i]->type == NB_TYPE_INT) {
      types[1] = LLVMTypeOf(arguments[i]);
      count = 2;
    }
  return LLVMGetIntrinsicDeclaration(lowering->context->module, id, types, count);
}

static NbFormat format_of(LLVMTypeRef scalar) {
  LLVMTypeKind kind = LLVMGetTypeKind(scalar);
  if (kind == LLVMX86_FP80TypeKind)
    return NB_FORMAT_LONG;
  return kind == LLVMFloatTypeKind ? NB_FORMAT_FLOAT : NB_FORMAT_DOUBLE;
}

/* Of a function that does not exist in every format. */
static LLVMTypeRef only_type(LLVMContextRef llvm, const NbRule *rule) {
  if (rule->format == NB_FORMAT_FLOAT)
    return LLVMFloatTypeInContext(llvm);
  return rule->format == NB_FORMAT_LONG ? LLVMX86FP80TypeInContext(llvm)
                                        : LLVMDoubleTypeInContext(llvm);
}

/* The format in which the function is called: short ones have no functions of their own. */
static LLVMTypeRef called_type(const NbLowering *lowering, const NbRule *rule) {
  LLVMContextRef llvm = lowering->context->llvm;
  LLVMTypeRef scalar = nb_scalar_type(lowering->type);
  LLVMTypeKind kind = LLVMGetTypeKind(scalar);
  if (kind == LLVMHalfTypeKind || kind == LLVMBFloatTypeKind)
    scalar = LLVMFloatTypeInContext(llvm);
  if (!nb_rule_intrinsic(rule) && !nb_rule_spelling(rule, format_of(scalar)))
    scalar = only_type(llvm, rule);
  if (nb_scalar_type(lowering->type) == lowering->type)
    return scalar;
  return LLVMVectorType(scalar, LLVMGetVectorSize(lowering->type));
}

static LLVMValueRef library_function(const NbLowering *lowering, const NbRule *rule,
                                     LLVMTypeRef type) {
  const char *name = nb_rule_spelling(rule, format_of(lowering->type));
  LLVMValueRef function = LLVMGetNamedFunction(lowering->context->module, name);
  if (!function) {
    function = LLVMAddFunction(lowering->context->module, name, type);
    nb_attributes_set_pure(function);
  }
  return function;
}

static LLVMValueRef call_function(const NbLowering *lowering, const NbExpr *expression,
                                  LLVMValueRef *arguments) {
  const NbRule *rule = expression->callee;
  const char *intrinsic = nb_rule_intrinsic(rule);
  LLVMTypeRef *types = NB_NEW_ARRAY(lowering->context->arena, LLVMTypeRef, expression->count + 1);
  for (unsigned i = 0; i < expression->count; i++)
    types[i] = LLVMTypeOf(arguments[i]);
  LLVMTypeRef type = LLVMFunctionType(lowering->type, types, expression->count, false);
  LLVMValueRef function;
  if (intrinsic) {
    function = intrinsic_of(lowering, intrinsic, expression, arguments);
    type = LLVMGlobalGetValueType(function);
  } else {
    function = library_function(lowering, rule, type);
  }
  LLVMValueRef call =
      LLVMBuildCall2(lowering->builder, type, function, arguments, expression->count, "");
  nb_attributes_set_pure(call);
  return with_flags(lowering, call);
}

/* A library function takes scalars: lanes of a vector are called one by one. */
static LLVMValueRef call_by_lanes(const NbLowering *lowering, const NbExpr *expression,
                                  LLVMValueRef *arguments) {
  LLVMBuilderRef builder = lowering->builder;
  NbLowering scalar = *lowering;
  scalar.type = nb_scalar_type(lowering->type);
  LLVMValueRef *lane = NB_NEW_ARRAY(lowering->context->arena, LLVMValueRef, expression->count + 1);
  LLVMValueRef result = LLVMGetPoison(lowering->type);
  for (unsigned i = 0; i < LLVMGetVectorSize(lowering->type); i++) {
    LLVMValueRef index = LLVMConstInt(int_type(lowering), i, false);
    for (unsigned k = 0; k < expression->count; k++) {
      bool vector = LLVMGetTypeKind(LLVMTypeOf(arguments[k])) == LLVMVectorTypeKind;
      lane[k] = vector ? LLVMBuildExtractElement(builder, arguments[k], index, "") : arguments[k];
    }
    LLVMValueRef value = call_function(&scalar, expression, lane);
    result = LLVMBuildInsertElement(builder, result, value, index, "");
  }
  return result;
}

static LLVMValueRef lower_call(const NbLowering *lowering, const NbExpr *expression) {
  LLVMValueRef *arguments =
      NB_NEW_ARRAY(lowering->context->arena, LLVMValueRef, expression->count + 1);
  NbLowering called = *lowering;
  called.type = called_type(lowering, expression->callee);
  for (unsigned i = 0; i < expression->count; i++) {
    arguments[i] = lower(lowering, expression->operands[i]);
    if (LLVMTypeOf(arguments[i]) == lowering->type)
      arguments[i] = convert(lowering, arguments[i], called.type);
  }
  bool lanes = nb_scalar_type(called.type) != called.type && !nb_rule_intrinsic(expression->callee);
  LLVMValueRef value = lanes ? call_by_lanes(&called, expression, arguments)
                             : call_function(&called, expression, arguments);
  return convert(lowering, value, lowering->type);
}

static LLVMValueRef lower_negate(const NbLowering *lowering, const NbExpr *expression) {
  LLVMValueRef value = lower(lowering, expression->operands[0]);
  if (expression->type == NB_TYPE_INT)
    return LLVMBuildNeg(lowering->builder, value, "");
  return with_flags(lowering, LLVMBuildFNeg(lowering->builder, value, ""));
}

static LLVMValueRef lower_convert(const NbLowering *lowering, const NbExpr *expression) {
  LLVMValueRef integer = lower(lowering, expression->operands[0]);
  if (is_unsigned(lowering, expression->operands[0], width_of(integer)))
    return LLVMBuildUIToFP(lowering->builder, integer, lowering->type, "");
  return LLVMBuildSIToFP(lowering->builder, integer, lowering->type, "");
}

static LLVMValueRef lower_result(const NbLowering *lowering, const NbExpr *expression) {
  LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(lowering->result));
  if (kind == LLVMStructTypeKind)
    return LLVMBuildExtractValue(lowering->builder, lowering->result, expression->index, "");
  if (kind != LLVMVectorTypeKind || LLVMGetTypeKind(lowering->type) == LLVMVectorTypeKind)
    return lowering->result;
  LLVMValueRef lane = LLVMConstInt(int_type(lowering), expression->index, false);
  return LLVMBuildExtractElement(lowering->builder, lowering->result, lane, "");
}

LLVMValueRef nb_lower_expression(const NbLowering *lowering, const NbExpr *expression) {
  switch (expression->kind) {
  case NB_EXPR_NUMBER:
    return lower_number(lowering, expression);
  case NB_EXPR_PARAMETER:
    return promote(lowering, expression, lowering->arguments[expression->index]);
  case NB_EXPR_RESULT:
    return promote(lowering, expression, lower_result(lowering, expression));
  case NB_EXPR_NEGATE:
    return lower_negate(lowering, expression);
  case NB_EXPR_AND:
  case NB_EXPR_OR:
    return lower_logic(lowering, expression);
  case NB_EXPR_NOT:
    return LLVMBuildNot(lowering->builder, lower(lowering, expression->operands[0]), "");
  case NB_EXPR_CHOOSE:
    return lower_choose(lowering, expression);
  case NB_EXPR_CALL:
    return lower_call(lowering, expression);
  case NB_EXPR_CONVERT:
    return lower_convert(lowering, expression);
  case NB_EXPR_TANGENT:
    return LLVMGetUndef(lowering->type);
  default:
    return lower_binary(lowering, expression);
  }
}

unsigned nb_lower_flags(LLVMValueRef origin) {
  const unsigned kept = LLVMFastMathAllowReassoc | LLVMFastMathNoSignedZeros |
                        LLVMFastMathAllowReciprocal | LLVMFastMathAllowContract |
                        LLVMFastMathApproxFunc;
  if (!LLVMIsAInstruction(origin) || !LLVMCanValueUseFastMathFlags(origin))
    return 0;
  return LLVMGetFastMathFlags(origin) & kept;
}
