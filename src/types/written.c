// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What was last written to the bytes that a call copies.
 *
 * Facts speak of a class of memory at all times. Memory that is used for one type after the other
 * holds several at each offset then; but what is copied was written just before, mostly, and the
 * writes tell what it is. From the call, the ways by which control may have come are followed
 * backwards, until each byte was written for certain or the memory was allocated. A write through
 * the same pointer value, at a constant distance, is certain; one that may have been there as well
 * must agree with what is found behind it. What is written in part, and overwritten in part later,
 * leaves a rest that is neither.
 *
 * All writes found are joined for each byte; a way need only know which bytes are settled on it. A
 * block that is entered again with the same bytes settled adds nothing. */
#include "types/written.h"

#include "objects/path.h"
#include "types/slots.h"

#include <string.h>

enum { MOST_VISITS = 256, MOST_SEEN = 4096, MOST_GEPS = 16, MOST_CHOICES = 4 };

/* The bytes that are settled on a way. */
typedef struct Way {
  bool settled[NB_MOST_WRITTEN];
  uint64_t open; /* how many are not */
} Way;

typedef struct Visit {
  LLVMBasicBlockRef block;
  Way way;
} Visit;

typedef struct Walk {
  NbTypes *types;
  NbClass *class;
  LLVMValueRef root; /* what is copied lies `offset` bytes behind it */
  int64_t offset;
  NbOffsets origin;
  uint64_t size;
  NbWritten *bytes;
  NbList visits; /* Visit; those from `next` on are to be made */
  unsigned next, seen;
  LLVMValueRef hidden; /* the call in which they may be written, that no way leads past */
  bool failed;
} Walk;

/* A write of `size` bytes, the first at `place` seen from the bytes that are copied. */
typedef struct Write {
  NbWritten what;
  NbOffsets place;
  uint64_t size;
  bool certain;
} Write;

/* --- Joining. --------------------------------------------------------------------------------- */

static bool is_whole(NbWrittenKind kind) {
  return kind == NB_WRITTEN_FLOAT || kind == NB_WRITTEN_POINTER;
}

static bool is_same(NbWritten a, NbWritten b) {
  return a.kind == b.kind && a.type == b.type && (!is_whole(a.kind) || a.inside == b.inside);
}

/* What may be an integer or a float is moved as the float: the shadow of an integer is zero. */
static NbWritten join(NbWritten a, NbWritten b) {
  bool zero = a.kind == NB_WRITTEN_ZERO || b.kind == NB_WRITTEN_ZERO;
  if (a.kind > b.kind)
    return join(b, a);
  if (a.kind <= NB_WRITTEN_FRESH || is_same(a, b) || b.kind == NB_WRITTEN_LOST || zero)
    return b;
  bool either = a.kind == NB_WRITTEN_NUMBER && b.kind == NB_WRITTEN_FLOAT;
  if (b.kind == NB_WRITTEN_REST || either)
    return b;
  return (NbWritten){NB_WRITTEN_LOST, NULL, 0};
}

static void add_byte(Walk *walk, uint64_t at, NbWritten what) {
  walk->bytes[at] = join(walk->bytes[at], what);
  walk->failed |= walk->bytes[at].kind == NB_WRITTEN_LOST;
}

/* Are all bytes of the element copied, and none settled? */
static bool is_visible(const Walk *walk, const Way *way, int64_t first, uint64_t size) {
  bool visible = first >= 0 && (uint64_t)first + size <= walk->size;
  for (uint64_t i = 0; visible && i < size; i++)
    visible = !way->settled[(uint64_t)first + i];
  return visible;
}

/* Is a part of the element not copied? */
static bool is_cut(const Walk *walk, int64_t first, uint64_t size) {
  return first < 0 || (uint64_t)first + size > walk->size;
}

/* May writes at different places of the set meet? Then an element is not told from another. */
static bool overlaps(const NbOffsets *place, uint64_t size) {
  uint64_t step = nb_place_step(place);
  return step && step < size;
}

static void add_write(Walk *walk, Way *way, const Write *write) {
  NbOffsets start = nb_place_at(0);
  if (!nb_place_meets(&write->place, write->size, &start, walk->size))
    return;
  walk->failed |= overlaps(&write->place, write->size);
  Way before = *way;
  for (uint64_t at = 0; at < walk->size && !walk->failed; at++) {
    int64_t inside = nb_place_inside(&write->place, write->size, (int64_t)at);
    if (inside < 0 || before.settled[at])
      continue;
    int64_t first = (int64_t)at - inside;
    NbWritten what = write->what;
    what.inside = (uint64_t)inside;
    if (is_whole(what.kind) && !is_visible(walk, &before, first, write->size))
      what = (NbWritten){is_cut(walk, first, write->size) ? NB_WRITTEN_LOST : NB_WRITTEN_REST, NULL,
                         0};
    add_byte(walk, at, what);
    way->settled[at] = write->certain;
    way->open -= write->certain;
  }
}

/* --- Places. ---------------------------------------------------------------------------------- */

/* What the pointer is a constant distance from. */
static LLVMValueRef root_of(const Walk *walk, LLVMValueRef pointer, int64_t *distance) {
  *distance = 0;
  for (unsigned i = 0;
       i < MOST_GEPS && LLVMIsAGetElementPtrInst(pointer) &&
       LLVMGetTypeKind(LLVMTypeOf(pointer)) == LLVMPointerTypeKind && nb_gep_is_constant(pointer);
       i++) {
    LLVMValueRef base = LLVMGetOperand(pointer, 0);
    NbPath all = nb_path_of(walk->types->context, pointer);
    NbPath rest = nb_path_of(walk->types->context, base);
    if (all.failed || rest.failed || all.root != rest.root)
      return pointer;
    *distance += all.offset - rest.offset;
    pointer = base;
  }
  return pointer;
}

/* Where `pointer` leads, seen from what is copied. */
static Write write_at(const Walk *walk, LLVMValueRef pointer, uint64_t align) {
  int64_t distance;
  if (root_of(walk, pointer, &distance) == walk->root)
    return (Write){.place = nb_place_at(distance - walk->offset), .certain = true};
  NbOffsets place = nb_facts_accessed_place(walk->types, pointer, align);
  return (Write){.place = nb_place_relative(place, &walk->origin)};
}

static bool is_ours(const Walk *walk, LLVMValueRef pointer) {
  return nb_value_class(walk->types->objects, pointer) == walk->class;
}

/* --- Stores. ---------------------------------------------------------------------------------- */

/* May the value have been loaded as one thing from where the other lies at times? */
static bool may_be_other(NbTypes *types, LLVMValueRef value, NbKind other, unsigned depth) {
  if (LLVMIsALoadInst(value)) {
    uint64_t size = nb_store_size(types->context, LLVMTypeOf(value));
    return !nb_access_says_type(value) &&
           nb_types_also_hold(types, LLVMGetOperand(value, 0), size, other, false);
  }
  bool joins = LLVMIsAPHINode(value) || LLVMIsASelectInst(value) || LLVMIsAFreezeInst(value);
  for (int i = LLVMIsASelectInst(value) ? 1 : 0; joins && i < LLVMGetNumOperands(value); i++)
    if (!depth || may_be_other(types, LLVMGetOperand(value, (unsigned)i), other, depth - 1))
      return true;
  return false;
}

/* What is stored, of a scalar or of each element of a vector. */
static NbWritten stored(const Walk *walk, LLVMValueRef store) {
  LLVMValueRef value = LLVMGetOperand(store, 0);
  LLVMTypeRef type = nb_scalar_type(LLVMTypeOf(value));
  LLVMTargetDataRef layout = walk->types->context->layout;
  bool dense = LLVMStoreSizeOfType(layout, type) == LLVMABISizeOfType(layout, type);
  if (LLVMIsNull(value))
    return (NbWritten){NB_WRITTEN_ZERO, NULL, 0};
  bool pointer = LLVMGetTypeKind(type) == LLVMPointerTypeKind;
  NbKind other = pointer ? NB_KIND_FLOAT : NB_KIND_POINTER;
  bool mixed = may_be_other(walk->types, value, other, MOST_CHOICES);
  if (dense && nb_is_float_kind(LLVMGetTypeKind(type)) && !mixed)
    return (NbWritten){NB_WRITTEN_FLOAT, type, 0};
  if (pointer && !nb_value_is_moved(value) && !mixed)
    return (NbWritten){NB_WRITTEN_POINTER, type, 0};
  bool integer =
      LLVMGetTypeKind(type) == LLVMIntegerTypeKind && nb_facts_of_access(store) == NB_KIND_INTEGER;
  bool number = integer && (LLVMIsAConstant(value) || !nb_access_is_noted(store) ||
                            nb_types_made_of_numbers(walk->types, value));
  return (NbWritten){number ? NB_WRITTEN_NUMBER : NB_WRITTEN_LOST, NULL, 0};
}

static bool is_scalar_or_vector(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  return kind != LLVMStructTypeKind && kind != LLVMArrayTypeKind &&
         kind != LLVMScalableVectorTypeKind;
}

static void see_store(Walk *walk, Way *way, LLVMValueRef store) {
  LLVMValueRef pointer = LLVMGetOperand(store, 1);
  LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(store, 0));
  if (!is_ours(walk, pointer))
    return;
  walk->failed |= !is_scalar_or_vector(type);
  if (walk->failed)
    return;
  Write write = write_at(walk, pointer, LLVMGetAlignment(store));
  NbOffsets first = write.place;
  uint64_t count = LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetVectorSize(type) : 1;
  write.what = stored(walk, store);
  write.size = LLVMStoreSizeOfType(walk->types->context->layout, nb_scalar_type(type));
  for (uint64_t i = 0; i < count && !walk->failed; i++) {
    write.place = nb_place_shift(first, (int64_t)(i * write.size));
    add_write(walk, way, &write);
  }
}

/* --- Calls. ----------------------------------------------------------------------------------- */

/* What is not known to be there may be anywhere behind. */
static void see_fill(Walk *walk, Way *way, LLVMValueRef call, const NbCall *what) {
  bool constant = LLVMIsAConstantInt(what->bytes) != NULL;
  LLVMValueRef value = LLVMGetNumArgOperands(call) > 1 ? LLVMGetOperand(call, 1) : NULL;
  bool zero = LLVMIsAMemSetInst(call) && LLVMIsAConstantInt(value) && LLVMIsNull(value);
  Write write = write_at(walk, what->to, 1);
  write.what.kind = zero ? NB_WRITTEN_ZERO : NB_WRITTEN_NUMBER;
  write.size = 1;
  if (constant && LLVMConstIntGetZExtValue(what->bytes) <= INT32_MAX)
    write.place = nb_place_index(write.place, 1, LLVMConstIntGetZExtValue(what->bytes));
  else
    write.place = nb_place_stride(write.place, 1, true);
  write.certain &= constant && nb_place_step(&write.place) <= 1;
  walk->failed |= !zero;
  add_write(walk, way, &write);
}

static NbWritten copied(const Walk *walk, const NbPiece *piece) {
  switch (piece->kind) {
  case NB_KIND_FLOAT:
    return (NbWritten){NB_WRITTEN_FLOAT, piece->type, 0};
  case NB_KIND_POINTER:
    return (NbWritten){NB_WRITTEN_POINTER, LLVMPointerTypeInContext(walk->types->context->llvm, 0),
                       0};
  case NB_KIND_INTEGER:
    return (NbWritten){NB_WRITTEN_NUMBER, NULL, 0};
  default:
    return (NbWritten){NB_WRITTEN_LOST, NULL, 0};
  }
}

/* Do integers lie among the bytes that the copy leaves open, which may carry anything? */
static bool leaves_carriers(const Walk *walk, const Way *way, const NbCall *what,
                            const NbOffsets *place, uint64_t bytes) {
  const NbFacts *integers =
      nb_facts_of_integers(walk->types, nb_value_class(walk->types->objects, what->from));
  NbOffsets from = nb_places_of(walk->types->places, what->from);
  for (uint64_t at = 0; at < walk->size; at++) {
    int64_t distance = (int64_t)at - place->base;
    if (way->settled[at] || distance < 0 || (uint64_t)distance >= bytes)
      continue;
    if (integers->full)
      return true;
    NbOffsets byte = nb_place_shift(from, distance);
    for (unsigned i = 0; i < integers->count; i++) {
      const NbFact *fact = &integers->items[i];
      if (fact->kind != NB_KIND_INTEGER && nb_place_meets(&fact->place, fact->size, &byte, 1))
        return true;
    }
  }
  return false;
}

/* Of a copy whose layout is known, each piece; what lies between them is anything but a number. */
static void see_copy(Walk *walk, Way *way, LLVMValueRef call, const NbCall *what) {
  NbOffsets start = nb_place_at(0);
  bool constant = LLVMIsAConstantInt(what->bytes) != NULL;
  uint64_t bytes = constant ? LLVMConstIntGetZExtValue(what->bytes) : NB_UNKNOWN_SIZE;
  Write write = write_at(walk, what->to, 1);
  if (!nb_place_meets(&write.place, bytes, &start, walk->size))
    return;
  walk->failed |= !constant || !write.certain || bytes > INT32_MAX;
  NbLayout layout =
      walk->failed ? (NbLayout){.unknown = true} : nb_types_transfer(walk->types, call);
  walk->failed |= !nb_layout_is_known(&layout);
  NbOffsets first = write.place;
  for (unsigned i = 0; i < layout.count && !walk->failed; i++) {
    const NbPiece *piece = &layout.pieces[i];
    write.what = copied(walk, piece);
    write.size = piece->size;
    for (uint64_t at = piece->offset; at < bytes && !walk->failed; at += piece->period) {
      write.place = nb_place_shift(first, (int64_t)at);
      add_write(walk, way, &write);
      if (!piece->period)
        break;
    }
  }
  walk->failed = walk->failed || leaves_carriers(walk, way, what, &first, bytes);
  write = (Write){.what = {NB_WRITTEN_REST, NULL, 0}, .size = 1, .certain = true};
  write.place = nb_place_index(first, 1, bytes);
  if (!walk->failed)
    add_write(walk, way, &write);
}

/* Does the callee, by what is known of its body, write nothing of the class? */
static bool is_spared(const Walk *walk, LLVMValueRef call) {
  const unsigned changed = NB_CLASS_WRITTEN | NB_CLASS_FREED | NB_CLASS_UNKNOWN | NB_CLASS_OPAQUE;
  const NbBinding *binding = nb_map_get(walk->types->objects->bindings, call);
  if (!binding || binding->group->opaque)
    return false;
  for (unsigned i = 0; i < nb_map_count(binding->classes); i++) {
    NbClass *theirs = (NbClass *)nb_map_key(binding->classes, i);
    NbClass *ours = nb_map_get(binding->classes, theirs);
    if (nb_class_find(ours) == walk->class && (nb_class_find(theirs)->flags & changed))
      return false;
  }
  return true;
}

/* The same of a function with a row. */
static bool spares_by_row(const Walk *walk, LLVMValueRef call, const NbRule *rule) {
  bool plain = rule->kind == NB_RULE_INACTIVE || rule->kind == NB_RULE_TANGENT ||
               rule->kind == NB_RULE_STRUCT || rule->kind == NB_RULE_ALLOCATE ||
               rule->kind == NB_RULE_FREE;
  if (rule->kind == NB_RULE_RESIZE)
    return !is_ours(walk, call) && !is_ours(walk, LLVMGetOperand(call, rule->operands[0]));
  for (unsigned i = 0; plain && i < rule->effect_count; i++) {
    const NbEffect *effect = &rule->effects[i];
    plain = !effect->writes || (effect->parameter < LLVMGetNumArgOperands(call) &&
                                !is_ours(walk, LLVMGetOperand(call, effect->parameter)));
  }
  return plain;
}

static void see_call(Walk *walk, Way *way, LLVMValueRef call) {
  NbCall what = nb_call_of(walk->types->context, call);
  switch (what.kind) {
  case NB_CALL_COPY:
    if (is_ours(walk, what.to))
      see_copy(walk, way, call, &what);
    return;
  case NB_CALL_FILL:
    if (is_ours(walk, what.to))
      see_fill(walk, way, call, &what);
    return;
  case NB_CALL_HARMLESS:
    return;
  case NB_CALL_ROW:
    walk->failed |= !spares_by_row(walk, call, what.rule);
    return;
  case NB_CALL_BODY:
    if (!is_spared(walk, call))
      walk->hidden = call;
    walk->failed |= walk->hidden != NULL;
    return;
  default:
    walk->failed = true;
  }
}

/* --- Ways. ------------------------------------------------------------------------------------ */

/* Memory begins here, with what the call that allocates it leaves there. */
static void begin_memory(Walk *walk, Way *way) {
  NbContext *context = walk->types->context;
  bool allocated = nb_value_is_allocated(context, walk->root);
  walk->failed |= !allocated && !LLVMIsAAllocaInst(walk->root);
  if (walk->failed)
    return;
  bool zeroed = allocated && nb_rule_of_call(context, walk->root, NULL)->zeroed;
  for (uint64_t at = 0; at < walk->size; at++)
    if (!way->settled[at])
      add_byte(walk, at, (NbWritten){zeroed ? NB_WRITTEN_ZERO : NB_WRITTEN_FRESH, NULL, 0});
  way->open = 0;
}

static void see(Walk *walk, Way *way, LLVMValueRef inst) {
  walk->failed |= ++walk->seen > MOST_SEEN;
  if (inst == walk->root)
    begin_memory(walk, way);
  else if (LLVMIsAStoreInst(inst))
    see_store(walk, way, inst);
  else if (nb_is_call(inst))
    see_call(walk, way, inst);
  else if (nb_memory_may_write_any(inst))
    walk->failed = true;
}

static bool is_same_visit(const Visit *visit, LLVMBasicBlockRef block, const Way *way) {
  return visit->block == block && !memcmp(visit->way.settled, way->settled, sizeof way->settled);
}

static void enter(Walk *walk, LLVMBasicBlockRef block, const Way *way) {
  for (unsigned i = 0; i < walk->visits.count; i++)
    if (is_same_visit(walk->visits.items[i], block, way))
      return;
  walk->failed |= walk->visits.count == MOST_VISITS;
  Visit *visit = NB_NEW(walk->types->arena, Visit);
  *visit = (Visit){block, *way};
  nb_list_push(&walk->visits, visit);
}

/* Backwards from `inst`, up to the start of its block, and to those before it. */
static void follow(Walk *walk, Way *way, LLVMBasicBlockRef block, LLVMValueRef inst) {
  for (; inst && way->open && !walk->failed; inst = LLVMGetPreviousInstruction(inst))
    see(walk, way, inst);
  if (!way->open || walk->failed)
    return;
  walk->failed |= LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(block)) == block;
  LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
  for (; use && !walk->failed; use = LLVMGetNextUse(use)) {
    LLVMValueRef last = LLVMGetUser(use);
    if (LLVMIsATerminatorInst(last))
      enter(walk, LLVMGetInstructionParent(last), way);
  }
}

bool nb_types_find_written(NbTypes *types, LLVMValueRef call, const NbCall *what,
                           NbWritten written[NB_MOST_WRITTEN], LLVMValueRef *hidden) {
  uint64_t size = LLVMIsAConstantInt(what->bytes) ? LLVMConstIntGetZExtValue(what->bytes) : 0;
  if (!size || size > NB_MOST_WRITTEN)
    return false;
  memset(written, 0, NB_MOST_WRITTEN * sizeof *written);
  Walk walk = {.types = types, .size = size, .bytes = written};
  walk.class = nb_value_class(types->objects, what->from);
  walk.origin = nb_places_of(types->places, what->from);
  walk.root = root_of(&walk, what->from, &walk.offset);
  walk.visits = nb_list(types->arena);
  walk.failed = (walk.class->flags & (NB_CLASS_UNKNOWN | NB_CLASS_OPAQUE)) != 0;
  Way way = {.open = size};
  follow(&walk, &way, LLVMGetInstructionParent(call), LLVMGetPreviousInstruction(call));
  for (; walk.next < walk.visits.count && !walk.failed; walk.next++) {
    const Visit *visit = walk.visits.items[walk.next];
    way = visit->way;
    follow(&walk, &way, visit->block, LLVMGetLastInstruction(visit->block));
  }
  for (uint64_t at = 0; at < size; at++)
    walk.failed |= written[at].kind == NB_WRITTEN_OPEN;
  *hidden = walk.hidden;
  return !walk.failed;
}
