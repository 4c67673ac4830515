// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* How each value that the reverse sweep needs gets there: it is free (a parameter, a constant, a
 * counter), computed again, or stored in the tape. A minimum cut weighs storing against computing.
 *
 * The tape is a struct. Its fields are the residuals outside of loops, the stack memory whose
 * content the reverse sweep uses, the tapes of callees, and what finds the residuals of loops:
 * a loop whose trips are known when the outermost possible loop around it is entered keeps them in
 * one array a residual, all in one piece of memory: an allocation or, where that is done again and
 * again in a loop around it, rows on a stack of its own. Another loop keeps a record for each
 * instance of its header on a stack of its own. Residuals that are not of the same iteration, since
 * they are of different branches, share their room. Decisions take a bit each: a word of 64 bits is
 * written for that many instances. */
#ifndef NABLA_PLAN_H
#define NABLA_PLAN_H

#include "linear/linear.h"

typedef enum NbPlace {
  NB_PLACE_NONE,      /* the reverse sweep does not need it */
  NB_PLACE_FREE,      /* the same value exists there */
  NB_PLACE_RECOMPUTE, /* the instruction is repeated */
  NB_PLACE_STORED,    /* in its slot of the tape */
  NB_PLACE_MEMORY     /* a stack array that lives in the tape */
} NbPlace;

/* What the tape is aligned to at most, wherever it lies, in bytes. */
#define NB_TAPE_ALIGNMENT 16

/* Instances whose decisions share a word. */
enum { NB_TAPE_GROUP = 64 };

/* Room in the tape for one value for each iteration of the loops around it. */
typedef struct NbSlot {
  LLVMTypeRef type;        /* of a bit: that of the words */
  bool bit;                /* of decisions; its words stand as the values of others do */
  unsigned bits;           /* of the value, lowest first, in as many slots; 0: whole bytes */
  struct NbSlot *more;     /* the slot of the next bit; NULL */
  NbWorkLoop *loop;        /* NULL: a field of the tape */
  unsigned field;          /* of the tape, where `loop` is NULL */
  uint64_t offset;         /* in a record, or (times the number of instances) in the arrays */
  uint64_t size;           /* in bytes, rounded to its alignment */
  LLVMValueRef value;      /* what is stored; NULL: a callee's tape, a loop's arrays, more bits */
  const NbStatement *call; /* whose tape it is; NULL */
  bool plain;              /* an integer or pointer that carries no other type's bits */
  struct NbSlot *next;     /* of the same loop */
} NbSlot;

/* Residuals of one loop: those of whole bytes, or the words of bits. */
typedef struct NbRoom {
  NbSlot *slots;        /* NULL: none */
  uint64_t size;        /* of all slots together, in an instance or group of instances */
  bool interleaved;     /* arrays: one of records; else one of each slot */
  NbSlot *arrays;       /* where their address is kept; NULL: on the stack */
  unsigned stack_field; /* of the tape: the stack */
} NbRoom;

enum { NB_ROOMS = 2 };

/* The residuals of one loop. */
typedef struct NbStorage {
  NbRoom rooms[NB_ROOMS]; /* by NbSlot.bit */
  bool known;             /* arrays; else a stack of records */
  NbWorkLoop *entry;      /* arrays: the loop at whose entry they are made */
  NbSlot *total;          /* and the number of instances, of each array's elements */
  bool stacked;           /* records, or arrays made in a loop */
} NbStorage;

typedef struct NbPlan {
  NbLinear *linear;
  NbMap *places;      /* value -> NbPlace, as (void *)(uintptr_t) */
  NbMap *slots;       /* value, or NbStatement of a call -> NbSlot */
  NbMap *fields;      /* alloca in the tape -> field number plus one */
  NbMap *inexact;     /* values that may be repeated, but not where they are needed exactly */
  NbMap *pointed_to;  /* allocas in the tape since a pointer may lead to them */
  NbStorage *storage; /* by NbWorkLoop.index */
  /* By NbWorkBlock.index: has the reverse of the block anything to do? Does the reverse sweep come
   * through it? And where does it go from there at once, past blocks where nothing is to do (NULL:
   * back through the predecessors)? */
  bool *needed, *visited;
  const NbWorkBlock **skip_to;
  NbList residuals; /* NbSlot, all that have a value or a call, in order */
  LLVMTypeRef tape; /* the struct; NULL where nothing is kept */
  unsigned copies;  /* of its fields, that of a stack of the copies that are made in
                       loops, plus one; 0: there are none */
  bool keeps_stacks, keeps_pointers; /* as NbDerivative says */
  bool opaque;                       /* a cycle of the call graph: the tape is behind a pointer */
  bool *upward; /* by NbWorkLoop.index: its reverse may run through the iterations as they were */
} NbPlan;

/* Decides everything for the reverse mode of `linear`. */
NbPlan *nb_plan(NbLinear *linear, bool opaque);
void nb_plan_print(const NbPlan *plan);

/* What keeps an instruction from being repeated in the reverse sweep. */
typedef enum NbObstacle {
  NB_OBSTACLE_NONE,
  NB_OBSTACLE_PHI,       /* a value for each way that control may take */
  NB_OBSTACLE_UNDEFINED, /* what is undefined may be another value */
  NB_OBSTACLE_ARRAY,     /* a new array each time */
  NB_OBSTACLE_CLEARED,   /* a load from memory that the reverse sweep clears */
  NB_OBSTACLE_MEMORY,    /* a load of which nb_effects_loss says more */
  NB_OBSTACLE_CALL,      /* more than a function of its arguments, or not known to be one */
  NB_OBSTACLE_EFFECTS
} NbObstacle;

NbObstacle nb_plan_obstacle(const NbLinear *linear, LLVMValueRef inst);
/* May the instruction be repeated in the reverse sweep? */
bool nb_plan_repeatable(const NbLinear *linear, LLVMValueRef inst);
/* What must be there to compute the value again. */
unsigned nb_plan_operand_count(const NbLinear *linear, LLVMValueRef inst);
LLVMValueRef nb_plan_operand(const NbLinear *linear, LLVMValueRef inst, unsigned index);
NbPlace nb_plan_place(const NbPlan *plan, LLVMValueRef value);
NbSlot *nb_plan_slot(const NbPlan *plan, const void *value_or_call);

/* Has the loop any residuals? */
bool nb_plan_stores(const NbStorage *storage);

/* Finds `needed`, `visited` and `skip_to` (plan/walk.c). */
void nb_plan_walk(NbPlan *plan);
/* Finds `upward` (plan/order.c); to be called when the tape is laid out. */
void nb_plan_order(NbPlan *plan);
/* Lays the tape out (plan/tape.c): gives slots to all stored values and calls. */
void nb_plan_layout(NbPlan *plan);
#endif
