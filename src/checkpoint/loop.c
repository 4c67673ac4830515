// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The loop functions. */
#include "checkpoint/checkpoint.h"
#include "objects/graph.h"
#include "request/serving.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

typedef struct Loop {
  NbContext *context;
  NbServing serving;   /* of the call; its function is the step */
  NbList values;       /* for the loop function */
  NbCheckpoint *known; /* what is to be remembered */
} Loop;

static bool is_loop(NbArena *arena, LLVMValueRef callee) {
  NbCollected collected;
  return nb_collected_parse(arena, nb_name(callee), &collected) &&
         (collected.entry == NB_ENTRY_CHECKPOINT || collected.entry == NB_ENTRY_CHECKPOINT_UNTIL ||
          collected.entry == NB_ENTRY_FIXED_POINT);
}

static bool refuse(const Loop *loop, const char *reason) {
  return nb_refuse(loop->context, NB_ERROR_CHECKPOINT, loop->serving.call, "%s", reason);
}

/* --- Operands ----------------------------------------------------------------------------------
 */

static NbMarker marker_at(const Loop *loop, unsigned operand) {
  return loop->serving.operands[operand].marker;
}

static bool is_left(const Loop *loop) { return loop->serving.next < loop->serving.count; }

static bool take(Loop *loop, LLVMTypeKind kind, const char *what) {
  LLVMTypeRef type = kind == LLVMPointerTypeKind ? LLVMPointerTypeInContext(loop->context->llvm, 0)
                                                 : LLVMInt64TypeInContext(loop->context->llvm);
  LLVMValueRef value = is_left(loop) ? nb_serving_convert(&loop->serving, type) : NULL;
  if (!value)
    return refuse(loop, nb_arena_print(loop->context->arena,
                                       "the call of a checkpointed loop needs %s", what));
  nb_list_push(&loop->values, value);
  loop->serving.next++;
  return true;
}

static bool take_scheme(Loop *loop) {
  if (!is_left(loop) || marker_at(loop, loop->serving.next) != NB_MARKER_SCHEME)
    return refuse(loop, "before the arguments of a step there must stand enzyme_scheme, a scheme "
                        "and its data");
  return take(loop, LLVMPointerTypeKind, "a scheme behind enzyme_scheme") &&
         take(loop, LLVMPointerTypeKind, "the data of its scheme");
}

static bool take_regions(Loop *loop) {
  while (is_left(loop) && marker_at(loop, loop->serving.next) == NB_MARKER_REGION) {
    if (!take(loop, LLVMPointerTypeKind, "a pointer behind enzyme_checkpoint_region") ||
        !take(loop, LLVMIntegerTypeKind, "the bytes of a region"))
      return false;
    loop->known->regions++;
  }
  return true;
}

static bool take_arguments(Loop *loop) {
  unsigned count = LLVMCountParams(loop->serving.function);
  for (unsigned i = 1; i < count; i++) {
    if (!is_left(loop))
      return nb_refuse(loop->context, NB_ERROR_TOO_FEW_ARGUMENTS, loop->serving.call,
                       "parameter %u of '%s' has no argument", i + 1,
                       nb_shown_name(loop->context, loop->serving.function));
    if (marker_at(loop, loop->serving.next) != NB_MARKER_NONE)
      return nb_refuse(loop->context, NB_ERROR_WRONG_MARKER, loop->serving.call,
                       "the marker 'enzyme_%s' is not for an argument of a step",
                       nb_marker_word(marker_at(loop, loop->serving.next)));
    if (!nb_serving_take_value(&loop->serving, i, &loop->values))
      return false;
  }
  if (!is_left(loop))
    return true;
  return nb_refuse(loop->context, NB_ERROR_TOO_MANY_ARGUMENTS, loop->serving.call,
                   "'%s' takes %u arguments behind the number of the step, and there are more",
                   nb_shown_name(loop->context, loop->serving.function), count - 1);
}

/* What is passed by reference may have any number of bits. */
#define BY_VALUE " (in Fortran, write the loop, and call enzyme_set_checkpointing in it)"

static bool take_range(Loop *loop) {
  LLVMTypeRef type = LLVMInt64TypeInContext(loop->context->llvm);
  if (!loop->known->until)
    return take(loop, LLVMIntegerTypeKind, "the number of the first step by value" BY_VALUE) &&
           take(loop, LLVMIntegerTypeKind, "the number of steps by value" BY_VALUE);
  nb_list_push(&loop->values, LLVMConstNull(type));
  nb_list_push(&loop->values, LLVMConstInt(type, (uint64_t)NB_CHECKPOINT_UNKNOWN, true));
  return true;
}

/* Of a loop that stands in the source as one, nobody can say what the state is. */
static void add_object(Loop *loop, unsigned parameter) {
  int64_t offset;
  LLVMValueRef bytes = nb_checkpoint_bytes(loop->context, loop->serving.builder,
                                           loop->values.items[parameter], &offset);
  if (!bytes)
    return;
  loop->known->objects[loop->known->object_count++] =
      (NbCheckpointObject){parameter, loop->values.count, offset};
  nb_list_push(&loop->values, bytes);
}

static void add_objects(Loop *loop) {
  unsigned first = nb_checkpoint_region(loop->known, loop->known->regions);
  unsigned count = loop->values.count;
  loop->known->objects = NB_NEW_ARRAY(loop->context->arena, NbCheckpointObject, count);
  for (unsigned i = first; i < count; i++)
    if (LLVMGetTypeKind(LLVMTypeOf(loop->values.items[i])) == LLVMPointerTypeKind)
      add_object(loop, i);
}

/* --- Operands of a loop to a fixed point --------------------------------------------------------
 */

/* Fortran passes a pointer to the number; NULL where it is known to lead to something else. */
static LLVMValueRef read_number(const Loop *loop, LLVMValueRef pointer, LLVMTypeRef type) {
  LLVMTypeRef there = LLVMIsAAllocaInst(pointer)       ? LLVMGetAllocatedType(pointer)
                      : LLVMIsAGlobalVariable(pointer) ? LLVMGlobalGetValueType(pointer)
                                                       : type;
  return there == type ? LLVMBuildLoad2(loop->serving.builder, type, pointer, "") : NULL;
}

static LLVMValueRef take_number(Loop *loop, LLVMTypeRef type, const char *what) {
  LLVMValueRef value = NULL;
  if (is_left(loop)) {
    LLVMValueRef given =
        LLVMGetOperand(loop->serving.call, loop->serving.indices[loop->serving.next]);
    bool pointer = LLVMGetTypeKind(LLVMTypeOf(given)) == LLVMPointerTypeKind;
    value = pointer ? read_number(loop, given, type) : nb_serving_convert(&loop->serving, type);
  }
  if (!value)
    refuse(loop, nb_arena_print(loop->context->arena,
                                "the call of a loop to a fixed point needs %s", what));
  loop->serving.next++;
  return value;
}

typedef struct Said {
  LLVMValueRef control, reduction, limit;
  NbList states, regions; /* each with its bytes */
} Said;

static bool take_region(Loop *loop, NbList *regions) {
  LLVMTypeRef pointer = LLVMPointerTypeInContext(loop->context->llvm, 0);
  LLVMValueRef at = is_left(loop) ? nb_serving_convert(&loop->serving, pointer) : NULL;
  if (!at)
    return refuse(loop, "the call of a loop to a fixed point needs a pointer behind "
                        "enzyme_fp_state and enzyme_checkpoint_region");
  loop->serving.next++;
  LLVMValueRef bytes = take_number(loop, LLVMInt64TypeInContext(loop->context->llvm),
                                   "the bytes of its state and regions, integers of 64 bits");
  if (!bytes)
    return false;
  nb_list_push(regions, at);
  nb_list_push(regions, bytes);
  return true;
}

static bool take_said(Loop *loop, Said *said) {
  LLVMContextRef llvm = loop->context->llvm;
  switch (marker_at(loop, loop->serving.next)) {
  case NB_MARKER_FIXED_STATE:
    return take_region(loop, &said->states);
  case NB_MARKER_REGION:
    return take_region(loop, &said->regions);
  case NB_MARKER_FIXED_REDUCTION:
    said->reduction =
        take_number(loop, LLVMDoubleTypeInContext(llvm), "a double behind enzyme_fp_reduction");
    return said->reduction != NULL;
  case NB_MARKER_FIXED_LIMIT:
    said->limit = take_number(loop, LLVMInt64TypeInContext(llvm),
                              "an integer of 64 bits behind enzyme_fp_max_iters");
    return said->limit != NULL;
  default:
    said->control = nb_serving_convert(&loop->serving, LLVMTypeOf(said->control));
    loop->serving.next++;
    return said->control ||
           refuse(loop, "the call of a loop to a fixed point needs a function behind "
                        "enzyme_fp_control");
  }
}

static bool says_something(NbMarker marker) {
  return marker >= NB_MARKER_REGION && marker <= NB_MARKER_FIXED_CONTROL;
}

/* A negative number stands for the default. */
static bool take_fixed(Loop *loop) {
  LLVMContextRef llvm = loop->context->llvm;
  Said said = {.control = LLVMConstNull(LLVMPointerTypeInContext(llvm, 0)),
               .reduction = LLVMConstReal(LLVMDoubleTypeInContext(llvm), -1),
               .limit = LLVMConstInt(LLVMInt64TypeInContext(llvm), (uint64_t)-1, true),
               .states = nb_list(loop->context->arena),
               .regions = nb_list(loop->context->arena)};
  while (is_left(loop) && says_something(marker_at(loop, loop->serving.next)))
    if (!take_said(loop, &said))
      return false;
  if (!said.states.count)
    return refuse(loop, "the call of a loop to a fixed point says by enzyme_fp_state, a pointer "
                        "and its bytes, what it iterates");
  loop->known->states = said.states.count / 2;
  loop->known->regions = loop->known->states + said.regions.count / 2;
  nb_list_push(&loop->values, said.control);
  nb_list_push(&loop->values, said.reduction);
  nb_list_push(&loop->values, said.limit);
  for (unsigned i = 0; i < said.states.count; i++)
    nb_list_push(&loop->values, said.states.items[i]);
  for (unsigned i = 0; i < said.regions.count; i++)
    nb_list_push(&loop->values, said.regions.items[i]);
  return true;
}

static bool take_operands(Loop *loop) {
  bool taken = take_range(loop) && (loop->known->fixed ? take_fixed(loop) : take_scheme(loop)) &&
               take_regions(loop) && take_arguments(loop);
  if (taken)
    add_objects(loop);
  loop->known->behind = NB_NEW_ARRAY(loop->context->arena, NbLayout, loop->values.count + 1);
  return taken;
}

/* --- The step ----------------------------------------------------------------------------------
 */

static bool is_passed_plainly(LLVMValueRef step, unsigned index) {
  return !nb_parameter_pointee(step, index, "byval") && !nb_parameter_pointee(step, index, "sret");
}

static bool check_step(Loop *loop) {
  LLVMValueRef step = loop->serving.function;
  LLVMTypeRef type = LLVMGlobalGetValueType(step);
  unsigned count = LLVMCountParams(step);
  if (LLVMIsDeclaration(step))
    return nb_refuse(loop->context, NB_ERROR_NO_BODY, loop->serving.call,
                     "'%s' is only declared here, so what a step does cannot be known",
                     nb_name(step));
  LLVMTypeRef first = count ? LLVMTypeOf(LLVMGetParam(step, 0)) : type;
  if (LLVMIsFunctionVarArg(type) || LLVMGetTypeKind(first) != LLVMIntegerTypeKind)
    return refuse(loop, "a step is a function whose first parameter is its number, an integer");
  if (loop->known->until && LLVMGetTypeKind(LLVMGetReturnType(type)) != LLVMIntegerTypeKind)
    return refuse(loop, "the step of a loop whose end is not known must return an integer, which "
                        "says whether to go on");
  bool plain = !nb_type_has_pointer(LLVMGetReturnType(type));
  for (unsigned i = 0; i < count; i++)
    plain = plain && is_passed_plainly(step, i);
  return plain || refuse(loop, "a step that takes a struct in memory by value, or returns a "
                               "pointer, is not supported");
}

/* --- The function ------------------------------------------------------------------------------
 */

static LLVMValueRef declare(Loop *loop) {
  NbContext *context = loop->context;
  LLVMTypeRef *types = NB_NEW_ARRAY(context->arena, LLVMTypeRef, loop->values.count + 1);
  for (unsigned i = 0; i < loop->values.count; i++)
    types[i] = LLVMTypeOf(loop->values.items[i]);
  LLVMTypeRef type =
      LLVMFunctionType(LLVMVoidTypeInContext(context->llvm), types, loop->values.count, false);
  const char *name =
      nb_arena_print(context->arena, "nabla.checkpoint.%s", nb_name(loop->serving.function));
  LLVMValueRef function = LLVMAddFunction(context->module, name, type);
  LLVMSetLinkage(function, LLVMInternalLinkage);
  nb_attributes_copy_target(function, loop->serving.function);
  return function;
}

void nb_checkpoint_copy_extension(LLVMValueRef call, LLVMValueRef step) {
  static const char *const kinds[] = {"signext", "zeroext"};
  for (unsigned i = 0; i < LLVMCountParams(step); i++)
    for (unsigned k = 0; k < 2; k++) {
      unsigned id = LLVMGetEnumAttributeKindForName(kinds[k], strlen(kinds[k]));
      LLVMAttributeRef attribute = LLVMGetEnumAttributeAtIndex(step, i + 1, id);
      if (attribute)
        LLVMAddCallSiteAttribute(call, i + 1, attribute);
    }
}

static LLVMValueRef call_step(const Loop *loop, LLVMBuilderRef builder, LLVMValueRef function,
                              LLVMValueRef number) {
  LLVMValueRef step = loop->serving.function;
  unsigned count = LLVMCountParams(step);
  LLVMValueRef *arguments = NB_NEW_ARRAY(loop->context->arena, LLVMValueRef, count + 1);
  arguments[0] =
      LLVMBuildIntCast2(builder, number, LLVMTypeOf(LLVMGetParam(step, 0)), true, "number");
  for (unsigned i = 1; i < count; i++)
    arguments[i] = LLVMGetParam(function, nb_checkpoint_parameter(loop->known, i));
  LLVMValueRef call =
      LLVMBuildCall2(builder, LLVMGlobalGetValueType(step), step, arguments, count, "");
  LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(step));
  nb_checkpoint_copy_extension(call, step);
  return call;
}

/* Is there another step? `result` is that of the last one, and `done` steps are done. */
static LLVMValueRef ask(const Loop *loop, LLVMBuilderRef builder, LLVMValueRef function,
                        LLVMValueRef result, LLVMValueRef done) {
  if (!loop->known->until)
    return LLVMBuildICmp(builder, LLVMIntSLT, done, LLVMGetParam(function, NB_CHECKPOINT_COUNT),
                         "more");
  return LLVMBuildICmp(builder, LLVMIntNE, result, LLVMConstNull(LLVMTypeOf(result)), "more");
}

static void write_body(const Loop *loop, LLVMValueRef function) {
  LLVMContextRef llvm = loop->context->llvm;
  LLVMTypeRef word = LLVMInt64TypeInContext(llvm);
  LLVMValueRef none = LLVMConstNull(word), one = LLVMConstInt(word, 1, false);
  LLVMValueRef any = LLVMConstInt(LLVMInt1TypeInContext(llvm), 1, false);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(llvm);
  LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(llvm, function, "entry");
  LLVMBasicBlockRef body = LLVMAppendBasicBlockInContext(llvm, function, "step");
  LLVMBasicBlockRef end = LLVMAppendBasicBlockInContext(llvm, function, "end");
  LLVMPositionBuilderAtEnd(builder, entry);
  if (!loop->known->until)
    any = ask(loop, builder, function, NULL, none);
  LLVMBuildCondBr(builder, any, body, end);
  LLVMPositionBuilderAtEnd(builder, body);
  LLVMValueRef done = LLVMBuildPhi(builder, word, "done");
  LLVMValueRef number =
      LLVMBuildNSWAdd(builder, LLVMGetParam(function, NB_CHECKPOINT_START), done, "");
  LLVMValueRef result = call_step(loop, builder, function, number);
  LLVMValueRef next = LLVMBuildNSWAdd(builder, done, one, "");
  LLVMValueRef more = ask(loop, builder, function, result, next);
  LLVMBuildCondBr(builder, more, body, end);
  LLVMValueRef values[] = {none, next};
  LLVMBasicBlockRef blocks[] = {entry, body};
  LLVMAddIncoming(done, values, blocks, 2);
  LLVMPositionBuilderAtEnd(builder, end);
  LLVMBuildRetVoid(builder);
  LLVMDisposeBuilder(builder);
}

static void replace(Loop *loop) {
  NbContext *context = loop->context;
  LLVMValueRef function = declare(loop);
  write_body(loop, function);
  nb_map_set(context->checkpoints, function, loop->known);
  LLVMValueRef call =
      LLVMBuildCall2(loop->serving.builder, LLVMGlobalGetValueType(function), function,
                     (LLVMValueRef *)loop->values.items, loop->values.count, "");
  LLVMInstructionSetDebugLoc(call, LLVMInstructionGetDebugLoc(loop->serving.call));
  loop->known->function = function;
  loop->known->step = loop->serving.function;
  loop->known->marked = nb_checkpoint_is_marked(loop->serving.function);
  nb_call_replace(loop->serving.call, NULL);
}

static void serve(NbContext *context, LLVMValueRef call) {
  Loop loop = {.context = context,
               .serving = {.context = context, .call = call},
               .values = nb_list(context->arena),
               .known = NB_NEW(context->arena, NbCheckpoint)};
  nb_collected_parse(context->arena, nb_name(nb_callee(call)), &loop.serving.collected);
  loop.known->fixed = loop.serving.collected.entry == NB_ENTRY_FIXED_POINT;
  loop.known->until =
      loop.known->fixed || loop.serving.collected.entry == NB_ENTRY_CHECKPOINT_UNTIL;
  nb_serving_take_operands(&loop.serving);
  loop.serving.builder = LLVMCreateBuilderInContext(context->llvm);
  LLVMPositionBuilderBefore(loop.serving.builder, call);
  LLVMValueRef operand = LLVMGetOperand(call, nb_call_function_index(call));
  loop.serving.function = nb_resolve_function(context, operand);
  bool ok =
      loop.serving.function || nb_refuse(context, NB_ERROR_NOT_A_FUNCTION, call,
                                         "which function is a step of the loop is not known here");
  if (ok && LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind && LLVMGetFirstUse(call))
    ok = refuse(&loop, "a checkpointed loop has no result");
  if (ok && check_step(&loop) && take_operands(&loop))
    replace(&loop);
  else
    nb_call_retire(context, call);
  LLVMDisposeBuilder(loop.serving.builder);
}

bool nb_checkpoint_serve(NbContext *context) {
  NbList calls = nb_calls_of(context, is_loop);
  for (unsigned i = 0; i < calls.count; i++)
    serve(context, calls.items[i]);
  return calls.count != 0;
}

const NbCheckpoint *nb_checkpoint_of(const NbContext *context, LLVMValueRef function) {
  LLVMValueRef original = nb_map_get(context->originals, function);
  return nb_map_get(context->checkpoints, original ? original : function);
}

LLVMValueRef nb_checkpoint_call(const NbContext *context, const NbCheckpoint *loop) {
  LLVMValueRef found = loop->step;
  for (LLVMUseRef use = LLVMGetFirstUse(loop->function); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!nb_is_call(user) || nb_callee(user) != loop->function)
      continue;
    found = user;
    if (!nb_map_has(context->primals, nb_function_around(user)))
      return user;
  }
  return found;
}

const NbCheckpoint *nb_checkpoint_asked(const NbContext *context, const NbRequest *request) {
  return request->whole ? NULL : nb_checkpoint_of(context, request->function);
}

unsigned nb_checkpoint_parameter(const NbCheckpoint *checkpoint, unsigned index) {
  return nb_checkpoint_region(checkpoint, checkpoint->regions) + index - 1;
}

unsigned nb_checkpoint_region(const NbCheckpoint *checkpoint, unsigned index) {
  return (checkpoint->fixed ? (unsigned)NB_FIXED_REGIONS : (unsigned)NB_CHECKPOINT_REGIONS) +
         2 * index;
}
