// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The transposes of single statements. Each takes before it gives: the adjoints of all results are
 * read and cleared, then added to the sources. */
#include "emit/reverse.h"

#include "emit/access.h"
#include "emit/alias.h"
#include "emit/runtime.h"

#include <math.h>

static NbTangents tangents_of(const NbReverse *reverse, const NbStatement *statement) {
  return (NbTangents){.builder = reverse->builder,
                      .fast_math = nb_lower_flags(statement->origin),
                      .strong_zero = reverse->linear->work->request->strong_zero,
                      .again = reverse->context->again};
}

static bool is_finite(LLVMValueRef coefficient) {
  LLVMBool inexact;
  return LLVMIsAConstantFP(coefficient) && isfinite(LLVMConstRealGetDouble(coefficient, &inexact));
}

/* coefficient * adjoint; where the statement was speculated, nothing comes of a zero adjoint. */
static LLVMValueRef contribution(NbReverse *reverse, const NbStatement *statement,
                                 const NbSource *source, LLVMValueRef adjoint) {
  NbTangents tangents = tangents_of(reverse, statement);
  if (!source->coefficient)
    return adjoint;
  LLVMValueRef coefficient = nb_reverse_value(reverse, source->coefficient);
  tangents.strong_zero |= statement->speculated && !is_finite(coefficient);
  tangents.product = statement->product;
  return nb_tangent_scale(&tangents, coefficient, adjoint);
}

/* Takes the adjoint of one of several results. */
static LLVMValueRef take_member(NbReverse *reverse, const NbStatement *statement) {
  unsigned index = statement->member - 1;
  LLVMTypeRef type = LLVMTypeOf(statement->result);
  unsigned width = statement->width;
  LLVMValueRef whole = nb_adjoint_take(reverse, statement->result);
  LLVMValueRef adjoint = nb_tangent_member(reverse->builder, whole, type, width, index);
  LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(adjoint));
  LLVMValueRef rest = nb_tangent_with_member(reverse->builder, whole, type, width, index, zero);
  nb_adjoint_add(reverse, statement->result, rest);
  return adjoint;
}

static void transpose_sum(NbReverse *reverse, const NbStatement *statement) {
  LLVMValueRef adjoint = statement->member ? take_member(reverse, statement)
                                           : nb_adjoint_take(reverse, statement->result);
  for (unsigned i = 0; i < statement->count; i++) {
    const NbSource *source = &statement->sources[i];
    if (source->value)
      nb_adjoint_add(reverse, source->value, contribution(reverse, statement, source, adjoint));
  }
}

static void transpose_choose(NbReverse *reverse, const NbStatement *statement) {
  LLVMValueRef decision = nb_reverse_value(reverse, statement->decision);
  if (statement->speculated)
    decision = LLVMBuildFreeze(reverse->builder, decision, "");
  LLVMValueRef adjoint = nb_adjoint_take(reverse, statement->result);
  LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(adjoint));
  NbTangents tangents = tangents_of(reverse, statement);
  LLVMValueRef first = nb_tangent_choose(&tangents, decision, adjoint, zero);
  LLVMValueRef second = nb_tangent_choose(&tangents, decision, zero, adjoint);
  nb_adjoint_move(reverse, statement->sources[0].value, first);
  nb_adjoint_move(reverse, statement->sources[1].value, second);
}

static LLVMValueRef *addresses_of(NbReverse *reverse, const NbStatement *statement) {
  LLVMValueRef *addresses = NB_NEW_ARRAY(reverse->context->arena, LLVMValueRef, statement->width);
  for (unsigned lane = 0; lane < statement->width; lane++)
    addresses[lane] = nb_reverse_value(reverse, statement->addresses[lane]);
  return addresses;
}

static void transpose_load(NbReverse *reverse, const NbStatement *statement) {
  NbTangents tangents = {.builder = reverse->builder,
                         .fast_math = nb_adjoint_flags(statement->origin)};
  LLVMValueRef *addresses = addresses_of(reverse, statement);
  LLVMValueRef adjoint = nb_adjoint_take(reverse, statement->result);
  if (nb_map_has(reverse->linear->words, statement->result)) {
    nb_adjoint_give(reverse, statement->result, addresses, adjoint);
    return;
  }
  if (statement->either) {
    nb_shadow_add(reverse->linear, reverse->builder, statement, addresses, adjoint);
    return;
  }
  LLVMValueRef shadow = nb_shadow_load(reverse->linear, reverse->builder, statement, addresses);
  LLVMValueRef sum = nb_tangent_add(&tangents, shadow, adjoint);
  nb_shadow_store(reverse->linear, reverse->builder, statement, addresses, sum);
}

/* STORE takes the adjoint out of memory, ADD leaves it there. */
static void transpose_store(NbReverse *reverse, const NbStatement *statement) {
  NbTangents tangents = tangents_of(reverse, statement);
  LLVMValueRef *addresses = addresses_of(reverse, statement);
  LLVMValueRef adjoint = nb_shadow_load(reverse->linear, reverse->builder, statement, addresses);
  if (statement->kind == NB_STATEMENT_STORE) {
    LLVMValueRef zero = nb_tangent_clear(&tangents, adjoint);
    nb_shadow_store(reverse->linear, reverse->builder, statement, addresses, zero);
  }
  for (unsigned i = 0; i < statement->count; i++) {
    const NbSource *source = &statement->sources[i];
    if (source->value)
      nb_adjoint_move(reverse, source->value, contribution(reverse, statement, source, adjoint));
  }
}

/* Is the transposed copy to go down in memory? A constant where the order does not matter. */
static LLVMValueRef goes_down(NbReverse *reverse, const NbStatement *statement,
                              const LLVMValueRef *arguments) {
  if (!statement->address_from || statement->layout.count < 2)
    return LLVMConstNull(LLVMInt1TypeInContext(reverse->context->llvm));
  return LLVMBuildICmp(reverse->builder, LLVMIntULT, arguments[0], arguments[1], "");
}

static LLVMValueRef place_of(const NbReverse *reverse, const NbStatement *statement) {
  const NbLinear *linear = reverse->linear;
  return nb_runtime_place(reverse->context, linear->work->request->function, statement->origin);
}

/* Runs one of the runtime's functions for each run of floats among the bytes. */
static void for_floats(NbReverse *reverse, const NbStatement *statement, const char *function) {
  NbContext *context = reverse->context;
  LLVMTypeRef count = LLVMInt64TypeInContext(context->llvm);
  LLVMTypeRef nothing = LLVMVoidTypeInContext(context->llvm);
  LLVMValueRef arguments[7];
  unsigned next = 0;
  arguments[next++] = nb_reverse_value(reverse, statement->address);
  if (statement->address_from)
    arguments[next++] = nb_reverse_value(reverse, statement->address_from);
  LLVMValueRef down = goes_down(reverse, statement, arguments);
  arguments[next++] = nb_reverse_value(reverse, statement->extent);
  for (unsigned i = 0; i < statement->layout.count; i++) {
    const NbPiece *piece = &statement->layout.pieces[i];
    const char *name = nb_runtime_for_piece(context, function, piece);
    if (!name)
      continue;
    bool word = piece->kind == NB_KIND_WORD;
    arguments[next] = nb_statement_offset(reverse->builder, statement, i, down);
    arguments[next + 1] = LLVMConstInt(count, piece->period, false);
    arguments[next + 2] = nb_runtime_may(context, piece);
    if (word && statement->address_from)
      arguments[next + 3] = place_of(reverse, statement);
    unsigned told = word ? 1 + (statement->address_from != NULL) : 0;
    nb_runtime_call(context, reverse->builder, name, nothing, arguments, next + 2 + told);
  }
}

/* What a fill overwrote has no adjoint left, whatever it was. */
static void clear_all(NbReverse *reverse, const NbStatement *statement) {
  LLVMValueRef address = nb_reverse_value(reverse, statement->address);
  LLVMValueRef extent = nb_reverse_value(reverse, statement->extent);
  LLVMValueRef zero = LLVMConstNull(LLVMInt8TypeInContext(reverse->context->llvm));
  LLVMBuildMemSet(reverse->builder, address, zero, extent, 1);
}

/* The bytes of an adjoint, of which nothing is there yet. */
static void move_back(NbReverse *reverse, const NbStatement *statement) {
  LLVMValueRef to = nb_reverse_value(reverse, statement->address_from);
  LLVMValueRef from = nb_reverse_value(reverse, statement->address);
  LLVMValueRef extent = nb_reverse_value(reverse, statement->extent);
  LLVMBuildMemCpy(reverse->builder, to, 1, from, 1, extent);
  clear_all(reverse, statement);
}

static void transpose_copy(NbReverse *reverse, const NbStatement *statement) {
  if (statement->moved)
    move_back(reverse, statement);
  else
    for_floats(reverse, statement,
               statement->device ? "__nabla_device_move_adjoint" : "__nabla_move_adjoint");
}

/* Of a number a part of which was overwritten: nobody may have read it afterwards. */
static void check_part(NbReverse *reverse, const NbStatement *statement) {
  NbContext *context = reverse->context;
  const NbPiece *number = statement->layout.pieces;
  LLVMTypeRef nothing = LLVMVoidTypeInContext(context->llvm);
  LLVMValueRef address = nb_reverse_value(reverse, statement->address);
  LLVMValueRef name = place_of(reverse, statement);
  if (number->period) {
    LLVMValueRef extent = nb_reverse_value(reverse, statement->extent);
    LLVMValueRef ends[] = {address, extent, name};
    const char *function = nb_runtime_for(context, "__nabla_whole_ends", number->type);
    nb_runtime_call(context, reverse->builder, function, nothing, ends, 3);
    return;
  }
  LLVMValueRef adjoint = LLVMBuildLoad2(reverse->builder, number->type, address, "part");
  LLVMSetAlignment(adjoint, 1);
  nb_alias_shadow(reverse->linear, adjoint);
  LLVMValueRef zero = LLVMConstNull(number->type);
  LLVMValueRef read = LLVMBuildFCmp(reverse->builder, LLVMRealUNE, adjoint, zero, "");
  LLVMTypeRef word = LLVMInt32TypeInContext(context->llvm);
  LLVMValueRef arguments[] = {LLVMBuildZExt(reverse->builder, read, word, ""), name};
  nb_runtime_call(context, reverse->builder, "__nabla_whole", nothing, arguments, 2);
}

/* Is a half of `now`, which as a whole may be two numbers, neither zero nor that of `stored`? */
static LLVMValueRef differs(NbReverse *reverse, LLVMValueRef now, LLVMValueRef stored, bool upper) {
  LLVMTypeRef half = LLVMInt32TypeInContext(reverse->context->llvm);
  LLVMValueRef halves[] = {now, stored};
  for (unsigned i = 0; i < 2; i++) {
    LLVMValueRef bits = LLVMConstInt(LLVMTypeOf(now), 32, false);
    if (upper)
      halves[i] = LLVMBuildLShr(reverse->builder, halves[i], bits, "");
    halves[i] = LLVMBuildTrunc(reverse->builder, halves[i], half, "");
  }
  LLVMValueRef changed = LLVMBuildICmp(reverse->builder, LLVMIntNE, halves[0], halves[1], "");
  LLVMValueRef zero = LLVMConstNull(half);
  LLVMValueRef given = LLVMBuildICmp(reverse->builder, LLVMIntNE, halves[0], zero, "");
  return LLVMBuildAnd(reverse->builder, changed, given, "");
}

/* The adjoint of a number that was moved as a pointer is lost: there is none where the shadow is as
 * the forward sweep left it. */
static void check_stored(NbReverse *reverse, const NbStatement *statement) {
  NbContext *context = reverse->context;
  LLVMTypeRef nothing = LLVMVoidTypeInContext(context->llvm);
  LLVMTypeRef word = LLVMInt32TypeInContext(context->llvm);
  LLVMTypeRef bits = LLVMInt64TypeInContext(context->llvm);
  LLVMValueRef address = nb_reverse_value(reverse, statement->address);
  LLVMValueRef shadow = nb_reverse_value(reverse, statement->stored);
  LLVMValueRef stored = LLVMBuildPtrToInt(reverse->builder, shadow, bits, "");
  LLVMValueRef now = LLVMBuildLoad2(reverse->builder, bits, address, "stored");
  LLVMSetAlignment(now, 1);
  nb_alias_shadow(reverse->linear, now);
  LLVMValueRef lower = differs(reverse, now, stored, false);
  LLVMValueRef upper = differs(reverse, now, stored, true);
  LLVMValueRef read = LLVMBuildOr(reverse->builder, lower, upper, "");
  LLVMValueRef name = place_of(reverse, statement);
  LLVMValueRef arguments[] = {LLVMBuildZExt(reverse->builder, read, word, ""), name};
  nb_runtime_call(context, reverse->builder, "__nabla_moved", nothing, arguments, 2);
}

static void transpose_fill(NbReverse *reverse, const NbStatement *statement) {
  if (statement->stored)
    check_stored(reverse, statement);
  if (statement->part)
    check_part(reverse, statement);
  else if (statement->layout.unknown)
    clear_all(reverse, statement);
  else
    for_floats(reverse, statement, statement->device ? "__nabla_device_zero" : "__nabla_zero");
}

/* --- Shuffles -------------------------------------------------------------------------------- */

static LLVMValueRef path_get(NbReverse *reverse, LLVMValueRef value, const unsigned *path,
                             unsigned depth) {
  for (unsigned i = 0; i < depth; i++)
    value = LLVMBuildExtractValue(reverse->builder, value, path[i], "");
  return value;
}

static LLVMValueRef path_set(NbReverse *reverse, LLVMValueRef whole, const unsigned *path,
                             unsigned depth, LLVMValueRef part) {
  if (depth == 0)
    return part;
  LLVMValueRef member = LLVMBuildExtractValue(reverse->builder, whole, path[0], "");
  member = path_set(reverse, member, path + 1, depth - 1, part);
  return LLVMBuildInsertValue(reverse->builder, whole, member, path[0], "");
}

/* What the adjoint of a shuffle's result, in one direction, gives to its two operands. */
typedef struct Given {
  LLVMValueRef to[2];
} Given;

static LLVMValueRef zero_of(const NbStatement *statement, unsigned operand) {
  return LLVMConstNull(LLVMTypeOf(LLVMGetOperand(statement->origin, operand)));
}

static Given extract_value(NbReverse *reverse, const NbStatement *statement, LLVMValueRef adjoint) {
  LLVMValueRef spread = path_set(reverse, zero_of(statement, 0), LLVMGetIndices(statement->origin),
                                 LLVMGetNumIndices(statement->origin), adjoint);
  return (Given){{spread, NULL}};
}

static Given insert_value(NbReverse *reverse, const NbStatement *statement, LLVMValueRef adjoint) {
  const unsigned *path = LLVMGetIndices(statement->origin);
  unsigned depth = LLVMGetNumIndices(statement->origin);
  LLVMValueRef part = path_get(reverse, adjoint, path, depth);
  LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(part));
  return (Given){{path_set(reverse, adjoint, path, depth, zero), part}};
}

static Given extract_element(NbReverse *reverse, const NbStatement *statement,
                             LLVMValueRef adjoint) {
  LLVMValueRef index = nb_reverse_value(reverse, LLVMGetOperand(statement->origin, 1));
  LLVMValueRef zero = zero_of(statement, 0);
  return (Given){{LLVMBuildInsertElement(reverse->builder, zero, adjoint, index, ""), NULL}};
}

static Given insert_element(NbReverse *reverse, const NbStatement *statement,
                            LLVMValueRef adjoint) {
  LLVMValueRef index = nb_reverse_value(reverse, LLVMGetOperand(statement->origin, 2));
  LLVMValueRef part = LLVMBuildExtractElement(reverse->builder, adjoint, index, "");
  LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(part));
  return (Given){{LLVMBuildInsertElement(reverse->builder, adjoint, zero, index, ""), part}};
}

/* Each element goes back to where it came from; those that came from nowhere are dropped. */
static Given shuffle_vector(NbReverse *reverse, const NbStatement *statement,
                            LLVMValueRef adjoint) {
  LLVMValueRef origin = statement->origin;
  NbTangents tangents = tangents_of(reverse, statement);
  LLVMTypeRef index_type = LLVMInt32TypeInContext(reverse->context->llvm);
  unsigned size = LLVMGetVectorSize(LLVMTypeOf(LLVMGetOperand(origin, 0)));
  Given given = {{zero_of(statement, 0), zero_of(statement, 0)}};
  for (unsigned i = 0; i < LLVMGetNumMaskElements(origin); i++) {
    int from = LLVMGetMaskValue(origin, i);
    if (from < 0)
      continue;
    LLVMValueRef *sums = &given.to[(unsigned)from / size];
    LLVMValueRef to = LLVMConstInt(index_type, (unsigned)from % size, false);
    LLVMValueRef index = LLVMConstInt(index_type, i, false);
    LLVMValueRef part = LLVMBuildExtractElement(reverse->builder, adjoint, index, "");
    LLVMValueRef sum = LLVMBuildExtractElement(reverse->builder, *sums, to, "");
    sum = nb_tangent_add(&tangents, sum, part);
    *sums = LLVMBuildInsertElement(reverse->builder, *sums, sum, to, "");
  }
  return given;
}

static Given bitcast(NbReverse *reverse, const NbStatement *statement, LLVMValueRef adjoint) {
  LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(statement->origin, 0));
  return (Given){{LLVMBuildBitCast(reverse->builder, adjoint, type, ""), NULL}};
}

static Given transpose_lane(NbReverse *reverse, const NbStatement *statement,
                            LLVMValueRef adjoint) {
  switch (LLVMGetInstructionOpcode(statement->origin)) {
  case LLVMExtractValue:
    return extract_value(reverse, statement, adjoint);
  case LLVMInsertValue:
    return insert_value(reverse, statement, adjoint);
  case LLVMExtractElement:
    return extract_element(reverse, statement, adjoint);
  case LLVMInsertElement:
    return insert_element(reverse, statement, adjoint);
  case LLVMShuffleVector:
    return shuffle_vector(reverse, statement, adjoint);
  default:
    return bitcast(reverse, statement, adjoint);
  }
}

static void transpose_shuffle(NbReverse *reverse, const NbStatement *statement) {
  LLVMValueRef adjoint = nb_adjoint_take(reverse, statement->result);
  LLVMValueRef lanes[2][NB_MOST_WIDTH];
  unsigned width = statement->width;
  for (unsigned lane = 0; lane < width; lane++) {
    LLVMValueRef own =
        nb_tangent_lane(reverse->builder, adjoint, LLVMTypeOf(statement->result), width, lane);
    Given given = transpose_lane(reverse, statement, own);
    lanes[0][lane] = given.to[0];
    lanes[1][lane] = given.to[1];
  }
  for (unsigned i = 0; i < statement->count; i++) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(statement->origin, i));
    nb_adjoint_add(reverse, statement->sources[i].value,
                   nb_tangent_of_lanes(reverse->builder, type, width, lanes[i]));
  }
}

/* --- Calls ----------------------------------------------------------------------------------- */

/* A parameter that the reverse of the callee does not use needs no value. */
static LLVMValueRef argument(NbReverse *reverse, const NbStatement *statement, unsigned index,
                             LLVMValueRef value) {
  if (!nb_statement_passes(statement, index))
    return LLVMGetPoison(LLVMTypeOf(value));
  return nb_reverse_value(reverse, value);
}

static void give_to_arguments(NbReverse *reverse, const NbStatement *statement,
                              LLVMValueRef adjoints) {
  unsigned next = 0;
  for (unsigned i = 0; i < statement->count; i++) {
    if (statement->callee->request.roles[i] != NB_ROLE_OUT)
      continue;
    LLVMValueRef adjoint = LLVMBuildExtractValue(reverse->builder, adjoints, next++, "");
    nb_adjoint_add(reverse, statement->sources[i].value, adjoint);
  }
}

/* As the augmented function passes it: see tape_of_call there. */
static LLVMValueRef tape_of_call(NbReverse *reverse, const NbStatement *statement) {
  const NbSlot *slot = nb_plan_slot(reverse->plan, statement);
  if (!slot)
    return LLVMConstNull(LLVMPointerTypeInContext(reverse->context->llvm, 0));
  if (LLVMGetTypeKind(slot->type) != LLVMPointerTypeKind)
    return nb_tape_address(&reverse->view, slot);
  LLVMValueRef local = nb_reverse_variable(reverse, slot->type, "callee.tape");
  LLVMValueRef tape = nb_tape_load(&reverse->view, slot);
  LLVMBuildStore(reverse->builder, tape, local);
  return local;
}

static LLVMValueRef function_of_call(const NbReverse *reverse, const NbStatement *statement) {
  if (statement->at_once)
    return nb_combined_of(reverse->context, statement->callee, false);
  return reverse->again ? statement->callee->reverse_again : statement->callee->reverse;
}

/* The set of shadows of memory that the primal freed, of which this function may have made some, or
 * its callers, who then give it. */
static LLVMValueRef released_set(NbReverse *reverse) {
  LLVMTypeRef pointer = LLVMPointerTypeInContext(reverse->context->llvm, 0);
  bool given = nb_request_releases(reverse->linear->work->request);
  if (!reverse->released)
    reverse->released = given ? LLVMGetLastParam(reverse->function)
                              : nb_reverse_variable(reverse, pointer, "released");
  return reverse->released;
}

static void transpose_call(NbReverse *reverse, const NbStatement *statement) {
  const NbDerivative *callee = statement->callee;
  NbContext *context = reverse->context;
  LLVMValueRef *arguments =
      NB_NEW_ARRAY(context->arena, LLVMValueRef, statement->count * (statement->width + 1) + 3);
  unsigned total = statement->count;
  for (unsigned i = 0; i < statement->count; i++) {
    arguments[i] = argument(reverse, statement, i, LLVMGetOperand(statement->origin, i));
    for (unsigned lane = 0; lane < nb_request_shadows(&callee->request, i); lane++) {
      LLVMValueRef shadow = statement->shadows[i * statement->width + lane];
      arguments[total] = argument(reverse, statement, total, shadow);
      total++;
    }
  }
  if (nb_result_has_adjoint(callee->request.result))
    arguments[total++] = nb_adjoint_take(reverse, statement->result);
  if (!statement->at_once)
    arguments[total++] = tape_of_call(reverse, statement);
  if (nb_request_releases(&callee->request))
    arguments[total++] = released_set(reverse);
  LLVMValueRef function = function_of_call(reverse, statement);
  LLVMTypeRef type = LLVMGlobalGetValueType(function);
  LLVMValueRef adjoints = LLVMBuildCall2(reverse->builder, type, function, arguments, total, "");
  give_to_arguments(reverse, statement, adjoints);
}

static void transpose_release(NbReverse *reverse, const NbStatement *statement) {
  NbContext *context = reverse->context;
  if (reverse->again)
    return;
  LLVMValueRef name = nb_runtime_function_name(context, reverse->linear->work->request->function);
  LLVMValueRef shadow = nb_reverse_value(reverse, statement->address);
  LLVMValueRef arguments[] = {released_set(reverse), shadow, name};
  nb_runtime_call(context, reverse->builder, "__nabla_released_add",
                  LLVMVoidTypeInContext(context->llvm), arguments, 3);
}

/* NULL where the caller has it. */
static LLVMValueRef if_released(NbReverse *reverse, LLVMValueRef shadow) {
  LLVMValueRef arguments[] = {released_set(reverse), shadow};
  return nb_runtime_call(reverse->context, reverse->builder, "__nabla_released_take",
                         LLVMTypeOf(shadow), arguments, 2);
}

/* The shadow of an allocation, or one whose free was delayed, dies where the reverse sweep comes to
 * it. */
static void transpose_allocate(NbReverse *reverse, const NbStatement *statement) {
  if ((!statement->rule && !statement->from_runtime) || statement->stacked || reverse->again)
    return;
  LLVMValueRef shadow = nb_reverse_value(reverse, statement->address);
  if (statement->handed_out)
    shadow = if_released(reverse, shadow);
  const char *release = statement->rule ? statement->rule->name : "__nabla_tape_release";
  unsigned count = statement->maker ? statement->maker->handed_count : 1;
  LLVMValueRef *arguments = NB_NEW_ARRAY(reverse->context->arena, LLVMValueRef, count);
  for (unsigned i = 0; i < count; i++) {
    unsigned other = statement->maker ? statement->maker->handed[i] : NB_NO_PARAMETER;
    arguments[i] = other == NB_NO_PARAMETER
                       ? shadow
                       : nb_reverse_value(reverse, LLVMGetOperand(statement->origin, other));
  }
  nb_runtime_call(reverse->context, reverse->builder, release,
                  LLVMVoidTypeInContext(reverse->context->llvm), arguments, count);
}

void nb_transpose(NbReverse *reverse, const NbStatement *statement) {
  switch (statement->kind) {
  case NB_STATEMENT_SUM:
    transpose_sum(reverse, statement);
    break;
  case NB_STATEMENT_CHOOSE:
    transpose_choose(reverse, statement);
    break;
  case NB_STATEMENT_PHI:
    break;
  case NB_STATEMENT_LOAD:
    transpose_load(reverse, statement);
    break;
  case NB_STATEMENT_STORE:
  case NB_STATEMENT_ADD:
    transpose_store(reverse, statement);
    break;
  case NB_STATEMENT_FILL:
    transpose_fill(reverse, statement);
    break;
  case NB_STATEMENT_COPY:
    transpose_copy(reverse, statement);
    break;
  case NB_STATEMENT_SHUFFLE:
    transpose_shuffle(reverse, statement);
    break;
  case NB_STATEMENT_CALL:
    transpose_call(reverse, statement);
    break;
  case NB_STATEMENT_ALLOCATE:
    transpose_allocate(reverse, statement);
    break;
  case NB_STATEMENT_RELEASE:
    transpose_release(reverse, statement);
    break;
  }
}
