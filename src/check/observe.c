// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What an observed forward derivative tells of its statements: the scalars in memory with their
 * shadows, and the values that may be no number. */
#include "check/check.h"
#include "emit/runtime.h"
#include "objects/graph.h"
#include "request/collected.h"
#include "request/layout.h"

#include <string.h>

/* The runtime's enum __nabla_check_access. */
enum { READ = 1, WRITE = 2, UNNEEDED = 4, SENTINEL = 8 };

typedef struct Observer {
  const NbLinear *linear;
  NbContext *context;
  LLVMBuilderRef builder;
  const NbStatement *statement;
} Observer;

LLVMValueRef nb_check_constant(NbContext *context, LLVMValueRef value) {
  LLVMValueRef global = LLVMAddGlobal(context->module, LLVMTypeOf(value), "nabla.check");
  LLVMSetInitializer(global, value);
  LLVMSetLinkage(global, LLVMPrivateLinkage);
  LLVMSetGlobalConstant(global, true);
  LLVMSetUnnamedAddress(global, LLVMGlobalUnnamedAddr);
  return global;
}

LLVMValueRef nb_check_text(NbContext *context, const char *text) {
  unsigned length = (unsigned)strlen(text);
  return nb_check_constant(context, LLVMConstStringInContext(context->llvm, text, length, false));
}

LLVMValueRef nb_check_place(NbContext *context, LLVMValueRef inst) {
  LLVMTypeRef number = LLVMInt32TypeInContext(context->llvm);
  unsigned length = 0;
  const char *file = LLVMGetDebugLocFilename(inst, &length);
  LLVMValueRef text = LLVMConstNull(LLVMPointerTypeInContext(context->llvm, 0));
  if (file && length)
    text = nb_check_text(context, nb_arena_copy(context->arena, file, length));
  LLVMValueRef line = LLVMConstInt(number, LLVMGetDebugLocLine(inst), false);
  LLVMValueRef fields[] = {text, line};
  return LLVMConstStructInContext(context->llvm, fields, 2, false);
}

static void call(const Observer *observer, const char *name, LLVMValueRef *arguments,
                 unsigned count) {
  LLVMTypeRef none = LLVMVoidTypeInContext(observer->context->llvm);
  nb_runtime_call(observer->context, observer->builder, name, none, arguments, count);
}

static LLVMValueRef number(const Observer *observer, unsigned value) {
  return LLVMConstInt(LLVMInt32TypeInContext(observer->context->llvm), value, false);
}

static LLVMValueRef count(const Observer *observer, unsigned long long value) {
  return LLVMConstInt(LLVMInt64TypeInContext(observer->context->llvm), value, false);
}

/* A bfloat has as many bytes as a half: the runtime could not tell what is in memory. */
static bool is_float(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  return nb_is_float_kind(kind) && kind != LLVMBFloatTypeKind;
}

static LLVMValueRef as_double(const Observer *observer, LLVMValueRef value) {
  LLVMTypeRef type = LLVMDoubleTypeInContext(observer->context->llvm);
  return LLVMTypeOf(value) == type ? value : LLVMBuildFPCast(observer->builder, value, type, "");
}

static LLVMValueRef behind(const Observer *observer, LLVMValueRef pointer,
                           unsigned long long offset) {
  LLVMTypeRef byte = LLVMInt8TypeInContext(observer->context->llvm);
  LLVMValueRef index = count(observer, offset);
  return LLVMBuildGEP2(observer->builder, byte, pointer, &index, 1, "");
}

/* The pointer of the primal's whose shadow is the statement's `address`; NULL: none is known. */
static LLVMValueRef primal_of(const Observer *observer, LLVMValueRef address) {
  LLVMValueRef origin = observer->statement->origin;
  if (LLVMIsALoadInst(origin))
    return LLVMGetOperand(origin, 0);
  if (LLVMIsAStoreInst(origin))
    return LLVMGetOperand(origin, 1);
  unsigned operands = LLVMIsACallInst(origin) ? LLVMGetNumArgOperands(origin) : 0;
  for (unsigned i = 0; i < operands; i++) {
    LLVMValueRef operand = LLVMGetOperand(origin, i);
    if (nb_linear_shadow(observer->linear, operand, 0) == address)
      return operand;
  }
  return NULL;
}

/* What is written to leaf `index`, where the primal's memory cannot be asked for it later. */
static LLVMValueRef written_value(const Observer *observer, unsigned index) {
  LLVMValueRef origin = observer->statement->origin;
  LLVMValueRef value = LLVMIsAStoreInst(origin) ? LLVMGetOperand(origin, 0) : NULL;
  if (value && is_float(LLVMTypeOf(value)))
    return as_double(observer, value);
  if (value && LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind) {
    LLVMValueRef element =
        LLVMBuildExtractElement(observer->builder, value, number(observer, index), "");
    return as_double(observer, element);
  }
  return LLVMConstNull(LLVMDoubleTypeInContext(observer->context->llvm));
}

static unsigned access_of(const Observer *observer, LLVMValueRef primal, unsigned access) {
  NbNeed need = nb_unneeded_need(observer->linear->unneeded, primal);
  access |= need == NB_NEED_YES ? 0 : UNNEEDED;
  return nb_linear_is_guarded(observer->linear, primal) ? access | SENTINEL : access;
}

/* `primal`: where the bytes come from, with the shadow `from`; NULL: nobody knows. */
static void observe_moved(const Observer *observer, LLVMValueRef address, LLVMValueRef extent,
                          LLVMValueRef primal, LLVMValueRef from) {
  LLVMValueRef none = LLVMConstNull(LLVMPointerTypeInContext(observer->context->llvm, 0));
  unsigned access = primal ? access_of(observer, primal, 0) : 0;
  LLVMValueRef arguments[] = {address, extent, primal ? primal : none, from ? from : none,
                              number(observer, access)};
  call(observer, "__nabla_check_moved", arguments, 5);
}

/* An integer that is loaded and stored may be the bits of a number. */
static void observe_word(const Observer *observer, LLVMValueRef address) {
  const NbStatement *statement = observer->statement;
  LLVMValueRef origin = statement->origin;
  LLVMValueRef value = LLVMIsAStoreInst(origin) ? LLVMGetOperand(origin, 0) : NULL;
  LLVMValueRef primal = value && LLVMIsALoadInst(value) ? LLVMGetOperand(value, 0) : NULL;
  LLVMValueRef from = primal ? nb_linear_shadow(observer->linear, primal, 0) : NULL;
  if (from)
    observe_moved(observer, address,
                  count(observer, nb_store_size(observer->context, statement->type)), primal, from);
}

static void observe_access(const Observer *observer, unsigned access) {
  const NbStatement *statement = observer->statement;
  LLVMValueRef address = statement->addresses[0];
  LLVMValueRef primal = primal_of(observer, address);
  const NbLeaves *leaves = nb_leaves_of(observer->context, statement->type);
  if (!primal || leaves->overflow) {
    observe_moved(observer, address,
                  count(observer, nb_store_size(observer->context, statement->type)), NULL, NULL);
    return;
  }
  unsigned kind = access_of(observer, primal, access);
  if (LLVMGetTypeKind(nb_scalar_type(statement->type)) == LLVMIntegerTypeKind)
    observe_word(observer, address);
  for (unsigned i = 0; i < leaves->count; i++) {
    const NbLeaf *leaf = &leaves->items[i];
    if (!is_float(leaf->type))
      continue;
    LLVMValueRef arguments[] = {
        behind(observer, primal, leaf->offset), behind(observer, address, leaf->offset),
        kind & UNNEEDED ? written_value(observer, i)
                        : LLVMConstNull(LLVMDoubleTypeInContext(observer->context->llvm)),
        number(observer, (unsigned)nb_store_size(observer->context, leaf->type)),
        number(observer, kind)};
    call(observer, "__nabla_check_cell", arguments, 5);
  }
}

/* The floats of one piece of the layout, in the memory that `shadow` is the shadow of. */
static void observe_piece(const Observer *observer, const NbPiece *piece, LLVMValueRef shadow,
                          LLVMValueRef from, unsigned access) {
  LLVMValueRef primal = primal_of(observer, shadow);
  if (!primal || piece->kind != NB_KIND_FLOAT || !is_float(piece->type))
    return;
  LLVMValueRef none = LLVMConstNull(LLVMPointerTypeInContext(observer->context->llvm, 0));
  LLVMValueRef arguments[] = {
      primal,
      shadow,
      from ? from : none,
      observer->statement->extent,
      count(observer, piece->offset),
      count(observer, piece->period),
      number(observer, (unsigned)nb_store_size(observer->context, piece->type)),
      number(observer, access_of(observer, primal, access))};
  call(observer, "__nabla_check_cells", arguments, 8);
}

/* What is read is told first: it may overlap what is written. */
static void observe_transfer(const Observer *observer) {
  const NbStatement *statement = observer->statement;
  const NbLayout *layout = &statement->layout;
  LLVMValueRef from = statement->address_from ? primal_of(observer, statement->address_from) : NULL;
  unsigned count = layout->unknown ? 0 : layout->count;
  for (unsigned i = 0; statement->address_from && i < count; i++)
    observe_piece(observer, &layout->pieces[i], statement->address_from, NULL, READ);
  observe_moved(observer, statement->address, statement->extent, from,
                from ? statement->address_from : NULL);
  for (unsigned i = 0; i < count; i++)
    observe_piece(observer, &layout->pieces[i], statement->address, from, WRITE);
}

static void observe_value(const Observer *observer, LLVMValueRef value) {
  if (!value || !is_float(LLVMTypeOf(value)))
    return;
  LLVMValueRef place = nb_check_constant(
      observer->context, nb_check_place(observer->context, observer->statement->origin));
  LLVMValueRef arguments[] = {as_double(observer, value), place};
  call(observer, "__nabla_check_born", arguments, 2);
}

void nb_check_observe_memory(const NbLinear *linear, LLVMBuilderRef builder,
                             const NbStatement *statement) {
  Observer observer = {linear, linear->work->context, builder, statement};
  switch (statement->kind) {
  case NB_STATEMENT_LOAD:
    observe_access(&observer, READ);
    break;
  case NB_STATEMENT_STORE:
    observe_access(&observer, WRITE);
    break;
  case NB_STATEMENT_ADD:
    observe_access(&observer, READ | WRITE);
    break;
  case NB_STATEMENT_COPY:
  case NB_STATEMENT_FILL:
    observe_transfer(&observer);
    break;
  default:
    break;
  }
}

/* --- Single precision ------------------------------------------------------------------------- */

static const char single_mark[] = "nabla-check-single", unseen[] = "unseen";
enum { MARK_LENGTH = sizeof single_mark - 1, UNSEEN_LENGTH = sizeof unseen - 1 };

static bool is_single(LLVMTypeRef type) {
  return LLVMGetTypeKind(nb_scalar_type(type)) == LLVMFloatTypeKind;
}

void nb_check_mark_precision(const NbContext *context, LLVMValueRef derivative,
                             NbPrecision precision) {
  unsigned length = precision == NB_PRECISION_UNSEEN ? UNSEEN_LENGTH : 0;
  LLVMAttributeRef mark =
      LLVMCreateStringAttribute(context->llvm, single_mark, MARK_LENGTH, unseen, length);
  if (precision != NB_PRECISION_DOUBLE)
    LLVMAddAttributeAtIndex(derivative, LLVMAttributeFunctionIndex, mark);
}

static NbPrecision larger(NbPrecision a, NbPrecision b) { return a > b ? a : b; }

static NbPrecision precision_of_type(LLVMTypeRef type) {
  if (!type || !is_single(type))
    return NB_PRECISION_DOUBLE;
  return LLVMGetTypeKind(type) == LLVMFloatTypeKind ? NB_PRECISION_SINGLE : NB_PRECISION_UNSEEN;
}

NbPrecision nb_check_precision(const NbLinear *linear) {
  NbPrecision precision = NB_PRECISION_DOUBLE;
  for (unsigned i = 0; i < linear->work->block_count; i++)
    for (const NbStatement *at = linear->blocks[i].first; at; at = at->next) {
      LLVMTypeRef made = at->result ? LLVMTypeOf(at->result) : at->type;
      precision = larger(precision, precision_of_type(made));
    }
  return precision;
}

/* Of a load too; that of a vector is not followed. */
static void observe_precision(const Observer *observer, LLVMValueRef tangent) {
  if (!tangent || LLVMGetTypeKind(LLVMTypeOf(tangent)) != LLVMFloatTypeKind)
    return;
  LLVMValueRef value = as_double(observer, tangent);
  call(observer, "__nabla_check_single", &value, 1);
}

void nb_check_observe_values(const NbLinear *linear, LLVMBuilderRef builder,
                             const NbStatement *statement, LLVMValueRef tangent) {
  Observer observer = {linear, linear->work->context, builder, statement};
  if (statement->kind == NB_STATEMENT_SUM || statement->kind == NB_STATEMENT_LOAD)
    observe_precision(&observer, tangent);
  if (statement->kind != NB_STATEMENT_SUM)
    return;
  for (unsigned i = 0; i < statement->count; i++) {
    const NbSource *source = &statement->sources[i];
    if (source->value && source->coefficient && !nb_is_constant(source->coefficient))
      observe_value(&observer, source->coefficient);
  }
  observe_value(&observer, tangent);
}

static bool computes_in_single(LLVMValueRef function) {
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at))
    if (is_single(LLVMTypeOf(at)))
      return true;
  return false;
}

bool nb_check_uses_single(const NbContext *context, LLVMValueRef function) {
  NbList reached = nb_reach(context->arena, function);
  for (unsigned i = 0; i < reached.count; i++)
    if (computes_in_single(reached.items[i]))
      return true;
  return false;
}

NbPrecision nb_check_precision_of(const NbContext *context, LLVMValueRef derivative) {
  NbPrecision precision = NB_PRECISION_DOUBLE;
  NbList reached = nb_reach(context->arena, derivative);
  for (unsigned i = 0; i < reached.count; i++) {
    unsigned length = 0;
    LLVMAttributeRef mark = LLVMGetStringAttributeAtIndex(
        reached.items[i], (LLVMAttributeIndex)LLVMAttributeFunctionIndex, single_mark, MARK_LENGTH);
    if (mark)
      LLVMGetStringAttributeValue(mark, &length);
    if (mark)
      precision = larger(precision, length ? NB_PRECISION_UNSEEN : NB_PRECISION_SINGLE);
  }
  return precision;
}

/* --- Loads ------------------------------------------------------------------------------------ */

static NbMap *origins_of_loads(const NbLinear *linear) {
  NbMap *origins = nb_map_new(linear->work->context->arena);
  for (unsigned i = 0; i < linear->work->block_count; i++)
    for (const NbStatement *statement = linear->blocks[i].first; statement;
         statement = statement->next)
      if (statement->kind == NB_STATEMENT_LOAD)
        nb_map_set(origins, statement->origin, origins);
  return origins;
}

/* Nothing reads its shadow, which may be anything. */
static void observe_load(const NbLinear *linear, LLVMValueRef load) {
  LLVMValueRef pointer = LLVMGetOperand(load, 0);
  LLVMValueRef shadow = nb_linear_shadow(linear, pointer, 0);
  NbContext *context = linear->work->context;
  if (!shadow || !is_float(LLVMTypeOf(load)))
    return;
  Observer observer = {linear, context, nb_builder_after(linear, load), NULL};
  LLVMValueRef none = LLVMConstNull(LLVMDoubleTypeInContext(context->llvm));
  unsigned size = (unsigned)nb_store_size(context, LLVMTypeOf(load));
  LLVMValueRef arguments[] = {pointer, shadow, none, number(&observer, size),
                              number(&observer, access_of(&observer, pointer, READ | SENTINEL))};
  call(&observer, "__nabla_check_cell", arguments, 5);
  LLVMDisposeBuilder(observer.builder);
}

void nb_check_observe_loads(const NbLinear *linear) {
  const NbMap *active = origins_of_loads(linear);
  for (unsigned i = 0; i < linear->work->block_count; i++) {
    LLVMValueRef inst = LLVMGetFirstInstruction(linear->work->blocks[i].block), next;
    for (; inst; inst = next) {
      next = LLVMGetNextInstruction(inst);
      if (LLVMIsALoadInst(inst) && !nb_map_has(active, inst))
        observe_load(linear, inst);
    }
  }
}
