// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Forward mode: the statements of the linear program, printed as they are beside the primal. */
#include "bridge/body.h"
#include "check/check.h"
#include "emit/access.h"
#include "emit/alias.h"
#include "emit/emit.h"
#include "emit/masks.h"
#include "emit/replay.h"
#include "emit/rounding.h"
#include "emit/runtime.h"
#include "emit/sites.h"
#include "emit/tangent.h"
#include "prepare/unwind.h"

#include <llvm-c/DebugInfo.h>
#include <math.h>

typedef struct Forward {
  NbLinear *linear;
  NbContext *context;
  LLVMBuilderRef builder; /* behind the statement's origin */
  NbMap *tangents;        /* primal value -> tangent */
  unsigned width;         /* lanes of each tangent that is printed */
  /* Directions by loads of inputs (sites.h) are printed one by one; NULL. */
  NbMap **by_direction; /* the tangents of each */
  unsigned direction;   /* the one that is being printed */
  NbMap *phis;          /* tangent -> the phi that it was joined from */
  NbMap *primals;       /* primal call, or placeholder of its shadow -> what replaces it */
} Forward;

static LLVMTypeRef type_of(const Forward *forward, LLVMValueRef value) {
  return nb_tangent_type(LLVMTypeOf(value), forward->width);
}

static LLVMValueRef tangent_of(const Forward *forward, LLVMValueRef value) {
  LLVMValueRef known = nb_map_get(forward->tangents, value);
  return known ? known : LLVMConstNull(type_of(forward, value));
}

static LLVMValueRef source_of(const Forward *forward, const NbSource *source, LLVMValueRef value) {
  return source->value ? tangent_of(forward, source->value)
                       : LLVMConstNull(type_of(forward, value));
}

static bool bounds_errors(const Forward *forward) { return forward->linear->work->request->errors; }

static bool joins_masks(const Forward *forward) { return forward->linear->work->request->masks; }

static NbTangents arithmetic(const Forward *forward, const NbStatement *statement) {
  bool strong = forward->linear->work->request->strong_zero || bounds_errors(forward);
  return (NbTangents){.builder = forward->builder,
                      .fast_math = nb_lower_flags(statement->origin),
                      .strong_zero = strong || statement->pole,
                      .product = statement->product,
                      .again = forward->linear->work->context->again,
                      .masks = joins_masks(forward)};
}

static LLVMValueRef in_all_lanes(const Forward *forward, LLVMTypeRef type, LLVMValueRef value) {
  LLVMValueRef lanes[NB_MOST_WIDTH];
  unsigned width = forward->width;
  for (unsigned lane = 0; lane < width; lane++)
    lanes[lane] = value;
  return nb_tangent_of_lanes(forward->builder, type, width, lanes);
}

/* What the operation itself adds to the errors of its operands. */
static LLVMValueRef add_rounding(Forward *forward, const NbStatement *statement, LLVMValueRef sum) {
  LLVMValueRef value = statement->result;
  if (!bounds_errors(forward) || statement->kind != NB_STATEMENT_SUM ||
      !nb_rounding_rounds(statement->origin))
    return sum;
  if (statement->member)
    value = LLVMBuildExtractValue(forward->builder, value, statement->member - 1, "");
  LLVMTypeRef type = LLVMTypeOf(value);
  if (nb_tangent_type(type, forward->width) != LLVMTypeOf(sum))
    return sum;
  NbTangents tangents = arithmetic(forward, statement);
  LLVMValueRef unit = nb_rounding_unit(forward->builder, value);
  return nb_tangent_add(&tangents, sum, in_all_lanes(forward, type, unit));
}

/* NULL: it is not among the terms of the sum. */
static LLVMValueRef print_source(Forward *forward, const NbTangents *tangents,
                                 const NbSource *source) {
  bool parted = forward->by_direction != NULL;
  if (!source->value || (parted && !nb_map_has(forward->tangents, source->value)))
    return NULL;
  LLVMValueRef tangent = tangent_of(forward, source->value);
  if (!joins_masks(forward))
    return nb_tangent_scale(tangents, source->coefficient, tangent);
  NbMaskChoice choice = nb_masks_choice(forward->linear, source);
  if (choice.never || !choice.decision || parted)
    return choice.never ? NULL : tangent;
  LLVMValueRef none = LLVMConstNull(LLVMTypeOf(tangent));
  return nb_tangent_choose(tangents, choice.decision, choice.where_false ? none : tangent,
                           choice.where_false ? tangent : none);
}

static bool is_integer(LLVMValueRef value) {
  return LLVMGetTypeKind(nb_scalar_type(LLVMTypeOf(value))) == LLVMIntegerTypeKind;
}

/* The bits of a float move as they lie in memory, where errors are parts of values. */
static LLVMValueRef cast_error(Forward *forward, const NbTangents *tangents,
                               const NbStatement *statement, LLVMValueRef error, LLVMTypeRef type) {
  LLVMValueRef from = statement->sources[0].value, to = statement->result;
  bool cast = statement->count == 1 && to && LLVMIsABitCastInst(statement->origin);
  if (cast && is_integer(to) && !is_integer(from))
    error = nb_rounding_relative(forward->builder, from, error, forward->width);
  error = nb_tangent_cast(tangents, error, type);
  if (cast && is_integer(from) && !is_integer(to))
    error = nb_rounding_absolute(forward->builder, to, error, forward->width);
  return error;
}

/* Of a value of type `type`. */
static LLVMValueRef print_sum(Forward *forward, const NbStatement *statement, LLVMTypeRef type) {
  type = nb_tangent_type(type, forward->width);
  NbTangents tangents = arithmetic(forward, statement);
  LLVMValueRef sum = NULL;
  for (unsigned i = 0; i < statement->count; i++) {
    const NbSource *source = &statement->sources[i];
    LLVMValueRef part = print_source(forward, &tangents, source);
    if (!part)
      continue;
    part = bounds_errors(forward) ? cast_error(forward, &tangents, statement, part, type)
                                  : nb_tangent_cast(&tangents, part, type);
    if (bounds_errors(forward) && source->coefficient)
      part = nb_rounding_magnitude(forward->builder, part);
    sum = sum ? nb_tangent_add(&tangents, sum, part) : part;
  }
  return add_rounding(forward, statement, sum ? sum : LLVMConstNull(type));
}

/* One of several results' tangents; the others are as they were. */
static LLVMValueRef print_member(Forward *forward, const NbStatement *statement) {
  unsigned index = statement->member - 1;
  LLVMTypeRef whole = LLVMTypeOf(statement->result);
  bool vector = LLVMGetTypeKind(whole) == LLVMVectorTypeKind;
  LLVMTypeRef type = vector ? LLVMGetElementType(whole) : LLVMStructGetTypeAtIndex(whole, index);
  LLVMValueRef sum = print_sum(forward, statement, type);
  return nb_tangent_with_member(forward->builder, tangent_of(forward, statement->result), whole,
                                forward->width, index, sum);
}

static LLVMValueRef print_choose(Forward *forward, const NbStatement *statement) {
  LLVMValueRef first = source_of(forward, &statement->sources[0], statement->result);
  LLVMValueRef second = source_of(forward, &statement->sources[1], statement->result);
  NbTangents tangents = arithmetic(forward, statement);
  if (forward->by_direction && joins_masks(forward))
    return nb_masks_join(forward->builder, first, second);
  return nb_tangent_choose(&tangents, statement->decision, first, second);
}

/* The access in the direction that is printed, at `*address`, if directions are printed one by one.
 */
static NbStatement part_of(const Forward *forward, const NbStatement *statement,
                           LLVMValueRef *address) {
  NbStatement part = *statement;
  part.addresses = address;
  part.width = 1;
  part.interleaved = false;
  *address = statement->addresses[0];
  if (statement->site)
    return part;
  if (statement->listed && !joins_masks(forward)) {
    *address = nb_sites_entry(forward->linear, forward->builder, statement, forward->direction);
    return part;
  }
  LLVMTargetDataRef layout = forward->context->layout;
  uint64_t size = LLVMABISizeOfType(layout, statement->type) * forward->direction;
  LLVMTypeRef byte = LLVMInt8TypeInContext(forward->context->llvm);
  LLVMValueRef offset = LLVMConstInt(LLVMInt64TypeInContext(forward->context->llvm), size, false);
  *address = LLVMBuildInBoundsGEP2(forward->builder, byte, *address, &offset, 1, "");
  part.align = LLVMABIAlignmentOfType(layout, statement->type);
  return part;
}

static LLVMValueRef load_shadow(const Forward *forward, const NbStatement *statement) {
  LLVMValueRef address;
  if (statement->site && !joins_masks(forward))
    return LLVMConstReal(statement->type, 1);
  if (!forward->by_direction)
    return nb_shadow_load(forward->linear, forward->builder, statement, statement->addresses);
  NbStatement part = part_of(forward, statement, &address);
  return nb_shadow_load(forward->linear, forward->builder, &part, part.addresses);
}

static void store_shadow(const Forward *forward, const NbStatement *statement,
                         LLVMValueRef tangent) {
  LLVMValueRef address;
  if (!forward->by_direction) {
    nb_shadow_store(forward->linear, forward->builder, statement, statement->addresses, tangent);
    return;
  }
  NbStatement part = part_of(forward, statement, &address);
  nb_shadow_store(forward->linear, forward->builder, &part, part.addresses, tangent);
}

static LLVMValueRef print_load(Forward *forward, const NbStatement *statement) {
  LLVMValueRef tangent = load_shadow(forward, statement);
  if (bounds_errors(forward) && statement->result)
    return nb_rounding_absolute(forward->builder, statement->result, tangent, forward->width);
  return tangent;
}

/* What a STORE leaves in the primal's memory; NULL: nothing with an error. */
static LLVMValueRef stored_value(const Forward *forward, const NbStatement *statement) {
  if (statement->place)
    return LLVMBuildLoad2(forward->builder, statement->type, statement->place, "");
  return statement->count ? statement->sources[0].value : NULL;
}

static void print_store(Forward *forward, const NbStatement *statement) {
  LLVMValueRef tangent = print_sum(forward, statement, statement->type);
  LLVMValueRef value = bounds_errors(forward) ? stored_value(forward, statement) : NULL;
  if (value)
    tangent = nb_rounding_relative(forward->builder, value, tangent, forward->width);
  store_shadow(forward, statement, tangent);
}

static void print_add(Forward *forward, const NbStatement *statement) {
  NbTangents tangents = arithmetic(forward, statement);
  LLVMValueRef more = print_sum(forward, statement, statement->type);
  LLVMValueRef sum = nb_tangent_add(&tangents, print_load(forward, statement), more);
  store_shadow(forward, statement, sum);
}

/* The same shuffle, of tangents in one direction. */
static LLVMValueRef shuffle_lane(Forward *forward, const NbStatement *statement, unsigned lane) {
  LLVMValueRef copy = LLVMInstructionClone(statement->origin);
  for (unsigned i = 0; i < statement->count; i++) {
    LLVMValueRef operand = LLVMGetOperand(statement->origin, i);
    LLVMValueRef source = source_of(forward, &statement->sources[i], operand);
    source = nb_tangent_lane(forward->builder, source, LLVMTypeOf(operand), statement->width, lane);
    LLVMSetOperand(copy, i, source);
  }
  LLVMInsertIntoBuilder(forward->builder, copy);
  return copy;
}

static LLVMValueRef print_shuffle(Forward *forward, const NbStatement *statement) {
  unsigned width = statement->width;
  LLVMValueRef *lanes = NB_NEW_ARRAY(forward->context->arena, LLVMValueRef, width);
  for (unsigned lane = 0; lane < width; lane++)
    lanes[lane] = shuffle_lane(forward, statement, lane);
  return nb_tangent_of_lanes(forward->builder, LLVMTypeOf(statement->origin), width, lanes);
}

/* A memory transfer on shadows: whatever the bytes are, their shadows move with them. */
static void print_copy(Forward *forward, const NbStatement *statement) {
  if (statement->device) {
    LLVMValueRef arguments[] = {statement->address, statement->address_from, statement->extent};
    nb_runtime_call(forward->context, forward->builder, "__nabla_device_move",
                    LLVMVoidTypeInContext(forward->context->llvm), arguments, 3);
    return;
  }
  LLVMBuildMemMove(forward->builder, statement->address, 1, statement->address_from, 1,
                   statement->extent);
}

/* What is left of a number has no tangent, and may depend on everything. */
static void print_part(Forward *forward, const NbStatement *statement) {
  const NbPiece *number = statement->layout.pieces;
  if (number->period)
    return;
  LLVMValueRef nan = LLVMConstReal(number->type, NAN);
  LLVMValueRef left = joins_masks(forward) ? nb_masks_all(number->type) : nan;
  LLVMValueRef store = LLVMBuildStore(forward->builder, left, statement->address);
  LLVMSetAlignment(store, 1);
  nb_alias_shadow(forward->linear, store);
}

static void print_fill(Forward *forward, const NbStatement *statement) {
  NbContext *context = forward->context;
  if (statement->layout.unknown) {
    LLVMBuildMemSet(forward->builder, statement->address,
                    LLVMConstNull(LLVMInt8TypeInContext(context->llvm)), statement->extent, 1);
    return;
  }
  LLVMTypeRef count = LLVMInt64TypeInContext(context->llvm);
  for (unsigned i = 0; i < statement->layout.count; i++) {
    const NbPiece *piece = &statement->layout.pieces[i];
    const char *zero = nb_runtime_for_piece(
        context, statement->device ? "__nabla_device_zero" : "__nabla_zero", piece);
    if (!zero)
      continue;
    LLVMValueRef arguments[] = {
        statement->address, statement->extent, LLVMConstInt(count, piece->offset, false),
        LLVMConstInt(count, piece->period, false), nb_runtime_may(context, piece)};
    nb_runtime_call(context, forward->builder, zero, LLVMVoidTypeInContext(context->llvm),
                    arguments, piece->kind == NB_KIND_WORD ? 5 : 4);
  }
}

static LLVMValueRef print_phi(Forward *forward, const NbStatement *statement) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(forward->context->llvm);
  LLVMPositionBuilderBefore(builder, statement->origin);
  LLVMValueRef phi = LLVMBuildPhi(builder, type_of(forward, statement->result), "tangent");
  LLVMDisposeBuilder(builder);
  return phi;
}

/* The shadow of argument `index` of a call: a pointer for each lane, or a tangent. */
static unsigned push_shadow(Forward *forward, const NbStatement *statement, unsigned index,
                            LLVMValueRef *arguments) {
  const NbRequest *request = &statement->callee->request;
  LLVMValueRef *shadows = statement->shadows + index * statement->width;
  LLVMValueRef operand = LLVMGetOperand(statement->origin, index);
  unsigned count = nb_request_shadows(request, index);
  if (!count)
    return 0;
  LLVMValueRef tangent = source_of(forward, &statement->sources[index], operand);
  bool pointers = nb_type_has_pointer(LLVMTypeOf(operand));
  for (unsigned lane = 0; lane < count; lane++) {
    arguments[lane] = shadows[lane] ? shadows[lane] : tangent;
    if (pointers && !shadows[lane])
      arguments[lane] =
          nb_tangent_lane(forward->builder, tangent, LLVMTypeOf(operand), statement->width, lane);
  }
  return count;
}

/* The tape, which is not laid out yet, and the queue. */
static unsigned push_record(const Forward *forward, LLVMValueRef *arguments) {
  const NbWork *work = forward->linear->work;
  unsigned index = nb_emit_tape_index(work->request);
  arguments[1] = LLVMGetParam(work->function, index + 1);
  arguments[0] = LLVMConstNull(LLVMTypeOf(arguments[1]));
  return 2;
}

/* One call takes the place of the primal's: it gives the primal result and the tangent. */
static LLVMValueRef print_call(Forward *forward, const NbStatement *statement) {
  const NbDerivative *callee = statement->callee;
  LLVMValueRef origin = statement->origin;
  LLVMPositionBuilderBefore(forward->builder, origin);
  LLVMValueRef *arguments = NB_NEW_ARRAY(forward->context->arena, LLVMValueRef,
                                         statement->count * (statement->width + 1) + 3);
  unsigned total = statement->count;
  for (unsigned i = 0; i < statement->count; i++) {
    arguments[i] = LLVMGetOperand(origin, i);
    total += push_shadow(forward, statement, i, arguments + total);
  }
  if (callee->request.replayed)
    total += push_record(forward, arguments + total);
  LLVMTypeRef type = LLVMGlobalGetValueType(callee->forward);
  LLVMValueRef call = LLVMBuildCall2(forward->builder, type, callee->forward, arguments, total, "");
  nb_replay_note_call(forward->linear->work, origin, call, callee);
  LLVMValueRef primal = call, tangent = NULL;
  if (callee->request.result == NB_ROLE_DUP) {
    primal = LLVMBuildExtractValue(forward->builder, call, 0, "");
    tangent = LLVMBuildExtractValue(forward->builder, call, 1, "tangent");
  }
  nb_map_set(forward->primals, origin, primal);
  for (unsigned lane = 0; statement->pending && lane < statement->width; lane++) {
    LLVMValueRef shadow =
        nb_tangent_lane(forward->builder, tangent, LLVMTypeOf(origin), statement->width, lane);
    nb_map_set(forward->primals, statement->pending[lane], shadow);
  }
  return tangent;
}

static LLVMValueRef print_value(Forward *forward, const NbStatement *statement) {
  switch (statement->kind) {
  case NB_STATEMENT_SUM:
    if (statement->member)
      return print_member(forward, statement);
    return print_sum(forward, statement, LLVMTypeOf(statement->result));
  case NB_STATEMENT_CHOOSE:
    return print_choose(forward, statement);
  case NB_STATEMENT_PHI:
    return print_phi(forward, statement);
  case NB_STATEMENT_LOAD:
    return print_load(forward, statement);
  case NB_STATEMENT_SHUFFLE:
    return print_shuffle(forward, statement);
  case NB_STATEMENT_CALL:
    return print_call(forward, statement);
  case NB_STATEMENT_STORE:
    print_store(forward, statement);
    return NULL;
  case NB_STATEMENT_ADD:
    print_add(forward, statement);
    return NULL;
  case NB_STATEMENT_FILL:
    (statement->part ? print_part : print_fill)(forward, statement);
    return NULL;
  case NB_STATEMENT_COPY:
    print_copy(forward, statement);
    return NULL;
  case NB_STATEMENT_ALLOCATE:
  case NB_STATEMENT_RELEASE:
    return NULL;
  }
  return NULL;
}

/* The directions in which there is something to be printed, a bit for each. */
static uint64_t directions_of(const Forward *forward, const NbStatement *statement) {
  uint64_t all = 0;
  if (statement->result)
    return nb_sites_of(forward->linear, statement->result);
  if (statement->kind == NB_STATEMENT_STORE)
    return UINT64_MAX >> (64 - nb_sites_directions(forward->linear));
  for (unsigned i = 0; statement->kind == NB_STATEMENT_ADD && i < statement->count; i++)
    if (statement->sources[i].value)
      all |= nb_sites_of(forward->linear, statement->sources[i].value);
  return statement->kind == NB_STATEMENT_ADD ? all : 1;
}

/* The columns of a number do not depend on the way on which it came. */
static LLVMValueRef join_columns(Forward *forward, const NbStatement *statement,
                                 LLVMValueRef tangent) {
  LLVMValueRef loads[NB_MOST_SITES];
  if (!joins_masks(forward) || !nb_sites_meet(forward->linear, statement))
    return tangent;
  unsigned count = nb_sites_loads(forward->linear, statement->result, forward->direction, loads);
  LLVMValueRef all = tangent;
  for (unsigned i = 0; i < count; i++)
    all = nb_masks_join(forward->builder, all, tangent_of(forward, loads[i]));
  nb_map_set(forward->phis, all, tangent);
  return all;
}

static void print_each_direction(Forward *forward, const NbStatement *statement) {
  uint64_t directions = directions_of(forward, statement);
  for (; directions; directions &= directions - 1) {
    forward->direction = (unsigned)__builtin_ctzll(directions);
    forward->tangents = forward->by_direction[forward->direction];
    LLVMValueRef tangent = print_value(forward, statement);
    if (tangent && statement->result)
      nb_map_set(forward->tangents, statement->result, join_columns(forward, statement, tangent));
  }
}

static void print_statement(Forward *forward, const NbStatement *statement) {
  forward->builder = nb_builder_after(forward->linear, statement->origin);
  LLVMSetCurrentDebugLocation2(forward->builder, LLVMInstructionGetDebugLoc(statement->origin));
  bool observed = forward->linear->work->request->observed;
  if (forward->by_direction) {
    print_each_direction(forward, statement);
    LLVMDisposeBuilder(forward->builder);
    return;
  }
  if (observed)
    nb_check_observe_memory(forward->linear, forward->builder, statement);
  LLVMValueRef tangent = print_value(forward, statement);
  if (observed)
    nb_check_observe_values(forward->linear, forward->builder, statement, tangent);
  if (tangent && statement->result)
    nb_map_set(forward->tangents, statement->result, tangent);
  LLVMDisposeBuilder(forward->builder);
}

static void finish_phi(Forward *forward, const NbStatement *statement) {
  LLVMValueRef phi = tangent_of(forward, statement->result);
  if (forward->by_direction && nb_map_has(forward->phis, phi))
    phi = nb_map_get(forward->phis, phi);
  for (unsigned i = 0; i < LLVMCountIncoming(statement->origin); i++) {
    LLVMValueRef value = source_of(forward, &statement->sources[i], statement->result);
    LLVMBasicBlockRef from = LLVMGetIncomingBlock(statement->origin, i);
    LLVMAddIncoming(phi, &value, &from, 1);
  }
}

static void finish_each_phi(Forward *forward, const NbStatement *statement) {
  if (!forward->by_direction) {
    finish_phi(forward, statement);
    return;
  }
  uint64_t directions = nb_sites_of(forward->linear, statement->result);
  for (; directions; directions &= directions - 1) {
    forward->tangents = forward->by_direction[__builtin_ctzll(directions)];
    finish_phi(forward, statement);
  }
}

static void print_statements(Forward *forward, bool phis) {
  const NbLinear *linear = forward->linear;
  for (unsigned i = 0; i < linear->work->block_count; i++)
    for (const NbStatement *statement = linear->blocks[i].first; statement;
         statement = statement->next) {
      if (!phis)
        print_statement(forward, statement);
      else if (statement->kind == NB_STATEMENT_PHI)
        finish_each_phi(forward, statement);
    }
}

static void replace_return(Forward *forward) {
  const NbWork *work = forward->linear->work;
  if (work->request->result == NB_ROLE_CONST || !work->return_inst)
    return;
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(forward->context->llvm);
  LLVMPositionBuilderBefore(builder, work->return_inst);
  LLVMValueRef value = LLVMGetOperand(work->return_inst, 0);
  LLVMValueRef *shadows =
      nb_type_has_pointer(LLVMTypeOf(value)) ? nb_linear_shadows(forward->linear, value) : NULL;
  LLVMValueRef tangent = tangent_of(forward, value);
  if (shadows && shadows[0])
    tangent = nb_tangent_with_shadows(builder, tangent, LLVMTypeOf(value), forward->width, shadows);
  LLVMTypeRef types[] = {LLVMTypeOf(value), type_of(forward, value)};
  LLVMValueRef pair =
      LLVMGetPoison(LLVMStructTypeInContext(forward->context->llvm, types, 2, false));
  pair = LLVMBuildInsertValue(builder, pair, value, 0, "");
  pair = LLVMBuildInsertValue(builder, pair, tangent, 1, "");
  LLVMBuildRet(builder, pair);
  LLVMInstructionEraseFromParent(work->return_inst);
  LLVMDisposeBuilder(builder);
}

/* Of a parameter with pointers the shadows come one by one, and their floats with them. */
static LLVMValueRef tangent_of_shadows(const Forward *forward, unsigned index) {
  const NbLinear *linear = forward->linear;
  LLVMTypeRef type = LLVMTypeOf(linear->parameters[index]);
  LLVMValueRef lanes[NB_MOST_WIDTH];
  lanes[0] = linear->shadow_parameters[index];
  for (unsigned lane = 1; lane < linear->width; lane++)
    lanes[lane] = LLVMGetNextParam(lanes[lane - 1]);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(forward->context->llvm);
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(linear->work->function);
  LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(entry));
  LLVMValueRef tangent = nb_tangent_of_lanes(builder, type, linear->width, lanes);
  LLVMDisposeBuilder(builder);
  return tangent;
}

static void note_parameters(Forward *forward) {
  const NbLinear *linear = forward->linear;
  for (unsigned i = 0; i < linear->work->request->count; i++) {
    LLVMValueRef parameter = linear->parameters[i];
    LLVMTypeRef type = LLVMTypeOf(parameter);
    if (!linear->shadow_parameters[i] || !nb_type_has_float(type))
      continue;
    bool pointers = nb_type_has_pointer(type);
    nb_map_set(forward->tangents, parameter,
               pointers ? tangent_of_shadows(forward, i) : linear->shadow_parameters[i]);
  }
}

static void part_directions(Forward *forward) {
  NbArena *arena = forward->context->arena;
  unsigned count = nb_sites_directions(forward->linear);
  nb_sites_spread(forward->linear);
  forward->width = 1;
  forward->phis = nb_map_new(arena);
  forward->by_direction = NB_NEW_ARRAY(arena, NbMap *, count);
  for (unsigned i = 0; i < count; i++)
    forward->by_direction[i] = nb_map_new(arena);
}

void nb_emit_forward(NbLinear *linear, LLVMValueRef function) {
  const NbWork *work = linear->work;
  Forward forward = {.linear = linear,
                     .context = work->context,
                     .width = linear->width,
                     .tangents = nb_map_new(work->context->arena),
                     .primals = nb_map_new(work->context->arena)};
  if (linear->sites)
    part_directions(&forward);
  else
    note_parameters(&forward);
  nb_alias_primal(linear);
  print_statements(&forward, false);
  print_statements(&forward, true);
  NbPrecision precision =
      work->request->observed ? nb_check_precision(linear) : NB_PRECISION_DOUBLE;
  if (work->request->observed)
    nb_check_observe_loads(linear);
  replace_return(&forward);
  nb_emit_replace_calls(forward.primals);
  nb_emit_drop_unneeded(linear, work->function);
  if (!work->request->replayed)
    nb_unwind_restore(work);
  nb_body_move(function, work->function);
  nb_check_mark_precision(work->context, function, precision);
}
