// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "models/signatures.h"

#include "base/context.h"
#include "models/lengths.h"

/* Structs that the ABI passes in memory are pointers by their types. */
static bool passed_alike(LLVMValueRef declared, LLVMValueRef model, unsigned index) {
  static const char *const in_memory[] = {"byval", "sret"};
  bool alike = true;
  for (unsigned i = 0; i < sizeof in_memory / sizeof *in_memory; i++)
    alike = alike && nb_has_attribute_at(declared, index + 1, in_memory[i]) ==
                         nb_has_attribute_at(model, index + 1, in_memory[i]);
  return alike;
}

static bool results_used(LLVMValueRef function) {
  bool used = false;
  LLVMUseRef use = LLVMGetFirstUse(function);
  for (; use && !used; use = LLVMGetNextUse(use))
    used = LLVMGetFirstUse(LLVMGetUser(use)) != NULL;
  return used;
}

static bool result_fits(LLVMValueRef declared, LLVMTypeRef given, LLVMTypeRef own) {
  if (LLVMGetReturnType(given) == LLVMGetReturnType(own))
    return true;
  return LLVMGetTypeKind(LLVMGetReturnType(own)) == LLVMVoidTypeKind &&
         LLVMGetTypeKind(LLVMGetReturnType(given)) == LLVMIntegerTypeKind &&
         !results_used(declared);
}

static bool parameters_fit(LLVMValueRef declared, LLVMTypeRef given, LLVMValueRef model) {
  unsigned count = LLVMCountParams(model), all = LLVMCountParamTypes(given);
  LLVMTypeRef types[64];
  bool fit = all >= count && all <= sizeof types / sizeof *types;
  if (fit)
    LLVMGetParamTypes(given, types);
  fit = fit && (all == count || nb_lengths_fit(types + count, all - count, model));
  for (unsigned i = 0; fit && i < count; i++)
    fit = types[i] == LLVMTypeOf(LLVMGetParam(model, i)) && passed_alike(declared, model, i);
  return fit;
}

static bool type_fits(LLVMValueRef declared, LLVMTypeRef given, LLVMValueRef model) {
  return result_fits(declared, given, LLVMGlobalGetValueType(model)) &&
         parameters_fit(declared, given, model);
}

/* Calls of what is declared without parameters have those that they give, and may be variadic. */
static bool calls_fit(LLVMValueRef declared, bool untold, LLVMValueRef model) {
  bool fit = true;
  LLVMUseRef use = LLVMGetFirstUse(declared);
  for (; use && fit; use = LLVMGetNextUse(use)) {
    LLVMValueRef call = LLVMGetUser(use);
    if (nb_callee(call) != declared)
      continue;
    LLVMTypeRef given = LLVMGetCalledFunctionType(call);
    fit = (untold || !LLVMIsFunctionVarArg(given)) &&
          LLVMGetNumArgOperands(call) == LLVMCountParamTypes(given) &&
          type_fits(declared, given, model);
  }
  return fit;
}

bool nb_models_fit(LLVMValueRef declared, LLVMValueRef model) {
  LLVMTypeRef type = LLVMGlobalGetValueType(declared);
  bool untold = LLVMIsFunctionVarArg(type) && !LLVMCountParamTypes(type);
  bool fits = untold || (type_fits(declared, type, model) && !LLVMIsFunctionVarArg(type));
  return fits && calls_fit(declared, untold, model);
}
