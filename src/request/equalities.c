// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Where a number was found to equal another, the optimiser puts the other in its place (`x == 3 ? x
 * * x : y` becomes `x == 3 ? 9 : y`), and with it goes the derivative. So what is compared is
 * hidden from it until the derivatives are written. */
#include "base/fences.h"
#include "base/names.h"
#include "objects/graph.h"
#include "request/collected.h"
#include "request/request.h"

#include <string.h>

static bool tells_equality(LLVMValueRef comparison) {
  switch (LLVMGetFCmpPredicate(comparison)) {
  case LLVMRealOEQ:
  case LLVMRealUEQ:
  case LLVMRealONE:
  case LLVMRealUNE:
    return true;
  default:
    return false;
  }
}

static bool is_fence(LLVMValueRef value) { return nb_fence_is(value, NB_FENCE_EQUALITY); }

static LLVMValueRef build_fence(const NbContext *context, LLVMValueRef value, LLVMValueRef before) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  LLVMPositionBuilderBefore(builder, before);
  LLVMValueRef fence = nb_fence_build(builder, value, NB_FENCE_EQUALITY);
  LLVMDisposeBuilder(builder);
  return fence;
}

/* Is a number compared with itself? That asks whether it is NaN. */
static bool tells_nan(LLVMValueRef a, LLVMValueRef b) {
  return a == b ||
         (LLVMIsALoadInst(a) && LLVMIsALoadInst(b) && LLVMGetOperand(a, 0) == LLVMGetOperand(b, 0));
}

static bool hide(const NbContext *context, LLVMValueRef comparison) {
  LLVMValueRef a = LLVMGetOperand(comparison, 0), b = LLVMGetOperand(comparison, 1);
  unsigned side = LLVMIsConstant(a) ? 1 : 0;
  LLVMValueRef compared = side ? b : a;
  if (!tells_equality(comparison) || LLVMIsConstant(compared) || is_fence(a) || is_fence(b) ||
      tells_nan(a, b))
    return false;
  LLVMSetOperand(comparison, side, build_fence(context, compared, comparison));
  return true;
}

bool nb_equalities_hide(NbContext *context, LLVMValueRef function) {
  bool changed = false;
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at))
    if (LLVMIsAFCmpInst(at))
      changed |= hide(context, at);
  return changed;
}

bool nb_equalities_hide_all(NbContext *context) {
  bool changed = false;
  for (LLVMValueRef function = LLVMGetFirstFunction(context->module); function;
       function = LLVMGetNextFunction(function))
    changed |= nb_equalities_hide(context, function);
  return changed;
}

bool nb_equalities_show(LLVMValueRef function) {
  bool changed = false;
  for (LLVMValueRef at = nb_instruction_first(function), next; at; at = next) {
    next = nb_instruction_next(at);
    if (!is_fence(at))
      continue;
    nb_fence_drop(at);
    changed = true;
  }
  return changed;
}

/* The fences of a type. A link step may differentiate products once more. */
static bool drop_all(LLVMValueRef declaration, bool products) {
  bool changed = false;
  for (LLVMUseRef use = LLVMGetFirstUse(declaration), next; use; use = next) {
    next = LLVMGetNextUse(use);
    LLVMValueRef user = LLVMGetUser(use);
    if (!is_fence(user) && !(products && nb_fence_is(user, NB_FENCE_PRODUCT)))
      continue;
    nb_fence_drop(user);
    changed = true;
  }
  return changed;
}

bool nb_equalities_show_all(LLVMModuleRef module, bool products) {
  bool changed = false;
  for (LLVMValueRef function = LLVMGetFirstFunction(module), next; function; function = next) {
    next = LLVMGetNextFunction(function);
    if (strncmp(nb_name(function), NB_FENCE_INTRINSIC, strlen(NB_FENCE_INTRINSIC)) != 0)
      continue;
    changed |= drop_all(function, products);
    if (!LLVMGetFirstUse(function))
      LLVMDeleteFunction(function);
  }
  return changed;
}
