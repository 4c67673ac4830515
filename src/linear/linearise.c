// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Takes the working copy apart: the primal stays, the shadow program and the coefficients are
 * written beside it, and the statements of the linear program are made.
 *
 * Every rule is used once, as a tangent; both modes print what is made here. */
#include "linear/build.h"
#include "types/facts.h"
#include "types/slots.h"

#include "prepare/unwind.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

NbStatement *nb_statement_new(NbLinear *linear, NbStatementKind kind, LLVMValueRef origin) {
  NbStatement *statement = NB_NEW(linear->work->context->arena, NbStatement);
  NbLinearBlock *block = &linear->blocks[nb_unwind_block(linear->work, origin)->index];
  statement->kind = kind;
  statement->origin = origin;
  statement->width = linear->width;
  nb_statement_append(block, statement);
  return statement;
}

LLVMBuilderRef nb_builder_after(const NbLinear *linear, LLVMValueRef inst) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(linear->work->context->llvm);
  LLVMPositionBuilderBefore(builder, nb_map_get(linear->following, inst));
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(inst));
  return builder;
}

bool nb_linear_is_active(const NbLinear *linear, LLVMValueRef value) {
  return nb_map_get(linear->active, value) != NULL;
}

LLVMValueRef nb_linear_primal(const NbLinear *linear, LLVMValueRef value) {
  LLVMValueRef primal = nb_map_get(linear->primal_of, value);
  return primal ? primal : value;
}

bool nb_linear_has_shadow(const NbLinear *linear, LLVMValueRef pointer) {
  if (LLVMIsAGlobalVariable(pointer) || LLVMIsAConstantExpr(pointer))
    return nb_linear_shadow(linear, pointer, 0) != NULL;
  return nb_map_has(linear->shadows[0], pointer);
}

bool nb_linear_memory_active(const NbLinear *linear, LLVMValueRef pointer) {
  return nb_activity_memory(linear->activity, pointer);
}

static NbSource *sources_of(NbLinear *linear, NbStatement *statement, unsigned count) {
  statement->sources = NB_NEW_ARRAY(linear->work->context->arena, NbSource, count + 1);
  return statement->sources;
}

static LLVMValueRef active_or_null(const NbLinear *linear, LLVMValueRef value) {
  return nb_linear_is_active(linear, value) ? value : NULL;
}

static bool linearise_copies(NbLinear *linear, LLVMValueRef inst, NbStatementKind kind,
                             unsigned first, unsigned count) {
  NbStatement *statement = nb_statement_new(linear, kind, inst);
  statement->result = inst;
  NbSource *sources = sources_of(linear, statement, count);
  for (unsigned i = 0; i < count; i++)
    sources[i].value = active_or_null(linear, LLVMGetOperand(inst, first + i));
  statement->count = count;
  if (kind == NB_STATEMENT_CHOOSE)
    statement->decision = LLVMGetOperand(inst, 0);
  return true;
}

static bool linearise_select(NbLinear *linear, LLVMValueRef select) {
  unsigned product = nb_speculated_product(select);
  return product ? linearise_copies(linear, select, NB_STATEMENT_SUM, product, 1)
                 : linearise_copies(linear, select, NB_STATEMENT_CHOOSE, 1, 2);
}

/* How much a float, or those of a vector, hold; 0: neither. */
static unsigned rank_of(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(nb_scalar_type(type));
  if (!nb_is_float_kind(kind))
    return 0;
  return kind == LLVMBFloatTypeKind ? LLVMHalfTypeKind : kind;
}

/* The type of which a sum is. */
static LLVMTypeRef type_of_sum(const NbStatement *sum) {
  LLVMTypeRef type = sum->result ? LLVMTypeOf(sum->result) : sum->type;
  if (!sum->member)
    return type;
  bool vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
  return vector ? LLVMGetElementType(type) : LLVMStructGetTypeAtIndex(type, sum->member - 1);
}

/* The one that holds more; `first` where neither does. */
static LLVMTypeRef wider(LLVMTypeRef first, LLVMTypeRef second) {
  return rank_of(second) > rank_of(first) ? second : first;
}

/* The type of `source`, in the format of `type`. */
static LLVMTypeRef in_format(LLVMTypeRef source, LLVMTypeRef type) {
  LLVMTypeRef scalar = nb_scalar_type(type);
  bool vector = LLVMGetTypeKind(source) == LLVMVectorTypeKind;
  return vector ? LLVMVectorType(scalar, LLVMGetVectorSize(source)) : scalar;
}

/* The coefficient of a term in the wider format of its source and of the sum, computed in the
 * widest of all that the instruction has. */
static LLVMValueRef coefficient_of(NbLowering *lowering, const NbStatement *sum,
                                   const NbTerm *term) {
  LLVMTypeRef source = LLVMTypeOf(lowering->arguments[term->parameter]);
  LLVMTypeRef kept = wider(source, type_of_sum(sum));
  LLVMTypeRef widest = kept;
  for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(sum->origin); i++)
    widest = wider(widest, LLVMTypeOf(LLVMGetOperand(sum->origin, i)));
  lowering->type = in_format(source, widest);
  LLVMValueRef value = nb_lower_expression(lowering, term->coefficient);
  if (rank_of(widest) == rank_of(kept))
    return value;
  return LLVMBuildFPCast(lowering->builder, value, in_format(source, kept), "");
}

void nb_linearise_sources(NbLinear *linear, NbStatement *statement, LLVMValueRef inst,
                          const NbTerm *terms, unsigned count, const LLVMValueRef *arguments) {
  LLVMBuilderRef builder = nb_builder_after(linear, inst);
  NbLowering lowering = {.context = linear->work->context,
                         .builder = builder,
                         .arguments = arguments,
                         .result = inst,
                         .fast_math = nb_lower_flags(inst)};
  NbSource *sources = sources_of(linear, statement, count);
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef source = arguments[terms[i].parameter];
    if (!nb_linear_is_active(linear, source))
      continue;
    LLVMValueRef coefficient = coefficient_of(&lowering, statement, &terms[i]);
    sources[statement->count++] = (NbSource){source, coefficient};
  }
  LLVMDisposeBuilder(builder);
}

void nb_linearise_terms(NbLinear *linear, LLVMValueRef inst, const NbRule *rule,
                        const LLVMValueRef *arguments) {
  NbStatement *statement = nb_statement_new(linear, NB_STATEMENT_SUM, inst);
  statement->result = inst;
  nb_linearise_sources(linear, statement, inst, rule->terms, rule->term_count, arguments);
}

static bool linearise_arithmetic(NbLinear *linear, LLVMValueRef inst, const char *opcode) {
  const NbRule *rule = nb_rules_find_instruction(linear->work->context->rules, opcode);
  LLVMValueRef arguments[2];
  for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(inst); i++)
    arguments[i] = LLVMGetOperand(inst, i);
  nb_linearise_terms(linear, inst, rule, arguments);
  return true;
}

static bool note_interleaved(NbLinear *linear, NbStatement *statement, LLVMValueRef inst,
                             LLVMValueRef pointer) {
  statement->interleaved = nb_linear_is_interleaved(linear, pointer);
  if (linear->inputs && nb_map_has(linear->inputs, pointer))
    statement->site = ++linear->site_count;
  if (statement->interleaved && linear->inputs)
    statement->listed = nb_interleaved_parameter(linear, pointer);
  if (statement->interleaved)
    statement->align = nb_interleaved_alignment(linear, pointer, LLVMGetAlignment(inst));
  return statement->interleaved;
}

/* Do pointers, or other numbers, lie there at other times? */
static bool loads_either(const NbLinear *linear, LLVMValueRef load) {
  uint64_t size = nb_store_size(linear->work->context, LLVMTypeOf(load));
  NbLayout layout = nb_types_layout(linear->types, LLVMGetOperand(load, 0), size);
  bool either = false;
  for (unsigned i = 0; i < layout.count && !layout.unknown; i++)
    either |= layout.pieces[i].kind == NB_KIND_CONFLICT;
  return either;
}

/* Notes what the run has to tell of the number, and of what it is chosen for. */
static void note_words(NbLinear *linear, LLVMValueRef load) {
  NbArena *arena = linear->work->context->arena;
  NbMap *choices = nb_map_new(arena);
  uint32_t may = nb_activity_moves_floats(linear->activity, load, choices);
  for (unsigned i = 0; may && i < nb_map_count(choices); i++) {
    const void *value = nb_map_key(choices, i);
    NbPiece *piece = nb_map_get(linear->words, value);
    if (!piece)
      piece = NB_NEW(arena, NbPiece);
    piece->may |= may;
    nb_map_set(linear->words, value, piece);
  }
}

static bool linearise_load(NbLinear *linear, LLVMValueRef inst) {
  NbStatement *statement = nb_statement_new(linear, NB_STATEMENT_LOAD, inst);
  statement->result = inst;
  statement->type = LLVMTypeOf(inst);
  LLVMValueRef pointer = LLVMGetOperand(inst, 0);
  statement->align = nb_linear_alignment(linear, statement->type, LLVMGetAlignment(inst));
  statement->addresses =
      nb_linear_addresses(linear, inst, pointer, statement->type, NB_STANDIN_LOAD);
  if (note_interleaved(linear, statement, inst, pointer))
    return true;
  note_words(linear, inst);
  statement->either = nb_map_has(linear->words, inst) || loads_either(linear, inst);
  if (statement->addresses)
    nb_linear_check_moved_number(linear, inst);
  if (statement->addresses)
    return true;
  return nb_refuse(linear->work->context, NB_ERROR_POINTER, inst,
                   "an active value is loaded through a pointer whose shadow is not known");
}

/* A float stored over active memory: its tangent, or zero. */
static void linearise_float_store(NbLinear *linear, LLVMValueRef inst) {
  LLVMValueRef value = LLVMGetOperand(inst, 0);
  LLVMValueRef pointer = LLVMGetOperand(inst, 1);
  NbStatement *statement = nb_statement_new(linear, NB_STATEMENT_STORE, inst);
  statement->type = LLVMTypeOf(value);
  statement->align = nb_linear_alignment(linear, statement->type, LLVMGetAlignment(inst));
  statement->addresses =
      nb_linear_addresses(linear, inst, pointer, statement->type, NB_STANDIN_STORE);
  note_interleaved(linear, statement, inst, pointer);
  sources_of(linear, statement, 1)[0].value = value;
  statement->count = nb_linear_is_active(linear, value) ? 1 : 0;
}

/* Writes the value, which is no number with a derivative, where the shadow has its place. */
static void store_in_shadow(NbLinear *linear, NbAccess access, LLVMValueRef value) {
  LLVMValueRef address = nb_linear_address(linear, access, LLVMTypeOf(value), NB_STANDIN_POINTER);
  LLVMBuilderRef builder = nb_builder_after(linear, access.inst);
  LLVMValueRef store = LLVMBuildStore(builder, value, address);
  unsigned align = LLVMGetAlignment(access.inst);
  LLVMSetAlignment(store, nb_linear_alignment(linear, LLVMTypeOf(value), align));
  unsigned tag = LLVMGetMDKindIDInContext(linear->work->context->llvm, "tbaa", strlen("tbaa"));
  LLVMSetMetadata(store, tag, LLVMGetMetadata(access.inst, tag));
  nb_access_note_as(store, access.inst);
  LLVMDisposeBuilder(builder);
}

static void shadow_store(NbLinear *linear, NbAccess access) {
  LLVMValueRef value = LLVMGetOperand(access.inst, 0);
  LLVMValueRef shadow = nb_linear_shadow(linear, value, access.lane);
  nb_linear_keep_shadow(linear, access, value);
  store_in_shadow(linear, access, shadow ? shadow : value);
}

/* Do integers fill these bytes of memory? */
static bool holds_integers(const NbLinear *linear, LLVMValueRef pointer, uint64_t bytes) {
  NbLayout layout = nb_types_layout(linear->types, pointer, bytes);
  uint64_t filled = 0;
  for (unsigned i = 0; i < layout.count; i++) {
    if (layout.pieces[i].kind != NB_KIND_INTEGER || layout.pieces[i].period)
      return false;
    filled += layout.pieces[i].size;
  }
  return !layout.unknown && filled >= bytes;
}

/* Is what is loaded an integer, by its declaration or as the memory there holds one? */
static bool reads_integer(const void *user, LLVMValueRef value) {
  const NbLinear *linear = user;
  if (nb_types_declared_number(linear->types, value) ||
      nb_activity_is_checked(linear->activity, value))
    return true;
  uint64_t bytes = nb_store_size(linear->work->context, LLVMTypeOf(value));
  return holds_integers(linear, LLVMGetOperand(value, 0), bytes);
}

/* A shadow has its primal's structure: with the numbers of a struct go the integers beside them
 * (how many there are). Memory of integers alone need have no shadow, whatever the caller passes;
 * and reverse mode adds to shadows, which nothing else may lie in. */
static void mirror_integer(NbLinear *linear, LLVMValueRef store) {
  LLVMValueRef value = LLVMGetOperand(store, 0), pointer = LLVMGetOperand(store, 1);
  uint64_t bytes = nb_store_size(linear->work->context, LLVMTypeOf(value));
  if (linear->work->request->mode != NB_MODE_FORWARD || LLVMGetVolatile(store) ||
      LLVMGetOrdering(store) != LLVMAtomicOrderingNotAtomic ||
      nb_activity_carries(linear->activity, pointer, bytes) ||
      nb_types_may_be_float(linear->types, pointer, bytes) ||
      nb_types_also_hold(linear->types, pointer, bytes, NB_KIND_FLOAT, false) ||
      !holds_integers(linear, pointer, bytes) ||
      nb_types_holds_integers_alone(linear->types, pointer))
    return;
  for (unsigned lane = 0; lane < linear->width; lane++)
    store_in_shadow(linear, (NbAccess){store, pointer, lane}, value);
}

enum { MOST_MOVES = 16 };

/* Is the integer one that lies in memory with a derivative, as it is or the least of several, say,
 * and nothing but its being compared tells that it is no float? */
static bool comes_from_active(const NbLinear *linear, LLVMValueRef value, NbMap *seen) {
  if (!LLVMIsAInstruction(value) || nb_map_has(seen, value))
    return false;
  nb_map_set(seen, value, value);
  if (nb_map_count(seen) > MOST_MOVES)
    return true;
  if (LLVMIsALoadInst(value))
    return nb_linear_memory_active(linear, LLVMGetOperand(value, 0)) &&
           !nb_types_declared_number(linear->types, value) &&
           !nb_activity_is_checked(linear->activity, value);
  if (!LLVMIsAPHINode(value) && !LLVMIsASelectInst(value) && !LLVMIsAIntrinsicInst(value))
    return false;
  for (int i = LLVMIsASelectInst(value) ? 1 : 0; i < LLVMGetNumOperands(value); i++)
    if (comes_from_active(linear, LLVMGetOperand(value, (unsigned)i), seen))
      return true;
  return false;
}

/* Is it a constant, or an integer of memory without a derivative that is too short for a pointer,
 * made longer? */
static bool is_longer_constant(const NbLinear *linear, LLVMValueRef value) {
  bool longer = LLVMIsASExtInst(value) || LLVMIsAZExtInst(value);
  LLVMValueRef load = longer ? LLVMGetOperand(value, 0) : NULL;
  if (!load)
    return LLVMIsAConstantInt(value);
  if (!LLVMIsALoadInst(load))
    return false;
  LLVMValueRef pointer = LLVMGetOperand(load, 0);
  uint64_t bytes = nb_store_size(linear->work->context, LLVMTypeOf(load));
  return bytes <= 4 && !nb_linear_memory_active(linear, pointer) &&
         !nb_activity_carries(linear->activity, pointer, bytes);
}

/* The same of one of two of these: what is below zero counts as nothing, say. */
static bool chooses_constant(const NbLinear *linear, LLVMValueRef value) {
  return LLVMIsASelectInst(value) && is_longer_constant(linear, LLVMGetOperand(value, 1)) &&
         is_longer_constant(linear, LLVMGetOperand(value, 2));
}

/* Are the bits stored those of no pointer and of nothing with a derivative? */
static bool stores_number(const NbLinear *linear, LLVMValueRef store) {
  LLVMValueRef value = LLVMGetOperand(store, 0);
  return is_longer_constant(linear, value) || chooses_constant(linear, value) ||
         LLVMIsAConstantDataVector(value) || LLVMIsNull(value) ||
         nb_types_declared_number(linear->types, store) ||
         nb_facts_of_access(store) == NB_KIND_INTEGER || nb_integer_is_number(value) ||
         nb_integer_made_of_numbers(value, reads_integer, linear);
}

/* May they be those of a float, which are read as one where they are stored? */
static bool stores_float(const NbLinear *linear, LLVMValueRef store, uint64_t bytes) {
  LLVMValueRef value = LLVMGetOperand(store, 0), pointer = LLVMGetOperand(store, 1);
  return nb_types_also_hold(linear->types, pointer, bytes, NB_KIND_FLOAT, false) &&
         !nb_types_declared_number(linear->types, store) &&
         comes_from_active(linear, value, nb_map_new(linear->work->context->arena));
}

static NbStatement *new_fill(NbLinear *linear, NbAccess access, uint64_t bytes) {
  LLVMTypeRef count = LLVMInt64TypeInContext(linear->work->context->llvm);
  NbStatement *statement = nb_statement_new(linear, NB_STATEMENT_FILL, access.inst);
  statement->address = nb_linear_shadow(linear, access.pointer, access.lane);
  statement->extent = nb_linear_extent(linear, access, true, LLVMConstInt(count, bytes, false));
  return statement;
}

/* An integer where an integer belongs, and a float may lie at another time. */
static void clear_under_integer(NbLinear *linear, NbAccess access, uint64_t bytes) {
  NbTypes *types = linear->types;
  bool external = nb_class_is_external(nb_objects_class(linear->objects, access.pointer));
  if (nb_types_also_hold(types, access.pointer, bytes, NB_KIND_FLOAT, external) &&
      !nb_types_also_hold(types, access.pointer, bytes, NB_KIND_POINTER, false))
    new_fill(linear, access, bytes)->layout = (NbLayout){NULL, 0, true};
}

/* Integers over memory that may hold floats: what they overwrite has no tangent any more. */
static bool integer_store(NbLinear *linear, NbAccess access) {
  NbContext *context = linear->work->context;
  LLVMValueRef inst = access.inst, pointer = access.pointer;
  uint64_t bytes = nb_store_size(context, LLVMTypeOf(LLVMGetOperand(inst, 0)));
  LLVMValueRef extent = LLVMConstInt(LLVMInt64TypeInContext(context->llvm), bytes, false);
  bool carried = nb_activity_carries(linear->activity, pointer, bytes);
  if (!carried && !nb_types_may_be_float(linear->types, pointer, bytes)) {
    clear_under_integer(linear, access, bytes);
    return true;
  }
  NbStatement *statement = new_fill(linear, access, bytes);
  statement->layout = nb_types_layout(linear->types, pointer, bytes);
  statement->layout.unknown |= carried;
  bool number = stores_number(linear, inst);
  if (number)
    nb_linear_clear_unknown(linear, statement, pointer);
  bool clear = nb_linear_add_parts(linear, access, extent);
  bool known = number || nb_layout_is_known(&statement->layout);
  if (clear)
    statement->layout = (NbLayout){NULL, 0, false};
  else
    nb_linear_clear_hidden(linear, statement, pointer);
  if (known && !stores_float(linear, inst, bytes))
    return true;
  return nb_refuse(context, NB_ERROR_UNKNOWN_TYPE, inst,
                   "an integer is stored over active memory whose type is not known here");
}

static bool linearise_store(NbLinear *linear, LLVMValueRef inst) {
  LLVMValueRef pointer = LLVMGetOperand(inst, 1);
  LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(inst, 0));
  bool ok = true;
  if (!nb_linear_shadow(linear, pointer, 0) || !nb_linear_has_shadow(linear, pointer))
    return true;
  bool pointers = nb_type_has_pointer(type);
  for (unsigned lane = 0; pointers && lane < linear->width; lane++)
    shadow_store(linear, (NbAccess){inst, pointer, lane});
  if (pointers)
    return nb_linear_reuse_for_pointer(linear, inst);
  bool number = nb_type_has_float(type);
  if (!number)
    mirror_integer(linear, inst);
  if (!nb_linear_memory_active(linear, pointer))
    return true;
  if (number) {
    linearise_float_store(linear, inst);
    return nb_linear_is_interleaved(linear, pointer) || nb_linear_reuse_for_number(linear, inst);
  }
  for (unsigned lane = 0; ok && lane < linear->width; lane++)
    ok = integer_store(linear, (NbAccess){inst, pointer, lane});
  return ok;
}

static bool linearise_float(NbLinear *linear, LLVMValueRef inst) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(inst);
  const char *arithmetic = nb_opcode_name(opcode);
  if (arithmetic)
    return linearise_arithmetic(linear, inst, arithmetic);
  switch (opcode) {
  case LLVMPHI:
    return linearise_copies(linear, inst, NB_STATEMENT_PHI, 0, LLVMCountIncoming(inst));
  case LLVMSelect:
    return linearise_select(linear, inst);
  case LLVMFPExt:
  case LLVMFPTrunc:
  case LLVMFreeze:
    return linearise_copies(linear, inst, NB_STATEMENT_SUM, 0, 1);
  case LLVMLoad:
    return linearise_load(linear, inst);
  case LLVMExtractElement:
  case LLVMExtractValue:
  case LLVMBitCast:
    return linearise_copies(linear, inst, NB_STATEMENT_SHUFFLE, 0, 1);
  case LLVMInsertElement:
  case LLVMInsertValue:
  case LLVMShuffleVector:
    return linearise_copies(linear, inst, NB_STATEMENT_SHUFFLE, 0, 2);
  default:
    return nb_refuse(linear->work->context, NB_ERROR_NO_RULE, inst,
                     "an active value is computed by an instruction that has no derivative yet");
  }
}

/* A stack array that lives on is given back where the reverse sweep comes to it. */
static bool linearise_array(NbLinear *linear, LLVMValueRef array) {
  if (linear->effects && nb_map_has(nb_effects_kept_arrays(linear->effects), array)) {
    NbStatement *statement = nb_statement_new(linear, NB_STATEMENT_ALLOCATE, array);
    statement->address = array;
    statement->from_runtime = true;
  }
  return !nb_activity_pointer(linear->activity, array) || nb_shadow_instruction(linear, array);
}

/* May it be the bits of a number that go on to memory? In forward mode their shadow goes with them,
 * wherever it would lead as a pointer. */
static bool moves_bits(const NbLinear *linear, LLVMValueRef load) {
  bool forward = linear->work->request->mode == NB_MODE_FORWARD;
  if (!forward || !LLVMIsALoadInst(load) || !nb_linear_has_shadow(linear, LLVMGetOperand(load, 0)))
    return false;
  for (LLVMUseRef use = LLVMGetFirstUse(load); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == load &&
        nb_activity_puns(linear->activity, user, 0))
      return true;
  }
  return false;
}

static bool linearise_instruction(NbLinear *linear, LLVMValueRef inst) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(inst);
  if (!nb_linear_check_unneeded(linear, inst))
    return false;
  if (opcode == LLVMCall)
    return nb_linearise_call(linear, inst);
  if (opcode == LLVMStore)
    return linearise_store(linear, inst);
  if (opcode == LLVMAlloca)
    return linearise_array(linear, inst);
  bool pointer = nb_type_has_pointer(LLVMTypeOf(inst));
  if (pointer && (nb_activity_pointer(linear->activity, inst) || moves_bits(linear, inst)) &&
      !nb_shadow_instruction(linear, inst))
    return false;
  return !nb_linear_is_active(linear, inst) || linearise_float(linear, inst);
}

/* --- The walk ----------------------------------------------------------------------------------
 */

static LLVMValueRef following(LLVMValueRef inst) {
  LLVMValueRef next = LLVMGetNextInstruction(inst);
  while (next && LLVMIsAPHINode(next))
    next = LLVMGetNextInstruction(next);
  return next;
}

static NbList collect_instructions(NbLinear *linear) {
  const NbWork *work = linear->work;
  NbList list = nb_list(work->context->arena);
  for (unsigned i = 0; i < work->block_count; i++)
    for (LLVMValueRef inst = LLVMGetFirstInstruction(work->blocks[i].block); inst;
         inst = LLVMGetNextInstruction(inst)) {
      nb_list_push(&list, inst);
      nb_map_set(linear->following, inst, following(inst));
    }
  return list;
}

static void note_parameters(NbLinear *linear) {
  const NbRequest *request = linear->work->request;
  LLVMValueRef function = linear->work->function;
  unsigned shadow = request->count;
  for (unsigned i = 0; i < request->count; i++) {
    LLVMValueRef parameter = LLVMGetParam(function, i);
    linear->parameters[i] = parameter;
    bool own = nb_role_has_shadow(request->roles[i]);
    if (own)
      linear->shadow_parameters[i] = LLVMGetParam(function, shadow);
    bool pointer = LLVMGetTypeKind(LLVMTypeOf(parameter)) == LLVMPointerTypeKind;
    bool has = pointer && (own || nb_activity_pointer(linear->activity, parameter));
    for (unsigned lane = 0; has && lane < linear->width; lane++)
      nb_map_set(linear->shadows[lane], parameter,
                 own ? LLVMGetParam(function, shadow + lane) : parameter);
    shadow += nb_request_shadows(request, i);
    if (!pointer && nb_activity_value(linear->activity, parameter))
      nb_map_set(linear->active, parameter, parameter);
  }
}

static void note_activity(NbLinear *linear, const NbList *instructions) {
  for (unsigned i = 0; i < instructions->count; i++) {
    LLVMValueRef inst = instructions->items[i];
    if (nb_type_has_float(LLVMTypeOf(inst)) && nb_activity_value(linear->activity, inst))
      nb_map_set(linear->active, inst, inst);
  }
}

static NbMap **maps_by_lane(NbArena *arena, unsigned width) {
  NbMap **maps = NB_NEW_ARRAY(arena, NbMap *, width);
  for (unsigned lane = 0; lane < width; lane++)
    maps[lane] = nb_map_new(arena);
  return maps;
}

NbLinear *nb_linearise(NbWork *work, NbObjects *objects, NbActivity *activity, NbTypes *types,
                       NbEffects *effects) {
  NbArena *arena = work->context->arena;
  NbLinear *linear = NB_NEW(arena, NbLinear);
  linear->work = work;
  linear->objects = objects;
  linear->following = nb_map_new(arena);
  linear->activity = activity;
  linear->types = types;
  linear->effects = effects;
  if (!nb_option_on(linear->work->context->options, "shadows-may-overlap", false))
    linear->shadow_scope = nb_alias_scope_new(work->context->llvm, "shadows");
  linear->blocks = NB_NEW_ARRAY(arena, NbLinearBlock, work->block_count);
  linear->width = work->request->width;
  linear->shadows = maps_by_lane(arena, linear->width);
  linear->active = nb_map_new(arena);
  linear->primal_of = nb_map_new(arena);
  linear->again = nb_map_new(arena);
  linear->shown = nb_map_new(arena);
  linear->words = nb_map_new(arena);
  linear->guards = maps_by_lane(arena, linear->width);
  linear->standins = nb_list(arena);
  linear->parameters = NB_NEW_ARRAY(arena, LLVMValueRef, work->request->count + 1);
  linear->shadow_parameters = NB_NEW_ARRAY(arena, LLVMValueRef, work->request->count + 1);
  linear->unneeded = nb_unneeded_of(work, objects);
  note_parameters(linear);
  NbList instructions = collect_instructions(linear);
  note_activity(linear, &instructions);
  if (!nb_interleaved_find(linear, &instructions))
    return NULL;
  NbMap *speculated = nb_speculated_find(linear, &instructions);
  bool ok = true;
  for (unsigned i = 0; i < instructions.count; i++)
    ok = linearise_instruction(linear, instructions.items[i]) && ok;
  if (!ok || !nb_shadow_finish(linear))
    return NULL;
  nb_speculated_mark(linear, speculated);
  return linear;
}
