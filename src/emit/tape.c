// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emit/tape.h"

#include "base/names.h"
#include "emit/alias.h"
#include "objects/graph.h"
#include "types/slots.h"

#include <string.h>

enum { TAPE_ALIGNMENT = 8 };

static LLVMTypeRef byte_type(const NbTapeView *view) {
  return LLVMInt8TypeInContext(view->plan->linear->work->context->llvm);
}

static LLVMTypeRef count_type(const NbTapeView *view) {
  return LLVMInt64TypeInContext(view->plan->linear->work->context->llvm);
}

LLVMValueRef nb_tape_field(const NbTapeView *view, unsigned field) {
  return LLVMBuildStructGEP2(view->builder, view->plan->tape, view->tape, field, "");
}

/* The room is called after the array that it is, or whose shadow it is. */
static void name_room(const NbTapeView *view, LLVMValueRef room, LLVMValueRef array) {
  const NbLinear *linear = view->plan->linear;
  LLVMValueRef primal = nb_linear_primal(linear, array);
  NbArena *arena = nb_arena_new();
  const char *name = nb_name(primal);
  const char *text = nb_arena_print(arena, primal == array || !*name ? "%s" : "d_%s", name);
  LLVMSetValueName2(room, text, strlen(text));
  nb_arena_free(arena);
}

/* The address of a field that is a variable, to which no constant of an index is added. */
static LLVMValueRef variable_at(const NbTapeView *view, LLVMValueRef field) {
  LLVMValueRef variable = nb_build_barrier(view->builder, field);
  nb_access_note(variable, NB_TAPE_VARIABLE);
  return variable;
}

LLVMValueRef nb_tape_array(const NbTapeView *view, LLVMValueRef array) {
  uintptr_t field = (uintptr_t)nb_map_get(view->plan->fields, array) - 1;
  LLVMValueRef place = nb_tape_field(view, (unsigned)field);
  name_room(view, place, array);
  LLVMValueRef room = variable_at(view, place);
  unsigned alignment = LLVMGetAlignment(array);
  if (alignment <= NB_TAPE_ALIGNMENT)
    return room;
  LLVMTypeRef type = count_type(view);
  LLVMValueRef number = LLVMBuildPtrToInt(view->builder, room, type, "");
  LLVMValueRef less = LLVMBuildNeg(view->builder, number, "");
  LLVMValueRef offset =
      LLVMBuildAnd(view->builder, less, LLVMConstInt(type, alignment - 1, false), "");
  return LLVMBuildGEP2(view->builder, byte_type(view), room, &offset, 1, "");
}

/* Position of the current iteration in the arrays that were made at the entry of `entry`. */
static LLVMValueRef iteration(const NbTapeView *view, const NbWorkLoop *loop,
                              const NbWorkLoop *entry) {
  LLVMValueRef counter = view->counter(view->user, loop);
  if (loop == entry)
    return counter;
  LLVMValueRef outer = iteration(view, loop->parent, entry);
  LLVMValueRef trips = view->trips(view->user, loop);
  LLVMValueRef rows = LLVMBuildMul(view->builder, outer, trips, "");
  return LLVMBuildAdd(view->builder, rows, counter, "");
}

LLVMValueRef nb_tape_groups(LLVMBuilderRef builder, LLVMValueRef total) {
  LLVMTypeRef type = LLVMTypeOf(total);
  LLVMValueRef whole = LLVMBuildUDiv(builder, total, LLVMConstInt(type, NB_TAPE_GROUP, false), "");
  return LLVMBuildAdd(builder, whole, LLVMConstInt(type, 1, false), "");
}

/* Which of the slot's instances is the current one, counted from where its memory begins. */
static LLVMValueRef instance(const NbTapeView *view, const NbSlot *slot) {
  const NbStorage *storage = &view->plan->storage[slot->loop->index];
  return iteration(view, slot->loop, storage->known ? storage->entry : slot->loop);
}

/* Behind the arrays of the slots before it. */
static LLVMValueRef array_of(const NbTapeView *view, const NbSlot *slot, LLVMValueRef base) {
  if (!slot->offset)
    return base;
  LLVMValueRef count = view->total(view->user, slot->loop);
  if (slot->bit)
    count = nb_tape_groups(view->builder, count);
  LLVMValueRef offset = LLVMConstInt(count_type(view), slot->offset, false);
  offset = LLVMBuildMul(view->builder, offset, count, "");
  return LLVMBuildGEP2(view->builder, byte_type(view), base, &offset, 1, "");
}

static LLVMValueRef address_in_record(const NbTapeView *view, const NbSlot *slot,
                                      LLVMValueRef record) {
  LLVMValueRef offset = LLVMConstInt(count_type(view), slot->offset, false);
  return slot->offset ? LLVMBuildGEP2(view->builder, byte_type(view), record, &offset, 1, "")
                      : record;
}

LLVMValueRef nb_tape_address(const NbTapeView *view, const NbSlot *slot) {
  if (!slot->loop)
    return nb_tape_field(view, slot->field);
  LLVMValueRef base = view->base(view->user, slot);
  const NbStorage *storage = &view->plan->storage[slot->loop->index];
  const NbRoom *room = &storage->rooms[slot->bit];
  if (!storage->known)
    return address_in_record(view, slot, base);
  LLVMValueRef array = room->interleaved ? base : array_of(view, slot, base);
  LLVMValueRef index = instance(view, slot);
  LLVMValueRef group = LLVMConstInt(count_type(view), NB_TAPE_GROUP, false);
  if (slot->bit)
    index = LLVMBuildUDiv(view->builder, index, group, "");
  if (room->interleaved) {
    LLVMTypeRef record = LLVMArrayType2(byte_type(view), room->size);
    array = LLVMBuildGEP2(view->builder, record, base, &index, 1, "");
    return address_in_record(view, slot, array);
  }
  return LLVMBuildGEP2(view->builder, slot->type, array, &index, 1, "");
}

static unsigned alignment(const NbTapeView *view, const NbSlot *slot) {
  unsigned natural = LLVMABIAlignmentOfType(view->plan->linear->work->context->layout, slot->type);
  return natural < TAPE_ALIGNMENT ? natural : TAPE_ALIGNMENT;
}

static LLVMValueRef load_whole(const NbTapeView *view, const NbSlot *slot) {
  LLVMValueRef load = LLVMBuildLoad2(view->builder, slot->type, nb_tape_address(view, slot), "");
  LLVMSetAlignment(load, alignment(view, slot));
  if (slot->plain)
    nb_access_note_slot(load);
  nb_alias_other(view->plan->linear, load);
  return load;
}

static void store_whole(const NbTapeView *view, const NbSlot *slot, LLVMValueRef value) {
  LLVMValueRef address = nb_tape_address(view, slot);
  LLVMValueRef store = LLVMBuildStore(view->builder, value, address);
  LLVMSetAlignment(store, alignment(view, slot));
  if (slot->plain)
    nb_access_note_slot(store);
  nb_alias_other(view->plan->linear, store);
}

static LLVMValueRef bit_in_word(const NbTapeView *view, const NbSlot *slot) {
  LLVMValueRef last = LLVMConstInt(count_type(view), NB_TAPE_GROUP - 1, false);
  return LLVMBuildAnd(view->builder, instance(view, slot), last, "");
}

/* The bit of the slot, of type i1. */
static LLVMValueRef load_bit(const NbTapeView *view, const NbSlot *slot) {
  LLVMTypeRef bit = LLVMInt1TypeInContext(view->plan->linear->work->context->llvm);
  LLVMValueRef whole = load_whole(view, slot);
  whole = LLVMBuildLShr(view->builder, whole, bit_in_word(view, slot), "");
  return LLVMBuildTrunc(view->builder, whole, bit, "");
}

LLVMValueRef nb_tape_load(const NbTapeView *view, const NbSlot *slot) {
  if (!slot->bits)
    return load_whole(view, slot);
  LLVMTypeRef type = LLVMTypeOf(slot->value);
  LLVMValueRef value = LLVMBuildZExt(view->builder, load_bit(view, slot), type, "");
  unsigned place = 0;
  for (const NbSlot *next = slot->more; next; next = next->more) {
    LLVMValueRef bit = LLVMBuildZExt(view->builder, load_bit(view, next), type, "");
    bit = LLVMBuildShl(view->builder, bit, LLVMConstInt(type, ++place, false), "");
    value = LLVMBuildOr(view->builder, value, bit, "");
  }
  return value;
}

/* The word is in a variable, so that nothing has to be read from the tape. Bits of other instances
 * that are still in it from an earlier word are of no instance of this one, or written later. */
static LLVMValueRef word_with(const NbTapeView *view, const NbSlot *slot, LLVMValueRef bit) {
  LLVMBuilderRef builder = view->builder;
  LLVMValueRef variable = view->word(view->user, slot), at = bit_in_word(view, slot);
  LLVMValueRef one = LLVMConstInt(slot->type, 1, false);
  LLVMValueRef mask = LLVMBuildNot(builder, LLVMBuildShl(builder, one, at, ""), "");
  LLVMValueRef word = LLVMBuildLoad2(builder, slot->type, variable, "");
  word = LLVMBuildAnd(builder, word, mask, "");
  LLVMValueRef wide = LLVMBuildZExt(builder, bit, slot->type, "");
  wide = LLVMBuildShl(builder, wide, at, "");
  word = LLVMBuildOr(builder, word, wide, "");
  LLVMBuildStore(builder, word, variable);
  return word;
}

void nb_tape_store(const NbTapeView *view, const NbSlot *slot, LLVMValueRef value) {
  if (!slot->bits) {
    store_whole(view, slot, value);
    return;
  }
  LLVMTypeRef type = LLVMTypeOf(slot->value);
  LLVMTypeRef one = LLVMInt1TypeInContext(view->plan->linear->work->context->llvm);
  unsigned place = 0;
  for (const NbSlot *next = slot; next; next = next->more) {
    LLVMValueRef shift = LLVMConstInt(type, place++, false);
    LLVMValueRef bit = next == slot ? value : LLVMBuildLShr(view->builder, value, shift, "");
    store_whole(view, next, word_with(view, next, LLVMBuildTrunc(view->builder, bit, one, "")));
  }
}
