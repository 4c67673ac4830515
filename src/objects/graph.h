// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The graph of classes from the inside, for the stages that hang facts on it: types and activity.
 *
 * One graph serves a group of functions: a working copy alone, or the functions of one cycle of the
 * call graph together (formal and actual parameters are then unified). A call to a function outside
 * the group instantiates the graph of that function's group: the binding of the call tells which
 * class of the caller stands for which class of the callee. */
#ifndef NABLA_OBJECTS_GRAPH_H
#define NABLA_OBJECTS_GRAPH_H

#include "objects/objects.h"
#include "objects/place.h"

/* What is known about the memory of a class: where it comes from, and what is done with it here
 * and in the functions called. */
enum {
  NB_CLASS_STACK = 1 << 0,
  NB_CLASS_HEAP = 1 << 1,
  NB_CLASS_CONSTANT = 1 << 2, /* a constant global */
  NB_CLASS_GLOBAL = 1 << 3,   /* a global that may be written */
  NB_CLASS_UNKNOWN = 1 << 4,  /* an unknown function, or an integer, may know its address */
  NB_CLASS_OPAQUE = 1 << 5,   /* a library function's own memory */
  NB_CLASS_POINTED = 1 << 6,  /* some value of pointer type points here */
  NB_CLASS_READ = 1 << 7,     /* something that may be a float is read */
  NB_CLASS_WRITTEN = 1 << 8,  /* anything is written */
  NB_CLASS_FREED = 1 << 9,
  NB_CLASS_EXTERNAL = 1 << 10, /* exists before or after the function */
  NB_CLASS_FUNCTION = 1 << 11,
  NB_CLASS_UNSEEN = 1 << 12, /* a function that nobody knows reads or writes numbers there */
  NB_CLASS_HANDED = 1 << 13, /* memory goes back to it that was allocated with it */
  NB_CLASS_RECORDS = 1 << 14 /* records of a tape, seen from where each begins */
};

/* Pointers in memory: those found in the `size` bytes at the place point to the target. */
typedef struct NbField {
  NbOffsets place;
  uint64_t size;
  NbClass *target;
  const char *kind; /* which pointers these are, by the tags of all accesses; NULL: any */
  bool stored;      /* by the function, or by one that it calls */
} NbField;

struct NbClass {
  NbClass *parent; /* union-find; itself where it represents */
  NbObjects *graph;
  NbField *fields; /* no two of them meet whose kinds may be the same */
  unsigned field_count, field_capacity;
  unsigned rank, number, flags;
  unsigned visit; /* of which walk it is part: see nb_class_walk */
  NbClass *queued;
  uint64_t parameters;
  NbMap *members;     /* a set: parameters, globals, allocas, allocating calls */
  unsigned alignment; /* of each local variable and global, at least */
  NbList functions;
};

/* The callee's graph as it was instantiated at a call: from the callee's classes to the caller's
 * (both to be looked up with nb_class_find). */
typedef struct NbBinding {
  LLVMValueRef callee;
  NbObjects *group;
  NbMap *classes;
} NbBinding;

typedef struct NbPlaces NbPlaces;
typedef struct NbOrigins NbOrigins;

/* A transfer of bytes between two memories, with the pointers among them. */
typedef struct NbTransfer {
  NbClass *to, *from;
  NbOffsets to_place, from_place;
  uint64_t bytes; /* NB_UNKNOWN_SIZE: any number */
  bool word;      /* a number that is moved: what lies at `to` says nothing of what did at `from` */
  bool bound;     /* of bytes, by a callee */
} NbTransfer;

struct NbObjects {
  NbContext *context;
  NbArena *arena;
  NbList functions;
  NbMap *values, *globals, *results; /* to classes; results by function */
  NbMap *bindings;                   /* by call */
  const NbOrigins *origins;          /* where objects begin; NULL: all at 0 */
  bool asked, hands_unknown;         /* does it, whether it hands unknown bytes on: prepare's */
  bool judged, computes;             /* is it, whether it does nothing but compute: plan's */
  NbClass *unknown;
  NbClass *thrown;  /* what handlers find; NULL: nothing is thrown or caught */
  NbClass *nothing; /* what null points to; NULL until the graph is solved: not to be unified */
  NbPlaces *places; /* of pointers; NULL until the graph is solved */
  NbPlaces *flat;   /* the same, if indices may lead beyond arrays in structs */
  const NbPlaces *guide; /* while it is solved: of the graph without fields; NULL: of this one */
  NbList transfers;      /* NbTransfer */
  bool followed;         /* pointers are, from field to field: all copies are in the list */
  bool forgotten;        /* makes a pointer of an integer, and nobody knows whose address it is */
  bool opaque;           /* runs code that is not known, and may change any memory that this can */
  unsigned count;        /* of numbers given */
  unsigned changes;      /* of fields and classes, counted */
  unsigned walks;        /* counted */
  bool walking;          /* a walk goes through its classes, and asks of each */
  struct NbTypes *types; /* of the group; NULL until asked for */
  /* Calls whose function is not known are left here, and say nothing; NULL: they may do anything
   * with what they get. */
  NbList *deferred;
};

/* A pointer is computed from the integer: what it was computed from itself, down to `depth` steps
 * of arithmetic, is unknown memory then. */
void nb_graph_forget_integer(NbObjects *objects, LLVMValueRef integer, unsigned depth);
/* What is thrown here or in a function that is called, or caught. */
NbClass *nb_graph_thrown(NbObjects *objects);
/* Where the pointer points, as far as that is known before the fields are. */
NbOffsets nb_graph_guess_place(const NbObjects *objects, LLVMValueRef pointer);

/* Is it a derivative, made or asked for? */
bool nb_is_derivative(const NbContext *context, LLVMValueRef function);

/* How a call is to be understood. */
typedef enum {
  NB_CALL_NONE,     /* no call at all */
  NB_CALL_COPY,     /* memcpy and memmove, of any spelling */
  NB_CALL_FILL,     /* memset */
  NB_CALL_ROW,      /* another function with a row in the rules */
  NB_CALL_BODY,     /* a function with a body */
  NB_CALL_HARMLESS, /* an intrinsic, or assembly, that carries neither floats nor pointers to its
                       results */
  NB_CALL_UNKNOWN,  /* a function without body or row */
  NB_CALL_INDIRECT  /* through a pointer, or other inline assembly */
} NbCallKind;

typedef struct NbCall {
  NbCallKind kind;
  LLVMValueRef call;
  LLVMValueRef callee;          /* NULL for INDIRECT and assembly */
  const NbRule *rule;           /* ROW, and COPY and FILL that have one; else NULL */
  NbFormat format;              /* of the row's spelling */
  LLVMValueRef to, from, bytes; /* COPY; FILL without `from` */
  uint64_t unit;                /* of which the bytes are a multiple, as was noted; else 1 */
  uint64_t most;                /* how many there are at most; NB_UNKNOWN_SIZE: any number */
} NbCall;

NbCall nb_call_of(NbContext *context, LLVMValueRef call);
/* How many bytes a COPY or FILL moves at most: as many as it says, or `most`. */
uint64_t nb_call_most(const NbCall *what);
/* Does the call do nothing but compute numbers without a derivative? */
bool nb_call_is_silent(NbContext *context, LLVMValueRef call);
/* Does the call, which manages memory, take the integer for a number of bytes or of elements? */
bool nb_call_measures(NbContext *context, LLVMValueRef call, LLVMValueRef integer);
bool nb_is_call(LLVMValueRef instruction);

/* The instructions of a function in order. */
LLVMValueRef nb_instruction_first(LLVMValueRef function);
unsigned nb_instruction_count(LLVMValueRef function);
LLVMValueRef nb_instruction_next(LLVMValueRef instruction);
/* Is it one of its operands, which only the run tells: a phi, a select, a freeze? */
bool nb_value_joins(LLVMValueRef value);
/* Are all indices of the gep constants? */
bool nb_gep_is_constant(LLVMValueRef gep);

/* Is it a local variable of the type that is only read and written as a whole? */
bool nb_is_simple_variable(LLVMValueRef variable, LLVMTypeRef type);
/* Is the integer (or vector, or aggregate of them) that the load gives used as a number, so that
 * its bytes are those of an integer? False for what is only moved, and where a float is made of
 * its bits. */
bool nb_integer_is_number(LLVMValueRef value);
typedef bool (*NbIsNumber)(const void *user, LLVMValueRef load);
/* Is an integer, no constant, made of numbers alone, where loads are numbers that are used as such,
 * or of which `is_number` says so? */
bool nb_integer_made_of_numbers(LLVMValueRef value, NbIsNumber is_number, const void *user);
/* The name of the scalar type in the TBAA tag of an access, NULL where it says nothing. */
const char *nb_tbaa_name(LLVMValueRef access);
/* Does it say that the access may be of anything, as that of the member of a union? */
bool nb_tbaa_is_any(LLVMValueRef access);
/* The name of the scalar type in a tag. */
const char *nb_tbaa_tag_name(LLVMValueRef tag);
/* Is the tag one of our own (request/unions.c)? */
bool nb_tbaa_is_own(LLVMValueRef tag);
bool nb_tbaa_is_own_integer(LLVMValueRef tag);
/* Is the tag of an access one for slots of tapes? */
bool nb_tbaa_is_slot(LLVMValueRef access);
/* The pointer that a load, a store or a memory intrinsic accesses or writes through; with `source`,
 * the one that it copies from. NULL where there is none. */
LLVMValueRef nb_access_pointer(LLVMValueRef instruction, bool source);
/* Where a store, memcpy, memmove or memset writes; NULL for another instruction. */
LLVMValueRef nb_written_pointer(LLVMValueRef writer);
/* How many bytes an array of the stack takes that has a constant size. */
uint64_t nb_array_bytes(const NbContext *context, LLVMValueRef array);
/* The bytes of a variable or of what is allocated; NB_UNKNOWN_SIZE where they are not known. */
uint64_t nb_object_bytes(NbContext *context, LLVMValueRef object);
/* How many bytes the call promises to be behind a pointer that is passed: those of an object of
 * C++, say, whose function is called. 0: nothing. */
uint64_t nb_call_promised_bytes(LLVMValueRef call, unsigned argument);
/* How many bytes those instructions access; NB_UNKNOWN_SIZE where that is not constant. */
uint64_t nb_access_bytes(const NbContext *context, LLVMValueRef access);
/* The struct of the source's that was noted to hold what those instructions access (with `source`,
 * copy from), so many bytes behind where it starts; NULL where nothing was noted. */
LLVMTypeRef nb_access_struct(const NbContext *context, LLVMValueRef access, bool source,
                             uint64_t *offset);
/* Is the value the memory that a call allocates? */
bool nb_value_is_allocated(NbContext *context, LLVMValueRef value);
/* Notes of the access what the name of the metadata says (base/names.h). */
void nb_access_note(LLVMValueRef access, const char *name);
bool nb_access_has_note(LLVMValueRef access, const char *name);
/* The same with a number; false where there is none. */
void nb_number_note(LLVMValueRef instruction, const char *name, uint64_t number);
bool nb_number_noted(LLVMValueRef instruction, const char *name, uint64_t *number);
/* Is it noted that the access is one of an integer in a struct? */
bool nb_access_is_noted(LLVMValueRef access);
/* Is it noted that it may be one, or move a number? */
bool nb_access_is_word(LLVMValueRef access);
/* And that it moves as a float, or casts to one, what may be an integer? */
bool nb_access_is_either(LLVMValueRef access);
/* The same of a pointer. */
bool nb_access_is_of_pointer(LLVMValueRef access);
/* And of one in a struct that has members of other kinds, too? */
bool nb_access_is_of_link(LLVMValueRef access);
/* Is the access one of a struct's member by name (not of an array's element), by its TBAA tag or by
 * the struct type that its address was computed with? */
bool nb_access_is_field(LLVMValueRef access, LLVMValueRef pointer);
/* Was the address computed through a type that is a union's, or may be? */
bool nb_is_in_union(LLVMValueRef pointer);
/* Is it a struct type with a name that C's or C++'s front end gives, of no union? */
bool nb_is_declared_struct(LLVMTypeRef type);
/* Is it a union of the source's? Its members are those of the largest or the strictest of it. */
bool nb_is_declared_union(LLVMTypeRef type);
/* Is the name one of TBAA's pointers ("any pointer", "p1 double")? */
bool nb_tbaa_is_pointer(const char *name);
/* Is that the name in the access's tag? */
bool nb_access_names_pointer(LLVMValueRef access);
/* Is it that of a pointer to an object of a class of C++? Nothing else is kept in these. */
bool nb_tbaa_is_class_pointer(const char *name);

/* Of which kind the pointers are that it accesses, by its tag: pointers to objects of two classes
 * of C++, or to such and to what is none, are not read as one another. NULL: any. */
const char *nb_access_pointer_kind(LLVMValueRef access);
/* May pointers of the kinds be the same? */
bool nb_pointer_kinds_meet(const char *a, const char *b);

/* --- declared.c --- */
/* Notes which accesses of the function are of integers and pointers in structs, and what numbers of
 * bytes are written as multiples of: at the start of the pipeline, and again when passes have made
 * accesses of others. */
void nb_fields_note(NbContext *context, LLVMValueRef function);
/* Notes how many bytes a copy or a fill moves at most, by the arrays that its ends lead into. */
void nb_within_note(const NbContext *context, LLVMValueRef call, const NbCall *what);
/* What is noted to be perhaps an integer is one. */
void nb_fields_settle(LLVMValueRef function);

/* --- taken.c --- */
/* Notes which accesses of the function take integers by `va_arg` that are numbers: at the start of
 * the pipeline. */
void nb_taken_note(NbContext *context, LLVMValueRef function);

/* --- typed.c --- */
/* Does the file that is compiled keep to its types, as far as its text shows, without TBAA? */
bool nb_types_are_kept(const NbContext *context);
/* Notes which accesses of the function are of what lies there: at the start of the pipeline, of
 * files that keep to their types. */
void nb_types_note(NbContext *context, LLVMValueRef function);
/* Is it in code that no pass looked at (-O0)? */
bool nb_access_is_unoptimised(NbContext *context, LLVMValueRef access);
/* Is the access noted so? */
bool nb_access_is_typed(LLVMValueRef access);
/* Notes of the access that it is one of an integer in a struct, so that it holds for an access that
 * LLVM makes of several of this width. */
void nb_access_note_integer(NbContext *context, LLVMValueRef access);
/* Notes all this of the access to a member of a struct, by whatever address. */
void nb_access_note_member(NbContext *context, LLVMValueRef access);
bool nb_access_is_noted_integer(LLVMValueRef access);

/* --- transfers.c --- */
/* Adds a transfer while the graph is made. */
void nb_graph_transfer(NbObjects *objects, NbTransfer transfer);
/* Where it puts what stands at the place where it reads; false where it does not read it. */
bool nb_transfer_copies(const NbTransfer *transfer, NbOffsets place, uint64_t size,
                        NbOffsets *copied);
/* Are all of them kept, so far? Of what is too much, the two memories hold the same pointers,
 * anywhere. */
bool nb_graph_keeps_transfers(const NbObjects *objects);
/* Moves the pointers of all, to a fixed point. */
void nb_graph_solve_transfers(NbObjects *objects);

/* --- addresses.c: addresses that are integers for a while. --- */
/* The other operand, where the integer is made of one of the size of an address and of a number by
 * addition, subtraction or a mask: if that is an address, the integer is one in the same object.
 * Else NULL. */
LLVMValueRef nb_address_base(LLVMValueRef integer);
/* Does the integer become a pointer, as it is or moved, within `depth` steps? */
bool nb_address_becomes_pointer(LLVMValueRef integer, unsigned depth);
/* Is the result an integer that is computed from the operands alone? */
bool nb_address_is_arithmetic(LLVMValueRef user);
/* Is the address only compared and computed with (alignment, distances, trip counts), never made a
 * pointer again or given away? */
bool nb_address_stays_number(NbContext *context, LLVMValueRef integer);
/* Is it a sum of addresses, among others, that these cancel out of (objects/distances.c)? */
bool nb_address_is_distance(LLVMValueRef integer);
/* Is there an address in the integer that does not cancel out, as far as can be seen? */
bool nb_address_is_in(LLVMValueRef integer);
/* By what an address is moved that is the distance of two others is one within an object: the two
 * lead into one. The end of a vector may be where nothing is read. */
void nb_address_join_ends(NbObjects *objects, LLVMValueRef gep);
/* Is it, and all that is made of it, a number, or moved by instructions that `carries` knows, to
 * memory and to pointers? */
bool nb_address_only_moves(NbContext *context, LLVMValueRef integer,
                           bool (*carries)(LLVMValueRef value));

NbClass *nb_class_new(NbObjects *objects);
NbClass *nb_class_find(NbClass *class);
NbClass *nb_class_unify(NbClass *a, NbClass *b);
/* The class that the pointers in the `size` bytes at `place` point to, made where there was none.
 * What is known of overlapping bytes is joined. */
NbClass *nb_class_field(NbClass *class, NbOffsets place, uint64_t size);
/* The same of pointers of one kind. */
NbClass *nb_class_field_of(NbClass *class, NbOffsets place, uint64_t size, const char *kind);
/* What that would join with the bytes, or one of it; NULL where there is nothing. */
NbClass *nb_class_field_known(NbClass *class, NbOffsets place, uint64_t size, const char *kind);
/* The function stores pointers in the `size` bytes at `place`. */
void nb_class_note_stored(NbClass *class, NbOffsets place, uint64_t size);
/* The class of a value that is or carries pointers, made where there was none. */
NbClass *nb_value_class(NbObjects *objects, LLVMValueRef value);
/* The same, NULL where the value has none. */
NbClass *nb_value_class_known(NbObjects *objects, LLVMValueRef value);

/* "-> class 3", and where the pointers stand if there are several kinds, to stderr. */
void nb_class_print_targets(const NbClass *class);
void nb_class_add_member(NbClass *class, LLVMValueRef member);
unsigned nb_class_member_count(const NbClass *class);
LLVMValueRef nb_class_member(const NbClass *class, unsigned index);
/* Its members, readable: "{param x, local buffer}". */
char *nb_class_describe(NbArena *arena, NbClass *class);

/* The graph of the group of functions in which `function` (with a body) is; made once. */
NbObjects *nb_summary_of(NbContext *context, LLVMValueRef function);
/* Do functions of such a group call one another, or the only one itself? */
bool nb_graph_recurs(const NbObjects *group);
/* An empty graph, and one solved for the functions put into its list, with one field to a class and
 * without places. */
NbObjects *nb_graph_new(NbContext *context, NbArena *arena);
void nb_graph_solve(NbObjects *objects);
/* The graph of the functions in the list. */
NbObjects *nb_graph_of(NbContext *context, NbArena *arena, NbList functions);
bool nb_graph_holds(const NbObjects *objects, LLVMValueRef function);
/* May the call, of code that is not known, change memory of this program and come back? */
bool nb_graph_is_opaque_call(LLVMValueRef call);
/* Does the user say of the function that is called that it has no derivative? It gets bits, too, as
 * the ABI passes a struct in an integer. nabla's own rows say so of what moves bits as well. */
bool nb_rule_is_told(const NbRule *rule);
/* The body of such a function, which has the rule; NULL where there is none, or no such. */
LLVMValueRef nb_graph_told_body(const NbContext *context, LLVMValueRef call, const NbRule *rule);
/* The pointers that it returns and stores lead where its body says, which is not bound. */
void nb_graph_link(NbObjects *objects, LLVMValueRef call, LLVMValueRef body);
/* What a function with a row does. */
void nb_graph_row(NbObjects *objects, LLVMValueRef call, const NbRule *rule);
/* A function with derivatives of the user's changes what these change: is the parameter one behind
 * which it may? */
bool nb_graph_is_told_of(const NbObjects *objects, LLVMValueRef function, unsigned parameter);
void nb_graph_note_told(NbObjects *objects, LLVMValueRef function);
/* The call may do anything with what it gets. */
void nb_graph_forget(NbObjects *objects, LLVMValueRef call);
/* What a call reads and writes of which nothing else is known, in all that its arguments lead to.
 */
void nb_graph_note_unseen(NbObjects *objects, LLVMValueRef call);
/* Instantiates the graph of the callee's group at `call`. */
void nb_graph_bind(NbObjects *objects, LLVMValueRef call, LLVMValueRef callee);
/* Does the callee come to no memory but by its arguments, which lead to no pointers, to memory of
 * its own, and to constants? */
bool nb_graph_stays_with_arguments(const NbObjects *objects, LLVMValueRef call);
/* Pairs of a class of `function`, a working copy, and one of the graph of its primal's group that
 * may be the same memory: the two stand one after the other in the list. */
NbList nb_graph_match(NbObjects *ours, LLVMValueRef function, NbObjects *theirs,
                      LLVMValueRef primal);
/* The classes that pointers lead to in memory where the function that is called stores pointers
 * instead, or would lead to by what it stores and returns, each followed by the one that they lead
 * to: the function is not known by its body to `ours`. */
NbList nb_graph_replaced_by(NbObjects *ours, LLVMValueRef call, LLVMValueRef function);
/* As nb_objects_escapes, of a class. */
bool nb_class_escapes(NbObjects *objects, NbClass *class);
/* As nb_objects_of, in an arena of the caller's. */
NbObjects *nb_objects_in(NbContext *context, NbArena *arena, LLVMValueRef function);

#endif
