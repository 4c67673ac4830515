// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What the files of this folder share: a file of C while it is written, and a function in it.
 *
 * A function goes through these steps: which values stand inside of the expressions that use them
 * (fold.c); which are one variable (fold.c); statements in nested bodies, from dominators and loops
 * (structure.c); these as a person would write them (tidy.c); where variables are declared
 * (declare.c); text (print.c). */
#ifndef NABLA_SOURCE_WRITER_H
#define NABLA_SOURCE_WRITER_H

#include "base/texts.h"
#include "source/source.h"

/* How tightly an expression holds together. */
enum {
  LEVEL_ANY = 0,
  LEVEL_CHOICE = 3,
  LEVEL_OR = 4,
  LEVEL_AND = 5,
  LEVEL_BITS = 8,
  LEVEL_EQUAL = 9,
  LEVEL_LESS = 10,
  LEVEL_SHIFT = 11,
  LEVEL_SUM = 12,
  LEVEL_PRODUCT = 13,
  LEVEL_UNARY = 14,
  LEVEL_PRIMARY = 15
};

/* Names that are taken. */
typedef struct Names {
  NbArena *arena;
  NbTexts *taken, *bases;
  NbMap *last; /* of the bases: the greatest number behind one and an underscore */
} Names;

/* A file. Types, globals and functions are declared when something mentions them. */
typedef struct Writer {
  NbContext *context;
  NbArena *arena;
  NbMap *type_names;     /* LLVMTypeRef -> what the type is called */
  NbMap *unsigned_names; /* the same of vectors of integers without a sign */
  NbList types;          /* their definitions, in order: text */
  NbMap *exact;          /* LLVMTypeRef: TBAA allows all accesses of that type to be C's */
  NbMap *access_names, *members;
  NbMap *globals;    /* global value -> its name */
  NbMap *pointees;   /* value -> what it points to */
  NbMap *written;    /* functions of which the body is written */
  Names names;       /* all that are taken at file scope */
  Names exact_names; /* those of globals that must be called so */
  bool whole;
} Writer;

typedef struct Variable {
  const char *name;
  LLVMTypeRef type, pointee; /* pointee: of pointers, NULL: void */
  const char *declaration;   /* of arrays and others that are written at once */
  bool is_parameter;
  NbList uses; /* Stmt: where it stands, in the order of the text */
} Variable;

typedef enum {
  STMT_TEXT,
  STMT_ASSIGN,  /* variable = text */
  STMT_DECLARE, /* variable */
  STMT_IF,
  STMT_LOOP,
  STMT_SWITCH,
  STMT_CASE, /* text: its labels */
  STMT_GOTO,
  STMT_LABEL,
  STMT_BREAK,
  STMT_CONTINUE,
  STMT_RETURN
} StmtKind;

typedef enum { LOOP_ENDLESS, LOOP_WHILE, LOOP_DO, LOOP_FOR } LoopKind;

typedef struct Body {
  struct Stmt *first, *last, *owner;
} Body;

typedef struct Stmt {
  StmtKind kind;
  struct Stmt *next, *before;
  Body *in;
  const char *text, *negated; /* of IF and LOOP: the condition, and its opposite */
  Variable *variable;
  bool declares;
  LLVMBasicBlockRef target; /* of GOTO and LABEL */
  Body body, otherwise;
  LoopKind loop;
  bool runs_once;           /* of LOOP: its condition holds when it begins */
  struct Stmt *init, *step; /* of LOOP_FOR; they are in no body */
  struct Stmt *moved;       /* what this has become a part of */
} Stmt;

typedef struct Function {
  Writer *writer;
  NbArena *arena;
  LLVMValueRef function;
  const char *why_not; /* cannot be written as C; NULL */
  bool throws;         /* the ways that exceptions take are left out */
  NbMap *variables;    /* value -> Variable */
  NbMap *folded;       /* instruction: stands inside of its users */
  NbMap *late;         /* instruction: its block's last statement; the step of a loop */
  Names names;
  LLVMBasicBlockRef *blocks; /* reverse postorder */
  unsigned block_count;
  NbMap *numbers; /* block -> its number there, from 1 */
  NbMap *gotos;   /* block: something jumps there */
  Stmt *at;       /* what is being written */
  Body body;
} Function;

/* --- names.c --------------------------------------------------------------------------------- */
Names source_names(NbArena *arena);
void source_take(Names *names, const char *name);
const char *source_unique(NbArena *arena, Names *names, const Names *others, const char *wanted);
/* What of a value's name a reader wants to see; "" where that is nothing. */
const char *source_clean(NbArena *arena, const char *name);
bool source_is_named(LLVMValueRef value);
void source_take_exact(Writer *writer);
const char *source_global(Writer *writer, LLVMValueRef global);
bool source_is_identifier(const char *name);

/* --- types.c --------------------------------------------------------------------------------- */
const char *source_type(Writer *writer, LLVMTypeRef type);
const char *source_unsigned(Writer *writer, LLVMTypeRef type);
/* The type as which memory is accessed. */
const char *source_access(Writer *writer, LLVMTypeRef type, unsigned alignment);
/* A declaration of `name` with the type as memory has it: arrays stand as such. */
const char *source_declare(Writer *writer, LLVMTypeRef type, const char *name);
const char *source_member(Writer *writer, LLVMTypeRef type, unsigned index);
/* `void *`, or a pointer to that. */
const char *source_pointer(Writer *writer, LLVMTypeRef pointee);
bool source_is_value(LLVMTypeRef type);
void source_find_exact(Writer *writer);

/* --- pointees.c ------------------------------------------------------------------------------ */
/* What the pointer leads to as C has it; NULL: void. */
LLVMTypeRef source_pointee(Writer *writer, LLVMValueRef pointer);

/* --- constants.c ----------------------------------------------------------------------------- */
const char *source_constant(Writer *writer, LLVMValueRef constant, int level);
const char *source_initialiser(Writer *writer, LLVMValueRef constant);
/* Is it a table of distances from itself to addresses, which the optimiser has made of a table of
 * these, and read as no other? C has it as it was. */
bool source_is_table(LLVMValueRef global);
/* The address that its element leads to; NULL: it is none. */
LLVMValueRef source_distant(LLVMValueRef table, unsigned index);
/* Its addresses; NULL: C has not one of them. */
const char *source_table(Writer *writer, LLVMValueRef table);

/* --- fold.c ---------------------------------------------------------------------------------- */
void source_fold(Function *f);
bool source_is_folded(const Function *f, LLVMValueRef value);
bool source_is_silent(LLVMValueRef instruction);

/* --- expressions.c --------------------------------------------------------------------------- */
const char *source_refuse(Function *f, const char *why);
const char *source_value(Function *f, LLVMValueRef value, int level);
/* The value of an instruction, whether it has a variable or not. */
const char *source_compute(Function *f, LLVMValueRef instruction, int level);
const char *source_condition(Function *f, LLVMValueRef condition, bool negated, int level);
const char *source_wrap(NbArena *arena, const char *text, int own, int level);
/* Are integers compared as unsigned ones? */
bool source_is_natural(LLVMIntPredicate predicate);
Variable *source_variable(Function *f, LLVMValueRef value);
const char *source_refer(Function *f, Variable *variable);

/* --- operators.c ----------------------------------------------------------------------------- */
const char *source_binary(Function *f, LLVMValueRef instruction, int level);
const char *source_cast(Function *f, LLVMValueRef instruction, int level);
/* C's operator for arithmetic on integers. */
const char *source_sign(LLVMOpcode opcode);

/* --- vectors.c ------------------------------------------------------------------------------- */
/* Operations on vectors of integers; comparisons; a choice by a vector; conversions. */
const char *source_vector_binary(Function *f, LLVMValueRef instruction, int level);
const char *source_vector_compare(Function *f, LLVMValueRef compare);
const char *source_vector_choice(Function *f, LLVMValueRef select);
const char *source_vector_cast(Function *f, LLVMValueRef cast);
/* An intrinsic without "llvm." and types; NULL where it is none of vectors that C has. */
const char *source_vector_intrinsic(Function *f, LLVMValueRef call, const char *name);
/* What clang's builtins of lanes call what the intrinsic does. */
const char *source_lane_name(NbArena *arena, const char *name);

/* --- address.c ------------------------------------------------------------------------------- */
/* The memory at the pointer, of that type. */
const char *source_memory(Function *f, LLVMValueRef pointer, LLVMTypeRef type, unsigned alignment,
                          bool is_volatile, int level);
/* A pointer to `pointee`, NULL: any, by its variable or address. */
const char *source_address(Function *f, LLVMValueRef pointer, LLVMTypeRef pointee, int level);
const char *source_element(Function *f, LLVMValueRef gep, int level);
const char *source_offset_constant(Writer *writer, LLVMValueRef constant, int level);

/* --- calls.c --------------------------------------------------------------------------------- */
const char *source_call(Function *f, LLVMValueRef call, int level);
const char *source_prototype(Writer *writer, LLVMValueRef function, const char *const *parameters);

/* --- statements.c ---------------------------------------------------------------------------- */
Stmt *source_statement(Function *f, Body *body, StmtKind kind);
void source_statements(Function *f, LLVMBasicBlockRef block, Body *body);
/* A call that may throw, as if it did not. */
void source_invoke(Function *f, LLVMValueRef invoke, Body *body);
void source_edge(Function *f, LLVMBasicBlockRef from, LLVMBasicBlockRef to, Body *body);
void source_return(Function *f, LLVMValueRef instruction, Body *body);
void source_parameters(Function *f);
void source_append(Body *body, Stmt *stmt);
void source_remove(Stmt *stmt);
void source_insert(Stmt *stmt, Stmt *before);

/* --- structure.c, tidy.c, declare.c, print.c ------------------------------------------------- */
void source_structure(Function *f);
void source_tidy(Function *f);
void source_place_declarations(Function *f);
const char *source_print(Function *f);

/* --- module.c -------------------------------------------------------------------------------- */
/* The text of a function, or a comment. */
const char *source_function(Writer *writer, LLVMValueRef function);

#endif
