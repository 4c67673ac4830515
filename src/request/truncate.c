// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* __enzyme_truncate_op_func: a copy of a function that computes in a narrower format. Each
 * operation on floats of the wide format rounds its operands and its result; what lies in memory,
 * and goes in and out, stays wide. The functions that it calls are copied as well.
 *
 * __enzyme_truncate_mem_func: what is stored and returned is rounded, too. A number in memory of
 * the narrow format is a wide one that the narrow format has; __enzyme_truncate_mem_value makes
 * one, and what __enzyme_expand_mem_value takes is one. Longer formats: request/longer.h.
 *
 * -nabla-truncate-all: as the first, of every function of the module. */
#include "request/truncate.h"

#include "base/names.h"
#include "request/longer.h"
#include "request/narrow.h"
#include "request/registrations.h"
#include "request/serving.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct Truncation {
  NbContext *context;
  NbNarrow narrow;
  bool memory;
  NbMap *copies; /* function -> its copy; NULL: all functions are truncated where they stand */
} Truncation;

static void round_operation(const Truncation *truncation, LLVMBuilderRef builder,
                            LLVMValueRef inst) {
  if (truncation->narrow.same || !nb_narrow_is_wide(&truncation->narrow, LLVMTypeOf(inst)))
    return;
  LLVMValueRef left = LLVMGetOperand(inst, 0), right = LLVMGetOperand(inst, 1);
  LLVMValueRef result = nb_narrow_operate(&truncation->narrow, builder, inst,
                                          LLVMGetInstructionOpcode(inst), left, right);
  LLVMReplaceAllUsesWith(inst, result);
  LLVMInstructionEraseFromParent(inst);
}

static void round_operands(const Truncation *truncation, LLVMBuilderRef builder, LLVMValueRef inst,
                           unsigned count) {
  for (unsigned i = 0; i < count; i++)
    LLVMSetOperand(inst, i, nb_narrow_round(&truncation->narrow, builder, LLVMGetOperand(inst, i)));
}

/* The users of the result take the rounded one, which is made of a copy that has no users yet. */
static void round_result(const Truncation *truncation, LLVMBuilderRef builder, LLVMValueRef inst) {
  if (!nb_narrow_is_wide(&truncation->narrow, LLVMTypeOf(inst)))
    return;
  LLVMValueRef copy = LLVMInstructionClone(inst);
  LLVMInsertIntoBuilder(builder, copy);
  LLVMReplaceAllUsesWith(inst, nb_narrow_round(&truncation->narrow, builder, copy));
  LLVMInstructionEraseFromParent(inst);
}

/* What C makes of `a * b + c` where a processor may do both at once: no format of ours may. */
static bool round_both(const Truncation *truncation, LLVMBuilderRef builder, LLVMValueRef call) {
  const NbNarrow *narrow = &truncation->narrow;
  bool both = nb_call_multiplies_and_adds(call) && !narrow->type && !narrow->same;
  if (!both || !nb_narrow_is_wide(narrow, LLVMTypeOf(call)))
    return false;
  LLVMValueRef product = nb_narrow_operate(narrow, builder, call, LLVMFMul, LLVMGetOperand(call, 0),
                                           LLVMGetOperand(call, 1));
  LLVMValueRef sum =
      nb_narrow_operate(narrow, builder, call, LLVMFAdd, product, LLVMGetOperand(call, 2));
  LLVMReplaceAllUsesWith(call, sum);
  LLVMInstructionEraseFromParent(call);
  return true;
}

static LLVMValueRef copy_of(Truncation *truncation, LLVMValueRef function);

/* A function of numbers, by its row, is an operation; any other without a body is left alone. */
static bool round_call(Truncation *truncation, LLVMBuilderRef builder, LLVMValueRef call) {
  LLVMValueRef callee = nb_callee(call);
  const NbRule *rule = nb_rule_of_call(truncation->context, call, NULL);
  if (!truncation->copies && (!callee || LLVMCountBasicBlocks(callee)))
    return true;
  if (!callee)
    return nb_refuse(truncation->context, NB_ERROR_INDIRECT_CALL, call,
                     "a function that is only known when the program runs is called, and it cannot "
                     "be truncated");
  const NbCustom *custom = nb_custom_of(truncation->context, callee);
  if (custom && custom->on_device)
    return nb_refuse(truncation->context, NB_ERROR_NO_RULE, call,
                     "what cuBLAS computes on a device cannot be truncated");
  if (LLVMCountBasicBlocks(callee)) {
    LLVMValueRef copy = copy_of(truncation, callee);
    if (copy)
      LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, copy);
    return copy != NULL;
  }
  if (truncation->narrow.longer)
    return nb_longer_replace(&truncation->narrow, truncation->memory, builder, call);
  if (!rule || rule->kind != NB_RULE_TANGENT || !LLVMIsACallInst(call) ||
      round_both(truncation, builder, call))
    return true;
  round_operands(truncation, builder, call, LLVMGetNumArgOperands(call));
  round_result(truncation, builder, call);
  return true;
}

static bool round_instruction(Truncation *truncation, LLVMBuilderRef builder, LLVMValueRef inst) {
  LLVMPositionBuilderBefore(builder, inst);
  bool call = LLVMIsACallInst(inst) || LLVMIsAInvokeInst(inst);
  if (truncation->narrow.longer && !call)
    return nb_longer_replace(&truncation->narrow, truncation->memory, builder, inst);
  switch (LLVMGetInstructionOpcode(inst)) {
  case LLVMFAdd:
  case LLVMFSub:
  case LLVMFMul:
  case LLVMFDiv:
  case LLVMFRem:
    round_operation(truncation, builder, inst);
    return true;
  case LLVMFCmp:
    round_operands(truncation, builder, inst, 2);
    return true;
  case LLVMStore:
    if (truncation->memory)
      round_operands(truncation, builder, inst, 1);
    return true;
  case LLVMRet:
    if (truncation->memory)
      round_operands(truncation, builder, inst, (unsigned)LLVMGetNumOperands(inst));
    return true;
  case LLVMCall:
  case LLVMInvoke:
    return round_call(truncation, builder, inst);
  default:
    return true;
  }
}

static bool round_all(Truncation *truncation, LLVMValueRef function) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(truncation->context->llvm);
  bool ok = true;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block), next; ok && at; at = next) {
      next = LLVMGetNextInstruction(at);
      ok = round_instruction(truncation, builder, at);
    }
  LLVMDisposeBuilder(builder);
  return ok;
}

/* NULL where it was refused. */
static LLVMValueRef copy_of(Truncation *truncation, LLVMValueRef function) {
  NbContext *context = truncation->context;
  LLVMValueRef copy = nb_map_get(truncation->copies, function);
  if (copy)
    return copy;
  const char *name = nb_arena_print(context->arena, "nabla.truncated.%s", nb_name(function));
  unsigned count = LLVMCountParams(function);
  LLVMValueRef *parameters = NB_NEW_ARRAY(context->arena, LLVMValueRef, count + 1);
  copy = LLVMAddFunction(context->module, name, LLVMGlobalGetValueType(function));
  nb_map_set(truncation->copies, function, copy);
  LLVMSetLinkage(copy, LLVMInternalLinkage);
  LLVMSetFunctionCallConv(copy, LLVMGetFunctionCallConv(function));
  LLVMGetParams(copy, parameters);
  nb_clone_body(copy, function, parameters);
  nb_equalities_show(copy);
  nb_attributes_copy_target(copy, function);
  for (unsigned i = 0; i <= count; i++) {
    unsigned attributes = LLVMGetAttributeCountAtIndex(function, i);
    LLVMAttributeRef *list = NB_NEW_ARRAY(context->arena, LLVMAttributeRef, attributes + 1);
    LLVMGetAttributesAtIndex(function, i, list);
    for (unsigned k = 0; k < attributes; k++)
      LLVMAddAttributeAtIndex(copy, i, list[k]);
  }
  return round_all(truncation, copy) ? copy : NULL;
}

/* The format that `count` operands of the call name; false where they name none. */
static bool take_format(NbContext *context, LLVMValueRef call, const unsigned *indices,
                        unsigned count, NbNarrow *narrow) {
  uint64_t numbers[3];
  if (count > 3)
    return false;
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef value = LLVMGetOperand(call, indices[i]);
    if (!LLVMIsAConstantInt(value))
      return false;
    numbers[i] = LLVMConstIntGetZExtValue(value);
  }
  return nb_narrow_of(context, numbers, count, narrow);
}

static bool has_markers(const NbServing *serving) {
  for (unsigned i = 0; i < serving->count; i++)
    if (serving->operands[i].marker != NB_MARKER_NONE)
      return true;
  return false;
}

bool nb_serving_emit_truncated(NbServing *serving, NbList *fields) {
  NbContext *context = serving->context;
  Truncation truncation = {.context = context,
                           .memory = serving->collected.entry == NB_ENTRY_TRUNCATE_MEMORY,
                           .copies = nb_map_new(context->arena)};
  if (has_markers(serving) ||
      !take_format(context, serving->call, serving->indices, serving->count, &truncation.narrow))
    return nb_refuse(context, NB_ERROR_ENTRY_UNSUPPORTED, serving->call,
                     "behind the function there must stand " NB_NARROW_WANTED);
  LLVMValueRef copy = copy_of(&truncation, serving->function);
  if (copy)
    nb_list_push(fields, copy);
  return copy != NULL;
}

bool nb_truncate_value(NbContext *context, LLVMValueRef call) {
  static const unsigned indices[] = {1, 2, 3};
  unsigned count = LLVMGetNumArgOperands(call);
  LLVMValueRef value = count > 2 && count <= 4 ? LLVMGetOperand(call, 0) : NULL;
  NbNarrow narrow;
  if (!value || !take_format(context, call, indices, count - 1, &narrow) ||
      LLVMTypeOf(value) != narrow.wide || LLVMTypeOf(call) != narrow.wide)
    return false;
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  LLVMPositionBuilderBefore(builder, call);
  bool out = strstr(nb_name(nb_callee(call)), "_expand_") != NULL;
  LLVMValueRef rounded;
  if (narrow.longer)
    rounded =
        out ? nb_longer_out_of(&narrow, builder, value) : nb_longer_into(&narrow, builder, value);
  else
    rounded = nb_narrow_round(&narrow, builder, value);
  LLVMDisposeBuilder(builder);
  nb_call_replace(call, rounded);
  return true;
}

/* --- All functions ---------------------------------------------------------------------------- */

/* At the link step they are truncated already. */
#define TRUNCATED_MARK "nabla.truncated"

static bool read_number(const char **at, uint64_t *number) {
  char *end;
  *number = strtoul(*at, &end, 10);
  bool some = end != *at && isdigit((unsigned char)**at);
  *at = end;
  return some;
}

/* "64", or "11-52"; the bits where they stand for a format that has some, else exponent and
 * significand. */
static unsigned read_format(const char **at, uint64_t *numbers) {
  if (!read_number(at, numbers))
    return 0;
  if (**at != '-')
    return 1;
  ++*at;
  if (!read_number(at, numbers + 1))
    return 0;
  return nb_narrow_bits(numbers) ? 1 : 2;
}

/* "64to32" or "11-52to5-7". */
static bool read_pair(NbContext *context, const char **at, NbNarrow *narrow) {
  uint64_t numbers[3], ignored[2];
  if (read_format(at, ignored) != 1 || strncmp(*at, "to", 2) != 0)
    return false;
  *at += 2;
  numbers[0] = ignored[0];
  unsigned count = read_format(at, numbers + 1);
  return count && nb_narrow_of(context, numbers, count + 1, narrow);
}

static bool read_pairs(NbContext *context, const char *text, NbNarrow *pairs, unsigned *count) {
  *count = 0;
  for (const char *at = text; *at; at += *at == ';') {
    NbNarrow narrow;
    if (!read_pair(context, &at, &narrow) || (*at && *at != ';'))
      return false;
    for (unsigned i = 0; i < *count; i++)
      if (pairs[i].wide == narrow.wide)
        return false;
    pairs[(*count)++] = narrow;
  }
  return true;
}

static void truncate_functions(NbContext *context, const NbNarrow *narrow) {
  Truncation truncation = {.context = context, .narrow = *narrow};
  LLVMValueRef function = LLVMGetFirstFunction(context->module);
  for (; function; function = LLVMGetNextFunction(function))
    if (!LLVMIsDeclaration(function) &&
        strncmp(nb_name(function), NB_OWN_PREFIX, strlen(NB_OWN_PREFIX)) != 0)
      round_all(&truncation, function);
}

/* The narrowest first: what stands for an operation of a wider format is one of a narrower. */
static void truncate_in_order(NbContext *context, const NbNarrow *pairs, unsigned count) {
  static const LLVMTypeKind order[] = {LLVMHalfTypeKind, LLVMFloatTypeKind, LLVMDoubleTypeKind};
  for (unsigned k = 0; k < sizeof order / sizeof *order; k++)
    for (unsigned i = 0; i < count; i++)
      if (LLVMGetTypeKind(pairs[i].wide) == order[k])
        truncate_functions(context, pairs + i);
}

bool nb_truncate_all(NbContext *context) {
  enum { FORMATS = 3 };
  const char *text = nb_option_text(context->options, "truncate-all");
  NbNarrow pairs[FORMATS];
  unsigned count = 0;
  if (!text || !*text ||
      LLVMGetNamedMetadata(context->module, TRUNCATED_MARK, strlen(TRUNCATED_MARK)))
    return false;
  if (!read_pairs(context, text, pairs, &count)) {
    nb_refuse(context, NB_ERROR_OPTION, NULL,
              "-nabla-truncate-all=%s is no list such as 64to32;32to16 or 11-52to5-7, of formats "
              "that have 64, 32 or 16 bits and of narrower ones",
              text);
    return false;
  }
  truncate_in_order(context, pairs, count);
  LLVMGetOrInsertNamedMetadata(context->module, TRUNCATED_MARK, strlen(TRUNCATED_MARK));
  return true;
}
