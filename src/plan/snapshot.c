// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A load whose memory is overwritten later is kept once an iteration. Several that read neighbours
 * of one array, or one that reads the same elements in each iteration of a loop around it, keep
 * more than there is: the elements themselves, before they are overwritten, are fewer.
 *
 * All loads of an array in a loop nest share a copy, and so do those of several in a row. It is
 * made at the entry of the outermost loop that does not write there. Every byte of it must be sure
 * to be there, so each load runs in each iteration, and its first and last address lie in the
 * array. Which strides are how long is only known when the program runs: they must be seen to leave
 * no gaps but short ones, or else the copy might be much larger than the values. */
#include "plan/snapshot.h"

#include "plan/between.h"
#include "plan/copy.h"
#include "plan/extent.h"
#include "plan/guards.h"

#include <stdlib.h>

enum { SHORT_GAP = 128, MAX_STEPS = 2 };

typedef struct Read {
  LLVMValueRef load;
  LLVMValueRef array; /* what the address is computed from, outside of the loop */
  const NbWorkLoop *own, *entry;
  NbSpan *span;
  NbList conditions; /* NbCondition: nothing is read where one of them does not hold */
  bool repeated;     /* some loop reads the same again and again */
} Read;

typedef struct Group {
  LLVMValueRef array;
  const NbWorkLoop *entry;
  NbList reads;
} Group;

typedef struct Snapshot {
  const NbPlan *plan;
  NbLinear *linear;
  const NbWork *work;
  NbBetween *between;
  NbList ends; /* calls that might end the program, in order */
  NbList groups;
} Snapshot;

/* --- Which loads -------------------------------------------------------------------------------
 */

static bool is_before(const Snapshot *snapshot, LLVMValueRef value, const NbWorkLoop *loop) {
  return !LLVMIsAInstruction(value) ||
         !nb_work_loop_contains(loop, nb_work_block_of(snapshot->work, value)->loop);
}

static bool is_left_at_latch(const NbWork *work, const NbWorkLoop *loop) {
  LLVMValueRef last = LLVMGetBasicBlockTerminator(loop->latch);
  bool left = false;
  for (unsigned s = 0; s < LLVMGetNumSuccessors(last); s++) {
    const NbWorkLoop *next = nb_work_block(work, LLVMGetSuccessor(last, s))->loop;
    left = left || !nb_work_loop_contains(loop, next);
  }
  return loop->trips && left;
}

static void find_ends(Snapshot *snapshot) {
  for (unsigned i = 0; i < snapshot->work->block_count; i++)
    for (LLVMValueRef inst = LLVMGetFirstInstruction(snapshot->work->blocks[i].block); inst;
         inst = LLVMGetNextInstruction(inst))
      if (LLVMIsACallInst(inst) && nb_map_has(snapshot->linear->following, inst) &&
          !nb_between_comes_back(snapshot->linear, inst))
        nb_list_push(&snapshot->ends, inst);
}

/* Once the loop is entered, does control come to its end? A call might end the program before all
 * is read. */
static bool is_run_through(const Snapshot *snapshot, const NbWorkLoop *loop) {
  for (unsigned i = 0; i < snapshot->ends.count; i++)
    if (nb_work_loop_contains(loop,
                              nb_work_block_of(snapshot->work, snapshot->ends.items[i])->loop))
      return false;
  return is_left_at_latch(snapshot->work, loop);
}

/* Does the load see what was there when the loop was entered? */
static bool sees_entry(const Snapshot *snapshot, const Read *read, const NbWorkLoop *loop) {
  return nb_effects_lasts_in(snapshot->linear->effects, read->load, loop) ||
         (loop == read->own && nb_between_overwrites_behind(snapshot->between, read->load));
}

/* May the copy be made at the entry of the loop, and would it be what the load sees? */
static bool may_begin_at(const Snapshot *snapshot, const Read *read, const NbWorkLoop *loop) {
  const NbPlan *plan = snapshot->plan;
  return is_run_through(snapshot, loop) && is_before(snapshot, read->array, loop) &&
         sees_entry(snapshot, read, loop) &&
         (loop == read->own || nb_guards_known(plan, read->own, loop, NULL));
}

static bool is_safe_at(const Snapshot *snapshot, const NbSpan *span, LLVMBasicBlockRef site) {
  return nb_span_is_safe(snapshot->work, span, LLVMGetBasicBlockTerminator(site));
}

static NbSpan *span_at(const Snapshot *snapshot, const Read *read, const NbWorkLoop *loop) {
  NbSpan *span = nb_span_of(snapshot->work, LLVMGetOperand(read->load, 0), read->array,
                            LLVMGetInstructionParent(read->load), loop);
  return span && is_safe_at(snapshot, span, loop->preheader) ? span : NULL;
}

static void find_entry(const Snapshot *snapshot, Read *read) {
  for (const NbWorkLoop *loop = read->own; loop && may_begin_at(snapshot, read, loop);
       loop = loop->parent) {
    NbSpan *span = span_at(snapshot, read, loop);
    if (!span)
      return;
    read->entry = loop;
    read->span = span;
  }
}

static bool is_candidate(const Snapshot *snapshot, LLVMValueRef load) {
  const NbWorkLoop *own = nb_work_block_of(snapshot->work, load)->loop;
  return own && nb_map_has(snapshot->linear->following, load) && nb_access_is_plain(load) &&
         !nb_type_has_pointer(LLVMTypeOf(load)) &&
         nb_block_dominates(snapshot->work->context->analyses, LLVMGetInstructionParent(load),
                            own->latch);
}

/* --- How much is copied ------------------------------------------------------------------------
 */

static bool is_short(NbScev *distance) {
  int64_t bytes;
  return nb_scev_is_constant(distance, &bytes) && llabs(bytes) <= SHORT_GAP;
}

static NbScev *estimate(const Snapshot *snapshot, NbScev *scev) {
  return scev ? nb_scev_estimate(snapshot->work->context->analyses, snapshot->work->function, scev)
              : NULL;
}

/* Is the distance, but for a few bytes, a few steps of some loop, up or down, or none? */
static bool is_near(const Snapshot *snapshot, NbScev *distance, const NbSpan *span,
                    unsigned count) {
  NbAnalyses *analyses = snapshot->work->context->analyses;
  LLVMValueRef function = snapshot->work->function;
  bool near = distance && is_short(distance);
  for (unsigned i = 0; i < count && distance; i++) {
    NbScev *step = estimate(snapshot, span->steps[i]);
    NbScev *up = distance, *down = distance;
    for (unsigned k = 0; step && k < MAX_STEPS && !near; k++) {
      up = nb_scev_minus(analyses, function, up, step);
      down = nb_scev_plus(analyses, function, down, step);
      near = is_short(up) || is_short(down);
    }
  }
  return near;
}

/* By how much the distance from row to row is longer than a row. */
static NbScev *gap_of(const Snapshot *snapshot, const NbSpan *span, unsigned index) {
  NbAnalyses *analyses = snapshot->work->context->analyses;
  LLVMValueRef function = snapshot->work->function;
  NbScev *rounds = estimate(snapshot, span->rounds[index - 1]->start);
  NbScev *inner = estimate(snapshot, span->steps[index - 1]);
  NbScev *step = estimate(snapshot, span->steps[index]);
  if (span->rounds[index - 1]->count || !rounds || !inner || !step)
    return NULL;
  return nb_scev_minus(analyses, function, step, nb_scev_times(analyses, function, inner, rounds));
}

/* Is each row about as long as the distance to the next? */
static bool is_dense(const Snapshot *snapshot, const Read *read) {
  const NbSpan *span = read->span;
  uint64_t size = nb_store_size(snapshot->work->context, LLVMTypeOf(read->load));
  int64_t first;
  if (span->count == 0 || !nb_scev_is_constant(span->steps[0], &first) ||
      (uint64_t)llabs(first) > size * MAX_STEPS)
    return false;
  for (unsigned i = 1; i < span->count; i++)
    if (!is_near(snapshot, gap_of(snapshot, span, i), span, i))
      return false;
  return true;
}

static unsigned loops_between(const NbWorkLoop *inner, const NbWorkLoop *outer) {
  return inner->depth - outer->depth + 1;
}

/* --- Groups ------------------------------------------------------------------------------------
 */

static bool belongs_to(const Snapshot *snapshot, const Group *group, const Read *read) {
  const Read *first = group->reads.items[0];
  if (group->array != read->array || group->entry != read->entry ||
      LLVMTypeOf(first->load) != LLVMTypeOf(read->load))
    return false;
  NbScev *distance = nb_scev_minus(snapshot->work->context->analyses, snapshot->work->function,
                                   read->span->start, first->span->start);
  return is_near(snapshot, estimate(snapshot, distance), first->span, first->span->count);
}

static void add_read(Snapshot *snapshot, Read *read) {
  for (unsigned i = 0; i < snapshot->groups.count; i++) {
    Group *group = snapshot->groups.items[i];
    if (belongs_to(snapshot, group, read)) {
      nb_list_push(&group->reads, read);
      return;
    }
  }
  NbArena *arena = snapshot->work->context->arena;
  Group *group = NB_NEW(arena, Group);
  *group = (Group){read->array, read->entry, nb_list(arena)};
  nb_list_push(&group->reads, read);
  nb_list_push(&snapshot->groups, group);
}

static void find_groups(Snapshot *snapshot) {
  for (unsigned i = 0; i < snapshot->plan->residuals.count; i++) {
    const NbSlot *slot = snapshot->plan->residuals.items[i];
    if (!slot->value || !LLVMIsALoadInst(slot->value) || !is_candidate(snapshot, slot->value) ||
        nb_map_has(snapshot->linear->again, slot->value))
      continue;
    Read *read = NB_NEW(snapshot->work->context->arena, Read);
    *read = (Read){.load = slot->value, .array = nb_copy_array(LLVMGetOperand(slot->value, 0))};
    read->conditions = nb_list(snapshot->work->context->arena);
    read->own = nb_work_block_of(snapshot->work, slot->value)->loop;
    if (read->array)
      find_entry(snapshot, read);
    if (!read->entry || !is_dense(snapshot, read))
      continue;
    read->repeated = read->span->count < loops_between(read->own, read->entry);
    add_read(snapshot, read);
  }
}

/* --- Loops in a row ----------------------------------------------------------------------------
 */

/* The last address of the first iteration of the loops around the span's; NULL where it is not
 * known. */
static NbScev *end_of(const Snapshot *snapshot, const NbSpan *span) {
  NbAnalyses *analyses = snapshot->work->context->analyses;
  LLVMValueRef function = snapshot->work->function;
  NbScev *end = estimate(snapshot, span->start);
  for (unsigned i = 0; i < span->count && end; i++) {
    NbScev *rounds = estimate(snapshot, span->rounds[i]->start);
    NbScev *step = estimate(snapshot, span->steps[i]);
    if (span->rounds[i]->count || !rounds || !step)
      return NULL;
    NbScev *way = nb_scev_times(analyses, function, step, rounds);
    end = way ? nb_scev_plus(analyses, function, end, way) : NULL;
  }
  return end;
}

/* Does one of the two begin or end near where the other does? */
static bool touches(const Snapshot *snapshot, const NbSpan *one, const NbSpan *other) {
  NbAnalyses *analyses = snapshot->work->context->analyses;
  NbScev *here[] = {estimate(snapshot, one->start), end_of(snapshot, one)};
  NbScev *there[] = {estimate(snapshot, other->start), end_of(snapshot, other)};
  for (unsigned i = 0; i < 4; i++) {
    NbScev *from = here[i / 2], *to = there[i % 2];
    if (from && to &&
        is_near(snapshot, nb_scev_minus(analyses, snapshot->work->function, to, from), one,
                one->count))
      return true;
  }
  return false;
}

typedef struct Question {
  const Snapshot *snapshot;
  const Group *first;
  const Read *read;
  const NbWorkBlock *site, *header; /* where the copy is made, and where the loop begins */
} Question;

static bool may_stand_between(const void *data, const NbWorkBlock *block) {
  const Question *question = data;
  const NbEffects *effects = question->snapshot->linear->effects;
  return !nb_work_loop_contains(question->read->entry, block->loop) &&
         nb_effects_goes_on(effects, question->site, block) &&
         nb_effects_goes_on(effects, block, question->header);
}

static bool stands_between(const void *data, LLVMValueRef writer) {
  const Question *question = data;
  return nb_between_stands(question->snapshot->between, question->first->entry->preheader,
                           question->read->entry, writer);
}

/* Would the load, of a later loop, see the copy that is made for the first? */
static bool sees_copy(const Snapshot *snapshot, const Group *first, const Read *read) {
  LLVMBasicBlockRef site = first->entry->preheader;
  const Question question = {snapshot, first, read, nb_work_block(snapshot->work, site),
                             nb_work_block(snapshot->work, read->entry->header)};
  return is_safe_at(snapshot, read->span, site) &&
         nb_guards_known(snapshot->plan, read->own, read->entry, site) &&
         !nb_effects_changed_by(snapshot->linear->effects, read->load, may_stand_between,
                                stands_between, &question);
}

/* May a call before the later loop end the program before all that the loop reads is there? */
static bool may_end_between(const Snapshot *snapshot, const Group *first, const Group *later) {
  for (unsigned i = 0; i < snapshot->ends.count; i++)
    if (nb_between_stands(snapshot->between, first->entry->preheader, later->entry,
                          snapshot->ends.items[i]))
      return true;
  return false;
}

static bool is_known_at(const Snapshot *snapshot, LLVMValueRef value, LLVMBasicBlockRef site) {
  return !LLVMIsAInstruction(value) || nb_block_dominates(snapshot->work->context->analyses,
                                                          LLVMGetInstructionParent(value), site);
}

/* Can it be said where the copy is made whether the later loop is entered? */
static bool knows_entry(const Snapshot *snapshot, const Group *first, const Group *later,
                        NbList *conditions) {
  LLVMBasicBlockRef site = first->entry->preheader;
  if (!nb_between_conditions(snapshot->between, site, later->entry, conditions))
    return false;
  for (unsigned i = 0; i < conditions->count; i++) {
    LLVMValueRef value = ((const NbCondition *)conditions->items[i])->value;
    bool compared = LLVMIsAICmpInst(value) &&
                    is_known_at(snapshot, LLVMGetOperand(value, 0), site) &&
                    is_known_at(snapshot, LLVMGetOperand(value, 1), site);
    if (!compared && !is_known_at(snapshot, value, site))
      return false;
  }
  return true;
}

/* May the later group, in the same loop around both, read the copy of the first? */
static bool may_join(const Snapshot *snapshot, const Group *first, const Group *later,
                     NbList *conditions) {
  const Read *one = first->reads.items[0], *other = later->reads.items[0];
  LLVMBasicBlockRef site = first->entry->preheader;
  if (first->array != later->array || first->entry == later->entry ||
      first->entry->parent != later->entry->parent ||
      LLVMTypeOf(one->load) != LLVMTypeOf(other->load) ||
      !nb_block_dominates(snapshot->work->context->analyses, site, later->entry->header) ||
      !touches(snapshot, one->span, other->span) ||
      !knows_entry(snapshot, first, later, conditions) || may_end_between(snapshot, first, later))
    return false;
  for (unsigned i = 0; i < later->reads.count; i++)
    if (!sees_copy(snapshot, first, later->reads.items[i]))
      return false;
  return true;
}

/* What several loops in a row read of an array is copied where the first of them begins. */
static void join_rows(const Snapshot *snapshot) {
  for (unsigned i = 0; i < snapshot->groups.count; i++)
    for (unsigned k = 0; k < snapshot->groups.count; k++) {
      Group *first = snapshot->groups.items[i], *later = snapshot->groups.items[k];
      NbList conditions = nb_list(snapshot->work->context->arena);
      if (!first->reads.count || !later->reads.count ||
          !may_join(snapshot, first, later, &conditions))
        continue;
      for (unsigned r = 0; r < later->reads.count; r++) {
        Read *read = later->reads.items[r];
        read->conditions = conditions;
        nb_list_push(&first->reads, read);
      }
      later->reads.count = 0;
    }
}

/* Are there fewer elements than values? */
static bool is_worthwhile(const Group *group) {
  unsigned most = 0, count = 0;
  bool repeated = false;
  for (unsigned i = 0; i < group->reads.count; i++) {
    const Read *read = group->reads.items[i];
    count = read->span->count > most ? 0 : count;
    most = read->span->count > most ? read->span->count : most;
    count += read->span->count == most;
    repeated = repeated || (read->repeated && read->span->count == most);
  }
  return count > 1 || repeated;
}

/* --- The copy ----------------------------------------------------------------------------------
 */

typedef struct Bounds {
  LLVMValueRef low, high; /* distances in bytes from the array */
} Bounds;

static LLVMTypeRef integer_type(const Snapshot *snapshot) {
  return LLVMInt64TypeInContext(snapshot->work->context->llvm);
}

static LLVMTypeRef byte_type(const Snapshot *snapshot) {
  return LLVMInt8TypeInContext(snapshot->work->context->llvm);
}

/* The same at the place of the copy. Before it is decided whether control comes there, it may be
 * undefined. */
static LLVMValueRef write_condition(const Snapshot *snapshot, LLVMBuilderRef builder,
                                    LLVMValueRef value) {
  LLVMBasicBlockRef site = LLVMGetInsertBlock(builder);
  if (!is_known_at(snapshot, value, site))
    value = LLVMBuildICmp(builder, LLVMGetICmpPredicate(value), LLVMGetOperand(value, 0),
                          LLVMGetOperand(value, 1), "");
  return LLVMBuildFreeze(builder, value, "");
}

/* Those of nothing where the condition is met. */
static Bounds exclude(const Snapshot *snapshot, LLVMBuilderRef builder, NbCondition idle,
                      Bounds bounds) {
  LLVMValueRef most = LLVMConstInt(integer_type(snapshot), INT64_MAX, false);
  LLVMValueRef least = LLVMConstInt(integer_type(snapshot), (uint64_t)INT64_MIN, false);
  LLVMValueRef low[] = {bounds.low, most}, high[] = {bounds.high, least};
  bounds.low = LLVMBuildSelect(builder, idle.value, low[idle.holds], low[!idle.holds], "");
  bounds.high = LLVMBuildSelect(builder, idle.value, high[idle.holds], high[!idle.holds], "");
  return bounds;
}

/* Nothing is read where a loop on the way is not entered. */
static Bounds exclude_idle(const Snapshot *snapshot, LLVMBuilderRef builder, const Read *read,
                           Bounds bounds) {
  LLVMValueRef none = LLVMConstNull(integer_type(snapshot));
  for (const NbWorkLoop *loop = read->own; loop != read->entry; loop = loop->parent) {
    LLVMValueRef trips = nb_guarded_trips(snapshot->plan, builder, loop);
    LLVMValueRef idle = LLVMBuildICmp(builder, LLVMIntEQ, trips, none, "");
    bounds = exclude(snapshot, builder, (NbCondition){idle, true}, bounds);
  }
  for (unsigned i = 0; i < read->conditions.count; i++) {
    const NbCondition *entered = read->conditions.items[i];
    LLVMValueRef value = write_condition(snapshot, builder, entered->value);
    bounds = exclude(snapshot, builder, (NbCondition){value, !entered->holds}, bounds);
  }
  return bounds;
}

static Bounds bounds_of(const Snapshot *snapshot, LLVMBuilderRef builder, const Read *read,
                        LLVMValueRef before) {
  NbHull hull = nb_span_write(snapshot->work, builder, read->span, before);
  uint64_t size = nb_store_size(snapshot->work->context, LLVMTypeOf(read->load));
  LLVMValueRef bytes = LLVMConstInt(integer_type(snapshot), size, false);
  LLVMValueRef end = LLVMBuildAdd(builder, hull.greatest, bytes, "");
  return exclude_idle(snapshot, builder, read, (Bounds){hull.least, end});
}

static Bounds bounds_of_all(const Snapshot *snapshot, LLVMBuilderRef builder, const Group *group,
                            LLVMValueRef before) {
  Bounds all = bounds_of(snapshot, builder, group->reads.items[0], before);
  for (unsigned i = 1; i < group->reads.count; i++) {
    Bounds more = bounds_of(snapshot, builder, group->reads.items[i], before);
    LLVMValueRef lower = LLVMBuildICmp(builder, LLVMIntSLT, more.low, all.low, "");
    all.low = LLVMBuildSelect(builder, lower, more.low, all.low, "");
    LLVMValueRef higher = LLVMBuildICmp(builder, LLVMIntSGT, more.high, all.high, "");
    all.high = LLVMBuildSelect(builder, higher, more.high, all.high, "");
  }
  return all;
}

static LLVMValueRef bytes_between(const Snapshot *snapshot, LLVMBuilderRef builder, Bounds bounds) {
  LLVMValueRef none = LLVMConstNull(integer_type(snapshot));
  LLVMValueRef any = LLVMBuildICmp(builder, LLVMIntSGT, bounds.high, bounds.low, "");
  LLVMValueRef bytes = LLVMBuildSub(builder, bounds.high, bounds.low, "");
  return LLVMBuildSelect(builder, any, bytes, none, "");
}

/* The least alignment of all loads holds for the beginning, which some of them reads. */
static unsigned alignment_of(const Group *group) {
  unsigned align = NB_TAPE_ALIGNMENT;
  for (unsigned i = 0; i < group->reads.count; i++) {
    unsigned own = LLVMGetAlignment(((const Read *)group->reads.items[i])->load);
    align = own < align ? own : align;
  }
  return align;
}

static void copy_group(const Snapshot *snapshot, const Group *group) {
  LLVMValueRef before = LLVMGetBasicBlockTerminator(group->entry->preheader);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(snapshot->work->context->llvm);
  LLVMPositionBuilderBefore(builder, before);
  Bounds bounds = bounds_of_all(snapshot, builder, group, before);
  LLVMValueRef bytes = bytes_between(snapshot, builder, bounds);
  LLVMValueRef copy = nb_copy_allocate(snapshot->linear, builder, bytes, 1);
  LLVMValueRef low = bounds.low;
  LLVMValueRef from = LLVMBuildGEP2(builder, byte_type(snapshot), group->array, &low, 1, "");
  LLVMBuildMemCpy(builder, copy, 1, from, 1, bytes);
  LLVMValueRef back = LLVMBuildNeg(builder, bounds.low, "");
  LLVMValueRef base = LLVMBuildGEP2(builder, byte_type(snapshot), copy, &back, 1, "");
  for (unsigned i = 0; i < group->reads.count; i++)
    nb_copy_read(snapshot->linear, ((const Read *)group->reads.items[i])->load, base,
                 alignment_of(group));
  LLVMDisposeBuilder(builder);
}

bool nb_snapshot(const NbPlan *plan) {
  NbLinear *linear = plan->linear;
  NbArena *arena = linear->work->context->arena;
  const NbContext *context = linear->work->context;
  if (nb_without(context, NB_OPTIMISATION_CUT) || nb_without(context, NB_OPTIMISATION_SNAPSHOT))
    return false;
  NbBetween between = nb_between_new(linear);
  Snapshot snapshot = {plan, linear, linear->work, &between, nb_list(arena), nb_list(arena)};
  bool rows = !nb_without(context, NB_OPTIMISATION_WHOLE);
  bool any = rows && nb_copy_objects(plan);
  find_ends(&snapshot);
  find_groups(&snapshot);
  if (rows)
    join_rows(&snapshot);
  for (unsigned i = 0; i < snapshot.groups.count; i++)
    if (is_worthwhile(snapshot.groups.items[i])) {
      copy_group(&snapshot, snapshot.groups.items[i]);
      any = true;
    }
  return any;
}
