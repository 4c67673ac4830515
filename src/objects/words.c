// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Numbers that are only moved may be pointers, or parts of them: C lets a program copy what has any
 * type by words, and by any type that may alias. What types promise to be a number is none. */
#include "objects/words.h"

#include "types/slots.h"

enum { MOST_FOLLOWED = 8 };

/* Bits are changed alike by masks for numbers and for integers. */
static bool changes_bits(LLVMValueRef value) {
  LLVMOpcode opcode =
      LLVMIsABinaryOperator(value) ? LLVMGetInstructionOpcode(value) : LLVMUnreachable;
  return (opcode == LLVMAnd || opcode == LLVMOr || opcode == LLVMXor) &&
         LLVMIsAConstantInt(LLVMGetOperand(value, 1));
}

static void enter(NbMoved *moved, LLVMValueRef value) {
  if (LLVMIsNull(value) || LLVMIsUndef(value))
    return;
  for (unsigned i = 0; i < moved->count; i++)
    if (moved->items[i] == value)
      return;
  bool load = LLVMIsALoadInst(value) != NULL;
  bool made = load || nb_value_joins(value) || (moved->lenient && changes_bits(value));
  moved->failed |= !made || moved->count == NB_MOST_MOVED;
  moved->loads += load;
  if (!moved->failed)
    moved->items[moved->count++] = value;
}

static void visit_use(NbMoved *moved, LLVMUseRef use) {
  LLVMValueRef user = LLVMGetUser(use);
  LLVMValueRef value = LLVMGetUsedValue(use);
  bool stores = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == value;
  moved->stores += stores;
  if (nb_value_joins(user) || (moved->lenient && changes_bits(user)))
    enter(moved, user);
  else if (!stores && !(moved->lenient && LLVMIsAICmpInst(user)))
    moved->failed = true;
}

static void enter_operands(NbMoved *moved, LLVMValueRef value) {
  int first = LLVMIsASelectInst(value) ? 1 : 0;
  int end = LLVMIsALoadInst(value) ? 0 : changes_bits(value) ? 1 : LLVMGetNumOperands(value);
  for (int k = first; k < end; k++)
    enter(moved, LLVMGetOperand(value, (unsigned)k));
}

static void follow(NbMoved *moved, LLVMValueRef first) {
  enter(moved, first);
  for (unsigned i = 0; i < moved->count && !moved->failed; i++) {
    LLVMValueRef value = moved->items[i];
    LLVMUseRef use = LLVMGetFirstUse(value);
    for (; use && !moved->failed; use = LLVMGetNextUse(use))
      visit_use(moved, use);
    enter_operands(moved, value);
  }
}

NbMoved nb_moved_with(LLVMValueRef first) {
  NbMoved moved = {.count = 0};
  follow(&moved, first);
  return moved;
}

bool nb_value_passes(LLVMValueRef value) {
  NbMoved moved = {.lenient = true};
  follow(&moved, value);
  return !moved.failed && moved.loads && moved.stores;
}

bool nb_value_is_moved(LLVMValueRef value) { return !nb_moved_with(value).failed; }

static bool is_number(LLVMTypeRef type) {
  type = nb_scalar_type(type);
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  bool integer = kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) % 8 == 0;
  return integer || kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
}

/* Does a type promise what is accessed? */
static bool is_told(LLVMValueRef access) {
  return nb_tbaa_name(access) || nb_access_is_typed(access) || nb_access_is_noted(access) ||
         nb_access_is_slot(access);
}

static bool is_untold_number(LLVMValueRef access) {
  LLVMValueRef value = LLVMIsAStoreInst(access) ? LLVMGetOperand(access, 0) : access;
  return is_number(LLVMTypeOf(value)) && !LLVMIsAConstant(value) && !is_told(access);
}

bool nb_access_moves_word(LLVMValueRef access) {
  return is_untold_number(access) &&
         nb_value_is_moved(LLVMIsAStoreInst(access) ? LLVMGetOperand(access, 0) : access);
}

/* Is what is loaded returned, or handed to functions with a body, and no more than stored besides?
 */
static bool passes(LLVMValueRef load) {
  bool passes = false;
  for (LLVMUseRef use = LLVMGetFirstUse(load); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    LLVMValueRef callee = LLVMIsACallInst(user) ? nb_callee(user) : NULL;
    bool call = callee && LLVMCountBasicBlocks(callee);
    if (!call && !LLVMIsAReturnInst(user) && !LLVMIsAStoreInst(user))
      return false;
    passes |= !LLVMIsAStoreInst(user);
  }
  return passes;
}

bool nb_access_passes_word(LLVMValueRef load) {
  return !is_told(load) && is_number(LLVMTypeOf(load)) && passes(load);
}

static bool is_given(LLVMValueRef value) {
  LLVMValueRef callee = LLVMIsACallInst(value) ? nb_callee(value) : NULL;
  return LLVMIsAArgument(value) || (callee && LLVMCountBasicBlocks(callee));
}

static bool is_word(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  return kind == LLVMDoubleTypeKind ||
         (kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 64);
}

bool nb_access_hands_word(LLVMValueRef access) {
  LLVMValueRef value = LLVMIsAStoreInst(access) ? LLVMGetOperand(access, 0) : access;
  bool handed =
      value == access ? nb_access_passes_word(access) : is_given(value) && !is_told(access);
  return is_word(LLVMTypeOf(value)) && handed;
}

bool nb_access_moves_double(LLVMValueRef access) {
  LLVMValueRef value = LLVMIsAStoreInst(access) ? LLVMGetOperand(access, 0) : access;
  bool handed = value == access ? passes(access) : is_given(value);
  return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMDoubleTypeKind && !nb_access_is_slot(access) &&
         (handed || nb_value_is_moved(value));
}

bool nb_word_is_followed(LLVMTypeRef type) {
  type = nb_scalar_type(type);
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) >= 64;
}

/* --- Pointers that go with numbers ------------------------------------------------------------ */

static bool keeps_place(LLVMValueRef value) {
  return nb_value_joins(value) || LLVMIsABitCastInst(value);
}

bool nb_value_takes_apart(LLVMValueRef value) {
  return LLVMIsAInsertElementInst(value) || LLVMIsAExtractElementInst(value) ||
         LLVMIsAShuffleVectorInst(value);
}

/* Is it what was stored into a local variable, as a whole? */
static bool is_of_variable(LLVMValueRef value) {
  return LLVMIsALoadInst(value) &&
         nb_is_simple_variable(LLVMGetOperand(value, 0), LLVMTypeOf(value));
}

static void add_source(NbMap *sources, LLVMValueRef value, LLVMValueRef whole) {
  if (LLVMIsAInstruction(value) && !nb_map_has(sources, value))
    nb_map_set(sources, value, whole);
}

static void add_stored(NbMap *sources, LLVMValueRef variable, bool whole) {
  for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef store = LLVMGetUser(use);
    LLVMValueRef value = LLVMIsAStoreInst(store) ? LLVMGetOperand(store, 0) : NULL;
    if (value)
      add_source(sources, value, whole ? value : NULL);
  }
}

/* What a value is put together of: values -> themselves where they are the whole, NULL where they
 * may be a part of it. */
static NbMap *sources_of(NbArena *arena, LLVMValueRef stored) {
  NbMap *sources = nb_map_new(arena);
  nb_map_set(sources, stored, stored);
  for (unsigned i = 0; i < nb_map_count(sources); i++) {
    LLVMValueRef value = (LLVMValueRef)nb_map_key(sources, i);
    bool whole = nb_map_get(sources, value) != NULL;
    bool parts = nb_value_takes_apart(value);
    int count = keeps_place(value) || parts ? LLVMGetNumOperands(value) : 0;
    for (int k = LLVMIsASelectInst(value) ? 1 : 0; k < count; k++) {
      LLVMValueRef operand = LLVMGetOperand(value, (unsigned)k);
      add_source(sources, operand, whole && !parts ? operand : NULL);
    }
    if (is_of_variable(value))
      add_stored(sources, LLVMGetOperand(value, 0), whole);
  }
  return sources;
}

static bool is_stored_so(LLVMValueRef number, unsigned depth) {
  for (LLVMUseRef use = LLVMGetFirstUse(number); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool on = keeps_place(user) || nb_value_takes_apart(user);
    if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == number && is_untold_number(user))
      return true;
    if (on && (!depth || is_stored_so(user, depth - 1)))
      return true;
  }
  return false;
}

bool nb_access_shares_word(LLVMValueRef load) {
  return LLVMIsALoadInst(load) && is_untold_number(load) && is_stored_so(load, MOST_FOLLOWED);
}

/* Is it a number by what it is: computed, or read as one that a type promises? */
static bool is_number_itself(LLVMValueRef value) {
  if (LLVMIsAConstantInt(value))
    return !LLVMIsNull(value);
  return LLVMIsACastInst(value) || LLVMIsABinaryOperator(value) ||
         (LLVMIsALoadInst(value) && is_told(value));
}

bool nb_value_is_kept_number(LLVMValueRef value, unsigned depth) {
  bool extended = LLVMIsASExtInst(value) || LLVMIsAZExtInst(value);
  if (LLVMIsAConstantInt(value) || extended || LLVMIsAFPToSIInst(value) || LLVMIsAFPToUIInst(value))
    return true;
  if (LLVMIsALoadInst(value) && is_told(value) && !nb_access_names_pointer(value))
    return true;
  if (!depth || !is_of_variable(value))
    return false;
  LLVMUseRef use = LLVMGetFirstUse(LLVMGetOperand(value, 0));
  for (; use; use = LLVMGetNextUse(use)) {
    LLVMValueRef store = LLVMGetUser(use);
    if (LLVMIsAStoreInst(store) && !nb_value_is_kept_number(LLVMGetOperand(store, 0), depth - 1))
      return false;
  }
  return true;
}

static bool joins_number(LLVMValueRef join) {
  for (int i = LLVMIsASelectInst(join) ? 1 : 0; i < LLVMGetNumOperands(join); i++)
    if (is_number_itself(LLVMGetOperand(join, (unsigned)i)))
      return true;
  return false;
}

bool nb_access_is_variable(LLVMValueRef load) {
  NbMoved words = {.count = 0};
  bool numbers = false;
  enter(&words, load);
  for (unsigned i = 0; i < words.count; i++) {
    LLVMUseRef use = LLVMGetFirstUse(words.items[i]);
    for (; use; use = LLVMGetNextUse(use)) {
      LLVMValueRef user = LLVMGetUser(use);
      bool stored = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == words.items[i];
      if (stored && LLVMGetOperand(user, 1) != LLVMGetOperand(load, 0))
        return false;
      if (!nb_value_joins(user))
        continue;
      enter(&words, user);
      numbers |= joins_number(user);
    }
  }
  return numbers && !words.failed;
}

/* The bytes between the memory that the word, or a part of it, was loaded from and that which it is
 * stored to. */
static void transfer(NbObjects *objects, LLVMValueRef store, LLVMValueRef load, bool whole) {
  LLVMValueRef to = LLVMGetOperand(store, 1), from = LLVMGetOperand(load, 0);
  NbTransfer moved = {nb_value_class(objects, to),
                      nb_value_class(objects, from),
                      whole ? nb_graph_guess_place(objects, to) : nb_place_anywhere(),
                      whole ? nb_graph_guess_place(objects, from) : nb_place_anywhere(),
                      nb_store_size(objects->context, LLVMTypeOf(load)),
                      true,
                      false};
  nb_graph_transfer(objects, moved);
}

/* What else is done with the number is no matter: where it was a pointer, that is not done. */
void nb_graph_move_word(NbObjects *objects, LLVMValueRef store) {
  LLVMValueRef value = LLVMGetOperand(store, 0);
  if (!is_untold_number(store))
    return;
  const NbMap *sources = sources_of(objects->arena, value);
  for (unsigned i = 0; i < nb_map_count(sources); i++) {
    LLVMValueRef load = (LLVMValueRef)nb_map_key(sources, i);
    if (LLVMIsALoadInst(load) && is_untold_number(load))
      transfer(objects, store, load, nb_map_get(sources, load) != NULL);
  }
}

/* Is it an integer that was loaded as what is declared to be one? */
static bool is_declared_word(NbObjects *objects, LLVMValueRef store) {
  LLVMValueRef value = LLVMGetOperand(store, 0);
  if (!is_untold_number(store) || !nb_word_is_followed(LLVMTypeOf(value)))
    return false;
  const NbMap *sources = sources_of(objects->arena, value);
  for (unsigned i = 0; i < nb_map_count(sources); i++) {
    LLVMValueRef load = (LLVMValueRef)nb_map_key(sources, i);
    if (LLVMIsALoadInst(load) && !is_untold_number(load))
      return true;
  }
  return false;
}

void nb_graph_forget_word(NbObjects *objects, LLVMValueRef store) {
  LLVMValueRef to = LLVMGetOperand(store, 1);
  NbClass *target = nb_class_field_known(nb_value_class(objects, to),
                                         nb_graph_guess_place(objects, to), sizeof(int64_t), NULL);
  bool known = target && nb_class_find(target) != nb_class_find(objects->unknown);
  if (!known || !is_declared_word(objects, store))
    return;
  nb_class_unify(nb_class_field(nb_value_class(objects, to), nb_graph_guess_place(objects, to),
                                sizeof(int64_t)),
                 objects->unknown);
  objects->forgotten = true;
}
