// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The functions that a program which verifies itself calls in place of its derivatives. Each puts
 * its arguments into a frame, lets the runtime check what it can, calls the derivative as the user
 * asked for it, and shows the runtime what came out.
 *
 * The frame has the primal's arguments, the shadows of those that have one, the result, its
 * tangent, and its adjoint, in this order. The observed forward derivative reads and writes it. */
#include "base/records.h"
#include "bridge/body.h"
#include "check/check.h"
#include "derive/derive.h"
#include "emit/runtime.h"
#include "request/collected.h"
#include "request/layout.h"

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
  NbRequest observed;
  Frame frame;
  NbLogged *logged;
} Wrapping;

bool nb_check_wanted(const NbContext *context) {
  return nb_option_text(context->options, "check") != NULL;
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
static NbRole forward_role(NbRole role) { return role == NB_ROLE_OUT ? NB_ROLE_DUP : role; }

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

static void store_outcome(const Wrapping *wrapping, LLVMValueRef frame, LLVMValueRef outcome) {
  if (!has_result(wrapping))
    return;
  bool active = wrapping->observed.result == NB_ROLE_DUP;
  LLVMValueRef primal = outcome;
  if (active) {
    primal = LLVMBuildExtractValue(wrapping->builder, outcome, 0, "");
    LLVMValueRef tangent = LLVMBuildExtractValue(wrapping->builder, outcome, 1, "");
    store_field(wrapping, frame, wrapping->frame.tangent, tangent);
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
  store_outcome(wrapping, frame, outcome);
  LLVMBuildRetVoid(wrapping->builder);
  return runner;
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

static bool is_single(LLVMTypeRef type) {
  return LLVMGetTypeKind(nb_scalar_type(type)) == LLVMFloatTypeKind;
}

static bool computes_in_single(LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block)) {
    for (LLVMValueRef inst = LLVMGetFirstInstruction(block); inst;
         inst = LLVMGetNextInstruction(inst)) {
      if (is_single(LLVMTypeOf(inst)))
        return true;
    }
  }
  return false;
}

/* Is there arithmetic in single precision in the function or what it calls? */
static bool uses_single(const Wrapping *wrapping) {
  NbList reached = nb_reach(wrapping->context->arena, wrapping->observed.function);
  for (unsigned i = 0; i < reached.count; i++) {
    if (computes_in_single(reached.items[i]))
      return true;
  }
  return false;
}

static bool shadows_may_overlap(const Wrapping *wrapping) {
  return nb_option_text(wrapping->context->options, "shadows-may-overlap") != NULL;
}

/* The runtime's struct __nabla_check_site. */
static LLVMValueRef make_site(const Wrapping *wrapping, LLVMValueRef runner, const char *reason) {
  NbContext *context = wrapping->context;
  const NbRequest *request = &wrapping->served->request;
  LLVMValueRef none = LLVMConstNull(pointer_type(wrapping));
  NbList scalars = nb_list(context->arena), pointers = nb_list(context->arena);
  list_arguments(wrapping, &scalars, &pointers);
  LLVMValueRef fields[] = {nb_check_text(context, nb_shown_name(context, request->function)),
                           nb_check_place(context, wrapping->served->call),
                           reason ? nb_check_text(context, reason) : none,
                           runner ? runner : none,
                           array_of(wrapping, &scalars),
                           array_of(wrapping, &pointers),
                           none,
                           number(wrapping, scalars.count),
                           number(wrapping, pointers.count),
                           number(wrapping, request->mode == NB_MODE_REVERSE),
                           number(wrapping, uses_single(wrapping)),
                           number(wrapping, shadows_may_overlap(wrapping))};
  unsigned count = sizeof fields / sizeof *fields;
  LLVMValueRef value = LLVMConstStructInContext(context->llvm, fields, count, false);
  LLVMValueRef site = nb_check_constant(context, value);
  LLVMSetGlobalConstant(site, false);
  LLVMSetUnnamedAddress(site, LLVMNoUnnamedAddr);
  return site;
}

/* --- The wrapper ------------------------------------------------------------------------------ */

/* Puts the wrapper's arguments into the frame, as the derivative takes them. */
static void store_arguments(const Wrapping *wrapping, LLVMValueRef wrapper, LLVMValueRef frame) {
  const NbRequest *request = &wrapping->served->request;
  unsigned next = request->count;
  for (unsigned i = 0; i < request->count; i++) {
    unsigned shadow = wrapping->frame.shadows[i];
    store_field(wrapping, frame, i, LLVMGetParam(wrapper, i));
    if (nb_role_has_shadow(request->roles[i]))
      store_field(wrapping, frame, shadow, LLVMGetParam(wrapper, next++));
    else if (shadow)
      store_field(wrapping, frame, shadow, LLVMConstNull(LLVMTypeOf(LLVMGetParam(wrapper, i))));
  }
  if (request->result == NB_ROLE_OUT)
    store_field(wrapping, frame, wrapping->frame.seed, LLVMGetParam(wrapper, next));
  else if (wrapping->frame.seed)
    store_field(wrapping, frame, wrapping->frame.seed, LLVMConstNull(result_type(wrapping)));
}

/* The adjoints that the reverse derivative returned. */
static void store_adjoints(const Wrapping *wrapping, LLVMValueRef frame, LLVMValueRef outcome) {
  const NbRequest *request = &wrapping->served->request;
  unsigned next = wrapping->served->primal;
  for (unsigned i = 0; i < request->count; i++) {
    if (request->roles[i] != NB_ROLE_OUT)
      continue;
    LLVMValueRef adjoint = LLVMBuildExtractValue(wrapping->builder, outcome, next++, "");
    store_field(wrapping, frame, wrapping->frame.shadows[i], adjoint);
  }
}

static void store_results(const Wrapping *wrapping, LLVMValueRef frame, LLVMValueRef outcome) {
  if (wrapping->served->request.mode == NB_MODE_FORWARD)
    store_outcome(wrapping, frame, outcome);
  else
    store_adjoints(wrapping, frame, outcome);
}

static LLVMValueRef call_derivative(const Wrapping *wrapping, LLVMValueRef wrapper) {
  LLVMTypeRef type = LLVMGlobalGetValueType(wrapping->derivative);
  unsigned count = LLVMCountParams(wrapper);
  LLVMValueRef *arguments = NB_NEW_ARRAY(wrapping->context->arena, LLVMValueRef, count + 1);
  LLVMGetParams(wrapper, arguments);
  LLVMValueRef call =
      LLVMBuildCall2(wrapping->builder, type, wrapping->derivative, arguments, count, "");
  LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(wrapping->derivative));
  return call;
}

static LLVMValueRef begin(const Wrapping *wrapping, LLVMValueRef site, LLVMValueRef frame) {
  LLVMValueRef arguments[] = {site, frame};
  return nb_runtime_call(wrapping->context, wrapping->builder, "__nabla_check_begin",
                         pointer_type(wrapping), arguments, 2);
}

static void end(const Wrapping *wrapping, LLVMValueRef session, LLVMValueRef frame) {
  LLVMValueRef arguments[] = {session, frame};
  nb_runtime_call(wrapping->context, wrapping->builder, "__nabla_check_end",
                  LLVMVoidTypeInContext(wrapping->context->llvm), arguments, 2);
}

static LLVMValueRef make_wrapper(const Wrapping *wrapping, LLVMValueRef site) {
  LLVMTypeRef type = LLVMGlobalGetValueType(wrapping->derivative);
  LLVMValueRef wrapper = new_function(wrapping, "checked", type);
  LLVMSetFunctionCallConv(wrapper, LLVMGetFunctionCallConv(wrapping->derivative));
  LLVMValueRef frame = LLVMBuildAlloca(wrapping->builder, wrapping->frame.type, "frame");
  if (!wrapping->served->reason)
    store_arguments(wrapping, wrapper, frame);
  LLVMValueRef session = begin(wrapping, site, frame);
  LLVMValueRef outcome = call_derivative(wrapping, wrapper);
  if (!wrapping->served->reason)
    store_results(wrapping, frame, outcome);
  end(wrapping, session, frame);
  if (LLVMGetTypeKind(LLVMGetReturnType(type)) == LLVMVoidTypeKind)
    LLVMBuildRetVoid(wrapping->builder);
  else
    LLVMBuildRet(wrapping->builder, outcome);
  return wrapper;
}

static LLVMValueRef wrap(Wrapping *wrapping) {
  const char *reason = wrapping->served->reason;
  LLVMValueRef runner = NULL;
  set_observed(wrapping);
  set_frame(wrapping);
  NbDerivative *observed = reason ? NULL : make_observed(wrapping, &reason);
  if (observed)
    reason = nb_check_log(wrapping->context, observed->forward, wrapping->logged);
  if (observed && !reason)
    runner = make_runner(wrapping, observed->forward);
  LLVMValueRef site = make_site(wrapping, runner, reason);
  return make_wrapper(wrapping, site);
}

void nb_check_wrap(NbContext *context, const NbList *served) {
  NbLogged logged = {nb_map_new(context->arena), nb_map_new(context->arena)};
  NbList wrappers = nb_list(context->arena);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  for (unsigned i = 0; i < served->count; i++) {
    const NbServed *one = served->items[i];
    Wrapping wrapping = {.context = context,
                         .builder = builder,
                         .served = one,
                         .derivative = nb_callee(one->call),
                         .logged = &logged};
    nb_list_push(&wrappers, wrap(&wrapping));
  }
  for (unsigned i = 0; i < served->count; i++) {
    const NbServed *one = served->items[i];
    LLVMSetOperand(one->call, (unsigned)LLVMGetNumOperands(one->call) - 1, wrappers.items[i]);
  }
  LLVMDisposeBuilder(builder);
}
