// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What nabla knows about functions whose body it does not see, and about instructions: one row of
 * a rule file each (docs/rules.md), here as data. A row knows nothing of LLVM but its spellings. */
#ifndef NABLA_RULES_RULES_H
#define NABLA_RULES_RULES_H

#include "base/arena.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct NbRule NbRule;
typedef struct NbRules NbRules;
typedef struct NbExpr NbExpr;

/* The format of a spelling: `sin` is double, `sinf` is float, `sinl` is long double, `llvm.sin` and
 * `fmul` are any. */
typedef enum NbFormat {
  NB_FORMAT_ANY,
  NB_FORMAT_DOUBLE,
  NB_FORMAT_FLOAT,
  NB_FORMAT_LONG,
  NB_FORMAT_HALF /* of names alone: no row is of it */
} NbFormat;

/* The type of a parameter, a result, an expression, or of what is written to memory.
 * NB_TYPE_REAL is a float of the format in which the row is used; NB_TYPE_INT an integer of any
 * width; NB_TYPE_BOOL occurs in expressions only; NB_TYPE_VOID in memory means bytes; NB_TYPE_ANY,
 * a struct say, is what an inactive function takes or returns. */
typedef enum NbType {
  NB_TYPE_VOID,
  NB_TYPE_REAL,
  NB_TYPE_DOUBLE,
  NB_TYPE_FLOAT,
  NB_TYPE_INT,
  NB_TYPE_POINTER,
  NB_TYPE_BOOL,
  NB_TYPE_ANY
} NbType;

/* Operands per kind stand behind it. Arithmetic is on two reals or two integers (division: reals
 * only), comparisons likewise and they are ordered except `!=`; CHOOSE is `o0 ? o1 : o2` and may be
 * a select, for every callee in an expression is free of effects. CONVERT is integer to real. */
typedef enum NbExprKind {
  NB_EXPR_NUMBER,        /* 0: `number`, written as `text`; type REAL or INT */
  NB_EXPR_PARAMETER,     /* 0: parameter `index` of the row; REAL, INT or POINTER */
  NB_EXPR_RESULT,        /* 0: the primal's result; member `index` of a struct result */
  NB_EXPR_NEGATE,        /* 1 */
  NB_EXPR_ADD,           /* 2 */
  NB_EXPR_SUBTRACT,      /* 2 */
  NB_EXPR_MULTIPLY,      /* 2 */
  NB_EXPR_DIVIDE,        /* 2 */
  NB_EXPR_LESS,          /* 2 */
  NB_EXPR_LESS_EQUAL,    /* 2 */
  NB_EXPR_GREATER,       /* 2 */
  NB_EXPR_GREATER_EQUAL, /* 2 */
  NB_EXPR_EQUAL,         /* 2 */
  NB_EXPR_NOT_EQUAL,     /* 2 */
  NB_EXPR_AND,           /* 2 booleans */
  NB_EXPR_OR,            /* 2 booleans */
  NB_EXPR_NOT,           /* 1 boolean */
  NB_EXPR_CHOOSE,        /* 3: a boolean and two of one type */
  NB_EXPR_CALL,          /* `count`: the arguments of `callee` */
  NB_EXPR_CONVERT,       /* 1 integer */
  NB_EXPR_TANGENT        /* 0: d of parameter `index`; only while a row is parsed, never after */
} NbExprKind;

struct NbExpr {
  NbExprKind kind;
  NbType type;
  double number;                 /* NUMBER */
  const char *text;              /* NUMBER: as written; CALL: the callee's canonical name */
  unsigned index;                /* PARAMETER, TANGENT, RESULT */
  bool is_unsigned;              /* PARAMETER: the integer is declared so */
  const NbRule *callee;          /* CALL: never NULL in a finished row */
  unsigned count;                /* of operands */
  const NbExpr *const *operands; /* `count` of them */
  unsigned line, column;         /* where it stands in its file; 0 in built-in rows */
};

/* One summand of a tangent: `coefficient` (a REAL) times the tangent of parameter `parameter`.
 * A parameter has at most one term; one without a term contributes zero. */
typedef struct NbTerm {
  unsigned parameter;
  const NbExpr *coefficient;
} NbTerm;

typedef struct NbParameter {
  const char *name;
  NbType type;
  bool is_unsigned; /* INT: declared so; else signed, unless the call says otherwise */
} NbParameter;

#define NB_NO_PARAMETER (~0u)

/* Memory that a function reads or writes, through `parameter`, or (NB_NO_PARAMETER, written
 * `memory`) through any of its pointer arguments, variadic ones too. `type` is that of an element;
 * `extent` how many elements (an INT expression, NULL: not known). Reals written carry the tangent
 * `terms`; zero where there are none. What is written with any other type carries no tangent. */
typedef struct NbEffect {
  bool writes;
  bool text;  /* characters of a string, which ends within its array */
  bool ended; /* the same, and behind the call that string begins there */
  unsigned parameter;
  NbType type;
  const NbExpr *extent;
  unsigned offset; /* the first element lies so many bytes behind the pointer */
  bool leads;      /* what is written is a pointer to what lies there or behind: */
  unsigned into;   /* a parameter */
  unsigned term_count;
  const NbTerm *terms;
} NbEffect;

/* A member of a struct result, such as that of llvm.modf, with its tangent. */
typedef struct NbMember {
  NbType type;
  unsigned term_count;
  const NbTerm *terms;
} NbMember;

typedef enum NbRuleKind {
  NB_RULE_DECLARED, /* known, without derivative: may be called in coefficients, refused if active
                     */
  NB_RULE_TANGENT,  /* the tangent of the result is the sum of `terms` */
  NB_RULE_INACTIVE, /* carries no derivative; `effects` say which memory it touches */
  NB_RULE_MIRROR,   /* inactive, and run on the shadows of its pointers too */
  NB_RULE_ALLOCATE, /* returns `extent` fresh bytes, zero if `zeroed`; given back by `partner` */
  NB_RULE_FREE,     /* frees parameter operands[0] */
  NB_RULE_RESIZE,   /* as realloc: parameter operands[0] may be null, and is freed; ALLOCATE else */
  NB_RULE_COPY,     /* operands: to, from, number of bytes; overlap allowed */
  NB_RULE_FILL,     /* operands: to, number of bytes: what is stored there has tangent zero */
  NB_RULE_STRUCT    /* as TANGENT, for a struct result: the tangents are those of `members` */
} NbRuleKind;

/* One interval of a domain: parameter `parameter` in [low, high]. */
typedef struct NbRange {
  unsigned parameter;
  double low, high;
} NbRange;

/* A box of arguments over which the row is tested; a row may have several. */
typedef struct NbDomain {
  unsigned count;
  const NbRange *ranges;
} NbDomain;

/* A value that is promised: at these arguments (`low` of each range), the coefficients of
 * `terms` have the values of their NUMBER coefficients. */
typedef struct NbPoint {
  unsigned count;
  const NbRange *ranges;
  unsigned term_count;
  const NbTerm *terms;
} NbPoint;

struct NbRule {
  const char *name; /* canonical: as the row writes it */
  NbRuleKind kind;
  NbType result;
  NbFormat format; /* of `name` */
  bool libm;       /* also NAMEf, NAMEl, and __..._finite of all three */
  bool adopted; /* `libm` is that of the row in whose place this one stands, which finds its names
                 */
  bool adopted_intrinsic; /* and so is `intrinsic` */
  bool complex;           /* of <complex.h>: its parameters are pairs of real and imaginary parts */
  bool instruction;       /* an LLVM opcode, not a function */
  const char *of;         /* the function for a call of which front ends write it; NULL: none */
  bool variadic;
  bool once;    /* acts on the world (output, time): never repeated, never dropped */
  bool reports; /* says what is wrong, and does nothing else */
  bool thrown;  /* done where an exception is thrown, or caught, alone */
  bool noreturn;
  bool held;     /* hidden from the optimiser where the program has its body */
  unsigned cost; /* in multiplications; 0: that of a function */
  bool zeroed;   /* ALLOCATE */
  bool device; /* ALLOCATE, COPY, FILL: the memory may be a device's, which no load or store reaches
                */
  unsigned returns; /* the result is this parameter; NB_NO_PARAMETER: it is not */
  unsigned throws;  /* whatever catches finds what this parameter leads to; or NB_NO_PARAMETER */
  unsigned scans;   /* the format of numbers that it reads into `...`; or NB_NO_PARAMETER */
  unsigned parameter_count;
  const NbParameter *parameters;
  unsigned term_count;
  const NbTerm *terms;
  unsigned member_count; /* 0: the result is one value of type `result`; else it is VOID */
  const NbMember *members;
  unsigned effect_count;
  const NbEffect *effects;
  unsigned operands[3];   /* COPY, FILL, FREE, RESIZE: parameter indices */
  const NbExpr *extent;   /* ALLOCATE, RESIZE: bytes, an INT expression */
  const NbRule *partner;  /* ALLOCATE, RESIZE: the function that frees */
  unsigned handed_count;  /* ALLOCATE: what the partner takes; 0: the memory alone */
  const unsigned *handed; /* parameters of this row; NB_NO_PARAMETER: the memory */
  const NbRule *measure;  /* RESIZE: the function that tells how many bytes there are; of null, 0 */
  const char *intrinsic;  /* "llvm.sin", without type suffix; exists in every LLVM supported */
  unsigned alias_count;
  const char *const *aliases; /* further spellings, recognised and never emitted */
  const char *float_name;     /* spelling in float, NULL if none */
  const char *long_name;      /* and in long double */
  const char *tested_as;      /* the C expression that tests call; NULL: the row's own call */
  unsigned domain_count;
  const NbDomain *domains;
  unsigned point_count;
  const NbPoint *points;
  unsigned pole_count; /* where points promise an infinite coefficient: boxes of such arguments */
  const NbDomain *poles;
  const NbRule *like; /* the row that this one was made from; NULL if none */
  const char *file;   /* where the row stands */
  unsigned line;
};

/* Why a rule file was not taken; `file` and `message` live in the arena given to nb_rules_load. */
typedef struct NbRuleError {
  const char *file;
  unsigned line, column; /* from 1; 0 where the file could not be read */
  const char *message;
  const struct NbRuleError *next; /* further down the file, at most one a row; NULL at the end */
} NbRuleError;

/* nabla's own rows; constant, of the process. */
const NbRules *nb_rules_builtin(void);

/* The rows of the file at `path`, in front of those of `base` (NULL: none), which they override.
 * On failure NULL, with `*error` set to the first mistake. The result lives in `arena` and borrows
 * `base`. */
const NbRules *nb_rules_load(NbArena *arena, const char *path, const NbRules *base,
                             NbRuleError *error);
/* As nb_rules_load, of `length` bytes of text; `path` only names them in errors. */
const NbRules *nb_rules_parse(NbArena *arena, const char *path, const char *text, size_t length,
                              const NbRules *base, NbRuleError *error);

/* The row of the function called `name`, in any of its spellings (`sin`, `sinf`, `__sinf_finite`,
 * `llvm.sin.v4f32`), or NULL: the foremost table's that has one for the function itself, under
 * whichever of these names. `*format` (may be NULL) receives that of the spelling; an intrinsic
 * of another format than double and float gives NB_FORMAT_ANY. */
const NbRule *nb_rules_find(const NbRules *rules, const char *name, size_t length,
                            NbFormat *format);
/* How many lanes the vectors have that the function called `name` takes and returns, by a pattern
 * of names ("names" in docs/rules.md); 0: it takes numbers. */
unsigned nb_rules_lanes(const NbRules *rules, const char *name, size_t length);
/* Is the body of a function called `name` hidden from the optimiser, where the program has it? */
bool nb_rules_hold(const NbRules *rules, const char *name, size_t length);
/* The row of an LLVM instruction by opcode name, such as "fmul", or NULL. */
const NbRule *nb_rules_find_instruction(const NbRules *rules, const char *opcode);

/* The rows of the file that `rules` was made from (not those of its base), in order; its path; and
 * what it stands in front of (NULL at the end). */
unsigned nb_rules_count(const NbRules *rules);
const NbRule *nb_rules_at(const NbRules *rules, unsigned index);
const char *nb_rules_path(const NbRules *rules);
const NbRules *nb_rules_base(const NbRules *rules);

/* Do both rows take and return the same, but for the format of reals? */
bool nb_rule_has_shape_of(const NbRule *rule, const NbRule *other);
/* Does the row's function write numbers with a derivative there? */
bool nb_rule_gives(const NbRule *rule, const NbEffect *effect);
/* May the row's function, which is not inactive, read numbers through its argument `argument`, if
 * that is a pointer? Of these a tangent says nothing. */
bool nb_rule_reads(const NbRule *rule, unsigned argument);
/* The name under which the row's function is called in `format` (not ANY), or NULL where
 * it has none. A row that is not of libm has one name. */
const char *nb_rule_spelling(const NbRule *rule, NbFormat format);
/* The intrinsic to emit for the row, without type suffix ("llvm.sin"), or NULL. It exists in every
 * LLVM that nabla supports. Overloaded by the value's type (llvm.powi and llvm.ldexp: and by the
 * integer's). */
const char *nb_rule_intrinsic(const NbRule *rule);

#ifdef __cplusplus
}
#endif
#endif
