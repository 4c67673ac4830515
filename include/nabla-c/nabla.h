/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Derivatives for programs that hold LLVM IR in memory: front ends, and compilers at run time.
 *
 *   NablaContext *nabla = nabla_context_create();
 *   NablaRequest request = {.function = f, .mode = NABLA_REVERSE};
 *   LLVMValueRef gradient = nabla_request(nabla, &request, "gradient");
 *   if (!gradient || !nabla_run(nabla, module, machine, "default<O2>"))
 *     ...
 *   nabla_context_dispose(nabla);
 *
 * The functions are those of nabla.so, to be linked with or loaded into a program that has LLVM's
 * shared library of the same major version. Nothing is kept outside of a context: threads may each
 * use one of their own, with an LLVM context of their own. */
#ifndef NABLA_C_NABLA_H
#define NABLA_C_NABLA_H

#include <llvm-c/TargetMachine.h>
#include <llvm-c/Types.h>
#include <stdbool.h>

#include "nabla/version.h"

#ifdef __cplusplus
extern "C" {
#endif

/* NABLA_VERSION_STRING of the loaded library. */
const char *nabla_version(void);

/* --- Contexts: options, users' rules, and who hears what is said. ---------------------------- */

typedef struct NablaContext NablaContext;

/* With the options that the command line of LLVM and the environment have set so far; what these
 * become later changes nothing. Never NULL. */
NablaContext *nabla_context_create(void);
void nabla_context_dispose(NablaContext *context);

/* As -nabla-NAME=VALUE would ("strong-zero", "1"); "" is the value of a flag. False where there is
 * no such option. What is said twice counts as on the command line: the last number, all files. */
bool nabla_context_set_option(NablaContext *context, const char *name, const char *value);
/* A file of derivative rules (docs/rules.md), read when the context runs: a user's rule comes
 * before one of nabla's. */
void nabla_context_add_rules(NablaContext *context, const char *file);

typedef enum NablaSeverity { NABLA_ERROR, NABLA_WARNING, NABLA_NOTE, NABLA_REMARK } NablaSeverity;

/* Texts live until the handler returns; none is NULL. A message of nabla's ends with the name that
 * docs/diagnostics.md explains, in brackets. */
typedef struct NablaDiagnostic {
  NablaSeverity severity;
  const char *message;
  const char *function; /* "": not known */
  const char *file;     /* "": not known, for want of debug information */
  unsigned line;        /* from 1; 0: not known */
  unsigned column;
} NablaDiagnostic;
typedef void (*NablaHandler)(const NablaDiagnostic *diagnostic, void *data);

/* Who hears what nabla and LLVM say while the context is used. NULL, and at first: errors and
 * warnings go to standard error. */
void nabla_context_set_handler(NablaContext *context, NablaHandler handler, void *data);

/* --- Requests. ------------------------------------------------------------------------------- */

typedef enum NablaMode { NABLA_FORWARD, NABLA_REVERSE } NablaMode;

/* A parameter's part in the derivative. */
typedef enum NablaActivity {
  NABLA_DEFAULT,   /* pointers DUP; floats OUT, in forward mode DUP; others CONST */
  NABLA_CONST,     /* no derivative passes */
  NABLA_DUP,       /* followed by its shadow: in reverse mode, adjoints are added to its memory */
  NABLA_DUPNONEED, /* the same; what the function writes there is not needed, and may be NULL */
  NABLA_OUT        /* reverse mode: a number whose adjoint is a result */
} NablaActivity;

typedef struct NablaRequest {
  LLVMValueRef function; /* with a body, or a row in the rules */
  NablaMode mode;
  const NablaActivity *activities; /* one for each parameter; NULL: the default for all */
  unsigned width;                  /* directions at once: a shadow and a result for each; 0: 1 */
  bool primal;                     /* the function's own result is one, too */
  bool runtime_activity;           /* a shadow may be the pointer itself: then it has none */
  bool strong_zero;                /* zero times infinity is zero in derivatives */
} NablaRequest;

/* Adds the function `name` to the module of the request's function. Its parameters are those of the
 * function, each with its shadows behind it. Its results, in this order: the function's where
 * `primal` asks for it; in reverse mode, which seeds that result with 1, the adjoints of the OUT
 * parameters; in forward mode the tangents of the result. One is returned; for several, the last
 * parameter is a pointer to memory for them, laid out as a C struct. It computes them once
 * nabla_run has run; what cannot be served is reported then. NULL, and an error, where it cannot be
 * added: the name is taken, or the module has no such function. */
LLVMValueRef nabla_request(NablaContext *context, const NablaRequest *request, const char *name);

/* Runs a pipeline of LLVM's passes in which nabla's have their places: "default<O2>" to optimise
 * the module, differentiate what comes out and go on; "nabla" to differentiate it as it is. Calls
 * of entry points (__enzyme_autodiff, ...) that the module contains are served too. `machine`: NULL
 * for none in particular. False where an error was reported: derivatives without one are made all
 * the same, the others end the program that calls them. */
bool nabla_run(NablaContext *context, LLVMModuleRef module, LLVMTargetMachineRef machine,
               const char *passes);

#ifdef __cplusplus
}
#endif
#endif
