// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Makes the private, simplified copy of a primal on which everything else works.
 *
 * At -O0 the copy goes through the passes that the user's pipeline did not run; after an optimised
 * pipeline the same passes find little to do. Some helpers are inlined first. */
#include "prepare/prepare.h"

#include "types/facts.h"

#include "checkpoint/checkpoint.h"
#include "derive/derive.h"
#include "prepare/addresses.h"
#include "prepare/aggregates.h"
#include "prepare/arms.h"
#include "prepare/bytes.h"
#include "prepare/copies.h"
#include "prepare/distances.h"
#include "prepare/fills.h"
#include "prepare/helpers.h"
#include "prepare/initials.h"
#include "prepare/masked.h"
#include "prepare/moves.h"
#include "prepare/neighbours.h"
#include "prepare/permutations.h"
#include "prepare/pointers.h"
#include "prepare/reducible.h"
#include "prepare/reductions.h"
#include "prepare/scanned.h"
#include "prepare/twins.h"
#include "prepare/unneeded.h"
#include "prepare/unwind.h"
#include "prepare/within.h"
#include "request/registrations.h"
#include "tidy/tidy.h"

#include <string.h>

#define SIMPLIFY                                                                                   \
  "sroa,early-cse<memssa>,instsimplify,simplifycfg,sroa,"                                          \
  "early-cse<memssa>,loop-mssa(loop-rotate,licm),simplifycfg,mergereturn"
#define FIND_COPIES "loop-mssa(loop-rotate),loop(loop-idiom,loop-deletion)"
#define MEMORY_TO_VALUES "mem2reg,simplifycfg,mergereturn"
#define CANONICAL_LOOPS "loop-simplify,lcssa"
#define SEPARATE_WAYS "jump-threading,gvn,instcombine<no-verify-fixpoint>"
#define SEPARATE_TYPES "sroa,early-cse<memssa>,instsimplify"
#define SPELL_MATRICES "lower-matrix-intrinsics<minimal>"

enum { UNNEEDED_ROUNDS = 16, INLINE_LIMIT = 64, TWIN_ROUNDS = 8 };

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
         inst = LLVMGetNextInstruction(inst))
      if (LLVMIsACallInst(inst) && nb_call_only_computes(work->context, inst))
        nb_attributes_set_pure(inst);
}

/* What is stored over padding, say, is anything, and so may be what lies there. */
static bool stores_anything(LLVMValueRef inst) {
  return LLVMIsAStoreInst(inst) && LLVMIsUndef(LLVMGetOperand(inst, 0)) &&
         nb_access_is_plain(inst) &&
         LLVMGetTypeKind(nb_scalar_type(LLVMTypeOf(LLVMGetOperand(inst, 0)))) ==
             LLVMIntegerTypeKind;
}

static void drop_markers(NbWork *work) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(work->function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef inst = LLVMGetFirstInstruction(block), next; inst; inst = next) {
      next = LLVMGetNextInstruction(inst);
      if (is_marker(work->context, inst) || stores_anything(inst))
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
  if (nb_has_attribute_at(work->request->function, index + 1, "noalias"))
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
    bool known = opcode == LLVMBr || opcode == LLVMSwitch || opcode == LLVMRet ||
                 opcode == LLVMUnreachable || opcode == LLVMInvoke || opcode == LLVMResume;
    if (!known || has_address(block))
      return nb_refuse(work->context, NB_ERROR_CONTROL_FLOW, last,
                       "control flow leaves this block in a way that cannot be reversed yet "
                       "(computed goto or inline assembly)");
  }
  return true;
}

/* Does the call come back where a longjmp leads, as setjmp does? */
static bool returns_twice(LLVMValueRef call) {
  const LLVMAttributeIndex whole = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
  return nb_call_says(call, nb_callee(call), whole, "returns_twice");
}

/* Vectors of a length known only at run time have no place in a tape. Front ends for this target
 * write loads in the place of LLVM's instruction for variable arguments. */
static bool check_instruction(NbWork *work, LLVMValueRef inst) {
  if (LLVMGetTypeKind(LLVMTypeOf(inst)) == LLVMScalableVectorTypeKind)
    return nb_refuse(work->context, NB_ERROR_FLOAT_FORMAT, inst,
                     "the length of this vector is known only at run time");
  if (nb_is_call(inst) && returns_twice(inst))
    return nb_refuse(work->context, NB_ERROR_CONTROL_FLOW, inst,
                     "control flow comes back to this call from anywhere (setjmp), and the way "
                     "it came cannot be reversed");
  if (LLVMIsAVAArgInst(inst))
    return nb_refuse(work->context, NB_ERROR_NO_RULE, inst,
                     "a variable argument is read here, and where it lies is not known");
  return true;
}

/* LLVM's optimiser may make a vector of the structs that a function of vectors returns, which its
 * own verifier does not accept. */
static bool is_vector_of_structs(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind &&
         LLVMGetTypeKind(LLVMGetElementType(type)) == LLVMStructTypeKind;
}

static bool check_vectors(NbWork *work) {
  LLVMValueRef inst = nb_instruction_first(work->function);
  while (inst && !is_vector_of_structs(LLVMTypeOf(inst)))
    inst = nb_instruction_next(inst);
  return !inst || nb_refuse(work->context, NB_ERROR_NO_RULE, inst,
                            "the optimiser made a vector of structs of the results of a function "
                            "of vectors, which is not allowed in LLVM: compute them one by one");
}

static bool check_instructions(NbWork *work) {
  LLVMValueRef inst = nb_instruction_first(work->function);
  while (inst && check_instruction(work, inst))
    inst = nb_instruction_next(inst);
  return !inst;
}

/* What was moved by way of one variable may have come to it by way of another. */
static bool part_twins(NbWork *work) {
  for (unsigned i = 0; i < TWIN_ROUNDS; i++) {
    if (!nb_prepare_part_twins(work->context, work->function))
      return true;
    nb_analyses_forget(work->context->analyses, work->function);
    if (!run(work, SEPARATE_TYPES))
      return false;
  }
  return true;
}

static bool simplify(NbWork *work) {
  drop_markers(work);
  nb_analyses_forget(work->context->analyses, work->function);
  if (!run(work, SIMPLIFY) || !part_twins(work))
    return false;
  if (nb_prepare_loads_pointers(work->function) && !run(work, SEPARATE_WAYS))
    return false;
  nb_fields_note(work->context, work->function);
  return true;
}

/* A loop that copies or sets bytes one by one is a copy, whose bytes may be numbers. */
static bool find_copies(NbWork *work) {
  nb_analyses_forget(work->context->analyses, work->function);
  if (!nb_prepare_moves_bytes(work->context, work->function))
    return true;
  return run(work, FIND_COPIES) && simplify(work);
}

/* What a union holds, by what it is at a time. */
static bool separate_kinds(NbWork *work) {
  nb_analyses_forget(work->context->analyses, work->function);
  return !nb_prepare_drop_arms(work->context, work->function) || simplify(work);
}

/* One at a time. */
static bool spell_moves(NbWork *work) {
  NbAnalyses *analyses = work->context->analyses;
  while (nb_prepare_has_moves(work)) {
    nb_analyses_forget(analyses, work->function);
    if (!run(work, CANONICAL_LOOPS))
      return false;
    bool changed = nb_prepare_spell_moves(work);
    nb_analyses_forget(analyses, work->function);
    if (!changed)
      return true;
    if (!run(work, FIND_COPIES) || !simplify(work))
      return false;
  }
  return true;
}

/* Of nested ones the inner, then the outer. */
static bool spell_fills(NbWork *work) {
  NbContext *context = work->context;
  NbList headers = nb_prepare_find_fills(context, work->function);
  while (headers.count) {
    nb_analyses_forget(context->analyses, work->function);
    if (!run(work, CANONICAL_LOOPS))
      return false;
    bool changed = nb_prepare_spell_fills(context, &headers);
    nb_analyses_forget(context->analyses, work->function);
    if (!changed)
      return true;
    if (!simplify(work))
      return false;
    headers = nb_prepare_find_fills(context, work->function);
  }
  return true;
}

/* Helpers that meet pointers into memory that nobody needs are inlined, theirs too. */
static bool open_unneeded(NbWork *work) {
  bool changed = true;
  for (unsigned i = 0; changed && i < UNNEEDED_ROUNDS; i++) {
    nb_unneeded_open(work, &changed);
    if (changed && !simplify(work))
      return false;
  }
  return true;
}

static bool has_matrices(LLVMValueRef function) {
  LLVMValueRef inst = nb_instruction_first(function);
  for (; inst; inst = nb_instruction_next(inst)) {
    LLVMValueRef callee = LLVMIsACallInst(inst) ? nb_callee(inst) : NULL;
    if (callee && !strncmp(nb_name(callee), "llvm.matrix.", strlen("llvm.matrix.")))
      return true;
  }
  return false;
}

static bool spell_matrices(NbWork *work) {
  if (!work->context->analyses || !has_matrices(work->function))
    return true;
  nb_analyses_forget(work->context->analyses, work->function);
  return run(work, SPELL_MATRICES);
}

/* What is done to several scalars at once, one by one. */
static bool spell(NbWork *work) {
  if (!spell_matrices(work))
    return false;
  nb_equalities_hide(work->context, work->function);
  nb_prepare_drop_distances(work->context, work->function);
  nb_prepare_split_aggregates(work->context, work->function);
  nb_prepare_spell_initials(work->context, work->function);
  nb_prepare_bound_copies(work->context, work->request->function, work->function);
  nb_prepare_spell_copies(work->context, work->function);
  nb_prepare_spell_scanned(work->context, work->function);
  nb_spell_predicated(work->function);
  nb_prepare_expand_reductions(work->context, work->function);
  nb_prepare_expand_neighbours(work->context, work->function);
  nb_prepare_spell_permutations(work->context, work->function);
  nb_prepare_spell_masked(work->context, work->function);
  return true;
}

static bool make_reducible(NbWork *work) {
  if (!nb_reducible_make(work->context, work->function))
    return true;
  nb_analyses_forget(work->context->analyses, work->function);
  return run(work, MEMORY_TO_VALUES);
}

/* Of a sweep that was inlined the other is inlined as well: then their tape is no struct any more,
 * and each variable in it lies by itself. */
static void split_tapes(NbWork *work) {
  NbContext *context = work->context;
  drop_markers(work);
  NbList calls = nb_tidy_split_inlined(context, work->function);
  bool inlined = false;
  for (unsigned i = 0; i < calls.count && context->analyses; i++)
    inlined |= !nb_prepare_stays(context, work->request->function, nb_callee(calls.items[i])) &&
               !nb_inline_call(context->analyses, calls.items[i]);
  if (inlined) {
    drop_markers(work);
    nb_tidy_split_inlined(context, work->function);
  }
  nb_tidy_show_variables(work->function);
}

static bool canonicalise(NbWork *work) {
  NbContext *context = work->context;
  if (context->analyses && nb_prepare_inline_helpers(work) && !spell(work))
    return false;
  split_tapes(work);
  if (!simplify(work) || !open_unneeded(work) || !find_copies(work) || !separate_kinds(work) ||
      !spell_moves(work) || !spell_fills(work))
    return false;
  if (!check_terminators(work) || !check_instructions(work) || !check_vectors(work))
    return false;
  if (nb_switches_close(work->function))
    nb_analyses_forget(context->analyses, work->function);
  bool reducible = nb_loops_reducible(work->function);
  if (!reducible && !make_reducible(work))
    return false;
  if (!nb_loops_reducible(work->function))
    return nb_refuse(context, NB_ERROR_CONTROL_FLOW, work->request->function,
                     "the control flow has a cycle with several entries that could not be made "
                     "a loop");
  drop_markers(work);
  if (work->request->replayed)
    nb_unwind_watch(work);
  nb_unwind_replace(work);
  nb_analyses_forget(context->analyses, work->function);
  if (!run(work, CANONICAL_LOOPS))
    return false;
  nb_prepare_take_addresses(context, work->function);
  return true;
}

NbWork *nb_prepare(NbContext *context, const NbRequest *request) {
  NbWork *work = NB_NEW(context->arena, NbWork);
  work->context = context;
  work->request = request;
  LLVMTypeRef type = LLVMGlobalGetValueType(request->function);
  if (LLVMIsFunctionVarArg(type)) {
    nb_refuse(context, NB_ERROR_CONTROL_FLOW, request->function,
              "'%s' takes a variable number of arguments, whose derivatives have no place",
              nb_shown_name(context, request->function));
    return NULL;
  }
  const char *name = nb_arena_print(context->arena, "nabla.work.%s", nb_name(request->function));
  work->function = LLVMAddFunction(context->module, name, nb_type_work(context, request));
  LLVMSetLinkage(work->function, LLVMInternalLinkage);
  nb_map_set(context->primals, work->function, request->function);
  if (request->passed)
    nb_map_set(context->passed, work->function, (void *)request->passed);
  clone_primal(work);
  allow_frames(work);
  mark_pure(work);
  return check_vectors(work) && spell(work) && canonicalise(work) ? work : NULL;
}

bool nb_prepare_stays(NbContext *context, LLVMValueRef function, LLVMValueRef callee) {
  return nb_custom_of(context, callee) || LLVMIsFunctionVarArg(LLVMGlobalGetValueType(callee)) ||
         (nb_checkpoint_of(context, callee) && !nb_checkpoint_of(context, function)) ||
         nb_graph_recurs(nb_summary_of(context, callee));
}

bool nb_prepare_inline(NbWork *work, const NbList *calls, bool *inlined) {
  NbContext *context = work->context;
  *inlined = false;
  if (!calls->count)
    return true;
  nb_unwind_restore(work);
  for (unsigned i = 0; i < calls->count && work->inlined < INLINE_LIMIT; i++) {
    LLVMValueRef invoke = nb_map_get(work->invokes, calls->items[i]);
    LLVMValueRef call = invoke ? invoke : calls->items[i];
    if (nb_prepare_stays(context, work->request->function, nb_callee(call)) ||
        nb_inline_call(context->analyses, call))
      continue;
    *inlined = true;
    work->inlined++;
  }
  return (!*inlined || spell(work)) && canonicalise(work);
}
