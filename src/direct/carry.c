// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* An integer carries a float where moves and operations on bits lead to it from a cast of one, or
 * from a load of memory that holds one, or lead from it to a cast to one; through calls, to a fixed
 * point. */
#include "direct/carry.h"

#include "objects/graph.h"
#include "request/registrations.h"
#include "types/facts.h"
#include "types/slots.h"

enum { NARROWEST = 32 };

/* Has the type an integer leaf that has room for a float? */
static bool has_room(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMIntegerTypeKind:
    return LLVMGetIntTypeWidth(type) >= NARROWEST;
  case LLVMArrayTypeKind:
    return has_room(LLVMGetElementType(type));
  case LLVMStructTypeKind:
    for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++) {
      if (has_room(LLVMStructGetTypeAtIndex(type, i)))
        return true;
    }
    return false;
  default:
    return false;
  }
}

LLVMValueRef nb_carry_callee(const NbCarry *carry, LLVMValueRef call) {
  LLVMValueRef callee = LLVMIsACallInst(call) ? nb_callee(call) : NULL;
  if (!callee || !nb_map_has(carry->functions, callee) ||
      nb_rule_of_call(carry->context, call, NULL) || nb_custom_of(carry->context, callee) ||
      LLVMGetTailCallKind(call) == LLVMTailCallKindMustTail)
    return NULL;
  return LLVMGetCalledFunctionType(call) == LLVMGlobalGetValueType(callee) ? callee : NULL;
}

bool nb_carried_any(const NbCarry *carry, LLVMValueRef function) {
  const NbCarried *carried = nb_map_get(carry->functions, function);
  bool any = carried && carried->elements;
  for (unsigned i = 0; carried && i < LLVMCountParams(function); i++)
    any = any || carried->parameters[i];
  return any;
}

/* --- What carries. -----------------------------------------------------------------------------
 */

/* Elements of structs are asked for one by one: an integer beside a float carries none of it. */
static bool is_number(LLVMTypeRef type) {
  return nb_is_float_kind(LLVMGetTypeKind(nb_scalar_type(type)));
}

static bool carries(NbCarry *carry, LLVMValueRef value, unsigned element, NbCarried *here,
                    NbMap *seen);

static bool any_operand(NbCarry *carry, LLVMValueRef value, unsigned element, NbCarried *here,
                        NbMap *seen) {
  for (int i = LLVMIsASelectInst(value) ? 1 : 0; i < LLVMGetNumOperands(value); i++) {
    if (carries(carry, LLVMGetOperand(value, (unsigned)i), element, here, seen))
      return true;
  }
  return false;
}

static bool load_carries(NbCarry *carry, LLVMValueRef load, NbCarried *here) {
  NbContext *context = carry->context;
  if (is_number(LLVMTypeOf(load)))
    return false;
  if (!here->types) {
    NbObjects *objects = nb_objects_of(context, here->view);
    here->types = nb_types_of(context, objects, here->view);
  }
  uint64_t size = nb_store_size(context, LLVMTypeOf(load));
  NbLayout layout = nb_types_layout(here->types, LLVMGetOperand(load, 0), size);
  for (unsigned i = 0; i < layout.count; i++) {
    if (layout.pieces[i].kind == NB_KIND_FLOAT)
      return true;
  }
  return false;
}

static bool call_carries(NbCarry *carry, LLVMValueRef call, unsigned element, NbCarried *here,
                         NbMap *seen) {
  LLVMValueRef callee = nb_carry_callee(carry, call);
  if (callee)
    return nb_elements_have(((NbCarried *)nb_map_get(carry->functions, callee))->elements, element);
  bool intrinsic = nb_callee(call) && LLVMGetIntrinsicID(nb_callee(call));
  return intrinsic && any_operand(carry, call, NB_ANY_ELEMENT, here, seen);
}

static bool parameter_carries(NbCarried *here, LLVMValueRef parameter) {
  for (unsigned i = 0; i < LLVMCountParams(here->view); i++) {
    if (LLVMGetParam(here->view, i) == parameter)
      return here->parameters[i];
  }
  return false;
}

static bool insert_carries(NbCarry *carry, LLVMValueRef insert, unsigned element, NbCarried *here,
                           NbMap *seen) {
  unsigned given = nb_element_of(insert);
  bool known = element != NB_ANY_ELEMENT && given != NB_ANY_ELEMENT;
  bool replaced = known && element == given && LLVMGetNumIndices(insert) == 1;
  LLVMValueRef inserted = LLVMGetOperand(insert, 1);
  if (!replaced && carries(carry, LLVMGetOperand(insert, 0), element, here, seen))
    return true;
  return (!known || element == given) && !is_number(LLVMTypeOf(inserted)) &&
         carries(carry, inserted, NB_ANY_ELEMENT, here, seen);
}

static bool carries(NbCarry *carry, LLVMValueRef value, unsigned element, NbCarried *here,
                    NbMap *seen) {
  if (LLVMIsAArgument(value))
    return parameter_carries(here, value);
  if (!LLVMIsAInstruction(value) || !nb_element_see(seen, value, element))
    return false;
  switch (LLVMGetInstructionOpcode(value)) {
  case LLVMBitCast:
    return nb_type_has_float(LLVMTypeOf(LLVMGetOperand(value, 0))) ||
           any_operand(carry, value, NB_ANY_ELEMENT, here, seen);
  case LLVMLoad:
    return !nb_access_is_slot(value) && load_carries(carry, value, here);
  case LLVMCall:
    return call_carries(carry, value, element, here, seen);
  case LLVMInsertValue:
    return insert_carries(carry, value, element, here, seen);
  case LLVMExtractValue:
    return !is_number(LLVMTypeOf(value)) &&
           carries(carry, LLVMGetOperand(value, 0), nb_element_of(value), here, seen);
  case LLVMICmp:
  case LLVMFCmp:
  case LLVMFPToSI:
  case LLVMFPToUI:
  case LLVMPtrToInt:
  case LLVMMul:
  case LLVMSExt:
    return false;
  default:
    return has_room(LLVMTypeOf(value)) && any_operand(carry, value, element, here, seen);
  }
}

/* --- What it becomes. --------------------------------------------------------------------------
 */

static bool becomes_float(NbCarry *carry, LLVMValueRef value, unsigned element,
                          const NbCarried *here, NbMap *seen);

static bool passed_on(NbCarry *carry, LLVMValueRef call, LLVMValueRef value) {
  LLVMValueRef callee = nb_carry_callee(carry, call);
  const NbCarried *there = callee ? nb_map_get(carry->functions, callee) : NULL;
  for (unsigned i = 0; there && i < LLVMCountParams(callee); i++) {
    if (LLVMGetOperand(call, i) == value && there->parameters[i])
      return true;
  }
  return false;
}

static bool insert_becomes_float(NbCarry *carry, LLVMValueRef value, LLVMValueRef insert,
                                 unsigned element, const NbCarried *here, NbMap *seen) {
  unsigned given = nb_element_of(insert);
  bool replaced = element == given && given != NB_ANY_ELEMENT && LLVMGetNumIndices(insert) == 1;
  if (LLVMGetOperand(insert, 1) == value && becomes_float(carry, insert, given, here, seen))
    return true;
  return LLVMGetOperand(insert, 0) == value && !replaced &&
         becomes_float(carry, insert, element, here, seen);
}

static bool use_becomes_float(NbCarry *carry, LLVMValueRef value, LLVMValueRef user,
                              unsigned element, const NbCarried *here, NbMap *seen) {
  switch (LLVMGetInstructionOpcode(user)) {
  case LLVMBitCast:
    return nb_type_has_float(LLVMTypeOf(user));
  case LLVMCall:
    return passed_on(carry, user, value);
  case LLVMRet:
    return nb_elements_have(here->elements, element);
  case LLVMInsertValue:
    return insert_becomes_float(carry, value, user, element, here, seen);
  case LLVMExtractValue:
    return !is_number(LLVMTypeOf(user)) &&
           nb_elements_have(nb_element_bit(element), nb_element_of(user)) &&
           becomes_float(carry, user, NB_ANY_ELEMENT, here, seen);
  case LLVMStore:
  case LLVMICmp:
  case LLVMSIToFP:
  case LLVMUIToFP:
  case LLVMGetElementPtr:
  case LLVMMul:
  case LLVMSExt:
    return false;
  default:
    return becomes_float(carry, user, element, here, seen);
  }
}

static bool becomes_float(NbCarry *carry, LLVMValueRef value, unsigned element,
                          const NbCarried *here, NbMap *seen) {
  if (!nb_element_see(seen, value, element))
    return false;
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    if (use_becomes_float(carry, value, LLVMGetUser(use), element, here, seen))
      return true;
  }
  return false;
}

/* --- The fixed point. --------------------------------------------------------------------------
 */

static NbMap *empty(const NbCarry *carry) { return nb_map_new(carry->context->arena); }

/* The elements of the type that may carry anything. */
static unsigned elements_of(LLVMTypeRef type) {
  bool structure = LLVMGetTypeKind(type) == LLVMStructTypeKind;
  unsigned count = structure ? LLVMCountStructElementTypes(type) : 0, mask = 0;
  if (!has_room(type))
    return 0;
  if (!structure || count > NB_ANY_ELEMENT)
    return nb_element_bit(NB_ANY_ELEMENT);
  for (unsigned i = 0; i < count; i++) {
    LLVMTypeRef element = LLVMStructGetTypeAtIndex(type, i);
    bool lanes = LLVMGetTypeKind(element) == LLVMVectorTypeKind && !is_number(element);
    mask |= lanes || has_room(element) ? nb_element_bit(i) : 0;
  }
  return mask;
}

static void add_element(NbCarry *carry, NbCarried *carried, unsigned element) {
  carried->elements |= nb_element_bit(element);
  carry->changed = true;
}

static void visit_return(NbCarry *carry, NbCarried *here, LLVMValueRef value) {
  unsigned open = elements_of(LLVMTypeOf(value)) & ~here->elements;
  for (unsigned i = 0; i <= NB_ANY_ELEMENT; i++)
    if ((open & nb_element_bit(i)) && carries(carry, value, i, here, empty(carry)))
      add_element(carry, here, i);
}

static void visit_result(NbCarry *carry, NbCarried *here, NbCarried *there, LLVMValueRef call) {
  unsigned open = elements_of(LLVMTypeOf(call)) & ~there->elements;
  for (unsigned i = 0; i <= NB_ANY_ELEMENT; i++)
    if ((open & nb_element_bit(i)) && becomes_float(carry, call, i, here, empty(carry)))
      add_element(carry, there, i);
}

static void visit_call(NbCarry *carry, NbCarried *here, LLVMValueRef call) {
  LLVMValueRef callee = nb_carry_callee(carry, call);
  NbCarried *there = callee ? nb_map_get(carry->functions, callee) : NULL;
  if (there)
    visit_result(carry, here, there, call);
  for (unsigned i = 0; there && i < LLVMCountParams(callee); i++) {
    LLVMValueRef argument = LLVMGetOperand(call, i);
    if (there->parameters[i] || !has_room(LLVMTypeOf(argument)))
      continue;
    there->parameters[i] =
        carries(carry, argument, NB_ANY_ELEMENT, here, empty(carry)) ||
        becomes_float(carry, LLVMGetParam(there->view, i), NB_ANY_ELEMENT, there, empty(carry));
    carry->changed |= there->parameters[i];
  }
}

static void visit(NbCarry *carry, NbCarried *here) {
  for (LLVMValueRef at = nb_instruction_first(here->view); at; at = nb_instruction_next(at)) {
    if (LLVMIsAReturnInst(at) && LLVMGetNumOperands(at))
      visit_return(carry, here, LLVMGetOperand(at, 0));
    else if (LLVMIsACallInst(at))
      visit_call(carry, here, at);
  }
}

/* --- Views. ------------------------------------------------------------------------------------
 */

static bool has_local(LLVMValueRef function) {
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at)) {
    if (LLVMIsAAllocaInst(at))
      return true;
  }
  return false;
}

static LLVMValueRef view_of(NbContext *context, LLVMValueRef function) {
  if (!has_local(function))
    return function;
  LLVMTypeRef type = LLVMGlobalGetValueType(function);
  LLVMValueRef view = LLVMAddFunction(context->module, "nabla.view", type);
  LLVMValueRef *parameters =
      NB_NEW_ARRAY(context->arena, LLVMValueRef, LLVMCountParams(function) + 1);
  LLVMSetLinkage(view, LLVMInternalLinkage);
  LLVMGetParams(view, parameters);
  nb_clone_body(view, function, parameters);
  char *message = nb_passes_run(context->analyses, context->module, view, "sroa,instsimplify");
  LLVMDisposeMessage(message);
  return view;
}

static void drop_views(NbCarry *carry) {
  for (unsigned i = 0; i < nb_map_count(carry->functions); i++) {
    LLVMValueRef function = (LLVMValueRef)nb_map_key(carry->functions, i);
    NbCarried *carried = nb_map_get(carry->functions, function);
    if (carried->view != function) {
      nb_analyses_forget(carry->context->analyses, carried->view);
      LLVMDeleteFunction(carried->view);
    }
    carried->view = NULL;
  }
}

static void reach(NbCarry *carry, LLVMValueRef function) {
  if (LLVMIsDeclaration(function) || nb_map_has(carry->functions, function) ||
      LLVMIsFunctionVarArg(LLVMGlobalGetValueType(function)))
    return;
  NbCarried *carried = NB_NEW(carry->context->arena, NbCarried);
  carried->parameters = NB_NEW_ARRAY(carry->context->arena, bool, LLVMCountParams(function) + 1);
  nb_map_set(carry->functions, function, carried);
}

/* May any of the functions have to do with it at all? */
static bool is_suspect(const NbCarry *carry) {
  for (unsigned i = 0; i < nb_map_count(carry->functions); i++) {
    LLVMValueRef function = (LLVMValueRef)nb_map_key(carry->functions, i);
    LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(function));
    if (has_room(result))
      return true;
    for (unsigned k = 0; k < LLVMCountParams(function); k++) {
      if (has_room(LLVMTypeOf(LLVMGetParam(function, k))))
        return true;
    }
  }
  return false;
}

NbCarry nb_carry_find(NbContext *context, LLVMValueRef root) {
  NbCarry carry = {.context = context, .functions = nb_map_new(context->arena)};
  reach(&carry, root);
  for (unsigned i = 0; i < nb_map_count(carry.functions); i++) {
    LLVMValueRef at = nb_instruction_first((LLVMValueRef)nb_map_key(carry.functions, i));
    for (; at; at = nb_instruction_next(at)) {
      if (LLVMIsACallInst(at) && nb_callee(at) && !nb_rule_of_call(context, at, NULL))
        reach(&carry, nb_callee(at));
    }
  }
  if (!is_suspect(&carry))
    return carry;
  for (unsigned i = 0; i < nb_map_count(carry.functions); i++) {
    LLVMValueRef function = (LLVMValueRef)nb_map_key(carry.functions, i);
    ((NbCarried *)nb_map_get(carry.functions, function))->view = view_of(context, function);
  }
  for (carry.changed = true; carry.changed;) {
    carry.changed = false;
    for (unsigned i = 0; i < nb_map_count(carry.functions); i++)
      visit(&carry, nb_map_get(carry.functions, nb_map_key(carry.functions, i)));
  }
  drop_views(&carry);
  return carry;
}
