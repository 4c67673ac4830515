// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Memory of which only the run tells whether it has a shadow.
 *
 * A pointer to memory without a derivative is its own shadow. Statements are the same for both
 * kinds: an access to a shadow that is not there goes to a stand-in, and a movement of many bytes
 * moves none. Loads, stores and stores of pointers have stand-ins of their own, so that what one
 * kind leaves there reaches no derivative: tangents are loaded from zeros that nothing overwrites,
 * and adjoints are taken from zeros that only zeros overwrite.
 *
 * The guard compares the pointers that addresses are computed from, not the addresses, so that it
 * does not change in a loop that walks over an array. */
#include "linear/build.h"

#include <string.h>

bool nb_linear_is_guarded(const NbLinear *linear, LLVMValueRef pointer) {
  return nb_activity_mixed(linear->activity, pointer, false);
}

/* The pointer that this one is an offset from. */
static LLVMValueRef base_of(LLVMValueRef pointer) {
  while (LLVMIsAGetElementPtrInst(pointer) || LLVMIsABitCastInst(pointer))
    pointer = LLVMGetOperand(pointer, 0);
  return pointer;
}

static LLVMBuilderRef builder_behind(const NbLinear *linear, LLVMValueRef base) {
  if (LLVMIsAInstruction(base))
    return nb_builder_after(linear, base);
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(linear->work->function);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(linear->work->context->llvm);
  LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(entry));
  return builder;
}

/* The shadow was refused where the pointer is made, or a callee gives none. */
static LLVMValueRef refuse_unknown(const NbLinear *linear, LLVMValueRef base) {
  nb_refuse(
      linear->work->context, NB_ERROR_POINTER, base,
      "a pointer, of which only the run tells whether it has a shadow, has none that is known "
      "here");
  return LLVMGetPoison(LLVMInt1TypeInContext(linear->work->context->llvm));
}

LLVMValueRef nb_linear_guard(NbLinear *linear, LLVMValueRef pointer, unsigned lane) {
  LLVMTypeRef bit = LLVMInt1TypeInContext(linear->work->context->llvm);
  LLVMValueRef base = base_of(pointer);
  LLVMValueRef guard = nb_map_get(linear->guards[lane], base);
  if (guard)
    return guard;
  LLVMValueRef shadow = nb_linear_shadow(linear, base, lane);
  guard = LLVMConstNull(bit);
  if (!shadow)
    return refuse_unknown(linear, base);
  if (shadow != base) {
    LLVMBuilderRef builder = builder_behind(linear, base);
    guard = LLVMBuildICmp(builder, LLVMIntNE, shadow, base, "guard");
    LLVMDisposeBuilder(builder);
  }
  nb_map_set(linear->guards[lane], base, guard);
  return guard;
}

/* --- Stand-ins. --------------------------------------------------------------------------------
 */

typedef struct Standin {
  NbStandin kind;
  uint64_t count; /* of doubles */
  LLVMValueRef memory;
} Standin;

enum { UNIT = sizeof(double) };

static LLVMValueRef make_standin(const NbLinear *linear, uint64_t count) {
  LLVMContextRef llvm = linear->work->context->llvm;
  LLVMTypeRef type = LLVMArrayType2(LLVMDoubleTypeInContext(llvm), count);
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(linear->work->function);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(llvm);
  LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(entry));
  LLVMValueRef memory = LLVMBuildAlloca(builder, type, "standin");
  LLVMBuildMemSet(builder, memory, LLVMConstNull(LLVMInt8TypeInContext(llvm)),
                  LLVMConstInt(LLVMInt64TypeInContext(llvm), UNIT * count, false), UNIT);
  LLVMDisposeBuilder(builder);
  return memory;
}

static LLVMValueRef standin_for(NbLinear *linear, NbStandin kind, LLVMTypeRef type) {
  uint64_t count = (nb_store_size(linear->work->context, type) + UNIT - 1) / UNIT;
  for (unsigned i = 0; i < linear->standins.count; i++) {
    const Standin *known = linear->standins.items[i];
    if (known->kind == kind && known->count == count)
      return known->memory;
  }
  Standin *standin = NB_NEW(linear->work->context->arena, Standin);
  *standin = (Standin){kind, count, make_standin(linear, count)};
  nb_list_push(&linear->standins, standin);
  return standin->memory;
}

LLVMValueRef nb_linear_address(NbLinear *linear, NbAccess access, LLVMTypeRef type,
                               NbStandin kind) {
  LLVMValueRef shadow = nb_linear_shadow(linear, access.pointer, access.lane);
  if (!shadow || !nb_linear_is_guarded(linear, access.pointer))
    return shadow;
  LLVMValueRef guard = nb_linear_guard(linear, access.pointer, access.lane);
  LLVMValueRef standin = standin_for(linear, kind, type);
  LLVMBuilderRef builder = nb_builder_after(linear, access.inst);
  LLVMValueRef address = LLVMBuildSelect(builder, guard, shadow, standin, "guarded");
  LLVMDisposeBuilder(builder);
  return address;
}

LLVMValueRef *nb_linear_addresses(NbLinear *linear, LLVMValueRef inst, LLVMValueRef pointer,
                                  LLVMTypeRef type, NbStandin kind) {
  LLVMValueRef *addresses =
      NB_NEW_ARRAY(linear->work->context->arena, LLVMValueRef, linear->width + 1);
  for (unsigned lane = 0; lane < linear->width; lane++)
    addresses[lane] = nb_linear_address(linear, (NbAccess){inst, pointer, lane}, type, kind);
  return addresses[0] ? addresses : NULL;
}

unsigned nb_linear_alignment(const NbLinear *linear, LLVMTypeRef type, unsigned align) {
  unsigned own = LLVMABIAlignmentOfType(linear->work->context->layout, nb_scalar_type(type));
  unsigned most = own < UNIT ? own : UNIT;
  return align > most ? most : align;
}

LLVMValueRef nb_linear_extent(NbLinear *linear, NbAccess access, bool with, LLVMValueRef bytes) {
  if (!nb_linear_is_guarded(linear, access.pointer))
    return with ? bytes : LLVMConstNull(LLVMTypeOf(bytes));
  LLVMValueRef guard = nb_linear_guard(linear, access.pointer, access.lane);
  LLVMValueRef none = LLVMConstNull(LLVMTypeOf(bytes));
  LLVMBuilderRef builder = nb_builder_after(linear, access.inst);
  LLVMValueRef extent =
      LLVMBuildSelect(builder, guard, with ? bytes : none, with ? none : bytes, "guarded");
  LLVMDisposeBuilder(builder);
  return extent;
}

/* Element by element where `value` is a vector. */
static void keep_elements(NbContext *context, LLVMBuilderRef builder, LLVMValueRef *arguments,
                          unsigned elements) {
  LLVMTypeRef type = LLVMInt32TypeInContext(context->llvm);
  LLVMValueRef value = arguments[0];
  LLVMValueRef shadow = arguments[1];
  for (unsigned i = 0; i < (elements ? elements : 1); i++) {
    LLVMValueRef index = LLVMConstInt(type, i, false);
    if (elements) {
      arguments[0] = LLVMBuildExtractElement(builder, value, index, "");
      arguments[1] = LLVMBuildExtractElement(builder, shadow, index, "");
    }
    nb_runtime_call(context, builder, "__nabla_keep_shadow", LLVMVoidTypeInContext(context->llvm),
                    arguments, 5);
  }
}

void nb_linear_keep_shadow(NbLinear *linear, NbAccess access, LLVMValueRef value) {
  LLVMValueRef shadow = nb_linear_shadow(linear, value, access.lane);
  if (!nb_linear_is_guarded(linear, access.pointer) || !shadow || shadow == value)
    return;
  NbContext *context = linear->work->context;
  bool vector = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind;
  LLVMValueRef name = nb_runtime_place(context, linear->work->request->function, access.inst);
  LLVMValueRef arguments[] = {value, shadow, access.pointer,
                              nb_linear_shadow(linear, access.pointer, access.lane), name};
  LLVMBuilderRef builder = nb_builder_after(linear, access.inst);
  keep_elements(context, builder, arguments, vector ? LLVMGetVectorSize(LLVMTypeOf(value)) : 0);
  LLVMDisposeBuilder(builder);
}
