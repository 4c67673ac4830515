// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Which bytes a function touches, found out by a run of what is left of it without its numbers.
 *
 * A copy of the function keeps the integers that decide where control goes, and the calls, which
 * become calls of the same for their callees. Where the addresses in a loop are affine, so that
 * the ends of what they meet are known at its entry, they are computed there, and the loop goes if
 * nothing else is in it. What is left takes as long as the primal's control flow
 * without its innermost loops. It knows distances from pointers and not the pointers, so that two
 * calls which differ in these alone are one: a recursion that halves its argument takes as many
 * calls as it is deep. */
#include "plan/reach.h"

#include "bridge/body.h"
#include "checkpoint/checkpoint.h"
#include "objects/graph.h"
#include "plan/extent.h"
#include "plan/touch.h"
#include "request/registrations.h"

#include <string.h>

#define CLEAN_UP                                                                                   \
  "sroa,early-cse,instcombine<no-verify-fixpoint>,simplifycfg,loop-mssa(licm),gvn,"                \
  "loop(loop-deletion),sroa,adce,instcombine<no-verify-fixpoint>,simplifycfg"

enum { MOST_FUNCTIONS = 64, MOST_GROUPS = 48, MOST_LOOPS = 8 };
/* Of single accesses in a loop: where there is nothing else in it, and where other loops are. */
enum { MOST_STEPS = 4, MOST_STEPS_AROUND = 24 };

/* No sum of addresses wraps around within this distance. */
static const double LARGEST_REACH = 0x1p60;
static const int64_t LARGEST_SHIFT = INT64_C(1) << 32;

/* Accesses through one parameter whose addresses differ by constants. */
typedef struct Group {
  unsigned parameter;
  LLVMValueRef before; /* where their ends are computed */
  NbSpan *span, *length;
  int64_t low, high; /* in bytes, of all accesses beside the first */
} Group;

typedef struct Reach {
  NbContext *context;
  NbWork *work;
  LLVMBuilderRef builder;
  LLVMValueRef room;    /* what is returned */
  LLVMValueRef *stores; /* for each member the last that was written */
  NbMap *primal;        /* the instructions of the copy as it was */
  NbMap *kept;          /* those that it keeps */
  NbList groups;
  unsigned steps, steps_around; /* groups of a single iteration */
} Reach;

/* --- What is returned --------------------------------------------------------------------------
 */

static LLVMTypeRef word_type(const NbContext *context) {
  return LLVMInt64TypeInContext(context->llvm);
}

static LLVMTypeRef bit_type(const NbContext *context) {
  return LLVMInt1TypeInContext(context->llvm);
}

static LLVMValueRef word(const NbContext *context, int64_t value) {
  return LLVMConstInt(word_type(context), (uint64_t)value, true);
}

LLVMTypeRef nb_reach_type(const NbContext *context, LLVMValueRef primal) {
  unsigned count = 2 * LLVMCountParams(primal);
  LLVMTypeRef *types = NB_NEW_ARRAY(context->arena, LLVMTypeRef, count + 1);
  for (unsigned i = 0; i < count; i++)
    types[i] = word_type(context);
  types[count] = bit_type(context);
  return LLVMStructTypeInContext(context->llvm, types, count + 1, false);
}

static LLVMTypeRef function_type(const NbContext *context, LLVMValueRef primal) {
  unsigned count = LLVMCountParams(primal);
  LLVMTypeRef *types = NB_NEW_ARRAY(context->arena, LLVMTypeRef, count + 1);
  LLVMGetParamTypes(LLVMGlobalGetValueType(primal), types);
  return LLVMFunctionType(nb_reach_type(context, primal), types, count, false);
}

static LLVMValueRef member(const Reach *reach, unsigned index) {
  LLVMTypeRef type = nb_reach_type(reach->context, reach->work->request->function);
  return LLVMBuildStructGEP2(reach->builder, type, reach->room, index, "");
}

static unsigned flag_index(const Reach *reach) { return 2 * reach->work->request->count; }

/* What the member holds at the end of the block that is written, and by which store: a later one of
 * the same block takes its place. All are written there, in order. */
static LLVMValueRef take(const Reach *reach, unsigned index, LLVMTypeRef type) {
  LLVMValueRef store = reach->stores[index];
  if (!store || LLVMGetInstructionParent(store) != LLVMGetInsertBlock(reach->builder))
    return LLVMBuildLoad2(reach->builder, type, member(reach, index), "");
  LLVMValueRef known = LLVMGetOperand(store, 0);
  LLVMInstructionEraseFromParent(store);
  return known;
}

static void put(const Reach *reach, unsigned index, LLVMValueRef value) {
  reach->stores[index] = LLVMBuildStore(reach->builder, value, member(reach, index));
}

static void require(const Reach *reach, LLVMValueRef condition) {
  LLVMValueRef known = take(reach, flag_index(reach), bit_type(reach->context));
  put(reach, flag_index(reach), LLVMBuildAnd(reach->builder, known, condition, ""));
}

static void extend(const Reach *reach, unsigned index, LLVMIntPredicate wanted,
                   LLVMValueRef value) {
  LLVMValueRef known = take(reach, index, word_type(reach->context));
  LLVMValueRef other = LLVMBuildICmp(reach->builder, wanted, value, known, "");
  put(reach, index, LLVMBuildSelect(reach->builder, other, value, known, ""));
}

static void note(const Reach *reach, unsigned parameter, LLVMValueRef low, LLVMValueRef high) {
  extend(reach, 2 * parameter, LLVMIntSLT, low);
  extend(reach, 2 * parameter + 1, LLVMIntSGT, high);
}

/* --- Accesses ----------------------------------------------------------------------------------
 */

static bool same_span(const NbSpan *one, const NbSpan *other) {
  if (one->count != other->count)
    return false;
  for (unsigned i = 0; i < one->count; i++)
    if (one->steps[i] != other->steps[i] || one->rounds[i]->start != other->rounds[i]->start ||
        !same_span(one->rounds[i], other->rounds[i]))
      return false;
  return true;
}

/* Is the access one of the group's? */
static bool joins(const Reach *reach, Group *group, const Group *access) {
  int64_t shift = 0;
  if (group->parameter != access->parameter || group->before != access->before || group->length ||
      access->length || !same_span(group->span, access->span))
    return false;
  NbScev *difference = nb_scev_minus(reach->context->analyses, reach->work->function,
                                     access->span->start, group->span->start);
  if (!difference || !nb_scev_is_constant(difference, &shift) || shift > LARGEST_SHIFT ||
      shift < -LARGEST_SHIFT)
    return false;
  int64_t high = shift + access->high;
  group->low = shift < group->low ? shift : group->low;
  group->high = high > group->high ? high : group->high;
  return true;
}

static bool add_group(Reach *reach, const Group *access) {
  for (unsigned i = 0; i < reach->groups.count; i++)
    if (joins(reach, reach->groups.items[i], access))
      return true;
  Group *group = NB_NEW(reach->context->arena, Group);
  *group = *access;
  nb_list_push(&reach->groups, group);
  return reach->groups.count <= MOST_GROUPS;
}

static bool is_safe(const Reach *reach, const NbSpan *span, LLVMValueRef before) {
  return span && nb_span_is_safe(reach->work, span, before);
}

/* Finds what is touched while `outer` runs; false where that is not known at its entry. */
static bool measure_loop(const Reach *reach, Group *group, LLVMValueRef inst, const NbTouch *touch,
                         const NbWorkLoop *outer) {
  LLVMBasicBlockRef block = LLVMGetInstructionParent(inst);
  LLVMValueRef base = nb_memory_underlying(touch->pointer);
  group->before = LLVMGetBasicBlockTerminator(outer->preheader);
  group->span = nb_span_of(reach->work, touch->pointer, base, block, outer);
  if (touch->length)
    group->length = nb_span_of(reach->work, touch->length, NULL, block, outer);
  return is_safe(reach, group->span, group->before) &&
         (!touch->length || is_safe(reach, group->length, group->before));
}

static NbSpan *span_of_one(const Reach *reach, NbScev *value) {
  NbSpan *span = NB_NEW(reach->context->arena, NbSpan);
  *span = (NbSpan){.start = value};
  return span;
}

/* How far the pointer is from the object that it points into. */
static NbScev *distance_of(const Reach *reach, LLVMValueRef pointer) {
  NbAnalyses *analyses = reach->context->analyses;
  LLVMValueRef function = reach->work->function;
  NbScev *from = nb_scev_of(analyses, function, nb_memory_underlying(pointer));
  NbScev *to = nb_scev_of(analyses, function, pointer);
  return from && to ? nb_scev_minus(analyses, function, to, from) : NULL;
}

/* The same of a single access, found at the end of its block, where all that it is computed from is
 * there. */
static bool measure_once(const Reach *reach, Group *group, LLVMValueRef inst,
                         const NbTouch *touch) {
  NbScev *distance = distance_of(reach, touch->pointer);
  NbScev *length = touch->length
                       ? nb_scev_of(reach->context->analyses, reach->work->function, touch->length)
                       : NULL;
  if (!distance || (touch->length && !length))
    return false;
  group->before = LLVMGetBasicBlockTerminator(LLVMGetInstructionParent(inst));
  group->span = span_of_one(reach, distance);
  group->length = length ? span_of_one(reach, length) : NULL;
  return is_safe(reach, group->span, group->before) &&
         (!length || is_safe(reach, group->length, group->before));
}

static unsigned parameter_of(const Reach *reach, LLVMValueRef argument) {
  unsigned index = 0;
  while (LLVMGetParam(reach->work->function, index) != argument)
    index++;
  return index;
}

/* Is it not too much to look at the access in each iteration? */
static bool may_step(Reach *reach, const NbWorkLoop *loop) {
  if (!nb_work_is_innermost(reach->work, loop))
    return reach->steps_around++ < MOST_STEPS_AROUND;
  return reach->steps++ < MOST_STEPS;
}

static bool add_touch(Reach *reach, LLVMValueRef inst, const NbTouch *touch) {
  const NbWorkLoop *around[MOST_LOOPS];
  unsigned depth = 0;
  LLVMValueRef base = nb_memory_underlying(touch->pointer);
  if (!LLVMIsAArgument(base) || touch->bytes > (uint64_t)LARGEST_SHIFT)
    return false;
  const NbWorkLoop *loop = nb_work_block_of(reach->work, inst)->loop;
  for (; loop && depth < MOST_LOOPS; loop = loop->parent)
    around[depth++] = loop;
  Group group = {.parameter = parameter_of(reach, base), .high = (int64_t)touch->bytes};
  const NbWorkLoop *innermost = depth > 0 ? around[0] : NULL;
  while (depth-- > 0)
    if (measure_loop(reach, &group, inst, touch, around[depth]))
      return add_group(reach, &group);
  if (innermost && !may_step(reach, innermost))
    return false;
  return measure_once(reach, &group, inst, touch) && add_group(reach, &group);
}

static void write_group(const Reach *reach, const Group *group) {
  LLVMBuilderRef builder = reach->builder;
  LLVMTypeRef real = LLVMDoubleTypeInContext(reach->context->llvm);
  NbHull hull = nb_span_write(reach->work, builder, group->span, group->before);
  LLVMValueRef high = word(reach->context, group->high);
  if (group->length) {
    NbHull length = nb_span_write(reach->work, builder, group->length, group->before);
    hull.reach = LLVMBuildFAdd(builder, hull.reach, length.reach, "");
    high = length.greatest;
  }
  LLVMValueRef limit = LLVMConstReal(real, LARGEST_REACH);
  require(reach, LLVMBuildFCmp(builder, LLVMRealOLT, hull.reach, limit, ""));
  LLVMValueRef least = LLVMBuildAdd(builder, hull.least, word(reach->context, group->low), "");
  note(reach, group->parameter, least, LLVMBuildAdd(builder, hull.greatest, high, ""));
}

/* --- Calls -------------------------------------------------------------------------------------
 */

static bool is_pointer(LLVMValueRef value) {
  return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
}

static LLVMValueRef is_near(const Reach *reach, LLVMValueRef distance) {
  LLVMBuilderRef builder = reach->builder;
  const int64_t limit = (int64_t)LARGEST_REACH;
  LLVMValueRef moved = LLVMBuildAdd(builder, distance, word(reach->context, limit), "");
  return LLVMBuildICmp(builder, LLVMIntULT, moved, word(reach->context, 2 * limit), "");
}

static void add_range(const Reach *reach, unsigned parameter, LLVMValueRef distance,
                      LLVMValueRef low, LLVMValueRef high) {
  LLVMBuilderRef builder = reach->builder;
  LLVMValueRef none = LLVMBuildICmp(builder, LLVMIntSGE, low, high, "");
  LLVMValueRef first = LLVMBuildAdd(builder, distance, low, "");
  LLVMValueRef last = LLVMBuildAdd(builder, distance, high, "");
  LLVMValueRef near = LLVMBuildAnd(builder, is_near(reach, first), is_near(reach, last), "");
  near = LLVMBuildAnd(builder, near, is_near(reach, distance), "");
  require(reach, LLVMBuildOr(builder, none, near, ""));
  note(reach, parameter, LLVMBuildSelect(builder, none, word(reach->context, INT64_MAX), first, ""),
       LLVMBuildSelect(builder, none, word(reach->context, INT64_MIN), last, ""));
}

/* False where it is not known which of the memory here the callee gets by an argument. */
static bool add_argument(Reach *reach, LLVMValueRef call, unsigned index, LLVMValueRef result) {
  LLVMValueRef argument = LLVMGetOperand(call, index);
  if (!nb_type_has_pointer(LLVMTypeOf(argument)) || nb_leads_nowhere(argument))
    return true;
  if (!is_pointer(argument))
    return false;
  LLVMValueRef base = nb_memory_underlying(argument);
  if (nb_touch_is_own(reach->context, argument))
    return true;
  NbScev *scev = LLVMIsAArgument(base) ? distance_of(reach, argument) : NULL;
  LLVMValueRef end = LLVMGetBasicBlockTerminator(LLVMGetInstructionParent(call));
  if (!scev || !nb_scev_safe_to_expand(reach->context->analyses, scev, end))
    return false;
  LLVMValueRef distance = nb_scev_expand(reach->context->analyses, scev, NULL, end);
  LLVMPositionBuilderBefore(reach->builder, end);
  distance = LLVMBuildIntCast2(reach->builder, distance, word_type(reach->context), true, "");
  LLVMValueRef low = LLVMBuildExtractValue(reach->builder, result, 2 * index, "");
  LLVMValueRef high = LLVMBuildExtractValue(reach->builder, result, 2 * index + 1, "");
  add_range(reach, parameter_of(reach, base), distance, low, high);
  return true;
}

static bool is_derived(const NbContext *context, LLVMValueRef function) {
  for (const NbDerivative *known = context->all; known; known = known->next)
    if (known->request.function == function)
      return !nb_custom_of(context, function) && !nb_checkpoint_of(context, function);
  return false;
}

static bool add_call(Reach *reach, LLVMValueRef call, LLVMValueRef callee) {
  if (LLVMGetCalledFunctionType(call) != LLVMGlobalGetValueType(callee) ||
      !is_derived(reach->context, callee))
    return false;
  LLVMValueRef function = nb_reach_of(reach->context, callee);
  if (!function)
    return false;
  unsigned count = LLVMGetNumArgOperands(call);
  LLVMValueRef *arguments = NB_NEW_ARRAY(reach->context->arena, LLVMValueRef, count + 1);
  for (unsigned i = 0; i < count; i++) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(call, i));
    bool integer = LLVMGetTypeKind(type) == LLVMIntegerTypeKind;
    arguments[i] = integer ? LLVMGetOperand(call, i) : LLVMGetPoison(type);
  }
  LLVMPositionBuilderBefore(reach->builder, call);
  LLVMTypeRef type = LLVMGlobalGetValueType(function);
  LLVMValueRef result = LLVMBuildCall2(reach->builder, type, function, arguments, count, "");
  LLVMValueRef known = LLVMBuildExtractValue(reach->builder, result, 2 * count, "");
  LLVMPositionBuilderBefore(reach->builder,
                            LLVMGetBasicBlockTerminator(LLVMGetInstructionParent(call)));
  require(reach, known);
  for (unsigned i = 0; i < count; i++)
    if (!add_argument(reach, call, i, result))
      return false;
  return true;
}

static bool add_instruction(Reach *reach, LLVMValueRef inst) {
  NbTouches touches = nb_touches_of(reach->context, inst);
  bool ok = touches.known && (!touches.callee || add_call(reach, inst, touches.callee));
  for (unsigned i = 0; ok && i < touches.count; i++)
    ok = add_touch(reach, inst, &touches.items[i]);
  return ok;
}

/* The code is written last: until then nothing in the copy has changed but for the calls. */
static bool add_all(Reach *reach) {
  for (LLVMValueRef at = nb_instruction_first(reach->work->function); at;
       at = nb_instruction_next(at))
    nb_map_set(reach->primal, at, at);
  for (unsigned i = 0; i < nb_map_count(reach->primal); i++)
    if (!add_instruction(reach, (LLVMValueRef)nb_map_key(reach->primal, i)))
      return false;
  for (unsigned i = 0; i < reach->groups.count; i++)
    write_group(reach, reach->groups.items[i]);
  return true;
}

/* --- What is left of the primal ----------------------------------------------------------------
 */

static bool compares_pointers(LLVMValueRef inst) {
  return LLVMIsAICmpInst(inst) && nb_type_has_pointer(LLVMTypeOf(LLVMGetOperand(inst, 0)));
}

/* Can it be computed from the integers that the function is given? */
static bool is_integer_work(LLVMValueRef value) {
  bool integer = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMIntegerTypeKind;
  return integer && !LLVMIsAPtrToIntInst(value) && !LLVMIsAFCmpInst(value) &&
         !LLVMIsAFPToSIInst(value) && !LLVMIsAFPToUIInst(value) && !LLVMIsABitCastInst(value) &&
         !compares_pointers(value) && !nb_memory_may_read_any(value) &&
         !nb_memory_may_write_any(value) && !LLVMIsAExtractElementInst(value) &&
         !LLVMIsAExtractValueInst(value);
}

/* Keeps what the value is computed from; false where it is more than integers. */
static bool keep(Reach *reach, NbList *pending, LLVMValueRef value) {
  if (LLVMIsAArgument(value))
    return value == reach->room || LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMIntegerTypeKind;
  if (!LLVMIsAInstruction(value) || !nb_map_has(reach->primal, value) ||
      nb_map_has(reach->kept, value))
    return true;
  nb_map_set(reach->kept, value, value);
  nb_list_push(pending, value);
  return is_integer_work(value);
}

static bool keep_operands(Reach *reach, NbList *pending, LLVMValueRef inst) {
  unsigned count =
      LLVMIsACallInst(inst) ? LLVMGetNumArgOperands(inst) : (unsigned)LLVMGetNumOperands(inst);
  for (unsigned i = 0; i < count; i++)
    if (!LLVMIsABasicBlock(LLVMGetOperand(inst, i)) &&
        !keep(reach, pending, LLVMGetOperand(inst, i)))
      return false;
  return true;
}

/* Where control goes, and what was written here. */
static bool keep_needed(Reach *reach) {
  NbList pending = nb_list(reach->context->arena);
  for (LLVMValueRef at = nb_instruction_first(reach->work->function); at;
       at = nb_instruction_next(at)) {
    bool control = LLVMIsATerminatorInst(at) && !LLVMIsAReturnInst(at);
    if (!control && nb_map_has(reach->primal, at))
      continue;
    if (!keep_operands(reach, &pending, at))
      return false;
  }
  for (unsigned next = 0; next < pending.count; next++)
    if (!keep_operands(reach, &pending, pending.items[next]))
      return false;
  return true;
}

static void erase_others(const Reach *reach) {
  for (unsigned i = 0; i < nb_map_count(reach->primal); i++) {
    LLVMValueRef inst = (LLVMValueRef)nb_map_key(reach->primal, i);
    if (LLVMIsATerminatorInst(inst) || nb_map_has(reach->kept, inst))
      continue;
    if (LLVMGetTypeKind(LLVMTypeOf(inst)) != LLVMVoidTypeKind)
      LLVMReplaceAllUsesWith(inst, LLVMGetPoison(LLVMTypeOf(inst)));
    LLVMInstructionEraseFromParent(inst);
  }
}

/* --- The function --------------------------------------------------------------------------------
 */

static LLVMValueRef start_room(Reach *reach, LLVMValueRef function) {
  LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(function));
  reach->room = LLVMBuildAlloca(reach->builder, type, "reach");
  for (unsigned i = 0; i < flag_index(reach); i++)
    LLVMBuildStore(reach->builder, word(reach->context, i % 2 ? INT64_MIN : INT64_MAX),
                   member(reach, i));
  LLVMValueRef yes = LLVMConstInt(bit_type(reach->context), 1, false);
  LLVMBuildStore(reach->builder, yes, member(reach, flag_index(reach)));
  return reach->room;
}

static void replace_returns(const Reach *reach, LLVMValueRef function) {
  LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(function));
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block)) {
    LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
    if (!LLVMIsAReturnInst(last))
      continue;
    LLVMPositionBuilderBefore(reach->builder, last);
    LLVMBuildRet(reach->builder, LLVMBuildLoad2(reach->builder, type, reach->room, ""));
    LLVMInstructionEraseFromParent(last);
  }
}

/* What is left of the working copy goes to the function, whose result is another. */
static void move_to(Reach *reach, LLVMValueRef function) {
  LLVMValueRef work = reach->work->function;
  unsigned count = reach->work->request->count;
  LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(reach->context->llvm, function, "room");
  LLVMValueRef *parameters = NB_NEW_ARRAY(reach->context->arena, LLVMValueRef, count + 3);
  LLVMPositionBuilderAtEnd(reach->builder, entry);
  for (unsigned i = 0; i < LLVMCountParams(work); i++)
    parameters[i] =
        i < count ? LLVMGetParam(function, i) : LLVMGetPoison(LLVMTypeOf(LLVMGetParam(work, i)));
  parameters[count] = start_room(reach, function);
  nb_clone_body(function, work, parameters);
  LLVMPositionBuilderAtEnd(reach->builder, entry);
  LLVMBuildBr(reach->builder, LLVMGetNextBasicBlock(entry));
  replace_returns(reach, function);
}

static bool build(Reach *reach, LLVMValueRef function) {
  NbContext *context = reach->context;
  reach->room = LLVMGetParam(reach->work->function, reach->work->request->count);
  reach->stores = NB_NEW_ARRAY(context->arena, LLVMValueRef, flag_index(reach) + 1);
  if (!add_all(reach) || !keep_needed(reach))
    return false;
  erase_others(reach);
  move_to(reach, function);
  nb_attributes_set_pure(function);
  nb_debug_adopt(function, reach->work->request->function, "reach");
  nb_analyses_forget(context->analyses, function);
  char *message = nb_passes_run(context->analyses, context->module, function, CLEAN_UP);
  LLVMDisposeMessage(message);
  return true;
}

/* The answer that nothing is known, for those in a cycle that have been told to ask here. */
static void give_up(const Reach *reach, LLVMValueRef function) {
  LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(reach->context->llvm, function, "entry");
  LLVMPositionBuilderAtEnd(reach->builder, entry);
  LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(function));
  LLVMBuildRet(reach->builder, LLVMConstNull(type));
}

static NbRequest plain_request(NbContext *context, LLVMValueRef primal) {
  unsigned count = LLVMCountParams(primal);
  NbRole *roles = NB_NEW_ARRAY(context->arena, NbRole, count + 1);
  for (unsigned i = 0; i < count; i++)
    roles[i] = NB_ROLE_CONST;
  return (NbRequest){.function = primal,
                     .mode = NB_MODE_REVERSE,
                     .count = count,
                     .roles = roles,
                     .result = NB_ROLE_CONST,
                     .width = 1};
}

static LLVMValueRef make(NbContext *context, LLVMValueRef primal, LLVMValueRef function) {
  NbRequest *request = NB_NEW(context->arena, NbRequest);
  *request = plain_request(context, primal);
  Reach reach = {.context = context,
                 .work = nb_prepare(context, request),
                 .builder = LLVMCreateBuilderInContext(context->llvm),
                 .primal = nb_map_new(context->arena),
                 .kept = nb_map_new(context->arena),
                 .groups = nb_list(context->arena)};
  bool ok = reach.work != NULL;
  if (ok) {
    nb_prepare_flow(reach.work);
    ok = build(&reach, function);
    nb_analyses_forget(context->analyses, reach.work->function);
    nb_body_delete(reach.work->function);
  }
  if (!ok)
    give_up(&reach, function);
  LLVMDisposeBuilder(reach.builder);
  return ok ? function : NULL;
}

LLVMValueRef nb_reach_of(NbContext *context, LLVMValueRef primal) {
  if (nb_map_has(context->reaches, primal))
    return nb_map_get(context->reaches, primal);
  nb_map_set(context->reaches, primal, NULL);
  if (LLVMHasPersonalityFn(primal) || nb_map_count(context->reaches) > MOST_FUNCTIONS)
    return NULL;
  const char *name = nb_arena_print(context->arena, "nabla.reach.%s", nb_name(primal));
  LLVMValueRef function = LLVMAddFunction(context->module, name, function_type(context, primal));
  LLVMSetLinkage(function, LLVMInternalLinkage);
  nb_attributes_copy_target(function, primal);
  nb_map_set(context->reaches, primal, function);
  nb_map_set(context->reaches, primal, make(context, primal, function));
  return nb_map_get(context->reaches, primal);
}
