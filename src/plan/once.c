// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What is computed from counters, from values known before a loop nest, and from memory that the
 * nest does not write, is the same in each iteration of those loops around it whose counters do not
 * come into it. Such values have a table that is indexed by the other counters alone: each
 * iteration writes there what is there already. A loop behind it that runs as often and computes
 * the same, as the copies of one that the optimiser has unrolled, reads that table.
 *
 * The tables are made once, before a nest that stands in no other loop. What only has to be read is
 * left to copies of arrays. Two computations of a value may round differently: it serves as a
 * coefficient, and decides nothing. */
#include "plan/once.h"

#include "emit/runtime.h"
#include "plan/between.h"
#include "plan/copy.h"
#include "plan/guards.h"
#include "plan/same.h"

enum { MAX_PARTS = 48, MAX_VALUES = 256 };

typedef struct Value {
  LLVMValueRef inst;
  NbWorkLoop *own, *top; /* the loop that it stands in, and the outermost around it */
  NbWorkLoop *entry;     /* the outermost whose counter comes into it, or `own` */
  NbList followers;      /* Value: the same in later loops */
  bool follows, done;
} Value;

typedef struct Once {
  const NbPlan *plan;
  NbLinear *linear;
  NbWork *work;
  NbBetween *between;
  NbList values;
} Once;

/* --- Which values ------------------------------------------------------------------------------
 */

static NbWorkLoop *loop_of(const Once *once, LLVMValueRef inst) {
  return nb_work_block_of(once->work, inst)->loop;
}

static bool is_within(const Once *once, LLVMValueRef value, const NbWorkLoop *loop) {
  return LLVMIsAInstruction(value) && nb_work_loop_contains(loop, loop_of(once, value));
}

/* Is the instruction, of the nest, a function of its operands while the nest runs? */
static bool is_lasting(const Once *once, LLVMValueRef inst, const NbWorkLoop *top) {
  if (nb_map_has(once->linear->again, inst))
    return false;
  if (!LLVMIsALoadInst(inst))
    return nb_plan_repeatable(once->linear, inst);
  return nb_map_has(once->linear->following, inst) && nb_access_is_plain(inst) &&
         nb_effects_lasts_in(once->linear->effects, inst, top);
}

/* Finds `entry`; false where the value depends on more than counters. */
static bool find_entry(const Once *once, Value *value) {
  NbMap *parts = nb_map_new(once->work->context->arena);
  nb_map_set(parts, value->inst, value->inst);
  for (unsigned i = 0; i < nb_map_count(parts); i++) {
    LLVMValueRef part = (LLVMValueRef)nb_map_key(parts, i);
    if (!is_within(once, part, value->top))
      continue;
    NbWorkLoop *loop = loop_of(once, part);
    if (loop->counter == part && loop->depth < value->entry->depth)
      value->entry = loop;
    if (loop->counter == part)
      continue;
    if (i >= MAX_PARTS || !is_lasting(once, part, value->top))
      return false;
    for (unsigned k = 0; k < nb_plan_operand_count(once->linear, part); k++)
      nb_map_set(parts, LLVMGetOperand(part, k), part);
  }
  return nb_work_loop_contains(value->entry, value->own);
}

static bool is_candidate(const Once *once, LLVMValueRef inst) {
  LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(inst));
  return !LLVMIsALoadInst(inst) && !LLVMIsAPHINode(inst) && loop_of(once, inst) &&
         (kind == LLVMDoubleTypeKind || kind == LLVMFloatTypeKind);
}

static void find_values(Once *once) {
  for (unsigned i = 0; i < once->plan->residuals.count; i++) {
    const NbSlot *slot = once->plan->residuals.items[i];
    if (!slot->value || once->values.count == MAX_VALUES || !is_candidate(once, slot->value))
      continue;
    Value *value = NB_NEW(once->work->context->arena, Value);
    NbWorkLoop *own = loop_of(once, slot->value);
    *value = (Value){.inst = slot->value, .own = own, .top = own, .entry = own};
    while (value->top->parent)
      value->top = value->top->parent;
    value->followers = nb_list(once->work->context->arena);
    if (find_entry(once, value))
      nb_list_push(&once->values, value);
  }
}

/* --- Loops in a row ----------------------------------------------------------------------------
 */

typedef struct Question {
  const Once *once;
  const Value *first, *later;
} Question;

static bool stands_between(const void *data, const NbWorkBlock *block) {
  const Question *question = data;
  const Value *later = question->later;
  return !nb_work_loop_contains(later->top, block->loop) &&
         nb_between_stands(question->once->between, question->first->top->preheader, later->top,
                           LLVMGetBasicBlockTerminator(block->block));
}

/* Is nothing written from the first loop to the later that a load would see? */
static bool same_load(const void *data, LLVMValueRef load) {
  const Question *question = data;
  return !nb_effects_changed_by(question->once->linear->effects, load, stands_between, NULL,
                                question);
}

static bool has_same_trips(const Once *once, const Value *first, const Value *later) {
  NbAnalyses *analyses = once->work->context->analyses;
  LLVMValueRef one = first->own->trips, other = later->own->trips;
  if (!one || !other || LLVMTypeOf(one) != LLVMTypeOf(other))
    return false;
  NbScev *trips = nb_scev_of(analyses, once->work->function, one);
  return trips && trips == nb_scev_of(analyses, once->work->function, other);
}

/* Does the first loop compute the value in each iteration, before the later loop, which has as
 * many? */
static bool comes_first(const Once *once, const Value *first, const Value *later) {
  NbAnalyses *analyses = once->work->context->analyses;
  return first->own == first->top && later->own == later->entry && first->top != later->top &&
         nb_work_is_innermost(once->work, first->own) &&
         nb_work_is_left_at_end(once->work, first->own) &&
         nb_block_dominates(analyses, LLVMGetInstructionParent(first->inst), first->own->latch) &&
         nb_block_dominates(analyses, first->own->preheader, later->top->header) &&
         has_same_trips(once, first, later);
}

static bool is_same(const Once *once, const Value *first, const Value *later) {
  const Question question = {once, first, later};
  NbSame same = {.linear = once->linear,
                 .one = first->own,
                 .other = later->own,
                 .one_top = first->top,
                 .other_top = later->top,
                 .same_load = same_load,
                 .data = &question};
  return nb_same_values(&same, first->inst, later->inst);
}

static void find_followers(const Once *once) {
  for (unsigned i = 0; i < once->values.count; i++)
    for (unsigned k = 0; k < once->values.count; k++) {
      Value *first = once->values.items[i], *later = once->values.items[k];
      if (first == later || first->follows || later->follows || later->followers.count ||
          !comes_first(once, first, later) || !is_same(once, first, later))
        continue;
      nb_list_push(&first->followers, later);
      later->follows = true;
    }
}

/* --- Tables ------------------------------------------------------------------------------------
 */

static LLVMTypeRef integer_type(const Once *once) {
  return LLVMInt64TypeInContext(once->work->context->llvm);
}

/* Is the number of places known where the table is made, and less than that of iterations? */
static bool has_table(const Once *once, const Value *value) {
  if (value->follows || !value->top->preheader || !value->own->trips)
    return false;
  if (value->entry == value->top)
    return value->followers.count > 0;
  return nb_guards_known(once->plan, value->own, value->top, value->top->preheader);
}

static LLVMValueRef count_places(const Once *once, LLVMBuilderRef builder, const Value *value) {
  LLVMValueRef total = NULL;
  const NbWorkLoop *loop = value->own;
  for (; loop != value->entry->parent; loop = loop->parent) {
    LLVMValueRef trips = nb_guarded_trips(once->plan, builder, loop);
    LLVMValueRef both[] = {total, trips};
    total = total ? nb_runtime_call(once->work->context, builder, "__nabla_tape_count",
                                    integer_type(once), both, 2)
                  : trips;
  }
  for (; loop && loop != value->top; loop = loop->parent) {
    LLVMValueRef none = LLVMConstNull(integer_type(once));
    LLVMValueRef around = nb_guarded_trips(once->plan, builder, loop);
    LLVMValueRef idle = LLVMBuildICmp(builder, LLVMIntEQ, around, none, "");
    total = LLVMBuildSelect(builder, idle, none, total, "");
  }
  return total;
}

/* The place of the current iteration in the table. */
static LLVMValueRef place_of(LLVMBuilderRef builder, const NbWorkLoop *loop,
                             const NbWorkLoop *entry) {
  if (loop == entry)
    return loop->counter;
  LLVMValueRef outer = place_of(builder, loop->parent, entry);
  LLVMValueRef rows = LLVMBuildMul(builder, outer, loop->trips, "");
  return LLVMBuildAdd(builder, rows, loop->counter, "");
}

static LLVMValueRef address_in(LLVMBuilderRef builder, LLVMValueRef table, const Value *value) {
  LLVMValueRef place = place_of(builder, value->own, value->entry);
  return LLVMBuildInBoundsGEP2(builder, LLVMTypeOf(value->inst), table, &place, 1, "");
}

static void read_table(const Once *once, LLVMBuilderRef builder, LLVMValueRef table,
                       const Value *value) {
  LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(value->inst));
  LLVMValueRef address = address_in(builder, table, value);
  LLVMValueRef again = LLVMBuildLoad2(builder, LLVMTypeOf(value->inst), address, "kept");
  nb_map_set(once->linear->again, value->inst, again);
  nb_effects_note_lasting(once->linear->effects, again);
}

static uint64_t size_of(const Once *once, const Value *value) {
  return nb_store_size(once->work->context, LLVMTypeOf(value->inst));
}

static void fill_table(const Once *once, LLVMBuilderRef builder, LLVMValueRef table,
                       const Value *value) {
  LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(value->inst));
  LLVMBuildStore(builder, value->inst, address_in(builder, table, value));
  read_table(once, builder, table, value);
  for (unsigned i = 0; i < value->followers.count; i++)
    read_table(once, builder, table, value->followers.items[i]);
}

/* The values whose tables have as many places as the first's, the larger ones before the others, so
 * that all are aligned. */
static NbList values_beside(const Once *once, const Value *first) {
  NbList found = nb_list(once->work->context->arena);
  for (uint64_t size = sizeof(double); size >= sizeof(float); size /= 2)
    for (unsigned i = 0; i < once->values.count; i++) {
      Value *value = once->values.items[i];
      if (value->own == first->own && value->entry == first->entry && !value->done &&
          size_of(once, value) == size && has_table(once, value))
        nb_list_push(&found, value);
    }
  return found;
}

/* Tables of as many places lie one behind the other. */
static void make_tables(const Once *once, const Value *first) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(once->work->context->llvm);
  LLVMTypeRef byte = LLVMInt8TypeInContext(once->work->context->llvm);
  LLVMValueRef site = LLVMGetBasicBlockTerminator(first->top->preheader);
  NbList values = values_beside(once, first);
  uint64_t bytes = 0, offset = 0;
  for (unsigned i = 0; i < values.count; i++)
    bytes += size_of(once, values.items[i]);
  LLVMPositionBuilderBefore(builder, site);
  LLVMValueRef places = count_places(once, builder, first);
  LLVMValueRef base = nb_copy_allocate(once->linear, builder, places, bytes);
  for (unsigned i = 0; i < values.count; i++) {
    Value *value = values.items[i];
    LLVMPositionBuilderBefore(builder, site);
    LLVMValueRef units = LLVMConstInt(integer_type(once), offset, false);
    LLVMValueRef distance = LLVMBuildMul(builder, places, units, "");
    LLVMValueRef table = offset ? LLVMBuildGEP2(builder, byte, base, &distance, 1, "") : base;
    fill_table(once, builder, table, value);
    offset += size_of(once, value);
    value->done = true;
  }
  LLVMDisposeBuilder(builder);
}

bool nb_once(const NbPlan *plan) {
  NbLinear *linear = plan->linear;
  const NbContext *context = linear->work->context;
  if (nb_without(context, NB_OPTIMISATION_CUT) || nb_without(context, NB_OPTIMISATION_ONCE))
    return false;
  NbBetween between = nb_between_new(linear);
  Once once = {plan, linear, linear->work, &between, nb_list(context->arena)};
  bool any = false;
  find_values(&once);
  find_followers(&once);
  for (unsigned i = 0; i < once.values.count; i++) {
    const Value *value = once.values.items[i];
    if (!value->done && has_table(&once, value)) {
      make_tables(&once, value);
      any = true;
    }
  }
  return any;
}
