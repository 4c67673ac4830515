// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The constraints of each instruction on the classes, and the classes of values. */
#include "base/names.h"
#include "emit/runtime.h"
#include "objects/origins.h"
#include "objects/places.h"
#include "objects/words.h"

#include <string.h>

enum {
  POINTER_SIZE = 8,
  MOST_SPELLED = 64,
  FIELD_ROUNDS = 8,
  FORGET_DEPTH = 6,
  MOST_VARIABLES = 8
};

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
  if (nb_tbaa_name(load) || nb_access_is_noted(load))
    return nb_access_names_pointer(load) || nb_address_becomes_pointer(load, 3);
  return !nb_integer_is_number(load) &&
         (!nb_value_is_kept_number(load, MOST_VARIABLES) || nb_address_becomes_pointer(load, 3));
}

/* Is the integer made of one that may be an address? */
static bool comes_from_address(LLVMValueRef integer, unsigned depth) {
  if (!LLVMIsAInstruction(integer) || !depth)
    return false;
  LLVMOpcode opcode = LLVMGetInstructionOpcode(integer);
  if (opcode == LLVMPtrToInt || opcode == LLVMLoad)
    return opcode == LLVMPtrToInt || load_carries(integer);
  LLVMValueRef base = nb_address_base(integer);
  if (base)
    return comes_from_address(base, depth - 1);
  bool moved = opcode == LLVMPHI || opcode == LLVMSelect || opcode == LLVMFreeze;
  for (int i = 0; moved && i < LLVMGetNumOperands(integer); i++) {
    if (comes_from_address(LLVMGetOperand(integer, (unsigned)i), depth - 1))
      return true;
  }
  return false;
}

static bool carries(LLVMValueRef value) {
  if (nb_type_has_pointer(LLVMTypeOf(value)))
    return true;
  if (!type_carries(LLVMTypeOf(value)) || !LLVMIsAInstruction(value))
    return false;
  LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
  if (opcode == LLVMLoad)
    return load_carries(value);
  if (LLVMIsABinaryOperator(value))
    return comes_from_address(value, 4);
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

/* The pointers in a constant at the place, as fields of the memory that it fills. */
static void hold(NbObjects *objects, NbClass *class, NbOffsets place, LLVMValueRef constant) {
  LLVMTypeRef type = LLVMTypeOf(constant);
  if (!nb_type_has_pointer(type) || nb_leads_nowhere(constant))
    return;
  bool structure = LLVMIsAConstantStruct(constant) != NULL;
  if (!structure && !LLVMIsAConstantArray(constant) && !LLVMIsAConstantVector(constant)) {
    nb_class_unify(nb_class_field(class, place, nb_store_size(objects->context, type)),
                   nb_value_class(objects, constant));
    return;
  }
  unsigned count = (unsigned)LLVMGetNumOperands(constant);
  uint64_t size = structure || !count ? 0 : nb_store_size(objects->context, type) / count;
  for (unsigned i = 0; i < count; i++) {
    LLVMTargetDataRef layout = objects->context->layout;
    uint64_t offset = structure ? LLVMOffsetOfElement(layout, type, i) : 0;
    NbOffsets at = count > MOST_SPELLED && size
                       ? nb_place_index(place, size, count)
                       : nb_place_shift(place, (int64_t)(offset + i * size));
    hold(objects, class, at, LLVMGetOperand(constant, i));
  }
}

static NbClass *class_of_global(NbObjects *objects, LLVMValueRef global) {
  NbClass *class = nb_class_new(objects);
  class->flags = LLVMIsGlobalConstant(global) ? NB_CLASS_CONSTANT : NB_CLASS_GLOBAL;
  nb_class_add_member(class, global);
  nb_map_set(objects->globals, global, class);
  remember(objects, global, class);
  NbOffsets start = objects->guide ? nb_place_at(0) : nb_place_anywhere();
  if (is_initialised(global))
    hold(objects, class, start, LLVMGetInitializer(global));
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
  if (nb_leads_nowhere(constant))
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

/* The result is one of those operands that carry pointers, or points to where one of them does. */
static void visit_moves(NbObjects *objects, LLVMValueRef instruction) {
  if (!carries(instruction))
    return;
  if (LLVMIsABinaryOperator(instruction)) {
    same(objects, instruction, nb_address_base(instruction));
    return;
  }
  int count = LLVMGetNumOperands(instruction);
  for (int i = 0; i < count; i++) {
    LLVMValueRef operand = LLVMGetOperand(instruction, (unsigned)i);
    if (!nb_leads_nowhere(operand) && carries(operand))
      same(objects, instruction, operand);
  }
}

/* Is the integer made by moves alone from whole pointers, or an address of the same object? */
static bool holds_whole_pointer(LLVMValueRef integer, unsigned depth) {
  if (LLVMIsAPtrToIntInst(integer) || LLVMIsAConstantInt(integer))
    return true;
  if (LLVMIsALoadInst(integer))
    return load_carries(integer);
  if (LLVMIsABinaryOperator(integer) && carries(integer))
    return depth && holds_whole_pointer(nb_address_base(integer), depth - 1);
  bool moved = LLVMIsAPHINode(integer) || LLVMIsASelectInst(integer) || LLVMIsAFreezeInst(integer);
  if (!moved || !depth)
    return false;
  for (int i = LLVMIsASelectInst(integer) ? 1 : 0; i < LLVMGetNumOperands(integer); i++) {
    if (!holds_whole_pointer(LLVMGetOperand(integer, (unsigned)i), depth - 1))
      return false;
  }
  return true;
}

static bool may_hold_float(LLVMTypeRef type) {
  if (nb_type_has_float(type))
    return true;
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  return kind != LLVMPointerTypeKind &&
         (kind != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) > 1);
}

/* Where the pointer points, as far as it is known before the fields are. */
NbOffsets nb_graph_guess_place(const NbObjects *objects, LLVMValueRef pointer) {
  return objects->guide ? nb_places_of(objects->guide, pointer) : nb_place_anywhere();
}

/* The class is what the pointers of the kind lead to that stand in the `size` bytes at `pointer`.
 */
static void join_bytes(NbObjects *objects, LLVMValueRef pointer, uint64_t size, const char *kind,
                       NbClass *target) {
  NbOffsets place = nb_graph_guess_place(objects, pointer);
  for (uint64_t at = 0; at + POINTER_SIZE <= size && at < MOST_SPELLED; at += POINTER_SIZE) {
    NbClass *class = nb_value_class(objects, pointer);
    uint64_t bytes = at + 2 * POINTER_SIZE > MOST_SPELLED ? size - at : POINTER_SIZE;
    NbOffsets here = nb_place_shift(place, (int64_t)at);
    NbClass *field = nb_class_field_of(class, here, bytes, kind);
    nb_class_unify(target, field);
  }
}

/* The value is one of the pointers in the memory at `pointer` that has its size. */
static void join_content(NbObjects *objects, LLVMValueRef access, LLVMValueRef pointer,
                         LLVMValueRef value) {
  uint64_t size = nb_store_size(objects->context, LLVMTypeOf(value));
  const char *kind = objects->guide ? nb_access_pointer_kind(access) : NULL;
  join_bytes(objects, pointer, size, kind, nb_value_class(objects, value));
}

static void store_content(NbObjects *objects, LLVMValueRef access, LLVMValueRef pointer,
                          LLVMValueRef value) {
  join_content(objects, access, pointer, value);
  nb_class_note_stored(nb_value_class(objects, pointer), nb_graph_guess_place(objects, pointer),
                       nb_store_size(objects->context, LLVMTypeOf(value)));
}

/* Does the instruction give bits of its operands that it only moves? */
static bool moves_bits(LLVMValueRef value) {
  switch (LLVMGetInstructionOpcode(value)) {
  case LLVMBitCast:
  case LLVMExtractElement:
  case LLVMInsertElement:
  case LLVMShuffleVector:
  case LLVMExtractValue:
  case LLVMInsertValue:
    return true;
  default:
    return false;
  }
}

/* A pointer is computed from what lies in memory as an integer, or between floats in a vector:
 * nobody knows to what. */
void nb_graph_forget_integer(NbObjects *objects, LLVMValueRef integer, unsigned depth) {
  bool load = LLVMIsALoadInst(integer) != NULL;
  if (load)
    join_bytes(objects, LLVMGetOperand(integer, 0),
               nb_store_size(objects->context, LLVMTypeOf(integer)), NULL, objects->unknown);
  if ((load || LLVMIsAArgument(integer)) && type_carries(LLVMTypeOf(integer)))
    nb_class_unify(nb_value_class(objects, integer), objects->unknown);
  if (load || !LLVMIsAInstruction(integer) || !depth ||
      (!nb_address_is_arithmetic(integer) && !moves_bits(integer)))
    return;
  for (int i = 0; i < LLVMGetNumOperands(integer); i++)
    nb_graph_forget_integer(objects, LLVMGetOperand(integer, (unsigned)i), depth - 1);
}

static void visit_cast(NbObjects *objects, LLVMValueRef instruction, LLVMOpcode opcode) {
  LLVMValueRef operand = LLVMGetOperand(instruction, 0);
  if (opcode == LLVMPtrToInt) {
    if (nb_address_stays_number(objects->context, instruction))
      return;
    same(objects, instruction, operand);
    if (!nb_address_only_moves(objects->context, instruction, carries))
      nb_class_unify(nb_value_class(objects, operand), objects->unknown);
    return;
  }
  if (opcode == LLVMIntToPtr && holds_whole_pointer(operand, 3))
    same(objects, instruction, operand);
  else if (opcode == LLVMIntToPtr) {
    nb_class_unify(nb_value_class(objects, instruction), objects->unknown);
    nb_graph_forget_integer(objects, operand, FORGET_DEPTH);
    objects->forgotten = true;
  } else
    visit_moves(objects, instruction);
}

static void visit_load(NbObjects *objects, LLVMValueRef load) {
  LLVMValueRef pointer = LLVMGetOperand(load, 0);
  if (may_hold_float(LLVMTypeOf(load)))
    mark(objects, pointer, NB_CLASS_READ);
  if (load_carries(load))
    join_content(objects, load, pointer, load);
}

/* The constant address that is stored as an integer as long as it, or what is stored. */
static LLVMValueRef stored_value(LLVMValueRef store) {
  LLVMValueRef value = LLVMGetOperand(store, 0);
  bool address = LLVMIsAConstantExpr(value) && LLVMGetConstOpcode(value) == LLVMPtrToInt &&
                 LLVMGetIntTypeWidth(LLVMTypeOf(value)) == 8 * POINTER_SIZE;
  return address ? LLVMGetOperand(value, 0) : value;
}

static void visit_store(NbObjects *objects, LLVMValueRef store) {
  LLVMValueRef value = stored_value(store), to = LLVMGetOperand(store, 1);
  mark(objects, to, NB_CLASS_WRITTEN);
  if (!nb_leads_nowhere(value) && carries(value))
    store_content(objects, store, to, value);
  else
    nb_graph_move_word(objects, store);
}

static void visit_atomic(NbObjects *objects, LLVMValueRef instruction) {
  LLVMValueRef pointer = LLVMGetOperand(instruction, 0);
  mark(objects, pointer, NB_CLASS_READ | NB_CLASS_WRITTEN);
  for (int i = 1; i < LLVMGetNumOperands(instruction); i++) {
    LLVMValueRef operand = LLVMGetOperand(instruction, (unsigned)i);
    if (nb_type_has_pointer(LLVMTypeOf(operand)))
      store_content(objects, instruction, pointer, operand);
  }
  if (nb_type_has_pointer(LLVMTypeOf(instruction)))
    join_content(objects, instruction, pointer, instruction);
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
  LLVMValueRef next = LLVMIsAInvokeInst(call) ? LLVMGetFirstInstruction(LLVMGetNormalDest(call))
                                              : LLVMGetNextInstruction(call);
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

static void visit_copy(NbObjects *objects, LLVMValueRef call, const NbCall *what) {
  mark(objects, what->to, NB_CLASS_WRITTEN);
  mark(objects, what->from, NB_CLASS_READ);
  bool constant = LLVMIsAConstantInt(what->bytes) != NULL;
  uint64_t bytes = constant ? LLVMConstIntGetZExtValue(what->bytes) : NB_UNKNOWN_SIZE;
  nb_graph_transfer(
      objects, (NbTransfer){nb_value_class(objects, what->to), nb_value_class(objects, what->from),
                            nb_graph_guess_place(objects, what->to),
                            nb_graph_guess_place(objects, what->from), bytes, false, false});
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

static void visit_told(NbObjects *objects, LLVMValueRef call, const NbRule *rule) {
  LLVMValueRef body = nb_graph_told_body(objects->context, call, rule);
  if (body && !nb_graph_holds(objects, body))
    nb_graph_link(objects, call, body);
  else if (body && nb_type_has_pointer(LLVMTypeOf(call)))
    mark(objects, call, NB_CLASS_OPAQUE);
}

static void visit_call(NbObjects *objects, LLVMValueRef call) {
  NbCall what = nb_call_of(objects->context, call);
  if (what.callee && strcmp(nb_name(what.callee), NB_THROWN_OBJECT) == 0) {
    nb_class_unify(nb_value_class(objects, call), nb_graph_thrown(objects));
    return;
  }
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
    nb_graph_row(objects, call, what.rule);
    visit_told(objects, call, what.rule);
    return;
  case NB_CALL_BODY:
    if (nb_graph_holds(objects, what.callee))
      visit_recursion(objects, call, what.callee);
    else
      nb_graph_bind(objects, call, what.callee);
    if (nb_runtime_gives_record(what.callee))
      mark(objects, call, NB_CLASS_RECORDS);
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
  nb_class_add_member(class, instruction);
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
    nb_address_join_ends(objects, instruction);
    return;
  case LLVMPtrToInt:
  case LLVMIntToPtr:
    visit_cast(objects, instruction, opcode);
    return;
  case LLVMLandingPad:
    nb_class_unify(nb_value_class(objects, instruction), nb_graph_thrown(objects));
    return;
  case LLVMVAArg:
    if (nb_type_has_pointer(LLVMTypeOf(instruction)))
      nb_class_unify(nb_value_class(objects, instruction), objects->unknown);
    return;
  default:
    visit_moves(objects, instruction);
  }
}

/* --- Exceptions. ----------------------------------------------------------------------------- */

/* It may come from functions that are not known, and what lies in it too. */
NbClass *nb_graph_thrown(NbObjects *objects) {
  if (!objects->thrown) {
    objects->thrown = nb_class_new(objects);
    objects->thrown->flags = NB_CLASS_OPAQUE | NB_CLASS_POINTED;
    nb_class_unify(nb_class_field(objects->thrown, nb_place_anywhere(), POINTER_SIZE),
                   objects->unknown);
  }
  return nb_class_find(objects->thrown);
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
  objects->transfers = nb_list(arena);
  objects->unknown = nb_class_new(objects);
  objects->unknown->flags = NB_CLASS_UNKNOWN | NB_CLASS_POINTED;
  nb_class_unify(objects->unknown,
                 nb_class_field(objects->unknown, nb_place_anywhere(), POINTER_SIZE));
  return objects;
}

bool nb_graph_holds(const NbObjects *objects, LLVMValueRef function) {
  return nb_map_has(objects->results, function);
}

static void make_parameters(NbObjects *objects, LLVMValueRef function) {
  nb_map_set(objects->results, function, nb_class_new(objects));
  for (unsigned i = 0; i < LLVMCountParams(function); i++) {
    LLVMValueRef parameter = LLVMGetParam(function, i);
    bool used = LLVMGetFirstUse(parameter) || nb_graph_is_told_of(objects, function, i);
    if (!used || !nb_type_has_pointer(LLVMTypeOf(parameter)))
      continue;
    NbClass *class = nb_value_class(objects, parameter);
    class->parameters |= UINT64_C(1) << (i < 62 ? i : 62);
    nb_class_add_member(class, parameter);
  }
}

/* --- The solution. ---------------------------------------------------------------------------- */

/* Flows origin down to all that is reachable from the class. */
static void spread(NbClass *class, uint64_t parameters) {
  class = nb_class_find(class);
  NbList open = nb_list(class->graph->arena);
  class->flags |= NB_CLASS_EXTERNAL;
  class->parameters |= parameters;
  nb_list_push(&open, class);
  while (open.count) {
    class = open.items[--open.count];
    for (unsigned i = 0; i < class->field_count; i++) {
      NbClass *target = nb_class_find(class->fields[i].target);
      if ((target->flags & NB_CLASS_EXTERNAL) && !(parameters & ~target->parameters))
        continue;
      target->flags |= NB_CLASS_EXTERNAL;
      target->parameters |= parameters;
      nb_list_push(&open, target);
    }
  }
}

static void find_origins(NbObjects *objects) {
  for (unsigned i = 0; i < nb_map_count(objects->values); i++) {
    NbClass *class = nb_class_find(nb_map_get(objects->values, nb_map_key(objects->values, i)));
    if (class->parameters)
      spread(class, class->parameters);
    if (class->flags & (NB_CLASS_CONSTANT | NB_CLASS_GLOBAL))
      spread(class, NB_FROM_GLOBAL);
    if (class->flags & (NB_CLASS_UNKNOWN | NB_CLASS_OPAQUE))
      spread(class, 0);
  }
  spread(objects->unknown, NB_FROM_GLOBAL);
  for (unsigned i = 0; i < nb_map_count(objects->results); i++)
    spread(nb_map_get(objects->results, nb_map_key(objects->results, i)), 0);
}

/* Once it is known where pointers are loaded: what becomes of those that go out of sight. */
static void forget_words(NbObjects *objects) {
  for (unsigned i = 0; i < objects->functions.count; i++) {
    LLVMValueRef at = nb_instruction_first(objects->functions.items[i]);
    for (; at; at = nb_instruction_next(at))
      if (LLVMIsAStoreInst(at))
        nb_graph_forget_word(objects, at);
      else if (nb_is_call(at))
        nb_graph_note_unseen(objects, at);
  }
}

void nb_graph_solve(NbObjects *objects) {
  for (unsigned i = 0; i < objects->functions.count; i++)
    make_parameters(objects, objects->functions.items[i]);
  for (unsigned i = 0; i < objects->functions.count; i++) {
    LLVMValueRef function = objects->functions.items[i];
    for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at))
      visit(objects, function, at);
  }
  forget_words(objects);
  nb_graph_solve_transfers(objects);
  for (unsigned i = 0; i < objects->functions.count; i++)
    nb_graph_note_told(objects, objects->functions.items[i]);
  find_origins(objects);
  objects->nothing = nb_class_new(objects);
}

static NbObjects *solve(NbContext *context, NbArena *arena, NbList functions,
                        const NbOrigins *origins, const NbPlaces *guide) {
  NbObjects *objects = nb_graph_new(context, arena);
  objects->functions = functions;
  objects->origins = origins;
  objects->guide = guide;
  nb_graph_solve(objects);
  objects->followed = guide && nb_graph_keeps_transfers(objects);
  objects->flat = nb_places_solve(objects, arena, false, true);
  objects->places = objects->flat->extents || objects->flat->notes
                        ? nb_places_solve(objects, arena, false, false)
                        : objects->flat;
  objects->guide = NULL;
  return objects;
}

/* Are there pointers in memory at all, or may there be in a caller's, so that it matters where? */
static bool has_fields(const NbObjects *objects) {
  for (unsigned i = 0; i < nb_map_count(objects->values); i++) {
    NbClass *class = nb_class_find(nb_map_get(objects->values, nb_map_key(objects->values, i)));
    if (class->field_count && !(class->flags & NB_CLASS_UNKNOWN))
      return true;
  }
  return false;
}

/* Fields are told apart by where pointers point, which depends on the classes, which depend on the
 * fields. It starts from a graph with one field to each class and the guess that what is found in
 * memory points to the start of an object, and is done again with wider places until those found
 * are within those that it was done with: then both hold. */
static NbObjects *solve_fields(NbContext *context, NbArena *arena, NbList functions,
                               const NbOrigins *origins) {
  NbObjects *coarse = solve(context, arena, functions, origins, NULL);
  if (!has_fields(coarse))
    return coarse;
  NbPlaces *guide = nb_places_solve(coarse, arena, true, true);
  for (unsigned round = 0; round < FIELD_ROUNDS && !guide->lost; round++) {
    NbObjects *fine = solve(context, arena, functions, origins, guide);
    if (!nb_places_widen(guide, fine->flat))
      return fine;
  }
  return coarse;
}

/* Is the place of several members, and not known to end? One that ends is of an array's elements.
 */
static bool is_blurred_at(const NbOffsets *place, bool endless) {
  return nb_place_step(place) && (!endless || place->low == INT64_MIN || place->high == INT64_MAX);
}

/* Do pointers in memory lead back to the same class, from members that are not told apart? */
static bool is_blurred(const NbObjects *objects, bool endless) {
  for (unsigned i = 0; i < nb_map_count(objects->values); i++) {
    NbClass *class = nb_class_find(nb_map_get(objects->values, nb_map_key(objects->values, i)));
    for (unsigned k = 0; k < class->field_count && !(class->flags & NB_CLASS_UNKNOWN); k++)
      if (is_blurred_at(&class->fields[k].place, endless) &&
          nb_class_find(class->fields[k].target) == class)
        return true;
  }
  return false;
}

/* Of what the values of the graph lead to. */
static unsigned count_classes(const NbObjects *objects) {
  NbMap *met = nb_map_new(objects->arena);
  for (unsigned i = 0; i < nb_map_count(objects->values); i++) {
    NbClass *class = nb_class_find(nb_map_get(objects->values, nb_map_key(objects->values, i)));
    nb_map_set(met, class, class);
  }
  return nb_map_count(met);
}

/* Where objects are said to begin is a choice, which may be a bad one: in a tree of nodes that each
 * lead to a list of others, all begin where they begin. The better one is taken. */
NbObjects *nb_graph_of(NbContext *context, NbArena *arena, NbList functions) {
  const NbOrigins *origins = nb_origins_find(context, arena, functions);
  NbObjects *objects = solve_fields(context, arena, functions, origins);
  if (!nb_origins_differ(origins) || !is_blurred(objects, false))
    return objects;
  NbObjects *plain = solve_fields(context, arena, functions, NULL);
  if (is_blurred(plain, true) && !is_blurred(objects, true))
    return objects;
  return count_classes(plain) > count_classes(objects) ? plain : objects;
}

NbObjects *nb_objects_in(NbContext *context, NbArena *arena, LLVMValueRef function) {
  NbList functions = nb_list(arena);
  nb_list_push(&functions, function);
  return nb_graph_of(context, arena, functions);
}

NbObjects *nb_objects_of(NbContext *context, LLVMValueRef function) {
  return nb_objects_in(context, context->arena, function);
}

/* Classes of memory that outlives the function in which pointers to the target are stored. */
typedef struct Holders {
  NbClass *target;
  NbMap *found; /* a set */
} Holders;

static bool find_holder(void *user, NbClass *class) {
  Holders *holders = user;
  bool holds = false;
  for (unsigned i = 0; (class->flags & NB_CLASS_EXTERNAL) && i < class->field_count; i++)
    holds |= nb_class_find(class->fields[i].target) == holders->target;
  if (holds)
    nb_map_set(holders->found, class, class);
  return false;
}

static NbMap *holders_of(const NbObjects *objects, NbClass *target) {
  Holders holders = {target, nb_map_new(objects->arena)};
  const NbMap *maps[] = {objects->values, objects->globals};
  for (unsigned m = 0; m < 2; m++)
    for (unsigned i = 0; i < nb_map_count(maps[m]); i++)
      nb_class_walk(nb_map_get(maps[m], nb_map_key(maps[m], i)), find_holder, &holders);
  return holders.found;
}

/* Is it the memory of constants alone? What is made in the function is not stored there. */
static bool is_of_constants(const NbObjects *objects, NbClass *class) {
  const unsigned others = NB_CLASS_STACK | NB_CLASS_HEAP | NB_CLASS_GLOBAL | NB_CLASS_UNKNOWN |
                          NB_CLASS_OPAQUE | NB_CLASS_WRITTEN;
  bool constant = (class->flags & NB_CLASS_CONSTANT) && !(class->flags & others);
  return constant && class->parameters == NB_FROM_GLOBAL &&
         !nb_map_count(holders_of(objects, class));
}

bool nb_class_escapes(NbObjects *objects, NbClass *class) {
  class = nb_class_find(class);
  if (!(class->flags & NB_CLASS_EXTERNAL))
    return false;
  if (class->flags & (NB_CLASS_UNKNOWN | NB_CLASS_OPAQUE))
    return true;
  for (unsigned i = 0; i < nb_map_count(objects->results); i++)
    if (nb_class_find(nb_map_get(objects->results, nb_map_key(objects->results, i))) == class)
      return true;
  const NbMap *holders = holders_of(objects, class);
  for (unsigned i = 0; i < nb_map_count(holders); i++)
    if (!is_of_constants(objects, (NbClass *)nb_map_key(holders, i)))
      return true;
  return false;
}

bool nb_objects_escapes(NbObjects *objects, LLVMValueRef pointer) {
  return nb_class_escapes(objects, nb_objects_class(objects, pointer));
}
