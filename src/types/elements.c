// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Copies of bytes become copies of elements.
 *
 * Where facts leave open what a copy moves, the writes before it may tell (written.c): then each
 * element is loaded and stored as what it is, and all that holds for stores holds for it. What is
 * left of something that was overwritten in part stays a copy, and is marked: it is no number any
 * more, though its bytes may be those of one. */
#include "base/names.h"
#include "types/slots.h"
#include "types/written.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

enum { WIDEST = 8 };

typedef struct Copy {
  NbTypes *types;
  LLVMValueRef call;
  NbCall what;
  uint64_t size;
  const NbWritten *written;
  LLVMBuilderRef builder;
} Copy;

/* A run of bytes that is moved as one. */
typedef struct Run {
  NbWrittenKind kind;
  LLVMTypeRef type;
  uint64_t begin, size;
} Run;

bool nb_types_is_rest(LLVMValueRef copy) {
  LLVMContextRef llvm = LLVMGetTypeContext(LLVMTypeOf(copy));
  return LLVMGetMetadata(copy, LLVMGetMDKindIDInContext(llvm, NB_REST_COPY, strlen(NB_REST_COPY)));
}

/* --- Runs. ------------------------------------------------------------------------------------ */

static bool is_number(NbWrittenKind kind) { return kind == NB_WRITTEN_NUMBER; }

/* Does the byte go on with what begins at the one before it? */
static bool continues(const NbWritten *begin, const NbWritten *byte, uint64_t distance) {
  bool element = begin->kind != NB_WRITTEN_REST && begin->kind != NB_WRITTEN_FRESH &&
                 begin->kind != NB_WRITTEN_ZERO;
  return begin->kind == byte->kind && begin->type == byte->type &&
         (!element || byte->inside == begin->inside + distance);
}

static uint64_t size_of(const Copy *copy, LLVMTypeRef type) {
  return LLVMStoreSizeOfType(copy->types->context->layout, type);
}

/* The run that begins at a byte; of integers as much as a register holds. */
static Run run_at(const Copy *copy, uint64_t begin) {
  const NbWritten *first = &copy->written[begin];
  Run run = {first->kind, first->type, begin, 1};
  while (begin + run.size < copy->size && continues(first, first + run.size, run.size) &&
         !(first->type && run.size == size_of(copy, first->type)))
    run.size++;
  uint64_t widest = WIDEST;
  while (is_number(run.kind) && (widest > run.size || begin % widest))
    widest /= 2;
  if (is_number(run.kind))
    run.size = widest;
  return run;
}

/* May null bytes be a pointer that leads nowhere? Its shadow is not null then. */
static bool may_be_null_pointer(const Copy *copy, const Run *zeros) {
  uint64_t begin = zeros->begin, end = zeros->begin;
  while (begin && copy->written[begin - 1].kind == NB_WRITTEN_ZERO)
    begin--;
  while (end < copy->size && copy->written[end].kind == NB_WRITTEN_ZERO)
    end++;
  NbClass *to = nb_value_class(copy->types->objects, copy->what.to);
  return end - begin >= LLVMPointerSize(copy->types->context->layout) &&
         nb_class_holds_pointers(to);
}

/* Can the run be moved? The rest of something is moved by itself. */
static bool is_movable(const Copy *copy, const Run *run) {
  switch (run->kind) {
  case NB_WRITTEN_FLOAT:
  case NB_WRITTEN_POINTER:
    return copy->written[run->begin].inside == 0 && run->size == size_of(copy, run->type);
  case NB_WRITTEN_ZERO:
    return !may_be_null_pointer(copy, run);
  case NB_WRITTEN_REST:
    return LLVMIsAMemCpyInst(copy->call) != NULL;
  default:
    return true;
  }
}

static bool can_split(const Copy *copy) {
  for (uint64_t at = 0; at < copy->size;) {
    const Run run = run_at(copy, at);
    if (!is_movable(copy, &run))
      return false;
    at += run.size;
  }
  return true;
}

/* --- Code. ------------------------------------------------------------------------------------ */

static unsigned align_of(const Copy *copy, LLVMValueRef pointer, uint64_t offset) {
  uint64_t align = nb_facts_argument_align(copy->call, pointer);
  while (offset % align)
    align /= 2;
  return (unsigned)align;
}

static LLVMValueRef address_of(const Copy *copy, LLVMValueRef pointer, uint64_t offset) {
  LLVMContextRef llvm = copy->types->context->llvm;
  LLVMValueRef index = LLVMConstInt(LLVMInt64TypeInContext(llvm), offset, false);
  return LLVMBuildInBoundsGEP2(copy->builder, LLVMInt8TypeInContext(llvm), pointer, &index, 1, "");
}

static LLVMTypeRef type_of(const Copy *copy, const Run *run) {
  LLVMContextRef llvm = copy->types->context->llvm;
  return is_number(run->kind) ? LLVMIntTypeInContext(llvm, (unsigned)run->size * 8) : run->type;
}

static LLVMValueRef load_run(const Copy *copy, const Run *run) {
  LLVMValueRef address = address_of(copy, copy->what.from, run->begin);
  LLVMValueRef load = LLVMBuildLoad2(copy->builder, type_of(copy, run), address, "");
  LLVMSetAlignment(load, align_of(copy, copy->what.from, run->begin));
  nb_access_note_slot(load);
  return load;
}

static void store_run(const Copy *copy, const Run *run, LLVMValueRef value) {
  LLVMValueRef address = address_of(copy, copy->what.to, run->begin);
  LLVMValueRef store = LLVMBuildStore(copy->builder, value, address);
  LLVMSetAlignment(store, align_of(copy, copy->what.to, run->begin));
  nb_access_note_slot(store);
}

static void copy_rest(const Copy *copy, const Run *run) {
  LLVMContextRef llvm = copy->types->context->llvm;
  LLVMValueRef bytes = LLVMConstInt(LLVMInt64TypeInContext(llvm), run->size, false);
  LLVMValueRef to = address_of(copy, copy->what.to, run->begin);
  LLVMValueRef from = address_of(copy, copy->what.from, run->begin);
  LLVMValueRef rest = LLVMBuildMemCpy(copy->builder, to, align_of(copy, copy->what.to, run->begin),
                                      from, align_of(copy, copy->what.from, run->begin), bytes);
  nb_access_note(rest, NB_REST_COPY);
}

/* Zeros are set, not moved: what lies there may be no integer. */
static void clear_run(const Copy *copy, const Run *run) {
  LLVMContextRef llvm = copy->types->context->llvm;
  LLVMValueRef bytes = LLVMConstInt(LLVMInt64TypeInContext(llvm), run->size, false);
  LLVMValueRef zero = LLVMConstNull(LLVMInt8TypeInContext(llvm));
  LLVMValueRef to = address_of(copy, copy->what.to, run->begin);
  LLVMBuildMemSet(copy->builder, to, zero, bytes, align_of(copy, copy->what.to, run->begin));
}

/* All is read before anything is written. */
static void split(Copy *copy) {
  LLVMValueRef values[NB_MOST_WRITTEN];
  copy->builder = LLVMCreateBuilderInContext(copy->types->context->llvm);
  LLVMPositionBuilderBefore(copy->builder, copy->call);
  LLVMSetCurrentDebugLocation2(copy->builder, LLVMInstructionGetDebugLoc(copy->call));
  for (uint64_t at = 0; at < copy->size;) {
    const Run run = run_at(copy, at);
    bool moved =
        run.kind != NB_WRITTEN_FRESH && run.kind != NB_WRITTEN_REST && run.kind != NB_WRITTEN_ZERO;
    values[at] = moved ? load_run(copy, &run) : NULL;
    at += run.size;
  }
  for (uint64_t at = 0; at < copy->size;) {
    const Run run = run_at(copy, at);
    if (values[at])
      store_run(copy, &run, values[at]);
    else if (run.kind == NB_WRITTEN_REST)
      copy_rest(copy, &run);
    else if (run.kind == NB_WRITTEN_ZERO)
      clear_run(copy, &run);
    at += run.size;
  }
  LLVMDisposeBuilder(copy->builder);
}

/* --- The function. ---------------------------------------------------------------------------- */

static bool is_doubtful(NbTypes *types, LLVMValueRef call) {
  NbLayout layout = nb_types_transfer(types, call);
  return !nb_layout_is_known(&layout);
}

/* Is it a copy that nobody uses the result of? */
static bool is_plain(LLVMValueRef call) {
  bool intrinsic = LLVMIsAMemCpyInst(call) || LLVMIsAMemMoveInst(call);
  LLVMValueRef changing = intrinsic ? LLVMGetOperand(call, 3) : NULL;
  return intrinsic && LLVMIsNull(changing) && !nb_types_is_rest(call);
}

/* Finds how the copy can be split, or the call in which is written what it moves. */
static Copy *find_copy(NbTypes *types, LLVMValueRef call, NbList *hidden) {
  LLVMValueRef writer = NULL;
  NbWritten *written = NB_NEW_ARRAY(types->arena, NbWritten, NB_MOST_WRITTEN);
  Copy *copy = NB_NEW(types->arena, Copy);
  *copy = (Copy){.types = types, .call = call, .written = written};
  copy->what = nb_call_of(types->context, call);
  bool found = nb_types_find_written(types, call, &copy->what, written, &writer);
  if (writer)
    nb_list_push(hidden, writer);
  if (!found)
    return NULL;
  copy->size = LLVMConstIntGetZExtValue(copy->what.bytes);
  return can_split(copy) ? copy : NULL;
}

bool nb_types_split_copies(NbTypes *types, LLVMValueRef function, NbList *hidden) {
  NbList copies = nb_list(types->arena);
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at)) {
    Copy *copy = is_plain(at) && is_doubtful(types, at) ? find_copy(types, at, hidden) : NULL;
    if (copy)
      nb_list_push(&copies, copy);
  }
  for (unsigned i = 0; i < copies.count; i++) {
    Copy *copy = copies.items[i];
    split(copy);
    LLVMInstructionEraseFromParent(copy->call);
  }
  return copies.count > 0;
}
