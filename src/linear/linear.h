// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The linear program: for each active instruction of the working copy, one or a few statements over
 * tangents. Everything in a statement but tangents is an SSA value of the working copy, where
 * linearisation has written the shadow program (pointers into shadow memory) and the coefficients
 * next to the primal. Forward mode prints the statements; reverse mode prints their transposes. */
#ifndef NABLA_LINEAR_H
#define NABLA_LINEAR_H

#include "activity/activity.h"
#include "effects/effects.h"
#include "prepare/prepare.h"
#include "prepare/unneeded.h"

typedef enum NbStatementKind {
  NB_STATEMENT_SUM,      /* t(result) = sum of coefficient_i * t(source_i) */
  NB_STATEMENT_CHOOSE,   /* t(result) = decision ? t(source_0) : t(source_1) */
  NB_STATEMENT_PHI,      /* t(result) = t(the source of the edge taken) */
  NB_STATEMENT_LOAD,     /* t(result) = *addresses */
  NB_STATEMENT_STORE,    /* *addresses = t(source_0), or 0 where it has none */
  NB_STATEMENT_ADD,      /* *addresses += t(source_0) */
  NB_STATEMENT_FILL,     /* the floats among `extent` bytes at address = 0 */
  NB_STATEMENT_COPY,     /* the floats among `extent` bytes at address = those at address_from */
  NB_STATEMENT_SHUFFLE,  /* origin moves parts of its operands (insertvalue, extractelement, ...) */
  NB_STATEMENT_CALL,     /* a call whose callee has a derivative */
  NB_STATEMENT_ALLOCATE, /* address is fresh memory, which dies with the reverse sweep */
  NB_STATEMENT_RELEASE   /* the primal frees the memory that address is the shadow of */
} NbStatementKind;

/* Why a statement needs a value that is no tangent. */
typedef enum NbOperandClass {
  NB_OPERAND_COEFFICIENT,
  NB_OPERAND_ADDRESS,
  NB_OPERAND_EXTENT,
  NB_OPERAND_DECISION,
  NB_OPERAND_ARGUMENT /* of a reverse call */
} NbOperandClass;

typedef struct NbSource {
  LLVMValueRef value;       /* its tangent is read; NULL where it is zero */
  LLVMValueRef coefficient; /* NULL: one */
} NbSource;

typedef struct NbStatement {
  NbStatementKind kind;
  LLVMValueRef origin; /* the primal instruction */
  LLVMValueRef result; /* the primal value whose tangent is defined; NULL */
  unsigned member;     /* SUM: of a struct result, the member that is meant, plus one; 0: all */
  unsigned count;
  NbSource *sources;
  unsigned width;          /* directions */
  LLVMValueRef *addresses; /* LOAD, STORE, ADD: by lane, in the shadow of that direction */
  /* FILL, COPY and ALLOCATE: there is one such statement for each lane. */
  LLVMValueRef address, address_from, extent;
  LLVMValueRef stored;   /* FILL: the shadow of a pointer that is there until then, unless the bytes
                          * are those of a number; NULL: not asked */
  LLVMValueRef decision; /* CHOOSE */
  LLVMTypeRef type;      /* LOAD, STORE, ADD: of the value in memory */
  LLVMValueRef place;    /* STORE: where the primal's function writes it; NULL: it is source_0 */
  unsigned align;        /* LOAD, STORE, ADD: in bytes */
  bool either;         /* LOAD: something else lies there at other times, whose shadow must stay */
  bool interleaved;    /* LOAD, STORE, ADD: the lanes lie side by side, the first at addresses[0] */
  LLVMValueRef listed; /* LOAD, STORE, ADD, by sites: the shadow parameter of the memory; NULL */
  unsigned site;       /* LOAD of an input (NbRequest.inputs): which one, from 1 on; 0: none */
  NbLayout layout; /* FILL, COPY; unknown only where a FILL sets all bytes, or a COPY is moved */
  bool moved;      /* COPY: comes from memory that is gone, which has no adjoint, and no pointers */
  bool part;   /* FILL: no more than a part of each is overwritten; `period` 0: of the one there,
                * else of those that an end of the extent lies in */
  bool device; /* FILL, COPY: on a device, or one of the places is */
  bool speculated;       /* 0 * anything is 0 in the transpose, and 0 whatever is chosen */
  bool pole;             /* a coefficient may be infinite: 0 * it is 0 in forward mode, too */
  bool product;          /* of a derivative's own: with a coefficient of 0 it is 0, too */
  NbDerivative *callee;  /* CALL */
  bool at_once;          /* CALL: both sweeps of the callee run in the reverse (plan/at_once.h) */
  LLVMValueRef *shadows; /* CALL: for each argument, by lane, the shadow or NULL */
  LLVMValueRef *pending; /* CALL: by lane, what stands for the shadow result; NULL */
  const NbRule *rule;    /* ALLOCATE: row of the function that frees; NULL: not freed so */
  const NbRule *maker;   /* ALLOCATE: row of `origin`, where `rule` takes more than the memory */
  bool from_runtime;     /* ALLOCATE: given back to the runtime */
  bool stacked;          /* that, with all others of the function at once */
  bool handed_out;       /* ALLOCATE: it is the caller's, unless a RELEASE comes to it */
  struct NbStatement *next, *previous; /* in the order of the primal, in one block */
} NbStatement;

typedef struct NbLinearBlock {
  NbStatement *first, *last;
} NbLinearBlock;

typedef struct NbLinear {
  NbWork *work;
  NbObjects *objects;
  NbActivity *activity;
  NbTypes *types;
  NbLinearBlock *blocks; /* by NbWorkBlock.index */
  unsigned width;        /* directions: lanes of each tangent */
  NbMap **shadows;       /* by lane: primal pointer -> shadow pointer, both in the working copy */
  NbMap *interleaved; /* pointer to memory whose shadows lie side by side -> that memory, or NULL */
  NbMap *inputs;      /* the same of pointers to inputs (NbRequest.inputs); NULL: there are none */
  unsigned site_count;   /* loads of inputs */
  struct NbSites *sites; /* their directions (emit/sites.h); NULL */
  NbMap *active;         /* values that have a tangent -> themselves; NULL: not any more */
  /* NULL where there is none; of several shadow parameters the first. */
  LLVMValueRef *parameters, *shadow_parameters;
  NbMap *primal_of; /* shadow -> primal, of instructions */
  NbMap *following; /* instruction -> the next one before linearisation, behind all phis */
  NbEffects *effects;
  NbUnneeded *unneeded;         /* pointers to memory that the caller does not need; NULL: none */
  LLVMMetadataRef shadow_scope; /* of the accesses to shadows (emit/alias.h); NULL: none */
  NbMap **guards;  /* by lane: pointer that others are computed from -> has its memory a shadow? */
  NbMap *words;    /* numbers of which the run tells what their adjoints are -> an NbPiece */
  NbMap *again;    /* load -> a load that gives the same value in the reverse sweep */
  NbMap *shown;    /* value that a simplification made -> what the report shows in its place */
  NbList standins; /* memory in place of shadows that are not there */
} NbLinear;

/* Writes the shadow program and the coefficients into the working copy and makes the statements.
 * `effects` is NULL in forward mode. NULL where the function is refused. */
NbLinear *nb_linearise(NbWork *work, NbObjects *objects, NbActivity *activity, NbTypes *types,
                       NbEffects *effects);
/* `stage` is the name under which it is shown. */
void nb_linear_print(const NbLinear *linear, const char *stage);
/* A value for a person: its name, or the instruction. NULL is shown as 0. */
const char *nb_linear_show(const NbContext *context, LLVMValueRef value);

/* "sum", "choose" and so on. */
const char *nb_statement_name(NbStatementKind kind);
void nb_statement_append(NbLinearBlock *block, NbStatement *statement);
void nb_statement_prepend(NbLinearBlock *block, NbStatement *statement);
void nb_statement_remove(NbLinearBlock *block, const NbStatement *statement);

/* Calls `visit` for each operand of the statement that is no tangent. */
typedef void NbOperandVisitor(void *user, const NbStatement *statement, NbOperandClass operand,
                              LLVMValueRef value);
void nb_statement_operands(const NbStatement *statement, NbOperandVisitor *visit, void *user);
/* CALL in reverse mode: does what is called in the reverse use its parameter `parameter`? */
bool nb_statement_passes(const NbStatement *statement, unsigned parameter);
/* COPY: where piece `index` of the layout begins or, where `backwards` (an i1) is true, the piece
 * of its kind that is as far from the last as it is from the first: pieces of one kind then follow
 * each other in the order in which the elements of each do. */
LLVMValueRef nb_statement_offset(LLVMBuilderRef builder, const NbStatement *statement,
                                 unsigned index, LLVMValueRef backwards);
/* A builder that writes behind `inst` and all that linearisation wrote for it. Dispose it. */
LLVMBuilderRef nb_builder_after(const NbLinear *linear, LLVMValueRef inst);
/* Is the call a function of its arguments alone, by its row or by what LLVM knows of it? */
bool nb_linear_is_pure_call(const NbLinear *linear, LLVMValueRef call);
/* Does the value have a tangent? */
bool nb_linear_is_active(const NbLinear *linear, LLVMValueRef value);
/* Is the memory behind the pointer accessed by nobody else? */
bool nb_linear_is_own(const NbLinear *linear, LLVMValueRef pointer);
/* Do the shadows of the memory behind the pointer lie side by side, as vectors of all lanes? */
bool nb_linear_is_interleaved(const NbLinear *linear, LLVMValueRef pointer);
/* Is it known only at run time whether the memory behind the pointer has a shadow? */
bool nb_linear_is_guarded(const NbLinear *linear, LLVMValueRef pointer);
/* The shadow of a pointer in one direction; NULL where it has none, in all of them. */
LLVMValueRef nb_linear_shadow(const NbLinear *linear, LLVMValueRef pointer, unsigned lane);
/* Its shadows by lane, in the arena. */
LLVMValueRef *nb_linear_shadows(const NbLinear *linear, LLVMValueRef pointer);

/* Is it the load of a shadow pointer from where the reverse sweep clears it, which may be run
 * again? Where a tape is read more than once, from anywhere: callers clear what is theirs, too. */
bool nb_linear_is_cleared(const NbLinear *linear, LLVMValueRef load);

/* The primal of a shadow instruction; any other value itself. */
LLVMValueRef nb_linear_primal(const NbLinear *linear, LLVMValueRef value);

/* Code for an expression of a rule row, before the builder's position. `arguments` are the values
 * of the row's parameters, `result` that of its result; `type` is the real type. */
typedef struct NbLowering {
  const NbContext *context;
  LLVMBuilderRef builder;
  LLVMTypeRef type;
  const LLVMValueRef *arguments;
  LLVMValueRef result;
  unsigned fast_math; /* flags for the new instructions */
} NbLowering;
LLVMValueRef nb_lower_expression(const NbLowering *lowering, const NbExpr *expression);
/* The fast-math flags that a derivative may keep of `origin`'s. */
unsigned nb_lower_flags(LLVMValueRef origin);
/* Writes how many bytes a call allocates, or resizes to, by its row: an i64. */
LLVMValueRef nb_linear_allocated(NbLinear *linear, LLVMBuilderRef builder, LLVMValueRef call,
                                 const NbRule *rule);

#endif
