// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Copies of a number of bytes that only the run tells, from or into an array that is a struct's
 * member: `memcpy(s->v, x, n * sizeof *x)`. How far they go at most is noted while addresses have
 * the front end's types: to the next member that is of another type. C lets no array end later, and
 * where a derivative is computed, a test at run time makes sure of it (prepare/within.c). */
#include "base/names.h"
#include "objects/graph.h"

#include <string.h>

enum { MOST_LEVELS = 16 };

/* What the address of an array leads through, from the outside. */
typedef struct Level {
  LLVMTypeRef type;
  LLVMValueRef index;
} Level;

typedef struct Within {
  LLVMTargetDataRef layout;
  LLVMTypeRef unit;  /* of the array's elements */
  LLVMTypeRef inner; /* what was looked at, the array first */
  uint64_t bytes;    /* from the pointer to the end of that */
  bool ends;         /* something of another type follows */
  bool failed;
} Within;

static bool is_union(LLVMTypeRef type) {
  const char *name = LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMGetStructName(type) : NULL;
  return name && strncmp(name, "union.", 6) == 0;
}

static LLVMTypeRef unit_of(LLVMTypeRef type) {
  while (LLVMGetTypeKind(type) == LLVMArrayTypeKind)
    type = LLVMGetElementType(type);
  return type;
}

/* Adds the members behind the one with that index, until one is of another type. */
static void add_members(Within *within, LLVMTypeRef structure, unsigned index) {
  unsigned count = LLVMCountStructElementTypes(structure);
  uint64_t begin = LLVMOffsetOfElement(within->layout, structure, index);
  uint64_t end = begin + LLVMABISizeOfType(within->layout, within->inner);
  for (unsigned i = index + 1; i < count && !within->ends; i++) {
    LLVMTypeRef member = LLVMStructGetTypeAtIndex(structure, i);
    uint64_t offset = LLVMOffsetOfElement(within->layout, structure, i);
    within->failed |= is_union(unit_of(member));
    within->ends = offset != end || unit_of(member) != within->unit;
    end = offset + LLVMABISizeOfType(within->layout, member);
    within->bytes += within->ends ? 0 : end - offset;
  }
}

/* What follows in what it is a part of. Behind an element that is a struct comes another. */
static void leave(Within *within, const Level *level) {
  bool constant = LLVMIsAConstantInt(level->index) != NULL;
  uint64_t index = constant ? LLVMConstIntGetZExtValue(level->index) : 0;
  if (LLVMGetTypeKind(level->type) == LLVMStructTypeKind) {
    within->failed |= is_union(level->type);
    if (!within->failed)
      add_members(within, level->type, (unsigned)index);
  } else {
    uint64_t count = LLVMGetArrayLength2(level->type);
    within->failed |= unit_of(level->type) != within->unit || index >= count;
    if (!within->failed)
      within->bytes +=
          (count - 1 - index) * LLVMABISizeOfType(within->layout, LLVMGetElementType(level->type));
  }
  within->inner = level->type;
}

/* The levels of the gep's address behind its first index, and what it leads to. */
static LLVMTypeRef levels_of(LLVMValueRef gep, Level *levels, unsigned *count) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  for (unsigned i = 2; i < (unsigned)LLVMGetNumOperands(gep) && *count < MOST_LEVELS; i++) {
    Level level = {type, LLVMGetOperand(gep, i)};
    bool structure = LLVMGetTypeKind(type) == LLVMStructTypeKind;
    unsigned index = structure ? (unsigned)LLVMConstIntGetZExtValue(level.index) : 0;
    type = structure ? LLVMStructGetTypeAtIndex(type, index) : LLVMGetElementType(type);
    levels[(*count)++] = level;
  }
  return type;
}

static bool starts_at(LLVMValueRef gep) {
  LLVMValueRef first = LLVMGetOperand(gep, 1);
  return LLVMIsAConstantInt(first) && LLVMConstIntGetZExtValue(first) == 0;
}

/* Goes out from the element of an array that the pointer leads to, by one gep after the other. */
static void look(Within *within, LLVMValueRef pointer) {
  while (LLVMIsAGetElementPtrInst(pointer) && !within->ends && !within->failed) {
    Level levels[MOST_LEVELS];
    unsigned count = 0;
    LLVMTypeRef type = levels_of(pointer, levels, &count);
    if (!within->inner && LLVMGetTypeKind(type) != LLVMArrayTypeKind &&
        (!count || LLVMGetTypeKind(levels[count - 1].type) != LLVMArrayTypeKind)) {
      within->failed = true;
      return;
    }
    if (!within->inner) {
      within->inner = type;
      within->unit = unit_of(type);
      within->bytes = LLVMABISizeOfType(within->layout, type);
    }
    within->failed |= within->inner != type || count == MOST_LEVELS || !within->bytes;
    while (count && !within->ends && !within->failed)
      leave(within, &levels[--count]);
    within->failed |= !within->ends && !starts_at(pointer);
    pointer = LLVMGetOperand(pointer, 0);
  }
}

/* How many bytes there are; NB_UNKNOWN_SIZE where nothing of another type is known to follow. */
static uint64_t bytes_within(const NbContext *context, LLVMValueRef pointer) {
  Within within = {.layout = context->layout};
  uint64_t before = 0;
  while (LLVMIsAGetElementPtrInst(pointer) && LLVMGetNumOperands(pointer) == 2) {
    LLVMTypeRef type = LLVMGetGEPSourceElementType(pointer);
    LLVMValueRef index = LLVMGetOperand(pointer, 1);
    bool constant = LLVMIsAConstantInt(index) && LLVMConstIntGetSExtValue(index) > 0;
    before +=
        constant ? LLVMConstIntGetZExtValue(index) * LLVMABISizeOfType(context->layout, type) : 0;
    pointer = LLVMGetOperand(pointer, 0);
  }
  look(&within, pointer);
  return within.ends && !within.failed && within.bytes > before ? within.bytes - before
                                                                : NB_UNKNOWN_SIZE;
}

void nb_within_note(const NbContext *context, LLVMValueRef call, const NbCall *what) {
  if (LLVMIsAConstantInt(what->bytes))
    return;
  uint64_t most = bytes_within(context, what->to);
  uint64_t read = what->from ? bytes_within(context, what->from) : NB_UNKNOWN_SIZE;
  most = read < most ? read : most;
  if (most != NB_UNKNOWN_SIZE)
    nb_number_note(call, NB_NOTED_WITHIN, most);
}
