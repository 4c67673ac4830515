// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Several loops in a row read an object, in whatever order, before it is overwritten: each would
 * keep what it reads. One copy of the object serves all of them. It is made where the first of them
 * begins, in each iteration of the loop around them.
 *
 * The object is one that the function itself allocates, so that every byte of it can be read. That
 * the copy is no larger than the values is known where one of the loops goes through the object
 * from end to end. A loop that overwrites each element behind its reading it, and reads no other,
 * sees what was there before it began, and so may be the last of them. */
#include "plan/between.h"
#include "plan/copy.h"
#include "plan/extent.h"

#include <stdlib.h>

typedef struct Read {
  LLVMValueRef load;
  const NbWorkLoop *top; /* the outermost loop in which it sees what was there before the loop */
} Read;

typedef struct Object {
  LLVMValueRef call; /* that allocates it */
  const NbRule *rule;
  const NbWorkLoop *around; /* the loop around all `top`; NULL: the function */
  NbList reads;
  LLVMBasicBlockRef site; /* at the end of which the copy is made */
} Object;

typedef struct Whole {
  const NbPlan *plan;
  NbLinear *linear;
  NbWork *work;
  NbList objects;
  NbBetween *between;
} Whole;

static const NbWorkLoop *loop_of(const Whole *whole, LLVMValueRef inst) {
  return nb_work_block_of(whole->work, inst)->loop;
}

/* --- Which loads -------------------------------------------------------------------------------
 */

typedef struct Question {
  const Whole *whole;
  const Object *object;
  const Read *read;
} Question;

static bool is_before(const Whole *whole, LLVMValueRef call, const NbWorkLoop *loop) {
  return !nb_work_loop_contains(loop, loop_of(whole, call));
}

static void find_top(const Whole *whole, LLVMValueRef call, Read *read) {
  NbEffects *effects = whole->linear->effects;
  const NbWorkLoop *loop = loop_of(whole, read->load);
  while (loop && is_before(whole, call, loop) && nb_effects_lasts_in(effects, read->load, loop)) {
    read->top = loop;
    loop = loop->parent;
  }
  bool own = !read->top && loop && is_before(whole, call, loop);
  if (own && nb_between_overwrites_behind(whole->between, read->load))
    read->top = loop;
}

static const NbRule *allocation_rule(const Whole *whole, LLVMValueRef call) {
  const NbRule *rule =
      LLVMIsACallInst(call) ? nb_rule_of_call(whole->work->context, call, NULL) : NULL;
  return rule && rule->kind == NB_RULE_ALLOCATE && rule->extent ? rule : NULL;
}

static Object *object_of(Whole *whole, LLVMValueRef call, const NbRule *rule,
                         const NbWorkLoop *around) {
  for (unsigned i = 0; i < whole->objects.count; i++) {
    Object *known = whole->objects.items[i];
    if (known->call == call && known->around == around)
      return known;
  }
  NbArena *arena = whole->work->context->arena;
  Object *object = NB_NEW(arena, Object);
  *object = (Object){.call = call, .rule = rule, .around = around, .reads = nb_list(arena)};
  nb_list_push(&whole->objects, object);
  return object;
}

static bool is_candidate(const Whole *whole, LLVMValueRef load) {
  return LLVMIsALoadInst(load) && loop_of(whole, load) &&
         nb_map_has(whole->linear->following, load) && nb_access_is_plain(load) &&
         !nb_type_has_pointer(LLVMTypeOf(load));
}

static void find_reads(Whole *whole) {
  for (unsigned i = 0; i < whole->plan->residuals.count; i++) {
    const NbSlot *slot = whole->plan->residuals.items[i];
    if (!slot->value || !is_candidate(whole, slot->value))
      continue;
    LLVMValueRef call = nb_copy_array(LLVMGetOperand(slot->value, 0));
    const NbRule *rule = call ? allocation_rule(whole, call) : NULL;
    if (!rule)
      continue;
    Read *read = NB_NEW(whole->work->context->arena, Read);
    *read = (Read){.load = slot->value};
    find_top(whole, call, read);
    if (read->top)
      nb_list_push(&object_of(whole, call, rule, read->top->parent)->reads, read);
  }
}

/* --- What the copy is good for -----------------------------------------------------------------
 */

/* Where the first loop begins. */
static void find_site(const Whole *whole, Object *object) {
  const NbWorkLoop *first = NULL;
  for (unsigned i = 0; i < object->reads.count; i++) {
    const NbWorkLoop *top = ((const Read *)object->reads.items[i])->top;
    if (!first || nb_work_block(whole->work, top->header)->index <
                      nb_work_block(whole->work, first->header)->index)
      first = top;
  }
  object->site = first->preheader;
}

/* Does the writer stand between the copy and the loop that reads? Or may it free the object before
 * the copy is made? */
static bool comes_between(const void *data, LLVMValueRef writer) {
  const Question *question = data;
  const Object *object = question->object;
  LLVMBasicBlockRef block = LLVMGetInstructionParent(writer);
  LLVMBasicBlockRef start = LLVMGetInstructionParent(object->call);
  bool frees = !LLVMIsAStoreInst(writer) && !LLVMIsAMemCpyInst(writer) &&
               !LLVMIsAMemMoveInst(writer) && !LLVMIsAMemSetInst(writer) &&
               !allocation_rule(question->whole, writer);
  NbBetween *between = question->whole->between;
  if (frees && (block == object->site || nb_between_reaches(between, block, object->site, start)))
    return true;
  return !nb_work_loop_contains(question->read->top, loop_of(question->whole, writer)) &&
         nb_between_stands(between, object->site, question->read->top, writer);
}

static bool sees_copy(const Whole *whole, const Object *object, const Read *read) {
  const Question question = {whole, object, read};
  NbAnalyses *analyses = whole->work->context->analyses;
  return nb_block_dominates(analyses, object->site, read->top->header) &&
         !nb_effects_changed_by(whole->linear->effects, read->load, NULL, comes_between, &question);
}

static void drop_others(const Whole *whole, Object *object) {
  NbList kept = nb_list(whole->work->context->arena);
  for (unsigned i = 0; i < object->reads.count; i++)
    if (sees_copy(whole, object, object->reads.items[i]))
      nb_list_push(&kept, object->reads.items[i]);
  object->reads = kept;
}

static NbScev *estimate(const Whole *whole, NbScev *scev) {
  return scev ? nb_scev_estimate(whole->work->context->analyses, whole->work->function, scev)
              : NULL;
}

/* Does the load go through all of the object, `bytes` long, while its loop runs once? */
static bool reads_all(const Whole *whole, const Object *object, const Read *read,
                      LLVMValueRef bytes) {
  NbAnalyses *analyses = whole->work->context->analyses;
  LLVMValueRef function = whole->work->function;
  const NbWorkLoop *own = loop_of(whole, read->load);
  const NbSpan *span = nb_span_of(whole->work, LLVMGetOperand(read->load, 0), object->call,
                                  LLVMGetInstructionParent(read->load), own);
  int64_t step, rest;
  if (!span || span->count != 1 || span->rounds[0]->count != 0 ||
      !nb_scev_is_constant(span->steps[0], &step) ||
      (uint64_t)llabs(step) != nb_store_size(whole->work->context, LLVMTypeOf(read->load)))
    return false;
  NbScev *way = estimate(whole, span->rounds[0]->start), *pace = estimate(whole, span->steps[0]);
  NbScev *size = estimate(whole, nb_scev_of(analyses, function, bytes));
  if (!way || !pace || !size)
    return false;
  way = nb_scev_times(analyses, function, way, pace);
  NbScev *gap = step > 0 ? nb_scev_minus(analyses, function, size, way)
                         : nb_scev_plus(analyses, function, size, way);
  return gap && nb_scev_is_constant(gap, &rest) && rest == llabs(step);
}

/* Does the load run in each iteration of its loop, and that loop once the copy has been made? */
static bool is_sure(const Whole *whole, const Object *object, const Read *read) {
  NbAnalyses *analyses = whole->work->context->analyses;
  const NbWorkLoop *own = loop_of(whole, read->load);
  if (own != read->top || !nb_work_is_left_at_end(whole->work, own) ||
      !nb_block_dominates(analyses, LLVMGetInstructionParent(read->load), own->latch))
    return false;
  NbList conditions = nb_list(whole->work->context->arena);
  return nb_between_conditions(whole->between, object->site, own, &conditions) && !conditions.count;
}

static bool is_worthwhile(const Whole *whole, const Object *object, LLVMValueRef bytes) {
  for (unsigned i = 0; i < object->reads.count && object->reads.count > 1; i++)
    if (is_sure(whole, object, object->reads.items[i]) &&
        reads_all(whole, object, object->reads.items[i], bytes))
      return true;
  return false;
}

/* --- The copy ----------------------------------------------------------------------------------
 */

static unsigned alignment_of(LLVMValueRef load) {
  unsigned align = LLVMGetAlignment(load);
  return align < NB_TAPE_ALIGNMENT ? align : NB_TAPE_ALIGNMENT;
}

static bool copy_object(const Whole *whole, Object *object) {
  find_site(whole, object);
  drop_others(whole, object);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(whole->work->context->llvm);
  LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(object->call));
  LLVMValueRef bytes = nb_linear_allocated(whole->linear, builder, object->call, object->rule);
  bool worthwhile = is_worthwhile(whole, object, bytes);
  if (worthwhile) {
    LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(object->site));
    LLVMValueRef copy = nb_copy_allocate(whole->linear, builder, bytes, 1);
    LLVMBuildMemCpy(builder, copy, 1, object->call, 1, bytes);
    for (unsigned i = 0; i < object->reads.count; i++) {
      LLVMValueRef load = ((const Read *)object->reads.items[i])->load;
      nb_copy_read(whole->linear, load, copy, alignment_of(load));
    }
  }
  LLVMDisposeBuilder(builder);
  return worthwhile;
}

bool nb_copy_objects(const NbPlan *plan) {
  NbWork *work = plan->linear->work;
  NbBetween between = nb_between_new(plan->linear);
  Whole whole = {plan, plan->linear, work, nb_list(work->context->arena), &between};
  bool any = false;
  find_reads(&whole);
  for (unsigned i = 0; i < whole.objects.count; i++) {
    Object *object = whole.objects.items[i];
    any = (object->reads.count > 1 && copy_object(&whole, object)) || any;
  }
  return any;
}
