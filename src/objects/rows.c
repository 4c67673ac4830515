// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What functions with a row do with memory, and where their results point to. */
#include "objects/graph.h"
#include "request/collected.h"

enum { POINTER_SIZE = 8 };

static void be_same(NbObjects *objects, LLVMValueRef a, LLVMValueRef b) {
  nb_class_unify(nb_value_class(objects, a), nb_value_class(objects, b));
}

/* A pointer that is written leads to what an argument does, or to the library's own memory. */
static void visit_written(NbObjects *objects, LLVMValueRef call, LLVMValueRef argument,
                          const NbEffect *effect) {
  if (LLVMIsNull(argument))
    return;
  NbOffsets place = nb_graph_guess_place(objects, argument);
  NbClass *field = nb_class_field(nb_value_class(objects, argument), place, POINTER_SIZE);
  field->flags |= NB_CLASS_POINTED;
  nb_class_note_stored(nb_value_class(objects, argument), place, POINTER_SIZE);
  if (effect->leads && effect->into < LLVMGetNumArgOperands(call))
    nb_class_unify(field, nb_value_class(objects, LLVMGetOperand(call, effect->into)));
  else
    field->flags |= NB_CLASS_OPAQUE;
}

static void visit_effect(NbObjects *objects, LLVMValueRef call, const NbEffect *effect) {
  unsigned flags = effect->writes ? NB_CLASS_WRITTEN : NB_CLASS_READ;
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
    LLVMValueRef argument = LLVMGetOperand(call, i);
    if (effect->parameter != NB_NO_PARAMETER && effect->parameter != i)
      continue;
    if (LLVMGetTypeKind(LLVMTypeOf(argument)) != LLVMPointerTypeKind)
      continue;
    nb_value_class(objects, argument)->flags |= flags;
    if (effect->writes && effect->type == NB_TYPE_POINTER)
      visit_written(objects, call, argument, effect);
  }
}

static void visit_handed(NbObjects *objects, LLVMValueRef call, const NbRule *rule) {
  for (unsigned i = 0; i < rule->handed_count; i++) {
    LLVMValueRef argument =
        rule->handed[i] == NB_NO_PARAMETER ? NULL : LLVMGetOperand(call, rule->handed[i]);
    if (argument && nb_type_has_pointer(LLVMTypeOf(argument)))
      nb_value_class(objects, argument)->flags |= NB_CLASS_HANDED;
  }
}

/* Pointers in a struct that is returned where the argument leads, which begins at `place`. */
static void visit_returned(NbObjects *objects, NbClass *class, NbOffsets place, LLVMTypeRef type) {
  LLVMTargetDataRef layout = objects->context->layout;
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (!nb_type_has_pointer(type))
    return;
  if (kind == LLVMPointerTypeKind) {
    NbClass *field = nb_class_field(class, place, POINTER_SIZE);
    field->flags |= NB_CLASS_POINTED | NB_CLASS_OPAQUE;
    return;
  }
  bool structure = kind == LLVMStructTypeKind, array = kind == LLVMArrayTypeKind;
  uint64_t count = structure ? LLVMCountStructElementTypes(type) : LLVMGetArrayLength2(type);
  for (uint64_t i = 0; (structure || array) && i < count; i++) {
    LLVMTypeRef element =
        structure ? LLVMStructGetTypeAtIndex(type, (unsigned)i) : LLVMGetElementType(type);
    uint64_t offset = structure ? LLVMOffsetOfElement(layout, type, (unsigned)i)
                                : i * LLVMABISizeOfType(layout, element);
    visit_returned(objects, class, nb_place_shift(place, (int64_t)offset), element);
  }
}

static void visit_result(NbObjects *objects, LLVMValueRef call) {
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
    LLVMValueRef to = LLVMGetOperand(call, i);
    LLVMTypeRef type = nb_call_operand_pointee(call, i, "sret");
    if (type)
      visit_returned(objects, nb_value_class(objects, to), nb_graph_guess_place(objects, to), type);
  }
}

/* Numbers that a function reads of which no access tells that they are there. */
static void visit_read(NbObjects *objects, LLVMValueRef call, const NbRule *rule) {
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
    LLVMValueRef argument = LLVMGetOperand(call, i);
    if (nb_rule_reads(rule, i) && LLVMGetTypeKind(LLVMTypeOf(argument)) == LLVMPointerTypeKind)
      nb_value_class(objects, argument)->flags |= NB_CLASS_READ | NB_CLASS_UNSEEN;
  }
}

void nb_graph_row(NbObjects *objects, LLVMValueRef call, const NbRule *rule) {
  visit_handed(objects, call, rule);
  visit_read(objects, call, rule);
  if (rule->kind == NB_RULE_INACTIVE)
    visit_result(objects, call);
  if (rule->throws < LLVMGetNumArgOperands(call))
    nb_class_unify(nb_value_class(objects, LLVMGetOperand(call, rule->throws)),
                   nb_graph_thrown(objects));
  for (unsigned i = 0; i < rule->effect_count; i++)
    visit_effect(objects, call, &rule->effects[i]);
  if (rule->kind == NB_RULE_FREE && rule->operands[0] < LLVMGetNumArgOperands(call))
    nb_value_class(objects, LLVMGetOperand(call, rule->operands[0]))->flags |= NB_CLASS_FREED;
  if (!nb_type_has_pointer(LLVMTypeOf(call)))
    return;
  if (rule->kind == NB_RULE_RESIZE && rule->operands[0] < LLVMGetNumArgOperands(call)) {
    be_same(objects, call, LLVMGetOperand(call, rule->operands[0]));
    nb_value_class(objects, call)->flags |= NB_CLASS_FREED | NB_CLASS_HEAP;
    nb_class_add_member(nb_value_class(objects, call), call);
    return;
  }
  if (rule->returns < LLVMGetNumArgOperands(call)) {
    be_same(objects, call, LLVMGetOperand(call, rule->returns));
    return;
  }
  NbClass *class = nb_value_class(objects, call);
  if (!nb_graph_told_body(objects->context, call, rule))
    class->flags |= rule->kind == NB_RULE_ALLOCATE ? NB_CLASS_HEAP : NB_CLASS_OPAQUE;
  nb_class_add_member(class, call);
}
