// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The shadow program: every computation of a pointer to memory with a shadow, repeated on shadow
 * memory. It is written next to the primal, and runs in the forward sweep of every mode. */
#include "linear/build.h"
#include "linear/globals.h"

#include <string.h>

/* Functions stand for themselves: shadow memory has no code. */
LLVMValueRef nb_linear_shadow(const NbLinear *linear, LLVMValueRef pointer, unsigned lane) {
  if (nb_leads_nowhere(pointer) || LLVMIsPoison(pointer) || LLVMIsAFunction(pointer))
    return pointer;
  const NbRequest *request = linear->work->request;
  NbDirection direction = {request->depth, request->lane + lane, request->mode == NB_MODE_FORWARD};
  if (LLVMIsAConstant(pointer))
    return nb_activity_pointer(linear->activity, pointer)
               ? nb_shadow_constant(linear->work->context, direction, pointer, linear->activity)
               : NULL;
  return nb_map_get(linear->shadows[lane], pointer);
}

LLVMValueRef *nb_linear_shadows(const NbLinear *linear, LLVMValueRef pointer) {
  LLVMValueRef *shadows =
      NB_NEW_ARRAY(linear->work->context->arena, LLVMValueRef, linear->width + 1);
  for (unsigned lane = 0; lane < linear->width; lane++)
    shadows[lane] = nb_linear_shadow(linear, pointer, lane);
  return shadows;
}

/* Stands for a shadow that was refused, so that its users are not refused once more. */
static bool give_up(NbLinear *linear, LLVMValueRef inst) {
  for (unsigned lane = 0; lane < linear->width; lane++)
    nb_map_set(linear->shadows[lane], inst, LLVMGetPoison(LLVMTypeOf(inst)));
  return false;
}

static bool no_shadow(const NbLinear *linear, LLVMValueRef where) {
  return nb_refuse(linear->work->context, NB_ERROR_POINTER, where,
                   "a pointer to active memory is made from one whose shadow is not known, so that "
                   "the derivative cannot know where to add");
}

static LLVMValueRef *operands_of(NbLinear *linear, LLVMValueRef inst, unsigned *count) {
  *count = (unsigned)LLVMGetNumOperands(inst);
  LLVMValueRef *operands = NB_NEW_ARRAY(linear->work->context->arena, LLVMValueRef, *count + 1);
  for (unsigned i = 0; i < *count; i++)
    operands[i] = LLVMGetOperand(inst, i);
  return operands;
}

/* The same instruction with its pointer operands replaced by their shadows. */
static bool mirror_lane(NbLinear *linear, LLVMValueRef inst, unsigned first, unsigned last,
                        unsigned lane) {
  unsigned count;
  LLVMValueRef *operands = operands_of(linear, inst, &count);
  for (unsigned i = first; i <= last; i++) {
    operands[i] = nb_linear_shadow(linear, operands[i], lane);
    if (!operands[i]) {
      no_shadow(linear, inst);
      return give_up(linear, inst);
    }
  }
  LLVMBuilderRef builder = nb_builder_after(linear, inst);
  LLVMValueRef shadow = LLVMInstructionClone(inst);
  for (unsigned i = first; i <= last; i++)
    LLVMSetOperand(shadow, i, operands[i]);
  LLVMInsertIntoBuilderWithName(builder, shadow, "shadow");
  LLVMDisposeBuilder(builder);
  nb_map_set(linear->shadows[lane], inst, shadow);
  nb_map_set(linear->primal_of, shadow, inst);
  return true;
}

static bool mirror_instruction(NbLinear *linear, LLVMValueRef inst, unsigned first, unsigned last) {
  bool ok = true;
  for (unsigned lane = 0; ok && lane < linear->width; lane++)
    ok = mirror_lane(linear, inst, first, last, lane);
  return ok;
}

static bool shadow_phi(NbLinear *linear, LLVMValueRef phi) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(linear->work->context->llvm);
  LLVMPositionBuilderBefore(builder, phi);
  for (unsigned lane = 0; lane < linear->width; lane++)
    nb_map_set(linear->shadows[lane], phi, LLVMBuildPhi(builder, LLVMTypeOf(phi), "shadow"));
  LLVMDisposeBuilder(builder);
  return true;
}

static bool finish_phi(NbLinear *linear, LLVMValueRef phi, unsigned lane) {
  LLVMValueRef shadow = nb_map_get(linear->shadows[lane], phi);
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
    LLVMValueRef value = nb_linear_shadow(linear, LLVMGetIncomingValue(phi, i), lane);
    if (!value)
      return no_shadow(linear, phi);
    LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
    LLVMAddIncoming(shadow, &value, &from, 1);
  }
  return true;
}

static bool finish_phis(NbLinear *linear, unsigned lane) {
  const NbMap *shadows = linear->shadows[lane];
  for (unsigned i = 0; i < nb_map_count(shadows); i++) {
    LLVMValueRef value = (LLVMValueRef)nb_map_key(shadows, i);
    if (LLVMIsAPHINode(value) && !finish_phi(linear, value, lane))
      return false;
  }
  return true;
}

bool nb_shadow_finish(NbLinear *linear) {
  bool ok = true;
  for (unsigned lane = 0; ok && lane < linear->width; lane++)
    ok = finish_phis(linear, lane);
  return ok;
}

/* The address of an element whose shadows lie side by side. */
static bool shadow_element(NbLinear *linear, LLVMValueRef inst) {
  LLVMTypeRef type = nb_interleaved_type(linear, LLVMGetGEPSourceElementType(inst));
  LLVMValueRef *shadows = nb_linear_shadows(linear, LLVMGetOperand(inst, 0));
  unsigned count;
  LLVMValueRef *operands = operands_of(linear, inst, &count);
  LLVMBuilderRef builder = nb_builder_after(linear, inst);
  for (unsigned lane = 0; lane < linear->width; lane++) {
    LLVMValueRef shadow =
        LLVMBuildGEPWithNoWrapFlags(builder, type, shadows[lane], operands + 1, count - 1, "shadow",
                                    LLVMGEPGetNoWrapFlags(inst));
    nb_map_set(linear->shadows[lane], inst, shadow);
    nb_map_set(linear->primal_of, shadow, inst);
  }
  LLVMDisposeBuilder(builder);
  return true;
}

static LLVMValueRef array_bytes(NbLinear *linear, LLVMBuilderRef builder, LLVMValueRef array) {
  NbContext *context = linear->work->context;
  LLVMTypeRef type = LLVMInt64TypeInContext(context->llvm);
  uint64_t size = LLVMABISizeOfType(context->layout, LLVMGetAllocatedType(array));
  LLVMValueRef count = LLVMBuildIntCast2(builder, LLVMGetOperand(array, 0), type, false, "");
  return LLVMBuildMul(builder, count, LLVMConstInt(type, size, false), "");
}

/* On the stack, beside the array. What debug information says of assignments to the array is not
 * said of its shadow. */
static LLVMValueRef frame_shadow(NbLinear *linear, LLVMBuilderRef builder, LLVMValueRef array) {
  NbContext *context = linear->work->context;
  LLVMValueRef shadow = LLVMInstructionClone(array);
  unsigned assigned = LLVMGetMDKindIDInContext(context->llvm, "DIAssignID", strlen("DIAssignID"));
  LLVMSetMetadata(shadow, assigned, NULL);
  LLVMInsertIntoBuilderWithName(builder, shadow, "shadow");
  LLVMBuildMemSet(builder, shadow, LLVMConstNull(LLVMInt8TypeInContext(context->llvm)),
                  array_bytes(linear, builder, array), LLVMGetAlignment(array));
  return shadow;
}

/* The shadow of an array that is made anew whenever its alloca runs, in reverse mode: it dies where
 * the reverse sweep comes back to that. */
static LLVMValueRef kept_shadow(NbLinear *linear, LLVMBuilderRef builder, LLVMValueRef array) {
  LLVMValueRef shadow =
      nb_runtime_stack_array(linear->work->context, builder, "__nabla_stack_shadow", array,
                             linear->work->request->function, NULL);
  NbStatement *statement = nb_statement_new(linear, NB_STATEMENT_ALLOCATE, array);
  statement->address = shadow;
  statement->from_runtime = true;
  return shadow;
}

/* One array for all directions. */
static bool interleaved_frame(NbLinear *linear, LLVMValueRef array) {
  NbContext *context = linear->work->context;
  LLVMBuilderRef builder = nb_builder_after(linear, array);
  LLVMTypeRef type = nb_interleaved_type(linear, LLVMGetAllocatedType(array));
  LLVMValueRef shadow = LLVMBuildArrayAlloca(builder, type, LLVMGetOperand(array, 0), "shadow");
  unsigned align = nb_interleaved_alignment(linear, array, LLVMGetAlignment(array));
  LLVMSetAlignment(shadow, align);
  LLVMValueRef bytes = array_bytes(linear, builder, array);
  LLVMBuildMemSet(builder, shadow, LLVMConstNull(LLVMInt8TypeInContext(context->llvm)),
                  nb_interleaved_bytes(linear, builder, bytes), align);
  nb_map_set(linear->primal_of, shadow, array);
  nb_interleaved_set(linear, builder, array, shadow);
  LLVMDisposeBuilder(builder);
  return true;
}

static bool shadow_alloca(NbLinear *linear, LLVMValueRef inst) {
  if (nb_linear_is_interleaved(linear, inst))
    return interleaved_frame(linear, inst);
  bool frame =
      nb_work_is_frame_array(linear->work, inst) || linear->work->request->mode == NB_MODE_FORWARD;
  LLVMBuilderRef builder = nb_builder_after(linear, inst);
  for (unsigned lane = 0; lane < linear->width; lane++) {
    LLVMValueRef shadow =
        frame ? frame_shadow(linear, builder, inst) : kept_shadow(linear, builder, inst);
    nb_map_set(linear->shadows[lane], inst, shadow);
    nb_map_set(linear->primal_of, shadow, inst);
  }
  LLVMDisposeBuilder(builder);
  return true;
}

bool nb_shadow_instruction(NbLinear *linear, LLVMValueRef inst) {
  if (LLVMIsAGetElementPtrInst(inst) && nb_linear_is_interleaved(linear, inst))
    return shadow_element(linear, inst);
  switch (LLVMGetInstructionOpcode(inst)) {
  case LLVMPHI:
    return shadow_phi(linear, inst);
  case LLVMSelect:
    return mirror_instruction(linear, inst, 1, 2);
  case LLVMShuffleVector:
    return mirror_instruction(linear, inst, 0, 1);
  case LLVMInsertValue:
  case LLVMInsertElement:
    return mirror_instruction(linear, inst, 0,
                              nb_type_has_pointer(LLVMTypeOf(LLVMGetOperand(inst, 1))) ? 1 : 0);
  case LLVMGetElementPtr:
  case LLVMBitCast:
  case LLVMAddrSpaceCast:
  case LLVMFreeze:
  case LLVMLoad:
  case LLVMExtractValue:
  case LLVMExtractElement:
    return mirror_instruction(linear, inst, 0, 0);
  case LLVMAlloca:
    return shadow_alloca(linear, inst);
  default:
    nb_refuse(linear->work->context, NB_ERROR_POINTER, inst,
              "a pointer to active memory is made in a way that its shadow cannot follow");
    return give_up(linear, inst);
  }
}
