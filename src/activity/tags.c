// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Integers that are computed with, read from memory that holds integers at one time and numbers
 * with a derivative at another, as members of a union do: only the run knows which.
 *
 * Such memory gets tags, a twin of the same size: bytes that are not zero are those of numbers with
 * a derivative, or, where a pointer to such memory lies, of the one to its tags. Whatever writes or
 * moves bytes does so with their tags, and an integer that goes where bits would matter is checked
 * when it is read: what comes through has no derivative, and where one would be lost the program
 * ends. This is code of the working copy, as if its author had written it.
 *
 * It is done where all of the memory is this function's own, and all that happens to it is seen;
 * elsewhere such integers stay refused. */
#include "activity/tags.h"
#include "activity/checks.h"
#include "emit/runtime.h"
#include "prepare/prepare.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

enum { MOST_ALONE = 64, MOST_LOOKS = 8, BYTE = 8 };

bool nb_activity_is_checked(const NbActivity *activity, LLVMValueRef value) {
  return (LLVMIsALoadInst(value) || LLVMIsABitCastInst(value) || nb_tags_is_join(value)) &&
         LLVMGetMetadata(value, nb_tags_checked_kind(activity->context)) != NULL;
}

/* --- Which memory gets tags. -------------------------------------------------------------------
 */

static bool has_tags(const NbTags *tags, const NbClass *class) {
  return nb_tags_among(&tags->tracked, class);
}

static void track(NbTags *tags, NbClass *class) {
  tags->failed |= nb_tags_is_of_others(class);
  if (!has_tags(tags, class))
    nb_list_push(&tags->tracked, class);
}

/* Is nothing in the memory but floats, as far as they are varied? With a place, in these bytes. */
static bool holds_floats_only(const NbTags *tags, NbClass *class, const NbOffsets *place,
                              uint64_t size) {
  if (nb_tags_among(&tags->mixed, class))
    return false;
  const NbFacts *facts = nb_facts_of(tags->activity->types, class);
  for (unsigned i = 0; i < facts->count; i++) {
    const NbFact *fact = &facts->items[i];
    bool here = !place || nb_place_meets(&fact->place, fact->size, place, size);
    if (here && !fact->declared && fact->kind != NB_KIND_FLOAT)
      return false;
  }
  return !facts->full && !facts->untyped;
}

static bool is_varied_class(const NbTags *tags, NbClass *class) {
  return (nb_activity_class_bits(tags->activity, class) & NB_VARIED) != 0;
}

/* The tags of what is in the memory must be known. */
static void need_tags(NbTags *tags, NbClass *class) {
  if (is_varied_class(tags, class) && !holds_floats_only(tags, class, NULL, 0))
    track(tags, class);
}

/* Those of what is loaded: in memory of others, where only floats lie there, all is a number. */
static void need_loaded(NbTags *tags, LLVMValueRef load) {
  LLVMValueRef pointer = LLVMGetOperand(load, 0);
  NbClass *class = nb_tags_behind(tags, pointer);
  NbOffsets place = nb_places_noted(tags->activity->types->places, pointer);
  uint64_t size = nb_store_size(tags->context, LLVMTypeOf(load));
  tags->failed |= !nb_access_is_plain(load);
  if (!nb_tags_is_of_others(class) || !holds_floats_only(tags, class, &place, size))
    need_tags(tags, class);
}

static bool takes_apart(LLVMValueRef value) {
  return LLVMIsAExtractElementInst(value) || LLVMIsAInsertElementInst(value) ||
         LLVMIsAShuffleVectorInst(value) || LLVMIsAExtractValueInst(value) ||
         LLVMIsAInsertValueInst(value);
}

static bool is_listed(const NbList *list, LLVMValueRef value) {
  for (unsigned i = 0; i < list->count; i++)
    if (list->items[i] == value)
      return true;
  return false;
}

static bool is_checked_here(const NbTags *tags, LLVMValueRef value) {
  return is_listed(&tags->loads, value) || is_listed(&tags->casts, value);
}

/* Is the integer computed of such as are checked before anything is stored that comes of them, or
 * have no derivative? Then it has none. */
static bool is_settled(const NbTags *tags, LLVMValueRef value, NbMap *seen) {
  if (!nb_tags_is_varied(tags, value) || nb_map_has(seen, value) || is_checked_here(tags, value))
    return true;
  nb_map_set(seen, value, value);
  bool computed = LLVMIsABinaryOperator(value) || LLVMIsATruncInst(value) ||
                  LLVMIsAZExtInst(value) || LLVMIsASExtInst(value) || LLVMIsAFreezeInst(value);
  if (nb_type_has_float(LLVMTypeOf(value)) || (!computed && !nb_tags_is_join(value)))
    return false;
  for (int i = LLVMIsASelectInst(value) ? 1 : 0; i < LLVMGetNumOperands(value); i++)
    if (!is_settled(tags, LLVMGetOperand(value, (unsigned)i), seen))
      return false;
  return true;
}

/* The float of which all but the end is the value. */
static LLVMValueRef overwritten(LLVMValueRef value) {
  unsigned count;
  return nb_overwrite_source(value, &count);
}

/* Makes sure that the tags of a value that is stored will be known. */
static void need_value(NbTags *tags, LLVMValueRef value, NbMap *seen) {
  if (!nb_tags_is_varied(tags, value) || nb_map_has(seen, value))
    return;
  nb_map_set(seen, value, value);
  if (LLVMIsALoadInst(value)) {
    need_loaded(tags, value);
  } else if (nb_tags_is_moved(value)) {
    for (int i = LLVMIsASelectInst(value) ? 1 : 0; i < LLVMGetNumOperands(value); i++)
      need_value(tags, LLVMGetOperand(value, (unsigned)i), seen);
  } else if (nb_tags_is_cut(value) || nb_tags_is_lane(value)) {
    need_value(tags, LLVMGetOperand(value, 0), seen);
  } else if (overwritten(value)) {
    need_value(tags, overwritten(value), seen);
  } else if (!nb_type_has_float(LLVMTypeOf(value))) {
    tags->failed |= !is_settled(tags, value, nb_map_new(tags->context->arena));
  } else {
    tags->failed |= takes_apart(value);
  }
}

static bool is_free(const NbTags *tags, LLVMValueRef call) {
  const NbRule *rule = LLVMIsACallInst(call) ? nb_rule_of_call(tags->context, call, NULL) : NULL;
  return rule && rule->kind == NB_RULE_FREE;
}

/* Allocates the call as many bytes as its one argument says, or zeroed ones? */
static bool is_allocation(const NbTags *tags, LLVMValueRef call) {
  const NbRule *rule = LLVMIsACallInst(call) ? nb_rule_of_call(tags->context, call, NULL) : NULL;
  if (!rule || rule->kind != NB_RULE_ALLOCATE)
    return false;
  return rule->zeroed || (LLVMGetNumArgOperands(call) == 1 && rule->extent &&
                          rule->extent->kind == NB_EXPR_PARAMETER);
}

/* Gives the call allocated memory as many bytes as one argument says? */
static bool is_resize(const NbTags *tags, LLVMValueRef call) {
  const NbRule *rule = LLVMIsACallInst(call) ? nb_rule_of_call(tags->context, call, NULL) : NULL;
  return rule && rule->kind == NB_RULE_RESIZE && rule->extent &&
         rule->extent->kind == NB_EXPR_PARAMETER;
}

/* Where a pointer to memory with tags lies there is one to these, so that it has tags, too. */
static bool tracks_links(NbTags *tags, LLVMValueRef access) {
  track(tags, nb_tags_behind(tags, nb_access_pointer(access, false)));
  return nb_access_is_plain(access);
}

/* Makes a pointer to tags as the pointer is made? */
static bool is_made_here(NbTags *tags, LLVMValueRef at) {
  if (LLVMIsAAllocaInst(at))
    return LLVMIsAConstantInt(LLVMGetOperand(at, 0)) != NULL;
  if (LLVMGetTypeKind(LLVMTypeOf(at)) != LLVMPointerTypeKind)
    return false;
  if (LLVMIsALoadInst(at))
    return tracks_links(tags, at);
  return LLVMIsAGetElementPtrInst(at) || LLVMIsAPHINode(at) || LLVMIsASelectInst(at) ||
         is_allocation(tags, at) || is_resize(tags, at);
}

/* Are there numbers of one type alone, and no padding? */
static bool is_full_of_floats(const NbTags *tags, const NbCall *what) {
  uint64_t size =
      LLVMIsAConstantInt(what->bytes) ? LLVMConstIntGetZExtValue(what->bytes) : NB_UNKNOWN_SIZE;
  NbLayout layout = nb_types_layout(tags->activity->types, what->from, size);
  return nb_layout_is_known(&layout) && layout.count == 1 && layout.pieces->kind == NB_KIND_FLOAT &&
         (layout.pieces->size == size || layout.pieces->size == layout.pieces->period);
}

/* Are there pointers to memory with tags? With a place, among these bytes. */
static bool holds_links(const NbTags *tags, NbClass *class, const NbOffsets *place, uint64_t size) {
  class = nb_class_find(class);
  for (unsigned i = 0; i < class->field_count; i++) {
    const NbField *field = &class->fields[i];
    bool here = !place || nb_place_meets(&field->place, field->size, place, size);
    if (here && has_tags(tags, nb_class_find(field->target)))
      return true;
  }
  return false;
}

/* Links are read as such: as what else, what is done with them would not be done with their tags.
 */
static void check_load(NbTags *tags, LLVMValueRef load) {
  LLVMValueRef pointer = LLVMGetOperand(load, 0);
  NbOffsets place = nb_places_noted(tags->activity->types->places, pointer);
  uint64_t size = nb_store_size(tags->context, LLVMTypeOf(load));
  tags->failed |= LLVMGetTypeKind(LLVMTypeOf(load)) != LLVMPointerTypeKind &&
                  holds_links(tags, nb_tags_behind(tags, pointer), &place, size);
}

static void check_copy(NbTags *tags, const NbCall *what) {
  if (what->kind != NB_CALL_COPY)
    return;
  NbClass *from = nb_tags_behind(tags, what->from), *to = nb_tags_behind(tags, what->to);
  if (has_tags(tags, from) && holds_links(tags, from, NULL, 0))
    track(tags, to);
  if (!has_tags(tags, to))
    return;
  bool padded = is_varied_class(tags, from) && !nb_tags_is_of_others(from) &&
                !has_tags(tags, from) && !is_full_of_floats(tags, what);
  if (padded || holds_links(tags, from, NULL, 0))
    track(tags, from);
  else
    need_tags(tags, from);
}

/* Notes a call that is to be inlined; false where it cannot be. */
static bool add_call(const NbTags *tags, LLVMValueRef call) {
  LLVMValueRef primal = nb_map_get(tags->context->primals, tags->activity->function);
  if (nb_prepare_stays(tags->context, primal, nb_callee(call)))
    return false;
  if (!is_listed(tags->calls, call))
    nb_list_push(tags->calls, call);
  return true;
}

/* Is the address compared, or told to somebody, and no more? So sanitizers do. */
static bool is_looked_at(const NbTags *tags, LLVMValueRef address, unsigned depth) {
  bool looked = depth != 0;
  for (LLVMUseRef use = LLVMGetFirstUse(address); use && looked; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool computed = LLVMIsABinaryOperator(user) || LLVMIsASelectInst(user);
    looked = LLVMIsAICmpInst(user) ||
             (nb_is_call(user) && nb_call_only_looks(tags->context, user)) ||
             (computed && is_looked_at(tags, user, depth - 1));
  }
  return looked;
}

/* May the instruction use the pointer to memory with tags? */
static bool may_use(NbTags *tags, LLVMValueRef at) {
  if (LLVMIsALoadInst(at) || LLVMIsAICmpInst(at))
    return !LLVMIsALoadInst(at) || nb_access_is_plain(at);
  if (LLVMIsAStoreInst(at)) {
    need_value(tags, LLVMGetOperand(at, 0), nb_map_new(tags->context->arena));
    return tracks_links(tags, at);
  }
  if (LLVMIsAPtrToIntInst(at))
    return is_looked_at(tags, at, MOST_LOOKS);
  if (!nb_is_call(at))
    return is_made_here(tags, at);
  if (nb_call_only_looks(tags->context, at))
    return true;
  NbCall what = nb_call_of(tags->context, at);
  if (what.kind == NB_CALL_ROW && what.rule->kind == NB_RULE_INACTIVE && !what.rule->effect_count)
    return LLVMGetTypeKind(LLVMTypeOf(at)) != LLVMPointerTypeKind;
  bool known = what.kind == NB_CALL_COPY || what.kind == NB_CALL_FILL;
  if (what.kind == NB_CALL_BODY && tags->calls)
    return add_call(tags, at);
  return (known && !LLVMGetFirstUse(at)) || what.kind == NB_CALL_HARMLESS || is_free(tags, at) ||
         is_resize(tags, at);
}

static bool is_pointer(LLVMValueRef value) {
  return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind &&
         (LLVMIsAInstruction(value) || LLVMIsAArgument(value));
}

static void check_instruction(NbTags *tags, LLVMValueRef at) {
  NbObjects *objects = tags->activity->objects;
  NbClass *made = is_pointer(at) ? nb_value_class_known(objects, at) : NULL;
  if (made && has_tags(tags, made) && LLVMGetFirstUse(at))
    tags->failed |= !is_made_here(tags, at);
  for (int i = 0; i < LLVMGetNumOperands(at); i++) {
    LLVMValueRef operand = LLVMGetOperand(at, (unsigned)i);
    NbClass *class = is_pointer(operand) ? nb_value_class_known(objects, operand) : NULL;
    if (class && has_tags(tags, class))
      tags->failed |= !may_use(tags, at);
  }
  if (LLVMIsALoadInst(at) && has_tags(tags, nb_tags_behind(tags, LLVMGetOperand(at, 0))))
    check_load(tags, at);
  if (nb_is_call(at)) {
    NbCall what = nb_call_of(tags->context, at);
    check_copy(tags, &what);
  }
}

/* What the tags of a cast, or of a join, are those of. */
static LLVMValueRef origin_of(LLVMValueRef integer) {
  return LLVMIsABitCastInst(integer) ? LLVMGetOperand(integer, 0) : integer;
}

/* To a fixed point: what goes into memory with tags must have some. */
static bool choose_memory(NbTags *tags) {
  for (unsigned i = 0; i < tags->loads.count; i++)
    track(tags, nb_tags_behind(tags, LLVMGetOperand(tags->loads.items[i], 0)));
  for (unsigned i = 0; i < tags->casts.count; i++)
    need_value(tags, origin_of(tags->casts.items[i]), nb_map_new(tags->context->arena));
  unsigned before = 0;
  while (!tags->failed && before != tags->tracked.count) {
    before = tags->tracked.count;
    LLVMValueRef at = nb_instruction_first(tags->activity->function);
    for (; at && !tags->failed; at = nb_instruction_next(at))
      check_instruction(tags, at);
  }
  return !tags->failed;
}

/* --- The tags. ---------------------------------------------------------------------------------
 */

static LLVMBuilderRef builder_at(const NbTags *tags, LLVMValueRef inst, LLVMValueRef before) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(tags->context->llvm);
  LLVMPositionBuilderBefore(builder, before);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(inst));
  return builder;
}

static LLVMValueRef number(const NbTags *tags, uint64_t value) {
  return LLVMConstInt(LLVMInt64TypeInContext(tags->context->llvm), value, false);
}

static LLVMValueRef byte(const NbTags *tags, bool set) {
  LLVMTypeRef type = LLVMInt8TypeInContext(tags->context->llvm);
  return set ? LLVMConstAllOnes(type) : LLVMConstNull(type);
}

static LLVMValueRef pointer_to_tags(NbTags *tags, LLVMValueRef pointer);

/* Fresh memory holds no numbers. What could not be allocated is NULL. */
static void clear_tags(NbTags *tags, LLVMBuilderRef builder, LLVMValueRef made,
                       LLVMValueRef memory) {
  if (LLVMIsAAllocaInst(made)) {
    uint64_t size = nb_array_bytes(tags->context, made);
    LLVMBuildMemSet(builder, memory, byte(tags, false), number(tags, size), 1);
  } else if (!nb_rule_of_call(tags->context, made, NULL)->zeroed) {
    LLVMValueRef size = LLVMGetOperand(made, 0);
    LLVMValueRef none = LLVMBuildIsNull(builder, memory, "");
    size = LLVMBuildSelect(builder, none, LLVMConstNull(LLVMTypeOf(size)), size, "");
    LLVMBuildMemSet(builder, memory, byte(tags, false), size, 1);
  }
}

/* What comes in is made later: it may lead back here, and would be made twice. */
static LLVMValueRef make_phi(NbTags *tags, LLVMValueRef phi, LLVMTypeRef type, NbMap *map) {
  LLVMBuilderRef builder = builder_at(tags, phi, phi);
  LLVMValueRef twin = LLVMBuildPhi(builder, type, "tags");
  LLVMDisposeBuilder(builder);
  nb_map_set(map, phi, twin);
  nb_list_push(map == tags->pointers ? &tags->pointer_phis : &tags->value_phis, phi);
  return twin;
}

static LLVMTypeRef bytes_type(const NbTags *tags, uint64_t count) {
  return LLVMArrayType2(LLVMInt8TypeInContext(tags->context->llvm), count);
}

/* An index in steps of one type's size. NbTags have no type: none may be taken from an address. */
static LLVMValueRef step_by(const NbTags *tags, LLVMBuilderRef builder, LLVMValueRef pointer,
                            LLVMTypeRef type, LLVMValueRef index) {
  uint64_t size = LLVMABISizeOfType(tags->context->layout, type);
  return LLVMBuildGEP2(builder, bytes_type(tags, size), pointer, &index, 1, "tags");
}

static LLVMValueRef index_tags(NbTags *tags, LLVMBuilderRef builder, LLVMValueRef gep) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  LLVMValueRef twin = pointer_to_tags(tags, LLVMGetOperand(gep, 0));
  twin = step_by(tags, builder, twin, type, LLVMGetOperand(gep, 1));
  for (int i = 2; i < LLVMGetNumOperands(gep); i++) {
    LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);
    bool structure = LLVMGetTypeKind(type) == LLVMStructTypeKind;
    unsigned member = structure ? (unsigned)LLVMConstIntGetZExtValue(index) : 0;
    if (structure) {
      uint64_t offset = LLVMOffsetOfElement(tags->context->layout, type, member);
      index = number(tags, offset);
    }
    type = structure ? LLVMStructGetTypeAtIndex(type, member) : LLVMGetElementType(type);
    LLVMTypeRef unit = structure ? LLVMInt8TypeInContext(tags->context->llvm) : type;
    twin = step_by(tags, builder, twin, unit, index);
  }
  return twin;
}

static LLVMValueRef repeat_allocation(NbTags *tags, LLVMBuilderRef builder, LLVMValueRef made) {
  LLVMValueRef twin;
  if (LLVMIsAAllocaInst(made)) {
    uint64_t size = LLVMABISizeOfType(tags->context->layout, LLVMGetAllocatedType(made));
    LLVMValueRef count = LLVMGetOperand(made, 0);
    twin = LLVMBuildArrayAlloca(builder, bytes_type(tags, size), count, "tags");
  } else {
    twin = LLVMInstructionClone(made);
    LLVMInsertIntoBuilderWithName(builder, twin, "tags");
  }
  clear_tags(tags, builder, made, twin);
  return twin;
}

/* Behind the old tags there are none. Where the memory could not be resized, it still has its own.
 */
static LLVMValueRef resize_tags(NbTags *tags, LLVMBuilderRef builder, LLVMValueRef call) {
  const NbRule *rule = nb_rule_of_call(tags->context, call, NULL);
  LLVMValueRef before = pointer_to_tags(tags, LLVMGetOperand(call, rule->operands[0]));
  LLVMValueRef bytes = LLVMGetOperand(call, rule->extent->index), none = number(tags, 0);
  LLVMValueRef lost = LLVMBuildIsNull(builder, call, "");
  lost = LLVMBuildSelect(builder, LLVMBuildIsNull(builder, bytes, ""),
                         LLVMConstNull(LLVMTypeOf(lost)), lost, "");
  before = LLVMBuildSelect(builder, lost, LLVMConstNull(LLVMTypeOf(before)), before, "");
  LLVMValueRef old =
      nb_runtime_call(tags->context, builder, rule->measure->name, LLVMTypeOf(none), &before, 1);
  LLVMValueRef twin = LLVMInstructionClone(call);
  LLVMSetOperand(twin, rule->operands[0], before);
  LLVMInsertIntoBuilderWithName(builder, twin, "tags");
  LLVMValueRef there = LLVMBuildIsNotNull(builder, twin, "");
  LLVMValueRef more = LLVMBuildICmp(builder, LLVMIntULT, old, bytes, "");
  LLVMValueRef rest = LLVMBuildSub(builder, bytes, old, "");
  rest = LLVMBuildSelect(builder, LLVMBuildAnd(builder, there, more, ""), rest, none, "");
  LLVMValueRef first =
      step_by(tags, builder, twin, LLVMInt8TypeInContext(tags->context->llvm), old);
  LLVMBuildMemSet(builder, first, byte(tags, false), rest, 1);
  return twin;
}

static LLVMValueRef load_link(NbTags *tags, LLVMBuilderRef builder, LLVMValueRef load) {
  LLVMValueRef from = pointer_to_tags(tags, LLVMGetOperand(load, 0));
  LLVMValueRef twin = LLVMBuildLoad2(builder, LLVMTypeOf(load), from, "tags");
  LLVMSetAlignment(twin, 1);
  return twin;
}

static LLVMValueRef choose_tags(NbTags *tags, LLVMBuilderRef builder, LLVMValueRef select) {
  LLVMValueRef yes = pointer_to_tags(tags, LLVMGetOperand(select, 1));
  LLVMValueRef no = pointer_to_tags(tags, LLVMGetOperand(select, 2));
  return LLVMBuildSelect(builder, LLVMGetOperand(select, 0), yes, no, "tags");
}

static LLVMValueRef make_pointer(NbTags *tags, LLVMValueRef pointer) {
  LLVMBuilderRef builder = builder_at(tags, pointer, LLVMGetNextInstruction(pointer));
  LLVMValueRef twin;
  if (LLVMIsAGetElementPtrInst(pointer))
    twin = index_tags(tags, builder, pointer);
  else if (LLVMIsASelectInst(pointer))
    twin = choose_tags(tags, builder, pointer);
  else if (LLVMIsALoadInst(pointer))
    twin = load_link(tags, builder, pointer);
  else if (is_resize(tags, pointer))
    twin = resize_tags(tags, builder, pointer);
  else
    twin = repeat_allocation(tags, builder, pointer);
  LLVMDisposeBuilder(builder);
  return twin;
}

static LLVMValueRef pointer_to_tags(NbTags *tags, LLVMValueRef pointer) {
  LLVMValueRef twin = nb_map_get(tags->pointers, pointer);
  if (twin || LLVMIsAConstant(pointer))
    return twin ? twin : pointer;
  if (LLVMIsAPHINode(pointer))
    return make_phi(tags, pointer, LLVMTypeOf(pointer), tags->pointers);
  twin = make_pointer(tags, pointer);
  nb_map_set(tags->pointers, pointer, twin);
  return twin;
}

static LLVMTypeRef type_of_tags(const NbTags *tags, LLVMValueRef value) {
  uint64_t size = nb_store_size(tags->context, LLVMTypeOf(value));
  return LLVMIntTypeInContext(tags->context->llvm, (unsigned)size * 8);
}

static LLVMValueRef load_tags(NbTags *tags, LLVMValueRef load, LLVMTypeRef type) {
  LLVMValueRef pointer = LLVMGetOperand(load, 0);
  if (!has_tags(tags, nb_tags_behind(tags, pointer)))
    return LLVMConstAllOnes(type);
  LLVMValueRef twin = pointer_to_tags(tags, pointer);
  LLVMBuilderRef builder = builder_at(tags, load, load);
  LLVMValueRef loaded = LLVMBuildLoad2(builder, type, twin, "tags");
  LLVMSetAlignment(loaded, 1);
  LLVMDisposeBuilder(builder);
  return loaded;
}

/* The tags of what a condition chooses, by lanes if it is a vector. */
static LLVMValueRef choose_value(LLVMBuilderRef builder, LLVMValueRef condition, LLVMValueRef yes,
                                 LLVMValueRef no) {
  LLVMTypeRef type = LLVMTypeOf(yes), lanes = type;
  if (LLVMGetTypeKind(LLVMTypeOf(condition)) == LLVMVectorTypeKind) {
    unsigned count = LLVMGetVectorSize(LLVMTypeOf(condition));
    unsigned width = LLVMGetIntTypeWidth(type) / count;
    lanes = LLVMVectorType(LLVMIntTypeInContext(LLVMGetTypeContext(type), width), count);
  }
  yes = LLVMBuildBitCast(builder, yes, lanes, "");
  no = LLVMBuildBitCast(builder, no, lanes, "");
  LLVMValueRef chosen = LLVMBuildSelect(builder, condition, yes, no, "tags");
  return LLVMBuildBitCast(builder, chosen, type, "");
}

static LLVMValueRef tags_of(NbTags *tags, LLVMValueRef value);

/* Of bytes of the whole, those that these have; where bits are cut out, all are set if any of the
 * whole's are. */
static LLVMValueRef cut_tags(NbTags *tags, LLVMValueRef value, LLVMTypeRef type) {
  LLVMValueRef whole = tags_of(tags, LLVMGetOperand(value, 0)), made;
  LLVMValueRef by = LLVMIsATruncInst(value) ? NULL : LLVMGetOperand(value, 1);
  LLVMBuilderRef builder = builder_at(tags, value, LLVMGetNextInstruction(value));
  if (LLVMGetIntTypeWidth(LLVMTypeOf(value)) % BYTE ||
      (by && LLVMConstIntGetZExtValue(by) % BYTE)) {
    LLVMValueRef any = LLVMBuildIsNotNull(builder, whole, "");
    made = LLVMBuildSExt(builder, any, type, "tags");
  } else {
    made = by ? LLVMBuildLShr(builder, whole, by, "tags")
              : LLVMBuildTrunc(builder, whole, type, "tags");
  }
  LLVMDisposeBuilder(builder);
  return made;
}

static LLVMValueRef lane_tags(NbTags *tags, LLVMValueRef lane, LLVMTypeRef type) {
  LLVMValueRef whole = tags_of(tags, LLVMGetOperand(lane, 0));
  uint64_t index = LLVMConstIntGetZExtValue(LLVMGetOperand(lane, 1));
  uint64_t width = LLVMGetIntTypeWidth(type);
  LLVMBuilderRef builder = builder_at(tags, lane, LLVMGetNextInstruction(lane));
  LLVMValueRef by = LLVMConstInt(LLVMTypeOf(whole), index * width, false);
  LLVMValueRef made = LLVMBuildTrunc(builder, LLVMBuildLShr(builder, whole, by, ""), type, "tags");
  LLVMDisposeBuilder(builder);
  return made;
}

/* The end is no number's. */
static LLVMValueRef overwrite_tags(NbTags *tags, LLVMValueRef value) {
  unsigned count;
  LLVMValueRef whole = tags_of(tags, nb_overwrite_source(value, &count));
  LLVMBuilderRef builder = builder_at(tags, value, LLVMGetNextInstruction(value));
  LLVMValueRef kept = LLVMConstInt(LLVMTypeOf(whole), ~((UINT64_C(1) << count) - 1), false);
  LLVMValueRef made = LLVMBuildAnd(builder, whole, kept, "tags");
  LLVMDisposeBuilder(builder);
  return made;
}

/* The tags of the bytes of a value. */
static LLVMValueRef tags_of(NbTags *tags, LLVMValueRef value) {
  LLVMTypeRef type = type_of_tags(tags, value);
  LLVMValueRef known = nb_map_get(tags->values, value);
  if (known || !nb_tags_is_varied(tags, value))
    return known ? known : LLVMConstNull(type);
  if (LLVMIsAPHINode(value))
    return make_phi(tags, value, type, tags->values);
  bool real = nb_type_has_float(LLVMTypeOf(value));
  LLVMValueRef made = real ? LLVMConstAllOnes(type) : LLVMConstNull(type);
  if (LLVMIsALoadInst(value))
    made = load_tags(tags, value, type);
  else if (LLVMIsASelectInst(value)) {
    LLVMValueRef yes = tags_of(tags, LLVMGetOperand(value, 1));
    LLVMValueRef no = tags_of(tags, LLVMGetOperand(value, 2));
    LLVMBuilderRef builder = builder_at(tags, value, LLVMGetNextInstruction(value));
    made = choose_value(builder, LLVMGetOperand(value, 0), yes, no);
    LLVMDisposeBuilder(builder);
  } else if (nb_tags_is_moved(value)) {
    made = tags_of(tags, LLVMGetOperand(value, 0));
  } else if (nb_tags_is_cut(value)) {
    made = cut_tags(tags, value, type);
  } else if (nb_tags_is_lane(value)) {
    made = lane_tags(tags, value, type);
  } else if (overwritten(value)) {
    made = overwrite_tags(tags, value);
  }
  nb_map_set(tags->values, value, made);
  return made;
}

/* --- What is done to them. ---------------------------------------------------------------------
 */

/* Is it a pointer to memory with tags? */
static bool is_link(const NbTags *tags, LLVMValueRef value) {
  bool pointer = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
  NbClass *class = pointer ? nb_value_class_known(tags->activity->objects, value) : NULL;
  return class && has_tags(tags, nb_class_find(class));
}

static void tag_store(NbTags *tags, LLVMValueRef store) {
  LLVMValueRef value = LLVMGetOperand(store, 0);
  LLVMValueRef made = is_link(tags, value) ? pointer_to_tags(tags, value) : tags_of(tags, value);
  LLVMValueRef twin = pointer_to_tags(tags, LLVMGetOperand(store, 1));
  LLVMBuilderRef builder = builder_at(tags, store, store);
  LLVMSetAlignment(LLVMBuildStore(builder, made, twin), 1);
  LLVMDisposeBuilder(builder);
}

static void tag_bytes(NbTags *tags, LLVMValueRef call, const NbCall *what) {
  LLVMValueRef to = pointer_to_tags(tags, what->to);
  NbClass *from = what->kind == NB_CALL_COPY ? nb_tags_behind(tags, what->from) : NULL;
  LLVMValueRef source = from && has_tags(tags, from) ? pointer_to_tags(tags, what->from) : NULL;
  LLVMBuilderRef builder = builder_at(tags, call, call);
  if (source)
    LLVMBuildMemMove(builder, to, 1, source, 1, what->bytes);
  else
    LLVMBuildMemSet(builder, to, byte(tags, from && is_varied_class(tags, from)), what->bytes, 1);
  LLVMDisposeBuilder(builder);
}

static void tag_free(NbTags *tags, LLVMValueRef call) {
  unsigned index = nb_rule_of_call(tags->context, call, NULL)->operands[0];
  LLVMValueRef twin = LLVMInstructionClone(call);
  LLVMSetOperand(twin, index, pointer_to_tags(tags, LLVMGetOperand(call, index)));
  LLVMBuilderRef builder = builder_at(tags, call, call);
  LLVMInsertIntoBuilder(builder, twin);
  LLVMDisposeBuilder(builder);
}

static void tag_instruction(NbTags *tags, LLVMValueRef at) {
  if (LLVMIsAStoreInst(at)) {
    if (has_tags(tags, nb_tags_behind(tags, LLVMGetOperand(at, 1))))
      tag_store(tags, at);
    return;
  }
  if (!nb_is_call(at))
    return;
  NbCall what = nb_call_of(tags->context, at);
  bool bytes = what.kind == NB_CALL_COPY || what.kind == NB_CALL_FILL;
  if (bytes && has_tags(tags, nb_tags_behind(tags, what.to)))
    tag_bytes(tags, at, &what);
  else if (is_free(tags, at) && has_tags(tags, nb_tags_behind(tags, LLVMGetOperand(at, 0))))
    tag_free(tags, at);
}

static void complete_phi(NbTags *tags, LLVMValueRef phi, LLVMValueRef twin,
                         LLVMValueRef (*made)(NbTags *, LLVMValueRef)) {
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
    LLVMValueRef incoming = made(tags, LLVMGetIncomingValue(phi, i));
    LLVMBasicBlockRef block = LLVMGetIncomingBlock(phi, i);
    LLVMAddIncoming(twin, &incoming, &block, 1);
  }
}

/* What comes into a phi may come from others, which are found on the way. */
static void complete_phis(NbTags *tags) {
  unsigned pointers = 0, values = 0;
  while (pointers < tags->pointer_phis.count || values < tags->value_phis.count) {
    bool pointer = pointers < tags->pointer_phis.count;
    LLVMValueRef phi =
        pointer ? tags->pointer_phis.items[pointers++] : tags->value_phis.items[values++];
    LLVMValueRef twin = nb_map_get(pointer ? tags->pointers : tags->values, phi);
    complete_phi(tags, phi, twin, pointer ? pointer_to_tags : tags_of);
  }
}

static LLVMValueRef empty_node(const NbContext *context) {
  return LLVMMetadataAsValue(context->llvm, LLVMMDNodeInContext2(context->llvm, NULL, 0));
}

static void check_at(const NbTags *tags, LLVMValueRef made, const NbCommit *commit) {
  NbContext *context = tags->context;
  LLVMValueRef primal = nb_map_get(context->primals, tags->activity->function);
  LLVMBuilderRef builder = builder_at(tags, commit->before, commit->before);
  LLVMTypeRef type = LLVMInt64TypeInContext(context->llvm);
  if (commit->bits < NB_ALL_BITS && commit->bits < LLVMGetIntTypeWidth(LLVMTypeOf(made))) {
    LLVMTypeRef part = LLVMIntTypeInContext(context->llvm, commit->bits ? commit->bits : 1);
    made = LLVMBuildTrunc(builder, made, part, "tags");
  }
  LLVMValueRef bits = made, none = LLVMConstNull(LLVMTypeOf(made));
  for (unsigned i = 0; i < commit->condition_count; i++) {
    const NbCondition *condition = &commit->conditions[i];
    bits = choose_value(builder, condition->value, condition->negated ? none : bits,
                        condition->negated ? bits : none);
  }
  bits = LLVMBuildZExt(builder, LLVMBuildIsNotNull(builder, bits, "bits"), type, "");
  LLVMValueRef arguments[] = {bits, nb_runtime_place(context, primal, commit->before)};
  nb_runtime_call(context, builder, "__nabla_integer", LLVMVoidTypeInContext(context->llvm),
                  arguments, 2);
  LLVMDisposeBuilder(builder);
}

static void check_integer(NbTags *tags, LLVMValueRef integer) {
  NbCommits commits;
  nb_activity_commits(tags->context, integer, tags->joins, &commits);
  LLVMValueRef made = LLVMIsALoadInst(integer)
                          ? load_tags(tags, integer, type_of_tags(tags, integer))
                          : tags_of(tags, origin_of(integer));
  for (unsigned i = 0; i < commits.count; i++)
    check_at(tags, made, &commits.items[i]);
  LLVMSetMetadata(integer, nb_tags_checked_kind(tags->context), empty_node(tags->context));
}

static void rewrite(NbTags *tags) {
  NbList work = nb_list(tags->context->arena);
  LLVMValueRef at = nb_instruction_first(tags->activity->function);
  for (; at; at = nb_instruction_next(at))
    nb_list_push(&work, at);
  for (unsigned i = 0; i < work.count; i++)
    tag_instruction(tags, work.items[i]);
  for (unsigned i = 0; i < tags->loads.count; i++)
    check_integer(tags, tags->loads.items[i]);
  for (unsigned i = 0; i < tags->casts.count; i++)
    check_integer(tags, tags->casts.items[i]);
  complete_phis(tags);
}

static bool can_tell_apart(NbTags *tags, NbList loads, NbList casts) {
  tags->loads = loads;
  tags->casts = casts;
  tags->tracked = nb_list(tags->context->arena);
  tags->failed = false;
  return choose_memory(tags);
}

/* Tells these integers from numbers; false where that is not possible. */
static bool tell_apart(NbTags *tags, NbList loads, NbList casts) {
  bool can = (loads.count || casts.count) && can_tell_apart(tags, loads, casts);
  if (can)
    rewrite(tags);
  return can;
}

/* Those of the list that can be told apart each by itself; all where they are too many to ask. */
static NbList those_alone(NbTags *tags, const NbList *integers, bool loads) {
  const NbList none = nb_list(tags->context->arena);
  NbList kept = none;
  for (unsigned i = 0; i < integers->count && integers->count <= MOST_ALONE; i++) {
    NbList one = none;
    nb_list_push(&one, integers->items[i]);
    if (can_tell_apart(tags, loads ? one : none, loads ? none : one))
      nb_list_push(&kept, integers->items[i]);
  }
  return integers->count <= MOST_ALONE ? kept : *integers;
}

/* Tells as many apart as can be: what is left is no worse than it was. */
static bool tell_some_apart(NbTags *tags) {
  const NbList none = nb_list(tags->context->arena);
  const NbList all = tags->loads, all_casts = tags->casts;
  if (tell_apart(tags, all, all_casts))
    return true;
  const NbList loads = those_alone(tags, &all, true);
  const NbList casts = those_alone(tags, &all_casts, false);
  return tell_apart(tags, loads, casts) || tell_apart(tags, loads, none) ||
         tell_apart(tags, none, casts);
}

static NbTags tags_for(NbActivity *activity) {
  NbContext *context = activity->context;
  const NbList none = nb_list(context->arena);
  NbTags tags = {.context = context, .activity = activity};
  tags.loads = tags.casts = tags.mixed = tags.tracked = none;
  tags.pointer_phis = tags.value_phis = none;
  tags.joins = nb_map_new(context->arena);
  tags.pointers = nb_map_new(context->arena);
  tags.values = nb_map_new(context->arena);
  nb_tags_find_integers(&tags);
  return tags;
}

/* Notes the calls of short functions that take the integer: what these make of it may be a number.
 */
static void add_takers(const NbTags *tags, LLVMValueRef integer) {
  enum { MOST = 64 };
  for (LLVMUseRef use = LLVMGetFirstUse(integer); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (nb_is_call(user) && nb_call_of(tags->context, user).kind == NB_CALL_BODY &&
        nb_instruction_count(nb_callee(user)) <= MOST)
      add_call(tags, user);
  }
}

NbList nb_activity_tag_calls(NbActivity *activity) {
  NbTags tags = tags_for(activity);
  const NbList none = nb_list(activity->context->arena);
  NbList calls = none, all = tags.loads;
  tags.calls = &calls;
  for (unsigned i = 0; i < tags.loads.count; i++)
    add_takers(&tags, tags.loads.items[i]);
  if (calls.count)
    return calls;
  if (can_tell_apart(&tags, tags.loads, tags.casts))
    return calls;
  all = those_alone(&tags, &all, true);
  calls = none;
  return can_tell_apart(&tags, all, none) ? calls : none;
}

bool nb_activity_tag(NbActivity *activity) {
  NbTags tags = tags_for(activity);
  return tell_some_apart(&tags);
}
