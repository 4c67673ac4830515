// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Memory may hold numbers at one time, pointers or other numbers at another: a block that is used
 * again, a union. What accesses say of a class is said of all times, so that it does not tell what
 * a copy moves. The run does: the shadow of a pointer is an address, which as an adjoint would be
 * a denormal number; and the adjoint of a float leaves zeros in the half behind it. */
#include "objects/place.h"
#include "types/facts.h"
#include "types/pieces.h"

typedef struct Copy {
  NbTypes *types;
  LLVMValueRef ends[2]; /* where to, where from: NULL where memory is filled */
  bool own[2];
  NbLayout layout;
} Copy;

/* What accesses find. */
typedef struct Found {
  NbKind kind;
  uint64_t size;
} Found;

static const Found DOUBLE = {NB_KIND_FLOAT, sizeof(double)};
static const Found FLOAT = {NB_KIND_FLOAT, sizeof(float)};
static const Found POINTER = {NB_KIND_POINTER, sizeof(void *)};

/* Does an access find that beginning where the piece begins? With `certain`, one that goes nowhere
 * else. What optimisers move in pointers may be anything; and which of what may be pointers are
 * some, the run tells in any case. */
static bool finds(NbTypes *types, LLVMValueRef end, const NbPiece *piece, Found what,
                  bool certain) {
  NbOffsets place = nb_types_piece_place(types, end, piece);
  const NbFacts *facts = nb_facts_of(types, nb_value_class(types->objects, end));
  for (unsigned i = 0; i < facts->count; i++) {
    const NbFact *fact = &facts->items[i];
    bool exact = !fact->place.period && !fact->place.loose && fact->place.count == 1;
    bool told = !certain && piece->kind == NB_KIND_POINTER && what.size == sizeof(double);
    bool within = nb_fact_is_within(fact) || told;
    if (fact->kind == what.kind && fact->size == what.size && within && !fact->declared &&
        !fact->moved && (exact || !certain) && nb_place_meets(&fact->place, 1, &place, 1))
      return true;
  }
  return false;
}

static bool is_long(LLVMTypeRef type) { return LLVMGetTypeKind(type) == LLVMX86_FP80TypeKind; }

/* Is it a long double, which has bytes that nobody moves, where other floats lie, too? An index
 * without end may lead to where it is meant to. */
static bool is_overlaid(NbTypes *types, LLVMValueRef end, const NbPiece *piece) {
  NbOffsets place = nb_types_piece_place(types, end, piece);
  if (piece->kind != NB_KIND_FLOAT || !is_long(piece->type))
    return false;
  const NbFacts *facts = nb_facts_of(types, nb_value_class(types->objects, end));
  for (unsigned i = 0; i < facts->count; i++) {
    const NbFact *fact = &facts->items[i];
    if (fact->kind == NB_KIND_FLOAT && !is_long(fact->type) && nb_fact_is_within(fact) &&
        !fact->place.period && !fact->place.loose &&
        nb_place_meets(&fact->place, fact->size, &place, piece->size))
      return true;
  }
  return false;
}

static bool overlaid_at(const Copy *copy, const NbPiece *piece) {
  bool overlaid = false;
  for (unsigned end = 0; end < 2 && copy->ends[end] && !overlaid; end++) {
    NbMembers members = nb_types_reached(copy->types, copy->ends[end]);
    for (unsigned i = 0; i < members.count && !overlaid; i++)
      overlaid = is_overlaid(members.items[i], copy->ends[end], piece);
  }
  return overlaid;
}

static bool found_at(const Copy *copy, const NbPiece *piece, Found what) {
  bool found = false;
  for (unsigned end = 0; end < 2 && copy->ends[end] && !found; end++) {
    NbMembers members = nb_types_reached(copy->types, copy->ends[end]);
    for (unsigned i = 0; i < members.count && !found; i++)
      found = finds(members.items[i], copy->ends[end], piece, what, !copy->own[0]);
  }
  return found;
}

/* Is there nothing but integers from the end of the piece on until `size` bytes behind its
 * beginning? */
static bool is_free_until(const Copy *copy, unsigned index, uint64_t size) {
  const NbPiece *piece = &copy->layout.pieces[index];
  for (unsigned i = 0; i < copy->layout.count; i++) {
    const NbPiece *other = &copy->layout.pieces[i];
    uint64_t ahead = other->offset - piece->offset;
    if (i != index && other->offset > piece->offset && ahead < size &&
        other->kind != NB_KIND_INTEGER)
      return false;
  }
  return !piece->period || piece->period >= size;
}

static bool is_double(const NbPiece *piece) {
  return piece->kind == NB_KIND_FLOAT && LLVMGetTypeKind(piece->type) == LLVMDoubleTypeKind;
}

static bool is_float(const NbPiece *piece) {
  return piece->kind == NB_KIND_FLOAT && LLVMGetTypeKind(piece->type) == LLVMFloatTypeKind;
}

/* What the piece may be besides: its own kind where it is nothing else. */
static NbKind kind_of(const Copy *copy, unsigned index) {
  const NbPiece *piece = &copy->layout.pieces[index];
  bool own = copy->own[0] && copy->own[1];
  bool room = own && is_free_until(copy, index, sizeof(double));
  bool pointer = piece->kind == NB_KIND_POINTER;
  if (overlaid_at(copy, piece))
    return NB_KIND_CONFLICT;
  if ((pointer || is_double(piece)) && found_at(copy, piece, pointer ? DOUBLE : POINTER))
    return copy->own[0] ? NB_KIND_DOUBLE_OR_POINTER : NB_KIND_CONFLICT;
  if (is_double(piece) && own && found_at(copy, piece, FLOAT))
    return NB_KIND_DOUBLE_OR_FLOAT;
  bool shorter = is_float(piece) || piece->kind == NB_KIND_INTEGER;
  return room && shorter && found_at(copy, piece, DOUBLE) ? NB_KIND_DOUBLE_OR_FLOAT : piece->kind;
}

NbLayout nb_types_either(NbTypes *types, LLVMValueRef copy, NbLayout layout, const bool own[2]) {
  NbCall what = nb_call_of(types->context, copy);
  bool fills = what.kind == NB_CALL_FILL;
  Copy copied = {types, {what.to, fills ? NULL : what.from}, {own[0], own[1]}, layout};
  NbPieces pieces = {.arena = types->arena};
  NbLayout tagged;
  NbPiece floats;
  if (!nb_layout_is_known(&layout) || nb_tags_say_fields(types, copy, &what, &tagged) ||
      nb_tags_say_floats(types, copy, what.bytes, &floats))
    return layout;
  for (unsigned i = 0; i < layout.count; i++) {
    NbPiece piece = layout.pieces[i];
    piece.kind = kind_of(&copied, i);
    if (piece.kind != layout.pieces[i].kind)
      piece.size = sizeof(double);
    nb_pieces_add(&pieces, piece);
  }
  return (NbLayout){pieces.items, pieces.count, false};
}
