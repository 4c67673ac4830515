// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The nest of cycles is that of Steensgaard, "Sequentializing program dependence graphs for
 * irreducible programs" (1993): a cycle is a strongly connected component, its entries are the
 * blocks with a predecessor outside, and the cycles inside are those that are left without the
 * edges to its entries. Components are found by two walks (Sharir, "A strong-connectivity algorithm
 * and its applications in data flow analysis", 1981).
 *
 * Where there are several entries, all edges to them, also those from inside, go through one new
 * block, which goes on to the entry that a variable says. The phis of the entries become variables,
 * too. No other value has a use that it no longer dominates: where a new way leads from an entry to
 * some block, an old one came to that entry from outside. */
#include "prepare/reducible.h"

#include "prepare/prepare.h"

typedef struct Cycles {
  NbContext *context;
  NbArena *arena;
  LLVMValueRef function;
  NbList regions; /* NbList of blocks, to be looked through for cycles */
  bool changed;
} Cycles;

/* A block on the way of a walk, and which of its neighbours is next. */
typedef struct Step {
  LLVMBasicBlockRef block;
  unsigned next;
} Step;

static NbMap *set_of(NbArena *arena, const NbList *blocks) {
  NbMap *set = nb_map_new(arena);
  for (unsigned i = 0; i < blocks->count; i++)
    nb_map_set(set, blocks->items[i], blocks->items[i]);
  return set;
}

/* The terminators that lead to the block, once for each edge. */
static NbList edges_to(NbArena *arena, LLVMBasicBlockRef block) {
  NbList edges = nb_list(arena);
  LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
  for (; use; use = LLVMGetNextUse(use))
    if (LLVMIsATerminatorInst(LLVMGetUser(use)))
      nb_list_push(&edges, LLVMGetUser(use));
  return edges;
}

static NbList blocks_after(NbArena *arena, LLVMBasicBlockRef block) {
  NbList blocks = nb_list(arena);
  LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
  for (unsigned i = 0; i < LLVMGetNumSuccessors(last); i++)
    nb_list_push(&blocks, LLVMGetSuccessor(last, i));
  return blocks;
}

static NbList blocks_before(NbArena *arena, LLVMBasicBlockRef block) {
  NbList blocks = edges_to(arena, block);
  for (unsigned i = 0; i < blocks.count; i++)
    blocks.items[i] = LLVMGetInstructionParent(blocks.items[i]);
  return blocks;
}

typedef NbList Neighbours(NbArena *arena, LLVMBasicBlockRef block);

static void begin_step(NbArena *arena, NbList *way, NbMap *left, LLVMBasicBlockRef block) {
  Step *step = NB_NEW(arena, Step);
  *step = (Step){block, 0};
  nb_map_set(left, block, NULL);
  nb_list_push(way, step);
}

/* Adds the blocks that `from` leads to without leaving those that are `left`, each behind all that
 * are found on from it; they are left no more. */
static void walk(NbArena *arena, Neighbours *neighbours, NbMap *left, LLVMBasicBlockRef from,
                 NbList *found) {
  NbList way = nb_list(arena);
  if (nb_map_get(left, from))
    begin_step(arena, &way, left, from);
  while (way.count) {
    Step *step = way.items[way.count - 1];
    NbList next = neighbours(arena, step->block);
    while (step->next < next.count && !nb_map_get(left, next.items[step->next]))
      step->next++;
    if (step->next < next.count) {
      begin_step(arena, &way, left, next.items[step->next]);
    } else {
      nb_list_push(found, step->block);
      way.count--;
    }
  }
}

/* The blocks of the cycle that an edge from outside leads to. */
static NbList entries_of(NbArena *arena, const NbList *cycle) {
  NbMap *inside = set_of(arena, cycle);
  NbList entries = nb_list(arena);
  for (unsigned i = 0; i < cycle->count; i++) {
    NbList before = blocks_before(arena, cycle->items[i]);
    unsigned k = 0;
    while (k < before.count && nb_map_has(inside, before.items[k]))
      k++;
    if (k < before.count)
      nb_list_push(&entries, cycle->items[i]);
  }
  return entries;
}

/* The one place where a cycle is entered then. */
typedef struct Gate {
  LLVMBasicBlockRef block;
  LLVMValueRef variable;  /* says to which entry */
  NbList phis, phi_entry; /* variables that were phis, and of which entry */
} Gate;

static LLVMValueRef make_variable(const Cycles *cycles, LLVMBuilderRef builder, LLVMTypeRef type) {
  LLVMBasicBlockRef start = LLVMGetEntryBasicBlock(cycles->function);
  LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(start));
  return LLVMBuildAlloca(builder, type, "entry");
}

/* Takes the phis of an entry out of it. */
static void open_phis(Gate *gate, LLVMBasicBlockRef entry) {
  LLVMValueRef first;
  while (first = LLVMGetFirstInstruction(entry), LLVMIsAPHINode(first)) {
    LLVMValueRef variable = nb_phi_to_memory(first);
    if (!variable)
      continue;
    nb_list_push(&gate->phis, variable);
    nb_list_push(&gate->phi_entry, entry);
  }
}

/* What the phis of other entries were holds nothing on the way to this one. */
static void forget_others(const Gate *gate, LLVMBuilderRef builder, LLVMBasicBlockRef entry) {
  for (unsigned i = 0; i < gate->phis.count; i++)
    if (gate->phi_entry.items[i] != entry) {
      LLVMTypeRef type = LLVMGetAllocatedType(gate->phis.items[i]);
      LLVMBuildStore(builder, LLVMGetPoison(type), gate->phis.items[i]);
    }
}

/* Gives the edge to `entry` a block of its own, which the phis there know. */
static void split_edge(const Cycles *cycles, LLVMBuilderRef builder, LLVMValueRef terminator,
                       LLVMBasicBlockRef entry) {
  LLVMBasicBlockRef from = LLVMGetInstructionParent(terminator);
  LLVMBasicBlockRef between =
      LLVMInsertBasicBlockInContext(cycles->context->llvm, entry, "to.entry");
  LLVMPositionBuilderAtEnd(builder, between);
  LLVMBuildBr(builder, entry);
  unsigned index = 0;
  while (LLVMGetSuccessor(terminator, index) != entry)
    index++;
  LLVMSetSuccessor(terminator, index, between);
  LLVMValueRef phi = LLVMGetFirstInstruction(entry);
  for (; LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi)) {
    unsigned k = 0;
    while (LLVMGetIncomingBlock(phi, k) != from)
      k++;
    nb_phi_set_block(phi, k, between);
  }
}

/* Leads the edges to `entry`, each of which has a block of its own, to the gate instead; which
 * entry was meant is said there. */
static void redirect(const Cycles *cycles, const Gate *gate, LLVMBuilderRef builder,
                     LLVMBasicBlockRef entry, LLVMValueRef which) {
  NbList edges = edges_to(cycles->arena, entry);
  for (unsigned i = 0; i < edges.count; i++) {
    LLVMPositionBuilderBefore(builder, edges.items[i]);
    LLVMBuildStore(builder, which, gate->variable);
    forget_others(gate, builder, entry);
    LLVMSetSuccessor(edges.items[i], 0, gate->block);
  }
}

static void enter_at_one(const Cycles *cycles, const NbList *entries) {
  LLVMContextRef llvm = cycles->context->llvm;
  LLVMTypeRef type = LLVMInt32TypeInContext(llvm);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(llvm);
  Gate gate = {.block = LLVMInsertBasicBlockInContext(llvm, entries->items[0], "entries"),
               .variable = make_variable(cycles, builder, type)};
  gate.phis = gate.phi_entry = nb_list(cycles->arena);
  for (unsigned i = 0; i < entries->count; i++) {
    NbList edges = edges_to(cycles->arena, entries->items[i]);
    for (unsigned k = 0; k < edges.count; k++)
      split_edge(cycles, builder, edges.items[k], entries->items[i]);
    open_phis(&gate, entries->items[i]);
  }
  for (unsigned i = 0; i < entries->count; i++)
    redirect(cycles, &gate, builder, entries->items[i], LLVMConstInt(type, i, false));
  LLVMPositionBuilderAtEnd(builder, gate.block);
  LLVMValueRef which = LLVMBuildLoad2(builder, type, gate.variable, "entry");
  LLVMValueRef choice = LLVMBuildSwitch(builder, which, entries->items[0], entries->count - 1);
  for (unsigned i = 1; i < entries->count; i++)
    LLVMAddCase(choice, LLVMConstInt(type, i, false), entries->items[i]);
  LLVMDisposeBuilder(builder);
}

/* Is one of them where exceptions land? No block may stand on the edges there. */
static bool any_lands(const NbList *entries) {
  for (unsigned i = 0; i < entries->count; i++)
    if (LLVMIsALandingPadInst(nb_work_first_after_phis(entries->items[i])))
      return true;
  return false;
}

/* What is left of the cycle without its one entry, or without the edges to the entries that it had,
 * is looked through next. */
static void settle(Cycles *cycles, const NbList *cycle) {
  NbList entries = entries_of(cycles->arena, cycle);
  if (entries.count > 1 && any_lands(&entries))
    return;
  NbList *rest = NB_NEW(cycles->arena, NbList);
  *rest = nb_list(cycles->arena);
  for (unsigned i = 0; i < cycle->count; i++)
    if (entries.count != 1 || cycle->items[i] != entries.items[0])
      nb_list_push(rest, cycle->items[i]);
  if (entries.count > 1) {
    enter_at_one(cycles, &entries);
    cycles->changed = true;
  }
  if (entries.count)
    nb_list_push(&cycles->regions, rest);
}

/* A component of one block is no cycle of several entries. */
static void settle_region(Cycles *cycles, const NbList *region) {
  NbList order = nb_list(cycles->arena);
  NbMap *left = set_of(cycles->arena, region);
  for (unsigned i = 0; i < region->count; i++)
    walk(cycles->arena, blocks_after, left, region->items[i], &order);
  left = set_of(cycles->arena, region);
  for (unsigned i = order.count; i-- > 0;) {
    NbList cycle = nb_list(cycles->arena);
    walk(cycles->arena, blocks_before, left, order.items[i], &cycle);
    if (cycle.count > 1)
      settle(cycles, &cycle);
  }
}

bool nb_reducible_make(NbContext *context, LLVMValueRef function) {
  NbArena *arena = nb_arena_new();
  Cycles cycles = {context, arena, function, nb_list(arena), false};
  NbList blocks = nb_list(arena);
  LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function);
  for (; block; block = LLVMGetNextBasicBlock(block))
    nb_list_push(&blocks, block);
  nb_list_push(&cycles.regions, &blocks);
  for (unsigned i = 0; i < cycles.regions.count; i++)
    settle_region(&cycles, cycles.regions.items[i]);
  nb_arena_free(arena);
  return cycles.changed;
}
