// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The layout of the tape. */
#include "plan/plan.h"

#include "objects/graph.h"
#include "plan/branches.h"
#include "plan/guards.h"
#include "types/facts.h"

#include <stdio.h>

enum { TAPE_ALIGNMENT = 8, STACK_POINTERS = 3, MOST_BITS = 4, MOST_VALUES = 64 };

typedef struct Fields {
  NbPlan *plan;
  NbList types;
  NbMap *decisions; /* that the reverse sweep asks for where control joins -> NbWorkBlock */
} Fields;

static unsigned add_field(Fields *fields, LLVMTypeRef type) {
  nb_list_push(&fields->types, type);
  return fields->types.count - 1;
}

/* Is the pointer one for sure, and not the bits of something else that is moved as a pointer? */
static bool is_address(NbContext *context, LLVMValueRef pointer) {
  for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAPtrToIntInst(user) && !nb_address_stays_number(context, user))
      return false;
  }
  return !nb_value_is_moved(pointer);
}

/* Is a value of the type, stored for itself or for `value`, an integer or a pointer, and no more?
 */
static bool is_plain(const NbLinear *linear, LLVMTypeRef type, LLVMValueRef value) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kind != LLVMIntegerTypeKind)
    return kind == LLVMPointerTypeKind && (!value || is_address(linear->work->context, value));
  return !value || LLVMGetIntTypeWidth(type) == 1 || nb_integer_is_number(value) ||
         nb_types_made_of_numbers(linear->types, value);
}

static NbSlot *add_slot(Fields *fields, LLVMTypeRef type, NbWorkLoop *loop, bool bit) {
  NbPlan *plan = fields->plan;
  NbContext *context = plan->linear->work->context;
  NbSlot *slot = NB_NEW(context->arena, NbSlot);
  *slot =
      (NbSlot){.type = type, .bit = bit, .loop = loop, .plain = is_plain(plan->linear, type, NULL)};
  slot->size = LLVMABISizeOfType(context->layout, type);
  if (!loop) {
    slot->field = add_field(fields, type);
    return slot;
  }
  NbRoom *room = &plan->storage[loop->index].rooms[bit];
  slot->next = room->slots;
  room->slots = slot;
  return slot;
}

bool nb_plan_stores(const NbStorage *storage) {
  return storage->rooms[false].slots || storage->rooms[true].slots;
}

/* The bits of a decision between so many ways. */
static unsigned bits_of(unsigned ways) {
  unsigned bits = 1;
  while (ways > 1u << bits)
    bits++;
  return bits;
}

/* Is the value computed from what an earlier iteration of the loop left? Then the loop that
 * computes it does not become one of vectors. */
static bool is_carried(const NbWork *work, LLVMValueRef value, const NbWorkLoop *loop) {
  NbMap *reached = nb_map_new(work->context->arena);
  nb_map_set(reached, value, value);
  for (unsigned i = 0; i < nb_map_count(reached) && i < MOST_VALUES; i++) {
    LLVMValueRef inst = (LLVMValueRef)nb_map_key(reached, i);
    if (!LLVMIsAInstruction(inst) || nb_work_block_of(work, inst)->loop != loop)
      continue;
    bool header = LLVMGetInstructionParent(inst) == loop->header;
    if (header && LLVMIsAPHINode(inst) && inst != loop->counter)
      return true;
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(inst); k++)
      if (LLVMIsAInstruction(LLVMGetOperand(inst, k)))
        nb_map_set(reached, LLVMGetOperand(inst, k), inst);
  }
  return false;
}

/* In how many bits the value is kept; 0: in whole bytes, as what would take many words. What only
 * chooses between values stays a byte where the loop may become one of vectors. */
static unsigned takes_bits(const Fields *fields, LLVMValueRef value, const NbWorkLoop *loop) {
  const NbWork *work = fields->plan->linear->work;
  const NbWorkBlock *block = nb_map_get(fields->decisions, value);
  LLVMTypeRef bit = LLVMInt1TypeInContext(work->context->llvm);
  if (!loop || nb_without(work->context, NB_OPTIMISATION_BITS))
    return 0;
  if (LLVMTypeOf(value) != bit)
    return block && bits_of(block->count) <= MOST_BITS ? bits_of(block->count) : 0;
  return block || !loop->trips || !nb_work_is_innermost(work, loop) ||
         is_carried(work, value, loop);
}

/* Room for the bits of a value behind the first. */
static void add_bits(Fields *fields, NbSlot *first) {
  NbSlot *last = first;
  for (unsigned i = 1; i < first->bits; i++) {
    last->more = add_slot(fields, first->type, first->loop, true);
    last = last->more;
    last->plain = true;
  }
}

static void add_residual(Fields *fields, LLVMTypeRef type, LLVMValueRef inst,
                         const NbStatement *call) {
  NbPlan *plan = fields->plan;
  NbContext *context = plan->linear->work->context;
  NbWorkLoop *loop = nb_work_block_of(plan->linear->work, inst)->loop;
  unsigned bits = call ? 0 : takes_bits(fields, inst, loop);
  if (bits)
    type = LLVMInt64TypeInContext(context->llvm);
  NbSlot *slot = add_slot(fields, type, loop, bits > 0);
  slot->bits = bits;
  add_bits(fields, slot);
  slot->value = call ? NULL : inst;
  slot->call = call;
  slot->plain = bits || is_plain(plan->linear, type, inst);
  nb_map_set(plan->slots, call ? (const void *)call : (const void *)inst, slot);
  nb_list_push(&plan->residuals, slot);
}

/* Room for a stack array. The tape is aligned to 16 bytes at most: an array of that alignment is
 * one of vectors of that size, and one of a larger has room to be moved up to where it must begin.
 * It is an array always: behind one, tidy/tape.c knows, may stand where it ends. */
static LLVMTypeRef room_of(const NbContext *context, LLVMValueRef stack) {
  LLVMTypeRef type = LLVMGetAllocatedType(stack);
  LLVMTypeRef word = LLVMInt64TypeInContext(context->llvm);
  uint64_t count = LLVMConstIntGetZExtValue(LLVMGetOperand(stack, 0));
  uint64_t bytes = count * LLVMABISizeOfType(context->layout, type);
  unsigned alignment = LLVMGetAlignment(stack);
  if (alignment > NB_TAPE_ALIGNMENT)
    return LLVMArrayType2(word, (bytes + alignment + TAPE_ALIGNMENT - 1) / TAPE_ALIGNMENT);
  bool is_array = count == 1 && LLVMGetTypeKind(type) == LLVMArrayTypeKind;
  if (alignment <= LLVMABIAlignmentOfType(context->layout, type))
    return is_array ? type : LLVMArrayType2(type, count);
  LLVMTypeRef unit = LLVMIntTypeInContext(context->llvm, 8 * alignment);
  if (alignment > TAPE_ALIGNMENT)
    unit = LLVMVectorType(word, alignment / TAPE_ALIGNMENT);
  return LLVMArrayType2(unit, (bytes + alignment - 1) / alignment);
}

static void add_values(Fields *fields) {
  NbPlan *plan = fields->plan;
  for (unsigned i = 0; i < nb_map_count(plan->places); i++) {
    LLVMValueRef value = (LLVMValueRef)nb_map_key(plan->places, i);
    NbPlace place = nb_plan_place(plan, value);
    if (place == NB_PLACE_STORED)
      add_residual(fields, LLVMTypeOf(value), value, NULL);
    if (place == NB_PLACE_MEMORY) {
      uintptr_t field = add_field(fields, room_of(plan->linear->work->context, value));
      nb_map_set(plan->fields, value, (void *)(field + 1));
    }
  }
}

static void add_calls(Fields *fields) {
  NbPlan *plan = fields->plan;
  for (unsigned i = 0; i < plan->linear->work->block_count; i++)
    for (const NbStatement *statement = plan->linear->blocks[i].first; statement;
         statement = statement->next)
      if (statement->kind == NB_STATEMENT_CALL && statement->callee->tape && !statement->at_once)
        add_residual(fields, statement->callee->tape, statement->origin, statement);
}

/* --- Loops ---------------------------------------------------------------------------------- */

/* The outermost loop at whose entry the number of all instances is known. */
static NbWorkLoop *entry_loop(const NbPlan *plan, NbWorkLoop *loop) {
  NbWorkLoop *entry = loop;
  if (nb_without(plan->linear->work->context, NB_OPTIMISATION_NEST))
    return loop;
  while (entry->parent && entry->parent->trips && nb_guards_known(plan, loop, entry->parent, NULL))
    entry = entry->parent;
  return entry;
}

static unsigned alignment_of(const NbPlan *plan, const NbSlot *slot) {
  return LLVMABIAlignmentOfType(plan->linear->work->context->layout, slot->type);
}

/* Sorted by falling alignment, so that each array starts aligned behind the larger ones. */
static void sort_slots(const NbPlan *plan, NbRoom *room) {
  NbSlot *sorted = NULL;
  for (NbSlot *slot = room->slots, *next; slot; slot = next) {
    next = slot->next;
    NbSlot **place = &sorted;
    while (*place && alignment_of(plan, *place) > alignment_of(plan, slot))
      place = &(*place)->next;
    slot->next = *place;
    *place = slot;
  }
  room->slots = sorted;
}

/* --- Places that several slots share -------------------------------------------------------- */

/* Where the values of slots stand that are never of the same iteration. */
typedef struct Place {
  const NbSlot *first;
  NbList values; /* of all of them */
  struct Place *next;
} Place;

/* Where slots of a block have looked already: what has no room for one has none for the next. */
typedef struct Search {
  LLVMTypeRef type;
  bool plain;
  Place *last; /* NULL: nowhere */
  struct Search *next;
} Search;

typedef struct Places {
  const NbWork *work;
  NbBranches *branches;
  NbMap *searches; /* block -> Search, those of one type each */
  Place *first, *last;
} Places;

static Search *search_of(Places *places, const NbSlot *slot) {
  const NbWorkBlock *block = nb_work_block_of(places->work, slot->value);
  Search *known = nb_map_get(places->searches, block), *search = known;
  while (search && (search->type != slot->type || search->plain != slot->plain))
    search = search->next;
  if (search)
    return search;
  search = NB_NEW(places->work->context->arena, Search);
  *search = (Search){slot->type, slot->plain, NULL, known};
  nb_map_set(places->searches, block, search);
  return search;
}

static bool has_room(const Places *places, const Place *place, const NbSlot *slot) {
  const NbSlot *first = place->first;
  bool free = first->type == slot->type && first->plain == slot->plain && first->value;
  for (unsigned i = 0; free && i < place->values.count; i++)
    free = nb_branches_exclude(places->branches, place->values.items[i], slot->value);
  return free;
}

/* The first place where the slot may stand: none of those that stand there is of the same
 * iteration. NULL: none. */
static Place *shared_place(Places *places, const NbSlot *slot) {
  Search *search = search_of(places, slot);
  Place *place = search->last ? search->last->next : places->first;
  for (; place && !has_room(places, place, slot); place = place->next)
    search->last = place;
  return place;
}

static void add_place(Places *places, const NbSlot *slot) {
  NbArena *arena = places->work->context->arena;
  Place *place = NB_NEW(arena, Place);
  *place = (Place){slot, nb_list(arena), NULL};
  *(places->last ? &places->last->next : &places->first) = place;
  places->last = place;
  if (slot->value)
    nb_list_push(&place->values, slot->value);
}

/* Does the slot stand where others do? Else it gets a place of its own at `offset`. */
static bool shares_place(Places *places, NbSlot *slot, uint64_t offset) {
  Place *place = slot->value && !slot->bit ? shared_place(places, slot) : NULL;
  slot->offset = place ? place->first->offset : offset;
  if (place)
    nb_list_push(&place->values, slot->value);
  else
    add_place(places, slot);
  return place != NULL;
}

/* In a derivative that is differentiated again it is to be seen, by how far apart they lie, which
 * slots hold which pointers. */
static bool interleaves(const NbPlan *plan, const NbRoom *room) {
  const NbSlot *slot = room->slots;
  while (slot && LLVMGetTypeKind(slot->type) != LLVMPointerTypeKind)
    slot = slot->next;
  return slot && plan->linear->work->context->nests;
}

/* Arrays lie one behind the other, records too, which must be aligned each. */
static void place_slots(const NbPlan *plan, NbBranches *branches, NbRoom *room, bool known) {
  if (!room->slots)
    return;
  sort_slots(plan, room);
  uint64_t offset = 0;
  const NbWork *work = plan->linear->work;
  bool alone = nb_without(work->context, NB_OPTIMISATION_ROOM);
  Places places = {work, branches, nb_map_new(work->context->arena), NULL, NULL};
  for (NbSlot *slot = room->slots; slot; slot = slot->next) {
    slot->offset = offset;
    if (alone || !shares_place(&places, slot, offset))
      offset += slot->size;
  }
  room->interleaved = known && interleaves(plan, room);
  const bool columns = known && !room->interleaved;
  unsigned unit = columns ? 1 : TAPE_ALIGNMENT;
  if (!columns && alignment_of(plan, room->slots) > unit)
    unit = NB_TAPE_ALIGNMENT;
  room->size = (offset + unit - 1) / unit * unit;
}

static LLVMTypeRef stack_type(const NbContext *context) {
  return LLVMArrayType2(LLVMPointerTypeInContext(context->llvm, 0), STACK_POINTERS);
}

static void lay_out_loop(Fields *fields, NbBranches *branches, NbWorkLoop *loop) {
  NbPlan *plan = fields->plan;
  NbStorage *storage = &plan->storage[loop->index];
  LLVMContextRef llvm = plan->linear->work->context->llvm;
  LLVMTypeRef pointer = LLVMPointerTypeInContext(llvm, 0);
  if (!nb_plan_stores(storage))
    return;
  storage->known = loop->trips != NULL;
  storage->stacked = true;
  if (storage->known) {
    storage->entry = entry_loop(plan, loop);
    storage->stacked = storage->entry->parent != NULL;
    storage->total = add_slot(fields, LLVMInt64TypeInContext(llvm), storage->entry->parent, false);
  }
  for (unsigned i = 0; i < NB_ROOMS; i++) {
    NbRoom *room = &storage->rooms[i];
    place_slots(plan, branches, room, storage->known);
    if (room->slots && storage->stacked)
      room->stack_field = add_field(fields, stack_type(plan->linear->work->context));
    else if (room->slots)
      room->arrays = add_slot(fields, pointer, NULL, false);
  }
}

static bool makes_copies_in_loops(const NbPlan *plan) {
  for (unsigned i = 0; i < plan->linear->work->block_count; i++)
    for (const NbStatement *statement = plan->linear->blocks[i].first; statement;
         statement = statement->next)
      if (statement->stacked)
        return true;
  return false;
}

static NbMap *find_decisions(const NbPlan *plan) {
  const NbWork *work = plan->linear->work;
  NbMap *decisions = nb_map_new(work->context->arena);
  for (unsigned i = 0; i < work->block_count; i++)
    if (work->blocks[i].decision)
      nb_map_set(decisions, work->blocks[i].decision, &work->blocks[i]);
  return decisions;
}

void nb_plan_layout(NbPlan *plan) {
  const NbWork *work = plan->linear->work;
  NbArena *arena = work->context->arena;
  plan->storage = NB_NEW_ARRAY(arena, NbStorage, work->loop_count + 1);
  Fields fields = {plan, nb_list(arena), find_decisions(plan)};
  NbBranches *branches = nb_branches_new(work);
  add_values(&fields);
  add_calls(&fields);
  for (unsigned i = work->loop_count; i-- > 0;)
    lay_out_loop(&fields, branches, &work->loops[i]);
  if (makes_copies_in_loops(plan))
    plan->copies = 1 + add_field(&fields, stack_type(work->context));
  if (fields.types.count)
    plan->tape = LLVMStructTypeInContext(work->context->llvm, (LLVMTypeRef *)fields.types.items,
                                         fields.types.count, false);
}

/* --- Printing ------------------------------------------------------------------------------- */

static void print_slot(const NbPlan *plan, const NbSlot *slot) {
  char *type = LLVMPrintTypeToString(slot->type);
  const NbContext *context = plan->linear->work->context;
  const char *name = slot->call    ? "a callee's tape"
                     : slot->value ? nb_linear_show(context, slot->value)
                                   : "arrays";
  const char *loop =
      slot->loop ? nb_name(LLVMBasicBlockAsValue(slot->loop->header)) : "the function";
  bool known = slot->loop && plan->storage[slot->loop->index].known;
  if (slot->bits > 1)
    fprintf(stderr, "  store %u bits", slot->bits);
  else
    fprintf(stderr, "  store %s", slot->bits ? "bit" : type);
  fprintf(stderr, " %s in %s%s\n", name,
          !slot->loop ? ""
          : known     ? "arrays of "
                      : "records of ",
          loop);
  LLVMDisposeMessage(type);
}

static void print_order(const NbPlan *plan) {
  const NbWork *work = plan->linear->work;
  for (unsigned i = 0; i < work->loop_count; i++)
    if (plan->upward[i])
      fprintf(stderr, "  upward %s\n", nb_name(LLVMBasicBlockAsValue(work->loops[i].header)));
}

void nb_plan_print(const NbPlan *plan) {
  const NbContext *context = plan->linear->work->context;
  fprintf(stderr, "plan @%s\n", nb_name(plan->linear->work->request->function));
  print_order(plan);
  for (unsigned i = 0; i < plan->residuals.count; i++)
    print_slot(plan, plan->residuals.items[i]);
  for (unsigned i = 0; i < nb_map_count(plan->places); i++) {
    LLVMValueRef value = (LLVMValueRef)nb_map_key(plan->places, i);
    NbPlace place = nb_plan_place(plan, value);
    if (place == NB_PLACE_RECOMPUTE)
      fprintf(stderr, "  recompute %s\n", nb_linear_show(context, value));
    if (place == NB_PLACE_MEMORY)
      fprintf(stderr, "  keep %s\n", nb_linear_show(context, value));
  }
}
