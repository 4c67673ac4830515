// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Names that nabla gives to declarations which one stage makes and a later one takes away, and
 * those of tables that C++ compilers make. */
#ifndef NABLA_BASE_NAMES_H
#define NABLA_BASE_NAMES_H

/* How the names of all declarations of nabla's own begin, and those of its runtime. */
#define NB_OWN_PREFIX "__nabla_"
/* The metadata in which registrations wait for the requests. */
#define NB_NOTES "nabla.registrations"
/* A global that leads to what only metadata names, until the requests are served. */
#define NB_ANCHOR_PREFIX "nabla.anchor."
/* A collected call of an entry point; what follows says what was asked for (request/collected.h).
 */
#define NB_REQUEST_PREFIX "__nabla_request."
/* A call that says what memory holds: the word of its elements, how many there are (0: all of it,
 * or as many bytes as a second argument says), and the bytes of one follow (request/sites.c). */
#define NB_HINT_PREFIX "__nabla_hint."
/* A function with a row of the user's and a body, hidden from the optimiser until the requests are
 * served; its own name follows. */
#define NB_HELD_PREFIX "__nabla_held."
/* Where the body of a function is that the linker may replace, while the requests are served; its
 * own name follows (request/interposable.c). */
#define NB_HIDDEN_PREFIX "__nabla_hidden."
/* What stands for a function in a call that is without derivative, until the requests are served;
 * its own name follows (request/sites.c). */
#define NB_INACTIVE_PREFIX "__nabla_inactive."
/* Between the name of a local function, which the link step must find, and a number of its file; a
 * row is found by the name alone. */
#define NB_LOCAL_INFIX ".nabla."
/* Behind the name of a function: the same, but members of structs are parameters and results
 * (request/members.c). */
#define NB_MEMBERS_SUFFIX NB_LOCAL_INFIX "members"
/* A function of <complex.h> that takes the parts of its arguments; its own name follows. */
#define NB_PARTS_PREFIX "__nabla_parts."
/* A function that calls one for which a rule stands; one that returns the members of what another
 * returns in registers (request/unpacked.c); the name of the called function follows. */
#define NB_WRAPPED_PREFIX "__nabla_wrapped."
#define NB_UNPACKED_PREFIX "__nabla_unpacked."
/* A copy of a function in which calls through pointers are calls by name. */
#define NB_DIRECT_PREFIX "nabla.direct."
/* A copy of a function in which variable arguments lie in memory. */
#define NB_VARIABLE_PREFIX "nabla.variable."
/* A copy of a function in which results and parameters go through memory. */
#define NB_THROUGH_PREFIX "nabla.through."
/* The attribute of such a copy, and of all copies of it. */
#define NB_THROUGH_MARK "nabla.through"
/* The attribute of functions that ask for what ThinLTO's link step gives: they are not to be copied
 * before. */
#define NB_WAITS "nabla.waits"
/* What a landing finds: prepare's, in the place of a landing pad. */
#define NB_THROWN_OBJECT "__nabla_thrown_object"
/* The attribute of the body of a marked loop as a function, and of all copies of it. */
#define NB_MARKED_STEP "nabla.marked"
/* The metadata of accesses to integers of structs that nothing else tells from bits. */
#define NB_INTEGER_FIELD "nabla.integer"
#define NB_POINTER_FIELD "nabla.pointer"
/* The same of pointers in structs that have other members: nobody lays such a one over numbers. */
#define NB_LINK_FIELD "nabla.link"
/* The metadata of such ones to integers that are only moved, in structs of nothing else: until all
 * that is moved as integers has become numbers, they may be some. */
#define NB_WORD_FIELD "nabla.word"
/* The groups of accesses of which the first of these is noted, of each file, by their width: LLVM
 * drops notes that it does not know where it makes one access of two, and keeps groups that both
 * are in. */
#define NB_INTEGER_FIELDS "nabla.integers"
/* The groups of accesses of numbers, and of integers, as what lies there, in turn, of each file
 * without TBAA (objects/typed.c). */
#define NB_TYPED_ACCESSES "nabla.typed"
/* The metadata of copies and fills whose number of bytes is written as a multiple of a constant. */
#define NB_NOTED_UNIT "nabla.unit"
/* The same of those that lead into arrays in structs: how many bytes lie at most between where they
 * begin and what is of another type behind the array (objects/within.c). */
#define NB_NOTED_WITHIN "nabla.within"
/* The root and the types of the tags (TBAA) that we give to what is copied: the member of a union,
 * which may be anything, bytes of which nothing is said, and what is declared to be an integer
 * (request/unions.c). */
#define NB_TBAA_ROOT "nabla TBAA"
#define NB_TBAA_UNION "union member"
#define NB_TBAA_BYTES "bytes"
#define NB_TBAA_INTEGER "integer"
/* The metadata of accesses whose address is computed with indices into arrays in structs: what is
 * accessed or written, and what is copied from (request/indices.c). */
#define NB_NOTED_PLACE "nabla.place"
#define NB_NOTED_SOURCE "nabla.place.source"
/* The same where the address leads, by constants alone, into a struct that the front end names: how
 * far into it, and its type. */
#define NB_NOTED_STRUCT "nabla.struct"
#define NB_NOTED_STRUCT_SOURCE "nabla.struct.source"
/* The groups of accesses to characters, in walks through arrays of these, and of each how many
 * there are before and behind where they begin (objects/characters.c). */
#define NB_CHARACTERS "nabla.characters"

/* The metadata of integers that are checked when the program runs: what comes through is no bits of
 * a number with a derivative (activity/tags.h). */
#define NB_CHECKED_INTEGER "nabla.checked"

/* The metadata of an index that was a recurrence before it was written in terms of its loop's
 * counter: the least value that it has (prepare/flow.c). */
#define NB_LEAST_INDEX "nabla.least"

/* The metadata of accesses of which nabla knows for certain what they move: to integers and
 * pointers in memory of its own, and of what copies are taken apart into (types/slots.h). */
#define NB_TAPE_SLOT "nabla.slot"
/* The same as a tag (TBAA), root and type, which LLVM keeps where it makes one access of two. */
#define NB_TBAA_SLOT "nabla slot"

/* The metadata of virtual calls: of which class they are, and the slot (direct/tables.h). */
#define NB_CALLED_CLASS "nabla.class"

/* The metadata of the calls (nb_build_barrier) that are the addresses of variables in a tape: LLVM
 * adds no constant of an index to the address of the field there, so that the field is known by it
 * (tidy/tape.c). */
#define NB_TAPE_VARIABLE "nabla.variable"

/* The metadata of accesses that move as a float what may be an integer, and of casts of such
 * integers (types/carriers.c). */
#define NB_EITHER_MOVED "nabla.either"

/* The metadata of copies of what is left of something that was overwritten in part
 * (types/elements.c). */
#define NB_REST_COPY "nabla.rest"

/* In the C++ ABI's names: virtual tables, tables of these, and descriptions of types. */
#define NB_CXX_VTABLE_PREFIX "_ZTV"
#define NB_CXX_VTABLES_PREFIX "_ZTT"
#define NB_CXX_TYPE_PREFIX "_ZTI"
/* All functions of C++, and those declared static. */
#define NB_CXX_PREFIX "_Z"
#define NB_CXX_STATIC_PREFIX "_ZL"
/* Rust's names: the prefix, behind which a letter says what kind of path follows; in the older
 * names what stands before the digits of a hash. */
#define NB_RUST_PREFIX "_R"
#define NB_RUST_KINDS "CMXYNI"
#define NB_RUST_HASH_PREFIX "17h"

/* Constants that offer the derivatives of a function to other files (request/exports.c). */
#define NB_EXPORT_PREFIX "__enzyme_sep_"

#endif
