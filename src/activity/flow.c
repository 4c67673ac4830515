// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Varied forwards, useful backwards, over values and classes, until nothing changes. */
#include "activity/flow.h"

#include "types/slots.h"

/* A float, or an integer that may carry the bits of one. */
static bool may_carry(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kind == LLVMVectorTypeKind || kind == LLVMScalableVectorTypeKind)
    return may_carry(LLVMGetElementType(type));
  return kind == LLVMIntegerTypeKind || kind == LLVMArrayTypeKind || kind == LLVMStructTypeKind ||
         nb_type_has_real(type);
}

/* --- Bits. ------------------------------------------------------------------------------------ */

static unsigned bits_of(const NbMap *map, const void *key) {
  return (unsigned)(uintptr_t)nb_map_get(map, key);
}

static void mark(NbActivity *activity, NbMap *map, const void *key, unsigned bits) {
  unsigned old = bits_of(map, key);
  if ((old | bits) == old)
    return;
  nb_map_set(map, key, (void *)(uintptr_t)(old | bits));
  activity->changed = true;
}

static void mark_value(NbActivity *activity, LLVMValueRef value, unsigned bits) {
  if (!LLVMIsAConstant(value) && may_carry(LLVMTypeOf(value)))
    mark(activity, activity->values, value, bits);
}

static void mark_class(NbActivity *activity, NbClass *class, unsigned bits) {
  mark(activity, activity->classes, nb_class_find(class), bits);
}

void nb_activity_mark(NbActivity *activity, LLVMValueRef value, unsigned bits) {
  mark(activity, activity->values, value, bits);
}

void nb_activity_mark_class(NbActivity *activity, NbClass *class, unsigned bits) {
  mark_class(activity, class, bits);
}

typedef struct Mark {
  NbActivity *activity;
  unsigned bits;
} Mark;

/* Where the bits come with a shadow, the caller may know that the class has none. */
static bool mark_reached(void *user, NbClass *class) {
  const Mark *mark = user;
  unsigned bits = mark->bits;
  unsigned region = nb_activity_region(mark->activity, class);
  if ((bits & NB_SHADOWED) && (region & NB_REGION_CONST))
    bits = region & NB_REGION_SHADOWED ? bits | NB_CONST : NB_CONST;
  mark_class(mark->activity, class, bits);
  return false;
}

void nb_activity_spread(NbActivity *activity, NbClass *class, unsigned bits) {
  Mark all = {activity, bits};
  nb_class_walk(class, mark_reached, &all);
}

unsigned nb_activity_bits(const NbActivity *activity, LLVMValueRef value) {
  return bits_of(activity->values, value);
}

unsigned nb_activity_class_bits(const NbActivity *activity, NbClass *class) {
  return bits_of(activity->classes, nb_class_find(class));
}

bool nb_activity_is_const(const NbActivity *activity, NbClass *class) {
  class = nb_class_find(class);
  unsigned bits = nb_activity_class_bits(activity, class);
  return (bits & NB_CONST) && !(bits & NB_SHADOWED) && !nb_activity_owns(activity, class);
}

bool nb_activity_class_varied(const NbActivity *activity, NbClass *class) {
  return (nb_activity_class_bits(activity, class) & NB_VARIED) &&
         !nb_activity_is_const(activity, class);
}

bool nb_activity_class_active(const NbActivity *activity, NbClass *class) {
  unsigned both = NB_VARIED | NB_USEFUL;
  return (nb_activity_class_bits(activity, class) & both) == both &&
         !nb_activity_is_const(activity, class) &&
         (nb_types_class_may_be_float(activity->types, class) ||
          nb_activity_class_carries(activity, class));
}

bool nb_activity_class_mixed(const NbActivity *activity, NbClass *class) {
  const unsigned marks = NB_CONST | NB_GUARDED;
  return (nb_activity_class_bits(activity, class) & marks) ||
         (nb_class_find(class)->flags & NB_CLASS_CONSTANT);
}

typedef struct Search {
  const NbActivity *activity;
  bool (*test)(const NbActivity *, NbClass *);
} Search;

static bool found(void *user, NbClass *class) {
  const Search *search = user;
  return search->test(search->activity, class);
}

bool nb_activity_reaches(const NbActivity *activity, NbClass *class,
                         bool (*test)(const NbActivity *, NbClass *)) {
  Search search = {activity, test};
  return nb_class_walk(class, found, &search);
}

static bool varied(const NbActivity *activity, LLVMValueRef value) {
  return (nb_activity_bits(activity, value) & NB_VARIED) != 0;
}

static bool useful(const NbActivity *activity, LLVMValueRef value) {
  return (nb_activity_bits(activity, value) & NB_USEFUL) != 0;
}

static bool class_useful(const NbActivity *activity, NbClass *class) {
  return (nb_activity_class_bits(activity, class) & NB_USEFUL) != 0;
}

static NbClass *behind(const NbActivity *activity, LLVMValueRef pointer) {
  return nb_value_class(activity->objects, pointer);
}

/* --- Copies, and loads and stores of what may be a float. ------------------------------------- */

/* The layout of what is copied; NULL where nothing of it may be a float. */
static const NbLayout *copied_layout(const NbActivity *activity, LLVMValueRef call) {
  const NbLayout *layout = nb_activity_copied(activity, call);
  bool floats = layout->unknown;
  for (unsigned i = 0; i < layout->count; i++)
    floats |= layout->pieces[i].kind == NB_KIND_FLOAT || layout->pieces[i].kind == NB_KIND_CONFLICT;
  return floats ? layout : NULL;
}

bool nb_activity_copies_float(const NbActivity *activity, LLVMValueRef call) {
  return copied_layout(activity, call) != NULL;
}

/* What nothing tells to be a number, or the two ends of a copy tell differently, may be the bits of
 * one in memory that is declared to hold integers. */
static void carry_doubtful(NbActivity *activity, const NbLayout *layout, LLVMValueRef to,
                           uint64_t size) {
  NbOffsets start = nb_places_of(activity->types->places, to);
  NbClass *class = behind(activity, to);
  uint64_t end = 0;
  for (unsigned i = 0; i < layout->count; i++) {
    const NbPiece *piece = &layout->pieces[i];
    NbOffsets place = nb_place_shift(start, (int64_t)piece->offset);
    if (piece->kind == NB_KIND_CONFLICT)
      nb_activity_carry(activity, class, nb_place_stride(place, piece->period, true), piece->size);
    if (layout->unknown && piece->offset > end)
      nb_activity_carry(activity, class, nb_place_shift(start, (int64_t)end), piece->offset - end);
    end = piece->period ? size : piece->offset + piece->size;
  }
  if (layout->unknown && end < size)
    nb_activity_carry(activity, class, nb_place_shift(start, (int64_t)end),
                      size == NB_UNKNOWN_SIZE ? size : size - end);
}

/* May the load or store move the bits of a float? */
static bool moves_float(NbActivity *activity, LLVMValueRef access, LLVMValueRef value,
                        LLVMValueRef pointer) {
  LLVMTypeRef type = LLVMTypeOf(value);
  if (nb_type_has_real(type))
    return true;
  if (!may_carry(type) || nb_access_is_slot(access))
    return false;
  uint64_t size = nb_store_size(activity->context, type);
  if (nb_activity_carries(activity, pointer, size))
    return true;
  if (nb_map_has(activity->copies, access))
    return nb_map_get(activity->copies, access) != NULL;
  bool floats = !nb_types_declared_number(activity->types, access) &&
                (nb_types_may_be_float(activity->types, pointer, size) || nb_value_is_bits(value) ||
                 nb_types_moves_untagged(activity->types, value, pointer, size) ||
                 nb_types_breaks_promise(activity->types, access));
  nb_map_set(activity->copies, access, floats ? activity : NULL);
  return floats;
}

/* --- Calls. ----------------------------------------------------------------------------------- */

static bool is_real_argument(LLVMValueRef argument) {
  LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(argument));
  return kind != LLVMMetadataTypeKind && kind != LLVMLabelTypeKind;
}

static bool is_memory(LLVMValueRef argument) {
  return is_real_argument(argument) && nb_type_has_pointer(LLVMTypeOf(argument)) &&
         !LLVMIsAFunction(argument);
}

static bool terms_varied(const NbActivity *activity, LLVMValueRef call, const NbTerm *terms,
                         unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    if (terms[i].parameter < LLVMGetNumArgOperands(call) &&
        varied(activity, LLVMGetOperand(call, terms[i].parameter)))
      return true;
  }
  return false;
}

static void terms_use(NbActivity *activity, LLVMValueRef call, const NbTerm *terms,
                      unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    if (terms[i].parameter < LLVMGetNumArgOperands(call))
      mark_value(activity, LLVMGetOperand(call, terms[i].parameter), NB_USEFUL);
  }
}

static void flow_effect(NbActivity *activity, LLVMValueRef call, const NbEffect *effect) {
  bool known =
      effect->writes && effect->term_count && effect->parameter < LLVMGetNumArgOperands(call);
  if (!known)
    return;
  NbClass *class = behind(activity, LLVMGetOperand(call, effect->parameter));
  if (terms_varied(activity, call, effect->terms, effect->term_count))
    mark_class(activity, class, NB_VARIED);
  if (class_useful(activity, class))
    terms_use(activity, call, effect->terms, effect->term_count);
}

/* Numbers that the call reads have no tangent in its row, but it may compute with them. */
static void flow_read(NbActivity *activity, LLVMValueRef call, const NbRule *rule, NbClass *read) {
  bool varies = nb_activity_class_varied(activity, read), used = useful(activity, call);
  if (varies && rule->kind != NB_RULE_MIRROR)
    mark_value(activity, call, NB_VARIED);
  for (unsigned i = 0; i < rule->effect_count; i++) {
    const NbEffect *effect = &rule->effects[i];
    if (!nb_rule_gives(rule, effect))
      continue;
    NbClass *written = behind(activity, LLVMGetOperand(call, effect->parameter));
    used |= class_useful(activity, written);
    if (varies)
      mark_class(activity, written, NB_VARIED);
  }
  if (used)
    mark_class(activity, read, NB_USEFUL);
}

static bool any_argument_varied(const NbActivity *activity, LLVMValueRef call) {
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
    LLVMValueRef argument = LLVMGetOperand(call, i);
    if (is_real_argument(argument) && varied(activity, argument))
      return true;
  }
  return false;
}

static void use_arguments(NbActivity *activity, LLVMValueRef call) {
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
    LLVMValueRef argument = LLVMGetOperand(call, i);
    if (is_real_argument(argument) && nb_type_has_real(LLVMTypeOf(argument)))
      mark_value(activity, argument, NB_USEFUL);
  }
}

/* Terms of the result, or of a member of it. */
static void flow_terms(NbActivity *activity, LLVMValueRef call, const NbTerm *terms,
                       unsigned count) {
  if (terms_varied(activity, call, terms, count))
    mark_value(activity, call, NB_VARIED);
  if (useful(activity, call))
    terms_use(activity, call, terms, count);
}

/* What runs on the shadows, too, may compute with all that it is given. */
static void flow_mirror(NbActivity *activity, LLVMValueRef call, const NbRule *rule) {
  for (unsigned i = 0; i < rule->effect_count; i++) {
    const NbEffect *effect = &rule->effects[i];
    if (!nb_rule_gives(rule, effect))
      continue;
    NbClass *written = behind(activity, LLVMGetOperand(call, effect->parameter));
    if (any_argument_varied(activity, call))
      mark_class(activity, written, NB_VARIED);
    if (class_useful(activity, written))
      use_arguments(activity, call);
  }
}

static void flow_row(NbActivity *activity, LLVMValueRef call, const NbRule *rule) {
  if (rule->kind == NB_RULE_DECLARED) {
    if (any_argument_varied(activity, call))
      mark_value(activity, call, NB_VARIED);
    return;
  }
  if (rule->kind == NB_RULE_MIRROR)
    flow_mirror(activity, call, rule);
  flow_terms(activity, call, rule->terms, rule->term_count);
  for (unsigned i = 0; i < rule->member_count; i++)
    flow_terms(activity, call, rule->members[i].terms, rule->members[i].term_count);
  for (unsigned i = 0; i < rule->effect_count; i++)
    flow_effect(activity, call, &rule->effects[i]);
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
    LLVMValueRef argument = LLVMGetOperand(call, i);
    if (nb_rule_reads(rule, i) && is_memory(argument))
      flow_read(activity, call, rule, behind(activity, argument));
  }
}

/* A class of the caller's, and what the callee does with the floats in it. */
typedef struct Bound {
  NbClass *ours;
  bool read, written;
  bool floats; /* as far as the callee knows */
} Bound;

typedef struct Bounds {
  Bound *items;
  unsigned count;
} Bounds;

static Bound bound_at(const NbBinding *binding, unsigned index) {
  NbClass *key = (NbClass *)nb_map_key(binding->classes, index);
  NbClass *theirs = nb_class_find(key);
  Bound bound = {nb_class_find(nb_map_get(binding->classes, key)), false, false, false};
  bound.read = (theirs->flags & NB_CLASS_READ) != 0;
  bound.written = (theirs->flags & NB_CLASS_WRITTEN) != 0;
  bound.floats = nb_types_class_may_be_float(nb_types_of_group(binding->group), theirs);
  return bound;
}

/* The classes in which the callee reads or writes. */
static const Bounds *bounds_of(const NbActivity *activity, LLVMValueRef call,
                               const NbBinding *binding) {
  Bounds *bounds = nb_map_get(activity->bounds, call);
  if (bounds)
    return bounds;
  bounds = NB_NEW(activity->context->arena, Bounds);
  unsigned count = nb_map_count(binding->classes);
  bounds->items = NB_NEW_ARRAY(activity->context->arena, Bound, count);
  for (unsigned i = 0; i < count; i++) {
    Bound bound = bound_at(binding, i);
    if (bound.read || bound.written)
      bounds->items[bounds->count++] = bound;
  }
  nb_map_set(activity->bounds, call, bounds);
  return bounds;
}

bool nb_activity_takes_varied(const NbActivity *activity, LLVMValueRef call) {
  const NbBinding *binding = nb_map_get(activity->objects->bindings, call);
  const Bounds *bounds = binding ? bounds_of(activity, call, binding) : NULL;
  bool takes = bounds && any_argument_varied(activity, call);
  for (unsigned i = 0; bounds && i < bounds->count && !takes; i++) {
    const Bound *bound = &bounds->items[i];
    takes = bound->read && bound->floats && nb_activity_class_varied(activity, bound->ours);
  }
  return takes;
}

/* For `bits`: the callee works on the bits of floats, and any memory may hold them. */
static bool gives_useful(const NbActivity *activity, LLVMValueRef call, const Bounds *bounds,
                         bool bits) {
  bool gives = useful(activity, call);
  for (unsigned i = 0; i < bounds->count && !gives; i++) {
    const Bound *bound = &bounds->items[i];
    gives = bound->written && (bits || bound->floats) && class_useful(activity, bound->ours);
  }
  return gives;
}

/* What a callee reaches from an argument that has a shadow. */
typedef struct Completion {
  NbActivity *activity;
  const NbBinding *binding;
} Completion;

/* Is the memory one that can have no shadow? The callee is told. */
static bool has_none(const NbActivity *activity, NbClass *class) {
  class = nb_class_find(class);
  bool constant = (class->flags & NB_CLASS_CONSTANT) && !nb_activity_owns(activity, class) &&
                  !(nb_activity_class_bits(activity, class) & NB_SHADOWED);
  return constant || nb_activity_is_const(activity, class);
}

static bool complete_shadow(void *user, NbClass *theirs) {
  const unsigned all = NB_VARIED | NB_USEFUL | NB_SHADOWED;
  const Completion *completion = user;
  NbClass *ours = nb_map_get(completion->binding->classes, theirs);
  bool touched = (theirs->flags & (NB_CLASS_READ | NB_CLASS_WRITTEN)) != 0;
  if (ours && touched && !has_none(completion->activity, ours) &&
      nb_types_class_may_be_float(completion->activity->types, ours))
    mark_class(completion->activity, ours, all);
  return false;
}

/* A callee that gets the shadow of a pointer takes all that it reaches from there to have one. */
static void complete_shadows(NbActivity *activity, LLVMValueRef call, const NbBinding *binding) {
  Completion completion = {activity, binding};
  for (unsigned i = 0; i < LLVMCountParams(binding->callee); i++) {
    NbClass *theirs = nb_value_class_known(binding->group, LLVMGetParam(binding->callee, i));
    if (!theirs || i >= LLVMGetNumArgOperands(call))
      continue;
    NbClass *ours = behind(activity, LLVMGetOperand(call, i));
    if (nb_activity_reaches(activity, ours, nb_activity_class_active))
      nb_class_walk(theirs, complete_shadow, &completion);
  }
}

/* Does the callee give bits of floats as integers? For `bits`: it works on them. */
static bool returns_bits(const NbActivity *activity, const NbBinding *binding, bool bits,
                         unsigned element) {
  return bits || nb_types_returns_bits(activity->types, binding->callee, element);
}

/* The caller's class of one from or to which the callee copies bytes; NULL where it copies none. */
static NbClass *copied_class(NbTypes *group, const NbBinding *binding, unsigned index) {
  NbClass *theirs = nb_class_find((NbClass *)nb_map_key(binding->classes, index));
  NbClass *ours = nb_class_find(nb_map_get(binding->classes, theirs));
  const unsigned strange = NB_CLASS_UNKNOWN | NB_CLASS_OPAQUE | NB_CLASS_GLOBAL;
  return nb_facts_of(group, theirs)->copied && !(ours->flags & strange) ? ours : NULL;
}

/* What the callee copies from and to memory with a shadow may be pointers: see share_copied. Memory
 * of others has what it has. */
static void share_in_call(NbActivity *activity, const NbBinding *binding) {
  NbTypes *group = nb_types_of_group(binding->group);
  bool shadowed = false;
  for (unsigned i = 0; i < nb_map_count(binding->classes) && !shadowed; i++) {
    NbClass *ours = copied_class(group, binding, i);
    shadowed = ours && (nb_activity_class_bits(activity, ours) & NB_SHADOWED);
  }
  for (unsigned i = 0; i < nb_map_count(binding->classes) && shadowed; i++) {
    NbClass *ours = copied_class(group, binding, i);
    if (ours && !nb_class_is_external(ours))
      mark_class(activity, ours, NB_SHADOWED);
  }
}

static void flow_body(NbActivity *activity, LLVMValueRef call, const NbBinding *binding) {
  const Bounds *bounds = bounds_of(activity, call, binding);
  bool bits = nb_activity_works_on_bits(activity, call);
  bool takes = bits || nb_activity_takes_varied(activity, call);
  bool gives = gives_useful(activity, call, bounds, bits);
  bool floats = false;
  bool returns = takes && returns_bits(activity, binding, bits, NB_ANY_ELEMENT);
  if (returns || (takes && nb_type_has_real(LLVMTypeOf(call))))
    mark_value(activity, call, NB_VARIED);
  if (returns && nb_type_has_pointer(LLVMTypeOf(call)))
    nb_activity_mark(activity, call, NB_PUNNED);
  if (gives)
    use_arguments(activity, call);
  for (unsigned i = 0; i < bounds->count; i++) {
    const Bound *bound = &bounds->items[i];
    floats |= bound->floats;
    if (takes && bound->written && (bits || bound->floats))
      mark_class(activity, bound->ours, NB_VARIED);
    if (gives && bound->read && (bits || bound->floats))
      mark_class(activity, bound->ours, NB_USEFUL);
  }
  if (takes)
    nb_activity_carry_through(activity, call, bits);
  if (floats)
    complete_shadows(activity, call, binding);
  share_in_call(activity, binding);
}

static void carry_copied(NbActivity *activity, LLVMValueRef call, const NbCall *what,
                         uint64_t size) {
  nb_activity_carry_copied(activity, what, size, nb_activity_copied(activity, call));
}

/* May pointers be copied, which nobody here follows? */
static bool may_copy_pointers(const NbActivity *activity, LLVMValueRef call) {
  const NbLayout *layout = nb_activity_copied(activity, call);
  bool may = layout->unknown;
  for (unsigned i = 0; i < layout->count; i++)
    may |= layout->pieces[i].kind != NB_KIND_FLOAT && layout->pieces[i].kind != NB_KIND_INTEGER;
  return may;
}

/* Pointers that are copied from memory with a shadow come with theirs. */
static void share_copied(NbActivity *activity, LLVMValueRef call, const NbCall *what) {
  NbClass *to = behind(activity, what->to);
  unsigned other = nb_activity_class_bits(activity, behind(activity, what->from));
  if ((other & ~nb_activity_class_bits(activity, to) & NB_SHADOWED) && !nb_class_is_external(to) &&
      may_copy_pointers(activity, call))
    mark_class(activity, to, NB_SHADOWED);
}

static void flow_copy(NbActivity *activity, LLVMValueRef call, const NbCall *what) {
  uint64_t size = nb_call_most(what);
  share_copied(activity, call, what);
  bool bits = nb_activity_carries(activity, what->from, size);
  if (bits)
    carry_copied(activity, call, what, size);
  if (!bits && !nb_activity_copies_float(activity, call))
    return;
  NbClass *to = behind(activity, what->to);
  NbClass *from = behind(activity, what->from);
  if (nb_activity_class_varied(activity, from)) {
    mark_class(activity, to, NB_VARIED);
    if (!bits)
      carry_doubtful(activity, copied_layout(activity, call), what->to, size);
  }
  if (class_useful(activity, to))
    mark_class(activity, from, NB_USEFUL);
}

static bool any_memory(const NbActivity *activity, LLVMValueRef call,
                       bool (*test)(const NbActivity *, NbClass *)) {
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
    LLVMValueRef argument = LLVMGetOperand(call, i);
    if (is_memory(argument) && nb_activity_reaches(activity, behind(activity, argument), test))
      return true;
  }
  return false;
}

static void mark_memory(NbActivity *activity, LLVMValueRef call, unsigned bits) {
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
    LLVMValueRef argument = LLVMGetOperand(call, i);
    if (is_memory(argument))
      nb_activity_spread(activity, behind(activity, argument), bits);
  }
}

/* What nobody knows may compute its result, and what it leaves in memory, from all that it is given
 * and finds there. */
static void flow_unknown(NbActivity *activity, LLVMValueRef call) {
  bool writes = nb_memory_may_write_any(call);
  bool takes =
      any_argument_varied(activity, call) || any_memory(activity, call, nb_activity_class_varied);
  bool gives = useful(activity, call) || (writes && any_memory(activity, call, class_useful));
  if (takes)
    mark_value(activity, call, NB_VARIED);
  if (takes && writes)
    mark_memory(activity, call, NB_VARIED);
  if (!gives)
    return;
  use_arguments(activity, call);
  mark_memory(activity, call, NB_USEFUL);
}

/* The result depends on the operands from `first` on. */
static void flow_operands(NbActivity *activity, LLVMValueRef instruction, int first) {
  bool used = useful(activity, instruction);
  int count = LLVMGetNumOperands(instruction);
  for (int i = first; i < count; i++) {
    LLVMValueRef operand = LLVMGetOperand(instruction, (unsigned)i);
    if (varied(activity, operand))
      mark_value(activity, instruction, NB_VARIED);
    if (used)
      mark_value(activity, operand, NB_USEFUL);
  }
}

static void flow_call(NbActivity *activity, LLVMValueRef call) {
  NbCall what = nb_call_of(activity->context, call);
  const NbBinding *binding = nb_map_get(activity->objects->bindings, call);
  if (what.kind == NB_CALL_COPY)
    flow_copy(activity, call, &what);
  else if (nb_activity_computes_bits(activity, call))
    flow_operands(activity, call, 0);
  else if (what.kind == NB_CALL_ROW)
    flow_row(activity, call, what.rule);
  else if (binding)
    flow_body(activity, call, binding);
  else if (what.kind == NB_CALL_UNKNOWN || what.kind == NB_CALL_INDIRECT)
    flow_unknown(activity, call);
}

/* --- Instructions. ---------------------------------------------------------------------------- */

static void flow_load(NbActivity *activity, LLVMValueRef load) {
  LLVMValueRef pointer = LLVMGetOperand(load, 0);
  NbClass *class = behind(activity, pointer);
  bool varies = nb_activity_class_varied(activity, class);
  bool used = useful(activity, load);
  if ((!varies && !used) || nb_activity_is_checked(activity, load) ||
      !moves_float(activity, load, load, pointer))
    return;
  if (varies)
    mark_value(activity, load, NB_VARIED);
  if (used)
    mark_class(activity, class, NB_USEFUL);
}

static void carry_bits(NbActivity *activity, LLVMValueRef value, LLVMValueRef pointer) {
  if (nb_types_has_integer(LLVMTypeOf(value)))
    nb_activity_carry(activity, behind(activity, pointer),
                      nb_places_of(activity->types->places, pointer),
                      nb_store_size(activity->context, LLVMTypeOf(value)));
}

static void flow_store(NbActivity *activity, LLVMValueRef store) {
  LLVMValueRef value = LLVMGetOperand(store, 0);
  NbClass *class = behind(activity, LLVMGetOperand(store, 1));
  if (varied(activity, value)) {
    mark_class(activity, class, NB_VARIED);
    carry_bits(activity, value, LLVMGetOperand(store, 1));
  }
  if (class_useful(activity, class) && nb_type_has_real(LLVMTypeOf(value)))
    mark_value(activity, value, NB_USEFUL);
  if (class_useful(activity, class) && varied(activity, value))
    mark_value(activity, value, NB_USEFUL);
}

static void flow_atomic(NbActivity *activity, LLVMValueRef instruction) {
  NbClass *class = behind(activity, LLVMGetOperand(instruction, 0));
  LLVMValueRef pointer = LLVMGetOperand(instruction, 0);
  for (int i = 1; i < LLVMGetNumOperands(instruction); i++) {
    if (varied(activity, LLVMGetOperand(instruction, (unsigned)i))) {
      mark_class(activity, class, NB_VARIED);
      carry_bits(activity, LLVMGetOperand(instruction, (unsigned)i), pointer);
    }
    if (class_useful(activity, class))
      mark_value(activity, LLVMGetOperand(instruction, (unsigned)i), NB_USEFUL);
  }
  bool real = moves_float(activity, instruction, LLVMGetOperand(instruction, 1), pointer);
  if (real && nb_activity_class_varied(activity, class))
    mark_value(activity, instruction, NB_VARIED);
  if (real && useful(activity, instruction))
    mark_class(activity, class, NB_USEFUL);
}

static void flow_return(NbActivity *activity, LLVMValueRef instruction) {
  if (activity->request->result == NB_ROLE_CONST || !LLVMGetNumOperands(instruction))
    return;
  LLVMValueRef value = LLVMGetOperand(instruction, 0);
  if (nb_type_has_real(LLVMTypeOf(value)))
    mark_value(activity, value, NB_USEFUL);
  bool shadow = activity->request->result != NB_ROLE_OUT;
  if (shadow && nb_type_has_pointer(LLVMTypeOf(value)))
    nb_activity_spread(activity, behind(activity, value), NB_VARIED | NB_USEFUL | NB_SHADOWED);
}

static bool call_gives_bits(const NbActivity *activity, LLVMValueRef call, unsigned element) {
  const NbBinding *binding = nb_map_get(activity->objects->bindings, call);
  return !binding ||
         returns_bits(activity, binding, nb_activity_works_on_bits(activity, call), element);
}

/* May the integer that is an element of the struct be the bits of a varied number? */
static bool element_carries(const NbActivity *activity, NbMap *seen, LLVMValueRef whole,
                            unsigned element) {
  bool choice = LLVMIsAPHINode(whole) || LLVMIsASelectInst(whole);
  if (LLVMIsAConstant(whole) || nb_map_has(seen, whole))
    return false;
  nb_map_set(seen, whole, whole);
  if (nb_is_call(whole))
    return call_gives_bits(activity, whole, element);
  if (LLVMIsAInsertValueInst(whole) && LLVMGetIndices(whole)[0] == element &&
      LLVMGetNumIndices(whole) == 1)
    return varied(activity, LLVMGetOperand(whole, 1));
  if (LLVMIsAInsertValueInst(whole) && LLVMGetIndices(whole)[0] != element)
    return element_carries(activity, seen, LLVMGetOperand(whole, 0), element);
  for (int i = LLVMIsASelectInst(whole) ? 1 : 0; choice && i < LLVMGetNumOperands(whole); i++)
    if (element_carries(activity, seen, LLVMGetOperand(whole, (unsigned)i), element))
      return true;
  return !choice && varied(activity, whole);
}

/* Is it an integer beside numbers, and no bits of them? */
static bool takes_integer(const NbActivity *activity, LLVMValueRef extract) {
  if (LLVMGetTypeKind(LLVMTypeOf(extract)) != LLVMIntegerTypeKind)
    return false;
  NbMap *seen = nb_map_new(activity->context->arena);
  return !element_carries(activity, seen, LLVMGetOperand(extract, 0), LLVMGetIndices(extract)[0]);
}

static void flow_instruction(NbActivity *activity, LLVMValueRef instruction) {
  nb_activity_flow_pointer(activity, instruction);
  switch (LLVMGetInstructionOpcode(instruction)) {
  case LLVMLoad:
    flow_load(activity, instruction);
    return;
  case LLVMStore:
    flow_store(activity, instruction);
    return;
  case LLVMCall:
  case LLVMInvoke:
    flow_call(activity, instruction);
    return;
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
    flow_atomic(activity, instruction);
    return;
  case LLVMRet:
    flow_return(activity, instruction);
    return;
  case LLVMPHI:
  case LLVMSelect:
    if (!nb_activity_is_checked(activity, instruction))
      flow_operands(activity, instruction, LLVMIsASelectInst(instruction) ? 1 : 0);
    return;
  case LLVMExtractValue:
    if (!takes_integer(activity, instruction))
      flow_operands(activity, instruction, 0);
    return;
  case LLVMFCmp:
  case LLVMICmp:
  case LLVMFPToSI:
  case LLVMFPToUI:
  case LLVMSIToFP:
  case LLVMUIToFP:
  case LLVMGetElementPtr:
  case LLVMIntToPtr:
  case LLVMPtrToInt:
  case LLVMBr:
  case LLVMSwitch:
    return;
  case LLVMBitCast:
    if (!nb_activity_is_checked(activity, instruction))
      flow_operands(activity, instruction, 0);
    return;
  default:
    flow_operands(activity, instruction, 0);
  }
}

static void seed(NbActivity *activity) {
  const NbRequest *request = activity->request;
  for (unsigned i = 0; i < request->count; i++) {
    LLVMValueRef parameter = LLVMGetParam(activity->function, i);
    bool pointer = nb_type_has_pointer(LLVMTypeOf(parameter));
    if (request->roles[i] == NB_ROLE_CONST) {
      if (pointer)
        nb_activity_spread(activity, behind(activity, parameter), NB_CONST);
      continue;
    }
    if (nb_type_has_real(LLVMTypeOf(parameter)))
      mark_value(activity, parameter, NB_VARIED);
    unsigned guarded = request->guarded && request->guarded[i] ? NB_GUARDED : 0;
    if (pointer)
      nb_activity_spread(activity, behind(activity, parameter),
                         NB_VARIED | NB_USEFUL | NB_SHADOWED | guarded);
  }
}

/* "Varied" flows down the function. */
static void sweep_down(NbActivity *activity) {
  LLVMValueRef at = nb_instruction_first(activity->function);
  for (; at; at = nb_instruction_next(at))
    flow_instruction(activity, at);
}

/* "Useful" flows up it: without this sweep a straight line would need one round an instruction. */
static void sweep_up(NbActivity *activity) {
  for (LLVMBasicBlockRef block = LLVMGetLastBasicBlock(activity->function); block;
       block = LLVMGetPreviousBasicBlock(block))
    for (LLVMValueRef at = LLVMGetLastInstruction(block); at; at = LLVMGetPreviousInstruction(at))
      flow_instruction(activity, at);
}

static void seed_bits(NbActivity *activity) {
  for (unsigned i = 0; activity->regions && i < nb_map_count(activity->regions); i++) {
    NbClass *class = nb_class_find((NbClass *)nb_map_key(activity->regions, i));
    if (nb_activity_region(activity, class) & NB_REGION_BITS) {
      mark_class(activity, class, NB_VARIED);
      nb_activity_carry(activity, class, nb_place_anywhere(), 1);
    }
  }
}

/* A pointer that is made of an integer may lead to any memory whose address has become one, here or
 * elsewhere: through memory, or a call. What is read there may be varied. */
static void seed_forgotten(NbActivity *activity) {
  NbClass *class = nb_class_find(activity->objects->unknown);
  if (!activity->objects->forgotten || !nb_types_class_may_be_float(activity->types, class))
    return;
  if (class->flags & NB_CLASS_READ)
    mark_class(activity, class, NB_VARIED);
}

/* Who knows the address may read there, in a call that is not known, or elsewhere. */
static void seed_known_elsewhere(NbActivity *activity) {
  NbClass *class = nb_class_find(activity->objects->unknown);
  if ((class->flags & NB_CLASS_WRITTEN) && nb_types_class_may_be_float(activity->types, class))
    mark_class(activity, class, NB_USEFUL);
}

void nb_activity_flow(NbActivity *activity) {
  seed(activity);
  seed_forgotten(activity);
  seed_known_elsewhere(activity);
  seed_bits(activity);
  nb_activity_seed_globals(activity);
  activity->changed = true;
  while (activity->changed) {
    activity->changed = false;
    sweep_down(activity);
    sweep_up(activity);
    nb_activity_flow_copies(activity);
  }
}
