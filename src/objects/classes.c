// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Union-find of classes, and the questions that the other stages ask about one. */
#include "objects/graph.h"
#include "objects/origins.h"

#include <limits.h>

enum { MOST_FIELDS = 96 };

NbClass *nb_class_new(NbObjects *objects) {
  NbClass *class = NB_NEW(objects->arena, NbClass);
  class->parent = class;
  class->graph = objects;
  class->number = objects->count++;
  class->members = nb_map_new(objects->arena);
  class->alignment = UINT_MAX;
  class->functions = nb_list(objects->arena);
  return class;
}

NbClass *nb_class_find(NbClass *class) {
  while (class->parent != class) {
    class->parent = class->parent->parent;
    class = class->parent;
  }
  return class;
}

void nb_class_add_member(NbClass *class, LLVMValueRef member) {
  nb_map_set(class->members, member, NULL);
  bool declared = LLVMIsAAllocaInst(member) || LLVMIsAGlobalVariable(member);
  uint64_t origin = (uint64_t)nb_origin_of(class->graph->origins, member);
  uint64_t alignment = declared ? LLVMGetAlignment(member) : UINT_MAX;
  if (origin && (origin & -origin) < alignment)
    alignment = origin & -origin;
  if (alignment < class->alignment)
    class->alignment = (unsigned)alignment;
}

unsigned nb_class_member_count(const NbClass *class) { return nb_map_count(class->members); }

LLVMValueRef nb_class_member(const NbClass *class, unsigned index) {
  return (LLVMValueRef)nb_map_key(class->members, index);
}

/* --- Unification. ----------------------------------------------------------------------------- */

/* Makes `b` part of `a`; both represent. Their fields are left to the caller. */
static void join(NbClass *a, NbClass *b) {
  b->parent = a;
  if (a->rank == b->rank)
    a->rank++;
  a->flags |= b->flags;
  a->parameters |= b->parameters;
  if (b->alignment < a->alignment)
    a->alignment = b->alignment;
  a->graph->changes++;
  if (b->number < a->number)
    a->number = b->number;
  for (unsigned i = 0; i < nb_class_member_count(b); i++)
    nb_class_add_member(a, nb_class_member(b, i));
  for (unsigned i = 0; i < b->functions.count; i++)
    nb_list_push(&a->functions, b->functions.items[i]);
}

static void push_field(NbClass *class, NbField field) {
  if (class->field_count == class->field_capacity) {
    class->field_capacity = class->field_capacity ? class->field_capacity * 2 : 2;
    NbField *fields = NB_NEW_ARRAY(class->graph->arena, NbField, class->field_capacity);
    for (unsigned i = 0; i < class->field_count; i++)
      fields[i] = class->fields[i];
    class->fields = fields;
  }
  class->fields[class->field_count++] = field;
}

static void push_pair(NbList *pairs, NbClass *a, NbClass *b) {
  nb_list_push(pairs, a);
  nb_list_push(pairs, b);
}

/* The two fields as one, in the place of the first, widened to hold both. */
static NbField widened(const NbField *old, const NbField *more) {
  NbField field = *old;
  bool part = more->place.count > 1 && nb_place_holds(&more->place, &old->place);
  bool whole = old->place.count > 1 && nb_place_holds(&old->place, &more->place);
  if (part)
    field.place = more->place;
  else if (!whole)
    field.place = nb_place_join(old->place, more->place);
  field.stored |= more->stored;
  field.kind = old->kind && more->kind ? old->kind : NULL;
  field.place.loose |= old->place.loose || more->place.loose;
  field.place.low = old->place.low < more->place.low ? old->place.low : more->place.low;
  field.place.high = old->place.high > more->place.high ? old->place.high : more->place.high;
  if (more->size > field.size)
    field.size = more->size;
  return field;
}

/* Adds a field; those that it meets become one with it, and their targets are to be unified. */
static void add_field(NbClass *class, NbField field, NbList *pairs) {
  for (unsigned i = 0; i < class->field_count; i++) {
    NbField *old = &class->fields[i];
    if (!nb_pointer_kinds_meet(old->kind, field.kind) ||
        !nb_place_meets(&old->place, old->size, &field.place, field.size))
      continue;
    push_pair(pairs, old->target, field.target);
    field = widened(old, &field);
    if (field.size == old->size && field.kind == old->kind &&
        nb_place_equal(&field.place, &old->place)) {
      old->stored = field.stored;
      return;
    }
    *old = class->fields[--class->field_count];
    i = (unsigned)-1;
  }
  class->graph->changes++;
  push_field(class, field);
  if (class->field_count > MOST_FIELDS) {
    field.place = nb_place_anywhere();
    field.kind = NULL;
    add_field(class, field, pairs);
  }
}

static void unify_all(NbList *pairs) {
  while (pairs->count) {
    NbClass *b = nb_class_find(pairs->items[--pairs->count]);
    NbClass *a = nb_class_find(pairs->items[--pairs->count]);
    if (a == b)
      continue;
    NbClass *winner = a->rank >= b->rank ? a : b;
    NbClass *loser = winner == a ? b : a;
    join(winner, loser);
    for (unsigned i = 0; i < loser->field_count; i++)
      add_field(winner, loser->fields[i], pairs);
  }
}

NbClass *nb_class_unify(NbClass *a, NbClass *b) {
  NbList pairs = nb_list(a->graph->arena);
  if (nb_class_find(a) == nb_class_find(b))
    return nb_class_find(a);
  push_pair(&pairs, a, b);
  unify_all(&pairs);
  return nb_class_find(a);
}

/* --- Fields. ---------------------------------------------------------------------------------- */

NbClass *nb_class_field_known(NbClass *class, NbOffsets place, uint64_t size, const char *kind) {
  class = nb_class_find(class);
  for (unsigned i = 0; i < class->field_count; i++) {
    NbField *field = &class->fields[i];
    if (nb_pointer_kinds_meet(field->kind, kind) &&
        nb_place_meets(&field->place, field->size, &place, size))
      return nb_class_find(field->target);
  }
  return NULL;
}

NbClass *nb_class_field_of(NbClass *class, NbOffsets place, uint64_t size, const char *kind) {
  class = nb_class_find(class);
  NbList pairs = nb_list(class->graph->arena);
  NbClass *target = nb_class_field_known(class, place, size, kind);
  if (!target)
    target = nb_class_new(class->graph);
  add_field(class, (NbField){place, size, target, kind, false}, &pairs);
  unify_all(&pairs);
  return nb_class_find(target);
}

NbClass *nb_class_field(NbClass *class, NbOffsets place, uint64_t size) {
  return nb_class_field_of(class, place, size, NULL);
}

void nb_class_note_stored(NbClass *class, NbOffsets place, uint64_t size) {
  class = nb_class_find(class);
  for (unsigned i = 0; i < class->field_count; i++) {
    NbField *field = &class->fields[i];
    field->stored |= nb_place_meets(&field->place, field->size, &place, size);
  }
}

/* --- Questions. ------------------------------------------------------------------------------- */

static NbClass *pointed(const NbField *field) {
  NbClass *target = nb_class_find(field->target);
  return target->flags & NB_CLASS_POINTED ? target : NULL;
}

bool nb_class_holds_pointers(NbClass *class) {
  class = nb_class_find(class);
  for (unsigned i = 0; i < class->field_count; i++) {
    if (pointed(&class->fields[i]))
      return true;
  }
  return false;
}

/* Appends the classes that pointers in `class` lead to and that the walk has not met. */
static NbClass *queue_targets(NbClass *class, NbClass *last, unsigned walk) {
  for (unsigned i = 0; i < class->field_count; i++) {
    NbClass *target = pointed(&class->fields[i]);
    if (!target || target->visit == walk)
      continue;
    target->visit = walk;
    target->queued = NULL;
    last->queued = target;
    last = target;
  }
  return last;
}

static bool walk_queue(NbClass *class, NbClassTest test, void *user) {
  unsigned walk = ++class->graph->walks;
  NbClass *last = class;
  class->visit = walk;
  class->queued = NULL;
  for (; class; class = class->queued) {
    if (test(user, class))
      return true;
    last = queue_targets(class, last, walk);
  }
  return false;
}

/* The same within a walk, whose queue goes through the classes. */
static bool walk_apart(NbClass *class, NbClassTest test, void *user) {
  NbArena *arena = nb_arena_new();
  NbMap *met = nb_map_new(arena);
  bool found = false;
  nb_map_set(met, class, class);
  for (unsigned i = 0; i < nb_map_count(met) && !found; i++) {
    class = (NbClass *)nb_map_key(met, i);
    found = test(user, class);
    for (unsigned k = 0; k < class->field_count; k++) {
      NbClass *target = pointed(&class->fields[k]);
      if (target && !nb_map_has(met, target))
        nb_map_set(met, target, target);
    }
  }
  nb_arena_free(arena);
  return found;
}

bool nb_class_walk(NbClass *class, NbClassTest test, void *user) {
  class = nb_class_find(class);
  NbObjects *graph = class->graph;
  if (graph->walking)
    return walk_apart(class, test, user);
  graph->walking = true;
  bool found = walk_queue(class, test, user);
  graph->walking = false;
  return found;
}

bool nb_class_is_external(NbClass *class) {
  return (nb_class_find(class)->flags & NB_CLASS_EXTERNAL) != 0;
}

uint64_t nb_class_parameters(NbClass *class) { return nb_class_find(class)->parameters; }

unsigned nb_class_number(NbClass *class) { return nb_class_find(class)->number; }

static const char *member_kind(LLVMValueRef member) {
  if (LLVMIsAArgument(member))
    return "param";
  if (LLVMIsAGlobalVariable(member))
    return "global";
  return LLVMIsAAllocaInst(member) ? "local" : "call";
}

char *nb_class_describe(NbArena *arena, NbClass *class) {
  class = nb_class_find(class);
  const char *text = "{";
  for (unsigned i = 0; i < nb_class_member_count(class); i++) {
    LLVMValueRef member = nb_class_member(class, i);
    LLVMValueRef named = nb_is_call(member) ? nb_callee(member) : member;
    text = nb_arena_print(arena, "%s%s%s %s", text, i ? ", " : "", member_kind(member),
                          named ? nb_name(named) : "?");
  }
  return nb_arena_print(arena, "%s%s}", text, class->flags & NB_CLASS_UNKNOWN ? " unknown" : "");
}
