// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prepare/helpers.h"

#include "base/names.h"
#include "checkpoint/checkpoint.h"
#include "direct/cycles.h"
#include "emit/runtime.h"
#include "objects/graph.h"
#include "objects/origins.h"
#include "prepare/bytes.h"
#include "request/registrations.h"
#include "types/facts.h"

#include <string.h>

enum {
  INLINE_LIMIT = 64,
  SEARCH_DEPTH = 16,
  ROOM = 20000,
  SMALL_ROOM = 1 << 18,
  SHORT_LIMIT = 64,
  ARRAY_LIMIT = 512,
  SIZE_DEPTH = 6,
  RUST_HASH_DIGITS = 16
};

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
      if (nb_is_call(inst))
        add_heap_use(use, inst, depth);
}

/* Is it a derivative, or the runtime's? What these move, they know. */
static bool is_ours(const NbContext *context, LLVMValueRef function) {
  LLVMValueRef original = nb_map_get(context->originals, function);
  function = original ? original : function;
  return nb_is_derivative(context, function) || nb_runtime_has(function);
}

/* May memory that the function frees be its caller's, and memory that it allocates lie there
 * afterwards, as when a vector grows? */
static bool replaces_memory(NbContext *context, LLVMValueRef function) {
  const unsigned both = NB_CLASS_HEAP | NB_CLASS_FREED;
  if (is_ours(context, function))
    return false;
  const NbMap *values = nb_summary_of(context, function)->values;
  for (unsigned i = 0; i < nb_map_count(values); i++) {
    NbClass *class = nb_class_find(nb_map_get(values, nb_map_key(values, i)));
    if ((class->flags & both) == both && class->parameters)
      return true;
  }
  return false;
}

/* Does the function allocate for its caller, free for it, or resize what may be the caller's? */
static bool passes_heap(NbContext *context, LLVMValueRef function) {
  HeapUse use = {.context = context, .seen = nb_map_new(context->arena)};
  find_heap_use(&use, function, 0);
  LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(function));
  return use.allocates != use.frees || use.resizes ||
         (use.allocates && (nb_type_has_pointer(result) || replaces_memory(context, function)));
}

/* Does the function move bytes of which only its callers know what they are? */
static bool moves_unknown(NbContext *context, LLVMValueRef function) {
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at)) {
    if (!nb_is_call(at) || nb_call_of(context, at).kind != NB_CALL_COPY)
      continue;
    NbTypes *types = nb_types_of_group(nb_summary_of(context, function));
    NbLayout layout = nb_types_transfer(types, at);
    if (!nb_layout_is_known(&layout))
      return true;
  }
  return false;
}

/* Does the call pass a pointer on to what the function itself does not know? */
static bool passes_unknown(NbContext *context, LLVMValueRef function, LLVMValueRef call) {
  NbTypes *types = nb_types_of_group(nb_summary_of(context, function));
  bool unknown = false;
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call) && !unknown; i++) {
    LLVMValueRef argument = LLVMGetOperand(call, i);
    if (LLVMGetTypeKind(LLVMTypeOf(argument)) != LLVMPointerTypeKind || nb_leads_nowhere(argument))
      continue;
    NbLayout layout = nb_types_layout(types, argument, NB_UNKNOWN_SIZE);
    unknown = !nb_layout_is_known(&layout);
  }
  return unknown;
}

static bool reads_integer(LLVMValueRef at) {
  return LLVMIsALoadInst(at) && LLVMGetTypeKind(LLVMTypeOf(at)) == LLVMIntegerTypeKind;
}

/* Does the function call nothing, and is it short? */
static bool is_short(LLVMValueRef function) {
  unsigned count = 0;
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at))
    if (nb_is_call(at) || ++count > SHORT_LIMIT)
      return false;
  return true;
}

/* Is the function a short loop over bytes? What they are parts of, its callers know. */
static bool is_byte_loop(const NbContext *context, LLVMValueRef function) {
  return is_short(function) && nb_prepare_moves_bytes(context, function);
}

/* Does the function read integers from where others lie at other times, as from a union? Whose
 * memory it is, and what was written there last, is seen where it is called. Where types tell of
 * no union, the others must lie at the very place. */
static bool reads_union(NbContext *context, LLVMValueRef function) {
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at)) {
    if (!reads_integer(at))
      continue;
    bool certain = nb_tbaa_name(at) || !nb_is_in_union(LLVMGetOperand(at, 0));
    NbTypes *types = nb_types_of_group(nb_summary_of(context, function));
    uint64_t size = nb_store_size(context, LLVMTypeOf(at));
    if (nb_types_also_hold(types, LLVMGetOperand(at, 0), size, NB_KIND_FLOAT, certain))
      return true;
  }
  return false;
}

/* Do parameters lead to different places of what may be one kind of object to the function, the
 * next element of a list being found as the first one is in its owner? Of which types they are, is
 * seen where it is called. */
static bool tells_apart(NbContext *context, LLVMValueRef function) {
  const NbOrigins *origins = nb_summary_of(context, function)->origins;
  for (unsigned i = 0; i < LLVMCountParams(function); i++)
    if (nb_origin_of(origins, LLVMGetParam(function, i)))
      return true;
  return false;
}

/* Does the function lead to itself? */
static bool is_recursive(LLVMValueRef function) {
  NbArena *arena = nb_arena_new();
  NbMap *seen = nb_map_new(arena);
  NbList open = nb_list(arena);
  bool recursive = false;
  nb_list_push(&open, function);
  while (open.count && !recursive)
    for (LLVMValueRef at = nb_instruction_first(open.items[--open.count]); at;
         at = nb_instruction_next(at)) {
      LLVMValueRef callee = nb_callee(at);
      recursive |= callee == function;
      if (!callee || LLVMCountBasicBlocks(callee) == 0 || nb_map_has(seen, callee))
        continue;
      nb_map_set(seen, callee, callee);
      nb_list_push(&open, callee);
    }
  nb_arena_free(arena);
  return recursive;
}

/* Does the function read its variable arguments? Only then must it stay a function. */
static bool reads_variable_arguments(LLVMValueRef function) {
  static const char name[] = "llvm.va_start";
  const unsigned start = LLVMLookupIntrinsicID(name, sizeof name - 1);
  bool variable = LLVMIsFunctionVarArg(LLVMGlobalGetValueType(function)) != 0;
  LLVMValueRef at = variable ? nb_instruction_first(function) : NULL;
  for (; at; at = nb_instruction_next(at))
    if (nb_is_call(at) && nb_callee(at) && LLVMGetIntrinsicID(nb_callee(at)) == start)
      return true;
  return false;
}

static bool begins(const char *name, const char *prefix) {
  return strncmp(name, prefix, strlen(prefix)) == 0;
}

/* Is the function Rust's? Its older names are those of C++ that end with a hash. */
static bool is_rust(LLVMValueRef function) {
  const char *name = nb_name(function);
  const char *hash = begins(name, NB_CXX_PREFIX) ? strstr(name, NB_RUST_HASH_PREFIX) : NULL;
  for (; hash; hash = strstr(hash + 1, NB_RUST_HASH_PREFIX)) {
    const char *digits = hash + strlen(NB_RUST_HASH_PREFIX);
    if (strspn(digits, "0123456789abcdef") == RUST_HASH_DIGITS && digits[RUST_HASH_DIGITS] == 'E')
      return true;
  }
  return begins(name, NB_RUST_PREFIX) && strchr(NB_RUST_KINDS, name[strlen(NB_RUST_PREFIX)]);
}

/* Do two blocks follow each other that any pass over the control flow would have joined? */
static bool has_split_blocks(LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block)) {
    LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
    bool jumps = LLVMIsABranchInst(last) && LLVMGetNumSuccessors(last) == 1;
    LLVMValueRef target = jumps ? LLVMBasicBlockAsValue(LLVMGetSuccessor(last, 0)) : NULL;
    if (target && !LLVMGetNextUse(LLVMGetFirstUse(target)))
      return true;
  }
  return false;
}

/* Is the function Rust's, and did no pass look at it? rustc does not say so. */
static bool is_unoptimised_rust(LLVMValueRef function) {
  return is_rust(function) && (is_short(function) || has_split_blocks(function)) &&
         !nb_has_attribute(function, "noreturn");
}

/* Is the function one of those that libraries of templates and generics are made of, and did no
 * pass look at it? What one does is seen where it is called. */
static bool is_unoptimised(const NbContext *context, LLVMValueRef function) {
  LLVMValueRef original = nb_map_get(context->originals, function);
  LLVMValueRef user = original ? original : function;
  return (nb_is_unoptimised_cxx(user) || is_unoptimised_rust(user)) &&
         !reads_variable_arguments(function) && !is_recursive(function);
}

typedef enum HelperKind { HELPER_NONE, HELPER_SMALL, HELPER_OTHER } HelperKind;

/* What is known of a function that is called. */
typedef struct Helper {
  HelperKind kind;
  unsigned size; /* in instructions */
} Helper;

/* Which functions are to be inlined; each is asked about once. */
typedef struct Helpers {
  NbWork *work;
  NbMap *known;     /* function -> Helper */
  NbMap *sizes;     /* local variables in which sizes of copies lie */
  unsigned calls;   /* of the last kind: how many may be inlined yet */
  unsigned room[3]; /* how many instructions each kind may bring yet */
} Helpers;

static bool hands_unknown(NbContext *context, LLVMValueRef function);

/* Does it call one that does so, with what it does not know either? */
static bool calls_unknown(NbContext *context, LLVMValueRef function) {
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at)) {
    LLVMValueRef callee = nb_is_call(at) ? nb_callee(at) : NULL;
    if (!callee || LLVMCountBasicBlocks(callee) == 0 || nb_rule_of_call(context, at, NULL) ||
        is_ours(context, callee))
      continue;
    bool moves = is_byte_loop(context, callee) || hands_unknown(context, callee);
    if (moves && !is_recursive(callee) && passes_unknown(context, function, at))
      return true;
  }
  return false;
}

/* Does the function, or one that it calls, move bytes of which nobody there knows what they are? A
 * sort of anything knows no more of its elements than what exchanges them. Each is asked once. */
static bool hands_unknown(NbContext *context, LLVMValueRef function) {
  NbObjects *summary = nb_summary_of(context, function);
  if (!summary->asked) {
    summary->asked = true;
    summary->hands_unknown = moves_unknown(context, function) ||
                             (!is_ours(context, function) && calls_unknown(context, function));
  }
  return summary->hands_unknown;
}

/* Does the function do little more than find a place in its caller's memory? Which steps lead there
 * is seen best where it is called. */
static bool finds_address(LLVMValueRef function) {
  LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(function));
  return LLVMGetTypeKind(result) == LLVMPointerTypeKind && is_short(function);
}

static HelperKind find_kind(const Helpers *helpers, LLVMValueRef function) {
  NbContext *context = helpers->work->context;
  bool reverse = helpers->work->request->mode == NB_MODE_REVERSE;
  if (is_unoptimised(context, function) || finds_address(function) ||
      is_byte_loop(context, function))
    return HELPER_SMALL;
  bool helper = (reverse && passes_heap(context, function)) || hands_unknown(context, function) ||
                reads_union(context, function) ||
                (!is_ours(context, function) && tells_apart(context, function));
  bool goes = helper && !is_recursive(function) && !reads_variable_arguments(function);
  return goes ? HELPER_OTHER : HELPER_NONE;
}

/* Is the integer a pointer, or loaded from where there may be one? */
static bool may_be_pointer(LLVMValueRef integer) {
  LLVMTypeRef type = LLVMTypeOf(integer);
  bool wide = LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 64;
  if (!wide || LLVMIsAPtrToIntInst(integer))
    return wide;
  return LLVMIsALoadInst(integer) && !nb_tbaa_name(integer) && !nb_integer_is_number(integer);
}

static bool stores_or_casts(LLVMValueRef parameter) {
  for (LLVMUseRef use = LLVMGetFirstUse(parameter); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAIntToPtrInst(user) || LLVMIsACallInst(user) || LLVMIsAReturnInst(user) ||
        (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == parameter))
      return true;
  }
  return false;
}

/* Is a pointer passed as an integer, as the optimiser does with members of structs? */
static bool hands_pointer_over(LLVMValueRef call, LLVMValueRef callee) {
  for (unsigned i = 0; i < LLVMCountParams(callee) && i < LLVMGetNumArgOperands(call); i++)
    if (may_be_pointer(LLVMGetOperand(call, i)) && stores_or_casts(LLVMGetParam(callee, i)))
      return true;
  return false;
}

/* Finds the local variables from which the integer is computed. */
static void find_sources(Helpers *helpers, LLVMValueRef integer, unsigned depth) {
  if (LLVMIsALoadInst(integer)) {
    LLVMValueRef object = nb_object_of(LLVMGetOperand(integer, 0));
    if (LLVMIsAAllocaInst(object))
      nb_map_set(helpers->sizes, object, object);
  } else if (LLVMIsABinaryOperator(integer) || LLVMIsACastInst(integer)) {
    for (unsigned i = 0; depth && i < (unsigned)LLVMGetNumOperands(integer); i++)
      find_sources(helpers, LLVMGetOperand(integer, i), depth - 1);
  }
}

/* Finds those in which the sizes of copies lie: of a vector of elements of any type, say. */
static void find_sizes(Helpers *helpers) {
  NbContext *context = helpers->work->context;
  LLVMValueRef at = nb_instruction_first(helpers->work->function);
  for (; at; at = nb_instruction_next(at)) {
    NbCall what = nb_is_call(at) ? nb_call_of(context, at) : (NbCall){0};
    if (what.kind == NB_CALL_COPY)
      find_sources(helpers, what.bytes, SIZE_DEPTH);
  }
}

/* Is a variable passed in which the size of a copy lies? What it is, is seen where nothing short is
 * called with it. */
static bool passes_size(const Helpers *helpers, LLVMValueRef call, const Helper *helper) {
  bool passed = false;
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call) && !passed; i++)
    passed = nb_map_has(helpers->sizes, nb_object_of(LLVMGetOperand(call, i)));
  return passed && helper->size <= SHORT_LIMIT;
}

/* Is an array passed that is the function's own, or whose shadows lie side by side? Several
 * directions of it are vectors where all that is
 * done with it is seen (linear/interleave.c). */
static bool passes_array(const Helpers *helpers, LLVMValueRef call, const Helper *helper) {
  LLVMValueRef callee = nb_callee(call);
  const NbRequest *request = helpers->work->request;
  if (request->width < 2 || request->mode != NB_MODE_FORWARD ||
      nb_has_attribute(callee, "noinline") ||
      nb_without(helpers->work->context, NB_OPTIMISATION_INTERLEAVE))
    return false;
  bool passed = false;
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call) && !passed; i++) {
    LLVMValueRef object = nb_object_of(LLVMGetOperand(call, i));
    const NbRule *rule =
        LLVMIsACallInst(object) ? nb_rule_of_call(helpers->work->context, object, NULL) : NULL;
    passed = LLVMIsAAllocaInst(object) || (rule && rule->kind == NB_RULE_ALLOCATE) ||
             (request->interleaved && LLVMIsAArgument(object));
  }
  return passed && helper->size <= ARRAY_LIMIT && !reads_variable_arguments(callee);
}

/* The parameter that says, compared with constants at most, where the function goes first; as many
 * as there are where none does. */
static unsigned choosing_parameter(LLVMValueRef function) {
  LLVMValueRef last = LLVMGetBasicBlockTerminator(LLVMGetEntryBasicBlock(function));
  bool chooses =
      LLVMIsASwitchInst(last) || (LLVMIsABranchInst(last) && LLVMGetNumSuccessors(last) > 1);
  LLVMValueRef by = chooses ? LLVMGetOperand(last, 0) : NULL;
  if (by && LLVMIsAICmpInst(by) && LLVMIsAConstant(LLVMGetOperand(by, 1)))
    by = LLVMGetOperand(by, 0);
  unsigned index = 0;
  while (index < LLVMCountParams(function) && LLVMGetParam(function, index) != by)
    index++;
  return index;
}

/* Does a constant say which part of a short function is called, as it does of what a std::function
 * is to do with what it holds? The other parts may take its arguments for something else. */
static bool calls_part(const NbContext *context, LLVMValueRef call, const Helper *helper) {
  LLVMValueRef callee = nb_callee(call);
  unsigned index = choosing_parameter(callee);
  return !is_ours(context, callee) && index < LLVMCountParams(callee) &&
         index < LLVMGetNumArgOperands(call) && LLVMIsAConstantInt(LLVMGetOperand(call, index)) &&
         helper->size <= SHORT_LIMIT;
}

static const Helper *helper_of(Helpers *helpers, LLVMValueRef function) {
  Helper *helper = nb_map_get(helpers->known, function);
  if (helper)
    return helper;
  helper = NB_NEW(helpers->work->context->arena, Helper);
  *helper = (Helper){find_kind(helpers, function), nb_instruction_count(function)};
  nb_map_set(helpers->known, function, helper);
  return helper;
}

static bool is_helper_call(Helpers *helpers, LLVMValueRef call) {
  LLVMValueRef callee = nb_callee(call);
  const NbContext *context = helpers->work->context;
  if (!callee || LLVMCountBasicBlocks(callee) == 0 || nb_rule_of_call(context, call, NULL) ||
      nb_custom_of(context, callee) || nb_checkpoint_of(context, callee) ||
      nb_checkpoint_of(context, helpers->work->request->function))
    return false;
  const Helper *helper = helper_of(helpers, callee);
  bool wanted = hands_pointer_over(call, callee) || passes_size(helpers, call, helper) ||
                passes_array(helpers, call, helper) || calls_part(context, call, helper);
  HelperKind kind = helper->kind;
  if (kind == HELPER_NONE && wanted && !is_recursive(callee))
    kind = HELPER_OTHER;
  if (kind == HELPER_NONE || helper->size > helpers->room[kind] ||
      (kind == HELPER_OTHER && !helpers->calls))
    return false;
  helpers->room[kind] -= helper->size;
  helpers->calls -= kind == HELPER_OTHER;
  return true;
}

/* The calls of helpers in the copy, now. */
static NbList find_helper_calls(Helpers *helpers) {
  NbList calls = nb_list(helpers->work->context->arena);
  find_sizes(helpers);
  for (LLVMValueRef at = nb_instruction_first(helpers->work->function); at;
       at = nb_instruction_next(at))
    if (nb_is_call(at) && is_helper_call(helpers, at))
      nb_list_push(&calls, at);
  return calls;
}

/* Inlines the call, and adds to the list the calls of helpers that it brings. */
static bool inline_helper(Helpers *helpers, LLVMValueRef call, NbList *calls) {
  LLVMBasicBlockRef block = LLVMGetInstructionParent(call), end = LLVMGetNextBasicBlock(block);
  LLVMValueRef before = LLVMGetPreviousInstruction(call), after = LLVMGetNextInstruction(call);
  if (nb_inline_call(helpers->work->context->analyses, call))
    return false;
  LLVMValueRef at = before ? nb_instruction_next(before) : LLVMGetFirstInstruction(block);
  for (; at && at != after && LLVMGetInstructionParent(at) != end; at = nb_instruction_next(at))
    if (nb_is_call(at) && is_helper_call(helpers, at))
      nb_list_push(calls, at);
  return true;
}

/* What is inlined may show that other calls are of helpers, too. */
bool nb_prepare_inline_helpers(NbWork *work) {
  NbArena *arena = work->context->arena;
  Helpers helpers = {.work = work,
                     .known = nb_map_new(arena),
                     .sizes = nb_map_new(arena),
                     .calls = INLINE_LIMIT,
                     .room = {0, SMALL_ROOM, ROOM}};
  bool any = false;
  for (bool inlined = true; inlined;) {
    inlined = false;
    NbList calls = find_helper_calls(&helpers);
    for (unsigned i = 0; i < calls.count; i++)
      inlined |= inline_helper(&helpers, calls.items[i], &calls);
    any |= inlined;
  }
  return any;
}
