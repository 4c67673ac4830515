// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* __enzyme_batch: a function is called for several sets of arguments, lanes, without derivatives.
 *
 * The lanes run one after the other in their order, so that it is defined what they do to memory
 * that they share. They stand in a function of their own: one without branches is inlined there,
 * and the vectoriser lays its lanes side by side. */
#include "request/byvalue.h"
#include "request/registrations.h"
#include "request/serving.h"

#include <string.h>

typedef struct Batch {
  NbServing *serving;
  LLVMValueRef function; /* what each lane calls */
  unsigned count, width; /* of its parameters; of the lanes */
  NbList arguments;      /* of the function that holds all lanes */
  unsigned *places;      /* by lane and parameter: which of them that is */
} Batch;

/* --- The arguments --------------------------------------------------------------------------- */

static void place(Batch *batch, unsigned lane, unsigned parameter, unsigned argument) {
  batch->places[lane * batch->count + parameter] = argument;
}

static bool refuse_few(const Batch *batch, unsigned lane, unsigned parameter) {
  const NbServing *serving = batch->serving;
  const char *found =
      serving->next < serving->count ? "a marker follows instead" : "no argument is left";
  return nb_refuse(serving->context, NB_ERROR_TOO_FEW_ARGUMENTS, serving->call,
                   "parameter %u of '%s' needs an argument for lane %u of %u, but %s",
                   parameter + 1, nb_name(batch->function), lane + 1, batch->width, found);
}

static NbMarker marker_here(const NbServing *serving) {
  return serving->next < serving->count ? serving->operands[serving->next].marker : NB_MARKER_NONE;
}

/* The next operand, which only where it is the `first` of an argument may carry a marker. */
static bool take_value(Batch *batch, unsigned lane, unsigned parameter, bool first) {
  NbServing *serving = batch->serving;
  bool marked = !first && marker_here(serving) != NB_MARKER_NONE;
  if (serving->next >= serving->count || marked)
    return refuse_few(batch, lane, parameter);
  place(batch, lane, parameter, batch->arguments.count);
  return nb_serving_take_value(serving, parameter, &batch->arguments);
}

/* The bytes from one lane to the next, then the first lane's pointer. */
static bool take_buffer(Batch *batch, unsigned parameter) {
  NbServing *serving = batch->serving;
  LLVMTypeRef word = LLVMInt64TypeInContext(serving->context->llvm);
  LLVMTypeRef byte = LLVMInt8TypeInContext(serving->context->llvm);
  LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(batch->function, parameter));
  LLVMValueRef distance = nb_serving_convert_count(serving);
  if (!distance || LLVMGetTypeKind(type) != LLVMPointerTypeKind)
    return nb_refuse(serving->context, NB_ERROR_WRONG_TYPE, serving->call,
                     "behind the marker 'enzyme_buffer' the bytes between two lanes must stand, "
                     "an integer, and then a pointer, as parameter %u of '%s' must be",
                     parameter + 1, nb_name(batch->function));
  serving->next++;
  if (!take_value(batch, 0, parameter, false))
    return false;
  LLVMValueRef base = batch->arguments.items[batch->arguments.count - 1];
  for (unsigned lane = 1; lane < batch->width; lane++) {
    LLVMValueRef offset =
        LLVMBuildMul(serving->builder, distance, LLVMConstInt(word, lane, false), "");
    place(batch, lane, parameter, batch->arguments.count);
    nb_list_push(&batch->arguments, LLVMBuildGEP2(serving->builder, byte, base, &offset, 1, ""));
  }
  return true;
}

/* One lane's own: the parts of a struct, or a reference to it. */
static bool take_own(Batch *batch, unsigned lane, unsigned first, unsigned parts) {
  NbServing *serving = batch->serving;
  unsigned start = batch->arguments.count;
  bool left = serving->next < serving->count;
  bool marked = lane > 0 && marker_here(serving) != NB_MARKER_NONE;
  if (left && !marked && nb_serving_take_from_memory(serving, first, parts, &batch->arguments)) {
    for (unsigned part = 0; part < parts; part++)
      place(batch, lane, first + part, start + part);
    return true;
  }
  for (unsigned part = 0; part < parts; part++)
    if (!take_value(batch, lane, first + part, lane == 0 && part == 0))
      return false;
  return true;
}

/* Each lane's own, one after the other, or one for all. */
static bool take_argument(Batch *batch, unsigned first, unsigned parts) {
  NbMarker marker = marker_here(batch->serving);
  unsigned given = marker == NB_MARKER_SCALAR ? 1 : batch->width;
  if (marker == NB_MARKER_BUFFER)
    return take_buffer(batch, first);
  for (unsigned lane = 0; lane < given; lane++)
    if (!take_own(batch, lane, first, parts))
      return false;
  for (unsigned lane = given; lane < batch->width; lane++)
    for (unsigned part = 0; part < parts; part++)
      place(batch, lane, first + part, batch->places[first + part]);
  return true;
}

/* The results of a function that returns in memory lie one after the other in that of the call. */
static bool take_memory(Batch *batch) {
  NbServing *serving = batch->serving;
  LLVMTypeRef byte = LLVMInt8TypeInContext(serving->context->llvm);
  LLVMTypeRef word = LLVMInt64TypeInContext(serving->context->llvm);
  LLVMTypeRef type = nb_parameter_pointee(batch->function, 0, "sret");
  uint64_t bytes = LLVMABISizeOfType(serving->context->layout, type);
  uint64_t given =
      serving->memory ? LLVMABISizeOfType(serving->context->layout, serving->memory_type) : 0;
  if (given != bytes * batch->width)
    return nb_refuse(serving->context, NB_ERROR_WRONG_RESULT, serving->call,
                     "the call returns %llu bytes, but %u lanes of '%s' return %llu",
                     (unsigned long long)given, batch->width, nb_name(batch->function),
                     (unsigned long long)bytes * batch->width);
  for (unsigned lane = 0; lane < batch->width; lane++) {
    LLVMValueRef offset = LLVMConstInt(word, bytes * lane, false);
    place(batch, lane, 0, batch->arguments.count);
    nb_list_push(&batch->arguments,
                 LLVMBuildInBoundsGEP2(serving->builder, byte, serving->memory, &offset, 1, ""));
  }
  serving->memory = NULL;
  return true;
}

static bool take_arguments(Batch *batch) {
  unsigned next = 0;
  if (batch->count && nb_parameter_pointee(batch->function, 0, "sret")) {
    if (!take_memory(batch))
      return false;
    next = 1;
  }
  while (next < batch->count) {
    unsigned parts = nb_by_value_parts(batch->function, next);
    if (!take_argument(batch, next, parts))
      return false;
    next += parts;
  }
  return nb_serving_check_end(batch->serving);
}

/* --- The lanes ------------------------------------------------------------------------------- */

static LLVMValueRef build_lane(const Batch *batch, LLVMBuilderRef builder, LLVMValueRef whole,
                               unsigned lane) {
  NbArena *arena = batch->serving->context->arena;
  LLVMValueRef *arguments = NB_NEW_ARRAY(arena, LLVMValueRef, batch->count + 1);
  for (unsigned i = 0; i < batch->count; i++)
    arguments[i] = LLVMGetParam(whole, batch->places[lane * batch->count + i]);
  LLVMTypeRef type = LLVMGlobalGetValueType(batch->function);
  LLVMValueRef call = LLVMBuildCall2(builder, type, batch->function, arguments, batch->count, "");
  LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(batch->function));
  nb_call_take_attributes(arena, call, batch->function);
  return call;
}

/* A function of which something is registered stays a call. */
static bool is_inlined(const Batch *batch) {
  const NbContext *context = batch->serving->context;
  const char *name = nb_name(batch->function);
  return LLVMCountBasicBlocks(batch->function) == 1 && !nb_custom_of(context, batch->function) &&
         !nb_rules_find(context->rules, name, strlen(name), NULL);
}

static LLVMValueRef declare_whole(const Batch *batch, LLVMTypeRef result) {
  NbContext *context = batch->serving->context;
  const NbList *arguments = &batch->arguments;
  LLVMTypeRef *types = NB_NEW_ARRAY(context->arena, LLVMTypeRef, arguments->count + 1);
  for (unsigned i = 0; i < arguments->count; i++)
    types[i] = LLVMTypeOf(arguments->items[i]);
  const char *name = nb_arena_print(context->arena, "nabla.batch.%s", nb_name(batch->function));
  LLVMValueRef whole = LLVMAddFunction(context->module, name,
                                       LLVMFunctionType(result, types, arguments->count, false));
  LLVMSetLinkage(whole, LLVMInternalLinkage);
  nb_attributes_copy_target(whole, batch->function);
  return whole;
}

/* The function that calls all lanes and returns their results as a struct. */
static LLVMValueRef build_whole(const Batch *batch, LLVMTypeRef type) {
  NbContext *context = batch->serving->context;
  bool nothing = LLVMGetTypeKind(type) == LLVMVoidTypeKind;
  LLVMTypeRef *types = NB_NEW_ARRAY(context->arena, LLVMTypeRef, batch->width);
  LLVMValueRef *calls = NB_NEW_ARRAY(context->arena, LLVMValueRef, batch->width);
  for (unsigned lane = 0; lane < batch->width; lane++)
    types[lane] = type;
  LLVMTypeRef result =
      nothing ? type : LLVMStructTypeInContext(context->llvm, types, batch->width, false);
  LLVMValueRef whole = declare_whole(batch, result);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(context->llvm, whole, ""));
  for (unsigned lane = 0; lane < batch->width; lane++)
    calls[lane] = build_lane(batch, builder, whole, lane);
  LLVMValueRef value = nothing ? NULL : LLVMGetPoison(result);
  for (unsigned lane = 0; value && lane < batch->width; lane++)
    value = LLVMBuildInsertValue(builder, value, calls[lane], lane, "");
  if (nothing)
    LLVMBuildRetVoid(builder);
  else
    LLVMBuildRet(builder, value);
  LLVMDisposeBuilder(builder);
  for (unsigned lane = 0; is_inlined(batch) && lane < batch->width; lane++)
    nb_inline_call(context->analyses, calls[lane]);
  return whole;
}

bool nb_serving_emit_batch(NbServing *serving, NbList *fields) {
  NbContext *context = serving->context;
  LLVMTypeRef type = LLVMGlobalGetValueType(serving->function);
  Batch batch = {.serving = serving,
                 .function = serving->function,
                 .count = LLVMCountParams(serving->function),
                 .width = serving->collected.width,
                 .arguments = nb_list(context->arena)};
  if (LLVMIsFunctionVarArg(type))
    return nb_refuse(context, NB_ERROR_ENTRY_UNSUPPORTED, serving->call,
                     "'%s' takes a variable number of arguments, which cannot be batched yet",
                     nb_name(batch.function));
  batch.places = NB_NEW_ARRAY(context->arena, unsigned, batch.count *batch.width + 1);
  serving->request.count = batch.count;
  if (!take_arguments(&batch))
    return false;
  LLVMTypeRef result = LLVMGetReturnType(type);
  LLVMValueRef whole = build_whole(&batch, result);
  serving->arguments = batch.arguments;
  LLVMValueRef call = nb_serving_call(serving, whole);
  bool nothing = LLVMGetTypeKind(result) == LLVMVoidTypeKind;
  for (unsigned lane = 0; !nothing && lane < batch.width; lane++)
    nb_list_push(fields, LLVMBuildExtractValue(serving->builder, call, lane, ""));
  return true;
}
