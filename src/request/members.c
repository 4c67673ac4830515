// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The ABI passes members of a small struct in one integer where one of them is no float, and so it
 * returns them. Once the optimiser has made shifts of that, or a loop or recursion hands it on,
 * little tells a float in it from what travels beside it. At the start of the pipeline the variable
 * that the integer is put into still has the struct's type: there, a function that is called by
 * name gets a twin in which such members are parameters, and results, by themselves. The calls by
 * name go to it; who has the function's address finds it as the ABI wants it, and it calls the
 * twin.
 *
 * A larger struct goes through memory, of which the optimiser makes integers, too, once the
 * function is inlined or its local variables are values. It is passed likewise.
 *
 * Bytes between the members are not passed on: C promises nothing about them. A union's members
 * share their bytes, and its type in the IR tells of one of them only, so that structs with unions
 * stay as they are; so do structs without a float. */
#include "request/members.h"

#include "base/names.h"
#include "bridge/body.h"
#include "objects/graph.h"
#include "request/byvalue.h"
#include "request/collected.h"
#include "request/unpack.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

typedef struct Twin {
  NbContext *context;
  LLVMValueRef function, twin;
  unsigned parameter_count, result_count;
  NbPart *parameters, *results;
  bool structure; /* the ABI's result is a struct of parts */
  bool memory;    /* the ABI's result goes to where the first parameter points */
  bool returns;   /* members come back by themselves */
} Twin;

/* --- What is passed by members. ----------------------------------------------------------------
 */

static bool find_parameters(Twin *twin) {
  bool any = false;
  twin->parameter_count = LLVMCountParams(twin->function);
  twin->parameters = NB_NEW_ARRAY(twin->context->arena, NbPart, twin->parameter_count + 1);
  for (unsigned i = 0; i < twin->parameter_count; i++) {
    NbPart *part = &twin->parameters[i];
    LLVMValueRef parameter = LLVMGetParam(twin->function, i);
    part->type = LLVMTypeOf(parameter);
    LLVMTypeRef by_value = nb_parameter_pointee(twin->function, i, "byval");
    if (by_value)
      nb_part_open_memory(twin->context, part, by_value);
    NbPlacement place = nb_by_value_place(twin->context, parameter);
    if (place.variable)
      nb_part_open_integer(twin->context, part, nb_by_value_struct(place.variable), place.offset);
    any = any || part->whole;
  }
  return any;
}

/* The type of the variable, or of the one that is copied to it as a whole. */
static LLVMTypeRef returned_struct(LLVMValueRef variable) {
  for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool copy = LLVMIsAMemCpyInst(user) && LLVMGetOperand(user, 0) == variable;
    LLVMValueRef from = copy ? LLVMGetOperand(user, 1) : NULL;
    if (from && LLVMIsAAllocaInst(from) && !nb_is_declared_struct(LLVMGetAllocatedType(variable)))
      return LLVMGetAllocatedType(from);
  }
  return LLVMGetAllocatedType(variable);
}

static bool is_plain_load(LLVMValueRef value) {
  return LLVMIsALoadInst(value) && nb_access_is_plain(value);
}

/* The variable that a returned value is read from; NULL where it is not. */
static LLVMValueRef returned_variable(LLVMValueRef ret) {
  LLVMValueRef value = LLVMGetNumOperands(ret) ? LLVMGetOperand(ret, 0) : NULL;
  LLVMValueRef pointer = value && is_plain_load(value) ? LLVMGetOperand(value, 0) : NULL;
  if (!pointer || LLVMIsAAllocaInst(pointer))
    return pointer;
  bool first = LLVMIsAGetElementPtrInst(pointer) && LLVMIsAAllocaInst(LLVMGetOperand(pointer, 0));
  for (int i = 1; first && i < LLVMGetNumOperands(pointer); i++)
    first = LLVMIsNull(LLVMGetOperand(pointer, (unsigned)i));
  return first ? LLVMGetOperand(pointer, 0) : NULL;
}

/* The struct that the function returns; NULL where that is not known. */
static LLVMTypeRef result_struct(LLVMValueRef function) {
  LLVMTypeRef whole = NULL;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block)) {
    LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
    if (!last || !LLVMIsAReturnInst(last))
      continue;
    LLVMValueRef variable = returned_variable(last);
    LLVMTypeRef type = variable ? returned_struct(variable) : NULL;
    if (!type || (whole && whole != type))
      return NULL;
    whole = type;
  }
  return whole;
}

static bool stays_here(const NbContext *context, NbMap *seen, LLVMValueRef pointer);

/* Does the call write what it returns to the address, or copy what is there, and not know it any
 * more then? */
static bool stays_in_call(const NbContext *context, NbMap *seen, LLVMValueRef call,
                          LLVMValueRef pointer) {
  LLVMValueRef function = nb_is_call(call) ? LLVMGetCalledValue(call) : NULL;
  if (!function || !LLVMIsAFunction(function) || LLVMIsDeclaration(function))
    return false;
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
    if (LLVMGetOperand(call, i) != pointer || nb_parameter_pointee(function, i, "byval"))
      continue;
    if (i >= LLVMCountParams(function) || !nb_parameter_pointee(function, i, "sret") ||
        !stays_here(context, seen, LLVMGetParam(function, i)))
      return false;
  }
  return true;
}

/* Is the address only used to read and write there? */
static bool stays_here(const NbContext *context, NbMap *seen, LLVMValueRef pointer) {
  if (nb_map_get(seen, pointer))
    return true;
  nb_map_set(seen, pointer, pointer);
  for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool stays = LLVMIsALoadInst(user) || LLVMIsAMemIntrinsic(user) || nb_is_idle(context, user) ||
                 (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != pointer) ||
                 (LLVMIsAGetElementPtrInst(user) && stays_here(context, seen, user)) ||
                 stays_in_call(context, seen, user, pointer);
    if (!stays)
      return false;
  }
  return true;
}

/* A result in memory is a value, unless the function tells somebody where it lies, as constructors
 * may. */
static void find_memory_result(Twin *twin) {
  NbContext *context = twin->context;
  LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(twin->function));
  LLVMTypeRef whole =
      twin->parameter_count ? nb_parameter_pointee(twin->function, 0, "sret") : NULL;
  if (!whole || LLVMGetTypeKind(type) != LLVMVoidTypeKind ||
      !stays_here(context, nb_map_new(context->arena), LLVMGetParam(twin->function, 0)))
    return;
  nb_part_open_memory(context, &twin->results[0], whole);
  twin->memory = twin->returns = twin->results[0].whole;
  twin->parameters[0].absent = twin->memory;
}

static bool find_results(Twin *twin) {
  NbContext *context = twin->context;
  LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(twin->function));
  twin->structure = LLVMGetTypeKind(type) == LLVMStructTypeKind;
  twin->result_count = twin->structure ? LLVMCountStructElementTypes(type) : 1;
  twin->results = NB_NEW_ARRAY(context->arena, NbPart, twin->result_count + 1);
  LLVMTypeRef whole = result_struct(twin->function);
  for (unsigned i = 0; i < twin->result_count; i++) {
    NbPart *part = &twin->results[i];
    part->type = twin->structure ? LLVMStructGetTypeAtIndex(type, i) : type;
    if (whole)
      nb_part_open_integer(context, part, whole,
                           twin->structure ? LLVMOffsetOfElement(context->layout, type, i) : 0);
    twin->returns = twin->returns || part->whole;
  }
  find_memory_result(twin);
  return twin->returns;
}

/* --- Which functions. --------------------------------------------------------------------------
 */

/* Is it a call, or one that may throw and alone leads to where it goes on? */
static bool can_be_rewritten(LLVMValueRef call) {
  if (!LLVMIsAInvokeInst(call))
    return LLVMIsACallInst(call);
  LLVMBasicBlockRef next = LLVMGetNormalDest(call);
  LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(next));
  return LLVMGetUser(use) == call && !LLVMGetNextUse(use) &&
         !LLVMIsAPHINode(LLVMGetFirstInstruction(next));
}

static bool is_call_of(LLVMValueRef user, LLVMValueRef function) {
  return can_be_rewritten(user) && LLVMGetCalledValue(user) == function &&
         LLVMGetCalledFunctionType(user) == LLVMGlobalGetValueType(function) &&
         LLVMGetNumOperandBundles(user) == 0;
}

/* Is it called by name, and does nothing but code mention it? What registers it, in a global,
 * speaks of all its calls. */
static bool has_calls(LLVMValueRef function) {
  bool called = false;
  for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsAInstruction(user) ||
        (LLVMIsACallInst(user) && LLVMGetTailCallKind(user) == LLVMTailCallKindMustTail))
      return false;
    called = called || is_call_of(user, function);
  }
  return called;
}

static bool has_must_tail_call(LLVMValueRef function) {
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at))
    if (LLVMIsACallInst(at) && LLVMGetTailCallKind(at) == LLVMTailCallKindMustTail)
      return true;
  return false;
}

static bool is_exact(LLVMValueRef function) {
  switch (LLVMGetLinkage(function)) {
  case LLVMExternalLinkage:
  case LLVMInternalLinkage:
  case LLVMPrivateLinkage:
  case LLVMLinkOnceODRLinkage:
  case LLVMWeakODRLinkage:
    return true;
  default:
    return false;
  }
}

static bool is_candidate(const NbContext *context, LLVMValueRef function) {
  return !LLVMIsDeclaration(function) && is_exact(function) && !LLVMGetSection(function) &&
         !LLVMIsFunctionVarArg(LLVMGlobalGetValueType(function)) &&
         !nb_rule_named_as(context, function) && has_calls(function) &&
         !has_must_tail_call(function);
}

/* --- The twin. ---------------------------------------------------------------------------------
 */

/* Is the parameter passed as it is? */
static bool is_same(const NbPart *part) { return !part->whole && !part->absent; }

static unsigned add_types(const NbPart *parts, unsigned count, LLVMTypeRef *types) {
  unsigned total = 0;
  for (unsigned i = 0; i < count; i++)
    for (unsigned k = 0; k < nb_part_width(&parts[i]); k++)
      types[total++] = parts[i].whole ? parts[i].members[k].type : parts[i].type;
  return total;
}

static LLVMTypeRef twin_type(const Twin *twin) {
  NbContext *context = twin->context;
  unsigned most = NB_MOST_MEMBERS * (twin->parameter_count + twin->result_count) + 1;
  LLVMTypeRef *types = NB_NEW_ARRAY(context->arena, LLVMTypeRef, most);
  LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(twin->function));
  if (twin->returns) {
    unsigned count = add_types(twin->results, twin->result_count, types);
    result = LLVMStructTypeInContext(context->llvm, types, count, false);
  }
  unsigned count = add_types(twin->parameters, twin->parameter_count, types);
  return LLVMFunctionType(result, types, count, false);
}

static void copy_attributes(const NbContext *context, LLVMValueRef to, LLVMAttributeIndex to_index,
                            LLVMValueRef from, LLVMAttributeIndex from_index) {
  unsigned count = LLVMGetAttributeCountAtIndex(from, from_index);
  LLVMAttributeRef *list = NB_NEW_ARRAY(context->arena, LLVMAttributeRef, count + 1);
  LLVMGetAttributesAtIndex(from, from_index, list);
  for (unsigned i = 0; i < count; i++)
    LLVMAddAttributeAtIndex(to, to_index, list[i]);
}

static void declare(Twin *twin) {
  NbContext *context = twin->context;
  LLVMValueRef function = twin->function;
  const LLVMAttributeIndex whole = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
  const char *name = nb_arena_print(context->arena, "%s" NB_MEMBERS_SUFFIX, nb_name(function));
  twin->twin = LLVMAddFunction(context->module, name, twin_type(twin));
  LLVMSetLinkage(twin->twin, LLVMInternalLinkage);
  LLVMSetFunctionCallConv(twin->twin, LLVMGetFunctionCallConv(function));
  copy_attributes(context, twin->twin, whole, function, whole);
  nb_by_value_forget_one(twin->twin);
  if (!twin->returns)
    copy_attributes(context, twin->twin, 0, function, 0);
  unsigned at = 0;
  for (unsigned i = 0; i < twin->parameter_count; i++) {
    if (is_same(&twin->parameters[i]))
      copy_attributes(context, twin->twin, at + 1, function, i + 1);
    at += nb_part_width(&twin->parameters[i]);
  }
}

/* Memory in the twin for the struct that the parameter is the address of. */
static LLVMValueRef make_room(const Twin *twin, LLVMBuilderRef builder, LLVMTypeRef whole,
                              unsigned index) {
  static const char align[] = "align";
  unsigned kind = LLVMGetEnumAttributeKindForName(align, sizeof align - 1);
  LLVMAttributeRef attribute = LLVMGetEnumAttributeAtIndex(twin->function, index + 1, kind);
  LLVMValueRef room = LLVMBuildAlloca(builder, whole, "");
  uint64_t least = attribute ? LLVMGetEnumAttributeValue(attribute) : 0;
  if (least > LLVMGetAlignment(room))
    LLVMSetAlignment(room, (unsigned)least);
  LLVMReplaceAllUsesWith(LLVMGetParam(twin->function, index), room);
  return room;
}

/* Parameter `index`, which is the address of a struct, or which its function puts into a variable.
 */
static void receive_members(const Twin *twin, unsigned index, unsigned first) {
  const NbPart *part = &twin->parameters[index];
  LLVMValueRef store =
      part->memory ? NULL : LLVMGetUser(LLVMGetFirstUse(LLVMGetParam(twin->function, index)));
  LLVMValueRef members[NB_MOST_MEMBERS];
  for (unsigned i = 0; i < part->count; i++)
    members[i] = LLVMGetParam(twin->twin, first + i);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(twin->context->llvm);
  LLVMPositionBuilderBefore(builder, store ? store : nb_instruction_first(twin->twin));
  LLVMValueRef room =
      store ? LLVMGetOperand(store, 1) : make_room(twin, builder, part->whole, index);
  nb_part_store(twin->context, builder, part, room, members);
  LLVMDisposeBuilder(builder);
  if (store)
    LLVMInstructionEraseFromParent(store);
}

/* The memory of the result. */
static LLVMValueRef receive_result(const Twin *twin) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(twin->context->llvm);
  LLVMPositionBuilderBefore(builder, nb_instruction_first(twin->twin));
  LLVMValueRef room = make_room(twin, builder, twin->results[0].whole, 0);
  LLVMDisposeBuilder(builder);
  return room;
}

/* The members of part `index` of what is returned or passed, a load or anything else. */
static void take_members(const Twin *twin, LLVMBuilderRef builder, const NbPart *part,
                         unsigned index, LLVMValueRef value, LLVMValueRef *members) {
  NbContext *context = twin->context;
  if (part->memory) {
    nb_part_load(context, builder, part, value, members);
    return;
  }
  bool element =
      twin->structure && part >= twin->results && part < twin->results + twin->result_count;
  LLVMValueRef pointer = is_plain_load(value) ? LLVMGetOperand(value, 0) : NULL;
  if (pointer) {
    LLVMPositionBuilderBefore(builder, value);
    if (element)
      pointer = LLVMBuildStructGEP2(builder, LLVMTypeOf(value), pointer, index, "");
  } else if (element) {
    value = LLVMBuildExtractValue(builder, value, index, "");
  }
  if (pointer && part->whole)
    nb_part_load(context, builder, part, pointer, members);
  else if (part->whole)
    nb_part_split(context, builder, part, value, members);
  else
    members[0] = pointer ? LLVMBuildLoad2(builder, part->type, pointer, "") : value;
}

/* `room`: the memory of the result, if it is in memory. */
static void return_members(const Twin *twin, LLVMValueRef ret, LLVMValueRef room) {
  LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(twin->twin));
  LLVMValueRef value = room ? room : LLVMGetOperand(ret, 0), result = LLVMGetPoison(type);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(twin->context->llvm);
  unsigned at = 0;
  for (unsigned i = 0; i < twin->result_count; i++) {
    LLVMValueRef members[NB_MOST_MEMBERS];
    LLVMPositionBuilderBefore(builder, ret);
    take_members(twin, builder, &twin->results[i], i, value, members);
    LLVMPositionBuilderBefore(builder, ret);
    for (unsigned k = 0; k < nb_part_width(&twin->results[i]); k++)
      result = LLVMBuildInsertValue(builder, result, members[k], at++, "");
  }
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(ret));
  LLVMBuildRet(builder, result);
  LLVMDisposeBuilder(builder);
  LLVMInstructionEraseFromParent(ret);
  if (!room && is_plain_load(value) && !LLVMGetFirstUse(value))
    LLVMInstructionEraseFromParent(value);
}

static void take_subprogram(LLVMValueRef to, LLVMValueRef from) {
  LLVMContextRef llvm = LLVMGetTypeContext(LLVMTypeOf(from));
  LLVMMetadataRef lines = LLVMGetSubprogram(from);
  if (!lines)
    return;
  LLVMGlobalEraseMetadata(from, LLVMGetMDKindIDInContext(llvm, "dbg", 3));
  LLVMSetSubprogram(to, lines);
}

static void receive(const Twin *twin, unsigned index, unsigned first) {
  LLVMValueRef parameter = LLVMGetParam(twin->function, index);
  LLVMValueRef fresh = LLVMGetParam(twin->twin, first);
  const char *name = nb_name(parameter);
  LLVMSetValueName2(fresh, name, strlen(name));
  if (twin->parameters[index].whole)
    receive_members(twin, index, first);
  else
    LLVMReplaceAllUsesWith(parameter, fresh);
}

static void write_twin(const Twin *twin) {
  unsigned at = 0;
  nb_body_move_blocks(twin->twin, twin->function);
  take_subprogram(twin->twin, twin->function);
  for (unsigned i = 0; i < twin->parameter_count; i++) {
    unsigned width = nb_part_width(&twin->parameters[i]);
    if (width)
      receive(twin, i, at);
    at += width;
  }
  LLVMValueRef room = twin->memory ? receive_result(twin) : NULL;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(twin->twin); block && twin->returns;
       block = LLVMGetNextBasicBlock(block)) {
    LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
    if (LLVMIsAReturnInst(last))
      return_members(twin, last, room);
  }
}

/* --- Calls. ------------------------------------------------------------------------------------
 */

/* Before what the result of the call is made: the call, or what a block of its own ends with that
 * one that may throw returns to. */
static LLVMValueRef behind(const Twin *twin, LLVMValueRef call) {
  if (!LLVMIsAInvokeInst(call))
    return call;
  LLVMBasicBlockRef next = LLVMGetNormalDest(call);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(twin->context->llvm);
  LLVMPositionBuilderAtEnd(builder, LLVMInsertBasicBlockInContext(twin->context->llvm, next, ""));
  LLVMValueRef end = LLVMBuildBr(builder, next);
  LLVMDisposeBuilder(builder);
  return end;
}

/* The members of part `index` of the result of the new call. */
static unsigned result_members(const Twin *twin, LLVMBuilderRef builder, LLVMValueRef fresh,
                               unsigned index, LLVMValueRef *members) {
  unsigned first = 0, count = nb_part_width(&twin->results[index]);
  for (unsigned i = 0; i < index; i++)
    first += nb_part_width(&twin->results[i]);
  for (unsigned k = 0; k < count; k++)
    members[k] = LLVMBuildExtractValue(builder, fresh, first + k, "");
  return count;
}

static bool is_plain_store(LLVMValueRef user, LLVMValueRef value) {
  return LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == value && nb_access_is_plain(user);
}

/* Stores of the part's integer become stores of its members. */
static void replace_part(const Twin *twin, const NbPart *part, LLVMValueRef old,
                         const LLVMValueRef *members, LLVMBuilderRef builder) {
  for (LLVMUseRef use = LLVMGetFirstUse(old), next; use; use = next) {
    LLVMValueRef user = LLVMGetUser(use);
    next = LLVMGetNextUse(use);
    if (!part->whole || !is_plain_store(user, old))
      continue;
    LLVMBuilderRef there = LLVMCreateBuilderInContext(twin->context->llvm);
    LLVMPositionBuilderBefore(there, user);
    nb_part_store(twin->context, there, part, LLVMGetOperand(user, 1), members);
    LLVMDisposeBuilder(there);
    LLVMInstructionEraseFromParent(user);
  }
  if (LLVMGetFirstUse(old))
    LLVMReplaceAllUsesWith(old, part->whole ? nb_part_join(twin->context, builder, part, members)
                                            : members[0]);
}

/* What takes element `index` out of the result, one after another. */
static LLVMValueRef next_taken(LLVMValueRef call, unsigned index) {
  for (LLVMUseRef use = LLVMGetFirstUse(call); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAExtractValueInst(user) && LLVMGetNumIndices(user) == 1 &&
        LLVMGetIndices(user)[0] == index)
      return user;
  }
  return NULL;
}

/* Stores part after part what `call` returned, which `store` stores as a whole. */
static void store_parts(const Twin *twin, LLVMValueRef fresh, LLVMValueRef store) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(twin->context->llvm);
  LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(store, 0));
  LLVMValueRef members[NB_MOST_MEMBERS];
  LLVMPositionBuilderBefore(builder, store);
  for (unsigned i = 0; i < twin->result_count; i++) {
    const NbPart *part = &twin->results[i];
    LLVMValueRef place = LLVMBuildStructGEP2(builder, type, LLVMGetOperand(store, 1), i, "");
    result_members(twin, builder, fresh, i, members);
    if (part->whole)
      nb_part_store(twin->context, builder, part, place, members);
    else
      LLVMBuildStore(builder, members[0], place);
  }
  LLVMDisposeBuilder(builder);
  LLVMInstructionEraseFromParent(store);
}

static void replace_stores(const Twin *twin, LLVMValueRef call, LLVMValueRef fresh) {
  for (LLVMUseRef use = LLVMGetFirstUse(call), next; use; use = next) {
    LLVMValueRef user = LLVMGetUser(use);
    next = LLVMGetNextUse(use);
    if (is_plain_store(user, call))
      store_parts(twin, fresh, user);
  }
}

/* Stores before `at` the struct that `fresh` returned. */
static void store_result(const Twin *twin, LLVMValueRef fresh, LLVMValueRef room, LLVMValueRef at) {
  LLVMValueRef members[NB_MOST_MEMBERS];
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(twin->context->llvm);
  LLVMPositionBuilderBefore(builder, at);
  result_members(twin, builder, fresh, 0, members);
  nb_part_store(twin->context, builder, &twin->results[0], room, members);
  LLVMDisposeBuilder(builder);
}

/* `at`: see `behind`. */
static void replace_result(const Twin *twin, LLVMValueRef call, LLVMValueRef fresh,
                           LLVMValueRef at) {
  NbContext *context = twin->context;
  LLVMValueRef whole = LLVMGetPoison(LLVMTypeOf(call)), members[NB_MOST_MEMBERS];
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  LLVMPositionBuilderBefore(builder, at);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(call));
  if (twin->structure)
    replace_stores(twin, call, fresh);
  for (unsigned i = 0; i < twin->result_count; i++) {
    const NbPart *part = &twin->results[i];
    result_members(twin, builder, fresh, i, members);
    for (LLVMValueRef taken; twin->structure && (taken = next_taken(call, i));) {
      replace_part(twin, part, taken, members, builder);
      LLVMInstructionEraseFromParent(taken);
    }
    if (!twin->structure)
      replace_part(twin, part, call, members, builder);
  }
  for (unsigned i = 0; twin->structure && LLVMGetFirstUse(call) && i < twin->result_count; i++) {
    const NbPart *part = &twin->results[i];
    result_members(twin, builder, fresh, i, members);
    LLVMValueRef element = part->whole ? nb_part_join(context, builder, part, members) : members[0];
    whole = LLVMBuildInsertValue(builder, whole, element, i, "");
  }
  if (LLVMGetFirstUse(call))
    LLVMReplaceAllUsesWith(call, whole);
  LLVMDisposeBuilder(builder);
}

static void copy_call_attributes(const NbContext *context, LLVMValueRef to,
                                 LLVMAttributeIndex to_index, LLVMValueRef from,
                                 LLVMAttributeIndex from_index) {
  unsigned count = LLVMGetCallSiteAttributeCount(from, from_index);
  LLVMAttributeRef *list = NB_NEW_ARRAY(context->arena, LLVMAttributeRef, count + 1);
  LLVMGetCallSiteAttributes(from, from_index, list);
  for (unsigned i = 0; i < count; i++)
    LLVMAddCallSiteAttribute(to, to_index, list[i]);
}

static void say_the_same(const Twin *twin, LLVMValueRef fresh, LLVMValueRef call) {
  const LLVMAttributeIndex whole = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
  const NbContext *context = twin->context;
  size_t count = 0;
  LLVMValueMetadataEntry *notes = LLVMInstructionGetAllMetadataOtherThanDebugLoc(call, &count);
  for (unsigned i = 0; i < count; i++)
    LLVMSetMetadata(
        fresh, LLVMValueMetadataEntriesGetKind(notes, i),
        LLVMMetadataAsValue(context->llvm, LLVMValueMetadataEntriesGetMetadata(notes, i)));
  LLVMDisposeValueMetadataEntries(notes);
  LLVMInstructionSetDebugLoc(fresh, LLVMInstructionGetDebugLoc(call));
  LLVMSetInstructionCallConv(fresh, LLVMGetInstructionCallConv(call));
  if (LLVMIsACallInst(call))
    LLVMSetTailCallKind(fresh, LLVMGetTailCallKind(call));
  copy_call_attributes(context, fresh, whole, call, whole);
  if (!twin->returns)
    copy_call_attributes(context, fresh, 0, call, 0);
  unsigned at = 0;
  for (unsigned i = 0; i < twin->parameter_count; i++) {
    if (is_same(&twin->parameters[i]))
      copy_call_attributes(context, fresh, at + 1, call, i + 1);
    at += nb_part_width(&twin->parameters[i]);
  }
}

/* A call of the twin before `call`, with the members of `given`, the ABI's arguments. `after`: see
 * `behind`. */
static LLVMValueRef build_call(const Twin *twin, LLVMBuilderRef builder, LLVMValueRef call,
                               LLVMValueRef after, const LLVMValueRef *given) {
  unsigned total = LLVMCountParams(twin->twin), at = 0;
  LLVMValueRef *arguments =
      NB_NEW_ARRAY(twin->context->arena, LLVMValueRef, total + NB_MOST_MEMBERS);
  for (unsigned i = 0; i < twin->parameter_count; i++) {
    const NbPart *part = &twin->parameters[i];
    LLVMPositionBuilderBefore(builder, call);
    if (part->whole)
      take_members(twin, builder, part, i, given[i], arguments + at);
    else if (!part->absent)
      arguments[at] = given[i];
    at += nb_part_width(part);
  }
  LLVMPositionBuilderBefore(builder, call);
  LLVMTypeRef type = LLVMGlobalGetValueType(twin->twin);
  if (LLVMIsAInvokeInst(call))
    return LLVMBuildInvoke2(builder, type, twin->twin, arguments, total,
                            LLVMGetInstructionParent(after), LLVMGetUnwindDest(call), "");
  return LLVMBuildCall2(builder, type, twin->twin, arguments, total, "");
}

static void pass_call(const Twin *twin, LLVMValueRef call) {
  NbContext *context = twin->context;
  LLVMValueRef *given = NB_NEW_ARRAY(context->arena, LLVMValueRef, twin->parameter_count + 1);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  for (unsigned i = 0; i < twin->parameter_count; i++)
    given[i] = LLVMGetOperand(call, i);
  LLVMValueRef after = behind(twin, call), fresh = build_call(twin, builder, call, after, given);
  LLVMDisposeBuilder(builder);
  say_the_same(twin, fresh, call);
  if (twin->memory)
    store_result(twin, fresh, given[0], after);
  else if (twin->returns)
    replace_result(twin, call, fresh, after);
  else
    LLVMReplaceAllUsesWith(call, fresh);
  LLVMInstructionEraseFromParent(call);
  for (unsigned i = 0; i < twin->parameter_count; i++)
    if (twin->parameters[i].whole && is_plain_load(given[i]) && !LLVMGetFirstUse(given[i]))
      LLVMInstructionEraseFromParent(given[i]);
}

static void pass_calls(const Twin *twin) {
  NbList calls = nb_list(twin->context->arena);
  for (LLVMUseRef use = LLVMGetFirstUse(twin->function); use; use = LLVMGetNextUse(use))
    if (is_call_of(LLVMGetUser(use), twin->function))
      nb_list_push(&calls, LLVMGetUser(use));
  for (unsigned i = 0; i < calls.count; i++)
    pass_call(twin, calls.items[i]);
}

/* --- What the function itself is then. ---------------------------------------------------------
 */

/* Memory for what the ABI has as one value, which is more than the members need. */
static LLVMValueRef room_for(LLVMBuilderRef builder, const NbPart *part, LLVMTypeRef type) {
  LLVMTypeRef room = part ? LLVMArrayType2(part->type, 2) : type;
  return LLVMBuildAlloca(builder, room, "");
}

/* The parameters as they came: those that are taken apart, from memory. */
static void put_down(const Twin *twin, LLVMBuilderRef builder, LLVMValueRef *given) {
  for (unsigned i = 0; i < twin->parameter_count; i++) {
    const NbPart *part = &twin->parameters[i];
    given[i] = LLVMGetParam(twin->function, i);
    if (!part->whole || part->memory)
      continue;
    LLVMValueRef room = room_for(builder, part, NULL);
    LLVMBuildStore(builder, given[i], room);
    given[i] = LLVMBuildLoad2(builder, part->type, room, "");
  }
}

static void return_as_said(const Twin *twin, LLVMBuilderRef builder, LLVMValueRef fresh) {
  LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(twin->function));
  LLVMValueRef members[NB_MOST_MEMBERS], room = room_for(builder, NULL, type);
  for (unsigned i = 0; i < twin->result_count; i++) {
    const NbPart *part = &twin->results[i];
    LLVMValueRef place = twin->structure ? LLVMBuildStructGEP2(builder, type, room, i, "") : room;
    result_members(twin, builder, fresh, i, members);
    if (part->whole)
      nb_part_store(twin->context, builder, part, place, members);
    else
      LLVMBuildStore(builder, members[0], place);
  }
  LLVMBuildRet(builder, LLVMBuildLoad2(builder, type, room, ""));
}

static void call_twin(const Twin *twin) {
  NbContext *context = twin->context;
  LLVMValueRef *given = NB_NEW_ARRAY(context->arena, LLVMValueRef, twin->parameter_count + 1);
  LLVMBasicBlockRef block = LLVMAppendBasicBlockInContext(context->llvm, twin->function, "");
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  LLVMPositionBuilderAtEnd(builder, block);
  put_down(twin, builder, given);
  LLVMValueRef end = LLVMBuildUnreachable(builder);
  LLVMValueRef fresh = build_call(twin, builder, end, end, given);
  LLVMSetInstructionCallConv(fresh, LLVMGetFunctionCallConv(twin->twin));
  LLVMPositionBuilderBefore(builder, end);
  if (twin->memory)
    store_result(twin, fresh, given[0], end);
  if (twin->returns && !twin->memory)
    return_as_said(twin, builder, fresh);
  else if (twin->memory || LLVMGetTypeKind(LLVMTypeOf(fresh)) == LLVMVoidTypeKind)
    LLVMBuildRetVoid(builder);
  else
    LLVMBuildRet(builder, fresh);
  LLVMInstructionEraseFromParent(end);
  LLVMDisposeBuilder(builder);
}

static bool is_local(LLVMValueRef function) {
  LLVMLinkage linkage = LLVMGetLinkage(function);
  return linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
}

/* A function that nobody else knows of is replaced by its twin. */
static void finish(const Twin *twin) {
  if (LLVMGetFirstUse(twin->function) || !is_local(twin->function)) {
    call_twin(twin);
    return;
  }
  const char *name = nb_arena_print(twin->context->arena, "%s", nb_name(twin->function));
  LLVMDeleteFunction(twin->function);
  LLVMSetValueName2(twin->twin, name, strlen(name));
}

static void pass_members(NbContext *context, LLVMValueRef function) {
  Twin twin = {.context = context, .function = function};
  bool parameters = find_parameters(&twin), results = find_results(&twin);
  if (!parameters && !results)
    return;
  declare(&twin);
  write_twin(&twin);
  pass_calls(&twin);
  finish(&twin);
}

void nb_members_pass(NbContext *context, const NbList *calls) {
  NbMap *functions = nb_map_new(context->arena);
  for (unsigned i = 0; i < calls->count; i++) {
    for (unsigned k = 0; k < LLVMGetNumArgOperands(calls->items[i]); k++) {
      LLVMValueRef function = nb_resolve_function(context, LLVMGetOperand(calls->items[i], k));
      NbList reached = function ? nb_reach(context->arena, function) : nb_list(context->arena);
      for (unsigned f = 0; f < reached.count; f++)
        nb_map_set(functions, reached.items[f], reached.items[f]);
    }
  }
  if (!nb_map_count(functions))
    return;
  nb_by_value_note(context);
  for (unsigned i = 0; i < nb_map_count(functions); i++) {
    LLVMValueRef function = (LLVMValueRef)nb_map_key(functions, i);
    if (is_candidate(context, function))
      pass_members(context, function);
  }
}
