// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Where a loop reads x[i] and x[i + 1], optimisers load the second alone, and carry it to the next
 * iteration in a phi. The reverse sweep comes from the other side: it cannot compute what was
 * carried, so that an array which is there all the time would be kept in the tape, and the
 * vectoriser can make nothing of a loop that stores what it carries. So the working copy loads it
 * again. The passes that come last carry it once more where that is worth it. */
#include "prepare/carried.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

enum { MOST_CARRIED = 4, MOST_BLOCKS = 16, MOST_WRITERS = 512 };

typedef struct Carried {
  NbWork *work;
  NbLoop *loop;
  const NbWorkLoop *known;
  LLVMValueRef load; /* in the loop */
  LLVMValueRef
      firsts[MOST_CARRIED]; /* before it: what the phi, and each that it carries, begins as */
  unsigned age;             /* how many these are: iterations ago `load` was */
  NbScev *address;          /* of `load` */
} Carried;

static bool is_number(LLVMTypeRef type) {
  if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
    type = LLVMGetElementType(type);
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind || nb_is_float_kind(LLVMGetTypeKind(type));
}

static bool is_plain_load(LLVMValueRef value) {
  return LLVMIsALoadInst(value) && nb_access_is_plain(value);
}

static LLVMValueRef incoming(const Carried *carried, LLVMValueRef phi, bool first) {
  bool at_start = LLVMGetIncomingBlock(phi, 0) == carried->known->preheader;
  return LLVMGetIncomingValue(phi, at_start == first ? 0 : 1);
}

/* Follows the phi, through others that carry on what was carried, to the load. */
static bool find_load(Carried *carried, LLVMValueRef phi) {
  LLVMValueRef value = phi;
  for (carried->age = 0; LLVMIsAPHINode(value); carried->age++) {
    if (carried->age == MOST_CARRIED || LLVMGetInstructionParent(value) != carried->known->header)
      return false;
    carried->firsts[carried->age] = incoming(carried, value, true);
    if (!is_plain_load(carried->firsts[carried->age]))
      return false;
    value = incoming(carried, value, false);
  }
  carried->load = value;
  return carried->age && is_plain_load(value) &&
         nb_work_block_of(carried->work, value)->loop == carried->known;
}

/* Did the load before the loop read what `load` would have, `age` iterations before its first? */
static bool fits_at(const Carried *carried, LLVMValueRef first, unsigned age) {
  NbAnalyses *analyses = carried->work->context->analyses;
  LLVMValueRef function = carried->work->function;
  NbScev *step = nb_scev_step(analyses, carried->address, carried->loop);
  NbScev *address = nb_scev_of(analyses, function, LLVMGetOperand(first, 0));
  NbScev *distance =
      address ? nb_scev_minus(analyses, function, nb_scev_start(carried->address), address) : NULL;
  for (unsigned i = 0; distance && i < age; i++)
    distance = nb_scev_minus(analyses, function, distance, step);
  int64_t rest;
  return distance && nb_scev_is_constant(distance, &rest) && rest == 0;
}

static bool fits(Carried *carried) {
  NbAnalyses *analyses = carried->work->context->analyses;
  carried->address =
      nb_scev_of(analyses, carried->work->function, LLVMGetOperand(carried->load, 0));
  if (!carried->address || !nb_scev_is_affine(analyses, carried->address, carried->loop))
    return false;
  for (unsigned i = 0; i < carried->age; i++)
    if (!fits_at(carried, carried->firsts[i], carried->age - i))
      return false;
  return nb_scev_safe_to_expand(analyses, nb_scev_step(analyses, carried->address, carried->loop),
                                LLVMGetBasicBlockTerminator(carried->known->preheader));
}

static bool may_write(const Carried *carried, LLVMValueRef writer, LLVMValueRef load) {
  const NbContext *context = carried->work->context;
  return nb_memory_may_write_any(writer) &&
         nb_memory_may_write(context->analyses, writer, LLVMGetOperand(load, 0),
                             nb_store_size(context, LLVMTypeOf(load)));
}

/* Does what was loaded before the loop still stand there when control comes to the loop? */
static bool lasts_until_loop(const Carried *carried, LLVMValueRef first) {
  const NbWorkBlock *block = nb_work_block(carried->work, carried->known->preheader);
  for (unsigned i = 0; i < MOST_BLOCKS; i++) {
    for (LLVMValueRef inst = LLVMGetLastInstruction(block->block); inst;
         inst = LLVMGetPreviousInstruction(inst)) {
      if (inst == first)
        return true;
      if (may_write(carried, inst, first))
        return false;
    }
    if (block->count != 1)
      return false;
    block = block->predecessors[0];
  }
  return false;
}

static bool all_last_until_loop(const Carried *carried) {
  for (unsigned i = 0; i < carried->age; i++)
    if (!lasts_until_loop(carried, carried->firsts[i]))
      return false;
  return true;
}

static bool lasts_in_loop(const Carried *carried) {
  const NbWork *work = carried->work;
  unsigned writers = 0;
  for (unsigned i = 0; i < work->block_count; i++) {
    if (!nb_work_loop_contains(carried->known, work->blocks[i].loop))
      continue;
    for (LLVMValueRef inst = LLVMGetFirstInstruction(work->blocks[i].block); inst;
         inst = LLVMGetNextInstruction(inst)) {
      writers += nb_memory_may_write_any(inst);
      if (writers > MOST_WRITERS || may_write(carried, inst, carried->load))
        return false;
    }
  }
  return true;
}

/* What is said of the type of both accesses. */
static void keep_type(const Carried *carried, LLVMValueRef again) {
  unsigned kind = LLVMGetMDKindIDInContext(carried->work->context->llvm, "tbaa", strlen("tbaa"));
  LLVMValueRef type = LLVMGetMetadata(carried->load, kind);
  if (type && type == LLVMGetMetadata(carried->firsts[0], kind))
    LLVMSetMetadata(again, kind, type);
  nb_access_groups_of_both(again, carried->load, carried->firsts[0]);
}

static LLVMValueRef load_again(const Carried *carried) {
  LLVMContextRef llvm = carried->work->context->llvm;
  NbAnalyses *analyses = carried->work->context->analyses;
  const NbWorkLoop *known = carried->known;
  LLVMTypeRef count = LLVMInt64TypeInContext(llvm), byte = LLVMInt8TypeInContext(llvm);
  NbScev *step = nb_scev_step(analyses, carried->address, carried->loop);
  LLVMValueRef bytes =
      nb_scev_expand(analyses, step, count, LLVMGetBasicBlockTerminator(known->preheader));
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(llvm);
  LLVMPositionBuilderBeforeInstrAndDbgRecords(builder, nb_work_first_after_phis(known->header));
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(carried->load));
  LLVMValueRef distance = LLVMBuildMul(builder, known->counter, bytes, "");
  LLVMValueRef address =
      LLVMBuildGEP2(builder, byte, LLVMGetOperand(carried->firsts[0], 0), &distance, 1, "");
  LLVMValueRef again = LLVMBuildLoad2(builder, LLVMTypeOf(carried->load), address, "again");
  unsigned align = LLVMGetAlignment(carried->load), other = LLVMGetAlignment(carried->firsts[0]);
  LLVMSetAlignment(again, align < other ? align : other);
  keep_type(carried, again);
  LLVMDisposeBuilder(builder);
  return again;
}

LLVMValueRef nb_prepare_load_carried(NbWork *work, NbLoop *loop, const NbWorkLoop *known,
                                     LLVMValueRef phi) {
  Carried carried = {.work = work, .loop = loop, .known = known};
  if (nb_without(work->context, NB_OPTIMISATION_RELOAD) || !is_number(LLVMTypeOf(phi)) ||
      !find_load(&carried, phi) || !fits(&carried) || !all_last_until_loop(&carried) ||
      !lasts_in_loop(&carried))
    return NULL;
  return load_again(&carried);
}
