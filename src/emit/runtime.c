// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emit/runtime.h"

#include "request/registrations.h"
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

const char *nb_runtime_for_piece(NbContext *context, const char *name, const NbPiece *piece) {
  if (piece->kind == NB_KIND_WORD)
    return nb_arena_print(context->arena, "%s_word", name);
  return piece->kind == NB_KIND_FLOAT ? nb_runtime_for(context, name, piece->type) : NULL;
}

LLVMValueRef nb_runtime_may(NbContext *context, const NbPiece *piece) {
  return LLVMConstInt(LLVMInt32TypeInContext(context->llvm), piece->may, false);
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
  return text_of(context, nb_shown_name(context, function));
}

LLVMValueRef nb_runtime_place(NbContext *context, LLVMValueRef function, LLVMValueRef where) {
  const char *name = nb_shown_name(context, function);
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

bool nb_runtime_has(LLVMValueRef function) {
  return strncmp(nb_name(function), RUNTIME_PREFIX, strlen(RUNTIME_PREFIX)) == 0 &&
         !nb_stands_in(function);
}

bool nb_runtime_gives_record(LLVMValueRef function) {
  static const char *const stems[] = {"tape_push", "tape_pop", "tape_look_back"};
  const char *name = function && nb_runtime_has(function) ? nb_name(function) : "";
  for (unsigned i = 0; name[0] && i < sizeof stems / sizeof *stems; i++)
    if (strncmp(name + strlen(RUNTIME_PREFIX), stems[i], strlen(stems[i])) == 0)
      return true;
  return false;
}

bool nb_runtime_is(LLVMValueRef call) {
  LLVMValueRef callee = nb_callee(call);
  return callee && nb_runtime_has(callee);
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
  return LLVMIsDeclaration(function) && LLVMGetFirstUse(function) && nb_runtime_has(function) &&
         !strchr(nb_name(function), '.');
}

static void link_bitcode(NbContext *context) {
  NbMap *old = functions_of(context);
  char *message = nb_link_needed(context->module, (const char *)nb_runtime_bitcode,
                                 nb_runtime_bitcode_size, true);
  note_new(context, old);
  if (!message)
    return;
  nb_refuse(context, NB_ERROR_BUILD, LLVMGetFirstFunction(context->module),
            "nabla's runtime could not be linked: %s", message);
  LLVMDisposeMessage(message);
}

bool nb_runtime_link(NbContext *context) {
  LLVMValueRef function = LLVMGetFirstFunction(context->module);
  while (function && !is_wanted(function))
    function = LLVMGetNextFunction(function);
  if (!function)
    return false;
  link_bitcode(context);
  return true;
}

/* What has a derivative in the runtime: NAME_forward. */
static const char *const with_forward[] = {"__nabla_move_adjoint_word", "__nabla_zero_word",
                                           "__nabla_copy_pointers_word"};
enum { WITH_FORWARD = sizeof with_forward / sizeof *with_forward };

static LLVMValueRef forward_of(const NbContext *context, const char *name) {
  return LLVMGetNamedFunction(context->module, nb_arena_print(context->arena, "%s_forward", name));
}

/* Is it a copy of the function, which was linked in again for what calls it? */
static bool is_copy_of(LLVMValueRef function, const char *name) {
  size_t length = strlen(name);
  return strncmp(nb_name(function), name, length) == 0 && nb_name(function)[length] == '.';
}

/* Copies are the function itself, which has a derivative. What was found of them, and of what calls
 * them, goes with them. */
static void give_forward(NbContext *context, const char *name) {
  LLVMValueRef itself = LLVMGetNamedFunction(context->module, name);
  LLVMValueRef function = itself ? LLVMGetFirstFunction(context->module) : NULL;
  for (LLVMValueRef next; function; function = next) {
    next = LLVMGetNextFunction(function);
    if (!is_copy_of(function, name))
      continue;
    LLVMReplaceAllUsesWith(function, itself);
    nb_analyses_forget(context->analyses, function);
    LLVMDeleteFunction(function);
    context->summaries = nb_map_new(context->arena);
  }
  if (!itself || nb_map_has(context->custom, itself))
    return;
  NbCustom *custom = NB_NEW(context->arena, NbCustom);
  *custom = (NbCustom){.forward = forward_of(context, name), .bodyless = true};
  nb_map_set(context->custom, itself, custom);
}

void nb_runtime_link_derivatives(NbContext *context) {
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context->llvm), NULL, 0, false);
  bool wanted = false;
  for (unsigned i = 0; i < WITH_FORWARD; i++) {
    LLVMValueRef function = LLVMGetNamedFunction(context->module, with_forward[i]);
    if (!function || forward_of(context, with_forward[i]))
      continue;
    LLVMAddFunction(context->module, nb_arena_print(context->arena, "%s_forward", with_forward[i]),
                    type);
    wanted = true;
  }
  if (wanted)
    link_bitcode(context);
  else
    nb_runtime_link(context);
  for (unsigned i = 0; i < WITH_FORWARD; i++)
    give_forward(context, with_forward[i]);
}
