// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Which globals have a shadow in a derivative.
 *
 * The function that the user asked for decides, once for all that it calls: its classes know what
 * every callee does. A mutable global that something active may be written to gets one, and so does
 * what the user declared a shadow for. All other globals are constants: where a pointer to one
 * meets active memory, it is its own shadow. */
#include "activity/flow.h"
#include "objects/path.h"

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

/* May there be a float in the global, by what is known of its types? */
static bool may_hold_float(const NbActivity *activity, LLVMValueRef global) {
  const NbContext *context = activity->context;
  uint64_t bytes = nb_store_size(context, LLVMGlobalGetValueType(global));
  return nb_types_may_be_float(activity->types, global, bytes);
}

/* Do callees copy bytes to memory of the class, of which no fact tells what they are? */
static bool is_copied_to(const NbActivity *activity, NbClass *class) {
  const NbList *copies = &activity->objects->transfers;
  for (unsigned i = 0; i < copies->count; i++) {
    const NbTransfer *copy = copies->items[i];
    if (copy->bound && nb_class_find(copy->to) == nb_class_find(class))
      return true;
  }
  return false;
}

/* May bits of floats come into the global, though nobody says that there are any? */
static bool may_get_bits(const NbActivity *activity, LLVMValueRef global, NbClass *class) {
  return nb_activity_class_carries(activity, class) ||
         (!nb_type_has_pointer(LLVMGlobalGetValueType(global)) && is_copied_to(activity, class));
}

static bool wants_shadow(const NbActivity *activity, LLVMValueRef global, NbClass *class) {
  if (nb_map_has(activity->context->declared_shadows, global))
    return true;
  if (is_constant(global) || is_declared_inactive(activity, global))
    return false;
  bool written = nb_activity_class_active(activity, class) && (class->flags & NB_CLASS_WRITTEN) &&
                 (may_hold_float(activity, global) || may_get_bits(activity, global, class));
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

static bool uses_address(LLVMValueRef operand, LLVMValueRef global) {
  return operand == global ||
         (LLVMIsAConstantExpr(operand) && LLVMGetOperand(operand, 0) == global);
}

/* Does the instruction use the global, itself or in a callee? */
static bool uses_global(const NbObjects *objects, LLVMValueRef inst, LLVMValueRef global) {
  const NbBinding *binding = nb_map_get(objects->bindings, inst);
  if (binding && nb_map_has(binding->group->globals, global))
    return true;
  for (int i = 0; i < LLVMGetNumOperands(inst); i++)
    if (uses_address(LLVMGetOperand(inst, (unsigned)i), global))
      return true;
  return false;
}

/* What a function does with the pointer that a global holds when it begins: it may use it; it does
 * not; it does not, and has set another one wherever it comes back. */
typedef enum Deed { DEED_USES, DEED_LEAVES, DEED_SETS } Deed;

/* Which instructions of a function set the whole of a global. */
typedef struct Setting {
  NbContext *context;
  const NbObjects *objects; /* of the function */
  LLVMValueRef global;
  bool alone;              /* does it have just one pointer? */
  uint64_t pointer, bytes; /* where that stands */
  NbMap *known;            /* functions that were asked about: their deeds */
  unsigned depth;          /* of calls */
} Setting;

static Deed deed_of(const Setting *setting, LLVMValueRef function);

/* How many pointers a value of the type has, or 2 for more; `*offset` is where the first stands. */
static unsigned count_pointers(const NbContext *context, LLVMTypeRef type, uint64_t *offset) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  unsigned found = 0;
  if (kind == LLVMPointerTypeKind || !nb_type_has_pointer(type))
    return kind == LLVMPointerTypeKind;
  if (kind != LLVMStructTypeKind)
    return 2;
  for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++) {
    uint64_t inside = 0;
    unsigned more = count_pointers(context, LLVMStructGetTypeAtIndex(type, i), &inside);
    if (more && !found)
      *offset = LLVMOffsetOfElement(context->layout, type, i) + inside;
    found += more;
  }
  return found > 2 ? 2 : found;
}

/* Is the whole of the global filled with a byte, or a copy of other memory? */
static bool is_filled_by(const Setting *setting, const NbCall *what) {
  uint64_t size = nb_store_size(setting->context, LLVMGlobalGetValueType(setting->global));
  bool filled = what->kind == NB_CALL_FILL || what->kind == NB_CALL_COPY;
  return filled && what->to == setting->global && LLVMIsAConstantInt(what->bytes) &&
         LLVMConstIntGetZExtValue(what->bytes) >= size &&
         (what->kind == NB_CALL_FILL || !uses_address(what->from, setting->global));
}

/* What a load or store does with the only pointer in the global. */
static Deed deed_of_access(const Setting *setting, LLVMValueRef inst) {
  bool stores = LLVMIsAStoreInst(inst) != NULL;
  LLVMValueRef value = stores ? LLVMGetOperand(inst, 0) : inst;
  LLVMTypeRef type = LLVMTypeOf(value);
  NbPath path = nb_path_of(setting->context, LLVMGetOperand(inst, stores ? 1 : 0));
  if (path.failed || path.count || path.offset < 0 ||
      (stores && uses_address(value, setting->global)))
    return DEED_USES;
  uint64_t start = (uint64_t)path.offset, end = start + nb_store_size(setting->context, type);
  if (end <= setting->pointer || start >= setting->pointer + setting->bytes)
    return DEED_LEAVES;
  bool sets = stores && start == setting->pointer && LLVMGetTypeKind(type) == LLVMPointerTypeKind;
  return sets ? DEED_SETS : DEED_USES;
}

static bool leads_to_global(const Setting *setting, LLVMValueRef access) {
  unsigned operand = LLVMIsAStoreInst(access) ? 1 : 0;
  return nb_path_of(setting->context, LLVMGetOperand(access, operand)).root == setting->global;
}

static bool is_access(LLVMValueRef inst) { return LLVMIsALoadInst(inst) || LLVMIsAStoreInst(inst); }

/* An address for nothing but loads and stores, of which each says for itself what it does. */
static bool is_step_to_accesses(LLVMValueRef inst) {
  if (!LLVMIsAGetElementPtrInst(inst))
    return false;
  for (LLVMUseRef use = LLVMGetFirstUse(inst); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool stored = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == inst;
    if (!is_access(user) || stored)
      return false;
  }
  return true;
}

static bool is_stored_by(const Setting *setting, LLVMValueRef inst) {
  return LLVMIsAStoreInst(inst) && LLVMGetOperand(inst, 1) == setting->global &&
         LLVMGetOperand(inst, 0) != setting->global &&
         LLVMTypeOf(LLVMGetOperand(inst, 0)) == LLVMGlobalGetValueType(setting->global);
}

static Deed deed_of_call(const Setting *setting, LLVMValueRef call) {
  NbCall what = nb_call_of(setting->context, call);
  if (is_filled_by(setting, &what))
    return DEED_SETS;
  Deed deed = what.callee ? deed_of(setting, what.callee) : DEED_USES;
  return deed == DEED_USES && !uses_global(setting->objects, call, setting->global) ? DEED_LEAVES
                                                                                    : deed;
}

static Deed deed_of_inst(const Setting *setting, LLVMValueRef inst) {
  if (LLVMIsACallInst(inst))
    return deed_of_call(setting, inst);
  if (is_stored_by(setting, inst))
    return DEED_SETS;
  if (setting->alone && is_step_to_accesses(inst))
    return DEED_LEAVES;
  if (setting->alone && is_access(inst) && leads_to_global(setting, inst))
    return deed_of_access(setting, inst);
  return uses_global(setting->objects, inst, setting->global) ? DEED_USES : DEED_LEAVES;
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

static Deed deed_of_block(const Setting *setting, LLVMBasicBlockRef block) {
  Deed deed = DEED_LEAVES;
  for (LLVMValueRef at = LLVMGetFirstInstruction(block); at && deed == DEED_LEAVES;
       at = LLVMGetNextInstruction(at))
    deed = deed_of_inst(setting, at);
  return deed;
}

/* The blocks at whose end it is set: all, until one is seen where it is not. */
static NbMap *find_set(const Setting *setting, LLVMValueRef function) {
  NbMap *ends = nb_map_new(setting->context->arena);
  NbMap *others = nb_map_new(setting->context->arena);
  LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function);
  for (; block; block = LLVMGetNextBasicBlock(block)) {
    nb_map_set(ends, block, block);
    if (deed_of_block(setting, block) != DEED_SETS)
      nb_map_set(others, block, block);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned i = 0; i < nb_map_count(others); i++) {
      block = (LLVMBasicBlockRef)nb_map_key(others, i);
      if (!nb_map_get(ends, block) || is_set_at(block, ends))
        continue;
      nb_map_set(ends, block, NULL);
      changed = true;
    }
  }
  return ends;
}

/* It uses the pointer unless another one is set, on every way, before anything else is done with
 * the global: then the pointer that it held before, whose shadow nobody knows, is never used. */
static Deed deed_of_body(const Setting *setting, LLVMValueRef function) {
  const NbMap *ends = find_set(setting, function);
  Deed deed = DEED_SETS;
  LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function);
  for (; block; block = LLVMGetNextBasicBlock(block)) {
    if (!is_set_at(block, ends) && deed_of_block(setting, block) == DEED_USES)
      return DEED_USES;
    if (!nb_map_get(ends, block) && LLVMIsAReturnInst(LLVMGetBasicBlockTerminator(block)))
      deed = DEED_LEAVES;
  }
  return deed;
}

static Deed deed_of(const Setting *setting, LLVMValueRef function) {
  enum { MOST_DEEP = 8 };
  if (LLVMIsDeclaration(function) || setting->depth == MOST_DEEP)
    return DEED_USES;
  if (nb_map_has(setting->known, function))
    return (Deed)(uintptr_t)nb_map_get(setting->known, function);
  nb_map_set(setting->known, function, (void *)(uintptr_t)DEED_USES);
  Setting inside = *setting;
  inside.objects = nb_summary_of(setting->context, function);
  inside.depth++;
  Deed deed = nb_graph_recurs(inside.objects) ? DEED_USES : deed_of_body(&inside, function);
  if (deed == DEED_SETS && !nb_has_attribute(function, "nounwind"))
    deed = DEED_LEAVES;
  nb_map_set(setting->known, function, (void *)(uintptr_t)deed);
  return deed;
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
  setting.alone = count_pointers(activity->context, type, &setting.pointer) == 1;
  setting.bytes = LLVMPointerSize(activity->context->layout);
  if (deed_of_body(&setting, activity->function) == DEED_USES)
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
