// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Makes the private, simplified copy of a primal on which everything else works.
 *
 * At -O0 the copy goes through the passes that the user's pipeline did not run; after an optimised
 * pipeline the same passes find little to do. Helpers that allocate for their caller, or free for
 * it, are inlined first: an allocation and its release then stand in one function, where the
 * reverse sweep can order them. So are helpers that move bytes of which only their callers know
 * what they hold. */
#include "prepare/prepare.h"

#include "types/facts.h"

#include "derive/derive.h"
#include "prepare/aggregates.h"
#include "prepare/unneeded.h"
#include "request/registrations.h"

#include <string.h>

#define SIMPLIFY                                                                                   \
  "sroa,early-cse<memssa>,instsimplify,simplifycfg,sroa,"                                          \
  "early-cse<memssa>,loop-mssa(loop-rotate,licm),simplifycfg,mergereturn"
#define MAKE_REDUCIBLE "lower-switch,fix-irreducible,simplifycfg,mergereturn"
#define CANONICAL_LOOPS "loop-simplify,lcssa"

enum { INLINE_LIMIT = 64, SEARCH_DEPTH = 16 };

static bool run(NbWork *work, const char *pipeline) {
  NbContext *context = work->context;
  char *message = nb_passes_run(context->analyses, context->module, work->function, pipeline);
  if (!message)
    return true;
  bool ok = nb_refuse(context, NB_ERROR_BUILD, work->function, "the passes '%s' failed: %s",
                      pipeline, message);
  LLVMDisposeMessage(message);
  return ok;
}

/* What a function does with the heap, its callees included; each is looked at once. */
typedef struct HeapUse {
  const NbContext *context;
  NbMap *seen;
  bool allocates, frees, resizes;
} HeapUse;

static void find_heap_use(HeapUse *use, LLVMValueRef function, unsigned depth);

static void add_heap_use(HeapUse *use, LLVMValueRef call, unsigned depth) {
  const NbRule *rule = nb_rule_of_call(use->context, call, NULL);
  LLVMValueRef callee = nb_callee(call);
  if (rule && rule->kind == NB_RULE_ALLOCATE)
    use->allocates = true;
  else if (rule && rule->kind == NB_RULE_FREE)
    use->frees = true;
  else if (rule && rule->kind == NB_RULE_RESIZE)
    use->resizes = true;
  else if (callee && LLVMCountBasicBlocks(callee) > 0)
    find_heap_use(use, callee, depth + 1);
}

static void find_heap_use(HeapUse *use, LLVMValueRef function, unsigned depth) {
  if (depth > SEARCH_DEPTH || nb_map_has(use->seen, function))
    return;
  nb_map_set(use->seen, function, function);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef inst = LLVMGetFirstInstruction(block); inst;
         inst = LLVMGetNextInstruction(inst))
      if (LLVMIsACallInst(inst))
        add_heap_use(use, inst, depth);
}

/* Does the function allocate for its caller, free for it, or resize what may be the caller's? */
static bool passes_heap(const NbContext *context, LLVMValueRef function) {
  HeapUse use = {.context = context, .seen = nb_map_new(context->arena)};
  find_heap_use(&use, function, 0);
  LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(function));
  return use.allocates != use.frees || use.resizes ||
         (use.allocates && nb_type_has_pointer(result));
}

/* Does the function move bytes of which only its callers know what they are? */
static bool moves_unknown(NbContext *context, LLVMValueRef function) {
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at)) {
    if (!nb_is_call(at) || nb_call_of(context, at).kind != NB_CALL_COPY)
      continue;
    NbTypes *types = nb_types_of_group(nb_summary_of(context, function));
    if (nb_types_transfer(types, at).unknown)
      return true;
  }
  return false;
}

/* `helpers` maps the functions that were asked about to themselves where they are to be inlined. */
static bool is_helper_call(NbContext *context, NbMap *helpers, LLVMValueRef call) {
  LLVMValueRef callee = nb_callee(call);
  if (!callee || LLVMCountBasicBlocks(callee) == 0 || nb_rule_of_call(context, call, NULL) ||
      nb_custom_of(context, callee))
    return false;
  if (!nb_map_has(helpers, callee)) {
    bool helper = passes_heap(context, callee) || moves_unknown(context, callee);
    nb_map_set(helpers, callee, helper ? callee : NULL);
  }
  return nb_map_get(helpers, callee) != NULL;
}

static LLVMValueRef find_helper_call(const NbWork *work, NbMap *helpers) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(work->function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef inst = LLVMGetFirstInstruction(block); inst;
         inst = LLVMGetNextInstruction(inst))
      if (LLVMIsACallInst(inst) && is_helper_call(work->context, helpers, inst))
        return inst;
  return NULL;
}

static void inline_helpers(NbWork *work) {
  NbMap *helpers = nb_map_new(work->context->arena);
  for (unsigned i = 0; i < INLINE_LIMIT; i++) {
    LLVMValueRef call = find_helper_call(work, helpers);
    if (!call || nb_inline_call(call) != NULL)
      return;
  }
}

/* Markers without effect (lifetimes, assumptions, debug values) would only stand in the way. */
static bool is_marker(const NbContext *context, LLVMValueRef inst) {
  const NbRule *rule = LLVMIsACallInst(inst) ? nb_rule_of_call(context, inst, NULL) : NULL;
  return rule && rule->kind == NB_RULE_INACTIVE && rule->result == NB_TYPE_VOID &&
         rule->member_count == 0 && rule->effect_count == 0 && !rule->once && !rule->noreturn;
}

/* The copy has other parameters than its callees, so that no call of it can be a jump. */
static void allow_frames(NbWork *work) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(work->function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef inst = LLVMGetFirstInstruction(block); inst;
         inst = LLVMGetNextInstruction(inst))
      if (LLVMIsACallInst(inst) && LLVMGetTailCallKind(inst) == LLVMTailCallKindMustTail)
        LLVMSetTailCallKind(inst, LLVMTailCallKindNone);
}

/* A mathematical function's errno is no effect that a derivative preserves: where its result is not
 * used, the call may go. */
static void mark_pure(NbWork *work) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(work->function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef inst = LLVMGetFirstInstruction(block); inst;
         inst = LLVMGetNextInstruction(inst)) {
      const NbRule *rule =
          LLVMIsACallInst(inst) ? nb_rule_of_call(work->context, inst, NULL) : NULL;
      if (rule && rule->kind == NB_RULE_TANGENT && rule->effect_count == 0 && !rule->once)
        nb_attributes_set_pure(inst);
    }
}

static void drop_markers(NbWork *work) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(work->function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef inst = LLVMGetFirstInstruction(block), next; inst; inst = next) {
      next = LLVMGetNextInstruction(inst);
      if (is_marker(work->context, inst))
        LLVMInstructionEraseFromParent(inst);
    }
}

/* A struct passed by value becomes a local copy of what the parameter points to. */
static LLVMValueRef copy_by_value(NbWork *work, LLVMBuilderRef builder, unsigned index,
                                  LLVMTypeRef type) {
  LLVMValueRef parameter = LLVMGetParam(work->function, index);
  LLVMValueRef local = LLVMBuildAlloca(builder, type, "byval");
  unsigned align = LLVMABIAlignmentOfType(work->context->layout, type);
  LLVMValueRef bytes = LLVMConstInt(LLVMInt64TypeInContext(work->context->llvm),
                                    LLVMABISizeOfType(work->context->layout, type), false);
  LLVMBuildMemCpy(builder, local, align, parameter, 1, bytes);
  return local;
}

/* What C's restrict says of the primal's memory holds for the copy, which does the same with it; of
 * the shadows it says nothing, and where one may be the primal itself, it no longer holds. */
static void copy_restrict(NbWork *work, unsigned index) {
  if (work->request->guarded && work->request->guarded[index])
    return;
  unsigned kind = LLVMGetEnumAttributeKindForName("noalias", strlen("noalias"));
  if (LLVMGetEnumAttributeAtIndex(work->request->function, index + 1, kind))
    nb_attributes_set_noalias(work->function, index);
}

static void clone_primal(NbWork *work) {
  LLVMValueRef primal = work->request->function;
  unsigned count = work->request->count;
  LLVMBasicBlockRef entry =
      LLVMAppendBasicBlockInContext(work->context->llvm, work->function, "copies");
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(work->context->llvm);
  LLVMPositionBuilderAtEnd(builder, entry);
  LLVMValueRef *parameters = NB_NEW_ARRAY(work->context->arena, LLVMValueRef, count + 1);
  for (unsigned i = 0; i < count; i++) {
    LLVMTypeRef by_value = nb_parameter_pointee(primal, i, "byval");
    parameters[i] =
        by_value ? copy_by_value(work, builder, i, by_value) : LLVMGetParam(work->function, i);
    copy_restrict(work, i);
    const char *name = nb_name(LLVMGetParam(primal, i));
    LLVMSetValueName2(LLVMGetParam(work->function, i), name, strlen(name));
  }
  nb_clone_body(work->function, primal, parameters);
  LLVMBuildBr(builder, LLVMGetNextBasicBlock(entry));
  LLVMDisposeBuilder(builder);
  for (unsigned i = 0; work->request->apart && i < count; i++)
    nb_attributes_set_noalias(work->function, i);
  nb_attributes_copy_target(work->function, primal);
}

/* A label whose address is kept names the copy, which is not there at run time. */
static bool has_address(LLVMBasicBlockRef block) {
  for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); use;
       use = LLVMGetNextUse(use))
    if (LLVMIsABlockAddress(LLVMGetUser(use)))
      return true;
  return false;
}

static bool check_terminators(NbWork *work) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(work->function); block;
       block = LLVMGetNextBasicBlock(block)) {
    LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
    LLVMOpcode opcode = LLVMGetInstructionOpcode(last);
    bool known =
        opcode == LLVMBr || opcode == LLVMSwitch || opcode == LLVMRet || opcode == LLVMUnreachable;
    if (!known || has_address(block))
      return nb_refuse(work->context, NB_ERROR_CONTROL_FLOW, last,
                       "control flow leaves this block in a way that cannot be reversed yet "
                       "(computed goto, exception or inline assembly)");
  }
  return true;
}

/* Vectors of a length known only at run time have no place in a tape. */
static bool check_types(NbWork *work) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(work->function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef inst = LLVMGetFirstInstruction(block); inst;
         inst = LLVMGetNextInstruction(inst))
      if (LLVMGetTypeKind(LLVMTypeOf(inst)) == LLVMScalableVectorTypeKind)
        return nb_refuse(work->context, NB_ERROR_FLOAT_FORMAT, inst,
                         "the length of this vector is known only at run time");
  return true;
}

static bool simplify(NbWork *work) {
  drop_markers(work);
  nb_analyses_forget(work->context->analyses, work->function);
  return run(work, SIMPLIFY);
}

/* Helpers that meet pointers into memory that nobody needs are inlined, theirs too. */
static bool open_unneeded(NbWork *work) {
  bool changed = true;
  for (unsigned i = 0; changed && i < SEARCH_DEPTH; i++) {
    nb_unneeded_inline(work, &changed);
    if (changed && !simplify(work))
      return false;
  }
  return true;
}

static bool canonicalise(NbWork *work) {
  NbContext *context = work->context;
  if (context->analyses && work->request->mode == NB_MODE_REVERSE)
    inline_helpers(work);
  if (!simplify(work) || !open_unneeded(work))
    return false;
  if (!check_terminators(work) || !check_types(work))
    return false;
  if (!nb_loops_reducible(work->function) && !run(work, MAKE_REDUCIBLE))
    return false;
  if (!nb_loops_reducible(work->function))
    return nb_refuse(context, NB_ERROR_CONTROL_FLOW, work->request->function,
                     "the control flow has a cycle with several entries that could not be made "
                     "a loop");
  drop_markers(work);
  return run(work, CANONICAL_LOOPS);
}

NbWork *nb_prepare(NbContext *context, const NbRequest *request) {
  NbWork *work = NB_NEW(context->arena, NbWork);
  work->context = context;
  work->request = request;
  LLVMTypeRef type = LLVMGlobalGetValueType(request->function);
  if (LLVMIsFunctionVarArg(type)) {
    nb_refuse(context, NB_ERROR_CONTROL_FLOW, request->function,
              "'%s' takes a variable number of arguments, whose derivatives have no place",
              nb_name(request->function));
    return NULL;
  }
  const char *name = nb_arena_print(context->arena, "nabla.work.%s", nb_name(request->function));
  work->function = LLVMAddFunction(context->module, name, nb_type_work(context, request));
  LLVMSetLinkage(work->function, LLVMInternalLinkage);
  nb_map_set(context->primals, work->function, request->function);
  clone_primal(work);
  allow_frames(work);
  mark_pure(work);
  nb_prepare_split_aggregates(context, work->function);
  return canonicalise(work) ? work : NULL;
}

/* Does a call of the function lead to another one of it? */
static bool is_recursive(NbContext *context, LLVMValueRef function) {
  const NbObjects *group = nb_summary_of(context, function);
  if (group->functions.count > 1)
    return true;
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at)) {
    if (nb_is_call(at) && nb_callee(at) == function)
      return true;
  }
  return false;
}

bool nb_prepare_inline(NbWork *work, const NbList *calls) {
  NbContext *context = work->context;
  bool inlined = false;
  for (unsigned i = 0; i < calls->count && work->inlined < INLINE_LIMIT; i++) {
    LLVMValueRef call = calls->items[i];
    LLVMValueRef callee = nb_callee(call);
    if (nb_custom_of(context, callee) || is_recursive(context, callee) || nb_inline_call(call))
      continue;
    inlined = true;
    work->inlined++;
  }
  if (inlined)
    nb_prepare_split_aggregates(context, work->function);
  return inlined && canonicalise(work);
}
