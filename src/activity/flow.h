// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Activity from the inside: bits on values and classes. */
#ifndef NABLA_ACTIVITY_FLOW_H
#define NABLA_ACTIVITY_FLOW_H

#include "activity/activity.h"
#include "objects/graph.h"
#include "types/facts.h"

enum {
  NB_VARIED = 1,   /* depends on an active input */
  NB_USEFUL = 2,   /* reaches an active output */
  NB_SHADOWED = 4, /* of a class: a shadow comes or goes with a pointer to it */
  NB_CONST = 8,    /* of a class: reached from a parameter with role CONST */
  NB_GUARDED = 16, /* of a class: the shadow of a pointer to it may be the pointer itself */
  NB_PUNNED = 32   /* of a pointer: it may be the bits of a varied float */
};

struct NbActivity {
  NbContext *context;
  const NbRequest *request;
  LLVMValueRef function;
  NbObjects *objects;
  NbTypes *types;
  NbMap *values;  /* to bits */
  NbMap *classes; /* to bits */
  NbMap *carried; /* classes, to where integers with the bits of a varied float are stored */
  NbMap *copied;  /* calls that copy or fill, to the layout of what they move */
  NbMap *copies;  /* accesses, to whether floats may be among what they move */
  NbMap *bounds;  /* calls with a binding, to what of it matters (in flow.c) */
  NbMap *globals; /* those that have a shadow */
  NbMap *regions; /* classes that the request's regions are, to flags; NULL where it has none */
  bool changed, refused;
};

/* Beside the flags of regions in a request. */
enum {
  NB_REGION_SHADOWED = 4,
  NB_REGION_OTHER = 32 /* one of the regions that it may be is not REUSED */
};

/* --- regions.c --- */
void nb_activity_find_regions(NbActivity *activity);
/* What the caller says of the class: flags of regions. */
unsigned nb_activity_region(const NbActivity *activity, NbClass *class);

/* --- flow.c: the fixed point. --- */
void nb_activity_flow(NbActivity *activity);
/* Marks all that is reachable from the class. */
void nb_activity_spread(NbActivity *activity, NbClass *class, unsigned bits);
void nb_activity_mark(NbActivity *activity, LLVMValueRef value, unsigned bits);
void nb_activity_mark_class(NbActivity *activity, NbClass *class, unsigned bits);
unsigned nb_activity_bits(const NbActivity *activity, LLVMValueRef value);
/* Is it an integer, no constant, that may carry the bits of a varied float? */
bool nb_activity_is_carrier(const NbActivity *activity, LLVMValueRef value);
/* Does the call compute an integer of integers alone, as operations do? Intrinsics of other than
 * two may give the bits in another order. */
bool nb_activity_computes_bits(const NbActivity *activity, LLVMValueRef call);
unsigned nb_activity_class_bits(const NbActivity *activity, NbClass *class);
/* May memory of the class hold varied floats, as far as anyone can see? False for the memory of a
 * CONST parameter alone. */
bool nb_activity_class_varied(const NbActivity *activity, NbClass *class);
bool nb_activity_class_active(const NbActivity *activity, NbClass *class);
/* May a pointer to the class have no shadow, so that it is its own? */
bool nb_activity_class_mixed(const NbActivity *activity, NbClass *class);
/* Is it active, or does a shadow come or go with a pointer to it? */
bool nb_activity_class_shadowed(const NbActivity *activity, NbClass *class);
/* The same for it, or a class reachable from it. */
bool nb_activity_reaches(const NbActivity *activity, NbClass *class,
                         bool (*test)(const NbActivity *, NbClass *));
/* Is the memory a CONST parameter's and nothing else's? */
bool nb_activity_is_const(const NbActivity *activity, NbClass *class);
/* Does a call of a function with a body pass numbers that vary, or does the body read such? */
bool nb_activity_takes_varied(const NbActivity *activity, LLVMValueRef call);
/* The layout of what a copy moves, or of what is filled. */
const NbLayout *nb_activity_copied(const NbActivity *activity, LLVMValueRef call);
bool nb_activity_copies_float(const NbActivity *activity, LLVMValueRef call);

/* --- bits.c: integers with the bits of a varied float. --- */
/* They are stored in the `size` bytes at the place. */
void nb_activity_carry(NbActivity *activity, NbClass *class, NbOffsets place, uint64_t size);
/* Those that a copy of `size` bytes takes are stored where it goes. */
void nb_activity_carry_copied(NbActivity *activity, const NbCall *copy, uint64_t size,
                              const NbLayout *layout);
/* May they be anywhere in the class? */
bool nb_activity_class_carries(const NbActivity *activity, NbClass *class);
/* Does the callee access them, or floats of which it does not know that they are floats, as
 * integers? */
bool nb_activity_works_on_bits(const NbActivity *activity, LLVMValueRef call);
/* The same of one class of the callee's. */
bool nb_activity_works_on_class(const NbActivity *activity, LLVMValueRef call, NbClass *theirs);
/* Does the callee work on bits of floats, and is what it gives needed? */
bool nb_activity_is_bit_call(const NbActivity *activity, LLVMValueRef call);
/* What a callee that takes something varied stores as integers: bits that it makes of floats, or
 * for `all`, where it works on bits, anything. */
void nb_activity_carry_through(NbActivity *activity, LLVMValueRef call, bool all);
/* Carries the bits at that place on where the callee copies them to memory in which no float is
 * known there, if they are varied; false where it does not. */
bool nb_activity_carry_to(NbActivity *activity, const NbTransfer *copy, NbOffsets place,
                          uint64_t size);
/* The same of all bits in integers. */
bool nb_activity_carry_on(NbActivity *activity, const NbTransfer *copy);

/* --- copies.c --- */
/* What callees copy from memory where floats lie to where no fact says so. */
void nb_activity_flow_copies(NbActivity *activity);

/* --- globals.c --- */
/* Before the flow: what the caller chose, or the user declared. */
void nb_activity_seed_globals(NbActivity *activity);
/* After it: which globals have a shadow. */
void nb_activity_choose_globals(NbActivity *activity);
/* Has the class memory that is no constant argument's: the function's own, a global's that may
 * change, or what others made? */
bool nb_activity_owns(const NbActivity *activity, const NbClass *class);
/* Refuses globals that need a shadow and cannot have one. */
void nb_activity_check_globals(NbActivity *activity);
/* Refuses a call of unknown code, which may change globals that have a shadow. */
void nb_activity_check_outside(NbActivity *activity, LLVMValueRef call, const NbCall *what);

/* --- tags.c --- */
/* Gives memory tags that tell integers from numbers, and checks what is read, where the integers
 * would be refused; true where it changed the function. */
bool nb_activity_tag(NbActivity *activity);
/* The calls that must be inlined first, for what they do with such memory to be seen. */
NbList nb_activity_tag_calls(NbActivity *activity);

/* --- parts.c --- */
/* Refuses a write over a part of a number that is read afterwards. */
bool nb_activity_check_part(NbActivity *activity, LLVMValueRef inst);

/* --- pointers.c: pointers that may be the bits of a varied float. --- */
/* In the fixed point: what the instruction makes of them. */
void nb_activity_flow_pointer(NbActivity *activity, LLVMValueRef inst);
/* Refuses one that is lost sight of. */
bool nb_activity_check_pointer(NbActivity *activity, LLVMValueRef user);

/* --- words.c: pointers that are moved as numbers. --- */
/* Does the callee move pointers of ours as numbers? */
bool nb_activity_moves_pointers(const NbActivity *activity, LLVMValueRef call);
/* Refuses where that is done here. */
bool nb_activity_check_word(NbActivity *activity, LLVMValueRef inst);

/* --- formats.c: doubles that may be floats. --- */
/* Does the callee move such numbers of ours? */
bool nb_activity_hands_floats(const NbActivity *activity, LLVMValueRef call);
/* Refuses where such are moved that cannot be told apart. */
bool nb_activity_check_formats(NbActivity *activity, LLVMValueRef inst);

/* --- lost.c --- */
/* Warns of numbers with a derivative that go through constant memory. */
void nb_activity_warn_of_lost(NbActivity *activity);

/* --- thrown.c --- */
/* Refuses an exception that carries numbers and whose destructor may do something with them. */
bool nb_activity_check_thrown(const NbActivity *activity, LLVMValueRef call, const NbCall *what);
/* The same where who throws it is called, has no derivative here, and takes numbers that vary. */
bool nb_activity_check_throwing(const NbActivity *activity, LLVMValueRef call, const NbCall *what);
/* Where numbers of the class are thrown, or an exception in it is caught and looked at; or NULL. */
LLVMValueRef nb_activity_exception(const NbActivity *activity, const NbClass *class);

/* --- told.c --- */
/* Refuses a call of a function without derivative, as the user says, that stores pointers where
 * some with a shadow lie. */
bool nb_activity_check_told(const NbActivity *activity, LLVMValueRef call);

/* Refuses a call with pointers to pointers of a function that is known by the registration alone.
 */
bool nb_activity_check_untold(const NbActivity *activity, LLVMValueRef call);

/* --- refuse.c --- */
void nb_activity_check(NbActivity *activity);
typedef bool NbCallTest(const NbActivity *activity, LLVMValueRef call, const NbCall *what);
/* A call that does not pass the test, in `function` or in what is called there in turn, where
 * `given` also in functions whose derivatives are given; NULL. */
LLVMValueRef nb_activity_find_call(const NbActivity *activity, LLVMValueRef function, bool given,
                                   NbCallTest *passes);
/* The place to show for a class: where pointers to it meet, else its first access. */
LLVMValueRef nb_activity_place(const NbActivity *activity, NbClass *class);

#endif
