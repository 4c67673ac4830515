// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What the linker or the loader may replace: a weak function, or with -fsemantic-interposition any
 * that other objects see. Its body here says nothing of what the program runs. So it is without one
 * while the requests are served, as are weak constants without their value, and declarations stand
 * for weak aliases; nobody then has to ask more than whether there is a body. The runtime's
 * functions are the same everywhere. */
#include "base/names.h"
#include "bridge/body.h"
#include "request/collected.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

/* What is without its body, or value, for now. */
typedef struct Hidden {
  LLVMValueRef global;
  LLVMValueRef body;  /* of a function: where its blocks are */
  LLVMValueRef alias; /* for which `global` stands */
  LLVMValueRef value; /* of a constant */
  LLVMLinkage linkage;
} Hidden;

static bool is_of_runtime(LLVMValueRef global) {
  return strncmp(nb_name(global), NB_OWN_PREFIX, strlen(NB_OWN_PREFIX)) == 0;
}

static bool is_hideable(LLVMValueRef global) {
  return !LLVMIsDeclaration(global) && nb_body_is_interposable(global) && !is_of_runtime(global);
}

static void move_body(NbContext *context, LLVMValueRef target, LLVMValueRef source) {
  LLVMMetadataRef subprogram = LLVMGetSubprogram(source);
  nb_analyses_forget(context->analyses, source);
  nb_body_move(target, source);
  LLVMSetSubprogram(source, NULL);
  LLVMSetSubprogram(target, subprogram);
}

static void hide_body(NbContext *context, LLVMValueRef function) {
  Hidden *hidden = NB_NEW(context->arena, Hidden);
  const char *name = nb_arena_print(context->arena, NB_HIDDEN_PREFIX "%s", nb_name(function));
  *hidden = (Hidden){.global = function, .linkage = LLVMGetLinkage(function)};
  hidden->body = LLVMAddFunction(context->module, name, LLVMGlobalGetValueType(function));
  LLVMSetLinkage(hidden->body, LLVMInternalLinkage);
  move_body(context, hidden->body, function);
  LLVMSetLinkage(function, LLVMExternalLinkage);
  nb_map_set(context->originals, hidden->body, function);
  nb_map_set(context->interposable, function, hidden);
}

static void hide_value(NbContext *context, LLVMValueRef constant) {
  Hidden *hidden = NB_NEW(context->arena, Hidden);
  *hidden = (Hidden){.global = constant,
                     .value = LLVMGetInitializer(constant),
                     .linkage = LLVMGetLinkage(constant)};
  LLVMSetInitializer(constant, NULL);
  LLVMSetLinkage(constant, LLVMExternalLinkage);
  nb_map_set(context->interposable, constant, hidden);
}

static void hide_alias(NbContext *context, LLVMValueRef alias) {
  Hidden *hidden = NB_NEW(context->arena, Hidden);
  const char *name = nb_arena_print(context->arena, NB_HIDDEN_PREFIX "%s", nb_name(alias));
  LLVMTypeRef type = LLVMGlobalGetValueType(alias);
  bool function = LLVMGetTypeKind(type) == LLVMFunctionTypeKind;
  hidden->alias = alias;
  hidden->global = function ? LLVMAddFunction(context->module, name, type)
                            : LLVMAddGlobal(context->module, type, name);
  LLVMReplaceAllUsesWith(alias, hidden->global);
  nb_map_set(context->interposable, hidden->global, hidden);
}

static void put_back_alias(const Hidden *hidden) {
  LLVMReplaceAllUsesWith(hidden->global, hidden->alias);
  if (LLVMIsAFunction(hidden->global))
    LLVMDeleteFunction(hidden->global);
  else
    LLVMDeleteGlobal(hidden->global);
}

static void put_back(NbContext *context, const Hidden *hidden) {
  if (hidden->alias) {
    put_back_alias(hidden);
    return;
  }
  LLVMSetLinkage(hidden->global, hidden->linkage);
  if (hidden->value) {
    LLVMSetInitializer(hidden->global, hidden->value);
    return;
  }
  move_body(context, hidden->global, hidden->body);
  LLVMDeleteFunction(hidden->body);
}

/* First of all, for a weak alias may lead to another, or to a weak function. */
static void hide_aliases(NbContext *context) {
  LLVMValueRef alias = LLVMGetFirstGlobalAlias(context->module);
  for (; alias; alias = LLVMGetNextGlobalAlias(alias))
    if (nb_body_is_interposable(alias) && LLVMGetFirstUse(alias))
      hide_alias(context, alias);
}

void nb_interposable_hide(NbContext *context) {
  NbList functions = nb_list(context->arena);
  hide_aliases(context);
  for (LLVMValueRef function = LLVMGetFirstFunction(context->module); function;
       function = LLVMGetNextFunction(function))
    if (is_hideable(function))
      nb_list_push(&functions, function);
  for (unsigned i = 0; i < functions.count; i++)
    hide_body(context, functions.items[i]);
  for (LLVMValueRef global = LLVMGetFirstGlobal(context->module); global;
       global = LLVMGetNextGlobal(global))
    if (LLVMIsGlobalConstant(global) && is_hideable(global))
      hide_value(context, global);
}

void nb_interposable_put_back(NbContext *context) {
  for (unsigned i = 0; i < nb_map_count(context->interposable); i++)
    put_back(context, nb_map_get(context->interposable, nb_map_key(context->interposable, i)));
  context->interposable = nb_map_new(context->arena);
}
