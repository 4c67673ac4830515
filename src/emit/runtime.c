// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emit/runtime.h"

#include "types/facts.h"
#include "types/slots.h"

#include <string.h>

/* The runtime as bitcode, made when nabla is built. */
extern const unsigned char nb_runtime_bitcode[];
extern const size_t nb_runtime_bitcode_size;

#define RUNTIME_PREFIX "__nabla_"

LLVMValueRef nb_runtime_call(NbContext *context, LLVMBuilderRef builder, const char *name,
                             LLVMTypeRef result, LLVMValueRef *arguments, unsigned count) {
  LLVMTypeRef *types = NB_NEW_ARRAY(context->arena, LLVMTypeRef, count + 1);
  for (unsigned i = 0; i < count; i++)
    types[i] = LLVMTypeOf(arguments[i]);
  LLVMTypeRef type = LLVMFunctionType(result, types, count, false);
  LLVMValueRef function = LLVMGetNamedFunction(context->module, name);
  if (!function)
    function = LLVMAddFunction(context->module, name, type);
  return LLVMBuildCall2(builder, type, function, arguments, count, "");
}

static const char *format_name(LLVMTypeRef format) {
  switch (LLVMGetTypeKind(format)) {
  case LLVMHalfTypeKind:
    return "half";
  case LLVMBFloatTypeKind:
    return "bfloat";
  case LLVMFloatTypeKind:
    return "float";
  case LLVMX86_FP80TypeKind:
    return "long";
  default:
    return "double";
  }
}

const char *nb_runtime_for(NbContext *context, const char *name, LLVMTypeRef format) {
  return nb_arena_print(context->arena, "%s_%s", name, format_name(format));
}

static LLVMValueRef text_of(NbContext *context, const char *text) {
  const char *name = nb_arena_print(context->arena, "nabla.name.%s", text);
  LLVMValueRef global = LLVMGetNamedGlobal(context->module, name);
  if (global)
    return global;
  LLVMValueRef value = LLVMConstStringInContext(context->llvm, text, (unsigned)strlen(text), false);
  global = LLVMAddGlobal(context->module, LLVMTypeOf(value), name);
  LLVMSetInitializer(global, value);
  LLVMSetLinkage(global, LLVMPrivateLinkage);
  LLVMSetGlobalConstant(global, true);
  LLVMSetUnnamedAddress(global, LLVMGlobalUnnamedAddr);
  return global;
}

LLVMValueRef nb_runtime_function_name(NbContext *context, LLVMValueRef function) {
  return text_of(context, nb_user_name(context, function));
}

LLVMValueRef nb_runtime_place(NbContext *context, LLVMValueRef function, LLVMValueRef where) {
  const char *name = nb_user_name(context, function);
  unsigned length = 0, line = LLVMGetDebugLocLine(where);
  const char *path = line ? LLVMGetDebugLocFilename(where, &length) : NULL;
  const char *text = nb_arena_print(context->arena, "'%s'", name);
  if (path && length) {
    const char *file = nb_arena_copy(context->arena, path, length);
    const char *slash = strrchr(file, '/');
    text = nb_arena_print(context->arena, "'%s' (%s:%u)", name, slash ? slash + 1 : file, line);
  }
  return text_of(context, text);
}

LLVMValueRef nb_runtime_stack_array(NbContext *context, LLVMBuilderRef builder, const char *name,
                                    LLVMValueRef array, LLVMValueRef function,
                                    LLVMValueRef budget) {
  LLVMTypeRef type = LLVMInt64TypeInContext(context->llvm);
  LLVMTypeRef pointer = LLVMPointerTypeInContext(context->llvm, 0);
  uint64_t size = LLVMABISizeOfType(context->layout, LLVMGetAllocatedType(array));
  LLVMValueRef arguments[] = {
      LLVMBuildIntCast2(builder, LLVMGetOperand(array, 0), type, false, ""),
      LLVMConstInt(type, size, false), LLVMConstInt(type, LLVMGetAlignment(array), false),
      nb_runtime_function_name(context, function), budget ? budget : LLVMConstNull(pointer)};
  return nb_runtime_call(context, builder, name, pointer, arguments, 5);
}

bool nb_runtime_is(LLVMValueRef call) {
  LLVMValueRef callee = nb_callee(call);
  return callee && strncmp(nb_name(callee), RUNTIME_PREFIX, strlen(RUNTIME_PREFIX)) == 0;
}

/* What the runtime keeps for itself is no user's memory: where it says that it accesses an integer
 * or a pointer, that is one. */
static void note_accesses(LLVMValueRef function) {
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at)) {
    bool access = LLVMIsALoadInst(at) || LLVMIsAStoreInst(at);
    NbKind kind = access && nb_tbaa_name(at) ? nb_facts_of_access(at) : NB_KIND_UNKNOWN;
    if (kind == NB_KIND_INTEGER || kind == NB_KIND_POINTER)
      nb_access_note_slot(at);
  }
}

static NbMap *functions_of(NbContext *context) {
  NbMap *functions = nb_map_new(context->arena);
  for (LLVMValueRef function = LLVMGetFirstFunction(context->module); function;
       function = LLVMGetNextFunction(function))
    if (!LLVMIsDeclaration(function))
      nb_map_set(functions, function, function);
  return functions;
}

static void note_new(NbContext *context, NbMap *old) {
  for (LLVMValueRef function = LLVMGetFirstFunction(context->module); function;
       function = LLVMGetNextFunction(function))
    if (!nb_map_has(old, function))
      note_accesses(function);
}

/* The names of what other stages declare and take away again (base/names.h) have a dot. */
static bool is_wanted(LLVMValueRef function) {
  const char *name = nb_name(function);
  return LLVMIsDeclaration(function) && LLVMGetFirstUse(function) &&
         strncmp(name, RUNTIME_PREFIX, strlen(RUNTIME_PREFIX)) == 0 && !strchr(name, '.');
}

bool nb_runtime_link(NbContext *context) {
  LLVMValueRef function = LLVMGetFirstFunction(context->module);
  while (function && !is_wanted(function))
    function = LLVMGetNextFunction(function);
  if (!function)
    return false;
  NbMap *old = functions_of(context);
  char *message = nb_link_needed(context->module, (const char *)nb_runtime_bitcode,
                                 nb_runtime_bitcode_size, true);
  note_new(context, old);
  if (!message)
    return true;
  nb_refuse(context, NB_ERROR_BUILD, LLVMGetFirstFunction(context->module),
            "nabla's runtime could not be linked: %s", message);
  LLVMDisposeMessage(message);
  return true;
}
