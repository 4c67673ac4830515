// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Facts about each member of a class by itself, and layouts by them.
 *
 * A pointer that leads to a local variable at one time and to an argument at another makes one
 * class of both, and what is read through it then speaks of both: of a struct that holds a pointer,
 * and of numbers that lie at all offsets. Where the facts about a class leave a question open,
 * those about each of its local variables and allocations are asked for: from the accesses through
 * pointers that may lead to it (nb_places_of_member), at their places in it. The rest of the
 * class, which exists outside of these functions, is one member: nobody knows how many objects it
 * is.
 *
 * Classes among which bytes are copied are solved together. It is done when first asked for, and
 * for few classes of few members. */
#include "objects/place.h"
#include "types/facts.h"

enum { MEMBER_ROUNDS = 12, MOST_APART = 12, MOST_CLASSES = 12, WIDEST_SCALAR = 8 };

bool nb_types_reach(const NbTypes *types, LLVMValueRef pointer) {
  return !types->class || (nb_value_class(types->objects, pointer) == types->class &&
                           nb_places_reaches(types->places, pointer));
}

bool nb_types_outlives(const NbTypes *types, NbClass *class) {
  LLVMValueRef member = types->places->member;
  bool local = member && LLVMIsAAllocaInst(member);
  return !local && nb_class_is_external(class);
}

static void add_member(NbTypes *types, NbClass *class, NbPlacesKind kind, LLVMValueRef value,
                       NbMembers *members) {
  NbTypes *member = NB_NEW(types->arena, NbTypes);
  *member = *types;
  if (kind != NB_PLACES_ALL)
    member->places = nb_places_of_member(types->places, kind, value);
  member->facts = nb_map_new(types->arena);
  member->integers = nb_map_new(types->arena);
  member->moves = nb_map_new(types->arena);
  member->unions = nb_map_new(types->arena);
  member->arrivals = nb_map_new(types->arena);
  member->whole = types;
  member->class = class;
  member->others = members;
  members->items[members->count++] = member;
}

/* Is the memory that the call gives, which it has moved, that of an argument, too? */
static bool is_resized(const NbTypes *types, LLVMValueRef value) {
  NbCall what = nb_is_call(value) ? nb_call_of(types->context, value) : (NbCall){0};
  return what.rule && what.rule->kind == NB_RULE_RESIZE;
}

/* Can the members of the class be told apart? Not where pointers to them come from anywhere. */
static bool is_told(const NbTypes *types, NbClass *class) {
  bool told = !(class->flags & NB_CLASS_UNKNOWN) && nb_types_is_mixed(types, class);
  for (unsigned i = 0; i < nb_class_member_count(class); i++)
    told &= !is_resized(types, nb_class_member(class, i));
  return told;
}

/* Makes a member of each local variable and allocation, with `given` also of each parameter, and
 * one of the rest; one of all where they are not told apart. False where they are too many. */
static bool add_members(NbTypes *types, NbClass *class, bool given, NbMembers *members) {
  unsigned first = members->count;
  bool told = is_told(types, class);
  for (unsigned i = 0; told && i < nb_class_member_count(class); i++) {
    LLVMValueRef value = nb_class_member(class, i);
    bool apart = nb_places_is_member(types->places, value) || (given && LLVMIsAArgument(value));
    if (apart && members->count - first == MOST_APART)
      return false;
    if (apart && members->count + 1 < NB_MOST_MEMBERS)
      add_member(types, class, NB_PLACES_MEMBER, value, members);
  }
  NbPlacesKind rest = given ? NB_PLACES_FOUND : NB_PLACES_OUTSIDE;
  if (members->count + 1 < NB_MOST_MEMBERS)
    add_member(types, class, told ? rest : NB_PLACES_ALL, NULL, members);
  return members->count + 1 < NB_MOST_MEMBERS;
}

static bool holds(const NbList *classes, NbClass *class) {
  for (unsigned i = 0; i < classes->count; i++)
    if (classes->items[i] == class)
      return true;
  return false;
}

/* Adds the classes that a call copies bytes between, if one of them is in the list. */
static void add_copied(const NbTypes *types, LLVMValueRef call, NbList *classes) {
  NbCall what = nb_call_of(types->context, call);
  if (what.kind != NB_CALL_COPY)
    return;
  NbClass *to = nb_value_class(types->objects, what.to);
  NbClass *from = nb_value_class(types->objects, what.from);
  if (holds(classes, to) && !holds(classes, from))
    nb_list_push(classes, from);
  else if (holds(classes, from) && !holds(classes, to))
    nb_list_push(classes, to);
}

/* The class and those that bytes are copied between from there on. */
static NbList joined_by_copies(const NbTypes *types, NbClass *class) {
  NbList classes = nb_list(types->arena);
  unsigned before = 0;
  nb_list_push(&classes, class);
  while (before != classes.count && classes.count <= MOST_CLASSES) {
    before = classes.count;
    for (unsigned i = 0; i < types->objects->functions.count; i++) {
      LLVMValueRef at = nb_instruction_first(types->objects->functions.items[i]);
      for (; at; at = nb_instruction_next(at))
        if (nb_is_call(at))
          add_copied(types, at, &classes);
    }
  }
  return classes;
}

/* To a fixed point over all of them; false where the budget is spent. */
static bool solve(const NbMembers *members) {
  NbList visited[NB_MOST_MEMBERS];
  bool changed = true;
  for (unsigned i = 0; i < members->count; i++)
    if (members->items[i]->places->lost)
      return false;
  NbArena *arena = nb_arena_new();
  for (unsigned i = 0; i < members->count; i++) {
    nb_facts_start(members->items[i]);
    visited[i] = nb_facts_visited(members->items[i], arena);
  }
  for (unsigned round = 0; changed && round < MEMBER_ROUNDS; round++) {
    changed = false;
    for (unsigned i = 0; i < members->count; i++) {
      members->items[i]->changed = false;
      nb_facts_visit(members->items[i], &visited[i]);
      changed |= members->items[i]->changed;
    }
  }
  nb_arena_free(arena);
  return !changed;
}

/* Of all the classes; none where the budget is spent, or where nothing is told apart. */
static NbMembers *members_of_all(NbTypes *types, const NbList *classes, bool given) {
  NbMembers *members = NB_NEW(types->arena, NbMembers);
  bool fits = classes->count <= MOST_CLASSES && !types->places->lost && !types->class;
  if (fits) {
    nb_places_open_members(types->places);
    for (unsigned i = 0; i < classes->count && fits; i++)
      fits = add_members(types, classes->items[i], given, members);
    nb_places_close_members(types->places);
  }
  bool apart = false;
  for (unsigned i = 0; i < members->count; i++)
    apart |= members->items[i]->places != types->places;
  if (!fits || !apart || !solve(members))
    members->count = 0;
  return members;
}

static const NbMembers *members_of(NbTypes *types, NbMap *known, NbClass *class, bool given) {
  class = nb_class_find(class);
  if (nb_map_has(known, class))
    return nb_map_get(known, class);
  NbList classes = joined_by_copies(types, class);
  const NbMembers *all = members_of_all(types, &classes, given);
  for (unsigned i = 0; i < classes.count; i++) {
    NbMembers *members = NB_NEW(types->arena, NbMembers);
    for (unsigned k = 0; k < all->count; k++)
      if (all->items[k]->class == classes.items[i])
        members->items[members->count++] = all->items[k];
    nb_map_set(known, classes.items[i], members);
  }
  return nb_map_get(known, class);
}

const NbMembers *nb_types_members(NbTypes *types, NbClass *class) {
  return members_of(types, types->members, class, false);
}

const NbMembers *nb_types_given(NbTypes *types, NbClass *class) {
  return members_of(types, types->given, class, true);
}

bool nb_types_any_member(NbTypes *types, LLVMValueRef pointer, NbMemberTest test,
                         const void *user) {
  const NbMembers *members = nb_types_members(types, nb_value_class(types->objects, pointer));
  bool any = false;
  for (unsigned i = 0; i < members->count; i++) {
    NbTypes *member = members->items[i];
    if (!nb_types_reach(member, pointer))
      continue;
    any = true;
    if (test(member, pointer, user))
      return true;
  }
  return !any;
}

/* --- Layouts. -------------------------------------------------------------------------------- */

/* Does the layout leave open what some bytes are? */
static bool is_doubtful(const NbLayout *layout) {
  for (unsigned i = 0; i < layout->count; i++)
    if (layout->pieces[i].kind == NB_KIND_CONFLICT)
      return true;
  return layout->unknown;
}

/* Takes the layout for all members into `found`; false where it is doubtful or another. */
static bool take_layout(NbLayout layout, NbLayout *found, bool first) {
  bool same = !is_doubtful(&layout) && (first || layout.count == found->count);
  for (unsigned i = 0; same && !first && i < layout.count; i++) {
    const NbPiece *a = &layout.pieces[i], *b = &found->pieces[i];
    same = a->offset == b->offset && a->size == b->size && a->period == b->period &&
           a->kind == b->kind && a->type == b->type;
  }
  *found = layout;
  return same;
}

/* Is it a scalar that is a float in some objects, and an integer in others? */
static bool is_either(NbTypes *types, LLVMValueRef pointer, uint64_t size, const NbLayout *layout) {
  bool real = size <= WIDEST_SCALAR && layout->count && layout->pieces[0].kind == NB_KIND_FLOAT;
  return real && nb_types_also_hold(types, pointer, size, NB_KIND_INTEGER, false);
}

/* What the facts of the class leave open, those of each member of it may settle. */
NbLayout nb_types_layout(NbTypes *types, LLVMValueRef pointer, uint64_t size) {
  NbLayout layout = nb_facts_layout(types, pointer, size), found;
  bool open = is_doubtful(&layout) || is_either(types, pointer, size, &layout);
  const NbMembers *members =
      open ? nb_types_members(types, nb_value_class(types->objects, pointer)) : NULL;
  bool any = false;
  for (unsigned i = 0; members && i < members->count; i++) {
    NbTypes *member = members->items[i];
    if (!nb_types_reach(member, pointer))
      continue;
    if (!take_layout(nb_facts_layout(member, pointer, size), &found, !any))
      return layout;
    any = true;
  }
  return any ? found : layout;
}

NbMembers nb_types_reached(NbTypes *types, LLVMValueRef pointer) {
  const NbMembers *members = nb_types_members(types, nb_value_class(types->objects, pointer));
  NbMembers reached = {.count = 0};
  for (unsigned i = 0; members && i < members->count; i++)
    if (nb_types_reach(members->items[i], pointer))
      reached.items[reached.count++] = members->items[i];
  return reached.count ? reached : (NbMembers){.items = {types}, .count = 1};
}

NbOffsets nb_types_piece_place(const NbTypes *types, LLVMValueRef pointer, const NbPiece *piece) {
  NbOffsets place = nb_place_shift(nb_places_noted(types->places, pointer), (int64_t)piece->offset);
  return piece->period ? nb_place_stride(place, piece->period, true) : place;
}

/* Does a float lie in some objects where the piece is integers, or where it is a shorter float, or
 * one that does not fill its bytes? */
static bool hides_float(NbTypes *types, LLVMValueRef pointer, const NbPiece *piece, bool within) {
  NbOffsets place = nb_types_piece_place(types, pointer, piece);
  if (piece->kind != NB_KIND_INTEGER && piece->kind != NB_KIND_FLOAT)
    return false;
  const NbFacts *facts = nb_facts_of(types, nb_value_class(types->objects, pointer));
  for (unsigned i = 0; i < facts->count; i++) {
    const NbFact *fact = &facts->items[i];
    bool other = piece->kind == NB_KIND_INTEGER || fact->size > piece->size ||
                 (piece->size > sizeof(double) && fact->size < piece->size);
    bool real = fact->kind == NB_KIND_FLOAT && !fact->declared;
    if (other && real && (!within || nb_fact_is_within(fact)) &&
        nb_place_meets(&fact->place, fact->size, &place, piece->size))
      return true;
  }
  return false;
}

bool nb_types_hides_floats(NbTypes *types, LLVMValueRef pointer, const NbLayout *layout,
                           bool within) {
  NbMembers reached = nb_types_reached(types, pointer);
  for (unsigned i = 0; i < reached.count; i++)
    for (unsigned k = 0; k < layout->count; k++)
      if (hides_float(reached.items[i], pointer, &layout->pieces[k], within))
        return true;
  return false;
}

static NbLayout transfer_of_members(NbTypes *types, const NbCall *what, NbLayout layout) {
  NbMembers to = nb_types_reached(types, what->to);
  NbMembers from = nb_types_reached(types, what->from);
  NbLayout found;
  for (unsigned i = 0; i < to.count; i++)
    for (unsigned k = 0; k < from.count; k++)
      if (!take_layout(nb_facts_transfer(to.items[i], from.items[k], what), &found, !i && !k))
        return layout;
  return found;
}

NbLayout nb_types_transfer(NbTypes *types, LLVMValueRef call) {
  NbCall what = nb_call_of(types->context, call);
  if (what.kind == NB_CALL_FILL)
    what.from = what.to;
  if (!what.to)
    return (NbLayout){.unknown = true};
  NbLayout layout;
  if (nb_tags_say_fields(types, call, &what, &layout))
    return layout;
  layout = nb_facts_transfer(types, types, &what);
  if (is_doubtful(&layout))
    layout = transfer_of_members(types, &what, layout);
  NbPiece *floats = NB_NEW(types->arena, NbPiece);
  if (nb_tags_say_floats(types, call, what.bytes, floats))
    return (NbLayout){floats, 1, false};
  return layout;
}
