// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Which integers are to be checked when the program runs: those that are computed with, and may be
 * the bits of numbers with a derivative. */
#include "activity/checks.h"
#include "activity/tags.h"
#include "base/names.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_ENDS = 4 };

unsigned nb_tags_checked_kind(const NbContext *context) {
  return LLVMGetMDKindIDInContext(context->llvm, NB_CHECKED_INTEGER, strlen(NB_CHECKED_INTEGER));
}

bool nb_tags_is_join(LLVMValueRef value) {
  return (LLVMIsAPHINode(value) || LLVMIsASelectInst(value)) &&
         LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMIntegerTypeKind;
}

bool nb_tags_is_varied(const NbTags *tags, LLVMValueRef value) {
  return !LLVMIsAConstant(value) && (nb_activity_bits(tags->activity, value) & NB_VARIED);
}

bool nb_tags_is_cut(LLVMValueRef value) {
  bool shifted = LLVMIsABinaryOperator(value) && LLVMGetInstructionOpcode(value) == LLVMLShr &&
                 LLVMIsAConstantInt(LLVMGetOperand(value, 1));
  return shifted || LLVMIsATruncInst(value);
}

bool nb_tags_is_moved(LLVMValueRef value) {
  return LLVMIsASelectInst(value) || LLVMIsAPHINode(value) || LLVMIsAFreezeInst(value) ||
         LLVMIsABitCastInst(value);
}

bool nb_tags_is_lane(LLVMValueRef value) {
  if (!LLVMIsAExtractElementInst(value) || !LLVMIsAConstantInt(LLVMGetOperand(value, 1)))
    return false;
  LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(value));
  return nb_is_float_kind(kind) &&
         LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(value, 0))) == LLVMVectorTypeKind;
}

NbClass *nb_tags_behind(const NbTags *tags, LLVMValueRef pointer) {
  return nb_class_find(nb_value_class(tags->activity->objects, pointer));
}

bool nb_tags_among(const NbList *classes, const NbClass *class) {
  for (unsigned i = 0; i < classes->count; i++)
    if (classes->items[i] == class)
      return true;
  return false;
}

bool nb_tags_is_of_others(const NbClass *class) {
  const unsigned others = NB_CLASS_UNKNOWN | NB_CLASS_OPAQUE | NB_CLASS_GLOBAL | NB_CLASS_CONSTANT |
                          NB_CLASS_EXTERNAL | NB_CLASS_FUNCTION;
  return (class->flags & others) || class->parameters;
}

/* What is joined with others is checked where that is, if at all. */
static bool matters(const NbTags *tags, LLVMValueRef integer, NbMap *seen) {
  if (nb_map_has(seen, integer))
    return false;
  nb_map_set(seen, integer, integer);
  for (LLVMUseRef use = LLVMGetFirstUse(integer); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    switch (LLVMGetInstructionOpcode(user)) {
    case LLVMSIToFP:
    case LLVMUIToFP:
    case LLVMStore:
    case LLVMRet:
      return true;
    case LLVMCall:
      if (!nb_call_only_looks(tags->context, user))
        return true;
      break;
    case LLVMICmp:
    case LLVMGetElementPtr:
    case LLVMSwitch:
    case LLVMIntToPtr:
      break;
    default:
      if (!nb_map_has(tags->joins, user) && matters(tags, user, seen))
        return true;
    }
  }
  return false;
}

/* Is what has no derivative an integer, as far as can be told? A number is seldom denormal. */
static bool is_integer(const NbTags *tags, LLVMValueRef number) {
  if (LLVMIsABitCastInst(number))
    return nb_types_has_integer(LLVMTypeOf(LLVMGetOperand(number, 0)));
  if (LLVMIsNull(number))
    return tags->zeros;
  LLVMBool inexact = false;
  double value = LLVMIsAConstantFP(number) ? LLVMConstRealGetDouble(number, &inexact) : 0;
  return value != 0 && fabs(value) < (double)FLT_MIN;
}

static bool reads_both(const NbTags *tags, LLVMValueRef load) {
  uint64_t size = nb_store_size(tags->context, LLVMTypeOf(load));
  return nb_tags_among(&tags->mixed, nb_tags_behind(tags, LLVMGetOperand(load, 0))) ||
         nb_types_also_hold(tags->activity->types, LLVMGetOperand(load, 0), size, NB_KIND_INTEGER,
                            false);
}

/* Is it read from memory of the function's own? */
static bool reads_own(const NbTags *tags, LLVMValueRef load) {
  return !nb_tags_is_of_others(nb_tags_behind(tags, LLVMGetOperand(load, 0)));
}

/* Is it read where words are stored of which nothing tells what they are? */
static bool reads_untyped(const NbTags *tags, LLVMValueRef load) {
  NbClass *class = nb_tags_behind(tags, LLVMGetOperand(load, 0));
  return nb_facts_of(tags->activity->types, class)->untyped;
}

/* Is it the cast of what integers are computed to, of bits perhaps which are then checked? */
static bool is_computed(LLVMValueRef number) {
  LLVMValueRef integer = LLVMIsABitCastInst(number) ? LLVMGetOperand(number, 0) : NULL;
  return integer && nb_types_has_integer(LLVMTypeOf(integer)) &&
         (LLVMIsABinaryOperator(integer) || LLVMIsAZExtInst(integer) || LLVMIsASExtInst(integer));
}

/* Is the number an integer at other times, as those in unions are? */
static bool joins_integer(const NbTags *tags, LLVMValueRef number, NbMap *seen) {
  bool varied = nb_tags_is_varied(tags, number);
  unsigned count;
  if ((!varied && is_integer(tags, number)) || is_computed(number) ||
      nb_overwrite_source(number, &count))
    return true;
  if (LLVMIsALoadInst(number))
    return reads_both(tags, number) || (!varied && reads_untyped(tags, number)) ||
           (tags->zeros && (!varied || reads_own(tags, number)));
  if (nb_tags_is_lane(number))
    return joins_integer(tags, LLVMGetOperand(number, 0), seen);
  if (!nb_tags_is_moved(number) || nb_map_has(seen, number))
    return false;
  nb_map_set(seen, number, number);
  for (int i = LLVMIsASelectInst(number) ? 1 : 0; i < LLVMGetNumOperands(number); i++)
    if (joins_integer(tags, LLVMGetOperand(number, (unsigned)i), seen))
      return true;
  return false;
}

/* Is the integer taken for one on some ways only, or as a choice says? */
static bool is_chosen(const NbTags *tags, LLVMValueRef cast) {
  NbCommits commits;
  nb_activity_commits(tags->context, cast, tags->joins, &commits);
  for (unsigned i = 0; i < commits.count; i++) {
    const NbCommit *commit = &commits.items[i];
    if (!commit->condition_count &&
        LLVMGetInstructionParent(commit->before) == LLVMGetInstructionParent(cast))
      return false;
  }
  return true;
}

/* Of the casts only those are left. Where there are some, or it is asked first whether they are
 * some, zero may be such an integer, too. */
static void keep_joined(NbTags *tags) {
  NbList casts = tags->casts;
  for (unsigned round = 0; round < 2; round++) {
    bool any = round && tags->casts.count;
    tags->casts = nb_list(tags->context->arena);
    for (unsigned i = 0; i < casts.count; i++) {
      LLVMValueRef cast = casts.items[i];
      tags->zeros = any || is_chosen(tags, cast);
      if (joins_integer(tags, LLVMGetOperand(cast, 0), nb_map_new(tags->context->arena)))
        nb_list_push(&tags->casts, cast);
    }
    tags->zeros = tags->casts.count != 0;
  }
}

/* May what is stored as a number be an integer, or a number with a derivative at other times? */
static bool is_mixed(const NbTags *tags, LLVMValueRef value) {
  if (!nb_type_has_float(LLVMTypeOf(value)))
    return false;
  if (!nb_tags_is_varied(tags, value) && !LLVMIsALoadInst(value))
    return false;
  return joins_integer(tags, value, nb_map_new(tags->context->arena));
}

static void find_mixed(NbTags *tags) {
  LLVMValueRef at = nb_instruction_first(tags->activity->function);
  for (; at; at = nb_instruction_next(at))
    if (LLVMIsAStoreInst(at) && is_mixed(tags, LLVMGetOperand(at, 0)))
      nb_list_push(&tags->mixed, nb_tags_behind(tags, LLVMGetOperand(at, 1)));
}

/* Do all uses of the integer take it for a number, at last? */
static bool ends_as_number(LLVMValueRef integer, unsigned depth) {
  for (LLVMUseRef use = LLVMGetFirstUse(integer); use && depth; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool ends = LLVMIsASIToFPInst(user) || LLVMIsAUIToFPInst(user) || LLVMIsAICmpInst(user);
    bool goes_on = LLVMIsABinaryOperator(user) || LLVMIsASExtInst(user) || LLVMIsAZExtInst(user) ||
                   LLVMIsATruncInst(user);
    if (!ends && !(goes_on && ends_as_number(user, depth - 1)))
      return false;
  }
  return depth != 0;
}

/* What is joined. */
typedef struct Joined {
  bool plain, bits, other;
  NbMap *seen;
} Joined;

static void look_at_joined(const NbTags *tags, LLVMValueRef join, Joined *joined) {
  nb_map_set(joined->seen, join, join);
  for (int i = LLVMIsASelectInst(join) ? 1 : 0; i < LLVMGetNumOperands(join); i++) {
    LLVMValueRef operand = LLVMGetOperand(join, (unsigned)i);
    bool varied = nb_tags_is_varied(tags, operand),
         bits = nb_tags_is_cut(operand) || LLVMIsABitCastInst(operand);
    joined->plain |= !varied && !LLVMIsUndef(operand);
    joined->bits |= varied && bits;
    joined->other |= varied && !bits && !nb_tags_is_join(operand);
    if (varied && nb_tags_is_join(operand) && !nb_map_has(joined->seen, operand))
      look_at_joined(tags, operand, joined);
  }
}

/* Is it a plain integer on one way, and bits of a number on another, of which then nobody asks? */
static bool joins_bits(const NbTags *tags, LLVMValueRef value) {
  if (!nb_tags_is_join(value) || !nb_tags_is_varied(tags, value) ||
      !ends_as_number(value, MOST_ENDS))
    return false;
  Joined joined = {.seen = nb_map_new(tags->context->arena)};
  look_at_joined(tags, value, &joined);
  return joined.plain && joined.bits && !joined.other;
}

static void find_joins(NbTags *tags) {
  LLVMValueRef at = nb_instruction_first(tags->activity->function);
  for (; at; at = nb_instruction_next(at)) {
    if (nb_tags_is_join(at))
      LLVMSetMetadata(at, nb_tags_checked_kind(tags->context), NULL);
    if (joins_bits(tags, at))
      nb_map_set(tags->joins, at, at);
  }
}

void nb_tags_find_integers(NbTags *tags) {
  NbArena *arena = tags->context->arena;
  find_joins(tags);
  LLVMValueRef at = nb_instruction_first(tags->activity->function);
  for (; at; at = nb_instruction_next(at)) {
    bool load = LLVMIsALoadInst(at) != NULL;
    if ((!load && !LLVMIsABitCastInst(at)) ||
        LLVMGetTypeKind(nb_scalar_type(LLVMTypeOf(at))) != LLVMIntegerTypeKind)
      continue;
    LLVMSetMetadata(at, nb_tags_checked_kind(tags->context), NULL);
    if (nb_tags_is_varied(tags, at) && matters(tags, at, nb_map_new(arena)))
      nb_list_push(load ? &tags->loads : &tags->casts, at);
  }
  if (tags->loads.count || tags->casts.count) {
    find_mixed(tags);
    keep_joined(tags);
  }
  for (unsigned i = 0; i < nb_map_count(tags->joins); i++)
    nb_list_push(&tags->casts, (void *)nb_map_key(tags->joins, i));
}
