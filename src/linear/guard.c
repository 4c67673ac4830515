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

LLVMValueRef nb_linear_guard(NbLinear *linear, LLVMValueRef pointer) {
  LLVMTypeRef bit = LLVMInt1TypeInContext(linear->work->context->llvm);
  LLVMValueRef base = base_of(pointer);
  LLVMValueRef guard = nb_map_get(linear->guards, base);
  if (guard)
    return guard;
  LLVMValueRef shadow = nb_linear_shadow(linear, base);
  guard = LLVMConstNull(bit);
  if (shadow != base) {
    LLVMBuilderRef builder = builder_behind(linear, base);
    guard = LLVMBuildICmp(builder, LLVMIntNE, shadow, base, "guard");
    LLVMDisposeBuilder(builder);
  }
  nb_map_set(linear->guards, base, guard);
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

LLVMValueRef nb_linear_address(NbLinear *linear, LLVMValueRef inst, LLVMValueRef pointer,
                               LLVMTypeRef type, NbStandin kind) {
  LLVMValueRef shadow = nb_linear_shadow(linear, pointer);
  if (!shadow || !nb_linear_is_guarded(linear, pointer))
    return shadow;
  LLVMValueRef guard = nb_linear_guard(linear, pointer);
  LLVMValueRef standin = standin_for(linear, kind, type);
  LLVMBuilderRef builder = nb_builder_after(linear, inst);
  LLVMValueRef address = LLVMBuildSelect(builder, guard, shadow, standin, "guarded");
  LLVMDisposeBuilder(builder);
  return address;
}

unsigned nb_linear_alignment(const NbLinear *linear, LLVMValueRef pointer, unsigned align) {
  return align > UNIT && nb_linear_is_guarded(linear, pointer) ? UNIT : align;
}

LLVMValueRef nb_linear_extent(NbLinear *linear, LLVMValueRef inst, LLVMValueRef pointer, bool with,
                              LLVMValueRef bytes) {
  if (!nb_linear_is_guarded(linear, pointer))
    return with ? bytes : LLVMConstNull(LLVMTypeOf(bytes));
  LLVMValueRef guard = nb_linear_guard(linear, pointer);
  LLVMValueRef none = LLVMConstNull(LLVMTypeOf(bytes));
  LLVMBuilderRef builder = nb_builder_after(linear, inst);
  LLVMValueRef extent =
      LLVMBuildSelect(builder, guard, with ? bytes : none, with ? none : bytes, "guarded");
  LLVMDisposeBuilder(builder);
  return extent;
}

/* Lane by lane where `value` is a vector. */
static void keep_lanes(NbContext *context, LLVMBuilderRef builder, LLVMValueRef *arguments,
                       unsigned lanes) {
  LLVMTypeRef type = LLVMInt32TypeInContext(context->llvm);
  LLVMValueRef value = arguments[0];
  LLVMValueRef shadow = arguments[1];
  for (unsigned i = 0; i < (lanes ? lanes : 1); i++) {
    LLVMValueRef lane = LLVMConstInt(type, i, false);
    if (lanes) {
      arguments[0] = LLVMBuildExtractElement(builder, value, lane, "");
      arguments[1] = LLVMBuildExtractElement(builder, shadow, lane, "");
    }
    nb_runtime_call(context, builder, "__nabla_keep_shadow", LLVMVoidTypeInContext(context->llvm),
                    arguments, 5);
  }
}

void nb_linear_keep_shadow(NbLinear *linear, LLVMValueRef inst, LLVMValueRef value,
                           LLVMValueRef pointer) {
  LLVMValueRef shadow = nb_linear_shadow(linear, value);
  if (!nb_linear_is_guarded(linear, pointer) || !shadow || shadow == value)
    return;
  NbContext *context = linear->work->context;
  bool vector = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind;
  LLVMValueRef name = nb_runtime_function_name(context, linear->work->request->function);
  LLVMValueRef arguments[] = {value, shadow, pointer, nb_linear_shadow(linear, pointer), name};
  LLVMBuilderRef builder = nb_builder_after(linear, inst);
  keep_lanes(context, builder, arguments, vector ? LLVMGetVectorSize(LLVMTypeOf(value)) : 0);
  LLVMDisposeBuilder(builder);
}
