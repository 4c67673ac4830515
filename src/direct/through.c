// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "direct/through.h"

#include "base/names.h"
#include "bridge/body.h"
#include "direct/carry.h"
#include "direct/copy.h"
#include "objects/graph.h"
#include "types/types.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

typedef struct Through {
  NbContext *context;
  NbCarry carry;
  NbMap *copies; /* functions that lead to a call of one below, to a copy of the same type */
  NbMap *passed; /* functions of which something goes through memory, to a copy of another type */
} Through;

/* --- What is to be copied. ---------------------------------------------------------------------
 */

static bool leads_to_copy(const Through *through, LLVMValueRef function) {
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at)) {
    LLVMValueRef callee = nb_carry_callee(&through->carry, at);
    if (callee && (nb_map_has(through->copies, callee) || nb_map_has(through->passed, callee)))
      return true;
  }
  return false;
}

static LLVMTypeRef passed_type(const Through *through, LLVMValueRef function) {
  NbContext *context = through->context;
  const NbCarried *carried = nb_map_get(through->carry.functions, function);
  LLVMTypeRef type = LLVMGlobalGetValueType(function);
  LLVMTypeRef pointer = LLVMPointerTypeInContext(context->llvm, 0);
  unsigned count = LLVMCountParams(function);
  LLVMTypeRef *types = NB_NEW_ARRAY(context->arena, LLVMTypeRef, count + 1);
  LLVMGetParamTypes(type, types);
  for (unsigned i = 0; i < count; i++)
    types[i] = carried->parameters[i] ? pointer : types[i];
  if (!carried->elements)
    return LLVMFunctionType(LLVMGetReturnType(type), types, count, false);
  types[count] = pointer;
  return LLVMFunctionType(LLVMVoidTypeInContext(context->llvm), types, count + 1, false);
}

static LLVMValueRef declare(const Through *through, LLVMValueRef function, LLVMTypeRef type) {
  NbContext *context = through->context;
  const char *name = nb_arena_print(context->arena, NB_THROUGH_PREFIX "%s", nb_name(function));
  LLVMValueRef copy = LLVMAddFunction(context->module, name, type);
  LLVMSetLinkage(copy, LLVMInternalLinkage);
  if (type == LLVMGlobalGetValueType(function))
    LLVMSetFunctionCallConv(copy, LLVMGetFunctionCallConv(function));
  nb_attributes_copy_target(copy, function);
  LLVMAddAttributeAtIndex(
      copy, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
      LLVMCreateStringAttribute(context->llvm, NB_THROUGH_MARK, strlen(NB_THROUGH_MARK), "", 0));
  return copy;
}

/* What the parameters that stay as they are say of how they are passed. */
static void copy_parameter(LLVMValueRef copy, LLVMValueRef function, unsigned index) {
  enum { MOST = 32 };
  LLVMAttributeRef attributes[MOST];
  unsigned count = LLVMGetAttributeCountAtIndex(function, index + 1);
  const char *name = nb_name(LLVMGetParam(function, index));
  LLVMSetValueName2(LLVMGetParam(copy, index), name, strlen(name));
  if (count > MOST ||
      LLVMTypeOf(LLVMGetParam(copy, index)) != LLVMTypeOf(LLVMGetParam(function, index)))
    return;
  LLVMGetAttributesAtIndex(function, index + 1, attributes);
  for (unsigned i = 0; i < count; i++)
    LLVMAddAttributeAtIndex(copy, index + 1, attributes[i]);
}

/* --- Elements of aggregates. -------------------------------------------------------------------
 */

static LLVMValueRef element_address(LLVMBuilderRef builder, LLVMTypeRef type, LLVMValueRef memory,
                                    unsigned index) {
  LLVMTypeRef number = LLVMInt32TypeInContext(LLVMGetTypeContext(type));
  LLVMValueRef indices[] = {LLVMConstNull(number), LLVMConstInt(number, index, false)};
  return LLVMBuildInBoundsGEP2(builder, type, memory, indices, 2, "");
}

static LLVMTypeRef element_type(LLVMTypeRef type, unsigned index) {
  return LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMStructGetTypeAtIndex(type, index)
                                                     : LLVMGetElementType(type);
}

/* The element, from where it was put into the aggregate or loaded. */
static LLVMValueRef element_of(LLVMBuilderRef builder, LLVMValueRef aggregate, unsigned index) {
  while (LLVMIsAInsertValueInst(aggregate) && LLVMGetNumIndices(aggregate) == 1) {
    if (LLVMGetIndices(aggregate)[0] == index)
      return LLVMGetOperand(aggregate, 1);
    aggregate = LLVMGetOperand(aggregate, 0);
  }
  bool load = LLVMIsALoadInst(aggregate) && !LLVMGetVolatile(aggregate);
  if (!load)
    return LLVMBuildExtractValue(builder, aggregate, index, "");
  LLVMTypeRef type = LLVMTypeOf(aggregate);
  LLVMBuilderRef before = LLVMCreateBuilderInContext(LLVMGetTypeContext(type));
  LLVMPositionBuilderBefore(before, aggregate);
  LLVMValueRef address = element_address(before, type, LLVMGetOperand(aggregate, 0), index);
  LLVMValueRef element = LLVMBuildLoad2(before, element_type(type, index), address, "");
  LLVMDisposeBuilder(before);
  return element;
}

/* Stores a value, element by element. */
static void store_value(LLVMBuilderRef builder, LLVMValueRef value, LLVMValueRef memory) {
  LLVMTypeRef type = LLVMTypeOf(value);
  unsigned count = nb_element_count(type);
  if (!count || LLVMIsConstant(value)) {
    LLVMBuildStore(builder, value, memory);
    return;
  }
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef element = element_of(builder, value, i);
    LLVMValueRef address = element_address(builder, type, memory, i);
    store_value(builder, element, address);
  }
}

static LLVMValueRef load_value(LLVMBuilderRef builder, LLVMTypeRef type, LLVMValueRef memory) {
  unsigned count = nb_element_count(type);
  if (!count)
    return LLVMBuildLoad2(builder, type, memory, "");
  LLVMValueRef value = LLVMGetPoison(type);
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef address = element_address(builder, type, memory, i);
    LLVMValueRef element = load_value(builder, element_type(type, i), address);
    value = LLVMBuildInsertValue(builder, value, element, i, "");
  }
  return value;
}

/* What the result was used for, element by element where it is taken apart or stored. */
static void replace_uses(LLVMValueRef old, LLVMValueRef value) {
  LLVMValueRef user;
  for (LLVMUseRef use = LLVMGetFirstUse(old), next; use; use = next) {
    next = LLVMGetNextUse(use);
    user = LLVMGetUser(use);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(old)));
    LLVMPositionBuilderBefore(builder, user);
    bool taken = LLVMIsAExtractValueInst(user) && LLVMGetNumIndices(user) == 1;
    bool stored = LLVMIsAStoreInst(user) && nb_element_count(LLVMTypeOf(old));
    if (taken)
      LLVMReplaceAllUsesWith(user, element_of(builder, value, LLVMGetIndices(user)[0]));
    else if (stored)
      store_value(builder, value, LLVMGetOperand(user, 1));
    LLVMDisposeBuilder(builder);
    if (taken || stored)
      LLVMInstructionEraseFromParent(user);
  }
  LLVMReplaceAllUsesWith(old, value);
}

/* --- Calls. ------------------------------------------------------------------------------------
 */

enum { NARROW = 32 };

/* Memory for a value. An integer that may be a float beside something else is not declared to be
 * one. */
static LLVMValueRef memory_for(NbContext *context, LLVMValueRef call, LLVMTypeRef type) {
  LLVMTypeRef byte = LLVMInt8TypeInContext(context->llvm);
  LLVMTypeRef bytes = LLVMArrayType2(byte, LLVMABISizeOfType(context->layout, type));
  bool wide = LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) > NARROW;
  LLVMValueRef memory = nb_copy_local(call, wide ? bytes : type, "through");
  LLVMSetAlignment(memory, LLVMABIAlignmentOfType(context->layout, type));
  return memory;
}

static void pass_call(const Through *through, LLVMValueRef call, LLVMValueRef function) {
  NbContext *context = through->context;
  const NbCarried *carried = nb_map_get(through->carry.functions, function);
  LLVMValueRef copy = nb_map_get(through->passed, function);
  unsigned count = LLVMCountParams(function);
  LLVMValueRef *arguments = NB_NEW_ARRAY(context->arena, LLVMValueRef, count + 1);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  LLVMPositionBuilderBefore(builder, call);
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef argument = LLVMGetOperand(call, i);
    arguments[i] =
        carried->parameters[i] ? memory_for(context, call, LLVMTypeOf(argument)) : argument;
    if (carried->parameters[i])
      store_value(builder, argument, arguments[i]);
  }
  if (carried->elements)
    arguments[count] = memory_for(context, call, LLVMTypeOf(call));
  LLVMValueRef fresh = LLVMBuildCall2(builder, LLVMGlobalGetValueType(copy), copy, arguments,
                                      LLVMCountParams(copy), "");
  LLVMSetInstructionCallConv(fresh, LLVMGetFunctionCallConv(copy));
  LLVMInstructionSetDebugLoc(fresh, LLVMInstructionGetDebugLoc(call));
  for (unsigned i = 0; i < count; i++)
    nb_copy_passing(fresh, call, i);
  LLVMValueRef value =
      carried->elements ? load_value(builder, LLVMTypeOf(call), arguments[count]) : fresh;
  LLVMDisposeBuilder(builder);
  if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind)
    replace_uses(call, value);
  LLVMInstructionEraseFromParent(call);
}

static void name_calls(const Through *through, LLVMValueRef copy) {
  NbList calls = nb_list(through->context->arena);
  for (LLVMValueRef at = nb_instruction_first(copy); at; at = nb_instruction_next(at)) {
    if (nb_carry_callee(&through->carry, at))
      nb_list_push(&calls, at);
  }
  for (unsigned i = 0; i < calls.count; i++) {
    LLVMValueRef call = calls.items[i];
    LLVMValueRef callee = nb_carry_callee(&through->carry, call);
    LLVMValueRef twin = nb_map_get(through->copies, callee);
    if (nb_map_has(through->passed, callee))
      pass_call(through, call, callee);
    else if (twin)
      LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, twin);
  }
}

/* --- Bodies. -----------------------------------------------------------------------------------
 */

static void store_results(NbContext *context, LLVMValueRef copy, LLVMValueRef memory) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(copy); block;
       block = LLVMGetNextBasicBlock(block)) {
    LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
    if (!LLVMIsAReturnInst(last))
      continue;
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
    LLVMPositionBuilderBefore(builder, last);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(last));
    store_value(builder, LLVMGetOperand(last, 0), memory);
    LLVMBuildRetVoid(builder);
    LLVMDisposeBuilder(builder);
    LLVMInstructionEraseFromParent(last);
  }
}

/* Moves variables to where the builder stands, in the entry block. */
static void move_variables(LLVMBuilderRef builder, LLVMBasicBlockRef from) {
  for (LLVMValueRef at = LLVMGetFirstInstruction(from), next; at; at = next) {
    next = LLVMGetNextInstruction(at);
    if (!LLVMIsAAllocaInst(at) || !LLVMIsAConstantInt(LLVMGetOperand(at, 0)))
      continue;
    LLVMInstructionRemoveFromParent(at);
    LLVMInsertIntoBuilder(builder, at);
  }
}

static void write_copy(const Through *through, LLVMValueRef function, LLVMValueRef copy) {
  NbContext *context = through->context;
  const NbCarried *carried = nb_map_get(through->carry.functions, function);
  unsigned count = LLVMCountParams(function);
  LLVMValueRef *parameters = NB_NEW_ARRAY(context->arena, LLVMValueRef, count + 1);
  bool passed = copy == nb_map_get(through->passed, function);
  LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(context->llvm, copy, "through");
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  LLVMPositionBuilderAtEnd(builder, entry);
  for (unsigned i = 0; i < count; i++) {
    parameters[i] = LLVMGetParam(copy, i);
    copy_parameter(copy, function, i);
    if (passed && carried->parameters[i])
      parameters[i] =
          load_value(builder, LLVMTypeOf(LLVMGetParam(function, i)), LLVMGetParam(copy, i));
  }
  nb_clone_body(copy, function, parameters);
  move_variables(builder, LLVMGetNextBasicBlock(entry));
  LLVMBuildBr(builder, LLVMGetNextBasicBlock(entry));
  LLVMDisposeBuilder(builder);
  if (passed && carried->elements)
    store_results(context, copy, LLVMGetParam(copy, count));
  name_calls(through, copy);
  nb_map_set(context->originals, copy, function);
  if (nb_printing(context, "direct"))
    LLVMDumpValue(copy);
}

static void write_copies(const Through *through, const NbMap *copies) {
  for (unsigned i = 0; i < nb_map_count(copies); i++) {
    LLVMValueRef function = (LLVMValueRef)nb_map_key(copies, i);
    write_copy(through, function, nb_map_get(copies, function));
  }
}

/* --- What travels beside a float in one integer. -----------------------------------------------
 */

/* Takes it apart in the view of the function; false where there is nothing of the kind. */
static bool split_bits(NbContext *context, LLVMValueRef view, LLVMValueRef function) {
  NbMap *primals = context->primals;
  NbList hidden = nb_list(context->arena);
  context->primals = nb_map_new(context->arena);
  nb_map_set(context->primals, view, function);
  bool split = nb_types_split_lanes(context, view, false);
  split = nb_types_rewrite_carriers(context, view, &hidden) || split;
  context->primals = primals;
  nb_analyses_forget(context->analyses, view);
  return split;
}

/* What was found of the view, and of others while it called them, goes with it. */
static void drop_view(NbContext *context, LLVMValueRef view) {
  nb_analyses_forget(context->analyses, view);
  LLVMDeleteFunction(view);
  context->summaries = nb_map_new(context->arena);
}

/* A view of the function in which it is taken apart, whose calls go to the function as it was; NULL
 * where there is nothing of the kind. What callers store in the memory that the function gets tells
 * of it, too. */
static LLVMValueRef split_view(NbContext *context, LLVMValueRef function) {
  LLVMTypeRef type = LLVMGlobalGetValueType(function);
  LLVMValueRef view = nb_copy_declare(context, function, "nabla.split.", type);
  nb_copy_write(context, view, function);
  LLVMDisposeMessage(nb_passes_run(context->analyses, context->module, view, "sroa,instsimplify"));
  if (split_bits(context, view, function))
    return view;
  drop_view(context, view);
  return NULL;
}

static bool split_function(NbContext *context, LLVMValueRef function) {
  LLVMValueRef view = split_view(context, function);
  if (!view)
    return false;
  LLVMMetadataRef lines = LLVMGetSubprogram(view);
  nb_analyses_forget(context->analyses, function);
  nb_body_delete(function);
  LLVMDeleteBasicBlock(LLVMGetEntryBasicBlock(function));
  nb_body_move(function, view);
  if (lines)
    LLVMSetSubprogram(function, lines);
  drop_view(context, view);
  if (nb_printing(context, "direct"))
    LLVMDumpValue(function);
  return true;
}

static bool split_any(NbContext *context, const NbMap *copies) {
  bool any = false;
  for (unsigned i = 0; i < nb_map_count(copies); i++)
    any = split_function(context, nb_map_get(copies, nb_map_key(copies, i))) || any;
  return any;
}

enum { MOST_ROUNDS = 8, WORD = 64 };

static bool any_recurs(NbContext *context, const NbMap *copies) {
  for (unsigned i = 0; i < nb_map_count(copies); i++)
    if (nb_graph_recurs(nb_summary_of(context, nb_map_get(copies, nb_map_key(copies, i)))))
      return true;
  return false;
}

/* What one function stores says what another loads. Where none calls itself, they are inlined where
 * they make bits. */
static void split_copies(const Through *through) {
  NbContext *context = through->context;
  bool changed = any_recurs(context, through->copies) || any_recurs(context, through->passed);
  for (unsigned i = 0; i < MOST_ROUNDS && changed; i++) {
    changed = split_any(context, through->copies);
    changed = split_any(context, through->passed) || changed;
  }
}

/* --- Which functions. --------------------------------------------------------------------------
 */

/* Does it load words of eight bytes or more as integers? */
static bool loads_words(LLVMValueRef function) {
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at))
    if (LLVMIsALoadInst(at) && LLVMGetTypeKind(LLVMTypeOf(at)) == LLVMIntegerTypeKind &&
        LLVMGetIntTypeWidth(LLVMTypeOf(at)) >= WORD)
      return true;
  return false;
}

/* Does it call itself, so that it is not inlined, and do floats travel beside others in it? */
static bool is_to_be_split(NbContext *context, LLVMValueRef function) {
  if (!loads_words(function) || !nb_graph_recurs(nb_summary_of(context, function)))
    return false;
  LLVMValueRef view = split_view(context, function);
  if (view)
    drop_view(context, view);
  return view != NULL;
}

static void find_copies(Through *through, LLVMValueRef root) {
  NbMap *functions = through->carry.functions;
  for (unsigned i = 0; i < nb_map_count(functions); i++) {
    LLVMValueRef function = (LLVMValueRef)nb_map_key(functions, i);
    if (nb_carried_any(&through->carry, function))
      nb_map_set(through->passed, function,
                 declare(through, function, passed_type(through, function)));
    else if (is_to_be_split(through->context, function))
      nb_map_set(through->copies, function,
                 declare(through, function, LLVMGlobalGetValueType(function)));
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned i = nb_map_count(functions); i-- > 0;) {
      LLVMValueRef function = (LLVMValueRef)nb_map_key(functions, i);
      bool passed = nb_map_has(through->passed, function) && function != root;
      if (passed || nb_map_has(through->copies, function) || !leads_to_copy(through, function))
        continue;
      nb_map_set(through->copies, function,
                 declare(through, function, LLVMGlobalGetValueType(function)));
      changed = true;
    }
  }
}

LLVMValueRef nb_through_of(NbContext *context, LLVMValueRef function) {
  LLVMValueRef known = nb_map_get(context->through, function);
  if (known)
    return known;
  Through through = {.context = context,
                     .carry = nb_carry_find(context, function),
                     .copies = nb_map_new(context->arena),
                     .passed = nb_map_new(context->arena)};
  find_copies(&through, function);
  write_copies(&through, through.copies);
  write_copies(&through, through.passed);
  split_copies(&through);
  LLVMValueRef copy = nb_map_get(through.copies, function);
  nb_map_set(context->through, function, copy ? copy : function);
  return copy ? copy : function;
}
