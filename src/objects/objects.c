// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The constraints of each instruction on the classes, and the classes of values. */
#include "objects/graph.h"

#include <string.h>

/* Has the type a leaf that can hold a pointer: one, or an integer of at least its size? */
static bool type_carries(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMPointerTypeKind:
    return true;
  case LLVMIntegerTypeKind:
    return LLVMGetIntTypeWidth(type) >= 64;
  case LLVMVectorTypeKind:
  case LLVMScalableVectorTypeKind:
  case LLVMArrayTypeKind:
    return type_carries(LLVMGetElementType(type));
  case LLVMStructTypeKind:
    for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++) {
      if (type_carries(LLVMStructGetTypeAtIndex(type, i)))
        return true;
    }
    return false;
  default:
    return false;
  }
}

/* A loaded integer that is used as a number, or is declared one, carries no pointer. */
static bool load_carries(LLVMValueRef load) {
  if (nb_type_has_pointer(LLVMTypeOf(load)))
    return true;
  if (!type_carries(LLVMTypeOf(load)))
    return false;
  const char *name = nb_tbaa_name(load);
  if (name)
    return nb_tbaa_is_pointer(name);
  return !nb_integer_is_number(load);
}

static bool carries(LLVMValueRef value) {
  if (nb_type_has_pointer(LLVMTypeOf(value)))
    return true;
  if (!type_carries(LLVMTypeOf(value)) || !LLVMIsAInstruction(value))
    return false;
  LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
  if (opcode == LLVMLoad)
    return load_carries(value);
  return opcode == LLVMPHI || opcode == LLVMSelect || opcode == LLVMFreeze ||
         opcode == LLVMPtrToInt || opcode == LLVMExtractValue || opcode == LLVMInsertValue ||
         opcode == LLVMExtractElement || opcode == LLVMInsertElement || opcode == LLVMShuffleVector;
}

/* --- The classes of values. ------------------------------------------------------------------- */

static NbClass *remember(NbObjects *objects, LLVMValueRef value, NbClass *class) {
  if (nb_type_has_pointer(LLVMTypeOf(value)))
    class->flags |= NB_CLASS_POINTED;
  nb_map_set(objects->values, value, class);
  return class;
}

static bool is_initialised(LLVMValueRef global) {
  return !LLVMIsDeclaration(global) && LLVMGetInitializer(global) &&
         nb_type_has_pointer(LLVMGlobalGetValueType(global));
}

static NbClass *class_of_global(NbObjects *objects, LLVMValueRef global) {
  NbClass *class = nb_class_new(objects);
  class->flags = LLVMIsGlobalConstant(global) ? NB_CLASS_CONSTANT : NB_CLASS_GLOBAL;
  nb_list_push(&class->members, global);
  nb_map_set(objects->globals, global, class);
  remember(objects, global, class);
  if (is_initialised(global)) {
    NbClass *held = nb_value_class(objects, LLVMGetInitializer(global));
    nb_class_unify(nb_class_target(objects, class), held);
  }
  return nb_class_find(class);
}

static NbClass *class_of_operands(NbObjects *objects, LLVMValueRef constant) {
  NbClass *class = remember(objects, constant, nb_class_new(objects));
  int count = LLVMGetNumOperands(constant);
  for (int i = 0; i < count; i++) {
    LLVMValueRef operand = LLVMGetOperand(constant, (unsigned)i);
    if (nb_type_has_pointer(LLVMTypeOf(operand)))
      nb_class_unify(class, nb_value_class(objects, operand));
  }
  return nb_class_find(class);
}

static NbClass *class_of_constant(NbObjects *objects, LLVMValueRef constant) {
  if (LLVMIsAGlobalVariable(constant))
    return class_of_global(objects, constant);
  if (LLVMIsAGlobalAlias(constant))
    return nb_value_class(objects, LLVMAliasGetAliasee(constant));
  if (LLVMIsAFunction(constant)) {
    NbClass *class = remember(objects, constant, nb_class_new(objects));
    class->flags |= NB_CLASS_FUNCTION;
    nb_list_push(&class->functions, constant);
    return class;
  }
  if (LLVMIsNull(constant) || LLVMIsUndef(constant))
    return objects->nothing ? objects->nothing : nb_class_new(objects);
  if (LLVMIsAConstantExpr(constant) && LLVMGetConstOpcode(constant) == LLVMIntToPtr)
    return objects->unknown;
  return class_of_operands(objects, constant);
}

NbClass *nb_value_class_known(NbObjects *objects, LLVMValueRef value) {
  NbClass *class = nb_map_get(objects->values, value);
  return class ? nb_class_find(class) : NULL;
}

NbClass *nb_value_class(NbObjects *objects, LLVMValueRef value) {
  NbClass *class = nb_value_class_known(objects, value);
  if (class)
    return class;
  if (LLVMIsAConstant(value))
    return nb_class_find(class_of_constant(objects, value));
  return remember(objects, value, nb_class_new(objects));
}

NbClass *nb_objects_class(NbObjects *objects, LLVMValueRef pointer) {
  return nb_value_class(objects, pointer);
}

/* --- Instructions. ---------------------------------------------------------------------------- */

static void same(NbObjects *objects, LLVMValueRef a, LLVMValueRef b) {
  nb_class_unify(nb_value_class(objects, a), nb_value_class(objects, b));
}

static void mark(NbObjects *objects, LLVMValueRef pointer, unsigned flags) {
  nb_value_class(objects, pointer)->flags |= flags;
}

/* The result is one of those operands that carry pointers. */
static void visit_moves(NbObjects *objects, LLVMValueRef instruction) {
  if (!carries(instruction))
    return;
  int count = LLVMGetNumOperands(instruction);
  for (int i = 0; i < count; i++) {
    LLVMValueRef operand = LLVMGetOperand(instruction, (unsigned)i);
    if (!LLVMIsNull(operand) && !LLVMIsUndef(operand) && carries(operand))
      same(objects, instruction, operand);
  }
}

static bool is_arithmetic(LLVMValueRef user) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(user);
  if (opcode == LLVMCall)
    return nb_callee(user) && LLVMGetIntrinsicID(nb_callee(user)) != 0 &&
           LLVMGetTypeKind(LLVMTypeOf(user)) == LLVMIntegerTypeKind &&
           !nb_memory_may_write_any(user);
  return LLVMIsABinaryOperator(user) || opcode == LLVMTrunc || opcode == LLVMZExt ||
         opcode == LLVMSExt || opcode == LLVMSelect || opcode == LLVMPHI || opcode == LLVMFreeze;
}

static bool ends_as_number(const NbContext *context, LLVMValueRef user) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(user);
  if (opcode == LLVMCall)
    return nb_call_only_looks(context, user);
  return opcode == LLVMICmp || opcode == LLVMSwitch || opcode == LLVMGetElementPtr ||
         opcode == LLVMSIToFP || opcode == LLVMUIToFP;
}

/* Is the address only compared and computed with (alignment, distances, trip counts), never made a
 * pointer again or given away? */
static bool stays_number(const NbContext *context, LLVMValueRef integer, NbMap *seen) {
  if (nb_map_has(seen, integer))
    return true;
  nb_map_set(seen, integer, integer);
  for (LLVMUseRef use = LLVMGetFirstUse(integer); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!ends_as_number(context, user) &&
        !(is_arithmetic(user) && stays_number(context, user, seen)))
      return false;
  }
  return true;
}

/* Is the integer made by moves alone from whole pointers? */
static bool holds_whole_pointer(LLVMValueRef integer, unsigned depth) {
  if (LLVMIsAPtrToIntInst(integer) || LLVMIsAConstantInt(integer))
    return true;
  if (LLVMIsALoadInst(integer))
    return load_carries(integer);
  bool moved = LLVMIsAPHINode(integer) || LLVMIsASelectInst(integer) || LLVMIsAFreezeInst(integer);
  if (!moved || !depth)
    return false;
  for (int i = LLVMIsASelectInst(integer) ? 1 : 0; i < LLVMGetNumOperands(integer); i++) {
    if (!holds_whole_pointer(LLVMGetOperand(integer, (unsigned)i), depth - 1))
      return false;
  }
  return true;
}

static void visit_cast(NbObjects *objects, LLVMValueRef instruction, LLVMOpcode opcode) {
  LLVMValueRef operand = LLVMGetOperand(instruction, 0);
  if (opcode == LLVMPtrToInt) {
    if (stays_number(objects->context, instruction, nb_map_new(objects->context->arena)))
      return;
    same(objects, instruction, operand);
    bool moved = true;
    for (LLVMUseRef use = LLVMGetFirstUse(instruction); use; use = LLVMGetNextUse(use))
      moved &= carries(LLVMGetUser(use)) || LLVMIsAStoreInst(LLVMGetUser(use)) ||
               LLVMIsAIntToPtrInst(LLVMGetUser(use));
    if (!moved)
      nb_class_unify(nb_value_class(objects, operand), objects->unknown);
    return;
  }
  if (opcode == LLVMIntToPtr && holds_whole_pointer(operand, 3))
    same(objects, instruction, operand);
  else if (opcode == LLVMIntToPtr)
    nb_class_unify(nb_value_class(objects, instruction), objects->unknown);
  else
    visit_moves(objects, instruction);
}

static bool may_hold_float(LLVMTypeRef type) {
  if (nb_type_has_float(type))
    return true;
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  return kind != LLVMPointerTypeKind &&
         (kind != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) > 1);
}

static void visit_load(NbObjects *objects, LLVMValueRef load) {
  NbClass *class = nb_value_class(objects, LLVMGetOperand(load, 0));
  if (may_hold_float(LLVMTypeOf(load)))
    class->flags |= NB_CLASS_READ;
  if (load_carries(load))
    nb_class_unify(nb_value_class(objects, load), nb_class_target(objects, class));
}

static void visit_store(NbObjects *objects, LLVMValueRef store) {
  LLVMValueRef value = LLVMGetOperand(store, 0);
  NbClass *class = nb_value_class(objects, LLVMGetOperand(store, 1));
  class->flags |= NB_CLASS_WRITTEN;
  if (!LLVMIsNull(value) && !LLVMIsUndef(value) && carries(value))
    nb_class_unify(nb_value_class(objects, value), nb_class_target(objects, class));
}

static void visit_atomic(NbObjects *objects, LLVMValueRef instruction) {
  mark(objects, LLVMGetOperand(instruction, 0), NB_CLASS_READ | NB_CLASS_WRITTEN);
  NbClass *class = nb_value_class(objects, LLVMGetOperand(instruction, 0));
  for (int i = 1; i < LLVMGetNumOperands(instruction); i++) {
    LLVMValueRef operand = LLVMGetOperand(instruction, (unsigned)i);
    if (nb_type_has_pointer(LLVMTypeOf(operand)))
      nb_class_unify(nb_value_class(objects, operand), nb_class_target(objects, class));
  }
  if (nb_type_has_pointer(LLVMTypeOf(instruction)))
    nb_class_unify(nb_value_class(objects, instruction), nb_class_target(objects, class));
}

/* --- Calls. ----------------------------------------------------------------------------------- */

static void forget_arguments(NbObjects *objects, LLVMValueRef call, unsigned from) {
  for (unsigned i = from; i < LLVMGetNumArgOperands(call); i++) {
    LLVMValueRef argument = LLVMGetOperand(call, i);
    LLVMTypeRef type = LLVMTypeOf(argument);
    if (LLVMGetTypeKind(type) == LLVMMetadataTypeKind || !nb_type_has_pointer(type))
      continue;
    if (!LLVMIsAFunction(argument) && !LLVMIsNull(argument))
      nb_class_unify(nb_value_class(objects, argument), objects->unknown);
  }
}

bool nb_graph_is_opaque_call(LLVMValueRef call) {
  LLVMValueRef next = LLVMGetNextInstruction(call);
  return nb_memory_may_write_any(call) && !(next && LLVMIsAUnreachableInst(next));
}

void nb_graph_forget(NbObjects *objects, LLVMValueRef call) {
  bool writes = nb_memory_may_write_any(call);
  objects->opaque = objects->opaque || nb_graph_is_opaque_call(call);
  if (writes)
    forget_arguments(objects, call, 0);
  if (nb_type_has_pointer(LLVMTypeOf(call)))
    nb_class_unify(nb_value_class(objects, call), objects->unknown);
  if (nb_type_has_pointer(LLVMTypeOf(call)) && !writes)
    forget_arguments(objects, call, 0);
}

static void visit_effect(NbObjects *objects, LLVMValueRef call, const NbEffect *effect) {
  unsigned flags = effect->writes ? NB_CLASS_WRITTEN : NB_CLASS_READ;
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
    LLVMValueRef argument = LLVMGetOperand(call, i);
    if (effect->parameter != NB_NO_PARAMETER && effect->parameter != i)
      continue;
    if (LLVMGetTypeKind(LLVMTypeOf(argument)) != LLVMPointerTypeKind)
      continue;
    mark(objects, argument, flags);
    if (effect->writes && effect->type == NB_TYPE_POINTER)
      nb_class_target(objects, nb_value_class(objects, argument))->flags |=
          NB_CLASS_OPAQUE | NB_CLASS_POINTED;
  }
}

static void visit_row(NbObjects *objects, LLVMValueRef call, const NbRule *rule) {
  for (unsigned i = 0; i < rule->effect_count; i++)
    visit_effect(objects, call, &rule->effects[i]);
  if (rule->kind == NB_RULE_FREE && rule->operands[0] < LLVMGetNumArgOperands(call))
    mark(objects, LLVMGetOperand(call, rule->operands[0]), NB_CLASS_FREED);
  if (!nb_type_has_pointer(LLVMTypeOf(call)))
    return;
  if (rule->kind == NB_RULE_RESIZE && rule->operands[0] < LLVMGetNumArgOperands(call)) {
    same(objects, call, LLVMGetOperand(call, rule->operands[0]));
    mark(objects, call, NB_CLASS_FREED | NB_CLASS_HEAP);
    nb_list_push(&nb_value_class(objects, call)->members, call);
    return;
  }
  if (rule->returns < LLVMGetNumArgOperands(call)) {
    same(objects, call, LLVMGetOperand(call, rule->returns));
    return;
  }
  NbClass *class = nb_value_class(objects, call);
  class->flags |= rule->kind == NB_RULE_ALLOCATE ? NB_CLASS_HEAP : NB_CLASS_OPAQUE;
  nb_list_push(&class->members, call);
}

static void visit_copy(NbObjects *objects, LLVMValueRef call, const NbCall *what) {
  NbClass *to = nb_value_class(objects, what->to);
  NbClass *from = nb_value_class(objects, what->from);
  to->flags |= NB_CLASS_WRITTEN;
  from->flags |= NB_CLASS_READ;
  nb_class_unify(nb_class_target(objects, to), nb_class_target(objects, from));
  if (nb_type_has_pointer(LLVMTypeOf(call)))
    same(objects, call, what->to);
}

/* Inside a group, formal and actual parameters are one. */
static void visit_recursion(NbObjects *objects, LLVMValueRef call, LLVMValueRef callee) {
  unsigned count = LLVMCountParams(callee);
  for (unsigned i = 0; i < count && i < LLVMGetNumArgOperands(call); i++) {
    LLVMValueRef parameter = LLVMGetParam(callee, i);
    if (nb_type_has_pointer(LLVMTypeOf(parameter)))
      same(objects, parameter, LLVMGetOperand(call, i));
  }
  NbClass *result = nb_map_get(objects->results, callee);
  if (nb_type_has_pointer(LLVMTypeOf(call)))
    nb_class_unify(nb_value_class(objects, call), result);
  forget_arguments(objects, call, count);
}

static void visit_call(NbObjects *objects, LLVMValueRef call) {
  NbCall what = nb_call_of(objects->context, call);
  switch (what.kind) {
  case NB_CALL_HARMLESS:
    return;
  case NB_CALL_COPY:
    visit_copy(objects, call, &what);
    return;
  case NB_CALL_FILL:
    mark(objects, what.to, NB_CLASS_WRITTEN);
    if (nb_type_has_pointer(LLVMTypeOf(call)))
      same(objects, call, what.to);
    return;
  case NB_CALL_ROW:
    visit_row(objects, call, what.rule);
    return;
  case NB_CALL_BODY:
    if (nb_graph_holds(objects, what.callee))
      visit_recursion(objects, call, what.callee);
    else
      nb_graph_bind(objects, call, what.callee);
    forget_arguments(objects, call, LLVMCountParams(what.callee));
    return;
  default:
    if (objects->deferred)
      nb_list_push(objects->deferred, call);
    else
      nb_graph_forget(objects, call);
  }
}

static void visit_return(NbObjects *objects, LLVMValueRef function, LLVMValueRef instruction) {
  if (LLVMGetNumOperands(instruction) == 0)
    return;
  LLVMValueRef value = LLVMGetOperand(instruction, 0);
  if (nb_type_has_pointer(LLVMTypeOf(value)))
    nb_class_unify(nb_value_class(objects, value), nb_map_get(objects->results, function));
}

static void visit_alloca(NbObjects *objects, LLVMValueRef instruction) {
  NbClass *class = nb_value_class(objects, instruction);
  class->flags |= NB_CLASS_STACK;
  nb_list_push(&class->members, instruction);
}

static void visit(NbObjects *objects, LLVMValueRef function, LLVMValueRef instruction) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
  switch (opcode) {
  case LLVMAlloca:
    visit_alloca(objects, instruction);
    return;
  case LLVMLoad:
    visit_load(objects, instruction);
    return;
  case LLVMStore:
    visit_store(objects, instruction);
    return;
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
    visit_atomic(objects, instruction);
    return;
  case LLVMCall:
  case LLVMInvoke:
    visit_call(objects, instruction);
    return;
  case LLVMRet:
    visit_return(objects, function, instruction);
    return;
  case LLVMGetElementPtr:
    same(objects, instruction, LLVMGetOperand(instruction, 0));
    return;
  case LLVMPtrToInt:
  case LLVMIntToPtr:
    visit_cast(objects, instruction, opcode);
    return;
  case LLVMVAArg:
  case LLVMLandingPad:
    if (nb_type_has_pointer(LLVMTypeOf(instruction)))
      nb_class_unify(nb_value_class(objects, instruction), objects->unknown);
    return;
  default:
    visit_moves(objects, instruction);
  }
}

/* --- The whole graph. ------------------------------------------------------------------------- */

NbObjects *nb_graph_new(NbContext *context, NbArena *arena) {
  NbObjects *objects = NB_NEW(arena, NbObjects);
  objects->context = context;
  objects->arena = arena;
  objects->functions = nb_list(arena);
  objects->values = nb_map_new(arena);
  objects->globals = nb_map_new(arena);
  objects->results = nb_map_new(arena);
  objects->bindings = nb_map_new(arena);
  objects->unknown = nb_class_new(objects);
  objects->unknown->flags = NB_CLASS_UNKNOWN | NB_CLASS_POINTED;
  objects->unknown->pointee = objects->unknown;
  return objects;
}

bool nb_graph_holds(const NbObjects *objects, LLVMValueRef function) {
  return nb_map_has(objects->results, function);
}

static void make_parameters(NbObjects *objects, LLVMValueRef function) {
  nb_map_set(objects->results, function, nb_class_new(objects));
  for (unsigned i = 0; i < LLVMCountParams(function); i++) {
    LLVMValueRef parameter = LLVMGetParam(function, i);
    if (!LLVMGetFirstUse(parameter) || !nb_type_has_pointer(LLVMTypeOf(parameter)))
      continue;
    NbClass *class = nb_value_class(objects, parameter);
    class->parameters |= UINT64_C(1) << (i < 62 ? i : 62);
    nb_list_push(&class->members, parameter);
  }
}

/* Flows origin down to all that is reachable from the class. */
static void spread(NbClass *class, uint64_t parameters) {
  for (bool first = true; class; class = class->pointee, first = false) {
    class = nb_class_find(class);
    bool known = (class->flags & NB_CLASS_EXTERNAL) && !(parameters & ~class->parameters);
    if (known && !first)
      return;
    class->flags |= NB_CLASS_EXTERNAL;
    class->parameters |= parameters;
  }
}

static void find_origins(NbObjects *objects) {
  const uint64_t global = UINT64_C(1) << 63;
  for (unsigned i = 0; i < nb_map_count(objects->values); i++) {
    NbClass *class = nb_class_find(nb_map_get(objects->values, nb_map_key(objects->values, i)));
    if (class->parameters)
      spread(class, class->parameters);
    if (class->flags & (NB_CLASS_CONSTANT | NB_CLASS_GLOBAL))
      spread(class, global);
    if (class->flags & (NB_CLASS_UNKNOWN | NB_CLASS_OPAQUE))
      spread(class, 0);
  }
  spread(objects->unknown, global);
  for (unsigned i = 0; i < nb_map_count(objects->results); i++)
    spread(nb_map_get(objects->results, nb_map_key(objects->results, i)), 0);
}

void nb_graph_solve(NbObjects *objects) {
  for (unsigned i = 0; i < objects->functions.count; i++)
    make_parameters(objects, objects->functions.items[i]);
  for (unsigned i = 0; i < objects->functions.count; i++) {
    LLVMValueRef function = objects->functions.items[i];
    for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at))
      visit(objects, function, at);
  }
  find_origins(objects);
  objects->nothing = nb_class_new(objects);
}

NbObjects *nb_objects_in(NbContext *context, NbArena *arena, LLVMValueRef function) {
  NbObjects *objects = nb_graph_new(context, arena);
  nb_list_push(&objects->functions, function);
  nb_graph_solve(objects);
  return objects;
}

NbObjects *nb_objects_of(NbContext *context, LLVMValueRef function) {
  return nb_objects_in(context, context->arena, function);
}

enum { DEEPEST = 64 };

/* Is a pointer to `target` stored in memory that outlives the function, at or behind `class`? */
static bool holds_outside(NbClass *class, const NbClass *target) {
  for (unsigned depth = 0; class && depth < DEEPEST; depth++) {
    class = nb_class_find(class);
    NbClass *next = class->pointee ? nb_class_find(class->pointee) : NULL;
    if (next == target && (class->flags & NB_CLASS_EXTERNAL))
      return true;
    class = next;
  }
  return class != NULL;
}

static bool held_by_any(const NbMap *map, const NbClass *target) {
  for (unsigned i = 0; i < nb_map_count(map); i++)
    if (holds_outside(nb_map_get(map, nb_map_key(map, i)), target))
      return true;
  return false;
}

bool nb_objects_escapes(NbObjects *objects, LLVMValueRef pointer) {
  NbClass *class = nb_class_find(nb_objects_class(objects, pointer));
  if (!(class->flags & NB_CLASS_EXTERNAL))
    return false;
  if (class->flags & (NB_CLASS_UNKNOWN | NB_CLASS_OPAQUE))
    return true;
  for (unsigned i = 0; i < nb_map_count(objects->results); i++)
    if (nb_class_find(nb_map_get(objects->results, nb_map_key(objects->results, i))) == class)
      return true;
  return held_by_any(objects->values, class) || held_by_any(objects->globals, class);
}
