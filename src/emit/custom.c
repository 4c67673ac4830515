// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Derivatives of the user's: their functions are called as given. What they take is told by
 * request/shapes.h. The augmented forward returns {tape, result, shadow of a pointer result}, as
 * far as there are any; the reverse returns the adjoints of all float arguments. Forward mode
 * returns {result, tangent}. Structs arrive as the ABI has them (emit/returned.h), and behind a
 * pointer where "byref_N" says so of the N-th parameter.
 *
 * Those of a model (models/model.h) are told besides what is asked for, and take NULL for shadows
 * that are not there. */
#include "emit/custom.h"

#include "check/check.h"
#include "emit/emit.h"
#include "emit/given.h"
#include "emit/returned.h"
#include "emit/runtime.h"
#include "emit/tangent.h"
#include "request/layout.h"

#include <string.h>

/* What a model's functions take last: `active` and `changed`; the reverse also `again`; forward
 * mode `active` alone, where there are floats, and `phases`, where it writes memory. */
enum { TOLD_AUGMENTED = 2, TOLD_REVERSE = 3 };
enum { BEFORE = 1, PRIMAL = 2, AFTER = 4, ALL_PHASES = 7 };

static LLVMTypeRef type_attribute(LLVMValueRef function, unsigned index, const char *kind) {
  return nb_parameter_pointee(function, index, kind);
}

static bool is_real(LLVMTypeRef type) { return nb_shape_is_real(type); }

static bool is_pointer(LLVMTypeRef type) { return LLVMGetTypeKind(type) == LLVMPointerTypeKind; }

static LLVMTypeRef result_of(const NbRequest *request) {
  return LLVMGetReturnType(LLVMGlobalGetValueType(request->function));
}

static bool is_void(LLVMTypeRef type) { return LLVMGetTypeKind(type) == LLVMVoidTypeKind; }

/* --- The shape of the user's functions -------------------------------------------------------- */

static const char wrong_count[] = "it has not the number of parameters that belongs to it";

static bool take_shape(NbWrapper *wrapper, NbForm form, unsigned told, const NbShape *like) {
  LLVMValueRef function = wrapper->derivative->request.function;
  NbShaped shaped = {function, wrapper->user, wrapper->custom, form, told};
  wrapper->shape = nb_shape_of(wrapper->context, shaped, like);
  if (!wrapper->shape)
    return nb_custom_refuse(wrapper, wrong_count);
  if (wrapper->shape->unknown)
    return nb_custom_refuse(wrapper,
                            "what belongs together among its parameters cannot be told, since it "
                            "is defined elsewhere");
  unsigned misfit = wrapper->shape->misfit;
  return !misfit ||
         nb_custom_refuse(wrapper, nb_arena_print(wrapper->context->arena,
                                                  "its parameter %u has not the type that belongs "
                                                  "there",
                                                  misfit));
}

/* The first thing that the augmented forward returns: all of it where the primal returns nothing.
 */
static LLVMTypeRef first_result(const NbWrapper *wrapper, LLVMValueRef augmented) {
  LLVMTypeRef type = type_attribute(augmented, 0, "sret");
  if (!type)
    type = LLVMGetReturnType(LLVMGlobalGetValueType(augmented));
  bool parts = !is_void(nb_custom_primal_result(wrapper)) &&
               LLVMGetTypeKind(type) == LLVMStructTypeKind && LLVMCountStructElementTypes(type) > 1;
  return parts ? LLVMStructGetTypeAtIndex(type, 0) : type;
}

/* The type of the tape, which the user's function takes last, and that `augmented` makes. */
static LLVMTypeRef find_tape(const NbWrapper *wrapper, unsigned told, LLVMValueRef augmented) {
  NbArena *arena = wrapper->context->arena;
  LLVMValueRef half = wrapper->user;
  unsigned count = wrapper->shape->tapes, first = LLVMCountParams(half) - told - count;
  LLVMTypeRef *types = NB_NEW_ARRAY(arena, LLVMTypeRef, count + 1);
  for (unsigned i = 0; i < count; i++) {
    LLVMTypeRef memory = type_attribute(half, first + i, "byval");
    types[i] = memory ? memory : LLVMTypeOf(LLVMGetParam(half, first + i));
    if (nb_shape_by_reference(wrapper->custom, half, first + i))
      types[i] = first_result(wrapper, augmented);
  }
  if (count > 1)
    return LLVMStructTypeInContext(wrapper->context->llvm, types, count, false);
  return count ? types[0] : NULL;
}

static bool push_bits(NbWrapper *wrapper, uint64_t bits) {
  LLVMTypeRef type = LLVMInt32TypeInContext(wrapper->context->llvm);
  return nb_custom_push(wrapper, LLVMConstInt(type, bits, false));
}

static unsigned count_reals(const NbRequest *request) {
  unsigned count = 0;
  for (unsigned i = 0; i < request->count; i++)
    count += is_real(LLVMTypeOf(LLVMGetParam(request->function, i)));
  return count;
}

/* Of a model: a bit for each float that has an adjoint to return, or a tangent. */
static bool push_active(NbWrapper *wrapper) {
  const NbRequest *request = &wrapper->derivative->request;
  uint64_t active = 0;
  unsigned reals = 0;
  for (unsigned i = 0; i < request->count; i++)
    if (is_real(LLVMTypeOf(LLVMGetParam(request->function, i))))
      active |= (uint64_t)(request->roles[i] != NB_ROLE_CONST) << reals++;
  return push_bits(wrapper, active);
}

/* And a bit for each pointer whose memory may change. */
static bool push_told(NbWrapper *wrapper) {
  const NbRequest *request = &wrapper->derivative->request;
  uint64_t changed = 0;
  unsigned pointers = 0;
  if (!wrapper->custom->of_model)
    return true;
  for (unsigned i = 0; i < request->count; i++) {
    bool may_change = !request->overwritten || request->overwritten[i];
    if (is_pointer(LLVMTypeOf(LLVMGetParam(request->function, i))))
      changed |= (uint64_t)may_change << pointers++;
  }
  return push_active(wrapper) && push_bits(wrapper, changed);
}

/* All directions but the last leave the tape to the others. */
static bool push_again(NbWrapper *wrapper) {
  const NbDerivative *derivative = wrapper->derivative;
  bool again =
      wrapper->own == derivative->reverse_again || wrapper->lane + 1 < derivative->request.width;
  return !wrapper->custom->of_model || push_bits(wrapper, again);
}

/* Of each call of the user's function: the first one opens the body. */
static bool start(NbWrapper *wrapper) {
  LLVMContextRef llvm = wrapper->context->llvm;
  if (!LLVMCountBasicBlocks(wrapper->own))
    LLVMPositionBuilderAtEnd(wrapper->builder,
                             LLVMAppendBasicBlockInContext(llvm, wrapper->own, "entry"));
  wrapper->arguments = nb_list(wrapper->context->arena);
  wrapper->memory = NULL;
  if (nb_shape_has_sret(wrapper->user)) {
    LLVMTypeRef type = type_attribute(wrapper->user, 0, "sret");
    wrapper->memory = LLVMBuildAlloca(wrapper->builder, type, "");
    nb_list_push(&wrapper->arguments, wrapper->memory);
  }
  return nb_custom_push_all(wrapper);
}

/* --- The call and its result ------------------------------------------------------------------ */

static LLVMValueRef call(const NbWrapper *wrapper, LLVMValueRef callee, LLVMValueRef *arguments,
                         unsigned count) {
  static const char *const kinds[] = {"sret", "byval"};
  LLVMTypeRef type = LLVMGlobalGetValueType(callee);
  LLVMValueRef made = LLVMBuildCall2(wrapper->builder, type, callee, arguments, count, "");
  LLVMSetInstructionCallConv(made, LLVMGetFunctionCallConv(callee));
  for (unsigned i = 0; i < count; i++)
    for (unsigned k = 0; k < 2; k++) {
      unsigned id = LLVMGetEnumAttributeKindForName(kinds[k], strlen(kinds[k]));
      LLVMAttributeRef attribute = LLVMGetEnumAttributeAtIndex(callee, i + 1, id);
      if (attribute)
        LLVMAddCallSiteAttribute(made, i + 1, attribute);
    }
  return made;
}

static LLVMValueRef call_user(const NbWrapper *wrapper) {
  const NbList *list = &wrapper->arguments;
  return call(wrapper, wrapper->user, (LLVMValueRef *)list->items, list->count);
}

static const char wrong_result[] = "its result is not made of what belongs there";
static const char no_pair[] = "it returns no {result, tangent}";

static NbReturned returned_of(const NbWrapper *wrapper, LLVMValueRef result) {
  return (NbReturned){wrapper->context, wrapper->builder, result, wrapper->memory};
}

/* Reads the parts of what the user's function returned. */
static bool read_parts(NbWrapper *wrapper, LLVMValueRef result, const LLVMTypeRef *types,
                       unsigned count, LLVMValueRef *parts) {
  NbReturned returned = returned_of(wrapper, result);
  return nb_returned_parts(&returned, types, count, parts) ||
         nb_custom_refuse(wrapper, wrong_result);
}

static void build_return(NbWrapper *wrapper, const LLVMValueRef *parts, unsigned count) {
  LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(wrapper->own));
  if (is_void(type)) {
    LLVMBuildRetVoid(wrapper->builder);
    return;
  }
  LLVMValueRef result = parts[0];
  if (count > 1 || LLVMTypeOf(result) != type) {
    result = LLVMGetPoison(type);
    for (unsigned i = 0; i < count; i++)
      result = LLVMBuildInsertValue(wrapper->builder, result, parts[i], i, "");
  }
  LLVMBuildRet(wrapper->builder, result);
}

/* --- The three functions ---------------------------------------------------------------------- */

static void copy(const NbWrapper *wrapper, LLVMValueRef to, LLVMValueRef from, LLVMTypeRef type) {
  uint64_t bytes = LLVMStoreSizeOfType(wrapper->context->layout, type);
  LLVMValueRef size = LLVMConstInt(LLVMInt64TypeInContext(wrapper->context->llvm), bytes, false);
  LLVMBuildMemCpy(wrapper->builder, to, 1, from, 1, size);
}

/* The value of a result that the user's function does not return comes from the primal, where
 * running both changes nothing. */
static bool run_primal(NbWrapper *wrapper, const char *otherwise, LLVMValueRef *value) {
  LLVMValueRef primal = wrapper->derivative->request.function;
  unsigned count = LLVMCountParams(primal);
  LLVMValueRef *arguments = NB_NEW_ARRAY(wrapper->context->arena, LLVMValueRef, count + 1);
  for (unsigned i = 0; i < count; i++) {
    bool memory =
        nb_shape_memory(primal, i, "byval") || (i == 0 && wrapper->shape->result_by_value);
    arguments[i] = LLVMGetParam(wrapper->own, i);
    if (is_pointer(LLVMTypeOf(arguments[i])) && !memory)
      return nb_custom_refuse(wrapper, otherwise);
  }
  *value = call(wrapper, primal, arguments, count);
  return true;
}

/* Of a model that writes memory: forward mode is asked for by phases. */
static bool has_phases(const NbRequest *request, const NbCustom *custom) {
  unsigned told = count_reals(request) > 0, count = request->count;
  for (unsigned i = 0; i < request->count; i++) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(request->function, i));
    count += is_real(type) || is_pointer(type);
  }
  return custom->of_model && LLVMCountParams(custom->forward) == count + told + 1;
}

static bool call_forward(NbWrapper *wrapper, unsigned phases, LLVMValueRef *result) {
  const NbRequest *request = &wrapper->derivative->request;
  bool told = wrapper->custom->of_model && count_reals(request);
  if (!start(wrapper) || (told && !push_active(wrapper)) ||
      (has_phases(request, wrapper->custom) && !push_bits(wrapper, phases)))
    return false;
  *result = call_user(wrapper);
  return true;
}

static LLVMValueRef join_lanes(const NbWrapper *wrapper, LLVMTypeRef type, LLVMValueRef *lanes) {
  return nb_tangent_of_lanes(wrapper->builder, type, wrapper->derivative->request.width, lanes);
}

/* The tangents in all directions; the primal once between what they need of it. */
static bool write_phases(NbWrapper *wrapper) {
  static const unsigned order[] = {BEFORE, PRIMAL, AFTER};
  unsigned width = wrapper->derivative->request.width;
  bool ok = true;
  LLVMValueRef result;
  for (unsigned i = 0; i < 3; i++)
    for (wrapper->lane = 0; ok && wrapper->lane < (order[i] == PRIMAL ? 1 : width); wrapper->lane++)
      ok = call_forward(wrapper, order[i], &result);
  build_return(wrapper, NULL, 0);
  return ok;
}

/* The value and the tangent of a result in memory. */
static bool copy_pair(NbWrapper *wrapper, LLVMValueRef result) {
  LLVMTypeRef type = nb_custom_returned_type(wrapper), types[] = {type, type};
  LLVMValueRef places[2], shadow = nb_custom_shadow_of_memory(wrapper, 0, type), none;
  NbReturned returned = returned_of(wrapper, result);
  bool pair = nb_returned_places(&returned, types, 2, places);
  if (!pair && !nb_returned_places(&returned, types, 1, places))
    return nb_custom_refuse(wrapper, wrong_result);
  if (!pair && !wrapper->derivative->request.replayed && !run_primal(wrapper, no_pair, &none))
    return false;
  if (pair && !wrapper->derivative->request.replayed)
    copy(wrapper, LLVMGetParam(wrapper->own, 0), places[0], type);
  copy(wrapper, shadow, places[pair], type);
  return true;
}

/* The value and the tangent in one direction. */
static bool read_pair(NbWrapper *wrapper, LLVMValueRef result, LLVMValueRef *parts) {
  LLVMTypeRef type = nb_custom_primal_result(wrapper);
  LLVMTypeRef types[] = {type, type};
  if (wrapper->shape->result_by_value)
    return copy_pair(wrapper, result);
  bool pair = !is_void(type) && (is_real(type) || is_pointer(type));
  if (pair && !wrapper->memory && LLVMTypeOf(result) == type) {
    parts[1] = result;
    return run_primal(wrapper, no_pair, parts);
  }
  return is_void(type) || read_parts(wrapper, result, types, pair ? 2 : 1, parts);
}

static bool write_forward(NbWrapper *wrapper) {
  const NbRequest *request = &wrapper->derivative->request;
  LLVMTypeRef type = nb_custom_primal_result(wrapper);
  LLVMValueRef parts[2] = {NULL, NULL}, lanes[NB_MOST_WIDTH], result;
  unsigned told = wrapper->custom->of_model && count_reals(request);
  told += has_phases(request, wrapper->custom);
  if (!take_shape(wrapper, NB_FORM_FORWARD, told, NULL))
    return false;
  if (is_void(type) && request->width > 1)
    return write_phases(wrapper);
  for (wrapper->lane = 0; wrapper->lane < request->width; wrapper->lane++) {
    if (!call_forward(wrapper, ALL_PHASES, &result) || !read_pair(wrapper, result, parts))
      return false;
    lanes[wrapper->lane] = parts[1];
  }
  if (request->width > 1)
    parts[1] = join_lanes(wrapper, type, lanes);
  build_return(wrapper, parts, request->result == NB_ROLE_DUP ? 2 : 1);
  return true;
}

/* Forward mode after the primal has no shadows yet: what stands for one, as existing code has it
 * behind the result, is not looked at. */
static bool read_with_idle_shadow(const NbWrapper *wrapper, const NbReturned *returned,
                                  const LLVMTypeRef *types, unsigned count, LLVMValueRef *parts) {
  LLVMTypeRef more[4] = {NULL};
  LLVMValueRef read[4] = {NULL};
  for (unsigned i = 0; i < count; i++)
    more[i] = types[i];
  more[count] = types[count - 1];
  bool idle =
      wrapper->derivative->request.replayed && nb_returned_parts(returned, more, count + 1, read);
  for (unsigned i = 0; idle && i < count; i++)
    parts[i] = read[i];
  return idle;
}

/* What an augmented forward returns: a tape, the result, the shadow of a pointer. A result that it
 * leaves out is the primal's; one in memory is copied to its place. */
static bool read_made(NbWrapper *wrapper, LLVMValueRef result, bool with_shadow,
                      LLVMValueRef *parts) {
  bool by_value = wrapper->shape->result_by_value;
  LLVMTypeRef type = nb_custom_returned_type(wrapper), types[3];
  unsigned count = 0, tapes = wrapper->tape != NULL;
  NbReturned returned = returned_of(wrapper, result);
  if (tapes)
    types[count++] = wrapper->tape;
  if (!is_void(type))
    types[count++] = type;
  if (with_shadow && is_pointer(type))
    types[count++] = type;
  bool whole = by_value ? nb_returned_places(&returned, types, count, parts)
                        : !count || nb_returned_parts(&returned, types, count, parts);
  if (!whole && !by_value && !is_void(type))
    whole = read_with_idle_shadow(wrapper, &returned, types, count, parts);
  bool left_out = !whole && is_real(type) &&
                  (tapes ? nb_returned_parts(&returned, types, 1, parts)
                         : !wrapper->memory && is_void(LLVMTypeOf(result)));
  if (left_out)
    return run_primal(wrapper, wrong_result, parts + tapes);
  if (whole && by_value)
    copy(wrapper, LLVMGetParam(wrapper->own, 0), parts[tapes], type);
  if (whole && by_value && tapes)
    parts[0] = LLVMBuildLoad2(wrapper->builder, wrapper->tape, parts[0], "");
  return whole || nb_custom_refuse(wrapper, wrong_result);
}

/* The user's tape, and behind it the structs that the reverse gets copies of. */
static LLVMTypeRef find_whole_tape(const NbWrapper *wrapper) {
  unsigned count = wrapper->derivative->request.count, next = 0;
  LLVMTypeRef *types = NB_NEW_ARRAY(wrapper->context->arena, LLVMTypeRef, count + 1);
  if (wrapper->tape)
    types[next++] = wrapper->tape;
  for (unsigned i = 0; i < count; i++) {
    LLVMTypeRef type = nb_custom_kept_type(wrapper, i);
    if (type)
      types[next++] = type;
  }
  bool keeps = next > (wrapper->tape != NULL);
  return keeps ? LLVMStructTypeInContext(wrapper->context->llvm, types, next, false)
               : wrapper->tape;
}

static void keep_structs(const NbWrapper *wrapper) {
  for (unsigned i = 0; i < wrapper->derivative->request.count; i++) {
    LLVMTypeRef type = nb_custom_kept_type(wrapper, i);
    if (type)
      copy(wrapper, nb_custom_kept_at(wrapper, i), LLVMGetParam(wrapper->own, i), type);
  }
}

static bool write_augmented(NbWrapper *wrapper) {
  LLVMValueRef parts[3] = {NULL, NULL, NULL};
  if (!start(wrapper) || !push_told(wrapper))
    return false;
  keep_structs(wrapper);
  if (!read_made(wrapper, call_user(wrapper), true, parts))
    return false;
  unsigned tape = nb_emit_tape_index(&wrapper->derivative->request);
  if (wrapper->tape)
    LLVMBuildStore(wrapper->builder, parts[0], LLVMGetParam(wrapper->own, tape));
  build_return(wrapper, parts + (wrapper->tape != NULL),
               wrapper->derivative->request.result == NB_ROLE_DUP ? 2 : 1);
  return true;
}

/* The type of the adjoint that the user's function returns for a parameter of the primal's, if it
 * does. */
static LLVMTypeRef adjoint_type(const NbWrapper *wrapper, unsigned index) {
  LLVMValueRef function = wrapper->derivative->request.function;
  LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(function, index));
  if (is_real(type))
    return type;
  return wrapper->shape->adjoints_by_value ? nb_shape_memory(function, index, "byval") : NULL;
}

/* Adds what lies at `from` to the shadow of a struct that is passed in memory. */
static bool add_to_shadow(NbWrapper *wrapper, unsigned index, LLVMTypeRef type, LLVMValueRef from) {
  LLVMBuilderRef builder = wrapper->builder;
  LLVMTypeRef byte = LLVMInt8TypeInContext(wrapper->context->llvm);
  LLVMValueRef shadow = nb_custom_shadow_of_memory(wrapper, index, type);
  const NbLeaves *leaves = nb_leaves_of(wrapper->context, type);
  if (leaves->overflow)
    return nb_custom_refuse(wrapper,
                            "a struct with so many members needs a shadow, not an adjoint");
  for (unsigned i = 0; i < leaves->count; i++) {
    LLVMTypeRef number = leaves->items[i].type;
    LLVMTypeRef size = LLVMInt64TypeInContext(wrapper->context->llvm);
    LLVMValueRef offset = LLVMConstInt(size, leaves->items[i].offset, false);
    if (!nb_is_float_kind(LLVMGetTypeKind(number)))
      continue;
    LLVMValueRef to = LLVMBuildInBoundsGEP2(builder, byte, shadow, &offset, 1, "");
    LLVMValueRef at = LLVMBuildInBoundsGEP2(builder, byte, from, &offset, 1, "");
    LLVMValueRef old = LLVMBuildLoad2(builder, number, to, "");
    LLVMValueRef more = LLVMBuildLoad2(builder, number, at, "");
    LLVMBuildStore(builder, LLVMBuildFAdd(builder, old, more, ""), to);
  }
  return true;
}

/* The adjoints in memory: those of structs there are added to their shadows, others are values. */
static bool take_adjoints(NbWrapper *wrapper, LLVMValueRef result, const LLVMTypeRef *types,
                          unsigned count, LLVMValueRef *parts) {
  LLVMValueRef function = wrapper->derivative->request.function;
  NbReturned returned = returned_of(wrapper, result);
  if (!nb_returned_places(&returned, types, count, parts))
    return nb_custom_refuse(wrapper, wrong_result);
  unsigned next = 0;
  bool ok = true;
  for (unsigned i = 0; i < wrapper->derivative->request.count && ok; i++) {
    LLVMTypeRef type = adjoint_type(wrapper, i);
    if (type && nb_shape_memory(function, i, "byval"))
      ok = add_to_shadow(wrapper, i, type, parts[next]);
    else if (type)
      parts[next] = LLVMBuildLoad2(wrapper->builder, type, parts[next], "");
    next += type != NULL;
  }
  return ok;
}

/* The adjoints of all floats in the direction that is written: `count` of these types. */
static bool call_reverse(NbWrapper *wrapper, LLVMTypeRef *types, unsigned count,
                         LLVMValueRef *parts) {
  if (!start(wrapper) || !push_told(wrapper) || !push_again(wrapper))
    return false;
  LLVMValueRef result = call_user(wrapper);
  LLVMTypeRef type = nb_custom_returned_type(wrapper);
  LLVMTypeRef byte = LLVMInt8TypeInContext(wrapper->context->llvm);
  LLVMTypeRef size = LLVMInt64TypeInContext(wrapper->context->llvm);
  if (wrapper->shape->result_by_value)
    LLVMBuildMemSet(
        wrapper->builder, nb_custom_shadow_of_memory(wrapper, 0, type), LLVMConstNull(byte),
        LLVMConstInt(size, LLVMStoreSizeOfType(wrapper->context->layout, type), false), 1);
  if (wrapper->shape->adjoints_by_value)
    return take_adjoints(wrapper, result, types, count, parts);
  return !count || read_parts(wrapper, result, types, count, parts);
}

static bool write_reverse(NbWrapper *wrapper) {
  const NbRequest *request = &wrapper->derivative->request;
  NbArena *arena = wrapper->context->arena;
  LLVMTypeRef *types = NB_NEW_ARRAY(arena, LLVMTypeRef, request->count + 1);
  LLVMValueRef *wanted = NB_NEW_ARRAY(arena, LLVMValueRef, request->count + 1);
  LLVMValueRef *parts[NB_MOST_WIDTH], lanes[NB_MOST_WIDTH];
  unsigned count = 0, wanted_count = 0;
  for (unsigned i = 0; i < request->count; i++) {
    LLVMTypeRef type = adjoint_type(wrapper, i);
    if (type)
      types[count++] = type;
  }
  for (wrapper->lane = 0; wrapper->lane < request->width; wrapper->lane++) {
    parts[wrapper->lane] = NB_NEW_ARRAY(arena, LLVMValueRef, count + 1);
    if (!call_reverse(wrapper, types, count, parts[wrapper->lane]))
      return false;
  }
  count = 0;
  for (unsigned i = 0; i < request->count; i++) {
    for (unsigned lane = 0; lane < request->width; lane++)
      lanes[lane] = parts[lane][count];
    if (request->roles[i] == NB_ROLE_OUT)
      wanted[wanted_count++] = join_lanes(wrapper, types[count], lanes);
    count += adjoint_type(wrapper, i) != NULL;
  }
  build_return(wrapper, wanted, wanted_count);
  return true;
}

static bool write_pair(NbWrapper *wrapper, const NbCustom *custom) {
  NbDerivative *derivative = wrapper->derivative;
  unsigned told_augmented = custom->of_model ? TOLD_AUGMENTED : 0;
  unsigned told_reverse = custom->of_model ? TOLD_REVERSE : 0;
  wrapper->user = custom->augmented;
  if (!take_shape(wrapper, NB_FORM_AUGMENTED, told_augmented, NULL))
    return false;
  const NbShape *shape = wrapper->shape;
  wrapper->user = custom->reverse;
  if (!take_shape(wrapper, NB_FORM_REVERSE, told_reverse, shape))
    return false;
  const NbShape *reverse = wrapper->shape;
  wrapper->tape = find_tape(wrapper, told_reverse, custom->augmented);
  wrapper->user = custom->augmented;
  wrapper->shape = shape;
  wrapper->own = derivative->augmented;
  derivative->tape = find_whole_tape(wrapper);
  if (!write_augmented(wrapper))
    return false;
  wrapper->user = custom->reverse;
  wrapper->shape = reverse;
  wrapper->own = derivative->reverse;
  if (!write_reverse(wrapper))
    return false;
  wrapper->own = derivative->reverse_again;
  return !wrapper->own || write_reverse(wrapper);
}

/* --- Forward mode that comes later than the primal -------------------------------------------- */

/* The record holds the user's tape, and then the primal's result. */
static LLVMTypeRef record_type(const NbWrapper *wrapper) {
  LLVMTypeRef types[2], result = nb_custom_primal_result(wrapper);
  unsigned count = 0;
  if (wrapper->tape)
    types[count++] = wrapper->tape;
  if (!is_void(result))
    types[count++] = result;
  return count ? LLVMStructTypeInContext(wrapper->context->llvm, types, count, false) : NULL;
}

static bool write_recorded(NbWrapper *wrapper) {
  LLVMTypeRef type = nb_custom_primal_result(wrapper);
  LLVMValueRef parts[3] = {NULL, NULL, NULL};
  unsigned count = (wrapper->tape != NULL) + !is_void(type);
  if (!start(wrapper) || !read_made(wrapper, call_user(wrapper), false, parts))
    return false;
  for (unsigned i = 0; i < count; i++)
    LLVMBuildStore(wrapper->builder, parts[i], nb_custom_record_field(wrapper, i));
  build_return(wrapper, parts + (wrapper->tape != NULL), 1);
  return true;
}

static bool write_replayed(NbWrapper *wrapper) {
  LLVMTypeRef type = nb_custom_primal_result(wrapper), types[] = {type, type};
  LLVMValueRef parts[2] = {NULL, NULL};
  bool wanted = wrapper->derivative->request.result == NB_ROLE_DUP;
  if (!start(wrapper))
    return false;
  LLVMValueRef result = call_user(wrapper);
  if (wrapper->shape->result_by_value && !copy_pair(wrapper, result))
    return false;
  bool alone = !wrapper->memory && LLVMTypeOf(result) == type;
  if (wanted && !alone && !read_parts(wrapper, result, types, 2, parts))
    return false;
  if (wanted && alone)
    parts[1] = result;
  if (!is_void(type))
    parts[0] = LLVMBuildLoad2(wrapper->builder, type,
                              nb_custom_record_field(wrapper, wrapper->tape != NULL), "");
  build_return(wrapper, parts, wanted ? 2 : 1);
  return true;
}

static bool write_replayed_pair(NbWrapper *wrapper, const NbCustom *custom) {
  NbDerivative *derivative = wrapper->derivative;
  wrapper->user = custom->split_augmented;
  if (!take_shape(wrapper, NB_FORM_SPLIT_AUGMENTED, 0, NULL))
    return false;
  const NbShape *shape = wrapper->shape;
  wrapper->user = custom->split_forward;
  if (!take_shape(wrapper, NB_FORM_SPLIT_FORWARD, 0, shape))
    return false;
  const NbShape *forward = wrapper->shape;
  wrapper->tape = find_tape(wrapper, 0, custom->split_augmented);
  derivative->tape = record_type(wrapper);
  wrapper->user = custom->split_augmented;
  wrapper->shape = shape;
  wrapper->own = derivative->recorded;
  if (!write_recorded(wrapper))
    return false;
  wrapper->user = custom->split_forward;
  wrapper->shape = forward;
  wrapper->own = derivative->forward;
  return write_replayed(wrapper);
}

static bool check_needed(const NbWrapper *wrapper) {
  const NbRequest *request = &wrapper->derivative->request;
  for (unsigned i = 0; i < request->count; i++)
    if (request->roles[i] == NB_ROLE_DUPNONEED)
      return nb_refuse(wrapper->context, NB_ERROR_NEEDED, request->function,
                       "parameter %u of '%s' is marked as not needed, and the derivative that is "
                       "registered uses its memory",
                       i + 1, nb_shown_name(wrapper->context, request->function));
  return true;
}

bool nb_emit_custom(NbContext *context, NbDerivative *derivative, const NbCustom *custom) {
  NbWrapper wrapper = {.context = context, .derivative = derivative, .custom = custom};
  wrapper.user = custom->forward ? custom->forward : custom->reverse;
  if (derivative->request.replayed)
    wrapper.user = custom->split_forward;
  bool wide = derivative->request.width > 1;
  if (wide && !custom->of_model)
    return nb_emit_custom_wide(context, derivative);
  if (!check_needed(&wrapper))
    return false;
  wrapper.builder = LLVMCreateBuilderInContext(context->llvm);
  bool ok;
  if (derivative->request.replayed) {
    ok = write_replayed_pair(&wrapper, custom);
  } else if (derivative->request.mode == NB_MODE_FORWARD) {
    wrapper.user = custom->forward;
    wrapper.own = derivative->forward;
    ok = write_forward(&wrapper);
  } else {
    ok = write_pair(&wrapper, custom);
  }
  LLVMDisposeBuilder(wrapper.builder);
  if (derivative->request.observed && nb_check_uses_single(context, wrapper.user))
    nb_check_mark_precision(context, derivative->forward, NB_PRECISION_UNSEEN);
  return ok;
}

/* Where the primal ran before, a model's loops are differentiated, as for errors and for masks; for
 * several directions, too, where forward mode cannot be called for each: one that returns a float
 * writes no memory. */
static bool model_serves(const NbCustom *custom, const NbRequest *request) {
  bool once = request->width == 1 || request->mode == NB_MODE_REVERSE;
  bool repeats = custom->forward && (is_real(result_of(request)) || has_phases(request, custom));
  return !request->replayed && (once || repeats);
}

bool nb_custom_serves(const NbCustom *custom, const NbRequest *request) {
  if (!custom || request->errors || request->masks || (request->plain && !custom->bodyless))
    return false;
  if (custom->of_model && !model_serves(custom, request))
    return false;
  if (request->replayed)
    return custom->split_forward != NULL;
  return request->mode == NB_MODE_FORWARD ? custom->forward != NULL : custom->reverse != NULL;
}
