// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The functions that a program which verifies itself calls in place of its derivatives. Each puts
 * its arguments into a frame, lets the runtime check what it can, calls the derivative as the user
 * asked for it, and shows the runtime what came out.
 *
 * The frame has the primal's arguments, the shadows of those that have one, the result, its
 * tangent, and its adjoint, in this order. The observed forward derivative reads and writes it.
 * Each direction has a frame. */
#include "base/records.h"
#include "bridge/body.h"
#include "check/check.h"
#include "derive/derive.h"
#include "direct/copy.h"
#include "emit/custom.h"
#include "emit/emit.h"
#include "emit/runtime.h"
#include "emit/tangent.h"
#include "objects/graph.h"
#include "request/collected.h"
#include "request/layout.h"
#include "request/registrations.h"

#include <llvm-c/DebugInfo.h>

typedef struct Frame {
  LLVMTypeRef type;
  unsigned *shadows;              /* the field of each parameter's shadow; 0: it has none */
  unsigned result, tangent, seed; /* fields; 0: there is none */
} Frame;

typedef struct Wrapping {
  NbContext *context;
  LLVMBuilderRef builder;
  const NbServed *served;
  LLVMValueRef derivative; /* that the user's call calls */
  unsigned lanes;          /* directions, each of which is observed by itself */
  NbRequest observed;
  Frame frame;
  NbLogged *logged;
  NbPrecision precision; /* of the observed derivatives */
} Wrapping;

bool nb_check_wanted(const NbContext *context) {
  return nb_option_on(context->options, "check", false);
}

void nb_check_note(NbContext *context, NbList *served, NbServed call) {
  NbServed *copy = NB_NEW(context->arena, NbServed);
  *copy = call;
  nb_list_push(served, copy);
}

static LLVMTypeRef pointer_type(const Wrapping *wrapping) {
  return LLVMPointerTypeInContext(wrapping->context->llvm, 0);
}

static LLVMTypeRef result_type(const Wrapping *wrapping) {
  return LLVMGetReturnType(LLVMGlobalGetValueType(wrapping->observed.function));
}

static bool has_result(const Wrapping *wrapping) {
  return LLVMGetTypeKind(result_type(wrapping)) != LLVMVoidTypeKind;
}

/* In forward mode what reverse mode returns the adjoint of has a tangent. */
static NbRole forward_role(NbRole role) {
  return role == NB_ROLE_OUT || role == NB_ROLE_BOTH ? NB_ROLE_DUP : role;
}

static void set_observed(Wrapping *wrapping) {
  const NbRequest *request = &wrapping->served->request;
  NbRole *roles = NB_NEW_ARRAY(wrapping->context->arena, NbRole, request->count + 1);
  for (unsigned i = 0; i < request->count; i++)
    roles[i] = forward_role(request->roles[i]);
  wrapping->observed = (NbRequest){.function = request->function,
                                   .mode = NB_MODE_FORWARD,
                                   .count = request->count,
                                   .roles = roles,
                                   .guarded = request->guarded,
                                   .globals = request->globals,
                                   .width = 1,
                                   .depth = request->depth,
                                   .result = forward_role(request->result),
                                   .observed = true};
}

static void set_frame(Wrapping *wrapping) {
  const NbRequest *request = &wrapping->observed;
  Frame *frame = &wrapping->frame;
  NbArena *arena = wrapping->context->arena;
  LLVMTypeRef *types = NB_NEW_ARRAY(arena, LLVMTypeRef, 2 * request->count + 4);
  unsigned count = request->count;
  LLVMGetParamTypes(LLVMGlobalGetValueType(request->function), types);
  frame->shadows = NB_NEW_ARRAY(arena, unsigned, request->count + 1);
  for (unsigned i = 0; i < request->count; i++) {
    if (!nb_role_has_shadow(request->roles[i]))
      continue;
    frame->shadows[i] = count;
    types[count++] = types[i];
  }
  if (has_result(wrapping)) {
    frame->result = count;
    frame->tangent = count + 1;
    frame->seed = count + 2;
    for (unsigned i = 0; i < 3; i++)
      types[count++] = result_type(wrapping);
  }
  frame->type = LLVMStructTypeInContext(wrapping->context->llvm, types, count, false);
}

/* --- Access to the frame ---------------------------------------------------------------------- */

static LLVMValueRef field_of(const Wrapping *wrapping, LLVMValueRef frame, unsigned field) {
  return LLVMBuildStructGEP2(wrapping->builder, wrapping->frame.type, frame, field, "");
}

static LLVMValueRef load_field(const Wrapping *wrapping, LLVMValueRef frame, unsigned field) {
  LLVMTypeRef type = LLVMStructGetTypeAtIndex(wrapping->frame.type, field);
  LLVMValueRef address = field_of(wrapping, frame, field);
  return LLVMBuildLoad2(wrapping->builder, type, address, "");
}

static void store_field(const Wrapping *wrapping, LLVMValueRef frame, unsigned field,
                        LLVMValueRef value) {
  LLVMValueRef address = field_of(wrapping, frame, field);
  LLVMBuildStore(wrapping->builder, value, address);
}

static LLVMValueRef lane_of(const Wrapping *wrapping, LLVMValueRef tangent, LLVMTypeRef type,
                            unsigned lane) {
  return nb_tangent_lane(wrapping->builder, tangent, type, wrapping->lanes, lane);
}

static LLVMValueRef new_function(const Wrapping *wrapping, const char *part, LLVMTypeRef type) {
  NbContext *context = wrapping->context;
  const char *name =
      nb_arena_print(context->arena, "nabla.%s.%s", part, nb_name(wrapping->observed.function));
  LLVMValueRef function = LLVMAddFunction(context->module, name, type);
  LLVMSetLinkage(function, LLVMInternalLinkage);
  nb_attributes_copy_target(function, wrapping->observed.function);
  LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(context->llvm, function, "entry");
  LLVMPositionBuilderAtEnd(wrapping->builder, entry);
  return function;
}

/* --- The observed derivative ------------------------------------------------------------------ */

/* Why the function has no observed derivative goes into `*reason`; its refusals are no errors. */
static NbDerivative *make_observed(Wrapping *wrapping, const char **reason) {
  NbContext *context = wrapping->context;
  NbRefusal *refusals = context->refusals, **last = context->last_refusal;
  context->refusals = NULL;
  context->last_refusal = NULL;
  NbDerivative *derivative = nb_derivative_of(context, &wrapping->observed);
  if (!derivative)
    *reason = context->refusals ? context->refusals->message : "forward mode refuses it";
  context->refusals = refusals;
  context->last_refusal = last;
  return derivative;
}

/* What a forward derivative returned, of which direction `lane` is meant. */
static void store_outcome(const Wrapping *wrapping, LLVMValueRef frame, LLVMValueRef outcome,
                          unsigned lane) {
  if (!has_result(wrapping))
    return;
  bool active = wrapping->observed.result == NB_ROLE_DUP;
  LLVMValueRef primal = outcome;
  if (active) {
    primal = LLVMBuildExtractValue(wrapping->builder, outcome, 0, "");
    LLVMValueRef tangent = LLVMBuildExtractValue(wrapping->builder, outcome, 1, "");
    LLVMTypeRef type = result_type(wrapping);
    bool single = LLVMTypeOf(tangent) == type;
    store_field(wrapping, frame, wrapping->frame.tangent,
                single ? tangent : lane_of(wrapping, tangent, type, lane));
  }
  store_field(wrapping, frame, wrapping->frame.result, primal);
}

/* A function of the frame that calls the observed derivative. */
static LLVMValueRef make_runner(const Wrapping *wrapping, LLVMValueRef forward) {
  LLVMTypeRef pointer = pointer_type(wrapping);
  LLVMTypeRef none = LLVMVoidTypeInContext(wrapping->context->llvm);
  LLVMValueRef runner =
      new_function(wrapping, "observe", LLVMFunctionType(none, &pointer, 1, false));
  LLVMValueRef frame = LLVMGetParam(runner, 0);
  LLVMTypeRef type = LLVMGlobalGetValueType(forward);
  unsigned count = LLVMCountParamTypes(type);
  LLVMValueRef *arguments = NB_NEW_ARRAY(wrapping->context->arena, LLVMValueRef, count + 1);
  for (unsigned i = 0; i < count; i++)
    arguments[i] = load_field(wrapping, frame, i);
  LLVMValueRef outcome = LLVMBuildCall2(wrapping->builder, type, forward, arguments, count, "");
  store_outcome(wrapping, frame, outcome, 0);
  LLVMBuildRetVoid(wrapping->builder);
  return runner;
}

/* What tells about direction `lane`, with its shadows of globals. NULL with a reason. */
static LLVMValueRef make_lane(Wrapping *wrapping, unsigned lane, const char **reason) {
  wrapping->observed.lane = lane;
  NbDerivative *observed = make_observed(wrapping, reason);
  LLVMValueRef logged = NULL;
  if (observed) {
    NbPrecision precision = nb_check_precision_of(wrapping->context, observed->forward);
    wrapping->precision = precision > wrapping->precision ? precision : wrapping->precision;
    logged = nb_check_log(wrapping->context, observed->forward, wrapping->logged, reason);
  }
  return logged && !*reason ? make_runner(wrapping, logged) : NULL;
}

/* The functions of the frame by direction, as a constant; null with a reason. */
static LLVMValueRef make_runners(Wrapping *wrapping, const char **reason) {
  LLVMTypeRef type = pointer_type(wrapping);
  LLVMValueRef *runners = NB_NEW_ARRAY(wrapping->context->arena, LLVMValueRef, wrapping->lanes);
  const NbMap *globals = nb_summary_of(wrapping->context, wrapping->observed.function)->globals;
  for (unsigned lane = 0; lane < wrapping->lanes && !*reason; lane++)
    runners[lane] =
        lane > 0 && !nb_map_count(globals) ? runners[0] : make_lane(wrapping, lane, reason);
  if (*reason)
    return LLVMConstNull(type);
  return nb_check_constant(wrapping->context, LLVMConstArray2(type, runners, wrapping->lanes));
}

static bool takes_pointer(LLVMValueRef function) {
  for (unsigned i = 0; i < LLVMCountParams(function); i++)
    if (nb_type_has_pointer(LLVMTypeOf(LLVMGetParam(function, i))))
      return true;
  return false;
}

/* A function with derivatives of its own, by which these runs go, that may access memory; NULL. */
static LLVMValueRef opaque_function(const Wrapping *wrapping) {
  NbContext *context = wrapping->context;
  NbList reached = nb_reach(context->arena, wrapping->observed.function);
  for (unsigned i = 0; i < reached.count; i++) {
    const NbCustom *custom = nb_custom_of(context, reached.items[i]);
    if (custom && nb_custom_serves(custom, &wrapping->observed) && takes_pointer(reached.items[i]))
      return reached.items[i];
  }
  return NULL;
}

/* What such a function reads and writes is seen in its body, where that has a derivative. */
static LLVMValueRef make_discoverers(Wrapping *wrapping, const char **reason) {
  LLVMTypeRef type = pointer_type(wrapping);
  LLVMValueRef opaque = *reason ? NULL : opaque_function(wrapping);
  if (!opaque)
    return LLVMConstNull(type);
  bool hidden = nb_custom_of(wrapping->context, opaque)->bodyless;
  const char *obstacle = hidden ? "there is no body" : NULL;
  wrapping->observed.plain = true;
  LLVMValueRef runners = hidden ? NULL : make_runners(wrapping, &obstacle);
  wrapping->observed.plain = false;
  if (obstacle)
    *reason = nb_arena_print(wrapping->context->arena,
                             "what '%s' accesses, which has derivatives of its own, is not seen",
                             nb_shown_name(wrapping->context, opaque));
  return obstacle ? LLVMConstNull(type) : runners;
}

/* --- The site --------------------------------------------------------------------------------- */

static LLVMValueRef number(const Wrapping *wrapping, unsigned long long value) {
  return LLVMConstInt(LLVMInt32TypeInContext(wrapping->context->llvm), value, false);
}

static LLVMValueRef offset_of(const Wrapping *wrapping, unsigned field, unsigned long long more) {
  LLVMTargetDataRef layout = wrapping->context->layout;
  return number(wrapping, LLVMOffsetOfElement(layout, wrapping->frame.type, field) + more);
}

static LLVMValueRef name_of(const Wrapping *wrapping, unsigned parameter) {
  NbContext *context = wrapping->context;
  return nb_check_text(context, nb_parameter_name(context, wrapping->observed.function, parameter));
}

/* The runtime's struct __nabla_check_scalar for each float of a field. `seed` is the field of the
 * adjoint; 0: it is none of the result's. */
static void push_scalars(const Wrapping *wrapping, NbList *list, LLVMValueRef name, unsigned field,
                         unsigned shadow, unsigned seed) {
  NbContext *context = wrapping->context;
  const NbLeaves *leaves =
      nb_leaves_of(context, LLVMStructGetTypeAtIndex(wrapping->frame.type, field));
  for (unsigned i = 0; i < leaves->count; i++) {
    const NbLeaf *leaf = &leaves->items[i];
    if (!nb_type_has_float(leaf->type))
      continue;
    LLVMValueRef adjoint = seed ? offset_of(wrapping, seed, leaf->offset) : number(wrapping, 0);
    LLVMValueRef fields[] = {name,
                             offset_of(wrapping, field, leaf->offset),
                             offset_of(wrapping, shadow, leaf->offset),
                             number(wrapping, nb_store_size(context, leaf->type)),
                             number(wrapping, seed != 0),
                             adjoint};
    nb_list_push(list, LLVMConstStructInContext(context->llvm, fields, 6, false));
  }
}

static void list_arguments(const Wrapping *wrapping, NbList *scalars, NbList *pointers) {
  NbContext *context = wrapping->context;
  const Frame *frame = &wrapping->frame;
  for (unsigned i = 0; i < wrapping->observed.count; i++) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(wrapping->observed.function, i));
    if (!frame->shadows[i])
      continue;
    LLVMValueRef name = name_of(wrapping, i);
    push_scalars(wrapping, scalars, name, i, frame->shadows[i], 0);
    if (LLVMGetTypeKind(type) != LLVMPointerTypeKind)
      continue;
    const bool *guarded = wrapping->observed.guarded;
    LLVMValueRef fields[] = {name, offset_of(wrapping, i, 0),
                             offset_of(wrapping, frame->shadows[i], 0),
                             number(wrapping, guarded && guarded[i])};
    nb_list_push(pointers, LLVMConstStructInContext(context->llvm, fields, 4, false));
  }
  if (frame->result && wrapping->observed.result == NB_ROLE_DUP)
    push_scalars(wrapping, scalars, nb_check_text(context, "the result"), frame->result,
                 frame->tangent, frame->seed);
}

static LLVMValueRef array_of(const Wrapping *wrapping, const NbList *list) {
  if (!list->count)
    return LLVMConstNull(pointer_type(wrapping));
  LLVMValueRef *items = (LLVMValueRef *)list->items;
  LLVMValueRef array = LLVMConstArray2(LLVMTypeOf(items[0]), items, list->count);
  return nb_check_constant(wrapping->context, array);
}

static bool shadows_may_overlap(const Wrapping *wrapping) {
  return nb_option_on(wrapping->context->options, "shadows-may-overlap", false);
}

/* The runtime's struct __nabla_check_site. */
static LLVMValueRef make_site(Wrapping *wrapping) {
  NbContext *context = wrapping->context;
  const NbRequest *request = &wrapping->served->request;
  LLVMTypeRef frame = wrapping->frame.type;
  const char *reason = wrapping->served->reason;
  LLVMValueRef none = LLVMConstNull(pointer_type(wrapping));
  bool later = wrapping->served->part >= NB_CHECKED_REVERSED;
  LLVMValueRef runners = reason || later ? none : make_runners(wrapping, &reason);
  LLVMValueRef discoverers = later ? none : make_discoverers(wrapping, &reason);
  unsigned arguments = wrapping->observed.count;
  bool more = LLVMCountStructElementTypes(frame) > arguments;
  uint64_t bytes = LLVMABISizeOfType(context->layout, frame);
  uint64_t given = more ? LLVMOffsetOfElement(context->layout, frame, arguments) : bytes;
  NbList scalars = nb_list(context->arena), pointers = nb_list(context->arena);
  list_arguments(wrapping, &scalars, &pointers);
  LLVMValueRef fields[] = {nb_check_text(context, nb_shown_name(context, request->function)),
                           nb_check_place(context, wrapping->served->call),
                           reason ? nb_check_text(context, reason) : none,
                           runners,
                           discoverers,
                           array_of(wrapping, &scalars),
                           array_of(wrapping, &pointers),
                           none,
                           number(wrapping, scalars.count),
                           number(wrapping, pointers.count),
                           number(wrapping, wrapping->lanes),
                           number(wrapping, bytes),
                           number(wrapping, given),
                           number(wrapping, wrapping->served->part),
                           number(wrapping, request->mode == NB_MODE_REVERSE),
                           number(wrapping, wrapping->precision),
                           number(wrapping, shadows_may_overlap(wrapping))};
  unsigned count = sizeof fields / sizeof *fields;
  LLVMValueRef value = LLVMConstStructInContext(context->llvm, fields, count, false);
  LLVMValueRef site = nb_check_constant(context, value);
  LLVMSetGlobalConstant(site, false);
  LLVMSetUnnamedAddress(site, LLVMNoUnnamedAddr);
  return site;
}

/* --- The wrapper ------------------------------------------------------------------------------ */

static bool is_first_half(const Wrapping *wrapping) {
  NbCheckedPart part = wrapping->served->part;
  return part == NB_CHECKED_AUGMENTED || part == NB_CHECKED_RECORDED;
}

static bool has_pointer(const Wrapping *wrapping, unsigned parameter) {
  LLVMValueRef function = wrapping->served->request.function;
  return nb_type_has_pointer(LLVMTypeOf(LLVMGetParam(function, parameter)));
}

static LLVMValueRef frame_at(const Wrapping *wrapping, LLVMValueRef frames, unsigned lane) {
  LLVMTypeRef type = LLVMInt32TypeInContext(wrapping->context->llvm);
  LLVMValueRef index = LLVMConstInt(type, lane, false);
  return LLVMBuildGEP2(wrapping->builder, wrapping->frame.type, frames, &index, 1, "");
}

/* The first shadow of argument `index` among the wrapper's parameters. Those that no derivative
 * takes stand behind the others. */
static unsigned first_shadow(const Wrapping *wrapping, unsigned index) {
  const NbRequest *request = &wrapping->served->request;
  if (wrapping->served->part != NB_CHECKED_RECORDED)
    return nb_request_first_shadow(request, index);
  unsigned at = LLVMCountParamTypes(LLVMGlobalGetValueType(wrapping->derivative));
  for (unsigned i = 0; i < index; i++)
    at += has_pointer(wrapping, i) ? nb_request_shadows(request, i) : 0;
  return at;
}

/* The shadow of argument `index` in that direction; tangents that come later are zero. */
static LLVMValueRef shadow_given(const Wrapping *wrapping, LLVMValueRef wrapper, unsigned index,
                                 unsigned lane) {
  LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(wrapper, index));
  unsigned first = first_shadow(wrapping, index);
  if (has_pointer(wrapping, index))
    return LLVMGetParam(wrapper, first + lane);
  if (wrapping->served->part == NB_CHECKED_RECORDED)
    return LLVMConstNull(type);
  return lane_of(wrapping, LLVMGetParam(wrapper, first), type, lane);
}

/* The adjoint of the result stands behind the shadows; an augmented forward does not have it. */
static void store_seed(const Wrapping *wrapping, LLVMValueRef wrapper, LLVMValueRef frame,
                       unsigned lane) {
  const NbRequest *request = &wrapping->served->request;
  bool has =
      nb_result_has_adjoint(request->result) && wrapping->served->part != NB_CHECKED_AUGMENTED;
  if (!has || request->mode != NB_MODE_REVERSE)
    return;
  LLVMValueRef seed = LLVMGetParam(wrapper, nb_request_first_shadow(request, request->count));
  store_field(wrapping, frame, wrapping->frame.seed,
              lane_of(wrapping, seed, result_type(wrapping), lane));
}

/* Puts the wrapper's arguments into the frame of a direction; what is not given is zero. */
static void store_arguments(const Wrapping *wrapping, LLVMValueRef wrapper, LLVMValueRef frame,
                            unsigned lane) {
  const NbRequest *request = &wrapping->served->request;
  for (unsigned i = 0; i < request->count; i++) {
    store_field(wrapping, frame, i, LLVMGetParam(wrapper, i));
    if (nb_role_has_shadow(request->roles[i]))
      store_field(wrapping, frame, wrapping->frame.shadows[i],
                  shadow_given(wrapping, wrapper, i, lane));
  }
  store_seed(wrapping, wrapper, frame, lane);
}

static LLVMValueRef make_frames(const Wrapping *wrapping, LLVMValueRef wrapper) {
  NbContext *context = wrapping->context;
  LLVMTypeRef type = LLVMArrayType2(wrapping->frame.type, wrapping->lanes);
  LLVMTypeRef count = LLVMInt64TypeInContext(context->llvm);
  LLVMValueRef bytes = LLVMConstInt(count, LLVMABISizeOfType(context->layout, type), false);
  LLVMValueRef zero = LLVMConstNull(LLVMInt8TypeInContext(context->llvm));
  LLVMValueRef frames = LLVMBuildAlloca(wrapping->builder, type, "frames");
  LLVMBuildMemSet(wrapping->builder, frames, zero, bytes, LLVMGetAlignment(frames));
  for (unsigned lane = 0; lane < wrapping->lanes && !wrapping->served->reason; lane++)
    store_arguments(wrapping, wrapper, frame_at(wrapping, frames, lane), lane);
  return frames;
}

/* The adjoints that the reverse derivative returned. */
static void store_adjoints(const Wrapping *wrapping, LLVMValueRef frame, LLVMValueRef outcome,
                           unsigned lane) {
  const NbRequest *request = &wrapping->served->request;
  unsigned next = wrapping->served->primal;
  for (unsigned i = 0; i < request->count; i++) {
    if (request->roles[i] != NB_ROLE_OUT)
      continue;
    LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(request->function, i));
    LLVMValueRef adjoint = LLVMBuildExtractValue(wrapping->builder, outcome, next++, "");
    store_field(wrapping, frame, wrapping->frame.shadows[i],
                lane_of(wrapping, adjoint, type, lane));
  }
}

static void store_results(const Wrapping *wrapping, LLVMValueRef frames, LLVMValueRef outcome) {
  bool none = wrapping->served->reason || is_first_half(wrapping);
  for (unsigned lane = 0; lane < wrapping->lanes && !none; lane++) {
    LLVMValueRef frame = frame_at(wrapping, frames, lane);
    if (wrapping->served->request.mode == NB_MODE_FORWARD)
      store_outcome(wrapping, frame, outcome, lane);
    else
      store_adjoints(wrapping, frame, outcome, lane);
  }
}

static LLVMValueRef call_derivative(const Wrapping *wrapping, LLVMValueRef wrapper) {
  LLVMTypeRef type = LLVMGlobalGetValueType(wrapping->derivative);
  unsigned count = LLVMCountParamTypes(type);
  unsigned room = LLVMCountParams(wrapper) + 1;
  LLVMValueRef *arguments = NB_NEW_ARRAY(wrapping->context->arena, LLVMValueRef, room);
  LLVMGetParams(wrapper, arguments);
  LLVMValueRef call =
      LLVMBuildCall2(wrapping->builder, type, wrapping->derivative, arguments, count, "");
  LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(wrapping->derivative));
  return call;
}

/* Of a half: the tape stands behind the shadows that the derivative takes, and the adjoint. */
static LLVMValueRef tape_of(const Wrapping *wrapping, LLVMValueRef wrapper) {
  const NbRequest *request = &wrapping->served->request;
  NbCheckedPart part = wrapping->served->part;
  bool reversed = part == NB_CHECKED_REVERSED || part == NB_CHECKED_REVERSED_AGAIN;
  unsigned at = part == NB_CHECKED_RECORDED ? request->count : nb_emit_tape_index(request);
  return LLVMGetParam(wrapper, at + (reversed && nb_result_has_adjoint(request->result)));
}

/* Calls the runtime with two arguments; in a half, with those by which the tape is known. */
static LLVMValueRef call_runtime(const Wrapping *wrapping, const char *name, LLVMTypeRef type,
                                 LLVMValueRef first, LLVMValueRef second, LLVMValueRef tape) {
  LLVMTypeRef word = LLVMInt64TypeInContext(wrapping->context->llvm);
  LLVMValueRef bytes = LLVMConstInt(word, wrapping->served->tape_bytes, false);
  LLVMValueRef arguments[] = {first, second, tape, bytes};
  unsigned count = tape ? 4 : 2;
  return nb_runtime_call(wrapping->context, wrapping->builder, name, type, arguments, count);
}

static LLVMValueRef begin(const Wrapping *wrapping, LLVMValueRef wrapper, LLVMValueRef site,
                          LLVMValueRef frames) {
  bool later = wrapping->served->part >= NB_CHECKED_REVERSED;
  return call_runtime(wrapping, later ? "__nabla_check_resume" : "__nabla_check_begin",
                      pointer_type(wrapping), site, frames,
                      later ? tape_of(wrapping, wrapper) : NULL);
}

static void end(const Wrapping *wrapping, LLVMValueRef wrapper, LLVMValueRef session,
                LLVMValueRef frames) {
  bool waits = is_first_half(wrapping);
  call_runtime(wrapping, waits ? "__nabla_check_wait" : "__nabla_check_end",
               LLVMVoidTypeInContext(wrapping->context->llvm), session, frames,
               waits ? tape_of(wrapping, wrapper) : NULL);
}

/* That of the derivative, with the shadows that it does not take. */
static LLVMTypeRef wrapper_type(const Wrapping *wrapping) {
  LLVMTypeRef type = LLVMGlobalGetValueType(wrapping->derivative);
  const NbList *shadows = &wrapping->served->shadows;
  unsigned count = LLVMCountParamTypes(type);
  LLVMTypeRef *types =
      NB_NEW_ARRAY(wrapping->context->arena, LLVMTypeRef, count + shadows->count + 1);
  LLVMGetParamTypes(type, types);
  for (unsigned i = 0; i < shadows->count; i++)
    types[count++] = LLVMTypeOf(shadows->items[i]);
  return LLVMFunctionType(LLVMGetReturnType(type), types, count, false);
}

static LLVMValueRef make_wrapper(const Wrapping *wrapping, LLVMValueRef site) {
  LLVMTypeRef type = wrapper_type(wrapping);
  LLVMValueRef wrapper = new_function(wrapping, "checked", type);
  LLVMSetFunctionCallConv(wrapper, LLVMGetFunctionCallConv(wrapping->derivative));
  LLVMValueRef frames = make_frames(wrapping, wrapper);
  LLVMValueRef session = begin(wrapping, wrapper, site, frames);
  LLVMValueRef outcome = call_derivative(wrapping, wrapper);
  store_results(wrapping, frames, outcome);
  end(wrapping, wrapper, session, frames);
  if (LLVMGetTypeKind(LLVMGetReturnType(type)) == LLVMVoidTypeKind)
    LLVMBuildRetVoid(wrapping->builder);
  else
    LLVMBuildRet(wrapping->builder, outcome);
  return wrapper;
}

static LLVMValueRef wrap(Wrapping *wrapping) {
  set_observed(wrapping);
  set_frame(wrapping);
  return make_wrapper(wrapping, make_site(wrapping));
}

/* A call, or an invoke, in place of that one, with the shadows behind the arguments. */
static LLVMValueRef call_with_shadows(NbContext *context, LLVMBuilderRef builder,
                                      const NbServed *served, LLVMValueRef wrapper) {
  LLVMValueRef call = served->call;
  NbList list = nb_list(context->arena);
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
    nb_list_push(&list, LLVMGetOperand(call, i));
  for (unsigned i = 0; i < served->shadows.count; i++)
    nb_list_push(&list, served->shadows.items[i]);
  LLVMPositionBuilderBefore(builder, call);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(call));
  return nb_copy_call(builder, call, wrapper, (LLVMValueRef *)list.items);
}

/* The call calls the wrapper. */
static void redirect(NbContext *context, LLVMBuilderRef builder, const NbServed *served,
                     LLVMValueRef wrapper) {
  LLVMValueRef call = served->call;
  if (!served->shadows.count) {
    LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, wrapper);
    return;
  }
  LLVMValueRef other = call_with_shadows(context, builder, served, wrapper);
  LLVMSetInstructionCallConv(other, LLVMGetInstructionCallConv(call));
  LLVMReplaceAllUsesWith(call, other);
  LLVMInstructionEraseFromParent(call);
}

/* A half that waits would else be found by the half of another call. */
static bool is_asked(const NbList *served, const NbServed *half) {
  for (unsigned i = 0; i < served->count; i++) {
    const NbServed *other = served->items[i];
    bool together =
        other == half || (half->part != NB_CHECKED_WHOLE && other->part != NB_CHECKED_WHOLE &&
                          other->request.function == half->request.function);
    if (other->asked && together)
      return true;
  }
  return false;
}

void nb_check_wrap(NbContext *context, const NbList *all) {
  NbList asked = nb_list(context->arena), *served = &asked;
  for (unsigned i = 0; i < all->count; i++)
    if (is_asked(all, all->items[i]))
      nb_list_push(&asked, all->items[i]);
  NbLogged logged = {nb_map_new(context->arena), nb_map_new(context->arena)};
  NbList wrappers = nb_list(context->arena);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  for (unsigned i = 0; i < served->count; i++) {
    const NbServed *one = served->items[i];
    Wrapping wrapping = {.context = context,
                         .builder = builder,
                         .served = one,
                         .derivative = nb_callee(one->call),
                         .lanes = one->request.width,
                         .logged = &logged};
    nb_list_push(&wrappers, wrap(&wrapping));
  }
  for (unsigned i = 0; i < served->count; i++)
    redirect(context, builder, served->items[i], wrappers.items[i]);
  LLVMDisposeBuilder(builder);
}
