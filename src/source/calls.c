// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Calls, and the declarations of what they call. */
#include "source/intrinsics.h"

#include <string.h>

static bool is_pointer(LLVMTypeRef type) { return LLVMGetTypeKind(type) == LLVMPointerTypeKind; }

/* --- Declarations ---------------------------------------------------------------------------- */

static const char *joined(const Writer *writer, const char *type, const char *name) {
  bool close = !*name || type[strlen(type) - 1] == '*';
  return nb_arena_print(writer->arena, close ? "%s%s" : "%s %s", type, name);
}

/* The ABI extends narrow integers as their attribute says. */
static const char *passed_type(Writer *writer, LLVMValueRef function, LLVMTypeRef type,
                               unsigned index) {
  bool narrow = LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) < 32;
  if (narrow && function && nb_has_attribute_at(function, index, "zeroext"))
    return source_unsigned(writer, type);
  return source_type(writer, type);
}

static const char *parameter(Writer *writer, LLVMValueRef function, unsigned index,
                             const char *name) {
  LLVMValueRef value = LLVMGetParam(function, index);
  LLVMTypeRef copied = nb_parameter_pointee(function, index, "byval");
  if (copied)
    return joined(writer, source_type(writer, copied), name);
  if (is_pointer(LLVMTypeOf(value)))
    return joined(writer, source_pointer(writer, source_pointee(writer, value)), name);
  return joined(writer, passed_type(writer, function, LLVMTypeOf(value), index + 1), name);
}

static const char *result_type(Writer *writer, LLVMValueRef function, LLVMTypeRef type) {
  if (LLVMCountParams(function) && nb_parameter_pointee(function, 0, "sret"))
    return "void *";
  return passed_type(writer, function, LLVMGetReturnType(type), LLVMAttributeReturnIndex);
}

const char *source_prototype(Writer *writer, LLVMValueRef function, const char *const *parameters) {
  LLVMTypeRef type = LLVMGlobalGetValueType(function);
  unsigned count = LLVMCountParams(function);
  const char *list = "";
  for (unsigned i = 0; i < count; i++)
    list = nb_arena_print(writer->arena, "%s%s%s", list, i ? ", " : "",
                          parameter(writer, function, i, parameters ? parameters[i] : ""));
  if (LLVMIsFunctionVarArg(type))
    list = count ? nb_arena_print(writer->arena, "%s, ...", list) : "";
  else if (!count)
    list = "void";
  const char *name = source_global(writer, function);
  const char *head = nb_arena_print(writer->arena, "%s(%s)", name, list);
  return joined(writer, result_type(writer, function, type), head);
}

/* --- Calls ----------------------------------------------------------------------------------- */

static const char *pointer_type(Function *f, LLVMTypeRef type) {
  LLVMTypeRef parameters[64];
  unsigned count = LLVMCountParamTypes(type);
  const char *list = "";
  if (count > sizeof parameters / sizeof *parameters)
    return source_refuse(f, "a function has more parameters than are written");
  LLVMGetParamTypes(type, parameters);
  for (unsigned i = 0; i < count; i++)
    list = nb_arena_print(f->arena, "%s%s%s", list, i ? ", " : "",
                          source_type(f->writer, parameters[i]));
  if (LLVMIsFunctionVarArg(type))
    list = count ? nb_arena_print(f->arena, "%s, ...", list) : "";
  else if (!count)
    list = "void";
  return nb_arena_print(f->arena, "%s (*)(%s)", source_type(f->writer, LLVMGetReturnType(type)),
                        list);
}

static const char *argument(Function *f, LLVMValueRef call, LLVMValueRef function, unsigned index) {
  LLVMValueRef value = LLVMGetOperand(call, index);
  LLVMTypeRef copied = nb_parameter_pointee(call, index, "byval");
  if (copied)
    return nb_arena_print(f->arena, "*(%s *)%s", source_type(f->writer, copied),
                          source_address(f, value, NULL, LEVEL_UNARY));
  bool fixed = function && index < LLVMCountParams(function);
  if (is_pointer(LLVMTypeOf(value)))
    return source_address(f, value,
                          fixed ? source_pointee(f->writer, LLVMGetParam(function, index)) : NULL,
                          LEVEL_CHOICE);
  bool constant = LLVMIsAConstantInt(value) && !fixed;
  const char *text = source_value(f, value, constant ? LEVEL_UNARY : LEVEL_CHOICE);
  return constant
             ? nb_arena_print(f->arena, "(%s)%s", source_type(f->writer, LLVMTypeOf(value)), text)
             : text;
}

static const char *arguments(Function *f, LLVMValueRef call, LLVMValueRef function) {
  const char *list = "";
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
    list = nb_arena_print(f->arena, "%s%s%s", list, i ? ", " : "", argument(f, call, function, i));
  return list;
}

static const char *remainder_of(Function *f, LLVMValueRef instruction) {
  LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(instruction));
  const char *suffix = kind == LLVMFloatTypeKind ? "f" : kind == LLVMX86_FP80TypeKind ? "l" : "";
  if (kind != LLVMFloatTypeKind && kind != LLVMDoubleTypeKind && kind != LLVMX86_FP80TypeKind)
    return source_refuse(f, "a remainder is of a format that C has none for");
  const char *first = source_value(f, LLVMGetOperand(instruction, 0), LEVEL_CHOICE);
  return nb_arena_print(f->arena, "__builtin_fmod%s(%s, %s)", suffix, first,
                        source_value(f, LLVMGetOperand(instruction, 1), LEVEL_CHOICE));
}

/* Of a call: may C's call of the function be it? */
static bool is_as_declared(LLVMValueRef call, LLVMValueRef function) {
  return LLVMGetCalledFunctionType(call) == LLVMGlobalGetValueType(function);
}

static const char *callee_text(Function *f, LLVMValueRef call, LLVMValueRef function) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  if (function)
    return source_global(f->writer, function);
  const char *type = pointer_type(f, LLVMGetCalledFunctionType(call));
  return nb_arena_print(f->arena, "((%s)%s)", type, source_address(f, callee, NULL, LEVEL_UNARY));
}

const char *source_call(Function *f, LLVMValueRef call, int level) {
  if (LLVMGetInstructionOpcode(call) == LLVMFRem)
    return remainder_of(f, call);
  LLVMValueRef callee = LLVMGetCalledValue(call);
  LLVMValueRef function = LLVMIsAFunction(callee);
  if (LLVMIsAInlineAsm(callee))
    return source_refuse(f, "there is assembly in it");
  if (LLVMGetNumOperandBundles(call))
    return source_refuse(f, "a call has operand bundles");
  if (function && LLVMGetIntrinsicID(function))
    return source_wrap(f->arena, source_intrinsic(f, call), LEVEL_UNARY, level);
  if (function && !is_as_declared(call, function))
    function = NULL;
  const char *name = callee_text(f, call, function);
  return nb_arena_print(f->arena, "%s(%s)", name, arguments(f, call, function));
}
