// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tidy/tidy.h"

#include "base/stage.h"
#include "bridge/body.h"
#include "emit/runtime.h"
#include "objects/graph.h"
#include "source/source.h"

#include <string.h>

#define LIGHT "simplifycfg,sroa,early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg,adce"
#define BEGINNING "sroa,early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg,"
#define PROMOTION "loop-mssa(loop-simplifycfg,licm),"
#define RECURRENCES "loop(loop-idiom,indvars,loop-deletion),"
#define DELETION "loop(loop-deletion),"
#define END "gvn,sroa,dse,adce,instcombine<no-verify-fixpoint>,simplifycfg"
#define JOINED "early-cse<memssa>,gvn,instcombine<no-verify-fixpoint>,dse,adce"
#define OWN_PREFIX "nabla."
#define COMBINED_PREFIX "nabla.combined."
#define CHOICE_PREFIX "nabla.choice."

enum { DEEP = 12, MANY_LOOPS = 256, LARGE = 8192 };

static void run(NbContext *context, LLVMValueRef function, const char *pipeline) {
  bool without = nb_without(context, NB_OPTIMISATION_TIDY);
  if (!function || LLVMCountBasicBlocks(function) == 0 || without)
    return;
  nb_stage_begin(context, "tidy", function);
  nb_analyses_forget(context->analyses, function);
  char *message = nb_passes_run(context->analyses, context->module, function, pipeline);
  nb_stage_end();
  if (!message)
    return;
  nb_refuse(context, NB_ERROR_BUILD, function, "the passes '%s' failed: %s", pipeline, message);
  LLVMDisposeMessage(message);
}

/* Too many loops, or too deep ones, for the passes that look at loops by their recurrences. An
 * index into the tape has a term for each loop around it, and indvars takes time with the cube of
 * their number; one after another, each loop makes what is known of the others be found anew. */
static bool has_too_many_loops(NbContext *context, LLVMValueRef function) {
  unsigned count = nb_loops(context->analyses, function, NULL, 0);
  if (count > MANY_LOOPS)
    return true;
  NbLoop **loops = NB_NEW_ARRAY(context->arena, NbLoop *, count + 1);
  nb_loops(context->analyses, function, loops, count);
  for (unsigned i = 0; i < count; i++)
    if (nb_loop_depth(loops[i]) > DEEP)
      return true;
  return false;
}

static void run_full(NbContext *context, LLVMValueRef function) {
  if (!function || LLVMCountBasicBlocks(function) == 0)
    return;
  nb_analyses_forget(context->analyses, function);
  bool promotes = !nb_without(context, NB_OPTIMISATION_PROMOTE);
  bool many = has_too_many_loops(context, function);
  run(context, function,
      nb_arena_print(context->arena, BEGINNING "%s%s" END, promotes ? PROMOTION : "",
                     many ? DELETION : RECURRENCES));
}

static bool is_large(LLVMValueRef function) {
  unsigned count = 0;
  for (LLVMValueRef at = nb_instruction_first(function); at && count <= LARGE;
       at = nb_instruction_next(at))
    count++;
  return count > LARGE;
}

/* What has been through all passes once leaves them little to do, which in a large function is not
 * worth as much time again. */
static void run_again(NbContext *context, LLVMValueRef function) {
  if (is_large(function))
    run(context, function, LIGHT);
  else
    run_full(context, function);
}

void nb_tidy_derivative(NbContext *context, const NbDerivative *derivative) {
  if (derivative->request.top)
    return;
  run(context, derivative->forward, LIGHT);
  run(context, derivative->recorded, LIGHT);
  run(context, derivative->augmented, LIGHT);
  run(context, derivative->reverse, LIGHT);
  run(context, derivative->reverse_again, LIGHT);
}

static bool has_prefix(LLVMValueRef function, const char *prefix) {
  return strncmp(nb_name(function), prefix, strlen(prefix)) == 0;
}

/* Calls of `function`'s that satisfy the test. */
static NbList find_calls(NbContext *context, LLVMValueRef function,
                         bool (*wanted)(LLVMValueRef callee)) {
  NbList calls = nb_list(context->arena);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef inst = LLVMGetFirstInstruction(block); inst;
         inst = LLVMGetNextInstruction(inst)) {
      LLVMValueRef callee = LLVMIsACallInst(inst) ? nb_callee(inst) : NULL;
      if (callee && LLVMCountBasicBlocks(callee) > 0 && wanted(callee))
        nb_list_push(&calls, inst);
    }
  return calls;
}

static bool is_runtime(LLVMValueRef callee) {
  return nb_runtime_has(callee) && LLVMGetLinkage(callee) == LLVMInternalLinkage &&
         !nb_has_attribute(callee, "noinline");
}

/* The runtime's short ways are inlined; its long ways are calls from there. */
static void inline_runtime(NbContext *context, LLVMValueRef function) {
  NbList calls = find_calls(context, function, is_runtime);
  for (unsigned i = 0; i < calls.count; i++)
    nb_inline_call(context->analyses, calls.items[i]);
}

static void inline_calls_of(NbContext *context, LLVMValueRef function, LLVMValueRef callee) {
  for (LLVMUseRef use = LLVMGetFirstUse(callee), next; use; use = next) {
    next = LLVMGetNextUse(use);
    LLVMValueRef call = LLVMGetUser(use);
    bool inside = LLVMIsACallInst(call) &&
                  LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)) == function;
    if (inside)
      nb_inline_call(context->analyses, call);
  }
}

static bool is_ours(LLVMValueRef function) {
  return has_prefix(function, OWN_PREFIX) ||
         (nb_runtime_has(function) &&
          (LLVMGetLinkage(function) == LLVMInternalLinkage ||
           LLVMGetLinkage(function) == LLVMLinkOnceAnyLinkage || LLVMIsDeclaration(function)));
}

/* --- Combined derivatives -------------------------------------------------------------------- */

static bool calls(LLVMValueRef function, LLVMValueRef callee) {
  for (LLVMUseRef use = LLVMGetFirstUse(callee); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef call = LLVMGetUser(use);
    if (LLVMIsACallInst(call) &&
        LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)) == function)
      return true;
  }
  return false;
}

static LLVMValueRef tape_of(LLVMValueRef combined) {
  LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(combined));
  return LLVMIsAAllocaInst(first) ? first : NULL;
}

/* What the first field of the tape is called in a sweep: inlining makes its address that of the
 * tape itself. Empty where it has no name. */
static const char *name_of_first(NbArena *arena, LLVMTypeRef tape, LLVMValueRef sweep) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(sweep); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at)) {
      bool address = LLVMIsAGetElementPtrInst(at) && LLVMGetGEPSourceElementType(at) == tape &&
                     LLVMGetNumOperands(at) == 3;
      if (address && LLVMIsNull(LLVMGetOperand(at, 2)) && *nb_name(at))
        return nb_arena_print(arena, "%s", nb_name(at));
    }
  return "";
}

void nb_tidy_combined(NbContext *context, const NbDerivative *derivative, LLVMValueRef combined) {
  LLVMValueRef tape = tape_of(combined);
  const char *first =
      tape ? name_of_first(context->arena, derivative->tape, derivative->augmented) : "";
  inline_calls_of(context, combined, derivative->augmented);
  inline_calls_of(context, combined, derivative->reverse);
  if (tape && !calls(combined, derivative->augmented) && !calls(combined, derivative->reverse))
    nb_tidy_split_tape(context, derivative->request.function, tape, first,
                       !derivative->request.top);
  nb_tidy_show_variables(combined);
  nb_runtime_link(context);
  if (!context->nests)
    inline_runtime(context, combined);
  run_full(context, combined);
}

void nb_tidy_choice(NbContext *context, LLVMValueRef choice) {
  NbList versions = find_calls(context, choice, is_ours);
  for (unsigned i = 0; i < versions.count; i++)
    nb_inline_call(context->analyses, versions.items[i]);
  run_again(context, choice);
}

void nb_tidy_chosen(NbContext *context, LLVMValueRef choice, LLVMValueRef test) {
  inline_calls_of(context, choice, test);
  run(context, choice, LIGHT);
}

/* --- The module ------------------------------------------------------------------------------ */

/* Only calls from outside keep a function: removal goes on until nothing changes. */
static bool remove_unused(NbContext *context) {
  bool removed = false;
  for (LLVMValueRef function = LLVMGetFirstFunction(context->module), next; function;
       function = next) {
    next = LLVMGetNextFunction(function);
    if (!is_ours(function) || LLVMGetFirstUse(function))
      continue;
    nb_analyses_forget(context->analyses, function);
    LLVMDeleteFunction(function);
    removed = true;
  }
  return removed;
}

/* The constant that every call gives to a parameter; NULL where there is none. */
static LLVMValueRef constant_argument(LLVMValueRef function, unsigned index) {
  LLVMValueRef constant = NULL;
  for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef call = LLVMGetUser(use);
    if (!LLVMIsACallInst(call) || LLVMGetCalledValue(call) != function)
      return NULL;
    LLVMValueRef argument = LLVMGetOperand(call, index);
    if (!nb_is_constant(argument) || (constant && argument != constant))
      return NULL;
    constant = argument;
  }
  return constant;
}

/* A seed that is always one need not be multiplied with. */
static void fix_arguments(const NbContext *context, LLVMValueRef function) {
  bool without = nb_without(context, NB_OPTIMISATION_SEEDS);
  if (LLVMGetLinkage(function) != LLVMInternalLinkage || without)
    return;
  for (unsigned i = 0; i < LLVMCountParams(function); i++) {
    LLVMValueRef constant = constant_argument(function, i);
    if (constant)
      LLVMReplaceAllUsesWith(LLVMGetParam(function, i), constant);
  }
}

static bool reads_field(LLVMValueRef call, unsigned field) {
  for (LLVMUseRef use = LLVMGetFirstUse(call); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsAExtractValueInst(user) || LLVMGetIndices(user)[0] == field)
      return true;
  }
  return false;
}

static bool is_field_read(LLVMValueRef function, unsigned field) {
  for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef call = LLVMGetUser(use);
    if (!LLVMIsACallInst(call) || LLVMGetCalledValue(call) != function || reads_field(call, field))
      return true;
  }
  return false;
}

/* Zero takes a field's place in all that the function returns. */
static void clear_field(NbContext *context, LLVMValueRef function, unsigned field) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block)) {
    LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
    if (!LLVMIsAReturnInst(last))
      continue;
    LLVMPositionBuilderBefore(builder, last);
    LLVMValueRef result = LLVMGetOperand(last, 0);
    LLVMTypeRef type = LLVMStructGetTypeAtIndex(LLVMTypeOf(result), field);
    result = LLVMBuildInsertValue(builder, result, LLVMConstNull(type), field, "");
    LLVMSetOperand(last, 0, result);
  }
  LLVMDisposeBuilder(builder);
}

/* What no caller reads of the results, a value of the primal, say, need not be computed. */
static void drop_unread_results(NbContext *context, LLVMValueRef function) {
  LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(function));
  if (LLVMGetLinkage(function) != LLVMInternalLinkage ||
      LLVMGetTypeKind(type) != LLVMStructTypeKind || nb_without(context, NB_OPTIMISATION_RESULTS))
    return;
  for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
    if (!is_field_read(function, i))
      clear_field(context, function, i);
}

void nb_tidy_refused(NbContext *context) {
  for (LLVMValueRef function = LLVMGetFirstFunction(context->module); function;
       function = LLVMGetNextFunction(function))
    if (has_prefix(function, OWN_PREFIX)) {
      nb_analyses_forget(context->analyses, function);
      nb_body_delete(function);
    }
  while (remove_unused(context))
    continue;
}

static void show_all_variables(NbContext *context) {
  for (LLVMValueRef function = LLVMGetFirstFunction(context->module); function;
       function = LLVMGetNextFunction(function))
    nb_tidy_show_variables(function);
}

/* Joins what was inlined with the code around it. */
static void run_joined(NbContext *context, const NbMap *callers) {
  for (unsigned i = 0; i < nb_map_count(callers); i++)
    run(context, (LLVMValueRef)nb_map_key(callers, i), JOINED);
}

void nb_tidy_module(NbContext *context) {
  nb_runtime_link(context);
  while (remove_unused(context))
    continue;
  show_all_variables(context);
  for (LLVMValueRef function = LLVMGetFirstFunction(context->module); function;
       function = LLVMGetNextFunction(function)) {
    if (!has_prefix(function, OWN_PREFIX) || LLVMCountBasicBlocks(function) == 0)
      continue;
    inline_runtime(context, function);
    fix_arguments(context, function);
    drop_unread_results(context, function);
    if (has_prefix(function, COMBINED_PREFIX) || has_prefix(function, CHOICE_PREFIX))
      run_again(context, function);
    else
      run_full(context, function);
    if (nb_tidy_choices(context, function))
      run(context, function, LIGHT);
    if (nb_printing(context, "tidy"))
      LLVMDumpValue(function);
  }
  while (remove_unused(context))
    continue;
  nb_source_derivatives(context);
  run_joined(context, nb_tidy_inline_small(context));
  while (remove_unused(context))
    continue;
  for (LLVMValueRef function = LLVMGetFirstFunction(context->module); function;
       function = LLVMGetNextFunction(function))
    if (has_prefix(function, OWN_PREFIX) && LLVMCountBasicBlocks(function) > 0) {
      nb_tidy_keep_addresses(context, function);
      nb_tidy_keep_scalar(context, function);
      nb_tidy_keep_tests_inside(context, function);
    }
}
