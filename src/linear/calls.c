// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Calls: functions that a row describes, and functions with a body, which get a derivative of
 * their own. */
#include "linear/build.h"

#include <string.h>

static LLVMValueRef *arguments_of(NbLinear *linear, LLVMValueRef call) {
  unsigned count = LLVMGetNumArgOperands(call);
  LLVMValueRef *arguments = NB_NEW_ARRAY(linear->work->context->arena, LLVMValueRef, count + 1);
  for (unsigned i = 0; i < count; i++)
    arguments[i] = LLVMGetOperand(call, i);
  return arguments;
}

/* --- Functions with a row ----------------------------------------------------------------------
 */

/* The float type in which the row is used: that of its first real argument, or of its result. */
static LLVMTypeRef real_type(LLVMValueRef call, const NbRule *rule, const LLVMValueRef *arguments) {
  for (unsigned i = 0; i < rule->parameter_count; i++)
    if (rule->parameters[i].type == NB_TYPE_REAL)
      return LLVMTypeOf(arguments[i]);
  return rule->result == NB_TYPE_REAL ? LLVMTypeOf(call) : NULL;
}

static LLVMTypeRef effect_type(const NbLinear *linear, LLVMValueRef call, const NbRule *rule,
                               const NbEffect *effect, const LLVMValueRef *arguments) {
  LLVMContextRef llvm = linear->work->context->llvm;
  switch (effect->type) {
  case NB_TYPE_REAL:
    return real_type(call, rule, arguments);
  case NB_TYPE_DOUBLE:
    return LLVMDoubleTypeInContext(llvm);
  case NB_TYPE_FLOAT:
    return LLVMFloatTypeInContext(llvm);
  default:
    return NULL;
  }
}

/* What a function writes through a pointer: a float with a tangent, or one without. */
static bool linearise_effect(NbLinear *linear, LLVMValueRef call, const NbRule *rule,
                             const NbEffect *effect, const LLVMValueRef *arguments) {
  if (!effect->writes || effect->parameter == NB_NO_PARAMETER)
    return true;
  LLVMValueRef pointer = arguments[effect->parameter];
  if (!nb_linear_has_shadow(linear, pointer) || !nb_linear_memory_active(linear, pointer))
    return true;
  LLVMTypeRef type = effect_type(linear, call, rule, effect, arguments);
  if (effect->type == NB_TYPE_INT)
    return true;
  if (!type || effect->extent)
    return nb_refuse(linear->work->context, NB_ERROR_NO_RULE, call,
                     "'%s' writes to active memory in a way that its rule does not describe",
                     rule->name);
  NbStatement *statement = nb_statement_new(linear, NB_STATEMENT_STORE, call);
  statement->type = type;
  statement->align = LLVMABIAlignmentOfType(linear->work->context->layout, type);
  statement->address = nb_linear_address(linear, call, pointer, type, NB_STANDIN_STORE);
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

static bool linearise_tangent_row(NbLinear *linear, LLVMValueRef call, const NbRule *rule) {
  LLVMValueRef *arguments = arguments_of(linear, call);
  if (nb_linear_is_active(linear, call))
    nb_linearise_terms(linear, call, rule, arguments);
  return linearise_effects(linear, call, rule, arguments);
}

/* A struct result: a sum for each of its members that has a tangent. */
static bool linearise_struct_row(NbLinear *linear, LLVMValueRef call, const NbRule *rule) {
  LLVMValueRef *arguments = arguments_of(linear, call);
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
  if (rule)
    return (rule->kind == NB_RULE_TANGENT || rule->kind == NB_RULE_STRUCT) &&
           rule->effect_count == 0;
  LLVMValueRef callee = nb_callee(call);
  return callee && LLVMGetIntrinsicID(callee) != 0 && !nb_memory_may_read_any(call) &&
         !nb_memory_may_write_any(call);
}

static LLVMValueRef as_count(NbLinear *linear, LLVMBuilderRef builder, LLVMValueRef bytes) {
  return LLVMBuildIntCast2(builder, bytes, LLVMInt64TypeInContext(linear->work->context->llvm),
                           false, "");
}

/* A fresh shadow is zero. That the primal could be had and the shadow not is no case that the
 * program can handle. */
static void clear_shadow(NbLinear *linear, LLVMBuilderRef builder, LLVMValueRef call,
                         LLVMValueRef shadow, LLVMValueRef bytes, bool zeroed) {
  NbContext *context = linear->work->context;
  LLVMValueRef name = nb_runtime_function_name(context, linear->work->request->function);
  LLVMValueRef arguments[] = {shadow, call, bytes, name};
  nb_runtime_call(context, builder, zeroed ? "__nabla_shadow_check" : "__nabla_shadow_clear",
                  LLVMVoidTypeInContext(context->llvm), arguments, 4);
}

/* The free of the primal's own memory waits for the reverse sweep. */
static void linearise_delayed(NbLinear *linear, LLVMValueRef call, const NbRule *rule) {
  if (!linear->effects || !nb_effects_delayed(linear->effects, call))
    return;
  NbStatement *statement = nb_statement_new(linear, NB_STATEMENT_ALLOCATE, call);
  statement->address = call;
  statement->rule = rule->partner;
}

static bool needs_layout(const NbLinear *linear, const NbLayout *layout, LLVMValueRef call) {
  return nb_layout_is_known(layout) ||
         nb_refuse(linear->work->context, NB_ERROR_UNKNOWN_TYPE, call,
                   "bytes of active memory are moved or set whose type is not known here, so that "
                   "floats cannot be told from integers and pointers");
}

/* Zeroed memory may be read before it is written, so that adjoints stay in its shadow: where the
 * reverse runs again, it leaves zeros there. */
static bool clear_for_again(NbLinear *linear, LLVMValueRef call, LLVMValueRef bytes) {
  if (!linear->work->context->reads_again || linear->work->request->mode == NB_MODE_FORWARD)
    return true;
  NbStatement *statement = nb_statement_new(linear, NB_STATEMENT_FILL, call);
  statement->address = nb_linear_shadow(linear, call);
  statement->extent = bytes;
  uint64_t size = LLVMIsAConstantInt(bytes) ? LLVMConstIntGetZExtValue(bytes) : NB_UNKNOWN_SIZE;
  statement->layout = nb_types_layout(linear->types, call, size);
  if (!nb_class_pointee(nb_objects_class(linear->objects, call)))
    nb_statement_clear_unknown(statement);
  return statement->layout.unknown || needs_layout(linear, &statement->layout, call);
}

static bool linearise_allocation(NbLinear *linear, LLVMValueRef call, const NbRule *rule) {
  NbContext *context = linear->work->context;
  linearise_delayed(linear, call, rule);
  if (!nb_activity_pointer(linear->activity, call))
    return true;
  LLVMBuilderRef builder = nb_builder_after(linear, call);
  LLVMValueRef shadow = LLVMInstructionClone(call);
  LLVMInsertIntoBuilderWithName(builder, shadow, "shadow");
  NbLowering lowering = {.context = context,
                         .builder = builder,
                         .type = LLVMDoubleTypeInContext(context->llvm),
                         .arguments = arguments_of(linear, call),
                         .result = call};
  LLVMValueRef bytes = as_count(linear, builder, nb_lower_expression(&lowering, rule->extent));
  clear_shadow(linear, builder, call, shadow, bytes, rule->zeroed);
  LLVMDisposeBuilder(builder);
  nb_map_set(linear->shadows, call, shadow);
  NbStatement *statement = nb_statement_new(linear, NB_STATEMENT_ALLOCATE, call);
  statement->address = shadow;
  bool escapes = nb_objects_escapes(linear->objects, call);
  statement->rule = escapes ? NULL : rule->partner;
  return !rule->zeroed || clear_for_again(linear, call, bytes);
}

/* Is the pointer, wherever it comes from, an allocation of this function? */
static bool is_own_allocation(NbLinear *linear, LLVMValueRef pointer, NbMap *seen) {
  if (LLVMIsNull(pointer) || LLVMIsUndef(pointer) || nb_map_has(seen, pointer))
    return true;
  nb_map_set(seen, pointer, pointer);
  if (LLVMIsAPHINode(pointer) || LLVMIsASelectInst(pointer)) {
    bool own = true;
    for (int i = LLVMIsASelectInst(pointer) ? 1 : 0; i < LLVMGetNumOperands(pointer); i++)
      own = own && is_own_allocation(linear, LLVMGetOperand(pointer, (unsigned)i), seen);
    return own;
  }
  const NbRule *rule =
      LLVMIsACallInst(pointer) ? nb_rule_of_call(linear->work->context, pointer, NULL) : NULL;
  return rule && rule->kind == NB_RULE_ALLOCATE;
}

/* Freeing no memory where the shadow is the primal itself. */
static void free_shadow(NbLinear *linear, LLVMValueRef call, const NbRule *rule) {
  LLVMValueRef pointer = LLVMGetOperand(call, rule->operands[0]);
  LLVMValueRef shadow = nb_linear_shadow(linear, pointer);
  bool guarded = nb_linear_is_guarded(linear, pointer);
  LLVMValueRef guard = guarded ? nb_linear_guard(linear, pointer) : NULL;
  LLVMBuilderRef builder = nb_builder_after(linear, call);
  if (guarded)
    shadow = LLVMBuildSelect(builder, guard, shadow, LLVMConstNull(LLVMTypeOf(shadow)), "");
  LLVMValueRef twin = LLVMInstructionClone(call);
  LLVMSetOperand(twin, rule->operands[0], shadow);
  LLVMInsertIntoBuilder(builder, twin);
  LLVMDisposeBuilder(builder);
}

/* The primal's free stays where it is. Forward mode frees the shadow with it; in reverse mode the
 * shadow lives on, and dies where the reverse sweep reaches its allocation. */
static bool linearise_free(NbLinear *linear, LLVMValueRef call, const NbRule *rule) {
  NbContext *context = linear->work->context;
  LLVMValueRef pointer = LLVMGetOperand(call, rule->operands[0]);
  if (!nb_linear_has_shadow(linear, pointer))
    return true;
  if (linear->work->request->mode == NB_MODE_FORWARD) {
    free_shadow(linear, call, rule);
    return true;
  }
  if (!nb_class_is_external(nb_objects_class(linear->objects, pointer)) ||
      is_own_allocation(linear, pointer, nb_map_new(context->arena)))
    return true;
  return nb_refuse(context, NB_ERROR_FREE, call,
                   "active memory is freed here that was not allocated in the same function, so "
                   "that its shadow cannot be kept until the reverse sweep has used it");
}

/* In the forward sweep of reverse mode, pointers in shadow memory move with their primals. */
static void copy_pointers(NbLinear *linear, const NbStatement *statement, LLVMValueRef extent) {
  NbContext *context = linear->work->context;
  LLVMTypeRef count = LLVMInt64TypeInContext(context->llvm);
  LLVMBuilderRef builder = nb_builder_after(linear, statement->origin);
  LLVMValueRef above =
      LLVMBuildICmp(builder, LLVMIntUGT, statement->address, statement->address_from, "");
  for (unsigned i = 0; i < statement->layout.count; i++) {
    const NbPiece *piece = &statement->layout.pieces[i];
    if (piece->kind != NB_KIND_POINTER)
      continue;
    LLVMValueRef offset = nb_statement_offset(builder, statement, i, above);
    LLVMValueRef arguments[] = {statement->address, statement->address_from, extent, offset,
                                LLVMConstInt(count, piece->period, false)};
    nb_runtime_call(context, builder, "__nabla_copy_pointers", LLVMVoidTypeInContext(context->llvm),
                    arguments, 5);
  }
  LLVMDisposeBuilder(builder);
}

/* What comes from memory without a shadow has no tangent. Forward mode has copied its bytes, the
 * pointers among them; reverse mode copies none, for it would add to the primal. */
static bool split_copy(NbLinear *linear, NbStatement *copy, LLVMValueRef from) {
  if (!needs_layout(linear, &copy->layout, copy->origin))
    return false;
  NbStatement *fill = nb_statement_new(linear, NB_STATEMENT_FILL, copy->origin);
  fill->address = copy->address;
  fill->layout = copy->layout;
  fill->extent = nb_linear_extent(linear, copy->origin, from, false, copy->extent);
  if (linear->work->request->mode == NB_MODE_REVERSE)
    copy->extent = nb_linear_extent(linear, copy->origin, from, true, copy->extent);
  return true;
}

static bool linearise_copy(NbLinear *linear, NbStatement *copy, LLVMValueRef from) {
  bool reverse = linear->work->request->mode == NB_MODE_REVERSE;
  LLVMValueRef extent = copy->extent;
  copy->address_from = nb_linear_shadow(linear, from);
  if (nb_linear_is_guarded(linear, from) && !split_copy(linear, copy, from))
    return false;
  if (!reverse)
    return true;
  if (!needs_layout(linear, &copy->layout, copy->origin))
    return false;
  copy_pointers(linear, copy, extent);
  return true;
}

static bool linearise_transfer(NbLinear *linear, LLVMValueRef call, const NbRule *rule) {
  LLVMValueRef to = LLVMGetOperand(call, rule->operands[0]);
  LLVMValueRef from = rule->kind == NB_RULE_COPY ? LLVMGetOperand(call, rule->operands[1]) : NULL;
  LLVMValueRef bytes = LLVMGetOperand(call, rule->operands[rule->kind == NB_RULE_COPY ? 2 : 1]);
  if (!nb_linear_has_shadow(linear, to))
    return true;
  bool copied = from && nb_linear_has_shadow(linear, from);
  NbStatementKind kind = copied ? NB_STATEMENT_COPY : NB_STATEMENT_FILL;
  NbStatement *statement = nb_statement_new(linear, kind, call);
  LLVMBuilderRef builder = nb_builder_after(linear, call);
  LLVMValueRef extent = as_count(linear, builder, bytes);
  LLVMDisposeBuilder(builder);
  statement->address = nb_linear_shadow(linear, to);
  statement->extent = nb_linear_extent(linear, call, to, true, extent);
  uint64_t size = LLVMIsAConstantInt(bytes) ? LLVMConstIntGetZExtValue(bytes) : NB_UNKNOWN_SIZE;
  statement->layout =
      from ? nb_types_transfer(linear->types, call) : nb_types_layout(linear->types, to, size);
  if (copied)
    return linearise_copy(linear, statement, from);
  if (!from)
    nb_statement_clear_unknown(statement);
  return !from || needs_layout(linear, &statement->layout, call);
}

/* --- Functions with a body ----------------------------------------------------------------------
 */

static NbRole role_of(const NbLinear *linear, LLVMValueRef argument) {
  bool forward = linear->work->request->mode == NB_MODE_FORWARD;
  if (nb_linear_is_unneeded(linear, argument))
    return NB_ROLE_DUPNONEED;
  if (nb_type_has_pointer(LLVMTypeOf(argument)))
    return nb_linear_has_shadow(linear, argument) ? NB_ROLE_DUP : NB_ROLE_CONST;
  if (!nb_linear_is_active(linear, argument))
    return NB_ROLE_CONST;
  return forward ? NB_ROLE_DUP : NB_ROLE_OUT;
}

static NbRole role_of_result(const NbLinear *linear, LLVMValueRef call) {
  if (nb_type_has_pointer(LLVMTypeOf(call)))
    return nb_activity_pointer(linear->activity, call) ? NB_ROLE_DUP : NB_ROLE_CONST;
  return role_of(linear, call);
}

static void placeholder(NbLinear *linear, NbStatement *statement) {
  NbContext *context = linear->work->context;
  LLVMBuilderRef builder = nb_builder_after(linear, statement->origin);
  statement->shadow =
      nb_runtime_call(context, builder, "nabla.pending", LLVMTypeOf(statement->origin), NULL, 0);
  LLVMDisposeBuilder(builder);
  nb_map_set(linear->shadows, statement->origin, statement->shadow);
}

static NbDerivative *derive_callee(NbLinear *linear, LLVMValueRef call, LLVMValueRef callee,
                                   LLVMValueRef *shadows) {
  NbContext *context = linear->work->context;
  unsigned count = LLVMGetNumArgOperands(call);
  NbRole *roles = NB_NEW_ARRAY(context->arena, NbRole, count + 1);
  bool *overwritten = NB_NEW_ARRAY(context->arena, bool, count + 1);
  bool *guarded = NB_NEW_ARRAY(context->arena, bool, count + 1);
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef argument = LLVMGetOperand(call, i);
    bool pointer = LLVMGetTypeKind(LLVMTypeOf(argument)) == LLVMPointerTypeKind;
    roles[i] = role_of(linear, argument);
    if (nb_role_has_shadow(roles[i]) && pointer)
      shadows[i] = nb_linear_shadow(linear, argument);
    guarded[i] = shadows[i] && nb_activity_mixed(linear->activity, argument, true);
    if (pointer && linear->effects)
      overwritten[i] = !nb_effects_survives(linear->effects, call, i);
  }
  NbRequest request = {.function = callee,
                       .mode = linear->work->request->mode,
                       .count = count,
                       .roles = roles,
                       .result = role_of_result(linear, call),
                       .overwritten = linear->effects ? overwritten : NULL,
                       .guarded = guarded,
                       .globals = nb_activity_globals(linear->activity)};
  return nb_derivative_of(context, &request);
}

static bool linearise_body(NbLinear *linear, LLVMValueRef call, LLVMValueRef callee) {
  NbContext *context = linear->work->context;
  LLVMTypeRef type = LLVMGlobalGetValueType(callee);
  if (LLVMGetCalledFunctionType(call) != type || LLVMIsFunctionVarArg(type) ||
      (nb_type_has_pointer(LLVMTypeOf(call)) && nb_linear_is_active(linear, call)))
    return nb_refuse(context, NB_ERROR_CALL, call,
                     "'%s' is called with another type than it was defined with, or returns a "
                     "struct of pointers and floats with a derivative",
                     nb_name(callee));
  unsigned count = LLVMGetNumArgOperands(call);
  LLVMValueRef *shadows = NB_NEW_ARRAY(context->arena, LLVMValueRef, count + 1);
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
  if (derivative->request.result == NB_ROLE_DUP && !statement->result)
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
  LLVMValueRef shadow = nb_linear_shadow(linear, argument);
  if (shadow)
    nb_map_set(linear->shadows, call, shadow == argument ? call : shadow);
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
    return linearise_allocation(linear, call, rule);
  case NB_RULE_FREE:
    return linearise_free(linear, call, rule);
  case NB_RULE_COPY:
  case NB_RULE_FILL:
    return linearise_transfer(linear, call, rule);
  case NB_RULE_INACTIVE:
    return linearise_effects(linear, call, rule, arguments_of(linear, call));
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
