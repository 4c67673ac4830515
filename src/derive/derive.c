// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* One derivative after another: every stage in its order, and the memo through which recursion
 * goes. A derivative is declared before it is made, so that cycles of the call graph find it. */
#include "derive/derive.h"

#include "base/stage.h"
#include "base/texts.h"
#include "bridge/body.h"
#include "checkpoint/checkpoint.h"
#include "emit/custom.h"
#include "emit/emit.h"
#include "emit/masks.h"
#include "emit/replay.h"
#include "emit/runtime.h"
#include "emit/sites.h"
#include "explain/explain.h"
#include "linear/globals.h"
#include "models/models.h"
#include "objects/graph.h"
#include "plan/apart.h"
#include "plan/at_once.h"
#include "plan/once.h"
#include "plan/snapshot.h"
#include "simplify/simplify.h"
#include "tidy/tidy.h"

#include <llvm-c/Analysis.h>
#include <stdio.h>
#include <string.h>

/* --- The memo ------------------------------------------------------------------------------- */

static const char *key_of(NbContext *context, const NbRequest *request) {
  char *roles = nb_arena_alloc(context->arena, 5 * (size_t)request->count + 1);
  for (unsigned i = 0; i < request->count; i++) {
    roles[5 * i] = (char)('0' + request->roles[i]);
    bool kept = request->overwritten && !request->overwritten[i];
    roles[5 * i + 1] = kept ? 'k' : 'o';
    roles[5 * i + 2] = request->guarded && request->guarded[i] ? 'g' : 's';
    roles[5 * i + 3] = request->lasting && request->lasting[i] ? 'l' : 'd';
    roles[5 * i + 4] = request->inputs && request->inputs[i] ? 'i' : 'n';
  }
  const char *globals = request->globals ? "" : "root";
  for (unsigned i = 0; request->globals && i < request->globals->count; i++)
    globals = nb_arena_print(context->arena, "%s %p", globals, request->globals->items[i]);
  return nb_arena_print(context->arena, "%p %d %s %d %d %d %d %d %d %d %d %d %d %d %d %u %u %u %s",
                        (void *)request->function, request->mode, roles, request->result,
                        request->top, request->whole, request->unread, request->apart,
                        request->observed, request->plain, request->replayed, request->errors,
                        request->masks, request->interleaved, request->strong_zero, request->width,
                        request->lane, request->depth, globals);
}

static const char *key_with_regions(NbContext *context, const NbRequest *request) {
  const char *key = key_of(context, request);
  if (request->passed)
    key = nb_arena_print(context->arena, "%s passed%s", key, nb_passed_text(request->passed));
  if (request->regions)
    key = nb_arena_print(context->arena, "%s regions", key);
  for (unsigned i = 0; i < request->region_count; i++)
    key = nb_arena_print(context->arena, "%s %u:%u", key, request->regions[i].class,
                         request->regions[i].flags);
  return key;
}

static NbDerivative *find_known(const NbContext *context, const char *key) {
  const char *own = nb_texts_find(context->keys, key, strlen(key));
  return own ? nb_map_get(context->by_key, own) : NULL;
}

void nb_derivatives_forget(NbContext *context, const NbDerivative *first) {
  for (; first; first = first->next)
    if (first->failed)
      nb_map_set(context->by_key, first->key, NULL);
}

void nb_derive_remember(NbContext *context, NbDerivative *derivative) {
  derivative->key = nb_texts_add(context->keys, derivative->key, strlen(derivative->key));
  nb_map_set(context->by_key, derivative->key, derivative);
  NbDerivative **last = context->last ? context->last : &context->all;
  *last = derivative;
  context->last = &derivative->next;
}

/* --- Cycles of the call graph ---------------------------------------------------------------- */

static bool reaches(const NbContext *context, LLVMValueRef from, LLVMValueRef target, NbMap *seen);

static bool calls_into(const NbContext *context, LLVMValueRef call, LLVMValueRef target,
                       NbMap *seen) {
  LLVMValueRef callee = nb_is_call(call) ? nb_callee(call) : NULL;
  if (!callee || LLVMCountBasicBlocks(callee) == 0 || nb_rule_of_call(context, call, NULL) ||
      nb_custom_of(context, callee))
    return false;
  return callee == target || reaches(context, callee, target, seen);
}

static bool reaches(const NbContext *context, LLVMValueRef from, LLVMValueRef target, NbMap *seen) {
  if (nb_map_has(seen, from))
    return false;
  nb_map_set(seen, from, target);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(from); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef inst = LLVMGetFirstInstruction(block); inst;
         inst = LLVMGetNextInstruction(inst))
      if (calls_into(context, inst, target, seen))
        return true;
  return false;
}

/* --- Declarations ---------------------------------------------------------------------------- */

LLVMValueRef nb_derive_declare(NbContext *context, const NbRequest *request, const char *part,
                               LLVMTypeRef type) {
  const char *name =
      nb_arena_print(context->arena, "nabla.%s.%s", part, nb_name(request->function));
  LLVMValueRef function = LLVMAddFunction(context->module, name, type);
  LLVMSetLinkage(function, LLVMInternalLinkage);
  nb_attributes_copy_target(function, request->function);
  return function;
}

static void declare_functions(NbContext *context, NbDerivative *derivative) {
  const NbRequest *request = &derivative->request;
  if (request->mode == NB_MODE_FORWARD) {
    derivative->forward =
        nb_derive_declare(context, request, "forward", nb_type_forward(context, request));
    if (request->replayed)
      derivative->recorded =
          nb_derive_declare(context, request, "recorded", nb_type_recorded(context, request));
    return;
  }
  derivative->augmented =
      nb_derive_declare(context, request, "augmented", nb_type_augmented(context, request));
  derivative->reverse =
      nb_derive_declare(context, request, "reverse", nb_type_reverse(context, request));
  if (context->reads_again)
    derivative->reverse_again =
        nb_derive_declare(context, request, "reverse_again", nb_type_reverse(context, request));
}

static const bool *copy_flags(NbContext *context, const bool *flags, unsigned count) {
  if (!flags)
    return NULL;
  bool *copy = NB_NEW_ARRAY(context->arena, bool, count + 1);
  memcpy(copy, flags, count * sizeof *copy);
  return copy;
}

static NbDerivative *new_derivative(NbContext *context, const NbRequest *request, const char *key) {
  NbDerivative *derivative = NB_NEW(context->arena, NbDerivative);
  NbRole *roles = NB_NEW_ARRAY(context->arena, NbRole, request->count + 1);
  derivative->request = *request;
  memcpy(roles, request->roles, request->count * sizeof *roles);
  derivative->request.roles = roles;
  derivative->request.overwritten = copy_flags(context, request->overwritten, request->count);
  derivative->request.lasting = copy_flags(context, request->lasting, request->count);
  derivative->request.guarded = copy_flags(context, request->guarded, request->count);
  if (request->regions) {
    NbRegion *regions = NB_NEW_ARRAY(context->arena, NbRegion, request->region_count + 1);
    memcpy(regions, request->regions, request->region_count * sizeof *regions);
    derivative->request.regions = regions;
  }
  derivative->key = key;
  nb_derive_remember(context, derivative);
  declare_functions(context, derivative);
  return derivative;
}

/* --- The stages ------------------------------------------------------------------------------ */

static void print_stage(const NbContext *context, const char *stage, LLVMValueRef function) {
  if (nb_printing(context, stage))
    LLVMDumpValue(function);
}

static void add_once(NbList *list, void *item) {
  for (unsigned i = 0; i < list->count; i++)
    if (list->items[i] == item)
      return;
  nb_list_push(list, item);
}

/* Are the bits of a float cast to an integer? */
static bool has_bits(LLVMValueRef function) {
  LLVMValueRef at = nb_instruction_first(function);
  while (at && !(LLVMIsABitCastInst(at) && !nb_type_has_float(LLVMTypeOf(at))))
    at = nb_instruction_next(at);
  return at != NULL;
}

/* What nobody asks for, or is known, is not to be checked. */
static void simplify_bits(NbContext *context, LLVMValueRef function) {
  if (!has_bits(function))
    return;
  nb_analyses_forget(context->analyses, function);
  LLVMDisposeMessage(
      nb_passes_run(context->analyses, context->module, function, "instsimplify,bdce,lcssa"));
}

/* What is computed of integers that are checked is none of what carries floats, and may be joined
 * with that. */
static void check_integers(NbContext *context, NbWork *work) {
  NbList hidden = nb_list(context->arena);
  simplify_bits(context, work->function);
  if (!nb_activity_check_integers(context, work->request, work->function))
    return;
  nb_analyses_forget(context->analyses, work->function);
  if (nb_types_rewrite_carriers(context, work->function, &hidden))
    nb_analyses_forget(context->analyses, work->function);
}

/* What carries floats as integers becomes floats, in this function and in callees that only make
 * sense together with it. False where these are refused. */
static bool clear_carriers(NbContext *context, NbWork *work) {
  bool again = true;
  while (again) {
    NbList hidden = nb_list(context->arena);
    if (nb_types_rewrite_carriers(context, work->function, &hidden))
      nb_analyses_forget(context->analyses, work->function);
    NbList calls = nb_activity_bit_calls(context, work->request, work->function);
    for (unsigned i = 0; i < hidden.count; i++)
      add_once(&calls, hidden.items[i]);
    if (!nb_prepare_inline(work, &calls, &again))
      return false;
  }
  nb_fields_settle(work->function);
  if (nb_types_rewrite_moves(context, work->function))
    nb_analyses_forget(context->analyses, work->function);
  if (work->request->mode == NB_MODE_REVERSE && nb_types_copy_unnamed(context, work->function))
    nb_analyses_forget(context->analyses, work->function);
  check_integers(context, work);
  return true;
}

static NbWork *prepare(NbContext *context, const NbRequest *request) {
  nb_stage_begin(context, "prepare", request->function);
  NbWork *work = nb_prepare(context, request);
  if (work && !clear_carriers(context, work))
    work = NULL;
  if (work) {
    nb_equalities_show(work->function);
    nb_prepare_flow(work);
    print_stage(context, "prepare", work->function);
  }
  nb_stage_end();
  return work;
}

static NbObjects *find_objects(NbContext *context, LLVMValueRef function) {
  nb_stage_begin(context, "objects", function);
  NbObjects *objects = nb_objects_of(context, function);
  nb_stage_end();
  if (nb_printing(context, "objects"))
    nb_objects_print(objects);
  return objects;
}

static NbTypes *find_types(NbContext *context, NbObjects *objects, LLVMValueRef function) {
  nb_stage_begin(context, "types", function);
  NbTypes *types = nb_types_of(context, objects, function);
  nb_stage_end();
  if (nb_printing(context, "types"))
    nb_types_print(types);
  return types;
}

static NbActivity *find_activity(NbContext *context, NbWork *work, NbObjects *objects,
                                 NbTypes *types) {
  nb_stage_begin(context, "activity", work->function);
  NbActivity *activity = nb_activity_of(context, work->request, work->function, objects, types);
  nb_stage_end();
  if (activity && nb_printing(context, "activity"))
    nb_activity_print(activity);
  return activity;
}

static NbEffects *find_effects(NbContext *context, NbWork *work, NbObjects *objects,
                               NbActivity *activity) {
  nb_stage_begin(context, "effects", work->function);
  NbEffects *effects = nb_effects_of(work, objects, activity);
  nb_stage_end();
  if (nb_printing(context, "effects"))
    nb_effects_print(effects);
  return effects;
}

static NbLinear *simplify(NbContext *context, NbLinear *linear) {
  nb_stage_begin(context, "simplify", linear->work->function);
  NbLinear *simple = nb_simplify_linear(linear);
  nb_stage_end();
  if (nb_printing(context, "simplify"))
    nb_linear_print(simple, "simplify");
  return simple;
}

/* Which parameters with a shadow lead to no number. */
static void find_numberless(NbContext *context, NbDerivative *derivative, const NbWork *work,
                            NbTypes *types) {
  const NbRequest *request = &derivative->request;
  derivative->numberless = NB_NEW_ARRAY(context->arena, bool, request->count + 1);
  for (unsigned i = 0; i < request->count; i++) {
    LLVMValueRef parameter = LLVMGetParam(work->function, i);
    bool pointer = LLVMGetTypeKind(LLVMTypeOf(parameter)) == LLVMPointerTypeKind;
    derivative->numberless[i] = pointer && nb_role_has_shadow(request->roles[i]) &&
                                nb_types_hides_numbers(types, parameter);
  }
}

static NbLinear *analyse(NbContext *context, NbWork *work, NbDerivative *derivative) {
  LLVMValueRef function = work->function, recorded = derivative->recorded;
  NbObjects *objects = find_objects(context, function);
  NbTypes *types = find_types(context, objects, function);
  find_numberless(context, derivative, work, types);
  NbActivity *activity = find_activity(context, work, objects, types);
  if (!activity)
    return NULL;
  bool reverse = work->request->mode == NB_MODE_REVERSE;
  NbEffects *effects = reverse ? find_effects(context, work, objects, activity) : NULL;
  if (recorded)
    nb_replay_start(work, recorded);
  nb_stage_begin(context, "linearise", function);
  NbLinear *linear = nb_linearise(work, objects, activity, types, effects);
  nb_stage_end();
  if (!linear)
    return NULL;
  if (nb_printing(context, "linear"))
    nb_linear_print(linear, "linear");
  if (work->request->inputs && !nb_sites_assign(linear))
    return NULL;
  bool plain = work->request->errors || work->request->masks;
  return plain ? linear : simplify(context, linear);
}

static NbPlan *plan_once(NbContext *context, const NbDerivative *derivative, NbLinear *linear) {
  nb_analyses_forget(context->analyses, linear->work->function);
  NbPlan *plan = nb_plan(linear, derivative->tape != NULL);
  while (nb_at_once_settle(plan))
    plan = nb_plan(linear, derivative->tape != NULL);
  bool (*const steps[])(const NbPlan *plan) = {nb_once, nb_snapshot};
  for (unsigned i = 0; i < sizeof steps / sizeof steps[0]; i++)
    if (steps[i](plan)) {
      nb_analyses_forget(context->analyses, linear->work->function);
      plan = nb_plan(linear, derivative->tape != NULL);
    }
  return plan;
}

/* Does a function that calls itself keep nothing but the tapes of these calls? Then there is
 * nothing to keep. */
static bool keeps_own_tapes_alone(const NbPlan *plan, const NbDerivative *derivative) {
  for (unsigned i = 0; i < plan->residuals.count; i++) {
    const NbSlot *slot = plan->residuals.items[i];
    if (!slot->call || slot->call->callee != derivative)
      return false;
  }
  return nb_map_count(plan->fields) == 0;
}

static NbPlan *make_plan(NbContext *context, NbDerivative *derivative, NbLinear *linear) {
  nb_stage_begin(context, "plan", linear->work->function);
  nb_at_once_propose(linear);
  NbPlan *plan = plan_once(context, derivative, linear);
  if (derivative->tape && keeps_own_tapes_alone(plan, derivative)) {
    derivative->tape = NULL;
    plan = plan_once(context, derivative, linear);
  }
  nb_stage_end();
  if (nb_printing(context, "plan"))
    nb_plan_print(plan);
  return plan;
}

/* What was tested, or proved, holds for each sweep; but what goes from one to the other through the
 * tape is not seen to come from a parameter. */
static void rely_on_apart(const NbDerivative *derivative) {
  for (unsigned i = 0; i < nb_emit_tape_index(&derivative->request); i++) {
    nb_attributes_set_noalias(derivative->augmented, i);
    if (!derivative->keeps_addresses)
      nb_attributes_set_noalias(derivative->reverse, i);
  }
}

static bool make_reverse(NbContext *context, NbDerivative *derivative, NbLinear *linear) {
  NbPlan *plan = make_plan(context, derivative, linear);
  nb_explain_plan(derivative, plan);
  nb_stage_begin(context, "emit", derivative->request.function);
  NbApartTests tests = nb_apart_tests(plan);
  derivative->apart_test = tests.whole;
  derivative->shadows_test = tests.of_shadows;
  derivative->grows = nb_at_once_grows(plan);
  derivative->wants_apart = nb_apart_is_wanted(plan);
  derivative->keeps_addresses = nb_apart_keeps_addresses(plan);
  nb_explain_remarks(derivative, plan);
  bool ok = nb_emit_reverse(plan, derivative->reverse, false);
  if (derivative->reverse_again)
    ok = nb_emit_reverse(plan, derivative->reverse_again, true) && ok;
  nb_emit_augmented(plan, derivative->augmented);
  nb_stage_end();
  if (!plan->opaque)
    derivative->tape = plan->tape;
  derivative->keeps_stacks = plan->keeps_stacks;
  derivative->keeps_pointers = plan->keeps_pointers;
  if (derivative->request.apart)
    rely_on_apart(derivative);
  return ok;
}

static bool refuse_mode(NbContext *context, const NbRequest *request) {
  const char *wanted = request->mode == NB_MODE_FORWARD ? "forward derivative" : "gradient";
  if (request->replayed)
    wanted = "split derivative";
  if (nb_runtime_has(request->function))
    return nb_refuse(context, NB_ERROR_UNKNOWN_TYPE, request->function,
                     "what a copy moves is found out by the bits of adjoints when the program "
                     "runs: its reverse is not known; differentiate the gradient in forward mode");
  return nb_refuse(context, NB_ERROR_NO_BODY, request->function,
                   "'%s' is only declared here, and no %s is registered for it",
                   nb_shown_name(context, request->function), wanted);
}

static bool make_forward(NbContext *context, NbDerivative *derivative, NbLinear *linear) {
  nb_explain_linear(derivative, linear);
  if (derivative->request.replayed && !nb_replay_check(linear))
    return false;
  nb_stage_begin(context, "emit", derivative->request.function);
  nb_emit_forward(linear, derivative->forward);
  nb_stage_end();
  derivative->directions = nb_sites_directions(linear);
  if (derivative->request.replayed)
    nb_replay_finish(linear->work, derivative);
  return true;
}

static bool make_sweeps(NbContext *context, NbDerivative *derivative, NbLinear *linear) {
  return derivative->request.mode == NB_MODE_FORWARD ? make_forward(context, derivative, linear)
                                                     : make_reverse(context, derivative, linear);
}

/* Is it the derivative of a loop as a whole? What follows each operation of the primal follows all
 * iterations. */
static bool is_loop_function(const NbContext *context, const NbRequest *request) {
  const NbCheckpoint *loop = nb_checkpoint_asked(context, request);
  bool follows = request->replayed || request->errors || request->masks || request->observed;
  return loop && (request->mode == NB_MODE_REVERSE || (loop->fixed && !follows));
}

/* Of a loop that keeps some of its states, each step is reversed by itself. */
static bool make_checkpointed(NbContext *context, NbDerivative *derivative, NbLinear *linear) {
  bool empty = false;
  nb_explain_linear(derivative, linear);
  bool ok = nb_checkpoint_emit(context, derivative, linear, &empty);
  return empty ? make_sweeps(context, derivative, linear) : ok;
}

/* The function of a library whose derivative is being made, and needs that of a model. */
static LLVMValueRef library_above(const NbContext *context, const NbDerivative *derivative) {
  LLVMValueRef library = derivative->request.function;
  for (NbDerivative *above = context->all; above && above != derivative; above = above->next)
    if (!above->complete && !above->failed && nb_models_has(context, above->request.function))
      library = above->request.function;
  return library;
}

static bool make(NbContext *context, NbDerivative *derivative) {
  const NbCustom *custom = nb_custom_of(context, derivative->request.function);
  if (custom && derivative->request.interleaved)
    return false;
  if (nb_custom_serves(custom, &derivative->request))
    return nb_emit_custom(context, derivative, custom);
  if (custom && !custom->of_model && derivative->request.masks)
    return nb_masks_emit_custom(context, derivative);
  if (custom && custom->on_device)
    return nb_refuse(context, NB_ERROR_NO_RULE, library_above(context, derivative),
                     "a function of cuBLAS has gradients and forward derivatives, also in several "
                     "directions, and no others: forward mode that comes later than the primal, "
                     "sparsity patterns and errors cannot be had of memory of a device");
  if (custom && custom->bodyless)
    return refuse_mode(context, &derivative->request);
  NbWork *work = nb_fixed_allows(context, derivative->request.function)
                     ? prepare(context, &derivative->request)
                     : NULL;
  if (!work)
    return false;
  NbLinear *linear = analyse(context, work, derivative);
  if (!linear)
    nb_checkpoint_explain(context, derivative->request.function);
  if (!linear)
    return false;
  return is_loop_function(context, &derivative->request)
             ? make_checkpointed(context, derivative, linear)
             : make_sweeps(context, derivative, linear);
}

enum { PARTS = 5 };

/* Its functions; NULL where it has not all. */
static void list_parts(const NbDerivative *derivative, LLVMValueRef *parts) {
  parts[0] = derivative->forward;
  parts[1] = derivative->recorded;
  parts[2] = derivative->augmented;
  parts[3] = derivative->reverse;
  parts[4] = derivative->reverse_again;
}

/* A refused derivative leaves a module that is still well formed. */
static void fail(NbDerivative *derivative) {
  LLVMValueRef parts[PARTS];
  list_parts(derivative, parts);
  derivative->failed = true;
  for (unsigned i = 0; i < PARTS; i++)
    if (parts[i])
      nb_body_delete(parts[i]);
}

static void print_request(const NbRequest *request) {
  fprintf(stderr, "request @%s %s", nb_name(request->function),
          request->mode == NB_MODE_FORWARD ? "forward" : "reverse");
  for (unsigned i = 0; i < request->count; i++)
    fprintf(stderr, "%s%s", i ? ", " : " (", nb_role_name(request->roles[i]));
  fprintf(stderr, "%s -> %s\n", request->count ? ")" : " ()", nb_role_name(request->result));
}

/* Before any pass sees it, what was emitted gets its names and lines in the source, and is held to
 * LLVM's own rules. It may be differentiated again. */
static bool is_well_formed(NbContext *context, const NbDerivative *derivative) {
  static const char *const suffixes[PARTS] = {"forward", "recorded", "augmented", "reverse",
                                              "reverse_again"};
  LLVMValueRef parts[PARTS];
  list_parts(derivative, parts);
  for (unsigned i = 0; i < PARTS; i++) {
    if (!parts[i])
      continue;
    nb_equalities_hide(context, parts[i]);
    nb_derive_debug(&derivative->request, parts[i], suffixes[i]);
    print_stage(context, "emit", parts[i]);
    char *message = nb_function_verify(parts[i]);
    if (!message)
      continue;
    nb_refuse(context, NB_ERROR_BUILD, derivative->request.function,
              "nabla wrote code that LLVM does not accept for the derivative of '%s': %s",
              nb_shown_name(context, derivative->request.function), message);
    LLVMDisposeMessage(message);
    return false;
  }
  return true;
}

/* Are there globals among which the function, asked for by the user, would choose? Where there are
 * none, it is like any callee. */
static bool may_choose_globals(NbContext *context, LLVMValueRef function) {
  const NbMap *globals = nb_summary_of(context, function)->globals;
  for (unsigned i = 0; i < nb_map_count(globals); i++) {
    LLVMValueRef global = (LLVMValueRef)nb_map_key(globals, i);
    if (!LLVMIsGlobalConstant(global) || nb_map_has(context->declared_shadows, global))
      return true;
  }
  return false;
}

/* In a cycle each call asks anew, with what is known where it stands: of as many requests as this
 * the memory is told apart. */
enum { MOST_TOLD_APART = 8 };

static bool is_told_apart(const NbContext *context, const NbRequest *request) {
  unsigned count = 0;
  for (const NbDerivative *known = context->all; known; known = known->next)
    if (known->request.function == request->function && known->request.overwritten)
      count++;
  return count < MOST_TOLD_APART;
}

/* A request within a cycle of the call graph. What a user's call is given does not change before
 * the reverse, and what the functions of the cycle change among themselves is seen at each call;
 * global memory is not followed through cycles. */
static void loosen(NbContext *context, NbRequest *request) {
  bool told_apart = request->mode == NB_MODE_REVERSE && is_told_apart(context, request);
  if (told_apart && request->top && !request->overwritten)
    request->overwritten = NB_NEW_ARRAY(context->arena, bool, request->count + 1);
  if (!told_apart)
    request->overwritten = NULL;
  request->lasting = NULL;
  request->top = false;
  request->unread = false;
}

/* What a user's call asks for may be the derivative of a derivative: the runtime is then among the
 * functions that are differentiated. */
NbDerivative *nb_derivative_of(NbContext *context, const NbRequest *request) {
  static const NbList none = {0};
  NbRequest wanted = *request;
  if (request->top)
    nb_runtime_link_derivatives(context);
  if (!wanted.globals)
    wanted.depth = nb_shadow_depth(context, wanted.function);
  if (!wanted.globals && !may_choose_globals(context, wanted.function))
    wanted.globals = &none;
  bool cycle = nb_graph_recurs(nb_summary_of(context, request->function)) &&
               reaches(context, request->function, request->function, nb_map_new(context->arena));
  if (cycle)
    loosen(context, &wanted);
  if (wanted.mode == NB_MODE_FORWARD)
    wanted.top = wanted.unread = false;
  const char *key = key_with_regions(context, &wanted);
  NbDerivative *known = find_known(context, key);
  if (known)
    return known->failed ? NULL : known;
  NbDerivative *derivative = new_derivative(context, &wanted, key);
  if (nb_printing(context, "request"))
    print_request(request);
  nb_explain_begin(context, derivative);
  derivative->queued = cycle && wanted.replayed;
  if (cycle && wanted.mode == NB_MODE_REVERSE)
    derivative->tape = LLVMPointerTypeInContext(context->llvm, 0);
  if (!make(context, derivative) || !is_well_formed(context, derivative)) {
    fail(derivative);
    nb_explain_end(context, derivative);
    return NULL;
  }
  derivative->complete = true;
  nb_explain_end(context, derivative);
  nb_tidy_derivative(context, derivative);
  if (derivative->apart_test && !cycle && !wanted.top)
    nb_versions_make(context, derivative);
  return derivative;
}
