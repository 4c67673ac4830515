// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Each parameter of a function of the user's is given what its shape (request/shapes.h) says: an
 * argument of the primal's, its shadow or tangent, the seed, the tape. */
#include "emit/given.h"

#include "emit/emit.h"
#include "emit/runtime.h"
#include "emit/tangent.h"

static bool is_real(LLVMTypeRef type) { return nb_shape_is_real(type); }

static bool is_pointer(LLVMTypeRef type) { return LLVMGetTypeKind(type) == LLVMPointerTypeKind; }

bool nb_custom_refuse(const NbWrapper *wrapper, const char *reason) {
  return nb_refuse(wrapper->context, NB_ERROR_CUSTOM_RULE, wrapper->user,
                   "'%s' is registered as a derivative of '%s', but %s",
                   nb_shown_name(wrapper->context, wrapper->user),
                   nb_shown_name(wrapper->context, wrapper->derivative->request.function), reason);
}

LLVMTypeRef nb_custom_primal_result(const NbWrapper *wrapper) {
  LLVMValueRef primal = wrapper->derivative->request.function;
  return LLVMGetReturnType(LLVMGlobalGetValueType(primal));
}

static LLVMValueRef parameter_of_user(const NbWrapper *wrapper) {
  unsigned index = wrapper->arguments.count;
  return index < LLVMCountParams(wrapper->user) ? LLVMGetParam(wrapper->user, index) : NULL;
}

LLVMValueRef nb_emit_in_memory(LLVMBuilderRef builder, LLVMValueRef value) {
  LLVMValueRef memory = LLVMBuildAlloca(builder, LLVMTypeOf(value), "");
  LLVMBuildStore(builder, value, memory);
  return memory;
}

bool nb_custom_push(NbWrapper *wrapper, LLVMValueRef value) {
  LLVMValueRef parameter = parameter_of_user(wrapper);
  if (nb_shape_by_reference(wrapper->custom, wrapper->user, wrapper->arguments.count))
    value = nb_emit_in_memory(wrapper->builder, value);
  bool fits = parameter && LLVMTypeOf(parameter) == LLVMTypeOf(value);
  nb_list_push(&wrapper->arguments, value);
  return fits ||
         nb_custom_refuse(wrapper, nb_arena_print(wrapper->context->arena,
                                                  "its parameter %u has not the type that belongs "
                                                  "there",
                                                  wrapper->arguments.count));
}

/* Where forward mode comes later, so do the shadows. */
static bool is_recorded(const NbWrapper *wrapper) {
  return wrapper->own == wrapper->derivative->recorded;
}

/* A constant pointer has no shadow; a function that never looks at the parameter needs none. */
static bool push_no_shadow(NbWrapper *wrapper, LLVMValueRef argument) {
  LLVMValueRef parameter = parameter_of_user(wrapper);
  if (parameter && (wrapper->custom->of_model || nb_parameter_is_unused(parameter)))
    return nb_custom_push(wrapper, LLVMConstNull(LLVMTypeOf(argument)));
  const char *reason = is_recorded(wrapper) ? "which the augmented forward does not have here"
                                            : "and the argument is constant here";
  return nb_custom_refuse(wrapper, nb_arena_print(wrapper->context->arena,
                                                  "its parameter %u is a shadow, %s",
                                                  wrapper->arguments.count + 1, reason));
}

/* A shadow that may be the pointer itself is then none. */
static LLVMValueRef shadow_if_any(NbWrapper *wrapper, unsigned index, LLVMValueRef shadow) {
  const bool *guarded = wrapper->derivative->request.guarded;
  if (!shadow || !wrapper->custom->of_model || !guarded || !guarded[index])
    return shadow;
  LLVMValueRef none =
      LLVMBuildICmp(wrapper->builder, LLVMIntEQ, shadow, LLVMGetParam(wrapper->own, index), "none");
  LLVMValueRef null = LLVMConstNull(LLVMTypeOf(shadow));
  return LLVMBuildSelect(wrapper->builder, none, null, shadow, "");
}

/* The user's functions know of no pointer without a shadow: the run tells that this is none. */
static void check_shadow(NbWrapper *wrapper, unsigned index, LLVMValueRef shadow) {
  const NbRequest *request = &wrapper->derivative->request;
  LLVMValueRef parameter = parameter_of_user(wrapper), argument = LLVMGetParam(wrapper->own, index);
  if (wrapper->custom->of_model || !request->guarded || !request->guarded[index] || !parameter ||
      nb_parameter_is_unused(parameter))
    return;
  LLVMValueRef place = nb_runtime_place(wrapper->context, wrapper->user, wrapper->user);
  LLVMValueRef arguments[] = {argument, shadow, place};
  nb_runtime_call(wrapper->context, wrapper->builder, "__nabla_needs_shadow",
                  LLVMVoidTypeInContext(wrapper->context->llvm), arguments, 3);
}

static bool push_shadow(NbWrapper *wrapper, unsigned index, LLVMValueRef shadow) {
  LLVMValueRef argument = LLVMGetParam(wrapper->own, index);
  LLVMTypeRef type = LLVMTypeOf(argument);
  if (shadow && is_pointer(type))
    check_shadow(wrapper, index, shadow);
  shadow = shadow_if_any(wrapper, index, shadow);
  if (is_pointer(type))
    return shadow ? nb_custom_push(wrapper, shadow) : push_no_shadow(wrapper, argument);
  if (is_real(type))
    return nb_custom_push(wrapper, shadow ? shadow : LLVMConstNull(type));
  return nb_custom_push(wrapper, argument);
}

/* In the direction that is written, of a tangent or an adjoint in all. */
static LLVMValueRef in_lane(const NbWrapper *wrapper, LLVMValueRef tangent, LLVMTypeRef type) {
  unsigned width = wrapper->derivative->request.width;
  return nb_tangent_lane(wrapper->builder, tangent, type, width, wrapper->lane);
}

static LLVMValueRef shadow_of(const NbWrapper *wrapper, unsigned index) {
  const NbRequest *request = &wrapper->derivative->request;
  LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(request->function, index));
  unsigned first = nb_request_first_shadow(request, index);
  if (nb_type_has_pointer(type))
    return LLVMGetParam(wrapper->own, first + wrapper->lane);
  return in_lane(wrapper, LLVMGetParam(wrapper->own, first), type);
}

LLVMTypeRef nb_custom_returned_type(const NbWrapper *wrapper) {
  LLVMValueRef function = wrapper->derivative->request.function;
  return wrapper->shape->result_by_value ? nb_parameter_pointee(function, 0, "sret")
                                         : nb_custom_primal_result(wrapper);
}

static LLVMValueRef shadow_at(const NbWrapper *wrapper, unsigned index) {
  NbRole role = wrapper->derivative->request.roles[index];
  return nb_role_has_shadow(role) && !is_recorded(wrapper) ? shadow_of(wrapper, index) : NULL;
}

LLVMValueRef nb_custom_shadow_of_memory(const NbWrapper *wrapper, unsigned index,
                                        LLVMTypeRef type) {
  const bool *guarded = wrapper->derivative->request.guarded;
  LLVMValueRef shadow = shadow_at(wrapper, index);
  if (shadow && (!guarded || !guarded[index]))
    return shadow;
  LLVMValueRef zero = nb_emit_in_memory(wrapper->builder, LLVMConstNull(type));
  if (!shadow)
    return zero;
  LLVMValueRef argument = LLVMGetParam(wrapper->own, index);
  LLVMValueRef none = LLVMBuildICmp(wrapper->builder, LLVMIntEQ, shadow, argument, "none");
  return LLVMBuildSelect(wrapper->builder, none, zero, shadow, "");
}

/* The parts of a struct that the user's function takes in memory. */
static LLVMValueRef gather(NbWrapper *wrapper, NbGiven given) {
  NbArena *arena = wrapper->context->arena;
  LLVMTypeRef *types = NB_NEW_ARRAY(arena, LLVMTypeRef, given.parts);
  for (unsigned i = 0; i < given.parts; i++)
    types[i] = LLVMTypeOf(LLVMGetParam(wrapper->own, given.index + i));
  LLVMTypeRef type = LLVMStructTypeInContext(wrapper->context->llvm, types, given.parts, false);
  LLVMValueRef whole = LLVMConstNull(type);
  for (unsigned i = 0; i < given.parts; i++) {
    LLVMValueRef part = given.kind == NB_GIVEN_VALUE ? LLVMGetParam(wrapper->own, given.index + i)
                                                     : shadow_at(wrapper, given.index + i);
    if (part)
      whole = LLVMBuildInsertValue(wrapper->builder, whole, part, i, "");
  }
  return nb_emit_in_memory(wrapper->builder, whole);
}

/* The adjoint of the result; of one in memory its shadow, which the user's function gets a copy of.
 */
static LLVMValueRef seed_at(NbWrapper *wrapper, NbGiven given) {
  const NbRequest *request = &wrapper->derivative->request;
  if (wrapper->shape->result_by_value)
    return nb_custom_shadow_of_memory(wrapper, 0, nb_custom_returned_type(wrapper));
  LLVMTypeRef type = nb_custom_primal_result(wrapper);
  LLVMValueRef seed = LLVMConstNull(type);
  if (request->result == NB_ROLE_OUT)
    seed = in_lane(wrapper, LLVMGetParam(wrapper->own, nb_emit_tape_index(request)), type);
  if (given.is_part)
    return LLVMBuildExtractValue(wrapper->builder, seed, given.index, "");
  return given.in_memory ? nb_emit_in_memory(wrapper->builder, seed) : seed;
}

LLVMValueRef nb_custom_record_field(const NbWrapper *wrapper, unsigned field) {
  LLVMValueRef record = LLVMGetParam(wrapper->own, LLVMCountParams(wrapper->own) - 2);
  return LLVMBuildStructGEP2(wrapper->builder, wrapper->derivative->tape, record, field, "");
}

LLVMTypeRef nb_custom_kept_type(const NbWrapper *wrapper, unsigned index) {
  const NbRequest *request = &wrapper->derivative->request;
  bool may_change = !request->overwritten || request->overwritten[index];
  return may_change && !wrapper->custom->of_model
             ? nb_parameter_pointee(request->function, index, "byval")
             : NULL;
}

LLVMValueRef nb_custom_kept_at(const NbWrapper *wrapper, unsigned index) {
  const NbDerivative *derivative = wrapper->derivative;
  bool seed = wrapper->own != derivative->augmented && derivative->request.result == NB_ROLE_OUT;
  LLVMValueRef tape = LLVMGetParam(wrapper->own, nb_emit_tape_index(&derivative->request) + seed);
  unsigned field = wrapper->tape != NULL;
  for (unsigned i = 0; i < index; i++)
    field += nb_custom_kept_type(wrapper, i) != NULL;
  return LLVMBuildStructGEP2(wrapper->builder, derivative->tape, tape, field, "");
}

/* What the primal was given; memory by value as it was. */
static LLVMValueRef value_at(const NbWrapper *wrapper, unsigned index) {
  const NbDerivative *derivative = wrapper->derivative;
  bool reverse = wrapper->own == derivative->reverse || wrapper->own == derivative->reverse_again;
  if (reverse && nb_custom_kept_type(wrapper, index))
    return nb_custom_kept_at(wrapper, index);
  return LLVMGetParam(wrapper->own, index);
}

static LLVMValueRef tape_at(NbWrapper *wrapper, NbGiven given) {
  const NbDerivative *derivative = wrapper->derivative;
  unsigned index = nb_emit_tape_index(&derivative->request);
  LLVMValueRef tape =
      derivative->request.replayed
          ? nb_custom_record_field(wrapper, 0)
          : LLVMGetParam(wrapper->own, index + (derivative->request.result == NB_ROLE_OUT));
  if (given.in_memory)
    return tape;
  LLVMValueRef whole = LLVMBuildLoad2(wrapper->builder, wrapper->tape, tape, "");
  return wrapper->shape->tapes > 1 ? LLVMBuildExtractValue(wrapper->builder, whole, given.index, "")
                                   : whole;
}

static bool push_given(NbWrapper *wrapper, NbGiven given) {
  if (given.kind == NB_GIVEN_SEED)
    return nb_custom_push(wrapper, seed_at(wrapper, given));
  if (given.kind == NB_GIVEN_TAPE)
    return nb_custom_push(wrapper, tape_at(wrapper, given));
  if (given.in_memory)
    return nb_custom_push(wrapper, gather(wrapper, given));
  if (given.kind == NB_GIVEN_VALUE)
    return nb_custom_push(wrapper, value_at(wrapper, given.index));
  return push_shadow(wrapper, given.index, shadow_at(wrapper, given.index));
}

bool nb_custom_push_all(NbWrapper *wrapper) {
  bool ok = true;
  for (unsigned i = 0; i < wrapper->shape->count && ok; i++)
    ok = push_given(wrapper, wrapper->shape->given[i]);
  return ok;
}
