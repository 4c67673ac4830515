// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Derivatives of the user's in several directions at once: what the user wrote for one of them is
 * called for each. Where it takes memory, or its tape is some, each direction has a tape of its
 * own, and all calls but the last put the primal's memory back (emit/undone.h). */
#include "emit/custom.h"
#include "emit/emit.h"
#include "emit/runtime.h"
#include "emit/tangent.h"
#include "emit/undone.h"

typedef struct Wide {
  NbContext *context;
  const NbRequest *request, *one; /* in all directions; in one */
  LLVMBuilderRef builder;
  LLVMTypeRef tape;                 /* of one direction, where each has one; NULL */
  bool apart;                       /* each direction has a tape, and finds the same memory */
  LLVMValueRef own, single, undone; /* the function that is written; those for one direction */
  LLVMValueRef log;                 /* of what is put back */
  unsigned shadows;                 /* the function takes none (0), or all */
  unsigned tape_index;              /* of the tape among the parameters for one direction */
  NbWhereHeld held;
} Wide;

enum { NO_TAPE = ~0u };

static LLVMTypeRef result_of(const NbRequest *request) {
  return LLVMGetReturnType(LLVMGlobalGetValueType(request->function));
}

static bool takes_numbers(const NbRequest *request) {
  LLVMTypeRef result = result_of(request);
  bool numbers = LLVMGetTypeKind(result) != LLVMVoidTypeKind && !nb_type_has_pointer(result);
  for (unsigned i = 0; i < request->count; i++)
    numbers = numbers && !nb_type_has_pointer(LLVMTypeOf(LLVMGetParam(request->function, i)));
  return numbers;
}

static bool refuse(NbContext *context, const NbRequest *request, const char *reason) {
  return nb_refuse(context, NB_ERROR_CUSTOM_RULE, request->function,
                   "a derivative is registered for '%s' in one direction, and several are asked "
                   "for at once, but %s",
                   nb_shown_name(context, request->function), reason);
}

/* --- Calls for one direction ------------------------------------------------------------------ */

/* What is a tangent among the parameters has another type there. */
static LLVMValueRef in_lane(const Wide *wide, unsigned index, unsigned to, unsigned lane) {
  LLVMValueRef argument = LLVMGetParam(wide->own, index);
  LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(wide->single, to));
  if (to == wide->tape_index && wide->tape) {
    LLVMValueRef at = LLVMConstInt(LLVMInt64TypeInContext(wide->context->llvm), lane, false);
    return LLVMBuildInBoundsGEP2(wide->builder, wide->tape, argument, &at, 1, "");
  }
  if (LLVMTypeOf(argument) == type)
    return argument;
  return nb_tangent_lane(wide->builder, argument, type, wide->request->width, lane);
}

static unsigned push_shadows(const Wide *wide, LLVMValueRef *arguments, unsigned lane) {
  const NbRequest *request = wide->request;
  unsigned count = request->count;
  for (unsigned i = 0; i < request->count; i++) {
    unsigned each = nb_request_shadows(request, i);
    unsigned from = nb_request_first_shadow(request, i) + (each > 1 ? lane : 0);
    if (each)
      arguments[count] = in_lane(wide, from, count, lane);
    count += each != 0;
  }
  return count;
}

static LLVMValueRef call_in(const Wide *wide, unsigned lane) {
  const NbRequest *request = wide->request;
  unsigned total = LLVMCountParams(wide->single), count = request->count;
  LLVMValueRef *arguments = NB_NEW_ARRAY(wide->context->arena, LLVMValueRef, total + 1);
  for (unsigned i = 0; i < count; i++)
    arguments[i] = LLVMGetParam(wide->own, i);
  unsigned from = wide->shadows ? nb_request_first_shadow(request, count) : count;
  if (wide->shadows)
    count = push_shadows(wide, arguments, lane);
  for (; count < total; count++)
    arguments[count] = in_lane(wide, from++, count, lane);
  bool undone = wide->undone != wide->single && lane + 1 < request->width;
  LLVMValueRef callee = undone ? wide->undone : wide->single;
  if (undone)
    arguments[total] = wide->log;
  LLVMValueRef call = LLVMBuildCall2(wide->builder, LLVMGlobalGetValueType(callee), callee,
                                     arguments, total + undone, "");
  if (undone)
    nb_runtime_call(wide->context, wide->builder, "__nabla_undo_all",
                    LLVMVoidTypeInContext(wide->context->llvm), (LLVMValueRef *)&wide->log, 1);
  return call;
}

/* Member by member: what is the same in all directions, else that of each. */
static LLVMValueRef join(const Wide *wide, const LLVMValueRef *results, LLVMTypeRef type) {
  unsigned width = wide->request->width;
  LLVMValueRef *lanes = NB_NEW_ARRAY(wide->context->arena, LLVMValueRef, width);
  LLVMValueRef whole = LLVMGetPoison(type);
  for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++) {
    for (unsigned lane = 0; lane < width; lane++)
      lanes[lane] = LLVMBuildExtractValue(wide->builder, results[lane], i, "");
    LLVMTypeRef one = LLVMTypeOf(lanes[0]);
    LLVMValueRef part = LLVMStructGetTypeAtIndex(type, i) == one
                            ? lanes[0]
                            : nb_tangent_of_lanes(wide->builder, one, width, lanes);
    whole = LLVMBuildInsertValue(wide->builder, whole, part, i, "");
  }
  return whole;
}

/* --- The functions ---------------------------------------------------------------------------- */

/* runtime/undo.h */
static LLVMValueRef make_log(const Wide *wide) {
  LLVMContextRef llvm = wide->context->llvm;
  LLVMTypeRef pointer = LLVMPointerTypeInContext(llvm, 0), size = LLVMInt64TypeInContext(llvm);
  LLVMTypeRef fields[] = {pointer, pointer, size, size};
  LLVMTypeRef type = LLVMStructTypeInContext(llvm, fields, 4, false);
  LLVMValueRef log = LLVMBuildAlloca(wide->builder, type, "undo");
  LLVMBuildStore(wide->builder, LLVMConstNull(type), log);
  LLVMValueRef name = nb_runtime_function_name(wide->context, wide->request->function);
  LLVMBuildStore(wide->builder, name, log);
  return log;
}

/* Where the parameters for one direction lead. */
static unsigned *places_of(const Wide *wide) {
  unsigned total = LLVMCountParams(wide->single), count = wide->one->count;
  unsigned *places = NB_NEW_ARRAY(wide->context->arena, unsigned, total + 1);
  unsigned shadows = wide->shadows ? nb_request_first_shadow(wide->one, count) : count;
  for (unsigned i = 0; i < total; i++)
    places[i] = i < count ? NB_WHERE_PRIMAL : i < shadows ? NB_WHERE_SHADOW : NB_WHERE_UNKNOWN;
  if (wide->tape_index < total)
    places[wide->tape_index] = NB_WHERE_TAPE;
  return places;
}

static bool find_undone(Wide *wide) {
  const char *reason = NULL;
  wide->undone = wide->single;
  if (takes_numbers(wide->request))
    return true;
  wide->undone = nb_undone_copy(wide->context, wide->single, places_of(wide), &wide->held, &reason);
  return wide->undone || refuse(wide->context, wide->request, reason);
}

static void build_result(const Wide *wide, const LLVMValueRef *results, LLVMTypeRef type) {
  LLVMValueRef last = results[wide->request->width - 1];
  if (LLVMGetTypeKind(type) == LLVMVoidTypeKind)
    LLVMBuildRetVoid(wide->builder);
  else
    LLVMBuildRet(wide->builder, LLVMTypeOf(last) == type ? last : join(wide, results, type));
}

/* `shadows`: does the function take them; `tape`: where it takes the tape for one direction. */
static bool write(Wide *wide, LLVMValueRef own, LLVMValueRef single, bool shadows, unsigned tape) {
  if (!own)
    return true;
  wide->own = own;
  wide->single = single;
  wide->shadows = shadows;
  wide->tape_index = tape;
  if (!find_undone(wide))
    return false;
  unsigned width = wide->request->width;
  LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(own));
  bool once = !wide->apart && type == LLVMGetReturnType(LLVMGlobalGetValueType(single));
  LLVMValueRef *results = NB_NEW_ARRAY(wide->context->arena, LLVMValueRef, width);
  LLVMPositionBuilderAtEnd(wide->builder,
                           LLVMAppendBasicBlockInContext(wide->context->llvm, own, "entry"));
  wide->log = wide->undone != wide->single ? make_log(wide) : NULL;
  for (unsigned lane = once ? width - 1 : 0; lane < width; lane++)
    results[lane] = call_in(wide, lane);
  build_result(wide, results, type);
  return true;
}

static bool write_all(Wide *wide, const NbDerivative *derivative, const NbDerivative *single) {
  const NbRequest *one = wide->one;
  unsigned tape = nb_emit_tape_index(one);
  unsigned behind_seed = tape + nb_result_has_adjoint(one->result);
  return write(wide, derivative->recorded, single->recorded, false, one->count) &&
         write(wide, derivative->forward, single->forward, true, one->replayed ? tape : NO_TAPE) &&
         write(wide, derivative->augmented, single->augmented, true, tape) &&
         write(wide, derivative->reverse, single->reverse, true, behind_seed) &&
         write(wide, derivative->reverse_again, single->reverse_again, true, behind_seed);
}

bool nb_emit_custom_wide(NbContext *context, NbDerivative *derivative) {
  const NbRequest *request = &derivative->request;
  NbRequest one = *request;
  one.width = 1;
  one.top = false;
  NbDerivative *single = nb_derivative_of(context, &one);
  if (!single)
    return false;
  bool memory = single->tape && nb_type_has_pointer(single->tape);
  Wide wide = {.context = context,
               .request = request,
               .one = &one,
               .apart = memory || request->replayed || !takes_numbers(request),
               .held = nb_where_held()};
  derivative->tape = single->tape;
  if (wide.apart && single->tape) {
    wide.tape = single->tape;
    derivative->tape = LLVMArrayType2(single->tape, request->width);
  }
  wide.builder = LLVMCreateBuilderInContext(context->llvm);
  bool ok = write_all(&wide, derivative, single);
  LLVMDisposeBuilder(wide.builder);
  return ok;
}
