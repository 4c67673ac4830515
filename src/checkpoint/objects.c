// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What the arguments of a checkpointed loop lead into: where it is not known which bytes its steps
 * touch, a variable or an allocation is kept as a whole. The loop function gets its size. A loop
 * within a step that stands in the source as a loop finds it by the call of the outer one. */
#include "checkpoint/checkpoint.h"
#include "objects/graph.h"
#include "objects/path.h"

static LLVMTypeRef word_of(const NbContext *context) {
  return LLVMInt64TypeInContext(context->llvm);
}

/* What the call of a function that allocates asks for; none where it got none. */
static LLVMValueRef bytes_of_allocated(const NbContext *context, LLVMBuilderRef builder,
                                       LLVMValueRef call) {
  const NbRule *rule = LLVMIsACallInst(call) ? nb_rule_of_call(context, call, NULL) : NULL;
  if (!rule || rule->kind != NB_RULE_ALLOCATE || !rule->extent)
    return NULL;
  unsigned count = LLVMGetNumArgOperands(call);
  LLVMValueRef *arguments = NB_NEW_ARRAY(context->arena, LLVMValueRef, count + 1);
  for (unsigned i = 0; i < count; i++)
    arguments[i] = LLVMGetOperand(call, i);
  NbLowering lowering = {.context = context,
                         .builder = builder,
                         .type = LLVMDoubleTypeInContext(context->llvm),
                         .arguments = arguments,
                         .result = call};
  LLVMValueRef bytes = nb_lower_expression(&lowering, rule->extent);
  bytes = LLVMBuildIntCast2(builder, bytes, word_of(context), false, "");
  LLVMValueRef none = LLVMBuildIsNull(builder, call, "");
  return LLVMBuildSelect(builder, none, LLVMConstNull(word_of(context)), bytes, "bytes");
}

LLVMValueRef nb_checkpoint_bytes(const NbContext *context, LLVMBuilderRef builder,
                                 LLVMValueRef pointer, int64_t *offset) {
  NbPath path = nb_path_of(context, pointer);
  *offset = path.offset;
  if (path.failed || path.count)
    return NULL;
  bool variable = LLVMIsAAllocaInst(path.root) || LLVMIsAGlobalVariable(path.root);
  if (!variable)
    return bytes_of_allocated(context, builder, path.root);
  uint64_t bytes = nb_object_bytes((NbContext *)context, path.root);
  return bytes == NB_UNKNOWN_SIZE ? NULL : LLVMConstInt(word_of(context), bytes, false);
}

/* The marked loop of which the function is the body; NULL. */
static const NbCheckpoint *loop_around(const NbContext *context, LLVMValueRef function) {
  for (unsigned i = 0; i < nb_map_count(context->checkpoints); i++) {
    const void *key = nb_map_key(context->checkpoints, i);
    const NbCheckpoint *loop = nb_map_get(context->checkpoints, key);
    if (loop->marked && loop->step == function)
      return loop;
  }
  return NULL;
}

static const NbCheckpointObject *object_of(const NbCheckpoint *loop, unsigned parameter) {
  for (unsigned i = 0; i < loop->object_count; i++)
    if (loop->objects[i].parameter == parameter)
      return &loop->objects[i];
  return NULL;
}

LLVMValueRef nb_checkpoint_bytes_behind(const NbContext *context, const NbCheckpoint *loop,
                                        unsigned parameter, LLVMValueRef function,
                                        int64_t *offset) {
  const NbCheckpointObject *object = object_of(loop, parameter);
  *offset = object ? object->offset : 0;
  if (object)
    return LLVMGetParam(function, object->bytes);
  while (!object) {
    LLVMValueRef call = nb_checkpoint_call(context, loop);
    if (!nb_is_call(call))
      return NULL;
    NbPath path = nb_path_of(context, LLVMGetOperand(call, parameter));
    loop = !path.failed && !path.count && LLVMIsAArgument(path.root)
               ? loop_around(context, LLVMGetParamParent(path.root))
               : NULL;
    unsigned index = loop ? nb_parameter_index(path.root) : 0;
    if (!index)
      return NULL;
    parameter = nb_checkpoint_parameter(loop, index);
    object = object_of(loop, parameter);
    *offset += path.offset + (object ? object->offset : 0);
  }
  LLVMValueRef call = nb_checkpoint_call(context, loop);
  LLVMValueRef bytes = nb_is_call(call) ? LLVMGetOperand(call, object->bytes) : call;
  return LLVMIsAConstantInt(bytes) ? bytes : NULL;
}
