// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Pointers that may be the bits of a varied float.
 *
 * What optimisers move as a pointer, and what a union gives as one, may be the other thing that
 * lies in that memory. Such pointers are followed through choices, integers and memory, and refused
 * where a call or a return takes them out of sight. What is right of their stores, linear/reuse.c
 * says.
 *
 * A pointer through which memory is accessed is one: it is not followed from where that is certain.
 */
#include "activity/flow.h"
#include "types/slots.h"

enum { MOST_STEPS = 3 };

static bool has_pointers(LLVMValueRef value) {
  return !LLVMIsAConstant(value) && nb_type_has_pointer(LLVMTypeOf(value));
}

static bool is_marked(const NbActivity *activity, LLVMValueRef pointer) {
  return (nb_activity_bits(activity, pointer) & NB_PUNNED) != 0;
}

/* --- Certainly pointers. ---------------------------------------------------------------------- */

/* Is `access` executed before or after each execution of `point`, whose operand it goes through? */
static bool always_executed(const NbActivity *activity, LLVMValueRef access, LLVMValueRef point) {
  NbAnalyses *analyses = activity->context->analyses;
  LLVMBasicBlockRef here = LLVMGetInstructionParent(point);
  LLVMBasicBlockRef there = LLVMGetInstructionParent(access);
  if (here == there || nb_block_dominates(analyses, there, here))
    return true;
  return !nb_loop_of(analyses, here) && nb_block_postdominates(analyses, there, here);
}

static bool is_accessed(const NbActivity *activity, LLVMValueRef pointer, LLVMValueRef point,
                        unsigned steps) {
  for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool access = (LLVMIsALoadInst(user) && LLVMGetOperand(user, 0) == pointer) ||
                  (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == pointer);
    if (access && always_executed(activity, user, point))
      return true;
    bool moves = LLVMIsAGetElementPtrInst(user) && LLVMGetOperand(user, 0) == pointer;
    if (moves && steps && is_accessed(activity, user, point, steps - 1))
      return true;
  }
  return false;
}

/* Of a phi: what comes in comes at the end of the block before. */
static LLVMValueRef point_of(LLVMValueRef user, unsigned operand) {
  return LLVMIsAPHINode(user) ? LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(user, operand))
                              : user;
}

bool nb_activity_puns(const NbActivity *activity, LLVMValueRef user, unsigned operand) {
  LLVMValueRef pointer = LLVMGetOperand(user, operand);
  return has_pointers(pointer) && is_marked(activity, pointer) &&
         !is_accessed(activity, pointer, point_of(user, operand), MOST_STEPS);
}

bool nb_activity_is_accessed(const NbActivity *activity, LLVMValueRef pointer, LLVMValueRef point) {
  return is_accessed(activity, pointer, point, MOST_STEPS);
}

/* --- The flow. -------------------------------------------------------------------------------- */

/* Do the types leave it open that floats are loaded as the pointer? */
static bool may_load_float(NbActivity *activity, LLVMValueRef load) {
  if (nb_map_has(activity->copies, load))
    return nb_map_get(activity->copies, load) != NULL;
  LLVMValueRef pointer = LLVMGetOperand(load, 0);
  uint64_t size = nb_store_size(activity->context, LLVMTypeOf(load));
  NbLayout layout = nb_types_layout(activity->types, pointer, size);
  bool floats =
      layout.unknown && nb_types_also_hold(activity->types, pointer, size, NB_KIND_FLOAT, false);
  for (unsigned i = 0; i < layout.count; i++)
    floats |= layout.pieces[i].kind == NB_KIND_FLOAT || layout.pieces[i].kind == NB_KIND_CONFLICT;
  floats &= !nb_types_declared_pointer(activity->types, load);
  nb_map_set(activity->copies, load, floats ? activity : NULL);
  return floats;
}

static bool loads_punned(NbActivity *activity, LLVMValueRef load) {
  LLVMValueRef pointer = LLVMGetOperand(load, 0);
  uint64_t size = nb_store_size(activity->context, LLVMTypeOf(load));
  bool varied = nb_activity_class_varied(activity, nb_value_class(activity->objects, pointer));
  return varied && !nb_access_is_slot(load) &&
         (nb_activity_carries(activity, pointer, size) || may_load_float(activity, load));
}

static bool joins_punned(const NbActivity *activity, LLVMValueRef inst) {
  for (int i = 0; i < LLVMGetNumOperands(inst); i++) {
    if (nb_activity_puns(activity, inst, (unsigned)i))
      return true;
  }
  return false;
}

static bool makes_punned(NbActivity *activity, LLVMValueRef inst) {
  LLVMValueRef first = LLVMGetNumOperands(inst) ? LLVMGetOperand(inst, 0) : NULL;
  switch (LLVMGetInstructionOpcode(inst)) {
  case LLVMLoad:
    return loads_punned(activity, inst);
  case LLVMIntToPtr:
    return (nb_activity_bits(activity, first) & NB_VARIED) != 0;
  case LLVMGetElementPtr:
    return !LLVMIsInBounds(inst) && nb_activity_puns(activity, inst, 0);
  case LLVMPHI:
  case LLVMSelect:
  case LLVMFreeze:
  case LLVMExtractElement:
  case LLVMInsertElement:
  case LLVMShuffleVector:
  case LLVMExtractValue:
  case LLVMInsertValue:
    return joins_punned(activity, inst);
  default:
    return false;
  }
}

/* What a punned pointer is made of is useful where it is. */
static void use_operands(NbActivity *activity, LLVMValueRef inst) {
  if (LLVMIsALoadInst(inst)) {
    NbClass *class = nb_value_class(activity->objects, LLVMGetOperand(inst, 0));
    nb_activity_mark_class(activity, class, NB_USEFUL);
    return;
  }
  for (int i = 0; i < LLVMGetNumOperands(inst); i++) {
    LLVMValueRef operand = LLVMGetOperand(inst, (unsigned)i);
    if (nb_activity_puns(activity, inst, (unsigned)i) || LLVMIsAIntToPtrInst(inst))
      nb_activity_mark(activity, operand, NB_USEFUL);
  }
}

static void flow_store(NbActivity *activity, LLVMValueRef store) {
  LLVMValueRef pointer = LLVMGetOperand(store, 1);
  NbClass *class = nb_value_class(activity->objects, pointer);
  uint64_t size = nb_store_size(activity->context, LLVMTypeOf(LLVMGetOperand(store, 0)));
  bool link = nb_access_is_of_link(store) && nb_types_declared_pointer(activity->types, store);
  if (link || !nb_activity_puns(activity, store, 0))
    return;
  nb_activity_mark_class(activity, class, NB_VARIED);
  nb_activity_carry(activity, class, nb_places_of(activity->types->places, pointer), size);
  if (nb_activity_class_bits(activity, class) & NB_USEFUL)
    nb_activity_mark(activity, LLVMGetOperand(store, 0), NB_USEFUL);
}

void nb_activity_flow_pointer(NbActivity *activity, LLVMValueRef inst) {
  if (LLVMIsAStoreInst(inst))
    flow_store(activity, inst);
  else if (LLVMIsAPtrToIntInst(inst) && nb_activity_puns(activity, inst, 0))
    nb_activity_mark(activity, inst, NB_VARIED);
  else if (has_pointers(inst) && makes_punned(activity, inst))
    nb_activity_mark(activity, inst, NB_PUNNED);
  if (has_pointers(inst) && is_marked(activity, inst) &&
      (nb_activity_bits(activity, inst) & NB_USEFUL))
    use_operands(activity, inst);
}

/* --- What is refused. ------------------------------------------------------------------------- */

static bool lets_out(NbActivity *activity, LLVMValueRef user, unsigned operand) {
  switch (LLVMGetInstructionOpcode(user)) {
  case LLVMRet:
    return activity->request->result != NB_ROLE_CONST;
  case LLVMCall:
  case LLVMInvoke:
    return nb_pointer_is_kept_by(activity->context, user, operand);
  default:
    return false;
  }
}

static unsigned operands_of(LLVMValueRef user) {
  return nb_is_call(user) ? LLVMGetNumArgOperands(user) : (unsigned)LLVMGetNumOperands(user);
}

/* A vector of floats goes from one place to another, and a pointer may be among what it moves: its
 * shadow does not go with it. */
static bool moves_pointer(const NbActivity *activity, LLVMValueRef load) {
  LLVMTypeRef type = LLVMTypeOf(load);
  bool vector = LLVMIsALoadInst(load) && LLVMGetTypeKind(type) == LLVMVectorTypeKind &&
                nb_type_has_float(type);
  return vector && LLVMGetFirstUse(load) && nb_value_is_moved(load) &&
         nb_types_overlays(activity->types, LLVMGetOperand(load, 0),
                           nb_store_size(activity->context, type), NB_KIND_POINTER);
}

bool nb_activity_check_pointer(NbActivity *activity, LLVMValueRef user) {
  bool lost = moves_pointer(activity, user);
  for (unsigned i = 0; i < operands_of(user) && !lost; i++)
    lost = nb_activity_puns(activity, user, i) && lets_out(activity, user, i);
  if (!lost)
    return true;
  return nb_refuse(activity->context, NB_ERROR_UNKNOWN_TYPE, user,
                   "bytes are moved from memory that holds pointers at one time and numbers with a "
                   "derivative at another, and it is not known which these are");
}
