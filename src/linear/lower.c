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

/* Integers of different widths meet at the wider one. */
static void match_integers(const NbLowering *lowering, LLVMValueRef *left, LLVMValueRef *right) {
  if (LLVMGetTypeKind(LLVMTypeOf(*left)) != LLVMIntegerTypeKind ||
      LLVMGetTypeKind(LLVMTypeOf(*right)) != LLVMIntegerTypeKind)
    return;
  unsigned left_width = LLVMGetIntTypeWidth(LLVMTypeOf(*left));
  unsigned right_width = LLVMGetIntTypeWidth(LLVMTypeOf(*right));
  if (left_width < right_width)
    *left = LLVMBuildIntCast2(lowering->builder, *left, LLVMTypeOf(*right), true, "");
  else if (right_width < left_width)
    *right = LLVMBuildIntCast2(lowering->builder, *right, LLVMTypeOf(*left), true, "");
}

typedef struct Operator {
  LLVMOpcode real, integer;
  LLVMRealPredicate real_compare;
  LLVMIntPredicate integer_compare;
} Operator;

static const Operator OPERATORS[] = {
    [NB_EXPR_ADD] = {.real = LLVMFAdd, .integer = LLVMAdd},
    [NB_EXPR_SUBTRACT] = {.real = LLVMFSub, .integer = LLVMSub},
    [NB_EXPR_MULTIPLY] = {.real = LLVMFMul, .integer = LLVMMul},
    [NB_EXPR_DIVIDE] = {.real = LLVMFDiv, .integer = LLVMSDiv},
    [NB_EXPR_LESS] = {.real_compare = LLVMRealOLT, .integer_compare = LLVMIntSLT},
    [NB_EXPR_LESS_EQUAL] = {.real_compare = LLVMRealOLE, .integer_compare = LLVMIntSLE},
    [NB_EXPR_GREATER] = {.real_compare = LLVMRealOGT, .integer_compare = LLVMIntSGT},
    [NB_EXPR_GREATER_EQUAL] = {.real_compare = LLVMRealOGE, .integer_compare = LLVMIntSGE},
    [NB_EXPR_EQUAL] = {.real_compare = LLVMRealOEQ, .integer_compare = LLVMIntEQ},
    [NB_EXPR_NOT_EQUAL] = {.real_compare = LLVMRealUNE, .integer_compare = LLVMIntNE},
};

static LLVMValueRef lower_binary(const NbLowering *lowering, const NbExpr *expression) {
  LLVMBuilderRef builder = lowering->builder;
  LLVMValueRef left = lower(lowering, expression->operands[0]);
  LLVMValueRef right = lower(lowering, expression->operands[1]);
  const Operator *operator = &OPERATORS[expression->kind];
  bool integers = expression->operands[0]->type == NB_TYPE_INT;
  bool arithmetic = expression->kind <= NB_EXPR_DIVIDE;
  match_integers(lowering, &left, &right);
  LLVMValueRef value;
  if (arithmetic)
    value = LLVMBuildBinOp(builder, integers ? operator->integer : operator->real, left, right, "");
  else if (integers)
    value = LLVMBuildICmp(builder, operator->integer_compare, left, right, "");
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
  match_integers(lowering, &yes, &no);
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

static LLVMValueRef convert(const NbLowering *lowering, LLVMValueRef value, LLVMTypeRef type) {
  if (LLVMTypeOf(value) == type)
    return value;
  return LLVMBuildFPCast(lowering->builder, value, type, "");
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
  return LLVMBuildSIToFP(lowering->builder, integer, lowering->type, "");
}

static LLVMValueRef lower_result(const NbLowering *lowering, const NbExpr *expression) {
  LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(lowering->result));
  if (kind == LLVMStructTypeKind)
    return LLVMBuildExtractValue(lowering->builder, lowering->result, expression->index, "");
  if (kind != LLVMVectorTypeKind || lowering->type == LLVMTypeOf(lowering->result))
    return lowering->result;
  LLVMValueRef lane = LLVMConstInt(int_type(lowering), expression->index, false);
  return LLVMBuildExtractElement(lowering->builder, lowering->result, lane, "");
}

LLVMValueRef nb_lower_expression(const NbLowering *lowering, const NbExpr *expression) {
  switch (expression->kind) {
  case NB_EXPR_NUMBER:
    return lower_number(lowering, expression);
  case NB_EXPR_PARAMETER:
    return lowering->arguments[expression->index];
  case NB_EXPR_RESULT:
    return lower_result(lowering, expression);
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
