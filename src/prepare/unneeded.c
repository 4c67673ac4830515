// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Which pointers lead into memory that the caller does not need.
 *
 * Such pointers are followed through offsets, choices and calls that return an argument. One may
 * also lie in memory of the function's own: where its class is that of unneeded arguments alone,
 * all that is loaded from there is one, else it is lost sight of. A callee is told by the roles of
 * its parameters; one that returns such a pointer, finds it in memory, or gets one that may be
 * needed or not, is inlined. */
#include "prepare/unneeded.h"

#include "checkpoint/checkpoint.h"
#include "objects/graph.h"
#include "prepare/reports.h"
#include "request/registrations.h"

enum { MAY_BE_NEEDED = 1, MAY_NOT = 2, LOST = 4, MOST_PARAMETERS = 62 };

struct NbUnneeded {
  const NbWork *work;
  NbObjects *objects;
  NbMap *bits;    /* pointer -> what it may be */
  NbList classes; /* of the arguments that are not needed */
  uint64_t mask;  /* their parameters */
  bool in_memory; /* one is stored somewhere */
  bool changed;
};

static unsigned bits_of(const NbUnneeded *unneeded, LLVMValueRef pointer) {
  if (LLVMIsNull(pointer) || LLVMIsUndef(pointer))
    return 0;
  if (!LLVMIsAInstruction(pointer) && !nb_map_has(unneeded->bits, pointer))
    return MAY_BE_NEEDED;
  return (unsigned)(uintptr_t)nb_map_get(unneeded->bits, pointer);
}

static void add_bits(NbUnneeded *unneeded, LLVMValueRef pointer, unsigned bits) {
  unsigned before = (unsigned)(uintptr_t)nb_map_get(unneeded->bits, pointer);
  if ((before | bits) == before)
    return;
  nb_map_set(unneeded->bits, pointer, (void *)(uintptr_t)(before | bits));
  unneeded->changed = true;
}

static bool is_unneeded_class(const NbUnneeded *unneeded, NbClass *class) {
  for (unsigned i = 0; i < unneeded->classes.count; i++)
    if (nb_class_find(unneeded->classes.items[i]) == nb_class_find(class))
      return true;
  return false;
}

/* What is found in memory, or comes from an integer. */
static unsigned bits_of_found(const NbUnneeded *unneeded, LLVMValueRef pointer) {
  const unsigned others = NB_CLASS_STACK | NB_CLASS_HEAP | NB_CLASS_CONSTANT | NB_CLASS_GLOBAL |
                          NB_CLASS_UNKNOWN | NB_CLASS_OPAQUE | NB_CLASS_FUNCTION;
  NbClass *class = nb_class_find(nb_objects_class(unneeded->objects, pointer));
  if (!unneeded->in_memory || !is_unneeded_class(unneeded, class))
    return MAY_BE_NEEDED;
  bool alone = !(class->flags & others) && !(class->parameters & ~unneeded->mask);
  return alone ? MAY_NOT : LOST;
}

static unsigned bits_of_call(const NbUnneeded *unneeded, LLVMValueRef call) {
  const NbRule *rule = nb_rule_of_call(unneeded->work->context, call, NULL);
  bool returned = rule && rule->returns < LLVMGetNumArgOperands(call);
  return returned ? bits_of(unneeded, LLVMGetOperand(call, rule->returns)) : MAY_BE_NEEDED;
}

static unsigned bits_of_arms(const NbUnneeded *unneeded, LLVMValueRef choice) {
  unsigned bits = 0;
  for (int i = LLVMIsASelectInst(choice) ? 1 : 0; i < LLVMGetNumOperands(choice); i++)
    bits |= bits_of(unneeded, LLVMGetOperand(choice, (unsigned)i));
  return bits;
}

static void visit(NbUnneeded *unneeded, LLVMValueRef inst) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(inst);
  if (opcode == LLVMStore)
    unneeded->in_memory |= (bits_of(unneeded, LLVMGetOperand(inst, 0)) & (MAY_NOT | LOST)) != 0;
  if (LLVMGetTypeKind(LLVMTypeOf(inst)) != LLVMPointerTypeKind)
    return;
  unsigned bits = MAY_BE_NEEDED;
  if (opcode == LLVMPHI || opcode == LLVMSelect)
    bits = bits_of_arms(unneeded, inst);
  else if (opcode == LLVMGetElementPtr || opcode == LLVMBitCast || opcode == LLVMFreeze ||
           opcode == LLVMAddrSpaceCast)
    bits = bits_of(unneeded, LLVMGetOperand(inst, 0));
  else if (opcode == LLVMLoad || opcode == LLVMIntToPtr || opcode == LLVMExtractValue ||
           opcode == LLVMExtractElement)
    bits = bits_of_found(unneeded, inst);
  else if (opcode == LLVMCall)
    bits = bits_of_call(unneeded, inst);
  add_bits(unneeded, inst, bits);
}

static void note_arguments(NbUnneeded *unneeded) {
  const NbRequest *request = unneeded->work->request;
  for (unsigned i = 0; i < request->count; i++) {
    LLVMValueRef parameter = LLVMGetParam(unneeded->work->function, i);
    bool pointer = LLVMGetTypeKind(LLVMTypeOf(parameter)) == LLVMPointerTypeKind;
    if (request->roles[i] != NB_ROLE_DUPNONEED || !pointer)
      continue;
    nb_map_set(unneeded->bits, parameter, (void *)(uintptr_t)MAY_NOT);
    nb_list_push(&unneeded->classes, nb_objects_class(unneeded->objects, parameter));
    if (i < MOST_PARAMETERS)
      unneeded->mask |= (uint64_t)1 << i;
  }
}

static bool any_unneeded(const NbRequest *request) {
  for (unsigned i = 0; i < request->count; i++)
    if (request->roles[i] == NB_ROLE_DUPNONEED)
      return true;
  return false;
}

/* From the arguments onwards, to a fixed point. What is found in memory depends on whether any such
 * pointer is stored at all, so that this is done again where one is. */
static void solve(NbUnneeded *unneeded) {
  unneeded->bits = nb_map_new(unneeded->work->context->arena);
  unneeded->classes.count = 0;
  note_arguments(unneeded);
  do {
    unneeded->changed = false;
    LLVMValueRef at = nb_instruction_first(unneeded->work->function);
    for (; at; at = nb_instruction_next(at))
      visit(unneeded, at);
  } while (unneeded->changed);
}

NbUnneeded *nb_unneeded_of(const NbWork *work, NbObjects *objects) {
  if (!any_unneeded(work->request))
    return NULL;
  NbArena *arena = work->context->arena;
  NbUnneeded *unneeded = NB_NEW(arena, NbUnneeded);
  *unneeded = (NbUnneeded){.work = work, .objects = objects};
  unneeded->classes = nb_list(arena);
  solve(unneeded);
  if (unneeded->in_memory)
    solve(unneeded);
  return unneeded;
}

NbNeed nb_unneeded_need(const NbUnneeded *unneeded, LLVMValueRef pointer) {
  if (!unneeded || LLVMGetTypeKind(LLVMTypeOf(pointer)) != LLVMPointerTypeKind)
    return NB_NEED_YES;
  unsigned bits = bits_of(unneeded, pointer);
  if (!(bits & MAY_NOT))
    return NB_NEED_YES;
  return bits == MAY_NOT ? NB_NEED_NO : NB_NEED_EITHER;
}

bool nb_unneeded_is_lost(const NbUnneeded *unneeded, LLVMValueRef pointer) {
  return unneeded && LLVMGetTypeKind(LLVMTypeOf(pointer)) == LLVMPointerTypeKind &&
         (bits_of(unneeded, pointer) & LOST);
}

/* --- Calls that hide such pointers. ----------------------------------------------------------- */

typedef struct Search {
  const NbUnneeded *unneeded;
  NbClass *start;
} Search;

static bool holds_unneeded(void *user, NbClass *class) {
  const Search *search = user;
  return class != search->start && is_unneeded_class(search->unneeded, class);
}

static bool leads_to_unneeded(const NbUnneeded *unneeded, LLVMValueRef argument) {
  if (!unneeded->in_memory || !nb_type_has_pointer(LLVMTypeOf(argument)))
    return false;
  NbClass *class = nb_class_find(nb_objects_class(unneeded->objects, argument));
  Search search = {unneeded, class};
  return nb_class_walk(class, holds_unneeded, &search);
}

bool nb_unneeded_hides(const NbUnneeded *unneeded, LLVMValueRef call) {
  if (!unneeded || nb_call_of(unneeded->work->context, call).kind != NB_CALL_BODY)
    return false;
  bool returns = nb_type_has_pointer(LLVMTypeOf(call)) &&
                 is_unneeded_class(unneeded, nb_objects_class(unneeded->objects, call));
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
    LLVMValueRef argument = LLVMGetOperand(call, i);
    if (LLVMGetTypeKind(LLVMTypeOf(argument)) == LLVMMetadataTypeKind)
      continue;
    NbNeed need = nb_unneeded_need(unneeded, argument);
    if (need == NB_NEED_EITHER || (need == NB_NEED_NO && returns) ||
        leads_to_unneeded(unneeded, argument))
      return true;
  }
  return false;
}

/* --- Tests for null. -------------------------------------------------------------------------- */

/* Is the pointer, which the comparison uses, compared with null? */
static bool tests_null(LLVMValueRef comparison, LLVMValueRef pointer) {
  if (!LLVMIsAICmpInst(comparison))
    return false;
  LLVMIntPredicate predicate = LLVMGetICmpPredicate(comparison);
  unsigned other = LLVMGetOperand(comparison, 0) == pointer ? 1 : 0;
  return (predicate == LLVMIntEQ || predicate == LLVMIntNE) &&
         LLVMIsNull(LLVMGetOperand(comparison, other));
}

/* An argument that is not needed may be null though the function is asked for its derivative:
 * whether it is there, its shadow tells. */
static void ask_shadows(const NbWork *work) {
  for (unsigned i = 0; i < work->request->count; i++) {
    LLVMValueRef parameter = LLVMGetParam(work->function, i);
    bool pointer = LLVMGetTypeKind(LLVMTypeOf(parameter)) == LLVMPointerTypeKind;
    if (work->request->roles[i] != NB_ROLE_DUPNONEED || !pointer)
      continue;
    LLVMValueRef shadow = LLVMGetParam(work->function, nb_request_first_shadow(work->request, i));
    for (LLVMUseRef use = LLVMGetFirstUse(parameter), next; use; use = next) {
      next = LLVMGetNextUse(use);
      LLVMValueRef user = LLVMGetUser(use);
      if (tests_null(user, parameter))
        LLVMSetOperand(user, LLVMGetOperand(user, 0) == parameter ? 0 : 1, shadow);
    }
  }
}

/* --- Before the analyses. --------------------------------------------------------------------- */

/* A function that may call itself would not go away, and stays. */
void nb_unneeded_open(NbWork *work, bool *changed) {
  NbContext *context = work->context;
  *changed = false;
  if (!any_unneeded(work->request))
    return;
  ask_shadows(work);
  const NbUnneeded *unneeded = nb_unneeded_of(work, nb_objects_of(context, work->function));
  NbList calls = nb_list(context->arena);
  LLVMValueRef at = nb_instruction_first(work->function);
  for (; at; at = nb_instruction_next(at))
    if (nb_is_call(at) && nb_unneeded_hides(unneeded, at) &&
        !nb_custom_of(context, nb_callee(at)) && !nb_checkpoint_of(context, nb_callee(at)) &&
        !nb_graph_recurs(nb_summary_of(context, nb_callee(at))))
      nb_list_push(&calls, at);
  for (unsigned i = 0; i < calls.count; i++)
    *changed |= nb_inline_call(context->analyses, calls.items[i]) == NULL;
  *changed = *changed || nb_reports_drop(work, unneeded);
}
