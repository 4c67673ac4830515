// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* "enzyme_inactive" as an attribute of a parameter, a result or a call, and as metadata of an
 * instruction: a number loses its derivative there, a call of a function has none. What cannot be
 * served so is refused where a derivative may need it. */
#include "request/collected.h"
#include "request/sites.h"

#include <string.h>

static const char word[] = "enzyme_inactive";

typedef struct Marks {
  NbContext *context;
  const NbMap *reached; /* functions that the calls lead to */
  bool has_kind, changed;
  unsigned kind; /* of the metadata */
} Marks;

static LLVMValueRef function_of(LLVMValueRef instruction) {
  return LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
}

/* Behind the instructions of the kind that must stand first. */
static LLVMValueRef first_place(LLVMBasicBlockRef block) {
  LLVMValueRef at = LLVMGetFirstInstruction(block);
  while (LLVMIsAPHINode(at) || LLVMIsAAllocaInst(at) || LLVMIsALandingPadInst(at))
    at = LLVMGetNextInstruction(at);
  return at;
}

/* The refusal stands in the code, so that it is told with all others. */
static void refuse(Marks *marks, LLVMValueRef before, const char *what) {
  NbContext *context = marks->context;
  if (!nb_map_has(marks->reached, function_of(before)) && context->phase != NB_PHASE_BEFORE_LINK)
    return;
  const char *message =
      nb_arena_print(context->arena,
                     "'enzyme_inactive' of %s is not supported yet: it is served at numbers and at "
                     "calls of known functions",
                     what);
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context->llvm), NULL, 0, false);
  LLVMValueRef callee = nb_declare(
      context, nb_refused_name(context->arena, NB_ERROR_ENTRY_UNSUPPORTED, message), type);
  nb_sites_call(context, before, callee, NULL, 0);
  marks->changed = true;
}

static bool is_number(LLVMValueRef value) {
  return nb_is_float_kind(LLVMGetTypeKind(LLVMTypeOf(value)));
}

/* May a derivative pass through it? */
static bool is_inert(LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  return !nb_type_has_float(type) && !nb_type_has_pointer(type);
}

/* Whatever uses the value uses it without its derivative. */
static void ignore(Marks *marks, LLVMValueRef value, LLVMValueRef before) {
  LLVMValueRef made = nb_sites_ignored(marks->context, before, value);
  LLVMReplaceAllUsesWith(value, made);
  LLVMSetOperand(made, 0, value);
  marks->changed = true;
}

/* --- Functions -------------------------------------------------------------------------------- */

static bool function_says(LLVMValueRef function, LLVMAttributeIndex index, const char *what) {
  return LLVMGetStringAttributeAtIndex(function, index, what, (unsigned)strlen(what)) != NULL;
}

static void take_parameters(Marks *marks, LLVMValueRef function) {
  LLVMValueRef first = first_place(LLVMGetEntryBasicBlock(function));
  for (unsigned i = 0; i < LLVMCountParams(function); i++) {
    LLVMValueRef parameter = LLVMGetParam(function, i);
    if (!function_says(function, i + 1, word))
      continue;
    LLVMRemoveStringAttributeAtIndex(function, i + 1, word, sizeof word - 1);
    if (is_number(parameter))
      ignore(marks, parameter, first);
    else if (!is_inert(parameter))
      refuse(marks, first,
             nb_arena_print(marks->context->arena, "parameter %u of '%s'", i + 1,
                            nb_shown_name(marks->context, function)));
  }
}

/* Each number that is returned. */
static void take_returns(Marks *marks, LLVMValueRef function) {
  if (!function_says(function, LLVMAttributeReturnIndex, word))
    return;
  LLVMRemoveStringAttributeAtIndex(function, LLVMAttributeReturnIndex, word, sizeof word - 1);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block)) {
    LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
    LLVMValueRef value =
        LLVMIsAReturnInst(last) && LLVMGetNumOperands(last) ? LLVMGetOperand(last, 0) : NULL;
    if (!value || is_inert(value))
      continue;
    if (is_number(value))
      LLVMSetOperand(last, 0, nb_sites_ignored(marks->context, last, value));
    else
      refuse(marks, last, "a result");
    marks->changed = true;
  }
}

/* --- Calls ------------------------------------------------------------------------------------ */

static bool call_says(LLVMValueRef call, LLVMAttributeIndex index, const char *what) {
  return LLVMGetCallSiteStringAttribute(call, index, what, (unsigned)strlen(what)) != NULL;
}

static void forget(LLVMValueRef call, LLVMAttributeIndex index) {
  LLVMRemoveCallSiteStringAttribute(call, index, word, sizeof word - 1);
}

/* Behind the instruction; NULL where nothing can stand there. */
static LLVMValueRef place_behind(LLVMValueRef instruction) {
  if (LLVMIsAPHINode(instruction))
    return first_place(LLVMGetInstructionParent(instruction));
  return LLVMGetNextInstruction(instruction);
}

static void ignore_result(Marks *marks, LLVMValueRef instruction, const char *what) {
  LLVMValueRef behind = place_behind(instruction);
  if (behind && is_number(instruction))
    ignore(marks, instruction, behind);
  else if (!is_inert(instruction))
    refuse(marks, instruction, what);
}

/* The function, where a declaration may stand for it in the call. */
static LLVMValueRef ordinary_callee(LLVMValueRef call) {
  LLVMValueRef callee = nb_callee(call);
  bool ordinary = callee && !LLVMGetIntrinsicID(callee) &&
                  nb_entry_kind(nb_name(callee), NULL) == NB_ENTRY_NONE && !nb_is_request(callee) &&
                  LLVMGlobalGetValueType(callee) == LLVMGetCalledFunctionType(call) &&
                  !LLVMIsFunctionVarArg(LLVMGetCalledFunctionType(call));
  return ordinary ? callee : NULL;
}

static void take_inactive_call(Marks *marks, LLVMValueRef call) {
  LLVMValueRef callee = ordinary_callee(call), known = nb_callee(call);
  if (callee) {
    LLVMValueRef other = nb_sites_inactive(marks->context, callee);
    LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, other);
    marks->changed = true;
  } else if (known && is_number(call)) {
    ignore_result(marks, call, "this call");
  } else if (!known || !nb_is_idle(marks->context, call)) {
    refuse(marks, call, "this call");
  }
}

static void take_operands(Marks *marks, LLVMValueRef call) {
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
    LLVMValueRef value = LLVMGetOperand(call, i);
    if (!call_says(call, i + 1, word))
      continue;
    forget(call, i + 1);
    if (is_number(value)) {
      LLVMSetOperand(call, i, nb_sites_ignored(marks->context, call, value));
      marks->changed = true;
    } else if (!is_inert(value)) {
      refuse(marks, call, nb_arena_print(marks->context->arena, "argument %u of this call", i + 1));
    }
  }
}

/* What a function computes is said where it is declared, and would be lost at one call of it. */
static void take_models(Marks *marks, LLVMValueRef call) {
  static const char *const models[] = {"enzyme_math", "implements", "implements2"};
  NbContext *context = marks->context;
  for (unsigned i = 0; i < sizeof models / sizeof *models; i++)
    if (call_says(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, models[i]))
      nb_warn(context, NB_ERROR_ENTRY_UNSUPPORTED, call,
              "the attribute '%s' of one call says nothing: it is an attribute of functions",
              models[i]);
}

static void take_call(Marks *marks, LLVMValueRef call) {
  const LLVMAttributeIndex whole = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
  take_operands(marks, call);
  take_models(marks, call);
  if (call_says(call, LLVMAttributeReturnIndex, word)) {
    forget(call, LLVMAttributeReturnIndex);
    ignore_result(marks, call, "the result of this call");
  }
  if (!call_says(call, whole, word))
    return;
  forget(call, whole);
  take_inactive_call(marks, call);
}

/* --- Instructions ----------------------------------------------------------------------------- */

/* Is all that is done with the memory seen here: numbers and integers are written and read? */
static bool is_plain_memory(const NbContext *context, LLVMValueRef pointer) {
  for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool stored = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == pointer;
    LLVMValueRef value = stored ? LLVMGetOperand(user, 0) : user;
    bool moved = LLVMIsAStoreInst(user) || LLVMIsALoadInst(user);
    bool plain =
        moved && (stored || LLVMIsALoadInst(user)) && (is_number(value) || is_inert(value));
    bool inner = LLVMIsAGetElementPtrInst(user) && is_plain_memory(context, user);
    if (!plain && !inner && !nb_is_idle(context, user))
      return false;
  }
  return true;
}

static void take_instruction(Marks *marks, LLVMValueRef instruction) {
  bool moves = LLVMIsAStoreInst(instruction) || LLVMIsAReturnInst(instruction);
  if (LLVMIsACallInst(instruction) || LLVMIsAInvokeInst(instruction)) {
    take_inactive_call(marks, instruction);
  } else if (LLVMIsAAllocaInst(instruction) && is_plain_memory(marks->context, instruction)) {
    marks->changed |= nb_sites_ignore_stored(marks->context, instruction);
  } else if (moves && LLVMGetNumOperands(instruction) &&
             !is_inert(LLVMGetOperand(instruction, 0))) {
    refuse(marks, instruction, "this instruction");
  } else {
    ignore_result(marks, instruction, "this instruction");
  }
}

static void take_function(Marks *marks, LLVMValueRef function) {
  NbList all = nb_list(marks->context->arena);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
      nb_list_push(&all, at);
  take_parameters(marks, function);
  take_returns(marks, function);
  for (unsigned i = 0; i < all.count; i++) {
    LLVMValueRef at = all.items[i];
    if (LLVMIsACallInst(at) || LLVMIsAInvokeInst(at))
      take_call(marks, at);
    if (!marks->has_kind || !LLVMGetMetadata(at, marks->kind))
      continue;
    LLVMSetMetadata(at, marks->kind, NULL);
    take_instruction(marks, at);
  }
}

bool nb_marks_collect(NbContext *context, const NbList *calls) {
  NbMap *reached = nb_map_new(context->arena);
  Marks marks = {.context = context, .reached = reached};
  NbList list = nb_request_reach(context, calls);
  for (unsigned i = 0; i < list.count; i++)
    nb_map_set(reached, list.items[i], list.items[i]);
  marks.has_kind = nb_metadata_kind(context->llvm, word, &marks.kind);
  LLVMValueRef function = LLVMGetFirstFunction(context->module);
  for (; function; function = LLVMGetNextFunction(function))
    if (LLVMCountBasicBlocks(function))
      take_function(&marks, function);
  return marks.changed;
}
