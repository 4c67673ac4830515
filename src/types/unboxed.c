// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Numbers that a program keeps in pointers: where a pointer was loaded that becomes a float, or is
 * stored where one is read, the bits of floats lie. Functions that do so with a parameter are known
 * by it. */
#include "types/facts.h"

enum { MOST_STEPS = 6, LAST_PARAMETER = 63 };

static uint64_t bit_of(unsigned parameter) {
  return UINT64_C(1) << (parameter < LAST_PARAMETER ? parameter : LAST_PARAMETER);
}

static uint64_t unboxed_of(NbTypes *types, LLVMValueRef callee) {
  if (!nb_graph_holds(types->objects, callee))
    types = nb_types_of_group(nb_summary_of(types->context, callee));
  return (uint64_t)(uintptr_t)nb_map_get(types->unboxed, callee);
}

static void note_parameter(NbTypes *types, LLVMValueRef function, LLVMValueRef parameter) {
  uint64_t old = (uint64_t)(uintptr_t)nb_map_get(types->unboxed, function), mask = old;
  for (unsigned i = 0; i < LLVMCountParams(function); i++)
    if (LLVMGetParam(function, i) == parameter)
      mask |= bit_of(i);
  types->changed |= mask != old;
  nb_map_set(types->unboxed, function, (void *)(uintptr_t)mask);
}

/* The value, an integer or a pointer, is the bits of a float. */
static void note_bits(NbTypes *types, LLVMValueRef function, LLVMValueRef value, unsigned steps) {
  bool pointer = nb_type_has_pointer(LLVMTypeOf(value));
  bool joins = LLVMIsAPHINode(value) || LLVMIsASelectInst(value);
  bool on = LLVMIsAPtrToIntInst(value) || LLVMIsATruncInst(value) || LLVMIsAFreezeInst(value) ||
            LLVMIsABinaryOperator(value);
  if (pointer && LLVMIsAArgument(value))
    note_parameter(types, function, value);
  else if (pointer && LLVMIsALoadInst(value) && nb_types_reach(types, LLVMGetOperand(value, 0)))
    nb_facts_add_bits(types, LLVMGetOperand(value, 0), LLVMTypeOf(value));
  int last = on ? 1 : joins ? LLVMGetNumOperands(value) : 0;
  for (int i = LLVMIsASelectInst(value) ? 1 : 0; steps && i < last; i++)
    note_bits(types, function, LLVMGetOperand(value, (unsigned)i), steps - 1);
}

static void visit_call(NbTypes *types, LLVMValueRef function, LLVMValueRef call) {
  NbCall what = nb_call_of(types->context, call);
  uint64_t unboxed = what.kind == NB_CALL_BODY ? unboxed_of(types, what.callee) : 0;
  for (unsigned i = 0; unboxed && i < LLVMGetNumArgOperands(call); i++)
    if (unboxed & bit_of(i))
      note_bits(types, function, LLVMGetOperand(call, i), MOST_STEPS);
}

static bool stores_number(NbTypes *types, LLVMValueRef at) {
  return LLVMIsAStoreInst(at) && !LLVMIsAConstant(LLVMGetOperand(at, 0)) &&
         LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(at, 0))) == LLVMPointerTypeKind &&
         nb_types_moves_bits(types, at);
}

void nb_types_visit_unboxed(NbTypes *types, LLVMValueRef function, LLVMValueRef at) {
  bool cast = LLVMIsABitCastInst(at) && nb_type_has_float(LLVMTypeOf(at));
  if (cast || stores_number(types, at))
    note_bits(types, function, LLVMGetOperand(at, 0), MOST_STEPS);
  else if (nb_is_call(at))
    visit_call(types, function, at);
}
