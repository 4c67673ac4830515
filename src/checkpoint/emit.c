// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The two sweeps of a checkpointed loop, which the runtime drives. Both hand it an environment, in
 * memory: the arguments of the loop function, the shadows, and the sums of the adjoints of its
 * scalars. The steps that the runtime asks for are run by two functions: one runs the primal step,
 * the other the combined derivative of a step. The tape is what the runtime returned. */
#include "emit/emit.h"
#include "checkpoint/emitter.h"
#include "emit/runtime.h"
#include "emit/tangent.h"
#include "request/collected.h"

#include <string.h>

#define FORWARD "__nabla_checkpoint_forward"

static LLVMTypeRef word_type(const NbLoopEmitter *emitter) {
  return LLVMInt64TypeInContext(emitter->context->llvm);
}

static LLVMTypeRef pointer_type(const NbLoopEmitter *emitter) {
  return LLVMPointerTypeInContext(emitter->context->llvm, 0);
}

LLVMTypeRef nb_checkpoint_region_type(NbContext *context) {
  LLVMTypeRef word = LLVMInt64TypeInContext(context->llvm);
  LLVMTypeRef half = LLVMInt32TypeInContext(context->llvm);
  LLVMTypeRef types[] = {LLVMPointerTypeInContext(context->llvm, 0), word, half, half};
  return LLVMStructTypeInContext(context->llvm, types, 4, false);
}

/* --- The environment ---------------------------------------------------------------------------
 */

/* Fields: the primal's parameters, their shadows, the sums of adjoints, one for each parameter that
 * has one. */
static void lay_out(NbLoopEmitter *emitter) {
  const NbRequest *request = &emitter->derivative->request;
  unsigned tape = nb_emit_tape_index(request);
  LLVMTypeRef *types = NB_NEW_ARRAY(emitter->context->arena, LLVMTypeRef, 2 * tape + 1);
  unsigned count = 0;
  for (; count < tape; count++)
    types[count] = LLVMTypeOf(LLVMGetParam(emitter->first, count));
  emitter->arguments = request->count;
  emitter->shadows = tape - request->count;
  for (unsigned i = 0; i < request->count; i++)
    if (request->roles[i] == NB_ROLE_OUT)
      types[count++] =
          nb_tangent_type(LLVMTypeOf(LLVMGetParam(request->function, i)), request->width);
  emitter->environment = LLVMStructTypeInContext(emitter->context->llvm, types, count, false);
}

static LLVMValueRef field(const NbLoopEmitter *emitter, LLVMValueRef environment, unsigned index) {
  return LLVMBuildStructGEP2(emitter->builder, emitter->environment, environment, index, "");
}

static LLVMValueRef load_field(const NbLoopEmitter *emitter, LLVMValueRef environment,
                               unsigned index) {
  LLVMValueRef from = field(emitter, environment, index);
  LLVMTypeRef type = LLVMStructGetTypeAtIndex(emitter->environment, index);
  return LLVMBuildLoad2(emitter->builder, type, from, "");
}

static unsigned sums_of(const NbLoopEmitter *emitter) {
  return emitter->arguments + emitter->shadows;
}

/* The environment of one of the sweeps, filled with its parameters and zeroes. */
static LLVMValueRef write_environment(const NbLoopEmitter *emitter, LLVMValueRef sweep) {
  LLVMValueRef memory = LLVMBuildAlloca(emitter->builder, emitter->environment, "environment");
  unsigned count = LLVMCountStructElementTypes(emitter->environment);
  for (unsigned i = 0; i < count; i++) {
    LLVMTypeRef type = LLVMStructGetTypeAtIndex(emitter->environment, i);
    LLVMValueRef value = i < sums_of(emitter) ? LLVMGetParam(sweep, i) : LLVMConstNull(type);
    LLVMValueRef to = field(emitter, memory, i);
    LLVMBuildStore(emitter->builder, value, to);
  }
  return memory;
}

/* --- The functions that run a step -------------------------------------------------------------
 */

static LLVMValueRef declare(NbLoopEmitter *emitter, const char *part, LLVMTypeRef result) {
  NbContext *context = emitter->context;
  LLVMTypeRef types[] = {pointer_type(emitter), word_type(emitter)};
  LLVMTypeRef type = LLVMFunctionType(result, types, 2, false);
  const char *name = nb_arena_print(context->arena, "nabla.%s.%s", part, nb_name(emitter->primal));
  LLVMValueRef function = LLVMAddFunction(context->module, name, type);
  LLVMSetLinkage(function, LLVMInternalLinkage);
  nb_attributes_copy_target(function, emitter->primal);
  LLVMPositionBuilderAtEnd(emitter->builder,
                           LLVMAppendBasicBlockInContext(context->llvm, function, "entry"));
  return function;
}

/* The step's parameters, from the environment; returns how many there are. */
static unsigned load_arguments(const NbLoopEmitter *emitter, LLVMValueRef function,
                               LLVMValueRef *arguments) {
  unsigned count = LLVMCountParams(emitter->primal);
  LLVMTypeRef number = LLVMTypeOf(LLVMGetParam(emitter->primal, 0));
  arguments[0] =
      LLVMBuildIntCast2(emitter->builder, LLVMGetParam(function, 1), number, true, "number");
  for (unsigned i = 1; i < count; i++)
    arguments[i] =
        load_field(emitter, LLVMGetParam(function, 0), nb_checkpoint_parameter(emitter->loop, i));
  return count;
}

static void write_run(NbLoopEmitter *emitter) {
  LLVMTypeRef answer = LLVMInt32TypeInContext(emitter->context->llvm);
  unsigned count = LLVMCountParams(emitter->primal);
  LLVMValueRef *arguments = NB_NEW_ARRAY(emitter->context->arena, LLVMValueRef, count + 1);
  emitter->run = declare(emitter, "run", answer);
  load_arguments(emitter, emitter->run, arguments);
  LLVMTypeRef type = LLVMGlobalGetValueType(emitter->primal);
  LLVMValueRef call = LLVMBuildCall2(emitter->builder, type, emitter->primal, arguments, count, "");
  LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(emitter->primal));
  nb_checkpoint_copy_extension(call, emitter->primal);
  LLVMValueRef more = LLVMConstInt(answer, 1, false);
  if (emitter->loop->until) {
    LLVMValueRef none = LLVMConstNull(LLVMTypeOf(call));
    more = LLVMBuildICmp(emitter->builder, LLVMIntNE, call, none, "more");
    more = LLVMBuildZExt(emitter->builder, more, answer, "");
  }
  LLVMBuildRet(emitter->builder, more);
}

/* The field with the first shadow of the loop function's parameter. */
static unsigned shadow_field(const NbLoopEmitter *emitter, unsigned parameter) {
  return nb_request_first_shadow(&emitter->derivative->request, parameter);
}

static unsigned load_shadows(const NbLoopEmitter *emitter, LLVMValueRef *arguments,
                             unsigned count) {
  const NbRequest *step = &emitter->step->request;
  for (unsigned i = 1; i < step->count; i++) {
    unsigned first = shadow_field(emitter, nb_checkpoint_parameter(emitter->loop, i));
    for (unsigned k = 0; k < nb_request_shadows(step, i); k++)
      arguments[count++] = load_field(emitter, LLVMGetParam(emitter->turn, 0), first + k);
  }
  return count;
}

/* The field with the sum of the parameter's adjoints. */
static unsigned sum_field(const NbLoopEmitter *emitter, unsigned parameter) {
  const NbRequest *request = &emitter->derivative->request;
  unsigned index = sums_of(emitter);
  for (unsigned i = 0; i < parameter; i++)
    index += request->roles[i] == NB_ROLE_OUT;
  return index;
}

static void add_adjoints(const NbLoopEmitter *emitter, LLVMValueRef adjoints) {
  const NbRequest *step = &emitter->step->request;
  NbTangents tangents = {.builder = emitter->builder};
  unsigned next = 0;
  for (unsigned i = 1; i < step->count; i++) {
    if (step->roles[i] != NB_ROLE_OUT)
      continue;
    unsigned index = sum_field(emitter, nb_checkpoint_parameter(emitter->loop, i));
    LLVMValueRef adjoint = LLVMBuildExtractValue(emitter->builder, adjoints, next++, "");
    LLVMValueRef sum = load_field(emitter, LLVMGetParam(emitter->turn, 0), index);
    LLVMValueRef to = field(emitter, LLVMGetParam(emitter->turn, 0), index);
    LLVMBuildStore(emitter->builder, nb_tangent_add(&tangents, sum, adjoint), to);
  }
}

static bool is_forward(const NbLoopEmitter *emitter) {
  return emitter->derivative->request.mode == NB_MODE_FORWARD;
}

static bool write_turn(NbLoopEmitter *emitter) {
  LLVMValueRef derivative = is_forward(emitter)
                                ? emitter->step->forward
                                : nb_combined_of(emitter->context, emitter->step, false);
  if (!derivative)
    return false;
  unsigned room = LLVMCountParams(derivative);
  LLVMValueRef *arguments = NB_NEW_ARRAY(emitter->context->arena, LLVMValueRef, room + 1);
  emitter->turn = declare(emitter, "turn", LLVMVoidTypeInContext(emitter->context->llvm));
  unsigned count = load_arguments(emitter, emitter->turn, arguments);
  count = load_shadows(emitter, arguments, count);
  LLVMTypeRef type = LLVMGlobalGetValueType(derivative);
  LLVMValueRef results = LLVMBuildCall2(emitter->builder, type, derivative, arguments, count, "");
  if (!is_forward(emitter))
    add_adjoints(emitter, results);
  LLVMBuildRetVoid(emitter->builder);
  return true;
}

/* --- The sweeps --------------------------------------------------------------------------------
 */

static LLVMValueRef call_runtime(const NbLoopEmitter *emitter, const char *name, LLVMTypeRef result,
                                 LLVMValueRef *arguments, unsigned count) {
  return nb_runtime_call(emitter->context, emitter->builder, name, result, arguments, count);
}

static LLVMValueRef region_at(const NbLoopEmitter *emitter, LLVMValueRef regions, unsigned index) {
  LLVMTypeRef type = nb_checkpoint_region_type(emitter->context);
  LLVMValueRef number = LLVMConstInt(word_type(emitter), index, false);
  return LLVMBuildGEP2(emitter->builder, type, regions, &number, 1, "region");
}

/* A region that is measured stays empty until then. */
static void write_region(const NbLoopEmitter *emitter, LLVMValueRef regions, unsigned index) {
  const NbStateRegion *region = &emitter->state->regions[index];
  LLVMValueRef sweep = emitter->first;
  LLVMTypeRef type = nb_checkpoint_region_type(emitter->context);
  LLVMValueRef at = region_at(emitter, regions, index);
  LLVMValueRef pointer = region->global, bytes = LLVMConstNull(word_type(emitter));
  if (region->global)
    bytes = LLVMConstInt(
        word_type(emitter),
        LLVMABISizeOfType(emitter->context->layout, LLVMGlobalGetValueType(region->global)), false);
  else
    pointer = LLVMGetParam(sweep, region->pointer);
  if (!region->global && region->bytes != NB_STATE_MEASURED)
    bytes = LLVMGetParam(sweep, region->bytes);
  LLVMBuildStore(emitter->builder, LLVMConstNull(type), at);
  LLVMBuildStore(emitter->builder, pointer, LLVMBuildStructGEP2(emitter->builder, type, at, 0, ""));
  LLVMBuildStore(emitter->builder, bytes, LLVMBuildStructGEP2(emitter->builder, type, at, 1, ""));
}

static void measure(const NbLoopEmitter *emitter, LLVMValueRef regions) {
  LLVMValueRef measure = emitter->state->measure;
  if (!measure)
    return;
  LLVMTypeRef type = LLVMGlobalGetValueType(measure);
  unsigned count = LLVMCountParams(measure);
  LLVMValueRef *arguments = NB_NEW_ARRAY(emitter->context->arena, LLVMValueRef, count + 1);
  for (unsigned i = 0; i < count; i++)
    arguments[i] = i < emitter->arguments ? LLVMGetParam(emitter->first, i)
                                          : LLVMConstNull(LLVMTypeOf(LLVMGetParam(measure, i)));
  arguments[emitter->state->out] = regions;
  LLVMBuildCall2(emitter->builder, type, measure, arguments, count, "");
}

/* The region that was measured behind the parameter; null where none was. */
static LLVMValueRef own_region(const NbLoopEmitter *emitter, LLVMValueRef regions,
                               unsigned parameter) {
  const NbState *state = emitter->state;
  for (unsigned i = 0; i < state->count; i++) {
    const NbStateRegion *region = &state->regions[i];
    if (!region->global && region->bytes == NB_STATE_MEASURED && region->pointer == parameter)
      return region_at(emitter, regions, i);
  }
  return LLVMConstNull(pointer_type(emitter));
}

/* What is put back between the elements must be none of the shadows. */
static void check_shadows(const NbLoopEmitter *emitter, LLVMValueRef regions) {
  const NbRequest *request = &emitter->derivative->request;
  LLVMValueRef sweep = emitter->first;
  unsigned next = request->count;
  for (unsigned i = 0; i < request->count; i++) {
    LLVMValueRef primal = LLVMGetParam(sweep, i);
    bool pointer = LLVMGetTypeKind(LLVMTypeOf(primal)) == LLVMPointerTypeKind;
    LLVMValueRef own = pointer ? own_region(emitter, regions, i) : NULL;
    for (unsigned k = 0; k < nb_request_shadows(request, i); k++, next++) {
      LLVMValueRef arguments[] = {primal, LLVMGetParam(sweep, next), own, regions,
                                  LLVMConstInt(word_type(emitter), emitter->state->count, false)};
      if (pointer)
        call_runtime(emitter, "__nabla_checkpoint_apart",
                     LLVMVoidTypeInContext(emitter->context->llvm), arguments, 5);
    }
  }
}

static LLVMValueRef write_regions(const NbLoopEmitter *emitter) {
  const NbState *state = emitter->state;
  LLVMTypeRef type = nb_checkpoint_region_type(emitter->context);
  LLVMValueRef count = LLVMConstInt(word_type(emitter), state->count, false);
  LLVMValueRef regions = LLVMBuildArrayAlloca(emitter->builder, type, count, "regions");
  for (unsigned i = 0; i < state->count; i++)
    write_region(emitter, regions, i);
  measure(emitter, regions);
  for (unsigned i = 0; i < state->unknown_count; i++) {
    LLVMValueRef arguments[] = {LLVMGetParam(emitter->first, state->unknown[i]), regions,
                                LLVMConstInt(word_type(emitter), emitter->loop->regions, false)};
    call_runtime(emitter, "__nabla_checkpoint_check", LLVMVoidTypeInContext(emitter->context->llvm),
                 arguments, 3);
  }
  check_shadows(emitter, regions);
  return regions;
}

static void start(const NbLoopEmitter *emitter, LLVMValueRef sweep) {
  LLVMPositionBuilderAtEnd(emitter->builder,
                           LLVMAppendBasicBlockInContext(emitter->context->llvm, sweep, "entry"));
}

static LLVMValueRef count_steps(const NbLoopEmitter *emitter) {
  LLVMValueRef count = LLVMGetParam(emitter->first, NB_CHECKPOINT_COUNT);
  LLVMValueRef none = LLVMConstNull(word_type(emitter));
  if (emitter->loop->until)
    return LLVMConstInt(word_type(emitter), (uint64_t)NB_CHECKPOINT_UNKNOWN, true);
  LLVMValueRef any = LLVMBuildICmp(emitter->builder, LLVMIntSGT, count, none, "any");
  return LLVMBuildSelect(emitter->builder, any, count, none, "steps");
}

static LLVMValueRef run_all(const NbLoopEmitter *emitter, LLVMValueRef environment,
                            LLVMValueRef regions) {
  LLVMValueRef sweep = emitter->first;
  if (emitter->loop->fixed)
    return nb_fixed_forward(emitter, regions, environment);
  LLVMValueRef arguments[] = {LLVMGetParam(sweep, NB_CHECKPOINT_SCHEME),
                              LLVMGetParam(sweep, NB_CHECKPOINT_DATA),
                              LLVMGetParam(sweep, NB_CHECKPOINT_START),
                              count_steps(emitter),
                              regions,
                              LLVMConstInt(word_type(emitter), emitter->state->count, false),
                              environment,
                              emitter->run};
  return call_runtime(emitter, FORWARD, pointer_type(emitter), arguments, 8);
}

static void write_augmented(const NbLoopEmitter *emitter) {
  LLVMValueRef sweep = emitter->first;
  start(emitter, sweep);
  LLVMValueRef environment = write_environment(emitter, sweep);
  LLVMValueRef kept = run_all(emitter, environment, write_regions(emitter));
  LLVMBuildStore(emitter->builder, kept,
                 LLVMGetParam(sweep, nb_emit_tape_index(&emitter->derivative->request)));
  LLVMBuildRetVoid(emitter->builder);
}

static void write_tangent(const NbLoopEmitter *emitter) {
  start(emitter, emitter->first);
  LLVMValueRef environment = write_environment(emitter, emitter->first);
  nb_fixed_tangent(emitter, write_regions(emitter), environment);
  LLVMBuildRetVoid(emitter->builder);
}

static void reverse_all(const NbLoopEmitter *emitter, LLVMValueRef sweep,
                        LLVMValueRef environment) {
  LLVMValueRef tape = LLVMGetParam(sweep, nb_emit_tape_index(&emitter->derivative->request));
  LLVMValueRef kept = LLVMBuildLoad2(emitter->builder, pointer_type(emitter), tape, "kept");
  LLVMValueRef arguments[] = {kept, environment, emitter->run, emitter->turn};
  if (emitter->loop->fixed)
    nb_fixed_reverse(emitter, sweep, kept, environment);
  else
    call_runtime(emitter, "__nabla_checkpoint_reverse",
                 LLVMVoidTypeInContext(emitter->context->llvm), arguments, 4);
}

static void write_reverse(const NbLoopEmitter *emitter) {
  LLVMValueRef sweep = emitter->derivative->reverse;
  start(emitter, sweep);
  LLVMValueRef environment = write_environment(emitter, sweep);
  reverse_all(emitter, sweep, environment);
  LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(sweep));
  if (LLVMGetTypeKind(type) == LLVMVoidTypeKind) {
    LLVMBuildRetVoid(emitter->builder);
    return;
  }
  LLVMValueRef result = LLVMGetPoison(type);
  for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++) {
    LLVMValueRef sum = load_field(emitter, environment, sums_of(emitter) + i);
    result = LLVMBuildInsertValue(emitter->builder, result, sum, i, "");
  }
  LLVMBuildRet(emitter->builder, result);
}

/* --- Derivatives of it -------------------------------------------------------------------------
 */

static bool ends_with(const char *text, const char *end) {
  size_t length = strlen(text), rest = strlen(end);
  return length >= rest && strcmp(text + length - rest, end) == 0;
}

static bool reaches(const NbList *reached, const char *runtime) {
  for (unsigned i = 0; i < reached->count; i++)
    if (strstr(nb_name(reached->items[i]), runtime))
      return true;
  return false;
}

static bool is_among(const NbList *reached, LLVMValueRef loop) {
  for (unsigned i = 0; i < reached->count; i++)
    if (ends_with(nb_name(reached->items[i]), nb_name(loop)))
      return true;
  return false;
}

/* A loop to a fixed point, or one of the others, of which the function runs a derivative: by then,
 * the runtime is a part of the program. If it is not known which, any; NULL: it runs none. */
static const NbCheckpoint *loop_run_by(const NbContext *context, LLVMValueRef function, bool fixed,
                                       const char *runtime) {
  const NbCheckpoint *found = NULL;
  NbList reached = nb_list(context->arena);
  for (unsigned i = 0; i < nb_map_count(context->checkpoints); i++) {
    LLVMValueRef key = (LLVMValueRef)nb_map_key(context->checkpoints, i);
    const NbCheckpoint *loop = nb_map_get(context->checkpoints, key);
    if (loop->fixed != fixed)
      continue;
    if (!found)
      reached = nb_reach(context->arena, function);
    if (!found && !reaches(&reached, runtime))
      return NULL;
    found = found ? found : loop;
    if (is_among(&reached, key))
      return loop;
  }
  return found;
}

void nb_checkpoint_explain(NbContext *context, LLVMValueRef function) {
  const NbCheckpoint *loop = loop_run_by(context, function, false, FORWARD);
  if (loop)
    nb_refuse(
        context, NB_ERROR_CHECKPOINT, nb_checkpoint_call(context, loop),
        "a derivative of the gradient of a checkpointed loop is asked for, and there is none; "
        "a gradient of a forward derivative there is");
}

bool nb_fixed_allows(NbContext *context, LLVMValueRef function) {
  const NbCheckpoint *loop = loop_run_by(context, function, true, "__nabla_fixed_point_forward");
  return !loop ||
         nb_refuse(
             context, NB_ERROR_CHECKPOINT, nb_checkpoint_call(context, loop),
             "a derivative of a derivative of a loop to a fixed point is asked for, and there "
             "is none");
}

/* --- The derivative ----------------------------------------------------------------------------
 */

static bool refuse(const NbLoopEmitter *emitter, const char *reason) {
  return nb_refuse(emitter->context, NB_ERROR_CHECKPOINT,
                   nb_checkpoint_call(emitter->context, emitter->loop), "%s", reason);
}

/* The call of the step, the only thing in the loop that has a derivative; `*others`: not the only
 * one. */
static const NbStatement *find_step(const NbLinear *linear, bool *others) {
  const NbStatement *step = NULL;
  *others = false;
  for (unsigned i = 0; i < linear->work->block_count; i++)
    for (const NbStatement *statement = linear->blocks[i].first; statement;
         statement = statement->next) {
      *others = *others || step || statement->kind != NB_STATEMENT_CALL;
      step = statement;
    }
  return step;
}

static bool check(const NbLoopEmitter *emitter, bool others) {
  if (others)
    return refuse(emitter, "the derivative of a step cannot be told from that of the loop");
  if (emitter->context->reads_again)
    return refuse(emitter, "a tape that is read more than once (enzyme_nofree) cannot hold a "
                           "loop that keeps states, which are gone behind its reverse");
  if (emitter->step->request.result != NB_ROLE_CONST)
    return refuse(emitter, "a step has a result with a derivative, which nobody takes");
  return true;
}

static bool emit(NbLoopEmitter *emitter) {
  lay_out(emitter);
  write_run(emitter);
  if (!write_turn(emitter))
    return false;
  if (is_forward(emitter)) {
    write_tangent(emitter);
    return true;
  }
  write_augmented(emitter);
  write_reverse(emitter);
  emitter->derivative->tape = pointer_type(emitter);
  emitter->derivative->keeps_pointers = true;
  return true;
}

bool nb_checkpoint_emit(NbContext *context, NbDerivative *derivative, const NbLinear *linear,
                        bool *empty) {
  bool others;
  const NbStatement *step = find_step(linear, &others);
  *empty = !step;
  if (!step)
    return true;
  NbLoopEmitter emitter = {.context = context,
                           .derivative = derivative,
                           .linear = linear,
                           .loop = nb_checkpoint_of(context, derivative->request.function),
                           .step = step->callee};
  if (!check(&emitter, others))
    return false;
  emitter.first = is_forward(&emitter) ? derivative->forward : derivative->augmented;
  emitter.primal = emitter.step->request.function;
  emitter.state = nb_checkpoint_state(context, &derivative->request);
  if (!emitter.state || (emitter.loop->fixed && !nb_fixed_check(&emitter)))
    return false;
  emitter.builder = LLVMCreateBuilderInContext(context->llvm);
  bool ok = emit(&emitter);
  LLVMDisposeBuilder(emitter.builder);
  return ok;
}
