// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Several directions at once: memory whose shadows lie side by side. That is memory of the
 * function's own, or behind its arguments, where the request says so.
 *
 * Where all accesses to an array of the function's are seen, and all are of floats of one format,
 * it has one shadow that is as many times as large as there are directions: a float at offset o has
 * its tangents at as many times o, one behind the other, so that one access of a vector moves all
 * of them. The shadow in the first direction is a pointer to there, and the others are that many
 * floats further. Behind an argument, they must be seen, or the request cannot be served. */
#include "linear/build.h"
#include "objects/graph.h"

#include <string.h>

typedef struct NbInterleaved {
  LLVMValueRef array; /* an alloca, a call that allocates, or a parameter */
  LLVMTypeRef type;   /* of all floats in it; NULL: not known yet */
  bool input; /* read alone, and the same in all directions: they lie where the first does */
  bool refused;
  NbList pointers; /* into it, itself the first */
  NbList joints;   /* phis and choices among them */
  NbList copies;   /* calls that move its floats from or to somewhere else */
} NbInterleaved;

enum { MOST_ALIGNED = 32 };

LLVMValueRef nb_interleaved_parameter(const NbLinear *linear, LLVMValueRef pointer) {
  const NbInterleaved *memory = nb_map_get(linear->interleaved, pointer);
  return LLVMIsAArgument(memory->array) ? nb_linear_shadow(linear, memory->array, 0) : NULL;
}

bool nb_linear_is_interleaved(const NbLinear *linear, LLVMValueRef pointer) {
  return linear->interleaved && nb_map_has(linear->interleaved, pointer);
}

static uint64_t size_of(const NbLinear *linear, LLVMTypeRef type) {
  return LLVMABISizeOfType(linear->work->context->layout, type);
}

/* --- Types ---------------------------------------------------------------------------------- */

static LLVMTypeRef wide_struct(const NbLinear *linear, LLVMTypeRef type) {
  unsigned count = LLVMCountStructElementTypes(type);
  LLVMTypeRef *members = NB_NEW_ARRAY(linear->work->context->arena, LLVMTypeRef, count + 1);
  for (unsigned i = 0; i < count; i++) {
    members[i] = nb_interleaved_type(linear, LLVMStructGetTypeAtIndex(type, i));
    if (!members[i])
      return NULL;
  }
  LLVMTypeRef wide =
      LLVMStructTypeInContext(LLVMGetTypeContext(type), members, count, LLVMIsPackedStruct(type));
  LLVMTargetDataRef layout = linear->work->context->layout;
  for (unsigned i = 0; i < count; i++)
    if (LLVMOffsetOfElement(layout, wide, i) !=
        linear->width * LLVMOffsetOfElement(layout, type, i))
      return NULL;
  return wide;
}

LLVMTypeRef nb_interleaved_type(const NbLinear *linear, LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  LLVMTypeRef wide = NULL;
  if (!LLVMTypeIsSized(type))
    return NULL;
  if (kind == LLVMStructTypeKind) {
    wide = wide_struct(linear, type);
  } else if (kind == LLVMArrayTypeKind) {
    LLVMTypeRef element = nb_interleaved_type(linear, LLVMGetElementType(type));
    wide = element ? LLVMArrayType2(element, LLVMGetArrayLength2(type)) : NULL;
  } else if (kind != LLVMScalableVectorTypeKind) {
    wide = LLVMArrayType2(type, linear->width);
  }
  return wide && size_of(linear, wide) == linear->width * size_of(linear, type) ? wide : NULL;
}

/* Are as many of them, in memory, the vector of as many? */
static bool is_packed(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  return kind == LLVMDoubleTypeKind || kind == LLVMFloatTypeKind || kind == LLVMHalfTypeKind ||
         kind == LLVMBFloatTypeKind;
}

/* --- What is done with the memory ----------------------------------------------------------- */

static bool takes_type(NbInterleaved *memory, LLVMTypeRef type) {
  if (!memory->type && is_packed(type))
    memory->type = type;
  return memory->type == type;
}

static void push_pointer(const NbLinear *linear, NbInterleaved *memory, LLVMValueRef pointer) {
  NbMap *known = memory->input ? linear->inputs : linear->interleaved;
  if (nb_map_get(known, pointer) == memory)
    return;
  nb_map_set(known, pointer, memory);
  nb_list_push(&memory->pointers, pointer);
}

/* Of an element, or of a pointer of which the elements are. */
static bool follow(const NbLinear *linear, NbInterleaved *memory, LLVMValueRef user) {
  if (LLVMGetTypeKind(LLVMTypeOf(user)) != LLVMPointerTypeKind ||
      !nb_activity_pointer(linear->activity, user) || nb_linear_is_guarded(linear, user))
    return false;
  if (LLVMIsAGetElementPtrInst(user) && !memory->input &&
      !nb_interleaved_type(linear, LLVMGetGEPSourceElementType(user)))
    return false;
  if (LLVMIsAPHINode(user) || LLVMIsASelectInst(user))
    nb_list_push(&memory->joints, user);
  push_pointer(linear, memory, user);
  return true;
}

static bool frees_alone(const NbLinear *linear, LLVMValueRef call) {
  const NbRule *rule = nb_rule_of_call(linear->work->context, call, NULL);
  return rule && rule->kind == NB_RULE_FREE && LLVMGetNumArgOperands(call) == 1;
}

/* Of whole floats? */
static bool fits(const NbLinear *linear, const NbInterleaved *memory, LLVMValueRef bytes) {
  uint64_t size = memory->type ? size_of(linear, memory->type) : 0;
  uint64_t factor = LLVMIsAConstantInt(bytes) ? LLVMConstIntGetZExtValue(bytes)
                                              : nb_types_factor(linear->types, bytes);
  return size && factor % size == 0;
}

static bool is_transfer(LLVMValueRef inst) {
  return LLVMIsAMemIntrinsic(inst) &&
         (LLVMIsAMemSetInst(inst) || LLVMIsAMemCpyInst(inst) || LLVMIsAMemMoveInst(inst)) &&
         LLVMIsAConstantInt(LLVMGetOperand(inst, 3)) && LLVMIsNull(LLVMGetOperand(inst, 3));
}

static bool visit_use(const NbLinear *linear, NbInterleaved *memory, LLVMValueRef pointer,
                      LLVMValueRef user) {
  switch (LLVMGetInstructionOpcode(user)) {
  case LLVMGetElementPtr:
  case LLVMFreeze:
  case LLVMPHI:
  case LLVMSelect:
    return follow(linear, memory, user);
  case LLVMICmp:
    return true;
  case LLVMLoad:
    return nb_access_is_plain(user) && takes_type(memory, LLVMTypeOf(user));
  case LLVMStore:
    return !memory->input && nb_access_is_plain(user) && LLVMGetOperand(user, 0) != pointer &&
           takes_type(memory, LLVMTypeOf(LLVMGetOperand(user, 0)));
  case LLVMCall:
    if (is_transfer(user))
      nb_list_push(&memory->copies, user);
    return !memory->input && (is_transfer(user) || frees_alone(linear, user));
  default:
    return false;
  }
}

static void visit(const NbLinear *linear, NbInterleaved *memory) {
  for (unsigned i = 0; !memory->refused && i < memory->pointers.count; i++) {
    LLVMValueRef pointer = memory->pointers.items[i];
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use))
      memory->refused |= !visit_use(linear, memory, pointer, LLVMGetUser(use));
  }
}

/* --- Which memory it is --------------------------------------------------------------------- */

static bool multiplies_operand(const NbExpr *extent, unsigned *operand) {
  while (extent && extent->kind == NB_EXPR_MULTIPLY)
    extent = extent->operands[0];
  if (!extent || extent->kind != NB_EXPR_PARAMETER)
    return false;
  *operand = extent->index;
  return true;
}

bool nb_interleaved_count(const NbRule *rule, unsigned *operand) {
  return rule && rule->kind == NB_RULE_ALLOCATE && !rule->handed_count &&
         multiplies_operand(rule->extent, operand);
}

/* May as many times as much be asked for? */
static bool is_scalable(const NbLinear *linear, LLVMValueRef inst) {
  unsigned operand;
  const NbContext *context = linear->work->context;
  if (LLVMIsAAllocaInst(inst))
    return nb_interleaved_type(linear, LLVMGetAllocatedType(inst)) != NULL;
  return LLVMIsACallInst(inst) &&
         nb_interleaved_count(nb_rule_of_call(context, inst, NULL), &operand) &&
         size_of(linear, LLVMTypeOf(LLVMGetOperand(inst, operand))) >=
             LLVMPointerSize(context->layout);
}

static bool is_candidate(const NbLinear *linear, LLVMValueRef inst) {
  return LLVMGetTypeKind(LLVMTypeOf(inst)) == LLVMPointerTypeKind && is_scalable(linear, inst) &&
         nb_activity_pointer(linear->activity, inst) && !nb_linear_is_guarded(linear, inst);
}

/* --- Memory that does not come together with other memory ------------------------------------ */

static const NbInterleaved *memory_of(const NbLinear *linear, LLVMValueRef pointer) {
  const NbInterleaved *memory = linear->inputs ? nb_map_get(linear->inputs, pointer) : NULL;
  memory = memory ? memory : nb_map_get(linear->interleaved, pointer);
  return memory && !memory->refused ? memory : NULL;
}

static bool joins_others(const NbLinear *linear, const NbInterleaved *memory, LLVMValueRef joint) {
  for (int i = LLVMIsASelectInst(joint) ? 1 : 0; i < LLVMGetNumOperands(joint); i++)
    if (memory_of(linear, LLVMGetOperand(joint, (unsigned)i)) != memory)
      return true;
  return false;
}

/* Are numbers moved, as many as there are, between this memory and memory of its kind, or without
 * shadow? */
static bool may_move(const NbLinear *linear, const NbInterleaved *memory, LLVMValueRef call) {
  if (!fits(linear, memory, LLVMGetOperand(call, 2)) || nb_types_is_rest(call))
    return false;
  if (LLVMIsAMemSetInst(call))
    return true;
  for (unsigned i = 0; i < 2; i++) {
    LLVMValueRef pointer = LLVMGetOperand(call, i);
    const NbInterleaved *other = memory_of(linear, pointer);
    bool has_shadow = LLVMIsAConstant(pointer) ? nb_linear_has_shadow(linear, pointer)
                                               : nb_activity_pointer(linear->activity, pointer);
    if (other ? other->type != memory->type : has_shadow)
      return false;
  }
  return true;
}

/* Memory behind an argument may be one that nobody accesses. */
static bool stands(const NbLinear *linear, const NbInterleaved *memory) {
  bool stands = !memory->refused && (memory->type || LLVMIsAArgument(memory->array));
  for (unsigned i = 0; stands && i < memory->joints.count; i++)
    stands = !joins_others(linear, memory, memory->joints.items[i]);
  for (unsigned i = 0; stands && i < memory->copies.count; i++)
    stands = may_move(linear, memory, memory->copies.items[i]);
  return stands;
}

/* What is only moved holds what it is moved from or to. True where that is news. */
static bool take_type_of_copies(const NbLinear *linear, NbInterleaved *memory) {
  for (unsigned i = 0; !memory->type && i < 2 * memory->copies.count; i++) {
    LLVMValueRef call = memory->copies.items[i / 2];
    const NbInterleaved *other =
        LLVMIsAMemSetInst(call) ? NULL : memory_of(linear, LLVMGetOperand(call, i % 2));
    memory->type = other ? other->type : NULL;
    if (memory->type)
      return true;
  }
  return false;
}

static void spread_types(const NbLinear *linear, const NbList *memories) {
  bool changed = true;
  while (changed) {
    changed = false;
    for (unsigned i = 0; i < memories->count; i++)
      changed = take_type_of_copies(linear, memories->items[i]) || changed;
  }
}

static void refuse_until_stable(const NbLinear *linear, const NbList *memories) {
  bool changed = true;
  while (changed) {
    changed = false;
    for (unsigned i = 0; i < memories->count; i++) {
      NbInterleaved *memory = memories->items[i];
      if (memory->refused || stands(linear, memory))
        continue;
      memory->refused = true;
      changed = true;
    }
  }
}

/* A pointer may have been come to from two arrays; then neither of them stands. */
static NbMap *pointers_into(const NbLinear *linear, const NbList *memories) {
  NbMap *pointers = nb_map_new(linear->work->context->arena);
  for (unsigned i = 0; i < memories->count; i++) {
    NbInterleaved *memory = memories->items[i];
    for (unsigned j = 0; !memory->refused && !memory->input && j < memory->pointers.count; j++)
      nb_map_set(pointers, memory->pointers.items[j], memory);
  }
  return pointers;
}

static void take(NbLinear *linear, LLVMValueRef array, bool input, NbList *memories) {
  NbArena *arena = linear->work->context->arena;
  NbInterleaved *memory = NB_NEW(arena, NbInterleaved);
  *memory = (NbInterleaved){.array = array,
                            .input = input,
                            .refused = nb_linear_is_guarded(linear, array),
                            .pointers = nb_list(arena),
                            .joints = nb_list(arena),
                            .copies = nb_list(arena)};
  push_pointer(linear, memory, array);
  visit(linear, memory);
  nb_list_push(memories, memory);
}

static void take_parameters(NbLinear *linear, NbList *memories) {
  const NbRequest *request = linear->work->request;
  for (unsigned i = 0; i < request->count; i++) {
    LLVMValueRef parameter = linear->parameters[i];
    if (LLVMGetTypeKind(LLVMTypeOf(parameter)) == LLVMPointerTypeKind &&
        nb_role_has_shadow(request->roles[i]) && nb_activity_pointer(linear->activity, parameter))
      take(linear, parameter, request->inputs && request->inputs[i], memories);
  }
}

/* From the first of its shadows, those of the other directions. */
static void set_parameter(NbLinear *linear, const NbInterleaved *memory) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(linear->work->context->llvm);
  LLVMPositionBuilderBefore(builder, nb_instruction_first(linear->work->function));
  if (memory->type)
    nb_interleaved_set(linear, builder, memory->array, nb_linear_shadow(linear, memory->array, 0));
  LLVMDisposeBuilder(builder);
}

/* False where the shadows of one do not lie side by side. */
static bool set_parameters(NbLinear *linear, const NbList *memories) {
  for (unsigned i = 0; i < memories->count; i++) {
    const NbInterleaved *memory = memories->items[i];
    bool argument = LLVMIsAArgument(memory->array);
    if (argument && (memory->refused || (linear->inputs && memory->copies.count)))
      return false;
    if (argument && !memory->input)
      set_parameter(linear, memory);
  }
  return true;
}

bool nb_interleaved_find(NbLinear *linear, const NbList *instructions) {
  const NbRequest *request = linear->work->request;
  NbArena *arena = linear->work->context->arena;
  if (linear->width < 2)
    return !request->inputs;
  if (request->mode != NB_MODE_FORWARD || request->observed || request->replayed ||
      nb_without(linear->work->context, NB_OPTIMISATION_INTERLEAVE))
    return !request->interleaved;
  NbList memories = nb_list(arena);
  linear->interleaved = nb_map_new(arena);
  linear->inputs = request->inputs ? nb_map_new(arena) : NULL;
  if (request->interleaved)
    take_parameters(linear, &memories);
  for (unsigned i = 0; i < instructions->count; i++)
    if (is_candidate(linear, instructions->items[i]))
      take(linear, instructions->items[i], false, &memories);
  spread_types(linear, &memories);
  refuse_until_stable(linear, &memories);
  linear->interleaved = pointers_into(linear, &memories);
  return set_parameters(linear, &memories);
}

/* --- Shadows -------------------------------------------------------------------------------- */

/* The largest power of two that divides the number. */
static unsigned power_in(unsigned number) { return number & -number; }

static unsigned smaller(unsigned a, unsigned b) { return a < b ? a : b; }

/* Is the memory that of a row of nabla's own, without an alignment in front, and so aligned for
 * whatever may lie there? */
static bool is_aligned(const NbLinear *linear, LLVMValueRef call) {
  const NbRule *rule = nb_rule_of_call(linear->work->context, call, NULL);
  const char *name = nb_name(nb_callee(call));
  unsigned operand = 0;
  return nb_rules_find(nb_rules_builtin(), name, strlen(name), NULL) == rule &&
         nb_interleaved_count(rule, &operand) && operand == 0;
}

static unsigned own_alignment(const NbLinear *linear, LLVMValueRef array) {
  if (LLVMIsAAllocaInst(array))
    return LLVMGetAlignment(array);
  return is_aligned(linear, array) ? 2 * LLVMPointerSize(linear->work->context->layout) : 1;
}

unsigned nb_interleaved_alignment(const NbLinear *linear, LLVMValueRef pointer, unsigned align) {
  const NbInterleaved *memory = nb_map_get(linear->interleaved, pointer);
  unsigned size = (unsigned)size_of(linear, memory->type);
  if (LLVMIsAArgument(memory->array))
    return LLVMABIAlignmentOfType(linear->work->context->layout, memory->type);
  unsigned own = own_alignment(linear, memory->array);
  unsigned most = smaller(power_in(linear->width) * size, MOST_ALIGNED);
  if (!LLVMIsAAllocaInst(memory->array) || own > most)
    most = own;
  return smaller(power_in(linear->width) * smaller(align, own), most);
}

void nb_interleaved_set(NbLinear *linear, LLVMBuilderRef builder, LLVMValueRef array,
                        LLVMValueRef shadow) {
  const NbInterleaved *memory = nb_map_get(linear->interleaved, array);
  LLVMContextRef llvm = linear->work->context->llvm;
  LLVMTypeRef byte = LLVMInt8TypeInContext(llvm);
  uint64_t size = size_of(linear, memory->type);
  for (unsigned lane = 0; lane < linear->width; lane++) {
    LLVMValueRef offset = LLVMConstInt(LLVMInt64TypeInContext(llvm), lane * size, false);
    LLVMValueRef first = lane ? LLVMBuildGEP2(builder, byte, shadow, &offset, 1, "") : shadow;
    nb_map_set(linear->shadows[lane], array, first);
    if (lane)
      nb_map_set(linear->primal_of, first, array);
  }
}

LLVMValueRef nb_interleaved_bytes(const NbLinear *linear, LLVMBuilderRef builder,
                                  LLVMValueRef bytes) {
  LLVMValueRef width = LLVMConstInt(LLVMTypeOf(bytes), linear->width, false);
  return LLVMBuildMul(builder, bytes, width, "");
}
