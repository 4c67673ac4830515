// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Derivatives of the user's: their functions are called as given. What they take is the primal's
 * arguments, each pointer followed by its shadow, and in forward mode each float by its tangent;
 * integers may stand twice, as existing code has them. The augmented forward returns
 * {tape, result, shadow of a pointer result}, as far as there are any; the reverse takes the
 * adjoint of a float result and the tape behind the arguments, and returns the adjoints of all
 * float arguments. Forward mode returns {result, tangent}. Structs arrive as the ABI has them, and
 * behind a pointer where "byref_N" says so of the N-th parameter.
 *
 * Those of a model (models/model.h) are told besides what is asked for, and take NULL for shadows
 * that are not there. */
#include "emit/custom.h"

#include "check/check.h"
#include "emit/emit.h"
#include "emit/runtime.h"
#include "emit/tangent.h"
#include "request/byvalue.h"
#include "request/layout.h"

#include <string.h>

typedef enum Part { PART_FORWARD, PART_AUGMENTED, PART_REVERSE } Part;

typedef struct Wrapper {
  NbContext *context;
  NbDerivative *derivative;
  const NbCustom *custom;
  LLVMBuilderRef builder;
  Part part;
  LLVMValueRef user, own; /* the user's function; the one that calls it */
  NbList arguments;
  LLVMValueRef memory; /* of an sret result; NULL */
  LLVMTypeRef tape;    /* NULL: none */
  bool doubled;        /* integers stand twice */
  unsigned lane;       /* the direction that the user's function is called for */
} Wrapper;

/* What a model's functions take last: `active` and `changed`; the reverse also `again`; forward
 * mode `active` alone, where there are floats, and `phases`, where it writes memory. */
enum { TOLD_AUGMENTED = 2, TOLD_REVERSE = 3 };
enum { BEFORE = 1, PRIMAL = 2, AFTER = 4, ALL_PHASES = 7 };

static LLVMTypeRef type_attribute(LLVMValueRef function, unsigned index, const char *kind) {
  return nb_parameter_pointee(function, index, kind);
}

static bool is_real(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) != LLVMVoidTypeKind && nb_type_has_float(type) &&
         !nb_type_has_pointer(type);
}

static bool is_pointer(LLVMTypeRef type) { return LLVMGetTypeKind(type) == LLVMPointerTypeKind; }

static LLVMTypeRef result_of(const NbRequest *request) {
  return LLVMGetReturnType(LLVMGlobalGetValueType(request->function));
}

static LLVMTypeRef primal_result(const Wrapper *wrapper) {
  return result_of(&wrapper->derivative->request);
}

static bool is_void(LLVMTypeRef type) { return LLVMGetTypeKind(type) == LLVMVoidTypeKind; }

static bool refuse(const Wrapper *wrapper, const char *reason) {
  return nb_refuse(wrapper->context, NB_ERROR_CUSTOM_RULE, wrapper->user,
                   "'%s' is registered as a derivative of '%s', but %s", nb_name(wrapper->user),
                   nb_shown_name(wrapper->context, wrapper->derivative->request.function), reason);
}

/* --- The shape of the user's functions -------------------------------------------------------- */

static bool has_sret(LLVMValueRef function) {
  return LLVMCountParams(function) && type_attribute(function, 0, "sret");
}

/* Counts the parameters that must stand before seed and tape; `*integers` those that may stand
 * twice. */
static unsigned count_interleaved(const NbRequest *request, Part part, unsigned *integers) {
  unsigned count = request->count;
  *integers = 0;
  for (unsigned i = 0; i < request->count; i++) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(request->function, i));
    if (is_real(type))
      count += part == PART_FORWARD;
    else if (is_pointer(type))
      count++;
    else
      (*integers)++;
  }
  return count;
}

static bool find_doubling(Wrapper *wrapper, LLVMValueRef user, Part part, unsigned extra) {
  unsigned integers;
  unsigned count = count_interleaved(&wrapper->derivative->request, part, &integers) + extra;
  unsigned given = LLVMCountParams(user) - has_sret(user);
  wrapper->doubled = given == count + integers;
  return wrapper->doubled || given == count;
}

static bool is_by_reference(const Wrapper *wrapper, LLVMValueRef user, unsigned parameter) {
  unsigned index = parameter - has_sret(user);
  return index < 64 && (wrapper->custom->by_reference >> index & 1) != 0;
}

/* The first thing that the augmented forward returns: all of it where the primal returns nothing.
 */
static LLVMTypeRef first_result(const Wrapper *wrapper, LLVMValueRef augmented) {
  LLVMTypeRef type = type_attribute(augmented, 0, "sret");
  if (!type)
    type = LLVMGetReturnType(LLVMGlobalGetValueType(augmented));
  bool parts = !is_void(primal_result(wrapper)) && LLVMGetTypeKind(type) == LLVMStructTypeKind &&
               LLVMCountStructElementTypes(type) > 1;
  return parts ? LLVMStructGetTypeAtIndex(type, 0) : type;
}

/* The type of the tape that the half gets as this parameter, and that `augmented` makes. */
static LLVMTypeRef tape_at(const Wrapper *wrapper, LLVMValueRef half, unsigned index,
                           LLVMValueRef augmented) {
  if (is_by_reference(wrapper, half, index))
    return first_result(wrapper, augmented);
  LLVMTypeRef memory = type_attribute(half, index, "byval");
  return memory ? memory : LLVMTypeOf(LLVMGetParam(half, index));
}

/* The type of the tape, which the reverse takes last. */
static LLVMTypeRef find_tape(const Wrapper *wrapper, LLVMValueRef reverse) {
  unsigned integers;
  unsigned count =
      count_interleaved(&wrapper->derivative->request, PART_REVERSE, &integers) + has_sret(reverse);
  count += (wrapper->doubled ? integers : 0) + is_real(primal_result(wrapper));
  unsigned given = LLVMCountParams(reverse) - (wrapper->custom->of_model ? TOLD_REVERSE : 0);
  if (given != count + 1)
    return NULL;
  return tape_at(wrapper, reverse, given - 1, wrapper->custom->augmented);
}

/* --- Arguments -------------------------------------------------------------------------------- */

static LLVMValueRef parameter_of_user(const Wrapper *wrapper) {
  unsigned index = wrapper->arguments.count;
  return index < LLVMCountParams(wrapper->user) ? LLVMGetParam(wrapper->user, index) : NULL;
}

static LLVMValueRef in_memory(Wrapper *wrapper, LLVMValueRef value) {
  LLVMValueRef memory = LLVMBuildAlloca(wrapper->builder, LLVMTypeOf(value), "");
  LLVMBuildStore(wrapper->builder, value, memory);
  return memory;
}

static bool push(Wrapper *wrapper, LLVMValueRef value) {
  LLVMValueRef parameter = parameter_of_user(wrapper);
  if (is_by_reference(wrapper, wrapper->user, wrapper->arguments.count))
    value = in_memory(wrapper, value);
  bool fits = parameter && LLVMTypeOf(parameter) == LLVMTypeOf(value);
  nb_list_push(&wrapper->arguments, value);
  return fits || refuse(wrapper, nb_arena_print(wrapper->context->arena,
                                                "its parameter %u has not the type that belongs "
                                                "there",
                                                wrapper->arguments.count));
}

/* Where forward mode comes later, so do the shadows. */
static bool is_recorded(const Wrapper *wrapper) {
  return wrapper->own == wrapper->derivative->recorded;
}

/* A constant pointer has no shadow; a function that never looks at the parameter needs none. */
static bool push_no_shadow(Wrapper *wrapper, LLVMValueRef argument) {
  LLVMValueRef parameter = parameter_of_user(wrapper);
  if (parameter && (wrapper->custom->of_model || nb_parameter_is_unused(parameter)))
    return push(wrapper, LLVMConstNull(LLVMTypeOf(argument)));
  const char *reason = is_recorded(wrapper) ? "which the augmented forward does not have here"
                                            : "and the argument is constant here";
  return refuse(wrapper, nb_arena_print(wrapper->context->arena, "its parameter %u is a shadow, %s",
                                        wrapper->arguments.count + 1, reason));
}

/* A shadow that may be the pointer itself is then none. */
static LLVMValueRef shadow_if_any(Wrapper *wrapper, unsigned index, LLVMValueRef shadow) {
  const bool *guarded = wrapper->derivative->request.guarded;
  if (!shadow || !wrapper->custom->of_model || !guarded || !guarded[index])
    return shadow;
  LLVMValueRef none =
      LLVMBuildICmp(wrapper->builder, LLVMIntEQ, shadow, LLVMGetParam(wrapper->own, index), "none");
  LLVMValueRef null = LLVMConstNull(LLVMTypeOf(shadow));
  return LLVMBuildSelect(wrapper->builder, none, null, shadow, "");
}

/* The user's functions know of no pointer without a shadow: the run tells that this is none. */
static void check_shadow(Wrapper *wrapper, unsigned index, LLVMValueRef shadow) {
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

static bool push_shadow(Wrapper *wrapper, unsigned index, LLVMValueRef shadow) {
  LLVMValueRef argument = LLVMGetParam(wrapper->own, index);
  LLVMTypeRef type = LLVMTypeOf(argument);
  if (shadow && is_pointer(type))
    check_shadow(wrapper, index, shadow);
  shadow = shadow_if_any(wrapper, index, shadow);
  if (is_pointer(type))
    return shadow ? push(wrapper, shadow) : push_no_shadow(wrapper, argument);
  if (is_real(type) && wrapper->part == PART_FORWARD)
    return push(wrapper, shadow ? shadow : LLVMConstNull(type));
  if (!is_real(type) && wrapper->doubled)
    return push(wrapper, argument);
  return true;
}

/* In the direction that is written, of a tangent or an adjoint in all. */
static LLVMValueRef in_lane(const Wrapper *wrapper, LLVMValueRef tangent, LLVMTypeRef type) {
  unsigned width = wrapper->derivative->request.width;
  return nb_tangent_lane(wrapper->builder, tangent, type, width, wrapper->lane);
}

static LLVMValueRef shadow_of(const Wrapper *wrapper, unsigned index) {
  const NbRequest *request = &wrapper->derivative->request;
  LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(request->function, index));
  unsigned first = nb_request_first_shadow(request, index);
  if (nb_type_has_pointer(type))
    return LLVMGetParam(wrapper->own, first + wrapper->lane);
  return in_lane(wrapper, LLVMGetParam(wrapper->own, first), type);
}

/* How many parameters of the primal's from `first` on are floats of one number or struct, whose
 * tangents the user's function takes behind all of them; 0: nobody knows. */
static unsigned parts_at(const Wrapper *wrapper, unsigned first) {
  const NbRequest *request = &wrapper->derivative->request;
  unsigned theirs = nb_by_value_parts(request->function, first);
  unsigned count = nb_by_value_parts(wrapper->user, wrapper->arguments.count);
  if (wrapper->part != PART_FORWARD || wrapper->custom->of_model)
    return 1;
  bool unknown = count == 1 && theirs > 1 && LLVMIsDeclaration(wrapper->user);
  if (unknown)
    count = theirs;
  for (unsigned i = first; i < first + count; i++)
    if (i >= request->count || !is_real(LLVMTypeOf(LLVMGetParam(request->function, i))))
      return 1;
  return unknown ? 0 : count;
}

static bool push_one(Wrapper *wrapper, unsigned index) {
  LLVMValueRef shadow = NULL;
  if (nb_role_has_shadow(wrapper->derivative->request.roles[index]) && !is_recorded(wrapper))
    shadow = shadow_of(wrapper, index);
  return push_shadow(wrapper, index, shadow);
}

static bool push_interleaved(Wrapper *wrapper) {
  const NbRequest *request = &wrapper->derivative->request;
  bool ok = true;
  unsigned parts;
  for (unsigned i = 0; i < request->count && ok; i += parts) {
    parts = parts_at(wrapper, i);
    if (!parts)
      return refuse(wrapper, "what belongs together among its parameters cannot be told, since it "
                             "is defined elsewhere");
    for (unsigned k = 0; k < parts && ok; k++)
      ok = push(wrapper, LLVMGetParam(wrapper->own, i + k));
    for (unsigned k = 0; k < parts && ok; k++)
      ok = push_one(wrapper, i + k);
  }
  return ok;
}

static bool push_bits(Wrapper *wrapper, uint64_t bits) {
  LLVMTypeRef type = LLVMInt32TypeInContext(wrapper->context->llvm);
  return push(wrapper, LLVMConstInt(type, bits, false));
}

static unsigned count_reals(const NbRequest *request) {
  unsigned count = 0;
  for (unsigned i = 0; i < request->count; i++)
    count += is_real(LLVMTypeOf(LLVMGetParam(request->function, i)));
  return count;
}

/* Of a model: a bit for each float that has an adjoint to return, or a tangent. */
static bool push_active(Wrapper *wrapper) {
  const NbRequest *request = &wrapper->derivative->request;
  uint64_t active = 0;
  unsigned reals = 0;
  for (unsigned i = 0; i < request->count; i++)
    if (is_real(LLVMTypeOf(LLVMGetParam(request->function, i))))
      active |= (uint64_t)(request->roles[i] != NB_ROLE_CONST) << reals++;
  return push_bits(wrapper, active);
}

/* And a bit for each pointer whose memory may change. */
static bool push_told(Wrapper *wrapper) {
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
static bool push_again(Wrapper *wrapper) {
  const NbDerivative *derivative = wrapper->derivative;
  bool again =
      wrapper->own == derivative->reverse_again || wrapper->lane + 1 < derivative->request.width;
  return !wrapper->custom->of_model || push_bits(wrapper, again);
}

/* Of each call of the user's function: the first one opens the body. */
static bool start(Wrapper *wrapper) {
  LLVMContextRef llvm = wrapper->context->llvm;
  if (!LLVMCountBasicBlocks(wrapper->own))
    LLVMPositionBuilderAtEnd(wrapper->builder,
                             LLVMAppendBasicBlockInContext(llvm, wrapper->own, "entry"));
  wrapper->arguments = nb_list(wrapper->context->arena);
  wrapper->memory = NULL;
  if (has_sret(wrapper->user)) {
    LLVMTypeRef type = type_attribute(wrapper->user, 0, "sret");
    wrapper->memory = LLVMBuildAlloca(wrapper->builder, type, "");
    nb_list_push(&wrapper->arguments, wrapper->memory);
  }
  return push_interleaved(wrapper);
}

/* --- The call and its result ------------------------------------------------------------------ */

static LLVMValueRef call_user(Wrapper *wrapper) {
  static const char *const kinds[] = {"sret", "byval"};
  LLVMTypeRef type = LLVMGlobalGetValueType(wrapper->user);
  NbList *list = &wrapper->arguments;
  LLVMValueRef call = LLVMBuildCall2(wrapper->builder, type, wrapper->user,
                                     (LLVMValueRef *)list->items, list->count, "");
  LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(wrapper->user));
  for (unsigned i = 0; i < list->count; i++)
    for (unsigned k = 0; k < 2; k++) {
      unsigned id = LLVMGetEnumAttributeKindForName(kinds[k], strlen(kinds[k]));
      LLVMAttributeRef attribute = LLVMGetEnumAttributeAtIndex(wrapper->user, i + 1, id);
      if (attribute)
        LLVMAddCallSiteAttribute(call, i + 1, attribute);
    }
  return call;
}

static bool is_struct_of(LLVMTypeRef type, const LLVMTypeRef *types, unsigned count) {
  if (LLVMGetTypeKind(type) != LLVMStructTypeKind || LLVMCountStructElementTypes(type) != count)
    return false;
  for (unsigned i = 0; i < count; i++)
    if (LLVMStructGetTypeAtIndex(type, i) != types[i])
      return false;
  return true;
}

/* Reads the parts of what the user's function returned, as C lays them out. */
static bool read_parts(Wrapper *wrapper, LLVMValueRef result, LLVMTypeRef *types, unsigned count,
                       LLVMValueRef *parts) {
  LLVMBuilderRef builder = wrapper->builder;
  LLVMTypeRef whole = LLVMStructTypeInContext(wrapper->context->llvm, types, count, false);
  LLVMTypeRef given = LLVMTypeOf(result);
  LLVMValueRef memory = wrapper->memory;
  if (memory)
    given = LLVMGetAllocatedType(memory);
  if (!memory && count == 1 && given == types[0]) {
    parts[0] = result;
    return true;
  }
  if (is_void(given) || !nb_layout_agrees(wrapper->context, given, whole))
    return refuse(wrapper, "its result is not made of what belongs there");
  for (unsigned i = 0; !memory && is_struct_of(given, types, count) && i < count; i++)
    parts[i] = LLVMBuildExtractValue(builder, result, i, "");
  if (!memory && is_struct_of(given, types, count))
    return true;
  if (!memory)
    memory = in_memory(wrapper, result);
  for (unsigned i = 0; i < count; i++)
    parts[i] =
        LLVMBuildLoad2(builder, types[i], LLVMBuildStructGEP2(builder, whole, memory, i, ""), "");
  return true;
}

static void build_return(Wrapper *wrapper, const LLVMValueRef *parts, unsigned count) {
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

/* A function that returns the tangent alone: the value comes from the primal, where running both
 * changes nothing. */
static bool read_tangent_alone(Wrapper *wrapper, LLVMValueRef result, LLVMValueRef *parts) {
  LLVMValueRef primal = wrapper->derivative->request.function;
  unsigned count = LLVMCountParams(primal);
  LLVMValueRef *arguments = NB_NEW_ARRAY(wrapper->context->arena, LLVMValueRef, count + 1);
  for (unsigned i = 0; i < count; i++) {
    arguments[i] = LLVMGetParam(wrapper->own, i);
    if (is_pointer(LLVMTypeOf(arguments[i])))
      return refuse(wrapper, "it returns no {result, tangent}");
  }
  LLVMTypeRef type = LLVMGlobalGetValueType(primal);
  parts[0] = LLVMBuildCall2(wrapper->builder, type, primal, arguments, count, "");
  LLVMSetInstructionCallConv(parts[0], LLVMGetFunctionCallConv(primal));
  parts[1] = result;
  return true;
}

/* Of a model that writes memory: forward mode is asked for by phases. */
static bool has_phases(const NbRequest *request, const NbCustom *custom) {
  unsigned integers, told = count_reals(request) > 0;
  unsigned count = count_interleaved(request, PART_FORWARD, &integers);
  return custom->of_model && LLVMCountParams(custom->forward) == count + told + 1;
}

static bool call_forward(Wrapper *wrapper, unsigned phases, LLVMValueRef *result) {
  const NbRequest *request = &wrapper->derivative->request;
  bool told = wrapper->custom->of_model && count_reals(request);
  if (!start(wrapper) || (told && !push_active(wrapper)) ||
      (has_phases(request, wrapper->custom) && !push_bits(wrapper, phases)))
    return false;
  *result = call_user(wrapper);
  return true;
}

static LLVMValueRef join_lanes(const Wrapper *wrapper, LLVMTypeRef type, LLVMValueRef *lanes) {
  return nb_tangent_of_lanes(wrapper->builder, type, wrapper->derivative->request.width, lanes);
}

/* The tangents in all directions; the primal once between what they need of it. */
static bool write_phases(Wrapper *wrapper) {
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

/* The value and the tangent in one direction. */
static bool read_pair(Wrapper *wrapper, LLVMValueRef result, LLVMValueRef *parts) {
  LLVMTypeRef type = primal_result(wrapper);
  LLVMTypeRef types[] = {type, type};
  bool pair = !is_void(type) && (is_real(type) || is_pointer(type));
  if (pair && !wrapper->memory && LLVMTypeOf(result) == type)
    return read_tangent_alone(wrapper, result, parts);
  return is_void(type) || read_parts(wrapper, result, types, pair ? 2 : 1, parts);
}

static bool write_forward(Wrapper *wrapper) {
  const NbRequest *request = &wrapper->derivative->request;
  LLVMTypeRef type = primal_result(wrapper);
  LLVMValueRef parts[2] = {NULL, NULL}, lanes[NB_MOST_WIDTH], result;
  unsigned told = wrapper->custom->of_model && count_reals(request);
  told += has_phases(request, wrapper->custom);
  if (!find_doubling(wrapper, wrapper->user, PART_FORWARD, told))
    return refuse(wrapper, "it has not the number of parameters that belongs to it");
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

static bool write_augmented(Wrapper *wrapper) {
  LLVMTypeRef type = primal_result(wrapper);
  LLVMTypeRef types[3];
  LLVMValueRef parts[3] = {NULL, NULL, NULL};
  unsigned count = 0;
  if (wrapper->tape)
    types[count++] = wrapper->tape;
  unsigned first = count;
  if (!is_void(type))
    types[count++] = type;
  if (is_pointer(type))
    types[count++] = type;
  if (!start(wrapper) || !push_told(wrapper))
    return false;
  LLVMValueRef result = call_user(wrapper);
  if (count && !read_parts(wrapper, result, types, count, parts))
    return false;
  unsigned tape = nb_emit_tape_index(&wrapper->derivative->request);
  if (wrapper->tape)
    LLVMBuildStore(wrapper->builder, parts[0], LLVMGetParam(wrapper->own, tape));
  build_return(wrapper, parts + first, wrapper->derivative->request.result == NB_ROLE_DUP ? 2 : 1);
  return true;
}

static bool push_seed_and_tape(Wrapper *wrapper) {
  const NbRequest *request = &wrapper->derivative->request;
  LLVMTypeRef type = primal_result(wrapper);
  unsigned next = nb_emit_tape_index(request);
  bool seeded = request->result == NB_ROLE_OUT;
  LLVMValueRef seed = seeded ? in_lane(wrapper, LLVMGetParam(wrapper->own, next++), type) : NULL;
  if (is_real(type) && !push(wrapper, seed ? seed : LLVMConstNull(type)))
    return false;
  if (!wrapper->tape)
    return true;
  LLVMValueRef tape = LLVMGetParam(wrapper->own, next);
  if (!type_attribute(wrapper->user, wrapper->arguments.count, "byval"))
    tape = LLVMBuildLoad2(wrapper->builder, wrapper->tape, tape, "");
  return push(wrapper, tape);
}

/* The adjoints of all floats in the direction that is written: `count` of these types. */
static bool call_reverse(Wrapper *wrapper, LLVMTypeRef *types, unsigned count,
                         LLVMValueRef *parts) {
  if (!start(wrapper) || !push_seed_and_tape(wrapper) || !push_told(wrapper) ||
      !push_again(wrapper))
    return false;
  LLVMValueRef result = call_user(wrapper);
  return !count || read_parts(wrapper, result, types, count, parts);
}

static bool write_reverse(Wrapper *wrapper) {
  const NbRequest *request = &wrapper->derivative->request;
  NbArena *arena = wrapper->context->arena;
  LLVMTypeRef *types = NB_NEW_ARRAY(arena, LLVMTypeRef, request->count + 1);
  LLVMValueRef *wanted = NB_NEW_ARRAY(arena, LLVMValueRef, request->count + 1);
  LLVMValueRef *parts[NB_MOST_WIDTH], lanes[NB_MOST_WIDTH];
  unsigned count = 0, wanted_count = 0;
  for (unsigned i = 0; i < request->count; i++) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(request->function, i));
    if (is_real(type))
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
    count += is_real(LLVMTypeOf(LLVMGetParam(request->function, i)));
  }
  build_return(wrapper, wanted, wanted_count);
  return true;
}

static bool write_pair(Wrapper *wrapper, const NbCustom *custom) {
  NbDerivative *derivative = wrapper->derivative;
  wrapper->user = custom->augmented;
  unsigned told = wrapper->custom->of_model ? TOLD_AUGMENTED : 0;
  if (!find_doubling(wrapper, custom->augmented, PART_AUGMENTED, told))
    return refuse(wrapper, "it has not the number of parameters that belongs to it");
  wrapper->tape = find_tape(wrapper, custom->reverse);
  wrapper->part = PART_AUGMENTED;
  wrapper->own = derivative->augmented;
  if (!write_augmented(wrapper))
    return false;
  derivative->tape = wrapper->tape;
  wrapper->part = PART_REVERSE;
  wrapper->user = custom->reverse;
  wrapper->own = derivative->reverse;
  unsigned extra = is_real(primal_result(wrapper)) + (wrapper->tape != NULL);
  extra += wrapper->custom->of_model ? TOLD_REVERSE : 0;
  if (!find_doubling(wrapper, custom->reverse, PART_REVERSE, extra))
    return refuse(wrapper, "it has not the number of parameters that belongs to it");
  if (!write_reverse(wrapper))
    return false;
  wrapper->own = derivative->reverse_again;
  return !wrapper->own || write_reverse(wrapper);
}

/* --- Forward mode that comes later than the primal -------------------------------------------- */

/* The record holds the user's tape, and then the primal's result. */
static LLVMTypeRef record_type(const Wrapper *wrapper) {
  LLVMTypeRef types[2], result = primal_result(wrapper);
  unsigned count = 0;
  if (wrapper->tape)
    types[count++] = wrapper->tape;
  if (!is_void(result))
    types[count++] = result;
  return count ? LLVMStructTypeInContext(wrapper->context->llvm, types, count, false) : NULL;
}

static LLVMValueRef record_field(const Wrapper *wrapper, unsigned field) {
  LLVMValueRef record = LLVMGetParam(wrapper->own, LLVMCountParams(wrapper->own) - 2);
  return LLVMBuildStructGEP2(wrapper->builder, wrapper->derivative->tape, record, field, "");
}

/* The last parameter of the forward half, where it has one more than its arguments. */
static LLVMTypeRef find_split_tape(const Wrapper *wrapper, LLVMValueRef forward) {
  unsigned integers;
  unsigned count = count_interleaved(&wrapper->derivative->request, PART_FORWARD, &integers);
  count += has_sret(forward) + (wrapper->doubled ? integers : 0);
  unsigned given = LLVMCountParams(forward);
  if (given != count + 1)
    return NULL;
  return tape_at(wrapper, forward, given - 1, wrapper->custom->split_augmented);
}

static bool write_recorded(Wrapper *wrapper) {
  LLVMTypeRef type = primal_result(wrapper), types[2];
  LLVMValueRef parts[2] = {NULL, NULL};
  unsigned count = 0;
  if (wrapper->tape)
    types[count++] = wrapper->tape;
  if (!is_void(type))
    types[count++] = type;
  if (!start(wrapper))
    return false;
  LLVMValueRef result = call_user(wrapper);
  if (count && !read_parts(wrapper, result, types, count, parts))
    return false;
  for (unsigned i = 0; i < count; i++)
    LLVMBuildStore(wrapper->builder, parts[i], record_field(wrapper, i));
  build_return(wrapper, parts + (wrapper->tape != NULL), 1);
  return true;
}

static bool write_replayed(Wrapper *wrapper) {
  LLVMTypeRef type = primal_result(wrapper), types[] = {type, type};
  LLVMValueRef parts[2] = {NULL, NULL};
  bool wanted = wrapper->derivative->request.result == NB_ROLE_DUP;
  if (!start(wrapper))
    return false;
  if (wrapper->tape) {
    LLVMValueRef tape = record_field(wrapper, 0);
    if (!type_attribute(wrapper->user, wrapper->arguments.count, "byval"))
      tape = LLVMBuildLoad2(wrapper->builder, wrapper->tape, tape, "");
    if (!push(wrapper, tape))
      return false;
  }
  LLVMValueRef result = call_user(wrapper);
  bool alone = !wrapper->memory && LLVMTypeOf(result) == type;
  if (wanted && !alone && !read_parts(wrapper, result, types, 2, parts))
    return false;
  if (wanted && alone)
    parts[1] = result;
  if (!is_void(type))
    parts[0] =
        LLVMBuildLoad2(wrapper->builder, type, record_field(wrapper, wrapper->tape != NULL), "");
  build_return(wrapper, parts, wanted ? 2 : 1);
  return true;
}

static bool write_replayed_pair(Wrapper *wrapper, const NbCustom *custom) {
  NbDerivative *derivative = wrapper->derivative;
  LLVMTypeRef type = primal_result(wrapper);
  wrapper->user = custom->split_augmented;
  if (!is_void(type) && nb_type_has_pointer(type))
    return refuse(wrapper, "the function returns a pointer, which has no place in its tape yet");
  if (!find_doubling(wrapper, wrapper->user, PART_AUGMENTED, 0))
    return refuse(wrapper, "it has not the number of parameters that belongs to it");
  wrapper->tape = find_split_tape(wrapper, custom->split_forward);
  derivative->tape = record_type(wrapper);
  wrapper->part = PART_AUGMENTED;
  wrapper->own = derivative->recorded;
  if (!write_recorded(wrapper))
    return false;
  wrapper->part = PART_FORWARD;
  wrapper->user = custom->split_forward;
  wrapper->own = derivative->forward;
  if (!find_doubling(wrapper, wrapper->user, PART_FORWARD, wrapper->tape != NULL))
    return refuse(wrapper, "it has not the number of parameters that belongs to it");
  return write_replayed(wrapper);
}

static bool check_needed(const Wrapper *wrapper) {
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
  Wrapper wrapper = {.context = context, .derivative = derivative, .custom = custom};
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
    wrapper.part = PART_FORWARD;
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
