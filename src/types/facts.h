// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Types from the inside: places of pointers, and facts about classes. */
#ifndef NABLA_TYPES_FACTS_H
#define NABLA_TYPES_FACTS_H

#include "objects/elements.h"
#include "objects/graph.h"
#include "objects/places.h"
#include "objects/words.h"
#include "types/types.h"

/* Is an access through a pointer to an object that is not named there, and does a tag or what
 * stands for one say its type, or nothing, as in code that no pass looked at? Copies are direct. */
typedef enum NbIndirect { NB_DIRECT, NB_INDIRECT, NB_INDIRECT_UNTOLD } NbIndirect;

/* At each offset of `place`, `size` bytes are of `kind`. */
typedef struct NbFact {
  NbOffsets place;
  uint64_t size;
  uint64_t rank; /* how much it says about these very places: see rank_of in facts.c */
  NbKind kind;
  LLVMTypeRef type; /* of FLOAT */
  bool declared;    /* from the front end's declaration, not from an access: for gaps only */
  bool field;       /* of a struct's member, not of an array's element */
  bool each;        /* at each of its places by itself, not by an index */
  bool moved;       /* a pointer's, which is only moved, or null: nb_value_is_moved */
  bool tagged;      /* as TBAA says, and not of a copy; of FLOAT and INTEGER */
  bool typed;       /* as TBAA would say: nb_access_is_typed; not of a copy */
  bool beyond;      /* as if an index led out of its array: for gaps only */
  bool further;     /* the same, where nothing but the code says how far the index goes */
  bool start;       /* of the first elements of an array: nb_places_start */
  bool noted;       /* an integer's, of which only the declaration says that it is one */
  bool copied;      /* an integer's, as the tags of a copy say */
  bool counted;     /* a float's, by indices that count floats: it is one of an array of these */
  bool carried;     /* a float's, which is only moved, and no type tells that it is one */
  bool passing;     /* an integer's, which is loaded and stored again, whatever type it has */
  NbIndirect indirect;
  bool aligned;  /* a float's, which is accessed where floats of its size may lie */
  bool words;    /* of a declared structure of integers alone: room for whatever is moved */
  int64_t until; /* so far objects go of which it speaks; 0: not known */
} NbFact;

typedef struct NbFacts {
  NbFact *items;
  unsigned count, capacity;
  int64_t begin;   /* of the object that begins first */
  bool begins;     /* is that known? */
  uint64_t extent; /* from there to the end of all; NB_UNKNOWN_SIZE: not known */
  bool full;       /* too many: nothing is known */
  bool untyped;    /* accessed through integers that may carry anything */
  bool copied;     /* an end of a copy of bytes */
  bool cleared;    /* filled with bytes */
  bool filled;     /* with copies of bytes of which others may know what they are */
} NbFacts;

struct NbTypes {
  NbContext *context;
  NbObjects *objects;
  NbArena *arena;
  NbPlaces *places; /* of the objects */
  NbMap *facts;     /* NbFacts, by class */
  NbMap *integers;  /* NbFacts, by class: what nb_facts_of_integers gives. UNKNOWN: they may carry
                     * anything; CONFLICT: the bits of a float */
  NbMap *moves;     /* NbFacts, by class: where numbers are only moved (objects/words.h) */
  NbMap *unions;    /* NbFacts, by class: where a declaration has a union */
  NbMap *returns; /* functions of a group that return the bits of a float, and as which elements */
  NbMap *unboxed; /* functions of a group, and which parameters, pointers, are bits of floats */
  NbMap *owners; /* NbPassedMemory, by class: the caller's memory that it is, where that is known */
  NbMap *leaving;     /* classes whose bytes are, or are not, copied on to others' memory */
  NbMap *arrivals;    /* by class: what nb_types_gets_pointers said, and of which facts */
  unsigned version;   /* of the facts: another in each round, and with each that is new */
  NbMap *pointerless; /* by class: what pointerless.c found of its places */
  bool changed;
  bool solved, proving;   /* is that asked already, and is it being asked? */
  bool recurs;            /* of a group: it does, or what calls it */
  NbMap *members, *given; /* NbMembers, by class: see members.c */
  /* Of facts about a member of a class alone, `places` being that member's; else NULL. */
  NbTypes *whole;
  NbClass *class;
  const struct NbMembers *others; /* all that it was solved with */
};

/* --- members.c: what accesses say of each member of a class by itself. --- */
enum { NB_MOST_MEMBERS = 32 };

typedef struct NbMembers {
  NbTypes *items[NB_MOST_MEMBERS];
  unsigned count;
} NbMembers;

/* The facts about each member of the class, made when first asked for; none where they
 * would be those of the class. */
const NbMembers *nb_types_members(NbTypes *types, NbClass *class);
/* The same for a caller: parameters, too, are members, as the caller knows where they point. */
const NbMembers *nb_types_given(NbTypes *types, NbClass *class);
/* The facts about the pointer's memory: about each member that it may lead to, or the class's. */
NbMembers nb_types_reached(NbTypes *types, LLVMValueRef pointer);
/* Where the piece of a layout of the pointer's memory lies, each time that it repeats. */
NbOffsets nb_types_piece_place(const NbTypes *types, LLVMValueRef pointer, const NbPiece *piece);
/* Does the pointer lead to what the facts are about? */
bool nb_types_reach(const NbTypes *types, LLVMValueRef pointer);
/* May memory of the class, of the member that the facts are about, be accessed elsewhere? */
bool nb_types_outlives(const NbTypes *types, NbClass *class);
/* Is the answer true for some member that the pointer leads to, or are there none? */
typedef bool (*NbMemberTest)(NbTypes *types, LLVMValueRef pointer, const void *user);
bool nb_types_any_member(NbTypes *types, LLVMValueRef pointer, NbMemberTest test, const void *user);

/* --- types.c: layouts by the facts about one class or member alone. --- */
/* Of the `size` bytes at the pointer, and of a transfer between what the two sets of facts are
 * about.
 */
NbLayout nb_facts_layout(NbTypes *types, LLVMValueRef pointer, uint64_t size);
NbLayout nb_facts_transfer(NbTypes *to, NbTypes *from, const NbCall *what);

/* --- tags.c: what TBAA says. --- */

/* What it calls a format, and the bytes of an element of an array: a long double has some that
 * nobody looks at. */
typedef struct NbNamedFloat {
  const char *name;
  uint64_t size;
  LLVMTypeRef (*type)(LLVMContextRef llvm);
} NbNamedFloat;

/* NULL where the name is of another type. */
const NbNamedFloat *nb_named_float(const char *name);
/* Does a type promise that a number of the format that is accessed lies there? */
bool nb_access_is_promised(LLVMValueRef access);
/* Are the `bytes` bytes that are copied floats, one beside the other? */
bool nb_tags_say_floats(NbTypes *types, LLVMValueRef copy, LLVMValueRef bytes, NbPiece *piece);

/* --- fields.c: what it says of a struct that is copied. --- */
enum { NB_MOST_FIELDS = 64 };

typedef struct NbTaggedField {
  uint64_t offset, size;
  NbKind kind;               /* UNKNOWN: of characters, which may be anything */
  const NbNamedFloat *named; /* of floats, else NULL */
  LLVMValueRef tag;          /* of TBAA */
} NbTaggedField;

/* Fills in up to NB_MOST_FIELDS fields; returns how many, 0 where nothing is said. */
unsigned nb_tags_fields(const NbContext *context, LLVMValueRef copy, NbTaggedField *fields);
/* The parts of which the tags do not tell what they are: characters, and what something speaks
 * against; all of it where tags say nothing. */
unsigned nb_tags_untold(NbTypes *types, LLVMValueRef copy, const NbCall *what,
                        NbTaggedField *untold);
/* The layout of what is copied, if the tags tell all. */
bool nb_tags_say_fields(NbTypes *types, LLVMValueRef copy, const NbCall *what, NbLayout *layout);

/* --- facts.c: what accesses say. --- */
void nb_facts_solve(NbTypes *types);
/* What globals and parameters are declared to be. */
void nb_facts_start(NbTypes *types);
/* The instructions that say something, and what each of them says, once. */
NbList nb_facts_visited(const NbTypes *types, NbArena *arena);
void nb_facts_visit(NbTypes *types, const NbList *instructions);
NbFacts *nb_facts_of(NbTypes *types, NbClass *class);
/* Where integers are accessed, or pointers only moved, in memory of the class, here and in what is
 * called. */
NbFacts *nb_facts_of_integers(NbTypes *types, NbClass *class);
/* Where what may be anything is moved as numbers, likewise; of the kind of floats where it may be
 * other floats alone. */
NbFacts *nb_facts_of_moves(NbTypes *types, NbClass *class);
NbFacts *nb_facts_of_unions(NbTypes *types, NbClass *class);
/* Is it declared that there are unions among the `size` bytes? */
bool nb_types_in_union(NbTypes *types, LLVMValueRef pointer, uint64_t size);
/* Among those that the layout of what is copied to or from there has as pointers? */
bool nb_types_moves_union(NbTypes *types, LLVMValueRef end, const NbLayout *layout);
/* Does the fact say what lies there only if an index leads out of its array? */
static inline bool nb_fact_is_beyond(const NbFact *fact) { return fact->beyond || fact->further; }

/* From an access, as an index within its array leads? */
static inline bool nb_fact_is_within(const NbFact *fact) {
  return !fact->declared && !nb_fact_is_beyond(fact);
}

/* Is the instruction an access of 64 bits as an integer that is only moved, and may be one number
 * or several? LLVM makes such ones of copies of structs. */
bool nb_access_is_unknown_word(LLVMValueRef instruction);
/* Is it about a word that only the declaration of what is copied says to be an integer? */
static inline bool nb_fact_is_declared_word(const NbFact *fact) {
  return fact->declared && fact->kind == NB_KIND_INTEGER && fact->size == sizeof(uint64_t);
}

/* Do such accesses tell of the kind in the `size` bytes at the place? */
bool nb_facts_tell(const NbFacts *facts, const NbOffsets *place, uint64_t size, NbKind kind);
/* What a load or store says about the bytes that it accesses, where it is of a scalar or a vector:
 * UNKNOWN for an integer that may carry anything. */
NbKind nb_facts_of_access(LLVMValueRef access);

/* What the pointer is an offset from. */
LLVMValueRef nb_object_of(LLVMValueRef pointer);

/* What is stored or loaded there, integers or pointers, is the bits of floats. */
void nb_facts_add_bits(NbTypes *types, LLVMValueRef pointer, LLVMTypeRef type);
/* Lowers its rank to what its place allows. */
void nb_facts_rank(NbFact *fact);
/* Adds one to a list; duplicates are dropped. */
void nb_facts_add_to(NbTypes *types, NbFacts *facts, NbFact fact);
/* The same place, written in one form: its base within the first period. */
NbOffsets nb_facts_normal(NbOffsets place);
/* Is nothing but pointers ever put into the memory, all of it by functions that are seen? */
bool nb_facts_of_pointers_alone(NbTypes *types, NbClass *class);
/* Is all that is put into memory of the class put there by functions that are seen? */
bool nb_types_is_own(NbTypes *types, NbClass *class);
/* The same of memory of which accesses tell nothing but pointers, if moves between such memory move
 * pointers: see arrive.c. */
bool nb_types_gets_pointers(NbTypes *types, NbClass *class);
/* The same of bytes at a place in it. */
bool nb_types_gets_pointers_at(NbTypes *types, NbClass *class, const NbOffsets *place,
                               uint64_t size);
/* Does the row say that no memory is written, or only given and taken? */
bool nb_rule_leaves_memory(const NbRule *rule);

/* --- pointerless.c --- */
/* Do pointers and floats lie in the few bytes, in memory that leads to memory like it, as accesses
 * tell, and does no pointer come there but null? */
bool nb_types_is_pointerless(NbTypes *types, LLVMValueRef pointer, uint64_t size);
/* Is what is loaded as a pointer only moved, and all of it from such memory? */
bool nb_types_moves_numbers(NbTypes *types, LLVMValueRef load);
/* Do the objects of the class start at multiples of `align`, as far as is known? */
bool nb_facts_starts_aligned(const NbClass *class, uint64_t align);
/* Where an access of this alignment goes. */
NbOffsets nb_facts_aligned_place(const NbTypes *types, LLVMValueRef pointer, NbOffsets place,
                                 uint64_t align);
NbOffsets nb_facts_accessed_place(const NbTypes *types, LLVMValueRef pointer, uint64_t align);
/* Adds one of what the class holds. */
void nb_facts_add(NbTypes *types, NbClass *class, NbFact fact);
/* The same of what a function without a body accesses: integers are told of as such, too. */
void nb_facts_add_number(NbTypes *types, NbClass *class, NbFact fact);
/* Adds facts of `type`, as a front end declared it, at `place`; nothing where the type may be a
 * representative of a union's, or is not a declared one. */
void nb_facts_declare(NbTypes *types, NbClass *class, NbOffsets place, LLVMTypeRef type);

/* --- room.c: what is declared, and says nothing of what is moved. --- */
/* Are all leaves of the type integers? */
bool nb_type_is_of_words(LLVMTypeRef type);
/* Is the local variable only copied and filled, by parts, or has it integers alone? */
bool nb_variable_is_room(NbTypes *types, LLVMValueRef variable);

/* --- flows.c: what a copy moves, and what is said of a call. --- */
/* The alignment that the call promises of an argument; else 1. */
uint64_t nb_facts_argument_align(LLVMValueRef call, LLVMValueRef argument);
/* The floats that are accessed where a pointer, which is only moved, comes from lie where it goes
 * to, too, and the other way round. */
void nb_facts_visit_move(NbTypes *types, LLVMValueRef store);
void nb_facts_visit_call(NbTypes *types, LLVMValueRef call);

/* --- rows.c: what a call of a library function says. --- */
void nb_facts_add_row(NbTypes *types, LLVMValueRef call, const NbCall *what);

/* --- extents.c: objects end. --- */
/* Finds where the objects of the class begin and end, if all are variables of the graph's
 * functions.
 */
void nb_facts_find_extent(const NbTypes *types, NbClass *class, NbFacts *facts);
/* The same fact where its memory lies in another's at `shift`. */
void nb_facts_shift(NbFact *fact, NbOffsets shift);
/* Cuts off what the fact says outside of the objects, unless it repeats without end; false where
 * nothing is left. */
bool nb_facts_clip(NbFact *fact, const NbFacts *facts);

/* --- inherit.c: facts about parameters and result that the primal of a working copy knows, and,
 * where no access is seen, the callers of the primal. --- */
void nb_facts_inherit(NbTypes *types);
void nb_facts_inherit_from_callers(NbTypes *types);

/* Do callers tell a working copy of the function of a float where the fact of the group is? */
bool nb_facts_callers_tell_float(NbTypes *group, LLVMValueRef callee, NbClass *class,
                                 const NbFact *fact);
/* Is the number, which is only moved, a pointer wherever it is loaded from and stored to? */
bool nb_types_moves_pointer(NbTypes *types, LLVMValueRef value);
/* Is it one of bytes that are declared, and may be storage for anything? */
bool nb_fact_is_storage(const NbFact *fact);

/* Solves on, where facts were added. */
void nb_facts_solve_on(NbTypes *types);

/* --- passed.c: what a user's call passes. --- */

/* The memory behind an argument. */
typedef struct NbPassedMemory {
  NbTypes *types;
  NbClass *class;       /* of one object by itself; else NULL */
  NbOffsets origin;     /* where the argument points in its class */
  LLVMTypeRef declared; /* of the variable that it points into; else NULL */
  NbOffsets at;         /* where in the variable */
  bool handed;          /* a working copy's call passes it: all that happens to it is seen */
} NbPassedMemory;

struct NbPassed {
  const NbPassedMemory *items; /* by argument */
  unsigned count;
  const char *text;
};

/* Does the function move bytes behind its parameters of which it does not tell what they are? */
bool nb_facts_moves_untold(NbTypes *types, LLVMValueRef function);
/* What the arguments are given, and that as text; NULL where nothing is known of any. */
const NbPassed *nb_passed_of(NbArena *arena, const NbPassedMemory *items, unsigned count);
/* Adds what is said of what the parameter is given. */
void nb_facts_adopt(NbTypes *types, LLVMValueRef parameter, const NbPassedMemory *memory);

/* The group's types, made once. */
NbTypes *nb_types_of_group(NbObjects *group);
/* As nb_types_of, in an arena of the caller's. */
NbTypes *nb_types_in(NbContext *context, NbArena *arena, NbObjects *objects);

/* elements.c: copies of which only the writes before them tell what they move are taken apart; true
 * where there were any. The types hold for the function as it was. Adds the calls in which such
 * writes are. */
bool nb_types_split_copies(NbTypes *types, LLVMValueRef function, NbList *hidden);

/* bits.c: finds what the functions of a group make of the bits of floats. */
void nb_types_find_bits(NbTypes *types);
/* Is a float known to lie where an integer or a pointer is loaded or stored, or the bits of one to
 * be stored there? */
bool nb_types_moves_bits(NbTypes *types, LLVMValueRef access);
/* May the function, which has a body, return the bits of a float as an integer: as that element of
 * a struct, or at all (NB_ANY_ELEMENT)? */
bool nb_types_returns_bits(NbTypes *types, LLVMValueRef callee, unsigned element);
/* unboxed.c: where the pointers are loaded that the instruction makes floats of, or hands to a
 * function that does. */
void nb_types_visit_unboxed(NbTypes *types, LLVMValueRef function, LLVMValueRef at);
/* numbers.c: is what is loaded or stored a number, as the program declares the very member, though
 * floats lie at that offset in other objects of the class? */
bool nb_types_declared_number(NbTypes *types, LLVMValueRef access);
/* Is it declared to be of an integer, or told in memory of the function's own, where a float that
 * is as long may lie all the same? Not where neither tags nor passes tell members apart, and short
 * floats lie beside integers in many structs. */
bool nb_types_breaks_promise(NbTypes *types, LLVMValueRef access);
/* Is the integer, no constant, made of such numbers and of what is used as one? */
bool nb_types_made_of_numbers(NbTypes *types, LLVMValueRef value);
/* Is a member of the type declared `offset` bytes behind the pointer, likewise? */
bool nb_types_declared_integer_at(NbTypes *types, LLVMValueRef pointer, int64_t offset,
                                  LLVMTypeRef type);
/* The same of a pointer. */
bool nb_types_declared_pointer(NbTypes *types, LLVMValueRef access);

/* `told`: does it say its type? */
NbIndirect nb_indirection_of(const NbTypes *types, LLVMValueRef access, bool told);

/* How the language promises what lies at a place. */
typedef struct NbPromise {
  bool tagged;   /* by a tag */
  bool typed;    /* by what stands for one: nb_access_is_typed */
  bool declared; /* by the declaration of a variable, or of pointers */
  bool linked;   /* of a struct, or a pointer, which others of its class may be linked with */
  bool noted;    /* by the struct that is named in the source, or copied */
} NbPromise;

/* Do accesses of floats in the `size` bytes at the place speak against it? An index that would have
 * to lead out of its array does not. */
bool nb_facts_speak_against(const NbFacts *facts, const NbOffsets *place, uint64_t size,
                            NbPromise promise);

/* --- moves.c --- */
/* Is the integer cast from a float, or to one, or joined with one that is, and not computed with?
 * Then no type of the program's tells that it is a number. */
bool nb_value_is_bits(LLVMValueRef value);
/* Is it only loaded, stored, returned, and handed to functions that do no more with it? */
bool nb_pointer_is_moved(LLVMValueRef pointer);
/* Is it more than compared, or accessed through: stored, returned, or passed on? */
bool nb_pointer_is_kept(NbContext *context, LLVMValueRef pointer);
/* Does a call that takes it do so? */
bool nb_pointer_is_kept_by(NbContext *context, LLVMValueRef call, unsigned index);

/* Has the type a leaf that is an integer? */
bool nb_types_has_integer(LLVMTypeRef type);

/* signs.c: what is done to the sign bit of a float of which the integer is the bits, and no more;
 * the same done to the float. */
typedef enum NbSignChange {
  NB_SIGN_KEPT, /* it is no such operation */
  NB_SIGN_FLIPPED,
  NB_SIGN_CLEARED,
  NB_SIGN_SET
} NbSignChange;
NbSignChange nb_sign_change_of(LLVMValueRef integer);
/* By how much is added to the exponent of a float of which the integer is the bits, and no more; 0
 * where it is no such operation. */
unsigned nb_exponent_raise_of(LLVMValueRef integer);
/* The integer that `integer` is but for its sign, its exponent or its end (overwrites.c), if it is
 * the bits of a float; NULL where it is none of these. */
LLVMValueRef nb_bits_change_source(LLVMValueRef integer);
/* What such an operation does, `integer`, done to the float. */
LLVMValueRef nb_bits_change_build(NbContext *context, LLVMBuilderRef builder, LLVMValueRef integer,
                                  LLVMValueRef value);
LLVMValueRef nb_sign_change_build(NbContext *context, LLVMBuilderRef builder, NbSignChange change,
                                  LLVMValueRef value);
/* signs.c: where the run tells whether a sign is changed, by a mask of it or of nothing, makes a
 * choice of that; true where there was any. */
bool nb_types_choose_signs(NbContext *context, LLVMValueRef function);
/* signs.c: rewrites arithmetic on sign bits into that on floats; true where there was any. */
bool nb_types_rewrite_signs(NbContext *context, LLVMValueRef function);

/* exponents.c: what is left of a float's bits without its fraction is computed from a copy without
 * derivative, and what keeps nothing but the fraction is made by the runtime; true where there was
 * any. */
bool nb_types_rewrite_exponents(NbContext *context, LLVMValueRef function);

/* Do objects of different makes share the class, or the member of it that the facts are about? */
bool nb_types_is_mixed(const NbTypes *types, NbClass *class);
/* --- parts.c --- */
/* May there be a float of which `size` bytes that begin there in the object are a part only, or,
 * where they are floats of `type`, one of another format among them? */
bool nb_types_splits(NbTypes *types, NbClass *class, const NbOffsets *first, uint64_t size,
                     LLVMTypeRef type);

/* masks.c: rewrites choices by masks of the bits of floats into selects; true where there were any.
 */
bool nb_types_rewrite_masks(NbContext *context, LLVMValueRef function);
/* Puts in the place of each instruction what stands for it, if anything does; true where it did. */
typedef LLVMValueRef (*NbReplacement)(NbContext *context, LLVMBuilderRef builder, LLVMValueRef at);
bool nb_types_replace_each(NbContext *context, LLVMValueRef function, NbReplacement replacement);

/* --- cuts.c --- */
/* Is the integer, cut out of a wider one, the bits of a float? */
bool nb_cut_feeds_float(LLVMValueRef cut);
/* Floats that are cut out of the bits of a vector of their kind are extracted from it, and those
 * that are cut out of an integer that is used as one, too, are loaded by themselves. */
bool nb_types_rewrite_cuts(NbContext *context, LLVMValueRef function);
/* Integers that are put together of all the parts of one are that one; true where there was any. */
bool nb_types_rejoin(NbContext *context, LLVMValueRef function);

/* --- overwrites.c --- */
/* The word `of` with its `count` lowest bits, at most half of them, those of `value`. */
typedef struct NbOverwrite {
  LLVMValueRef of, value;
  unsigned count;
} NbOverwrite;
bool nb_overwrite_of(LLVMValueRef integer, NbOverwrite *found);
/* Does so with a float. */
LLVMValueRef nb_overwrite_build(NbContext *context, LLVMBuilderRef builder, const NbOverwrite *end,
                                LLVMValueRef value);

/* widened.c: neighbouring integers that move a wider float are moved as one; true where there were
 * any. */
bool nb_types_widen_moves(NbContext *context, LLVMValueRef function);
/* Does a float lie there that is wider than `size`, what is moved at once? */
bool nb_types_cuts_float(NbTypes *types, LLVMValueRef pointer, uint64_t size);

/* choices.c: takes choices between structs apart; true where there were any. */
bool nb_types_split_choices(NbContext *context, LLVMValueRef function);

/* casts.c: what is loaded or stored as a pointer, and is the bits of a number for all that is seen,
 * is loaded and stored as that; true where there was any. */
bool nb_types_rewrite_casts(NbContext *context, LLVMValueRef function);

/* shuffles.c: rewrites shuffles of parts of floats into such of floats, and casts of casts; true
 * where there were any. */
bool nb_types_rewrite_shuffles(NbContext *context, LLVMValueRef function);

/* May memory of the class hold a float anywhere? */
bool nb_types_class_may_be_float(NbTypes *types, NbClass *class);
/* Is a number of at most four bytes, in the class behind `pointer`, known among the four bytes from
 * `slot` on, and nothing longer? For `declared`: declarations are believed, too. */
bool nb_facts_has_short_number(NbTypes *types, LLVMValueRef pointer, const NbOffsets *slot,
                               bool declared);
/* Does no access tell of the four bytes `offset` bytes behind `pointer`, unless an index leads out
 * of its array? */
bool nb_facts_are_untold(NbTypes *types, LLVMValueRef pointer, uint64_t offset);
/* Is a float of at most `most` bytes accessed among the `size` bytes, as far as its index leads? */
bool nb_facts_meet_float(NbTypes *types, LLVMValueRef pointer, uint64_t size, uint64_t most);
/* Does anything tell of a float among the four bytes at `pointer`? */
bool nb_facts_tell_float(NbTypes *types, LLVMValueRef pointer);

#endif
