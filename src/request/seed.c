// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The role of the result, and the adjoint that the reverse sweep starts from: one where derivative
 * and primal are one call; the user's where the reverse is asked for by itself. */
#include "emit/tangent.h"
#include "request/byvalue.h"
#include "request/layout.h"
#include "request/serving.h"

static LLVMTypeRef result_type(const NbServing *serving) {
  return LLVMGetReturnType(LLVMGlobalGetValueType(serving->function));
}

static bool has(const NbServing *serving, NbMarker flag) {
  return nb_collected_has(&serving->collected, flag);
}

/* --- The role -------------------------------------------------------------------------------- */

static bool refuse_role(const NbServing *serving, NbMarker flag, const char *reason) {
  return nb_refuse(serving->context, NB_ERROR_WRONG_RESULT, serving->call,
                   "the result of '%s' cannot be enzyme_%s: %s",
                   nb_shown_name(serving->context, serving->function), nb_marker_word(flag),
                   reason);
}

/* The marker of the result; the default is that of its type. */
static NbMarker marked_role(const NbServing *serving) {
  static const NbMarker flags[] = {NB_MARKER_FLAG_CONST_RETURN, NB_MARKER_FLAG_ACTIVE_RETURN,
                                   NB_MARKER_FLAG_DUP_RETURN};
  for (unsigned i = 0; i < sizeof flags / sizeof *flags; i++)
    if (has(serving, flags[i]))
      return flags[i];
  return NB_MARKER_NONE;
}

/* Has the memory of the call's result been given to the function, for a struct that the ABI returns
 * there, and its tangent? */
static bool is_in_memory(const NbServing *serving) {
  return serving->memory_type && !serving->memory;
}

static bool take_forward_role(NbServing *serving, bool active) {
  NbMarker marked = marked_role(serving);
  if (marked == NB_MARKER_FLAG_ACTIVE_RETURN)
    return refuse_role(serving, marked, "forward mode has no adjoints");
  if (marked == NB_MARKER_FLAG_DUP_RETURN && !active && !is_in_memory(serving))
    return refuse_role(serving, marked, "it has no derivative");
  bool wanted = active && marked != NB_MARKER_FLAG_CONST_RETURN;
  if (wanted && (!has(serving, NB_MARKER_FLAG_NORET) || nb_serving_is_split(serving)))
    serving->request.result = NB_ROLE_DUP;
  return true;
}

static bool take_reverse_role(NbServing *serving, bool pointer, bool real) {
  NbMarker marked = marked_role(serving);
  if (marked == NB_MARKER_FLAG_CONST_RETURN)
    return true;
  if (marked == NB_MARKER_FLAG_ACTIVE_RETURN && (pointer || !real))
    return refuse_role(serving, marked, pointer ? "it holds a pointer" : "it has no derivative");
  if (marked == NB_MARKER_FLAG_DUP_RETURN && !pointer)
    return refuse_role(serving, marked, "it is no pointer, and its adjoint is an argument");
  bool several = nb_serving_is_split(serving) || serving->request.width > 1;
  if (pointer && real && several)
    return nb_refuse(serving->context, NB_ERROR_ENTRY_UNSUPPORTED, serving->call,
                     "'%s' returns a struct of floats and pointers, for which the halves of "
                     "reverse mode, and several directions at once, have no seed yet",
                     nb_shown_name(serving->context, serving->function));
  if (real)
    serving->request.result = pointer ? NB_ROLE_BOTH : NB_ROLE_OUT;
  if (pointer && !real && nb_serving_is_split(serving))
    serving->request.result = NB_ROLE_DUP;
  return true;
}

/* --- The seed -------------------------------------------------------------------------------- */

/* A value of the type with all its floats one. */
static LLVMValueRef ones(const NbContext *context, LLVMTypeRef type) {
  if (nb_type_is_real(type))
    return LLVMConstReal(type, 1.0);
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  unsigned count = 0;
  if (kind == LLVMStructTypeKind)
    count = LLVMCountStructElementTypes(type);
  else if (kind == LLVMArrayTypeKind)
    count = (unsigned)LLVMGetArrayLength2(type);
  else if (kind == LLVMVectorTypeKind)
    count = LLVMGetVectorSize(type);
  if (!count)
    return LLVMConstNull(type);
  LLVMValueRef *parts = NB_NEW_ARRAY(context->arena, LLVMValueRef, count);
  for (unsigned i = 0; i < count; i++)
    parts[i] = ones(context, kind == LLVMStructTypeKind ? LLVMStructGetTypeAtIndex(type, i)
                                                        : LLVMGetElementType(type));
  if (kind == LLVMVectorTypeKind)
    return LLVMConstVector(parts, count);
  if (kind == LLVMArrayTypeKind)
    return LLVMConstArray2(LLVMGetElementType(type), parts, count);
  return LLVMConstStructInContext(context->llvm, parts, count, LLVMIsPackedStruct(type));
}

static bool refuse_seed(const NbServing *serving, const char *found) {
  return nb_refuse(serving->context, NB_ERROR_MISSING_SEED, serving->call,
                   "'%s' returns '%s', and the reverse needs the adjoint of that behind the "
                   "arguments, but %s",
                   nb_shown_name(serving->context, serving->function),
                   nb_type_text(serving->context->arena, result_type(serving)), found);
}

static bool is_unmarked(const NbServing *serving) {
  return serving->next < serving->count &&
         serving->operands[serving->next].marker == NB_MARKER_NONE;
}

/* A struct that the ABI passes in memory. */
static LLVMValueRef seed_in_memory(const NbServing *serving, LLVMTypeRef type) {
  unsigned operand = serving->indices[serving->next];
  LLVMTypeRef given = nb_call_operand_pointee(serving->call, operand, "byval");
  if (!given || !nb_layout_agrees(serving->context, given, type))
    return NULL;
  LLVMValueRef memory = LLVMGetOperand(serving->call, operand);
  return LLVMBuildLoad2(serving->builder, type, memory, "");
}

/* A struct that the ABI passes in several operands: as many as together have its layout. */
static LLVMValueRef seed_in_parts(NbServing *serving, LLVMTypeRef type) {
  NbContext *context = serving->context;
  NbList parts = nb_list(context->arena);
  unsigned start = serving->next;
  LLVMTypeRef *types = NB_NEW_ARRAY(context->arena, LLVMTypeRef, serving->count);
  for (; is_unmarked(serving); serving->next++) {
    LLVMValueRef part = LLVMGetOperand(serving->call, serving->indices[serving->next]);
    types[parts.count] = LLVMTypeOf(part);
    nb_list_push(&parts, part);
    LLVMTypeRef given = LLVMStructTypeInContext(context->llvm, types, parts.count, false);
    if (nb_layout_agrees(context, given, type) || nb_layout_agrees(context, type, given))
      return nb_serving_through_memory(serving, &parts, type);
  }
  serving->next = start;
  return NULL;
}

static LLVMValueRef take_lane(NbServing *serving, LLVMTypeRef type) {
  if (!is_unmarked(serving)) {
    refuse_seed(serving, "no argument is left");
    return NULL;
  }
  LLVMValueRef seed = nb_serving_convert(serving, type);
  if (!seed)
    seed = seed_in_memory(serving, type);
  if (!seed)
    seed = seed_in_parts(serving, type);
  if (!seed)
    refuse_seed(serving, "what follows has another type");
  serving->next++;
  return seed;
}

static bool take_seed(NbServing *serving, LLVMTypeRef type) {
  LLVMValueRef lanes[NB_MOST_WIDTH];
  unsigned width = serving->request.width;
  for (unsigned lane = 0; lane < width; lane++) {
    lanes[lane] = take_lane(serving, type);
    if (!lanes[lane])
      return false;
  }
  serving->seed = nb_serving_lanes(serving, type, lanes);
  return true;
}

/* The tape behind all else, where it was not given by a marker. */
static bool take_tape(NbServing *serving) {
  LLVMTypeRef pointer = LLVMPointerTypeInContext(serving->context->llvm, 0);
  if (serving->tape)
    return true;
  if (is_unmarked(serving))
    serving->tape = nb_serving_convert(serving, pointer);
  serving->next++;
  return serving->tape || nb_refuse(serving->context, NB_ERROR_MISSING_TAPE, serving->call,
                                    "the reverse of '%s' needs the tape that its augmented forward "
                                    "made, as its last argument or behind enzyme_tape",
                                    nb_shown_name(serving->context, serving->function));
}

/* --- Both ------------------------------------------------------------------------------------ */

bool nb_serving_check_end(NbServing *serving) {
  if (serving->next_shadow && serving->next == serving->end)
    serving->next = serving->next_shadow;
  if (serving->next >= serving->count)
    return true;
  return nb_refuse(serving->context, NB_ERROR_TOO_MANY_ARGUMENTS, serving->call,
                   "'%s' takes %u arguments, which %u of the call's %u operands have filled",
                   nb_shown_name(serving->context, serving->function), serving->request.count,
                   serving->next, serving->count);
}

bool nb_serving_returns_packed(const NbServing *serving) {
  bool ignored = has(serving, NB_MARKER_FLAG_CONST_RETURN) ||
                 (!nb_serving_is_reverse(serving) && has(serving, NB_MARKER_FLAG_NORET));
  return !ignored && nb_by_value_returns_packed(serving->function);
}

/* An integer of the ABI's that holds floats has no adjoint, and no tangent. */
static bool check_packed(NbServing *serving) {
  return !nb_serving_returns_packed(serving) ||
         nb_refuse(serving->context, NB_ERROR_ENTRY_UNSUPPORTED, serving->call,
                   "'%s' returns a float of a struct in one register with something else, and "
                   "which of its bytes are what is not known; let it store the struct through a "
                   "pointer, or mark the result enzyme_const_return",
                   nb_shown_name(serving->context, serving->function));
}

bool nb_serving_take_result(NbServing *serving) {
  LLVMTypeRef type = result_type(serving);
  bool nothing = LLVMGetTypeKind(type) == LLVMVoidTypeKind;
  bool pointer = !nothing && nb_type_has_pointer(type);
  bool real = !nothing && nb_type_has_real(type);
  serving->request.result = NB_ROLE_CONST;
  if (!check_packed(serving))
    return false;
  if (!nb_serving_is_reverse(serving))
    return take_forward_role(serving, pointer || real) &&
           (!nb_serving_is_split(serving) || take_tape(serving)) && nb_serving_check_end(serving);
  if (!take_reverse_role(serving, pointer, real))
    return false;
  bool half = serving->collected.entry == NB_ENTRY_SPLIT_REVERSE;
  bool seeded = nb_result_has_adjoint(serving->request.result);
  if (seeded && serving->collected.entry == NB_ENTRY_REVERSE)
    serving->seed = ones(serving->context, nb_tangent_type(type, serving->request.width));
  if (half && seeded && !take_seed(serving, type))
    return false;
  if (half && !take_tape(serving))
    return false;
  return nb_serving_check_end(serving);
}
