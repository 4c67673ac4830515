// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* C lets a function's arguments overlap, so that a matrix which is only read has to be kept once a
 * step where a state is overwritten in each. Callers mostly pass memory that lies apart. Where the
 * bytes that each parameter leads to can be computed on entry, two versions of the derivative are
 * made, and the test that is written here chooses. */
#include "plan/apart.h"

#include "objects/graph.h"
#include "plan/extent.h"

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
} Area;

typedef struct Apart {
  const NbPlan *plan;
  const NbLinear *linear;
  const NbWork *work;
  LLVMValueRef before; /* the end of the entry block */
  unsigned count, access_count;
  Area areas[MAX_PARAMETERS];
  LLVMBuilderRef builder;
  LLVMValueRef holds; /* an i1 */
} Apart;

/* --- What is accessed --------------------------------------------------------------------------
 */

static bool is_own_memory(const Apart *apart, LLVMValueRef object) {
  const NbRule *rule =
      LLVMIsACallInst(object) ? nb_rule_of_call(apart->work->context, object, NULL) : NULL;
  return LLVMIsAAllocaInst(object) || (rule && rule->kind == NB_RULE_ALLOCATE) ||
         (LLVMIsAGlobalVariable(object) && LLVMIsGlobalConstant(object));
}

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
static bool add_access(Apart *apart, LLVMValueRef inst, LLVMValueRef pointer, uint64_t bytes,
                       LLVMValueRef length, bool writes) {
  LLVMValueRef object = nb_memory_underlying(pointer);
  if (is_own_memory(apart, object))
    return true;
  Area *area = LLVMIsAArgument(object) ? area_of(apart, object) : NULL;
  if (!area || apart->access_count++ == MAX_ACCESSES)
    return false;
  Access *access = NB_NEW(apart->work->context->arena, Access);
  *access = (Access){.address = span_of(apart, inst, pointer, object), .bytes = bytes};
  if (length)
    access->length = span_of(apart, inst, length, NULL);
  nb_list_push(&area->accesses, access);
  area->written = area->written || writes;
  return access->address && (access->length || !length);
}

static bool add_transfer(Apart *apart, LLVMValueRef call, const NbCall *known) {
  return (!known->from || add_access(apart, call, known->from, 0, known->bytes, false)) &&
         add_access(apart, call, known->to, 0, known->bytes, true);
}

static bool add_call(Apart *apart, LLVMValueRef call) {
  NbCall known = nb_call_of(apart->work->context, call);
  if (known.kind == NB_CALL_COPY || known.kind == NB_CALL_FILL)
    return add_transfer(apart, call, &known);
  if (nb_linear_is_pure_call(apart->linear, call))
    return true;
  if (!known.rule)
    return !nb_memory_may_read_any(call) && !nb_memory_may_write_any(call);
  bool heap = known.rule->kind == NB_RULE_ALLOCATE || known.rule->kind == NB_RULE_FREE;
  return heap && (known.rule->kind == NB_RULE_ALLOCATE ||
                  is_own_memory(apart, nb_memory_underlying(LLVMGetOperand(call, 0))));
}

static bool is_plain(LLVMValueRef access) {
  return !LLVMGetVolatile(access) && LLVMGetOrdering(access) == LLVMAtomicOrderingNotAtomic;
}

static bool add_instruction(Apart *apart, LLVMValueRef inst) {
  const NbContext *context = apart->work->context;
  if (LLVMIsALoadInst(inst))
    return is_plain(inst) && add_access(apart, inst, LLVMGetOperand(inst, 0),
                                        nb_store_size(context, LLVMTypeOf(inst)), NULL, false);
  if (LLVMIsAStoreInst(inst))
    return is_plain(inst) &&
           add_access(apart, inst, LLVMGetOperand(inst, 1),
                      nb_store_size(context, LLVMTypeOf(LLVMGetOperand(inst, 0))), NULL, true);
  if (LLVMIsACallInst(inst))
    return add_call(apart, inst);
  return !nb_memory_may_read_any(inst) && !nb_memory_may_write_any(inst);
}

/* The instructions of the primal; those of the shadow program do the same elsewhere. */
static bool add_all(Apart *apart) {
  const NbMap *primal = apart->linear->following;
  for (unsigned i = 0; i < nb_map_count(primal); i++)
    if (!add_instruction(apart, (LLVMValueRef)nb_map_key(primal, i)))
      return false;
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

static bool is_worthwhile(Apart *apart) {
  NbList loads = kept_loads(apart);
  for (unsigned i = 0; i < loads.count; i++) {
    if (is_kept_for_others(apart, loads.items[i]) || is_repeated(apart, loads.items[i]))
      return true;
    for (unsigned k = i + 1; k < loads.count; k++)
      if (are_neighbours(apart, loads.items[i], loads.items[k]))
        return true;
  }
  const NbMap *copied = apart->linear->again;
  for (unsigned i = 0; i < nb_map_count(copied); i++)
    if (is_kept_for_others(apart, (LLVMValueRef)nb_map_key(copied, i)))
      return true;
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

static void require(Apart *apart, LLVMValueRef condition) {
  apart->holds = LLVMBuildAnd(apart->builder, apart->holds, condition, "");
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

static void require_apart(Apart *apart, const LLVMValueRef *here, const LLVMValueRef *there) {
  LLVMValueRef below = LLVMBuildICmp(apart->builder, LLVMIntULE, here[1], there[0], "");
  LLVMValueRef above = LLVMBuildICmp(apart->builder, LLVMIntULE, there[1], here[0], "");
  require(apart, LLVMBuildOr(apart->builder, below, above, ""));
}

/* The bytes behind a parameter, or behind its shadow, in which they lie as far from it. */
static void range_of(Apart *apart, const Area *area, LLVMValueRef pointer, LLVMValueRef *range) {
  LLVMTypeRef byte = LLVMInt8TypeInContext(apart->work->context->llvm);
  LLVMValueRef low = area->low, high = area->high;
  range[0] = LLVMBuildGEP2(apart->builder, byte, pointer, &low, 1, "");
  range[1] = LLVMBuildGEP2(apart->builder, byte, pointer, &high, 1, "");
}

static void compare(Apart *apart, const Area *one, const Area *other) {
  LLVMValueRef here[2], there[2];
  range_of(apart, one, one->parameter, here);
  range_of(apart, other, other->parameter, there);
  if (one->written || other->written)
    require_apart(apart, here, there);
  if (!one->shadow || !other->shadow)
    return;
  range_of(apart, one, one->shadow, here);
  range_of(apart, other, other->shadow, there);
  require_apart(apart, here, there);
}

static void write_test(Apart *apart) {
  apart->holds = LLVMConstInt(LLVMInt1TypeInContext(apart->work->context->llvm), 1, false);
  for (unsigned i = 0; i < apart->count; i++)
    for (unsigned k = 0; k < apart->areas[i].accesses.count; k++)
      measure_access(apart, &apart->areas[i], apart->areas[i].accesses.items[k]);
  for (unsigned i = 0; i < apart->count; i++)
    for (unsigned k = i + 1; k < apart->count; k++)
      compare(apart, &apart->areas[i], &apart->areas[k]);
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
  if (!LLVMIsALoadInst(load) || !is_plain(load) || LLVMGetInstructionParent(load) != entry)
    return false;
  for (LLVMValueRef inst = LLVMGetFirstInstruction(entry); inst != load;
       inst = LLVMGetNextInstruction(inst))
    if (nb_memory_may_write_any(inst))
      return false;
  return true;
}

static LLVMValueRef parameter_of(const Copy *copy, LLVMValueRef value) {
  unsigned index = 0;
  while (LLVMGetParam(copy->apart->work->function, index) != value)
    index++;
  return LLVMGetParam(copy->function, index);
}

static LLVMValueRef copy_value(Copy *copy, LLVMValueRef value) {
  if (LLVMIsAArgument(value))
    return parameter_of(copy, value);
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

static LLVMValueRef move_out(const Apart *apart) {
  NbContext *context = apart->work->context;
  LLVMValueRef function = declare(apart);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  LLVMPositionBuilderAtEnd(builder,
                           LLVMAppendBasicBlockInContext(context->llvm, function, "entry"));
  Copy copy = {apart, function, builder, nb_map_new(context->arena), true};
  LLVMBuildRet(builder, copy_value(&copy, apart->holds));
  LLVMDisposeBuilder(builder);
  if (copy.ok)
    return function;
  LLVMDeleteFunction(function);
  return NULL;
}

LLVMValueRef nb_apart_test(const NbPlan *plan) {
  const NbLinear *linear = plan->linear;
  const NbWork *work = linear->work;
  bool wide = LLVMPointerSize(work->context->layout) == sizeof(uint64_t);
  if (!work->request->top || work->request->apart || work->request->guarded || linear->width > 1 ||
      !linear->shadow_scope || !wide || nb_without(work->context, "apart"))
    return NULL;
  Apart apart = {.plan = plan, .linear = linear, .work = work};
  apart.before = LLVMGetBasicBlockTerminator(LLVMGetEntryBasicBlock(work->function));
  if (!add_all(&apart) || !is_worthwhile(&apart))
    return NULL;
  apart.builder = LLVMCreateBuilderInContext(work->context->llvm);
  LLVMPositionBuilderBefore(apart.builder, apart.before);
  write_test(&apart);
  LLVMDisposeBuilder(apart.builder);
  return move_out(&apart);
}
