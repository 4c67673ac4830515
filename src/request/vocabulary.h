// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The users' vocabulary, and the names under which collected calls wait to be served. */
#ifndef NABLA_REQUEST_VOCABULARY_H
#define NABLA_REQUEST_VOCABULARY_H

#include "request/request.h"

/* What all names of the vocabulary have in common. */
#define NB_ENTRY_COMMON "__enzyme_"

typedef enum NbEntryKind {
  NB_ENTRY_NONE,    /* not of the vocabulary at all */
  NB_ENTRY_UNKNOWN, /* looks like it, but nobody knows it */
  NB_ENTRY_REVERSE, /* combined: augmented forward and reverse in one */
  NB_ENTRY_FORWARD,
  NB_ENTRY_SPLIT_AUGMENTED,
  NB_ENTRY_SPLIT_REVERSE,
  NB_ENTRY_SPLIT_SIZE,       /* of the tape */
  NB_ENTRY_SPLIT_FORWARD,    /* forward mode that reads the tape */
  NB_ENTRY_ERRORS,           /* forward mode of errors */
  NB_ENTRY_SPARSITY,         /* forward mode of masks */
  NB_ENTRY_INTERLEAVED,      /* forward mode whose directions lie side by side */
  NB_ENTRY_SITES,            /* the same, where a direction is what comes through some loads */
  NB_ENTRY_SITE_MASKS,       /* the same of masks */
  NB_ENTRY_BATCH,            /* several calls of the function, no derivative */
  NB_ENTRY_TRUNCATE,         /* a copy of the function that computes in a narrower format */
  NB_ENTRY_TRUNCATE_MEMORY,  /* the same, and so is what it stores */
  NB_ENTRY_CHECKPOINT,       /* a loop of which the gradient keeps some states, no derivative */
  NB_ENTRY_CHECKPOINT_UNTIL, /* the same, and a step says when it ends */
  NB_ENTRY_FIXED_POINT,      /* such a loop, whose derivative is that of the last step, repeated */
  NB_ENTRY_IGNORED,          /* a value whose derivative is ignored */
  NB_ENTRY_CALL_INACTIVE,
  NB_ENTRY_TRUNCATE_VALUE, /* a number is rounded to a narrower format */
  NB_ENTRY_IDENTITY,       /* its first argument, no more */
  NB_ENTRY_HINT,           /* of what memory holds */
  NB_ENTRY_LOOP_MARK,      /* stands in a loop that is to be checkpointed */
  NB_ENTRY_FIXED_MARK,     /* stands in a loop that comes to a fixed point */
  NB_ENTRY_LATER,
  NB_ENTRY_SUPPLIED,
  NB_ENTRY_REGISTRATION, /* of something that is not served yet */
  NB_ENTRY_SHADOW_GLOBAL,
  NB_ENTRY_INACTIVE_GLOBAL,
  NB_ENTRY_SAYS_INACTIVE,
  NB_ENTRY_SAYS_LIKE,
  NB_ENTRY_SAYS_ALLOCATES,
  NB_ENTRY_SAYS_GRADIENT,
  NB_ENTRY_SAYS_DERIVATIVE,
  NB_ENTRY_SAYS_SPLIT_DERIVATIVE,
  NB_ENTRY_SAYS_NOTHING /* that a derivative would depend on */
} NbEntryKind;

/* Is it a call entry point that is served? */
bool nb_entry_is_served(NbEntryKind kind);
/* Is it a call of any kind that is served? */
bool nb_entry_is_call(NbEntryKind kind);
/* Is it a call that speaks of one place in the code? */
bool nb_entry_is_site(NbEntryKind kind);
/* Is it a registration, served or not? */
bool nb_entry_is_registration(NbEntryKind kind);
/* What `name`, of a function or global, stands for; `*known` (may be NULL) is the vocabulary's
 * spelling. */
NbEntryKind nb_entry_kind(const char *name, const char **known);
/* The vocabulary's name of a kind that has just one. */
const char *nb_entry_name(NbEntryKind kind);
/* What an attribute or annotation "enzyme_word=text" of a function says: the registration that says
 * the same (NULL: not known) and its text (NULL: none). */
typedef struct NbAttributeWord {
  const char *entry, *text;
} NbAttributeWord;
NbAttributeWord nb_attribute_word(const char *word);
/* The entry point nearest to the misspelt `name`, NULL where none is near. */
const char *nb_entry_nearest(NbArena *arena, const char *name);
/* The same of a marker's text, behind "enzyme_". */
const char *nb_marker_nearest(NbArena *arena, const char *text);
/* Is `name`, which nb_entry_kind calls NONE, an entry point with at most two slips? */
bool nb_entry_almost(NbArena *arena, const char *name);

typedef enum NbMarker {
  NB_MARKER_NONE, /* an argument without a marker */
  NB_MARKER_CONST,
  NB_MARKER_DUP,
  NB_MARKER_DUPNONEED,
  NB_MARKER_OUT,
  NB_MARKER_TAPE,        /* the operand behind it is the memory of the tape */
  NB_MARKER_ALLOCATED,   /* and its size in bytes */
  NB_MARKER_DUPV,        /* the bytes between the shadows of an argument, which comes next */
  NB_MARKER_DUPNONEEDV,  /* the same */
  NB_MARKER_INTERLEAVE,  /* the first of the shadows, which follow all arguments */
  NB_MARKER_SCALAR,      /* of a batch: one argument for all lanes */
  NB_MARKER_VECTOR,      /* one for each */
  NB_MARKER_BUFFER,      /* the bytes between the lanes' arguments; the first comes next */
  NB_MARKER_BYREF,       /* the bytes of a value that comes next, as a pointer to it */
  NB_MARKER_SCHEME,      /* of a checkpointed loop: which states are kept; its data comes next */
  NB_MARKER_REGION,      /* a part of its state; the bytes come next */
  NB_MARKER_FIXED_STATE, /* of a loop to a fixed point: what it iterates; the bytes come next */
  NB_MARKER_FIXED_REDUCTION, /* how far what its derivative changes by must fall */
  NB_MARKER_FIXED_LIMIT,     /* how often a step is differentiated at most */
  NB_MARKER_FIXED_CONTROL,   /* the function that decides instead */
  NB_MARKER_WIDTH,           /* the number of directions: no operand of a collected call */
  NB_MARKER_NOT_OVERWRITTEN, /* of the argument that comes next, before or behind its role */
  NB_MARKER_FLAG_NORET,
  NB_MARKER_FLAG_PRIMAL_RETURN,
  NB_MARKER_FLAG_CONST_RETURN,
  NB_MARKER_FLAG_ACTIVE_RETURN,
  NB_MARKER_FLAG_DUP_RETURN,
  NB_MARKER_FLAG_NOFREE,
  NB_MARKER_FLAG_STRONG_ZERO,
  NB_MARKER_FLAG_RUNTIME_ACTIVITY,
  NB_MARKER_FLAG_CHECK, /* the program verifies this derivative: -nabla-check for one call */
  NB_MARKER_LATER,      /* known, not served yet */
  NB_MARKER_UNKNOWN     /* looks like a marker, but nobody knows it */
} NbMarker;

/* The marker in a variable's name, in the arena, NULL where there is none: "enzyme_dup" of
 * enzyme_dup, diffe_dup and the mangled forms of both. */
const char *nb_marker_text(NbArena *arena, const char *name);
NbMarker nb_marker_kind(const char *text);
/* The word of a role, as users write it behind "enzyme_". */
const char *nb_marker_word(NbMarker marker);

/* An operand behind the function; of NB_ENTRY_SPLIT_SIZE, a role without an operand. */
typedef struct NbMarked {
  NbMarker marker; /* NONE, a role, TAPE, ALLOCATED */
  bool kept;       /* the memory behind it is not overwritten before the reverse */
} NbMarked;

/* What a collected call asks for, as far as its operands do not say it. */
typedef struct NbCollected {
  NbEntryKind entry;
  unsigned flags; /* a bit for each NB_MARKER_FLAG_... */
  unsigned width; /* directions at once */
  unsigned count;
  const NbMarked *operands;
} NbCollected;

NbMode nb_collected_mode(const NbCollected *collected);
/* Is `kind` a flag of the whole call? */
bool nb_marker_is_flag(NbMarker kind);
/* Does the call carry the flag? */
bool nb_collected_has(const NbCollected *collected, NbMarker flag);
void nb_collected_set(NbCollected *collected, NbMarker flag);

/* The name of the declaration that is called instead; `type` is the text of the call's type. */
const char *nb_collected_name(NbArena *arena, const NbCollected *collected, const char *type);
/* The reverse; false where `name` is not that of a collected call. */
bool nb_collected_parse(NbArena *arena, const char *name, NbCollected *collected);

/* The name of a declaration called instead of a call that is refused, and the reverse. */
const char *nb_refused_name(NbArena *arena, NbErrorId id, const char *message);
bool nb_refused_parse(const char *name, NbErrorId *id, const char **message);

#endif
