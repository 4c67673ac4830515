// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Memory may hold numbers at one time, pointers or other numbers at another: a block that is used
 * again, a union. What accesses say of a class is said of all times, so that it does not tell what
 * a copy moves. They do tell what may lie in each word of eight bytes; which of it, the run finds
 * out by the shadow (runtime/words.h). */
#include "../../runtime/words.h"

#include "objects/place.h"
#include "types/facts.h"
#include "types/pieces.h"

enum { WORD = 8, HALF = 4 };
enum {
  FLOATS = __NABLA_MAY_LOWER | __NABLA_MAY_UPPER,
  NUMBERS = __NABLA_MAY_DOUBLE | FLOATS,
  EITHER = __NABLA_MAY_DOUBLE | __NABLA_MAY_POINTER
};

typedef struct Copy {
  NbTypes *types;
  LLVMValueRef ends[2]; /* where to, where from: NULL where memory is filled */
  bool own[2];
  uint64_t size; /* NB_UNKNOWN_SIZE: the run tells */
  NbLayout layout;
  NbLayout words;    /* that may take each other's place, as they were found; none at first */
  uint64_t distance; /* between the ends, where they overlap; 0: not known */
} Copy;

/* The word that begins with a piece of a copy. */
typedef struct Word {
  const Copy *copy;
  NbPiece piece;
  bool pointer;  /* the layout has one there */
  bool conflict; /* it does not say what is there */
  bool begins;   /* nor what begins where the word does */
  bool apart;    /* nothing lies partly in it */
  uint32_t laid; /* what the layout has there */
  uint32_t found;
} Word;

/* --- What accesses find. ---------------------------------------------------------------------- */

/* May the element begin `ahead` bytes behind the word's beginning? */
static bool begins_at(const NbFact *fact, NbOffsets word, int64_t ahead) {
  NbOffsets place = nb_place_shift(word, ahead);
  return nb_place_meets(&fact->place, 1, &place, 1);
}

/* What the fact says of the word. */
static uint32_t said_by(const NbFact *fact, NbOffsets place) {
  bool here = begins_at(fact, place, 0);
  if (fact->kind == NB_KIND_POINTER)
    return here ? __NABLA_MAY_POINTER : 0;
  if (fact->kind != NB_KIND_FLOAT || fact->size > WORD)
    return 0;
  if (fact->size == WORD)
    return here ? __NABLA_MAY_DOUBLE : 0;
  if (fact->size != HALF)
    return __NABLA_MAY_OTHER;
  uint32_t upper = begins_at(fact, place, HALF) ? __NABLA_MAY_UPPER : 0;
  return (here ? __NABLA_MAY_LOWER : 0) | upper;
}

/* A float that does not lie in the word exactly makes it none. */
static bool is_apart(const NbFact *fact, NbOffsets place) {
  bool apart = fact->kind != NB_KIND_FLOAT || fact->size <= WORD;
  for (int64_t ahead = 1; ahead < WORD && fact->kind == NB_KIND_FLOAT && fact->size == WORD;
       ahead++)
    apart &= !begins_at(fact, place, ahead) && !begins_at(fact, place, -ahead);
  return apart;
}

/* Whether a double is a pair of floats must not be doubted for what is only said of sums of
 * strides. */
static uint32_t beyond_doubt(const Word *word, const NbFact *fact, uint32_t said) {
  if (word->conflict || !fact->place.loose)
    return said;
  if (word->laid & __NABLA_MAY_DOUBLE)
    return said & ~(uint32_t)__NABLA_MAY_UPPER;
  return word->laid & __NABLA_MAY_UPPER ? said & ~(uint32_t)__NABLA_MAY_DOUBLE : said;
}

/* With `certain`, accesses count that go nowhere else. What optimisers move in pointers may be
 * anything; and which of what may be pointers are some, the run tells in any case. */
static bool counts(const Word *word, const NbFact *fact, bool certain) {
  bool exact = !fact->place.period && !fact->place.loose && fact->place.count == 1;
  bool told = !certain && word->pointer && fact->kind == NB_KIND_FLOAT && fact->size == WORD;
  return !fact->declared && !fact->moved && (nb_fact_is_within(fact) || told) &&
         (exact || !certain);
}

/* Where the word lies each time that it repeats. */
static NbOffsets place_of(const Word *word, const NbTypes *types, LLVMValueRef end) {
  uint64_t size = word->copy->size;
  NbPiece piece = word->piece;
  if (!piece.period || size == NB_UNKNOWN_SIZE)
    return nb_types_piece_place(types, end, &piece);
  uint64_t count = (size - piece.offset + piece.period - 1) / piece.period;
  piece.period = 0;
  NbOffsets first = nb_types_piece_place(types, end, &piece);
  return count > 1 ? nb_place_index(first, word->piece.period, count) : first;
}

static void look_in(Word *word, NbTypes *types, LLVMValueRef end) {
  NbOffsets place = place_of(word, types, end);
  NbClass *class = nb_value_class(types->objects, end);
  const NbFacts *facts = nb_facts_of(types, class);
  bool certain = !word->copy->own[0];
  for (unsigned i = 0; i < facts->count; i++) {
    const NbFact *fact = &facts->items[i];
    if (!counts(word, fact, certain) || !nb_place_meets(&fact->place, fact->size, &place, WORD))
      continue;
    word->found |= beyond_doubt(word, fact, said_by(fact, place));
    word->apart &= is_apart(fact, place);
  }
  if (word->begins && nb_class_holds_pointers(class))
    word->found |= __NABLA_MAY_POINTER;
}

static void look(Word *word) {
  const Copy *copy = word->copy;
  for (unsigned end = 0; end < 2 && copy->ends[end]; end++) {
    NbMembers members = nb_types_reached(copy->types, copy->ends[end]);
    for (unsigned i = 0; i < members.count; i++)
      look_in(word, members.items[i], copy->ends[end]);
  }
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

/* --- What the layout has. --------------------------------------------------------------------- */

static uint32_t laid_by(const NbPiece *piece, uint64_t inside) {
  switch (piece->kind) {
  case NB_KIND_FLOAT:
    if (piece->size == HALF && inside % HALF == 0)
      return inside ? __NABLA_MAY_UPPER : __NABLA_MAY_LOWER;
    return piece->size == WORD ? __NABLA_MAY_DOUBLE : __NABLA_MAY_OTHER;
  case NB_KIND_POINTER:
    return __NABLA_MAY_POINTER;
  default:
    return 0;
  }
}

/* Does an array of such pieces, side by side, hold whole words? */
static bool is_array(const Copy *copy, const NbPiece *piece) {
  return copy->layout.count == 1 && piece->kind == NB_KIND_FLOAT && piece->size == HALF &&
         piece->period == HALF;
}

/* Does the word lie within one period, if it repeats? */
static bool is_within_period(const Word *word) {
  const NbLayout *layout = &word->copy->layout;
  uint64_t begin = word->piece.offset, period = word->piece.period, first = 0;
  while (period && first < layout->count && layout->pieces[first].period != period)
    first++;
  if (!period)
    return true;
  return first < layout->count && begin >= layout->pieces[first].offset &&
         begin + WORD <= layout->pieces[first].offset + period;
}

/* Adds what the layout has in the word; false where some of it is not wholly there. */
static bool add_laid(Word *word) {
  const Copy *copy = word->copy;
  uint64_t begin = word->piece.offset, end = begin + WORD;
  bool whole = end <= copy->size && begin % HALF == 0;
  if (is_array(copy, copy->layout.pieces)) {
    word->laid = FLOATS;
    return whole;
  }
  for (unsigned i = 0; i < copy->layout.count; i++) {
    const NbPiece *piece = &copy->layout.pieces[i];
    if (piece->offset >= end || piece->offset + piece->size <= begin)
      continue;
    whole &= piece->offset >= begin && piece->offset + piece->size <= end;
    whole &= piece->period == word->piece.period && piece->kind != NB_KIND_UNKNOWN;
    word->laid |= laid_by(piece, piece->offset - begin);
    word->conflict |= piece->kind == NB_KIND_CONFLICT;
    word->begins |= piece->kind == NB_KIND_CONFLICT && piece->offset == begin;
    word->pointer |= piece->kind == NB_KIND_POINTER;
  }
  return whole && is_within_period(word);
}

/* --- Words. ----------------------------------------------------------------------------------- */

static uint32_t what_may_be(const Word *word) {
  uint32_t may = word->laid | word->found;
  uint32_t kinds = (may & __NABLA_MAY_DOUBLE) != 0;
  kinds += (may & FLOATS) != 0;
  kinds += (may & __NABLA_MAY_POINTER) != 0;
  return word->conflict && kinds < 2 ? may | __NABLA_MAY_OTHER : may;
}

/* May the piece come to lie where the word does, by moves over the distance? */
static bool may_meet(const Copy *copy, const NbPiece *piece, uint64_t begin) {
  uint64_t step = nb_gcd(copy->distance, piece->period);
  uint64_t apart = piece->offset > begin ? piece->offset - begin : begin - piece->offset;
  return !copy->distance || apart % step == 0;
}

/* What may lie in all words that may take the place of the one that begins there. */
static uint32_t joint_at(const Copy *copy, uint64_t begin) {
  uint32_t joint = 0;
  for (unsigned i = 0; i < copy->words.count; i++) {
    const NbPiece *piece = &copy->words.pieces[i];
    if (piece->kind == NB_KIND_WORD && may_meet(copy, piece, begin))
      joint |= piece->may;
  }
  return joint;
}

/* The word that begins there; false where the layout says all that there is to say. */
static bool word_at(const Copy *copy, uint64_t begin, uint64_t period, NbPiece *found) {
  Word word = {.copy = copy, .apart = true};
  word.piece = (NbPiece){begin, WORD, period, NB_KIND_WORD, NULL, 0};
  if (!add_laid(&word))
    return false;
  look(&word);
  bool own = copy->own[0] && copy->own[1];
  bool known = word.laid & (FLOATS | EITHER);
  uint32_t more = word.found & ~word.laid & (known ? ~0U : (uint32_t)NUMBERS);
  uint32_t joint = known ? joint_at(copy, begin) : 0;
  more |= joint;
  bool fits = begin % WORD == 0 || word.begins || ((word.laid | word.found) & EITHER);
  if (!word.apart || !fits || (!word.conflict && !more))
    return false;
  word.piece.may = what_may_be(&word) | joint;
  bool either = (word.piece.may & EITHER) == EITHER && (word.laid & EITHER) && !word.conflict;
  if (!own)
    word.piece.may = EITHER;
  if (!copy->own[0])
    word.piece.kind = NB_KIND_CONFLICT;
  *found = word.piece;
  return own || either;
}

/* The word that the piece is of. */
static bool word_of(const Copy *copy, const NbPiece *piece, uint64_t done, NbPiece *found) {
  uint64_t aligned = piece->offset - piece->offset % WORD;
  bool array = is_array(copy, piece);
  uint64_t period = array ? WORD : piece->period;
  bool steps = period % WORD == 0 && piece->kind != NB_KIND_UNKNOWN;
  if (!steps)
    return false;
  if (aligned >= done && word_at(copy, aligned, period, found))
    return true;
  return aligned != piece->offset && word_at(copy, piece->offset, period, found);
}

static NbLayout with_words(const Copy *copy) {
  NbPieces pieces = {.arena = copy->types->arena};
  uint64_t done = 0;
  for (unsigned i = 0; i < copy->layout.count; i++) {
    NbPiece piece = copy->layout.pieces[i], word;
    if (piece.offset + piece.size <= done)
      continue;
    if (overlaid_at(copy, &piece))
      piece.kind = NB_KIND_CONFLICT;
    else if (word_of(copy, &copy->layout.pieces[i], done, &word))
      piece = word;
    nb_pieces_add(&pieces, piece);
    done = piece.offset + piece.size;
  }
  return (NbLayout){pieces.items, pieces.count, false};
}

/* May the ends overlap? Finds how far they are apart. */
static bool may_overlap(Copy *copy) {
  NbObjects *objects = copy->types->objects;
  NbOffsets to = nb_places_of(copy->types->places, copy->ends[0]);
  NbOffsets from = nb_places_of(copy->types->places, copy->ends[1]);
  bool exact = nb_place_is_exact(&to) && nb_place_is_exact(&from);
  int64_t distance = to.base > from.base ? to.base - from.base : from.base - to.base;
  copy->distance = exact ? (uint64_t)distance : 0;
  return nb_value_class(objects, copy->ends[0]) == nb_value_class(objects, copy->ends[1]) &&
         copy->distance < copy->size;
}

/* Where both ends may overlap, a word may take the place of another: the order in which they are
 * moved is known among those that are alike. */
static NbLayout with_equal_words(Copy *copy, NbLayout layout) {
  if (!may_overlap(copy))
    return layout;
  if (!nb_layout_is_known(&copy->layout))
    return copy->layout;
  copy->words = layout;
  return layout.count > 1 ? with_words(copy) : layout;
}

NbLayout nb_types_either_at(NbTypes *types, LLVMValueRef to, NbLayout layout, bool own) {
  Copy filled = {types, {to, NULL}, {own, true}, NB_UNKNOWN_SIZE, layout, {0}, 0};
  return layout.unknown ? layout : with_words(&filled);
}

NbLayout nb_types_either(NbTypes *types, LLVMValueRef copy, NbLayout layout, const bool own[2]) {
  NbCall what = nb_call_of(types->context, copy);
  bool fills = what.kind == NB_CALL_FILL;
  Copy copied = {
      types, {what.to, fills ? NULL : what.from}, {own[0], own[1]}, NB_UNKNOWN_SIZE, layout, {0},
      0};
  NbLayout tagged;
  NbPiece floats;
  if (layout.unknown || nb_tags_say_fields(types, copy, &what, &tagged) ||
      nb_tags_say_floats(types, copy, what.bytes, &floats))
    return layout;
  copied.size = nb_call_most(&what);
  NbLayout found = with_words(&copied);
  return fills || LLVMIsAMemCpyInst(copy) ? found : with_equal_words(&copied, found);
}
