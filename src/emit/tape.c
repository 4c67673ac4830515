// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emit/tape.h"

#include "emit/alias.h"
#include "types/slots.h"

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

LLVMValueRef nb_tape_array(const NbTapeView *view, LLVMValueRef array) {
  uintptr_t field = (uintptr_t)nb_map_get(view->plan->fields, array) - 1;
  LLVMValueRef room = nb_tape_field(view, (unsigned)field);
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

LLVMValueRef nb_tape_address(const NbTapeView *view, const NbSlot *slot) {
  if (!slot->loop)
    return nb_tape_field(view, slot->field);
  const NbStorage *storage = &view->plan->storage[slot->loop->index];
  LLVMValueRef base = view->base(view->user, slot->loop);
  LLVMValueRef offset = LLVMConstInt(count_type(view), slot->offset, false);
  if (storage->known && slot->offset)
    offset = LLVMBuildMul(view->builder, offset, view->total(view->user, slot->loop), "");
  if (slot->offset)
    base = LLVMBuildGEP2(view->builder, byte_type(view), base, &offset, 1, "");
  if (!storage->known)
    return base;
  LLVMValueRef index = iteration(view, slot->loop, storage->entry);
  return LLVMBuildGEP2(view->builder, slot->type, base, &index, 1, "");
}

static unsigned alignment(const NbTapeView *view, const NbSlot *slot) {
  unsigned natural = LLVMABIAlignmentOfType(view->plan->linear->work->context->layout, slot->type);
  return natural < TAPE_ALIGNMENT ? natural : TAPE_ALIGNMENT;
}

LLVMValueRef nb_tape_load(const NbTapeView *view, const NbSlot *slot) {
  LLVMValueRef load = LLVMBuildLoad2(view->builder, slot->type, nb_tape_address(view, slot), "");
  LLVMSetAlignment(load, alignment(view, slot));
  if (slot->plain)
    nb_access_note_slot(load);
  nb_alias_other(view->plan->linear, load);
  return load;
}

void nb_tape_store(const NbTapeView *view, const NbSlot *slot, LLVMValueRef value) {
  LLVMValueRef address = nb_tape_address(view, slot);
  LLVMValueRef store = LLVMBuildStore(view->builder, value, address);
  LLVMSetAlignment(store, alignment(view, slot));
  if (slot->plain)
    nb_access_note_slot(store);
  nb_alias_other(view->plan->linear, store);
}
