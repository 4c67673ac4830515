// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Which globals have a shadow in a derivative.
 *
 * The function that the user asked for decides, once for all that it calls: its classes know what
 * every callee does. A mutable global that something active may be written to gets one, and so does
 * what the user declared a shadow for. All other globals are constants: where a pointer to one
 * meets active memory, it is its own shadow. */
#include "activity/flow.h"

#include <string.h>

bool nb_activity_global(const NbActivity *activity, LLVMValueRef global) {
  return nb_map_has(activity->globals, global);
}

static bool is_declared_inactive(const NbActivity *activity, LLVMValueRef global) {
  return nb_map_has(activity->context->inactive_globals, global);
}

static bool is_constant(LLVMValueRef global) { return LLVMIsGlobalConstant(global) != 0; }

bool nb_activity_owns(const NbActivity *activity, const NbClass *class) {
  if (class->flags & (NB_CLASS_STACK | NB_CLASS_HEAP | NB_CLASS_OPAQUE | NB_CLASS_UNKNOWN))
    return true;
  for (unsigned i = 0; (class->flags & NB_CLASS_GLOBAL) && i < nb_class_member_count(class); i++) {
    LLVMValueRef member = nb_class_member(class, i);
    if (LLVMIsAGlobalVariable(member) && !is_constant(member) &&
        !is_declared_inactive(activity, member))
      return true;
  }
  return false;
}

static LLVMValueRef global_at(const NbActivity *activity, unsigned index) {
  return (LLVMValueRef)nb_map_key(activity->objects->globals, index);
}

static NbClass *class_at(const NbActivity *activity, unsigned index) {
  return nb_class_find(nb_map_get(activity->objects->globals, global_at(activity, index)));
}

/* Are all pointers in the initial value null, functions, or addresses of constants that lead
 * nowhere else, within `depth` steps? */
static bool leads_nowhere(LLVMValueRef value, unsigned depth) {
  if (!nb_type_has_pointer(LLVMTypeOf(value)) || LLVMIsNull(value) || LLVMIsUndef(value) ||
      LLVMIsAFunction(value))
    return true;
  if (LLVMIsAGlobalVariable(value))
    return depth && nb_constant_is_plain(value, depth - 1);
  if (LLVMIsAConstantExpr(value) && LLVMGetConstOpcode(value) != LLVMGetElementPtr)
    return false;
  int count = LLVMIsAConstantExpr(value) ? 1 : LLVMGetNumOperands(value);
  for (int i = 0; i < count; i++)
    if (!leads_nowhere(LLVMGetOperand(value, (unsigned)i), depth))
      return false;
  return count > 0;
}

bool nb_constant_is_plain(LLVMValueRef global, unsigned depth) {
  bool pointers = nb_type_has_pointer(LLVMGlobalGetValueType(global));
  LLVMValueRef value = LLVMIsDeclaration(global) ? NULL : LLVMGetInitializer(global);
  return is_constant(global) && (!pointers || (value && leads_nowhere(value, depth)));
}

static bool has_shadow(const NbActivity *activity, NbClass *class) {
  return nb_activity_class_active(activity, class);
}

/* Is active memory reached by pointers that memory of the class may hold? */
static bool leads_to_active(const NbActivity *activity, LLVMValueRef global, NbClass *class) {
  LLVMTypeRef type = LLVMGlobalGetValueType(global);
  if (nb_type_has_float(type) && !nb_type_has_pointer(type))
    return false;
  for (unsigned i = 0; i < class->field_count; i++) {
    NbClass *target = nb_class_find(class->fields[i].target);
    if ((target->flags & NB_CLASS_POINTED) && nb_activity_reaches(activity, target, has_shadow))
      return true;
  }
  return false;
}

static bool wants_shadow(const NbActivity *activity, LLVMValueRef global, NbClass *class) {
  if (nb_map_has(activity->context->declared_shadows, global))
    return true;
  if (is_constant(global) || is_declared_inactive(activity, global))
    return false;
  bool written = nb_activity_class_active(activity, class) && (class->flags & NB_CLASS_WRITTEN);
  return written || leads_to_active(activity, global, class);
}

void nb_activity_seed_globals(NbActivity *activity) {
  const unsigned all = NB_VARIED | NB_USEFUL | NB_SHADOWED;
  const NbList *given = activity->request->globals;
  for (unsigned i = 0; given && i < given->count; i++)
    nb_map_set(activity->globals, given->items[i], given->items[i]);
  for (unsigned i = 0; i < nb_map_count(activity->objects->globals); i++) {
    LLVMValueRef global = global_at(activity, i);
    NbMap *declared = activity->context->declared_shadows;
    bool shadowed = given ? nb_map_has(activity->globals, global) : nb_map_has(declared, global);
    if (shadowed)
      nb_activity_spread(activity, class_at(activity, i), all);
    else if (is_declared_inactive(activity, global))
      nb_activity_spread(activity, class_at(activity, i), NB_CONST);
  }
}

void nb_activity_choose_globals(NbActivity *activity) {
  for (unsigned i = 0; i < nb_map_count(activity->objects->globals); i++) {
    LLVMValueRef global = global_at(activity, i);
    NbClass *class = class_at(activity, i);
    if (!activity->request->globals && wants_shadow(activity, global, class))
      nb_map_set(activity->globals, global, global);
    if (!nb_activity_global(activity, global) && !is_constant(global))
      nb_activity_spread(activity, class, NB_GUARDED);
  }
}

const NbList *nb_activity_globals(const NbActivity *activity) {
  NbList *list = NB_NEW(activity->context->arena, NbList);
  *list = nb_list(activity->context->arena);
  for (unsigned i = 0; i < nb_map_count(activity->globals); i++)
    nb_list_push(list, (void *)nb_map_key(activity->globals, i));
  return list;
}

/* --- Refusals. ---------------------------------------------------------------------------------
 */

static bool refuse(NbActivity *activity, LLVMValueRef global, NbClass *class, const char *why) {
  activity->refused = true;
  return nb_refuse(activity->context, NB_ERROR_GLOBAL_ACTIVE, nb_activity_place(activity, class),
                   "a derivative passes through the global '%s', %s",
                   nb_shown_name(activity->context, global), why);
}

/* Does the instruction use the global, itself or in a callee? */
static bool uses_global(const NbObjects *objects, LLVMValueRef inst, LLVMValueRef global) {
  const NbBinding *binding = nb_map_get(objects->bindings, inst);
  if (binding && nb_map_has(binding->group->globals, global))
    return true;
  for (int i = 0; i < LLVMGetNumOperands(inst); i++) {
    LLVMValueRef operand = LLVMGetOperand(inst, (unsigned)i);
    if (operand == global || (LLVMIsAConstantExpr(operand) && LLVMGetOperand(operand, 0) == global))
      return true;
  }
  return false;
}

/* Which instructions of a function set the whole of a global. */
typedef struct Setting {
  NbContext *context;
  const NbObjects *objects; /* of the function */
  LLVMValueRef global;
  NbMap *known;   /* functions that were asked about: to themselves where they set it */
  unsigned depth; /* of calls */
} Setting;

static bool function_sets(const Setting *setting, LLVMValueRef function);

static bool is_set_by(const Setting *setting, LLVMValueRef inst) {
  LLVMValueRef callee = LLVMIsACallInst(inst) ? nb_callee(inst) : NULL;
  if (callee)
    return function_sets(setting, callee);
  return LLVMIsAStoreInst(inst) && LLVMGetOperand(inst, 1) == setting->global &&
         LLVMGetOperand(inst, 0) != setting->global &&
         LLVMTypeOf(LLVMGetOperand(inst, 0)) == LLVMGlobalGetValueType(setting->global);
}

/* Is the global set on every way to the block? `ends` has the blocks at whose end it is. */
static bool is_set_at(LLVMBasicBlockRef block, const NbMap *ends) {
  LLVMValueRef value = LLVMBasicBlockAsValue(block);
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(block));
  bool set = block != entry;
  for (LLVMUseRef use = LLVMGetFirstUse(value); use && set; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsATerminatorInst(user))
      set = nb_map_get(ends, LLVMGetInstructionParent(user)) != NULL;
  }
  return set;
}

static bool sets(const Setting *setting, LLVMBasicBlockRef block) {
  LLVMValueRef at = LLVMGetFirstInstruction(block);
  while (at && !is_set_by(setting, at))
    at = LLVMGetNextInstruction(at);
  return at != NULL;
}

/* The blocks at whose end it is set: all, until one is seen where it is not. */
static NbMap *find_set(const Setting *setting, LLVMValueRef function) {
  NbMap *ends = nb_map_new(setting->context->arena);
  LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function);
  for (; block; block = LLVMGetNextBasicBlock(block))
    nb_map_set(ends, block, block);
  for (bool changed = true; changed;) {
    changed = false;
    for (block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block)) {
      if (!nb_map_get(ends, block) || is_set_at(block, ends) || sets(setting, block))
        continue;
      nb_map_set(ends, block, NULL);
      changed = true;
    }
  }
  return ends;
}

/* Is the pointer in the global set, on every way, before anything else is done with it? Then the
 * pointer that it held before, whose shadow nobody knows, is never used. */
static bool is_set_first(const Setting *setting, LLVMValueRef function, const NbMap *ends) {
  LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function);
  for (; block; block = LLVMGetNextBasicBlock(block)) {
    LLVMValueRef at = is_set_at(block, ends) ? NULL : LLVMGetFirstInstruction(block);
    for (; at && !is_set_by(setting, at); at = LLVMGetNextInstruction(at)) {
      if (uses_global(setting->objects, at, setting->global))
        return false;
    }
  }
  return true;
}

/* Does it, wherever it comes back, and first? */
static bool body_sets(const Setting *setting, LLVMValueRef function) {
  const NbMap *ends = find_set(setting, function);
  LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function);
  bool set = true;
  for (; block && set; block = LLVMGetNextBasicBlock(block))
    set = nb_map_get(ends, block) || !LLVMIsAReturnInst(LLVMGetBasicBlockTerminator(block));
  return set && is_set_first(setting, function, ends);
}

static bool function_sets(const Setting *setting, LLVMValueRef function) {
  enum { MOST_DEEP = 8 };
  unsigned kind = LLVMGetEnumAttributeKindForName("nounwind", strlen("nounwind"));
  bool comes_back = LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, kind) != NULL;
  if (LLVMIsDeclaration(function) || !comes_back || setting->depth == MOST_DEEP)
    return false;
  if (nb_map_has(setting->known, function))
    return nb_map_get(setting->known, function) != NULL;
  nb_map_set(setting->known, function, NULL);
  Setting inside = *setting;
  inside.objects = nb_summary_of(setting->context, function);
  inside.depth++;
  bool set = !nb_graph_recurs(inside.objects) && body_sets(&inside, function);
  nb_map_set(setting->known, function, set ? function : NULL);
  return set;
}

static void check_pointers(NbActivity *activity, LLVMValueRef global, NbClass *class) {
  LLVMTypeRef type = LLVMGlobalGetValueType(global);
  bool typed = nb_type_has_pointer(type);
  bool filled = !typed && (class->flags & NB_CLASS_WRITTEN);
  if (!leads_to_active(activity, global, class) || filled || activity->request->globals)
    return;
  Setting setting = {.context = activity->context,
                     .objects = activity->objects,
                     .global = global,
                     .known = nb_map_new(activity->context->arena)};
  const NbMap *ends = find_set(&setting, activity->function);
  if (!is_set_first(&setting, activity->function, ends))
    refuse(activity, global, class,
           "which holds pointers from before the call, so that their shadows are not known");
}

static void check_global(NbActivity *activity, LLVMValueRef global, NbClass *class) {
  LLVMValueRef declared = nb_map_get(activity->context->declared_shadows, global);
  if (declared && nb_map_has(activity->objects->globals, declared))
    refuse(activity, global, class, "whose declared shadow the function uses itself");
  if (declared)
    return;
  if (LLVMIsThreadLocal(global))
    refuse(activity, global, class, "which each thread has for itself, and which has no shadow");
  else if (LLVMIsDeclaration(global))
    refuse(activity, global, class, "which another file defines, so that it has no shadow here");
  else
    check_pointers(activity, global, class);
}

/* A constant that holds pointers gets a shadow with theirs, which has no room for tangents. */
static void check_constant(NbActivity *activity, LLVMValueRef global, NbClass *class) {
  LLVMTypeRef type = LLVMGlobalGetValueType(global);
  bool declared = nb_map_has(activity->context->declared_shadows, global) ||
                  is_declared_inactive(activity, global);
  bool plain = nb_constant_is_plain(global, NB_CONSTANT_DEPTH);
  if (declared || plain || !leads_to_active(activity, global, class))
    return;
  if (LLVMIsDeclaration(global) || nb_type_has_float(type))
    refuse(activity, global, class, "whose pointers have no shadows that are known here");
}

void nb_activity_check_globals(NbActivity *activity) {
  for (unsigned i = 0; i < nb_map_count(activity->objects->globals); i++) {
    LLVMValueRef global = global_at(activity, i);
    if (nb_activity_global(activity, global))
      check_global(activity, global, class_at(activity, i));
    else if (is_constant(global))
      check_constant(activity, global, class_at(activity, i));
  }
}

static bool may_change_globals(const NbActivity *activity, LLVMValueRef call, const NbCall *what) {
  const NbBinding *binding = nb_map_get(activity->objects->bindings, call);
  if (what->kind == NB_CALL_UNKNOWN || what->kind == NB_CALL_INDIRECT)
    return nb_graph_is_opaque_call(call);
  return what->kind == NB_CALL_BODY && binding && binding->group->opaque;
}

void nb_activity_check_outside(NbActivity *activity, LLVMValueRef call, const NbCall *what) {
  if (!nb_map_count(activity->globals) || !may_change_globals(activity, call, what))
    return;
  if (what->kind == NB_CALL_BODY && nb_activity_call(activity, call))
    return;
  activity->refused = true;
  nb_refuse(activity->context, NB_ERROR_GLOBAL_ACTIVE, call,
            "a derivative passes through the global '%s', which code that is not known here may "
            "change in this call",
            nb_shown_name(activity->context, (LLVMValueRef)nb_map_key(activity->globals, 0)));
}
