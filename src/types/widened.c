// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Narrow integers that are only moved, where wider floats lie: loops that move a number by its
 * halves, which the optimiser unrolls. Neighbours are moved as one then, which says nothing of what
 * it is. */
#include "types/facts.h"

#include <llvm-c/DebugInfo.h>

enum { WORD_BITS = 64, MOST_MOVES = 64 };

typedef struct Widening {
  NbContext *context;
  LLVMValueRef function;
  NbArena *arena;
  NbTypes *types; /* of the function; NULL until asked for */
  LLVMBuilderRef builder;
} Widening;

/* Is an integer used as such there, and not only moved? */
static bool is_used_as_integer(NbTypes *types, NbClass *class, const NbOffsets *place,
                               uint64_t size) {
  const NbFacts *integers = nb_facts_of_integers(types, class);
  for (unsigned i = 0; i < integers->count; i++) {
    const NbFact *fact = &integers->items[i];
    if (fact->kind == NB_KIND_INTEGER && !fact->passing &&
        nb_place_meets(&fact->place, fact->size, place, size))
      return true;
  }
  return integers->full;
}

bool nb_types_cuts_float(NbTypes *types, LLVMValueRef pointer, uint64_t size) {
  NbOffsets place = nb_places_of(types->places, pointer);
  NbClass *class = nb_value_class(types->objects, pointer);
  const NbFacts *facts = nb_facts_of(types, class);
  if (is_used_as_integer(types, class, &place, size))
    return false;
  for (unsigned i = 0; i < facts->count; i++) {
    const NbFact *fact = &facts->items[i];
    if (fact->kind == NB_KIND_FLOAT && fact->size > size && nb_fact_is_within(fact) &&
        nb_place_meets(&fact->place, fact->size, &place, size))
      return true;
  }
  return false;
}

static NbTypes *types_of(Widening *widening) {
  if (!widening->types) {
    NbObjects *objects = nb_objects_in(widening->context, widening->arena, widening->function);
    widening->types = nb_types_in(widening->context, widening->arena, objects);
  }
  return widening->types;
}

static void build_before(const Widening *widening, LLVMValueRef inst) {
  LLVMPositionBuilderBefore(widening->builder, inst);
  LLVMSetCurrentDebugLocation2(widening->builder, LLVMInstructionGetDebugLoc(inst));
}

/* --- Neighbours. ------------------------------------------------------------------------------ */

/* An integer that is loaded, and stored once in the same block. */
typedef struct Move {
  LLVMValueRef load, store;
} Move;

static LLVMValueRef source_of(const Move *move) { return LLVMGetOperand(move->load, 0); }
static LLVMValueRef target_of(const Move *move) { return LLVMGetOperand(move->store, 1); }

static uint64_t size_of(const Move *move) {
  return LLVMGetIntTypeWidth(LLVMTypeOf(move->load)) / 8;
}

static bool is_move(LLVMValueRef load, Move *move) {
  LLVMUseRef use = LLVMIsALoadInst(load) ? LLVMGetFirstUse(load) : NULL;
  LLVMTypeRef type = LLVMTypeOf(load);
  if (!use || LLVMGetNextUse(use) || LLVMGetTypeKind(type) != LLVMIntegerTypeKind)
    return false;
  unsigned bits = LLVMGetIntTypeWidth(type);
  *move = (Move){load, LLVMGetUser(use)};
  return (bits == 8 || bits == 16 || bits == 32) && nb_access_is_plain(load) &&
         LLVMIsAStoreInst(move->store) && LLVMGetOperand(move->store, 0) == load &&
         nb_access_is_plain(move->store) &&
         LLVMGetInstructionParent(load) == LLVMGetInstructionParent(move->store);
}

/* How far behind the first pointer the second one leads, where that is known. */
static bool distance(const Widening *widening, LLVMValueRef from, LLVMValueRef to, int64_t *bytes) {
  NbAnalyses *analyses = widening->context->analyses;
  LLVMValueRef function = widening->function;
  NbScev *first = nb_scev_of(analyses, function, from),
         *second = nb_scev_of(analyses, function, to);
  NbScev *between = first && second ? nb_scev_minus(analyses, function, second, first) : NULL;
  return between && nb_scev_is_constant(between, bytes);
}

/* Are both of one kind of memory, in which the one never lies where the other does? Halves of
 * elements do so, the lower and the upper ones. */
static bool lies_elsewhere(Widening *widening, LLVMValueRef one, uint64_t one_size,
                           LLVMValueRef other, uint64_t other_size) {
  NbTypes *types = types_of(widening);
  NbOffsets first = nb_places_of(types->places, one), second = nb_places_of(types->places, other);
  return nb_value_class(types->objects, one) == nb_value_class(types->objects, other) &&
         !nb_place_meets(&first, one_size, &second, other_size);
}

static bool is_variable(LLVMValueRef object) { return LLVMIsAAllocaInst(object) != NULL; }

/* Does the load or store lie apart from so many bytes? */
static bool is_apart(Widening *widening, LLVMValueRef access, LLVMValueRef pointer, uint64_t size) {
  bool store = LLVMIsAStoreInst(access) != NULL;
  LLVMValueRef other = LLVMGetOperand(access, store ? 1 : 0);
  LLVMTypeRef type = LLVMTypeOf(store ? LLVMGetOperand(access, 0) : access);
  uint64_t bytes = nb_store_size(widening->context, type);
  LLVMValueRef objects[] = {nb_object_of(other), nb_object_of(pointer)};
  int64_t behind;
  if (objects[0] != objects[1] && is_variable(objects[0]) && is_variable(objects[1]))
    return true;
  if (distance(widening, pointer, other, &behind))
    return behind >= (int64_t)size || behind + (int64_t)bytes <= 0;
  return lies_elsewhere(widening, pointer, size, other, bytes);
}

/* Does nothing between the two, in this order, meet so many bytes there; with `writes`, by writing
 * to them? */
static bool is_clear(Widening *widening, LLVMValueRef from, LLVMValueRef to, LLVMValueRef pointer,
                     uint64_t size, bool writes) {
  for (LLVMValueRef at = LLVMGetNextInstruction(from); at != to; at = LLVMGetNextInstruction(at)) {
    bool load = LLVMIsALoadInst(at) && nb_access_is_plain(at);
    bool store = LLVMIsAStoreInst(at) && nb_access_is_plain(at);
    bool touches = nb_memory_may_write_any(at) || (!writes && nb_memory_may_read_any(at));
    if (touches && !((load || store) && is_apart(widening, at, pointer, size)))
      return false;
  }
  return true;
}

static bool comes_before(LLVMValueRef first, LLVMValueRef second) {
  LLVMValueRef at = first;
  while (at && at != second)
    at = LLVMGetNextInstruction(at);
  return at != NULL;
}

/* Do so many bytes there, or more of them, make a float, and none of another one? */
static bool fit_float(NbTypes *types, LLVMValueRef pointer, uint64_t size) {
  NbOffsets start = nb_places_of(types->places, pointer);
  const NbFacts *facts = nb_facts_of(types, nb_value_class(types->objects, pointer));
  for (unsigned i = 0; i < facts->count; i++) {
    const NbFact *fact = &facts->items[i];
    NbOffsets place = nb_place_relative(fact->place, &start);
    int64_t inside = nb_place_inside(&place, fact->size, 0);
    if (fact->kind == NB_KIND_FLOAT && nb_fact_is_within(fact) && inside >= 0 &&
        inside % (int64_t)size == 0 && (uint64_t)inside + size <= fact->size)
      return true;
  }
  return false;
}

/* Two of them, by where they lie and in the order of their loads and stores. */
typedef struct Pair {
  const Move *lower, *upper;
  const Move *loaded[2], *stored[2];
} Pair;

static Pair pair_of(const Move *lower, const Move *upper) {
  bool loads = comes_before(lower->load, upper->load);
  bool stores = comes_before(lower->store, upper->store);
  return (Pair){.lower = lower,
                .upper = upper,
                .loaded = {loads ? lower : upper, loads ? upper : lower},
                .stored = {stores ? lower : upper, stores ? upper : lower}};
}

/* Do both lie side by side, in one float, where they are loaded and where they are stored? */
static bool are_neighbours(Widening *widening, const Move *lower, const Move *upper) {
  int64_t size = (int64_t)size_of(lower), sources, targets;
  if (LLVMTypeOf(lower->load) != LLVMTypeOf(upper->load) ||
      !distance(widening, source_of(lower), source_of(upper), &sources) ||
      !distance(widening, target_of(lower), target_of(upper), &targets) || sources != size ||
      targets != size)
    return false;
  NbTypes *types = types_of(widening);
  return fit_float(types, source_of(lower), 2 * size_of(lower)) ||
         fit_float(types, target_of(lower), 2 * size_of(lower));
}

/* Does nothing between them speak against one move of twice the size? */
static bool can_join(Widening *widening, const Pair *pair) {
  const Move *late = pair->loaded[1], *early = pair->stored[0];
  return is_clear(widening, pair->loaded[0]->load, late->load, source_of(late), size_of(late),
                  true) &&
         is_clear(widening, early->store, pair->stored[1]->store, target_of(early), size_of(early),
                  false);
}

/* Where the first of them is loaded. */
static LLVMValueRef load_both(const Widening *widening, const Pair *pair, LLVMTypeRef wide) {
  const Move *first = pair->loaded[0];
  LLVMValueRef source = source_of(first);
  build_before(widening, first->load);
  if (first == pair->upper) {
    LLVMContextRef llvm = widening->context->llvm;
    LLVMValueRef back = LLVMConstInt(LLVMInt64TypeInContext(llvm), -size_of(first), true);
    source = LLVMBuildGEP2(widening->builder, LLVMInt8TypeInContext(llvm), source, &back, 1, "");
  }
  return LLVMBuildLoad2(widening->builder, wide, source, "");
}

static Move join(const Widening *widening, const Pair *pair) {
  const Move *lower = pair->lower, *upper = pair->upper;
  LLVMTypeRef wide =
      LLVMIntTypeInContext(widening->context->llvm, (unsigned)size_of(lower) * 2 * 8);
  LLVMValueRef load = load_both(widening, pair, wide);
  LLVMSetAlignment(load, LLVMGetAlignment(lower->load));
  build_before(widening, pair->stored[1]->store);
  LLVMValueRef store = LLVMBuildStore(widening->builder, load, target_of(lower));
  LLVMSetAlignment(store, LLVMGetAlignment(lower->store));
  const LLVMValueRef old[] = {lower->store, upper->store, lower->load, upper->load};
  for (unsigned i = 0; i < sizeof old / sizeof *old; i++)
    LLVMInstructionEraseFromParent(old[i]);
  return (Move){load, store};
}

/* The moves of a block that cut floats. */
static unsigned find_moves(Widening *widening, LLVMBasicBlockRef block, Move *moves) {
  unsigned count = 0;
  for (LLVMValueRef at = LLVMGetFirstInstruction(block); at && count < MOST_MOVES;
       at = LLVMGetNextInstruction(at)) {
    Move *move = &moves[count];
    if (!is_move(at, move))
      continue;
    NbTypes *types = types_of(widening);
    uint64_t size = size_of(move);
    count += nb_types_cuts_float(types, source_of(move), size) ||
             nb_types_cuts_float(types, target_of(move), size);
  }
  return count;
}

/* Joins two of the moves, in whose place the first of them is what they became. */
static bool join_next(Widening *widening, Move *moves, unsigned *count) {
  for (unsigned i = 0; i < *count; i++) {
    for (unsigned k = 0; k < *count; k++) {
      if (i == k || size_of(&moves[i]) * 8 >= WORD_BITS ||
          !are_neighbours(widening, &moves[i], &moves[k]))
        continue;
      const Pair pair = pair_of(&moves[i], &moves[k]);
      if (!can_join(widening, &pair))
        continue;
      moves[i] = join(widening, &pair);
      moves[k] = moves[--*count];
      return true;
    }
  }
  return false;
}

static bool join_neighbours(Widening *widening, LLVMBasicBlockRef block) {
  Move moves[MOST_MOVES];
  unsigned count = find_moves(widening, block, moves), before = count;
  if (count > 1)
    nb_analyses_forget(widening->context->analyses, widening->function);
  while (join_next(widening, moves, &count))
    nb_analyses_forget(widening->context->analyses, widening->function);
  return count < before;
}

/* --- The function. ---------------------------------------------------------------------------- */

bool nb_types_widen_moves(NbContext *context, LLVMValueRef function) {
  Widening widening = {.context = context, .function = function, .arena = nb_arena_new()};
  widening.builder = LLVMCreateBuilderInContext(context->llvm);
  bool changed = false;
  LLVMBasicBlockRef block = context->analyses ? LLVMGetFirstBasicBlock(function) : NULL;
  for (; block; block = LLVMGetNextBasicBlock(block))
    changed = join_neighbours(&widening, block) || changed;
  LLVMDisposeBuilder(widening.builder);
  nb_arena_free(widening.arena);
  return changed;
}
