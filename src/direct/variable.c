// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The ABI (System V, x86-64, 3.5.7) describes variable arguments by a list of four members: how
 * many bytes of the registers that were saved on entry are taken, of integers and of vectors, where
 * the next argument in memory lies, and where the registers were saved. `va_arg` takes an argument
 * from memory where no registers are left; a list that says so from the start makes that the only
 * way, and where the list is a local variable the other folds away. So functions that are given the
 * list are inlined. */
#include "direct/variable.h"

#include "base/names.h"
#include "direct/copy.h"
#include "objects/graph.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

#define FOLD_REGISTERS "sroa,early-cse<memssa>,sccp,simplifycfg,sroa,instsimplify"
enum { LIST_SIZE = 24, GENERAL_END = 48, VECTOR_END = 176, MOST_INLINED = 64 };
enum { SLOT = 8, WIDE_SLOT = 16 };

typedef struct Argument {
  LLVMTypeRef type; /* of the value, or of the struct that is passed by value */
  bool by_value;
  uint64_t offset;
} Argument;

/* How a function is called: what stands behind the parameters that it names. */
typedef struct Shape {
  LLVMValueRef function, copy;
  LLVMTypeRef memory; /* a packed struct: each argument, and then what pads it */
  unsigned first, count;
  Argument *arguments;
} Shape;

typedef struct Variable {
  NbContext *context;
  NbMap *reached; /* functions that the root leads to */
  NbMap *copies;  /* those of them that lead to such a call, to the copy */
  NbMap *shapes;  /* copies of functions that take variable arguments, to their Shape */
} Variable;

static bool is_intrinsic(LLVMValueRef call, const char *name) {
  LLVMValueRef callee = nb_callee(call);
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  return callee && LLVMGetIntrinsicID(callee) == id;
}

/* --- What is called. ---------------------------------------------------------------------------
 */

/* The function with a body that is called, and that nothing but its body tells of. */
static LLVMValueRef followed(const Variable *variable, LLVMValueRef call) {
  const NbContext *context = variable->context;
  LLVMValueRef callee = nb_callee(call);
  if (!callee || LLVMIsDeclaration(callee) || nb_rule_of_call(context, call, NULL))
    return NULL;
  LLVMValueRef original = nb_map_get(context->originals, callee);
  bool told = nb_map_has(context->custom, original ? original : callee);
  return told || LLVMGetCalledFunctionType(call) != LLVMGlobalGetValueType(callee) ? NULL : callee;
}

/* A function that hands its variable arguments on as a whole needs them where they were. One that
 * reads them by LLVM's own instruction (clang writes none on this target) leaves open how they lie.
 */
static bool hides(LLVMValueRef function) {
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at)) {
    bool jumps = LLVMIsACallInst(at) && LLVMGetTailCallKind(at) == LLVMTailCallKindMustTail;
    if (jumps || LLVMIsAVAArgInst(at))
      return true;
  }
  return false;
}

/* The one that takes variable arguments, as C functions do on this target. */
static LLVMValueRef variable_callee(const Variable *variable, LLVMValueRef call) {
  LLVMValueRef callee = followed(variable, call);
  if (!callee || !LLVMIsFunctionVarArg(LLVMGlobalGetValueType(callee)))
    return NULL;
  bool in_c = LLVMGetFunctionCallConv(callee) == LLVMCCallConv &&
              LLVMGetInstructionCallConv(call) == LLVMCCallConv;
  bool known = strncmp(LLVMGetTarget(variable->context->module), "x86_64-", 7) == 0;
  return in_c && known && !hides(callee) ? callee : NULL;
}

/* --- Where arguments lie. ----------------------------------------------------------------------
 */

/* How a struct by value lies in memory: as the call says, or else as its type does. */
static uint64_t struct_alignment(const Variable *variable, LLVMValueRef call, unsigned index,
                                 LLVMTypeRef type) {
  unsigned kind = LLVMGetEnumAttributeKindForName("align", strlen("align"));
  LLVMAttributeRef said = LLVMGetCallSiteEnumAttribute(call, index + 1, kind);
  return said ? LLVMGetEnumAttributeValue(said)
              : LLVMABIAlignmentOfType(variable->context->layout, type);
}

static bool is_scalar(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMIntegerTypeKind:
    return LLVMGetIntTypeWidth(type) <= 64 || LLVMGetIntTypeWidth(type) == 128;
  case LLVMHalfTypeKind:
  case LLVMBFloatTypeKind:
  case LLVMFloatTypeKind:
  case LLVMDoubleTypeKind:
  case LLVMX86_FP80TypeKind:
  case LLVMFP128TypeKind:
  case LLVMPointerTypeKind:
  case LLVMVectorTypeKind:
    return true;
  default:
    return false;
  }
}

/* The alignment of the argument's place; 0: not known. */
static uint64_t slot_alignment(const Variable *variable, LLVMValueRef call, unsigned index,
                               const Argument *argument) {
  LLVMTargetDataRef layout = variable->context->layout;
  if (!argument->by_value && !is_scalar(argument->type))
    return 0;
  uint64_t size = LLVMABISizeOfType(layout, argument->type);
  uint64_t alignment =
      argument->by_value ? struct_alignment(variable, call, index, argument->type) : size;
  bool known = size && alignment <= WIDE_SLOT && LLVMSizeOfTypeInBits(layout, argument->type) >= 8;
  return !known ? 0 : alignment > SLOT ? WIDE_SLOT : SLOT;
}

static uint64_t round_up(uint64_t offset, uint64_t alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

static void push_padding(NbContext *context, NbList *elements, uint64_t bytes) {
  if (bytes)
    nb_list_push(elements, LLVMArrayType2(LLVMInt8TypeInContext(context->llvm), bytes));
}

/* Finds where each of the arguments lies; false where that is not known. */
static bool lay_out(const Variable *variable, LLVMValueRef call, Shape *shape) {
  NbContext *context = variable->context;
  NbList elements = nb_list(context->arena);
  uint64_t offset = 0;
  for (unsigned i = 0; i < shape->count; i++) {
    Argument *argument = &shape->arguments[i];
    LLVMTypeRef pointee = nb_parameter_pointee(call, shape->first + i, "byval");
    argument->by_value = pointee != NULL;
    argument->type = pointee ? pointee : LLVMTypeOf(LLVMGetOperand(call, shape->first + i));
    uint64_t alignment = slot_alignment(variable, call, shape->first + i, argument);
    if (!alignment)
      return false;
    argument->offset = round_up(offset, alignment);
    push_padding(context, &elements, argument->offset - offset);
    nb_list_push(&elements, argument->type);
    offset = argument->offset + LLVMABISizeOfType(context->layout, argument->type);
    push_padding(context, &elements, round_up(offset, SLOT) - offset);
    offset = round_up(offset, SLOT);
  }
  shape->memory =
      LLVMStructTypeInContext(context->llvm, (LLVMTypeRef *)elements.items, elements.count, true);
  return true;
}

static bool is_word(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 64;
}

/* May two of the arguments be the halves of what lies on the next multiple of 16 bytes (__int128,
 * or a struct of one)? The call does not say. */
static bool may_be_halves(const Shape *shape) {
  for (unsigned i = 0; i + 1 < shape->count; i++) {
    const Argument *argument = &shape->arguments[i];
    if (is_word(argument->type) && is_word(argument[1].type) && argument->offset % WIDE_SLOT)
      return true;
  }
  return false;
}

/* Does the function, or one that it calls, take what lies on multiples of 16 bytes from a list? */
static bool aligns(const Variable *variable, LLVMValueRef function, NbMap *seen) {
  if (nb_map_has(seen, function))
    return false;
  nb_map_set(seen, function, function);
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at)) {
    LLVMValueRef callee = followed(variable, at);
    if (is_intrinsic(at, "llvm.ptrmask") || LLVMIsAPtrToIntInst(at) ||
        (callee && aligns(variable, callee, seen)))
      return true;
  }
  return false;
}

static bool same_shape(const Shape *a, const Shape *b) {
  if (a->function != b->function || a->memory != b->memory || a->count != b->count)
    return false;
  for (unsigned i = 0; i < a->count; i++) {
    const Argument *one = &a->arguments[i], *other = &b->arguments[i];
    if (one->type != other->type || one->by_value != other->by_value ||
        one->offset != other->offset)
      return false;
  }
  return true;
}

static LLVMValueRef declare(NbContext *context, const Shape *shape) {
  LLVMTypeRef type = LLVMGlobalGetValueType(shape->function);
  LLVMTypeRef *types = NB_NEW_ARRAY(context->arena, LLVMTypeRef, shape->first + 1);
  LLVMGetParamTypes(type, types);
  types[shape->first] = LLVMPointerTypeInContext(context->llvm, 0);
  LLVMTypeRef fixed = LLVMFunctionType(LLVMGetReturnType(type), types, shape->first + 1, false);
  LLVMValueRef copy = nb_copy_declare(context, shape->function, NB_VARIABLE_PREFIX, fixed);
  const char *const gone[] = {"memory", "optnone"};
  for (unsigned i = 0; i < sizeof gone / sizeof *gone; i++) {
    unsigned kind = LLVMGetEnumAttributeKindForName(gone[i], strlen(gone[i]));
    LLVMRemoveEnumAttributeAtIndex(copy, LLVMAttributeFunctionIndex, kind);
  }
  return copy;
}

/* The shape of a call of a function that takes variable arguments; NULL where the call is none, or
 * has to stay as it is. */
static const Shape *shape_of(const Variable *variable, LLVMValueRef call) {
  NbContext *context = variable->context;
  LLVMValueRef callee = variable_callee(variable, call);
  if (!callee)
    return NULL;
  Shape *shape = NB_NEW(context->arena, Shape);
  shape->function = callee;
  shape->first = LLVMCountParams(callee);
  shape->count = LLVMGetNumArgOperands(call) - shape->first;
  shape->arguments = NB_NEW_ARRAY(context->arena, Argument, shape->count + 1);
  if (!lay_out(variable, call, shape) ||
      (may_be_halves(shape) && aligns(variable, callee, nb_map_new(context->arena))))
    return NULL;
  for (unsigned i = 0; i < nb_map_count(variable->shapes); i++) {
    Shape *known = nb_map_get(variable->shapes, nb_map_key(variable->shapes, i));
    if (same_shape(known, shape))
      return known;
  }
  shape->copy = declare(context, shape);
  nb_map_set(variable->shapes, shape->copy, shape);
  return shape;
}

/* --- Calls. ------------------------------------------------------------------------------------
 */

static LLVMValueRef address_in(LLVMBuilderRef builder, LLVMValueRef memory, uint64_t offset) {
  LLVMContextRef llvm = LLVMGetTypeContext(LLVMTypeOf(memory));
  LLVMValueRef bytes = LLVMConstInt(LLVMInt64TypeInContext(llvm), offset, false);
  return LLVMBuildGEP2(builder, LLVMInt8TypeInContext(llvm), memory, &bytes, 1, "");
}

static LLVMValueRef store_arguments(const Variable *variable, LLVMBuilderRef builder,
                                    LLVMValueRef call, const Shape *shape) {
  NbContext *context = variable->context;
  LLVMValueRef memory = nb_copy_local(call, shape->memory, "arguments");
  LLVMSetAlignment(memory, WIDE_SLOT);
  for (unsigned i = 0; i < shape->count; i++) {
    const Argument *argument = &shape->arguments[i];
    LLVMValueRef value = LLVMGetOperand(call, shape->first + i);
    LLVMValueRef address = address_in(builder, memory, argument->offset);
    uint64_t size = LLVMABISizeOfType(context->layout, argument->type);
    LLVMValueRef bytes = LLVMConstInt(LLVMInt64TypeInContext(context->llvm), size, false);
    if (argument->by_value)
      LLVMBuildMemCpy(builder, address, SLOT, value, 1, bytes);
    else
      LLVMSetAlignment(LLVMBuildStore(builder, value, address), SLOT);
  }
  return memory;
}

static void replace_call(const Variable *variable, LLVMValueRef call, const Shape *shape) {
  NbContext *context = variable->context;
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  LLVMPositionBuilderBefore(builder, call);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(call));
  LLVMValueRef *arguments = NB_NEW_ARRAY(context->arena, LLVMValueRef, shape->first + 1);
  for (unsigned i = 0; i < shape->first; i++)
    arguments[i] = LLVMGetOperand(call, i);
  arguments[shape->first] = store_arguments(variable, builder, call, shape);
  LLVMValueRef fresh = nb_copy_call(builder, call, shape->copy, arguments);
  LLVMDisposeBuilder(builder);
  for (unsigned i = 0; i < shape->first; i++)
    nb_copy_passing(fresh, call, i);
  LLVMReplaceAllUsesWith(call, fresh);
  LLVMInstructionEraseFromParent(call);
}

static void name_calls(const Variable *variable, LLVMValueRef copy) {
  NbList calls = nb_list(variable->context->arena);
  for (LLVMValueRef at = nb_instruction_first(copy); at; at = nb_instruction_next(at)) {
    if (followed(variable, at))
      nb_list_push(&calls, at);
  }
  for (unsigned i = 0; i < calls.count; i++) {
    LLVMValueRef call = calls.items[i];
    const Shape *shape = shape_of(variable, call);
    LLVMValueRef twin = nb_map_get(variable->copies, nb_callee(call));
    if (shape)
      replace_call(variable, call, shape);
    else if (twin)
      LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, twin);
  }
}

/* --- Lists. ------------------------------------------------------------------------------------
 */

static bool is_list(LLVMValueRef address, const NbMap *lists) {
  while (LLVMIsAGetElementPtrInst(address) && !nb_map_has(lists, address))
    address = LLVMGetOperand(address, 0);
  return nb_map_has(lists, address);
}

static NbMap *lists_in(const Variable *variable, LLVMValueRef copy) {
  NbMap *lists = nb_map_new(variable->context->arena);
  for (LLVMValueRef at = nb_instruction_first(copy); at; at = nb_instruction_next(at)) {
    if (!is_intrinsic(at, "llvm.va_start") && !is_intrinsic(at, "llvm.va_copy"))
      continue;
    LLVMValueRef list = LLVMGetOperand(at, 0);
    while (LLVMIsAGetElementPtrInst(list))
      list = LLVMGetOperand(list, 0);
    nb_map_set(lists, list, list);
  }
  return lists;
}

static LLVMValueRef call_with_list(const Variable *variable, LLVMValueRef copy,
                                   const NbMap *lists) {
  for (LLVMValueRef at = nb_instruction_first(copy); at; at = nb_instruction_next(at)) {
    LLVMValueRef callee = followed(variable, at);
    bool fixed = callee && !LLVMIsFunctionVarArg(LLVMGlobalGetValueType(callee));
    for (unsigned i = 0; fixed && i < LLVMGetNumArgOperands(at); i++) {
      if (is_list(LLVMGetOperand(at, i), lists))
        return at;
    }
  }
  return NULL;
}

static void inline_readers(const Variable *variable, LLVMValueRef copy) {
  for (unsigned i = 0; i < MOST_INLINED; i++) {
    LLVMValueRef call = call_with_list(variable, copy, lists_in(variable, copy));
    if (!call || nb_inline_call(variable->context->analyses, call))
      return;
  }
}

static void start_list(NbContext *context, LLVMBuilderRef builder, LLVMValueRef list,
                       LLVMValueRef memory) {
  LLVMTypeRef number = LLVMInt32TypeInContext(context->llvm);
  LLVMValueRef none = LLVMConstNull(LLVMTypeOf(memory));
  LLVMValueRef members[] = {LLVMConstInt(number, GENERAL_END, false),
                            LLVMConstInt(number, VECTOR_END, false), memory, none};
  const unsigned offsets[] = {0, 4, 8, 16};
  for (unsigned i = 0; i < sizeof members / sizeof *members; i++) {
    LLVMValueRef address = address_in(builder, list, offsets[i]);
    LLVMBuildStore(builder, members[i], address);
  }
}

/* What is done with lists, in terms of memory. */
static bool replace_list(NbContext *context, LLVMValueRef call, LLVMValueRef memory) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  LLVMPositionBuilderBefore(builder, call);
  bool starts = is_intrinsic(call, "llvm.va_start"), copies = is_intrinsic(call, "llvm.va_copy");
  LLVMValueRef bytes = LLVMConstInt(LLVMInt64TypeInContext(context->llvm), LIST_SIZE, false);
  if (starts)
    start_list(context, builder, LLVMGetOperand(call, 0), memory);
  else if (copies)
    LLVMBuildMemCpy(builder, LLVMGetOperand(call, 0), SLOT, LLVMGetOperand(call, 1), SLOT, bytes);
  LLVMDisposeBuilder(builder);
  return starts || copies || is_intrinsic(call, "llvm.va_end");
}

static void replace_lists(NbContext *context, LLVMValueRef copy, LLVMValueRef memory) {
  for (LLVMValueRef at = nb_instruction_first(copy), next; at; at = next) {
    next = nb_instruction_next(at);
    if (LLVMIsACallInst(at) && replace_list(context, at, memory))
      LLVMInstructionEraseFromParent(at);
  }
}

/* --- Arguments on multiples of 16 bytes. -------------------------------------------------------
 */

/* Addresses in the memory of arguments, which itself lies on such a multiple. */
typedef struct Aligned {
  LLVMValueRef memory;
  NbMap *phis; /* to themselves where each of them is a multiple */
} Aligned;

static bool is_rounded(LLVMValueRef value) {
  LLVMValueRef mask = is_intrinsic(value, "llvm.ptrmask") ? LLVMGetOperand(value, 1) : NULL;
  return mask && LLVMIsAConstantInt(mask) && LLVMConstIntGetSExtValue(mask) == -WIDE_SLOT;
}

/* The address modulo 16; WIDE_SLOT where it is not known. */
static unsigned residue_of(const Aligned *aligned, LLVMValueRef address) {
  uint64_t bytes = 0;
  while (LLVMIsAGetElementPtrInst(address)) {
    LLVMValueRef index = LLVMGetOperand(address, 1);
    LLVMTypeRef type = LLVMGetGEPSourceElementType(address);
    if (LLVMGetNumIndices(address) != 1 || !LLVMIsAConstantInt(index) ||
        type != LLVMInt8TypeInContext(LLVMGetTypeContext(type)))
      return WIDE_SLOT;
    bytes += (uint64_t)LLVMConstIntGetSExtValue(index);
    address = LLVMGetOperand(address, 0);
  }
  bool known = address == aligned->memory || is_rounded(address) ||
               nb_map_get(aligned->phis, address) != NULL;
  return known ? bytes % WIDE_SLOT : WIDE_SLOT;
}

static bool is_multiple(const Aligned *aligned, LLVMValueRef phi) {
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
    if (residue_of(aligned, LLVMGetIncomingValue(phi, i)) != 0)
      return false;
  }
  return true;
}

/* All phis of pointers are taken to be multiples until one is seen not to be. */
static void find_multiples(const Aligned *aligned, LLVMValueRef copy) {
  for (LLVMValueRef at = nb_instruction_first(copy); at; at = nb_instruction_next(at)) {
    if (LLVMIsAPHINode(at) && LLVMGetTypeKind(LLVMTypeOf(at)) == LLVMPointerTypeKind)
      nb_map_set(aligned->phis, at, at);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned i = 0; i < nb_map_count(aligned->phis); i++) {
      LLVMValueRef phi = (LLVMValueRef)nb_map_key(aligned->phis, i);
      if (!nb_map_get(aligned->phis, phi) || is_multiple(aligned, phi))
        continue;
      nb_map_set(aligned->phis, phi, NULL);
      changed = true;
    }
  }
}

/* What is rounded down from a known place is that place less what is known. */
static void place_rounded(NbContext *context, LLVMValueRef copy, LLVMValueRef memory) {
  Aligned aligned = {.memory = memory, .phis = nb_map_new(context->arena)};
  find_multiples(&aligned, copy);
  NbList places = nb_list(context->arena), rounded = nb_list(context->arena);
  for (LLVMValueRef at = nb_instruction_first(copy); at; at = nb_instruction_next(at)) {
    LLVMValueRef address = is_rounded(at) ? LLVMGetOperand(at, 0) : NULL;
    unsigned residue = address ? residue_of(&aligned, address) : WIDE_SLOT;
    if (residue == WIDE_SLOT)
      continue;
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
    LLVMPositionBuilderBefore(builder, at);
    nb_list_push(&places, address_in(builder, address, -(uint64_t)residue));
    nb_list_push(&rounded, at);
    LLVMDisposeBuilder(builder);
  }
  for (unsigned i = 0; i < rounded.count; i++) {
    LLVMReplaceAllUsesWith(rounded.items[i], places.items[i]);
    LLVMInstructionEraseFromParent(rounded.items[i]);
  }
}

/* --- Copies. -----------------------------------------------------------------------------------
 */

static void reach(const Variable *variable, LLVMValueRef function) {
  if (!nb_map_has(variable->reached, function))
    nb_map_set(variable->reached, function, function);
}

static void finish_copy(NbContext *context, LLVMValueRef copy, LLVMValueRef function) {
  LLVMValueRef original = nb_map_get(context->originals, function);
  nb_map_set(context->originals, copy, original ? original : function);
  if (nb_printing(context, "direct"))
    LLVMDumpValue(copy);
}

static void write_shape(const Variable *variable, const Shape *shape) {
  NbContext *context = variable->context;
  nb_copy_write(context, shape->copy, shape->function);
  inline_readers(variable, shape->copy);
  replace_lists(context, shape->copy, LLVMGetParam(shape->copy, shape->first));
  name_calls(variable, shape->copy);
  LLVMDisposeMessage(
      nb_passes_run(context->analyses, context->module, shape->copy, FOLD_REGISTERS));
  place_rounded(context, shape->copy, LLVMGetParam(shape->copy, shape->first));
  finish_copy(context, shape->copy, shape->function);
}

static bool leads_to_call(const Variable *variable, LLVMValueRef function) {
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at)) {
    LLVMValueRef callee = followed(variable, at);
    if (callee && (nb_map_has(variable->copies, callee) || variable_callee(variable, at)))
      return true;
  }
  return false;
}

static void find_copies(const Variable *variable) {
  NbContext *context = variable->context;
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned i = nb_map_count(variable->reached); i-- > 0;) {
      LLVMValueRef function = (LLVMValueRef)nb_map_key(variable->reached, i);
      LLVMTypeRef type = LLVMGlobalGetValueType(function);
      if (LLVMIsFunctionVarArg(type) || nb_map_has(variable->copies, function) ||
          !leads_to_call(variable, function))
        continue;
      nb_map_set(variable->copies, function,
                 nb_copy_declare(context, function, NB_VARIABLE_PREFIX, type));
      changed = true;
    }
  }
}

static void find_reached(const Variable *variable, LLVMValueRef root) {
  reach(variable, root);
  for (unsigned i = 0; i < nb_map_count(variable->reached); i++) {
    LLVMValueRef at = nb_instruction_first((LLVMValueRef)nb_map_key(variable->reached, i));
    for (; at; at = nb_instruction_next(at)) {
      LLVMValueRef callee = followed(variable, at);
      if (callee)
        reach(variable, callee);
    }
  }
}

LLVMValueRef nb_variable_of(NbContext *context, LLVMValueRef function) {
  LLVMValueRef known = nb_map_get(context->variable, function);
  if (known)
    return known;
  NbArena *arena = context->arena;
  Variable variable = {.context = context,
                       .reached = nb_map_new(arena),
                       .copies = nb_map_new(arena),
                       .shapes = nb_map_new(arena)};
  find_reached(&variable, function);
  find_copies(&variable);
  for (unsigned i = 0; i < nb_map_count(variable.copies); i++) {
    LLVMValueRef source = (LLVMValueRef)nb_map_key(variable.copies, i);
    LLVMValueRef copy = nb_map_get(variable.copies, source);
    nb_copy_write(context, copy, source);
    name_calls(&variable, copy);
    finish_copy(context, copy, source);
  }
  for (unsigned i = 0; i < nb_map_count(variable.shapes); i++)
    write_shape(&variable, nb_map_get(variable.shapes, nb_map_key(variable.shapes, i)));
  LLVMValueRef copy = nb_map_get(variable.copies, function);
  nb_map_set(context->variable, function, copy ? copy : function);
  return copy ? copy : function;
}
