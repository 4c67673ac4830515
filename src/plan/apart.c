// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* C lets a function's arguments overlap, so that a matrix which is only read has to be kept once a
 * step where a state is overwritten in each. Callers mostly pass memory that lies apart. Where the
 * bytes that each parameter leads to can be computed on entry, at once or by a run of what is left
 * of the function without its numbers (plan/reach.c), two versions of the derivative are made, and
 * the test that is written here chooses. */
#include "plan/apart.h"

#include "objects/graph.h"
#include "plan/extent.h"
#include "plan/reach.h"
#include "plan/touch.h"

#include <string.h>

enum { MAX_PARAMETERS = 12, MAX_ACCESSES = 96 };

/* No sum of addresses wraps around within this distance. */
static const double LARGEST_REACH = 0x1p60;

typedef struct Access {
  NbSpan *address;
  uint64_t bytes;
  NbSpan *length; /* of a transfer: as many bytes more; NULL */
} Access;

typedef struct Area {
  LLVMValueRef parameter, shadow; /* NULL: no shadow */
  bool written;
  NbList accesses;
  LLVMValueRef low, high; /* distances in bytes from the parameter */
  LLVMValueRef nothing;   /* an i1: is nothing touched there? NULL: never */
} Area;

typedef struct Apart {
  const NbPlan *plan;
  const NbLinear *linear;
  const NbWork *work;
  LLVMValueRef before; /* the end of the entry block */
  unsigned count, access_count;
  Area areas[MAX_PARAMETERS];
  LLVMBuilderRef builder;
  LLVMValueRef holds, of_shadows; /* i1s */
} Apart;

/* --- What is accessed --------------------------------------------------------------------------
 */

static Area *find_area(Apart *apart, LLVMValueRef parameter) {
  for (unsigned i = 0; i < apart->count; i++)
    if (apart->areas[i].parameter == parameter)
      return &apart->areas[i];
  return NULL;
}

static Area *area_of(Apart *apart, LLVMValueRef parameter) {
  Area *known = find_area(apart, parameter);
  if (known || apart->count == MAX_PARAMETERS)
    return known;
  Area *area = &apart->areas[apart->count++];
  *area = (Area){.parameter = parameter, .accesses = nb_list(apart->work->context->arena)};
  area->shadow = nb_linear_shadow(apart->linear, parameter, 0);
  return area;
}

/* The values in all iterations; NULL where they are not known on entry. */
static NbSpan *span_of(const Apart *apart, LLVMValueRef inst, LLVMValueRef value,
                       LLVMValueRef base) {
  NbSpan *span = nb_span_of(apart->work, value, base, LLVMGetInstructionParent(inst), NULL);
  return span && nb_span_is_safe(apart->work, span, apart->before) ? span : NULL;
}

/* False where it is not known on entry which bytes are touched. */
static bool add_touch(Apart *apart, LLVMValueRef inst, const NbTouch *touch) {
  LLVMValueRef object = nb_memory_underlying(touch->pointer);
  Area *area = LLVMIsAArgument(object) ? area_of(apart, object) : NULL;
  if (!area || apart->access_count++ == MAX_ACCESSES)
    return false;
  Access *access = NB_NEW(apart->work->context->arena, Access);
  *access =
      (Access){.address = span_of(apart, inst, touch->pointer, object), .bytes = touch->bytes};
  if (touch->length)
    access->length = span_of(apart, inst, touch->length, NULL);
  nb_list_push(&area->accesses, access);
  area->written = area->written || touch->writes;
  return access->address && (access->length || !touch->length);
}

static bool add_instruction(Apart *apart, LLVMValueRef inst) {
  NbTouches touches = nb_touches_of(apart->work->context, inst);
  bool ok = touches.known && !touches.callee;
  for (unsigned i = 0; ok && i < touches.count; i++)
    ok = add_touch(apart, inst, &touches.items[i]);
  return ok;
}

/* The instructions of the primal; those of the shadow program do the same elsewhere. */
static bool add_all(Apart *apart) {
  const NbMap *primal = apart->linear->following;
  for (unsigned i = 0; i < nb_map_count(primal); i++)
    if (!add_instruction(apart, (LLVMValueRef)nb_map_key(primal, i)))
      return false;
  return apart->count > 1;
}

/* Of each parameter, whether anything here or in callees writes to what it leads to. One that is
 * not used may be poison. */
static bool add_parameters(Apart *apart) {
  apart->count = 0;
  for (unsigned i = 0; i < apart->work->request->count; i++) {
    LLVMValueRef parameter = LLVMGetParam(apart->work->function, i);
    if (LLVMGetTypeKind(LLVMTypeOf(parameter)) != LLVMPointerTypeKind ||
        !LLVMGetFirstUse(LLVMGetParam(apart->work->request->function, i)))
      continue;
    Area *area = area_of(apart, parameter);
    if (!area)
      return false;
    const NbClass *class = nb_objects_class(apart->linear->objects, parameter);
    area->written = (class->flags & NB_CLASS_WRITTEN) != 0;
  }
  return apart->count > 1;
}

/* --- What it is good for ------------------------------------------------------------------------
 */

/* Is the load, or a copy of what it reads, kept only because others write to what may be the same
 * memory? */
static bool is_kept_for_others(Apart *apart, LLVMValueRef load) {
  LLVMValueRef object = nb_memory_underlying(LLVMGetOperand(load, 0));
  const Area *area = find_area(apart, object);
  return area && !area->written;
}

static const NbWorkLoop *loop_of(const Apart *apart, LLVMValueRef inst) {
  return nb_work_block_of(apart->work, inst)->loop;
}

static bool is_written_in(const Apart *apart, LLVMValueRef array, const NbWorkLoop *loop) {
  const NbMap *primal = apart->linear->following;
  for (unsigned i = 0; i < nb_map_count(primal); i++) {
    LLVMValueRef inst = (LLVMValueRef)nb_map_key(primal, i);
    if (LLVMIsAStoreInst(inst) && nb_memory_underlying(LLVMGetOperand(inst, 1)) == array &&
        nb_work_loop_contains(loop, loop_of(apart, inst)))
      return true;
  }
  return false;
}

/* Do two kept loads read neighbours of a parameter's array, so that a copy of it would do if nobody
 * else wrote there? */
static bool are_neighbours(const Apart *apart, LLVMValueRef one, LLVMValueRef other) {
  LLVMValueRef array = nb_memory_underlying(LLVMGetOperand(one, 0));
  const NbWorkLoop *loop = loop_of(apart, one);
  return one != other && LLVMIsAArgument(array) && loop && loop == loop_of(apart, other) &&
         nb_memory_underlying(LLVMGetOperand(other, 0)) == array &&
         !is_written_in(apart, array, loop);
}

/* Does the load read the same in each iteration of the loop around its own, while only others
 * write?
 */
static bool is_repeated(const Apart *apart, LLVMValueRef load) {
  LLVMValueRef pointer = LLVMGetOperand(load, 0);
  const NbWorkLoop *loop = loop_of(apart, load);
  if (!loop || !loop->parent || !LLVMIsAArgument(nb_memory_underlying(pointer)))
    return false;
  const NbSpan *span = nb_span_of(apart->work, pointer, nb_memory_underlying(pointer),
                                  LLVMGetInstructionParent(load), loop->parent);
  return span && span->count == 1 &&
         !is_written_in(apart, nb_memory_underlying(pointer), loop->parent);
}

static NbList kept_loads(const Apart *apart) {
  NbList loads = nb_list(apart->work->context->arena);
  for (unsigned i = 0; i < apart->plan->residuals.count; i++) {
    const NbSlot *slot = apart->plan->residuals.items[i];
    if (slot->value && LLVMIsALoadInst(slot->value) && loads.count < MAX_ACCESSES)
      nb_list_push(&loads, slot->value);
  }
  return loads;
}

static bool calls_want(const NbPlan *plan) {
  for (unsigned i = 0; i < plan->residuals.count; i++) {
    const NbSlot *slot = plan->residuals.items[i];
    if (slot->call && slot->call->callee->wants_apart)
      return true;
  }
  return false;
}

static bool add_operands(const Apart *apart, NbMap *reached, LLVMValueRef inst) {
  if (!nb_plan_repeatable(apart->linear, inst))
    return false;
  for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(inst); i++) {
    LLVMValueRef operand = LLVMGetOperand(inst, i);
    if (LLVMIsAInstruction(operand))
      nb_map_set(reached, operand, operand);
  }
  return nb_map_count(reached) < MAX_ACCESSES;
}

/* Can the value be computed again but for loads that are kept for others? `spoilt`: of which
 * parameters the caller overwrites the memory; NULL: of none. */
static bool is_lost_to_others(Apart *apart, LLVMValueRef value, const bool *spoilt) {
  NbMap *reached = nb_map_new(apart->work->context->arena);
  bool lost = false;
  nb_map_set(reached, value, value);
  for (unsigned i = 0; i < nb_map_count(reached); i++) {
    LLVMValueRef inst = (LLVMValueRef)nb_map_key(reached, i);
    if (!LLVMIsALoadInst(inst) || nb_plan_repeatable(apart->linear, inst)) {
      if (!add_operands(apart, reached, inst))
        return false;
      continue;
    }
    LLVMValueRef object = nb_memory_underlying(LLVMGetOperand(inst, 0));
    if (!is_kept_for_others(apart, inst) || (spoilt && spoilt[nb_parameter_index(object)]))
      return false;
    lost = true;
  }
  return lost;
}

/* What is computed from loads, outside of loops, is too little to ask for. */
static bool any_is_lost_to_others(Apart *apart, const bool *spoilt) {
  for (unsigned i = 0; i < apart->plan->residuals.count; i++) {
    const NbSlot *slot = apart->plan->residuals.items[i];
    bool counts = slot->value && LLVMIsAInstruction(slot->value) &&
                  (slot->loop || LLVMIsALoadInst(slot->value));
    if (counts && is_lost_to_others(apart, slot->value, spoilt))
      return true;
  }
  return false;
}

/* Is anything that is kept, or a load that was copied, lost to others alone? */
static bool any_is_kept_for_others(Apart *apart) {
  const NbMap *copied = apart->linear->again;
  for (unsigned i = 0; i < nb_map_count(copied); i++)
    if (is_kept_for_others(apart, (LLVMValueRef)nb_map_key(copied, i)))
      return true;
  return any_is_lost_to_others(apart, NULL);
}

static LLVMValueRef shadow_in_nest(const NbWorkBlock *block, const NbStatement *statement) {
  bool inside = block->loop && block->loop->parent && statement->addresses;
  LLVMValueRef object = inside ? nb_memory_underlying(statement->addresses[0]) : NULL;
  return object && LLVMIsAArgument(object) ? object : NULL;
}

/* Do loops in loops go through the shadows of several parameters? There adjoints stay in registers,
 * and loops are vectors, where LLVM knows that these are not the same. */
static bool has_nest(const NbPlan *plan) {
  LLVMValueRef first = NULL;
  for (unsigned i = 0; i < plan->linear->work->block_count; i++)
    for (const NbStatement *at = plan->linear->blocks[i].first; at; at = at->next) {
      LLVMValueRef shadow = shadow_in_nest(&plan->linear->work->blocks[i], at);
      if (shadow && first && shadow != first)
        return true;
      first = shadow ? shadow : first;
    }
  return false;
}

static bool is_worthwhile(Apart *apart) {
  NbList loads = kept_loads(apart);
  if (any_is_kept_for_others(apart) || has_nest(apart->plan))
    return true;
  for (unsigned i = 0; i < loads.count; i++) {
    if (is_repeated(apart, loads.items[i]))
      return true;
    for (unsigned k = i + 1; k < loads.count; k++)
      if (are_neighbours(apart, loads.items[i], loads.items[k]))
        return true;
  }
  return false;
}

static bool is_of_parameter(LLVMValueRef pointer) {
  LLVMValueRef object = nb_memory_underlying(pointer);
  return !LLVMIsAAllocaInst(object) && !LLVMIsACallInst(object);
}

bool nb_apart_keeps_addresses(const NbPlan *plan) {
  for (unsigned i = 0; i < plan->residuals.count; i++) {
    const NbSlot *slot = plan->residuals.items[i];
    if (!slot->value || !nb_type_has_pointer(LLVMTypeOf(slot->value)))
      continue;
    if (LLVMGetTypeKind(LLVMTypeOf(slot->value)) != LLVMPointerTypeKind ||
        is_of_parameter(slot->value))
      return true;
  }
  return false;
}

/* --- The test ------------------------------------------------------------------------------------
 */

static LLVMTypeRef integer_type(const Apart *apart) {
  return LLVMInt64TypeInContext(apart->work->context->llvm);
}

static void require_of_primal(Apart *apart, LLVMValueRef condition) {
  apart->holds = LLVMBuildAnd(apart->builder, apart->holds, condition, "");
}

static void require(Apart *apart, LLVMValueRef condition) {
  require_of_primal(apart, condition);
  apart->of_shadows = LLVMBuildAnd(apart->builder, apart->of_shadows, condition, "");
}

static LLVMValueRef extreme(Apart *apart, LLVMIntPredicate wanted, LLVMValueRef one,
                            LLVMValueRef other) {
  if (!one)
    return other;
  LLVMValueRef first = LLVMBuildICmp(apart->builder, wanted, one, other, "");
  return LLVMBuildSelect(apart->builder, first, one, other, "");
}

static void measure_access(Apart *apart, Area *area, const Access *access) {
  LLVMBuilderRef builder = apart->builder;
  LLVMTypeRef real = LLVMDoubleTypeInContext(apart->work->context->llvm);
  NbHull hull = nb_span_write(apart->work, builder, access->address, apart->before);
  LLVMValueRef bytes = LLVMConstInt(integer_type(apart), access->bytes, false);
  if (access->length) {
    NbHull length = nb_span_write(apart->work, builder, access->length, apart->before);
    hull.reach = LLVMBuildFAdd(builder, hull.reach, length.reach, "");
    bytes = length.greatest;
  }
  LLVMValueRef end = LLVMBuildAdd(builder, hull.greatest, bytes, "");
  LLVMValueRef limit = LLVMConstReal(real, LARGEST_REACH);
  require(apart, LLVMBuildFCmp(builder, LLVMRealOLT, hull.reach, limit, ""));
  area->low = extreme(apart, LLVMIntSLT, area->low, hull.least);
  area->high = extreme(apart, LLVMIntSGT, area->high, end);
}

typedef struct Range {
  LLVMValueRef start, end, nothing;
} Range;

static LLVMValueRef lie_apart(Apart *apart, Range here, Range there) {
  LLVMBuilderRef builder = apart->builder;
  LLVMValueRef below = LLVMBuildICmp(builder, LLVMIntULE, here.end, there.start, "");
  LLVMValueRef above = LLVMBuildICmp(builder, LLVMIntULE, there.end, here.start, "");
  LLVMValueRef holds = LLVMBuildOr(builder, below, above, "");
  if (here.nothing)
    holds = LLVMBuildOr(builder, holds, here.nothing, "");
  if (there.nothing)
    holds = LLVMBuildOr(builder, holds, there.nothing, "");
  return holds;
}

/* The bytes behind a parameter, or behind its shadow, in which they lie as far from it. */
static Range range_of(Apart *apart, const Area *area, LLVMValueRef pointer) {
  LLVMTypeRef byte = LLVMInt8TypeInContext(apart->work->context->llvm);
  LLVMValueRef low = area->low, high = area->high;
  LLVMValueRef start = LLVMBuildGEP2(apart->builder, byte, pointer, &low, 1, "");
  LLVMValueRef end = LLVMBuildGEP2(apart->builder, byte, pointer, &high, 1, "");
  return (Range){start, end, area->nothing};
}

static void compare(Apart *apart, const Area *one, const Area *other) {
  Range here = range_of(apart, one, one->parameter);
  Range there = range_of(apart, other, other->parameter);
  if (one->written || other->written)
    require_of_primal(apart, lie_apart(apart, here, there));
  if (!one->shadow || !other->shadow)
    return;
  here = range_of(apart, one, one->shadow);
  there = range_of(apart, other, other->shadow);
  require(apart, lie_apart(apart, here, there));
}

static void compare_all(Apart *apart) {
  for (unsigned i = 0; i < apart->count; i++)
    for (unsigned k = i + 1; k < apart->count; k++)
      compare(apart, &apart->areas[i], &apart->areas[k]);
}

static void write_test(Apart *apart) {
  for (unsigned i = 0; i < apart->count; i++)
    for (unsigned k = 0; k < apart->areas[i].accesses.count; k++)
      measure_access(apart, &apart->areas[i], apart->areas[i].accesses.items[k]);
  compare_all(apart);
}

static LLVMValueRef call_reach(const Apart *apart, LLVMValueRef reach) {
  unsigned count = apart->work->request->count;
  LLVMValueRef *arguments = NB_NEW_ARRAY(apart->work->context->arena, LLVMValueRef, count + 1);
  for (unsigned i = 0; i < count; i++)
    arguments[i] = LLVMGetParam(apart->work->function, i);
  LLVMTypeRef type = LLVMGlobalGetValueType(reach);
  return LLVMBuildCall2(apart->builder, type, reach, arguments, count, "");
}

/* The same, where a function tells how far the areas go. */
static void write_test_by(Apart *apart, LLVMValueRef reach) {
  LLVMBuilderRef builder = apart->builder;
  LLVMValueRef result = call_reach(apart, reach);
  for (unsigned i = 0; i < apart->count; i++) {
    Area *area = &apart->areas[i];
    unsigned index = nb_parameter_index(area->parameter);
    area->low = LLVMBuildExtractValue(builder, result, 2 * index, "");
    area->high = LLVMBuildExtractValue(builder, result, 2 * index + 1, "");
    area->nothing = LLVMBuildICmp(builder, LLVMIntSGE, area->low, area->high, "");
  }
  unsigned known = 2 * apart->work->request->count;
  require(apart, LLVMBuildExtractValue(builder, result, known, ""));
  compare_all(apart);
}

/* --- A function of its own -----------------------------------------------------------------------
 */

typedef struct Copy {
  const Apart *apart;
  LLVMValueRef function;
  LLVMBuilderRef builder;
  NbMap *copies;
  bool ok;
} Copy;

/* Does the load see what was there when the function was called? */
static bool reads_at_start(const Copy *copy, LLVMValueRef load) {
  LLVMBasicBlockRef entry = LLVMGetInstructionParent(copy->apart->before);
  if (!LLVMIsALoadInst(load) || LLVMGetVolatile(load) ||
      LLVMGetOrdering(load) != LLVMAtomicOrderingNotAtomic ||
      LLVMGetInstructionParent(load) != entry)
    return false;
  for (LLVMValueRef inst = LLVMGetFirstInstruction(entry); inst != load;
       inst = LLVMGetNextInstruction(inst))
    if (nb_memory_may_write_any(inst))
      return false;
  return true;
}

static LLVMValueRef copy_value(Copy *copy, LLVMValueRef value) {
  if (LLVMIsAArgument(value))
    return LLVMGetParam(copy->function, nb_parameter_index(value));
  if (!LLVMIsAInstruction(value) || nb_map_has(copy->copies, value))
    return LLVMIsAInstruction(value) ? nb_map_get(copy->copies, value) : value;
  bool pure = !LLVMIsAPHINode(value) && !LLVMIsAAllocaInst(value) &&
              !nb_memory_may_write_any(value) &&
              (!nb_memory_may_read_any(value) || reads_at_start(copy, value));
  copy->ok = copy->ok && pure;
  if (!copy->ok)
    return LLVMGetPoison(LLVMTypeOf(value));
  LLVMValueRef clone = LLVMInstructionClone(value);
  unsigned count =
      LLVMIsACallInst(value) ? LLVMGetNumArgOperands(value) : (unsigned)LLVMGetNumOperands(value);
  for (unsigned i = 0; i < count; i++)
    LLVMSetOperand(clone, i, copy_value(copy, LLVMGetOperand(value, i)));
  LLVMInsertIntoBuilder(copy->builder, clone);
  nb_map_set(copy->copies, value, clone);
  return clone;
}

static LLVMValueRef declare(const Apart *apart) {
  NbContext *context = apart->work->context;
  unsigned count = LLVMCountParams(apart->work->function);
  LLVMTypeRef *types = NB_NEW_ARRAY(context->arena, LLVMTypeRef, count + 1);
  LLVMGetParamTypes(LLVMGlobalGetValueType(apart->work->function), types);
  LLVMTypeRef type = LLVMFunctionType(LLVMInt1TypeInContext(context->llvm), types, count, false);
  const char *name =
      nb_arena_print(context->arena, "nabla.apart.%s", nb_name(apart->work->request->function));
  LLVMValueRef function = LLVMAddFunction(context->module, name, type);
  LLVMSetLinkage(function, LLVMInternalLinkage);
  nb_attributes_copy_target(function, apart->work->request->function);
  return function;
}

static LLVMValueRef move_out(const Apart *apart, LLVMValueRef condition) {
  NbContext *context = apart->work->context;
  LLVMValueRef function = declare(apart);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  LLVMPositionBuilderAtEnd(builder,
                           LLVMAppendBasicBlockInContext(context->llvm, function, "entry"));
  Copy copy = {apart, function, builder, nb_map_new(context->arena), true};
  LLVMBuildRet(builder, copy_value(&copy, condition));
  LLVMDisposeBuilder(builder);
  if (copy.ok)
    return function;
  LLVMDeleteFunction(function);
  return NULL;
}

static bool any_is_guarded(const NbRequest *request) {
  for (unsigned i = 0; request->guarded && i < request->count; i++)
    if (request->guarded[i])
      return true;
  return false;
}

/* Can there be a version that relies on memory's lying apart? */
static bool may_be_asked(const NbPlan *plan) {
  const NbLinear *linear = plan->linear;
  const NbRequest *request = linear->work->request;
  bool wide = LLVMPointerSize(linear->work->context->layout) == sizeof(uint64_t);
  return !request->apart && !any_is_guarded(request) && linear->width == 1 &&
         linear->shadow_scope && wide && !nb_without(linear->work->context, NB_OPTIMISATION_APART);
}

bool nb_apart_is_wanted(const NbPlan *plan) {
  Apart apart = {.plan = plan, .linear = plan->linear, .work = plan->linear->work};
  if (apart.work->request->apart || !add_parameters(&apart))
    return false;
  return any_is_kept_for_others(&apart) || calls_want(plan);
}

/* The test of a callee is made in each call. */
static bool is_wanted_inside(const NbPlan *plan) {
  Apart apart = {.plan = plan, .linear = plan->linear, .work = plan->linear->work};
  const bool *spoilt = apart.work->request->overwritten;
  return add_parameters(&apart) &&
         (has_nest(plan) || (spoilt && any_is_lost_to_others(&apart, spoilt)));
}

NbApartTests nb_apart_tests(const NbPlan *plan) {
  static const NbApartTests none = {NULL, NULL};
  const NbWork *work = plan->linear->work;
  NbContext *context = work->context;
  if (!may_be_asked(plan))
    return none;
  Apart apart = {.plan = plan, .linear = plan->linear, .work = work};
  apart.before = LLVMGetBasicBlockTerminator(LLVMGetEntryBasicBlock(work->function));
  apart.holds = apart.of_shadows = LLVMConstInt(LLVMInt1TypeInContext(context->llvm), 1, false);
  bool inside = !work->request->top && !plan->opaque;
  if (inside && !is_wanted_inside(plan))
    return none;
  bool at_once = add_all(&apart);
  if (!inside && !(at_once ? is_worthwhile(&apart) : nb_apart_is_wanted(plan)))
    return none;
  LLVMValueRef reach = at_once ? NULL : nb_reach_of(context, work->request->function);
  if (!at_once && (!reach || !add_parameters(&apart)))
    return none;
  apart.builder = LLVMCreateBuilderInContext(context->llvm);
  LLVMPositionBuilderBefore(apart.builder, apart.before);
  if (at_once)
    write_test(&apart);
  else
    write_test_by(&apart, reach);
  LLVMDisposeBuilder(apart.builder);
  NbApartTests tests = {move_out(&apart, apart.holds), NULL};
  if (inside && tests.whole)
    tests.of_shadows = move_out(&apart, apart.of_shadows);
  return tests;
}
