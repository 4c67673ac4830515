// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Derivatives that are lost on purpose, or by mistake: a number with a derivative is stored to
 * memory that the caller declared constant, and is loaded again for what the derivative is asked
 * of.
 *
 * Such a store is followed along the ways from it, to a load that it may reach; a store of another
 * value at the same pointer ends a way. The user is told once a line. */
#include "activity/flow.h"

enum { MOST_SCANNED = 4096 };

/* Numbers that are written, or read, by a store, a load or a copy. */
typedef struct Access {
  LLVMValueRef inst, pointer;
  uint64_t size;
} Access;

typedef struct Search {
  NbActivity *activity;
  Access stored;
  NbMap *blocks;
  unsigned scanned;
  LLVMValueRef found;
} Search;

static NbClass *behind(const NbActivity *activity, LLVMValueRef pointer) {
  return nb_class_find(nb_value_class(activity->objects, pointer));
}

static bool has(const NbActivity *activity, LLVMValueRef value, unsigned bit) {
  return (nb_activity_bits(activity, value) & bit) != 0;
}

static uint64_t size_of_copy(const NbCall *copy) {
  return copy->bytes && LLVMIsAConstantInt(copy->bytes) ? LLVMConstIntGetZExtValue(copy->bytes)
                                                        : NB_UNKNOWN_SIZE;
}

static bool is_number(const NbActivity *activity, LLVMValueRef value, unsigned bit) {
  return nb_type_has_real(LLVMTypeOf(value)) && has(activity, value, bit);
}

/* Does the instruction write numbers with a derivative to memory that is declared constant? */
static bool loses(NbActivity *activity, LLVMValueRef inst, Access *access) {
  *access = (Access){inst, NULL, NB_UNKNOWN_SIZE};
  if (LLVMIsAStoreInst(inst)) {
    LLVMValueRef value = LLVMGetOperand(inst, 0);
    access->pointer = LLVMGetOperand(inst, 1);
    access->size = nb_store_size(activity->context, LLVMTypeOf(value));
    return is_number(activity, value, NB_VARIED) &&
           nb_activity_is_const(activity, behind(activity, access->pointer));
  }
  NbCall what = nb_is_call(inst) ? nb_call_of(activity->context, inst) : (NbCall){0};
  if (what.kind != NB_CALL_COPY)
    return false;
  access->pointer = what.to;
  access->size = size_of_copy(&what);
  return nb_activity_is_const(activity, behind(activity, what.to)) &&
         nb_activity_class_varied(activity, behind(activity, what.from)) &&
         nb_activity_copies_float(activity, inst);
}

/* Does the instruction read numbers that what is asked for depends on? */
static bool needs(NbActivity *activity, LLVMValueRef inst, Access *access) {
  *access = (Access){inst, NULL, NB_UNKNOWN_SIZE};
  if (LLVMIsALoadInst(inst)) {
    access->pointer = LLVMGetOperand(inst, 0);
    access->size = nb_store_size(activity->context, LLVMTypeOf(inst));
    return is_number(activity, inst, NB_USEFUL);
  }
  NbCall what = nb_is_call(inst) ? nb_call_of(activity->context, inst) : (NbCall){0};
  if (what.kind != NB_CALL_COPY)
    return false;
  access->pointer = what.from;
  access->size = size_of_copy(&what);
  return nb_activity_class_active(activity, behind(activity, what.to)) &&
         nb_activity_copies_float(activity, inst);
}

static bool meet(const Search *search, const Access *read) {
  const NbActivity *activity = search->activity;
  const NbPlaces *places = activity->types->places;
  if (behind(activity, read->pointer) != behind(activity, search->stored.pointer))
    return false;
  NbOffsets to = nb_places_of(places, search->stored.pointer);
  NbOffsets from = nb_places_of(places, read->pointer);
  bool sized = search->stored.size != NB_UNKNOWN_SIZE && read->size != NB_UNKNOWN_SIZE;
  return (!sized || nb_place_meets(&to, search->stored.size, &from, read->size)) &&
         nb_memory_may_write_access(activity->context->analyses, search->stored.inst, read->inst);
}

/* False where the way ends, or what was looked for is found. */
static bool scan(Search *search, LLVMValueRef inst) {
  Access read;
  bool again = LLVMIsAStoreInst(inst) && LLVMGetOperand(inst, 1) == search->stored.pointer;
  if (again || ++search->scanned > MOST_SCANNED)
    return false;
  if (needs(search->activity, inst, &read) && meet(search, &read))
    search->found = inst;
  return !search->found;
}

static bool scan_block(Search *search, LLVMValueRef inst) {
  while (inst && scan(search, inst))
    inst = LLVMGetNextInstruction(inst);
  return !inst;
}

static void follow(Search *search, LLVMBasicBlockRef block) {
  LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
  for (unsigned i = 0; i < LLVMGetNumSuccessors(last); i++)
    nb_map_set(search->blocks, LLVMGetSuccessor(last, i), search);
}

/* What reads the numbers again; NULL where nothing does. */
static LLVMValueRef find_reader(Search *search) {
  LLVMValueRef inst = search->stored.inst;
  if (scan_block(search, LLVMGetNextInstruction(inst)))
    follow(search, LLVMGetInstructionParent(inst));
  for (unsigned i = 0; !search->found && i < nb_map_count(search->blocks); i++) {
    LLVMBasicBlockRef block = (LLVMBasicBlockRef)nb_map_key(search->blocks, i);
    if (scan_block(search, LLVMGetFirstInstruction(block)))
      follow(search, block);
  }
  return search->found;
}

static const char *line_of(const NbActivity *activity, LLVMValueRef inst) {
  unsigned line = LLVMGetDebugLocLine(inst);
  return line ? nb_arena_print(activity->context->arena, " in line %u", line) : "";
}

void nb_activity_warn_of_lost(NbActivity *activity) {
  LLVMValueRef inst = nb_instruction_first(activity->function);
  for (; inst && !activity->context->silent; inst = nb_instruction_next(inst)) {
    Search search = {.activity = activity};
    if (!loses(activity, inst, &search.stored))
      continue;
    search.blocks = nb_map_new(activity->context->arena);
    if (!find_reader(&search))
      continue;
    nb_warn(activity->context, NB_ERROR_LOST, inst,
            "a number with a derivative is stored here to memory that is declared constant, and "
            "loaded again%s: there it has none",
            line_of(activity, search.found));
  }
}
