// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Calls of functions that manage memory: what allocates, resizes, frees, copies and fills. */
#include "../../runtime/words.h"

#include "linear/build.h"
#include "objects/graph.h"

LLVMValueRef *nb_linear_arguments(NbLinear *linear, LLVMValueRef call) {
  unsigned count = LLVMGetNumArgOperands(call);
  LLVMValueRef *arguments = NB_NEW_ARRAY(linear->work->context->arena, LLVMValueRef, count + 1);
  for (unsigned i = 0; i < count; i++)
    arguments[i] = LLVMGetOperand(call, i);
  return arguments;
}

static LLVMValueRef as_count(NbLinear *linear, LLVMBuilderRef builder, LLVMValueRef bytes) {
  return LLVMBuildIntCast2(builder, bytes, LLVMInt64TypeInContext(linear->work->context->llvm),
                           false, "");
}

/* An integer that the call's row computes. */
static LLVMValueRef lower_extent(NbLinear *linear, LLVMBuilderRef builder, LLVMValueRef call,
                                 const NbExpr *extent) {
  NbContext *context = linear->work->context;
  NbLowering lowering = {.context = context,
                         .builder = builder,
                         .type = LLVMDoubleTypeInContext(context->llvm),
                         .arguments = nb_linear_arguments(linear, call),
                         .result = call};
  return nb_lower_expression(&lowering, extent);
}

LLVMValueRef nb_linear_allocated(NbLinear *linear, LLVMBuilderRef builder, LLVMValueRef call,
                                 const NbRule *rule) {
  return as_count(linear, builder, lower_extent(linear, builder, call, rule->extent));
}

static void dies_in_reverse(NbLinear *linear, LLVMValueRef call, const NbRule *rule,
                            LLVMValueRef shadow) {
  NbStatement *statement = nb_statement_new(linear, NB_STATEMENT_ALLOCATE, call);
  statement->address = shadow;
  bool lasts = nb_activity_lasts(linear->activity, call) && !nb_linear_is_freed(linear, call);
  statement->handed_out = lasts && nb_activity_releases(linear->activity, call);
  statement->rule = lasts && !statement->handed_out ? NULL : rule->partner;
  statement->maker = statement->rule && rule->handed_count ? rule : NULL;
}

/* What is freed may be memory that was allocated and handed out since the user's call began: its
 * shadow then dies with it, where the reverse sweep comes to the allocation. Any other shadow is
 * the user's, who finds in it the derivative by what the memory held. */
static void release(NbLinear *linear, LLVMValueRef call, LLVMValueRef pointer,
                    LLVMValueRef shadow) {
  if (!nb_activity_releases(linear->activity, pointer))
    return;
  NbStatement *statement = nb_statement_new(linear, NB_STATEMENT_RELEASE, call);
  statement->address = shadow;
}

/* A fresh shadow is zero. That the primal could be had and the shadow not is no case that the
 * program can handle. */
static void clear_shadow(NbLinear *linear, LLVMBuilderRef builder, LLVMValueRef call,
                         LLVMValueRef shadow, LLVMValueRef bytes, const NbRule *rule) {
  NbContext *context = linear->work->context;
  LLVMValueRef name = nb_runtime_function_name(context, linear->work->request->function);
  LLVMValueRef arguments[] = {shadow, call, bytes, name};
  const char *clear = rule->device   ? "__nabla_device_shadow_clear"
                      : rule->zeroed ? "__nabla_shadow_check"
                                     : "__nabla_shadow_clear";
  nb_runtime_call(context, builder, clear, LLVMVoidTypeInContext(context->llvm), arguments, 4);
}

/* Shadows go back in the reverse sweep to what they were allocated with. */
static bool check_handed(const NbLinear *linear, LLVMValueRef call, LLVMValueRef pointer) {
  if (!linear->effects || !nb_activity_takes_back(linear->activity, pointer) ||
      nb_effects_delayed(linear->effects, call))
    return true;
  return nb_refuse(linear->work->context, NB_ERROR_FREE, call,
                   "what is freed is what other memory goes back to, by the rule of the function "
                   "that allocates that, and the reverse sweep gives shadows back later");
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

uint64_t nb_linear_most(LLVMValueRef bytes) {
  return LLVMIsAConstantInt(bytes) ? LLVMConstIntGetZExtValue(bytes) : NB_UNKNOWN_SIZE;
}

/* Zeroed memory may be read before it is written, so that adjoints stay in its shadow: where the
 * reverse runs again, it leaves zeros there, also for links, which the tape has. */
static bool clear_for_again(NbLinear *linear, LLVMValueRef call, LLVMValueRef shadow,
                            LLVMValueRef bytes) {
  if (!linear->work->context->reads_again || linear->work->request->mode == NB_MODE_FORWARD)
    return true;
  NbStatement *statement = nb_statement_new(linear, NB_STATEMENT_FILL, call);
  statement->address = shadow;
  statement->extent = bytes;
  statement->layout = nb_types_layout(linear->types, call, nb_linear_most(bytes));
  nb_statement_clear_unknown(statement);
  if (!statement->layout.unknown && !needs_layout(linear, &statement->layout, call))
    return false;
  nb_linear_clear_hidden(linear, statement, call);
  return true;
}

static bool allocate_shadow(NbLinear *linear, LLVMValueRef call, const NbRule *rule,
                            unsigned lane) {
  LLVMBuilderRef builder = nb_builder_after(linear, call);
  LLVMValueRef shadow = LLVMInstructionClone(call);
  LLVMInsertIntoBuilderWithName(builder, shadow, "shadow");
  LLVMValueRef bytes = nb_linear_allocated(linear, builder, call, rule);
  clear_shadow(linear, builder, call, shadow, bytes, rule);
  LLVMDisposeBuilder(builder);
  nb_map_set(linear->shadows[lane], call, shadow);
  dies_in_reverse(linear, call, rule, shadow);
  return !rule->zeroed || clear_for_again(linear, call, shadow, bytes);
}

/* One allocation for all directions. */
static bool allocate_interleaved(NbLinear *linear, LLVMValueRef call, const NbRule *rule) {
  unsigned operand = 0;
  nb_interleaved_count(rule, &operand);
  LLVMBuilderRef builder = nb_builder_after(linear, call);
  LLVMValueRef shadow = LLVMInstructionClone(call);
  LLVMSetOperand(shadow, operand,
                 nb_interleaved_bytes(linear, builder, LLVMGetOperand(call, operand)));
  LLVMInsertIntoBuilderWithName(builder, shadow, "shadow");
  LLVMValueRef bytes = nb_linear_allocated(linear, builder, call, rule);
  bytes = nb_interleaved_bytes(linear, builder, bytes);
  clear_shadow(linear, builder, call, shadow, bytes, rule);
  nb_interleaved_set(linear, builder, call, shadow);
  LLVMDisposeBuilder(builder);
  dies_in_reverse(linear, call, rule, shadow);
  return true;
}

static bool linearise_allocation(NbLinear *linear, LLVMValueRef call, const NbRule *rule) {
  bool ok = true;
  linearise_delayed(linear, call, rule);
  if (!nb_activity_pointer(linear->activity, call))
    return true;
  if (nb_linear_is_interleaved(linear, call))
    return allocate_interleaved(linear, call, rule);
  for (unsigned lane = 0; ok && lane < linear->width; lane++)
    ok = allocate_shadow(linear, call, rule, lane);
  return ok;
}

/* Is the pointer, wherever it comes from, an allocation of this function? */
static bool is_own_allocation(NbLinear *linear, LLVMValueRef pointer, NbMap *seen) {
  if (nb_leads_nowhere(pointer) || nb_map_has(seen, pointer))
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
  if (rule && rule->kind == NB_RULE_RESIZE)
    return is_own_allocation(linear, LLVMGetOperand(pointer, rule->operands[0]), seen);
  return rule && rule->kind == NB_RULE_ALLOCATE;
}

static bool is_own_memory(NbLinear *linear, LLVMValueRef pointer) {
  return nb_linear_is_own(linear, pointer) ||
         is_own_allocation(linear, pointer, nb_map_new(linear->work->context->arena));
}

bool nb_linear_refuse_free(const NbLinear *linear, LLVMValueRef call) {
  return nb_refuse(linear->work->context, NB_ERROR_FREE, call,
                   "memory is freed here that may be of the caller of the derivative or not, so "
                   "that nobody knows whose its shadow is");
}

/* The shadow of what a free gets, NULL where that has none. */
static LLVMValueRef freed_shadow(NbLinear *linear, LLVMValueRef pointer, LLVMBuilderRef builder,
                                 unsigned lane) {
  LLVMValueRef shadow = nb_linear_shadow(linear, pointer, lane);
  if (!nb_linear_is_guarded(linear, pointer))
    return shadow;
  LLVMValueRef guard = nb_linear_guard(linear, pointer, lane);
  return LLVMBuildSelect(builder, guard, shadow, LLVMConstNull(LLVMTypeOf(shadow)), "");
}

/* Freeing no memory where the shadow is the primal itself. */
static void free_shadow(NbLinear *linear, LLVMValueRef call, const NbRule *rule, unsigned lane) {
  LLVMBuilderRef builder = nb_builder_after(linear, call);
  LLVMValueRef pointer = LLVMGetOperand(call, rule->operands[0]);
  LLVMValueRef shadow = freed_shadow(linear, pointer, builder, lane);
  LLVMValueRef twin = LLVMInstructionClone(call);
  LLVMSetOperand(twin, rule->operands[0], shadow);
  LLVMInsertIntoBuilder(builder, twin);
  LLVMDisposeBuilder(builder);
}

/* The primal's free stays where it is. Forward mode frees the shadow with it; in reverse mode the
 * shadow lives on, and dies where the reverse sweep reaches its allocation; that of what the user
 * allocated is the user's. */
static bool linearise_free(NbLinear *linear, LLVMValueRef call, const NbRule *rule) {
  LLVMValueRef pointer = LLVMGetOperand(call, rule->operands[0]);
  if (!check_handed(linear, call, pointer))
    return false;
  if (!nb_linear_has_shadow(linear, pointer))
    return true;
  if (linear->work->request->mode == NB_MODE_FORWARD) {
    unsigned count = nb_linear_is_interleaved(linear, pointer) ? 1 : linear->width;
    for (unsigned lane = 0; lane < count; lane++)
      free_shadow(linear, call, rule, lane);
    return true;
  }
  if (nb_linear_is_own(linear, pointer) || !nb_activity_releases(linear->activity, pointer))
    return true;
  if (nb_activity_allocates_outside(linear->activity, pointer))
    return is_own_memory(linear, pointer) || nb_linear_refuse_free(linear, call);
  for (unsigned lane = 0; lane < linear->width; lane++) {
    LLVMBuilderRef builder = nb_builder_after(linear, call);
    release(linear, call, pointer, freed_shadow(linear, pointer, builder, lane));
    LLVMDisposeBuilder(builder);
  }
  return true;
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
    if (!nb_piece_may_be_pointer(piece))
      continue;
    LLVMValueRef offset = nb_statement_offset(builder, statement, i, above);
    bool word = piece->kind == NB_KIND_WORD;
    LLVMValueRef arguments[] = {statement->address,
                                statement->address_from,
                                extent,
                                offset,
                                LLVMConstInt(count, piece->period, false),
                                nb_runtime_may(context, piece)};
    nb_runtime_call(context, builder, word ? "__nabla_copy_pointers_word" : "__nabla_copy_pointers",
                    LLVMVoidTypeInContext(context->llvm), arguments, word ? 6 : 5);
  }
  LLVMDisposeBuilder(builder);
}

/* What is moved may be something else than the layout says, as only the run tells. */
static bool tell_apart(NbLinear *linear, NbStatement *statement, const NbMemoryTransfer *transfer) {
  bool own[] = {nb_linear_is_own(linear, transfer->to),
                !statement->address_from || nb_linear_is_own(linear, transfer->from)};
  statement->layout = nb_types_either(linear->types, statement->origin, statement->layout, own);
  return needs_layout(linear, &statement->layout, statement->origin);
}

/* What comes from memory without a shadow has no tangent. Forward mode has copied its bytes, the
 * pointers among them; reverse mode copies none, for it would add to the primal. */
static void split_copy(NbLinear *linear, NbStatement *copy, LLVMValueRef from, unsigned lane) {
  NbAccess access = {copy->origin, from, lane};
  NbStatement *fill = nb_statement_new(linear, NB_STATEMENT_FILL, copy->origin);
  fill->address = copy->address;
  fill->layout = copy->layout;
  fill->extent = nb_linear_extent(linear, access, false, copy->extent);
  if (linear->work->request->mode == NB_MODE_REVERSE)
    copy->extent = nb_linear_extent(linear, access, true, copy->extent);
}

static bool linearise_copy(NbLinear *linear, NbStatement *copy, const NbMemoryTransfer *transfer) {
  LLVMValueRef from = transfer->from;
  unsigned lane = transfer->lane;
  bool reverse = linear->work->request->mode == NB_MODE_REVERSE;
  LLVMValueRef extent = copy->extent;
  copy->address_from = nb_linear_shadow(linear, from, lane);
  bool guarded = nb_linear_is_guarded(linear, from);
  bool needed = guarded || reverse || nb_layout_is_known(&copy->layout);
  if (needed && !tell_apart(linear, copy, transfer))
    return false;
  if (!nb_linear_reuse_for_copy(linear, copy, transfer->to, from))
    return false;
  if (guarded)
    split_copy(linear, copy, from, lane);
  if (!reverse)
    return true;
  copy_pointers(linear, copy, extent);
  return true;
}

static void keep_pointers(NbLinear *linear, LLVMValueRef call, const NbPiece *piece,
                          const NbMemoryTransfer *transfer) {
  NbContext *context = linear->work->context;
  LLVMTypeRef count = LLVMInt64TypeInContext(context->llvm);
  LLVMValueRef arguments[] = {transfer->from,
                              nb_linear_shadow(linear, transfer->from, transfer->lane),
                              transfer->to,
                              nb_linear_shadow(linear, transfer->to, transfer->lane),
                              transfer->extent,
                              LLVMConstInt(count, piece->offset, false),
                              LLVMConstInt(count, piece->period, false),
                              nb_runtime_place(context, linear->work->request->function, call)};
  LLVMBuilderRef builder = nb_builder_after(linear, call);
  nb_runtime_call(context, builder, "__nabla_keep_shadows", LLVMVoidTypeInContext(context->llvm),
                  arguments, 8);
  LLVMDisposeBuilder(builder);
}

/* A copy into memory of which only the run tells whether it has a shadow: where it has none, the
 * pointers that are copied must have none either. */
static bool keep_shadows(NbLinear *linear, const NbStatement *copy,
                         const NbMemoryTransfer *transfer) {
  bool pointers = nb_class_holds_pointers(nb_objects_class(linear->objects, transfer->to));
  if (!pointers || !nb_linear_is_guarded(linear, transfer->to))
    return true;
  if (!needs_layout(linear, &copy->layout, copy->origin))
    return false;
  for (unsigned i = 0; i < copy->layout.count; i++) {
    if (copy->layout.pieces[i].kind == NB_KIND_POINTER)
      keep_pointers(linear, copy->origin, &copy->layout.pieces[i], transfer);
  }
  return true;
}

/* Forward mode repeats on the shadow what makes pointers null. */
static void clear_pointers(NbLinear *linear, const NbStatement *fill) {
  NbContext *context = linear->work->context;
  LLVMTypeRef count = LLVMInt64TypeInContext(context->llvm);
  LLVMBuilderRef builder = nb_builder_after(linear, fill->origin);
  for (unsigned i = 0; i < fill->layout.count; i++) {
    const NbPiece *piece = &fill->layout.pieces[i];
    LLVMValueRef arguments[] = {fill->address, fill->extent,
                                LLVMConstInt(count, piece->offset, false),
                                LLVMConstInt(count, piece->period, false)};
    if (piece->kind == NB_KIND_POINTER)
      nb_runtime_call(context, builder, "__nabla_clear_pointers",
                      LLVMVoidTypeInContext(context->llvm), arguments, 4);
  }
  LLVMDisposeBuilder(builder);
}

/* Does the call set bytes to 0 that are not integers alone? Then forward mode does so with all of
 * them on the shadow, which has its primal's structure. */
static bool sets_all_to_zero(NbLinear *linear, LLVMValueRef call, const NbLayout *layout) {
  bool others = layout->unknown;
  for (unsigned i = 0; i < layout->count; i++)
    others |= layout->pieces[i].kind != NB_KIND_INTEGER;
  return others && linear->work->request->mode == NB_MODE_FORWARD && LLVMIsAMemSetInst(call) &&
         LLVMIsNull(LLVMGetOperand(call, 1));
}

static bool holds_no_pointers(NbLinear *linear, LLVMValueRef pointer) {
  NbClass *class = nb_objects_class(linear->objects, pointer);
  return !nb_class_is_external(class) && !nb_class_holds_pointers(class);
}

/* Constants of a type that nobody tells: what numbers they overwrite, the memory itself tells; it
 * does not matter where there are no pointers. */
static bool overwrite_numbers(NbLinear *linear, NbStatement *statement, LLVMValueRef to,
                              uint64_t size) {
  if (nb_layout_is_known(&statement->layout))
    return true;
  NbLayout layout = nb_types_layout(linear->types, to, size);
  for (unsigned i = 0; i < layout.count; i++)
    layout.unknown |= layout.pieces[i].kind == NB_KIND_POINTER;
  statement->layout = layout;
  if (!holds_no_pointers(linear, to))
    return needs_layout(linear, &statement->layout, statement->origin);
  nb_statement_clear_unknown(statement);
  return true;
}

/* Are integers alone copied somewhere in memory that holds numbers, nobody knows where? They may be
 * these. */
static bool strays_among_numbers(const NbLinear *linear, LLVMValueRef pointer, uint64_t size,
                                 const NbLayout *layout) {
  bool integers = true;
  for (unsigned i = 0; i < layout->count; i++)
    integers &= layout->pieces[i].kind == NB_KIND_INTEGER;
  return integers && nb_types_strays(linear->types, pointer, size) &&
         nb_types_is_astray(linear->types, pointer);
}

/* Words of which the run tells by their shadows what they are, so that links stay where they are
 * for whoever reads the tape again; the layout as it is where they need not begin at multiples of
 * eight.
 */
static NbLayout any_words(const NbLinear *linear, LLVMValueRef pointer, NbLayout layout) {
  const uint64_t word = sizeof(double);
  if (!nb_types_begins_word(linear->types, pointer))
    return layout;
  NbPiece *piece = NB_NEW(linear->work->context->arena, NbPiece);
  *piece = (NbPiece){.size = word, .period = word, .kind = NB_KIND_WORD};
  piece->may = __NABLA_MAY_DOUBLE | __NABLA_MAY_POINTER | __NABLA_MAY_LOWER | __NABLA_MAY_UPPER;
  return (NbLayout){piece, 1, false};
}

void nb_linear_clear_unknown(NbLinear *linear, NbStatement *fill, LLVMValueRef pointer) {
  nb_statement_clear_unknown(fill);
  bool reverse = linear->work->request->mode == NB_MODE_REVERSE;
  bool some = LLVMIsAConstantInt(fill->extent) && !nb_linear_is_own(linear, pointer);
  if (reverse && fill->layout.unknown && some && !holds_no_pointers(linear, pointer))
    fill->layout = any_words(linear, pointer, fill->layout);
}

static bool linearise_lane(NbLinear *linear, LLVMValueRef call, const NbMemoryTransfer *transfer) {
  LLVMValueRef to = transfer->to, from = nb_types_is_rest(call) ? NULL : transfer->from;
  bool copied = from && nb_linear_has_shadow(linear, from);
  NbStatementKind kind = copied ? NB_STATEMENT_COPY : NB_STATEMENT_FILL;
  NbStatement *statement = nb_statement_new(linear, kind, call);
  NbAccess access = {call, to, transfer->lane};
  LLVMValueRef extent = transfer->extent;
  statement->address = nb_linear_shadow(linear, to, transfer->lane);
  statement->extent = nb_linear_extent(linear, access, true, extent);
  uint64_t size = nb_linear_most(extent);
  statement->layout =
      from ? nb_types_transfer(linear->types, call) : nb_types_layout(linear->types, to, size);
  bool strays = copied ? strays_among_numbers(linear, to, size, &statement->layout) ||
                             strays_among_numbers(linear, from, size, &statement->layout)
                       : nb_types_strays(linear->types, to, size);
  statement->layout.unknown |= strays;
  statement->layout.unknown |=
      copied && nb_activity_carries_between(linear->activity, from, size, &statement->layout);
  if (copied)
    return keep_shadows(linear, statement, transfer) && linearise_copy(linear, statement, transfer);
  if (from) {
    if (!overwrite_numbers(linear, statement, to, size) ||
        (!statement->layout.unknown && !tell_apart(linear, statement, transfer)))
      return false;
    nb_linear_clear_hidden(linear, statement, to);
    return true;
  }
  bool known = nb_layout_is_known(&statement->layout);
  nb_linear_clear_unknown(linear, statement, to);
  if (sets_all_to_zero(linear, call, &statement->layout))
    statement->layout.unknown = true;
  else if (linear->work->request->mode == NB_MODE_FORWARD)
    clear_pointers(linear, statement);
  if (nb_linear_add_parts(linear, access, extent)) {
    statement->layout = (NbLayout){NULL, 0, false};
    return true;
  }
  bool reverse = linear->work->request->mode == NB_MODE_REVERSE;
  if (reverse && strays)
    statement->layout = any_words(linear, to, statement->layout);
  else if (reverse && known && !tell_apart(linear, statement, transfer))
    return false;
  nb_linear_clear_hidden(linear, statement, to);
  return true;
}

/* All directions at once: of the floats of one format that are all there is. */
static bool transfer_interleaved(NbLinear *linear, LLVMValueRef call,
                                 const NbMemoryTransfer *transfer) {
  bool copied = transfer->from && nb_linear_has_shadow(linear, transfer->from);
  NbStatement *statement =
      nb_statement_new(linear, copied ? NB_STATEMENT_COPY : NB_STATEMENT_FILL, call);
  LLVMBuilderRef builder = nb_builder_after(linear, call);
  statement->address = nb_linear_shadow(linear, transfer->to, 0);
  statement->address_from = copied ? nb_linear_shadow(linear, transfer->from, 0) : NULL;
  statement->extent = nb_interleaved_bytes(linear, builder, transfer->extent);
  statement->layout.unknown = true;
  LLVMDisposeBuilder(builder);
  return true;
}

static bool linearise_transfer(NbLinear *linear, LLVMValueRef call, const NbRule *rule) {
  bool copy = rule->kind == NB_RULE_COPY;
  LLVMValueRef bytes = LLVMGetOperand(call, rule->operands[copy ? 2 : 1]);
  NbMemoryTransfer transfer = {.to = LLVMGetOperand(call, rule->operands[0])};
  bool ok = true;
  if (copy)
    transfer.from = LLVMGetOperand(call, rule->operands[1]);
  if (!nb_linear_has_shadow(linear, transfer.to))
    return true;
  LLVMBuilderRef builder = nb_builder_after(linear, call);
  transfer.extent = as_count(linear, builder, bytes);
  LLVMDisposeBuilder(builder);
  if (nb_linear_is_interleaved(linear, transfer.to))
    return transfer_interleaved(linear, call, &transfer);
  for (; ok && transfer.lane < linear->width; transfer.lane++)
    ok = rule->device ? nb_linearise_device(linear, call, &transfer)
                      : linearise_lane(linear, call, &transfer);
  return ok;
}

/* Of what has no tangent: what it overwrites the memory itself tells. */
static bool fill_lane(NbLinear *linear, LLVMValueRef call, const NbMemoryTransfer *fill) {
  NbStatement *statement = nb_statement_new(linear, NB_STATEMENT_FILL, call);
  NbAccess access = {call, fill->to, fill->lane};
  statement->address = nb_linear_shadow(linear, fill->to, fill->lane);
  statement->extent = nb_linear_extent(linear, access, true, fill->extent);
  statement->layout = nb_types_layout(linear->types, fill->to, nb_linear_most(fill->extent));
  nb_linear_clear_unknown(linear, statement, fill->to);
  nb_linear_add_parts(linear, access, fill->extent);
  if (linear->work->request->mode == NB_MODE_FORWARD)
    clear_pointers(linear, statement);
  else
    statement->layout = nb_types_either_at(linear->types, fill->to, statement->layout,
                                           nb_linear_is_own(linear, fill->to));
  if (!statement->layout.unknown && !needs_layout(linear, &statement->layout, call))
    return false;
  nb_linear_clear_hidden(linear, statement, fill->to);
  return true;
}

static bool linearise_fill(NbLinear *linear, LLVMValueRef call, NbMemoryTransfer fill) {
  bool ok = true;
  for (; ok && fill.lane < linear->width; fill.lane++)
    ok = fill_lane(linear, call, &fill);
  return ok;
}

bool nb_linearise_string(NbLinear *linear, LLVMValueRef call, LLVMValueRef to,
                         const NbEffect *effect) {
  NbContext *context = linear->work->context;
  LLVMBuilderRef builder = nb_builder_after(linear, call);
  LLVMTypeRef count = LLVMInt64TypeInContext(context->llvm);
  LLVMValueRef arguments[] = {to, NULL};
  NbMemoryTransfer fill = {.to = to};
  if (effect->extent)
    arguments[1] = as_count(linear, builder, lower_extent(linear, builder, call, effect->extent));
  if (!effect->ended)
    fill.extent = arguments[1];
  else
    fill.extent = nb_runtime_call(context, builder,
                                  arguments[1] ? "__nabla_text_bytes_most" : "__nabla_text_bytes",
                                  count, arguments, arguments[1] ? 2 : 1);
  LLVMDisposeBuilder(builder);
  return linearise_fill(linear, call, fill);
}

bool nb_linearise_numbers(NbLinear *linear, LLVMValueRef call, LLVMValueRef to,
                          const NbExpr *extent, LLVMTypeRef type) {
  NbContext *context = linear->work->context;
  LLVMBuilderRef builder = nb_builder_after(linear, call);
  LLVMTypeRef index = LLVMInt64TypeInContext(context->llvm);
  LLVMValueRef count = lower_extent(linear, builder, call, extent);
  count = LLVMBuildIntCast2(builder, count, index, true, "");
  LLVMValueRef none = LLVMConstNull(index);
  LLVMValueRef any = LLVMBuildICmp(builder, LLVMIntSGT, count, none, "");
  count = LLVMBuildSelect(builder, any, count, none, "");
  NbMemoryTransfer fill = {.to = to};
  fill.extent = LLVMBuildMul(builder, count,
                             LLVMConstInt(index, nb_store_size(context, type), false), "written");
  LLVMDisposeBuilder(builder);
  return linearise_fill(linear, call, fill);
}

bool nb_linearise_constants(NbLinear *linear, LLVMValueRef call, LLVMValueRef to, uint64_t bytes) {
  LLVMTypeRef count = LLVMInt64TypeInContext(linear->work->context->llvm);
  NbMemoryTransfer fill = {.to = to, .extent = LLVMConstInt(count, bytes, false)};
  return linearise_fill(linear, call, fill);
}

static LLVMValueRef measure(NbLinear *linear, LLVMBuilderRef builder, const NbRule *rule,
                            LLVMValueRef block) {
  NbContext *context = linear->work->context;
  return nb_runtime_call(context, builder, rule->measure->name,
                         LLVMInt64TypeInContext(context->llvm), &block, 1);
}

/* Where the primal's memory could not be resized it is still there, and so is its shadow. */
static LLVMValueRef unless_failed(LLVMBuilderRef builder, LLVMValueRef call, LLVMValueRef bytes,
                                  LLVMValueRef value, const char *name) {
  LLVMValueRef wanted = LLVMBuildIsNotNull(builder, bytes, "");
  LLVMValueRef failed = LLVMBuildAnd(builder, LLVMBuildIsNull(builder, call, ""), wanted, "failed");
  return LLVMBuildSelect(builder, failed, LLVMConstNull(LLVMTypeOf(value)), value, name);
}

/* Forward mode resizes the shadow as the primal was. */
static void resize_shadow(NbLinear *linear, LLVMValueRef call, const NbRule *rule, unsigned lane) {
  LLVMValueRef before = nb_linear_shadow(linear, LLVMGetOperand(call, rule->operands[0]), lane);
  NbContext *context = linear->work->context;
  LLVMBuilderRef builder = nb_builder_after(linear, call);
  LLVMValueRef bytes = nb_linear_allocated(linear, builder, call, rule);
  before = unless_failed(builder, call, bytes, before, "");
  LLVMValueRef old = measure(linear, builder, rule, before);
  LLVMValueRef shadow = LLVMInstructionClone(call);
  LLVMSetOperand(shadow, rule->operands[0], before);
  LLVMInsertIntoBuilderWithName(builder, shadow, "shadow");
  LLVMValueRef name = nb_runtime_function_name(context, linear->work->request->function);
  LLVMValueRef arguments[] = {shadow, call, old, bytes, name};
  nb_runtime_call(context, builder, "__nabla_shadow_resized", LLVMVoidTypeInContext(context->llvm),
                  arguments, 5);
  LLVMDisposeBuilder(builder);
  nb_map_set(linear->shadows[lane], call, shadow);
}

/* In reverse mode the old shadow lives on, for statements before this one have its address. The new
 * one is fresh; what both have in common is a copy. Nothing comes to the old one behind this one:
 * of what its bytes are nobody needs to know to move its adjoint, only that they are no pointers.
 */
static bool renew_shadow(NbLinear *linear, LLVMValueRef call, const NbRule *rule, unsigned lane) {
  LLVMValueRef before = nb_linear_shadow(linear, LLVMGetOperand(call, rule->operands[0]), lane);
  LLVMBuilderRef builder = nb_builder_after(linear, call);
  LLVMValueRef shadow = LLVMInstructionClone(call);
  LLVMSetOperand(shadow, rule->operands[0], LLVMConstNull(LLVMTypeOf(before)));
  LLVMInsertIntoBuilderWithName(builder, shadow, "shadow");
  LLVMValueRef bytes = nb_linear_allocated(linear, builder, call, rule);
  clear_shadow(linear, builder, call, shadow, bytes, rule);
  LLVMValueRef old = measure(linear, builder, rule, before);
  LLVMValueRef less = LLVMBuildICmp(builder, LLVMIntULT, old, bytes, "");
  LLVMValueRef common = LLVMBuildSelect(builder, less, old, bytes, "");
  common = unless_failed(builder, call, bytes, common, "common");
  LLVMValueRef freed = unless_failed(builder, call, bytes, before, "");
  LLVMDisposeBuilder(builder);
  nb_map_set(linear->shadows[lane], call, shadow);
  dies_in_reverse(linear, call, rule, shadow);
  NbStatement *copy = nb_statement_new(linear, NB_STATEMENT_COPY, call);
  copy->address = shadow;
  copy->address_from = before;
  copy->extent = common;
  copy->layout = nb_types_layout(linear->types, call, nb_linear_most(bytes));
  bool own = nb_linear_is_own(linear, LLVMGetOperand(call, rule->operands[0]));
  copy->layout = nb_types_either_at(linear->types, call, copy->layout, own);
  copy->moved = !nb_layout_is_known(&copy->layout) &&
                !nb_class_holds_pointers(nb_value_class(linear->objects, call));
  if (copy->moved)
    copy->layout = (NbLayout){.unknown = true};
  if (!copy->moved && !needs_layout(linear, &copy->layout, call))
    return false;
  copy_pointers(linear, copy, common);
  release(linear, call, call, freed);
  return true;
}

static bool linearise_resize(NbLinear *linear, LLVMValueRef call, const NbRule *rule) {
  LLVMValueRef pointer = LLVMGetOperand(call, rule->operands[0]);
  bool ok = true;
  if (!nb_activity_pointer(linear->activity, call))
    return true;
  if (!nb_linear_shadow(linear, pointer, 0) || nb_linear_is_guarded(linear, pointer))
    return nb_refuse(linear->work->context, NB_ERROR_FREE, call,
                     "memory is resized of which only the run tells whether it has a shadow");
  bool forward = linear->work->request->mode == NB_MODE_FORWARD;
  bool inside = linear->work->request->regions && nb_activity_lasts(linear->activity, call) &&
                !nb_activity_releases(linear->activity, call);
  if (!forward && (inside || nb_activity_allocates_outside(linear->activity, call)))
    return nb_linear_refuse_free(linear, call);
  for (unsigned lane = 0; ok && lane < linear->width; lane++) {
    if (forward)
      resize_shadow(linear, call, rule, lane);
    else
      ok = renew_shadow(linear, call, rule, lane);
  }
  return ok;
}

bool nb_linearise_memory(NbLinear *linear, LLVMValueRef call, const NbRule *rule) {
  switch (rule->kind) {
  case NB_RULE_ALLOCATE:
    return linearise_allocation(linear, call, rule);
  case NB_RULE_FREE:
    return linearise_free(linear, call, rule);
  case NB_RULE_RESIZE:
    return linearise_resize(linear, call, rule);
  default:
    return linearise_transfer(linear, call, rule);
  }
}
