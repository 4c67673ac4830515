// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Adjoints of values: each has a variable of the reverse function, which LLVM's passes make a
 * value.
 *
 * Most are added to and taken within the reverse of one block. These are cleared where that begins
 * and not at the function's entry: a variable that only one block knows becomes a value in the time
 * that its accesses take, while for any other LLVM looks through the block for the first of them,
 * which is quadratic in a long block. */
#include "emit/reverse.h"

#include "emit/access.h"
#include "emit/runtime.h"
#include "prepare/prepare.h"

typedef struct Adjoint {
  LLVMValueRef variable;
  LLVMBasicBlockRef block; /* of the accesses so far; NULL: several */
  bool zero;               /* after the last access */
} Adjoint;

LLVMTypeRef nb_adjoint_type(const NbReverse *reverse, LLVMTypeRef type) {
  return nb_tangent_type(type, reverse->linear->width);
}

static Adjoint *new_adjoint(NbReverse *reverse, LLVMValueRef value) {
  Adjoint *adjoint = NB_NEW(reverse->context->arena, Adjoint);
  LLVMTypeRef type = nb_adjoint_type(reverse, LLVMTypeOf(value));
  adjoint->variable = nb_reverse_variable(reverse, type, "adjoint");
  adjoint->block = LLVMGetInsertBlock(reverse->builder);
  nb_map_set(reverse->adjoints, value, adjoint);
  return adjoint;
}

/* The variable, of which an access follows. */
static Adjoint *adjoint_of(NbReverse *reverse, LLVMValueRef value) {
  Adjoint *adjoint = nb_map_get(reverse->adjoints, value);
  if (!adjoint)
    adjoint = new_adjoint(reverse, value);
  if (adjoint->block != LLVMGetInsertBlock(reverse->builder))
    adjoint->block = NULL;
  return adjoint;
}

unsigned nb_adjoint_flags(LLVMValueRef origin) {
  return nb_lower_flags(origin) | LLVMFastMathAllowReassoc;
}

LLVMValueRef nb_adjoint_get(NbReverse *reverse, LLVMValueRef value) {
  LLVMTypeRef type = nb_adjoint_type(reverse, LLVMTypeOf(value));
  if (!nb_linear_is_active(reverse->linear, value))
    return LLVMConstNull(type);
  return LLVMBuildLoad2(reverse->builder, type, adjoint_of(reverse, value)->variable, "");
}

LLVMValueRef nb_adjoint_take(NbReverse *reverse, LLVMValueRef value) {
  LLVMValueRef taken = nb_adjoint_get(reverse, value);
  if (!nb_linear_is_active(reverse->linear, value))
    return taken;
  Adjoint *adjoint = adjoint_of(reverse, value);
  LLVMBuildStore(reverse->builder, LLVMConstNull(LLVMTypeOf(taken)), adjoint->variable);
  adjoint->zero = true;
  return taken;
}

/* Moves the adjoint of one direction to another, as a word in memory is moved. */
static void give_lane(NbReverse *reverse, LLVMValueRef value, LLVMValueRef to,
                      LLVMValueRef amount) {
  NbContext *context = reverse->context;
  LLVMValueRef function = reverse->linear->work->request->function;
  LLVMValueRef none = LLVMConstNull(LLVMInt64TypeInContext(context->llvm));
  LLVMValueRef word = nb_reverse_variable(reverse, LLVMTypeOf(amount), "word");
  LLVMValueRef may = nb_runtime_may(context, nb_map_get(reverse->linear->words, value));
  LLVMValueRef bytes = LLVMSizeOf(LLVMTypeOf(amount));
  LLVMValueRef place = nb_runtime_place(context, function, value);
  LLVMValueRef arguments[] = {word, to, bytes, none, none, may, place};
  LLVMBuildStore(reverse->builder, amount, word);
  nb_runtime_call(context, reverse->builder, "__nabla_move_adjoint_word",
                  LLVMVoidTypeInContext(context->llvm), arguments, 7);
}

void nb_adjoint_give(NbReverse *reverse, LLVMValueRef value, const LLVMValueRef *addresses,
                     LLVMValueRef amount) {
  unsigned width = reverse->linear->width;
  LLVMTypeRef type = LLVMTypeOf(value);
  for (unsigned lane = 0; lane < width; lane++)
    give_lane(reverse, value, addresses[lane],
              nb_tangent_lane(reverse->builder, amount, type, width, lane));
}

void nb_adjoint_add(NbReverse *reverse, LLVMValueRef value, LLVMValueRef amount) {
  if (!value || !nb_linear_is_active(reverse->linear, value))
    return;
  NbTangents tangents = {.builder = reverse->builder, .fast_math = nb_adjoint_flags(value)};
  Adjoint *adjoint = adjoint_of(reverse, value);
  LLVMTypeRef type = nb_adjoint_type(reverse, LLVMTypeOf(value));
  amount = nb_tangent_cast(&tangents, amount, type);
  adjoint->zero = false;
  LLVMValueRef old = LLVMBuildLoad2(reverse->builder, type, adjoint->variable, "");
  LLVMValueRef sum = nb_map_has(reverse->linear->words, value)
                         ? nb_sum_but_for_zero(reverse->builder, old, amount)
                         : nb_tangent_add(&tangents, old, amount);
  LLVMBuildStore(reverse->builder, sum, adjoint->variable);
}

/* The places of the directions in an adjoint's variable. */
static LLVMValueRef *lanes_of(NbReverse *reverse, LLVMValueRef value, LLVMValueRef variable) {
  LLVMValueRef *lanes = NB_NEW_ARRAY(reverse->context->arena, LLVMValueRef, NB_MOST_WIDTH);
  LLVMTypeRef index = LLVMInt64TypeInContext(reverse->context->llvm);
  for (unsigned lane = 0; lane < reverse->linear->width; lane++) {
    LLVMValueRef at = LLVMConstInt(index, lane, false);
    lanes[lane] = LLVMBuildInBoundsGEP2(reverse->builder, LLVMTypeOf(value), variable, &at, 1, "");
  }
  return lanes;
}

void nb_adjoint_move(NbReverse *reverse, LLVMValueRef value, LLVMValueRef amount) {
  if (!value || !nb_map_has(reverse->linear->words, value)) {
    nb_adjoint_add(reverse, value, amount);
    return;
  }
  Adjoint *adjoint = adjoint_of(reverse, value);
  nb_adjoint_give(reverse, value, lanes_of(reverse, value, adjoint->variable), amount);
  adjoint->zero = false;
}

/* The store that clears the variable at the function's entry, which is the first use of it; NULL
 * where the other uses are not all of the block. */
static LLVMValueRef entry_store(const Adjoint *adjoint) {
  LLVMValueRef store = NULL;
  for (LLVMUseRef use = LLVMGetFirstUse(adjoint->variable); use; use = LLVMGetNextUse(use)) {
    if (LLVMGetInstructionParent(LLVMGetUser(use)) == adjoint->block)
      continue;
    if (store)
      return NULL;
    store = LLVMGetUser(use);
  }
  return store;
}

void nb_adjoints_clear_late(NbReverse *reverse) {
  for (unsigned i = 0; i < nb_map_count(reverse->adjoints); i++) {
    const Adjoint *adjoint = nb_map_get(reverse->adjoints, nb_map_key(reverse->adjoints, i));
    LLVMValueRef store = adjoint->block && adjoint->zero ? entry_store(adjoint) : NULL;
    if (!store)
      continue;
    LLVMInstructionRemoveFromParent(store);
    LLVMPositionBuilderBefore(reverse->builder, nb_work_first_after_phis(adjoint->block));
    LLVMInsertIntoBuilder(reverse->builder, store);
  }
}
