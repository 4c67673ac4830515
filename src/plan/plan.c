// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What is stored and what is computed again: a minimum cut.
 *
 * Each value is an edge in -> out, whose capacity is the cost of storing it, and an edge
 * source -> in, the cost of computing it again; out of an operand leads to in of its user, without
 * limit, and out of what is demanded to the sink. A value is stored where the cut goes through its
 * own edge, computed again where it goes through the edge from the source. (The construction is
 * that of Hascoët, Naumann and Pascual, "To be recorded analysis in reverse-mode automatic
 * differentiation", 2005, with Ford and Fulkerson's theorem for the optimum.)
 *
 * What decides control flow, an address or an extent is never computed again by float operations
 * that another copy may round differently. */
#include "plan/plan.h"

#include "objects/graph.h"
#include "plan/mincut.h"

#include <string.h>

enum {
  COST_CHEAP = 1,
  COST_FLOAT = 2,
  COST_LOAD = 4,
  COST_DIVIDE = 8,
  COST_FUNCTION = 48,
  COST_STORE = 24,
  COST_ADDRESS = 64,
  LOOP_SHIFT = 4,
  MAX_DEPTH = 6
};

typedef struct Node {
  LLVMValueRef value;
  unsigned index;
  bool demanded, exact, repeatable;
} Node;

typedef struct Cut {
  NbPlan *plan;
  NbArena *arena;
  NbMap *node_of; /* value -> Node */
  NbList nodes, pending;
} Cut;

/* --- What may be repeated ------------------------------------------------------------------- */

static bool is_counter(const NbWork *work, LLVMValueRef value) {
  if (!LLVMIsAPHINode(value))
    return false;
  const NbWorkBlock *block = nb_work_block_of(work, value);
  return block->loop && block->loop->counter == value;
}

static bool is_free(const NbWork *work, LLVMValueRef value) {
  return !LLVMIsAInstruction(value) || is_counter(work, value) ||
         nb_work_is_frame_array(work, value);
}

NbObstacle nb_plan_obstacle(const NbLinear *linear, LLVMValueRef inst) {
  if (nb_map_has(linear->again, inst))
    return NB_OBSTACLE_NONE;
  switch (LLVMGetInstructionOpcode(inst)) {
  case LLVMPHI:
    return NB_OBSTACLE_PHI;
  case LLVMFreeze:
    return NB_OBSTACLE_UNDEFINED;
  case LLVMAlloca:
    return NB_OBSTACLE_ARRAY;
  case LLVMInvoke:
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
  case LLVMVAArg:
    return NB_OBSTACLE_EFFECTS;
  case LLVMLoad:
    if (nb_linear_is_cleared(linear, inst))
      return NB_OBSTACLE_CLEARED;
    return nb_effects_reloadable(linear->effects, nb_linear_primal(linear, inst))
               ? NB_OBSTACLE_NONE
               : NB_OBSTACLE_MEMORY;
  case LLVMCall:
    return nb_linear_is_pure_call(linear, inst) ? NB_OBSTACLE_NONE : NB_OBSTACLE_CALL;
  default:
    return NB_OBSTACLE_NONE;
  }
}

bool nb_plan_repeatable(const NbLinear *linear, LLVMValueRef inst) {
  return nb_plan_obstacle(linear, inst) == NB_OBSTACLE_NONE;
}

/* Would another copy of the operation give the same bits, whatever the optimiser does to it? */
static bool is_exact(LLVMValueRef inst) {
  if (LLVMIsACallInst(inst))
    return !nb_type_has_float(LLVMTypeOf(inst));
  return !LLVMCanValueUseFastMathFlags(inst) || LLVMIsAPHINode(inst) || LLVMIsASelectInst(inst) ||
         LLVMGetFastMathFlags(inst) == LLVMFastMathNone;
}

/* --- Costs ---------------------------------------------------------------------------------- */

static uint64_t cost_of_call(const NbContext *context, LLVMValueRef call) {
  const NbRule *rule = nb_rule_of_call(context, call, NULL);
  return rule && rule->cost ? COST_FLOAT * rule->cost : COST_FUNCTION;
}

static uint64_t cost_of_operation(const NbLinear *linear, LLVMValueRef inst) {
  const NbContext *context = linear->work->context;
  if (nb_map_has(linear->again, inst))
    return COST_CHEAP;
  switch (LLVMGetInstructionOpcode(inst)) {
  case LLVMCall:
    return cost_of_call(context, inst);
  case LLVMLoad:
    return COST_LOAD;
  case LLVMFDiv:
  case LLVMFRem:
  case LLVMSDiv:
  case LLVMUDiv:
  case LLVMSRem:
  case LLVMURem:
    return COST_DIVIDE;
  case LLVMFAdd:
  case LLVMFSub:
  case LLVMFMul:
  case LLVMFCmp:
    return COST_FLOAT;
  default:
    return COST_CHEAP;
  }
}

static uint64_t weight(const NbWork *work, LLVMValueRef inst, uint64_t cost) {
  const NbWorkBlock *block = nb_work_block_of(work, inst);
  unsigned depth = block->loop ? block->loop->depth : 0;
  return cost << LOOP_SHIFT * (depth < MAX_DEPTH ? depth : MAX_DEPTH);
}

/* Of an address the pointer is stored, whose shadow is known, or a distance that is made of it. */
static uint64_t cost_of_storing(const NbWork *work, LLVMValueRef inst, bool repeat) {
  if (repeat && LLVMIsAPtrToIntInst(inst))
    return NB_CUT_INFINITE;
  const bool integer = LLVMGetTypeKind(LLVMTypeOf(inst)) == LLVMIntegerTypeKind;
  uint64_t bytes = nb_store_size(work->context, LLVMTypeOf(inst));
  uint64_t address = integer && nb_address_is_in(inst) ? COST_ADDRESS : 0;
  return weight(work, inst, COST_STORE + bytes + address);
}

/* --- The graph ------------------------------------------------------------------------------ */

static bool decides(LLVMValueRef inst) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(inst);
  return opcode == LLVMFCmp || opcode == LLVMFPToSI || opcode == LLVMFPToUI ||
         opcode == LLVMGetElementPtr;
}

unsigned nb_plan_operand_count(const NbLinear *linear, LLVMValueRef inst) {
  if (nb_map_has(linear->again, inst))
    return 1;
  return LLVMIsACallInst(inst) ? LLVMGetNumArgOperands(inst) : (unsigned)LLVMGetNumOperands(inst);
}

LLVMValueRef nb_plan_operand(const NbLinear *linear, LLVMValueRef inst, unsigned index) {
  LLVMValueRef again = nb_map_get(linear->again, inst);
  return again ? again : LLVMGetOperand(inst, index);
}

static unsigned operand_count(const Cut *cut, LLVMValueRef inst) {
  return nb_plan_operand_count(cut->plan->linear, inst);
}

static LLVMValueRef operand_of(const Cut *cut, LLVMValueRef inst, unsigned index) {
  return nb_plan_operand(cut->plan->linear, inst, index);
}

/* A new node, or one that became exact, waits for its operands to be added. */
static void add_node(Cut *cut, LLVMValueRef value, bool demanded, bool exact) {
  const NbLinear *linear = cut->plan->linear;
  if (is_free(linear->work, value))
    return;
  Node *node = nb_map_get(cut->node_of, value);
  if (!node) {
    node = NB_NEW(cut->arena, Node);
    *node = (Node){.value = value, .index = cut->nodes.count};
    node->repeatable = nb_plan_repeatable(linear, value);
    nb_map_set(cut->node_of, value, node);
    nb_list_push(&cut->nodes, node);
    nb_list_push(&cut->pending, node);
  } else if (exact && !node->exact) {
    nb_list_push(&cut->pending, node);
  }
  node->demanded = node->demanded || demanded;
  node->exact = node->exact || exact;
}

static void close_graph(Cut *cut) {
  for (unsigned next = 0; next < cut->pending.count; next++) {
    const Node *node = cut->pending.items[next];
    bool exact = node->exact || decides(node->value);
    for (unsigned k = 0; node->repeatable && k < operand_count(cut, node->value); k++)
      add_node(cut, operand_of(cut, node->value, k), false, exact);
  }
}

static void add_operands(const Cut *cut, NbCut *graph, const Node *node) {
  for (unsigned k = 0; k < operand_count(cut, node->value); k++) {
    const Node *operand = nb_map_get(cut->node_of, operand_of(cut, node->value, k));
    if (operand)
      nb_cut_edge(graph, 2 * operand->index + 3, 2 * node->index + 2, NB_CUT_INFINITE);
  }
}

/* Without a cut all that is demanded is stored. */
static bool may_repeat(const Cut *cut, const Node *node) {
  if (!node->repeatable || nb_without(cut->plan->linear->work->context, NB_OPTIMISATION_CUT))
    return false;
  bool once = nb_map_has(cut->plan->linear->again, node->value) && !LLVMIsALoadInst(node->value);
  if (!node->exact || (is_exact(node->value) && !once))
    return true;
  nb_map_set(cut->plan->inexact, node->value, node->value);
  return false;
}

/* Nodes 0 and 1 are source and sink; 2i+2 and 2i+3 the in and out of value i. */
static void solve(Cut *cut) {
  const NbWork *work = cut->plan->linear->work;
  unsigned total = 2 * cut->nodes.count + 2;
  NbCut *graph = nb_cut_new(cut->arena, total);
  for (unsigned i = 0; i < cut->nodes.count; i++) {
    const Node *node = cut->nodes.items[i];
    bool repeat = may_repeat(cut, node);
    uint64_t again = weight(work, node->value, cost_of_operation(cut->plan->linear, node->value));
    nb_cut_edge(graph, 0, 2 * i + 2, repeat ? again : NB_CUT_INFINITE);
    nb_cut_edge(graph, 2 * i + 2, 2 * i + 3, cost_of_storing(work, node->value, repeat));
    if (node->demanded)
      nb_cut_edge(graph, 2 * i + 3, 1, NB_CUT_INFINITE);
    if (repeat)
      add_operands(cut, graph, node);
  }
  bool *in_source = NB_NEW_ARRAY(cut->arena, bool, total);
  nb_cut_solve(graph, 0, 1, in_source);
  for (unsigned i = 0; i < cut->nodes.count; i++) {
    const Node *node = cut->nodes.items[i];
    NbPlace place = NB_PLACE_NONE;
    if (!in_source[2 * i + 3])
      place = in_source[2 * i + 2] ? NB_PLACE_STORED : NB_PLACE_RECOMPUTE;
    nb_map_set(cut->plan->places, node->value, (void *)(uintptr_t)place);
  }
}

/* --- Demands -------------------------------------------------------------------------------- */

static void demand(void *user, const NbStatement *statement, NbOperandClass operand,
                   LLVMValueRef value) {
  (void)statement;
  add_node(user, value, true, operand != NB_OPERAND_COEFFICIENT);
}

static void demand_statements(Cut *cut, const NbWorkBlock *block) {
  if (!cut->plan->visited[block->index])
    return;
  for (NbStatement *statement = cut->plan->linear->blocks[block->index].first; statement;
       statement = statement->next)
    nb_statement_operands(statement, demand, cut);
}

static void demand_flow(Cut *cut, const NbWorkBlock *block) {
  const NbPlan *plan = cut->plan;
  if (!plan->visited[block->index] || plan->skip_to[block->index])
    return;
  if (block->decision)
    add_node(cut, block->decision, true, true);
  for (unsigned i = 0; i < block->exit_count; i++) {
    add_node(cut, block->exit_counts[i], true, true);
    if (block->exit_loops[i]->trips)
      add_node(cut, block->exit_loops[i]->trips, true, true);
  }
}

/* --- Stack memory ---------------------------------------------------------------------------- */

static void keep_stack(NbPlan *plan, LLVMValueRef value) {
  if (nb_work_is_frame_array(plan->linear->work, value))
    nb_map_set(plan->places, value, (void *)(uintptr_t)NB_PLACE_MEMORY);
}

static void keep_operand(void *user, const NbStatement *statement, NbOperandClass operand,
                         LLVMValueRef value) {
  (void)statement;
  (void)operand;
  keep_stack(user, value);
}

static bool is_allocated(const NbPlan *plan, LLVMValueRef value) {
  const NbWorkBlock *block = nb_work_block_of(plan->linear->work, value);
  for (const NbStatement *statement = plan->linear->blocks[block->index].first; statement;
       statement = statement->next)
    if (statement->kind == NB_STATEMENT_ALLOCATE && statement->address == value)
      return true;
  return false;
}

/* A pointer that is kept, or read again from memory, may point to any stack array, but for one to
 * memory of its own. */
static bool keeps_pointer(const NbPlan *plan, const Node *node) {
  NbPlace place = nb_plan_place(plan, node->value);
  bool read = place == NB_PLACE_RECOMPUTE && LLVMIsALoadInst(node->value);
  return (place == NB_PLACE_STORED || read) && nb_type_has_pointer(LLVMTypeOf(node->value)) &&
         !(LLVMIsACallInst(node->value) && is_allocated(plan, node->value));
}

static void keep_all_stacks(NbPlan *plan) {
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(plan->linear->work->function);
  for (LLVMValueRef inst = LLVMGetFirstInstruction(entry); inst;
       inst = LLVMGetNextInstruction(inst)) {
    if (nb_work_is_frame_array(plan->linear->work, inst) && !nb_plan_place(plan, inst))
      nb_map_set(plan->pointed_to, inst, inst);
    keep_stack(plan, inst);
  }
}

/* Stack arrays that a demanded or repeated address leads to live in the tape. Those that are made
 * anew again and again are values like any other: what is kept is their address. */
static void keep_stacks(Cut *cut) {
  NbPlan *plan = cut->plan;
  for (unsigned i = 0; i < plan->linear->work->block_count; i++)
    for (NbStatement *statement = plan->linear->blocks[i].first; statement;
         statement = statement->next)
      nb_statement_operands(statement, keep_operand, plan);
  bool any = false;
  for (unsigned i = 0; i < cut->nodes.count; i++) {
    const Node *node = cut->nodes.items[i];
    bool again = nb_plan_place(plan, node->value) == NB_PLACE_RECOMPUTE;
    any = any || keeps_pointer(plan, node);
    for (unsigned k = 0; again && k < operand_count(cut, node->value); k++)
      keep_stack(plan, operand_of(cut, node->value, k));
  }
  if (any)
    keep_all_stacks(plan);
}

static void keep_shadow_stacks(NbPlan *plan) {
  const NbLinear *linear = plan->linear;
  for (unsigned i = 0; i < nb_map_count(linear->shadows[0]); i++) {
    LLVMValueRef primal = (LLVMValueRef)nb_map_key(linear->shadows[0], i);
    if (!nb_work_is_frame_array(linear->work, primal))
      continue;
    nb_map_set(plan->places, primal, (void *)(uintptr_t)NB_PLACE_MEMORY);
    for (unsigned lane = 0; lane < linear->width; lane++)
      nb_map_set(plan->places, nb_map_get(linear->shadows[lane], primal),
                 (void *)(uintptr_t)NB_PLACE_MEMORY);
  }
}

/* Of a callee that is still in the making, everything is possible. */
static void find_what_is_kept(Cut *cut) {
  NbPlan *plan = cut->plan;
  for (unsigned i = 0; i < cut->nodes.count; i++)
    plan->keeps_pointers |= keeps_pointer(plan, cut->nodes.items[i]);
  plan->keeps_stacks = nb_map_count(plan->fields) != 0;
  for (unsigned i = 0; i < nb_map_count(plan->fields); i++) {
    LLVMValueRef array = (LLVMValueRef)nb_map_key(plan->fields, i);
    plan->keeps_pointers |= LLVMGetAlignment(array) > NB_TAPE_ALIGNMENT;
  }
  for (unsigned i = 0; i < plan->linear->work->block_count; i++)
    for (NbStatement *statement = plan->linear->blocks[i].first; statement;
         statement = statement->next) {
      const NbDerivative *callee = statement->at_once ? NULL : statement->callee;
      plan->keeps_stacks |= callee && (!callee->complete || callee->keeps_stacks);
      plan->keeps_pointers |= callee && (!callee->complete || callee->keeps_pointers);
    }
}

NbPlace nb_plan_place(const NbPlan *plan, LLVMValueRef value) {
  if (!LLVMIsAInstruction(value) || is_counter(plan->linear->work, value))
    return NB_PLACE_FREE;
  return (NbPlace)(uintptr_t)nb_map_get(plan->places, value);
}

NbSlot *nb_plan_slot(const NbPlan *plan, const void *value_or_call) {
  return nb_map_get(plan->slots, value_or_call);
}

NbPlan *nb_plan(NbLinear *linear, bool opaque) {
  NbArena *arena = linear->work->context->arena;
  NbPlan *plan = NB_NEW(arena, NbPlan);
  plan->linear = linear;
  plan->opaque = opaque;
  plan->places = nb_map_new(arena);
  plan->slots = nb_map_new(arena);
  plan->fields = nb_map_new(arena);
  plan->inexact = nb_map_new(arena);
  plan->pointed_to = nb_map_new(arena);
  plan->residuals = nb_list(arena);
  nb_plan_walk(plan);
  Cut cut = {plan, arena, nb_map_new(arena), nb_list(arena), nb_list(arena)};
  for (unsigned i = 0; i < linear->work->block_count; i++) {
    demand_statements(&cut, &linear->work->blocks[i]);
    demand_flow(&cut, &linear->work->blocks[i]);
  }
  close_graph(&cut);
  solve(&cut);
  keep_stacks(&cut);
  keep_shadow_stacks(plan);
  nb_plan_layout(plan);
  find_what_is_kept(&cut);
  nb_plan_order(plan);
  return plan;
}
