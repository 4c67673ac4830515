// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Copies of structs by assignment: TBAA says where which field lies.
 *
 * C and C++ promise that memory assigned as a struct holds one. What breaks that promise on purpose
 * is a copy of bytes into a member, or a union: the fields of a union overlap, and floats that
 * untagged accesses find in a member of another kind speak against it. A struct of integers or
 * pointers alone may be the member of a union by which the others are moved, and clang does not say
 * so. */
#include "types/facts.h"
#include "types/pieces.h"

#include <string.h>

unsigned nb_tags_fields(const NbContext *context, LLVMValueRef copy, NbTaggedField *fields) {
  LLVMValueRef operands[3 * NB_MOST_FIELDS];
  unsigned kind = LLVMGetMDKindIDInContext(context->llvm, "tbaa.struct", strlen("tbaa.struct"));
  LLVMValueRef node = LLVMGetMetadata(copy, kind);
  unsigned count = node && LLVMIsAMDNode(node) ? LLVMGetMDNodeNumOperands(node) : 0;
  if (!count || count % 3 || count > 3 * NB_MOST_FIELDS)
    return 0;
  LLVMGetMDNodeOperands(node, operands);
  bool alone = true, told = false;
  for (unsigned i = 0; i < count; i += 3) {
    NbTaggedField *field = &fields[i / 3];
    if (!LLVMIsAConstantInt(operands[i]) || !LLVMIsAConstantInt(operands[i + 1]))
      return 0;
    *field = (NbTaggedField){.offset = LLVMConstIntGetZExtValue(operands[i]),
                             .size = LLVMConstIntGetZExtValue(operands[i + 1]),
                             .tag = operands[i + 2],
                             .kind = nb_tbaa_is_own_integer(operands[i + 2]) ? NB_KIND_INTEGER
                                                                             : NB_KIND_UNKNOWN};
    const char *name = nb_tbaa_tag_name(operands[i + 2]);
    field->named = name ? nb_named_float(name) : NULL;
    if (name)
      field->kind = field->named               ? NB_KIND_FLOAT
                    : nb_tbaa_is_pointer(name) ? NB_KIND_POINTER
                                               : NB_KIND_INTEGER;
    alone &= field->kind == NB_KIND_INTEGER || field->kind == NB_KIND_POINTER;
    told |= field->kind != NB_KIND_UNKNOWN || !nb_tbaa_is_own(field->tag);
  }
  return alone || !told ? 0 : count / 3;
}

/* Do untagged accesses of floats in the memory of the pointer speak against the field? A copy of
 * zeros has become a fill, which comes from nowhere. */
static bool is_punned(const NbTypes *types, LLVMValueRef pointer, const NbTaggedField *field) {
  if (!pointer)
    return false;
  const NbFacts *facts = nb_map_get(types->facts, nb_value_class(types->objects, pointer));
  NbOffsets place = nb_place_shift(nb_places_noted(types->places, pointer), (int64_t)field->offset);
  NbPromise promise = {.tagged = !nb_tbaa_is_own(field->tag), .noted = true};
  return facts && nb_facts_speak_against(facts, &place, field->size, promise);
}

/* Adds a field, to the one before it where there is nothing between: a number may lie across both.
 */
static unsigned add_untold(NbTaggedField *untold, unsigned count, const NbTaggedField *field) {
  NbTaggedField *last = count ? &untold[count - 1] : NULL;
  if (!last || last->offset + last->size != field->offset) {
    untold[count] = *field;
    return count + 1;
  }
  last->size += field->size;
  last->kind = NB_KIND_UNKNOWN;
  return count;
}

/* Of the fields, those of which the tags do not tell what they are. */
static unsigned select_untold(NbTypes *types, const NbCall *what, const NbTaggedField *fields,
                              unsigned count, NbTaggedField *untold) {
  const NbTypes *whole = types->whole ? types->whole : types;
  bool constant = LLVMIsAConstantInt(what->bytes) != NULL;
  uint64_t size = nb_call_most(what);
  uint64_t end = 0;
  unsigned left = 0;
  bool ordered = count && constant;
  for (unsigned i = 0; i < count && ordered; i++) {
    const NbTaggedField *field = &fields[i];
    ordered = field->offset >= end && field->size <= size;
    end = field->offset + field->size;
    bool told =
        field->named || (field->kind != NB_KIND_UNKNOWN && !is_punned(whole, what->to, field) &&
                         !is_punned(whole, what->from, field));
    if (!told)
      left = add_untold(untold, left, field);
  }
  if (ordered && end <= size)
    return left;
  untold[0] = (NbTaggedField){.size = size};
  return 1;
}

unsigned nb_tags_untold(NbTypes *types, LLVMValueRef copy, const NbCall *what,
                        NbTaggedField *untold) {
  NbTaggedField fields[NB_MOST_FIELDS];
  unsigned count = nb_tags_fields(types->context, copy, fields);
  return select_untold(types, what, fields, count, untold);
}

static void add_field(NbPieces *pieces, const NbContext *context, const NbTaggedField *field) {
  NbPiece piece = {field->offset, field->size, 0, field->kind, NULL, 0};
  if (field->named) {
    piece.size = field->named->size;
    piece.type = field->named->type(context->llvm);
  } else if (field->kind == NB_KIND_POINTER) {
    piece.size = 8;
  }
  for (; piece.offset + piece.size <= field->offset + field->size; piece.offset += piece.size)
    nb_pieces_add(pieces, piece);
}

bool nb_tags_say_fields(NbTypes *types, LLVMValueRef copy, const NbCall *what, NbLayout *layout) {
  NbTaggedField fields[NB_MOST_FIELDS], untold[NB_MOST_FIELDS];
  NbPieces pieces = {.arena = types->arena};
  unsigned count = nb_tags_fields(types->context, copy, fields);
  if (!count || select_untold(types, what, fields, count, untold))
    return false;
  for (unsigned i = 0; i < count; i++)
    add_field(&pieces, types->context, &fields[i]);
  *layout = (NbLayout){pieces.items, pieces.count, false};
  return true;
}
