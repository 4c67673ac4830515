// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Facts about what memory holds, from every access. */
#include "types/facts.h"

#include "base/names.h"
#include "objects/path.h"
#include "types/slots.h"

#include <string.h>

enum {
  PADDING_UNIT = 4,
  MOST_PADDING = 64,
  MOST_FACTS = 512,
  MOST_LEAVES = 64,
  FLOW_ROUNDS = 8,
  LEAST_STORAGE = 16,
  WIDEST_ALIGNED = 8
};

/* --- Lists of facts. -------------------------------------------------------------------------- */

static NbFacts *list_of(NbTypes *types, NbMap *lists, NbClass *class) {
  class = nb_class_find(class);
  NbFacts *facts = nb_map_get(lists, class);
  if (!facts) {
    facts = NB_NEW(types->arena, NbFacts);
    nb_facts_find_extent(types, class, facts);
    nb_map_set(lists, class, facts);
  }
  return facts;
}

NbFacts *nb_facts_of(NbTypes *types, NbClass *class) { return list_of(types, types->facts, class); }

NbFacts *nb_facts_of_integers(NbTypes *types, NbClass *class) {
  return list_of(types, types->integers, class);
}

NbFacts *nb_facts_of_moves(NbTypes *types, NbClass *class) {
  return list_of(types, types->moves, class);
}

NbFacts *nb_facts_of_unions(NbTypes *types, NbClass *class) {
  return list_of(types, types->unions, class);
}

NbOffsets nb_facts_normal(NbOffsets place) {
  if (place.period) {
    place.base %= (int64_t)place.period;
    if (place.base < 0)
      place.base += (int64_t)place.period;
  }
  if (place.count == 1)
    place.inner = 0;
  return place;
}

static bool same_offsets(const NbOffsets *a, const NbOffsets *b) {
  return a->base == b->base && a->inner == b->inner && a->count == b->count &&
         a->period == b->period;
}

/* Is it somewhere on the other's steps, which have no end? What moves along in an array would be
 * told of each place anew. */
static bool is_on_steps(const NbOffsets *more, const NbOffsets *old) {
  int64_t step = (int64_t)old->period;
  return more->loose && old->count == 1 && step && (more->base - old->base) % step == 0 &&
         more->period % old->period == 0 && (more->count == 1 || more->inner % old->period == 0);
}

/* Is each offset of the array one of the other? */
static bool is_part(const NbOffsets *more, const NbOffsets *old) {
  int64_t distance = more->base - old->base;
  if (more->low < old->low || more->high > old->high)
    return false;
  if (is_on_steps(more, old))
    return true;
  if (more->period != old->period || distance < 0 || old->count < 2 ||
      distance % (int64_t)old->inner)
    return false;
  uint64_t first = (uint64_t)distance / old->inner;
  return (more->count == 1 || more->inner == old->inner) && first + more->count <= old->count;
}

/* Is `more` within `old`, or an element that continues it? Then `old` takes it in. */
static bool absorbs(NbFact *old, const NbFact *more, bool *changed) {
  bool alike =
      old->size == more->size && old->kind == more->kind && old->type == more->type &&
      old->declared == more->declared && old->moved == more->moved && old->beyond == more->beyond &&
      old->further == more->further && old->start == more->start && old->tagged == more->tagged &&
      old->typed == more->typed && old->indirect == more->indirect && old->noted == more->noted &&
      old->copied == more->copied && old->counted == more->counted &&
      old->carried == more->carried && old->passing == more->passing && old->words == more->words &&
      (old->until == more->until || !old->until);
  if (alike && more->rank <= old->rank && is_part(&more->place, &old->place))
    return true;
  if (!alike || old->place.period != more->place.period || old->rank != more->rank ||
      old->field != more->field)
    return false;
  NbOffsets *place = &old->place;
  if (same_offsets(place, &more->place)) {
    *changed = more->place.low < place->low || more->place.high > place->high;
    place->low = more->place.low < place->low ? more->place.low : place->low;
    place->high = more->place.high > place->high ? more->place.high : place->high;
    return true;
  }
  if (place->period || more->place.count > 1)
    return false;
  bool dense = place->count == 1 || place->inner == old->size;
  int64_t distance = more->place.base - place->base;
  if (!dense || distance < 0 || distance % (int64_t)old->size)
    return false;
  uint64_t index = (uint64_t)distance / old->size;
  if (index > place->count)
    return false;
  *changed = index == place->count;
  if (!*changed)
    return true;
  place->inner = old->size;
  place->count++;
  old->each &= more->each;
  place->high = place->base + distance;
  return true;
}

/* `a[i]` says what some element is, and only by extension what all bytes from `a` on are: lowest
 * rank. An array of known extent, or the field of a struct, says where it is; again every period
 * where the structs are elements of an array, if each of those places is one. An integer at a known
 * offset may still be a way to look at a float, unless it is a field. A fact keeps the least rank
 * on its way through copies. */
static uint64_t rank_of(const NbFact *fact) {
  bool placed = fact->field || fact->place.count > 1;
  if (fact->place.period && fact->place.count > 1 && fact->place.high < INT64_MAX)
    return fact->place.loose ? 1 : UINT64_MAX;
  if (fact->place.period)
    return placed && !fact->place.loose ? fact->place.period : 1;
  if (fact->place.loose)
    return 1;
  return placed || fact->kind != NB_KIND_INTEGER ? UINT64_MAX : 1;
}

void nb_facts_rank(NbFact *fact) {
  uint64_t rank = rank_of(fact);
  if (!fact->rank || rank < fact->rank)
    fact->rank = rank;
}

void nb_facts_add_to(NbTypes *types, NbFacts *facts, NbFact fact) {
  fact.place = nb_facts_normal(fact.place);
  nb_facts_rank(&fact);
  if (facts->full || !fact.size || !nb_facts_clip(&fact, facts))
    return;
  for (unsigned i = 0; i < facts->count; i++) {
    bool changed = false;
    if (!absorbs(&facts->items[i], &fact, &changed))
      continue;
    changed |= facts->items[i].aligned && !fact.aligned;
    facts->items[i].aligned &= fact.aligned;
    types->changed |= changed;
    return;
  }
  types->changed = true;
  types->version++;
  facts->full = facts->count == MOST_FACTS;
  if (facts->full)
    return;
  facts->items = nb_arena_grow(types->arena, facts->items, facts->count, &facts->capacity,
                               sizeof *facts->items);
  facts->items[facts->count++] = fact;
}

void nb_facts_add(NbTypes *types, NbClass *class, NbFact fact) {
  nb_facts_add_to(types, nb_facts_of(types, class), fact);
}

void nb_facts_add_number(NbTypes *types, NbClass *class, NbFact fact) {
  nb_facts_add(types, class, fact);
  if (fact.kind == NB_KIND_INTEGER)
    nb_facts_add_to(types, nb_facts_of_integers(types, class), fact);
}

void nb_facts_add_bits(NbTypes *types, LLVMValueRef pointer, LLVMTypeRef type) {
  NbFact fact = {.place = nb_places_of(types->places, pointer), .kind = NB_KIND_CONFLICT};
  fact.size = LLVMStoreSizeOfType(types->context->layout, type);
  NbClass *class = nb_value_class(types->objects, pointer);
  nb_facts_add_to(types, nb_facts_of_integers(types, class), fact);
}

/* --- Accesses. -------------------------------------------------------------------------------- */

static NbKind kind_of_type(LLVMTypeRef type) {
  if (nb_is_float_kind(LLVMGetTypeKind(type)))
    return NB_KIND_FLOAT;
  switch (LLVMGetTypeKind(type)) {
  case LLVMPointerTypeKind:
    return NB_KIND_POINTER;
  case LLVMIntegerTypeKind:
    return NB_KIND_INTEGER;
  default:
    return NB_KIND_CONFLICT;
  }
}

static LLVMValueRef accessed_value(LLVMValueRef access) {
  return LLVMIsAStoreInst(access) ? LLVMGetOperand(access, 0) : access;
}

/* Is it an integer that is moved alone, and no struct's member, where results go through memory as
 * they may be the bits of floats? A copy of bytes may have put it there. */
static bool is_moved_word(LLVMValueRef access) {
  LLVMValueRef value = accessed_value(access);
  LLVMValueRef pointer = LLVMGetOperand(access, LLVMIsAStoreInst(access) ? 1 : 0);
  LLVMBasicBlockRef block = LLVMGetInstructionParent(access);
  bool through = LLVMGetStringAttributeAtIndex(LLVMGetBasicBlockParent(block),
                                               (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                               NB_THROUGH_MARK, strlen(NB_THROUGH_MARK));
  return through && !LLVMIsAConstant(value) && nb_value_is_moved(value) &&
         !nb_access_is_field(access, pointer);
}

/* A fact of an integer that TBAA says moves a float has the float's type. */
static NbFact fact_of_integer(LLVMValueRef access, uint64_t size) {
  NbFact fact = {.size = size, .kind = NB_KIND_INTEGER};
  const char *name = nb_tbaa_name(access);
  bool bits = nb_value_is_bits(accessed_value(access)) || (name && is_moved_word(access));
  if (bits && !nb_access_is_slot(access)) {
    fact.kind = NB_KIND_UNKNOWN;
  } else if (!name) {
    bool number = nb_access_is_slot(access) || nb_integer_is_number(accessed_value(access));
    fact.typed = nb_access_is_typed(access);
    fact.noted = !number && nb_access_is_noted(access);
    if (!number && !fact.noted)
      fact.kind = NB_KIND_UNKNOWN;
  }
  if (!name || fact.kind == NB_KIND_UNKNOWN)
    return fact;
  const NbNamedFloat *named = nb_named_float(name);
  if (nb_tbaa_is_pointer(name))
    fact.kind = NB_KIND_POINTER;
  else if (named)
    fact.kind = named->size == size ? NB_KIND_FLOAT : NB_KIND_UNKNOWN;
  else
    fact.tagged = true;
  if (fact.kind == NB_KIND_FLOAT)
    fact.type = named->type(LLVMGetTypeContext(LLVMTypeOf(access)));
  return fact;
}

/* What is accessed as a pointer is a float where TBAA says so: the bits are loaded to be moved. */
static const NbNamedFloat *float_of_pointer(LLVMValueRef access, uint64_t size) {
  const char *name = access ? nb_tbaa_name(access) : NULL;
  const NbNamedFloat *named = name ? nb_named_float(name) : NULL;
  return named && named->size == size ? named : NULL;
}

NbKind nb_facts_of_access(LLVMValueRef access) {
  LLVMTypeRef type = nb_scalar_type(LLVMTypeOf(accessed_value(access)));
  NbKind kind = kind_of_type(type);
  if (kind == NB_KIND_INTEGER)
    return fact_of_integer(access, LLVMGetIntTypeWidth(type) / 8).kind;
  if (kind == NB_KIND_POINTER && float_of_pointer(access, sizeof(double)))
    return NB_KIND_FLOAT;
  return kind;
}

bool nb_access_is_unknown_word(LLVMValueRef instruction) {
  if (!LLVMIsALoadInst(instruction) && !LLVMIsAStoreInst(instruction))
    return false;
  LLVMValueRef value = accessed_value(instruction);
  LLVMTypeRef type = LLVMTypeOf(value);
  bool word = LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 64;
  return word && !LLVMIsAConstant(value) && nb_value_is_moved(value) &&
         nb_facts_of_access(instruction) == NB_KIND_UNKNOWN;
}

static LLVMValueRef accessed_pointer(LLVMValueRef access) {
  return LLVMGetOperand(access, LLVMIsAStoreInst(access) ? 1 : 0);
}

/* Does the access only move a pointer, and nothing but the type of the elements of an array say
 * that it is one? A copy of bytes may have put there what it is. */
static bool is_moved(LLVMValueRef access) {
  const char *name = nb_tbaa_name(access);
  bool member = name && (nb_tbaa_is_class_pointer(name) ||
                         nb_access_is_field(access, accessed_pointer(access)));
  return !nb_access_is_slot(access) && !member && nb_pointer_is_moved(accessed_value(access));
}

/* Does a type, not that of the elements of an array, say that it accesses a pointer? */
static bool is_told_pointer(LLVMValueRef access) {
  bool says = nb_access_says_type(access) || nb_access_is_typed(access);
  return (says && !is_moved(access)) || nb_access_is_of_pointer(access);
}

/* May the bits of something else pass through the access of a pointer, to where nobody knows what
 * they are? */
static bool passes_bits(NbContext *context, LLVMValueRef access) {
  LLVMValueRef value = accessed_value(access);
  bool store = LLVMIsAStoreInst(access) != NULL;
  bool made = LLVMIsAConstant(value) || LLVMIsAAllocaInst(value);
  bool moved = !nb_access_is_slot(access) && nb_value_is_moved(value);
  return (moved || !is_told_pointer(access)) &&
         (store ? !made : nb_pointer_is_kept(context, value));
}

static void describe_access(const NbTypes *types, LLVMValueRef access, NbFact *fact) {
  const char *name = nb_tbaa_name(access);
  fact->tagged = name && nb_named_float(name);
  fact->typed = nb_access_is_typed(access);
  fact->counted = fact->place.period > fact->size &&
                  nb_places_unit(types->places, accessed_pointer(access)) == fact->size;
  fact->indirect = nb_indirection_of(types, access, fact->tagged || fact->typed);
  fact->aligned = fact->size <= WIDEST_ALIGNED && LLVMGetAlignment(access) % fact->size == 0;
}

/* An access while its type is taken apart. */
typedef struct Leaves {
  NbTypes *types;
  NbClass *class;
  LLVMValueRef access; /* NULL: integers are integers */
  bool declared, field, words;
  unsigned left;
  bool accessed, beyond, further;
} Leaves;

static void add_move(const Leaves *leaves, const NbFact *fact, LLVMTypeRef type, bool word) {
  NbKind kind = nb_word_is_followed(type) ? NB_KIND_POINTER : NB_KIND_UNKNOWN;
  NbFact moved = {.place = fact->place, .size = fact->size, .kind = word ? kind : NB_KIND_FLOAT};
  bool moves = leaves->access && nb_access_moves_double(leaves->access);
  if (word || (moves && !nb_access_is_promised(leaves->access)))
    nb_facts_add_to(leaves->types, nb_facts_of_moves(leaves->types, leaves->class), moved);
}

static void add_leaf(Leaves *leaves, NbOffsets place, LLVMTypeRef type) {
  NbTypes *types = leaves->types;
  if (leaves->access && nb_access_is_either(leaves->access)) {
    nb_facts_of(types, leaves->class)->untyped = true;
    return;
  }
  LLVMTargetDataRef layout = types->context->layout;
  NbKind kind = kind_of_type(type);
  NbFact fact = {.size = LLVMStoreSizeOfType(layout, type), .kind = kind};
  if (kind == NB_KIND_FLOAT) {
    fact.size = LLVMABISizeOfType(layout, type);
    fact.type = type;
  } else if (kind == NB_KIND_INTEGER && leaves->access) {
    fact = fact_of_integer(leaves->access, fact.size);
  } else if (kind == NB_KIND_POINTER && float_of_pointer(leaves->access, fact.size)) {
    fact.kind = NB_KIND_FLOAT;
    fact.type = float_of_pointer(leaves->access, fact.size)->type(types->context->llvm);
  }
  fact.place = place;
  fact.each = place.count == 1 && !place.period;
  fact.declared = leaves->declared;
  fact.field = leaves->field;
  fact.words = leaves->words;
  fact.beyond = leaves->beyond;
  fact.further = leaves->further;
  fact.moved = fact.kind == NB_KIND_POINTER && leaves->access && is_moved(leaves->access);
  if (fact.kind == NB_KIND_FLOAT && leaves->access)
    describe_access(types, leaves->access, &fact);
  bool word = leaves->access &&
              (nb_access_moves_word(leaves->access) || nb_access_hands_word(leaves->access));
  fact.carried = word && fact.kind == NB_KIND_FLOAT;
  if (leaves->accessed && !leaves->beyond && !leaves->further)
    add_move(leaves, &fact, type, word);
  bool bits =
      kind == NB_KIND_POINTER && leaves->access && passes_bits(types->context, leaves->access);
  bits |= kind == NB_KIND_INTEGER && !(leaves->access && nb_access_is_slot(leaves->access));
  NbFact moved = fact;
  moved.kind = fact.kind == NB_KIND_POINTER ? NB_KIND_UNKNOWN : fact.kind;
  moved.passing = kind == NB_KIND_INTEGER && bits && leaves->access &&
                  nb_value_passes(accessed_value(leaves->access));
  moved.declared |= kind == NB_KIND_POINTER && bits && is_told_pointer(leaves->access);
  if (bits && leaves->accessed)
    nb_facts_add_to(types, nb_facts_of_integers(types, leaves->class), moved);
  if (fact.kind == NB_KIND_UNKNOWN) {
    NbFacts *facts = nb_facts_of(types, leaves->class);
    if (LLVMIsAConstant(accessed_value(leaves->access))) {
      facts->cleared = true;
      return;
    }
    facts->untyped = true;
    fact.kind = NB_KIND_INTEGER;
    fact.declared = fact.noted = true;
  }
  nb_facts_add(types, leaves->class, fact);
}

static void add_type(Leaves *leaves, NbOffsets place, LLVMTypeRef type);

/* A union's type is that of one of its members. */
static bool is_union(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMStructTypeKind && !nb_is_declared_struct(type);
}

static void add_union(const Leaves *leaves, NbOffsets place, LLVMTypeRef type) {
  NbFact fact = {.place = place, .size = LLVMABISizeOfType(leaves->types->context->layout, type)};
  if (nb_is_declared_union(type))
    nb_facts_add_to(leaves->types, nb_facts_of_unions(leaves->types, leaves->class), fact);
}

/* An array of bytes that may be storage for anything. Shorter ones are the padding of classes, too.
 */
static bool is_storage(LLVMTypeRef element, uint64_t count) {
  return LLVMGetTypeKind(element) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(element) == 8 &&
         count >= LEAST_STORAGE;
}

static void add_elements(Leaves *leaves, NbOffsets place, LLVMTypeRef type) {
  bool array = LLVMGetTypeKind(type) == LLVMArrayTypeKind;
  LLVMTypeRef element = LLVMGetElementType(type);
  uint64_t count = array ? LLVMGetArrayLength2(type) : LLVMGetVectorSize(type);
  if (leaves->declared && is_storage(element, count))
    return;
  uint64_t stride = LLVMABISizeOfType(leaves->types->context->layout, element);
  NbOffsets indexed = nb_place_index(place, stride, count);
  bool exact = indexed.period == place.period;
  if (exact || count > MOST_LEAVES) {
    if (count)
      add_type(leaves, indexed, element);
    return;
  }
  for (uint64_t i = 0; i < count; i++)
    add_type(leaves, nb_place_shift(place, (int64_t)(i * stride)), element);
}

/* Padding that could hold more than a float: in units of one, as accesses may yet find some there.
 */
static void add_padding(Leaves *leaves, NbOffsets place, uint64_t from, uint64_t to) {
  uint64_t unit = to - from > MOST_PADDING ? to : PADDING_UNIT;
  if (!leaves->declared || to <= from + PADDING_UNIT)
    return;
  while (from < to) {
    uint64_t end = from - from % unit + unit;
    end = end < to ? end : to;
    NbFact fact = {.place = nb_place_shift(place, (int64_t)from), .size = end - from};
    fact.kind = NB_KIND_INTEGER;
    fact.declared = fact.field = true;
    nb_facts_add(leaves->types, leaves->class, fact);
    from = end;
  }
}

static void add_members(Leaves *leaves, NbOffsets place, LLVMTypeRef type) {
  LLVMTargetDataRef layout = leaves->types->context->layout;
  uint64_t end = 0;
  for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++) {
    LLVMTypeRef member = LLVMStructGetTypeAtIndex(type, i);
    uint64_t offset = LLVMOffsetOfElement(layout, type, i);
    add_padding(leaves, place, end, offset);
    add_type(leaves, nb_place_shift(place, (int64_t)offset), member);
    end = offset + LLVMABISizeOfType(layout, member);
  }
  add_padding(leaves, place, end, LLVMABISizeOfType(layout, type));
}

static void add_type(Leaves *leaves, NbOffsets place, LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  bool odd = !leaves->left || kind == LLVMScalableVectorTypeKind || !LLVMTypeIsSized(type);
  if (odd && !leaves->declared)
    nb_facts_of(leaves->types, leaves->class)->untyped = true;
  if (!odd && leaves->declared && is_union(type))
    add_union(leaves, place, type);
  if (odd || (leaves->declared && is_union(type)))
    return;
  leaves->left--;
  if (kind == LLVMArrayTypeKind || kind == LLVMVectorTypeKind) {
    add_elements(leaves, place, type);
    return;
  }
  if (kind != LLVMStructTypeKind) {
    add_leaf(leaves, place, type);
    return;
  }
  add_members(leaves, place, type);
}

/* Types that optimisations do not invent: named structs, and arrays of these or of floats. */
static bool is_declared(LLVMTypeRef type) {
  bool array = LLVMGetTypeKind(type) == LLVMArrayTypeKind;
  while (LLVMGetTypeKind(type) == LLVMArrayTypeKind)
    type = LLVMGetElementType(type);
  if (array && kind_of_type(type) == NB_KIND_FLOAT)
    return true;
  return nb_is_declared_struct(type);
}

/* May structs of the type lie at all these places? Two do not lie at the same bytes. */
static bool are_apart(const NbTypes *types, const NbOffsets *place, LLVMTypeRef type) {
  if (LLVMGetTypeKind(type) != LLVMStructTypeKind || !LLVMTypeIsSized(type))
    return true;
  uint64_t size = LLVMABISizeOfType(types->context->layout, type);
  return (!place->period || place->period >= size) && (place->count == 1 || place->inner >= size);
}

void nb_facts_declare(NbTypes *types, NbClass *class, NbOffsets place, LLVMTypeRef type) {
  Leaves leaves = {types, class, .declared = true, .field = true, .left = MOST_LEAVES};
  if (!type || !is_declared(type) || !are_apart(types, &place, type))
    return;
  leaves.words = nb_type_is_of_words(type);
  add_type(&leaves, place, type);
}

static void declare_parameters(NbTypes *types, LLVMValueRef function) {
  for (unsigned i = 0; i < LLVMCountParams(function); i++) {
    LLVMValueRef parameter = LLVMGetParam(function, i);
    NbClass *class = nb_value_class_known(types->objects, parameter);
    if (!class || LLVMGetTypeKind(LLVMTypeOf(parameter)) != LLVMPointerTypeKind ||
        !nb_types_reach(types, parameter))
      continue;
    NbOffsets place = nb_places_of(types->places, parameter);
    nb_facts_declare(types, class, place, nb_parameter_pointee(function, i, "sret"));
    nb_facts_declare(types, class, place, nb_parameter_pointee(function, i, "byval"));
  }
}

/* Has a local variable, that the pointer is an offset into, a declared type? Then that says it all:
 * optimisations compute addresses in another order, with the struct's type at a member's offset. */
static bool is_in_declared(LLVMValueRef pointer) {
  pointer = nb_object_of(pointer);
  return LLVMIsAAllocaInst(pointer) && is_declared(LLVMGetAllocatedType(pointer));
}

/* Does what is of the type begin with one of the other? */
static bool begins_with(LLVMTypeRef type, LLVMTypeRef other) {
  while (type != other) {
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    bool structure = kind == LLVMStructTypeKind && LLVMCountStructElementTypes(type);
    if (kind != LLVMArrayTypeKind && !structure)
      return false;
    type = structure ? LLVMStructGetTypeAtIndex(type, 0) : LLVMGetElementType(type);
  }
  return true;
}

/* Do the types of the gep go on from those of the one before? Optimisations compute addresses in
 * another order: `&p->member`, and then, as many structs further on, that of `p[i]`. */
static bool goes_on(LLVMValueRef gep) {
  LLVMValueRef base = LLVMGetOperand(gep, 0);
  return !LLVMIsAGetElementPtrInst(base) ||
         begins_with(nb_path_type(base), LLVMGetGEPSourceElementType(gep));
}

static void declare_gep(NbTypes *types, LLVMValueRef gep) {
  if (LLVMGetTypeKind(LLVMTypeOf(gep)) != LLVMPointerTypeKind || is_in_declared(gep) ||
      !goes_on(gep))
    return;
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  LLVMValueRef base = LLVMGetOperand(gep, 0);
  LLVMValueRef index = LLVMGetOperand(gep, 1);
  NbOffsets place = nb_places_of(types->places, base);
  if (!is_declared(type) || !LLVMTypeIsSized(type))
    return;
  bool here = LLVMIsAConstantInt(index) && !LLVMConstIntGetZExtValue(index);
  if (!here)
    place = nb_place_stride(place, LLVMABISizeOfType(types->context->layout, type), false);
  nb_facts_declare(types, nb_value_class(types->objects, base), place, type);
}

/* The struct that was noted to hold what is accessed says the same, where its address does not. */
static void declare_noted(NbTypes *types, LLVMValueRef access, bool source) {
  uint64_t offset = 0;
  LLVMTypeRef type = nb_access_struct(types->context, access, source, &offset);
  LLVMValueRef pointer = nb_access_pointer(access, source);
  if (!type || is_in_declared(pointer) || !nb_types_reach(types, pointer))
    return;
  NbOffsets place = nb_places_of(types->places, pointer);
  if (!place.loose)
    nb_facts_declare(types, nb_value_class(types->objects, pointer),
                     nb_place_shift(place, -(int64_t)offset), type);
}

/* Objects start where their elements may: those of this function do, and those of others are taken
 * to. What contradicts it is a fact that overlaps another. */
bool nb_facts_starts_aligned(const NbClass *class, uint64_t align) {
  return !(class->flags & (NB_CLASS_UNKNOWN | NB_CLASS_OPAQUE)) && align <= class->alignment;
}

/* What of a place an access of this alignment leaves: that says where an index of unknown steps may
 * lead. */
NbOffsets nb_facts_aligned_place(const NbTypes *types, LLVMValueRef pointer, NbOffsets place,
                                 uint64_t align) {
  bool aligned = align > 1 && align <= 16 &&
                 nb_facts_starts_aligned(nb_value_class(types->objects, pointer), align);
  return aligned ? nb_place_aligned(place, align) : place;
}

NbOffsets nb_facts_accessed_place(const NbTypes *types, LLVMValueRef pointer, uint64_t align) {
  return nb_facts_aligned_place(types, pointer, nb_places_of(types->places, pointer), align);
}

/* Leaves of single places those from `low` to `high`; false where none is. */
static bool cut_places(NbOffsets *place) {
  int64_t inner = (int64_t)place->inner;
  if (place->period)
    return true;
  while (place->count && place->base < place->low) {
    place->base += inner;
    place->count--;
  }
  while (place->count && place->base + (int64_t)(place->count - 1) * inner > place->high)
    place->count--;
  return place->count != 0;
}

/* Others may have put several arrays into one memory: where one of floats starts, no struct's
 * integer lies. Of strides that are no whole number of floats nothing is known. An array that is a
 * member has no start before it. */
static void add_start(NbTypes *types, const Leaves *access, LLVMValueRef pointer,
                      LLVMTypeRef type) {
  NbFact fact = {.rank = 1, .kind = NB_KIND_FLOAT, .start = true};
  type = nb_scalar_type(type);
  if (!nb_class_is_external(access->class) || kind_of_type(type) != NB_KIND_FLOAT ||
      !nb_places_start(types->places, pointer, &fact.place))
    return;
  const NbOffsets whole = nb_places_of(types->places, pointer);
  fact.place.low = whole.low > fact.place.low ? whole.low : fact.place.low;
  fact.place.high = whole.high < fact.place.high ? whole.high : fact.place.high;
  fact.type = type;
  fact.size = LLVMABISizeOfType(types->context->layout, type);
  describe_access(types, access->access, &fact);
  if (nb_place_step(&fact.place) % fact.size == 0 && cut_places(&fact.place))
    nb_facts_add(types, access->class, fact);
}

/* What lies where an index leads is taken to lie beyond as well, where nothing better is known. */
static void add_access(NbTypes *types, LLVMValueRef access, LLVMValueRef pointer) {
  NbClass *class = nb_value_class(types->objects, pointer);
  bool field = nb_access_is_field(access, pointer);
  uint64_t align = LLVMGetAlignment(access);
  LLVMTypeRef type = LLVMTypeOf(accessed_value(access));
  Leaves leaves = {types, class, access, .field = field, .left = MOST_LEAVES, .accessed = true};
  NbSpread spread = nb_places_spread(types->places, pointer);
  for (unsigned i = 0; spread.noted && i < spread.count; i++)
    add_type(&leaves, spread.items[i], type);
  NbOffsets place = nb_facts_accessed_place(types, pointer, align);
  leaves.beyond = spread.noted;
  place.loose |= spread.noted;
  add_type(&leaves, place, type);
  if (!spread.noted)
    add_start(types, &leaves, pointer, type);
  NbOffsets beyond = nb_place_at(0);
  leaves.further = true;
  if (nb_places_unbounded(types->places, pointer, &beyond))
    add_type(&leaves, nb_facts_aligned_place(types, pointer, beyond, align), type);
}

static void add_atomic(NbTypes *types, LLVMValueRef instruction) {
  LLVMValueRef pointer = LLVMGetOperand(instruction, 0);
  NbClass *class = nb_value_class(types->objects, pointer);
  Leaves leaves = {types, class, .left = MOST_LEAVES, .accessed = true};
  add_type(&leaves, nb_places_of(types->places, pointer),
           LLVMTypeOf(LLVMGetOperand(instruction, 1)));
}

/* --- Globals. --------------------------------------------------------------------------------- */

/* Of what another file defines, only that it is a table of pointers is taken from its declaration:
 * the length of one may not be known. Integers alone that the program writes may be room for
 * anything. */
static void add_global(NbTypes *types, LLVMValueRef global) {
  NbClass *class = nb_map_get(types->objects->globals, global);
  if (!nb_types_reach(types, global))
    return;
  Leaves leaves = {types, class, .left = MOST_LEAVES};
  LLVMTypeRef type = LLVMGlobalGetValueType(global);
  bool pointers = LLVMGetTypeKind(type) == LLVMArrayTypeKind &&
                  LLVMGetTypeKind(LLVMGetElementType(type)) == LLVMPointerTypeKind;
  leaves.words = leaves.declared = !LLVMIsGlobalConstant(global) && nb_type_is_of_words(type);
  if (!LLVMIsDeclaration(global))
    add_type(&leaves, nb_place_at(0), type);
  else if (pointers)
    add_type(&leaves, nb_place_stride(nb_place_at(0), 8, true), LLVMGetElementType(type));
}

/* --- All instructions. ------------------------------------------------------------------------ */

/* What the instruction accesses or computes an address from; NULL for others. */
static LLVMValueRef pointer_of(LLVMValueRef instruction) {
  switch (LLVMGetInstructionOpcode(instruction)) {
  case LLVMAlloca:
    return instruction;
  case LLVMGetElementPtr:
  case LLVMLoad:
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
    return LLVMGetOperand(instruction, 0);
  case LLVMStore:
    return LLVMGetOperand(instruction, 1);
  default:
    return NULL;
  }
}

/* May a visit find anything? */
static bool is_visited(const NbTypes *types, LLVMValueRef instruction) {
  LLVMValueRef pointer = pointer_of(instruction);
  bool moves = LLVMIsAStoreInst(instruction) &&
               LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(instruction, 0))) == LLVMPointerTypeKind;
  return pointer ? moves || nb_types_reach(types, pointer) : nb_is_call(instruction);
}

static void visit(NbTypes *types, LLVMValueRef instruction) {
  LLVMValueRef pointer = pointer_of(instruction);
  if (nb_access_pointer(instruction, false))
    declare_noted(types, instruction, false);
  if (nb_access_pointer(instruction, true))
    declare_noted(types, instruction, true);
  if (LLVMIsAStoreInst(instruction))
    nb_facts_visit_move(types, instruction);
  if (pointer && !nb_types_reach(types, pointer))
    return;
  switch (LLVMGetInstructionOpcode(instruction)) {
  case LLVMAlloca:
    if (!nb_variable_is_room(types, instruction))
      nb_facts_declare(types, nb_value_class(types->objects, instruction),
                       nb_places_of(types->places, instruction), LLVMGetAllocatedType(instruction));
    return;
  case LLVMGetElementPtr:
    declare_gep(types, instruction);
    return;
  case LLVMLoad:
    add_access(types, instruction, LLVMGetOperand(instruction, 0));
    return;
  case LLVMStore:
    if (!LLVMIsUndef(LLVMGetOperand(instruction, 0)))
      add_access(types, instruction, LLVMGetOperand(instruction, 1));
    return;
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
    add_atomic(types, instruction);
    return;
  case LLVMCall:
  case LLVMInvoke:
    nb_facts_visit_call(types, instruction);
    return;
  default:
    return;
  }
}

NbList nb_facts_visited(const NbTypes *types, NbArena *arena) {
  const NbList *functions = &types->objects->functions;
  NbList found = nb_list(arena);
  for (unsigned i = 0; i < functions->count; i++) {
    LLVMValueRef at = nb_instruction_first(functions->items[i]);
    for (; at; at = nb_instruction_next(at))
      if (is_visited(types, at))
        nb_list_push(&found, at);
  }
  return found;
}

void nb_facts_visit(NbTypes *types, const NbList *instructions) {
  types->version++;
  for (unsigned i = 0; i < instructions->count; i++)
    visit(types, instructions->items[i]);
}

static void solve_rounds(NbTypes *types) {
  NbArena *arena = nb_arena_new();
  const NbList instructions = nb_facts_visited(types, arena);
  types->changed = true;
  for (unsigned round = 0; types->changed && round < FLOW_ROUNDS; round++) {
    types->changed = false;
    nb_facts_visit(types, &instructions);
  }
  nb_arena_free(arena);
}

void nb_facts_start(NbTypes *types) {
  NbObjects *objects = types->objects;
  for (unsigned i = 0; i < nb_map_count(objects->globals); i++)
    add_global(types, (LLVMValueRef)nb_map_key(objects->globals, i));
  for (unsigned i = 0; i < objects->functions.count; i++)
    declare_parameters(types, objects->functions.items[i]);
}

void nb_facts_solve_on(NbTypes *types) {
  if (types->changed)
    solve_rounds(types);
}

void nb_facts_solve(NbTypes *types) {
  nb_facts_start(types);
  nb_facts_inherit(types);
  solve_rounds(types);
  types->changed = false;
  nb_facts_inherit_from_callers(types);
  nb_facts_solve_on(types);
}
