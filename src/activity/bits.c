// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Integers with the bits of a varied float in memory.
 *
 * What the types say is not asked of memory in which such bits were stored: an integer that is
 * added to is a number there as long as nobody knows better. A callee that takes such bits, or
 * floats that it does not know to be floats, for numbers is told by its request that all integers
 * in that memory are suspect; where it can be, it is inlined: then more is known.
 *
 * What an integer argument carries is not asked here: a call that takes the bits of an active
 * number is refused where it stands. */
#include "activity/flow.h"

/* --- In memory. -------------------------------------------------------------------------------
 */

enum { MOST_SPANS = 64 };

/* Some bytes of each element of a class. */
typedef struct Span {
  NbOffsets place;
  uint64_t size;
  NbClass *theirs; /* of the callees that store them, as all of these know; NULL: others do */
} Span;

typedef struct Spans {
  Span items[MOST_SPANS];
  unsigned count;
} Spans;

static Spans *spans_of(const NbActivity *activity, NbClass *class) {
  return nb_map_get(activity->carried, nb_class_find(class));
}

/* The span that has the bytes; NULL where there is none. */
static Span *covering(Spans *spans, const NbOffsets *place, uint64_t size) {
  for (unsigned i = 0; i < spans->count; i++) {
    if (spans->items[i].size >= size && nb_place_equal(&spans->items[i].place, place))
      return &spans->items[i];
  }
  return NULL;
}

/* Takes into the span what has been stored in it by others than those it knows of. */
static void join(NbActivity *activity, Span *span, NbClass *theirs) {
  activity->changed |= span->theirs && span->theirs != theirs;
  span->theirs = span->theirs == theirs ? theirs : NULL;
}

static void add_span(NbActivity *activity, NbClass *class, Span span) {
  Spans *spans = spans_of(activity, class);
  if (!spans) {
    spans = NB_NEW(activity->context->arena, Spans);
    nb_map_set(activity->carried, nb_class_find(class), spans);
  }
  NbOffsets anywhere = nb_place_anywhere();
  Span *known = covering(spans, &anywhere, 1);
  if (!known)
    known = covering(spans, &span.place, span.size);
  if (known) {
    join(activity, known, span.theirs);
    return;
  }
  bool last = spans->count + 1 == MOST_SPANS || span.size == NB_UNKNOWN_SIZE;
  spans->items[spans->count++] = last ? (Span){.place = anywhere, .size = 1} : span;
  activity->changed = true;
}

void nb_activity_carry(NbActivity *activity, NbClass *class, NbOffsets place, uint64_t size) {
  add_span(activity, class, (Span){.place = place, .size = size});
}

/* Do bits lie there that are not `theirs`? */
static bool meets(const Spans *spans, const NbOffsets *place, uint64_t size,
                  const NbClass *theirs) {
  for (unsigned i = 0; spans && i < spans->count; i++) {
    const Span *span = &spans->items[i];
    if ((!theirs || span->theirs != theirs) &&
        nb_place_meets(&span->place, span->size, place, size))
      return true;
  }
  return false;
}

bool nb_activity_class_carries(const NbActivity *activity, NbClass *class) {
  return spans_of(activity, class) != NULL;
}

bool nb_activity_carries(const NbActivity *activity, LLVMValueRef pointer, uint64_t size) {
  const Spans *spans = spans_of(activity, nb_value_class(activity->objects, pointer));
  NbOffsets place = nb_places_of(activity->types->places, pointer);
  if (size == NB_UNKNOWN_SIZE)
    return spans != NULL;
  return meets(spans, &place, size, NULL);
}

static bool meets_piece(const Spans *spans, const NbOffsets *start, uint64_t from, uint64_t to,
                        uint64_t period) {
  NbOffsets place = nb_place_shift(*start, (int64_t)from);
  place = nb_place_stride(place, period, true);
  return from < to && meets(spans, &place, to - from, NULL);
}

bool nb_activity_carries_between(const NbActivity *activity, LLVMValueRef pointer, uint64_t size,
                                 const NbLayout *layout) {
  const Spans *spans = spans_of(activity, nb_value_class(activity->objects, pointer));
  NbOffsets start = nb_places_of(activity->types->places, pointer);
  uint64_t end = 0, last = size, period = 0;
  for (unsigned i = 0; spans && i < layout->count; i++) {
    const NbPiece *piece = &layout->pieces[i];
    if (piece->period && !period)
      last = piece->offset + piece->period;
    period = piece->period;
    uint64_t from = piece->kind == NB_KIND_INTEGER ? piece->offset + piece->size : piece->offset;
    if (meets_piece(spans, &start, end, from, period))
      return true;
    end = piece->offset + piece->size;
  }
  return spans && meets_piece(spans, &start, end, last, period);
}

/* Carries on what a copy takes from a part of memory, again every `period` bytes. */
static void carry_part(NbActivity *activity, const NbCall *copy, uint64_t from, uint64_t to,
                       uint64_t period) {
  const NbPlaces *places = activity->types->places;
  const Spans *spans = spans_of(activity, nb_value_class(activity->objects, copy->from));
  NbOffsets source = nb_places_of(places, copy->from);
  if (!meets_piece(spans, &source, from, to, period))
    return;
  NbOffsets place = nb_place_shift(nb_places_of(places, copy->to), (int64_t)from);
  place = nb_place_stride(place, period, true);
  uint64_t size = to == NB_UNKNOWN_SIZE ? to : to - from;
  nb_activity_carry(activity, nb_value_class(activity->objects, copy->to), place, size);
}

void nb_activity_carry_copied(NbActivity *activity, const NbCall *copy, uint64_t size,
                              const NbLayout *layout) {
  uint64_t end = 0, last = size, period = 0;
  for (unsigned i = 0; !layout->unknown && i < layout->count; i++) {
    const NbPiece *piece = &layout->pieces[i];
    if (piece->period && !period)
      last = piece->offset + piece->period;
    period = piece->period;
    carry_part(activity, copy, end, piece->offset, period);
    carry_part(activity, copy, piece->offset, piece->offset + piece->size, period);
    end = piece->offset + piece->size;
  }
  carry_part(activity, copy, end, last, period);
}

/* Does a float lie there, for all that is known here? */
static bool has_float(const NbActivity *activity, NbClass *class, const NbOffsets *place,
                      uint64_t size) {
  const NbFacts *facts = nb_facts_of(activity->types, class);
  for (unsigned i = 0; i < facts->count; i++) {
    const NbFact *fact = &facts->items[i];
    if (fact->kind == NB_KIND_FLOAT && nb_place_meets(&fact->place, fact->size, place, size))
      return true;
  }
  return facts->full;
}

bool nb_activity_carry_to(NbActivity *activity, const NbTransfer *copy, NbOffsets place,
                          uint64_t size) {
  NbOffsets copied;
  if (!nb_transfer_copies(copy, place, size, &copied) ||
      has_float(activity, copy->to, &copied, size))
    return false;
  if (nb_activity_class_varied(activity, copy->from))
    nb_activity_carry(activity, copy->to, copied, size);
  return true;
}

bool nb_activity_carry_on(NbActivity *activity, const NbTransfer *copy) {
  const Spans *spans = spans_of(activity, copy->from);
  bool carries = false;
  for (unsigned i = 0; spans && i < spans->count; i++)
    carries |= nb_activity_carry_to(activity, copy, spans->items[i].place, spans->items[i].size);
  return carries;
}

/* --- In callees. ------------------------------------------------------------------------------
 */

/* What the callee does with memory that it gets. */
typedef struct Given {
  const NbActivity *activity;
  LLVMValueRef call;
  NbClass *theirs, *ours;
  NbTypes *group; /* the callee's */
} Given;

static bool is_certain(const NbOffsets *place) { return !place->period && !place->loose; }

/* Are bits certain to lie at that very place? */
static bool holds_at(Spans *spans, const NbOffsets *place, uint64_t size) {
  return spans && is_certain(place) && covering(spans, place, size);
}

/* Does it access bits of the caller's as integers? What it stores itself it knows, which matters
 * where it is not inlined. */
static bool works_on_spans(const Given *given) {
  const NbClass *known = nb_graph_recurs(given->group->objects) ? given->theirs : NULL;
  Spans *spans = spans_of(given->activity, given->ours);
  const NbFacts *integers = nb_facts_of_integers(given->group, given->theirs);
  NbOffsets shift = nb_places_of_bound(given->activity->types->places, given->call, given->theirs);
  for (unsigned i = 0; i < integers->count; i++) {
    NbOffsets place = nb_place_add(shift, integers->items[i].place);
    uint64_t size = integers->items[i].size;
    if (integers->items[i].declared ? holds_at(spans, &place, size)
                                    : meets(spans, &place, size, known))
      return true;
  }
  return integers->full;
}

/* Is it one place, or a member of each element of an array? Not where an index might lead. */
static bool is_placed(const NbOffsets *place, uint64_t size) {
  return !place->loose && (!place->period || place->period > size);
}

/* Is a float certain to be there, in some object? In an array of structs, if all are such arrays.
 */
static bool is_float_at(NbTypes *types, NbClass *class, const NbOffsets *place, uint64_t size) {
  const NbFacts *facts = nb_facts_of(types, class);
  bool certain = is_placed(place, size) && (!place->period || !nb_types_is_mixed(types, class));
  for (unsigned i = 0; certain && i < facts->count; i++) {
    const NbFact *fact = &facts->items[i];
    if (fact->kind == NB_KIND_FLOAT && nb_fact_is_within(fact) &&
        is_placed(&fact->place, fact->size) &&
        nb_place_meets(&fact->place, fact->size, place, size))
      return true;
  }
  return false;
}

/* Where what the callee knows lies in the objects that `ours` are about; false where it is none of
 * them. */
static bool place_in(const NbFacts *ours, const NbFact *theirs, NbOffsets shift, NbOffsets *place) {
  NbFact fact = *theirs;
  nb_facts_shift(&fact, shift);
  bool inside = nb_facts_clip(&fact, ours);
  *place = fact.place;
  return inside;
}

/* Does it, which `theirs` is about, access floats, which `ours` knows, as integers, and not know
 * it?
 */
static bool works_on_floats(const Given *given, NbTypes *ours, NbTypes *theirs, NbOffsets shift) {
  const NbFacts *floats = nb_facts_of(ours, given->ours);
  const NbFacts *known = nb_facts_of(theirs, given->theirs);
  const NbFacts *integers = nb_facts_of_integers(theirs, given->theirs);
  for (unsigned i = 0; i < integers->count; i++) {
    const NbFact *fact = &integers->items[i];
    NbOffsets place;
    if (!place_in(floats, fact, shift, &place))
      continue;
    NbPromise integer = {.tagged = fact->tagged, .typed = fact->typed, .noted = true};
    bool floats_there = fact->declared
                            ? is_float_at(ours, given->ours, &place, fact->size)
                            : nb_facts_speak_against(floats, &place, fact->size, integer);
    if (floats_there &&
        !nb_facts_speak_against(known, &fact->place, fact->size, (NbPromise){.tagged = false}))
      return true;
  }
  return false;
}

/* Does it copy memory of which it knows no more than that bytes or words are declared there, where
 * `ours` knows floats? */
static bool copies_floats(const Given *given, NbTypes *ours, NbTypes *theirs, NbOffsets shift) {
  const NbFacts *floats = nb_facts_of(ours, given->ours);
  const NbFacts *known = nb_facts_of(theirs, given->theirs);
  const NbPromise noted = {.noted = true};
  for (unsigned i = 0; known->copied && i < known->count; i++) {
    const NbFact *fact = &known->items[i];
    NbOffsets place;
    if (!place_in(floats, fact, shift, &place))
      continue;
    bool floats_there =
        nb_fact_is_storage(fact)
            ? nb_facts_speak_against(floats, &place, fact->size, noted)
            : nb_fact_is_declared_word(fact) && is_float_at(ours, given->ours, &place, fact->size);
    if (floats_there &&
        !nb_facts_speak_against(known, &fact->place, fact->size, (NbPromise){.tagged = false}) &&
        !nb_facts_callers_tell_float(given->group, nb_callee(given->call), given->theirs, fact))
      return true;
  }
  return false;
}

static bool works_on(const Given *given, NbTypes *ours, NbTypes *theirs, NbOffsets shift) {
  return works_on_floats(given, ours, theirs, shift) || copies_floats(given, ours, theirs, shift);
}

static bool works_on_class(const Given *given, NbTypes *ours) {
  NbOffsets shift = nb_places_of_bound(ours->places, given->call, given->theirs);
  return works_on(given, ours, given->group, shift);
}

/* The same where the callee's members are told apart. */
static bool works_on_given(const Given *given, NbTypes *ours) {
  const NbMembers *apart = nb_types_given(given->group, given->theirs);
  for (unsigned i = 0; i < apart->count; i++) {
    NbTypes *member = apart->items[i];
    NbOffsets shift;
    if (nb_places_of_given(ours->places, given->call, given->theirs, member->places, &shift) &&
        works_on(given, ours, member, shift))
      return true;
  }
  return !apart->count && works_on_class(given, ours);
}

/* The same, of some member of the class that the callee gets. */
static bool works_on_members(const Given *given) {
  const NbMembers *members = nb_types_members(given->activity->types, given->ours);
  bool any = false;
  for (unsigned i = 0; i < members->count; i++) {
    NbTypes *member = members->items[i];
    if (!nb_places_reaches_bound(member->places, given->call, given->theirs))
      continue;
    any = true;
    if (works_on_given(given, member))
      return true;
  }
  return !any;
}

bool nb_activity_works_on_class(const NbActivity *activity, LLVMValueRef call, NbClass *theirs) {
  const NbBinding *binding = nb_map_get(activity->objects->bindings, call);
  NbClass *ours = nb_class_find(nb_map_get(binding->classes, theirs));
  Given given = {activity, call, theirs, ours, nb_types_of_group(binding->group)};
  if (!nb_activity_class_varied(activity, ours))
    return false;
  return works_on_spans(&given) ||
         (works_on_class(&given, activity->types) && works_on_members(&given));
}

bool nb_activity_works_on_bits(const NbActivity *activity, LLVMValueRef call) {
  const NbBinding *binding = nb_map_get(activity->objects->bindings, call);
  for (unsigned i = 0; i < nb_map_count(binding->classes); i++) {
    NbClass *theirs = nb_class_find((NbClass *)nb_map_key(binding->classes, i));
    if (nb_activity_works_on_class(activity, call, theirs))
      return true;
  }
  return false;
}

void nb_activity_carry_through(NbActivity *activity, LLVMValueRef call, bool all) {
  const NbBinding *binding = nb_map_get(activity->objects->bindings, call);
  NbTypes *group = nb_types_of_group(binding->group);
  for (unsigned i = 0; i < nb_map_count(binding->classes); i++) {
    NbClass *theirs = nb_class_find((NbClass *)nb_map_key(binding->classes, i));
    NbClass *ours = nb_class_find(nb_map_get(binding->classes, theirs));
    const NbFacts *integers = nb_facts_of_integers(group, theirs);
    NbOffsets shift = nb_places_of_bound(activity->types->places, call, theirs);
    for (unsigned k = 0; (theirs->flags & NB_CLASS_WRITTEN) && k < integers->count; k++) {
      NbOffsets place = nb_place_add(shift, integers->items[k].place);
      bool known = integers->items[k].kind == NB_KIND_CONFLICT;
      if (all || known)
        add_span(activity, ours, (Span){place, integers->items[k].size, known ? theirs : NULL});
    }
  }
}

/* Is anything of what the call gives needed? */
static bool is_needed(const NbActivity *activity, const NbBinding *binding, LLVMValueRef call) {
  bool needed = (nb_activity_bits(activity, call) & NB_USEFUL) != 0;
  for (unsigned i = 0; i < nb_map_count(binding->classes) && !needed; i++) {
    NbClass *theirs = nb_class_find((NbClass *)nb_map_key(binding->classes, i));
    NbClass *ours = nb_map_get(binding->classes, theirs);
    needed =
        (theirs->flags & NB_CLASS_WRITTEN) && (nb_activity_class_bits(activity, ours) & NB_USEFUL);
  }
  return needed;
}

bool nb_activity_is_carrier(const NbActivity *activity, LLVMValueRef value) {
  return !LLVMIsAConstant(value) &&
         LLVMGetTypeKind(nb_scalar_type(LLVMTypeOf(value))) == LLVMIntegerTypeKind &&
         (nb_activity_bits(activity, value) & NB_VARIED) != 0;
}

static bool is_integer(LLVMValueRef value) {
  return LLVMGetTypeKind(nb_scalar_type(LLVMTypeOf(value))) == LLVMIntegerTypeKind;
}

bool nb_activity_computes_bits(const NbActivity *activity, LLVMValueRef call) {
  LLVMValueRef callee = nb_callee(call);
  unsigned count = LLVMGetNumArgOperands(call);
  bool integers = callee && is_integer(call);
  for (unsigned i = 0; i < count && integers; i++)
    integers = is_integer(LLVMGetOperand(call, i));
  return integers && (count == 2 || !LLVMGetIntrinsicID(callee)) &&
         nb_call_is_silent(activity->context, call);
}

static bool gets_carrier(const NbActivity *activity, LLVMValueRef call) {
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
    if (nb_activity_is_carrier(activity, LLVMGetOperand(call, i)))
      return true;
  return false;
}

bool nb_activity_is_bit_call(const NbActivity *activity, LLVMValueRef call) {
  const NbBinding *binding = nb_map_get(activity->objects->bindings, call);
  if (!binding)
    return false;
  bool needed = is_needed(activity, binding, call);
  return nb_activity_moves_pointers(activity, call) || nb_activity_hands_floats(activity, call) ||
         (needed && nb_activity_works_on_bits(activity, call)) ||
         ((needed || nb_types_has_integer(LLVMTypeOf(call))) && gets_carrier(activity, call));
}
