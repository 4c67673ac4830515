// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Local variables that are moved as numbers and read as pointers, or the other way round. C copies
 * a struct with a union in it as bytes; of that LLVM makes a load and a store of one of the union's
 * members, whichever it is at that time. Where all that is stored in a variable was loaded from
 * somewhere, what is read of it as another type is loaded from there as that type, too, and moved
 * in a variable of its own: the twin. So is what casts make of a load, where the variable is gone.
 * A load that nobody asked for does no harm where the bytes are something else. */
#include "prepare/twins.h"

#include "objects/graph.h"
#include "objects/path.h"
#include "types/facts.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

#define LIFETIME "llvm.lifetime."
#define NOUNDEF "noundef"

enum { MOST_TWINS = 64, MOST_STEPS = 4 };

typedef struct Variable {
  const NbContext *context;
  LLVMValueRef slot;
  NbList loads, stores;
} Variable;

/* What is read of some values. */
typedef struct View {
  const NbContext *context;
  LLVMTypeRef type;
  int64_t ahead; /* so many bytes behind where the values begin */
  NbMap *seen;   /* values -> the same, or what has been made of them */
} View;

/* --- What is done with a variable ------------------------------------------------------------- */

static LLVMTypeRef accessed_type(LLVMValueRef access) {
  return LLVMTypeOf(LLVMIsAStoreInst(access) ? LLVMGetOperand(access, 0) : access);
}

static bool is_scalable(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMScalableVectorTypeKind;
}

static bool is_lifetime(LLVMValueRef user) {
  LLVMValueRef callee = nb_is_call(user) ? nb_callee(user) : NULL;
  return callee && strncmp(nb_name(callee), LIFETIME, strlen(LIFETIME)) == 0;
}

/* False where more is done with it than to load and store, at places that are known. */
static bool add_uses(Variable *variable, LLVMValueRef pointer) {
  for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool load = LLVMIsALoadInst(user) != NULL;
    bool store = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != pointer;
    bool steps = LLVMIsAGetElementPtrInst(user) && nb_gep_is_constant(user);
    if (is_lifetime(user))
      continue;
    if (steps ? !add_uses(variable, user) : !(load || store) || !nb_access_is_plain(user))
      return false;
    if ((load || store) && is_scalable(accessed_type(user)))
      return false;
    if (load || store)
      nb_list_push(load ? &variable->loads : &variable->stores, user);
  }
  return true;
}

static int64_t offset_of(const Variable *variable, LLVMValueRef access) {
  unsigned operand = LLVMIsAStoreInst(access) ? 1 : 0;
  return nb_path_of(variable->context, LLVMGetOperand(access, operand)).offset;
}

static int64_t end_of(const Variable *variable, LLVMValueRef access) {
  return offset_of(variable, access) +
         (int64_t)nb_store_size(variable->context, accessed_type(access));
}

static bool is_apart(const Variable *variable, LLVMValueRef load, LLVMValueRef store) {
  return end_of(variable, store) <= offset_of(variable, load) ||
         end_of(variable, load) <= offset_of(variable, store);
}

static bool covers(const Variable *variable, LLVMValueRef store, LLVMValueRef load) {
  return offset_of(variable, store) <= offset_of(variable, load) &&
         end_of(variable, load) <= end_of(variable, store);
}

static bool is_pointer(LLVMTypeRef type) {
  return LLVMGetTypeKind(nb_scalar_type(type)) == LLVMPointerTypeKind;
}

static bool is_float(LLVMTypeRef type) { return nb_is_float_kind(LLVMGetTypeKind(type)); }

/* Is one of them a pointer where the other is none, or are they floats of different formats? */
static bool are_different(LLVMTypeRef one, LLVMTypeRef other) {
  bool floats = is_float(one) && is_float(other);
  return is_pointer(one) != is_pointer(other) ||
         (floats && LLVMGetTypeKind(one) != LLVMGetTypeKind(other));
}

/* --- What is stored, seen as another type ----------------------------------------------------- */

/* The operands that one of them joins begin here. */
static unsigned first_joined(LLVMValueRef value) { return LLVMIsASelectInst(value) ? 1 : 0; }

static unsigned end_joined(LLVMValueRef value) {
  return LLVMIsAPHINode(value) ? LLVMCountIncoming(value) : (unsigned)LLVMGetNumOperands(value);
}

static bool is_same(const View *view, LLVMValueRef value) {
  return LLVMTypeOf(value) == view->type && view->ahead == 0;
}

/* What a cast keeps all bits of; the value itself if it is none. */
static LLVMValueRef before_casts(const View *view, LLVMValueRef value) {
  while (LLVMIsABitCastInst(value) || LLVMIsAPtrToIntInst(value) || LLVMIsAIntToPtrInst(value)) {
    LLVMValueRef before = LLVMGetOperand(value, 0);
    if (nb_store_size(view->context, LLVMTypeOf(before)) !=
        nb_store_size(view->context, LLVMTypeOf(value)))
      return value;
    value = before;
  }
  return value;
}

static bool is_nothing(LLVMValueRef value) { return LLVMIsUndef(value) || LLVMIsNull(value); }

/* Can it be had of the value? */
static bool can_see(const View *view, LLVMValueRef value) {
  if (is_same(view, value))
    return true;
  value = before_casts(view, value);
  if (is_same(view, value) || is_nothing(value) || nb_map_has(view->seen, value))
    return true;
  if (LLVMIsALoadInst(value))
    return nb_access_is_plain(value);
  if (!nb_value_joins(value))
    return false;
  nb_map_set(view->seen, value, value);
  for (unsigned i = first_joined(value); i < end_joined(value); i++)
    if (!can_see(view, LLVMGetOperand(value, i)))
      return false;
  return true;
}

static LLVMBuilderRef builder_at(const View *view, LLVMValueRef inst) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(view->context->llvm);
  LLVMPositionBuilderBefore(builder, inst);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(inst));
  return builder;
}

static unsigned align_at(unsigned align, int64_t ahead) {
  while (ahead % align)
    align /= 2;
  return align;
}

static LLVMValueRef see_load(const View *view, LLVMValueRef load) {
  LLVMBuilderRef builder = builder_at(view, load);
  LLVMValueRef address = LLVMGetOperand(load, 0);
  LLVMTypeRef byte = LLVMInt8TypeInContext(view->context->llvm);
  LLVMTypeRef word = LLVMInt64TypeInContext(view->context->llvm);
  LLVMValueRef bytes = LLVMConstInt(word, (unsigned long long)view->ahead, false);
  if (view->ahead)
    address = LLVMBuildInBoundsGEP2(builder, byte, address, &bytes, 1, "");
  LLVMValueRef twin = LLVMBuildLoad2(builder, view->type, address, "");
  LLVMSetAlignment(twin, align_at(LLVMGetAlignment(load), view->ahead));
  LLVMDisposeBuilder(builder);
  return twin;
}

static LLVMValueRef see(const View *view, LLVMValueRef value);

static LLVMValueRef see_phi(const View *view, LLVMValueRef phi) {
  LLVMBuilderRef builder = builder_at(view, phi);
  LLVMValueRef twin = LLVMBuildPhi(builder, view->type, "");
  LLVMDisposeBuilder(builder);
  nb_map_set(view->seen, phi, twin);
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
    LLVMValueRef incoming = see(view, LLVMGetIncomingValue(phi, i));
    LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
    LLVMAddIncoming(twin, &incoming, &from, 1);
  }
  return twin;
}

static LLVMValueRef see_choice(const View *view, LLVMValueRef value) {
  unsigned first = first_joined(value);
  LLVMValueRef one = see(view, LLVMGetOperand(value, first));
  LLVMValueRef other = first ? see(view, LLVMGetOperand(value, 2)) : NULL;
  LLVMBuilderRef builder = builder_at(view, value);
  LLVMValueRef twin = first ? LLVMBuildSelect(builder, LLVMGetOperand(value, 0), one, other, "")
                            : LLVMBuildFreeze(builder, one, "");
  LLVMDisposeBuilder(builder);
  return twin;
}

/* What can_see has found that can be had. */
static LLVMValueRef see(const View *view, LLVMValueRef value) {
  if (!is_same(view, value))
    value = before_casts(view, value);
  if (is_same(view, value))
    return value;
  if (is_nothing(value))
    return LLVMIsUndef(value) ? LLVMGetUndef(view->type) : LLVMConstNull(view->type);
  LLVMValueRef twin = nb_map_get(view->seen, value);
  if (twin)
    return twin;
  if (LLVMIsAPHINode(value))
    return see_phi(view, value);
  twin = nb_value_joins(value) ? see_choice(view, value) : see_load(view, value);
  nb_map_set(view->seen, value, twin);
  return twin;
}

/* --- Twins ------------------------------------------------------------------------------------ */

static View new_view(const Variable *variable, LLVMValueRef load, LLVMValueRef store) {
  int64_t ahead = offset_of(variable, load) - offset_of(variable, store);
  NbMap *seen = nb_map_new(variable->context->arena);
  return (View){variable->context, LLVMTypeOf(load), ahead, seen};
}

/* Is the load that of something different from what is stored, and can all that is stored there be
 * had as its type? */
static bool needs_twin(const Variable *variable, LLVMValueRef load) {
  bool differs = false;
  for (unsigned i = 0; i < variable->stores.count; i++) {
    LLVMValueRef store = variable->stores.items[i];
    if (is_apart(variable, load, store))
      continue;
    View view = new_view(variable, load, store);
    differs |= are_different(accessed_type(store), LLVMTypeOf(load));
    if (!covers(variable, store, load) || !can_see(&view, LLVMGetOperand(store, 0)))
      return false;
  }
  return differs;
}

/* What has been made for one store serves the next. */
static void store_twins(const Variable *variable, LLVMValueRef load, LLVMValueRef twin) {
  View view = {.seen = NULL};
  for (unsigned i = 0; i < variable->stores.count; i++) {
    LLVMValueRef store = variable->stores.items[i];
    if (is_apart(variable, load, store))
      continue;
    if (!view.seen || view.ahead != offset_of(variable, load) - offset_of(variable, store))
      view = new_view(variable, load, store);
    LLVMValueRef value = see(&view, LLVMGetOperand(store, 0));
    LLVMBuilderRef builder = builder_at(&view, store);
    LLVMBuildStore(builder, value, twin);
    LLVMDisposeBuilder(builder);
  }
}

static void make_twin(const Variable *variable, LLVMValueRef load) {
  LLVMTypeRef type = LLVMTypeOf(load);
  int64_t offset = offset_of(variable, load);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(variable->context->llvm);
  LLVMPositionBuilderBefore(builder, variable->slot);
  LLVMValueRef twin = LLVMBuildAlloca(builder, type, "twin");
  LLVMDisposeBuilder(builder);
  store_twins(variable, load, twin);
  for (unsigned i = 0; i < variable->loads.count; i++) {
    LLVMValueRef other = variable->loads.items[i];
    if (LLVMTypeOf(other) == type && offset_of(variable, other) == offset)
      LLVMSetOperand(other, 0, twin);
  }
}

/* --- Casts ------------------------------------------------------------------------------------ */

/* What the value is made of by casts, and by taking bytes out of it: the view tells which. */
static LLVMValueRef source_of(View *view, LLVMValueRef value) {
  for (;;) {
    LLVMValueRef before = before_casts(view, value);
    bool shift = LLVMIsABinaryOperator(before) && LLVMGetInstructionOpcode(before) == LLVMLShr &&
                 LLVMIsAConstantInt(LLVMGetOperand(before, 1));
    uint64_t bits = shift ? LLVMConstIntGetZExtValue(LLVMGetOperand(before, 1)) : 0;
    if ((!shift && !LLVMIsATruncInst(before)) || bits % 8)
      return before;
    view->ahead += (int64_t)(bits / 8);
    value = LLVMGetOperand(before, 0);
  }
}

/* Finds what casts make of the integer: a set of the kinds of types. */
static unsigned made_of(LLVMValueRef integer, unsigned depth) {
  unsigned made = 0;
  for (LLVMUseRef use = LLVMGetFirstUse(integer); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    LLVMTypeRef type = LLVMTypeOf(user);
    bool shift = LLVMIsABinaryOperator(user) && LLVMGetInstructionOpcode(user) == LLVMLShr;
    if (LLVMIsAIntToPtrInst(user) || (LLVMIsABitCastInst(user) && is_float(type)))
      made |= 1U << LLVMGetTypeKind(type);
    if (depth && (shift || nb_value_joins(user) || LLVMIsATruncInst(user)))
      made |= made_of(user, depth - 1);
  }
  return made;
}

/* Are both pointers and numbers made of it, or numbers of different formats? */
static bool is_either(LLVMValueRef integer) {
  unsigned made = made_of(integer, MOST_STEPS);
  return (made & (made - 1)) != 0;
}

/* Is a pointer made of what is a float, or a float of a pointer or of another float, or more than
 * one of them of one integer? */
static bool mixes(const NbContext *context, LLVMValueRef cast, View *view, LLVMValueRef *source) {
  LLVMTypeRef type = LLVMTypeOf(cast);
  *view = (View){context, type, 0, nb_map_new(context->arena)};
  bool made = LLVMIsAIntToPtrInst(cast) ||
              (LLVMIsABitCastInst(cast) && (is_float(type) || is_pointer(type)));
  if (!made)
    return false;
  *source = source_of(view, LLVMGetOperand(cast, 0));
  LLVMTypeRef before = LLVMTypeOf(*source);
  if (LLVMGetTypeKind(before) == LLVMIntegerTypeKind)
    return is_either(*source);
  return (is_float(before) || is_pointer(before)) && are_different(before, type);
}

static NbList mixing_casts(const NbContext *context, LLVMValueRef function) {
  NbList casts = nb_list(context->arena);
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at)) {
    View view;
    LLVMValueRef source;
    if (mixes(context, at, &view, &source))
      nb_list_push(&casts, at);
  }
  return casts;
}

/* Loads as each of the two what is both at times: all of them are found before one is gone. */
static bool load_casts(const NbContext *context, LLVMValueRef function) {
  NbList casts = mixing_casts(context, function);
  bool changed = false;
  for (unsigned i = 0; i < casts.count; i++) {
    LLVMValueRef cast = casts.items[i];
    View view = {context, LLVMTypeOf(cast), 0, nb_map_new(context->arena)};
    LLVMValueRef source = source_of(&view, LLVMGetOperand(cast, 0));
    if (!can_see(&view, source))
      continue;
    view.seen = nb_map_new(context->arena);
    LLVMReplaceAllUsesWith(cast, see(&view, source));
    LLVMInstructionEraseFromParent(cast);
    changed = true;
  }
  return changed;
}

static bool part(const NbContext *context, LLVMValueRef slot) {
  Variable variable = {context, slot, nb_list(context->arena), nb_list(context->arena)};
  if (!LLVMIsAConstantInt(LLVMGetOperand(slot, 0)) || !add_uses(&variable, slot))
    return false;
  for (unsigned i = 0; i < variable.loads.count; i++)
    if (needs_twin(&variable, variable.loads.items[i])) {
      make_twin(&variable, variable.loads.items[i]);
      return true;
    }
  return false;
}

bool nb_prepare_part_twins(const NbContext *context, LLVMValueRef function) {
  unsigned made = 0;
  LLVMValueRef at = nb_instruction_first(function);
  while (at && made < MOST_TWINS) {
    bool parted = LLVMIsAAllocaInst(at) && part(context, at);
    made += parted;
    at = parted ? at : nb_instruction_next(at);
  }
  return load_casts(context, function) || made > 0;
}

/* --- What is passed by value ------------------------------------------------------------------ */

static bool is_number_stored(LLVMValueRef pointer) {
  for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool store = LLVMIsAStoreInst(user) && is_float(LLVMTypeOf(LLVMGetOperand(user, 0)));
    if (store || LLVMIsAMemCpyInst(user) ||
        (LLVMIsAGetElementPtrInst(user) && is_number_stored(user)))
      return true;
  }
  return false;
}

/* Does it return what it reads from a variable in which there are numbers, or what is copied? C
 * does not promise that results are defined. */
static bool returns_mixed(LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block)) {
    LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
    bool returns = LLVMIsAReturnInst(last) && LLVMGetNumOperands(last);
    LLVMValueRef value = returns ? LLVMGetOperand(last, 0) : NULL;
    LLVMValueRef slot =
        value && LLVMIsALoadInst(value) ? nb_object_of(LLVMGetOperand(value, 0)) : NULL;
    if (slot && LLVMIsAAllocaInst(slot) && is_number_stored(slot))
      return true;
  }
  return false;
}

static bool is_given_here(LLVMValueRef value) {
  LLVMValueRef callee = LLVMIsACallInst(value) ? nb_callee(value) : NULL;
  if (callee)
    return LLVMCountBasicBlocks(callee) > 0 && !nb_has_attribute_at(callee, 0, NOUNDEF) &&
           returns_mixed(callee);
  if (!LLVMIsAArgument(value))
    return LLVMIsAExtractValueInst(value) && is_given_here(LLVMGetOperand(value, 0));
  return !nb_has_attribute_at(LLVMGetParamParent(value), nb_parameter_index(value) + 1, NOUNDEF);
}

/* Is the value, or one that it may be, given by a caller or a callee as a part of something larger?
 * A pointer or a number of the program's own is promised to be defined. */
static bool is_given(const View *view, LLVMValueRef value) {
  value = before_casts(view, value);
  if (!nb_value_joins(value) || nb_map_has(view->seen, value))
    return is_given_here(value);
  nb_map_set(view->seen, value, value);
  for (unsigned i = first_joined(value); i < end_joined(value); i++)
    if (is_given(view, LLVMGetOperand(value, i)))
      return true;
  return false;
}

static bool makes_given(const NbContext *context, LLVMValueRef cast) {
  View view;
  LLVMValueRef source;
  return mixes(context, cast, &view, &source) && is_given(&view, source);
}

static bool reads_given(const Variable *variable, LLVMValueRef load) {
  for (unsigned i = 0; i < variable->stores.count; i++) {
    LLVMValueRef store = variable->stores.items[i];
    LLVMValueRef value = LLVMGetOperand(store, 0);
    bool mixed = is_pointer(LLVMTypeOf(value))
                     ? is_float(LLVMTypeOf(load))
                     : is_float(LLVMTypeOf(value)) && is_pointer(LLVMTypeOf(load));
    View view = new_view(variable, load, store);
    if (mixed && !is_apart(variable, load, store) && is_given(&view, value))
      return true;
  }
  return false;
}

LLVMValueRef nb_prepare_find_given(const NbContext *context, LLVMValueRef function) {
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at)) {
    Variable variable = {context, at, nb_list(context->arena), nb_list(context->arena)};
    if (makes_given(context, at))
      return at;
    if (!LLVMIsAAllocaInst(at) || !add_uses(&variable, at))
      continue;
    for (unsigned i = 0; i < variable.loads.count; i++)
      if (reads_given(&variable, variable.loads.items[i]))
        return variable.loads.items[i];
  }
  return NULL;
}
