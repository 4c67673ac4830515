// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Calls: functions that a row describes, and functions with a body, which get a derivative of
 * their own. */
#include "checkpoint/checkpoint.h"
#include "linear/build.h"
#include "models/models.h"
#include "objects/graph.h"
#include "request/collected.h"
#include "request/registrations.h"

#include "prepare/unwind.h"

#include <string.h>

/* --- Functions with a row ----------------------------------------------------------------------
 */

/* The number that a row writes: as its first real argument, or its result; NULL: none. */
static LLVMTypeRef effect_type(const NbLinear *linear, LLVMValueRef call, const NbRule *rule,
                               NbType type, const LLVMValueRef *arguments) {
  if (type != NB_TYPE_REAL && type != NB_TYPE_DOUBLE && type != NB_TYPE_FLOAT)
    return NULL;
  for (unsigned i = 0; type == NB_TYPE_REAL && i < rule->parameter_count; i++)
    if (rule->parameters[i].type == NB_TYPE_REAL)
      return LLVMTypeOf(arguments[i]);
  if (type == NB_TYPE_REAL && rule->result == NB_TYPE_REAL)
    return LLVMTypeOf(call);
  NbFormat format = NB_FORMAT_ANY;
  nb_rule_of_call(linear->work->context, call, &format);
  return nb_types_of_row(linear->work->context->llvm, type, format);
}

static bool is_builtin(const NbRule *rule) {
  return rule == nb_rules_find(nb_rules_builtin(), rule->name, strlen(rule->name), NULL);
}

/* May the memory hold numbers where the row says that integers are written? An object of a class of
 * the C++ library's is one all its life. */
static bool misses_integers(const NbLinear *linear, LLVMValueRef pointer, const NbRule *rule,
                            const NbEffect *effect) {
  bool object = is_builtin(rule) && strncmp(rule->name, "_Z", 2) == 0;
  return !object && nb_types_misses_integers(linear->types, pointer, effect);
}

/* What is written through any pointer must not be memory with a derivative: what queries of
 * libraries write, by built-in rows, never is, and what the user says is inactive is so. */
static bool check_written(NbLinear *linear, LLVMValueRef call, const NbRule *rule) {
  bool scans = rule->scans != NB_NO_PARAMETER;
  bool asked = scans || !(is_builtin(rule) || nb_rule_is_told(rule));
  unsigned count = asked ? LLVMGetNumArgOperands(call) : 0;
  for (unsigned i = scans ? rule->parameter_count : 0; i < count; i++) {
    LLVMValueRef argument = LLVMGetOperand(call, i);
    bool pointer = LLVMGetTypeKind(LLVMTypeOf(argument)) == LLVMPointerTypeKind;
    if (pointer && nb_linear_has_shadow(linear, argument) &&
        nb_linear_memory_active(linear, argument))
      return nb_refuse(linear->work->context, NB_ERROR_NO_RULE, call,
                       "'%s' writes to active memory, through its argument %u, in a way that %s",
                       rule->name, i + 1,
                       scans ? "only its format tells: let it be a constant, with conversions such "
                               "as %lf and %d"
                             : "its rule does not describe");
  }
  return true;
}

/* What a function writes through a pointer: a float with a tangent, or one without. */
static bool linearise_effect(NbLinear *linear, LLVMValueRef call, const NbRule *rule,
                             const NbEffect *effect, const LLVMValueRef *arguments) {
  if (!effect->writes)
    return true;
  if (effect->parameter == NB_NO_PARAMETER)
    return check_written(linear, call, rule);
  LLVMValueRef pointer = arguments[effect->parameter];
  if (!nb_linear_has_shadow(linear, pointer) || !nb_linear_memory_active(linear, pointer))
    return true;
  LLVMTypeRef type = effect_type(linear, call, rule, effect->type, arguments);
  bool integers = effect->type == NB_TYPE_INT
                      ? !misses_integers(linear, pointer, rule, effect)
                      : effect->text && !nb_types_may_be_float(linear->types, pointer, 1);
  if (integers)
    return true;
  if (effect->ended || (effect->text && effect->extent))
    return nb_linearise_string(linear, call, pointer, effect);
  if (!type)
    return nb_refuse(linear->work->context, NB_ERROR_NO_RULE, call,
                     "'%s' writes to active memory in a way that its rule does not describe",
                     rule->name);
  if (!nb_types_holds_number(linear->types, pointer, type))
    return nb_refuse(linear->work->context, NB_ERROR_NO_RULE, call,
                     "the rule of '%s' says that it writes a number of %u bytes through its "
                     "argument %u, and something else lies there",
                     rule->name, (unsigned)nb_store_size(linear->work->context, type),
                     effect->parameter + 1);
  if (effect->extent)
    return nb_linearise_numbers(linear, call, pointer, effect->extent, type);
  NbStatement *statement = nb_statement_new(linear, NB_STATEMENT_STORE, call);
  statement->type = type;
  statement->place = pointer;
  statement->align = LLVMABIAlignmentOfType(linear->work->context->layout, type);
  statement->addresses = nb_linear_addresses(linear, call, pointer, type, NB_STANDIN_STORE);
  nb_linearise_sources(linear, statement, call, effect->terms, effect->term_count, arguments);
  return true;
}

static bool linearise_effects(NbLinear *linear, LLVMValueRef call, const NbRule *rule,
                              const LLVMValueRef *arguments) {
  bool ok = true;
  for (unsigned i = 0; i < rule->effect_count; i++)
    ok = linearise_effect(linear, call, rule, &rule->effects[i], arguments) && ok;
  return ok;
}

/* Has what the call computes by its row a tangent that matters? */
static bool gives_active(const NbLinear *linear, LLVMValueRef call, const NbRule *rule) {
  bool gives = nb_linear_is_active(linear, call);
  for (unsigned i = 0; i < rule->effect_count; i++) {
    const NbEffect *effect = &rule->effects[i];
    gives |= effect->term_count &&
             nb_linear_memory_active(linear, LLVMGetOperand(call, effect->parameter));
  }
  return gives;
}

/* What comes from numbers that the row says to be read has a derivative that it does not say. */
static bool check_read(const NbLinear *linear, LLVMValueRef call, const NbRule *rule) {
  bool active = gives_active(linear, call, rule);
  for (unsigned i = 0; active && i < LLVMGetNumArgOperands(call); i++) {
    LLVMValueRef argument = LLVMGetOperand(call, i);
    if (nb_rule_reads(rule, i) && nb_linear_has_shadow(linear, argument) &&
        nb_linear_memory_active(linear, argument))
      return nb_refuse(linear->work->context, NB_ERROR_NO_RULE, call,
                       "the rule of '%s' has no tangent for the active numbers that it reads "
                       "through its argument %u: register its derivatives instead",
                       rule->name, i + 1);
  }
  return true;
}

static bool linearise_tangent_row(NbLinear *linear, LLVMValueRef call, const NbRule *rule) {
  LLVMValueRef *arguments = nb_linear_arguments(linear, call);
  if (!check_read(linear, call, rule))
    return false;
  if (nb_linear_is_active(linear, call))
    nb_linearise_terms(linear, call, rule, arguments);
  return linearise_effects(linear, call, rule, arguments);
}

static bool leads_to_memory(LLVMValueRef argument) {
  return LLVMGetTypeKind(LLVMTypeOf(argument)) == LLVMPointerTypeKind &&
         !nb_leads_nowhere(argument);
}

/* What runs on the shadows, too, gets all of them, and does there to tangents what it does to the
 * numbers: adjoints go the other way. */
static bool check_mirror(const NbLinear *linear, LLVMValueRef call, const NbRule *rule) {
  NbContext *context = linear->work->context;
  bool reverse = linear->work->request->mode != NB_MODE_FORWARD;
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
    LLVMValueRef argument = LLVMGetOperand(call, i);
    bool bare = leads_to_memory(argument) &&
                (!nb_linear_has_shadow(linear, argument) || nb_linear_is_guarded(linear, argument));
    if (bare || nb_linear_is_active(linear, argument))
      return nb_refuse(context, NB_ERROR_NO_RULE, call,
                       "'%s' runs on the shadows, too, by its rule, and its argument %u %s",
                       rule->name, i + 1, bare ? "may have none" : "is a number with a derivative");
  }
  for (unsigned i = 0; reverse && i < rule->effect_count; i++)
    if (nb_rule_gives(rule, &rule->effects[i]))
      return nb_refuse(context, NB_ERROR_NO_RULE, call,
                       "'%s' runs on the shadows, too, by its rule, and what that does to adjoints "
                       "of the numbers that it writes is not known in reverse mode: register its "
                       "derivatives instead",
                       rule->name);
  return true;
}

static void call_on_shadows(const NbLinear *linear, LLVMBuilderRef builder, LLVMValueRef call,
                            unsigned lane) {
  unsigned count = LLVMGetNumArgOperands(call);
  LLVMValueRef *arguments = NB_NEW_ARRAY(linear->work->context->arena, LLVMValueRef, count + 1);
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef argument = LLVMGetOperand(call, i);
    arguments[i] = leads_to_memory(argument) ? nb_linear_shadow(linear, argument, lane) : argument;
  }
  LLVMValueRef again = LLVMBuildCall2(builder, LLVMGetCalledFunctionType(call),
                                      LLVMGetCalledValue(call), arguments, count, "");
  LLVMSetInstructionCallConv(again, LLVMGetInstructionCallConv(call));
}

static bool linearise_mirror(NbLinear *linear, LLVMValueRef call, const NbRule *rule) {
  bool shadowed = false;
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
    shadowed |= leads_to_memory(LLVMGetOperand(call, i)) &&
                nb_linear_has_shadow(linear, LLVMGetOperand(call, i));
  if (!shadowed)
    return true;
  if (!check_mirror(linear, call, rule))
    return false;
  LLVMBuilderRef builder = nb_builder_after(linear, call);
  for (unsigned lane = 0; lane < linear->width; lane++)
    call_on_shadows(linear, builder, call, lane);
  LLVMDisposeBuilder(builder);
  return true;
}

/* A struct result: a sum for each of its members that has a tangent. */
static bool linearise_struct_row(NbLinear *linear, LLVMValueRef call, const NbRule *rule) {
  LLVMValueRef *arguments = nb_linear_arguments(linear, call);
  if (!check_read(linear, call, rule))
    return false;
  for (unsigned i = 0; nb_linear_is_active(linear, call) && i < rule->member_count; i++) {
    const NbMember *member = &rule->members[i];
    if (member->term_count == 0)
      continue;
    NbStatement *statement = nb_statement_new(linear, NB_STATEMENT_SUM, call);
    statement->result = call;
    statement->member = i + 1;
    nb_linearise_sources(linear, statement, call, member->terms, member->term_count, arguments);
  }
  return linearise_effects(linear, call, rule, arguments);
}

bool nb_linear_is_pure_call(const NbLinear *linear, LLVMValueRef call) {
  const NbRule *rule = nb_rule_of_call(linear->work->context, call, NULL);
  LLVMValueRef callee = nb_callee(call);
  if (rule && (rule->kind == NB_RULE_TANGENT || rule->kind == NB_RULE_STRUCT))
    return rule->effect_count == 0;
  return callee && LLVMGetIntrinsicID(callee) != 0 && !nb_memory_may_read_any(call) &&
         !nb_memory_may_write_any(call);
}

/* --- Functions with a body ----------------------------------------------------------------------
 */

static NbRole role_of(const NbLinear *linear, LLVMValueRef argument) {
  bool forward = linear->work->request->mode == NB_MODE_FORWARD;
  if (nb_unneeded_need(linear->unneeded, argument) == NB_NEED_NO)
    return NB_ROLE_DUPNONEED;
  bool active = nb_linear_is_active(linear, argument);
  if (nb_type_has_pointer(LLVMTypeOf(argument)))
    return nb_linear_has_shadow(linear, argument) || (active && forward) ? NB_ROLE_DUP
                                                                         : NB_ROLE_CONST;
  if (!active)
    return NB_ROLE_CONST;
  return forward ? NB_ROLE_DUP : NB_ROLE_OUT;
}

static NbRole role_of_result(const NbLinear *linear, LLVMValueRef call) {
  bool forward = linear->work->request->mode == NB_MODE_FORWARD;
  bool active = nb_linear_is_active(linear, call);
  if (nb_type_has_pointer(LLVMTypeOf(call)) && nb_activity_pointer(linear->activity, call))
    return active && !forward ? NB_ROLE_BOTH : NB_ROLE_DUP;
  if (!active)
    return NB_ROLE_CONST;
  return forward ? NB_ROLE_DUP : NB_ROLE_OUT;
}

static void placeholder(NbLinear *linear, NbStatement *statement) {
  NbContext *context = linear->work->context;
  LLVMBuilderRef builder = nb_builder_after(linear, statement->origin);
  statement->pending = NB_NEW_ARRAY(context->arena, LLVMValueRef, linear->width);
  for (unsigned lane = 0; lane < linear->width; lane++) {
    LLVMTypeRef type = LLVMTypeOf(statement->origin);
    statement->pending[lane] = nb_runtime_call(context, builder, "nabla.pending", type, NULL, 0);
    nb_map_set(linear->shadows[lane], statement->origin, statement->pending[lane]);
  }
  LLVMDisposeBuilder(builder);
}

static NbDerivative *derive_callee(NbLinear *linear, LLVMValueRef call, LLVMValueRef callee,
                                   LLVMValueRef *shadows) {
  NbContext *context = linear->work->context;
  unsigned count = LLVMGetNumArgOperands(call);
  NbRole *roles = NB_NEW_ARRAY(context->arena, NbRole, count + 1);
  bool *overwritten = NB_NEW_ARRAY(context->arena, bool, count + 1);
  bool *guarded = NB_NEW_ARRAY(context->arena, bool, count + 1);
  bool *lasting = NB_NEW_ARRAY(context->arena, bool, count + 1);
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef argument = LLVMGetOperand(call, i);
    bool pointer = LLVMGetTypeKind(LLVMTypeOf(argument)) == LLVMPointerTypeKind;
    roles[i] = role_of(linear, argument);
    bool nothing = nb_leads_nowhere(argument);
    if (pointer && nothing && nb_activity_parameter(linear->activity, call, i))
      roles[i] = NB_ROLE_DUP;
    bool has = nb_role_has_shadow(roles[i]) && pointer;
    for (unsigned lane = 0; has && lane < linear->width; lane++)
      shadows[i * linear->width + lane] = nb_linear_shadow(linear, argument, lane);
    guarded[i] = shadows[i * linear->width] && nb_activity_mixed(linear->activity, argument, true);
    if (pointer && linear->effects)
      overwritten[i] = !nb_effects_survives(linear->effects, call, i);
    if (pointer && linear->effects)
      lasting[i] = nb_effects_lasts(linear->effects, call, i);
  }
  NbRegion *regions;
  unsigned region_count = nb_activity_regions(linear->activity, call, &regions);
  bool mixed = false;
  for (unsigned i = 0; i < count; i++)
    mixed |= guarded[i];
  bool cycle =
      nb_summary_of(context, callee) == nb_summary_of(context, linear->work->request->function);
  NbRequest request = {.function = callee,
                       .mode = linear->work->request->mode,
                       .passed = nb_types_handed(linear->types, call, cycle),
                       .observed = linear->work->request->observed,
                       .plain = linear->work->request->plain,
                       .replayed = linear->work->request->replayed,
                       .errors = linear->work->request->errors,
                       .masks = linear->work->request->masks,
                       .count = count,
                       .roles = roles,
                       .result = role_of_result(linear, call),
                       .overwritten = linear->effects ? overwritten : NULL,
                       .lasting = nb_map_count(context->checkpoints) ? lasting : NULL,
                       .guarded = guarded,
                       .apart = !mixed && nb_linear_passes_apart(linear, call, shadows),
                       .beside = linear->work->request->beside,
                       .strong_zero = linear->work->request->strong_zero,
                       .width = linear->width,
                       .globals = nb_activity_globals(linear->activity),
                       .lane = linear->work->request->lane,
                       .depth = linear->work->request->depth,
                       .regions = regions,
                       .region_count = region_count,
                       .whole = linear->work->request->whole,
                       .top = nb_checkpoint_asked(context, linear->work->request) != NULL};
  return nb_derivative_of(context, &request);
}

/* What a callee does with a pointer that it gets as an integer is not followed: such calls are
 * inlined, but for those that are too many. */
static bool check_integers(const NbLinear *linear, LLVMValueRef call) {
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
    LLVMValueRef integer = LLVMGetOperand(call, i);
    if (LLVMIsAPtrToIntInst(integer) &&
        nb_activity_pointer(linear->activity, LLVMGetOperand(integer, 0)))
      return nb_refuse(linear->work->context, NB_ERROR_UNKNOWN_MEMORY, call,
                       "'%s' is given a pointer to memory with a derivative as an integer",
                       nb_shown_name(linear->work->context, nb_callee(call)));
  }
  return true;
}

static bool check_memory(const NbLinear *linear, LLVMValueRef call, LLVMValueRef callee) {
  NbContext *context = linear->work->context;
  unsigned count = nb_activity_is_given(context, callee) ? LLVMGetNumArgOperands(call) : 0;
  for (unsigned i = 0; i < count; i++)
    if (role_of(linear, LLVMGetOperand(call, i)) == NB_ROLE_DUPNONEED)
      return nb_refuse(context, NB_ERROR_NEEDED, call,
                       "'%s' is given memory of an argument that is not needed, and its derivative "
                       "uses it",
                       nb_shown_name(linear->work->context, callee));
  return true;
}

/* A value of pointers and numbers in one has a shadow and an adjoint, and goes both ways. */
static bool check_mixed(const NbLinear *linear, LLVMValueRef call) {
  bool reverse = linear->work->request->mode != NB_MODE_FORWARD;
  for (unsigned i = 0; reverse && i < LLVMGetNumArgOperands(call); i++) {
    LLVMValueRef argument = LLVMGetOperand(call, i);
    if (nb_type_has_pointer(LLVMTypeOf(argument)) && nb_linear_is_active(linear, argument))
      return nb_refuse(linear->work->context, NB_ERROR_CALL, call,
                       "'%s' is given a value of pointers and numbers with a derivative in one",
                       nb_shown_name(linear->work->context, nb_callee(call)));
  }
  return true;
}

/* Where the function goes on after an exception, the reverse sweep comes to the call as well, of
 * which nobody knows how far it came. */
static bool check_caught(const NbLinear *linear, LLVMValueRef call) {
  const NbWork *work = linear->work;
  if (work->request->mode == NB_MODE_FORWARD || !nb_unwind_is_caught(work, call))
    return true;
  if (nb_activity_writes(linear->activity, call))
    return nb_refuse(work->context, NB_ERROR_CONTROL_FLOW, call,
                     "an exception of this call is caught, after which the function goes on, and "
                     "the call may have written active memory before");
  return nb_unwind_block(work, call)->loop == nb_work_block_of(work, call)->loop ||
         nb_refuse(work->context, NB_ERROR_CONTROL_FLOW, call,
                   "an exception of this call is caught, after which the function goes on, and "
                   "the call's return leaves a loop");
}

static bool linearise_body(NbLinear *linear, LLVMValueRef call, LLVMValueRef callee) {
  NbContext *context = linear->work->context;
  LLVMTypeRef type = LLVMGlobalGetValueType(callee);
  if (LLVMGetCalledFunctionType(call) != type || LLVMIsFunctionVarArg(type))
    return nb_refuse(context, NB_ERROR_CALL, call,
                     "'%s' is called with another type than it was defined with",
                     nb_shown_name(linear->work->context, callee));
  if (!check_caught(linear, call))
    return false;
  if (linear->effects && nb_activity_frees_outside(linear->activity, call))
    return nb_linear_refuse_free(linear, call);
  if (!check_memory(linear, call, callee) || !check_integers(linear, call) ||
      !check_mixed(linear, call))
    return false;
  if (!nb_linear_reuse_in_call(linear, call) || !nb_fixed_note_regions(linear, call))
    return false;
  unsigned count = LLVMGetNumArgOperands(call);
  LLVMValueRef *shadows = NB_NEW_ARRAY(context->arena, LLVMValueRef, count * linear->width + 1);
  NbDerivative *derivative = derive_callee(linear, call, callee, shadows);
  if (!derivative)
    return false;
  NbStatement *statement = nb_statement_new(linear, NB_STATEMENT_CALL, call);
  statement->callee = derivative;
  statement->shadows = shadows;
  statement->count = count;
  statement->sources = NB_NEW_ARRAY(context->arena, NbSource, count + 1);
  for (unsigned i = 0; i < count; i++)
    if (nb_linear_is_active(linear, LLVMGetOperand(call, i)))
      statement->sources[i].value = LLVMGetOperand(call, i);
  if (nb_linear_is_active(linear, call))
    statement->result = call;
  if (nb_result_has_shadow(derivative->request.result) &&
      (!statement->result || nb_type_has_pointer(LLVMTypeOf(call))))
    placeholder(linear, statement);
  return true;
}

/* --- Both ---------------------------------------------------------------------------------------
 */

/* A function that returns one of its arguments returns its shadow. */
static void shadow_of_returned(NbLinear *linear, LLVMValueRef call, const NbRule *rule) {
  if (rule->returns >= LLVMGetNumArgOperands(call) || !nb_activity_pointer(linear->activity, call))
    return;
  LLVMValueRef argument = LLVMGetOperand(call, rule->returns);
  for (unsigned lane = 0; lane < linear->width; lane++) {
    LLVMValueRef shadow = nb_linear_shadow(linear, argument, lane);
    if (shadow)
      nb_map_set(linear->shadows[lane], call, shadow == argument ? call : shadow);
  }
}

/* A result that the ABI puts where an argument leads is constant. */
static bool linearise_inactive(NbLinear *linear, LLVMValueRef call, const NbRule *rule) {
  bool ok = linearise_effects(linear, call, rule, nb_linear_arguments(linear, call));
  for (unsigned i = 0; ok && i < LLVMGetNumArgOperands(call); i++) {
    LLVMValueRef to = LLVMGetOperand(call, i);
    LLVMTypeRef type = nb_call_operand_pointee(call, i, "sret");
    if (type && nb_linear_has_shadow(linear, to) && nb_linear_memory_active(linear, to))
      ok = nb_linearise_constants(linear, call, to, nb_store_size(linear->work->context, type));
  }
  return ok;
}

static bool linearise_row(NbLinear *linear, LLVMValueRef call, const NbRule *rule) {
  if (LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMPointerTypeKind)
    shadow_of_returned(linear, call, rule);
  switch (rule->kind) {
  case NB_RULE_TANGENT:
    return linearise_tangent_row(linear, call, rule);
  case NB_RULE_STRUCT:
    return linearise_struct_row(linear, call, rule);
  case NB_RULE_ALLOCATE:
  case NB_RULE_FREE:
  case NB_RULE_RESIZE:
  case NB_RULE_COPY:
  case NB_RULE_FILL:
    return nb_linearise_memory(linear, call, rule);
  case NB_RULE_INACTIVE:
    return linearise_inactive(linear, call, rule);
  case NB_RULE_MIRROR:
    return linearise_mirror(linear, call, rule);
  default:
    return !nb_linear_is_active(linear, call) ||
           nb_refuse(linear->work->context, NB_ERROR_NO_RULE, call,
                     "'%s' is called with active values and has no derivative", rule->name);
  }
}

bool nb_linearise_call(NbLinear *linear, LLVMValueRef call) {
  const NbRule *rule = nb_rule_of_call(linear->work->context, call, NULL);
  if (rule)
    return linearise_row(linear, call, rule);
  LLVMValueRef callee = nb_callee(call);
  if (!nb_activity_call(linear->activity, call))
    return true;
  if (callee && LLVMCountBasicBlocks(callee) > 0)
    return linearise_body(linear, call, callee);
  return nb_refuse(linear->work->context, NB_ERROR_NO_RULE, call,
                   "a function whose body is not known here is called with active values");
}
