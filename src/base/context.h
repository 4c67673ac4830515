// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What every stage of one module's derivation shares. */
#ifndef NABLA_BASE_CONTEXT_H
#define NABLA_BASE_CONTEXT_H

#include "base/map.h"
#include "bridge/bridge.h"
#include "rules/rules.h"

#include <stdio.h>

typedef enum {
#define NB_DIAGNOSTIC(id, name, way_out) NB_ERROR_##id,
#include "base/diagnostics.def"
#undef NB_DIAGNOSTIC
  NB_ERROR_COUNT
} NbErrorId;

typedef enum {
#define NB_OPTIMISATION(id, name, text) NB_OPTIMISATION_##id,
#include "base/optimisations.def"
#undef NB_OPTIMISATION
} NbOptimisation;

typedef struct NbRefusal {
  NbErrorId id;
  LLVMValueRef where; /* instruction or function, alive until the report */
  LLVMValueRef root;  /* the function that was to be differentiated; NULL */
  const char *message;
  struct NbRefusal *next;
} NbRefusal;

typedef struct NbContext {
  LLVMModuleRef module;
  LLVMContextRef llvm;
  LLVMTargetDataRef layout;
  const NbOptions *options;
  NbAnalyses *analyses; /* NULL while collecting */
  NbArena *arena;       /* lives as long as the module is processed */
  const NbRules *rules; /* built-in rows and the user's */
  NbMap *found;         /* function -> the row that its name finds there */
  NbPhase phase;
  const char *print;   /* -nabla-print=, or "" */
  const char *without; /* -nabla-without=, or "" */
  uint64_t max_tape;   /* -nabla-max-tape=: bytes for all tapes of one derivative; 0: no limit */
  bool again;          /* derivatives may be differentiated again, here or by a link step */
  bool reads_again;    /* some tape is read more than once (enzyme_nofree) */
  bool nests;          /* some derivative is differentiated again, and none a third time */
  FILE *records;       /* -nabla-explain= (base/records.h); NULL: none */
  uint64_t recorded;   /* how many derivatives the file spoke of before */
  NbRefusal *refusals, **last_refusal;
  const char *warned;       /* what was warned of, line by line; NULL: nothing */
  NbMap *primals;           /* working copy -> the user's function */
  NbMap *around;            /* function -> what the calls in it pass (types/passed.c) */
  NbMap *passed;            /* working copy -> NbPassed (types/types.h), where that is known */
  NbMap *direct;            /* function -> what nb_direct_of made of it */
  NbMap *variable;          /* function -> what nb_variable_of made of it */
  NbMap *custom;            /* function -> NbCustom (request/registrations.h) */
  NbMap *checkpoints;       /* loop function -> NbCheckpoint (checkpoint/checkpoint.h) */
  NbMap *through;           /* function -> what nb_through_of made of it */
  NbMap *reaches;           /* function -> what nb_reach_of made of it */
  NbMap *replayed;          /* functions whose tape forward mode reads (__enzyme_fwdsplit) */
  NbMap *originals;         /* copies with calls by name -> the user's function */
  NbMap *declared_shadows;  /* global -> its shadow, as the user declared */
  NbMap *inactive_globals;  /* globals declared to have none, and tables of C++ */
  NbMap *zeros, *sinks;     /* constant -> what stands for its shadow; NULL: none */
  NbList shadow_globals;    /* by depth, NbList by lane, NbMap: global -> the shadow made for it */
  LLVMValueRef root;        /* the function that is being differentiated; NULL */
  NbMap *released;          /* functions that the optimiser was kept from inlining, no longer */
  NbMap *interposable;      /* what has no body, or value, for now: the linker may replace it */
  NbList modelled;          /* functions whose body is a model's (models/models.h) */
  NbList names_of_modelled; /* of the library: what is linked later may have taken them */
  NbList said_of_modelled;  /* what was said about each before (bridge/body.h) */
  NbMap *summaries;         /* memory summaries of callees, by function */
  NbMap *debug_structs;     /* struct -> its NbDebugStruct, NULL where it has none */
  NbMap *value_names;       /* what is prepared -> the names of its values (explain/names.c) */
  bool silent;              /* derivatives, made or asked for, say nothing */
  struct NbDerivative *all, **last; /* every derivative made, in order */
  struct NbTexts *keys;             /* of what they were asked for */
  NbMap *by_key;                    /* those, as the set has them -> the derivatives */
} NbContext;

/* Records that the user's code is refused at `where` (an instruction or a function of the user's,
 * or a clone that kept its debug location; NULL: at no place of the program), and returns false.
 * `format` says what could not be known and why it matters, in one sentence without a full stop;
 * the way out is added. */
__attribute__((format(printf, 4, 5))) bool nb_refuse(NbContext *context, NbErrorId id,
                                                     LLVMValueRef where, const char *format, ...);
/* Forgets what was refused since `context->last_refusal` was `since`, where one of it was for the
 * reason `id`; else false. */
bool nb_refusals_take_back(NbContext *context, NbRefusal **since, NbErrorId id);
/* Tells the user of a request that is served, and nearly surely not what was meant. */
__attribute__((format(printf, 4, 5))) void nb_warn(NbContext *context, NbErrorId id,
                                                   LLVMValueRef where, const char *format, ...);
/* Reports and forgets all refusals, as warnings. */
void nb_refusals_warn(NbContext *context);
/* Reports and forgets all refusals. Returns true where there were any. */
bool nb_refusals_report(NbContext *context);
/* Is the word in the list, between commas? */
bool nb_is_listed(const char *list, const char *wanted);
/* Is `stage` among those that -nabla-print= names? */
bool nb_printing(const NbContext *context, const char *stage);
/* Does -nabla-without= leave the optimisation out? */
bool nb_without(const NbContext *context, NbOptimisation optimisation);
/* Is this a compilation that a link step follows, which may differentiate what is made here? */
bool nb_context_is_before_link(const NbContext *context);
/* Does the bitcode that comes of it go to a link step? */
bool nb_context_is_linked_later(const NbContext *context);

/* The row of the function that `call` calls directly, NULL where there is none, or derivatives of
 * the user's. `format` may be NULL. */
const NbRule *nb_rule_of_call(const NbContext *context, LLVMValueRef call, NbFormat *format);
/* Does it stand, until the requests are served, for a function of the program's (base/names.h)? */
bool nb_stands_in(LLVMValueRef function);
/* The function that it stands for, where the module has that; else itself. */
LLVMValueRef nb_stood_for(const NbContext *context, LLVMValueRef function);
/* The row of the function's name, whether it speaks of such a function or of one with other
 * parameters. */
const NbRule *nb_rule_named_as(const NbContext *context, LLVMValueRef function);
/* What the phi takes from the block; NULL where control does not come from there. */
LLVMValueRef nb_phi_incoming(LLVMValueRef phi, LLVMBasicBlockRef block);
/* The function that the instruction is in. */
LLVMValueRef nb_function_around(LLVMValueRef instruction);
/* Is the value an instruction of that kind? */
bool nb_is_operation(LLVMValueRef value, LLVMOpcode opcode);
/* The name by which rows know an instruction of arithmetic on floats, NULL for any other. */
const char *nb_opcode_name(LLVMOpcode opcode);
/* C's operator for a comparison of integers, signed or not. */
const char *nb_comparison_sign(LLVMIntPredicate predicate);
/* Does the function, by its row, give a number that depends on its arguments alone, and do no more?
 */
bool nb_call_only_computes(const NbContext *context, LLVMValueRef call);
/* Does the function, by its row, carry no derivative, and is nothing used that it returns? What it
 * does with numbers and addresses that it is given is then no matter. */
bool nb_call_only_looks(const NbContext *context, LLVMValueRef call);
/* The instruction behind a call; of an invoke, one that runs where it has returned, in a block that
 * is made for it. */
LLVMValueRef nb_call_next(LLVMValueRef call);
/* Does the call, or the function (NULL: none), have the attribute at the index? */
bool nb_call_says(LLVMValueRef call, LLVMValueRef function, LLVMAttributeIndex index,
                  const char *attribute);
/* The directly called function, looking through casts and aliases; NULL for an indirect call. */
LLVMValueRef nb_callee(LLVMValueRef call);
/* Name of a value; "" where it has none. Borrowed. */
const char *nb_name(LLVMValueRef value);
/* The name of the user's function of which the function is a copy, else its own. */
const char *nb_user_name(const NbContext *context, LLVMValueRef function);
/* The same as its language writes it, for people: "model::energy(double)"; of a variable, too. */
const char *nb_shown_name(const NbContext *context, LLVMValueRef global);
/* What the source calls a parameter, or "argument 1" and so on. */
const char *nb_parameter_name(const NbContext *context, LLVMValueRef function, unsigned index);
/* Is it a format of floating-point numbers that derivatives are computed in? */
bool nb_is_float_kind(LLVMTypeKind kind);
/* Is it an integer of eight bits? */
bool nb_is_byte(LLVMTypeRef type);
/* Is the load or store neither volatile nor atomic? */
bool nb_access_is_plain(LLVMValueRef access);
/* Is the type one of those, or a vector, array or struct with one in it? */
bool nb_type_has_float(LLVMTypeRef type);
/* The same of formats of 128 bits, which no derivative is computed in, and of any format. */
bool nb_type_has_quadruple(LLVMTypeRef type);
bool nb_type_has_real(LLVMTypeRef type);
/* Is it a floating-point type, of any format? */
bool nb_type_is_real(LLVMTypeRef type);
/* Which parameter of its function it is, from 0 on. */
unsigned nb_parameter_index(LLVMValueRef parameter);
/* Has the function LLVM's attribute of that name? */
bool nb_has_attribute(LLVMValueRef function, const char *name);
/* The same of its result (0) or of a parameter (from 1 on). */
bool nb_has_attribute_at(LLVMValueRef function, LLVMAttributeIndex index, const char *name);
/* Does the type have a pointer leaf? */
bool nb_type_has_pointer(LLVMTypeRef type);
/* What the lanes of a vector are, and any other type itself. */
LLVMTypeRef nb_scalar_type(LLVMTypeRef type);
/* Of a struct or an array; 0 of others. */
unsigned nb_element_count(LLVMTypeRef type);
bool nb_is_constant(LLVMValueRef value);
/* Is it null, undefined, or a constant address in the page of null, where nothing is ever mapped?
 * Rust's empty vectors have such pointers; their value is the alignment. */
bool nb_leads_nowhere(LLVMValueRef value);
uint64_t nb_store_size(const NbContext *context, LLVMTypeRef type);

#endif
