// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The C API (nabla-c/nabla.h). A request becomes a function that calls an entry point, as a user's
 * program would: there is one way through the engine. */
#include "nabla-c/nabla.h"

#include "request/vocabulary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORTED __attribute__((visibility("default")))

struct NablaContext {
  NbOptions *options;
  NablaHandler handler;
  void *data;
};

EXPORTED const char *nabla_version(void) { return NABLA_VERSION_STRING; }

/* --- Contexts -------------------------------------------------------------------------------- */

static void print(const NablaDiagnostic *diagnostic, void *data) {
  static const char *const words[] = {"error", "warning", "note", "remark"};
  (void)data;
  if (diagnostic->severity > NABLA_WARNING)
    return;
  if (diagnostic->line)
    fprintf(stderr, "%s:%u:%u: ", diagnostic->file, diagnostic->line, diagnostic->column);
  fprintf(stderr, "%s: %s\n", words[diagnostic->severity], diagnostic->message);
}

EXPORTED NablaContext *nabla_context_create(void) {
  NablaContext *context = calloc(1, sizeof *context);
  if (!context) {
    fputs("nabla: out of memory\n", stderr);
    abort();
  }
  context->options = nb_options_new();
  context->handler = print;
  return context;
}

EXPORTED void nabla_context_dispose(NablaContext *context) {
  if (!context)
    return;
  nb_options_free(context->options);
  free(context);
}

EXPORTED bool nabla_context_set_option(NablaContext *context, const char *name, const char *value) {
  return nb_options_set(context->options, name, value);
}

EXPORTED void nabla_context_add_rules(NablaContext *context, const char *file) {
  nb_options_set(context->options, "rules", file);
}

EXPORTED void nabla_context_set_handler(NablaContext *context, NablaHandler handler, void *data) {
  context->handler = handler ? handler : print;
  context->data = data;
}

static NablaSeverity severity_of(NbSeverity severity) {
  switch (severity) {
  case NB_SEVERITY_ERROR:
    return NABLA_ERROR;
  case NB_SEVERITY_WARNING:
    return NABLA_WARNING;
  case NB_SEVERITY_NOTE:
    return NABLA_NOTE;
  default:
    return NABLA_REMARK;
  }
}

static void hear(const NbDiagnosis *diagnosis, void *data) {
  const NablaContext *context = data;
  NablaDiagnostic diagnostic = {severity_of(diagnosis->severity),
                                diagnosis->message,
                                diagnosis->function,
                                diagnosis->file,
                                diagnosis->line,
                                diagnosis->column};
  context->handler(&diagnostic, context->data);
}

/* --- Requests -------------------------------------------------------------------------------- */

/* A request while its function is written. */
typedef struct Writing {
  const NablaRequest *request;
  NbArena *arena;
  LLVMContextRef llvm;
  unsigned width;
  NbList types;    /* of the function's parameters */
  NbList operands; /* of the entry point, but NULL where one of these parameters goes */
  NbList results;  /* types */
} Writing;

static LLVMValueRef refuse(const NablaContext *context, const char *name, const char *reason) {
  char message[512];
  snprintf(message, sizeof message, "the derivative '%s' cannot be added: %s", name, reason);
  NablaDiagnostic diagnostic = {NABLA_ERROR, message, name, "", 0, 0};
  context->handler(&diagnostic, context->data);
  return NULL;
}

static void mark(Writing *writing, const char *word) {
  LLVMMetadataRef text = LLVMMDStringInContext2(writing->llvm, word, strlen(word));
  nb_list_push(&writing->operands, LLVMMetadataAsValue(writing->llvm, text));
}

static void take_parameter(Writing *writing, LLVMTypeRef type) {
  nb_list_push(&writing->types, type);
  nb_list_push(&writing->operands, NULL);
}

static NablaActivity default_activity(const Writing *writing, LLVMTypeRef type) {
  if (nb_type_has_pointer(type))
    return NABLA_DUP;
  if (nb_type_has_float(type))
    return writing->request->mode == NABLA_REVERSE ? NABLA_OUT : NABLA_DUP;
  return NABLA_CONST;
}

static void write_parameter(Writing *writing, unsigned index) {
  static const char *const words[] = {
      [NABLA_CONST] = "enzyme_const",
      [NABLA_DUP] = "enzyme_dup",
      [NABLA_DUPNONEED] = "enzyme_dupnoneed",
      [NABLA_OUT] = "enzyme_out",
  };
  const NablaActivity *activities = writing->request->activities;
  LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(writing->request->function, index));
  NablaActivity activity = activities ? activities[index] : NABLA_DEFAULT;
  if (activity == NABLA_DEFAULT)
    activity = default_activity(writing, type);
  bool shadows = activity == NABLA_DUP || activity == NABLA_DUPNONEED;
  mark(writing, words[activity]);
  take_parameter(writing, type);
  for (unsigned lane = 0; shadows && lane < writing->width; lane++)
    take_parameter(writing, type);
  for (unsigned lane = 0; activity == NABLA_OUT && lane < writing->width; lane++)
    nb_list_push(&writing->results, type);
}

static void write_operands(Writing *writing) {
  const NablaRequest *request = writing->request;
  LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(request->function));
  bool returns = LLVMGetTypeKind(result) != LLVMVoidTypeKind;
  bool active = returns && (nb_type_has_float(result) || nb_type_has_pointer(result));
  nb_list_push(&writing->operands, request->function);
  if (writing->width > 1) {
    mark(writing, "enzyme_width");
    LLVMTypeRef number = LLVMInt64TypeInContext(writing->llvm);
    nb_list_push(&writing->operands, LLVMConstInt(number, writing->width, false));
  }
  if (request->runtime_activity)
    mark(writing, "enzyme_runtime_activity");
  if (request->strong_zero)
    mark(writing, "enzyme_strong_zero");
  if (request->primal && returns) {
    mark(writing, "enzyme_primal_return");
    nb_list_push(&writing->results, result);
  }
  for (unsigned i = 0; i < LLVMCountParams(request->function); i++)
    write_parameter(writing, i);
  for (unsigned lane = 0; request->mode == NABLA_FORWARD && active && lane < writing->width; lane++)
    nb_list_push(&writing->results, result);
}

static LLVMTypeRef type_of_results(const Writing *writing) {
  if (!writing->results.count)
    return LLVMVoidTypeInContext(writing->llvm);
  if (writing->results.count == 1)
    return writing->results.items[0];
  return LLVMStructTypeInContext(writing->llvm, (LLVMTypeRef *)writing->results.items,
                                 writing->results.count, false);
}

static LLVMValueRef declare_entry(const Writing *writing, const char *name, LLVMTypeRef results) {
  NbEntryKind kind = writing->request->mode == NABLA_FORWARD ? NB_ENTRY_FORWARD : NB_ENTRY_REVERSE;
  const char *entry = nb_arena_print(writing->arena, "%s.%s", nb_entry_name(kind), name);
  LLVMTypeRef first = LLVMPointerTypeInContext(writing->llvm, 0);
  LLVMModuleRef module = LLVMGetGlobalParent(writing->request->function);
  return LLVMAddFunction(module, entry, LLVMFunctionType(results, &first, 1, true));
}

static void write_body(const Writing *writing, LLVMValueRef function, LLVMTypeRef results) {
  LLVMValueRef entry = declare_entry(writing, nb_name(function), results);
  LLVMValueRef *operands = (LLVMValueRef *)writing->operands.items;
  unsigned next = 0;
  for (unsigned i = 0; i < writing->operands.count; i++)
    if (!operands[i])
      operands[i] = LLVMGetParam(function, next++);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(writing->llvm);
  LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(writing->llvm, function, ""));
  LLVMValueRef value = LLVMBuildCall2(builder, LLVMGlobalGetValueType(entry), entry, operands,
                                      writing->operands.count, "");
  if (writing->results.count > 1)
    LLVMBuildStore(builder, value, LLVMGetParam(function, next));
  if (writing->results.count == 1)
    LLVMBuildRet(builder, value);
  else
    LLVMBuildRetVoid(builder);
  LLVMDisposeBuilder(builder);
}

static LLVMValueRef write_function(Writing *writing, const char *name) {
  write_operands(writing);
  LLVMTypeRef results = type_of_results(writing), returned = results;
  if (writing->results.count > 1) {
    nb_list_push(&writing->types, LLVMPointerTypeInContext(writing->llvm, 0));
    returned = LLVMVoidTypeInContext(writing->llvm);
  }
  LLVMTypeRef type =
      LLVMFunctionType(returned, (LLVMTypeRef *)writing->types.items, writing->types.count, false);
  LLVMModuleRef module = LLVMGetGlobalParent(writing->request->function);
  LLVMValueRef function = LLVMAddFunction(module, name, type);
  nb_attributes_copy_target(function, writing->request->function);
  write_body(writing, function, results);
  return function;
}

EXPORTED LLVMValueRef nabla_request(NablaContext *context, const NablaRequest *request,
                                    const char *name) {
  LLVMValueRef function = request->function;
  if (!function || !LLVMIsAFunction(function))
    return refuse(context, name, "what is to be differentiated is no function");
  LLVMModuleRef module = LLVMGetGlobalParent(function);
  if (LLVMGetNamedFunction(module, name) || LLVMGetNamedGlobal(module, name))
    return refuse(context, name, "the module has something of this name");
  if (LLVMIsFunctionVarArg(LLVMGlobalGetValueType(function)))
    return refuse(context, name, "the function takes a variable number of arguments");
  NbArena *arena = nb_arena_new();
  Writing writing = {.request = request,
                     .arena = arena,
                     .llvm = LLVMGetModuleContext(module),
                     .width = request->width ? request->width : 1,
                     .types = nb_list(arena),
                     .operands = nb_list(arena),
                     .results = nb_list(arena)};
  LLVMValueRef derivative = write_function(&writing, name);
  nb_arena_free(arena);
  return derivative;
}

EXPORTED bool nabla_run(NablaContext *context, LLVMModuleRef module, LLVMTargetMachineRef machine,
                        const char *passes) {
  return nb_run(module, machine, passes, context->options, hear, context);
}
