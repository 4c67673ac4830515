// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What the runtime is told of a loop to a fixed point: which numbers a step may change, where their
 * shadows are, and when it has converged. The loop function itself may not see what the memory that
 * is called the state holds, so the code around its call is asked, too. */
#include "checkpoint/emitter.h"
#include "emit/emit.h"
#include "emit/runtime.h"
#include "objects/graph.h"
#include "objects/path.h"

static LLVMTypeRef word_type(const NbContext *context) {
  return LLVMInt64TypeInContext(context->llvm);
}

static LLVMTypeRef pointer_type(const NbContext *context) {
  return LLVMPointerTypeInContext(context->llvm, 0);
}

static LLVMValueRef word(const NbContext *context, uint64_t value) {
  return LLVMConstInt(word_type(context), value, false);
}

static bool refuse(const NbLoopEmitter *emitter, const char *reason) {
  return nb_refuse(emitter->context, NB_ERROR_CHECKPOINT,
                   nb_checkpoint_call(emitter->context, emitter->loop), "%s", reason);
}

/* --- What the state holds ----------------------------------------------------------------------
 */

static bool holds_same(const NbLayout *one, const NbLayout *other) {
  bool same = one->count == other->count;
  for (unsigned i = 0; same && i < one->count; i++) {
    const NbPiece *a = &one->pieces[i], *b = &other->pieces[i];
    same = a->offset == b->offset && a->size == b->size && a->period == b->period &&
           a->kind == b->kind && a->type == b->type;
  }
  return same;
}

/* So many bytes are there behind operand `index`, a pointer. */
static uint64_t bytes_behind(NbContext *context, const NbCheckpoint *loop, LLVMValueRef call,
                             unsigned index) {
  LLVMValueRef pointer = LLVMGetOperand(call, index);
  unsigned first = nb_checkpoint_region(loop, 0);
  bool given = index >= first && index < nb_checkpoint_region(loop, loop->regions);
  LLVMValueRef said = given ? LLVMGetOperand(call, index + 1) : NULL;
  if (said)
    return LLVMIsAConstantInt(said) ? LLVMConstIntGetZExtValue(said) : NB_UNKNOWN_SIZE;
  NbPath path = nb_path_of(context, pointer);
  bool variable = !path.failed && !path.count && path.offset >= 0 &&
                  (LLVMIsAAllocaInst(path.root) || LLVMIsAGlobalVariable(path.root));
  uint64_t bytes = variable ? nb_object_bytes(context, path.root) : NB_UNKNOWN_SIZE;
  return bytes != NB_UNKNOWN_SIZE && bytes > (uint64_t)path.offset ? bytes - (uint64_t)path.offset
                                                                   : NB_UNKNOWN_SIZE;
}

static bool is_told(const NbLayout *layout) {
  return layout->count != 0 && nb_layout_is_known(layout);
}

static bool note(const NbLinear *linear, const NbCheckpoint *loop, LLVMValueRef call,
                 unsigned index) {
  NbContext *context = linear->work->context;
  LLVMValueRef pointer = LLVMGetOperand(call, index);
  uint64_t bytes = bytes_behind(context, loop, call, index);
  NbLayout layout = nb_types_layout(linear->types, pointer, bytes);
  NbLayout *known = &loop->behind[index];
  if (!is_told(&layout))
    return true;
  if (known->count && !holds_same(known, &layout))
    return nb_refuse(context, NB_ERROR_CHECKPOINT, call,
                     "the state of the loop (enzyme_fp_state) holds now one thing, now another");
  *known = layout;
  return true;
}

bool nb_fixed_note_regions(const NbLinear *linear, LLVMValueRef call) {
  const NbCheckpoint *loop = nb_checkpoint_of(linear->work->context, nb_callee(call));
  bool ok = true;
  unsigned count = loop && loop->fixed ? LLVMGetNumArgOperands(call) : 0;
  for (unsigned i = NB_FIXED_REGIONS; ok && i < count; i++)
    if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, i))) == LLVMPointerTypeKind)
      ok = note(linear, loop, call, i);
  return ok;
}

/* A region of the state that has shadows. */
typedef struct Part {
  NbLayout layout;
  unsigned lanes;        /* 0: it has no shadow */
  LLVMValueRef *shadows; /* of a global, by lane; NULL */
  unsigned first;        /* else the first of those parameters of the sweeps */
} Part;

static Part part_of_global(const NbLoopEmitter *emitter, LLVMValueRef global) {
  const NbLinear *linear = emitter->linear;
  uint64_t bytes = LLVMABISizeOfType(emitter->context->layout, LLVMGlobalGetValueType(global));
  Part part = {0};
  if (!nb_linear_shadow(linear, global, 0))
    return part;
  part.layout = nb_types_layout(linear->types, global, bytes);
  part.lanes = linear->width;
  part.shadows = nb_linear_shadows(linear, global);
  return part;
}

static Part part_of(const NbLoopEmitter *emitter, unsigned index) {
  const NbRequest *request = &emitter->derivative->request;
  const NbStateRegion *region = &emitter->state->regions[index];
  if (region->global)
    return part_of_global(emitter, region->global);
  LLVMValueRef parameter = LLVMGetParam(emitter->linear->work->function, region->pointer);
  Part part = {.layout = emitter->loop->behind[region->pointer],
               .lanes = nb_request_shadows(request, region->pointer),
               .first = nb_request_first_shadow(request, region->pointer)};
  if (!part.layout.count)
    part.layout = nb_types_layout(emitter->linear->types, parameter, region->extent);
  return part;
}

static bool is_number(const NbPiece *piece) {
  if (piece->kind != NB_KIND_FLOAT)
    return false;
  LLVMTypeKind kind = LLVMGetTypeKind(piece->type);
  return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind || kind == LLVMX86_FP80TypeKind;
}

static bool has_numbers(const NbLayout *layout) {
  for (unsigned i = 0; i < layout->count; i++)
    if (is_number(&layout->pieces[i]))
      return true;
  return false;
}

static bool is_known(const NbLayout *layout) {
  bool known = is_told(layout);
  for (unsigned i = 0; known && i < layout->count; i++)
    known = is_number(&layout->pieces[i]) || layout->pieces[i].kind == NB_KIND_INTEGER;
  return known;
}

static bool check_part(const NbLoopEmitter *emitter, const Part *part, bool is_state) {
  bool known = is_known(&part->layout) && (!is_state || has_numbers(&part->layout));
  for (unsigned i = 0; known && part->shadows && i < part->lanes; i++)
    known = LLVMIsConstant(part->shadows[i]);
  return known ||
         refuse(emitter, "what the steps of the loop change, or what its state (enzyme_fp_state) "
                         "holds, is not known, or these are no floats or doubles: give each state "
                         "by itself");
}

bool nb_fixed_check(const NbLoopEmitter *emitter) {
  bool any = false;
  for (unsigned i = 0; i < emitter->state->count; i++) {
    bool is_state = i < emitter->loop->states;
    Part part = part_of(emitter, i);
    if (!part.lanes || !emitter->state->regions[i].written)
      continue;
    any = any || is_state;
    if (!check_part(emitter, &part, is_state))
      return false;
  }
  return any || refuse(emitter, "the state of the loop (enzyme_fp_state) has no derivative, though "
                                "a step has one: name what it iterates");
}

/* --- Tables ------------------------------------------------------------------------------------
 */

/* An __nabla_fixed_point_piece for each of the numbers. */
static LLVMValueRef write_pieces(const NbLoopEmitter *emitter, const NbLayout *layout,
                                 unsigned *count) {
  NbContext *context = emitter->context;
  LLVMTypeRef types[] = {word_type(context), word_type(context), word_type(context)};
  LLVMTypeRef type = LLVMStructTypeInContext(context->llvm, types, 3, false);
  LLVMValueRef *items = NB_NEW_ARRAY(context->arena, LLVMValueRef, layout->count + 1);
  *count = 0;
  for (unsigned i = 0; i < layout->count; i++) {
    const NbPiece *piece = &layout->pieces[i];
    LLVMValueRef fields[] = {word(context, piece->offset), word(context, piece->period),
                             word(context, piece->size)};
    if (is_number(piece))
      items[(*count)++] = LLVMConstStructInContext(context->llvm, fields, 3, false);
  }
  LLVMValueRef table = LLVMConstArray2(type, items, *count);
  LLVMValueRef global = LLVMAddGlobal(context->module, LLVMTypeOf(table), "nabla.state");
  LLVMSetInitializer(global, table);
  LLVMSetLinkage(global, LLVMPrivateLinkage);
  LLVMSetGlobalConstant(global, true);
  return global;
}

static void write_fields(const NbLoopEmitter *emitter, LLVMTypeRef type, LLVMValueRef to,
                         const LLVMValueRef *fields, unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef at = LLVMBuildStructGEP2(emitter->builder, type, to, i, "");
    LLVMBuildStore(emitter->builder, fields[i], at);
  }
}

enum { PART_FIELDS = 6, TEST_FIELDS = 3 };

static LLVMTypeRef part_type(const NbContext *context) {
  LLVMTypeRef types[PART_FIELDS] = {pointer_type(context), pointer_type(context),
                                    word_type(context),    word_type(context),
                                    pointer_type(context), word_type(context)};
  return LLVMStructTypeInContext(context->llvm, types, PART_FIELDS, false);
}

/* Those of region `index`, from `*count` on. */
static void write_part(const NbLoopEmitter *emitter, LLVMValueRef sweep, unsigned index,
                       LLVMValueRef parts, unsigned *count) {
  NbContext *context = emitter->context;
  const NbStateRegion *region = &emitter->state->regions[index];
  Part part = part_of(emitter, index);
  unsigned pieces = 0;
  LLVMValueRef table = part.lanes ? write_pieces(emitter, &part.layout, &pieces) : NULL;
  LLVMValueRef base = region->global ? region->global : LLVMGetParam(sweep, region->pointer);
  for (unsigned k = 0; k < part.lanes; k++) {
    LLVMValueRef number = word(context, (*count)++);
    LLVMValueRef at =
        LLVMBuildGEP2(emitter->builder, part_type(context), parts, &number, 1, "part");
    LLVMValueRef fields[PART_FIELDS] = {base,
                                        part.shadows ? part.shadows[k]
                                                     : LLVMGetParam(sweep, part.first + k),
                                        word(context, index),
                                        word(context, index < emitter->loop->states),
                                        table,
                                        word(context, pieces)};
    write_fields(emitter, part_type(context), at, fields, PART_FIELDS);
  }
}

/* An __nabla_fixed_point_part for each region that steps change, and each direction. */
static LLVMValueRef write_parts(const NbLoopEmitter *emitter, LLVMValueRef sweep, unsigned *count) {
  NbContext *context = emitter->context;
  uint64_t most = (uint64_t)emitter->state->count * emitter->derivative->request.width;
  LLVMValueRef parts =
      LLVMBuildArrayAlloca(emitter->builder, part_type(context), word(context, most), "parts");
  *count = 0;
  for (unsigned i = 0; i < emitter->state->count; i++)
    if (emitter->state->regions[i].written)
      write_part(emitter, sweep, i, parts, count);
  return parts;
}

/* An __nabla_fixed_point_test. */
static LLVMValueRef write_test(const NbLoopEmitter *emitter, LLVMValueRef sweep) {
  NbContext *context = emitter->context;
  LLVMTypeRef types[TEST_FIELDS] = {pointer_type(context), LLVMDoubleTypeInContext(context->llvm),
                                    word_type(context)};
  LLVMTypeRef type = LLVMStructTypeInContext(context->llvm, types, TEST_FIELDS, false);
  LLVMValueRef test = LLVMBuildAlloca(emitter->builder, type, "test");
  LLVMValueRef fields[TEST_FIELDS] = {LLVMGetParam(sweep, NB_FIXED_CONTROL),
                                      LLVMGetParam(sweep, NB_FIXED_REDUCTION),
                                      LLVMGetParam(sweep, NB_FIXED_LIMIT)};
  write_fields(emitter, type, test, fields, TEST_FIELDS);
  return test;
}

/* --- Calls of the runtime ----------------------------------------------------------------------
 */

LLVMValueRef nb_fixed_forward(const NbLoopEmitter *emitter, LLVMValueRef regions,
                              LLVMValueRef environment) {
  NbContext *context = emitter->context;
  LLVMValueRef arguments[] = {regions, word(context, emitter->state->count), environment,
                              emitter->run};
  return nb_runtime_call(context, emitter->builder, "__nabla_fixed_point_forward",
                         pointer_type(context), arguments, 4);
}

void nb_fixed_reverse(const NbLoopEmitter *emitter, LLVMValueRef sweep, LLVMValueRef kept,
                      LLVMValueRef environment) {
  NbContext *context = emitter->context;
  unsigned count;
  LLVMValueRef parts = write_parts(emitter, sweep, &count);
  LLVMValueRef test = write_test(emitter, sweep);
  LLVMValueRef arguments[] = {kept,  environment,          emitter->run, emitter->turn,
                              parts, word(context, count), test};
  nb_runtime_call(context, emitter->builder, "__nabla_fixed_point_reverse",
                  LLVMVoidTypeInContext(context->llvm), arguments, 7);
}

void nb_fixed_tangent(const NbLoopEmitter *emitter, LLVMValueRef regions,
                      LLVMValueRef environment) {
  NbContext *context = emitter->context;
  unsigned count;
  LLVMValueRef parts = write_parts(emitter, emitter->first, &count);
  LLVMValueRef test = write_test(emitter, emitter->first);
  LLVMValueRef arguments[] = {regions,
                              word(context, emitter->state->count),
                              environment,
                              emitter->run,
                              emitter->turn,
                              parts,
                              word(context, count),
                              test};
  nb_runtime_call(context, emitter->builder, "__nabla_fixed_point_tangent",
                  LLVMVoidTypeInContext(context->llvm), arguments, 8);
}
