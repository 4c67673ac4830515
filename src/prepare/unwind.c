// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prepare/unwind.h"

#include "base/names.h"
#include "bridge/unwind.h"
#include "emit/runtime.h"

#include <string.h>

#define THROWN "__nabla_thrown"
#define SELECTOR "__nabla_thrown_selector"
/* The number of a type among those that a function catches: another in each function. */
#define TYPE_NUMBER "llvm.eh.typeid."

static LLVMTypeRef pointer_type(const NbWork *work) {
  return LLVMPointerTypeInContext(work->context->llvm, 0);
}

static LLVMTypeRef selector_type(const NbWork *work) {
  return LLVMInt32TypeInContext(work->context->llvm);
}

/* It is there until it is replaced, also where nothing uses it. */
static LLVMValueRef stand_in(const NbWork *work, LLVMBuilderRef builder, const char *name,
                             LLVMTypeRef type) {
  LLVMValueRef call = nb_runtime_call(work->context, builder, name, type, NULL, 0);
  nb_attributes_set_watching(nb_callee(call));
  return call;
}

/* --- Invokes become calls. -------------------------------------------------------------------- */

static LLVMValueRef find_pad(LLVMBasicBlockRef block) {
  LLVMValueRef first = nb_work_first_after_phis(block);
  return LLVMIsALandingPadInst(first) ? first : NULL;
}

/* The landing of the block, where its landing pad becomes a pair of what stands for its parts. */
static const NbLanding *landing_of(NbWork *work, LLVMBuilderRef builder, LLVMBasicBlockRef block) {
  NbLanding *landing = nb_map_get(work->landings, block);
  if (landing)
    return landing;
  LLVMValueRef pad = find_pad(block);
  landing = NB_NEW(work->context->arena, NbLanding);
  *landing = (NbLanding){
      .type = LLVMTypeOf(pad), .cleanup = LLVMIsCleanup(pad), .count = LLVMGetNumClauses(pad)};
  landing->clauses = NB_NEW_ARRAY(work->context->arena, LLVMValueRef, landing->count + 1);
  for (unsigned i = 0; i < landing->count; i++)
    landing->clauses[i] = LLVMGetClause(pad, i);
  LLVMPositionBuilderBefore(builder, pad);
  landing->object = stand_in(work, builder, NB_THROWN_OBJECT, pointer_type(work));
  landing->selector = stand_in(work, builder, SELECTOR, selector_type(work));
  LLVMValueRef pair = LLVMGetPoison(landing->type);
  pair = LLVMBuildInsertValue(builder, pair, landing->object, 0, "");
  pair = LLVMBuildInsertValue(builder, pair, landing->selector, 1, "");
  LLVMReplaceAllUsesWith(pad, pair);
  LLVMInstructionEraseFromParent(pad);
  nb_map_set(work->landings, block, landing);
  return landing;
}

/* A block that is entered only where the invoke has returned. */
static LLVMBasicBlockRef make_returned(LLVMBuilderRef builder, LLVMValueRef invoke) {
  LLVMBasicBlockRef block = LLVMGetInstructionParent(invoke);
  LLVMBasicBlockRef normal = LLVMGetNormalDest(invoke);
  LLVMContextRef llvm = LLVMGetTypeContext(LLVMTypeOf(invoke));
  LLVMBasicBlockRef returned = LLVMInsertBasicBlockInContext(llvm, normal, "returned");
  LLVMPositionBuilderAtEnd(builder, returned);
  LLVMBuildBr(builder, normal);
  nb_phis_redirect(normal, block, returned);
  return returned;
}

static void replace_invoke(NbWork *work, LLVMBuilderRef builder, LLVMValueRef invoke) {
  if (LLVMGetFirstInstruction(LLVMGetInstructionParent(invoke)) != invoke)
    nb_split_block(invoke, "call");
  LLVMBasicBlockRef unwound = LLVMGetUnwindDest(invoke);
  LLVMBasicBlockRef returned = make_returned(builder, invoke);
  NbUnwind *unwind = NB_NEW(work->context->arena, NbUnwind);
  unwind->call = nb_call_like_invoke(invoke);
  unwind->landing = landing_of(work, builder, unwound);
  LLVMPositionBuilderBefore(builder, invoke);
  unwind->thrown = stand_in(work, builder, THROWN, LLVMInt1TypeInContext(work->context->llvm));
  LLVMBuildCondBr(builder, unwind->thrown, unwound, returned);
  LLVMReplaceAllUsesWith(invoke, unwind->call);
  LLVMInstructionEraseFromParent(invoke);
  nb_map_set(work->unwinds, unwind->thrown, unwind);
}

/* A landing that catches something; NULL where no function of the module has one. */
static LLVMValueRef find_catch(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
         block = LLVMGetNextBasicBlock(block)) {
      LLVMValueRef pad = find_pad(block);
      if (pad && LLVMGetNumClauses(pad))
        return pad;
    }
  return NULL;
}

static LLVMBasicBlockRef make_passage(const NbWork *work, LLVMTypeRef type) {
  LLVMContextRef llvm = work->context->llvm;
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(llvm);
  LLVMBasicBlockRef block = LLVMAppendBasicBlockInContext(llvm, work->function, "passage");
  LLVMPositionBuilderAtEnd(builder, block);
  LLVMValueRef personality = LLVMGetPersonalityFn(work->function);
  LLVMValueRef pad = LLVMBuildLandingPad(builder, type, personality, 0, "");
  LLVMSetCleanup(pad, true);
  LLVMBuildResume(builder, pad);
  LLVMDisposeBuilder(builder);
  return block;
}

void nb_unwind_watch(NbWork *work) {
  LLVMValueRef pad = find_catch(work->context->module);
  NbList calls = nb_list(work->context->arena);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(work->function); pad && block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
      if (LLVMIsACallInst(at) && nb_call_may_throw(at) && !nb_runtime_is(at))
        nb_list_push(&calls, at);
  if (!calls.count)
    return;
  if (!LLVMHasPersonalityFn(work->function)) {
    LLVMValueRef catches = LLVMGetBasicBlockParent(LLVMGetInstructionParent(pad));
    LLVMSetPersonalityFn(work->function, LLVMGetPersonalityFn(catches));
  }
  LLVMBasicBlockRef passage = make_passage(work, LLVMTypeOf(pad));
  for (unsigned i = 0; i < calls.count; i++)
    nb_call_becomes_invoke(calls.items[i], passage);
}

void nb_unwind_replace(NbWork *work) {
  work->landings = nb_map_new(work->context->arena);
  work->unwinds = nb_map_new(work->context->arena);
  work->invokes = nb_map_new(work->context->arena);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(work->context->llvm);
  NbList invokes = nb_list(work->context->arena);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(work->function); block;
       block = LLVMGetNextBasicBlock(block)) {
    LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
    if (LLVMIsAInvokeInst(last))
      nb_list_push(&invokes, last);
  }
  for (unsigned i = 0; i < invokes.count; i++)
    replace_invoke(work, builder, invokes.items[i]);
  LLVMDisposeBuilder(builder);
}

/* --- Copies. ---------------------------------------------------------------------------------- */

static const NbLanding *twin_landing(NbContext *context, NbMap *known, const NbLanding *landing,
                                     const NbMap *twins) {
  NbLanding *twin = nb_map_get(known, landing);
  if (twin)
    return twin;
  twin = NB_NEW(context->arena, NbLanding);
  *twin = *landing;
  twin->object = nb_map_get(twins, landing->object);
  twin->selector = nb_map_get(twins, landing->selector);
  nb_map_set(known, landing, twin);
  return twin;
}

NbWork *nb_unwind_twin(const NbWork *work, LLVMValueRef function, const NbMap *twins) {
  NbContext *context = work->context;
  NbWork *twin = NB_NEW(context->arena, NbWork);
  NbMap *landings = nb_map_new(context->arena);
  *twin = *work;
  twin->function = function;
  twin->unwinds = nb_map_new(context->arena);
  twin->invokes = nb_map_new(context->arena);
  for (unsigned i = 0; i < nb_map_count(work->unwinds); i++) {
    const NbUnwind *unwind = nb_map_get(work->unwinds, nb_map_key(work->unwinds, i));
    NbUnwind *own = NB_NEW(context->arena, NbUnwind);
    *own = *unwind;
    own->call = nb_map_get(twins, unwind->call);
    own->thrown = nb_map_get(twins, unwind->thrown);
    own->landing = twin_landing(context, landings, unwind->landing, twins);
    nb_map_set(twin->unwinds, own->thrown, own);
  }
  return twin;
}

/* --- Questions. ------------------------------------------------------------------------------- */

bool nb_unwind_is_told(LLVMValueRef call) {
  LLVMValueRef callee = LLVMIsACallInst(call) ? nb_callee(call) : NULL;
  return callee && (strncmp(nb_name(callee), THROWN, strlen(THROWN)) == 0 ||
                    strncmp(nb_name(callee), TYPE_NUMBER, strlen(TYPE_NUMBER)) == 0);
}

bool nb_unwind_is_condition(const NbWork *work, LLVMValueRef value) {
  return nb_map_has(work->unwinds, value);
}

static const NbUnwind *unwind_behind(const NbWork *work, LLVMValueRef value) {
  LLVMValueRef last = LLVMGetBasicBlockTerminator(LLVMGetInstructionParent(value));
  if (LLVMGetInstructionOpcode(last) != LLVMBr || !LLVMIsConditional(last))
    return NULL;
  const NbUnwind *unwind = nb_map_get(work->unwinds, LLVMGetCondition(last));
  return unwind && unwind->call == value ? unwind : NULL;
}

bool nb_unwind_is_caught(const NbWork *work, LLVMValueRef call) {
  if (!unwind_behind(work, call))
    return false;
  LLVMValueRef last = LLVMGetBasicBlockTerminator(LLVMGetInstructionParent(call));
  return nb_work_block(work, LLVMGetSuccessor(last, 0))->returns;
}

NbWorkBlock *nb_unwind_block(const NbWork *work, LLVMValueRef value) {
  if (!nb_unwind_is_caught(work, value))
    return nb_work_block_of(work, value);
  LLVMValueRef last = LLVMGetBasicBlockTerminator(LLVMGetInstructionParent(value));
  return nb_work_block(work, LLVMGetSuccessor(last, 1));
}

/* --- Calls become invokes. -------------------------------------------------------------------- */

/* The places of a landing's two parts between the landing pads of its invokes and its code. */
typedef struct Slots {
  LLVMValueRef object, selector;
} Slots;

static Slots *slots_of(const NbWork *work, LLVMBuilderRef builder, NbMap *known,
                       const NbLanding *landing) {
  Slots *slots = nb_map_get(known, landing);
  if (slots)
    return slots;
  slots = NB_NEW(work->context->arena, Slots);
  nb_map_set(known, landing, slots);
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(work->function);
  LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(entry));
  slots->object = LLVMBuildAlloca(builder, pointer_type(work), "thrown.object");
  slots->selector = LLVMBuildAlloca(builder, selector_type(work), "thrown.selector");
  LLVMValueRef parts[] = {landing->object, landing->selector};
  LLVMValueRef places[] = {slots->object, slots->selector};
  for (unsigned i = 0; i < 2; i++) {
    LLVMPositionBuilderBefore(builder, parts[i]);
    LLVMValueRef load = LLVMBuildLoad2(builder, LLVMTypeOf(parts[i]), places[i], "");
    LLVMReplaceAllUsesWith(parts[i], load);
    LLVMInstructionEraseFromParent(parts[i]);
  }
  return slots;
}

/* A landing pad of the invoke's own, from which control goes on to where the branch led. */
static LLVMBasicBlockRef make_pad(const NbWork *work, LLVMBuilderRef builder, const Slots *slots,
                                  const NbLanding *landing, LLVMBasicBlockRef target) {
  LLVMBasicBlockRef block = LLVMInsertBasicBlockInContext(work->context->llvm, target, "landing");
  LLVMPositionBuilderAtEnd(builder, block);
  LLVMValueRef pad = LLVMBuildLandingPad(builder, landing->type,
                                         LLVMGetPersonalityFn(work->function), landing->count, "");
  LLVMSetCleanup(pad, landing->cleanup);
  for (unsigned i = 0; i < landing->count; i++)
    LLVMAddClause(pad, landing->clauses[i]);
  LLVMValueRef object = LLVMBuildExtractValue(builder, pad, 0, "");
  LLVMBuildStore(builder, object, slots->object);
  LLVMValueRef selector = LLVMBuildExtractValue(builder, pad, 1, "");
  LLVMBuildStore(builder, selector, slots->selector);
  LLVMBuildBr(builder, target);
  return block;
}

/* Of what stands in the place of the call now, the first that may throw: what follows it belongs to
 * its return. */
static LLVMValueRef find_thrower(LLVMValueRef thrown) {
  LLVMValueRef at = LLVMGetFirstInstruction(LLVMGetInstructionParent(thrown));
  while (at != thrown && !(LLVMIsACallInst(at) && !nb_runtime_is(at) && nb_call_may_throw(at)))
    at = LLVMGetNextInstruction(at);
  return at != thrown ? at : NULL;
}

static void restore(const NbWork *work, LLVMBuilderRef builder, NbMap *known, NbUnwind *unwind) {
  LLVMValueRef branch = LLVMGetBasicBlockTerminator(LLVMGetInstructionParent(unwind->thrown));
  LLVMBasicBlockRef block = LLVMGetInstructionParent(branch);
  LLVMBasicBlockRef target = LLVMGetSuccessor(branch, 0);
  const Slots *slots = slots_of(work, builder, known, unwind->landing);
  LLVMValueRef thrower = find_thrower(unwind->thrown);
  LLVMTypeRef type = LLVMTypeOf(unwind->thrown);
  LLVMReplaceAllUsesWith(unwind->thrown, LLVMConstNull(type));
  LLVMInstructionEraseFromParent(unwind->thrown);
  if (!thrower)
    return;
  LLVMBasicBlockRef pad = make_pad(work, builder, slots, unwind->landing, target);
  unwind->pad = pad;
  nb_phis_redirect(target, block, pad);
  LLVMPositionBuilderBefore(builder, branch);
  LLVMBuildBr(builder, LLVMGetSuccessor(branch, 1));
  LLVMInstructionEraseFromParent(branch);
  nb_call_becomes_invoke(thrower, pad);
  nb_map_set(work->invokes, thrower, LLVMGetBasicBlockTerminator(block));
}

void nb_unwind_restore(const NbWork *work) {
  NbMap *slots = nb_map_new(work->context->arena);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(work->context->llvm);
  for (unsigned i = 0; i < nb_map_count(work->unwinds); i++)
    restore(work, builder, slots, nb_map_get(work->unwinds, nb_map_key(work->unwinds, i)));
  LLVMDisposeBuilder(builder);
}
