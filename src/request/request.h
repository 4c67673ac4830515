// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What a derivative is asked for, and the one door through which all of them are made. */
#ifndef NABLA_REQUEST_H
#define NABLA_REQUEST_H

#include "base/context.h"

typedef enum {
  NB_MODE_FORWARD,
  NB_MODE_REVERSE /* always made as a pair (augmented, reverse); combined calls both */
} NbMode;

/* A parameter's part in the derivative. */
typedef enum {
  NB_ROLE_CONST,     /* no derivative passes */
  NB_ROLE_DUP,       /* followed by its shadow: pointers; in forward mode also floats */
  NB_ROLE_DUPNONEED, /* the same; the primal memory is not needed by the caller, may be NULL */
  NB_ROLE_OUT,       /* reverse mode: an active scalar by value, whose adjoint is returned */
  NB_ROLE_BOTH       /* reverse mode, of a result: floats and pointers, so OUT and DUP in one */
} NbRole;

/* What the caller knows of the memory that is one class of the function's summary (nb_summary_of)
 * there. */
enum {
  NB_REGION_CONST = 1, /* it has no shadow, though a pointer that has one may lead to it */
  NB_REGION_LASTS = 2, /* it may outlive the user's call: what is allocated keeps its shadow */
  NB_REGION_BITS = 8,  /* integers in it may be the bits of floats, whatever they look like */
  /* It holds pointers at one time and numbers at another, and is not there before and after the
   * user's call. */
  NB_REGION_REUSED = 16,
  /* It may do so, and is there before or after the call. */
  NB_REGION_OVERLAID = 64,
  /* Reverse: it may be the user's, or allocated and freed within the user's call: what is freed is
   * noted for the allocation that may have made it. */
  NB_REGION_RELEASED = 128
};

typedef struct NbRegion {
  unsigned class; /* its number */
  unsigned flags;
} NbRegion;

typedef struct NbRequest {
  LLVMValueRef function; /* with a body */
  NbMode mode;
  unsigned count; /* of parameters of `function` */
  const NbRole *roles;
  /* The regions of which something is known, by class; NULL in a user's call: all pointers behind
   * an argument with a shadow have one, and all that can be found after the call lasts. */
  const NbRegion *regions;
  unsigned region_count;
  NbRole result; /* CONST; DUP (forward: tangent or shadow pointer; reverse: shadow pointer);
                    OUT (reverse: a float result whose adjoint is given); BOTH */
  /* Reverse: for each parameter, may the memory it points to change between the augmented
   * forward and the reverse? NULL: everything may, and so may global memory. */
  const bool *overwritten;
  /* Reverse, asked where there are checkpointed loops: for each parameter, is the memory it points
   * to still there at the reverse, whatever it holds? NULL: as far as it is not overwritten. */
  const bool *lasting;
  /* For each parameter with a shadow: may that be the pointer itself, or lead to pointers whose
   * shadow is, which says that the memory has none? NULL: none may. */
  const bool *guarded;
  /* The globals that have a shadow; NULL: not chosen yet, by the function that the user asked for.
   */
  const NbList *globals;
  /* What the user's call says of the memory behind the arguments; NULL: nothing, or nobody asks. */
  const struct NbPassed *passed;
  unsigned width; /* directions at once; in each, arguments and result have shadows of their own */
  unsigned lane;  /* among the shadows of globals, the first of these directions */
  unsigned depth; /* of nested derivatives: each has shadows of globals of its own */
  bool replayed;  /* FORWARD: the primal ran before, and left a record (emit/replay.h) */
  bool errors;    /* FORWARD: tangents are bounds of errors (emit/rounding.h) */
  bool masks;     /* FORWARD: tangents are masks of inputs (emit/masks.h) */
  /* FORWARD: behind the pointers among the arguments, the tangents of a number lie side by side in
   * all directions (linear/interleave.c). */
  bool interleaved;
  /* FORWARD, interleaved: for each parameter, does it point to inputs, whose shadow is the same in
   * all directions? A direction is then what comes through some of the loads (emit/sites.h). NULL:
   * none does. */
  const bool *inputs;
  bool observed; /* FORWARD: tells the runtime what it does (check/check.h) */
  bool plain;    /* the same, by the bodies also of functions that have derivatives of their own */
  bool strong_zero; /* a zero tangent or adjoint gives zero, whatever it is multiplied by */
  bool top;         /* from a user's call, or a step that is reversed at once: global memory does
                     * not change before the reverse */
  bool unread;      /* reverse: nobody asks for the primal's result */
  bool apart;       /* what a parameter or shadow leads to and is written meets no other's */
  bool whole;       /* loops keep all their states: it is differentiated again */
  bool beside;      /* one that is made beside another, which is told to people instead */
} NbRequest;

/* Reverse: is the memory behind the parameter still there? */
static inline bool nb_request_lasts(const NbRequest *request, unsigned index) {
  return request->top || (request->overwritten && !request->overwritten[index]) ||
         (request->lasting && request->lasting[index]);
}

static inline const char *nb_role_name(NbRole role) {
  static const char *const names[] = {"const", "dup", "dupnoneed", "out", "both"};
  return names[role];
}

static inline bool nb_role_has_shadow(NbRole role) {
  return role == NB_ROLE_DUP || role == NB_ROLE_DUPNONEED;
}

/* Of a result: is its shadow returned, is its adjoint given? */
static inline bool nb_result_has_shadow(NbRole role) {
  return role == NB_ROLE_DUP || role == NB_ROLE_BOTH;
}

static inline bool nb_result_has_adjoint(NbRole role) {
  return role == NB_ROLE_OUT || role == NB_ROLE_BOTH;
}

/* How many parameters of a derivative are the shadow of the primal's parameter `index`: that of a
 * pointer is one for each direction; that of a number is one tangent for all (emit/tangent.h). */
unsigned nb_request_shadows(const NbRequest *request, unsigned index);
/* Where the shadows of the primal's parameter `index` begin among the parameters of a derivative;
 * of `count`: where those of all parameters end. */
unsigned nb_request_first_shadow(const NbRequest *request, unsigned index);
/* Does the reverse of what is called take, behind the tape, the set of shadows of what was freed?
 */
bool nb_request_releases(const NbRequest *request);

/* The functions that serve a request.
 *
 * Parameters of all of them: the primal's in order; then the shadows of those with role DUP or
 * DUPNONEED, in order (nb_request_shadows); R', adjoints and shadows in results have the type of a
 * tangent. Then
 *   forward:   nothing. Returns R without active result; {R, R'} with one.
 *   replayed:  `ptr tape, ptr queue` (runtime/queue.h), and returns the same. What it reads from
 *              them the `recorded` function has left, which takes the primal's parameters and
 *              these two, and returns R.
 *   augmented: `ptr tape`; where tapes are limited, `ptr budget` (runtime/memory.h). Returns R, or
 *              {R, R'} where the result's role is DUP.
 *   reverse:   the result's adjoint where its role is OUT; `ptr tape`. Returns a literal struct of
 *              the adjoints of the OUT parameters in order; void where there are none.
 *   combined:  the result's adjoint where its role is OUT. Returns {R if asked for and not void,
 *              the adjoints of the OUT parameters}; void where the struct would be empty. Made by
 *              nb_combined_of.
 * `tape` points to memory of type `tape` (uninitialised on entry to augmented; NULL: nothing is
 * kept); functions in a cycle of the call graph have a pointer there, to a tape of their own. */
typedef struct NbDerivative {
  NbRequest request;
  const char *key;
  bool failed;   /* refused */
  bool complete; /* its functions have been written: a cycle's may still be in the making */
  LLVMValueRef forward, augmented, reverse;
  LLVMValueRef recorded;      /* of a replayed one */
  LLVMValueRef reverse_again; /* leaves the tape as it was; NULL where nobody asks for that */
  LLVMValueRef combined[2];   /* without the primal result, and with it */
  LLVMValueRef apart_test;    /* tells whether one made with `apart` may run; NULL: none is made */
  LLVMValueRef shadows_test;  /* the same where only shadows are accessed; NULL */
  bool *numberless;           /* parameters with a shadow that hide numbers, if they have any */
  bool wants_apart;           /* less would be kept if the parameters' memory lay apart */
  bool keeps_addresses;       /* of the parameters' memory, in the tape */
  unsigned directions;        /* of a forward one by loads: how many are used */
  bool grows;                 /* the tape, with loops, recursion or large arrays */
  LLVMTypeRef tape;
  bool queued;                   /* a replayed one, or a callee, uses the queue */
  bool keeps_stacks;             /* the tape, or that of a callee, has room for stack arrays */
  bool keeps_pointers;           /* and pointers, which may lead into such an array */
  LLVMValueRef made_by, read_by; /* a call of the user's of each half; NULL */
  /* By whether memory lies apart: those between which its functions choose; NULL: it is one. */
  struct NbDerivative *versions[2];
  struct NbDerivative *next;
} NbDerivative;

/* Must the tape stay where the augmented forward had it, because it holds addresses of its own
 * parts? Else its bytes can be moved. */
static inline bool nb_tape_is_pinned(const NbDerivative *derivative) {
  return derivative->keeps_stacks && derivative->keeps_pointers;
}

/* The derivative for `request`, made once for equal requests. NULL where it was refused (the
 * refusal has been recorded). Arrays in the request are copied. */
NbDerivative *nb_derivative_of(NbContext *context, const NbRequest *request);
/* That `first`, or one after it, was refused is forgotten: who asks for it is told why again. */
void nb_derivatives_forget(NbContext *context, const NbDerivative *first);
/* The combined function of a reverse derivative, with or without the primal result. */
LLVMValueRef nb_combined_of(NbContext *context, NbDerivative *derivative, bool primal);

/* Are entry points called in functions that must be inlined, so that markers and functions are
 * known only then? */
bool nb_entries_need_inlining(LLVMModuleRef module);
/* Start of the pipeline: rewrites the users' calls so that no optimisation can hide what they
 * mean. Returns true where something changed. */
bool nb_request_collect(NbContext *context);
/* Hides from the optimiser, in a function or in all, that two numbers are equal where that was
 * tested, and shows it again, in all with what the products of ours are that are no more to be
 * differentiated (`products`). They return true where something changed. */
bool nb_equalities_hide(NbContext *context, LLVMValueRef function);
bool nb_equalities_hide_all(NbContext *context);
bool nb_equalities_show(LLVMValueRef function);
bool nb_equalities_show_all(LLVMModuleRef module, bool products);
/* Notes at accesses how far the indices in their addresses go; true where there are requests. */
bool nb_request_note_indices(NbContext *context);
/* Does the module ask for what cannot be served before the link step of ThinLTO, and perhaps there?
 */
bool nb_request_waits(NbContext *context);
/* At the end of the compile step of -flto: what was held back there (held.c) is put back. The link
 * step holds it back again, or is one without nabla. */
bool nb_held_show_all(LLVMModuleRef module);
/* The functions that ask do so in their file alone: a copy in another one, which ThinLTO makes to
 * inline it, would ask for what is not copied. Undone by nb_request_may_move. */
void nb_request_stay(NbContext *context);
void nb_request_may_move(NbContext *context);
/* Puts back all that was changed for the sake of requests, which stay unserved. */
void nb_request_leave(NbContext *context);
/* Serves every collected call of the module, innermost first, through nb_derivative_of and
 * nb_combined_of, and replaces it. Returns true where something changed. */
bool nb_request_serve(NbContext *context);

#endif
