// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Where objects begin, by a unification of pointers that keeps their distance: union-find with
 * offsets, with members of memory at their offsets (after Steensgaard, 1996, as objects.h has it).
 * Indices that vary count as 0, or as the least of constants, and of two distances the first that
 * is met counts: what comes of it is a choice, and no fact. */
#include "objects/origins.h"

#include "objects/path.h"
#include "objects/places.h"

#include <stdlib.h>

enum {
  MOST_MEMBERS = 64,
  MOST_STEPS = 100000,
  MOST_ACCESSES = 16,
  MOST_OBJECTS = 256,
  MOST_BOUND = 8
};

typedef struct Cell Cell;

/* An offset in a cell. */
typedef struct Spot {
  Cell *cell;
  int64_t offset;
} Spot;

/* The pointer in memory at the offset leads to the target. */
typedef struct Content {
  int64_t offset;
  Spot target;
  struct Content *next;
} Content;

/* Objects that some pointer may lead to. */
struct Cell {
  Spot parent; /* where offset 0 is in it; of no cell where this one represents */
  Content *contents;
  unsigned content_count;
  unsigned found;   /* the number of the first pointer in memory that leads here; 0: none */
  int64_t found_at; /* where that leads */
};

/* An object, or the class of a callee's with memory that it allocates. */
typedef struct Object {
  LLVMValueRef value;
  NbClass *theirs;
  Spot start;
  bool fixed; /* it begins at 0 */
} Object;

/* A call of a function with a body. */
typedef struct Handed {
  LLVMValueRef call, callee;
  int64_t distance; /* of the arguments from what they are computed from, all together */
  unsigned order;
} Handed;

/* Bytes that are copied. */
typedef struct Copy {
  Spot to, from;
  int64_t bytes;
} Copy;

struct NbOrigins {
  NbMap *objects; /* to int64_t */
  NbMap *bound;   /* by call: by the callee's class to int64_t */
  NbMap *loaded;  /* where pointers from memory seem to lead, by load, to int64_t */
};

/* What is loaded or stored at an offset from a pointer. */
typedef struct Access {
  int64_t offset;
  LLVMTypeRef type;
  Spot target; /* of a pointer; else of no cell */
} Access;

typedef struct Finder {
  NbContext *context;
  NbArena *arena;
  NbMap *spots, *results, *group;
  NbMap *accesses; /* NbList of Access, by the pointer that the address is computed from */
  NbList objects, copies, open; /* open: pairs of spots that are to be one */
  NbList handed;
  unsigned found, steps;
} Finder;

/* --- Cells. ----------------------------------------------------------------------------------- */

static Spot new_spot(const Finder *finder) { return (Spot){NB_NEW(finder->arena, Cell), 0}; }

static Spot find(Spot spot) {
  while (spot.cell->parent.cell) {
    spot.offset += spot.cell->parent.offset;
    spot.cell = spot.cell->parent.cell;
  }
  return spot;
}

static Spot moved(Spot spot, int64_t distance) {
  spot.offset += distance;
  return spot;
}

static void push(Finder *finder, Spot a, Spot b) {
  Spot *pair = NB_NEW_ARRAY(finder->arena, Spot, 2);
  pair[0] = a;
  pair[1] = b;
  nb_list_push(&finder->open, pair);
}

static Content *content_at(const Cell *cell, int64_t offset) {
  Content *content = cell->contents;
  while (content && content->offset != offset)
    content = content->next;
  return content;
}

static void add_content(Finder *finder, Cell *cell, int64_t offset, Spot target) {
  Content *content = NB_NEW(finder->arena, Content);
  *content = (Content){offset, target, cell->contents};
  cell->contents = content;
  cell->content_count++;
}

/* Makes `b` part of `a`, which both represent, with its offset 0 at `shift`. */
static void join(Finder *finder, Cell *a, Cell *b, int64_t shift) {
  b->parent = (Spot){a, shift};
  if (b->found && (!a->found || b->found < a->found)) {
    a->found = b->found;
    a->found_at = b->found_at + shift;
  }
  for (Content *content = b->contents; content; content = content->next) {
    Content *old = content_at(a, content->offset + shift);
    if (old)
      push(finder, old->target, content->target);
    else
      add_content(finder, a, content->offset + shift, content->target);
  }
}

static void unify(Finder *finder, Spot first, Spot second) {
  push(finder, first, second);
  while (finder->open.count) {
    const Spot *pair = finder->open.items[--finder->open.count];
    Spot a = find(pair[0]), b = find(pair[1]);
    if (a.cell == b.cell || finder->steps++ > MOST_STEPS)
      continue;
    if (a.cell->content_count >= b.cell->content_count)
      join(finder, a.cell, b.cell, a.offset - b.offset);
    else
      join(finder, b.cell, a.cell, b.offset - a.offset);
  }
}

/* Where the pointer that lies at the spot leads to. */
static Spot load(Finder *finder, Spot spot) {
  spot = find(spot);
  Content *old = content_at(spot.cell, spot.offset);
  if (old)
    return old->target;
  Spot target = new_spot(finder);
  target.cell->found = ++finder->found;
  if (spot.cell->content_count < MOST_MEMBERS)
    add_content(finder, spot.cell, spot.offset, target);
  return target;
}

/* --- Values. ---------------------------------------------------------------------------------- */

static void add_object(Finder *finder, LLVMValueRef value, NbClass *theirs, Spot start) {
  Object *object = NB_NEW(finder->arena, Object);
  *object = (Object){value, theirs, start, LLVMIsAConstant(value) != NULL};
  nb_list_push(&finder->objects, object);
}

static Spot spot_of(Finder *finder, LLVMValueRef value) {
  Spot *known = nb_map_get(finder->spots, value);
  if (known)
    return *known;
  known = NB_NEW(finder->arena, Spot);
  if (nb_path_steps(value)) {
    NbPath path = nb_path_of(finder->context, value);
    *known = path.root == value ? new_spot(finder)
                                : moved(spot_of(finder, path.root), path.offset + path.least);
  } else {
    *known = new_spot(finder);
  }
  nb_map_set(finder->spots, value, known);
  if (LLVMIsAGlobalVariable(value) || LLVMIsAAllocaInst(value) || LLVMIsAArgument(value))
    add_object(finder, value, NULL, *known);
  return *known;
}

static bool carries(LLVMValueRef value) {
  return nb_type_has_pointer(LLVMTypeOf(value)) && !nb_leads_nowhere(value);
}

static void same(Finder *finder, LLVMValueRef a, LLVMValueRef b) {
  if (carries(a) && carries(b))
    unify(finder, spot_of(finder, a), spot_of(finder, b));
}

static void visit_moves(Finder *finder, LLVMValueRef instruction) {
  for (int i = 0; i < LLVMGetNumOperands(instruction); i++)
    same(finder, instruction, LLVMGetOperand(instruction, (unsigned)i));
}

/* --- Calls. ----------------------------------------------------------------------------------- */

static void visit_row(Finder *finder, LLVMValueRef call, const NbRule *rule) {
  unsigned count = LLVMGetNumArgOperands(call);
  unsigned same_as = rule->kind == NB_RULE_RESIZE ? rule->operands[0] : rule->returns;
  if (same_as < count)
    same(finder, call, LLVMGetOperand(call, same_as));
  else if (carries(call))
    add_object(finder, call, NULL, spot_of(finder, call));
}

static void visit_copy(Finder *finder, LLVMValueRef call, const NbCall *what) {
  same(finder, call, what->to);
  if (!LLVMIsAConstantInt(what->bytes) || nb_leads_nowhere(what->to) ||
      nb_leads_nowhere(what->from))
    return;
  Copy *copy = NB_NEW(finder->arena, Copy);
  *copy = (Copy){spot_of(finder, what->to), spot_of(finder, what->from),
                 (int64_t)LLVMConstIntGetZExtValue(what->bytes)};
  nb_list_push(&finder->copies, copy);
}

static void move_contents(Finder *finder, Spot to, Spot from, int64_t bytes) {
  from = find(from);
  for (Content *content = from.cell->contents; content; content = content->next) {
    int64_t inside = content->offset - from.offset;
    if (inside >= 0 && inside < bytes)
      unify(finder, load(finder, moved(to, inside)), content->target);
  }
}

static void visit_recursion(Finder *finder, LLVMValueRef call, LLVMValueRef callee) {
  unsigned count = LLVMCountParams(callee);
  for (unsigned i = 0; i < count && i < LLVMGetNumArgOperands(call); i++)
    same(finder, LLVMGetParam(callee, i), LLVMGetOperand(call, i));
  if (carries(call))
    unify(finder, spot_of(finder, call), *(Spot *)nb_map_get(finder->results, callee));
}

/* A call while the callee's graph is instantiated there: the spots of the origins of its classes,
 * and classes whose spots are to be made one with others, each with its spot behind it. */
typedef struct Bind {
  LLVMValueRef call;
  const NbObjects *group;
  NbMap *spots;
  NbList open;
} Bind;

static void push_bound(Finder *finder, Bind *bind, NbClass *theirs, Spot spot) {
  Spot *kept = NB_NEW(finder->arena, Spot);
  *kept = spot;
  nb_list_push(&bind->open, theirs);
  nb_list_push(&bind->open, kept);
}

/* How many offsets of the place are looked at, from the lowest on: all, where these are few. */
static unsigned members_of(const NbOffsets *place) {
  uint64_t step = nb_place_step(place);
  if (!step || place->high == INT64_MAX || place->high < place->low)
    return 1;
  uint64_t more = (uint64_t)(place->high - place->low) / step;
  return more < MOST_BOUND ? (unsigned)more + 1 : 1;
}

static void bind_contents(Finder *finder, Bind *bind, NbClass *theirs, Spot spot) {
  const NbPlaces *places = bind->group->places;
  for (unsigned i = 0; i < theirs->field_count; i++) {
    const NbField *field = &theirs->fields[i];
    NbClass *target = nb_class_find(field->target);
    NbOffsets view = nb_places_of_content(places, theirs, field);
    if (field->place.low == INT64_MIN || !nb_place_is_exact(&view))
      continue;
    for (unsigned k = 0; k < members_of(&field->place); k++) {
      int64_t offset = field->place.low + (int64_t)(k * nb_place_step(&field->place));
      Spot content = load(finder, moved(spot, offset));
      push_bound(finder, bind, target, moved(content, -view.base));
    }
  }
}

static void bind_class(Finder *finder, Bind *bind, NbClass *theirs, Spot spot) {
  push_bound(finder, bind, theirs, spot);
  while (bind->open.count) {
    Spot *known = bind->open.items[--bind->open.count];
    theirs = nb_class_find(bind->open.items[--bind->open.count]);
    const Spot *old = nb_map_get(bind->spots, theirs);
    if (old) {
      unify(finder, *old, *known);
      continue;
    }
    nb_map_set(bind->spots, theirs, known);
    if (theirs->flags & NB_CLASS_HEAP)
      add_object(finder, bind->call, theirs, *known);
    if (!(theirs->flags & (NB_CLASS_UNKNOWN | NB_CLASS_FUNCTION)))
      bind_contents(finder, bind, theirs, *known);
  }
}

/* Does memory that begins at the spot, as the callee's class does, lead to itself where that does?
 */
static bool leads_to_itself(const NbClass *theirs, Spot spot) {
  const Spot start = find(spot);
  for (unsigned i = 0; i < theirs->field_count; i++) {
    const NbField *field = &theirs->fields[i];
    const Content *content = content_at(start.cell, start.offset + field->place.low);
    const Spot target = content ? find(content->target) : (Spot){NULL, 0};
    if (nb_class_find(field->target) == theirs && target.cell == start.cell &&
        target.offset == start.offset)
      return true;
  }
  return false;
}

/* Where the callee's class begins whose parameter leads to one of several members: from the one
 * that the argument leads to, if memory there is known; else from the first. */
static Spot start_of(const Bind *bind, NbClass *theirs, LLVMValueRef parameter, Spot argument) {
  const int64_t origin = nb_origin_of(bind->group->origins, parameter);
  const NbOffsets view = nb_places_of(bind->group->places, parameter);
  for (unsigned k = 0; view.low != INT64_MIN && k < members_of(&view); k++) {
    Spot start = moved(argument, -view.low - (int64_t)(k * nb_place_step(&view)));
    if (leads_to_itself(theirs, start))
      return start;
  }
  return moved(argument, -origin);
}

static void visit_bound(Finder *finder, LLVMValueRef call, LLVMValueRef callee) {
  const NbObjects *group = nb_summary_of(finder->context, callee);
  Bind bind = {call, group, nb_map_new(finder->arena), nb_list(finder->arena)};
  for (unsigned i = 0; i < LLVMCountParams(callee) && i < LLVMGetNumArgOperands(call); i++) {
    LLVMValueRef parameter = LLVMGetParam(callee, i), argument = LLVMGetOperand(call, i);
    NbClass *theirs = nb_value_class_known((NbObjects *)group, parameter);
    if (theirs && carries(argument) && carries(parameter))
      bind_class(finder, &bind, theirs,
                 start_of(&bind, theirs, parameter, spot_of(finder, argument)));
  }
  const NbOffsets *place = nb_map_get(group->places->returns, callee);
  NbClass *result = nb_map_get(group->results, callee);
  if (carries(call) && place && nb_place_is_exact(place))
    bind_class(finder, &bind, result, moved(spot_of(finder, call), -place->base));
}

static void hand_over(Finder *finder, LLVMValueRef call, LLVMValueRef callee) {
  Handed *handed = NB_NEW(finder->arena, Handed);
  *handed = (Handed){call, callee, 0, finder->handed.count};
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
    LLVMValueRef argument = LLVMGetOperand(call, i);
    if (!carries(argument))
      continue;
    const NbPath path = nb_path_of(finder->context, argument);
    handed->distance += path.offset + path.least;
  }
  nb_list_push(&finder->handed, handed);
}

static int by_distance(const void *a, const void *b) {
  const Handed *first = *(Handed *const *)a, *second = *(Handed *const *)b;
  if (first->distance != second->distance)
    return first->distance < second->distance ? -1 : 1;
  return first->order < second->order ? -1 : first->order > second->order;
}

/* What is called for several members of a struct is taken to be called for the first of them, in
 * each group. */
static void visit_handed(Finder *finder) {
  if (finder->handed.count)
    qsort(finder->handed.items, finder->handed.count, sizeof *finder->handed.items, by_distance);
  for (unsigned i = 0; i < finder->handed.count; i++) {
    const Handed *handed = finder->handed.items[i];
    if (nb_map_has(finder->group, handed->callee))
      visit_recursion(finder, handed->call, handed->callee);
    else
      visit_bound(finder, handed->call, handed->callee);
  }
}

static void visit_call(Finder *finder, LLVMValueRef call) {
  NbCall what = nb_call_of(finder->context, call);
  if (what.kind == NB_CALL_COPY)
    visit_copy(finder, call, &what);
  else if (what.kind == NB_CALL_FILL)
    same(finder, call, what.to);
  else if (what.kind == NB_CALL_ROW)
    visit_row(finder, call, what.rule);
  else if (what.kind == NB_CALL_BODY)
    hand_over(finder, call, what.callee);
}

/* --- Instructions. ---------------------------------------------------------------------------- */

static void visit_return(Finder *finder, LLVMValueRef function, LLVMValueRef instruction) {
  LLVMValueRef value = LLVMGetNumOperands(instruction) ? LLVMGetOperand(instruction, 0) : NULL;
  if (value && carries(value))
    unify(finder, spot_of(finder, value), *(Spot *)nb_map_get(finder->results, function));
}

/* Those by constants alone, a few from each pointer. */
static void note_access(Finder *finder, LLVMValueRef pointer, LLVMValueRef value) {
  const NbPath path = nb_path_of(finder->context, pointer);
  if (path.failed || path.count)
    return;
  NbList *list = nb_map_get(finder->accesses, path.root);
  if (!list) {
    list = NB_NEW(finder->arena, NbList);
    *list = nb_list(finder->arena);
    nb_map_set(finder->accesses, path.root, list);
  }
  Access *access = NB_NEW(finder->arena, Access);
  *access = (Access){path.offset, LLVMTypeOf(value), {NULL, 0}};
  if (carries(value))
    access->target = spot_of(finder, value);
  for (unsigned i = 0; i < list->count; i++) {
    const Access *other = list->items[i];
    if (other->offset == access->offset && other->type == access->type &&
        other->target.cell == access->target.cell)
      return;
  }
  if (list->count < MOST_ACCESSES)
    nb_list_push(list, access);
}

static void visit_access(Finder *finder, LLVMValueRef pointer, LLVMValueRef value) {
  if (!LLVMIsNull(value))
    note_access(finder, pointer, value);
  if (carries(value) && !nb_leads_nowhere(pointer))
    unify(finder, load(finder, spot_of(finder, pointer)), spot_of(finder, value));
}

static void visit(Finder *finder, LLVMValueRef function, LLVMValueRef instruction) {
  switch (LLVMGetInstructionOpcode(instruction)) {
  case LLVMAlloca:
    spot_of(finder, instruction);
    return;
  case LLVMLoad:
    visit_access(finder, LLVMGetOperand(instruction, 0), instruction);
    return;
  case LLVMStore:
    visit_access(finder, LLVMGetOperand(instruction, 1), LLVMGetOperand(instruction, 0));
    return;
  case LLVMCall:
  case LLVMInvoke:
    visit_call(finder, instruction);
    return;
  case LLVMRet:
    visit_return(finder, function, instruction);
    return;
  case LLVMPHI:
  case LLVMSelect:
  case LLVMFreeze:
  case LLVMExtractValue:
  case LLVMInsertValue:
    visit_moves(finder, instruction);
    return;
  default:
    return;
  }
}

static void visit_all(Finder *finder, LLVMValueRef function) {
  for (unsigned i = 0; i < LLVMCountParams(function); i++)
    if (carries(LLVMGetParam(function, i)))
      spot_of(finder, LLVMGetParam(function, i));
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at))
    visit(finder, function, at);
}

/* --- The choice. ------------------------------------------------------------------------------ */

/* How many pointers in memory of the cell lead to the offset in it. */
static unsigned links_to(const Cell *cell, int64_t offset) {
  unsigned count = 0;
  for (const Content *content = cell->contents; content; content = content->next) {
    const Spot target = find(content->target);
    count += target.cell == cell && target.offset == offset;
  }
  return count;
}

/* Where the first pointer in memory leads to that leads to the cell; where most of those lead that
 * lie in it, as links of nodes do, if that one is none of them. */
static int64_t first_found(const Cell *cell) {
  int64_t at = cell->found_at;
  unsigned most = 0;
  for (const Content *content = cell->contents; content; content = content->next) {
    const Spot target = find(content->target);
    unsigned count = target.cell == cell ? links_to(cell, target.offset) : 0;
    at = count > most ? target.offset : at;
    most = count > most ? count : most;
  }
  return links_to(cell, cell->found_at) ? cell->found_at : at;
}

/* Where a cell has its offset 0 in the class: where the first pointer in memory leads to that leads
 * to it, or at the start of what begins there; at the start of each object where these agree. */
typedef struct Zero {
  int64_t at, found; /* found: see first_found */
  bool apart;        /* not all objects begin there */
  bool fixed;
} Zero;

static void choose(Finder *finder, NbMap *zeros, const Object *object) {
  Spot start = find(object->start);
  Zero *zero = nb_map_get(zeros, start.cell);
  if (!zero) {
    zero = NB_NEW(finder->arena, Zero);
    *zero = (Zero){start.offset, first_found(start.cell), false, object->fixed};
    nb_map_set(zeros, start.cell, zero);
    bool outside = LLVMIsAArgument(object->value) != NULL;
    zero->apart = outside && start.cell->found && zero->found != start.offset;
    return;
  }
  zero->apart |= zero->at != start.offset;
  if (object->fixed && !zero->fixed) {
    zero->at = start.offset;
    zero->fixed = true;
  }
}

static void set(const Finder *finder, NbMap *map, const void *key, int64_t origin) {
  int64_t *kept = NB_NEW(finder->arena, int64_t);
  *kept = origin;
  nb_map_set(map, key, kept);
}

/* Where the spot is in its class; 0 where all objects of this begin at one place. */
static int64_t place_of(const NbMap *zeros, Spot spot) {
  spot = find(spot);
  const Zero *zero = nb_map_get(zeros, spot.cell);
  bool found = zero && !zero->fixed && spot.cell->found;
  return zero && zero->apart ? spot.offset - (found ? zero->found : zero->at) : 0;
}

static int64_t origin_of(const NbMap *zeros, const Object *object) {
  return place_of(zeros, object->start);
}

/* Is the same accessed, in two objects of the cell? A pointer to such an object is not the same as
 * one to something else. */
static bool same_access(const Cell *cell, const Access *a, const Access *b) {
  bool first = a->target.cell && find(a->target).cell == cell;
  bool second = b->target.cell && find(b->target).cell == cell;
  return a->type == b->type && first == second;
}

/* How many accesses are the same in both where they meet if the first of two objects begins at
 * `at` in the other; how many are not. */
typedef struct Tally {
  unsigned same, other;
} Tally;

static Tally compare(const Cell *cell, const NbList *first, const NbList *second, int64_t at) {
  Tally tally = {0, 0};
  for (unsigned i = 0; i < first->count; i++) {
    for (unsigned k = 0; k < second->count; k++) {
      const Access *a = first->items[i], *b = second->items[k];
      bool meet = a->offset + at == b->offset;
      tally.same += meet && same_access(cell, a, b);
      tally.other += meet && !same_access(cell, a, b);
    }
  }
  return tally;
}

/* Do the two look like objects of one type, and not as if one began at `at` in the other? */
static bool are_alike(const Finder *finder, const Cell *cell, LLVMValueRef one, LLVMValueRef other,
                      int64_t at) {
  const NbList *first = nb_map_get(finder->accesses, one);
  const NbList *second = nb_map_get(finder->accesses, other);
  if (!first || !second)
    return false;
  const Tally together = compare(cell, first, second, 0);
  uint64_t bytes = nb_object_bytes(finder->context, one);
  bool sized = bytes != NB_UNKNOWN_SIZE && bytes == nb_object_bytes(finder->context, other);
  return together.same && !together.other && (sized || compare(cell, first, second, at).other);
}

/* Does the object, which seems to begin at `origin`, begin where one that is like it does? The root
 * of a tree, whose first child is found as the next one of others is, is a node as these are. */
static bool begins_as_others(const Finder *finder, const NbMap *zeros, const Object *object,
                             int64_t origin) {
  const Cell *cell = find(object->start).cell;
  for (unsigned i = 0; i < finder->objects.count && i < MOST_OBJECTS && !object->theirs; i++) {
    const Object *other = finder->objects.items[i];
    if (!other->theirs && find(other->start).cell == cell && !origin_of(zeros, other) &&
        are_alike(finder, cell, object->value, other->value, origin))
      return true;
  }
  return false;
}

static void note(const Finder *finder, NbOrigins *origins, const NbMap *zeros,
                 const Object *object) {
  int64_t origin = origin_of(zeros, object);
  if (!origin || begins_as_others(finder, zeros, object, origin))
    return;
  if (!object->theirs) {
    set(finder, origins->objects, object->value, origin);
    return;
  }
  NbMap *bound = nb_map_get(origins->bound, object->value);
  if (!bound) {
    bound = nb_map_new(finder->arena);
    nb_map_set(origins->bound, object->value, bound);
  }
  set(finder, bound, object->theirs, origin);
}

static void note_loaded(const Finder *finder, NbOrigins *origins, const NbMap *zeros) {
  for (unsigned i = 0; i < nb_map_count(finder->spots); i++) {
    LLVMValueRef value = (LLVMValueRef)nb_map_key(finder->spots, i);
    int64_t place = place_of(zeros, *(const Spot *)nb_map_get(finder->spots, value));
    if (place && LLVMIsALoadInst(value))
      set(finder, origins->loaded, value, place);
  }
}

NbOrigins *nb_origins_find(NbContext *context, NbArena *arena, NbList functions) {
  Finder finder = {.context = context, .arena = arena};
  finder.spots = nb_map_new(arena);
  finder.results = nb_map_new(arena);
  finder.group = nb_map_new(arena);
  finder.accesses = nb_map_new(arena);
  finder.objects = finder.copies = finder.open = finder.handed = nb_list(arena);
  for (unsigned i = 0; i < functions.count; i++) {
    Spot *result = NB_NEW(arena, Spot);
    *result = new_spot(&finder);
    nb_map_set(finder.results, functions.items[i], result);
    nb_map_set(finder.group, functions.items[i], functions.items[i]);
  }
  for (unsigned i = 0; i < functions.count; i++)
    visit_all(&finder, functions.items[i]);
  visit_handed(&finder);
  for (unsigned i = 0; i < 2 * finder.copies.count; i++) {
    const Copy *copy = finder.copies.items[i / 2];
    move_contents(&finder, i % 2 ? copy->from : copy->to, i % 2 ? copy->to : copy->from,
                  copy->bytes);
  }
  NbOrigins *origins = NB_NEW(arena, NbOrigins);
  *origins = (NbOrigins){nb_map_new(arena), nb_map_new(arena), nb_map_new(arena)};
  NbMap *zeros = nb_map_new(arena);
  for (unsigned i = 0; i < finder.objects.count; i++)
    choose(&finder, zeros, finder.objects.items[i]);
  for (unsigned i = 0; i < finder.objects.count; i++)
    note(&finder, origins, zeros, finder.objects.items[i]);
  note_loaded(&finder, origins, zeros);
  return origins;
}

bool nb_origins_differ(const NbOrigins *origins) {
  return nb_map_count(origins->objects) || nb_map_count(origins->bound);
}

int64_t nb_origin_of(const NbOrigins *origins, LLVMValueRef object) {
  const int64_t *origin = origins ? nb_map_get(origins->objects, object) : NULL;
  return origin ? *origin : 0;
}

int64_t nb_origin_of_loaded(const NbOrigins *origins, LLVMValueRef load) {
  const int64_t *place = origins ? nb_map_get(origins->loaded, load) : NULL;
  return place ? *place : 0;
}

int64_t nb_origin_of_bound(const NbOrigins *origins, LLVMValueRef call, const NbClass *theirs) {
  NbMap *bound = origins ? nb_map_get(origins->bound, call) : NULL;
  const int64_t *origin = bound ? nb_map_get(bound, theirs) : NULL;
  return origin ? *origin : 0;
}

NbOffsets nb_origin_of_allocated(const NbObjects *group, LLVMValueRef call, NbClass *class) {
  const NbBinding *binding = nb_map_get(group->bindings, call);
  NbOffsets origin = nb_place_at(nb_origin_of(group->origins, call));
  bool first = true;
  for (unsigned i = 0; binding && i < nb_map_count(binding->classes); i++) {
    NbClass *theirs = nb_class_find((NbClass *)nb_map_key(binding->classes, i));
    NbClass *ours = nb_class_find(nb_map_get(binding->classes, theirs));
    if (ours != class || !(theirs->flags & NB_CLASS_HEAP))
      continue;
    NbOffsets one = nb_place_at(nb_origin_of_bound(group->origins, call, theirs));
    origin = first ? one : nb_place_join(origin, one);
    first = false;
  }
  return origin;
}
