// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Primal values in the reverse sweep. Nothing else may touch one there. */
#include "emit/alias.h"
#include "emit/reverse.h"
#include "types/slots.h"

void nb_reverse_forget(NbReverse *reverse) { reverse->memo = nb_map_new(reverse->context->arena); }

/* An allow-list: what was true of the primal instruction where it stood need not be true of its
 * copy. Type-based alias facts stay. */
static void strip(NbReverse *reverse, LLVMValueRef inst) {
  LLVMContextRef llvm = reverse->context->llvm;
  unsigned type_facts = LLVMGetMDKindIDInContext(llvm, "tbaa", 4);
  size_t count = 0;
  LLVMValueMetadataEntry *entries = LLVMInstructionGetAllMetadataOtherThanDebugLoc(inst, &count);
  for (unsigned i = 0; i < count; i++) {
    unsigned kind = LLVMValueMetadataEntriesGetKind(entries, i);
    if (kind != type_facts)
      LLVMSetMetadata(inst, kind, NULL);
  }
  LLVMDisposeValueMetadataEntries(entries);
  if (LLVMCanValueUseFastMathFlags(inst))
    LLVMSetFastMathFlags(inst, nb_lower_flags(inst));
  if (LLVMIsACallInst(inst))
    nb_attributes_strip_values(inst);
}

static LLVMValueRef repeat(NbReverse *reverse, LLVMValueRef value) {
  LLVMValueRef again = nb_map_get(reverse->linear->again, value);
  if (again)
    return nb_reverse_value(reverse, again);
  unsigned count = (unsigned)LLVMGetNumOperands(value);
  if (LLVMIsACallInst(value))
    count = LLVMGetNumArgOperands(value);
  LLVMValueRef *operands = NB_NEW_ARRAY(reverse->context->arena, LLVMValueRef, count + 1);
  for (unsigned i = 0; i < count; i++)
    operands[i] = nb_reverse_value(reverse, LLVMGetOperand(value, i));
  LLVMValueRef copy = LLVMInstructionClone(value);
  for (unsigned i = 0; i < count; i++)
    LLVMSetOperand(copy, i, operands[i]);
  LLVMInsertIntoBuilder(reverse->builder, copy);
  strip(reverse, copy);
  nb_access_note_as(copy, value);
  if (LLVMIsALoadInst(copy) && nb_linear_primal(reverse->linear, value) == value)
    nb_alias_other(reverse->linear, copy);
  return copy;
}

/* Parameters stand at the same index in both sweeps, primal ones and shadows. */
static LLVMValueRef parameter(NbReverse *reverse, LLVMValueRef value) {
  return LLVMGetParam(reverse->function, nb_parameter_index(value));
}

static LLVMValueRef counter_of(NbReverse *reverse, LLVMValueRef value) {
  const NbWorkBlock *block = nb_work_block_of(reverse->linear->work, value);
  return reverse->view.counter(reverse, block->loop);
}

/* Said of the primal: the working copy is deleted before what is refused is reported. */
static LLVMValueRef missing(NbReverse *reverse, LLVMValueRef value) {
  const NbRequest *request = reverse->linear->work->request;
  reverse->ok = nb_refuse(reverse->context, NB_ERROR_BUILD, request->function,
                          "the reverse sweep needs a value that its plan does not provide");
  return LLVMGetPoison(LLVMTypeOf(value));
}

/* Does the loop that the value belongs to run around what is being printed? Only then is it known
 * which of its values is meant. */
static bool is_within(const NbReverse *reverse, LLVMValueRef value) {
  const NbWorkLoop *loop = nb_work_block_of(reverse->linear->work, value)->loop;
  return nb_work_loop_contains(loop, reverse->place);
}

static LLVMValueRef find(NbReverse *reverse, LLVMValueRef value) {
  NbPlace place = nb_plan_place(reverse->plan, value);
  bool of_iteration = place == NB_PLACE_FREE || place == NB_PLACE_STORED;
  if (of_iteration && !is_within(reverse, value))
    return missing(reverse, value);
  switch (place) {
  case NB_PLACE_FREE:
    return counter_of(reverse, value);
  case NB_PLACE_RECOMPUTE:
    return repeat(reverse, value);
  case NB_PLACE_STORED:
    return nb_tape_load(&reverse->view, nb_plan_slot(reverse->plan, value));
  case NB_PLACE_MEMORY:
    return nb_tape_array(&reverse->view, value);
  default:
    return missing(reverse, value);
  }
}

/* The entry of the outermost loop, around what is being printed, in which the value does not
 * change; NULL where it changes, or where there are several entries. */
static NbLoopEntry *entry_for(const NbReverse *reverse, LLVMValueRef value) {
  const NbWorkLoop *own = nb_work_block_of(reverse->linear->work, value)->loop;
  const NbWorkLoop *loop = reverse->place;
  if (loop == own || !nb_work_loop_contains(own, loop))
    return NULL;
  while (loop->parent != own)
    loop = loop->parent;
  NbLoopEntry *entry = &reverse->entries[loop->index];
  return entry->count == 1 && entry->edge ? entry : NULL;
}

static LLVMValueRef find_at_entry(NbReverse *reverse, NbLoopEntry *entry, LLVMValueRef value) {
  NbMap *memo = reverse->memo;
  const NbWorkLoop *place = reverse->place;
  LLVMBasicBlockRef block = LLVMGetInsertBlock(reverse->builder);
  reverse->memo = entry->memo;
  reverse->place = nb_work_block_of(reverse->linear->work, value)->loop;
  LLVMPositionBuilderBefore(reverse->builder, LLVMGetBasicBlockTerminator(entry->edge));
  LLVMValueRef found = nb_reverse_value(reverse, value);
  reverse->memo = memo;
  reverse->place = place;
  LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
  if (last)
    LLVMPositionBuilderBefore(reverse->builder, last);
  else
    LLVMPositionBuilderAtEnd(reverse->builder, block);
  return found;
}

LLVMValueRef nb_reverse_value(NbReverse *reverse, LLVMValueRef value) {
  if (LLVMIsAArgument(value))
    return parameter(reverse, value);
  if (!LLVMIsAInstruction(value))
    return value;
  NbLoopEntry *entry = entry_for(reverse, value);
  if (entry)
    return find_at_entry(reverse, entry, value);
  LLVMValueRef known = nb_map_get(reverse->memo, value);
  if (!known) {
    known = find(reverse, value);
    nb_map_set(reverse->memo, value, known);
    nb_debug_tell_as(known, value);
  }
  return known;
}
