// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The tape of a combined derivative. Every access goes through the address of one field: each field
 * becomes a variable, so that an array among them does not keep the others in memory. At most
 * STACK_BYTES of arrays stay on the stack; the others share one block of the heap. In the sweeps of
 * a callee, which have been simplified, an address may be so many bytes behind the tape's; what is
 * an array there is known by a call that LLVM leaves where it is. */
#include "base/names.h"
#include "emit/runtime.h"
#include "objects/graph.h"
#include "tidy/tidy.h"

#include <string.h>

enum { STACK_BYTES = 4096, HEAP_ALIGNMENT = 16 };

typedef struct Split {
  NbContext *context;
  LLVMValueRef tape; /* an alloca */
  LLVMTypeRef type;
  const char *first; /* the name of the first field; empty: none */
  bool simplified;   /* the sweeps */
  unsigned count;
  LLVMValueRef *places; /* by field; NULL: none yet */
  unsigned *in_block;   /* by field: its number in the block plus one; 0: on the stack */
  LLVMTypeRef block_type;
  LLVMValueRef block; /* NULL: nothing is on the heap */
  LLVMBuilderRef builder;
} Split;

/* A part of the tape: `rest` bytes behind the begin of a field. */
typedef struct Part {
  unsigned field;
  uint64_t rest;
} Part;

static bool is_field_address(LLVMValueRef user, LLVMTypeRef tape) {
  return LLVMGetGEPSourceElementType(user) == tape && LLVMGetNumOperands(user) == 3;
}

/* Finds the part that is addressed; false where the address is computed in another way. As sweeps
 * were emitted, bytes are counted in the first field, and may be as many as it has. */
static bool find_part(const Split *split, LLVMValueRef address, Part *part) {
  LLVMTargetDataRef layout = split->context->layout;
  LLVMTypeRef byte = LLVMInt8TypeInContext(split->context->llvm);
  LLVMValueRef last = LLVMGetOperand(address, (unsigned)LLVMGetNumOperands(address) - 1);
  if (!LLVMIsAConstantInt(last))
    return false;
  uint64_t number = LLVMConstIntGetZExtValue(last);
  if (is_field_address(address, split->type)) {
    *part = (Part){(unsigned)number, 0};
    return true;
  }
  if (!split->simplified || LLVMGetGEPSourceElementType(address) != byte ||
      LLVMGetNumOperands(address) != 2 || number >= LLVMABISizeOfType(layout, split->type))
    return false;
  part->field = LLVMElementAtOffset(layout, split->type, number);
  part->rest = number - LLVMOffsetOfElement(layout, split->type, part->field);
  return true;
}

static bool is_variable(LLVMValueRef user) {
  return LLVMIsACallInst(user) && nb_access_has_note(user, NB_TAPE_VARIABLE);
}

static bool accesses(LLVMValueRef user, LLVMValueRef address) {
  return LLVMIsALoadInst(user) || LLVMIsACallInst(user) ||
         (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != address);
}

/* Where the field before ends there, and is a variable, its end may be meant. */
static bool may_be_an_end(const Split *split, const Part *part) {
  LLVMTargetDataRef layout = split->context->layout;
  if (part->rest || !part->field)
    return false;
  LLVMTypeRef before = LLVMStructGetTypeAtIndex(split->type, part->field - 1);
  return LLVMGetTypeKind(before) == LLVMArrayTypeKind &&
         LLVMOffsetOfElement(layout, split->type, part->field - 1) +
                 LLVMABISizeOfType(layout, before) ==
             LLVMOffsetOfElement(layout, split->type, part->field);
}

static bool takes_ends(LLVMValueRef user) {
  return LLVMIsACallInst(user) && !LLVMIsAIntrinsicInst(user) && !nb_runtime_is(user);
}

/* --- Tapes of calls that were inlined -------------------------------------------------------- */

/* The uses of a variable that may be a tape. */
typedef struct Uses {
  NbList users;   /* of the whole, that is, of its first field */
  NbList calls;   /* that take the whole */
  bool variables; /* is one of its fields a variable? Else LLVM splits it as well */
} Uses;

static bool has_body(LLVMValueRef call) {
  LLVMValueRef callee = LLVMIsACallInst(call) ? nb_callee(call) : NULL;
  return callee && LLVMCountBasicBlocks(callee) > 0;
}

/* How many bytes are accessed at the address; 0 where it is not accessed, or not so many. */
static uint64_t accessed_bytes(const Split *split, LLVMValueRef user, LLVMValueRef address) {
  LLVMTargetDataRef layout = split->context->layout;
  if (LLVMIsALoadInst(user))
    return LLVMStoreSizeOfType(layout, LLVMTypeOf(user));
  if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != address)
    return LLVMStoreSizeOfType(layout, LLVMTypeOf(LLVMGetOperand(user, 0)));
  if (LLVMIsAMemSetInst(user) && LLVMIsAConstantInt(LLVMGetOperand(user, 2)))
    return LLVMConstIntGetZExtValue(LLVMGetOperand(user, 2));
  return 0;
}

/* Is it an access to all or a part of a field, or is the field's address given to a call? */
static bool stays_inside(const Split *split, LLVMValueRef user, LLVMValueRef address,
                         const Part *part) {
  if (is_variable(user) || has_body(user))
    return !part->rest;
  uint64_t bytes = accessed_bytes(split, user, address);
  LLVMTypeRef field = LLVMStructGetTypeAtIndex(split->type, part->field);
  uint64_t size = LLVMABISizeOfType(split->context->layout, field);
  return bytes && part->rest < size && bytes <= size - part->rest;
}

static bool all_stay_inside(const Split *split, LLVMValueRef address, Uses *uses) {
  Part part = {0, 0};
  bool whole = address == split->tape;
  if (!whole && (!LLVMIsAGetElementPtrInst(address) || !find_part(split, address, &part)))
    return false;
  for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    uses->variables |= is_variable(user);
    if (whole)
      nb_list_push(&uses->users, user);
    if (whole && has_body(user))
      nb_list_push(&uses->calls, user);
    bool inside = whole && LLVMIsAGetElementPtrInst(user)
                      ? all_stay_inside(split, user, uses)
                      : stays_inside(split, user, address, &part);
    if (!inside)
      return false;
  }
  return true;
}

/* A number of bytes says which field is meant only where it is all of the address: the constant of
 * an index may have been added to it. */
static bool is_whole_address(const Split *split, LLVMValueRef address, const Part *part) {
  bool whole = true, end = may_be_an_end(split, part);
  for (LLVMUseRef use = LLVMGetFirstUse(address); use && whole; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    whole = accesses(user, address) && !(end && takes_ends(user));
  }
  return whole || is_field_address(address, split->type);
}

/* As they were emitted, sweeps compute the addresses of fields as such, but that of the first,
 * which inlining folds into the tape's. */
static bool is_understood(const Split *split, LLVMValueRef user) {
  Part part;
  if (LLVMIsAGetElementPtrInst(user))
    return find_part(split, user, &part) && is_whole_address(split, user, &part);
  return accesses(user, split->tape);
}

/* --- What the heap takes --------------------------------------------------------------------- */

static bool may_be_moved(const Split *split, LLVMTypeRef field) {
  LLVMTypeKind kind = LLVMGetTypeKind(field);
  return (kind == LLVMArrayTypeKind || kind == LLVMStructTypeKind) &&
         LLVMABIAlignmentOfType(split->context->layout, field) <= HEAP_ALIGNMENT;
}

/* Fields stay in their order as long as there is room on the stack for them. */
static void choose(Split *split) {
  NbList types = nb_list(split->context->arena);
  uint64_t left = STACK_BYTES;
  for (unsigned i = 0; i < split->count; i++) {
    LLVMTypeRef field = LLVMStructGetTypeAtIndex(split->type, i);
    if (!may_be_moved(split, field))
      continue;
    uint64_t bytes = LLVMABISizeOfType(split->context->layout, field);
    if (bytes <= left) {
      left -= bytes;
      continue;
    }
    nb_list_push(&types, field);
    split->in_block[i] = types.count;
  }
  if (types.count)
    split->block_type = LLVMStructTypeInContext(split->context->llvm, (LLVMTypeRef *)types.items,
                                                types.count, false);
}

static void allocate(Split *split, LLVMValueRef function) {
  NbContext *context = split->context;
  LLVMTypeRef count = LLVMInt64TypeInContext(context->llvm);
  LLVMTypeRef pointer = LLVMPointerTypeInContext(context->llvm, 0);
  uint64_t bytes = LLVMABISizeOfType(context->layout, split->block_type);
  LLVMValueRef arguments[] = {LLVMConstInt(count, 1, false), LLVMConstInt(count, bytes, false),
                              nb_runtime_function_name(context, function), LLVMConstNull(pointer)};
  split->block =
      nb_runtime_call(context, split->builder, "__nabla_tape_allocate", pointer, arguments, 4);
}

static void release(Split *split) {
  LLVMTypeRef nothing = LLVMVoidTypeInContext(split->context->llvm);
  LLVMValueRef combined = LLVMGetBasicBlockParent(LLVMGetInstructionParent(split->tape));
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(combined); block;
       block = LLVMGetNextBasicBlock(block)) {
    LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
    if (!LLVMIsAReturnInst(last))
      continue;
    LLVMPositionBuilderBefore(split->builder, last);
    nb_runtime_call(split->context, split->builder, "__nabla_tape_release", nothing, &split->block,
                    1);
  }
}

/* --- Fields ---------------------------------------------------------------------------------- */

static const char unnamed[] = "tape.field";

/* A variable is called as the first of the addresses that have a name and become it. */
static void name_place(LLVMValueRef place, const char *name) {
  if (*name && strncmp(nb_name(place), unnamed, strlen(unnamed)) == 0)
    LLVMSetValueName2(place, name, strlen(name));
}

static LLVMValueRef place_of(Split *split, unsigned field) {
  if (split->places[field])
    return split->places[field];
  LLVMTypeRef type = LLVMStructGetTypeAtIndex(split->type, field);
  LLVMBasicBlockRef entry = LLVMGetInstructionParent(split->tape);
  if (split->in_block[field]) {
    LLVMPositionBuilderBefore(split->builder, split->tape);
    split->places[field] = LLVMBuildStructGEP2(split->builder, split->block_type, split->block,
                                               split->in_block[field] - 1, unnamed);
  } else {
    LLVMPositionBuilderBefore(split->builder, LLVMGetFirstInstruction(entry));
    split->places[field] = LLVMBuildAlloca(split->builder, type, unnamed);
  }
  return split->places[field];
}

static void replace(Split *split, LLVMValueRef address) {
  Part part;
  if (!LLVMIsAGetElementPtrInst(address) || !find_part(split, address, &part))
    return;
  LLVMValueRef place = place_of(split, part.field);
  name_place(place, nb_name(address));
  if (part.rest) {
    LLVMTypeRef byte = LLVMInt8TypeInContext(split->context->llvm);
    LLVMTypeRef count = LLVMInt64TypeInContext(split->context->llvm);
    LLVMValueRef rest = LLVMConstInt(count, part.rest, false);
    LLVMPositionBuilderBefore(split->builder, address);
    place = LLVMBuildInBoundsGEP2(split->builder, byte, place, &rest, 1, "");
  }
  LLVMReplaceAllUsesWith(address, place);
  LLVMInstructionEraseFromParent(address);
}

/* It stays in one piece. */
static void move_whole(Split *split, LLVMValueRef function) {
  if (LLVMABISizeOfType(split->context->layout, split->type) <= STACK_BYTES)
    return;
  split->block_type = split->type;
  allocate(split, function);
  LLVMReplaceAllUsesWith(split->tape, split->block);
  release(split);
  LLVMInstructionEraseFromParent(split->tape);
}

static void place_fields(Split *split, const NbList *users) {
  for (unsigned i = 0; i < users->count; i++)
    replace(split, users->items[i]);
  if (LLVMGetFirstUse(split->tape)) {
    LLVMReplaceAllUsesWith(split->tape, place_of(split, 0));
    name_place(split->places[0], split->first);
  }
}

static void move_fields(Split *split, const NbList *users, LLVMValueRef function) {
  choose(split);
  if (split->block_type)
    allocate(split, function);
  place_fields(split, users);
  if (split->block)
    release(split);
  LLVMInstructionEraseFromParent(split->tape);
}

static Split split_of(NbContext *context, LLVMValueRef tape, const char *first, bool simplified) {
  LLVMTypeRef type = LLVMGetAllocatedType(tape);
  bool structure = LLVMGetTypeKind(type) == LLVMStructTypeKind;
  unsigned count = structure ? LLVMCountStructElementTypes(type) : 0;
  Split split = {.context = context,
                 .tape = tape,
                 .type = type,
                 .count = count,
                 .first = first,
                 .simplified = simplified};
  split.places = NB_NEW_ARRAY(context->arena, LLVMValueRef, count + 1);
  split.in_block = NB_NEW_ARRAY(context->arena, unsigned, count + 1);
  return split;
}

void nb_tidy_split_tape(NbContext *context, LLVMValueRef function, LLVMValueRef tape,
                        const char *first, bool simplified) {
  Split split = split_of(context, tape, first, simplified);
  if (!split.count)
    return;
  NbList users = nb_list(context->arena);
  bool understood = true;
  for (LLVMUseRef use = LLVMGetFirstUse(tape); use; use = LLVMGetNextUse(use)) {
    nb_list_push(&users, LLVMGetUser(use));
    understood = understood && (!simplified || is_understood(&split, LLVMGetUser(use)));
  }
  split.builder = LLVMCreateBuilderInContext(context->llvm);
  LLVMPositionBuilderBefore(split.builder, tape);
  if (understood)
    move_fields(&split, &users, function);
  else
    move_whole(&split, function);
  LLVMDisposeBuilder(split.builder);
}

static NbList structs_of(NbContext *context, LLVMValueRef function) {
  NbList structs = nb_list(context->arena);
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at)) {
    if (LLVMIsAAllocaInst(at) && LLVMGetTypeKind(LLVMGetAllocatedType(at)) == LLVMStructTypeKind)
      nb_list_push(&structs, at);
  }
  return structs;
}

NbList nb_tidy_split_inlined(NbContext *context, LLVMValueRef function) {
  NbList calls = nb_list(context->arena);
  NbList structs = structs_of(context, function);
  for (unsigned i = 0; i < structs.count; i++) {
    LLVMValueRef tape = structs.items[i];
    Split split = split_of(context, tape, "", true);
    if (!split.count)
      continue;
    Uses uses = {nb_list(context->arena), nb_list(context->arena), false};
    if (!all_stay_inside(&split, tape, &uses) || !uses.variables)
      continue;
    for (unsigned k = 0; k < uses.calls.count; k++)
      nb_list_push(&calls, uses.calls.items[k]);
    if (uses.calls.count)
      continue;
    split.builder = LLVMCreateBuilderInContext(context->llvm);
    place_fields(&split, &uses.users);
    LLVMInstructionEraseFromParent(tape);
    LLVMDisposeBuilder(split.builder);
  }
  return calls;
}

void nb_tidy_show_variables(LLVMValueRef function) {
  LLVMValueRef next;
  for (LLVMValueRef at = nb_instruction_first(function); at; at = next) {
    next = nb_instruction_next(at);
    if (!is_variable(at))
      continue;
    LLVMReplaceAllUsesWith(at, LLVMGetOperand(at, 0));
    LLVMInstructionEraseFromParent(at);
  }
}
