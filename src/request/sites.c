// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Calls that say something about one place in the code: a value whose derivative is ignored, a call
 * without derivative, hints of what memory holds. They become calls of declarations with a row,
 * until the requests are served; then the value, or the call, stands there by itself. The shadow of
 * a function pointer (__enzyme_virtualreverse) is the pointer: no call looks at it. */
#include "request/sites.h"

#include "base/names.h"
#include "request/collected.h"
#include "request/serving.h"
#include "request/truncate.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#define IGNORED_PREFIX "__nabla_ignored."

LLVMValueRef nb_sites_call(NbContext *context, LLVMValueRef call, LLVMValueRef callee,
                           LLVMValueRef *arguments, unsigned count) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  LLVMPositionBuilderBefore(builder, call);
  LLVMTypeRef type = LLVMGlobalGetValueType(callee);
  LLVMValueRef made = LLVMBuildCall2(builder, type, callee, arguments, count, "");
  LLVMSetInstructionCallConv(made, LLVMGetFunctionCallConv(callee));
  LLVMInstructionSetDebugLoc(made, LLVMInstructionGetDebugLoc(call));
  LLVMDisposeBuilder(builder);
  return made;
}

LLVMValueRef nb_sites_ignored(NbContext *context, LLVMValueRef before, LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  const char *word = nb_type_text(context->arena, type);
  const char *name = nb_arena_print(context->arena, IGNORED_PREFIX "%s", word);
  LLVMValueRef callee = nb_declare(context, name, LLVMFunctionType(type, &type, 1, false));
  nb_attributes_set_pure(callee);
  return nb_sites_call(context, before, callee, &value, 1);
}

static bool collect_ignored(NbContext *context, LLVMValueRef call) {
  LLVMValueRef value = LLVMGetNumArgOperands(call) == 1 ? LLVMGetOperand(call, 0) : NULL;
  LLVMTypeRef type = LLVMTypeOf(call);
  if (!value || LLVMTypeOf(value) != type)
    return false;
  bool real = nb_is_float_kind(LLVMGetTypeKind(type));
  if (!real && (nb_type_has_float(type) || nb_type_has_pointer(type)))
    return false;
  nb_call_replace(call, real ? nb_sites_ignored(context, call, value) : value);
  return true;
}

/* What is stored through the pointer, or one into the same memory that is made of it. */
bool nb_sites_ignore_stored(NbContext *context, LLVMValueRef pointer) {
  bool changed = false;
  for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool moves = LLVMIsAGetElementPtrInst(user) || LLVMIsAConstantExpr(user);
    LLVMValueRef value = LLVMIsAStoreInst(user) ? LLVMGetOperand(user, 0) : NULL;
    if (moves)
      changed |= nb_sites_ignore_stored(context, user);
    if (!value || value == pointer || LLVMIsAConstant(value) ||
        !nb_is_float_kind(LLVMGetTypeKind(LLVMTypeOf(value))))
      continue;
    LLVMSetOperand(user, 0, nb_sites_ignored(context, user, value));
    changed = true;
  }
  return changed;
}

bool nb_sites_ignore_globals(NbContext *context) {
  bool changed = false;
  for (unsigned i = 0; i < nb_map_count(context->inactive_globals); i++)
    changed |=
        nb_sites_ignore_stored(context, (LLVMValueRef)nb_map_key(context->inactive_globals, i));
  return changed;
}

/* The sizes of a struct that is passed, or returned, in memory. */
static bool same_memory(const NbContext *context, LLVMValueRef call, unsigned operand,
                        LLVMValueRef function, unsigned index) {
  static const char *const kinds[] = {"sret", "byval"};
  bool same = true;
  for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    LLVMTypeRef given = nb_call_operand_pointee(call, operand, kinds[i]);
    LLVMTypeRef wanted = nb_parameter_pointee(function, index, kinds[i]);
    same &= !given == !wanted &&
            (!given || nb_store_size(context, given) == nb_store_size(context, wanted));
  }
  return same;
}

/* The arguments around the function, as its parameters; false where they are of other types. */
static bool take_arguments(NbContext *context, LLVMValueRef call, LLVMValueRef function,
                           LLVMValueRef *arguments) {
  unsigned count = LLVMCountParams(function), place = nb_call_function_index(call);
  bool fits = LLVMGetNumArgOperands(call) == count + 1;
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  LLVMPositionBuilderBefore(builder, call);
  for (unsigned i = 0; fits && i < count; i++) {
    unsigned operand = i + (i >= place);
    LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(function, i));
    arguments[i] = nb_call_converted(builder, call, operand, type);
    fits = arguments[i] && same_memory(context, call, operand, function, i);
  }
  LLVMDisposeBuilder(builder);
  return fits;
}

LLVMValueRef nb_sites_inactive(NbContext *context, LLVMValueRef function) {
  nb_make_findable(context, function);
  const char *name = nb_arena_print(context->arena, NB_INACTIVE_PREFIX "%s", nb_name(function));
  LLVMValueRef callee = nb_declare(context, name, LLVMGlobalGetValueType(function));
  LLVMSetFunctionCallConv(callee, LLVMGetFunctionCallConv(function));
  nb_keep(context, function);
  return callee;
}

static bool collect_inactive(NbContext *context, LLVMValueRef call) {
  unsigned place = nb_call_function_index(call);
  LLVMValueRef operand = LLVMGetNumArgOperands(call) > place ? LLVMGetOperand(call, place) : NULL;
  LLVMValueRef function = operand ? nb_resolve_function(context, operand) : NULL;
  if (!function)
    return false;
  LLVMTypeRef type = LLVMGlobalGetValueType(function);
  LLVMValueRef *arguments =
      NB_NEW_ARRAY(context->arena, LLVMValueRef, LLVMCountParams(function) + 1);
  if (LLVMIsFunctionVarArg(type) || LLVMGetReturnType(type) != LLVMTypeOf(call) ||
      !take_arguments(context, call, function, arguments))
    return false;
  LLVMValueRef callee = nb_sites_inactive(context, function);
  LLVMValueRef made = nb_sites_call(context, call, callee, arguments, LLVMCountParams(function));
  nb_call_take_attributes(context->arena, made, function);
  nb_call_replace(call, made);
  return true;
}

static bool collect_identity(LLVMValueRef call) {
  LLVMValueRef first = LLVMGetNumArgOperands(call) ? LLVMGetOperand(call, 0) : NULL;
  bool nothing = LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind;
  if (!nothing && (!first || LLVMTypeOf(first) != LLVMTypeOf(call)))
    return false;
  nb_call_replace(call, nothing ? NULL : first);
  return true;
}

/* What the memory of a hint holds, in the words of a row and in those of front ends (NULL: none of
 * all its bytes), and the bytes of one of them. */
typedef struct Hint {
  const char *entry, *word, *typed;
  uint64_t bytes;
} Hint;

enum { ALL_OF_IT = UINT32_MAX };

static const Hint hints[] = {{"__enzyme_float", "float", "Float@float", 4},
                             {"__enzyme_double", "double", "Float@double", 8},
                             {"__enzyme_integer", "int", NULL, 4},
                             {"__enzyme_pointer", "ptr", "Pointer", 8}};

static const Hint *hint_of(LLVMValueRef call) {
  const char *known = NULL;
  nb_entry_kind(nb_name(nb_callee(call)), &known);
  for (unsigned i = 0; known && i < sizeof hints / sizeof *hints; i++)
    if (!strcmp(hints[i].entry, known))
      return &hints[i];
  return NULL;
}

/* How many of them there are: one where no number of bytes is given, ALL_OF_IT where only the run
 * tells, or where the number is negative, which stands for all. */
static uint64_t hinted_count(LLVMValueRef call, const Hint *hint) {
  if (LLVMGetNumArgOperands(call) < 2)
    return 1;
  LLVMValueRef bytes = LLVMGetOperand(call, 1);
  bool known = LLVMIsAConstantInt(bytes) && LLVMConstIntGetSExtValue(bytes) >= 0 &&
               LLVMConstIntGetSExtValue(bytes) <= INT32_MAX;
  return known ? LLVMConstIntGetZExtValue(bytes) / hint->bytes : ALL_OF_IT;
}

/* "__nabla_hint.double.4.8": the name says it all, for nothing else stays until then. Behind the
 * memory stands how many bytes there are, where only the run tells. */
static LLVMValueRef declare_hint(NbContext *context, const Hint *hint, uint64_t count,
                                 LLVMValueRef bytes) {
  LLVMTypeRef types[] = {LLVMPointerTypeInContext(context->llvm, 0),
                         bytes ? LLVMTypeOf(bytes) : NULL};
  LLVMTypeRef type =
      LLVMFunctionType(LLVMVoidTypeInContext(context->llvm), types, bytes ? 2 : 1, false);
  unsigned width = bytes ? LLVMGetIntTypeWidth(types[1]) : 0;
  const char *name =
      nb_arena_print(context->arena, NB_HINT_PREFIX "%s.%llu.%llu.%u", hint->word,
                     (unsigned long long)count, (unsigned long long)hint->bytes, width);
  LLVMValueRef callee = nb_declare(context, name, type);
  nb_attributes_set_watching(callee);
  return callee;
}

static bool collect_hint(NbContext *context, LLVMValueRef call) {
  const Hint *hint = hint_of(call);
  LLVMValueRef memory = LLVMGetNumArgOperands(call) ? LLVMGetOperand(call, 0) : NULL;
  if (!hint || !memory || LLVMGetTypeKind(LLVMTypeOf(memory)) != LLVMPointerTypeKind)
    return false;
  uint64_t count = hinted_count(call, hint);
  if (!count)
    return collect_identity(call);
  LLVMValueRef bytes = LLVMGetNumArgOperands(call) > 1 ? LLVMGetOperand(call, 1) : NULL;
  bool runs = bytes && !LLVMIsAConstantInt(bytes) &&
              LLVMGetTypeKind(LLVMTypeOf(bytes)) == LLVMIntegerTypeKind;
  LLVMValueRef arguments[] = {memory, bytes};
  LLVMValueRef callee =
      declare_hint(context, hint, count == ALL_OF_IT ? 0 : count, runs ? bytes : NULL);
  LLVMValueRef made = nb_sites_call(context, call, callee, arguments, runs ? 2 : 1);
  if (collect_identity(call))
    return true;
  LLVMInstructionEraseFromParent(made);
  return false;
}

/* --- Types of parameters ---------------------------------------------------------------------- */

/* What front ends say of the memory behind a parameter: "{[-1]:Pointer, [-1,8]:Float@double}". */
typedef struct Typed {
  long offset; /* -1: everywhere */
  const Hint *hint;
} Typed;

static const Hint *typed_hint(const char *text) {
  for (unsigned i = 0; i < sizeof hints / sizeof *hints; i++)
    if (hints[i].typed && !strncmp(text, hints[i].typed, strlen(hints[i].typed)))
      return &hints[i];
  return NULL;
}

/* The next item of memory right behind the parameter; false where there is none. */
static bool next_typed(const char **text, Typed *typed) {
  static const char behind[] = "[-1,";
  for (*text = strstr(*text, behind); *text; *text = strstr(*text, behind)) {
    char *end;
    *text += strlen(behind);
    typed->offset = strtol(*text, &end, 10);
    typed->hint = !strncmp(end, "]:", 2) ? typed_hint(end + 2) : NULL;
    if (typed->hint && typed->offset >= -1)
      return true;
  }
  return false;
}

static void hint_at(NbContext *context, LLVMValueRef parameter, const Typed *typed) {
  LLVMValueRef function = LLVMGetParamParent(parameter), memory = parameter;
  LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
  while (LLVMIsAAllocaInst(first))
    first = LLVMGetNextInstruction(first);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  LLVMPositionBuilderBefore(builder, first);
  LLVMTypeRef byte = LLVMInt8TypeInContext(context->llvm);
  LLVMValueRef offset =
      LLVMConstInt(LLVMInt64TypeInContext(context->llvm), (unsigned long long)typed->offset, true);
  if (typed->offset > 0)
    memory = LLVMBuildGEP2(builder, byte, parameter, &offset, 1, "");
  LLVMDisposeBuilder(builder);
  LLVMValueRef callee = declare_hint(context, typed->hint, typed->offset >= 0, NULL);
  nb_sites_call(context, first, callee, &memory, 1);
}

static bool collect_types(NbContext *context, LLVMValueRef function, unsigned index) {
  static const char kind[] = "enzyme_type";
  LLVMValueRef parameter = LLVMGetParam(function, index);
  LLVMAttributeRef attribute =
      LLVMGetStringAttributeAtIndex(function, index + 1, kind, sizeof kind - 1);
  bool changed = false;
  unsigned length = 0;
  if (!attribute || LLVMGetTypeKind(LLVMTypeOf(parameter)) != LLVMPointerTypeKind)
    return false;
  const char *value = LLVMGetStringAttributeValue(attribute, &length);
  const char *text = nb_arena_copy(context->arena, value, length);
  for (Typed typed; next_typed(&text, &typed); changed = true)
    hint_at(context, parameter, &typed);
  return changed;
}

bool nb_sites_collect_types(NbContext *context) {
  bool changed = false;
  LLVMValueRef function = LLVMGetFirstFunction(context->module);
  for (; function; function = LLVMGetNextFunction(function))
    for (unsigned i = 0; LLVMCountBasicBlocks(function) && i < LLVMCountParams(function); i++)
      changed |= collect_types(context, function, i);
  return changed;
}

static bool is_site(NbArena *arena, LLVMValueRef callee) {
  (void)arena;
  return nb_entry_is_site(nb_entry_kind(nb_name(callee), NULL));
}

static bool collect_site(NbContext *context, LLVMValueRef call) {
  switch (nb_entry_kind(nb_name(nb_callee(call)), NULL)) {
  case NB_ENTRY_IGNORED:
    return collect_ignored(context, call);
  case NB_ENTRY_CALL_INACTIVE:
    return collect_inactive(context, call);
  case NB_ENTRY_HINT:
    return collect_hint(context, call);
  case NB_ENTRY_TRUNCATE_VALUE:
    return nb_truncate_value(context, call);
  default:
    return collect_identity(call);
  }
}

bool nb_sites_collect(NbContext *context) {
  NbList calls = nb_calls_of(context, is_site);
  bool changed = false;
  for (unsigned i = 0; i < calls.count; i++)
    changed |= collect_site(context, calls.items[i]);
  return changed;
}

/* --- When requests are served ----------------------------------------------------------------- */

static bool has_prefix(LLVMValueRef function, const char *prefix) {
  return strncmp(nb_name(function), prefix, strlen(prefix)) == 0;
}

static LLVMValueRef meant(const NbContext *context, LLVMValueRef placeholder) {
  return LLVMGetNamedFunction(context->module, nb_name(placeholder) + strlen(NB_INACTIVE_PREFIX));
}

/* The row of a hint, from its name. */
static const char *row_of_hint(NbContext *context, LLVMValueRef function) {
  const char *word = nb_name(function) + strlen(NB_HINT_PREFIX);
  size_t length = strcspn(word, ".");
  uint64_t count = word[length] ? strtoull(word + length + 1, NULL, 10) : 0;
  const char *extent =
      count ? nb_arena_print(context->arena, "[%llu]", (unsigned long long)count) : "";
  return nb_arena_print(context->arena, "void %s(ptr a0%s) inactive reads %.*s a0%s\n",
                        nb_name(function), LLVMCountParams(function) > 1 ? ", int a1" : "",
                        (int)length, word, extent);
}

void nb_sites_take(NbContext *context) {
  LLVMValueRef function = LLVMGetFirstFunction(context->module);
  for (; function; function = LLVMGetNextFunction(function)) {
    const char *row = NULL;
    NbRuleError error;
    if (has_prefix(function, NB_INACTIVE_PREFIX))
      row = nb_row_of_inactive(context, function);
    else if (has_prefix(function, IGNORED_PREFIX))
      row = nb_arena_print(context->arena, "%s : 0\n", nb_row_signature(context, function));
    else if (has_prefix(function, NB_HINT_PREFIX))
      row = row_of_hint(context, function);
    const NbRules *rules =
        row ? nb_rules_parse(context->arena, "", row, strlen(row), context->rules, &error) : NULL;
    if (rules)
      context->rules = rules;
  }
}

/* By its first argument; a hint by nothing. */
static void replace_calls(LLVMValueRef function) {
  bool hint = has_prefix(function, NB_HINT_PREFIX);
  while (LLVMGetFirstUse(function)) {
    LLVMValueRef call = LLVMGetUser(LLVMGetFirstUse(function));
    nb_call_replace(call, hint ? NULL : LLVMGetOperand(call, 0));
  }
  LLVMDeleteFunction(function);
}

bool nb_sites_put_back(NbContext *context) {
  bool changed = false;
  LLVMValueRef function = LLVMGetFirstFunction(context->module);
  while (function) {
    LLVMValueRef next = LLVMGetNextFunction(function);
    LLVMValueRef other = has_prefix(function, NB_INACTIVE_PREFIX) ? meant(context, function) : NULL;
    bool replaced = has_prefix(function, IGNORED_PREFIX) || has_prefix(function, NB_HINT_PREFIX);
    changed |= other || replaced;
    if (other) {
      LLVMReplaceAllUsesWith(function, other);
      LLVMDeleteFunction(function);
      nb_unkeep(context, other);
    } else if (replaced) {
      replace_calls(function);
    }
    function = next;
  }
  return changed;
}
